package sample_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir/interp"
	"comus/cir/interp/sample"
)

// load reads a program's text.
func load(t testing.TB, text string, opts cfront.Options) *cfront.Program {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	p, err := cfront.Load(context.Background(), []command.Invocation{{File: file}}, opts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// source is the program with an empty SETUP if it has none of its own.
func source(p *program) string {
	s := p.text()
	if !strings.Contains(p.globals, "SETUP") {
		s = "#define SETUP ((void)0)\n" + s
	}
	return s
}

// TestRaces samples programs, of which all with a race show it, and no other.
func TestRaces(t *testing.T) {
	for i := range programs {
		p := &programs[i]
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			prog := load(t, source(p), cfront.Options{})
			r, err := sample.Run(context.Background(), prog.Program, sample.Options{Races: true, MaxSteps: 20000})
			if err != nil {
				t.Fatal(err)
			}
			if p.race != (len(r.Races) > 0) {
				t.Errorf("%d races in %d runs: %+v", len(r.Races), r.Runs, r.Outcomes)
				for _, x := range r.Races {
					t.Logf("seed %d: %s+%d: %+v %+v", x.Seed, x.What.Object, x.What.Offset, x.What.First, x.What.Second)
				}
			}
			for o, n := range r.Outcomes {
				if o != interp.Exited && o != interp.Limit && o != interp.Assumed && !p.race {
					t.Errorf("%d times %s: %v", n, o, r.Failures)
				}
			}
		})
	}
}

// TestSanitizer compares with ThreadSanitizer, which sees races in runs of the real program.
func TestSanitizer(t *testing.T) {
	if testing.Short() {
		t.Skip("runs programs for long")
	}
	dir := t.TempDir()
	build := func(name, text string) (string, error) {
		src, exe := filepath.Join(dir, name+".c"), filepath.Join(dir, name)
		if err := os.WriteFile(src, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("gcc", "-w", "-O0", "-g", "-fsanitize=thread", src, "-o", exe, "-lpthread", "-latomic").CombinedOutput()
		if err != nil {
			t.Log(string(out))
		}
		return exe, err
	}
	exe, err := build("empty", "int main(void) { return 0; }")
	if err != nil || exec.Command(exe).Run() != nil {
		t.Skip("no ThreadSanitizer here")
	}
	for i := range programs {
		p := &programs[i]
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			exe, err := build(strings.ReplaceAll(p.name, " ", "_"), source(p))
			if err != nil {
				t.Fatal(err)
			}
			seen := false
			for range 20 {
				ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
				out, _ := exec.CommandContext(ctx, exe).CombinedOutput()
				cancel()
				if seen = strings.Contains(string(out), "ThreadSanitizer: data race"); seen {
					break
				}
			}
			switch {
			case p.notTSan != "":
				if seen == p.race {
					t.Logf("agrees although: %s", p.notTSan)
				}
			case seen && !p.race:
				t.Error("ThreadSanitizer sees a race")
			case !seen && p.race:
				t.Error("ThreadSanitizer sees no race in 20 runs")
			}
		})
	}
}
