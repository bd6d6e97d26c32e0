package suppress

import "strings"

// comment is a comment of a source file.
type comment struct {
	text           string // without its delimiters
	line, col, end int    // its first line and column, its last line
}

// scan returns the comments of C, and the lines that have something else. It knows strings, character constants and lines that
// are continued; other tokens look like no comment.
func scan(text string) (comments []comment, code map[int]bool) {
	s := &scanner{text: text, line: 1, code: map[int]bool{}}
	for s.at < len(s.text) {
		switch rest := s.text[s.at:]; {
		case strings.HasPrefix(rest, "//"):
			s.comment(lineComment(rest), 2, 0)
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest[2:], "*/")
			if n < 0 {
				s.comment(len(rest), 2, 0)
			} else {
				s.comment(n+4, 2, 2)
			}
		case rest[0] == '"' || rest[0] == '\'':
			s.code[s.line] = true
			s.skip(literal(rest))
		default:
			if !strings.ContainsRune(" \t\r\n\f\v", rune(rest[0])) {
				s.code[s.line] = true
			}
			s.skip(1)
		}
	}
	return s.comments, s.code
}

// scanner is a place in a text.
type scanner struct {
	text            string
	at, line, begin int // begin is where the line does
	comments        []comment
	code            map[int]bool
}

// skip goes on by n bytes.
func (s *scanner) skip(n int) {
	for _, b := range []byte(s.text[s.at : s.at+n]) {
		s.at++
		if b == '\n' {
			s.line++
			s.begin = s.at
		}
	}
}

// comment takes a comment of n bytes, of which some at both ends are delimiters.
func (s *scanner) comment(n, open, shut int) {
	c := comment{text: s.text[s.at+open : s.at+n-shut], line: s.line, col: s.at - s.begin + 1}
	s.skip(n)
	c.end = s.line
	s.comments = append(s.comments, c)
}

// lineComment returns the length of a comment that ends with its line.
func lineComment(text string) int {
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' && !strings.HasSuffix(strings.TrimSuffix(text[:i], "\r"), `\`) {
			return i
		}
	}
	return len(text)
}

// literal returns the length of a string or character constant; of one that is not closed, to the end of the line.
func literal(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '\n':
			return i
		case text[0]:
			return i + 1
		}
	}
	return len(text)
}
