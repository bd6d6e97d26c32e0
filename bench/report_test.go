package bench

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

// sample returns a report as a measurement of fig5 may give it.
func sample() *Report {
	rep := &Report{Suite: "fig5", Timeout: 900, Memory: 4 << 30, Repeat: 3, Jobs: 2, System: "linux/amd64", CPUs: 2,
		Configs: []ConfigName{{"modular", "modular", false}, {"cbmc", "cmd:cbmc {file}", true}}}
	add := func(class string, threads int, column, config, verdict string, seconds float64, checks int) {
		expect := strings.ToUpper(column)
		r := &Row{Task: placed{Instance{Kind: class, Threads: threads, Unsafe: expect == VerdictUnsafe}, column, ""}.name(),
			Class: class, Threads: threads, Column: column, Config: config, Expect: expect, Runs: 3, Verdict: verdict,
			Wrong: wrong(verdict, expect), Seconds: seconds, MemoryBytes: 50 << 20,
			Paper: published("fig5", class, threads, column)}
		if config == "modular" && decided(verdict) {
			r.Counts = &Counts{SequentialChecks: checks, Iterations: 1, SolverCalls: 10 * checks}
			r.Components = Seconds{"sequential_checks": seconds / 2, "reading": 0.01, "checking": seconds / 4}
		}
		if verdict == "" {
			r.Runs, r.Seconds, r.MemoryBytes = 0, 0, 0
		}
		if verdict == VerdictUnknown {
			r.Reason = "said \"no\", twice"
		}
		if verdict == VerdictError {
			r.Reason = "broken (exit code 70)"
		}
		rep.Rows = append(rep.Rows, r)
	}
	for i, k := range []int{2, 3, 4} {
		n := float64(k)
		add("mat", k, "safe", "modular", VerdictSafe, 0.1*n*n, 1)
		add("mat", k, "safe", "cbmc", []string{VerdictSafe, VerdictSafe, VerdictTimeout}[i], 0.2*n*n, 0)
		add("mat", k, "unsafe", "modular", VerdictUnsafe, 0.1*n*n*n, 6)
		add("mat", k, "unsafe", "cbmc", []string{VerdictUnsafe, VerdictSafe, VerdictMemory}[i], 0.1*n*n, 0)
	}
	add("pas", 5, "safe", "modular", VerdictSafe, 2, 1)
	add("pas", 5, "safe", "cbmc", VerdictUnknown, 1, 0)
	add("pas", 5, "unsafe", "modular", VerdictError, 2, 0)
	add("pas", 5, "unsafe", "cbmc", "", 0, 0)
	return rep
}

// golden compares a text with a file of testdata.
func golden(t *testing.T, name string, write func(io.Writer) error) {
	t.Helper()
	var got bytes.Buffer
	if err := write(&got); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("testdata", name)
	if *update {
		writeFile(t, file, got.String())
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("%s (go test -update writes it anew): got\n%s", file, got.String())
	}
}

// TestGolden compares tables with those of testdata.
func TestGolden(t *testing.T) {
	rep := sample()
	golden(t, "fig5.md", rep.Markdown)
	golden(t, "fig5.csv", rep.CSV)
	golden(t, "many.md", many(rep).Markdown)
	for _, r := range rep.Rows { // as a folder
		r.Class, r.Threads, r.Paper = "", 0, nil
	}
	rep.Suite, rep.Repeat, rep.Jobs, rep.Timeout, rep.Memory = "folder", 1, 1, 0, 0
	golden(t, "folder.md", rep.Markdown)
	golden(t, "folder.csv", rep.CSV)
}

// many returns a report with the rows of another one for five configurations, each
// twice as slow as the one before.
func many(rep *Report) *Report {
	out := *rep
	out.Configs, out.Rows = nil, nil
	for i := range 5 {
		out.Configs = append(out.Configs, ConfigName{Name: fmt.Sprint("c", i), Text: "modular"})
	}
	for _, r := range rep.of("modular") {
		for i, c := range out.Configs {
			row := *r
			row.Config, row.Seconds = c.Name, r.Seconds*math.Pow(2, float64(i))
			if i == 4 && row.Threads == 4 {
				row.Verdict, row.Counts = VerdictTimeout, nil
			}
			out.Rows = append(out.Rows, &row)
		}
	}
	return &out
}

// TestFit fits to slow rows if there are enough of them, to all otherwise.
func TestFit(t *testing.T) {
	for _, c := range []struct {
		seconds  []float64 // of 2, 4, 8, … threads
		fitted   int
		exponent float64
	}{
		{[]float64{0.04, 0.05, 0.1, 0.2}, 3, 1},
		{[]float64{0.04, 0.04, 0.04, 0.1}, 4, 0.39656},
		{[]float64{0.03, 0.03, 0.03}, 3, 0},
		{[]float64{0.1, 0.2}, 0, 0},
	} {
		g := &growth{}
		for i, s := range c.seconds {
			g.rows = append(g.rows, &Row{Threads: 2 << i, Seconds: s})
		}
		g.fit()
		if g.fitted != c.fitted || math.Abs(g.exponent-c.exponent) > 1e-4 {
			t.Errorf("%v: exponent %v of %d rows, want %v of %d", c.seconds, g.exponent, g.fitted, c.exponent, c.fitted)
		}
	}
}

// TestJSON reads a report back.
func TestJSON(t *testing.T) {
	var text bytes.Buffer
	if err := sample().JSON(&text); err != nil {
		t.Fatal(err)
	}
	var back Report
	if err := json.Unmarshal(text.Bytes(), &back); err != nil || len(back.Rows) != len(sample().Rows) || *back.Rows[0].Paper != *sample().Rows[0].Paper {
		t.Errorf("%v: %s", err, text.String())
	}
}

// TestMedian takes medians of runs.
func TestMedian(t *testing.T) {
	run := func(verdict string, seconds float64, checks int) *Result {
		r := &Result{Verdict: verdict, Seconds: seconds, MemoryBytes: int64(seconds)}
		if decided(verdict) {
			r.Counts = &Counts{SequentialChecks: checks}
		}
		return r
	}
	for _, c := range []struct {
		name    string
		runs    []*Result
		verdict string
		wrong   bool
		seconds float64
		checks  int
	}{
		{"none", nil, "", false, 0, -1},
		{"one", []*Result{run("SAFE", 2, 5)}, "SAFE", false, 2, 5},
		{"two", []*Result{run("SAFE", 2, 5), run("SAFE", 4, 6)}, "SAFE", false, 3, 6},
		{"three", []*Result{run("SAFE", 9, 5), run("SAFE", 4, 7), run("SAFE", 1, 9)}, "SAFE", false, 4, 7},
		{"a timeout", []*Result{run("TIMEOUT", 10, 0), run("SAFE", 4, 7), run("SAFE", 1, 9)}, "SAFE", false, 4, 9},
		{"timeouts", []*Result{run("TIMEOUT", 10, 0), run("SAFE", 4, 7), run("TIMEOUT", 10, 9)}, "TIMEOUT", false, 10, 7},
		{"a wrong one", []*Result{run("SAFE", 1, 1), run("SAFE", 1, 1), run("UNSAFE", 5, 1)}, "UNSAFE", true, 1, 1},
	} {
		r := &Row{Expect: "SAFE"}
		r.fill(c.runs)
		checks := -1
		if r.Counts != nil {
			checks = r.Counts.SequentialChecks
		}
		if r.Runs != len(c.runs) || r.Verdict != c.verdict || r.Wrong != c.wrong || r.Seconds != c.seconds || checks != c.checks {
			t.Errorf("%s: %+v, %d checks", c.name, r, checks)
		}
	}
}

// TestGrowth fits powers.
func TestGrowth(t *testing.T) {
	list := sample().growths("modular")
	if len(list) != 2 || list[0].class != "mat" || list[0].column != "safe" {
		t.Fatalf("growths %+v", list)
	}
	for i, want := range []float64{2, 3} {
		if g := list[i]; g.fitted != 3 || math.Abs(g.exponent-want) > 1e-9 || math.Abs(g.factor-0.1) > 1e-9 {
			t.Errorf("%s: exponent %v, factor %v", g.column, g.exponent, g.factor)
		}
	}
	for _, g := range sample().growths("cbmc") {
		if g.fitted > 0 {
			t.Errorf("fitted to %d points", len(g.rows))
		}
	}
}

// TestPlots draws, and reads the SVG as XML.
func TestPlots(t *testing.T) {
	rep := sample()
	dir := t.TempDir()
	files, err := rep.Write(dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"fig5-quantile.svg":        "modular (7)|cbmc (3)|CoMuS, as published (7)|seconds|tasks solved",
		"fig5-scaling-modular.svg": "mat safe, threads^2.0|mat unsafe, threads^3.0|threads|seconds",
		"fig5-scaling-cbmc.svg":    "mat safe",
	} {
		text := svgText(t, filepath.Join(dir, name))
		for _, w := range strings.Split(want, "|") {
			if !slices.Contains(text, w) {
				t.Errorf("%s lacks %q: %q", name, w, text)
			}
		}
	}
	if len(files) != 6 {
		t.Errorf("files %v", files)
	}
	for _, r := range rep.Rows { // nothing is solved any more
		r.Verdict, r.Paper = VerdictTimeout, nil
	}
	if files, err = rep.Write(dir); err != nil || len(files) != 3 {
		t.Errorf("files %v, error %v", files, err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.svg")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	// One task only, solved at once.
	rep.Rows = rep.Rows[:1]
	rep.Rows[0].Verdict, rep.Rows[0].Seconds = VerdictSafe, 0
	if some, err := rep.QuantilePlot(io.Discard); !some || err != nil {
		t.Errorf("one task: %v, %v", some, err)
	}
}

// svgText returns the texts of an SVG file.
func svgText(t *testing.T, file string) []string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []string
	in := xml.NewDecoder(f)
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if s, ok := token.(xml.CharData); ok {
			list = append(list, strings.TrimSpace(string(s)))
		}
	}
}
