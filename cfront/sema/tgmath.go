package sema

import (
	"comus/cfront/syntax"
	"comus/cfront/tree"
	"comus/cfront/types"
)

// tgmath checks __builtin_tgmath(functions…, arguments…): the function whose parameters have
// the arguments' common type is called.
func tgmath(c *checker, e *syntax.Call, _ string) tree.Expr {
	c.need(e, 2, -1)
	var fs []tree.Expr
	nargs := 0
	for _, a := range e.Args {
		x := c.expr(a)
		t := x.Type()
		if t.Kind == types.Pointer {
			t = t.Elem
		}
		if t.Kind != types.Func || len(fs) > 0 && len(fs)+nargs == len(e.Args) {
			break
		}
		if len(fs) == 0 {
			nargs = len(t.Params)
		}
		fs = append(fs, x)
	}
	if len(fs) == 0 || len(fs)+nargs != len(e.Args) {
		c.fail(e, "wrong arguments of ‘__builtin_tgmath’")
	}
	var common *types.Type
	for i := range nargs {
		if !varies(fs, i) {
			continue
		}
		t := c.value(e.Args[len(fs)+i]).Type()
		if t.IsInteger() {
			t = c.t.Double
		}
		if !t.IsArith() {
			c.fail(e.Args[len(fs)+i], "invalid type of argument of type-generic function")
		}
		if common == nil {
			common = t
		} else {
			common = c.common(common, t)
		}
	}
	f := pickFunc(fs, common)
	if f == nil {
		c.fail(e, "no matching function for type-generic call")
	}
	fp := c.rvalue(f)
	ft := fp.Type().Elem
	x := &tree.Call{X: c.x(e, ft.Elem.Unqualified()), F: fp}
	for i, p := range ft.Params {
		v := c.value(e.Args[len(fs)+i])
		x.Args = append(x.Args, c.argument(v, p, reason{verb: "passing", arg: i + 1, f: c.in.TextOf(e.F.At())}))
	}
	return x
}

func funcType(f tree.Expr) *types.Type {
	if t := f.Type(); t.Kind == types.Pointer {
		return t.Elem
	}
	return f.Type()
}

// varies reports whether the functions differ in a parameter.
func varies(fs []tree.Expr, i int) bool {
	first := funcType(fs[0])
	for _, f := range fs[1:] {
		if t := funcType(f); i < len(t.Params) && !types.CompatibleUnqualified(t.Params[i], first.Params[i]) {
			return true
		}
	}
	return len(fs) == 1
}

// pickFunc is the function with a parameter of a type, or of the complex type made of it.
func pickFunc(fs []tree.Expr, t *types.Type) tree.Expr {
	if t == nil {
		return fs[0]
	}
	for _, complexToo := range []bool{false, true} {
		for _, f := range fs {
			for i, p := range funcType(f).Params {
				if !varies(fs, i) {
					continue
				}
				if types.CompatibleUnqualified(p, t) || complexToo && p.Kind == types.Complex && types.CompatibleUnqualified(p.Elem, t) {
					return f
				}
				break
			}
		}
	}
	return nil
}
