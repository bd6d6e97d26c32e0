package cfront

import (
	"bytes"
	"regexp"
	"strings"
)

// directives are the words after # that cc knows, and those that mean nothing to the
// program.
var directives = map[string]bool{"if": true, "ifdef": true, "ifndef": true, "elif": true, "else": true, "endif": true,
	"include": true, "include_next": true, "define": true, "undef": true, "line": true, "error": true, "pragma": true,
	"warning": true, "ident": true, "sccs": true}

// checkDirectives makes a source digestible for cc's preprocessor. It replaces each directive
// that there is not, which cc would pass over, by one that is an error if it is met: in a
// group that is skipped it is none. Those of C23 that are short for others are written out,
// macros with a variable number of arguments as cc understands them, an empty statement follows
// a label at the end of a block, and what follows a quote
// that has no other on its line, fine in a group that is skipped only, is replaced by loneQuote.
func checkDirectives(src []byte) []byte {
	s := scanner{src: src}
	e := &edits{src: src}
	last := -1                         // the line of the last token
	label, inDirective := false, false // the last token is a colon; the line is a directive
	for {
		c, ok := s.next()
		if !ok {
			break
		}
		if s.lone {
			e.replace(s.from, s.pos, loneQuote)
		}
		if c == '\\' && s.peek() == '\n' || c == '\\' && bytes.HasPrefix(src[s.pos:], []byte("\r\n")) {
			last = s.line + 1 // the next line goes on with this one
			continue
		}
		first := s.line != last
		last = s.line
		inDirective = first && c == '#' || !first && inDirective
		if c == '}' && label && !inDirective {
			e.replace(s.from, s.from, ";") // a label at the end of a block, as in C23
		}
		label = c == ':' && !inDirective
		if c == '#' && first {
			e.directive(s.pos)
			s.pos = max(s.pos, e.done) // what has been replaced
		}
	}
	return e.end()
}

// digraphs writes the digraphs of C99 as what they stand for, with blanks to keep the columns.
// They stay if macros may see how they are spelled.
func digraphs(src []byte) []byte {
	if !bytes.Contains(src, []byte("<%")) && !bytes.Contains(src, []byte("<:")) && !bytes.Contains(src, []byte("%:")) {
		return src
	}
	s := scanner{src: src}
	e := &edits{src: src}
	for {
		c, ok := s.next()
		if !ok {
			break
		}
		if bytes.HasPrefix(src[s.from:], []byte("%:%:")) {
			s.pos = s.from + 4
			e.replace(s.from, s.pos, "##  ")
			continue
		}
		if plain := spelled[string([]byte{c, s.peek()})]; plain != "" {
			s.pos++
			e.replace(s.from, s.pos, plain+" ")
		}
	}
	if out := e.end(); !stringize.Match(out) {
		return out
	}
	return src
}

// spelled are the digraphs and what they stand for.
var spelled = map[string]string{"<:": "[", ":>": "]", "<%": "{", "%>": "}", "%:": "#"}

// loneQuote stands for a quote without another and what follows it on the line.
const loneQuote = "`"

// edits is a text with some of its parts replaced.
type edits struct {
	src, out []byte
	done     int // how much of src is in out
}

// replace replaces a part, which is behind those replaced before.
func (e *edits) replace(from, to int, text string) {
	e.out = append(append(e.out, e.src[e.done:from]...), text...)
	e.done = to
}

// end returns the whole text.
func (e *edits) end() []byte {
	if e.done == 0 {
		return e.src
	}
	return append(e.out, e.src[e.done:]...)
}

// directive replaces what has to be replaced of a directive, given where its # ends.
func (e *edits) directive(from int) {
	src := e.src
	for from < len(src) && (src[from] == ' ' || src[from] == '\t') {
		from++
	}
	to := from
	for to < len(src) && isWord(src[to]) {
		to++
	}
	word := string(src[from:to])
	switch {
	case word == "elifdef":
		e.replace(from, to, "elif defined")
		return
	case word == "elifndef":
		e.replace(from, to, "elif !defined")
		return
	case word == "define":
		if name := twice(src[to:lineEnd(src, to)]); name != "" {
			e.replace(from, lineEnd(src, to), "error the macro has two parameters "+name)
			return
		}
		e.define(to)
		return
	case word == "error", word == "warning":
		e.replace(from, to, word)
	case directives[word], word == "" && blank(src[from:]), word != "" && word[0] >= '0' && word[0] <= '9':
		return // "#" alone is one, "# 1" a line marker
	default:
		e.replace(from, to, "error there is no preprocessing directive #"+word)
	}
	end := to + textEnd(src[to:]) // a text, in which cc takes "don't" for a constant
	text := strings.ReplaceAll(string(src[to:end]), "'", "`")
	if strings.Count(text, `"`)%2 == 1 {
		text = strings.ReplaceAll(text, `"`, "`")
	}
	e.replace(to, end, text)
}

// variadicMacro matches the name and parameters of a macro with a variable number of
// arguments; the parameter for them has a name of its own in GNU C.
var variadicMacro = regexp.MustCompile(`^(?:[ \t]|\\\r?\n)+[A-Za-z_$][\w$]*\((?:[\w$,\s\\]*?,)?(?:\s|\\\r?\n)*([A-Za-z_$][\w$]*)?(?:\s|\\\r?\n)*\.\.\.[\s\\]*\)`)

// macroParameters matches the name and parameters of a macro.
var macroParameters = regexp.MustCompile(`^[ \t]+[A-Za-z_$][\w$]*\(([\w$, \t]*)\)`)

// twice returns a name that a macro has for two of its parameters.
func twice(definition []byte) string {
	seen := map[string]bool{}
	if m := macroParameters.FindSubmatch(definition); m != nil {
		for _, name := range strings.Split(string(m[1]), ",") {
			name = strings.TrimSpace(name)
			if name != "" && seen[name] {
				return name
			}
			seen[name] = true
		}
	}
	return ""
}

// define rewrites the definition of a macro with a variable number of arguments, given where
// the word define ends: "args..." becomes "...", and ",##args", which cc takes for a token to
// be made of a comma and the first argument, becomes ", ##__VA_ARGS__".
func (e *edits) define(at int) {
	m := variadicMacro.FindSubmatchIndex(e.src[at:])
	if m == nil {
		return
	}
	var name string
	if m[2] >= 0 {
		name = string(e.src[at+m[2] : at+m[3]])
		e.replace(at+m[2], at+m[3], "")
	}
	s := scanner{src: e.src[:lineEnd(e.src, at)], pos: at + m[1]}
	comma := -1 // where the last token ends, if it is a comma
	for {
		c, ok := s.next()
		switch {
		case !ok:
			return
		case c == '#' && comma == s.from && s.peek() == '#':
			e.replace(comma, comma, " ")
		case m[2] >= 0 && string(e.src[s.from:s.pos]) == name:
			e.replace(s.from, s.pos, "__VA_ARGS__")
		}
		if comma = -1; c == ',' {
			comma = s.pos
		}
	}
}

// lineEnd returns where the line of a directive ends, with all lines that it goes on in.
func lineEnd(src []byte, at int) int {
	comment := false // one to the end of the line
	for at < len(src) {
		rest := src[at:]
		switch {
		case rest[0] == '\n':
			return at
		case bytes.HasPrefix(rest, []byte("\\\r\n")):
			at += 3
		case rest[0] == '\\':
			at += 2
		case !comment && (rest[0] == '"' || rest[0] == '\''):
			s := scanner{src: src, pos: at + 1}
			s.skipLiteral(rest[0])
			at = s.pos
		case !comment && bytes.HasPrefix(rest, []byte("/*")):
			s := scanner{src: src, pos: at + 1}
			s.skipComment()
			at = s.pos
		default:
			comment = comment || bytes.HasPrefix(rest, []byte("//"))
			at++
		}
	}
	return len(src)
}

// textEnd returns where the text of a line ends: before a comment or the next line.
func textEnd(src []byte) int {
	for i, c := range src {
		if c == '\n' || c == '/' && i+1 < len(src) && (src[i+1] == '*' || src[i+1] == '/') {
			return i
		}
	}
	return len(src)
}

// blank reports whether the line that src begins with has no token, as far as that matters
// after #.
func blank(src []byte) bool {
	line, _, _ := bytes.Cut(src, []byte("\n"))
	line = bytes.TrimSpace(line)
	return len(line) == 0 || bytes.HasPrefix(line, []byte("//")) || bytes.HasPrefix(line, []byte("/*")) || line[0] == '\\'
}
