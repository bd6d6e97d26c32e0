package child

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The test binary is a program that runs a child, or makes a folder, if it is told to by its
// environment.
func TestMain(m *testing.M) {
	if os.Getenv("CHILD_TEST_FOLDER") != "" {
		if _, err := TempDir("test-"); err != nil {
			os.Exit(1)
		}
		time.Sleep(time.Minute)
	}
	if line := os.Getenv("CHILD_TEST_RUN"); line != "" {
		c := &Command{Argv: []string{"sh", "-c", line}, Logs: os.Getenv("CHILD_TEST_LOGS")}
		end, err := c.Run(context.Background())
		if err != nil {
			os.Exit(1)
		}
		os.Exit(end.Exit)
	}
	os.Exit(m.Run())
}

// alive lists the processes with a text in their environment, as /proc tells them.
func alive(text string) []string {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	var out []string
	for _, f := range files {
		if env, err := os.ReadFile(f); err == nil && bytes.Contains(env, []byte(text)) {
			line, _ := os.ReadFile(filepath.Join(filepath.Dir(f), "cmdline"))
			out = append(out, f+" "+strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return out
}

// TestKilled kills a program that runs a child: nothing is left, also of what the child
// started, in its process group and in others.
func TestKilled(t *testing.T) {
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("no /proc")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, line := range map[string]string{
		"alone":    "exec sleep 100",
		"children": "sleep 100 & (sleep 100; sleep 100) & wait",
		"session":  "setsid sleep 100 & setsid sh -c 'sleep 100 & wait' & wait",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mark := "CHILD_TEST_MARK=" + t.TempDir()
			cmd := exec.Command(exe)
			cmd.Env = append(os.Environ(), "CHILD_TEST_RUN="+line, "CHILD_TEST_LOGS="+filepath.Join(t.TempDir(), "log"), mark)
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			wait(t, func() bool { return strings.Contains(strings.Join(alive(mark), "\n"), "sleep 100") }, "the child has not started")
			if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			wait(t, func() bool { return len(alive(mark)) == 0 }, "processes are left")
			if list := alive(mark); len(list) > 0 {
				t.Error(list)
			}
		})
	}
}

// wait waits until a condition holds.
func wait(t *testing.T, cond func() bool, what string) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if cond() {
			return
		}
	}
	t.Error(what)
}

// TestRun runs children to their ends, of all kinds.
func TestRun(t *testing.T) {
	for _, tt := range []struct {
		name, line string
		timeout    time.Duration
		exit       int
		stopped    string
		out        string
	}{
		{"ends", "echo a; echo b >&2; exit 3", 0, 3, "", "a\n"},
		{"too long", "echo a; sleep 100", 200 * time.Millisecond, -1, StoppedTime, "a\n"},
		{"too long, in another session", "setsid sleep 100 & echo $!; wait", 200 * time.Millisecond, -1, StoppedTime, ""},
		{"leaves a process", "sleep 100 & echo $!", 0, 0, "", ""},
		{"by a signal", "kill -TERM $$", 0, -1, "", ""},
		{"ends its group", "kill -KILL 0", 0, -1, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := &Command{Argv: []string{"sh", "-c", tt.line}, Timeout: tt.timeout, Logs: filepath.Join(t.TempDir(), "log")}
			end, err := c.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			out, _ := os.ReadFile(end.Stdout)
			if end.Exit != tt.exit || end.Stopped != tt.stopped || tt.out != "" && string(out) != tt.out {
				t.Errorf("exit %d, stopped %q, output %q", end.Exit, end.Stopped, out)
			}
			if pid := strings.TrimSpace(string(out)); strings.Contains(tt.line, "$!") {
				if stat, err := os.ReadFile("/proc/" + pid + "/stat"); err == nil && !bytes.Contains(stat, []byte(") Z ")) {
					t.Errorf("it is left: %s", stat)
				}
			}
		})
	}
	if _, err := (&Command{Argv: []string{"no-such-command"}, Logs: filepath.Join(t.TempDir(), "log")}).Run(t.Context()); err == nil {
		t.Error("a command that is not there was run")
	}
}

// TestTempDir makes a folder that is there until it is removed, or until the program is
// killed that made it.
func TestTempDir(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	f, err := TempDir("prefix-")
	if err != nil {
		t.Fatal(err)
	}
	if st, err := os.Stat(f.Path); err != nil || !st.IsDir() || !strings.HasPrefix(filepath.Base(f.Path), "prefix-") {
		t.Error(f.Path, err)
	}
	f.Remove()
	if _, err := os.Stat(f.Path); !os.IsNotExist(err) {
		t.Error("the folder is left:", err)
	}
	t.Run("nowhere", func(t *testing.T) {
		t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
		if _, err := TempDir("prefix-"); err == nil {
			t.Error("a folder was made in one that is not there")
		}
	})
	t.Run("killed", func(t *testing.T) {
		exe, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		list := func() int { l, _ := os.ReadDir(dir); return len(l) }
		cmd := exec.Command(exe)
		cmd.Env = append(os.Environ(), "CHILD_TEST_FOLDER=1", "TMPDIR="+dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		wait(t, func() bool { return list() == 1 }, "no folder was made")
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		wait(t, func() bool { return list() == 0 }, "the folder is left")
	})
}
