// Package involved reads off an execution what its violation is about: the threads that race or wait for one another (In), those that have ended with locks (EndedHolding), and
// who takes and gives back which lock when (LockEvents). All follow the values of the variables that say who holds a lock.
package involved

import (
	"cmp"
	"slices"
	"strings"

	"comus/ir"
	"comus/ir/interp"
	"comus/specialise"
)

// Thread is the part of one thread in a data race or a deadlock: where it stands at the end of the execution, before an access or waiting.
type Thread struct {
	Thread *ir.Thread
	Pos    ir.Pos
	Text   string   // the statement
	Waits  bool     // it waits there, and does not access
	Held   []string // the locks that it holds; of a read-write lock how: "table.lock (read)"
	// HeldUnknown: which locks it holds is not known.
	HeldUnknown bool
	// Calls are those that led there, innermost first, down to the function that the thread began with, and Created those that led to
	// its creation.
	Calls, Created []ir.At
}

// In returns the threads that a violation is about, in the order in which they came there: the two that race, those that wait for one
// another. It is nil for an execution that violates another property.
func In(tr interp.Trace) []Thread {
	if tr.Error == nil || tr.Error.Check != specialise.Race && tr.Error.Check != specialise.Deadlock {
		return nil
	}
	waits := tr.Error.Check == specialise.Deadlock
	var held heldLocks
	var out []Thread
	var locks [][]heldLock // of each
	for _, s := range tr.Steps {
		held.step(s)
		if p := s.Edge.Tells; p != nil {
			x := Thread{Thread: s.Thread, Pos: p.Pos, Text: p.Text, Waits: waits}
			x.Calls, x.Created = p.In.Stack(p.Pos)
			out, locks = append(out, x), append(locks, held.by(s.Thread))
		}
	}
	last := tr.Error.Text
	for _, prefix := range []string{specialise.RaceAt, specialise.DeadlockIn} {
		last = strings.TrimPrefix(last, prefix)
	}
	x := Thread{Thread: tr.Error.Thread, Pos: tr.Error.Pos, Text: last, Waits: waits}
	x.Calls, x.Created = tr.Error.Frame.Stack(tr.Error.Pos)
	out, locks = append(out, x), append(locks, held.by(tr.Error.Thread))
	for i := range out {
		out[i].Held, out[i].HeldUnknown = held.names(locks[i]), slices.Contains(tr.Program.HeldUnknown, out[i].Thread)
	}
	if waits && len(out) > few { // who holds what others wait for is what matters
		slices.Reverse(out)
		slices.SortStableFunc(out, func(p, q Thread) int { return cmp.Compare(min(len(q.Held), 1), min(len(p.Held), 1)) })
	}
	return out
}

// few is how many threads of a deadlock are seen at once.
const few = 3

// Ended is a thread that has ended, and still holds locks.
type Ended struct {
	Thread *ir.Thread
	Pos    ir.Pos // where it ended
	Held   []string
}

// EndedHolding returns the threads that have ended with locks that they hold, of an execution that ends in a deadlock: nobody gives these back.
func EndedHolding(tr interp.Trace) (out []Ended) {
	if tr.Error == nil || tr.Error.Check != specialise.Deadlock {
		return nil
	}
	var held heldLocks
	for _, s := range tr.Steps {
		if held.step(s); s.Edge.Kind == ir.End {
			out = append(out, Ended{Thread: s.Thread, Pos: s.Pos})
		}
	}
	for i := range out {
		out[i].Held = held.names(held.by(out[i].Thread))
	}
	return slices.DeleteFunc(out, func(x Ended) bool { return len(x.Held) == 0 || slices.Contains(tr.Program.HeldUnknown, x.Thread) })
}
