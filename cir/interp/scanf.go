package interp

import (
	"math/big"
	"strings"

	"comus/cir"
)

// scanner is the C library's formatted input from a string, as glibc has it in the "C" locale.
type scanner struct {
	t     *thread
	next  func() (Value, bool)
	in    string
	pos   int
	count int
}

// scan1 is Scan.
func scan1(t *thread, f *frame, in *inst, a []slot) bool {
	s, ok := t.cstring(a[0], -1)
	if !ok {
		return false
	}
	str, ok := t.cstring(a[1], -1)
	if !ok {
		return false
	}
	n, ok := t.scan(s, str, t.varargs(a[2]))
	return ok && f.give(in, int64(n))
}

// scanSpec is a conversion of a scanf.
type scanSpec struct {
	skip   bool
	width  int // 0: none
	length string
	conv   byte
	set    [256]bool
}

// scan reads a string by a format. It returns what sscanf returns, and reports whether the run goes on.
func (t *thread) scan(in, format string, next func() (Value, bool)) (int, bool) {
	s := &scanner{t: t, next: next, in: in}
	for format != "" {
		c := format[0]
		format = format[1:]
		switch {
		case isSpace(c):
			s.space()
		case c != '%':
			if s.pos >= len(s.in) {
				return s.end(), true
			}
			if s.in[s.pos] != c {
				return s.count, true
			}
			s.pos++
		default:
			var sp scanSpec
			var ok bool
			if sp, format, ok = scanSpecOf(format); !ok {
				return s.count, true
			}
			more, n, ok := s.convert(&sp)
			if !ok || !more {
				return n, ok
			}
		}
	}
	return s.count, true
}

// end is the result at the end of the input.
func (s *scanner) end() int {
	if s.count > 0 {
		return s.count
	}
	return -1
}

func (s *scanner) space() {
	for s.pos < len(s.in) && isSpace(s.in[s.pos]) {
		s.pos++
	}
}

// scanSpecOf reads a conversion.
func scanSpecOf(f string) (s scanSpec, rest string, ok bool) {
	p := &formatter{f: f}
	if p.f != "" && p.f[0] == '*' {
		s.skip = true
		p.f = p.f[1:]
	}
	s.width = p.digits()
	n := 0
	for n < len(p.f) && contains("hlqLjzt", p.f[n]) {
		n++
	}
	s.length, p.f = p.f[:n], p.f[n:]
	if p.f == "" {
		return s, "", false
	}
	s.conv, p.f = p.f[0], p.f[1:]
	if s.conv == '[' {
		return s, p.scanSet(&s), true
	}
	return s, p.f, true
}

// scanSet reads the characters of %[.
func (p *formatter) scanSet(s *scanSpec) string {
	not := strings.HasPrefix(p.f, "^")
	if not {
		p.f = p.f[1:]
	}
	for i := 0; i < len(p.f); i++ {
		c := p.f[i]
		if c == ']' && i > 0 {
			p.f = p.f[i+1:]
			break
		}
		if i+2 < len(p.f) && p.f[i+1] == '-' && p.f[i+2] != ']' && c <= p.f[i+2] {
			for b := int(c); b <= int(p.f[i+2]); b++ {
				s.set[b] = true
			}
			i += 2
			continue
		}
		s.set[c] = true
	}
	if not {
		for i := range s.set {
			s.set[i] = !s.set[i]
		}
	}
	return p.f
}

// convert performs a conversion. If the scan ends with it, n is the result.
func (s *scanner) convert(sp *scanSpec) (more bool, n int, ok bool) {
	switch sp.conv {
	case '%':
		s.space()
		if s.pos >= len(s.in) {
			return false, s.end(), true
		}
		if s.in[s.pos] != '%' {
			return false, s.count, true
		}
		s.pos++
		return true, 0, true
	case 'n':
		if sp.skip {
			return true, 0, true
		}
		return true, 0, s.give(sp, slot{lo: uint64(s.pos)}, cir.I64)
	case 'c', '[', 'C':
	default:
		s.space()
	}
	if s.pos >= len(s.in) {
		return false, s.end(), true
	}
	var fits bool
	switch sp.conv {
	case 'd', 'i', 'u', 'o', 'x', 'X', 'p':
		fits, ok = s.integer(sp)
	case 'e', 'E', 'f', 'F', 'g', 'G', 'a', 'A':
		fits, ok = s.float(sp)
	case 'c', 's', '[', 'C', 'S':
		fits, ok = s.text(sp)
	default:
		return false, s.count, true
	}
	if !ok || !fits {
		return false, s.count, ok
	}
	if !sp.skip {
		s.count++
	}
	return true, 0, true
}

// field returns the rest of the input, or as much as the width allows.
func (s *scanner) field(sp *scanSpec) string {
	f := s.in[s.pos:]
	if sp.width > 0 && sp.width < len(f) {
		f = f[:sp.width]
	}
	return f
}

// give stores an integer where the next argument points.
func (s *scanner) give(sp *scanSpec, v slot, ty cir.Type) bool {
	p, ok := s.next()
	if !ok {
		return false
	}
	m := s.t.m
	bits := spec{length: sp.length}.bits(m)
	if sp.conv == 'p' {
		bits = m.prog.Model.PointerBits
	}
	return s.t.put(p.slot(), v, 0, &cir.Access{Type: cir.Type{Kind: cir.IntKind, Bits: bits, Signed: true}})
}

// integer reads an integer.
func (s *scanner) integer(sp *scanSpec) (fits, ok bool) {
	f := s.field(sp)
	if sp.conv == 'p' && strings.HasPrefix(f, "(nil)") {
		s.pos += 5
		return true, sp.skip || s.give(sp, slot{}, cir.U64)
	}
	i, neg := 0, false
	if f[0] == '-' || f[0] == '+' {
		neg = f[0] == '-'
		i++
	}
	base := map[byte]int{'d': 10, 'u': 10, 'o': 8, 'i': 0}[sp.conv]
	if contains("xXp", sp.conv) {
		base = 16
	}
	digits := ""
	if i < len(f) && f[i] == '0' && (base == 0 || base == 16) {
		digits = "0"
		i++
		if i < len(f) && f[i]|0x20 == 'x' {
			i++
			base = 16
		} else if base == 0 {
			base = 8
		}
	} else if base == 0 {
		base = 10
	}
	for i < len(f) && digitOf(f[i]) < base {
		digits += f[i : i+1]
		i++
	}
	if digits == "" {
		return false, true
	}
	s.pos += i
	if sp.skip {
		return true, true
	}
	n, _ := new(big.Int).SetString(digits, base)
	if neg {
		n.Neg(n)
	}
	signed := sp.conv == 'd' || sp.conv == 'i'
	return true, s.give(sp, saturated(n, neg, signed, s.t.m), cir.I64)
}

// saturated is what strtol or strtoul makes of a number.
func saturated(n *big.Int, neg, signed bool, m *Machine) slot {
	ty := cir.Type{Kind: cir.IntKind, Bits: 64, Signed: signed}
	if v, ok := ofBig(n, ty); ok {
		return v
	}
	if signed {
		if neg {
			return slot{lo: 1 << 63}
		}
		return slot{lo: 1<<63 - 1}
	}
	if v, ok := ofBig(new(big.Int).Neg(n), ty); ok && neg {
		return slot{lo: -v.lo}
	}
	return slot{lo: ^uint64(0)}
}

// float reads a floating-point number.
func (s *scanner) float(sp *scanSpec) (fits, ok bool) {
	ty := cir.F32
	switch sp.length {
	case "l":
		ty = cir.F64
	case "L", "ll", "q":
		ty = cir.F80
	}
	f := s.field(sp)
	v, n := parseFloat(f, ty)
	if n == 0 {
		return false, true
	}
	low := strings.ToLower(f)
	rest, mark := low[n:], "e"
	switch at := n - len(strings.TrimLeft(low[:n], "+-")); {
	case v.class == nan:
		v.mant, n, rest = nil, at+3, ""
	case v.class == infinite && strings.HasPrefix(low[at:], "inf"):
		if strings.HasPrefix(rest, "i") {
			return false, true // only a part of infinity
		}
		rest = ""
	case strings.HasPrefix(rest, "x") && low[at:n] == "0":
		return false, true // 0x without digits
	case strings.HasPrefix(low[at:], "0x"):
		mark = "p"
	}
	if strings.HasPrefix(rest, mark) && !strings.Contains(low[:n], mark) { // an exponent without digits is read, too
		n++
		if len(rest) > 1 && (rest[1] == '+' || rest[1] == '-') {
			n++
		}
	}
	s.pos += n
	if sp.skip {
		return true, true
	}
	p, ok := s.next()
	return true, ok && s.t.put(p.slot(), pack(v, ty), 0, &cir.Access{Type: ty})
}

// text reads characters.
func (s *scanner) text(sp *scanSpec) (fits, ok bool) {
	n := 0
	f := s.field(sp)
	switch sp.conv {
	case 'c', 'C':
		if n = max(sp.width, 1); n > len(f) {
			n = len(f)
		}
	case 's', 'S':
		for n < len(f) && !isSpace(f[n]) {
			n++
		}
	default:
		for n < len(f) && sp.set[f[n]] {
			n++
		}
	}
	if n == 0 {
		return false, true
	}
	b := []byte(f[:n])
	s.pos += n
	if sp.skip {
		return true, true
	}
	p, ok := s.next()
	if !ok {
		return true, false
	}
	if sp.conv != 'c' && sp.conv != 'C' {
		b = append(b, 0)
	}
	if sp.length == "l" || sp.conv == 'S' || sp.conv == 'C' {
		var w []byte
		for _, c := range b {
			w = append(w, c, 0, 0, 0)
		}
		b = w
	}
	o, off, ok := s.t.valid(p.slot(), int64(len(b)), true)
	if ok {
		s.t.m.write(o, off, b, nil)
	}
	return true, ok
}
