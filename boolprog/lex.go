package boolprog

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// String returns line:col.
func (p Pos) String() string { return fmt.Sprintf("%d:%d", p.Line, p.Col) }

// kind is what a token is.
type kind int

const (
	kindEnd kind = iota
	kindName
	kindWord // a keyword
	kindNumber
	kindMark // an operator or a bracket
)

// token is a word of the program's text.
type token struct {
	kind       kind
	text       string
	pos        Pos
	start, end int // in the text
}

// String describes the token in an error.
func (t token) String() string {
	if t.kind == kindEnd {
		return "the end of the file"
	}
	return fmt.Sprintf("%q", t.text)
}

// words are the keywords.
var words = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields("decl init thread void bool begin end if then elsif else fi while do od" +
		" goto return skip assume assert dead atomic schoose constrain") {
		m[w] = true
	}
	return m
}()

// unsupported are keywords of other dialects, with what to write instead.
var unsupported = map[string]string{
	"enforce":      "enforce (write assume)",
	"dfs":          "dfs",
	"abortif":      "abortif (write assume)",
	"print":        "print",
	"start_thread": "start_thread (declare the threads: thread f, g;)",
	"end_thread":   "end_thread (return from the thread's procedure)",
	"atomic_begin": "atomic_begin (write atomic begin … end)",
	"atomic_end":   "atomic_end (write atomic begin … end)",
	"sync":         "sync (use a global variable)",
	"int":          "int (all variables are Boolean)",
}

// marks are the operators and brackets, longer ones first.
var marks = []string{"<=>", ":=", "=>", "==", "!=", "&&", "||", "'", "!", "~", "&", "|", "^", "=", "*", "?", ":", ";", ",", "(", ")", "[", "]", "<", ">"}

// lexer takes a text apart.
type lexer struct {
	src string
	at  int
	pos Pos // of the next character
}

// skip moves on by n bytes.
func (l *lexer) skip(n int) {
	for _, r := range l.src[l.at : l.at+n] {
		l.pos.Col++
		if r == '\n' {
			l.pos = Pos{l.pos.Line + 1, 1}
		}
	}
	l.at += n
}

// blank skips spaces and comments.
func (l *lexer) blank() error {
	for l.at < len(l.src) {
		rest := l.src[l.at:]
		switch {
		case strings.HasPrefix(rest, "//"):
			n := strings.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			l.skip(n)
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest, "*/")
			if n < 0 {
				return &Error{Pos: l.pos, Msg: "the comment does not end"}
			}
			l.skip(n + 2)
		case strings.IndexByte(" \t\r\n\v\f", rest[0]) >= 0:
			l.skip(1)
		default:
			return nil
		}
	}
	return nil
}

// next returns the next token.
func (l *lexer) next() (token, error) {
	if err := l.blank(); err != nil {
		return token{}, err
	}
	t := token{pos: l.pos, start: l.at}
	done := func(k kind, n int) (token, error) {
		t.kind, t.text = k, l.src[l.at:l.at+n]
		l.skip(n)
		t.end = l.at
		return t, nil
	}
	if l.at == len(l.src) {
		return done(kindEnd, 0)
	}
	rest := l.src[l.at:]
	c, size := utf8.DecodeRuneInString(rest)
	switch {
	case c == '{': // a predicate as a name, as Bebop has it
		n := strings.IndexFunc(rest, func(r rune) bool { return r == '}' || unicode.IsControl(r) })
		if n < 0 || rest[n] != '}' {
			return t, &Error{Pos: t.pos, Msg: "the name in braces does not end on its line"}
		}
		return done(kindName, n+1)
	case c == '_' || unicode.IsLetter(c):
		n := strings.IndexFunc(rest, func(r rune) bool {
			return r != '_' && r != '$' && r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
		})
		if n < 0 {
			n = len(rest)
		}
		switch name := rest[:n]; {
		case words[name]:
			return done(kindWord, n)
		case name == "T" || name == "F":
			return done(kindNumber, n)
		default:
			return done(kindName, n)
		}
	case unicode.IsDigit(c):
		n := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsDigit(r) })
		if n < 0 {
			n = len(rest)
		}
		return done(kindNumber, n)
	}
	for _, m := range marks {
		if strings.HasPrefix(rest, m) {
			return done(kindMark, len(m))
		}
	}
	return t, &Error{Pos: t.pos, Msg: fmt.Sprintf("unexpected character %q", rest[:size])}
}
