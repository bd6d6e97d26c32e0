package single_test

import (
	"testing"

	"comus/internal/csource"
	"comus/ir"
	"comus/ir/explore"
	"comus/sequentialize/single"
)

const head = `#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern signed char __VERIFIER_nondet_char(void);
int x, y;
`

// TestUnbounded says what is left to decide in the program of Unbounded.
func TestUnbounded(t *testing.T) {
	const two = ` int main(void) { pthread_t p; pthread_create(&p, 0, f, 0); `
	for _, tt := range []struct {
		name, text     string
		errors         bool // there are error locations
		commands, many bool // something is assumed or computed; there are too many locations otherwise
		want           explore.Verdict
	}{
		{"no inputs", `void *f(void *a) { x++; return 0; }` + two + `x++; pthread_join(p, 0); assert(x >= 1); return 0; }`, false, false, false, explore.Safe},
		{"no inputs, fails", `void *f(void *a) { x++; return 0; }` + two + `x++; pthread_join(p, 0); assert(x == 2); return 0; }`, true, false, false, explore.Unsafe},
		{"a loop", `void *f(void *a) { while (x < 9) x++; return 0; }` + two + `assert(x <= 9); return 0; }`, false, false, false, explore.Safe},
		{"a loop without end", `void *f(void *a) { while (1) { x = 1 - x; } return 0; }` + two + `assert(x <= 1); return 0; }`, false, false, false, explore.Safe},
		{"input of two values", `void *f(void *a) { x = __VERIFIER_nondet_bool(); y = 1; return 0; }` + two + `if (y) assert(x != 2); return 0; }`, false, false, false, explore.Safe},
		{"input of two values, fails", `void *f(void *a) { x = __VERIFIER_nondet_bool(); y = 1; return 0; }` + two + `if (y) assert(x != 1); return 0; }`, true, false, false, explore.Unsafe},
		{"input of two values, twice", `void *f(void *a) { _Bool b = __VERIFIER_nondet_bool(); x = b; y = b; return 0; }` + two + `pthread_join(p, 0); assert(x == y); return 0; }`, false, false, false, explore.Safe},
		{"input", `void *f(void *a) { x = __VERIFIER_nondet_char(); y = 1; return 0; }` + two + `if (y) assert(x <= 127); return 0; }`, true, true, false, explore.Safe},
		{"input, fails", `void *f(void *a) { x = __VERIFIER_nondet_char(); y = 1; return 0; }` + two + `if (y) assert(x <= 126); return 0; }`, true, true, false, explore.Unsafe},
		{"many values", `void *f(void *a) { while (x < 30000) x++; return 0; }` + two + `assert(x >= 0); return 0; }`, true, true, true, explore.Safe},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res, err := csource.Parse("p.c", []byte(head+tt.text), csource.Options{})
			if err != nil {
				t.Fatal(err)
			}
			res.Program.Renumber()
			s := single.Unbounded(res.Program)
			s.Renumber()
			if err := s.CheckStructure(); err != nil {
				t.Fatal(err)
			}
			commands := false
			s.Threads[0].Edges(func(e *ir.Edge) { commands = commands || len(e.Cmds) > 0 })
			if s.Threads[0].HasErrors() != tt.errors || commands != tt.commands {
				t.Errorf("errors: %v, commands: %v", s.Threads[0].HasErrors(), commands)
			}
			if tt.many {
				return
			}
			got, err := explore.Explore(t.Context(), s.Program, explore.Options{MaxStates: 200_000})
			if err != nil || got.Verdict != tt.want {
				t.Fatalf("%v, %v", got.Verdict, err)
			}
			if got.Verdict != explore.Unsafe {
				return
			}
			var path []*ir.Edge
			for _, st := range got.Schedule.Steps {
				path = append(path, st.Edge)
			}
			steps := s.Steps(path)
			if n := len(steps); n == 0 || !steps[n-1].To.Error {
				t.Errorf("the steps of the %d edges do not lead to an error", len(path))
			}
		})
	}
}
