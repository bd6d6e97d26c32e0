package accesses

import (
	"math"
)

// attr is what is known of a pointer: of a register's, or of all that a cell of memory ever holds. The zero value with [noRoom] on both sides says that there is none yet.
type attr struct {
	set  bool // there is one
	null bool // it may be null
	wild bool // nothing is known: it may be indeterminate, or made of a number
	// inner tells that it may lead behind the beginning of its object, and loose that it may lead to bytes that are no string.
	inner, loose bool
	// step is the least distance by which it may have been moved along an array, 0 if it was not: it is a multiple of distances that are at least that behind its location, which
	// package pointsto has in the first elements of arrays.
	step int64
	// before and after are how many bytes of its object there are at least before it, and from it on.
	before, after int64
	// short are upper bounds, too, in terms of numbers that the program gets, of how many bytes there are from it on, times -1.
	short *upper
}

// unlimited stands for any number of bytes, far the other way for none of a pointer that leads anywhere.
const unlimited = math.MaxInt64 / 4

var (
	noPointer   = attr{before: unlimited, after: unlimited}
	nullPointer = attr{set: true, null: true, before: unlimited, after: unlimited}
	wildPointer = attr{set: true, null: true, wild: true, inner: true, step: 1, loose: true, before: -unlimited, after: -unlimited}
)

// start is a pointer to the beginning of an object of a size.
func start(size int64) attr { return attr{set: true, loose: true, after: size} }

// outside is a pointer that leaves an activation.
func (a attr) outside() attr {
	a.short = a.short.outside()
	return a
}

func (a attr) or(b attr) attr {
	switch {
	case !a.set:
		return b
	case !b.set:
		return a
	case a.wild || b.wild:
		return wildPointer
	}
	c := attr{set: true, null: a.null || b.null, inner: a.inner || b.inner, step: least(a.step, b.step), loose: a.loose || b.loose, before: min(a.before, b.before), after: min(a.after, b.after)}
	switch {
	case a == nullPointer:
		c.short = b.short
	case b == nullPointer:
		c.short = a.short
	default:
		c.short = a.short.or(b.short)
	}
	return c
}

// moved is a pointer, so many bytes further on, from lo to hi.
func (a attr) moved(lo, hi int64) attr {
	if !a.set || a.wild {
		return a
	}
	if a.null || lo <= -unlimited || hi >= unlimited {
		return wildPointer
	}
	a.inner, a.loose = true, true
	a.before, a.after, a.short = clamp(a.before+lo), clamp(a.after-hi), nil
	return a
}

// least returns the less of two distances, of which 0 is none.
func least(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// stepped is a pointer that was moved along an array of elements of some size.
func (a attr) stepped(elem int64) attr {
	if a.set && !a.wild {
		a.step = least(a.step, max(elem, 1))
	}
	return a
}

// widened is what is known where it becomes less and less: nothing of the sides on which it does.
func (a attr) widened(old attr) attr {
	if !old.set || a.wild {
		return a
	}
	if a.before < old.before {
		a.before = -unlimited
	}
	if a.after < old.after {
		a.after = -unlimited
	}
	if a.short != old.short {
		a.short = old.short.stable(a.short)
	}
	return a
}

func clamp(n int64) int64 { return max(-unlimited, min(unlimited, n)) }

// times is a product, unlimited if it is too large.
func times(a, b int64) int64 {
	if a == 0 || b == 0 {
		return 0
	}
	p := a * b
	if p/b != a || a == math.MinInt64 || b == math.MinInt64 || p > unlimited || p < -unlimited {
		if (a < 0) != (b < 0) {
			return -unlimited
		}
		return unlimited
	}
	return p
}
