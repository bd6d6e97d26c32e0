// Package comus is the public interface of the verifier: it decides whether an
// assertion of a multi-threaded C program can fail, in any interleaving and for
// any input, or whether another property of specialise.Checks holds. If several are asked about,
// each gets a verdict ([Result.Properties]).
//
// [Verify] goes this way. A [Source] is read and linked once. Of it come questions, each about one
// reading: can an assertion fail within these bounds, within larger ones, with any number of
// threads? A question is put to an [Engine], or to several in processes beside one another,
// as a [Task]. An engine's [Answer] is a claim; package confirm makes a confirmed answer of
// it, by the independent package check: a counterexample has been replayed step by step, a
// proof has been re-proved from its certificate. Only confirmed answers become the verdict of
// the one [Result]; what could not be confirmed is Unknown. [Check] begins in the middle:
// with a certificate in place of an engine.
//
// The engines are [Engines]; Options.Strategy names one, Options.Engine is one of the
// caller's own. The default strategy, [Auto], runs several of them as processes beside
// one another, if Options.Command says how (the command line does), and otherwise the
// modular algorithm of the CoMuS paper with random simulation before and beside it.
package comus

import (
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/cfront"
	"comus/comus/engine"
	"comus/ir/passes"
	"comus/specialise"
)

// Auto is the strategy that chooses for itself.
const Auto = "auto"

// Options say how a program is read and verified. The zero value is the default.
type Options struct {
	engine.Options                    // what changes engines. Timings is nil for one of Verify's own; who brings it can look at it before Verify returns.
	Source         cfront.Options     // how C is read
	Question       specialise.Options // how a program is taken apart: what is an error, within which bounds
	asked          specialise.Checks  // all properties that are asked about, each by itself
	weak           *weakRuns          // of a program with weak memory orders; nil: it has none
	runs           *wholeRuns         // of the program, beside engines; nil: there are none
	// Strategy names the engine, one of Strategies. Auto, the default, is the modular
	// algorithm with simulation before and beside it, and, where loops create threads, a
	// search for a proof for every number of them. An engine that is named works alone.
	Strategy string
	// Command is a program, and arguments, the first of which is the name it is called by,
	// that verifies sources with these options and prints the result with [Result.Send]; the
	// flags --strategy, --check, --timeout and --reading (see [OpenSerialised]), -- and Operands are added. With it, Auto is a portfolio:
	// engines run beside one another, each as such a process. Memory limits what these
	// processes need together, in bytes; 0 does not.
	Command  []string
	Operands []string // nil: the name of the first source file
	Memory   int64
	// Sanitize is how long gcc and its ThreadSanitizer may take to judge a run of the whole program that makes it Unsafe; 0: they are not asked. What they
	// say is Result.Sanitizer. If they make the run and do not see the race, and there is no reason known, the verdict is Unknown.
	Sanitize time.Duration
	// Exact looks for violations that no approximation has a part in, and for nothing else.
	Exact bool
	// Engine decides instead of the one that Strategy names; it works alone.
	Engine Engine
	// Passes names the passes of package ir/passes that simplify the program, in
	// their order. Nil: those of passes.Default.
	Passes []string
	// NoSimulate makes no runs with random schedules.
	NoSimulate bool
	// All looks for more violations of the properties that are violated, each at another place.
	All bool
	// Grow tries larger values of Question.MaxThreads if there is no violation within it.
	Grow bool
	// NoReduction considers a context switch at every location.
	NoReduction bool
	// Log receives what happens inside; nil for none.
	Log hclog.Logger
	// Found is called with each property that is violated, as soon as that is known, if several are asked about; may be nil.
	Found func(PropertyResult)
	// Running is called now and then with the engines of a portfolio that are at work; may
	// be nil.
	Running func(engines []string)
}

// passes returns the names of the passes to apply.
func (o Options) passes() []string {
	if o.Passes == nil {
		return passes.Default()
	}
	return o.Passes
}

// Engine is a way of deciding programs: see package engine.
type Engine = engine.Engine

// Task is what an engine is given: a program to be decided.
type Task = engine.Task

// Answer is what an engine says of a task.
type Answer = engine.Answer

// Features are what the portfolio looks at to choose the order of the engines.
type Features = engine.Features

// Engines returns the engines. All but "auto" and "scan" of the names of strategies are names of engines.
func Engines() []Engine { return engine.All() }

// auto reports whether comus chooses for itself how to verify.
func (o Options) auto() bool { return o.Engine == nil && (o.Strategy == "" || o.Strategy == Auto) }

// engine returns the engine that the options name.
func (o Options) engine() (Engine, error) {
	if o.Engine != nil {
		return o.Engine, nil
	}
	if o.auto() {
		return engine.Modular{}, nil
	}
	i := slices.IndexFunc(Engines(), func(e Engine) bool { return e.Name() == o.Strategy })
	if i < 0 {
		return nil, fmt.Errorf("there is no strategy %q", o.Strategy)
	}
	return Engines()[i], nil
}

// Strategies returns the names that Options.Strategy takes, the default first.
func Strategies() []string {
	out := []string{Auto}
	for _, e := range Engines() {
		out = append(out, e.Name())
	}
	return append(out, scanStrategy)
}
