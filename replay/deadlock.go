package replay

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"comus/cir"
	"comus/cir/interp"
	"comus/ir"
)

// An execution that ends in a deadlock has steps by which threads tell that they wait (package specialise, deadlock.go), which are none of
// the program. Here, when all other steps are taken, these threads go on to where they wait. Then no thread can go on, or some wait in a
// circle: for a lock that the next one holds, or for the end of the next one; or for what nobody gives any more.

// wait is what a thread may be waiting for.
type wait struct {
	n      int
	lock   interp.Value // where a lock lies
	thread int          // of the interpreter: whose end is waited for; -1
}

// endDeadlock completes what is known of a deadlock.
func (pl *plan) endDeadlock(sched ir.Schedule) {
	n := len(sched.Steps)
	switch {
	case n == 0:
		return
	case pl.goal.Check == checkLocks:
		pl.wakes = 2
		return
	case pl.goal.Check != checkDeadlock:
		return
	}
	pl.wakes = 1
	for i, s := range sched.Steps {
		e := s.Edge
		if tellsWait(e) {
			pl.waits = append(pl.waits, stop{thread: e.From.Thread.Index, n: e.Origin, where: whereOf(e, "waits in ")})
		} else if i == n-1 {
			pl.waits = append(pl.waits, stop{thread: e.From.Thread.Index, n: e.Origin, where: whereOf(e, "deadlock in ")})
		}
	}
}

// nextToWait returns a thread that has to go on to where it waits, -1 for none.
func (d *director) nextToWait(ready []int) int {
	for _, w := range d.waits {
		if id, ok := d.idOf[w.thread]; ok && slices.Contains(ready, id) {
			return id
		}
	}
	return -1
}

// othersGoOn reports whether a thread that does something is none of those that should wait, which therefore do, for good: otherwise
// it would be their turn. It may first have to get to where it gives nothing of what they wait for.
func (d *director) othersGoOn(self int) bool {
	if d.next() != nil || d.depth[self] > 0 || slices.ContainsFunc(d.waits, func(w stop) bool { return d.idOf[w.thread] == self }) {
		return false
	}
	d.others++
	return d.others > maxOthers || d.circle() || d.isBlocked()
}

// maxOthers bounds the accesses of others until the threads that wait do so for good.
const maxOthers = 1000

// noteWait keeps what a thread does that may be to wait.
func (d *director) noteWait(name string, self, n int, args []interp.Value) {
	if d.waits == nil {
		return
	}
	in, _ := d.instrs[n].(*cir.Intrinsic)
	switch {
	case name == hookTurn && in != nil && in.Op == cir.Lock:
		d.waiting[self] = &wait{n, args[2], -1}
	case name == hookTurn && in != nil && in.Op == cir.ThreadEnded:
		d.waiting[self] = &wait{n, interp.Value{}, int(args[3].Lo)}
	case name == hookDone && in != nil && in.Op == cir.ThreadEnded && args[2].Lo == 0:
	case name == hookTurn || name == hookDone:
		delete(d.waiting, self)
	}
}

// deadlock says what is wrong with a run whose threads should wait for one another.
func (r *run) deadlock() error {
	if u := r.meaningless(); u != nil {
		return u
	}
	if r.result.Outcome == interp.Deadlock || (r.stuck || r.result.Outcome == interp.Limit) && (r.circle() || r.isBlocked()) {
		return nil
	}
	if r.result.Outcome == interp.Exited || r.failed == nil {
		return fmt.Errorf("the run does not end in a deadlock: %s", r.result)
	}
	return errors.New("threads wait, but perhaps not for good, while others go on")
}

// isBlocked reports whether the thread that found the deadlock waits for what others by their code never give.
func (d *director) isBlocked() bool {
	return slices.ContainsFunc(d.machine.Blocked(), func(w interp.Wait) bool { return w.Thread == d.idOf[d.failing] })
}

// circle reports whether the thread that found the deadlock waits in a circle, or for a lock that a thread has ended with.
func (d *director) circle() bool {
	t := d.idOf[d.failing]
	for range len(d.idOf) + 1 {
		w := d.waiting[t]
		if w == nil {
			return false
		}
		next := w.thread
		if next < 0 {
			b, err := d.machine.Bytes(w.lock, 4)
			if err != nil {
				return false
			}
			if next = int(int32(binary.LittleEndian.Uint32(b))) - 1; next < 0 {
				return false
			}
			if d.exiting[next] {
				return true
			}
		}
		t = next
	}
	return true
}
