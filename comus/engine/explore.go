package engine

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"comus/check"
	"comus/comus/confirm"
	"comus/ir"
	"comus/ir/explore"
	"comus/ir/passes"
	"comus/seqmc"
)

// autoStates is the number of states up to which [Visit] does not reduce by itself: as many as a certificate can stand for.
const autoStates = check.MaxStates - 1

// Visit visits the states of a program. auto says that no interleavings are left out at first, and, if there are too many states, those are
// that differ in the order of independent steps only. It reports whether some were left out. The answer is that of [confirm.Subject.Visit];
// it says nothing unless x.Recheck is set or some were left out.
func Visit(ctx context.Context, s *confirm.Subject, p *ir.Program, x explore.Options, auto bool) (r explore.Result, a confirm.Answer, reduced bool, err error) {
	first := x
	if auto && (x.MaxStates == 0 || x.MaxStates > autoStates) {
		first.MaxStates = autoStates
	}
	r, a, err = s.Visit(ctx, p, first)
	if err == nil && r.Limit && auto {
		x.Reduce, x.Recheck = true, true
		r, a, err = s.Visit(ctx, p, x)
	}
	return r, a, x.Reduce, err
}

// Explore decides a program by visiting its states, which have to be few.
type Explore struct {
	// Most is the number of states after which it gives up, without a reduction; 0: it reduces where there are many, and gives up when there are millions.
	Most int
}

// fewStates is how many states are visited before it is tried whether one may stand for many.
const fewStates = 100_000

// Name returns the engine's name.
func (Explore) Name() string { return "explore" }

// Decide visits the states, without reduction at first. The check visits them again, if
// they are not too many for it: then the explorer has to confirm itself.
func (e Explore) Decide(ctx context.Context, t *Task) (Answer, error) {
	// The certificate's check takes all steps again, so the explorer does that itself only where there is none.
	first := explore.Options{MaxStates: cmp.Or(e.Most, fewStates)}
	r, confirmed, reduced, err := Visit(ctx, t.about(), t.Program, first, false)
	if err == nil && r.Limit && e.Most == 0 {
		if a, ok := e.translated(ctx, t); ok {
			return a, nil
		}
		r, confirmed, reduced, err = Visit(ctx, t.about(), t.Program, explore.Options{}, true)
	}
	if err != nil {
		return Answer{}, err
	}
	switch r.Verdict {
	case explore.Safe:
		if !reduced && r.States < check.MaxStates {
			return Answer{Verdict: seqmc.Safe, Proof: &check.Certificate{Method: check.MethodStates}}, nil
		}
		return Answer{Verdict: seqmc.Safe, confirmed: confirmed,
			Notes: []string{"warning: more states were visited than a certificate can stand for: there is none"}}, nil
	case explore.Unsafe:
		return Answer{Verdict: seqmc.Unsafe, Steps: StepsOf(r.Schedule)}, nil
	}
	return Answer{}, errors.New(r.Reason)
}

// translated proves a program in which states stand for others (package check). The visit is the check's own.
func (e Explore) translated(ctx context.Context, t *Task) (Answer, bool) {
	about := t.about()
	names := slices.Concat(about.ID.Passes, []string{passes.Webs}) // a temporary that holds several counters one after the other is several variables
	p, err := about.After(names).Simplify()
	if err != nil {
		return Answer{}, false
	}
	list := translations(p)
	if len(list) == 0 {
		return Answer{}, false
	}
	proof := &check.Certificate{Method: check.MethodStates, Translations: list}
	proof.Program.Passes = names
	a, err := about.Safe(ctx, proof)
	if err != nil {
		t.Log.Info("no proof by states that stand for their translations", "translations", len(list), "reason", err)
		return Answer{}, false
	}
	return Answer{Verdict: seqmc.Safe, Proof: proof, confirmed: a}, true
}

// StepsOf returns the edges of a schedule.
func StepsOf(s ir.Schedule) []*ir.Edge {
	var edges []*ir.Edge
	for _, st := range s.Steps {
		edges = append(edges, st.Edge)
	}
	return edges
}
