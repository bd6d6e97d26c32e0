package confirm

import (
	"context"
	"errors"
	"fmt"
	"time"

	"comus/check"
	"comus/check/accesses"
	"comus/check/valuecheck"
	"comus/scan/pointsto"
	"comus/seqmc"
	"comus/specialise"
)

// Uses confirms a certificate with claims about values and threads, from which it follows that no locks and no threads are misused. pts is what pointsto.AnalyseOpen found of the program.
func (w *Whole) Uses(ctx context.Context, pts *pointsto.Result, cert *check.Certificate) (Answer, error) {
	start := time.Now()
	switch about, err := specialise.ChecksNamed(w.ID.Check); {
	case err != nil:
		return Answer{}, err
	case about != specialise.Checks{NoAssert: true, Locks: true}:
		return Answer{}, errors.New("claims about values and threads prove that locks are used well, and nothing else (--check=locks)")
	case w.ID.About != "" || w.ID.AnyReads != "" || w.ID.Cut != 0 || w.ID.Parametric:
		return Answer{}, errors.New("claims about values and threads are about all of one program")
	case w.ID.Atomic != "step":
		return Answer{}, errors.New("uses of locks are not looked at where statements are atomic")
	case cert.Values == nil || cert.Scan == nil || cert.Method != check.MethodUses || cert.Verdict != seqmc.Safe.String():
		return Answer{}, errors.New("the certificate has no claims about values, or about threads")
	case cert.Orders != nil || cert.Execution != nil || cert.Schedule != nil || cert.Parametric != nil || len(cert.Suspects)+len(cert.Threads)+len(cert.Runs) > 0 || cert.Facts != "" || cert.Scan.Cloned:
		return Answer{}, errors.New("the certificate has more than one kind of evidence")
	case len(cert.Program.Passes) > 0:
		return Answer{}, errors.New("the certificate names passes, which claims about values are not made with")
	}
	assumed, err := accesses.CheckUses(ctx, w.Program, pts, cert.Values, cert.Scan, valuecheck.Options{Wrap: w.ID.Overflow == "wrap"})
	if err != nil {
		return Answer{}, fmt.Errorf("the proof was not confirmed: %w", err)
	}
	out := *cert
	out.Program, out.Assumptions = w.ID, assumed
	return Answer{verdict: seqmc.Safe, cert: &out, assumptions: assumed, took: time.Since(start)}, nil
}
