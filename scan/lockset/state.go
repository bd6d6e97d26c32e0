package lockset

import (
	"cmp"
	"slices"

	"comus/scan/pointsto"
	"comus/scan/valuenum"
)

// lock is one that is held.
type lock struct {
	names  []valuenum.Value // its address, in order
	at     []pointsto.Location
	family family
	mode   Mode
	count  int // how often it was taken, at most maxCount
}

// maxCount bounds how often a lock is known to be held: the next unlock of one that is taken more often leaves one less.
const maxCount = 4

// when is a lock that is held, once more, if a symbol is one of some values.
type when struct {
	sym  *valuenum.Sym
	in   []int64
	all  []int64 // all values that it may have; nil: not known
	lock lock
}

// state is what is held in any case where control is. It is not changed once it is kept. A nil state is that of control that does
// not get there.
type state struct {
	held []lock
	when []when
}

// order compares two values.
func order(v, w valuenum.Value) int {
	return cmp.Or(cmp.Compare(id(v.Base), id(w.Base)), cmp.Compare(id(v.Index), id(w.Index)), cmp.Compare(v.Scale, w.Scale), cmp.Compare(v.Off, w.Off))
}

func id(s *valuenum.Sym) int {
	if s == nil {
		return 0
	}
	return s.ID
}

// named returns names in order, each once.
func named(names []valuenum.Value) []valuenum.Value {
	slices.SortFunc(names, order)
	return slices.Compact(names)
}

// common returns the names that two locks have in common.
func common(x, y []valuenum.Value) []valuenum.Value {
	var out []valuenum.Value
	for _, v := range x {
		if slices.Contains(y, v) {
			out = append(out, v)
		}
	}
	return out
}

// is reports whether a lock is certainly the one that is named so.
func (l *lock) is(names []valuenum.Value) bool {
	return slices.ContainsFunc(l.names, func(v valuenum.Value) bool { return slices.Contains(names, v) })
}

// mayBe reports whether a lock may be the one that is named so, or is at one of some places.
func (l *lock) mayBe(names []valuenum.Value, at []pointsto.Location) bool {
	for _, v := range l.names {
		for _, w := range names {
			if d, ok := v.Minus(w); ok && d != 0 {
				return false
			}
		}
	}
	return mayAlias(l.at, at)
}

// mayAlias reports whether two addresses may be the same; of one that nobody knows anything of, that is possible.
func mayAlias(x, y []pointsto.Location) bool {
	if len(x) == 0 || len(y) == 0 {
		return true
	}
	for _, p := range x {
		for _, q := range y {
			if p.Obj == q.Obj && (p.Off == q.Off || p.Off == pointsto.Any || q.Off == pointsto.Any) {
				return true
			}
		}
	}
	return false
}

func (s *state) clone() *state {
	return &state{slices.Clone(s.held), slices.Clone(s.when)}
}

// find returns the place of a lock with one of some names, -1 if there is none.
func (s *state) find(names []valuenum.Value) int {
	return slices.IndexFunc(s.held, func(l lock) bool { return l.is(names) })
}

// acquire returns what is held after a lock was taken.
func (s *state) acquire(l lock, saturate bool) *state {
	if len(l.names) == 0 {
		return s
	}
	t := s.clone()
	t.when = slices.DeleteFunc(t.when, func(w when) bool { return w.lock.is(l.names) })
	i := t.find(l.names)
	if i < 0 {
		t.held = append(t.held, l)
		slices.SortFunc(t.held, func(x, y lock) int { return order(x.names[0], y.names[0]) })
		return t
	}
	old := t.held[i]
	old.names = named(slices.Concat(old.names, l.names))
	// Of a read-write lock only readers are counted: who writes it already is told so, and holds it no more than before.
	if !saturate && old.mode == l.mode && (l.family != readWriteLocks || l.mode == Reading) {
		old.count = min(old.count+1, maxCount)
	}
	t.held[i] = old
	return t
}

// release returns what is held after a lock was given back, and whether it is known to have been held; if not, any of the others
// may have been given back.
func (s *state) release(names []valuenum.Value, at []pointsto.Location) (*state, bool) {
	t := s.clone()
	t.when = slices.DeleteFunc(t.when, func(w when) bool { return w.lock.mayBe(names, at) })
	i := t.find(names)
	if i < 0 {
		return t, false
	}
	if t.held[i].count > 1 {
		t.held[i].count--
	} else {
		t.held = slices.Delete(t.held, i, i+1)
	}
	return t, true
}

// drop returns what is held if nothing is known of locks for which f holds.
func (s *state) drop(f func(*lock) bool) *state {
	if s == nil {
		return nil
	}
	gone := func(l lock) bool { return f(&l) }
	if !slices.ContainsFunc(s.held, gone) && !slices.ContainsFunc(s.when, func(w when) bool { return gone(w.lock) }) {
		return s
	}
	t := s.clone()
	t.held = slices.DeleteFunc(t.held, gone)
	t.when = slices.DeleteFunc(t.when, func(w when) bool { return gone(w.lock) })
	return t
}

// meet returns what is held where two flows meet.
func (s *state) meet(t *state) *state {
	switch {
	case s == nil:
		return t
	case t == nil || s == t:
		return s
	}
	out := &state{}
	for _, l := range s.held {
		if i := t.find(l.names); i >= 0 {
			out.held = append(out.held, l.meet(t.held[i]))
		}
	}
	slices.SortFunc(out.held, func(x, y lock) int { return order(x.names[0], y.names[0]) })
	for _, w := range s.when {
		out.adopt(w, t)
	}
	for _, w := range t.when {
		if s.find(w.lock.names) >= 0 {
			out.adopt(w, s)
		}
	}
	return out
}

// meet returns what two locks that are the same have in common.
func (l lock) meet(m lock) lock {
	l.names = common(l.names, m.names)
	l.mode, l.count = min(l.mode, m.mode), min(l.count, m.count)
	l.at = union(l.at, m.at)
	return l
}

// union returns all places of both; none stands for all.
func union(x, y []pointsto.Location) []pointsto.Location {
	if len(x) == 0 || len(y) == 0 {
		return nil
	}
	out := x
	for _, l := range y {
		if !slices.Contains(x, l) {
			out = append(slices.Clip(out), l)
		}
	}
	return out
}

// adopt keeps what of a condition of one flow holds in the other one, too. Of a lock that is held anyway it says that it is held
// twice, which need not be so in both.
func (s *state) adopt(w when, other *state) {
	if x, ok := other.implies(w); ok && s.find(x.lock.names) < 0 {
		s.when = append(s.when, x)
	}
}

// implies returns what of a condition holds in a state, too.
func (s *state) implies(w when) (when, bool) {
	if i := s.find(w.lock.names); i >= 0 {
		w.lock = w.lock.meet(s.held[i])
		w.lock.count = 1
		return w, true
	}
	for _, x := range s.when {
		if x.sym == w.sym && x.lock.is(w.lock.names) {
			w.lock = w.lock.meet(x.lock)
			w.in = slices.DeleteFunc(slices.Clone(w.in), func(n int64) bool { return !slices.Contains(x.in, n) })
			if w.all == nil || x.all == nil {
				w.all = nil
			} else {
				w.all = slices.Compact(slices.Sorted(slices.Values(slices.Concat(w.all, x.all))))
			}
			return w, len(w.in) > 0
		}
	}
	return w, false
}

// equal reports whether two states say the same.
func (s *state) equal(t *state) bool {
	if s == nil || t == nil || s == t {
		return s == t
	}
	return slices.EqualFunc(s.held, t.held, lock.equal) && slices.EqualFunc(s.when, t.when, func(x, y when) bool {
		return x.sym == y.sym && slices.Equal(x.in, y.in) && slices.Equal(x.all, y.all) && x.lock.equal(y.lock)
	})
}

func (l lock) equal(m lock) bool {
	return l.mode == m.mode && l.count == m.count && slices.Equal(l.names, m.names) && slices.Equal(l.at, m.at)
}
