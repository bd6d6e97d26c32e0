package locpairs

import (
	"slices"

	"comus/ir"
	"comus/logic"
)

// state is an abstract state: an interval for each variable of interest.
type state struct {
	l     *logic.Store
	index map[*logic.Term]int // a variable's place in ivs; shared by all states
	vars  *[]*ir.Var          // the variable at each place
	// limits has the range of each variable's type.
	limits *[]interval
	ivs    []interval
}

func (s *state) clone() *state {
	return &state{s.l, s.index, s.vars, s.limits, slices.Clone(s.ivs)}
}

func (s *state) get(v *logic.Term) interval {
	if i, ok := s.index[v]; ok {
		return s.ivs[i]
	}
	return interval{}
}

func (s *state) set(v *logic.Term, iv interval) {
	if i, ok := s.index[v]; ok {
		s.ivs[i] = iv
	}
}

// meetSame is meet for a state of the same pair.
func (s *state) meetSame(t *state) bool {
	for i, b := range t.ivs {
		if b == s.ivs[i] {
			continue
		}
		r, ok := s.ivs[i].meet(b)
		if !ok {
			return false
		}
		s.ivs[i] = r
	}
	return true
}

// meet restricts the variables that t, a state of another pair, speaks about as
// well; false if nothing is left.
func (s *state) meet(t *state) bool {
	return s.meetBy(t, commonPlaces(*s.vars, t.index))
}

// commonPlaces returns, for each variable, its place in index; -1 if it has none.
func commonPlaces(vars []*ir.Var, index map[*logic.Term]int) []int {
	places := make([]int, len(vars))
	for i, v := range vars {
		places[i] = -1
		if j, ok := index[v.Sym]; ok {
			places[i] = j
		}
	}
	return places
}

// meetBy is meet where places has the place in t of each variable of s, or -1.
func (s *state) meetBy(t *state, places []int) bool {
	for i, j := range places {
		if j < 0 || t.ivs[j] == s.ivs[i] {
			continue
		}
		r, ok := s.ivs[i].meet(t.ivs[j])
		if !ok {
			return false
		}
		s.ivs[i] = r
	}
	return true
}

// joinInto widens s to include t and reports whether s changed. hard gives up
// the ends that still move.
func (s *state) joinInto(t *state, hard bool, limits []interval) bool {
	changed := false
	for i, a := range s.ivs {
		b := a.join(t.ivs[i])
		if hard && b != a {
			b, _ = a.widen(b).meet(limits[i])
		}
		if b != a {
			s.ivs[i] = b
			changed = true
		}
	}
	return changed
}

// run executes commands; false when they cannot be passed.
func (s *state) run(cmds []ir.Cmd) bool {
	for _, c := range cmds {
		switch c.Kind {
		case ir.Assume:
			if !s.refine(c.Cond) {
				return false
			}
		case ir.Assign:
			// The value is of the variable's type: the front end sees to that.
			iv, ok := s.eval(c.Expr).meet((*s.limits)[s.index[c.Var.Sym]])
			if !ok {
				return false
			}
			s.set(c.Var.Sym, iv)
		case ir.Havoc:
			lo, hi := c.Var.Type.Range()
			s.set(c.Var.Sym, between(lo, hi))
		}
	}
	return true
}

// refine restricts the state to those in which f may hold; false when there are
// none.
func (s *state) refine(f *logic.Term) bool {
	switch f.Op() {
	case logic.OpTrue:
		return true
	case logic.OpFalse:
		return false
	case logic.OpAnd:
		for range 2 { // once more: what a later conjunct taught helps an earlier one
			for _, a := range f.Args() {
				if !s.refine(a) {
					return false
				}
			}
		}
		return true
	case logic.OpOr:
		return s.refineOr(f.Args())
	case logic.OpLe:
		k, _ := f.Args()[1].Const()
		return s.refineLe(f.Args()[0], k)
	case logic.OpEq:
		return s.refineEq(f)
	case logic.OpNot:
		return s.refineNe(f.Args()[0])
	}
	return true
}

func (s *state) refineOr(args []*logic.Term) bool {
	var sum *state
	for _, a := range args {
		t := s.clone()
		if !t.refine(a) {
			continue
		}
		if sum == nil {
			sum = t
		} else {
			sum.joinInto(t, false, nil)
		}
	}
	if sum == nil {
		return false
	}
	s.ivs = sum.ivs
	return true
}

func (s *state) refineEq(f *logic.Term) bool {
	a, b := f.Args()[0], f.Args()[1]
	if a.Sort() == logic.Bool {
		return true
	}
	k, _ := b.Const()
	if a.IsVar() {
		r, ok := s.get(a).meet(point(k))
		if ok {
			s.set(a, r)
		}
		return ok
	}
	return s.refineLe(a, k) && s.refineLe(s.l.Neg(a), k.Neg())
}

// refineNe handles ¬(a = k): it cuts k off when it is an end of a variable's
// interval.
func (s *state) refineNe(eq *logic.Term) bool {
	if eq.Op() != logic.OpEq || eq.Args()[0].Sort() == logic.Bool {
		return true
	}
	a := eq.Args()[0]
	k, _ := eq.Args()[1].Const()
	iv := s.eval(a)
	if iv.isPoint() && iv.lo == k {
		return false
	}
	one := logic.IntValue(1)
	if iv.hasLo && iv.lo == k {
		return s.refineLe(s.l.Neg(a), k.Add(one).Neg())
	}
	if iv.hasHi && iv.hi == k {
		return s.refineLe(a, k.Sub(one))
	}
	return true
}

// refineLe handles Σ cᵢ·tᵢ ≤ k: each variable is bounded by k less the smallest
// value of the rest.
func (s *state) refineLe(sum *logic.Term, k logic.Value) bool {
	if sum.Op() != logic.OpAdd {
		v := s.eval(sum)
		return (!v.hasLo || v.lo.Cmp(k) <= 0) && s.boundAbove(sum, k)
	}
	parts := sum.Args()
	mins := make([]interval, len(parts))
	for i, t := range parts {
		mins[i] = s.eval(t)
	}
	for i, t := range parts {
		rest := point(logic.Value{})
		for j := range parts {
			if j != i {
				rest = rest.add(mins[j])
			}
		}
		if !rest.hasLo {
			continue
		}
		bound := k.Sub(rest.lo) // t ≤ bound
		if mins[i].hasLo && mins[i].lo.Cmp(bound) > 0 {
			return false
		}
		if !s.boundAbove(t, bound) {
			return false
		}
	}
	return true
}

// boundAbove adds t ≤ bound for a variable or a multiple of one.
func (s *state) boundAbove(t *logic.Term, bound logic.Value) bool {
	v, c := t, logic.IntValue(1)
	if t.Op() == logic.OpMul && len(t.Args()) == 2 {
		if k, ok := t.Args()[0].Const(); ok {
			v, c = t.Args()[1], k
		}
	}
	if v.Op() == logic.OpIte {
		return s.boundIte(v, c, bound)
	}
	if !v.IsVar() {
		return true
	}
	iv := interval{}
	if c.Sign() > 0 {
		iv.hi, _ = bound.DivMod(c)
		iv.hasHi = true
	} else { // c·v ≤ bound, c < 0: v ≥ ⌈bound / c⌉ = -⌊bound / -c⌋
		q, _ := bound.DivMod(c.Neg())
		iv.lo, iv.hasLo = q.Neg(), true
	}
	r, ok := s.get(v).meet(iv)
	if !ok {
		return false
	}
	s.set(v, r)
	return true
}

// boundIte refines by c·ite(p, a, b) ≤ bound when one branch is impossible.
func (s *state) boundIte(t *logic.Term, c, bound logic.Value) bool {
	mul := func(x *logic.Term) *logic.Term { return s.l.Mul(s.l.Value(c), x) }
	b := s.l.Value(bound)
	return s.refineOr([]*logic.Term{
		s.l.And(t.Args()[0], s.l.Le(mul(t.Args()[1]), b)),
		s.l.And(s.l.Not(t.Args()[0]), s.l.Le(mul(t.Args()[2]), b)),
	})
}
