package build

import (
	"comus/cfront/tree"
	"comus/cfront/types"
	"comus/cir"
)

// approxComplex names what multiplications and divisions of complex numbers leave out: the recovery of
// infinities from NaNs, and another order of roundings.
const approxComplex = "complex multiplication or division"

// toComplex converts a number to a complex type.
func (f *fn) toComplex(v val, from, to *types.Type) val {
	t := f.u.scalar(to.Elem)
	if v.parts == nil {
		return val{parts: []cir.Value{f.convert(v.v, t), zeroOf(t)}}
	}
	if from == to {
		return v
	}
	return val{parts: []cir.Value{f.convert(v.parts[0], t), f.convert(v.parts[1], t)}}
}

// complexTruth tells whether a complex number is not 0.
func (f *fn) complexTruth(v val) cir.Value {
	re, im := f.isNotZero(v.parts[0]), f.isNotZero(v.parts[1])
	return f.binary(cir.Or, re, im)
}

// complexEqual compares two complex numbers.
func (f *fn) complexEqual(p cir.Pred, x, y val) cir.Value {
	op := cir.And
	if p == cir.Ne {
		op = cir.Or
	}
	return f.binary(op, f.compare(p, x.parts[0], y.parts[0]), f.compare(p, x.parts[1], y.parts[1]))
}

// binaryParts emits an operator on complex numbers or vectors.
func (f *fn) binaryParts(e *tree.Binary, x, y val) val {
	lt := e.L.Type()
	if lt.Kind != types.Complex && e.Typ.Kind != types.Complex {
		return f.vectorBinary(e, x, y)
	}
	if p, ok := preds[e.Op]; ok {
		return val{v: f.convert(f.complexEqual(p, x, y), f.u.scalar(e.Typ))}
	}
	x, y = f.toComplex(x, lt, e.Typ), f.toComplex(y, e.R.Type(), e.Typ)
	a, b, c, d := x.parts[0], x.parts[1], y.parts[0], y.parts[1]
	switch e.Op {
	case tree.Mul:
		return f.complexMul(a, b, c, d)
	case tree.Div:
		return f.complexDiv(a, b, c, d)
	}
	return val{parts: []cir.Value{f.arith(e.Op, a, c), f.arith(e.Op, b, d)}}
}

// approx marks the last n instructions as approximated.
func (f *fn) approx(from int, name string) {
	if from > len(f.block.Instrs) {
		from = 0
	}
	for _, i := range f.block.Instrs[from:] {
		i.Meta().Approx = name
	}
}

// complexMul emits (a+bi) * (c+di).
func (f *fn) complexMul(a, b, c, d cir.Value) val {
	from := len(f.block.Instrs)
	re := f.binary(cir.Sub, f.binary(cir.Mul, a, c), f.binary(cir.Mul, b, d))
	im := f.binary(cir.Add, f.binary(cir.Mul, a, d), f.binary(cir.Mul, b, c))
	if f.typeOf(a).IsFloat() {
		f.approx(from, approxComplex)
	}
	return val{parts: []cir.Value{re, im}}
}

// complexDiv emits (a+bi) / (c+di), by Smith's method for floats: the larger of c and d is divided by first.
func (f *fn) complexDiv(a, b, c, d cir.Value) val {
	if !f.typeOf(a).IsFloat() {
		den := f.binary(cir.Add, f.binary(cir.Mul, c, c), f.binary(cir.Mul, d, d))
		re := f.binary(cir.Add, f.binary(cir.Mul, a, c), f.binary(cir.Mul, b, d))
		im := f.binary(cir.Sub, f.binary(cir.Mul, b, c), f.binary(cir.Mul, a, d))
		return val{parts: []cir.Value{f.binary(cir.Div, re, den), f.binary(cir.Div, im, den)}}
	}
	from := len(f.block.Instrs)
	less := f.compare(cir.Lt, f.unaryOp(cir.Fabs, c), f.unaryOp(cir.Fabs, d))
	big, small := f.selectOf(less, d, c), f.selectOf(less, c, d)
	ratio := f.binary(cir.Div, small, big)
	den := f.binary(cir.Add, big, f.binary(cir.Mul, small, ratio))
	// re: less ? (a*ratio + b)/den : (a + b*ratio)/den; im: less ? (b*ratio - a)/den : (b - a*ratio)/den
	ar, br := f.binary(cir.Mul, a, ratio), f.binary(cir.Mul, b, ratio)
	re := f.binary(cir.Add, f.selectOf(less, ar, a), f.selectOf(less, b, br))
	im := f.binary(cir.Sub, f.selectOf(less, br, b), f.selectOf(less, a, ar))
	v := val{parts: []cir.Value{f.binary(cir.Div, re, den), f.binary(cir.Div, im, den)}}
	f.approx(from, approxComplex)
	return v
}

// vectorBinary emits an operator on the elements of vectors.
func (f *fn) vectorBinary(e *tree.Binary, x, y val) val {
	x, y = f.splat(x, len(y.parts)), f.splat(y, len(x.parts))
	if p, ok := preds[e.Op]; ok {
		return f.compareParts(p, x, y, e.Typ)
	}
	r := val{parts: make([]cir.Value, len(x.parts))}
	for i := range r.parts {
		// Overflow of a vector's elements is not undefined in practice: gcc's -fsanitize skips it, too.
		if f.typeOf(x.parts[i]).IsInt() {
			r.parts[i] = f.wrapping(ops[e.Op], x.parts[i], y.parts[i])
		} else {
			r.parts[i] = f.arith(e.Op, x.parts[i], y.parts[i])
		}
	}
	return r
}

// splat makes a scalar a vector of n elements.
func (f *fn) splat(v val, n int) val {
	if v.parts != nil {
		return v
	}
	r := val{parts: make([]cir.Value, n)}
	for i := range r.parts {
		r.parts[i] = v.v
	}
	return r
}

// compareParts compares the elements of vectors: all bits 1 where the comparison holds, 0 elsewhere.
func (f *fn) compareParts(p cir.Pred, x, y val, t *types.Type) val {
	et := f.u.scalar(t.Elem)
	r := val{parts: make([]cir.Value, len(x.parts))}
	for i := range r.parts {
		c := f.compare(p, x.parts[i], y.parts[i])
		r.parts[i] = f.selectOf(c, cir.IntOf(et, -1), cir.IntOf(et, 0))
	}
	return r
}

// vectorSelect builds c ? x : y of vectors: element by element.
func (f *fn) vectorSelect(e *tree.Cond) val {
	c := f.expr(e.C)
	x, y := f.splat(f.expr(e.Then), len(c.parts)), f.splat(f.expr(e.Else), len(c.parts))
	r := val{parts: make([]cir.Value, len(c.parts))}
	for i := range r.parts {
		r.parts[i] = f.selectOf(f.isNotZero(c.parts[i]), x.parts[i], y.parts[i])
	}
	return r
}

// vectorConvert converts between vectors of one size, and between vectors and integers: the bytes stay.
func (f *fn) vectorConvert(v val, from, to *types.Type) val {
	switch {
	case from.Kind == types.Vector && to.Kind == types.Vector && f.u.scalar(from.Elem) == f.u.scalar(to.Elem):
		return v
	case from.Kind != types.Vector && !isRecord(from) && from.Size != to.Size:
		// A scalar for every element.
		return f.splat(val{v: f.convert(v.v, f.u.scalar(to.Elem))}, parts(to))
	}
	addr, align := f.spill(v, unqual(from))
	return f.load(lval{base: addr, align: align, t: unqual(to)})
}

// vectorLit builds a vector from its elements.
func (f *fn) vectorLit(e *tree.VectorLit) val {
	n := parts(e.Typ)
	r := val{parts: make([]cir.Value, n)}
	for i := range r.parts {
		r.parts[i] = f.u.zero(e.Typ.Elem).v
		if i < len(e.Elems) {
			r.parts[i] = f.scalarOf(e.Elems[i])
		}
	}
	return r
}
