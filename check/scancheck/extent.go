package scancheck

import (
	"comus/cir"
	"comus/scan/pointsto"
)

// extent is a range of bytes of an object, elements of arrays being one: the first.
type extent struct{ lo, hi int64 }

// everywhere is all of an object, whatever its size.
var everywhere = extent{-1 << 60, 1 << 60}

func (x extent) meets(y extent) bool { return x.lo < y.hi && y.lo < x.hi }

// array is one that an offset is in: where its first element begins, the size of one, and of all; first tells that a struct begins with it.
type array struct {
	start, elem, size int64
	first             bool
}

// arrays returns the arrays that an offset of a shape is in, the outermost first.
func arrays(s *cir.Shape, off, base int64) (list []array) {
	first := false
	for s != nil {
		if s.Elem != nil {
			if s.Elem.Size <= 0 {
				return list
			}
			size := s.Size
			if s.Len == 0 {
				size = 1 << 60 // of any length
			}
			list = append(list, array{base, s.Elem.Size, size, first})
			off, s, first = off%s.Elem.Size, s.Elem, false
			continue
		}
		if s.Union {
			return list
		}
		var in *cir.Shape
		for i := range s.Fields {
			f := &s.Fields[i]
			open := f.Shape.Elem != nil && f.Shape.Len == 0 && i == len(s.Fields)-1
			if f.Bits == nil && f.Offset <= off && (open || off < f.Offset+f.Shape.Size) {
				in, base, off = f.Shape, base+f.Offset, off-f.Offset
				first = f.Offset == 0
				break
			}
		}
		s = in
	}
	return list
}

// bytesOf returns the bytes of an access at a location. It may be more than are accessed.
func bytesOf(l pointsto.Location, t touch) extent {
	o := l.Obj
	off := o.Reduce(l.Off)
	if t.span != from || o.External || off == pointsto.Any || off < 0 {
		return everywhere
	}
	if b := t.bits; b != nil {
		if b.To <= b.From { // the location is not known: neighbours may be part of it
			return extent{max(off-8, 0), off + int64(b.Offset+b.Width+7)/8 + 8}
		}
		return extent{off + int64(b.From)>>3, off + (int64(b.To)+7)>>3}
	}
	if o.Stride > 0 && o.Shape() == nil {
		if t.size < 0 || off%o.Stride+t.size > o.Stride {
			return everywhere
		}
		return extent{off % o.Stride, off%o.Stride + t.size}
	}
	return around(arrays(o.Shape(), off, 0), off, t.size)
}

// around returns the bytes of an access at an offset that stands for elements of some arrays. What goes beyond an element may
// begin in any element of its array; what goes beyond the array begins with it.
func around(in []array, off, size int64) extent {
	for i := len(in) - 1; i >= 0; i-- {
		a := in[i]
		switch {
		case size >= 0 && off+size <= a.start+a.elem:
			return extent{off, off + size}
		case size >= 0 && off-a.start+size <= a.size || size < 0 && (off > a.start || !a.first):
			return extent{a.start, a.start + a.elem}
		case off != a.start:
			return everywhere
		}
	}
	if size < 0 {
		return extent{off, everywhere.hi}
	}
	return extent{off, off + size}
}
