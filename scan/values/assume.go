package values

import "comus/cir"

// assume goes on only if an operand is not 0, or is. What follows of the registers that it was computed of, and of the cells these were loaded
// from, is kept.
func (r *run) assume(v cir.Value, holds bool) {
	if r.dead {
		return
	}
	if f := r.form(v); f != nil && len(r.packs) > 0 {
		p := cir.Eq
		if holds {
			p = cir.Ne
		}
		r.suppose(f, p)
	}
	x := r.value(v)
	if holds {
		x = x.without(number{})
	} else {
		x = x.meet(zero)
	}
	if r.narrow(v, x); r.dead {
		return
	}
	reg, ok := v.(*cir.Reg)
	if !ok {
		return
	}
	switch in := r.in.defs[reg.Index].(type) {
	case *cir.Compare:
		r.assumeCompare(in, holds)
	case *cir.Convert:
		from := r.prog.Model.TypeOf(in.X)
		if isNumber(from) && (reg.Type == cir.Bool || reg.Type.Bits >= from.Bits) {
			r.assume(in.X, holds)
		}
	}
}

// assumeCompare goes on only if a comparison holds, or does not.
func (r *run) assumeCompare(in *cir.Compare, holds bool) {
	if !isNumber(r.prog.Model.TypeOf(in.X)) {
		return
	}
	p := in.Pred
	if !holds {
		p = negated[p]
	}
	if d := r.difference(in); d != nil {
		if r.suppose(d, p); r.dead {
			return
		}
	}
	x, y := r.bounded(in.X), r.bounded(in.Y)
	nx := such(p, x, y)
	r.narrowTruth(in.X, nx)
	r.narrowTruth(in.Y, such(mirrored[p], y, nx))
}

// narrowTruth is narrow for what may be a truth value.
func (r *run) narrowTruth(v cir.Value, to Value) {
	r.narrow(v, to)
	reg, ok := v.(*cir.Reg)
	if !ok || r.dead {
		return
	}
	switch r.in.defs[reg.Index].(type) {
	case *cir.Compare, *cir.Convert:
		switch {
		case to.equal(zero):
			r.assume(v, false)
		case !to.has(number{}):
			r.assume(v, true)
		}
	}
}

// narrow goes on only if an operand is one of some values, all of which it may be.
func (r *run) narrow(v cir.Value, to Value) {
	if r.dead {
		return
	}
	if to.None() {
		r.dead = true
		return
	}
	x, ok := v.(*cir.Reg)
	if !ok || to.kind != some {
		return
	}
	if r.value(x).equal(to) {
		return
	}
	if _, here := r.regs[x]; here {
		r.regs[x] = to
	} else if _, known := r.s.get(regKey(x)); known {
		r.s = r.s.set(regKey(x), to)
	}
	if c := r.from[x]; c != nil {
		r.learn(c, to)
	}
	r.narrowSource(x, to)
}

// narrowSource narrows what a register was computed of, where that is possible without loss.
func (r *run) narrowSource(x *cir.Reg, to Value) {
	switch in := r.in.defs[x.Index].(type) {
	case *cir.Convert:
		from := r.prog.Model.TypeOf(in.X)
		if old := r.value(in.X); isNumber(from) && isNumber(x.Type) && x.Type != cir.Bool && old.kind == some && old.within(all(x.Type)) {
			r.narrow(in.X, old.meet(to))
		}
	case *cir.Binary:
		c, ok := in.Y.(cir.Int)
		if ok && c.Type.Bits <= 64 && in.Op == cir.Rem && to.equal(zero) && constant(c).cmp(number{}) > 0 {
			r.narrow(in.X, r.value(in.X).multiples(constant(c)))
			return
		}
		if !ok || c.Type.Bits > 64 || in.Op != cir.Add && in.Op != cir.Sub {
			return
		}
		shift := single(constant(c))
		if in.Op == cir.Sub {
			shift = minus(shift)
		}
		if old := r.value(in.X); old.kind == some && sum(old, shift).within(all(x.Type)) {
			r.narrow(in.X, old.meet(sum(to, minus(shift))))
		}
	}
}

// bounded returns what an operand may be by its value and by relations.
func (r *run) bounded(v cir.Value) Value {
	x := r.value(v)
	if len(r.packs) > 0 && isNumber(r.prog.Model.TypeOf(v)) {
		if f := r.form(v); f != nil && len(f.terms) > 0 {
			return x.meet(r.bounds(f, r.prog.Model.TypeOf(v)))
		}
	}
	return x
}
