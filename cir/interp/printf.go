package interp

import (
	"bytes"
	"strconv"

	"comus/cir"
)

// formatter is the C library's formatted output, as glibc has it in the "C" locale.
type formatter struct {
	t     *thread
	next  func() (Value, bool) // the next argument
	args  []Value              // those read so far, for %1$d
	used  int
	out   []byte
	f     string // the format, what is left of it
	bad   bool   // -1 is to be returned
	texts []text // strings that were read
}

// text is a string that was read, with its end.
type text struct {
	at slot
	n  int64
}

// spec is a conversion specification.
type spec struct {
	minus, plus, space, alt, zero, group bool
	width, prec                          int // prec < 0: none
	length                               string
	conv                                 byte
	arg                                  int // of %1$d; 0: the next one
}

// format formats. It returns the text and what printf returns, and reports whether the run goes on.
func (t *thread) format(f string, next func() (Value, bool)) ([]byte, int, bool) {
	p := &formatter{t: t, next: next, f: f}
	return p.format()
}

// format is thread.format.
func (p *formatter) format() ([]byte, int, bool) {
	t := p.t
	for p.f != "" && !p.bad {
		if p.f[0] != '%' {
			n := 1
			for n < len(p.f) && p.f[n] != '%' {
				n++
			}
			p.out = append(p.out, p.f[:n]...)
			p.f = p.f[n:]
			continue
		}
		p.f = p.f[1:]
		s, ok := p.spec()
		if !ok {
			return nil, 0, false
		}
		if p.bad || !p.convert(s) {
			break
		}
		if int64(len(p.out)) > t.m.opt.MaxOutput {
			t.m.stop(Limit, "", "the text of a formatted output is too long")
			return nil, 0, false
		}
	}
	if t.m.done {
		return nil, 0, false
	}
	if p.bad {
		return p.out, -1, true
	}
	return p.out, len(p.out), true
}

// arg returns an argument: number n from 1, or the next one.
func (p *formatter) arg(n int) (Value, bool) {
	if n == 0 {
		p.used++
		n = p.used
	}
	for len(p.args) < n {
		v, ok := p.next()
		if !ok {
			return v, false
		}
		if v.undef != 0 && !p.t.m.indeterminate() {
			return v, false
		}
		p.args = append(p.args, v)
	}
	return p.args[n-1], true
}

// indeterminate deals with a value that the library is given.
func (m *Machine) indeterminate() bool {
	return m.given("the library is given an indeterminate value")
}

// given notes what the library is given that is indeterminate: the run may end.
func (m *Machine) given(why string) bool {
	m.res.Uninitialised = true
	check := CheckUninit
	if m.opt.Reads {
		check = CheckRead
	}
	return m.undefined(check, why)
}

// digits reads a number.
func (p *formatter) digits() int {
	n := 0
	for p.f != "" && p.f[0] >= '0' && p.f[0] <= '9' {
		n = min(n*10+int(p.f[0]-'0'), 1<<31)
		p.f = p.f[1:]
	}
	return n
}

// star reads a width or precision that is an argument, behind the asterisk.
func (p *formatter) star() (int, bool) {
	rest := p.f
	n := p.digits()
	if n == 0 || p.f == "" || p.f[0] != '$' {
		p.f, n = rest, 0
	} else {
		p.f = p.f[1:]
	}
	v, ok := p.arg(n)
	return int(int32(v.Lo)), ok
}

// spec reads a conversion specification behind its percent sign.
func (p *formatter) spec() (s spec, ok bool) {
	s.prec = -1
	rest := p.f
	if n := p.digits(); n > 0 && p.f != "" && p.f[0] == '$' {
		s.arg = n
		p.f = p.f[1:]
	} else {
		p.f = rest
	}
	p.flags(&s)
	ok = true
	if p.f != "" && p.f[0] == '*' {
		p.f = p.f[1:]
		if s.width, ok = p.star(); !ok {
			return s, false
		}
		if s.width < 0 {
			s.minus, s.width = true, -s.width
		}
	} else {
		s.width = p.digits()
	}
	if p.f != "" && p.f[0] == '.' {
		p.f = p.f[1:]
		if p.f != "" && p.f[0] == '*' {
			p.f = p.f[1:]
			if s.prec, ok = p.star(); !ok {
				return s, false
			}
			s.prec = max(s.prec, -1)
		} else {
			s.prec = p.digits()
		}
	}
	n := 0
	for n < len(p.f) && contains("hlqLjzZt", p.f[n]) {
		n++
	}
	s.length, p.f = p.f[:n], p.f[n:]
	if p.f == "" || s.width >= 1<<31-1 || s.prec >= 1<<31-1 {
		p.bad = true
		return s, true
	}
	s.conv, p.f = p.f[0], p.f[1:]
	return s, true
}

// flags reads flags.
func (p *formatter) flags(s *spec) {
	for p.f != "" {
		switch p.f[0] {
		case '-':
			s.minus = true
		case '+':
			s.plus = true
		case ' ':
			s.space = true
		case '#':
			s.alt = true
		case '0':
			s.zero = true
		case '\'', 'I':
			s.group = true
		default:
			return
		}
		p.f = p.f[1:]
	}
}

func contains(s string, b byte) bool {
	for i := range len(s) {
		if s[i] == b {
			return true
		}
	}
	return false
}

// convert performs a conversion. It reports whether to go on.
func (p *formatter) convert(s spec) bool {
	switch s.conv {
	case '%':
		p.out = append(p.out, '%')
		return true
	case 'd', 'i', 'u', 'o', 'x', 'X', 'b', 'B':
		v, ok := p.arg(s.arg)
		return ok && p.integer(s, v)
	case 'e', 'E', 'f', 'F', 'g', 'G', 'a', 'A':
		v, ok := p.arg(s.arg)
		return ok && p.float(s, v)
	case 'c', 'C', 's', 'S', 'p', 'n':
		v, ok := p.arg(s.arg)
		return ok && p.other(s, v)
	case 'm':
		p.t.m.approximate("%m in a format", p.t.fr.site())
		p.text(s, "Success")
		return true
	}
	p.unknown(s)
	return true
}

// unknown prints a specification that has no meaning, as glibc does.
func (p *formatter) unknown(s spec) {
	p.t.m.note(CheckCall, "the conversion %"+string(s.conv)+" of a format has no meaning", p.t.fr.site())
	p.out = append(p.out, '%')
	add := func(c bool, b byte) {
		if c {
			p.out = append(p.out, b)
		}
	}
	add(s.alt, '#')
	add(s.plus, '+')
	add(s.space && !s.plus, ' ')
	add(s.minus, '-')
	add(s.zero, '0')
	if s.width > 0 {
		p.out = strconv.AppendInt(p.out, int64(s.width), 10)
	}
	if s.prec >= 0 {
		p.out = append(p.out, '.')
		p.out = strconv.AppendInt(p.out, int64(s.prec), 10)
	}
	p.out = append(p.out, s.conv)
}

// pad writes a text within the width: sign and prefix first, then zeros if these fill it.
func (p *formatter) pad(s spec, prefix, body string, zeros bool) {
	n := s.width - len(prefix) - len(body)
	fill := func(b byte) {
		if int64(n) > p.t.m.opt.MaxOutput {
			n = int(p.t.m.opt.MaxOutput) + 1
		}
		for ; n > 0; n-- {
			p.out = append(p.out, b)
		}
	}
	if !s.minus && !zeros {
		fill(' ')
	}
	p.out = append(p.out, prefix...)
	if !s.minus && zeros {
		fill('0')
	}
	p.out = append(p.out, body...)
	fill(' ')
}

// text writes a string within width and precision.
func (p *formatter) text(s spec, str string) {
	if s.prec >= 0 && s.prec < len(str) {
		str = str[:s.prec]
	}
	p.pad(s, "", str, false)
}

// bits is the width of an integer argument of this length.
func (s spec) bits(m *Machine) int {
	switch s.length {
	case "hh":
		return 8
	case "h":
		return 16
	case "":
		return 32
	case "ll", "q", "L", "j":
		return 64
	}
	return m.prog.Model.PointerBits
}

// integer converts an integer.
func (p *formatter) integer(s spec, v Value) bool {
	m := p.t.m
	bits := s.bits(m)
	if v.shape != nil || v.Type.IsFloat() || v.Type.IsInt() && v.Type.Bits != max(bits, 32) {
		if !m.undefined(CheckCall, "%"+s.length+string(s.conv)+" in a format, the argument is "+v.kind()) {
			return false
		}
	}
	signed := s.conv == 'd' || s.conv == 'i'
	n := p.t.adapt(v.slot(), v.Type, cir.Type{Kind: cir.IntKind, Bits: bits, Signed: signed}).lo
	prefix := ""
	var body string
	switch s.conv {
	case 'd', 'i':
		switch {
		case int64(n) < 0:
			prefix, n = "-", -n
		case s.plus:
			prefix = "+"
		case s.space:
			prefix = " "
		}
		body = strconv.FormatUint(n, 10)
	case 'u':
		body = strconv.FormatUint(n, 10)
	case 'o':
		body = strconv.FormatUint(n, 8)
	case 'b', 'B':
		body = strconv.FormatUint(n, 2)
	default:
		body = strconv.FormatUint(n, 16)
		if s.conv == 'X' {
			body = upper(body)
		}
	}
	if s.alt && n != 0 && contains("xXbB", s.conv) {
		prefix = "0" + string(s.conv)
	}
	if s.prec == 0 && n == 0 {
		body = ""
	}
	for len(body) < s.prec && int64(len(body)) <= m.opt.MaxOutput {
		body = zeros(s.prec-len(body)) + body
	}
	if s.alt && s.conv == 'o' && (body == "" || body[0] != '0') {
		body = "0" + body
	}
	p.pad(s, prefix, body, s.zero && s.prec < 0)
	return true
}

// zeros is a text of n zeros, or fewer.
func zeros(n int) string {
	b := make([]byte, min(n, 1<<16))
	for i := range b {
		b[i] = '0'
	}
	return string(b)
}

// upper returns a text in capital letters.
func upper(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'a' && c <= 'z' {
			b[i] = c - 'a' + 'A'
		}
	}
	return string(b)
}

// other converts characters, strings and pointers, and performs %n.
func (p *formatter) other(s spec, v Value) bool {
	t := p.t
	wide := s.conv == 'C' || s.conv == 'S' || s.length == "l"
	switch s.conv {
	case 'c', 'C':
		if wide && uint32(v.Lo) > 0x7f {
			p.bad = true
			return true
		}
		p.pad(s, "", string([]byte{byte(v.Lo)}), false)
		return true
	case 's', 'S':
		if !v.Type.IsPointer() && v.Lo != 0 && !t.m.undefined(CheckCall, "%s in a format, the argument is "+v.kind()) {
			return false
		}
		if v.IsNull() {
			if s.prec < 0 || s.prec >= 6 {
				p.text(s, "(null)")
			} else {
				p.text(s, "")
			}
			return true
		}
		if wide {
			return p.wideString(s, v.slot())
		}
		str, ok := t.cstring(v.slot(), int64(s.prec))
		if ok {
			p.texts = append(p.texts, text{v.slot(), int64(len(str)) + 1})
			p.pad(s, "", str, false)
		}
		return ok
	case 'p':
		n := v.Lo
		if v.Type.IsPointer() {
			n = t.m.number(v.slot())
		}
		if n == 0 {
			p.pad(s, "", "(nil)", false)
			return true
		}
		prefix := "0x"
		if s.plus {
			prefix = "+0x"
		} else if s.space {
			prefix = " 0x"
		}
		body := strconv.FormatUint(n, 16)
		for len(body) < s.prec {
			body = zeros(s.prec-len(body)) + body
		}
		p.pad(s, prefix, body, s.zero && s.prec < 0)
		return true
	}
	return t.put(v.slot(), slot{lo: uint64(len(p.out))}, 0, &cir.Access{Type: cir.Type{Kind: cir.IntKind, Bits: s.bits(t.m), Signed: true}})
}

// wideString converts a string of wchar_t.
func (p *formatter) wideString(s spec, at slot) bool {
	var b []byte
	for s.prec < 0 || len(b) < s.prec {
		v, undef, ok := p.t.get(at, &cir.Access{Type: cir.U32})
		if !ok || undef != 0 && !p.t.m.indeterminate() {
			return false
		}
		if v.lo == 0 {
			break
		}
		if v.lo > 0x7f {
			p.bad = true
			return true
		}
		b = append(b, byte(v.lo))
		at.lo += 4
	}
	p.pad(s, "", string(b), false)
	return true
}

// cstring reads a string: up to its end, or at most n bytes if n is not negative.
func (t *thread) cstring(p slot, n int64) (string, bool) {
	var b []byte
	for n < 0 || int64(len(b)) < n {
		o, off, ok := t.reach(p, 1, false)
		if !ok {
			return "", false
		}
		k := min(o.size-off, 256)
		if n >= 0 {
			k = min(k, n-int64(len(b)))
		}
		data := make([]byte, 2*k)
		t.m.read(o, off, data[:k], data[k:])
		part := data[:k]
		if end := bytes.IndexByte(part, 0); end >= 0 {
			part = part[:end+1]
		}
		if _, _, ok := t.valid(p, int64(len(part)), false); !ok {
			return "", false
		}
		for i, c := range part {
			if data[int(k)+i] != 0 && !t.m.indeterminate() {
				return "", false
			}
			if c == 0 {
				return string(b), true
			}
			b = append(b, c)
		}
		p.lo += uint64(k)
	}
	return string(b), true
}
