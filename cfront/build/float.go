package build

import (
	"math/big"

	"comus/cfront/tree"
	"comus/cir"
)

var bigZero = new(big.Int)

// format is a binary floating-point format: the bits of the exponent and of the fraction.
type format struct {
	exp, frac int
	explicit  bool // the leading bit is stored (x87)
}

func formatOf(bits int) format {
	switch bits {
	case 16:
		return format{exp: 5, frac: 10}
	case 32:
		return format{exp: 8, frac: 23}
	case 80:
		return format{exp: 15, frac: 63, explicit: true}
	case 128:
		return format{exp: 15, frac: 112}
	}
	return format{exp: 11, frac: 52}
}

// floatOf is a small integer as a floating constant.
func floatOf(t cir.Type, n int64) cir.Float {
	return encode(t, new(big.Float).SetInt64(n))
}

// floatConst is a floating constant of type t.
func floatConst(t cir.Type, c *tree.FloatConst) cir.Float {
	switch {
	case c == nil:
		return cir.Float{Type: t}
	case c.NaN:
		return special(t, false, true)
	case c.Inf != 0:
		return special(t, c.Inf < 0, false)
	case c.V == nil:
		return cir.Float{Type: t}
	}
	return encode(t, c.V)
}

// partConst is a part of a complex constant, of a floating or integer type.
func partConst(t cir.Type, c *tree.FloatConst) cir.Value {
	if !t.IsInt() {
		return floatConst(t, c)
	}
	if c == nil || c.V == nil {
		return cir.Int{Type: t}
	}
	n, _ := c.V.Int(nil)
	return intConst(t, n)
}

// special is an infinity or a (quiet) NaN.
func special(t cir.Type, neg, nan bool) cir.Float {
	f := formatOf(t.Bits)
	m := new(big.Int)
	if nan {
		m.SetBit(m, f.frac-1, 1)
	}
	return f.pack(t, neg, 1<<f.exp-1, m)
}

// encode rounds v to the format of t, to nearest, ties to even.
func encode(t cir.Type, v *big.Float) cir.Float {
	f := formatOf(t.Bits)
	neg := v.Signbit()
	if v.Sign() == 0 {
		return f.pack(t, neg, 0, bigZero)
	}
	if v.IsInf() {
		return special(t, neg, false)
	}
	bias := 1<<(f.exp-1) - 1
	exp := v.MantExp(nil) - 1 // v = 1.xxx * 2^exp
	prec := f.frac + 1
	if exp < 1-bias {
		prec -= 1 - bias - exp // a subnormal number has fewer digits
	}
	if prec < 0 {
		return f.pack(t, neg, 0, bigZero)
	}
	// The lowest digit has the weight of 2^low.
	low := max(exp, 1-bias) - f.frac
	m := roundTo(v, low)
	for m.BitLen() > f.frac+1 {
		m.Rsh(m, 1)
		low++
	}
	e := low + f.frac + bias
	switch {
	case m.BitLen() <= f.frac:
		e = 0
	case e >= 1<<f.exp-1:
		return special(t, neg, false)
	}
	return f.pack(t, neg, e, m)
}

// roundTo returns |v| / 2^low rounded to an integer, ties to even.
func roundTo(v *big.Float, low int) *big.Int {
	x := new(big.Float).SetPrec(v.Prec() + 64).Abs(v)
	x.SetMantExp(x, -low)
	n, _ := x.Int(nil)
	rest := new(big.Float).SetPrec(v.Prec()+64).Sub(x, new(big.Float).SetPrec(v.Prec()+200).SetInt(n))
	switch c := rest.Cmp(big.NewFloat(0.5)); {
	case c > 0, c == 0 && n.Bit(0) == 1:
		n.Add(n, big.NewInt(1))
	}
	return n
}

// pack puts a number together. Of m, the bits of the fraction are taken.
func (f format) pack(t cir.Type, neg bool, exp int, m *big.Int) cir.Float {
	bits := new(big.Int).Set(m)
	width := f.frac
	if f.explicit {
		width++
		if exp != 0 {
			bits.SetBit(bits, f.frac, 1)
		}
	} else {
		bits.SetBit(bits, f.frac, 0)
	}
	e := big.NewInt(int64(exp))
	bits.Or(bits, e.Lsh(e, uint(width)))
	if neg {
		bits.SetBit(bits, width+f.exp, 1)
	}
	lo := new(big.Int).And(bits, new(big.Int).SetUint64(^uint64(0)))
	return cir.Float{Type: t, Lo: lo.Uint64(), Hi: bits.Rsh(bits, 64).Uint64()}
}

// decode is the value of a finite floating constant, nil of others.
func decode(c cir.Float) *big.Float {
	f := formatOf(c.Type.Bits)
	bits := new(big.Int).SetUint64(c.Hi)
	bits.Lsh(bits, 64).Or(bits, new(big.Int).SetUint64(c.Lo))
	width := f.frac
	if f.explicit {
		width++
	}
	neg := bits.Bit(width+f.exp) == 1
	mask := func(n int) *big.Int {
		m := new(big.Int).Lsh(big.NewInt(1), uint(n))
		return m.Sub(m, big.NewInt(1))
	}
	exp := int(new(big.Int).And(new(big.Int).Rsh(bits, uint(width)), mask(f.exp)).Int64())
	m := new(big.Int).And(bits, mask(width))
	if exp == 1<<f.exp-1 {
		return nil
	}
	if exp == 0 {
		exp = 1
	} else {
		m.SetBit(m, f.frac, 1)
	}
	v := new(big.Float).SetPrec(200).SetInt(m)
	v.SetMantExp(v, exp-(1<<(f.exp-1)-1)-f.frac)
	if neg {
		v.Neg(v)
	}
	return v
}
