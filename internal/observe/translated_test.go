package observe_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir"
	"comus/internal/long"
	"comus/internal/observe"
	"comus/internal/randapp"
	"comus/ir"
	"comus/ir/explore"
	"comus/logic"
	"comus/replay"
	"comus/scan/pointsto"
	"comus/specialise"
)

var (
	translated = flag.Int("ordinary.translated", 3, "number of random ordinary programs whose translations are compared with runs")
	states     = flag.Int("ordinary.states", 10_000, "states of a translation that are visited; 0: none")
)

// translation is a program and what package specialise makes of it for a property.
type translation struct {
	read *cir.Program
	prog *ir.Program
}

// translate takes a program apart. The reason says why it cannot be.
func translate(ctx context.Context, file, property string) (t translation, reason string, err error) {
	loaded, err := cfront.Load(ctx, []command.Invocation{{File: file}}, cfront.Options{})
	if err != nil {
		return t, "", fmt.Errorf("load: %w", err)
	}
	pts, err := pointsto.Analyse(ctx, loaded.Program)
	if err != nil {
		return t, "", fmt.Errorf("points: %w", err)
	}
	about, err := specialise.ChecksNamed([]string{property})
	if err != nil {
		return t, "", err
	}
	res, err := specialise.Specialise(ctx, loaded.Program, pts, specialise.Options{Check: about})
	if err != nil {
		return t, err.Error(), nil
	}
	if err := res.Program.Check(); err != nil {
		return t, "", fmt.Errorf("check: %w", err)
	}
	res.Program.Renumber()
	return translation{loaded.Program, res.Program}, "", nil
}

// compareTranslation compares the translation of a program for a property with runs: those that it has to follow, and, as far as all its states can be visited,
// its verdict with what is known. It counts what came of it.
func compareTranslation(ctx context.Context, p *randapp.Program, file, property string, seen observe.Seen, tally map[string]int) (out []fault) {
	t, reason, err := translate(ctx, file, property)
	switch {
	case err != nil:
		return []fault{{"exit", property + ": " + err.Error()}}
	case reason != "" || len(t.prog.Bounded) > 0:
		tally["not translated"]++
		return nil
	}
	for seed := range uint64(4) {
		v, err := replay.Validate(ctx, t.read, t.prog, replay.ValidateOptions{Seed: p.Seed + seed, MaxSteps: 1500, Work: 3000, Asserts: property == specialise.Assert, Wakeups: property == specialise.Deadlock})
		switch {
		case err != nil:
			tally["not run"]++
		case v.Open:
			tally["open"]++
		case v.Lost != "":
			return []fault{{"lost " + property, fmt.Sprintf("run %d, %d units: %s", v.Seed, v.Units, v.Lost)}}
		default:
			tally["followed"]++
		}
	}
	if *states == 0 {
		return nil
	}
	r, err := explore.Explore(ctx, t.prog, explore.Options{MaxStates: *states, Reduce: true, InputDomain: domain})
	if err != nil {
		return []fault{{"exit", property + ": explore: " + err.Error()}}
	}
	tally["explored "+property+" "+r.Verdict.String()]++
	claim := p.Claim(property)
	switch {
	case r.Verdict == explore.Safe && seen[property] != "":
		out = append(out, fault{property + " SAFE", seen[property]})
	case r.Verdict == explore.Safe && claim == "UNSAFE" && len(t.prog.Bounded) == 0:
		out = append(out, fault{property + " SAFE?", "by the way it is made: " + p.Bug})
	case r.Verdict == explore.Unsafe && claim == "SAFE":
		if err := replay.Interpret(ctx, t.read, t.prog, r.Schedule); err == nil {
			out = append(out, fault{property + " UNSAFE", "the interpreter follows: " + r.Error.Text})
		} else if len(t.prog.Approximations()) == 0 {
			out = append(out, fault{property + " UNSAFE ir", "the interpreter does not follow: " + err.Error()})
		}
	}
	return out
}

// domain are values of inputs that are tried.
var domain = []logic.Value{logic.IntValue(0), logic.IntValue(1), logic.IntValue(2), logic.IntValue(5)}

// TestTranslated has translations of random ordinary programs follow their runs, and compares what their states show with what is known of the programs.
func TestTranslated(t *testing.T) {
	long.Only(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "p.c")
	tally := map[string]int{}
	start := time.Now()
	for i := range *translated {
		p := randapp.New(*first+uint64(i), randapp.Options{Right: *right})
		if *given != "" {
			text, err := os.ReadFile(*given)
			if err != nil {
				t.Fatal(err)
			}
			p = &randapp.Program{Text: string(text), Bug: "?"}
		}
		if err := os.WriteFile(file, []byte(p.Text), 0o600); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		seen, err := observe.Interpret(ctx, file, *runs, p.Seed)
		if err != nil {
			t.Errorf("seed %d: %v", p.Seed, err)
		}
		if testing.Verbose() {
			fmt.Printf("seed %d, %v, %.0f s\n", p.Seed, p.Idioms, time.Since(start).Seconds())
		}
		names := strings.Split(*checks, ",")
		for k := range 2 {
			property := names[(int(p.Seed)+k)%len(names)]
			for _, f := range compareTranslation(ctx, p, file, property, seen, tally) {
				if ctx.Err() != nil {
					tally["out of time"]++
					continue
				}
				t.Fail()
				fmt.Printf("seed %d (program %d, %.0f s), %v, bug %q: %s: %s\n", p.Seed, i+1, time.Since(start).Seconds(), p.Idioms, p.Bug, f.kind, firstLine(f.what))
				keep(t, p, f)
			}
		}
		cancel()
	}
	for _, k := range slices.Sorted(maps.Keys(tally)) {
		t.Logf("%6d %s", tally[k], k)
	}
	t.Logf("%d programs, %.0f s", *translated, time.Since(start).Seconds())
}
