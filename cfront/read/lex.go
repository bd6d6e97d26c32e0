package read

import "bytes"

// kind is the class of a token.
type kind uint8

const (
	punct  kind = iota
	word        // identifiers and keywords
	number      // a preprocessing number
	str         // a string literal, with its prefix
	char        // a character constant, with its prefix
	other       // a stray character, or a literal that its line does not end
)

// lexeme is a token of a text.
type lexeme struct {
	text       string
	kind       kind
	bol        bool // the first of its line
	space      bool // white space is before it
	digraph    bool // text is what it stands for
	start, end int32
	line, col  int32
}

// lexer splits a text of C into tokens. It knows comments, literals (raw ones too), lines that
// go on in the next, and digraphs, whose text becomes what they stand for.
type lexer struct {
	src       []byte
	pos       int
	line      int
	lineStart int
	bol       bool // no token has been met on this line
	raw       bool // digraphs keep their spelling
}

// newLexer returns a lexer for a text.
func newLexer(src []byte) *lexer { return &lexer{src: src, line: 1, bol: true} }

// skipSpace goes to the next token and tells whether there was something to skip.
func (l *lexer) skipSpace() bool {
	from := l.pos
	for l.pos < len(l.src) {
		switch c := l.src[l.pos]; {
		case c == '\n':
			l.newline(l.pos + 1)
			l.bol = true
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			l.pos++
		case c == '\\' && l.splice(l.pos) > 0:
			l.newline(l.pos + l.splice(l.pos))
		case c == '/' && l.at(1) == '/':
			l.lineComment()
		case c == '/' && l.at(1) == '*':
			l.blockComment()
		default:
			return l.pos > from
		}
	}
	return l.pos > from
}

func (l *lexer) at(n int) byte {
	if l.pos+n < len(l.src) {
		return l.src[l.pos+n]
	}
	return 0
}

// splice returns the length of a backslash with the end of a line behind it; 0 if there is none.
func (l *lexer) splice(at int) int {
	if l.src[at] != '\\' {
		return 0
	}
	i := at + 1
	for i < len(l.src) && (l.src[i] == ' ' || l.src[i] == '\t' || l.src[i] == '\r') {
		i++
	}
	if i < len(l.src) && l.src[i] == '\n' {
		return i + 1 - at
	}
	return 0
}

// newline tells that a line begins at pos.
func (l *lexer) newline(pos int) {
	l.line++
	l.pos, l.lineStart = pos, pos
}

func (l *lexer) lineComment() {
	for l.pos < len(l.src) && l.src[l.pos] != '\n' {
		if n := l.splice(l.pos); n > 0 {
			l.newline(l.pos + n)
			continue
		}
		l.pos++
	}
}

func (l *lexer) blockComment() {
	l.pos += 2
	for l.pos < len(l.src) {
		switch {
		case l.src[l.pos] == '\n':
			l.newline(l.pos + 1)
		case l.src[l.pos] == '*' && l.at(1) == '/':
			l.pos += 2
			return
		default:
			l.pos++
		}
	}
}

// next returns the next token; false at the end.
func (l *lexer) next() (lexeme, bool) {
	space := l.skipSpace()
	if l.pos >= len(l.src) {
		return lexeme{}, false
	}
	t := lexeme{bol: l.bol, space: space, start: int32(l.pos), line: int32(l.line), col: int32(l.pos - l.lineStart + 1)}
	l.bol = false
	c := l.src[l.pos]
	var spliced bool
	switch {
	case c >= '0' && c <= '9' || c == '.' && l.at(1) >= '0' && l.at(1) <= '9':
		t.kind = number
		spliced = l.number()
	case c == '"' || c == '\'':
		t.kind, spliced = l.literal(c)
	case isWord(c) || c == '\\' && (l.at(1) == 'u' || l.at(1) == 'U'):
		t.kind = word
		spliced = l.word()
		if l.pos < len(l.src) && (l.src[l.pos] == '"' || l.src[l.pos] == '\'') {
			if k, s, ok := l.prefixed(string(l.src[t.start:l.pos])); ok {
				t.kind, spliced = k, spliced || s
			}
		}
	default:
		t.kind, t.text = l.punct()
		t.digraph = len(t.text) < l.pos-int(t.start)
	}
	t.end = int32(l.pos)
	if t.text == "" {
		text := l.src[t.start:t.end]
		if spliced {
			text = unspliced(text)
		}
		t.text = string(text)
	}
	return t, true
}

// unspliced removes the ends of lines that go on.
func unspliced(b []byte) []byte {
	l := lexer{src: b}
	var out []byte
	for i := 0; i < len(b); {
		if n := l.splice(i); n > 0 {
			i += n
			continue
		}
		out = append(out, b[i])
		i++
	}
	return out
}

// takeSplices skips ends of lines that go on and tells whether there were some.
func (l *lexer) takeSplices() bool {
	some := false
	for l.pos < len(l.src) {
		n := l.splice(l.pos)
		if n == 0 {
			break
		}
		l.newline(l.pos + n)
		some = true
	}
	return some
}

func (l *lexer) number() (spliced bool) {
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		switch {
		case l.takeSplices():
			spliced = true
			continue
		case (c == 'e' || c == 'E' || c == 'p' || c == 'P') && (l.at(1) == '+' || l.at(1) == '-'):
			l.pos += 2
			continue
		case isWord(c) || c == '.', c == '\'' && isWord(l.at(1)) && l.digitBefore():
			l.pos++
			continue
		}
		return spliced
	}
	return spliced
}

// digitBefore tells whether a quote at the current position can be a digit separator.
func (l *lexer) digitBefore() bool {
	c := l.src[l.pos-1]
	n := l.at(1)
	hex := func(c byte) bool { return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }
	return hex(c) && hex(n)
}

func (l *lexer) word() (spliced bool) {
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		switch {
		case isWord(c):
			l.pos++
		case l.takeSplices():
			spliced = true
		case c == '\\' && (l.at(1) == 'u' || l.at(1) == 'U'): // a universal character name
			l.pos += 2
		default:
			return spliced
		}
	}
	return spliced
}

// prefixed reads a literal behind what may be its prefix.
func (l *lexer) prefixed(prefix string) (k kind, spliced, ok bool) {
	quote := l.src[l.pos]
	switch prefix {
	case "L", "u", "U", "u8":
		k, spliced = l.literal(quote)
		return k, spliced, true
	case "R", "LR", "uR", "UR", "u8R":
		if quote == '"' {
			return str, false, l.rawString()
		}
	}
	return 0, false, false
}

// rawString reads R"tag(...)tag".
func (l *lexer) rawString() bool {
	open := bytes.IndexByte(l.src[l.pos:min(len(l.src), l.pos+20)], '(')
	if open < 0 {
		return false
	}
	end := append([]byte(")"), l.src[l.pos+1:l.pos+open]...)
	end = append(end, '"')
	n := bytes.Index(l.src[l.pos+open:], end)
	if n < 0 {
		return false
	}
	stop := l.pos + open + n + len(end)
	for l.pos < stop {
		if l.src[l.pos] == '\n' {
			l.newline(l.pos + 1)
			continue
		}
		l.pos++
	}
	return true
}

// literal reads a string literal or character constant.
func (l *lexer) literal(quote byte) (k kind, spliced bool) {
	k = str
	if quote == '\'' {
		k = char
	}
	l.pos++
	for l.pos < len(l.src) {
		switch c := l.src[l.pos]; {
		case l.takeSplices():
			spliced = true
		case c == '\\' && l.pos+1 < len(l.src):
			l.pos++
			if !l.takeSplices() {
				l.pos++
				continue
			}
			spliced = true
			l.pos++
		case c == quote:
			l.pos++
			return k, spliced
		case c == '\n':
			return other, spliced
		default:
			l.pos++
		}
	}
	return other, spliced
}

// puncts are the punctuators of more than one character, the longest first.
var puncts = []string{"%:%:", "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
	"*=", "/=", "%=", "+=", "-=", "&=", "^=", "|=", "##", "<:", ":>", "<%", "%>", "%:"}

// digraph is what the digraphs stand for.
var digraph = map[string]string{"<:": "[", ":>": "]", "<%": "{", "%>": "}", "%:": "#", "%:%:": "##"}

// spelling returns a token as it was written.
func (t *lexeme) spelling() string {
	if t.digraph {
		for d, p := range digraph {
			if p == t.text {
				return d
			}
		}
	}
	return t.text
}

// single holds the texts of the punctuators of one character.
var single = func() (t [256]string) {
	for i := range t {
		t[i] = string([]byte{byte(i)})
	}
	return t
}()

func (l *lexer) punct() (kind, string) {
	c := l.src[l.pos]
	switch c {
	case '(', ')', '{', '}', '[', ']', ';', ',', '?', '~':
		l.pos++
		return punct, single[c]
	}
	rest := l.src[l.pos:]
	for _, p := range puncts {
		if p[0] == c && len(rest) >= len(p) && string(rest[:len(p)]) == p {
			l.pos += len(p)
			if d := digraph[p]; d != "" && !l.raw {
				return punct, d
			}
			return punct, p
		}
	}
	l.pos++
	if bytes.IndexByte([]byte("+-*/%&|^!<>=.:#"), c) >= 0 {
		return punct, single[c]
	}
	return other, single[c]
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
