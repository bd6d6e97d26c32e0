package race

import (
	"slices"

	"comus/check/counted"
	"comus/cir"
	"comus/scan/lockset"
	"comus/scan/pointsto"
	"comus/scan/thread"
)

// Objects that count their references: the rule is the checker's (check/counted), which is asked here as it is there.

// inThreads are the threads.
type inThreads struct{ c *collector }

func (p inThreads) Threads() int { return len(p.c.threads.Threads) }

func (p inThreads) Nodes(t int) (list []pointsto.Copy) {
	for _, n := range p.c.threads.Nodes(p.c.threads.Threads[t]) {
		list = append(list, n.Copy())
	}
	return list
}

func (p inThreads) Starts(t int) (list []pointsto.Copy) {
	th := p.c.threads.Threads[t]
	call := th.StartCall()
	if call == nil || !th.Root.Fn.Library {
		return []pointsto.Copy{th.Root.Copy()}
	}
	for _, n := range p.c.threads.Calls(th, th.Root, call) {
		list = append(list, n.Copy())
	}
	return list
}

func (p inThreads) Begins(c pointsto.Copy) bool {
	return slices.ContainsFunc(p.c.threads.Threads, func(t *thread.Thread) bool {
		return t.Root.Copy() == c && !t.Signal && t.StartCall() != nil
	})
}

func (p inThreads) Alone(c pointsto.Copy) map[cir.Located]bool {
	m, t := map[cir.Located]bool{}, p.c.threads.Threads[0]
	if n := p.c.threads.NodeOf(c); n != nil && !t.Many {
		p.c.threads.Each(t, n, func(in cir.Located, running thread.Set) {
			m[in] = !slices.ContainsFunc(p.c.threads.Threads, func(u *thread.Thread) bool { return u != t && p.c.threads.Parallel(t, running, u, nil) })
		})
	}
	return m
}

// Spoilt is what the checker finds out.
func (p inThreads) Spoilt(pointsto.Location) bool { return false }

// findCounted looks for proofs that objects of which there are suspects are accessed by who holds references to them. It reports whether it has found one.
func (c *collector) findCounted(all []*judged) bool {
	if c.prog == nil || c.threads.Unknown {
		return false
	}
	if wanted := suspected(all); len(wanted) > 0 {
		c.counted = counted.Find(c.prog, c.pts, inThreads{c}, func(o *pointsto.Object) bool { return wanted[o] }, nil)
	}
	if len(c.counted) > 0 { // which may be of use for what locks protect
		clear(c.asked)
	}
	return len(c.counted) > 0
}

// keepsLock reports whether nobody holds a lock in an object that counts its references where something else is done to it.
func (c *collector) keepsLock(s *lockset.Spoil) bool {
	return s.In != nil && slices.ContainsFunc(c.counted, func(p *counted.Proof) bool { return p.Locks(s.At) && p.Alone(s.Copy, s.In) })
}

// isCounted reports whether the accesses of two groups are made by who holds a reference to the object, and those of one of them by who holds all.
func (c *collector) isCounted(g, h *group) bool {
	every := func(g *group, is func(pointsto.Copy, cir.Located) bool) bool {
		return !slices.ContainsFunc(g.list(), func(a *access) bool { return !is(a.node.Copy(), a.in) })
	}
	return slices.ContainsFunc(c.counted, func(p *counted.Proof) bool {
		if !p.Objects[g.obj] || !p.Objects[h.obj] || !every(g, p.Covers) || !every(h, p.Covers) {
			return false
		}
		return every(g, p.Alone) || every(h, p.Alone)
	})
}
