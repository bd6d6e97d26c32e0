package comus

import (
	"context"
	"errors"

	"comus/check"
	"comus/check/valuecheck"
	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/directed"
	"comus/scan/pointsto"
	"comus/scan/values"
	"comus/specialise"
)

// aboutOverflows are the checks of questions about arithmetic that has no meaning.
var aboutOverflows = specialise.Checks{NoAssert: true, Overflow: true}

// overflowAnalysis asks package scan/values what registers and memory can hold; package check/valuecheck verifies that, and that all arithmetic has a meaning then. It proves all or
// nothing: engines are asked about the whole question otherwise.
type overflowAnalysis struct {
	s      *Source
	opts   Options
	claims *certificate.Values // nil: they are not enough
	found  Left
}

func (a *overflowAnalysis) find(ctx context.Context) error {
	prog := a.s.prog.Program
	pts, err := pointsto.AnalyseOpen(ctx, prog)
	if err != nil {
		return err
	}
	for _, plain := range []bool{true, false} {
		v, err := values.Analyse(ctx, prog, pts, values.Options{Plain: plain})
		if err != nil {
			return err
		}
		claims := v.Claims()
		r, err := valuecheck.Check(ctx, prog, pts, claims, valuecheck.Options{})
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			a.opts.Log.Info("values are not confirmed", "plain", plain, "reason", err)
		case len(r.Undefined) == 0:
			a.claims = claims
			return nil
		default:
			a.found = Left{What: "arithmetic operation", Proved: r.Arithmetic - len(r.Undefined), All: r.Arithmetic,
				Open: openOf(prog, func(in cir.Instr) (string, bool) { why, open := r.Undefined[in]; return why, open })}
		}
	}
	return nil
}

func (a *overflowAnalysis) certificate([]*check.Certificate) *check.Certificate {
	if a.claims == nil {
		return nil
	}
	return &check.Certificate{Method: check.MethodValues, Values: a.claims}
}

func (a *overflowAnalysis) targets() []directed.Target { return nil }

func (a *overflowAnalysis) obligations(DecideOptions) (*decider, error) {
	return nil, errors.New("overflows are asked about together")
}

func (a *overflowAnalysis) together(*decider, error) string { return "" }

func (a *overflowAnalysis) helps() bool { return false }

func (a *overflowAnalysis) addFindings(_ context.Context, res *Result, _ []Obligation) {
	if a.found.All > 0 {
		res.Left = &a.found
	}
}

func (a *overflowAnalysis) left([]Obligation) string {
	if len(a.found.Open) == 0 {
		return "the claims about values were not confirmed"
	}
	return listOf("arithmetic that may be undefined", a.found.Open)
}
