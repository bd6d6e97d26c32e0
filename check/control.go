package check

import (
	"maps"
	"slices"

	"comus/ir"
	"comus/logic"
)

// control says that the moves taken follow one another, and notes what they write and
// which of them fail.
func (r *threadRun) control() {
	o := r.o
	for _, pt := range r.own {
		for _, s := range append([]*site{pt.site}, pt.inside...) {
			r.choose(s)
		}
		pt.left = taken(o.l, pt.exits)
		for _, a := range pt.exits {
			switch {
			case !a.loc.Error:
			case o.p.beyond[a.loc]:
				o.loops = append(o.loops, a.taken)
			default:
				o.errors = append(o.errors, a.taken)
			}
		}
		r.addWrites(pt)
	}
	r.progress()
}

// choose says that at most one arc leaves a site, that one led there, and that its
// assumptions hold.
func (r *threadRun) choose(s *site) {
	o := r.o
	for i, a := range s.out {
		if s.loc != r.t.Entry {
			var came []*logic.Term
			for _, b := range s.into {
				came = append(came, b.taken)
			}
			o.imply([]*logic.Term{a.taken}, came...)
		}
		for _, c := range a.conds {
			o.imply([]*logic.Term{a.taken}, c)
		}
		for _, b := range s.out[:i] {
			o.imply([]*logic.Term{a.taken, b.taken}, o.l.False())
		}
	}
}

// taken returns the formula that one of these arcs is taken.
func taken(l *logic.Store, arcs []*arc) *logic.Term {
	ts := make([]*logic.Term, len(arcs))
	for i, a := range arcs {
		ts[i] = a.taken
	}
	return l.Or(ts...)
}

// addWrites notes what the moves from a point write.
func (r *threadRun) addWrites(pt *point) {
	o, written := r.o, map[*ir.Var]bool{}
	for _, a := range pt.exits {
		maps.Copy(written, a.wrote)
	}
	for _, v := range inOrder(written) {
		writes := slices.DeleteFunc(slices.Clone(pt.exits), func(a *arc) bool { return !a.wrote[v] })
		w := &write{point: pt, v: v, wrote: taken(o.l, writes), value: writes[0].env[v], always: len(writes) == len(pt.exits)}
		if slices.ContainsFunc(writes, func(a *arc) bool { return a.env[v] != w.value }) {
			w.value = o.l.FreshVar(v.Name, logic.Int)
			for _, a := range writes {
				o.imply([]*logic.Term{a.taken}, o.l.Eq(w.value, a.env[v]))
			}
		}
		o.writes[v] = append(o.writes[v], w)
	}
}

// progress says that each iteration of a loop has an effect: where control comes back to a
// head, a variable that matters has another value than it had there before, or a move in
// between has changed a shared variable. If the head is no point, that is said of all points
// of the loop.
func (r *threadRun) progress() {
	o := r.o
	changes := map[*point][]*logic.Term{}
	for _, v := range o.p.Vars {
		for _, w := range o.writes[v] {
			if w.thread == r.t.Index {
				changes[w.point] = append(changes[w.point], o.l.And(w.wrote, o.l.Ne(r.was(w), w.value)))
			}
		}
	}
	for _, pt := range r.own {
		before := r.at[o.p.before[pt.loc]]
		loc := o.p.origin[pt.loc]
		if head := o.p.head[loc]; before == nil || before.left == nil || head != loc && o.stops(head) {
			continue
		}
		var effect []*logic.Term
		for _, v := range inOrder(r.live[loc]) {
			effect = append(effect, o.l.Ne(r.current(pt.env, pt, v), r.current(before.env, before, v)))
		}
		for _, q := range r.between(before, pt) {
			effect = append(effect, changes[q]...)
		}
		o.imply([]*logic.Term{taken(o.l, pt.into), taken(o.l, before.exits)}, effect...)
	}
}

// was returns the value of a variable before it is written.
func (r *threadRun) was(w *write) *logic.Term {
	if r.o.owns(w.thread, w.v) || w.reads[w.v] != nil {
		return r.current(w.env, w.point, w.v)
	}
	return r.o.l.FreshVar(w.v.Name, logic.Int) // not read: the write is taken to change it
}

// between returns the points that control may leave on a way from one point to another,
// the first one included.
func (r *threadRun) between(a, b *point) []*point {
	ahead := map[*point]bool{a: true}
	var way []*point
	for _, q := range r.own {
		if q == a || slices.ContainsFunc(q.into, func(x *arc) bool { return ahead[x.from.at] }) {
			ahead[q] = true
		}
	}
	behind := map[*point]bool{b: true}
	for _, q := range slices.Backward(r.own) {
		if slices.ContainsFunc(q.exits, func(x *arc) bool { return x.to != nil && behind[x.to.at] }) {
			behind[q] = true
		}
		if ahead[q] && behind[q] && q != b {
			way = append(way, q)
		}
	}
	return way
}
