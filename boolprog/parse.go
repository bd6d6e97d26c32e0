package boolprog

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// The reader is written by hand: the grammar is small, the graphs are made on the
// way, and the errors name what was expected, which a parser library's do not.

// parser reads a program.
type parser struct {
	lex    lexer
	tok    token
	last   int // where the token before ends
	prog   *Program
	names  map[string]int   // of the globals
	procs  map[string]*Proc // those defined so far
	calls  []call
	roots  []token // what the threads run
	primes bool    // in constrain
	depth  int     // of what is being read
	*body
}

// body is the procedure that is being read.
type body struct {
	proc    *Proc
	vars    map[string]int
	labels  map[string]int // nodes
	defined map[string]bool
	used    []token // labels of goto
	cur     int     // the node the next statement starts at
	atomic  int     // atomic blocks around it
	hidden  int     // variables for values that nobody wants
}

// call is a call whose procedure may follow in the text.
type call struct {
	edge *Edge
	name token
}

// ParseFile reads the program in a file.
func ParseFile(file string) (*Program, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return Parse(file, string(text))
}

// Parse reads a program; the file's name is for errors, which are of type *Error.
func Parse(file, src string) (prog *Program, err error) {
	p := &parser{lex: lexer{src: src, pos: Pos{1, 1}}, prog: &Program{File: file}, names: map[string]int{}, procs: map[string]*Proc{}}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Error:
			r.File = file
			prog, err = nil, r
		default:
			panic(r)
		}
	}()
	p.advance()
	for p.tok.kind != kindEnd {
		p.item()
	}
	p.link()
	return p.prog, nil
}

// fail ends the reading.
func (p *parser) fail(at Pos, format string, args ...any) {
	panic(&Error{Pos: at, Msg: fmt.Sprintf(format, args...)})
}

// maxDepth is how deep expressions and statements may be nested: whatever walks them
// is recursive.
const maxDepth = 10_000

// deeper begins something that may contain itself; the function it returns ends it.
func (p *parser) deeper() func() {
	if p.depth++; p.depth > maxDepth {
		p.fail(p.tok.pos, "nested deeper than %d levels", maxDepth)
	}
	return func() { p.depth-- }
}

// advance reads the next token and returns the current one.
func (p *parser) advance() token {
	t := p.tok
	p.last = t.end
	var err error
	if p.tok, err = p.lex.next(); err != nil {
		panic(err)
	}
	if what, ok := unsupported[p.tok.text]; ok && p.tok.kind == kindName {
		p.fail(p.tok.pos, "unsupported: %s", what)
	}
	return t
}

// is tells whether the token is this keyword or mark.
func (p *parser) is(text string) bool {
	return (p.tok.kind == kindWord || p.tok.kind == kindMark) && p.tok.text == text
}

// accept skips the token if it is this one.
func (p *parser) accept(text string) bool {
	ok := p.is(text)
	if ok {
		p.advance()
	}
	return ok
}

// expect skips the token, which has to be this one.
func (p *parser) expect(text string) {
	if !p.accept(text) {
		p.fail(p.tok.pos, "%q expected, found %s", text, p.tok)
	}
}

// name reads a name.
func (p *parser) name(what string) token {
	if p.tok.kind != kindName {
		p.fail(p.tok.pos, "the name of %s expected, found %s", what, p.tok)
	}
	return p.advance()
}

// list reads names with commas.
func (p *parser) list(what string) []token {
	l := []token{p.name(what)}
	for p.accept(",") {
		l = append(l, p.name(what))
	}
	return l
}

// item reads a declaration.
func (p *parser) item() {
	switch {
	case p.accept("decl"):
		for _, t := range p.list("a variable") {
			if _, ok := p.names[t.text]; ok {
				p.fail(t.pos, "%s is declared twice", t.text)
			}
			p.names[t.text] = len(p.prog.Globals)
			p.prog.Globals = append(p.prog.Globals, t.text)
		}
		p.expect(";")
	case p.is("init"):
		at := p.advance().pos
		e := p.expr()
		if hasChoice(e) {
			p.fail(at, "init needs an expression without * and schoose")
		}
		if p.prog.Init != nil {
			e = &Expr{Op: OpAnd, Args: []*Expr{p.prog.Init, e}}
		}
		p.prog.Init = e
		p.expect(";")
	case p.accept("thread"):
		p.roots = append(p.roots, p.list("a procedure")...)
		p.expect(";")
	case p.is("void") || p.is("bool"):
		p.procedure()
	default:
		p.fail(p.tok.pos, "decl, init, thread, void or bool expected, found %s", p.tok)
	}
}

// hasChoice tells whether the value of e is open.
func hasChoice(e *Expr) bool {
	return e.Op == OpChoice || e.Op == OpSchoose || slices.ContainsFunc(e.Args, hasChoice)
}

// procedure reads a procedure.
func (p *parser) procedure() {
	proc := &Proc{}
	if p.advance().text == "bool" {
		proc.Results = 1
		if p.accept("<") {
			n, err := strconv.Atoi(p.tok.text)
			if err != nil || n < 1 || n > 1000 {
				p.fail(p.tok.pos, "a number of results from 1 to 1000 expected, found %s", p.tok)
			}
			proc.Results = n
			p.advance()
			p.expect(">")
		}
	}
	t := p.name("a procedure")
	if p.procs[t.text] != nil {
		p.fail(t.pos, "procedure %s is defined twice", t.text)
	}
	proc.Name, proc.Pos = t.text, t.pos
	p.procs[t.text] = proc
	p.prog.Procs = append(p.prog.Procs, proc)
	p.body = &body{proc: proc, vars: map[string]int{}, labels: map[string]int{}, defined: map[string]bool{}}
	defer func() { p.body = nil }()
	p.expect("(")
	if !p.is(")") {
		p.locals("a parameter")
	}
	p.expect(")")
	proc.Params = len(proc.Vars)
	p.expect("begin")
	for p.accept("decl") {
		p.locals("a variable")
		p.expect(";")
	}
	for i := range proc.Results {
		proc.Vars = append(proc.Vars, fmt.Sprintf("result %d", i+1))
	}
	proc.Entry = p.node(p.tok.pos)
	proc.Exit = p.node(p.tok.pos)
	p.cur = proc.Entry
	p.statements("end")
	end := p.advance()
	p.proc.Nodes[proc.Exit].Pos = end.pos
	if p.proc.Nodes[p.cur].Pos == (Pos{}) || p.cur == proc.Entry {
		p.proc.Nodes[p.cur].Pos = end.pos
	}
	p.edge(&Edge{From: p.cur, To: proc.Exit, Pos: end.pos}) // results that no return sets have any value
	p.hide()
	for _, t := range p.used {
		if !p.defined[t.text] {
			p.fail(t.pos, "procedure %s has no label %s", proc.Name, t.text)
		}
	}
}

// locals declares variables of the procedure.
func (p *parser) locals(what string) {
	for _, t := range p.list(what) {
		if _, ok := p.vars[t.text]; ok {
			p.fail(t.pos, "%s is declared twice", t.text)
		}
		p.vars[t.text] = len(p.proc.Vars)
		p.proc.Vars = append(p.proc.Vars, t.text)
	}
}

// declared tells whether a name is one of a variable.
func (p *parser) declared(t token) bool {
	_, global := p.names[t.text]
	_, local := p.vars[t.text]
	return global || local
}

// variable finds the variable with a name.
func (p *parser) variable(t token) Var {
	if p.body != nil {
		if i, ok := p.vars[t.text]; ok {
			return Var{Index: i}
		}
	}
	i, ok := p.names[t.text]
	if !ok {
		p.fail(t.pos, "%s is not declared", t.text)
	}
	return Var{Global: true, Index: i}
}

// link finds the procedures of calls and threads.
func (p *parser) link() {
	for _, c := range p.calls {
		f := p.procs[c.name.text]
		switch {
		case f == nil:
			p.fail(c.name.pos, "procedure %s is not defined", c.name.text)
		case len(c.edge.Values) != f.Params:
			p.fail(c.name.pos, "%s has %s, %d given", f.Name, plural(f.Params, "parameter"), len(c.edge.Values))
		case len(c.edge.Targets) != f.Results && len(c.edge.Targets) > 0:
			p.fail(c.name.pos, "%s has %s, %d assigned", f.Name, plural(f.Results, "result"), len(c.edge.Targets))
		}
		c.edge.Callee = f
	}
	if len(p.roots) == 0 {
		main := p.procs["main"]
		if main == nil {
			p.fail(Pos{1, 1}, "no thread is declared, and there is no procedure main")
		}
		p.roots = []token{{text: "main", pos: main.Pos}}
	}
	for _, t := range p.roots {
		f := p.procs[t.text]
		switch {
		case f == nil:
			p.fail(t.pos, "procedure %s is not defined", t.text)
		case f.Params > 0:
			p.fail(t.pos, "a thread cannot run %s: it has parameters", t.text)
		}
		p.prog.Threads = append(p.prog.Threads, f)
	}
}

// plural returns a number with a noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// text returns the program's text from a place up to the current token, on one line.
func (p *parser) text(start int) string {
	return strings.Join(strings.Fields(p.lex.src[start:p.last]), " ")
}
