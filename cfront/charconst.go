package cfront

import "strconv"

// joinCharacters replaces character constants of several characters, which cc does
// not read, by their values as gcc has them: each character is the next byte of an
// int. Constants with a prefix stay.
func joinCharacters(src []byte) []byte {
	s := scanner{src: src}
	var out []byte
	done, prev := 0, 0
	for {
		if _, ok := s.next(); !ok {
			break
		}
		if src[s.pos-1] == '\'' {
			from := literalStart(src[prev:s.pos]) + prev
			if v, ok := charactersValue(src[from:s.pos]); ok && (from == 0 || !isWord(src[from-1])) {
				text := strconv.Itoa(int(v))
				if v < 0 {
					text = "(" + text + ")"
				}
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

// literalStart returns where the character constant that text ends with begins.
func literalStart(text []byte) int {
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
		case c == '\'':
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
