package comus

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/cir/interp"
	"comus/replay"
	"comus/scan/directed"
	"comus/seqmc"
	"comus/specialise"
)

// A proof is about the program as cfront and specialise have made it, with the models of the library. Both are trusted by the checker of proofs. So some runs of the
// whole program stand beside each SAFE, in the interpreter, which is exact to the byte and knows nothing of specialise:
//
//   - A run that violates the property shows that something of comus is wrong: an internal error, and no verdict.
//   - A run that does what the proof takes for granted not to happen makes the answer Unknown.
//   - The program of ir has to follow a few runs step by step (replay.Validate).
//
// Runs under random schedules see some executions only. They cost a small part of what the proof has cost.

// What runs beside a proof may take: a part in runsShare of what was needed before, and runsLeast at least.
const (
	runsShare = 40
	runsLeast = 30 * time.Millisecond
	runsMost  = time.Second
	runsSteps = 30_000 // of one run
	runsCount = 24
)

// How a program of ir is validated: the number of runs, the steps of each, and the edges that are tried to follow it.
const (
	validations   = 2
	validateSteps = 1500
	validateWork  = 3000
)

// InternalError is a failure of comus's own that a check of its own has found. It costs the answer.
type InternalError struct{ What string }

// Error says that it is one.
func (e *InternalError) Error() string {
	return "internal error: " + e.What + "; please report this, with the program"
}

// besideProof makes runs of the whole program beside a proof, and takes the verdict away if they contradict it. q is the question that was asked of the program taken apart; nil if it
// was not. runs are those that have begun before; nil if there are none.
func (s *Source) besideProof(ctx context.Context, res *Result, runs *wholeRuns, how specialise.Options, asked specialise.Checks, q *Reading, spent time.Duration) {
	if res.Verdict != seqmc.Safe || s.prog == nil || s.restrict != nil || how.AtomicStatements || how.About != "" || how.Cut != 0 || how.Known != "" || s.how.Assume.EffectiveTypes {
		return // runs are about all of the program
	}
	budget := min(max(spent/runsShare, runsLeast), runsMost)
	if runs == nil {
		if runs = s.runsBeside(ctx, Options{Question: how, asked: asked, Log: hclog.NewNullLogger()}, how.Check.Names(), true); runs == nil {
			return
		}
		defer runs.end()
	}
	err := runs.against(ctx, how.Check.Names(), budget)
	if err == nil && q != nil && q.Read != nil && q.Program != nil {
		within, stop := context.WithTimeout(ctx, budget)
		err = validate(within, q, how)
		if stop(); ctx.Err() != nil { // perhaps that is why
			err = nil
		}
	}
	if err == nil {
		return
	}
	if internal := (*InternalError)(nil); errors.As(err, &internal) && slices.Contains(res.Assumptions, specialise.AssumeAddresses) {
		err = fmt.Errorf("the proof rests on an assumption that does not hold: %s: %s", specialise.AssumeAddresses, internal.What) // in runs they lie at others
	}
	*res = Result{Engine: res.Engine, Elapsed: res.Elapsed, Stats: res.Stats, Components: res.Components, Sizes: res.Sizes, Warnings: res.Warnings, Approximations: res.Approximations,
		Portfolio: res.Portfolio, program: res.program, granted: res.granted, proved: errors.As(err, new(*misuse))}
	res.unknown(ctx, err)
}

// misuse is what a run of the program does that a proof takes for granted not to happen.
type misuse struct{ what string }

// Error says what it is.
func (m *misuse) Error() string {
	return "the proof rests on an assumption that does not hold: " + m.what + ", in a run of the program"
}

// shownBy describes the end of a run.
func shownBy(res *interp.Result) string {
	if res.Outcome == interp.Raced && len(res.Races) > 0 {
		r := &res.Races[len(res.Races)-1]
		return fmt.Sprintf("a data race of %s at %s and %s", r.Object, directed.PlaceOf(&r.First), directed.PlaceOf(&r.Second))
	}
	if res.Outcome == interp.Undefined {
		return res.Misuse() + asksAbout(res.Check)
	}
	return res.String()
}

// undefinedBy are the kinds of undefined behaviour of the interpreter's that properties are about.
var undefinedBy = map[string][]string{
	specialise.Memory:    {interp.CheckMemory, interp.CheckConst},
	specialise.Overflows: {interp.CheckOverflow, interp.CheckShift, interp.CheckDivision, interp.CheckConversion},
	specialise.Locks:     {"locks", "threads"},
}

// misuseOf returns what a run does that the question takes for granted not to happen: what C leaves undefined. What another property that is asked about is about, that
// property tells. Signed overflows are apart: see overflowOf.
func misuseOf(how specialise.Options, asked specialise.Checks) directed.Target {
	told := toldOf(asked)
	return directed.Target{Circles: how.Check.Deadlock, End: func(res *interp.Result) bool {
		return res.Outcome == interp.Undefined && res.Check != interp.CheckOverflow && !slices.Contains(told, res.Check)
	}}
}

// overflowOf returns the same for signed overflows. A proof says that it assumes none (design.md, section 2): it is about the inputs that lead to none. So an overflow takes nothing away as
// long as there are such: a run has come to its end, or one with 0 for all inputs has not met an overflow.
func overflowOf(how specialise.Options, asked specialise.Checks) directed.Target {
	told := toldOf(asked)
	wraps := how.Overflow == specialise.OverflowWrap
	return directed.Target{End: func(res *interp.Result) bool {
		return res.Outcome == interp.Undefined && res.Check == interp.CheckOverflow && !wraps && !slices.Contains(told, res.Check)
	}}
}

// endsWithZeroInputs reports whether a run with 0 for all inputs comes to its end, or goes on for long.
func (s *Source) endsWithZeroInputs(ctx context.Context) bool {
	res, err := interp.Run(ctx, s.prog.Program, interp.Options{Scheduler: interp.NewRandom(1, zeroInputsTurn), MaxSteps: zeroInputsSteps})
	return err == nil && (res.Outcome == interp.Exited || res.Outcome == interp.Limit)
}

// zeroInputsSteps bounds the steps of that run, and zeroInputsTurn is the mean of the steps that a thread takes before others do.
const (
	zeroInputsSteps = 200_000
	zeroInputsTurn  = 20
)

// toldOf returns the kinds of undefined behaviour that some properties are about.
func toldOf(asked specialise.Checks) (told []string) {
	for _, name := range asked.Names() {
		told = append(told, undefinedBy[name]...)
	}
	return told
}

// validate has the program that was taken apart follow some runs.
func validate(ctx context.Context, r *Reading, how specialise.Options) error {
	if len(r.Program.Bounded) > 0 || r.Program.Single() != nil {
		return nil
	}
	for seed := range uint64(validations) {
		v, err := replay.Validate(ctx, r.Read, r.Program, replay.ValidateOptions{Seed: seed, MaxSteps: validateSteps, Work: validateWork, Wakeups: how.Check.Deadlock})
		if err != nil {
			return nil // the interpreter cannot run the program
		}
		if v.Lost != "" {
			return &InternalError{"the program taken apart lacks an execution of the program: " + v.Lost}
		}
	}
	return nil
}

// readingOf returns a question as the reading that it is about.
func (q *question) readingOf() *Reading {
	if q == nil || q.Every() || q.ID.Cut > 0 {
		return nil
	}
	return &Reading{Program: q.Original, Read: q.Read, ID: q.ID}
}

// whole returns the reading if it is all of the program, nil otherwise.
func (r *Reading) whole() *Reading {
	if r.ID.Parametric || r.ID.Cut > 0 {
		return nil
	}
	return r
}
