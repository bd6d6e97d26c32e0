package read

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"comus/cfront/command"

	"modernc.org/cc/v4"
)

// Names that a unit has in its syntax tree for what cc's parser does not take.
const (
	// AutoType is a typedef name that stands for __auto_type.
	AutoType = "__comus_auto_type"
	// Object is the object whose member the second argument of __builtin_offsetof is.
	Object = "__comus_object"
	// IDPrefix is before identifiers that cc would take for keywords.
	IDPrefix = "__comus_id_"
)

// scaffold comes before each unit. The typedefs are taken out of the tree; their names stay known.
const scaffold = "int __predefined_declarator ; typedef int __builtin_va_list ; typedef int __builtin_ms_va_list ; " +
	"typedef int __builtin_sysv_va_list ; typedef int __gnuc_va_list_comus ; typedef int " + AutoType + " ; "

// scaffoldDeclarations are how many declarations scaffold has, tailDeclarations how many tail has.
const scaffoldDeclarations, tailDeclarations = 6, 2

// tail follows a unit. Where cc recovers from an error by skipping tokens, it does not always
// notice the end of the input and would go on forever; here it finds what it is looking for.
const tail = "\ntypedef int __comus_end_t ; extern int __comus_end ( __comus_end_t a [ 2 ] , __comus_end_t b ) ;\n"

// parse parses a preprocessed unit.
func parse(s *stream, inv *command.Invocation) (u *Unit, warnings []Warning, err error) {
	match, err := brackets(s)
	if err == nil {
		err = emptyCharacter(s)
	}
	if err == nil {
		err = checkNesting(s)
	}
	if err != nil {
		return nil, nil, err
	}
	std := inv.Flags.Std
	r := &rewriter{s: s, toks: s.toks, match: match, literals: map[int32]string{}, strict: inv.Flags.Strict(),
		c90: strings.HasSuffix(std, "89") || strings.HasSuffix(std, "90") || std == "iso9899:199409",
		c23: strings.HasSuffix(std, "23") || strings.HasSuffix(std, "2x")}
	r.out.text = append(make([]byte, 0, 8*len(s.toks)), scaffold...)
	implicit := implicitDeclarations(s)
	for _, d := range implicit {
		r.out.text = append(r.out.text, d...)
		r.out.text = append(r.out.text, ' ')
	}
	r.out.text = append(r.out.text, '\n')
	r.put(0, len(s.toks))
	end := len(r.out.text)
	r.out.text = append(r.out.text, tail...)
	u = &Unit{File: label(inv.Dir, inv.File), Flags: inv.Flags, stream: s, out: r.out, end: end, literals: r.literals}
	arch := "amd64"
	if inv.Flags.ILP32 {
		arch = "386"
	}
	abi, err := cc.NewABI("linux", arch)
	if err != nil {
		return nil, nil, err
	}
	ast, err := guarded(abi, r.out.text)
	if errors.Is(err, errPanic) {
		return nil, nil, u.suspect(abi, r.out)
	}
	if err != nil {
		return nil, nil, u.parseError(err)
	}
	cut(ast, len(implicit))
	u.AST = ast
	u.pragmas(&r.warnings)
	return u, r.warnings, nil
}

// errPanic is that cc's parser has met its end.
var errPanic = errors.New("panic")

// guarded parses a text, with cc's panics as errors. It panics only after it has seen a mistake.
func guarded(abi *cc.ABI, text []byte) (ast *cc.AST, err error) {
	defer func() {
		if p := recover(); p != nil {
			if os.Getenv("COMUS_CFRONT_PANIC") != "" {
				panic(p)
			}
			ast, err = nil, errPanic
		}
	}()
	return cc.Parse(&cc.Config{ABI: abi, FSOnly: true}, []cc.Source{{Name: unitName, Value: text[:len(text):len(text)]}})
}

// suspect returns an error at the first declaration with which the beginning of a unit makes the
// parser panic.
func (u *Unit) suspect(abi *cc.ABI, o output) error {
	var ends []int // where declarations may end, as numbers of tokens of the text
	depth := 0
	for i := range o.starts {
		switch u.spelling(o, i) {
		case "(", "[", "{":
			depth++
		case ")", "]":
			depth--
		case "}":
			if depth--; depth == 0 {
				ends = append(ends, i+1)
			}
		case ";":
			if depth == 0 {
				ends = append(ends, i+1)
			}
		}
	}
	bad := sort.Search(len(ends), func(k int) bool {
		stop := u.end
		if ends[k] < len(o.starts) {
			stop = int(o.starts[ends[k]])
		}
		_, err := guarded(abi, append(append([]byte{}, o.text[:stop]...), tail...))
		return errors.Is(err, errPanic)
	})
	first := 0
	if bad > 0 {
		first = ends[bad-1]
	}
	if first >= len(o.starts) {
		return &Error{Pos: u.eof(), Msg: "syntax error", syntax: true}
	}
	return &Error{Pos: u.stream.pos(int(o.from[first])), Msg: "syntax error in the declaration that begins here", syntax: true}
}

// spelling returns a token of the text for cc.
func (u *Unit) spelling(o output, i int) string {
	end := u.end
	if i+1 < len(o.starts) {
		end = int(o.starts[i+1])
	}
	return strings.TrimSpace(string(o.text[o.starts[i]:end]))
}

// unitName is what cc knows a unit by.
const unitName = "<unit>"

// cut takes the declarations of scaffold and tail out of the tree.
func cut(ast *cc.AST, implicit int) {
	n := 0
	for t := ast.TranslationUnit; t != nil; t = t.TranslationUnit {
		n++
	}
	t := ast.TranslationUnit
	for i := 0; i < scaffoldDeclarations; i++ {
		t = t.TranslationUnit
	}
	n -= scaffoldDeclarations + tailDeclarations
	if n <= 0 {
		ast.TranslationUnit = nil
		return
	}
	ast.TranslationUnit = t
	for i := 1; i < n; i++ {
		t = t.TranslationUnit
	}
	t.TranslationUnit = nil
}

var errorLine = regexp.MustCompile(`^<unit>:(\d+):(\d+): (.*)$`)

// parseError makes the first message of cc that has a place an error at the place in what the
// user wrote.
func (u *Unit) parseError(err error) error {
	lines := strings.Split(err.Error(), "\n")
	for _, l := range lines {
		m := errorLine.FindStringSubmatch(l)
		if m == nil {
			continue
		}
		line, _ := strconv.Atoi(m[1])
		col, _ := strconv.Atoi(m[2])
		offset := u.offset(line, col)
		if offset >= u.end {
			return &Error{Pos: u.eof(), Msg: "unexpected end of file", syntax: true}
		}
		i := u.out.index(offset)
		if i < 0 {
			break
		}
		return &Error{Pos: u.stream.pos(int(u.out.from[i])), Msg: u.message(m[3], i), syntax: true}
	}
	return &Error{Pos: Pos{File: u.File}, Msg: clean(lines[0]), syntax: true}
}

// offset returns the offset of a place in the text for cc.
func (u *Unit) offset(line, col int) int {
	at := 0
	for ; line > 1; line-- {
		n := strings.IndexByte(string(u.out.text[at:min(len(u.out.text), at+1<<20)]), '\n')
		if n < 0 {
			break
		}
		at += n + 1
	}
	return at + col - 1
}

// eof returns the place of the last token.
func (u *Unit) eof() Pos {
	if n := len(u.stream.toks); n > 0 {
		return u.stream.pos(n - 1)
	}
	return Pos{File: u.File}
}

// origin is how cc marks where in its source an error comes from.
var origin = regexp.MustCompile(`\s*\((?:[\w/.-]+\.go:\d+:\w*:?\s*)+\)\s*$`)

func clean(msg string) string { return origin.ReplaceAllString(msg, "") }

// message rewords what cc says about the i-th token of its text.
func (u *Unit) message(msg string, i int) string {
	msg = clean(msg)
	text := u.stream.toks[u.out.from[i]].text
	if rest, ok := strings.CutPrefix(msg, "label undefined: "); ok {
		return "undefined label '" + rest + "'"
	}
	if _, rest, ok := strings.Cut(msg, ", expected "); ok && strings.HasPrefix(msg, "unexpected ") {
		return fmt.Sprintf("unexpected '%s', expected %s", text, rest)
	}
	if strings.HasPrefix(msg, "unexpected ") {
		return fmt.Sprintf("unexpected '%s'", text)
	}
	return msg
}
