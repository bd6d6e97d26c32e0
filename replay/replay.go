// Package replay turns a violation that comus found into a C program for gcc: the
// user's program with a scheduler woven in and its inputs fixed. The program runs
// the interleaving with real threads and fails the assertion each time.
//
// # What is woven in
//
// The program is written from its syntax tree, after preprocessing with the
// embedded headers. Each read and each write of memory that several threads may
// use becomes a call of the runtime (folder runtime), which is linked to it; so do
// the calls of the pthread library, of the functions for verifiers and of those
// that get input. Operands are evaluated from left to right, as cfront does.
//
// # The schedule
//
// A turn is a step of the execution that touches shared memory or synchronises,
// or all steps of an atomic section. A thread waits before such an operation until
// its turn has come. The operation has to be the one of the turn (same variable,
// same kind) and to read or write the value it has in the execution; a program for
// which that is not so is out of step, and says so with exit code 3. So nothing
// rests on how C's expressions were matched with steps: if the program fails the
// assertion, it has taken the execution's turns with the execution's values.
//
// Two things make the matching of a thread's operations and its turns more than
// counting. The front end may read more than C does: C leaves out the right side of
// && or ||. Such turns are optional. And it may read less, where a value does not
// matter or one step reads a variable twice: such reads take no turn.
//
// Memory that is allocated is one block of the execution: of those of the thread at that
// line, the one whose turn it is by the order in which the front end made them, without
// those that the execution does not touch. A wrong guess ends out of step. Such memory
// holds at first what it holds in the execution, and is never freed.
//
// Addresses are those of the machine: of a pointer in shared memory, the schedule
// knows whether it is null.
//
// # What is refused
//
// With one line: executions for another data model that LP64 does not have; statements as steps; errors that do not
// stop a C program (signed overflow, misuse of locks or of memory); steps that are approximations; allocations of
// memory other than malloc, calloc and realloc, or whose arguments do not tell the type
// by sizeof, unless it is an array of char, short or int; compound literals that threads share and change; jumps past
// the declarations of some, not all, of the variables of a declaration, of arrays whose
// initialiser tells their length, and of variables of types that are declared in the
// function.
package replay

import (
	"embed"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"comus/check"
	cfront "comus/internal/oldfront"
	"comus/ir"

	"modernc.org/cc/v4"
)

//go:embed runtime
var runtimeFiles embed.FS

// File is a file of the result.
type File struct {
	Name string
	Text []byte
}

// Weave returns the files of a C program that runs the execution of a certificate
// of UNSAFE for the program in a source file. The certificate has been confirmed.
// What it cannot replay it refuses with a [cfront.Error].
func Weave(file string, cert *check.Certificate) ([]File, error) {
	if cert.Verdict != "UNSAFE" {
		return nil, fmt.Errorf("the certificate is for %s; only an execution (UNSAFE) can be replayed", cert.Verdict)
	}
	if cert.Program.Atomic != "step" {
		return nil, errors.New("cannot replay: the execution takes statements for single steps, which they are not in C (--atomic=statement)")
	}
	opts, err := oldOptions(cert.Program)
	if err != nil {
		return nil, err
	}
	opts.DataModel = cfront.LP64 // that of the machine; the execution has to be one there, too
	res, err := cfront.ParseFile(file, opts)
	if err != nil {
		return nil, err
	}
	res.Program.Renumber()
	tr, err := check.Unsafe(res.Program, cert)
	if err != nil && cert.Program.DataModel != "LP64" {
		return nil, errors.New("cannot replay: the execution is not one with the data model of the machine, LP64")
	}
	if err != nil {
		return nil, err
	}
	if l := tr.Error; strings.HasPrefix(l.Text, "signed overflow in ") {
		return nil, &cfront.Error{Pos: l.Pos, Msg: "cannot replay: a signed overflow does not stop a C program"}
	}
	if l := tr.Error; opts.Check.Locks && (strings.Contains(l.Text, ": this thread ") || strings.HasSuffix(l.Text, " is held")) {
		return nil, &cfront.Error{Pos: l.Pos, Msg: "cannot replay: misuse of locks does not stop a C program"}
	}
	for _, text := range []string{"invalid pointer", "memory is freed that is not allocated: ", "array index out of bounds: "} {
		if l := tr.Error; opts.Check.Memory && strings.HasPrefix(l.Text, text) {
			return nil, &cfront.Error{Pos: l.Pos, Msg: "cannot replay: misuse of memory does not stop a C program"}
		}
	}
	for _, s := range tr.Steps {
		if a := s.Edge.Approx; a != "" {
			return nil, &cfront.Error{Pos: s.Pos, Msg: "cannot replay: the values of this step are not known (" + a + ")"}
		}
	}
	ast, err := cfront.Tree(file, opts)
	if err != nil {
		return nil, err
	}
	sched := newSchedule(res.Program, tr, sourceOf(ast))
	sched.findBlocks(res.Program, tr)
	if sched.refused != nil {
		return nil, sched.refused
	}
	text, err := weave(file, ast, sched, res.Program)
	if err != nil {
		return nil, err
	}
	name := safeName(file)
	files := []File{{name, []byte(text)}}
	for _, f := range []string{"comus_replay.h", "comus_replay.c", "comus_locks.h", "comus_library.c"} {
		body, err := runtimeFiles.ReadFile("runtime/" + f)
		if err != nil {
			return nil, err
		}
		files = append(files, File{f, append([]byte("/* "+Marker+". */\n"), body...)})
	}
	return append(files, File{"Makefile", []byte(fmt.Sprintf(makefile, name))}), nil
}

// Marker is in the first line of each file, behind the beginning of a comment.
const Marker = "Written by comus replay"

// safeName returns the name of the file that a program is written to: one that means
// nothing to make and the shell.
func safeName(file string) string {
	name := unsafe.ReplaceAllString(strings.TrimSuffix(filepath.Base(file), ".c"), "_")
	if name == "" || name == "comus_replay" || name == "comus_library" {
		name = "prog"
	}
	return name + ".c"
}

var unsafe = regexp.MustCompile(`[^A-Za-z0-9_.]`)

const makefile = `# ` + Marker + `: make builds the program; ./replay runs the execution and fails the assertion.
replay: %[1]s comus_replay.c comus_library.c comus_replay.h comus_locks.h
	gcc -std=gnu11 -g -w -fwrapv -fno-strict-aliasing -pthread -o $@ %[1]s comus_replay.c comus_library.c -lm

clean:
	rm -f replay

.PHONY: clean
`

// weave returns the text of the program with the schedule.
func weave(file string, ast *cc.AST, s *schedule, p *ir.Program) (text string, err error) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*cfront.Error)
			if !ok {
				panic(r)
			}
			text, err = "", e
		}
	}()
	w := &weaver{sched: s, atomics: cfront.FindAtomics(ast), defined: map[string]bool{},
		after: map[int]string{}, instead: map[int]string{}, last: map[int]int{}, renamed: map[int]string{}, bound: map[int]*cc.Declarator{}}
	decls := declarations(ast, w.defined)
	w.globals = globals(ast)
	w.spellStrings(ast)
	for _, t := range p.Threads {
		fn := t.Name
		if !w.defined[fn] { // numbered, if several threads run it
			fn = numbered.ReplaceAllString(fn, "")
		}
		w.runs = append(w.runs, fn)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "/* "+Marker+": %s, run in the order in which an assertion fails.\n   Build it with make. */\n", filepath.Base(file))
	b.WriteString("#include \"comus_replay.h\"\n#define main comus_main\n#define errno comus_errno\n#define COMUS_ANY(site, l) comus_any(site, &(l), sizeof(l))\n")
	for _, d := range decls {
		w.visit(d)
		fromHeader := strings.HasPrefix(d.Position().Filename, headerDir)
		b.WriteString(w.render(cc.NodeTokens(d), !fromHeader))
		if fromHeader {
			b.WriteString("\n")
		}
	}
	b.WriteString("\n\n")
	w.scheduleTo(&b)
	return b.String(), nil
}

// headerDir is the folder that positions in the embedded headers name.
const headerDir = "/comus-include/"

// declarations returns the declarations of the program, and of those of the headers
// what the others mention. It notes the functions that are defined.
func declarations(ast *cc.AST, defined map[string]bool) []*cc.ExternalDeclaration {
	var all, out []*cc.ExternalDeclaration
	for l := ast.TranslationUnit; l != nil; l = l.TranslationUnit {
		if d := l.ExternalDeclaration; !strings.HasPrefix(d.Position().Filename, "<") {
			all = append(all, d)
		}
	}
	mentioned := map[string]bool{}
	for _, d := range slices.Backward(all) {
		if f := d.FunctionDefinition; f != nil {
			defined[f.Declarator.Name()] = true
		}
		if strings.HasPrefix(d.Position().Filename, headerDir) && !isMentioned(d, mentioned) {
			continue
		}
		for _, t := range cc.NodeTokens(d) {
			mentioned[t.SrcStr()] = true
		}
		out = append(out, d)
	}
	slices.Reverse(out)
	return out
}

// isMentioned reports whether a declaration of a header may declare one of the
// names; those that list members or constants always may.
func isMentioned(d *cc.ExternalDeclaration, names map[string]bool) bool {
	if d.Declaration == nil || d.Declaration.InitDeclaratorList == nil {
		return true
	}
	for l := d.Declaration.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		if names[l.InitDeclarator.Declarator.Name()] {
			return true
		}
	}
	return false
}

// fail refuses a program.
func (w *weaver) fail(n cc.Node, format string, args ...any) {
	p := n.Position()
	panic(&cfront.Error{Pos: ir.Pos{File: p.Filename, Line: p.Line, Col: p.Column}, Msg: "cannot replay: " + fmt.Sprintf(format, args...)})
}

// keys returns the places of inputs, in their order.
func (s *schedule) keys() []string {
	out := make([]string, len(s.sites))
	for k, i := range s.sites {
		out[i] = k
	}
	return out
}

// scheduleTo writes the schedule as C.
func (w *weaver) scheduleTo(b *strings.Builder) {
	s := w.sched
	b.WriteString("#line 1 \"schedule\"\nstruct comus_cell comus_cells[] = {\n")
	for _, c := range s.cells {
		if c.fn == "" {
			fmt.Fprintf(b, "  {%q, %s},\n", c.lvalue, w.location(c, w.globals[c.root]))
		} else {
			fmt.Fprintf(b, "  {%q, 0, 0, 0},\n", c.lvalue)
		}
	}
	b.WriteString("  {0, 0, 0, 0}};\nconst struct comus_access comus_accesses[] = {\n")
	for _, t := range s.turns {
		for _, a := range t.accesses {
			what := fmt.Sprintf("thread %d", a.target)
			if a.kind&(create|join) == 0 {
				what = s.cells[a.target].lvalue
			}
			fmt.Fprintf(b, "  {%d, %d, %s}, /* %s %s */\n", a.kind, a.target, literal(a.value.String()), a.kind, what)
		}
	}
	b.WriteString("  {0, 0, 0}};\nconst struct comus_turn comus_turns[] = {\n")
	first := 0
	for _, t := range s.turns {
		optional := 0
		if t.optional {
			optional = 1
		}
		fmt.Fprintf(b, "  {%d, %d, %d, %d, %d},\n", t.thread, first, len(t.accesses), optional, t.line)
		first += len(t.accesses)
	}
	b.WriteString("  {0, 0, 0, 0, 0}};\nconst struct comus_input comus_inputs[] = {\n")
	for _, in := range s.inputs {
		fmt.Fprintf(b, "  {%d, %d, %s},\n", in.thread, in.site, literal(in.value.String()))
	}
	fmt.Fprintf(b, "  {0, 0, 0}};\nconst int comus_ncells = %d, comus_nturns = %d, comus_ninputs = %d, comus_nthreads = %d, comus_failing = %d;\n",
		len(s.cells), len(s.turns), len(s.inputs), s.threads, s.failing)
	b.WriteString("const char comus_ended[] = {")
	for i, e := range s.ended {
		if i > 0 {
			b.WriteString(", ")
		}
		if e {
			b.WriteString("1")
		} else {
			b.WriteString("0")
		}
	}
	b.WriteString("};\n")
}

// literal returns a value as a C constant of type long long; values above its range
// become the negative one with the same bits.
func literal(v string) string {
	switch {
	case v == "-9223372036854775808":
		return "-9223372036854775807LL - 1"
	case strings.HasPrefix(v, "-"):
		return v + "LL"
	}
	return "(long long)" + v + "ULL"
}

// String names the kind.
func (k kind) String() string {
	names := []string{"read", "write", "lock", "unlock", "create", "join"}
	if i := slices.Index([]kind{read, write, lock, unlock, create, join}, k); i >= 0 {
		return names[i]
	}
	return fmt.Sprint(int(k))
}

// oldOptions are the options of the old front end that a certificate names.
func oldOptions(p check.Program) (o cfront.Options, err error) {
	o = cfront.Options{AtomicStatements: p.Atomic == "statement", MaxThreads: p.MaxThreads, MaxAllocs: p.MaxAllocs, Unwind: p.Unwind, UnrollLimit: p.Unroll, Parametric: p.Parametric,
		Overflow: map[string]cfront.Overflow{"check": cfront.OverflowCheck, "wrap": cfront.OverflowWrap}[p.Overflow]}
	o.Check, err = cfront.ChecksNamed(p.Check)
	return o, err
}
