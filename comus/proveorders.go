package comus

import (
	"context"
	"errors"

	"comus/check"
	"comus/comus/confirm"
	"comus/scan"
	"comus/scan/certificate"
	"comus/scan/directed"
	"comus/scan/order"
	"comus/scan/pointsto"
	"comus/specialise"
)

// aboutDeadlocks are the checks of questions about deadlocks.
var aboutDeadlocks = specialise.Checks{NoAssert: true, Deadlock: true}

// orderAnalysis looks for an order of all that threads wait for, which proves that there is no deadlock (package check/waits verifies it). Where there is none, all proofs are
// of engines, and the orders of locks that may end in a deadlock say where runs look.
type orderAnalysis struct {
	s      *Source
	opts   Options
	claims *certificate.Orders
	// open is why there are no claims.
	open   error
	orders []*scan.Deadlock
}

func (a *orderAnalysis) find(ctx context.Context) error {
	prog := a.s.prog.Program
	pts, err := pointsto.AnalyseOpen(ctx, prog)
	if err != nil {
		return err
	}
	if a.claims, a.open = order.Arrange(ctx, prog, pts); a.open == nil && a.opts.Question.Overflow == specialise.OverflowWrap {
		if a.open = confirm.OrdersWrap(ctx, prog, pts, a.claims); a.open != nil {
			a.claims = nil
		}
	}
	if a.open == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	a.opts.Log.Info("no order of locks proves that there is no deadlock", "reason", a.open)
	found, err := scan.Analyse(ctx, prog, pts, scan.Options{Orders: true})
	if err != nil {
		return err
	}
	a.orders = found.Deadlocks
	return nil
}

func (a *orderAnalysis) certificate([]*check.Certificate) *check.Certificate {
	if a.claims == nil {
		return nil
	}
	return &check.Certificate{Method: check.MethodLockOrder, Orders: a.claims}
}

func (a *orderAnalysis) targets() (list []directed.Target) {
	for _, d := range a.orders {
		list = append(list, directed.OfDeadlock(d))
	}
	return list
}

func (a *orderAnalysis) obligations(DecideOptions) (*decider, error) {
	return nil, errors.New("deadlocks are asked about together")
}

func (a *orderAnalysis) together(*decider, error) string { return "" }

func (a *orderAnalysis) helps() bool { return false }

func (a *orderAnalysis) addFindings(_ context.Context, res *Result, _ []Obligation) {
	if a.open != nil {
		res.Left = &Left{Open: []LeftAt{{Why: a.open.Error()}}}
	}
}

func (a *orderAnalysis) left([]Obligation) string {
	if a.open == nil {
		return "the order of all that threads wait for is not confirmed"
	}
	return "no order of all that threads wait for proves that there is no deadlock (" + a.open.Error() + "), and no run ended in one"
}
