package comus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"comus/cfront"
	"comus/check"
	"comus/cutpoints"
	"comus/internal/timing"
	"comus/ir"
	"comus/ir/interp"
	"comus/logic"
	"comus/query"
	"comus/wp"
	"comus/z3"
)

var emptyTrace interp.Trace

// describeThreads adds what the proof of safety says of the program as a whole.
func (m *modular) describeThreads(cert *check.Certificate) {
	all := m.p.L.True()
	for _, f := range m.used {
		all = m.p.L.And(all, f.Invariant())
	}
	cert.Facts = all.SMTLIB()
	cert.Threads = threadsOf(m.graphs)
}

// threadsOf names the locations between the steps that a proof takes at once.
func threadsOf(graphs []*cutpoints.Graph) []check.Thread {
	var out []check.Thread
	for _, g := range graphs {
		t := check.Thread{Thread: g.Thread.Index}
		for _, n := range g.Nodes {
			if !n.Error {
				t.Nodes = append(t.Nodes, n.Index)
			}
			if g.Cut[n.Index] {
				t.Cuts = append(t.Cuts, n.Index)
			}
		}
		slices.Sort(t.Nodes)
		slices.Sort(t.Cuts)
		out = append(out, t)
	}
	return out
}

// certificateRun writes down what proved a run.
func certificateRun(h *query.Hierarchy, proof *query.Proof) check.Run {
	run := check.Run{Order: h.Order, Invariants: invariants(proof)}
	for i, m := range h.Moves {
		lv := check.Level{Seed: "true"}
		if m.Seeded() && (i == 0 || len(h.Refinements[i-1]) > 0) { // else nothing was proved at this level
			lv.Seed = m.Seed(func(v *ir.Var) bool { return tracked(h, proof, i, v) }).SMTLIB()
		}
		for _, r := range h.Refinements[i] {
			lv.Refinements = append(lv.Refinements, check.Refinement{Number: r.Number, Alpha: r.Alpha.SMTLIB(),
				Beta: r.Beta.SMTLIB(), Invariants: invariants(r.Proof)})
		}
		run.Levels = append(run.Levels, lv)
	}
	return run
}

// tracked reports whether a program of level i that was proved tracks v.
func tracked(h *query.Hierarchy, proof *query.Proof, i int, v *ir.Var) bool {
	if i == 0 {
		return proof.Tracked[v]
	}
	return slices.ContainsFunc(h.Refinements[i-1], func(r *query.Refinement) bool { return r.Proof.Tracked[v] })
}

var phaseNames = map[query.Phase]string{query.Normal: check.PhaseAt, query.Moved: check.PhaseMoved, query.BeforeOnly: check.PhaseBefore}

func invariants(p *query.Proof) []check.Invariant {
	var out []check.Invariant
	for pl, f := range p.Invariants {
		if !f.IsFalse() {
			out = append(out, check.Invariant{Loc: pl.Loc, Phase: phaseNames[pl.Phase], Formula: f.SMTLIB()})
		}
	}
	slices.SortFunc(out, func(a, b check.Invariant) int {
		return cmp.Or(cmp.Compare(a.Phase, b.Phase), cmp.Compare(a.Loc, b.Loc))
	})
	return out
}

// schedule finds initial values and inputs with which the edges can be run one
// after another from the initial state.
func schedule(ctx context.Context, p *ir.Program, edges []*ir.Edge, timings *timing.Timings) (ir.Schedule, error) {
	defer timings.Start(timing.Concretization)()
	x := wp.NewExec(p.L, true)
	for _, v := range p.Vars {
		if v.Init != nil {
			x.Assume(p.L.Eq(v.Sym, p.L.Value(*v.Init)))
		} else {
			x.Assume(p.InRange(v))
		}
	}
	type taken struct {
		edge *ir.Edge
		from int // index of its first input
	}
	var steps []taken
	for _, e := range edges {
		steps = append(steps, taken{e, len(x.Inputs)})
		x.Run(e.Cmds)
	}
	st, m, err := pathValues(ctx, p, x, timings)
	switch {
	case st == z3.Unsat:
		return ir.Schedule{}, errors.New("the counterexample was not confirmed: no execution takes its steps")
	case st != z3.Sat:
		return ir.Schedule{}, fmt.Errorf("the counterexample was not confirmed: its steps are %v together (%v)", st, err)
	}
	sched := ir.Schedule{Init: map[int]logic.Value{}}
	for _, v := range p.Vars {
		if v.Init == nil {
			sched.Init[v.Index] = m.Value(v.Sym)
		}
	}
	for i, s := range steps {
		end := len(x.Inputs)
		if i+1 < len(steps) {
			end = steps[i+1].from
		}
		var in []logic.Value
		for _, input := range x.Inputs[s.from:end] {
			in = append(in, m.Value(input.Sym))
		}
		sched.Steps = append(sched.Steps, ir.Step{Edge: s.edge, Inputs: in})
	}
	return sched, nil
}

// Check confirms a certificate for the program in a source file, with the
// options the certificate names. Those that are not the default and change what the
// program means are among the result's assumptions: whoever wrote the certificate chose them.
func Check(ctx context.Context, file string, cert *check.Certificate) (*Result, error) {
	src, err := SourceOptions(cert.Program)
	if err != nil {
		return nil, err
	}
	id, err := identify(file, src)
	if err != nil {
		return nil, err
	}
	if id.SHA256 != cert.Program.SHA256 {
		return nil, fmt.Errorf("%s: the certificate is for another source (%s)", file, cert.Program.File)
	}
	timings := timing.New()
	read := timings.Start(timing.Frontend)
	parsed, err := cfront.ParseFile(file, src)
	read()
	if err != nil {
		return nil, err
	}
	defer timings.Start(timing.Checking)()
	res, err := confirm(ctx, parsed, cert)
	if res != nil {
		res.Assumptions = append(readings(cert.Program), res.Assumptions...)
		res.Components = timings.Components()
	}
	return res, err
}
