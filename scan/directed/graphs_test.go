package directed

import (
	"testing"
	"time"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir/interp/graphs"
	"comus/memory"
)

// TestWorkerFails has one of two workers fail: who asked is told, and nobody waits for it.
func TestWorkerFails(t *testing.T) {
	const src = `#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y, z;
static void *f(void *u) {
	for (int i = 0; i < 3; i++) { atomic_fetch_add_explicit(&x, 1, memory_order_relaxed); atomic_fetch_add_explicit(&y, 1, memory_order_relaxed); atomic_store_explicit(&z, i, memory_order_relaxed); }
	return u;
}
int main(void) { pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, f, 0); for (int i = 0; i < 3; i++) pthread_join(t[i], 0); return 0; }`
	p, err := cfront.LoadText(t.Context(), command.Invocation{File: "p.c"}, []byte(src), cfront.Options{NoHost: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, after := range []time.Duration{0, 2 * helpAfter} {
		begun, failed := time.Now(), any(nil)
		func() {
			defer func() { failed = recover() }()
			all, err := Graphs(t.Context(), p.Program, nil, GraphOptions{Model: memory.RC11, Each: func(*graphs.Execution) {
				if time.Since(begun) > after {
					panic("oh")
				}
			}})
			t.Errorf("%+v, %v", all, err)
		}()
		if failed != "oh" {
			t.Errorf("after %v: %v", after, failed)
		}
	}
}
