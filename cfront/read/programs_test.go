package read

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"comus/cfront/command"
)

// readC reads a file with flags.
func readC(t testing.TB, file string, opts Options, flags ...string) (*Unit, []Warning, error) {
	t.Helper()
	invs, _, err := command.Parse(append(flags, file), "")
	if err != nil {
		t.Fatal(err)
	}
	return Read(context.Background(), invs[0], opts)
}

// TestPrograms reads the real programs of the shared folder.
func TestPrograms(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/tasks/programs/*.c")
	if len(files) == 0 {
		t.Skip("no programs")
	}
	for _, f := range files {
		start := time.Now()
		_, _, err := readC(t, f, Options{})
		took := time.Since(start)
		if err != nil {
			t.Error(err)
		}
		t.Logf("%-25s %v", filepath.Base(f), took.Round(time.Millisecond))
	}
}

func parseOne(t testing.TB, file string, flags ...string) command.Invocation {
	t.Helper()
	invs, _, err := command.Parse(append(flags, file), "")
	if err != nil {
		t.Fatal(err)
	}
	return invs[0]
}
