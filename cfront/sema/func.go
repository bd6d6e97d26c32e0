package sema

import (
	"comus/cfront/syntax"
	"comus/cfront/tree"
	"comus/cfront/types"
)

// function is a function whose body is being checked.
type function struct {
	f      *tree.Func
	outer  *function
	scope  *scope
	names  map[string]*tree.Var // __func__ and its like
	labels map[string]*labelInfo
	gotos  []gotoInfo
	ctx    *jumpContext
	loops  int
	breaks int
	sw     *switchInfo
}

// funcDef checks a function definition at file scope.
func (c *checker) funcDef(n *syntax.FuncDef) {
	x := c.definedFunc(n)
	if x.info.Storage&(syntax.Auto|syntax.Register) != 0 {
		c.fail(n, "function definition declared ‘%s’", map[bool]string{true: "auto", false: "register"}[x.info.Storage&syntax.Auto != 0])
	}
	s := c.declareFunc(x)
	c.body(n, x, s)
}

// definedFunc checks the declarator of a function definition.
func (c *checker) definedFunc(n *syntax.FuncDef) *declared {
	if n.Specs.Storage&syntax.Typedef != 0 {
		c.fail(n, "function definition declared ‘typedef’")
	}
	if n.Specs.Storage&syntax.Thread != 0 {
		c.fail(n, "function definition declared ‘__thread’")
	}
	info := c.specs(n.Specs, false)
	if info.auto {
		c.fail(n, "‘__auto_type’ in function return type")
	}
	x := &declared{name: n.Decl.Name, n: n.Decl, info: info, def: true, t: c.declarator(info.typ, n.Decl, objectPlace)}
	if x.t.Kind != types.Func || len(n.Decl.Parts) == 0 || n.Decl.Parts[0].Kind != syntax.FuncPart {
		c.fail(n, "expected ‘=’, ‘,’, ‘;’, ‘asm’ or ‘__attribute__’ before ‘{’ token")
	}
	if r := x.t.Elem; r.Kind != types.Void && !r.IsComplete() {
		c.fail(n, "return type is an incomplete type")
	}
	x.attrs = c.attributes(n.Specs.Attrs, n.Decl.Attrs)
	if x.attrs.noreturn || info.Noreturn {
		x.t = noReturn(c, x.t)
	}
	if info.align > 0 {
		c.fail(n, "alignment specified for function ‘%s’", x.name)
	}
	return x
}

// body checks the parameters and the body of a function.
func (c *checker) body(n *syntax.FuncDef, x *declared, s *symbol) {
	f := s.f
	if f.Body != nil {
		if c.gnuInline[f] || f.Inline && x.info.Storage&syntax.Extern != 0 {
			f.Body = nil // an extern inline definition gives way
		} else {
			c.fail(n.Decl, "redefinition of ‘%s’", x.name)
		}
	}
	f.Site = *c.site(n.Decl)
	f.Body = &tree.Block{S: tree.S{Site: c.site(n.Body)}}
	fn := &function{f: f, outer: c.fn, names: map[string]*tree.Var{}, labels: map[string]*labelInfo{}}
	saved := *c
	c.fn = fn
	part := &n.Decl.Parts[0]
	ps := c.funcParts[part]
	sc := &scope{up: c.scope}
	if ps.scope != nil {
		sc.names, sc.tags = ps.scope.names, ps.scope.tags
	}
	fn.scope = c.enter(sc)
	c.blk, c.stmts = f.Body, &f.Body.Stmts
	if part.Empty || len(part.Idents) > 0 {
		f.Params = c.oldParams(n, part)
	} else {
		f.Params = ps.vars
		for _, d := range n.KR {
			if len(d.Decls) > 0 {
				c.fail(d, "old-style parameter declarations in prototyped function definition")
			}
		}
	}
	for _, p := range part.Params {
		for _, q := range p.Decl.Parts {
			if q.Star {
				c.fail(p, "‘[*]’ not allowed in other than function prototype scope")
			}
		}
	}
	for _, v := range f.Params {
		if !v.Type.IsComplete() {
			failAt(v.Site.Pos, "parameter ‘%s’ has incomplete type", v.Name)
		}
	}
	c.vlas = ps.vlas
	c.flush()
	if len(part.Idents) > 0 || part.Empty {
		c.oldType(s, f, part)
	}
	for _, it := range n.Body.Items {
		c.attempt(it, func() { c.item(it) })
	}
	if !c.failed.any() { // else a label may be missing with a statement that was left out
		c.endFunc()
	}
	c.backTo(saved)
}

// backTo makes the checker what it was, but for what belongs to the whole unit.
func (c *checker) backTo(saved checker) {
	ids, unit, last := c.ids, c.unit, c.tentative
	aliases, libs, weak := c.aliases, c.gnuInline, c.funcAlign
	*c = saved
	c.ids, c.unit, c.tentative, c.aliases, c.gnuInline, c.funcAlign = ids, unit, last, aliases, libs, weak
}

// oldType completes the type of a function that is defined without a prototype.
func (c *checker) oldType(s *symbol, f *tree.Func, part *syntax.Part) {
	if !s.typ.NoProto { // an earlier prototype
		if len(s.typ.Params) != len(f.Params) {
			c.fail(part, "number of arguments doesn’t match prototype")
		}
		for i, p := range s.typ.Params {
			if t := f.Params[i].Type; !types.CompatibleUnqualified(p, t) && !types.CompatibleUnqualified(p, c.afterPromotion(t)) {
				c.fail(part, "argument ‘%s’ doesn’t match prototype", f.Params[i].Name)
			}
		}
		return
	}
	f.Type = s.typ
}

// afterPromotion is a type after the default argument promotions.
func (c *checker) afterPromotion(t *types.Type) *types.Type {
	switch {
	case t.Kind == types.Float && t.Bits == 32 && t.Ext == types.Standard:
		return c.t.Double
	case t.Kind == types.Bool || t.Kind == types.Int && t.Rank < types.RankInt:
		return c.t.Int
	}
	return t.Unqualified()
}

// oldParams declares the parameters of a function without prototype.
func (c *checker) oldParams(n *syntax.FuncDef, part *syntax.Part) []*tree.Var {
	vars := make([]*tree.Var, len(part.Idents))
	index := map[string]int{}
	for i, id := range part.Idents {
		if _, ok := index[id.Text]; ok {
			c.fail(id, "multiple parameters named ‘%s’", id.Text)
		}
		index[id.Text] = i
	}
	for _, d := range n.KR {
		info := c.specs(d.Specs, len(d.Decls) == 0)
		for _, x := range d.Decls {
			i, ok := index[x.Decl.Name]
			if !ok {
				c.fail(x, "declaration for parameter ‘%s’ but no such parameter", x.Decl.Name)
			}
			if x.Init != nil {
				c.fail(x, "parameter ‘%s’ is initialized", x.Decl.Name)
			}
			if vars[i] != nil {
				c.fail(x, "redefinition of parameter ‘%s’", x.Decl.Name)
			}
			if info.Storage&^syntax.Register != 0 {
				c.fail(x, "storage class specified for parameter ‘%s’", x.Decl.Name)
			}
			t := c.declarator(info.typ, x.Decl, paramPlace)
			a := c.attributes(x.Decl.Attrs)
			t = c.adjustParam(c.retype(x, t, a), x.Decl)
			if t.Kind == types.Void {
				c.fail(x, "parameter ‘%s’ declared void", x.Decl.Name)
			}
			vars[i] = c.oldParam(x.Decl.Name, t, c.site(x))
		}
	}
	for i, id := range part.Idents {
		if vars[i] == nil {
			vars[i] = c.oldParam(id.Text, c.t.Int, c.site(id))
		}
	}
	return vars
}

func (c *checker) oldParam(name string, t *types.Type, site *tree.Site) *tree.Var {
	v := &tree.Var{Name: name, Type: t, Align: t.Align, Site: *site}
	c.scope.names = put(c.scope.names, name, &symbol{kind: varSym, name: name, typ: t, v: v, pos: site.Pos, scope: c.scope, param: true})
	return v
}

// nestedSymbol finds or makes the symbol of a nested function.
func (c *checker) nestedSymbol(x *declared) *symbol {
	if old := c.scope.names[x.name]; old != nil {
		if old.kind != funcSym || old.f.Outer == nil || !types.Compatible(old.typ, x.t) {
			c.fail(x.n, "‘%s’ redeclared as different kind of symbol", x.name)
		}
		old.typ = types.Composite(old.typ, x.t)
		old.f.Type = old.typ
		return old
	}
	f := &tree.Func{Name: x.name, Type: x.t, Linkage: tree.NoLinkage, Outer: c.fn.f, NoReturn: x.t.NoReturn, Site: *c.site(x.n)}
	c.unit.Funcs = append(c.unit.Funcs, f)
	s := &symbol{kind: funcSym, name: x.name, typ: x.t, f: f, pos: f.Site.Pos, scope: c.scope}
	c.scope.names = put(c.scope.names, x.name, s)
	return s
}

// nested checks the definition of a nested function.
func (c *checker) nested(n *syntax.FuncDef) {
	x := c.definedFunc(n)
	if x.info.Storage&(syntax.Static|syntax.Extern|syntax.Register) != 0 {
		c.fail(n, "invalid storage class for function ‘%s’", x.name)
	}
	c.flush()
	s := c.nestedSymbol(x)
	c.body(n, x, s)
	*c.stmts = append(*c.stmts, &tree.NestedFunc{S: tree.S{Site: &s.f.Site}, Func: s.f})
}
