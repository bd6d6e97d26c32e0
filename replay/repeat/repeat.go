// Package repeat has gcc compile a program as it is, and runs it again and again with real threads: it says how often an assertion fails on this machine.
//
// That is for executions that no turns of the threads bring about, because a thread reads an older value than the last one. A scheduler would be in the way: a processor of x86 keeps the writes of
// a thread in a buffer for some nanoseconds, and only who reads in that time sees an older value. So nothing is woven into the program. Its threads are let go at the same time, on different
// processors, many times (folder runtime). This is how litmus7 tests processors (Alglave, Maranget, Sarkar, Sewell: Litmus: running tests against hardware, TACAS 2011).
//
// To see an outcome shows that it happens. Not to see it shows nothing.
//
// The program is run for real, so it may not do anything but compute: [Program.Run] does not run a program that calls other functions than those of a list (calls.go).
package repeat

import (
	"context"
	"debug/elf"
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"comus/cfront/command"
	"comus/internal/child"
	"comus/replay"
)

//go:embed runtime
var runtimeFiles embed.FS

// Program is a program that an execution was found of.
type Program struct {
	Units []command.Invocation
	Args  []string
	// File and Line are where the assertion is that fails.
	File string
	Line int
}

// Report is what runs have shown.
type Report struct {
	Seen, Runs int
	Text       string // in a sentence
	Why        string // why nothing was run; "": it was
}

// limits of the child processes.
const (
	mostMemory = 1 << 30
	compiling  = 60 * time.Second
)

// compile are the flags that units are compiled with, beside their own ones. The functions that a program calls where it fails are replaced: so calls of what has external linkage are left.
var compile = []string{"-O2", "-pthread", "-fPIC", "-w", "-c"}

// link are the flags by which the runtime comes between the program and the library.
var link = []string{"-pthread", "-Wl,--wrap=main,--wrap=pthread_create,--wrap=pthread_join,--wrap=thrd_create,--wrap=thrd_join", "-Wl,-z,muldefs"}

// Names are the names of the files that a program is written to, beside those of package replay.
var Names = []string{"comus_repeat.c", "comus_repeat.h", "place.c"}

// Files returns the files of the runs: with the program's own they make ./replay. The program is read where it is.
func (p *Program) Files(ctx context.Context) ([]replay.File, error) {
	together := false
	if b, err := p.build(ctx); err == nil {
		together = b.together
		b.dir.Remove()
	}
	var files []replay.File
	for _, f := range []string{"comus_repeat.c", "comus_repeat.h"} {
		text, err := runtimeFiles.ReadFile("runtime/" + f)
		if err != nil {
			return nil, err
		}
		files = append(files, replay.File{Name: f, Text: replay.Marked(text)})
	}
	return append(files, replay.File{Name: "place.c", Text: replay.Marked([]byte(p.place(together, replay.JudgeTime)))}, replay.File{Name: "Makefile", Text: []byte(p.makefile())}), nil
}

// place tells the runtime what to look for.
func (p *Program) place(together bool, within time.Duration) string {
	n := 0
	if together {
		n = 1
	}
	return fmt.Sprintf("#include \"comus_repeat.h\"\nconst char comus_file[] = %s;\nconst unsigned comus_line = %d;\nconst int comus_together = %d;\nconst double comus_seconds = %.3f;\n",
		strconv.QuoteToASCII(p.File), p.Line, n, within.Seconds())
}

// unit returns gcc's arguments for a unit, without the output.
func unit(u *command.Invocation) []string {
	words := slices.Concat(compile, u.Preprocess, u.Flags.Words())
	if u.Language != "" {
		words = append(words, "-x", u.Language)
	}
	return append(words, u.File)
}

// makefile returns the Makefile.
func (p *Program) makefile() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s: make builds the program, make run runs it again and again, COMUS_SECONDS (10) long, and says how often the assertion fails.\n", replay.Marker)
	objects := []string{"comus_repeat.o", "place.o"}
	for i := range p.Units {
		objects = append(objects, fmt.Sprintf("unit%d.o", i+1))
	}
	fmt.Fprintf(&b, "replay: %s\n\tgcc %s -o $@ $^ -lm\n\nrun: replay\n\t./replay%s\n\n", strings.Join(objects, " "), strings.Join(link, " "), quoted(p.arguments()))
	fmt.Fprintf(&b, "comus_repeat.o place.o: %%.o: %%.c comus_repeat.h\n\tgcc -O2 -w -pthread -c -o $@ $<\n\n")
	for i := range p.Units {
		u := &p.Units[i]
		fmt.Fprintf(&b, "unit%d.o: FORCE\n\tout=$$PWD/$@ && cd%s && gcc -o \"$$out\"%s\n\n", i+1, quoted([]string{folder(u)}), quoted(unit(u)))
	}
	b.WriteString("clean:\n\trm -f replay *.o\n\nFORCE:\n.PHONY: clean run FORCE\n")
	return b.String()
}

// folder is where a unit is compiled.
func folder(u *command.Invocation) string {
	dir := u.Dir
	if dir == "" {
		dir = "."
	}
	if abs, err := filepath.Abs(dir); err == nil {
		return abs
	}
	return dir
}

// quoted returns words for the shell in a Makefile, each behind a space.
func quoted(words []string) string {
	var b strings.Builder
	for _, w := range words {
		w = strings.ReplaceAll(w, "$", "$$")
		if !plain.MatchString(w) {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		b.WriteString(" " + w)
	}
	return b.String()
}

var plain = regexp.MustCompile(`^[\w./+:@,=-]+$`)

// arguments are those of main, without the name.
func (p *Program) arguments() []string {
	if len(p.Args) < 2 {
		return nil
	}
	return p.Args[1:]
}

// built is a compiled program.
type built struct {
	dir      *child.Folder
	outside  []string // what it calls that may do more than compute
	together bool     // nothing outlives its main function
}

// build compiles the units.
func (p *Program) build(ctx context.Context) (b *built, err error) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		return nil, errors.New("there is no gcc")
	}
	ctx, stop := context.WithTimeout(ctx, compiling)
	defer stop()
	dir, err := child.TempDir("comus-replay-")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			dir.Remove()
		}
	}()
	b = &built{dir: dir, together: true}
	own, needed := map[string]bool{}, map[string]bool{}
	for i := range p.Units {
		object := filepath.Join(dir.Path, fmt.Sprintf("unit%d.o", i+1))
		if err := succeeds(ctx, folder(&p.Units[i]), dir.Path, slices.Concat([]string{gcc, "-o", object}, unit(&p.Units[i]))); err != nil {
			return nil, err
		}
		if err := b.symbols(object, own, needed); err != nil {
			return nil, err
		}
	}
	for name := range needed { // sorted below
		switch {
		case own[name] || alone[name] == computes:
		case alone[name] == keeps:
			b.together = false
		default:
			b.outside = append(b.outside, name)
		}
	}
	slices.Sort(b.outside)
	return b, nil
}

// symbols notes what an object file defines and needs.
func (b *built) symbols(object string, own, needed map[string]bool) error {
	f, err := elf.Open(object)
	if err != nil {
		return err
	}
	defer f.Close()
	for _, s := range f.Sections {
		if s.Flags&elf.SHF_TLS != 0 && s.Size > 0 { // the first thread's are not set back
			b.together = false
		}
	}
	symbols, err := f.Symbols()
	if err != nil {
		return err
	}
	for _, s := range symbols {
		switch {
		case s.Name == "":
		case s.Section != elf.SHN_UNDEF:
			own[s.Name] = true
		default:
			needed[s.Name] = true
		}
	}
	return nil
}

// Run compiles the program and runs it for some time, until ctx ends. No process is left. The error is for a program that cannot be compiled.
func (p *Program) Run(ctx context.Context, within time.Duration) (Report, error) {
	b, err := p.build(ctx)
	if err != nil {
		return Report{}, err
	}
	defer b.dir.Remove()
	if len(b.outside) > 0 {
		return Report{Why: "the program calls " + b.outside[0] + ", so comus does not run it by itself"}, nil
	}
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		return Report{}, err
	}
	dir := b.dir.Path
	for _, f := range []string{"comus_repeat.c", "comus_repeat.h"} {
		text, err := runtimeFiles.ReadFile("runtime/" + f)
		if err != nil {
			return Report{}, err
		}
		if err := os.WriteFile(filepath.Join(dir, f), text, 0o600); err != nil {
			return Report{}, err
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "place.c"), []byte(p.place(b.together, within)), 0o600); err != nil {
		return Report{}, err
	}
	objects := []string{"-O2", "-w", "comus_repeat.c", "place.c"}
	for i := range p.Units {
		objects = append(objects, fmt.Sprintf("unit%d.o", i+1))
	}
	if err := succeeds(ctx, dir, dir, slices.Concat([]string{gcc}, link, []string{"-o", "replay"}, objects, []string{"-lm"})); err != nil {
		return Report{}, err
	}
	return p.repeats(ctx, dir, within)
}

// repeats runs what was compiled.
func (p *Program) repeats(ctx context.Context, dir string, within time.Duration) (Report, error) {
	command := &child.Command{Path: filepath.Join(dir, "replay"), Argv: slices.Concat([]string{"replay"}, p.arguments()), Dir: dir, Logs: filepath.Join(dir, "run"),
		Memory: mostMemory, Timeout: within + 5*time.Second}
	end, err := command.Run(ctx)
	if err != nil {
		return Report{}, err
	}
	text, err := os.ReadFile(end.Stdout)
	m := said.FindStringSubmatch(string(text))
	switch {
	case err != nil:
		return Report{}, err
	case end.Stopped != "":
		return Report{}, fmt.Errorf("the program was stopped: %s", end.Stopped)
	case m == nil:
		return Report{}, fmt.Errorf("the program ends with code %d, and does not say what it has seen", end.Exit)
	}
	number := func(text string) int { n, _ := strconv.Atoi(strings.ReplaceAll(text, ",", "")); return n }
	return Report{Seen: number(m[1]), Runs: number(m[2]), Text: strings.TrimSpace(m[0])}, nil
}

// said is what the runtime says.
var said = regexp.MustCompile(`(?m)^(?:seen in ([\d,]+) of|not seen in) ([\d,]+) runs.*$`)

// succeeds runs a compiler.
func succeeds(ctx context.Context, dir, logs string, argv []string) error {
	end, err := (&child.Command{Argv: argv, Dir: dir, Logs: filepath.Join(logs, "gcc"), Memory: mostMemory}).Run(ctx)
	switch {
	case err != nil:
		return err
	case end.Stopped != "":
		return fmt.Errorf("gcc was stopped: %s", end.Stopped)
	case end.Exit != 0:
		text, _ := os.ReadFile(end.Stderr)
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, "error") || strings.Contains(line, "undefined") {
				return fmt.Errorf("gcc fails: %s", strings.TrimSpace(line))
			}
		}
		return errors.New("gcc fails")
	}
	return nil
}
