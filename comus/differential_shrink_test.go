package comus_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"comus/internal/shrink"
	"comus/ir"
	"comus/ir/explore"
	"comus/seqmc"
)

// Shrinking takes many verifications: not more than shrinkMost programs of one run
// are made small, for shrinkTime each.
const (
	shrinkMost = 5
	shrinkTime = 3 * time.Minute
)

// stored is where the small programs go. TestStoredPrograms verifies them.
const stored = "testdata/fuzz"

// report fails the test because of a program that c gives a wrong verdict, or none but
// an error. The program is made small and stored.
func report(t *testing.T, seed uint64, src string, c configuration, sum *tally) {
	n := sum.failed()
	says, _ := failure(src, c)
	if n > shrinkMost {
		t.Errorf("seed %d, %s: %s\n%s", seed, c.name, says, src)
		return
	}
	small, says := shrinkFailure(src, c)
	if says == "" {
		t.Errorf("seed %d, %s: a wrong verdict or an error, but not a second time\n%s", seed, c.name, src)
		return
	}
	name, err := store(stored, small, fmt.Sprintf("seed %d, features %d, configuration %q: %s", seed, features(seed), c.name, says))
	if err != nil {
		t.Errorf("seed %d: %v", seed, err)
	}
	t.Errorf("seed %d, %s: %s; stored as %s\n%s", seed, c.name, says, name, small)
}

// shrinkFailure returns a small program that c fails for in the same way as for src,
// and what it says. It is "" if c does not fail for src.
func shrinkFailure(src string, c configuration) (small, says string) {
	says, kind := failure(src, c)
	if kind == "" {
		return src, ""
	}
	end := time.Now().Add(shrinkTime)
	small = shrink.Shrink(src, func(s string) bool {
		if time.Now().After(end) {
			return false
		}
		_, k := failure(s, c)
		return k == kind
	})
	return small, says
}

// failure returns what is wrong about the verdict that c gives, and the kind of that
// failure; both are "" if nothing is. The kind of an error is its text up to the first
// colon.
func failure(src string, c configuration) (says, kind string) {
	want, err := exploreSource(src)
	if err != nil {
		return "", ""
	}
	got, err := verifySource(src, c)
	if err != nil {
		kind, _, _ = strings.Cut(err.Error(), ":")
		return err.Error(), "error " + kind
	}
	if !wrong(want, got.verdict) {
		return "", ""
	}
	says = fmt.Sprintf("%v instead of %v", got.verdict, want)
	return says, says
}

// store writes a program with the oracle's verdict into a folder, under the hash of
// its text, and returns the file's name.
func store(dir, src, comment string) (string, error) {
	want, err := exploreSource(src)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	name := filepath.Join(dir, fmt.Sprintf("%.6x.c", sha256.Sum256([]byte(src))))
	comment = strings.ReplaceAll(comment, "\n", " ")
	return name, os.WriteFile(name, fmt.Appendf(nil, "// expect: %v\n// %s\n%s", want, comment, src), 0o644)
}

var expects = regexp.MustCompile(`^// expect: (\w+)\n`)

// TestStoredPrograms verifies the programs that some configuration once failed for, in
// all of them.
func TestStoredPrograms(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(stored, "*.c"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			want, err := exploreSource(string(src))
			if err != nil {
				t.Fatal(err)
			}
			if m := expects.FindStringSubmatch(string(src)); m == nil || m[1] != want.String() {
				t.Errorf("the explorer says %v, the first line %q", want, m)
			}
			for _, c := range configurations {
				if says, _ := failure(string(src), c); says != "" {
					t.Errorf("%s: %s", c.name, says)
				}
			}
		})
	}
}

// TestShrinkFailure has a configuration that is wrong on purpose, and one that ends
// with an error.
func TestShrinkFailure(t *testing.T) {
	const src = `#include <pthread.h>
int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *arg) { pthread_mutex_lock(&m); y = 1; pthread_mutex_unlock(&m); x++; return 0; }
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, worker, 0);
    if (y) { x = x + 0; }
    pthread_join(t, 0);
    assert(x < 2 || y == 0);
    return 0;
}
`
	tests := []struct {
		name   string
		verify func(context.Context, *ir.Program) (outcome, error)
		says   string
		lines  int
	}{
		{"always safe", func(context.Context, *ir.Program) (outcome, error) { return outcome{verdict: seqmc.Safe}, nil }, "SAFE instead of UNSAFE", 4},
		{"error", func(context.Context, *ir.Program) (outcome, error) { return outcome{}, errors.New("broken: 1") }, "broken: 1", 2},
		{"panic", func(context.Context, *ir.Program) (outcome, error) { panic("oh") }, "panic: oh", 2},
		{"right", func(context.Context, *ir.Program) (outcome, error) { return outcome{verdict: seqmc.Unsafe}, nil }, "", 20},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			small, says := shrinkFailure(src, configuration{name: tt.name, verify: tt.verify})
			if n := strings.Count(small, "\n"); says != tt.says || n > tt.lines {
				t.Fatalf("%d lines, %q\n%s", n, says, small)
			}
			name, err := store(t.TempDir(), small, "a test")
			if err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			want, err := exploreSource(string(text))
			if m := expects.FindSubmatch(text); err != nil || m == nil || string(m[1]) != want.String() || want == explore.Unknown {
				t.Errorf("%v, %v\n%s", want, err, text)
			}
		})
	}
}
