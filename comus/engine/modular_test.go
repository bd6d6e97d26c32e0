package engine

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/go-hclog"

	"comus/check"
	"comus/comus/confirm"
	"comus/cutpoints"
	"comus/internal/csource"
	"comus/seqmc"
)

const race = `
#include <pthread.h>
#include <assert.h>
int x;
void *inc(void *arg) { x++; return 0; }
int main(void) {
	pthread_t a, b;
	pthread_create(&a, 0, inc, 0);
	pthread_create(&b, 0, inc, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(x == 2);
	return 0;
}`

// violation finds the blocks of a violation of race.
func violation(t *testing.T) (*confirm.Subject, []*cutpoints.Block) {
	t.Helper()
	src, err := csource.Parse("race.c", []byte(race), csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := confirm.New(src.Program, nil, check.Program{}, []string{}, nil)
	p, err := s.Simplify()
	if err != nil {
		t.Fatal(err)
	}
	m := &modular{Task: &Task{Log: hclog.NewNullLogger()}, p: p, graphs: cutpoints.Compute(p, cutpoints.Options{})}
	_, blocks, err := m.mainThread(context.Background(), m.order(0, nil))
	if err != nil || blocks == nil {
		t.Fatalf("no violation: %v", err)
	}
	return s, blocks
}

// TestFalseCounterexamplesAreRejected tests that a
// violation counts only if it can be replayed as one interleaving.
func TestFalseCounterexamplesAreRejected(t *testing.T) {
	ctx := context.Background()
	q, blocks := violation(t)
	a, err := q.Unsafe(ctx, edgesOf(blocks))
	if err != nil {
		t.Fatalf("the true violation: %v", err)
	}
	if a.Verdict() != seqmc.Unsafe || a.Trace().Error == nil {
		t.Fatalf("verdict %v", a.Verdict())
	}
	for i := range blocks {
		without := append(append([]*cutpoints.Block{}, blocks[:i]...), blocks[i+1:]...)
		if a, err := q.Unsafe(ctx, edgesOf(without)); err == nil || a.Verdict() != seqmc.Unknown {
			t.Errorf("without block %d (%v to %v) the violation still counts", i, blocks[i].From, blocks[i].To)
		}
	}
	for i := 1; i < len(blocks); i++ { // one thread's steps in another order
		if blocks[i].From.Thread != blocks[i-1].From.Thread {
			continue
		}
		swapped := append([]*cutpoints.Block{}, blocks...)
		swapped[i-1], swapped[i] = swapped[i], swapped[i-1]
		if a, err := q.Unsafe(ctx, edgesOf(swapped)); err == nil || a.Verdict() != seqmc.Unknown {
			t.Errorf("with blocks %d and %d swapped the violation still counts", i-1, i)
		}
	}
}

func TestOrder(t *testing.T) {
	src, err := csource.Parse("chain.c", []byte(`
#include <pthread.h>
#include <assert.h>
int a, b, c;
void *low(void *_) { c = 1; return 0; }
void *mid(void *_) { b = c; return 0; }
void *top(void *_) { a = b; assert(a <= 1); return 0; }
int main(void) {
	pthread_t t;
	pthread_create(&t, 0, low, 0);
	pthread_create(&t, 0, mid, 0);
	pthread_create(&t, 0, top, 0);
	return 0;
}`), csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	names := func(order []int) string {
		var out []string
		for _, i := range order {
			out = append(out, src.Program.Threads[i].Name)
		}
		return strings.Join(out, " ")
	}
	v := &modular{p: src.Program}
	if got := names(v.order(3, nil)); got != "top mid low main" {
		t.Errorf("default order: %s", got)
	}
	named, err := NamedOrder(src.Program, []string{"low", "main"})
	if err != nil {
		t.Fatal(err)
	}
	if got := names(v.order(3, named)); got != "top low main mid" {
		t.Errorf("with --order: %s", got)
	}
	for _, bad := range [][]string{{"nobody"}, {"low", "low"}} {
		if _, err := NamedOrder(src.Program, bad); err == nil {
			t.Errorf("order %v is accepted", bad)
		}
	}
}

// TestRounds counts how often a path goes around.
func TestRounds(t *testing.T) {
	_, blocks := violation(t)
	if got := rounds(blocks[:1]); got != 1 {
		t.Errorf("one block: %d", got)
	}
	loop := append(blocks[:1:1], blocks[0], blocks[0])
	if got := rounds(loop); got != 3 {
		t.Errorf("three times the same block: %d", got)
	}
}

// TestPlan looks at where engines stand in the order.
func TestPlan(t *testing.T) {
	if plan := (Features{Threads: 5, Loops: true, Locks: true}).Plan(); plan[1] != (ResourceInvariants{}).Name() {
		t.Errorf("locks: %v", plan)
	}
	if plan := (Features{Threads: 21, Alike: true}).Plan(); !slices.Contains(plan[:2], ThreadModular{}.Name()) {
		t.Errorf("many alike: %v", plan)
	}
}
