package replay_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"comus/ir"
	"comus/replay"
)

// unseen are the programs whose violation a sanitizer cannot see, and why.
var unseen = map[string]string{
	"release_sequence_store_unsafe": "for ThreadSanitizer a relaxed store does not end a release sequence",
}

// TestSanitizers runs the executions of programs that race, with ThreadSanitizer: it has to report one race, of the lines of the execution. Some
// programs are run once; with COMUS_RUNS all are run that often.
func TestSanitizers(t *testing.T) {
	runs, every := 1, 4
	if n, err := strconv.Atoi(os.Getenv("COMUS_RUNS")); err == nil {
		runs, every = n, 1
	}
	k := 0
	for _, x := range programs(t) {
		if !x.check.Race {
			continue
		}
		if k++; k%every != 0 {
			continue
		}
		name := strings.TrimSuffix(filepath.Base(x.file), ".c")
		t.Run("thread/"+name, func(t *testing.T) {
			p, prog, sched, reason := execution(t, x)
			if reason != "" {
				t.Skip(reason)
			}
			files, err := replay.Weave(t.Context(), p, prog, sched)
			if err != nil {
				t.Fatal(err)
			}
			exe := buildWith(t, files, "thread")
			for range runs {
				out, code := outcome(t, exe)
				if err := judged(out, code, filepath.Base(x.file), linesOf(sched)); err != "" {
					if why := unseen[name]; why != "" {
						t.Skip(why)
					}
					t.Fatalf("%s\n%.3000s", err, out)
				}
			}
		})
	}
}

// linesOf returns the lines of the two accesses of a race.
func linesOf(sched ir.Schedule) []int {
	var lines []int
	for i, s := range sched.Steps {
		if strings.HasPrefix(s.Edge.Text, "stands before ") || i == len(sched.Steps)-1 {
			lines = append(lines, s.Edge.Pos.Line)
		}
	}
	slices.Sort(lines)
	return lines
}

var (
	accessLine = regexp.MustCompile(`(?i)^  (?:previous )?(?:atomic )?(?:read|write) of size`)
	frameLine  = regexp.MustCompile(`^    #\d+ .*?([^/ ]+\.c):(\d+)`)
)

// judged compares what ThreadSanitizer says with the lines of a race.
func judged(out string, code int, file string, want []int) string {
	reports := strings.Split(out, "WARNING: ThreadSanitizer: ")[1:]
	if len(reports) != 1 || code != 66 {
		return fmt.Sprintf("%d reports, exit code %d", len(reports), code)
	}
	var got []int
	looking := false
	for line := range strings.Lines(reports[0]) {
		if accessLine.MatchString(line) {
			looking = true
		}
		if m := frameLine.FindStringSubmatch(line); looking && m != nil && m[1] == file {
			n, _ := strconv.Atoi(m[2])
			got = append(got, n)
			looking = false
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		return fmt.Sprintf("lines %v instead of %v", got, want)
	}
	return ""
}

// buildWith compiles what was woven with a sanitizer.
func buildWith(t *testing.T, files []replay.File, sanitizer string) (exe string) {
	t.Helper()
	dir := t.TempDir()
	if d := os.Getenv("COMUS_KEEP"); d != "" {
		dir = d
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("make", "-s", "-C", dir, "SANITIZE="+sanitizer).CombinedOutput(); err != nil {
		t.Fatalf("make: %v\n%.2000s", err, out)
	}
	return filepath.Join(dir, "replay-"+sanitizer)
}
