package scancheck_test

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"comus/check/scancheck"
	"comus/scan/certificate"
)

// kind is a way to change a certificate so that it claims more, or another thing. It reports whether there was something to change.
type kind struct {
	name string
	f    func(r *rand.Rand, c *certificate.Certificate) bool
}

// some returns a random element for which f holds, nil if there is none.
func some[T any](r *rand.Rand, list []T, f func(*T) bool) *T {
	var ok []int
	for i := range list {
		if f(&list[i]) {
			ok = append(ok, i)
		}
	}
	if len(ok) == 0 {
		return nil
	}
	return &list[ok[r.IntN(len(ok))]]
}

func any1[T any](*T) bool { return true }

// shown returns a random location that is claimed to be free.
func shown(r *rand.Rand, c *certificate.Certificate) *certificate.Location {
	return some(r, c.Locations, func(l *certificate.Location) bool {
		return l.Kind == certificate.Memory && len(l.Groups) > 1 && !slices.Contains(l.Pairs, certificate.Suspect) && !slices.Contains(l.Pairs, certificate.Signalled)
	})
}

func groupOf(r *rand.Rand, c *certificate.Certificate, f func(*certificate.Group) bool) *certificate.Group {
	l := shown(r, c)
	if l == nil {
		return nil
	}
	return some(r, l.Groups, f)
}

// bogus is a lock that nobody holds there; one that is held elsewhere, if there is one.
func bogus(r *rand.Rand, c *certificate.Certificate) certificate.Lock {
	l := certificate.Lock{Names: []certificate.Name{{Base: "global:nobody"}}}
	for i := range c.Activations {
		for _, b := range c.Activations[i].Blocks {
			if len(b.Held) > 0 && r.IntN(2) == 0 {
				return b.Held[r.IntN(len(b.Held))]
			}
		}
	}
	return l
}

func holds(ls []certificate.Lock, l certificate.Lock) bool {
	return slices.ContainsFunc(ls, func(m certificate.Lock) bool {
		return slices.ContainsFunc(m.Names, func(n certificate.Name) bool { return slices.Contains(l.Names, n) })
	})
}

var lockKinds = []kind{
	{"a lock more is held at a block", func(r *rand.Rand, c *certificate.Certificate) bool {
		a := some(r, c.Activations, any1)
		b := some(r, a.Blocks, func(s *certificate.State) bool { return !s.Never })
		l := bogus(r, c)
		if b == nil || holds(b.Held, l) {
			return false
		}
		b.Held = append(b.Held, l)
		return true
	}},
	{"a lock more is held at the beginning", func(r *rand.Rand, c *certificate.Certificate) bool {
		a := some(r, c.Activations, func(a *certificate.Activation) bool { return !a.Blocks[0].Never })
		l := bogus(r, c)
		if a == nil || holds(a.Entry, l) {
			return false
		}
		a.Entry = append(a.Entry, l)
		return true
	}},
	{"a lock more is held at the end", func(r *rand.Rand, c *certificate.Certificate) bool {
		a := some(r, c.Activations, func(a *certificate.Activation) bool { return !a.Exit.Never })
		l := bogus(r, c)
		if a == nil || holds(a.Exit.Held, l) {
			return false
		}
		a.Exit.Held = append(a.Exit.Held, l)
		return true
	}},
	{"a lock is elsewhere", func(r *rand.Rand, c *certificate.Certificate) bool {
		a := some(r, c.Activations, any1)
		b := some(r, a.Blocks, func(s *certificate.State) bool { return !s.Never && len(s.Held) > 0 })
		if b == nil {
			return false
		}
		l := some(r, b.Held, any1)
		some(r, l.Names, any1).Off += 8
		return true
	}},
	{"a group holds a lock more", func(r *rand.Rand, c *certificate.Certificate) bool {
		g := groupOf(r, c, any1)
		if g == nil {
			return false
		}
		n := bogus(r, c).Names[0]
		if slices.ContainsFunc(g.Locks, func(h certificate.Held) bool {
			return slices.Contains(h.Keys, certificate.Key{Kind: certificate.Absolute, Name: n})
		}) {
			return false
		}
		g.Locks = append(g.Locks, certificate.Held{Keys: []certificate.Key{{Kind: certificate.Absolute, Name: n}}, At: []certificate.At{{Object: 1}}})
		return true
	}},
	{"a group's lock is elsewhere", func(r *rand.Rand, c *certificate.Certificate) bool {
		g := groupOf(r, c, func(g *certificate.Group) bool { return len(g.Locks) > 0 })
		if g == nil {
			return false
		}
		some(r, some(r, g.Locks, any1).Keys, any1).Name.Off += 4
		return true
	}},
	{"a local holds another value", func(r *rand.Rand, c *certificate.Certificate) bool {
		a := some(r, c.Activations, any1)
		b := some(r, a.Blocks, func(s *certificate.State) bool { return !s.Never && len(s.Cells) > 0 })
		if b == nil {
			return false
		}
		some(r, b.Cells, any1).Is = certificate.Name{Base: "global:nobody", Off: 4}
		return true
	}},
	{"a block is not reached", func(r *rand.Rand, c *certificate.Certificate) bool {
		b := some(r, some(r, c.Activations, any1).Blocks, func(s *certificate.State) bool { return !s.Never })
		if b == nil {
			return false
		}
		*b = certificate.State{Never: true}
		return true
	}},
	{"a call gets nowhere", func(r *rand.Rand, c *certificate.Certificate) bool {
		a := some(r, c.Activations, func(a *certificate.Activation) bool { return len(a.Calls) > 0 })
		if a == nil {
			return false
		}
		i := r.IntN(len(a.Calls))
		a.Calls = slices.Delete(a.Calls, i, i+1)
		return true
	}},
}

var placeKinds = []kind{
	{"an access less", func(r *rand.Rand, c *certificate.Certificate) bool {
		g := groupOf(r, c, any1)
		if g == nil {
			return false
		}
		i := r.IntN(len(g.Accesses))
		g.Accesses = slices.Delete(g.Accesses, i, i+1)
		return true
	}},
	{"a group less", func(r *rand.Rand, c *certificate.Certificate) bool {
		l := shown(r, c)
		if l == nil {
			return false
		}
		k := r.IntN(len(l.Groups))
		var pairs []string
		n := 0
		for i := range l.Groups {
			for j := i; j < len(l.Groups); j++ {
				if i != k && j != k {
					pairs = append(pairs, l.Pairs[n])
				}
				n++
			}
		}
		l.Groups, l.Pairs = slices.Delete(l.Groups, k, k+1), pairs
		return true
	}},
	{"a write is none", func(r *rand.Rand, c *certificate.Certificate) bool {
		g := groupOf(r, c, func(g *certificate.Group) bool { return g.Write })
		if g == nil {
			return false
		}
		g.Write = false
		return true
	}},
	{"a plain access is atomic", func(r *rand.Rand, c *certificate.Certificate) bool {
		g := groupOf(r, c, func(g *certificate.Group) bool { return !g.Atomic })
		if g == nil {
			return false
		}
		g.Atomic = true
		return true
	}},
	{"an object is one thread's own", func(r *rand.Rand, c *certificate.Certificate) bool {
		g := groupOf(r, c, func(g *certificate.Group) bool { return !g.Own })
		if g == nil {
			return false
		}
		g.Own = true
		return true
	}},
	{"fewer threads run at an access", func(r *rand.Rand, c *certificate.Certificate) bool {
		g := groupOf(r, c, func(g *certificate.Group) bool { return len(g.Running) > 0 })
		if g == nil {
			return false
		}
		g.Running = nil
		return true
	}},
	{"another thread makes an access", func(r *rand.Rand, c *certificate.Certificate) bool {
		g := groupOf(r, c, any1)
		if g == nil || len(c.Threads) < 2 {
			return false
		}
		g.Thread = (g.Thread + 1 + r.IntN(len(c.Threads)-1)) % len(c.Threads)
		return true
	}},
	{"a pair less", func(r *rand.Rand, c *certificate.Certificate) bool {
		l := shown(r, c)
		if l == nil {
			return false
		}
		l.Pairs = l.Pairs[1:]
		return true
	}},
	{"another reason", func(r *rand.Rand, c *certificate.Certificate) bool {
		l := shown(r, c)
		if l == nil {
			return false
		}
		i := r.IntN(len(l.Pairs))
		for old := l.Pairs[i]; l.Pairs[i] == old; {
			l.Pairs[i] = reasons[r.IntN(len(reasons))]
		}
		return true
	}},
}

var reasons = []string{certificate.Ordered, certificate.ReadOnly, certificate.Atomic, certificate.Own, certificate.Locked, "", "sure"}

var threadKinds = []kind{
	{"a thread is not created", func(r *rand.Rand, c *certificate.Certificate) bool {
		t := some(r, c.Threads, func(t *certificate.Thread) bool { return len(t.Creates) > 0 })
		if t == nil {
			return false
		}
		i := r.IntN(len(t.Creates))
		t.Creates = slices.Delete(t.Creates, i, i+1)
		return true
	}},
	{"two threads are exchanged", func(r *rand.Rand, c *certificate.Certificate) bool {
		if len(c.Threads) < 3 {
			return false
		}
		t := some(r, c.Threads, func(t *certificate.Thread) bool { return len(t.Creates) > 1 })
		if t == nil {
			return false
		}
		t.Creates[0].Thread, t.Creates[1].Thread = t.Creates[1].Thread, t.Creates[0].Thread
		return true
	}},
	{"there is one of many", func(r *rand.Rand, c *certificate.Certificate) bool {
		t := some(r, c.Threads, func(t *certificate.Thread) bool { return t.Many })
		if t == nil {
			return false
		}
		t.Many = false
		return true
	}},
	{"a function is not run", func(r *rand.Rand, c *certificate.Certificate) bool {
		t := some(r, c.Threads, any1)
		i := r.IntN(len(t.Nodes))
		t.Nodes = slices.Delete(t.Nodes, i, i+1)
		return true
	}},
	{"nothing runs when a function is called", func(r *rand.Rand, c *certificate.Certificate) bool {
		n := some(r, some(r, c.Threads, any1).Nodes, func(n *certificate.Node) bool { return len(n.Entry) > 0 })
		if n == nil {
			return false
		}
		n.Entry = nil
		return true
	}},
	{"nothing was created at a block", func(r *rand.Rand, c *certificate.Certificate) bool {
		n := some(r, some(r, c.Threads, any1).Nodes, func(n *certificate.Node) bool { return len(n.Blocks) > 0 })
		if n == nil {
			return false
		}
		e := some(r, n.Blocks, func(e *certificate.Effect) bool { return len(e.Adds) > 0 })
		if e == nil {
			return false
		}
		e.Adds = nil
		return true
	}},
	{"a call creates nothing", func(r *rand.Rand, c *certificate.Certificate) bool {
		n := some(r, some(r, c.Threads, any1).Nodes, func(n *certificate.Node) bool { return len(n.Sum.Adds) > 0 })
		if n == nil {
			return false
		}
		n.Sum.Adds = nil
		return true
	}},
	{"a call ends a thread", func(r *rand.Rand, c *certificate.Certificate) bool {
		n := some(r, c.Threads[0].Nodes, func(n *certificate.Node) bool { return !n.Sum.Never })
		k := 1 + r.IntN(max(len(c.Threads)-1, 1))
		if k >= len(c.Threads) || slices.Contains(n.Sum.Takes, k) {
			return false
		}
		n.Sum.Takes = append(n.Sum.Takes, k)
		return true
	}},
	{"a call does not return", func(r *rand.Rand, c *certificate.Certificate) bool {
		n := some(r, some(r, c.Threads, any1).Nodes, func(n *certificate.Node) bool { return !n.Sum.Never })
		if n == nil {
			return false
		}
		n.Sum = certificate.Effect{Never: true}
		return true
	}},
	{"nothing is left at a thread's end", func(r *rand.Rand, c *certificate.Certificate) bool {
		t := some(r, c.Threads, func(t *certificate.Thread) bool { return len(t.End) > 0 })
		if t == nil {
			return false
		}
		t.End = nil
		return true
	}},
	{"another copy", func(r *rand.Rand, c *certificate.Certificate) bool {
		if len(c.Copies) < 2 {
			return false
		}
		i := r.IntN(len(c.Copies) - 1)
		c.Copies[i], c.Copies[i+1] = c.Copies[i+1], c.Copies[i]
		return true
	}},
}

func clone(t testing.TB, c *certificate.Certificate) *certificate.Certificate {
	t.Helper()
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	d := &certificate.Certificate{}
	if err := json.Unmarshal(text, d); err != nil {
		t.Fatal(err)
	}
	return d
}

// The programs that are mutated.
var (
	safePrograms = []string{"after_join", "callee", "condition_data", "counter_mutex", "create_between", "init_before_create", "join_between",
		"join_inner", "lock_in_struct", "rwlock", "second_iteration", "two_mutexes", "atomic_counter", "heap_published", "lock_element"}
	unsafePrograms = []string{"after_join", "callee", "condition_data", "counter_mutex", "create_between", "init_before_create", "join_between",
		"join_inner", "join_other", "lock_in_struct", "rwlock", "second_iteration", "two_mutexes", "unlock_callee", "wait_releases", "own_lock", "heap_published", "lock_element"}
)

func program(t testing.TB, name string) *scanned {
	t.Helper()
	return load(t, filepath.Join("../../cfront/testdata/race", name+".c"))
}

// seed is that of random changes: COMUS_SEED, or 2.
func seed() uint64 {
	if n, err := strconv.ParseUint(os.Getenv("COMUS_SEED"), 10, 64); err == nil {
		return n
	}
	return 2
}

// TestMutations changes certificates: that is seen, but where what is claimed then is true, which is found out here in another way.
func TestMutations(t *testing.T) {
	kinds := slices.Concat(lockKinds, placeKinds, threadKinds)
	r := rand.New(rand.NewPCG(14, seed()))
	var list []*scanned
	var was []*scancheck.Report
	for _, name := range safePrograms {
		s := program(t, name+"_safe")
		list = append(list, s)
		was = append(was, s.check(t, s.res.Certificate))
	}
	done, seen, fine := 0, 0, map[string]int{}
	for tries := 0; done < 1000 && tries < 10000; tries++ {
		k := kinds[r.IntN(len(kinds))]
		i := r.IntN(len(list))
		s := list[i]
		c := clone(t, s.res.Certificate)
		if !k.f(r, c) {
			continue
		}
		done++
		rep, err := scancheck.Check(context.Background(), s.prog, s.pts, c)
		if err != nil || len(rep.Refused) > len(was[i].Refused) || rep.Count() < was[i].Count() {
			seen++
			continue
		}
		fine[k.name]++
		if why := wrongIn(t, s, k.name, c); why != "" {
			t.Errorf("%s: %s: nobody saw it, and %s", safePrograms[i], k.name, why)
		}
	}
	if t.Logf("%d of %d were refused", seen, done); done < 1000 {
		t.Errorf("only %d mutations", done)
	}
	for name, n := range fine {
		t.Logf("%d times what it claims is true: %s", n, name)
	}
}
