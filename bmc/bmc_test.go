package bmc_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/bmc"
	"comus/cutpoints"
	"comus/internal/csource"
	"comus/internal/randprog"
	"comus/ir"
	"comus/ir/explore"
	"comus/ir/interp"
	"comus/logic"
	"comus/logic/smt"
	"comus/sequentialize/single"
	"comus/sequentialize/unwind"
	"comus/wp"
	"comus/z3"
)

const prelude = `#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void __VERIFIER_assume(int);
`

// parse reads a program.
func parse(t testing.TB, src string) *ir.Program {
	t.Helper()
	res, err := csource.Parse("p.c", []byte(prelude+src), csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	res.Program.Renumber()
	return res.Program
}

// unwound returns a program whose loops are gone around at most so often.
func unwound(t testing.TB, p *ir.Program, iterations int) *ir.Program {
	t.Helper()
	q, _, err := unwind.Program(p, iterations)
	if err != nil {
		t.Fatal(err)
	}
	q.Renumber()
	return q
}

// sequential returns a sequentialization of a program without loops.
func sequential(p *ir.Program, method string, rounds int) *ir.Program {
	translate := single.Lazy
	if method == "eager" {
		translate = single.Eager
	}
	s := translate(p, rounds, cutpoints.Compute(p, cutpoints.Options{}))
	s.Renumber()
	return s.Program
}

// replay fails the test unless there are inputs with which the program runs along a path
// to an error.
func replay(t *testing.T, p *ir.Program, path []*ir.Edge) {
	t.Helper()
	x := wp.NewExec(p.L, true)
	for _, v := range p.Vars {
		if v.Init != nil {
			x.Assume(p.L.Eq(v.Sym, p.L.Value(*v.Init)))
		} else {
			x.Assume(p.InRange(v))
		}
	}
	ends := make([]int, len(path))
	for i, e := range path {
		x.Run(e.Cmds)
		ends[i] = len(x.Inputs)
	}
	s, err := smt.NewSolver(p.L)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	st, m, err := s.Check(t.Context(), x.Cond...)
	if st != z3.Sat {
		t.Fatalf("the path cannot be taken: %v, %v", st, err)
	}
	sched := ir.Schedule{Init: map[int]logic.Value{}}
	for _, v := range p.Vars {
		if v.Init == nil {
			sched.Init[v.Index] = m.Value(v.Sym)
		}
	}
	from := 0
	for i, e := range path {
		var in []logic.Value
		for _, input := range x.Inputs[from:ends[i]] {
			in = append(in, m.Value(input.Sym))
		}
		from = ends[i]
		sched.Steps = append(sched.Steps, ir.Step{Edge: e, Inputs: in})
	}
	if _, err := interp.Replay(p, sched); err != nil {
		t.Fatal(err)
	}
}

// TestFind says of programs whether they have a path to an error, and replays it.
func TestFind(t *testing.T) {
	for _, tt := range []struct {
		name, body string // of main
		found      bool
	}{
		{"nothing", `return 0;`, false},
		{"true", `assert(1);`, false},
		{"false", `assert(0);`, true},
		{"constants", `int x = 3; x = x * 2 + 1; assert(x == 7);`, false},
		{"constants fail", `int x = 3; x = x * 2 + 1; assert(x != 7);`, true},
		{"input", `int x = __VERIFIER_nondet_int(); if (x > 10) x = 10; assert(x <= 10);`, false},
		{"input fails", `int x = __VERIFIER_nondet_int(); if (x > 10) x = 10; assert(x < 10);`, true},
		{"two inputs", `int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); if (x < y) assert(x != y);`, false},
		{"two inputs fail", `int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); if (x < y) assert(x + 1 != y);`, true},
		{"same branch twice", `_Bool b = __VERIFIER_nondet_bool(); int x = 0; if (b) x = 1; if (!b) assert(x == 0); else assert(x == 1);`, false},
		{"same branch twice fails", `_Bool b = __VERIFIER_nondet_bool(); int x = 0; if (b) x = 1; if (!b) assert(x == 1);`, true},
		{"assumption", `int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 3); __VERIFIER_assume(x < 6); assert(x == 4 || x == 5);`, false},
		{"assumption fails", `int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 3); __VERIFIER_assume(x < 6); assert(x == 4);`, true},
		{"contradiction", `int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 3); __VERIFIER_assume(x < 3); assert(0);`, false},
		{"uninitialised", `unsigned char x; assert(x <= 255);`, false},
		{"uninitialised fails", `unsigned char x; assert(x <= 254);`, true},
		{"values meet", `int x = 1; if (__VERIFIER_nondet_bool()) x = 2; else if (__VERIFIER_nondet_bool()) x = 5; assert(x == 1 || x == 2 || x == 5);`, false},
		{"values meet, fails", `int x = 1; if (__VERIFIER_nondet_bool()) x = 2; else if (__VERIFIER_nondet_bool()) x = 5; assert(x != 5);`, true},
		{"chosen value as a number", `int x = 1; if (__VERIFIER_nondet_bool()) x = 4; int y = x * 3 - 2; assert(y == 1 || y == 10);`, false},
		{"chosen value as a number, fails", `int x = 1; if (__VERIFIER_nondet_bool()) x = 4; int y = x * 3 - 2; assert(y == 1);`, true},
		{"a value nobody assigns", `int x = 1; if (__VERIFIER_nondet_bool()) x = 4; assert(x != 3);`, false},
		{"chosen and computed", `int x = 1; if (__VERIFIER_nondet_bool()) x = 4; if (__VERIFIER_nondet_bool()) x = x + 1; assert(x <= 5 && x != 3);`, false},
		{"chosen and computed, fails", `int x = 1; if (__VERIFIER_nondet_bool()) x = 4; if (__VERIFIER_nondet_bool()) x = x + 1; assert(x != 5);`, true},
		{"chosen and input", `int x = 1; if (__VERIFIER_nondet_bool()) x = __VERIFIER_nondet_int(); if (x == 7) x = 2; assert(x != 7);`, false},
		{"chosen and input, fails", `int x = 1; if (__VERIFIER_nondet_bool()) x = __VERIFIER_nondet_int(); assert(x != 7);`, true},
		{"error in a branch", `int x = __VERIFIER_nondet_int(); switch (x) { case 1: assert(x < 1); break; case 2: assert(x == 2); }`, true},
		{"no error in a branch", `int x = __VERIFIER_nondet_int(); switch (x) { case 1: assert(x <= 1); break; case 2: assert(x == 2); }`, false},
		{"unsigned wraps", `unsigned x = __VERIFIER_nondet_uint(); assert(x + 1 != 0);`, true},
		{"unsigned wraps to below", `unsigned x = __VERIFIER_nondet_uint(); assert(x + 1 == 0 || x + 1 > x);`, false},
		{"conversion truncates", `int x = __VERIFIER_nondet_int(); unsigned char c = x; assert(c != 200 || x == 200);`, true},
		{"conversion fits", `int x = __VERIFIER_nondet_int(); if (x >= 0 && x < 256) { unsigned char c = x; assert(c == x); }`, false},
		{"64 bits", `unsigned long x = 0xffffffffffffffffUL; x = x * x; assert(x == 1);`, false},
		{"64 bits, input", `unsigned long x = __VERIFIER_nondet_ulong(); assert(x != 0xfffffffffffffffeUL);`, true},
		{"128 bits", `unsigned __int128 x = (unsigned __int128)1 << 100; assert(x > 0xffffffffffffffffUL && x >> 100 == 1);`, false},
		{"128 bits, fails", `unsigned __int128 x = (unsigned __int128)1 << 100; if (__VERIFIER_nondet_bool()) x = x << 28; assert(x != 0);`, true},
		{"division truncates", `int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x == -7); assert(x / 2 == -3 && x % 2 == -1);`, false},
		{"division fails", `int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > -9 && x < 9); assert(x / 3 != -2);`, true},
		{"array", `int a[3] = {1, 2, 3}; unsigned i = __VERIFIER_nondet_uint(); __VERIFIER_assume(i < 3); a[i] = 9; assert(a[0] + a[1] + a[2] >= 12);`, false},
		{"array, fails", `int a[3] = {1, 2, 3}; unsigned i = __VERIFIER_nondet_uint(); __VERIFIER_assume(i < 3); a[i] = 9; assert(a[1] != 9);`, true},
		{"array, two indices", `int a[3] = {0}; unsigned i = __VERIFIER_nondet_uint(), j = __VERIFIER_nondet_uint(); __VERIFIER_assume(i < 3 && j < 3); a[i] = 1; a[j] = 2; assert(a[i] == 1 || i == j);`, false},
		{"array, two indices, fails", `int a[3] = {0}; unsigned i = __VERIFIER_nondet_uint(), j = __VERIFIER_nondet_uint(); __VERIFIER_assume(i < 3 && j < 3); a[i] = 1; a[j] = 2; assert(a[i] == 1);`, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := parse(t, "int main(void) { "+tt.body+" return 0; }")
			path, err := bmc.Find(t.Context(), p, nil)
			if err != nil {
				t.Fatal(err)
			}
			if (path != nil) != tt.found {
				t.Fatalf("a path: %v, want %v", path != nil, tt.found)
			}
			if path != nil {
				replay(t, p, path)
			}
		})
	}
}

// TestBounds looks for errors that it takes a number of iterations, or of rounds, to get
// to.
func TestBounds(t *testing.T) {
	const loop = `int main(void) { int i = 0; while (__VERIFIER_nondet_bool()) i++; assert(i < 4); return 0; }`
	const lost = `int x; void *f(void *a) { int t = x; x = t + 1; return 0; }
		int main(void) { pthread_t p, q; pthread_create(&p, 0, f, 0); pthread_create(&q, 0, f, 0); pthread_join(p, 0); pthread_join(q, 0); assert(x == 2); return 0; }`
	const swapped = `int x, y; void *f(void *a) { x = 1; if (y == 1) { x = 2; if (y == 2) x = 3; } return 0; }
		int main(void) { pthread_t p; pthread_create(&p, 0, f, 0); if (x == 1) { y = 1; if (x == 2) y = 2; } assert(x != 3); return 0; }`
	for _, tt := range []struct {
		name, src          string
		iterations, rounds int
		found              bool
	}{
		{"few iterations", loop, 4, 0, false},
		{"enough iterations", loop, 5, 0, true},
		{"lost update in one round", lost, 1, 1, false},
		{"lost update", lost, 1, 3, true},
		{"back and forth twice", swapped, 1, 2, false},
		{"back and forth three times", swapped, 1, 4, true},
	} {
		for _, method := range []string{"lazy", "eager"} {
			t.Run(tt.name+"/"+method, func(t *testing.T) {
				p := unwound(t, parse(t, tt.src), tt.iterations)
				if tt.rounds > 0 {
					p = sequential(p, method, tt.rounds)
				}
				path, err := bmc.Find(t.Context(), p, hclog.NewNullLogger())
				if err != nil || (path != nil) != tt.found {
					t.Fatalf("a path: %v, want %v; %v", path != nil, tt.found, err)
				}
				if path != nil {
					replay(t, p, path)
				}
			})
		}
	}
}

// TestManyConstants has a variable with many constants.
func TestManyConstants(t *testing.T) {
	for _, n := range []int{10, 100} {
		for _, found := range []bool{false, true} {
			var b strings.Builder
			b.WriteString("int main(void) { int x = 0; switch (__VERIFIER_nondet_int()) {\n")
			for i := range n {
				fmt.Fprintf(&b, "case %d: x = %d; break;\n", i, 3*i)
			}
			last := 3*n - 2
			if found {
				last = 3*n - 3
			}
			fmt.Fprintf(&b, "}\nassert(x != %d); return 0; }", last)
			p := parse(t, b.String())
			path, err := bmc.Find(t.Context(), p, nil)
			if err != nil || (path != nil) != found {
				t.Fatalf("%d constants: a path: %v, want %v; %v", n, path != nil, found, err)
			}
			if path != nil {
				replay(t, p, path)
			}
		}
	}
}

// TestErrors gives Find programs that are not for it.
func TestErrors(t *testing.T) {
	for src, want := range map[string]string{
		`int x; void *f(void *a) { x = 1; return 0; } int main(void) { pthread_t p; pthread_create(&p, 0, f, 0); assert(x == 0); return 0; }`: "2 threads",
		`int main(void) { int i = 0; while (__VERIFIER_nondet_bool()) i++; assert(i < 4); return 0; }`:                                        "loop",
	} {
		if path, err := bmc.Find(t.Context(), parse(t, src), nil); path != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, %v, want %q", path, err, want)
		}
	}
}

// TestInterrupt ends the search before it begins, and in the midst of a query.
func TestInterrupt(t *testing.T) {
	const hard = `int main(void) { unsigned long x = __VERIFIER_nondet_ulong(), y = __VERIFIER_nondet_ulong(), z = __VERIFIER_nondet_ulong();
		__VERIFIER_assume(x > 1000 && y > 1000 && z > 1000 && x < 1000000000 && y < 1000000000 && z < 1000000000);
		assert(x * x * x + y * y * y != z * z * z); return 0; }`
	p := parse(t, hard)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := bmc.Find(ctx, p, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before: %v", err)
	}
	ctx, cancel = context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	start := time.Now()
	path, err := bmc.Find(ctx, p, nil)
	if path != nil || err == nil {
		t.Errorf("%v, %v", path, err)
	}
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("it took %v to notice the end", d)
	}
}

// TestRandom compares Find with the explorer on sequentializations of random programs.
func TestRandom(t *testing.T) {
	count, counts := uint64(60), map[string]int{}
	if testing.Short() {
		count = 15
	}
	for seed := range count {
		res, err := csource.Parse("p.c", []byte(randprog.Generate(seed+17_000, randprog.Options{MaxStatements: 4})), csource.Options{})
		if err != nil {
			t.Fatal(err)
		}
		res.Program.Renumber()
		method, rounds := "lazy", 2+int(seed/2%2)
		if seed%3 == 2 {
			method, rounds = "eager", 2
		}
		s := sequential(unwound(t, res.Program, 2), method, rounds)
		want, err := explore.Explore(t.Context(), s, explore.Options{MaxStates: 30_000})
		if err != nil || want.Verdict == explore.Unknown {
			counts[method+" skipped"]++
			continue
		}
		path, err := bmc.Find(t.Context(), s, nil)
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
			continue
		}
		if (path != nil) != (want.Verdict == explore.Unsafe) {
			t.Errorf("seed %d, %s: a path: %v, but the explorer says %v", seed, method, path != nil, want.Verdict)
			continue
		}
		counts[fmt.Sprint(method, " ", want.Verdict)]++
		if path != nil {
			replay(t, s, path)
		}
	}
	t.Log(counts)
	if counts["lazy SAFE"] == 0 || counts["lazy UNSAFE"] == 0 || counts["eager SAFE"]+counts["eager UNSAFE"] == 0 {
		t.Errorf("not all kinds occurred: %v", counts)
	}
}
