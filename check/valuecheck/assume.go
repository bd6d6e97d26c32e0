package valuecheck

import "comus/cir"

// assume goes on only where an operand is not 0, or is.
func (r *run) assume(v cir.Value, holds bool) {
	r.supposes(v, holds)
	s := r.value(v)
	if holds {
		s = s.but(num{})
	} else {
		s = s.and(nought)
	}
	r.narrow(v, s)
}

// narrow goes on only where an operand is one of some values, all of which it may be. What follows of what a register was computed of is kept, and
// of the cell that it was loaded from. A register was computed of what its operands hold now: they were assigned before it, and not again.
func (r *run) narrow(v cir.Value, to set) {
	switch {
	case r.dead:
		return
	case to.empty():
		r.dead = true
		return
	}
	x, ok := v.(*cir.Reg)
	if !ok || to.any || !countable(x.Type) {
		return
	}
	if old := r.value(x); old.within(to) {
		return
	}
	r.regs.put(x.Index, to)
	if c := r.from[x]; c != nil {
		if c.own || r.mode == alone {
			r.cells.put(c.id, to)
		} else {
			r.held.put(c.id, to)
		}
	}
	switch in := r.defs[x].(type) {
	case *cir.Compare:
		switch {
		case to.within(nought):
			r.narrowCompared(in, opposite[in.Pred])
		case !to.has(num{}):
			r.narrowCompared(in, in.Pred)
		}
	case *cir.Convert:
		r.narrowConverted(in, to)
	case *cir.Binary:
		r.narrowComputed(in, to)
	}
}

// narrowCompared goes on only where a comparison holds.
func (r *run) narrowCompared(in *cir.Compare, p cir.Pred) {
	if !countable(r.typ(in.X)) {
		return
	}
	x, y := r.value(in.X), r.value(in.Y)
	nx := thatCompare(p, x, y)
	r.narrow(in.X, nx)
	r.narrow(in.Y, thatCompare(turned[p], y, nx))
}

func (r *run) narrowConverted(in *cir.Convert, to set) {
	from, old := r.typ(in.X), r.value(in.X)
	switch {
	case !countable(from):
	case in.Dst.Type == cir.Bool:
		switch {
		case to.within(nought):
			r.narrow(in.X, old.and(nought))
		case !to.has(num{}):
			r.narrow(in.X, old.but(num{}))
		}
	case old.within(full(in.Dst.Type)): // it is the same number
		r.narrow(in.X, old.and(to))
	case in.Dst.Type.Bits >= from.Bits: // only 0 becomes 0
		switch {
		case to.within(nought):
			r.narrow(in.X, old.and(nought))
		case !to.has(num{}):
			r.narrow(in.X, old.but(num{}))
		}
	}
}

// narrowComputed is about sums with a constant that do not wrap around, and multiples.
func (r *run) narrowComputed(in *cir.Binary, to set) {
	c, ok := in.Y.(cir.Int)
	if !ok || !countable(in.Dst.Type) || c.Type.Bits > 64 {
		return
	}
	old, by := r.value(in.X), just(numOf(c))
	switch in.Op {
	case cir.Sub:
		by = negative(by)
	case cir.Add:
	case cir.Rem:
		if n := numOf(c); n.sign() > 0 && to.within(nought) {
			r.narrow(in.X, multiplesOf(n, old))
		}
		return
	default:
		return
	}
	if !old.any && sum(old, by).within(full(in.Dst.Type)) {
		r.narrow(in.X, old.and(sum(to, negative(by))))
	}
}

// multiplesOf returns the multiples of n, which is positive, in a set, or more.
func multiplesOf(n num, s set) set {
	lo, hi, ok := s.bounds()
	switch {
	case !ok:
		return s
	case !s.long:
		return s.such(func(x num) bool { return multipleOf(x, n) })
	case n.hi != 0 || n.lo%s.step != 0:
		return s
	}
	_, a, _ := lo.divided(n)
	_, b, _ := hi.divided(n)
	lo, hi = lo.minus(a), hi.minus(b)
	if lo.less(s.lo) {
		lo = lo.plus(n)
	}
	if s.hi.less(hi) {
		hi = hi.minus(n)
	}
	return between(lo, hi, n.lo)
}
