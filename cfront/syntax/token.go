package syntax

import (
	"fmt"
	"strings"

	"comus/cfront/types"
)

// Kind is the kind of a token.
type Kind uint8

// The kinds of tokens.
const (
	EOF     Kind = iota
	Punct        // operators and the like, digraphs as what they stand for
	Ident        // identifiers and keywords
	Number       // a preprocessing number
	Char         // a character constant with its prefix
	String       // a string literal with its prefix
	Pragma       // a #pragma; Text is what follows that word
	Invalid      // a stray character, a literal without an end
)

// Token is a token of a preprocessed unit.
type Token struct {
	Kind  Kind
	Space bool // white space is before it
	Text  string
	Pos   types.Pos
}

// Input is a preprocessed unit.
type Input struct {
	File   string
	Tokens []Token
	// Text returns what the user wrote for the tokens first to last, in one line. Without
	// it, the tokens' own text is used.
	Text   func(first, last int) string
	System map[string]bool // the files that are headers of the system, by their names in Pos
	strict bool
}

// TextOf returns what the user wrote for the tokens of a span, in one line.
func (in *Input) TextOf(s Span) string {
	if in.Text != nil {
		return in.Text(int(s.First), int(s.Last))
	}
	var b strings.Builder
	for i := s.First; i <= s.Last && int(i) < len(in.Tokens); i++ {
		t := &in.Tokens[i]
		if t.Kind == Pragma {
			continue
		}
		if i > s.First && t.Space {
			b.WriteByte(' ')
		}
		b.WriteString(t.Text)
	}
	return b.String()
}

// Error is why a unit is no C.
type Error struct {
	Pos  types.Pos
	Msg  string
	Hint string // what to do about it, or ""
}

// Error returns "file:line:col: message (hint: …)" in one line.
func (e *Error) Error() string {
	s := e.Msg
	if e.Pos.Line != 0 {
		s = fmt.Sprintf("%s:%d:%d: %s", e.Pos.File, e.Pos.Line, e.Pos.Col, s)
		if e.Pos.Col == 0 {
			s = fmt.Sprintf("%s:%d: %s", e.Pos.File, e.Pos.Line, e.Msg)
		}
	} else if e.Pos.File != "" {
		s = e.Pos.File + ": " + s
	}
	if e.Hint != "" {
		s += " (hint: " + e.Hint + ")"
	}
	return s
}
