package replay_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"comus/check"
	"comus/comus"
	cfront "comus/internal/oldfront"
	"comus/replay"
	"comus/seqmc"
)

// program is a program that is unsafe with some checks.
type program struct {
	file  string
	check cfront.Checks
}

// programs returns the programs whose first line says that they are unsafe.
func programs(t *testing.T) []program {
	t.Helper()
	var out []program
	for _, pattern := range []string{"../examples/*.c", "../cfront/testdata/run/*.c", "../cfront/testdata/language/*.c", "../cfront/testdata/locks/*.c", "testdata/*.c"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no programs %s: %v", pattern, err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			first, _, _ := strings.Cut(string(text), "\n")
			if strings.HasPrefix(first, "// expect: UNSAFE") {
				c := cfront.Checks{Locks: strings.Contains(pattern, "locks"), Memory: strings.Contains(first, "--check=memory")}
				out = append(out, program{f, c})
			}
		}
	}
	return out
}

// refusals are what Weave may say about programs of the repository.
var refusals = []string{"misuse of locks", "misuse of memory", "several variables named",
	"a key of threads with a destructor", "pthread_cleanup_push", "a call of atexit", "a call of sem_", "a call of rand_r",
	"memcmp of objects", "__sync_fetch_and_add of a pointer"}

// TestReplay verifies each unsafe program, weaves the execution into it, compiles
// the result with gcc and runs it: each run has to fail the assertion, unless Weave
// refuses the program. With -short a part of the programs of the front end's tests is
// enough, and fewer runs.
func TestReplay(t *testing.T) {
	runs := 20
	if testing.Short() {
		runs = 5
	}
	var replayed, refused atomic.Int64
	t.Cleanup(func() { t.Logf("%d programs replayed, %d refused", replayed.Load(), refused.Load()) })
	turns := make(chan bool, 2)
	for i, p := range programs(t) {
		if strings.Contains(p.file, "cfront") && testing.Short() && i%4 != 0 {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(p.file), ".c"), func(t *testing.T) {
			t.Parallel()
			turns <- true
			defer func() { <-turns }()
			files, err := replay.Weave(p.file, certificateOf(t, p, seqmc.Unsafe))
			if err != nil {
				_, what, ok := strings.Cut(err.Error(), "cannot replay: ")
				if !ok || !slices.ContainsFunc(refusals, func(r string) bool { return strings.HasPrefix(what, r) }) {
					t.Fatal(err)
				}
				refused.Add(1)
				return
			}
			exe := build(t, files)
			for range runs {
				expectFailure(t, exe)
			}
			replayed.Add(1)
		})
	}
}

// certificate verifies a program and returns the evidence.
func certificate(t *testing.T, file string, want seqmc.Verdict) *check.Certificate {
	t.Helper()
	return certificateOf(t, program{file: file}, want)
}

func certificateOf(t *testing.T, p program, want seqmc.Verdict) *check.Certificate {
	t.Helper()
	res, err := comus.Verify(t.Context(), p.file, comus.Options{Source: cfront.Options{Check: p.check}})
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
	long := filepath.Join(t.TempDir(), "long.c")
	if err := os.WriteFile(long, []byte("#include <assert.h>\nint main(void) { int n = sizeof(long); assert(n == 8); return 0; }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	res, err := comus.Verify(t.Context(), long, comus.Options{Source: cfront.Options{DataModel: cfront.ILP32}})
	if err != nil {
		t.Fatal(err)
	}
	narrow := res.Certificate
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
		{"data model", long, narrow, "cannot replay: the execution is not one with the data model of the machine"},
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
