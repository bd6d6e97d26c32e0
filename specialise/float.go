package specialise

import (
	"math"
	"math/big"

	"comus/cir"
	"comus/logic"
)

// Floating-point numbers are their bits. Operations on constants of float and double are computed;
// all others may give anything.

const approxFloat = "floating point"

// floatOf returns a constant float or double.
func floatOf(v *value) (float64, bool) {
	k, ok := v.constant()
	if !ok {
		return 0, false
	}
	bits := k.Big().Uint64()
	switch v.typ.Bits {
	case 32:
		return float64(math.Float32frombits(uint32(bits))), true
	case 64:
		return math.Float64frombits(bits), true
	}
	return 0, false
}

// floatVal returns a float or double, rounded to its type.
func (b *builder) floatVal(t cir.Type, x float64) *value {
	bits := math.Float64bits(x)
	if t.Bits == 32 {
		bits = uint64(math.Float32bits(float32(x)))
	}
	return b.val(t, b.L.Value(logic.BigValue(new(big.Int).SetUint64(bits))))
}

func (b *builder) floatUnary(op cir.Op, v *value) *value {
	x, ok := floatOf(v)
	if !ok {
		return b.anything(v.typ, approxFloat, b.site)
	}
	switch op {
	case cir.Neg:
		return b.floatVal(v.typ, math.Copysign(x, math.Float64frombits(math.Float64bits(x)^1<<63)))
	case cir.Fabs:
		return b.floatVal(v.typ, math.Abs(x))
	case cir.Sqrt:
		return b.floatVal(v.typ, math.Sqrt(x))
	}
	return b.anything(v.typ, approxFloat, b.site)
}

func (b *builder) floatBinary(op cir.Op, l, r *value) *value {
	x, ok1 := floatOf(l)
	y, ok2 := floatOf(r)
	if !ok1 || !ok2 {
		return b.anything(l.typ, approxFloat, b.site)
	}
	// float's operations rounded twice, to double and then to float, are rounded right (Figueroa 1995).
	switch op {
	case cir.Add:
		return b.floatVal(l.typ, x+y)
	case cir.Sub:
		return b.floatVal(l.typ, x-y)
	case cir.Mul:
		return b.floatVal(l.typ, x*y)
	case cir.Div:
		return b.floatVal(l.typ, x/y)
	}
	return b.anything(l.typ, approxFloat, b.site)
}

func (b *builder) floatCompare(pred cir.Pred, l, r *value) *value {
	x, ok1 := floatOf(l)
	y, ok2 := floatOf(r)
	if !ok1 || !ok2 {
		return b.anything(cir.Bool, approxFloat, b.site)
	}
	is := map[cir.Pred]bool{cir.Eq: x == y, cir.Ne: x != y, cir.Lt: x < y, cir.Le: x <= y, cir.Gt: x > y, cir.Ge: x >= y}[pred]
	return b.condValue(b.L.Bool(is))
}

// convertFloat converts to or from floating point.
func (b *builder) convertFloat(v *value, to cir.Type) *value {
	exact := func(t cir.Type) bool { return t.IsFloat() && (t.Bits == 32 || t.Bits == 64) }
	switch {
	case v.typ.IsFloat() && exact(v.typ):
		if x, ok := floatOf(v); ok {
			if exact(to) {
				return b.floatVal(to, x)
			}
			if to.IsInt() {
				return b.truncated(x, v, to)
			}
		}
	case v.typ.IsInt() && exact(to):
		if k, ok := v.constant(); ok {
			f := new(big.Float).SetInt(k.Big())
			if to.Bits == 32 {
				x, _ := f.Float32()
				return b.floatVal(to, float64(x))
			}
			x, _ := f.Float64()
			return b.floatVal(to, x)
		}
	}
	return b.anything(to, approxFloat, b.site)
}

// truncated converts a number to an integer; out of range it is undefined.
func (b *builder) truncated(x float64, v *value, to cir.Type) *value {
	if to == cir.Bool {
		return b.condValue(b.L.Bool(x != 0))
	}
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return b.anything(to, approxFloat, b.site)
	}
	n, _ := new(big.Float).SetFloat64(math.Trunc(x)).Int(nil)
	k := logic.BigValue(n)
	if !irType(to).Contains(k) {
		return b.anything(to, approxFloat, b.site)
	}
	return b.val(to, b.L.Value(k))
}
