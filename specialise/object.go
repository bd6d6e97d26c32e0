package specialise

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"comus/cir"
	"comus/ir"
	"comus/logic"
	"comus/scan/pointsto"
)

// object is one object of memory: a global, a local of one activation, one object of an allocation. It is taken
// apart into cells where it is accessed.
type object struct {
	blueprint
	addr   int64
	cells  map[int64]*cell // by their first bit
	vague  bool            // what it holds is not tracked: loads give any value
	alive  *ir.Var         // whether its life has not ended; nil if nobody asks
	limit  *ir.Var         // how many of its bytes there are, if that is not known
	shared bool
	fr     *frame   // of a local: the activation that it belongs to
	ended  bool     // its life has ended where its thread is being run
	outer  bool     // a local of main itself, or the main thread's own: it lives as long as the program
	begun  bool     // its life has begun before
	marks  []*cell  // of the variables that tell what of it is initialised
	gaps   *stretch // stands for its bytes that no scalar has
}

// blueprint is what is known of an object before it exists.
type blueprint struct {
	key    string // tells it from all others, and is the same in each run
	name   string // for variables' names
	source string // for people
	abs    *pointsto.Object
	shape  *cir.Shape
	size   int64 // in bytes; -1 if not known
	align  int64 // its address is a multiple of that, if it is more than what all are aligned to
	thread int   // whose it is; ir.Shared for one that belongs to none
	global *cir.Global
	fn     *cir.Func // a function's address
	heap   bool
	open   bool       // on the heap: an array of which it is not known how large it is
	user   bool       // on the heap: the program's own, not the library's
	pos    cir.Pos    // where it was allocated or declared
	by     string     // on the heap: the function that was called for it
	local  bool       // it ends with an activation, or a block, or its thread
	scoped bool       // a local of a block
	owner  int        // of a local or on the heap: which thread made it; -1: none
	zero   bool       // zeros at first; else indeterminate, or global's data
	many   bool       // stands for any number of objects
	each   *cir.Shape // of many: what each of them looks like, if that is known,
	span   int64      // and its size
	tuple  bool       // what one object of a summary holds, see summary.go
	raw    bool       // indeterminate at first, and the program's own
}

// cell is one scalar of an object.
type cell struct {
	obj  *object
	bit  int64 // its first bit within the object
	bits int64
	typ  cir.Type
	v    *ir.Var
	key  string // tells it from all others, and is the same in each run
}

// firstAddress is where objects begin; smaller addresses are no objects.
const firstAddress, alignment = 1 << 16, 16

// object returns the object of a blueprint, made if it is new.
func (b *builder) object(bp blueprint) *object {
	if o := b.objects[bp.key]; o != nil {
		return o
	}
	o := &object{blueprint: bp, cells: map[int64]*cell{}}
	o.addr = b.facts.place(&o.blueprint)
	o.shared = bp.thread == ir.Shared && (b.isShared(bp.abs) || b.facts.contested[bp.key])
	if o.shape = withoutUnions(o.shape, 0, o.abs); b.pts.Interrupted(o.abs) && !b.onlyMain() {
		o.shape = nil
	}
	o.vague = o.shape == nil && o.fn == nil || o.size < 0
	b.objects[bp.key] = o
	b.at[o.addr] = o
	return o
}

// isShared reports whether more than one thread may access an object; for races, that the library accesses what it is given counts, too.
func (b *builder) isShared(abs *pointsto.Object) bool {
	if b.opts.Check.Race {
		return b.pts.SharedOrPassed(abs)
	}
	if b.opts.Check.Deadlock && abs != nil && (b.isStandard(abs.Global) || isFile(abs)) && b.locksStreams() { // functions without a body look there, too
		return true
	}
	return b.pts.Shared(abs)
}

// create returns the object of a blueprint where it comes to be.
func (b *builder) create(bp blueprint) *object {
	b.made = append(b.made, bp)
	return b.object(bp)
}

// global returns the object of a global; of a thread's own, that of the thread being run.
func (b *builder) global(g *cir.Global) *object {
	bp := blueprint{key: g.Name, name: g.Name, source: g.Source, abs: b.pts.Object(nil, pointsto.Context{}, g), shape: g.Shape, size: g.Size, align: g.Align, thread: ir.Shared, global: g, zero: true, owner: -1}
	if g.ThreadLocal {
		bp.owner = b.identity()
		bp.name = fmt.Sprintf("t%d.%s", bp.owner, g.Name)
		bp.key, bp.local = bp.name, true
	}
	o := b.create(bp)
	o.outer = g.ThreadLocal && bp.owner == 0
	return o
}

// local returns the object of a local in an activation.
func (b *builder) local(fr *frame, l *cir.Local) *object {
	if o := fr.locals[l]; o != nil {
		return o
	}
	name := l.Name
	if name == "" {
		name = fmt.Sprintf("tmp%d", l.Index)
	}
	key := fmt.Sprintf("%s.%s#%d", fr.path, name, l.Index)
	if n := fr.lives[l]; n > 0 {
		key += fmt.Sprintf(".%d", n)
	}
	bp := blueprint{key: key, name: fr.path + "." + name, source: l.Name, size: l.Size, align: l.Align,
		abs: b.pts.Object(fr.fn, fr.ctx, l), shape: l.Shape, thread: ir.Shared, owner: b.th.index}
	if fr.fn.Library {
		bp.source = ""
	}
	bp.local, bp.scoped, bp.pos, bp.raw = true, l.Scoped, l.Pos, !fr.fn.Library
	o := b.create(bp)
	o.fr, o.outer = fr, fr.parent == nil && b.th.index == 0
	fr.locals[l] = o
	return o
}

// function returns the object whose address is a function's.
func (b *builder) function(f *cir.Func) *object {
	return b.object(blueprint{key: "func " + f.Name, name: f.Name, source: f.Source, fn: f, size: 1, thread: ir.Shared, owner: -1})
}

// label returns the object whose address is that of a block.
func (b *builder) label(f *cir.Func, l *cir.Block) *object {
	return b.object(blueprint{key: fmt.Sprintf("label %s.%d", f.Name, l.Index), size: 1, thread: ir.Shared, owner: -1})
}

// objectAt returns the object that an address lies in or right behind, nil if there is none.
func (b *builder) objectAt(addr int64) *object {
	if b.argv.obj != nil && vectorAt <= addr && addr <= vectorAt+8*maxStrings {
		return b.argv.obj
	}
	return b.at[b.facts.base(addr)]
}

// cellAt returns the cell that covers exactly these bits of an object, made if it is one of its scalars;
// otherwise all cells that overlap them.
func (b *builder) cellsAt(o *object, bit, bits int64) []*cell {
	var found []*cell
	leaves(o.shape, 0, bit, bit+bits, "", func(l leaf) {
		found = append(found, b.cell(o, l))
	})
	return found
}

// leaf is a scalar of a shape.
type leaf struct {
	bit, bits int64
	typ       cir.Type
	path      string
	enums     []cir.Enumerator // names of its values
}

// leaves calls f for each scalar of a shape that overlaps some bits, in order.
func leaves(s *cir.Shape, at, lo, hi int64, path string, f func(leaf)) {
	switch {
	case s == nil:
	case s.Elem != nil:
		size := s.Elem.Size * 8
		if size <= 0 {
			return
		}
		for i := max(0, (lo-at)/size); (s.Len == 0 || i < s.Len) && at+i*size < hi; i++ {
			leaves(s.Elem, at+i*size, lo, hi, fmt.Sprintf("%s[%d]", path, i), f)
		}
	case len(s.Fields) > 0:
		for i := range s.Fields {
			x := &s.Fields[i]
			first := at + x.Offset*8
			if x.Bits != nil {
				first += int64(x.Bits.Offset)
				if end := first + int64(x.Bits.Width); first < hi && end > lo {
					f(leaf{first, int64(x.Bits.Width), cir.Type{Kind: cir.IntKind, Bits: x.Bits.Width, Signed: x.Shape.Scalar.Signed}, path + dot(x.Name), x.Shape.Enums})
				}
				continue
			}
			end := first + x.Shape.Size*8
			if x.Shape.Elem != nil && x.Shape.Len == 0 {
				end = hi // a flexible array
			}
			if first < hi && end > lo {
				leaves(x.Shape, first, lo, hi, path+dot(x.Name), f)
			}
		}
	case s.Scalar.Kind != cir.None:
		bits := s.Size * 8
		if at < hi && at+bits > lo {
			t := s.Scalar
			f(leaf{at, bits, t, path, s.Enums})
		}
	}
}

func dot(name string) string {
	if name == "" {
		return ""
	}
	return "." + name
}

// representative returns the member that a union is taken apart by: the largest; of equal ones that with the fewest scalars.
func representative(s *cir.Shape) *cir.Field {
	var best *cir.Field
	for i := range s.Fields {
		f := &s.Fields[i]
		if f.Bits != nil {
			continue
		}
		if best == nil || f.Shape.Size > best.Shape.Size || f.Shape.Size == best.Shape.Size && scalars(f.Shape) < scalars(best.Shape) {
			best = f
		}
	}
	return best
}

// scalars counts the scalars of a shape.
func scalars(s *cir.Shape) int64 {
	switch {
	case s == nil:
		return 0
	case s.Elem != nil:
		return s.Len * scalars(s.Elem)
	case len(s.Fields) > 0:
		n := int64(0)
		for _, f := range s.Fields {
			n += scalars(f.Shape)
		}
		return n
	}
	return 1
}

// withoutUnions returns a shape with the unions taken apart as they are accessed, or by one of their members. at
// is where the shape stands within the first elements of the arrays around it.
func withoutUnions(s *cir.Shape, at int64, abs *pointsto.Object) *cir.Shape {
	switch {
	case s == nil || !hasUnion(s):
		return s
	case s.Elem != nil:
		c := *s
		c.Elem = withoutUnions(s.Elem, at, abs)
		return &c
	case s.Union:
		return takenApart(s, at, abs)
	}
	c := *s
	c.Fields = slices.Clone(s.Fields)
	for i := range c.Fields {
		c.Fields[i].Shape = withoutUnions(c.Fields[i].Shape, at+c.Fields[i].Offset, abs)
	}
	return &c
}

func hasUnion(s *cir.Shape) bool {
	return s != nil && (s.Union || hasUnion(s.Elem) || slices.ContainsFunc(s.Fields, func(f cir.Field) bool { return hasUnion(f.Shape) }))
}

// takenApart returns a union as a struct of the scalars that it is accessed by.
func takenApart(s *cir.Shape, at int64, abs *pointsto.Object) *cir.Shape {
	if abs != nil {
		if fields := fieldsOf(abs, at, s.Size); len(fields) > 0 {
			for i := range fields {
				fields[i].Name = memberAt(s, fields[i])
			}
			return &cir.Shape{Size: s.Size, Fields: fields, Name: s.Name}
		}
	}
	m := representative(s)
	if m == nil {
		return nil
	}
	return &cir.Shape{Size: s.Size, Fields: []cir.Field{{Name: m.Name, Shape: withoutUnions(m.Shape, at, abs)}}, Name: s.Name}
}

// memberAt returns the name of the member of a union that is a scalar at a place; "" for the first bytes of one that has none.
func memberAt(s *cir.Shape, f cir.Field) string {
	for i := range s.Fields {
		name := ""
		leaves(withoutUnions(s.Fields[i].Shape, 0, nil), 0, f.Offset*8, (f.Offset+f.Shape.Size)*8, s.Fields[i].Name, func(l leaf) {
			if l.bit == f.Offset*8 && l.bits == f.Shape.Size*8 {
				name = l.path
			}
		})
		if strings.HasPrefix(name, "__") {
			name = "" // of the library
		}
		if name != "" {
			return name
		}
	}
	if f.Offset == 0 {
		return ""
	}
	return fmt.Sprintf("+%d", f.Offset)
}

// cell returns the cell of a scalar.
func (b *builder) cell(o *object, l leaf) *cell {
	if c := o.cells[l.bit]; c != nil {
		return c
	}
	if b.aparted(o, l.bit) {
		b.takeApart(o)
	}
	c := b.newCell(o, l)
	o.cells[l.bit] = c
	return c
}

// newCell makes a cell of a scalar.
func (b *builder) newCell(o *object, l leaf) *cell {
	c := &cell{obj: o, bit: l.bit, bits: l.bits, typ: l.typ, key: o.key + l.path}
	thread := o.thread
	if thread == ir.Shared && !o.tuple && !(o.shared && b.facts.isShared(c.key)) {
		thread = b.th.index
	}
	if thread == ir.Shared && o.owner >= 0 && o.owner < len(b.threads) && b.threads[o.owner].replicated && b.facts.ofMany[o.owner] == replicated {
		b.fail("thread '%s' has a local variable that other threads use, and stands for any number of threads", b.threads[o.owner].name)
	}
	c.v = b.newVar(o.name+l.path, nonEmpty(o.source, l.path), irType(l.typ), thread)
	if c.v.Init = b.initial(c); c.v.Init == nil && (b.isInitialisedFirst(c) || b.isTakenAsInitialised(c)) {
		c.v.Init = &logic.Value{}
	}
	if o.heap {
		c.v.Pos, c.v.Shown = posOf(o.pos), o.shownAs(l)
	}
	c.v.Points = l.typ.IsPointer()
	c.v.Words = wordsOf(l.enums)
	c.v.Inner = o.global != nil && o.global.Library && o.global.Name != o.global.Source // a static of a model
	b.cellOf[c.v] = c
	return c
}

// wordsOf returns the names of values as reports use them: the first of each.
func wordsOf(enums []cir.Enumerator) map[int64]string {
	if len(enums) == 0 {
		return nil
	}
	words := map[int64]string{}
	for _, e := range slices.Backward(enums) {
		words[e.Value] = e.Name
	}
	return words
}

// nonEmpty returns the name that a user knows a cell by: "" for parts that have no name in the source.
func nonEmpty(source, path string) string {
	if source == "" || strings.Contains(path, ".+") || strings.Contains(path, ".__") {
		return ""
	}
	return source + path
}

// initial returns what a cell holds at first, nil for anything.
func (b *builder) initial(c *cell) *logic.Value {
	o := c.obj
	if o.global == nil {
		if o.zero {
			return &logic.Value{}
		}
		return nil
	}
	if o.global.External {
		return nil
	}
	g := o.global
	off := c.bit / 8
	for _, r := range g.Relocs {
		if r.Offset == off && c.bits == int64(b.m.PointerBits) {
			v := logic.IntValue(b.symbol(r.Target).addr + r.Addend)
			return &v
		}
	}
	n := new(big.Int)
	for i := (c.bit + c.bits - 1) / 8; i >= off; i-- {
		n.Lsh(n, 8)
		if i < int64(len(g.Data)) {
			n.Or(n, big.NewInt(int64(g.Data[i])))
		}
	}
	n.Rsh(n, uint(c.bit%8))
	n.And(n, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(c.bits)), big.NewInt(1)))
	v := wrapConst(logic.BigValue(n), c.v.Type)
	return &v
}

func (b *builder) symbol(s cir.Symbol) *object {
	if g, ok := s.(*cir.Global); ok {
		return b.global(g)
	}
	return b.function(s.(*cir.Func))
}

// frozen returns what a cell holds whenever it is read here, if that is known: it keeps what it held when the
// program began, or what it was given before another thread could see it.
func (b *builder) frozen(c *cell) (logic.Value, bool) {
	o := c.obj
	if o.global != nil && c.v.Init != nil && (!o.abs.Written || b.facts.constant[c.key]) {
		return *c.v.Init, true
	}
	if w, ok := b.facts.stable[c.key]; ok && !b.cur.unescaped[o] && !(b.opts.Orders && o.raw) {
		return w, true
	}
	if w, ok := b.facts.stationary[c.key]; ok && !b.cur.unescaped[o] && !b.cur.alone {
		return w, true
	}
	return logic.Value{}, false
}
