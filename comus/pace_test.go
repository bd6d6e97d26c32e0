package comus

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"comus/specialise"
)

// TestPace has several make runs at the same time, of which each takes longer than a short wait: together they take no more than they may, but for the run that each of them
// has just made.
func TestPace(t *testing.T) {
	var engines atomic.Bool
	engines.Store(true)
	p := &pace{engines: &engines, begun: time.Now()}
	const makers, took, most = 2, 30 * time.Millisecond, 700 * time.Millisecond
	ctx, stop := context.WithTimeout(t.Context(), most)
	defer stop()
	var all sync.WaitGroup
	for range makers {
		all.Go(func() {
			for ctx.Err() == nil {
				p.rest(ctx, took)
			}
		})
	}
	all.Wait()
	own := time.Duration(p.own.Load())
	if own < took || own > p.granted+makers*took {
		t.Errorf("runs took %s of %s", own, p.granted)
	}
	if after := time.Since(p.begun); p.granted > grantedAtOnce+after/10 {
		t.Errorf("%s are granted after %s", p.granted, after)
	}
}

// TestPaceHurries has a long wait end as soon as there is nothing to wait for.
func TestPaceHurries(t *testing.T) {
	var engines atomic.Bool
	engines.Store(true)
	p := &pace{engines: &engines, begun: time.Now()}
	time.AfterFunc(50*time.Millisecond, func() { p.hurry.Store(true) })
	p.rest(t.Context(), time.Hour)
	if p.owed(0) != 0 {
		t.Error("something is owed")
	}
}

// TestProvedButMisused: where a run does what a proof takes for granted not to happen, no other runs are waited for, as none of them can violate the property.
func TestProvedButMisused(t *testing.T) {
	const program = `
#include <assert.h>
#include <pthread.h>
int n;
void *f(void *a) { return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); n = 2147483647; n++; n = 0; assert(n == 0); return 0; }`
	s, _ := openText(t, program)
	opts := asking(specialise.Assert).Complete()
	opts.Strategy = "explore"
	opts.runs = s.runsBeside(t.Context(), opts, []string{specialise.Assert}, false)
	defer opts.runs.end()
	<-opts.runs.groups[0].first
	res, err := s.besideRuns(t.Context(), opts)
	if err != nil || !strings.Contains(res.Reason, "rests on an assumption that does not hold") {
		t.Fatal(res, err)
	}
	if opts.runs.groups[0].pace.hurry.Load() {
		t.Error("other runs were waited for")
	}
}
