package specialise

import (
	"maps"
	"slices"

	"comus/ir"
	"comus/logic"
)

// solve computes what is held at the locations of a thread.
func (ls *locksets) solve(t *thread) map[*loc]*held {
	order := t.reversePostorder()
	outs := t.outgoing()
	at := make(map[*loc]*held, len(order))
	visits := map[*loc]int{}
	at[t.entry] = &held{ended: ls.endedBefore(t)}
	dirty := map[*loc]bool{t.entry: true}
	for len(dirty) > 0 {
		ls.b.goOn()
		for _, l := range order {
			if !dirty[l] {
				continue
			}
			delete(dirty, l)
			for _, e := range outs[l] {
				h := ls.step(t, e, at[l])
				if h == nil {
					continue
				}
				if visits[e.to]++; visits[e.to] > maxVisits { // variables are not followed for ever
					h = h.bare()
				}
				old := at[e.to]
				if old != nil && old != h {
					h = old.merge(h)
				}
				if old == nil || !old.equal(h) {
					at[e.to], dirty[e.to] = h, true
				}
			}
		}
	}
	return at
}

// maxVisits is how often flows meet at a location before the values of variables are given up there.
const maxVisits = 50

// maxValues bounds how many constants a variable may hold.
const maxValues = 8

// endedBefore returns the threads that have ended whenever a thread begins.
func (ls *locksets) endedBefore(t *thread) threadSet {
	var all *threadSet
	if t.index == 0 {
		return ""
	}
	for _, e := range ls.b.threads[t.parent].edges {
		if h := ls.of[t.parent][e.from]; h != nil && e.kind == ir.Create && e.thread == t.index {
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

// bare returns what is known without the values of variables.
func (h *held) bare() *held {
	if len(h.values) == 0 && len(h.when) == 0 {
		return h
	}
	g := *h
	g.values, g.when = nil, nil
	return &g
}

func (h *held) equal(g *held) bool {
	return h == g || maps.Equal(h.locks, g.locks) && maps.Equal(h.reading, g.reading) && h.created == g.created && h.ended == g.ended &&
		maps.EqualFunc(h.values, g.values, slices.Equal[[]int64]) &&
		maps.EqualFunc(h.when, g.when, func(x, y whenHeld) bool { return x.mode == y.mode && slices.Equal(x.in, y.in) })
}

// merge returns what is known where two flows meet.
func (h *held) merge(g *held) *held {
	if h.equal(g) {
		return h
	}
	out := &held{locks: map[string]mode{}, reading: maps.Clone(h.reading), created: h.created.or(g.created), ended: h.ended.and(g.ended)}
	for l, m := range h.locks {
		if n := g.locks[l]; n != 0 {
			out.locks[l] = min(m, n)
		}
	}
	for l := range g.reading {
		if out.reading == nil {
			out.reading = map[string]bool{}
		}
		out.reading[l] = true
	}
	for v, xs := range h.values {
		ys, ok := g.values[v]
		if all := slices.Compact(slices.Sorted(slices.Values(slices.Concat(xs, ys)))); ok && len(all) <= maxValues {
			if out.values == nil {
				out.values = map[*ir.Var][]int64{}
			}
			out.values[v] = all
		}
	}
	lost := map[string]bool{}
	for _, f := range []*held{h, g} {
		for l := range f.locks {
			lost[l] = true
		}
		for c := range f.when {
			lost[c.lock] = true
		}
	}
	for l := range lost {
		if out.locks[l] == 0 {
			out.tell(l, h, g)
		}
	}
	return out
}

// tell finds the variables that tell where two flows have met whether a lock is held: with each of some values, it
// is in the flows that can have it.
func (h *held) tell(lock string, f, g *held) {
	for v, all := range h.values {
		var in []int64
		least := forWriting
		for _, x := range all {
			m, n := f.heldWith(lock, v, x), g.heldWith(lock, v, x)
			if m != 0 && n != 0 {
				in, least = append(in, x), min(least, m, n)
			}
		}
		if len(in) > 0 {
			if h.when == nil {
				h.when = map[condition]whenHeld{}
			}
			h.when[condition{v, lock}] = whenHeld{in, least}
		}
	}
}

// heldWith returns how a lock is held for sure where a variable holds a value, which may be what it never does here.
func (h *held) heldWith(lock string, v *ir.Var, x int64) mode {
	if !slices.Contains(h.values[v], x) {
		return forWriting
	}
	if w := h.when[condition{v, lock}]; h.locks[lock] == 0 && slices.Contains(w.in, x) {
		return w.mode
	}
	return h.locks[lock]
}

// step returns what is known after a step, nil if it is never made.
func (ls *locksets) step(t *thread, e *edge, h *held) *held {
	b := ls.b
	for _, c := range e.cmds {
		if c.Cond != nil {
			if h = ls.assumed(t, h, c.Cond); h == nil {
				return nil
			}
		}
		if c.Var == nil {
			continue
		}
		if x := b.cellOf[c.Var]; x != nil && b.lockCells[x.key] != 0 {
			h = h.drop(x.key)
		}
		if t.tries && c.Var.Thread != ir.Shared {
			h = ls.assigned(t, h, c)
		}
	}
	if e.kind == ir.Create {
		g := *h
		g.created = h.created.with(e.thread)
		h = &g
	}
	if e.locks != nil {
		h = h.locked(e.locks)
	}
	return h
}

// locked returns what is known after locks were taken or given back.
func (h *held) locked(s *lockStep) *held {
	for _, l := range s.drop {
		h = h.drop(l)
	}
	g := *h
	if s.all {
		g.locks, g.when = nil, nil
	}
	if len(s.drop) == 1 && h.reading[s.drop[0]] || len(s.reads) > 0 {
		g.reading = map[string]bool{}
		maps.Copy(g.reading, h.reading)
		for _, l := range s.drop {
			delete(g.reading, l)
		}
		for _, l := range s.reads {
			g.reading[l] = true
		}
	}
	return g.take(s.take, s.mode)
}

// take returns what is known if a lock is held.
func (h *held) take(lock string, m mode) *held {
	if lock == "" || h.locks[lock] >= m {
		return h
	}
	g := *h
	g.locks = map[string]mode{}
	maps.Copy(g.locks, h.locks)
	g.locks[lock] = m
	return &g
}

// drop returns what is known if a lock may not be held.
func (h *held) drop(lock string) *held {
	g := *h
	g.locks = maps.Clone(h.locks)
	delete(g.locks, lock)
	g.when = maps.Clone(h.when)
	maps.DeleteFunc(g.when, func(c condition, _ whenHeld) bool { return c.lock == lock })
	return &g
}

// assumed returns what is known if a condition holds, nil if it does not.
func (ls *locksets) assumed(t *thread, h *held, cond *logic.Term) *held {
	b := ls.b
	for _, c := range logic.Conjuncts(cond) {
		vars := logic.FreeVars(c)
		if len(vars) != 1 || b.symbols[vars[0]] == nil {
			continue
		}
		v := b.symbols[vars[0]]
		u, isEnded := ls.ended[v]
		lock, mine := ls.mine(t, v)
		switch {
		case isEnded && c == b.L.Eq(v.Sym, b.L.Int(1)):
			g := *h
			g.ended = h.ended.with(u).or(ls.ends[u])
			h = &g
		case lock != "" && c == b.L.Eq(v.Sym, b.L.Int(mine)):
			h = h.take(lock, forWriting)
		case t.tries && v.Thread != ir.Shared:
			if h = ls.filtered(h, v, c); h == nil {
				return nil
			}
		}
	}
	return h
}

// mine returns the lock that a variable is, if it is one, and what it holds where a thread does.
func (ls *locksets) mine(t *thread, v *ir.Var) (lock string, me int64) {
	me = int64(t.index) + 1
	x := ls.b.cellOf[v]
	switch {
	case x == nil || t.replicated:
	case ls.b.lockCells[x.key] == mutexLock:
		return x.key, me
	case ls.b.lockCells[x.key] == readWriteLock:
		return x.key, -me
	}
	return "", 0
}

// filtered returns what is known if a condition on one variable holds.
func (ls *locksets) filtered(h *held, v *ir.Var, c *logic.Term) *held {
	L := ls.b.L
	all := h.valuesOf(v)
	if all == nil {
		if c.Op() != logic.OpEq {
			return h
		}
		for _, x := range c.Args() {
			if k, ok := x.Const(); ok && c == L.Eq(v.Sym, x) {
				if n, small := k.Int64(); small {
					all = []int64{n}
				}
			}
		}
		if all == nil {
			return h
		}
	}
	var left []int64
	for _, x := range all {
		if !L.Subst(c, map[*logic.Term]*logic.Term{v.Sym: L.Int(x)}).IsFalse() {
			left = append(left, x)
		}
	}
	if len(left) == 0 {
		return nil
	}
	g := *h
	g.values = map[*ir.Var][]int64{}
	maps.Copy(g.values, h.values)
	g.values[v] = left
	h = &g
	for c, w := range g.when {
		if c.v == v && !slices.ContainsFunc(left, func(x int64) bool { return !slices.Contains(w.in, x) }) {
			h = h.take(c.lock, w.mode)
		}
	}
	return h
}

// valuesOf returns all that a variable may hold, nil if that is not known.
func (h *held) valuesOf(v *ir.Var) []int64 {
	if all := h.values[v]; all != nil || v.Type != ir.Flag {
		return all
	}
	return []int64{0, 1}
}

// assigned returns what is known after a variable was given a value.
func (ls *locksets) assigned(t *thread, h *held, c ir.Cmd) *held {
	var all []int64
	when := map[condition]whenHeld{}
	if c.Kind == ir.Assign {
		all = ls.valuesOf(h, c.Expr)
		if vars := logic.FreeVars(c.Expr); len(vars) == 1 && ls.b.symbols[vars[0]] != nil {
			from := ls.b.symbols[vars[0]]
			ls.inherit(h, from, c, when)
			if lock, me := ls.mine(t, from); lock != "" && c.Expr == from.Sym { // what this thread has written nobody else changes
				when[condition{c.Var, lock}] = whenHeld{[]int64{me}, forWriting}
			}
		}
	}
	g := *h
	g.values = map[*ir.Var][]int64{}
	maps.Copy(g.values, h.values)
	delete(g.values, c.Var)
	if all != nil {
		g.values[c.Var] = all
	}
	g.when = when
	for k, w := range h.when {
		if k.v != c.Var {
			when[k] = w
		}
	}
	return &g
}

// inherit finds what the value that a variable is given tells of locks, if what it is computed of does.
func (ls *locksets) inherit(h *held, from *ir.Var, c ir.Cmd, when map[condition]whenHeld) {
	for k, w := range h.when {
		if k.v != from {
			continue
		}
		var in, out []int64
		for _, x := range h.values[from] {
			y, ok := ls.at(c.Expr, from, x)
			switch {
			case !ok:
				return
			case slices.Contains(w.in, x):
				in = append(in, y)
			default:
				out = append(out, y)
			}
		}
		in = slices.DeleteFunc(in, func(y int64) bool { return slices.Contains(out, y) })
		if len(in) > 0 {
			slices.Sort(in)
			when[condition{c.Var, k.lock}] = whenHeld{slices.Compact(in), w.mode}
		}
	}
}

// at evaluates a term that mentions one variable.
func (ls *locksets) at(x *logic.Term, v *ir.Var, k int64) (int64, bool) {
	L := ls.b.L
	c, ok := L.Subst(x, map[*logic.Term]*logic.Term{v.Sym: L.Int(k)}).Const()
	n, small := c.Int64()
	return n, ok && small
}

// valuesOf returns all values that a term may have, nil if that is not known.
func (ls *locksets) valuesOf(h *held, x *logic.Term) []int64 {
	if k, ok := x.Const(); ok {
		if n, small := k.Int64(); small {
			return []int64{n}
		}
		return nil
	}
	var all []int64
	if vars := logic.FreeVars(x); len(vars) == 1 && ls.b.symbols[vars[0]] != nil {
		v := ls.b.symbols[vars[0]]
		for _, k := range h.values[v] {
			n, ok := ls.at(x, v, k)
			if !ok {
				return nil
			}
			all = append(all, n)
		}
	}
	if all == nil && x.Op() == logic.OpIte {
		yes, no := ls.valuesOf(h, x.Args()[1]), ls.valuesOf(h, x.Args()[2])
		if yes == nil || no == nil {
			return nil
		}
		all = slices.Concat(yes, no)
	}
	slices.Sort(all)
	if all = slices.Compact(all); len(all) > maxValues {
		return nil
	}
	return all
}
