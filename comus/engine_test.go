package comus_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"comus/check"
	"comus/comus"
	"comus/comus/engine"
	"comus/cutpoints"
	"comus/internal/csource"
	"comus/internal/long"
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
	claims := func(a comus.Answer) comus.Options { return comus.Options{Engine: says{answer: a}} }
	checker := func(r seqmc.Result) comus.Options {
		return comus.Options{Options: engine.Options{Checker: says{result: r}, NoConcretize: true}, Strategy: "modular"}
	}
	for _, tt := range []struct {
		name, file string // of the examples
		opts       comus.Options
		reason     string
	}{
		{"nothing", "counter_lock", claims(comus.Answer{}), "the engine says gave no verdict"},
		{"no verdict", "counter_lock", claims(comus.Answer{Verdict: 9}), "the engine says gave no verdict"},
		{"safe", "counter_race", claims(comus.Answer{Verdict: seqmc.Safe}), "the proof was not confirmed: "},
		{"no steps", "counter_lock", claims(comus.Answer{Verdict: seqmc.Unsafe}), "the counterexample was not confirmed: "},
		{"no edge", "counter_lock", claims(comus.Answer{Verdict: seqmc.Unsafe, Steps: []*ir.Edge{nil}}), "the counterexample was not confirmed: "},
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

// other is an engine that asks one of comus's own about a program that is not the task: a
// part of it, say, that is no part of it.
type other struct {
	engine  comus.Engine
	program *ir.Program
	// change replaces the program in the task that comus handed over, too.
	change bool
	// forge changes the answer.
	forge func(*comus.Answer)
}

func (other) Name() string { return "other" }

func (o other) Decide(ctx context.Context, t *comus.Task) (comus.Answer, error) {
	task := t
	if !o.change {
		copied := *t
		task = &copied
	}
	if o.program != nil {
		task.Program, task.Graphs = o.program, cutpoints.Compute(o.program, cutpoints.Options{})
	}
	a, err := o.engine.Decide(ctx, task)
	if err == nil && o.forge != nil {
		o.forge(&a)
	}
	return a, err
}

// TestOtherProgram plugs in engines that have comus's own prove another program: what that
// engine has confirmed is not taken for a confirmation of the task.
func TestOtherProgram(t *testing.T) {
	long.Only(t)
	read := func(file string) *ir.Program {
		src, err := csource.ParseFile("../examples/"+file+".c", csource.Options{})
		if err != nil {
			t.Fatal(err)
		}
		src.Program.Renumber()
		return src.Program
	}
	for _, e := range comus.Engines() {
		switch e.Name() {
		case "thread-modular": // reads the source itself
			continue
		case "resource-invariants": // does not prove it; see TestResourceEngine
			continue
		}
		for _, change := range []bool{false, true} {
			t.Run(fmt.Sprint(e.Name(), change), func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
				defer cancel()
				res, err := comus.Verify(ctx, "../examples/counter_lock.c", comus.Options{Engine: other{engine: e}})
				if err != nil {
					t.Fatal(err)
				}
				if res.Verdict != seqmc.Safe {
					t.Errorf("the task itself: %v: %s", res.Verdict, res.Reason)
				}
				res, err = comus.Verify(ctx, "../examples/counter_race.c", comus.Options{Engine: other{engine: e, program: read("counter_lock"), change: change}})
				if err != nil {
					t.Fatal(err)
				}
				if res.Verdict != seqmc.Unknown || !strings.Contains(res.Reason, "the proof was not confirmed: ") {
					t.Errorf("%v: %s", res.Verdict, res.Reason)
				}
			})
		}
	}
	t.Run("another proof", func(t *testing.T) {
		po := comus.Engines()[slices.IndexFunc(comus.Engines(), func(e comus.Engine) bool { return e.Name() == "partial-order" })]
		forged := other{engine: po, forge: func(a *comus.Answer) { a.Proof.Parametric = &check.ParametricProof{} }}
		res, err := comus.Verify(t.Context(), "../examples/counter_lock.c", comus.Options{Engine: forged})
		if err != nil {
			t.Fatal(err)
		}
		if res.Verdict != seqmc.Unknown || !strings.Contains(res.Reason, "the proof was not confirmed: ") {
			t.Errorf("%v: %s", res.Verdict, res.Reason)
		}
	})
}

// TestWrongOptions gives options that name what there is not: that is an error, whatever the
// program.
func TestWrongOptions(t *testing.T) {
	for name, opts := range map[string]comus.Options{
		"strategy": {Strategy: "guess"},
		"order":    {Options: engine.Options{Order: []string{"nobody"}}},
		"passes":   {Passes: []string{"nothing"}},
	} {
		if res, err := comus.Verify(t.Context(), "../examples/counter_race.c", opts); err == nil {
			t.Errorf("%s: %v", name, res.Verdict)
		}
	}
}
