package comus

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"time"

	"comus/check"
	"comus/cir"
	"comus/cir/interp/graphs"
	"comus/comus/confirm"
	"comus/comus/engine"
	"comus/internal/deadline"
	"comus/internal/timing"
	"comus/logic"
	"comus/partialorder/axiomatic"
	"comus/scan/directed"
	"comus/seqmc"
	"comus/specialise"
)

// Execution graphs are visited one by one, and for one input. Beside that, a solver is asked for an execution of bounded length that the axioms of the memory model allow and that violates an assertion
// (package partialorder/axiomatic). It chooses inputs, too. Its execution is followed in the interpreter, which makes an execution graph of it; that is confirmed as all others are.

// boundedAfter is how long execution graphs are visited before a solver is asked, which takes a processor.
const boundedAfter = time.Second / 2

// mostRounds is how often loops are gone around at most.
const mostRounds = 1 << 8

// onlyBounded reports whether the solver alone is asked for executions that are not sequentially consistent.
func (r *weakRuns) onlyBounded() bool {
	return r.opts.Engine == nil && r.opts.Strategy == engine.PartialOrder{}.Name()
}

// bounded asks a solver about each property that it knows.
func (r *weakRuns) bounded(ctx context.Context) {
	defer r.survives()
	if !r.onlyBounded() && !deadline.Elapses(ctx, boundedAfter) {
		return
	}
	for i, name := range r.names {
		if name != specialise.Assert && name != specialise.Overflows {
			continue
		}
		if err := r.boundedAbout(ctx, i, name); err != nil && ctx.Err() == nil {
			r.opts.Log.Info("no bounded executions under the memory model", "property", name, "reason", err)
			r.mu.Lock()
			r.bound = err.Error()
			r.mu.Unlock()
		}
	}
}

// boundedAbout goes around loops more and more often, until there is an execution that violates a property.
func (r *weakRuns) boundedAbout(ctx context.Context, i int, name string) error {
	about := r.opts.Question
	about.Check, _ = specialise.ChecksNamed([]string{name})
	about.Orders = true
	reading, err := r.s.readAll(ctx, about, nil)
	if err != nil {
		return err
	}
	instr := map[int]cir.Located{}
	for in, n := range cir.Number(reading.Read) {
		instr[n] = in
	}
	for unwind := 1; unwind <= mostRounds && ctx.Err() == nil; unwind *= 2 {
		found, err := axiomatic.Find(ctx, reading.Program, axiomatic.Options{Model: about.Memory, Unwind: unwind, Instr: instr})
		if err != nil {
			return err
		}
		r.opts.Log.Info("bounded executions", "property", name, "loops gone around", unwind, "events", found.Events, "violation", found.Execution != nil, "complete", found.Complete)
		switch {
		case found.Execution != nil:
			return r.follow(ctx, i, found.Execution)
		case found.Complete:
			if err := r.boundedProof(ctx, name, unwind); !errors.Is(err, check.ErrBound) {
				return err
			}
		}
	}
	return ctx.Err()
}

var errNotFollowed = errors.New("the execution that a solver has found is none of the program's")

// follow runs the program as an execution says that a solver has found. The error is for one that the program does not have.
func (r *weakRuns) follow(ctx context.Context, i int, x *axiomatic.Execution) error {
	target := confirm.TargetOf(r.names[i], r.opts.Question.Overflow == specialise.OverflowWrap)
	shown := false
	_, err := directed.Graphs(ctx, r.s.prog.Program, []directed.Target{target}, directed.GraphOptions{Model: r.opts.Question.Memory, Runs: 1, Guide: guideOf(x), Found: func(_ int, ex *directed.Execution) bool {
		shown = r.showsBy(i, ex, engine.PartialOrder{}.Name()) || shown
		return true
	}})
	if err == nil && !shown {
		err = errNotFollowed
	}
	return err
}

// guideOf returns an execution in the terms of who follows it.
func guideOf(x *axiomatic.Execution) *graphs.Guide {
	g := &graphs.Guide{}
	for _, list := range x.Threads {
		var events []graphs.Guided
		for _, st := range list {
			events = append(events, graphs.Guided{Kind: st.Kind, Lock: st.Lock, Exclusive: st.Exclusive, Plain: st.Plain, Object: st.Object, At: st.At.String(), Input: st.Input, Value: bits(st.Value), From: st.From, Place: st.Place})
		}
		g.Threads = append(g.Threads, events)
	}
	return g
}

// bits returns the lowest bits of a number in two's complement.
func bits(v logic.Value) uint64 {
	n := v.Big()
	return new(big.Int).And(n, new(big.Int).SetUint64(^uint64(0))).Uint64()
}

// boundedProof has it proved once more that no execution violates a property, if loops are gone around so often at most.
func (r *weakRuns) boundedProof(ctx context.Context, name string, unwind int) error {
	how := r.opts.Question
	how.Check, _ = specialise.ChecksNamed([]string{name})
	cert := &check.Certificate{Format: check.Format, Version: check.Version, Program: r.s.identity(how), Verdict: seqmc.Safe.String(), Method: check.MethodAxioms, Bound: unwind + 1} // the check may have the first iteration inside the loop
	timings := timing.New()
	a, _, err := r.s.checkWhole(ctx, cert, how, timings)
	if err != nil {
		return err
	}
	res := &Result{Engine: engine.PartialOrder{}.Name(), Warnings: slices.Clone(r.s.prog.Warnings), program: cert.Program}
	res.take(a)
	res.measured(r.begun, timings)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.proved[name] = res
	r.tell()
	return nil
}

// boundedly returns the proof by bounded executions of what is asked about; nil: there is none.
func (r *weakRuns) boundedly(names []string) *Result {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(names) != 1 || r.raced != "" || r.possible[names[0]] != nil {
		return nil
	}
	return r.proved[names[0]]
}

// tellBound says in a result that is none why bounded executions did not give one, where nothing else was asked.
func (r *weakRuns) tellBound(res *Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.onlyBounded() && r.bound != "" && !res.decided() {
		res.Reason += "; bounded executions: " + r.bound
	}
}

// checkAxioms confirms a proof by bounded executions, of the program taken apart with its memory orders.
func (s *Source) checkAxioms(ctx context.Context, cert *check.Certificate, how specialise.Options, timings *timing.Timings) (confirm.Answer, *Reading, error) {
	how.Orders = true
	reading, err := s.readAll(ctx, how, timings)
	if err != nil {
		return confirm.Answer{}, nil, err
	}
	defer timings.Start(timing.Checking)()
	whole := &confirm.Whole{Program: reading.Read, ID: s.identity(how)}
	a, err := whole.Axioms(ctx, cert, reading.Program)
	return a, reading, err
}
