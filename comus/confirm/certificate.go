package confirm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"comus/check"
	"comus/seqmc"
)

// Certificate confirms a certificate that somebody brought. The subject has to be the source
// as the certificate wants it to be read.
func (s *Subject) Certificate(ctx context.Context, cert *check.Certificate) (Answer, error) {
	switch {
	case cert.Parametric != nil && s.Every():
		return s.proved(ctx, cert)
	case cert.Verdict == seqmc.Safe.String():
		a, err := s.After(cert.Program.Passes).proved(ctx, cert)
		if err == nil && a.Complete() {
			err = fmt.Errorf("the program is bounded: %s", a.bound)
		}
		return a, err
	case cert.Verdict == seqmc.Unsafe.String(): // the passes only have to exist
		if err := Known(cert.Program.Passes); err != nil {
			return Answer{}, err
		}
		return s.replayed(ctx, cert)
	}
	return Answer{}, fmt.Errorf("the certificate has no verdict %q", cert.Verdict)
}

// Claim is a verdict of another process of comus's own, which has confirmed it.
type Claim struct {
	Program     check.Program      // what was read there, and how
	Certificate *check.Certificate // nil if the states were visited
	Assumptions []string
	Took        time.Duration
	Solver      string
}

// SafeElsewhere takes over that the source is safe. The proof is not made once more, but it
// has to be about the same text, read in the same way: the file may have been changed
// meanwhile. An execution is not taken over: replaying it is what gives its trace.
func (s *Subject) SafeElsewhere(c Claim) (Answer, error) {
	if err := s.Same(c.Program); err != nil {
		return Answer{}, err
	}
	if s.exact {
		return Answer{}, ErrExact
	}
	return Answer{about: s, verdict: seqmc.Safe, cert: c.Certificate, assumptions: c.Assumptions, took: c.Took, solver: c.Solver}, nil
}

// Same returns an error unless the subject is the same text, read with the same meaning.
// Bounds and passes may differ: no verdict that is not Unknown depends on them.
func (s *Subject) Same(p check.Program) error {
	switch {
	case s.ID.SHA256 != p.SHA256:
		return errors.New("it is about another source: the file has been changed")
	case s.ID.DataModel != p.DataModel || s.ID.Entry != p.Entry || s.ID.Unknown != p.Unknown || s.ID.Overflow != p.Overflow || s.ID.Atomic != p.Atomic || s.ID.Daemons != p.Daemons || s.ID.About != p.About || s.ID.AnyReads != p.AnyReads || !slices.Equal(s.ID.Check, p.Check):
		return errors.New("the source was read with other options")
	}
	return nil
}
