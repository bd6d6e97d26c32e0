package cfront

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"modernc.org/cc/v4"

	"comus/ir"
)

// trust refuses what cc takes without a word but reads otherwise than gcc, so that a
// verdict could be about another program: tokens that ## makes of operators, sizes of
// arrays that are pointers by then, layouts of some structs with bit-fields, attributes
// that change what a declaration means. System headers in preprocessed sources, which are
// full of attributes, may have them: only their typedefs with modes must not be used.
func trust(ast *cc.AST) {
	d := &distrust{modes: map[string]bool{}, defined: map[string]bool{}}
	for tu := ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		switch file := tu.ExternalDeclaration.Position().Filename; {
		case strings.HasPrefix(file, "<"), strings.HasPrefix(file, headerDir):
		case strings.HasPrefix(file, "/usr/"):
			d.system(tu.ExternalDeclaration)
		default:
			d.weakly(tu.ExternalDeclaration)
			d.walk(tu.ExternalDeclaration)
		}
	}
	for _, x := range d.weak {
		if !d.defined[x.Name()] {
			panic(errorf(position(x), "unsupported: '%s', which is weak and not defined", x.Name()))
		}
	}
}

type distrust struct {
	modes   map[string]bool // the typedefs of system headers with a mode
	weak    []*cc.Declarator
	defined map[string]bool // functions and variables
}

// system notes the typedefs with a mode.
func (d *distrust) system(n *cc.ExternalDeclaration) {
	if n.Declaration == nil || !attributed(n.Declaration, "mode") {
		return
	}
	for l := n.Declaration.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		if i := l.InitDeclarator; i != nil && i.Declarator != nil && i.Declarator.IsTypename() {
			d.modes[i.Declarator.Name()] = true
		}
	}
}

// computedLength returns what changes something in the length of an array that a parameter
// is declared as, which C evaluates and forgets; nil if there is nothing.
func computedLength(x *cc.ParameterDeclaration) (found cc.Node) {
	children(x, func(n cc.Node) bool {
		switch n := n.(type) {
		case *cc.AssignmentExpression:
			if n.Case != cc.AssignmentExpressionCond {
				found = n
			}
		case *cc.UnaryExpression:
			if n.Case == cc.UnaryExpressionInc || n.Case == cc.UnaryExpressionDec {
				found = n
			}
		case *cc.PostfixExpression:
			if n.Case == cc.PostfixExpressionInc || n.Case == cc.PostfixExpressionDec || n.Case == cc.PostfixExpressionCall {
				found = n
			}
		}
		return true
	})
	return found
}

// weakly notes what is weak, whose address is NULL if nobody defines it, and what is defined.
func (d *distrust) weakly(n *cc.ExternalDeclaration) {
	if f := n.FunctionDefinition; f != nil {
		d.defined[f.Declarator.Name()] = true
	}
	if n.Declaration == nil {
		return
	}
	weak := attributed(n.Declaration, "weak")
	for l := n.Declaration.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		switch x := l.InitDeclarator.Declarator; {
		case x.Type().Kind() != cc.Function && (!x.IsExtern() || l.InitDeclarator.Case == cc.InitDeclaratorInit):
			d.defined[x.Name()] = true
		case weak:
			d.weak = append(d.weak, x)
		}
	}
}

// attributed reports whether there is an attribute in a declaration.
func attributed(n cc.Node, name string) bool {
	found := false
	children(n, func(c cc.Node) bool {
		a, ok := c.(*cc.AttributeValue)
		found = found || ok && attribute(a) == name
		return true
	})
	return found
}

// attribute returns the name of an attribute without its underscores.
func attribute(a *cc.AttributeValue) string {
	return strings.TrimSuffix(strings.TrimPrefix(a.Token.SrcStr(), "__"), "__")
}

// walk visits a node and those below it.
func (d *distrust) walk(n cc.Node) {
	d.node(n)
	tokensOf(n, func(t cc.Token) {
		if why := doubtful(&t); why != "" {
			panic(errorf(tokenPosition(&t), "%s", why))
		}
	})
	children(n, func(c cc.Node) bool {
		d.walk(c)
		return false
	})
}

// meaningful are the attributes that change what a declaration means, beyond what cc knows.
var meaningful = map[string]bool{"constructor": true, "destructor": true, "alias": true, "ifunc": true, "weakref": true,
	"packed": true, "mode": true, "ms_struct": true, "scalar_storage_order": true, "transparent_union": true}

// node refuses one node.
func (d *distrust) node(n cc.Node) {
	switch x := n.(type) {
	case *cc.AttributeValue:
		if name := attribute(x); meaningful[name] {
			panic(errorf(position(x), "unsupported: __attribute__((%s))", name))
		}
	case *cc.InitDeclarator:
		if x.Asm != nil && x.Declarator.Type().Kind() != cc.Function {
			panic(errorf(position(x), "unsupported: another name for '%s' in the assembler", x.Declarator.Name()))
		}
	case *cc.Enumerator:
		if v, ok := x.Value().(cc.Int64Value); ok && (v < -1<<31 || v >= 1<<32) {
			panic(errorf(position(x), "unsupported: '%s' does not fit an int", x.Token.SrcStr()))
		}
	case *cc.TypeSpecifier:
		d.specifier(x)
	case *cc.ParameterDeclaration:
		if e := computedLength(x); e != nil {
			panic(errorf(position(e), "unsupported: length of an array in a parameter that is more than read"))
		}
	case *cc.UnaryExpression:
		switch x.Case {
		case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionAlignofExpr:
			sized(x, x.UnaryExpression)
		case cc.UnaryExpressionSizeofType, cc.UnaryExpressionAlignofType:
			laidOut(x, x.TypeName.Type())
		}
	case *cc.PostfixExpression:
		if x.Case == cc.PostfixExpressionCall && calleeName(x) == "__ccgo__types_compatible_p" {
			args := arguments(x)
			t, u := args[0].Type(), args[1].Type()
			if doubtfullyCompatible(t, u, false) || t.Kind() == u.Kind() && (t.Kind() == cc.Ptr || t.Kind() == cc.Array) && (qualifiers(args[0]) || qualifiers(args[1])) {
				panic(errorf(position(x), "unsupported: __builtin_types_compatible_p with enumerations, qualified pointers, functions, pointers to pointers or structs without a tag"))
			}
		}
	case *cc.CastExpression: // the macro offsetof
		if p, ok := x.Type().(*cc.PointerType); ok && x.Case == cc.CastExpressionCast && isNumber(x.CastExpression) {
			laidOut(x, p.Elem())
		}
	case *cc.GenericSelection:
		t := x.AssignmentExpression.Type()
		for l := x.GenericAssociationList; l != nil; l = l.GenericAssociationList {
			a := l.GenericAssociation.TypeName
			if t.Kind() == cc.Enum || t.Kind() == cc.Ptr && a != nil && a.Type().Kind() == cc.Ptr {
				panic(errorf(position(x), "unsupported: _Generic on an enumeration, or with pointers to choose from"))
			}
		}
	}
}

// qualifiers reports whether there is a qualifier in the text of a node.
func qualifiers(n cc.Node) bool {
	return slices.ContainsFunc(cc.NodeTokens(n), func(t cc.Token) bool {
		w := strings.Trim(t.SrcStr(), "_")
		return w == "const" || w == "volatile" || w == "restrict" || w == "Atomic"
	})
}

// doubtfullyCompatible reports whether cc may take types for compatible that are not for gcc,
// or the other way round. Qualifiers matter below a pointer.
func doubtfullyCompatible(t, u cc.Type, below bool) bool {
	qualified := func(t cc.Type) bool {
		a := t.Attributes()
		return a != nil && (a.IsConst() || a.IsVolatile())
	}
	if t.Kind() == cc.Enum || u.Kind() == cc.Enum || below && (qualified(t) || qualified(u)) {
		return true
	}
	switch x := t.(type) {
	case *cc.PointerType:
		y, ok := u.(*cc.PointerType)
		return ok && (below || doubtfullyCompatible(x.Elem(), y.Elem(), true))
	case *cc.ArrayType:
		y, ok := u.(*cc.ArrayType)
		return ok && doubtfullyCompatible(x.Elem(), y.Elem(), true)
	case *cc.StructType:
		y, ok := u.(*cc.StructType)
		return ok && x != y && !tagged(x.Tag()) && !tagged(y.Tag())
	case *cc.UnionType:
		y, ok := u.(*cc.UnionType)
		return ok && x != y && !tagged(x.Tag()) && !tagged(y.Tag())
	case *cc.FunctionType:
		return true
	}
	return false
}

// tagged reports whether a struct or union has a tag.
func tagged(t cc.Token) bool { return t.SrcStr() != "" }

// specifier refuses types that are not what cc takes them for.
func (d *distrust) specifier(x *cc.TypeSpecifier) {
	switch x.Case {
	case cc.TypeSpecifierTypeName:
		if d.modes[x.Token.SrcStr()] {
			panic(errorf(position(x), "unsupported: the type '%s', which has __attribute__((mode))", x.Token.SrcStr()))
		}
	case cc.TypeSpecifierTypeofExpr:
		sized(x, x.ExpressionList)
		if computedOfEnum(x.ExpressionList) {
			panic(errorf(position(x), "unsupported: typeof of an expression with an enumeration"))
		}
	}
}

// sized refuses an operand of sizeof or typeof that is no array any more, but one for cc.
func sized(at cc.Node, n cc.ExpressionNode) {
	e := unparen(n)
	if c, ok := e.(*cc.PostfixExpression); ok && c.Case == cc.PostfixExpressionCall && calleeName(c) == "__builtin_choose_expr" {
		e = unparen(Chosen(c))
	}
	switch t := e.Type().Undecay(); t.Kind() {
	case cc.Function:
		panic(errorf(position(at), "unsupported: the size of a function"))
	case cc.Array:
		if p := variable(e); p != nil && (p.IsParam() || p.Type().Kind() != cc.Array) {
			panic(errorf(position(at), "unsupported: the size of '%s', which is a pointer to the elements of an array here", p.Name()))
		}
		if !designatesArray(e) {
			panic(errorf(position(at), "unsupported: the size of an array that has become a pointer"))
		}
		laidOut(at, t)
	default:
		laidOut(at, t)
	}
}

// variable returns the variable that an expression is; nil if it is something else.
func variable(n cc.ExpressionNode) *cc.Declarator {
	switch x := unparen(n).(type) {
	case *cc.PrimaryExpression:
		if x.Case == cc.PrimaryExpressionIdent {
			d, _ := x.ResolvedTo().(*cc.Declarator)
			return d
		}
	case *cc.PostfixExpression:
		if x.Case == cc.PostfixExpressionPrimary {
			return variable(x.PrimaryExpression)
		}
	}
	return nil
}

// designatesArray reports whether an expression of array type is one that names an array.
func designatesArray(n cc.ExpressionNode) bool {
	switch x := unparen(n).(type) {
	case *cc.PrimaryExpression:
		return true
	case *cc.PostfixExpression:
		return true
	case *cc.UnaryExpression:
		return x.Case == cc.UnaryExpressionDeref
	}
	return false
}

// computedOfEnum reports whether an expression computes with a value of an enumeration.
func computedOfEnum(n cc.ExpressionNode) bool {
	found := false
	switch e := unparen(n).(type) {
	case *cc.PrimaryExpression, *cc.PostfixExpression:
	default:
		children(e, func(c cc.Node) bool {
			x, ok := c.(cc.ExpressionNode)
			found = found || ok && x.Type() != nil && x.Type().Kind() == cc.Enum
			return true
		})
	}
	return found
}

// laidOut refuses a type with a struct whose bit-fields cc lays out in another way than gcc.
func laidOut(at cc.Node, t cc.Type) {
	if what := oddSize(t, false); what != "" {
		panic(errorf(position(at), "unsupported: the size of %s", what))
	}
	if s := oddStruct(t); s != nil {
		tag := s.Tag()
		name := strings.TrimSpace("struct " + tag.SrcStr())
		panic(errorf(position(at), "unsupported: the layout of %s, which has bit-fields beside other members", name))
	}
}

// oddSize says what in a type has a size for cc that is not gcc's; "" if nothing has. within
// tells that the type is that of a member.
func oddSize(t cc.Type, within bool) string {
	switch x := t.Undecay().(type) {
	case *cc.ArrayType:
		switch e := x.Elem().Undecay(); {
		case within && x.IsVLA():
			return "a struct with a variable length array"
		case e.Kind() == cc.Array && e.Size() <= 0 && !e.(*cc.ArrayType).IsVLA():
			return "an array of arrays without elements"
		default:
			return oddSize(e, within)
		}
	case interface {
		NumFields() int
		FieldByIndex(int) *cc.Field
	}:
		for i := range x.NumFields() {
			if what := oddSize(x.FieldByIndex(i).Type(), true); what != "" {
				return what
			}
		}
	}
	return ""
}

// oddStruct returns a struct in a type that cc lays out in another way than gcc; nil if
// there is none.
func oddStruct(t cc.Type) *cc.StructType {
	switch x := t.Undecay().(type) {
	case *cc.ArrayType:
		return oddStruct(x.Elem())
	case *cc.UnionType:
		for i := range x.NumFields() {
			if s := oddStruct(x.FieldByIndex(i).Type()); s != nil {
				return s
			}
		}
	case *cc.StructType:
		bits := false
		for i := range x.NumFields() {
			f := x.FieldByIndex(i)
			if bits = bits || f.IsBitfield(); f.IsBitfield() {
				continue
			}
			if s := oddStruct(f.Type()); s != nil {
				return s
			}
		}
		if bits && !laidOutByGCC(x) {
			return x
		}
	}
	return nil
}

// laidOutByGCC reports whether the members of a struct are where the System V ABI has them:
// a bit-field does not cross more units of its type than it has to, and one without a name
// does not align the struct.
func laidOutByGCC(t *cc.StructType) bool {
	up := func(n, to int64) int64 { return (n + to - 1) / to * to }
	at, align := int64(0), int64(1) // at: in bits
	for i := range t.NumFields() {
		f := t.FieldByIndex(i)
		own := int64(f.Type().FieldAlign())
		switch unit, size := 8*own, 8*f.Type().Size(); {
		case !f.IsBitfield():
			at = up(at, unit)
			if f.Offset() != at/8 {
				return false
			}
			at += size
		case f.ValueBits() == 0:
			at = up(at, unit)
		default:
			if up(at%unit+f.ValueBits(), unit) > size {
				at = up(at, unit)
			}
			if 8*f.Offset()+int64(f.OffsetBits()) != at {
				return false
			}
			at += f.ValueBits()
		}
		if !f.IsBitfield() || f.Name() != "" {
			align = max(align, own)
		}
	}
	return t.Size() == up(at, 8*align)/8 && int64(t.Align()) == align
}

// operators are the spellings of punctuators of several characters, and their kinds.
var operators = map[string]rune{"+=": rune(cc.ADDASSIGN), "&&": rune(cc.ANDAND), "&=": rune(cc.ANDASSIGN), "->": rune(cc.ARROW), "--": rune(cc.DEC), "/=": rune(cc.DIVASSIGN),
	"...": rune(cc.DDD), "==": rune(cc.EQ), ">=": rune(cc.GEQ), "++": rune(cc.INC), "<=": rune(cc.LEQ), "<<": rune(cc.LSH), "<<=": rune(cc.LSHASSIGN), "%=": rune(cc.MODASSIGN),
	"*=": rune(cc.MULASSIGN), "!=": rune(cc.NEQ), "|=": rune(cc.ORASSIGN), "||": rune(cc.OROR), ">>": rune(cc.RSH), ">>=": rune(cc.RSHASSIGN), "-=": rune(cc.SUBASSIGN), "^=": rune(cc.XORASSIGN)}

var (
	wordToken   = regexp.MustCompile(`^[\w$\x80-\x{10ffff}]+$`)
	numberToken = regexp.MustCompile(`^\.?[0-9](?:[eEpP][+-]|[\w.])*$`)
	plainString = regexp.MustCompile(`^L?"(?:[^"\\]|\\.)*"$`)
	wideString  = regexp.MustCompile(`^L".*(?:[\x80-\x{10ffff}]|\\[xuU0-7])`) // cc does not read all of these as wide characters
	plainChar   = regexp.MustCompile(`^'(?:.*[\x80-\x{10ffff}]|.*\\[uU])`)
)

// doubtful says what is wrong about a token; "" if nothing is.
func doubtful(t *cc.Token) string {
	src := t.SrcStr()
	switch {
	case src == "" || t.Ch < 0:
		return ""
	case t.Ch < 0x80:
		if src != string(t.Ch) {
			return "unsupported: '" + src + "', made by ## in a macro"
		}
	case plainChar.MatchString(src):
		return "unsupported: the character constant " + src + ", which is not ASCII"
	case t.Ch == rune(cc.STRINGLITERAL) && !plainString.MatchString(src):
		return "unsupported: string constant with a prefix, " + src
	case wideString.MatchString(src):
		return "unsupported: the string constant " + src + ", which is not ASCII"
	case wordToken.MatchString(src), numberToken.MatchString(src), strings.ContainsAny(src, `"'`):
	case operators[src] != t.Ch:
		return "unsupported: '" + src + "', made by ## in a macro"
	}
	return ""
}

func tokenPosition(t *cc.Token) ir.Pos {
	p := t.Position()
	return ir.Pos{File: p.Filename, Line: p.Line, Col: p.Column}
}

// tokenFields remembers which fields of the nodes are tokens.
var tokenFields sync.Map

// tokensOf calls f for the tokens of a node.
func tokensOf(n cc.Node, f func(cc.Token)) {
	v := reflect.ValueOf(n)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return
	}
	v = v.Elem()
	known, ok := tokenFields.Load(v.Type())
	if !ok {
		var list []int
		for k := range v.NumField() {
			if field := v.Type().Field(k); field.IsExported() && field.Type == reflect.TypeFor[cc.Token]() {
				list = append(list, k)
			}
		}
		known, _ = tokenFields.LoadOrStore(v.Type(), list)
	}
	for _, k := range known.([]int) {
		f(v.Field(k).Interface().(cc.Token))
	}
}
