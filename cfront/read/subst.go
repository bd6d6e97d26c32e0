package read

import "strings"

// substitution puts arguments into the body of a macro.
type substitution struct {
	e    *expander
	m    *macro
	args [][]mtok
	full [][]mtok // the arguments, expanded, where they have been needed
}

// arg returns an argument as it was written.
func (s *substitution) arg(i int) []mtok {
	if i < len(s.args) {
		return s.args[i]
	}
	return nil
}

// expanded returns an argument with its macros expanded.
func (s *substitution) expanded(i int) []mtok {
	if i >= len(s.args) {
		return nil
	}
	if s.full[i] == nil {
		sub := &expander{macros: s.e.macros, dynamic: s.e.dynamic, work: s.e.work, limit: s.e.limit}
		sub.push(s.args[i])
		out := []mtok{}
		for {
			t, ok := sub.next()
			if !ok {
				break
			}
			out = append(out, t)
		}
		s.e.work = sub.work
		s.full[i] = out
	}
	return append([]mtok(nil), s.full[i]...)
}

// run substitutes in a part of the body.
func (s *substitution) run(body []lexeme) []mtok {
	var out []mtok
	for i := 0; i < len(body); i++ {
		t := body[i]
		pasted := i+1 < len(body) && isPaste(body[i+1])
		switch {
		case t.text == "#" && t.kind == punct && s.m.function && i+1 < len(body) && s.m.param(body[i+1]) >= 0:
			q := stringize(s.arg(s.m.param(body[i+1])))
			q.space = t.space
			out = append(out, q)
			i++
		case isPaste(t) && i+1 < len(body) && len(out) > 0:
			var right []mtok
			right, i = s.right(body, i+1, out)
			out = paste(out, right, s.m, body[i])
		case t.text == "__VA_OPT__" && s.m.variadic && i+1 < len(body) && body[i+1].text == "(":
			var part []mtok
			part, i = s.optional(body, i+1)
			out = append(out, part...)
		default:
			p := s.m.param(t)
			switch {
			case p < 0:
				out = append(out, mtok{lexeme: t})
			case pasted:
				out = append(out, spaced(orNothing(s.arg(p)), t.space)...)
			default:
				out = append(out, spaced(s.expanded(p), t.space)...)
			}
		}
	}
	return out
}

// right returns the right operand of ## at body[i], and where it ends.
func (s *substitution) right(body []lexeme, i int, left []mtok) ([]mtok, int) {
	t := body[i]
	if t.text == "#" && i+1 < len(body) && s.m.param(body[i+1]) >= 0 {
		return []mtok{stringize(s.arg(s.m.param(body[i+1])))}, i + 1
	}
	if t.text == "__VA_OPT__" && s.m.variadic && i+1 < len(body) && body[i+1].text == "(" {
		part, end := s.optional(body, i+1)
		return orNothing(part), end
	}
	p := s.m.param(t)
	if p < 0 {
		return []mtok{{lexeme: t}}, i
	}
	comma := left[len(left)-1].text == "," && s.m.variadic && p == len(s.m.params)-1
	if comma && !(i+1 < len(body) && isPaste(body[i+1])) {
		return spaced(orNothing(s.expanded(p)), t.space), i
	}
	return orNothing(append([]mtok(nil), s.arg(p)...)), i
}

// optional returns what __VA_OPT__(...) stands for, whose ( is body[i], and where it ends.
func (s *substitution) optional(body []lexeme, i int) ([]mtok, int) {
	depth, end := 0, i
	for end < len(body) {
		switch body[end].text {
		case "(":
			depth++
		case ")":
			depth--
		}
		if depth == 0 {
			break
		}
		end++
	}
	if len(s.expanded(len(s.m.params)-1)) == 0 {
		return nil, end
	}
	return s.run(body[i+1 : end]), end
}

// isPaste tells whether a token of a body is the operator ##.
func isPaste(t lexeme) bool { return t.kind == punct && t.text == "##" }

// orNothing returns tokens, or a placemarker if there are none.
func orNothing(toks []mtok) []mtok {
	if len(toks) == 0 {
		return []mtok{{gone: true}}
	}
	return append([]mtok(nil), toks...)
}

// spaced returns tokens with the white space before them that the parameter had.
func spaced(toks []mtok, space bool) []mtok {
	if len(toks) > 0 {
		toks[0].space = space
	}
	return toks
}

// paste joins the last token on the left with the first on the right.
func paste(left, right []mtok, m *macro, at lexeme) []mtok {
	l, r := left[len(left)-1], right[0]
	switch {
	case r.gone:
		// GNU: the comma before an empty __VA_ARGS__ goes.
		if l.text == "," && m.variadic && m.param(at) == len(m.params)-1 {
			left[len(left)-1] = mtok{gone: true}
		}
		return append(left, right[1:]...)
	case l.gone:
		r.space = l.space
		left[len(left)-1] = r
		return append(left, right[1:]...)
	case l.text == "," && m.variadic && m.param(at) == len(m.params)-1:
		return append(left, right...)
	}
	lex := newLexer([]byte(l.text + r.text))
	left = left[:len(left)-1]
	for first := true; ; first = false {
		t, ok := lex.next()
		if !ok {
			break
		}
		n := mtok{lexeme: t, hide: l.hide.both(r.hide)}
		n.space = first && l.space
		n.start, n.end, n.line, n.col = l.start, l.end, l.line, l.col
		left = append(left, n)
	}
	return append(left, right[1:]...)
}

// stringize returns the operator # applied to an argument.
func stringize(arg []mtok) mtok {
	var b strings.Builder
	b.WriteByte('"')
	for i, t := range arg {
		if i > 0 && t.space {
			b.WriteByte(' ')
		}
		if t.kind != str && t.kind != char {
			b.WriteString(t.spelling())
			continue
		}
		for j := 0; j < len(t.text); j++ {
			if c := t.text[j]; c == '"' || c == '\\' {
				b.WriteByte('\\')
			}
			b.WriteByte(t.text[j])
		}
	}
	b.WriteByte('"')
	return mtok{lexeme: lexeme{text: b.String(), kind: str}, any: true}
}
