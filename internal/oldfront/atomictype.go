package cfront

import "modernc.org/cc/v4"

// Atomics tells which lvalues of a program have an _Atomic type. That is a matter of
// the type that an expression has, not of how the object was declared: after
// _Atomic int x, (*(int *)&x)++ is two steps. The types of cc do not keep _Atomic,
// so that it is looked up in the declarations and type names themselves.
type Atomics struct {
	specs map[*cc.Declarator]cc.Node         // the specifiers of declarations
	autos map[*cc.Declarator]*cc.Initializer // of __auto_type
}

// atype is a type as far as _Atomic is concerned; nil is one that is not known.
type atype struct {
	atomic bool
	form   byte   // '*', '[', '(', or 0 for what is none of these
	elem   *atype // what it points to, is an array of, or returns
}

// FindAtomics looks through a program.
func FindAtomics(ast *cc.AST) *Atomics {
	a := &Atomics{map[*cc.Declarator]cc.Node{}, map[*cc.Declarator]*cc.Initializer{}}
	for tu := ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		children(tu.ExternalDeclaration, a.visit)
	}
	return a
}

// visit notes the specifiers of declarators.
func (a *Atomics) visit(n cc.Node) bool {
	switch x := n.(type) {
	case *cc.FunctionDefinition:
		a.specs[x.Declarator] = x.DeclarationSpecifiers
	case *cc.ParameterDeclaration:
		if x.Declarator != nil {
			a.specs[x.Declarator] = x.DeclarationSpecifiers
		}
	case *cc.Declaration:
		if x.Case == cc.DeclarationAuto {
			a.autos[x.Declarator] = x.Initializer
		}
		for l := x.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
			a.specs[l.InitDeclarator.Declarator] = x.DeclarationSpecifiers
		}
	case *cc.StructDeclaration:
		for l := x.StructDeclaratorList; l != nil; l = l.StructDeclaratorList {
			if d := l.StructDeclarator.Declarator; d != nil {
				a.specs[d] = x.SpecifierQualifierList
			}
		}
	}
	return true
}

// Lvalue reports whether an lvalue has an _Atomic type, and whether that is known.
func (a *Atomics) Lvalue(n cc.ExpressionNode) (atomic, known bool) {
	t := a.expr(n)
	return t != nil && t.atomic, t != nil
}

// declared reports whether a declarator declares an object, or an array of objects,
// of an _Atomic type.
func (a *Atomics) declared(d *cc.Declarator) bool {
	t := a.declarator(d)
	for t != nil && t.form == '[' {
		t = t.elem
	}
	return t != nil && t.atomic
}

// declarator returns the type that a declarator gives.
func (a *Atomics) declarator(d *cc.Declarator) *atype {
	if init, ok := a.autos[d]; ok {
		if init == nil || init.AssignmentExpression == nil {
			return nil
		}
		return a.expr(init.AssignmentExpression).decayed()
	}
	s, ok := a.specs[d]
	if !ok {
		return nil
	}
	t := a.declares(d, a.specifiers(s))
	if d.IsParam() {
		return t.adjusted()
	}
	return t
}

// declares applies a declarator to the type of the specifiers.
func (a *Atomics) declares(d *cc.Declarator, t *atype) *atype {
	if d == nil || t == nil {
		return t
	}
	t = pointers(d.Pointer, t)
	for dd := d.DirectDeclarator; dd != nil; dd = dd.DirectDeclarator {
		switch dd.Case {
		case cc.DirectDeclaratorIdent:
		case cc.DirectDeclaratorDecl:
			return a.declares(dd.Declarator, t)
		case cc.DirectDeclaratorFuncParam, cc.DirectDeclaratorFuncIdent:
			t = &atype{form: '(', elem: t}
		default:
			t = &atype{form: '[', elem: t}
		}
	}
	return t
}

// abstract is declares for a type name.
func (a *Atomics) abstract(d *cc.AbstractDeclarator, t *atype) *atype {
	if d == nil || t == nil {
		return t
	}
	t = pointers(d.Pointer, t)
	for dd := d.DirectAbstractDeclarator; dd != nil; dd = dd.DirectAbstractDeclarator {
		switch dd.Case {
		case cc.DirectAbstractDeclaratorDecl:
			return a.abstract(dd.AbstractDeclarator, t)
		case cc.DirectAbstractDeclaratorFunc:
			t = &atype{form: '(', elem: t}
		default:
			t = &atype{form: '[', elem: t}
		}
	}
	return t
}

func pointers(p *cc.Pointer, t *atype) *atype {
	for ; p != nil; p = p.Pointer {
		t = &atype{form: '*', elem: t}
		for q := p.TypeQualifiers; q != nil; q = q.TypeQualifiers {
			if q.TypeQualifier != nil && q.TypeQualifier.Case == cc.TypeQualifierAtomic {
				t.atomic = true
			}
		}
	}
	return t
}

// name returns the type that a type name names.
func (a *Atomics) name(n *cc.TypeName) *atype {
	return a.abstract(n.AbstractDeclarator, a.specifiers(n.SpecifierQualifierList))
}

// specifiers returns the type that specifiers and qualifiers give.
func (a *Atomics) specifiers(n cc.Node) *atype {
	t, atomic := &atype{}, false
	add := func(s *cc.TypeSpecifier, q *cc.TypeQualifier) {
		if s != nil {
			t = a.specifier(s, t)
		}
		if s != nil && s.Case == cc.TypeSpecifierAtomic || q != nil && q.Case == cc.TypeQualifierAtomic {
			atomic = true
		}
	}
	switch x := n.(type) {
	case *cc.DeclarationSpecifiers:
		for ; x != nil; x = x.DeclarationSpecifiers {
			add(x.TypeSpecifier, x.TypeQualifier)
		}
	case *cc.SpecifierQualifierList:
		for ; x != nil; x = x.SpecifierQualifierList {
			add(x.TypeSpecifier, x.TypeQualifier)
		}
	}
	if t != nil && atomic {
		u := *t
		u.atomic = true
		return &u
	}
	return t
}

// specifier returns the type that a type specifier gives, or else t.
func (a *Atomics) specifier(s *cc.TypeSpecifier, t *atype) *atype {
	switch s.Case {
	case cc.TypeSpecifierAtomic:
		return a.name(s.AtomicTypeSpecifier.TypeName)
	case cc.TypeSpecifierTypeofType:
		return a.name(s.TypeName)
	case cc.TypeSpecifierTypeofExpr:
		return a.expr(s.ExpressionList)
	case cc.TypeSpecifierTypeName:
		d := typedefOf(s)
		if d == nil {
			return nil
		}
		return a.declarator(d)
	}
	return t
}

// typedefOf returns what a type specifier that is a name names.
func typedefOf(s *cc.TypeSpecifier) *cc.Declarator {
	for scope := s.LexicalScope(); scope != nil; scope = scope.Parent {
		for _, n := range scope.Nodes[s.Token.SrcStr()] {
			if d, ok := n.(*cc.Declarator); ok && d.IsTypename() && d.Visible() <= int(s.Token.Seq()) {
				return d
			}
		}
	}
	return nil
}

// adjusted returns the type of a parameter that is declared with type t.
func (t *atype) adjusted() *atype {
	switch {
	case t == nil:
	case t.form == '[':
		return &atype{form: '*', elem: t.elem}
	case t.form == '(':
		return &atype{form: '*', elem: t}
	}
	return t
}

// decayed returns the type of the value of an lvalue of type t.
func (t *atype) decayed() *atype {
	if t = t.adjusted(); t == nil || !t.atomic {
		return t
	}
	u := *t
	u.atomic = false
	return &u
}

// target returns what a pointer or an array of type t refers to.
func (t *atype) target() *atype {
	if t == nil || t.form == '(' {
		return t
	}
	return t.elem
}

// same reports whether two types are the same as far as _Atomic is concerned.
func (t *atype) same(u *atype) bool {
	if t == nil || u == nil {
		return t == u
	}
	return t.atomic == u.atomic && t.form == u.form && t.elem.same(u.elem)
}
