package randc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Result is what became of a run.
type Result struct {
	Stdout, Stderr string
	Code           int            // the exit code, -1 if a signal ended it
	Signal         syscall.Signal // that ended it, or 0
	TimedOut       bool
}

// String tells how the run ended, with its output.
func (r Result) String() string {
	end := fmt.Sprintf("exit code %d", r.Code)
	if r.TimedOut {
		end = "out of time"
	} else if r.Signal != 0 {
		end = r.Signal.String()
	}
	return end + "\n" + r.Stdout
}

// Same reports whether two runs ended in the same way with the same output.
func (r Result) Same(s Result) bool {
	return r.Stdout == s.Stdout && r.Code == s.Code && r.Signal == s.Signal && r.TimedOut == s.TimedOut
}

// Run runs a program, with its standard input and a time limit.
func Run(exe, stdin string, limit time.Duration) (Result, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe)
	cmd.Stdin = strings.NewReader(stdin)
	// Leaks are no errors: a program may end anywhere.
	cmd.Env = append(os.Environ(), "ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1", "UBSAN_OPTIONS=print_stacktrace=0", "LC_ALL=C")
	cmd.WaitDelay = time.Second
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	r := Result{Stdout: out.String(), Stderr: errs.String(), TimedOut: ctx.Err() != nil}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !r.TimedOut {
		return r, err
	}
	if cmd.ProcessState != nil {
		r.Code = cmd.ProcessState.ExitCode()
		if ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
			r.Signal = ws.Signal()
		}
	}
	return r, nil
}

// Judge compiles programs and runs them. It keeps what it has compiled for the length
// of a test, and may be used by several goroutines.
type Judge struct {
	dir string

	mu   sync.Mutex
	done map[string]*compiled
	n    int
}

type compiled struct {
	once sync.Once
	exe  string
	err  error
}

// NewJudge returns a judge for a test.
func NewJudge(t testing.TB) *Judge {
	return &Judge{dir: t.TempDir(), done: map[string]*compiled{}}
}

// compileLimit is how long the compiler may take for a program.
const compileLimit = 60 * time.Second

// Compile compiles and links sources with gcc and these flags, which may be options
// for any phase. A program that was compiled before is not compiled again.
func (j *Judge) Compile(sources []string, flags ...string) (exe string, err error) {
	key := strings.Join(flags, " ") + "\x00" + strings.Join(sources, "\x00")
	j.mu.Lock()
	c := j.done[key]
	if c == nil {
		j.n++
		c = &compiled{exe: filepath.Join(j.dir, fmt.Sprintf("p%d", j.n))}
		j.done[key] = c
	}
	j.mu.Unlock()
	c.once.Do(func() { c.err = compile(c.exe, sources, flags) })
	return c.exe, c.err
}

// Forget removes a program that was compiled, so that many do not fill the disk.
func (j *Judge) Forget(sources []string, flags ...string) {
	key := strings.Join(flags, " ") + "\x00" + strings.Join(sources, "\x00")
	j.mu.Lock()
	c := j.done[key]
	delete(j.done, key)
	j.mu.Unlock()
	if c != nil {
		os.Remove(c.exe)
	}
}

func compile(exe string, sources, flags []string) error {
	args := append([]string{"-w", "-o", exe}, flags...)
	for i, s := range sources {
		name := fmt.Sprintf("%s-%d.c", exe, i)
		if err := os.WriteFile(name, []byte(s), 0o600); err != nil {
			return err
		}
		defer os.Remove(name)
		args = append(args, name)
	}
	ctx, cancel := context.WithTimeout(context.Background(), compileLimit)
	defer cancel()
	if out, err := exec.CommandContext(ctx, "gcc", append(args, "-lm")...).CombinedOutput(); err != nil {
		return fmt.Errorf("gcc %s: %w\n%s", strings.Join(flags, " "), err, out)
	}
	return nil
}

// Result compiles a program of one source, runs it and forgets it.
func (j *Judge) Result(source, stdin string, limit time.Duration, flags ...string) (Result, error) {
	exe, err := j.Compile([]string{source}, flags...)
	defer j.Forget([]string{source}, flags...)
	if err != nil {
		return Result{}, err
	}
	return Run(exe, stdin, limit)
}

// GCC compiles and links sources for a test, which ends if that fails.
func GCC(t testing.TB, sources []string, flags ...string) (exe string) {
	t.Helper()
	exe, err := NewJudge(t).Compile(sources, flags...)
	if err != nil {
		t.Fatal(err)
	}
	return exe
}

// InParallel calls f for 0 to n-1, as many at once as there are processors.
func InParallel(n int, f func(i int)) {
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				f(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}
