package sema

import (
	"math/big"

	"comus/cfront/tree"
	"comus/cfront/types"
)

// num is a floating-point number that is not rounded to a type yet.
type num struct {
	v   *big.Float // nil if not finite
	inf int
	nan bool
}

// exactBits are enough for sums and products of any two numbers to be exact.
const exactBits = 40000

// quotientBits are those of quotients, which are not exact.
const quotientBits = 700

func intNum(v *big.Int) num {
	return num{v: new(big.Float).SetPrec(uint(max(v.BitLen(), 64))).SetInt(v)}
}

func numOf(k *tree.FloatConst) num { return num{v: k.V, inf: k.Inf, nan: k.NaN} }

// precision returns the bits of the significand and the greatest exponent of a floating type.
func precision(t *types.Type) (p, emax int) {
	switch t.Bits {
	case 16:
		return 11, 15
	case 32:
		return 24, 127
	case 64:
		return 53, 1023
	case 80:
		return 64, 16383
	}
	return 113, 16383
}

// round rounds to a floating type, to nearest, ties to even.
func (n num) round(t *types.Type) num {
	if n.v == nil || n.v.Sign() == 0 || t.Decimal {
		return n
	}
	p, emax := precision(t)
	emin := 1 - emax
	e := n.v.MantExp(nil) - 1
	prec := p
	if e < emin {
		prec = p - (emin - e)
	}
	if prec <= 0 {
		half := new(big.Float).SetMantExp(big.NewFloat(1), emin-p)
		least := new(big.Float).SetMantExp(big.NewFloat(1), emin-p+1)
		z := new(big.Float)
		if new(big.Float).Abs(n.v).Cmp(half) > 0 {
			z = least
		}
		if n.v.Signbit() {
			z = new(big.Float).Neg(z)
		}
		return num{v: z}
	}
	r := new(big.Float).SetPrec(uint(prec)).SetMode(big.ToNearestEven).Set(n.v)
	if r.MantExp(nil)-1 > emax {
		return num{inf: n.v.Sign()}
	}
	return num{v: r}
}

func (c *checker) floatConst(s *tree.Site, t *types.Type, n num) *tree.FloatConst {
	n = n.round(t)
	return &tree.FloatConst{X: tree.X{Typ: t, Site: s}, V: n.v, Inf: n.inf, NaN: n.nan}
}

// neg returns -n.
func (n num) neg() num {
	if n.v != nil {
		n.v = new(big.Float).Neg(n.v)
	}
	n.inf = -n.inf
	return n
}

func (n num) zero() bool { return n.v != nil && n.v.Sign() == 0 }

// sign is that of the number, of zeros and infinities as well.
func (n num) sign() int {
	if n.v == nil {
		return n.inf
	}
	if n.v.Signbit() {
		return -1
	}
	return 1
}

var nan = num{nan: true}

// arith computes a sum, difference, product or quotient.
func (n num) arith(op tree.Op, m num) num {
	if n.nan || m.nan {
		return nan
	}
	if op == tree.Sub {
		return n.arith(tree.Add, m.neg())
	}
	if n.v == nil || m.v == nil {
		return n.arithInf(op, m)
	}
	z := new(big.Float).SetPrec(exactBits)
	switch op {
	case tree.Add:
		z.Add(n.v, m.v)
	case tree.Mul:
		z.Mul(n.v, m.v)
	default:
		if m.zero() {
			if n.zero() {
				return nan
			}
			return num{inf: n.sign() * m.sign()}
		}
		z.SetPrec(quotientBits).Quo(n.v, m.v)
	}
	if z.Prec() == exactBits {
		z.SetPrec(max(z.MinPrec(), 64))
	}
	return num{v: z}
}

// arithInf is arith if an operand is infinite.
func (n num) arithInf(op tree.Op, m num) num {
	switch op {
	case tree.Add:
		switch {
		case n.v == nil && m.v == nil && n.inf != m.inf:
			return nan
		case n.v == nil:
			return n
		}
		return m
	case tree.Mul:
		if n.zero() || m.zero() {
			return nan
		}
		return num{inf: n.sign() * m.sign()}
	}
	switch {
	case n.v == nil && m.v == nil:
		return nan
	case n.v == nil:
		return num{inf: n.inf * m.sign()}
	}
	z := new(big.Float)
	if n.sign()*m.sign() < 0 {
		z.Neg(z)
	}
	return num{v: z}
}

// cmp compares; ok is false if they are unordered.
func (n num) cmp(m num) (r int, ok bool) {
	if n.nan || m.nan {
		return 0, false
	}
	switch {
	case n.v == nil && m.v == nil:
		return n.inf - m.inf, true
	case n.v == nil:
		return n.inf, true
	case m.v == nil:
		return -m.inf, true
	}
	return n.v.Cmp(m.v), true
}

// toInt truncates to an integer; false if there is none in the type's range.
func (n num) toInt(t *types.Type) (*big.Int, bool) {
	if t.Kind == types.Bool {
		if n.zero() {
			return new(big.Int), true
		}
		return big.NewInt(1), true
	}
	if n.v == nil {
		return new(big.Int), false
	}
	if n.v.MantExp(nil) > 200 {
		return saturate(n.v.Sign(), t), false
	}
	i, _ := n.v.Int(nil)
	if !fits(i, t) {
		return saturate(n.v.Sign(), t), false
	}
	return i, true
}

// saturate is the greatest or least value of a type: what gcc folds conversions out of range to.
func saturate(sign int, t *types.Type) *big.Int {
	bits := uint(t.Bits)
	if t.Signed {
		bits--
	}
	if sign > 0 {
		return new(big.Int).Sub(new(big.Int).Lsh(one, bits), one)
	}
	if !t.Signed {
		return new(big.Int)
	}
	return new(big.Int).Neg(new(big.Int).Lsh(one, bits))
}
