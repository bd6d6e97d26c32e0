package locpairs

import (
	"comus/logic"
)

// interval is a set of integers lo…hi, an open end standing for infinity. The
// zero interval is all integers; empty ones do not exist (see refine).
type interval struct {
	lo, hi       logic.Value
	hasLo, hasHi bool
}

func point(v logic.Value) interval { return interval{v, v, true, true} }

func between(lo, hi logic.Value) interval { return interval{lo, hi, true, true} }

// isPoint reports whether the interval has one element.
func (a interval) isPoint() bool { return a.hasLo && a.hasHi && a.lo == a.hi }

func (a interval) join(b interval) interval {
	var r interval
	if a.hasLo && b.hasLo {
		r.lo, r.hasLo = minValue(a.lo, b.lo), true
	}
	if a.hasHi && b.hasHi {
		r.hi, r.hasHi = maxValue(a.hi, b.hi), true
	}
	return r
}

// meet returns the intersection and whether it is not empty.
func (a interval) meet(b interval) (interval, bool) {
	r := a
	if b.hasLo && (!r.hasLo || b.lo.Cmp(r.lo) > 0) {
		r.lo, r.hasLo = b.lo, true
	}
	if b.hasHi && (!r.hasHi || b.hi.Cmp(r.hi) < 0) {
		r.hi, r.hasHi = b.hi, true
	}
	return r, !r.hasLo || !r.hasHi || r.lo.Cmp(r.hi) <= 0
}

// widen returns a, with the ends that b exceeds given up.
func (a interval) widen(b interval) interval {
	if !b.hasLo || a.hasLo && b.lo.Cmp(a.lo) < 0 {
		a.lo, a.hasLo = logic.Value{}, false
	}
	if !b.hasHi || a.hasHi && b.hi.Cmp(a.hi) > 0 {
		a.hi, a.hasHi = logic.Value{}, false
	}
	return a
}

func minValue(a, b logic.Value) logic.Value {
	if a.Cmp(b) <= 0 {
		return a
	}
	return b
}

func maxValue(a, b logic.Value) logic.Value {
	if a.Cmp(b) >= 0 {
		return a
	}
	return b
}

func (a interval) add(b interval) interval {
	var r interval
	if a.hasLo && b.hasLo {
		r.lo, r.hasLo = a.lo.Add(b.lo), true
	}
	if a.hasHi && b.hasHi {
		r.hi, r.hasHi = a.hi.Add(b.hi), true
	}
	return r
}

// scale returns c·a.
func (a interval) scale(c logic.Value) interval {
	var r interval
	switch c.Sign() {
	case 0:
		return point(logic.Value{})
	case 1:
		r.hasLo, r.hasHi = a.hasLo, a.hasHi
		r.lo, r.hi = a.lo.Mul(c), a.hi.Mul(c)
	default:
		r.hasLo, r.hasHi = a.hasHi, a.hasLo
		r.lo, r.hi = a.hi.Mul(c), a.lo.Mul(c)
	}
	if !r.hasLo {
		r.lo = logic.Value{}
	}
	if !r.hasHi {
		r.hi = logic.Value{}
	}
	return r
}

// eval returns an interval that has every value t can take in the state.
func (s *state) eval(t *logic.Term) interval {
	switch t.Op() {
	case logic.OpInt:
		v, _ := t.Const()
		return point(v)
	case logic.OpVar:
		return s.get(t)
	case logic.OpAdd:
		sum := point(logic.Value{})
		for _, a := range t.Args() {
			sum = sum.add(s.eval(a))
		}
		return sum
	case logic.OpMul:
		return s.evalMul(t)
	case logic.OpIte:
		return s.evalIte(t)
	case logic.OpMod:
		return s.evalMod(t)
	case logic.OpDiv:
		return s.evalDiv(t)
	case logic.OpBitAnd:
		a, b := s.eval(t.Args()[0]), s.eval(t.Args()[1])
		if a.hasLo && b.hasLo && a.lo.Sign() >= 0 && b.lo.Sign() >= 0 && a.hasHi && b.hasHi {
			return between(logic.Value{}, minValue(a.hi, b.hi))
		}
	}
	return interval{}
}

func (s *state) evalMul(t *logic.Term) interval {
	args := t.Args()
	if c, ok := args[0].Const(); ok && len(args) == 2 {
		return s.eval(args[1]).scale(c)
	}
	p := point(logic.IntValue(1))
	for _, a := range args {
		b := s.eval(a)
		if !p.hasLo || !p.hasHi || !b.hasLo || !b.hasHi {
			return interval{}
		}
		p = b.scale(p.lo).join(b.scale(p.hi))
	}
	return p
}

func (s *state) evalIte(t *logic.Term) interval {
	c, a, b := t.Args()[0], t.Args()[1], t.Args()[2]
	then, els := s.clone(), s.clone()
	okThen, okElse := then.refine(c), els.refine(s.l.Not(c))
	switch {
	case okThen && okElse:
		return then.eval(a).join(els.eval(b))
	case okThen:
		return then.eval(a)
	case okElse:
		return els.eval(b)
	}
	return interval{}
}

func (s *state) evalMod(t *logic.Term) interval {
	m, ok := t.Args()[1].Const()
	if !ok || m.Sign() <= 0 {
		return interval{}
	}
	full := between(logic.Value{}, m.Sub(logic.IntValue(1)))
	a := s.eval(t.Args()[0])
	if a.hasLo && a.hasHi {
		qlo, rlo := a.lo.DivMod(m)
		qhi, rhi := a.hi.DivMod(m)
		if qlo == qhi {
			return between(rlo, rhi)
		}
	}
	return full
}

func (s *state) evalDiv(t *logic.Term) interval {
	d, ok := t.Args()[1].Const()
	if !ok || d.Sign() <= 0 {
		return interval{}
	}
	a := s.eval(t.Args()[0])
	if a.hasLo {
		a.lo, _ = a.lo.DivMod(d)
	}
	if a.hasHi {
		a.hi, _ = a.hi.DivMod(d)
	}
	return a
}
