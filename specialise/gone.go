package specialise

import (
	"fmt"

	"comus/ir"
	"comus/logic"
)

// Where a thread forks, the child is the same program with that thread only ([cir.ThreadAlone]): all others are gone, and have not ended. Each has a
// flag for that, which the step of the fork sets of those that have been created, and which all steps of theirs that others could notice look at. What others access
// without an order to the fork may be half done in the child's memory. So who stands before an access when it is gone still has a data race with one of the child's, as
// ThreadSanitizer has it, too.

// alone is a step after which a thread is alone.
type alone struct {
	th *thread
	e  *edge
}

// goesOn is the approximation where the other threads are not stopped: what is known of them then is that they give nothing that somebody waits for.
const goesOn = "fork: the child goes on beside the other threads"

// goAlone makes the current thread the only one.
func (b *builder) goAlone() {
	b.settle(true)
	b.alones = append(b.alones, alone{b.th, b.emit(b.text())})
}

// canStop reports whether what other threads did does not matter any more when they are gone.
func (b *builder) canStop() bool {
	if b.opts.Check.Leak || b.weak() {
		return false
	}
	for _, t := range b.threads {
		if t.replicated {
			return false
		}
	}
	return true
}

// gone returns the condition that a thread is gone.
func (b *builder) gone(t *thread) *logic.Term {
	if t.gone == nil {
		return b.L.False()
	}
	return b.L.Eq(t.gone.Sym, b.L.Int(1))
}

// findGone makes the flags of the threads that may be gone.
func (b *builder) findGone() {
	if len(b.threads) == 1 {
		b.alones = nil
	}
	for _, a := range b.alones {
		if !b.canStop() {
			a.e.approx = goesOn
		}
		for _, t := range b.threads {
			if t != a.th && t.gone == nil {
				t.gone = b.flag(fmt.Sprintf("gone%d", t.index))
			}
		}
	}
}

// stopOthers adds the steps that set the flags, and those that look at them.
func (b *builder) stopOthers() {
	for _, a := range b.alones {
		b.setGone(a)
	}
	for _, t := range b.threads {
		if t.gone != nil && b.canStop() {
			b.stopWhile(t, b.gone(t))
		}
	}
}

// setGone makes a step one after which all threads but one are gone.
func (b *builder) setGone(a alone) {
	b.th = a.th
	last, at := a.e.to, b.midway(a)
	a.e.to = at
	add := func(from, to *loc, c ir.Cmd) {
		c.Origin = a.e.origin
		from.outs++
		a.th.edges = append(a.th.edges, &edge{from: from, to: to, cmds: []ir.Cmd{c}, thread: -1, pos: a.e.pos, text: a.e.text, origin: a.e.origin})
	}
	for _, t := range b.threads {
		if t == a.th {
			continue
		}
		next := b.midway(a)
		from := at
		if t.created != nil {
			from = b.midway(a)
			add(at, from, ir.AssumeCmd(b.L.Eq(t.created.Sym, b.L.Int(1))))
			add(at, next, ir.AssumeCmd(b.L.Eq(t.created.Sym, b.L.Int(0))))
		}
		add(from, next, ir.AssignCmd(t.gone, b.L.Int(1)))
		at = next
	}
	at.outs++
	a.th.edges = append(a.th.edges, &edge{from: at, to: last, thread: -1, pos: a.e.pos, text: a.e.text, origin: a.e.origin})
}

// midway returns a location within the step.
func (b *builder) midway(a alone) *loc {
	l := a.th.newLoc(a.e.pos)
	l.atomic = true
	return l
}

// stopWhile lets a thread take the steps only that nobody can notice while a condition holds.
func (b *builder) stopWhile(t *thread, stopped *logic.Term) {
	if stopped.IsFalse() {
		return
	}
	outs := t.outgoing()
	for _, l := range t.locs[:len(t.locs):len(t.locs)] {
		if l.atomic || !b.noticed(outs[l]) {
			continue
		}
		on := t.newLoc(l.pos)
		on.atomic = true
		for _, e := range outs[l] {
			e.from = on
			on.outs++
		}
		l.outs = 1
		t.edges = append(t.edges, &edge{from: l, to: on, cmds: []ir.Cmd{ir.AssumeCmd(b.L.Not(stopped))}, thread: -1, pos: l.pos})
	}
}

// noticed reports whether others could notice one of some steps, or what follows in the same atomic section. That the thread starts, nobody does.
func (b *builder) noticed(es []*edge) bool {
	for _, e := range es {
		if e.kind != ir.Start && (e.kind != ir.Plain || e.to.atomic || e.to.err || e.to.dead || b.sharedLocations(e.cmds) > 0) {
			return true
		}
	}
	return false
}
