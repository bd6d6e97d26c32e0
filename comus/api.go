// Package comus is the public interface of the verifier: it decides whether an
// assertion of a multi-threaded C program can fail, in any interleaving and for
// any input.
//
// [Verify] takes a program through the front end, the interleaving reduction and
// the modular algorithm of the CoMuS paper, and does not return a verdict before
// package check has confirmed it: a counterexample has been replayed step by
// step, a proof has been re-proved from its certificate. A verdict that could not
// be confirmed becomes Unknown.
package comus

import (
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/cfront"
	"comus/check"
	"comus/internal/timing"
	"comus/ir/interp"
	"comus/query"
	"comus/seqmc"
)

// Options say how a program is read and verified. The zero value is the default.
type Options struct {
	Source cfront.Options // how C is read
	// Strategy names the engine: "auto", the default, "modular", "partial-order",
	// "unbounded", "lazy", "eager" or "explore" (which has no certificate for Safe).
	Strategy string
	// Passes names the passes of package ir/passes that simplify the program, in
	// their order. Nil: those of passes.Default.
	Passes []string
	// Order names the threads, by function, in the order of the hierarchy; those
	// not named follow in the default order. Empty: the default order.
	Order []string
	// Checker is the sequential model checker; nil: the embedded one, package
	// seqmc/spacer.
	Checker seqmc.Checker
	// ThreadModular looks for a thread-modular proof only, for every number of threads
	// where a loop creates them. Single makes no such proofs. Not both.
	ThreadModular, Single bool
	// NoSeed starts env_move as plain havoc.
	NoSeed bool
	// NoRelational looks for no facts about sums of variables.
	NoRelational bool
	// NoDemand computes facts about all threads at once.
	NoDemand bool
	// NoConcretize questions every abstract counterexample step by step, instead
	// of trying it against the real threads first.
	NoConcretize bool
	// NoSimulate makes no runs with random schedules.
	NoSimulate bool
	// Grow tries larger values of Source.MaxThreads if there is no violation within it.
	Grow bool
	// NoReduction considers a context switch at every location.
	NoReduction bool
	// Query changes the modular algorithm.
	Query query.Options
	// Log receives what happens inside; nil for none.
	Log hclog.Logger
	// Timings measures the components; nil for one of Verify's own. Who brings it
	// can look at it before Verify returns.
	Timings *timing.Timings
	// Observe is called with each piece of progress; may be nil.
	Observe func(query.Event)

	simulateOnly bool // do nothing but simulate, until ctx ends
}

// Result is the outcome of a verification.
type Result struct {
	Verdict seqmc.Verdict
	Reason  string // Unknown: why
	Engine  string
	Elapsed time.Duration
	Stats   query.Stats
	// Components has what each component took, those that were used.
	Components []timing.Component
	Sizes      Sizes
	// CheckTime is what the independent check took.
	CheckTime time.Duration
	// CheckSolver is what decided the check, where that is not always the same.
	CheckSolver string
	// Assumptions are what Safe takes for granted.
	Assumptions []string
	Warnings    []string
	// Certificate is the evidence for Safe or Unsafe, already checked.
	Certificate *check.Certificate
	// Trace is the violating execution of Unsafe, step by step.
	Trace interp.Trace
	// passes made the program that a proof speaks about.
	passes []string

	complete bool // Unknown: everything within bounds was searched
}
