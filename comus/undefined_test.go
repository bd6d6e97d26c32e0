package comus

import (
	"strings"
	"testing"

	"comus/internal/long"
	"comus/seqmc"
)

// undefinedFirst are programs in which an assertion fails in executions that engines find, and what the program does before that; "": nothing that C leaves undefined.
var undefinedFirst = []struct{ name, text, first string }{
	{"a local after its life", `
#include <assert.h>
#include <pthread.h>
int r[2];
void *f(void *a) { int i = *(int *)a; r[i]++; return 0; }
int main(void) {
  pthread_t p[2];
  for (int i = 0; i < 2; i++) { int x = i; pthread_create(&p[i], 0, f, &x); }
  pthread_join(p[0], 0); pthread_join(p[1], 0);
  assert(r[0] == 1 && r[1] == 1);
}`, "'x' after the end of its life"},
	{"each its own local", `
#include <assert.h>
#include <pthread.h>
int r[2];
void *f(void *a) { int i = *(int *)a; r[i]++; return 0; }
int main(void) {
  pthread_t p[2]; int x[2];
  for (int i = 0; i < 2; i++) { x[i] = 0; pthread_create(&p[i], 0, f, &x[i]); }
  pthread_join(p[0], 0); pthread_join(p[1], 0);
  assert(r[0] == 1 && r[1] == 1);
}`, ""},
	{"the id of no thread", `
#include <assert.h>
#include <pthread.h>
int main(void) { pthread_t p; assert(pthread_join(p, 0) == 0); }`, "pthread_join(p, 0) (--check=locks asks about that)"},
}

// TestUndefinedFirst: an execution in which a program does what C leaves undefined before the assertion is no violation; the reason of Unknown says what, and where.
func TestUndefinedFirst(t *testing.T) {
	for i, tt := range undefinedFirst {
		for j, strategy := range []string{"explore", "partial-order", "modular"} {
			if !long.Turn(i+j, 3) {
				continue
			}
			res, err := Verify(t.Context(), source(t, tt.text), Options{Strategy: strategy})
			if err != nil {
				t.Fatal(err)
			}
			if strategy == "explore" && strings.Contains(res.Reason, "values, more than") {
				continue // an id that is not initialised
			}
			if !saysUndefined(res, tt.first) {
				t.Errorf("%s, %s: %v: %s", tt.name, strategy, res.Verdict, res.Reason)
			}
		}
	}
}

// saysUndefined reports whether a result is that of a program of undefinedFirst.
func saysUndefined(res *Result, first string) bool {
	if first == "" {
		return res.Verdict == seqmc.Unsafe
	}
	return res.Verdict == seqmc.Unknown && strings.Contains(res.Reason, "what C leaves undefined") && strings.Contains(res.Reason, first)
}

// TestUndefinedContest: with engines as processes, none of which has a proof that counts any more.
func TestUndefinedContest(t *testing.T) {
	for i, tt := range undefinedFirst[1:] {
		if !long.Turn(i+1, 2) {
			continue
		}
		res, err := Verify(t.Context(), source(t, tt.text), Options{NoSimulate: true, Command: []string{"/proc/self/exe", "comus", "worker"}})
		if err != nil {
			t.Fatal(err)
		}
		if !saysUndefined(res, tt.first) {
			t.Errorf("%s: %v: %s", tt.name, res.Verdict, res.Reason)
		}
	}
}
