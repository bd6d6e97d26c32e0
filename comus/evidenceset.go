package comus

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"comus/cfront"
	"comus/cfront/command"
	"comus/check"
	"comus/internal/timing"
	"comus/seqmc"
	"comus/specialise"
)

// Evidence returns the certificates for all verdicts; nil if there is none.
func (r *Result) Evidence() *check.Set {
	var certs []*check.Certificate
	var names []string
	alone := true // the first certificate is for everything
	for _, p := range r.Properties {
		names = append(names, p.Name)
		c := p.Result.Certificate
		if c != nil && p.Verdict != seqmc.Unknown && !slices.Contains(certs, c) {
			certs = append(certs, c)
		}
		alone = alone && c != nil && len(certs) == 1 && p.Verdict != seqmc.Unknown
	}
	switch {
	case len(r.Properties) == 0 && r.Certificate != nil:
		return check.NewSet(nil, []*check.Certificate{r.Certificate})
	case len(certs) == 0:
		return nil
	case alone:
		return check.NewSet(nil, certs)
	}
	return check.NewSet(names, certs)
}

// CheckSet is [CheckUnits] for the certificates of several properties. Those of which a set has no evidence are Unknown.
func CheckSet(ctx context.Context, units []command.Invocation, given cfront.Options, set *check.Set) (*Result, error) {
	if len(set.Certificates) == 0 {
		return nil, errors.New("there is no certificate")
	}
	if err := knownProperties(set.Properties); err != nil {
		return nil, err
	}
	how, _, err := SourceOptions(set.Certificates[0].Program, given)
	if err != nil {
		return nil, err
	}
	start, timings := time.Now(), timing.New()
	how.Timings = timings
	source, err := Open(ctx, units, how)
	if err != nil {
		return nil, err
	}
	for _, cert := range set.Certificates {
		if _, how, err := SourceOptions(cert.Program, given); err == nil {
			source.asked = source.asked.Or(how.Check)
		}
	}
	var all []PropertyResult
	for _, cert := range set.Certificates {
		more, err := source.confirmed(ctx, cert, timings)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	if all, err = answered(all, set.Properties); err != nil {
		return nil, err
	}
	return conjunction(all, true, nil).measured(start, timings), nil
}

// confirmed confirms a certificate and returns the verdicts that it is evidence for.
func (s *Source) confirmed(ctx context.Context, cert *check.Certificate, timings *timing.Timings) ([]PropertyResult, error) {
	a, r, err := s.check(ctx, cert, timings)
	if err != nil {
		return nil, err
	}
	res := &Result{Engine: "check", Warnings: r.Warnings, Approximations: r.Program.Approximations()}
	res.take(a)
	res.ofAll(cert.Program)
	s.proveRaceFree(ctx, res, timings)
	_, how, err := SourceOptions(cert.Program, cfront.Options{})
	if err != nil {
		return nil, err
	}
	s.inModel(ctx, res, how, timings)
	res.Assumptions = append(readings(cert.Program), res.Assumptions...)
	s.besideProof(ctx, res, nil, how, s.asked, r.whole(), 0)
	return res.properties(how.Check.Names()), nil
}

// ofAll makes Unknown of a proof about some pairs of places, or some assertions: whoever wrote the certificate chose them, and it says nothing of the rest of the
// program. That there is a race at one of them is one of the program.
func (r *Result) ofAll(about check.Program) {
	if about.About == "" || r.Verdict != seqmc.Safe {
		return
	}
	what := "there is no data race at "
	if len(about.Check) == 0 {
		what = "no assertion fails at "
	}
	r.Verdict, r.Reason = seqmc.Unknown, "nothing is proved but that "+what+placesOfPairs(about.About)
	r.Certificate, r.program = nil, about
}

// knownProperties returns an error unless names are those of properties, each once.
func knownProperties(names []string) error {
	if _, err := specialise.ChecksNamed(names); err != nil {
		return fmt.Errorf("the certificates: %w", err)
	}
	for i, n := range names {
		if n == specialise.AllChecks || slices.Contains(names[:i], n) {
			return fmt.Errorf("the certificates name %q, and every property has to be named once", n)
		}
	}
	return nil
}

// answered returns the verdicts on the properties that were asked about, of those that have evidence; none were named: on
// these. One that has evidence has to be among the named, and there may be one verdict only.
func answered(found []PropertyResult, names []string) ([]PropertyResult, error) {
	byName := map[string]PropertyResult{}
	for _, p := range found {
		if _, twice := byName[p.Name]; twice || len(names) > 0 && !slices.Contains(names, p.Name) {
			return nil, fmt.Errorf("the certificates: one is for the property %s, which is decided by another or was not asked about", p.Name)
		}
		byName[p.Name] = p
	}
	var out []PropertyResult
	for _, n := range specialise.CheckNames {
		p, ok := byName[n]
		switch {
		case ok:
			out = append(out, p)
		case slices.Contains(names, n):
			const why = "there is no certificate"
			out = append(out, PropertyResult{Name: n, Reason: why, Result: &Result{Engine: "check", Reason: why}})
		}
	}
	return out, nil
}
