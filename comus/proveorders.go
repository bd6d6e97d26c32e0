package comus

import (
	"context"
	"errors"

	"comus/check"
	"comus/scan"
	"comus/scan/hunt"
	"comus/specialise"
)

// aboutDeadlocks are the checks of questions about deadlocks.
var aboutDeadlocks = specialise.Checks{NoAssert: true, Deadlock: true}

// orderAnalysis finds the orders of locks that may end in a deadlock. That there is none proves nothing: threads wait for other things, too, and not all locks that are
// held are seen. So all proofs are of engines, and the orders say where runs look.
type orderAnalysis struct {
	s      *Source
	opts   Options
	orders []*scan.Deadlock
}

func (a *orderAnalysis) find(ctx context.Context) error {
	found, err := scan.Analyse(ctx, a.s.prog.Program, nil, scan.Options{Orders: true})
	if err != nil {
		return err
	}
	a.orders = found.Deadlocks
	return nil
}

func (a *orderAnalysis) certificate([]*check.Certificate) *check.Certificate { return nil }

func (a *orderAnalysis) targets() (list []hunt.Target) {
	for _, d := range a.orders {
		list = append(list, hunt.OfDeadlock(d))
	}
	return list
}

func (a *orderAnalysis) obligations(DecideOptions) (*decider, error) {
	return nil, errors.New("deadlocks are asked about together")
}

func (a *orderAnalysis) together(*decider, error) string { return "" }

func (a *orderAnalysis) helps() bool { return false }

func (a *orderAnalysis) told(context.Context, *Result) {}

func (a *orderAnalysis) left([]Obligation) string {
	return "deadlocks are found by runs, and none of them ended in one"
}
