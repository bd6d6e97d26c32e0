package randc

import (
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// env returns a number from the environment, to test more than usual.
func env(name string, otherwise int) int {
	if n, err := strconv.ParseInt(os.Getenv(name), 0, 64); err == nil {
		return int(n)
	}
	return otherwise
}

// TestWithoutUndefinedBehaviour compares programs compiled with and without
// optimisation, and with sanitizers, which find nothing. RANDC_N programs from the
// seed RANDC_FIRST on have the features RANDC_FEATURES.
func TestWithoutUndefinedBehaviour(t *testing.T) {
	n, first, features := env("RANDC_N", 150), env("RANDC_FIRST", 0), Features(env("RANDC_FEATURES", int(All)))
	if testing.Short() {
		n = min(n, 20)
	}
	checkAll(t, n, func(i int) string {
		f := features
		if i%3 == 2 { // some of them
			f &= Features(rand.New(rand.NewPCG(uint64(first+i), 1)).Uint64())
		}
		return Program(uint64(first+i), f)
	})
}

// TestEveryChunk checks RANDC_EACH programs for each kind of statements.
func TestEveryChunk(t *testing.T) {
	n, first := env("RANDC_EACH", 0), env("RANDC_FIRST", 0)
	checkAll(t, n*len(chunks()), func(i int) string { return program(uint64(first+i), All, i%len(chunks())) })
}

// checkAll checks n programs. It keeps those that fail in the folder RANDC_KEEP.
func checkAll(t *testing.T, n int, program func(i int) string) {
	j := NewJudge(t)
	var mu sync.Mutex
	failed := 0
	InParallel(n, func(i int) {
		src := program(i)
		_, wrong := j.Defined(src)
		mu.Lock()
		defer mu.Unlock()
		if wrong != nil {
			line, _, _ := strings.Cut(src, "\n")
			if failed++; failed < 10 {
				t.Errorf("%s: %v", line, wrong)
			}
			if dir := os.Getenv("RANDC_KEEP"); dir != "" {
				os.WriteFile(dir+"/"+strconv.Itoa(i)+".c", []byte(src+"/* "+wrong.Error()+" */\n"), 0o600)
			}
		}
	})
	if failed > 0 {
		t.Errorf("%d of %d programs differ", failed, n)
	}
}
