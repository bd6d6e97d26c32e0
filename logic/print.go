package logic

import (
	"strings"
)

// String returns the term in SMT-LIB's notation (see [Term.SMTLIB]).
func (t *Term) String() string { return t.SMTLIB() }

// SMTLIB returns the term as an SMT-LIB 2 expression. Names that are not simple
// symbols are quoted with |…|. The bitwise operators appear as the functions
// bitand, bitor, bitxor, shl and shr over Int, which [Store.Parse] reads back.
func (t *Term) SMTLIB() string {
	var b strings.Builder
	t.smtlib(&b)
	return b.String()
}

func (t *Term) smtlib(b *strings.Builder) {
	switch t.op {
	case OpTrue, OpFalse:
		b.WriteString(t.op.String())
	case OpVar:
		b.WriteString(quoteSymbol(t.name))
	case OpInt:
		writeInt(b, t.val)
	default:
		b.WriteByte('(')
		b.WriteString(t.op.String())
		for _, a := range t.args {
			b.WriteByte(' ')
			a.smtlib(b)
		}
		b.WriteByte(')')
	}
}

func writeInt(b *strings.Builder, v Value) {
	if v.Sign() < 0 {
		b.WriteString("(- ")
		b.WriteString(v.Neg().String())
		b.WriteByte(')')
		return
	}
	b.WriteString(v.String())
}

func quoteSymbol(name string) string {
	simple := name != "" && !(name[0] >= '0' && name[0] <= '9')
	for i := 0; i < len(name) && simple; i++ {
		c := name[i]
		simple = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
			strings.IndexByte("~!@$%^&*_-+=<>.?/", c) >= 0
	}
	if simple {
		if _, isOp := parseOps[name]; !isOp && name != "true" && name != "false" {
			return name
		}
	}
	return "|" + strings.ReplaceAll(name, "|", "_") + "|"
}

// CStyle says how a term is written as C; name gives the C expression for a
// variable (nil: its own name).
type CStyle struct {
	Name func(v *Term) string
	// Const gives the C expression for a constant that is not negative; nil: its
	// digits.
	Const func(v Value) string
	// Call gives the C expression, of the strength of a call, for an operation whose
	// operands are written as arguments, or "" to have it written with C's operator;
	// nil: always C's operator.
	Call func(t *Term, args []string) string
	// Decided tells the value of a comparison of integers that is known without knowing
	// those of the variables: it is written as 1 or 0; nil: of none.
	Decided func(t *Term) (value, known bool)
	// Parens puts the parentheses that gcc -Wall asks for, beyond those needed.
	Parens bool
}

// C returns the term as a C expression of mathematical meaning: it reads as C
// and is exact as long as no operation leaves the range of the C type it is
// evaluated in. Division and remainder are printed as / and %, so they agree
// with the term on operands that are not negative.
func (t *Term) C(style CStyle) string {
	p := cPrinter{style: style}
	return p.expr(t, 0)
}

// C's binding strengths, from loose to tight.
const (
	precCond = iota + 1
	precOr
	precAnd
	precBitOr
	precBitXor
	precBitAnd
	precEq
	precRel
	precShift
	precAdd
	precMul
	precUnary
)

type cPrinter struct{ style CStyle }

func (p *cPrinter) expr(t *Term, outer int) string {
	text, prec := p.text(t)
	if prec < outer {
		return "(" + text + ")"
	}
	return text
}

// decided returns the value of a comparison if the style tells it.
func (p *cPrinter) decided(t *Term) (value, known bool) {
	if p.style.Decided == nil || t.op != OpEq && t.op != OpLe || t.args[0].sort == Bool {
		return false, false
	}
	return p.style.Decided(t)
}

func (p *cPrinter) text(t *Term) (string, int) {
	if value, known := p.decided(t); known && value {
		return "1", precUnary + 1
	} else if known {
		return "0", precUnary + 1
	}
	switch t.op {
	case OpTrue:
		return "1", precUnary + 1
	case OpFalse:
		return "0", precUnary + 1
	case OpInt:
		if t.val.Sign() < 0 {
			return "-" + p.konst(t.val.Neg()), precUnary
		}
		return p.konst(t.val), precUnary + 1
	case OpVar:
		if p.style.Name != nil {
			return p.style.Name(t), precUnary + 1
		}
		return t.name, precUnary + 1
	case OpNot:
		if a := t.args[0]; a.op == OpEq && a.args[0].sort == Int {
			if _, known := p.decided(a); !known {
				return p.compare(a, "!=")
			}
		}
		return "!" + p.expr(t.args[0], precUnary), precUnary
	case OpAnd:
		return p.conjunction(t)
	case OpOr:
		return p.join(t.args, " || ", precOr), precOr
	case OpIte:
		return p.expr(t.args[0], precOr) + " ? " + p.expr(t.args[1], precCond) + " : " + p.expr(t.args[2], precCond), precCond
	case OpEq:
		return p.compare(t, "==")
	case OpLe:
		return p.compare(t, "<=")
	case OpAdd:
		return p.sum(linearise(t)), precAdd
	case OpMul:
		return p.join(t.args, " * ", precMul), precMul
	}
	if p.style.Call != nil {
		if s := p.style.Call(t, []string{p.expr(t.args[0], 0), p.expr(t.args[1], 0)}); s != "" {
			return s, precUnary + 1
		}
	}
	sym := map[Op]struct {
		text string
		prec int
	}{OpDiv: {" / ", precMul}, OpMod: {" % ", precMul}, OpBitAnd: {" & ", precBitAnd}, OpBitOr: {" | ", precBitOr},
		OpBitXor: {" ^ ", precBitXor}, OpShl: {" << ", precShift}, OpShr: {" >> ", precShift}}[t.op]
	inner := sym.prec + 1
	if p.style.Parens && t.op != OpDiv {
		inner = precUnary
	}
	return p.expr(t.args[0], inner) + sym.text + p.expr(t.args[1], inner), sym.prec
}

func (p *cPrinter) konst(v Value) string {
	if p.style.Const != nil {
		return p.style.Const(v)
	}
	return v.String()
}

// conjunction leaves out what is known to hold.
func (p *cPrinter) conjunction(t *Term) (string, int) {
	var open []*Term
	for _, a := range t.args {
		if value, known := p.decided(a); !known || !value {
			open = append(open, a)
		}
	}
	switch len(open) {
	case 0:
		return "1", precUnary + 1
	case 1:
		return p.text(open[0])
	}
	return p.join(open, " && ", precAnd), precAnd
}

func (p *cPrinter) join(args []*Term, sep string, prec int) string {
	parts := make([]string, len(args))
	for i, a := range args {
		inner := prec + 1
		if p.style.Parens && prec == precOr {
			inner = precAnd + 1
		}
		parts[i] = p.expr(a, inner)
	}
	return strings.Join(parts, sep)
}

// compare writes the linear normal form with the negative coefficients moved to
// the other side, as a person would.
func (p *cPrinter) compare(t *Term, rel string) (string, int) {
	prec := precRel
	if rel != "<=" {
		prec = precEq
	}
	if t.args[0].sort == Bool {
		return p.expr(t.args[0], prec+1) + " " + rel + " " + p.expr(t.args[1], prec+1), prec
	}
	l := linearise(t.args[0])
	r := linear{konst: linearise(t.args[1]).konst}
	var left linear
	for i, c := range l.coefs {
		if c.Sign() > 0 {
			left.terms, left.coefs = append(left.terms, l.terms[i]), append(left.coefs, c)
		} else {
			r.terms, r.coefs = append(r.terms, l.terms[i]), append(r.coefs, c.Neg())
		}
	}
	switch {
	case rel == "<=" && r.konst == IntValue(-1) && len(r.terms) > 0 && len(left.terms) > 0:
		r.konst, rel = Value{}, "<"
	case rel == "<=" && len(left.terms) == 0: // 0 <= x + k
		left.konst, r.konst = r.konst.Neg(), Value{}
		left, r, rel = r, left, ">="
	case r.konst.Sign() < 0 && len(r.terms) > 0:
		left.konst, r.konst = r.konst.Neg(), Value{}
	}
	return p.sum(left) + " " + rel + " " + p.sum(r), prec
}

// sum writes a linear term; its parts bind as tightly as a sum's operands.
func (p *cPrinter) sum(l linear) string {
	var b strings.Builder
	one := IntValue(1)
	for i, t := range l.terms {
		c := l.coefs[i]
		neg := c.Sign() < 0
		switch {
		case neg && b.Len() == 0:
			b.WriteString("-")
		case neg:
			b.WriteString(" - ")
		case b.Len() > 0:
			b.WriteString(" + ")
		}
		if neg {
			c = c.Neg()
		}
		switch {
		case c != one:
			b.WriteString(p.konst(c) + " * " + p.expr(t, precMul+1))
		case neg && b.Len() == 1: // a leading minus binds tighter than a product
			b.WriteString(p.expr(t, precUnary))
		default:
			b.WriteString(p.expr(t, precMul))
		}
	}
	switch {
	case b.Len() == 0:
		if l.konst.Sign() < 0 {
			b.WriteString("-" + p.konst(l.konst.Neg()))
		} else {
			b.WriteString(p.konst(l.konst))
		}
	case l.konst.Sign() < 0:
		b.WriteString(" - " + p.konst(l.konst.Neg()))
	case l.konst.Sign() > 0:
		b.WriteString(" + " + p.konst(l.konst))
	}
	return b.String()
}
