package race

import (
	"comus/cir"
	"comus/scan/pointsto"
)

// extent is a range of bytes of an object, elements of arrays being one.
type extent struct{ lo, hi int64 }

// everywhere is all of an object, whatever its size.
var everywhere = extent{-1 << 60, 1 << 60}

func (x extent) meets(y extent) bool { return x.lo < y.hi && y.lo < x.hi }

// extents returns the bytes of an access at a location: size bytes, an unknown number if size is negative.
func extents(l pointsto.Location, size int64, b *cir.Bits) []extent {
	o := l.Obj
	off := o.Reduce(l.Off)
	if o.External || off == pointsto.Any || off < 0 || o.Vague() {
		return []extent{everywhere}
	}
	if b != nil {
		from, to := int64(b.From), int64(b.To)
		if to <= from { // the location is not known: neighbours may be part of it
			return []extent{{max(off-8, 0), off + int64(b.Offset+b.Width+7)/8 + 8}}
		}
		return []extent{{off + from>>3, off + (to+7)>>3}}
	}
	if s := o.Shape(); s != nil {
		if size < 0 {
			return []extent{toEnd(s, off)}
		}
		c := cover{}
		c.add(s, 0, off, size)
		return c.list
	}
	switch {
	case o.Stride > 0 && size >= 0 && off%o.Stride+size <= o.Stride:
		return []extent{{off % o.Stride, off%o.Stride + size}}
	case o.Stride > 0:
		return []extent{everywhere}
	case size < 0:
		return []extent{{off, everywhere.hi}}
	}
	return []extent{{off, off + size}}
}

// toEnd returns the bytes from an offset on to the end of the array that it is in, or of all if it is in none, or where a struct begins
// with the array: then the address may be the struct's.
func toEnd(s *cir.Shape, off int64) extent {
	at, in, first := int64(0), s, int64(-1) // first: where the outermost array begins
	begins := false                         // a struct begins where in does
	for {
		switch {
		case begins && in.Elem != nil && in.Elem.Size > 0 && off%in.Elem.Size == 0:
			if first < 0 {
				first = at
			}
			return extent{first, everywhere.hi}
		case in.Elem != nil && in.Elem.Size > 0 && len(in.Elem.Fields) == 0 && in.Elem.Elem == nil:
			return extent{at, at + max(in.Size, in.Elem.Size)}
		case in.Elem != nil && in.Elem.Size > 0:
			if first < 0 {
				first = at
			}
			off, in, begins = off%in.Elem.Size, in.Elem, false
			continue
		}
		next := fieldAt(in, off)
		if next == nil {
			if first < 0 {
				first = at + off
			}
			return extent{first, everywhere.hi}
		}
		at, off, in, begins = at+next.Offset, off-next.Offset, next.Shape, next.Offset == 0
	}
}

// fieldAt returns the member of a struct at an offset, nil if there is none or it is not one's alone.
func fieldAt(s *cir.Shape, off int64) *cir.Field {
	if s.Union {
		return nil
	}
	for i := range s.Fields {
		f := &s.Fields[i]
		flexible := f.Shape.Elem != nil && f.Shape.Len == 0 && i == len(s.Fields)-1
		if f.Bits == nil && f.Offset <= off && (off < f.Offset+f.Shape.Size || flexible) {
			return f
		}
	}
	return nil
}

// cover collects the bytes of an access in a shape.
type cover struct{ list []extent }

func (c *cover) put(lo, hi int64) {
	if n := len(c.list); n > 0 && c.list[n-1].hi == lo {
		c.list[n-1].hi = hi
		return
	}
	c.list = append(c.list, extent{lo, hi})
}

// add adds size bytes from an offset of a shape that stands at a base. Who begins within an array stays there.
func (c *cover) add(s *cir.Shape, base, off, size int64) {
	switch {
	case s.Elem != nil && s.Elem.Size > 0:
		o := off % s.Elem.Size
		if o+size > s.Elem.Size {
			c.put(base, base+s.Elem.Size)
			return
		}
		c.add(s.Elem, base, o, size)
	case s.Union || len(s.Fields) == 0 || size == 0:
		c.put(base+off, base+off+size)
	default:
		c.fields(s, base, off, size)
	}
}

// fields adds the parts of the members of a struct, and what is between them.
func (c *cover) fields(s *cir.Shape, base, off, size int64) {
	at, end := off, off+size
	for i := range s.Fields {
		f := &s.Fields[i]
		fend := f.Offset + f.Shape.Size
		flexible := f.Shape.Elem != nil && f.Shape.Len == 0 && i == len(s.Fields)-1
		if f.Bits != nil || !flexible && (fend <= at || f.Offset >= end) || f.Offset < at && s.Union {
			continue
		}
		if flexible && f.Offset < end {
			fend = end
		}
		if f.Offset >= end {
			continue
		}
		from := max(at, f.Offset)
		if from > at {
			c.put(base+at, base+from)
		}
		if from-f.Offset > 0 && f.Shape.Elem != nil { // begins within an array and stays there
			c.add(f.Shape, base+f.Offset, from-f.Offset, end-from)
			return
		}
		c.add(f.Shape, base+f.Offset, from-f.Offset, min(end, fend)-from)
		at = min(end, fend)
	}
	if at < end {
		c.put(base+at, base+end)
	}
}
