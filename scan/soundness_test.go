package scan_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir"
	"comus/cir/interp/sample"
	"comus/internal/long"
	"comus/scan"
)

var (
	all    = flag.Bool("scan.all", false, "analyse all programs of which it is known whether they have a race")
	random = flag.Int("scan.random", 8, "number of random programs whose races are looked for in runs")
	seed   = flag.Uint64("scan.seed", 1, "the first one's seed")
)

// load reads a program. What is found of it is compared with what is found of its slice, too.
func load(t testing.TB, file string) *cfront.Program {
	t.Helper()
	if t, ok := t.(*testing.T); ok {
		sameSlice(t, file)
	}
	p, err := cfront.Load(context.Background(), []command.Invocation{{File: file}}, cfront.Options{NoHost: true, Libraries: true})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// text makes a file of a program.
func text(t testing.TB, src string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func analyse(t testing.TB, p *cir.Program) *scan.Result {
	t.Helper()
	r, err := scan.Analyse(context.Background(), p, nil, scan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestJudged analyses programs of which it is known whether they have a race: those that do have suspects.
func TestJudged(t *testing.T) {
	files, err := filepath.Glob("../cfront/testdata/race/*.c")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	safe, clean := 0, 0
	for i, file := range files {
		if !long.Turn(int(i), 4) {
			continue
		}
		if !*all && i%8 != 0 {
			continue
		}
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(string(src), "\n")
		want, checks, _ := strings.Cut(strings.TrimPrefix(first, "// expect: "), " --check=")
		if !strings.Contains(checks, "race") {
			continue
		}
		_, suspects := analyse(t, load(t, file).Program).RaceFree()
		switch {
		case want == "UNSAFE" && suspects == 0:
			t.Errorf("%s has a race, and no suspects", file)
		case want == "SAFE":
			safe++
			if suspects == 0 {
				clean++
			} else {
				t.Logf("%s: suspects", file)
			}
		}
	}
	t.Logf("of %d programs without a race %d have no suspects", safe, clean)
	if !testing.Short() && clean < safe/3 {
		t.Errorf("of %d programs without a race only %d have no suspects", safe, clean)
	}
}

// listed is how many suspects of a location are listed.
const listed = 200

// missed returns the races that runs of a program show and that are no suspects.
func missed(t testing.TB, p *cir.Program, r *scan.Result, runs int) (list []string, found int) {
	t.Helper()
	rep, err := sample.Run(context.Background(), p, sample.Options{Races: true, Runs: runs, MaxSteps: 20000})
	if err != nil {
		t.Fatal(err)
	}
	known, crowded := map[[2]string]bool{}, map[string]bool{}
	for _, l := range r.Locations {
		for _, s := range l.Suspects {
			a, b := line(s.A.Site), line(s.B.Site)
			known[[2]string{a, b}], known[[2]string{b, a}] = true, true
		}
		if len(l.Suspects) >= listed { // not all of them, nor all accesses
			for _, x := range l.Accesses {
				crowded[line(x.Site)] = true
			}
		}
	}
	for _, x := range rep.Races {
		if a, b := line(x.What.First.Site), line(x.What.Second.Site); !known[[2]string{a, b}] && !crowded[a] && !crowded[b] {
			list = append(list, fmt.Sprintf("%s: %s and %s (seed %d)", x.What.Object, a, b, x.Seed))
		}
	}
	return list, len(rep.Races)
}

func line(s *cir.Site) string {
	if s == nil {
		return "?"
	}
	return fmt.Sprintf("%s:%d", filepath.Base(s.Pos.File), s.Pos.Line)
}
