package engine

import (
	"cmp"
	"slices"

	"comus/check"
	"comus/cutpoints"
	"comus/ir"
	"comus/query"
)

// describeThreads adds what the proof of safety says of the program as a whole.
func (m *modular) describeThreads(cert *check.Certificate) {
	all := m.p.L.True()
	for _, f := range m.used {
		all = m.p.L.And(all, f.Invariant())
	}
	cert.Facts = all.SMTLIB()
	cert.Threads = Threads(m.graphs)
}

// Threads names the locations between the steps that a proof takes at once.
func Threads(graphs []*cutpoints.Graph) []check.Thread {
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
