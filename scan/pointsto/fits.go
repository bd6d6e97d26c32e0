package pointsto

import "comus/cir"

// An offset within an array that is a member stands for all of its elements. That is right for a pointer that was taken from the array, as
// it stays there. It is not for one that comes there by arithmetic over the bytes of the struct around, as memset from some member on to
// the struct's end needs it, nor for one to something else that happens to lie there: memory from the heap may be of several types at different times, and an object here stands for
// many. So a move is followed only where that cannot matter; otherwise the pointer may point anywhere in the object:
//
//   - without a path of members, from outside of an array that is a member into one, by any distance; or out of an array with which all begins: who is there
//     may mean all. (From another array outwards, from a member to the struct around, it is followed, if it ends within the struct: who is at another element than
//     the first one, which stands for all, gets to the struct by a longer way.)
//   - along a path of members of a struct, if an array of that lies partly in an array of the object's. Where it lies in one as a whole, it stands
//     for all elements of that, which is more; where it lies in none, steps within are not followed anyway.
//
// Each byte has one offset that stands for it then, whatever the object's true type is: an access that is not at that offset is
// by a pointer that may point anywhere.

// region is an array that is a member of a struct, the outermost one there.
type region struct {
	start, end int64
	elem       *cir.Shape
}

// open is where a region ends that ends with the memory.
const open = int64(1) << 60

// regionsOf returns the arrays among the members of a struct; what is in a union is told apart byte by byte.
func regionsOf(s *cir.Shape, at int64, list []region) []region {
	switch {
	case s.Elem != nil:
		if s.Elem.Size > 0 && s.Len > 0 {
			return append(list, region{at, at + s.Len*s.Elem.Size, s.Elem})
		}
		return list
	case s.Union:
		return list
	}
	for i := range s.Fields {
		f := &s.Fields[i]
		switch {
		case f.Bits != nil:
		case isOpen(s, i) && f.Shape.Elem.Size > 0:
			list = append(list, region{at + f.Offset, open, f.Shape.Elem})
		default:
			list = regionsOf(f.Shape, at+f.Offset, list)
		}
	}
	return list
}

// isOpen reports whether a member is an array at the end of a struct that goes on for as long as there is memory.
func isOpen(s *cir.Shape, i int) bool {
	f := &s.Fields[i]
	return i == len(s.Fields)-1 && f.Shape.Elem != nil && f.Shape.Len == 0
}

// regions returns the arrays in the elements of a shape, and the size of one element, 0 if it is none.
func (a *analysis) regions(s *cir.Shape) ([]region, int64) {
	elem := int64(0)
	for s.Elem != nil && s.Elem.Size > 0 {
		s, elem = s.Elem, s.Elem.Size
	}
	list, known := a.inShapes[s]
	if !known {
		list = regionsOf(s, 0, nil)
		a.inShapes[s] = list
	}
	return list, elem
}

// regionAt returns the number of the region that an offset is in, -1 if it is in none.
func regionAt(list []region, off int64) int {
	for i, r := range list {
		if r.start <= off && off < r.end {
			return i
		}
	}
	return -1
}

// wrap returns an offset within one element.
func wrap(off, elem int64) int64 {
	if elem > 0 {
		off = (off%elem + elem) % elem
	}
	return off
}

// guarded reports whether a move is followed in an object only where its members are what the program says. Where that is not asked, each
// object that was declared is what its declaration says, but for structs with arrays, of which elements are one.
func (a *analysis) guarded(o *Object) bool { return a.open || o.layout != nil }

// fits reports whether a move from a location may be followed.
func (a *analysis) fits(l Location, e edge) bool {
	s := l.Obj.Shape()
	switch {
	case s == nil || l.Off == Any || e.shift == Any || e.bytes:
		return true
	case !a.guarded(l.Obj) && (e.of == nil || e.step == 0): // it goes where it says
		return true
	case e.of == nil:
		return a.movesWithin(s, l.Off, e.shift, e.step)
	}
	return a.movesWithin(s, l.Off, e.at, 0) && a.lies(e.of, s, l.Off+e.at)
}

// movesWithin reports whether a move that is not along a path of members stays in the array of a member that it begins in, or meets none; or leaves one that is not the first, to what comes before it.
func (a *analysis) movesWithin(s *cir.Shape, off, shift, step int64) bool {
	list, elem := a.regions(s)
	if shift == 0 || len(list) == 0 {
		return true
	}
	at := wrap(off, elem) + shift
	inside := at >= 0 && (elem == 0 || at < elem) // it stays in the struct that it is in
	from, to := regionAt(list, wrap(off, elem)), regionAt(list, wrap(at, elem))
	switch {
	case from == to:
		return from < 0 || inside || elem == 0 || shift%elem == 0
	case to >= 0 || step != 0:
		return false
	}
	return shift < 0 && list[from].start > 0 && inside // forward, it would begin at an element that is not known
}

// liesKey is a question about a struct at an offset of a shape.
type liesKey struct {
	t, s *cir.Shape
	off  int64
}

// lies reports whether no array of a struct t, which is said to stand at an offset of a shape, lies partly in one of that.
func (a *analysis) lies(t, s *cir.Shape, off int64) bool {
	list, elem := a.regions(s)
	key := liesKey{t, s, wrap(off, elem)}
	ok, known := a.lie[key]
	if !known {
		ok = a.liesIn(t, list, elem, key.off) || hasAt(s, t, off)
		a.lie[key] = ok
	}
	return ok
}

func (a *analysis) liesIn(t *cir.Shape, list []region, elem, off int64) bool {
	if i := regionAt(list, off); i >= 0 {
		r := list[i]
		return t.Size <= r.end-r.start && (isPlain(r.elem) || a.lies(t, r.elem, (off-r.start)%r.elem.Size))
	}
	for _, x := range arraysOf(t, 0, nil) {
		lo := wrap(off+x.start, elem)
		hi := lo + (x.end - x.start)
		for _, r := range list {
			if hi <= r.start || r.end <= lo {
				continue
			}
			if lo < r.start || r.end < hi || !isPlain(r.elem) && ((lo-r.start)%r.elem.Size != 0 || !sameFold(r.elem, x.elem)) {
				return false
			}
		}
		if elem > 0 && hi > elem { // on into the next element
			return false
		}
	}
	return true
}

// arraysOf is regionsOf with the arrays in unions, which may overlap.
func arraysOf(s *cir.Shape, at int64, list []region) []region {
	if s.Elem != nil {
		return regionsOf(s, at, list)
	}
	for i := range s.Fields {
		if f := &s.Fields[i]; f.Bits == nil {
			list = arraysOf(f.Shape, at+f.Offset, list)
		}
	}
	return list
}

// isPlain reports whether nothing within a shape stands for several elements.
func isPlain(s *cir.Shape) bool { return s.Elem == nil && len(regionsOf(s, 0, nil)) == 0 }

// sameFold reports whether a shape has the same arrays as another one at the same places; one at its end may be open.
func sameFold(s, t *cir.Shape) bool {
	if s == t {
		return true
	}
	if s.Size != t.Size {
		return false
	}
	if s.Elem != nil && t.Elem != nil && s.Len != t.Len {
		return false
	}
	x, y := regionsOf(s, 0, nil), regionsOf(t, 0, nil)
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if x[i].start != y[i].start || x[i].end != y[i].end && x[i].end != open || !sameFold(x[i].elem, y[i].elem) {
			return false
		}
	}
	return true
}

// hasAt reports whether a shape has a struct like t at an offset.
func hasAt(s, t *cir.Shape, off int64) bool {
	for s != nil {
		switch {
		case s.Elem != nil && s.Elem.Size > 0:
			s, off = s.Elem, off%s.Elem.Size
			continue
		case s.Union || len(s.Fields) == 0 || off < 0:
			return false
		case off == 0 && sameFold(s, t):
			return true
		}
		var next *cir.Shape
		for i := range s.Fields {
			f := &s.Fields[i]
			if f.Bits == nil && f.Offset <= off && (off < f.Offset+f.Shape.Size || isOpen(s, i)) {
				next, off = f.Shape, off-f.Offset
				break
			}
		}
		s = next
	}
	return false
}
