package cfront

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"comus/internal/randprog"
	"comus/ir/explore"
)

var (
	gccPrograms = flag.Int("gcc.programs", 40, "number of random sequential programs to compare with gcc")
	gccSeed     = flag.Uint64("gcc.seed", 1, "first seed of these programs")
)

// constructs are those that the programs of a seed may have; of every two programs
// one has all its variables written by another thread first, which leaves no
// constants.
func constructs(seed uint64) randprog.Construct {
	c := []randprog.Construct{0, randprog.Targets, randprog.Heap, randprog.Recursive, randprog.Texts, randprog.Tables,
		randprog.Targets | randprog.Heap | randprog.Recursive, randprog.Floats}[seed/2%8]
	if seed%2 == 1 {
		c |= randprog.Shared
	}
	return c
}

// TestAgainstGCC compares the results of random sequential programs with those of the
// host's C compiler: the program that asserts them is safe, and unsafe as soon as one
// of them is another. What the front end refuses is counted.
func TestAgainstGCC(t *testing.T) {
	dir := t.TempDir()
	refused, agree, unknown := map[string]int{}, 0, 0
	for i := range *gccPrograms {
		seed := *gccSeed + uint64(i)
		p := randprog.NewSequential(seed, constructs(seed))
		values := compiledResults(t, dir, p.Printing())
		err := sequentialVerdict(p.Asserting(values), explore.Safe)
		if err == nil {
			changed := seed % uint64(len(values))
			values[changed] = otherValue(values[changed])
			err = sequentialVerdict(p.Asserting(values), explore.Unsafe)
		}
		var parse *Error
		switch {
		case err == nil:
			agree++
		case errors.As(err, &parse):
			refused[parse.Msg]++
		case errors.Is(err, errUnknown): // results that only a library function knows
			unknown++
		default:
			t.Errorf("seed %d, constructs %d: %v\n%s", seed, constructs(seed), err, p.Asserting(values))
		}
	}
	t.Logf("%d of %d programs agree with gcc, %d are undecided; refused: %v", agree, *gccPrograms, unknown, refused)
	if agree < *gccPrograms/3 {
		t.Errorf("%d of %d programs were read only", agree, *gccPrograms)
	}
}

// otherValue returns a number beside v.
func otherValue(v string) string {
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil {
		return "0"
	}
	return strconv.FormatInt(n^1, 10)
}

// compiledResults compiles a program and returns what it prints.
func compiledResults(t *testing.T, dir, src string) []string {
	t.Helper()
	file, exe := filepath.Join(dir, "p.c"), filepath.Join(dir, "p")
	if err := os.WriteFile(file, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("cc", "-std=gnu11", "-w", "-O0", "-fwrapv", "-pthread", "-o", exe, file).CombinedOutput(); err != nil {
		t.Fatalf("cc: %v\n%s\n%s", err, out, src)
	}
	out, err := exec.Command(exe).Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return strings.Fields(string(out))
}

var errUnknown = errors.New("undecided")

// sequentialVerdict returns an *Error if the front end refuses the program, another
// error if its verdict is not want.
func sequentialVerdict(src string, want explore.Verdict) error {
	res, err := Parse("t.c", []byte(src), Options{Overflow: OverflowWrap})
	if err != nil {
		return err
	}
	r, err := explore.Explore(context.Background(), res.Program, explore.Options{MaxStates: 300_000})
	if err != nil {
		return err
	}
	if r.Verdict == explore.Unknown {
		return errUnknown
	}
	if r.Verdict != want {
		return fmt.Errorf("%v instead of %v", r.Verdict, want)
	}
	return nil
}
