package randc

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
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
	CPU            time.Duration // used by the program itself
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
	return RunIn("", exe, stdin, limit)
}

// RunIn is Run in a folder, to which the name of the program is not relative.
func RunIn(dir, exe, stdin string, limit time.Duration) (Result, error) {
	return run(dir, exe, stdin, limit)
}

func run(dir, exe, stdin string, limit time.Duration, env ...string) (Result, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe)
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader(stdin)
	// Leaks are no errors: a program may end anywhere.
	cmd.Env = append(os.Environ(), "ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1", "LC_ALL=C")
	cmd.Env = append(cmd.Env, env...)
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
		r.Code, r.CPU = cmd.ProcessState.ExitCode(), cmd.ProcessState.UserTime()
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
	var files []string
	for i, s := range sources {
		name := fmt.Sprintf("%s-%d.c", exe, i)
		if err := os.WriteFile(name, []byte(s), 0o600); err != nil {
			return err
		}
		defer os.Remove(name)
		files = append(files, name)
	}
	return CompileFiles(exe, files, flags...)
}

// CompileFiles compiles and links files with gcc, without warnings, and with the
// library of mathematical functions.
func CompileFiles(exe string, files []string, flags ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), compileLimit)
	defer cancel()
	args := slices.Concat([]string{"-w", "-o", exe}, flags, files, []string{"-lm"})
	if out, err := exec.CommandContext(ctx, "gcc", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("gcc %s: %w\n%s", strings.Join(flags, " "), err, out)
	}
	return nil
}

// Result compiles a program of one source, runs it and forgets it. If RANDC_CACHE
// names a folder, it keeps the results there for other tests.
func (j *Judge) Result(source, stdin string, limit time.Duration, flags ...string) (Result, error) {
	file := ""
	if dir := os.Getenv("RANDC_CACHE"); dir != "" {
		key := sha256.Sum256([]byte(fmt.Sprintf("%q %q %q", source, stdin, flags)))
		file = filepath.Join(dir, fmt.Sprintf("%x.json", key[:16]))
		if b, err := os.ReadFile(file); err == nil {
			var r Result
			if json.Unmarshal(b, &r) == nil {
				return r, nil
			}
		}
	}
	exe, err := j.Compile([]string{source}, flags...)
	defer j.Forget([]string{source}, flags...)
	if err != nil {
		return Result{}, err
	}
	r, err := Run(exe, stdin, limit)
	if err == nil && !r.TimedOut && file != "" {
		if b, err := json.Marshal(r); err == nil {
			os.WriteFile(file, b, 0o600) // if that fails, there is no cache
		}
	}
	return r, err
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
