package read

import (
	"path/filepath"
	"strings"
)

// directive deals with the text of a directive, without #, that begins on a line.
func (p *preprocessor) directive(text string, line int) {
	in := p.top()
	text = strings.TrimSpace(text)
	n := 0
	for n < len(text) && isWord(text[n]) {
		n++
	}
	name, rest := text[:n], strings.TrimSpace(text[n:])
	if p.conditional(in, name, rest, line) {
		return
	}
	if k := len(in.conds); k > 0 && !in.conds[k-1].active {
		return
	}
	switch name {
	case "":
		if text != "" {
			p.failf(line, "there is no preprocessing directive #%s", text)
		}
	case "define":
		p.definition(rest, line)
	case "undef":
		delete(p.e.macros, firstWord(rest))
	case "include", "include_next", "import":
		p.include(name, rest, line)
	case "line":
		p.line(rest, line)
	case "error":
		p.failf(line, "#error %s", rest)
	case "warning":
		p.warnings = append(p.warnings, Warning{p.pos(line), "#warning " + rest})
	case "pragma":
		p.pragma(rest, line)
	case "ident", "sccs", "assert", "unassert":
	default:
		if name[0] >= '0' && name[0] <= '9' {
			p.line(text, line)
			return
		}
		p.failf(line, "there is no preprocessing directive #%s", name)
	}
}

func firstWord(s string) string {
	t, _ := newLexer([]byte(s)).next()
	return t.text
}

// conditional deals with the directives of conditional groups; false if it is none.
func (p *preprocessor) conditional(in *including, name, rest string, line int) bool {
	outer := len(in.conds) == 0 || in.conds[len(in.conds)-1].active
	open := func(holds func() bool) bool {
		active := outer && holds()
		in.conds = append(in.conds, cond{line: line, active: active, taken: active, outer: outer})
		return true
	}
	defined := func() bool { return p.isDefined(firstWord(rest)) }
	switch name {
	case "if":
		return open(func() bool { return p.condition(rest, line) })
	case "ifdef":
		return open(defined)
	case "ifndef":
		return open(func() bool { return !defined() })
	case "elif", "elifdef", "elifndef", "else", "endif":
	default:
		return false
	}
	if len(in.conds) == 0 {
		p.failf(line, "#%s without #if", name)
		return true
	}
	c := &in.conds[len(in.conds)-1]
	if name == "endif" {
		in.conds = in.conds[:len(in.conds)-1]
		return true
	}
	if c.elseFound {
		p.failf(line, "#%s after #else", name)
		return true
	}
	c.elseFound = name == "else"
	c.active = c.outer && !c.taken
	if c.active {
		switch name {
		case "elif":
			c.active = p.condition(rest, line)
		case "elifdef":
			c.active = defined()
		case "elifndef":
			c.active = !defined()
		}
	}
	c.taken = c.taken || c.active
	return true
}

// definition deals with #define.
func (p *preprocessor) definition(rest string, line int) {
	m := parseMacro(rest)
	if m == nil {
		p.failf(line, "#define without the name and parameters of a macro")
		return
	}
	for i, a := range m.params {
		for _, b := range m.params[:i] {
			if a == b {
				p.failf(line, "macro %s has two parameters %s", m.name, a)
				return
			}
		}
	}
	if m.name == "defined" {
		p.failf(line, "defined cannot be a macro")
		return
	}
	p.e.macros[m.name] = m
}

// isDefined tells whether a name is a macro.
func (p *preprocessor) isDefined(name string) bool {
	if p.facts != nil && strings.HasPrefix(name, "__has_") && p.e.macros[name] == nil {
		return p.has("defined", name)
	}
	switch name {
	case "__LINE__", "__FILE__", "__COUNTER__", "__INCLUDE_LEVEL__", "__BASE_FILE__", "__FILE_NAME__", "__DATE__", "__TIME__", "__TIMESTAMP__",
		"__has_include", "__has_include_next", "__has_attribute", "__has_c_attribute", "__has_builtin":
		return true
	}
	return p.e.macros[name] != nil
}

// header reads the operand of #include, <name> or "name".
func header(rest string) (name string, quoted, ok bool) {
	rest = strings.TrimSpace(rest)
	if rest == "" {
		return "", false, false
	}
	switch rest[0] {
	case '<':
		if i := strings.IndexByte(rest, '>'); i > 1 {
			return rest[1:i], false, true
		}
	case '"':
		if i := strings.IndexByte(rest[1:], '"'); i > 0 {
			return rest[1 : i+1], true, true
		}
	}
	return "", false, false
}

// expanded returns a text with its macros expanded.
func (p *preprocessor) expanded(rest string, line int, dynamic func(*expander, mtok) ([]mtok, bool)) []mtok {
	call := &span{file: p.top().file, line: int32(line + p.top().delta)}
	l := newLexer([]byte(rest))
	e := &expander{macros: p.e.macros, dynamic: dynamic, work: p.e.work, limit: p.e.limit}
	var toks []mtok
	for {
		t, ok := l.next()
		if !ok {
			break
		}
		toks = append(toks, mtok{lexeme: t, call: call})
	}
	e.push(toks)
	toks = nil
	for {
		t, ok := e.next()
		if !ok {
			return toks
		}
		toks = append(toks, t)
	}
}

// include deals with #include.
func (p *preprocessor) include(verb, rest string, line int) {
	in := p.top()
	p.unlike = p.unlike || verb != "include" && !in.file.system
	name, quoted, ok := header(rest)
	if !ok {
		var b strings.Builder
		for _, t := range p.expanded(rest, line, p.dynamic) {
			if t.space && b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(t.text)
		}
		if name, quoted, ok = header(b.String()); !ok {
			p.failf(line, "#%s without \"FILE\" or <FILE>", verb)
			return
		}
	}
	behind := -1
	if verb == "include_next" {
		behind = max(0, in.found)
	}
	shown, full, found, text := p.paths.find(name, filepath.Dir(in.file.name), quoted, behind)
	if text == nil {
		pos := p.pos(line)
		pos.Col = 1
		p.fail(pos, noHeader(pos, name))
		return
	}
	if p.once[full] {
		return
	}
	if verb == "import" {
		p.once[full] = true
	}
	if len(p.stack) >= maxIncludes {
		p.failf(line, "includes are nested too deeply")
		return
	}
	p.push(p.file(shown), full, found, text)
}

// line deals with #line and line markers.
func (p *preprocessor) line(rest string, line int) {
	n, file, flags, ok := marker(rest)
	if !ok {
		var words []string
		for _, t := range p.expanded(rest, line, p.dynamic) {
			words = append(words, t.text)
		}
		if n, file, flags, ok = marker(strings.Join(words, " ")); !ok {
			p.failf(line, "#line without a number")
			return
		}
	}
	in := p.top()
	p.unlike = true // behind the compiler, there are no columns any more
	in.delta = n - line - 1
	if file != "" {
		system := in.found >= standardPath || isSystem(file, flags)
		in.file = &source{name: file, label: label(p.dir, file), text: in.file.text, system: system, tried: true}
	}
}

// pragma deals with #pragma.
func (p *preprocessor) pragma(rest string, line int) {
	words := pragmaWords(rest)
	if len(words) == 0 || len(p.stack) == 0 {
		return
	}
	in := p.top()
	p.unlike = p.unlike || !in.file.system
	switch words[0] {
	case "once":
		p.once[in.path] = true
	case "push_macro", "pop_macro":
		if len(words) == 4 {
			p.saved.pragma(p.e.macros, words)
		}
	case "GCC":
		if len(words) > 1 && words[1] == "error" {
			p.failf(line, "#pragma %s", rest)
		}
	default:
		p.pragmas = append(p.pragmas, pragma{words, len(p.toks), in.file, int32(line + in.delta)})
	}
}
