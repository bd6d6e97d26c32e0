package scan

import (
	"comus/cir"
	"comus/scan/order"
	"comus/scan/race"
)

// Deadlock is a lock order that may end in one: threads of which each holds a lock and takes the one that the next one holds, the last one that of the first one.
// If there is one step only, several threads are at it.
type Deadlock struct{ Steps []*Taking }

// Taking is where a thread takes a lock and holds another one.
type Taking struct {
	Instr  cir.Instr // the call
	Func   *cir.Func
	Site   *cir.Site
	Thread *Thread
	// Holds and Takes name the two locks, as a person would write them there.
	Holds, Takes string
}

// findOrders looks at the orders in which locks are taken.
func (a *analysis) findOrders() error {
	found, err := order.Analyse(a.ctx, a.pts, a.threads, a.locks)
	for _, c := range found {
		d := &Deadlock{}
		for _, s := range c {
			d.Steps = append(d.Steps, &Taking{Instr: s.Call, Func: s.Func, Site: s.Site, Thread: a.of[s.Thread], Holds: race.LockName(s.Holds), Takes: race.LockName(s.Takes)})
		}
		a.res.Deadlocks = append(a.res.Deadlocks, d)
	}
	return err
}
