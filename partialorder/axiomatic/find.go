package axiomatic

import (
	"context"
	"fmt"
	"slices"

	"comus/cir"
	"comus/ir"
	"comus/logic"
	"comus/logic/smt"
	"comus/memory"
	"comus/z3"
)

// Options say what is looked for.
type Options struct {
	Model  memory.Model
	Unwind int // how often each loop is gone around at most, each time it is entered
	// Instr has the instructions of cir by their numbers, which edges and commands name.
	Instr map[int]cir.Located
}

// Found is what a search has found.
type Found struct {
	// Execution is one that violates an assertion; nil: there is none within the bounds.
	Execution *Execution
	// Complete says that no execution leaves the bounds, if there is none that violates an assertion.
	Complete bool
	Events   int
}

// Execution is an execution graph over the events of the program taken apart.
type Execution struct {
	Threads [][]Step // the events of each thread, in program order
}

// Step is an event of an execution.
type Step struct {
	Kind      memory.Kind
	Lock      bool   // of a mutex
	Exclusive bool   // a half of a read-modify-write
	Plain     bool   // the access is not atomic
	Object    string // what is accessed, as the program names it
	Input     string // of an input: the name of the function that is asked
	Value     logic.Value
	From      [2]int // of a read: the thread and the number of the write that it reads; thread -1: the initial one
	Place     int    // of a write: its place in the modification order of its location
	At        ir.Pos
}

// Find looks for an execution that violates an assertion and that a memory model allows. The program was taken apart with its memory orders (specialise.Options.Orders), and has
// not been changed since. An error is for what cannot be encoded or was not decided.
func Find(ctx context.Context, p *ir.Program, opts Options) (*Found, error) {
	if err := p.Single(); err != nil {
		return nil, err
	}
	f := &finder{p: p, l: p.L, opts: opts, tab: p.Symbols(), instr: opts.Instr, flags: map[*ir.Var]bool{}, init: map[*ir.Var]*logic.Term{}, firsts: map[*ir.Var]*event{}, at: map[*ir.Var][]*event{}, alls: map[[2]*event]*logic.Term{}}
	if err := f.build(ctx); err != nil {
		return nil, err
	}
	if err := f.encode(ctx); err != nil {
		return nil, err
	}
	return f.decide(ctx)
}

// finder holds a search.
type finder struct {
	p        *ir.Program
	l        *logic.Store
	opts     Options
	tab      ir.SymTable
	instr    map[int]cir.Located
	flags    map[*ir.Var]bool // that tell that threads were created, or have ended
	init     map[*ir.Var]*logic.Term
	threads  []*shape
	events   []*event // of each thread in an order that has program order in it; initial writes first
	firsts   map[*ir.Var]*event
	at       map[*ir.Var][]*event // accesses to a location
	alls     map[[2]*event]*logic.Term
	rfs      map[[2]*event]*logic.Term
	formulas []*logic.Term
	stop     func() bool // whether it is not worth while to go on: the time is over, or the query too large
}

func (f *finder) add(t *logic.Term) {
	if !t.IsTrue() && len(f.formulas) <= maxFormulas {
		f.formulas = append(f.formulas, t)
	}
}

// imply asserts that the first formulas imply the last one.
func (f *finder) imply(ts ...*logic.Term) {
	for i := range len(ts) - 1 {
		if ts[i].IsFalse() {
			return
		}
	}
	out := make([]*logic.Term, len(ts))
	for i, t := range ts[:len(ts)-1] {
		out[i] = f.l.Not(t)
	}
	out[len(ts)-1] = ts[len(ts)-1]
	f.add(f.l.Or(out...))
}

// initial returns the value of a variable before the first step.
func (f *finder) initial(v *ir.Var) *logic.Term {
	if f.init[v] == nil {
		if v.Init != nil {
			f.init[v] = f.l.Value(*v.Init)
		} else {
			f.init[v] = f.input(v)
		}
	}
	return f.init[v]
}

// input returns a symbol for any value of a variable's type.
func (f *finder) input(v *ir.Var) *logic.Term {
	s := f.l.FreshVar(v.Name, logic.Int)
	f.add(f.p.TermInRange(s, v.Type))
	return s
}

// maxEvents bounds what is encoded. The query is cubic in them in the worst case.
const maxEvents = 300

// build unrolls the threads and makes their events.
func (f *finder) build(ctx context.Context) error {
	for _, t := range f.p.Threads {
		for _, v := range []*ir.Var{t.Created, t.Ended} {
			if v != nil {
				f.flags[v] = true
			}
		}
	}
	for _, t := range f.p.Threads {
		if err := ctx.Err(); err != nil {
			return err
		}
		s := &shape{f: f, thread: t}
		f.threads = append(f.threads, s)
		if err := s.unroll(); err != nil {
			return err
		}
		if err := s.run(); err != nil {
			return err
		}
	}
	for _, s := range f.threads {
		for _, e := range s.events {
			if e.v != nil && f.firsts[e.v] == nil {
				first := &event{Event: memory.Event{Thread: -1, Kind: memory.Write}, thread: -1, v: e.v, value: f.initial(e.v)}
				f.firsts[e.v] = first
				f.events = append(f.events, first)
			}
		}
	}
	for _, s := range f.threads {
		for _, e := range s.events {
			if e.Kind != memory.Other || e.Loc == 0 { // inputs are none of the model's
				f.events = append(f.events, e)
			}
		}
	}
	if len(f.events) > maxEvents {
		return fmt.Errorf("there are %d events, more than %d", len(f.events), maxEvents)
	}
	for i, e := range f.events {
		e.id = i
		if e.v != nil {
			e.place = f.l.FreshVar("place", logic.Int)
			f.at[e.v] = append(f.at[e.v], e)
		}
	}
	return nil
}

// decide asks the solver: first for an execution that violates an assertion, then for one that leaves the bounds.
func (f *finder) decide(ctx context.Context) (*Found, error) {
	out := &Found{Events: len(f.events), Complete: true}
	var fails, cuts []*logic.Term
	for _, s := range f.threads {
		for _, st := range s.steps {
			switch {
			case st.cut:
				cuts = append(cuts, st.took)
			case st.fails():
				fails = append(fails, st.took)
			}
		}
	}
	c, err := z3.NewContext(nil)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	tr := smt.NewTranslator(c)
	ask := func(goal *logic.Term) (*z3.Solver, z3.Status, error) {
		t := c.NewTactic("simplify")
		for _, name := range []string{"propagate-values", "solve-eqs", "smt"} {
			t = t.AndThen(c.NewTactic(name))
		}
		s := t.NewSolver()
		s.Assert(tr.Terms(f.formulas)...)
		s.Assert(tr.Term(goal))
		st, err := s.Check(ctx)
		if err == nil && st == z3.Unknown {
			err = fmt.Errorf("the solver gave up: %s", s.ReasonUnknown())
		}
		return s, st, err
	}
	if goal := f.l.Or(fails...); !goal.IsFalse() {
		s, st, err := ask(goal)
		if err != nil {
			return nil, err
		}
		if st == z3.Sat {
			m, err := s.Model()
			if err != nil {
				return nil, err
			}
			out.Execution, err = f.execution(m, tr)
			return out, err
		}
	}
	if goal := f.l.Or(cuts...); !goal.IsFalse() {
		_, st, err := ask(goal)
		if err != nil {
			return nil, err
		}
		out.Complete = st == z3.Unsat
	}
	return out, nil
}

// execution reads an execution off a model.
func (f *finder) execution(m *z3.Model, tr *smt.Translator) (*Execution, error) {
	var failed error
	truth := func(t *logic.Term) bool {
		v, err := m.Eval(tr.Term(t), true)
		if err != nil {
			failed = err
			return false
		}
		return v.IsTrue()
	}
	number := func(t *logic.Term) logic.Value {
		v, err := m.Eval(tr.Term(t), true)
		if err != nil {
			failed = err
			return logic.Value{}
		}
		n, ok := v.BigInt()
		if !ok {
			failed = fmt.Errorf("%s is no number", v)
			return logic.Value{}
		}
		return logic.BigValue(n)
	}
	x := &Execution{}
	where := map[*event][2]int{}
	var all [][]*event
	for t, s := range f.threads {
		var list []*event
		for _, e := range s.events {
			if truth(e.in.took) {
				where[e] = [2]int{t, len(list)}
				list = append(list, e)
			}
		}
		all = append(all, list)
	}
	for _, list := range all {
		var steps []Step
		for _, e := range list {
			last := e.in.edges[len(e.in.edges)-1].Kind
			st := Step{Kind: e.Kind, Lock: last == ir.Lock || last == ir.Unlock, Exclusive: e.Exclusive, Input: e.Object, At: e.pos, From: [2]int{-1, 0}}
			if e.v != nil {
				st.Plain, st.Object = e.Order == cir.Plain, e.v.Source
			}
			switch {
			case e.Kind == memory.Other && e.Loc == anInput:
				st.Value = number(e.value)
			case e.Kind == memory.Write:
				n, _ := number(e.place).Int64()
				st.Place = int(n)
			case e.Kind == memory.Read:
				for _, w := range f.at[e.v] {
					if rf := f.rfs[[2]*event{w, e}]; rf != nil && truth(rf) && w.in != nil {
						st.From = where[w]
					}
				}
			}
			steps = append(steps, st)
		}
		x.Threads = append(x.Threads, steps)
	}
	return x, failed
}

// executed returns the condition that an event comes about.
func (f *finder) executed(e *event) *logic.Term {
	if e.in == nil {
		return f.l.True()
	}
	return e.in.took
}

// taken returns "one of these steps is taken".
func (f *finder) taken(steps []*step) *logic.Term {
	var ts []*logic.Term
	for _, st := range steps {
		ts = append(ts, st.took)
	}
	return f.l.Or(ts...)
}

// control asserts what a thread can do by itself.
func (f *finder) control(s *shape) {
	for _, n := range s.nodes {
		for i, st := range n.out {
			if n != s.nodes[0] {
				f.imply(st.took, f.taken(n.in))
			}
			for _, c := range st.conds {
				f.imply(st.took, c)
			}
			for _, other := range n.out[:i] {
				f.add(f.l.Or(f.l.Not(st.took), f.l.Not(other.took)))
			}
		}
		if head := n.head; head != nil && (head == s.nodes[0] || !avoids(n, func(st *step) bool { return st.to == head })) {
			f.effect(s, n)
		}
	}
}

// effect asserts that an iteration has an effect: a variable of the thread's has another value than before, or the thread has written, other than what was there.
// An execution with an iteration that has none is one without it, too (see the package comment).
func (f *finder) effect(s *shape, n *node) {
	any := []*logic.Term{f.l.Not(f.taken(n.in))}
	for _, v := range f.p.Vars {
		if s.live[n.loc][v] {
			any = append(any, f.l.Ne(s.valueOf(n.head.env, v), s.valueOf(n.env, v)))
		}
	}
	for _, e := range s.events {
		if from := e.in.from; (from == n.head || from.before[n.head]) && e.in.to != nil && (e.in.to == n || n.before[e.in.to]) {
			switch {
			case e.Kind == memory.Write && e.Exclusive:
				any = append(any, f.l.And(e.in.took, f.l.Ne(e.value, e.other.value)))
			case e.Kind == memory.Write || e.Kind == memory.Other && e.Loc == 0:
				any = append(any, e.in.took)
			}
		}
	}
	f.add(f.l.Or(any...))
}

// before reports whether program order puts an event before another one of its thread, in executions with both.
func before(a, b *event) bool {
	switch {
	case a.thread < 0 || b.thread != a.thread:
		return false
	case a.in == b.in:
		return slices.Index(a.in.events, a) < slices.Index(b.in.events, b)
	}
	return a.in.to != nil && (a.in.to == b.in.from || b.in.from.before[a.in.to])
}

// both reports whether two events can be in one execution.
func both(a, b *event) bool {
	return a.thread != b.thread || a == b || before(a, b) || before(b, a)
}
