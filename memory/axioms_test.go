package memory

import (
	"math/rand/v2"
	"slices"
	"testing"

	"comus/cir"
)

var allModels = []Model{SC, TSO, PSO, RC11}

// forGraphs calls test with random graphs of all models, consistent ones and others.
func forGraphs(t *testing.T, count int, test func(rnd *rand.Rand, g *grower)) {
	rnd := rand.New(rand.NewPCG(*seed, 1))
	for k := range count {
		g := grow(rnd, allModels[k%4], 5+rnd.IntN(20))
		g.Graph = g.shuffle(rnd)
		if err := g.Check(); err != nil {
			t.Fatalf("%v: %+v", err, g.Graph)
		}
		test(rnd, g)
	}
}

// TestConsistentIsNoViolation compares the fast axioms with those of the papers, and looks at the cycles.
func TestConsistentIsNoViolation(t *testing.T) {
	axioms, consistent := map[string]int{}, [4]int{}
	forGraphs(t, *graphs, func(_ *rand.Rand, g *grower) {
		for _, m := range allModels {
			violations := g.Violations(m)
			if g.Consistent(m) != (len(violations) == 0) {
				t.Fatalf("%v: consistent is %v, violations are %v: %+v", m, g.Consistent(m), violations, g.Graph)
			}
			if len(violations) == 0 {
				consistent[m]++
			}
			for _, v := range violations {
				axioms[m.String()+" "+v.Axiom]++
				g.checkCycle(t, m, v)
			}
			if len(violations) == 1 {
				axioms[m.String()+" "+violations[0].Axiom+" alone"]++
			}
		}
		if hb := g.relations().hb(); !slices.Equal(hb.bits, g.HappensBefore().bits) {
			t.Fatalf("happens-before: %v instead of %v", g.HappensBefore().Pairs(), hb.Pairs())
		}
	})
	t.Log(axioms, consistent)
	for _, axiom := range []string{"sc sc", "tso coherence", "tso ghb alone", "pso ghb alone", "c11 atomicity alone", "c11 coherence alone", "c11 psc alone", "c11 po-rf alone"} {
		if axioms[axiom] == 0 {
			t.Errorf("no graph breaks %s", axiom)
		}
	}
	if slices.Min(consistent[:]) == 0 {
		t.Error("no graph is consistent with some model")
	}
}

// TestCycles compares the fast axioms with those of the papers, for all candidate executions of programs that are
// close to a cycle: for those with coherent threads that are not sequentially consistent, as other graphs are elsewhere.
func TestCycles(t *testing.T) {
	rnd := rand.New(rand.NewPCG(*seed, 2))
	alone := map[Model]int{}
	for range *graphs * 5 {
		p := cycleProgram(rnd)
		if p.size() > 200 {
			continue
		}
		p.candidates(func(c *candidate) {
			if l := c.layout(); !l.atomicity() || !l.coherentThreads() || c.Consistent(SC) {
				return
			}
			for _, m := range allModels {
				violations := c.Violations(m)
				if c.Consistent(m) != (len(violations) == 0) {
					t.Fatalf("%v: consistent is %v, violations are %v: %v: %s", m, c.Consistent(m), violations, p, c.signature())
				}
				if len(violations) == 1 && violations[0].Axiom != "coherence" {
					alone[m]++
				}
			}
		})
	}
	t.Log(alone)
	for _, m := range allModels {
		if alone[m] == 0 {
			t.Errorf("%v forbids nothing that is coherent", m)
		}
	}
}

// checkCycle looks whether each step of a violation is in the relation that it names.
func (g *grower) checkCycle(t *testing.T, m Model, v Violation) {
	r := g.relations()
	of := map[string]Relation{"po": r.all, "rf": r.rf, "mo": r.mo, "rb": r.rb, "rmw": r.rmw.inverse(), "sw": r.sw(), "psc": r.psc(r.hb(), r.eco())}
	if len(v.Cycle) == 0 || len(v.Steps) != len(v.Cycle) {
		t.Fatalf("%v: no cycle: %+v", m, v)
	}
	for k, step := range v.Steps {
		if to := v.Cycle[(k+1)%len(v.Cycle)]; !of[step].Has(v.Cycle[k], to) {
			t.Fatalf("%v: %+v: %d is not related to %d by %s: %+v", m, v, v.Cycle[k], to, step, g.Graph)
		}
	}
}

// TestPrefixes takes away what nothing depends on: consistent graphs stay consistent.
func TestPrefixes(t *testing.T) {
	forGraphs(t, *graphs, func(_ *rand.Rand, g *grower) {
		for _, i := range g.maximal() {
			prefix := g.remove(i)
			for _, m := range allModels {
				if g.Consistent(m) && !prefix.Consistent(m) {
					t.Fatalf("%v: not consistent without %d: %+v: %+v", m, i, g.Graph, prefix.Violations(m))
				}
			}
		}
	})
}

// TestExtensions adds a last event to a thread: a read of the latest write, the latest write, or one of another kind. Consistent graphs stay consistent.
func TestExtensions(t *testing.T) {
	reads := 0
	forGraphs(t, *graphs, func(rnd *rand.Rand, g *grower) {
		c := g.clone()
		th := rnd.IntN(g.threads)
		last := -1
		for i, e := range c.Events {
			if e.Thread == th {
				last = i
			}
		}
		pending := last >= 0 && c.Events[last].Kind == Read && c.Events[last].Exclusive
		if last >= 0 && c.Events[last].Kind == Read && c.RF[last] < 0 {
			return
		}
		loc, e := uint64(rnd.IntN(g.locs)), Event{Thread: th, Order: cir.Order(rnd.IntN(6))}
		switch e.Kind = Kind(rnd.IntN(4)); {
		case pending: // its other half, if it is up to date
			loc = c.Events[last].Loc
			if writes := c.MO[loc]; c.RF[last] != writes[len(writes)-1] {
				return
			}
			e = c.Events[last]
			e.Kind = Write
		case e.Kind == Read:
			e.Exclusive, e.Full = rnd.IntN(3) == 0, rnd.IntN(3) == 0
		case e.Kind == Other:
			e.Order = cir.Plain
		}
		if e.access() {
			e.Loc = loc
		}
		i := c.put(e)
		switch writes := c.MO[loc]; {
		case e.Kind == Write:
			c.MO[loc] = append(writes, i)
		case e.Kind == Read && len(writes) > 0:
			c.RF[i] = writes[len(writes)-1]
			reads++
		case e.Kind == Other:
			if j := rnd.IntN(len(c.Events)); c.Events[j].Thread >= 0 && c.Events[j].Thread != th {
				c.Sync = append(c.Sync, [2]int{j, i})
			}
		}
		if err := c.Check(); err != nil {
			t.Fatal(err)
		}
		for _, m := range allModels {
			if g.Consistent(m) && !c.Consistent(m) {
				t.Fatalf("%v: not consistent with %+v: %+v: %+v", m, e, c, c.Violations(m))
			}
		}
	})
	if reads == 0 {
		t.Error("no read was added")
	}
}

// TestSync compares edges of Sync with what they stand for: acq_rel updates, one that reads from the other one, at a location of their own. TSO and PSO take an
// event that only orders for a full fence, as such an update is; RC11 does not.
func TestSync(t *testing.T) {
	with, without, exact := 0, 0, 0
	forGraphs(t, *graphs, func(_ *rand.Rand, g *grower) {
		encoded, same := g.encodeSync()
		if err := encoded.Check(); err != nil {
			t.Fatalf("%v: %+v", err, encoded)
		}
		bare := g.clone()
		bare.Sync = nil
		for _, m := range allModels {
			if got, want := g.Consistent(m), encoded.Consistent(m); want && !got || got && !want && same {
				t.Fatalf("%v: consistent is %v, but not with updates: %+v", m, g.Consistent(m), g.Graph)
			}
			if len(g.Sync) == 0 {
				continue
			}
			if same {
				exact++
			}
			if g.Consistent(m) {
				with++
			} else if bare.Consistent(m) {
				without++
			}
		}
	})
	t.Logf("%d graphs with edges are consistent, %d only without, %d have to be the same", with, without, exact)
	if with == 0 || without == 0 || exact == 0 {
		t.Error("all the same")
	}
}

// encodeSync returns the graph with updates in place of Sync and of events that only order, and whether the two have to be the same: whether edges leave accesses only
// at the end of threads, and enter them at the beginning. Elsewhere the update is one more event that the graph has not.
func (g *Graph) encodeSync() (*Graph, bool) {
	c := &Graph{MO: map[uint64][]int{}}
	initial := func(l uint64) int {
		c.MO[l] = append(c.MO[l], c.put(Event{Thread: -1, Kind: Write, Loc: l}))
		return c.MO[l][0]
	}
	update := func(thread int, l uint64) int {
		c.put(Event{Thread: thread, Kind: Read, Loc: l, Order: cir.AcqRel, Exclusive: true})
		return c.put(Event{Thread: thread, Kind: Write, Loc: l, Order: cir.AcqRel, Exclusive: true})
	}
	to, ends, same := make([]int, len(g.Events)), make([][2]int, len(g.Sync)), true
	for i, e := range g.Events {
		for k, s := range g.Sync {
			if s[1] == i {
				ends[k][1] = update(e.Thread, uint64(2000+k))
				before := slices.ContainsFunc(g.Events[:i], func(x Event) bool { return x.Thread == e.Thread })
				same = same && (e.Kind == Other || !before)
			}
		}
		if e.Kind == Other {
			l := uint64(1000 + i)
			from := initial(l)
			to[i] = update(e.Thread, l)
			c.RF[to[i]-1], c.MO[l] = from, append(c.MO[l], to[i])
		} else {
			to[i] = c.put(e)
		}
		for k, s := range g.Sync {
			if s[0] == i {
				ends[k][0] = update(e.Thread, uint64(2000+k))
				after := slices.ContainsFunc(g.Events[i+1:], func(x Event) bool { return x.Thread == e.Thread })
				same = same && (e.Kind == Other || !after)
			}
		}
	}
	for i, w := range g.RF {
		if w >= 0 {
			c.RF[to[i]] = to[w]
		}
	}
	for l, writes := range g.MO {
		for _, i := range writes {
			c.MO[l] = append(c.MO[l], to[i])
		}
	}
	for k, e := range ends {
		l := uint64(2000 + k)
		c.RF[e[0]-1], c.RF[e[1]-1] = initial(l), e[0]
		c.MO[l] = append(c.MO[l], e[0], e[1])
	}
	return c, same
}

// adder makes graphs by hand.
type adder struct{ *Graph }

func (a adder) add(thread int, kind Kind, loc uint64, order cir.Order, from int) int {
	i := a.put(Event{Thread: thread, Kind: kind, Loc: loc, Order: order})
	if a.RF[i] = from; kind == Write {
		a.MO[loc] = append(a.MO[loc], i)
	}
	return i
}

// TestThreads has a thread that is created after a seq_cst write, or waited for, and another thread that comes to know of that: only if it acquires what
// the new thread, or the one that has waited, releases, the write is before its seq_cst read by psc, and there is a cycle.
func TestThreads(t *testing.T) {
	for _, created := range []bool{false, true} {
		for _, o := range []cir.Order{cir.Relaxed, cir.Acquire} {
			g := adder{&Graph{MO: map[uint64][]int{}}}
			x, y := g.add(-1, Write, 0, cir.Plain, -1), g.add(-1, Write, 1, cir.Plain, -1)
			last := g.add(0, Write, 0, cir.SeqCst, -1)
			var flag int
			if created {
				last = g.add(0, Other, 0, cir.Plain, -1)
				flag = g.add(1, Write, 0, cir.Release, -1)
				g.Sync = [][2]int{{last, flag}}
			} else {
				g.Sync = [][2]int{{last, g.add(1, Other, 0, cir.Plain, -1)}}
				flag = g.add(1, Write, 2, cir.Release, -1)
			}
			g.add(2, Read, g.Events[flag].Loc, o, flag)
			g.add(2, Read, 1, cir.SeqCst, y)
			g.add(3, Write, 1, cir.SeqCst, -1)
			g.add(3, Read, 0, cir.SeqCst, x)
			if err := g.Check(); err != nil {
				t.Fatal(err)
			}
			violations := g.Violations(RC11)
			if forbidden := o == cir.Acquire; g.Consistent(RC11) == forbidden || forbidden != (len(violations) == 1 && violations[0].Axiom == "psc") {
				t.Errorf("%v: consistent is %v, violations are %v", o, g.Consistent(RC11), violations)
			}
		}
	}
}

// TestFull has store buffering with something between write and read that may be a full fence on TSO and PSO, and never is one in RC11.
func TestFull(t *testing.T) {
	for name, c := range map[string]struct {
		between Event
		full    bool
	}{
		"read":                {Event{Kind: Read, Loc: 2, Order: cir.Relaxed}, false},
		"failed exchange":     {Event{Kind: Read, Loc: 2, Order: cir.Relaxed, Full: true}, true},
		"creation of threads": {Event{Kind: Other}, true},
		"release fence":       {Event{Kind: Fence, Order: cir.Release}, false},
	} {
		g := adder{&Graph{MO: map[uint64][]int{}}}
		for l := range uint64(3) {
			g.add(-1, Write, l, cir.Plain, -1)
		}
		for t := range 2 {
			g.add(t, Write, uint64(t), cir.Relaxed, -1)
			c.between.Thread = t
			if i := g.put(c.between); c.between.Kind == Read {
				g.RF[i] = 2
			}
			g.add(t, Read, uint64(1-t), cir.Relaxed, 1-t)
		}
		for m, want := range map[Model]bool{SC: false, TSO: !c.full, PSO: !c.full, RC11: true} {
			if got := g.Consistent(m); got != want || want != (g.Violations(m) == nil) {
				t.Errorf("%s under %v: consistent is %v, violations are %v", name, m, got, g.Violations(m))
			}
		}
	}
}

// TestCheck breaks graphs.
func TestCheck(t *testing.T) {
	sound := func() *Graph { // initial, 1 read of an update, 2 its write, 3 read of that, 4 other
		return &Graph{Events: []Event{
			{Thread: -1, Kind: Write, Loc: 7},
			{Thread: 0, Kind: Read, Loc: 7, Order: rlx, Exclusive: true},
			{Thread: 0, Kind: Write, Loc: 7, Order: rlx, Exclusive: true},
			{Thread: 1, Kind: Read, Loc: 7, Order: acq},
			{Thread: 0, Kind: Other},
		}, RF: []int{-1, 0, -1, 2, -1}, MO: map[uint64][]int{7: {0, 2}}, Sync: [][2]int{{4, 3}}}
	}
	if err := sound().Check(); err != nil {
		t.Fatal(err)
	}
	for name, breaks := range map[string]func(*Graph){
		"short rf":              func(g *Graph) { g.RF = g.RF[:4] },
		"rf out of range":       func(g *Graph) { g.RF[3] = 5 },
		"rf of a read":          func(g *Graph) { g.RF[3] = 1 },
		"rf elsewhere":          func(g *Graph) { g.Events[3].Loc = 8 },
		"a write reads":         func(g *Graph) { g.RF[2] = 0 },
		"initial atomic":        func(g *Graph) { g.Events[0].Order = rlx },
		"initial read":          func(g *Graph) { g.Events[3].Thread = -1 },
		"second half alone":     func(g *Graph) { g.Events[1].Exclusive = false },
		"first half alone":      func(g *Graph) { g.Events[2].Exclusive = false },
		"halves apart":          func(g *Graph) { g.Events[3].Thread, g.Events[2], g.Events[3] = 0, g.Events[3], g.Events[2] },
		"exclusive fence":       func(g *Graph) { g.Events[4].Kind, g.Events[4].Exclusive = Fence, true },
		"mo misses one":         func(g *Graph) { g.MO[7] = g.MO[7][:1] },
		"mo twice":              func(g *Graph) { g.MO[7] = []int{0, 2, 2} },
		"mo with a read":        func(g *Graph) { g.MO[7] = []int{0, 2, 3} },
		"initial last":          func(g *Graph) { g.MO[7] = []int{2, 0} },
		"sync out of range":     func(g *Graph) { g.Sync[0][1] = 5 },
		"sync of itself":        func(g *Graph) { g.Sync[0][1] = 4 },
		"sync between accesses": func(g *Graph) { g.Sync[0][0] = 2 },
		"sync of initial":       func(g *Graph) { g.Sync[0][1] = 0 },
		"no kind":               func(g *Graph) { g.Events[4].Kind = 4 },
	} {
		g := sound()
		if breaks(g); g.Check() == nil {
			t.Errorf("%s: nothing wrong", name)
		}
	}
}

func TestModels(t *testing.T) {
	for _, m := range allModels {
		if got, err := ParseModel(m.String()); err != nil || got != m {
			t.Errorf("%v: %v, %v", m, got, err)
		}
	}
	if _, err := ParseModel("rc12"); err == nil {
		t.Error("rc12 is a model")
	}
}
