package points

import (
	"comus/cir"
)

// node has a set of locations: a register, a cell of memory, the result of a function.
type node struct {
	set   map[Location]bool
	fresh []Location // in the set, not yet handed on
	queue bool       // waits to hand on

	to    []edge
	rules []func(Location) // for each location that comes
	have  map[edge]bool
}

// edge hands locations on, moved by a number of bytes.
type edge struct {
	to    *node
	shift int64 // Any: to anywhere in the object
	step  int64 // and any multiple of this; 0: none
}

func (a *analysis) newNode() *node { return &node{set: map[Location]bool{}} }

// add puts a location into a node's set.
func (a *analysis) add(n *node, l Location) {
	l.Off = a.settled(l.Obj, l.Off)
	if n == nil || n.set[l] {
		return
	}
	n.set[l] = true
	n.fresh = append(n.fresh, l)
	if !n.queue {
		n.queue = true
		a.work = append(a.work, n)
	}
}

// settled returns the offset that stands for off. An object without a shape of which too many offsets turn up is walked by a
// pointer: it gets a stride.
func (a *analysis) settled(o *Object, off int64) int64 {
	off = o.reduce(off)
	if o.External || o.IsFunc() || off == Any || off == 0 || o.Shape() != nil || o.Stride > 0 || o.seen[off] {
		return off
	}
	if size := o.Size(); off < 0 || size >= 0 && off > size {
		return Any
	}
	if o.seen == nil {
		o.seen = map[int64]bool{}
	}
	o.seen[off] = true
	if len(o.seen) > maxOffsets {
		for s := range o.seen {
			o.Stride = gcd(o.Stride, s)
		}
		a.restride(o)
	}
	return o.reduce(off)
}

// flow hands on everything that is and comes in from's set to another node.
func (a *analysis) flow(from, to *node, shift, step int64) {
	if from == nil || to == nil || from == to && shift == 0 && step == 0 {
		return
	}
	e := edge{to, shift, step}
	if from.have[e] {
		return
	}
	if from.have == nil {
		from.have = map[edge]bool{}
	}
	from.have[e] = true
	from.to = append(from.to, e)
	for l := range from.set {
		a.hand(l, e)
	}
}

// hand hands a location on along an edge.
func (a *analysis) hand(l Location, e edge) {
	if l.Obj.IsFunc() || l.Obj.External {
		a.add(e.to, l)
		return
	}
	if e.step != 0 {
		a.indexed(l.Obj, l.Off, e.shift, e.step)
	}
	switch {
	case l.Off == Any || e.shift == Any || e.step != 0 && l.Obj.Shape() != nil && !strided(l.Obj.Shape(), l.Off, e.step):
		a.add(e.to, Location{l.Obj, Any})
	case l.Obj.Shape() != nil:
		a.add(e.to, Location{l.Obj, a.inArray(l, e)})
	default:
		off := l.Off + e.shift
		if l.Obj.Stride > 0 && off < 0 {
			off = (off%l.Obj.Stride + l.Obj.Stride) % l.Obj.Stride
		}
		a.add(e.to, Location{l.Obj, off})
	}
}

// strided reports whether steps from an offset on go from element to element of an array around it.
func strided(s *cir.Shape, off, step int64) bool {
	if s.Elem != nil {
		return s.Elem.Size > 0 && (step%s.Elem.Size == 0 || strided(s.Elem, off%s.Elem.Size, step))
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

// inArray returns the offset after a move within an object with a shape. One that leaves the
// object, as offsets of elements stand for all of them, comes back in.
func (a *analysis) inArray(l Location, e edge) int64 {
	off, size := l.Off+e.shift, l.Obj.Size()
	if off >= 0 && off < size {
		return off
	}
	// p-1 of an element, or one past the end of the first element of an array: the same element of its neighbour.
	if stride := strideAt(l.Obj.Shape(), l.Off); stride > 0 {
		return l.Off - l.Off%stride + ((off%stride)+stride)%stride
	}
	return off
}

// strideAt returns the size of the elements of the outermost array at an offset, 0 if there is none.
func strideAt(s *cir.Shape, off int64) int64 {
	if s.Elem != nil {
		return s.Elem.Size
	}
	for i := range s.Fields {
		if f := &s.Fields[i]; f.Offset <= off && off < f.Offset+f.Shape.Size {
			return strideAt(f.Shape, off-f.Offset)
		}
	}
	return 0
}

// indexed notes that an object without a shape is indexed in steps.
func (a *analysis) indexed(o *Object, off, shift, step int64) {
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

// restride merges the cells of an object that are one now.
func (a *analysis) restride(o *Object) {
	for off, n := range o.cells {
		if r := o.reduce(off); r != off {
			m := a.cell(o, r)
			a.flow(n, m, 0, 0)
			a.flow(m, n, 0, 0)
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
	off = o.reduce(off)
	if n := o.cells[off]; n != nil {
		return n
	}
	if o.Shape() == nil && !o.External && len(o.cells) >= maxOffsets && o.Stride == 0 {
		a.indexed(o, 0, 0, a.wordSize())
		off = o.reduce(off)
		if n := o.cells[off]; n != nil {
			return n
		}
	}
	if o.cells == nil {
		o.cells = map[int64]*node{}
	}
	n := a.newNode()
	o.cells[off] = n
	if off == Any { // whatever is stored anywhere, and may be anywhere
		for k, c := range o.cells {
			if k != Any {
				a.flow(n, c, 0, 0)
				a.flow(c, n, 0, 0)
			}
		}
	} else if c := o.cells[Any]; c != nil {
		a.flow(n, c, 0, 0)
		a.flow(c, n, 0, 0)
	}
	for _, c := range o.copies {
		a.copyCell(c, off, n)
	}
	for _, f := range o.flooded {
		a.flow(f, n, 0, 0)
	}
	return n
}

// objectCopy is a copy of the bytes of an object from an offset on.
type objectCopy struct {
	from int64 // the first byte
	size int64 // or -1
	to   *Object
	at   int64 // where the first byte goes
}

// copyCell lets a cell flow where a copy of the object's bytes puts it.
func (a *analysis) copyCell(c *objectCopy, off int64, n *node) {
	if off == Any || c.from == Any || c.at == Any {
		a.flow(n, a.cell(c.to, Any), 0, 0)
		return
	}
	if c.size >= 0 && (off < c.from || off >= c.from+c.size) && c.to.Shape() == nil {
		if off < c.from { // an element stands for all of its array
			return
		}
	}
	a.flow(n, a.cell(c.to, off-c.from+c.at), 0, 0)
}

// copyObject lets the contents of one object flow into another.
func (a *analysis) copyObject(src, dst Location, size int64) {
	c := &objectCopy{src.Off, size, dst.Obj, dst.Off}
	for _, d := range src.Obj.copies {
		if *d == *c {
			return
		}
	}
	src.Obj.copies = append(src.Obj.copies, c)
	offs := make([]int64, 0, len(src.Obj.cells))
	for off := range src.Obj.cells {
		offs = append(offs, off)
	}
	for _, off := range offs {
		a.copyCell(c, off, src.Obj.cells[off])
	}
}

// each calls f for each location that is or comes in a node's set.
func (a *analysis) each(n *node, f func(Location)) {
	if n == nil {
		return
	}
	n.rules = append(n.rules, f)
	var now []Location
	for l := range n.set {
		now = append(now, l)
	}
	for _, l := range now {
		f(l)
	}
}

// solve hands on until nothing changes.
func (a *analysis) solve() {
	for len(a.work) > 0 {
		n := a.work[len(a.work)-1]
		a.work = a.work[:len(a.work)-1]
		n.queue = false
		fresh := n.fresh
		n.fresh = nil
		for _, l := range fresh {
			for i := 0; i < len(n.to); i++ {
				a.hand(l, n.to[i])
			}
			for i := 0; i < len(n.rules); i++ {
				n.rules[i](l)
			}
		}
	}
}
