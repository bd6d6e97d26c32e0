package resourceinv

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/hashicorp/go-hclog"

	"comus/cutpoints"
	"comus/ir"
	"comus/logic"
)

// Invariant is a formula that holds whenever an instance of a thread is at a location.
type Invariant struct {
	Thread, Loc int
	Formula     *logic.Term
}

// Proof is why no thread reaches an error location.
type Proof struct {
	Nodes      [][]int // by thread
	Cuts       [][]int // by thread
	Invariants []Invariant
}

// Prove looks for a proof with small resources first, then with larger ones. p must have been renumbered.
// The error is ErrNoProof if no choice of resources gives one.
func Prove(ctx context.Context, p *ir.Program, log hclog.Logger) (*Proof, error) {
	copies, err := p.Instances(3)
	if err != nil {
		return nil, err
	}
	m := newModel(p, cutpoints.Compute(copies, cutpoints.Options{})[:len(p.Threads)])
	why := ErrNoProof
	for _, sets := range m.choices() {
		s := newSystem(m, sets)
		start := time.Now()
		found, err := s.solve(ctx)
		log.Info("resources", "resources", len(sets), "relations", len(s.relations), "clauses", len(s.clauses), "time", time.Since(start), "error", err)
		if err == nil {
			return s.proof(found), nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !errors.Is(err, ErrNoProof) {
			why = err
		}
	}
	return nil, why
}

// choices returns the sets of variables to try as resources, one choice after another: each variable alone; those that some block uses
// together; all that are connected so.
func (m *model) choices() [][][]*ir.Var {
	var alone [][]*ir.Var
	for _, v := range m.shared {
		alone = append(alone, []*ir.Var{v})
	}
	together := m.together()
	out := [][][]*ir.Var{alone}
	for _, sets := range [][][]*ir.Var{together, connected(together)} {
		if last := out[len(out)-1]; !slices.EqualFunc(last, sets, slices.Equal) {
			out = append(out, sets)
		}
	}
	return out
}

// together returns the largest sets of variables that some block uses, without locks, which are alone.
func (m *model) together() [][]*ir.Var {
	var sets []map[*ir.Var]bool
	for _, v := range m.shared {
		sets = append(sets, map[*ir.Var]bool{v: true})
	}
	m.eachBlock(func(t *thread, b *block) {
		set := map[*ir.Var]bool{}
		for _, from := range []map[*ir.Var]bool{b.reads, b.writes, t.touched[b.from.Index]} {
			maps.Copy(set, from)
		}
		maps.DeleteFunc(set, func(v *ir.Var, _ bool) bool { return m.lock[v] || !m.relevant[v] || v == t.Created })
		if len(set) > 0 {
			sets = append(sets, set)
		}
	})
	var out [][]*ir.Var
	for i, a := range sets {
		if !slices.ContainsFunc(sets, func(b map[*ir.Var]bool) bool { return len(b) > len(a) && contains(b, a) }) &&
			!slices.ContainsFunc(sets[:i], func(b map[*ir.Var]bool) bool { return len(b) == len(a) && contains(b, a) }) {
			out = append(out, m.inOrderOf(a))
		}
	}
	return out
}

// contains reports whether a includes b.
func contains(a, b map[*ir.Var]bool) bool {
	for v := range b {
		if !a[v] {
			return false
		}
	}
	return true
}

// inOrderOf returns a set of shared variables in the program's order.
func (m *model) inOrderOf(set map[*ir.Var]bool) []*ir.Var {
	return slices.DeleteFunc(slices.Clone(m.shared), func(v *ir.Var) bool { return !set[v] })
}

// connected joins sets that have a variable in common.
func connected(sets [][]*ir.Var) [][]*ir.Var {
	var out [][]*ir.Var
	for _, set := range sets {
		joined := slices.Clone(set)
		out = slices.DeleteFunc(out, func(o []*ir.Var) bool {
			if !slices.ContainsFunc(o, func(v *ir.Var) bool { return slices.Contains(set, v) }) {
				return false
			}
			joined = append(joined, o...)
			return true
		})
		slices.SortFunc(joined, func(a, b *ir.Var) int { return a.Index - b.Index })
		out = append(out, slices.Compact(joined))
	}
	return out
}

// proof writes down a proof: what is found for a thread's own node, and the resources that it uses, as far as they are in order.
func (s *system) proof(found map[*relation]*logic.Term) *Proof {
	proof := &Proof{}
	for _, t := range s.threads {
		var cuts []int
		for _, n := range t.nodes {
			if t.cut[n] {
				cuts = append(cuts, n)
			}
			inv := []*logic.Term{found[s.threadInv[t][n]], s.fact(t, n)}
			for _, r := range s.resources {
				if meet(r.has, t.accesses) && !s.upset(t, n, r) {
					inv = append(inv, s.l.Implies(r.order, found[r.inv]))
				}
			}
			if f := s.l.And(inv...); !f.IsFalse() {
				proof.Invariants = append(proof.Invariants, Invariant{t.Index, n, f})
			}
		}
		proof.Nodes, proof.Cuts = append(proof.Nodes, t.nodes), append(proof.Cuts, cuts)
	}
	return proof
}
