package read

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestTorture reads the files that COMUS_TORTURE names and tells which cannot be read. It is run
// by hand, with gcc's torture tests:
//
//	COMUS_TORTURE=$(go list -m -f '{{.Dir}}' modernc.org/ccorpus2)/assets/gcc-9.1.0/gcc/testsuite/gcc.c-torture/execute/*.c go test -run Torture -v ./cfront/read
func TestTorture(t *testing.T) {
	files, _ := filepath.Glob(os.Getenv("COMUS_TORTURE"))
	if len(files) == 0 {
		t.Skip("COMUS_TORTURE names no files")
	}
	failed, slow := 0, time.Duration(0)
	for _, f := range files {
		start := time.Now()
		_, _, err := readC(t, f, Options{NoHost: os.Getenv("COMUS_NOHOST") != ""}, strings.Fields(os.Getenv("COMUS_TORTURE_FLAGS"))...)
		if took := time.Since(start); took > time.Second {
			t.Log(f, took)
		}
		slow = max(slow, time.Since(start))
		if err != nil {
			failed++
			t.Log(err)
		}
	}
	t.Logf("%d of %d are read, the slowest in %v", len(files)-failed, len(files), slow)
}
