package build_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"comus/internal/long"
	"comus/internal/randc"
	"comus/internal/torture"
)

// TestTorture runs gcc's torture tests, and those of other compilers: a few of them, or with COMUS_TORTURE=all
// all of them, or those whose names contain its value. Each has to end with the exit code of gcc's program.
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
	var mu sync.Mutex
	var failed []string
	passed, skipped := 0, 0
	inParallel(len(programs), func(i int) {
		p := programs[i]
		if want == "" && (i%100 != 0 || !long.Turn(i/100, 5)) || want != "" && want != "all" && !strings.Contains(p.Name, want) {
			return
		}
		err := error(nil)
		if p.Reason == "" {
			err = tortureOne(folder, p)
		}
		mu.Lock()
		defer mu.Unlock()
		switch {
		case p.Reason != "":
			skipped++
		case err == nil:
			passed++
		default:
			failed = append(failed, fmt.Sprintf("%s: %.300v", p.Name, err))
		}
	})
	sort.Strings(failed)
	t.Logf("%d passed, %d failed, %d have no exit code to compare with", passed, len(failed), skipped)
	if len(failed) > 0 {
		t.Logf("failed:\n%s", strings.Join(failed, "\n"))
	}
	if want == "" && len(failed) > passed/10 {
		t.Errorf("more than a tenth failed")
	}
}

// tortureOne runs one program.
func tortureOne(folder string, p torture.Program) (err error) {
	defer func() {
		if r := recover(); r != nil {
			buf := make([]byte, 4096)
			buf = buf[:runtime.Stack(buf, false)]
			err = fmt.Errorf("panic: %v %s", r, shortStack(buf))
		}
	}()
	var files []string
	for _, f := range p.Files {
		if !filepath.IsAbs(f) {
			f = filepath.Join(folder, f)
		}
		files = append(files, f)
	}
	flags := p.Flags
	if os.Getenv("COMUS_M32") != "" {
		flags = append([]string{"-m32"}, flags...)
	}
	r, err := compile(flags, files...)
	if err != nil {
		return err
	}
	got, err := run(r.Program, 60*time.Second)
	if err != nil {
		return fmt.Errorf("interp: %w", err)
	}
	if got.Status() != p.Code {
		return fmt.Errorf("run: %v instead of exit code %d", got, p.Code)
	}
	return nil
}

// shortStack is the places of a panic in our own code.
func shortStack(b []byte) string {
	var at []string
	for _, l := range strings.Split(string(b), "\n") {
		if l = strings.TrimSpace(l); strings.Contains(l, "/main/") {
			l, _, _ = strings.Cut(l, " ")
			at = append(at, filepath.Base(l))
		}
	}
	return strings.Join(at, " ")
}

// inParallel calls f for 0 to n-1, two at once.
func inParallel(n int, f func(int)) {
	var wg sync.WaitGroup
	next := make(chan int)
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

// asIEEE keeps gcc 12 from taking 0.0 - (double)i for -(double)i, which is -0.0 for 0.
const asIEEE = "-frounding-math"

// TestRandom runs random programs: a few, or as many as COMUS_RANDOM says, from the seed COMUS_SEED on.
func TestRandom(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("COMUS_RANDOM"))
	if n == 0 {
		n = 2
	}
	seed, _ := strconv.Atoi(os.Getenv("COMUS_SEED"))
	if seed == 0 {
		seed = 1
	}
	features := features()
	judge := randc.NewJudge(t)
	bad := 0
	inParallel(n, func(i int) {
		src := randc.Program(uint64(seed+i), features)
		want, err := judge.Result(src, "", 10*time.Second, asIEEE)
		if err != nil || want.TimedOut {
			return
		}
		file := filepath.Join(t.TempDir(), fmt.Sprintf("r%d.c", seed+i))
		if err := os.WriteFile(file, []byte(src), 0o644); err != nil {
			t.Error(err)
			return
		}
		if err := randomOne(file, want); err != nil {
			t.Errorf("seed %d: %.400v", seed+i, err)
			bad++
		}
		os.Remove(file)
	})
	t.Logf("%d programs, %d different", n, bad)
}

// randomOne interprets a program and compares what it does.
func randomOne(file string, want randc.Result) (err error) {
	defer func() {
		if r := recover(); r != nil {
			buf := make([]byte, 4096)
			buf = buf[:runtime.Stack(buf, false)]
			err = fmt.Errorf("panic: %v %s", r, shortStack(buf))
		}
	}()
	r, err := compile(nil, file)
	if err != nil {
		return err
	}
	got, err := run(r.Program, 30*time.Second)
	if err != nil {
		return fmt.Errorf("interp: %w", err)
	}
	code := want.Code
	if code < 0 {
		code = 134
	}
	if got.Status() != code {
		return fmt.Errorf("run: %v instead of exit code %d", got, code)
	}
	if string(got.Stdout) != want.Stdout {
		return fmt.Errorf("output differs: %s", firstDifference(got.Stdout, []byte(want.Stdout)))
	}
	return nil
}

// firstDifference shows the first lines that differ.
func firstDifference(got, want []byte) string {
	g, w := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range w {
		if i >= len(g) || !bytes.Equal(g[i], w[i]) {
			have := "nothing"
			if i < len(g) {
				have = fmt.Sprintf("%.100q", g[i])
			}
			return fmt.Sprintf("line %d is %s instead of %.100q", i+1, have, w[i])
		}
	}
	return "more lines"
}

// TestShrink makes the random program of the seed COMUS_SHRINK smaller, as long as it is wrong.
func TestShrink(t *testing.T) {
	seed, err := strconv.Atoi(os.Getenv("COMUS_SHRINK"))
	if err != nil {
		t.Skip("COMUS_SHRINK is no seed")
	}
	judge := randc.NewJudge(t)
	file := filepath.Join(t.TempDir(), "r.c")
	wrong := func(src string) error {
		want, err := judge.Defined(src)
		if err != nil {
			return nil
		}
		if err := os.WriteFile(file, []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
		return randomOne(file, want)
	}
	src := randc.Program(uint64(seed), features())
	small := randc.Shrink(src, 3000, func(src string) bool { return wrong(src) != nil })
	fmt.Printf("%s\n%v\n", small, wrong(small))
}

// features are what random programs have.
func features() randc.Features {
	f := randc.All
	for _, name := range strings.Fields(os.Getenv("COMUS_FEATURES")) {
		f |= randc.Named(name)
	}
	return f
}
