package comus

import (
	"context"
	"flag"
	"fmt"
	"testing"
	"time"

	"comus/comus/confirm"
	"comus/cutpoints"
	"comus/envmove/locpairs"
	"comus/examples/gen"
	"comus/internal/csource"
	"comus/internal/long"
	"comus/internal/randprog"
	"comus/ir"
	"comus/ir/explore"
	"comus/ir/interp"
	"comus/partialorder"
)

var partialOrderPrograms = flag.Int("comus.partialorder", 130, "number of random programs whose executions are compared with the explorer")

// executionOf looks for an execution in which some thread fails, and replays it.
// With facts, the blocks are simplified first.
func executionOf(p *ir.Program, unwind int, facts bool) (blocks []*cutpoints.Block, main int, complete bool, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	graphs := cutpoints.Compute(p, cutpoints.Options{})
	if facts {
		known, err := locpairs.Analyze(ctx, p, graphs, locpairs.Options{})
		if err != nil {
			return nil, 0, false, err
		}
		known.Simplify()
	}
	complete = true
	for _, t := range p.Threads {
		if !t.HasErrors() {
			continue
		}
		opts := partialorder.Options{Main: t.Index, Unwind: unwind}
		blocks, all, err := partialorder.Find(ctx, p, graphs, opts)
		if err != nil {
			return nil, 0, false, err
		}
		complete = complete && all
		if blocks == nil {
			continue
		}
		if err := replaySteps(ctx, p, blocks); err != nil {
			return nil, 0, false, err
		}
		opts.Path = pathOf(t, blocks)
		again, all, err := partialorder.Find(ctx, p, graphs, opts)
		if err != nil || again == nil {
			return nil, 0, false, fmt.Errorf("with the path found: %d blocks, %v, %v", len(again), all, err)
		}
		return blocks, t.Index, all, replaySteps(ctx, p, again)
	}
	return nil, 0, complete, nil
}

func replaySteps(ctx context.Context, p *ir.Program, blocks []*cutpoints.Block) error {
	var edges []*ir.Edge
	for _, b := range blocks {
		edges = append(edges, b.Edges...)
	}
	sched, err := confirm.Schedule(ctx, p, edges, nil)
	if err != nil {
		return err
	}
	_, err = interp.Replay(p, sched)
	return err
}

// pathOf returns the blocks of a thread.
func pathOf(t *ir.Thread, blocks []*cutpoints.Block) []*cutpoints.Block {
	var path []*cutpoints.Block
	for _, b := range blocks {
		if b.From.Thread == t {
			path = append(path, b)
		}
	}
	return path
}

// TestPartialOrdersOnRandomPrograms compares the executions found with the
// explorer's verdicts: none in a safe program, and one in each unsafe program
// whose loops are not cut.
func TestPartialOrdersOnRandomPrograms(t *testing.T) {
	t.Parallel() // with others that take long, when the rest is done
	unsafe, found, proved, safe := 0, 0, 0, 0
	for seed := range uint64(*partialOrderPrograms) {
		if !long.Turn(int(seed), 8) {
			continue
		}
		opts := randprog.Options{}
		if seed%2 == 1 {
			opts.Features = randprog.All
		}
		src := randprog.Generate(seed, opts)
		parsed, err := csource.Parse("random.c", []byte(src), csource.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p := parsed.Program
		p.Renumber()
		want, err := explore.Explore(context.Background(), p, explore.Options{MaxStates: 200_000})
		if err != nil || want.Verdict == explore.Unknown {
			continue
		}
		blocks, _, complete, err := executionOf(p, 3, seed%4 > 1)
		if err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, src)
			continue
		}
		if want.Verdict == explore.Safe {
			safe++
			if complete {
				proved++
			}
			if blocks != nil {
				t.Errorf("seed %d: an execution of a safe program was replayed", seed)
			}
			continue
		}
		unsafe++
		if blocks != nil {
			found++
		} else if complete {
			t.Errorf("seed %d: no execution found, none left out\n%s", seed, src)
		}
	}
	t.Logf("%d of %d executions found; %d of %d safe programs complete", found, unsafe, proved, safe)
	if !testing.Short() && (unsafe < 50 || found < unsafe || safe < 50 || proved*10 < safe*8) {
		t.Errorf("too few")
	}
}

// measured are the generated programs to measure, with the threads of
// each and how often loops have to be gone around.
var measured = []struct {
	kind    string
	opts    gen.Options
	threads []int
	unwind  int
}{
	{"mat", gen.Options{}, []int{3, 6, 8, 12}, 0},
	{"pas", gen.Options{}, []int{3, 6, 8, 10}, 0},
	{"long", gen.Options{}, []int{3, 6, 8, 10}, 0},
	{"tree", gen.Options{}, []int{7, 15, 31}, 0},
	{"pipe", gen.Options{}, []int{3, 6}, 1},
	{"fib", gen.Options{}, []int{3, 5, 7}, 0},
	{"fib", gen.Options{Ring: true}, []int{3, 5, 7}, 0},
	{"pet", gen.Options{}, []int{2, 3}, 1},
}

// BenchmarkPartialOrders measures the search in unsafe programs, without a path
// and with that of the failing thread in what was found.
func BenchmarkPartialOrders(b *testing.B) {
	for _, c := range measured {
		for _, k := range c.threads {
			o := c.opts
			o.Threads, o.Unsafe = k, true
			name := fmt.Sprintf("%s-%d", c.kind, k)
			if o.Ring {
				name = fmt.Sprintf("%s-ring-%d", c.kind, k)
			}
			b.Run(name, func(b *testing.B) { benchmarkPartialOrders(b, c.kind, o, c.unwind) })
		}
	}
}

func benchmarkPartialOrders(b *testing.B, kind string, o gen.Options, unwind int) {
	src, err := gen.Generate(kind, o)
	if err != nil {
		b.Fatal(err)
	}
	parsed, err := csource.Parse(kind+".c", []byte(src), csource.Options{})
	if err != nil {
		b.Fatal(err)
	}
	p := parsed.Program
	p.Renumber()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	graphs := cutpoints.Compute(p, cutpoints.Options{})
	for _, t := range p.Threads {
		if !t.HasErrors() {
			continue
		}
		opts := partialorder.Options{Main: t.Index, Unwind: unwind}
		var blocks []*cutpoints.Block
		find := func(b *testing.B) {
			for b.Loop() {
				if blocks, _, err = partialorder.Find(ctx, p, graphs, opts); err != nil || blocks == nil {
					b.Fatalf("%d blocks, %v", len(blocks), err)
				}
			}
			if err := replaySteps(ctx, p, blocks); err != nil {
				b.Fatal(err)
			}
		}
		b.Run("any", find)
		opts.Path = pathOf(t, blocks)
		b.Run("path", find)
	}
}
