package read

import (
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
// also for u and U, and then [Unit.Prefix] tells which.
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
	for j := i; j < end; j++ {
		_, rest := literalParts(r.toks[j].text)
		r.out.add(written+fixEscapes(rest), j)
	}
	return end
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
