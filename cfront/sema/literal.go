package sema

import (
	"math/big"
	"strings"
	"unicode/utf8"

	"comus/cfront/syntax"
	"comus/cfront/tree"
	"comus/cfront/types"
)

// literal is a string literal or character constant taken apart.
type literal struct {
	prefix string
	raw    bool
	body   string
}

// takeApart splits a token into its prefix and what is between the quotes.
func takeApart(s string) literal {
	i := strings.IndexAny(s, `"'`)
	l := literal{prefix: s[:i]}
	body := s[i+1 : len(s)-1]
	if strings.HasSuffix(l.prefix, "R") {
		l.prefix, l.raw = strings.TrimSuffix(l.prefix, "R"), true
		if o := strings.IndexByte(body, '('); o >= 0 && len(body) >= 2*o+2 {
			body = body[o+1 : len(body)-o-1]
		}
	}
	l.body = body
	return l
}

// charType is the type of the characters of a literal with a prefix.
func (c *checker) charType(prefix string) *types.Type {
	switch prefix {
	case "L":
		return c.t.WChar
	case "u":
		return c.t.Char16
	case "U":
		return c.t.Char32
	}
	return c.t.Char
}

// stringLit makes a string literal of adjacent ones.
func (c *checker) stringLit(e *syntax.StringExpr) tree.Expr {
	prefix := ""
	parts := make([]literal, len(e.Parts))
	for i, p := range e.Parts {
		parts[i] = takeApart(p)
		if q := parts[i].prefix; q != "" {
			if prefix != "" && prefix != q {
				c.fail(e, "unsupported non-standard concatenation of string literals")
			}
			prefix = q
		}
	}
	t := c.charType(prefix)
	var data []byte
	for _, p := range parts {
		data = c.encode(e, data, p, t)
	}
	data = append(data, make([]byte, t.Size)...)
	n := int64(len(data)) / t.Size
	return &tree.String{X: c.x(e, types.ArrayOf(t, n)), Data: data}
}

// plain is the text of a string literal without prefix.
func (c *checker) plain(e *syntax.StringExpr) string {
	var data []byte
	for _, p := range e.Parts {
		data = c.encode(e, data, takeApart(p), c.t.Char)
	}
	return string(data)
}

// encode appends the characters of a literal, little endian.
func (c *checker) encode(n syntax.Node, data []byte, l literal, t *types.Type) []byte {
	unit := func(v uint64) {
		for i := int64(0); i < t.Size; i++ {
			data = append(data, byte(v>>(8*i)))
		}
	}
	char := func(r rune) {
		switch t.Size {
		case 1:
			data = utf8.AppendRune(data, r)
		case 2:
			if r > 0xffff {
				r -= 0x10000
				unit(uint64(0xd800 + r>>10))
				unit(uint64(0xdc00 + r&0x3ff))
				return
			}
			unit(uint64(r))
		default:
			unit(uint64(r))
		}
	}
	s := l.body
	for len(s) > 0 {
		if s[0] == '\\' && !l.raw {
			v, isChar, rest := c.escape(n, s, t)
			s = rest
			if isChar {
				char(rune(v))
			} else {
				unit(v)
			}
			continue
		}
		if t.Size == 1 {
			data = append(data, s[0])
			s = s[1:]
			continue
		}
		r, size := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && size == 1 {
			c.fail(n, "converting to execution character set: invalid UTF-8")
		}
		char(r)
		s = s[size:]
	}
	return data
}

var escapes = map[byte]uint64{'n': '\n', 't': '\t', 'r': '\r', 'a': 7, 'b': 8, 'f': 12, 'v': 11, 'e': 27, 'E': 27,
	'\\': '\\', '\'': '\'', '"': '"', '?': '?'}

// escape reads an escape sequence. A universal character name is a character, others are code units.
func (c *checker) escape(n syntax.Node, s string, t *types.Type) (v uint64, isChar bool, rest string) {
	if len(s) < 2 {
		return '\\', false, s[1:]
	}
	switch ch := s[1]; {
	case ch >= '0' && ch <= '7':
		i := 1
		for i < len(s) && i < 4 && s[i] >= '0' && s[i] <= '7' {
			v = v*8 + uint64(s[i]-'0')
			i++
		}
		return v, false, s[i:]
	case ch == 'x':
		i := 2
		for i < len(s) && isHex(s[i]) {
			v = v<<4 | uint64(hexValue(s[i]))
			i++
		}
		if i == 2 {
			c.fail(n, "\\x used with no following hex digits")
		}
		return v, false, s[i:]
	case ch == 'u' || ch == 'U':
		want := 4
		if ch == 'U' {
			want = 8
		}
		i := 2
		for i < len(s) && i < 2+want && isHex(s[i]) {
			v = v<<4 | uint64(hexValue(s[i]))
			i++
		}
		if i != 2+want {
			c.fail(n, "incomplete universal character name %s", s[:i])
		}
		if v >= 0xd800 && v < 0xe000 || v > 0x10ffff || v < 0xa0 && v != '$' && v != '@' && v != '`' {
			c.fail(n, "%s is not a valid universal character", s[:i])
		}
		return v, true, s[i:]
	default:
		if x, ok := escapes[ch]; ok {
			return x, false, s[2:]
		}
		return uint64(ch), false, s[2:]
	}
}

func isHex(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'f' || b >= 'A' && b <= 'F'
}

func hexValue(b byte) byte {
	switch {
	case b <= '9':
		return b - '0'
	case b >= 'a':
		return b - 'a' + 10
	}
	return b - 'A' + 10
}

// character makes a character constant.
func (c *checker) character(e *syntax.CharExpr) tree.Expr {
	l := takeApart(e.Text)
	if l.body == "" {
		c.fail(e, "empty character constant")
	}
	t := c.charType(l.prefix)
	data := c.encode(e, nil, l, t)
	if l.prefix == "" {
		return c.narrowChar(e, data)
	}
	last := data[int64(len(data))-t.Size:]
	v := uint64(0)
	for i := len(last) - 1; i >= 0; i-- {
		v = v<<8 | uint64(last[i])
	}
	if l.prefix == "u8" {
		t = c.t.UChar
	}
	return c.intConst(c.site(e), t, wrap(new(big.Int).SetUint64(v), t))
}

// narrowChar is the value of a character constant without prefix: of several characters, gcc's.
func (c *checker) narrowChar(e *syntax.CharExpr, data []byte) tree.Expr {
	if len(data) == 1 {
		v := wrap(big.NewInt(int64(data[0])), c.t.Char)
		return c.intConst(c.site(e), c.t.Int, v)
	}
	v := uint32(0)
	for _, b := range data {
		v = v<<8 | uint32(b)
	}
	return c.small(e, c.t.Int, int64(int32(v)))
}
