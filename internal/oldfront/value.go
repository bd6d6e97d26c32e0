package cfront

import (
	"slices"

	"comus/ir"
	"comus/logic"

	"modernc.org/cc/v4"
)

// vkind is the kind of a value.
type vkind uint8

const (
	vVoid    vkind = iota
	vInt           // an integer, or a pointer made from one: NULL is the integer 0
	vPtr           // the address of an object
	vFunc          // the address of a function
	vStr           // the address of a string literal
	vAgg           // a struct
	vFloat         // a floating-point number, which is not known
	vUnknown       // a pointer whose target is not known
	vOutside       // a pointer to something from outside of the program: argv and its elements
)

// value is the result of an expression. Its terms are evaluated by the edge
// that uses it; until then they may mention variables that settle protects.
type value struct {
	kind vkind
	it   ir.Type       // vInt
	t    *logic.Term   // vInt
	side []*logic.Term // vInt: assumptions under which t is the value
	pl   place         // vPtr, vAgg: where
	rng  *interval     // vInt: bounds narrower than those of the type, or nil
	fn   string        // vFunc
	src  cc.Node       // the expression, for the text of edges
	// maybeNull marks a pointer that is NULL or pl, we do not know which.
	maybeNull bool
	// to is what an integer that is an address may point to, besides nothing; nil
	// for an integer that no address went into. See targets.
	to targets
	// from is the cell that a pointer was read from, if it would be known were the
	// cell dynamic: of a vUnknown, or a vPtr that is maybeNull.
	from *cell
	any  bool // of a vUnknown: it is uninitialised
}

// interval bounds a value.
type interval struct{ lo, hi logic.Value }

// bounds returns an interval that the value is in.
func (v *value) bounds() interval {
	if c, ok := v.constant(); ok {
		return interval{c, c}
	}
	if v.rng != nil {
		return *v.rng
	}
	lo, hi := v.it.Range()
	return interval{lo, hi}
}

func (v *value) isNull() bool {
	c, ok := v.constant()
	return ok && c.Sign() == 0
}

// constant returns the value of an integer constant.
func (v *value) constant() (logic.Value, bool) {
	if v.kind != vInt {
		return logic.Value{}, false
	}
	return v.t.Const()
}

// copy returns a value of its own for the expression n.
func (v *value) copy(n cc.Node) *value {
	w := *v
	w.src = n
	w.pl.idx = append([]index(nil), v.pl.idx...)
	for i := range w.pl.idx {
		x := *w.pl.idx[i].val
		w.pl.idx[i].val = &x
	}
	return &w
}

// place is an lvalue: a part of an object, or of one of several if it was reached
// through a dynamic pointer.
type place struct {
	obj  *object // nil if the place is dynamic
	base int     // the first cell, before indexes; relative to that of alts
	idx  []index
	typ  *ctype
	elem bool // the last index selects the place itself, not what it is part of
	// ptr is the address of a dynamic place before members and indexes, and alts are
	// what it may be the address of.
	ptr  *value
	alts []alt
}

// alt is a place that a pointer may point to.
type alt struct {
	at   int64 // its address
	obj  *object
	base int // its first cell
}

// shared reports whether several threads may use the place.
func (p place) shared() bool {
	if p.ptr == nil {
		return p.obj.shared
	}
	return slices.ContainsFunc(p.alts, func(a alt) bool { return a.obj.shared })
}

// index selects an element of an array.
type index struct {
	val    *value  // vInt
	stride int     // cells of an element
	n      int     // length of the array
	size   int64   // bytes of an element
	length *ir.Var // holds the length if n is only a bound of it, or nil
}

// object is a variable of the program, taken apart.
type object struct {
	name   string
	source string
	decl   *cc.Declarator // nil for objects of the lowering itself
	key    string         // frame and name, to recognise it after a restart
	id     string         // of this object only; see lowerer.idOf
	typ    *ctype
	shared bool
	thread int
	init   *logic.Value // of its scalars
	cells  []*cell
	// literal marks string literals, which never change; outside what argv points to.
	literal, outside bool
	text             *cc.PrimaryExpression // of a string literal
	heap             *heapObject           // nil for a variable
	declared         bool                  // control came to its declaration in a copy of the code before
}

// cell is one scalar of an object.
type cell struct {
	obj  *object
	name string
	typ  *ctype
	off  int64
	bit  int       // of a bit-field, within its bytes
	v    *ir.Var   // nil for a pointer that never holds an integer
	dyn  bool      // a pointer whose addresses are kept in v
	key  string    // see lowerer.keyOf
	idx  []*ir.Var // the variable indexes of a pointer's target
	// target is where a shared pointer points to, once known.
	target *value
}

// index returns which scalar of its object a cell is.
func (c *cell) index() int { return slices.Index(c.obj.cells, c) }

func (b *lowerer) intValue(t *logic.Term, it ir.Type) *value { return &value{kind: vInt, t: t, it: it} }

func (b *lowerer) constInt(n int64, it ir.Type) *value { return b.intValue(b.L.Int(n), it) }

// newObject makes an object; its scalars get variables of the thread, or shared
// ones. init gives them initial values: nil for none.
func (b *lowerer) newObject(name, source string, d *cc.Declarator, t *ctype, thread int, init *logic.Value) *object {
	o := &object{name: name, source: source, decl: d, typ: t, shared: thread == ir.Shared, thread: thread, init: init}
	if d != nil && o.shared && holdsStruct(t) && b.src.atomics.declared(d) {
		b.fail(d, "unsupported: %s", atomicStruct)
	}
	b.addCells(o, t, name, source, 0, thread, init)
	return o
}

func (b *lowerer) addCells(o *object, t *ctype, name, source string, off int64, thread int, init *logic.Value) {
	switch t.kind {
	case tArray:
		for i := range t.n {
			sub := "[" + logic.IntValue(int64(i)).String() + "]"
			b.addCells(o, t.elem, name+sub, source+sub, off+int64(i)*t.elem.size, thread, init)
		}
	case tStruct:
		for i, f := range t.fields {
			if t.union && i > 0 {
				break
			}
			first := len(o.cells)
			b.addCells(o, f.typ, name+"."+f.name, source+"."+f.name, off+f.off, thread, init)
			if len(o.cells) > first {
				o.cells[first].bit += f.bit
			}
		}
	default:
		if t.it.Bits == 0 {
			b.fail(o.decl, "unsupported: variable '%s' of this type", source)
		}
		if t.adjacent && thread == ir.Shared {
			b.failHint(b.stmt, "a write to one of several bit-fields side by side is a data race with an access to another", "unsupported: bit-field beside another one in the variable '%s', which threads share", o.source)
		}
		c := &cell{obj: o, name: name, typ: t, off: off}
		if t.kind != tPtr {
			c.v = b.newVar(name, source, t.it, thread)
			c.v.Init = init
			if t.kind.isLibrary() {
				zero := logic.IntValue(0)
				c.v.Init = &zero
			}
			b.cellOf[c.v] = c
		}
		o.cells = append(o.cells, c)
	}
}

// whole returns the place of the object itself.
func (o *object) whole() place { return place{obj: o, typ: o.typ} }

// member returns the place of a field.
func (p place) member(f field) place {
	p.base += f.cell
	p.typ = f.typ
	p.elem = false
	return p
}

// at returns the place of an element of the array p.
func (p place) at(i *value) place {
	p.idx = append(p.idx[:len(p.idx):len(p.idx)], index{i, p.typ.elem.cells, p.typ.n, p.typ.elem.size, p.typ.length})
	p.typ = p.typ.elem
	p.elem = true
	return p
}

// moved returns the place n elements further in the array that p is in.
func (p place) moved(i *value) place {
	last := p.idx[len(p.idx)-1]
	last.val = i
	p.idx = append(p.idx[:len(p.idx)-1:len(p.idx)-1], last)
	return p
}

// fixed returns the first cell of the place if all its indexes are constants in
// range.
func (p place) fixed() (int, bool) {
	if p.ptr != nil {
		return 0, false
	}
	c := p.base
	for _, x := range p.idx {
		k, ok := x.val.constant()
		if !ok {
			return 0, false
		}
		n, small := k.Int64()
		if !small || n < 0 || n >= int64(x.n) {
			return 0, false
		}
		c += int(n) * x.stride
	}
	return c, true
}

// choice is a cell that a place may denote, if cond holds.
type choice struct {
	cond *logic.Term
	cell *cell
}

// choices enumerates the first cells that a place may denote.
func (b *lowerer) choices(p place) []choice {
	type at struct {
		cond *logic.Term
		obj  *object
		cell int
	}
	ways := []at{{b.L.True(), p.obj, p.base}}
	if p.ptr != nil {
		ways = nil
		for _, a := range p.alts {
			if cond := b.L.Eq(p.ptr.t, b.L.Int(a.at)); !cond.IsFalse() {
				ways = append(ways, at{cond, a.obj, a.base + p.base})
			}
		}
	}
	for _, x := range p.idx {
		var next []at
		for _, c := range ways {
			for k := range x.n {
				eq := b.L.Eq(x.val.t, b.L.Int(int64(k)))
				if cond := b.L.And(c.cond, eq); !cond.IsFalse() {
					next = append(next, at{cond, c.obj, c.cell + k*x.stride})
				}
			}
		}
		if len(next) > maxCells {
			b.fail(b.stmt, "unsupported: pointer or indexes with more than %d possible places", maxCells)
		}
		ways = next
	}
	out := make([]choice, len(ways))
	for i, c := range ways {
		out[i] = choice{c.cond, c.obj.cells[c.cell]}
	}
	return out
}

// bounds returns the assumptions that the indexes are within their arrays.
func (b *lowerer) bounds(p place) []*logic.Term {
	out := b.pointerBounds(p)
	for _, x := range p.idx {
		out = append(out, x.val.side...)
		t := x.val.t
		in := b.L.And(b.L.Le(b.L.Int(0), t), b.L.Lt(t, b.L.Int(int64(x.n))))
		if !b.impliedByType(in, x.val, int64(x.n)) {
			out = append(out, in)
			if !b.opts.Check.Memory {
				b.assume(assumeBounds)
			}
		}
		out = append(out, b.withinLength(x)...)
	}
	return out
}

// impliedByType reports whether an index is in range whatever its value.
func (b *lowerer) impliedByType(in *logic.Term, v *value, n int64) bool {
	if in.IsTrue() {
		return true
	}
	r := v.bounds()
	return r.lo.Sign() >= 0 && r.hi.Cmp(logic.IntValue(n)) < 0
}

// samePlace reports whether two places are the same whatever the state, given
// that the index terms are.
func samePlace(p, q place) bool {
	if p.ptr != nil || q.ptr != nil || p.obj != q.obj || p.typ != q.typ {
		return false
	}
	if len(p.idx) != len(q.idx) { // see flattened
		i, ok1 := p.fixed()
		j, ok2 := q.fixed()
		return ok1 && ok2 && i == j && p.elem == q.elem
	}
	if p.base != q.base {
		return false
	}
	for i := range p.idx {
		if p.idx[i].val.t != q.idx[i].val.t || p.idx[i].n != q.idx[i].n {
			return false
		}
	}
	return true
}

// sameValue reports whether two pointer values are the same.
func sameValue(v, w *value) bool {
	if v.kind != w.kind {
		return false
	}
	switch v.kind {
	case vInt:
		return v.t == w.t && v.it == w.it
	case vPtr:
		return samePlace(v.pl, w.pl) && v.maybeNull == w.maybeNull
	case vFunc:
		return v.fn == w.fn
	case vOutside, vFloat:
		return true
	}
	return false
}
