package replay_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir"
	"comus/internal/long"
	"comus/ir"
	"comus/replay"
	"comus/scan/pointsto"
	"comus/specialise"
)

// suites are where programs lie.
var suites = []string{"../examples/*.c", "../cfront/testdata/*/*.c", "../comus/testdata/*/*.c", "testdata/*.c"}

// apart takes a program apart for a property.
func apart(t testing.TB, x program) (*cir.Program, *ir.Program, string) {
	loaded, err := cfront.Load(t.Context(), []command.Invocation{{File: x.file, Flags: command.Flags{ILP32: os.Getenv("COMUS_ILP32") != ""}}}, cfront.Options{})
	if err != nil {
		return nil, nil, "load: " + err.Error()
	}
	p := loaded.Program
	pts, err := pointsto.Analyse(t.Context(), p)
	if err != nil {
		return nil, nil, "points: " + err.Error()
	}
	res, err := specialise.Specialise(t.Context(), p, pts, specialise.Options{Check: x.check})
	if err != nil {
		return nil, nil, "specialise: " + err.Error()
	}
	res.Program.Renumber()
	return p, res.Program, ""
}

// checkOf returns the properties that a program's first line names.
func checkOf(t testing.TB, file string) specialise.Checks {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	var names []string
	for _, flag := range strings.Fields(first) {
		if list, ok := strings.CutPrefix(flag, "--check="); ok {
			names = strings.Split(list, ",")
		}
	}
	if len(names) > 1 || names != nil && names[0] == "all" {
		names = nil
	}
	checks, err := specialise.ChecksNamed(names)
	if err != nil {
		return specialise.Checks{}
	}
	return checks
}

// orderUnseen are programs in which it is not seen which of two accesses was first: a struct that is passed by value, a lock that is tried. So it is not known either
// whether an assertion fails.
var orderUnseen = map[string]bool{"struct_result_steps_unsafe.c": true, "rwlock_try_unsafe.c": true}

// TestValidate has the programs of ir of a part of the suites, with COMUS_ALL of all of them, or of the folders COMUS_FOLDER, follow runs of the programs. Those that
// are unsafe TestInterpret has, too; whatever is proved is validated then.
func TestValidate(t *testing.T) {
	patterns := suites
	if dir := os.Getenv("COMUS_FOLDER"); dir != "" {
		patterns = strings.Split(dir, ",")
	}
	followed, open, none, steps := 0, 0, 0, 0
	all := os.Getenv("COMUS_ALL") != "" || os.Getenv("COMUS_FOLDER") != ""
	for _, pattern := range patterns {
		files, _ := filepath.Glob(pattern)
		for i, file := range files {
			if !strings.Contains(file, os.Getenv("COMUS_ONLY")) || !all && i%long.N(8, 80) != 0 {
				continue
			}
			check := checkOf(t, file)
			t.Run(file, func(t *testing.T) {
				p, prog, reason := apart(t, program{file, check})
				if reason != "" || len(prog.Bounded) > 0 {
					none++
					t.Skip(reason, prog == nil)
				}
				start := time.Now()
				for seed := range uint64(4) {
					v, err := replay.Validate(t.Context(), p, prog, replay.ValidateOptions{Seed: seed, Asserts: !check.NoAssert && !orderUnseen[filepath.Base(file)], Wakeups: check.Deadlock})
					if err != nil {
						none++
						t.Skip(err)
					}
					switch {
					case v.Open:
						open++
						t.Logf("seed %d: open, %d units, %d steps", seed, v.Units, v.Steps)
					case v.Lost != "":
						t.Errorf("seed %d, %d units: %s", seed, v.Units, v.Lost)
						return
					default:
						followed++
						steps += v.Steps
					}
				}
				if d := time.Since(start); d > 200*time.Millisecond {
					t.Logf("takes %v", d)
				}
			})
		}
	}
	t.Logf("%d runs followed, %d steps, %d open, %d programs are none", followed, steps, open, none)
}
