package check

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"comus/ir"
	"comus/logic"
	"comus/logic/smt"
	"comus/z3"
)

// The proof of a program without loops is its encoding as a whole, made here and decided
// anew: nothing of the certificate is needed but its method. It knows nothing of the
// engine that found the program safe (package partialorder): it reduces nothing, takes
// every step by itself, and solves with other settings.
//
// A thread's locations outside atomic sections are its points; a move is a path of edges
// from a point through atomic locations to the next point, or to an error. An execution
// takes at most one move from each point, as there are no loops. Each point with moves has
// a clock: the order of the clocks, and of the threads' indexes where they are equal, is
// the execution. What a move reads of a shared variable is a symbol, which has the value
// of the last write before it: that of a point whose move taken writes the variable, and
// no such point is in between; or the initial value, and no such point is before. A thread
// may stop at any point. The program is safe if no such execution takes a move to an
// error.

// maxMoves bounds the moves of one thread.
const maxMoves = 20_000

// turn is a move: a path of edges that no other thread interrupts.
type turn struct {
	from   *point
	to     *ir.Loc
	path   []*ir.Edge
	taken  *logic.Term             // whether the execution takes it
	env    map[*ir.Var]*logic.Term // the values of the variables it changes
	shared []*ir.Var               // those of them that threads share, each once
}

// point is a location that a thread may be interrupted at.
type point struct {
	loc    *ir.Loc
	thread int
	moves  []*turn
	into   []*turn
	clock  *logic.Term
	left   *logic.Term             // whether a move is taken from here
	locals map[*ir.Var]*logic.Term // the values of locals here
	reads  map[*ir.Var]*logic.Term // what shared variables are when a move is taken from here
	read   []*ir.Var               // those of reads, in order
	later  map[*point]bool         // the points that control can get to from here
}

// write is a point that may write a certain variable.
type write struct {
	*point
	wrote, value *logic.Term
}

// orders encodes the executions of a program without loops.
type orders struct {
	p       *ir.Program
	l       *logic.Store
	tab     ir.SymTable
	points  []*point // of each thread in an order in which control comes to them
	writes  map[*ir.Var][]write
	initial map[*ir.Var]*logic.Term
	out     []*logic.Term // the constraints
}

// Orders proves a program without loops safe by encoding all its executions. solver says
// what decided. The error is for programs with loops, for those that are not safe, and
// for those that were not decided.
func Orders(ctx context.Context, p *ir.Program) (solver string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the encoding failed: %v", r)
		}
	}()
	if err := p.Single(); err != nil {
		return "", err
	}
	if _, err := newProgram(p); err != nil {
		return "", err
	}
	o := &orders{p: p, l: p.L, tab: p.Symbols(), writes: map[*ir.Var][]write{}, initial: map[*ir.Var]*logic.Term{}}
	for _, v := range p.Vars {
		if v.Init != nil {
			o.initial[v] = o.l.Value(*v.Init)
		} else {
			o.initial[v] = o.any(v)
		}
	}
	for _, t := range p.Threads {
		if err := o.addThread(t); err != nil {
			return "", err
		}
	}
	for _, pt := range o.points {
		for _, v := range pt.read {
			o.lastWrite(pt, v)
		}
	}
	var failing []*logic.Term
	for _, pt := range o.points {
		for _, m := range pt.moves {
			if m.to.Error {
				failing = append(failing, m.taken)
			}
		}
	}
	o.out = append(o.out, o.l.Or(failing...))
	return o.refute(ctx)
}

// any returns a symbol for any value of a variable's type.
func (o *orders) any(v *ir.Var) *logic.Term {
	s := o.l.FreshVar(v.Name, logic.Int)
	o.out = append(o.out, o.p.TermInRange(s, v.Type))
	return s
}

// addThread finds the points and moves of a thread and runs them symbolically.
func (o *orders) addThread(t *ir.Thread) error {
	if t.Entry.Atomic {
		return errors.New("thread " + t.Name + " starts in an atomic section")
	}
	order, err := forward(t)
	if err != nil {
		return err
	}
	at := map[*ir.Loc]*point{}
	var own []*point
	for _, loc := range order {
		if loc.Error || loc.Atomic {
			continue
		}
		at[loc] = &point{loc: loc, thread: t.Index, reads: map[*ir.Var]*logic.Term{}, later: map[*point]bool{}}
		own = append(own, at[loc])
	}
	count := 0
	for _, pt := range own {
		if err := pt.findMoves(pt.loc, nil, &count); err != nil {
			return err
		}
		pt.left = o.l.False()
		for _, m := range pt.moves {
			m.taken = o.l.FreshVar("taken", logic.Bool)
			pt.left = o.l.Or(pt.left, m.taken)
			if next := at[m.to]; next != nil {
				next.into = append(next.into, m)
			}
		}
		if len(pt.moves) > 0 {
			pt.clock = o.l.FreshVar("clock", logic.Int)
		}
	}
	for i := len(own) - 1; i >= 0; i-- {
		for _, m := range own[i].moves {
			if next := at[m.to]; next != nil {
				own[i].later[next] = true
				for x := range next.later {
					own[i].later[x] = true
				}
			}
		}
	}
	for _, pt := range own {
		o.control(pt, at)
		o.meet(pt)
		for _, m := range pt.moves {
			o.run(m)
		}
		o.addWrites(pt)
	}
	o.points = append(o.points, own...)
	return nil
}

// forward orders the locations of a thread so that control moves forward only; the
// error is for a thread with a loop.
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

// findMoves adds the moves that go on from a location after a path.
func (pt *point) findMoves(at *ir.Loc, path []*ir.Edge, count *int) error {
	if len(path) > 0 && (at.Error || !at.Atomic) {
		if *count++; *count > maxMoves {
			return fmt.Errorf("a thread has more than %d moves", maxMoves)
		}
		pt.moves = append(pt.moves, &turn{from: pt, to: at, path: path, env: map[*ir.Var]*logic.Term{}})
		return nil
	}
	for _, e := range at.Out {
		if err := pt.findMoves(e.To, append(path[:len(path):len(path)], e), count); err != nil {
			return err
		}
	}
	return nil
}

// control says that a move is taken only from a point that control got to, that at most
// one is taken, and that the thread's clocks follow its moves.
func (o *orders) control(pt *point, at map[*ir.Loc]*point) {
	l := o.l
	if len(pt.loc.In) > 0 {
		came := l.False()
		for _, m := range pt.into {
			came = l.Or(came, m.taken)
		}
		o.out = append(o.out, l.Implies(pt.left, came))
	}
	for i, m := range pt.moves {
		for _, n := range pt.moves[:i] {
			o.out = append(o.out, l.Not(l.And(m.taken, n.taken)))
		}
		if next := at[m.to]; next != nil && next.clock != nil {
			o.out = append(o.out, l.Implies(l.And(m.taken, next.left), l.Lt(pt.clock, next.clock)))
		}
	}
}

// meet computes the values of the thread's variables at a point: a new symbol for each
// that has not the same value on all moves that lead there.
func (o *orders) meet(pt *point) {
	pt.locals = map[*ir.Var]*logic.Term{}
	for _, v := range o.p.Vars {
		if v.Thread != pt.thread {
			continue
		}
		if len(pt.into) == 0 {
			pt.locals[v] = o.initial[v]
			continue
		}
		value := pt.into[0].after(v)
		for _, m := range pt.into[1:] {
			if m.after(v) != value {
				value = nil
				break
			}
		}
		if value == nil {
			value = o.l.FreshVar(v.Name, logic.Int)
			for _, m := range pt.into {
				o.out = append(o.out, o.l.Implies(m.taken, o.l.Eq(value, m.after(v))))
			}
		}
		pt.locals[v] = value
	}
}

// after returns the value of a local variable after a move.
func (m *turn) after(v *ir.Var) *logic.Term {
	if t := m.env[v]; t != nil {
		return t
	}
	return m.from.locals[v]
}

// run executes a move symbolically: if it is taken, its assumptions hold.
func (o *orders) run(m *turn) {
	for _, e := range m.path {
		for _, c := range e.Cmds {
			switch c.Kind {
			case ir.Assume:
				o.out = append(o.out, o.l.Implies(m.taken, o.value(m, c.Cond)))
			case ir.Assign:
				if c.Var != nil {
					m.set(c.Var, o.value(m, c.Expr))
				}
			case ir.Havoc:
				m.set(c.Var, o.any(c.Var))
			}
		}
	}
}

func (m *turn) set(v *ir.Var, t *logic.Term) {
	if m.env[v] == nil && v.Thread == ir.Shared {
		m.shared = append(m.shared, v)
	}
	m.env[v] = t
}

// value returns a term with the variables' values at this place of a move.
func (o *orders) value(m *turn, t *logic.Term) *logic.Term {
	sub := map[*logic.Term]*logic.Term{}
	for _, s := range logic.FreeVars(t) {
		v := o.tab[s]
		switch {
		case v == nil:
			panic("a symbol that is no variable: " + s.Name())
		case m.env[v] != nil:
			sub[s] = m.env[v]
		case v.Thread != ir.Shared:
			sub[s] = m.from.locals[v]
		default:
			if m.from.reads[v] == nil {
				m.from.reads[v] = o.any(v)
				m.from.read = append(m.from.read, v)
			}
			sub[s] = m.from.reads[v]
		}
	}
	return o.l.Subst(t, sub)
}

// addWrites notes what the moves from a point write.
func (o *orders) addWrites(pt *point) {
	by := map[*ir.Var][]*turn{}
	var vars []*ir.Var
	for _, m := range pt.moves {
		for _, v := range m.shared {
			if by[v] == nil {
				vars = append(vars, v)
			}
			by[v] = append(by[v], m)
		}
	}
	for _, v := range vars {
		w := write{pt, o.l.False(), by[v][0].env[v]}
		for _, m := range by[v] {
			w.wrote = o.l.Or(w.wrote, m.taken)
			if m.env[v] != w.value {
				w.value = nil
			}
			if w.value == nil {
				break
			}
		}
		if w.value == nil {
			w.wrote, w.value = o.l.False(), o.l.FreshVar(v.Name, logic.Int)
			for _, m := range by[v] {
				w.wrote = o.l.Or(w.wrote, m.taken)
				o.out = append(o.out, o.l.Implies(m.taken, o.l.Eq(w.value, m.env[v])))
			}
		}
		o.writes[v] = append(o.writes[v], w)
	}
}

// before returns the formula that one point is left before another, both being left.
func (o *orders) before(a, b *point) *logic.Term {
	switch {
	case a.thread == b.thread:
		return o.l.Bool(a.later[b])
	case a.thread < b.thread:
		return o.l.Le(a.clock, b.clock)
	}
	return o.l.Lt(a.clock, b.clock)
}

// lastWrite says that what is read of v at a point is the last value written before.
func (o *orders) lastWrite(pt *point, v *ir.Var) {
	l, r := o.l, pt.reads[v]
	var ways []*logic.Term
	none := l.Eq(r, o.initial[v])
	for _, w := range o.writes[v] {
		happens := l.And(w.wrote, o.before(w.point, pt))
		none = l.And(none, l.Not(happens))
		way := l.And(happens, l.Eq(r, w.value))
		if way.IsFalse() {
			continue
		}
		for _, x := range o.writes[v] {
			if x.point != w.point {
				way = l.And(way, l.Or(l.Not(x.wrote), l.Not(o.before(x.point, pt)), o.before(x.point, w.point)))
			}
		}
		ways = append(ways, way)
	}
	o.out = append(o.out, l.Implies(pt.left, l.Or(append(ways, none)...)))
}

// ordersTactics are what solves the encoding: other tactics than the engine's, with
// another seed.
var ordersTactics = []string{"simplify", "solve-eqs", "elim-uncnstr", "smt"}

func ordersSolver(c *z3.Context) *z3.Solver {
	t := c.NewTactic(ordersTactics[0])
	for _, name := range ordersTactics[1:] {
		t = t.AndThen(c.NewTactic(name))
	}
	s := t.NewSolver()
	s.SetParams(z3.NewParams().SetUint("random_seed", 20011))
	return s
}

// refute proves that the constraints cannot hold together.
func (o *orders) refute(ctx context.Context) (string, error) {
	p, err := newProver(ctx, o.l)
	if err != nil {
		return "", err
	}
	p.s.Close()
	if p.s, err = smt.NewSolverOf(o.l, ordersSolver); err != nil {
		return "", err
	}
	defer p.s.Close()
	for _, f := range o.out {
		p.s.Assert(p.guard(f))
	}
	switch st, _, err := p.s.Check(ctx); {
	case err != nil:
		return "", err
	case st == z3.Unsat:
		return "z3 with " + strings.Join(ordersTactics, ", "), nil
	case st == z3.Sat:
		return "", errors.New("there is an execution that fails")
	}
	return "", errors.New("the solver did not decide whether an execution fails")
}
