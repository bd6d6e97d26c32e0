package confirm

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"comus/internal/csource"
	"comus/internal/long"
	"comus/internal/randprog"
	"comus/ir"
	"comus/ir/explore"
	"comus/ir/interp"
	"comus/ir/passes"
	"comus/logic"
)

// passLists are the lists of passes that are tested: each pass alone, and all.
func passLists() [][]string {
	var lists [][]string
	for _, name := range passes.Names() {
		lists = append(lists, []string{name})
	}
	return append(lists, passes.Names(), append(passes.Names(), passes.Names()...))
}

// lifts verifies that passes keep the explorer's verdict on a program, and that
// the execution found after them, lifted, is one of the original program. It
// reports whether the program was decided.
func lifts(t *testing.T, p *ir.Program, lists [][]string, limit explore.Options) explore.Verdict {
	t.Helper()
	ctx := context.Background()
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	want, err := explore.Explore(ctx, p, limit)
	if err != nil {
		t.Fatal(err)
	}
	p.Renumber()
	for _, names := range lists {
		r, err := transform(p, names)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Program.Check(); err != nil {
			t.Fatalf("%v: %v\nbefore:\n%s\nafter:\n%s", names, err, p, r.Program)
		}
		got, err := explore.Explore(ctx, r.Program, limit)
		if err != nil {
			t.Fatalf("%v: %v\n%s", names, err, r.Program)
		}
		if got.Verdict != want.Verdict && want.Verdict != explore.Unknown &&
			(got.Verdict != explore.Unknown || len(limit.InputDomain) == 0) {
			t.Fatalf("%v: %v (%s) instead of %v\nbefore:\n%s\nafter:\n%s", names, got.Verdict, got.Reason, want.Verdict, p, r.Program)
		}
		if got.Verdict != explore.Unsafe {
			continue
		}
		var edges []*ir.Edge
		for _, s := range got.Schedule.Steps {
			edges = append(edges, s.Edge)
		}
		sched, err := Schedule(ctx, p, r.Lift(edges), nil)
		if err != nil {
			t.Fatalf("%v: %v\nbefore:\n%s\nafter:\n%s", names, err, p, r.Program)
		}
		if _, err := interp.Replay(p, sched); err != nil {
			t.Fatalf("%v: %v\nbefore:\n%s\nafter:\n%s", names, err, p, r.Program)
		}
	}
	return want.Verdict
}

// TestPassesOnRandomPrograms lifts executions of random programs.
func TestPassesOnRandomPrograms(t *testing.T) {
	n := uint64(300)
	if testing.Short() {
		n = 50
	}
	verdicts := map[explore.Verdict]int{}
	for seed := range n {
		src := randprog.Generate(10_000+seed, randprog.Options{Features: []randprog.Feature{randprog.Basic, randprog.All}[seed%2]})
		res, err := csource.Parse("random.c", []byte(src), csource.Options{})
		if err != nil {
			t.Fatal(err)
		}
		verdicts[lifts(t, res.Program, passLists(), explore.Options{MaxStates: 20_000})]++
	}
	t.Log(verdicts)
	if verdicts[explore.Unsafe] < int(n/10) || verdicts[explore.Safe] < int(n/10) {
		t.Errorf("not a good mixture: %v", verdicts)
	}
}

// TestPassesOnPrograms does the same with programs in C for which there are known
// verdicts.
func TestPassesOnPrograms(t *testing.T) {
	domain := []logic.Value{logic.IntValue(-1), logic.IntValue(0), logic.IntValue(1), logic.IntValue(2), logic.IntValue(5)}
	var files []string
	for _, pattern := range []string{"../../cfront/testdata/run/*.c", "../../ir/passes/testdata/*.c"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatal("no programs", err)
		}
		files = append(files, found...)
	}
	all := len(passes.Names())
	for k, f := range files { // each with one pass alone, and with all of them
		t.Run(filepath.Base(f), func(t *testing.T) {
			long.OneOf(t, 12)
			res, err := csource.ParseFile(f, csource.Options{})
			if err != nil {
				t.Fatal(err)
			}
			lists := passLists()
			lists = append(lists[k%all:k%all+1:k%all+1], lists[all:]...)
			lifts(t, res.Program, lists, explore.Options{MaxStates: 100_000, InputDomain: domain})
		})
	}
}

// TestPassesAreDeterministic: a proof is checked against the program that another
// process makes.
func TestPassesAreDeterministic(t *testing.T) {
	files, err := filepath.Glob("../../examples/*.c")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, f := range files {
		var texts []string
		for range 3 {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			res, err := csource.Parse(f, src, csource.Options{})
			if err != nil {
				t.Fatal(err)
			}
			r, err := transform(res.Program, passes.Names())
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, r.Program.String())
		}
		if len(slices.Compact(texts)) != 1 {
			t.Errorf("%s: the passes have different results", f)
		}
	}
}

// TestTooManyPasses: a certificate cannot keep the checker busy with passes.
func TestTooManyPasses(t *testing.T) {
	names := slices.Repeat([]string{"merge"}, maxPasses+1)
	if _, err := transform(ir.NewProgram("f.c"), names); err == nil {
		t.Errorf("%d passes are accepted", len(names))
	}
	if _, err := transform(ir.NewProgram("f.c"), names[1:]); err != nil {
		t.Error(err)
	}
}
