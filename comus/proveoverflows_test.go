package comus_test

import (
	"testing"
	"time"

	"comus/cfront"
	"comus/check"
	"comus/comus"
	"comus/comus/engine"
	"comus/internal/long"
	"comus/seqmc"
	"comus/specialise"
)

// summing is a program whose threads add up what they are given under a lock, as long as that is below a bound.
func summing(bound string) string {
	return `#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static void *add(void *p) {
  int *from = p;
  for (int i = 0; i < 10000; i++) {
    pthread_mutex_lock(&m);
    if (sum < ` + bound + ` && sum > -2000) sum += *from % 1000;
    pthread_mutex_unlock(&m);
  }
  return NULL;
}
int main(int argc, char **argv) {
  pthread_t t[8];
  int x = argc > 1 ? atoi(argv[1]) : 3;
  for (int i = 0; i < 8; i++) pthread_create(&t[i], NULL, add, &x);
  for (int i = 0; i < 8; i++) pthread_join(t[i], NULL);
  pthread_mutex_lock(&m);
  printf("%d\n", sum / 8);
  pthread_mutex_unlock(&m);
  return 0;
}
`
}

// TestOverflowsByValues proves that arithmetic has a meaning by what values can be, of a program that is too large for engines. One that differs by a bound is not proved, nor
// is another property by the same claims.
func TestOverflowsByValues(t *testing.T) {
	long.Only(t)
	about := specialise.Options{Check: specialise.Checks{NoAssert: true, Overflow: true}}
	verify := func(bound string) (*comus.Result, string) {
		s, file := sourceOf(t, summing(bound))
		res, err := s.Verify(t.Context(), comus.Options{Options: engine.Options{Alone: true}, Strategy: "scan", Question: about})
		if err != nil {
			t.Fatal(err)
		}
		return res, file
	}
	res, file := verify("2147482649")
	if res.Verdict != seqmc.Safe || res.Certificate.Method != check.MethodValues {
		t.Fatalf("%s (%s)", res.Verdict, res.Reason)
	}
	again, err := comus.CheckUnits(t.Context(), comus.File(file), cfront.Options{}, res.Certificate)
	if err != nil || again.Verdict != seqmc.Safe {
		t.Errorf("the certificate is not confirmed: %+v %v", again, err)
	}
	for _, forge := range []func(c *check.Certificate){
		func(c *check.Certificate) { c.Values = nil },
		func(c *check.Certificate) { c.Method = check.MethodParts },
		func(c *check.Certificate) { c.Program.Check = []string{specialise.Memory} },
		func(c *check.Certificate) { c.Program.Overflow = "wrap" },
		func(c *check.Certificate) { c.Facts = "true" },
		func(c *check.Certificate) {
			v := *c.Values
			v.Cells = append(v.Cells[:0:0], v.Cells...)
			for i := range v.Cells {
				v.Cells[i].Met, v.Cells[i].Ever = "", ""
			}
			c.Values = &v
		},
	} {
		c := *res.Certificate
		forge(&c)
		if again, err := comus.CheckUnits(t.Context(), comus.File(file), cfront.Options{}, &c); err == nil && again.Verdict == seqmc.Safe {
			t.Errorf("a changed certificate is confirmed: %+v", c.Program)
		}
	}
	res, _ = verify("2147482650")
	if res.Verdict != seqmc.Unknown || res.Left == nil || len(res.Left.Open) != 1 || res.Left.Proved+1 != res.Left.All {
		t.Errorf("%s (%s), left %+v", res.Verdict, res.Reason, res.Left)
	}
	s, _ := sourceOf(t, summing("2147482649"))
	start := time.Now()
	if res, err := s.Verify(t.Context(), comus.Options{Strategy: comus.Auto, Question: about}); err != nil || res.Verdict != seqmc.Safe {
		t.Errorf("by default: %+v %v after %s", res, err, time.Since(start))
	}
}
