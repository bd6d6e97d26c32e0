package cfront

import (
	"slices"
	"testing"
)

// TestThreadAssumptions looks at what the use of the threads library takes for granted.
func TestThreadAssumptions(t *testing.T) {
	const atomics = "#include <stdatomic.h>\n_Atomic int x; int main(void) { "
	const locks = "#include <pthread.h>\npthread_mutex_t m; pthread_rwlock_t l; int main(void) { "
	checked := Options{Check: Checks{Locks: true}}
	for _, c := range []struct {
		name, src, sentence string
		opts                Options
		want                bool
	}{
		{"default order", atomics + "x = 1; x++; atomic_store(&x, atomic_load(&x)); }", assumeOrder, Options{}, false},
		{"strong order", atomics + "atomic_store_explicit(&x, 1, memory_order_seq_cst); __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST); }", assumeOrder, Options{}, false},
		{"relaxed load", atomics + "return atomic_load_explicit(&x, memory_order_relaxed); }", assumeOrder, Options{}, true},
		{"release store", atomics + "atomic_store_explicit(&x, 1, memory_order_release); }", assumeOrder, Options{}, true},
		{"weak failure", atomics + "int e = 0; atomic_compare_exchange_strong_explicit(&x, &e, 1, memory_order_seq_cst, memory_order_relaxed); }", assumeOrder, Options{}, true},
		{"builtin", atomics + "__atomic_store_n(&x, 1, __ATOMIC_RELAXED); }", assumeOrder, Options{}, true},
		{"builtin weak swap", atomics + "int e = 0; __atomic_compare_exchange_n(&x, &e, 1, 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); }", assumeOrder, Options{}, false},
		{"sync", atomics + "__sync_fetch_and_add(&x, 1); }", assumeOrder, Options{}, false},
		{"sync lock", atomics + "__sync_lock_release(&x); }", assumeOrder, Options{}, true},
		{"unlock", locks + "pthread_mutex_lock(&m); pthread_mutex_unlock(&m); }", assumeMutex, Options{}, true},
		{"unlock checked", locks + "pthread_mutex_lock(&m); pthread_mutex_unlock(&m); }", assumeMutex, checked, false},
		{"read lock", locks + "pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l); }", assumeRWLock, Options{}, true},
		{"read lock checked", locks + "pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l); }", assumeReader, checked, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := mustParse(t, c.src, c.opts)
			if got := slices.Contains(res.Program.Assumptions, c.sentence); got != c.want {
				t.Errorf("%q: %v", res.Program.Assumptions, got)
			}
		})
	}
}
