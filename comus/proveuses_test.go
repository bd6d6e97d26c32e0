package comus_test

import (
	"testing"

	"comus/cfront"
	"comus/check"
	"comus/comus"
	"comus/comus/engine"
	"comus/internal/long"
	"comus/scan/certificate"
	"comus/seqmc"
	"comus/specialise"
)

// locking is a program whose threads count under a lock, which main initialises and destroys.
func locking(end string) string {
	return `#include <pthread.h>
#include <stdlib.h>
struct count { pthread_mutex_t lock; long n; int turns; };
static void *work(void *p) {
  struct count *c = p;
  for (int i = 0; i < c->turns; i++) {
    pthread_mutex_lock(&c->lock);
    c->n++;
    pthread_mutex_unlock(&c->lock);
  }
  return NULL;
}
int main(int argc, char **argv) {
  pthread_t t[8];
  struct count c;
  int n = argc > 2 ? atoi(argv[2]) : 3;
  if (n < 1 || n > 8) return 1;
  pthread_mutex_init(&c.lock, NULL);
  c.n = 0;
  c.turns = argc > 1 ? atoi(argv[1]) : 100000;
  for (int i = 0; i < n; i++) pthread_create(&t[i], NULL, work, &c);
  ` + end + `
  return c.n == 0;
}
`
}

// TestUsesOfLocks proves that no lock and no thread is misused, of a program that is too large for engines. One that destroys the lock too early is not proved, nor is another property by the same claims.
func TestUsesOfLocks(t *testing.T) {
	long.Only(t)
	about := specialise.Options{Check: specialise.Checks{NoAssert: true, Locks: true}}
	verify := func(end string) (*comus.Result, string) {
		s, file := sourceOf(t, locking(end))
		res, err := s.Verify(t.Context(), comus.Options{Options: engine.Options{Alone: true}, Strategy: "scan", Question: about})
		if err != nil {
			t.Fatal(err)
		}
		return res, file
	}
	res, file := verify(`for (int i = 0; i < n; i++) pthread_join(t[i], NULL); pthread_mutex_destroy(&c.lock);`)
	if res.Verdict != seqmc.Safe || res.Certificate.Method != check.MethodUses {
		t.Fatalf("%s (%s)", res.Verdict, res.Reason)
	}
	again, err := comus.CheckUnits(t.Context(), comus.File(file), cfront.Options{}, res.Certificate)
	if err != nil || again.Verdict != seqmc.Safe {
		t.Errorf("the certificate is not confirmed: %+v %v", again, err)
	}
	for i, forge := range []func(c *check.Certificate){
		func(c *check.Certificate) { c.Values = nil },
		func(c *check.Certificate) { c.Scan = nil },
		func(c *check.Certificate) { c.Method = check.MethodAccesses },
		func(c *check.Certificate) { c.Program.Check = []string{specialise.Memory} },
		func(c *check.Certificate) { c.Facts = "true" },
		func(c *check.Certificate) { c.Program.Atomic = "statement" },
		func(c *check.Certificate) {
			x := *c.Scan
			x.Threads = append([]certificate.Thread{}, x.Threads[:1]...)
			c.Scan = &x
		},
	} {
		c := *res.Certificate
		forge(&c)
		if again, err := comus.CheckUnits(t.Context(), comus.File(file), cfront.Options{}, &c); err == nil && again.Verdict == seqmc.Safe {
			t.Errorf("forged certificate %d is confirmed", i)
		}
	}
	for _, end := range []string{
		`pthread_mutex_destroy(&c.lock); for (int i = 0; i < n; i++) pthread_join(t[i], NULL);`,
		`for (int i = 1; i < n; i++) pthread_join(t[i], NULL); pthread_mutex_destroy(&c.lock);`,
		`for (int i = 0; i < n; i++) pthread_join(t[0], NULL);`,
	} {
		if res, _ := verify(end); res.Verdict == seqmc.Safe {
			t.Errorf("%s: it is proved", end)
		}
	}
}
