package comus

import (
	"context"
	"testing"

	"comus/comus/engine"
	"comus/examples/gen"
	"comus/internal/csource"
	"comus/internal/long"
	"comus/seqmc"
)

// TestConcretize: where the first abstract counterexample is real, or another path of
// the main thread within its loops, one sequential check is enough; step by step the
// verdict is the same and takes more. Where there is no violation, no search for one
// is made twice. Bounds of sums are left out: with them the safe one has no
// counterexample.
func TestConcretize(t *testing.T) {
	made := func(kind string, o gen.Options) string {
		t.Helper()
		text, err := gen.Generate(kind, o)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	for _, test := range []struct {
		name, src string
		want      seqmc.Verdict
	}{
		{"race", race, seqmc.Unsafe},
		{"mat", made("mat", gen.Options{Threads: 3, Unsafe: true}), seqmc.Unsafe},
		{"an endless pipeline", made("pipe", gen.Options{Threads: 3, Unsafe: true}), seqmc.Unsafe},
		{"safe after all", made("fib", gen.Options{Threads: 2, Ring: true}), seqmc.Safe},
	} {
		t.Run(test.name, func(t *testing.T) {
			long.OneOf(t, 4)
			var checks [2]int
			for i, off := range []bool{false, true} {
				src, err := csource.Parse("p.c", []byte(test.src), csource.Options{})
				if err != nil {
					t.Fatal(err)
				}
				r, err := VerifyProgram(context.Background(), src.Program, Options{Options: engine.Options{NoConcretize: off, NoRelational: true}, NoSimulate: true})
				if err != nil || r.Verdict != test.want {
					t.Fatalf("concretization off %v: %v %s %v", off, r.Verdict, r.Reason, err)
				}
				checks[i] = r.Stats.Checks
				if off != (r.Stats.Concretized == 0) {
					t.Errorf("concretization off %v: %d attempts", off, r.Stats.Concretized)
				}
			}
			if test.want == seqmc.Unsafe && (checks[0] != 1 || checks[1] < 2) {
				t.Errorf("%d sequential checks, %d step by step", checks[0], checks[1])
			}
		})
	}
}
