package interp

import (
	"math/big"
	"strings"

	"comus/cir"
)

// parseFloat reads the number that a string begins with, as strtod does, and returns how many bytes it has; 0: there
// is none. The value is exact, or rounded so that rounding it to ty is right.
func parseFloat(s string, ty cir.Type) (v soft, n int) {
	i := 0
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	neg := false
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		neg = s[i] == '-'
		i++
	}
	v, k := parseUnsigned(s[i:])
	if k == 0 {
		return soft{}, 0
	}
	v.neg = neg
	return v, i + k
}

// parseUnsigned is parseFloat without space and sign.
func parseUnsigned(s string) (soft, int) {
	low := strings.ToLower(s[:min(len(s), 8)])
	switch {
	case strings.HasPrefix(low, "infinity"):
		return soft{class: infinite}, 8
	case strings.HasPrefix(low, "inf"):
		return soft{class: infinite}, 3
	case strings.HasPrefix(low, "nan"):
		return parseNaN(s)
	case strings.HasPrefix(low, "0x"):
		if v, n := parseDigits(s[2:], 16); n > 0 {
			return v, n + 2
		}
		return soft{}, 1
	}
	return parseDigits(s, 10)
}

// parseNaN reads nan, nan() or nan(digits).
func parseNaN(s string) (soft, int) {
	v := soft{class: nan}
	if len(s) < 4 || s[3] != '(' {
		return v, 3
	}
	i := 4
	for i < len(s) && (s[i] == '_' || s[i] >= '0' && s[i] <= '9' || s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z') {
		i++
	}
	if i >= len(s) || s[i] != ')' {
		return v, 3
	}
	if n, ok := new(big.Int).SetString(s[4:i], 0); ok && n.BitLen() <= 51 {
		v.mant = n.Lsh(n, payloadBits-52)
	}
	return v, i + 1
}

// digitOf is the value of a digit, or 99.
func digitOf(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'z':
		return int(c|0x20-'a') + 10
	}
	return 99
}

// parseDigits reads digits, a fraction and an exponent.
func parseDigits(s string, base int) (soft, int) {
	var digits []byte
	i, scale, point, any := 0, 0, false, false
	for ; i < len(s); i++ {
		if s[i] == '.' && !point {
			point = true
			continue
		}
		if digitOf(s[i]) >= base {
			break
		}
		any = true
		if s[i] != '0' || len(digits) > 0 {
			digits = append(digits, s[i])
		}
		if point {
			scale--
		}
	}
	if !any {
		return soft{}, 0
	}
	mark := byte('e')
	if base == 16 {
		mark, scale = 'p', 4*scale
	}
	if i < len(s) && s[i]|0x20 == mark {
		j, neg := i+1, false
		if j < len(s) && (s[j] == '+' || s[j] == '-') {
			neg = s[j] == '-'
			j++
		}
		e, k := 0, j
		for ; k < len(s) && digitOf(s[k]) < 10; k++ {
			e = min(e*10+digitOf(s[k]), 1<<28)
		}
		if k > j {
			if neg {
				e = -e
			}
			scale, i = scale+e, k
		}
	}
	return scaled(string(digits), base, scale), i
}

// scaled is the value of digits times 10^scale, or, in base 16, 2^scale.
func scaled(digits string, base, scale int) soft {
	m, ok := new(big.Int).SetString(digits, base)
	if !ok || m.Sign() == 0 {
		return soft{}
	}
	if base == 16 {
		if scale > 1<<24 {
			return soft{class: infinite}
		}
		return soft{class: finite, mant: m, exp: max(scale, -1<<24)}
	}
	switch e := scale + len(digits); {
	case e > 6000:
		return soft{class: infinite}
	case e < -6000:
		return soft{class: finite, mant: big.NewInt(1), exp: -1 << 20}
	case scale >= 0:
		return soft{class: finite, mant: m.Mul(m, tenTo(scale))}
	}
	return softDiv(softInt(m), softInt(tenTo(-scale)))
}

// tenTo is 10^n.
func tenTo(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }
