package explore_test

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"comus/internal/csource"
	"comus/internal/long"
	"comus/internal/randprog"
	"comus/ir"
	"comus/ir/explore"
	"comus/logic"
)

// both explores a program with and without reduction, confirms what is safe, and
// checks that the verdicts are the same. It returns the numbers of states.
func both(t *testing.T, p *ir.Program, opts explore.Options) (explore.Verdict, int, int) {
	t.Helper()
	opts.Recheck = true
	all := explored(t, p, opts)
	opts.Reduce = true
	some := explored(t, p, opts)
	for _, r := range []explore.Result{all, some} {
		if strings.Contains(r.Reason, "confirmed") {
			t.Fatalf("%s\n%s", r.Reason, p)
		}
	}
	if all.Verdict != some.Verdict && all.Verdict != explore.Unknown {
		t.Fatalf("%v, with reduction %v (%s)\n%s", all.Verdict, some.Verdict, some.Reason, p)
	}
	if all.Verdict == explore.Safe && some.States > all.States {
		t.Errorf("%d states, with reduction %d", all.States, some.States)
	}
	return all.Verdict, all.States, some.States
}

// sums are the states of many explorations that end with Safe.
type sums struct{ safe, unsafe, all, some int }

func (s *sums) add(v explore.Verdict, all, some int) {
	switch v {
	case explore.Safe:
		s.safe, s.all, s.some = s.safe+1, s.all+all, s.some+some
	case explore.Unsafe:
		s.unsafe++
	}
}

// TestReductionOfRandomPrograms has threads with loops and atomic locations
// anywhere, numbered in order and not.
func TestReductionOfRandomPrograms(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 0))
	var s sums
	for i := range long.N(1000, 150) {
		p := randomProgram(r)
		if i%2 == 0 {
			p.Renumber()
		}
		s.add(both(t, p, explore.Options{}))
	}
	t.Logf("%d safe, %d unsafe; the safe ones have %d states, with reduction %d", s.safe, s.unsafe, s.all, s.some)
	if few := long.N(100, 10); s.safe < few || s.unsafe < few || s.some >= s.all {
		t.Error("not a good mixture, or nothing reduced")
	}
}

func TestReductionOfRandomCPrograms(t *testing.T) {
	for _, opts := range []randprog.Options{{}, {Features: randprog.All}} {
		var s sums
		for seed := range uint64(long.N(150, 25)) {
			p := parse(t, randprog.Generate(seed+1000, opts))
			p.Renumber()
			s.add(both(t, p, explore.Options{MaxStates: 20_000}))
		}
		t.Logf("features %#x: %d safe, %d unsafe; the safe ones have %d states, with reduction %d", opts.Features, s.safe, s.unsafe, s.all, s.some)
		if few := long.N(20, 2); s.safe < few || s.unsafe < few || s.some >= s.all {
			t.Error("not a good mixture, or nothing reduced")
		}
	}
}

// TestReductionOfTheFrontEndsPrograms explores the programs that test the front
// end.
func TestReductionOfTheFrontEndsPrograms(t *testing.T) {
	files, err := filepath.Glob("../../cfront/testdata/run/*.c")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	var s sums
	for i, file := range files {
		if !long.Turn(i, 10) {
			continue
		}
		res, err := csource.ParseFile(file, csource.Options{})
		if err != nil {
			continue // refused on purpose, or reads other options
		}
		res.Program.Renumber()
		s.add(both(t, res.Program, explore.Options{MaxStates: 100_000, InputDomain: []logic.Value{logic.IntValue(0), logic.IntValue(-1), logic.IntValue(5)}}))
	}
	t.Logf("%d safe, %d unsafe; the safe ones have %d states, with reduction %d", s.safe, s.unsafe, s.all, s.some)
	if few := long.N(20, 2); s.safe < few || s.unsafe < few || s.some >= s.all {
		t.Error("not a good mixture, or nothing reduced")
	}
}

// TestReductionAlone has threads that share nothing but the end.
func TestReductionAlone(t *testing.T) {
	b := newBuilder()
	done := b.shared("done")
	for i := range 4 {
		th := b.p.NewThread("alone")
		x := b.shared(th.PC.Name() + ".x")
		end := b.seq(th.Entry, cmds(b.set(x, b.Int(1))), cmds(b.set(x, b.Int(2))), cmds(b.set(x, b.Int(3))))
		if i == 0 {
			b.fail(end, b.Ne(done.Sym, b.Int(0)))
		}
	}
	verdict, all, some := both(t, b.p, explore.Options{})
	if verdict != explore.Safe || all != 4*4*4*4 || some != 4*3+1 {
		t.Errorf("%v with %d states, with reduction %d", verdict, all, some)
	}
}

func TestLimits(t *testing.T) {
	res := explored(t, counters(5, true), explore.Options{MaxBytes: 1})
	if res.Verdict != explore.Unknown || !res.Limit || !strings.Contains(res.Reason, "take more than 0 MB") {
		t.Error(res)
	}
	calls := 0
	res, err := explore.Explore(context.Background(), counters(2, true), explore.Options{Recheck: true, Observe: func(int, int) { calls++ }})
	if err != nil || res.Verdict != explore.Safe || res.CheckTime <= 0 || res.Bytes <= 0 || calls == 0 {
		t.Error(res, err, calls)
	}
}
