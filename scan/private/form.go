package private

import (
	"comus/cir"
	"comus/scan/thread"
	"comus/scan/valuenum"
)

// form says that the lowest bits of a value are those of a symbol plus a constant. A nil symbol is the thread's argument.
type form struct {
	sym  *valuenum.Sym
	bits int
	add  int64
}

// formOf returns the form of a value that is made of one symbol by conversions and constants.
func (r *Result) formOf(v valuenum.Value) (form, bool) {
	f := form{bits: r.model.PointerBits, add: v.Off}
	for {
		if v.Base == nil || v.Index != nil {
			return f, false
		}
		f.sym = v.Base
		if v.Base.Kind != valuenum.Conv {
			return f, true
		}
		t, ok := v.Base.What.(cir.Type)
		if !ok || t.IsFloat() || t == cir.Bool {
			return f, false
		}
		v = v.Base.At
		f.bits, f.add = min(f.bits, t.Bits), f.add+v.Off
	}
}

// argument returns what a value of a node is made of, if that is the argument of threads.
func (r *Result) argument(g *group, n *thread.Node, v valuenum.Value) (form, bool) {
	f, ok := r.formOf(v)
	if !ok || f.sym.Kind != valuenum.Param || f.sym.Func != n.Fn {
		return f, false
	}
	facts := g.facts[n]
	if int(f.sym.N) >= len(facts) || facts[f.sym.N] == nil {
		return f, false
	}
	k := facts[f.sym.N]
	return form{nil, min(f.bits, k.bits), f.add + k.add}, true
}

// counted returns what a value of the creating function is made of, if that is the number by which the loop counts, and no two numbers give the same.
func (r *Result) counted(g *group, v valuenum.Value) (form, bool) {
	f, ok := r.formOf(v)
	return f, ok && f.sym == g.loop.Sym && f.bits >= counterBits(g)
}

// counterBits returns how many bits tell the numbers of a loop apart.
func counterBits(g *group) int {
	return int(g.loop.Sym.What.(*cir.Local).Size) * 8
}

// follow finds out which parameters of the functions that threads run hold what is made of their argument.
func (r *Result) follow(g *group) {
	type callee struct {
		n    *thread.Node
		from *thread.Node
		in   *cir.Call
	}
	var calls []callee
	open := map[*thread.Node]bool{}
	start := g.t.StartCall()
	for _, n := range g.t.Roots() {
		open[n] = true
	}
	for _, n := range r.threads.Nodes(g.t) {
		for _, b := range n.Fn.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(*cir.Call)
				if !ok {
					continue
				}
				for _, m := range r.threads.Calls(g.t, n, call) {
					calls = append(calls, callee{m, n, call})
					if n.Outside(call) || n.Fn.Library && !m.Fn.Library && !(call == start && n == g.t.Root) {
						open[m] = true
					}
				}
			}
		}
	}
	g.facts = map[*thread.Node][]*form{}
	seen := map[*thread.Node]bool{}
	for changed := true; changed; {
		changed = false
		for _, c := range calls {
			if c.from != g.t.Root && !seen[c.from] && !open[c.from] {
				continue // nobody is known to call it yet
			}
			facts := make([]*form, len(c.n.Fn.Params))
			if !open[c.n] {
				for i := range facts {
					facts[i] = r.passed(g, c.from, c.in, i, start)
				}
			}
			changed = g.meet(c.n, facts, seen) || changed
		}
	}
}

// passed returns what a call gives a parameter, nil if that is not made of the argument.
func (r *Result) passed(g *group, n *thread.Node, in *cir.Call, i int, start *cir.Call) *form {
	if in == start && n == g.t.Root {
		if i == 0 {
			return &form{bits: r.model.PointerBits}
		}
		return nil
	}
	f := r.function(n)
	if f == nil || i >= len(in.Args) || in.Args[i].ByVal != nil {
		return nil
	}
	if k, ok := r.argument(g, n, f.Value(in.Args[i].X)); ok {
		return &k
	}
	return nil
}

// meet keeps of what is known of a node's parameters what holds of one more call, too. It reports whether that is news.
func (g *group) meet(n *thread.Node, facts []*form, seen map[*thread.Node]bool) (changed bool) {
	if !seen[n] {
		seen[n] = true
		g.facts[n] = facts
		return true
	}
	for i, old := range g.facts[n] {
		if old != nil && (facts[i] == nil || *facts[i] != *old) {
			g.facts[n][i], changed = nil, true
		}
	}
	return changed
}
