package interp

import "comus/cir"

// instr makes an instruction's code.
func (c *compiler) instr(in cir.Instr) {
	switch in := in.(type) {
	case *cir.Unary:
		c.unary(in)
	case *cir.Binary:
		c.binary(in)
	case *cir.Overflow:
		if in.Op != cir.Add && in.Op != cir.Sub && in.Op != cir.Mul || !in.Dst.Type.IsInt() {
			c.bad("overflow of operator %d", in.Op)
		}
		c.emit(inst{do: doOverflow, d: c.reg(in.Dst), c: c.dst(in.Over), a: c.arg(in.X), b: c.arg(in.Y), imm: uint64(in.Op),
			x: &extra{types: []cir.Type{c.integer(in.X), c.integer(in.Y), c.check(in.Dst.Type)}, binary: true, over: true}})
	case *cir.Compare:
		c.compare(in)
	case *cir.Convert:
		c.convert(in)
	case *cir.Bitcast:
		c.bitcast(in)
	case *cir.Select:
		c.same(c.typ(in.X), c.typ(in.Y), in.Dst.Type)
		c.emit(inst{do: doSelect, d: c.reg(in.Dst), a: c.arg(in.X), b: c.arg(in.Y), c: c.arg(in.Cond), x: &extra{flow: flowSelect}})
	case *cir.Offset:
		c.offset(in)
	case *cir.Distance:
		if in.Size <= 0 {
			c.bad("distance in units of %d bytes", in.Size)
		}
		c.emit(inst{do: doDistance, d: c.reg(in.Dst), a: c.arg(in.X), b: c.arg(in.Y), imm: uint64(in.Size),
			x: &extra{binary: true, flow: flowAll}})
	default:
		c.memory(in)
	}
}

// integer returns the type of an operand that is an integer.
func (c *compiler) integer(v cir.Value) cir.Type {
	t := c.typ(v)
	if !t.IsInt() {
		c.bad("a %s where an integer is expected at %s", t, c.where())
	}
	return t
}

// emitOp emits an instruction with one or two operands of a type.
func (c *compiler) emitOp(do handler, t cir.Type, dst *cir.Reg, args ...cir.Value) *inst {
	in := inst{do: do, x: &extra{types: []cir.Type{t}}}
	in.a = c.arg(args[0])
	if len(args) > 1 {
		in.b = c.arg(args[1])
		in.x.types = append(in.x.types, c.typ(args[1]))
		in.x.binary = true
	}
	in.d = c.reg(dst)
	in.imm = shiftOf(t)
	return c.emit(in)
}

// shiftOf is 64 less the width of an integer: how far to shift up and down to extend it.
func shiftOf(t cir.Type) uint64 {
	if t.IsInt() && t.Bits < 64 {
		return uint64(64 - t.Bits)
	}
	return 0
}

// unary makes a Unary's code.
func (c *compiler) unary(in *cir.Unary) {
	if in.Dst == nil {
		c.bad("a result is missing")
	}
	t := c.same(c.typ(in.X), in.Dst.Type)
	var do handler
	switch {
	case t.IsFloat():
		switch in.Op {
		case cir.Neg:
			do = fneg
		case cir.Fabs:
			do = fabs
		case cir.Sqrt:
			do = fsqrt
		}
	case t.IsInt() && t.Bits > 64:
		if do = wideUnary; in.Op < cir.Neg || in.Op == cir.Sqrt || in.Op == cir.Fabs || in.Op > cir.Bswap {
			do = nil
		}
	case t.IsInt():
		switch in.Op {
		case cir.Neg:
			if do = negWrap; t.Signed && !in.Wrap {
				do = negSigned
			}
		case cir.Not:
			do = not
		case cir.Clz:
			do = clz
		case cir.Ctz:
			do = ctz
		case cir.Popcount:
			do = popcount
		case cir.Bswap:
			if do = bswap; t.Bits%16 != 0 {
				do = nil
			}
		}
	}
	if do == nil {
		c.bad("unary operator %d on %s", in.Op, t)
	}
	i := c.emitOp(do, t, in.Dst, in.X)
	i.c = int32(in.Op)
	if in.Op == cir.Not {
		i.x.flow = flowBits
	}
	if in.Wrap {
		i.x.why = "wrap"
	}
}

// binary makes a Binary's code.
func (c *compiler) binary(in *cir.Binary) {
	if in.Dst == nil {
		c.bad("a result is missing")
	}
	t := c.same(c.typ(in.X), in.Dst.Type)
	shift := in.Op == cir.Shl || in.Op == cir.Shr
	if shift {
		c.integer(in.Y)
	} else {
		c.same(t, c.typ(in.Y))
	}
	var do handler
	switch {
	case t.IsFloat():
		do = floatOp(in.Op, t)
	case t.IsInt() && t.Bits > 64:
		if do = wideBinary; in.Op > cir.Shr {
			do = nil
		}
	case t.IsInt():
		do = intOp(in.Op, t, in.Wrap)
	}
	if do == nil {
		c.bad("binary operator %d on %s", in.Op, t)
	}
	i := c.emitOp(do, t, in.Dst, in.X, in.Y)
	i.c = int32(in.Op)
	switch in.Op {
	case cir.And, cir.Or, cir.Xor:
		i.x.flow = flowBits
	case cir.Shl, cir.Shr:
		i.x.flow = flowShift
	case cir.Div, cir.Rem:
		if t.IsInt() {
			i.x.flow = flowDivide
		}
	}
	if in.Wrap {
		i.x.why = "wrap"
	}
}

// intOp returns what performs an operator on integers of at most 64 bits.
func intOp(op cir.Op, t cir.Type, wrap bool) handler {
	checked := t.Signed && !wrap
	pick := func(check, signed, unsigned handler) handler {
		switch {
		case checked:
			return check
		case t.Signed:
			return signed
		}
		return unsigned
	}
	switch op {
	case cir.Add:
		if checked && t.Bits == 64 {
			return addChecked64
		}
		return pick(addChecked, addS, addU)
	case cir.Sub:
		if checked && t.Bits == 64 {
			return subChecked64
		}
		return pick(subChecked, subS, subU)
	case cir.Mul:
		if checked && t.Bits > 32 {
			return mulChecked64
		}
		return pick(mulChecked, mulS, mulU)
	case cir.Div:
		return pick(divS, divS, divU)
	case cir.Rem:
		return pick(remS, remS, remU)
	case cir.And:
		return and
	case cir.Or:
		return or
	case cir.Xor:
		return xor
	case cir.Shl:
		return shl
	case cir.Shr:
		return pick(shrS, shrS, shrU)
	}
	return nil
}

// compare makes a Compare's code.
func (c *compiler) compare(in *cir.Compare) {
	t := c.same(c.typ(in.X), c.typ(in.Y))
	if in.Dst == nil || in.Pred > cir.Ge {
		c.bad("comparison %d", in.Pred)
	}
	x, y, p := in.X, in.Y, in.Pred
	switch p { // the others by the order of operands
	case cir.Gt:
		x, y, p = y, x, cir.Lt
	case cir.Ge:
		x, y, p = y, x, cir.Le
	}
	var table [4]handler // Eq, Ne, Lt, Le
	switch {
	case t.IsPointer():
		table = [4]handler{peq, pne, plt, ple}
	case t.IsFloat() && t.Bits == 64:
		table = [4]handler{feq, fne, flt, fle}
	case t.IsFloat() && t.Bits == 32:
		table = [4]handler{feq32, fne32, flt32, fle32}
	case t.IsFloat():
		table = [4]handler{softCompare, softCompare, softCompare, softCompare}
	case t.Bits > 64:
		table = [4]handler{wideCompare, wideCompare, wideCompare, wideCompare}
	case t.Signed:
		table = [4]handler{eq, ne, ltS, leS}
	default:
		table = [4]handler{eq, ne, ltU, leU}
	}
	i := c.emitOp(table[p], t, in.Dst, x, y)
	i.c = int32(p)
}

// convert makes a Convert's code.
func (c *compiler) convert(in *cir.Convert) {
	if in.Dst == nil {
		c.bad("a result is missing")
	}
	from, to := c.typ(in.X), c.check(in.Dst.Type)
	do := convertOp(from, to)
	if do == nil {
		c.bad("conversion of %s to %s", from, to)
	}
	i := c.emitOp(do, to, in.Dst, in.X)
	i.x.types = []cir.Type{to, from}
	i.x.flow = flowConvert
	i.imm = shiftOf(to)
}

// convertOp returns what performs a conversion.
func convertOp(from, to cir.Type) handler {
	isBool := to == cir.Bool
	switch {
	case from.IsPointer() && to.IsPointer():
		return move1
	case from.IsPointer() && isBool:
		return pointerToBool
	case from.IsPointer() && to.IsInt():
		return pointerToInt
	case from.IsInt() && to.IsPointer():
		return intToPointer
	case from.IsInt() && to.IsInt():
		switch {
		case isBool && from.Bits <= 64:
			return intToBool
		case from.Bits > 64 || to.Bits > 64:
			return wideConvert
		case to.Signed:
			return extS
		}
		return extU
	case from.IsInt() && to.IsFloat():
		switch {
		case from.Bits <= 64 && to.Bits == 64:
			return intToF64
		case from.Bits <= 64 && to.Bits == 32:
			return intToF32
		}
		return intToSoft
	case from.IsFloat() && to.IsInt():
		if (from.Bits == 32 || from.Bits == 64) && to.Bits <= 64 {
			return floatToInt
		}
		return softToInt
	case from.IsFloat() && to.IsFloat():
		switch {
		case from.Bits == to.Bits:
			return move1
		case from.Bits == 32 && to.Bits == 64:
			return f32to64
		case from.Bits == 64 && to.Bits == 32:
			return f64to32
		}
		return softToSoft
	}
	return nil
}

// bitcast makes a Bitcast's code.
func (c *compiler) bitcast(in *cir.Bitcast) {
	if in.Dst == nil {
		c.bad("a result is missing")
	}
	from, to := c.typ(in.X), c.check(in.Dst.Type)
	if from.Bits != to.Bits && c.m.prog.Model.SizeOf(from) != c.m.prog.Model.SizeOf(to) {
		c.bad("the bits of %s as %s", from, to)
	}
	do := handler(bitcast)
	switch {
	case from.IsPointer() && to.IsInt():
		do = pointerToInt
	case from.IsInt() && to.IsPointer():
		do = intToPointer
	case from.IsPointer() != to.IsPointer():
		c.bad("the bits of %s as %s", from, to)
	}
	i := c.emitOp(do, to, in.Dst, in.X)
	i.x.types = []cir.Type{to, from}
	i.x.flow = flowSame
}

// offset makes an Offset's code.
func (c *compiler) offset(in *cir.Offset) {
	if in.Dst == nil {
		c.bad("a result is missing")
	}
	i := inst{do: offsetConst, imm: uint64(in.Disp), d: c.reg(in.Dst), x: &extra{instr: in}}
	i.a = c.arg(in.P)
	if in.Index != nil {
		t := c.integer(in.Index)
		i.b = c.arg(in.Index)
		i.do = offsetIndex
		i.x.binary = true
		i.x.types = []cir.Type{t}
		if in.Len > 0 {
			i.do = offsetLen
		}
	}
	c.emit(i)
}
