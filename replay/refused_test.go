package replay_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"comus/ir"
	"comus/replay"
	"comus/specialise"
)

// TestRefused gives Weave and Interpret what they cannot run.
func TestRefused(t *testing.T) {
	p, prog, sched, reason := execution(t, program{file: "../examples/counter_race.c"})
	if reason != "" {
		t.Fatal(reason)
	}
	n := len(sched.Steps)
	for _, c := range []struct {
		name, want string
		sched      ir.Schedule
	}{
		{"empty", "no steps", ir.Schedule{}},
		{"cut short", "cannot go on", ir.Schedule{Steps: sched.Steps[:n/3]}},
		{"nobody is created", "before it is created", ir.Schedule{Steps: stepsOf(sched, 1)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := replay.Interpret(t.Context(), p, prog, c.sched); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v instead of %q", err, c.want)
			}
			if _, err := replay.Weave(t.Context(), p, prog, c.sched); err == nil || !strings.HasPrefix(err.Error(), "cannot replay: ") {
				t.Errorf("Weave: %v", err)
			}
		})
	}
}

// TestNoRace gives Interpret executions that end in a data race or a deadlock, without what makes them do so.
func TestNoRace(t *testing.T) {
	for _, c := range []struct {
		x    program
		tell func(*ir.Edge) bool
	}{
		{program{"../cfront/testdata/race/counter_mutex_unsafe.c", specialise.Checks{NoAssert: true, Race: true}}, func(e *ir.Edge) bool { return strings.HasPrefix(e.Text, "is about to execute ") }},
		{program{"../cfront/testdata/deadlock/abba_unsafe.c", specialise.Checks{NoAssert: true, Deadlock: true}}, func(e *ir.Edge) bool { return strings.HasPrefix(e.Text, "pthread_mutex_lock") }},
	} {
		p, prog, sched, reason := execution(t, c.x)
		if reason != "" {
			t.Fatal(reason)
		}
		if err := replay.Interpret(t.Context(), p, prog, sched); err != nil {
			t.Error(err)
		}
		steps := slices.DeleteFunc(slices.Clone(sched.Steps), func(s ir.Step) bool { return c.tell(s.Edge) })
		if len(steps) == len(sched.Steps) {
			t.Fatalf("%s: no such step", c.x.file)
		}
		err := replay.Followed(t.Context(), p, prog, ir.Schedule{Init: sched.Init, Steps: steps}) // runs under random schedules may show the same
		if err == nil {
			t.Errorf("%s: confirmed without it", c.x.file)
		}
		t.Log(err)
	}
}

// stepsOf returns the steps of a thread.
func stepsOf(sched ir.Schedule, thread int) []ir.Step {
	var out []ir.Step
	for _, s := range sched.Steps {
		if s.Edge.From.Thread.Index == thread {
			out = append(out, s)
		}
	}
	return out
}

// TestMisuse runs errors that are no assertions: those that stop a C program are replayed as they are, the others with AddressSanitizer.
func TestMisuse(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"unlock", `#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *a) { pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; pthread_mutex_lock(&m); pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }
`, ""},
		{"null", `#include <pthread.h>
int *p;
void *f(void *a) { *p = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }
`, "m.c:3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "m.c")
			if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			p, prog, sched, reason := execution(t, program{file: file, check: specialise.Checks{Locks: true, Memory: true}})
			if reason != "" {
				t.Fatal(reason)
			}
			files, err := replay.Weave(t.Context(), p, prog, sched)
			if err != nil {
				t.Fatal(err)
			}
			if c.want == "" {
				expectFailure(t, build(t, files))
				return
			}
			out, _ := outcome(t, buildWith(t, files, "address"))
			if !strings.Contains(out, c.want) {
				t.Errorf("%s", out)
			}
		})
	}
}

// TestOutOfStep changes what the execution reads: the program says so and stops with exit code 3.
func TestOutOfStep(t *testing.T) {
	p, prog, sched, reason := execution(t, program{file: "../examples/counter_race.c"})
	if reason != "" {
		t.Fatal(reason)
	}
	files, err := replay.Weave(t.Context(), p, prog, sched)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range files {
		if strings.HasSuffix(f.Name, "_race.c") {
			files[i].Text = []byte(strings.Replace(string(f.Text), "(comus_r1 + 1)", "(comus_r1 + 7)", 1))
		}
	}
	out, code := outcome(t, build(t, files))
	if code != 3 || !strings.Contains(out, "comus replay: out of step: thread ") || !strings.Contains(out, "counter_race.c:") {
		t.Errorf("%d: %s", code, out)
	}
}

// outcome runs a program.
func outcome(t *testing.T, exe string) (out string, code int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "timeout", "60", exe)
	b, _ := cmd.CombinedOutput()
	return string(b), cmd.ProcessState.ExitCode()
}
