package partialorder

import (
	"context"
	"testing"
	"time"

	"comus/cutpoints"
	"comus/internal/csource"
	"comus/internal/long"
	"comus/internal/randprog"
	"comus/ir"
)

// hardPrograms have bitwise operations or products; found tells that an assertion
// can fail.
var hardPrograms = []struct {
	name, src string
	found     bool
}{
	{"bits set under a mutex", `#include <pthread.h>
#include <assert.h>
unsigned flags; pthread_mutex_t m;
void *f(void *_) { for (int i = 0; i < 3; i++) { pthread_mutex_lock(&m); flags |= 1u << i; pthread_mutex_unlock(&m); } return 0; }
int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); pthread_mutex_lock(&m); flags |= 8; pthread_mutex_unlock(&m);
	pthread_join(a, 0); assert(flags == 15); return 0; }`, false},
	{"bits set without a mutex", `#include <pthread.h>
#include <assert.h>
unsigned flags;
void *f(void *_) { flags |= 1; flags |= 4; return 0; }
int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); flags |= 2; pthread_join(a, 0); assert(flags != 5); return 0; }`, true},
	{"exchange by exclusive or", `#include <pthread.h>
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
unsigned x, y, x0, y0; pthread_mutex_t m;
void *swap(void *_) { pthread_mutex_lock(&m); x ^= y; y ^= x; x ^= y; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t a, b; x = x0 = __VERIFIER_nondet_uint(); y = y0 = __VERIFIER_nondet_uint();
	pthread_create(&a, 0, swap, 0); pthread_create(&b, 0, swap, 0); pthread_join(a, 0); pthread_join(b, 0);
	assert(x == x0 && y == y0); return 0; }`, false},
	{"a product that wraps around", `#include <pthread.h>
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
unsigned a, b, p;
void *f(void *_) { p = a * b; return 0; }
int main(void) { pthread_t t; a = __VERIFIER_nondet_uint(); b = __VERIFIER_nondet_uint(); pthread_create(&t, 0, f, 0); b = b * 5;
	pthread_join(t, 0); assert(!(a > 3000 && b > 7000 && p == 77777771u)); return 0; }`, true},
	{"a shift by an input", `#include <pthread.h>
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
unsigned x = 1;
void *f(void *_) { x = x << (__VERIFIER_nondet_uchar() & 7); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(x == 0 || (x & (x - 1)) == 0); return 0; }`, false},
}

// encode prepares the search for the first thread with assertions.
func encode(t *testing.T, src string, unwind int) *encoding {
	t.Helper()
	res, err := csource.Parse("test.c", []byte(src), csource.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	res.Program.Renumber()
	graphs := cutpoints.Compute(res.Program, cutpoints.Options{})
	for _, th := range res.Program.Threads {
		if th.HasErrors() {
			return encodeFor(t, res.Program, graphs, th.Index, unwind)
		}
	}
	return nil
}

func encodeFor(t *testing.T, p *ir.Program, graphs []*cutpoints.Graph, main, unwind int) *encoding {
	t.Helper()
	_, enc, err := prepare(t.Context(), p, graphs, Options{Main: main, Unwind: unwind})
	if err != nil {
		t.Fatal(err)
	}
	return enc
}

func TestHardPrograms(t *testing.T) {
	for _, c := range hardPrograms {
		t.Run(c.name, func(t *testing.T) {
			enc := encode(t, c.src, 4)
			a := enc.withVectors(t.Context())
			if a.err != nil || (a.steps != nil) != c.found {
				t.Errorf("found: %v, want %v; error %v", a.steps != nil, c.found, a.err)
			}
		})
	}
}

// TestSolversAgree compares what integers and bit-vectors say of random programs.
func TestSolversAgree(t *testing.T) {
	both, found := 0, 0
	for seed := range uint64(long.N(150, 30)) {
		opts := randprog.Options{}
		if seed%2 == 1 {
			opts.Features = randprog.All
		}
		src := randprog.Generate(seed, opts)
		enc := encode(t, src, 2)
		if enc == nil {
			continue
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		v, i := enc.withVectors(ctx), enc.withIntegers(ctx)
		cancel()
		if v.err != nil || i.err != nil {
			continue
		}
		both++
		if v.steps != nil {
			found++
		}
		if (v.steps != nil) != (i.steps != nil) {
			t.Errorf("seed %d: integers find an execution: %v, bit-vectors: %v\n%s", seed, i.steps != nil, v.steps != nil, src)
		}
	}
	t.Logf("%d searches compared, %d found an execution", both, found)
	if both < long.N(60, 8) || found < long.N(15, 1) {
		t.Error("too few")
	}
}

// TestBounds proves by bounds alone what needs no order.
func TestBounds(t *testing.T) {
	for _, c := range []struct {
		name, body string
		solved     bool // without a solver
	}{
		{"a sum of what is read", "x = y; assert(x <= 8);", true},
		{"an input within its type", "x = __VERIFIER_nondet_bool(); assert(x <= 1);", true},
		{"one too little", "x = y; assert(x <= 7);", false},
		{"ordered by a condition", "while (!flag) { } x = y; assert(x >= 8);", true},
		{"ordered by a condition, and wrong", "while (!flag) { } x = y; assert(x != 8);", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			enc := encode(t, `#include <pthread.h>
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
int x, y; _Bool flag;
void *f(void *_) { y = y + 3; y = y + 5; flag = 1; return 0; }
int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); `+c.body+` return 0; }`, 2)
			if (enc == nil) != c.solved {
				t.Errorf("without a solver: %v, want %v", enc == nil, c.solved)
			}
		})
	}
}
