package build

import (
	"strings"

	"comus/cfront/tree"
	"comus/cfront/types"
	"comus/cir"
)

// call builds a call; a struct that it returns goes to a temporary.
func (f *fn) call(e *tree.Call) val { return f.callTo(e, nil) }

// callTo builds a call whose result, if it is a struct, goes to an object.
func (f *fn) callTo(e *tree.Call, to *lval) val {
	if b := inlined(e); b != nil {
		return f.builtin(b)
	}
	ft := e.F.Type()
	if ft.Kind == types.Pointer {
		ft = ft.Elem
	}
	callee, args := f.callOperands(e, len(ft.Params))
	c := &cir.Call{Args: args, Result: f.u.result(ft.Elem), Fixed: len(args), Returns: !e.NoReturn}
	if ft.Variadic {
		c.Fixed = min(len(ft.Params), len(args))
	}
	c.Callee = callee
	if n := f.nestedCallee(e.F); n != nil {
		c.Callee = n
		c.Args = append([]cir.Arg{{X: f.chainFor(n)}}, c.Args...)
		c.Fixed++
	}
	r := f.callResult(c, ft, to)
	if e.NoReturn {
		f.end(&cir.Unreachable{Why: "call of a noreturn function returns"})
	}
	return r
}

// inlinedNames are the functions of the library that gcc's code does not call, whoever defines them.
var inlinedNames = map[string]bool{}

func init() {
	for _, name := range strings.Fields("alloca abs labs llabs imaxabs") {
		inlinedNames[name] = true
	}
	for _, name := range strings.Fields("fabs copysign signbit isnan isinf finite creal cimag conj") {
		inlinedNames[name], inlinedNames[name+"f"], inlinedNames[name+"l"] = true, true, true
	}
	for _, name := range strings.Fields("ffs ffsl ffsll") {
		inlinedNames[name] = true
	}
}

// inlined returns the builtin that a call of such a function is.
func inlined(e *tree.Call) *tree.Builtin {
	g := calledFunc(e.F)
	if g == nil || !inlinedNames[g.Name] || g.Outer != nil || g.Linkage != tree.External || len(e.Args) == 0 || g.Type.Variadic {
		return nil
	}
	return &tree.Builtin{X: e.X, Name: g.Name, Args: e.Args}
}

// callResult emits a call and takes its result.
func (f *fn) callResult(c *cir.Call, ft *types.Type, to *lval) val {
	switch {
	case c.Result.Shape != nil:
		if to == nil {
			tmp := f.temp(unqual(ft.Elem))
			to = &tmp
		}
		c.To = f.address(*to)
		f.emit(c)
		if hasParts(ft.Elem) {
			return f.load(lval{base: c.To, align: to.align, t: unqual(ft.Elem)})
		}
		return val{addr: c.To, align: to.align}
	case c.Result.Type.Kind != cir.None:
		c.Dst = f.reg(c.Result.Type)
		f.emit(c)
		return val{v: c.Dst}
	}
	f.emit(c)
	return val{}
}

// callOperands evaluates the function and the arguments, from right to left as gcc does, the values of
// plain local variables last. The function has so many parameters.
func (f *fn) callOperands(e *tree.Call, params int) (cir.Value, []cir.Arg) {
	f.openOrder(append([]tree.Expr{e.F}, e.Args...)...)
	callee := f.directCallee(e.F)
	if callee == nil {
		callee = f.scalarOf(e.F)
	}
	exprs := make([]tree.Expr, len(e.Args))
	for i, a := range e.Args {
		exprs[i] = a
		if c, ok := a.(*tree.Convert); ok && i < params && passedAs(c.Typ) != c.Typ && passedAs(c.Typ).Kind == types.Pointer && c.V.Type().Kind == types.Pointer {
			exprs[i] = c.V // a pointer is passed as what it is, not in a transparent union
		}
	}
	vals := make([]val, len(exprs))
	late := false
	for i := len(exprs) - 1; i >= 0; i-- {
		if plainLocal(exprs[i]) {
			late = true
			continue
		}
		vals[i] = f.expr(exprs[i])
	}
	for i, a := range exprs {
		if late && plainLocal(a) {
			vals[i] = f.expr(a)
		}
	}
	args := make([]cir.Arg, 0, len(vals)+1)
	for i, v := range vals {
		t := exprs[i].Type()
		if as := passedAs(t); as != t && i < params {
			addr, align := f.spill(v, t)
			v, t = f.load(lval{base: addr, align: align, t: as}), as
		}
		switch {
		case t.Size < 0:
			refuse(e.Args[i].At(), "an argument of variable size")
		case inMemory(t):
			addr, _ := f.spill(v, t)
			args = append(args, cir.Arg{X: addr, ByVal: f.u.shape(unqual(t))})
		case v.v == nil:
			refuse(e.Args[i].At(), "an argument without a value")
		default:
			args = append(args, cir.Arg{X: v.v})
		}
	}
	return callee, args
}

// directCallee returns the function that is called by its name.
func (f *fn) directCallee(e tree.Expr) cir.Value {
	for {
		switch x := e.(type) {
		case *tree.Decay:
			e = x.L
		case *tree.AddrOf:
			e = x.L
		case *tree.Deref:
			if x.Typ.Kind != types.Func {
				return nil
			}
			e = x.P
		case *tree.FuncRef:
			return f.u.fun(x.Func)
		default:
			return nil
		}
	}
}

// vaArg builds va_arg.
func (f *fn) vaArg(e *tree.VaArg) val {
	ap := f.vaList(e.Ap)
	if e.Typ.Size < 0 {
		refuse(e.Site, "an argument of variable size")
	}
	if inMemory(e.Typ) {
		tmp := f.temp(unqual(e.Typ))
		f.emit(&cir.VaArg{Ap: ap, To: tmp.base, Shape: f.u.shape(unqual(e.Typ))})
		if hasParts(e.Typ) {
			return f.load(tmp)
		}
		return val{addr: tmp.base, align: tmp.align}
	}
	t := f.u.scalar(e.Typ)
	// Narrow types were promoted by the caller.
	d := f.reg(argumentType(t))
	f.emit(&cir.VaArg{Dst: d, Ap: ap})
	return val{v: f.convert(d, t)}
}

// vaList builds the address of a va_list object.
func (f *fn) vaList(e tree.Expr) cir.Value {
	if l, ok := e.(*tree.Load); ok && l.Typ.Kind == types.VaList {
		e = l.L
	}
	if e.Type().Kind == types.VaList && e.Lvalue() {
		return f.address(f.lvalue(e))
	}
	v := f.expr(e)
	if v.addr != nil {
		return v.addr
	}
	return v.v
}
