package check_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"comus/check"
	"comus/internal/csource"
	"comus/internal/long"
	"comus/internal/randprog"
	"comus/ir"
	"comus/ir/explore"
	"comus/ir/passes"
	"comus/logic"
)

// TestStates compares the search of the check with the explorer, on random programs: both
// decide the same of the programs that both can decide.
func TestStates(t *testing.T) {
	safe, unsafe := 0, 0
	for seed := range uint64(long.N(250, 40)) {
		file := filepath.Join(t.TempDir(), "p.c")
		if err := os.WriteFile(file, []byte(randprog.Generate(seed+70_000, randprog.Options{Features: randprog.Feature(seed * 2654435761 >> 7)})), 0o644); err != nil {
			t.Fatal(err)
		}
		res, err := csource.ParseFile(file, csource.Options{})
		if err != nil {
			continue // some combinations of features are refused
		}
		res.Program.Renumber()
		r, err := passes.Run(res.Program, passes.Default())
		if err != nil {
			t.Fatal(err)
		}
		r.Program.Renumber()
		oracle, err := explore.Explore(t.Context(), r.Program, explore.Options{MaxStates: 5_000})
		if err != nil || oracle.Verdict == explore.Unknown {
			continue
		}
		err = check.States(t.Context(), r.Program)
		switch {
		case err == nil && oracle.Verdict == explore.Unsafe:
			t.Fatalf("seed %d: an unsafe program was proved safe", seed)
		case err != nil && oracle.Verdict == explore.Safe:
			t.Errorf("seed %d: a safe program was not proved: %v", seed, err)
		case err == nil:
			safe++
		case strings.Contains(err.Error(), "gets to the error"):
			unsafe++
		default:
			t.Errorf("seed %d: %v", seed, err)
		}
	}
	t.Logf("%d safe, %d unsafe", safe, unsafe)
	if few := long.N(20, 2); safe < few || unsafe < few {
		t.Errorf("too few programs: %d safe, %d unsafe", safe, unsafe)
	}
}

// TestStatesLimits gives it programs that it cannot prove.
func TestStatesLimits(t *testing.T) {
	long.Only(t)
	for text, want := range map[string]string{
		`int __VERIFIER_nondet_int(void); int main(void) { int x = __VERIFIER_nondet_int(); assert(x != 7); return 0; }`: "depends on a value that is one of more than 256",
		`int main(void) { unsigned x = 0; while (1) { x++; assert(x < 3000000000u); } }`:                                 "more than 1000000 states",
		`int x; int main(void) { x = 1; assert(x == 2); return 0; }`:                                                     "gets to the error",
	} {
		res, err := csource.Parse("p.c", []byte("#include <assert.h>\n"+text), csource.Options{})
		if err != nil {
			t.Fatal(err)
		}
		res.Program.Renumber()
		if err := check.States(t.Context(), res.Program); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v instead of %q\n%s", err, want, text)
		}
	}
}

// TestStatesOpen leaves values open that nothing depends on.
func TestStatesOpen(t *testing.T) {
	const head = "#include <assert.h>\n#include <pthread.h>\nextern int __VERIFIER_nondet_int(void);\nint x, y, z; long w;\n" +
		"void *f(void *a) { y = x; z = 1; return 0; }\n"
	for _, tt := range []struct {
		text string
		want string // of the error; "" for a proof
	}{
		{`int main(void) { pthread_t p; x = __VERIFIER_nondet_int(); pthread_create(&p, 0, f, 0); w = x; x = 3; assert(z <= 1 && x == 3); return 0; }`, ""},
		{`int main(void) { pthread_t p; x = __VERIFIER_nondet_int(); pthread_create(&p, 0, f, 0); x = 3; int k = y; assert(k <= 3); return 0; }`, "depends on a value"},
		{`int main(void) { x = __VERIFIER_nondet_int(); y = x; x = 1; y = 2; assert(x + y == 3); return 0; }`, ""},
		{`int main(void) { x = __VERIFIER_nondet_int(); y = x + 1; x = 1; y = 2; assert(x + y == 3); return 0; }`, "depends on a value"},
		{`int main(void) { x = __VERIFIER_nondet_int(); unsigned char c = x; assert(c < 256); return 0; }`, "depends on a value"},
		{`int main(void) { x = __VERIFIER_nondet_int(); if (x) y = 1; assert(y == 0); return 0; }`, "depends on a value"},
		{`int main(void) { int *p = &x; if (z) p = &y; *p = __VERIFIER_nondet_int(); x = y = 0; assert(x + y == 0); return 0; }`, ""},
	} {
		res, err := csource.Parse("p.c", []byte(head+tt.text), csource.Options{})
		if err != nil {
			t.Fatal(err)
		}
		res.Program.Renumber()
		err = check.States(t.Context(), res.Program)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v instead of %q\n%s", err, tt.want, tt.text)
		}
	}
}

// TestStatesWithinStep gives it a step that assigns a variable, and then asks about that and about a value that is open: what is asked first may
// exclude the step.
func TestStatesWithinStep(t *testing.T) {
	for first, want := range map[int64]string{4: "depends on a value", 5: ""} {
		p := ir.NewProgram("p.c")
		x, y, open := p.NewVar("x", ir.Type{Bits: 32}, ir.Shared), p.NewVar("y", ir.Type{Bits: 32}, ir.Shared), p.NewVar("open", ir.Type{Bits: 32}, ir.Shared)
		three := logic.IntValue(3)
		x.Init, y.Init, open.Init = &three, &logic.Value{}, &logic.Value{}
		main := p.NewThread("main")
		bad := main.NewLoc(ir.Pos{})
		bad.Error = true
		main.NewEdge(main.Entry, bad, ir.Pos{}, "", ir.AssignCmd(y, p.L.Add(x.Sym, p.L.Int(1))), ir.HavocCmd(open, ""),
			ir.AssumeCmd(p.L.Eq(y.Sym, p.L.Int(first))), ir.AssumeCmd(p.L.Eq(open.Sym, p.L.Int(7))))
		p.Renumber()
		if err := check.States(t.Context(), p); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("y == %d: %v instead of %q", first, err, want)
		}
	}
}
