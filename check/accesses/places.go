package accesses

import (
	"comus/cir"
	"comus/scan/pointsto"
)

// array is the innermost array that a location is in.
type array struct {
	start, end int64 // in the first elements of what is around it; end is unlimited if the length is not known
	elem       int64
	whole      bool // it is the whole object
}

// arrayAround returns the innermost array that a location is in, of which package pointsto takes all elements for one; ok is false if there is none.
func arrayAround(l pointsto.Location) (a array, ok bool) {
	all := arraysAround(l)
	if len(all) == 0 {
		return a, false
	}
	return all[len(all)-1], true
}

// arraysAround returns the arrays that a location is in, the outermost first.
func arraysAround(l pointsto.Location) (all []array) {
	o, s, at := l.Obj, l.Obj.Shape(), int64(0)
	if s == nil {
		if o.Stride > 0 {
			return []array{{0, unlimited, o.Stride, true}}
		}
		return nil
	}
	for first := true; s != nil && !s.Union; first = false {
		if s.Elem != nil {
			if s.Elem.Size <= 0 {
				return append(all, array{at, at, 1, false})
			}
			a := array{at, at + s.Len*s.Elem.Size, s.Elem.Size, first}
			if s.Len == 0 || first && o.Size() < 0 {
				a.end = unlimited
			}
			all = append(all, a)
			s = s.Elem
			continue
		}
		var in *cir.Shape
		for i := range s.Fields {
			f := &s.Fields[i]
			open := f.Shape.Elem != nil && f.Shape.Len == 0 && i == len(s.Fields)-1
			if f.Bits == nil && at+f.Offset <= l.Off && (open || l.Off < at+f.Offset+f.Shape.Size) {
				in, at = f.Shape, at+f.Offset
				break
			}
		}
		s = in
	}
	return all
}

// stays reports whether some bytes from a pointer on, which leads to a location, are where package pointsto has them: in one element of an array that the pointer was only moved along by
// whole elements, or in an array that it leads to the beginning of; or it was not moved along arrays at all.
func (a attr) stays(l pointsto.Location, from, size int64) bool {
	all := arraysAround(l)
	if l.Off == pointsto.Any || l.Off < 0 {
		return false
	}
	if len(all) == 0 || a.step == 0 {
		return true
	}
	for _, x := range all {
		at := l.Off - x.start + from
		if x.elem <= a.step && at >= 0 && at+size <= x.elem {
			return true
		}
		if x.elem < a.step && l.Off == x.start && from >= 0 && from+size <= x.end-x.start {
			return true
		}
	}
	return a.step > 0 && all[0].whole && len(all) == 1 // all of the object is one array
}

// member reports whether an array is a part of its object only: who steps out of it is in the object, but not where package pointsto has it.
func (a array) member() bool { return !a.whole }

// within reports whether so many bytes from a location on are within one element of each array that it is in, or in none.
func within(l pointsto.Location, n int64) bool {
	a, ok := arrayAround(l)
	return !ok || n <= a.elem-(l.Off-a.start)
}

// apart reports whether a pointer at a location overlaps another one at the same location entirely, or not at all.
func apart(l pointsto.Location, word int64) bool {
	if l.Off == pointsto.Any || l.Off < 0 || l.Obj.External || l.Obj.IsFunc() {
		return false
	}
	a, ok := arrayAround(l)
	return (ok || l.Exact()) && (!ok || l.Off-a.start+word <= a.elem)
}
