package check_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"comus/cfront"
	"comus/cfront/command"
	"comus/check"
	"comus/cir"
	"comus/internal/long"
	"comus/ir"
	"comus/memory"
	"comus/scan/pointsto"
	"comus/specialise"
)

// withOrders returns the program of a C source with its memory orders.
func withOrders(t testing.TB, file string, m memory.Model) (*ir.Program, map[int]cir.Located) {
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

// TestAxiomsLitmus proves the programs of tasks/weak under the models that they are safe for, and no others, where they are there.
func TestAxiomsLitmus(t *testing.T) {
	dir := "../../shared/tasks/weak"
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
			p, instr := withOrders(t, filepath.Join(dir, col[0]), m)
			start := time.Now()
			_, err := check.Axioms(t.Context(), p, &check.Certificate{Bound: 2}, m, instr)
			if (err == nil) != (col[1+i] == "SAFE") {
				t.Errorf("%s under %s: %v, want %s; %v", col[0], m, err, col[1+i], time.Since(start))
			}
		}
	}
}
