package build

import (
	"math/big"

	"comus/cfront/tree"
	"comus/cir"
)

// bits is a builtin that is an operator on one integer.
func bits(op cir.Op) builtinFunc {
	return func(f *fn, e *tree.Builtin) val {
		x := f.arg(e, 0)
		return f.result(e, f.unaryOp(op, f.convert(x, unsigned(f.typeOf(x)))))
	}
}

// ffs is one plus the number of the lowest bit that is 1, or 0.
func (f *fn) ffs(e *tree.Builtin) val {
	x := f.arg(e, 0)
	x = f.convert(x, unsigned(f.typeOf(x)))
	t := f.typeOf(x)
	top := cir.Int{Type: t, Lo: 1, Hi: 0}
	if t.Bits > 64 {
		top = cir.Int{Type: t, Hi: 1 << (t.Bits - 65)}
	} else {
		top.Lo = 1 << (t.Bits - 1)
	}
	zero := f.compare(cir.Eq, x, cir.Int{Type: t})
	n := f.unaryOp(cir.Ctz, f.selectOf(zero, top, x))
	n = f.binary(cir.Add, n, cir.IntOf(t, 1))
	return f.result(e, f.selectOf(zero, cir.Int{Type: t}, n))
}

// parity is the number of bits that are 1, modulo 2.
func (f *fn) parity(e *tree.Builtin) val {
	x := f.arg(e, 0)
	n := f.unaryOp(cir.Popcount, f.convert(x, unsigned(f.typeOf(x))))
	return f.result(e, f.binary(cir.And, n, cir.IntOf(f.typeOf(n), 1)))
}

// clrsb is the number of bits after the sign that are equal to it.
func (f *fn) clrsb(e *tree.Builtin) val {
	x := f.arg(e, 0)
	t := f.typeOf(x)
	u := unsigned(t)
	neg := f.compare(cir.Lt, x, cir.Int{Type: t})
	y := f.convert(f.selectOf(neg, f.unaryOp(cir.Not, x), x), u)
	// Shifted by one with a 1 behind it, it is not 0.
	y = f.binary(cir.Or, f.binary(cir.Shl, y, cir.IntOf(cir.U32, 1)), cir.IntOf(u, 1))
	return f.result(e, f.unaryOp(cir.Clz, y))
}

// abs is the absolute value of an integer.
func (f *fn) abs(e *tree.Builtin) val {
	x := f.arg(e, 0)
	t := f.typeOf(x)
	neg, end := f.newBlock(), f.newBlock(f.reg(t))
	f.terminate(&cir.Branch{Cond: f.compare(cir.Lt, x, cir.Int{Type: t}), Then: neg, Else: end, ElseArgs: []cir.Value{x}})
	f.block = neg
	f.jump(end, f.unaryOp(cir.Neg, x))
	return f.result(e, end.Params[0])
}

// part is a builtin that is a part of a complex number.
func part(i int) builtinFunc {
	return func(f *fn, e *tree.Builtin) val {
		return f.partOf(f.expr(e.Args[0]), e.Args[0].Type(), i)
	}
}

func (f *fn) conj(e *tree.Builtin) val { return f.unaryParts(tree.Conj, f.expr(e.Args[0])) }

// makeComplex builds __builtin_complex.
func (f *fn) makeComplex(e *tree.Builtin) val { return val{parts: f.args(e)} }

// fabs and sqrt are operators on floats.
func fabs(f *fn, e *tree.Builtin) val { return val{v: f.unaryOp(cir.Fabs, f.arg(e, 0))} }
func sqrt(f *fn, e *tree.Builtin) val { return val{v: f.unaryOp(cir.Sqrt, f.arg(e, 0))} }

// infinity and nan are constants of the builtin's type.
func infinity(f *fn, e *tree.Builtin) val { return val{v: special(f.u.scalar(e.Typ), false, false)} }

func nan(f *fn, e *tree.Builtin) val {
	for _, a := range e.Args {
		f.discard(a)
	}
	return val{v: special(f.u.scalar(e.Typ), false, true)}
}

// isNaN: only a NaN is not equal to itself.
func isNaN(f *fn, e *tree.Builtin) val {
	x := f.arg(e, 0)
	return f.result(e, f.compare(cir.Ne, x, x))
}

// inf returns |x| == infinity and the constant.
func (f *fn) infinite(x cir.Value) cir.Value {
	return f.compare(cir.Eq, f.unaryOp(cir.Fabs, x), special(f.typeOf(x), false, false))
}

func (f *fn) isInf(e *tree.Builtin) val { return f.isInfSign(e) }

// isInfSign is 1 for infinity, -1 for its negative.
func (f *fn) isInfSign(e *tree.Builtin) val {
	x := f.arg(e, 0)
	sign := f.selectOf(f.compare(cir.Lt, x, zeroOf(f.typeOf(x))), cir.IntOf(cir.I32, -1), cir.IntOf(cir.I32, 1))
	return f.result(e, f.selectOf(f.infinite(x), sign, cir.IntOf(cir.I32, 0)))
}

// isFinite: neither infinite nor a NaN.
func (f *fn) isFinite(e *tree.Builtin) val {
	x := f.arg(e, 0)
	return f.result(e, f.compare(cir.Lt, f.unaryOp(cir.Fabs, x), special(f.typeOf(x), false, false)))
}

// smallest is the smallest normal number of a type.
func smallest(t cir.Type) cir.Float {
	return formatOf(t.Bits).pack(t, false, 1, bigZero)
}

// isNormal: finite and not subnormal.
func (f *fn) isNormal(e *tree.Builtin) val {
	x := f.unaryOp(cir.Fabs, f.arg(e, 0))
	t := f.typeOf(x)
	c := f.binary(cir.And, f.compare(cir.Lt, x, special(t, false, false)), f.compare(cir.Ge, x, smallest(t)))
	return f.result(e, c)
}

// signBit tests the bit of the sign.
func (f *fn) signBit(e *tree.Builtin) val {
	return f.result(e, f.sign(f.arg(e, 0)))
}

// sign tells whether the sign bit of a float is set.
func (f *fn) sign(x cir.Value) cir.Value {
	t := f.typeOf(x)
	if t.Bits == 80 {
		// The lowest 10 bytes hold the number.
		tmp := f.temp(f.floatType(t))
		f.store(tmp, val{v: x})
		d := f.reg(cir.I16)
		f.emit(&cir.Load{Dst: d, Addr: f.displace(tmp.base, 8), Access: cir.Access{Type: cir.I16, Align: 2}})
		return f.compare(cir.Lt, d, cir.IntOf(cir.I16, 0))
	}
	d := f.reg(signed(cir.Type{Bits: t.Bits}))
	f.emit(&cir.Bitcast{Dst: d, X: x})
	return f.compare(cir.Lt, d, cir.Int{Type: d.Type})
}

// copySign is |x| with the sign of y.
func (f *fn) copySign(e *tree.Builtin) val {
	x, y := f.arg(e, 0), f.arg(e, 1)
	x = f.unaryOp(cir.Fabs, x)
	return val{v: f.selectOf(f.sign(y), f.unaryOp(cir.Neg, x), x)}
}

// fpClassify builds __builtin_fpclassify(nan, infinite, normal, subnormal, zero, x).
func (f *fn) fpClassify(e *tree.Builtin) val {
	vs := f.args(e)
	x := f.unaryOp(cir.Fabs, vs[5])
	t := f.typeOf(x)
	r := f.selectOf(f.compare(cir.Eq, x, zeroOf(t)), vs[4], vs[3])
	r = f.selectOf(f.compare(cir.Ge, x, smallest(t)), vs[2], r)
	r = f.selectOf(f.compare(cir.Eq, x, special(t, false, false)), vs[1], r)
	r = f.selectOf(f.compare(cir.Ne, x, x), vs[0], r)
	return f.result(e, r)
}

// order is a comparison of floats that raises no exception.
func order(p cir.Pred) builtinFunc {
	return func(f *fn, e *tree.Builtin) val {
		x, y := f.sameFloat(e)
		return f.result(e, f.compare(p, x, y))
	}
}

// sameFloat builds two operands, in the wider of their types.
func (f *fn) sameFloat(e *tree.Builtin) (x, y cir.Value) {
	x, y = f.arg(e, 0), f.arg(e, 1)
	t := f.typeOf(x)
	if !t.IsFloat() || f.typeOf(y).IsFloat() && f.typeOf(y).Bits > t.Bits {
		t = f.typeOf(y)
	}
	return f.convert(x, t), f.convert(y, t)
}

func (f *fn) lessGreater(e *tree.Builtin) val {
	x, y := f.sameFloat(e)
	return f.result(e, f.binary(cir.Or, f.compare(cir.Lt, x, y), f.compare(cir.Gt, x, y)))
}

func (f *fn) unordered(e *tree.Builtin) val {
	x, y := f.sameFloat(e)
	return f.result(e, f.binary(cir.Or, f.compare(cir.Ne, x, x), f.compare(cir.Ne, y, y)))
}

// shuffle builds __builtin_shuffle(v, mask) and (v, w, mask).
func (f *fn) shuffle(e *tree.Builtin) val {
	var all []cir.Value
	for _, a := range e.Args[:len(e.Args)-1] {
		all = append(all, f.expr(a).parts...)
	}
	mask := f.expr(e.Args[len(e.Args)-1])
	r := val{parts: make([]cir.Value, len(mask.parts))}
	for i, m := range mask.parts {
		t := f.typeOf(m)
		r.parts[i] = f.pick(all, f.binary(cir.And, m, cir.IntOf(t, int64(len(all)-1))))
	}
	return r
}

// pick selects one of a power of two of values by its number.
func (f *fn) pick(all []cir.Value, n cir.Value) cir.Value {
	if c, ok := n.(cir.Int); ok {
		return all[c.Lo]
	}
	r := all[0]
	for k := 1; k < len(all); k++ {
		r = f.selectOf(f.compare(cir.Eq, n, intConst(f.typeOf(n), big.NewInt(int64(k)))), all[k], r)
	}
	return r
}

// shuffleVector builds __builtin_shufflevector(v, w, constants...).
func (f *fn) shuffleVector(e *tree.Builtin) val {
	all := append(append([]cir.Value{}, f.expr(e.Args[0]).parts...), f.expr(e.Args[1]).parts...)
	var r val
	for _, a := range e.Args[2:] {
		c, ok := f.scalarOf(a).(cir.Int)
		if !ok {
			refuse(a.At(), "the index is not constant")
		}
		k := int64(c.Lo)
		if k < 0 || k >= int64(len(all)) {
			k = 0
		}
		r.parts = append(r.parts, all[k])
	}
	return r
}

// convertVector builds __builtin_convertvector.
func (f *fn) convertVector(e *tree.Builtin) val {
	v := f.expr(e.Args[0])
	t := f.u.scalar(e.Typ.Elem)
	r := val{parts: make([]cir.Value, len(v.parts))}
	for i, p := range v.parts {
		r.parts[i] = f.convert(p, t)
	}
	return r
}
