package sample_test

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir/interp"
	"comus/cir/interp/sample"
)

// pairs is where programs lie whose first line says the verdict: "// expect: UNSAFE --check=race".
func pairs() string {
	if dir := os.Getenv("COMUS_PAIRS"); dir != "" {
		return dir
	}
	return "../../../cfront/testdata"
}

// TestPairs samples the programs of the front end's tests, or some of them, unless COMUS_PAIRS names their folder: those that are UNSAFE show it, and no other.
func TestPairs(t *testing.T) {
	for _, kind := range []string{"race", "deadlock"} {
		files, _ := filepath.Glob(filepath.Join(pairs(), kind, "*.c"))
		for i, f := range files {
			if i%21 != 0 && os.Getenv("COMUS_PAIRS") == "" {
				continue
			}
			t.Run(kind+"/"+filepath.Base(f), func(t *testing.T) {
				t.Parallel()
				unsafe := strings.Contains(firstLine(t, f), " UNSAFE")
				p, err := cfront.Load(context.Background(), []command.Invocation{{File: f}}, cfront.Options{})
				if err != nil {
					t.Fatal(err)
				}
				found := func(res *interp.Result) bool {
					return kind == "race" && len(res.Races) > 0 || kind == "deadlock" && len(res.Waits) > 0
				}
				runs := 60
				if unsafe {
					runs = 400 // until it is found
				}
				opt := sample.Options{Races: kind == "race", Wakeups: kind == "deadlock", Handlers: true, MaxSteps: 20000, Runs: runs, Until: found}
				r, err := sample.Run(context.Background(), p.Program, opt)
				if err != nil {
					t.Fatal(err)
				}
				some := len(r.Races) > 0 || kind == "deadlock" && len(r.Deadlocks) > 0
				if some != unsafe {
					t.Errorf("found: %v; %v", some, r.Outcomes)
					for _, x := range r.Races {
						t.Logf("seed %d: %s+%d:\n%+v\n%+v", x.Seed, x.What.Object, x.What.Offset, x.What.First, x.What.Second)
					}
					for _, x := range r.Deadlocks {
						t.Logf("seed %d: %+v", x.Seed, x.What)
					}
				}
			})
		}
	}
}

// firstLine returns a file's first line.
func firstLine(t *testing.T, file string) string {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Scan()
	return s.Text()
}
