package resourceinv

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/cutpoints"
	"comus/internal/csource"
	"comus/ir"
	"comus/ir/passes"
	"comus/logic"
)

const head = `#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;
`

// threads returns a main that creates these threads.
func threads(names ...string) string {
	var b strings.Builder
	b.WriteString("int main(void) { pthread_t p; ")
	for _, name := range names {
		fmt.Fprintf(&b, "pthread_create(&p, 0, %s, 0); ", name)
	}
	return b.String() + "return 0; }"
}

const anyNumber = ` int main(void) { pthread_t p; while (__VERIFIER_nondet_int()) pthread_create(&p, 0, f, 0); return 0; }`

// parse reads a program; every says with any number of threads.
func parse(t *testing.T, text string, every bool) *ir.Program {
	t.Helper()
	src, err := csource.Parse("p.c", []byte(head+text), csource.Options{Parametric: every})
	if err != nil {
		t.Fatal(err)
	}
	p := src.Program
	if !every {
		r, err := passes.Run(p, passes.Default())
		if err != nil {
			t.Fatal(err)
		}
		p = r.Program
	}
	p.Renumber()
	return p
}

// programs are pairs: a fragment of the first makes it unsafe when it is replaced.
var programs = []struct {
	name, text string
	old, bad   string
	every      bool
}{
	{name: "handed on", text: `int has, item, got, thing;
		void *f(void *a) { for (;;) { pthread_mutex_lock(&l); if (!has) { item = 5; has = 1; } pthread_mutex_unlock(&l); } }
		void *g(void *a) { for (;;) { int v, have = 0;
			pthread_mutex_lock(&l); if (has) { v = item; has = 0; have = 1; } pthread_mutex_unlock(&l);
			while (have) { pthread_mutex_lock(&k); if (!got) { thing = v - 1; got = 1; have = 0; } pthread_mutex_unlock(&k); } } }
		void *h(void *a) { for (;;) { pthread_mutex_lock(&k); if (got) { assert(thing == 4); got = 0; } pthread_mutex_unlock(&k); } }` + threads("f", "g", "h"),
		old: "item = 5; has = 1", bad: "item = has = 1"},
	{name: "odd cells", text: `int cell[3] = {1, 3, 5}, w, r, n;
		void *f(void *a) { for (;;) { int v = __VERIFIER_nondet_int(); if (v % 2 == 0) continue;
			pthread_mutex_lock(&l); if (n < 3) { cell[w] = v; w = (w + 1) % 3; n++; } pthread_mutex_unlock(&l); } }
		void *g(void *a) { for (;;) { pthread_mutex_lock(&l); if (n > 0) { assert(cell[r] % 2 != 0); r = (r + 1) % 3; n--; } pthread_mutex_unlock(&l); } }` + threads("f", "f", "g"),
		old: "v % 2 == 0", bad: "v % 3 == 0"},
	{name: "set up first", text: `int low, high, now;
		void *f(void *a) { for (;;) { pthread_mutex_lock(&l); if (now < high) now++; else now = low; assert(now >= 3); pthread_mutex_unlock(&l); } }
		int main(void) { pthread_t p; low = 3; high = 30; now = 4; pthread_create(&p, 0, f, 0); pthread_create(&p, 0, f, 0); return 0; }`,
		old: "now = 4", bad: "now = 1"},
	{name: "a loop inside", text: `int x, y;
		void *f(void *a) { for (;;) { pthread_mutex_lock(&l); int i = __VERIFIER_nondet_int(); while (i-- > 0) { if (x < 50) { x++; y++; } else x = y = 0; } pthread_mutex_unlock(&l); } }
		void *g(void *a) { for (;;) { pthread_mutex_lock(&l); assert(x == y); pthread_mutex_unlock(&l); } }` + threads("f", "f", "g"),
		old: "y++", bad: "y += 2"},
	{name: "seen from outside", text: `atomic_int x; int y;
		void *f(void *a) { for (;;) { pthread_mutex_lock(&l); if (x < 9) { x = x + 1; y = x; } else { x = 0; y = 0; } assert(x == y); pthread_mutex_unlock(&l); } }
		void *g(void *a) { for (;;) { int v = x; assert(v <= 9); } }` + threads("f", "f", "g"),
		old: "x < 9", bad: "x < 10"},
	{name: "either lock to read", text: `int x, y;
		void *f(void *a) { for (;;) { pthread_mutex_lock(&l); pthread_mutex_lock(&k); x = (x + 1) % 8; y = x; pthread_mutex_unlock(&k); pthread_mutex_unlock(&l); } }
		void *g(void *a) { for (;;) { pthread_mutex_lock(&l); assert(x == y); pthread_mutex_unlock(&l); } }
		void *h(void *a) { for (;;) { pthread_mutex_lock(&k); assert(x == y); pthread_mutex_unlock(&k); } }` + threads("f", "g", "h"),
		old: "pthread_mutex_unlock(&k); pthread_mutex_unlock(&l); } }\n\t\tvoid *g", bad: "x = 0; pthread_mutex_unlock(&k); pthread_mutex_unlock(&l); } }\n\t\tvoid *g"},
	{name: "any number", text: `int x, busy;
		void *f(void *a) { pthread_mutex_lock(&l); x += 3; if (x > 99) x = 0; assert(x % 3 == 0 && !busy); busy = 1;
			for (int i = 0; i < x; i++) ; busy = 0; pthread_mutex_unlock(&l); return 0; }` + anyNumber,
		old: "x = 0;", bad: "x = 1;", every: true},
}

// TestProve proves programs, and none of those that have been broken.
func TestProve(t *testing.T) {
	for _, tt := range programs {
		for _, broken := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/%v", tt.name, broken), func(t *testing.T) {
				t.Parallel()
				text, limit := tt.text, time.Minute
				if broken {
					text, limit = strings.Replace(text, tt.old, tt.bad, 1), 3*time.Second
					if text == tt.text {
						t.Fatal("there is nothing to break")
					}
				}
				ctx, cancel := context.WithTimeout(t.Context(), limit)
				defer cancel()
				proof, _, err := Prove(ctx, hclog.NewNullLogger(), Options{}, parse(t, text, tt.every))
				switch {
				case broken && err == nil:
					t.Errorf("a proof: %v", proof)
				case !broken && err != nil:
					t.Error(err)
				case err != nil && !errors.Is(err, ErrNoProof) && ctx.Err() == nil:
					t.Error(err)
				}
			})
		}
	}
}

// A guess that holds is one of the invariants, one that does not is dropped.
func TestGuesses(t *testing.T) {
	const ring = `int in, out; void *f(void *a) { while (__VERIFIER_nondet_int()) { pthread_mutex_lock(&l); if (in - out < 4) in++; pthread_mutex_unlock(&l);
pthread_mutex_lock(&l); if (out < in) out++; pthread_mutex_unlock(&l); } return 0; }
int main(void) { pthread_t p; pthread_create(&p, 0, f, 0); pthread_create(&p, 0, f, 0); pthread_mutex_lock(&l); assert(in * 3 != out * 5 + 7); return 0; }`
	for _, c := range []struct {
		most int64
		want bool
	}{{4, true}, {3, false}, {5, true}} {
		p := parse(t, ring, false)
		by := map[string]*ir.Var{}
		for _, v := range p.Vars {
			by[v.Source] = v
		}
		p.Guesses = []*logic.Term{p.L.Le(p.L.Add(by["in"].Sym, p.L.Mul(p.L.Int(-1), by["out"].Sym)), p.L.Int(c.most))}
		list, err := Seeds(context.Background(), p, cutpoints.Compute(p, cutpoints.Options{}), hclog.NewNullLogger(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		has := slices.ContainsFunc(list, func(inv Invariant) bool { return slices.Contains(logic.Conjuncts(inv.Formula), p.Guesses[0]) })
		if has != c.want {
			t.Errorf("at most %d: %t, %v", c.most, has, list)
		}
	}
}
