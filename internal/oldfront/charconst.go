package cfront

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
)

// stringize matches the definition of a macro that uses the text of an argument.
var stringize = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+\w+\((?:[^\n\\]|\\(?s:.))*[^#\n]#(?:[ \t]|\\\n)*\w`)

// joinCharacters replaces character constants of several characters, which cc does
// not read, by their values as gcc has them: each character is the next byte of an
// int. Escape sequences of more than two hexadecimal digits, of which cc reads two,
// become octal ones. Constants with the prefixes u8, u and U are written without them,
// those with L stay, and all stay if macros may see how they are written: then constants
// of several characters and such prefixes are refused.
func joinCharacters(src []byte) []byte {
	if stringize.Match(src) {
		return src
	}
	s := scanner{src: src}
	var out []byte
	done, prev := 0, 0
	for {
		if _, ok := s.next(); !ok {
			break
		}
		if quote := src[s.pos-1]; quote == '\'' || quote == '"' {
			from := literalStart(src[prev:s.pos], quote) + prev
			lit := src[from:s.pos]
			if n, text := unprefixed(src[:from], lit); n > 0 {
				out = append(append(out, src[done:from-n]...), text...)
				done, prev = s.pos, s.pos
				continue
			}
			text := longHex.ReplaceAllStringFunc(string(lit), octalOf)
			if v, ok := charactersValue([]byte(text)); ok {
				text = "(" + strconv.Itoa(int(v)) + ")"
			}
			if text != string(lit) && (from == 0 || !isWord(src[from-1])) {
				out = append(append(out, src[done:from]...), text...)
				done = s.pos
			}
		}
		prev = s.pos
	}
	if done == 0 {
		return src
	}
	return append(out, src[done:]...)
}

// unprefixed returns the length of the prefix u8, u or U that a literal has and what to write
// for both; 0 if there is none, or the literal is not ASCII.
func unprefixed(before, lit []byte) (int, string) {
	prefix := prefixes.FindSubmatch(before[max(0, len(before)-3):])
	if prefix == nil {
		return 0, ""
	}
	switch p := string(prefix[1]); {
	case p == "u8" && lit[0] == '"':
		return 2, "  " + string(lit)
	case p == "u8" || lit[0] == '"' || len(lit) < 3:
		return 0, ""
	default:
		c, _, rest, err := strconv.UnquoteChar(unquotable(string(lit[1:len(lit)-1])), '\'')
		if err != nil || rest != "" || c > 127 {
			return 0, ""
		}
		if p == "u" {
			return 1, fmt.Sprintf("((unsigned short)%d)", c)
		}
		return 1, fmt.Sprintf("(%du)", c)
	}
}

// prefixes matches text that ends with a word that a literal may have as its prefix.
var prefixes = regexp.MustCompile(`(?:^|[^\w$\x80-\x{10ffff}])(u8|u|U)$`)

// longHex matches the escape sequences of a literal.
var longHex = regexp.MustCompile(`\\(x[0-9a-fA-F]{3,}|.)`)

// octalOf writes a hexadecimal escape sequence of more than two digits as an octal
// one, if it is a character.
func octalOf(esc string) string {
	if len(esc) > 2 {
		if v, err := strconv.ParseUint(esc[2:], 16, 8); err == nil {
			return fmt.Sprintf(`\%03o`, v)
		}
	}
	return esc
}

// literalStart returns where the literal that text ends with begins.
func literalStart(text []byte, quote byte) int {
	s := scanner{src: text}
	for s.pos < len(text) {
		switch c := text[s.pos]; {
		case c == '/' && s.pos+1 < len(text) && text[s.pos+1] == '*':
			s.pos++
			s.skipComment()
		case c == '/' && s.pos+1 < len(text) && text[s.pos+1] == '/':
			for s.pos < len(text) && text[s.pos] != '\n' {
				s.pos++
			}
		case c == quote:
			return s.pos
		default:
			s.pos++
		}
	}
	return len(text) - 1
}

// charactersValue returns the value of a constant of two to four characters.
func charactersValue(lit []byte) (int32, bool) {
	if len(lit) < 4 || lit[0] != '\'' || lit[len(lit)-1] != '\'' {
		return 0, false
	}
	text := string(lit[1 : len(lit)-1])
	n, v := 0, uint32(0)
	for ; text != ""; n++ {
		c, multibyte, rest, err := strconv.UnquoteChar(unquotable(text), '\'')
		if err != nil || multibyte || c > 255 {
			return 0, false
		}
		v, text = v<<8|uint32(c), rest
	}
	return int32(v), n > 1 && n <= 4
}

// unquotable rewrites the escape sequence at the start of a text that C has and Go
// does not: octal ones of fewer than three digits, hexadecimal ones of one, \" and \?.
func unquotable(s string) string {
	if len(s) < 2 || s[0] != '\\' {
		return s
	}
	isHex := func(c byte) bool { return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }
	switch {
	case s[1] == '"' || s[1] == '?':
		return s[1:]
	case s[1] == 'x' && len(s) > 2 && isHex(s[2]) && (len(s) == 3 || !isHex(s[3])):
		return `\x0` + s[2:]
	}
	n := 1
	for n < len(s) && n < 4 && s[n] >= '0' && s[n] <= '7' {
		n++
	}
	if n == 1 {
		return s
	}
	return `\` + "000"[n-1:] + s[1:]
}

// emptyCharacter returns where the first character constant of no character is, which cc
// panics about; 0, 0 if there is none.
func emptyCharacter(src []byte) (line, col int) {
	s := scanner{src: src, line: 1}
	for {
		if _, ok := s.next(); !ok {
			return 0, 0
		}
		before := src[:s.pos]
		if bytes.HasSuffix(before, []byte("''")) && !bytes.HasSuffix(before, []byte(`\''`)) {
			return s.line, s.pos - 2 - s.start + 1
		}
	}
}
