package axiomatic

import (
	"fmt"
	"slices"

	"comus/cir"
	"comus/ir"
	"comus/logic"
	"comus/memory"
)

// event is one of a memory model. It comes about if its step is taken.
type event struct {
	memory.Event
	id     int
	thread int // -1: an initial write
	v      *ir.Var
	in     *step // nil for an initial write
	value  *logic.Term
	other  *event      // of the halves of a read-modify-write, the other one
	place  *logic.Term // among the events at a location
	clock  *logic.Term
	of     int // Other: the thread that is created, or whose end is awaited
	does   ir.EdgeKind
	origin int
	pos    ir.Pos
}

// run executes a thread symbolically.
func (s *shape) run() error {
	for _, n := range s.nodes {
		if n != s.nodes[0] && len(n.in) == 0 {
			n.out = nil
			continue
		}
		s.merge(n)
		possible := n.out[:0]
		for _, st := range n.out {
			st.took = s.f.l.FreshVar("took", logic.Bool)
			ok, err := s.execute(st)
			if err != nil {
				return err
			}
			if ok {
				possible = append(possible, st)
				s.steps = append(s.steps, st)
			} else if st.to != nil {
				st.to.in = slices.DeleteFunc(st.to.in, func(x *step) bool { return x == st })
			}
		}
		n.out = possible
	}
	for _, st := range s.steps {
		s.events = append(s.events, st.events...)
	}
	return nil
}

// merge computes the values of the thread's variables at a node.
func (s *shape) merge(n *node) {
	n.env = map[*logic.Term]*logic.Term{}
	if len(n.in) == 0 {
		return
	}
	f := s.f
	for _, v := range f.p.Vars {
		if !s.live[n.loc][v] {
			continue
		}
		value := s.valueOf(n.in[0].final, v)
		if slices.ContainsFunc(n.in, func(st *step) bool { return s.valueOf(st.final, v) != value }) {
			value = f.l.FreshVar(v.Name, logic.Int)
			for _, st := range n.in {
				f.add(f.l.Implies(st.took, f.l.Eq(value, s.valueOf(st.final, v))))
			}
		}
		n.env[v.Sym] = value
	}
}

func (s *shape) valueOf(env map[*logic.Term]*logic.Term, v *ir.Var) *logic.Term {
	if t := env[v.Sym]; t != nil {
		return t
	}
	return s.f.initial(v)
}

// execution is the symbolic execution of a step.
type execution struct {
	s     *shape
	st    *step
	env   map[*logic.Term]*logic.Term
	reads []access
	write *access
}

// access is what a step does to a shared variable.
type access struct {
	v      *ir.Var
	value  *logic.Term
	origin int
}

// execute runs the commands of a step. It returns false if it cannot be taken.
func (s *shape) execute(st *step) (bool, error) {
	x := &execution{s: s, st: st, env: map[*logic.Term]*logic.Term{}}
	for sym, t := range st.from.env {
		x.env[sym] = t
	}
	for _, e := range st.edges {
		if e.Kind != ir.Plain && len(st.edges) > 1 && e.Kind != ir.Create && e.Kind != ir.End {
			return false, fmt.Errorf("a step at %s is a part of an atomic section", e.Pos)
		}
		for i := range e.Cmds {
			if err := x.command(e, &e.Cmds[i]); err != nil {
				return false, err
			}
		}
		if err := x.order(e); err != nil {
			return false, err
		}
	}
	if slices.ContainsFunc(st.conds, (*logic.Term).IsFalse) {
		return false, nil
	}
	if err := x.accesses(); err != nil {
		return false, err
	}
	st.final = x.env
	for _, e := range st.events {
		e.in, e.thread, e.Thread = st, s.thread.Index, s.thread.Index
		e.pos = st.edges[len(st.edges)-1].Pos
	}
	return true, nil
}

// command runs a command.
func (x *execution) command(e *ir.Edge, c *ir.Cmd) error {
	f := x.s.f
	switch {
	case c.Of != nil:
		return fmt.Errorf("an array at %s is not taken apart", e.Pos)
	case c.Var != nil && f.flags[c.Var]: // events of the kinds of edges say it
		return nil
	case c.Kind == ir.Assume && x.waits(e, c.Cond):
		return nil
	case c.Kind == ir.Assume && e.Kind == ir.Unlock: // it is assumed that the thread holds it
		return nil
	case c.Kind == ir.Havoc && c.Var.Thread == ir.Shared:
		return fmt.Errorf("what is written to %s at %s is not known", c.Var.Name, e.Pos)
	}
	switch c.Kind {
	case ir.Assume:
		cond, err := x.value(c.Cond, c.Origin)
		if err != nil {
			return err
		}
		if !cond.IsTrue() {
			x.st.conds = append(x.st.conds, logic.Conjuncts(cond)...)
		}
	case ir.Havoc:
		v := f.input(c.Var)
		x.env[c.Var.Sym] = v
		if c.Input != "" {
			x.st.events = append(x.st.events, &event{Event: memory.Event{Kind: memory.Other, Loc: anInput, Object: c.Input}, value: v, origin: c.Origin})
		}
	case ir.Assign:
		v, err := x.value(c.Expr, c.Origin)
		if err != nil {
			return err
		}
		if c.Var.Thread == ir.Shared {
			if x.write != nil {
				return fmt.Errorf("a step at %s writes more than once", e.Pos)
			}
			x.write = &access{c.Var, v, c.Origin}
		}
		x.env[c.Var.Sym] = v
	}
	return nil
}

// anInput is the location of an event that is an input: it orders nothing.
const anInput = 1

// waits reports whether a condition is what an edge of this kind waits for: that a thread was created, or has ended.
func (x *execution) waits(e *ir.Edge, cond *logic.Term) bool {
	f, t := x.s.f, x.s.thread
	switch e.Kind {
	case ir.Start:
		return t.Created != nil && cond == f.l.Eq(t.Created.Sym, f.l.Int(1))
	case ir.Join:
		return e.Thread > 0 && f.p.Threads[e.Thread].Ended != nil && cond == f.l.Eq(f.p.Threads[e.Thread].Ended.Sym, f.l.Int(1))
	}
	return false
}

// value evaluates a term; it reads what the thread does not know.
func (x *execution) value(t *logic.Term, origin int) (*logic.Term, error) {
	f := x.s.f
	for _, sym := range logic.FreeVars(t) {
		if x.env[sym] != nil {
			continue
		}
		v := f.tab[sym]
		switch {
		case v == nil:
			return nil, fmt.Errorf("%s is no variable", sym)
		case f.flags[v]:
			return nil, fmt.Errorf("whether a thread has ended is asked, at %s", x.st.edges[0].Pos)
		case v.Thread != ir.Shared:
			x.env[sym] = f.initial(v)
		default:
			r := f.l.FreshVar(v.Name, logic.Int)
			x.env[sym] = r
			x.reads = append(x.reads, access{v, r, origin})
		}
	}
	return f.l.Subst(t, x.env), nil
}

// order makes the event of an edge that only orders.
func (x *execution) order(e *ir.Edge) error {
	ev := &event{does: e.Kind, of: e.Thread, origin: e.Origin}
	switch e.Kind {
	case ir.Create, ir.Start, ir.End:
		ev.Kind = memory.Other
	case ir.Join:
		if ev.Kind = memory.Other; e.Thread <= 0 {
			return fmt.Errorf("which thread is joined at %s is not known", e.Pos)
		}
	case ir.Fence:
		ev.Kind, ev.Order, ev.Full = memory.Fence, cir.Plain, true // what empties a store buffer
		if in, ok := x.s.f.instr[e.Origin].(*cir.Fence); ok {
			ev.Order, ev.Full = in.Order, false
		}
	default:
		return nil
	}
	x.st.events = append(x.st.events, ev)
	return nil
}

// accesses makes the events of what a step reads and writes: one access.
func (x *execution) accesses() error {
	f, st := x.s.f, x.st
	for _, v := range f.p.Vars {
		if v.Thread == ir.Shared { // nobody knows it at the end of the step
			delete(x.env, v.Sym)
		}
	}
	if len(x.reads) > 1 || len(x.reads) == 1 && x.write != nil && x.write.v != x.reads[0].v {
		return fmt.Errorf("a step at %s accesses several variables", st.edges[0].Pos)
	}
	if len(x.reads)+len(st.events) > 1 || x.write != nil && len(st.events) > 0 {
		return fmt.Errorf("a step at %s is more than one event", st.edges[0].Pos)
	}
	last := st.edges[len(st.edges)-1]
	var r, w *event
	if len(x.reads) == 1 {
		a := x.reads[0]
		r = &event{Event: memory.Event{Kind: memory.Read}, v: a.v, value: a.value, origin: a.origin}
	}
	if x.write != nil {
		w = &event{Event: memory.Event{Kind: memory.Write}, v: x.write.v, value: x.write.value, origin: x.write.origin}
	}
	switch {
	case r == nil && w == nil:
		return nil
	case last.Kind == ir.Lock && r != nil && w != nil:
		r.Order, w.Order, r.Exclusive, w.Exclusive = cir.Acquire, cir.Acquire, true, true
	case last.Kind == ir.Unlock && w != nil:
		w.Order = cir.Release
	case r != nil && w != nil:
		if in, ok := f.instr[w.origin].(cir.Instr); ok && f.instr[r.origin] == f.instr[w.origin] {
			switch in := in.(type) {
			case *cir.RMW:
				r.Order, r.Exclusive = in.Order, true
			case *cir.CmpXchg:
				r.Order, r.Exclusive = in.Order, true
			}
			w.Order, w.Exclusive = r.Order, r.Exclusive
		}
	case r != nil:
		switch in := f.instr[r.origin].(type) {
		case *cir.Load:
			r.Order = in.Order
		case *cir.CmpXchg:
			r.Order, r.Full = in.Failure, true
		}
	default:
		switch in := f.instr[w.origin].(type) {
		case *cir.Store:
			w.Order = in.Order
		case *cir.RMW: // what was there is known
			w.Order = in.Order
		case *cir.CmpXchg:
			w.Order = in.Order
		}
	}
	if r != nil {
		st.events = append(st.events, r)
	}
	if w != nil {
		st.events = append(st.events, w)
	}
	if r != nil && w != nil && r.Exclusive {
		r.other, w.other = w, r
	}
	return nil
}
