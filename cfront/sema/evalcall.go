package sema

import (
	"bytes"
	"math/big"
	"math/bits"
	"strings"

	"comus/cfront/tree"
	"comus/cfront/types"
)

// evalCall evaluates calls of functions of the library that gcc folds.
func (c *checker) evalCall(x *tree.Call) (konst, bool) {
	f := calledFunc(x.F)
	if f == nil || f.Body != nil || c.flags.NoBuiltin || len(x.Args) == 0 || libraryDecls[f.Name] == "" {
		return konst{}, false
	}
	if f.Name == "strlen" {
		return c.evalStrlen(x.Args[0])
	}
	return c.evalBuiltin(f.Name, x.Args, x.Typ)
}

// evalStrlen is the length of a string literal.
func (c *checker) evalStrlen(x tree.Expr) (konst, bool) {
	k, ok := c.eval(x)
	if !ok || k.base == nil {
		return konst{}, false
	}
	s, ok := k.base.(*tree.String)
	off := k.i.Int64()
	if !ok || off < 0 || off >= int64(len(s.Data)) {
		return konst{}, false
	}
	n := bytes.IndexByte(s.Data[off:], 0)
	return konst{i: big.NewInt(int64(n))}, n >= 0
}

// evalBuiltin evaluates builtins of constants.
func (c *checker) evalBuiltin(name string, args []tree.Expr, t *types.Type) (konst, bool) {
	if len(args) == 0 {
		return konst{}, false
	}
	k, ok := c.eval(args[0])
	if !ok || k.base != nil || k.im != nil {
		return konst{}, false
	}
	if k.re != nil {
		return c.evalFloatBuiltin(name, *k.re, args, t)
	}
	at := args[0].Type()
	if !at.IsInteger() {
		return konst{}, false
	}
	v, ok := evalBits(strings.TrimRight(name, "l"), k.i, at)
	if !ok {
		switch name {
		case "expect", "expect_with_probability":
			return k, true
		case "abs", "labs", "llabs", "imaxabs":
			return konst{i: wrap(new(big.Int).Abs(k.i), t)}, true
		}
	}
	return konst{i: v}, ok
}

// evalBits evaluates builtins that count and swap bits.
func evalBits(name string, v *big.Int, t *types.Type) (*big.Int, bool) {
	n := t.Bits
	u := v
	if v.Sign() < 0 {
		u = new(big.Int).Add(v, new(big.Int).Lsh(one, uint(n)))
	}
	if u.BitLen() > 64 && !strings.HasPrefix(name, "bswap") {
		return nil, false
	}
	w := u.Uint64()
	num := func(i int) (*big.Int, bool) { return big.NewInt(int64(i)), true }
	switch name {
	case "c", "clz":
		return big.NewInt(int64(n - bits.Len64(w))), w != 0
	case "ctz":
		return big.NewInt(int64(bits.TrailingZeros64(w))), w != 0
	case "popcount":
		return num(bits.OnesCount64(w))
	case "parity":
		return num(bits.OnesCount64(w) & 1)
	case "ffs":
		if w == 0 {
			return num(0)
		}
		return num(bits.TrailingZeros64(w) + 1)
	case "clrsb":
		if v.Sign() < 0 {
			v = new(big.Int).Not(v)
		}
		return num(n - v.BitLen() - 1)
	case "bswap16":
		return new(big.Int).SetUint64(uint64(bits.ReverseBytes16(uint16(w)))), true
	case "bswap32":
		return new(big.Int).SetUint64(uint64(bits.ReverseBytes32(uint32(w)))), true
	case "bswap64":
		return new(big.Int).SetUint64(bits.ReverseBytes64(w)), true
	}
	return nil, false
}

// evalFloatBuiltin evaluates builtins of floating constants.
func (c *checker) evalFloatBuiltin(name string, n num, args []tree.Expr, t *types.Type) (konst, bool) {
	isTruth := func(b bool) (konst, bool) { return boolKonst(b), true }
	base := strings.TrimRight(name, "fl")
	switch {
	case name == "isnan":
		return isTruth(n.nan)
	case name == "isinf":
		return isTruth(n.v == nil && !n.nan)
	case name == "isinf_sign":
		return konst{i: big.NewInt(int64(n.inf))}, true
	case name == "isfinite" || name == "finite":
		return isTruth(n.v != nil)
	case strings.HasPrefix(name, "signbit") && !n.nan:
		return isTruth(n.sign() < 0)
	case base == "fabs" || base == "fabsf128" || name == "fabsf" || name == "fabsl":
		if n.sign() < 0 {
			n = n.neg()
		}
		return konst{re: &n}, true
	}
	if len(args) < 2 {
		return konst{}, false
	}
	k, ok := c.eval(args[1])
	if !ok || k.re == nil {
		return konst{}, false
	}
	m := *k.re
	r, ordered := n.cmp(m)
	switch name {
	case "isunordered":
		return isTruth(!ordered)
	case "isgreater":
		return isTruth(ordered && r > 0)
	case "isgreaterequal":
		return isTruth(ordered && r >= 0)
	case "isless":
		return isTruth(ordered && r < 0)
	case "islessequal":
		return isTruth(ordered && r <= 0)
	case "islessgreater":
		return isTruth(ordered && r != 0)
	case "copysign", "copysignf", "copysignl":
		if !n.nan && n.sign() != m.sign() {
			n = n.neg()
		}
		return konst{re: &n}, true
	}
	return konst{}, false
}
