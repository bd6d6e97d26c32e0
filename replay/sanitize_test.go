package replay_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"comus/internal/long"
	"comus/ir"
	"comus/replay"
)

// unseen are the programs whose violation a sanitizer cannot see, and why.
var unseen = map[string]string{
	"memory_uninitialised_unsafe":   "gcc has no sanitizer for indeterminate values",
	"free_order_unsafe":             "the report of a free names no line of the program",
	"free_read_unsafe":              "the report of a free names no line of the program",
	"main_ends_local_unsafe":        "main's stack is still there when it has ended",
	"read_part_unsafe":              "the replay's input is written by its own runtime",
	"snprintf_target_unsafe":        "the replay's output is written by its own runtime",
	"timeout_unsafe":                "the report names no line of the program for what the library reads",
	"release_sequence_store_unsafe": "for ThreadSanitizer a relaxed store does not end a release sequence",
}

// Why executions are not confirmed that end in the library.
const (
	hiddenAccess = "the access is one of the library, which the interpreter makes in its own way"
	partLeft     = "an index that leaves an array but not what it is a part of is noted by the interpreter, and no end of the run"
	laterByte    = "the access is to a byte behind the first, in the middle of what is one instruction for the interpreter"
)

// unconfirmed are the programs whose executions the interpreter does not confirm, and why: these are open.
var unconfirmed = map[string]string{
	"neighbour_unsafe":                partLeft,
	"union_member_unsafe":             partLeft,
	"heap_mutex_uninitialised_unsafe": "it rests on what a lock holds that was never initialised",
	"thread_own_unsafe":               "the interpreter sees the error in the step before, as the thread's own variables end there",
	"attributes_unsafe":               hiddenAccess,
	"attributes_destroyed_unsafe":     hiddenAccess,
	"cancel_state_unsafe":             hiddenAccess,
	"ceiling_unsafe":                  hiddenAccess,
	"creation_attribute_unsafe":       hiddenAccess,
	"environ_read_unsafe":             hiddenAccess,
	"environ_write_unsafe":            hiddenAccess,
	"file_name_unsafe":                hiddenAccess,
	"getenv_unsafe":                   hiddenAccess,
	"localtime_unsafe":                hiddenAccess,
	"memalign_target_unsafe":          hiddenAccess,
	"mutex_copied_unsafe":             hiddenAccess,
	"mutex_freed_unsafe":              hiddenAccess,
	"putchar_unsafe":                  hiddenAccess,
	"rand_unsafe":                     hiddenAccess,
	"setlocale_unsafe":                hiddenAccess,
	"signal_set_unsafe":               hiddenAccess,
	"srand_unsafe":                    hiddenAccess,
	"sscanf_target_unsafe":            hiddenAccess,
	"stream_buffer_lock_unsafe":       hiddenAccess,
	"stream_lock_unsafe":              hiddenAccess,
	"stream_shared_unsafe":            hiddenAccess,
	"strerror_unsafe":                 hiddenAccess,
	"strtok_unsafe":                   hiddenAccess,
	"fwrite_part_unsafe":              laterByte,
	"precision_unsafe":                laterByte,
	"printf_string_unsafe":            laterByte,
	"vprintf_string_unsafe":           laterByte,
	"bitfield_apart_unsafe":           "adjacent bit-fields are one memory location, but the interpreter sees different bytes",
	"bitfield_bytes_unsafe":           "adjacent bit-fields are one memory location, but the interpreter sees different bytes",
	"bitfields_heap_unsafe":           "adjacent bit-fields are one memory location, but the interpreter sees different bytes",
	"bitfields_anonymous_unsafe":      "adjacent bit-fields are one memory location, but the interpreter sees different bytes",
	"latch_unsafe":                    "the beginning of a local's life in a loop is out of step",
	"nested_monitor_unsafe":           "the beginning of a local's life in a loop is out of step",
	"shutdown_unsafe":                 "the beginning of a local's life in a loop is out of step",
	"partial_two_conditions_unsafe":   "the beginning of a local's life in a loop is out of step",
	"unset_written_part_unsafe":       "what a read does not read is written by the replay, too",
	"other_thread_stack_unsafe":       "the end of a function is not an instruction where the execution stops",
	"published_local_unsafe":          "the end of a function is not an instruction where the execution stops",
}

// TestSanitizers runs the executions of programs that race, wait for ever, or misuse memory. ThreadSanitizer has to report one race,
// of the execution's accesses with the calls that led to them; the threads of a deadlock have to hang where they do in it; AddressSanitizer has
// to report the line and the calls. Of the
// programs some are run once; with COMUS_RUNS all are run that often.
func TestSanitizers(t *testing.T) {
	runs, every := 1, long.N(9, 90)
	if n, err := strconv.Atoi(os.Getenv("COMUS_RUNS")); err == nil {
		runs, every = n, 1
	}
	k := 0
	for _, x := range programs(t) {
		kind, judge := "", judged
		switch {
		case x.check.Race:
			kind = "thread"
		case x.check.Deadlock:
			kind, judge = "deadlock", judgedHang
		case x.check.Memory && strings.Contains(x.file, "/run/"):
			kind, judge = "address", judgedLine
		default:
			continue
		}
		if k++; k%every != 0 {
			continue
		}
		name := strings.TrimSuffix(filepath.Base(x.file), ".c")
		t.Run(kind+"/"+name, func(t *testing.T) {
			p, prog, sched, reason := execution(t, x)
			if reason != "" {
				t.Skip(reason)
			}
			files, err := replay.Weave(t.Context(), p, prog, sched)
			switch {
			case errors.Is(err, replay.ErrInterrupts): // the interpreter has followed the execution
				t.Skip(err)
			case err != nil && unconfirmed[name] != "":
				t.Skip(unconfirmed[name])
			case err != nil:
				t.Fatal(err)
			}
			exe := ""
			if kind == "deadlock" {
				exe = build(t, files)
			} else {
				exe = buildWith(t, files, kind)
			}
			for range runs {
				out, code := outcome(t, exe)
				if err := judge(out, code, filepath.Base(x.file), placesOf(sched)); err != "" {
					if why := unseen[name]; why != "" {
						t.Skip(why)
					}
					t.Fatalf("%s\n%.3000s", err, out)
				}
			}
		})
	}
}

var waitLine = regexp.MustCompile(`(?m)^comus replay: thread \d+ waits at [^:]*:(\d+): `)

// judgedHang compares where threads wait.
func judgedHang(out string, code int, _ string, stacks []string) string {
	var got, want []string
	for _, m := range waitLine.FindAllStringSubmatch(out, -1) {
		got = append(got, m[1])
	}
	for _, s := range stacks {
		line, _, _ := strings.Cut(s, " ")
		want = append(want, line)
	}
	slices.Sort(got)
	slices.Sort(want)
	if code != 5 || !slices.Equal(got, want) {
		return fmt.Sprintf("exit code %d, lines %v instead of %v", code, got, want)
	}
	return ""
}

// judgedLine compares the first stack that AddressSanitizer reports.
func judgedLine(out string, code int, file string, want []string) string {
	_, report, _ := strings.Cut(out, "ERROR: AddressSanitizer: ")
	if got := stackIn(report, file); got != want[len(want)-1] {
		return fmt.Sprintf("exit code %d, lines %q instead of %q", code, got, want)
	}
	return ""
}

// stackIn returns the lines of a file in the first stack that a sanitizer reports, innermost first.
func stackIn(report, file string) string {
	var lines []string
	for line := range strings.Lines(report) {
		if m := frameLine.FindStringSubmatch(line); m != nil && m[1] == file {
			lines = append(lines, m[2])
		} else if m == nil && len(lines) > 0 && !strings.HasPrefix(line, "    #") {
			break
		}
	}
	return strings.Join(lines, " ")
}

// placesOf returns the lines of the two accesses of a race, of the waits of a deadlock, or of another error, each with those of the calls that
// led there, innermost first.
func placesOf(sched ir.Schedule) []string {
	var out []string
	add := func(in *ir.Frame, at ir.Pos) {
		var lines []string
		calls, _ := in.Stack(at)
		for _, c := range calls {
			if c.Pos.Line > 0 {
				lines = append(lines, strconv.Itoa(c.Pos.Line))
			}
		}
		out = append(out, strings.Join(lines, " "))
	}
	for _, s := range sched.Steps {
		if p := s.Edge.Tells; p != nil {
			add(p.In, p.Pos)
		}
	}
	last := sched.Steps[len(sched.Steps)-1].Edge.To
	add(last.Frame, last.Pos)
	return out
}

var (
	accessLine = regexp.MustCompile(`(?im)^  (?:previous )?(?:atomic )?(?:read|write) of size`)
	frameLine  = regexp.MustCompile(`^    #\d+ .*?([^/ ]+\.c):(\d+)`)
)

// judged compares what ThreadSanitizer says with the accesses of a race.
func judged(out string, code int, file string, want []string) string {
	reports := strings.Split(out, "WARNING: ThreadSanitizer: ")[1:]
	if len(reports) != 1 || code != 66 {
		return fmt.Sprintf("%d reports, exit code %d", len(reports), code)
	}
	var got []string
	for _, at := range accessLine.FindAllStringIndex(reports[0], -1) {
		got = append(got, stackIn(reports[0][at[0]:], file))
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		return fmt.Sprintf("lines %q instead of %q", got, want)
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
