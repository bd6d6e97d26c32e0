package contract

import "fmt"

// A token is a word, a number or punctuation of a line. The last token is empty.
type token struct {
	text string
	col  int // from 1
}

func isLetter(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func (t token) word() bool   { return t.text != "" && isLetter(t.text[0]) }
func (t token) number() bool { return t.text != "" && isDigit(t.text[0]) }

// scan appends the tokens of a line, without its comment.
func scan(tokens []token, line string) ([]token, *Fault) {
	for i := 0; i < len(line) && line[i] != '#'; {
		c, j := line[i], i+1
		switch {
		case c == ' ' || c == '\t':
			i++
			continue
		case isLetter(c) || isDigit(c):
			for j < len(line) && (isLetter(line[j]) || isDigit(line[j])) {
				j++
			}
		case c == '.':
			for j < len(line) && line[j] == '.' {
				j++
			}
			if j-i > 3 || j-i < 2 {
				return nil, &Fault{Place{Col: i + 1}, "bad number of dots"}
			}
		case c != '(' && c != ')' && c != '[' && c != ']' && c != ',' && c != ':' &&
			c != '?' && c != '=' && c != '|' && c != '*' && c != '-':
			return nil, &Fault{Place{Col: i + 1}, fmt.Sprintf("unexpected character %q", c)}
		}
		tokens = append(tokens, token{line[i:j], i + 1})
		i = j
	}
	return append(tokens, token{"", len(line) + 1}), nil
}

// A Fault is a mistake in a table.
type Fault struct {
	At  Place
	Why string
}

func (f *Fault) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", f.At.File, f.At.Line, f.At.Col, f.Why)
}
