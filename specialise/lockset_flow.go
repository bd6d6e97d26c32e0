package specialise

import (
	"maps"
	"slices"

	"comus/ir"
	"comus/logic"
)

// held is what is known at a location of a thread. It is not changed once it stands for one.
type held struct {
	locks   map[string]mode
	reading map[string]bool // locks that may be held for reading
	created threadSet
	ended   threadSet
	values  map[*ir.Var][]int64 // all that variables of the thread's own may hold, of those that hold one of a few constants
	when    map[condition]whenHeld
}

// condition is that a variable may tell whether a lock is held.
type condition struct {
	v    *ir.Var
	lock string
}

// whenHeld are the values with which it is.
type whenHeld struct {
	in   []int64
	mode mode
}

// lockWrite is a write to a lock other than by its functions.
type lockWrite struct {
	th *thread
	h  *held
}

// locksets computes what is held everywhere.
type locksets struct {
	b      *builder
	of     []map[*loc]*held // of each thread
	ended  map[*ir.Var]int  // whose end a variable tells
	ends   []threadSet      // the threads that have ended where each ends
	spoilt map[string]bool  // what is no lock after all
	uses   map[string]users // of locks
	writes map[string][]lockWrite
}

// guardAll finds out what all accesses that were noted have in common.
func (b *builder) guardAll() {
	if b.facts.rounds == 0 { // the first run knows too little for it to be worth while
		for _, n := range b.noted {
			n.g.many, n.g.parts = n.th.replicated, []part{{created: everyThread(len(b.threads))}}
		}
		return
	}
	if len(b.noted) == 0 {
		return
	}
	ls := &locksets{b: b, ends: make([]threadSet, len(b.threads)), ended: map[*ir.Var]int{}}
	for _, t := range b.threads {
		if t.ended != nil {
			ls.ended[t.ended] = t.index
		}
	}
	for range 2 { // what a thread that is joined has joined itself is known the second time
		ls.of, ls.spoilt = nil, map[string]bool{}
		for _, t := range b.threads {
			ls.of = append(ls.of, ls.solve(t))
		}
		before := slices.Clone(ls.ends)
		for _, t := range b.threads {
			ls.ends[t.index] = ls.atEnd(t)
		}
		if slices.Equal(before, ls.ends) {
			break
		}
	}
	ls.spoil()
	for _, n := range b.noted {
		if h := ls.of[n.th.index][n.at]; h != nil && b.threads[n.th.index] == n.th {
			n.g.many = n.th.replicated
			n.g.meet(ls.locksOnly(h.part()))
		}
	}
}

// locksOnly returns what is known without what are no locks.
func (ls *locksets) locksOnly(p part) part {
	if len(ls.spoilt) > 0 {
		p.locks = maps.Clone(p.locks)
		maps.DeleteFunc(p.locks, func(l string, _ mode) bool { return ls.spoilt[l] })
	}
	return p
}

// atEnd returns the threads that have ended whenever a thread ends.
func (ls *locksets) atEnd(t *thread) threadSet {
	var all *threadSet
	for _, e := range t.edges {
		if h := ls.of[t.index][e.from]; h != nil && e.kind == ir.End {
			s := h.ended
			if all != nil {
				s = all.and(s)
			}
			all = &s
		}
	}
	if all == nil {
		return ""
	}
	return *all
}

// spoil finds out which locks are none: something else writes to them while they may be used.
func (ls *locksets) spoil() {
	ls.uses, ls.writes = map[string]users{}, map[string][]lockWrite{}
	for _, t := range ls.b.threads {
		for _, e := range t.edges {
			h := ls.of[t.index][e.from]
			if h == nil {
				continue
			}
			ls.eachLock(e, func(key string, foreign bool) {
				switch {
				case !foreign:
					if ls.uses[key] == nil {
						ls.uses[key] = users{}
					}
					g := ls.uses[key].of(user{thread: t.index})
					g.meet(h.part())
					g.many = t.replicated
				case e.locks == nil || !e.locks.unescaped:
					ls.writes[key] = append(ls.writes[key], lockWrite{t, h})
				}
			})
			ls.checkReaders(t, e, h)
		}
	}
	ps := parentsOf(ls.b.threads)
	for key, writes := range ls.writes {
		for _, w := range writes {
			for u, h := range ls.uses[key] {
				if !ps.harmless(w, u.thread, h) {
					ls.spoilt[key] = true
				}
			}
		}
	}
}

// harmless reports whether a write to a lock leaves it one for a thread whose uses have a guard: the thread has ended by then or was not created,
// or all its uses come later. That the writer is created later than those is not enough: it may find the lock held.
func (ps parents) harmless(w lockWrite, u int, uses *guard) bool {
	t := w.th.index
	if t == u {
		return !w.th.replicated
	}
	later := !slices.ContainsFunc(uses.parts, func(p part) bool { return !p.ended.has(t) })
	return later || w.h.ended.has(u) || ps.before(t, w.th.replicated, w.h.part(), u)
}

// checkReaders makes read-write locks none that are given back by who may not hold them, or of which there may be so many
// readers that another one is refused.
func (ls *locksets) checkReaders(t *thread, e *edge, h *held) {
	if s := e.locks; s != nil {
		for _, key := range s.reads {
			if h.reading[key] {
				ls.spoilt[key] = true
			}
		}
		for _, key := range s.drop {
			if s.owner && h.locks[key] == 0 {
				ls.spoilt[key] = true
			}
		}
	}
	if t.replicated && !e.to.err && !e.to.dead && e.to.outs == 0 {
		for key := range h.reading {
			ls.spoilt[key] = true
		}
	}
}

// eachLock calls f for each lock that a step uses or writes to.
func (ls *locksets) eachLock(e *edge, f func(key string, foreign bool)) {
	b := ls.b
	var own []string
	if s := e.locks; s != nil {
		own = append(slices.Clone(s.drop), s.reads...)
		if s.take != "" {
			own = append(own, s.take)
		}
		if !s.ending {
			for _, key := range own {
				f(key, false)
			}
		}
	}
	for _, c := range e.cmds {
		if x := b.cellOf[c.Var]; c.Var != nil && x != nil && b.lockCells[x.key] != 0 && !slices.Contains(own, x.key) {
			f(x.key, true)
		}
		if c.Cond == nil {
			continue
		}
		for _, s := range logic.FreeVars(c.Cond) {
			if x := b.cellOf[b.symbols[s]]; x != nil && b.lockCells[x.key] != 0 {
				f(x.key, false)
			}
		}
	}
}
