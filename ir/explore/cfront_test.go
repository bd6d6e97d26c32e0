package explore_test

import (
	"testing"

	"comus/internal/csource"
	"comus/internal/long"
	"comus/internal/randprog"
	"comus/ir"
	"comus/ir/explore"
)

// parse reads a C program.
func parse(t *testing.T, src string) *ir.Program {
	t.Helper()
	res, err := csource.Parse("test.c", []byte(src), csource.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	if err := res.Program.Check(); err != nil {
		t.Fatalf("the front end's program is malformed: %v\n%s", err, src)
	}
	return res.Program
}

// TestCPrograms explores small C programs whose verdicts are known.
func TestCPrograms(t *testing.T) {
	const head = "#include <assert.h>\n#include <pthread.h>\nint x, y;\npthread_mutex_t m;\n"
	two := func(worker, body, after string) string {
		return head + "void *w(void *arg) {" + worker + "return 0;}\n" +
			"int main(void) { pthread_t t; pthread_create(&t, 0, w, 0);" + body + "pthread_join(t, 0);" + after + "}"
	}
	tests := []struct {
		name string
		src  string
		want explore.Verdict
	}{
		{"two increments", two("x++;", "x++;", "assert(x == 2);"), explore.Unsafe},
		{"two locked increments", two("pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);",
			"pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);", "assert(x == 2);"), explore.Safe},
		{"message passing", two("y = 7; x = 1;", "while (x != 1); assert(y == 7);", ""), explore.Safe},
		{"message passing in the wrong order", two("x = 1; y = 7;", "while (x != 1); assert(y == 7);", ""), explore.Unsafe},
		{"store buffering", two("x = 1; int a = y; if (a == 0) y = 2;", "y = 1; int b = x;", "assert(b == 1 || y != 2);"), explore.Safe},
		{"join waits", two("x = 1; x = 2;", "", "assert(x == 2);"), explore.Safe},
		{"no join", two("x = 1; x = 2;", "assert(x != 1);", ""), explore.Unsafe},
		{"await reads two variables one after the other", two("x = 1; x = 0; y = 1;", "while (x == 0 && y == 0); assert(y == 1 || x == 1);", ""),
			explore.Unsafe},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if res := explored(t, parse(t, tt.src), explore.Options{}); res.Verdict != tt.want {
				t.Errorf("%v (%s), want %v", res.Verdict, res.Reason, tt.want)
			}
		})
	}
}

// TestRandomCPrograms checks that random programs are read, decided within few
// states, and a fair mixture.
func TestRandomCPrograms(t *testing.T) {
	for _, opts := range []randprog.Options{{}, {Features: randprog.All}} {
		n := long.N(100, 20)
		unsafe, large := 0, 0
		for seed := range uint64(n) {
			src := randprog.Generate(seed, opts)
			res := explored(t, parse(t, src), explore.Options{MaxStates: 200_000})
			switch {
			case res.Verdict == explore.Unknown:
				t.Errorf("features %#x, seed %d: %s\n%s", opts.Features, seed, res.Reason, src)
			case res.Verdict == explore.Unsafe:
				unsafe++
			}
			if res.States > 20_000 {
				large++
			}
		}
		if unsafe < long.N(30, 2) || unsafe > long.N(70, 18) || large > n/20 {
			t.Errorf("features %#x: %d of %d programs are unsafe, %d have many states", opts.Features, unsafe, n, large)
		}
	}
}
