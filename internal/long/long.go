// Package long says which tests run in `make test`, and which only in `make test-long`.
//
// A test run that people wait for has to end in minutes, and random series, whole suites and programs that take engines a minute have no end. So tests that are long say here what
// of them runs when: `make test` gives go test the flag -short, `make test-long` does not. A long test is skipped whole ([Only]), or has fewer rounds ([N]), or runs for some
// of its cases ([OneOf], [Turn]): these are chosen by number or name, so a run that fails fails again. docs/testing.md has the table of all of them; the test of this package keeps it complete.
package long

import (
	"hash/fnv"
	"testing"
)

// Only skips a test, or a case of one, unless the long ones run.
func Only(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("it runs in `make test-long`")
	}
}

// OneOf skips a case of a test unless the long ones run, or it is one of those that do otherwise: about one of n, by its name. Of few cases it may be none: [Turn] always has the first.
func OneOf(t testing.TB, n uint32) {
	t.Helper()
	h := fnv.New32a()
	h.Write([]byte(t.Name()))
	if testing.Short() && h.Sum32()>>8%n != 0 {
		t.Skip("it runs in `make test-long`")
	}
}

// Turn reports whether round i of a test runs: in short runs, one of n does.
func Turn(i, n int) bool { return !testing.Short() || i%n == 0 }

// N returns how many rounds a test has: all, or those of a short run.
func N(all, short int) int {
	if testing.Short() {
		return short
	}
	return all
}
