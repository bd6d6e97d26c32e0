package comus

import (
	"context"
	"errors"
	"fmt"
	"time"

	"comus/check"
	"comus/ir"
	"comus/query"
	"comus/seqmc"
	"comus/specialise"
	"comus/threadmodular"
)

// manyThreads is the number of threads of a program from which a proof for every
// number of them is looked for beside the ordinary one.
const manyThreads = 16

// everyPatience is how much longer a proof for every number of threads is looked for
// when the ordinary way has ended without a verdict.
const everyPatience = time.Minute

// alikeThreads is the number of threads that do the same, from which a proof for every number of them is looked for early if that
// changes a shared variable by what it was.
const alikeThreads = 6

// manyThreads reports whether it may be worth asking for every number of threads at once: the
// source creates any number of them, or many, or some that count something.
func (q *question) manyThreads() bool {
	return len(q.Original.Bounded) > 0 || len(q.Original.Threads) >= manyThreads || q.counting()
}

// counting reports whether several threads do the same and count something.
func (q *question) counting() bool {
	alike := map[ir.Pos]int{}
	for _, t := range q.Original.Threads[1:] {
		alike[t.Entry.Pos]++
		if alike[t.Entry.Pos] == alikeThreads && threadmodular.Adds(q.Original, t) {
			return true
		}
	}
	return false
}

// everyThread returns the options that read a source with any number of threads where a loop
// creates them.
func everyThread(how specialise.Options) specialise.Options {
	how.Parametric = true
	return how
}

// besideEvery answers the question, and that with more threads, and at the same time the one
// for every number of threads, if a loop creates threads: the first verdict counts.
func (q *question) besideEvery(ctx context.Context) (*Result, error) {
	ctxEvery, stopEvery := context.WithCancel(ctx)
	defer stopEvery()
	ctxOne, stopOne := context.WithCancel(ctx)
	defer stopOne()
	every := make(chan *Result, 1)
	go func() { every <- q.askEvery(ctxEvery) }()
	type outcome struct {
		res *Result
		err error
	}
	one := make(chan outcome, 1)
	go func() {
		res, err := q.answer(ctxOne)
		if err == nil && !res.decided() {
			time.AfterFunc(everyPatience, stopEvery)
			res = q.grow(ctxOne, res)
		}
		one <- outcome{res, err}
	}()
	select {
	case res := <-every:
		if res != nil {
			stopOne()
		}
		o := <-one // it is waited for: the caller reads its timings
		if res != nil {
			return res, nil
		}
		return o.res, o.err
	case o := <-one:
		if o.err == nil && !o.res.decided() {
			if res := <-every; res != nil {
				return res, nil
			}
		}
		return o.res, o.err // what is left of the other ends soon
	}
}

// askEvery asks for every number of threads. It returns nil unless there is a verdict, or if
// no loop creates threads.
func (q *question) askEvery(ctx context.Context) *Result {
	if q.opts.leftOut(everyEngine) {
		return nil
	}
	every, err := q.every(ctx)
	if err == nil && len(every.Original.Replicated()) == 0 {
		err = errors.New("no loop creates threads")
	}
	if err != nil {
		q.opts.Log.Info("no proof for every number of threads", "reason", err)
		return nil
	}
	every.Timings, every.opts.Timings = nil, nil // which measure one thing at a time
	res := every.ask(ctx)
	if !res.decided() {
		q.opts.Log.Info("no proof for every number of threads", "reason", res.Reason)
		return nil
	}
	return res
}

// threadModularEngine looks for a proof with any number of threads where a loop creates
// them (package threadmodular).
type threadModularEngine struct{}

// Name returns the engine's name.
func (threadModularEngine) Name() string { return everyEngine }

// everyEngine is the name of the engine in reports.
const everyEngine = "thread-modular"

// Decide looks for a proof. It never says Unsafe. Whatever the task's bounds are, it reads
// the source without any on the number of threads.
func (threadModularEngine) Decide(ctx context.Context, t *Task) (Answer, error) {
	p, err := t.everyNumber(ctx)
	if err != nil {
		return Answer{}, err
	}
	proof, err := threadmodular.Prove(ctx, p, t.Log.Named("threadmodular"), t.Options.Every)
	if err != nil {
		return Answer{}, err
	}
	return Answer{Verdict: seqmc.Safe, Proof: certificateOf(p, proof), Stats: query.Stats{SolverCalls: proof.Calls}}, nil
}

// everyNumber reads the task's source with any number of threads where a loop creates them.
func (t *Task) everyNumber(ctx context.Context) (*ir.Program, error) {
	if t.Source == nil {
		return nil, errors.New("the source is to be read for any number of threads, and this program was made without one")
	}
	r, err := t.Source.read(ctx, everyThread(t.Options.Question), nil)
	if err != nil {
		return nil, err
	}
	if p := r.Program; len(p.Bounded) > 0 {
		return nil, fmt.Errorf("the program is bounded: %s", p.Bounded[0])
	}
	r.Program.Renumber()
	return r.Program, nil
}

// unbounded returns the task's program; or, if that is cut off at bounds, one for any number of threads.
func (t *Task) unbounded(ctx context.Context) (*ir.Program, error) {
	if len(t.Program.Bounded) == 0 {
		return t.Program, nil
	}
	return t.everyNumber(ctx)
}

// certificateOf writes down a proof for every number of threads.
func certificateOf(p *ir.Program, proof *threadmodular.Proof) *check.Certificate {
	cert := &check.Certificate{Format: check.Format, Version: check.Version, Verdict: "SAFE", Program: check.Program{Parametric: true},
		Parametric: &check.ParametricProof{Size: proof.Threads, Placed: proof.Placed, Counted: proof.Counted, Census: proof.Census}}
	for i := range proof.Nodes {
		cert.Threads = append(cert.Threads, check.Thread{Thread: i, Nodes: proof.Nodes[i], Cuts: proof.Cuts[i]})
	}
	for _, in := range proof.Invariants {
		var at []check.At
		for _, pl := range in.Places {
			at = append(at, check.At{Thread: pl.Thread, Loc: pl.Loc})
		}
		cert.Parametric.Invariants = append(cert.Parametric.Invariants, check.ParametricInvariant{At: at, Formula: in.Formula.SMTLIB()})
	}
	return cert
}
