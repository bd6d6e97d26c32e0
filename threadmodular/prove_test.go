package threadmodular

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/internal/csource"
	"comus/ir"
)

const head = `#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x, lock;
pthread_mutex_t m;
`

const anyNumber = ` int main(void) { pthread_t p; while (1) pthread_create(&p, 0, f, 0); }`

// parse reads a program with replicated threads.
func parse(t *testing.T, text string) *ir.Program {
	t.Helper()
	src, err := csource.Parse("p.c", []byte(head+text), csource.Options{Parametric: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := src.Program.Check(); err != nil {
		t.Fatal(err)
	}
	src.Program.Renumber()
	return src.Program
}

// readers never meet a writer: a writer finds out under the lock that nobody is in.
const readers = `int in, shut;
	void *f(void *a) { pthread_mutex_lock(&m); if (shut) { pthread_mutex_unlock(&m); return 0; } in += 2; pthread_mutex_unlock(&m);
		assert(!shut); pthread_mutex_lock(&m); in -= 2; pthread_mutex_unlock(&m); return 0; }
	void *g(void *a) { pthread_mutex_lock(&m); if (in == 0) { shut = 1; shut = 0; } pthread_mutex_unlock(&m); return 0; }
	int main(void) { pthread_t p; for (;;) { pthread_create(&p, 0, f, 0); pthread_create(&p, 0, g, 0); } }`

// TestProve says which method it takes to prove a program.
func TestProve(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		method     Method // the zero Method: no proof
	}{
		{"lock", `void *f(void *a) { pthread_mutex_lock(&m); x++; assert(x == 1); x--; pthread_mutex_unlock(&m); return 0; }` + anyNumber, Method{Threads: 1}},
		{"test and set", `void *f(void *a) { int t; __VERIFIER_atomic_begin(); t = lock; lock = 1; __VERIFIER_atomic_end();
			if (t == 0) { x++; assert(x == 1); x--; lock = 0; } return 0; }` + anyNumber, Method{Threads: 2}},
		{"counted", `void *f(void *a) { x++; return 0; }
			int main(void) { pthread_t p; for (int i = 0; i < 20; i++) pthread_create(&p, 0, f, 0); assert(x <= 20); return 0; }`, Method{Threads: 1, Counted: true}},
		{"joined", `void *f(void *a) { pthread_mutex_lock(&m); x += 3; pthread_mutex_unlock(&m); return 0; }
			pthread_t p[70]; int main(void) { for (int i = 0; i < 70; i++) pthread_create(&p[i], 0, f, 0); for (int i = 0; i < 70; i++) pthread_join(p[i], 0);
			assert(x == 210); return 0; }`, Method{Threads: 1, Census: true}},
		{"readers and writers", readers, Method{Threads: 1, Census: true}},
		{"two threads of one kind each", `void *f(void *a) { while (lock == 1); x = 1; assert(x == 1); x = 0; lock = 1; return 0; }
			void *g(void *a) { while (lock == 0); x = 2; assert(x == 2); x = 0; lock = 0; return 0; }
			int main(void) { pthread_t p, q; pthread_create(&p, 0, f, 0); pthread_create(&q, 0, g, 0); return 0; }`, Method{Threads: 1}},
		{"three that add once", `void *f(void *a) { __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); return 0; }
			int main(void) { pthread_t p; pthread_create(&p, 0, f, 0); pthread_create(&p, 0, f, 0); pthread_create(&p, 0, f, 0); assert(x <= 3); return 0; }`, Method{Threads: 1, Placed: true}},
		{"three that add once, fails", `void *f(void *a) { __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); return 0; }
			int main(void) { pthread_t p; pthread_create(&p, 0, f, 0); pthread_create(&p, 0, f, 0); pthread_create(&p, 0, f, 0); assert(x <= 2); return 0; }`, Method{}},
		{"no lock", `void *f(void *a) { x++; assert(x == 1); x--; return 0; }` + anyNumber, Method{}},
		{"one alone", `int main(void) { assert(x == 0); return 0; }`, Method{Threads: 1}},
		{"one alone fails", `int main(void) { assert(x == 1); return 0; }`, Method{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := parse(t, tt.text)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			proof, err := Prove(ctx, p, hclog.NewNullLogger(), Options{})
			if tt.method == (Method{}) {
				if !errors.Is(err, ErrNoProof) {
					t.Errorf("%+v, %v", proof, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if proof.Method != tt.method {
				t.Errorf("%s instead of %s", proof.Method, tt.method)
			}
			if len(proof.Nodes) != len(p.Threads) || len(proof.Cuts) != len(p.Threads) || len(proof.Invariants) == 0 {
				t.Errorf("%d, %d, %d", len(proof.Nodes), len(proof.Cuts), len(proof.Invariants))
			}
		})
	}
}

// TestCancelled ends a search from outside.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Prove(ctx, parse(t, `void *f(void *a) { x++; assert(x == 1); return 0; }`+anyNumber), hclog.NewNullLogger(), Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
