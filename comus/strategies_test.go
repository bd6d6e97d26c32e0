package comus_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"comus/cfront"
	"comus/comus"
	"comus/ir/explore"
	"comus/seqmc"
)

// TestStrategies decides the examples with every strategy. A verdict is always the right
// one; those that a strategy is known to find quickly have to be found.
func TestStrategies(t *testing.T) {
	events := []string{"partial-order", "lazy", "eager"}
	for _, tt := range []struct {
		file       string
		want       seqmc.Verdict
		strategies []string // that decide it at once
	}{
		{"counter_lock", seqmc.Safe, append([]string{"explore", "unbounded"}, events...)},
		{"counter_race", seqmc.Unsafe, append([]string{"explore", "unbounded"}, events...)},
		{"dekker_broken", seqmc.Unsafe, append([]string{"explore", "unbounded"}, events...)},
		{"dekker", seqmc.Safe, []string{"explore", "unbounded"}},
		{"peterson", seqmc.Safe, []string{"explore", "unbounded"}},
		{"peterson_broken", seqmc.Unsafe, append([]string{"explore", "unbounded"}, events...)},
		{"producer_consumer", seqmc.Unsafe, append([]string{"explore"}, events...)},
		{"sum_matrix2", seqmc.Safe, append([]string{"unbounded"}, events...)},
		{"sum_matrix2_broken", seqmc.Unsafe, append([]string{"unbounded"}, events...)},
		{"sum_matrix3", seqmc.Safe, events},
		{"sum_matrix3_broken", seqmc.Unsafe, events},
	} {
		for _, s := range tt.strategies {
			t.Run(tt.file+"/"+s, func(t *testing.T) {
				t.Parallel()
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				r, err := comus.Verify(ctx, filepath.Join("..", "examples", tt.file+".c"), comus.Options{Strategy: s})
				if err != nil {
					t.Fatal(err)
				}
				if r.Verdict != tt.want || r.Engine != s {
					t.Errorf("%v of engine %s (%s), want %v", r.Verdict, r.Engine, r.Reason, tt.want)
				}
				if r.Certificate == nil {
					t.Error("there is no certificate")
				}
			})
		}
	}
}

// TestBlocked decides programs in which a thread waits forever, behind and before a write.
func TestBlocked(t *testing.T) {
	for file, want := range map[string]seqmc.Verdict{"blocked_after_write_safe": seqmc.Safe, "blocked_after_write_unsafe": seqmc.Unsafe} {
		for _, s := range []string{"modular", "partial-order", "lazy", "eager", "unbounded", "explore"} {
			r, err := comus.Verify(t.Context(), filepath.Join("../cfront/testdata/run", file+".c"), comus.Options{Strategy: s, Passes: []string{}})
			if err != nil || r.Verdict != want {
				t.Errorf("%s, %s: %v, %v, want %v", file, s, r, err, want)
			}
		}
	}
}

// TestTimeout gives strategies that deepen forever a program with loops.
func TestTimeout(t *testing.T) {
	for _, s := range []string{"partial-order", "lazy", "eager", "unbounded"} {
		t.Run(s, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			r, err := comus.Verify(ctx, "../examples/dekker.c", comus.Options{Strategy: s})
			if err != nil {
				t.Fatal(err)
			}
			if r.Verdict == seqmc.Unsafe || r.Verdict == seqmc.Unknown && r.Reason != "timeout" {
				t.Errorf("%v, %q", r.Verdict, r.Reason)
			}
			if r.Elapsed > 20*time.Second {
				t.Errorf("the timeout was noticed after %v", r.Elapsed)
			}
		})
	}
}

// TestStrategiesOnRunPrograms gives a third of the front end's test programs to
// partial-order (-comus.all: all), and some to lazy and eager: no verdict is wrong, and
// nearly all are found.
func TestStrategiesOnRunPrograms(t *testing.T) {
	files, err := filepath.Glob("../cfront/testdata/run/*.c")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d programs, %v", len(files), err)
	}
	decided, all := map[string]int{}, map[string]int{}
	for i, file := range files {
		if i%3 > 0 && !*fuzzEvery {
			continue
		}
		src, err := cfront.ParseFile(file, cfront.Options{})
		if err != nil {
			t.Fatal(err)
		}
		src.Program.Renumber()
		want, err := explore.Explore(t.Context(), src.Program, explore.Options{MaxStates: 100_000})
		if err != nil || want.Verdict == explore.Unknown {
			continue
		}
		strategies := []string{"partial-order"}
		if i%6 == 0 {
			strategies = append(strategies, "lazy")
		} else if i%6 == 3 {
			strategies = append(strategies, "eager")
		}
		for _, s := range strategies {
			ctx, cancel := context.WithTimeout(t.Context(), 700*time.Millisecond)
			r, err := comus.Verify(ctx, file, comus.Options{Strategy: s})
			cancel()
			if err != nil {
				t.Fatal(err)
			}
			all[s]++
			switch {
			case r.Verdict == seqmc.Unknown:
				t.Logf("%s: %s: %s", s, filepath.Base(file), r.Reason)
			case strings.EqualFold(r.Verdict.String(), want.Verdict.String()):
				decided[s]++
			default:
				t.Errorf("%s: %s is %v, not %v", s, file, want.Verdict, r.Verdict)
			}
		}
	}
	t.Logf("decided %v of %v", decided, all)
	for s, n := range all {
		if decided[s]*10 < n*8 {
			t.Errorf("%s decided %d of %d", s, decided[s], n)
		}
	}
}
