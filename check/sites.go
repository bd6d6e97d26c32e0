package check

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"comus/ir"
	"comus/logic"
)

// maxPoints bounds the points of all threads.
const maxPoints = 20_000

// site is a place where a thread stands while its moves are run symbolically: a point, or
// a location between a certain point and the ones after it.
type site struct {
	loc *ir.Loc
	at  *point                  // the point that the moves come from
	env map[*ir.Var]*logic.Term // the values of the thread's variables, and of those it wrote since the point
	// wrote has the shared variables that a move may have written on its way here.
	wrote     map[*ir.Var]bool
	into, out []*arc
}

// arc is an edge between two sites.
type arc struct {
	from  *site
	to    *site       // nil: an error, or a location that is no site
	loc   *ir.Loc     // where it leads to
	taken *logic.Term // whether the execution takes it
	conds []*logic.Term
	env   map[*ir.Var]*logic.Term // as of site, after it
	wrote map[*ir.Var]bool
}

// point is a location that a thread may be interrupted at.
type point struct {
	*site
	number  int // its place in orders.points
	last    int // that of the last point of its thread
	thread  int
	clock   *logic.Term
	inside  []*site     // the sites behind it up to the next points
	exits   []*arc      // the ends of its moves
	left    *logic.Term // whether a move is taken from here
	reads   map[*ir.Var]*logic.Term
	read    []*ir.Var // those of reads, in order
	after   bitset    // itself, and the points after it in its thread
	follows []*point  // points of other threads that it surely follows
	sure    bitset    // itself, and the points that are surely left before it, if it is
}

// write is a point whose moves may write a variable.
type write struct {
	*point
	v            *ir.Var
	wrote, value *logic.Term
	always       bool // whenever a move is taken from the point
}

// threadRun runs one thread.
type threadRun struct {
	o     *orders
	t     *ir.Thread
	place map[*ir.Loc]int // in an order in which control moves forward
	at    map[*ir.Loc]*point
	own   []*point
	live  map[*ir.Loc]map[*ir.Var]bool // by location of the program: variables whose values matter
}

// addThread finds the points and moves of a thread and runs them symbolically.
func (o *orders) addThread(t *ir.Thread) error {
	order, err := forward(t)
	if err != nil {
		return err
	}
	r := &threadRun{o: o, t: t, place: map[*ir.Loc]int{}, at: map[*ir.Loc]*point{}}
	for i, l := range order {
		r.place[l] = i
	}
	r.live = r.liveness()
	if !r.isPoint(t.Entry) {
		return errors.New("thread " + t.Name + " starts in an atomic section")
	}
	for _, loc := range order {
		if !r.isPoint(loc) {
			continue
		}
		pt := r.pointAt(loc)
		if len(pt.into) == 0 && loc != t.Entry {
			continue // it is not reached
		}
		r.own = append(r.own, pt)
		if len(o.points)+len(r.own) > maxPoints {
			return fmt.Errorf("there are more than %d places to interrupt threads at, with loops gone around as often as the certificate says", maxPoints)
		}
		r.meet(pt.site)
		r.runMoves(pt)
	}
	r.prune()
	r.control()
	o.points = append(o.points, r.own...)
	return nil
}

// forward orders the locations of a thread so that control moves forward only.
func forward(t *ir.Thread) ([]*ir.Loc, error) {
	missing := make([]int, len(t.Locs))
	var ready, order []*ir.Loc
	for _, l := range t.Locs {
		missing[l.Index] = len(l.In)
		if len(l.In) == 0 {
			ready = append(ready, l)
		}
	}
	for len(ready) > 0 {
		l := ready[0]
		ready, order = ready[1:], append(order, l)
		for _, e := range l.Out {
			if missing[e.To.Index]--; missing[e.To.Index] == 0 {
				ready = append(ready, e.To)
			}
		}
	}
	if len(order) < len(t.Locs) {
		return nil, errors.New("thread " + t.Name + " has a loop")
	}
	return order, nil
}

// isPoint reports whether a location of the unrolled thread is a point.
func (r *threadRun) isPoint(l *ir.Loc) bool {
	return !l.Error && r.o.stops(r.o.p.origin[l])
}

// stops reports whether a location of the program is a point where it is no error.
func (o *orders) stops(l *ir.Loc) bool {
	if o.cuts != nil {
		return o.cuts[l.Thread.Index][l.Index]
	}
	return !l.Atomic
}

func (r *threadRun) pointAt(l *ir.Loc) *point {
	if r.at[l] == nil {
		pt := &point{site: &site{loc: l}, thread: r.t.Index, reads: map[*ir.Var]*logic.Term{}}
		pt.at = pt
		r.at[l] = pt
	}
	return r.at[l]
}

// liveness returns the variables of the thread whose values at a location of the program
// matter: those that the thread may read before it writes them. To these come those that
// others look at, of which each write is to know the value.
func (r *threadRun) liveness() map[*ir.Loc]map[*ir.Var]bool {
	live := map[*ir.Loc]map[*ir.Var]bool{}
	locs := r.o.p.origin[r.t.Entry].Thread.Locs
	for _, l := range locs {
		live[l] = map[*ir.Var]bool{}
	}
	for changed := true; changed; {
		changed = false
		for _, l := range slices.Backward(locs) {
			size := len(live[l])
			for _, e := range l.Out {
				maps.Copy(live[l], r.needed(e, live[e.To]))
			}
			changed = changed || len(live[l]) > size
		}
	}
	return live
}

// needed returns the variables whose values matter before an edge.
func (r *threadRun) needed(e *ir.Edge, after map[*ir.Var]bool) map[*ir.Var]bool {
	set := maps.Clone(after)
	if set == nil {
		set = map[*ir.Var]bool{}
	}
	for _, c := range slices.Backward(e.Cmds) {
		if c.Kind != ir.Assume {
			delete(set, c.Var)
		}
		for _, t := range []*logic.Term{c.Cond, c.Expr} {
			if t == nil {
				continue
			}
			for _, s := range logic.FreeVars(t) {
				if v := r.o.tab[s]; v != nil && r.o.owns(r.t.Index, v) {
					set[v] = true
				}
			}
		}
	}
	return set
}

// meet computes the values of variables at a site that arcs lead to: a new symbol for each
// that has not the same value on all of them.
func (r *threadRun) meet(s *site) {
	s.env, s.wrote = map[*ir.Var]*logic.Term{}, map[*ir.Var]bool{}
	pt := s == s.at.site
	if len(s.into) == 0 {
		return // the entry: initial values
	}
	vars := map[*ir.Var]bool{}
	for _, a := range s.into {
		for v := range a.env {
			switch {
			case !r.o.owns(r.t.Index, v):
				vars[v] = vars[v] || !pt && a.wrote[v]
			case r.live[r.o.p.origin[s.loc]][v] || r.o.visible(r.t.Index, v):
				vars[v] = true
			}
		}
		if !pt {
			maps.Copy(s.wrote, a.wrote)
		}
	}
	for _, v := range inOrder(vars) {
		s.env[v] = r.join(s.into, v)
	}
}

// inOrder returns the variables of a set by their index.
func inOrder(set map[*ir.Var]bool) []*ir.Var {
	var vars []*ir.Var
	for v, in := range set {
		if in {
			vars = append(vars, v)
		}
	}
	slices.SortFunc(vars, func(a, b *ir.Var) int { return a.Index - b.Index })
	return vars
}

// join returns the value of v after one of some arcs.
func (r *threadRun) join(arcs []*arc, v *ir.Var) *logic.Term {
	value := r.current(arcs[0].env, arcs[0].from.at, v)
	for _, a := range arcs[1:] {
		if r.current(a.env, a.from.at, v) != value {
			value = nil
			break
		}
	}
	if value != nil {
		return value
	}
	value = r.o.l.FreshVar(v.Name, logic.Int)
	for _, a := range arcs {
		r.o.imply([]*logic.Term{a.taken}, r.o.l.Eq(value, r.current(a.env, a.from.at, v)))
	}
	return value
}

// current returns the value of v where env is known, after a move from pt has begun. What is
// read has the value that was written, and no range of its own.
func (r *threadRun) current(env map[*ir.Var]*logic.Term, pt *point, v *ir.Var) *logic.Term {
	if t := env[v]; t != nil {
		return t
	}
	if r.o.owns(r.t.Index, v) {
		return r.o.initial[v]
	}
	if pt.reads[v] == nil {
		pt.reads[v] = r.o.l.FreshVar(v.Name, logic.Int)
		pt.read = append(pt.read, v)
	}
	return pt.reads[v]
}

// runMoves runs the edges from a point up to the next points.
func (r *threadRun) runMoves(pt *point) {
	inner := map[*ir.Loc]*site{}
	var todo []*site
	next := pt.site
	for next != nil {
		for _, e := range next.loc.Out {
			a := &arc{from: next, loc: e.To, env: maps.Clone(next.env), wrote: next.wrote}
			if !r.run(a, e) {
				continue
			}
			switch {
			case e.To.Error:
			case r.isPoint(e.To):
				a.to = r.pointAt(e.To).site
			default:
				if inner[e.To] == nil {
					inner[e.To] = &site{loc: e.To, at: pt}
					todo = append(todo, inner[e.To])
				}
				a.to = inner[e.To]
			}
			a.taken = r.o.l.FreshVar("taken", logic.Bool)
			next.out = append(next.out, a)
			if a.to != nil {
				a.to.into = append(a.to.into, a)
			}
		}
		if next != pt.site {
			pt.inside = append(pt.inside, next)
		}
		if next = nil; len(todo) > 0 {
			first := slices.MinFunc(todo, func(a, b *site) int { return r.place[a.loc] - r.place[b.loc] })
			todo = slices.DeleteFunc(todo, func(s *site) bool { return s == first })
			r.meet(first)
			next = first
		}
	}
}

// run executes an edge symbolically. It returns false if the edge cannot be taken.
func (r *threadRun) run(a *arc, e *ir.Edge) bool {
	for _, c := range e.Cmds {
		switch c.Kind {
		case ir.Assume:
			cond := r.value(a, c.Cond)
			if cond.IsFalse() {
				return false
			}
			a.conds = append(a.conds, logic.Conjuncts(cond)...)
		case ir.Assign:
			a.set(r.o, c.Var, r.value(a, c.Expr))
		case ir.Havoc:
			a.set(r.o, c.Var, r.o.any(c.Var))
		}
	}
	return !r.o.l.And(a.conds...).IsFalse()
}

func (a *arc) set(o *orders, v *ir.Var, t *logic.Term) {
	a.env[v] = t
	if o.visible(a.from.at.thread, v) && !a.wrote[v] {
		a.wrote = maps.Clone(a.wrote)
		a.wrote[v] = true
	}
}

// value returns a term with the variables' values at this place of a move.
func (r *threadRun) value(a *arc, t *logic.Term) *logic.Term {
	sub := map[*logic.Term]*logic.Term{}
	for _, s := range logic.FreeVars(t) {
		v := r.o.tab[s]
		if v == nil {
			panic("a symbol that is no variable: " + s.Name())
		}
		sub[s] = r.current(a.env, a.from.at, v)
	}
	return r.o.l.Subst(t, sub)
}

// prune drops what leads neither to an error nor to a write that somebody reads: a thread
// may as well stop before.
func (r *threadRun) prune() {
	useful := map[*site]bool{}
	keep := func(s *site) {
		s.out = slices.DeleteFunc(s.out, func(a *arc) bool {
			switch {
			case a.loc.Error:
				return false
			case a.to == nil:
				return true
			}
			return !useful[a.to] && !(a.to == a.to.at.site && len(a.wrote) > 0)
		})
		useful[s] = len(s.out) > 0
	}
	for _, pt := range slices.Backward(r.own) {
		for _, s := range slices.Backward(pt.inside) {
			keep(s)
		}
		keep(pt.site)
	}
	for _, pt := range r.own {
		pt.into = nil
		for _, s := range pt.inside {
			s.into = nil
		}
	}
	r.own = slices.DeleteFunc(r.own, func(pt *point) bool { return !useful[pt.site] })
	for _, pt := range r.own {
		pt.inside = slices.DeleteFunc(pt.inside, func(s *site) bool { return !useful[s] })
		for _, s := range append([]*site{pt.site}, pt.inside...) {
			for _, a := range s.out {
				if a.to != nil {
					a.to.into = append(a.to.into, a)
				}
				if a.to == nil || a.to == a.to.at.site {
					pt.exits = append(pt.exits, a)
				}
			}
		}
	}
}
