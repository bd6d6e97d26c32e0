package comus_test

import (
	"context"
	"strings"
	"testing"

	"comus/comus"
	"comus/ir"
	"comus/seqmc"
)

// says is an engine, or a sequential model checker, that always says the same.
type says struct {
	answer comus.Answer
	result seqmc.Result
}

func (says) Name() string { return "says" }

func (s says) Decide(context.Context, *comus.Task) (comus.Answer, error) { return s.answer, nil }

func (s says) Check(context.Context, *seqmc.Program) (seqmc.Result, error) { return s.result, nil }

// TestLies plugs in engines and sequential model checkers that say what is not so, or
// nothing that is of use: no verdict comes of it.
func TestLies(t *testing.T) {
	engine := func(a comus.Answer) comus.Options { return comus.Options{Engine: says{answer: a}} }
	checker := func(r seqmc.Result) comus.Options {
		return comus.Options{Strategy: "modular", Checker: says{result: r}, NoConcretize: true}
	}
	for _, tt := range []struct {
		name, file string // of the examples
		opts       comus.Options
		reason     string
	}{
		{"nothing", "counter_lock", engine(comus.Answer{}), "the engine says gave no verdict"},
		{"no verdict", "counter_lock", engine(comus.Answer{Verdict: 9}), "the engine says gave no verdict"},
		{"safe", "counter_race", engine(comus.Answer{Verdict: seqmc.Safe}), "the proof was not confirmed: "},
		{"no steps", "counter_lock", engine(comus.Answer{Verdict: seqmc.Unsafe}), "the counterexample was not confirmed: "},
		{"no edge", "counter_lock", engine(comus.Answer{Verdict: seqmc.Unsafe, Steps: []*ir.Edge{nil}}), "the counterexample was not confirmed: "},
		{"no invariants", "peterson", checker(seqmc.Result{Verdict: seqmc.Safe}), "the proof was not confirmed: "},
		{"no path", "peterson", checker(seqmc.Result{Verdict: seqmc.Unsafe}), "says says UNSAFE, and gives no path to an error"},
		{"a path of nothing", "peterson", checker(seqmc.Result{Verdict: seqmc.Unsafe, Path: []*seqmc.Edge{nil}}), "no path to an error"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res, err := comus.Verify(t.Context(), "../examples/"+tt.file+".c", tt.opts)
			if err != nil {
				t.Fatal(err)
			}
			if res.Verdict != seqmc.Unknown || !strings.Contains(res.Reason, tt.reason) {
				t.Errorf("%v: %s", res.Verdict, res.Reason)
			}
		})
	}
}

// TestWrongOptions gives options that name what there is not: that is an error, whatever the
// program.
func TestWrongOptions(t *testing.T) {
	for name, opts := range map[string]comus.Options{
		"strategy": {Strategy: "guess"},
		"order":    {Order: []string{"nobody"}},
		"passes":   {Passes: []string{"nothing"}},
	} {
		if res, err := comus.Verify(t.Context(), "../examples/counter_race.c", opts); err == nil {
			t.Errorf("%s: %v", name, res.Verdict)
		}
	}
}
