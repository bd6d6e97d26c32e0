package comus

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"comus/check"
	"comus/comus/confirm"
	"comus/comus/engine"
	"comus/cutpoints"
	"comus/internal/timing"
	"comus/ir"
	"comus/ir/passes"
	"comus/seqmc"
	"comus/specialise"
)

// question is what comus asks of a program: whether an assertion can fail, the only property
// so far, in one reading of the source. That is the source within bounds, or with any number
// of threads where a loop creates them ([question.every]). One question can lead to others
// about the same source: with more threads ([question.larger]), for every number, or without
// the approximations of the program ([question.exactly]).
type question struct {
	*confirm.Subject
	source *Source // nil for a program that was made in IR
	// more tells whether a larger bound of threads could make more executions part of the
	// program.
	more     bool
	warnings []string
	engine   Engine  // that is asked, if it is not a portfolio
	opts     Options // with a log; Question is this one
	start    time.Time
}

// within asks about the source within the bounds of the options. The error is for a source
// that cannot be read, and for options that name what there is not.
func within(ctx context.Context, source *Source, opts Options) (*question, error) {
	r, err := source.read(ctx, opts.Question, opts.Timings)
	if err != nil {
		return nil, err
	}
	q, err := inquire(source, r, opts)
	if err == nil && q.portfolio() {
		source.keep(opts.Question, r)
	}
	return q, err
}

// inquire asks about a reading of a source, or about a program that was made in IR.
func inquire(source *Source, r *Reading, opts Options) (*question, error) {
	e, err := opts.engine()
	if err != nil {
		return nil, err
	}
	if _, err := engine.NamedOrder(r.Program, opts.Order); err != nil {
		return nil, err
	}
	if err := passes.Known(opts.passes()); err != nil {
		return nil, fmt.Errorf("passes: %w", err)
	}
	return &question{Subject: confirm.New(r.Program, r.Read, r.ID, opts.passes(), opts.Timings), source: source, more: r.MoreThreads,
		warnings: r.Warnings, engine: e, opts: opts, start: time.Now()}, nil
}

// every asks about the source with any number of threads where a loop creates them.
func (q *question) every(ctx context.Context) (*question, error) {
	return q.asProved(ctx, engine.AnyNumber(q.opts.Question))
}

// asProved asks about the source in a reading with more executions, for proofs.
func (q *question) asProved(ctx context.Context, how specialise.Options) (*question, error) {
	if q.source == nil {
		return nil, errors.New("a proof for every number of threads is about a source")
	}
	if q.Every() && q.ID.Cells == how.Cells {
		return q, nil
	}
	opts := q.opts
	opts.Question = how
	r, err := q.source.read(ctx, opts.Question, nil)
	if err != nil {
		return nil, err
	}
	return &question{Subject: confirm.New(r.Program, r.Read, r.ID, nil, opts.Timings), source: q.source, warnings: q.warnings,
		engine: engine.ThreadModular{}, opts: opts, start: q.start}, nil
}

// larger asks about the source with more and more threads. A number with which it cannot be
// read is the end.
func (q *question) larger(ctx context.Context) iter.Seq[*question] {
	return func(yield func(*question) bool) {
		for _, n := range growBounds {
			if n <= q.opts.Question.MaxThreads {
				continue
			}
			opts := q.opts
			opts.Question.MaxThreads = n
			r, err := q.source.read(ctx, opts.Question, nil)
			if err != nil {
				return
			}
			next, err := inquire(q.source, r, opts)
			if err != nil {
				return
			}
			if q.OnlyExact() {
				next = next.exactly()
			}
			if !yield(next) {
				return
			}
		}
	}
}

// undecided returns the result of a question that an engine has not answered yet.
func (q *question) undecided(engine string) *Result {
	return &Result{Engine: engine, Warnings: slices.Clone(q.warnings), Assumptions: q.Original.Assumptions,
		Approximations: q.Original.Approximations(), program: q.ID}
}

// ask puts the question to its engine and confirms the answer.
func (q *question) ask(ctx context.Context) *Result {
	e := q.engine
	res := q.undecided(e.Name())
	p, err := q.Simplify()
	if err != nil {
		return res.unknown(ctx, err)
	}
	stop := q.opts.Timings.Start(timing.Cutpoints)
	graphs := cutpoints.Compute(p, cutpoints.Options{All: q.opts.NoReduction})
	stop()
	res.Sizes = sizesOf(p, graphs)
	given := q.task(p, graphs)
	a, err := e.Decide(ctx, given) // one of a user's may change what it is given
	res.Stats = a.Stats
	res.Warnings = append(res.Warnings, a.Notes...)
	if a.Engine != "" {
		res.Engine = a.Engine
	}
	if err != nil {
		return res.unknown(ctx, err)
	}
	confirmed, err := q.confirm(ctx, a, engine.Threads(graphs))
	switch {
	case res.suspect(err):
		return res
	case err != nil:
		q.opts.Log.Error("the answer was not confirmed", "engine", e.Name(), "error", err)
		return res.unknown(ctx, err)
	}
	res.take(confirmed)
	return res
}

// task returns what an engine is given.
func (q *question) task(p *ir.Program, graphs []*cutpoints.Graph) *Task {
	t := engine.NewTask(q.Subject, p, graphs, q.start)
	t.Options, t.Question, t.Log = q.opts.Options, q.opts.Question, q.opts.Log
	if source := q.source; source != nil {
		t.Read = func(ctx context.Context, how specialise.Options) (*ir.Program, error) {
			r, err := source.read(ctx, how, nil)
			if err != nil {
				return nil, err
			}
			return r.Program, nil
		}
	}
	return t
}

// confirm confirms what an engine says. The answer may be to a harder question than was
// asked: a proof for every number of threads is one for the source.
func (q *question) confirm(ctx context.Context, a Answer, threads []check.Thread) (confirm.Answer, error) {
	confirmed, onItsWay := a.Confirmed(q.Subject)
	switch {
	case a.Verdict == seqmc.Unsafe:
		return q.Unsafe(ctx, a.Steps)
	case a.Verdict != seqmc.Safe:
		return confirm.Answer{}, fmt.Errorf("the engine %s gave no verdict", q.engine.Name())
	case q.OnlyExact():
		return confirm.Answer{}, confirm.ErrExact
	case onItsWay && (a.Proof == nil || q.opts.Engine == nil): // a user's may have changed the proof since
		return confirmed, nil
	case a.Proof == nil:
		return q.Safe(ctx, &check.Certificate{Method: check.MethodOrders, Bound: plainBound, Threads: threads})
	case a.Proof.Parametric != nil && a.Proof.Program.Parametric:
		how := engine.AnyNumber(q.opts.Question)
		how.Cells = a.Proof.Program.Cells
		every, err := q.asProved(ctx, how)
		if err != nil {
			return confirm.Answer{}, fmt.Errorf("the proof was not confirmed: %w", err)
		}
		return every.Safe(ctx, a.Proof)
	}
	return q.Safe(ctx, a.Proof)
}

// plainBound is how often loops are gone around in the check of a claim without a proof.
const plainBound = 8
