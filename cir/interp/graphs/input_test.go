package graphs_test

import (
	"testing"

	"comus/cir/interp"
	"comus/cir/interp/graphs"
	"comus/memory"
)

// TestInputsOrderNothing has each thread of the store buffering test ask for an input between its store and its load: the store still waits in its buffer.
func TestInputsOrderNothing(t *testing.T) {
	p := load(t, head+`_Bool __VERIFIER_nondet_bool(void);
static atomic_int x, y; static int a, b;
static void *one(void *p) { atomic_store_explicit(&x, 1, memory_order_relaxed); _Bool c = __VERIFIER_nondet_bool(); a = atomic_load_explicit(&y, memory_order_relaxed) + c; return p; }
static void *two(void *p) { atomic_store_explicit(&y, 1, memory_order_relaxed); _Bool c = __VERIFIER_nondet_bool(); b = atomic_load_explicit(&x, memory_order_relaxed) + c; return p; }
int main(void) { pthread_t s, t; pthread_create(&s, 0, one, 0); pthread_create(&t, 0, two, 0); pthread_join(s, 0); pthread_join(t, 0); assert(a + b > 0); }
`)
	for model, runs := range map[memory.Model]int{memory.SC: 12, memory.TSO: 16, memory.PSO: 16, memory.RC11: 16} {
		fails := false
		r, err := graphs.Explore(t.Context(), p, graphs.Options{Model: model, Run: options}, func(ex *graphs.Execution) bool {
			if ex.Result.Outcome == interp.AssertFails {
				fails = true
				if w := ex.Graph.Violations(model); len(w) > 0 {
					t.Errorf("%s: %v", model, w)
				}
			}
			return false
		})
		if err != nil {
			t.Fatal(err)
		}
		if fails != (model != memory.SC) || r.Runs != runs || !r.Complete {
			t.Errorf("%s: the assertion fails: %t; %+v", model, fails, r)
		}
	}
}
