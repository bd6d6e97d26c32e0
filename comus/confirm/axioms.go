package confirm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"comus/check"
	"comus/cir"
	"comus/ir"
	"comus/seqmc"
)

// Axioms confirms that no execution of the whole program violates a property, by an encoding of all executions that the axioms of the memory model allow. The program of ir is what the whole one becomes if it is
// taken apart with its memory orders.
func (w *Whole) Axioms(ctx context.Context, cert *check.Certificate, p *ir.Program) (Answer, error) {
	start := time.Now()
	model, err := modelOf(w.ID.MemoryModel)
	if err != nil {
		return Answer{}, err
	}
	switch {
	case cert.Method != check.MethodAxioms || cert.Verdict != seqmc.Safe.String():
		return Answer{}, errors.New("the certificate is no proof by axioms")
	case cert.Graphs != nil || cert.Scan != nil || cert.Values != nil || cert.Orders != nil || cert.Execution != nil || cert.Schedule != nil || cert.Parametric != nil || len(cert.Suspects)+len(cert.Threads)+len(cert.Runs) > 0 || cert.Facts != "":
		return Answer{}, errors.New("the certificate has more than one kind of evidence")
	case len(cert.Program.Passes) > 0:
		return Answer{}, errors.New("the certificate names passes, which the program is not made with")
	case w.ID.About != "" || w.ID.AnyReads != "" || w.ID.Cut != 0 || w.ID.Parametric || w.ID.Atomic != "step":
		return Answer{}, errors.New("a proof by axioms is one of all of the program")
	}
	instr := map[int]cir.Located{}
	for in, n := range cir.Number(w.Program) {
		instr[n] = in
	}
	solver, err := check.Axioms(ctx, p, cert, model, instr)
	if err != nil {
		return Answer{}, fmt.Errorf("the proof was not confirmed: %w", err)
	}
	out := *cert
	out.Program = w.ID
	out.Assumptions = slices.DeleteFunc(slices.Clone(p.Assumptions), func(a string) bool { return a == AssumeOrder })
	return Answer{verdict: seqmc.Safe, cert: &out, assumptions: out.Assumptions, took: time.Since(start), solver: solver}, nil
}
