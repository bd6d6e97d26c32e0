package shrink

import (
	"strings"
	"unicode"
)

// operators are those of several characters, the longer ones first.
var operators = []string{
	"<<=", ">>=", "...", "==", "!=", "<=", ">=", "&&", "||", "++", "--", "->",
	"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>",
}

// tokenize cuts C text into tokens, without comments. A preprocessor line is one
// token, which starts with "#".
func tokenize(src string) []string {
	var out []string
	for src = strings.TrimSpace(src); src != ""; src = strings.TrimSpace(src) {
		n := tokenLength(src)
		if t := src[:n]; !strings.HasPrefix(t, "//") && !strings.HasPrefix(t, "/*") {
			out = append(out, t)
		}
		src = src[n:]
	}
	return out
}

// tokenLength returns the length of the token or comment that src starts with.
func tokenLength(src string) int {
	until := func(end string, from int) int {
		if i := strings.Index(src[from:], end); i >= 0 {
			return from + i + len(end)
		}
		return len(src)
	}
	switch c := src[0]; {
	case strings.HasPrefix(src, "//"):
		return until("\n", 0)
	case c == '#':
		return len(strings.TrimRight(src[:until("\n", 0)], "\r\n"))
	case strings.HasPrefix(src, "/*"):
		return until("*/", 2)
	case c == '"' || c == '\'':
		for i := 1; i < len(src); i++ {
			if src[i] == '\\' {
				i++
			} else if src[i] == c {
				return i + 1
			}
		}
		return len(src)
	case isWord(src):
		n := 0
		for n < len(src) && isWord(src[n:]) {
			n++
		}
		return n
	}
	for _, op := range operators {
		if strings.HasPrefix(src, op) {
			return len(op)
		}
	}
	return 1
}

// isWord reports whether s starts like a name or a number.
func isWord(s string) bool {
	return s != "" && (s[0] == '_' || s[0] < 128 && (unicode.IsLetter(rune(s[0])) || unicode.IsDigit(rune(s[0]))))
}

func isNumber(s string) bool { return s != "" && unicode.IsDigit(rune(s[0])) }

// keywords are the names that stand for no object and no type of the program.
var keywords = map[string]bool{
	"if": true, "else": true, "while": true, "for": true, "do": true, "switch": true, "case": true, "default": true,
	"return": true, "break": true, "continue": true, "goto": true, "sizeof": true, "static": true, "extern": true,
	"const": true, "volatile": true, "void": true, "int": true, "char": true, "short": true, "long": true,
	"unsigned": true, "signed": true, "_Bool": true, "struct": true, "union": true, "enum": true, "typedef": true,
	"inline": true, "_Atomic": true, "main": true,
}

func isName(s string) bool { return isWord(s) && !isNumber(s) && !keywords[s] }

// join prints tokens with the spaces C programmers expect, as far as that is
// simple.
func join(tokens []string) string {
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 && spaced(tokens[:i], t) {
			b.WriteByte(' ')
		}
		b.WriteString(t)
	}
	return b.String()
}

// spaced reports whether there is a space between tokens and the next one.
func spaced(before []string, t string) bool {
	last := before[len(before)-1]
	binary := len(before) < 2 || isWord(before[len(before)-2]) || before[len(before)-2] == ")" || before[len(before)-2] == "]"
	switch {
	case strings.Contains(";,)]", t), last == "(", last == "[", t == "[", last == "!", last == "~", t == ".", last == ".", t == "->", last == "->":
		return false
	case t == "(":
		return !isWord(last) || keywords[last] && last != "main"
	case t == "++" || t == "--":
		return !isWord(last) && last != ")" && last != "]"
	case last == "++" || last == "--":
		return !isWord(t)
	case last == "*" || last == "&" || last == "-":
		return binary && !(last == "*" && len(before) >= 2 && keywords[before[len(before)-2]])
	}
	return true
}

// closing returns the index of the bracket that closes the one at tokens[i], or
// -1.
func closing(tokens []string, i int) int {
	depth := 0
	for ; i < len(tokens); i++ {
		switch tokens[i] {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}
