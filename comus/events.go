package comus

import (
	"context"
	"errors"
	"fmt"
	"time"

	"comus/check"
	"comus/internal/timing"
	"comus/ir"
	"comus/partialorder"
	"comus/seqmc"
)

// The strategy partial-order decides a program by reasoning about events, without any
// schedule: package partialorder looks for an execution in which a thread is the first to
// fail, with loops gone around more and more often. When nothing was cut off and no thread
// can fail, the program is safe; the check encodes all executions once more (check.Orders).
// When something was cut off, the check is tried for a while: it looks at values, and may
// find that loops are not gone around more often.

// maxRounds bounds how often loops are gone around.
const maxRounds = 1 << 10

// partialOrder decides the program.
func (v *verifier) partialOrder(ctx context.Context) error {
	v.res.Engine = "partial-order"
	cert := &check.Certificate{Format: check.Format, Version: check.Version, Assumptions: v.p.Assumptions}
	start := time.Now()
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
		limit := max(time.Second, time.Since(start)/2)
		if all {
			limit = 24 * time.Hour
		}
		err := v.ordersWithin(ctx, cert, unwind+1, limit) // the check may have the first iteration inside the loop
		if err == nil || ctx.Err() != nil || all && !errors.Is(err, check.ErrBound) || errors.Is(err, errBounded) {
			return err
		}
		v.log.Info("no violation", "loops gone around", unwind)
	}
	return fmt.Errorf("no violation with loops gone around %d times", maxRounds)
}

// ordersWithin is ordersSafe within some time, with cut-points: what a thread does while it
// holds a mutex is one move, where that helps.
func (v *verifier) ordersWithin(ctx context.Context, cert *check.Certificate, bound int, limit time.Duration) error {
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	v.describeThreads(cert)
	cert.Facts = ""
	return v.ordersSafe(within, cert, bound)
}

// errBounded is the error for a program without violation that the front end bounded.
var errBounded = errors.New("no violation, but only within bounds")

// ordersSafe confirms that a program is safe whose loops are gone around as often as bound
// says. If it is not confirmed, the certificate says nothing of it.
func (v *verifier) ordersSafe(ctx context.Context, cert *check.Certificate, bound int) error {
	cert.Verdict, cert.Method, cert.Bound = seqmc.Safe.String(), check.MethodOrders, bound
	start := time.Now()
	defer v.opts.Timings.Start(timing.Checking)()
	solver, err := check.Orders(ctx, v.p, cert)
	if err != nil {
		cert.Method, cert.Bound, cert.Threads = "", 0, nil
		v.log.Info("the proof was not confirmed", "bound", bound, "error", err)
		return fmt.Errorf("the proof was not confirmed: %w", err)
	}
	v.res.CheckTime, v.res.CheckSolver = time.Since(start), solver
	if len(v.p.Bounded) > 0 {
		return fmt.Errorf("%w: %s", errBounded, v.p.Bounded[0])
	}
	v.res.Verdict, v.res.Certificate = seqmc.Safe, cert
	return nil
}

// confirmSafe checks a proof, and says which solver decided where that is not always the
// same one.
func confirmSafe(ctx context.Context, p *ir.Program, cert *check.Certificate) (solver string, err error) {
	if cert.Method == check.MethodOrders {
		return check.Orders(ctx, p, cert)
	}
	return "", check.Safe(ctx, p, cert)
}
