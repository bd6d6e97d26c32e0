package replay

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"
)

// globals returns the types of the variables of the program that are no function's.
func globals(ast *cc.AST) map[string]cc.Type {
	out := map[string]cc.Type{}
	for l := ast.TranslationUnit; l != nil; l = l.TranslationUnit {
		if d := l.ExternalDeclaration.Declaration; d != nil {
			for i := d.InitDeclaratorList; i != nil; i = i.InitDeclaratorList {
				out[i.InitDeclarator.Declarator.Name()] = i.InitDeclarator.Declarator.Type()
			}
		}
	}
	return out
}

// location returns the address and the size of a cell of a variable of type t, and
// whether it is a pointer: addresses are others in the execution. A bit-field is known
// by the first byte with bits of it, and has the size 0.
func (w *weaver) location(c cell, t cc.Type) string {
	for path := strings.TrimPrefix(c.lvalue, c.root); path != "" && t != nil; {
		switch x := t.Undecay().(type) {
		case *cc.ArrayType:
			t, path = x.Elem(), path[strings.IndexByte(path, ']')+1:]
		case fields:
			name := path[1:]
			if i := strings.IndexAny(name, ".["); i >= 0 {
				name = name[:i]
			}
			path = path[1+len(name):]
			f := x.FieldByName(name)
			if f == nil {
				t = nil
				break
			}
			if t = f.Type(); f.IsBitfield() && path == "" {
				return fmt.Sprintf("(char *)&%s + %d, 0, 0", strings.TrimSuffix(c.lvalue, "."+name), bitByte(f))
			}
		default:
			t = nil
		}
	}
	pointer := 0
	if t != nil && t.Undecay().Kind() == cc.Ptr {
		pointer = 1
	}
	return fmt.Sprintf("&%s, sizeof %s, %d", c.lvalue, c.lvalue, pointer)
}

// fields are structs and unions.
type fields interface{ FieldByName(string) *cc.Field }

func bitByte(f *cc.Field) int64 { return f.Offset() + int64(f.OffsetBits())/8 }

// bits returns, for a bit-field, the struct, the name and the byte as arguments of
// the macros for bit-fields.
func (w *weaver) bits(n cc.ExpressionNode) string {
	x, ok := plain(n).(*cc.PostfixExpression)
	if !ok || x.Case != cc.PostfixExpressionSelect && x.Case != cc.PostfixExpressionPSelect {
		return ""
	}
	f := x.Field()
	if f == nil || !f.IsBitfield() {
		return ""
	}
	base := "*" + w.value(x.PostfixExpression)
	if x.Case == cc.PostfixExpressionSelect {
		base = w.place(x.PostfixExpression)
	}
	return fmt.Sprintf("%s, %s, %d", base, x.Token2.SrcStr(), bitByte(f))
}
