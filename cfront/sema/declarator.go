package sema

import (
	"math/big"

	"comus/cfront/syntax"
	"comus/cfront/tree"
	"comus/cfront/types"
)

// params are the parameters of a function declarator, kept for a definition's body.
type params struct {
	vars  []*tree.Var
	scope *scope
	vlas  []tree.Stmt
}

// place is where a declarator stands.
type place uint8

const (
	objectPlace place = iota
	paramPlace
	memberPlace
	typeNamePlace
)

// declarator makes the type of what a declarator declares, from that of the specifiers.
func (c *checker) declarator(t *types.Type, d *syntax.Declarator, where place) *types.Type {
	for i := len(d.Parts) - 1; i >= 0; i-- {
		p := &d.Parts[i]
		switch p.Kind {
		case syntax.PointerPart:
			t = c.pointerPart(t, p)
		case syntax.ArrayPart:
			t = c.arrayPart(t, p, d, i == 0 && where == paramPlace, where)
		case syntax.FuncPart:
			t = c.funcPart(t, p, d)
		}
	}
	return t
}

func (c *checker) pointerPart(t *types.Type, p *syntax.Part) *types.Type {
	a := c.attributes(p.Attrs)
	if a.noreturn && t.Kind == types.Func {
		ft := *t
		ft.NoReturn = true
		t = &ft
	}
	if p.Quals&types.Restrict != 0 && t.Kind == types.Func {
		c.fail(p, "invalid use of ‘restrict’")
	}
	return c.t.Pointer(t).With(p.Quals)
}

func declName(d *syntax.Declarator) string {
	if d.Name == "" {
		return "type name"
	}
	return "‘" + d.Name + "’"
}

func (c *checker) arrayPart(t *types.Type, p *syntax.Part, d *syntax.Declarator, param bool, where place) *types.Type {
	switch {
	case t.Kind == types.Func:
		c.fail(d, "declaration of %s as array of functions", declName(d))
	case t.Kind == types.Void:
		c.fail(d, "declaration of %s as array of voids", declName(d))
	case !t.IsComplete() && !(t.Kind == types.Array && t.VLA != nil):
		c.fail(d, "array type has incomplete element type ‘%s’", t)
	case t.IsRecord() && t.Rec.VLA:
	}
	if (p.Static || p.Quals != 0) && !param {
		c.fail(p, "static or type qualifiers in non-parameter array declarator")
	}
	switch {
	case p.Star:
		if !c.scope.proto {
			c.fail(p, "‘[*]’ not allowed in other than function prototype scope")
		}
		return types.VLAOf(t, &types.VLA{ID: c.id(), Star: true})
	case p.N == nil:
		return types.ArrayOf(t, -1)
	}
	return c.sizedArray(t, p, d, where)
}

// sizedArray makes the type of an array with a length.
func (c *checker) sizedArray(t *types.Type, p *syntax.Part, d *syntax.Declarator, where place) *types.Type {
	n := c.value(p.N)
	if !n.Type().IsInteger() {
		c.fail(p.N, "size of array %s has non-integer type", declName(d))
	}
	if c.stmts == nil {
		c.loose++
		defer func() { c.loose-- }()
	}
	if v, ok := c.evalInt(n); ok {
		if v.Sign() < 0 {
			c.fail(p.N, "size of array %s is negative", declName(d))
		}
		bytes := new(big.Int).Mul(v, big.NewInt(max(t.Size, 1)))
		if !bytes.IsInt64() || c.t.PointerBits == 32 && bytes.BitLen() > 31 {
			c.fail(p.N, "size of array %s is too large", declName(d))
		}
		return types.ArrayOf(t, v.Int64())
	}
	v := &types.VLA{ID: c.id()}
	if c.scope.proto {
		c.addVLA(p.N, v, n)
		return types.VLAOf(t, v)
	}
	if c.stmts == nil {
		c.fail(d, "variably modified %s at file scope", declName(d))
	}
	c.addVLA(p.N, v, n)
	return types.VLAOf(t, v)
}

// addVLA notes that a length is to be computed where the declarator stands.
func (c *checker) addVLA(at syntax.Node, v *types.VLA, n tree.Expr) {
	c.vlas = append(c.vlas, &tree.EvalVLA{S: tree.S{Site: c.site(at)}, VLA: v, N: c.convert(n, c.t.Size)})
}

// flush adds the EvalVLAs that have come up to the statements.
func (c *checker) flush() {
	if c.stmts != nil {
		*c.stmts = append(*c.stmts, c.vlas...)
	}
	if c.fn != nil {
		for _, s := range c.vlas {
			if e, ok := s.(*tree.EvalVLA); ok {
				c.fn.f.VLAs = append(c.fn.f.VLAs, e.VLA)
			}
		}
	}
	c.vlas = nil
}

// funcPart makes a function type, of functions that return t.
func (c *checker) funcPart(t *types.Type, p *syntax.Part, d *syntax.Declarator) *types.Type {
	switch t.Kind {
	case types.Func:
		c.fail(d, "%s declared as function returning a function", declName(d))
	case types.Array:
		c.fail(d, "%s declared as function returning an array", declName(d))
	}
	if t.Kind != types.Void {
		t = t.Unqualified() // qualifiers of results mean nothing
	}
	ps := &params{}
	c.funcParts[p] = ps
	if p.Empty || len(p.Idents) > 0 {
		return types.FuncOf(t, nil, false, true)
	}
	saved := c.vlas
	c.vlas = nil
	ps.scope = c.push()
	ps.scope.proto = true
	ahead := map[string]*syntax.Param{} // what has a forward declaration and no other
	for _, prm := range p.Forward {
		c.param(prm, ahead)
		ahead[prm.Decl.Name] = prm
	}
	var list []*types.Type
	for i, prm := range p.Params {
		v := c.param(prm, ahead)
		if v.Type.Kind == types.Void {
			if i == 0 && len(p.Params) == 1 && !p.Variadic && prm.Decl.Name == "" && v.Type.Quals == 0 {
				break
			}
			if len(p.Params) == 1 && prm.Decl.Name == "" {
				c.fail(prm, "‘void’ as only parameter may not be qualified")
			}
			if prm.Decl.Name == "" {
				c.fail(prm, "‘void’ must be the only parameter")
			}
			if len(p.Params) > 1 {
				c.fail(prm, "parameter %d (‘%s’) has void type", i+1, prm.Decl.Name)
			}
		}
		ps.vars = append(ps.vars, v)
		list = append(list, v.Type.Unqualified())
	}
	for _, prm := range p.Forward {
		if ahead[prm.Decl.Name] != nil {
			c.fail(prm, "%s has just a forward declaration", paramName(prm.Decl))
		}
	}
	c.pop()
	ps.vlas, c.vlas = c.vlas, saved
	if p.Variadic && len(p.Params) == 0 {
		c.fail(p, "ISO C requires a named argument before ‘...’")
	}
	return types.FuncOf(t, list, p.Variadic, false)
}

// param declares a parameter of a prototype. One that is ahead is the variable of its forward declaration.
func (c *checker) param(prm *syntax.Param, ahead map[string]*syntax.Param) *tree.Var {
	info := c.specs(prm.Specs, false)
	if s := info.Storage &^ syntax.Register; s != 0 {
		if s&syntax.Typedef != 0 {
			c.fail(prm, "typedef declared as parameter")
		}
		c.fail(prm, "storage class specified for %s", paramName(prm.Decl))
	}
	if info.auto {
		c.fail(prm, "‘__auto_type’ in parameter declaration")
	}
	if info.align > 0 {
		c.fail(prm, "alignment specified for %s", paramName(prm.Decl))
	}
	t := c.declarator(info.typ, prm.Decl, paramPlace)
	a := c.attributes(prm.Decl.Attrs)
	t = c.retype(prm, t, a)
	t = c.adjustParam(t, prm.Decl)
	v := &tree.Var{Name: prm.Decl.Name, Type: t, Storage: tree.Auto, Align: max(t.Align, a.align, info.attrs.align, info.align),
		Register: info.Storage&syntax.Register != 0, Site: *c.site(prm)}
	if v.Name != "" {
		if old := c.scope.names[v.Name]; old != nil {
			if ahead[v.Name] == nil {
				c.fail(prm.Decl, "redefinition of parameter ‘%s’", v.Name)
			}
			if !types.Compatible(old.typ, t) {
				c.fail(prm.Decl, "conflicting types for ‘%s’; have ‘%s’", v.Name, t)
			}
			delete(ahead, v.Name)
			*old.v, old.typ = *v, t
			return old.v
		}
		c.scope.names = put(c.scope.names, v.Name, &symbol{kind: varSym, name: v.Name, typ: t, v: v, pos: v.Site.Pos, scope: c.scope, param: true})
	}
	return v
}

func paramName(d *syntax.Declarator) string {
	if d.Name == "" {
		return "unnamed parameter"
	}
	return "parameter ‘" + d.Name + "’"
}

// adjustParam makes pointers of arrays and functions.
func (c *checker) adjustParam(t *types.Type, d *syntax.Declarator) *types.Type {
	switch t.Kind {
	case types.Array:
		var q types.Quals
		if len(d.Parts) > 0 && d.Parts[0].Kind == syntax.ArrayPart {
			q = d.Parts[0].Quals
		}
		return c.t.Pointer(t.Elem).With(q)
	case types.Func:
		return c.t.Pointer(t)
	case types.VaList:
		if c.t.PointerBits == 64 {
			return c.t.Pointer(t)
		}
	}
	return t
}

// typeName makes the type of a type name.
func (c *checker) typeName(n *syntax.TypeName) *types.Type {
	info := c.specs(n.Specs, false)
	if info.auto {
		c.fail(n, "‘__auto_type’ in type name")
	}
	t := c.declarator(info.typ, n.Decl, typeNamePlace)
	a := c.attributes(n.Decl.Attrs)
	t = c.retype(n, t, a)
	if al := max(info.attrs.align, a.align, info.align); al > 0 && t.Kind != types.Func && al != t.Align && info.align == 0 {
		t = t.Aligned(al)
	}
	return t
}
