package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"comus/internal/long"
)

// standIn is a command that starts others and does not end; what it ignores, the signals
// that ask politely, must not save it.
const standIn = `#!/bin/sh
trap '' INT TERM HUP
sleep 100 &
(sleep 100; sleep 100) &
setsid sleep 100 &
wait
`

// programs are what engines work on for long: one that none decides, and one that
// partial-order proves at once, so that the check asks cvc5.
var programs = map[string]string{
	"long.c": `#include <pthread.h>
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
unsigned x, y;
void *f(void *a) { while (1) { unsigned t = x; x = t * t + __VERIFIER_nondet_uint() * 4; } return 0; }
int main(void) {
  pthread_t p;
  pthread_create(&p, 0, f, 0);
  while (1) { y = x; assert(y * y * y != 8u * y + 1u || y == 77u); }
}
`,
	"orders.c": `#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *a) { pthread_mutex_lock(&m); x = y; y = x; pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t p;
  x = y = __VERIFIER_nondet_int();
  pthread_create(&p, 0, f, 0);
  pthread_mutex_lock(&m);
  assert(x == y);
}
`,
}

// TestKilled ends comus at moments at which it has other programs run, by signals that it
// can and cannot catch: soon no process of them is left, and no folder for their files.
func TestKilled(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	example, err := filepath.Abs("../../examples/peterson.c")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	comus := filepath.Join(bin, "comus") // the test binary is comus under this name
	if err := os.Symlink(exe, comus); err != nil {
		t.Fatal(err)
	}
	fake := t.TempDir()
	for _, name := range []string{"cbmc", "tool", "cvc5"} {
		if err := os.WriteFile(filepath.Join(fake, name), []byte(standIn), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	verify := []string{"--strategy", "modular", "--no-simulate", "--no-concretize"}
	for _, tt := range []struct {
		name, path string
		args       []string
	}{
		{"cbmc", "", append(verify, "--seqmc", "cbmc", example)},
		{"stand-in for cbmc", fake, append(verify, "--seqmc", "cbmc", example)},
		{"command", "", append(verify, "--seqmc", "command", "--seqmc-command", filepath.Join(fake, "tool"), example)},
		{"bench", "", []string{"bench", "suite", "-o", "out", "--config", "cmd:" + filepath.Join(fake, "tool") + " {file}"}},
		{"portfolio", "", []string{"--no-simulate", "long.c"}},
		{"portfolio with cvc5", fake, []string{"--no-simulate", "orders.c"}},
		{"bench of comus", fake, []string{"bench", "suite", "-o", "out", "--config", "modular,no-simulate,seqmc=cbmc"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			long.OneOf(t, 3)
			if _, err := exec.LookPath("cbmc"); err != nil && tt.name == "cbmc" {
				t.Skip("cbmc is not installed: shared/tools/get-cbmc.sh installs it")
			}
			t.Parallel()
			seen := 0
			for i := range long.N(20, 6) {
				sig := []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT}[i%3]
				if killComus(t, comus, tt.path, tt.args, sig, i%2 == 0) {
					seen++
				}
			}
			t.Logf("in %d runs other programs were running", seen)
			if seen == 0 {
				t.Error("no other program was running")
			}
		})
	}
}

// killComus runs comus in a folder with a suite of one program, sends it a signal after a
// while, and reports whether it had other programs running then. Either any moment of the
// first 300 ms is taken, or one soon after another program has started.
func killComus(t *testing.T, comus, path string, args []string, sig syscall.Signal, wait bool) (ran bool) {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "suite"), 0o755); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../examples/peterson.c")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "suite", "p.c"), append([]byte("// expect: SAFE\n"), text...), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, text := range programs {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tmp := filepath.Join(dir, "tmp")
	if err := os.Mkdir(tmp, 0o755); err != nil {
		t.Fatal(err)
	}
	mark := "COMUS_TEST_MARK=" + dir
	cmd := exec.Command(comus, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), mark, "TMPDIR="+tmp)
	if path != "" {
		cmd.Env = append(cmd.Env, "PATH="+path+":"+os.Getenv("PATH"))
	}
	// In a group of its own, all of which gets the signal: as at a terminal.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if wait {
		for end := time.Now().Add(20 * time.Second); len(others(mark, cmd.Process.Pid)) == 0 && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(rand.N(30 * time.Millisecond))
	} else {
		time.Sleep(rand.N(300 * time.Millisecond))
	}
	running := others(mark, cmd.Process.Pid)
	_ = syscall.Kill(-cmd.Process.Pid, sig) // it may have ended already
	stop := time.AfterFunc(10*time.Second, func() { _ = cmd.Process.Kill() })
	_ = cmd.Wait()
	if !stop.Stop() {
		t.Errorf("%v did not end comus", sig)
	}
	// What is left would be there for longer: the programs run for 100 s.
	left := await(func() []string { return others(mark, 0) })
	if len(left) > 0 {
		t.Errorf("after %v, these were left: %s\nthese were running before: %s", sig, strings.Join(left, ", "), strings.Join(running, ", "))
	}
	folders := await(func() []string { // others are those of the programs that were killed
		list, _ := filepath.Glob(filepath.Join(tmp, "comus-*"))
		return list
	})
	if len(folders) > 0 {
		t.Errorf("after %v, these folders were left: %s\nthese were running before: %s", sig, strings.Join(folders, ", "), strings.Join(running, ", "))
	}
	return slices.ContainsFunc(running, func(line string) bool { return !strings.Contains(line, "/bin/sh -c read") }) // not only guards
}

// await asks for a list until it is empty, but not for more than 10 s, and returns what it
// was at last.
func await(list func() []string) []string {
	out := list()
	for end := time.Now().Add(10 * time.Second); len(out) > 0 && time.Now().Before(end); out = list() {
		time.Sleep(5 * time.Millisecond)
	}
	return out
}

// others lists the processes with a text in their environment but for one.
func others(text string, but int) []string {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	var out []string
	for _, f := range files {
		dir := filepath.Dir(f)
		if filepath.Base(dir) == fmt.Sprint(but) {
			continue
		}
		if env, err := os.ReadFile(f); err == nil && bytes.Contains(env, []byte(text)) {
			line, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
			out = append(out, filepath.Base(dir)+": "+strings.TrimSpace(strings.ReplaceAll(string(line), "\x00", " ")))
		}
	}
	return out
}
