package comus

import (
	"context"
	"errors"
	"fmt"
	"time"

	"comus/check"
	"comus/internal/timing"
	"comus/partialorder"
	"comus/seqmc"
)

// The strategy partial-order decides a program by reasoning about events, without any
// schedule: package partialorder looks for an execution in which a thread is the first to
// fail, with loops gone around more and more often. When nothing was cut off and no thread
// can fail, the program is safe; the check encodes all executions once more (check.Orders),
// for which the program must not have loops left after the passes.

// maxRounds bounds how often loops are gone around.
const maxRounds = 1 << 10

// partialOrder decides the program.
func (v *verifier) partialOrder(ctx context.Context) error {
	v.res.Engine = "partial-order"
	cert := &check.Certificate{Format: check.Format, Version: check.Version, Assumptions: v.p.Assumptions}
	for unwind := 1; unwind <= maxRounds; unwind *= 2 {
		all := true
		for _, t := range v.p.Threads {
			if !t.HasErrors() {
				continue
			}
			done := v.opts.Timings.Start(timing.Events)
			blocks, complete, err := partialorder.Find(ctx, v.p, v.graphs, partialorder.Options{Main: t.Index, Unwind: unwind, Log: v.log.Named("partialorder")})
			done()
			if err != nil {
				return err
			}
			if blocks != nil {
				return v.unsafe(ctx, cert, blocks)
			}
			all = all && complete
		}
		if all {
			return v.ordersSafe(ctx, cert)
		}
		v.log.Info("no violation", "loops gone around", unwind)
		if done, err := v.proveLoops(ctx, cert); done {
			return err
		}
	}
	return fmt.Errorf("no violation with loops gone around %d times", maxRounds)
}

// ordersSafe confirms that a program without loops is safe.
func (v *verifier) ordersSafe(ctx context.Context, cert *check.Certificate) error {
	cert.Verdict, cert.Method = seqmc.Safe.String(), check.MethodOrders
	start := time.Now()
	defer v.opts.Timings.Start(timing.Checking)()
	if err := check.Safe(ctx, v.p, cert); err != nil {
		v.log.Error("the proof was not confirmed", "error", err)
		return fmt.Errorf("the proof was not confirmed: %w", err)
	}
	v.res.CheckTime = time.Since(start)
	if len(v.p.Bounded) > 0 {
		return errors.New("no violation, but only within bounds: " + v.p.Bounded[0])
	}
	v.res.Verdict, v.res.Certificate = seqmc.Safe, cert
	return nil
}
