// Package observe runs C programs and tells what goes wrong: as gcc's program, alone and with its sanitizers, and in
// the interpreter of package cir/interp with random schedules. What it sees is there; what it does not see may be there
// all the same. It knows nothing of how comus decides.
package observe

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"comus/specialise"
)

// Seen has, by the names of properties, what was seen to violate them.
type Seen map[string]string

// add notes a violation, the first of its property.
func (s Seen) add(property, what string) {
	if _, ok := s[property]; !ok {
		s[property] = what
	}
}

// Gcc says how to run a program that gcc makes.
type Gcc struct {
	Dir  string // for files
	Runs int    // of each build
	// Limit is how long a run may take that does nothing: it hangs.
	Limit time.Duration
	Seed  uint64 // of arguments
	// Warnings make a program none, those that tell of what is not C or not defined.
	Warnings bool
}

// build is a way to compile a program.
type build struct {
	name  string
	flags []string
	env   string
}

var builds = []build{
	{"gcc -O1", []string{"-O1"}, ""},
	{"ThreadSanitizer", []string{"-O1", "-fsanitize=thread"}, "TSAN_OPTIONS=halt_on_error=1 report_thread_leaks=0 report_signal_unsafe=0 report_mutex_bugs=0 detect_deadlocks=0"},
	{"AddressSanitizer", []string{"-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"}, "ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1"},
}

// Run compiles a program in several ways and runs it. An error means that it is no program.
func (g Gcc) Run(ctx context.Context, text string) (Seen, error) {
	seen := Seen{}
	src := filepath.Join(g.Dir, "p.c")
	if err := os.WriteFile(src, []byte(text), 0o600); err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(g.Seed, 3))
	for _, b := range builds {
		if g.Runs == 0 && b.name != builds[0].name {
			break
		}
		exe := filepath.Join(g.Dir, "p.exe")
		args := append([]string{"-std=gnu11", "-g", "-pthread", src, "-o", exe, "-latomic", "-lrt"}, b.flags...)
		if g.Warnings {
			args = append(args, "-Wall", "-Werror", "-Wno-unused")
		} else {
			args = append(args, "-w")
		}
		if out, err := exec.CommandContext(ctx, "gcc", args...).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", b.name, err, out)
		}
		for i := range g.Runs {
			var argv []string
			for range i % 3 {
				argv = append(argv, strconv.Itoa(r.IntN(100)))
			}
			if err := g.once(ctx, b, exe, argv, seen); err != nil {
				return nil, err
			}
		}
	}
	return seen, nil
}

// once runs the program once.
func (g Gcc) once(ctx context.Context, b build, exe string, argv []string, seen Seen) error {
	cmd := exec.Command(exe, argv...)
	cmd.Env = append(os.Environ(), b.env, "LC_ALL=C")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	hangs := false
	for end := time.Now().Add(10 * g.Limit); ; {
		select {
		case <-done:
		case <-ctx.Done():
			hangs = false
			kill(cmd.Process.Pid)
			<-done
			return ctx.Err()
		case <-time.After(g.Limit):
			if hangs = asleep(cmd.Process.Pid); !hangs && time.Now().Before(end) {
				continue
			}
			kill(cmd.Process.Pid)
			<-done
		}
		break
	}
	how := strings.Join(append([]string{b.name}, argv...), " ")
	text := errs.String()
	switch {
	case strings.Contains(text, "Assertion `"):
		seen.add(specialise.Assert, how+": "+lineWith(text, "Assertion `"))
	case strings.Contains(text, "WARNING: ThreadSanitizer: data race"):
		seen.add(specialise.Race, how+": "+text)
	case strings.Contains(text, "ERROR: AddressSanitizer"):
		seen.add(specialise.Memory, how+": "+lineWith(text, "ERROR: AddressSanitizer"))
	case strings.Contains(text, "runtime error:"):
		property := specialise.Overflows
		if strings.Contains(text, "index") || strings.Contains(text, "null pointer") || strings.Contains(text, "misaligned") {
			property = specialise.Memory
		}
		seen.add(property, how+": "+lineWith(text, "runtime error:"))
	case strings.Contains(text, "ERROR: LeakSanitizer"):
		seen.add(specialise.Leak, how+": "+lineWith(text, "SUMMARY"))
	case hangs:
		seen.add(specialise.Deadlock, how+": it hangs")
	case cmd.ProcessState != nil && !cmd.ProcessState.Success():
		seen.add("end", how+": "+cmd.ProcessState.String()+" "+text)
	}
	return nil
}

// kill ends a process that this package has started, with its children.
func kill(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }

// asleep reports whether all threads of a process sleep, now and a while later.
func asleep(pid int) bool {
	for range 5 {
		tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
		for _, t := range tasks {
			text, err := os.ReadFile(t)
			if err != nil {
				return false
			}
			after := text[bytes.LastIndexByte(text, ')')+1:]
			if len(after) < 2 || after[1] != 'S' {
				return false
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	return true
}

func lineWith(text, what string) string {
	for line := range strings.Lines(text) {
		if strings.Contains(line, what) {
			return strings.TrimSpace(line)
		}
	}
	return what
}
