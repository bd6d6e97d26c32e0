package interp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"comus/cir"
)

// testThread is a thread that is at no instruction.
func testThread(t *testing.T) *thread {
	t.Helper()
	b := newProgram()
	b.ret(i32(0))
	m := newMachine(b.p, Options{})
	if err := m.start(); err != nil {
		t.Fatal(err)
	}
	return m.threads[0]
}

// pair is an argument here and in C.
type pair struct {
	v Value
	c string
}

// randomFloat is a float64, often an interesting one.
func randomFloat(r *rand.Rand) float64 {
	switch r.IntN(8) {
	case 0:
		return float64(r.IntN(2000)-1000) / 8
	case 1:
		return math.Float64frombits(r.Uint64())
	case 2:
		return []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 1, 0.5, 9.5, 99.5, 999999.5, 0.00001, 1e22, 5e-324, math.MaxFloat64}[r.IntN(14)]
	case 3:
		return float64(r.IntN(100000)) / 100000
	case 4:
		return math.Ldexp(float64(r.IntN(1000)), r.IntN(200)-100)
	}
	return (r.Float64() - 0.5) * math.Pow(10, float64(r.IntN(40)-20))
}

// randomSpec makes a conversion and its arguments.
func randomSpec(r *rand.Rand, m *Machine) (string, []pair) {
	var b strings.Builder
	var args []pair
	b.WriteByte('%')
	for _, f := range "-+ #0" {
		if r.IntN(4) == 0 {
			b.WriteRune(f)
		}
	}
	number := func() {
		switch r.IntN(6) {
		case 0:
			n := int64(r.IntN(30) - 8)
			b.WriteByte('*')
			args = append(args, pair{Value{Type: cir.I32, Lo: uint64(n)}, fmt.Sprint(n)})
		default:
			fmt.Fprint(&b, r.IntN(28))
		}
	}
	if r.IntN(2) == 0 {
		if fmt.Fprint(&b, ""); r.IntN(2) == 0 {
			fmt.Fprint(&b, 1+r.IntN(30))
		} else {
			number()
		}
	}
	if r.IntN(2) == 0 {
		b.WriteByte('.')
		if r.IntN(6) > 0 {
			number()
		}
	}
	switch k := r.IntN(10); {
	case k < 4:
		args = append(args, randomInt(r, &b))
	case k < 8:
		args = append(args, randomFloatArg(r, &b))
	case k == 8:
		s := []string{"", "x", "hello", "a longer string, of more than thirty bytes"}[r.IntN(4)]
		o := m.newObject("s", int64(len(s))+1, 1, false)
		m.write(o, 0, []byte(s), nil)
		b.WriteByte('s')
		args = append(args, pair{Value{Type: m.prog.Model.Pointer(), Obj: o}, fmt.Sprintf("%q", s)})
	default:
		b.WriteByte('c')
		args = append(args, pair{Value{Type: cir.I32, Lo: 'q'}, "'q'"})
	}
	return b.String(), args
}

// randomInt makes the end of an integer conversion.
func randomInt(r *rand.Rand, b *strings.Builder) pair {
	n := r.Uint64() >> r.IntN(64)
	switch r.IntN(4) {
	case 0:
		n = -n
	case 1:
		n = uint64(r.IntN(3))
	}
	length := []string{"", "hh", "h", "l", "ll", "j", "z", "t"}[r.IntN(8)]
	b.WriteString(length)
	b.WriteByte("diuoxX"[r.IntN(6)])
	if length == "" || length[0] == 'h' {
		return pair{Value{Type: cir.I32, Lo: uint64(int64(int32(n)))}, fmt.Sprintf("(int)%#x", uint32(n))}
	}
	return pair{Value{Type: cir.I64, Lo: n}, fmt.Sprintf("(long)%#xull", n)}
}

// randomFloatArg makes the end of a floating-point conversion.
func randomFloatArg(r *rand.Rand, b *strings.Builder) pair {
	x := randomFloat(r)
	conv := "eEfFgGaA"[r.IntN(8)]
	if r.IntN(3) > 0 {
		b.WriteByte(conv)
		return pair{Value{Type: cir.F64, Lo: math.Float64bits(x)}, fmt.Sprintf("D(%#xul)", math.Float64bits(x))}
	}
	s := pack(softFloat(x), cir.F80)
	switch {
	case x != x || math.IsInf(x, 0):
	case r.IntN(8) == 0:
		s.lo, s.hi = r.Uint64()|1<<63, 1+r.Uint64N(0x7ffe)
	case r.IntN(20) == 0:
		s.lo, s.hi = r.Uint64()>>(1+r.IntN(60)), 0
	case x != 0:
		s.lo |= r.Uint64() >> (1 + r.IntN(63))
	}
	b.WriteByte('L')
	b.WriteByte(conv)
	return pair{Value{Type: cir.F80, Lo: s.lo, Hi: s.hi}, fmt.Sprintf("L(%#xul, %#x)", s.lo, s.hi)}
}

// TestFormat compares random conversions with glibc's.
func TestFormat(t *testing.T) {
	th := testThread(t)
	r := rand.New(rand.NewPCG(7, 0))
	var src strings.Builder
	src.WriteString(`#include <stdio.h>
#include <string.h>
static double D(unsigned long b) { double d; memcpy(&d, &b, 8); return d; }
static long double L(unsigned long b, unsigned short e) { long double d = 0; memcpy(&d, &b, 8); memcpy((char *)&d + 8, &e, 2); return d; }
`)
	const n, part = 3000, 500
	var got, formats []string
	for i := range n {
		if i%part == 0 {
			fmt.Fprintf(&src, "static void f%d(void) {\n", i/part)
		}
		f, args := randomSpec(r, th.m)
		fmt.Fprintf(&src, "printf(\"[%%d]\", printf(%q", f)
		var vs []Value
		for _, a := range args {
			vs = append(vs, a.v)
			fmt.Fprintf(&src, ", %s", a.c)
		}
		src.WriteString(")); putchar(1);\n")
		text, k, ok := th.format(f, func() (Value, bool) {
			v := vs[0]
			vs = vs[1:]
			return v, true
		})
		if !ok {
			t.Fatalf("%s: %v", f, th.m.res)
		}
		got = append(got, fmt.Sprintf("%s[%d]", text, k))
		formats = append(formats, fmt.Sprint(f, args[len(args)-1].c))
		if i%part == part-1 {
			src.WriteString("}\n")
		}
	}
	src.WriteString("int main(void) {\n")
	for i := range n / part {
		fmt.Fprintf(&src, "f%d();\n", i)
	}
	src.WriteString("return 0; }\n")
	want := strings.Split(gcc(t, src.String()), "\x01")
	bad := 0
	for i := range got {
		if got[i] != want[i] {
			if bad++; bad <= 30 {
				t.Errorf("%s: %q instead of %q", formats[i], got[i], want[i])
			}
		}
	}
	t.Logf("%d formats, %d differ", n, bad)
}

// TestFormatSpecial compares what the random ones do not have.
func TestFormatSpecial(t *testing.T) {
	th := testThread(t)
	object := func(b string) Value {
		o := th.m.newObject("s", int64(len(b)), 4, false)
		th.m.write(o, 0, []byte(b), nil)
		return Value{Type: th.m.prog.Model.Pointer(), Obj: o}
	}
	integer := func(n int64) Value { return Value{Type: cir.I32, Lo: uint64(n)} }
	null := Value{Type: th.m.prog.Model.Pointer()}
	for _, c := range []struct {
		format string
		args   []Value
		c      string
	}{
		{"%%|%5%|%-5%|", nil, "0"},
		{"%2$d %1$d", []Value{integer(1), integer(2)}, "1, 2"},
		{"%2$*1$d|%1$0*2$d", []Value{integer(5), integer(7)}, "5, 7"},
		{"%s|%.3s|%.6s|%8s|%p|%10p|%-8p|%05p", []Value{null, null, null, null, null, null, null, null}, "0,0,0,0,0,0,0,0"},
		{"%p|%20p|%020p|%+p|%.12p", []Value{{Type: null.Type, Lo: 4660}, {Type: null.Type, Lo: 4660}, {Type: null.Type, Lo: 4660}, {Type: null.Type, Lo: 4660},
			{Type: null.Type, Lo: 4660}}, "(void*)4660,(void*)4660,(void*)4660,(void*)4660,(void*)4660"},
		{"%ls|%.2ls|%5lc|", []Value{object("a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00\x00\x00\x00\x00"),
			object("a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00"), integer('x')}, `L"abc", L"abc", L'x'`},
		{"a%lcb", []Value{integer(0xe4)}, "0xe4"},
		{"a%y|%5.3y|%-+#y|", nil, "0"}, {"abc%", nil, "0"},
		{"%.3s|", []Value{object("abcd")}, `"abcd"`},
		{"%'d %'.2f %Id", []Value{integer(1234567), {Type: cir.F64, Lo: math.Float64bits(1234567)}, integer(5)}, "1234567, 1234567., 5"},
		{"%b %#b %#B %.0b", []Value{integer(5), integer(5), integer(9), integer(0)}, "5,5,9,0"},
		{"%lld %qd %Ld", []Value{{Type: cir.I64, Lo: 1 << 40}, {Type: cir.I64, Lo: 1 << 40}, {Type: cir.I64, Lo: 1 << 40}}, "1L<<40,1L<<40,1L<<40"},
	} {
		vs := c.args
		text, n, ok := th.format(c.format, func() (Value, bool) {
			if len(vs) == 0 {
				return Value{}, false
			}
			v := vs[0]
			vs = vs[1:]
			return v, true
		})
		got := fmt.Sprintf("%s[%d]", text, n)
		want := gcc(t, fmt.Sprintf("#include <stdio.h>\nint main(void) { printf(\"[%%d]\", printf(%q, %s)); return 0; }", c.format, c.c))
		if !ok || got != want {
			t.Errorf("%q: %q instead of %q %v", c.format, got, want, th.m.res)
		}
	}
}

// numerals for strtod and scanf.
var numerals = []string{"1", " 12.5e3xyz", "-0", "0x1.8p3", "0x", "0xg", "1e", "1e+", "1e400", "-1e-400", "inf", "-Infinity1", "nan", "nan(12)", "nan(", "NAN(x-y)", ".5", ".", "-.",
	"5.", "1.7976931348623158e308", "1.7976931348623159e308", "4.9e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "9007199254740993", "9007199254740992.9999999999999999",
	"0.1e-5000", "123456789012345678901234567890", "0x1.fffffffffffff8p0", "0x1.fffffffffffff7p0", "0x.0000001p-1070", "0x1p-1075", "0x1.8p-1075", "+3", "+-3", "1.5e9999999999", "0e999999999999", "1__2", "0x1p", "0x1p+", "\t\n 7"}

// TestStrtoD compares numbers with glibc's.
func TestStrtoD(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 0))
	all := append([]string(nil), numerals...)
	for range 3000 {
		s := fmt.Sprintf("%.*e", r.IntN(25), randomFloat(r))
		if r.IntN(4) == 0 {
			s = fmt.Sprintf("%d.%de%d", r.Uint64(), r.Uint64(), r.IntN(700)-350)
		}
		all = append(all, s)
	}
	var src strings.Builder
	src.WriteString("#include <stdio.h>\n#include <stdlib.h>\nstatic const char *s[] = {")
	for _, s := range all {
		fmt.Fprintf(&src, "%q,\n", s)
	}
	src.WriteString(`0};
int main(void) { for (int i = 0; s[i]; i++) { char *e, *f, *g; double d = strtod(s[i], &e); float x = strtof(s[i], &f); long double l = strtold(s[i], &g);
printf("%ld %a %a %La\n", (long)(e - s[i]), d, x, l); } return 0; }`)
	th := testThread(t)
	want := strings.Split(gcc(t, src.String()), "\n")
	bad := 0
	for i, s := range all {
		v, n := parseFloat(s, cir.F64)
		args := []Value{{Type: cir.I64, Lo: uint64(n)}}
		for _, ty := range []cir.Type{cir.F64, cir.F32, cir.F80} {
			x := pack(v, ty)
			if ty == cir.F32 {
				x = pack(unpack(x, ty), cir.F64)
				ty = cir.F64
			}
			args = append(args, Value{Type: ty, Lo: x.lo, Hi: x.hi})
		}
		text, _, _ := th.format("%ld %a %a %La", func() (Value, bool) {
			v := args[0]
			args = args[1:]
			return v, true
		})
		if string(text) != want[i] {
			if bad++; bad < 30 {
				t.Errorf("%q: %s instead of %s", s, text, want[i])
			}
		}
	}
	t.Logf("%d numbers, %d differ", len(all), bad)
}
