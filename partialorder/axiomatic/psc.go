package axiomatic

import (
	"comus/cir"
	"comus/logic"
	"comus/memory"
)

// seqCst asserts that psc has no cycle: seq_cst events have numbers that grow along it.
//
//	psc = ([SC] ∪ [F SC] ; hb?) ; scb ; ([SC] ∪ hb? ; [F SC])  ∪  [F SC] ; (hb ∪ hb ; eco ; hb) ; [F SC]
func (r *rc11) seqCst() {
	var sc []*event
	for _, e := range r.events {
		if e.Kind != memory.Other && e.Order == cir.SeqCst {
			sc = append(sc, e)
		}
	}
	if len(sc) < 2 {
		return
	}
	number := map[*event]*logic.Term{}
	for _, e := range sc {
		number[e] = r.l.FreshVar("sc", logic.Int)
	}
	scb := r.scb()
	for _, s := range sc {
		if r.stop() {
			return
		}
		behind, tail := r.behind(s, scb), r.tail(s)
		for _, t := range sc {
			less := r.l.False()
			if s != t {
				less = r.l.Lt(number[s], number[t])
			}
			if b := behind[t]; b != nil {
				r.imply(b, r.executed(s), r.executed(t), less)
			}
			if !isFence(t) {
				continue
			}
			for _, b := range r.events {
				for _, to := range []*logic.Term{behind[b], tail[b]} {
					if to != nil {
						r.imply(to, r.hb[b.id][t.id], r.executed(s), r.executed(b), r.executed(t), less)
					}
				}
			}
			if isFence(s) && s != t {
				r.imply(r.hb[s.id][t.id], r.executed(s), r.executed(t), less)
			}
		}
	}
}

// behind returns the conditions that events are behind a seq_cst one by [SC] ; scb, or [F SC] ; hb? ; scb.
func (r *rc11) behind(s *event, scb [][]*logic.Term) map[*event]*logic.Term {
	behind := map[*event]*logic.Term{}
	for _, a := range r.events {
		begins := r.l.Bool(a == s)
		if isFence(s) && a != s {
			begins = r.hb[s.id][a.id]
		}
		if begins.IsFalse() {
			continue
		}
		for _, b := range r.events {
			if is := scb[a.id][b.id]; !is.IsFalse() {
				r.reach(behind, b, begins, r.executed(s), r.executed(a), r.executed(b), is)
			}
		}
	}
	return behind
}

// tail returns the conditions that events are behind a seq_cst fence by [F SC] ; hb ; eco.
func (r *rc11) tail(s *event) map[*event]*logic.Term {
	tail := map[*event]*logic.Term{}
	if !isFence(s) {
		return tail
	}
	for _, a := range r.events {
		if hb := r.hb[s.id][a.id]; a.v != nil && !hb.IsFalse() {
			for _, b := range r.at[a.v] {
				if a != b && both(a, b) {
					r.reach(tail, b, r.executed(s), r.executed(a), r.executed(b), hb, r.eco(a, b))
				}
			}
		}
	}
	return tail
}

// reach has a rule make the condition of an event true.
func (r *rc11) reach(set map[*event]*logic.Term, b *event, when ...*logic.Term) {
	if set[b] == nil {
		set[b] = r.l.FreshVar("psc", logic.Bool)
	}
	r.imply(append(when, set[b])...)
}

// scb returns the SC-before relation.
//
//	po ∪ po≠loc ; hb ; po≠loc ∪ hb|loc ∪ mo ∪ rb
func (r *rc11) scb() [][]*logic.Term {
	n := len(r.events)
	same := func(a, b *event) bool { return a.v != nil && a.v == b.v }
	rows := make([][]*logic.Term, n)
	for i, a := range r.events {
		rows[i] = make([]*logic.Term, n)
		mid := map[*event]*logic.Term{} // what is behind a by po≠loc ; hb
		for _, x := range r.events {
			po := r.all(a, x)
			if same(a, x) || po.IsFalse() || r.stop() {
				continue
			}
			for _, y := range r.events {
				if hb := r.hb[x.id][y.id]; !hb.IsFalse() {
					r.reach(mid, y, po, hb, r.executed(a), r.executed(x), r.executed(y))
				}
			}
		}
		for j, b := range r.events {
			any := []*logic.Term{r.all(a, b)}
			if same(a, b) && a != b {
				any = append(any, r.hb[i][j])
				if b.Kind == memory.Write && both(a, b) {
					any = append(any, r.eco(a, b)) // mo and rb
				}
			}
			for _, y := range r.events {
				if po := r.all(y, b); mid[y] != nil && !same(y, b) && !po.IsFalse() {
					any = append(any, r.l.And(mid[y], r.executed(y), po))
				}
			}
			rows[i][j] = r.l.Or(any...)
		}
	}
	return rows
}
