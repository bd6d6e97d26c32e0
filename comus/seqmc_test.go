package comus_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"comus/comus"
	"comus/comus/engine"
	"comus/examples/gen"
	"comus/internal/csource"
	"comus/internal/genprog"
	"comus/seqmc"
	"comus/seqmc/cbmc"
	"comus/seqmc/external"
	"comus/seqmc/spacer"
)

// counting counts the answers of a tool.
type counting struct {
	external.Tool
	verdicts map[seqmc.Verdict]int
}

func (c *counting) Run(ctx context.Context, dir string) (external.Answer, error) {
	ans, err := c.Tool.Run(ctx, dir)
	c.verdicts[ans.Verdict]++
	return ans, err
}

// TestCBMC decides programs whose loops comus unrolls with CBMC as the sequential model
// checker. The verdict of the first check is CBMC's.
func TestCBMC(t *testing.T) {
	if _, err := exec.LookPath("cbmc"); err != nil {
		t.Skip("cbmc is not installed: shared/tools/get-cbmc.sh installs it")
	}
	type program struct {
		name, text string
		want       seqmc.Verdict
	}
	var programs []program
	for _, name := range []string{"counter_lock", "counter_race", "sum_matrix2", "sum_matrix2_broken", "sum_matrix3", "sum_matrix3_broken"} {
		text, err := os.ReadFile(filepath.Join("..", "examples", name+".c"))
		if err != nil {
			t.Fatal(err)
		}
		want := seqmc.Safe
		if strings.HasPrefix(string(text), "// expect: UNSAFE") {
			want = seqmc.Unsafe
		}
		programs = append(programs, program{name, string(text), want})
	}
	for _, kind := range []string{"mat", "fib"} {
		for _, o := range []gen.Options{{Threads: 2}, {Threads: 3}, {Threads: 2, Unsafe: true}, {Threads: 3, Unsafe: true}} {
			want, name := seqmc.Safe, kind+string(rune('0'+o.Threads))
			if o.Unsafe {
				want, name = seqmc.Unsafe, name+"-unsafe"
			}
			programs = append(programs, program{name, string(genprog.Source(t, kind, o)), want})
		}
	}
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			res, err := csource.Parse(p.name+".c", []byte(p.text), csource.Options{})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			tool := &counting{&cbmc.Tool{}, map[seqmc.Verdict]int{}}
			start := time.Now()
			r, err := comus.VerifyProgram(ctx, res.Program, comus.Options{Options: engine.Options{Checker: &external.Checker{Tool: tool, Evidence: &spacer.Checker{Ranges: true}}}, Strategy: "modular", NoSimulate: true})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%v, CBMC: %v, %v", r.Verdict, tool.verdicts, time.Since(start))
			if r.Verdict != p.want {
				t.Errorf("%v (%s), want %v", r.Verdict, r.Reason, p.want)
			}
			if tool.verdicts[p.want] == 0 {
				t.Errorf("CBMC never said %v: %v", p.want, tool.verdicts)
			}
		})
	}
}
