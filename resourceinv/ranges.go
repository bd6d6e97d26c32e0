package resourceinv

import (
	"slices"

	"comus/logic"
)

// ranges is what is known of the values of a relation's parameters: for some conditions on one parameter (that it is, or is not, what the
// program compares it with) an interval of each other one: "if the box is full, there is a 7 in it". An interval
// grows with the values that come; after some of them it grows to constants of the program, farther each time, and then to anything.
type ranges struct {
	params []*logic.Term
	guards []*logic.Term // the first is true
	// of has, by guard, the intervals of the parameters; nil if the guard has not been true so far.
	of [][]interval
}

// interval is the values that have come.
type interval struct {
	lo, hi     logic.Value
	noLo, noHi bool
	grown      int
}

// patient is how many values an interval takes before it grows faster.
const patient = 3

// newRanges chooses the conditions.
func (g *guesses) newRanges(r *relation) *ranges {
	out := &ranges{params: r.params, guards: []*logic.Term{g.s.l.True()}}
	for _, p := range r.params {
		for _, f := range g.tests[p] {
			out.guards = append(out.guards, f, g.s.l.Not(f))
		}
	}
	out.guards = append(out.guards, g.within(r)...)
	out.of = make([][]interval, len(out.guards))
	return out
}

// maxTests bounds how many values of a variable are told apart.
const maxTests = 3

// findTests finds with which constants the program compares its variables, and all its constants.
func (g *guesses) findTests() {
	g.tests = map[*logic.Term][]*logic.Term{}
	add := func(f *logic.Term) {
		if c, ok := f.Const(); ok {
			g.constants = append(g.constants, c.Add(logic.IntValue(-1)), c, c.Add(logic.IntValue(1)))
		}
		if f.Op() != logic.OpEq {
			return
		}
		vars := logic.FreeVars(f)
		if len(vars) != 1 || logic.Size(f) != 3 || len(g.tests[vars[0]]) >= maxTests || slices.Contains(g.tests[vars[0]], f) {
			return
		}
		if v := g.s.tab[vars[0]]; v != nil {
			g.tests[v.Sym] = append(g.tests[v.Sym], g.s.l.Subst(f, map[*logic.Term]*logic.Term{vars[0]: v.Sym}))
		}
	}
	g.s.eachBlock(func(_ *thread, b *block) {
		logic.Visit(add, b.cond)
		for _, x := range b.value {
			logic.Visit(add, x)
		}
	})
	slices.SortFunc(g.constants, logic.Value.Cmp)
	g.constants = slices.Compact(g.constants)
}

// extend takes in a state and reports whether that changes anything.
func (r *ranges) extend(values map[*logic.Term]logic.Value, constants []logic.Value) bool {
	changed := false
	for i, f := range r.guards {
		if !logic.Eval(f, func(v *logic.Term) logic.Value { return values[v] }).Bool() {
			continue
		}
		if r.of[i] == nil {
			changed = true
			r.of[i] = []interval{}
			for _, p := range r.params {
				r.of[i] = append(r.of[i], interval{lo: values[p], hi: values[p]})
			}
		}
		for k, p := range r.params {
			changed = r.of[i][k].extend(values[p], constants) || changed
		}
	}
	return changed
}

// extend takes in a value.
func (x *interval) extend(v logic.Value, constants []logic.Value) bool {
	low, high := !x.noLo && v.Cmp(x.lo) < 0, !x.noHi && v.Cmp(x.hi) > 0
	if !low && !high {
		return false
	}
	x.grown++
	if x.grown > patient {
		at, _ := slices.BinarySearchFunc(constants, v, logic.Value.Cmp) // the first that is not below
		far := 1<<min(x.grown-patient-1, 20) - 1
		if low && (at == len(constants) || constants[at].Cmp(v) > 0) {
			at--
		}
		if low {
			at -= far
		} else {
			at += far
		}
		switch {
		case at >= 0 && at < len(constants):
			v = constants[at]
		case low:
			x.noLo = true
		default:
			x.noHi = true
		}
	}
	if low {
		x.lo = v
	} else {
		x.hi = v
	}
	return true
}

// facts returns what is known.
func (r *ranges) facts(l *logic.Store) []*logic.Term {
	var out []*logic.Term
	for i, f := range r.guards {
		if r.of[i] == nil {
			out = append(out, l.Not(f))
			continue
		}
		for k, p := range r.params {
			x := r.of[i][k]
			if !x.noLo && !r.impliedLo(i, k) {
				out = append(out, l.Or(l.Not(f), l.Le(l.Value(x.lo), p)))
			}
			if !x.noHi && !r.impliedHi(i, k) {
				out = append(out, l.Or(l.Not(f), l.Le(p, l.Value(x.hi))))
			}
		}
	}
	return out
}

// impliedLo reports whether a lower bound is no better under a guard than without.
func (r *ranges) impliedLo(guard, param int) bool {
	x, y := r.of[guard][param], r.of[0][param]
	return guard > 0 && !y.noLo && x.lo.Cmp(y.lo) == 0
}

// impliedHi is impliedLo for upper bounds.
func (r *ranges) impliedHi(guard, param int) bool {
	x, y := r.of[guard][param], r.of[0][param]
	return guard > 0 && !y.noHi && x.hi.Cmp(y.hi) == 0
}
