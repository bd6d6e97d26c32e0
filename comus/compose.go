package comus

import (
	"context"
	"fmt"

	"comus/check"
	"comus/comus/confirm"
	"comus/internal/timing"
	"comus/scan/pointsto"
	"comus/specialise"
)

// A certificate may be composed: what an analysis of the whole program claims, and proofs of engines about the obligations that it leaves. Each of these is confirmed by itself,
// and then that they are enough.

// checkWhole confirms a certificate about the whole program: a run that violates the property, or what an analysis claims together with proofs about what that leaves, each of which is confirmed by itself.
func (s *Source) checkWhole(ctx context.Context, cert *check.Certificate, how specialise.Options, timings *timing.Timings) (confirm.Answer, *Reading, error) {
	p, err := s.load(ctx)
	if err != nil {
		return confirm.Answer{}, nil, err
	}
	if p.SHA256 != cert.Program.SHA256 {
		return confirm.Answer{}, nil, fmt.Errorf("%s: the certificate is for another source (%s)", s.File, cert.Program.File)
	}
	whole, r := &confirm.Whole{Program: p.Program, ID: s.identity(how)}, specialise.Nothing(p.Program)
	if cert.Method == check.MethodRun {
		defer timings.Start(timing.Checking)()
		a, err := whole.Run(ctx, cert)
		r.HasAssertions = true // the one that fails, if the run is about assertions
		return a, s.reading(r, p.Program, how), err
	}
	if cert.Method == check.MethodGraphs {
		defer timings.Start(timing.Checking)()
		a, err := whole.Graphs(ctx, cert)
		r.HasAssertions = len(specialise.Assertions(p.Program)) > 0
		return a, s.reading(r, p.Program, how), err
	}
	if cert.Method == check.MethodAxioms {
		return s.checkAxioms(ctx, cert, how, timings)
	}
	proofs, err := s.checkAll(ctx, cert.Suspects, timings)
	if err != nil {
		return confirm.Answer{}, nil, err
	}
	defer timings.Start(timing.Checking)()
	var pts *pointsto.Result
	if cert.Method == check.MethodScan || cert.Method == check.MethodLockOrder || cert.Values != nil {
		if pts, err = pointsto.AnalyseOpen(ctx, p.Program); err != nil {
			return confirm.Answer{}, nil, err
		}
	}
	if cert.Method == check.MethodScan {
		a, err := whole.Certificate(ctx, pts, cert, proofs)
		return a, s.reading(r, p.Program, how), err
	}
	if cert.Method == check.MethodLockOrder {
		a, err := whole.Orders(ctx, pts, cert)
		return a, s.reading(r, p.Program, how), err
	}
	if cert.Method == check.MethodValues {
		a, err := whole.Arithmetic(ctx, pts, cert)
		return a, s.reading(r, p.Program, how), err
	}
	if cert.Method == check.MethodUses {
		a, err := whole.Uses(ctx, pts, cert)
		return a, s.reading(r, p.Program, how), err
	}
	if cert.Method == check.MethodAccesses {
		a, err := whole.Accesses(ctx, pts, cert)
		return a, s.reading(r, p.Program, how), err
	}
	r.HasAssertions = len(specialise.Assertions(p.Program)) > 0
	a, err := whole.Parts(ctx, pts, cert, proofs)
	return a, s.reading(r, p.Program, how), err
}

// checkAll confirms the proofs that a certificate is made of, each by itself.
func (s *Source) checkAll(ctx context.Context, certs []*check.Certificate, timings *timing.Timings) (proofs []confirm.Answer, err error) {
	for i, c := range certs {
		if c == nil || c.Method == check.MethodRun || c.Method == check.MethodScan || c.Method == check.MethodParts || c.Method == check.MethodLockOrder || c.Method == check.MethodValues || c.Method == check.MethodAccesses || c.Method == check.MethodUses || c.Method == check.MethodGraphs || c.Method == check.MethodAxioms {
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
