package comus

import (
	"context"
	"errors"

	"comus/check"
	"comus/check/accesses"
	"comus/check/valuecheck"
	"comus/cir"
	"comus/scan"
	"comus/scan/certificate"
	"comus/scan/directed"
	"comus/scan/pointsto"
	"comus/scan/values"
	"comus/specialise"
)

// aboutMemory are the checks of questions about invalid accesses to memory.
var aboutMemory = specialise.Checks{NoAssert: true, Memory: true}

// accessAnalysis asks package scan/values what registers and memory can hold, and package scan which threads run when; package check/accesses verifies that, and that all accesses are valid
// then. It proves all or nothing: engines are asked about the whole question otherwise.
type accessAnalysis struct {
	s       *Source
	opts    Options
	values  *certificate.Values // nil: they are not enough
	threads *certificate.Certificate
	found   Left
}

func (a *accessAnalysis) find(ctx context.Context) error {
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
		r, err := accesses.Check(ctx, prog, pts, claims, a.threads, valuecheck.Options{Wrap: a.opts.Question.Overflow == specialise.OverflowWrap})
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			a.opts.Log.Info("accesses are not looked at", "plain", plain, "reason", err)
		case len(r.Open) == 0:
			a.values = claims
			return nil
		default:
			a.found = Left{What: "memory access", Proved: r.Accesses - len(r.Open), All: r.Accesses,
				Open: openOf(prog, func(in cir.Instr) (string, bool) { why, open := r.Open[in]; return why, open })}
		}
	}
	return nil
}

func (a *accessAnalysis) certificate([]*check.Certificate) *check.Certificate {
	if a.values == nil {
		return nil
	}
	return &check.Certificate{Method: check.MethodAccesses, Values: a.values, Scan: a.threads}
}

func (a *accessAnalysis) targets() []directed.Target { return nil }

func (a *accessAnalysis) obligations(DecideOptions) (*decider, error) {
	return nil, errors.New("accesses are asked about together")
}

func (a *accessAnalysis) together(*decider, error) string { return "" }

func (a *accessAnalysis) helps() bool { return false }

func (a *accessAnalysis) addFindings(_ context.Context, res *Result, _ []Obligation) {
	if a.found.All > 0 {
		res.Left = &a.found
	}
}

func (a *accessAnalysis) left([]Obligation) string {
	if len(a.found.Open) == 0 {
		return "the claims about values and threads were not confirmed"
	}
	return listOf("accesses that may be invalid", a.found.Open)
}
