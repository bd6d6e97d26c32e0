package bench

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// boolSample are runs with times that grow like the number of threads, and of which one
// is not solved.
func boolSample() (runs []BoolRun) {
	for _, s := range allBoolSeries() {
		for _, r := range s.runs() {
			r.Solved = r.Threads < 24
			r.Seconds, r.Nodes = float64(r.Threads)*math.Pow(2, float64(r.Contexts))/10, r.Threads*r.Threads
			runs = append(runs, r)
		}
	}
	return runs
}

// TestBoolOutput writes the CSV, the tables and the plots.
func TestBoolOutput(t *testing.T) {
	runs := boolSample()
	var csv, tables strings.Builder
	if err := BoolCSV(&csv, runs); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"lazy,4,3,5,3.200,16\n", "eager,24,2,5,,\n", "sequential,3,6,5,19.200,9\n"} {
		if !strings.Contains(csv.String(), line) {
			t.Errorf("no line %q in\n%s", line, csv.String())
		}
	}
	BoolMarkdown(&tables, runs)
	for _, line := range []string{"| lazy | 2 | 5 | 0.80 | 1.20 | 1.60 | 2.40 | 3.20 | 4.00 | 4.80 | 6.40 | 8.00 |  | 1.0 | 2.0 |\n", "| sequential | 0.60 | 1.20 |"} {
		if !strings.Contains(tables.String(), line) {
			t.Errorf("no line %q in\n%s", line, tables.String())
		}
	}
	for _, threads := range []bool{true, false} {
		var svg strings.Builder
		if err := BoolPlot(&svg, runs, threads); err != nil || !strings.Contains(svg.String(), "eager") {
			t.Errorf("threads %t: %v, %d bytes", threads, err, svg.Len())
		}
	}
}

// TestBoolMeasure runs a command in the place of comus: what it prints is taken, an error
// is not.
func TestBoolMeasure(t *testing.T) {
	tests := []struct {
		name, script   string
		solved, failed bool
	}{
		{"solved", `echo '{"reason": "no error within 2 contexts of each thread", "bdd_nodes": 7}'; exit 20`, true, false},
		{"wrong", `echo '{"verdict": "UNSAFE", "reason": "", "bdd_nodes": 7}'; exit 10`, false, true},
		{"failing", `exit 70`, false, true},
		{"slow", `sleep 60`, false, false},
	}
	for _, test := range tests {
		o := BoolOptions{Comus: Program{Path: tool(t, test.script), Name: "comus"}, Dir: filepath.Join(t.TempDir(), "out"), Timeout: 2 * time.Second}
		r := BoolRun{Method: "lazy", Contexts: 2, Threads: 2, Bits: 2}
		err := r.measure(context.Background(), o)
		if r.Solved != test.solved || (err != nil) != test.failed || r.Solved && r.Nodes != 7 {
			t.Errorf("%s: %+v, %v", test.name, r, err)
		}
	}
}

// tool returns an executable file that runs a script.
func tool(t *testing.T, script string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "tool")
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return file
}
