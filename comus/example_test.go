package comus_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"comus/comus"
	"comus/comus/engine"
	"comus/ir"
	"comus/seqmc"
	"comus/seqmc/spacer"
)

// Verifying a file with the default options, and reading why the verdict holds.
func ExampleVerify() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	res, err := comus.Verify(ctx, "../examples/counter_race.c", comus.Options{})
	if err != nil {
		fmt.Println(err) // file:line:col: what is wrong
		return
	}
	fmt.Println(res.Verdict)
	if res.Verdict == seqmc.Unsafe {
		last := res.Trace.Error
		fmt.Println("line", last.Pos.Line, "of", last.Thread.Name+":", last.Text)
	}
	// Output:
	// UNSAFE
	// line 21 of main: assert(x == 2)
}

// Choosing the engine, and checking the certificate of a proof in a second run.
func ExampleVerify_engine() {
	const file = "../examples/counter_lock.c"
	res, err := comus.Verify(context.Background(), file, comus.Options{Strategy: "partial-order"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Verdict, "by", res.Engine)
	again, err := comus.Check(context.Background(), file, res.Certificate)
	if err != nil {
		fmt.Println("the proof was rejected:", err)
		return
	}
	fmt.Println("confirmed:", again.Verdict)
	// Output:
	// SAFE by partial-order
	// confirmed: SAFE
}

// counter is a sequential model checker that counts how often another one is asked.
type counter struct {
	seqmc.Checker
	asked int
}

func (c *counter) Check(ctx context.Context, p *seqmc.Program) (seqmc.Result, error) {
	c.asked++
	return c.Checker.Check(ctx, p)
}

// A sequential model checker of one's own in the modular algorithm.
func ExampleOptions_checker() {
	c := &counter{Checker: &spacer.Checker{}}
	res, err := comus.Verify(context.Background(), "../examples/peterson.c", comus.Options{Options: engine.Options{Checker: c}, Strategy: "modular"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Verdict, c.asked == res.Stats.Checks)
	// Output: SAFE true
}

// search is an engine that takes the steps of each thread in turn, without looking at
// values, up to some number of steps, in the hope to come upon an error.
type search struct{ steps int }

func (search) Name() string { return "round-robin" }

func (s search) Decide(_ context.Context, t *comus.Task) (comus.Answer, error) {
	at := make([]*ir.Loc, len(t.Program.Threads))
	for i, th := range t.Program.Threads {
		at[i] = th.Entry
	}
	var path []*ir.Edge
	for i := 0; len(path) < s.steps && i < 100*s.steps; i++ {
		if out := at[i%len(at)].Out; len(out) > 0 {
			e := out[0]
			path, at[i%len(at)] = append(path, e), e.To
			if e.To.Error {
				return comus.Answer{Verdict: seqmc.Unsafe, Steps: path}, nil
			}
		}
	}
	return comus.Answer{}, errors.New("no error found")
}

// An engine of one's own. What it says is confirmed as that of any other: this one's
// paths are rarely executions, and an invented violation is no verdict.
func ExampleEngine() {
	for _, file := range []string{"../examples/counter_lock.c", "../examples/counter_race.c"} {
		res, err := comus.Verify(context.Background(), file, comus.Options{Engine: search{steps: 200}})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(res.Engine, res.Verdict)
	}
	// Output:
	// round-robin UNKNOWN
	// round-robin UNKNOWN
}
