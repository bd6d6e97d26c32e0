package confirm

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"comus/check"
	"comus/check/scancheck"
	"comus/cir"
	"comus/cir/cloning"
	"comus/cir/interp"
	"comus/scan/certificate"
	"comus/scan/pointsto"
	"comus/seqmc"
	"comus/specialise"
)

// Whole is a linked program as a whole, which is what a scan proves something of: nothing was taken apart, unrolled or bounded.
type Whole struct {
	Program *cir.Program
	// ID says what was read, and how.
	ID check.Program
	// Tracer is told of a run that confirms; may be nil.
	Tracer interp.Tracer
}

// Scanned confirms that no execution of the program has a data race, of the claims of a scan. pts is what pointsto.AnalyseOpen found of the program, and proofs
// are answers about pairs of accesses that the claims leave. What proofs take for granted of other accesses need not be: see scancheck.CheckGiven.
func (w *Whole) Scanned(ctx context.Context, pts *pointsto.Result, claims *certificate.Certificate, proofs []Answer) (Answer, error) {
	start := time.Now()
	if err := w.isAskedAbout(); err != nil {
		return Answer{}, err
	}
	given, assumed, err := w.given(proofs)
	if err != nil {
		return Answer{}, err
	}
	prog := w.Program
	if claims.Cloned {
		if len(proofs) > 0 {
			return Answer{}, errors.New("the proof was not confirmed: other proofs are about another program than the claims")
		}
		prog = cloning.Of(w.Program)
		if pts, err = pointsto.AnalyseOpen(ctx, prog); err != nil {
			return Answer{}, err
		}
	}
	rep, err := scancheck.CheckGiven(ctx, prog, pts, claims, given)
	if err != nil {
		return Answer{}, fmt.Errorf("the proof was not confirmed: %w", err)
	}
	if err := rep.RaceFree(); err != nil {
		return Answer{}, &Open{Left: rep.Left, err: err}
	}
	for _, a := range rep.Assumptions {
		assumed[a] = true
	}
	cert := &check.Certificate{Format: check.Format, Version: check.Version, Program: w.ID, Verdict: seqmc.Safe.String(),
		Assumptions: slices.Sorted(maps.Keys(assumed)), Method: check.MethodScan, Scan: claims}
	took := time.Since(start)
	for _, a := range proofs {
		cert.Suspects = append(cert.Suspects, a.cert)
		took += a.took
	}
	return Answer{verdict: seqmc.Safe, cert: cert, assumptions: cert.Assumptions, took: took}, nil
}

// given returns the pairs of accesses that answers prove to be no race, and what they take for granted. Each has to be one about the same program, read
// with the same meaning, and to have a certificate.
func (w *Whole) given(proofs []Answer) (scancheck.Pairs, map[string]bool, error) {
	given, assumed := scancheck.Pairs{}, map[string]bool{}
	for _, a := range proofs {
		about, err := w.aboutOf(a)
		if err != nil {
			return nil, nil, err
		}
		pairs, err := specialise.Places(w.Program, about)
		if err != nil {
			return nil, nil, err
		}
		for _, q := range pairs {
			given.Add(q[0], q[1])
		}
		for _, s := range a.assumptions {
			if s != specialise.AssumeElsewhere {
				assumed[s] = true
			}
		}
	}
	return given, assumed, nil
}

// Certificate confirms a certificate of a scan that somebody brought. The program has to be the source as the certificate wants it to be read. proofs are the confirmed
// answers of its certificates about suspects.
func (w *Whole) Certificate(ctx context.Context, pts *pointsto.Result, cert *check.Certificate, proofs []Answer) (Answer, error) {
	switch {
	case cert.Scan == nil || cert.Method != check.MethodScan:
		return Answer{}, errors.New("the certificate has no claims of a scan")
	case cert.Verdict != seqmc.Safe.String() || cert.Execution != nil || cert.Values != nil || cert.Orders != nil || cert.Schedule != nil || cert.Parametric != nil || len(cert.Threads)+len(cert.Runs) > 0 || cert.Facts != "":
		return Answer{}, errors.New("the certificate has more than one kind of evidence")
	case len(cert.Program.Passes) > 0:
		return Answer{}, errors.New("the certificate names passes, which a scan is not made with")
	case len(proofs) != len(cert.Suspects):
		return Answer{}, errors.New("not all proofs about suspects were looked at")
	}
	return w.Scanned(ctx, pts, cert.Scan, proofs)
}

// Run confirms a certificate of Unsafe with a run of the whole program that somebody brought.
func (w *Whole) Run(ctx context.Context, cert *check.Certificate) (Answer, error) {
	switch {
	case cert.Execution == nil || cert.Method != check.MethodRun:
		return Answer{}, errors.New("the certificate has no run of the whole program")
	case cert.Verdict != seqmc.Unsafe.String() || cert.Scan != nil || cert.Values != nil || cert.Orders != nil || cert.Suspects != nil || cert.Schedule != nil || cert.Parametric != nil || len(cert.Threads)+len(cert.Runs) > 0 || cert.Facts != "":
		return Answer{}, errors.New("the certificate has more than one kind of evidence")
	case len(cert.Program.Passes) > 0:
		return Answer{}, errors.New("the certificate names passes, which a run is not made with")
	}
	return w.Executed(ctx, cert.Execution)
}

// Open is the error for claims of a scan of which something is not confirmed.
type Open struct {
	// Left are pairs of accesses that proofs might be about.
	Left [][2]cir.Instr
	err  error
}

// Error says what is not confirmed.
func (o *Open) Error() string { return "the proof was not confirmed: " + o.err.Error() }

// isAskedAbout returns an error unless the question is one that a scan answers.
func (w *Whole) isAskedAbout() error {
	switch about, err := specialise.ChecksNamed(w.ID.Check); {
	case err != nil:
		return err
	case about != specialise.Checks{NoAssert: true, Race: true}:
		return errors.New("a scan proves that there are no data races, and nothing else (--check=race)")
	case w.ID.About != "" || w.ID.AnyReads != "" || w.ID.Cut != 0:
		return errors.New("a scan is about all of the program")
	case w.ID.Atomic != "step":
		return errors.New("data races are not asked about where statements are atomic")
	}
	return nil
}
