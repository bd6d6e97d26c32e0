// Package envmove holds the function env_move: the abstraction of what the
// environment of a main thread can do between two of the main thread's steps
// (CoMuS paper, section 4).
//
// An [EnvMove] is a relation between the state before and the state after. It
// must contain every finite computation, of any length including 0, that the
// environment's threads can make from a reachable state. It is a conjunction:
//
//   - what no environment thread writes stays as it is;
//   - the seeds: each environment thread's pc moves along
//     its control-flow graph, a variable changes only if a thread passes an edge
//     that writes it, and the state after satisfies the facts about pairs of
//     locations (package locpairs);
//   - the refinements: for a pair (α, β) that an environment query answered
//     FALSE, no move leads from an α-state to a β-state.
//
// Every part is sound by itself, so any of them may be left out; what mentions
// a variable that a program does not track is left out there.
package envmove

import (
	"slices"
	"strconv"

	"comus/cutpoints"
	"comus/envmove/locpairs"
	"comus/ir"
	"comus/logic"
)

// Refinement says that no reachable computation of the environment leads from a
// state in Alpha to a state in Beta.
type Refinement struct {
	Alpha, Beta *logic.Term
	// Number counts the refinements of all levels, for reports.
	Number int
}

// EnvMove is the env_move of one main thread and its environment.
type EnvMove struct {
	p      *ir.Program
	graphs []*cutpoints.Graph
	facts  *locpairs.Facts // nil: not seeded
	tab    ir.SymTable
	// Main is the index of the main thread, Env those of its environment.
	Main        int
	Env         []int
	Refinements []*Refinement
	written     map[*ir.Var]bool
	writtenBy   map[int]map[*ir.Var]bool // by thread of the environment
	pcs         map[*logic.Term]bool
	cache       map[string]*logic.Term // of StateFacts and Seed, by location and variables kept
}

// New returns the env_move of main thread main with environment env. facts may
// be nil: then the relation starts as plain havoc.
func New(p *ir.Program, graphs []*cutpoints.Graph, facts *locpairs.Facts, main int, env []int) *EnvMove {
	m := &EnvMove{p: p, graphs: graphs, facts: facts, tab: p.Symbols(), Main: main, Env: env,
		written: map[*ir.Var]bool{}, writtenBy: map[int]map[*ir.Var]bool{}, pcs: map[*logic.Term]bool{}, cache: map[string]*logic.Term{}}
	for _, j := range env {
		m.pcs[p.Threads[j].PC] = true
		m.writtenBy[j] = map[*ir.Var]bool{}
		graphs[j].Blocks(func(b *cutpoints.Block) {
			for v := range m.tab.CmdAccess(b.Cmds()).Writes {
				m.written[v], m.writtenBy[j][v] = true, true
			}
		})
	}
	return m
}

// Writes reports whether the environment may change v.
func (m *EnvMove) Writes(v *ir.Var) bool { return m.written[v] }

// Old returns the name under which the relation mentions the value that sym had
// before the move.
func Old(l *logic.Store, sym *logic.Term) *logic.Term {
	return l.Var("old:"+sym.Name(), logic.Int)
}

// Seed returns the seeds other than the facts about states: a relation between
// the old values (see Old) and the new ones, over the pcs of the environment and
// the variables for which keep holds. It is reflexive and closed under taking
// another step of the environment, which is how the checker proves it.
func (m *EnvMove) Seed(keep func(*ir.Var) bool) *logic.Term {
	what := "seed"
	if len(m.Refinements) > 0 { // it speaks about more threads then: see Movers
		what = "seed beside refinements"
	}
	return m.cached(what, keep, m.seed)
}

// cached returns f's result for the variables kept; the facts take time to write
// down and the same few sets are asked for again and again.
func (m *EnvMove) cached(what string, keep func(*ir.Var) bool, f func(keep func(*ir.Var) bool) *logic.Term) *logic.Term {
	key := make([]byte, 0, len(m.p.Vars)+len(what))
	for _, v := range m.p.Vars {
		if keep(v) {
			key = append(key, '1')
		} else {
			key = append(key, '0')
		}
	}
	k := string(append(key, what...))
	t, ok := m.cache[k]
	if !ok {
		t = f(keep)
		m.cache[k] = t
	}
	return t
}

func (m *EnvMove) seed(keep func(*ir.Var) bool) *logic.Term {
	l := m.p.L
	var parts []*logic.Term
	comps := map[int]*components{}
	movers := m.Movers(keep)
	for _, j := range movers {
		c := &components{}
		c.lo, c.hi = m.p.Threads[j].Components()
		comps[j] = c
		parts = append(parts, m.flow(j, c))
	}
	for _, v := range m.p.Vars {
		if m.written[v] && keep(v) {
			parts = append(parts, m.frame(v, comps))
		}
	}
	return l.And(parts...)
}

type components struct{ lo, hi []int }

// flow says that thread j's pc does not go back, except within a loop.
func (m *EnvMove) flow(j int, c *components) *logic.Term {
	l := m.p.L
	pc := m.p.Threads[j].PC
	old := Old(l, pc)
	alts := []*logic.Term{l.Le(old, pc)}
	for i := range c.lo {
		if c.lo[i] == i && c.hi[i] > i {
			lo, hi := l.Int(int64(i)), l.Int(int64(c.hi[i]))
			alts = append(alts, l.And(l.Le(lo, old), l.Le(old, hi), l.Le(lo, pc)))
		}
	}
	return l.Or(alts...)
}

// frame says that v keeps its value unless a thread passed a block writing it.
func (m *EnvMove) frame(v *ir.Var, comps map[int]*components) *logic.Term {
	l := m.p.L
	alts := []*logic.Term{l.Eq(v.Sym, Old(l, v.Sym))}
	for _, j := range m.Env {
		if !m.writtenBy[j][v] {
			continue
		}
		pc := m.p.Threads[j].PC
		m.graphs[j].Blocks(func(b *cutpoints.Block) {
			if !writes(b, v) {
				return
			}
			from, to := comps[j].hi[b.From.Index], comps[j].lo[b.To.Index]
			alts = append(alts, l.And(l.Le(Old(l, pc), l.Int(int64(from))), l.Le(l.Int(int64(to)), pc)))
		})
	}
	return l.Or(alts...)
}

// Movers returns the threads of the environment whose locations the relation speaks
// about when it is restricted to the variables for which keep holds: those that
// write one of them and those that there are facts about; all of them once there is
// a refinement, which may mention any location.
func (m *EnvMove) Movers(keep func(*ir.Var) bool) []int {
	var out []int
	for _, j := range m.Env {
		if m.moves(j, keep) {
			out = append(out, j)
		}
	}
	return out
}

func (m *EnvMove) moves(j int, keep func(*ir.Var) bool) bool {
	if m.facts == nil || m.facts.Knows(j) || len(m.Refinements) > 0 {
		return true
	}
	for v := range m.writtenBy[j] {
		if keep(v) {
			return true
		}
	}
	return false
}

func writes(b *cutpoints.Block, v *ir.Var) bool {
	for _, e := range b.Edges {
		for _, c := range e.Cmds {
			if c.Kind != ir.Assume && c.Var == v {
				return true
			}
		}
	}
	return false
}

// StateFacts returns what is known of every reachable state while the main
// thread is at location loc (an index), over the environment's pcs and the
// variables for which keep holds.
func (m *EnvMove) StateFacts(loc int, keep func(*ir.Var) bool) *logic.Term {
	if m.facts == nil {
		return m.p.L.True()
	}
	between := m.cached("between", keep, func(keep func(*ir.Var) bool) *logic.Term { return m.facts.Between(m.Env, keep) })
	here := m.cached(strconv.Itoa(loc), keep, func(keep func(*ir.Var) bool) *logic.Term {
		return m.facts.Clauses(m.Main, loc, m.Env, keep)
	})
	return m.p.L.And(here, between)
}

// Seeded reports whether seeds are in use.
func (m *EnvMove) Seeded() bool { return m.facts != nil }

// Refined returns the conjunction of the refinements that mention only
// variables for which keep holds (and pcs of the environment), as a relation.
func (m *EnvMove) Refined(keep func(*ir.Var) bool) *logic.Term {
	l := m.p.L
	var parts []*logic.Term
	for _, r := range m.Refinements {
		if m.covers(keep, r.Alpha) && m.covers(keep, r.Beta) {
			parts = append(parts, l.Or(l.Not(m.before(r.Alpha)), l.Not(r.Beta)))
		}
	}
	return l.And(parts...)
}

// covers reports whether every variable of f is tracked.
func (m *EnvMove) covers(keep func(*ir.Var) bool, f *logic.Term) bool {
	return !slices.ContainsFunc(logic.FreeVars(f), func(s *logic.Term) bool {
		v := m.tab[s]
		return !m.pcs[s] && (v == nil || !keep(v))
	})
}

// before reads a formula over the values before the move. A variable that the
// environment does not change has one value.
func (m *EnvMove) before(f *logic.Term) *logic.Term {
	sub := map[*logic.Term]*logic.Term{}
	for _, s := range logic.FreeVars(f) {
		if m.pcs[s] || m.written[m.tab[s]] {
			sub[s] = Old(m.p.L, s)
		}
	}
	return m.p.L.Subst(f, sub)
}

// Relation returns env_move at the main thread's location loc as a formula over
// the values before (Old) and after.
func (m *EnvMove) Relation(loc int, keep func(*ir.Var) bool) *logic.Term {
	l := m.p.L
	rel := l.And(m.StateFacts(loc, keep), m.Refined(keep))
	if m.facts != nil {
		rel = l.And(rel, m.Seed(keep))
	}
	return rel
}

// Refine adds a refinement.
func (m *EnvMove) Refine(r *Refinement) { m.Refinements = append(m.Refinements, r) }

// Cmds returns env_move at location loc as commands: copies of the old values,
// havoc, and the assumption of the relation (CoMuS paper, Fig. 4). vars are the
// variables of the program to havoc, pcs the variables that stand for the
// environment's pcs, olds the variables for the copies.
func (m *EnvMove) Cmds(loc int, havoc []*ir.Var, keep func(*ir.Var) bool, olds func(*ir.Var) *ir.Var) []ir.Cmd {
	rel := m.Relation(loc, keep)
	used := map[*logic.Term]bool{}
	for _, s := range logic.FreeVars(rel) {
		used[s] = true
	}
	var cmds []ir.Cmd
	for _, v := range havoc {
		if used[Old(m.p.L, v.Sym)] {
			cmds = append(cmds, ir.AssignCmd(olds(v), v.Sym))
		}
	}
	for _, v := range havoc {
		cmds = append(cmds, ir.HavocCmd(v, ""))
	}
	return append(cmds, ir.AssumeCmd(rel))
}
