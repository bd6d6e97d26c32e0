package specialise

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"comus/cir"
	"comus/ir"
	"comus/logic"
)

// With Options.Cells, an array that is accessed at an index which is not constant is not taken apart into its cells: the program has
// one of them, at an index that may be any (ir.Program.Cells). So its size does not matter, and need not be known.

// row is such an array, within an object: its elements lie one behind the other, those of an array of arrays too.
type row struct {
	obj    *object
	lo, n  int64 // the offset of its first byte, and how many there are
	elem   *cir.Shape
	path   string
	inside bool // it is not all of its object
	cells  map[int64]*cell
}

// element is a scalar of an element of a row, at some index.
type element struct {
	c  *cell
	at *logic.Term
}

// errAgain is that an array cannot be shown by one cell after all: it is taken apart in the next run.
var errAgain = errors.New("an array is taken apart")

// again is panicked with where errAgain shows.
type again struct{}

// rowAt returns the array that a byte of an object lies in, if one cell is to be shown of it; of an object that is an array as a whole, always
// that. indexed tells that the access is one at an index that is not constant.
func (b *builder) rowAt(o *object, off int64, indexed bool) *row {
	if !b.opts.Cells || o.shape == nil || o.size < 0 || o.global == nil && !o.heap || o.global != nil && (!o.abs.Written || o.global.ThreadLocal) || b.facts.apartFor[o.key] {
		return nil
	}
	s, lo, path := o.shape, int64(0), ""
	for s.Elem == nil {
		f := fieldAt(s, off-lo)
		if f == nil {
			return nil
		}
		s, lo, path = f.Shape, lo+f.Offset, path+dot(f.Name)
	}
	r := &row{obj: o, lo: lo, n: s.Size, elem: s.Elem, path: path, inside: s != o.shape}
	for r.elem.Elem != nil {
		r.elem = r.elem.Elem
	}
	if r.elem.Size <= 0 || r.n/r.elem.Size < minRow {
		return nil
	}
	key := fmt.Sprintf("%s@%d", o.key, lo)
	if old := b.rows[key]; old != nil {
		return old
	}
	if indexed || o.open {
		b.indexed[key] = true
	}
	if !b.facts.indexed[key] && !o.open {
		return nil
	}
	r.cells = map[int64]*cell{}
	b.rows[key] = r
	return r
}

// minRow is the least number of elements of an array that one cell is shown of.
const minRow = 3

// fieldAt returns the member of a struct that a byte lies in.
func fieldAt(s *cir.Shape, off int64) *cir.Field {
	if s.Union {
		return nil
	}
	for i := range s.Fields {
		if f := &s.Fields[i]; f.Bits == nil && f.Offset <= off && off < f.Offset+f.Shape.Size {
			return f
		}
	}
	return nil
}

// takeApart gives up to show one cell of the arrays of an object.
func (b *builder) takeApart(o *object) {
	b.facts.apartFor[o.key] = true
	panic(again{})
}

// hasRows reports whether one cell is shown of some array of an object.
func (b *builder) hasRows(o *object) bool {
	if !b.opts.Cells || b.facts.apartFor[o.key] {
		return false
	}
	for key := range b.facts.indexed {
		if i := strings.LastIndex(key, "@"); key[:i] == o.key {
			return true
		}
	}
	return o.open
}

// aparted reports whether bits of an object are those of a row, which has no other cells.
func (b *builder) aparted(o *object, bit int64) bool {
	return b.opts.Cells && b.rowAt(o, bit/8, false) != nil
}

// resolveElement resolves an access to an element of a row. It returns false if it is none.
func (b *builder) resolveElement(at *place, ts *targets, firstBit, bits int64) bool {
	o := at.obj
	r := b.rowAt(o, at.off, len(at.idx) > 0)
	if r == nil {
		return false
	}
	size := r.elem.Size
	first := at.off - r.lo
	within := floorDiv(first, size)
	rest := first - within*size
	index, from, to := b.L.Int(within), first, first+(firstBit+bits+7)/8
	for _, x := range at.idx {
		if x.scale%size != 0 {
			b.takeApart(o)
		}
		index = b.L.Add(index, b.L.Mul(x.t, b.L.Int(x.scale/size)))
		if x.len > 0 && !(len(at.idx) == 1 && !r.inside) {
			ts.ok = append(ts.ok, b.L.And(b.L.Le(b.L.Int(0), x.t), b.L.Le(x.t, b.L.Int(x.len-1))))
			from, to = from+min(0, (x.len-1)*x.scale), to+max(0, (x.len-1)*x.scale)
		} else if !x.array || x.scale <= 0 || r.lo+r.n+size <= o.size { // before it, or behind it, is something else
			from = -1
		}
	}
	if r.inside && (from < 0 || to > r.n) {
		b.takeApart(o) // it may be another member of the struct that is accessed
	}
	ts.ok = append(ts.ok, b.L.And(b.L.Le(b.L.Int(0), index), b.L.Le(index, b.L.Int(r.n/size-1))))
	ts.bounds = true
	c := b.elementCell(r, rest*8+firstBit, bits)
	ts.elem = &element{c, index}
	ts.shared = c.v.Thread == ir.Shared
	return true
}

// elementCell returns the cell of a scalar of the elements.
func (b *builder) elementCell(r *row, bit, bits int64) *cell {
	if c := r.cells[bit]; c != nil && c.bits == bits {
		return c
	}
	var found *cell
	leaves(r.elem, 0, bit, bit+bits, r.path+"[cell]", func(l leaf) {
		if l.bit != bit || l.bits != bits || l.bits%8 != 0 {
			b.takeApart(r.obj)
		}
		found = b.newCell(r.obj, l)
	})
	if found == nil {
		b.takeApart(r.obj)
	}
	found.v.Cell = ir.Cell
	found.v.Init = b.everywhere(r.obj)
	r.cells[bit] = found
	return found
}

// everywhere returns what all bytes of an object hold at first, if that is 0.
func (b *builder) everywhere(o *object) *logic.Value {
	switch {
	case o.global == nil && o.zero:
		return &logic.Value{}
	case o.global == nil || o.global.External || len(o.global.Relocs) > 0:
		return nil
	}
	for _, x := range o.global.Data {
		if x != 0 {
			return nil
		}
	}
	return &logic.Value{}
}

// cellIndex returns the index of the cells that are shown.
func (b *builder) cellIndex() *logic.Term {
	if b.index == nil {
		b.index = b.newVar("cell", "", ir.Type{Bits: 64, Signed: true}, ir.Shared)
		b.index.Cell = ir.CellIndex
	}
	return b.index.Sym
}

// loadElement reads a scalar of an element.
func (b *builder) loadElement(ts *targets, a cir.Access) *value {
	c := ts.elem.c
	b.settle(ts.shared)
	if ok := assumes(ts.ok); len(ok) > 0 {
		b.emit("", ok...)
	}
	b.cellIndex()
	tmp := b.newTemp(c.v.Type)
	e := b.emit(b.text(), ir.ReadCmd(tmp, c.v, ts.elem.at))
	e.approx = "a cell of an array"
	b.touch(c)
	w := b.val(c.typ, tmp.Sym)
	w.site = b.site
	return b.retype(w, a)
}

// storeElement returns the command that writes a scalar of an element.
func (b *builder) storeElement(e *element, x *value) ir.Cmd {
	n := b.stored(e.c, e.c.bit, e.c.bits, x)
	return ir.AssignCmd(e.c.v, b.L.Ite(b.L.Eq(e.at, b.cellIndex()), n, e.c.v.Sym))
}

// resolveInto resolves a pointer of which it is known only what it may point to, if that is one array that one cell is shown of.
func (b *builder) resolveInto(p *value, o *object, off int64, ts *targets, firstBit, bits int64) bool {
	r := b.rowAt(o, max(off, 0), true)
	if r == nil || r.inside || off < 0 {
		if r != nil {
			b.takeApart(o)
		}
		return false
	}
	size := r.elem.Size
	rest := off % size
	dist := b.L.Sub(p.t, b.L.Int(o.addr+rest))
	ts.ok = append(ts.ok, b.L.Eq(b.L.Mod(dist, b.L.Int(size)), b.L.Int(0)))
	t := b.L.Div(dist, b.L.Int(size))
	lo, hi := ir.Type{Bits: 64, Signed: true}.Range()
	return b.resolveElement(&place{obj: o, off: rest, idx: []index{{t: t, rng: interval{lo, hi}, scale: size}}}, ts, firstBit, bits)
}

// fillElements sets the bytes of an array that one cell is shown of to 0, in one step for each scalar of the elements, while nobody else sees
// it. It returns false if they are not those of such an array.
func (b *builder) fillElements(p *value, v cir.Value, size *value, k logic.Value, known bool) bool {
	at := cmp.Or(p.at, b.placeOf(p), b.onlyPlace(v))
	if at == nil || len(at.idx) > 0 {
		return false
	}
	r := b.rowAt(at.obj, at.off, false)
	if r == nil {
		return false
	}
	if !known || k.Sign() != 0 || r.inside || at.off != 0 || !b.cur.alone && !b.cur.unescaped[r.obj] || scalars(r.elem) > maxFilled {
		b.takeApart(r.obj)
	}
	mark := b.hold(size)
	b.settle(true)
	b.assume(assumePointer)
	b.emit("", ir.AssumeCmd(b.L.Eq(p.t, b.L.Int(r.obj.addr))))
	b.held[mark] = b.steady(b.held[mark])
	n := b.held[mark].t
	index, width := b.cellIndex(), b.L.Int(r.elem.Size)
	from, to := b.L.Mul(width, index), b.L.Mul(width, b.L.Add(index, b.L.Int(1)))
	leaves(r.elem, 0, 0, r.elem.Size*8, "", func(l leaf) {
		c := b.elementCell(r, l.bit, l.bits)
		part := b.newTemp(c.v.Type) // of the element that only a part of the bytes belongs to
		now := b.L.Ite(b.L.Le(to, n), b.L.Int(0), b.L.Ite(b.L.Lt(from, n), part.Sym, c.v.Sym))
		b.settle(c.v.Thread == ir.Shared, c.v)
		b.emit(b.text(), ir.HavocCmd(part, ""))
		b.emit(b.text(), ir.AssignCmd(c.v, b.L.Ite(b.L.Le(b.L.Int(0), index), now, c.v.Sym)))
	})
	b.release(mark)
	return true
}

// onlyPlace returns the beginning of the only object that an operand may point to, nil if there is none.
func (b *builder) onlyPlace(v cir.Value) *place {
	all := b.pts.Targets(b.fr.fn, b.fr.ctx, v)
	if len(all) != 1 || all[0].Off != 0 {
		return nil
	}
	if list := b.instances(all[0].Obj); len(list) == 1 {
		return &place{obj: list[0]}
	}
	return nil
}

// maxFilled bounds the scalars of an element that are set one by one.
const maxFilled = 64
