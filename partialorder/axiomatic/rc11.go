package axiomatic

import (
	"comus/cir"
	"comus/logic"
	"comus/memory"
)

// rc11 asserts the axioms of RC11. Happens-before is a matrix of conditions. Rules say when they hold, and nothing says when they do not: the axioms only forbid, so the least relation is
// the one that is easiest to satisfy.
type rc11 struct {
	*finder
	hb [][]*logic.Term // for executions with both
	by map[[2]*event]*logic.Term
	sw map[[2]*event]*logic.Term
	// edges are those of sw, in the order in which they were found.
	edges [][2]*event
	// dynamic tells which pairs of events may be in happens-before by way of sw.
	dynamic [][]bool
}

func (f *finder) rc11() {
	r := &rc11{finder: f, by: map[[2]*event]*logic.Term{}, sw: map[[2]*event]*logic.Term{}}
	f.clocks("clock")
	f.pairs(func(a, b *event) { // po and rf have no cycle
		if is := f.all(a, b); !is.IsFalse() {
			f.ordered(a, b, is)
		}
		if rf := f.rfs[[2]*event{a, b}]; rf != nil {
			f.ordered(a, b, rf)
		}
	})
	r.synchronise()
	r.happens()
	for _, v := range f.p.Vars { // coherence
		for _, a := range f.at[v] {
			for _, b := range f.at[v] {
				if a != b && both(a, b) && !f.stop() && !r.hb[a.id][b.id].IsFalse() {
					f.imply(r.hb[a.id][b.id], f.executed(a), f.executed(b), f.l.Le(a.place, b.place))
				}
			}
		}
	}
	for i, e := range r.events {
		if !r.hb[i][i].IsFalse() {
			r.imply(r.executed(e), r.l.Not(r.hb[i][i]))
		}
	}
	r.seqCst()
}

func atomic(e *event) bool { return e.v != nil && e.Order != cir.Plain }

func isFence(e *event) bool { return e.Kind == memory.Fence }

// releasedBy returns the condition that what reads a write, and acquires, synchronises with a release.
func (r *rc11) releasedBy(e, w *event) *logic.Term {
	if !atomic(w) {
		return r.l.False()
	}
	if e == w || before(e, w) && (isFence(e) || e.v == w.v) {
		return r.l.True()
	}
	if w.other == nil || w.thread == e.thread && before(w, e) {
		return r.l.False()
	}
	key := [2]*event{e, w}
	if r.by[key] == nil {
		r.by[key] = r.l.FreshVar("released", logic.Bool)
	}
	return r.by[key]
}

// synchronise computes synchronises-with.
func (r *rc11) synchronise() {
	for _, w := range r.events {
		if w.Kind != memory.Write || !atomic(w) {
			continue
		}
		for _, e := range r.events {
			if r.stop() {
				return
			}
			if !releases(e) || !both(e, w) {
				continue
			}
			by := r.releasedBy(e, w)
			if by.IsFalse() {
				continue
			}
			for _, rd := range r.at[w.v] {
				if rf := r.rfs[[2]*event{w, rd}]; rf != nil && atomic(rd) {
					r.read(e, rd, r.executed(e), by, rf)
				}
			}
		}
	}
}

// read says what an atomic read brings with it under conditions: it reads a write of a release sequence.
func (r *rc11) read(e, rd *event, when ...*logic.Term) {
	if rd.other != nil { // the release sequence goes on
		if next := r.releasedBy(e, rd.other); !next.IsTrue() && !next.IsFalse() {
			r.imply(append(when[:len(when):len(when)], next)...)
		}
	}
	for _, x := range r.threads[rd.thread].events {
		if !acquires(x) || x != rd && !(isFence(x) && before(rd, x)) || e.thread == x.thread {
			continue
		}
		key := [2]*event{e, x}
		if r.sw[key] == nil {
			r.sw[key] = r.l.FreshVar("sw", logic.Bool)
			r.edges = append(r.edges, key)
		}
		r.imply(append(when[:len(when):len(when)], r.executed(x), r.sw[key])...)
	}
}

// happens computes happens-before.
func (r *rc11) happens() {
	n := len(r.events)
	r.hb, r.dynamic = make([][]*logic.Term, n), make([][]bool, n)
	for i, a := range r.events {
		r.hb[i], r.dynamic[i] = make([]*logic.Term, n), make([]bool, n)
		for j, b := range r.events {
			r.hb[i][j] = r.all(a, b)
		}
	}
	r.findDynamic()
	for i, a := range r.events {
		for j, b := range r.events {
			if r.dynamic[i][j] {
				v := r.l.FreshVar("hb", logic.Bool)
				r.imply(r.hb[i][j], r.executed(a), r.executed(b), v)
				r.hb[i][j] = v
			}
		}
	}
	entered := map[*event]bool{}
	for _, p := range r.edges {
		if r.stop() {
			return
		}
		for _, a := range r.events {
			switch {
			case !r.dynamic[a.id][p[1].id]:
			case a == p[0]:
				r.imply(r.sw[p], r.hb[a.id][p[1].id])
			case !r.hb[a.id][p[0].id].IsFalse():
				r.imply(r.executed(a), r.hb[a.id][p[0].id], r.sw[p], r.hb[a.id][p[1].id])
			}
		}
		if !entered[p[1]] {
			entered[p[1]] = true
			r.goesOn(p[1])
		}
	}
}

// goesOn has what is before an event, by way of sw, be before what follows.
func (r *rc11) goesOn(x *event) {
	for _, b := range r.events {
		is := r.all(x, b)
		if is.IsFalse() {
			continue
		}
		for _, a := range r.events {
			if r.dynamic[a.id][x.id] && r.dynamic[a.id][b.id] {
				r.imply(r.hb[a.id][x.id], is, r.executed(x), r.executed(b), r.hb[a.id][b.id])
			}
		}
	}
}

// findDynamic finds which events may be before which by way of sw, where program order does not say so.
func (r *rc11) findDynamic() {
	for changed := true; changed && !r.stop(); {
		changed = false
		for _, p := range r.edges {
			for _, b := range r.events {
				if b != p[1] && r.all(p[1], b).IsFalse() {
					continue
				}
				for _, a := range r.events {
					if (a == p[0] || !r.hb[a.id][p[0].id].IsFalse() || r.dynamic[a.id][p[0].id]) && !r.dynamic[a.id][b.id] && !r.hb[a.id][b.id].IsTrue() {
						r.dynamic[a.id][b.id], changed = true, true
					}
				}
			}
		}
	}
}
