package read

import "strings"

// macro is a macro as it is defined.
type macro struct {
	name     string
	function bool     // it has a parameter list
	params   []string // with __VA_ARGS__, or GNU's own name for it, as the last if variadic
	variadic bool
	body     []lexeme
}

// parseMacro reads what is behind #define; nil if it is no definition.
func parseMacro(text string) *macro {
	l := newLexer([]byte(text))
	name, ok := l.next()
	if !ok || name.kind != word {
		return nil
	}
	m := &macro{name: name.text}
	t, ok := l.next()
	if ok && t.text == "(" && !t.space {
		m.function = true
		if !m.parameters(l) {
			return nil
		}
		t, ok = l.next()
	}
	for ; ok; t, ok = l.next() {
		m.body = append(m.body, t)
	}
	if len(m.body) > 0 {
		m.body[0].space = false
	}
	return m
}

// parameters reads a parameter list, whose ( has been read.
func (m *macro) parameters(l *lexer) bool {
	for {
		t, ok := l.next()
		switch {
		case !ok:
			return false
		case t.text == ")":
			return true
		case t.text == "...":
			if !m.variadic {
				m.variadic = true
				m.params = append(m.params, "__VA_ARGS__")
			}
		case t.kind == word:
			m.params = append(m.params, t.text)
			if strings.HasPrefix(string(l.src[l.pos:]), "...") {
				m.variadic = true // args...
			} else if u := *l; true {
				if n, ok := u.next(); ok && n.text == "..." {
					m.variadic = true
				}
			}
		case t.text != ",":
			return false
		}
	}
}

// param returns the number of the parameter that a token of the body is; -1 if it is none.
func (m *macro) param(t lexeme) int {
	if t.kind != word || !m.function {
		return -1
	}
	for i, p := range m.params {
		if p == t.text {
			return i
		}
	}
	return -1
}

// hidden is a set of macros that are not to be expanded again.
type hidden struct {
	name string
	up   *hidden
}

func (h *hidden) has(name string) bool {
	for ; h != nil; h = h.up {
		if h.name == name {
			return true
		}
	}
	return false
}

func (h *hidden) with(name string) *hidden {
	if h.has(name) {
		return h
	}
	return &hidden{name, h}
}

// both returns the intersection of two sets.
func (h *hidden) both(o *hidden) *hidden {
	if h == o {
		return h
	}
	var out *hidden
	for ; h != nil; h = h.up {
		if o.has(h.name) {
			out = &hidden{h.name, out}
		}
	}
	return out
}

// all returns the union of two sets.
func (h *hidden) all(o *hidden) *hidden {
	for ; o != nil; o = o.up {
		h = h.with(o.name)
	}
	return h
}

// span is the part of a source that a macro call takes, from its name to its last ).
type span struct {
	file       *source
	line, col  int32 // of the name
	start, end int32
}

// mtok is a token while macros are expanded.
type mtok struct {
	lexeme
	hide *hidden
	file *source // where the user wrote it; nil: in the body of a macro
	call *span   // the macro call it comes from; nil: none
	any  bool    // its text is not known here, as that of __LINE__
	gone bool    // a placemarker: nothing
}

// expander expands macros in a stream of tokens, by the algorithm of Prosser.
type expander struct {
	macros  map[string]*macro
	source  func() (mtok, bool) // the next token of the file
	pending []mtok              // what comes before those of source, the next one last
	dynamic func(e *expander, t mtok) ([]mtok, bool)
	work    int // tokens made so far
	limit   int // 0: none
}

// pull returns the next token that is not expanded yet.
func (e *expander) pull() (mtok, bool) {
	if n := len(e.pending); n > 0 {
		t := e.pending[n-1]
		e.pending = e.pending[:n-1]
		return t, true
	}
	if e.source == nil {
		return mtok{}, false
	}
	return e.source()
}

// push puts tokens before all others.
func (e *expander) push(toks []mtok) {
	e.work += len(toks)
	for i := len(toks) - 1; i >= 0; i-- {
		e.pending = append(e.pending, toks[i])
	}
}

// next returns the next token of the expanded stream.
func (e *expander) next() (mtok, bool) {
	for {
		t, ok := e.pull()
		if !ok || t.gone {
			if !ok {
				return t, false
			}
			continue
		}
		if t.kind != word || t.hide.has(t.text) || e.limit > 0 && e.work > e.limit {
			return t, true
		}
		if e.dynamic != nil {
			if out, ok := e.dynamic(e, t); ok {
				e.push(out)
				continue
			}
		}
		m := e.macros[t.text]
		if m == nil {
			return t, true
		}
		if !e.expand(m, t) {
			return t, true
		}
	}
}

// begin returns the call that the expansion of a token belongs to.
func begin(t mtok) *span {
	if t.call != nil {
		return t.call
	}
	return &span{t.file, t.line, t.col, t.start, t.end}
}

// expand replaces a macro's name, and its arguments, by its body; false if it is no call.
func (e *expander) expand(m *macro, t mtok) bool {
	call := begin(t)
	if !m.function {
		e.push(e.subst(m, nil, t, call, t.hide.with(m.name)))
		return true
	}
	open, ok := e.pull()
	for ok && open.gone {
		open, ok = e.pull()
	}
	if !ok {
		return false
	}
	if open.text != "(" || open.kind != punct {
		e.push([]mtok{open})
		return false
	}
	args, last, ok := e.arguments(m, call)
	if !ok {
		e.push(append([]mtok{open}, last...))
		return false
	}
	hide := t.hide.both(last[len(last)-1].hide).with(m.name)
	e.push(e.subst(m, args, t, call, hide))
	return true
}

// arguments collects the arguments of a call, whose ( has been read. The tokens read are the
// second result.
func (e *expander) arguments(m *macro, call *span) (args [][]mtok, read []mtok, ok bool) {
	var arg []mtok
	depth := 0
	for {
		t, ok := e.pull()
		if !ok {
			return nil, read, false
		}
		read = append(read, t)
		if t.kind == punct {
			switch t.text {
			case "(":
				depth++
			case ")":
				depth--
			case ",":
				if depth == 0 && !(m.variadic && len(args) == len(m.params)-1) {
					args = append(args, arg)
					arg = nil
					continue
				}
			}
		}
		if depth < 0 {
			break
		}
		if t.file != nil {
			t.space = t.space || t.bol
		}
		arg = append(arg, t)
	}
	args = append(args, arg)
	for _, t := range read {
		if t.file != nil && t.file == call.file {
			call.end = max(call.end, t.end)
		}
	}
	return args, read, true
}

// subst returns the body of a macro with its arguments in it.
func (e *expander) subst(m *macro, args [][]mtok, at mtok, call *span, hide *hidden) []mtok {
	s := &substitution{e: e, m: m, args: args, full: make([][]mtok, len(args))}
	out := s.run(m.body)
	for i := range out {
		out[i].call = call
		if out[i].hide == nil {
			out[i].hide = hide
		} else {
			out[i].hide = out[i].hide.all(hide)
		}
		out[i].bol = false
	}
	if len(out) > 0 {
		out[0].space = at.space
	}
	return out
}

// savedMacros are definitions that #pragma push_macro has kept, the last one last.
type savedMacros map[string][]*macro

// pragma deals with push_macro("name") and pop_macro("name").
func (s savedMacros) pragma(macros map[string]*macro, words []string) {
	name := strings.Trim(words[2], `"`)
	if words[0] == "push_macro" {
		s[name] = append(s[name], macros[name])
		return
	}
	n := len(s[name]) - 1
	if n < 0 {
		return
	}
	if m := s[name][n]; m != nil {
		macros[name] = m
	} else {
		delete(macros, name)
	}
	s[name] = s[name][:n]
}
