package comus

import (
	"context"
	"fmt"

	"comus/bmc"
	"comus/check"
	"comus/cutpoints"
	"comus/internal/timing"
	"comus/ir"
	"comus/sequentialize/single"
	"comus/sequentialize/unwind"
)

// The strategies of the sequentializations. unbounded gives the sequential program of
// UL-CSeq to the sequential model checker: its certificate is one of this program, which
// the check makes again. lazy and eager search with more and more rounds and iterations
// for a violation, by one query each; if nothing was cut off and there are as many rounds
// as the threads have steps that others can see, there is none, and the check encodes all
// executions (check.Orders).

// unbounded decides the sequentialization without bounds.
func (v *verifier) unbounded(ctx context.Context) error {
	v.res.Engine = "unbounded"
	v.simpler = sequentialized(v.simpler, single.Unbounded(v.p))
	v.p = v.simpler.Program
	v.passesDone = append(v.passesDone, sequentialPass)
	v.graphs = cutpoints.Compute(v.p, cutpoints.Options{})
	cert := &check.Certificate{Format: check.Format, Version: check.Version, Assumptions: v.p.Assumptions}
	if !v.p.Threads[0].HasErrors() {
		return v.safe(ctx, cert)
	}
	run, blocks, err := v.mainThread(ctx, []int{0})
	switch {
	case err != nil:
		return err
	case blocks != nil:
		return v.unsafe(ctx, cert, blocks)
	}
	cert.Runs = append(cert.Runs, *run)
	return v.safe(ctx, cert)
}

// bounded searches with growing bounds.
func (v *verifier) bounded(ctx context.Context, method string) error {
	v.res.Engine = method
	cert := &check.Certificate{Format: check.Format, Version: check.Version, Assumptions: v.p.Assumptions}
	for k := 1; ; k++ {
		q, origin, err := unwind.Program(v.p, k)
		if err != nil {
			return err
		}
		s := single.Lazy
		if method == "eager" {
			s = single.Eager
		}
		seq := s(q, k)
		seq.Renumber()
		edges, err := v.findIn(ctx, seq)
		if err != nil {
			return err
		}
		if edges != nil {
			for i, e := range edges {
				edges[i] = origin[e]
			}
			return v.unsafeEdges(ctx, cert, v.simpler.Lift(edges))
		}
		if len(q.Bounded) == len(v.p.Bounded) && k >= visible(q) {
			return v.ordersSafe(ctx, cert)
		}
		v.log.Info("no violation", "rounds", k, "iterations", k)
		if k >= maxBound {
			return fmt.Errorf("no violation within %d rounds, loops gone around %d times", k, k)
		}
	}
}

// maxBound bounds the rounds.
const maxBound = 64

// findIn returns the steps of a violation in a sequentialization, nil if there is none.
func (v *verifier) findIn(ctx context.Context, seq *single.Program) ([]*ir.Edge, error) {
	if !seq.Threads[0].HasErrors() {
		return nil, nil
	}
	defer v.opts.Timings.Start(timing.Events)()
	path, err := bmc.Find(ctx, seq.Program, v.log.Named("bmc"))
	if err != nil || path == nil {
		return nil, err
	}
	return seq.Steps(path), nil
}

// visible returns how many steps that other threads can see an execution of a program
// without loops has at most.
func visible(p *ir.Program) int {
	n := 0
	tab := p.Symbols()
	for _, t := range p.Threads {
		longest := map[*ir.Loc]int{}
		var walk func(l *ir.Loc) int
		walk = func(l *ir.Loc) int {
			if k, ok := longest[l]; ok {
				return k
			}
			most := 0
			for _, e := range l.Out {
				k := walk(e.To)
				a := tab.CmdAccess(e.Cmds)
				for _, m := range []map[*ir.Var]bool{a.Reads, a.Writes} {
					for x := range m {
						if x != nil && x.Thread == ir.Shared {
							k++
							break
						}
					}
				}
				most = max(most, k)
			}
			longest[l] = most
			return most
		}
		n += walk(t.Entry)
	}
	return max(n, 1)
}
