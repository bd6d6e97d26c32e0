package comus

import (
	"fmt"
	"strings"
	"testing"

	"comus/cfront"
	"comus/comus/involved"
	"comus/seqmc"
	"comus/specialise"
)

// TestHeldByRun looks at the locks that are held where a run of the whole program ends: of variables and members, on the heap, read-write locks, and
// such as were given back before.
func TestHeldByRun(t *testing.T) {
	const head = `#include <pthread.h>
#include <stdlib.h>
struct item { int v; pthread_mutex_t mu; };
struct { int n; pthread_mutex_t lock[3]; } table;
pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
struct item *items[2];
int total;
`
	const threads = `
int main(int argc, char **argv) {
  pthread_t t[2];
  for (int i = 0; i < 3; i++) pthread_mutex_init(&table.lock[i], 0);
  for (int i = 0; i < 2; i++) { items[i] = malloc(sizeof **items); if (!items[i]) return 1; pthread_mutex_init(&items[i]->mu, 0); }
  pthread_create(&t[0], 0, f, items[0]); pthread_create(&t[1], 0, g, items[1]);
  pthread_join(t[0], 0); pthread_join(t[1], 0);
  return 0;
}
`
	body := func(f, g string) string {
		return fmt.Sprintf("%sstatic void *f(void *arg) { struct item *it = arg; (void)it; %s return 0; }\nstatic void *g(void *arg) { struct item *it = arg; (void)it; %s return 0; }%s", head, f, g, threads)
	}
	locked := func(a, b, inner string) string {
		return fmt.Sprintf("pthread_mutex_lock(&%s); pthread_mutex_lock(&%s); %s pthread_mutex_unlock(&%[2]s); pthread_mutex_unlock(&%[1]s);", a, b, inner)
	}
	for _, c := range []struct {
		name, text string
		how        specialise.Options
		want       []string // of f, then of g
	}{
		{"members", body("pthread_mutex_lock(&other); pthread_mutex_unlock(&other);"+locked("table.lock[1]", "other", "total++;"), "pthread_mutex_lock(&table.lock[2]); total++; pthread_mutex_unlock(&table.lock[2]);"),
			asksRaces, []string{"table.lock[1], other", "table.lock[2]"}},
		{"on the heap", body("pthread_mutex_lock(&it->mu); total++; pthread_mutex_unlock(&it->mu);", "pthread_mutex_lock(&it->mu); total++; pthread_mutex_unlock(&it->mu);"),
			asksRaces, []string{"it->mu (allocated at F:14:44, no. 1)", "it->mu (allocated at F:14:44, no. 2)"}},
		{"read-write locks", body("pthread_rwlock_rdlock(&rw); total++; pthread_rwlock_unlock(&rw);", "pthread_rwlock_wrlock(&rw); pthread_rwlock_unlock(&rw); pthread_rwlock_rdlock(&rw); total++; pthread_rwlock_unlock(&rw);"),
			asksRaces, []string{"rw (read)", "rw (read)"}},
		{"deadlock", body("pthread_mutex_lock(&table.lock[0]); "+locked("other", "it->mu", "")+" pthread_mutex_unlock(&table.lock[0]);", locked("table.lock[1]", "other", "pthread_mutex_lock(&table.lock[0]); pthread_mutex_unlock(&table.lock[0]);")),
			specialise.Options{Check: specialise.Checks{NoAssert: true, Deadlock: true}}, []string{"table.lock[0]", "table.lock[1], other"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, file := opened(t, c.text)
			res, err := s.Verify(t.Context(), Options{Strategy: scanStrategy, Question: c.how})
			if err != nil || res.Verdict != seqmc.Unsafe || !res.Trace.Program.Partial {
				t.Fatalf("%+v, %v: no violation by a run", res, err)
			}
			again, err := CheckUnits(t.Context(), File(file), cfront.Options{NoHost: true}, readAgain(t, res.Certificate))
			if err != nil {
				t.Fatal(err)
			}
			for _, tr := range []*Result{res, again} {
				held := map[string]string{}
				for _, p := range involved.In(tr.Trace) {
					held[p.Thread.Name] = strings.ReplaceAll(strings.Join(p.Held, ", "), file, "F")
				}
				if got := []string{held["f"], held["g"]}; fmt.Sprint(got) != fmt.Sprint(c.want) && !(c.name == "on the heap" && got[0] == c.want[1] && got[1] == c.want[0]) {
					t.Errorf("held: %q, want %q", got, c.want)
				}
			}
		})
	}
}
