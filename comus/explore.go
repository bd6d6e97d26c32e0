package comus

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"comus/cfront"
	"comus/comus/confirm"
	"comus/comus/engine"
	"comus/ir/explore"
	"comus/scan/directed"
	"comus/specialise"
)

// Reduction says whether an exploration leaves out interleavings that only differ
// in the order of independent steps.
type Reduction uint8

// The choices.
const (
	// ReduceAuto tries without, up to a million states, and then with.
	ReduceAuto Reduction = iota
	ReduceOn
	ReduceOff
)

// ExploreOptions say how [Explore] works. The zero value is the default.
type ExploreOptions struct {
	Source   cfront.Options     // how C is read
	Question specialise.Options // how a program is taken apart
	Passes   []string           // the passes that simplify the program first; nil for none
	Reduce   Reduction
	// MaxStates, MaxBytes and MaxInputs bound the exploration: see MaxStates,
	// MaxBytes and MaxChoices of explore.Options.
	MaxStates int
	MaxBytes  int64
	MaxInputs int
	// Graphs visits execution graphs rather than states, and all of them, even where memory is sequentially consistent: so their number is known. Where memory orders of the program are weak, that is done anyway.
	Graphs bool
	// Observe is called now and then with the number of states met and of those
	// whose steps have been taken; may be nil.
	Observe func(met, done int)
}

// ExploreResult is the outcome of [Explore].
type ExploreResult struct {
	Result
	States  int   // distinct states met
	Bytes   int64 // size of the stored states
	Reduced bool  // interleavings were left out
	// Graphs says which execution graphs were visited; nil: none were.
	Graphs *directed.AllGraphs
	// Shortest tells that no execution of fewer steps violates an assertion, nor one that
	// approximations have a part in.
	Shortest bool
}

// Explore decides the program in a C source file by visiting its reachable states,
// which have to be few. It returns Unsafe with an execution that has been replayed,
// and Safe after package interp has taken all steps of all states again. There is
// no certificate of Safe. The error is as that of [Verify].
func Explore(ctx context.Context, file string, opts ExploreOptions) (*ExploreResult, error) {
	source, err := Open(ctx, File(file), opts.Source)
	if err != nil {
		return nil, err
	}
	return source.Explore(ctx, opts)
}

// Explore is what the function of this name does, about a source that has been read:
// opts.Source says nothing. Of several properties, the numbers of states are those of the
// question that decides.
func (s *Source) Explore(ctx context.Context, opts ExploreOptions) (*ExploreResult, error) {
	start := time.Now().Add(-s.took)
	about := opts.Question.Check
	if len(about.Names()) < 2 {
		res, err := s.explore(ctx, opts)
		if err != nil {
			return nil, err
		}
		res.Properties, res.Elapsed = res.properties(about.Names()), time.Since(start)
		return res, nil
	}
	var mu sync.Mutex // a question that is late may still be at work
	explored := map[*Result]*ExploreResult{}
	in := &inquiry{engine: engine.Explore{}.Name(), ask: func(ctx context.Context, about specialise.Checks) (*Result, error) {
		part := opts
		part.Question.Check = about
		res, err := s.explore(ctx, part)
		if err != nil {
			return nil, err
		}
		mu.Lock()
		defer mu.Unlock()
		explored[&res.Result] = res
		return &res.Result, nil
	}}
	all, err := in.run(ctx, about)
	if err != nil {
		return nil, err
	}
	mu.Lock()
	defer mu.Unlock()
	out := ExploreResult{}
	if res := explored[all.Properties[deciding(all.Properties)].Result]; res != nil {
		out = *res
	}
	out.Result, out.Elapsed = *all, time.Since(start)
	return &out, nil
}

// explore asks one question about the source.
func (s *Source) explore(ctx context.Context, opts ExploreOptions) (*ExploreResult, error) {
	start := time.Now()
	if weak := s.IsWeak(opts.Question); weak || opts.Graphs {
		res, err := s.exploreGraphs(ctx, opts)
		if err != nil || res.decided() || weak || ctx.Err() != nil {
			return res, err
		}
	}
	r, err := s.Read(ctx, opts.Question)
	if err != nil {
		res := &ExploreResult{Result: Result{Engine: engine.Explore{}.Name()}}
		if ctx.Err() != nil {
			res.unknown(ctx, err)
			return res, nil
		}
		return res, res.tooLarge(err)
	}
	granted := slices.Clone(r.Program.Assumptions)
	res, err := exploreSubject(ctx, confirm.New(r.Program, r.Read, r.ID, opts.Passes, nil), opts)
	if err != nil {
		return nil, err
	}
	res.Warnings, res.Elapsed = r.Warnings, time.Since(start)
	res.granted, res.program = granted, r.ID
	return res, nil
}

// exploreSubject visits the states of a subject. If that gives no verdict, and the program has
// approximations, it visits those without them, and looks for a violation there. The error is
// for passes that cannot be applied.
func exploreSubject(ctx context.Context, s *confirm.Subject, opts ExploreOptions) (*ExploreResult, error) {
	if _, err := s.Simplify(); err != nil {
		return nil, err
	}
	none := Result{Engine: engine.Explore{}.Name(), Assumptions: s.Original.Assumptions, Approximations: s.Original.Approximations()}
	res := &ExploreResult{Result: none}
	if err := res.explore(ctx, s, opts); err != nil && !res.suspect(err) {
		res.unknown(ctx, err)
	}
	if res.decided() || len(res.Approximations) == 0 || ctx.Err() != nil {
		return res, nil
	}
	exact := &ExploreResult{Result: none}
	if err := exact.explore(ctx, s.Exact(), opts); err == nil && exact.decided() {
		return exact, nil
	}
	return res, nil
}

// explore visits the states of the subject's program, before the passes if there are none, and
// confirms what comes out.
func (res *ExploreResult) explore(ctx context.Context, s *confirm.Subject, opts ExploreOptions) error {
	p, err := s.Base()
	if err == nil && len(opts.Passes) > 0 {
		p, err = s.Simplify()
	}
	if err != nil {
		return err
	}
	base := len(opts.Passes) == 0
	r, a, reduced, err := engine.Visit(ctx, s, p, explore.Options{MaxStates: opts.MaxStates, MaxBytes: opts.MaxBytes, MaxChoices: opts.MaxInputs,
		Recheck: true, Reduce: opts.Reduce == ReduceOn, Observe: opts.Observe}, opts.Reduce == ReduceAuto)
	if err != nil {
		return err
	}
	res.States, res.Bytes, res.Reduced, res.CheckTime = r.States, r.Bytes, reduced, r.CheckTime
	switch {
	case r.Verdict == explore.Safe && s.OnlyExact():
		err = confirm.ErrExact
	case r.Verdict == explore.Unsafe && base:
		a, err = s.Executed(ctx, r.Schedule)
	case r.Verdict == explore.Unsafe:
		a, err = s.Unsafe(ctx, engine.StepsOf(r.Schedule))
	case r.Verdict == explore.Unknown:
		err = errors.New(r.Reason)
	}
	if err != nil {
		return err
	}
	res.take(a)
	res.Shortest = r.Verdict == explore.Unsafe && !reduced && base && !s.OnlyExact()
	return nil
}
