package comus

import (
	"context"

	"comus/check"
	"comus/comus/confirm"
	"comus/ir"
)

// Certified returns the program that a certificate of SAFE for the source speaks about, with the numbers of locations that it has
// there. The certificate is not checked.
func (s *Source) Certified(ctx context.Context, cert *check.Certificate) (*ir.Program, error) {
	_, how, err := SourceOptions(cert.Program, s.how)
	if err != nil {
		return nil, err
	}
	r, err := s.read(ctx, how, nil)
	if err != nil {
		return nil, err
	}
	return confirm.New(r.Program, r.Read, r.ID, cert.Program.Passes, nil).Simplify()
}
