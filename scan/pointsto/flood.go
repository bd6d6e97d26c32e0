package pointsto

import (
	"slices"

	"comus/cir"
)

// flood is a node that flows into all cells of an object that are within a range of bytes, now and later.
type flood struct {
	n *node
	r reach
}

// reach is which bytes are written by somebody who is given a location: all of an object, or those from lo on and below hi.
type reach struct {
	all    bool
	lo, hi int64
	// around are the arrays around the location of which only one element is written.
	around []level
}

// floodAt lets a node flow to where size bytes from a location on are written; an unknown number, up to the end of the array
// that the location is in, if size is negative.
func (a *analysis) floodAt(n *node, l Location, size int64) {
	if l.Obj.IsFunc() || size == 0 {
		return
	}
	f := flood{n, reachOf(l, size)}
	for _, g := range l.Obj.flooded {
		if g.n == n && (g.r.all || g.r.equal(&f.r)) {
			return
		}
	}
	l.Obj.flooded = append(l.Obj.flooded, f)
	for _, off := range l.Obj.offsets() {
		if f.r.meets(l.Obj, off, a.wordSize()) {
			a.flow(n, l.Obj.cells[off])
		}
	}
}

// Touches reports whether size bytes from a location on may be some of n bytes at another one of its object. An unknown number, if size is negative, goes to the end
// of the array of scalars that the location is in, or of the object.
func (l Location) Touches(size int64, at Location, n int64) bool {
	r := reachOf(l, size)
	return r.all || at.Off == Any || r.meets(at.Obj, at.Off, n)
}

// flood lets a node flow into every cell of an object.
func (a *analysis) flood(n *node, o *Object) { a.floodAt(n, Location{o, Any}, -1) }

func (r *reach) equal(q *reach) bool {
	return r.all == q.all && r.lo == q.lo && r.hi == q.hi && slices.Equal(r.around, q.around)
}

// reachOf returns what size bytes from a location on are. Nobody who begins within an array goes beyond its end; where a struct
// begins with the array, a number of bytes that is not known may be more.
func reachOf(l Location, size int64) reach {
	o := l.Obj
	off := o.Reduce(l.Off)
	s := o.Shape()
	if o.External || off == Any || off < 0 || o.Stride > 0 {
		return reach{all: true}
	}
	r := reach{lo: off, hi: end(off, size)}
	if s == nil {
		return r
	}
	around := levels(s, off, 0, nil)
	if size < 0 && len(around) > 0 {
		i := len(around) - 1
		if v := around[i]; isScalar(s, off) && !leadsArray(s, off) {
			return reach{lo: v.start, hi: v.start + v.elem*v.count, around: around[:i]}
		}
		r.lo = around[0].start
		return r
	}
	for i := len(around) - 1; i >= 0; i-- {
		v := around[i]
		switch {
		case off-v.start+size <= v.elem: // within one element
			r.around = around[:i+1]
			return r
		case size <= v.elem*v.count:
			return reach{lo: v.start, hi: max(v.start+v.elem*v.count, off+size), around: around[:i]} // behind the array, if it begins within an element
		}
		r.lo = min(r.lo, v.start)
	}
	return r
}

// isScalar reports whether what stands at an offset of a shape, in the innermost array there, is an array of scalars.
func isScalar(s *cir.Shape, off int64) bool {
	switch {
	case s.Elem != nil && s.Elem.Elem == nil && len(s.Elem.Fields) == 0:
		return true
	case s.Elem != nil && s.Elem.Size > 0:
		return isScalar(s.Elem, off%s.Elem.Size)
	case s.Union:
		return false
	}
	for i := range s.Fields {
		f := &s.Fields[i]
		flexible := f.Shape.Elem != nil && f.Shape.Len == 0 && i == len(s.Fields)-1
		if f.Bits == nil && f.Offset <= off && (off < f.Offset+f.Shape.Size || flexible) {
			return isScalar(f.Shape, off-f.Offset)
		}
	}
	return false
}

func end(off, size int64) int64 {
	if size < 0 {
		return 1 << 60
	}
	return off + size
}

// meets reports whether a pointer at an offset of an object, which stands for all elements of the arrays around it, has some of the bytes.
func (r *reach) meets(o *Object, off, word int64) bool {
	off = o.Reduce(off)
	if r.all || off == Any || o.Stride > 0 || off < r.hi && off+word > r.lo {
		return true
	}
	s := o.Shape()
	if s == nil {
		return false
	}
	for i, v := range levels(s, off, 0, nil) {
		if i < len(r.around) && r.around[i] == v {
			continue
		}
		if v.start < r.hi && v.start+v.elem*v.count > r.lo {
			return true
		}
	}
	return false
}
