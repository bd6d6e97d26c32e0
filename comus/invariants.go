package comus

import (
	"context"
	"errors"

	"comus/cfront/command"
	"comus/witness"
)

func checkInvariants(ctx context.Context, units []command.Invocation, file string, w witness.Witness, opts Options) (*Result, error) {
	return nil, errors.New("todo")
}

func (w *WitnessWriter) Correctness(ctx context.Context, res *Result, opts Options) (witness.Witness, error) {
	return nil, nil
}
