package check_test

import (
	"context"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/check"
	"comus/cutpoints"
	"comus/envmove/locpairs"
	"comus/ir"
	"comus/logic"
	"comus/query"
	"comus/seqmc/spacer"
)

// certify proves p with the modular algorithm and writes the certificate, without
// checking it; nil if p is not proved.
func certify(t testing.TB, p *ir.Program, seed bool, order ...int) *check.Certificate {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	p.Renumber()
	graphs := cutpoints.Compute(p, cutpoints.Options{})
	var facts *locpairs.Facts
	c := &check.Certificate{Format: check.Format, Version: check.Version, Verdict: "SAFE", Facts: "true"}
	if seed {
		var err error
		if facts, err = locpairs.Analyze(ctx, p, graphs, locpairs.Options{}); err != nil {
			t.Fatal(err)
		}
		c.Facts = facts.Invariant().SMTLIB()
	}
	c.Threads = describe(graphs)
	for _, th := range p.Threads {
		if !th.HasErrors() {
			continue
		}
		o := []int{th.Index}
		for i := range p.Threads {
			if i != th.Index {
				o = append(o, i)
			}
		}
		if len(order) > 0 && order[0] == th.Index {
			o = order
		}
		run := certifyRun(ctx, t, p, graphs, facts, o)
		if run == nil {
			return nil
		}
		c.Runs = append(c.Runs, *run)
	}
	return c
}

func certifyRun(ctx context.Context, t testing.TB, p *ir.Program, graphs []*cutpoints.Graph, facts *locpairs.Facts, order []int) *check.Run {
	t.Helper()
	log := hclog.NewNullLogger()
	h, err := query.New(p, graphs, facts, order, &spacer.Checker{Log: log}, log)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	h.Precise = &spacer.Checker{Ranges: true, Log: log}
	proof, _, err := h.Main(ctx)
	if err != nil || proof == nil {
		return nil
	}
	run := &check.Run{Order: order, Invariants: invariants(proof)}
	for i, m := range h.Moves {
		lv := check.Level{Seed: "true"}
		if m.Seeded() {
			lv.Seed = m.Seed(func(*ir.Var) bool { return true }).SMTLIB()
		}
		for _, r := range h.Refinements[i] {
			lv.Refinements = append(lv.Refinements, check.Refinement{Number: r.Number, Alpha: r.Alpha.SMTLIB(),
				Beta: r.Beta.SMTLIB(), Invariants: invariants(r.Proof)})
		}
		run.Levels = append(run.Levels, lv)
	}
	return run
}

func invariants(p *query.Proof) []check.Invariant {
	names := map[query.Phase]string{query.Normal: check.PhaseAt, query.Moved: check.PhaseMoved, query.BeforeOnly: check.PhaseBefore}
	var out []check.Invariant
	for pl, f := range p.Invariants {
		if !f.IsFalse() {
			out = append(out, check.Invariant{Loc: pl.Loc, Phase: names[pl.Phase], Formula: f.SMTLIB()})
		}
	}
	return out
}

func zero() *logic.Value { return new(logic.Value) }

// peterson is Peterson's algorithm with n ≥ 2 threads, of which the first two
// compete; every one but thread 0 is a plain loop.
func peterson() *ir.Program {
	p := ir.NewProgram("peterson")
	l := p.L
	shared := func(n string) *ir.Var {
		v := p.NewVar(n, ir.Type{Bits: 8}, ir.Shared)
		v.Init = zero()
		return v
	}
	claim := []*ir.Var{shared("claim0"), shared("claim1")}
	cs := []*ir.Var{shared("cs0"), shared("cs1")}
	turn := p.NewVar("turn", ir.Type{Bits: 32, Signed: true}, ir.Shared)
	for me := range 2 {
		t, other := p.NewThread([]string{"t0", "t1"}[me]), 1-me
		locs := []*ir.Loc{t.Entry}
		for range 7 {
			locs = append(locs, t.NewLoc(ir.Pos{}))
		}
		set := func(a, b int, v *ir.Var, k int64) {
			t.NewEdge(locs[a], locs[b], ir.Pos{}, "", ir.AssignCmd(v, l.Int(k)))
		}
		is := func(a, b int, f *logic.Term) { t.NewEdge(locs[a], locs[b], ir.Pos{}, "", ir.AssumeCmd(f)) }
		set(0, 1, claim[me], 1)
		set(1, 2, turn, int64(other))
		is(2, 3, l.Eq(claim[other].Sym, l.Int(1)))
		is(2, 4, l.Ne(claim[other].Sym, l.Int(1)))
		is(3, 2, l.Ne(turn.Sym, l.Int(int64(me))))
		is(3, 4, l.Eq(turn.Sym, l.Int(int64(me))))
		set(4, 5, cs[me], 1)
		e := t.NewLoc(ir.Pos{})
		e.Error = true
		is(5, 6, l.Eq(cs[other].Sym, l.Int(0)))
		is(5, len(locs)-2, l.Eq(cs[other].Sym, l.Int(0)))
		t.NewEdge(locs[5], e, ir.Pos{}, "assert", ir.AssumeCmd(l.Ne(cs[other].Sym, l.Int(0))))
		set(6, 7, cs[me], 0)
		set(7, 0, claim[me], 0)
	}
	return p
}

func TestPeterson(t *testing.T) {
	for _, seed := range []bool{true} {
		p := peterson()
		c := certify(t, p, seed)
		if c == nil {
			t.Fatal("not proved")
		}
		n := 0
		for _, r := range c.Runs {
			for _, lv := range r.Levels {
				n += len(lv.Refinements)
			}
		}
		start := time.Now()
		if err := check.Safe(t.Context(), p, c); err != nil {
			t.Error(err)
		}
		t.Logf("%d runs, %d refinements: %v", len(c.Runs), n, time.Since(start))
	}
}
