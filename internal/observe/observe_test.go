package observe_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"comus/internal/observe"
	"comus/internal/randapp"
)

const head = "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n"

// TestSeen has programs, and what runs of each show.
func TestSeen(t *testing.T) {
	tests := []struct {
		name, text, property string
		noGcc                bool // its run does not always show it
	}{
		{"assert", "int main(int c, char **v) { assert(c > 1); return 0; }", "assert", false},
		{"race", "int x; void *f(void *p) { x++; return p; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x++; pthread_join(t, 0); return 0; }", "race", true},
		{"deadlock", "pthread_mutex_t m; int main(void) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); return 0; }", "deadlock", false},
		{"memory", "int main(void) { char *p = malloc(3); p[0] = 1; free(p); return p[0]; }", "memory", false},
		{"leak", "int main(void) { for (int i = 0; i < 9; i++) *(volatile char *)malloc(90) = 1; return 0; }", "leak", false},
		{"nothing", "int x; void *f(void *p) { x++; return p; } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return x - 1; }", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file := filepath.Join(dir, "i.c")
			if err := os.WriteFile(file, []byte(head+tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			byRuns, err := observe.Interpret(t.Context(), file, 12, 1)
			if err != nil {
				t.Fatal(err)
			}
			byGcc, err := observe.Gcc{Dir: dir, Runs: 1, Limit: 300 * time.Millisecond}.Run(t.Context(), head+tt.text)
			if err != nil {
				t.Fatal(err)
			}
			for _, seen := range []observe.Seen{byRuns, byGcc} {
				delete(seen, "end")
				if tt.property == "" && len(seen) > 0 || tt.property != "" && seen[tt.property] == "" && !tt.noGcc {
					t.Errorf("seen: %v", seen)
				}
			}
			if tt.property != "" && byRuns[tt.property] == "" {
				t.Errorf("the interpreter does not see it: %v", byRuns)
			}
		})
	}
}

// TestFaults compares verdicts with what is known.
func TestFaults(t *testing.T) {
	right, wrong := &randapp.Program{}, &randapp.Program{Bug: "no lock", Violates: "race"}
	tests := []struct {
		name string
		p    *randapp.Program
		v    map[string]string
		exit string
		seen observe.Seen
		want []string
	}{
		{"all is well", right, map[string]string{"assert": "SAFE", "race": "UNKNOWN"}, "", nil, nil},
		{"a run denies it", wrong, map[string]string{"assert": "SAFE"}, "", observe.Seen{"assert": "seen"}, []string{"assert SAFE"}},
		{"the bug is not seen", wrong, map[string]string{"race": "SAFE"}, "", nil, []string{"race SAFE?"}},
		{"there is no bug", right, map[string]string{"race": "UNSAFE"}, "", nil, []string{"race UNSAFE"}},
		{"there is the bug", wrong, map[string]string{"race": "UNSAFE"}, "", nil, nil},
		{"it may be", wrong, map[string]string{"assert": "UNSAFE"}, "", nil, nil},
		{"it is not replayed", wrong, map[string]string{"assert": "UNSAFE", "replay assert": "no"}, "", nil, []string{"replay assert"}},
		{"an error", right, nil, "exit 2", nil, []string{"exit"}},
		{"the generator is wrong", right, nil, "", observe.Seen{"leak": "seen"}, []string{"generator leak"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, f := range faults(tt.p, verdicts{of: tt.v, exit: tt.exit}, tt.seen) {
				got = append(got, f.kind)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%q, not %q", got, tt.want)
			}
		})
	}
}
