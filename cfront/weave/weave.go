package weave

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"comus/cfront/syntax"
	"comus/cfront/types"
)

// Weaver collects what is to be put into a unit.
type Weaver struct {
	*Outline
	pieces []piece
}

// piece is C around some tokens of the unit.
type piece struct {
	first, last   int32 // last < first: before the token first
	before, after []syntax.Token
}

// New returns a Weaver for a unit.
func New(in *syntax.Input) (*Weaver, error) {
	o, err := OutlineOf(in)
	if err != nil {
		return nil, err
	}
	return &Weaver{Outline: o}, nil
}

// Text is C that is put in: a text of the caller's own, in which $1, $2 … stand for expressions that
// somebody else wrote.
type Text struct {
	C    string
	Args []Expression
	Line int // that its tokens are in, of the file [Monitor]
}

// Expression is an expression of somebody else's, with the place that its tokens get.
type Expression struct {
	C  string
	At types.Pos
	// Result is the name that \result stands for; "": it is not allowed.
	Result string
}

// Monitor is the file of the tokens that are the caller's own.
const Monitor = "<witness>"

// lex makes tokens of a text.
func (t Text) lex() ([]syntax.Token, error) {
	var out []syntax.Token
	for _, tok := range syntax.Lex(Monitor, []byte(t.C)).Tokens {
		tok.Pos.Line = max(t.Line, 1)
		var n int
		if _, err := fmt.Sscanf(tok.Text, "$%d", &n); err == nil && strings.HasPrefix(tok.Text, "$") {
			list, err := t.Args[n-1].lex()
			if err != nil {
				return nil, err
			}
			out = append(out, syntax.Token{Kind: syntax.Punct, Text: "(", Space: true, Pos: tok.Pos})
			out = append(out, list...)
			out = append(out, syntax.Token{Kind: syntax.Punct, Text: ")", Pos: tok.Pos})
			continue
		}
		out = append(out, tok)
	}
	return out, nil
}

// Error is why an expression cannot be put in.
type Error struct {
	At  types.Pos // that of the expression
	Msg string
}

// Error returns what is wrong.
func (e *Error) Error() string { return e.Msg }

// lex makes tokens of an expression. The error is for what cannot be one.
func (e Expression) lex() ([]syntax.Token, error) {
	fail := func(format string, args ...any) error { return &Error{e.At, fmt.Sprintf(format, args...)} }
	list := syntax.Lex(e.At.File, []byte(e.C)).Tokens
	if len(list) == 0 {
		return nil, fail("an expression is missing")
	}
	var open []string
	closes := map[string]string{")": "(", "]": "["}
	for i := range list {
		t := &list[i]
		switch {
		case t.Kind == syntax.Pragma || t.Kind == syntax.Invalid:
			return nil, fail("‘%s’ is no part of an expression", t.Text)
		case t.Kind == syntax.Ident && t.Text == `\result`:
			if e.Result == "" {
				return nil, fail(`\result has no meaning here`)
			}
			t.Text = e.Result
		case t.Kind == syntax.Ident && (strings.Contains(t.Text, `\`) || strings.HasPrefix(t.Text, "__comus_")):
			return nil, fail("‘%s’ has no meaning here", t.Text)
		case t.Kind != syntax.Punct:
		case strings.Contains(";{}#$@`", t.Text):
			return nil, fail("‘%s’ is no part of an expression", t.Text)
		case t.Text == "(" || t.Text == "[":
			open = append(open, t.Text)
		case closes[t.Text] != "":
			if len(open) == 0 || open[len(open)-1] != closes[t.Text] {
				return nil, fail("‘%s’ closes nothing", t.Text)
			}
			open = open[:len(open)-1]
		}
		t.Pos = e.At
	}
	if len(open) > 0 {
		return nil, fail("‘%s’ is not closed", open[len(open)-1])
	}
	return list, nil
}

// around puts C around tokens.
func (w *Weaver) around(first, last int32, before, after Text) error {
	a, err := before.lex()
	if err != nil {
		return err
	}
	b, err := after.lex()
	if err == nil {
		w.pieces = append(w.pieces, piece{first, last, a, b})
	}
	return err
}

// Before puts statements before a statement.
func (w *Weaver) Before(s *Statement, text Text) error {
	if !s.body {
		return w.around(s.first, s.last, text, Text{})
	}
	text.C = "{" + text.C
	return w.around(s.first, s.last, text, Text{C: "}"})
}

// Around puts statements before and after one; control may leave it elsewhere. A declaration has only a before and an
// after in its block.
func (w *Weaver) Around(s *Statement, before, after Text) error {
	if !s.decl {
		before.C, after.C = "{"+before.C, after.C+"}"
	}
	return w.around(s.first, s.last, before, after)
}

// AroundCall puts statements before and after a call, whose result is __comus_result in those after it.
func (w *Weaver) AroundCall(c *Call, before, after Text) error {
	at := c.Node.At()
	for _, s := range w.Statements {
		if x, ok := s.Node.(*syntax.ExprStmt); ok && x.X == syntax.Expr(c.Node) && !usesResult(after) {
			before.C, after.C = "({"+before.C, ";"+after.C+"})"
			return w.around(at.First, at.Last, before, after)
		}
	}
	before.C, after.C = "({"+before.C+" __auto_type __comus_result = ", ";"+after.C+" __comus_result; })"
	return w.around(at.First, at.Last, before, after)
}

// usesResult reports whether a text is about the result of a call.
func usesResult(t Text) bool {
	return slices.ContainsFunc(t.Args, func(e Expression) bool { return strings.Contains(e.C, `\result`) })
}

// Arguments puts statements between the evaluation of a call's arguments and the call.
func (w *Weaver) Arguments(c *Call, text Text) error {
	if n := len(c.Node.Args); n > 0 {
		at := c.Node.Args[n-1].At()
		text.C += " __comus_argument; })"
		return w.around(at.First, at.Last, Text{C: "({ __auto_type __comus_argument = ("}, Text{C: ");" + text.C, Args: text.Args, Line: text.Line})
	}
	return w.AroundCall(c, text, Text{})
}

// Branch puts statements between the evaluation of a condition, which is __comus_condition in them, and the branch.
func (w *Weaver) Branch(c *Condition, text Text) error {
	typ := "_Bool"
	if c.Switch {
		typ = "__auto_type"
	}
	before, after := Text{C: "({ " + typ + " __comus_condition = ("}, Text{C: ");" + text.C + " __comus_condition; })", Args: text.Args, Line: text.Line}
	if c.last < c.first {
		before.C += "1"
	}
	return w.around(c.first, c.last, before, after)
}

// LoopHead puts statements before each evaluation of a loop's condition.
func (w *Weaver) LoopHead(c *Condition, text Text) error {
	text.C = "({" + text.C + " 1; })"
	if c.last < c.first {
		return w.around(c.first, c.last, text, Text{})
	}
	text.C += ", ("
	return w.around(c.first, c.last, text, Text{C: ")"})
}

// End puts statements before the brace that ends a function.
func (w *Weaver) End(f *Function, text Text) error { return w.around(f.close, f.close-1, text, Text{}) }

// Unit returns the unit with all that was put in. Top are declarations that come before all others.
func (w *Weaver) Unit(top Text) (*syntax.Input, error) {
	if err := w.around(0, -1, top, Text{}); err != nil {
		return nil, err
	}
	before, after := map[int32][]piece{}, map[int32][]piece{}
	for _, p := range w.pieces {
		before[p.first] = append(before[p.first], p)
		if p.last >= p.first {
			after[p.last] = append(after[p.last], p)
		}
	}
	in := &syntax.Input{File: w.in.File, System: w.in.System}
	var from []int // of w.in, for each token; -1: woven
	add := func(list []syntax.Token) {
		in.Tokens = append(in.Tokens, list...)
		for range list {
			from = append(from, -1)
		}
	}
	for i := range int32(len(w.in.Tokens)) {
		list := before[i]
		slices.SortStableFunc(list, func(a, b piece) int { return cmp.Compare(b.last, a.last) })
		slices.SortStableFunc(list, func(a, b piece) int { return cmp.Compare(empty(b), empty(a)) })
		for _, p := range list {
			add(p.before)
		}
		in.Tokens, from = append(in.Tokens, w.in.Tokens[i]), append(from, int(i))
		list = slices.Clone(after[i])
		slices.Reverse(list)
		slices.SortStableFunc(list, func(a, b piece) int { return cmp.Compare(b.first, a.first) })
		for _, p := range list {
			add(p.after)
		}
	}
	in.Text = w.text(in, from)
	return in, sideEffects(in)
}

// empty is 1 for what is put before a token, and belongs to what ends there.
func empty(p piece) int {
	if p.last < p.first {
		return 1
	}
	return 0
}

// text returns what the user wrote for tokens of the woven unit.
func (w *Weaver) text(in *syntax.Input, from []int) func(first, last int) string {
	plain := &syntax.Input{Tokens: in.Tokens}
	return func(first, last int) string {
		a, b := first, last
		for a < b && from[a] < 0 {
			a++
		}
		for b > a && from[b] < 0 {
			b--
		}
		if from[a] < 0 || from[b] < 0 {
			return plain.TextOf(syntax.Span{First: int32(first), Last: int32(last)})
		}
		return w.in.TextOf(syntax.Span{First: int32(from[a]), Last: int32(from[b])})
	}
}

// sideEffects returns an error if an expression of somebody else's changes something, or may.
func sideEffects(in *syntax.Input) error {
	u, err := syntax.Parse(in)
	if err != nil {
		return err
	}
	var bad error
	for _, it := range u.Items {
		walk(reflect.ValueOf(it), func(n syntax.Node) bool {
			at := n.At()
			if bad == nil && int(at.First) < len(in.Tokens) && IsWoven(in.Tokens[at.First].Pos) && in.Tokens[at.First].Pos.File != Monitor {
				bad = sideEffect(n, in.Tokens[at.First].Pos)
			}
			return bad == nil
		})
	}
	return bad
}

// sideEffect returns an error if a node is one of an expression with effects.
func sideEffect(n syntax.Node, at types.Pos) error {
	what := ""
	switch n := n.(type) {
	case *syntax.Assign, *syntax.Postfix:
		what = "an assignment"
	case *syntax.Unary:
		if n.Op == "++" || n.Op == "--" {
			what = "an assignment"
		}
	case *syntax.Call:
		what = "a call"
	case *syntax.VaArg:
		what = "va_arg"
	}
	if what == "" {
		return nil
	}
	return &Error{at, "the expression has a side effect: " + what}
}

// IsWoven reports whether a place is one of what was put in.
func IsWoven(p types.Pos) bool { return strings.HasPrefix(p.File, "<witness") }
