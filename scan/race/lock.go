package race

import (
	"fmt"
	"slices"
	"strings"

	"comus/check/scancheck"
	"comus/cir"
	"comus/scan/escape"
	"comus/scan/lockset"
	"comus/scan/pointsto"
	"comus/scan/thread"
)

// Options say what is known of a program beside its threads.
type Options struct {
	// Locks are those that are held; nil: none is known.
	Locks *lockset.Result
	// Escape tells which objects only one thread knows yet; nil: none.
	Escape *escape.Result
	// Done is called after each function of each thread, with how many were looked at, and of how many; may be nil.
	Done func(done, all int)
	// Rules are the checker's; nil: they are not asked. CopyOf returns the number of a node's copy there.
	Rules  *scancheck.Rules
	CopyOf func(*thread.Node) int
	// Prog is the program, to look for objects whose ownership is transferred; nil: that is not done.
	Prog *cir.Program
}

// holder finds out which locks a thread holds at an instruction.
type holder struct {
	pts     *pointsto.Result
	locks   *lockset.Result
	threads *thread.Result
	roots   map[pointsto.Copy]*lockset.Activation
	of      map[*thread.Thread]map[pointsto.Copy][]*lockset.Activation
	callers map[*thread.Thread]map[*cir.Call][]*thread.Node
	at      map[*lockset.Activation]map[cir.Instr]lockset.Point
	sets    map[heldKey]heldSet
	numbers map[string]int32 // of the keys of sets of locks
}

func newHolder(pts *pointsto.Result, threads *thread.Result, locks *lockset.Result) *holder {
	h := &holder{pts: pts, locks: locks, threads: threads, roots: map[pointsto.Copy]*lockset.Activation{},
		of:      map[*thread.Thread]map[pointsto.Copy][]*lockset.Activation{},
		callers: map[*thread.Thread]map[*cir.Call][]*thread.Node{}, at: map[*lockset.Activation]map[cir.Instr]lockset.Point{}, sets: map[heldKey]heldSet{}, numbers: map[string]int32{"": 0}}
	if locks != nil {
		for i, r := range pts.Roots {
			h.roots[pts.Canonical(pointsto.Copy{Func: r.Func, Ctx: r.Ctx})] = locks.Root(i)
		}
	}
	return h
}

// activations returns the activations that a thread may run, by their functions' copies.
func (h *holder) activations(t *thread.Thread) map[pointsto.Copy][]*lockset.Activation {
	if m := h.of[t]; m != nil {
		return m
	}
	m := map[pointsto.Copy][]*lockset.Activation{}
	seen := map[*lockset.Activation]bool{}
	runs := map[*thread.Node]bool{}
	for _, n := range h.threads.Nodes(t) {
		runs[n] = true
	}
	roots := t.Roots()
	for _, n := range h.threads.Backs() {
		if runs[n] {
			roots = append(roots, n)
		}
	}
	for _, n := range roots {
		for _, x := range h.locks.Reach(h.roots[n.Copy()]) {
			if !seen[x] {
				seen[x] = true
				m[x.Copy] = append(m[x.Copy], x)
			}
		}
	}
	h.of[t] = m
	return m
}

// callersOf returns the nodes of a thread that make a call.
func (h *holder) callersOf(t *thread.Thread, call *cir.Call) []*thread.Node {
	m := h.callers[t]
	if m == nil {
		m = map[*cir.Call][]*thread.Node{}
		for _, n := range h.threads.Nodes(t) {
			if n.Fn.Library {
				continue
			}
			for _, b := range n.Fn.Blocks {
				for _, in := range b.Instrs {
					if c, ok := in.(*cir.Call); ok {
						m[c] = append(m[c], n)
					}
				}
			}
		}
		h.callers[t] = m
	}
	return m[call]
}

// points returns the instruction in all activations of a thread; what the library does is done at the program's call. ok is false if there is
// one of which nothing is known.
func (h *holder) points(t *thread.Thread, n *thread.Node, in cir.Located) (ps []lockset.Point, ok bool) {
	instr, ok := in.(cir.Instr)
	if h.locks == nil || !ok {
		return nil, false
	}
	nodes := []*thread.Node{n}
	if n.Fn.Library {
		if n.Ctx.Call == nil || t.Created(n.Ctx.Call) {
			return nil, false
		}
		nodes, instr = h.callersOf(t, n.Ctx.Call), n.Ctx.Call
	}
	for _, n := range nodes {
		all := h.activations(t)[n.Copy()]
		if len(all) == 0 {
			return nil, false
		}
		for _, x := range all {
			if p, ok := h.pointIn(x, instr); ok {
				ps = append(ps, p)
			}
		}
	}
	return ps, len(ps) > 0
}

func (h *holder) pointIn(x *lockset.Activation, in cir.Instr) (lockset.Point, bool) {
	m := h.at[x]
	if m == nil {
		m = map[cir.Instr]lockset.Point{}
		h.locks.Each(x, func(p lockset.Point) { m[p.Instr] = p })
		h.at[x] = m
	}
	p, ok := m[in]
	return p, ok
}

// heldSet is locks that are held, with what tells them from others.
type heldSet struct {
	locks  []lockset.Held
	key    string
	number int32 // that stands for the key
}

// heldKey is a question what is held where a pointer is followed.
type heldKey struct {
	x    *lockset.Activation
	in   cir.Instr
	ptr  cir.Value
	size int64
}

// held returns the sets of locks that a thread may hold in any case when it accesses so many bytes through a pointer, one for each way to get there;
// -1: not known how many.
func (h *holder) held(t *thread.Thread, n *thread.Node, in cir.Located, ptr cir.Value, size int64) []heldSet {
	ps, ok := h.points(t, n, in)
	if !ok {
		return []heldSet{{}}
	}
	if n.Fn.Library { // what the library accesses is not what the call is given
		ptr = nil
	}
	var all []heldSet
	seen := map[int32]bool{}
	for _, p := range ps {
		key := heldKey{p.Activation, p.Instr, ptr, size}
		set, ok := h.sets[key]
		if !ok {
			set.locks = p.Held(ptr, size)
			set.key = keyOf(set.locks)
			set.number = numberOf(h.numbers, set.key)
			h.sets[key] = set
		}
		if !seen[set.number] {
			seen[set.number] = true
			all = append(all, set)
		}
	}
	return all
}

// keyOf returns what tells sets of locks apart.
func keyOf(ls []lockset.Held) string {
	var b strings.Builder
	for _, l := range ls {
		fmt.Fprint(&b, l.Mode, l.Name)
		for _, k := range l.Keys {
			v := k.Value
			fmt.Fprint(&b, ",", k.Kind, " ")
			if v.Base != nil {
				fmt.Fprint(&b, v.Base.ID)
			}
			if v.Index != nil {
				fmt.Fprint(&b, "*", v.Index.ID, "*", v.Scale)
			}
			fmt.Fprint(&b, "+", v.Off)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// lockPair is two sets of locks, by their first ones, of accesses that begin at the same address whenever they overlap, or not.
type lockPair struct {
	a, b *lockset.Held
	same bool
}

// common returns the names of the locks that exclude accesses of two groups: held by both, not for reading by both, and not spoilt. Most pairs of
// groups have sets of locks that others have, too. The slice is kept, and must not be changed.
func (c *collector) common(g, h *group) []string {
	if len(g.locks) == 0 || len(h.locks) == 0 {
		return nil
	}
	same := g.scalar && h.scalar && g.x == h.x
	for _, ls := range [][]lockset.Held{g.locks, h.locks} {
		if slices.ContainsFunc(ls, func(l lockset.Held) bool { return len(l.Spoils) > 0 }) {
			return c.findCommon(g, h, same) // it matters who has them
		}
	}
	key := lockPair{&g.locks[0], &h.locks[0], same}
	names, known := c.commons[key]
	if !known {
		names = c.findCommon(g, h, same)
		c.commons[key] = names
	}
	return names
}

func (c *collector) findCommon(g, h *group, same bool) (names []string) {
	for _, l := range g.locks {
		for _, k := range h.locks {
			if l.Mode == lockset.Reading && k.Mode == lockset.Reading || c.spoilt(l, g, h) || c.spoilt(k, g, h) {
				continue
			}
			for _, key := range l.Keys {
				if (same || key.Kind != lockset.Address) && slices.Contains(k.Keys, key) && !slices.Contains(names, LockName(l)) {
					names = append(names, LockName(l))
				}
			}
		}
	}
	return names
}
