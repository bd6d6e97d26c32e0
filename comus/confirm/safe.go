package confirm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"comus/check"
	"comus/internal/timing"
	"comus/ir"
	"comus/ir/explore"
	"comus/seqmc"
)

// Safe makes a proof of safety again. Only the proof in the certificate is read, and which
// passes made the program it speaks about (nil: those of the subject); whatever an engine
// wrote beside it is replaced by what the subject is.
func (s *Subject) Safe(ctx context.Context, proof *check.Certificate) (Answer, error) {
	if s.exact {
		return Answer{}, ErrExact
	}
	defer s.Timings.Start(timing.Checking)()
	cert := *proof
	cert.Format, cert.Version, cert.Verdict, cert.Schedule = check.Format, check.Version, seqmc.Safe.String(), nil
	about := s
	if names := cert.Program.Passes; !s.Every() && names != nil && !slices.Equal(names, s.ID.Passes) {
		about = s.After(names)
	}
	cert.Program, cert.Assumptions = about.ID, s.Original.Assumptions
	a, err := about.proved(ctx, &cert)
	if err != nil {
		return Answer{}, fmt.Errorf("the proof was not confirmed: %w", err)
	}
	return a, nil
}

// proved checks a certificate of safety as it is. What kind of proof it is decides which
// questions it can be one for.
func (s *Subject) proved(ctx context.Context, cert *check.Certificate) (Answer, error) {
	if s.exact {
		return Answer{}, ErrExact
	}
	start := time.Now()
	a := Answer{about: s, verdict: seqmc.Safe, bound: bound(s.Original), cert: cert, assumptions: s.Original.Assumptions}
	var err error
	if s.Every() {
		err = s.provedForEvery(ctx, cert)
	} else {
		a.solver, err = s.provedWithin(ctx, cert)
	}
	if err != nil {
		return Answer{}, err
	}
	a.took = time.Since(start)
	return a, nil
}

// provedForEvery checks a proof for every number of threads. It is none for a program in
// which something was cut off.
func (s *Subject) provedForEvery(ctx context.Context, cert *check.Certificate) error {
	if len(cert.Program.Passes) > 0 {
		return errors.New("the certificate names passes, which a proof for every number of threads is not made with")
	}
	if b := bound(s.Original); b != "" {
		return fmt.Errorf("the program is bounded: %s", b)
	}
	return check.Parametric(ctx, s.Original, cert)
}

// provedWithin checks a proof of the program after the passes, and says which solver decided
// where that is not always the same one.
func (s *Subject) provedWithin(ctx context.Context, cert *check.Certificate) (solver string, err error) {
	p, err := s.Simplify()
	if err != nil {
		return "", err
	}
	switch {
	case cert.Method == check.MethodOrders && cert.Parametric != nil:
		return "", errors.New("the certificate has proofs of two kinds")
	case cert.Method == check.MethodOrders:
		return check.Orders(ctx, p, cert)
	case cert.Parametric != nil && (cert.Parametric.Counted || cert.Parametric.Census):
		return "", errors.New("the certificate counts threads, whose creations and ends the passes do not keep")
	case cert.Parametric != nil:
		return "", check.Parametric(ctx, p, cert)
	}
	return "", check.Safe(ctx, p, cert)
}

// Visit visits the states of a program. If there is no error among them, and the interpreter
// of the reference semantics has come from them to no other one (o.Recheck), and if the program is the
// subject's, before the passes or after, that is an answer, without a certificate; otherwise
// the answer says nothing; nor does it of an exact subject.
func (s *Subject) Visit(ctx context.Context, p *ir.Program, o explore.Options) (explore.Result, Answer, error) {
	r, err := explore.Explore(ctx, p, o)
	if err != nil || r.Verdict != explore.Safe || !o.Recheck || s.exact {
		return r, Answer{}, err
	}
	if own, err := s.Simplify(); p != s.Original && (err != nil || p != own) {
		return r, Answer{}, nil
	}
	return r, Answer{about: s, verdict: seqmc.Safe, bound: bound(s.Original), assumptions: s.Original.Assumptions, took: r.CheckTime}, nil
}
