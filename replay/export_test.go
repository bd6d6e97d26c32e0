package replay

import (
	"context"

	"comus/cir"
	"comus/ir"
)

// ErrInterrupts is what Weave says where a handler of signals interrupts a thread.
var ErrInterrupts = errInterrupts

// Followed is Interpret without runs under random schedules.
func Followed(ctx context.Context, p *cir.Program, prog *ir.Program, sched ir.Schedule) error {
	_, err := follow(ctx, p, prog, sched)
	return err
}
