package interval

import "comus/logic"

// Evaluator computes bounds of terms from those of their variables.
type Evaluator struct {
	// Bounds gives those of a variable; without any, all terms with the variable have
	// none.
	Bounds func(v *logic.Term) Interval

	ints map[*logic.Term]Interval
}

// Forget makes the evaluator ask for the bounds of variables again.
func (e *Evaluator) Forget() { clear(e.ints) }

// Int returns bounds of an integer term.
func (e *Evaluator) Int(t *logic.Term) Interval {
	if a, ok := e.ints[t]; ok {
		return a
	}
	if e.ints == nil {
		e.ints = map[*logic.Term]Interval{}
	}
	a := e.eval(t)
	e.ints[t] = a
	return a
}

func (e *Evaluator) eval(t *logic.Term) Interval {
	switch t.Op() {
	case logic.OpInt:
		v, _ := t.Const()
		return Of(v, v)
	case logic.OpVar:
		return e.Bounds(t)
	case logic.OpIte:
		switch is, known := e.Truth(t.Args()[0]); {
		case known && is:
			return e.Int(t.Args()[1])
		case known:
			return e.Int(t.Args()[2])
		}
		return e.Int(t.Args()[1]).Join(e.Int(t.Args()[2]))
	}
	r := e.Int(t.Args()[0])
	for _, arg := range t.Args()[1:] {
		a := e.Int(arg)
		if !r.Bounded() || !a.Bounded() {
			return Interval{}
		}
		switch t.Op() {
		case logic.OpAdd:
			r = r.Add(a)
		case logic.OpMul:
			r = r.Mul(a)
		case logic.OpDiv:
			r = r.Div(a)
		case logic.OpMod:
			r = r.Mod(a)
		case logic.OpShl, logic.OpShr:
			r = r.Shift(t.Op(), a)
		case logic.OpBitAnd, logic.OpBitOr, logic.OpBitXor:
			r = r.Bitwise(t.Op(), a)
		default:
			return Interval{}
		}
	}
	return r
}

// Truth returns the value of a formula, if the bounds decide it.
func (e *Evaluator) Truth(t *logic.Term) (is, known bool) {
	switch t.Op() {
	case logic.OpTrue, logic.OpFalse:
		return t.IsTrue(), true
	case logic.OpNot:
		is, known = e.Truth(t.Args()[0])
		return known && !is, known
	case logic.OpAnd, logic.OpOr:
		unit := t.Op() == logic.OpAnd
		all := true
		for _, a := range t.Args() {
			switch is, known := e.Truth(a); {
			case known && is != unit:
				return !unit, true
			case !known:
				all = false
			}
		}
		return unit && all, all
	case logic.OpLe, logic.OpEq:
		if t.Args()[0].Sort() == logic.Bool {
			return false, false
		}
		return compare(t.Op(), e.Int(t.Args()[0]), e.Int(t.Args()[1]))
	}
	return false, false
}

// compare decides a comparison by bounds.
func compare(op logic.Op, a, b Interval) (is, known bool) {
	if !a.Bounded() || !b.Bounded() {
		return false, false
	}
	if op == logic.OpLe {
		is := a.Hi.Cmp(b.Lo) <= 0
		return is, is || a.Lo.Cmp(b.Hi) > 0
	}
	if a.Hi.Cmp(b.Lo) < 0 || b.Hi.Cmp(a.Lo) < 0 {
		return false, true
	}
	_, p := a.IsPoint()
	is = p && a.Equal(b)
	return is, is
}
