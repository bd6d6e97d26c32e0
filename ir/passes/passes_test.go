package passes_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"comus/internal/csource"
	"comus/internal/long"
	"comus/internal/randprog"
	"comus/ir"
	"comus/ir/explore"
	"comus/ir/passes"
)

// parse reads a program.
func parse(t *testing.T, src string) *ir.Program {
	t.Helper()
	res, err := csource.Parse("test.c", []byte(src), csource.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return res.Program
}

// run applies passes and checks the result.
func run(t *testing.T, p *ir.Program, names ...string) *passes.Result {
	t.Helper()
	r, err := passes.Run(p, names)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Program.Check(); err != nil {
		t.Fatalf("%v: %v\nbefore:\n%s\nafter:\n%s", names, err, p, r.Program)
	}
	return r
}

// explored is the verdict of the explorer.
func explored(t *testing.T, p *ir.Program, opts explore.Options) explore.Result {
	t.Helper()
	r, err := explore.Explore(context.Background(), p, opts)
	if err != nil {
		t.Fatalf("%v\n%s", err, p)
	}
	return r
}

// lists are the lists of passes that are tested: each alone, each after those
// before it, and all twice.
func lists() [][]string {
	var out [][]string
	for i, name := range passes.Names() {
		out = append(out, []string{name})
		if i > 0 {
			out = append(out, passes.Names()[:i+1])
		}
	}
	return append(out, append(passes.Names(), passes.Names()...))
}

// TestRandomPrograms compares the verdicts before and after passes.
func TestRandomPrograms(t *testing.T) {
	n := uint64(400)
	if testing.Short() {
		n = 60
	}
	verdicts := map[explore.Verdict]int{}
	changed := map[string]int{}
	for seed := range n {
		opts := randprog.Options{Features: randprog.Basic}
		if seed%2 == 1 {
			opts.Features = randprog.All
		}
		src := randprog.Generate(seed, opts)
		p := parse(t, src)
		before := p.String()
		limit := explore.Options{MaxStates: 20_000}
		want := explored(t, p, limit).Verdict
		verdicts[want]++
		if want == explore.Unknown {
			continue
		}
		for _, names := range lists() {
			q := run(t, p, names...).Program
			if len(names) == 1 && q.String() != before {
				changed[names[0]]++
			}
			if got := explored(t, q, limit).Verdict; got != want {
				t.Fatalf("seed %d, %v: %v instead of %v\n%s\nbefore:\n%s\nafter:\n%s", seed, names, got, want, src, p, q)
			}
		}
		if p.String() != before {
			t.Fatalf("seed %d: the program was changed", seed)
		}
	}
	t.Log(verdicts, changed)
}

// TestPrograms verifies the verdicts of the programs in testdata, before and after
// passes. The first line of each says what has to come out.
func TestPrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/*.c")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			long.OneOf(t, 8)
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			first, _, _ := strings.Cut(string(src), "\n")
			p := parse(t, string(src))
			for _, names := range append(lists(), nil) {
				got := explored(t, run(t, p, names...).Program, explore.Options{MaxStates: 100_000})
				if "// expect: "+got.Verdict.String() != first {
					t.Errorf("%v: %v, but the file says %q", names, got.Verdict, first)
				}
			}
		})
	}
}

func TestParse(t *testing.T) {
	for list, want := range map[string]string{"all": strings.Join(passes.Default(), " "), "none": "", "dead, await": "dead await"} {
		names, err := passes.Parse(list)
		if err != nil || names == nil || strings.Join(names, " ") != want {
			t.Errorf("%q: %q, %v", list, names, err)
		}
	}
	for _, list := range []string{"", "dead,", "undead"} {
		if _, err := passes.Parse(list); err == nil {
			t.Errorf("%q is accepted", list)
		}
	}
}
