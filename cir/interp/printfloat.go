package interp

import (
	"math/big"
	"strconv"
	"strings"

	"comus/cir"
)

// float converts a floating-point number.
func (p *formatter) float(s spec, v Value) bool {
	m := p.t.m
	long := strings.ContainsRune(s.length, 'L') || s.length == "ll"
	if v.shape != nil || !v.Type.IsFloat() || long != (v.Type.Bits > 64) {
		if !m.undefined(CheckCall, "%"+s.length+string(s.conv)+" in a format, the argument is "+v.kind()) {
			return false
		}
		if !v.Type.IsFloat() || v.shape != nil {
			v = Value{Type: cir.F64}
		}
	}
	x := unpack(v.slot(), v.Type)
	prefix := ""
	switch {
	case x.neg:
		prefix = "-"
	case s.plus:
		prefix = "+"
	case s.space:
		prefix = " "
	}
	x.neg = false
	var body string
	switch {
	case x.class == nan || x.class == infinite:
		if body = "inf"; x.class == nan {
			body = "nan"
		}
		s.zero = false
	case s.conv == 'a' || s.conv == 'A':
		prefix += "0x"
		body = hexFloat(x, v.Type, s)
	default:
		if s.prec < 0 {
			s.prec = 6
		}
		if int64(s.prec) > m.opt.MaxOutput {
			m.stop(Limit, "", "the text of a formatted output is too long")
			return false
		}
		body = decimalFloat(x, v.Type, s)
	}
	if s.conv >= 'A' && s.conv <= 'Z' {
		prefix, body = upper(prefix), upper(body)
	}
	p.pad(s, prefix, body, s.zero)
	return true
}

// fixed formats a number that is not negative exactly, by %e or %f.
func fixed(x soft, ty cir.Type, format byte, prec int) string {
	if ty.Bits <= 64 {
		return strconv.FormatFloat(x.float(), format, prec, 64)
	}
	f := new(big.Float).SetPrec(uint(formatOf(ty).mant))
	if x.class == finite {
		f.SetInt(x.mant)
		f.SetMantExp(f, x.exp)
	}
	return f.Text(format, prec)
}

// decimalFloat formats a finite number that is not negative by %e, %f or %g.
func decimalFloat(x soft, ty cir.Type, s spec) string {
	switch s.conv | 0x20 {
	case 'f':
		str := fixed(x, ty, 'f', s.prec)
		if s.alt && s.prec == 0 {
			str += "."
		}
		return str
	case 'e':
		str := fixed(x, ty, 'e', s.prec)
		if s.alt && s.prec == 0 {
			str = strings.Replace(str, "e", ".e", 1)
		}
		return str
	}
	prec := max(s.prec, 1)
	str := fixed(x, ty, 'e', prec-1)
	mant, e, _ := strings.Cut(str, "e")
	exp, _ := strconv.Atoi(e)
	if exp < -4 || exp >= prec {
		if !s.alt {
			mant = trim(mant)
		} else if !strings.Contains(mant, ".") {
			mant += "."
		}
		return mant + "e" + e
	}
	str = fixed(x, ty, 'f', prec-1-exp)
	if !s.alt {
		return trim(str)
	}
	if !strings.Contains(str, ".") {
		str += "."
	}
	return str
}

// trim removes the zeros at the end of a fraction.
func trim(s string) string {
	if strings.Contains(s, ".") {
		s = strings.TrimRight(s, "0")
		s = strings.TrimSuffix(s, ".")
	}
	return s
}

// hexFloat formats a finite number that is not negative by %a, without its 0x.
func hexFloat(x soft, ty cir.Type, s spec) string {
	f := formatOf(ty)
	lead, exp := big.NewInt(0), 0
	frac := new(big.Int)
	digits := (f.mant - 1 + 3) / 4 // behind the point
	if ty.Bits == 80 {
		digits = 15
	}
	if x.class == finite {
		e, m := round(x, f)
		exp = e - f.bias()
		if e == 0 {
			exp = 1 - f.bias()
		}
		if ty.Bits == 80 { // the first digit has four bits of the significand
			exp -= 3
		} else {
			m = new(big.Int).Lsh(m, uint(4*digits-(f.mant-1)))
		}
		lead.Rsh(m, uint(4*digits))
		frac.Sub(m, new(big.Int).Lsh(lead, uint(4*digits)))
	}
	if s.prec >= 0 && s.prec < digits {
		down := uint(4 * (digits - s.prec))
		all := new(big.Int).Lsh(lead, uint(4*digits))
		all.Or(all, frac)
		q := new(big.Int).Rsh(all, down)
		if all.Bit(int(down)-1) != 0 && (q.Bit(0) != 0 || all.TrailingZeroBits() < down-1) {
			q.Add(q, big.NewInt(1))
		}
		lead.Rsh(q, uint(4*s.prec))
		frac.Sub(q, new(big.Int).Lsh(lead, uint(4*s.prec)))
		digits = s.prec
		if lead.Cmp(big.NewInt(16)) == 0 {
			lead.SetInt64(1)
			exp += 4
		}
	}
	str := frac.Text(16)
	str = strings.Repeat("0", max(0, digits-len(str))) + str
	if digits == 0 {
		str = ""
	}
	switch {
	case s.prec < 0:
		str = strings.TrimRight(str, "0")
	case len(str) < s.prec:
		str += strings.Repeat("0", s.prec-len(str))
	}
	if str != "" || s.alt {
		str = "." + str
	}
	sign := "+"
	if exp < 0 {
		sign, exp = "-", -exp
	}
	return lead.Text(16) + str + "p" + sign + strconv.Itoa(exp)
}
