package cfront

import (
	"strings"

	"modernc.org/cc/v4"
)

// declares refuses a declaration that is no C.
func (v *validity) declares(n cc.Node) {
	switch x := n.(type) {
	case *cc.StructOrUnionSpecifier:
		if x.Case == cc.StructOrUnionSpecifierDef {
			v.members(x)
		}
	case *cc.StructDeclarator:
		bits(x)
	case *cc.FunctionDefinition:
		defines(x)
	case *cc.ParameterTypeList:
		voidParameter(x)
	case *cc.DirectDeclarator:
		composed(x)
	case *cc.Declaration:
		v.declaration(x)
	}
}

// members refuses members of a struct or union that have no size, or the names of others.
func (v *validity) members(s *cc.StructOrUnionSpecifier) {
	seen := map[string]bool{}
	for l := s.StructDeclarationList; l != nil; l = l.StructDeclarationList {
		d := l.StructDeclaration
		incomplete := notYetComplete(d.SpecifierQualifierList)
		names := d.StructDeclaratorList
		if names == nil && d.SpecifierQualifierList != nil {
			anonymous(d.SpecifierQualifierList, seen)
		}
		for ; names != nil; names = names.StructDeclaratorList {
			x := names.StructDeclarator.Declarator
			if x == nil {
				continue
			}
			last := l.StructDeclarationList == nil && names.StructDeclaratorList == nil
			member(s, x, last, incomplete && byValue(x))
			if a, ok := x.Type().Undecay().(*cc.ArrayType); ok && x.Type().Kind() == cc.Array && a.SizeExpression() != nil {
				length(x, a, v.function == nil)
			}
			if seen[x.Name()] {
				panic(errorf(position(x), "the member '%s' is declared twice", x.Name()))
			}
			seen[x.Name()] = true
		}
	}
}

// member refuses a member that can be none.
func member(s *cc.StructOrUnionSpecifier, x *cc.Declarator, last, incomplete bool) {
	t := x.Type()
	switch {
	case t == nil:
	case incomplete:
		panic(errorf(position(x), "the member '%s' has a type that is not complete here", x.Name()))
	case t.Kind() == cc.Void:
		panic(errorf(position(x), "the member '%s' is declared void", x.Name()))
	case t.Kind() == cc.Function:
		panic(errorf(position(x), "the member '%s' is declared as a function", x.Name()))
	case t.Kind() == cc.Array && t.IsIncomplete() && s.StructOrUnion.Case == cc.StructOrUnionStruct && !last:
		panic(errorf(position(x), "the member '%s', an array without a length, is not the last one", x.Name()))
	}
}

// anonymous notes the members of a struct that has no name in the one around it.
func anonymous(l *cc.SpecifierQualifierList, seen map[string]bool) {
	for ; l != nil; l = l.SpecifierQualifierList {
		t := l.TypeSpecifier
		if t == nil || t.StructOrUnionSpecifier == nil || t.StructOrUnionSpecifier.Token.SrcStr() != "" {
			continue
		}
		for m := t.StructOrUnionSpecifier.StructDeclarationList; m != nil; m = m.StructDeclarationList {
			if m.StructDeclaration.StructDeclaratorList == nil && m.StructDeclaration.SpecifierQualifierList != nil {
				anonymous(m.StructDeclaration.SpecifierQualifierList, seen)
			}
			for d := m.StructDeclaration.StructDeclaratorList; d != nil; d = d.StructDeclaratorList {
				x := d.StructDeclarator.Declarator
				if x == nil {
					continue
				}
				if seen[x.Name()] {
					panic(errorf(position(x), "the member '%s' is declared twice", x.Name()))
				}
				seen[x.Name()] = true
			}
		}
	}
}

// byValue reports whether a declarator makes no pointer or function of its type.
func byValue(d *cc.Declarator) bool {
	if d.Pointer != nil {
		return false
	}
	for x := d.DirectDeclarator; x != nil; x = x.DirectDeclarator {
		switch x.Case {
		case cc.DirectDeclaratorDecl:
			return byValue(x.Declarator)
		case cc.DirectDeclaratorFuncParam, cc.DirectDeclaratorFuncIdent:
			return false
		}
	}
	return true
}

// notYetComplete reports whether the type of members is a struct that is not complete where
// it is used: its definition does not end before.
func notYetComplete(l *cc.SpecifierQualifierList) bool {
	for ; l != nil; l = l.SpecifierQualifierList {
		if t := l.TypeSpecifier; t != nil && t.StructOrUnionSpecifier != nil && t.StructOrUnionSpecifier.Case == cc.StructOrUnionSpecifierTag {
			return !completeAt(t.StructOrUnionSpecifier)
		}
	}
	return false
}

// completeAt reports whether there is a definition of a struct that ends before it is used.
func completeAt(use *cc.StructOrUnionSpecifier) bool {
	for s := use.LexicalScope(); s != nil; s = s.Parent {
		for _, n := range s.Nodes[use.Token.SrcStr()] {
			if d, ok := n.(*cc.StructOrUnionSpecifier); ok && d.Case == cc.StructOrUnionSpecifierDef && d.Token3.Seq() < use.Token.Seq() {
				return true
			}
		}
	}
	return false
}

// bits refuses bit-fields of types that have none, and of wrong widths.
func bits(x *cc.StructDeclarator) {
	if x.Case != cc.StructDeclaratorBitField {
		return
	}
	w, ok := int64(0), false
	switch v := x.ConstantExpression.Value().(type) {
	case cc.Int64Value:
		w, ok = int64(v), true
	case cc.UInt64Value:
		w, ok = int64(v), true
	}
	if !ok || !cc.IsIntegerType(x.ConstantExpression.Type()) {
		panic(errorf(position(x.ConstantExpression), "the width of a bit-field is not an integer constant"))
	}
	if x.Declarator == nil {
		return
	}
	t, name := x.Declarator.Type(), x.Declarator.Name()
	most := 8 * t.Size()
	if t.Kind() == cc.Bool {
		most = 1
	}
	switch {
	case !cc.IsIntegerType(t) && t.Kind() != cc.Enum:
		panic(errorf(position(x), "the bit-field '%s' has a type that is not an integer", name))
	case w < 0 || w == 0 && name != "" || w > most:
		panic(errorf(position(x), "the bit-field '%s' cannot have %d bits", name, w))
	}
}

// defines refuses a definition of a function whose parameters cannot be those.
func defines(f *cc.FunctionDefinition) {
	t, ok := f.Declarator.Type().(*cc.FunctionType)
	if !ok {
		panic(errorf(position(f), "'%s' has a body, but is no function", f.Declarator.Name()))
	}
	if r := t.Result(); r.Kind() != cc.Void && r.IsIncomplete() {
		panic(errorf(position(f), "'%s' returns a type that is not complete", f.Declarator.Name()))
	}
	for _, p := range t.Parameters() {
		if t := p.Type(); t.Kind() == cc.Void && p.Name() != "" || (isRecord(t) || t.Kind() == cc.Enum) && t.IsIncomplete() {
			panic(errorf(position(f), "the parameter '%s' of '%s' has a type that is not complete", p.Name(), f.Declarator.Name()))
		}
	}
	if f.DeclarationList != nil {
		identifiers(f)
	}
}

// identifiers refuses declarations before the body of a function that are not of its
// parameters.
func identifiers(f *cc.FunctionDefinition) {
	names := map[string]bool{}
	for x := f.Declarator.DirectDeclarator; x != nil; x = x.DirectDeclarator {
		for l := x.IdentifierList; l != nil; l = l.IdentifierList {
			for _, t := range []*cc.Token{&l.Token, &l.Token2} {
				names[t.SrcStr()] = true
			}
		}
	}
	for l := f.DeclarationList; l != nil; l = l.DeclarationList {
		for i := l.Declaration.InitDeclaratorList; i != nil; i = i.InitDeclaratorList {
			if d := i.InitDeclarator.Declarator; !names[d.Name()] {
				panic(errorf(position(d), "'%s' is declared before the body of '%s', but is no parameter of it", d.Name(), f.Declarator.Name()))
			}
		}
	}
}

// voidParameter refuses void beside other parameters, and parameters without a type.
func voidParameter(x *cc.ParameterTypeList) {
	for l := x.ParameterList; l != nil; l = l.ParameterList {
		p := l.ParameterDeclaration
		if p.DeclarationSpecifiers == nil {
			panic(errorf(position(p), "a parameter without a type"))
		}
		if t := p.Type(); t != nil && t.Kind() == cc.Void && x.ParameterList.ParameterList != nil {
			panic(errorf(position(p), "void is not the only parameter"))
		}
	}
}

// composed refuses arrays of functions or of what has no size, and functions that return
// arrays or functions.
func composed(x *cc.DirectDeclarator) {
	inner := x.DirectDeclarator
	if inner == nil {
		return
	}
	is := func(x *cc.DirectDeclarator, function bool) bool {
		f := x.Case == cc.DirectDeclaratorFuncParam || x.Case == cc.DirectDeclaratorFuncIdent
		return f && function || !f && !function && x.Case != cc.DirectDeclaratorIdent && x.Case != cc.DirectDeclaratorDecl
	}
	switch {
	case is(inner, true) && is(x, true):
		panic(errorf(position(x), "a function that returns a function"))
	case is(inner, true) && is(x, false):
		panic(errorf(position(x), "a function that returns an array"))
	case is(inner, false) && is(x, true):
		panic(errorf(position(x), "an array of functions"))
	case is(inner, false) && x.Case == cc.DirectDeclaratorArr && x.AssignmentExpression == nil:
		panic(errorf(position(x), "an array of arrays without a length"))
	}
}

// storage returns the storage classes of a declaration.
func storage(n cc.Node) map[cc.StorageClassSpecifierCase]bool {
	classes := map[cc.StorageClassSpecifierCase]bool{}
	for s, _ := n.(*cc.DeclarationSpecifiers); s != nil; s = s.DeclarationSpecifiers {
		if c := s.StorageClassSpecifier; c != nil {
			classes[c.Case] = true
		}
	}
	return classes
}

// declaration refuses storage classes that do not go together, and variables that cannot be.
func (v *validity) declaration(x *cc.Declaration) {
	classes := storage(x.DeclarationSpecifiers)
	thread := classes[cc.StorageClassSpecifierThreadLocal]
	n := len(classes)
	if thread {
		n--
	}
	if n > 1 {
		panic(errorf(position(x), "more than one storage class"))
	}
	for l := x.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		d := l.InitDeclarator.Declarator
		switch k := d.Type().Kind(); {
		case v.function == nil && (classes[cc.StorageClassSpecifierAuto] || classes[cc.StorageClassSpecifierRegister]):
			panic(errorf(position(d), "'%s' cannot be auto or register outside of functions", d.Name()))
		case k == cc.Function && thread:
			panic(errorf(position(d), "the function '%s' is declared _Thread_local", d.Name()))
		case k == cc.Function && v.function != nil && classes[cc.StorageClassSpecifierStatic]:
			panic(errorf(position(d), "the function '%s' is declared static in a function", d.Name()))
		case k != cc.Function && v.function != nil && thread && n == 0:
			panic(errorf(position(d), "'%s' is _Thread_local, but neither static nor extern", d.Name()))
		case v.function != nil && classes[cc.StorageClassSpecifierExtern] && l.InitDeclarator.Case == cc.InitDeclaratorInit:
			panic(errorf(position(d), "'%s' is extern in a function, but has an initializer", d.Name()))
		}
		if v.function != nil && classes[cc.StorageClassSpecifierExtern] {
			v.external(d)
		}
		v.variable(d)
	}
}

// external refuses a variable that a function declares otherwise than the file does.
func (v *validity) external(d *cc.Declarator) {
	for _, n := range v.globals.Nodes[d.Name()] {
		if x, ok := n.(*cc.Declarator); ok && ownFile(x) && x.Type().Kind() != d.Type().Kind() {
			panic(errorf(position(d), "'%s' has another type than where it is declared before", d.Name()))
		}
	}
}

// variable refuses a variable of a type that has no size.
func (v *validity) variable(d *cc.Declarator) {
	t := d.Type()
	array := t.Kind() == cc.Array
	elem := t
	for elem.Kind() == cc.Array {
		elem = elem.Undecay().(*cc.ArrayType).Elem()
	}
	switch {
	case array && elem.Kind() == cc.Void:
		panic(errorf(position(d), "'%s' is an array of void", d.Name()))
	case array && isRecord(elem) && elem.IsIncomplete():
		panic(errorf(position(d), "'%s' is an array of a type that is not complete", d.Name()))
	case d.IsTypename() || d.IsExtern() || t.Kind() == cc.Function:
	case (isRecord(elem) || elem.Kind() == cc.Enum) && elem.IsIncomplete():
		panic(errorf(position(d), "'%s' has a type that is not complete: '%s'", d.Name(), typeText(elem)))
	case t.Kind() == cc.Void && v.function != nil:
		panic(errorf(position(d), "'%s' is declared void", d.Name()))
	}
	if a, ok := t.Undecay().(*cc.ArrayType); ok && array && a.SizeExpression() != nil {
		length(d, a, v.function == nil)
	}
}

// length refuses a length of an array that is none.
func length(d *cc.Declarator, a *cc.ArrayType, global bool) {
	n := a.SizeExpression()
	t := n.Type()
	switch {
	case t == nil:
	case !cc.IsIntegerType(t) && t.Kind() != cc.Enum:
		panic(errorf(position(n), "the length of the array '%s' is not an integer", d.Name()))
	case n.Value() == cc.Unknown && (global || d.IsStatic()):
		panic(errorf(position(n), "the length of the array '%s' is not constant", d.Name()))
	}
}

// redeclared refuses names that are declared as different things in one scope.
func (v *validity) redeclared(s *cc.Scope) {
	for _, nodes := range s.Nodes {
		v.sameName(nodes)
	}
	for _, c := range s.Children {
		v.redeclared(c)
	}
}

// sameName refuses declarations of one name in one scope that contradict each other.
func (v *validity) sameName(nodes []cc.Node) {
	var enum *cc.Enumerator
	var decl *cc.Declarator
	var tag cc.Node
	for _, n := range nodes {
		if !ownFile(n) {
			continue
		}
		switch x := n.(type) {
		case *cc.Enumerator:
			if enum != nil || decl != nil {
				panic(errorf(position(x), "'%s' is declared as something else before", x.Token.SrcStr()))
			}
			enum = x
		case *cc.Declarator:
			if x.IsSynthetic() || x.Name() == "" {
				continue
			}
			if enum != nil {
				panic(errorf(position(x), "'%s' is declared as something else before", x.Name()))
			}
			if decl == nil {
				decl = x
			} else {
				v.again(decl, x)
			}
		case *cc.EnumSpecifier, *cc.StructOrUnionSpecifier:
			if tag != nil {
				tagAgain(tag, x)
			}
			tag = x
		}
	}
}

// tagAgain refuses a second definition of an enumeration, or one tag for different kinds.
func tagAgain(before, now cc.Node) {
	a, isEnum := before.(*cc.EnumSpecifier)
	b, areEnums := now.(*cc.EnumSpecifier)
	switch {
	case isEnum != areEnums:
		panic(errorf(position(now), "the tag '%s' is one of another kind of type before", lastWord(now)))
	case isEnum && a.Case == cc.EnumSpecifierDef && b.Case == cc.EnumSpecifierDef:
		panic(errorf(position(now), "the enumeration '%s' is defined twice", lastWord(now)))
	}
}

func lastWord(n cc.Node) string {
	words := strings.Fields(strings.SplitN(nameOf(n), "{", 2)[0])
	return words[len(words)-1]
}

// again refuses a declaration that contradicts the first one. What cc says of the storage
// class and the type is what all declarations say together.
func (v *validity) again(first, now *cc.Declarator) {
	if first.IsTypename() != now.IsTypename() {
		panic(errorf(position(now), "'%s' is declared as something else before", now.Name()))
	}
	a, b := v.specifiers[first], v.specifiers[now]
	if now.IsTypename() || a == nil || b == nil {
		return
	}
	function := now.Type().Kind() == cc.Function
	was, is := storage(a)[cc.StorageClassSpecifierStatic], storage(b)
	switch {
	case function && returnsVoid(first, a) != returnsVoid(now, b):
		panic(errorf(position(now), "'%s' returns another type than where it is declared before", now.Name()))
	case is[cc.StorageClassSpecifierStatic] && !was:
		panic(errorf(position(now), "'%s' is static, but not where it is declared before", now.Name()))
	case was && !function && len(is) == 0:
		panic(errorf(position(now), "'%s' is not static, but where it is declared before", now.Name()))
	}
}

// returnsVoid reports whether a function is declared with void as its result.
func returnsVoid(d *cc.Declarator, n cc.Node) bool {
	for s, _ := n.(*cc.DeclarationSpecifiers); s != nil && d.Pointer == nil; s = s.DeclarationSpecifiers {
		if t := s.TypeSpecifier; t != nil && t.Case == cc.TypeSpecifierVoid {
			return true
		}
	}
	return false
}
