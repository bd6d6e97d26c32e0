package read

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// literalParts splits a literal into its prefix and the rest, quotes included. A raw string
// becomes one that is not.
func literalParts(text string) (prefix, rest string) {
	i := strings.IndexAny(text, `"'`)
	prefix, rest = text[:i], text[i:]
	plain, raw := strings.CutSuffix(prefix, "R")
	if !raw {
		return prefix, rest
	}
	open := strings.IndexByte(rest, '(')
	body := rest[open+1 : len(rest)-1-open]
	var b strings.Builder
	b.WriteByte('"')
	for j := 0; j < len(body); j++ {
		switch c := body[j]; c {
		case '"', '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case '\n':
			b.WriteString(`\n`)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return plain, b.String()
}

// putStrings writes adjacent string literals. All get the same prefix: none, also for u8, or L,
// also for u and U, and then [Unit.Prefix] tells which. They become one, as in translation phase 6.
func (r *rewriter) putStrings(i int) int {
	end, prefix := i, ""
	for ; end < len(r.toks) && r.toks[end].kind == str; end++ {
		if p, _ := literalParts(r.toks[end].text); p != "" && prefix == "" {
			prefix = p
		}
	}
	written := ""
	if prefix != "" && prefix != "u8" {
		written = "L"
	}
	if prefix != "" && prefix != "L" {
		r.literals[int32(len(r.out.starts))] = prefix
	}
	var b strings.Builder
	b.WriteString(written)
	b.WriteByte('"')
	for j := i; j < end; j++ {
		_, rest := literalParts(r.toks[j].text)
		rest = fixEscapes(rest)
		if rest = rest[1 : len(rest)-1]; j+1 < end {
			rest = closeEscape(rest)
		}
		b.WriteString(rest)
	}
	b.WriteByte('"')
	r.out.add(b.String(), i)
	return end
}

// openEscape matches an escape sequence at the end of a text that a digit would go on.
var openEscape = regexp.MustCompile(`\\(x[0-9a-fA-F]+|[0-7]{1,2})$`)

// closeEscape writes the last escape sequence of a literal so that what follows cannot be part of
// it: octal with three digits, or if it is larger than these, as \u with four.
func closeEscape(lit string) string {
	m := openEscape.FindStringSubmatchIndex(lit)
	if m == nil || !isEscape(lit, m[0]) {
		return lit
	}
	digits, base := lit[m[2]:m[3]], 8
	if digits[0] == 'x' {
		digits, base = digits[1:], 16
	}
	v, err := strconv.ParseUint(digits, base, 32)
	switch {
	case err != nil:
		return lit
	case v <= 0o777:
		return fmt.Sprintf(`%s\%03o`, lit[:m[0]], v)
	}
	return fmt.Sprintf(`%s\U%08x`, lit[:m[0]], v)
}

// isEscape tells whether the backslash at a place begins an escape sequence.
func isEscape(lit string, at int) bool {
	n := 0
	for at-n > 0 && lit[at-n-1] == '\\' {
		n++
	}
	return n%2 == 0
}

// putChar writes a character constant: without a prefix, or with L, also for u, U and u8.
func (r *rewriter) putChar(i int) int {
	prefix, rest := literalParts(r.toks[i].text)
	if prefix != "" && prefix != "L" {
		r.literals[int32(len(r.out.starts))] = prefix
		prefix = "L"
	}
	r.out.add(prefix+fixEscapes(rest), i)
	return i + 1
}

// fixEscapes writes \X, which cc takes for \x, as X, and \u without digits as u: gcc warns.
func fixEscapes(lit string) string {
	if !strings.Contains(lit, `\X`) {
		return lit
	}
	var b strings.Builder
	for i := 0; i < len(lit); i++ {
		if lit[i] == '\\' && i+1 < len(lit) {
			if lit[i+1] == 'X' {
				continue
			}
			b.WriteByte(lit[i])
			i++
		}
		b.WriteByte(lit[i])
	}
	return b.String()
}

// emptyCharacter is the error for ”, which cc panics about.
func emptyCharacter(s *stream) error {
	for i := range s.toks {
		if t := &s.toks[i]; t.kind == char && strings.HasSuffix(t.text, "''") && len(strings.TrimLeft(t.text, "LuU8")) == 2 {
			return s.errorAt(i, "empty character constant")
		}
	}
	return nil
}
