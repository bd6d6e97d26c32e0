package involved

import (
	"slices"

	"comus/ir"
	"comus/ir/interp"
)

// LockEvent tells that a step of an execution took a lock or gave it back.
type LockEvent struct {
	Step   int // its index in the trace
	Thread *ir.Thread
	Lock   *ir.Var // what tells who holds the lock: one variable for each lock
	Name   string  // as reports name it: "table.lock"
	How    string  // of a read-write lock: "read" or "write"
	Taken  bool
}

// LockEvents returns who takes and gives back which locks in an execution, in the order of the steps.
func LockEvents(tr interp.Trace) []LockEvent {
	var held heldLocks
	var out []LockEvent
	var locks []heldLock // of each event
	tell := func(i int, all []heldLock, without []heldLock, taken bool) {
		for _, l := range all {
			if !slices.Contains(without, l) {
				out = append(out, LockEvent{Step: i, Thread: l.thread, Lock: l.lock, Taken: taken})
				locks = append(locks, l)
			}
		}
	}
	for i, s := range tr.Steps {
		if !slices.ContainsFunc(s.Changes, func(c interp.Change) bool { return c.Var.Holder != ir.NoLock }) {
			continue
		}
		before := slices.Clone(held.list)
		held.step(s)
		tell(i, before, held.list, false)
		tell(i, held.list, before, true)
	}
	for i := range out {
		l := locks[i]
		out[i].How = l.how
		l.how = ""
		out[i].Name = held.name(l)
	}
	return out
}

// LockName returns the name of a lock that a statement wants to take, as [LockEvents] names those that are taken.
func LockName(lock *ir.Var, statement string) string {
	return (&heldLocks{}).name(heldLock{lock: lock, text: statement})
}
