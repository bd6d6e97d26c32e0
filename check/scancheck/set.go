package scancheck

import "math/bits"

// maxThreads bounds the identities of a certificate.
const maxThreads = 128

// set is a set of threads' identities.
type set [maxThreads / 64]uint64

func (s set) has(i int) bool { return s[i/64]&(1<<(i%64)) != 0 }

func (s set) with(i int) set {
	s[i/64] |= 1 << (i % 64)
	return s
}

func (s set) or(t set) set {
	for i := range s {
		s[i] |= t[i]
	}
	return s
}

func (s set) and(t set) set {
	for i := range s {
		s[i] &= t[i]
	}
	return s
}

func (s set) minus(t set) set {
	for i := range s {
		s[i] &^= t[i]
	}
	return s
}

func (s set) within(t set) bool { return s.minus(t) == set{} }

func (s set) meets(t set) bool { return s.and(t) != set{} }

// each calls f for each member.
func (s set) each(f func(i int)) {
	for w := range s {
		for x := s[w]; x != 0; x &= x - 1 {
			f(w*64 + bits.TrailingZeros64(x))
		}
	}
}
