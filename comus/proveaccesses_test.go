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

// filling is a program whose threads each count in an element that main has filled for them.
func filling(turns string) string {
	return `#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
struct part { int *limit; long count; char name[16]; };
static void *work(void *p) {
  struct part *me = p;
  for (int i = 0; i < *me->limit; i++) me->count += i;
  return NULL;
}
int main(int argc, char **argv) {
  pthread_t t[8];
  struct part part[8];
  int limit = argc > 1 ? atoi(argv[1]) : 100000;
  int n = argc > 2 ? atoi(argv[2]) : 3;
  if (n < 1 || n > 8) return 1;
  for (int i = 0; i < n; i++) {
    part[i].limit = &limit;
    part[i].count = 0;
    snprintf(part[i].name, sizeof part[i].name, "part %d", i);
    pthread_create(&t[i], NULL, work, &part[i]);
  }
  for (int i = 0; i < n; i++) pthread_join(t[i], NULL);
  for (int i = 0; i ` + turns + `; i++) printf("%s: %ld, at most %d\n", part[i].name, part[i].count, *part[i].limit);
  return 0;
}
`
}

// TestAccesses proves that no access is invalid, of a program that is too large for engines. One that differs by an index is not proved, nor is another property by the same claims.
func TestAccesses(t *testing.T) {
	long.Only(t)
	about := specialise.Options{Check: specialise.Checks{NoAssert: true, Memory: true}}
	verify := func(turns string) (*comus.Result, string) {
		s, file := sourceOf(t, filling(turns))
		res, err := s.Verify(t.Context(), comus.Options{Options: engine.Options{Alone: true}, Strategy: "scan", Question: about})
		if err != nil {
			t.Fatal(err)
		}
		return res, file
	}
	res, file := verify("< n")
	if res.Verdict != seqmc.Safe || res.Certificate.Method != check.MethodAccesses {
		t.Fatalf("%s (%s)", res.Verdict, res.Reason)
	}
	again, err := comus.CheckUnits(t.Context(), comus.File(file), cfront.Options{}, res.Certificate)
	if err != nil || again.Verdict != seqmc.Safe {
		t.Errorf("the certificate is not confirmed: %+v %v", again, err)
	}
	for i, forge := range []func(c *check.Certificate){
		func(c *check.Certificate) { c.Values = nil },
		func(c *check.Certificate) { c.Scan = nil },
		func(c *check.Certificate) { c.Method = check.MethodValues },
		func(c *check.Certificate) { c.Program.Check = []string{specialise.Race} },
		func(c *check.Certificate) { c.Facts = "true" },
		func(c *check.Certificate) { c.Program.Atomic = "statement" },
		func(c *check.Certificate) {
			x := *c.Scan
			x.Threads = append([]certificate.Thread{}, x.Threads[:1]...)
			c.Scan = &x
		},
		func(c *check.Certificate) {
			v := *c.Values
			v.Activations = nil
			c.Values = &v
		},
	} {
		c := *res.Certificate
		forge(&c)
		if r, err := comus.CheckUnits(t.Context(), comus.File(file), cfront.Options{}, &c); err == nil && r.Verdict == seqmc.Safe {
			t.Errorf("forged certificate %d is confirmed", i)
		}
	}
	if res, _ := verify("<= n"); res.Verdict == seqmc.Safe || res.Left == nil || len(res.Left.Open) == 0 || res.Left.Proved == 0 {
		t.Errorf("%s: %+v", res.Verdict, res.Left)
	}
}
