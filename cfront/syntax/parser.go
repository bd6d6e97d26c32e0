package syntax

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// parser is the state of [Parse].
type parser struct {
	in     *Input
	toks   []tok
	at     int // the next token of toks
	last   int32
	scopes []map[string]bool // names that are typedef names (true) or hide one (false)
	unit   *Unit
	packs  []packing
	depth  int
	errs   []error
}

// tok is a token without pragmas.
type tok struct {
	kind Kind
	kw   kw
	text string
	idx  int32 // in Input.Tokens
}

// packing is what #pragma pack and the like say from a token on.
type packing struct {
	from   int32
	pack   int64
	ms     bool
	bigEnd bool
}

// maxDepth bounds the nesting of expressions, declarators and statements.
const maxDepth = 20000

// Parse parses a unit.
func Parse(in *Input) (u *Unit, err error) {
	p := &parser{in: in, unit: &Unit{}, scopes: []map[string]bool{{}}, packs: []packing{{}}}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*Error)
			if !ok {
				e = &Error{Pos: p.pos(p.last), Msg: fmt.Sprintf("bug in comus: parser: %v", r)}
			}
			p.errs = append(p.errs, e)
		}
		if len(p.errs) == 1 {
			u, err = nil, p.errs[0]
		} else if len(p.errs) > 1 {
			u, err = nil, errors.Join(p.errs...)
		}
	}()
	for _, n := range predeclared {
		p.scopes[0][n] = true
	}
	p.load()
	for p.peek().kind != EOF {
		if begin := p.at; !p.attempt(p.external) {
			if p.definesTypes(begin) {
				break
			}
			if p.accept("}") || p.at > begin {
				continue
			}
			p.next()
		}
	}
	return p.unit, nil
}

// load takes the pragmas out of the tokens and finds the keywords.
func (p *parser) load() {
	p.toks = make([]tok, 0, len(p.in.Tokens)+1)
	var packStack []packed
	for i := range p.in.Tokens {
		t := &p.in.Tokens[i]
		switch t.Kind {
		case Pragma:
			p.pragma(int32(i), t.Text, &packStack)
			continue
		case EOF:
			continue
		case Invalid:
			p.failAt(int32(i), "stray ‘%s’ in program", t.Text)
		}
		x := tok{kind: t.Kind, text: t.Text, idx: int32(i)}
		if t.Kind == Ident {
			x.kw = keywords[t.Text]
			if p.in.strict && (t.Text == "asm" || t.Text == "typeof") {
				x.kw = noKw
			}
		}
		p.toks = append(p.toks, x)
	}
	p.toks = append(p.toks, tok{kind: EOF, idx: int32(len(p.in.Tokens))})
}

// packed is an entry of #pragma pack's stack.
type packed struct {
	name string
	pack int64
}

// pragma notes what a pragma says.
func (p *parser) pragma(at int32, text string, stack *[]packed) {
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t(),\r\n", r) })
	if len(words) == 0 {
		return
	}
	now := p.packs[len(p.packs)-1]
	now.from = at
	switch words[0] {
	case "pack":
		now.pack = packPragma(words[1:], now.pack, stack)
	case "ms_struct":
		now.ms = len(words) > 1 && words[1] == "on"
	case "scalar_storage_order":
		now.bigEnd = len(words) > 1 && words[1] == "big-endian"
	case "weak", "redefine_extname":
		text = strings.ReplaceAll(text, "=", " ")
		p.unit.Pragmas = append(p.unit.Pragmas, PragmaLine{Span{at, at}, strings.Fields(text)})
		return
	default:
		return
	}
	p.packs = append(p.packs, now)
}

// packPragma returns the packing after #pragma pack with these words.
func packPragma(words []string, now int64, stack *[]packed) int64 {
	op, name := "", ""
	value := int64(-1)
	for i, w := range words {
		n, err := strconv.ParseInt(w, 0, 64)
		switch {
		case i == 0 && (w == "push" || w == "pop"):
			op = w
		case err == nil:
			value = n
		default:
			name = w
		}
	}
	switch op {
	case "push":
		*stack = append(*stack, packed{name, now})
	case "pop":
		for i := len(*stack) - 1; i >= 0; i-- {
			if name == "" || (*stack)[i].name == name {
				now = (*stack)[i].pack
				*stack = (*stack)[:i]
				break
			}
		}
	default:
		now = 0
	}
	switch value {
	case 0, 1, 2, 4, 8, 16:
		now = value
	}
	return now
}

// packing returns what pragmas say at a token.
func (p *parser) packing(at int32) packing {
	for i := len(p.packs) - 1; i > 0; i-- {
		if p.packs[i].from < at {
			return p.packs[i]
		}
	}
	return p.packs[0]
}

func (p *parser) peek() *tok { return &p.toks[p.at] }

// ahead returns the token n tokens on.
func (p *parser) ahead(n int) *tok {
	if p.at+n >= len(p.toks) {
		return &p.toks[len(p.toks)-1]
	}
	return &p.toks[p.at+n]
}

// next takes the next token.
func (p *parser) next() *tok {
	t := &p.toks[p.at]
	if t.kind != EOF {
		p.at++
		p.last = t.idx
	}
	return t
}

// is reports whether the next token is this punctuator.
func (p *parser) is(punct string) bool {
	t := &p.toks[p.at]
	return t.kind == Punct && t.text == punct
}

// isKw reports whether the next token is this keyword.
func (p *parser) isKw(k kw) bool { return p.toks[p.at].kw == k }

// accept takes the next token if it is this punctuator.
func (p *parser) accept(punct string) bool {
	if p.is(punct) {
		p.next()
		return true
	}
	return false
}

// want takes the next token, which has to be this punctuator.
func (p *parser) want(punct string) {
	if !p.accept(punct) {
		p.expected("‘" + punct + "’")
	}
}

// acceptKw takes the next token if it is this keyword.
func (p *parser) acceptKw(k kw) bool {
	if p.isKw(k) {
		p.next()
		return true
	}
	return false
}

// isIdent reports whether a token is an identifier and no keyword.
func (t *tok) isIdent() bool { return t.kind == Ident && t.kw == noKw }

// ident takes an identifier.
func (p *parser) ident() Name {
	t := p.peek()
	if !t.isIdent() {
		p.expected("identifier")
	}
	p.next()
	return Name{Span{t.idx, t.idx}, t.text}
}

// span is that of the tokens from first to the last one taken.
func (p *parser) span(first int32) Span { return Span{first, p.last} }

// here is the index of the next token.
func (p *parser) here() int32 { return p.peek().idx }

// enter counts the nesting; leave with leave.
func (p *parser) enter() {
	if p.depth++; p.depth > maxDepth {
		p.failAt(p.here(), "nested more than %d deep", maxDepth)
	}
}

func (p *parser) leave() { p.depth-- }

// expected fails at the next token.
func (p *parser) expected(what string) {
	t := p.peek()
	if t.kind == EOF {
		p.failAt(t.idx, "expected %s at end of input", what)
	}
	p.failAt(t.idx, "expected %s before %s", what, t.describe())
}

// describe names a token as gcc does.
func (t *tok) describe() string {
	switch t.kind {
	case EOF:
		return "end of input"
	case Number:
		return "numeric constant"
	case String:
		return "string constant"
	case Char:
		return "character constant"
	}
	if t.kind == Punct {
		return "‘" + t.text + "’ token"
	}
	return "‘" + t.text + "’"
}

func (p *parser) failAt(at int32, format string, args ...any) {
	panic(&Error{Pos: p.pos(at), Msg: fmt.Sprintf(format, args...)})
}

// Scopes of names.

func (p *parser) push() { p.scopes = append(p.scopes, nil) }

func (p *parser) pop() { p.scopes = p.scopes[:len(p.scopes)-1] }

// isTypedef reports whether a name is a typedef name here.
func (p *parser) isTypedef(name string) bool {
	for i := len(p.scopes) - 1; i >= 0; i-- {
		if is, ok := p.scopes[i][name]; ok {
			return is
		}
	}
	return false
}

// declare notes that a name is declared, as a typedef name or not.
func (p *parser) declare(name string, typedef bool) {
	if name == "" || !typedef && !p.isTypedef(name) {
		return
	}
	s := &p.scopes[len(p.scopes)-1]
	if *s == nil {
		*s = map[string]bool{}
	}
	(*s)[name] = typedef
}

// startsType reports whether a token may begin declaration specifiers.
func (p *parser) startsType(t *tok) bool {
	if t.kw != noKw {
		return t.kw >= kwAttribute
	}
	return t.kind == Ident && p.isTypedef(t.text)
}

// startsTypeName reports whether a token may begin the specifiers of a type name.
func (p *parser) startsTypeName(t *tok) bool {
	switch t.kw {
	case kwTypedef, kwExtern, kwAuto, kwInline, kwNoreturn, kwThread:
		return false
	}
	return p.startsType(t)
}
