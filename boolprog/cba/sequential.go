package cba

import (
	"fmt"
	"math/bits"

	"comus/boolprog"
)

// sequential is the sequential program of Fig. 1 for a concurrent one: K copies of
// the global variables, a guess for each copy but the first, and the context k that
// control is in. The threads run one after the other; then the checker compares the
// guesses with what the threads have left.
//
// Where the figure says "goto L", a thread gives up with the flag stop, and its
// procedures return at once. A failed assertion sets the flag err and gives up; the
// checker asserts that err is not set, after the guesses have turned out right.
type sequential struct {
	prog    *boolprog.Program // the original
	rounds  int
	out     *boolprog.Program
	copies  [][]boolprog.Var // by context from 0, and variable
	guesses [][]boolprog.Var // the same; none for the first context
	k       []boolprog.Var   // the context, in binary, from 0
	stop    boolprog.Var
	err     boolprog.Var
	procs   map[*boolprog.Proc]*boolprog.Proc
	origin  map[*boolprog.Edge]origin
	origins map[*boolprog.Proc]*boolprog.Proc
}

// origin is the step of the original program that an edge stands for.
type origin struct {
	edge    *boolprog.Edge
	context int
	back    bool // it assigns the results of the call
}

// sequentialise returns the reduction for a number of contexts for each thread.
func sequentialise(p *boolprog.Program, rounds int) *sequential {
	s := &sequential{prog: p, rounds: rounds, out: &boolprog.Program{File: p.File},
		procs: map[*boolprog.Proc]*boolprog.Proc{}, origin: map[*boolprog.Edge]origin{}, origins: map[*boolprog.Proc]*boolprog.Proc{}}
	s.copies, s.guesses = make([][]boolprog.Var, rounds), make([][]boolprog.Var, rounds)
	// The order is that of the BDD variables: control first, then context by context,
	// each copy next to its guess. Variable by variable takes several times the nodes.
	for i := range bits.Len(uint(rounds - 1)) {
		s.k = append(s.k, s.global(fmt.Sprintf("k bit %d", i)))
	}
	s.stop, s.err = s.global("stop"), s.global("err")
	for c := range rounds {
		for _, name := range p.Globals {
			if c > 0 {
				s.guesses[c] = append(s.guesses[c], s.global(fmt.Sprintf("%s guess %d", name, c+1)))
			}
			s.copies[c] = append(s.copies[c], s.global(fmt.Sprintf("%s in context %d", name, c+1)))
		}
	}
	for _, f := range p.Procs {
		g := &boolprog.Proc{Name: f.Name, Pos: f.Pos, Params: f.Params, Results: f.Results}
		s.procs[f], s.origins[g] = g, f
		s.out.Procs = append(s.out.Procs, g)
	}
	for _, f := range p.Procs {
		s.procedure(f, s.procs[f])
	}
	s.driver()
	return s
}

// global adds a global variable.
func (s *sequential) global(name string) boolprog.Var {
	s.out.Globals = append(s.out.Globals, name)
	return boolprog.Var{Global: true, Index: len(s.out.Globals) - 1}
}

// all returns the conjunction; nil are true.
func all(es ...*boolprog.Expr) *boolprog.Expr {
	var r *boolprog.Expr
	for _, e := range es {
		switch {
		case e == nil:
		case r == nil:
			r = e
		default:
			r = &boolprog.Expr{Op: boolprog.OpAnd, Args: []*boolprog.Expr{r, e}}
		}
	}
	return r
}

// equal compares two variables.
func equal(a, b boolprog.Var) *boolprog.Expr {
	return &boolprog.Expr{Op: boolprog.OpEqual, Args: []*boolprog.Expr{boolprog.Use(a), boolprog.Use(b)}}
}

// isOff tells that a flag is not set.
func isOff(v boolprog.Var) *boolprog.Expr { return boolprog.Not(boolprog.Use(v)) }

// in tells that control is in a context.
func (s *sequential) in(context int) *boolprog.Expr {
	var es []*boolprog.Expr
	for i, v := range s.k {
		e := boolprog.Use(v)
		if context>>i&1 == 0 {
			e = boolprog.Not(e)
		}
		es = append(es, e)
	}
	return all(es...)
}

// setK makes an edge change the context.
func (s *sequential) setK(e *boolprog.Edge, context int) {
	for i, v := range s.k {
		e.Targets = append(e.Targets, v)
		e.Values = append(e.Values, boolprog.Const(context>>i&1 == 1))
	}
}

// set makes an edge change a flag.
func set(e *boolprog.Edge, v boolprog.Var, value bool) *boolprog.Edge {
	e.Targets = append(e.Targets, v)
	e.Values = append(e.Values, boolprog.Const(value))
	return e
}

// copier rewrites a procedure.
type copier struct {
	*sequential
	from, to *boolprog.Proc
	temps    int // variables for results of calls, before the results of the procedure
}

// variable is τ of Fig. 1: a variable in a context.
func (c *copier) variable(v boolprog.Var, context int) boolprog.Var {
	switch {
	case v.Global:
		return c.copies[context][v.Index]
	case v.Index >= len(c.from.Vars)-c.from.Results:
		return boolprog.Var{Index: v.Index + c.temps}
	}
	return v
}

// expr is τ of an expression.
func (c *copier) expr(e *boolprog.Expr, context int) *boolprog.Expr {
	if e == nil {
		return nil
	}
	r := *e
	if e.Op == boolprog.OpVar {
		r.Var = c.variable(e.Var, context)
	}
	r.Args = nil
	for _, a := range e.Args {
		r.Args = append(r.Args, c.expr(a, context))
	}
	return &r
}

// targets is τ of the targets of an edge.
func (c *copier) targets(e *boolprog.Edge, context int) (l []boolprog.Var) {
	for _, v := range e.Targets {
		l = append(l, c.variable(v, context))
	}
	return l
}

// values is τ of the values of an edge.
func (c *copier) values(e *boolprog.Edge, context int) (l []*boolprog.Expr) {
	for _, v := range e.Values {
		l = append(l, c.expr(v, context))
	}
	return l
}

// procedure writes the reduction of a procedure.
func (s *sequential) procedure(f, g *boolprog.Proc) {
	c := &copier{sequential: s, from: f, to: g}
	for _, e := range f.Edges {
		if e.Callee != nil {
			c.temps = max(c.temps, len(e.Targets))
		}
	}
	first := len(f.Vars) - f.Results
	g.Vars = append(g.Vars, f.Vars[:first]...)
	for i := range c.temps {
		g.Vars = append(g.Vars, fmt.Sprintf("returned %d", i+1))
	}
	g.Vars = append(g.Vars, f.Vars[first:]...)
	g.Nodes = append(g.Nodes, f.Nodes...)
	g.Entry, g.Exit = f.Entry, f.Exit
	for i, n := range f.Nodes {
		g.Nodes[i].Error = false
		switch {
		case n.Error:
			g.Edges = append(g.Edges, set(set(&boolprog.Edge{From: i, To: g.Exit, Pos: n.Pos}, s.err, true), s.stop, true))
		case i != f.Exit && !n.Atomic:
			c.interrupt(i, n.Pos, nil)
		}
	}
	for _, e := range f.Edges {
		if e.Callee != nil {
			c.call(e)
			continue
		}
		for context := range s.rounds {
			copied := &boolprog.Edge{From: e.From, To: e.To, Pos: e.Pos, Text: e.Text, Guard: all(s.in(context), c.expr(e.Guard, context)),
				Targets: c.targets(e, context), Values: c.values(e, context), Constrain: c.expr(e.Constrain, context)}
			g.Edges = append(g.Edges, copied)
			s.origin[copied] = origin{e, context + 1, false}
		}
	}
}

// interrupt adds the ends of the context, and of the thread, at a node.
func (c *copier) interrupt(at int, pos boolprog.Pos, guard *boolprog.Expr) {
	for context := range c.rounds - 1 {
		e := &boolprog.Edge{From: at, To: at, Pos: pos, Guard: all(guard, c.in(context))}
		c.setK(e, context+1)
		c.to.Edges = append(c.to.Edges, e)
	}
	c.to.Edges = append(c.to.Edges, set(&boolprog.Edge{From: at, To: c.to.Exit, Pos: pos, Guard: guard}, c.stop, true))
}

// call writes a call: the arguments are those of the context it begins in, the
// results are assigned in the context it ends in.
func (c *copier) call(e *boolprog.Edge) {
	g := c.to
	back := len(g.Nodes)
	g.Nodes = append(g.Nodes, boolprog.Node{Pos: e.Pos})
	var temps []boolprog.Var
	for i := range e.Targets {
		temps = append(temps, boolprog.Var{Index: len(c.from.Vars) - c.from.Results + i})
	}
	for context := range c.rounds {
		at := len(g.Nodes)
		g.Nodes = append(g.Nodes, boolprog.Node{Pos: e.Pos})
		call := &boolprog.Edge{From: at, To: back, Pos: e.Pos, Text: e.Text, Callee: c.procs[e.Callee], Targets: temps, Values: c.values(e, context)}
		g.Edges = append(g.Edges, &boolprog.Edge{From: e.From, To: at, Pos: e.Pos, Guard: c.in(context)}, call)
		c.origin[call] = origin{e, context + 1, false}
		result := &boolprog.Edge{From: back, To: e.To, Pos: e.Pos, Guard: all(isOff(c.stop), c.in(context)), Targets: c.targets(e, context)}
		for _, v := range temps {
			result.Values = append(result.Values, boolprog.Use(v))
		}
		g.Edges = append(g.Edges, result)
		c.origin[result] = origin{e, context + 1, true}
	}
	c.interrupt(back, e.Pos, isOff(c.stop))
	g.Edges = append(g.Edges, &boolprog.Edge{From: back, To: g.Exit, Pos: e.Pos, Guard: boolprog.Use(c.stop)})
}

// driver writes the procedure that runs the threads and then the checker.
func (s *sequential) driver() {
	d := &boolprog.Proc{Name: "sequential program"}
	s.out.Procs = append(s.out.Procs, d)
	s.out.Threads = []*boolprog.Proc{d}
	add := func(e *boolprog.Edge) {
		d.Nodes = append(d.Nodes, boolprog.Node{})
		e.From, e.To = len(d.Nodes)-1, len(d.Nodes)
		d.Edges = append(d.Edges, e)
	}
	c := &copier{sequential: s, from: &boolprog.Proc{}, to: d}
	begin := all(isOff(s.stop), isOff(s.err), s.in(0), c.expr(s.prog.Init, 0))
	check := boolprog.Const(true)
	for k := 1; k < s.rounds; k++ {
		for v := range s.prog.Globals {
			begin = all(begin, equal(s.copies[k][v], s.guesses[k][v]))
			check = all(check, equal(s.copies[k-1][v], s.guesses[k][v]))
		}
	}
	add(&boolprog.Edge{Guard: begin})
	for _, f := range s.prog.Threads {
		add(&boolprog.Edge{Callee: s.procs[f]})
		e := set(&boolprog.Edge{}, s.stop, false)
		s.setK(e, 0)
		add(e)
	}
	add(&boolprog.Edge{Guard: check})
	n := len(d.Nodes)
	d.Nodes = append(d.Nodes, boolprog.Node{}, boolprog.Node{}, boolprog.Node{Error: true})
	d.Exit = n + 1
	d.Edges = append(d.Edges, &boolprog.Edge{From: n, To: n + 1, Guard: isOff(s.err)}, &boolprog.Edge{From: n, To: n + 2, Guard: boolprog.Use(s.err)})
}
