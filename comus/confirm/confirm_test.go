package confirm

import (
	"testing"

	"comus/check"
	"comus/internal/csource"
	"comus/ir"
	"comus/ir/explore"
	"comus/seqmc"
)

const counters = `
#include <pthread.h>
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
int x;
void *f(void *a) { __VERIFIER_assert(x == 0); return 0; }
int main(void) {
	pthread_t p;
	while (__VERIFIER_nondet_bool()) pthread_create(&p, 0, f, 0);
	return 0;
}`

// read returns a subject of a program whose loop creates threads.
func read(t *testing.T, every bool) *Subject {
	t.Helper()
	src, err := csource.Parse("p.c", []byte("extern void __VERIFIER_assert(int);\n"+counters), csource.Options{MaxThreads: 2, Parametric: every})
	if err != nil {
		t.Fatal(err)
	}
	return New(src.Program, nil, check.Program{SHA256: "1", Atomic: "step", Parametric: every}, nil, nil)
}

// TestBounds: that there is no violation within bounds is confirmed, and is no verdict.
func TestBounds(t *testing.T) {
	s := read(t, false)
	a, err := s.Safe(t.Context(), &check.Certificate{Method: check.MethodOrders, Bound: 3})
	if err != nil {
		t.Fatal(err)
	}
	if a.Verdict() != seqmc.Unknown || !a.Complete() || a.Reason() == "" || a.Certificate() != nil || !a.About(s) {
		t.Errorf("%+v", a)
	}
	if _, err := s.Certificate(t.Context(), &check.Certificate{Verdict: "SAFE", Method: check.MethodOrders, Bound: 3}); err == nil {
		t.Error("a certificate is one of safety although the program is cut off")
	}
}

// TestEvery: a program with any number of threads has executions that the source has not, and
// is nothing for proofs that know a fixed number.
func TestEvery(t *testing.T) {
	s := read(t, true)
	if len(s.Original.Replicated()) == 0 {
		t.Fatal("no loop creates threads")
	}
	if _, err := s.Unsafe(t.Context(), []*ir.Edge{nil}); err == nil {
		t.Error("a violation")
	}
	if _, err := s.Certificate(t.Context(), &check.Certificate{Verdict: "UNSAFE", Schedule: &check.Schedule{}}); err == nil {
		t.Error("a certificate of a violation")
	}
	if _, err := s.Safe(t.Context(), &check.Certificate{Method: check.MethodOrders, Bound: 3}); err == nil {
		t.Error("a proof for a fixed number of threads")
	}
}

// TestOthers: an answer about one reading is none about another one, nor is what another
// process says of another text, nor what is found out about another program.
func TestOthers(t *testing.T) {
	s, other := read(t, false), read(t, false)
	if (Answer{}).About(s) || (Answer{}).Verdict() != seqmc.Unknown {
		t.Error("nothing is an answer")
	}
	if a, err := s.SafeElsewhere(Claim{Program: s.ID}); err != nil || !a.About(s) || !a.About(s.After(nil)) || a.About(other) {
		t.Errorf("%+v, %v", a, err)
	}
	for name, id := range map[string]check.Program{"text": {SHA256: "2", Atomic: "step"}, "reading": {SHA256: "1", Atomic: "statement"}} {
		if a, err := s.SafeElsewhere(Claim{Program: id}); err == nil || a.Verdict() != seqmc.Unknown {
			t.Errorf("another %s: %v", name, a.Verdict())
		}
	}
	p, err := s.Simplify()
	if err != nil {
		t.Fatal(err)
	}
	for q, want := range map[*ir.Program]bool{p: true, s.Original: true, other.Original: false} {
		r, a, err := s.Visit(t.Context(), q, explore.Options{MaxChoices: 2, Recheck: true})
		if err != nil || r.Verdict != explore.Safe {
			t.Fatal(r.Verdict, r.Reason, err)
		}
		if got := a.About(s); got != want || a.Verdict() != seqmc.Unknown {
			t.Errorf("%v: %+v", got, a)
		}
		if _, a, err = s.Visit(t.Context(), q, explore.Options{MaxChoices: 2}); err != nil || a.About(s) {
			t.Errorf("the steps were not taken once more, but there is an answer (%v)", err)
		}
	}
}
