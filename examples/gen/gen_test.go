package gen_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"comus/comus"
	"comus/examples/gen"
	"comus/internal/csource"
	"comus/internal/long"
	"comus/ir"
	"comus/ir/explore"
	"comus/logic"
)

var update = flag.Bool("update", false, "write the golden files")

// program is an instance of a kind.
type program struct {
	kind string
	opts gen.Options
}

// name returns a name for tests and files.
func (p program) name() string {
	s := p.kind
	if p.opts.Ring {
		s += "_ring"
	}
	s += fmt.Sprintf("_%d", p.opts.Threads)
	if p.opts.Columns > 0 {
		s += fmt.Sprintf("_columns%d", p.opts.Columns)
	}
	if p.opts.Iterations > 0 {
		s += fmt.Sprintf("_iterations%d", p.opts.Iterations)
	}
	if p.opts.Size > 0 {
		s += fmt.Sprintf("_size%d", p.opts.Size)
	}
	if p.opts.Local {
		s += "_local"
	}
	for _, v := range p.opts.Vary {
		s += "_" + v
	}
	if p.opts.MaxInput > 0 {
		s += fmt.Sprintf("_max%d", p.opts.MaxInput)
	}
	if p.opts.Unsafe {
		return s + "_unsafe"
	}
	return s
}

// expected returns the verdict.
func (p program) expected() string {
	if p.opts.Unsafe {
		return "UNSAFE"
	}
	return "SAFE"
}

// source generates the program.
func (p program) source(t *testing.T) string {
	t.Helper()
	src, err := gen.Generate(p.kind, p.opts)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// lower generates the program and turns it into IR.
func (p program) lower(t *testing.T) *ir.Program {
	t.Helper()
	res, err := csource.Parse(p.name()+".c", []byte(p.source(t)), csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Warnings) > 0 || !res.HasAssertions {
		t.Errorf("warnings %q, assertions %t", res.Warnings, res.HasAssertions)
	}
	if err := res.Program.Check(); err != nil {
		t.Fatal(err)
	}
	return res.Program
}

// both returns the safe and the unsafe form of a program.
func both(kind string, o gen.Options) []program {
	broken := o
	broken.Unsafe = true
	return []program{{kind, o}, {kind, broken}}
}

// variants returns the programs with a local property, and those with bounded inputs.
func variants(threads int) []program {
	var list []program
	for _, k := range gen.Kinds() {
		o := gen.Options{Threads: threads, Local: gen.Has(k.Name, gen.FlagLocal)}
		if gen.Has(k.Name, gen.FlagMaxInput) {
			o.MaxInput = 1
		}
		if o.Local || o.MaxInput > 0 {
			list = append(list, both(k.Name, o)...)
		}
	}
	return list
}

// TestPrograms checks the form of each program of 2 to 5 threads, that comus can
// read it, and that a C compiler has nothing to say against it.
func TestPrograms(t *testing.T) {
	var all []program
	for _, threads := range []int{2, 3, 5} {
		for _, k := range gen.Kinds() {
			if k.Name != "list" || threads < 5 {
				all = append(all, both(k.Name, gen.Options{Threads: threads})...)
			}
		}
		all = append(all, both("fib", gen.Options{Threads: threads, Ring: true})...)
		all = append(all, both("fib", gen.Options{Threads: threads, Iterations: 1})...)
		all = append(all, both("mat", gen.Options{Threads: threads, Columns: 1})...)
		all = append(all, variants(threads)...)
		all = append(all, both("list", gen.Options{Threads: threads, Size: 2})...)
	}
	for _, threads := range []int{2, 5} {
		for _, k := range gen.Kinds() {
			if k.Name == "list" && threads > 2 {
				continue // reading each takes seconds
			}
			for _, vary := range ways(k) {
				all = append(all, both(k.Name, gen.Options{Threads: threads, Vary: vary})...)
			}
		}
	}
	for _, p := range all {
		t.Run(p.name(), func(t *testing.T) {
			long.OneOf(t, 4)
			t.Parallel()
			src := p.source(t)
			checkForm(t, src, p.expected())
			if threads := len(p.lower(t).Threads); threads != p.opts.Threads+1 {
				t.Errorf("%d threads with main", threads)
			}
			compile(t, src)
		})
	}
}

// ways returns the ways to write a kind of program: each by itself, and all of them.
func ways(k gen.Kind) [][]string {
	var list [][]string
	for _, v := range k.Vary {
		list = append(list, []string{v})
	}
	return append(list, k.Vary)
}

// checkForm looks at the comment at the beginning and at spaces.
func checkForm(t *testing.T, src, expected string) {
	t.Helper()
	lines := strings.Split(src, "\n")
	if want := "// expect: " + expected; lines[0] != want {
		t.Errorf("first line %q, want %q", lines[0], want)
	}
	comment := 0
	for lines[2+comment] != "#include <assert.h>" {
		if !strings.HasPrefix(lines[2+comment], "// ") {
			t.Fatalf("line %d is %q", 3+comment, lines[2+comment])
		}
		comment++
	}
	if lines[1] != "//" || comment < 3 || comment > 7 {
		t.Errorf("%d lines of comment", comment)
	}
	for i, line := range lines {
		if line != strings.TrimRight(line, " \t") || i > 0 && i < len(lines)-1 && line == "" && lines[i-1] == "" {
			t.Errorf("line %d: spare space", i+1)
		}
	}
	if !strings.HasSuffix(src, "}\n") || strings.HasSuffix(src, "\n\n") {
		t.Errorf("it does not end with one line: %q", src[len(src)-10:])
	}
}

// compile compiles a program, with all warnings.
func compile(t *testing.T, src string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-pthread",
		"-x", "c", "-c", "-o", filepath.Join(t.TempDir(), "program.o"), "-")
	cmd.Stdin = strings.NewReader(src)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestGolden compares an instance of each kind with its file in testdata.
func TestGolden(t *testing.T) {
	for _, p := range []program{
		{"mat", gen.Options{Threads: 3}},
		{"mat", gen.Options{Threads: 2, Columns: 4, Unsafe: true}},
		{"pas", gen.Options{Threads: 4, Unsafe: true}},
		{"long", gen.Options{Threads: 3}},
		{"fib", gen.Options{Threads: 3}},
		{"fib", gen.Options{Threads: 2, Iterations: 5, Ring: true, Unsafe: true}},
		{"tree", gen.Options{Threads: 6, Unsafe: true}},
		{"pipe", gen.Options{Threads: 3}},
		{"pet", gen.Options{Threads: 2}},
		{"pet", gen.Options{Threads: 3, Unsafe: true}},
		{"mat", gen.Options{Threads: 4, Local: true, MaxInput: 1000, Unsafe: true}},
		{"pas", gen.Options{Threads: 3, Local: true}},
		{"long", gen.Options{Threads: 3, Local: true, MaxInput: 1000}},
		{"relay", gen.Options{Threads: 3, Unsafe: true}},
		{"relay", gen.Options{Threads: 4, Size: 2, Vary: []string{"chain", "reverse", "backward", "conditions", "counters", "main"}}},
		{"buffer", gen.Options{Threads: 3}},
		{"buffer", gen.Options{Threads: 2, Size: 2, Vary: []string{"retry", "flags"}, Unsafe: true}},
		{"alike", gen.Options{Threads: 10}},
		{"alike", gen.Options{Threads: 4, Iterations: 3, Vary: []string{"counters"}, Unsafe: true}},
		{"accounts", gen.Options{Threads: 3}},
		{"accounts", gen.Options{Threads: 4, Size: 2, Vary: []string{"one", "fixed", "main"}, Unsafe: true}},
		{"list", gen.Options{Threads: 2}},
		{"list", gen.Options{Threads: 3, Size: 2, Vary: []string{"queue", "names"}, Unsafe: true}},
		{"ticket", gen.Options{Threads: 3, Unsafe: true}},
		{"readers", gen.Options{Threads: 4, Vary: []string{"flags"}}},
	} {
		t.Run(p.name(), func(t *testing.T) {
			file, got := filepath.Join("testdata", p.name()+".c"), p.source(t)
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("not as in %s (go test -update writes it); got\n%s", file, got)
			}
		})
	}
}

// TestExplorer compares the verdicts with the explorer's, which are final for
// programs without inputs. Inputs are tried with a few values: what is unsafe is
// unsafe already for them. (For long these are all that matter, because only the
// order of the numbers does.)
func TestExplorer(t *testing.T) {
	largest := map[string]int{"mat": 2, "pas": 4, "long": 3, "fib": 4, "tree": 3, "pipe": 3, "pet": 3,
		"relay": 4, "buffer": 2, "alike": 4, "ticket": 3, "readers": 3}
	for _, k := range gen.Kinds() {
		for threads := 2; threads <= largest[k.Name]; threads++ {
			for _, p := range both(k.Name, gen.Options{Threads: threads}) {
				exploreProgram(t, p)
			}
		}
		for _, vary := range ways(k) {
			for _, p := range both(k.Name, small(k.Name, vary)) {
				exploreProgram(t, p)
			}
		}
	}
	for _, p := range slices.Concat(both("relay", gen.Options{Threads: 2, Size: 2}), both("buffer", gen.Options{Threads: 3, Size: 2}),
		both("alike", gen.Options{Threads: 2, Iterations: 2}), both("accounts", gen.Options{Threads: 3, Size: 2, Vary: []string{"fixed"}}), both("list", gen.Options{Threads: 2, Size: 2}),
		both("list", gen.Options{Threads: 3, Size: 1}), both("ticket", gen.Options{Threads: 2, Iterations: 2})) {
		exploreProgram(t, p)
	}
	for _, o := range []gen.Options{{Threads: 2, Iterations: 4, Ring: true}, {Threads: 3, Ring: true}, {Threads: 3, Iterations: 3, Ring: true}} {
		for _, p := range both("fib", o) {
			exploreProgram(t, p)
		}
	}
	for _, p := range append(both("mat", gen.Options{Threads: 3, Columns: 1}), both("pas", gen.Options{Threads: 5})...) {
		exploreProgram(t, p)
	}
	for _, p := range slices.Concat(variants(2), both("pas", gen.Options{Threads: 3, Local: true}), both("long", gen.Options{Threads: 3, Local: true}),
		both("mat", gen.Options{Threads: 3, Columns: 1, Local: true})) {
		exploreProgram(t, p)
	}
}

// small returns a small program of a kind, written in some ways.
func small(kind string, vary []string) gen.Options {
	o := gen.Options{Threads: 2, Vary: vary}
	switch kind {
	case "relay":
		o.Threads = 3
	case "buffer", "accounts":
		o.Size = 2
	case "list":
		o.Size = 1
	}
	return o
}

// exploreProgram compares the verdict of one program with the explorer's.
func exploreProgram(t *testing.T, p program) {
	t.Helper()
	t.Run(p.name(), func(t *testing.T) {
		t.Parallel()
		opts := explore.Options{InputDomain: domain(p)}
		res, err := explore.Explore(t.Context(), p.lower(t), opts)
		if err != nil {
			t.Fatal(err)
		}
		got := res.Verdict.String()
		if len(opts.InputDomain) > 0 && strings.Contains(res.Reason, "restricted inputs") {
			got = "SAFE"
		}
		if got != p.expected() {
			t.Errorf("%s (%s, %d states), want %s", got, res.Reason, res.States, p.expected())
		}
		t.Logf("%d states", res.States)
	})
}

// domain returns the inputs to try.
func domain(p program) []logic.Value {
	var values []logic.Value
	switch p.kind {
	case "mat", "long", "tree":
		for i := range int64(p.opts.Threads) {
			values = append(values, logic.IntValue(i))
		}
	case "relay":
		for i := range int64(p.opts.Size + 3) {
			values = append(values, logic.IntValue(i))
		}
	case "buffer", "list":
		values = []logic.Value{logic.IntValue(0), logic.IntValue(1), logic.IntValue(2)}
	case "accounts":
		for i := range int64(max(p.opts.Size, 3)) {
			values = append(values, logic.IntValue(i))
		}
	case "pipe":
		values = []logic.Value{logic.IntValue(-1), logic.IntValue(0), logic.IntValue(1)}
	}
	return values
}

// TestVerify has comus verify small instances.
func TestVerify(t *testing.T) {
	const limit = 20 * time.Second
	largest := map[string]int{"mat": 3, "pas": 3, "long": 3, "fib": 3, "tree": 4, "pipe": 3, "pet": 2}
	more := map[string][]program{}
	for _, p := range variants(3) {
		more[p.kind] = append(more[p.kind], p)
	}
	for _, k := range gen.Kinds() {
		for threads := 2; threads <= largest[k.Name]; threads++ {
			list := both(k.Name, gen.Options{Threads: threads})
			if threads == 2 {
				list = append(list, more[k.Name]...)
			}
			for _, p := range list {
				t.Run(p.name(), func(t *testing.T) {
					long.OneOf(t, 10)
					ctx, cancel := context.WithTimeout(t.Context(), limit)
					defer cancel()
					res, err := comus.VerifyProgram(ctx, p.lower(t), comus.Options{})
					if err != nil {
						t.Fatal(err)
					}
					if got := res.Verdict.String(); got != p.expected() {
						t.Errorf("%s (%s), want %s", got, res.Reason, p.expected())
					}
					t.Logf("%.2f s, %d sequential checks", res.Elapsed.Seconds(), res.Stats.Checks)
				})
			}
		}
	}
}

// TestErrors has all that cannot be generated.
func TestErrors(t *testing.T) {
	for _, tt := range []struct {
		kind string
		opts gen.Options
		want string
	}{
		{"sort", gen.Options{Threads: 2}, `no kind "sort": the kinds are mat, pas, long, fib, tree, pipe, pet, relay, buffer, alike, accounts, list, ticket, readers`},
		{"", gen.Options{Threads: 2}, `no kind ""`},
		{"mat", gen.Options{Threads: 1}, "--threads must be from 2 to"},
		{"mat", gen.Options{Threads: -3}, "--threads must be from 2 to"},
		{"mat", gen.Options{Threads: 1_000_000_000}, "--threads must be from 2 to"},
		{"mat", gen.Options{Threads: 2, Columns: -1}, "--columns must be from 1 to"},
		{"fib", gen.Options{Threads: 2, Iterations: -1}, "--iterations must be from 1 to"},
		{"tree", gen.Options{Threads: 2, Ring: true}, "tree has no --ring"},
		{"fib", gen.Options{Threads: 2, Columns: 2}, "fib has no --columns"},
		{"pet", gen.Options{Threads: 2, Iterations: 2}, "pet has no --iterations"},
		{"tree", gen.Options{Threads: 2, Local: true}, "tree has no --local"},
		{"pas", gen.Options{Threads: 2, MaxInput: 3}, "pas has no --max-input"},
		{"mat", gen.Options{Threads: 2, MaxInput: -1}, "--max-input must be from 1 to"},
		{"pipe", gen.Options{Threads: 2, Size: 3}, "pipe has no --size"},
		{"buffer", gen.Options{Threads: 2, Size: 2000}, "--size must be from 1 to"},
		{"accounts", gen.Options{Threads: 2, Size: 1}, "accounts need"},
		{"buffer", gen.Options{Threads: 2, Vary: []string{"names", "chain"}}, "buffer has no --vary chain, but reverse, names"},
		{"pas", gen.Options{Threads: 34}, "do not fit an int"},
		{"fib", gen.Options{Threads: 31}, "do not fit an int"},
		{"fib", gen.Options{Threads: 2, Iterations: 40, Ring: true}, "do not fit an int"},
		{"fib", gen.Options{Threads: 30, Ring: true}, "too large to compute"},
	} {
		if testing.Short() && tt.want == "too large to compute" {
			continue // it tries for a while
		}
		_, err := gen.Generate(tt.kind, tt.opts)
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s %+v: error %v, want %q", tt.kind, tt.opts, err, tt.want)
		}
	}
}

// TestLarge generates the largest instances that comus's benchmarks have.
func TestLarge(t *testing.T) {
	for _, p := range []program{
		{"mat", gen.Options{Threads: 16}}, {"pas", gen.Options{Threads: 33}}, {"long", gen.Options{Threads: 16}},
		{"fib", gen.Options{Threads: 30}}, {"tree", gen.Options{Threads: 63}}, {"pipe", gen.Options{Threads: 12}},
		{"pet", gen.Options{Threads: 8}}, {"relay", gen.Options{Threads: 50}}, {"buffer", gen.Options{Threads: 20, Size: 1000}},
		{"alike", gen.Options{Threads: 1000}}, {"accounts", gen.Options{Threads: 100, Size: 1000}}, {"readers", gen.Options{Threads: 100}},
	} {
		t.Run(p.name(), func(t *testing.T) {
			t.Parallel()
			compile(t, p.source(t))
		})
	}
}
