package valuecheck

import (
	"cmp"
	"fmt"
	"slices"

	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// A cell is a scalar in memory of which something is claimed: some bytes of an object of package pointsto, or those at an offset of each element of an array. Accesses
// of just these bytes are accesses of the cell; others that may touch any of them make it hold anything. So cells of one object may not overlap. Objects on the
// heap, and those that code outside of the program may access, have none.
type cell struct {
	id        int
	obj       *pointsto.Object
	off, size int64
	typ       cir.Type
	// own: each thread has its own, or one thread only accesses it.
	own bool
	// static ones have ever for all that they ever hold; others hold anything at first.
	static bool
	// single: there is one such scalar at a time that a thread can mean; once: there is one in all of an execution.
	single, once bool
	first        set // what a static one holds when the program, or a thread, begins
	ever         set
	met          set   // what may be found while there may be other threads, of one that is not own
	guard        []int // locks that are held at all accesses while there may be other threads; of a lone one, at all writes
	sections     bool  // all these are in atomic sections
	text         bool  // it is no scalar, but the length of a string in an array of so many characters
}

// lock is one that guards cells: an int at a place that there is one of.
type lock struct {
	obj *pointsto.Object
	off int64
	ok  bool // it is freed by whoever holds it only
}

// memory has the cells and locks of a certificate.
type memory struct {
	*program
	cells  []*cell                      // nil: one that is none
	of     map[*pointsto.Object][]*cell // scalars
	texts  map[*pointsto.Object][]*cell
	locks  []*lock
	locked map[*pointsto.Object][]int
	locals map[int][]*cell // by the numbers of the copies whose activations they are in
	shared []*cell         // that are not own
	tls    []*cell         // that each thread has its own of, beside locals
	// offsets are the answers of elements.
	offsets map[*pointsto.Object]map[int64][]int64
	origins *origins
}

func newMemory(p *program, c *certificate.Values, refuse func(string, ...any)) *memory {
	m := &memory{program: p, of: map[*pointsto.Object][]*cell{}, locked: map[*pointsto.Object][]int{}, locals: map[int][]*cell{},
		texts: map[*pointsto.Object][]*cell{}, offsets: map[*pointsto.Object]map[int64][]int64{}, origins: newOrigins(p)}
	for i, x := range c.Locks {
		l := &lock{off: x.Off}
		if x.Object >= 0 && x.Object < len(p.pts.Objects) {
			o := p.pts.Objects[x.Object]
			l.obj, l.ok = o, p.inside(o) && p.pts.Once(o) && pointsto.Location{Obj: o, Off: x.Off}.Exact() && x.Off >= 0 && x.Off+4 <= o.Size()
		}
		m.locks = append(m.locks, l)
		if l.ok {
			m.locked[l.obj] = append(m.locked[l.obj], i)
		} else {
			refuse("lock %d is none", i)
		}
	}
	for i := range c.Cells {
		x, err := m.cell(i, &c.Cells[i])
		if err != nil {
			refuse("cell %d: %v", i, err)
		}
		m.cells = append(m.cells, x)
	}
	return m
}

// inside reports whether an object is memory of which something can be claimed.
func (p *program) inside(o *pointsto.Object) bool {
	switch {
	case o.External || o.IsFunc() || o.Site != nil || p.pts.Outside(o) || p.pts.Interrupted(o):
		return false
	case o.Global != nil:
		return !o.Global.External && o.Global != p.errno
	}
	return o.Local != nil
}

// typeOf returns the type that a cell has.
func (p *program) typeOf(x *certificate.ValueCell) (t cir.Type, ok bool) {
	switch x.Kind {
	case "int":
		t = cir.Type{Kind: cir.IntKind, Bits: x.Bits, Signed: true}
	case "uint":
		t = cir.Type{Kind: cir.IntKind, Bits: x.Bits}
	case "ptr":
		t = p.prog.Model.Pointer()
	}
	return t, countable(t) && t.Bits == x.Bits
}

// cell reads a cell: nil, and perhaps why, if there is none of which something can be claimed.
func (m *memory) cell(i int, x *certificate.ValueCell) (c *cell, err error) {
	if x.Kind == "str" {
		c, err = m.textCell(i, x)
	} else {
		c, err = m.scalar(i, x)
	}
	if c != nil {
		err = m.claimed(c, x)
	}
	return c, err
}

// scalar reads a cell that is a scalar.
func (m *memory) scalar(i int, x *certificate.ValueCell) (*cell, error) {
	t, ok := m.typeOf(x)
	if !ok {
		return nil, nil
	}
	if x.Object < 0 || x.Object >= len(m.pts.Objects) {
		return nil, fmt.Errorf("there is no object %d", x.Object)
	}
	c := &cell{id: i, obj: m.pts.Objects[x.Object], off: x.Off, size: x.Size, typ: t, ever: anything, met: anything}
	o, at := c.obj, pointsto.Location{Obj: c.obj, Off: c.off}
	if !m.inside(o) || c.off < 0 || c.size != m.prog.Model.SizeOf(t) || c.off+c.size > o.Size() {
		return nil, fmt.Errorf("nothing can be claimed of %s", o)
	}
	for k := range c.size {
		if o.Reduce(c.off+k) != c.off+k {
			return nil, fmt.Errorf("%s is not divided like that", o)
		}
	}
	for _, d := range m.of[o] {
		if c.off < d.off+d.size && d.off < c.off+c.size {
			return nil, fmt.Errorf("it overlaps cell %d", d.id)
		}
	}
	c.own, c.static = !m.pts.SharedOrPassed(o), o.Global != nil
	c.once = at.Exact() && m.pts.Once(o)
	if c.static && o.Global.ThreadLocal && !c.own {
		return nil, nil
	}
	c.single = at.Exact() && (o.Global != nil || !m.again[m.number[m.pts.Canonical(pointsto.Copy{Func: o.Func, Ctx: o.Ctx})]])
	m.of[o] = append(m.of[o], c)
	return c, nil
}

// claimed reads what is claimed of a cell.
func (m *memory) claimed(c *cell, x *certificate.ValueCell) (err error) {
	o := c.obj
	if x.Ever != "" && c.static {
		c.ever, err = read(x.Ever)
	}
	if x.Met != "" && !c.own && err == nil {
		c.met, err = read(x.Met)
	}
	if err != nil { // nothing is
		c.ever, c.met = anything, anything
	}
	if c.once && (!c.own || lone(c)) {
		for _, g := range x.Guard {
			if g >= 0 && g < len(m.locks) && m.locks[g].ok && !slices.Contains(c.guard, g) {
				c.guard = append(c.guard, g)
			}
		}
		c.sections = x.Sections
	}
	if c.static {
		if c.first = m.initial(c); !c.first.within(c.ever) {
			c.ever = anything
		}
	}
	if o.Local != nil {
		n := m.number[m.pts.Canonical(pointsto.Copy{Func: o.Func, Ctx: o.Ctx})]
		m.locals[n] = append(m.locals[n], c)
	}
	if c.static && o.Global.ThreadLocal {
		m.tls = append(m.tls, c)
	}
	if !c.own {
		m.shared = append(m.shared, c)
	}
	return err
}

// maxBytes bounds the initial contents that are looked at.
const maxBytes = 1 << 20

// maxZeros bounds the zeros behind them.
const maxZeros = 1 << 16

// initial returns what a static cell holds when the program begins.
func (m *memory) initial(c *cell) set {
	g := c.obj.Global
	if c.text {
		return textIn(g, c.off, c.size)
	}
	size := int64(len(g.Data))
	if n := len(g.Relocs); n > 0 { // addresses may stand behind the data
		size = max(size, g.Relocs[n-1].Offset+int64(m.prog.Model.PointerBits/8))
	}
	if size > maxBytes {
		return full(c.typ)
	}
	var s set
	switch rest := g.Size - size; {
	case rest > maxZeros:
		s = nought // of some element
	case rest > 0:
		size = g.Size
	}
	if (pointsto.Location{Obj: c.obj, Off: c.off}).Exact() {
		return m.datum(g, c, c.off)
	}
	for _, x := range m.elements(c.obj, size)[c.off] {
		s = s.or(m.datum(g, c, x))
	}
	return s
}

// elements returns the offsets below size by those that stand for them.
func (m *memory) elements(o *pointsto.Object, size int64) map[int64][]int64 {
	if m.offsets[o] == nil {
		all := map[int64][]int64{}
		for x := range size {
			all[o.Reduce(x)] = append(all[o.Reduce(x)], x)
		}
		m.offsets[o] = all
	}
	return m.offsets[o]
}

// datum returns a scalar of a global's data.
func (m *memory) datum(g *cir.Global, c *cell, x int64) set {
	w := int64(m.prog.Model.PointerBits / 8)
	i, _ := slices.BinarySearchFunc(g.Relocs, x-w+1, func(r cir.Reloc, at int64) int { return cmp.Compare(r.Offset, at) })
	if i < len(g.Relocs) && g.Relocs[i].Offset < x+c.size { // an address, or a part of one
		if r := g.Relocs[i]; r.Offset == x && c.size == w && (i+1 == len(g.Relocs) || g.Relocs[i+1].Offset >= x+w) {
			return m.address(r.Target).ofType(c.typ)
		}
		return full(c.typ)
	}
	bits := uint64(0)
	for k := int64(0); k < c.size && x+k < int64(len(g.Data)); k++ {
		bits |= uint64(g.Data[x+k]) << (8 * k)
	}
	s := just(large(bits))
	if c.typ.Bits%8 != 0 {
		if s.within(full(c.typ)) {
			return s
		}
		return full(c.typ)
	}
	return s.into(c.typ, true)
}

// address returns what the address of something may be: not null, unless it may be absent.
func (p *program) address(v cir.Value) set {
	t := p.prog.Model.Pointer()
	switch v := v.(type) {
	case *cir.Global:
		if v.External && v.Weak {
			return full(t)
		}
	case *cir.Func:
		if v.Weak && len(v.Blocks) == 0 {
			return full(t)
		}
	}
	return full(t).but(num{})
}

// at returns the cell that an access of some bytes at a place is one of, nil if there is none.
func (m *memory) at(l pointsto.Location, size int64) *cell {
	for _, c := range m.of[l.Obj] {
		if l.Off != pointsto.Any && c.off == l.Obj.Reduce(l.Off) && c.size == size {
			return c
		}
	}
	return nil
}

// touched returns the cells that an access of some bytes at a place, -1 for any number, may touch.
func (m *memory) touched(l pointsto.Location, size int64) []*cell {
	list := m.of[l.Obj]
	if len(list) == 0 || size < 0 || !l.Exact() {
		return list
	}
	var hit []*cell
	for _, c := range list {
		if l.Off < c.off+c.size && c.off < l.Off+size {
			hit = append(hit, c)
		}
	}
	return hit
}
