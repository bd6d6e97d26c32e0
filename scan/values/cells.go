package values

import (
	"cmp"
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// Memory is taken apart into cells: an offset of an object of package pointsto at which all accesses that touch any of its
// bytes are of the same size. An offset stands for all elements of the arrays around it, and an object may stand for many; such a cell
// has several scalars. Where accesses overlap in other ways, for bit-fields, and in objects that are known outside of the program, there are no
// cells: what is read there may be anything.

// cell is a scalar, or several that are not told apart.
type cell struct {
	key  uint32 // in states; even
	obj  *pointsto.Object
	off  int64
	size int64
	typ  cir.Type
	many bool // several scalars
	own  bool // one thread only accesses it, or each has its own
	// static tells that all values it ever has are collected, from the one the program begins with; of other cells that
	// could be anything, as they are indeterminate at the beginning.
	static bool
	init   Value       // of a static one
	str    *stringCell // it is the length of a string
	lock   bool        // some lock is there
}

// memory has the cells of a program.
type memory struct {
	pts     *pointsto.Result
	model   cir.Model
	at      map[*pointsto.Object]map[int64]*cell // by offsets; an object without any is not tracked
	of      map[*pointsto.Object][]*cell         // in order
	cells   []*cell                              // by their keys, halved
	shared  []*cell                              // those that are not own
	strings []*cell                              // lengths
}

func newMemory(p *cir.Program, pts *pointsto.Result, unsure func(*pointsto.Object) bool, recursive map[*cir.Func]bool) *memory {
	m := &memory{pts: pts, model: p.Model, at: map[*pointsto.Object]map[int64]*cell{}, of: map[*pointsto.Object][]*cell{}}
	for _, o := range pts.Objects {
		if o.External || o.IsFunc() || o.Site != nil || pts.Outside(o) || pts.Interrupted(o) || unsure(o) || o.Global != nil && o.Global.External {
			continue
		}
		m.layOut(o, o.Local != nil && recursive[o.Func])
	}
	return m
}

// part is bytes of an object that are accessed in one way.
type part struct {
	off, size int64
	typ       cir.Type
	broken    bool
}

// layOut makes the cells of an object.
func (m *memory) layOut(o *pointsto.Object, many bool) {
	parts, ok := m.parts(o)
	if !ok {
		return
	}
	at := map[int64]*cell{}
	for i := 0; i < len(parts); {
		// Those that overlap, and what overlaps with these.
		first, j := parts[i], i+1
		for end := first.off + first.size; j < len(parts) && parts[j].off < end; j++ {
			p := parts[j]
			if p.off != first.off || p.size != first.size {
				first.broken = true
			}
			first.broken = first.broken || p.broken
			end = max(end, p.off+p.size)
		}
		if !first.broken {
			c := &cell{key: uint32(len(m.cells)) * 2, obj: o, off: first.off, size: first.size, typ: first.typ,
				many: many || repeated(o, first.off), own: !m.pts.SharedOrPassed(o), static: o.Global != nil}
			m.cells = append(m.cells, c)
			if !c.own {
				m.shared = append(m.shared, c)
			}
			at[c.off] = c
			m.of[o] = append(m.of[o], c)
		}
		i = j
	}
	m.at[o] = at
	if o.Global != nil {
		m.initialise(o, at)
	}
}

// parts returns how an object is accessed, by offsets; ok is false if nobody knows where.
func (m *memory) parts(o *pointsto.Object) (parts []part, ok bool) {
	for a := range o.How {
		p := part{off: a.Off, size: m.model.SizeOf(a.Type), typ: a.Type}
		if a.Bits.Width > 0 {
			p.broken = true
			p.size = max(p.size, int64(a.Bits.Offset+a.Bits.Width+7)/8)
		}
		if whole := o.Size(); whole >= 0 && p.off+p.size > whole {
			continue // undefined
		}
		if a.Off == pointsto.Any || a.Off < 0 || !m.inElement(o, p) {
			return nil, false
		}
		parts = append(parts, p)
	}
	slices.SortFunc(parts, func(x, y part) int {
		return cmp.Or(cmp.Compare(x.off, y.off), cmp.Compare(x.size, y.size), cmp.Compare(x.typ.String(), y.typ.String()))
	})
	return parts, true
}

// inElement reports whether some bytes of an object do not go from one element of an array to the next, which would be the first one here.
func (m *memory) inElement(o *pointsto.Object, p part) bool {
	s := o.Shape()
	switch {
	case s == nil:
		return o.Stride == 0 || p.off%o.Stride+p.size <= o.Stride
	case p.off == 0 && p.size == o.Size():
		return true
	}
	return !flexible(s) && contained(s, p.off, p.size)
}

// flexible reports whether a struct ends with an array of open length.
func flexible(s *cir.Shape) bool {
	if s.Elem != nil {
		return s.Len == 0
	}
	return len(s.Fields) > 0 && !s.Union && flexible(s.Fields[len(s.Fields)-1].Shape)
}

func contained(s *cir.Shape, off, size int64) bool {
	switch {
	case s.Elem != nil:
		if s.Elem.Size <= 0 {
			return false
		}
		off %= s.Elem.Size
		return off+size <= s.Elem.Size && contained(s.Elem, off, size)
	case s.Union:
		return true // its offsets are all told apart
	}
	for i := range s.Fields {
		f := &s.Fields[i]
		if f.Bits != nil || off < f.Offset || f.Offset+f.Shape.Size <= off {
			continue
		}
		if off+size <= f.Offset+f.Shape.Size {
			return contained(f.Shape, off-f.Offset, size)
		}
		return !inArray(f.Shape, off-f.Offset)
	}
	return true
}

// repeated reports whether an offset of an object stands for several.
func repeated(o *pointsto.Object, off int64) bool {
	s := o.Shape()
	if s == nil || o.Site != nil && o.Size() < 0 {
		return o.Stride > 0 || o.Size() < 0
	}
	return inArray(s, off)
}

func inArray(s *cir.Shape, off int64) bool {
	switch {
	case s.Elem != nil:
		return s.Len != 1 || s.Elem.Size <= 0 || inArray(s.Elem, off%s.Elem.Size)
	case s.Union:
		return false
	}
	for i := range s.Fields {
		f := &s.Fields[i]
		if f.Shape.Elem != nil && f.Shape.Len == 0 && off >= f.Offset {
			return true
		}
		if f.Bits == nil && f.Offset <= off && off < f.Offset+f.Shape.Size {
			return inArray(f.Shape, off-f.Offset)
		}
	}
	return false
}

// maxData bounds the initial contents that are looked at, maxRest the zeros behind them.
const (
	maxData = 1 << 20
	maxRest = 1 << 12
)

// initialise finds what static cells hold when the program begins.
func (m *memory) initialise(o *pointsto.Object, at map[int64]*cell) {
	g := o.Global
	if len(at) == 0 {
		return
	}
	rest := g.Size - int64(len(g.Data)) // zeros
	for _, c := range at {
		if c.many && rest > maxRest || c.off >= int64(len(g.Data)) {
			c.init = zero
		}
		if len(g.Data) > maxData || !isNumber(c.typ) {
			c.init = top
		}
	}
	if len(g.Data) > maxData {
		return
	}
	relocs := map[int64]cir.Symbol{}
	for _, r := range g.Relocs {
		relocs[r.Offset] = r.Target
	}
	for x := int64(0); x < int64(len(g.Data))+min(rest, maxRest); x++ {
		if c := at[o.Reduce(x)]; c != nil {
			c.init = c.init.join(m.datum(g, c, x, relocs))
		}
	}
	for _, r := range g.Relocs { // behind what there is of data, or in the midst of a cell
		c := at[o.Reduce(r.Offset)]
		for _, d := range at {
			if overlaps := o.Reduce(r.Offset) < d.off+d.size && d.off < o.Reduce(r.Offset)+int64(m.model.PointerBits/8); overlaps && d != c {
				d.init = top
			}
		}
		if c != nil && r.Offset >= int64(len(g.Data)) {
			c.init = top
		}
	}
}

// datum returns a scalar of a global's data.
func (m *memory) datum(g *cir.Global, c *cell, x int64, relocs map[int64]cir.Symbol) Value {
	switch {
	case !isNumber(c.typ) || c.typ.Bits%8 != 0 && c.typ != cir.Bool:
		return top
	case relocs[x] != nil && c.size*8 == int64(m.model.PointerBits):
		return address(relocs[x], m.model).of(c.typ)
	case relocs[x] != nil:
		return all(c.typ)
	}
	bits := uint64(0)
	for k := int64(0); k < c.size && x+k < int64(len(g.Data)); k++ {
		bits |= uint64(g.Data[x+k]) << (8 * k)
	}
	return single(unsigned(bits)).fit(c.typ, true)
}

// list returns the cells of an object, in order.
func (m *memory) list(o *pointsto.Object) []*cell { return m.of[o] }

// cellOf returns the cell of a key.
func (m *memory) cellOf(key uint32) *cell { return m.cells[key/2] }

// Keys of states are even for cells, and odd for registers, which are a function's own. Beside them a state has heldBy the key of a lock's cell
// if the thread holds that lock in any case, and in depth how many atomic sections it is in.
const (
	heldBit = uint32(1) << 31
	depth   = ^uint32(1)
)

func isCell(key uint32) bool { return key&1 == 0 && key < heldBit }

// isThread reports whether a key is not one of a function's own.
func isThread(key uint32) bool { return key&1 == 0 }

func heldBy(c *cell) uint32 { return c.key | heldBit }

// address returns what the address of something may be: not null, unless it is weak and may be absent.
func address(v cir.Value, m cir.Model) Value {
	switch v := v.(type) {
	case *cir.Global:
		if v.External && v.Weak {
			return all(m.Pointer())
		}
	case *cir.Func:
		if v.Weak && len(v.Blocks) == 0 {
			return all(m.Pointer())
		}
	}
	return all(m.Pointer()).without(number{})
}

// cellAt returns the cell that an access of some bytes at a location is one of, nil if there is none.
func (m *memory) cellAt(l pointsto.Location, size int64) *cell {
	if l.Off == pointsto.Any {
		return nil
	}
	if c := m.at[l.Obj][l.Obj.Reduce(l.Off)]; c != nil && c.size == size {
		return c
	}
	return nil
}
