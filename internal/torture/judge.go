package torture

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"comus/internal/randc"
)

// runLimit is how long a program may run.
const runLimit = 20 * time.Second

// Judge compiles the program at -O0 and runs it in an empty folder below dir. It
// returns what the program did, or a reason why there is nothing to compare with: a
// program that does not check itself has to do the same at -O2.
func (p Program) Judge(dir string) (r randc.Result, reason string, err error) {
	dir, err = os.MkdirTemp(dir, "torture")
	if err != nil {
		return r, "", err
	}
	defer os.RemoveAll(dir)
	exe := filepath.Join(dir, "program")
	if err := randc.CompileFiles(exe, p.Files, append([]string{"-O0"}, p.Flags...)...); err != nil {
		return r, "gcc: " + firstError(err.Error()), nil
	}
	if r, err = randc.RunIn(dir, exe, "", runLimit); err != nil {
		return r, "", err
	}
	if !p.checksItself() {
		if err := randc.CompileFiles(exe, p.Files, append([]string{"-O2"}, p.Flags...)...); err != nil {
			return r, "gcc -O2: " + firstError(err.Error()), nil
		}
		if other, err := randc.RunIn(dir, exe, "", runLimit); err != nil || !r.Same(other) {
			return r, "at -O2 it ends otherwise or prints something else", err
		}
	}
	switch {
	case r.TimedOut:
		reason = "out of time"
	case r.Signal != 0:
		reason = fmt.Sprintf("at -O0 it ends by a signal: %v", r.Signal)
	}
	return r, reason, nil
}

// checksItself reports whether the program ends with 0 whenever it is right, so that
// its exit code is no accident.
func (p Program) checksItself() bool { return strings.HasPrefix(p.Name, "gcc/") }

// firstError returns the first error in what gcc says, without the place.
func firstError(text string) string {
	for line := range strings.Lines(text) {
		if _, after, ok := strings.Cut(line, "error: "); ok {
			return strings.TrimSpace(after)
		}
		if _, after, ok := strings.Cut(line, "undefined reference to "); ok {
			return "undefined reference to " + strings.TrimSpace(after)
		}
	}
	first, _, _ := strings.Cut(text, "\n")
	return first
}
