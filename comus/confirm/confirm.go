// Package confirm decides what counts as a verdict. Engines are not trusted: what one of
// them says is a claim, and becomes an [Answer] only here, where package check has replayed
// the steps of a violation or made a proof again. Nobody else can make an Answer that says
// something, so that the compiler shows that no unchecked verdict leaves comus.
//
// An Answer is about a [Subject]: one reading of a source, and what passes made of it.
package confirm

import (
	"sync"
	"time"

	"comus/check"
	"comus/cir"
	cirinterp "comus/cir/interp"
	"comus/internal/timing"
	"comus/ir"
	"comus/ir/interp"
	"comus/ir/passes"
	"comus/seqmc"
)

// Subject is what a verdict is about: a program as it was read, and the passes that simplify
// it for engines and proofs. Executions are always those of the program before them.
type Subject struct {
	// Original is the program as it was read. It has the numbering that certificates refer to.
	Original *ir.Program
	// ID says what was read, and how; it is empty for a program that was made in IR.
	ID check.Program
	// Read is the program that Original was made of; nil if it was made in IR, or where another process has read it. Executions are
	// followed on it, too.
	Read *cir.Program
	// Timings measures what confirming takes; nil for nothing.
	Timings *timing.Timings

	// exact leaves out the executions that an approximation has a part in; see Exact.
	exact        bool
	split        sync.Once
	without      *Subject // that of the exact executions
	restrict     sync.Once
	restricted   *passes.Result // exact: the program before the passes
	unrestricted error          // why there is none

	once    sync.Once
	simpler *passes.Result // after the passes
	err     error          // why there is none
}

// New returns the subject of a program as it was read, with the names of passes to apply. A
// program for every number of threads is taken without. read is what it was made of; see [Subject.Read].
func New(p *ir.Program, read *cir.Program, id check.Program, names []string, timings *timing.Timings) *Subject {
	p.Renumber()
	id.Passes = append([]string{}, names...)
	if id.Parametric {
		id.Passes = []string{}
	}
	return &Subject{Original: p, Read: read, ID: id, Timings: timings}
}

// Every reports whether the subject was read with any number of threads where a loop creates
// them. It then has more executions than the source, and only proofs of safety count.
func (s *Subject) Every() bool { return s.ID.Parametric }

// Simplify returns the program after the passes, which are applied the first time.
func (s *Subject) Simplify() (*ir.Program, error) {
	if s.Every() {
		return s.Original, nil
	}
	s.once.Do(func() {
		p, err := s.Base()
		if err != nil {
			s.err = err
			return
		}
		s.simpler, s.err = transform(p, s.ID.Passes)
	})
	if s.err != nil {
		return nil, s.err
	}
	return s.simpler.Program, nil
}

// After returns the subject of the same program with other passes.
func (s *Subject) After(names []string) *Subject {
	return New(s.Original, s.Read, s.ID, names, s.Timings)
}

// Answer is a confirmed answer to the question whether an assertion of a subject can fail.
// The zero Answer says nothing.
type Answer struct {
	about   *Subject
	verdict seqmc.Verdict
	// bound is what the program was cut off at; "" if it was not. No violation is then no
	// verdict about the source.
	bound       string
	cert        *check.Certificate
	trace       interp.Trace
	assumptions []string
	ran         *cirinterp.Result
	took        time.Duration
	solver      string
}

// About reports whether the answer is one about a program that was read for s, whatever the
// passes.
func (a Answer) About(s *Subject) bool { return a.about != nil && a.about.Original == s.Original }

// Verdict is Unknown if there is no violation, but only within bounds.
func (a Answer) Verdict() seqmc.Verdict {
	if a.Complete() {
		return seqmc.Unknown
	}
	return a.verdict
}

// Complete reports whether it is confirmed that there is no violation within the bounds of
// the reading, which cut off something.
func (a Answer) Complete() bool { return a.verdict == seqmc.Safe && a.bound != "" }

// Reason says why an answer that is Complete is no verdict; "" for verdicts.
func (a Answer) Reason() string {
	if !a.Complete() {
		return ""
	}
	return "no violation, but only within bounds: " + a.bound
}

// Certificate is the evidence for a verdict; nil if there is none.
func (a Answer) Certificate() *check.Certificate {
	if a.Complete() {
		return nil
	}
	return a.cert
}

// Trace is the violating execution of Unsafe.
func (a Answer) Trace() interp.Trace { return a.trace }

// Ran is the result of the run of the whole program that confirms Unsafe; nil if it was none.
func (a Answer) Ran() *cirinterp.Result { return a.ran }

// Assumptions are what Safe takes for granted, and, of Unsafe by a run of the whole program, what the run has read that nobody had written.
func (a Answer) Assumptions() []string { return a.assumptions }

// Took is what confirming took.
func (a Answer) Took() time.Duration { return a.took }

// Solver is what decided the check, where that is not always the same.
func (a Answer) Solver() string { return a.solver }

// bound returns what a program was cut off at first; "" if it was not.
func bound(p *ir.Program) string {
	if len(p.Bounded) == 0 {
		return ""
	}
	return p.Bounded[0]
}
