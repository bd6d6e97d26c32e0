package check

import (
	"fmt"
	"slices"

	"comus/ir"
	"comus/ir/interp"
	"comus/logic"
)

// Inexact is the error of [Unsafe] for an execution that is one of the program, but not
// therefore one of the source: approximations have a part in it.
type Inexact struct {
	Trace interp.Trace
	// On are the approximations that the execution depends on, in the order in which it
	// passes them.
	On []ir.Approximation
}

// Error names the approximations.
func (e *Inexact) Error() string {
	return "the execution depends on " + Several(e.On)
}

// Several names one approximation, and says how many others there are.
func Several(on []ir.Approximation) string {
	text := on[0].String()
	switch n := len(on) - 1; {
	case n == 1:
		text += " and one other approximation"
	case n > 1:
		text += fmt.Sprintf(" and %d other approximations", n)
	}
	return text
}

// exact returns an error, an *Inexact, if an execution depends on an approximation: if it
// passes a step that the source may not take, or if an assumption depends on a value that an
// approximation chose. See [ir.Approximation]. The execution is walked along once more, with
// the approximations that the value of each variable comes of: a value computed from others
// comes of what they come of, but for the parts of a choice that were not taken, and for the
// operands of a conjunction or disjunction beside one that decides alone.
func exact(p *ir.Program, sched ir.Schedule, tr interp.Trace) error {
	if !slices.ContainsFunc(sched.Steps, func(s ir.Step) bool { return s.Edge.Approx != "" }) {
		return nil
	}
	w := &origins{tab: p.Symbols(), vals: slices.Clone(tr.Initial.Vals), of: map[*ir.Var]causes{}, number: map[ir.Approximation]int{}}
	depends := causes{}
	for _, st := range sched.Steps {
		depends = depends.with(w.step(st))
	}
	if len(depends) == 0 {
		return nil
	}
	out := &Inexact{Trace: tr}
	for _, n := range depends {
		out.On = append(out.On, w.met[n])
	}
	return out
}

// origins are the approximations that values come of, at a point of an execution.
type origins struct {
	tab    ir.SymTable
	vals   []logic.Value
	of     map[*ir.Var]causes // those of a variable's value, if there are some
	met    []ir.Approximation
	number map[ir.Approximation]int // the place in met
}

// causes are approximations, by their numbers in ascending order.
type causes []int

// with returns the union of two sets.
func (s causes) with(t causes) causes {
	switch {
	case len(t) == 0:
		return s
	case len(s) == 0:
		return t
	}
	out := slices.Concat(s, t)
	slices.Sort(out)
	return slices.Compact(out)
}

// step takes a step, and returns the approximations that it cannot be taken without.
func (w *origins) step(st ir.Step) causes {
	e, depends, inputs := st.Edge, causes{}, st.Inputs
	if e.Doubtful() {
		depends = w.approximation(e)
	}
	for _, c := range e.Cmds {
		switch c.Kind {
		case ir.Assume:
			depends = depends.with(w.term(c.Cond))
		case ir.Assign:
			from, v := w.term(c.Expr), logic.Eval(c.Expr, w.value)
			w.set(c.Var, v, from)
		case ir.Havoc:
			var from causes
			if e.Approx != "" {
				from = w.approximation(e)
			}
			w.set(c.Var, inputs[0], from)
			inputs = inputs[1:]
		}
	}
	return depends
}

// approximation returns the one that an edge stands for.
func (w *origins) approximation(e *ir.Edge) causes {
	a := e.Approximation()
	n, known := w.number[a]
	if !known {
		n = len(w.met)
		w.number[a], w.met = n, append(w.met, a)
	}
	return causes{n}
}

func (w *origins) set(v *ir.Var, k logic.Value, from causes) {
	w.vals[v.Index] = k
	if len(from) == 0 {
		delete(w.of, v)
	} else {
		w.of[v] = from
	}
}

func (w *origins) value(sym *logic.Term) logic.Value { return w.vals[w.tab[sym].Index] }

// term returns the approximations that the value of a term comes of.
func (w *origins) term(t *logic.Term) causes {
	if !slices.ContainsFunc(logic.FreeVars(t), func(s *logic.Term) bool { return w.of[w.tab[s]] != nil }) {
		return nil
	}
	memo := map[*logic.Term]causes{}
	var walk func(t *logic.Term) causes
	walk = func(t *logic.Term) causes {
		if s, ok := memo[t]; ok {
			return s
		}
		var out causes
		args := t.Args()
		switch t.Op() {
		case logic.OpVar:
			out = w.of[w.tab[t]]
		case logic.OpIte:
			if out = walk(args[0]); len(out) > 0 {
				out = out.with(walk(args[1])).with(walk(args[2]))
			} else if logic.Eval(args[0], w.value).Bool() {
				out = walk(args[1])
			} else {
				out = walk(args[2])
			}
		case logic.OpAnd, logic.OpOr:
			for _, a := range args {
				own := walk(a)
				if len(own) == 0 && logic.Eval(a, w.value).Bool() == (t.Op() == logic.OpOr) {
					out = nil
					break
				}
				out = out.with(own)
			}
		default:
			for _, a := range args {
				out = out.with(walk(a))
			}
		}
		memo[t] = out
		return out
	}
	return walk(t)
}
