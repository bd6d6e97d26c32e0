package contract

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// Parse reads tables. Declarations (type, handle, state) may stand anywhere. A
// contract replaces the one that base, which may be nil, has for the same name; twice
// the same name in the files is an error. Errors are of type *[Fault].
func Parse(base *Table, files ...File) (*Table, error) { return parse(base, false, files) }

// parse is Parse. A lazy table reads each contract when somebody asks for it: a program asks for a few of thousands. It panics where there is a mistake.
func parse(base *Table, lazy bool, files []File) (*Table, error) {
	l := &loader{t: base.clone(), lazy: lazy, mine: map[string]Place{}}
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
	lazy    bool
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
	if l.lazy {
		indented := strings.TrimLeft(text, " \t")
		name, _, _ := strings.Cut(indented, "(")
		l.t.unread[strings.TrimRight(name, " \t")] = &unread{name: strings.TrimRight(name, " \t"), text: text, header: l.header, at: Place{l.at.File, l.at.Line, len(text) - len(indented) + 1}}
		return nil
	}
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
	if l.lazy {
		l.lateUnread()
		return nil
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

// lateUnread is late for contracts that have not been read.
func (l *loader) lateUnread() {
	for _, a := range l.aliases {
		old := l.t.unread[a.words[2].text]
		name := a.words[1]
		l.t.unread[name.text] = &unread{name: name.text, text: old.text, header: old.header, at: Place{a.at.File, a.at.Line, name.col}}
	}
	for _, e := range l.errors {
		names, codes := namesAndCodes(e.words[1:])
		for _, n := range names {
			l.t.unread[n.text].errors = textsOf(codes)
		}
	}
}

// unread is a contract as the table has it.
type unread struct {
	name, text, header string
	at                 Place
	errors             []string
	once               sync.Once
	f                  *Function
}

// function reads the contract.
func (u *unread) function(t *Table) *Function {
	u.once.Do(func() {
		tokens, err := scan(nil, u.text)
		if err != nil {
			panic(err) // a test parses all
		}
		p := &parser{t: t, tokens: tokens, f: &Function{Header: u.header}}
		if err := p.function(); err != nil {
			panic(err)
		}
		u.f = p.f
		u.f.Name, u.f.At = u.name, u.at
		if u.errors != nil {
			u.f.Errors = u.errors
		}
	})
	return u.f
}

// isErrorNumber reports whether a word is one, and no function.
func isErrorNumber(w word) bool { return w.text[0] == 'E' && strings.ToUpper(w.text) == w.text }

// namesAndCodes splits the words about error numbers: the functions come first.
func namesAndCodes(ws []word) (names, codes []word) {
	n := 0
	for n < len(ws) && !isErrorNumber(ws[n]) {
		n++
	}
	return ws[:n], ws[n:]
}

func textsOf(ws []word) (texts []string) {
	for _, w := range ws {
		texts = append(texts, w.text)
	}
	return texts
}

// errorNumbers adds error numbers to functions: some words of the one, then of the other.
func (l *loader) errorNumbers(ws []word) *Fault {
	names, codes := namesAndCodes(ws)
	for _, w := range codes {
		if !isErrorNumber(w) {
			return fault(w.col, "%s is no error number", w.text)
		}
	}
	for _, w := range names {
		f, ok := l.t.functions[w.text]
		if !ok {
			return fault(w.col, "no contract for %s", w.text)
		}
		with := *f
		with.Errors = textsOf(codes)
		l.t.functions[w.text] = &with
	}
	return nil
}
