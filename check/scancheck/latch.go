package scancheck

import (
	"slices"

	"comus/check/ticket"
	"comus/cir"
	"comus/scan/certificate"
)

// Counters of threads order what threads do while they are counted before what a thread does that has seen that none is counted any more: see check/ticket, which says when that is so. Here it is verified that nobody else writes
// the counter, and that its accesses have no data race.

// latches are the counters of threads of a program whose certificate makes use of them.
type latches struct {
	used   bool
	found  *ticket.Latches[int, *thread]
	broken map[int]bool
}

func newLatches(c *certificate.Certificate) latches {
	used := slices.ContainsFunc(c.Locations, func(l certificate.Location) bool { return slices.Contains(l.Pairs, certificate.Latched) })
	return latches{used: used, broken: map[int]bool{}}
}

// findLatches finds the counters of threads, if the certificate makes use of them.
func (ls *locations) findLatches() {
	if !ls.latches.used || ls.locks.robust || ls.cancels {
		return
	}
	all := make([]int, len(ls.copies))
	for c := range all {
		all[c] = c
	}
	ls.latches.found = ls.tickets.FindLatches(latchThreads{ls}, all)
}

// at returns what latches say when a thread runs an instruction of a copy.
func (l *latches) at(t *thread, c int, in cir.Located) ticket.Times { return l.found.At(t, c, in) }

// latchThreads are the threads as they are claimed.
type latchThreads struct{ ls *locations }

func (p latchThreads) All() []*thread { return p.ls.threads.list }

func (p latchThreads) Parent(t *thread) (*thread, bool) {
	if t.index == 0 || t.Parent < 0 {
		return nil, false
	}
	return p.ls.threads.list[t.Parent], true
}

func (p latchThreads) Single(t *thread) bool {
	n, _, ok := p.ls.howMany(t, 0)
	return ok && n.of == nil && n.add <= 1 && !t.Many
}

func (p latchThreads) Known(t *thread) bool {
	if t.Loose || t.lands || p.ls.isSignal(t) {
		return false
	}
	return t.index == 0 || t.Group != nil && t.Parent >= 0 && !p.ls.startsElsewhere(t)
}

func (p latchThreads) Begins(t *thread) (first int, others []int) {
	first = t.Root
	if t.index == 0 && len(p.ls.prog.Constructors) > 0 {
		first = p.ls.plain(p.ls.prog.Constructors[0])
	}
	alone := p.ls.alone(t)
	for _, n := range t.order {
		if alone[n.copy] && n.copy != first {
			others = append(others, n.copy)
		}
	}
	return first, others
}

func (p latchThreads) Created(t *thread, call *cir.Call) (list []*thread) {
	for key, i := range p.ls.creates[t.index] {
		if key.group == p.ls.places[call] {
			list = append(list, p.ls.threads.list[i])
		}
	}
	return list
}

func (p latchThreads) Covers(ts []*thread, c int, number cir.Value) bool {
	sum := int64(0)
	var loop *total
	for _, t := range ts {
		n, from, ok := p.ls.howMany(t, 0)
		switch {
		case !ok || n.add > 1<<30:
			return false
		case n.of == nil:
			sum += max(n.add, 0)
		case loop != nil || from != c:
			return false
		default:
			loop = &n
		}
	}
	v := p.ls.valuesOf(p.ls.copies[c].Func)
	if v == nil {
		return false
	}
	n, ok := v.total(number, false)
	if !ok {
		return false
	}
	if loop == nil {
		return n.of == nil && n.add >= sum
	}
	// A number that is negative is none of threads: then there have to be no others.
	return n.of == loop.of && n.add >= loop.add && sum == 0
}

// latched reports whether accesses of one of two groups come before those of the other one by a counter of threads.
func (ls *locations) latched(g, h *group) bool {
	if g.at == nil || h.at == nil || g.t == h.t {
		return false
	}
	return ls.latches.found.Ordered(g.at.times, h.at.times, func(i int) bool {
		if ls.latches.broken[i] {
			return false
		}
		wraps, ok := ls.latches.found.Holds(i, ls.writesOf, ls.isFree)
		if !ok {
			ls.latches.broken[i] = true
		} else if wraps {
			ls.assumed[assumeLatches] = true
		}
		return ok
	})
}

// isFree reports whether the accesses of a cell have no data race, for other reasons than signals and latches.
func (ls *locations) isFree(c ticket.Cell) bool {
	found := false
	for _, l := range ls.of[c.Obj.ID] {
		if l.Kind != certificate.Memory || !(extent{l.Lo, l.Hi}).meets(extent{c.Off, c.Off + c.Size()}) {
			continue
		}
		if found = true; l.wrong != "" || slices.Contains(l.Pairs, certificate.Signalled) || slices.Contains(l.Pairs, certificate.Latched) {
			return false
		}
	}
	return found && !ls.silent(c.Obj)
}
