package valuecheck

import (
	"fmt"
	"maps"
	"slices"
)

// holdsNow returns what a cell may hold that nobody else changes for now.
func (x *checker) holdsNow(c *cell, s *state, mode int) set {
	switch {
	case mode == among && lone(c):
		return c.ever.ofType(c.typ)
	case c.own || mode == alone:
		return x.knownOf(c.id, s, mode)
	}
	return x.foundIn(c.id, s)
}

// bounds are the rows that say that a sum is in a set.
func bounds(f lin, v set) (rows []row) {
	lo, hi, ok := v.bounds()
	if !ok || len(f.terms) == 0 {
		return nil
	}
	if n, ok := lo.int(); ok {
		if r, ok := atLeast(f, n); ok {
			rows = append(rows, r)
		}
	}
	if n, ok := hi.int(); ok {
		if r, ok := atMost(f, n); ok {
			rows = append(rows, r)
		}
	}
	return rows
}

// int returns a number as one of 64 bits.
func (a num) int() (int64, bool) {
	n := int64(a.lo)
	return n, a.hi == n>>63
}

// valueOf returns what a cell holds, as a sum: a new symbol if it is not known as another one.
func (x *checker) valueOf(n int, s *state, mode int) lin {
	f, ok := s.rel.env[n]
	if !ok {
		f = x.newSymbol()
		s.rel.env[n] = f
		s.rel.rows = append(s.rel.rows, bounds(f, x.holdsNow(x.memory.cells[n], s, mode))...)
	}
	return f
}

// never is a sum with numbers that are too large, which is never at most 0.
var never = constant(maxNumber + 1)

// factOf returns what a relation says of what cells hold. A row that cannot be told holds never.
func (x *checker) factOf(rel *relation, of func(n int) lin) fact {
	values := make([]lin, len(rel.cells))
	for _, c := range rel.cases {
		for _, r := range c {
			for i, a := range r.coef {
				if a != 0 && values[i].terms == nil {
					values[i] = of(rel.cells[i])
				}
			}
		}
	}
	goal := make(fact, len(rel.cases))
	for i, c := range rel.cases {
		for _, r := range c {
			f, ok := constant(r.c), fits(r.c)
			for j, a := range r.coef {
				if ok && a != 0 {
					f, ok = f.plus(a, values[j])
				}
			}
			if !ok {
				f = never
			}
			goal[i] = append(goal[i], row{f, r.eq})
		}
	}
	return goal
}

// knownFactOf is factOf for what is known: rows that cannot be told say nothing.
func (x *checker) knownFactOf(rel *relation, of func(n int) lin) fact {
	f := x.factOf(rel, of)
	for i, c := range f {
		f[i] = slices.DeleteFunc(c, func(r row) bool { return len(r.terms) == 0 && r.c == never.c })
	}
	return f
}

// opens lets a block know what is claimed of its beginning.
func (x *checker) opens(list []*relation, s *state, mode int) {
	if s.rel == nil {
		return
	}
	for _, rel := range list {
		if rel = rel.only(x.steadyIn(s, mode)); rel == nil {
			continue
		}
		s.rel.facts = append(s.rel.facts, x.knownFactOf(rel, func(n int) lin {
			f, ok := s.rel.env[n]
			if !ok {
				f = symbol(n)
				s.rel.env[n] = f
				s.rel.rows = append(s.rel.rows, bounds(f, x.holdsNow(x.memory.cells[n], s, mode))...)
			}
			return f
		}))
		s.rel.opened = append(s.rel.opened, rel)
	}
}

// rowsIn returns the rows that hold in a state: those of symbols, and what is known of the sets of cells by now.
func (x *checker) rowsIn(s *state, mode int) []row {
	rows := slices.Clip(s.rel.rows)
	steady := x.steadyIn(s, mode)
	for _, n := range slices.Sorted(maps.Keys(s.rel.env)) {
		if steady(n) {
			rows = append(rows, bounds(s.rel.env[n], x.holdsNow(x.memory.cells[n], s, mode))...)
		}
	}
	return rows
}

// excluded reports whether nothing is possible in a state.
func (x *checker) excluded(s *state, mode int) bool {
	if s.rel == nil || len(s.rel.facts) == 0 && len(s.rel.rows) == 0 {
		return false
	}
	return (&prover{}).proves(s.rel.facts, x.rowsIn(s, mode), nil)
}

// proved reports whether a row holds in a state.
func (x *checker) proved(s *state, mode int, r row) bool {
	if len(r.terms) == 0 {
		return r.c <= 0 && (!r.eq || r.c == 0)
	}
	return s.rel != nil && (&prover{}).proves(s.rel.facts, x.rowsIn(s, mode), fact{{r}})
}

// tightened returns the part of a set that a sum is in, as far as it takes relations to see that it is within another set.
func (x *checker) tightened(s *state, mode int, f lin, v, want set) set {
	lo, hi, ok := want.bounds()
	switch {
	case s.rel == nil || !ok || v.within(want):
		return v
	case len(f.terms) == 0:
		return v.and(just(small(f.c)))
	}
	if v.any {
		v = between(small(-maxNumber), small(maxNumber), 1)
		if !x.inNumbers(s, mode, f) {
			return anything
		}
	}
	vl, vh, _ := v.bounds()
	if n, ok := hi.int(); ok && hi.less(vh) {
		if r, ok := atMost(f, n); ok && x.proved(s, mode, r) {
			v = v.to(hi)
		}
	}
	if n, ok := lo.int(); ok && vl.less(lo) {
		if r, ok := atLeast(f, n); ok && x.proved(s, mode, r) {
			v = v.from(lo)
		}
	}
	return v
}

// inNumbers reports whether a sum is none of the numbers that are too large.
func (x *checker) inNumbers(s *state, mode int, f lin) bool {
	lo, ok1 := atLeast(f, -maxNumber/2)
	hi, ok2 := atMost(f, maxNumber/2)
	return ok1 && ok2 && x.proved(s, mode, lo) && x.proved(s, mode, hi)
}

// restrictRelated returns the relations of a list, or the parts of them, that hold in a state, of cells that are steady where they are claimed.
func (x *checker) restrictRelated(list []*relation, steady func(n int) bool, s *state, mode int, where string) (kept []*relation, changed bool) {
	for _, rel := range list {
		part := rel.only(steady)
		if part == nil || s.rel == nil {
			changed = changed || s.rel == nil
			continue
		}
		if x.same(part, s.rel) {
			kept = append(kept, rel)
			continue
		}
		t := s.fork() // symbols for cells that nothing was known of are for this only
		goal := x.factOf(part, func(n int) lin { return x.valueOf(n, &t, mode) })
		p := &prover{missing: make([][]bool, len(goal))}
		for i, c := range goal {
			p.missing[i] = make([]bool, len(c))
		}
		ok := p.proves(t.rel.facts, x.rowsIn(&t, mode), goal)
		if ok && !p.refuted {
			kept = append(kept, rel)
			continue
		}
		changed = true
		x.refuse("%s: a relation of cells %v", where, rel.cells)
		if ok {
			if part = part.such(func(i, j int) bool { return !p.missing[i][j] }); part != nil {
				kept = append(kept, part)
			}
		}
	}
	return kept, changed
}

// same reports whether a relation was claimed where the block begins, and its cells have not changed since.
func (x *checker) same(rel *relation, r *related) bool {
	return slices.Contains(r.opened, rel) && !slices.ContainsFunc(rel.cells, func(n int) bool {
		f, ok := r.env[n]
		return !ok || f.c != 0 || len(f.terms) != 1 || f.terms[0] != (symTerm{n, 1})
	})
}

// freeOf returns what is claimed of a lock that is free: of the cells that it guards.
func (x *checker) freeOf(lock int) (list []*relation) {
	for _, rel := range x.free[lock] {
		if rel = rel.only(func(n int) bool { return x.under(x.memory.cells[n], lock) }); rel != nil {
			list = append(list, rel)
		}
	}
	return list
}

// under reports whether a lock guards a cell.
func (x *checker) under(c *cell, lock int) bool {
	if lock == sections {
		return c.sections && c.once
	}
	return c.once && x.memory.locks[lock].ok && slices.Contains(c.guard, lock)
}

// leaveTo verifies what is claimed of a lock that is given back in a state.
func (x *checker) leaveTo(lock int, s *state, mode int) {
	list := x.freeOf(lock)
	if len(list) == 0 {
		return
	}
	steady := x.steadyIn(s, mode)
	for i, rel := range list {
		list[i] = rel.only(steady)
	}
	where := fmt.Sprintf("lock %d is given back", lock)
	kept, changed := x.restrictRelated(slices.DeleteFunc(slices.Clone(list), func(rel *relation) bool { return rel == nil }), steady, s, mode, where)
	if changed || !slices.Equal(kept, x.freeOf(lock)) {
		x.refuse("%s without what is claimed of it", where)
		x.free[lock], x.all = kept, true
	}
}

// drops what is claimed of atomic sections that end nowhere in particular.
func (x *checker) dropSections() {
	if len(x.free[sections]) > 0 {
		x.refuse("an atomic section ends with its thread")
		delete(x.free, sections)
		x.all = true
	}
}
