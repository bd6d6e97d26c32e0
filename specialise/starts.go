package specialise

import (
	"comus/cir"
	"comus/logic"
	"comus/scan/pointsto"
)

// Of memory that is not tracked one byte is watched. Where all accesses to an object are to scalars of which any two are the same one or
// have no byte in common, it is enough to watch their first bytes: then two accesses meet where their addresses are equal,
// of which more is known than of addresses that are near each other. That they are is known from where pointers may point to, which
// is modulo the size of elements.

// extents are the parts of an abstract object, reduced as package pointsto does, that are accessed; nil if one is not known.
type extents map[extent]bool

// notePart keeps that bits at a pointer are accessed in a way that is not tracked.
func (b *builder) notePart(p *value, v cir.Value, bits int64, field *cir.Bits) {
	for _, abs := range b.aims(p, v) {
		parts, ok := b.parts[abs]
		if ok && parts == nil {
			continue
		}
		if !ok {
			parts = extents{}
		}
		if v == nil || field != nil {
			parts = nil
		} else {
			known := false // package pointsto says where in the object
			for _, l := range b.pts.Targets(b.fr.fn, b.fr.ctx, v) {
				if l.Obj != abs || parts == nil {
					continue
				}
				x, ok := partAt(l, p.shift, bits/8)
				if known = ok; !ok {
					parts = nil
					continue
				}
				parts[x] = true
			}
			if !known {
				parts = nil
			}
		}
		b.parts[abs] = parts
	}
}

// partAt returns which part of an object n bytes some way from a location are, if that is one scalar: of its shape, or within what
// repeats itself.
func partAt(l pointsto.Location, shift, n int64) (extent, bool) {
	if l.Off == pointsto.Any || l.Obj.External {
		return extent{}, false
	}
	off := l.Obj.Reduce(l.Off + shift)
	if off == pointsto.Any || off < 0 {
		return extent{}, false
	}
	if s := l.Obj.Shape(); s != nil {
		ps := scalarsOf(s, off, n)
		return extent{off, off + n}, !hasUnion(s) && len(ps) == 1 && ps[0].off == 0 && ps[0].bits == n*8 && ps[0].acc.Bits == nil
	}
	return extent{off, off + n}, l.Obj.Stride == 0 || off+n <= l.Obj.Stride
}

// learnParts joins what a run found accessed. It reports whether that was known.
func (s *facts) learnParts(b *builder) (known bool) {
	known = true
	for abs, now := range b.parts {
		old, ok := s.parts[abs]
		switch {
		case !ok:
			s.parts[abs], known = now, false
		case old == nil:
		case now == nil:
			s.parts[abs], known = nil, false
		default:
			for x := range now {
				known = known && old[x]
				old[x] = true
			}
		}
	}
	return known
}

// byStart reports whether accesses to parts of an abstract object meet only where they begin at the same address.
func (s *facts) byStart(abs *pointsto.Object) bool {
	parts, ok := s.parts[abs]
	if !ok || parts == nil {
		return false
	}
	for x := range parts {
		for y := range parts {
			if x != y && x.lo < y.hi && y.lo < x.hi {
				return false
			}
		}
	}
	return true
}

// isWatched returns the condition that an access to a part of an abstract object, n bytes from an address on, is to the byte that is
// watched.
func (b *builder) isWatched(abs *pointsto.Object, at *logic.Term, n int64) *logic.Term {
	if b.facts.byStart(abs) {
		return b.L.Eq(at, b.where().Sym)
	}
	return b.hasWatched(at, b.L.Int(n))
}
