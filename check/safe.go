package check

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"comus/ir"
	"comus/logic"
)

// Safe verifies a certificate of safety: it returns nil only if c proves that no
// execution of p reaches an error location. p must have been renumbered (see
// [ir.Program.Renumber]). The error says which part of the proof fails, or what
// the solver could not decide.
//
// Nothing but c's threads, facts and runs is looked at: that c belongs to p's
// source is for the caller to see to, and so is p.Bounded.
func Safe(ctx context.Context, p *ir.Program, c *Certificate) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the certificate could not be checked: %v", r)
		}
	}()
	if c == nil || c.Verdict != "SAFE" {
		return errors.New("the certificate is not one of safety")
	}
	if err := p.Single(); err != nil {
		return err
	}
	switch c.Method {
	case "":
	case MethodOrders:
		_, err := Orders(ctx, p, c)
		return err
	case MethodStates:
		if len(c.Translations) > 0 {
			return TranslatedStates(ctx, p, c.Translations)
		}
		return States(ctx, p)
	default:
		return fmt.Errorf("the certificate names no known method: %q", c.Method)
	}
	pr, err := newProgram(p)
	if err != nil {
		return err
	}
	if err := pr.readThreads(c); err != nil {
		return err
	}
	f, err := pr.parse(c.Facts, vocabulary{pcs: anyPC, vars: anyVar})
	if err != nil {
		return fmt.Errorf("facts: %w", err)
	}
	prover, err := newProver(ctx, p.L)
	if err != nil {
		return err
	}
	defer prover.s.Close()
	ck := &checker{pr: pr, prover: prover, facts: pr.newFacts(f)}
	if err := ck.checkCuts(); err != nil {
		return err
	}
	ck.assertRanges()
	if err := ck.checkFacts(); err != nil {
		return err
	}
	return ck.checkRuns(c.Runs)
}

// checker is the check of one certificate of safety.
type checker struct {
	pr     *program
	prover *prover
	facts  *facts
}

// assertRanges tells the solver what each symbol of a state can be: a variable,
// before and after a move, is within its type, and the pc of a thread is at one
// of its cut-points. The pc of the one thread that need not be at a cut-point is
// never a symbol: its location is filled in.
func (c *checker) assertRanges() {
	pr, l := c.pr, c.pr.l
	for _, v := range pr.Vars {
		c.prover.s.Assert(pr.InRange(v), pr.TermInRange(pr.old(v.Sym), v.Type))
	}
	for _, t := range pr.threads {
		var now, before []*logic.Term
		t.cuts(func(n int) {
			now = append(now, l.Eq(t.PC, l.Int(int64(n))))
			before = append(before, l.Eq(pr.old(t.PC), l.Int(int64(n))))
		})
		c.prover.s.Assert(l.Or(now...), l.Or(before...))
	}
}

// checkRuns verifies that each thread with error locations has a run, and each
// run.
func (c *checker) checkRuns(runs []Run) error {
	proved := map[int]bool{}
	for i, r := range runs {
		main, err := c.checkRun(r)
		if err != nil {
			return fmt.Errorf("run %d%w", i+1, err)
		}
		proved[main] = true
	}
	for _, t := range c.pr.threads {
		if t.HasErrors() && !proved[t.Index] {
			return fmt.Errorf("there is no run for thread %d, which has assertions", t.Index)
		}
	}
	return nil
}

// checkRun verifies one run and returns its main thread. Errors start with the
// punctuation after "run N".
func (c *checker) checkRun(r Run) (int, error) {
	n := len(c.pr.threads)
	sorted := slices.Clone(r.Order)
	slices.Sort(sorted)
	for i, t := range sorted {
		if len(sorted) != n || t != i {
			return 0, fmt.Errorf(": the order %v is not one of all %d threads", r.Order, n)
		}
	}
	if len(sorted) != n || len(r.Levels) != n {
		return 0, fmt.Errorf(": there are %d threads in order and %d levels for %d threads", len(sorted), len(r.Levels), n)
	}
	levels := make([]*level, n)
	for i := range levels {
		lv, err := c.newLevel(r.Order, i, r.Levels[i])
		if err != nil {
			return 0, fmt.Errorf(", level %d: %w", i+1, err)
		}
		levels[i] = lv
	}
	for i, lv := range levels {
		if err := c.prover.prove(lv.seedObligations()); err != nil {
			return 0, fmt.Errorf(", level %d: %w", i+1, err)
		}
	}
	obs, err := levels[0].mainObligations(r.Invariants)
	if err == nil {
		err = c.prover.prove(obs)
	}
	if err != nil {
		return 0, fmt.Errorf(", level 1: %w", err)
	}
	for i, lv := range levels[1:] {
		if err := lv.checkRefinements(levels[i]); err != nil {
			return 0, fmt.Errorf(", level %d%w", i+1, err)
		}
	}
	return r.Order[0], nil
}

// checkRefinements verifies the refinements of the level above by the program of
// this level in query mode. Errors start with the punctuation after "level N".
func (lv *level) checkRefinements(above *level) error {
	var obs []*obligation
	for _, r := range above.refinements {
		more, err := lv.queryObligations(above, r)
		if err != nil {
			return fmt.Errorf(", refinement %d: %w", r.number, err)
		}
		for _, o := range more {
			o.where = fmt.Sprintf(", refinement %d: ", r.number)
		}
		obs = append(obs, more...)
	}
	if err := lv.c.prover.prove(obs); err != nil {
		var f *failure
		if errors.As(err, &f) {
			return err
		}
		return fmt.Errorf(": %w", err)
	}
	return nil
}
