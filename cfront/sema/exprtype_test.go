package sema

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"comus/cfront/command"
	"comus/internal/long"
)

// exprs makes random expressions.
type exprs struct {
	r        *rand.Rand
	m32      bool
	constant bool // of constants only
}

const exprVars = `
enum e { EA, EB, EC = 7 }; enum neg { NA = -1, NB }; enum big { BA = 0x100000000 }; enum __attribute__((packed)) pk { PA, PB };
struct s { int i3 : 3; unsigned u5 : 5, u32 : 32; long long l40 : 40; unsigned long long ul33 : 33, ul64 : 64; _Bool b1 : 1; unsigned char c4 : 4; char c8 : 8;
	enum e e2 : 4; int m; const short cs; int arr[3]; } s, *ps;
char c; signed char sc; unsigned char uc; short sh; unsigned short us; int i; unsigned u; long l; unsigned long ul; long long ll; unsigned long long ull;
float f; double d; long double ld; _Bool b; enum e e; enum neg en; enum big eb; enum pk pk; const int ci; volatile long vl; _Complex float cf; _Complex double cd;
_Float16 f16; _Float32 f32; _Float64 f64; _Float128 f128; _Float32x f32x; _Float64x f64x; _Complex int cint;
int *pi; const int *pci; void *pv; char *pc; int (*fp)(int); int a[4]; const char ca[3]; int m2[2][3]; int fn(int);
`

func (g *exprs) pick(l ...string) string { return l[g.r.Intn(len(l))] }

// leaf returns an operand; integer tells that it has to be one of an integer type.
func (g *exprs) leaf(integer bool) string {
	consts := []string{"1", "2u", "3l", "4ul", "5ll", "6ull", "'a'", "0x80000000", "2147483648", "0xffffffffffffffff", "017", "L'x'", "u'y'", "EA", "BA", "(char)200",
		"(short)-3", "(unsigned char)250", "(_Bool)2", "-1", "sizeof(int)", "0", "(unsigned short)65535", "2147483647", "-2147483647"}
	floats := []string{"1.5", "2.5f", "3.25l", "1e10", "0x1.8p3", "1.0f32", "0.1"}
	if g.constant {
		if !integer && g.r.Intn(3) == 0 {
			return g.pick(floats...)
		}
		return g.pick(consts...)
	}
	vars := []string{"c", "sc", "uc", "sh", "us", "i", "u", "l", "ul", "ll", "ull", "b", "e", "en", "eb", "pk", "ci", "vl", "s.i3", "s.u5", "s.u32", "s.l40", "s.ul33",
		"s.ul64", "s.b1", "s.c4", "s.c8", "s.e2", "s.m", "ps->cs", "s.arr[1]", "a[i]", "*pi", "*pci", "m2[1][2]", "*ca"}
	fvars := []string{"f", "d", "ld", "f16", "f32", "f64", "f128", "f32x", "f64x"}
	switch {
	case !integer && g.r.Intn(4) == 0:
		return g.pick(fvars...)
	case g.r.Intn(4) == 0:
		return g.pick(consts...)
	}
	return g.pick(vars...)
}

var castTypes = []string{"char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long", "long long", "unsigned long long", "_Bool"}

// expr returns a random expression of this depth.
func (g *exprs) expr(depth int, integer bool) string {
	if depth == 0 {
		return g.leaf(integer)
	}
	sub := func(in bool) string { return g.expr(g.r.Intn(depth), in) }
	switch g.r.Intn(12) {
	case 0:
		return fmt.Sprintf("(%s %s %s)", sub(integer), g.pick("+", "-", "*"), sub(integer))
	case 1:
		if g.constant {
			return fmt.Sprintf("(%s / (%s ? 3 : 7))", sub(integer), sub(true))
		}
		return fmt.Sprintf("(%s / %s)", sub(integer), sub(integer))
	case 2:
		return fmt.Sprintf("(%s %s %s)", sub(true), g.pick("&", "|", "^"), sub(true))
	case 3:
		if g.constant {
			return fmt.Sprintf("((unsigned long long)(%s) %s %d)", sub(true), g.pick("<<", ">>"), g.r.Intn(20))
		}
		return fmt.Sprintf("(%s %s %s)", sub(true), g.pick("<<", ">>", "%"), sub(true))
	case 4:
		return fmt.Sprintf("(%s %s %s)", sub(false), g.pick("<", "<=", "==", "!=", ">", ">="), sub(false))
	case 5:
		return fmt.Sprintf("(%s %s %s)", sub(false), g.pick("&&", "||"), sub(false))
	case 6:
		return fmt.Sprintf("(%s ? %s : %s)", sub(false), sub(integer), sub(integer))
	case 7:
		return fmt.Sprintf("%s(%s)", g.pick("-", "+"), sub(integer))
	case 8:
		return fmt.Sprintf("%s(%s)", g.pick("~", "!"), sub(true))
	case 9:
		return fmt.Sprintf("((%s)%s)", castTypes[g.r.Intn(len(castTypes))], "("+sub(integer && g.constant || integer)+")")
	case 10:
		if g.constant {
			return g.leaf(integer)
		}
		if integer {
			return g.pick("(s.l40 = 3)", "(s.ul33 += 2)", "i++", "(c = 4)", "(0, s.ul33)", "({ s.l40; })", "(e = EB)", "(us <<= 2)", "(b |= 3)", "(i, e)")
		}
		return g.pick("(f = 3)", "(f *= 2.0)", "d++", "(f16 = 1)", "(f, f32)")
	}
	return fmt.Sprintf("sizeof(0 + %s)", sub(integer))
}

const typeIDs = `#define ID(x) _Generic((x), char: 1, signed char: 2, unsigned char: 3, short: 4, unsigned short: 5, int: 6, unsigned: 7, long: 8, unsigned long: 9, \
	long long: 10, unsigned long long: 11, float: 12, double: 13, long double: 14, _Bool: 15, _Float16: 16, _Float32: 17, _Float64: 18, _Float128: 19, _Float32x: 20, _Float64x: 21, \
	_Complex float: 22, _Complex double: 23, _Complex long double: 24, int *: 25, const int *: 26, void *: 27, const void *: 28, char *: 29, const char *: 30, int (*)(int): 31, \
	int (*)[3]: 32, struct s: 33, struct s *: 34, _Complex int: 36, int **: 37, int (*)[4]: 38, volatile int *: 39, const int (*)[3]: 40, unsigned *: 41, \
	int (**)(int): 42, const char (*)[3]: 43, char (*)[4]: 44, short *: 46, default: 99)
`

// typed are expressions whose types are compared besides random ones.
var typed = []string{
	"a", "&a", "*a", "&*a", "&a[1]", "m2", "&m2", "m2[1]", "&m2[1]", "*m2", "fn", "&fn", "*fn", "**fn", "fn(1)", "fp(2)", "*fp", "(*fp)(1)", "&fp", "\"abc\"", "&\"abc\"", "*\"abc\"",
	"ca", "&ca", "L\"x\"[0]", "u\"x\"[0]", "U\"x\"[0]", "u8\"x\"[0]", "pi + 1", "1 + pi", "pi - pi", "pi++", "pi += 2", "pi[1]", "&pi[1]", "2[a]", "*&i",
	"i ? pi : 0", "i ? 0 : pi", "i ? pi : pci", "i ? pi : pv", "i ? pv : pci", "i ? (void *)0 : pi", "i ? pi : (void *)0", "i ? a : pi", "i ? \"a\" : 0", "i ?: l", "pi ?: pi", "i ? fn : fp",
	"i ? pi : pc", "cf + 1", "cf + d", "cd * f", "cf + cint", "cint + 1", "cint + 1l", "__real__ cf", "__imag__ cd", "~cf", "-cf", "1.0fi", "1i", "2.0i", "cf == cd", "!cf", "f + cint",
	"(char)1", "(i, c)", "(c, i)", "({ c; })", "({ a; })", "({ s; }).m", "s", "&s", "(struct s){0}", "&(struct s){0}", "(int[3]){1}", "&(int[3]){1}", "(int){1}", "ps->arr", "&ps->arr", "&s.cs",
	"s.cs", "&ps->m", "&en", "&e", "&sh", "i < l", "!l", "i && l", "sizeof i", "_Alignof(int)", "__alignof__(i)", "&i - &i", "__builtin_offsetof(struct s, m)", "EA", "NA", "BA", "eb + 1", "en + 1", "e + 1",
	"pk + 1", "~e", "-b", "+b", "b + b", "uc << l", "l << uc", "ull >> i", "sc = l", "f = d", "d += f", "uc++", "--sh", "1 ? c : sc", "1 ? e : 0", "1 ? e : e", "1 ? en : en", "1 ? eb : i", "1 ? f : i", "1 ? f16 : f32",
	"f + f32", "d + f64", "d + f32x", "ld + f64x", "f128 + ld", "f64 + f32x", "f64x + f128", "f16 + f16", "f16 + 1", "f16 * f", "f32 * d", "f32x + f", "ul + ll", "u + l", "ull + l", "ul + ull", "l + ll",
	"+s.i3", "+s.c8", "+s.e2", "-s.c8", "(int)s.i3", "(enum e)s.e2", "(0, s.e2)", "(0, s.u5)", "(0, s.b1)", "s.c8 = 1", "s.i3++", "({ s.c8; })", "({ s.c4; }) + 1u", "1 ? s.c8 : s.c8", "s.c8 + 0",
	"(_Bool)i", "(__float80)i", "0 ? 1 : 2u", "'a'", "'ab'", "L'a'", "u'a'", "U'a'", "1", "1u", "1l", "1lu", "1ll", "1llu", "2147483647", "2147483648", "4294967295", "4294967296", "0x7fffffff", "0x80000000", "0xffffffff", "0x100000000",
	"037777777777", "0b1111", "9223372036854775807", "0x7fffffffffffffff", "0x8000000000000000", "2147483648u", "4294967296u", "1.0", "1.0f", "1.0l", "1.0q", "1.0w", "1e3f16", "1.f64", "0x1p3f", "1.f32x",
	"__builtin_expect(i, 1)", "__builtin_choose_expr(1, c, l)", "__builtin_choose_expr(0, c, pi)", "__builtin_complex(f, f)", "__atomic_load_n(pi, 5)", "__atomic_fetch_add(&l, 1, 5)", "__sync_fetch_and_add(&sh, 1)",
	"__sync_bool_compare_and_swap(&i, 1, 2)", "__sync_val_compare_and_swap(&us, 1, 2)", "__atomic_exchange_n(&pc, 0, 5)", "__sync_lock_test_and_set(&uc, 1)", "__atomic_test_and_set(&c, 5)", "__builtin_add_overflow(1, 2, &l)",
	"__builtin_bswap16(1)", "__builtin_bswap32(1)", "__builtin_bswap64(1)", "__builtin_clz(1)", "__builtin_strlen(\"a\")", "__builtin_memcpy(pv, pv, 1)", "__builtin_alloca(3)", "__builtin_inff()", "__builtin_inf()", "__builtin_nanl(\"\")",
	"__builtin_isnan(1.0)", "__builtin_types_compatible_p(int, int)", "__builtin_constant_p(1)", "__builtin_object_size(pv, 0)", "__builtin_fabs(1)", "__builtin_fabsf(1)", "__builtin_fabsl(1)", "__builtin_abs(1)", "__builtin_labs(1)",
	"__builtin_classify_type(1)", "__builtin_return_address(0)", "__builtin_frame_address(0)", "__builtin_ffs(1)", "__builtin_popcountll(1)", "__builtin_isgreater(1.0, 2)", "__builtin_signbit(1.0f)", "__func__", "_Generic(1, int: pi, default: 0)",
	"(void *)0", "(const int *)pv", "*(const char *)pv", "(volatile int *)0", "*ps", "ps->m", "(*ps).cs", "&*ps", "ps + 1", "&ps[1]", "&s.arr[1]", "s.arr + 1",
}

// typedBits are expressions with bit-fields, to which sizeof cannot be applied.
var typedBits = []string{
	"s.i3", "s.u5", "s.c4", "s.c8", "s.e2", "s.b1", "s.u32",
}

// TestExprTypes compares the types of expressions with gcc's.
func TestExprTypes(t *testing.T) {
	long.Only(t)
	for _, m32 := range []bool{false, true} {
		for seed := range int64(4) {
			g := &exprs{r: rand.New(rand.NewSource(seed)), m32: m32}
			var b strings.Builder
			head := typeIDs + exprVars
			if m32 {
				head = strings.NewReplacer("_Float16: 16, ", "", "_Float16 f16;", "float f16;").Replace(head)
			}
			b.WriteString(head + "void test(void) {\n")
			list := typed
			if seed == 0 {
				for i, e := range typedBits {
					fmt.Fprintf(&b, "static int b%d [] = { ID(%s) };\n", i, e)
				}
			} else {
				list = nil
				for range 400 {
					list = append(list, g.expr(1+g.r.Intn(3), g.r.Intn(2) == 0))
				}
			}
			for i, e := range list {
				if m32 && (strings.Contains(e, "f16") || strings.Contains(e, "Float16")) {
					continue
				}
				fmt.Fprintf(&b, "static int t%d [] = { ID(%s) , sizeof(%s) };\n", i, e, e)
			}
			b.WriteString("}\n")
			compareData(t, b.String(), command.Flags{ILP32: m32})
		}
	}
}

// TestConstants compares the values of constant expressions with gcc's.
func TestConstants(t *testing.T) {
	long.Only(t)
	for _, m32 := range []bool{false, true} {
		for seed := range int64(6) {
			g := &exprs{r: rand.New(rand.NewSource(seed)), m32: m32, constant: true}
			var b strings.Builder
			b.WriteString("enum e { EA, EB, EC = 7 }; enum big { BA = 0x100000000 };\n")
			types := []string{"char", "unsigned char", "short", "int", "unsigned", "long", "unsigned long", "long long", "unsigned long long", "_Bool", "float", "double", "long double", "_Float16", "_Float128", "_Complex double"}
			for i := range 400 {
				ty := types[g.r.Intn(len(types))]
				if m32 && ty == "_Float16" {
					ty = "float"
				}
				fmt.Fprintf(&b, "%s k%d [] = { %s };\n", ty, i, g.expr(1+g.r.Intn(4), g.r.Intn(2) == 0))
			}
			compareData(t, b.String(), command.Flags{ILP32: m32})
		}
	}
}
