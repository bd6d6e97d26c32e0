package replay

import (
	"fmt"
	"reflect"
	"strings"

	cfront "comus/internal/oldfront"

	"modernc.org/cc/v4"
)

// weaver rewrites a program. It keeps the tokens, and replaces those of the
// expressions that touch shared memory or call something.
type weaver struct {
	sched   *schedule
	defined map[string]bool // functions of the program
	runs    []string        // by thread: the function it runs
	atomics *cfront.Atomics
	globals map[string]cc.Type
	temps   int
	busy    int // grows whenever something is woven in
	fn      string
	// edits, by number of the token: text after it, and for replaced ones the text
	// instead and the number of the last one replaced.
	after, instead map[int]string
	last           map[int]int
	bound          map[int]*cc.Declarator // the variables that cells belong to
	renamed        map[int]string         // tokens that are names of hoisted variables
	// Of the current function:
	jumps   cfront.Jumps
	hoisted map[*cc.Declarator]string // the new names of variables
	inFor   map[*cc.Declaration]bool  // those at the beginning of a for loop that declare them
}

// text returns the tokens of a node with what is woven in.
func (w *weaver) text(n cc.Node) string {
	w.visit(n)
	return w.render(cc.NodeTokens(n), false)
}

// spelling returns the text of a node with nothing woven in.
func (w *weaver) spelling(n cc.Node) string {
	var words []string
	for _, t := range cc.NodeTokens(n) {
		words = append(words, w.spell(t))
	}
	return strings.Join(words, " ")
}

// spell returns the text of a token.
func (w *weaver) spell(t cc.Token) string {
	if s, ok := w.renamed[t.Seq()]; ok {
		return s
	}
	return t.SrcStr()
}

// visit finds the outermost expressions below a node, and declarations.
func (w *weaver) visit(n cc.Node) {
	if isNil(n) {
		return
	}
	switch x := n.(type) {
	case cc.ExpressionNode:
		w.replace(x)
		return
	case *cc.FunctionDefinition:
		w.fn = x.Declarator.Name()
		dropFunc(x.CompoundStatement)
		w.after[x.CompoundStatement.Token.Seq()] += w.hoist(x)
		w.visit(x.CompoundStatement)
		w.parameters(x)
		if toks := cc.NodeTokens(x); w.fn == "main" {
			w.after[toks[len(toks)-2].Seq()] += " comus_returns(0);"
		}
		w.fn = ""
		return
	case *cc.Declaration:
		if w.fn != "" && w.reassign(x) {
			return
		}
		if w.fn != "" {
			w.declaration(x)
		}
	case *cc.SelectionStatement:
		if w.enterBySwitch(x) {
			return
		}
	case *cc.CompoundStatement, *cc.IterationStatement, *cc.JumpStatement:
		w.enter(x)
	case *cc.DeclarationSpecifiers, *cc.Declarator, *cc.TypeName:
		return
	case *cc.LabeledStatement:
		if x.Case == cc.LabeledStatementLabel && x.Token.SrcStr() == "ERROR" {
			w.after[x.Token2.Seq()] += " comus_fail(\"label ERROR\");"
		}
	}
	each(n, w.visit)
}

func isNil(n cc.Node) bool {
	if n == nil {
		return true
	}
	v := reflect.ValueOf(n)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

// dropFunc removes the declaration of __func__ that the parser has put into a
// function: its tokens are no part of the source.
func dropFunc(s *cc.CompoundStatement) {
	l := s.BlockItemList
	if l == nil || l.BlockItem.Declaration == nil {
		return
	}
	if i := l.BlockItem.Declaration.InitDeclaratorList; i != nil && i.InitDeclarator.Declarator.Name() == "__func__" {
		s.BlockItemList = l.BlockItemList
	}
}

// replace weaves a whole expression, if there is something to weave in.
func (w *weaver) replace(n cc.ExpressionNode) {
	toks := cc.NodeTokens(n)
	if len(toks) == 0 || w.fn == "" {
		return
	}
	before := w.busy
	s := w.value(n)
	if w.busy == before {
		return
	}
	w.instead[toks[0].Seq()], w.last[toks[0].Seq()] = s, toks[len(toks)-1].Seq()
}

// declaration adds, after a declaration in a function, what makes its variables
// known and gives them their values.
func (w *weaver) declaration(x *cc.Declaration) {
	var ds []*cc.InitDeclarator
	for l := x.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		ds = append(ds, l.InitDeclarator)
	}
	toks := cc.NodeTokens(x)
	end := toks[len(toks)-1].Seq()
	for _, d := range ds {
		if d == nil || d.Declarator == nil || d.Declarator.IsTypename() {
			continue
		}
		name := d.Declarator.Name()
		binds := w.binds(d.Declarator, name, d.Declarator.IsStatic())
		w.after[end] += binds
		if d.Initializer != nil && binds != "" && !d.Declarator.IsStatic() {
			w.after[end] += fmt.Sprintf(" comus_initialised(&%s, sizeof %s);", name, name)
		}
		if d.Initializer == nil && !d.Declarator.IsStatic() {
			p := d.Position()
			w.after[end] += w.anyValue(p.Line, p.Column, name, name)
		}
	}
}

// binds returns the calls that tell where the cells of a local variable are, which gcc
// knows under another name.
func (w *weaver) binds(d *cc.Declarator, as string, static bool) string {
	var b strings.Builder
	name, t := d.Name(), d.Type()
	for i, c := range w.sched.cells {
		if c.root != name || c.fn == "" || static != (c.thread < 0) {
			continue
		}
		c.lvalue, c.root = as+strings.TrimPrefix(c.lvalue, c.root), as
		if c.fn == w.fn || c.fn == "." && w.runs[c.thread] == w.fn {
			if other := w.bound[i]; other != nil && other != d {
				w.fail(d, "several variables named '%s' in one function, of which other threads or pointers use one", name)
			}
			w.bound[i] = d
			fmt.Fprintf(&b, " comus_bind(%d, %d, %s);", i, c.thread, w.location(c, t))
		}
	}
	return b.String()
}

// anyValue returns the calls that give a variable declared at a place the values
// of the execution.
func (w *weaver) anyValue(line, col int, name, as string) string {
	s := ""
	for _, key := range w.sched.keys() {
		var l, c int
		var lvalue string
		if n, _ := fmt.Sscanf(key, "%d:%d %s", &l, &c, &lvalue); n < 3 || l != line || c != col {
			continue
		}
		if lvalue == name || strings.HasPrefix(lvalue, name+".") || strings.HasPrefix(lvalue, name+"[") {
			s += fmt.Sprintf(" COMUS_ANY(%d, %s);", w.sched.sites[key], as+strings.TrimPrefix(lvalue, name))
		}
	}
	return s
}

// parameters does for the parameters of a function what declaration does.
func (w *weaver) parameters(x *cc.FunctionDefinition) {
	ft, ok := x.Declarator.Type().(*cc.FunctionType)
	if !ok {
		return
	}
	open := x.CompoundStatement.Token.Seq()
	for _, p := range ft.Parameters() {
		if p.Declarator == nil {
			continue
		}
		name := p.Declarator.Name()
		if binds := w.binds(p.Declarator, name, false); binds != "" {
			w.after[open] += binds + fmt.Sprintf(" comus_initialised(&%s, sizeof %s);", name, name)
		}
		if w.fn == "main" {
			pos := p.Declarator.Position()
			w.after[open] += w.anyValue(pos.Line, pos.Column, name, name)
		}
	}
}

// render writes tokens down with the edits, in the lines they were in if lines is
// set.
func (w *weaver) render(toks []cc.Token, lines bool) string {
	var b strings.Builder
	line, file, skip := 0, "", 0
	for _, t := range toks {
		seq := t.Seq()
		if seq <= skip {
			continue
		}
		p := t.Position()
		switch {
		case !lines || p.Line == line && p.Filename == file:
			b.WriteString(" ")
		case file == p.Filename && p.Line > line && p.Line < line+4:
			b.WriteString(strings.Repeat("\n", p.Line-line) + strings.Repeat(" ", max(0, p.Column-1)))
			line = p.Line
		default:
			fmt.Fprintf(&b, "\n#line %d %q\n%s", p.Line, p.Filename, strings.Repeat(" ", max(0, p.Column-1)))
			line, file = p.Line, p.Filename
		}
		if s, ok := w.instead[seq]; ok {
			b.WriteString(s)
			skip = w.last[seq]
			b.WriteString(w.after[skip])
			continue
		}
		b.WriteString(w.spell(t))
		b.WriteString(w.after[seq])
	}
	return b.String()
}
