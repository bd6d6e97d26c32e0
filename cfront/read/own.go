package read

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"comus/cfront/command"
)

// maxIncludes bounds how deep files include one another.
const maxIncludes = 200

// expansionLimit bounds the tokens that macros make.
const expansionLimit = 50_000_000

// preprocessor is what reads a unit where there is no compiler: the whole of the standard's
// preprocessor, with GNU's additions, and with the embedded headers instead of the system's. It
// shares its expander with aligner, so places come out the same way.
type preprocessor struct {
	*stream
	e        *expander
	inv      *command.Invocation
	limit    int64
	paths    searchPaths
	stack    []*including
	once     map[string]bool
	counter  int
	saved    savedMacros
	warnings []Warning
	quiet    bool // -imacros: only definitions count
	err      error
	ctx      context.Context
	steps    int

	facts  *compilerFacts // of the compiler of which the unit is preprocessed in place; nil: there is none
	unlike bool           // the compiler may differ
}

// including is a file that is being read.
type including struct {
	file  *source
	path  string
	found int // where in the search paths; -1: not there
	lex   *lexer
	delta int // from lines of the text to those that #line tells
	conds []cond
}

// cond is an open #if.
type cond struct {
	line      int
	active    bool // this group is read
	taken     bool // one of the groups was
	outer     bool // the whole is in a group that is read
	elseFound bool
}

// ownPreprocess preprocesses a unit without a compiler.
func ownPreprocess(ctx context.Context, text []byte, inv *command.Invocation, opts Options) (*stream, []Warning, error) {
	p := newPreprocessor(ctx, inv, opts)
	p.define(predefined(inv.Flags))
	p.paths.extra = opts.headers
	p.flags(inv.Preprocess)
	p.unit(text)
	return p.stream, p.warnings, p.err
}

// newPreprocessor returns one without any macros.
func newPreprocessor(ctx context.Context, inv *command.Invocation, opts Options) *preprocessor {
	p := &preprocessor{stream: &stream{files: map[string]*source{}, dir: inv.Dir}, inv: inv, limit: opts.MaxFileSize, once: map[string]bool{},
		saved: savedMacros{}, ctx: ctx}
	p.e = &expander{macros: map[string]*macro{}, source: p.token, dynamic: p.dynamic, limit: expansionLimit}
	return p
}

// unit preprocesses the unit's own file.
func (p *preprocessor) unit(text []byte) {
	if p.err != nil {
		return
	}
	p.push(p.file(p.inv.File), p.inv.Path(), -1, text)
	p.drain()
}

// define reads definitions, a line each, of the form of -D: NAME, NAME=TEXT or NAME TEXT.
func (p *preprocessor) define(lines string) {
	for _, l := range strings.Split(lines, "\n") {
		if m := parseMacro(l); m != nil {
			p.e.macros[m.name] = m
		}
	}
}

// flags deals with the flags for a preprocessor: -D and -U first, then the files that come before
// the unit.
func (p *preprocessor) flags(words []string) {
	p.paths.base = p.inv.Dir
	var first [][2]string
	for i := 0; i < len(words); i++ {
		flag, arg := words[i], ""
		if _, with := pathFlag[flag]; with || flag == "-D" || flag == "-U" || flag == "-include" || flag == "-imacros" {
			if i++; i < len(words) {
				arg = words[i]
			}
		} else if len(flag) > 2 && strings.Contains("-D -U -I", flag[:2]) {
			flag, arg = flag[:2], flag[2:]
		}
		switch flag {
		case "-D":
			name, text, ok := strings.Cut(arg, "=")
			if !ok {
				text = "1"
			}
			p.define(name + " " + text)
		case "-U":
			delete(p.e.macros, arg)
		case "-include", "-imacros":
			first = append(first, [2]string{flag, arg})
		case "-nostdinc":
			p.paths.noStandard = true
		default:
			p.paths.add(flag, arg)
		}
	}
	for _, f := range first {
		name, full, found, text := p.paths.find(f[1], "", true, -1)
		if text == nil {
			pos := Pos{File: label(p.dir, p.inv.File)}
			p.fail(pos, noHeader(pos, f[1]))
			return
		}
		p.quiet = f[0] == "-imacros"
		p.push(p.file(name), full, found, text)
		p.drain()
		p.quiet = false
	}
}

// push goes on in a file.
func (p *preprocessor) push(f *source, full string, found int, text []byte) {
	if f.text == nil && found < standardPath {
		f.text = text
	}
	f.system = found >= standardPath
	p.unlike = p.unlike || p.facts != nil && !f.system && rareSpelling.Match(text)
	p.stack = append(p.stack, &including{file: f, path: full, found: found, lex: newLexer(text)})
}

func (p *preprocessor) top() *including { return p.stack[len(p.stack)-1] }

// fail keeps the first error, and ends all files.
func (p *preprocessor) fail(pos Pos, err error) {
	if p.err == nil {
		p.err = err
	}
	p.stack = nil
}

func (p *preprocessor) failf(line int, format string, args ...any) {
	pos := p.pos(line)
	p.fail(pos, &Error{Pos: pos, Msg: fmt.Sprintf(format, args...)})
}

// pos returns the place of a line of the current file.
func (p *preprocessor) pos(line int) Pos {
	if len(p.stack) == 0 {
		return Pos{File: label(p.dir, p.inv.File)}
	}
	t := p.top()
	return Pos{File: t.file.label, Line: line + t.delta}
}

// drain puts all tokens up to the end of all files into the stream.
func (p *preprocessor) drain() {
	for {
		t, ok := p.e.next()
		if !ok || p.err != nil {
			break
		}
		if p.quiet {
			continue
		}
		out := token{text: t.text, kind: t.kind, bol: t.bol, space: t.space, file: t.file, line: t.line, col: t.col}
		if t.file != nil {
			out.from, out.to = t.start, t.end
		}
		if t.call != nil {
			out.file, out.call, out.line, out.col = t.call.file, t.call, t.call.line, t.call.col
		}
		if out.file.system {
			out.col, out.call, out.from, out.to = 0, nil, 0, 0
		}
		p.toks = append(p.toks, out)
	}
	if p.err == nil && p.e.work > p.e.limit {
		p.err = &Error{Pos: Pos{File: label(p.dir, p.inv.File)}, Msg: "macro expansion grows too large"}
	}
}

// token returns the next token of the files that is in a group that is read.
func (p *preprocessor) token() (mtok, bool) {
	for len(p.stack) > 0 && p.err == nil {
		if p.steps++; p.steps%100_000 == 0 && p.ctx.Err() != nil {
			p.fail(Pos{}, p.ctx.Err())
			break
		}
		in := p.top()
		t, ok := in.lex.next()
		if !ok {
			if n := len(in.conds); n > 0 {
				p.failf(in.conds[n-1].line, "an #if without #endif")
				break
			}
			p.stack = p.stack[:len(p.stack)-1]
			continue
		}
		if t.bol && t.text == "#" && t.kind == punct {
			line := in.lex.line
			p.directive(in.lex.directive(), line)
			continue
		}
		if n := len(in.conds); n > 0 && !in.conds[n-1].active {
			continue
		}
		t.line += int32(in.delta)
		return mtok{lexeme: t, file: in.file}, true
	}
	return mtok{}, false
}

// dynamic expands the macros that are no definitions.
func (p *preprocessor) dynamic(e *expander, t mtok) ([]mtok, bool) {
	if len(t.text) < 6 || t.text[0] != '_' {
		return nil, false
	}
	made := func(k kind, text string) ([]mtok, bool) {
		return []mtok{{lexeme: lexeme{kind: k, text: text, space: t.space, bol: t.bol}, call: begin(t)}}, true
	}
	call := begin(t)
	switch t.text {
	case "__LINE__":
		return made(number, strconv.Itoa(int(call.line)))
	case "__FILE__":
		return made(str, strconv.Quote(call.file.name))
	case "__BASE_FILE__":
		return made(str, strconv.Quote(p.inv.File))
	case "__FILE_NAME__": // gcc 12
		p.unlike = true
		return made(str, strconv.Quote(filepath.Base(call.file.name)))
	case "__COUNTER__":
		p.counter++
		return made(number, strconv.Itoa(p.counter-1))
	case "__INCLUDE_LEVEL__":
		return made(number, strconv.Itoa(max(0, len(p.stack)-1)))
	case "__DATE__", "__TIME__", "__TIMESTAMP__":
		return made(str, p.date(t.text))
	case "_Pragma":
		p.operator(e.skipCall(), int(call.line))
		return nil, true
	}
	return nil, false
}

// date returns what stands for the time of the compilation: the result of a verification does not depend on the day.
func (p *preprocessor) date(name string) string {
	p.unlike = true
	return map[string]string{"__DATE__": `"Jan  1 1970"`, "__TIME__": `"00:00:00"`, "__TIMESTAMP__": `"Thu Jan  1 00:00:00 1970"`}[name]
}

// operator deals with what is in the parentheses of _Pragma.
func (p *preprocessor) operator(inside []mtok, line int) {
	for _, t := range inside {
		if t.kind == str {
			lit := unprefixed(t.text)
			text := strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(lit[1 : len(lit)-1])
			p.pragma(text, line)
		}
	}
}

// searchPaths are the folders that headers are looked for in.
type searchPaths struct {
	base                         string // what they are relative to
	quote, angle, system, behind []string
	noStandard                   bool
	extra                        map[string]string // headers that are no files
}

// standardPath and more are the places of system headers in the search order. The first one is that of headers that are no files.
const standardPath = 1000

// pathFlag tells which list a flag's argument belongs to.
var pathFlag = map[string]func(*searchPaths) *[]string{
	"-iquote": func(s *searchPaths) *[]string { return &s.quote }, "-I": func(s *searchPaths) *[]string { return &s.angle },
	"-isystem": func(s *searchPaths) *[]string { return &s.system }, "-idirafter": func(s *searchPaths) *[]string { return &s.behind },
	"-iprefix": nil, "-iwithprefix": nil, "-iwithprefixbefore": nil, "-isysroot": nil, "--sysroot": nil,
}

func (s *searchPaths) add(flag, dir string) {
	if list := pathFlag[flag]; list != nil && dir != "" {
		l := list(s)
		*l = append(*l, dir)
	}
}

// candidate is a folder of the search; order grows along it.
type candidate struct {
	dir   string
	order int
}

// folders returns the search order. The embedded headers are the folder "".
func (s *searchPaths) folders(from string, quoted bool) (out []candidate) {
	if quoted {
		out = append(out, candidate{from, -1})
		for i, d := range s.quote {
			out = append(out, candidate{d, i})
		}
	}
	for i, d := range s.angle {
		out = append(out, candidate{d, 300 + i})
	}
	for i, d := range s.system {
		out = append(out, candidate{d, standardPath + 1 + i})
	}
	if !s.noStandard {
		out = append(out, candidate{"", 2 * standardPath})
	}
	for i, d := range s.behind {
		out = append(out, candidate{d, 3*standardPath + i})
	}
	return out
}

// find looks for a header, behind a place in the search order for include_next. It returns the
// name that positions show, the path, the place, and the text; nil if there is none.
func (s *searchPaths) find(name, from string, quoted bool, behind int) (shown, full string, found int, text []byte) {
	read := func(shown string) (string, []byte) {
		full := shown
		if !filepath.IsAbs(full) {
			full = filepath.Join(s.base, full)
		}
		if st, err := os.Stat(full); err != nil || !st.Mode().IsRegular() {
			return full, nil
		}
		text, err := readFile(full, shown, DefaultMaxFileSize)
		if err != nil {
			return full, nil
		}
		return full, append(text, '\n')
	}
	if t, ok := s.extra[name]; ok && behind < 0 {
		return name, name, standardPath, []byte(t + "\n")
	}
	if filepath.IsAbs(name) {
		full, text = read(name)
		return name, full, 0, text
	}
	for _, c := range s.folders(from, quoted) {
		if behind >= 0 && c.order <= behind {
			continue
		}
		if c.dir == "" && c.order == 2*standardPath {
			if text, err := headers.ReadFile(path.Join("include", name)); err == nil {
				return headerFolder + name, headerFolder + name, c.order, text
			}
			continue
		}
		shown := filepath.Join(c.dir, name)
		if full, text := read(shown); text != nil {
			return shown, full, c.order, text
		}
	}
	return name, "", -1, nil
}
