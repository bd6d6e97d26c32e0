package comus

import (
	"context"
	"errors"

	"comus/check"
	"comus/check/accesses"
	"comus/check/valuecheck"
	"comus/scan"
	"comus/scan/certificate"
	"comus/scan/directed"
	"comus/scan/pointsto"
	"comus/scan/values"
	"comus/specialise"
)

// aboutUses are the checks of questions about misuse of locks and threads.
var aboutUses = specialise.Checks{NoAssert: true, Locks: true}

// useAnalysis asks package scan/values what registers and memory can hold, and package scan which threads run when; packages check/waits and check/accesses verify that, and that locks and threads are used
// as POSIX demands then. It proves all or nothing: engines are asked about the whole question otherwise.
type useAnalysis struct {
	s       *Source
	opts    Options
	values  *certificate.Values // nil: they are not enough
	threads *certificate.Certificate
	open    error // why
}

func (a *useAnalysis) find(ctx context.Context) error {
	prog := a.s.prog.Program
	pts, err := pointsto.AnalyseOpen(ctx, prog)
	if err != nil {
		return err
	}
	found, err := scan.Analyse(ctx, prog, pts, scan.Options{Certificate: true})
	if err != nil {
		return err
	}
	a.threads = found.Certificate
	for _, plain := range []bool{true, false} {
		v, err := values.Analyse(ctx, prog, pts, values.Options{Plain: plain})
		if err != nil {
			return err
		}
		claims := v.Claims()
		_, a.open = accesses.CheckUses(ctx, prog, pts, claims, a.threads, valuecheck.Options{Wrap: a.opts.Question.Overflow == specialise.OverflowWrap})
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case a.open == nil:
			a.values = claims
			return nil
		}
		a.opts.Log.Info("the use of locks is not proved", "plain", plain, "reason", a.open)
	}
	return nil
}

func (a *useAnalysis) certificate([]*check.Certificate) *check.Certificate {
	if a.values == nil {
		return nil
	}
	return &check.Certificate{Method: check.MethodUses, Values: a.values, Scan: a.threads}
}

func (a *useAnalysis) targets() []directed.Target { return nil }

func (a *useAnalysis) obligations(DecideOptions) (*decider, error) {
	return nil, errors.New("uses of locks are asked about together")
}

func (a *useAnalysis) together(*decider, error) string { return "" }

func (a *useAnalysis) helps() bool { return false }

func (a *useAnalysis) addFindings(_ context.Context, res *Result, _ []Obligation) {
	if a.open != nil {
		res.Left = &Left{Open: []LeftAt{{Why: a.open.Error()}}}
	}
}

func (a *useAnalysis) left([]Obligation) string {
	if a.open == nil {
		return "the proof that locks and threads are used well is not confirmed"
	}
	return "no proof that locks and threads are used well (" + a.open.Error() + ")"
}
