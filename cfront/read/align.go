package read

import (
	"strings"
)

// aligner finds, for each token that the preprocessor printed, the place where the user wrote
// it. The preprocessor tells lines only, and those of macro arguments by another rule than the
// rest. So the macros of the user's files are expanded a second time, here, with definitions
// that the preprocessor prints where they come into force (-dD), and what comes out is compared
// with what it printed, token by token. Where they agree, and they nearly always do, each token
// has the place it comes from; where not, the two meet again at the next token that agrees.
type aligner struct {
	*stream
	limit  int64
	given  map[string][]byte
	exact  bool // tokens are where they are in the preprocessed text
	macros map[string]*macro
	saved  savedMacros
	cursor map[*source]*cursor
	cur    *source
	lex    *lexer
	delta  int // from lines of the preprocessed text to those of cur
}

// cursor is how far a file has been read.
type cursor struct {
	e    *expander
	file *source
	at   int // the next token
	last *span
	next mtok
	have bool // next is the next token
}

// manyTokens bounds what is made for tokens before they are counted.
const manyTokens = 1 << 18

// align reads a preprocessed text. The user's own text is what it was made of; without one, the
// user gave it as it is, and its own columns are what counts. given has the texts of other files of the user's that were read already, by their names there.
func align(text []byte, name, dir string, users []byte, limit int64, given map[string][]byte) *stream {
	exact := users == nil
	a := &aligner{stream: &stream{files: map[string]*source{}, dir: dir}, limit: limit, exact: exact, given: given,
		macros: map[string]*macro{}, saved: savedMacros{}, cursor: map[*source]*cursor{}, lex: newLexer(text)}
	a.toks = make([]token, 0, min(len(text)/8, manyTokens))
	a.cur = a.file(name)
	a.cur.text = users
	if exact {
		a.cur.text = text
	}
	for {
		t, ok := a.lex.next()
		if !ok {
			return a.stream
		}
		if t.bol && t.text == "#" && t.kind == punct {
			line := a.lex.line
			a.directive(a.lex.directive(), line)
			continue
		}
		a.token(t)
	}
}

// directive deals with a line that begins with #.
func (a *aligner) directive(rest string, at int) {
	if line, file, flags, ok := marker(rest); ok {
		a.delta = line - at - 1
		if file != "" {
			a.enter(file, flags)
		}
		return
	}
	word, rest, _ := strings.Cut(strings.TrimLeft(rest, " \t"), " ")
	switch word {
	case "define":
		if m := parseMacro(rest); m != nil {
			a.macros[m.name] = m
		}
	case "undef":
		delete(a.macros, strings.TrimSpace(rest))
	case "pragma":
		if words := pragmaWords(rest); len(words) == 4 && (words[0] == "push_macro" || words[0] == "pop_macro") {
			a.saved.pragma(a.macros, words)
			return
		}
		a.pragmas = append(a.pragmas, pragma{pragmaWords(rest), len(a.toks), a.cur, int32(at + a.delta)})
	}
}

// pragmaWords splits the text of a pragma.
func pragmaWords(rest string) (words []string) {
	l := newLexer([]byte(rest))
	for {
		t, ok := l.next()
		if !ok {
			return words
		}
		words = append(words, t.text)
	}
}

// enter goes on in a file.
func (a *aligner) enter(name, flags string) {
	isNew := a.files[name] == nil
	a.cur = a.file(name)
	if isNew {
		a.cur.system = isSystem(name, flags)
		if text, ok := a.given[name]; ok {
			a.cur.text, a.cur.tried = text, true
		} else if a.given != nil { // what was not read then does not count
			a.cur.tried = true
		}
		return
	}
	if strings.Contains(flags, "1") {
		if c := a.cursor[a.cur]; c != nil { // it is included once more
			*c = cursor{file: a.cur}
			c.e = a.expander(c)
		}
	}
}

// isSystem tells whether a file that a marker names is a header of the system, or none at all.
func isSystem(name, flags string) bool {
	return strings.Contains(flags, "3") || strings.HasPrefix(name, "<")
}

// token adds a token.
func (a *aligner) token(t lexeme) {
	out := token{text: t.text, kind: t.kind, bol: t.bol, space: t.space, file: a.cur, line: t.line + int32(a.delta)}
	switch {
	case a.cur.system:
	case a.exact:
		out.col, out.from, out.to = t.col, t.start, t.end
	case a.cur.load(a.dir, a.limit) != nil:
		a.locate(&out)
	}
	a.toks = append(a.toks, out)
}

func (a *aligner) expander(c *cursor) *expander {
	return &expander{macros: a.macros, dynamic: unknownText, source: func() (mtok, bool) {
		toks := c.file.tokens()
		if c.at >= len(toks) {
			return mtok{}, false
		}
		c.at++
		return mtok{lexeme: toks[c.at-1], file: c.file}, true
	}}
}

// locate finds the place of a token in the current file.
func (a *aligner) locate(out *token) {
	c := a.cursor[a.cur]
	if c == nil {
		c = &cursor{file: a.cur}
		c.e = a.expander(c)
		a.cursor[a.cur] = c
	}
	if !c.have {
		c.advance()
	}
	if c.agrees(out) {
		c.take(out)
		return
	}
	// Go on at the line that the preprocessor tells, with the first token that agrees.
	toks := c.file.tokens()
	from := lineIndex(toks, out.line)
	if c.last != nil && c.last.line == out.line {
		for from < len(toks) && toks[from].start < c.last.end {
			from++
		}
	}
	for i := from; i < len(toks) && toks[i].line == out.line; i++ {
		c.reset(i)
		if c.agrees(out) {
			c.take(out)
			return
		}
	}
	switch {
	case c.last != nil && c.last.line <= out.line && c.last.line >= out.line-20:
		out.call, out.line, out.col = c.last, c.last.line, c.last.col
	case from < len(toks) && toks[from].line == out.line:
		out.col = toks[from].col
	}
	c.reset(from)
}

// advance makes the next token.
func (c *cursor) advance() {
	c.next, c.have = c.e.next()
}

// reset goes on with the i-th token of the file.
func (c *cursor) reset(i int) {
	c.at = i
	c.e.pending = c.e.pending[:0]
	c.e.work = 0
	c.advance()
}

// agrees tells whether the next token is what the preprocessor printed. Only within a macro call
// may it be on another line than it says.
func (c *cursor) agrees(out *token) bool {
	switch {
	case !c.have, c.next.text != out.text && !(c.next.any && c.next.kind == out.kind):
		return false
	case c.next.call != nil && (c.last == c.next.call || c.next.file != nil && c.next.line == out.line):
		return true
	}
	line := c.next.line
	if c.next.call != nil {
		line = c.next.call.line
	}
	// Older compilers leave what is behind a call on the line where the call began.
	return line == out.line || c.last != nil && line > out.line && line < out.line+200
}

// take gives a token its place, and goes on.
func (c *cursor) take(out *token) {
	n := c.next
	if n.file != nil && !n.any {
		out.from, out.to = n.start, n.end
	}
	if n.call != nil {
		out.call, out.line, out.col = n.call, n.call.line, n.call.col
		c.last = n.call
	} else {
		out.line, out.col = n.line, n.col
		c.last = nil
	}
	c.have = false
}

// lineIndex returns the first token that is not before a line.
func lineIndex(toks []lexeme, line int32) int {
	lo, hi := 0, len(toks)
	for lo < hi {
		if mid := (lo + hi) / 2; toks[mid].line < line {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// unknownText expands the macros that have another text each time.
func unknownText(e *expander, t mtok) ([]mtok, bool) {
	k := number
	switch t.text {
	case "__LINE__", "__COUNTER__", "__INCLUDE_LEVEL__":
	case "__FILE__", "__BASE_FILE__", "__FILE_NAME__", "__DATE__", "__TIME__", "__TIMESTAMP__":
		k = str
	case "_Pragma":
		e.skipCall()
		return nil, true
	default:
		return nil, false
	}
	return []mtok{{lexeme: lexeme{kind: k}, call: begin(t), any: true}}, true
}

// skipCall passes over parentheses and what is in them.
func (e *expander) skipCall() (inside []mtok) {
	depth := 0
	for {
		t, ok := e.pull()
		if !ok {
			return inside
		}
		switch t.text {
		case "(":
			depth++
		case ")":
			depth--
		}
		if depth == 0 {
			if t.text != ")" {
				e.push([]mtok{t})
			}
			return inside
		}
		inside = append(inside, t)
	}
}
