package validate

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"comus/cfront/command"
	"comus/comus"
	"comus/ir"
	"comus/seqmc"
	"comus/witness"
)

const weakHead = `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define STORE(x, v) atomic_store_explicit(&x, v, memory_order_relaxed)
#define LOAD(x) atomic_load_explicit(&x, memory_order_relaxed)
static atomic_int x, y;
static int a, b;
`

const (
	weakStoreBuffering = weakHead + `static void *f(void *p) { STORE(x, 1); a = LOAD(y); return p; }
static void *g(void *p) { STORE(y, 1); b = LOAD(x); return p; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, g, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(a || b);
}
`
	weakMessages = weakHead + `static void *f(void *p) { STORE(x, 1); STORE(y, 1); return p; }
static void *g(void *p) { if (LOAD(y)) { int seen = LOAD(x); assert(seen); } return p; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, g, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
`
)

// TestUnordered writes the witness of an execution that is not sequentially consistent: it may not say in which order the threads go on. It is confirmed, and changed ones are not.
func TestUnordered(t *testing.T) {
	for name, text := range map[string]string{"store buffering": weakStoreBuffering, "messages": weakMessages} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.WriteFile("p.c", []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			w, res := witnessOf(t, "p.c", nil, 20*time.Second)
			if _, weak := res.Certificate.Weak(); res.Verdict != seqmc.Unsafe || !weak {
				t.Fatal(res)
			}
			for _, s := range res.Trace.Steps {
				if s.Pos == (ir.Pos{}) {
					t.Errorf("a step of no statement changes a variable: %v", s.Edge)
				}
			}
			if strings.Contains(w, "type: assumption") || strings.Count(w, "type: function_enter") != 2 || !strings.Contains(w, "description: The memory model c11 allows") {
				t.Errorf("the witness has an order of the threads: %s", w)
			}
			good, err := checkedWitness("p.c", w, 20*time.Second)
			if err != nil || good.Verdict != seqmc.Unsafe || good.Certificate == nil {
				t.Fatalf("%v, %v", good, err)
			}
			read, err := witness.Read("w.yml", []byte(w))
			if err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
			defer stop()
			woven, _, err := Weave(ctx, []command.Invocation{{File: "p.c"}}, "w.yml", read, "", comus.Options{})
			if (err == nil && woven.Repeats != nil) != (name == "store buffering") && !strings.Contains(err.Error(), "x86-64") {
				t.Errorf("%+v, %v", woven, err)
			}
			target := map[string]string{"store buffering": "line: 16\n", "messages": "line: 9\n"}[name]
			for _, change := range [][2]string{{target, "line: 14\n"}, {"line: 12\n", "line: 13\n"}, {"line: 13\n", "line: 12\n"}} {
				other := strings.ReplaceAll(w, change[0], change[1])
				if other == w {
					t.Fatalf("nothing to change: %q", change)
				}
				if bad, err := checkedWitness("p.c", other, 2*time.Second); err == nil && bad.Verdict != seqmc.Unknown {
					t.Errorf("%q: %v", change, bad)
				}
			}
		})
	}
}

// TestOrderedStays writes the witness of an execution that is sequentially consistent, of a program with weak memory orders: it has the order of the threads.
func TestOrderedStays(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("p.c", []byte(strings.Replace(weakMessages, "assert(seen)", "assert(seen != 1)", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	w, res := witnessOf(t, "p.c", nil, 20*time.Second)
	if _, weak := res.Certificate.Weak(); res.Verdict != seqmc.Unsafe || weak || !strings.Contains(w, "type: assumption") || strings.Contains(w, "description") {
		t.Errorf("%v, %v: %s", res, weak, w)
	}
}
