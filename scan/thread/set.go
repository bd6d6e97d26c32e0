package thread

import "encoding/binary"

// Set is a set of identities, by their indices. It is not changed once made; nil is empty.
type Set []uint64

// Has reports whether an identity is in the set.
func (s Set) Has(i int) bool { return i/64 < len(s) && s[i/64]&(1<<(i%64)) != 0 }

func (s Set) with(i int) Set {
	if s.Has(i) {
		return s
	}
	t := make(Set, max(len(s), i/64+1))
	copy(t, s)
	t[i/64] |= 1 << (i % 64)
	return t
}

// Or returns the union of two sets.
func (s Set) Or(t Set) Set { return s.or(t) }

func (s Set) or(t Set) Set {
	if len(s) < len(t) {
		s, t = t, s
	}
	if t.within(s) {
		return s
	}
	u := append(Set{}, s...)
	for i, w := range t {
		u[i] |= w
	}
	return u
}

func (s Set) minus(t Set) Set {
	if !s.meets(t) {
		return s
	}
	u := append(Set{}, s...)
	for i := range u {
		if i < len(t) {
			u[i] &^= t[i]
		}
	}
	return u.trimmed()
}

func (s Set) and(t Set) Set {
	u := make(Set, min(len(s), len(t)))
	for i := range u {
		u[i] = s[i] & t[i]
	}
	return u.trimmed()
}

// trimmed drops empty words at the end.
func (s Set) trimmed() Set {
	for len(s) > 0 && s[len(s)-1] == 0 {
		s = s[:len(s)-1]
	}
	return s
}

// meets reports whether two sets have something in common.
func (s Set) meets(t Set) bool {
	for i := range min(len(s), len(t)) {
		if s[i]&t[i] != 0 {
			return true
		}
	}
	return false
}

// within reports whether all of a set is in another one.
func (s Set) within(t Set) bool {
	for i, w := range s {
		if w != 0 && (i >= len(t) || w&^t[i] != 0) {
			return false
		}
	}
	return true
}

// Key returns a string that is the same for the same sets, and not empty.
func (s Set) Key() string {
	b := []byte{'{'}
	for _, w := range s {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return string(b)
}
