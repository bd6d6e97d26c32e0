package lockset

import (
	"slices"

	"comus/scan/valuenum"
)

// site is one of several flows that meet: what is held there, and the value that a symbol gets.
type site struct {
	s *state
	v valuenum.Value
}

// correlate adds to a state, in which flows have met, what a symbol tells of them: a function that returns 0 if it holds a
// lock, say.
func (s *state) correlate(sites []site, sym *valuenum.Sym) *state {
	var locks []lock
	note := func(l lock) {
		if s.find(l.names) < 0 && !slices.ContainsFunc(locks, func(m lock) bool { return m.is(l.names) }) {
			locks = append(locks, l)
		}
	}
	for _, at := range sites {
		for _, l := range at.s.held {
			note(l)
		}
		for _, w := range at.s.when {
			note(w.lock)
		}
	}
	var more []when
	for _, l := range locks {
		if w, ok := tells(sites, l, sym); ok {
			more = append(more, w)
		}
	}
	if len(more) == 0 {
		return s
	}
	t := s.clone()
	t.when = slices.DeleteFunc(t.when, func(w when) bool { return w.sym == sym })
	t.when = append(t.when, more...)
	return t
}

// tells returns with which values of a symbol a lock is held.
func tells(sites []site, l lock, sym *valuenum.Sym) (when, bool) {
	good, bad := map[int64]bool{}, map[int64]bool{}
	var open [][]int64 // those of sites with any value
	unknown := false
	l.count = 1
	for _, at := range sites {
		i := at.s.find(l.names)
		if i >= 0 {
			l = l.meet(at.s.held[i])
		}
		if n, ok := at.v.Const(); ok {
			good[n] = good[n] || i >= 0
			bad[n] = bad[n] || i < 0
			continue
		}
		if i >= 0 { // whatever the value is
			unknown = true
			continue
		}
		k := slices.IndexFunc(at.s.when, func(w when) bool {
			return w.sym == at.v.Base && at.v.Index == nil && w.lock.is(l.names)
		})
		if k < 0 {
			return when{}, false
		}
		w := at.s.when[k]
		l = l.meet(w.lock)
		in := make([]int64, len(w.in))
		for j, n := range w.in {
			in[j] = n + at.v.Off
		}
		if w.all == nil {
			unknown = true
			open = append(open, in)
			continue
		}
		for _, n := range w.all {
			good[n+at.v.Off] = good[n+at.v.Off] || slices.Contains(w.in, n)
			bad[n+at.v.Off] = bad[n+at.v.Off] || !slices.Contains(w.in, n)
		}
	}
	if len(l.names) == 0 {
		return when{}, false
	}
	for _, in := range open {
		for _, n := range in {
			good[n] = true
		}
	}
	w := when{sym: sym, lock: l}
	for n := range good {
		if good[n] && !bad[n] && !slices.ContainsFunc(open, func(in []int64) bool { return !slices.Contains(in, n) }) {
			w.in = append(w.in, n)
		}
	}
	slices.Sort(w.in)
	if !unknown {
		for n := range good {
			w.all = append(w.all, n)
		}
		slices.Sort(w.all)
	}
	return w, len(w.in) > 0
}
