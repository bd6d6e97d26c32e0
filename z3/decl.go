package z3

// #include "shim.h"
import "C"

import "runtime"

// FuncDecl declares a function, constant or (with range Bool) predicate. The
// zero FuncDecl is not valid; it is the result of a method that failed.
type FuncDecl struct {
	_ [0]func() // use Equal, not ==
	n *node
}

// FuncDecl declares an uninterpreted function. Declaring the same name with
// the same sorts again gives the same declaration; declaring it with other
// sorts gives a different one.
func (c *Context) FuncDecl(name string, domain []Sort, rng Sort) FuncDecl {
	const op = "FuncDecl"
	sorts, ok := c.sorts(op, domain)
	if !ok || !c.owns(op, rng.n) {
		return FuncDecl{}
	}
	ast := withCString(name, func(s *C.char) C.Z3_ast {
		return C.comus_mk_func_decl(c.c, s, C.uint(len(sorts)), first(sorts), rng.n.ast)
	})
	runtime.KeepAlive(domain)
	runtime.KeepAlive(rng)
	return FuncDecl{n: c.node(op, ast)}
}

// FreshFuncDecl declares an uninterpreted function that differs from all
// others. Its name starts with prefix.
func (c *Context) FreshFuncDecl(prefix string, domain []Sort, rng Sort) FuncDecl {
	const op = "FreshFuncDecl"
	sorts, ok := c.sorts(op, domain)
	if !ok || !c.owns(op, rng.n) {
		return FuncDecl{}
	}
	ast := withCString(prefix, func(s *C.char) C.Z3_ast {
		return C.comus_mk_fresh_func_decl(c.c, s, C.uint(len(sorts)), first(sorts), rng.n.ast)
	})
	runtime.KeepAlive(domain)
	runtime.KeepAlive(rng)
	return FuncDecl{n: c.node(op, ast)}
}

// sorts collects the references of the sorts; see args.
func (c *Context) sorts(op string, sorts []Sort) ([]C.Z3_ast, bool) {
	if !c.open() {
		return nil, false
	}
	buf := c.argBuf[:0]
	for _, s := range sorts {
		if !c.owns(op, s.n) {
			return nil, false
		}
		buf = append(buf, s.n.ast)
	}
	c.argBuf = buf
	return buf, true
}

// c returns the Z3 declaration.
func (f FuncDecl) c() C.Z3_func_decl { return C.comus_as_func_decl(f.n.ast) }

// IsValid reports whether f is not the zero FuncDecl.
func (f FuncDecl) IsValid() bool { return f.n != nil }

// Apply returns the application of the function to the arguments. An error,
// such as a wrong number of arguments, is recorded in the context.
func (f FuncDecl) Apply(args ...Term) Term {
	const op = "Apply"
	if !f.n.usable() {
		return Term{}
	}
	c := f.n.ctx
	asts, ok := c.args(op, args)
	if !ok {
		return Term{}
	}
	ast := C.comus_mk_app(c.c, f.n.ast, C.uint(len(asts)), first(asts))
	runtime.KeepAlive(f.n)
	runtime.KeepAlive(args)
	return Term{n: c.node(op, ast)}
}

// Name returns the name of the function.
func (f FuncDecl) Name() string {
	if !f.n.usable() {
		return ""
	}
	defer runtime.KeepAlive(f.n)
	c := f.n.ctx
	return c.symbol(C.Z3_get_decl_name(c.c, f.c()))
}

// symbol returns the text of a Z3 symbol.
func (c *Context) symbol(s C.Z3_symbol) string {
	return C.GoString(C.Z3_get_symbol_string(c.c, s))
}

// Kind returns what the function means to Z3; it is OpUninterpreted for
// functions declared with Context.FuncDecl.
func (f FuncDecl) Kind() DeclKind {
	if !f.n.usable() {
		return OpInvalid
	}
	defer runtime.KeepAlive(f.n)
	return declKind(C.Z3_get_decl_kind(f.n.ctx.c, f.c()))
}

// Arity returns the number of arguments.
func (f FuncDecl) Arity() int {
	if !f.n.usable() {
		return 0
	}
	defer runtime.KeepAlive(f.n)
	return int(C.Z3_get_arity(f.n.ctx.c, f.c()))
}

// Domain returns the sort of the argument with the given index. An index out
// of range is recorded as an error in the context.
func (f FuncDecl) Domain(i int) Sort {
	const op = "FuncDecl.Domain"
	if !f.n.usable() || !f.n.ctx.inRange(op, i, f.Arity()) {
		return Sort{}
	}
	c := f.n.ctx
	n := c.node(op, C.comus_domain(c.c, f.n.ast, C.uint(i)))
	runtime.KeepAlive(f.n)
	return Sort{n: n}
}

// Range returns the sort of the result.
func (f FuncDecl) Range() Sort {
	if !f.n.usable() {
		return Sort{}
	}
	c := f.n.ctx
	n := c.node("FuncDecl.Range", C.comus_range(c.c, f.n.ast))
	runtime.KeepAlive(f.n)
	return Sort{n: n}
}

// Equal reports whether both are the same declaration of the same context.
func (f FuncDecl) Equal(g FuncDecl) bool { return f.n.same(g.n) }

// ID returns a number that identifies the declaration among all declarations
// that are alive in the context.
func (f FuncDecl) ID() uint32 { return f.n.id() }

// String returns the declaration in SMT-LIB syntax.
func (f FuncDecl) String() string { return f.n.String() }
