package pointsto

import (
	"slices"

	"comus/cir"
)

// canonicalOffset returns the offset that stands for off. An object of which too many offsets turn up is walked by a
// pointer: it gets a stride, or, if it has a shape, its offsets are not told apart.
func (a *analysis) canonicalOffset(o *Object, off int64) int64 {
	if o.strayed(off) {
		return o.stray(off)
	}
	off = o.Reduce(off)
	if o.External || o.IsFunc() || off == Any || off == 0 || o.Stride > 0 {
		return off
	}
	if _, ok := o.locs[off]; ok {
		return off
	}
	if o.Shape() != nil {
		if o.scalars == 0 {
			o.scalars = max(scalars(o.Shape()), maxOffsets)
		}
		if len(o.locs) > o.scalars+1 {
			o.capped = true
			a.cell(o, Any)
			return Any
		}
		return off
	}
	if size := o.Size(); off < 0 || size >= 0 && off > size {
		return Any
	}
	if len(o.locs) > maxOffsets+1 {
		for s := range o.locs {
			if s != Any {
				o.Stride = gcd(o.Stride, s)
			}
		}
		o.Stride = gcd(o.Stride, off)
		a.restride(o)
	}
	return o.Reduce(off)
}

// scalars returns the number of offsets at which a shape has scalars.
func scalars(s *cir.Shape) int {
	if s.Elem != nil {
		return scalars(s.Elem)
	}
	if len(s.Fields) == 0 {
		return 1
	}
	n := 0
	for i := range s.Fields {
		n += scalars(s.Fields[i].Shape)
	}
	return n
}

// propagateAlong propagates a location along an edge.
func (a *analysis) propagateAlong(l Location, e edge) {
	a.moved(l, e, func(m Location) { a.add(e.to, m) })
}

// moved calls f for the locations after a move along an edge.
func (a *analysis) moved(l Location, e edge, f func(Location)) {
	shift, step := e.shift, e.step
	if l.Obj.IsFunc() || l.Obj.External {
		f(l)
		return
	}
	if step != 0 {
		a.indexed(l.Obj, step)
	}
	if m, ok := a.strays(l, e); ok {
		f(m)
		return
	}
	within := f
	f = func(m Location) {
		if m.Obj.strayed(m.Off) { // from some elements of an array only, or by steps
			m.Off = Any
		}
		within(m)
	}
	s := l.Obj.Shape()
	switch {
	case l.Off == Any || shift == Any || step != 0 && s != nil && !strided(s, l.Off, step) && !a.inside(e, l) || !a.fits(l, e):
		f(Location{l.Obj, Any})
	case s != nil:
		inArray(l, shift, f)
	default:
		off := l.Off + shift
		if l.Obj.Stride > 0 && off < 0 {
			off = (off%l.Obj.Stride + l.Obj.Stride) % l.Obj.Stride
		}
		f(Location{l.Obj, off})
	}
}

// inside reports whether a move from an offset of a shape goes to an array and from element to element there. What is the last member of a
// struct may go on behind it: as memory from the heap does, and arrays of one element everywhere.
func (a *analysis) inside(e edge, l Location) bool {
	s, off := l.Obj.Shape(), l.Off
	if list, elem := a.regions(s); e.shift < 0 && (e.of == nil || off+e.shift < 0 || regionAt(list, wrap(off, elem)) >= 0) {
		return false
	}
	off += e.shift
	if e.count == 0 && e.of == nil || !strided(s, off, e.step) {
		return false
	}
	around := levels(s, off, 0, nil)
	if e.count > 0 { // as large an array, but for one that goes on for as long as there is memory
		return e.count <= around[0].count*around[0].elem/e.step
	}
	return around[len(around)-1].count > 1
}

// strided reports whether steps from an offset on go from element to element of an array around it.
func strided(s *cir.Shape, off, step int64) bool {
	if s.Elem != nil {
		return s.Elem.Size > 0 && (step%s.Elem.Size == 0 || strided(s.Elem, off%s.Elem.Size, step))
	}
	if s.Union { // its offsets are all told apart
		return false
	}
	for i := range s.Fields {
		f := &s.Fields[i]
		end := f.Offset + f.Shape.Size
		if f.Shape.Elem != nil && f.Shape.Len == 0 {
			end = off + 1
		}
		if f.Bits == nil && f.Offset <= off && off < end {
			return strided(f.Shape, off-f.Offset, step)
		}
	}
	return false
}

// inArray calls f for the locations after a move within an object with a shape. An offset stands for all elements of the
// arrays around it: a move back may stay in each of them, and one that leaves the object comes back in.
func inArray(l Location, shift int64, f func(Location)) {
	off, size := l.Off+shift, l.Obj.bound()
	inside := off >= 0 && off < size
	if inside {
		f(Location{l.Obj, off})
	}
	if inside && shift >= 0 {
		// A step of less than an element, over the bytes of the object, may leave each array behind its last one.
		for _, v := range levels(l.Obj.Shape(), l.Off, 0, nil) {
			if end := off + v.elem*(v.count-1); shift < v.elem && (l.Off-v.start)%v.elem+shift >= v.elem && end < size {
				f(Location{l.Obj, end})
			}
		}
		return
	}
	wrapped := false
	for _, v := range levels(l.Obj.Shape(), l.Off, 0, nil) {
		if -shift < v.elem*v.count {
			at := l.Off - v.start
			f(Location{l.Obj, v.start + ((at+shift)%v.elem+v.elem)%v.elem})
			wrapped = true
		}
	}
	if !inside && !wrapped {
		f(Location{l.Obj, off})
	}
}

// indexed notes that an object without a shape is indexed in steps.
func (a *analysis) indexed(o *Object, step int64) {
	if o.Shape() != nil || o.Stride == step || step < 0 {
		return
	}
	if s := gcd(o.Stride, step); s != o.Stride {
		o.Stride = s
		a.restride(o)
	}
}

// maxOffsets bounds the offsets that are told apart in an object without a shape; more are
// taken for an array walked by a pointer.
const maxOffsets = 64

// restride unites the cells of an object that are one now.
func (a *analysis) restride(o *Object) {
	if o.cells[Any] != nil {
		return
	}
	for i := range o.flooded {
		for _, off := range o.offsets() {
			a.flow(o.flooded[i].n, o.cells[off])
		}
	}
	for _, off := range o.offsets() {
		if r := o.Reduce(off); r != off {
			a.unite(o.cells[off], a.cell(o, r))
		}
	}
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// cell returns the node of what an object holds at an offset.
func (a *analysis) cell(o *Object, off int64) *node {
	off = o.Reduce(off)
	if n := o.cells[off]; n != nil {
		if a.traced { // its name, whatever it is one with
			return n
		}
		return find(n)
	}
	if o.Shape() == nil && !o.External && len(o.cells) >= maxOffsets && o.Stride == 0 {
		a.indexed(o, a.wordSize())
		off = o.Reduce(off)
		if n := o.cells[off]; n != nil {
			return find(n)
		}
	}
	if o.cells == nil {
		o.cells = map[int64]*node{}
	}
	if c := o.cells[Any]; c != nil { // what is stored anywhere may be anywhere
		o.cells[off] = c
		return find(c)
	}
	n := a.newNode()
	if off == Any {
		for _, k := range o.offsets() {
			n = a.unite(n, o.cells[k])
		}
	}
	o.cells[off] = n
	for _, r := range o.readers {
		a.read(o, r, off, n)
	}
	for i := range o.flooded {
		if f := &o.flooded[i]; f.r.meets(o, off, a.wordSize()) {
			a.flow(f.n, n)
		}
	}
	return find(n)
}

// offsets returns the offsets of an object's cells, in order; Any only if there is one for it.
func (o *Object) offsets() []int64 {
	if o.cells[Any] != nil {
		return []int64{Any}
	}
	offs := make([]int64, 0, len(o.cells))
	for off := range o.cells {
		offs = append(offs, off)
	}
	slices.Sort(offs)
	return offs
}
