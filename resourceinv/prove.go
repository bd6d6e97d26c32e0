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
	"comus/logic/smt"
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
	Calls      int // of the plain solver, for this and for what was tried before
}

// after notes how often the plain solver was called for a proof, if there is one.
func (p *Proof) after(calls int) *Proof {
	if p != nil {
		p.Calls = calls
	}
	return p
}

// Options switch techniques off, for experiments.
type Options struct {
	NoGuesses bool // asks Spacer at once
	NoRanges  bool // guesses no intervals
	NoWatch   bool // has no variable in the invariants of threads that others change
}

// patience is the time that Spacer has for one choice of resources in the first round; it doubles in each.
const patience = 2 * time.Second

// Prove looks for a proof with small resources first, then with larger ones: by guesses, then with Spacer for longer and longer. It is one of
// any of the readings of a program, and tells of which; each must have been renumbered. The error is ErrNoProof if no choice of resources gives
// a proof, however long it takes.
func Prove(ctx context.Context, log hclog.Logger, opts Options, readings ...*ir.Program) (*Proof, *ir.Program, error) {
	var open []*search
	calls := 0
	for i, p := range readings {
		more, proof, n, err := begin(ctx, p, log, opts)
		calls += n
		if proof != nil || err != nil {
			return proof.after(calls), p, err
		}
		if open = append(open, more...); i+1 < len(readings) && len(readings[i+1].Vars) > manyVars {
			var of *ir.Program
			if open, proof, of, err = round(ctx, open, patience); proof != nil || ctx.Err() != nil {
				return proof.after(calls), of, err
			}
		}
	}
	why := ErrNoProof
	for limit := patience; len(open) > 0; limit *= 2 {
		left, proof, of, err := round(ctx, open, limit)
		if open = left; proof != nil || ctx.Err() != nil {
			return proof.after(calls), of, err
		}
		if !errors.Is(err, ErrNoProof) {
			why = err
		}
	}
	return nil, nil, why
}

// manyVars is the number of variables of a program from which on even guesses take long: then Spacer is asked about the reading before.
const manyVars = 100

// round asks Spacer for some time about each of the searches, and returns those that are left. The error says why the last one that is not has
// ended.
func round(ctx context.Context, open []*search, limit time.Duration) (left []*search, proof *Proof, of *ir.Program, why error) {
	why = ErrNoProof
	for _, s := range open {
		proof, err := s.thorough(ctx, limit)
		switch {
		case err == nil:
			return nil, proof, s.p, nil
		case ctx.Err() != nil:
			return nil, nil, nil, ctx.Err()
		case errors.Is(err, context.DeadlineExceeded):
			left = append(left, s)
		case !errors.Is(err, ErrNoProof):
			why = err
		}
	}
	return left, nil, nil, why
}

// begin looks for a proof of a program by guesses, for which it calls the plain solver so many times. If there is none it returns what else
// is to be tried.
func begin(ctx context.Context, p *ir.Program, log hclog.Logger, opts Options) ([]*search, *Proof, int, error) {
	copies, err := p.Instances(3)
	if err != nil {
		return nil, nil, 0, err
	}
	m := newModel(p, cutpoints.Compute(copies, cutpoints.Options{})[:len(p.Threads)])
	solver, err := smt.NewSolver(m.l)
	if err != nil {
		return nil, nil, 0, err
	}
	defer solver.Close()
	var open []*search
	for _, c := range m.choices() {
		if c.watch && opts.NoWatch {
			continue
		}
		s := &search{system: newSystem(m, c.sets, c.watch), log: log, opts: opts}
		proof, err := s.begin(ctx, solver)
		if proof != nil || err != nil {
			return nil, proof, solver.Calls, err
		}
		open = append(open, s)
	}
	return open, nil, solver.Calls, nil
}

// search is the search for a proof with a choice of resources.
type search struct {
	*system
	guesses *guesses // nil without
	log     hclog.Logger
	opts    Options
}

// begin looks for a proof by guesses. There is none if both results are nil.
func (s *search) begin(ctx context.Context, solver *smt.Solver) (*Proof, error) {
	if s.opts.NoGuesses {
		return nil, nil
	}
	start, calls := time.Now(), solver.Calls
	g, err := s.guess(ctx, solver)
	if err != nil {
		return nil, err
	}
	s.guesses = g
	known, err := g.proves(ctx)
	s.log.Info("guesses", "resources", len(s.resources), "relations", len(s.relations), "clauses", len(s.clauses), "proved", known != nil,
		"calls", solver.Calls-calls, "time", time.Since(start))
	if known != nil {
		return s.proof(known), nil
	}
	if err != nil {
		s.log.Info("guesses", "error", err)
	}
	return nil, ctx.Err()
}

// thorough looks for a proof with Spacer, of the clauses as they are and then with what guesses have found: that helps where Spacer
// does not see it, and is in its way elsewhere.
func (s *search) thorough(ctx context.Context, limit time.Duration) (*Proof, error) {
	found, err := s.attempt(ctx, limit, s.clauses)
	if err == nil {
		return s.proof(found), nil
	}
	if errors.Is(err, ErrNoProof) || ctx.Err() != nil || s.guesses == nil {
		return nil, err
	}
	if found, err = s.attempt(ctx, limit, s.guesses.strengthened()); err != nil {
		return nil, err
	}
	for r, f := range found {
		found[r] = s.l.And(f, s.guesses.applied(app{r, r.params}))
	}
	return s.proof(found), nil
}

// attempt asks Spacer for some time.
func (s *search) attempt(ctx context.Context, limit time.Duration, clauses []clause) (map[*relation]*logic.Term, error) {
	start := time.Now()
	slice, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	found, err := s.spacer(slice, clauses)
	s.log.Info("spacer", "resources", len(s.resources), "time", time.Since(start), "error", err)
	return found, err
}

// choice is the resources to try, as sets of variables, and whether threads watch what no lock guards.
type choice struct {
	sets  [][]*ir.Var
	watch bool
}

// choices returns what is tried, one after another: each variable alone; those that some block uses together; all that are connected so;
// then these, and watched.
func (m *model) choices() []choice {
	var alone [][]*ir.Var
	for _, v := range m.shared {
		if v != m.index {
			alone = append(alone, m.single(v))
		}
	}
	together := m.together()
	together, joined := m.withParts(together), m.withParts(connected(together))
	out := []choice{{sets: alone}}
	for _, sets := range [][][]*ir.Var{together, joined} {
		if last := out[len(out)-1].sets; !slices.EqualFunc(last, sets, slices.Equal) {
			out = append(out, choice{sets: sets})
		}
	}
	if slices.ContainsFunc(m.shared, func(v *ir.Var) bool { return m.guards[v].bare && len(m.guards[v].writers) > 0 }) {
		out = append(out, choice{joined, true})
	}
	return out
}

// single returns a variable alone, a cell with its index.
func (m *model) single(v *ir.Var) []*ir.Var {
	if v.Cell == ir.Cell {
		return m.inOrderOf(map[*ir.Var]bool{v: true, m.index: true})
	}
	return []*ir.Var{v}
}

// related returns the variables that guesses relate to each other, if they have the same lock: one thread may change them one after the other.
func (m *model) related() (sets []map[*ir.Var]bool) {
	for _, f := range m.p.Guesses {
		set := map[*ir.Var]bool{}
		for _, x := range logic.FreeVars(f) {
			set[m.tab[x]] = true
		}
		list := m.inOrderOf(set)
		if len(set) > 1 && len(list) == len(set) && !slices.ContainsFunc(list, func(v *ir.Var) bool {
			return m.lock[v] || !m.relevant[v] || m.guards[v] == nil || m.guards[v].lock == nil || m.guards[v].lock != m.guards[list[0]].lock
		}) {
			sets = append(sets, set)
		}
	}
	return sets
}

// together returns the largest sets of variables that some block uses, or that guesses relate, without locks, which are alone.
func (m *model) together() [][]*ir.Var {
	var sets []map[*ir.Var]bool
	for _, v := range m.shared {
		if v != m.index {
			sets = append(sets, map[*ir.Var]bool{v: true})
		}
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
	sets = append(sets, m.related()...)
	var out [][]*ir.Var
	for i, a := range sets {
		if !slices.ContainsFunc(sets, func(b map[*ir.Var]bool) bool { return len(b) > len(a) && contains(b, a) }) &&
			!slices.ContainsFunc(sets[:i], func(b map[*ir.Var]bool) bool { return len(b) == len(a) && contains(b, a) }) {
			out = append(out, m.inOrderOf(a))
		}
	}
	return out
}

// withParts adds each variable that is only in sets with a variable of another lock, which are in order more rarely: with those of such a set that
// have the same lock as it has.
func (m *model) withParts(sets [][]*ir.Var) [][]*ir.Var {
	out := slices.Clip(sets)
	for _, v := range m.shared {
		if v == m.index || slices.ContainsFunc(sets, func(set []*ir.Var) bool {
			return slices.Contains(set, v) && !slices.ContainsFunc(set, func(w *ir.Var) bool { return m.guards[w].lock != m.guards[v].lock && m.guards[w].lock != nil })
		}) {
			continue
		}
		parts := [][]*ir.Var{m.single(v)}
		for _, set := range sets {
			if slices.Contains(set, v) {
				parts = append(parts, m.alike(set, v))
			}
		}
		part := slices.MaxFunc(parts, func(a, b []*ir.Var) int { return len(a) - len(b) })
		if !slices.ContainsFunc(out, func(set []*ir.Var) bool { return slices.Equal(set, part) }) {
			out = append(out, part)
		}
	}
	return out
}

// alike returns what of a set has the same lock as one of it, and the index of the cells that are among that.
func (m *model) alike(set []*ir.Var, v *ir.Var) []*ir.Var {
	part := slices.DeleteFunc(slices.Clone(set), func(w *ir.Var) bool { return w != m.index && m.guards[w].lock != m.guards[v].lock })
	if !slices.ContainsFunc(part, func(w *ir.Var) bool { return w.Cell == ir.Cell }) {
		part = slices.DeleteFunc(part, func(w *ir.Var) bool { return w == m.index })
	}
	return part
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
				if s.minds(t, r) && !s.upset(t, n, r) {
					inv = append(inv, s.l.Implies(s.order(t, n, r), found[r.inv]))
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

// minds reports whether a thread's invariants have to speak of a resource: if it uses it, or holds one of its locks somewhere, since the
// resource has to be in order when it gives that back.
func (s *system) minds(t *thread, r *resource) bool {
	return meet(r.has, t.accesses) || slices.ContainsFunc(t.nodes, func(n int) bool { return meet(r.locks, t.held[n]) })
}
