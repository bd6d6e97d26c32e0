package robust_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/check/robust"
	"comus/cir"
	"comus/scan/pointsto"
	"comus/scan/thread"
)

// check returns the verdict of a program under each model.
func check(t testing.TB, file string) map[robust.Model]*robust.Verdict {
	t.Helper()
	p, err := cfront.Load(context.Background(), []command.Invocation{{File: file}}, cfront.Options{NoHost: true})
	if err != nil {
		t.Fatal(err)
	}
	pts, err := pointsto.AnalyseOpen(context.Background(), p.Program)
	if err != nil {
		t.Fatal(err)
	}
	threads, err := thread.Analyse(context.Background(), p.Program, pts)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	marked := map[int]bool{}
	for i, line := range strings.SplitAfter(string(text), "\n") {
		if strings.HasSuffix(line, anyMark) {
			marked[i+1] = true
		}
	}
	anyReads := func(in *cir.Load) bool { return in.Order == cir.Relaxed && marked[in.Site.Pos.Line] }
	found := map[robust.Model]*robust.Verdict{}
	for _, m := range []robust.Model{robust.C11, robust.TSO, robust.PSO} {
		found[m] = robust.Check(p.Program, pts, threads.View(), m, anyReads)
	}
	return found
}

// said is the first line of a program: under which models it is robust.
var said = regexp.MustCompile(`^// robust: (none|(?:c11|tso|pso)(?: (?:c11|tso|pso))*)\n`)

// TestPrograms checks small programs, which say in their first lines under which models they are robust.
func TestPrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/*.c")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m := said.FindSubmatch(text)
		if m == nil {
			t.Fatalf("%s: no first line", file)
		}
		want := strings.Fields(string(m[1]))
		for model, v := range check(t, file) {
			is := false
			for _, w := range want {
				is = is || w == model.String()
			}
			if v.Robust != is {
				t.Errorf("%s, %s: robust %t, %v", file, model, v.Robust, v.Why)
			}
			if v.Robust != (len(v.Why) == 0) {
				t.Errorf("%s, %s: robust %t, but %v", file, model, v.Robust, v.Why)
			}
		}
	}
}
