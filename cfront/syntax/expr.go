package syntax

// expr parses an expression with commas.
func (p *parser) expr() Expr {
	first := p.here()
	x := p.assign()
	for p.is(",") {
		p.next()
		y := p.assign()
		x = &Binary{p.span(first), ",", x, y}
	}
	return x
}

var assignOps = map[string]bool{
	"=": true, "*=": true, "/=": true, "%=": true, "+=": true, "-=": true, "<<=": true, ">>=": true, "&=": true, "^=": true, "|=": true,
}

// assign parses an assignment expression.
func (p *parser) assign() Expr {
	first := p.here()
	x := p.cond()
	if t := p.peek(); t.kind == Punct && assignOps[t.text] {
		p.next()
		p.enter()
		y := p.assign()
		p.leave()
		return &Assign{p.span(first), t.text, x, y}
	}
	return x
}

// cond parses a conditional expression.
func (p *parser) cond() Expr {
	first := p.here()
	c := p.binary(1)
	if !p.accept("?") {
		return c
	}
	p.enter()
	defer p.leave()
	var then Expr
	if !p.is(":") {
		then = p.expr()
	}
	p.want(":")
	els := p.cond()
	return &Cond{p.span(first), c, then, els}
}

var precedence = map[string]int{
	"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7,
	"<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}

// binary parses operators of at least this precedence.
func (p *parser) binary(least int) Expr {
	first := p.here()
	x := p.cast()
	for {
		t := p.peek()
		if t.kind != Punct {
			return x
		}
		prec := precedence[t.text]
		if prec < least || prec == 0 {
			return x
		}
		p.next()
		y := p.binary(prec + 1)
		x = &Binary{p.span(first), t.text, x, y}
	}
}

// cast parses a cast expression.
func (p *parser) cast() Expr {
	p.enter()
	defer p.leave()
	if !p.is("(") || !p.startsTypeName(p.ahead(1)) {
		return p.unary()
	}
	first := p.here()
	p.next()
	t := p.typeName()
	p.want(")")
	if p.is("{") {
		in := p.init()
		return p.postfix(first, &CompoundLit{Span: p.span(first), Type: t, Init: in})
	}
	x := p.cast()
	return &Cast{p.span(first), t, x}
}

// unary parses a unary expression.
func (p *parser) unary() Expr {
	first := p.here()
	t := p.peek()
	switch t.kw {
	case kwSizeof, kwAlignof, kwGnuAlignof:
		return p.sizeof()
	case kwReal, kwImag:
		p.next()
		x := p.cast()
		return &Unary{p.span(first), map[kw]string{kwReal: "__real__", kwImag: "__imag__"}[t.kw], x}
	case kwExtension:
		p.next()
		return p.cast()
	}
	if t.kind == Punct {
		switch t.text {
		case "-", "+", "~", "!", "&", "*":
			p.next()
			x := p.cast()
			return &Unary{p.span(first), t.text, x}
		case "++", "--":
			p.next()
			x := p.cast()
			return &Unary{p.span(first), t.text, x}
		case "&&":
			p.next()
			n := p.ident()
			return &LabelAddr{p.span(first), n.Text}
		}
	}
	return p.postfix(first, p.primary())
}

// sizeof parses sizeof and _Alignof.
func (p *parser) sizeof() Expr {
	first := p.here()
	t := p.next()
	s := &SizeOf{Align: t.kw != kwSizeof, Min: t.kw == kwAlignof}
	if p.is("(") && p.startsTypeName(p.ahead(1)) {
		at := p.here()
		p.next()
		s.Type = p.typeName()
		p.want(")")
		if p.is("{") {
			in := p.init()
			s.X = p.postfix(at, &CompoundLit{Span: p.span(at), Type: s.Type, Init: in})
			s.Type = nil
		}
	} else {
		p.enter()
		s.X = p.unary()
		p.leave()
	}
	s.Span = p.span(first)
	return s
}

// postfix parses what follows a primary expression.
func (p *parser) postfix(first int32, x Expr) Expr {
	for {
		t := p.peek()
		if t.kind != Punct {
			return x
		}
		switch t.text {
		case "[":
			p.next()
			i := p.expr()
			p.want("]")
			x = &Index{p.span(first), x, i}
		case "(":
			p.next()
			args := p.args()
			x = &Call{p.span(first), x, args}
		case ".", "->":
			p.next()
			n := p.ident()
			x = &Member{p.span(first), x, t.text == "->", n.Text}
		case "++", "--":
			p.next()
			x = &Postfix{p.span(first), t.text, x}
		default:
			return x
		}
	}
}

// args parses the arguments of a call whose ( has been taken.
func (p *parser) args() []Expr {
	var args []Expr
	for !p.is(")") {
		args = append(args, p.assign())
		if !p.accept(",") {
			break
		}
		if p.is(")") {
			p.expected("expression")
		}
	}
	p.want(")")
	return args
}

// primary parses a primary expression.
func (p *parser) primary() Expr {
	t := p.peek()
	at := Span{t.idx, t.idx}
	switch t.kind {
	case Number:
		p.next()
		return &NumberExpr{at, t.text}
	case Char:
		p.next()
		return &CharExpr{at, t.text}
	case String:
		return p.stringLit()
	case Ident:
		if t.kw == noKw {
			p.next()
			return &NameExpr{at, t.text}
		}
		return p.special()
	case Punct:
		if t.text != "(" {
			break
		}
		p.next()
		if p.is("{") {
			b := p.block()
			p.want(")")
			return &StmtExpr{p.span(t.idx), b}
		}
		x := p.expr()
		p.want(")")
		return &Paren{p.span(t.idx), x}
	}
	p.expected("expression")
	return nil
}

// stringLit parses a string literal.
func (p *parser) stringLit() *StringExpr {
	if p.peek().kind != String {
		p.expected("string literal")
	}
	first := p.here()
	s := &StringExpr{}
	for p.peek().kind == String {
		s.Parts = append(s.Parts, p.next().text)
	}
	s.Span = p.span(first)
	return s
}

// special parses the primary expressions that begin with a keyword.
func (p *parser) special() Expr {
	t := p.peek()
	first := t.idx
	switch t.kw {
	case kwGeneric, kwVaArg, kwOffsetof, kwTypesCompatible, kwConvertVector, kwHasAttribute:
	default:
		p.expected("expression")
	}
	p.next()
	p.want("(")
	switch t.kw {
	case kwGeneric:
		return p.generic(first)
	case kwVaArg:
		x := p.assign()
		p.want(",")
		ty := p.typeName()
		p.want(")")
		return &VaArg{p.span(first), x, ty}
	case kwTypesCompatible:
		a := p.typeName()
		p.want(",")
		b := p.typeName()
		p.want(")")
		return &TypesCompatible{p.span(first), a, b}
	case kwConvertVector:
		x := p.assign()
		p.want(",")
		ty := p.typeName()
		p.want(")")
		return &ConvertVector{p.span(first), x, ty}
	case kwHasAttribute:
		h := &HasAttribute{}
		if p.startsTypeName(p.peek()) {
			h.Type = p.typeName()
		} else {
			h.X = p.unary()
		}
		p.want(",")
		h.Attr = p.attr()
		p.want(")")
		h.Span = p.span(first)
		return h
	}
	return p.offsetof(first)
}

// offsetof parses the rest of __builtin_offsetof.
func (p *parser) offsetof(first int32) Expr {
	ty := p.typeName()
	p.want(",")
	n := p.ident()
	path := []*Desig{{Span: n.Span, Field: n.Text}}
	for {
		at := p.here()
		if p.accept("->") {
			n := p.ident()
			zero := &NumberExpr{n.Span, "0"}
			path = append(path, &Desig{Span: n.Span, Lo: zero}, &Desig{Span: n.Span, Field: n.Text})
			continue
		}
		d := &Desig{}
		switch {
		case p.accept("."):
			d.Field = p.ident().Text
		case p.accept("["):
			d.Lo = p.expr()
			p.want("]")
		default:
			p.want(")")
			return &OffsetOf{p.span(first), ty, path}
		}
		d.Span = p.span(at)
		path = append(path, d)
	}
}

// generic parses the rest of _Generic.
func (p *parser) generic(first int32) Expr {
	g := &Generic{X: p.assign()}
	for p.accept(",") {
		at := p.here()
		a := Assoc{}
		if !p.acceptKw(kwDefault) {
			a.Type = p.typeName()
		}
		p.want(":")
		a.X = p.assign()
		a.Span = p.span(at)
		g.Assocs = append(g.Assocs, a)
	}
	p.want(")")
	g.Span = p.span(first)
	return g
}
