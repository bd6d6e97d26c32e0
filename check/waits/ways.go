package waits

import (
	"cmp"
	"context"
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// ways is what is known of where control can get to.
type ways struct {
	*program
	returns map[pointsto.Copy]bool
	stops   map[pointsto.Copy]bool // it may end its thread, or the program
}

// findWays finds, by the code, which functions may return, or end their threads, and which blocks have no way out.
func findWays(p *program) error {
	w := &ways{p, map[pointsto.Copy]bool{}, map[pointsto.Copy]bool{}}
	for changed := true; changed; {
		changed = false
		for _, c := range p.runs {
			if err := p.ctx.Err(); err != nil {
				return err
			}
			ends, stops := w.from(c, c.Func.Blocks[0])
			if ends && !w.returns[c] {
				w.returns[c], changed = true, true
			}
			if stops && !w.stops[c] {
				w.stops[c], changed = true, true
			}
		}
	}
	p.returns, p.endless = w.returns, map[pointsto.Copy]map[*cir.Block]bool{}
	for _, c := range p.runs {
		p.endless[c] = w.endlessIn(c)
	}
	return nil
}

// passes reports whether control may get to the end of a block, and whether the thread may end in it.
func (w *ways) passes(c pointsto.Copy, b *cir.Block) (through, stops bool) {
	for _, in := range b.Instrs {
		switch in := in.(type) {
		case *cir.Intrinsic:
			if in.Op == cir.ThreadExit || in.Op == cir.Stop || in.Op == cir.Trap {
				return false, true
			}
		case *cir.Call:
			x, err := w.callees(c, in)
			switch {
			case err != nil:
				return false, stops
			case len(x.known) > 0:
				continue
			}
			goes := (x.outside || len(x.to) == 0) && in.Returns
			stops = stops || x.outside && !in.Returns
			for _, y := range x.to {
				goes = goes || w.returns[y]
				stops = stops || w.stops[y]
			}
			if !goes {
				return false, stops
			}
		}
	}
	return true, stops
}

// from reports whether control may return from a block on, or the thread may end.
func (w *ways) from(c pointsto.Copy, b *cir.Block) (returns, stops bool) {
	seen := map[*cir.Block]bool{b: true}
	for work := []*cir.Block{b}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !w.pts.Comes(c.Func, b) {
			continue
		}
		through, ends := w.passes(c, b)
		stops = stops || ends
		if !through {
			continue
		}
		switch b.Term.(type) {
		case *cir.Return:
			returns = true
		case *cir.Unreachable:
			stops = true
		}
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			if !seen[to] && w.pts.Goes(c.Func, b, to) {
				seen[to] = true
				work = append(work, to)
			}
		})
	}
	return returns, stops
}

// endlessIn returns the blocks of a copy that have no way out by the code: who gets there runs in a loop for ever.
func (w *ways) endlessIn(c pointsto.Copy) map[*cir.Block]bool {
	out := map[*cir.Block]bool{}
	for _, b := range c.Func.Blocks {
		if returns, stops := w.from(c, b); !returns && !stops && w.pts.Comes(c.Func, b) {
			out[b] = true
		}
	}
	return out
}

// first returns the first instruction of a block.
func first(b *cir.Block) cir.Located {
	if len(b.Instrs) > 0 {
		return b.Instrs[0]
	}
	return b.Term
}

// Edge says that a thread may owe an element where it waits for another one.
type Edge struct {
	Owed, Awaited Element
	At            *cir.Site
}

// Waits are what threads may owe where they wait.
type Waits struct {
	// Elements are all that is waited for, in a fixed order; Edges what has to stand before what.
	Elements []Element
	Edges    []Edge
	// Assumptions are the sentences that this rests on, sorted.
	Assumptions []string

	edges map[[2]Element]bool
	sets  *sets
}

// Name names an element for people.
func (w *Waits) Name(e Element) string { return w.sets.name(e) }

func (w *Waits) edge(owed, awaited Element, at *cir.Site) {
	key := [2]Element{owed, awaited}
	if !w.edges[key] {
		w.edges[key] = true
		w.Edges = append(w.Edges, Edge{owed, awaited, at})
	}
}

// AssumeGives is what is taken for granted of threads that run for ever.
const AssumeGives = "a thread that runs for ever gives others what they wait for, if its code can give it"

// Find finds out what threads may owe where they wait, of a program of which pointsto.AnalyseOpen found pts. The error says what is not understood, or is that of the context.
func Find(ctx context.Context, prog *cir.Program, pts *pointsto.Result) (*Waits, error) {
	p, err := newProgram(ctx, prog, pts)
	if err != nil {
		return nil, err
	}
	if err := findWays(p); err != nil {
		return nil, err
	}
	if err := p.harmless(); err != nil {
		return nil, err
	}
	h := &holding{program: p, sets: newSets()}
	if err := h.analyse(); err != nil {
		return nil, err
	}
	w := &Waits{edges: map[[2]Element]bool{}, sets: h.sets}
	f := &finder{h: h, w: w, conditions: map[int]*condition{}, awaited: map[callIn][]Element{}, order: map[Element]directions{}}
	if f.writes, err = f.allWrites(); err != nil {
		return nil, err
	}
	h.visit, h.steady, h.indexed = f.visit, f.steady, f.indexed
	for _, c := range p.runs {
		if h.copy(c); h.err == nil {
			h.err = ctx.Err()
		}
		if h.err != nil {
			return nil, h.err
		}
	}
	if err := f.begins(); err != nil {
		return nil, err
	}
	if err := f.written(); err != nil {
		return nil, err
	}
	if err := f.barriers(); err != nil {
		return nil, err
	}
	if err := f.flagged(); err != nil {
		return nil, err
	}
	w.finish()
	w.Assumptions = p.assumptions()
	return w, nil
}

// finish puts what was found in order.
func (w *Waits) finish() {
	seen := map[Element]bool{}
	for _, e := range w.Edges {
		for _, x := range []Element{e.Owed, e.Awaited} {
			if !seen[x] {
				seen[x] = true
				w.Elements = append(w.Elements, x)
			}
		}
	}
	slices.SortFunc(w.Elements, compare)
	slices.SortStableFunc(w.Edges, func(x, y Edge) int { return cmp.Or(compare(x.Owed, y.Owed), compare(x.Awaited, y.Awaited)) })
}

// sorted returns the elements of a map in order.
func (w *Waits) sorted(m map[Element]pointsto.Location) (list []Element) {
	for e := range m {
		list = append(list, e)
	}
	slices.SortFunc(list, compare)
	return list
}

// finder finds the edges.
type finder struct {
	h          *holding
	w          *Waits
	conditions map[int]*condition // by their sets
	awaited    map[callIn][]Element
	writes     map[*pointsto.Object][]write
	meetings   []meeting
	threads    *history // where main may have created one
	// order has, of elements of which threads hold several locks, in which orders of their addresses that may be.
	order map[Element]directions
}

// visit notes what is owed at an operation that waits.
func (f *finder) visit(c pointsto.Copy, in *cir.Call, op *operation, held map[hold]bool, vs values) error {
	var awaited []Element
	var n name
	own := false
	switch op.does {
	case takes, onceOnly, dozes:
		set, of, err := f.h.lockOf(c, in, op, vs)
		if err != nil {
			return err
		}
		awaited, n = f.h.sets.list[set], of
	case sleeps:
		set, _, err := f.h.lockOf(c, in, op, vs)
		if err != nil {
			return err
		}
		e, err := f.sleeper(c, in, op, vs)
		if err != nil {
			return err
		}
		awaited = append(slices.Clone(f.h.sets.list[set]), e)
	case meets:
		set, err := f.h.sets.of(f.h.program, c, in, in.Args[op.cond].X)
		if err != nil {
			return err
		}
		if !f.h.sets.exact(set) {
			return fail(in, "which barrier this is is not known")
		}
		if !f.isMeeting(callIn{c, in}) {
			f.meetings = append(f.meetings, meeting{callIn{c, in}, set})
		}
		awaited = []Element{f.barrier(set)}
	case joins:
		var err error
		if awaited, err = f.joined(c, in); err != nil {
			return err
		}
		own = f.ownChild(c, in)
	default:
		return nil
	}
	f.awaited[callIn{c, in}] = awaited
	for _, a := range awaited {
		for k := range held {
			for _, e := range f.h.sets.list[k.set] {
				if e != a || op.does != takes {
					f.w.edge(e, a, in.Site)
				} else if err := f.within(c, in, e, k.name, n); err != nil {
					return err
				}
			}
		}
		for _, k := range f.h.runners[c] {
			if !own || k.element != a {
				f.w.edge(k.element, a, in.Site)
			}
		}
	}
	return nil
}

// within is about two locks of one element, of which one may be held where the other one is awaited: there is no edge as long as all such locks are taken in the same order of their addresses.
func (f *finder) within(c pointsto.Copy, in *cir.Call, e Element, held, awaited name) error {
	dirs, err := f.h.between(c, in, held, awaited, e)
	if err != nil {
		return err
	}
	if old, known := f.order[e]; known {
		dirs &= old
	}
	if f.order[e] = dirs; dirs == 0 {
		f.w.edge(e, e, in.Site)
	}
	return nil
}

// joined returns the threads that a call may join.
func (f *finder) joined(c pointsto.Copy, in *cir.Call) (list []Element, err error) {
	for _, l := range f.h.pts.Places(c.Func, c.Ctx, in.Args[0].X) {
		switch {
		case isSingle(l.Obj):
		case isFirst(l.Obj):
			list = append(list, Element{Kind: Thread})
		case isThread(l.Obj) && l.Off == 0:
			list = append(list, Element{Kind: Thread, Object: l.Obj.ID})
		default:
			return nil, fail(in, "which thread is joined is not known")
		}
	}
	if len(list) == 0 {
		return nil, fail(in, "which thread is joined is not known")
	}
	return list, nil
}

// ownChild reports whether a thread that is joined is one that the joining thread has created itself: its id is in a local that no other thread has the address of, and that nothing but the creation of
// threads writes. So of threads of one class that join each other, each was created by the one that joins it, and there is no circle of them.
func (f *finder) ownChild(c pointsto.Copy, in *cir.Call) bool {
	r, ok := in.Args[0].X.(*cir.Reg)
	if !ok {
		return false
	}
	load, ok := f.h.function(c.Func).defs[r.Index].(*cir.Load)
	if !ok {
		return false
	}
	places := f.h.pts.Places(c.Func, c.Ctx, load.Addr)
	for _, l := range places {
		if l.Obj.Local == nil || l.Obj.Escaped {
			return false
		}
		for _, w := range f.writes[l.Obj] {
			if w.whole || !w.zeros && !(w.by.Func.Library && w.by.Func.Source == "__comus_thread_begin") {
				return false
			}
		}
	}
	return len(places) > 0
}

// begins returns an error if main's thread may hold something when main begins, or what is called at the program's end.
func (f *finder) begins() error {
	for _, k := range f.h.classes {
		for _, r := range k.roots {
			if len(f.h.entry[r]) > 0 {
				return &Error{nil, "a function that threads begin with is called, too, while a lock is held"}
			}
			if s := f.h.exit[r]; s != nil && len(s.got) > 0 && r.Func != f.h.prog.Entry {
				return &Error{nil, "'" + r.Func.Source + "' may return while it holds a lock"}
			}
		}
	}
	return nil
}
