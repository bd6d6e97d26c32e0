package sema

import (
	"math/big"
	"strings"

	"comus/cfront/syntax"
	"comus/cfront/tree"
	"comus/cfront/types"
)

// number makes a constant of a number as it is written.
func (c *checker) number(e *syntax.NumberExpr) tree.Expr {
	s := strings.ReplaceAll(e.Text, "'", "")
	low := strings.ToLower(s)
	hex := strings.HasPrefix(low, "0x")
	if hex && strings.ContainsAny(low, ".p") || !hex && !strings.HasPrefix(low, "0b") && strings.ContainsAny(low, ".e") {
		return c.floating(e, low, hex)
	}
	base, digits := 10, low
	switch {
	case hex:
		base, digits = 16, low[2:]
	case strings.HasPrefix(low, "0b"):
		base, digits = 2, low[2:]
	case strings.HasPrefix(low, "0"):
		base = 8
	}
	n := 0
	for n < len(digits) && (digits[n] >= '0' && digits[n] <= '9' || base == 16 && digits[n] >= 'a' && digits[n] <= 'f') {
		n++
	}
	suffix := digits[n:]
	digits = digits[:n]
	v, ok := new(big.Int).SetString(digits, base)
	if !ok {
		if base == 8 && strings.ContainsAny(digits, "89") {
			c.fail(e, "invalid digit in octal constant ‘%s’", e.Text)
		}
		c.fail(e, "invalid suffix on integer constant ‘%s’", e.Text)
	}
	return c.integer(e, v, suffix, base == 10)
}

// integer makes an integer constant with a suffix.
func (c *checker) integer(e *syntax.NumberExpr, v *big.Int, suffix string, decimal bool) tree.Expr {
	imaginary := strings.ContainsAny(suffix, "ij")
	rest := suffix
	if imaginary {
		rest = strings.NewReplacer("i", "", "j", "").Replace(suffix)
	}
	long, unsigned := 0, strings.Contains(rest, "u")
	switch rest {
	case "", "u":
	case "l", "ul", "lu":
		long = 1
	case "ll", "ull", "llu":
		long = 2
	default:
		c.fail(e, "invalid suffix \"%s\" on integer constant", suffix)
	}
	if v.BitLen() > 64 {
		v = new(big.Int).And(v, new(big.Int).SetUint64(^uint64(0)))
	}
	t := c.integerType(v, long, unsigned, decimal)
	if imaginary {
		zero := num{v: new(big.Float)}
		re := c.floatConst(c.site(e), c.t.Float128, zero)
		im := c.floatConst(c.site(e), c.t.Float128, intNum(v))
		return &tree.ComplexConst{X: c.x(e, types.ComplexOf(t)), Re: re, Im: im}
	}
	return c.intConst(c.site(e), t, v)
}

// integerType is the type of an integer constant.
func (c *checker) integerType(v *big.Int, long int, unsigned, decimal bool) *types.Type {
	t := c.t
	pairs := [][2]*types.Type{{t.Int, t.UInt}, {t.Long, t.ULong}, {t.LongLong, t.ULongLong}}[long:]
	for _, p := range pairs {
		if !unsigned && fits(v, p[0]) {
			return p[0]
		}
		if (unsigned || !decimal) && fits(v, p[1]) {
			return p[1]
		}
	}
	if t.Int128 != nil {
		return t.Int128
	}
	return t.ULongLong
}

// floatSuffixes are the types that suffixes of floating constants ask for.
func (c *checker) floatSuffix(s string) *types.Type {
	t := c.t
	switch s {
	case "":
		return t.Double
	case "f":
		return t.Float
	case "l":
		return t.LongDouble
	case "q", "f128":
		return t.Float128
	case "w":
		return t.LongDouble
	case "f16":
		return t.Float16
	case "f32":
		return t.Float32
	case "f64":
		return t.Float64
	case "f32x":
		return t.Float32x
	case "f64x":
		return t.Float64x
	case "df":
		return t.Decimal32
	case "dd":
		return t.Decimal64
	case "dl":
		return t.Decimal128
	case "d":
		return t.Double
	}
	return nil
}

// floating makes a floating constant.
func (c *checker) floating(e *syntax.NumberExpr, s string, hex bool) tree.Expr {
	i := 0
	if hex {
		i = 2
	}
	exp := byte('e')
	if hex {
		exp = 'p'
	}
	seenExp := false
	if strings.Count(s, ".") > 1 {
		c.fail(e, "too many decimal points in number")
	}
	for i < len(s) {
		ch := s[i]
		switch {
		case ch >= '0' && ch <= '9' || ch == '.':
		case hex && !seenExp && ch >= 'a' && ch <= 'f':
		case ch == exp && !seenExp:
			seenExp = true
			if i+1 < len(s) && (s[i+1] == '+' || s[i+1] == '-') {
				i++
			}
		default:
			goto done
		}
		i++
	}
done:
	suffix := s[i:]
	if hex && !seenExp {
		c.fail(e, "hexadecimal floating constants require an exponent")
	}
	imaginary := false
	if k := strings.IndexAny(suffix, "ij"); k >= 0 {
		imaginary = true
		suffix = suffix[:k] + suffix[k+1:]
	}
	t := c.floatSuffix(suffix)
	if t == nil {
		c.fail(e, "invalid suffix \"%s\" on floating constant", s[i:])
	}
	n, ok := parseFloat(s[:i], hex)
	if !ok {
		c.fail(e, "exponent has no digits")
	}
	if imaginary {
		zero := c.floatConst(c.site(e), t, num{v: new(big.Float)})
		return &tree.ComplexConst{X: c.x(e, types.ComplexOf(t)), Re: zero, Im: c.floatConst(c.site(e), t, n)}
	}
	return c.floatConst(c.site(e), t, n)
}

// parseFloat reads a number without suffix, with enough bits to be rounded once more.
func parseFloat(s string, hex bool) (num, bool) {
	if hex {
		// big.ParseFloat wants a digit before the point
		s = strings.Replace(s, "0x.", "0x0.", 1)
	}
	v, _, err := big.ParseFloat(s, 0, 1500, big.ToNearestEven)
	if err != nil && v == nil {
		return num{}, false
	}
	if v.IsInf() {
		return num{inf: 1}, true
	}
	return num{v: v}, true
}
