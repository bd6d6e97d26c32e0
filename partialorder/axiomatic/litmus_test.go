package axiomatic_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir"
	"comus/internal/long"
	"comus/ir"
	"comus/memory"
	"comus/partialorder/axiomatic"
	"comus/scan/pointsto"
	"comus/specialise"
)

// takenApart returns the program of a C source with its memory orders.
func takenApart(t testing.TB, file string, m memory.Model) (*ir.Program, map[int]cir.Located) {
	t.Helper()
	p, err := cfront.Load(context.Background(), []command.Invocation{{File: file}}, cfront.Options{NoHost: true})
	if err != nil {
		t.Fatal(err)
	}
	pts, err := pointsto.Analyse(context.Background(), p.Program)
	if err != nil {
		t.Fatal(err)
	}
	r, err := specialise.Specialise(context.Background(), p.Program, pts, specialise.Options{Orders: true, Memory: m})
	if err != nil {
		t.Fatal(err)
	}
	instr := map[int]cir.Located{}
	for in, n := range cir.Number(p.Program) {
		instr[n] = in
	}
	return r.Program, instr
}

// TestLitmus compares verdicts with those of the judge of tasks/weak, where that is there.
func TestLitmus(t *testing.T) {
	dir := "../../../shared/tasks/weak"
	if d := os.Getenv("COMUS_WEAK"); d != "" {
		dir = d
	}
	index, err := os.ReadFile(filepath.Join(dir, "INDEX.tsv"))
	if err != nil {
		t.Skip("no tasks")
	}
	n := 0
	for line := range strings.Lines(string(index)) {
		if n++; !long.Turn(n, 30) {
			continue
		}
		col := strings.Split(strings.TrimSpace(line), "\t")
		for i, m := range []memory.Model{memory.SC, memory.TSO, memory.PSO, memory.RC11} {
			start := time.Now()
			p, instr := takenApart(t, filepath.Join(dir, col[0]), m)
			apart := time.Since(start)
			got, err := axiomatic.Find(t.Context(), p, axiomatic.Options{Model: m, Unwind: 4, Instr: instr})
			verdict := "UNKNOWN"
			switch {
			case err != nil:
			case got.Execution != nil:
				verdict = "UNSAFE"
			case got.Complete:
				verdict = "SAFE"
			}
			if took := time.Since(start); verdict != col[1+i] {
				t.Errorf("%s under %s: %s (%v); want %s; %v, %v", col[0], m, verdict, err, col[1+i], apart, took)
			}
		}
	}
}
