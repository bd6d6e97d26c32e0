package comus

import (
	"context"
	"errors"
	"time"

	"comus/check"
	"comus/comus/confirm"
	"comus/cutpoints"
	"comus/internal/timing"
	"comus/ir"
	"comus/ir/interp"
	"comus/query"
	"comus/scan"
	"comus/seqmc"
	"comus/specialise"
)

// Result is the outcome of a verification.
type Result struct {
	Verdict seqmc.Verdict
	Reason  string // Unknown: why
	// Stands tells, of Unknown, that Reason is the reason also where the time has ended: there is a proof that does not count, or an execution that is none.
	Stands bool
	// Executions is, of an Unknown, how many executions the program has with no arguments and inputs of 0, up to the order of what does not matter, if all of them were run; none violates the property. 0: it is not
	// known.
	Executions int
	// Internal is set, of Unknown, if a check of comus's own has found that comus is wrong.
	Internal *InternalError
	Engine   string
	Elapsed  time.Duration
	Stats    query.Stats
	// Components has what each component took, those that were used.
	Components []timing.Component
	Sizes      Sizes
	// CheckTime is what the independent check took.
	CheckTime time.Duration
	// CheckSolver is what decided the check, where that is not always the same.
	CheckSolver string
	// Sanitizer is, of Unsafe by a run of the whole program, what gcc's sanitizer says of the same run; "" if it was to be left alone.
	Sanitizer string
	// Assumptions are what Safe takes for granted, and, of Unsafe by a run of the whole program, what the run has read that nobody had written.
	Assumptions []string
	// Proved is what Safe takes for granted in general, and has been proved here.
	Proved   []string
	Warnings []string
	// Certificate is the evidence for Safe or Unsafe, already checked.
	Certificate *check.Certificate
	// Trace is the violating execution of Unsafe, step by step.
	Trace interp.Trace
	// Approximations are those that the program contains.
	Approximations []ir.Approximation
	// Suspected is, of Unknown, an execution that fails and depends on approximations; nil if
	// none is known.
	Suspected *Suspicion
	// Scan is, of Unknown about data races, what a scan of the whole program has found, with the locations Certified that the checker has confirmed; nil if there is none.
	Scan *scan.Result
	// Left is, of Unknown about another property, what an analysis of the whole program has left; nil if there is none.
	Left *Left
	// Tried is, of Unknown, what was done besides what engines did; nil if nobody has noted that.
	Tried *Tried
	// Properties are the verdicts on the properties that were asked about, in the order of specialise.CheckNames. Of several,
	// Verdict is the conjunction, Unsafe if one is and else Unknown if one is, and what else is here belongs to the first
	// that has this verdict. Empty for programs that were made in IR.
	Properties []PropertyResult
	// Portfolio tells what the engines of a portfolio did; nil if there was none.
	Portfolio *Portfolio

	// program says what was read, and how, for the portfolio that this process works for.
	program check.Program
	// granted is what the question within bounds takes for granted.
	granted []string
	// complete tells, of Unknown, that everything within bounds was searched.
	complete bool
	// hopeless tells, of Unknown, that an engine has found no violation without
	// approximations, and nothing else was asked.
	hopeless bool
	// undefined says, of Unknown, what the program does that C leaves undefined, in an execution that an engine has found.
	undefined string
	// onlyRuns tells, of Unknown, that nothing but runs of the program could decide, and that they have had their time.
	onlyRuns bool
	// proved tells, of Unknown, that there is a proof, and a run does what that takes for granted not to happen: other runs violate nothing unless they do that before.
	proved bool
}

// take makes a confirmed answer the verdict. Nothing else in this package sets one.
func (r *Result) take(a confirm.Answer) {
	r.Verdict, r.Reason, r.complete = a.Verdict(), a.Reason(), a.Complete()
	r.Certificate, r.Trace, r.Suspected = a.Certificate(), a.Trace(), nil
	r.CheckTime, r.CheckSolver = a.Took(), a.Solver()
	if r.Verdict == seqmc.Safe || a.Ran() != nil {
		r.Assumptions = a.Assumptions() // the source may have been read in another way
	}
}

// unknown words an error as the reason of Unknown.
func (r *Result) unknown(ctx context.Context, err error) *Result {
	r.Reason, r.hopeless, r.undefined = err.Error(), noExact(err), undefinedIn(err)
	if r.Internal = internalOf(err); r.Internal != nil {
		r.Reason = r.Internal.Error()
	}
	switch {
	case r.undefined != "":
		r.Reason, r.Stands = r.undefined, true
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		r.Reason = "timeout"
	case ctx.Err() != nil:
		r.Reason = "interrupted"
	}
	return r
}

// tooLarge makes it the reason of Unknown that a source is too large to be taken apart, or that comus has failed to. It
// returns any other error.
func (r *Result) tooLarge(err error) error {
	if r.Internal = internalOf(err); r.Internal != nil {
		r.Reason = r.Internal.Error()
		return nil
	}
	var limit *specialise.Error
	if !errors.As(err, &limit) {
		return err
	}
	r.Reason = err.Error()
	return nil
}

// measured adds what the verification took, all in all. The components of a result that came
// from a process of a portfolio are those of that process.
func (r *Result) measured(start time.Time, timings *timing.Timings) *Result {
	if r.Components == nil {
		r.Components = timings.Components()
	}
	r.Elapsed = time.Since(start)
	return r
}

// About are the pairs of places that data races were asked about, as certificates have them; "": all.
func (r *Result) About() string {
	if r.Certificate != nil {
		return r.Certificate.Program.About
	}
	return r.program.About
}

// decided reports whether there is a verdict.
func (r *Result) decided() bool { return r.Verdict != seqmc.Unknown }

// Sizes say how large the program is that was verified.
type Sizes struct {
	Threads   int // with main
	Locations int
	Edges     int
	Variables int
	CutPoints int // locations where a context switch is considered
	Blocks    int // paths of edges between them that are taken at once
}

// sizesOf measures a program.
func sizesOf(p *ir.Program, graphs []*cutpoints.Graph) Sizes {
	s := Sizes{Threads: len(p.Threads), Variables: len(p.Vars)}
	for _, t := range p.Threads {
		s.Locations += len(t.Locs)
		t.Edges(func(*ir.Edge) { s.Edges++ })
	}
	for _, g := range graphs {
		s.CutPoints += len(g.Cuts())
		g.Blocks(func(*cutpoints.Block) { s.Blocks++ })
	}
	return s
}
