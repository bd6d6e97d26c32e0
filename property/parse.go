package property

import (
	"bytes"
	"fmt"
	"slices"

	"comus/specialise"
)

// parser reads a file token by token.
type parser struct {
	file string
	text []byte
	at   int // where the token begins
	end  int // where it ends
}

// token returns the text of the token; "" at the end of the file.
func (p *parser) token() string { return string(p.text[p.at:p.end]) }

// next goes on to the next token: a word, which may have hyphens within, or a single character.
func (p *parser) next() {
	p.at = p.end
	for p.at < len(p.text) {
		rest := p.text[p.at:]
		switch {
		case bytes.IndexByte([]byte(" \t\r\n"), rest[0]) >= 0:
			p.at++
		case rest[0] == '#' || bytes.HasPrefix(rest, []byte("//")): // a comment
			n := bytes.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			p.at += n
		default:
			n := 0
			for n < len(rest) && (isLetter(rest[n]) || n > 0 && rest[n] == '-') {
				n++
			}
			p.end = p.at + max(n, 1)
			return
		}
	}
	p.end = p.at
}

// isLetter reports whether a character may be in a word, at its beginning, too.
func isLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

// errorf returns an error at the token.
func (p *parser) errorf(format string, args ...any) *Error {
	before := p.text[:p.at]
	line := bytes.LastIndexByte(before, '\n') + 1
	return &Error{File: p.file, Line: 1 + bytes.Count(before, []byte("\n")), Col: 1 + p.at - line, Msg: fmt.Sprintf(format, args...)}
}

// found names the token in messages.
func (p *parser) found() string {
	if p.at == p.end {
		return "the end of the file"
	}
	return fmt.Sprintf("%.40q", p.token())
}

// expect goes past tokens, which have to be there.
func (p *parser) expect(tokens ...string) *Error {
	for _, t := range tokens {
		if p.token() != t {
			return p.errorf("%q expected, not %s", t, p.found())
		}
		p.next()
	}
	return nil
}

// word goes past a word and returns it.
func (p *parser) word(what string) (string, *Error) {
	w := p.token()
	if w == "" || !isLetter(w[0]) {
		return "", p.errorf("%s expected, not %s", what, p.found())
	}
	p.next()
	return w, nil
}

// properties reads the file to its end.
func (p *parser) properties() (*File, error) {
	f := &File{}
	meant := map[string]bool{}
	p.next()
	if p.token() == "" {
		return nil, p.errorf("no property: a line such as CHECK( init(main()), LTL(G ! data-race) ) expected")
	}
	for p.token() != "" {
		name, err := p.property(f)
		if err != nil {
			return nil, err
		}
		meant[name] = true
	}
	for _, name := range specialise.CheckNames {
		if meant[name] {
			f.Checks = append(f.Checks, name)
		}
	}
	return f, nil
}

// property reads CHECK( init(ENTRY()), LTL(FORMULA) ) and returns the name of what is meant.
func (p *parser) property(f *File) (string, *Error) {
	if err := p.expect("CHECK", "(", "init", "("); err != nil {
		return "", err
	}
	entry := *p
	name, err := p.word("a function")
	if err != nil {
		return "", err
	}
	if f.Entry != "" && f.Entry != name {
		return "", entry.errorf("the program cannot begin with %.40q, and above with %.40q", name, f.Entry)
	}
	if f.Entry == "" {
		f.Entry, f.at = name, *entry.errorf("")
	}
	if err := p.expect("(", ")", ")", ",", "LTL", "("); err != nil {
		return "", err
	}
	meant, err := p.formula()
	if err != nil {
		return "", err
	}
	return meant, p.expect(")", ")")
}

// formula reads what stands in LTL( ).
func (p *parser) formula() (string, *Error) {
	if t := p.token(); t != "G" {
		return "", p.errorf("no property that comus knows: LTL(G ...) expected, not %s", p.found())
	}
	p.next()
	names, what := always, "G "
	if p.token() == "!" {
		p.next()
		names, what = never, "G ! "
	}
	begin := *p
	name, err := p.word("a property")
	if err != nil {
		return "", err
	}
	switch {
	case names[name] != "":
		return names[name], nil
	case what == "G ":
	case name == "call":
		return p.call()
	case name == "label":
		return specialise.Assert, p.expect("(", "ERROR", ")")
	}
	return "", begin.errorf("no property that comus knows: %s%.40s; G can be followed by %s", what, name, known)
}

// call reads (FUNCTION()), a function that fails when it is called.
func (p *parser) call() (string, *Error) {
	if err := p.expect("("); err != nil {
		return "", err
	}
	begin := *p
	name, err := p.word("a function")
	if err != nil {
		return "", err
	}
	if !slices.Contains(calls, name) {
		return "", begin.errorf("a call of %.40q is no error for comus: call(reach_error()) is one", name)
	}
	return specialise.Assert, p.expect("(", ")", ")")
}
