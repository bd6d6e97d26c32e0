package syntax

// block parses { … }.
func (p *parser) block() *Block {
	p.enter()
	defer p.leave()
	first := p.here()
	p.want("{")
	b := &Block{}
	p.push()
	for !p.is("}") {
		if p.peek().kind == EOF {
			p.expected("declaration or statement")
		}
		begin := p.at
		if p.attempt(func() { b.Items = append(b.Items, p.item()) }) {
			continue
		}
		if p.at == begin && !p.is("}") {
			p.next()
		}
	}
	p.next()
	p.pop()
	b.Span = p.span(first)
	return b
}

// item parses what may stand in a block.
func (p *parser) item() Node {
	first := p.here()
	if p.isKw(kwExtension) {
		i := 1
		for p.ahead(i).kw == kwExtension {
			i++
		}
		if p.startsType(p.ahead(i)) || p.ahead(i).kw == kwStaticAssert {
			for p.acceptKw(kwExtension) {
			}
		}
	}
	t := p.peek()
	switch {
	case p.isKw(kwLabel):
		p.next()
		d := &LabelDecl{}
		for {
			d.Names = append(d.Names, p.ident())
			if !p.accept(",") {
				break
			}
		}
		p.want(";")
		d.Span = p.span(first)
		return d
	case p.isKw(kwStaticAssert):
		return p.staticAssert()
	case p.isAttr():
		attrs := p.attrs()
		if p.startsType(p.peek()) && !p.isLabel() {
			return p.declaration(first, attrs, true)
		}
		return p.stmt()
	case p.isLabel():
		return p.stmt()
	case p.startsType(t):
		return p.declaration(first, nil, true)
	}
	return p.stmt()
}

// isLabel reports whether a label begins here.
func (p *parser) isLabel() bool {
	n := p.ahead(1)
	return p.peek().isIdent() && n.kind == Punct && n.text == ":"
}

// substatement parses a statement that has a scope of its own.
func (p *parser) substatement() Node {
	p.enter()
	defer p.leave()
	p.push()
	defer p.pop()
	return p.stmt()
}

// stmt parses a statement.
func (p *parser) stmt() Node {
	p.attrs()
	first := p.here()
	t := p.peek()
	switch {
	case p.is("{"):
		return p.block()
	case p.accept(";"):
		return &ExprStmt{Span: p.span(first)}
	case p.isLabel():
		n := p.ident()
		p.next()
		p.attrs()
		body := p.labelBody()
		return &Labeled{p.span(first), n, body}
	}
	switch t.kw {
	case kwIf, kwSwitch, kwWhile, kwDo, kwFor:
		return p.control(t.kw)
	case kwCase, kwDefault:
		return p.caseLabel()
	case kwGoto, kwBreak, kwContinue, kwReturn:
		return p.jump()
	case kwAsm:
		return p.asm(false)
	}
	x := p.expr()
	p.want(";")
	return &ExprStmt{p.span(first), x}
}

// labelBody parses what follows a label: a declaration or the end of a block may.
func (p *parser) labelBody() Node {
	at := p.here()
	switch {
	case p.is("}"), p.startsType(p.peek()) && !p.isLabel(), p.isKw(kwStaticAssert), p.isKw(kwLabel):
		return &ExprStmt{Span: Span{at, at}}
	case p.isKw(kwExtension) && p.startsType(p.ahead(1)):
		return &ExprStmt{Span: Span{at, at}}
	}
	return p.stmt()
}

// caseLabel parses case and default.
func (p *parser) caseLabel() Node {
	first := p.here()
	if p.next().kw == kwDefault {
		p.want(":")
		p.attrs()
		return &Default{p.span(first), p.labelBody()}
	}
	c := &Case{Lo: p.cond()}
	if p.accept("...") {
		c.Hi = p.cond()
	}
	p.want(":")
	c.Span = p.span(first)
	p.attrs()
	c.Body = p.labelBody()
	return c
}

// condition parses ( x ).
func (p *parser) condition() Expr {
	p.want("(")
	x := p.expr()
	p.want(")")
	return x
}

// control parses if, switch and loops.
func (p *parser) control(k kw) Node {
	first := p.here()
	p.next()
	p.push()
	defer p.pop()
	switch k {
	case kwIf:
		s := &If{C: p.condition()}
		head := p.span(first)
		s.Then = p.substatement()
		if p.acceptKw(kwElse) {
			s.Else = p.substatement()
		}
		s.Span = head
		return s
	case kwSwitch:
		s := &Switch{X: p.condition()}
		s.Span = p.span(first)
		s.Body = p.substatement()
		return s
	case kwWhile:
		s := &While{C: p.condition()}
		s.Span = p.span(first)
		s.Body = p.substatement()
		return s
	case kwDo:
		s := &While{Do: true, Span: p.span(first)}
		s.Body = p.substatement()
		if !p.acceptKw(kwWhile) {
			p.expected("‘while’")
		}
		s.C = p.condition()
		p.want(";")
		return s
	}
	return p.forLoop(first)
}

// forLoop parses the rest of a for statement.
func (p *parser) forLoop(first int32) Node {
	s := &For{}
	p.want("(")
	for p.isKw(kwExtension) && p.startsType(p.ahead(1)) {
		p.next()
	}
	switch {
	case p.isKw(kwStaticAssert):
		s.Decl = p.staticAssert()
	case p.isAttr() || p.startsType(p.peek()):
		s.Decl = p.declaration(p.here(), nil, true)
	default:
		if !p.is(";") {
			s.Init = p.expr()
		}
		p.want(";")
	}
	if !p.is(";") {
		s.C = p.expr()
	}
	p.want(";")
	if !p.is(")") {
		s.Post = p.expr()
	}
	p.want(")")
	s.Span = p.span(first)
	s.Body = p.substatement()
	return s
}

// jump parses goto, break, continue and return.
func (p *parser) jump() Node {
	first := p.here()
	var n Node
	switch p.next().kw {
	case kwBreak:
		p.want(";")
		return &Jump{Span: p.span(first)}
	case kwContinue:
		p.want(";")
		return &Jump{Span: p.span(first), Continue: true}
	case kwReturn:
		r := &Return{}
		if !p.is(";") {
			r.X = p.expr()
		}
		p.want(";")
		r.Span = p.span(first)
		n = r
	default:
		g := &Goto{}
		if p.accept("*") {
			g.X = p.expr()
		} else {
			g.Label = p.ident().Text
		}
		p.want(";")
		g.Span = p.span(first)
		n = g
	}
	return n
}

// asm parses an asm statement or definition.
func (p *parser) asm(file bool) Node {
	first := p.here()
	p.next()
	a := &Asm{}
	for {
		switch {
		case p.acceptKw(kwVolatile):
			a.Volatile = true
		case p.acceptKw(kwInline):
		case p.acceptKw(kwGoto):
			a.Goto = true
		default:
			p.want("(")
			a.Text = p.stringLit()
			p.asmRest(a)
			p.want(")")
			if !p.accept(";") && !file {
				p.want(";")
			}
			a.Span = p.span(first)
			return a
		}
	}
}

// asmRest parses the parts behind the colons.
func (p *parser) asmRest(a *Asm) {
	for part := 0; ; {
		switch {
		case p.accept("::"):
			part += 2
		case p.accept(":"):
			part++
		default:
			return
		}
		a.Operands = true
		if part == 4 && p.is(")") {
			p.expected("identifier")
		}
		if p.is(":") || p.is("::") || p.is(")") {
			continue
		}
		switch part {
		case 1:
			a.Outputs = p.asmOperands()
		case 2:
			a.Inputs = p.asmOperands()
		case 3:
			for {
				a.Clobbers = append(a.Clobbers, p.stringLit())
				if !p.accept(",") {
					break
				}
			}
		case 4:
			for {
				a.Labels = append(a.Labels, p.ident())
				if !p.accept(",") {
					break
				}
			}
		default:
			p.expected("‘)’")
		}
	}
}

// asmOperands parses operands.
func (p *parser) asmOperands() []AsmOperand {
	var out []AsmOperand
	for {
		first := p.here()
		o := AsmOperand{}
		if p.accept("[") {
			o.Name = p.next().text
			p.want("]")
		}
		o.Constraint = p.stringLit()
		p.want("(")
		o.X = p.expr()
		p.want(")")
		o.Span = p.span(first)
		out = append(out, o)
		if !p.accept(",") {
			return out
		}
	}
}
