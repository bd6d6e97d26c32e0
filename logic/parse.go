package logic

import (
	"errors"
	"fmt"
	"strings"
)

// maxParseDepth bounds the nesting of a parsed term, for hostile input.
const maxParseDepth = 10_000

var parseOps = map[string]Op{"not": OpNot, "and": OpAnd, "or": OpOr, "ite": OpIte, "=": OpEq, "<=": OpLe,
	"+": OpAdd, "*": OpMul, "div": OpDiv, "mod": OpMod, "bitand": OpBitAnd, "bitor": OpBitOr,
	"bitxor": OpBitXor, "shl": OpShl, "shr": OpShr, "<": opLt, ">=": opGe, ">": opGt, "-": opMinus, "=>": opImplies}

// Operators that are read but never stored.
const (
	opLt Op = 200 + iota
	opGe
	opGt
	opMinus
	opImplies
)

// Parse reads one SMT-LIB expression as [Term.SMTLIB] writes it (and <, >, >=,
// -, => besides). sortOf gives the sort of a variable and whether it is known.
// The error says what is wrong and at which byte.
func (s *Store) Parse(text string, sortOf func(name string) (Sort, bool)) (*Term, error) {
	p := &parser{s: s, text: text, sortOf: sortOf}
	t, err := p.term(0)
	if err != nil {
		return nil, fmt.Errorf("byte %d: %w", p.pos, err)
	}
	if p.skip(); p.pos < len(text) {
		return nil, fmt.Errorf("byte %d: text after the expression", p.pos)
	}
	return t, nil
}

type parser struct {
	s      *Store
	text   string
	pos    int
	sortOf func(string) (Sort, bool)
}

func (p *parser) skip() {
	for p.pos < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.pos]) >= 0 {
		p.pos++
	}
}

// symbol reads a name or number.
func (p *parser) symbol() (name string, quoted bool, err error) {
	p.skip()
	if p.pos >= len(p.text) {
		return "", false, errors.New("unexpected end")
	}
	if p.text[p.pos] == '|' {
		end := strings.IndexByte(p.text[p.pos+1:], '|')
		if end < 0 {
			return "", false, errors.New("'|' without its partner")
		}
		name = p.text[p.pos+1 : p.pos+1+end]
		p.pos += end + 2
		return name, true, nil
	}
	start := p.pos
	for p.pos < len(p.text) && strings.IndexByte(" \t\r\n()|", p.text[p.pos]) < 0 {
		p.pos++
	}
	if p.pos == start {
		return "", false, fmt.Errorf("unexpected %q", p.text[p.pos])
	}
	return p.text[start:p.pos], false, nil
}

func (p *parser) term(depth int) (*Term, error) {
	if depth > maxParseDepth {
		return nil, errors.New("nested too deeply")
	}
	p.skip()
	if p.pos < len(p.text) && p.text[p.pos] == '(' {
		p.pos++
		return p.application(depth)
	}
	name, quoted, err := p.symbol()
	if err != nil {
		return nil, err
	}
	if !quoted {
		switch {
		case name == "true":
			return p.s.t, nil
		case name == "false":
			return p.s.f, nil
		case name[0] >= '0' && name[0] <= '9':
			v, ok := ParseValue(name)
			if !ok {
				return nil, fmt.Errorf("bad number %q", name)
			}
			return p.s.Value(v), nil
		}
	}
	sort, ok := p.sortOf(name)
	if !ok {
		return nil, fmt.Errorf("unknown variable %q", name)
	}
	return p.s.Var(name, sort), nil
}

func (p *parser) application(depth int) (*Term, error) {
	name, quoted, err := p.symbol()
	if err != nil {
		return nil, err
	}
	op, ok := parseOps[name]
	if !ok || quoted {
		return nil, fmt.Errorf("unknown operator %q", name)
	}
	var args []*Term
	for {
		p.skip()
		if p.pos < len(p.text) && p.text[p.pos] == ')' {
			p.pos++
			break
		}
		a, err := p.term(depth + 1)
		if err != nil {
			return nil, err
		}
		args = append(args, a)
	}
	return p.build(op, name, args)
}

// build checks the operands' number and sorts, so that a damaged certificate is
// an error and not a panic.
func (p *parser) build(op Op, name string, args []*Term) (*Term, error) {
	n, sort := len(args), Int
	ok := n == 2
	switch op {
	case OpNot:
		ok, sort = n == 1, Bool
	case OpAnd, OpOr:
		ok, sort = true, Bool
	case opImplies:
		sort = Bool
	case OpAdd, OpMul, opMinus:
		ok = n >= 1
	case OpEq:
		if ok {
			sort = args[0].sort
		}
	case OpIte:
		if ok = n == 3 && args[0].sort == Bool; ok {
			sort = args[1].sort
			return p.ite(args, sort)
		}
	}
	for _, a := range args {
		ok = ok && a.sort == sort
	}
	if !ok {
		return nil, fmt.Errorf("operands of %q do not fit", name)
	}
	s := p.s
	switch op {
	case opLt:
		return s.Lt(args[0], args[1]), nil
	case opGe:
		return s.Ge(args[0], args[1]), nil
	case opGt:
		return s.Gt(args[0], args[1]), nil
	case opImplies:
		return s.Implies(args[0], args[1]), nil
	case opMinus:
		if n == 1 {
			return s.Neg(args[0]), nil
		}
		return s.Sub(args[0], s.Add(args[1:]...)), nil
	}
	return s.Rebuild(&Term{op: op, args: args}, args), nil
}

func (p *parser) ite(args []*Term, sort Sort) (*Term, error) {
	if args[2].sort != sort {
		return nil, errors.New(`operands of "ite" do not fit`)
	}
	return p.s.Ite(args[0], args[1], args[2]), nil
}
