package confirm

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"comus/check"
	"comus/check/valuecheck"
	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
	"comus/seqmc"
	"comus/specialise"
)

// Parts confirms that no assertion of the program fails, of a certificate that somebody brought: proofs are the confirmed answers of its certificates, each about some
// assertions. An assertion that fails ends the program, so whichever is the first to fail in an execution, what is proved of it holds: others did not fail before.
//
// Of those that none of these is about, the claims about values have to say that they hold; pts is what pointsto.AnalyseOpen found of the program, and need not be there
// where there are no such claims.
func (w *Whole) Parts(ctx context.Context, pts *pointsto.Result, cert *check.Certificate, proofs []Answer) (Answer, error) {
	switch {
	case cert.Method != check.MethodParts || cert.Verdict != seqmc.Safe.String():
		return Answer{}, errors.New("the certificate has no proofs about assertions")
	case cert.Scan != nil || cert.Orders != nil || cert.Execution != nil || cert.Schedule != nil || cert.Parametric != nil || len(cert.Threads)+len(cert.Runs) > 0 || cert.Facts != "":
		return Answer{}, errors.New("the certificate has more than one kind of evidence")
	case len(cert.Program.Passes) > 0:
		return Answer{}, errors.New("the certificate names passes, which each of its proofs has to name")
	case len(proofs) != len(cert.Suspects):
		return Answer{}, errors.New("not all proofs about assertions were looked at")
	case cert.Values != nil && w.ID.Parametric:
		return Answer{}, errors.New("claims about values are about one program, not one for any number of threads")
	case len(w.ID.Check) > 0 && !slices.Equal(w.ID.Check, []string{specialise.Assert}) || w.ID.About != "" || w.ID.AnyReads != "" || w.ID.Cut != 0:
		return Answer{}, errors.New("proofs about single assertions are for all assertions, and nothing else")
	}
	proved, assumed := map[*cir.Intrinsic]bool{}, map[string]bool{}
	out := *cert
	a := Answer{verdict: seqmc.Safe, cert: &out}
	for _, p := range proofs {
		about, err := w.aboutOf(p)
		if err != nil {
			return Answer{}, err
		}
		list, err := specialise.Asserted(w.Program, about)
		if err != nil {
			return Answer{}, err
		}
		for _, in := range list {
			proved[in] = true
		}
		for _, s := range p.assumptions {
			assumed[s] = true
		}
		a.took += p.took
	}
	values, took, err := w.values(ctx, pts, cert.Values)
	if err != nil {
		return Answer{}, err
	}
	a.took += took
	for _, in := range specialise.Assertions(w.Program) {
		switch {
		case proved[in]:
		case values == nil || !values.Confirmed[in]:
			return Answer{}, &Unasserted{in}
		default:
			for _, s := range values.Assumptions {
				assumed[s] = true
			}
		}
	}
	a.assumptions = slices.Sorted(maps.Keys(assumed))
	out.Program, out.Assumptions = w.ID, a.assumptions
	return a, nil
}

// values verifies claims about values, if there are some. Where nothing of them can be looked at, nothing is confirmed.
func (w *Whole) values(ctx context.Context, pts *pointsto.Result, claims *certificate.Values) (*valuecheck.Report, time.Duration, error) {
	if claims == nil {
		return nil, 0, nil
	}
	start := time.Now()
	r, err := valuecheck.Check(ctx, w.Program, pts, claims, valuecheck.Options{Wrap: w.ID.Overflow == "wrap"})
	if err != nil {
		return nil, 0, fmt.Errorf("the claims about values were not confirmed: %w", err)
	}
	return r, time.Since(start), nil
}

// Unasserted is the error for an assertion of which there is no proof.
type Unasserted struct{ Assertion *cir.Intrinsic }

// Error names the assertion.
func (u *Unasserted) Error() string {
	at := ""
	if u.Assertion.Site != nil {
		at = " at " + u.Assertion.Site.Pos.String()
	}
	return fmt.Sprintf("there is no proof about the assertion%s", at)
}

// aboutOf returns what an answer is about, which has to be a proof of the same program, read with the same meaning, about some places only, and to have a certificate.
func (w *Whole) aboutOf(a Answer) (string, error) {
	if a.Verdict() != seqmc.Safe || a.about == nil || a.cert == nil {
		return "", errors.New("what is said of a part is no proof")
	}
	of := a.about.ID
	about := of.About
	if of.About = w.ID.About; about == "" {
		return "", errors.New("a proof is about no part of the program")
	}
	if err := (&Subject{ID: w.ID}).Same(of); err != nil {
		return "", fmt.Errorf("a proof about a part: %w", err)
	}
	return about, nil
}
