package comus

import (
	"context"
	"slices"

	"comus/cir/interp"
	"comus/replay"
	"comus/scan/certificate"
	"comus/scan/hunt"
)

// WeaveRun returns the C program that makes a run of the whole program once more, which ends in a data race.
func (s *Source) WeaveRun(ctx context.Context, ex *certificate.Execution) (*replay.Whole, error) {
	p, err := s.load(ctx)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return replay.WeaveRun(ctx, p.Program, replay.Given{Args: ex.Args, Stdin: ex.Stdin}, func(ctx context.Context, adjust func(*interp.Options)) (*interp.Result, error) {
		again := *ex // it is cut off behind the race
		again.Turns, again.Inputs = slices.Clone(ex.Turns), slices.Clone(ex.Inputs)
		res, _, err := hunt.ReplayWith(ctx, p.Program, &again, hunt.AtPlaces(ex), adjust)
		return res, err
	})
}
