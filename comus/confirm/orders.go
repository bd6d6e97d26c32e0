package confirm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"comus/check"
	"comus/check/waits"
	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
	"comus/seqmc"
	"comus/specialise"
)

// Orders confirms a certificate with an order of all that threads wait for, from which it follows that the program has no deadlock. pts is what pointsto.AnalyseOpen found of
// the program.
func (w *Whole) Orders(ctx context.Context, pts *pointsto.Result, cert *check.Certificate) (Answer, error) {
	start := time.Now()
	switch about, err := specialise.ChecksNamed(w.ID.Check); {
	case err != nil:
		return Answer{}, err
	case about != specialise.Checks{NoAssert: true, Deadlock: true}:
		return Answer{}, errors.New("an order of locks proves that there is no deadlock, and nothing else (--check=deadlock)")
	case w.ID.About != "" || w.ID.AnyReads != "" || w.ID.Cut != 0 || w.ID.Parametric:
		return Answer{}, errors.New("an order of locks is about all of one program")
	case w.ID.Atomic != "step":
		return Answer{}, errors.New("orders of locks are not looked at where statements are atomic")
	case cert.Orders == nil || cert.Method != check.MethodLockOrder || cert.Verdict != seqmc.Safe.String():
		return Answer{}, errors.New("the certificate has no order of locks")
	case cert.Scan != nil || cert.Values != nil || cert.Execution != nil || cert.Schedule != nil || cert.Parametric != nil || len(cert.Suspects)+len(cert.Threads)+len(cert.Runs) > 0 || cert.Facts != "":
		return Answer{}, errors.New("the certificate has more than one kind of evidence")
	case len(cert.Program.Passes) > 0:
		return Answer{}, errors.New("the certificate names passes, which an order of locks is not made with")
	}
	assumed, err := waits.Check(ctx, w.Program, pts, cert.Orders)
	if err != nil {
		return Answer{}, fmt.Errorf("the proof was not confirmed: %w", err)
	}
	if w.ID.Overflow == "wrap" && slices.Contains(assumed, assumeOverflow) {
		return Answer{}, errWraps
	}
	out := *cert
	out.Program, out.Assumptions = w.ID, assumed
	return Answer{verdict: seqmc.Safe, cert: &out, assumptions: assumed, took: time.Since(start)}, nil
}

// assumeOverflow is what package waits takes for granted of signed numbers.
const assumeOverflow = "no signed integer overflow"

var errWraps = errors.New("the order of locks is by numbers that may wrap around")

// OrdersWrap returns an error if an order of all that threads wait for is not confirmed where signed results wrap around.
func OrdersWrap(ctx context.Context, prog *cir.Program, pts *pointsto.Result, claims *certificate.Orders) error {
	assumed, err := waits.Check(ctx, prog, pts, claims)
	if err == nil && slices.Contains(assumed, assumeOverflow) {
		err = errWraps
	}
	return err
}
