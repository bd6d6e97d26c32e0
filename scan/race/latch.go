package race

import (
	"comus/check/ticket"
	"comus/cir"
	"comus/scan/barrier"
	"comus/scan/thread"
)

// latches are counters of threads: the rule is the checker's (check/ticket), which is asked here as it is there.
type latches struct {
	found *ticket.Latches[*thread.Node, *thread.Thread]
	valid uint64
	wraps bool // a counter of a valid one is taken not to begin anew
}

// latchThreads are the threads.
type latchThreads struct{ c *collector }

func (p latchThreads) All() []*thread.Thread { return p.c.threads.Threads }

func (p latchThreads) Parent(t *thread.Thread) (*thread.Thread, bool) {
	return t.Parent, t.Parent != nil
}

func (p latchThreads) Single(t *thread.Thread) bool {
	return !t.Many && barrier.Once(p.c.prog, p.c.pts, p.c.threads, t)
}

func (p latchThreads) Known(t *thread.Thread) bool {
	if t.Parent == nil {
		return true
	}
	_, _, ok := p.c.threads.Creation(t)
	return ok && !t.Signal
}

func (p latchThreads) Begins(t *thread.Thread) (first *thread.Node, others []*thread.Node) {
	roots := t.Roots()
	return roots[0], roots[1:]
}

func (p latchThreads) Created(t *thread.Thread, call *cir.Call) (list []*thread.Thread) {
	for _, u := range p.c.threads.Threads {
		if u.Created(call) && (u.Parent == t || t.Descends(u)) {
			list = append(list, u)
		}
	}
	return list
}

func (p latchThreads) Covers(ts []*thread.Thread, n *thread.Node, number cir.Value) bool {
	return barrier.Covers(p.c.prog, p.c.pts, p.c.threads, ts, n, number)
}

// findLatches finds counters of threads, before accesses are collected.
func (c *collector) findLatches() {
	if c.prog == nil || c.threads.Unknown || c.threads.Single() || c.pieces.found == nil {
		return
	}
	c.latches.found = c.pieces.found.Tickets().FindLatches(latchThreads{c}, c.threads.AllNodes())
}

// validLatches finds out which latches hold, as far as it is known why locations are race-free.
func (c *collector) validLatches(all []*judged) {
	free := func(x ticket.Cell) bool {
		bytes, found := cellBytes(x.Obj, x.Off, x.Size()), false
		for _, s := range all {
			if s.p.obj == x.Obj && s.p.state == "" && s.x.meets(bytes) {
				if found = true; s.why == Suspected {
					return false
				}
			}
		}
		return found
	}
	for i := range c.latches.found.Len() {
		wraps, ok := c.latches.found.Holds(i, func(x ticket.Cell) []ticket.Write[*thread.Node, *thread.Thread] { return c.pieces.writesOf(c, x) }, free)
		if ok {
			c.latches.valid |= 1 << i
			c.latches.wraps = c.latches.wraps || wraps
		}
	}
}

// ordered reports whether accesses of one of two groups come before those of the other one: its threads were counted then, and the other one has seen that nobody is any more.
func (l *latches) ordered(g, h *group) bool {
	return l.found.Ordered(g.times, h.times, func(i int) bool { return l.valid>>i&1 != 0 })
}
