package seahorn

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"comus/seqmc"
	"comus/seqmc/external"
)

// The test binary stands in for sea: it serves the recordings of the real one, and
// refuses everything else.
func TestMain(m *testing.M) {
	if dir := os.Getenv("COMUS_RECORDINGS"); dir != "" {
		os.Exit(serve(dir, os.Args[1:]))
	}
	os.Exit(m.Run())
}

// serve plays the recording with the same program and the same options; --inline makes
// no difference to the recorded programs, which have one function.
func serve(recordings string, args []string) int {
	input, err := os.ReadFile(args[len(args)-1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 98
	}
	names, _ := filepath.Glob(filepath.Join(recordings, "*"))
	for _, dir := range names {
		meta := readMeta(dir)
		words := strings.Fields(meta["cmd"])
		recorded, _ := os.ReadFile(filepath.Join(dir, words[len(words)-1]))
		if string(recorded) != string(input) || !slices.Equal(options(words[1:]), options(args)) {
			continue
		}
		stdout, _ := os.ReadFile(filepath.Join(dir, "STDOUT"))
		stderr, _ := os.ReadFile(filepath.Join(dir, "STDERR"))
		os.Stdout.Write(stdout)
		os.Stderr.Write(stderr)
		if harness, err := os.ReadFile(filepath.Join(dir, "harness.ll")); err == nil {
			if err := os.WriteFile("harness.ll", harness, 0o600); err != nil {
				return 98
			}
		}
		code, _ := strconv.Atoi(meta["exit"])
		return code
	}
	fmt.Fprintln(os.Stderr, "error: not recorded")
	return 99
}

// options returns the options of a command line, sorted, without the program and those
// that make no difference.
func options(args []string) []string {
	var out []string
	for _, a := range args[:len(args)-1] {
		if strings.HasPrefix(a, "--cex=") {
			a = "--cex"
		}
		if a != "--inline" {
			out = append(out, a)
		}
	}
	slices.Sort(out)
	return out
}

func readMeta(dir string) map[string]string {
	text, _ := os.ReadFile(filepath.Join(dir, "META"))
	m := map[string]string{}
	for _, line := range strings.Split(string(text), "\n") {
		if k, v, ok := strings.Cut(line, ": "); ok {
			m[k] = v
		}
	}
	return m
}

// TestRecordings runs the backend on recorded runs.
func TestRecordings(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	recordings, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("COMUS_RECORDINGS", recordings)
	for _, tt := range []struct {
		dir, file string
		want      seqmc.Verdict
		reason    string
	}{
		{"cexbv_u1", "u1.c", seqmc.Unsafe, ""},
		{"cexbv_u2", "u2.c", seqmc.Unsafe, ""},
		{"cexbv_u3", "u3.c", seqmc.Unsafe, ""},
		{"cexbv_u4", "u4.c", seqmc.Unsafe, ""},
		{"cexbv_u4l", "u4l.c", seqmc.Unsafe, ""},
		{"cexbv_u6", "u6.c", seqmc.Unsafe, ""},
		{"cexbv_u7", "u7.c", seqmc.Unsafe, ""},
		{"spur_rng2_bvcex", "rng2.c", seqmc.Unknown, "spurious"},
		{"pf_synerr", "synerr.c", seqmc.Unknown, "error: not recorded"}, // with other options
	} {
		t.Run(tt.dir, func(t *testing.T) {
			dir := t.TempDir()
			text, err := os.ReadFile(filepath.Join("testdata", tt.dir, tt.file))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "prog.c"), text, 0o600); err != nil {
				t.Fatal(err)
			}
			ans, err := (&Tool{Command: exe}).Run(t.Context(), dir)
			if err != nil || ans.Verdict != tt.want || !strings.Contains(ans.Reason, tt.reason) {
				t.Errorf("%v (%s), %v", ans.Verdict, ans.Reason, err)
			}
		})
	}
}

// TestVerdict reads the verdicts of recorded runs with other options.
func TestVerdict(t *testing.T) {
	for dir, want := range map[string]string{
		"pf_t1": "SAFE", "pf_u2": "UNSAFE", "lim_depth": "UNKNOWN: it cannot decide this", "mem_div2": "UNKNOWN: out of time",
		"pf_synerr": "UNKNOWN: synerr.c:", "pf_noassert": "SAFE", "pf_asrt": "SAFE", "pf_badflag": "SAFE",
		"to_div2": "UNKNOWN: out of time", "to_div2_cpu2": "UNKNOWN: no verdict, exit code 247",
		"pf_missing": "UNKNOWN: clang: error: no such file", "pf_nofile": "UNKNOWN: sea pf: error: the following",
	} {
		stdout, err := os.ReadFile(filepath.Join("testdata", dir, "STDOUT"))
		if err != nil {
			t.Fatal(err)
		}
		stderr, _ := os.ReadFile(filepath.Join("testdata", dir, "STDERR"))
		exit, _ := strconv.Atoi(readMeta(filepath.Join("testdata", dir))["exit"])
		ans := Verdict(&external.Output{Stdout: stdout, Stderr: stderr, Exit: exit})
		got := ans.Verdict.String()
		if ans.Verdict == seqmc.Unknown {
			got += ": " + ans.Reason
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", dir, got, want)
		}
	}
}

// TestHarness reads the values of recorded harnesses.
func TestHarness(t *testing.T) {
	for dir, want := range map[string]map[string][]int64{
		"cexbv_u1":  {"nd_a": {29}, "nd_b": {19}},
		"cexbv_u2":  {"nd_n": {4}, "nd_v": {1, 1, 2, 3}},
		"cexbv_u3":  {"nd_bool": {0}, "nd_int": {42}, "nd_uint": {13}, "nd_char": {120}, "nd_uchar": {200}, "nd_short": {-5}, "nd_ll": {-123456789012}},
		"cexbv_u4l": {"nd_idx": {3, 0}, "nd_elem": {17, 0, 0}},
		"cexbv_u6":  {"__VERIFIER_nondet_bool": {1, 1}, "__VERIFIER_nondet_int": {3, 3}, "__VERIFIER_nondet_uint": {99, 99}},
		"cexbv_u7":  {"nd_dead": {0, 0, 0, 0}},
		"cexbv_u4":  {"nd_elem": {0, 0, -3, 0, 0, 17, 0, 0}, "nd_idx": {5}},
	} {
		text, err := os.ReadFile(filepath.Join("testdata", dir, "harness.ll"))
		if err != nil {
			t.Fatal(err)
		}
		got, err := Harness(text)
		if err != nil {
			t.Fatal(err)
		}
		for f, values := range want {
			if !slices.Equal(got[f], values) {
				t.Errorf("%s: %s has %v, want %v (%v)", dir, f, got[f], values, got)
			}
		}
	}
	for _, broken := range []string{"@0 = private constant [2 x i32] [i32 4]", "@0 = private constant [1 x i32] [i32 x]"} {
		if _, err := Harness([]byte(broken)); err == nil {
			t.Errorf("accepted: %s", broken)
		}
	}
}

// TestMissing runs a sea that is not there.
func TestMissing(t *testing.T) {
	_, err := (&Tool{Command: "no-sea"}).Run(t.Context(), t.TempDir())
	if err == nil || !strings.Contains(err.Error(), `no command "no-sea"`) {
		t.Error(err)
	}
}
