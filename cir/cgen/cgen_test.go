package cgen_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir/cgen"
	"comus/internal/randc"
	"comus/internal/torture"
)

// load reads a program.
func load(files, flags []string) (*cfront.Program, error) {
	invs, _, err := command.Parse(slices.Concat(flags, files), ".")
	if err != nil {
		return nil, err
	}
	return cfront.Load(context.Background(), invs, cfront.Options{})
}

// compile prints a program and compiles that.
func compile(dir string, files, flags []string) (exe string, err error) {
	defer func() {
		if r := recover(); r != nil {
			buf := make([]byte, 4096)
			err = fmt.Errorf("panic: %v\n%s", r, buf[:runtime.Stack(buf, false)])
		}
	}()
	p, err := load(files, flags)
	if err != nil {
		return "", fmt.Errorf("load: %w", err)
	}
	out, err := cgen.Print(p.Program, cgen.Options{Alone: true, Path: func(f string) string { return f }})
	if err != nil {
		return "", err
	}
	args := append([]string{"-g"}, cgen.Flags...)
	for _, f := range out {
		name := filepath.Join(dir, f.Name)
		if err := os.WriteFile(name, f.Text, 0o644); err != nil {
			return "", err
		}
		if strings.HasSuffix(name, ".c") {
			args = append(args, name)
		}
	}
	exe = filepath.Join(dir, "printed")
	args = append(args, "-o", exe, "-lm", "-pthread")
	if text, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("gcc: %v\n%.1500s", err, text)
	}
	return exe, nil
}

const limit = 20 * time.Second

// status is the exit code, or 134 for a signal.
func status(r randc.Result) int {
	if r.Signal != 0 {
		return 134
	}
	return r.Code
}

func count(t *testing.T, variable string, normal, short int) int {
	if n, err := strconv.Atoi(os.Getenv(variable)); err == nil {
		return n
	}
	if testing.Short() {
		return short
	}
	return normal
}

// TestRandom prints random programs: gcc's program of what is printed has to do what that of the program does. COMUS_RANDOM
// says how many, COMUS_SEED where to begin.
func TestRandom(t *testing.T) {
	n := count(t, "COMUS_RANDOM", 30, 6)
	seed, _ := strconv.Atoi(os.Getenv("COMUS_SEED"))
	judge := randc.NewJudge(t)
	bad := tally{t: t}
	inParallel(n, func(i int) {
		src := randc.Program(uint64(seed+i+1), randc.All)
		want, err := judge.Result(src, "", limit)
		if err != nil || want.TimedOut {
			return
		}
		dir := t.TempDir()
		defer os.RemoveAll(dir)
		file := filepath.Join(dir, "r.c")
		if err := os.WriteFile(file, []byte(src), 0o644); err != nil {
			t.Error(err)
			return
		}
		bad.add(fmt.Sprintf("seed %d", seed+i+1), one(dir, []string{file}, nil, want.Stdout, status(want)))
	})
	bad.report()
}

// one compares what a program that was printed does with what it should do.
func one(dir string, files, flags []string, stdout string, code int) error {
	exe, err := compile(dir, files, flags)
	if err != nil {
		return err
	}
	got, err := randc.RunIn(dir, exe, "", limit)
	switch {
	case err != nil:
		return err
	case got.TimedOut:
		return fmt.Errorf("out of time")
	case status(got) != code:
		return fmt.Errorf("exit code %d instead of %d: %.300s", status(got), code, got.Stderr)
	case stdout != "" && got.Stdout != stdout:
		return fmt.Errorf("output differs:\n%s", difference(got.Stdout, stdout))
	}
	return nil
}

func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d: %.200s instead of %.200s", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines instead of %d", len(g), len(w))
}

// TestTorture prints tests of C compilers: some, or with COMUS_TORTURE those whose name contains its value ("all": all). Those that
// read files are left out: what these hold is open, so that what the program does is open, too.
func TestTorture(t *testing.T) {
	programs, err := torture.Programs()
	if err != nil {
		t.Skip(err)
	}
	folder, err := torture.Folder()
	if err != nil {
		t.Skip(err)
	}
	want := os.Getenv("COMUS_TORTURE")
	every := len(programs) / count(t, "", 30, 6)
	bad := tally{t: t}
	inParallel(len(programs), func(i int) {
		p := programs[i]
		if p.Reason != "" || slices.Contains(p.Needs, torture.Files) || want == "" && i%every != 0 || want != "" && want != "all" && !strings.Contains(p.Name, want) {
			return
		}
		var files []string
		for _, f := range p.Files {
			if !filepath.IsAbs(f) {
				f = filepath.Join(folder, f)
			}
			files = append(files, f)
		}
		dir := t.TempDir()
		defer os.RemoveAll(dir)
		bad.add(p.Name, one(dir, files, p.Flags, "", p.Code))
	})
	bad.report()
}

// tally collects what failed.
type tally struct {
	t      *testing.T
	mu     sync.Mutex
	passed int
	failed []string
}

func (b *tally) add(name string, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err == nil {
		b.passed++
	} else {
		b.failed = append(b.failed, fmt.Sprintf("%s: %v", name, err))
	}
}

func (b *tally) report() {
	b.t.Logf("%d as gcc's, %d not", b.passed, len(b.failed))
	for _, f := range b.failed {
		b.t.Error(f)
	}
}

// inParallel calls f for 0 to n-1, two at once.
func inParallel(n int, f func(int)) {
	next := make(chan int)
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range next {
				f(i)
			}
		}()
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}

// TestShrink makes the random program of the seed COMUS_SHRINK smaller, as long as what is printed is wrong.
func TestShrink(t *testing.T) {
	seed, err := strconv.Atoi(os.Getenv("COMUS_SHRINK"))
	if err != nil {
		t.Skip("COMUS_SHRINK is no seed")
	}
	judge := randc.NewJudge(t)
	wrong := func(src string) error {
		want, err := judge.Defined(src)
		if err != nil {
			return nil
		}
		dir, err := os.MkdirTemp("", "shrink")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		file := filepath.Join(dir, "r.c")
		if err := os.WriteFile(file, []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
		return one(dir, []string{file}, nil, want.Stdout, status(want))
	}
	small := randc.Shrink(randc.Program(uint64(seed), randc.All), 3000, func(src string) bool { return wrong(src) != nil })
	fmt.Printf("%s\n%v\n", small, wrong(small))
}
