package specialise

import (
	"math"
	"strings"

	"comus/cir"
)

// conversion is one of a format string: of printf, or of scanf.
type conversion struct {
	letter byte
	size   string // "", "h", "hh", "l", "ll", "L", "j", "z", "t"
	stars  int    // numbers that are arguments
	width  int64  // -1: none, or an argument
	prec   int64  // of a printf, likewise
	none   bool   // of a scanf: what is read is not stored
	locale bool   // the locale says what stands between digits, or what they look like
	text   string // what comes before it as it is
}

// conversions takes a format string apart; what comes behind the last conversion is one without letter. It is not ok for formats whose
// arguments have numbers, and those that end early.
func conversions(format string, scan bool) (list []conversion, ok bool) {
	var text strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			text.WriteByte(format[i])
			continue
		}
		c, n := oneConversion(format[i+1:], scan)
		if n == 0 {
			return nil, false
		}
		i += n
		if c.letter == '%' && !scan {
			text.WriteByte('%')
			continue
		}
		c.text = text.String()
		text.Reset()
		list = append(list, c)
	}
	return append(list, conversion{text: text.String()}), true
}

// oneConversion reads a conversion behind its %, and returns how long it is; 0 if it is none.
func oneConversion(s string, scan bool) (c conversion, n int) {
	c.width, c.prec = -1, -1
	flags := "-+ #0'I"
	if scan {
		flags = "*'I"
	}
	for n < len(s) && strings.IndexByte(flags, s[n]) >= 0 {
		c.none = c.none || s[n] == '*'
		c.locale = c.locale || s[n] == '\'' || s[n] == 'I'
		n++
	}
	number := func() int64 {
		if n < len(s) && s[n] == '*' {
			c.stars++
			n++
			return -1
		}
		k, first := int64(0), n
		for ; n < len(s) && s[n] >= '0' && s[n] <= '9'; n++ {
			k = min(k*10+int64(s[n]-'0'), math.MaxInt32)
		}
		if n == first {
			return -1
		}
		return k
	}
	c.width = number()
	if n < len(s) && s[n] == '.' && !scan {
		n++
		before := c.stars
		if c.prec = number(); c.prec < 0 && c.stars == before {
			c.prec = 0
		}
	}
	first := n
	for n < len(s) && strings.IndexByte("hlLqjztm", s[n]) >= 0 {
		n++
	}
	c.size = s[first:n]
	if n == len(s) || s[n] == '$' {
		return c, 0
	}
	c.letter = s[n]
	n++
	if scan && c.letter == '[' {
		end := n
		if end < len(s) && s[end] == '^' {
			end++
		}
		end++ // a ] that comes first is one of the set
		if end > len(s) {
			return c, 0
		}
		k := strings.IndexByte(s[end:], ']')
		if k < 0 {
			return c, 0
		}
		n = end + k + 1
	}
	return c, n
}

// bytes returns the size of what a conversion of a scanf, or %n, stores; -1 for strings.
func (c conversion) bytes(m cir.Model) int64 {
	word := int64(m.PointerBits / 8)
	switch {
	case strings.Contains(c.size, "m") || c.letter == 'p':
		return word
	case strings.IndexByte("csS[C", c.letter) >= 0:
		return -1
	case strings.IndexByte("aefgAEFG", c.letter) >= 0:
		switch c.size {
		case "":
			return 4
		case "l":
			return 8
		}
		return m.SizeOf(cir.F80)
	}
	switch c.size {
	case "":
		return 4
	case "hh":
		return 1
	case "h":
		return 2
	case "l", "z", "t":
		return word
	}
	return 8
}

// printed bounds how many bytes a conversion of a printf makes.
func (c conversion) printed() (least, most int64) {
	if c.letter == 0 {
		return 0, 0
	}
	least, most = 0, math.MaxInt32
	if strings.IndexByte("dixXuoc", c.letter) >= 0 && c.prec < 0 {
		least = 1
		if c.stars == 0 && !c.locale {
			most = max(24, c.width) // octal, of 64 bits, with a sign
			if c.size == "" || c.size == "h" || c.size == "hh" {
				most = max(14, c.width) // of 32 bits, with a sign or 0x
			}
		}
		if c.letter == 'c' && c.stars == 0 && c.size == "" {
			most = max(1, c.width)
		}
	}
	return max(least, c.width), most
}
