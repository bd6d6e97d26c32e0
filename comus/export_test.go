package comus

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/go-hclog"

	"comus/check"
	"comus/comus/engine"
	"comus/ir"
	"comus/threadmodular"
)

// ProveEvery is the engine thread-modular for a program that is already there in IR. It
// reports whether there is a proof; the error is for one that does not hold.
func ProveEvery(ctx context.Context, p *ir.Program) (bool, error) {
	if len(p.Bounded) > 0 {
		return false, nil
	}
	p.Renumber()
	proof, err := threadmodular.Prove(ctx, p, hclog.NewNullLogger(), threadmodular.Options{})
	if err != nil {
		return false, nil
	}
	err = check.Parametric(ctx, p, engine.CertificateOf(p, proof))
	switch {
	case err == nil:
		return true, nil
	case ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded):
		return false, nil
	}
	return false, fmt.Errorf("the proof is not confirmed: %w", err)
}
