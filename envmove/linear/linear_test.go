package linear

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"comus/cutpoints"
	"comus/envmove/locpairs"
	"comus/examples/gen"
	"comus/internal/csource"
	"comus/internal/genprog"
	"comus/ir"
	"comus/logic"
)

// find analyses all threads with assertions of a program.
func find(tb testing.TB, src string) (*ir.Program, []locpairs.Fact) {
	tb.Helper()
	res, err := csource.Parse("test.c", []byte(src), csource.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	p := res.Program
	p.Renumber()
	graphs := cutpoints.Compute(p, cutpoints.Options{})
	known, err := locpairs.Analyze(tb.Context(), p, graphs, locpairs.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	known.Simplify()
	var facts []locpairs.Fact
	for _, t := range p.Threads {
		if t.HasErrors() {
			facts = append(facts, Analyze(tb.Context(), p, graphs, known, t.Index, false)...)
		}
	}
	return p, facts
}

// twoSums is a program of two threads that add to each other's number.
func twoSums(times, bound int) string {
	return fmt.Sprintf(`#include <assert.h>
#include <pthread.h>
int i = 1, j = 1;
void *t1(void *arg) { for (int k = 0; k < %[1]d; k++) i += j; return 0; }
void *t2(void *arg) { for (int k = 0; k < %[1]d; k++) j += i; return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, t1, 0);
    pthread_create(&b, 0, t2, 0);
    assert(i <= %[2]d);
    return 0;
}`, times, bound)
}

// flagged is a program like twoSums with three rounds whose main thread makes up
// flags before it asserts something about them.
func flagged(flags, assertion string) string {
	return strings.Replace(twoSums(3, 0), "assert(i <= 0);", flags+" assert("+assertion+");", 1)
}

// published is a program of a writer that adds inputs to numbers that it publishes, a
// reader that waits for each and adds to it, and a judge who waits for the reader.
func published(least int, assertion string) string {
	return fmt.Sprintf(`#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int A[3] = {-1, -1, -1}, B[3] = {-1, -1, -1};
static int in(void) { int a = __VERIFIER_nondet_int(); __VERIFIER_assume(a >= %d); return a; }
void *writer(void *arg) { int s = 0; for (int k = 0; k < 3; k++) { s += in(); A[k] = s; } return 0; }
void *reader(void *arg) {
    int s = 0;
    for (int k = 0; k < 3; k++) { s += in(); while (A[k] < 0) { } s += A[k]; B[k] = s; }
    return 0;
}
void *judge(void *arg) { while (B[2] < 0) { } assert(%s); return 0; }
int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_create(&c, 0, judge, 0);
    return 0;
}`, least, assertion)
}

// concurrent is a program whose main thread runs two others, one after another or
// together, and has an assertion at the end.
func concurrent(first, second string, together bool, assertion string) string {
	between, end := "pthread_join(a, 0);", ""
	if together {
		between, end = end, between
	}
	return fmt.Sprintf(`#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x = 0, y = 9;
void *t1(void *arg) { %s return 0; }
void *t2(void *arg) { %s return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, t1, 0);
    %s
    pthread_create(&b, 0, t2, 0);
    pthread_join(b, 0);
    %s
    assert(%s);
    return 0;
}`, first, second, between, end, assertion)
}

func TestAnalyze(t *testing.T) {
	ring := func(threads int, from, to string) string {
		return strings.Replace(string(genprog.Source(t, "fib", gen.Options{Threads: threads, Ring: true})), from, to, 1)
	}
	swap := "pthread_mutex_lock(&m); x = x + 1; y = y - 1; pthread_mutex_unlock(&m);"
	unlocked := "x = x + 1; y = y - 1;"
	move := "int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n <= 3); x = x + n; y = y - n;"
	input := "int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n <= 3); " +
		"pthread_mutex_lock(&m); x = x + n; pthread_mutex_unlock(&m);"
	for _, tt := range []struct {
		name, src string
		found     bool
	}{
		{"ring of 2", ring(2, "", ""), true},
		{"ring of 3", ring(3, "", ""), true},
		{"ring of 3, less", ring(3, "<= 15", "<= 14"), false},
		{"ring of 3, more", ring(3, "<= 15", "<= 16"), true},
		{"ring of 4", ring(4, "", ""), true},
		{"two sums", twoSums(2, 8), true},
		{"two sums, less", twoSums(2, 7), false},
		{"more sums", twoSums(3, 21), true},
		{"more sums, less", twoSums(3, 20), false},
		{"flags", flagged("int f = i > 21, g = j > 21;", "!(f || g)"), true},
		{"flags the other way", flagged("int f = i <= 21;", "f"), true},
		{"flags the other way, less", flagged("int f = i <= 20;", "f"), false},
		{"flag with odd values", flagged("int f = i > 21 ? 7 : -3;", "f < 7"), true},
		{"flags, less", flagged("int f = i > 20, g = j > 21;", "!(f || g)"), false},
		{"flag the wrong way", flagged("int f = i > 21;", "f"), false},
		{"constant sum", concurrent(swap, swap, true, "x + y <= 9"), true},
		{"constant sum from both sides", concurrent(swap, swap, true, "x + y == 9"), true},
		{"no lock", concurrent(unlocked, swap, true, "x + y <= 9"), false},
		{"input", concurrent(input, move, true, "x + y <= 12"), true},
		{"input, less", concurrent(input, move, true, "x + y <= 11"), false},
		{"wait for both", concurrent(move, "", true, "x + y <= 9"), true},
		{"wait for one", concurrent(move, "", false, "x + y <= 9"), true},
		{"one after another", concurrent(move, input, false, "x + y <= 12"), true},
		{"one after another, less", concurrent(move, input, false, "x + y <= 11"), false},
		{"inputs of earlier blocks", published(0, "A[2] >= A[1]"), true},
		{"inputs that may be negative", published(-1, "A[2] >= A[1]"), false},
		{"a third thread, by what the second waits for", published(0, "B[2] >= A[2]"), true},
		{"a third thread, the other way", published(0, "A[2] >= B[2]"), false},
		{"a relation and bounds that were waited for", published(0, "B[2] >= A[0] + A[2]"), true},
		{"a relation, more", published(0, "B[2] >= A[0] + A[2] + 1"), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, facts := find(t, tt.src)
			if found := len(facts) > 0; found != tt.found {
				t.Errorf("facts found: %v, want %v", found, tt.found)
			}
		})
	}
}

// TestBound looks at the fact that proves the assertion itself.
func TestBound(t *testing.T) {
	p, facts := find(t, string(genprog.Source(t, "fib", gen.Options{Threads: 3, Ring: true})))
	var v *ir.Var
	for _, x := range p.Vars {
		if x.Name == "v[0]" {
			v = x
		}
	}
	ok := slices.ContainsFunc(facts, func(f locpairs.Fact) bool {
		return len(f.At) == 1 && f.At[0].Thread == 1 && f.Holds == p.L.Le(v.Sym, p.L.Int(15))
	})
	if !ok {
		t.Errorf("no bound of v[0] among %d facts", len(facts))
	}
	for _, f := range facts {
		threads := map[int]bool{}
		for _, x := range f.At {
			threads[x.Thread] = true
		}
		if len(threads) != len(f.At) {
			t.Errorf("a thread at two places: %v", f.At)
		}
	}
}

func TestInterrupted(t *testing.T) {
	p := genprog.Program(t, "fib", gen.Options{Threads: 6, Ring: true})
	graphs := cutpoints.Compute(p, cutpoints.Options{})
	known, err := locpairs.Analyze(t.Context(), p, graphs, locpairs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if facts := Analyze(ctx, p, graphs, known, 1, false); facts != nil {
		t.Errorf("%d facts", len(facts))
	}
}

func TestTighten(t *testing.T) {
	for _, tt := range []struct {
		coefs       []int64
		bound, want int64
		first       int64
	}{{[]int64{2, 4}, 7, 3, 1}, {[]int64{-2, 4}, -7, -4, -1}, {[]int64{3}, -6, -2, 1}, {[]int64{2, 3}, 7, 7, 2}, {nil, 5, 5, 0}} {
		d := &demand{bound: tt.bound}
		for i, c := range tt.coefs {
			d.form = append(d.form, term{i, c})
		}
		d.tighten()
		if d.bound != tt.want || len(tt.coefs) > 0 && d.form[0].c != tt.first {
			t.Errorf("%v ≤ %d became %v ≤ %d", tt.coefs, tt.bound, d.form, d.bound)
		}
	}
}

// TestLimits verifies that what is too large is not known, rather than wrong.
func TestLimits(t *testing.T) {
	for _, c := range []int64{limit - 1, limit / 2, 3, 1, -1, -limit / 2, 1 - limit} {
		for _, d := range []int64{limit - 1, limit / 2, 3, 1, -1, -limit / 2, 1 - limit} {
			want := logic.IntValue(c).Mul(logic.IntValue(d))
			e := end{c, true}.times(d)
			if n, ok := want.Int64(); e.known != (ok && n > -limit && n < limit) || e.known && e.at != n {
				t.Errorf("%d · %d = %v, want %v", c, d, e, want)
			}
			f, ok := form{{0, c}}.plus(1, form{{0, d}})
			if sum := c + d; ok != (sum > -limit && sum < limit) || ok && sum != 0 && f[0].c != sum {
				t.Errorf("%d + %d = %v, %v", c, d, f, ok)
			}
		}
	}
}

func BenchmarkAnalyze(b *testing.B) {
	for _, n := range []int{4, 6} {
		b.Run(fmt.Sprint("ring of ", n), func(b *testing.B) {
			p := genprog.Program(b, "fib", gen.Options{Threads: n, Ring: true})
			graphs := cutpoints.Compute(p, cutpoints.Options{})
			known, err := locpairs.Analyze(b.Context(), p, graphs, locpairs.Options{})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				Analyze(b.Context(), p, graphs, known, 1, false)
			}
		})
	}
}
