package sema

import (
	"comus/cfront/syntax"
	"comus/cfront/tree"
	"comus/cfront/types"
)

// call checks a call.
func (c *checker) call(e *syntax.Call) tree.Expr {
	if n, ok := callee(e.F); ok {
		s := c.lookup(n.Name)
		if s == nil || s.library || n.Name == "alloca" && s.kind == funcSym && s.f.Body == nil {
			if x := c.builtin(e, n.Name); x != nil {
				return x
			}
		}
		if s == nil && n.Name != "__func__" && n.Name != "__FUNCTION__" && n.Name != "__PRETTY_FUNCTION__" {
			c.implicit(n)
		}
	}
	f := c.value(e.F)
	t := f.Type()
	if t.Kind != types.Pointer || t.Elem.Kind != types.Func {
		c.fail(e, "called object ‘%s’ is not a function or function pointer", c.in.TextOf(e.F.At()))
	}
	ft := t.Elem
	if r := ft.Elem; r.Kind != types.Void && !r.IsComplete() {
		c.fail(e, "invalid use of undefined type ‘%s’", r)
	}
	x := &tree.Call{X: c.x(e, ft.Elem.Unqualified()), F: f, NoReturn: ft.NoReturn}
	if fr := calledFunc(f); fr != nil {
		x.NoReturn = x.NoReturn || fr.NoReturn
	}
	x.Args = c.arguments(e, ft)
	return x
}

// callee is the identifier that a call names, in parentheses or not.
func callee(e syntax.Expr) (*syntax.NameExpr, bool) {
	for {
		switch x := e.(type) {
		case *syntax.Paren:
			e = x.X
		case *syntax.NameExpr:
			return x, true
		default:
			return nil, false
		}
	}
}

// calledFunc is the function that a value is the address of.
func calledFunc(f tree.Expr) *tree.Func {
	if d, ok := f.(*tree.Decay); ok {
		if r, ok := d.L.(*tree.FuncRef); ok {
			return r.Func
		}
	}
	return nil
}

// arguments converts the arguments of a call of a function type.
func (c *checker) arguments(e *syntax.Call, ft *types.Type) []tree.Expr {
	name := c.in.TextOf(e.F.At())
	if !ft.NoProto {
		switch {
		case len(e.Args) < len(ft.Params):
			c.fail(e, "too few arguments to function ‘%s’", name)
		case len(e.Args) > len(ft.Params) && !ft.Variadic:
			c.fail(e, "too many arguments to function ‘%s’", name)
		}
	}
	args := make([]tree.Expr, len(e.Args))
	for i, a := range e.Args {
		x := c.value(a)
		if x.Type().Kind == types.Void {
			c.fail(a, "invalid use of void expression")
		}
		if !ft.NoProto && i < len(ft.Params) {
			args[i] = c.argument(x, ft.Params[i], reason{verb: "passing", arg: i + 1, f: name})
			continue
		}
		args[i] = c.defaultPromote(x)
	}
	return args
}

// argument converts an argument to a parameter's type.
func (c *checker) argument(x tree.Expr, t *types.Type, w reason) tree.Expr {
	if !t.IsComplete() && t.Kind != types.Void {
		failSite(x, "type of formal parameter %d is incomplete", w.arg)
	}
	if t.Kind == types.Union && t.Rec.Transparent && !(x.Type().Kind == types.Union && x.Type().Rec == t.Rec) {
		if y := c.transparent(x, t); y != nil {
			return y
		}
	}
	return c.assignTo(x, t, w)
}

// transparent makes a transparent union of an argument.
func (c *checker) transparent(x tree.Expr, t *types.Type) tree.Expr {
	from := x.Type()
	for i := range t.Rec.Fields {
		ft := t.Rec.Fields[i].Type
		switch {
		case types.CompatibleUnqualified(ft, from):
		case ft.Kind == types.Pointer && from.Kind == types.Pointer &&
			(ft.Elem.IsVoid() || from.Elem.IsVoid() || types.CompatibleUnqualified(ft.Elem, from.Elem)):
		case ft.Kind == types.Pointer && c.isNullConst(x):
		default:
			continue
		}
		return &tree.Convert{X: tree.X{Typ: t.Unqualified(), Site: x.At()}, V: c.convert(x, ft)}
	}
	return nil
}

// defaultPromote makes the default argument promotions.
func (c *checker) defaultPromote(x tree.Expr) tree.Expr {
	t := x.Type()
	switch {
	case t.Kind == types.Float && t.Bits == 32 && t.Ext == types.Standard && !t.Decimal:
		return c.convert(x, c.t.Double)
	case t.IsInteger():
		return c.promote(x)
	case t.IsRecord() && !t.IsComplete():
		failSite(x, "invalid use of undefined type ‘%s’", t)
	}
	return x
}

// implicit declares a function that is called without a declaration.
func (c *checker) implicit(n *syntax.NameExpr) {
	if s := c.library(n.Name); s != nil {
		return
	}
	t := types.FuncOf(c.t.Int, nil, false, true)
	if v := verifierType(n.Name); v != "" {
		t = c.signature(v)
	}
	if s := c.externs[n.Name]; s != nil && s.kind == funcSym {
		c.scope.names = put(c.scope.names, n.Name, s)
		return
	}
	f := &tree.Func{Name: n.Name, Type: t, Linkage: tree.External, Site: *c.site(n)}
	c.unit.Funcs = append(c.unit.Funcs, f)
	s := &symbol{kind: funcSym, name: n.Name, typ: t, f: f, pos: c.in.Pos(n.First), implicit: true, scope: c.scope}
	c.scope.names = put(c.scope.names, n.Name, s)
	c.externs[n.Name] = s
}

// vaArg checks __builtin_va_arg.
func (c *checker) vaArg(e *syntax.VaArg) tree.Expr {
	ap := c.vaList(e.X)
	t := c.typeName(e.Type)
	if !t.IsComplete() && t.Kind != types.Void {
		c.fail(e, "second argument to ‘va_arg’ is of incomplete type ‘%s’", t)
	}
	if t.Kind == types.Array { // gcc: undefined, and then a value of array type
		return &tree.VaArg{X: c.x(e, t), Ap: ap}
	}
	return &tree.VaArg{X: c.x(e, t.Unqualified()), Ap: ap}
}

// vaList checks an argument list: an lvalue of its type, or a pointer to one.
func (c *checker) vaList(e syntax.Expr) tree.Expr {
	x := c.expr(e)
	if x.Type().Kind == types.VaList {
		if x.Lvalue() {
			markAddr(x)
		}
		return x
	}
	v := c.rvalue(x)
	if t := v.Type(); t.Kind == types.Pointer && (t.Elem.Kind == types.VaList || c.t.PointerBits == 32) {
		return v
	}
	c.fail(e, "first argument to ‘va_arg’ not of type ‘va_list’")
	return nil
}
