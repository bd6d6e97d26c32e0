package dpor_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir"
	"comus/cir/interp"
	"comus/cir/interp/dpor"
)

// load reads a program.
func load(t testing.TB, text string) *cir.Program {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	p, err := cfront.Load(context.Background(), []command.Invocation{{File: file}}, cfront.Options{NoHost: true})
	if err != nil {
		t.Fatal(err)
	}
	return p.Program
}

// options are those of the tests.
func options(func(string, cir.Type) (lo, hi uint64)) interp.Options {
	return interp.Options{MaxSteps: 100_000, Wakeups: 1}
}

// explore returns how executions end, each once, in order.
func explore(t testing.TB, p *cir.Program, opt dpor.Options) (*dpor.Report, []string) {
	t.Helper()
	ends := map[string]bool{}
	opt.Run = options
	r, err := dpor.Explore(t.Context(), p, opt, func(ex *dpor.Execution) bool {
		ends[end(ex.Result)] = true
		return false
	})
	if err != nil {
		t.Fatal(err)
	}
	return r, slices.Sorted(maps.Keys(ends))
}

// end is what a test looks at of how a run ends: what it has written, and its races.
func end(res *interp.Result) string {
	s := res.Outcome.String() + " " + res.Check + strings.TrimSpace(string(res.Stdout))
	if res.Outcome == interp.AssertFails || res.Outcome == interp.Undefined {
		s += " " + res.Site.Pos.String()
	}
	var races []string
	for _, x := range res.Races {
		sides := []string{fmt.Sprint(x.First.Site.Pos.Line, x.First.Write), fmt.Sprint(x.Second.Site.Pos.Line, x.Second.Write)}
		slices.Sort(sides)
		races = append(races, fmt.Sprint(sides))
	}
	slices.Sort(races)
	return s + " " + strings.Join(slices.Compact(races), " ")
}

const head = `#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <stdio.h>
#include <assert.h>
#include <stdatomic.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; sem_t s;
atomic_int x, y, z, a[9]; int n;
void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
`

// threads is a program of some threads, which main joins; main prints something behind that.
func threads(print string, bodies ...string) string {
	var s strings.Builder
	s.WriteString(head)
	for i, b := range bodies {
		fmt.Fprintf(&s, "void *t%d(void *p) { int r = 0; (void)r; %s return 0; }\n", i, b)
	}
	fmt.Fprintf(&s, "int main(void) { pthread_t t[%d]; sem_init(&s, 0, 0);\n", len(bodies)+1)
	for i := range bodies {
		fmt.Fprintf(&s, "pthread_create(&t[%d], 0, t%d, 0);\n", i, i)
	}
	for i := range bodies {
		fmt.Fprintf(&s, "pthread_join(t[%d], 0);\n", i)
	}
	fmt.Fprintf(&s, "%s return 0; }\n", print)
	return s.String()
}

const (
	lock   = "pthread_mutex_lock(&m);"
	unlock = "pthread_mutex_unlock(&m);"
)

// TestCount has programs of which the number of classes is known.
func TestCount(t *testing.T) {
	for _, test := range []struct {
		name string
		runs int
		text string
	}{
		{"nothing shared", 1, threads("", "for (int i = 0; i < 9; i++) r += i;", "for (int i = 0; i < 9; i++) r += i;")},
		{"words of their own", 1, threads("", "for (int i = 0; i < 9; i++) a[1] += i;", "for (int i = 0; i < 9; i++) a[3] += i;")},
		{"neighbours", 1, threads("", "a[0]++; a[0]++;", "a[1]++; a[1]++;")},
		{"two writers", 2, threads("", "x = 1;", "x = 2;")},
		{"three writers", 6, threads("", "x = 1;", "x = 2;", "x = 3;")},
		{"two times two", 6, threads("", "x = 1; x = 2;", "x = 3; x = 4;")},
		{"readers", 8, threads("", "x = 1;", "r = x;", "r = x;", "r = x;")},
		{"independent pairs", 4, threads("", "x = 1;", "x = 2;", "y = 1;", "y = 2;")},
		{"store buffering", 3, threads("", "x = 1; r = y;", "y = 1; r = x;")},
		{"lock", 2, threads("", lock+"n++;"+unlock, lock+"n++;"+unlock)},
		{"lock twice", 6, threads("", lock+"n++;"+unlock+lock+"n++;"+unlock, lock+"n++;"+unlock+lock+"n++;"+unlock)},
		{"lock, three", 6, threads("", lock+"n++;"+unlock, lock+"n++;"+unlock, lock+"n++;"+unlock)},
		{"two locks", 3, threads("", lock+"pthread_mutex_lock(&k); pthread_mutex_unlock(&k);"+unlock, "pthread_mutex_lock(&k);"+lock+unlock+"pthread_mutex_unlock(&k);")},
		{"semaphore", 1, threads("", "n++; sem_post(&s);", "sem_wait(&s); n++;")},
		{"semaphore, two wait", 4, threads("", "sem_post(&s); sem_post(&s);", "sem_wait(&s);", "sem_wait(&s);")},
		{"sections", 2, threads("", section("a[1]++;"), section("a[5]++;"))}, // which order what is before and behind them
		{"malloc", 1, threads("", "int *q = malloc(4); *q = 1; free(q);", "int *q = malloc(4); *q = 1; free(q);")},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := load(t, test.text)
			r, ends := explore(t, p, dpor.Options{})
			t.Logf("%+v %v", *r, ends)
			if !r.Complete || r.Runs != test.runs {
				t.Errorf("%+v, not %d", *r, test.runs)
			}
		})
	}
}
