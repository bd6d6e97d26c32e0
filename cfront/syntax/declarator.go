package syntax

import (
	"strings"

	"comus/cfront/types"
)

// form is which declarators may stand somewhere.
type form uint8

const (
	concrete form = iota // with a name
	abstract             // without one
	either               // of a parameter
)

// declarator parses a declarator.
func (p *parser) declarator(f form) *Declarator {
	p.enter()
	defer p.leave()
	first := p.here()
	d := &Declarator{}
	var ptrs []Part
	for p.is("*") || p.is("^") {
		at := p.here()
		p.next()
		ptr := Part{Kind: PointerPart}
		p.qualifiers(&ptr)
		ptr.Span = p.span(at)
		ptrs = append(ptrs, ptr)
	}
	p.direct(d, f)
	for i := len(ptrs) - 1; i >= 0; i-- {
		d.Parts = append(d.Parts, ptrs[i])
	}
	d.Span = Span{first, max(p.last, first)}
	return d
}

// qualifiers parses type qualifiers and attributes.
func (p *parser) qualifiers(to *Part) {
	for {
		switch p.peek().kw {
		case kwConst:
			to.Quals |= types.Const
		case kwVolatile:
			to.Quals |= types.Volatile
		case kwRestrict:
			to.Quals |= types.Restrict
		case kwAtomic:
			to.Quals |= types.Atomic
		case kwAttribute:
			to.Attrs = append(to.Attrs, p.attrs()...)
			continue
		default:
			return
		}
		p.next()
	}
}

// direct parses a declarator without its pointers.
func (p *parser) direct(d *Declarator, f form) {
	t := p.peek()
	switch {
	case t.isIdent() && f != abstract:
		p.next()
		d.Name, d.Ident = t.text, t.idx
		d.Attrs = append(d.Attrs, p.stdAttrs()...)
	case p.is("(") && p.nested(f):
		p.next()
		attrs := p.attrs()
		inner := p.declarator(f)
		p.want(")")
		d.Name, d.Ident, d.Parts = inner.Name, inner.Ident, inner.Parts
		d.Attrs = append(attrs, inner.Attrs...)
	case f == concrete:
		p.expected("identifier or ‘(’")
	}
	for {
		switch {
		case p.is("("):
			d.Parts = append(d.Parts, p.funcPart())
		case p.is("[") && !p.isStdAttr():
			d.Parts = append(d.Parts, p.arrayPart())
		default:
			return
		}
	}
}

// nested tells whether a parenthesis begins a declarator, not a list of parameters.
func (p *parser) nested(f form) bool {
	if f == concrete {
		return true
	}
	i := 1
	n := p.ahead(i)
	if n.kw == kwAttribute { // ( __attribute__((…)) *f)
		depth := 0
		for i++; ; i++ {
			t := p.ahead(i)
			if t.kind == EOF {
				return false
			}
			if t.kind != Punct {
				continue
			}
			if t.text == "(" {
				depth++
			} else if t.text == ")" {
				if depth--; depth == 0 {
					break
				}
			}
		}
		n = p.ahead(i + 1)
	}
	if n.kind == Punct {
		return n.text == "*" || n.text == "(" || n.text == "[" || n.text == "^"
	}
	return n.isIdent() && f == either && !p.isTypedef(n.text)
}

// arrayPart parses [ … ].
func (p *parser) arrayPart() Part {
	first := p.here()
	p.next()
	part := Part{Kind: ArrayPart}
	for {
		p.qualifiers(&part)
		if !p.acceptKw(kwStatic) {
			break
		}
		part.Static = true
	}
	if n := p.ahead(1); p.is("*") && n.kind == Punct && n.text == "]" {
		p.next()
		part.Star = true
	} else if !p.is("]") || part.Static {
		part.N = p.assign()
	}
	p.want("]")
	part.Span = p.span(first)
	return part
}

// funcPart parses ( … ) behind a declarator.
func (p *parser) funcPart() Part {
	first := p.here()
	p.next()
	part := Part{Kind: FuncPart}
	p.push()
	defer p.pop()
	part.Attrs = p.attrs()
	t := p.peek()
	switch {
	case p.is(")"):
		part.Empty = true
	case t.isIdent() && !p.isTypedef(t.text):
		for {
			n := p.ident()
			part.Idents = append(part.Idents, n)
			if !p.accept(",") {
				break
			}
		}
	default:
		p.params(&part)
	}
	p.want(")")
	part.Span = p.span(first)
	return part
}

// params parses a list of parameters with types.
func (p *parser) params(part *Part) {
	attrs := part.Attrs
	part.Attrs = nil
	for {
		if p.accept("...") {
			part.Variadic = true
			return
		}
		first := p.here()
		prm := &Param{Specs: p.specs()}
		if !prm.Specs.Any {
			p.expected("declaration specifiers or ‘...’")
		}
		prm.Specs.Attrs = append(attrs, prm.Specs.Attrs...)
		attrs = nil
		prm.Decl = p.declarator(either)
		p.afterDeclarator(prm.Decl)
		p.declare(prm.Decl.Name, false)
		prm.Span = p.span(first)
		part.Params = append(part.Params, prm)
		for p.is(";") { // those so far were forward declarations, GNU
			p.next()
			part.Forward = append(part.Forward, part.Params...)
			part.Params = nil
			if p.is(")") { // no parameters at all
				part.Forward = nil
				return
			}
			goto next
		}
		if !p.accept(",") {
			return
		}
	next:
	}
}

// typeName parses a type name.
func (p *parser) typeName() *TypeName {
	first := p.here()
	for p.acceptKw(kwExtension) {
	}
	tn := &TypeName{Specs: p.specs()}
	if !tn.Specs.Any {
		p.expected("specifier-qualifier-list")
	}
	tn.Decl = p.declarator(abstract)
	tn.Span = p.span(first)
	return tn
}

// isAttr reports whether attributes begin here.
func (p *parser) isAttr() bool { return p.isKw(kwAttribute) || p.isStdAttr() }

// isStdAttr reports whether [[ begins here.
func (p *parser) isStdAttr() bool {
	if !p.is("[") {
		return false
	}
	n := p.ahead(1)
	return n.kind == Punct && n.text == "["
}

// attrs parses attributes, maybe none.
func (p *parser) attrs() []*Attr {
	var out []*Attr
	for {
		switch {
		case p.acceptKw(kwAttribute):
			p.want("(")
			p.want("(")
			out = p.attrList(out, ")")
			p.want(")")
			p.want(")")
		case p.isStdAttr():
			out = append(out, p.stdAttrs()...)
		default:
			return out
		}
	}
}

// stdAttrs parses [[…]].
func (p *parser) stdAttrs() []*Attr {
	var out []*Attr
	for p.isStdAttr() {
		p.next()
		p.next()
		out = p.attrList(out, "]")
		p.want("]")
		p.want("]")
	}
	return out
}

// attrList parses the attributes up to a closing bracket.
func (p *parser) attrList(out []*Attr, end string) []*Attr {
	for !p.is(end) {
		if p.accept(",") {
			continue
		}
		out = append(out, p.attr())
		if t := p.peek(); !p.is(end) && !p.is(",") && t.kind != Ident { // gcc does not insist on the comma
			p.expected("‘" + end + "’")
		}
	}
	return out
}

// attr parses an attribute.
func (p *parser) attr() *Attr {
	t := p.next()
	if t.kind != Ident {
		p.at--
		p.expected("identifier")
	}
	name := t.text
	if p.accept(":") { // [[gnu::name]]
		p.want(":")
		name = p.next().text
	} else if p.accept("::") {
		name = p.next().text
	}
	a := &Attr{Name: attrName(name)}
	if p.accept("(") {
		a.Paren = true
		p.attrArgs(a)
	}
	a.Span = p.span(t.idx)
	return a
}

// attrName is an attribute's name without underscores around it.
func attrName(s string) string {
	if len(s) > 4 && strings.HasPrefix(s, "__") && strings.HasSuffix(s, "__") {
		return s[2 : len(s)-2]
	}
	return s
}

// attrArgs parses the arguments of an attribute whose ( has been taken. Only those of
// attributes that matter are looked at.
func (p *parser) attrArgs(a *Attr) {
	if !meaningful[a.Name] {
		p.skipTo(")")
		return
	}
	for !p.is(")") {
		a.Args = append(a.Args, p.attrArg())
		if !p.accept(",") {
			break
		}
	}
	p.want(")")
}

// attrArg parses an argument: an expression, a name or a type.
func (p *parser) attrArg() Expr {
	t := p.peek()
	if n := p.ahead(1); t.kind == Ident && n.kind == Punct && (n.text == ")" || n.text == ",") {
		p.next()
		return &NameExpr{Span{t.idx, t.idx}, t.text}
	}
	return p.assign()
}

// skipTo skips to the end of a parenthesis.
func (p *parser) skipTo(end string) {
	for depth := 0; ; {
		t := p.peek()
		if t.kind == EOF {
			p.expected("‘" + end + "’")
		}
		p.next()
		if t.kind != Punct {
			continue
		}
		switch t.text {
		case "(":
			depth++
		case ")":
			if depth--; depth < 0 {
				return
			}
		}
	}
}

// meaningful are the attributes whose arguments matter.
var meaningful = map[string]bool{
	"aligned": true, "mode": true, "vector_size": true, "cleanup": true, "constructor": true, "destructor": true,
	"alias": true, "weakref": true, "section": true, "visibility": true, "alloc_size": true, "scalar_storage_order": true,
	"ifunc": true, "warn_if_not_aligned": true, "optimize": true,
}
