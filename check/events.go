package check

import (
	"fmt"
	"slices"

	"comus/cir"
	"comus/ir"
	"comus/logic"
	"comus/memory"
)

// happening is an event of a memory model.
type happening struct {
	number    int
	kind      memory.Kind
	order     cir.Order
	full      bool // empties store buffers
	exclusive bool
	half      *happening // of a read-modify-write, the other half
	role      ir.EdgeKind
	other     int // the thread that is created or waited for
	thread    int // -1: an initial write
	v         *ir.Var
	value     *logic.Term
	when      *logic.Term // whether it happens
	on        *ir.Edge
	place     int // among those of its edge
}

// axiomThread runs a thread symbolically, edge by edge.
type axiomThread struct {
	a      *axioms
	t      *ir.Thread
	order  []*ir.Loc
	index  map[*ir.Loc]int
	reach  []bitset // by place in order: the locations that a location leads to, itself included
	taken  map[*ir.Edge]*logic.Term
	env    map[*ir.Loc]map[*ir.Var]*logic.Term
	after  map[*ir.Edge]map[*ir.Var]*logic.Term
	live   map[*ir.Loc]map[*ir.Var]bool // by location of the program
	events []*happening
}

// runThread finds the events of a thread and constrains what it does by itself.
func (a *axioms) runThread(t *ir.Thread) (*axiomThread, error) {
	r := &axiomThread{a: a, t: t, index: map[*ir.Loc]int{}, taken: map[*ir.Edge]*logic.Term{}, env: map[*ir.Loc]map[*ir.Var]*logic.Term{}, after: map[*ir.Edge]map[*ir.Var]*logic.Term{}}
	var err error
	if r.order, err = forward(t); err != nil {
		return nil, err
	}
	for i, l := range r.order {
		r.index[l] = i
	}
	r.reach = make([]bitset, len(r.order))
	for i := len(r.order) - 1; i >= 0; i-- {
		r.reach[i] = newBitset(len(r.order))
		r.reach[i].add(i)
		for _, e := range r.order[i].Out {
			r.reach[i].addAll(r.reach[r.index[e.To]])
		}
	}
	r.findLive()
	for _, l := range r.order {
		r.meet(l)
		var ways []*logic.Term
		for _, e := range l.Out {
			ok, err := r.run(e)
			if err != nil {
				return nil, err
			}
			if !ok {
				continue
			}
			for _, w := range ways { // one way is taken
				a.imply([]*logic.Term{w, r.taken[e]}, a.l.False())
			}
			ways = append(ways, r.taken[e])
			if l != t.Entry {
				a.imply([]*logic.Term{r.taken[e]}, r.arrives(l)...)
			}
			switch {
			case a.p.beyond[e.To]:
				a.loops = append(a.loops, r.taken[e])
			case e.To.Error:
				a.errors = append(a.errors, r.taken[e])
			}
		}
	}
	a.events = append(a.events, r.events...)
	for _, l := range r.order {
		r.effect(l)
	}
	return r, nil
}

// arrives returns the ways that lead to a location.
func (r *axiomThread) arrives(l *ir.Loc) (ways []*logic.Term) {
	for _, e := range l.In {
		if t := r.taken[e]; t != nil {
			ways = append(ways, t)
		}
	}
	return ways
}

// before reports whether program order puts an event of the thread before another one, if both happen.
func (r *axiomThread) before(x, y *happening) bool {
	if x.on == y.on {
		return x.place < y.place
	}
	return r.reach[r.index[x.on.To]].has(r.index[y.on.From])
}

// findLive computes which of the thread's variables it may read at locations of the program before it writes them.
func (r *axiomThread) findLive() {
	r.live = map[*ir.Loc]map[*ir.Var]bool{}
	locs := r.a.p.origin[r.t.Entry].Thread.Locs
	for _, l := range locs {
		r.live[l] = map[*ir.Var]bool{}
	}
	for changed := true; changed; {
		changed = false
		for _, l := range slices.Backward(locs) {
			for _, e := range l.Out {
				for v := range r.needs(e) {
					if !r.live[l][v] {
						r.live[l][v], changed = true, true
					}
				}
			}
		}
	}
}

// needs returns the variables of the thread that are read from an edge on before they are written.
func (r *axiomThread) needs(e *ir.Edge) map[*ir.Var]bool {
	set := map[*ir.Var]bool{}
	for v := range r.live[e.To] {
		set[v] = true
	}
	for _, c := range slices.Backward(e.Cmds) {
		delete(set, c.Var)
		for _, t := range c.Reads() {
			for _, s := range logic.FreeVars(t) {
				if v := r.a.tab[s]; v != nil && v.Thread != ir.Shared {
					set[v] = true
				}
			}
		}
	}
	return set
}

// meet computes the values of variables at a location.
func (r *axiomThread) meet(l *ir.Loc) {
	env := map[*ir.Var]*logic.Term{}
	r.env[l] = env
	var in []*ir.Edge
	for _, e := range l.In {
		if r.taken[e] != nil {
			in = append(in, e)
		}
	}
	if len(in) == 0 {
		return
	}
	for _, v := range inOrder(r.live[r.a.p.origin[l]]) {
		value := r.valueOf(r.after[in[0]], v)
		if slices.ContainsFunc(in, func(e *ir.Edge) bool { return r.valueOf(r.after[e], v) != value }) {
			value = r.a.l.FreshVar(v.Name, logic.Int)
			for _, e := range in {
				r.a.imply([]*logic.Term{r.taken[e]}, r.a.l.Eq(value, r.valueOf(r.after[e], v)))
			}
		}
		env[v] = value
	}
}

func (r *axiomThread) valueOf(env map[*ir.Var]*logic.Term, v *ir.Var) *logic.Term {
	if t := env[v]; t != nil {
		return t
	}
	return r.a.initial[v]
}

// onEdge is the symbolic execution of an edge.
type onEdge struct {
	r     *axiomThread
	e     *ir.Edge
	env   map[*ir.Var]*logic.Term
	conds []*logic.Term
	taken *logic.Term
	made  []*happening
}

// run runs an edge; false if it cannot be taken.
func (r *axiomThread) run(e *ir.Edge) (bool, error) {
	l := e.From
	if l != r.t.Entry && len(r.arrives(l)) == 0 {
		return false, nil
	}
	x := &onEdge{r: r, e: e, env: map[*ir.Var]*logic.Term{}, taken: r.a.l.FreshVar("taken", logic.Bool)}
	for v, t := range r.env[l] {
		x.env[v] = t
	}
	for i := range e.Cmds {
		if err := x.command(&e.Cmds[i]); err != nil {
			return false, err
		}
	}
	if slices.ContainsFunc(x.conds, (*logic.Term).IsFalse) {
		return false, nil
	}
	for _, ev := range x.made {
		if ev.v != x.made[0].v || ev.kind == memory.Read && ev != x.made[0] || ev.kind == memory.Write && ev != x.made[len(x.made)-1] {
			return false, fmt.Errorf("a step at %s accesses more than one variable", e.Pos)
		}
	}
	x.orders()
	x.pairs()
	for i, ev := range x.made {
		ev.thread, ev.when, ev.on, ev.place = r.t.Index, x.taken, e, i
		if ev.exclusive || ev.kind == memory.Fence && ev.order == cir.SeqCst || ev.kind == memory.Other {
			ev.full = true
		}
	}
	for _, c := range x.conds {
		r.a.imply([]*logic.Term{x.taken}, c)
	}
	for v := range x.env {
		if v.Thread == ir.Shared {
			delete(x.env, v)
		}
	}
	r.taken[e], r.after[e] = x.taken, x.env
	r.events = append(r.events, x.made...)
	return true, nil
}

// command runs a command.
func (x *onEdge) command(c *ir.Cmd) error {
	a := x.r.a
	at := fmt.Sprintf("at %s", x.e.Pos)
	switch {
	case c.Of != nil:
		return fmt.Errorf("a cell of an array is read %s", at)
	case c.Var != nil && a.flags[c.Var]:
		return nil // the kind of the edge says it
	case c.Kind == ir.Assume && (x.waitsFor(c.Cond) || x.e.Kind == ir.Unlock): // of a mutex it is assumed that who gives it back holds it
		return nil
	case c.Kind == ir.Assume:
		t, err := x.value(c.Cond, c.Origin)
		if err == nil && !t.IsTrue() {
			x.conds = append(x.conds, t)
		}
		return err
	case c.Kind == ir.Havoc && c.Var.Thread == ir.Shared:
		return fmt.Errorf("anything is written to %s %s", c.Var.Name, at)
	case c.Kind == ir.Havoc:
		x.env[c.Var] = a.any(c.Var)
		return nil
	}
	t, err := x.value(c.Expr, c.Origin)
	if err != nil {
		return err
	}
	if x.env[c.Var] = t; c.Var.Thread == ir.Shared {
		w := &happening{kind: memory.Write, v: c.Var, value: t}
		switch in := a.instr[c.Origin].(type) {
		case *cir.Store:
			w.order = in.Order
		case *cir.RMW:
			w.order, w.exclusive = in.Order, true
		case *cir.CmpXchg:
			w.order, w.exclusive = in.Order, true
		}
		switch x.e.Kind {
		case ir.Lock:
			w.order, w.exclusive = cir.Acquire, true
		case ir.Unlock:
			w.order, w.exclusive = cir.Release, false
		}
		x.made = append(x.made, w)
	}
	return nil
}

// waitsFor reports whether a condition is what the kind of the edge says.
func (x *onEdge) waitsFor(cond *logic.Term) bool {
	a := x.r.a
	is := func(v *ir.Var) bool { return v != nil && cond == a.l.Eq(v.Sym, a.l.Int(1)) }
	switch {
	case x.e.Kind == ir.Start:
		return is(x.r.t.Created)
	case x.e.Kind == ir.Join && x.e.Thread > 0:
		return is(a.p.Threads[x.e.Thread].Ended)
	}
	return false
}

// value evaluates a term.
func (x *onEdge) value(t *logic.Term, origin int) (*logic.Term, error) {
	a, sub := x.r.a, map[*logic.Term]*logic.Term{}
	for _, s := range logic.FreeVars(t) {
		v := a.tab[s]
		switch {
		case v == nil:
			return nil, fmt.Errorf("%s is no variable", s)
		case a.flags[v]:
			return nil, fmt.Errorf("it is asked at %s whether a thread has ended", x.e.Pos)
		case x.env[v] == nil && v.Thread != ir.Shared:
			x.env[v] = a.initial[v]
		case x.env[v] == nil:
			r := &happening{kind: memory.Read, v: v, value: a.l.FreshVar(v.Name, logic.Int)}
			switch in := a.instr[origin].(type) {
			case *cir.Load:
				r.order = in.Order
			case *cir.CmpXchg:
				if r.order = cir.Relaxed; !x.e.To.Atomic { // it fails, unless a write follows on this edge
					r.order, r.full = in.Failure, true
				}
			case *cir.RMW:
				r.order = cir.Relaxed
			}
			x.env[v] = r.value
			x.made = append(x.made, r)
		}
		sub[s] = x.env[v]
	}
	return a.l.Subst(t, sub), nil
}

// orders adds the event of an edge that orders.
func (x *onEdge) orders() {
	ev := &happening{kind: memory.Other, role: x.e.Kind, other: x.e.Thread}
	switch x.e.Kind {
	case ir.Create, ir.Start, ir.End, ir.Join:
	case ir.Fence:
		ev.kind = memory.Fence
		if in, ok := x.r.a.instr[x.e.Origin].(*cir.Fence); ok {
			ev.order = in.Order
		} else {
			ev.full = true // a store buffer is emptied
		}
	default:
		return
	}
	x.made = append(x.made, ev)
}

// pairs makes read-modify-writes of what reads a variable and writes it next, and is one.
func (x *onEdge) pairs() {
	for i, w := range x.made {
		if !w.exclusive || w.kind != memory.Write {
			continue
		}
		if i == 0 || x.made[i-1].kind != memory.Read || x.made[i-1].v != w.v {
			w.exclusive = false // what was there is known, or is read elsewhere
			continue
		}
		r := x.made[i-1]
		r.order, r.exclusive, r.half, w.half = w.order, true, w, r
	}
}

// effect asserts that an iteration has an effect, if the thread comes to a loop's head by it.
func (r *axiomThread) effect(l *ir.Loc) {
	a := r.a
	from, before := a.p.origin[l], a.p.before[l]
	if before == nil || a.p.head[from] != from || len(r.arrives(l)) == 0 || before.Thread != l.Thread {
		return
	}
	was := []*logic.Term{a.l.Or(r.arrives(l)...)}
	if before != r.t.Entry {
		was = append(was, a.l.Or(r.arrives(before)...))
	}
	var effects []*logic.Term
	for _, v := range inOrder(r.live[from]) {
		effects = append(effects, a.l.Ne(r.valueOf(r.env[before], v), r.valueOf(r.env[l], v)))
	}
	for _, e := range r.events {
		if !r.reach[r.index[before]].has(r.index[e.on.From]) || !r.reach[r.index[e.on.To]].has(r.index[l]) {
			continue
		}
		switch {
		case e.kind == memory.Write && e.exclusive:
			effects = append(effects, a.l.And(e.when, a.l.Ne(e.value, e.half.value)))
		case e.kind == memory.Write || e.kind == memory.Other:
			effects = append(effects, e.when)
		}
	}
	a.imply(was, effects...)
}
