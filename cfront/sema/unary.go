package sema

import (
	"math/big"

	"comus/cfront/syntax"
	"comus/cfront/tree"
	"comus/cfront/types"
)

// unary checks a prefix operator.
func (c *checker) unary(e *syntax.Unary) tree.Expr {
	switch e.Op {
	case "++", "--":
		return c.incDec(e, e.X, e.Op == "--", false)
	case "&":
		return c.addrOf(e, c.expr(e.X))
	case "*":
		return c.deref(e)
	case "!":
		return c.not(e)
	case "__real__", "__imag__":
		return c.part(e)
	}
	x := c.value(e.X)
	t := x.Type()
	ok, what := t.IsArith() || t.Kind == types.Vector, map[string]string{"-": "minus", "+": "plus"}[e.Op]
	if e.Op == "~" {
		ok, what = t.IsInteger() || t.Kind == types.Complex || t.Kind == types.Vector && t.Elem.IsInteger(), "bit-complement"
		if !ok {
			c.fail(e, "wrong type argument to bit-complement")
		}
	}
	if !ok {
		c.fail(e, "wrong type argument to unary %s", what)
	}
	x = c.promote(x)
	op := map[string]tree.Op{"-": tree.Neg, "~": tree.BitNot}[e.Op]
	switch {
	case e.Op == "+":
		if x.Lvalue() {
			return c.rvalue(x)
		}
		return plain(x)
	case e.Op == "~" && t.Kind == types.Complex:
		op = tree.Conj
	}
	if k, ok := x.(*tree.IntConst); ok {
		if v := negate(op, k); v != nil {
			return c.intConst(c.site(e), k.Typ, v)
		}
	}
	if k, ok := x.(*tree.FloatConst); ok && op == tree.Neg {
		return c.floatConst(c.site(e), k.Typ, numOf(k).neg())
	}
	return &tree.Unary{X: c.x(e, x.Type()), Op: op, V: x}
}

// not checks !x.
func (c *checker) not(e *syntax.Unary) tree.Expr {
	x := c.value(e.X)
	if x.Type().Kind == types.Vector {
		return &tree.Unary{X: c.x(e, c.maskType(x.Type())), Op: tree.Not, V: x}
	}
	if !x.Type().IsScalar() {
		c.fail(e, "wrong type argument to unary exclamation mark")
	}
	if k, ok := x.(*tree.IntConst); ok {
		return c.small(e, c.t.Int, int64(1-k.V.Sign()*k.V.Sign()))
	}
	return &tree.Unary{X: c.x(e, c.t.Int), Op: tree.Not, V: x}
}

// part checks __real__ and __imag__.
func (c *checker) part(e *syntax.Unary) tree.Expr {
	x := c.expr(e.X)
	t := x.Type()
	i := 0
	if e.Op == "__imag__" {
		i = 1
	}
	switch {
	case t.Kind == types.Complex:
		if k, ok := x.(*tree.ComplexConst); ok && t.Elem.Kind == types.Float {
			return [...]*tree.FloatConst{k.Re, k.Im}[i]
		}
		pt := t.Elem
		if x.Lvalue() {
			pt = pt.With(t.Quals)
		}
		return &tree.Part{X: c.x(e, pt), L: x, Index: i}
	case t.IsReal() && i == 0:
		return x
	case t.IsReal():
		v := c.rvalue(x)
		zero := c.convert(c.small(e, c.t.Int, 0), t)
		if !hasEffects(v) {
			return zero
		}
		return &tree.Comma{X: c.x(e, zero.Type()), L: v, R: zero}
	}
	c.fail(e, "wrong type argument to %s", e.Op)
	return nil
}

// deref checks *x.
func (c *checker) deref(e *syntax.Unary) tree.Expr {
	p := c.value(e.X)
	t := p.Type()
	if t.Kind != types.Pointer {
		c.fail(e, "invalid type argument of unary ‘*’ (have ‘%s’)", t)
	}
	if d, ok := p.(*tree.Decay); ok && t.Elem.Kind == types.Func {
		return d.L
	}
	return &tree.Deref{X: c.x(e, t.Elem), P: p}
}

// addrOf makes &x.
func (c *checker) addrOf(e syntax.Node, x tree.Expr) tree.Expr {
	t := x.Type()
	if t.Kind == types.Func {
		return &tree.AddrOf{X: c.x(e, c.t.Pointer(t)), L: x}
	}
	if d, ok := x.(*tree.Deref); ok {
		return d.P
	}
	if !x.Lvalue() {
		if m, ok := x.(*tree.Member); !ok || m.Typ.Kind != types.Array {
			c.fail(e, "lvalue required as unary ‘&’ operand")
		}
		c.fail(e, "lvalue required as unary ‘&’ operand")
	}
	if f := bitField(x); f != nil {
		c.fail(e, "cannot take address of bit-field ‘%s’", f.Name)
	}
	if el, ok := x.(*tree.Element); ok {
		x = el
	}
	if v := rootVar(x); v != nil {
		if v.Register {
			c.fail(e, "address of register variable ‘%s’ requested", v.Name)
		}
		v.AddrTaken = true
	}
	return &tree.AddrOf{X: c.x(e, c.t.Pointer(t)), L: x}
}

// rootVar is the variable that an lvalue is a part of, if it is one's.
func rootVar(x tree.Expr) *tree.Var {
	for {
		switch e := x.(type) {
		case *tree.VarRef:
			return e.Var
		case *tree.Member:
			x = e.L
		case *tree.Part:
			x = e.L
		case *tree.Element:
			x = e.L
		default:
			return nil
		}
	}
}

// incDec checks ++ and --.
func (c *checker) incDec(e syntax.Node, operand syntax.Expr, dec, post bool) tree.Expr {
	x := c.expr(operand)
	word := "increment"
	if dec {
		word = "decrement"
	}
	c.modifiable(e, x, word, "lvalue required as "+word+" operand")
	t := x.Type()
	switch {
	case t.IsArith(), t.Kind == types.Vector:
	case t.Kind == types.Pointer:
		c.checkStep(e, t, word+" of pointer to an incomplete type ‘%s’")
	default:
		c.fail(e, "wrong type argument to %s", word)
	}
	vt := t.Unqualified()
	if f := bitField(x); f != nil {
		vt = types.BitInt(vt, f.Width)
	}
	return &tree.IncDec{X: c.x(e, vt), L: x, Dec: dec, Post: post}
}

// checkStep refuses arithmetic on pointers to incomplete types.
func (c *checker) checkStep(n syntax.Node, t *types.Type, format string) {
	e := t.Elem
	if e.Kind == types.Void || e.Kind == types.Func || e.IsComplete() || e.IsVLA() {
		return
	}
	c.fail(n, format, e)
}

// modifiable refuses to assign to what cannot be.
func (c *checker) modifiable(n syntax.Node, x tree.Expr, verb, notLvalue string) {
	t := x.Type()
	if !x.Lvalue() {
		c.fail(n, "%s", notLvalue)
	}
	switch {
	case t.Kind == types.Array, t.Kind == types.VaList && c.t.PointerBits == 64:
		c.fail(n, "%s with array type", map[bool]string{true: "assignment to expression", false: verb + " of expression"}[verb == "assignment"])
	case t.Kind == types.Void, t.Kind == types.Func:
		c.fail(n, "%s", notLvalue)
	case !t.IsComplete() && !t.IsVLA():
		c.fail(n, "invalid use of undefined type ‘%s’", t)
	case t.Quals&types.Const != 0 || t.IsRecord() && constMember(t.Rec):
		c.fail(n, "%s of read-only %s", verb, readOnly(x))
	}
}

// constMember reports whether a struct has a constant member.
func constMember(r *types.Record) bool {
	for i := range r.Fields {
		t := r.Fields[i].Type
		for t.Kind == types.Array {
			t = t.Elem
		}
		if t.Quals&types.Const != 0 || t.IsRecord() && constMember(t.Rec) {
			return true
		}
	}
	return false
}

// readOnly names what cannot be written.
func readOnly(x tree.Expr) string {
	text := ""
	if s := x.At(); s != nil {
		text = s.Text
	}
	switch x := x.(type) {
	case *tree.VarRef:
		return "variable ‘" + x.Var.Name + "’"
	case *tree.Member:
		return "member ‘" + x.Field.Name + "’"
	}
	return "location ‘" + text + "’"
}

// cast checks (T) x.
func (c *checker) cast(e *syntax.Cast) tree.Expr {
	t := c.typeName(e.Type)
	x := c.expr(e.X)
	if t.Kind == types.Void {
		return &tree.Convert{X: c.x(e, c.t.Void), V: c.discarded(x)}
	}
	x = c.rvalue(x)
	t = t.Unqualified()
	if b := machine(x); b != nil {
		b.Typ = t
		return x
	}
	from := x.Type()
	switch {
	case t.Kind == types.Array:
		c.fail(e, "cast specifies array type")
	case t.Kind == types.Func:
		c.fail(e, "cast specifies function type")
	case from.Kind == types.Void:
		c.fail(e, "void value not ignored as it ought to be")
	case t.IsRecord() && t.Kind == from.Kind && t.Rec == from.Rec:
		return x
	case t.Kind == types.Union:
		return c.unionCast(e, t, x)
	case t.Kind == types.Struct:
		if !t.IsComplete() {
			c.fail(e, "conversion to incomplete type")
		}
		c.fail(e, "conversion to non-scalar type requested")
	case t.Kind == types.Vector || from.Kind == types.Vector:
		return c.vectorCast(e, t, x)
	case from.IsRecord():
		c.fail(e, "aggregate value used where %s was expected", scalarKind(t))
	case t.Kind == types.Float && from.IsPointer() || t.Kind == types.Complex && from.IsPointer():
		c.fail(e, "pointer value used where a floating-point was expected")
	case t.Kind == types.Pointer && (from.Kind == types.Float || from.Kind == types.Complex):
		c.fail(e, "cannot convert to a pointer type")
	case t.Kind == types.VaList && from.Kind != types.VaList && !from.IsPointer():
		c.fail(e, "conversion to non-scalar type requested")
	}
	if k, ok := x.(*tree.FloatConst); ok && t.IsInteger() {
		v, _ := numOf(k).toInt(t) // out of range: what gcc makes of it
		return c.intConst(c.site(e), t, v)
	}
	y := c.convert(x, t)
	if y == x {
		if _, ok := x.(*tree.IntConst); !ok && t.IsScalar() {
			return &tree.Convert{X: c.x(e, t), V: x} // a cast is no lvalue and no bit-field
		}
	}
	if k, ok := y.(*tree.IntConst); ok && y != x {
		k.Site = c.site(e)
	}
	return y
}

// discarded is an expression whose value is cast to void.
func (c *checker) discarded(x tree.Expr) tree.Expr {
	if x.Lvalue() && x.Type().AllQuals()&(types.Volatile|types.Atomic) == 0 && !(x.Type().IsRecord() && !x.Type().IsComplete()) {
		return x
	}
	return c.rvalue(x)
}

func scalarKind(t *types.Type) string {
	switch t.Kind {
	case types.Pointer:
		return "a pointer"
	case types.Float:
		return "a floating-point"
	case types.Complex:
		return "a complex"
	}
	return "an integer"
}

// unionCast makes a union of a member's value.
func (c *checker) unionCast(e syntax.Node, t *types.Type, x tree.Expr) tree.Expr {
	if !t.IsComplete() {
		c.fail(e, "conversion to incomplete type")
	}
	for i := range t.Rec.Fields {
		if ft := t.Rec.Fields[i].Type; ft.Kind != types.Array && types.CompatibleUnqualified(ft, x.Type()) {
			return &tree.Convert{X: c.x(e, t), V: x}
		}
	}
	c.fail(e, "cast to union type from type not present in union")
	return nil
}

// vectorCast checks a cast from or to a vector: of the same size.
func (c *checker) vectorCast(e syntax.Node, t *types.Type, x tree.Expr) tree.Expr {
	from := x.Type()
	switch {
	case from.Kind == types.Vector && (t.IsInteger() || t.Kind == types.Vector), t.Kind == types.Vector && from.IsInteger():
		if t.Size == from.Size {
			return &tree.Convert{X: c.x(e, t), V: x}
		}
		c.fail(e, "cannot convert a value of type ‘%s’ to vector type ‘%s’ which has different size", from, t)
	case from.Kind == types.Vector:
		c.fail(e, "aggregate value used where %s was expected", scalarKind(t))
	}
	c.fail(e, "cannot convert value to a vector")
	return nil
}

// sizeOf checks sizeof and _Alignof.
func (c *checker) sizeOf(e *syntax.SizeOf) tree.Expr {
	if e.Type != nil {
		t := c.typeName(e.Type)
		if e.Align {
			return c.small(e, c.t.Size, c.alignOf(e, t, e.Min))
		}
		return c.sizeOfType(e, t, nil)
	}
	c.unevaluated++
	x := c.expr(e.X)
	c.unevaluated--
	if bitField(x) != nil {
		c.fail(e, "‘%s’ applied to a bit-field", map[bool]string{true: "__alignof", false: "sizeof"}[e.Align])
	}
	if e.Align {
		return c.small(e, c.t.Size, c.alignOfExpr(e, x))
	}
	if x.Type().IsVLA() && c.unevaluated == 0 {
		x = c.expr(e.X)
	}
	if bitValue(x) != nil {
		return c.sizeOfType(e, c.bitType(x), x)
	}
	return c.sizeOfType(e, x.Type(), x)
}

// sizeOfType is the size of a type; of is the expression of that type.
func (c *checker) sizeOfType(e syntax.Node, t *types.Type, of tree.Expr) tree.Expr {
	if t.IsVLA() {
		size := &tree.SizeofVLA{X: c.x(e, c.t.Size), Of: t}
		if of != nil && hasEffects(of) {
			return &tree.Comma{X: c.x(e, c.t.Size), L: c.voided(of), R: size}
		}
		return size
	}
	if t.Size < 0 {
		c.fail(e, "invalid application of ‘sizeof’ to incomplete type ‘%s’", t)
	}
	return c.small(e, c.t.Size, t.Size)
}

// alignOf is the alignment of a type.
func (c *checker) alignOf(e syntax.Node, t *types.Type, least bool) int64 {
	if t.Kind == types.Func || t.Kind == types.Void {
		return 1
	}
	if t.Size < 0 && !t.IsVLA() && !t.IsComplete() {
		c.fail(e, "invalid application of ‘__alignof__’ to incomplete type ‘%s’", t)
	}
	if least {
		return c.t.FieldAlign(t)
	}
	return t.Align
}

// alignOfExpr is the alignment of an object.
func (c *checker) alignOfExpr(e syntax.Node, x tree.Expr) int64 {
	if v, ok := x.(*tree.VarRef); ok {
		return max(v.Var.Align, v.Var.Type.Align, 1)
	}
	if f, ok := x.(*tree.FuncRef); ok && f.Func != nil {
		return max(c.funcAlign[f.Func], 1)
	}
	return c.alignOf(e, x.Type(), false)
}

// hasEffects reports whether evaluating an expression does something.
func hasEffects(x tree.Expr) bool {
	switch x := x.(type) {
	case nil:
		return false
	case *tree.IntConst, *tree.FloatConst, *tree.ComplexConst, *tree.String, *tree.VarRef, *tree.FuncRef, *tree.LabelAddr, *tree.SizeofVLA:
		return false
	case *tree.Load:
		return x.L.Type().Quals&types.Volatile != 0 || hasEffects(x.L)
	case *tree.Decay:
		return hasEffects(x.L)
	case *tree.AddrOf:
		return hasEffects(x.L)
	case *tree.Deref:
		return hasEffects(x.P)
	case *tree.Member:
		return hasEffects(x.L)
	case *tree.Part:
		return hasEffects(x.L)
	case *tree.Element:
		return hasEffects(x.L) || hasEffects(x.Index)
	case *tree.Convert:
		return hasEffects(x.V)
	case *tree.Unary:
		return hasEffects(x.V)
	case *tree.Binary:
		return hasEffects(x.L) || hasEffects(x.R)
	case *tree.PtrAdd:
		return hasEffects(x.P) || hasEffects(x.N)
	case *tree.PtrDiff:
		return hasEffects(x.L) || hasEffects(x.R)
	case *tree.Logic:
		return hasEffects(x.L) || hasEffects(x.R)
	case *tree.Comma:
		return hasEffects(x.L) || hasEffects(x.R)
	case *tree.Cond:
		return hasEffects(x.C) || x.Then != nil && hasEffects(x.Then) || hasEffects(x.Else)
	}
	return true
}

// offsetOf checks __builtin_offsetof.
func (c *checker) offsetOf(e *syntax.OffsetOf) tree.Expr {
	t := c.typeName(e.Type)
	off := new(big.Int)
	var vary []tree.Expr
	for _, d := range e.Path {
		if d.Field != "" {
			if !t.IsRecord() {
				c.fail(d, "request for member ‘%s’ in something not a structure or union", d.Field)
			}
			if !t.Rec.Complete {
				c.fail(e, "invalid use of undefined type ‘%s’", t)
			}
			path := t.Rec.Member(d.Field)
			if path == nil {
				c.fail(d, "‘%s’ has no member named ‘%s’", t, d.Field)
			}
			for _, f := range path {
				if f.BitField {
					c.fail(d, "attempt to take address of bit-field structure member ‘%s’", f.Name)
				}
				off.Add(off, big.NewInt(f.Offset))
				t = f.Type
			}
			continue
		}
		if t.Kind != types.Array && t.Kind != types.Pointer {
			c.fail(d, "subscripted value is neither array nor pointer")
		}
		t = t.Elem
		i := c.value(d.Lo)
		if !i.Type().IsInteger() {
			c.fail(d, "array subscript is not an integer")
		}
		size := c.sizeOfType(d, t, nil)
		if k, ok := c.evalInt(i); ok {
			if s, ok := size.(*tree.IntConst); ok {
				off.Add(off, new(big.Int).Mul(k, s.V))
				continue
			}
		}
		vary = append(vary, &tree.Binary{X: c.x(d, c.t.Size), Op: tree.Mul, L: c.convert(i, c.t.Size), R: size})
	}
	var x tree.Expr = c.intConst(c.site(e), c.t.Size, wrap(off, c.t.Size))
	for _, v := range vary {
		x = &tree.Binary{X: c.x(e, c.t.Size), Op: tree.Add, L: x, R: v}
	}
	return x
}

// hasAttribute checks __builtin_has_attribute, as far as attributes are known.
func (c *checker) hasAttribute(e *syntax.HasAttribute) tree.Expr {
	var t *types.Type
	has := false
	if e.Type != nil {
		t = c.typeName(e.Type)
	} else {
		c.unevaluated++
		x := c.expr(e.X)
		c.unevaluated--
		t = x.Type()
		if v, ok := x.(*tree.VarRef); ok && e.Attr.Name == "aligned" && v.Var.Align > t.Align {
			has = true
		}
	}
	switch e.Attr.Name {
	case "aligned":
		has = has || t.UserAlign
	case "packed":
		has = t.IsRecord() && t.Rec.Packed
	case "vector_size":
		has = t.Kind == types.Vector
	case "noreturn":
		has = t.Kind == types.Func && t.NoReturn
	}
	return c.convert(boolNode(c, e, has), c.t.Bool)
}

func boolNode(c *checker, n syntax.Node, v bool) tree.Expr {
	if v {
		return c.small(n, c.t.Int, 1)
	}
	return c.small(n, c.t.Int, 0)
}
