package replay_test

import (
	"context"
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
	"comus/ir/explore"
	"comus/logic"
	"comus/replay"
	"comus/scan/pointsto"
	"comus/specialise"
)

// program is a program that is unsafe with some checks.
type program struct {
	file  string
	check specialise.Checks
}

// programs returns the programs whose first line says that they are unsafe.
func programs(t testing.TB) []program {
	t.Helper()
	var out []program
	if folder := os.Getenv("COMUS_FOLDER"); folder != "" { // any programs: those that are found to be unsafe
		files, _ := filepath.Glob(filepath.Join(folder, "*.[ci]"))
		for _, f := range files {
			if strings.Contains(filepath.Base(f), os.Getenv("COMUS_ONLY")) && filepath.Base(f) >= os.Getenv("COMUS_FROM") {
				out = append(out, program{file: f})
			}
		}
		return out
	}
	for _, pattern := range []string{"../examples/*.c", "../cfront/testdata/run/*.c", "../cfront/testdata/language/*.c", "../cfront/testdata/locks/*.c", "../cfront/testdata/race/*.c", "../cfront/testdata/deadlock/*.c", "../cfront/testdata/memory/*.c", "../cfront/testdata/leak/*.c", "../cfront/testdata/cleanup/*.c", "testdata/*.c"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no programs %s: %v", pattern, err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			first, _, _ := strings.Cut(string(text), "\n")
			if strings.HasPrefix(first, "// expect: UNSAFE") && strings.Contains(filepath.Base(f), os.Getenv("COMUS_ONLY")) && filepath.Base(f) >= os.Getenv("COMUS_FROM") {
				c := specialise.Checks{Locks: strings.Contains(pattern, "locks"), Memory: strings.Contains(first, "--check=memory"),
					Race: strings.Contains(first, "--check=race"), Deadlock: strings.Contains(first, "--check=deadlock"),
					Leak: strings.Contains(first, "--check=leak"), Cleanup: strings.Contains(first, "--check=cleanup")}
				c.NoAssert = c.Deadlock // which are asked about alone
				out = append(out, program{f, c})
			}
		}
	}
	return out
}

var domain = []logic.Value{logic.IntValue(-1), logic.IntValue(0), logic.IntValue(1), logic.IntValue(2), logic.IntValue(5)}

// unfollowed are programs whose executions the interpreter does not follow, and why.
var unfollowed = map[string]string{
	"strings.c": "memset of an object of unknown shape is one instruction of cir and several steps, between which another thread runs",
}

// needInput are programs that fail for inputs which are not tried.
var needInput = map[string]bool{"locals.c": true}

// lost tells of why there is no execution whether it means that the program of ir does not fail, as far as it was tried: then package specialise
// has lost the executions of a program that does.
func lost(file, reason string) bool {
	limited := strings.HasPrefix(reason, "explore: UNKNOWN ") && !strings.Contains(reason, "restricted inputs")
	return !limited && !needInput[filepath.Base(file)] && reason != unfollowed[filepath.Base(file)] && os.Getenv("COMUS_FOLDER") == ""
}

// execution returns a program and an execution that fails, or why there is none.
func execution(t testing.TB, x program) (p *cir.Program, prog *ir.Program, sched ir.Schedule, reason string) {
	loaded, err := cfront.Load(t.Context(), []command.Invocation{{File: x.file, Flags: command.Flags{ILP32: os.Getenv("COMUS_ILP32") != ""}}}, cfront.Options{})
	if err != nil {
		return nil, nil, sched, "load: " + err.Error()
	}
	p = loaded.Program
	if why := unfollowed[filepath.Base(x.file)]; why != "" {
		return nil, nil, sched, why
	}
	pts, err := pointsto.Analyse(t.Context(), p)
	if err != nil {
		return nil, nil, sched, "points: " + err.Error()
	}
	var res *specialise.Result
	done := make(chan bool, 1)
	go func() {
		res, err = specialise.Specialise(t.Context(), p, pts, specialise.Options{Check: x.check})
		done <- true
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second): // it goes on, in vain
		return nil, nil, sched, "specialise: takes more than 10 s"
	}
	if err != nil {
		return nil, nil, sched, "specialise: " + err.Error()
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	r, err := explore.Explore(ctx, res.Program, explore.Options{MaxStates: 100_000, InputDomain: domain})
	if err != nil {
		return nil, nil, sched, "explore: " + err.Error()
	}
	if r.Verdict.String() != "UNSAFE" {
		return nil, nil, sched, "explore: " + r.Verdict.String() + " " + r.Reason
	}
	return p, res.Program, r.Schedule, ""
}

// TestInterpret follows the executions of unsafe programs with the interpreter: each has one.
func TestInterpret(t *testing.T) {
	confirmed, none := 0, 0
	for i, x := range programs(t) {
		if !long.Turn(i, 40) {
			continue
		}
		t.Run(filepath.Base(x.file), func(t *testing.T) {
			p, prog, sched, reason := execution(t, x)
			if reason != "" {
				none++
				if lost(x.file, reason) {
					t.Fatal(reason)
				}
				t.Skip(reason)
			}
			if os.Getenv("COMUS_STEPS") != "" {
				for i, s := range sched.Steps {
					t.Log(i, s.Edge.From.Thread.Index, s.Edge, s.Edge.Origin, s.Inputs)
				}
			}
			for seed := range uint64(2) {
				v, err := replay.Validate(t.Context(), p, prog, replay.ValidateOptions{Seed: seed, Wakeups: x.check.Deadlock})
				if err == nil && v.Lost != "" && len(prog.Bounded) == 0 {
					t.Errorf("the program of ir has not all executions: seed %d: %s", seed, v.Lost)
				}
			}
			if err := replay.Interpret(t.Context(), p, prog, sched); err != nil {
				if why := unconfirmed[strings.TrimSuffix(filepath.Base(x.file), ".c")]; why != "" {
					t.Skip(why)
				}
				t.Error(err)
				return
			}
			confirmed++
		})
	}
	t.Logf("%d confirmed, %d without an execution", confirmed, none)
}
