package comus

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"comus/scan/values"
	"comus/scan/zones"
	"comus/seqmc"
)

// ring counts what is put in and taken out, at most room at a time. No relation of two variables is among the guesses that resource invariants begin with.
const ring = `#include <assert.h>
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
static int in, out;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *producer(void *a) {
  while (__VERIFIER_nondet_bool()) {
    pthread_mutex_lock(&m);
    if (in < 1000 && in - out < %d) in++;
    pthread_mutex_unlock(&m);
  }
  return a;
}
static void *consumer(void *a) {
  while (__VERIFIER_nondet_bool()) {
    pthread_mutex_lock(&m);
    if (out < in) out++;
    pthread_mutex_unlock(&m);
  }
  return a;
}
int main(void) {
  pthread_t p, c;
  pthread_create(&p, 0, producer, 0);
  pthread_create(&c, 0, consumer, 0);
  pthread_mutex_lock(&m);
  int d = in - out;
  assert(d >= 0);
  assert((d & 7) == d);
  pthread_mutex_unlock(&m);
  return 0;
}
`

// What an analysis of values knows is what resource invariants need here. If it is wrong, nothing is proved that does not hold.
func TestGuesses(t *testing.T) {
	for _, c := range []struct {
		name    string
		room    int
		analyse bool
		most    int64 // a guess of the difference; 0: none
		want    seqmc.Verdict
	}{
		{"of the analysis", 4, true, 0, seqmc.Safe}, // in 0.2 s, and in 4 s without
		{"of the analysis, unsafe", 8, true, 0, seqmc.Unknown},
		{"not true", 8, false, 4, seqmc.Unknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx := context.Background()
			s, _ := opened(t, fmt.Sprintf(ring, c.room))
			opts := Options{}
			opts.Strategy, opts.Alone = "resource-invariants", true
			if c.analyse {
				a := &valueAnalysis{s: s, opts: opts.Complete()}
				if err := a.find(ctx); err != nil {
					t.Fatal(err)
				}
				if r, err := s.read(ctx, opts.Question, nil); err != nil || !strings.Contains(fmt.Sprint(r.Program.Guesses), "(<= (+ (* (- 1) |p.c:in|) |p.c:out|) 0)") {
					t.Errorf("%v, %v", r.Program.Guesses, err)
				}
			}
			if c.most != 0 {
				k := values.Known{Cases: []zones.Case{{Most: []zones.Linear{{Coef: []int64{1, -1}, C: -c.most}}}}}
				for _, g := range s.prog.Globals {
					if g.Source == "in" || g.Source == "out" {
						k.Of = append(k.Of, values.Scalar{Object: g, Size: 4})
					}
				}
				s.guess([]values.Known{k})
			}
			if c.want == seqmc.Unknown { // and would not be decided for long
				within, stop := context.WithTimeout(ctx, time.Second)
				defer stop()
				ctx = within
			}
			res, err := s.Verify(ctx, opts)
			if err != nil || res.Verdict != c.want {
				t.Errorf("%v %s, %v, want %v", res.Verdict, res.Reason, err, c.want)
			}
		})
	}
}
