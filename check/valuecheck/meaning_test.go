package valuecheck_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"comus/cir"
	"comus/cir/interp"
	"comus/scan/values"
)

// meanings are pairs of functions main that differ by one thing only: all arithmetic of the first one has a meaning, in the second one some has none.
var meanings = []struct{ name, has, none string }{
	{"sum", "int x = in(0, 10); return x + 2147483637;", "int x = in(0, 11); return x + 2147483637;"},
	{"difference", "int x = in(-1, 10); return x - 2147483647;", "int x = in(-2, 10); return x - 2147483647;"},
	{"product", "int x = in(-3, 3); return x * 700000000;", "int x = in(-3, 4); return x * 700000000;"},
	{"negation", "int x = in(-2147483647, 0); return -x;", "int x = in(-2147483647 - 1, 0); return -x;"},
	{"unsigned", "unsigned x = in(0, 5); return x - 9 > 3;", "int x = in(0, 5); return x - 2147483647 - 3 > 3;"},
	{"narrow types", "short x = in(0, 32767); x = x + 1; return x;", "int x = in(0, 2147483647); x = x + 1; return x;"},
	{"long", "long x = in(0, 2147483647); return x * 4 > 0;", "int x = in(0, 2147483647); return x * 4 > 0;"},
	{"wide", "unsigned __int128 x = in(0, 3); return x + 1 > 2;", "__int128 x = in(0, 3); return x + 1 > 2;"},
	{"division", "int x = in(1, 5); return 7 / x;", "int x = in(0, 5); return 7 / x;"},
	{"remainder", "int x = in(0, 5); if (x) return 7 % x; return 0;", "int x = in(0, 5); return 7 % x;"},
	{"unsigned division", "unsigned x = in(1, 5); return 7 / x;", "unsigned x = in(0, 5); return 7 / x;"},
	{"least by -1", "int x = in(-2147483647, 5), y = in(-1, 0); if (y) return x / y; return 0;", "int x = in(-2147483647 - 1, 5), y = in(-1, 0); if (y) return x / y; return 0;"},
	{"least, remainder", "int x = in(-2147483647, 5), y = in(-1, 0); if (y) return x % y; return 0;", "int x = in(-2147483647 - 1, 5), y = in(-1, 0); if (y) return x % y; return 0;"},
	{"distance", "int x = in(0, 31); return 1u << x;", "int x = in(0, 32); return 1u << x;"},
	{"negative distance", "int x = in(0, 31); return 77 >> x;", "int x = in(-1, 31); return 77 >> x;"},
	{"wide distance", "unsigned x = in(0, 31); return 5u >> x;", "unsigned __int128 x = in(0, 3); return 5u >> x;"},
	{"into the sign", "int x = in(0, 30); return 1 << x;", "int x = in(0, 31); return 1 << x;"},
	{"out of the type", "int x = in(0, 3); return x << 29;", "int x = in(0, 4); return x << 29;"},
	{"left shift of a negative value", "int x = in(0, 1); return x << 1;", "int x = in(-1, 1); return x << 1;"},
	{"right shift of a negative value", "int x = in(-9, 1); return x >> 1;", "int x = in(-9, 1); return x << 1;"},
	{"counter", "int n = 0; for (int i = 0; i < 100; i++) n = i + 1; return n;", "int n = 0; for (int i = 0; i >= 0; i++) n = i; return n;"},
	{"unreached", "int x = in(0, 3); if (x > 3) return x + 2147483647; return 0;", "int x = in(0, 4); if (x > 3) return x + 2147483647; return 0;"},
	{"behind an assertion", "int x = in(0, 3); assert(x < 3); return x + 2147483645;", "int x = in(0, 3); assert(x < 4); return x + 2147483645;"},
	{"in another thread", "pthread_create(&t, 0, f, 0); L; g = in(0, 3); U; return 0;", "pthread_create(&t, 0, f, 0); L; g = in(0, 4); U; return 0;"},
	{"atomic", "_Atomic int x = 2147483647; atomic_fetch_add(&x, 1); return 0;", "_Atomic int x = 2147483647; int y = atomic_load(&x) + 1; return y;"},
	{"conversion", "long x = 1L << 40; int y = x; return y;", "long x = 1L << 40; int y = x; return y + 2147483647 + 1;"},
	{"in a function of the library", `char b[9] = "7"; return strtoul(b, 0, 10) > 3;`, "int x = in(-2147483647 - 1, 0); return abs(x) > 3;"},
}

const meaningHead = decls + "int g; void *f(void *a) { L; int x = g; U; return (void *)(long)(x + 2147483644); }\n" +
	"static int in(int lo, int hi) { int x = __VERIFIER_nondet_int(); if (x < lo || x > hi) exit(0); return x; }\n"

// TestMeaning finds the arithmetic that may be undefined.
func TestMeaning(t *testing.T) {
	for _, p := range meanings {
		for i, body := range []string{p.has, p.none} {
			s, err := analysed(t.Context(), meaningHead+"int main(void) { "+body+" }")
			if err != nil {
				t.Errorf("%s: %v", p.name, err)
				continue
			}
			r, err := s.check(t.Context())
			if err != nil {
				t.Errorf("%s: %v", p.name, err)
				continue
			}
			if has := len(r.Undefined) == 0; has != (i == 0) {
				t.Errorf("%s (%d): all has a meaning: %v (%v)", p.name, i, has, r.Undefined)
			}
		}
	}
}

// arithmetic writes a function main that computes with a few inputs in a random way, mostly with small numbers.
func arithmetic(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(meaningHead + "int main(void) {\n")
	types := []string{"int", "long", "unsigned", "short", "signed char", "unsigned long"}
	n := 3 + r.IntN(3)
	for i := range n {
		lo := r.IntN(1<<(1+r.IntN(30))) - r.IntN(1<<(1+r.IntN(20)))
		fmt.Fprintf(&b, "  %s v%d = %d + (int)((unsigned)__VERIFIER_nondet_int() %% %du);\n", types[r.IntN(len(types))], i, lo, 1+r.IntN(1<<(1+r.IntN(20))))
	}
	pick := func() string {
		if r.IntN(4) == 0 {
			return fmt.Sprintf("(%d)", r.IntN(40)-5)
		}
		return fmt.Sprintf("v%d", r.IntN(n))
	}
	ops := []string{"+", "-", "*", "/", "%", "<<", ">>", "&", "+", "-"}
	for range 4 + r.IntN(6) {
		x := fmt.Sprintf("v%d = %s %s %s;", r.IntN(n), pick(), ops[r.IntN(len(ops))], pick())
		switch r.IntN(4) {
		case 0:
			x = fmt.Sprintf("if (%s < %s) { %s }", pick(), pick(), x)
		case 1:
			x = fmt.Sprintf("for (int i = 0; i < %d; i++) { %s }", 1+r.IntN(5), x)
		case 2:
			x = fmt.Sprintf("v%d = -(%s);", r.IntN(n), pick())
		}
		b.WriteString("  " + x + "\n")
	}
	b.WriteString("  return 0;\n}\n")
	return b.String()
}

// TestRandomMeaning runs random arithmetic: what ends a run was noted. More: COMUS_SCAN=2000.
func TestRandomMeaning(t *testing.T) {
	kinds := map[string]bool{interp.CheckOverflow: true, interp.CheckShift: true, interp.CheckDivision: true}
	count := uint64(60)
	if n, err := strconv.ParseUint(os.Getenv("COMUS_SCAN"), 10, 64); err == nil {
		count = n
	}
	proved, ended := 0, 0
	for seed := range count {
		r := rand.New(rand.NewPCG(seed, 3))
		text := arithmetic(r)
		s, err := analysedWith(t.Context(), text, values.Options{Plain: seed%2 == 0})
		if err != nil {
			t.Fatal(err, text)
		}
		rep, err := s.check(t.Context())
		if err != nil {
			t.Fatal(err, text)
		}
		if len(rep.Undefined) == 0 {
			proved++
		}
		for range 20 {
			res, err := interp.Run(t.Context(), s.prog, interp.Options{Nondet: func(string, cir.Type) (lo, hi uint64) { return r.Uint64N(1 << (1 + r.IntN(32))), 0 }})
			if err != nil {
				t.Fatal(err, text)
			}
			if res.Outcome != interp.Undefined || !kinds[res.Check] {
				continue
			}
			ended++
			noted := false
			for in := range rep.Undefined {
				noted = noted || in.Meta().Site != nil && res.Site != nil && in.Meta().Site.Pos == res.Site.Pos
			}
			if !noted {
				t.Fatalf("seed %d: %s at %v was not noted: %v\n%s", seed, res.Why, res.Site, rep.Undefined, text)
			}
		}
	}
	if proved == 0 || ended < 20 {
		t.Errorf("%d programs have a meaning, %d runs ended", proved, ended)
	}
}

// meaningless are whole programs with arithmetic that has no meaning, in code that control gets to in other ways than by calls, or with numbers that come by other ways than assignments.
var meaningless = []string{
	"#include <signal.h>\nvolatile sig_atomic_t g = 2147483646; int h; void on(int s) { h = g + 2; } int main(void) { signal(SIGALRM, on); alarm(1); pause(); return 0; }",
	"int g = 2147483647; void at(void) { g = g + 1; } int main(void) { atexit(at); return 0; }",
	"int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; } int main(void) { int a[3] = {-2147483647, 5, 7}; qsort(a, 3, sizeof *a, cmp); return 0; }",
	"#include <stdarg.h>\nint f(int n, ...) { va_list a; va_start(a, n); int x = va_arg(a, int); va_end(a); return x * 2; } int main(void) { return f(1, 2000000000) == 3; }",
	"_Thread_local int x = 2147483647; void *f(void *p) { x++; return 0; } int main(void) { pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }",
	"__attribute__((constructor)) void c(void) { volatile int x = 2147483647; x = x + 1; } int main(void) { return 0; }",
	"__attribute__((destructor)) void c(void) { volatile int x = 2147483647; x = x + 1; } int main(void) { return 0; }",
	"int x; void *f(void *p) { __atomic_store_n(&x, 2147483647, 5); return 0; } int main(void) { pthread_create(&t, 0, f, 0); int y = __atomic_load_n(&x, 5); y += 1; return y == 3; }",
	"int main(void) { int x; unsigned char b[4] = {255, 255, 255, 127}; memcpy(&x, b, 4); return x + 1 == 3; }",
	`int main(void) { int x = 0; if (scanf("%d", &x) != 1) return 0; return x + 1 == 4; }`,
	"struct s { int a, b; }; struct s f(int k) { struct s r = {k, k}; return r; } int main(int c, char **v) { struct s x = f(2147483647), y = x; return (y.b + 2) == 3; }",
	"union u { int i; unsigned x; }; int main(int c, char **v) { union u u; u.x = 0x7fffffffu; u.i += 1; return u.i == 3; }",
	"int main(void) { int *p = malloc(4); *p = 2147483647; int *q = p; (*q)++; return 0; }",
	"int a[3] = {2147483647, 1, 2}; int main(int c, char **v) { int i = c % 3; int *p = a + i; return *p + 1 == 7; }",
	"int main(void) { int x = 2147483647; char *q = (char *)&x; q[0] = -2; x++; x++; return x == 3; }",
	"void (*f)(int); int g; void a(int x) { g = x + 1; } int main(void) { f = a; f(2147483647); return 0; }",
	"int f(int n) { return n < 1 ? 2147483640 : f(n - 1) + 4; } int main(void) { return f(2) == 1; }",
}

// TestMeaningless finds something in each of them.
func TestMeaningless(t *testing.T) {
	for _, text := range meaningless {
		s, err := analysed(t.Context(), decls+text)
		if err != nil {
			t.Error(err, text)
			continue
		}
		if r, err := s.check(t.Context()); err == nil && len(r.Undefined) == 0 {
			t.Errorf("all has a meaning: %s", text)
		}
	}
}
