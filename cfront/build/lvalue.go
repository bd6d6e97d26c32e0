package build

import (
	"comus/cfront/tree"
	"comus/cfront/types"
	"comus/cir"
)

// lvalue builds the object that an expression denotes.
func (f *fn) lvalue(e tree.Expr) lval {
	old := f.enter(e.At())
	l := f.object(e)
	f.site = old
	return l
}

// object is lvalue at the expression's own site.
func (f *fn) object(e tree.Expr) lval {
	switch e := e.(type) {
	case *tree.VarRef:
		return f.varLval(e.Var, e.Site)
	case *tree.String:
		return lval{base: f.u.literal(e), align: max(e.Typ.Align, 1), t: e.Typ}
	case *tree.CompoundLit:
		return f.compoundLit(e)
	case *tree.Deref:
		p, align := f.pointer(e.P)
		return lval{base: p.base, disp: p.disp, align: align, t: e.Typ, swap: p.swap, of: p.of, ofAt: p.ofAt}
	case *tree.Member:
		if !e.L.Lvalue() {
			return f.member(f.valueLval(e.L), e)
		}
		return f.member(f.lvalue(e.L), e)
	case *tree.Part:
		l := f.lvalue(e.L)
		return f.part(l, e.Index)
	case *tree.Element:
		return f.element(e)
	case *tree.Comma:
		f.discard(e.L)
		return f.lvalue(e.R)
	}
	refuse(e.At(), "an lvalue (%T) that cannot be built", e)
	return lval{}
}

// varAddr is the address of a variable.
func (f *fn) varAddr(v *tree.Var, site *tree.Site) cir.Value {
	if v.Storage != tree.Auto || v.Linkage != tree.NoLinkage {
		return f.u.global(v)
	}
	if a := f.vars[v]; a != nil {
		return a
	}
	if a := f.outerVar(v); a != nil {
		return a
	}
	// A variable that no block has listed lives as long as the activation.
	if v.Type.Size < 0 {
		refuse(site, "'%s' has no size here", v.Name)
	}
	l := f.local(v.Name, v.Type, v.Align, &v.Site)
	f.bind(v, l)
	return l
}

// varLval is a variable as an object.
func (f *fn) varLval(v *tree.Var, site *tree.Site) lval {
	return lval{base: f.varAddr(v, site), align: max(v.Align, v.Type.Align, 1), t: v.Type}
}

// compoundLit builds (T){…}.
func (f *fn) compoundLit(e *tree.CompoundLit) lval {
	auto := e.Var.Storage == tree.Auto && e.Var.Linkage == tree.NoLinkage
	if auto {
		f.literalLife(e.Var)
	}
	l := f.varLval(e.Var, e.Site)
	if auto {
		f.initialise(l, e.Init, false)
	} else if e.Var.Init == nil && e.Init != nil {
		e.Var.Init = e.Init
		f.u.pending = append(f.u.pending, e.Var)
	}
	return l
}

// literalLife begins the life of a compound literal, which ends with the block around.
func (f *fn) literalLife(v *tree.Var) {
	if f.vars[v] == nil && v.Type.Size >= 0 && f.scope != nil {
		f.declare(v)
		return
	}
	if l, ok := f.vars[v].(*cir.Local); ok && l.Scoped {
		f.emit(&cir.LifeStart{Local: l})
	}
}

// member is a member of an object.
func (f *fn) member(l lval, e *tree.Member) lval {
	m := e.Field
	var r lval
	if l.t.Rec != nil && l.t.Rec.VLA {
		r = f.memberVLA(l, m, e.Typ)
	} else {
		r = l.at(m.Offset, e.Typ)
		if l.of == nil && isRecord(l.t) {
			r.of, r.ofAt = l.t, l.disp
		}
	}
	r.swap = l.t.Rec != nil && l.t.Rec.BigEndian
	if m.BitField {
		r.bits = &cir.Bits{Offset: m.BitOffset, Width: m.Width}
		r.bits.From, r.bits.To = location(l.t.Rec, m)
	}
	if q := l.t.Quals & types.Volatile; q != 0 {
		r.t = withQuals(r.t, q)
	}
	r.member = true
	r.last = m.Flexible || l.t.Rec == nil || (l.last || !l.member) && (l.t.Kind == types.Union || lastField(l.t.Rec, m))
	return r
}

// location returns the memory location that a bit-field is a part of, in bits from the byte that it begins in.
func location(r *types.Record, m *types.Field) (from, to int) {
	bit := func(f *types.Field) int { return int(f.Offset-m.Offset)*8 + f.BitOffset }
	from, to = m.BitOffset, m.BitOffset+m.Width
	k := 0
	for k < len(r.Fields) && (!r.Fields[k].BitField || r.Fields[k].Name != m.Name || bit(&r.Fields[k]) != from) {
		k++
	}
	if r.Union || k == len(r.Fields) {
		return from, to
	}
	beside := func(i int) bool { return i >= 0 && i < len(r.Fields) && r.Fields[i].BitField && r.Fields[i].Width > 0 }
	for i := k; beside(i); i-- {
		from = min(from, bit(&r.Fields[i]))
	}
	for i := k; beside(i); i++ {
		to = max(to, bit(&r.Fields[i])+r.Fields[i].Width)
	}
	return from, to
}

// lastField tells whether f is the last member of a struct.
func lastField(r *types.Record, f *types.Field) bool {
	return len(r.Fields) > 0 && r.Fields[len(r.Fields)-1].Offset <= f.Offset
}

// pointer builds a pointer's value as an address and a displacement, with the alignment that the
// program promises of what it points to.
func (f *fn) pointer(e tree.Expr) (lval, int64) {
	align := int64(1)
	if t := e.Type().Elem; t != nil {
		align = max(t.Align, 1)
	}
	old := f.enter(e.At())
	defer func() { f.site = old }()
	switch e := e.(type) {
	case *tree.Decay:
		if e.L.Lvalue() {
			l := f.lvalue(e.L)
			return l, max(l.align, 1)
		}
	case *tree.AddrOf:
		if e.L.Lvalue() {
			l := f.lvalue(e.L)
			return l, max(l.align, 1)
		}
	case *tree.PtrAdd:
		return f.offset(e)
	case *tree.Convert:
		// A cast between pointers says nothing about the address.
		if e.V.Type().Kind == types.Pointer {
			l, _ := f.pointer(e.V)
			if l.of != nil { // the members that led there are of something else
				l = lval{base: f.address(l), swap: l.swap}
			}
			return l, align
		}
	}
	return lval{base: f.scalarOf(e)}, align
}

// ptrAdd builds p + n as a value.
func (f *fn) ptrAdd(e *tree.PtrAdd) cir.Value {
	l, _ := f.offset(e)
	return f.address(l)
}

// offset builds p + n.
func (f *fn) offset(e *tree.PtrAdd) (lval, int64) {
	elem := e.Typ.Elem
	size := int64(1)
	if elem != nil {
		size = elem.Size
	}
	var l lval
	var align int64
	var index cir.Value
	f.inOrder(e.P, e.N, leftFirst,
		func() { l, align = f.pointer(e.P) },
		func() { index = f.scalarOf(e.N) })
	if castToScalars(e.P) {
		l = lval{base: f.asScalars(f.address(l)), swap: l.swap}
	}
	length := f.arrayLen(e, l)
	if size < 0 {
		// Elements of variable size.
		bytes := f.binary(cir.Mul, f.convert(index, f.u.model.Diff()), f.convert(f.size(elem), f.u.model.Diff()))
		d := f.reg(f.u.model.Pointer())
		f.emit(&cir.Offset{Dst: d, P: f.address(l), Index: f.negated(bytes, e.Neg), Scale: 1})
		return lval{base: d}, max(elem.Align, 1)
	}
	if c, ok := index.(cir.Int); ok && c.Type.Bits <= 64 {
		n := int64(c.Lo)
		if e.Neg {
			n = -n
		}
		if length == 0 || n >= 0 && n < length {
			r := lval{base: l.base, disp: l.disp + n*size, swap: l.swap}
			if subscript(e) {
				r.of, r.ofAt = l.of, l.ofAt
			}
			return r, min(align, lowBit(n*size, align))
		}
	}
	d := f.reg(f.u.model.Pointer())
	o := &cir.Offset{Dst: d, P: l.base, Index: f.negated(index, e.Neg), Scale: size, Disp: l.disp, Len: length}
	if subscript(e) {
		o.Of, o.At = f.path(l)
	}
	f.emit(o)
	return lval{base: d, swap: l.swap}, min(align, lowBit(size, align))
}

// castToScalars reports whether an expression is a cast, or several, which makes a pointer to scalars of one to something else.
func castToScalars(e tree.Expr) bool {
	for {
		c, ok := e.(*tree.Convert)
		if !ok || !c.Typ.IsPointer() || !c.V.Type().IsPointer() {
			return false
		}
		if toScalars(c.V.Type(), c.Typ) {
			return true
		}
		e = c.V
	}
}

// subscript reports whether a pointer moves within an array that is an object or part of one.
func subscript(e *tree.PtrAdd) bool { return e.Array != nil && e.Array.Kind == types.Array }

// arrayLen returns the number of elements of the array that a subscript is in, 0 if it is not known to end there.
func (f *fn) arrayLen(e *tree.PtrAdd, l lval) int64 {
	if e.Array == nil || e.Array.Kind != types.Array || e.Array.Len <= 0 || e.Neg || l.last {
		return 0
	}
	return e.Array.Len
}

// negated is -v, of a signed type that holds it, if neg is set.
func (f *fn) negated(v cir.Value, neg bool) cir.Value {
	if !neg {
		return v
	}
	t := f.u.model.Diff()
	if f.typeOf(v).Bits > t.Bits {
		t = signed(f.typeOf(v))
	}
	v = f.convert(v, t)
	if c, ok := v.(cir.Int); ok && c.Type.Bits <= 64 {
		return cir.IntOf(c.Type, -int64(c.Lo))
	}
	d := f.reg(t)
	f.emit(&cir.Unary{Dst: d, Op: cir.Neg, X: v, Wrap: true})
	return d
}

// ptrDiff builds the distance of two pointers.
func (f *fn) ptrDiff(e *tree.PtrDiff) val {
	var x, y cir.Value
	f.inOrder(e.L, e.R, leftFirst, func() { x = f.scalarOf(e.L) }, func() { y = f.scalarOf(e.R) })
	elem := e.L.Type().Elem
	d := f.reg(f.u.model.Diff())
	if elem != nil && elem.Size < 0 {
		f.emit(&cir.Distance{Dst: d, X: x, Y: y, Size: 1})
		q := f.binary(cir.Div, d, f.convert(f.size(elem), d.Type))
		return val{v: f.convert(q, f.u.scalar(e.Typ))}
	}
	size := int64(1)
	if elem != nil {
		size = max(elem.Size, 1)
	}
	f.emit(&cir.Distance{Dst: d, X: x, Y: y, Size: size})
	return val{v: f.convert(d, f.u.scalar(e.Typ))}
}

// element is v[i] of a vector in memory.
func (f *fn) element(e *tree.Element) lval {
	l := f.lvalue(e.L)
	index := f.scalarOf(e.Index)
	if c, ok := index.(cir.Int); ok && c.Type.Bits <= 64 && int64(c.Lo) >= 0 && int64(c.Lo) < l.t.Len {
		return f.part(l, int(c.Lo))
	}
	size := l.t.Elem.Size
	d := f.reg(f.u.model.Pointer())
	f.emit(&cir.Offset{Dst: d, P: l.base, Index: index, Scale: size, Disp: l.disp, Len: l.t.Len})
	r := lval{base: d, align: min(l.align, lowBit(size, l.align)), t: l.t.Elem}
	if l.volatile() {
		r.t = withQuals(r.t, types.Volatile)
	}
	return r
}

// elementValue is v[i] of a vector that is a value.
func (f *fn) elementValue(e *tree.Element) val {
	v := f.expr(e.L)
	t := unqual(e.L.Type())
	index := f.scalarOf(e.Index)
	if c, ok := index.(cir.Int); ok && int(c.Lo) < len(v.parts) {
		return val{v: v.parts[c.Lo]}
	}
	addr, align := f.spill(v, t)
	d := f.reg(f.u.model.Pointer())
	f.emit(&cir.Offset{Dst: d, P: addr, Index: index, Scale: t.Elem.Size, Len: t.Len})
	return f.load(lval{base: d, align: min(align, lowBit(t.Elem.Size, align)), t: t.Elem})
}

// partOf is the real or imaginary part of a number; that of a real number is itself, or 0.
func (f *fn) partOf(v val, t *types.Type, index int) val {
	switch {
	case v.parts != nil:
		return val{v: v.parts[index]}
	case index == 0:
		return v
	}
	return f.u.zero(t)
}
