package sema

import (
	"comus/cfront/syntax"
	"comus/cfront/tree"
	"comus/cfront/types"
)

// declared is a declarator with all that is known of it before it is declared.
type declared struct {
	name  string
	n     *syntax.Declarator
	whole syntax.Node // with its initialiser
	t     *types.Type
	info  *specInfo
	attrs *attrs
	init  *syntax.Init
	def   bool // the definition of a function
}

// declaration checks a declaration.
func (c *checker) declaration(n *syntax.Declaration) {
	info := c.specs(n.Specs, len(n.Decls) == 0)
	if len(n.Decls) == 0 {
		c.flush()
		if info.auto {
			c.fail(n, "empty declaration of ‘__auto_type’")
		}
		c.emptyDeclaration(n)
		return
	}
	for i, d := range n.Decls {
		if info.auto {
			c.autoType(n, d, info, i)
			continue
		}
		t := info.typ
		x := &declared{name: d.Decl.Name, n: d.Decl, whole: d, info: info, init: d.Init}
		x.t = c.declarator(t, d.Decl, objectPlace)
		c.declare(x)
	}
}

// emptyDeclaration refuses specifiers that want something to be declared.
func (c *checker) emptyDeclaration(n *syntax.Declaration) {
	s := n.Specs
	switch {
	case s.Inline:
		c.fail(n, "‘inline’ in empty declaration")
	case s.Noreturn:
		c.fail(n, "‘_Noreturn’ in empty declaration")
	case s.Storage&syntax.Auto != 0 && c.stmts == nil:
		c.fail(n, "‘auto’ in file-scope empty declaration")
	case s.Storage&syntax.Register != 0 && c.stmts == nil:
		c.fail(n, "‘register’ in file-scope empty declaration")
	}
}

// autoType declares a variable whose type is that of its initialiser.
func (c *checker) autoType(n *syntax.Declaration, d *syntax.InitDecl, info *specInfo, i int) {
	if d.Init == nil || d.Init.X == nil {
		c.fail(d, "‘__auto_type’ requires an initialized data declaration")
	}
	if i > 0 || len(n.Decls) > 1 {
		c.fail(d, "‘__auto_type’ may only be used with a single declarator")
	}
	if len(d.Decl.Parts) > 0 {
		c.fail(d, "‘__auto_type’ requires a plain identifier as declarator")
	}
	lv := c.expr(d.Init.X)
	if bitField(lv) != nil {
		c.fail(d, "‘__auto_type’ used with a bit-field initializer")
	}
	xe := c.rvalue(lv)
	if xe.Type().Kind == types.Void {
		c.fail(d, "variable ‘%s’ declared void", d.Decl.Name)
	}
	x := &declared{name: d.Decl.Name, n: d.Decl, whole: d, info: info, t: c.bitType(xe).With(info.Quals), init: d.Init}
	c.declare(x)
}

// declare declares what a declarator declares: a typedef name, a function or a variable.
func (c *checker) declare(x *declared) {
	own := c.attributes(x.n.Attrs)
	x.t = c.retype(x.n, x.t, own)
	x.attrs = c.attributes(x.info.Attrs, x.n.Attrs)
	if x.attrs.noreturn || x.info.Noreturn {
		x.t = noReturn(c, x.t)
	}
	switch {
	case x.info.Storage&syntax.Typedef != 0:
		c.declareTypedef(x)
	case x.t.Kind == types.Func:
		if x.init != nil {
			c.fail(x.n, "function ‘%s’ is initialized like a variable", x.name)
		}
		if x.info.align > 0 {
			c.fail(x.n, "alignment specified for function ‘%s’", x.name)
		}
		c.flush()
		c.declareFunc(x)
	default:
		c.declareVar(x)
	}
}

// noReturn makes a function, or a pointer to one, not return.
func noReturn(c *checker, t *types.Type) *types.Type {
	switch {
	case t.Kind == types.Func:
		f := *t
		f.NoReturn = true
		return &f
	case t.Kind == types.Pointer && t.Elem.Kind == types.Func:
		return c.t.Pointer(noReturn(c, t.Elem)).With(t.Quals)
	}
	return t
}

// declareTypedef declares a typedef name.
func (c *checker) declareTypedef(x *declared) {
	if x.init != nil {
		c.fail(x.n, "typedef ‘%s’ is initialized (use ‘__typeof__’ instead)", x.name)
	}
	if x.info.align > 0 {
		c.fail(x.n, "alignment specified for typedef ‘%s’", x.name)
	}
	t := x.t
	if a := x.attrs.align; a > 0 && t.Kind != types.Func {
		t = t.Aligned(a)
	}
	if x.attrs.transparent && t.Kind == types.Union {
		t.Rec.Transparent = true
	}
	if t.Rec != nil && t.Rec.Tag == "" && t.Rec.Alias == "" {
		t.Rec.Alias = x.name
	}
	c.flush()
	if old := c.scope.names[x.name]; old != nil {
		switch {
		case old.kind != typedefSym:
			c.fail(x.n, "‘%s’ redeclared as different kind of symbol", x.name)
		case !types.Compatible(old.typ, t):
			c.fail(x.n, "conflicting types for ‘%s’; have ‘%s’", x.name, t)
		case t.IsVM():
			c.fail(x.n, "redefinition of typedef ‘%s’ with variably modified type", x.name)
		}
		if types.Composite(old.typ, t) == t {
			old.typ = t
		}
		return
	}
	s := &symbol{kind: typedefSym, name: x.name, typ: t, pos: c.in.Pos(x.n.First), scope: c.scope}
	c.scope.names = put(c.scope.names, x.name, s)
	if t.IsVM() {
		c.enterVM()
	}
}

// declareVar declares a variable.
func (c *checker) declareVar(x *declared) {
	if x.t.Kind == types.Void && (x.info.Storage&syntax.Extern == 0 || x.init != nil) {
		c.fail(x.n, "variable or field ‘%s’ declared void", x.name)
	}
	if c.stmts == nil {
		c.fileVar(x)
		return
	}
	st := x.info.Storage
	switch {
	case st&syntax.Extern != 0:
		if x.init != nil {
			c.fail(x.n, "‘%s’ has both ‘extern’ and initializer", x.name)
		}
		c.blockExtern(x)
	case st&syntax.Static != 0:
		c.localVar(x, tree.Static)
	case st&syntax.Thread != 0:
		c.fail(x.n, "function-scope ‘%s’ implicitly auto and declared ‘__thread’", x.name)
	default:
		c.localVar(x, tree.Auto)
	}
}

// newVar makes a variable of a declarator.
func (c *checker) newVar(x *declared, storage tree.Storage, linkage tree.Linkage) *tree.Var {
	if storage == tree.Static && x.info.Storage&syntax.Thread != 0 {
		storage = tree.ThreadLocal
	}
	v := &tree.Var{Name: x.name, Type: x.t, Linkage: linkage, Storage: storage, AsmName: x.n.AsmName, Weak: x.attrs.weak,
		Common: x.attrs.common, Register: x.info.Storage&syntax.Register != 0, Site: *c.site(x.n)}
	c.alignVar(v, x)
	if c.fn != nil && linkage == tree.NoLinkage && storage != tree.Auto {
		v.Func = c.fn.f
	}
	return v
}

// alignVar computes a variable's alignment.
func (c *checker) alignVar(v *tree.Var, x *declared) {
	v.Align = max(v.Type.Align, 1, v.Align, x.attrs.align)
	if x.info.align > 0 {
		if x.info.align < x.t.Align && !x.t.UserAlign {
			c.fail(x.n, "‘_Alignas’ specifiers cannot reduce alignment of ‘%s’", x.name)
		}
		v.Align = max(v.Align, x.info.align)
	}
	if x.info.align > 0 && v.Register {
		c.fail(x.n, "alignment specified for ‘register’ object ‘%s’", x.name)
	}
}

// localVar declares a variable of a block.
func (c *checker) localVar(x *declared, storage tree.Storage) {
	if old := c.scope.names[x.name]; old != nil {
		switch {
		case old.kind != varSym:
			c.fail(x.n, "‘%s’ redeclared as different kind of symbol", x.name)
		case old.param:
			c.fail(x.n, "‘%s’ redeclared as different kind of symbol", x.name)
		case old.v.Linkage != tree.NoLinkage:
			c.fail(x.n, "declaration of ‘%s’ with no linkage follows extern declaration", x.name)
		case !types.Compatible(old.typ, x.t):
			c.fail(x.n, "conflicting types for ‘%s’; have ‘%s’", x.name, x.t)
		}
		c.fail(x.n, "redeclaration of ‘%s’ with no linkage", x.name)
	}
	if storage == tree.Static && x.t.IsVM() && x.t.IsVLA() {
		c.fail(x.n, "storage size of ‘%s’ isn’t constant", x.name)
	}
	v := c.newVar(x, storage, tree.NoLinkage)
	s := &symbol{kind: varSym, name: x.name, typ: x.t, v: v, pos: v.Site.Pos, scope: c.scope}
	c.scope.names = put(c.scope.names, x.name, s)
	v.Defined = true
	c.flush()
	if storage == tree.Auto {
		c.autoVar(x, v)
		return
	}
	if x.init != nil {
		c.initVar(x, v, true)
	}
	if !v.Type.IsComplete() {
		c.incomplete(x, v)
	}
	c.unit.Vars = append(c.unit.Vars, v)
	c.cleanup(x, v)
}

// autoVar declares an automatic variable.
func (c *checker) autoVar(x *declared, v *tree.Var) {
	c.blk.Vars = append(c.blk.Vars, v)
	d := &tree.Decl{S: c.s(x.whole), Var: v}
	if x.init != nil {
		d.Init = c.initVar(x, v, false)
	}
	if !v.Type.IsComplete() && !v.Type.IsVLA() {
		c.incomplete(x, v)
	}
	c.cleanup(x, v)
	if v.Type.IsVM() {
		c.enterVM()
	}
	*c.stmts = append(*c.stmts, d)
}

// incomplete refuses a variable of incomplete type.
func (c *checker) incomplete(x *declared, v *tree.Var) {
	if v.Type.Kind == types.Array {
		c.fail(x.n, "array size missing in ‘%s’", x.name)
	}
	if x.init != nil {
		c.fail(x.n, "variable ‘%s’ has initializer but incomplete type", x.name)
	}
	c.fail(x.n, "storage size of ‘%s’ isn’t known", x.name)
}

// initVar checks a variable's initialiser.
func (c *checker) initVar(x *declared, v *tree.Var, static bool) *tree.Init {
	init, t, grown := c.initialize(v.Type, x.init, static)
	if t != v.Type {
		v.Type = t
		v.Align = max(v.Align, t.Align)
		if s := c.lookup(x.name); s != nil && s.v == v {
			s.typ = t
		}
	}
	if grown > 0 {
		if !static {
			c.fail(x.init, "non-static initialization of a flexible array member")
		}
		v.Extra = grown
	}
	if static {
		v.Init = init
	}
	return init
}

// cleanup notes the function of a cleanup attribute.
func (c *checker) cleanup(x *declared, v *tree.Var) {
	if x.attrs.cleanup == "" {
		return
	}
	s := c.lookup(x.attrs.cleanup)
	if s == nil {
		s = c.library(x.attrs.cleanup)
	}
	if s == nil || s.kind != funcSym {
		c.fail(x.attrs.cleanupAt, "cleanup argument not a function")
	}
	if v.Storage == tree.Auto {
		v.Cleanup = s.f
		v.AddrTaken = true
	}
}

// enterVM begins the scope of something of variably modified type, which nothing may jump into.
func (c *checker) enterVM() {
	if c.fn != nil {
		c.fn.ctx = &jumpContext{up: c.fn.ctx}
	}
}
