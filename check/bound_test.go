package check_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"comus/check"
	"comus/internal/csource"
	"comus/ir"
)

// boundTests are programs with loops. need is the least bound with which a safe one is
// proved; unsafe ones are never, and those with need -1 go around a loop for ever.
var boundTests = []struct {
	name string
	src  string
	need int
	fail bool // an execution fails
}{
	{"no loop", `int main() { x = 1; assert(x == 1); }`, 0, false},
	{"constant bound", `int main() { for (int i = 0; i < 5; i++) x = x + 1; assert(x == 5); }`, 5, false},
	{"constant bound, unsafe", `int main() { for (int i = 0; i < 5; i++) x = x + 1; assert(x != 5); }`, 0, true},
	{"bound by an input", `int main() {
		unsigned char n = __VERIFIER_nondet_uchar(); __VERIFIER_assume(n < 4);
		for (int i = 0; i < n; i++) x = x + 1; assert(x == n); }`, 3, false},
	{"nested", `int main() { for (int i = 0; i < 3; i++) for (int j = 0; j < 2; j++) x = x + 1; assert(x == 6); }`, 3, false},
	{"nested, unsafe in the last iteration", `int main() {
		for (int i = 0; i < 3; i++) for (int j = 0; j < 2; j++) { x = x + 1; assert(x != 6); } }`, 0, true},
	{"two entries", `int main() {
		int i = 0; if (__VERIFIER_nondet_bool()) goto in;
		while (i < 3) { x = x + 1; in: i = i + 1; }
		assert(x <= 3); }`, 3, false},
	{"two entries, unsafe", `int main() {
		int i = 0; if (__VERIFIER_nondet_bool()) goto in;
		while (i < 3) { x = x + 1; in: i = i + 1; }
		assert(x < 3); }`, 0, true},
	{"atomic section", `int main() {
		__VERIFIER_atomic_begin(); for (int i = 0; i < 4; i++) { x = x + 1; if (x > 2) x = x + 1; } __VERIFIER_atomic_end();
		assert(x == 6); }`, 4, false},
	{"fails inside an atomic section", `int main() {
		__VERIFIER_atomic_begin(); for (int i = 0; i < 4; i++) { x = x + 1; assert(x < 4); } __VERIFIER_atomic_end(); }`, 0, true},
	{"waits", `void *f(void *p) { y = 1; x = 1; return 0; }
	int main() { pthread_t t; pthread_create(&t, 0, f, 0); while (!x) { } assert(y == 1); }`, 0, false},
	{"waits, unsafe", `void *f(void *p) { x = 1; y = 1; return 0; }
	int main() { pthread_t t; pthread_create(&t, 0, f, 0); while (!x) { } assert(y == 1); }`, 0, true},
	{"waits with a value", `void *f(void *p) { y = 1; x = 1; return 0; }
	int main() { pthread_t t; pthread_create(&t, 0, f, 0); int v; do { v = x; } while (v == 0); assert(y == 1); }`, 0, false},
	{"for ever", `void *f(void *p) { for (;;) { y = 1; y = 0; } return 0; }
	int main() { pthread_t t; pthread_create(&t, 0, f, 0); int v = y; assert(v <= 1); }`, -1, false},
	{"for ever, unsafe", `void *f(void *p) { for (;;) { y = y + 1; } return 0; }
	int main() { pthread_t t; pthread_create(&t, 0, f, 0); int v = y; assert(v <= 1); }`, 2, true},
	{"retries", `void *f(void *p) { int v; do v = x; while (!__sync_bool_compare_and_swap(&x, v, v + 1)); return 0; }
	int main() { pthread_t t; pthread_create(&t, 0, f, 0); f(0); pthread_join(t, 0); assert(x == 2); }`, 0, false},
	{"retries, unsafe", `void *f(void *p) { int v; do v = x; while (!__sync_bool_compare_and_swap(&x, v, v + 1)); return 0; }
	int main() { pthread_t t; pthread_create(&t, 0, f, 0); f(0); assert(x == 2); }`, 0, true},
}

// prelude declares what the programs use.
const prelude = `#include <pthread.h>
#include <assert.h>
unsigned char __VERIFIER_nondet_uchar(void);
_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int x, y;
`

// looping reads a program and leaves its loops.
func looping(t *testing.T, src string) *ir.Program {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte(prelude+src+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	res, err := csource.ParseFile(file, csource.Options{UnrollLimit: 1})
	if err != nil {
		t.Fatal(err)
	}
	res.Program.Renumber()
	return res.Program
}

// TestBound proves programs with bounds that are enough, and no others.
func TestBound(t *testing.T) {
	for _, tt := range boundTests {
		t.Run(tt.name, func(t *testing.T) {
			p := looping(t, tt.src)
			for bound := range 8 {
				_, err := check.Orders(t.Context(), p, &check.Certificate{Bound: bound})
				proved := !tt.fail && tt.need >= 0 && bound >= tt.need
				switch {
				case proved != (err == nil):
					t.Errorf("bound %d: %v", bound, err)
				case tt.fail && bound >= tt.need && bound == 7 && !strings.Contains(err.Error(), "an execution that fails"):
					t.Errorf("bound %d: %v", bound, err)
				case !tt.fail && !proved && !errors.Is(err, check.ErrBound):
					t.Errorf("bound %d: %v", bound, err)
				}
			}
		})
	}
	c := &check.Certificate{Bound: -1}
	if _, err := check.Orders(t.Context(), looping(t, "int main() { }"), c); err == nil {
		t.Error("a negative bound is accepted")
	}
}

// TestHugeBound refuses a bound with which the program becomes too large.
func TestHugeBound(t *testing.T) {
	p := looping(t, "int main() { for (;;) { x = !x; for (;;) { if (x) break; x = 1; } assert(x < 2); } }")
	_, err := check.Orders(t.Context(), p, &check.Certificate{Bound: 1 << 40})
	if err == nil || !strings.Contains(err.Error(), "becomes larger than") {
		t.Error(err)
	}
}
