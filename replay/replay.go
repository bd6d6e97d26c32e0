// Package replay runs the violation that comus found on the program itself: with the interpreter
// of package cir, which confirms it ([Interpret]), and as a C program for gcc ([Weave]).
//
// # From steps to instructions
//
// An execution is a list of steps, edges of an ir.Program; each edge knows the instruction of cir that it is a
// step of. The interpreter is made to follow it: a thread goes on until it has performed the instruction
// of the next step that other threads notice, then it is the turn of the thread of the step after (direct.go). What is between
// two such steps of a thread is its own business, and so is when it happens. Steps of an atomic section are one. Inputs, and what
// memory holds that nobody has written, get the values of the execution. To this end calls of hooks are woven
// into a copy of the program (instrument.go).
//
// Nothing rests on how well this works: if the interpreter ends at the assertion, then there is an execution of the program
// that violates it, whatever the schedule was.
//
// # The C program
//
// The interpreter leaves a log of who accessed what. The same hooks, now only around the accesses of objects that several threads
// use, and the log, are printed as C (package cir/cgen) and linked to a runtime (folder runtime), in which the
// hooks are functions that wait for a thread's turn. A turn has to be for the
// same instruction and read the same value, or the program stops with exit code 3 and says where. Pointers are compared with null only.
//
// # The world as judge
//
// The Makefile builds the program with a sanitizer, too (makefile.go). An execution that ends in a data race ends in both accesses, of which
// ThreadSanitizer has to say that they race (race.go): the runtime waits by system calls that it does not see, and beside each lock of the
// model lies a real one (runtime/comus_real.c). One that ends in a deadlock hangs, and says who waits where (deadlock.go). Errors
// of memory and overflow, which do not stop a C program, are reported (but for reads of what was never written) by AddressSanitizer and
// UndefinedBehaviorSanitizer; without, the program says that it went on behind them.
//
// # Runs of programs as a whole
//
// A run of the interpreter that ends in a data race, with a world outside, becomes C as well ([Run], whole.go): it is told of by the interpreter's tracer, in terms of
// the accesses of what threads share (record.go), and played by a runtime of its own (comus_whole.c). [Whole.Judge] has gcc compile it and ThreadSanitizer look at
// it, within a time.
//
// # What is refused
//
// With one line: executions for another data model than the machine's; what the interpreter does not confirm; executions of too many steps; structs passed to functions that nobody knows. Functions
// without a body are not called: they return what they return in the execution.
package replay

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"comus/cir"
	"comus/cir/cgen"
	"comus/cir/interp"
	"comus/ir"
)

//go:embed runtime
var runtimeFiles embed.FS

// File is a file of the result.
type File struct {
	Name string
	Text []byte
}

// Weave returns the files of a C program that runs an execution of prog, which was made of p. The execution fails.
func Weave(ctx context.Context, p *cir.Program, prog *ir.Program, sched ir.Schedule) ([]File, error) {
	if p.Model.PointerBits != 64 {
		return nil, errors.New("cannot replay: the execution is not one with the data model of the machine, LP64")
	}
	r, err := follow(ctx, p, prog, sched)
	if err != nil {
		return nil, fmt.Errorf("cannot replay: %w", err)
	}
	if r.result.Interrupted {
		return nil, errInterrupts
	}
	file := "program.c"
	if len(p.Files) > 0 {
		file = p.Files[0]
	}
	name := safeName(file)
	keep := r.turns()
	woven := instrument(p, places{access: func(n int) bool { return keep[n] }, input: r.woven.input})
	printed, err := cgen.Print(woven, cgen.Options{Name: name, Path: absolute, Quiet: synchronises})
	if err != nil {
		return nil, fmt.Errorf("cannot replay: %w", err)
	}
	var files []File
	for _, f := range printed {
		files = append(files, File{f.Name, Marked(f.Text)})
	}
	for _, f := range []string{"comus_replay.h", "comus_replay.c", "comus_real.c"} {
		text, err := runtimeFiles.ReadFile("runtime/" + f)
		if err != nil {
			return nil, err
		}
		files = append(files, File{f, Marked(text)})
	}
	files = append(files, File{"schedule.c", Marked([]byte(r.schedule(keep)))})
	return append(files, File{"Makefile", []byte(makefile(name, p, "comus_replay"))}), nil
}

// FileNames returns the names of all files that the program of a source may be written to.
func FileNames(source string) []string {
	name := safeName(source)
	return []string{name + ".c", name + "_library.c", name + ".h", "comus_cir.c", "comus_cir.h", "comus_replay.c", "comus_replay.h",
		"comus_whole.c", "comus_whole.h", "comus_real.c", "schedule.c", "Makefile"}
}

// Marker is in the first line of each file, behind the beginning of a comment.
const Marker = "Written by comus replay"

// Marked returns the text of a C file with the marker in its first line.
func Marked(text []byte) []byte { return append([]byte("/* "+Marker+". */\n"), text...) }

func absolute(file string) string {
	if abs, err := filepath.Abs(file); err == nil {
		return abs
	}
	return file
}

// safeName returns the name of the file that a program is written to, without ".c": one that means
// nothing to make and the shell.
func safeName(file string) string {
	name := unsafe.ReplaceAllString(strings.TrimSuffix(filepath.Base(file), ".c"), "_")
	if name == "" || strings.HasPrefix(name, "comus_") || name == "schedule" {
		name = "prog"
	}
	return name
}

var unsafe = regexp.MustCompile(`[^A-Za-z0-9_]`)

// errs reports whether an execution ends with what only a sanitizer notices.
func (r *run) errs() bool {
	res := r.result
	return !(res.Outcome == interp.AssertFails || res.Outcome == interp.Deadlock ||
		res.Outcome == interp.Undefined && (res.Check == "locks" || res.Check == "threads")) // an intrinsic says so, which stops
}

// manyTurns is how many turns are too many if they can be done without.
const manyTurns = 20_000

// turns returns the instructions that take turns in C: all accesses but those that concern one thread only. If
// there are many, also those are left out that accessed only objects that one thread alone used; in a thread that
// has taken its last turn they may be others, which the values that are read will tell.
func (r *run) turns() map[int]bool {
	keep := map[int]bool{}
	for n, in := range r.instrs {
		if x, ok := in.(cir.Instr); ok {
			_, _, ok = access(x)
			if c, call := x.(*cir.Call); call {
				ok = hasStructs(c)
			}
			keep[n] = ok && r.woven.access(n)
		} else if _, ok := in.(*cir.Return); ok {
			keep[n] = r.woven.access(n)
		}
	}
	if len(r.log) <= manyTurns {
		return keep
	}
	owner := map[*interp.Object]int{}
	common := map[*interp.Object]bool{}
	for _, e := range r.log {
		if t, ok := owner[e.obj]; ok && t != e.thread {
			common[e.obj] = true
		}
		owner[e.obj] = e.thread
	}
	needed := map[int]bool{}
	for _, e := range r.log {
		x, ok := r.instrs[e.n].(cir.Instr)
		if e.obj == nil || common[e.obj] || ok && alwaysTurns(x) {
			needed[e.n] = true
		}
	}
	for _, e := range r.log {
		if !needed[e.n] {
			keep[e.n] = false
		}
	}
	return keep
}

// isAddress reports whether a value may be an address of the interpreter's, which are not the machine's.
func isAddress(v uint64) bool { return v>>40 == interpAddresses>>40 }

// interpAddresses is where the interpreter's addresses begin.
const interpAddresses = 0x555555554000

// exits reports whether an instruction ends a thread.
func (r *run) exits(n int) bool {
	in, ok := r.instrs[n].(*cir.Intrinsic)
	return ok && in.Op == cir.ThreadExit
}

// schedule returns the log as C.
func (r *run) schedule(keep map[int]bool) string {
	var b strings.Builder
	turns, inputs := 0, 0
	sites := map[int]bool{}
	b.WriteString("#include \"comus_replay.h\"\nconst struct comus_turn comus_turns[] = {\n")
	for _, e := range r.log {
		if !e.dropped && (keep[e.n] || r.exits(e.n)) {
			known := 1
			if isAddress(e.value) {
				known = 0
			}
			fmt.Fprintf(&b, "  {%d, %d, %d, %#x},\n", e.thread, e.n, known, e.value)
			turns++
			sites[e.n] = true
		}
	}
	b.WriteString("  {0, 0, 0, 0}};\nconst struct comus_given comus_inputs[] = {\n")
	for _, in := range r.given {
		if !in.dropped {
			fmt.Fprintf(&b, "  {%d, %d, %#x},\n", in.thread, in.n, in.value)
			inputs++
		}
	}
	b.WriteString("  {0, 0, 0}};\nconst struct comus_site comus_sites[] = {\n")
	n := 0
	for i := range r.instrs {
		if !sites[i] {
			continue
		}
		if s := r.instrs[i].Meta().Site; s != nil {
			fmt.Fprintf(&b, "  {%d, %q},\n", i, strings.ToValidUTF8(fmt.Sprintf("%s:%d: %s", filepath.Base(s.Pos.File), s.Pos.Line, s.Text), "?"))
			n++
		}
	}
	b.WriteString("  {0, 0}};\n" + r.ending())
	compares := 1
	if r.uninitialised() {
		compares = 0
	}
	fmt.Fprintf(&b, "const unsigned comus_nturns = %d, comus_ninputs = %d, comus_nsites = %d, comus_nthreads = %d, comus_failing = %d;\nconst int comus_compares = %d;\n",
		turns, inputs, n, r.result.Threads, r.idOf[r.failing], compares)
	args := r.args
	if len(args) == 0 {
		args = []string{"program"}
	}
	b.WriteString("char *comus_args[] = {")
	for _, a := range args {
		fmt.Fprintf(&b, "%q, ", a)
	}
	b.WriteString("0};\n")
	return b.String()
}
