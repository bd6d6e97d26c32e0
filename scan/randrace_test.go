package scan_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"comus/cfront"
	"comus/cfront/command"
	"comus/cir/interp"
	"comus/cir/interp/sample"
	"comus/internal/randrace"
	"comus/scan"
	"comus/scan/pointsto"
	"comus/scan/slice"
)

// TestRandRace analyses random programs: what runs show to be a race is a suspect. More: COMUS_SCAN=2000, from COMUS_SEED.
func TestRandRace(t *testing.T) { randomPrograms(t, randrace.Program) }

// compareRuns analyses a program and runs it. The error is that a run shows a race which is none of the suspects.
func compareRuns(ctx context.Context, text string) (*scan.Result, int, error) {
	p, err := cfront.LoadText(ctx, command.Invocation{File: "r.c"}, []byte(text), cfront.Options{NoHost: true, Libraries: true})
	if err != nil {
		return nil, 0, err
	}
	pts, err := pointsto.Analyse(ctx, p.Program)
	if err != nil {
		return nil, 0, err
	}
	r, err := scan.Analyse(ctx, p.Program, pts, scan.Options{})
	if err != nil {
		return nil, 0, err
	}
	lines := linesOf(r)
	again, err := cfront.LoadText(ctx, command.Invocation{File: "r.c"}, []byte(text), cfront.Options{NoHost: true, Libraries: true})
	if err != nil {
		return nil, 0, err
	}
	again.Program.Assume.EffectiveTypes = true // they are kept to
	short, err := scan.Analyse(ctx, slice.Of(again.Program).Program, nil, scan.Options{})
	if err != nil {
		return nil, 0, err
	}
	ofSlice := linesOf(short)
	runs, err := sample.Run(ctx, p.Program, sample.Options{Runs: 12, Races: true, MaxSteps: 1 << 16})
	if err != nil && strings.HasPrefix(err.Error(), "cir/interp: ") { // the sections of the program do not fit together
		return r, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	for _, f := range runs.Races {
		a, b := f.What.First, f.What.Second
		if !ofSlice[[2]int{min(a.Site.Pos.Line, b.Site.Pos.Line), max(a.Site.Pos.Line, b.Site.Pos.Line)}] {
			return nil, 0, fmt.Errorf("with seed %d, a run shows a race that is no suspect of the slice: %s and %s of %s", f.Seed, sideText(a), sideText(b), f.What.Object)
		}
		if !lines[[2]int{min(a.Site.Pos.Line, b.Site.Pos.Line), max(a.Site.Pos.Line, b.Site.Pos.Line)}] {
			return nil, 0, fmt.Errorf("with seed %d, a run shows a race that is no suspect: %s and %s of %s", f.Seed, sideText(a), sideText(b), f.What.Object)
		}
	}
	return r, len(runs.Races), nil
}

// linesOf returns the lines of the suspects, in pairs.
func linesOf(r *scan.Result) map[[2]int]bool {
	lines := map[[2]int]bool{}
	for _, l := range r.Locations {
		for _, s := range l.Suspects {
			a, b := s.A.Site.Pos.Line, s.B.Site.Pos.Line
			lines[[2]int{min(a, b), max(a, b)}] = true
		}
	}
	return lines
}

// sideText describes an access.
func sideText(s interp.Side) string {
	what := "a read"
	if s.Write {
		what = "a write"
	}
	return fmt.Sprintf("%s at line %d by thread %d", what, s.Site.Pos.Line, s.Thread)
}
