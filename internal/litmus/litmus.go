// Package litmus reads the litmus programs of shared/tasks/weak for tests: small programs whose verdicts under each memory model a judge of its own has computed from the models' axioms.
package litmus

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir"
	"comus/ir"
	"comus/memory"
	"comus/scan/pointsto"
	"comus/specialise"
)

// TakenApart returns the program of a C source with its memory orders, and its instructions by the numbers that its commands name.
func TakenApart(t testing.TB, file string, m memory.Model) (*ir.Program, map[int]cir.Located) {
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

// Models are those that have a verdict of each program, in the order of the index.
var Models = []memory.Model{memory.SC, memory.TSO, memory.PSO, memory.RC11}

// Each calls a function for each model and each program that has its turn, with the verdict. The test is skipped where the programs are not there. They are in
// tasks, seen from the folder of the test, or where COMUS_WEAK says.
func Each(t *testing.T, tasks string, turn func(i int) bool, f func(file string, m memory.Model, verdict string)) {
	t.Helper()
	dir := filepath.Join(tasks, "weak")
	if d := os.Getenv("COMUS_WEAK"); d != "" {
		dir = d
	}
	index, err := os.ReadFile(filepath.Join(dir, "INDEX.tsv"))
	if err != nil {
		t.Skip("no tasks")
	}
	n := 0
	for line := range strings.Lines(string(index)) {
		if n++; !turn(n) {
			continue
		}
		col := strings.Split(strings.TrimSpace(line), "\t")
		for i, m := range Models {
			f(filepath.Join(dir, col[0]), m, col[1+i])
		}
	}
}
