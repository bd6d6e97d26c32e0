package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestMissing runs comus where there are no other programs: one line says which command is
// missing and how to get it.
func TestMissing(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	comus := filepath.Join(t.TempDir(), "comus") // the test binary is comus under this name
	if err := os.Symlink(exe, comus); err != nil {
		t.Fatal(err)
	}
	suite, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	example := filepath.Join(suite, "counter_lock.c")
	verify := func(args ...string) []string {
		return append(append([]string{"--strategy", "modular", "--no-simulate"}, args...), example)
	}
	for _, tt := range []struct {
		args   []string
		code   int
		stdout string // its last line
		stderr string // all of it
	}{
		{verify("--seqmc", "cbmc"), exitUnknown, `^UNKNOWN: there is no command "cbmc" on the PATH \(Debian's package cbmc, or https://www\.cprover\.org/cbmc\)$`, `^$`},
		{verify("--seqmc", "seahorn"), exitUnknown, `^UNKNOWN: there is no command "sea" on the PATH \(see https://seahorn\.github\.io; put the folder of sea on the PATH\)$`, `^$`},
		{verify("--seqmc", "command", "--seqmc-command", "no-such-verifier -x {file}"), exitUnknown, `^UNKNOWN: there is no command "no-such-verifier" on the PATH \(it was given by --seqmc-command\)$`, `^$`},
		{[]string{"bench", suite, "-o", "out", "--config", "cmd:no-such-verifier {file}"}, exitUsage, `^$`, `^comus: .*no-such-verifier.*\n$`},
	} {
		cmd := exec.Command(comus, tt.args...)
		cmd.Dir = t.TempDir()
		cmd.Env = []string{"PATH=" + t.TempDir(), "HOME=" + cmd.Dir, "TMPDIR=" + cmd.Dir}
		var stdout, stderr strings.Builder
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		_ = cmd.Run() // the exit code tells
		out := strings.TrimSuffix(stdout.String(), "\n")
		last := out[strings.LastIndexByte(out, '\n')+1:]
		if cmd.ProcessState.ExitCode() != tt.code || !regexp.MustCompile(tt.stdout).MatchString(last) || !regexp.MustCompile(tt.stderr).MatchString(stderr.String()) {
			t.Errorf("%q: exit code %d\n%s\n%s", tt.args, cmd.ProcessState.ExitCode(), stdout.String(), stderr.String())
		}
	}
}
