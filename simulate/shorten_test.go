package simulate

import (
	"testing"

	"comus/internal/csource"
	"comus/ir/interp"
)

// TestShorten finds the violations of programs with long runs: what is handed out is
// short, and an execution.
func TestShorten(t *testing.T) {
	for _, tt := range []struct {
		file string
		most int // steps
	}{
		{"../examples/counter_race.c", 30}, {"../examples/peterson_broken.c", 40}, {"../examples/dekker_broken.c", 50},
	} {
		res, err := csource.ParseFile(tt.file, csource.Options{})
		if err != nil {
			t.Fatal(err)
		}
		res.Program.Renumber()
		s, err := New(res.Program)
		if err != nil {
			t.Fatal(err)
		}
		sched := s.Search(t.Context(), Limits{Runs: 20_000})
		if sched == nil {
			t.Fatalf("%s: no violation found", tt.file)
		}
		trace, err := interp.Replay(res.Program, *sched)
		if err != nil || trace.Error == nil {
			t.Errorf("%s: not an execution that fails: %v", tt.file, err)
		}
		if len(sched.Steps) > tt.most {
			t.Errorf("%s: %d steps, more than %d", tt.file, len(sched.Steps), tt.most)
		}
	}
}
