// Package concrete enumerates states of small programs with the interpreter, for
// tests that compare a symbolic component with what programs really do. It is
// simple and slow.
package concrete

import (
	"fmt"
	"strings"

	"comus/ir"
	"comus/ir/interp"
	"comus/logic"
)

// maxDomain is the largest number of values a havocked variable may have.
const maxDomain = 16

// Key identifies a state.
func Key(s *interp.State) string {
	var b strings.Builder
	for _, l := range s.Locs {
		fmt.Fprintf(&b, "%d,", l.Index)
	}
	for _, v := range s.Vals {
		b.WriteString(v.String())
		b.WriteByte(',')
	}
	return b.String()
}

// Values returns the values of a variable's type, or nil if there are too many.
func Values(v *ir.Var) []logic.Value {
	lo, hi := v.Type.Range()
	n, ok := hi.Sub(lo).Int64()
	if !ok || n >= maxDomain {
		return nil
	}
	var out []logic.Value
	for x := lo; x.Cmp(hi) <= 0; x = x.Add(logic.IntValue(1)) {
		out = append(out, x)
	}
	return out
}

// choices calls f with every combination of values of the variables; a variable
// with too many values gets 0 and 1 only.
func choices(vars []*ir.Var, f func([]logic.Value)) {
	vals := make([]logic.Value, len(vars))
	var pick func(i int)
	pick = func(i int) {
		if i == len(vars) {
			f(append([]logic.Value(nil), vals...))
			return
		}
		dom := Values(vars[i])
		if dom == nil {
			dom = []logic.Value{{}, logic.IntValue(1)}
		}
		for _, v := range dom {
			vals[i] = v
			pick(i + 1)
		}
	}
	pick(0)
}

// Initial calls f with every initial state.
func Initial(p *ir.Program, f func(*interp.State)) error {
	var open []*ir.Var
	for _, v := range p.Vars {
		if v.Init == nil && v.Thread == ir.Shared {
			open = append(open, v)
		}
	}
	var first error
	choices(open, func(vals []logic.Value) {
		init := map[int]logic.Value{}
		for i, v := range open {
			init[v.Index] = vals[i]
		}
		s, err := interp.Initial(p, init)
		if err != nil {
			first = err
			return
		}
		f(s)
	})
	return first
}

// Step returns the states that edge e can lead to from s, for all inputs.
func Step(p *ir.Program, s *interp.State, e *ir.Edge) []*interp.State {
	var out []*interp.State
	choices(interp.Havocs(e), func(in []logic.Value) {
		if next, err := interp.Step(p, s, e, in); err == nil {
			out = append(out, next)
		}
	})
	return out
}

// Run returns the states that the edges, one after another, can lead to.
func Run(p *ir.Program, s *interp.State, edges []*ir.Edge) []*interp.State {
	states := []*interp.State{s}
	for _, e := range edges {
		var next []*interp.State
		for _, s := range states {
			next = append(next, Step(p, s, e)...)
		}
		states = next
	}
	return states
}

// Closure returns all states reachable from the given ones by the edges that
// succ lists for a state, and false if there are more than limit.
func Closure(start []*interp.State, limit int, succ func(*interp.State) []*interp.State) ([]*interp.State, bool) {
	seen := map[string]bool{}
	var out []*interp.State
	add := func(s *interp.State) {
		if k := Key(s); !seen[k] {
			seen[k] = true
			out = append(out, s)
		}
	}
	for _, s := range start {
		add(s)
	}
	for i := 0; i < len(out); i++ {
		if len(out) > limit {
			return nil, false
		}
		for _, s := range succ(out[i]) {
			add(s)
		}
	}
	return out, true
}

// Env returns the values of a state as an assignment of program variables and
// pcs.
func Env(p *ir.Program, s *interp.State) func(*logic.Term) logic.Value {
	vals := map[*logic.Term]logic.Value{}
	for _, v := range p.Vars {
		vals[v.Sym] = s.Vals[v.Index]
	}
	for i, t := range p.Threads {
		vals[t.PC] = logic.IntValue(int64(s.Locs[i].Index))
	}
	return func(sym *logic.Term) logic.Value { return vals[sym] }
}
