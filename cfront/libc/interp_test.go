package libc_test

import (
	"context"
	"math/rand"
	"path/filepath"
	"strings"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir"
	"comus/cir/interp"
)

// outcomes interprets a program by random schedules with random choices and returns what came out.
func outcomes(t *testing.T, p *cfront.Program, n int) map[string]string {
	t.Helper()
	list := map[string]string{}
	for seed := range n {
		r := rand.New(rand.NewSource(int64(seed)))
		res, err := interp.Run(context.Background(), p.Program, interp.Options{
			Scheduler: interp.NewRandom(uint64(seed), 20), MaxSteps: 1 << 20,
			Nondet: func(string, cir.Type) (lo, hi uint64) {
				if seed%2 == 0 || r.Intn(3) > 0 {
					return 0, 0
				}
				return uint64(r.Intn(20)), 0
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		list[res.Outcome.String()] = res.String()
	}
	return list
}

// TestInterpreted runs programs with the models in the interpreter. Those that say nothing else
// never fail an assertion.
func TestInterpreted(t *testing.T) {
	files, _ := filepath.Glob("testdata/programs/*.c")
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			p, err := cfront.Load(context.Background(), []command.Invocation{{File: f}}, cfront.Options{})
			if err != nil {
				t.Fatal(err)
			}
			got := outcomes(t, p, 40)
			allowed := "exited, assumption does not hold"
			switch filepath.Base(f) {
			case "wrong.c":
				allowed += ", assertion fails"
				if got["assertion fails"] == "" {
					t.Log("no execution fails: the interpreter goes on with the thread that creates another one")
				}
			case "twice.c":
				allowed = "undefined"
			}
			for what, how := range got {
				if !strings.Contains(allowed, what) {
					t.Error(how)
				}
			}
		})
	}
}
