package linear

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"comus/cutpoints"
	"comus/envmove/locpairs"
	"comus/ir"
	"comus/logic"
)

// Limits of the search: the demands traced or found implied for all assertions
// together, which takes about two seconds, those for one in a quick search, or with
// strong demands, and those kept for one.
const (
	maxSteps   = 600_000
	maxQuick   = 4_000
	maxStrong  = 20_000
	maxDemands = 50_000
)

// analysis is the search for one main thread.
type analysis struct {
	p      *ir.Program
	graphs []*cutpoints.Graph
	known  *locpairs.Facts
	tab    ir.SymTable
	main   int
	blocks [][]*block     // by thread; nil until they are needed
	writes []map[int]bool // by thread: the variables it writes, by Var.Index
	steps  int
	quick  bool
	// strong has demands replaced by stronger ones, which are easier to trace: see
	// split, and block.back.
	strong bool
	// bounds has the lower bounds asked for, excluded the pairs of places that ended a
	// trace that was of use.
	bounds   map[bound]end
	noting   bool
	excluded map[[2]locpairs.Place]bool
}

// block is a block of a thread with the values it assigns, by Var.Index.
type block struct {
	block    *cutpoints.Block
	from, to int32
	effect   map[int]affine
	given    unknowns                // in effect
	guards   map[int][2]end          // the ends of variables, where conditions narrow them
	passes   map[locpairs.Place]bool // whether it can be taken with another thread there
	waits    map[int]wait            // by another thread, see beside
}

// wait says where another thread can be when a block is taken.
type wait struct {
	locs []int32
	all  bool
}

func newBlock(b *cutpoints.Block, effect map[int]affine, given unknowns) *block {
	return &block{b, int32(b.From.Index), int32(b.To.Index), effect, given, map[int][2]end{}, map[locpairs.Place]bool{}, map[int]wait{}}
}

// bound names the lower bound of a variable: of a shared one anywhere, of a local one
// while its thread is at a location.
type bound struct {
	v   int
	loc int32
}

// Analyze looks for facts with which no block of thread main leads into an error
// location. It returns those it found, for some assertions perhaps, together with
// what the checker needs to prove them beside known. A quick search finds those that are
// easy to find.
func Analyze(ctx context.Context, p *ir.Program, graphs []*cutpoints.Graph, known *locpairs.Facts, main int, quick bool) []locpairs.Fact {
	a := &analysis{p: p, graphs: graphs, known: known, tab: p.Symbols(), main: main, quick: quick,
		bounds: map[bound]end{}, excluded: map[[2]locpairs.Place]bool{}}
	var kept, goals []*demand
	graphs[main].Blocks(func(b *cutpoints.Block) {
		if !b.To.Error || !known.Values(main, b.From.Index).Run(b.Cmds()...) {
			return
		}
		for _, a.strong = range []bool{false, true} {
			for _, ds := range a.targets(b) {
				if found := a.trace(ctx, ds); found != nil {
					kept, goals = append(kept, found...), append(goals, ds...)
					return
				}
			}
		}
	})
	if len(kept) == 0 {
		return nil
	}
	return append(a.facts(kept), a.goals(goals)...)
}

// targets returns the ways to show that a block into an error location cannot be
// taken: each is a list of demands about its source. The last conditions of the block
// come first, for these are the assertion.
func (a *analysis) targets(b *cutpoints.Block) [][]*demand {
	a.prepare()
	x := &evaluator{p: a.p, tab: a.tab, vals: a.known.Values(a.main, b.From.Index), env: map[int]affine{}}
	var out [][]*demand
	for i, c := range b.Cmds() {
		if c.Kind == ir.Assume {
			// The block as far as here, for what it waits for.
			last := &cutpoints.Block{From: b.From, To: b.To}
			last.Simplify(b.Cmds()[:i])
			for _, cond := range logic.Conjuncts(c.Cond) {
				var all []*demand
				for _, d := range a.refute(x, b, cond) {
					all = append(all, a.split(a.main, newBlock(last, nil, nil), d)...)
				}
				if all != nil {
					out = append(out, all)
				}
			}
		}
		if !x.run(c) {
			return nil
		}
	}
	slices.Reverse(out)
	return out
}

// refute returns the demands that a condition is false, or nil.
func (a *analysis) refute(x *evaluator, b *cutpoints.Block, cond *logic.Term) []*demand {
	l := a.p.L
	var out []*demand
	for _, alt := range logic.Disjuncts(cond) {
		// alt is false if sum ≤ k is, for each sum ≤ k of atoms.
		var atoms []*logic.Term
		switch {
		case alt.Op() == logic.OpLe:
			atoms = []*logic.Term{alt}
		case alt.Op() == logic.OpNot && alt.Args()[0].Op() == logic.OpEq && alt.Args()[0].Args()[0].Sort() == logic.Int:
			eq := alt.Args()[0].Args()
			atoms = []*logic.Term{l.Lt(eq[0], eq[1]), l.Lt(eq[1], eq[0])}
		case alt.Op() == logic.OpEq && alt.Args()[0].Sort() == logic.Int:
			atoms = x.endpoint(l, alt.Args()[0], alt.Args()[1])
		}
		for _, atom := range atoms {
			if atom.Op() != logic.OpLe {
				return nil
			}
			d := a.not(x, b, atom)
			if d == nil {
				return nil
			}
			out = append(out, d)
		}
		if len(atoms) == 0 {
			return nil
		}
	}
	return out
}

// not returns the demand that an inequality t ≤ k is false.
func (a *analysis) not(x *evaluator, b *cutpoints.Block, le *logic.Term) *demand {
	sum := x.eval(le.Args()[0])
	v, ok := le.Args()[1].Const()
	k := small(&v)
	if !ok || !k.known {
		return nil
	}
	zero := end{0, true}
	neg, ok := affine{lo: zero, hi: zero}.plus(-1, sum) // has to be at most -k-1
	if !ok {
		return nil
	}
	f, bound, ok := x.given.most(neg, -k.at-1)
	if !ok || len(f) == 0 && bound < 0 {
		return nil
	}
	d := &demand{at: make([]int32, len(a.p.Threads)), form: slices.Clone(f), bound: bound}
	for i := range d.at {
		d.at[i] = none
	}
	d.at[a.main] = int32(b.From.Index)
	d.tighten()
	return d
}

// trace traces demands backwards until nothing new comes. It returns them with all
// that they rest on, or nil if they do not hold, or not as far as can be seen here.
func (a *analysis) trace(ctx context.Context, start []*demand) []*demand {
	s := &store{a: a, byPlace: map[uint64][]*demand{}}
	var work []*demand
	last := min(a.steps+a.limit(), maxSteps)
	meet := func(d *demand) bool {
		a.steps++
		if a.steps > last || s.size > maxDemands || a.places(d) > maxPlaces || a.steps%1000 == 0 && ctx.Err() != nil {
			return false
		}
		if len(d.form) == 0 && d.bound >= 0 || s.implied(d) != nil {
			return true
		}
		s.add(d)
		work = append(work, d)
		return a.holdsInitially(d)
	}
	for _, d := range start {
		if !meet(d) {
			return nil
		}
	}
	for len(work) > 0 {
		d := work[0]
		work = work[1:]
		if s.has(d) && !a.before(d, meet) {
			return nil
		}
	}
	return a.collect(s, start)
}

// limit returns how many demands may be traced for an assertion.
func (a *analysis) limit() int {
	switch {
	case a.quick:
		return maxQuick
	case a.strong:
		return maxStrong
	}
	return maxSteps
}

// collect returns the demands of a store that others rest on, from start on.
func (a *analysis) collect(s *store, start []*demand) []*demand {
	var out []*demand
	seen := map[*demand]bool{}
	need := func(d *demand) bool {
		if len(d.form) == 0 && d.bound >= 0 {
			return true
		}
		e := s.implied(d)
		if !seen[e] {
			seen[e] = true
			out = append(out, e)
		}
		return true
	}
	a.noting = true
	defer func() { a.noting = false }()
	for _, d := range start {
		need(d)
	}
	for i := 0; i < len(out); i++ {
		a.before(out[i], need)
	}
	return out
}

// places counts the threads of a demand.
func (a *analysis) places(d *demand) int {
	n := 0
	for _, x := range d.at {
		if x != none {
			n++
		}
	}
	return n
}

// holdsInitially reports whether the initial state satisfies a demand.
func (a *analysis) holdsInitially(d *demand) bool {
	for t, x := range d.at {
		if x != none && int(x) != a.p.Threads[t].Entry.Index {
			return true
		}
	}
	sum := end{0, true}
	for _, t := range d.form {
		v := a.p.Vars[t.v]
		val := v.Init
		if val == nil {
			lo, hi := v.Type.Range()
			if val = &hi; t.c < 0 {
				val = &lo
			}
		}
		sum = sum.add(small(val).times(t.c))
	}
	return sum.known && sum.at <= d.bound
}

// prepare reads the blocks.
func (a *analysis) prepare() {
	if a.blocks != nil {
		return
	}
	a.blocks = make([][]*block, len(a.graphs))
	a.writes = make([]map[int]bool, len(a.graphs))
	for t, g := range a.graphs {
		a.writes[t] = map[int]bool{}
		g.Blocks(func(b *cutpoints.Block) {
			if b.To.Error {
				return
			}
			x := &evaluator{p: a.p, tab: a.tab, vals: a.known.Values(t, b.From.Index), env: map[int]affine{}}
			for _, c := range b.Cmds() {
				if !x.run(c) {
					return // cannot be taken
				}
			}
			nb := newBlock(b, x.env, x.given)
			a.guard(nb, t, x.vals)
			a.blocks[t] = append(a.blocks[t], nb)
			for v := range x.env {
				a.writes[t][v] = true
			}
		})
	}
}

// guard notes the ends of the variables that a block's conditions narrow; vals has their
// values after it.
func (a *analysis) guard(b *block, t int, vals *locpairs.Values) {
	before := a.known.Values(t, int(b.from))
	for _, c := range b.block.Cmds() {
		if c.Kind != ir.Assume {
			continue
		}
		for _, s := range logic.FreeVars(c.Cond) {
			v := a.tab[s]
			if v == nil {
				continue
			}
			if _, assigned := b.effect[v.Index]; assigned {
				continue
			}
			lo, hi := before.Bounds(s)
			newLo, newHi := vals.Bounds(s)
			least, most := v.Type.Range()
			narrow := [2]end{}
			if e := small(newLo); e != small(lo) && e != small(&least) {
				narrow[0] = e
			}
			if e := small(newHi); e != small(hi) && e != small(&most) {
				narrow[1] = e
			}
			if narrow[0].known || narrow[1].known {
				b.guards[v.Index] = narrow
			}
		}
	}
}

// least returns a lower bound of a variable while threads are where at says.
func (a *analysis) least(v int, at []int32) end {
	x := a.p.Vars[v]
	b := bound{v, none}
	if x.Thread != ir.Shared {
		b.loc = at[x.Thread]
	}
	lo, ok := a.bounds[b]
	if ok {
		return lo
	}
	switch {
	case x.Thread == ir.Shared:
		lo = small(a.known.Least(x))
	case b.loc != none:
		at, _ := a.known.Values(x.Thread, int(b.loc)).Bounds(x.Sym)
		lo = small(at)
	}
	a.bounds[b] = lo
	return lo
}

// facts words demands, and what they rest on.
func (a *analysis) facts(ds []*demand) []locpairs.Fact {
	l := a.p.L
	var out []locpairs.Fact
	for _, d := range ds {
		out = append(out, a.fact(d))
	}
	for _, b := range slices.SortedFunc(maps.Keys(a.bounds), func(x, y bound) int {
		return cmp.Or(cmp.Compare(x.v, y.v), cmp.Compare(x.loc, y.loc))
	}) {
		v := a.p.Vars[b.v]
		lo, _ := v.Type.Range()
		if e := a.bounds[b]; !e.known || small(&lo) == e {
			continue
		}
		x := locpairs.Fact{Holds: l.Le(l.Int(a.bounds[b].at), v.Sym)}
		if b.loc != none {
			x.At = []locpairs.Place{{Thread: v.Thread, Loc: int(b.loc)}}
		}
		out = append(out, x)
	}
	var pairs []locpairs.Fact
	for x := range a.excluded {
		pairs = append(pairs, locpairs.Fact{At: x[:], Holds: l.False()})
	}
	slices.SortFunc(pairs, func(x, y locpairs.Fact) int {
		return cmp.Or(cmp.Compare(x.At[0].Thread, y.At[0].Thread), cmp.Compare(x.At[0].Loc, y.At[0].Loc),
			cmp.Compare(x.At[1].Thread, y.At[1].Thread), cmp.Compare(x.At[1].Loc, y.At[1].Loc))
	})
	return append(out, pairs...)
}

// goals words the demands that assertions hold, for the level of the main thread.
func (a *analysis) goals(ds []*demand) []locpairs.Fact {
	var out []locpairs.Fact
	for _, d := range ds {
		f := a.fact(d)
		f.Goal = true
		out = append(out, f)
	}
	return out
}

// fact words a demand.
func (a *analysis) fact(d *demand) locpairs.Fact {
	l := a.p.L
	sum := l.Int(0)
	for _, t := range d.form {
		sum = l.Add(sum, l.Mul(l.Int(t.c), a.p.Vars[t.v].Sym))
	}
	f := locpairs.Fact{Holds: l.Le(sum, l.Int(d.bound))}
	for t, x := range d.at {
		if x != none {
			f.At = append(f.At, locpairs.Place{Thread: t, Loc: int(x)})
		}
	}
	return f
}
