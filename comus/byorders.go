package comus

import (
	"context"
	"errors"
	"time"

	"comus/internal/timing"
	"comus/scan"
	"comus/scan/hunt"
	"comus/specialise"
)

// The strategy "scan" looks for deadlocks by the orders in which threads take locks (package scan/order): runs of the program as a whole are directed at those that may
// end in one, and a run that ends with threads which wait for one another's locks in a circle decides the program. That there is no such order proves nothing: threads wait for other
// things, too, and not all locks that are held are seen. So a proof is one of the engines, which are asked if the program is not too large for them.

// asksForDeadlocks reports whether a question is one about all deadlocks.
func (o Options) asksForDeadlocks() bool {
	q := o.Question
	return q.Check == specialise.Checks{NoAssert: true, Deadlock: true} && q.About == "" && q.Cut == 0 && q.Known == "" && !q.AtomicStatements && !q.Parametric && !o.Exact
}

// The parts of the time that is left for runs: where engines are asked afterwards, and where they cannot be.
const runsBeforeEngines, runsAlone = 1. / 2, 7. / 8

// byOrders looks for a deadlock. large tells that it is known that the program is too large to be taken apart.
func (s *Source) byOrders(ctx context.Context, opts Options, res *Result, large bool) (*Result, error) {
	if opts.Alone {
		return res.unknown(ctx, errors.New("deadlocks are found by runs, or not at all")), nil
	}
	orders, err := s.lockOrders(ctx, opts)
	if err != nil {
		return res.unknown(ctx, err), nil
	}
	switch unsafe, doubt := s.deadlockRun(ctx, opts, orders, large); {
	case unsafe != nil:
		unsafe.Warnings = res.Warnings
		return unsafe, nil
	case doubt != nil:
		return res.unknown(ctx, doubt), nil
	case large || ctx.Err() != nil:
		return res.unknown(ctx, errors.New("no run ends in a deadlock")), nil
	}
	opts.Strategy = Auto
	return s.verify(ctx, opts)
}

// lockOrders returns the orders of locks that may end in a deadlock.
func (s *Source) lockOrders(ctx context.Context, opts Options) ([]*scan.Deadlock, error) {
	defer opts.Timings.Start(timing.Scanning)()
	found, err := scan.Analyse(ctx, s.prog.Program, nil, scan.Options{Orders: true})
	if err != nil {
		return nil, err
	}
	return found.Deadlocks, nil
}

// deadlockRun looks for a run that ends in a deadlock. The error is why one is no verdict, if it is not.
func (s *Source) deadlockRun(ctx context.Context, opts Options, orders []*scan.Deadlock, large bool) (unsafe *Result, doubt error) {
	within, stop := context.WithCancel(ctx)
	defer stop()
	look := SuspectOptions{Options: opts}.complete().Hunt
	if end, ok := ctx.Deadline(); ok {
		part := runsBeforeEngines
		if large {
			part = runsAlone
		}
		look.Time = time.Duration(part * float64(time.Until(end)))
	}
	look.Confirmed = func(ex *hunt.Execution) (counts, enough bool) { // one is enough
		res, err := s.byRun(ctx, ex, opts)
		if errors.As(err, new(*contradiction)) {
			doubt = err
		}
		if err == nil {
			unsafe = res
			stop()
		}
		return err == nil, err == nil
	}
	var targets []hunt.Target
	for _, d := range orders {
		targets = append(targets, hunt.OfDeadlock(d))
	}
	if len(orders) == 0 { // what was not seen is looked for, for less time
		look.Time /= 4
	}
	if opts.Question.Daemons == "" { // else some threads may wait for ever
		targets = append(targets, hunt.OfAnyDeadlock())
	}
	if _, err := hunt.For(within, s.prog.Program, targets, look); err != nil {
		opts.Log.Info("the program cannot be run", "error", err)
	}
	return unsafe, doubt
}
