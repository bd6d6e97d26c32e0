package sema

import (
	"comus/cfront/syntax"
	"comus/cfront/tree"
	"comus/cfront/types"
)

// pendingAlias is an alias whose target may come later.
type pendingAlias struct {
	alias tree.Alias
	weakr bool
	n     syntax.Node
}

// fileVar declares a variable at file scope.
func (c *checker) fileVar(x *declared) {
	st := x.info.Storage
	if st&syntax.Auto != 0 || st&syntax.Register != 0 && !x.n.HasAsm {
		c.fail(x.n, "file-scope declaration of ‘%s’ specifies ‘%s’", x.name, map[bool]string{true: "auto", false: "register"}[st&syntax.Auto != 0])
	}
	if x.t.IsVM() {
		c.fail(x.n, "variably modified ‘%s’ at file scope", x.name)
	}
	linkage := tree.External
	if st&syntax.Static != 0 {
		linkage = tree.Internal
	}
	s := c.linked(x, linkage)
	v := s.v
	c.scope.names = put(c.scope.names, x.name, s)
	defines := x.init != nil || st&syntax.Extern == 0
	if x.attrs.alias != "" {
		if s.v.Linkage == tree.Internal {
			c.fail(x.n, "a static variable ‘%s’ that is another name of ‘%s’ is not supported", x.name, x.attrs.alias)
		}
		defines = false
		c.alias(x, s.v.Linkage == tree.Internal)
	}
	if x.init != nil {
		if s.defined {
			c.fail(x.n, "redefinition of ‘%s’", x.name)
		}
		s.defined = true
		v.Defined, v.Tentative = true, false
		v.Init = c.initVar(x, v, true)
		s.typ = v.Type
		if !v.Type.IsComplete() {
			c.incomplete(x, v)
		}
		return
	}
	if defines && !s.defined {
		v.Defined, v.Tentative = true, true
		c.tentative = append(c.tentative, s)
	}
}

// linked finds or makes the variable with linkage that a declaration is about.
func (c *checker) linked(x *declared, linkage tree.Linkage) *symbol {
	old := c.scope.names[x.name]
	if old != nil && old.kind != varSym {
		c.fail(x.n, "‘%s’ redeclared as different kind of symbol", x.name)
	}
	if old == nil || old.v.Linkage == tree.NoLinkage {
		old = c.externs[x.name]
	}
	if old == nil {
		v := c.newVar(x, tree.Static, linkage)
		c.unit.Vars = append(c.unit.Vars, v)
		s := &symbol{kind: varSym, name: x.name, typ: x.t, v: v, pos: v.Site.Pos, scope: c.scope}
		c.externs[x.name] = s
		return s
	}
	if old.kind != varSym {
		if old.library {
			v := c.newVar(x, tree.Static, linkage)
			c.unit.Vars = append(c.unit.Vars, v)
			s := &symbol{kind: varSym, name: x.name, typ: x.t, v: v, pos: v.Site.Pos, scope: c.scope}
			c.externs[x.name] = s
			return s
		}
		c.fail(x.n, "‘%s’ redeclared as different kind of symbol", x.name)
	}
	c.redeclareVar(x, old, linkage)
	return old
}

// redeclareVar merges a declaration with what is known of a variable.
func (c *checker) redeclareVar(x *declared, old *symbol, linkage tree.Linkage) {
	v := old.v
	if !types.Compatible(v.Type, x.t) {
		c.fail(x.n, "conflicting types for ‘%s’; have ‘%s’", x.name, x.t)
	}
	if thread := x.info.Storage&syntax.Thread != 0; thread != (v.Storage == tree.ThreadLocal) {
		if thread {
			c.fail(x.n, "thread-local declaration of ‘%s’ follows non-thread-local declaration", x.name)
		}
		c.fail(x.n, "non-thread-local declaration of ‘%s’ follows thread-local declaration", x.name)
	}
	switch {
	case linkage == tree.Internal && v.Linkage == tree.External:
		c.fail(x.n, "static declaration of ‘%s’ follows non-static declaration", x.name)
	case linkage == tree.External && v.Linkage == tree.Internal && x.info.Storage&syntax.Extern == 0:
		c.fail(x.n, "non-static declaration of ‘%s’ follows static declaration", x.name)
	}
	v.Type = types.Composite(v.Type, x.t)
	old.typ = v.Type
	if x.n.HasAsm {
		v.AsmName = x.n.AsmName
	}
	v.Weak = v.Weak || x.attrs.weak
	v.Common = v.Common || x.attrs.common
	c.alignVar(v, x)
}

// blockExtern declares a variable with linkage in a block.
func (c *checker) blockExtern(x *declared) {
	if old := c.scope.names[x.name]; old != nil && old.kind == varSym && old.v.Linkage == tree.NoLinkage {
		c.fail(x.n, "extern declaration of ‘%s’ follows declaration with no linkage", x.name)
	}
	if x.t.IsVM() {
		c.fail(x.n, "object with variably modified type must have no linkage")
	}
	s := c.linked(x, tree.External)
	c.scope.names = put(c.scope.names, x.name, s)
	if x.attrs.alias != "" {
		c.alias(x, false)
	}
	c.flush()
}

// alias notes an alias attribute.
func (c *checker) alias(x *declared, static bool) {
	c.aliases = append(c.aliases, &pendingAlias{n: x.n, weakr: x.attrs.weakref,
		alias: tree.Alias{Name: x.name, Target: x.attrs.alias, Weak: x.attrs.weak, Static: static, Pos: c.in.Pos(x.n.First)}})
}

// declareFunc declares a function that is not defined here.
func (c *checker) declareFunc(x *declared) *symbol {
	st := x.info.Storage
	if st&syntax.Thread != 0 {
		c.fail(x.n, "storage class specified for function ‘%s’", x.name)
	}
	if st&syntax.Register != 0 || st&syntax.Auto != 0 && c.stmts == nil {
		c.fail(x.n, "invalid storage class for function ‘%s’", x.name)
	}
	if c.stmts != nil && st&syntax.Static != 0 {
		c.fail(x.n, "invalid storage class for function ‘%s’", x.name)
	}
	if c.stmts != nil && st&syntax.Auto != 0 {
		return c.nestedSymbol(x)
	}
	if old := c.scope.names[x.name]; old != nil && old.kind == funcSym && old.f.Outer != nil {
		return old
	}
	s := c.linkedFunc(x)
	c.scope.names = put(c.scope.names, x.name, s)
	if x.attrs.alias != "" {
		c.alias(x, s.f.Linkage == tree.Internal)
	}
	if x.attrs.ifunc != "" {
		c.fail(x.n, "attribute ‘ifunc’, by which a function is chosen when the program begins, is not supported")
	}
	return s
}

// linkedFunc finds or makes the function that a declaration is about.
func (c *checker) linkedFunc(x *declared) *symbol {
	linkage := tree.External
	if x.info.Storage&syntax.Static != 0 {
		linkage = tree.Internal
	}
	old := c.scope.names[x.name]
	if old != nil && old.kind != funcSym {
		c.fail(x.n, "‘%s’ redeclared as different kind of symbol", x.name)
	}
	if old == nil {
		old = c.externs[x.name]
	}
	if old == nil {
		f := &tree.Func{Name: x.name, Type: x.t, Linkage: linkage, Inline: true, Site: *c.site(x.n)}
		c.unit.Funcs = append(c.unit.Funcs, f)
		s := &symbol{kind: funcSym, name: x.name, typ: x.t, f: f, pos: f.Site.Pos, scope: c.scope}
		c.externs[x.name] = s
		c.funcAttrs(x, f)
		return s
	}
	if old.kind != funcSym {
		c.fail(x.n, "‘%s’ redeclared as different kind of symbol", x.name)
	}
	c.redeclareFunc(x, old, linkage)
	c.funcAttrs(x, old.f)
	return old
}

// redeclareFunc merges a declaration with what is known of a function.
func (c *checker) redeclareFunc(x *declared, old *symbol, linkage tree.Linkage) {
	f := old.f
	if old.library {
		old.library, old.implicit, old.typ = false, false, x.t
		f.Type, f.Linkage, f.Site, f.Inline = x.t, linkage, *c.site(x.n), true
		return
	}
	switch {
	case types.Compatible(old.typ, x.t):
		old.typ = types.Composite(old.typ, x.t)
	case old.implicit && x.t.Elem.Kind == types.Void:
		old.typ = x.t
	case x.def && x.t.NoProto && !old.typ.NoProto && types.Compatible(x.t.Elem, old.typ.Elem):
		// int f(char); int f(c) char c; { }: see oldType
	case x.def && !x.info.typed() && old.typ.Elem.Kind == types.Void && (x.t.NoProto || types.Compatible(old.typ, withResult(x.t, old.typ.Elem))):
		// void f(); f() { }
	case old.scope != c.scope && !old.implicit && types.Compatible(old.typ.Elem, x.t.Elem) && (old.typ.NoProto || x.t.NoProto):
		old.typ = x.t
	default:
		c.fail(x.n, "conflicting types for ‘%s’; have ‘%s’", x.name, x.t)
	}
	if linkage == tree.Internal && f.Linkage == tree.External {
		c.fail(x.n, "static declaration of ‘%s’ follows non-static declaration", x.name)
	}
	if old.implicit {
		old.implicit = false
		f.Inline = true
	}
	f.Type = old.typ
}

// withResult is a function type with another result.
func withResult(t, result *types.Type) *types.Type {
	f := *t
	f.Elem = result
	return &f
}

// funcAttrs notes what specifiers and attributes say about a function. Inline stays true while all
// declarations are inline without extern, or with GNU's meaning, while the definition is extern inline.
func (c *checker) funcAttrs(x *declared, f *tree.Func) {
	a, inline, ext := x.attrs, x.info.Inline, x.info.Storage&syntax.Extern != 0
	switch {
	case f.Linkage == tree.Internal:
		f.Inline = false
	case a.gnuInline || c.flags.GNU89Inline || c.flags.Std == "gnu89" || c.flags.Std == "gnu90" || c.flags.Std == "c89" || c.flags.Std == "c90":
		if c.gnuInline == nil {
			c.gnuInline = map[*tree.Func]bool{}
		}
		if inline {
			c.gnuInline[f] = ext
		}
	case !inline || ext:
		f.Inline = false
	}
	f.NoReturn = f.NoReturn || a.noreturn || x.t.NoReturn
	f.Weak = f.Weak || a.weak
	if x.n.HasAsm {
		f.AsmName = x.n.AsmName
	}
	if a.ctor != nil {
		f.Ctor = a.ctor
	}
	if a.dtor != nil {
		f.Dtor = a.dtor
	}
	if a.align > 0 {
		if c.funcAlign == nil {
			c.funcAlign = map[*tree.Func]int64{}
		}
		c.funcAlign[f] = a.align
	}
}

// pragmaLines notes #pragma weak and redefine_extname.
func (c *checker) pragmaLines(lines []syntax.PragmaLine) {
	for _, l := range lines {
		w := l.Words
		switch {
		case w[0] == "weak" && len(w) == 2:
			c.attrWeak[w[1]] = true
		case w[0] == "weak" && len(w) == 3:
			c.attrWeak[w[1]] = true
			c.aliases = append(c.aliases, &pendingAlias{n: l, weakr: true,
				alias: tree.Alias{Name: w[1], Target: w[2], Weak: true, Pos: c.in.Pos(l.First)}})
		case w[0] == "redefine_extname" && len(w) == 3:
			c.renamed[w[1]] = w[2]
		}
	}
}

// finish checks what can only be told at the end of the unit.
func (c *checker) finish() {
	for _, s := range c.tentative {
		v := s.v
		switch {
		case v.Init != nil || v.Type.IsComplete():
		case v.Type.Kind == types.Array && v.Type.Elem.IsComplete():
			v.Type = types.ArrayOf(v.Type.Elem, 1)
		default:
			failAt(v.Site.Pos, "storage size of ‘%s’ isn’t known", v.Name)
		}
	}
	for _, f := range c.unit.Funcs {
		if g, ok := c.gnuInline[f]; ok {
			f.Inline = g
		}
		if f.Body == nil {
			f.Inline = false
		}
		if c.attrWeak[f.Name] {
			f.Weak = true
		}
		if n := c.renamed[f.Name]; n != "" && f.AsmName == "" {
			f.AsmName = n
		}
	}
	for _, v := range c.unit.Vars {
		v.Align = max(v.Align, v.Type.Align)
		if c.attrWeak[v.Name] && v.Linkage == tree.External {
			v.Weak = true
		}
		if n := c.renamed[v.Name]; n != "" && v.AsmName == "" && v.Linkage == tree.External {
			v.AsmName = n
		}
	}
	for _, a := range c.aliases {
		t := c.externs[a.alias.Target]
		if !a.weakr && (t == nil || t.kind == varSym && !t.v.Defined || t.kind == funcSym && t.f.Body == nil && !c.isAlias(a.alias.Target)) && !c.asmNamed(a.alias.Target) {
			c.fail(a.n, "‘%s’ aliased to undefined symbol ‘%s’", a.alias.Name, a.alias.Target)
		}
		c.unit.Aliases = append(c.unit.Aliases, a.alias)
	}
}

// asmNamed reports whether some symbol is called so by the assembler.
func (c *checker) asmNamed(name string) bool {
	for _, s := range c.externs {
		if s.kind == funcSym && s.f.AsmName == name || s.kind == varSym && s.v.AsmName == name {
			return true
		}
	}
	return false
}

func (c *checker) isAlias(name string) bool {
	for _, a := range c.aliases {
		if a.alias.Name == name {
			return true
		}
	}
	return false
}
