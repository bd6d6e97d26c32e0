package scan_test

import (
	"context"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"comus/cfront"
	"comus/cfront/command"
	"comus/check/scancheck"
	"comus/cir/interp/sample"
	"comus/internal/long"
	"comus/internal/randrace"
	"comus/scan"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// TestRandBatch analyses random programs that create threads in loops: what runs show to be a race is a suspect. More: COMUS_SCAN=2000, from COMUS_SEED.
func TestRandBatch(t *testing.T) { randomPrograms(t, randrace.Batch) }

// TestRandSignals does so with programs whose threads wait for what others have done.
func TestRandSignals(t *testing.T) { randomPrograms(t, randrace.Signals) }

// TestRandSync does so with programs that synchronise in less common ways.
func TestRandSync(t *testing.T) { randomPrograms(t, randrace.Sync) }

// TestRandSyncForged has certificates that claim that locks exclude all pairs of accesses of such programs.
func TestRandSyncForged(t *testing.T) { forgedPrograms(t, randrace.Sync, certificate.Locked) }

// TestRandRounds does so with programs whose threads meet at barriers.
func TestRandRounds(t *testing.T) { randomPrograms(t, randrace.Rounds) }

// TestRandRoundsForged has certificates that claim that barriers order all accesses.
func TestRandRoundsForged(t *testing.T) { forgedPrograms(t, randrace.Rounds, certificate.Phased) }

// TestRandLatches does so with programs whose threads are counted.
func TestRandLatches(t *testing.T) { randomPrograms(t, randrace.Latches) }

// TestRandLatchesForged has certificates that claim that counters of threads order all accesses.
func TestRandLatchesForged(t *testing.T) { forgedPrograms(t, randrace.Latches, certificate.Latched) }

// TestRandJoined does so with programs that access what was a thread's where it was joined.
func TestRandJoined(t *testing.T) { randomPrograms(t, randrace.Joined) }

// TestRandJoinedForged has certificates that claim of all pairs that each thread accesses what is its own.
func TestRandJoinedForged(t *testing.T) { forgedPrograms(t, randrace.Joined, certificate.Apart) }

// TestRandJumps does so with programs that jump back.
func TestRandJumps(t *testing.T) { randomPrograms(t, randrace.Jumps) }

// TestRandJumpsForged has certificates that claim that creation and joins order all accesses.
func TestRandJumpsForged(t *testing.T) { forgedPrograms(t, randrace.Jumps, certificate.Ordered) }

// TestRandBatchForged has certificates that claim of every pair of accesses of random programs that each thread accesses what is its own: where
// runs show a race, no location that has this pair may be confirmed.
func TestRandBatchForged(t *testing.T) { forgedPrograms(t, randrace.Batch, certificate.Apart) }

// TestRandSignalsForged has certificates that claim that signals order all of them.
func TestRandSignalsForged(t *testing.T) {
	forgedPrograms(t, randrace.Signals, certificate.Signalled)
}

// forgedPrograms checks certificates of random programs that give a reason for what is suspected.
func forgedPrograms(t *testing.T, program func(uint64) string, reason string) {
	count, first := randomCount()
	if os.Getenv("COMUS_SCAN") == "" {
		count = uint64(long.N(20, 3))
	}
	confirmed, suspects, races := 0, 0, 0
	for i := range count {
		text := program(first + i)
		p, err := cfront.LoadText(t.Context(), command.Invocation{File: "r.c"}, []byte(text), cfront.Options{NoHost: true, Libraries: true})
		if err != nil {
			t.Fatal(err)
		}
		pts, err := pointsto.AnalyseOpen(t.Context(), p.Program)
		if err != nil {
			t.Fatal(err)
		}
		r, err := scan.Analyse(t.Context(), p.Program, pts, scan.Options{Certificate: true, Whole: true})
		if err != nil {
			t.Fatal(err)
		}
		forge(r.Certificate, reason)
		rep, err := scancheck.Check(t.Context(), p.Program, pts, r.Certificate)
		if err != nil {
			t.Fatalf("seed %d: %v", first+i, err)
		}
		wrong, right := map[[2]int]bool{}, map[[2]int]bool{} // by lines
		for k, l := range r.Locations {
			for _, s := range l.Suspects {
				a, b := s.A.Site.Pos.Line, s.B.Site.Pos.Line
				lines := [2]int{min(a, b), max(a, b)}
				suspects++
				if rep.Certified(k) {
					right[lines] = true
					confirmed++
				} else {
					wrong[lines] = true
				}
			}
		}
		runs, err := sample.Run(t.Context(), p.Program, sample.Options{Runs: 12, Races: true, MaxSteps: 1 << 16})
		if err != nil && strings.HasPrefix(err.Error(), "cir/interp: ") { // an error of the program's
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		races += len(runs.Races)
		for _, f := range runs.Races {
			a, b := f.What.First.Site.Pos.Line, f.What.Second.Site.Pos.Line
			if lines := [2]int{min(a, b), max(a, b)}; right[lines] && !wrong[lines] {
				t.Errorf("seed %d: a forged certificate is confirmed, and a run shows a race: %s and %s of %s\n%s", first+i, sideText(f.What.First), sideText(f.What.Second), f.What.Object, text)
			}
		}
	}
	t.Logf("%d programs: %d suspects, of which forged certificates of %d are confirmed; runs show %d", count, suspects, confirmed, races)
}

// forge claims that nothing is suspected, for a reason.
func forge(c *certificate.Certificate, reason string) {
	for i := range c.Locations {
		l := &c.Locations[i]
		l.Suspected = false
		for k, why := range l.Pairs {
			if why == certificate.Suspect {
				l.Pairs[k] = reason
			}
		}
	}
}

// randomCount returns how many random programs are asked for, and from which seed on.
func randomCount() (count, first uint64) {
	count, first = uint64(long.N(30, 4)), 1
	if n, err := strconv.ParseUint(os.Getenv("COMUS_SCAN"), 10, 64); err == nil {
		count = n
	}
	if n, err := strconv.ParseUint(os.Getenv("COMUS_SEED"), 10, 64); err == nil {
		first = n
	}
	return count, first
}

// randomPrograms analyses random programs of a kind and compares with what runs show.
func randomPrograms(t *testing.T, program func(uint64) string) {
	count, first := randomCount()
	locations, free, suspects, races := 0, 0, 0, 0
	for i := range count {
		text := program(first + i)
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		r, found, err := compareRuns(ctx, text)
		cancel()
		if err != nil {
			t.Errorf("seed %d: %v\n%s", first+i, err, text)
			continue
		}
		f, s := r.RaceFree()
		locations, free, suspects, races = locations+len(r.Locations), free+f, suspects+s, races+found
	}
	t.Logf("%d programs: %d of %d locations are race-free, %d suspects, of which runs show %d", count, free, locations, suspects, races)
}

// TestRandQueues does so with programs whose containers transfer the ownership of objects.
func TestRandQueues(t *testing.T) { randomPrograms(t, randrace.Queues) }

// TestRandCounts does so with programs with objects that count their references.
func TestRandCounts(t *testing.T) { randomPrograms(t, randrace.Counts) }

// TestRandCountsForged has certificates that claim that references exclude all pairs of accesses of such programs.
func TestRandCountsForged(t *testing.T) { forgedPrograms(t, randrace.Counts, certificate.Counted) }

// TestRandLists does so with lists that are walked, and taken out as a whole.
func TestRandLists(t *testing.T) { randomPrograms(t, randrace.Lists) }
