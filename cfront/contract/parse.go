package contract

import (
	"fmt"
	"strconv"
	"strings"
)

// Parse reads tables. Declarations (type, handle, state) may stand anywhere. A
// contract replaces the one that base, which may be nil, has for the same name; twice
// the same name in the files is an error. Errors are of type *[Fault].
func Parse(base *Table, files ...File) (*Table, error) {
	l := &loader{t: base.clone(), mine: map[string]Place{}}
	for _, declarations := range []bool{true, false} {
		for _, f := range files {
			l.header = ""
			for i, text := range strings.Split(f.Text, "\n") {
				l.at = Place{File: f.Name, Line: i + 1}
				if err := l.line(text, declarations); err != nil {
					err.At.File, err.At.Line = l.at.File, l.at.Line
					return nil, err
				}
			}
		}
	}
	if err := l.late(); err != nil {
		return nil, err
	}
	return l.t, nil
}

// A loader reads files into a table.
type loader struct {
	t       *Table
	mine    map[string]Place // names that these files define
	header  string
	at      Place
	aliases []pending
	errors  []pending
	tokens  []token // of the last line, to be overwritten
}

// pending is a line that speaks of a function that may follow.
type pending struct {
	at    Place
	words []word
}

// A word is a part of a line between blanks.
type word struct {
	text string
	col  int
}

func words(line string) []word {
	if i := strings.IndexByte(line, '#'); i >= 0 {
		line = line[:i]
	}
	var ws []word
	for i := 0; i < len(line); {
		if line[i] == ' ' || line[i] == '\t' {
			i++
			continue
		}
		j := i
		for j < len(line) && line[j] != ' ' && line[j] != '\t' {
			j++
		}
		ws = append(ws, word{line[i:j], i + 1})
		i = j
	}
	return ws
}

// line reads one line, if it is a declaration or is not as asked for.
func (l *loader) line(text string, declarations bool) *Fault {
	first := strings.TrimLeft(text, " \t")
	if i := strings.IndexAny(first, " \t"); i >= 0 {
		first = first[:i]
	}
	switch first {
	case "type", "handle", "state", "variable":
		if !declarations {
			return nil
		}
		return l.declare(words(text))
	case "header", "alias", "errors":
		if declarations {
			return nil
		}
	default:
		if declarations || first == "" || first[0] == '#' {
			return nil
		}
		return l.contract(text)
	}
	ws := words(text)
	switch ws[0].text {
	case "header":
		if len(ws) != 2 {
			return fault(ws[0].col, "want: header NAME")
		}
		l.header = ws[1].text
		if l.header == "none" {
			l.header = ""
		}
		return nil
	case "alias":
		if len(ws) != 3 {
			return fault(ws[0].col, "want: alias NEW OLD")
		}
		l.aliases = append(l.aliases, pending{l.at, ws})
		return nil
	case "errors":
		if len(ws) < 3 {
			return fault(ws[0].col, "want: errors FUNCTION... CODE...")
		}
		l.errors = append(l.errors, pending{l.at, ws})
	}
	return nil
}

func fault(col int, format string, args ...any) *Fault {
	return &Fault{Place{Col: col}, fmt.Sprintf(format, args...)}
}

// forms are how declarations look.
var forms = map[string]string{
	"type":     "type NAME LP64 ILP32 SPELLING",
	"handle":   "handle NAME STATE",
	"state":    "state NAME WHAT",
	"variable": "variable NAME STATE",
}

// declare reads a type, handle or state.
func (l *loader) declare(ws []word) *Fault {
	kind := ws[0].text
	if len(ws) < 3 || kind == "type" && len(ws) < 5 || (kind == "handle" || kind == "variable") && len(ws) > 3 {
		return fault(ws[0].col, "want: %s", forms[kind])
	}
	name := ws[1].text
	if old, ok := l.mine[kind+" "+name]; ok {
		return fault(ws[1].col, "%s %s again, first in %s:%d", kind, name, old.File, old.Line)
	}
	l.mine[kind+" "+name] = l.at
	rest := func(from int) string {
		var s []string
		for _, w := range ws[from:] {
			s = append(s, w.text)
		}
		return strings.Join(s, " ")
	}
	switch kind {
	case "state":
		l.t.states[State(name)] = rest(2)
	case "handle":
		l.t.handles[name] = State(ws[2].text)
	case "variable":
		l.t.variables[name] = State(ws[2].text)
	case "type":
		typ := &Type{Name: name, Spelling: rest(4), At: l.at}
		for i := range typ.Size {
			n, err := strconv.ParseInt(ws[2+i].text, 10, 32)
			if err != nil || n <= 0 {
				return fault(ws[2+i].col, "bad size %s", ws[2+i].text)
			}
			typ.Size[i] = n
		}
		l.t.types[name] = typ
	}
	return nil
}

// contract reads a contract into the table.
func (l *loader) contract(text string) *Fault {
	tokens, err := scan(l.tokens[:0], text)
	if err != nil {
		return err
	}
	l.tokens = tokens
	p := &parser{t: l.t, tokens: tokens, f: &Function{Header: l.header}}
	if err := p.function(); err != nil {
		return err
	}
	p.f.At = Place{l.at.File, l.at.Line, tokens[0].col}
	return l.add(p.f, tokens[0].col)
}

func (l *loader) add(f *Function, col int) *Fault {
	if old, ok := l.mine[f.Name+"()"]; ok {
		return fault(col, "%s again, first in %s:%d", f.Name, old.File, old.Line)
	}
	l.mine[f.Name+"()"] = f.At
	l.t.functions[f.Name] = f
	return nil
}

// undeclared reports the first name whose state is not declared.
func (l *loader) undeclared(kind string, of map[string]State) error {
	var first *Fault
	for name, s := range of {
		at := l.mine[kind+name]
		if _, ok := l.t.states[s]; !ok && (first == nil || at.Line < first.At.Line) {
			first = &Fault{Place{at.File, at.Line, 1}, fmt.Sprintf("no state %s", s)}
		}
	}
	if first == nil {
		return nil // not first: a nil *Fault in an error is not nil
	}
	return first
}

// late does what speaks of functions that may have come later.
func (l *loader) late() error {
	in := func(p pending, err *Fault) error {
		err.At.File, err.At.Line = p.at.File, p.at.Line
		return err
	}
	if err := l.undeclared("handle ", l.t.handles); err != nil {
		return err
	}
	if err := l.undeclared("variable ", l.t.variables); err != nil {
		return err
	}
	for _, a := range l.aliases {
		old, ok := l.t.functions[a.words[2].text]
		if !ok {
			return in(a, fault(a.words[2].col, "no contract for %s", a.words[2].text))
		}
		f := *old
		f.Name, f.At = a.words[1].text, Place{a.at.File, a.at.Line, a.words[1].col}
		if err := l.add(&f, a.words[1].col); err != nil {
			return in(a, err)
		}
	}
	for _, e := range l.errors {
		if err := l.errorNumbers(e.words[1:]); err != nil {
			return in(e, err)
		}
	}
	return nil
}

// errorNumbers adds error numbers to functions: some words of the one, then of the other.
func (l *loader) errorNumbers(ws []word) *Fault {
	code := func(w word) bool { return w.text[0] == 'E' && strings.ToUpper(w.text) == w.text }
	n := 0
	for n < len(ws) && !code(ws[n]) {
		n++
	}
	var codes []string
	for _, w := range ws[n:] {
		if !code(w) {
			return fault(w.col, "%s is no error number", w.text)
		}
		codes = append(codes, w.text)
	}
	for _, w := range ws[:n] {
		f, ok := l.t.functions[w.text]
		if !ok {
			return fault(w.col, "no contract for %s", w.text)
		}
		with := *f
		with.Errors = codes
		l.t.functions[w.text] = &with
	}
	return nil
}
