package interp

import (
	"math"

	"comus/cir"
)

// args returns what reads the arguments of a va_list.
func (t *thread) varargs(ap slot) func() (Value, bool) {
	return func() (Value, bool) { return t.nextArg(ap) }
}

// format1 is Format.
func format1(t *thread, f *frame, in *inst, a []slot) bool {
	str, ok := t.cstring(a[2], -1)
	if !ok {
		return false
	}
	p := &formatter{t: t, next: t.varargs(a[3]), f: str}
	out, n, ok := p.format()
	if !ok {
		return false
	}
	if size := a[1].lo; size > 0 {
		out = append(out[:min(uint64(len(out)), size-1)], 0)
		for _, x := range append(p.texts, text{a[2], int64(len(str)) + 1}) {
			if !t.apart(a[0], int64(len(out)), x.at, x.n) {
				return false
			}
		}
		o, off, ok := t.valid(a[0], int64(len(out)), true)
		if !ok {
			return false
		}
		t.m.write(o, off, out, nil)
	}
	return f.give(in, int64(n))
}

// print1 is Print.
func print1(t *thread, f *frame, in *inst, a []slot) bool {
	str, ok := t.cstring(a[1], -1)
	if !ok {
		return false
	}
	text, n, ok := t.format(str, t.varargs(a[2]))
	if !ok || !t.m.output(int(int32(a[0].lo)), text) {
		return false
	}
	return f.give(in, int64(n))
}

// strtoD is StrtoD.
func strtoD(t *thread, f *frame, in *inst, a []slot) bool {
	str, ok := t.numeral(a[0])
	if !ok {
		return false
	}
	v, _ := parseFloat(str, cir.F64)
	if in.d >= 0 {
		f.s[in.d] = t.floatAs(v, in)
	}
	return true
}

// floatAs rounds a value to the type of the result of an intrinsic.
func (t *thread) floatAs(v soft, in *inst) slot {
	ty := cirOf(in).Dst.Type
	if !ty.IsFloat() {
		ty = cir.F64
	}
	return pack(v, ty)
}

// numeral reads the beginning of a string, as far as it may be part of a number.
func (t *thread) numeral(p slot) (string, bool) {
	var b []byte
	for {
		v, undef, ok := t.get(p, &cir.Access{Type: cir.U8})
		if !ok || undef != 0 && !t.m.indeterminate() {
			return "", false
		}
		c := byte(v.lo)
		if c == 0 || !(isSpace(c) || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || contains("+-._()", c)) {
			return string(b), true
		}
		b = append(b, c)
		p.lo++
	}
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// math1 is Math.
func math1(t *thread, f *frame, in *inst, a []slot) bool {
	if in.d < 0 {
		return true
	}
	i := cirOf(in)
	to := i.Dst.Type
	if !to.IsFloat() || !in.x.types[0].IsFloat() || !in.x.types[1].IsFloat() {
		return t.m.fail(errorf("Math %s of types %s, %s to %s", i.Name, in.x.types[0], in.x.types[1], to))
	}
	x, y := unpack(a[0], in.x.types[0]), unpack(a[1], in.x.types[1])
	r, exact, ok := Math(i.Name, x.float(), y.float(), to.Bits == 32)
	if to.Bits > 64 {
		if v, known := softMath(i.Name, x, y, to); known {
			f.s[in.d] = pack(v, to)
			return true
		}
		exact = false
	}
	if !ok {
		return t.m.fail(errorf("unknown mathematical function %q", i.Name))
	}
	if !exact {
		t.m.approximate("the last bit of "+i.Name, in.x.site)
	}
	f.s[in.d] = pack(unpack(slot{lo: math.Float64bits(r)}, cir.F64), to)
	return true
}
