package cfront

import (
	"bytes"
	"strings"

	"comus/ir"
)

// Limits that keep recursive code within the stack.
const (
	maxNesting = 400  // brackets within brackets
	maxPrefix  = 400  // prefix operators and keywords in a row
	maxChain   = 5000 // tokens of one statement or declaration
	maxElse    = 2000 // branches of one if ... else if ...
)

// checkNesting rejects sources whose nesting would exhaust the stack of a
// recursive-descent parser. It knows comments and literals but neither macros
// nor types.
func checkNesting(name string, src []byte) error {
	s := scanner{src: digraphs(src), line: 1}
	var n nesting
	for {
		tok, ok := s.next()
		if !ok && s.open {
			return errorf(ir.Pos{File: name, Line: s.line}, "literal not terminated")
		}
		if !ok {
			return nil
		}
		if what := n.step(tok); what != "" {
			return errorf(ir.Pos{File: name, Line: s.line, Col: s.pos - s.start}, "%s", what)
		}
	}
}

// nesting counts what makes a syntax tree deep.
type nesting struct {
	depth int
	run   int // prefix operators in a row
	quest int // ? in the statement
	chain int // tokens of the statement
	elses [maxNesting + 1]int
	prev  byte
}

// step takes the next token and says what is too much, or nothing.
func (n *nesting) step(tok byte) string {
	n.chain++
	if n.prev == ';' || n.prev == '}' {
		if tok != 'e' {
			n.elses[n.depth] = 0
		}
	}
	n.prev = tok
	switch tok {
	case '(', '[', '{':
		if n.depth++; n.depth > maxNesting {
			return "brackets are nested too deeply"
		}
		n.elses[n.depth] = 0
	case ')', ']', '}':
		n.depth = max(0, n.depth-1)
	case '?':
		n.quest++
	case ',':
		if n.depth > 0 {
			n.chain, n.quest = 0, 0 // the initialiser of a large table is no deep tree
		}
	case ';':
		n.chain, n.quest = 0, 0
	case 'e':
		n.elses[n.depth]++
	}
	if strings.IndexByte("!~-+*&k", tok) >= 0 {
		n.run++
	} else {
		n.run = 0
	}
	switch {
	case n.run > maxPrefix:
		return "operators are nested too deeply"
	case n.quest > maxPrefix, n.elses[n.depth] > maxElse:
		return "conditions are nested too deeply"
	case n.chain > maxChain:
		return "a statement or declaration is too long"
	}
	return ""
}

// scanner splits source text into classes of tokens: the byte of a punctuator,
// 'k' for sizeof, which nests expressions, 'e' for else, 'w' for other words and
// literals.
type scanner struct {
	src         []byte
	pos         int
	line, start int  // the current line and where it starts
	from        int  // where the token starts
	lone        bool // the token is a literal that its line does not end
	open        bool // the text ends within a literal
}

func (s *scanner) next() (byte, bool) {
	for s.pos < len(s.src) {
		c := s.src[s.pos]
		s.from, s.lone = s.pos, false
		s.pos++
		switch {
		case c == '\n':
			s.line++
			s.start = s.pos
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
		case c == '/' && s.peek() == '/':
			for s.pos < len(s.src) && s.src[s.pos] != '\n' {
				s.pos++
			}
		case c == '/' && s.peek() == '*':
			s.skipComment()
		case c == '"' || c == '\'':
			s.skipLiteral(c)
			return 'w', true
		case isWord(c):
			for s.pos < len(s.src) && isWord(s.src[s.pos]) {
				s.pos++
			}
			switch string(s.src[s.from:s.pos]) {
			case "else":
				return 'e', true
			case "sizeof":
				return 'k', true
			}
			return 'w', true
		default:
			return c, true
		}
	}
	return 0, false
}

func (s *scanner) peek() byte {
	if s.pos < len(s.src) {
		return s.src[s.pos]
	}
	return 0
}

func (s *scanner) skipComment() {
	end := bytes.Index(s.src[s.pos+1:], []byte("*/"))
	stop := len(s.src)
	if end >= 0 {
		stop = s.pos + 1 + end + 2
	}
	for ; s.pos < stop; s.pos++ {
		if s.src[s.pos] == '\n' {
			s.line++
			s.start = s.pos + 1
		}
	}
}

func (s *scanner) skipLiteral(quote byte) {
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; c {
		case '\\':
			s.pos++
			if s.peek() == '\r' && bytes.HasPrefix(s.src[s.pos:], []byte("\r\n")) {
				s.pos++
			}
			if s.pos < len(s.src) && s.src[s.pos] == '\n' {
				s.line++
				s.start = s.pos + 1
			}
		case quote:
			s.pos++
			return
		case '\n':
			s.lone = true
			return
		}
		s.pos++
	}
	s.open, s.lone = true, true
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
