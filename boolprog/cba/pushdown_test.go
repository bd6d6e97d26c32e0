package cba

import (
	"comus/boolprog"
	"comus/boolprog/interp"
	"comus/boolprog/pds"
)

// pushdown writes a Boolean program as a concurrent pushdown system, as section 4 does
// it: a state is a value of the global variables, or failed; a symbol is a node with the
// values of the local variables. Nodes inside atomic blocks are no symbols: steps into a
// block go on to where they leave it, so that nothing can interrupt them. The results of a
// procedure are guessed when it is called: they are part of its symbols, and it returns
// only where it has computed them.
type pushdown struct {
	prog    *boolprog.Program
	failed  int
	symbols map[symbol]int
	todo    []symbol
	rules   []pds.Rule
}

// symbol is a place on a stack. A frame that waits for a call has the guess for it.
type symbol struct {
	proc    *boolprog.Proc
	node    int
	locals  int // in binary
	guess   int // of the procedure's results
	call    *boolprog.Edge
	results int // of the call
	begin   bool
}

// threadSystem returns the pushdown system of a thread.
func (w *pushdown) threadSystem(f *boolprog.Proc) pds.Thread {
	w.symbols, w.rules = map[symbol]int{}, nil
	begin := symbol{proc: f, begin: true}
	start := w.symbol(begin)
	for len(w.todo) > 0 {
		s := w.todo[0]
		w.todo = w.todo[1:]
		for globals := range 1 << len(w.prog.Globals) {
			w.steps(s, globals)
		}
	}
	return pds.Thread{Symbols: len(w.symbols), Rules: w.rules, Start: start}
}

// symbol numbers a symbol.
func (w *pushdown) symbol(s symbol) int {
	n, ok := w.symbols[s]
	if !ok {
		n = len(w.symbols)
		w.symbols[s] = n
		w.todo = append(w.todo, s)
	}
	return n
}

// rule adds a rule.
func (w *pushdown) rule(from symbol, globals, to int, stack ...symbol) {
	r := pds.Rule{P: globals, G: w.symbol(from), Q: to}
	for _, s := range stack {
		r.W = append(r.W, w.symbol(s))
	}
	w.rules = append(w.rules, r)
}

// steps adds the rules for a symbol on top of the stack.
func (w *pushdown) steps(s symbol, globals int) {
	switch {
	case s.begin:
		for locals := range 1 << len(s.proc.Vars) {
			w.rule(s, globals, globals, symbol{proc: s.proc, node: s.proc.Entry, locals: locals})
		}
		return
	case s.call != nil: // it has returned
		w.assign(s, globals)
		return
	case s.node == s.proc.Exit:
		if s.locals>>(len(s.proc.Vars)-s.proc.Results) == s.guess {
			w.rule(s, globals, globals)
		}
		return
	}
	for _, e := range s.proc.Edges {
		if e.From == s.node && e.Callee != nil {
			w.call(s, e, globals)
		}
	}
	w.run(s, s, globals, globals, map[[3]int]bool{})
}

// run takes the steps from a node, and those behind them inside an atomic block.
func (w *pushdown) run(from, s symbol, before, globals int, seen map[[3]int]bool) {
	key := [3]int{s.node, s.locals, globals}
	if seen[key] {
		return
	}
	seen[key] = true
	for _, e := range s.proc.Edges {
		if e.From != s.node || e.Callee != nil {
			continue
		}
		for g := range 1 << len(w.prog.Globals) {
			for l := range 1 << len(s.proc.Vars) {
				if !interp.Possible(w.prog, s.proc, e, w.globals(globals), s.vars(), w.globals(g), values(l, len(s.proc.Vars))) {
					continue
				}
				to := s
				to.node, to.locals = e.To, l
				switch n := s.proc.Nodes[e.To]; {
				case n.Error:
					w.rule(from, before, w.failed, from)
				case n.Atomic:
					w.run(from, to, before, g, seen)
				default:
					w.rule(from, before, g, to)
				}
			}
		}
	}
}

// call adds the rules for a call: arguments and results may be any that are possible.
func (w *pushdown) call(s symbol, e *boolprog.Edge, globals int) {
	f := e.Callee
	for locals := range 1 << len(f.Vars) {
		if !interp.Possible(w.prog, s.proc, e, w.globals(globals), s.vars(), w.globals(globals), values(locals, len(f.Vars))) {
			continue
		}
		for guess := range 1 << f.Results {
			wait := s
			wait.call, wait.results, wait.node = e, guess, e.To
			w.rule(s, globals, globals, symbol{proc: f, node: f.Entry, locals: locals, guess: guess}, wait)
		}
	}
}

// assign adds the rule for the results of a call.
func (w *pushdown) assign(s symbol, globals int) {
	to, after := s, globals
	to.call, to.results = nil, 0
	for i, v := range s.call.Targets {
		in := &to.locals
		if v.Global {
			in = &after
		}
		*in = *in&^(1<<v.Index) | s.results>>i&1<<v.Index
	}
	w.rule(s, globals, after, to)
}

// globals returns the values of the global variables.
func (w *pushdown) globals(n int) []bool { return values(n, len(w.prog.Globals)) }

// vars returns the values of the variables of the symbol's procedure.
func (s symbol) vars() []bool { return values(s.locals, len(s.proc.Vars)) }

// values returns the bits of a number, the first variable's the lowest.
func values(n, vars int) []bool {
	l := make([]bool, vars)
	for i := range l {
		l[i] = n>>i&1 == 1
	}
	return l
}

// pushdownSize is the largest reduction, in states times symbols, that is analysed.
const pushdownSize = 20_000

// byPushdown decides a program by the reduction of Fig. 4 and post*: whether an
// assertion can fail, and otherwise with which values of the global variables the last
// round can end. It does not if the reduction would be large.
func byPushdown(p *boolprog.Program, rounds int) (unsafe bool, final func(globals []bool) bool, ok bool) {
	states := 1 << len(p.Globals)
	w := &pushdown{prog: p, failed: states}
	c := &pds.Concurrent{States: states + 1}
	size := rounds
	for range rounds {
		size *= c.States
	}
	symbols := 0
	for _, f := range p.Threads {
		c.Threads = append(c.Threads, w.threadSystem(f))
		symbols += len(w.symbols)
	}
	if size*symbols > pushdownSize {
		return false, nil, false
	}
	red := c.Reduce(rounds)
	found := map[string]bool{}
	for start := range states {
		if !interp.Initial(p, w.globals(start)) {
			continue
		}
		for to := range red.Forward(start) {
			if to == w.failed {
				unsafe = true
			} else {
				found[interp.Bits(w.globals(to))] = true
			}
		}
	}
	return unsafe, func(globals []bool) bool { return found[interp.Bits(globals)] }, true
}
