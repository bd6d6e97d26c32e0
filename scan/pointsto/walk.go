package pointsto

import (
	"comus/cir"
)

// A pointer to scalars that is made of one to a struct, or of a void *, may walk over the whole struct: copy it byte by
// byte, add up its words. An offset within an array stands for all of its elements, so that a walk that enters an array whose elements are as large as these
// scalars, or as some of them together, would stay there for ever. Structs that may be walked over so are objects whose offsets are not told apart.

// asScalars returns where a pointer may point that was one to something else and is one to scalars now. Where a struct
// begins with an array it may have been one to that struct.
func asScalars(l Location) Location {
	if s := l.Obj.Shape(); s != nil && l.Off != Any && !l.Obj.IsFunc() && !l.Obj.External && leadsArray(s, l.Off) {
		return Location{l.Obj, Any}
	}
	return l
}

// leadsArray reports whether a struct stands at an offset of a shape that has more than the array which it begins with.
func leadsArray(s *cir.Shape, off int64) bool {
	switch {
	case s.Elem != nil:
		return s.Elem.Size > 0 && leadsArray(s.Elem, off%s.Elem.Size)
	case s.Union || len(s.Fields) == 0:
		return false
	case off == 0 && firstArray(s) > 0 && firstArray(s) < s.Size:
		return true
	}
	for i := range s.Fields {
		if f := &s.Fields[i]; f.Bits == nil && f.Offset <= off && off < f.Offset+f.Shape.Size {
			return leadsArray(f.Shape, off-f.Offset)
		}
	}
	return false
}

// firstArray returns the size of the array that a shape begins with, the outermost one, 0 if there is none.
func firstArray(s *cir.Shape) int64 {
	switch {
	case s.Elem != nil:
		return s.Size
	case !s.Union && len(s.Fields) > 0 && s.Fields[0].Bits == nil:
		return firstArray(s.Fields[0].Shape)
	}
	return 0
}

// findWalks finds objects that some access walks over: it goes to the first element of an array of what it accesses and to
// what stands right before that, or by single bytes to the inside of a scalar while there are arrays of bytes, too. It reports whether
// there are such that were not known.
func (a *analysis) findWalks() (found bool) {
	done := map[notedKey]bool{}
	for _, x := range a.order {
		for _, b := range x.fn.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *cir.Load:
					found = a.walks(a.value(x, in.Addr), in.Type, done) || found
				case *cir.Store:
					found = a.walks(a.value(x, in.Addr), in.Type, done) || found
				case *cir.RMW:
					found = a.walks(a.value(x, in.Addr), in.Type, done) || found
				}
			}
		}
	}
	return found
}

// walks looks at one access.
func (a *analysis) walks(n *node, t cir.Type, done map[notedKey]bool) (found bool) {
	if n == nil {
		return false
	}
	n = find(n)
	key := notedKey{n: n, a: Access{Type: t}}
	if done[key] {
		return false
	}
	done[key] = true
	size := a.prog.Model.SizeOf(t)
	for _, id := range n.set.AppendTo(nil) {
		l := a.locs[id]
		s := l.Obj.Shape()
		if s == nil || l.Off <= 0 || !l.holds(1) || l.Obj.External || l.Obj.IsFunc() || l.Obj.capped {
			continue
		}
		if size == 1 && withinScalar(s, l.Off) && hasArray(s, 1) || a.entersArray(n, l, size) {
			l.Obj.capped, found = true, true
			a.cell(l.Obj, Any)
		}
	}
	return found
}

// entersArray reports whether a location is the beginning of an array of scalars of a size, and a node has one
// less than a scalar before it, too.
func (a *analysis) entersArray(n *node, l Location, size int64) bool {
	around := levels(l.Obj.Shape(), l.Off, 0, nil)
	if len(around) == 0 {
		return false
	}
	if in := around[len(around)-1]; in.elem != size || in.start != l.Off {
		return false
	}
	for k := int64(1); k <= size; k++ {
		if id, ok := l.Obj.locs[l.Off-k]; ok && n.set.Has(id) {
			return true
		}
	}
	return false
}

// withinScalar reports whether an offset is behind the first byte of a scalar.
func withinScalar(s *cir.Shape, off int64) bool {
	switch {
	case s.Elem != nil:
		return s.Elem.Size > 0 && withinScalar(s.Elem, off%s.Elem.Size)
	case s.Union:
		return false
	case len(s.Fields) == 0:
		return off > 0 && off < s.Size
	}
	for i := range s.Fields {
		if f := &s.Fields[i]; f.Bits == nil && f.Offset <= off && off < f.Offset+f.Shape.Size {
			return withinScalar(f.Shape, off-f.Offset)
		}
	}
	return false
}

// hasArray reports whether a shape has an array with elements of a size.
func hasArray(s *cir.Shape, size int64) bool {
	if s.Elem != nil {
		return s.Elem.Size == size || hasArray(s.Elem, size)
	}
	for i := range s.Fields {
		if !s.Union && hasArray(s.Fields[i].Shape, size) {
			return true
		}
	}
	return false
}
