package confirm

import (
	"context"
	"errors"
	"fmt"
	"time"

	"comus/check"
	"comus/check/scancheck"
	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/points"
	"comus/seqmc"
	"comus/specialise"
)

// Whole is a linked program as a whole, which is what a scan proves something of: nothing was taken apart, unrolled or bounded.
type Whole struct {
	Program *cir.Program
	// ID says what was read, and how.
	ID check.Program
}

// Scanned confirms that no execution of the program has a data race, of the claims of a scan. points is what points.AnalyseOpen found of the program.
func (w *Whole) Scanned(ctx context.Context, pts *points.Result, claims *certificate.Certificate) (Answer, error) {
	start := time.Now()
	if err := w.isAskedAbout(); err != nil {
		return Answer{}, err
	}
	rep, err := scancheck.Check(ctx, w.Program, pts, claims)
	if err == nil {
		err = rep.Free()
	}
	if err != nil {
		return Answer{}, fmt.Errorf("the proof was not confirmed: %w", err)
	}
	cert := &check.Certificate{Format: check.Format, Version: check.Version, Program: w.ID, Verdict: seqmc.Safe.String(),
		Assumptions: rep.Assumptions, Method: check.MethodScan, Scan: claims}
	return Answer{verdict: seqmc.Safe, cert: cert, assumptions: rep.Assumptions, took: time.Since(start)}, nil
}

// Certificate confirms a certificate of a scan that somebody brought. The program has to be the source as the certificate wants it to be read.
func (w *Whole) Certificate(ctx context.Context, pts *points.Result, cert *check.Certificate) (Answer, error) {
	switch {
	case cert.Scan == nil || cert.Method != check.MethodScan:
		return Answer{}, errors.New("the certificate has no claims of a scan")
	case cert.Verdict != seqmc.Safe.String() || cert.Execution != nil || cert.Schedule != nil || cert.Parametric != nil || len(cert.Threads)+len(cert.Runs) > 0 || cert.Facts != "":
		return Answer{}, errors.New("the certificate has more than one kind of evidence")
	case len(cert.Program.Passes) > 0:
		return Answer{}, errors.New("the certificate names passes, which a scan is not made with")
	}
	return w.Scanned(ctx, pts, cert.Scan)
}

// Run confirms a certificate of Unsafe with a run of the whole program that somebody brought.
func (w *Whole) Run(ctx context.Context, cert *check.Certificate) (Answer, error) {
	switch {
	case cert.Execution == nil || cert.Method != check.MethodScan:
		return Answer{}, errors.New("the certificate has no run of the whole program")
	case cert.Verdict != seqmc.Unsafe.String() || cert.Scan != nil || cert.Schedule != nil || cert.Parametric != nil || len(cert.Threads)+len(cert.Runs) > 0 || cert.Facts != "":
		return Answer{}, errors.New("the certificate has more than one kind of evidence")
	case len(cert.Program.Passes) > 0:
		return Answer{}, errors.New("the certificate names passes, which a run is not made with")
	}
	return w.Executed(ctx, cert.Execution)
}

// isAskedAbout returns an error unless the question is one that a scan answers.
func (w *Whole) isAskedAbout() error {
	switch about, err := specialise.ChecksNamed(w.ID.Check); {
	case err != nil:
		return err
	case about != specialise.Checks{NoAssert: true, Race: true}:
		return errors.New("a scan proves that there are no data races, and nothing else (--check=race)")
	case w.ID.About != "" || w.ID.Cut != 0:
		return errors.New("a scan is about all of the program")
	case w.ID.Atomic != "step":
		return errors.New("data races are not asked about where statements are atomic")
	}
	return nil
}
