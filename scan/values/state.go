package values

import "math/bits"

// A state is what a thread knows at a place: the values of some registers and cells, by their keys. What is not in it is known as what the
// program makes of it as a whole. States are trees that are never changed (Okasaki and Gill 1998), so that what two of them have in common
// is there once, and comparing and joining them takes time only for what they have not.
type state struct {
	prefix uint32 // a leaf: its key
	bit    uint32 // by which the keys on the left and on the right differ; 0: a leaf
	v      Value
	left   *state
	right  *state
}

func (s *state) get(key uint32) (Value, bool) {
	for s != nil && s.bit != 0 {
		if key&s.bit == 0 {
			s = s.left
		} else {
			s = s.right
		}
	}
	if s == nil || s.prefix != key {
		return Value{}, false
	}
	return s.v, true
}

// mask keeps the bits above one.
func mask(key, bit uint32) uint32 { return key &^ (bit | (bit - 1)) }

// branch makes a tree of two that have no key in common.
func branch(a, b *state) *state {
	bit := uint32(1) << (31 - bits.LeadingZeros32(a.prefix^b.prefix))
	if a.prefix&bit != 0 {
		a, b = b, a
	}
	return &state{prefix: mask(a.prefix, bit), bit: bit, left: a, right: b}
}

// rebuilt is s with other subtrees.
func (s *state) rebuilt(left, right *state) *state {
	switch {
	case left == s.left && right == s.right:
		return s
	case left == nil:
		return right
	case right == nil:
		return left
	}
	return &state{prefix: s.prefix, bit: s.bit, left: left, right: right}
}

func (s *state) set(key uint32, v Value) *state {
	switch {
	case s == nil:
		return &state{prefix: key, v: v}
	case s.bit == 0 && s.prefix == key:
		if s.v.equal(v) {
			return s
		}
		return &state{prefix: key, v: v}
	case s.bit == 0 || mask(key, s.bit) != s.prefix:
		return branch(s, &state{prefix: key, v: v})
	case key&s.bit == 0:
		return s.rebuilt(s.left.set(key, v), s.right)
	}
	return s.rebuilt(s.left, s.right.set(key, v))
}

func (s *state) without(key uint32) *state {
	switch {
	case s == nil:
		return nil
	case s.bit == 0:
		if s.prefix == key {
			return nil
		}
		return s
	case mask(key, s.bit) != s.prefix:
		return s
	case key&s.bit == 0:
		return s.rebuilt(s.left.without(key), s.right)
	}
	return s.rebuilt(s.left, s.right.without(key))
}

// keep returns what of a state has keys of a kind.
func (s *state) keep(f func(key uint32) bool) *state {
	switch {
	case s == nil:
		return nil
	case s.bit == 0:
		if f(s.prefix) {
			return s
		}
		return nil
	}
	return s.rebuilt(s.left.keep(f), s.right.keep(f))
}

// merge returns what is known in either state: of the keys in both, what f makes of their values. It is s itself where nothing changes. f returns its first
// argument where the two are equal.
func (s *state) merge(t *state, f func(a, b Value) Value) *state {
	switch {
	case s == t:
		return s
	case s == nil || t == nil:
		return nil
	case s.bit == 0:
		v, ok := t.get(s.prefix)
		if !ok {
			return nil
		}
		return s.valued(f(s.v, v))
	case t.bit == 0:
		v, ok := s.get(t.prefix)
		if !ok {
			return nil
		}
		return t.valued(f(v, t.v))
	case s.bit == t.bit && s.prefix == t.prefix:
		return s.rebuilt(s.left.merge(t.left, f), s.right.merge(t.right, f))
	case s.bit > t.bit && mask(t.prefix, s.bit) == s.prefix:
		if t.prefix&s.bit == 0 {
			return s.left.merge(t, f)
		}
		return s.right.merge(t, f)
	case t.bit > s.bit && mask(s.prefix, t.bit) == t.prefix:
		if s.prefix&t.bit == 0 {
			return s.merge(t.left, f)
		}
		return s.merge(t.right, f)
	}
	return nil
}

// valued is a leaf with another value.
func (s *state) valued(v Value) *state {
	switch {
	case v.kind == anything:
		return nil
	case s.v.equal(v):
		return s
	}
	return &state{prefix: s.prefix, v: v}
}

func (s *state) equal(t *state) bool {
	switch {
	case s == t:
		return true
	case s == nil || t == nil || s.bit != t.bit || s.prefix != t.prefix:
		return false
	case s.bit == 0:
		return s.v.equal(t.v)
	}
	return s.left.equal(t.left) && s.right.equal(t.right)
}

// restrict returns the part of a state that has keys of another one; exclude returns the other part.
func (s *state) restrict(keys *state) *state {
	switch {
	case s == nil || keys == nil:
		return nil
	case s == keys:
		return s
	case s.bit == 0:
		if _, ok := keys.get(s.prefix); ok {
			return s
		}
		return nil
	case keys.bit > s.bit || keys.bit == s.bit && keys.prefix == s.prefix:
		if keys.bit == s.bit {
			return s.rebuilt(s.left.restrict(keys.left), s.right.restrict(keys.right))
		}
		return s.restrict(keys.side(s.prefix))
	case keys.bit < s.bit && mask(keys.prefix, s.bit) == s.prefix:
		return s.side(keys.prefix).restrict(keys)
	}
	return nil
}

func (s *state) exclude(keys *state) *state {
	switch {
	case s == nil || keys == nil:
		return s
	case s == keys:
		return nil
	case s.bit == 0:
		if _, ok := keys.get(s.prefix); ok {
			return nil
		}
		return s
	case keys.bit > s.bit || keys.bit == s.bit && keys.prefix == s.prefix:
		if keys.bit == s.bit {
			return s.rebuilt(s.left.exclude(keys.left), s.right.exclude(keys.right))
		}
		return s.exclude(keys.side(s.prefix))
	case keys.bit < s.bit && mask(keys.prefix, s.bit) == s.prefix:
		if keys.prefix&s.bit == 0 {
			return s.rebuilt(s.left.exclude(keys), s.right)
		}
		return s.rebuilt(s.left, s.right.exclude(keys))
	}
	return s
}

// side returns the subtree that a key is in, if it is in one; nil otherwise.
func (s *state) side(key uint32) *state {
	switch {
	case mask(key, s.bit) != s.prefix:
		return nil
	case key&s.bit == 0:
		return s.left
	}
	return s.right
}

// union returns all of two states that have no key in common.
func (s *state) union(t *state) *state {
	switch {
	case s == nil:
		return t
	case t == nil:
		return s
	case s.bit < t.bit:
		s, t = t, s
	}
	switch {
	case s.bit == 0 || mask(t.prefix, s.bit) != s.prefix:
		return branch(s, t)
	case s.bit == t.bit:
		return s.rebuilt(s.left.union(t.left), s.right.union(t.right))
	case t.prefix&s.bit == 0:
		return s.rebuilt(s.left.union(t), s.right)
	}
	return s.rebuilt(s.left, s.right.union(t))
}

// keysOf returns a state that has some keys.
func keysOf(keys []int) (s *state) {
	for _, key := range keys {
		s = s.set(uint32(key), Value{})
	}
	return s
}

// cover returns what is known in both of two states of which each has more than the other: of the keys in both what f makes of the
// values, of the others what alone makes of theirs.
func (s *state) cover(t *state, f func(a, b Value) Value, alone func(Value) Value) *state {
	switch {
	case s == t:
		return s
	case s == nil:
		return t.mapped(alone)
	case t == nil:
		return s.mapped(alone)
	case s.bit == t.bit && s.prefix == t.prefix:
		if s.bit == 0 {
			return s.holding(f(s.v, t.v))
		}
		return s.rebuilt(s.left.cover(t.left, f, alone), s.right.cover(t.right, f, alone))
	case s.bit > t.bit && mask(t.prefix, s.bit) == s.prefix:
		if t.prefix&s.bit == 0 {
			return s.rebuilt(s.left.cover(t, f, alone), s.right.mapped(alone))
		}
		return s.rebuilt(s.left.mapped(alone), s.right.cover(t, f, alone))
	case t.bit > s.bit && mask(s.prefix, t.bit) == t.prefix:
		if s.prefix&t.bit == 0 {
			return t.rebuilt(s.cover(t.left, f, alone), t.right.mapped(alone))
		}
		return t.rebuilt(t.left.mapped(alone), s.cover(t.right, f, alone))
	}
	return branch(s.mapped(alone), t.mapped(alone))
}

// mapped is a state with other values for the same keys.
func (s *state) mapped(f func(Value) Value) *state {
	switch {
	case s == nil:
		return nil
	case s.bit == 0:
		return s.holding(f(s.v))
	}
	return s.rebuilt(s.left.mapped(f), s.right.mapped(f))
}

// holding is a leaf with another value, whatever it is.
func (s *state) holding(v Value) *state {
	if s.v.equal(v) {
		return s
	}
	return &state{prefix: s.prefix, v: v}
}

// each calls f for each key, in order.
func (s *state) each(f func(key uint32, v Value)) {
	switch {
	case s == nil:
	case s.bit == 0:
		f(s.prefix, s.v)
	default:
		s.left.each(f)
		s.right.each(f)
	}
}
