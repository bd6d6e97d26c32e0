package comus

import (
	"context"
	"fmt"

	"comus/check"
	"comus/comus/confirm"
	"comus/internal/timing"
	"comus/scan/points"
	"comus/specialise"
)

// A certificate may be composed: what an analysis of the whole program claims, and proofs of engines about the obligations that it leaves. Each of these is confirmed by itself,
// and then that they are enough.

// checkWhole confirms a certificate about the whole program.
func (s *Source) checkWhole(ctx context.Context, cert *check.Certificate, how specialise.Options, timings *timing.Timings) (confirm.Answer, *Reading, error) {
	if cert.Method == check.MethodParts {
		return s.checkParts(ctx, cert, how, timings)
	}
	return s.checkScan(ctx, cert, how, timings)
}

// checkRun confirms a certificate of Unsafe with a run of the whole program.
func (s *Source) checkRun(ctx context.Context, cert *check.Certificate, how specialise.Options, timings *timing.Timings) (confirm.Answer, *Reading, error) {
	p, err := s.load(ctx)
	if err != nil {
		return confirm.Answer{}, nil, err
	}
	if p.SHA256 != cert.Program.SHA256 {
		return confirm.Answer{}, nil, fmt.Errorf("%s: the certificate is for another source (%s)", s.File, cert.Program.File)
	}
	defer timings.Start(timing.Checking)()
	a, err := (&confirm.Whole{Program: p.Program, ID: s.identity(how)}).Run(ctx, cert)
	r := specialise.Nothing(p.Program)
	r.HasAssertions = true // the one that fails, if the run is about assertions
	return a, s.reading(r, p.Program, how), err
}

// checkScan confirms a certificate of a scan, and those in it about suspects, each by itself.
func (s *Source) checkScan(ctx context.Context, cert *check.Certificate, how specialise.Options, timings *timing.Timings) (confirm.Answer, *Reading, error) {
	p, err := s.load(ctx)
	if err != nil {
		return confirm.Answer{}, nil, err
	}
	if p.SHA256 != cert.Program.SHA256 {
		return confirm.Answer{}, nil, fmt.Errorf("%s: the certificate is for another source (%s)", s.File, cert.Program.File)
	}
	proofs, err := s.checkAll(ctx, cert.Suspects, timings)
	if err != nil {
		return confirm.Answer{}, nil, err
	}
	defer timings.Start(timing.Checking)()
	pts, err := points.AnalyseOpen(ctx, p.Program)
	if err != nil {
		return confirm.Answer{}, nil, err
	}
	a, err := (&confirm.Whole{Program: p.Program, ID: s.identity(how)}).Certificate(ctx, pts, cert, proofs)
	return a, s.reading(specialise.Nothing(p.Program), p.Program, how), err
}

// checkAll confirms the proofs that a certificate is made of, each by itself.
func (s *Source) checkAll(ctx context.Context, certs []*check.Certificate, timings *timing.Timings) (proofs []confirm.Answer, err error) {
	for i, c := range certs {
		if c == nil || c.Method == check.MethodRun || c.Method == check.MethodScan || c.Method == check.MethodParts {
			return nil, fmt.Errorf("suspects, proof %d: it is about no part of the program", i+1)
		}
		a, _, err := s.check(ctx, c, timings)
		if err != nil {
			return nil, fmt.Errorf("suspects, proof %d: %w", i+1, err)
		}
		proofs = append(proofs, a)
	}
	return proofs, nil
}

// checkParts confirms a certificate of proofs about single assertions, each by itself.
func (s *Source) checkParts(ctx context.Context, cert *check.Certificate, how specialise.Options, timings *timing.Timings) (confirm.Answer, *Reading, error) {
	p, err := s.load(ctx)
	if err != nil {
		return confirm.Answer{}, nil, err
	}
	if p.SHA256 != cert.Program.SHA256 {
		return confirm.Answer{}, nil, fmt.Errorf("%s: the certificate is for another source (%s)", s.File, cert.Program.File)
	}
	proofs, err := s.checkAll(ctx, cert.Suspects, timings)
	if err != nil {
		return confirm.Answer{}, nil, err
	}
	defer timings.Start(timing.Checking)()
	r := specialise.Nothing(p.Program)
	r.HasAssertions = len(specialise.Assertions(p.Program)) > 0
	whole := &confirm.Whole{Program: p.Program, ID: s.identity(how)}
	var pts *points.Result
	if cert.Values != nil {
		if pts, err = points.AnalyseOpen(ctx, p.Program); err != nil {
			return confirm.Answer{}, nil, err
		}
	}
	a, err := whole.Parts(ctx, pts, cert, proofs)
	return a, s.reading(r, p.Program, how), err
}
