package replay_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"comus/cfront"
	"comus/check"
	"comus/comus"
	"comus/replay"
	"comus/seqmc"
)

// programs returns the programs whose first line says that they are unsafe.
func programs(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, pattern := range []string{"../examples/*.c", "../cfront/testdata/run/*.c", "testdata/*.c"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no programs %s: %v", pattern, err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.HasPrefix(text, []byte("// expect: UNSAFE\n")) {
				out = append(out, f)
			}
		}
	}
	return out
}

// unfaithful are the programs whose execution is not replayed yet: they jump over a
// declaration, and gcc's variable does not have the value of the execution then; or
// they look at the result of pthread_mutex_destroy, which is 0 in a replay.
// They have to notice that, and not to fail the assertion or hang.
var unfaithful = map[string]bool{"goto_declaration_escaped_unsafe": true, "goto_declaration_unsafe": true,
	"goto_initialised_unsafe": true, "mutex_destroy_unsafe": true, "loop_switch_declaration_unsafe": true, "switch_declaration_unsafe": true}

var all = flag.Bool("replay.all", false, "replay all unsafe programs of the front end's tests, 20 times each")

// TestReplay verifies each unsafe program, weaves the execution into it, compiles
// the result with gcc and runs it: each run has to fail the assertion. The programs of
// the front end's tests may be refused by name; a part of them is enough without
// -replay.all.
func TestReplay(t *testing.T) {
	runs, replayed, refused := 5, 0, 0
	if *all {
		runs = 20
	}
	for i, file := range programs(t) {
		ofFrontend := strings.Contains(file, "cfront")
		if ofFrontend && !*all && i%8 != 0 {
			continue
		}
		name := strings.TrimSuffix(filepath.Base(file), ".c")
		t.Run(name, func(t *testing.T) {
			files, err := replay.Weave(file, certificate(t, file, seqmc.Unsafe))
			if err != nil && ofFrontend && strings.Contains(err.Error(), "cannot replay: ") {
				refused++
				t.Log(err)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			exe := build(t, files)
			if unfaithful[name] {
				out, err := exec.Command(exe).CombinedOutput()
				if !strings.Contains(string(out), "out of step") {
					t.Errorf("it is replayed: %v %s", err, out)
				}
				return
			}
			for range runs {
				expectFailure(t, exe)
			}
			replayed++
		})
	}
	t.Logf("%d programs replayed, %d refused", replayed, refused)
	if replayed < 3*refused {
		t.Errorf("%d programs are refused, only %d replayed", refused, replayed)
	}
}

// certificate verifies a program and returns the evidence.
func certificate(t *testing.T, file string, want seqmc.Verdict) *check.Certificate {
	t.Helper()
	res, err := comus.Verify(t.Context(), file, comus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if res.Verdict != want || res.Certificate == nil {
		t.Fatalf("verdict %v (%s)", res.Verdict, res.Reason)
	}
	return res.Certificate
}

// build compiles what was woven.
func build(t *testing.T, files []replay.File) (exe string) {
	t.Helper()
	dir := t.TempDir()
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("make", "-s", "-C", dir).CombinedOutput(); err != nil {
		t.Fatalf("make: %v\n%s\n%s", err, out, files[0].Text)
	}
	return filepath.Join(dir, "replay")
}

// expectFailure runs a program, which has to end in abort after the message.
func expectFailure(t *testing.T, exe string) {
	t.Helper()
	cmd := exec.Command(exe)
	cmd.WaitDelay = time.Minute
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGABRT || !strings.Contains(string(out), "assertion fails: ") {
		t.Fatalf("%v: %s", err, out)
	}
}

// TestRefused gives Weave what it cannot replay.
func TestRefused(t *testing.T) {
	race, lock := "../examples/counter_race.c", "../examples/counter_lock.c"
	unsafe, safe := certificate(t, race, seqmc.Unsafe), certificate(t, lock, seqmc.Safe)
	change := func(f func(*check.Certificate)) *check.Certificate {
		c := *unsafe
		f(&c)
		return &c
	}
	for _, c := range []struct {
		name, file string
		cert       *check.Certificate
		want       string
	}{
		{"safe", lock, safe, "the certificate is for SAFE; only an execution (UNSAFE) can be replayed"},
		{"data model", race, change(func(c *check.Certificate) { c.Program.DataModel = "ILP32" }), "cannot replay: the data model"},
		{"statements", race, change(func(c *check.Certificate) { c.Program.Atomic = "statement" }), "cannot replay: the execution takes statements"},
		{"other program", "../examples/peterson_broken.c", unsafe, "there is no"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := replay.Weave(c.file, c.cert)
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v instead of %q", err, c.want)
			}
		})
	}
}

// TestOverflow gives Weave an execution that ends in an overflow.
func TestOverflow(t *testing.T) {
	file := filepath.Join(t.TempDir(), "o.c")
	text := "#include <assert.h>\nint __VERIFIER_nondet_int(void); int main(void) { int n = __VERIFIER_nondet_int(); n++; assert(n > n - 1 || 1); return 0; }\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	res, err := comus.Verify(t.Context(), file, comus.Options{Source: cfront.Options{Overflow: cfront.OverflowCheck}})
	if err != nil || res.Verdict != seqmc.Unsafe {
		t.Fatalf("%v %v", res, err)
	}
	_, err = replay.Weave(file, res.Certificate)
	var e *cfront.Error
	if !errors.As(err, &e) || e.Pos.Line != 2 || !strings.Contains(e.Msg, "signed overflow") {
		t.Errorf("%v", err)
	}
}
