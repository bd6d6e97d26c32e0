package cfront

import (
	"bytes"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"comus/ir"

	"modernc.org/cc/v4"
)

//go:embed include
var headers embed.FS

// headerDir is the folder that the embedded headers seem to be in.
const headerDir = "/comus-include"

// expansionLimit bounds the work of macro expansion.
const expansionLimit = 5_000_000

// Parse reads a C program whose text is src; name is used in positions and to
// find the files it includes.
func Parse(name string, src []byte, opts Options) (res *Result, err error) {
	opts = opts.withDefaults()
	defer func() {
		if r := recover(); r != nil {
			res, err = nil, recovered(name, src, r)
		}
	}()
	text, err := prepare(name, src, opts.MaxFileSize)
	if err != nil {
		return nil, err
	}
	ast, err := translate(name, text, opts)
	if err != nil {
		return nil, err
	}
	res, err = lower(name, ast, opts)
	if err != nil {
		return nil, err
	}
	if err := res.Program.Check(); err != nil {
		return nil, &InternalError{File: name, Msg: oneLine(err.Error())}
	}
	return res, nil
}

// recovered turns a panic into an error: ours carry one, cc's are bugs of its.
func recovered(name string, src []byte, r any) error {
	if e, ok := r.(*Error); ok {
		return e
	}
	if os.Getenv("COMUS_CFRONT_PANIC") != "" {
		panic(r)
	}
	if line, col := emptyCharacter(src); line > 0 {
		return errorf(ir.Pos{File: name, Line: line, Col: col}, "empty character constant")
	}
	first, _, _ := strings.Cut(fmt.Sprint(r), "\n")
	return errorf(ir.Pos{File: name}, "cannot read this program: its syntax or types confuse the parser: %s", first)
}

// translate preprocesses, parses and type-checks.
func translate(name string, text []byte, opts Options) (*cc.AST, error) {
	arch, predefined := "amd64", predefinedLP64
	if opts.DataModel == ILP32 {
		arch, predefined = "386", predefinedILP32
	}
	abi, err := cc.NewABI("linux", arch)
	if err != nil {
		return nil, err
	}
	fsys := &includeFS{limit: opts.MaxFileSize, opens: map[string]int{}}
	cfg := cc.Config{
		ABI:             abi,
		FS:              fsys,
		FSOnly:          true,
		IncludePaths:    []string{"@", filepath.Dir(name), headerDir},
		SysIncludePaths: []string{headerDir},
		ExpansionLimit:  expansionLimit,
	}
	var refused *Error
	cfg.PragmaHandler = pragmaOnce(&refused)
	if err := checkIncludes(name, text, fsys); err != nil {
		return nil, err
	}
	sources := []cc.Source{
		{Name: "<predefined>", Value: predefinedCommon + predefined},
		{Name: "<builtin>", Value: cc.Builtin + builtins},
		{Name: name, Value: string(text)},
		{Name: tailName, Value: tail},
	}
	if doubtfulIncludes(text) {
		first := cfg
		if err := cc.Preprocess(&first, sources, io.Discard); err != nil {
			return nil, parseError(name, text, err)
		}
		cfg.PragmaHandler = pragmaOnce(&refused)
	}
	ast, err := typed(cfg, name, text, sources)
	if refused != nil {
		return nil, refused
	}
	if err != nil {
		return nil, err
	}
	trust(ast)
	valid(ast)
	return ast, nil
}

// typed parses and type-checks. Where cc fails without a place or a reason, the program is
// looked through for one.
func typed(cfg cc.Config, name string, text []byte, sources []cc.Source) (ast *cc.AST, err error) {
	defer func() {
		r := recover()
		if _, ours := r.(*Error); r == nil || ours {
			if r != nil {
				panic(r)
			}
			return
		}
		if err = explain(cfg, sources); err == nil {
			panic(r)
		}
	}()
	ast, err = cc.Translate(&cfg, sources)
	if err == nil {
		return ast, nil
	}
	e := parseError(name, text, err)
	if strings.HasSuffix(e.Msg, notTold) || e.Pos.Line == 0 {
		if better := explain(cfg, sources); better != nil {
			return nil, better
		}
	}
	return nil, e
}

var systemInclude = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*<([\w/.]+)>`)

// doubtfulIncludes reports whether a program may include a file that is not there.
// After that cc's parser does not always see the end of the input ("#include" and
// "enum" alone are enough), so such a program is preprocessed before it is parsed.
func doubtfulIncludes(text []byte) bool {
	known := 0
	for _, m := range systemInclude.FindAllSubmatch(text, -1) {
		if _, err := fs.Stat(headers, path.Join("include", string(m[1]))); err == nil {
			known++
		}
	}
	return bytes.Count(text, []byte("include")) > known
}

// tail follows the program. Where cc recovers from an error by skipping tokens, it
// does not always notice the end of the input and would go on forever; here it
// finds the tokens it is looking for.
const (
	tailName = "<end>"
	tail     = "\ntypedef int __comus_end_t; extern int __comus_end(__comus_end_t a[2], __comus_end_t b);\n"
)

// pragmaOnce implements #pragma once, refuses those that matter, and ignores all other pragmas.
// The first that it refuses is kept: cc would not survive a panic here.
func pragmaOnce(refused **Error) func([]cc.Token) error {
	seen := map[string]bool{}
	return func(toks []cc.Token) error {
		var words []string
		for _, t := range toks {
			if s := strings.TrimSpace(t.SrcStr()); s != "" {
				words = append(words, s)
			}
		}
		for _, what := range []string{"pack", "weak", "redefine_extname", "scalar_storage_order"} { // they change what declarations mean
			if *refused == nil && slices.Contains(words, what) && !strings.HasPrefix(toks[0].Position().Filename, "/usr/") {
				*refused = errorf(tokenPosition(&toks[0]), "unsupported: #pragma %s", what)
			}
		}
		if len(words) > 0 && words[len(words)-1] == "once" {
			file := toks[0].Position().Filename
			if seen[file] {
				return cc.SkipSource
			}
			seen[file] = true
		}
		return nil
	}
}

var errorLine = regexp.MustCompile(`^(.*?):(\d+):(\d+): (.*)$`)

// parseError keeps the first message of cc that has a position.
func parseError(name string, text []byte, err error) *Error {
	lines := strings.Split(err.Error(), "\n")
	for _, l := range lines {
		if m := errorLine.FindStringSubmatch(l); m != nil {
			if m[1] == tailName {
				return errorf(ir.Pos{File: name, Line: strings.Count(strings.TrimSpace(string(text)), "\n") + 1}, "unexpected end of file")
			}
			line, _ := strconv.Atoi(m[2])
			col, _ := strconv.Atoi(m[3])
			msg := prefixed(name, m[1], text, line, col, cleanMessage(m[4]))
			if rest, ok := strings.CutPrefix(msg, "unexpected identifier"); ok && m[1] == name && !bytes.Contains(text, []byte("#line")) {
				msg = "unexpected '" + wordAt(text, line, col) + "'" + rest
			}
			e := errorf(ir.Pos{File: m[1], Line: line, Col: col}, "%s", msg)
			if bytes.Contains(text, []byte("__VA_OPT__")) {
				e.Hint = "__VA_OPT__ is not supported"
			}
			return e
		}
	}
	return errorf(ir.Pos{File: name}, "%s", cleanMessage(lines[0]))
}

// prefixed returns what to say about an error at a place: message, unless what cc did not
// expect there is a literal behind a prefix that it does not know.
func prefixed(name, file string, text []byte, line, col int, message string) string {
	lines := strings.Split(string(text), "\n")
	if file != name || line > len(lines) || col < 1 || col-1 > len(lines[line-1]) || !strings.HasPrefix(message, "unexpected string literal") {
		return message
	}
	if p := prefixes.FindStringSubmatch(lines[line-1][:col-1]); p != nil {
		return "unsupported: string constant with the prefix " + p[1]
	}
	return message
}

// wordAt returns the word at a place of a text.
func wordAt(text []byte, line, col int) string {
	lines := bytes.SplitN(text, []byte("\n"), line+1)
	if line > len(lines) || col < 1 || col > len(lines[line-1]) {
		return "..."
	}
	l := lines[line-1][col-1:]
	n := 0
	for n < len(l) && isWord(l[n]) {
		n++
	}
	return string(l[:n])
}

// ccOrigin is how cc marks where in its source an error comes from.
var ccOrigin = regexp.MustCompile(`\s*\((?:[\w/.-]+\.go:\d+:\w*:?\s*)+\)\s*$`)

// notTold is the message for what cc does not say more about.
const notTold = "syntax or type error that cannot be told more precisely"

// rewordings are what some messages of cc become.
var rewordings = []struct {
	cc *regexp.Regexp
	to string
}{
	{regexp.MustCompile(`TODO|internal error`), notTold},
	{regexp.MustCompile(`^undefined: (.*)$`), "undeclared identifier '$1'"},
	{regexp.MustCompile(`^unexpected '` + loneQuote + `'`), "a literal that its line does not end, or a stray character"},
	{regexp.MustCompile(`^macro expansion limit exceeded.*$`), "macro expansion grows too large"},
	{regexp.MustCompile(`^strconv\.Parse\w+: parsing "(.*)": .*$`), "wrong number '$1'"},
	{regexp.MustCompile(`^conflicting types for '(.*?)', previous declaration at (\S+):, (.*)$`), "conflicting types for '$1', which is declared at $2: $3"},
	{regexp.MustCompile(`^(.*) at (\S+:\d+:\d+):$`), "$1 at $2"},
	{regexp.MustCompile(`^label undefined: (.*)$`), "undefined label '$1'"},
	{regexp.MustCompile(`^(?:LHS must be unary-expression|left operand shall be a modifiable lvalue)$`), "assignment to what is no variable"},
	{regexp.MustCompile(`^expected a struct or union: `), "a member of what is no struct or union: "},
	{regexp.MustCompile(`^expected a pointer(?: to struct or union)?: `), "-> with what is no pointer to a struct or union: "},
	{regexp.MustCompile(`^expected pointer to function: `), "call of what is no function: "},
	{regexp.MustCompile(`^operand shall be a pointer: `), "* with what is no pointer: "},
	{regexp.MustCompile(`^operands? shall (?:be|have) (.*?)s?(?: type)?: `), "operands that are not $1: "},
	{regexp.MustCompile(`^one of the expressions shall be a pointer and the other shall have integer type: `), "an index needs an array or pointer and an integer: "},
	{regexp.MustCompile(`^invalid array size, (.*): .*$`), "the length of an array cannot be $1"},
	{regexp.MustCompile(`^expected hexadecimal digit$`), "an escape sequence without its hexadecimal digits"},
	{regexp.MustCompile(`^invalid suffix$`), "wrong suffix of a number"},
	{regexp.MustCompile(`^assertion failed: `), "static assertion failed: "},
	{regexp.MustCompile(`paramater`), "parameter"},
}

// cleanMessage returns a message of cc as a C programmer reads it.
func cleanMessage(s string) string {
	s = ccOrigin.ReplaceAllString(s, "")
	for _, r := range rewordings {
		if r.to == notTold && r.cc.MatchString(s) {
			return notTold
		}
		s = r.cc.ReplaceAllString(s, r.to)
	}
	return s
}

// includeFS finds the embedded headers and regular files of the host.
type includeFS struct {
	limit int64
	opens map[string]int
}

// Open implements fs.FS.
func (f *includeFS) Open(name string) (fs.File, error) {
	if rest, ok := strings.CutPrefix(filepath.ToSlash(name), headerDir+"/"); ok {
		return headers.Open(path.Join("include", rest))
	}
	st, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() || st.Size() > f.limit {
		return nil, fs.ErrInvalid
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, f.limit+1))
	if err != nil {
		return nil, err
	}
	return &included{file, bytes.NewReader(append(checkDirectives(digraphs(text)), lastLine...))}, nil
}

// included is a file that has been read: with lastLine behind it, and its directives
// checked.
type included struct {
	fs.File
	text io.Reader
}

// Read implements fs.File.
func (f *included) Read(p []byte) (int, error) { return f.text.Read(p) }

// Close implements fs.File.
func (f *included) Close() error { return nil }

var (
	quotedInclude = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"`)
	includeGuard  = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*(pragma[ \t]+once|if)`)
)

// checkIncludes rejects files that include themselves without a guard and
// included files with too much nesting; cc would not come back from either. Then it
// checks the conditions of all files.
func checkIncludes(name string, text []byte, fsys *includeFS) error {
	done := map[string]bool{}
	active := map[string]bool{}
	files := map[string][]byte{name: text}
	var visit func(file string, text []byte) error
	visit = func(file string, text []byte) error {
		active[file] = true
		defer delete(active, file)
		for _, m := range quotedInclude.FindAllSubmatchIndex(text, -1) {
			inc := string(text[m[2]:m[3]])
			pos := ir.Pos{File: file, Line: 1 + strings.Count(string(text[:m[2]]), "\n"), Col: 1}
			for _, dir := range []string{filepath.Dir(file), filepath.Dir(name)} {
				p := filepath.Join(dir, inc)
				st, err := os.Stat(p)
				if err != nil || !st.Mode().IsRegular() {
					continue
				}
				body, err := readFile(p, fsys.limit)
				if err != nil {
					return err
				}
				if active[filepath.Clean(p)] {
					if !includeGuard.Match(body) {
						return errorf(pos, "%s includes itself", inc)
					}
					break
				}
				if done[p] {
					break
				}
				done[p] = true
				if len(active) > 100 {
					return errorf(pos, "includes are nested too deeply")
				}
				if err := checkNesting(p, body); err != nil {
					return err
				}
				files[p] = body
				if err := visit(filepath.Clean(p), body); err != nil {
					return err
				}
				break
			}
		}
		return nil
	}
	if err := visit(filepath.Clean(name), text); err != nil {
		return err
	}
	return checkConditions(files)
}
