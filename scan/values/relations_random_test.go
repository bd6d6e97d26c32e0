package values_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir/interp/sample"
	"comus/internal/randrel"
	"comus/scan/pointsto"
	"comus/scan/values"
)

// TestRandomRelations analyses random programs, and runs them with the assertions that are proved only: none fails. More: COMUS_SCAN=2000, from
// COMUS_SEED.
func TestRandomRelations(t *testing.T) {
	count, first := 20, uint64(1)
	if n, err := strconv.Atoi(os.Getenv("COMUS_SCAN")); err == nil {
		count = n
	}
	if n, err := strconv.ParseUint(os.Getenv("COMUS_SEED"), 10, 64); err == nil {
		first = n
	}
	proved, all := 0, 0
	for i := range uint64(count) {
		n, k, err := proveAndRun(t.Context(), first+i)
		if err != nil {
			t.Errorf("seed %d: %v", first+i, err)
		}
		proved, all = proved+n, all+k
	}
	t.Logf("%d of %d assertions are proved", proved, all)
	if proved < all/50 {
		t.Error("too few assertions are proved for a test")
	}
}

// proveAndRun returns how many assertions of a program are proved, and how many there are. The error is that one of the former fails.
func proveAndRun(ctx context.Context, seed uint64) (proved, all int, err error) {
	load := func(text string) (*cfront.Program, error) {
		return cfront.LoadText(ctx, command.Invocation{File: "r.c"}, []byte(text), cfront.Options{NoHost: true})
	}
	p, err := load(randrel.Program(seed, func(string) bool { return true }))
	if err != nil {
		return 0, 0, err
	}
	pts, err := pointsto.Analyse(ctx, p.Program)
	if err != nil {
		return 0, 0, err
	}
	r, err := values.Analyse(ctx, p.Program, pts, values.Options{Everywhere: seed%2 == 0})
	if err != nil {
		return 0, 0, err
	}
	open := map[string]bool{}
	for _, x := range r.Assertions() {
		if all++; x.Proved {
			proved++
		} else {
			open[fmt.Sprintf("check%d", x.Site.Pos.Line-1000)] = true
		}
	}
	if proved == 0 {
		return 0, all, nil
	}
	text := randrel.Program(seed, func(name string) bool { return !open[name] })
	if p, err = load(text); err != nil {
		return 0, 0, err
	}
	runs, err := sample.Run(ctx, p.Program, sample.Options{Runs: 60, MaxSteps: 1 << 14})
	if err != nil {
		return 0, 0, err
	}
	for _, f := range runs.Failures {
		if strings.Contains(f.What, "assert") {
			return 0, 0, fmt.Errorf("proved, but it fails with seed %d: %s in\n%s", f.Seed, f.What, text)
		}
	}
	return proved, all, nil
}
