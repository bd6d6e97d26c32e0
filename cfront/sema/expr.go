package sema

import (
	"comus/cfront/syntax"
	"comus/cfront/tree"
	"comus/cfront/types"
)

// expr checks an expression. Lvalues, arrays and functions are left as such.
func (c *checker) expr(e syntax.Expr) tree.Expr {
	switch e := e.(type) {
	case *syntax.Paren:
		return c.expr(e.X)
	case *syntax.NameExpr:
		return c.name(e)
	case *syntax.NumberExpr:
		return c.number(e)
	case *syntax.CharExpr:
		return c.character(e)
	case *syntax.StringExpr:
		return c.stringLit(e)
	case *syntax.Unary:
		return c.unary(e)
	case *syntax.Postfix:
		return c.incDec(e, e.X, e.Op == "--", true)
	case *syntax.Binary:
		return c.binaryExpr(e)
	case *syntax.Assign:
		return c.assignExpr(e)
	case *syntax.Cond:
		return c.cond(e)
	case *syntax.Cast:
		return c.withVLAs(e, func() tree.Expr { return c.cast(e) })
	case *syntax.CompoundLit:
		return c.withVLAs(e, func() tree.Expr { return c.compoundLit(e) })
	case *syntax.SizeOf:
		return c.withVLAs(e, func() tree.Expr { return c.sizeOf(e) })
	case *syntax.Index:
		return c.index(e)
	case *syntax.Call:
		return c.call(e)
	case *syntax.Member:
		return c.member(e)
	}
	return c.special(e)
}

// special checks the rarer expressions.
func (c *checker) special(e syntax.Expr) tree.Expr {
	switch e := e.(type) {
	case *syntax.LabelAddr:
		if c.fn == nil {
			c.fail(e, "label ‘%s’ referenced outside of any function", e.Label)
		}
		l := c.label(e, e.Label)
		l.AddrTaken = true
		return &tree.LabelAddr{X: c.x(e, c.t.Pointer(c.t.Void)), Label: l}
	case *syntax.StmtExpr:
		return c.stmtExpr(e)
	case *syntax.Generic:
		return c.generic(e)
	case *syntax.VaArg:
		return c.withVLAs(e, func() tree.Expr { return c.vaArg(e) })
	case *syntax.OffsetOf:
		return c.withVLAs(e, func() tree.Expr { return c.offsetOf(e) })
	case *syntax.TypesCompatible:
		before := c.vlas
		a, b := c.typeName(e.A), c.typeName(e.B)
		c.vlas = before
		v := int64(0)
		if types.Compatible(a.Unqualified(), b.Unqualified()) {
			v = 1
		}
		return c.small(e, c.t.Int, v)
	case *syntax.ConvertVector:
		x, t := c.value(e.X), c.typeName(e.Type)
		if t.Kind != types.Vector || x.Type().Kind != types.Vector || t.Len != x.Type().Len {
			c.fail(e, "‘__builtin_convertvector’ number of elements of the first argument vector and the second argument vector type should be the same")
		}
		return &tree.Builtin{X: c.x(e, t.Unqualified()), Name: "convertvector", Args: []tree.Expr{x}}
	case *syntax.HasAttribute:
		return c.hasAttribute(e)
	}
	c.fail(e, "bug in comus: expression %T", e)
	return nil
}

// withVLAs checks an expression with a type name in it; lengths of arrays are computed before it.
func (c *checker) withVLAs(n syntax.Node, f func() tree.Expr) tree.Expr {
	saved := c.vlas
	c.vlas = nil
	x := f()
	vlas := c.vlas
	c.vlas = saved
	if len(vlas) == 0 || c.stmts == nil || c.unevaluated > 0 {
		return x
	}
	b := &tree.Block{S: tree.S{Site: c.site(n)}}
	c.vlas = vlas
	stmts := c.stmts
	c.stmts = &b.Stmts
	c.flush()
	c.stmts, c.vlas = stmts, saved
	last := c.rvalue(x)
	return &tree.StmtExpr{X: tree.X{Typ: last.Type(), Site: x.At()}, Body: b, Last: last}
}

// name resolves an identifier.
func (c *checker) name(e *syntax.NameExpr) tree.Expr {
	s := c.lookup(e.Name)
	if s == nil {
		return c.unknown(e)
	}
	switch s.kind {
	case varSym:
		return &tree.VarRef{X: c.x(e, s.v.Type), Var: s.v}
	case funcSym:
		return &tree.FuncRef{X: c.x(e, s.typ), Func: s.f}
	case constSym:
		return c.intConst(c.site(e), s.typ, s.val)
	}
	c.fail(e, "expected expression before ‘%s’", e.Name)
	return nil
}

// unknown resolves an identifier that is not declared: names that gcc knows.
func (c *checker) unknown(e *syntax.NameExpr) tree.Expr {
	switch e.Name {
	case "__func__", "__FUNCTION__", "__PRETTY_FUNCTION__":
		v := c.funcName(e)
		return &tree.VarRef{X: c.x(e, v.Type), Var: v}
	}
	if s := c.library(e.Name); s != nil {
		return &tree.FuncRef{X: c.x(e, s.typ), Func: s.f}
	}
	c.ifLost(e.Name)
	if c.fn == nil {
		c.fail(e, "‘%s’ undeclared here (not in a function)", e.Name)
	}
	c.fail(e, "‘%s’ undeclared (first use in this function)", e.Name)
	return nil
}

// funcName is the variable __func__.
func (c *checker) funcName(e *syntax.NameExpr) *tree.Var {
	text := ""
	if c.fn != nil {
		if v := c.fn.names[e.Name]; v != nil {
			return v
		}
		text = c.fn.f.Name
	} else if e.Name != "__func__" {
		text = "top level"
	}
	t := types.ArrayOf(c.t.Char.With(types.Const), int64(len(text)+1))
	site := c.site(e)
	v := &tree.Var{Name: e.Name, Type: t, Linkage: tree.NoLinkage, Storage: tree.Static, Align: 1, Defined: true, Site: *site}
	lit := &tree.String{X: tree.X{Typ: types.ArrayOf(c.t.Char, int64(len(text)+1)), Site: site}, Data: append([]byte(text), 0)}
	v.Init = &tree.Init{Items: []tree.InitItem{{Type: t, X: lit}}, Site: *site}
	if c.fn != nil {
		v.Func = c.fn.f
		c.fn.names[e.Name] = v
	}
	c.unit.Vars = append(c.unit.Vars, v)
	return v
}

// member checks x.f and x->f.
func (c *checker) member(e *syntax.Member) tree.Expr {
	x := c.expr(e.X)
	if e.Arrow {
		x = c.rvalue(x)
		if x.Type().Kind != types.Pointer {
			c.fail(e, "invalid type argument of ‘->’ (have ‘%s’)", x.Type())
		}
		x = &tree.Deref{X: tree.X{Typ: x.Type().Elem, Site: c.site(e)}, P: x}
	}
	t := x.Type()
	if !t.IsRecord() {
		if t.Kind == types.Pointer {
			c.fail(e, "‘%s’ is a pointer; did you mean to use ‘->’?", c.in.TextOf(e.X.At()))
		}
		c.fail(e, "request for member ‘%s’ in something not a structure or union", e.Name)
	}
	if !t.Rec.Complete {
		c.fail(e, "invalid use of undefined type ‘%s’", t)
	}
	path := t.Rec.Member(e.Name)
	if path == nil {
		c.fail(e, "‘%s’ has no member named ‘%s’", t, e.Name)
	}
	return c.memberPath(e, x, path)
}

// memberPath makes Members of a path of fields.
func (c *checker) memberPath(n syntax.Node, x tree.Expr, path []*types.Field) tree.Expr {
	for _, f := range path {
		ft := f.Type
		if x.Lvalue() {
			ft = ft.With(x.Type().Quals &^ (types.Restrict | types.Atomic))
		} else if ft.Kind != types.Array {
			ft = ft.Unqualified()
		}
		x = &tree.Member{X: tree.X{Typ: ft, Site: c.site(n)}, L: x, Field: f}
	}
	return x
}

// index checks x[i].
func (c *checker) index(e *syntax.Index) tree.Expr {
	x, i := c.expr(e.X), c.expr(e.I)
	if x.Type().Kind == types.Vector {
		iv := c.rvalue(i)
		if !iv.Type().IsInteger() {
			c.fail(e, "array subscript is not an integer")
		}
		t := x.Type()
		return &tree.Element{X: c.x(e, t.Elem.With(t.Quals)), L: x, Index: iv}
	}
	arr := x.Type()
	p, n := c.rvalue(x), c.rvalue(i)
	if p.Type().Kind != types.Pointer && n.Type().Kind == types.Pointer {
		p, n = n, p
		arr = i.Type()
	}
	if p.Type().Kind != types.Pointer {
		c.fail(e, "subscripted value is neither array nor pointer nor vector")
	}
	if p.Type().Elem.Kind == types.Func {
		c.fail(e, "subscripted value is pointer to function")
	}
	if !n.Type().IsInteger() {
		c.fail(e, "array subscript is not an integer")
	}
	elem := p.Type().Elem
	if !elem.IsComplete() && !elem.IsVLA() && elem.Kind != types.Void {
		c.fail(e, "invalid use of undefined type ‘%s’", elem)
	}
	add := &tree.PtrAdd{X: c.x(e, p.Type()), P: p, N: n}
	if arr.Kind == types.Array {
		add.Array = arr
	}
	return &tree.Deref{X: c.x(e, elem), P: add}
}

// cond checks c ? a : b.
func (c *checker) cond(e *syntax.Cond) tree.Expr {
	cv := c.truth(c.value(e.C))
	var a tree.Expr
	if e.Then != nil {
		a = c.value(e.Then)
	} else {
		a = cv
	}
	b := c.value(e.Else)
	t := c.condType(e, a, b)
	x := &tree.Cond{X: c.x(e, t), C: cv, Else: b}
	if e.Then != nil {
		x.Then = a
	}
	if t.Kind == types.Void {
		if x.Then != nil {
			x.Then = c.voided(x.Then)
		}
		x.Else = c.voided(b)
		return x
	}
	if x.Then != nil {
		x.Then = c.convert(a, t)
	}
	x.Else = c.convert(b, t)
	return x
}

// condType is the type of a conditional expression.
func (c *checker) condType(e syntax.Node, a, b tree.Expr) *types.Type {
	ta, tb := a.Type(), b.Type()
	switch {
	case ta.IsArith() && tb.IsArith():
		return c.common(c.promoted(a), c.promoted(b))
	case ta.Kind == types.Void || tb.Kind == types.Void:
		return c.t.Void
	case ta.IsRecord() || tb.IsRecord() || ta.Kind == types.Vector || tb.Kind == types.Vector || ta.Kind == types.VaList:
		if types.CompatibleUnqualified(ta, tb) {
			return ta.Unqualified()
		}
	case ta.IsPointer() && tb.IsPointer():
		return c.pointerCond(a, b)
	case ta.IsPointer() && tb.IsInteger():
		return ta.Unqualified()
	case tb.IsPointer() && ta.IsInteger():
		return tb.Unqualified()
	}
	c.fail(e, "type mismatch in conditional expression (‘%s’ and ‘%s’)", ta, tb)
	return nil
}

// pointerCond is the type of a conditional expression, or of a comparison, of pointers.
func (c *checker) pointerCond(a, b tree.Expr) *types.Type {
	ta, tb := a.Type().Unqualified(), b.Type().Unqualified()
	switch {
	case ta.Kind == types.NullPtr:
		return tb
	case tb.Kind == types.NullPtr:
		return ta
	}
	q := ta.Elem.AllQuals() | tb.Elem.AllQuals()
	switch {
	case types.CompatibleUnqualified(ta.Elem.Unqualified(), tb.Elem.Unqualified()):
		return c.t.Pointer(types.Composite(ta.Elem.Unqualified(), tb.Elem.Unqualified()).With(q))
	case c.isNullConst(a) && ta.Elem.Kind == types.Void:
		return tb
	case c.isNullConst(b) && tb.Elem.Kind == types.Void:
		return ta
	}
	return c.t.Pointer(c.t.Void.With(q &^ types.Restrict))
}

// generic selects an association.
func (c *checker) generic(e *syntax.Generic) tree.Expr {
	c.unevaluated++
	x := c.value(e.X)
	t, shown := c.bitType(x), x.Type().Unqualified()
	c.unevaluated--
	var match, def syntax.Expr
	var seen []*types.Type
	for i := range e.Assocs {
		a := &e.Assocs[i]
		if a.Type == nil {
			if def != nil {
				c.fail(a, "duplicate ‘default’ case in ‘_Generic’")
			}
			def = a.X
			continue
		}
		at := c.typeName(a.Type)
		switch {
		case at.Kind == types.Func:
			c.fail(a, "‘_Generic’ association has function type")
		case !at.IsComplete() && at.Kind != types.Void:
			c.fail(a, "‘_Generic’ association has incomplete type")
		case at.IsVM():
			c.fail(a, "‘_Generic’ association has variable length type")
		}
		for _, s := range seen {
			if types.Compatible(s, at) {
				c.fail(a, "‘_Generic’ specifies two compatible types")
			}
		}
		seen = append(seen, at)
		if match == nil && types.Compatible(at, t) {
			match = a.X
		}
	}
	if match == nil {
		match = def
	}
	if match == nil {
		c.fail(e, "‘_Generic’ selector of type ‘%s’ is not compatible with any association", shown)
	}
	for i := range e.Assocs {
		if x := e.Assocs[i].X; x != match {
			c.unchosen(x)
		}
	}
	return c.expr(match)
}

// unchosen checks an expression that is not evaluated.
func (c *checker) unchosen(x syntax.Expr) {
	before := c.vlas
	c.unevaluated++
	c.expr(x)
	c.unevaluated--
	c.vlas = before
}

// discard checks an expression whose value is not used.
func (c *checker) discard(e syntax.Expr) tree.Expr {
	x := c.expr(e)
	if x.Lvalue() && x.Type().Kind != types.Void && x.Type().AllQuals()&(types.Volatile|types.Atomic) != 0 && x.Type().Kind != types.Array {
		return c.rvalue(x)
	}
	if x.Lvalue() && x.Type().IsRecord() && !x.Type().IsComplete() && !x.Type().IsVLA() {
		failSite(x, "invalid use of undefined type ‘%s’", x.Type())
	}
	return x
}
