package comus

import (
	"strings"
	"testing"

	"comus/check"
	"comus/ir"
	"comus/logic"
	"comus/seqmc"
)

// alter has every program that is read changed, as an error in package specialise might.
func alter(t *testing.T, how func(*ir.Program)) {
	t.Helper()
	afterRead = how
	t.Cleanup(func() { afterRead = nil })
}

// edges calls f for all edges.
func edges(p *ir.Program, f func(*ir.Edge)) {
	for _, t := range p.Threads {
		t.Edges(f)
	}
}

const counting = `
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int n;
void *f(void *a) { pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t t; pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m);
  pthread_join(t, 0); pthread_mutex_lock(&m);
  assert(n LIMIT); return 0;
}`

// TestBesideProof has programs whose translation is wrong on purpose: no verdict comes of it. The translation that is right gives one.
func TestBesideProof(t *testing.T) {
	noErrors := func(p *ir.Program) {
		for _, th := range p.Threads {
			for _, l := range th.Locs {
				l.Error = false
			}
		}
	}
	never := func(text string) func(*ir.Program) {
		return func(p *ir.Program) {
			edges(p, func(e *ir.Edge) {
				if strings.Contains(e.Text, text) && e.From.Thread.Index == 0 {
					e.Cmds = append([]ir.Cmd{ir.AssumeCmd(p.L.False())}, e.Cmds...)
				}
			})
		}
	}
	for _, test := range []struct {
		name, limit string
		how         func(*ir.Program)
		want        seqmc.Verdict
		why         string // of Internal; "": whatever notices
	}{
		{"right, safe", "== 2", nil, seqmc.Safe, ""},
		{"right, unsafe", "== 1", nil, seqmc.Unsafe, ""},
		{"nothing fails", "== 1", noErrors, seqmc.Unknown, "a run of it violates the property"},
		{"main stops at a lock", "== 1", never("pthread_mutex_lock"), seqmc.Unknown, ""},
		{"main stops at a lock, safe", "== 2", never("pthread_mutex_lock"), seqmc.Unknown, "lacks an execution"},
		{"main stops at a join, safe", "== 2", never("pthread_join"), seqmc.Unknown, "lacks an execution"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.how != nil {
				alter(t, test.how)
			}
			res, err := Verify(t.Context(), source(t, strings.Replace(counting, "LIMIT", test.limit, 1)), Options{Strategy: "explore"})
			if err != nil {
				t.Fatal(err)
			}
			if res.Verdict != test.want || (res.Internal != nil) != (test.want == seqmc.Unknown) {
				t.Fatalf("%v: %s", res.Verdict, res.Reason)
			}
			if res.Internal != nil && !strings.Contains(res.Internal.What, test.why) {
				t.Error(res.Internal)
			}
		})
	}
}

// TestCheckBesideProof: a certificate of a program whose translation is wrong is not confirmed either.
func TestCheckBesideProof(t *testing.T) {
	file := source(t, strings.Replace(counting, "LIMIT", "== 1", 1))
	alter(t, func(p *ir.Program) {
		for _, th := range p.Threads {
			for _, l := range th.Locs {
				l.Error = false
			}
		}
	})
	s, err := Open(t.Context(), File(file), Options{}.Source)
	if err != nil {
		t.Fatal(err)
	}
	res, err := CheckSet(t.Context(), File(file), Options{}.Source, check.NewSet(nil, []*check.Certificate{{Format: check.Format, Version: check.Version,
		Program: s.identity(Options{}.Question), Verdict: seqmc.Safe.String(), Method: check.MethodOrders, Bound: 3}}))
	if err != nil || res.Verdict != seqmc.Unknown || res.Internal == nil {
		t.Errorf("%+v, %v", res, err)
	}
}

// TestUnfollowed: an execution of a program whose translation is wrong is none of the program, and no violation.
func TestUnfollowed(t *testing.T) {
	alter(t, func(p *ir.Program) {
		edges(p, func(e *ir.Edge) {
			for i, c := range e.Cmds {
				if c.Kind == ir.Assign && c.Var.Source == "n" {
					e.Cmds[i].Expr = p.L.Add(c.Expr, p.L.Value(logic.IntValue(0)), p.L.Ite(p.L.Lt(c.Expr, p.L.Int(50)), p.L.Int(1), p.L.Int(0)))
				}
			}
		})
	})
	for _, strategy := range []string{"explore", "partial-order", "modular"} {
		res, err := Verify(t.Context(), source(t, strings.Replace(counting, "LIMIT", "<= 2", 1)), Options{Strategy: strategy})
		if err != nil {
			t.Fatal(err)
		}
		if res.Verdict != seqmc.Unknown || !strings.Contains(res.Reason, "not confirmed") {
			t.Errorf("%s: %v: %s", strategy, res.Verdict, res.Reason)
		}
	}
}

// TestAssumptionsFail: what a proof takes for granted, and a run shows to be wrong, makes the answer Unknown.
func TestAssumptionsFail(t *testing.T) {
	const program = `
#include <assert.h>
#include <pthread.h>
int n;
void *f(void *a) { return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); %s; assert(n == 0); return 0; }`
	for does, want := range map[string]seqmc.Verdict{"pthread_detach(t)": seqmc.Safe, "pthread_detach(t); pthread_detach(t)": seqmc.Unknown,
		"n = 2147483647; n++; n = 0": seqmc.Unknown, "n = 2147483646; n++; n = 0": seqmc.Safe,
		"extern int __VERIFIER_nondet_int(void); n = __VERIFIER_nondet_int(); n++; n = 0":                                  seqmc.Safe, // of the other inputs, as it says
		"extern int __VERIFIER_nondet_int(void); if (__VERIFIER_nondet_int() == 5) n = 0; n = 2147483647; n++; n = 0":      seqmc.Unknown,
		"extern int __VERIFIER_nondet_int(void); n = __VERIFIER_nondet_int(); pthread_detach(t); pthread_detach(t); n = 0": seqmc.Unknown,
		"assert((unsigned long)&n < 4096000)": seqmc.Unknown, "assert((unsigned long)&n > 0)": seqmc.Safe} {
		res, err := Verify(t.Context(), source(t, strings.Replace(program, "%s", does, 1)), Options{Strategy: "explore"})
		if err != nil {
			t.Fatal(err)
		}
		if res.Verdict != want || res.Internal != nil || want == seqmc.Unknown && !strings.Contains(res.Reason, "rests on an assumption that does not hold") {
			t.Errorf("%s: %v: %s", does, res.Verdict, res.Reason)
		}
	}
}

// TestOutOfMemory has programs that use what malloc has returned without a look: where some runs have the memory, that there is some is assumed; where none has, the program does what is
// undefined in each run, whatever its inputs.
func TestOutOfMemory(t *testing.T) {
	const program = `
#include <assert.h>
#include <stdlib.h>
unsigned long __VERIFIER_nondet_ulong(void);
int main(void) { char *p = %s; *p = 1; assert(*p == 1); free(p); return 0; }`
	for amount, want := range map[string]seqmc.Verdict{"__VERIFIER_nondet_ulong() ? malloc(8) : malloc(-1)": seqmc.Safe, "malloc(-1)": seqmc.Unknown,
		"__VERIFIER_nondet_ulong() ? malloc(-2) : malloc(-1)": seqmc.Unknown} {
		res, err := Verify(t.Context(), source(t, strings.Replace(program, "%s", amount, 1)), Options{Strategy: "partial-order"})
		if err != nil {
			t.Fatal(err)
		}
		if res.Verdict != want || res.Internal != nil {
			t.Errorf("%s: %v: %s", amount, res.Verdict, res.Reason)
		}
	}
}
