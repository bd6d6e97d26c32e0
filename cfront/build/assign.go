package build

import (
	"comus/cfront/tree"
	"comus/cfront/types"
	"comus/cir"
)

// assign builds L = R. Like gcc it evaluates R first, unless R is a call; an object is read
// after L.
func (f *fn) assign(e *tree.Assign) val {
	var l lval
	var v val
	left := func() { l = f.lvalue(e.L) }
	if e.L.Lvalue() && isRecord(e.L.Type()) {
		if c, ok := e.R.(*tree.Call); ok {
			return f.assignCall(e, c)
		}
	}
	if !isSimpleLval(e.L) {
		f.openOrder(e.L, e.R)
	}
	_, call := e.R.(*tree.Call)
	load, object := e.R.(*tree.Load)
	switch {
	case call && !isBitField(e.L), object && isLate(load.L):
		left()
		v = f.expr(e.R)
	case object && load.L.Lvalue() && !isBitField(load.L):
		// The object is found first, and read last.
		old := f.enter(load.Site)
		from := f.lvalue(load.L)
		f.site = old
		left()
		f.enter(load.Site)
		v = f.load(from)
		f.site = old
	default:
		v = f.expr(e.R)
		left()
	}
	return f.valueAs(f.store(l, v), e.Typ)
}

// valueAs is a value stored to a bit-field as one of the expression's type.
func (f *fn) valueAs(v val, t *types.Type) val {
	if v.v != nil && !inMemory(t) && t.Kind != types.Void {
		v.v = f.convert(v.v, f.u.scalar(t))
	}
	return v
}

// assignCall builds L = call of a function that returns a struct. What others may access is stored to behind the call, with the locks that are held then, not by it.
func (f *fn) assignCall(e *tree.Assign, c *tree.Call) val {
	if !isSimpleLval(e.L) {
		f.openOrder(e.L, e.R)
	}
	l := f.lvalue(e.L)
	if l.atomic() || l.volatile() || !isOwn(e.L) {
		return f.store(l, f.expr(c))
	}
	old := f.enter(c.Site)
	v := f.callTo(c, &l)
	f.site = old
	return v
}

// isOwn tells whether an object is a variable that nobody else knows, or a part of one.
func isOwn(e tree.Expr) bool {
	for {
		switch x := e.(type) {
		case *tree.VarRef:
			return !shared(x.Var)
		case *tree.Member:
			e = x.L
		default:
			return false
		}
	}
}

// isLate tells whether an object is found without reading anything but plain local variables.
func isLate(e tree.Expr) bool {
	switch e := e.(type) {
	case *tree.VarRef:
		return true
	case *tree.Member:
		return isLate(e.L) && !e.Field.BitField
	case *tree.Deref:
		return plainLocal(e.P)
	}
	return false
}

// isBitField tells whether an lvalue is a bit-field.
func isBitField(e tree.Expr) bool {
	m, ok := e.(*tree.Member)
	return ok && m.Field.BitField
}

// isSimpleLval tells whether evaluating an lvalue does and reads nothing.
func isSimpleLval(e tree.Expr) bool {
	switch e := e.(type) {
	case *tree.VarRef:
		return true
	case *tree.Member:
		return isSimpleLval(e.L)
	case *tree.Part:
		return isSimpleLval(e.L)
	}
	return false
}

// assignOp builds L Op= R: R first, then L, as gcc does.
func (f *fn) assignOp(e *tree.AssignOp) val {
	f.openUpdate(e.L, e.R)
	r := f.expr(e.R)
	l := f.lvalue(e.L)
	rt := e.R.Type()
	compute := e.Compute
	if compute == nil {
		compute = l.t
	}
	op := func(old val) val {
		return f.convertVal(f.computed(e, old, r, rt, compute), f.computedType(e, compute), unqual(l.t))
	}
	if l.atomic() {
		return f.atomicUpdate(l, e, r, op, false)
	}
	return f.valueAs(f.store(l, op(f.load(l))), e.Typ)
}

// computedType is the type of L Op R.
func (f *fn) computedType(e *tree.AssignOp, compute *types.Type) *types.Type {
	if e.L.Type().Kind == types.Pointer {
		return unqual(e.L.Type())
	}
	return compute
}

// computed emits L Op R of a compound assignment.
func (f *fn) computed(e *tree.AssignOp, l, r val, rt, compute *types.Type) val {
	lt := e.L.Type()
	if lt.Kind == types.Pointer {
		return val{v: f.step(l.v, lt, r.v, e.Op == tree.Sub)}
	}
	x := f.convertVal(l, unqual(lt), compute)
	y := r
	if rt.Kind != compute.Kind && e.Op != tree.Shl && e.Op != tree.Shr {
		y = f.convertVal(r, rt, compute)
	}
	if x.parts != nil {
		b := &tree.Binary{X: tree.X{Typ: compute, Site: e.Site}, Op: e.Op, L: e.L, R: e.R}
		return f.binaryParts(b, x, y)
	}
	return val{v: f.arith(e.Op, x.v, y.v)}
}

// step emits a pointer plus (or minus) n elements.
func (f *fn) step(p cir.Value, t *types.Type, n cir.Value, neg bool) cir.Value {
	d := f.reg(f.u.model.Pointer())
	o := &cir.Offset{Dst: d, P: p, Scale: 1}
	size := int64(1)
	if t.Elem != nil {
		size = t.Elem.Size
	}
	c, ok := n.(cir.Int)
	switch {
	case size < 0:
		diff := f.u.model.Diff()
		o.Index = f.negated(f.binary(cir.Mul, f.convert(n, diff), f.convert(f.size(t.Elem), diff)), neg)
	case ok && c.Type.Bits <= 64:
		o.Disp = int64(c.Lo) * size
		if neg {
			o.Disp = -o.Disp
		}
	default:
		o.Index, o.Scale = f.negated(n, neg), size
	}
	f.emit(o)
	return d
}

// incDec builds ++ and --.
func (f *fn) incDec(e *tree.IncDec) val {
	l := f.lvalue(e.L)
	t := unqual(l.t)
	op := func(old val) val { return f.stepOne(old, t, l.bits, e.Dec) }
	if l.atomic() {
		return f.atomicUpdate(l, e, val{}, op, e.Post)
	}
	old := f.load(l)
	v := f.store(l, op(old))
	if e.Post {
		return f.valueAs(old, e.Typ)
	}
	return f.valueAs(v, e.Typ)
}

// stepOne emits v + 1 or v - 1 as ++ and -- compute them: in the promoted type.
func (f *fn) stepOne(old val, t *types.Type, bits *cir.Bits, dec bool) val {
	switch {
	case t.Kind == types.Pointer:
		return val{v: f.step(old.v, t, cir.IntOf(cir.I32, 1), dec)}
	case t.Kind == types.Complex:
		return val{parts: []cir.Value{f.stepOne(val{v: old.parts[0]}, t.Elem, nil, dec).v, old.parts[1]}}
	case t.Kind == types.Vector:
		r := val{}
		for _, p := range old.parts {
			r.parts = append(r.parts, f.stepOne(val{v: p}, t.Elem, nil, dec).v)
		}
		return r
	}
	op := cir.Add
	if dec {
		op = cir.Sub
	}
	st := f.u.scalar(t)
	if st.IsFloat() {
		return val{v: f.binary(op, old.v, floatOf(st, 1))}
	}
	ct := promoted(st)
	if bits != nil && bits.Width < 32 {
		ct = cir.I32
	}
	v := f.binary(op, f.convert(old.v, ct), cir.IntOf(ct, 1))
	return val{v: f.convert(v, st)}
}
