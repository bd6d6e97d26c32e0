package syntax

import (
	"strconv"
	"strings"

	"comus/cfront/types"
)

// Lex splits preprocessed text with line markers into tokens.
func Lex(file string, text []byte) *Input {
	l := &lexer{src: string(text), file: file, line: 1, in: &Input{File: file}}
	l.in.Tokens = make([]Token, 0, len(text)/4)
	for l.next() {
	}
	return l.in
}

// lexer is the state of [Lex].
type lexer struct {
	src       string
	pos       int
	file      string
	line      int
	lineStart int
	in        *Input
}

func (l *lexer) add(k Kind, from int, space bool) {
	l.in.Tokens = append(l.in.Tokens, Token{Kind: k, Space: space, Text: l.src[from:l.pos],
		Pos: types.Pos{File: l.file, Line: l.line, Col: from - l.lineStart + 1}})
}

// next adds the next token.
func (l *lexer) next() bool {
	start := l.pos
	for l.pos < len(l.src) {
		switch c := l.src[l.pos]; {
		case c == '\n':
			l.pos++
			l.line++
			l.lineStart = l.pos
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			l.pos++
		case c == '#' && strings.TrimSpace(l.src[l.lineStart:l.pos]) == "":
			l.directive()
		default:
			l.token(l.pos > start || l.pos == 0)
			return true
		}
	}
	return false
}

// directive takes a line marker or a #pragma.
func (l *lexer) directive() {
	from := l.pos
	end := strings.IndexByte(l.src[l.pos:], '\n')
	if end < 0 {
		end = len(l.src) - l.pos
	}
	text := strings.TrimSpace(l.src[l.pos+1 : l.pos+end])
	l.pos += end
	if rest, ok := strings.CutPrefix(text, "pragma"); ok {
		l.in.Tokens = append(l.in.Tokens, Token{Kind: Pragma, Text: strings.TrimSpace(rest), Space: true,
			Pos: types.Pos{File: l.file, Line: l.line, Col: from - l.lineStart + 1}})
		return
	}
	text = strings.TrimSpace(strings.TrimPrefix(text, "line"))
	num, rest, _ := strings.Cut(text, " ")
	if n, err := strconv.Atoi(num); err == nil {
		l.line = n - 1
		if i := strings.LastIndexByte(rest, '"'); i > 0 {
			if f, err := strconv.Unquote(rest[strings.IndexByte(rest, '"') : i+1]); err == nil {
				l.file = f
			}
		}
	}
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// token adds the token that begins here.
func (l *lexer) token(space bool) {
	from := l.pos
	c := l.src[from]
	switch {
	case c >= '0' && c <= '9' || c == '.' && from+1 < len(l.src) && l.src[from+1] >= '0' && l.src[from+1] <= '9':
		l.number()
		l.add(Number, from, space)
	case isWord(c) || c == '\\':
		for l.pos < len(l.src) && (isWord(l.src[l.pos]) || l.src[l.pos] == '\\') {
			l.pos++
		}
		if l.pos < len(l.src) && (l.src[l.pos] == '"' || l.src[l.pos] == '\'') {
			switch l.src[from:l.pos] {
			case "L", "u", "U", "u8":
				l.quoted(from, space)
				return
			}
		}
		l.add(Ident, from, space)
	case c == '"' || c == '\'':
		l.quoted(from, space)
	default:
		l.pos += punctuator(l.src[from:])
		l.add(Punct, from, space)
		t := &l.in.Tokens[len(l.in.Tokens)-1]
		if d, ok := digraphs[t.Text]; ok {
			t.Text = d
		}
	}
}

var digraphs = map[string]string{"<:": "[", ":>": "]", "<%": "{", "%>": "}"}

// number goes behind a preprocessing number.
func (l *lexer) number() {
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		switch {
		case isWord(c) || c == '.':
		case c == '+' || c == '-':
			if e := l.src[l.pos-1] | 0x20; e != 'e' && e != 'p' {
				return
			}
		default:
			return
		}
		l.pos++
	}
}

// quoted adds the literal whose prefix begins at from; its quote is at l.pos.
func (l *lexer) quoted(from int, space bool) {
	q := l.src[l.pos]
	kind := String
	if q == '\'' {
		kind = Char
	}
	for i := l.pos + 1; i < len(l.src) && l.src[i] != '\n'; i++ {
		if l.src[i] == '\\' {
			i++
		} else if l.src[i] == q {
			l.pos = i + 1
			l.add(kind, from, space)
			return
		}
	}
	l.pos++
	l.add(Invalid, from, space)
}

var punctuators = []string{"%:%:", "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
	"*=", "/=", "%=", "+=", "-=", "&=", "^=", "|=", "##", "<:", ":>", "<%", "%>", "%:"}

// punctuator returns the length of the punctuator that s begins with.
func punctuator(s string) int {
	if len(s) > 1 && strings.IndexByte("-+<>=!&|*/%^.#:", s[0]) >= 0 {
		for _, p := range punctuators {
			if strings.HasPrefix(s, p) {
				return len(p)
			}
		}
	}
	return 1
}
