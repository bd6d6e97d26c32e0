package comus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"comus/check"
	"comus/comus/confirm"
	"comus/internal/timing"
	"comus/scan"
	"comus/scan/hunt"
	"comus/scan/points"
	"comus/seqmc"
	"comus/specialise"
)

// The strategy "scan" asks an analysis of the whole program (package scan) whether there is a data race. It is no [Engine]: those are given a program
// that was taken apart, and a program may be too large for that. If package check/scancheck confirms what the scan claims of all memory,
// the program has no data race. If suspects are left, they are decided one by one ([Source.Decide]), and one that is a race decides the program.
// It is not part of a portfolio: what it assumes of memory, other engines do not.

const scanStrategy = "scan"

// asksForRaces reports whether a question is one that a scan may answer.
func (o Options) asksForRaces() bool {
	q := o.Question
	return q.Check == specialise.Checks{NoAssert: true, Race: true} && q.About == "" && q.Cut == 0 && !q.AtomicStatements && !q.Parametric && !o.Exact
}

// scanPart is the part of the time that runs of the program get before engines are asked about suspects.
const scanPart = 4

// verifyByScan decides by a scan, and by deciding its suspects.
func (s *Source) verifyByScan(ctx context.Context, opts Options) (*Result, error) {
	if _, err := s.load(ctx); err != nil {
		return nil, err
	}
	res := &Result{Engine: scanStrategy, Warnings: slices.Clone(s.prog.Warnings), program: s.identity(opts.Question)}
	switch {
	case opts.Exact:
		return res.unknown(ctx, confirm.ErrExact), nil
	case !opts.asksForRaces():
		return res.unknown(ctx, errors.New("the strategy scan proves that there are no data races, and nothing else: --check=race")), nil
	case s.restrict != nil:
		return res.unknown(ctx, errors.New("the strategy scan is about all executions")), nil
	}
	safe, found, err := s.byScan(ctx, opts)
	if err != nil {
		return res.unknown(ctx, err), nil
	}
	if safe.Verdict == seqmc.Safe || len(found.suspects()) == 0 {
		return safe, nil
	}
	if opts.Alone {
		return res.unknown(ctx, errors.New(leftOf(found.suspects(), nil))), nil
	}
	return s.bySuspects(ctx, found.suspects(), opts, res)
}

// scanned is what a scan has found.
type scanned struct{ *scan.Result }

// suspects returns the suspects, those first that are most likely real.
func (f scanned) suspects() (list []*scan.Suspect) {
	for _, l := range f.Locations {
		list = append(list, l.Suspects...)
	}
	slices.SortStableFunc(list, func(x, y *scan.Suspect) int { return cmp.Compare(y.Rank, x.Rank) })
	return list
}

// byScan scans, and has the claims confirmed. The error is that of the context, or says why there is no scan.
func (s *Source) byScan(ctx context.Context, opts Options) (*Result, scanned, error) {
	if _, err := s.load(ctx); err != nil {
		return nil, scanned{}, err
	}
	res := &Result{Engine: scanStrategy, Warnings: slices.Clone(s.prog.Warnings), program: s.identity(opts.Question)}
	s.mu.Lock()
	defer s.mu.Unlock()
	stop := opts.Timings.Start(timing.Scanning)
	found, err := scan.Analyse(ctx, s.prog.Program, nil, scan.Options{Certificate: true})
	stop()
	if err != nil {
		return nil, scanned{}, err
	}
	out := scanned{found}
	if n := len(out.suspects()); n > 0 {
		res.Reason = leftOf(out.suspects(), nil)
		return res, out, nil
	}
	defer opts.Timings.Start(timing.Checking)()
	whole := &confirm.Whole{Program: s.prog.Program, ID: s.identity(opts.Question)}
	a, err := whole.Scanned(ctx, found.Points, found.Certificate)
	if err != nil {
		return res.unknown(ctx, err), out, nil
	}
	res.take(a)
	return res, out, nil
}

// byRun makes a run of the whole program that has a race the verdict, if it is confirmed.
func (s *Source) byRun(ctx context.Context, ex *hunt.Execution, opts Options) (*Result, error) {
	res := &Result{Engine: scanStrategy, program: s.identity(opts.Question)}
	defer opts.Timings.Start(timing.Checking)()
	a, err := (&confirm.Whole{Program: s.prog.Program, ID: res.program}).Executed(ctx, ex)
	if err != nil {
		return nil, err
	}
	res.take(a)
	res.Sizes.Threads = len(a.Trace().Program.Threads)
	return res, nil
}

// checkScan confirms a certificate of a scan.
func (s *Source) checkScan(ctx context.Context, cert *check.Certificate, how specialise.Options, timings *timing.Timings) (confirm.Answer, *Reading, error) {
	p, err := s.load(ctx)
	if err != nil {
		return confirm.Answer{}, nil, err
	}
	if p.SHA256 != cert.Program.SHA256 {
		return confirm.Answer{}, nil, fmt.Errorf("%s: the certificate is for another source (%s)", s.File, cert.Program.File)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	defer timings.Start(timing.Checking)()
	if cert.Execution != nil {
		a, err := (&confirm.Whole{Program: p.Program, ID: s.identity(how)}).Run(ctx, cert)
		return a, s.reading(specialise.Nothing(p.Program), how), err
	}
	pts, err := points.AnalyseOpen(ctx, p.Program)
	if err != nil {
		return confirm.Answer{}, nil, err
	}
	a, err := (&confirm.Whole{Program: p.Program, ID: s.identity(how)}).Certificate(ctx, pts, cert)
	return a, s.reading(specialise.Nothing(p.Program), how), err
}

// bySuspects decides a program by its suspects, those first that are most likely real: one that is a race decides.
func (s *Source) bySuspects(ctx context.Context, suspects []*scan.Suspect, opts Options, res *Result) (*Result, error) {
	within, stop := context.WithCancel(ctx)
	defer stop()
	var unsafe *Result
	ask := SuspectOptions{Options: opts, Decided: func(d *Decision) {
		if d.Status == SuspectConfirmed && d.Result != nil && d.Result.Verdict == seqmc.Unsafe {
			stop() // one is enough
		}
	}}
	ask.Hunt.Confirmed = func(ex *hunt.Execution) bool { // one is enough
		var err error
		if unsafe, err = s.byRun(ctx, ex, opts); err == nil {
			stop()
		}
		return err == nil
	}
	ask.Options.Strategy = Auto
	if end, ok := ctx.Deadline(); ok {
		ask.Hunt.Time = time.Until(end) / scanPart
	}
	all, err := s.Decide(within, suspects, ask)
	if err != nil {
		return nil, err
	}
	if unsafe != nil {
		unsafe.Warnings = res.Warnings
		return unsafe, nil
	}
	for i := range all {
		if unsafe := s.executed(ctx, &all[i], opts); unsafe != nil {
			unsafe.Warnings, unsafe.Engine = res.Warnings, scanStrategy
			return unsafe, nil
		}
	}
	return res.unknown(ctx, errors.New(leftOf(suspects, all))), nil
}

// executed returns the result of Unsafe that a decision is evidence for, nil if there is none. An execution that runs of the whole program have
// found is made one of the program as engines see it by asking them about the pair.
func (s *Source) executed(ctx context.Context, d *Decision, opts Options) *Result {
	if d.Status != SuspectConfirmed {
		return nil
	}
	res := d.Result
	if res == nil {
		about, err := specialise.About(s.prog.Program, placesOf(s.prog.Program).pairs(d.Suspect))
		if err != nil {
			return nil
		}
		part := opts
		part.Strategy, part.Question.About = Auto, about
		if res, err = s.verify(ctx, part.complete()); err != nil {
			return nil
		}
	}
	if res.Verdict != seqmc.Unsafe || res.Certificate == nil {
		return nil
	}
	return res
}

// listed is how many suspects a reason names.
const listed = 3

// leftOf says which suspects are left; decisions are what has become of them, nil if nobody was asked.
func leftOf(suspects []*scan.Suspect, decisions []Decision) string {
	var places []string
	n := 0
	for i, x := range suspects {
		more := ""
		if decisions != nil {
			switch d := &decisions[i]; {
			case d.Status == SuspectImpossible:
				continue
			case d.Status == SuspectConfirmed:
				more = ": a run of the program has the race, but no engine could replay it"
			}
		}
		if n++; n <= listed {
			places = append(places, fmt.Sprintf("%s and %s (%s)%s", accessedAt(x.A), accessedAt(x.B), x.Location.Name, more))
		}
	}
	switch {
	case n == 0:
		return "all suspects of the scan are impossible, each by a proof of its own: there is no certificate of all"
	case n > listed:
		places = append(places, fmt.Sprintf("%d more", n-listed))
	}
	return "accesses that may be a race: " + strings.Join(places, ", ")
}

func accessedAt(a *scan.Access) string {
	if a.Site == nil {
		return "?"
	}
	return a.Site.Pos.String()
}
