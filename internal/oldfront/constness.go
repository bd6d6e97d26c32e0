package cfront

import "modernc.org/cc/v4"

// constness tells what is const, which cc does not know for sure. It is computed from the
// declarations alone, as far as it is needed; what is not known counts as not const.
type constness struct {
	specifiers map[*cc.Declarator]cc.Node // those that declarators stand behind
	known      map[*cc.Declarator]*qualified
}

// qualified is the part of a type that matters here.
type qualified struct {
	constant bool
	array    bool
	function bool
	elem     *qualified // what a pointer points to, an array consists of, a function returns
}

// newConstness looks through a whole program for its declarators.
func newConstness(ast *cc.AST) *constness {
	c := &constness{specifiers: map[*cc.Declarator]cc.Node{}, known: map[*cc.Declarator]*qualified{}}
	for tu := ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		children(tu.ExternalDeclaration, c.note)
	}
	return c
}

// note remembers the specifiers of what a node declares.
func (c *constness) note(n cc.Node) bool {
	switch x := n.(type) {
	case *cc.Declaration:
		for l := x.InitDeclaratorList; l != nil && x.DeclarationSpecifiers != nil; l = l.InitDeclaratorList {
			c.specifiers[l.InitDeclarator.Declarator] = x.DeclarationSpecifiers
		}
	case *cc.FunctionDefinition:
		c.specifiers[x.Declarator] = x.DeclarationSpecifiers
	case *cc.ParameterDeclaration:
		if x.Declarator != nil {
			c.specifiers[x.Declarator] = x.DeclarationSpecifiers
		}
	case *cc.StructDeclaration:
		for l := x.StructDeclaratorList; l != nil; l = l.StructDeclaratorList {
			if d := l.StructDeclarator.Declarator; d != nil {
				c.specifiers[d] = x.SpecifierQualifierList
			}
		}
	}
	return true
}

// declared returns what a variable, member or typedef is; nil if that is not known.
func (c *constness) declared(d *cc.Declarator) *qualified {
	q, ok := c.known[d]
	if specifiers, has := c.specifiers[d]; !ok && has {
		c.known[d] = nil // typedefs do not contain themselves
		q = c.declarator(d, c.specified(specifiers))
		c.known[d] = q
	}
	return q
}

// specified returns the type that specifiers stand for.
func (c *constness) specified(n cc.Node) *qualified {
	base, constant := &qualified{}, false
	for n != nil {
		var spec *cc.TypeSpecifier
		var qual *cc.TypeQualifier
		switch x := n.(type) {
		case *cc.DeclarationSpecifiers:
			if x == nil {
				n = nil
				continue
			}
			spec, qual, n = x.TypeSpecifier, x.TypeQualifier, x.DeclarationSpecifiers
		case *cc.SpecifierQualifierList:
			if x == nil {
				n = nil
				continue
			}
			spec, qual, n = x.TypeSpecifier, x.TypeQualifier, x.SpecifierQualifierList
		}
		constant = constant || qual != nil && qual.Case == cc.TypeQualifierConst
		if spec == nil {
			continue
		}
		var t *qualified
		switch spec.Case {
		case cc.TypeSpecifierTypeName:
			if d := typedefOf(spec); d != nil {
				t = c.declared(d)
			}
		case cc.TypeSpecifierTypeofType:
			t = c.typeName(spec.TypeName)
		}
		if t != nil {
			base = t
		}
	}
	if constant {
		return base.asConst()
	}
	return base
}

// asConst returns the const version of a type: of an array, its elements are const.
func (q *qualified) asConst() *qualified {
	r := *q
	if q.array && q.elem != nil {
		r.elem = q.elem.asConst()
	} else {
		r.constant = true
	}
	return &r
}

// value returns the type of the value of an object of this type.
func (q *qualified) value() *qualified {
	if q == nil {
		return nil
	}
	r := *q
	r.constant = false
	return &r
}

// target returns what a pointer points to, or an array consists of.
func (q *qualified) target() *qualified {
	if q == nil {
		return nil
	}
	return q.elem
}

// pointer returns the type that the stars of a declarator make of one.
func (c *constness) pointer(p *cc.Pointer, q *qualified) *qualified {
	for ; p != nil; p = p.Pointer {
		q = &qualified{elem: q}
		for t := p.TypeQualifiers; t != nil; t = t.TypeQualifiers {
			q.constant = q.constant || t.TypeQualifier != nil && t.TypeQualifier.Case == cc.TypeQualifierConst
		}
	}
	return q
}

// declarator returns the type that a declarator makes of one.
func (c *constness) declarator(d *cc.Declarator, q *qualified) *qualified {
	q = c.pointer(d.Pointer, q)
	for x := d.DirectDeclarator; x != nil; x = x.DirectDeclarator {
		switch x.Case {
		case cc.DirectDeclaratorIdent:
			return q
		case cc.DirectDeclaratorDecl:
			return c.declarator(x.Declarator, q)
		case cc.DirectDeclaratorFuncParam, cc.DirectDeclaratorFuncIdent:
			q = &qualified{elem: q, function: true}
		default:
			q = &qualified{elem: q, array: true}
		}
	}
	return q
}

// typeName returns the type that a cast, say, names; nil if it is too complicated.
func (c *constness) typeName(n *cc.TypeName) *qualified {
	q := c.specified(n.SpecifierQualifierList)
	if a := n.AbstractDeclarator; a != nil {
		if q = c.pointer(a.Pointer, q); a.DirectAbstractDeclarator != nil {
			return nil
		}
	}
	return q
}

// of returns the type of an expression.
func (c *constness) of(n cc.ExpressionNode) *qualified {
	switch x := unparen(n).(type) {
	case *cc.PrimaryExpression:
		if d, ok := x.ResolvedTo().(*cc.Declarator); ok {
			return c.declared(d)
		}
	case *cc.PostfixExpression:
		return c.ofPostfix(x)
	case *cc.UnaryExpression:
		return c.ofUnary(x)
	case *cc.CastExpression:
		if x.Case == cc.CastExpressionCast {
			return c.typeName(x.TypeName).value()
		}
		return c.of(x.UnaryExpression)
	case *cc.AdditiveExpression:
		for _, e := range []cc.ExpressionNode{x.AdditiveExpression, x.MultiplicativeExpression} {
			if e != nil && x.Type().Kind() == cc.Ptr && e.Type().Kind() == cc.Ptr {
				return c.of(e).value()
			}
		}
	case *cc.AssignmentExpression:
		if x.Case != cc.AssignmentExpressionCond {
			return c.of(x.UnaryExpression).value()
		}
	}
	return nil
}

func (c *constness) ofPostfix(x *cc.PostfixExpression) *qualified {
	switch x.Case {
	case cc.PostfixExpressionPrimary:
		return c.of(x.PrimaryExpression)
	case cc.PostfixExpressionIndex:
		if x.PostfixExpression.Type().Kind() == cc.Ptr || x.PostfixExpression.Type().Kind() == cc.Array {
			return c.of(x.PostfixExpression).target()
		}
		return c.of(x.ExpressionList).target()
	case cc.PostfixExpressionCall:
		f := c.of(x.PostfixExpression)
		if f != nil && !f.function {
			f = f.elem
		}
		if f != nil && f.function {
			return f.elem.value()
		}
	case cc.PostfixExpressionSelect:
		return c.member(c.of(x.PostfixExpression), x.Field())
	case cc.PostfixExpressionPSelect:
		return c.member(c.of(x.PostfixExpression).target(), x.Field())
	case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
		return c.of(x.PostfixExpression).value()
	case cc.PostfixExpressionComplit:
		return c.typeName(x.TypeName)
	}
	return nil
}

// member returns the type of a member of a struct.
func (c *constness) member(of *qualified, f *cc.Field) *qualified {
	if f == nil || f.Declarator() == nil {
		return nil
	}
	q := c.declared(f.Declarator())
	if q != nil && of != nil && of.constant {
		return q.asConst()
	}
	return q
}

func (c *constness) ofUnary(x *cc.UnaryExpression) *qualified {
	switch x.Case {
	case cc.UnaryExpressionPostfix:
		return c.of(x.PostfixExpression)
	case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
		return c.of(x.UnaryExpression).value()
	case cc.UnaryExpressionAddrof:
		if q := c.of(x.CastExpression); q != nil {
			return &qualified{elem: q}
		}
	case cc.UnaryExpressionDeref:
		q := c.of(x.CastExpression)
		if q != nil && q.function {
			return q
		}
		return q.target()
	}
	return nil
}

// constMember returns the name of a member of a struct that is const, or has such a member
// itself; "" if there is none.
func (c *constness) constMember(t cc.Type) string {
	for t.Kind() == cc.Array {
		t = t.Undecay().(*cc.ArrayType).Elem()
	}
	s, ok := t.(interface {
		NumFields() int
		FieldByIndex(int) *cc.Field
	})
	if !ok || t.IsIncomplete() {
		return ""
	}
	for i := range s.NumFields() {
		f := s.FieldByIndex(i)
		var q *qualified
		if d := f.Declarator(); d != nil {
			q = c.declared(d)
		}
		for q != nil && q.array {
			q = q.elem
		}
		if q != nil && q.constant || c.constMember(f.Type()) != "" {
			return f.Name()
		}
	}
	return ""
}
