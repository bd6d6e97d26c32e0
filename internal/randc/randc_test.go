package randc

import (
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"comus/internal/long"
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
	n, first, features := env("RANDC_N", 24), env("RANDC_FIRST", 0), Features(env("RANDC_FEATURES", int(All)))
	n = min(n, long.N(n, 4))
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

// BenchmarkGCC tells how many programs can be generated, compiled and run in a second.
func BenchmarkGCC(b *testing.B) {
	j := NewJudge(b)
	n := max(b.N, 20)
	start := time.Now()
	InParallel(n, func(i int) {
		if _, err := j.Result(Program(uint64(1<<20+i), All), "", definedLimit, "-O0"); err != nil {
			b.Error(err)
		}
	})
	b.ReportMetric(float64(n)/time.Since(start).Seconds(), "programs/s")
}

// BenchmarkProgram tells how long it takes to write a program, and how long that is.
func BenchmarkProgram(b *testing.B) {
	n := 0
	for i := range b.N {
		n += len(Program(uint64(i), All))
	}
	b.ReportMetric(float64(n)/float64(b.N), "bytes/program")
}

// TestDeterministic makes programs twice, and with fewer features.
func TestDeterministic(t *testing.T) {
	for i := range uint64(50) {
		if first := Program(i, All); first != Program(i, All) {
			t.Fatalf("seed %d gives two programs", i)
		}
	}
	for i, name := range featureNames {
		f := Named(name)
		if f != 1<<i || len(f.Names()) != 1 {
			t.Errorf("%s is feature %#x", name, f)
		}
	}
	// Nothing of a feature is in a program without it.
	for f, words := range map[Features][]string{Int128: {"__int128"}, Floats: {"float", "double"}, Jumps: {"setjmp"},
		Packed: {"packed", "pragma"}, Unions: {"union "}, Enums: {"enum "}, Aligned: {"_Alignas", "aligned"}} {
		keep := All &^ f
		if f&(Unions|Aligned|Packed|Enums) != 0 {
			keep = (Enums | Structs | Arrays | Int128 | Strings | BitFields | Unions | Aligned | Packed) &^ f
		}
		if f == Floats {
			keep &^= LongDoubles | Sizes | Varargs | ByValue | OldStyle | MayAlias | Math | Unions
		}
		for i := range uint64(40) {
			src := Program(i, keep)
			for _, w := range words {
				if strings.Contains(src, w) {
					t.Errorf("seed %d without %v has %q:\n%s", i, f.Names(), w, src)
					return
				}
			}
		}
	}
}
