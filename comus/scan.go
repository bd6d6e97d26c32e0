package comus

import (
	"context"
	"time"

	"comus/check/scancheck"
	"comus/cir"
	"comus/internal/timing"
	"comus/scan"
	"comus/scan/slice"
)

// Slice reduces the program to what a scan for data races without a certificate looks at. From then on the source is of use for [Source.Scan] only.
func (s *Source) Slice() *slice.Slice {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pts = nil
	return slice.Of(s.prog.Program)
}

// Scan analyses the program as a whole for data races. What comes out is no verdict: nothing has checked that what it does not suspect cannot
// happen, and what it suspects may be impossible. The phases begin with the reading of the source. The error is that of the context.
func (s *Source) Scan(ctx context.Context, opts scan.Options) (*scan.Result, error) {
	if _, err := s.load(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	pts := s.pts
	if s.calls != s.prog.Program { // that is of another program, in which code outside calls back
		pts = nil
	}
	res, err := scan.Analyse(ctx, s.prog.Program, pts, opts)
	if err != nil {
		return nil, err
	}
	if res.Certificate != nil {
		if opts.Progress != nil {
			opts.Progress("certificate", 0, 0)
		}
		start := time.Now()
		if err := certify(ctx, s.prog.Program, res); err != nil {
			return nil, err
		}
		res.Phases = append(res.Phases, scan.Phase{Name: "certificate", Took: time.Since(start)})
	}
	res.Phases = append([]scan.Phase{{Name: timing.Reading, Took: s.took}}, res.Phases...)
	return res, nil
}

// certify marks the locations whose claims the checker confirms. Where it does not look at a program, none is. The error is that of the context.
func certify(ctx context.Context, p *cir.Program, res *scan.Result) error {
	rep, err := scancheck.Check(ctx, p, res.Points, res.Certificate)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		res.Unchecked = err.Error()
		return nil
	}
	for i, l := range res.Locations {
		l.Certified = rep.Certified(i)
	}
	return nil
}
