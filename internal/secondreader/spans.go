package secondreader

import (
	"fmt"
	"math"

	"modernc.org/cc/v4"
)

// Span is the tokens of a node, by their numbers in the item; Kind is one letter: (e)xpression, (s)tatement, (d)eclaration, declarato(r),
// (t)ype name, (i)nitialiser.
type Span struct {
	Kind        byte
	First, Last int
}

// Item is a declaration of file scope or a definition of a function, as tokens and the spans of its nodes.
type Item struct {
	At     Place
	Tokens []string
	Spans  map[Span]bool
}

// Text returns the tokens of a span.
func (it *Item) Text(s Span) string {
	out := ""
	for i := s.First; i <= s.Last && i < len(it.Tokens) && len(out) < 100; i++ {
		out += " " + it.Tokens[i]
	}
	return fmt.Sprintf("%c%s", s.Kind, out)
}

// Items returns what the unit has at file scope, in order.
func (u *Unit) Items() (out []*Item) {
	for l := u.ast.TranslationUnit; l != nil; l = l.TranslationUnit {
		x := l.ExternalDeclaration
		if x == nil || x.Case == cc.ExternalDeclarationEmpty {
			continue
		}
		switch at := u.r.place(x); at.File {
		case "<builtin>", "<predefined>", ".":
		default:
			out = append(out, u.r.item(x))
		}
	}
	return out
}

// item numbers the tokens of a node and notes the spans of those within.
func (r *Reader) item(x cc.Node) *Item {
	it := &Item{Spans: map[Span]bool{}}
	number := map[cc.Token]int{}
	toks := cc.NodeTokens(x)
	if len(toks) > 0 { // the first one may be an attribute, which x.Position does not count
		it.At = r.place(toks[0])
	}
	for i := 0; i < len(toks); i++ {
		if text := toks[i].SrcStr(); text == "static" && i+8 < len(toks) && toks[i+3].SrcStr() == "__func__" && toks[i+4].SrcStr() == "[" {
			i += 8 // static const char __func__[] = "…"; is cc's own
			continue
		}
		number[toks[i]] = len(it.Tokens)
		it.Tokens = append(it.Tokens, toks[i].SrcStr())
	}
	it.visit(x, number)
	return it
}

func (it *Item) visit(n cc.Node, number map[cc.Token]int) (first, last int) {
	first, last = math.MaxInt, -1
	if t, ok := n.(cc.Token); ok {
		if i, ok := number[t]; ok {
			return i, i
		}
		return first, last
	}
	in := it
	switch n.(type) {
	case *cc.AsmStatement, *cc.Asm, *cc.AttributeSpecifier: // what is in there is not compared
		in = &Item{Spans: map[Span]bool{}}
	}
	children(n, func(c cc.Node) {
		a, b := in.visit(c, number)
		first, last = min(first, a), max(last, b)
	})
	if d, ok := n.(*cc.DirectDeclarator); ok && d.Case == cc.DirectDeclaratorDecl { // in parentheses: it is a part of that around it
		a, b := it.visit(d.Declarator, number)
		delete(it.Spans, Span{'r', a, b})
	}
	if k := kindOf(n); k != 0 && last >= 0 {
		it.Spans[Span{k, first, head(n, last, number)}] = true
	}
	return first, last
}

// head is the last token of a node; of if, switch, loops and labels of cases, whose spans with us are what stands before
// the statement within, the last one of that.
func head(n cc.Node, last int, number map[cc.Token]int) int {
	at := func(t cc.Token) int { return number[t] }
	switch n := n.(type) {
	case *cc.LabeledStatement:
		switch n.Case {
		case cc.LabeledStatementCaseLabel, cc.LabeledStatementDefault:
			return at(n.Token2)
		case cc.LabeledStatementRange:
			return at(n.Token3)
		}
	case *cc.SelectionStatement:
		return at(n.Token3)
	case *cc.IterationStatement:
		switch n.Case {
		case cc.IterationStatementWhile:
			return at(n.Token3)
		case cc.IterationStatementDo:
			return at(n.Token)
		case cc.IterationStatementForDecl:
			return at(n.Token4)
		}
		return at(n.Token5)
	}
	return last
}

func kindOf(n cc.Node) byte {
	switch n := n.(type) {
	case *cc.CompoundStatement, *cc.ExpressionStatement, *cc.IterationStatement, *cc.SelectionStatement, *cc.JumpStatement, *cc.LabeledStatement, *cc.AsmStatement:
		return 's'
	case *cc.Declaration:
		if n.Case != cc.DeclarationAssert {
			return 'd'
		}
	case *cc.TypeName:
		return 't'
	case *cc.Initializer:
		return 'i'
	case *cc.Declarator:
		if !n.IsSynthetic() {
			return 'r'
		}
	case *cc.ExpressionList: // a, b, c: cc has a list, we have operators
	case cc.ExpressionNode:
		return 'e'
	}
	return 0
}
