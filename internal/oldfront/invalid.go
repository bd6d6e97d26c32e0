package cfront

import (
	"strings"

	"modernc.org/cc/v4"
)

// valid refuses programs that are no C, for gcc an error, but that cc takes: it checks
// little of types, and nothing of const. It looks at the whole program, as lowering sees
// only what threads run. What gcc only warns of is taken.
func valid(ast *cc.AST) {
	v := &validity{constness: newConstness(ast), globals: ast.Scope}
	v.redeclared(ast.Scope)
	for _, check := range []func(cc.Node){v.declares, v.states} { // the first makes sure that types make sense
		for tu := ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
			n := tu.ExternalDeclaration
			if !ownFile(n) {
				continue
			}
			v.function = n.FunctionDefinition
			check(n)
			children(n, func(c cc.Node) bool {
				check(c)
				return true
			})
		}
	}
}

// ownFile reports whether a node is in the program itself, not in some header of the system.
func ownFile(n cc.Node) bool {
	file := n.Position().Filename
	return !strings.HasPrefix(file, "<") && !strings.HasPrefix(file, headerDir) && !strings.HasPrefix(file, "/usr/")
}

type validity struct {
	*constness
	function *cc.FunctionDefinition // around here
	globals  *cc.Scope
}

// nameOf returns the source of a node as a message shows it.
func nameOf(n cc.Node) string {
	s := oneLine(cc.NodeSource(n))
	if len(s) > 40 {
		s = s[:40] + "..."
	}
	return s
}

// states refuses a statement or expression that is no C.
func (v *validity) states(n cc.Node) {
	switch x := n.(type) {
	case *cc.AssignmentExpression:
		if x.Case != cc.AssignmentExpressionCond {
			v.changes(x, x.UnaryExpression)
			to, from := x.UnaryExpression.Type(), x.AssignmentExpression.Type()
			if x.Case == cc.AssignmentExpressionAssign {
				converts(x.AssignmentExpression, to)
			}
			if x.Case == cc.AssignmentExpressionAdd && to.Kind() == cc.Ptr && from.Kind() == cc.Ptr {
				panic(errorf(position(x), "sum of two pointers: '%s'", nameOf(x)))
			}
		}
	case *cc.PostfixExpression:
		switch x.Case {
		case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
			v.changes(x, x.PostfixExpression)
		case cc.PostfixExpressionCall:
			calls(x)
		}
	case *cc.UnaryExpression:
		v.unary(x)
	case *cc.CastExpression:
		if x.Case == cc.CastExpressionCast && x.TypeName.Type().Kind() != cc.Void {
			casts(x)
		}
	case *cc.AdditiveExpression:
		if x.Case == cc.AdditiveExpressionSub {
			subtracts(x)
		}
	case *cc.SelectionStatement:
		if x.Case == cc.SelectionStatementSwitch && !cc.IsIntegerType(x.ExpressionList.Type()) && x.ExpressionList.Type().Kind() != cc.Enum {
			panic(errorf(position(x.ExpressionList), "switch on '%s', which is not an integer", nameOf(x.ExpressionList)))
		}
		if x.Case != cc.SelectionStatementSwitch {
			decides(x.ExpressionList)
		}
	case *cc.IterationStatement:
		switch x.Case {
		case cc.IterationStatementFor:
			decides(x.ExpressionList2)
		default:
			decides(x.ExpressionList)
		}
	case *cc.JumpStatement:
		v.jumps(x)
	case *cc.InitDeclarator:
		if x.Case == cc.InitDeclaratorInit {
			initializes(x)
			if v.function == nil || storage(v.specifiers[x.Declarator])[cc.StorageClassSpecifierStatic] {
				v.constantInit(x.Declarator, x.Initializer)
			}
		}
	}
}

// changes refuses the assignment to what is const or an array.
func (v *validity) changes(at cc.Node, n cc.ExpressionNode) {
	t := n.Type()
	if q := v.of(n); q != nil && q.constant {
		panic(errorf(position(at), "assignment to '%s', which is const", nameOf(n)))
	}
	switch {
	case t.Undecay().Kind() == cc.Array && variable(n) != nil && !variable(n).IsParam():
		panic(errorf(position(at), "assignment to '%s', which is an array", nameOf(n)))
	case t.Undecay().Kind() == cc.Function:
		panic(errorf(position(at), "assignment to '%s', which is a function", nameOf(n)))
	}
	if m := v.constMember(t); m != "" {
		panic(errorf(position(at), "assignment to '%s', whose member '%s' is const", nameOf(n), m))
	}
}

// unary refuses operands of & and sizeof, and changes.
func (v *validity) unary(x *cc.UnaryExpression) {
	switch x.Case {
	case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
		v.changes(x, x.UnaryExpression)
	case cc.UnaryExpressionAddrof:
		if f := fieldOf(x.CastExpression); f != nil && f.IsBitfield() {
			panic(errorf(position(x), "address of '%s', which is a bit-field", nameOf(x.CastExpression)))
		}
		if d := variable(x.CastExpression); d != nil && d.IsRegister() {
			panic(errorf(position(x), "address of '%s', which is declared register", nameOf(x.CastExpression)))
		}
	case cc.UnaryExpressionSizeofExpr:
		if f := fieldOf(x.UnaryExpression); f != nil && f.IsBitfield() {
			panic(errorf(position(x), "sizeof '%s', which is a bit-field", nameOf(x.UnaryExpression)))
		}
	}
}

// fieldOf returns the member that an expression selects; nil if it is something else.
func fieldOf(n cc.ExpressionNode) *cc.Field {
	x, ok := unparen(n).(*cc.PostfixExpression)
	if ok && (x.Case == cc.PostfixExpressionSelect || x.Case == cc.PostfixExpressionPSelect) {
		return x.Field()
	}
	return nil
}

// isRecord reports whether a type is a struct or union. The types of the library that are
// integers in glibc are none.
func isRecord(t cc.Type) bool {
	tag := tagOf(t)
	return (t.Kind() == cc.Struct || t.Kind() == cc.Union) && tag != "__comus_once" && tag != "__comus_spin"
}

// converts refuses an expression that cannot become a value of this type.
func converts(n cc.ExpressionNode, to cc.Type) {
	from := n.Type()
	real := func(t cc.Type) bool { return cc.IsFloatingPointType(t) || cc.IsComplexType(t) }
	switch {
	case from == nil || to == nil || to.Kind() == cc.InvalidKind || from.Kind() == cc.InvalidKind:
	case from.Kind() == cc.Void && to.Kind() != cc.Void:
		panic(errorf(position(n), "'%s' has no value", nameOf(n)))
	case to.Kind() == cc.Void:
	case isRecord(to) && !isRecord(from):
		panic(errorf(position(n), "'%s' is not a value of the type '%s'", nameOf(n), typeText(to)))
	case isRecord(from) && !isRecord(to):
		panic(errorf(position(n), "'%s' is a %s, not a value of the type '%s'", nameOf(n), recordWord(from), typeText(to)))
	case isRecord(from) && !sameRecord(from, to):
		panic(errorf(position(n), "'%s' is not a value of the type '%s', but of '%s'", nameOf(n), typeText(to), typeText(from)))
	case to.Kind() == cc.Ptr && real(from), from.Kind() == cc.Ptr && real(to):
		panic(errorf(position(n), "'%s' cannot become a value of the type '%s'", nameOf(n), typeText(to)))
	}
}

// sameRecord reports whether two structs or unions may be one, as far as their tags tell.
func sameRecord(a, b cc.Type) bool { return a.Kind() == b.Kind() && tagOf(a) == tagOf(b) }

// tagOf returns the tag of a struct or union.
func tagOf(t cc.Type) string {
	var tag cc.Token
	switch x := t.(type) {
	case *cc.StructType:
		tag = x.Tag()
	case *cc.UnionType:
		tag = x.Tag()
	default:
		return ""
	}
	return tag.SrcStr()
}

func recordWord(t cc.Type) string {
	if t.Kind() == cc.Union {
		return "union"
	}
	return "struct"
}

// typeText returns a type as a message shows it.
func typeText(t cc.Type) string {
	if d := t.Typedef(); d != nil {
		return d.Name()
	}
	text := oneLine(t.String())
	if isRecord(t) || t.Kind() == cc.Enum {
		text, _, _ = strings.Cut(text, " {")
	}
	return text
}

// decides refuses a condition that has no scalar type.
func decides(n cc.ExpressionNode) {
	if n == nil || n.Type() == nil {
		return
	}
	switch t := n.Type(); {
	case t.Kind() == cc.Void:
		panic(errorf(position(n), "'%s' has no value", nameOf(n)))
	case isRecord(t):
		panic(errorf(position(n), "'%s' is a %s, not a condition", nameOf(n), recordWord(t)))
	}
}

// casts refuses casts from or to structs, and those of void.
func casts(x *cc.CastExpression) {
	to, from := x.TypeName.Type(), x.CastExpression.Type()
	switch {
	case isRecord(to) && !isRecord(from), to.Kind() == cc.Array, to.Kind() == cc.Function:
		if to.Kind() == cc.Union {
			return // GNU C makes unions of values of their members
		}
		panic(errorf(position(x), "cast to the type '%s'", typeText(to)))
	default:
		converts(x.CastExpression, to)
	}
}

// subtracts refuses the difference of pointers to different types.
func subtracts(x *cc.AdditiveExpression) {
	a, ok := x.AdditiveExpression.Type().(*cc.PointerType)
	b, ok2 := x.MultiplicativeExpression.Type().(*cc.PointerType)
	if !ok || !ok2 {
		return
	}
	k, l := a.Elem().Kind(), b.Elem().Kind()
	size := func(t cc.Type) int64 {
		if t.IsIncomplete() {
			return 1
		}
		return t.Size()
	}
	if k != l && (k == cc.Void || l == cc.Void || size(a.Elem()) != size(b.Elem())) {
		panic(errorf(position(x), "difference of pointers to different types: '%s'", nameOf(x)))
	}
}

// calls refuses a call that does not fit what is called.
func calls(x *cc.PostfixExpression) {
	f := calledType(x.PostfixExpression)
	if f == nil {
		return
	}
	if d := variable(x.PostfixExpression); d != nil && strings.HasPrefix(d.Position().Filename, "<") {
		return // comus knows how to call those
	}
	parameters, k := f.Parameters(), 0
	for l := x.ArgumentExpressionList; l != nil; l = l.ArgumentExpressionList {
		if k < len(parameters) {
			converts(l.AssignmentExpression, parameters[k].Type())
		} else if t := l.AssignmentExpression.Type(); t != nil && t.Kind() == cc.Void {
			panic(errorf(position(l.AssignmentExpression), "'%s' has no value", nameOf(l.AssignmentExpression)))
		}
		k++
	}
	switch {
	case len(parameters) == 0:
	case k < f.MinArgs():
		panic(errorf(position(x), "too few arguments in the call of '%s'", nameOf(x.PostfixExpression)))
	case f.MaxArgs() >= 0 && k > f.MaxArgs():
		panic(errorf(position(x), "too many arguments in the call of '%s'", nameOf(x.PostfixExpression)))
	}
}

// calledType returns the type of the function that an expression names or points to, if it
// is declared with its parameters.
func calledType(n cc.ExpressionNode) *cc.FunctionType {
	t := n.Type()
	if p, ok := t.(*cc.PointerType); ok {
		t = p.Elem()
	}
	f, ok := t.(*cc.FunctionType)
	if d := variable(n); !ok || d != nil && oldStyle(d) {
		return nil
	}
	return f
}

// oldStyle reports whether a function is declared with the names of its parameters only.
func oldStyle(d *cc.Declarator) bool {
	for x := d.DirectDeclarator; x != nil; x = x.DirectDeclarator {
		if x.Case == cc.DirectDeclaratorFuncIdent {
			return true
		}
	}
	return false
}

// jumps refuses the return of a value that does not fit the function.
func (v *validity) jumps(x *cc.JumpStatement) {
	if x.Case != cc.JumpStatementReturn || x.ExpressionList == nil || v.function == nil {
		return
	}
	f, ok := v.function.Declarator.Type().(*cc.FunctionType)
	if ok && f.Result().Kind() != cc.Void {
		converts(x.ExpressionList, f.Result())
	}
}

// initializes refuses an initializer that does not fit a variable.
func initializes(x *cc.InitDeclarator) {
	t, i := x.Declarator.Type(), x.Initializer
	switch {
	case x.Declarator.IsTypename() || t.Kind() == cc.Function:
		panic(errorf(position(x), "'%s' is no variable, but has an initializer", x.Declarator.Name()))
	case i.Case != cc.InitializerExpr:
	case t.Kind() != cc.Array:
		converts(i.AssignmentExpression, t)
	default:
		initializesArray(x.Declarator, i.AssignmentExpression)
	}
}

// initializesArray refuses an initializer of an array that is neither a list nor a string
// of its kind of characters.
func initializesArray(d *cc.Declarator, n cc.ExpressionNode) {
	elem := d.Type().Undecay().(*cc.ArrayType).Elem()
	switch x := unparen(n).(type) {
	case *cc.PrimaryExpression:
		switch {
		case x.Case == cc.PrimaryExpressionLString && cc.IsIntegerType(elem) && elem.Size() > 1,
			x.Case == cc.PrimaryExpressionString && cc.IsIntegerType(elem) && elem.Size() == 1,
			x.Case == cc.PrimaryExpressionGeneric, x.Case == cc.PrimaryExpressionString && x.Token.SrcStr()[0] != '"':
			return
		}
	case *cc.PostfixExpression:
		if x.Case == cc.PostfixExpressionComplit {
			return
		}
	}
	panic(errorf(position(n), "'%s' cannot initialize the array '%s'", nameOf(n), d.Name()))
}
