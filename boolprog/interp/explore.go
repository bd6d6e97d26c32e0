package interp

import (
	"fmt"
	"strings"

	"comus/boolprog"
)

// Bounds limit an exploration.
type Bounds struct {
	Rounds int // of the schedule
	Depth  int // of a stack
	States int
}

// Explored is what an exploration has found.
type Explored struct {
	Unsafe    bool            // an assertion can fail
	Truncated bool            // there are more states than the bounds allow
	States    int             // visited
	Final     map[string]bool // the global variables at the end of the last round, as Bits writes them
}

// config is a state of the program within the schedule.
type config struct {
	*machine
	round, thread int
}

// Explore visits all states of a program that are within the bounds.
func Explore(p *boolprog.Program, b Bounds) *Explored {
	x := &explorer{prog: p, bounds: b, seen: map[string]bool{}, found: &Explored{Final: map[string]bool{}}, out: map[*boolprog.Proc][][]*boolprog.Edge{}}
	for _, f := range p.Procs {
		x.out[f] = f.Out()
	}
	vectors(make([]bool, len(p.Globals)), 0, func(globals []bool) {
		if Initial(p, globals) {
			x.begin(globals, nil)
		}
	})
	for len(x.todo) > 0 && len(x.seen) <= b.States {
		c := x.todo[0]
		x.todo = x.todo[1:]
		x.visit(c)
	}
	x.found.Truncated = x.found.Truncated || len(x.todo) > 0
	x.found.States = len(x.seen)
	return x.found
}

// explorer is an exploration.
type explorer struct {
	prog   *boolprog.Program
	bounds Bounds
	seen   map[string]bool
	todo   []config
	found  *Explored
	out    map[*boolprog.Proc][][]*boolprog.Edge
}

// vectors calls f with copies of v whose values from i on are all there are.
func vectors(v []bool, i int, f func([]bool)) {
	if i == len(v) {
		f(append([]bool(nil), v...))
		return
	}
	for _, b := range []bool{false, true} {
		v[i] = b
		vectors(v, i+1, f)
	}
}

// begin adds the starts with these global variables and with the variables of the
// first threads.
func (x *explorer) begin(globals []bool, vars [][]bool) {
	if len(vars) == len(x.prog.Threads) {
		x.add(config{start(x.prog, globals, vars), 1, 0})
		return
	}
	vectors(make([]bool, len(x.prog.Threads[len(vars)].Vars)), 0, func(v []bool) {
		x.begin(globals, append(vars[:len(vars):len(vars)], v))
	})
}

// add adds a state if it is new.
func (x *explorer) add(c config) {
	var b strings.Builder
	fmt.Fprint(&b, c.round, " ", c.thread, " ", Bits(c.globals))
	for _, t := range c.threads {
		b.WriteByte('|')
		for _, f := range t {
			fmt.Fprint(&b, f.Proc.Name, " ", f.Node, " ", Bits(f.Vars), " ")
			if f.Call != nil {
				fmt.Fprintf(&b, "%p ", f.Call)
			}
		}
	}
	if key := b.String(); !x.seen[key] {
		x.seen[key] = true
		x.todo = append(x.todo, c)
	}
}

// Bits writes values as 0 and 1.
func Bits(v []bool) string {
	b := make([]byte, len(v))
	for i, x := range v {
		b[i] = '0'
		if x {
			b[i] = '1'
		}
	}
	return string(b)
}

// visit adds the successors of a state.
func (x *explorer) visit(c config) {
	n := c.node(c.thread)
	if n.Error {
		x.found.Unsafe = true
		return
	}
	if !n.Atomic {
		last := c.thread == len(c.threads)-1
		switch {
		case !last:
			x.add(config{c.machine, c.round, c.thread + 1})
		case c.round < x.bounds.Rounds:
			x.add(config{c.machine, c.round + 1, 0})
		default:
			x.found.Final[Bits(c.globals)] = true
		}
	}
	t := c.threads[c.thread]
	if len(t) == 0 {
		return
	}
	top := t[len(t)-1]
	if top.Node == top.Proc.Exit {
		x.leave(c, t)
	}
	for _, e := range x.out[top.Proc][top.Node] {
		if e.Callee != nil && len(t) >= x.bounds.Depth {
			x.found.Truncated = true
			continue
		}
		x.edge(c, top, e)
	}
}

// leave returns from the running procedure.
func (x *explorer) leave(c config, t Thread) {
	top := t[len(t)-1]
	if len(t) == 1 {
		x.take(c, nil, c.globals, nil)
		return
	}
	below := t[len(t)-2]
	targets := below.Call.Targets
	x.assign(c, nil, targets, c.globals, below.Vars, func(i int) values {
		v := top.Vars[top.Proc.Result(i).Index]
		return values{!v, v}
	})
}

// edge takes an edge in all ways.
func (x *explorer) edge(c config, top Frame, e *boolprog.Edge) {
	st := &state{globals: c.globals, locals: top.Vars}
	value := func(i int) values { return st.eval(e.Values[i]) }
	if e.Callee == nil {
		if st.allows(e.Guard) {
			x.assign(c, e, e.Targets, c.globals, top.Vars, value)
		}
		return
	}
	vectors(make([]bool, len(e.Callee.Vars)), 0, func(vars []bool) {
		for i := range e.Values {
			if !value(i).can(vars[i]) {
				return
			}
		}
		x.take(c, e, c.globals, vars)
	})
}

// assign gives targets all their values, one after the other.
func (x *explorer) assign(c config, e *boolprog.Edge, targets []boolprog.Var, globals, vars []bool, value func(i int) values) {
	i := len(targets) - 1
	if i < 0 {
		before := c.threads[c.thread]
		st := &state{c.globals, before[len(before)-1].Vars, globals, vars}
		if e == nil || st.allows(e.Constrain) {
			x.take(c, e, globals, vars)
		}
		return
	}
	for _, v := range []bool{false, true} {
		if !value(i).can(v) {
			continue
		}
		g, l := append([]bool(nil), globals...), append([]bool(nil), vars...)
		if targets[i].Global {
			g[targets[i].Index] = v
		} else {
			l[targets[i].Index] = v
		}
		x.assign(c, e, targets[:i], g, l, value)
	}
}

// take adds the state after a step.
func (x *explorer) take(c config, e *boolprog.Edge, globals, vars []bool) {
	s := Step{Thread: c.thread, Round: c.round, Edge: e, Globals: globals, Vars: vars}
	if err := c.check(s); err != nil {
		panic(fmt.Sprintf("the interpreter does not allow its own step: %v", err))
	}
	m := *c.machine
	m.apply(s)
	x.add(config{&m, c.round, c.thread})
}

// Initial tells whether the global variables can have these values at the start.
func Initial(p *boolprog.Program, globals []bool) bool {
	return (&state{globals: globals}).allows(p.Init)
}
