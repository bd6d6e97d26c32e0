package valuecheck

import "comus/cir"

// Arithmetic that C gives no meaning ends an execution. That it does not happen is taken for granted of what comes behind it, and said. Where it may happen is noted, too: a
// program of which nothing is noted has none, as the first one of an execution would have been noted.

// meaning looks at whether a computation has a meaning.
func (r *run) meaning(in *cir.Binary, x, y set, wraps bool) {
	t := in.Dst.Type
	switch in.Op {
	case cir.Add:
		r.computes(in, t, wraps, func() set { return sum(x, y) })
	case cir.Sub:
		r.computes(in, t, wraps, func() set { return sum(x, negative(y)) })
	case cir.Mul:
		r.computes(in, t, wraps, func() set { return product(x, y) })
	case cir.Div, cir.Rem:
		r.divides(in, x, y)
	case cir.Shl, cir.Shr:
		r.shifts(in, x, y, wraps)
	}
}

// computes looks at whether an exact result fits into a type.
func (r *run) computes(in cir.Instr, t cir.Type, wraps bool, exact func() set) {
	if !t.IsInt() || !t.Signed || wraps {
		return
	}
	r.arithmetic[in] = true
	if !countable(t) {
		r.meaningless(in, "signed overflow of a wide integer", assumeOverflow)
	} else if e := exact(); !e.within(full(t)) {
		r.meaningless(in, "signed overflow: the result may be "+e.String(), assumeOverflow)
	}
}

func (r *run) divides(in *cir.Binary, x, y set) {
	t := in.Dst.Type
	if !t.IsInt() {
		return
	}
	r.arithmetic[in] = true
	if !countable(t) {
		r.meaningless(in, "division by a wide integer", assumeDivision)
		return
	}
	if y.has(num{}) {
		r.meaningless(in, "division by zero", assumeDivision)
	}
	if lo, _ := ends(t); t.Signed && x.has(lo) && y.has(small(-1)) {
		r.meaningless(in, "signed overflow of a division", assumeTrap)
	}
}

func (r *run) shifts(in *cir.Binary, x, y set, wraps bool) {
	t := in.Dst.Type
	r.arithmetic[in] = true
	switch {
	case !countable(t) || !countable(r.typ(in.Y)):
		r.meaningless(in, "shift of a wide integer", assumeShift)
		return
	case !y.within(between(num{}, small(int64(t.Bits-1)), 1)):
		r.meaningless(in, "the distance of a shift may be "+y.String(), assumeShift)
		return
	case in.Op == cir.Shr || !t.Signed || wraps:
		return
	}
	// gcc gives left shifts into the sign, and of negative numbers, a meaning, so nothing is taken for granted.
	_, far, _ := y.bounds()
	if lo, _, ok := x.bounds(); !ok || lo.sign() < 0 || !product(x, just(large(1<<far.lo))).within(full(t)) {
		r.meaningless(in, "a left shift may go into the sign", "")
	}
}

// meaningless notes that an instruction may have no meaning, and what is taken for granted where that is left out.
func (r *run) meaningless(in cir.Instr, why, assumption string) {
	if assumption != "" {
		r.assumed[assumption] = true
	}
	if r.claim == nil {
		return
	}
	if r.claim.undefined == nil {
		r.claim.undefined = map[cir.Instr]string{}
	}
	r.claim.undefined[in] = why
}
