package comus_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"comus/cfront"
	"comus/comus"
	"comus/internal/long"
	"comus/seqmc"
)

// limits are conditions that hold, about constants at the limits of their types: W is the number of bits of a pointer, BIG 2^(W-1).
var limits = []string{
	"(g = (void *)-1, (long)g == -1)", "(g = (void *)-1, g == all && g == top(0))", "(g = (void *)-1, (unsigned long)g == ~0ul)",
	"(g = (void *)BIG, (long)g < 0 && (unsigned long)g == BIG)", "(g = (void *)(BIG - 1), (long)g > 0 && (char *)g + 1 == (char *)BIG)",
	"(g = (void *)BIG, g == big && g > (void *)(BIG - 1))", "(g = (void *)-1, (long long)g == -1 && (unsigned long long)g == ~0ull)",
	"(n = -1, (void *)n == all)", "(n = (long)BIG, (void *)n == big && (long long)(void *)n < 0)",
	"(g = all, *(long *)&g == -1)", "(n = -1, *(void **)&n == all)", "(g = 0, !g)", "(g = (void *)1, g && (long)g == 1)", "(g = big, !!g)",
	"(g = all, ((unsigned char *)&g)[3] == 255)", "(g = big, ((unsigned char *)&g)[W / 8 - 1] == 128)", "(char *)all - (char *)0 == -1",
	"(h.low = -4, h.low == -4 && h.low < 0)", "(h.high = 7, h.high == 7)", "(h.low = 3, h.one = -1, h.low == 3 && h.one == -1)",
	"(e = M, e < 0 && (long long)e == -2147483647 - 1)", "(t = N, (long long)t == 4294967295)", "(w = (wchar_t)0x80000000u, (long long)w == -2147483648ll)",
	"(c = (signed char)128, c == -128)", "(u = (unsigned char)-1, u == 255)", "(s = (short)32768, s == -32768)", "(b = 256, b == 1)", "(b = all, b == 1)",
	"(l = -0x7fffffffffffffffll - 1, l < 0 && (unsigned long long)l == 1ull << 63)", "(v = ~0ull, v > 0 && (long long)v == -1)", "most == ~0ull && least == 0",
	"(d = 1.7976931348623157e308, d > 1e308)", "(f = -0.0f, f == 0 && ((unsigned char *)&f)[3] == 128)",
	"(v = 1ull << 63, ({ int k = 0; switch (v) { case 1 ... ~0ull: k = 1; } k; }))", "(g = all, ({ int k = 0; switch ((unsigned long)g) { case 1 ... ~0ul: k = 1; } k; }))",
}

const limitsBegin = `typedef __WCHAR_TYPE__ wchar_t;
#define W (8 * (int)sizeof(void *))
#define BIG (1ul << (W - 1))
void *g, *all = (void *)-1, *big = (void *)BIG;
unsigned long long most = -1, v;
long long least = 0, l;
long n; signed char c; unsigned char u; short s; _Bool b; double d; float f; wchar_t w;
struct { int low : 3; unsigned high : 3; int one : 1; _Bool b : 1; } h;
enum { M = -2147483647 - 1 } e;
enum { N = 4294967295 } t;
static void *top(void *a) { return (void *)-1; }
`

// holdsCompiled reports what gcc says of a condition: it knows without running, which it cannot do for the other data model.
func holdsCompiled(t *testing.T, dir, flag, cond string) bool {
	file := filepath.Join(dir, "c.c")
	text := limitsBegin + "int check(void) { return " + cond + "; }\nextern void known(int) __attribute__((error(\"false\")));\nint main(void) { " +
		"if (!check()) known(0); return 0; }\n"
	text = strings.NewReplacer("void *g, *all", "static void *g; static void *const all", ", *big", "; static void *const big", "unsigned long long most = -1, v", "static const unsigned long long most = -1; static unsigned long long v",
		"long long least = 0, l", "static const long long least = 0; static long long l", "int check", "static inline __attribute__((always_inline)) int check").Replace(text)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("gcc", flag, "-w", "-O2", "-fwrapv-pointer", "-ffreestanding", "-S", "-o", os.DevNull, file).CombinedOutput()
	if err != nil && !strings.Contains(string(out), "false") {
		t.Fatalf("%s: %s", cond, out)
	}
	return err == nil
}

// TestLimits: constants at the limits of their types are what gcc makes of them, with pointers of both sizes, for engines and for
// the analysis of the whole program.
func TestLimits(t *testing.T) {
	long.Only(t)
	for flag, model := range map[string]cfront.DataModel{"-m64": cfront.LP64, "-m32": cfront.ILP32} {
		dir := t.TempDir()
		all := limitsBegin + "#include <assert.h>\nint main(void) {\n"
		for _, cond := range limits {
			if !holdsCompiled(t, dir, flag, cond) {
				t.Errorf("gcc %s: %s does not hold", flag, cond)
			}
			all += "\tassert(" + cond + ");\n"
			o := comus.Options{Source: cfront.Options{DataModel: model}}
			src := fmt.Sprintf("%s#include <assert.h>\nint main(void) { assert(!(%s)); }\n", limitsBegin, cond)
			if res := verified(t, src, o); res.Verdict != seqmc.Unsafe {
				t.Errorf("%s: the opposite of %s: %s %s", flag, cond, res.Verdict, res.Reason)
			}
		}
		for _, strategy := range []string{"", "scan"} {
			res := verified(t, all+"}\n", comus.Options{Strategy: strategy, Source: cfront.Options{DataModel: model}})
			if res.Verdict == seqmc.Unsafe || res.Verdict != seqmc.Safe && strategy == "" {
				t.Errorf("%s %s: %s %s", flag, strategy, res.Verdict, res.Reason)
			}
		}
	}
}
