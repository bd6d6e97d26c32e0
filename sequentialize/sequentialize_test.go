package sequentialize_test

import (
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"comus/check"
	"comus/cutpoints"
	"comus/internal/csource"
	"comus/internal/randprog"
	"comus/ir"
	"comus/ir/cgen"
	"comus/ir/explore"
	"comus/sequentialize"
	"comus/sequentialize/single"
	"comus/sequentialize/unwind"
)

var (
	programs = flag.Int("programs", 40, "random programs to translate")
	update   = flag.Bool("update", false, "write the golden files")
)

// methods are ways to translate with bounds that are enough for small programs.
var methods = []sequentialize.Options{
	{Method: "lazy", Unwind: 3, Rounds: 4},
	{Method: "unbounded"},
	{Method: "eager", Unwind: 3, Rounds: 4},
}

func parse(t *testing.T, file string) *ir.Program {
	t.Helper()
	res, err := csource.ParseFile(file, csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return res.Program
}

// TestGolden translates the papers' running examples.
func TestGolden(t *testing.T) {
	for _, tt := range []struct {
		file string
		o    sequentialize.Options
	}{
		{"lazy_fig2", sequentialize.Options{Method: "lazy", Unwind: 2, Rounds: 2, Target: cgen.CBMC}},
		{"unbounded_fig2", sequentialize.Options{Method: "unbounded"}},
		{"eager_two", sequentialize.Options{Method: "eager", Rounds: 2}},
	} {
		t.Run(tt.file, func(t *testing.T) {
			src := filepath.Join("testdata", tt.file+".c")
			res, err := csource.ParseFile(src, csource.Options{AtomicStatements: true}) // as in the papers
			if err != nil {
				t.Fatal(err)
			}
			got, err := sequentialize.Translate(res.Program, tt.o)
			if err != nil {
				t.Fatal(err)
			}
			compile(t, got)
			golden := filepath.Join("testdata", tt.file+".golden")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("the translation changed (-update writes it):\n%s", got)
			}
		})
	}
}

// compile fails the test if gcc has something to say about a translation.
func compile(t *testing.T, text string) {
	t.Helper()
	cmd := exec.Command("gcc", "-std=c99", "-Wall", "-Werror", "-Wno-unused-label", "-Wno-bool-compare", "-fsyntax-only", "-x", "c", "-")
	cmd.Stdin = strings.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s\n%s", err, out, text)
	}
}

// TestAgainstExplorer gives translations of random programs to CBMC: what it finds in
// them the explorer finds in the program, and the other way around if the execution has
// few enough rounds.
func TestAgainstExplorer(t *testing.T) {
	if _, err := exec.LookPath("cbmc"); err != nil {
		t.Skip("cbmc is not installed: shared/tools/get-cbmc.sh installs it")
	}
	found, missed := 0, 0
	for seed := range uint64(*programs) {
		file := filepath.Join(t.TempDir(), "p.c")
		if err := os.WriteFile(file, []byte(randprog.Generate(seed+7000, randprog.Options{})), 0o644); err != nil {
			t.Fatal(err)
		}
		p := parse(t, file)
		p.Renumber()
		oracle, err := explore.Explore(t.Context(), p, explore.Options{MaxStates: 200_000})
		if err != nil || oracle.Verdict == explore.Unknown {
			continue
		}
		o := methods[int(seed)%len(methods)]
		o.Target = cgen.CBMC
		text, err := sequentialize.Translate(p, o)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		failed := cbmc(t, text, o)
		unsafe := oracle.Verdict == explore.Unsafe
		switch {
		case failed && !unsafe:
			t.Errorf("seed %d, %s: CBMC finds an error in the translation of a safe program\n%s", seed, o.Method, text)
		case failed:
			found++
		case unsafe && rounds(oracle.Schedule.Steps) <= 4 && turns(oracle.Schedule.Steps) <= 3:
			t.Errorf("seed %d, %s: CBMC finds no error in the translation of an unsafe program\n%s", seed, o.Method, text)
		case unsafe:
			missed++
		}
	}
	t.Logf("%d errors found, %d need more rounds or iterations", found, missed)
	if found == 0 {
		t.Error("no program was unsafe")
	}
}

// cbmc reports whether CBMC finds an assertion of a translation that fails.
func cbmc(t *testing.T, text string, o sequentialize.Options) bool {
	t.Helper()
	found, err := runCBMC(t, text, o)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return found
}

// rounds returns the number of rounds that an execution takes with the threads in
// order of their indexes.
func rounds(steps []ir.Step) int {
	n, last := 1, 0
	for _, s := range steps {
		t := s.Edge.From.Thread.Index
		if t < last {
			n++
		}
		last = t
	}
	return n
}

// turns returns how often an execution is at the same location at most.
func turns(steps []ir.Step) int {
	visits, most := map[*ir.Loc]int{}, 0
	for _, s := range steps {
		visits[s.Edge.From]++
		most = max(most, visits[s.Edge.From])
	}
	return most
}

// TestUnwind compares programs with their unwound copies: these are safe if the programs
// are, have no cycles, and unsafe if the program is within the bound.
func TestUnwind(t *testing.T) {
	decided := 0
	for seed := range uint64(150) {
		file := filepath.Join(t.TempDir(), "p.c")
		if err := os.WriteFile(file, []byte(randprog.Generate(seed+9000, randprog.Options{})), 0o644); err != nil {
			t.Fatal(err)
		}
		p := parse(t, file)
		p.Renumber()
		before, err := explore.Explore(t.Context(), p, explore.Options{MaxStates: 100_000})
		if err != nil || before.Verdict == explore.Unknown {
			continue
		}
		q, _, err := unwind.Program(p, 3)
		if err != nil {
			t.Fatal(err)
		}
		if err := q.CheckStructure(); err != nil {
			t.Fatal(err)
		}
		for _, th := range q.Threads {
			checkAcyclic(t, th)
		}
		after, err := explore.Explore(t.Context(), q, explore.Options{MaxStates: 400_000})
		if err != nil || after.Verdict == explore.Unknown {
			continue
		}
		decided++
		if after.Verdict == explore.Unsafe && before.Verdict == explore.Safe {
			t.Errorf("seed %d: unwinding made a safe program unsafe", seed)
		}
		if after.Verdict == explore.Safe && before.Verdict == explore.Unsafe && turns(before.Schedule.Steps) <= 3 {
			t.Errorf("seed %d: unwinding lost an error", seed)
		}
		if len(q.Bounded) == len(p.Bounded) && before.Verdict != after.Verdict {
			t.Errorf("seed %d: nothing was cut, but %v became %v", seed, before.Verdict, after.Verdict)
		}
	}
	if decided < 50 {
		t.Errorf("only %d programs were decided", decided)
	}
}

// TestSingle decides the sequentializations in IR: with the explorer, the eager one by
// encoding all its executions.
func TestSingle(t *testing.T) {
	counts := map[string]int{}
	for seed := range uint64(40) {
		file := filepath.Join(t.TempDir(), "p.c")
		if err := os.WriteFile(file, []byte(randprog.Generate(seed+11_000, randprog.Options{})), 0o644); err != nil {
			t.Fatal(err)
		}
		p := parse(t, file)
		p.Renumber()
		oracle, err := explore.Explore(t.Context(), p, explore.Options{MaxStates: 50_000})
		if err != nil || oracle.Verdict == explore.Unknown {
			continue
		}
		unsafe := oracle.Verdict == explore.Unsafe
		within := unsafe && rounds(oracle.Schedule.Steps) <= 3 && turns(oracle.Schedule.Steps) <= 3
		q, _, err := unwind.Program(p, 3)
		if err != nil {
			t.Fatal(err)
		}
		var reduced []*cutpoints.Graph
		if seed%2 == 1 {
			q.Renumber()
			reduced = cutpoints.Compute(q, cutpoints.Options{})
		}
		all := single.Unbounded(p)
		for name, s := range map[string]*single.Program{"unbounded": all, "hub": single.Hub(p), "lazy": single.Lazy(q, 3, reduced)} {
			s.Renumber()
			if err := s.CheckStructure(); err != nil {
				t.Fatal(err)
			}
			got, err := explore.Explore(t.Context(), s.Program, explore.Options{MaxStates: 60_000})
			if err != nil || got.Verdict == explore.Unknown {
				continue
			}
			found := got.Verdict == explore.Unsafe
			if found != unsafe && (found || name != "lazy" || within) {
				t.Errorf("seed %d, %s: %v, but the program is %v", seed, name, got.Verdict, oracle.Verdict)
			}
			counts[fmt.Sprint(name, found)]++
		}
		e := single.Eager(q, 3, reduced)
		e.Renumber()
		if err := e.CheckStructure(); err != nil {
			t.Fatal(err)
		}
		switch _, err := check.Orders(t.Context(), e.Program, &check.Certificate{}); {
		case err == nil && within:
			t.Errorf("seed %d: eager is safe, but the program is not", seed)
		case err != nil && strings.Contains(err.Error(), "fails") && !unsafe:
			t.Errorf("seed %d: eager is unsafe, but the program is safe", seed)
		default:
			counts[fmt.Sprint("eager", err != nil)]++
		}
	}
	t.Log(counts)
	if len(counts) < 6 {
		t.Errorf("not all verdicts occurred: %v", counts)
	}
}

// checkAcyclic fails the test if control can come back to a location.
func checkAcyclic(t *testing.T, th *ir.Thread) {
	state := map[*ir.Loc]int{}
	var visit func(l *ir.Loc)
	visit = func(l *ir.Loc) {
		state[l] = 1
		for _, e := range l.Out {
			if state[e.To] == 1 {
				t.Fatalf("a cycle through location %d", l.Index)
			}
			if state[e.To] == 0 {
				visit(e.To)
			}
		}
		state[l] = 2
	}
	visit(th.Entry)
}

// TestErrors gives Translate options that make no sense.
func TestErrors(t *testing.T) {
	p := parse(t, "testdata/eager_two.c")
	for _, o := range []sequentialize.Options{{Method: "lazy", Rounds: 1}, {Method: "lazy", Unwind: 1}, {Method: "eager"}, {Method: "greedy", Rounds: 1},
		{Method: "eager", Rounds: math.MaxInt}, {Method: "eager", Rounds: 1, Unwind: -1}, {Method: "eager", Rounds: 1, Unwind: math.MaxInt}} {
		if _, err := sequentialize.Translate(p, o); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%+v: error %v", o, err)
		}
	}
	if !slices.Contains(sequentialize.Methods, "lazy") {
		t.Error("no method lazy")
	}
}
