package cfront

import (
	"bytes"
	"strings"
)

// directives are the words after # that cc knows, and those that mean nothing to the
// program.
var directives = map[string]bool{"if": true, "ifdef": true, "ifndef": true, "elif": true, "else": true, "endif": true,
	"include": true, "include_next": true, "define": true, "undef": true, "line": true, "error": true, "pragma": true,
	"warning": true, "ident": true, "sccs": true}

// checkDirectives replaces each preprocessing directive that there is not, which cc would
// pass over, by one that is an error if it is met: in a group that is skipped it is none.
// Those of C23 that are short for others are written out.
func checkDirectives(src []byte) []byte {
	s := scanner{src: src}
	var out []byte
	done, last := 0, -1 // the line of the last token
	for {
		c, ok := s.next()
		if !ok {
			break
		}
		if c == '\\' && s.peek() == '\n' || c == '\\' && bytes.HasPrefix(src[s.pos:], []byte("\r\n")) {
			last = s.line + 1 // the next line goes on with this one
			continue
		}
		first := s.line != last
		last = s.line
		if c != '#' || !first {
			continue
		}
		from := s.pos
		for from < len(src) && (src[from] == ' ' || src[from] == '\t') {
			from++
		}
		to := from
		for to < len(src) && isWord(src[to]) {
			to++
		}
		word := string(src[from:to])
		var instead string
		switch {
		case word == "elifdef":
			instead = "elif defined"
		case word == "elifndef":
			instead = "elif !defined"
		case word == "error", word == "warning":
			instead = word
		case directives[word], word == "" && blank(src[from:]), word != "" && word[0] >= '0' && word[0] <= '9':
			continue // "#" alone is one, "# 1" a line marker
		default:
			instead = "error there is no preprocessing directive #" + word
		}
		out = append(append(out, src[done:from]...), instead...)
		done = to
		if !strings.HasPrefix(instead, "elif") { // a text, in which cc takes "don't" for a constant
			end := to + textEnd(src[to:])
			text := bytes.ReplaceAll(src[to:end], []byte("'"), []byte("`"))
			if bytes.Count(text, []byte(`"`))%2 == 1 {
				text = bytes.ReplaceAll(text, []byte(`"`), []byte("`"))
			}
			out, done = append(out, text...), end
		}
	}
	if done == 0 {
		return src
	}
	return append(out, src[done:]...)
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
