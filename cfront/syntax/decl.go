package syntax

import "comus/cfront/types"

// external parses what may stand at file scope.
func (p *parser) external() {
	first := p.here()
	for p.acceptKw(kwExtension) {
	}
	switch {
	case p.accept(";"):
	case p.isKw(kwAsm):
		a := p.asm(true)
		p.unit.Items = append(p.unit.Items, a)
	case p.isKw(kwStaticAssert):
		p.unit.Items = append(p.unit.Items, p.staticAssert())
	default:
		t := p.peek()
		if !p.startsType(t) && !t.isIdent() && !p.is("*") && !p.is("(") && !p.isAttr() {
			p.expected("identifier or ‘(’")
		}
		p.unit.Items = append(p.unit.Items, p.declaration(first, nil, true))
	}
}

// declaration parses a declaration or, if function, the definition of a function.
// attrs have been met before it.
func (p *parser) declaration(first int32, attrs []*Attr, function bool) Node {
	specs := p.specs()
	specs.Attrs = append(attrs, specs.Attrs...)
	d := &Declaration{Specs: specs}
	if p.accept(";") {
		d.Span = p.span(first)
		return d
	}
	for i := 0; ; i++ {
		var more []*Attr
		if i > 0 {
			more = p.attrs()
		}
		at := p.here()
		decl := p.declarator(concrete)
		if function && i == 0 && p.startsBody(decl) {
			return p.funcDef(first, specs, decl)
		}
		p.declare(decl.Name, specs.Storage&Typedef != 0)
		p.afterDeclarator(decl)
		decl.Attrs = append(more, decl.Attrs...)
		id := &InitDecl{Decl: decl}
		if p.accept("=") {
			id.Init = p.init()
		}
		id.Span = p.span(at)
		d.Decls = append(d.Decls, id)
		if !p.accept(",") {
			break
		}
	}
	if !p.accept(";") {
		if len(d.Decls) == 1 && d.Decls[0].Init == nil && !specs.Any {
			p.expected("‘=’, ‘,’, ‘;’, ‘asm’ or ‘__attribute__’")
		}
		p.expected("‘,’ or ‘;’")
	}
	d.Span = p.span(first)
	return d
}

// afterDeclarator parses asm names and attributes behind a declarator.
func (p *parser) afterDeclarator(d *Declarator) {
	d.Attrs = append(d.Attrs, p.attrs()...)
	if p.isKw(kwAsm) {
		p.next()
		for p.isKw(kwVolatile) {
			p.next()
		}
		p.want("(")
		s := p.stringLit()
		p.want(")")
		d.HasAsm = true
		d.AsmName = plainText(s)
	}
	d.Attrs = append(d.Attrs, p.attrs()...)
}

// plainText is the text of a string literal without escapes.
func plainText(s *StringExpr) string {
	out := ""
	for _, x := range s.Parts {
		if len(x) >= 2 && x[0] == '"' {
			out += x[1 : len(x)-1]
		}
	}
	return out
}

// startsBody reports whether a declarator is followed by a function's body or by
// declarations of its parameters.
func (p *parser) startsBody(d *Declarator) bool {
	if len(d.Parts) == 0 || d.Parts[0].Kind != FuncPart {
		return p.is("{")
	}
	t := p.peek()
	return p.is("{") || t.kw != kwAttribute && t.kw != kwAsm && p.startsType(t) || t.kw == kwExtension
}

// funcDef parses the rest of a function definition.
func (p *parser) funcDef(first int32, specs *Specs, d *Declarator) Node {
	p.declare(d.Name, false)
	f := &FuncDef{Specs: specs, Decl: d}
	p.push()
	if len(d.Parts) > 0 {
		for _, prm := range d.Parts[0].Params {
			p.declare(prm.Decl.Name, false)
		}
		for _, n := range d.Parts[0].Idents {
			p.declare(n.Text, false)
		}
	}
	for !p.is("{") {
		if p.peek().kind == EOF {
			p.expected("‘{’")
		}
		for p.acceptKw(kwExtension) {
		}
		if !p.startsType(p.peek()) {
			p.expected("‘{’")
		}
		decl, _ := p.declaration(p.here(), nil, false).(*Declaration)
		f.KR = append(f.KR, decl)
	}
	f.Body = p.block()
	p.pop()
	f.Span = p.span(first)
	return f
}

// staticAssert parses _Static_assert(x, "…");.
func (p *parser) staticAssert() *StaticAssert {
	first := p.here()
	p.next()
	p.want("(")
	s := &StaticAssert{X: p.cond()}
	if p.accept(",") {
		s.Msg = plainText(p.stringLit())
	}
	p.want(")")
	p.want(";")
	s.Span = p.span(first)
	return s
}

// bases of one word, by keyword.
func (k kw) base() Base { return Base(k - kwBase) }

// specs parses declaration specifiers, maybe none.
func (p *parser) specs() *Specs {
	first := p.here()
	before := p.at
	s := &Specs{}
	for p.spec(s) {
	}
	s.Any = p.at > before
	s.Span = Span{first, first}
	if s.Any {
		s.Span = p.span(first)
	}
	return s
}

// typed reports whether a type specifier has been met.
func (s *Specs) typed() bool {
	return s.Bases > 0 || s.Signed+s.Unsigned+s.Short+s.Long > 0 || s.Complex || s.Imaginary
}

// spec parses a specifier, if there is one.
func (p *parser) spec(s *Specs) bool {
	t := p.peek()
	if t.kind == Ident && t.kw == noKw {
		if s.typed() || !p.isTypedef(t.text) {
			return false
		}
		p.next()
		s.Bases, s.Base, s.Name = 1, NameBase, t.text
		return true
	}
	if p.isAttr() {
		s.Attrs = append(s.Attrs, p.attrs()...)
		return true
	}
	if t.kw > kwBase {
		p.next()
		s.Bases, s.Base = s.Bases+1, t.kw.base()
		return true
	}
	if t.kw == kwExtension {
		p.next()
		return true
	}
	if t.kw < kwAttribute {
		return false
	}
	return p.wordSpec(t.kw, s)
}

// wordSpec parses a specifier that begins with this keyword.
func (p *parser) wordSpec(k kw, s *Specs) bool {
	switch k {
	case kwStruct, kwUnion:
		s.Bases, s.Base, s.Record = s.Bases+1, RecordBase, p.record()
		return true
	case kwEnum:
		s.Bases, s.Base, s.Enum = s.Bases+1, EnumBase, p.enum()
		return true
	case kwTypeof:
		p.typeof(s)
		return true
	case kwAlignas:
		p.next()
		p.want("(")
		if p.startsTypeName(p.peek()) {
			s.Align = append(s.Align, p.typeName())
		} else {
			s.Align = append(s.Align, p.cond())
		}
		p.want(")")
		return true
	case kwAtomic:
		p.next()
		if !p.is("(") {
			s.Quals |= types.Atomic
			return true
		}
		p.next()
		s.Bases, s.Base, s.Type = s.Bases+1, AtomicBase, p.typeName()
		p.want(")")
		return true
	}
	p.next()
	switch k {
	case kwTypedef:
		s.Storage |= Typedef
	case kwExtern:
		s.Storage |= Extern
	case kwStatic:
		s.Storage |= Static
	case kwAuto:
		s.Storage |= Auto
	case kwRegister:
		s.Storage |= Register
	case kwThread:
		s.Storage |= Thread
	case kwInline:
		s.Inline = true
	case kwNoreturn:
		s.Noreturn = true
	case kwConst:
		s.Quals |= types.Const
	case kwVolatile:
		s.Quals |= types.Volatile
	case kwRestrict:
		s.Quals |= types.Restrict
	case kwShort:
		s.Short++
	case kwLong:
		s.Long++
	case kwSigned:
		s.Signed++
	case kwUnsigned:
		s.Unsigned++
	case kwComplex:
		s.Complex = true
	case kwImaginary:
		s.Imaginary = true
	case kwAutoType:
		s.Bases, s.Base = s.Bases+1, AutoTypeBase
	}
	return true
}

// typeof parses typeof(x) or typeof(type).
func (p *parser) typeof(s *Specs) {
	p.next()
	p.want("(")
	s.Bases, s.Base = s.Bases+1, TypeofBase
	if p.startsTypeName(p.peek()) {
		s.Type = p.typeName()
	} else {
		s.X = p.expr()
	}
	p.want(")")
}

// record parses a struct or union specifier.
func (p *parser) record() *Record {
	first := p.here()
	r := &Record{Union: p.next().kw == kwUnion}
	r.Attrs = p.attrs()
	if p.peek().isIdent() {
		r.Tag = p.ident().Text
	} else if !p.is("{") {
		p.expected("‘{’")
	}
	if !p.accept("{") {
		r.Span = p.span(first)
		return r
	}
	r.Body = true
	for !p.is("}") {
		switch {
		case p.accept(";"):
		case p.isKw(kwStaticAssert):
			r.Members = append(r.Members, p.staticAssert())
		default:
			r.Members = append(r.Members, p.members())
		}
	}
	p.next()
	pk := p.packing(p.last)
	r.Pack, r.MS, r.BigEnd = pk.pack, pk.ms, pk.bigEnd
	r.Attrs = append(r.Attrs, p.attrs()...)
	r.Span = p.span(first)
	return r
}

// members parses a declaration of members.
func (p *parser) members() *Members {
	first := p.here()
	m := &Members{Specs: p.specs()}
	if !m.Specs.Any {
		p.expected("specifier-qualifier-list")
	}
	for !p.is(";") && !p.is("}") {
		at := p.here()
		d := &MemberDecl{}
		if len(m.Decls) > 0 {
			d.Attrs = p.attrs()
		}
		if !p.is(":") {
			d.Decl = p.declarator(concrete)
		}
		if p.accept(":") {
			d.Bits = p.cond()
		}
		d.Attrs = append(d.Attrs, p.attrs()...)
		d.Span = p.span(at)
		m.Decls = append(m.Decls, d)
		if !p.accept(",") {
			break
		}
	}
	if !p.is("}") { // gcc takes a missing last semicolon
		if !p.accept(";") {
			p.expected("‘:’, ‘,’, ‘;’, ‘}’ or ‘__attribute__’")
		}
	}
	m.Span = p.span(first)
	return m
}

// enum parses an enum specifier.
func (p *parser) enum() *Enum {
	first := p.here()
	p.next()
	e := &Enum{Attrs: p.attrs()}
	if p.peek().isIdent() {
		e.Tag = p.ident().Text
	} else if !p.is("{") {
		p.expected("‘{’")
	}
	if !p.accept("{") {
		e.Span = p.span(first)
		return e
	}
	e.Body = true
	for {
		at := p.here()
		c := &EnumConst{Name: p.ident().Text}
		p.attrs()
		if p.accept("=") {
			c.Value = p.cond()
		}
		c.Span = p.span(at)
		p.declare(c.Name, false)
		e.Consts = append(e.Consts, c)
		if !p.accept(",") || p.is("}") {
			break
		}
	}
	if !p.accept("}") {
		p.expected("‘,’ or ‘}’")
	}
	e.Attrs = append(e.Attrs, p.attrs()...)
	e.Span = p.span(first)
	return e
}

// init parses an initialiser.
func (p *parser) init() *Init {
	p.enter()
	defer p.leave()
	first := p.here()
	if !p.accept("{") {
		x := p.assign()
		return &Init{Span: p.span(first), X: x}
	}
	in := &Init{}
	for !p.is("}") {
		at := p.here()
		item := &InitItem{Desig: p.designation()}
		item.Init = p.init()
		item.Span = p.span(at)
		in.List = append(in.List, item)
		if !p.accept(",") {
			break
		}
	}
	p.want("}")
	in.Span = p.span(first)
	return in
}

// designation parses designators with their "=", if there are some.
func (p *parser) designation() []*Desig {
	if t := p.peek(); t.isIdent() {
		if n := p.ahead(1); n.kind == Punct && n.text == ":" {
			p.next()
			p.next()
			return []*Desig{{Span: Span{t.idx, t.idx}, Field: t.text}}
		}
		return nil
	}
	if !p.is(".") && !p.is("[") {
		return nil
	}
	ds := p.designators()
	if !p.accept("=") && (len(ds) != 1 || ds[0].Field != "") { // [1] 2 is old GNU C
		p.expected("‘=’")
	}
	return ds
}

// designators parses .a[1].b.
func (p *parser) designators() []*Desig {
	var ds []*Desig
	for {
		first := p.here()
		d := &Desig{}
		switch {
		case p.accept("."):
			d.Field = p.ident().Text
		case p.accept("["):
			d.Lo = p.cond()
			if p.accept("...") {
				d.Hi = p.cond()
			}
			p.want("]")
		default:
			return ds
		}
		d.Span = p.span(first)
		ds = append(ds, d)
	}
}
