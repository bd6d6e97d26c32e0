package boolprog

// levels are the binary operators, those that bind least first. All associate to
// the left but the implication.
var levels = [][]string{{"=>", "<=>"}, {"|", "||"}, {"^"}, {"&", "&&"}, {"=", "==", "!="}}

// operators are the meanings of the binary operators.
var operators = map[string]Op{"=>": OpImplies, "<=>": OpEqual, "|": OpOr, "||": OpOr, "^": OpXor, "&": OpAnd, "&&": OpAnd,
	"=": OpEqual, "==": OpEqual, "!=": OpXor}

// exprs reads expressions with commas.
func (p *parser) exprs() []*Expr {
	l := []*Expr{p.expr()}
	for p.accept(",") {
		l = append(l, p.expr())
	}
	return l
}

// expr reads an expression.
func (p *parser) expr() *Expr {
	defer p.deeper()()
	e := p.binary(0)
	if !p.accept("?") {
		return e
	}
	a := p.expr()
	p.expect(":")
	return &Expr{Op: OpIte, Args: []*Expr{e, a, p.expr()}}
}

// binary reads operators of a level and of those that bind more.
func (p *parser) binary(level int) *Expr {
	if level == len(levels) {
		return p.unary()
	}
	e := p.binary(level + 1)
	for n := p.depth; ; n++ { // each operator is a level of its own, the first one the deepest
		if n > maxDepth {
			p.fail(p.tok.pos, "more than %d operators in a row", maxDepth-p.depth)
		}
		op := ""
		for _, o := range levels[level] {
			if p.is(o) {
				op = o
			}
		}
		if op == "" {
			return e
		}
		p.advance()
		if op == "=>" {
			defer p.deeper()()
			return &Expr{Op: OpImplies, Args: []*Expr{e, p.binary(level)}}
		}
		e = &Expr{Op: operators[op], Args: []*Expr{e, p.binary(level + 1)}}
	}
}

// unary reads an operand.
func (p *parser) unary() *Expr {
	switch t := p.tok; {
	case p.accept("!") || p.accept("~"):
		defer p.deeper()()
		return Not(p.unary())
	case p.accept("("):
		e := p.expr()
		p.expect(")")
		return e
	case p.accept("*") || p.accept("?"):
		return &Expr{Op: OpChoice}
	case p.accept("schoose"):
		p.expect("[")
		a := p.expr()
		p.expect(",")
		b := p.expr()
		p.expect("]")
		return &Expr{Op: OpSchoose, Args: []*Expr{a, b}}
	case t.kind == kindNumber:
		p.advance()
		switch t.text {
		case "1", "T":
			return Const(true)
		case "0", "F":
			return Const(false)
		}
		p.fail(t.pos, "a value is 0 or 1, not %s", t.text)
	case p.accept("'"):
		if !p.primes {
			p.fail(t.pos, "a value after the step is for constrain only")
		}
		e := Use(p.variable(p.name("a variable")))
		e.Primed = true
		return e
	case t.kind == kindName:
		return Use(p.variable(p.advance()))
	}
	p.fail(p.tok.pos, "an expression expected, found %s", p.tok)
	return nil
}
