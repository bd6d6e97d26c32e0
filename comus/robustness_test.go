package comus

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"comus/comus/confirm"
	"comus/internal/long"
	"comus/seqmc"
	"comus/specialise"
)

// statistics returns a program in which a thread counts what it has done until it is stopped, and another one looks at the counters meanwhile. It is not robust: the counters may be seen in any order.
func statistics(monitor string) string {
	return fmt.Sprintf(`#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
static atomic_int hits, misses, stop;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int balance, credit;
static void *worker(void *x) {
  while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
    pthread_mutex_lock(&m);
    if (__VERIFIER_nondet_int() > 0 && balance < 10) { balance++; credit--; }
    pthread_mutex_unlock(&m);
    atomic_fetch_add_explicit(&hits, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&misses, 1, memory_order_relaxed);
  }
  return x;
}
static void *monitor(void *x) {
  while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
    %s
    pthread_mutex_lock(&m);
    assert(balance + credit == 0);
    pthread_mutex_unlock(&m);
  }
  return x;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, monitor, 0);
  if (__VERIFIER_nondet_int()) atomic_store_explicit(&stop, 1, memory_order_relaxed);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
`, monitor)
}

// relaxed reads one counter, and then the other one.
const relaxed = "int n = atomic_load_explicit(&misses, memory_order_relaxed), h = atomic_load_explicit(&hits, memory_order_relaxed);"

// TestAnyReads proves a program that is not robust: whatever the counters' readers get, the assertion holds.
func TestAnyReads(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.c")
	verify := func(text string) *Result {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		res, err := Verify(t.Context(), file, Options{Strategy: "resource-invariants", NoSimulate: true})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	res := verify(statistics(relaxed + "if (n > h) n = h;"))
	if res.Verdict != seqmc.Safe || res.Certificate == nil || slices.Contains(res.Assumptions, confirm.AssumeOrder) {
		t.Fatalf("%v, %s, assumed %q", res.Verdict, res.Reason, res.Assumptions)
	}
	reads := strings.Split(res.Certificate.Program.AnyReads, ",")
	if len(reads) < 2 || !slices.ContainsFunc(res.Proved, func(s string) bool { return strings.Contains(s, reads[0]) }) {
		t.Errorf("reads %q, proved %q", reads, res.Proved)
	}
	for _, change := range []struct {
		name string
		with []string
		want seqmc.Verdict
	}{
		{"as it is", reads, seqmc.Safe},
		{"none", nil, seqmc.Unknown},
		{"all but the first", reads[1:], seqmc.Unknown},
		{"all but the last", reads[:len(reads)-1], seqmc.Unknown},
	} {
		cert := *res.Certificate
		cert.Program.AnyReads = strings.Join(change.with, ",")
		again, err := Check(t.Context(), file, &cert)
		if got := again; change.want == seqmc.Safe && err != nil || err == nil && got.Verdict != change.want {
			t.Errorf("%s: %v, %v, want %v", change.name, got, err, change.want)
		}
	}
}

// TestAnyReadsUnset copies a character that nobody may have written, by a relaxed read, and looks at the copy: what is read is not any value.
func TestAnyReadsUnset(t *testing.T) {
	const text = `#include <pthread.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
static atomic_int stop;
static _Atomic unsigned char *c;
static unsigned char copy;
static int large;
static void *writer(void *x) {
  while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
    atomic_store_explicit(&c[0], 1, memory_order_relaxed);
    atomic_store_explicit(&c[1], 1, memory_order_relaxed);
  }
  return x;
}
static void *reader(void *x) {
  while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
    copy = atomic_load_explicit(&c[1], memory_order_relaxed);
    unsigned char other = atomic_load_explicit(&c[0], memory_order_relaxed);
    (void)other;
    if (__VERIFIER_nondet_int() == 77) large = copy > 3;
  }
  return x;
}
int main(void) {
  _Atomic unsigned char two[2];
  c = two;
  pthread_t a, b;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, reader, 0);
  if (__VERIFIER_nondet_int()) atomic_store_explicit(&stop, 1, memory_order_relaxed);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
`
	file := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	res, err := Verify(ctx, file, Options{Strategy: "modular", Question: specialise.Options{Check: specialise.Checks{NoAssert: true, Memory: true}}})
	if err != nil || res.Verdict == seqmc.Safe {
		t.Errorf("%v, %v, %v", res.Verdict, res.Reason, err)
	}
}

// TestAnyReadsMatter asks about programs in which it matters what relaxed reads return.
func TestAnyReadsMatter(t *testing.T) {
	for _, tc := range []struct{ name, monitor string }{
		{"compared", relaxed + "assert(n <= h);"},
		{"a counter that was read", relaxed + "assert(n >= 0 || h >= 0);"},
		{"an index", relaxed + "static int a[4]; a[n & 7] = h; assert(a[n & 7] == h);"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.name != "compared" { // these take all the time that they get
				long.Only(t)
			}
			file := filepath.Join(t.TempDir(), "p.c")
			if err := os.WriteFile(file, []byte(statistics(tc.monitor)), 0o666); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
			defer cancel()
			res, err := Verify(ctx, file, Options{Strategy: "resource-invariants", NoSimulate: true})
			if err != nil || res.Verdict == seqmc.Safe {
				t.Errorf("%v, %v", res, err)
			}
		})
	}
}
