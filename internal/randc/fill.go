package randc

import (
	"fmt"
	"regexp"
	"strings"
)

var (
	choices = regexp.MustCompile(`«[^«»]*»`)
	fresh   = regexp.MustCompile(`@[a-z]+`)
	holes   = regexp.MustCompile(`\$([a-zA-Z]|\[\d+\])`)
)

// fill returns C text from a pattern:
//
//	«a|b|c»  one of several texts, from the inside
//	@name    a name that is used once, the same at each place of the pattern
//	$1       the first argument
//	$e       an integer expression, of any type
//	$i $l    one as int, as long
//	$s $u    one as signed char, as unsigned
//	$b       a condition
//	$k $n    a number from 0 to 9, from 1 to 8
//	$d $f    a double, a float
//	$[4]     an index below 4
//	$t       an integer variable or member to assign to
func (g *gen) fill(pattern string, args ...string) string {
	for choices.MatchString(pattern) {
		pattern = choices.ReplaceAllStringFunc(pattern, func(m string) string {
			m = strings.TrimSuffix(strings.TrimPrefix(m, "«"), "»")
			return g.pick(strings.Split(m, "|")...)
		})
	}
	names := map[string]string{}
	pattern = fresh.ReplaceAllStringFunc(pattern, func(m string) string {
		if names[m] == "" {
			names[m] = g.name(m[1:])
		}
		return names[m]
	})
	pattern = holes.ReplaceAllStringFunc(pattern, g.hole)
	for i, a := range args {
		pattern = strings.ReplaceAll(pattern, fmt.Sprintf("$%d", i+1), a)
	}
	return pattern
}

func (g *gen) hole(m string) string {
	as := func(n *number) string {
		e := g.int(1 + g.IntN(2))
		if e.t == n && !e.bits {
			return "(" + e.s + ")"
		}
		return "(" + g.cast(n, e).s + ")"
	}
	switch m[1] {
	case 'e':
		return "(" + g.int(1+g.IntN(2)).s + ")"
	case 'i':
		return as(intType)
	case 'l':
		return as(longType)
	case 's':
		return as(integers[2])
	case 'u':
		return as(uintType)
	case 'b':
		return "(" + g.int(1).s + ")"
	case 'k':
		return fmt.Sprint(g.IntN(10))
	case 'n':
		return fmt.Sprint(1 + g.IntN(8))
	case 'd', 'f':
		t := map[byte]*number{'d': doubleType, 'f': floatType}[m[1]]
		if g.static || g.has&Floats == 0 {
			return fmt.Sprintf("%g", float64(g.IntN(4000)-2000)/16)
		}
		e := g.fits(g.float(1), t)
		return "(" + t.name + ")" + g.in(e, precUnary)
	case 't':
		for range 4 {
			if p, ok := g.target(); ok && !p.t.num.float {
				return p.text
			}
		}
		return "(int){0}" // which may be assigned to
	case '[':
		var n int
		fmt.Sscan(strings.Trim(m, "$[]"), &n)
		return paren(g.index(n))
	}
	panic("randc: unknown hole " + m)
}

// filled returns chunks that fill one of several patterns.
func filled(need Features, pure bool, weight int, patterns ...string) chunk {
	return chunk{need, pure, weight, func(g *gen) string { return g.fill(g.pick(patterns...)) }}
}
