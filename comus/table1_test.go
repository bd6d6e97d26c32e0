package comus_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/cfront"
	"comus/comus"
	"comus/internal/long"
	"comus/seqmc"
	"comus/specialise"
)

// tasks are programs that do not belong to the repository: tests use those they find.
func tasks(t *testing.T) string {
	t.Helper()
	for _, dir := range []string{os.Getenv("COMUS_TASKS"), "../../shared/tasks/svcomp", "/work/shared/tasks/svcomp"} {
		if st, err := os.Stat(dir); dir != "" && err == nil && st.IsDir() {
			return dir
		}
	}
	t.Skip("no shared/tasks/svcomp beside the repository, and none in COMUS_TASKS")
	return ""
}

// lazyBounds decides a program with the strategy lazy and returns the rounds and
// iterations within which it found the violation; it fails the test if it found none.
func lazyBounds(t *testing.T, file string, source cfront.Options) (rounds, iterations int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var log bytes.Buffer
	r, err := comus.Verify(ctx, file, comus.Options{Strategy: "lazy", Source: source,
		Log: hclog.New(&hclog.LoggerOptions{Level: hclog.Info, Output: &log})})
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != seqmc.Unsafe {
		t.Fatalf("%s: %v (%s)\n%s", file, r.Verdict, r.Reason, log.String())
	}
	rounds = strings.Count(log.String(), "no violation: rounds=") + 1
	return rounds, (rounds + 1) / 2
}

// TestTable1 finds the bugs of Table 1 of the Lazy-CSeq paper that are in the shared tasks,
// within the bounds of the paper.
func TestTable1(t *testing.T) {
	dir := tasks(t)
	for i, tt := range []struct {
		file          string
		unwind, limit int // the paper's
	}{
		{"pthread/lazy01", 1, 1},                   // 61_lazy01
		{"pthread/fib_bench-2", 5, 5},              // 53_fib_bench
		{"pthread-atomic/qrcu-2", 1, 2},            // 63_qrcu
		{"pthread-atomic/read_write_lock-2", 1, 2}, // 67_read_write_lock
		{"pthread/reorder_2", 2, 1},                // 69_reorder.2
		{"pthread/stateful01-1", 1, 1},             // 77_stateful01
	} {
		if !long.Turn(i, 2) {
			continue
		}
		t.Run(filepath.Base(tt.file), func(t *testing.T) {
			rounds, iterations := lazyBounds(t, filepath.Join(dir, tt.file+".c"), cfront.Options{DataModel: cfront.ILP32})
			if rounds > tt.limit || iterations > tt.unwind {
				t.Errorf("found with %d rounds and %d iterations, the paper needs %d and %d", rounds, iterations, tt.limit, tt.unwind)
			}
		})
	}
}

// TestLostUpdate finds the lost update of two x++ with 2 rounds; where statements are
// atomic, as in the paper, there is none.
func TestLostUpdate(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lost.c")
	text := `#include <assert.h>
#include <pthread.h>
int x;
void *add(void *a) { x++; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
}
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if rounds, _ := lazyBounds(t, file, cfront.Options{}); rounds != 2 {
		t.Errorf("found with %d rounds", rounds)
	}
	r, err := comus.Verify(t.Context(), file, comus.Options{Strategy: "lazy", Question: specialise.Options{AtomicStatements: true}})
	if err != nil || r.Verdict != seqmc.Safe {
		t.Errorf("with atomic statements: %v, %v", r, err)
	}
}
