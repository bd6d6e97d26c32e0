package build

import (
	"math/big"
	"strconv"
	"strings"

	"comus/cfront/tree"
	"comus/cfront/types"
	"comus/cir"
)

// Decimal floating point (_Decimal64 and the like) is approximated: an object holds an integer of
// its size, which is copied as it is; what is computed is any value.

// approxDecimal names that approximation.
const approxDecimal = "decimal floating point"

// isDecimal tells whether t is a decimal floating type.
func isDecimal(t *types.Type) bool { return t.Kind == types.Float && t.Decimal }

// touchesDecimal tells whether an operator computes with decimal numbers.
func touchesDecimal(e tree.Expr) bool {
	switch e := e.(type) {
	case *tree.Convert:
		from, to := e.V.Type(), e.Typ
		return to.Kind != types.Void && (isDecimal(from) || isDecimal(to)) && !(isDecimal(from) && isDecimal(to) && from.Size == to.Size)
	case *tree.Unary:
		return isDecimal(e.V.Type())
	case *tree.Binary:
		return isDecimal(e.L.Type())
	case *tree.AssignOp:
		return isDecimal(e.L.Type()) || e.Compute != nil && isDecimal(e.Compute)
	case *tree.IncDec:
		return isDecimal(e.L.Type())
	case *tree.Builtin:
		for _, a := range e.Args {
			if isDecimal(a.Type()) {
				return true
			}
		}
	}
	return false
}

// decimal builds such an operator: its operands for their effects, any value for its value.
func (f *fn) decimal(e tree.Expr) val {
	switch e := e.(type) {
	case *tree.AssignOp:
		f.discard(e.R)
		return f.store(f.lvalue(e.L), f.anyOf(unqual(e.L.Type()), approxDecimal))
	case *tree.IncDec:
		l := f.lvalue(e.L)
		old := f.load(l)
		v := f.store(l, f.anyOf(unqual(l.t), approxDecimal))
		if e.Post {
			return old
		}
		return v
	}
	if b, ok := e.(*tree.Builtin); ok {
		for _, a := range b.Args {
			f.discard(a)
		}
		return f.anyOf(e.Type(), approxDecimal)
	}
	children(e, f.discard, f.stmt)
	return f.anyOf(e.Type(), approxDecimal)
}

// decimalTruth is whether a decimal number is not 0: nobody knows.
func (f *fn) decimalTruth(e tree.Expr) cir.Value {
	f.discard(e)
	return f.anyBool(approxDecimal)
}

// anyOf is any value of a type, in the place of one that is approximated.
func (f *fn) anyOf(t *types.Type, approx string) val {
	switch {
	case t.Kind == types.Void:
		return val{}
	case hasParts(t):
		var v val
		for range parts(t) {
			v.parts = append(v.parts, f.anyOf(t.Elem, approx).v)
		}
		return v
	case isRecord(t):
		tmp := f.temp(unqual(t))
		i := &cir.Intrinsic{Op: cir.HavocBytes, Args: []cir.Value{f.address(tmp), f.size(t)}}
		i.Approx = approx
		f.emit(i)
		return val{addr: tmp.base, align: tmp.align}
	}
	d := f.reg(f.u.scalar(t))
	i := &cir.Intrinsic{Op: cir.Nondet, Dst: d}
	i.Approx = approx
	f.emit(i)
	return val{v: d}
}

// anyBool is either truth value.
func (f *fn) anyBool(approx string) cir.Value {
	d := f.reg(cir.Bool)
	i := &cir.Intrinsic{Op: cir.Nondet, Dst: d}
	i.Approx = approx
	f.emit(i)
	return d
}

// decimalConst encodes a decimal constant as IEEE 754's binary integer decimal: sign, exponent,
// coefficient. Trailing zeros of the constant are lost, which only its bytes show.
func decimalConst(t *types.Type, c *tree.FloatConst) cir.Int {
	digits, bias, coeffBits, expBits := 16, 398, 53, 10
	switch t.Size {
	case 4:
		digits, bias, coeffBits, expBits = 7, 101, 23, 8
	case 16:
		digits, bias, coeffBits, expBits = 34, 6176, 113, 14
	}
	it := cir.Type{Kind: cir.IntKind, Bits: int(t.Size) * 8}
	top := func(n int64) *big.Int { return new(big.Int).Lsh(big.NewInt(n), uint(it.Bits-6)) }
	switch {
	case c.NaN:
		return intConst(it, top(0x1f))
	case c.Inf != 0 || c.V == nil:
		return intConst(it, top(0x1e))
	}
	mantissa, exp, _ := strings.Cut(c.V.Text('e', digits-1), "e")
	e, err := strconv.Atoi(exp)
	if err != nil {
		return cir.Int{Type: it}
	}
	mantissa, neg := strings.CutPrefix(strings.Replace(mantissa, ".", "", 1), "-")
	e -= digits - 1
	for len(mantissa) > 1 && mantissa[len(mantissa)-1] == '0' {
		mantissa = mantissa[:len(mantissa)-1]
		e++
	}
	coeff, _ := new(big.Int).SetString(mantissa, 10)
	if coeff.Sign() == 0 {
		e = 0
	}
	bits := big.NewInt(int64(e + bias))
	if coeff.BitLen() <= coeffBits {
		bits.Lsh(bits, uint(coeffBits)).Or(bits, coeff)
	} else {
		// The coefficient begins with 100, which is not stored.
		low := uint(coeffBits - 2)
		coeff.And(coeff, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), low), big.NewInt(1)))
		bits.Lsh(bits, low).Or(bits, coeff).Or(bits, new(big.Int).Lsh(big.NewInt(3), low+uint(expBits)))
	}
	if neg {
		bits.SetBit(bits, it.Bits-1, 1)
	}
	return intConst(it, bits)
}
