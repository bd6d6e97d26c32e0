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

// Accesses confirms a certificate with claims about values and threads, from which it follows that no access to memory is invalid. pts is what pointsto.AnalyseOpen found of the program.
func (w *Whole) Accesses(ctx context.Context, pts *pointsto.Result, cert *check.Certificate) (Answer, error) {
	start := time.Now()
	switch about, err := specialise.ChecksNamed(w.ID.Check); {
	case err != nil:
		return Answer{}, err
	case about != specialise.Checks{NoAssert: true, Memory: true}:
		return Answer{}, errors.New("claims about values and threads prove that accesses are valid, and nothing else (--check=memory)")
	case w.ID.About != "" || w.ID.AnyReads != "" || w.ID.Cut != 0 || w.ID.Parametric:
		return Answer{}, errors.New("claims about values and threads are about all of one program")
	case w.ID.Atomic != "step":
		return Answer{}, errors.New("accesses are not looked at where statements are atomic")
	case cert.Values == nil || cert.Scan == nil || cert.Method != check.MethodAccesses || cert.Verdict != seqmc.Safe.String():
		return Answer{}, errors.New("the certificate has no claims about values, or about threads")
	case cert.Orders != nil || cert.Execution != nil || cert.Schedule != nil || cert.Parametric != nil || len(cert.Suspects)+len(cert.Threads)+len(cert.Runs) > 0 || cert.Facts != "" || cert.Scan.Cloned:
		return Answer{}, errors.New("the certificate has more than one kind of evidence")
	case len(cert.Program.Passes) > 0:
		return Answer{}, errors.New("the certificate names passes, which claims about values are not made with")
	}
	r, err := accesses.Check(ctx, w.Program, pts, cert.Values, cert.Scan, valuecheck.Options{Wrap: w.ID.Overflow == "wrap"})
	if err != nil {
		return Answer{}, fmt.Errorf("the proof was not confirmed: %w", err)
	}
	if len(r.Open) > 0 {
		for _, f := range w.Program.Funcs {
			for _, b := range f.Blocks {
				for _, in := range b.Instrs {
					if why, open := r.Open[in]; open {
						return Answer{}, fmt.Errorf("the proof was not confirmed: %s: %s", siteOf(in), why)
					}
				}
			}
		}
		return Answer{}, errors.New("the proof was not confirmed: an access is left")
	}
	out := *cert
	out.Program, out.Assumptions = w.ID, r.Assumptions
	return Answer{verdict: seqmc.Safe, cert: &out, assumptions: r.Assumptions, took: time.Since(start)}, nil
}
