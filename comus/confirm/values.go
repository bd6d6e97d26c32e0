package confirm

import (
	"context"
	"errors"
	"fmt"

	"comus/check"
	"comus/cir"
	"comus/scan/pointsto"
	"comus/seqmc"
	"comus/specialise"
)

// Arithmetic confirms a certificate with claims about values, from which it follows that all arithmetic of the program has a meaning. pts is what pointsto.AnalyseOpen found of
// the program.
func (w *Whole) Arithmetic(ctx context.Context, pts *pointsto.Result, cert *check.Certificate) (Answer, error) {
	switch about, err := specialise.ChecksNamed(w.ID.Check); {
	case err != nil:
		return Answer{}, err
	case about != specialise.Checks{NoAssert: true, Overflow: true}:
		return Answer{}, errors.New("claims about values prove that all arithmetic is defined, and nothing else (--check=overflow)")
	case w.ID.About != "" || w.ID.AnyReads != "" || w.ID.Cut != 0 || w.ID.Parametric:
		return Answer{}, errors.New("claims about values are about all of one program")
	case w.ID.Overflow == "wrap":
		return Answer{}, errors.New("where signed numbers wrap around, overflows are not looked at")
	case cert.Values == nil || cert.Method != check.MethodValues || cert.Verdict != seqmc.Safe.String():
		return Answer{}, errors.New("the certificate has no claims about values")
	case cert.Scan != nil || cert.Orders != nil || cert.Execution != nil || cert.Schedule != nil || cert.Parametric != nil || len(cert.Suspects)+len(cert.Threads)+len(cert.Runs) > 0 || cert.Facts != "":
		return Answer{}, errors.New("the certificate has more than one kind of evidence")
	case len(cert.Program.Passes) > 0:
		return Answer{}, errors.New("the certificate names passes, which claims about values are not made with")
	}
	r, took, err := w.values(ctx, pts, cert.Values)
	if err != nil {
		return Answer{}, err
	}
	for _, f := range w.Program.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if why, open := r.Undefined[in]; open {
					return Answer{}, fmt.Errorf("the proof was not confirmed: %s: %s", siteOf(in), why)
				}
			}
		}
	}
	out := *cert
	out.Program, out.Assumptions = w.ID, r.Assumptions
	return Answer{verdict: seqmc.Safe, cert: &out, assumptions: r.Assumptions, took: took}, nil
}

func siteOf(in cir.Instr) string {
	if site := in.Meta().Site; site != nil {
		return site.Pos.String()
	}
	return "?"
}
