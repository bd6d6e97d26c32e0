package replay

import (
	"reflect"
	"strings"

	cfront "comus/internal/oldfront"
	"comus/ir"
	"comus/ir/interp"

	"modernc.org/cc/v4"
)

// source is what a schedule has to know about the text of the program.
type source struct {
	declared map[string]bool // names of variables
	literals map[ir.Pos]bool // where compound literals are
}

// sourceOf collects it.
func sourceOf(ast *cc.AST) source {
	s := source{map[string]bool{}, map[ir.Pos]bool{}}
	var walk func(n cc.Node)
	walk = func(n cc.Node) {
		if isNil(n) {
			return
		}
		switch x := n.(type) {
		case *cc.PostfixExpression:
			if x.Case == cc.PostfixExpressionComplit {
				p := x.Position()
				s.literals[ir.Pos{File: p.Filename, Line: p.Line, Col: p.Column}] = true
			}
		case *cc.InitDeclarator:
			if x.Declarator != nil {
				s.declared[x.Declarator.Name()] = true
			}
		}
		each(n, walk)
	}
	for l := ast.TranslationUnit; l != nil; l = l.TranslationUnit {
		walk(l.ExternalDeclaration)
	}
	return s
}

// each calls f for the nodes right below a node.
func each(n cc.Node, f func(cc.Node)) {
	v := reflect.ValueOf(n)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return
	}
	v = v.Elem()
	for i := range v.NumField() {
		if t := v.Type().Field(i); t.IsExported() && !t.Anonymous && !strings.HasPrefix(t.Name, "Token") {
			if m, ok := v.Field(i).Interface().(cc.Node); ok {
				f(m)
			}
		}
	}
}

// isLiteral reports whether a variable is a part of a string literal or a compound
// literal. These have no names, and need no turns if nothing but their
// initialisation writes them: they hold the same values whenever they are read.
func (s *schedule) isLiteral(v *ir.Var) bool {
	root, _, _ := strings.Cut(v.Source, ".")
	root, _, _ = strings.Cut(root, "[")
	return (root == "literal" || root == "string") && !s.names.declared[root]
}

// literalWrite notes that a step writes a variable, and refuses an execution that
// changes a literal that threads share.
func (s *schedule) literalWrite(st interp.TraceStep, v *ir.Var) {
	if v.Thread != ir.Shared || !s.isLiteral(v) {
		return
	}
	s.literals[v]++
	if s.literals[v] > 1 || !s.names.literals[st.Pos] {
		s.refused = &cfront.Error{Pos: st.Pos, Msg: "cannot replay: threads share a compound literal that changes"}
	}
}
