package cfront

import (
	"regexp"
	"strings"

	"modernc.org/cc/v4"
)

// explain looks for what is wrong with a program that cc refuses without saying where and
// why: types that there are not, assignments to what is no variable, labels that are there
// twice. It returns nil if it finds nothing.
func explain(cfg cc.Config, sources []cc.Source) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err, _ = r.(error)
			if _, ours := r.(*Error); !ours {
				err = nil
			}
		}
	}()
	cfg.PragmaHandler = pragmaOnce(new(*Error))
	ast, err := cc.Parse(&cfg, sources)
	if err != nil {
		return nil
	}
	for tu := ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		labels := map[string]bool{}
		if ownFile(tu.ExternalDeclaration) {
			children(tu.ExternalDeclaration, func(n cc.Node) bool {
				wrongSyntax(n, labels)
				return true
			})
		}
	}
	return nil
}

// wrongSyntax refuses a node of a tree whose types are not known.
func wrongSyntax(n cc.Node, labels map[string]bool) {
	switch x := n.(type) {
	case *cc.LabeledStatement:
		name := x.Token.SrcStr()
		if x.Case == cc.LabeledStatementLabel && labels[name] {
			panic(errorf(position(x), "the label '%s' is there twice", name))
		}
		labels[name] = true
	case *cc.AssignmentExpression:
		if x.Case != cc.AssignmentExpressionCond {
			assignable(x.UnaryExpression)
		}
	case *cc.PostfixExpression:
		if x.Case == cc.PostfixExpressionInc || x.Case == cc.PostfixExpressionDec {
			assignable(x.PostfixExpression)
		}
	case *cc.UnaryExpression:
		switch x.Case {
		case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
			assignable(x.UnaryExpression)
		case cc.UnaryExpressionAddrof:
			if !designates(x.CastExpression) {
				panic(errorf(position(x), "address of '%s', which is no variable", nameOf(x.CastExpression)))
			}
		}
	case *cc.PrimaryExpression:
		if number := x.Token.SrcStr(); x.Case == cc.PrimaryExpressionFloat && !floatConstant.MatchString(number) {
			panic(errorf(position(x), "wrong number '%s'", number))
		}
	case *cc.Enumerator:
		if e := x.ConstantExpression; e != nil && strings.Contains(nameOf(e), ".") {
			panic(errorf(position(e), "the value of '%s' is not an integer", x.Token.SrcStr()))
		}
	case *cc.InitDeclarator:
		d := x.Declarator.DirectDeclarator
		function := d != nil && (d.Case == cc.DirectDeclaratorFuncParam || d.Case == cc.DirectDeclaratorFuncIdent)
		if x.Case == cc.InitDeclaratorInit && (x.Declarator.IsTypename() || function && d.DirectDeclarator.Case == cc.DirectDeclaratorIdent) {
			panic(errorf(position(x), "'%s' is no variable, but has an initializer", x.Declarator.Name()))
		}
	case *cc.DeclarationSpecifiers:
		var list []*cc.TypeSpecifier
		for s := x; s != nil; s = s.DeclarationSpecifiers {
			list = append(list, s.TypeSpecifier)
		}
		specifiers(list)
	case *cc.SpecifierQualifierList:
		var list []*cc.TypeSpecifier
		for s := x; s != nil; s = s.SpecifierQualifierList {
			list = append(list, s.TypeSpecifier)
		}
		specifiers(list)
	}
}

var floatConstant = regexp.MustCompile(`^(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|0[xX][0-9a-fA-F]*\.?[0-9a-fA-F]*[pP][+-]?[0-9]+)[dDfFlLqQwWiIjJ0-9]*$`)

// isEnumerator reports whether an identifier names a constant of an enumeration.
func isEnumerator(x *cc.PrimaryExpression) bool {
	for s := x.LexicalScope(); s != nil; s = s.Parent {
		for _, n := range s.Nodes[x.Token.SrcStr()] {
			switch n.(type) {
			case *cc.Enumerator:
				return true
			case *cc.Declarator:
				return false
			}
		}
	}
	return false
}

// assignable refuses what is assigned to if it is no variable or part of one.
func assignable(n cc.ExpressionNode) {
	if !designates(n) {
		panic(errorf(position(n), "assignment to '%s', which is no variable", nameOf(n)))
	}
}

// designates reports whether an expression may name an object, or a function.
func designates(n cc.ExpressionNode) bool {
	switch x := unparen(n).(type) {
	case *cc.PrimaryExpression:
		return x.Case == cc.PrimaryExpressionIdent && !isEnumerator(x) || x.Case == cc.PrimaryExpressionString || x.Case == cc.PrimaryExpressionLString || x.Case == cc.PrimaryExpressionGeneric
	case *cc.PostfixExpression:
		switch x.Case {
		case cc.PostfixExpressionPrimary:
			return designates(x.PrimaryExpression)
		case cc.PostfixExpressionCall, cc.PostfixExpressionInc, cc.PostfixExpressionDec:
			return false
		case cc.PostfixExpressionSelect:
			return designates(x.PostfixExpression)
		}
		return true
	case *cc.UnaryExpression:
		return x.Case == cc.UnaryExpressionDeref || x.Case == cc.UnaryExpressionReal || x.Case == cc.UnaryExpressionImag
	}
	return false
}

// specifiers refuses words that are no type together.
func specifiers(list []*cc.TypeSpecifier) {
	count := map[string]int{}
	var words []string
	bases := 0
	var at cc.Node
	for _, s := range list {
		if s == nil {
			continue
		}
		at = s
		word := s.Token.SrcStr()
		switch s.Case {
		case cc.TypeSpecifierShort, cc.TypeSpecifierLong, cc.TypeSpecifierSigned, cc.TypeSpecifierUnsigned:
			word = strings.Trim(word, "_")
		case cc.TypeSpecifierComplex, cc.TypeSpecifierImaginary:
		case cc.TypeSpecifierStructOrUnion, cc.TypeSpecifierEnum, cc.TypeSpecifierAtomic:
			word = "struct"
			bases++
		default:
			bases++
		}
		count[word]++
		words = append(words, word)
	}
	long, short, sign := count["long"], count["short"], count["signed"]+count["unsigned"]
	adjusted := long + short + sign
	number := count["int"] + count["char"] + count["double"] + count["__int128"]
	switch {
	case bases <= 1 && long <= 2 && short+long <= max(1, long) && sign <= 1 && (adjusted == 0 || bases == number):
	case bases > 1 && count["struct"] > 0:
		panic(errorf(position(at), "two types in one declaration: is a ';' missing?"))
	default:
		panic(errorf(position(at), "there is no type '%s'", strings.Join(words, " ")))
	}
}
