package read

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// source is a file of a unit.
type source struct {
	name   string // as the preprocessor has it: relative to the folder of the compiler's run
	label  string // as the user sees it: relative to the current folder
	text   []byte // as the user wrote it; nil if it cannot be had or nobody asks
	system bool   // a header of the system: no columns, no text
	tried  bool
	lexed  []lexeme // its tokens without those of directives
}

// token is a token of a preprocessed unit with its place in what the user wrote.
type token struct {
	text      string
	kind      kind
	bol       bool
	space     bool
	file      *source
	line, col int32
	call      *span // the macro call that it comes from
	// The bytes of the file that the user wrote for this token; to is 0 for one from the body of
	// a macro.
	from, to int32
}

// pragma is a #pragma that has not been dealt with by the preprocessor.
type pragma struct {
	words []string // behind "pragma"
	at    int      // the number of tokens before it
	file  *source
	line  int32
}

// stream is a preprocessed unit.
type stream struct {
	toks    []token
	pragmas []pragma
	files   map[string]*source
	dir     string // the folder of the compiler's run
}

// errorAt returns an error at a token.
func (s *stream) errorAt(i int, msg string) *Error { return &Error{Pos: s.pos(i), Msg: msg} }

// pos returns the place of a token.
func (s *stream) pos(i int) Pos {
	t := &s.toks[i]
	return Pos{File: t.file.label, Line: int(t.line), Col: int(t.col)}
}

func (s *stream) file(name string) *source {
	f := s.files[name]
	if f == nil {
		f = &source{name: name, label: label(s.dir, name)}
		s.files[name] = f
	}
	return f
}

// label returns the name of a file for the user, who is in the current folder, given what it is
// called in another.
func label(dir, name string) string {
	if dir == "" || filepath.IsAbs(name) || strings.HasPrefix(name, "<") {
		return name
	}
	name = filepath.Join(dir, name)
	if here, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(here, name); err == nil && !strings.HasPrefix(rel, "..") {
			return rel
		}
	}
	return name
}

// load reads the text of a file that is not one of the system's.
func (f *source) load(dir string, limit int64) []byte {
	if f.tried || f.text != nil {
		return f.text
	}
	f.tried = true
	name := f.name
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	if st, err := os.Stat(name); err == nil && st.Mode().IsRegular() && st.Size() <= limit {
		f.text, _ = os.ReadFile(name)
		blankBOM(f.text)
	}
	return f.text
}

// tokens returns the tokens of a file, without those of its directives.
func (f *source) tokens() []lexeme {
	if f.lexed != nil {
		return f.lexed
	}
	l := newLexer(f.text)
	f.lexed = []lexeme{}
	for {
		t, ok := l.next()
		if !ok {
			return f.lexed
		}
		if t.bol && t.text == "#" && t.kind == punct {
			l.directive()
			continue
		}
		f.lexed = append(f.lexed, t)
	}
}

// directive returns the rest of the line of a directive, behind its #, without comments, and
// goes on to the next line.
func (l *lexer) directive() string {
	var b strings.Builder
	from := l.pos
	flush := func() { b.Write(l.src[from:l.pos]) }
	for l.pos < len(l.src) {
		switch c := l.src[l.pos]; {
		case c == '\n':
			flush()
			return b.String()
		case c == '"' || c == '\'':
			l.quoted(c)
		case c == '/' && (l.at(1) == '*' || l.at(1) == '/'):
			flush()
			b.WriteByte(' ')
			if l.at(1) == '*' {
				l.blockComment()
			} else {
				l.lineComment()
			}
			from = l.pos
		case c == '\\' && l.splice(l.pos) > 0:
			flush()
			l.newline(l.pos + l.splice(l.pos))
			from = l.pos
		default:
			l.pos++
		}
	}
	flush()
	return b.String()
}

// quoted skips a literal in a directive, where a lone quote is none.
func (l *lexer) quoted(quote byte) {
	for i := l.pos + 1; i < len(l.src); i++ {
		switch l.src[i] {
		case '\\':
			i++
		case '\n':
			l.pos++
			return
		case quote:
			for l.pos <= i {
				if l.src[l.pos] == '\n' {
					l.newline(l.pos + 1)
					continue
				}
				l.pos++
			}
			return
		}
	}
	l.pos++
}

// marker reads a line marker, # 12 "file" 1 3 or #line 12 "file".
func marker(rest string) (line int, file string, flags string, ok bool) {
	rest = strings.TrimSpace(rest)
	rest = strings.TrimSpace(strings.TrimPrefix(rest, "line"))
	num, rest, _ := strings.Cut(rest, " ")
	line, err := strconv.Atoi(strings.TrimSpace(num))
	if err != nil {
		return 0, "", "", false
	}
	rest = strings.TrimSpace(rest)
	if !strings.HasPrefix(rest, `"`) {
		return line, "", "", true
	}
	end := strings.LastIndexByte(rest, '"')
	if end == 0 {
		return 0, "", "", false
	}
	file = rest[1:end]
	if strings.Contains(file, `\`) {
		if s, err := strconv.Unquote(rest[:end+1]); err == nil {
			file = s
		}
	}
	return line, file, rest[end+1:], true
}
