package boolprog

import "slices"

// node adds a node.
func (p *parser) node(at Pos) int {
	p.proc.Nodes = append(p.proc.Nodes, Node{Pos: at, Atomic: p.atomic > 0})
	return len(p.proc.Nodes) - 1
}

// edge adds an edge.
func (p *parser) edge(e *Edge) { p.proc.Edges = append(p.proc.Edges, e) }

// join goes on from a node without a statement.
func (p *parser) join(from, to int, at Pos) { p.edge(&Edge{From: from, To: to, Pos: at}) }

// step adds an edge from the current node to a new one, which becomes the current.
func (p *parser) step(e *Edge) {
	e.From = p.cur
	p.cur = p.node(e.Pos)
	e.To = p.cur
	p.edge(e)
}

// statements reads statements up to one of the keywords, which it does not skip.
func (p *parser) statements(ends ...string) {
	for {
		for _, w := range ends {
			if p.is(w) {
				return
			}
		}
		p.statement()
	}
}

// statement reads a statement with its labels.
func (p *parser) statement() {
	defer p.deeper()()
	start := p.tok
	at := start.pos
	p.proc.Nodes[p.cur].Pos = at
	switch {
	case p.tok.kind == kindName:
		p.named(start)
		return
	case p.accept("skip"):
		p.step(&Edge{Pos: at, Text: "skip"})
	case p.accept("assume"):
		e := p.expr()
		p.step(&Edge{Pos: at, Guard: e, Text: p.text(start.start)})
	case p.accept("assert"):
		e := p.expr()
		bad := p.node(at)
		p.proc.Nodes[bad].Error = true
		p.edge(&Edge{From: p.cur, To: bad, Pos: at, Guard: Not(e), Text: p.text(start.start)})
		p.step(&Edge{Pos: at, Guard: e, Text: p.text(start.start)})
	case p.accept("dead"):
		e := &Edge{Pos: at}
		for _, t := range p.list("a variable") {
			p.target(e, t)
			e.Values = append(e.Values, &Expr{Op: OpChoice})
		}
		e.Text = p.text(start.start)
		p.step(e)
	case p.accept("goto"):
		for _, t := range p.list("a label") {
			p.used = append(p.used, t)
			p.edge(&Edge{From: p.cur, To: p.label(t), Pos: at, Text: "goto " + t.text})
		}
		p.cur = p.node(at)
	case p.is("return"):
		p.returns(start)
	case p.accept("if"):
		p.branches(start)
		p.accept(";")
		return
	case p.accept("while"):
		p.loop(start)
		p.accept(";")
		return
	case p.accept("atomic"):
		p.block(at)
		p.accept(";")
		return
	default:
		p.fail(at, "a statement expected, found %s", p.tok)
	}
	p.expect(";")
}

// label returns the node of a label.
func (p *parser) label(t token) int {
	n, ok := p.labels[t.text]
	if !ok {
		n = p.node(t.pos)
		p.labels[t.text] = n
	}
	return n
}

// named reads a statement that begins with a name: a label, a call or an
// assignment.
func (p *parser) named(start token) {
	first := p.advance()
	switch {
	case p.is(":"):
		p.advance()
		if p.defined[first.text] {
			p.fail(first.pos, "label %s is defined twice", first.text)
		}
		n := p.label(first)
		p.defined[first.text] = true
		p.proc.Nodes[n].Atomic = p.atomic > 0 // a goto may have made it elsewhere
		p.proc.Nodes[n].Pos = first.pos
		p.join(p.cur, n, first.pos)
		p.cur = n
		return // the statement follows, or the end of the block
	case p.is("("):
		p.invoke(&Edge{Pos: start.pos}, first, start)
	default:
		e := &Edge{Pos: start.pos}
		p.target(e, first)
		for p.accept(",") {
			p.target(e, p.name("a variable"))
		}
		p.expect(":=")
		p.assigned(e, start)
	}
	p.expect(";")
}

// target adds a target to an assignment.
func (p *parser) target(e *Edge, t token) {
	if t.text == "_" && !p.declared(t) {
		p.unwanted(e)
		return
	}
	v := p.variable(t)
	for _, w := range e.Targets {
		if v == w {
			p.fail(t.pos, "%s is assigned twice in one statement", t.text)
		}
	}
	e.Targets = append(e.Targets, v)
}

// unwanted adds a target that nothing reads: a hidden local variable, which has a
// negative number until hide has given it its place.
func (p *parser) unwanted(e *Edge) {
	n := 1
	for _, v := range e.Targets {
		if v.Index < 0 {
			n++
		}
	}
	p.hidden = max(p.hidden, n)
	e.Targets = append(e.Targets, Var{Index: -n})
}

// hide puts the hidden variables of unwanted between the local ones and the results.
func (p *parser) hide() {
	first := len(p.proc.Vars) - p.proc.Results
	for _, e := range p.proc.Edges {
		for i, v := range e.Targets {
			switch {
			case v.Index < 0:
				e.Targets[i].Index = first - v.Index - 1
			case !v.Global && v.Index >= first:
				e.Targets[i].Index += p.hidden
			}
		}
	}
	p.proc.Vars = slices.Insert(p.proc.Vars, first, slices.Repeat([]string{"_"}, p.hidden)...)
}

// assigned reads what is behind := in an assignment.
func (p *parser) assigned(e *Edge, start token) {
	at := p.tok.pos
	if p.tok.kind == kindName && p.callAhead() {
		p.invoke(e, p.advance(), start)
		return
	}
	e.Values = p.exprs()
	if len(e.Values) != len(e.Targets) {
		p.fail(at, "%s assigned to %s", plural(len(e.Values), "value"), plural(len(e.Targets), "variable"))
	}
	if p.accept("constrain") {
		p.primes = true
		e.Constrain = p.expr()
		p.primes = false
	}
	e.Text = p.text(start.start)
	p.step(e)
}

// callAhead tells whether a bracket follows the current token.
func (p *parser) callAhead() bool {
	saved := p.lex
	t, err := p.lex.next()
	p.lex = saved
	return err == nil && t.kind == kindMark && t.text == "("
}

// invoke reads the arguments of a call.
func (p *parser) invoke(e *Edge, name, start token) {
	if p.atomic > 0 {
		p.fail(name.pos, "unsupported: call inside an atomic block")
	}
	p.expect("(")
	if !p.is(")") {
		e.Values = p.exprs()
	}
	p.expect(")")
	e.Text = p.text(start.start)
	p.calls = append(p.calls, call{e, name})
	p.step(e)
}

// returns reads a return statement.
func (p *parser) returns(start token) {
	p.advance()
	e := &Edge{From: p.cur, To: p.proc.Exit, Pos: start.pos}
	if !p.is(";") {
		e.Values = p.exprs()
	}
	if len(e.Values) != p.proc.Results {
		p.fail(start.pos, "%s has %s, %d returned", p.proc.Name, plural(p.proc.Results, "result"), len(e.Values))
	}
	for i := range e.Values {
		e.Targets = append(e.Targets, p.proc.Result(i))
	}
	e.Text = p.text(start.start)
	p.edge(e)
	p.cur = p.node(start.pos)
}

// branches reads a conditional behind its if.
func (p *parser) branches(start token) {
	after := p.node(start.pos)
	for {
		e := p.expr()
		text := p.text(start.start)
		p.expect("then")
		from := p.cur
		p.step(&Edge{Pos: start.pos, Guard: e, Text: text})
		p.statements("elsif", "else", "fi")
		p.join(p.cur, after, p.tok.pos)
		p.cur = from
		p.step(&Edge{Pos: start.pos, Guard: Not(e), Text: text})
		if start = p.tok; !p.accept("elsif") {
			break
		}
		p.proc.Nodes[p.cur].Pos = start.pos
	}
	if p.accept("else") {
		p.statements("fi")
	}
	p.expect("fi")
	p.join(p.cur, after, p.tok.pos)
	p.cur = after
}

// loop reads a loop behind its while.
func (p *parser) loop(start token) {
	head := p.node(start.pos)
	p.join(p.cur, head, start.pos)
	e := p.expr()
	text := p.text(start.start)
	p.expect("do")
	p.cur = head
	p.step(&Edge{Pos: start.pos, Guard: e, Text: text})
	p.statements("od")
	p.join(p.cur, head, p.tok.pos)
	p.expect("od")
	p.cur = head
	p.step(&Edge{Pos: start.pos, Guard: Not(e), Text: text})
}

// block reads an atomic block behind its keyword.
func (p *parser) block(at Pos) {
	p.expect("begin")
	p.atomic++
	p.statements("end")
	p.atomic--
	p.expect("end")
	p.step(&Edge{Pos: at})
}
