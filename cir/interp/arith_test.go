package interp

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"comus/cir"
)

// number is a C type and its type here.
type number struct {
	c    string
	t    cir.Type
	used int64 // bytes that carry the value
}

var integers = []number{{"signed char", cir.I8, 1}, {"unsigned char", cir.U8, 1}, {"short", cir.I16, 2}, {"unsigned short", cir.U16, 2},
	{"int", cir.I32, 4}, {"unsigned", cir.U32, 4}, {"long", cir.I64, 8}, {"unsigned long", cir.U64, 8},
	{"__int128", cir.Type{Kind: cir.IntKind, Bits: 128, Signed: true}, 16}, {"unsigned __int128", cir.Type{Kind: cir.IntKind, Bits: 128}, 16}}

var floats = []number{{"float", cir.F32, 4}, {"double", cir.F64, 8}, {"long double", cir.F80, 10}, {"__float128", cir.F128, 16},
	{"_Float16", cir.Type{Kind: cir.FloatKind, Bits: 16}, 2}}

// values are interesting integers of a type.
func values(t cir.Type) []cir.Int {
	var vs []cir.Int
	seen := map[cir.Int]bool{}
	add := func(lo, hi uint64) {
		c := cir.Int{Type: t, Lo: lo, Hi: hi}.Normal()
		if !seen[c] {
			seen[c] = true
			vs = append(vs, c)
		}
	}
	for _, n := range []int64{0, 1, 2, 3, 7, -1, -2, 100, -77, 255, 1 << 31, 1<<31 - 1, 123456789} {
		add(uint64(n), uint64(n>>63))
	}
	top := shiftLeft(slot{lo: 1}, uint(t.Bits-1))
	add(top.lo, top.hi)
	add(^top.lo, ^top.hi)
	add(top.lo+1, top.hi)
	add(0x123456789abcdef0, 0xfedcba9876543210)
	add(0x8000000000000000, 1)
	return vs
}

// literal is an integer in C.
func literal(v cir.Int, c string) string {
	return fmt.Sprintf("(%s)(((unsigned __int128)%#xull<<64)|%#xull)", c, v.Hi, v.Lo)
}

// sink collects results of the program in an array that is written out.
type sink struct {
	*builder
	out  *cir.Global
	size int64
	what []string
	at   []int64
}

func newSink() *sink {
	s := &sink{builder: newProgram()}
	s.out = s.global("out", 1<<26, "")
	return s
}

func (s *sink) put(what string, t cir.Type, v cir.Value) {
	n := s.p.Model.SizeOf(t)
	s.store(t, s.off(s.out, nil, 0, s.size, 0), v)
	s.what, s.at = append(s.what, what), append(s.at, s.size)
	s.size += n
}

// compare runs the program and C, and compares what they write.
func (s *sink) compare(t *testing.T, src, flags string) {
	t.Helper()
	s.write(s.out, s.size)
	s.ret(i32(0))
	r := s.run(t, Options{GoOn: true})
	if r.Outcome != Exited {
		t.Fatal(r)
	}
	want := gcc(t, src, strings.Fields(flags)...)
	if len(want) != len(r.Stdout) {
		t.Fatalf("gcc's program writes %d bytes, this one %d", len(want), len(r.Stdout))
	}
	bad := 0
	for i, at := range s.at {
		end := s.size
		if i+1 < len(s.at) {
			end = s.at[i+1]
		}
		if got, w := string(r.Stdout[at:end]), want[at:end]; got != w {
			if bad++; bad <= 100 {
				t.Errorf("%s: %x instead of %x", s.what[i], got, w)
			}
		}
	}
	t.Logf("%d results, %d differ", len(s.what), bad)
}

var opNames = map[cir.Op]string{cir.Add: "+", cir.Sub: "-", cir.Mul: "*", cir.Div: "/", cir.Rem: "%", cir.And: "&", cir.Or: "|", cir.Xor: "^",
	cir.Shl: "<<", cir.Shr: ">>", cir.Neg: "-", cir.Not: "~"}
var predNames = map[cir.Pred]string{cir.Eq: "==", cir.Ne: "!=", cir.Lt: "<", cir.Le: "<=", cir.Gt: ">", cir.Ge: ">="}

const cHead = `#include <stdio.h>
#include <string.h>
#include <math.h>
static unsigned char out[1<<26]; static long n;
#define PUT(T, e) do { T r_ = (e); memcpy(out + n, &r_, USED(T)); n += sizeof r_; } while (0)
#define ALL(i, n) for (int i = 0; i < n; i++)
#define USED(T) _Generic((T)0, long double: 10, default: sizeof(T))
int main(void) {
`

const cTail = "fwrite(out, 1, n, stdout); return 0; }\n"

// TestIntegers compares operators on integers of all widths with gcc.
func TestIntegers(t *testing.T) {
	s := newSink()
	var src strings.Builder
	src.WriteString(cHead)
	for _, ty := range integers {
		vs := values(ty.t)
		var lits []string
		for _, v := range vs {
			lits = append(lits, literal(v, ty.c))
		}
		fmt.Fprintf(&src, "{ enum { N = %d }; static %s v[] = {%s};\n", len(vs), ty.c, strings.Join(lits, ","))
		for op := cir.Add; op <= cir.Shr; op++ {
			integerOps(s, &src, ty, vs, op)
		}
		for p := cir.Eq; p <= cir.Ge; p++ {
			fmt.Fprintf(&src, "ALL(i, N) ALL(j, N) PUT(_Bool, v[i] %s v[j]);\n", predNames[p])
			for i, x := range vs {
				for j, y := range vs {
					s.put(fmt.Sprint(ty.c, i, predNames[p], j), cir.Bool, s.cmp(p, x, y))
				}
			}
		}
		for _, op := range []cir.Op{cir.Neg, cir.Not} {
			fmt.Fprintf(&src, "ALL(i, N) PUT(%s, %s v[i]);\n", ty.c, opNames[op])
			for i, x := range vs {
				r := s.reg(ty.t)
				s.add(&cir.Unary{Dst: r, Op: op, X: x, Wrap: true})
				s.put(fmt.Sprint(ty.c, opNames[op], i), ty.t, r)
			}
		}
		for _, to := range append(integers, number{"_Bool", cir.Bool, 1}) {
			fmt.Fprintf(&src, "ALL(i, N) PUT(%s, v[i]);\n", to.c)
			for i, x := range vs {
				s.put(fmt.Sprintf("%s %d to %s", ty.c, i, to.c), to.t, s.conv(to.t, x))
			}
		}
		bitOps(s, &src, ty, vs)
		src.WriteString("}\n")
	}
	src.WriteString(cTail)
	s.compare(t, src.String(), "-fwrapv")
}

// integerOps adds the pairs of values of an operator.
func integerOps(s *sink, src *strings.Builder, ty number, vs []cir.Int, op cir.Op) {
	cond, by := "1", "v[j]"
	switch op {
	case cir.Div, cir.Rem:
		cond = fmt.Sprintf("v[j] != 0 && v[j] != (%s)-1", ty.c)
	case cir.Shl, cir.Shr:
		by = fmt.Sprintf("(j*7%%%d)", ty.t.Bits)
	}
	fmt.Fprintf(src, "ALL(i, N) ALL(j, N) if (%s) PUT(%s, v[i] %s %s);\n", cond, ty.c, opNames[op], by)
	minus := cir.IntOf(ty.t, -1)
	for i, x := range vs {
		for j, y := range vs {
			var by cir.Value = y
			switch op {
			case cir.Div, cir.Rem:
				if y.Lo|y.Hi == 0 || y == minus {
					continue
				}
			case cir.Shl, cir.Shr:
				by = i32(int64(j * 7 % ty.t.Bits))
			}
			s.put(fmt.Sprint(ty.c, " ", i, opNames[op], j), ty.t, s.wrap(op, ty.t, x, by))
		}
	}
}

// bitOps adds the builtins that count bits.
func bitOps(s *sink, src *strings.Builder, ty number, vs []cir.Int) {
	suffix := map[string]string{"unsigned": "", "unsigned long": "l"}
	suf, ok := suffix[ty.c]
	if !ok {
		return
	}
	for op, name := range map[cir.Op]string{cir.Clz: "clz", cir.Ctz: "ctz", cir.Popcount: "popcount", cir.Bswap: "bswap"} {
		suf := suf
		if op == cir.Bswap {
			suf = fmt.Sprint(ty.t.Bits)
		}
		fmt.Fprintf(src, "ALL(i, N) if (v[i]) PUT(%s, __builtin_%s%s(v[i]));\n", ty.c, name, suf)
		for i, x := range vs {
			if x.Lo != 0 {
				r := s.reg(ty.t)
				s.add(&cir.Unary{Dst: r, Op: op, X: x})
				s.put(fmt.Sprint(ty.c, name, i), ty.t, r)
			}
		}
	}
}

// TestOverflow compares __builtin_add_overflow and its like.
func TestOverflow(t *testing.T) {
	s := newSink()
	var src strings.Builder
	src.WriteString(cHead)
	names := map[cir.Op]string{cir.Add: "add", cir.Sub: "sub", cir.Mul: "mul"}
	for _, ty := range integers {
		var lits []string
		for _, v := range values(ty.t) {
			lits = append(lits, literal(v, ty.c))
		}
		fmt.Fprintf(&src, "static %s v%d%d[] = {%s};\n", ty.c, ty.t.Bits, truth(ty.t.Signed), strings.Join(lits, ","))
	}
	for i, a := range integers[4:] {
		for j, b := range integers[4:] {
			for k, to := range integers {
				if (i+j+k)%3 != 0 {
					continue
				}
				for op := cir.Add; op <= cir.Mul; op++ {
					fmt.Fprintf(&src, "ALL(k, 8) { %s r; _Bool o = __builtin_%s_overflow(v%d%d[k], v%d%d[k*5%%8], &r); PUT(%s, r); PUT(_Bool, o); }\n",
						to.c, names[op], a.t.Bits, truth(a.t.Signed), b.t.Bits, truth(b.t.Signed), to.c)
					for k, x := range values(a.t)[:8] {
						d, o := s.reg(to.t), s.reg(cir.Bool)
						s.add(&cir.Overflow{Dst: d, Over: o, Op: op, X: x, Y: values(b.t)[k*5%8]})
						what := fmt.Sprint(a.c, b.c, to.c, names[op], k)
						s.put(what, to.t, d)
						s.put(what, cir.Bool, o)
					}
				}
			}
		}
	}
	src.WriteString(cTail)
	s.compare(t, src.String(), "")
}

// floatValues are interesting floats of a type, as bits.
func floatValues(t cir.Type) []cir.Float {
	var vs []cir.Float
	add := func(x soft) {
		s := pack(x, t)
		vs = append(vs, cir.Float{Type: t, Lo: s.lo, Hi: s.hi})
	}
	for _, x := range []float64{0, 1, 1.5, 0.1, 3, -2.75, 1e10, -1e-10, 65504, 1 << 53, 1e300, 4e-320, 2147483647.5, -2147483648.5, 9.3e18, 1.9e19, 0.49999999999999994} {
		add(softFloat(x))
	}
	add(soft{neg: true})
	add(soft{class: infinite})
	add(soft{class: infinite, neg: true})
	add(soft{class: nan})
	add(softDiv(softInt(big.NewInt(1)), softInt(big.NewInt(3))))
	f := formatOf(t)
	least := soft{class: finite, mant: big.NewInt(1), exp: 1 - f.bias() - (f.mant - 1)}
	add(least)
	least.mant = big.NewInt(12345)
	add(least)
	big1 := soft{class: finite, mant: new(big.Int).Sub(new(big.Int).Lsh(bigOne, uint(f.mant)), bigOne), exp: f.bias() - f.mant + 1}
	add(big1)
	return vs
}

// floatLiteral makes a float in C of its bytes.
func floatLiteral(v cir.Float, c string) string {
	return fmt.Sprintf("({ unsigned long b[2] = {%#xul, %#xul}; %s f = 0; memcpy(&f, b, USED(%s)); f; })", v.Lo, v.Hi, c, c)
}

// TestFloats compares operators on floats, and conversions, with gcc.
func TestFloats(t *testing.T) {
	s := newSink()
	var src strings.Builder
	src.WriteString(cHead)
	for _, ty := range floats {
		vs := floatValues(ty.t)
		fmt.Fprintf(&src, "{ enum { N = %d }; %s v[N];\n", len(vs), ty.c)
		for i, v := range vs {
			fmt.Fprintf(&src, "v[%d] = %s;\n", i, floatLiteral(v, ty.c))
		}
		isNaN := func(v cir.Float) bool { return unpack(slot{lo: v.Lo, hi: v.Hi}, ty.t).class == nan }
		for op := cir.Add; op <= cir.Div; op++ {
			fmt.Fprintf(&src, "ALL(i, N) ALL(j, N) if (v[i] == v[i] || v[j] == v[j]) PUT(%s, v[i] %s v[j]);\n", ty.c, opNames[op])
			for i, x := range vs {
				for j, y := range vs {
					if !isNaN(x) || !isNaN(y) {
						s.put(fmt.Sprint(ty.c, " ", i, opNames[op], j), ty.t, s.bin(op, ty.t, x, y))
					}
				}
			}
		}
		for p := cir.Eq; p <= cir.Ge; p++ {
			fmt.Fprintf(&src, "ALL(i, N) ALL(j, N) PUT(_Bool, v[i] %s v[j]);\n", predNames[p])
			for i, x := range vs {
				for j, y := range vs {
					s.put(fmt.Sprint(ty.c, " ", i, predNames[p], j), cir.Bool, s.cmp(p, x, y))
				}
			}
		}
		for i, x := range vs {
			floatConversions(s, &src, ty, x, i)
		}
		src.WriteString("}\n")
	}
	src.WriteString(cTail)
	s.compare(t, src.String(), "")
}

// floatConversions adds conversions of a value, its negation and square root.
func floatConversions(s *sink, src *strings.Builder, ty number, x cir.Float, i int) {
	for _, to := range floats {
		s.put(fmt.Sprintf("%s %d to %s", ty.c, i, to.c), to.t, s.conv(to.t, x))
		fmt.Fprintf(src, "PUT(%s, v[%d]);\n", to.c, i)
	}
	v := unpack(slot{lo: x.Lo, hi: x.Hi}, ty.t)
	for _, to := range append(integers, number{"_Bool", cir.Bool, 1}) {
		if to.t.Bits > 64 && (v.class > finite || v.neg && !to.t.Signed || v.class == finite && v.exp+v.mant.BitLen() > 127) {
			continue // what libgcc makes of it is not meant
		}
		s.put(fmt.Sprintf("%s %d to %s", ty.c, i, to.c), to.t, s.conv(to.t, x))
		fmt.Fprintf(src, "PUT(%s, v[%d]);\n", to.c, i)
	}
	r := s.reg(ty.t)
	s.add(&cir.Unary{Dst: r, Op: cir.Neg, X: x})
	s.put(fmt.Sprint(ty.c, "neg", i), ty.t, r)
	fmt.Fprintf(src, "PUT(%s, -v[%d]);\n", ty.c, i)
	if name := map[int]string{32: "sqrtf", 64: "sqrt", 80: "sqrtl"}[ty.t.Bits]; name != "" {
		r := s.reg(ty.t)
		s.add(&cir.Unary{Dst: r, Op: cir.Sqrt, X: x})
		s.put(fmt.Sprint(name, i), ty.t, r)
		fmt.Fprintf(src, "PUT(%s, %s(v[%d]));\n", ty.c, name, i)
	}
}

// TestIntToFloat compares conversions of integers to floats.
func TestIntToFloat(t *testing.T) {
	s := newSink()
	var src strings.Builder
	src.WriteString(cHead)
	for _, ty := range integers {
		vs := append(values(ty.t), cir.Int{Type: ty.t, Lo: 1<<53 + 1}.Normal(), cir.Int{Type: ty.t, Lo: 1<<63 + 1<<39 + 1}.Normal(),
			cir.Int{Type: ty.t, Lo: 1<<63 + 1<<10 + 1}.Normal(), cir.Int{Type: ty.t, Lo: 1<<24 + 1}.Normal())
		var lits []string
		for _, v := range vs {
			lits = append(lits, literal(v, ty.c))
		}
		fmt.Fprintf(&src, "{ static %s v[] = {%s};\n", ty.c, strings.Join(lits, ","))
		for _, to := range floats {
			fmt.Fprintf(&src, "ALL(i, %d) PUT(%s, v[i]);\n", len(vs), to.c)
			for i, v := range vs {
				s.put(fmt.Sprintf("%s %d to %s", ty.c, i, to.c), to.t, s.conv(to.t, v))
			}
		}
		src.WriteString("}\n")
	}
	src.WriteString(cTail)
	s.compare(t, src.String(), "")
}
