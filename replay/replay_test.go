package replay_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"comus/internal/long"
	"comus/replay"
)

// unwoven are programs whose executions cannot be woven, and why: this is open.
var unwoven = map[string]string{
	"published_parts_unsafe":     "the bytes of addresses are others for real",
	"pointer_bytes_unsafe":       "the bytes of addresses are others for real",
	"struct_walked_unsafe":       "the bytes of addresses are others for real",
	"cond_uninitialised_unsafe":  "memory that was never written holds something else for real",
	"mutex_uninitialised_unsafe": "memory that was never written holds something else for real",
	"destructor_unsafe":          "the program's end is that of the runtime, which comes before destructors",
}

// TestReplay weaves executions of unsafe programs into C, which gcc compiles: each run has to fail the assertion. Of the programs some are enough, with -short fewer; with COMUS_RUNS all are run that often.
func TestReplay(t *testing.T) {
	runs, every := long.N(5, 2), long.N(8, 80)
	if n, err := strconv.Atoi(os.Getenv("COMUS_RUNS")); err == nil {
		runs, every = n, 1
	}
	var replayed, none atomic.Int64
	for i, x := range programs(t) {
		if i%every != 0 || x.check.Race || x.check.Deadlock || x.check.Memory || x.check.Leak || x.check.Cleanup { // the latter: see TestSanitizers
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(x.file), ".c"), func(t *testing.T) {
			p, prog, sched, reason := execution(t, x)
			if reason != "" {
				none.Add(1)
				t.Skip(reason)
			}
			files, err := replay.Weave(t.Context(), p, prog, sched)
			if errors.Is(err, replay.ErrInterrupts) { // the interpreter has followed the execution
				none.Add(1)
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			if why := unwoven[strings.TrimSuffix(filepath.Base(x.file), ".c")]; why != "" {
				none.Add(1)
				t.Skip(why)
			}
			exe := build(t, files)
			for range runs {
				expectFailure(t, exe)
			}
			replayed.Add(1)
		})
	}
	t.Logf("%d programs replayed, %d without an execution", replayed.Load(), none.Load())
}

// build compiles what was woven.
func build(t *testing.T, files []replay.File) (exe string) {
	t.Helper()
	dir := t.TempDir()
	if d := os.Getenv("COMUS_KEEP"); d != "" {
		dir = d
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("make", "-s", "-C", dir).CombinedOutput(); err != nil {
		t.Fatalf("make: %v\n%.2000s", err, out)
	}
	return filepath.Join(dir, "replay")
}

// expectFailure runs a program, which has to end in abort after the message.
func expectFailure(t *testing.T, exe string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "timeout", "60", exe)
	cmd.WaitDelay = time.Minute
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	aborted := errors.As(err, &exit) && (exit.ExitCode() == 128+int(syscall.SIGABRT) || exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGABRT)
	if !aborted || !strings.Contains(string(out), "comus replay: ") || strings.Contains(string(out), "out of step") {
		t.Fatalf("%v: %.1000s", err, out)
	}
}
