package bench

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// fakeName is what the test binary is called by when it plays a verifier.
const fakeName = "fake-comus"

func TestMain(m *testing.M) {
	if len(os.Args) == 5 && os.Args[1] == "bench" && os.Args[2] == "task" { // of a scheduler
		n, err := strconv.Atoi(os.Args[4])
		if err == nil {
			err = Work(context.Background(), os.Args[3], n)
		}
		end(err)
	}
	if filepath.Base(os.Args[0]) == submitterName {
		_, err := submit(context.Background(), os.Args[1], os.Args[2], new(bytes.Buffer), os.Args[3:]...)
		end(err)
	}
	if filepath.Base(os.Args[0]) == fakeName {
		os.Exit(fake(os.Args[len(os.Args)-1]))
	}
	os.Exit(m.Run())
}

// end ends the process.
func end(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	os.Exit(0)
}

// fake does what the second line of a program says: "// do: WHAT". It leaves its
// process number in the folder FAKE_PIDS, and so do its children.
func fake(file string) int {
	text, err := os.ReadFile(file)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	leavePid(os.Getpid())
	_, what, _ := strings.Cut(string(text), "// do: ")
	what, _, _ = strings.Cut(what, "\n")
	switch what {
	case "safe":
		return say("SAFE", "", 0)
	case "nap, but hang on n2":
		if os.Getenv("SLURMD_NODENAME") == "n2" {
			hang()
		}
		time.Sleep(500 * time.Millisecond)
		return say("SAFE", "", 0)
	case "unsafe":
		return say("UNSAFE", "", 10)
	case "unknown":
		return say("UNKNOWN", "too hard", 20)
	case "timeout":
		return say("UNKNOWN", "timeout after 1s", 20)
	case "memory":
		return say("UNKNOWN", "more than 4GB of memory needed", 20)
	case "mismatch": // verdict and exit code disagree
		return say("SAFE", "", 10)
	case "crash":
		fmt.Fprintln(os.Stderr, "comus: internal error: broken")
		return 70
	case "hang": // with a child, both deaf to requests to end
		hang()
	case "orphan": // leaves a child behind
		spawn()
		return say("SAFE", "", 0)
	case "eat":
		block := make([]byte, 300<<20)
		for i := range block {
			block[i] = byte(i)
		}
		time.Sleep(time.Minute)
		fmt.Println(block[len(block)-1])
	}
	return 1
}

func say(verdict, reason string, code int) int {
	fmt.Printf(`{"verdict": %q, "reason": %q, "sequential_checks": 7, "iterations": 2, "components": {"wp": {"seconds": 0.5, "calls": 3}}}`+"\n", verdict, reason)
	return code
}

func hang() {
	spawn()
	time.Sleep(time.Minute)
}

// spawn starts a child that would live for a minute.
func spawn() {
	cmd := exec.Command("sh", "-c", "trap '' TERM INT HUP; sleep 60; true")
	if err := cmd.Start(); err == nil {
		leavePid(cmd.Process.Pid)
	}
}

func leavePid(pid int) {
	if dir := os.Getenv("FAKE_PIDS"); dir != "" {
		_ = os.WriteFile(filepath.Join(dir, strconv.Itoa(pid)), nil, 0o644)
	}
}

// pids has fakes leave their process numbers in a folder, and returns a function
// that lists them.
func pids(t *testing.T) func() []int {
	dir := t.TempDir()
	t.Setenv("FAKE_PIDS", dir)
	return func() []int {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		var list []int
		for _, e := range entries {
			pid, err := strconv.Atoi(e.Name())
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, pid)
		}
		return list
	}
}

// alive tells whether a process is running; one that has ended but was not waited
// for is not.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(rest, "Z")
}

// noneAlive checks that no process is left, of those at least some.
func noneAlive(t *testing.T, list []int, atLeast int) {
	t.Helper()
	if len(list) < atLeast {
		t.Errorf("%d processes were started, want at least %d", len(list), atLeast)
	}
	for _, pid := range list {
		if alive(pid) {
			t.Errorf("process %d has survived", pid)
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// fakeComus is the test binary in the role of comus.
func fakeComus(t *testing.T) Program {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Program{exe, fakeName}
}

// suite makes a folder of programs and loads it: name, verdict, and what the fake
// does.
func suite(t *testing.T, programs ...[3]string) *Suite {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tasks")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, p := range programs {
		writeFile(t, filepath.Join(dir, p[0]+".c"), "// expect: "+p[1]+"\n// do: "+p[2]+"\n")
	}
	s, err := LoadSuite(dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func writeFile(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// configs parses configurations.
func configs(t *testing.T, texts ...string) []*Config {
	t.Helper()
	var list []*Config
	for _, text := range texts {
		c, err := ParseConfig(text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}
