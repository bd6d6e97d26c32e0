package read

import (
	"path/filepath"
	"strconv"
	"strings"
)

// value is the value of a condition: an intmax_t or uintmax_t.
type value struct {
	n        int64
	unsigned bool
}

func truth(b bool) value {
	if b {
		return value{n: 1}
	}
	return value{}
}

// evaluator evaluates the condition of an #if.
type evaluator struct {
	toks []mtok
	pos  int
	err  string
	deep int
}

// condition evaluates the condition of #if.
func (p *preprocessor) condition(text string, line int) bool {
	text = p.operators(text, line)
	if p.err != nil {
		return false
	}
	toks := p.expanded(text, line, p.late)
	if p.err != nil {
		return false
	}
	v := &evaluator{toks: toks}
	if len(toks) == 0 {
		v.err = "#if without a condition"
	}
	r := v.ternary(true)
	if v.pos < len(toks) {
		v.fail("unexpected '%s' in a condition", toks[v.pos].text)
	}
	if v.err != "" {
		p.failf(line, "%s", v.err)
		return false
	}
	return r.n != 0
}

// operators replaces defined, __has_include and the like by 0 or 1: their operands are not
// expanded.
func (p *preprocessor) operators(text string, line int) string {
	if !strings.Contains(text, "defined") && !strings.Contains(text, "__has_") {
		return text
	}
	l := newLexer([]byte(text))
	var b strings.Builder
	done := 0
	for {
		t, ok := l.next()
		if !ok {
			break
		}
		if t.kind != word {
			continue
		}
		var holds bool
		switch t.text {
		case "defined":
			name, ok := l.next()
			if ok && name.text == "(" {
				name, _ = l.next()
				l.next()
			}
			if name.kind != word {
				p.failf(line, "defined without a name")
				return text
			}
			holds = p.isDefined(name.text)
		case "__has_include", "__has_include_next":
			open := strings.IndexByte(text[l.pos:], '(')
			end := strings.LastIndexByte(text[l.pos:], ')')
			if i := strings.IndexAny(text[l.pos:], ">"); i >= 0 && open >= 0 {
				if j := strings.IndexByte(text[l.pos+i:], ')'); j >= 0 {
					end = i + j
				}
			} else if i := strings.IndexByte(text[l.pos:], ')'); i >= 0 {
				end = i
			}
			if open < 0 || end < open {
				p.failf(line, "%s without a header", t.text)
				return text
			}
			if name, quoted, ok := header(text[l.pos+open+1 : l.pos+end]); ok {
				_, _, _, body := p.paths.find(name, filepath.Dir(p.top().file.name), quoted, -1)
				holds = body != nil
				p.unlike = p.unlike || t.text == "__has_include_next"
			}
			l.pos += end + 1
		case "__has_attribute", "__has_c_attribute", "__has_builtin":
			for n, ok := l.next(); ok && n.text != ")"; n, ok = l.next() {
				holds = holds || n.kind == word && p.has(t.text, n.text)
			}
		default:
			continue
		}
		b.WriteString(text[done:t.start])
		b.WriteString(map[bool]string{true: " 1 ", false: " 0 "}[holds])
		done = l.pos
	}
	b.WriteString(text[done:])
	return b.String()
}

// late replaces an operator that a macro has made, as gcc does, though C leaves it undefined: that is how the C library asks for attributes.
func (p *preprocessor) late(e *expander, t mtok) ([]mtok, bool) {
	var holds bool
	switch t.text {
	case "defined":
		name, ok := e.pull()
		if ok && name.text == "(" {
			name, ok = e.pull()
			e.pull()
		}
		if !ok || name.kind != word {
			return nil, true // the condition is not complete
		}
		holds = p.isDefined(name.text)
	case "__has_attribute", "__has_c_attribute", "__has_builtin":
		for _, n := range e.skipCall() {
			holds = holds || n.kind == word && p.has(t.text, n.text)
		}
	case "__has_include", "__has_include_next":
		var b strings.Builder
		for _, n := range e.skipCall() {
			b.WriteString(n.text)
		}
		if name, quoted, ok := header(strings.TrimPrefix(b.String(), "(")); ok {
			_, _, _, body := p.paths.find(name, filepath.Dir(p.top().file.name), quoted, -1)
			holds = body != nil
			p.unlike = p.unlike || t.text == "__has_include_next"
		}
	default:
		return p.dynamic(e, t)
	}
	text := map[bool]string{true: "1", false: "0"}[holds]
	return []mtok{{lexeme: lexeme{kind: number, text: text, space: t.space}, call: begin(t)}}, true
}

func (v *evaluator) fail(format, what string) {
	if v.err == "" {
		v.err = strings.ReplaceAll(format, "%s", what)
	}
}

func (v *evaluator) is(text string) bool {
	if v.pos < len(v.toks) && v.toks[v.pos].text == text && v.toks[v.pos].kind == punct {
		v.pos++
		return true
	}
	return false
}

// ternary evaluates c ? a : b; need tells whether errors such as a division by zero count.
func (v *evaluator) ternary(need bool) value {
	if v.deep++; v.deep > 1000 {
		v.fail("a condition is nested too deeply%s", "")
		v.pos = len(v.toks)
		return value{}
	}
	defer func() { v.deep-- }()
	c := v.binary(0, need)
	if !v.is("?") {
		return c
	}
	a := v.ternary(need && c.n != 0)
	if !v.is(":") {
		v.fail("? without : in a condition%s", "")
	}
	b := v.ternary(need && c.n == 0)
	r := b
	if c.n != 0 {
		r = a
	}
	r.unsigned = a.unsigned || b.unsigned
	return r
}

// levels are the binary operators, those that bind the least first.
var levels = [][]string{{","}, {"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<", ">", "<=", ">="}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}}

func (v *evaluator) binary(level int, need bool) value {
	if level == len(levels) {
		return v.unary(need)
	}
	a := v.binary(level+1, need)
next:
	for {
		for _, op := range levels[level] {
			if v.is(op) {
				needed := need && !(op == "&&" && a.n == 0) && !(op == "||" && a.n != 0)
				a = v.apply(op, a, v.binary(level+1, needed), needed)
				continue next
			}
		}
		return a
	}
}

func (v *evaluator) apply(op string, a, b value, need bool) value {
	u := a.unsigned || b.unsigned
	less := a.n < b.n
	if u {
		less = uint64(a.n) < uint64(b.n)
	}
	switch op {
	case ",":
		return b
	case "||":
		return truth(a.n != 0 || b.n != 0)
	case "&&":
		return truth(a.n != 0 && b.n != 0)
	case "|":
		return value{a.n | b.n, u}
	case "^":
		return value{a.n ^ b.n, u}
	case "&":
		return value{a.n & b.n, u}
	case "==":
		return truth(a.n == b.n)
	case "!=":
		return truth(a.n != b.n)
	case "<":
		return truth(less)
	case ">=":
		return truth(!less)
	case ">":
		return truth(!less && a.n != b.n)
	case "<=":
		return truth(less || a.n == b.n)
	case "+":
		return value{a.n + b.n, u}
	case "-":
		return value{a.n - b.n, u}
	case "*":
		return value{a.n * b.n, u}
	case "<<", ">>":
		return shift(op == "<<", a, b)
	}
	if b.n == 0 {
		if need {
			v.fail("division by zero in a condition%s", "")
		}
		return value{0, u}
	}
	switch {
	case u && op == "/":
		return value{int64(uint64(a.n) / uint64(b.n)), u}
	case u:
		return value{int64(uint64(a.n) % uint64(b.n)), u}
	case op == "/":
		return value{a.n / b.n, u}
	}
	return value{a.n % b.n, u}
}

func shift(left bool, a, b value) value {
	n := b.n
	if n < 0 && !b.unsigned {
		left, n = !left, -n
	}
	switch {
	case left:
		return value{a.n << uint64(n), a.unsigned}
	case a.unsigned:
		return value{int64(uint64(a.n) >> uint64(n)), true}
	}
	return value{a.n >> uint64(n), false}
}

func (v *evaluator) unary(need bool) value {
	if v.deep++; v.deep > 1000 {
		v.fail("a condition is nested too deeply%s", "")
		v.pos = len(v.toks)
		return value{}
	}
	defer func() { v.deep-- }()
	switch {
	case v.is("!"):
		return truth(v.unary(need).n == 0)
	case v.is("-"):
		x := v.unary(need)
		return value{-x.n, x.unsigned}
	case v.is("+"):
		return v.unary(need)
	case v.is("~"):
		x := v.unary(need)
		return value{^x.n, x.unsigned}
	case v.is("("):
		x := v.ternary(need)
		if !v.is(")") {
			v.fail("no ) in a condition%s", "")
		}
		return x
	}
	if v.pos >= len(v.toks) {
		v.fail("a condition is not complete%s", "")
		return value{}
	}
	t := v.toks[v.pos]
	v.pos++
	switch t.kind {
	case number:
		return v.number(t.text)
	case char:
		return v.character(t.text)
	case word:
		return value{}
	}
	v.fail("unexpected '%s' in a condition", t.text)
	return value{}
}

func (v *evaluator) number(text string) value {
	digits := strings.TrimRight(strings.ReplaceAll(text, "'", ""), "uUlLzZ")
	suffix := strings.ToLower(text[len(text)-(len(strings.ReplaceAll(text, "'", ""))-len(digits)):])
	n, err := strconv.ParseUint(digits, 0, 64)
	if err != nil || strings.Contains(digits, "_") || strings.HasPrefix(strings.ToLower(digits), "0o") {
		v.fail("wrong number '%s' in a condition", text)
		return value{}
	}
	return value{int64(n), strings.Contains(suffix, "u") || int64(n) < 0}
}

func (v *evaluator) character(text string) value {
	lit := unprefixed(text)
	body := lit[1 : len(lit)-1]
	n := int64(0)
	count := 0
	for body != "" {
		c, rest := oneCharacter(body)
		n = n<<8 | c
		body = rest
		count++
	}
	if count == 0 {
		v.fail("empty character constant%s", "")
	}
	if count == 1 && !strings.HasPrefix(text, "L") && !strings.HasPrefix(text, "u") && !strings.HasPrefix(text, "U") {
		n = int64(int8(n))
	}
	return value{n: n}
}

// oneCharacter reads one character of a constant.
func oneCharacter(s string) (int64, string) {
	if s[0] != '\\' || len(s) < 2 {
		return int64(s[0]), s[1:]
	}
	simple := map[byte]int64{'n': 10, 't': 9, 'r': 13, 'a': 7, 'b': 8, 'f': 12, 'v': 11, 'e': 27}
	if c, ok := simple[s[1]]; ok {
		return c, s[2:]
	}
	i, base := 1, 8
	limit := 4
	if s[1] == 'x' {
		i, base, limit = 2, 16, len(s)
	}
	from := i
	for i < len(s) && i < limit && strings.IndexByte("0123456789abcdefABCDEF"[:map[int]int{8: 8, 16: 22}[base]], s[i]) >= 0 {
		i++
	}
	if n, err := strconv.ParseInt(s[from:i], base, 64); err == nil {
		return n, s[i:]
	}
	return int64(s[1]), s[2:]
}

// has answers whether the compiler has an attribute or a function: without a compiler, we have it.
func (p *preprocessor) has(operator, name string) bool {
	if p.facts == nil {
		return true
	}
	holds, asked := p.facts.Has[operator+" "+name]
	p.unlike = p.unlike || !asked
	return holds
}
