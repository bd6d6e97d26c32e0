package randc

import (
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// env returns a number from the environment, to test more than usual.
func env(name string, otherwise int) int {
	if n, err := strconv.ParseInt(os.Getenv(name), 0, 64); err == nil {
		return int(n)
	}
	return otherwise
}

// sanitized are the flags of a compiler that finds undefined behaviour.
var sanitized = []string{"-O0", "-fsanitize=undefined,address,float-cast-overflow", "-fno-sanitize-recover=all"}

// check compares what gcc makes of a program in several ways. It returns what is
// wrong, or "".
func check(j *Judge, src string) string {
	const limit = 20 * time.Second
	first, err := j.Result(src, "", limit, "-O0")
	if err != nil {
		return err.Error()
	}
	if first.Signal != 0 || first.TimedOut || first.Stderr != "" {
		return "-O0: " + first.String() + first.Stderr
	}
	for _, flags := range [][]string{{"-O2"}, sanitized} {
		r, err := j.Result(src, "", limit, flags...)
		if err != nil {
			return err.Error()
		}
		if !r.Same(first) || r.Stderr != "" {
			return strings.Join(flags, " ") + ": " + r.String() + r.Stderr + "\n-O0: " + first.String()
		}
	}
	return ""
}

// TestWithoutUndefinedBehaviour compares programs compiled with and without
// optimisation, and with sanitizers, which find nothing. RANDC_N programs from the
// seed RANDC_FIRST on have the features RANDC_FEATURES.
func TestWithoutUndefinedBehaviour(t *testing.T) {
	n, first, features := env("RANDC_N", 150), env("RANDC_FIRST", 0), Features(env("RANDC_FEATURES", int(All)))
	if testing.Short() {
		n = min(n, 20)
	}
	j := NewJudge(t)
	var mu sync.Mutex
	failed := 0
	InParallel(n, func(i int) {
		src := Program(uint64(first+i), features)
		wrong := check(j, src)
		mu.Lock()
		defer mu.Unlock()
		if wrong != "" {
			if failed++; failed < 10 {
				t.Errorf("seed %d: %s", first+i, wrong)
			}
			if dir := os.Getenv("RANDC_KEEP"); dir != "" {
				os.WriteFile(dir+"/"+strconv.Itoa(first+i)+".c", []byte(src+"/* "+wrong+" */\n"), 0o600)
			}
		}
	})
	if failed > 0 {
		t.Errorf("%d of %d programs differ", failed, n)
	}
}
