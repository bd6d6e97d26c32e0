package comus_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"comus/comus"
	"comus/internal/csource"
	"comus/internal/long"
	"comus/internal/randprog"
	"comus/ir/cgen"
	"comus/seqmc"
	"comus/seqmc/external"
	"comus/seqmc/spacer"
)

var (
	printedPrograms = flag.Int("comus.printed", 7, "number of random programs whose sequential programs TestPrinted compiles")
	printedRuns     = flag.Int("comus.printedruns", 1, "how many combinations of switches TestPrinted verifies each program with")
	printedMost     = flag.Int("comus.printedmost", 8, "how many sequential programs of each of them it compiles at most")
	printedLimit    = flag.Duration("comus.printedlimit", 2*time.Second, "time for each of them")
)

// ablations are the switches that change what the modular algorithm asks.
var ablations = []struct {
	name string
	set  func(*comus.Options)
}{
	{"no-seed", func(o *comus.Options) { o.NoSeed = true }},
	{"no-generalize", func(o *comus.Options) { o.Query.NoGeneralize = true }},
	{"no-project", func(o *comus.Options) { o.Query.NoProject = true }},
	{"no-concretize", func(o *comus.Options) { o.NoConcretize = true }},
	{"no-batch", func(o *comus.Options) { o.Query.NoBatch = true }},
	{"no-multipath", func(o *comus.Options) { o.Query.NoMultiPath = true }},
	{"no-guide", func(o *comus.Options) { o.Query.NoGuide = true }},
	{"no-cache", func(o *comus.Options) { o.Query.NoCache = true }},
	{"no-parallel", func(o *comus.Options) { o.Query.NoParallel = true }},
	{"no-reduction", func(o *comus.Options) { o.NoReduction = true }},
	{"no-relational", func(o *comus.Options) { o.NoRelational = true }},
	{"no-demand", func(o *comus.Options) { o.NoDemand = true }},
	{"no passes", func(o *comus.Options) { o.Passes = []string{} }},
}

// ablation returns the options of a combination of switches, a bit each, and their names.
func ablation(bits int) (comus.Options, string) {
	opts := comus.Options{Strategy: "modular", NoSimulate: true}
	var names []string
	for i, a := range ablations {
		if bits>>i&1 == 1 {
			a.set(&opts)
			names = append(names, a.name)
		}
	}
	return opts, strings.Join(names, ",")
}

// printing is a sequential model checker that writes every program as the C of a backend,
// for each of the targets in turn.
type printing struct {
	seqmc.Checker
	sheets *sheets
	what   string
	count  int
	enough func() // ends the run
}

func (c *printing) Check(ctx context.Context, p *seqmc.Program) (seqmc.Result, error) {
	text, err := external.Text(p, cgen.Target(c.count%len(cgen.TargetNames)))
	if c.count++; c.count == *printedMost {
		c.enough()
	}
	switch {
	case err == nil:
		c.sheets.add(c.what, text)
	case !strings.HasPrefix(err.Error(), "unsupported: "):
		c.sheets.t.Errorf("%s: %v", c.what, err)
	}
	return c.Checker.Check(ctx, p)
}

// sheets are files of C that wait to be compiled, each once.
type sheets struct {
	t         *testing.T
	mu        sync.Mutex
	seen      map[string]bool
	compilers [][]string
	dir       string
	files     []string
	total     int
}

// newSheets returns an empty collection for gcc, and for clang where it is installed.
func newSheets(t *testing.T) *sheets {
	s := &sheets{t: t, seen: map[string]bool{}, dir: t.TempDir(), compilers: [][]string{{"gcc", "-std=c99", "-Wall", "-Werror", "-c"}}}
	if _, err := exec.LookPath("clang"); err == nil {
		s.compilers = append(s.compilers, []string{"clang", "-Wall", "-Werror", "-c"})
	} else {
		t.Log("clang is not installed: gcc alone compiles what is printed")
	}
	return s
}

// add adds a file unless there was one with the same text.
func (s *sheets) add(what, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen[text] {
		return
	}
	s.seen[text] = true
	s.total++
	name := fmt.Sprintf("p%d.c", s.total)
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte("// "+what+"\n"+text), 0o600); err != nil {
		s.t.Error(err)
	}
	if s.files = append(s.files, name); len(s.files) == 200 {
		s.compile()
	}
}

// compile compiles the files that wait.
func (s *sheets) compile() {
	for _, c := range s.compilers {
		if len(s.files) == 0 {
			continue
		}
		cmd := exec.Command(c[0], append(c[1:], s.files...)...)
		cmd.Dir = s.dir
		out, err := cmd.CombinedOutput()
		if err == nil {
			continue
		}
		bad, _, _ := strings.Cut(string(out[:min(len(out), 4000)]), ":")
		text, _ := os.ReadFile(filepath.Join(s.dir, bad))
		s.t.Errorf("%s: %v\n%.4000s\n%.20000s", c[0], err, out, text)
	}
	for _, f := range s.files {
		os.Remove(filepath.Join(s.dir, f))
		os.Remove(filepath.Join(s.dir, strings.TrimSuffix(f, ".c")+".o"))
	}
	s.files = nil
}

// TestPrinted verifies the examples and random programs in combinations of the switches for
// ablation, all of them in a long run, and compiles the C of every sequential program
// that a backend would be given.
func TestPrinted(t *testing.T) {
	long.Only(t)
	type program struct{ name, text string }
	var programs []program
	files, _ := filepath.Glob(filepath.Join("..", "examples", "*.c"))
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		programs = append(programs, program{filepath.Base(f), string(text)})
	}
	for i := range uint64(*printedPrograms) {
		seed := *fuzzSeed + i
		programs = append(programs, program{fmt.Sprintf("random %d", seed), randprog.Generate(seed, randprog.Options{Features: features(seed)})})
	}
	s := newSheets(t)
	undecided := 0
	for run := range *printedRuns {
		for i, p := range programs {
			k := run*len(programs) + i
			opts, names := ablation(k * 2731 % (1 << len(ablations))) // each once before one comes again
			if !printed(t, s, p.name, p.text, opts, names) {
				undecided++
			}
		}
	}
	s.compile()
	t.Logf("%d programs, %d combinations of switches each: %d sequential programs compiled, %d runs without an answer",
		len(programs), *printedRuns, s.total, undecided)
}

// printed verifies a program while the sequential programs are written, and reports whether
// that was decided.
func printed(t *testing.T, s *sheets, name, text string, opts comus.Options, switches string) bool {
	res, err := csource.Parse(name, []byte(text), csource.Options{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), *printedLimit)
	defer cancel()
	opts.Checker = &printing{Checker: &spacer.Checker{Ranges: true, Alone: true}, sheets: s, what: name + " " + switches, enough: cancel}
	r, err := comus.VerifyProgram(ctx, res.Program, opts)
	if err != nil && ctx.Err() == nil {
		t.Errorf("%s %s: %v", name, switches, err)
	}
	return err == nil && r.Verdict != seqmc.Unknown
}
