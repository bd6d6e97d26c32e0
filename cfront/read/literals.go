package read

import "strings"

// unprefixed returns a literal without its prefix, quotes included. A raw string becomes one that
// is not.
func unprefixed(text string) string {
	i := strings.IndexAny(text, `"'`)
	prefix, rest := text[:i], text[i:]
	if !strings.HasSuffix(prefix, "R") {
		return rest
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
	return b.String()
}
