package resourceinv

import (
	"context"
	"slices"

	"comus/logic"
	"comus/logic/smt"
	"comus/z3"
)

// guesses is the strongest solution of the clauses (without those whose head is false) among conjunctions of candidates:
// conditions of the program on one variable, asked of another one, intervals, and what an analysis of the source says (ir.Program.Guesses). What a buffer has in its cells is mostly what was tested
// before it was put there. Candidates that do not hold are dropped one after another (Flanagan and Leino, Houdini, FME 2001), intervals
// grow (see ranges), with the solver for transfer function.
type guesses struct {
	s      *system
	solver *smt.Solver
	hole   *logic.Term // the variable of a pattern
	// left has the candidates about a relation that have not been dropped; none of those that are not reached.
	left    map[*relation][]*logic.Term
	ranges  map[*relation]*ranges
	reached map[*relation]bool

	tests     map[*logic.Term][]*logic.Term // by variable: the constants that it is compared with, as equations
	constants []logic.Value                 // of the program, with their neighbours
}

// maxPatterns bounds the conditions that are tried.
const maxPatterns = 24

// guess computes the solution.
func (s *search) guess(ctx context.Context, solver *smt.Solver) (*guesses, error) {
	g := &guesses{s: s.system, solver: solver, hole: s.l.FreshVar("pattern", logic.Int), left: map[*relation][]*logic.Term{}, ranges: map[*relation]*ranges{}, reached: map[*relation]bool{}}
	patterns := g.patterns()
	var said [][]*logic.Term
	for _, f := range s.p.Guesses {
		said = append(said, logic.Conjuncts(f))
	}
	g.findTests()
	for _, r := range s.relations {
		if g.ranges[r] = (&ranges{}); !s.opts.NoRanges {
			g.ranges[r] = g.newRanges(r)
		}
		for _, p := range r.params {
			for _, f := range patterns {
				g.left[r] = append(g.left[r], s.l.Subst(f, map[*logic.Term]*logic.Term{g.hole: p}))
			}
		}
		g.left[r] = append(g.left[r], g.ofCells(r, patterns)...)
		for _, f := range slices.Concat(said...) {
			if !slices.ContainsFunc(logic.FreeVars(f), func(x *logic.Term) bool { return !slices.Contains(r.params, x) }) {
				g.left[r] = append(g.left[r], f)
			}
		}
	}
	uses := map[*relation][]int{}
	queued := make([]bool, len(s.clauses))
	var queue []int
	for i, c := range s.clauses {
		for _, a := range c.body {
			uses[a.rel] = append(uses[a.rel], i)
		}
		if c.head != nil {
			queue, queued[i] = append(queue, i), true
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		c := s.clauses[queue[0]]
		queued[queue[0]] = false
		for weaker := true; weaker; {
			var err error
			if weaker, err = g.weaken(ctx, c); err != nil {
				return nil, err
			}
			for _, k := range uses[c.head.rel] {
				if weaker && !queued[k] && s.clauses[k].head != nil {
					queue, queued[k] = append(queue, k), true
				}
			}
		}
	}
	return g, nil
}

// patterns returns the conditions on one variable that occur in the program, and their negations.
func (g *guesses) patterns() []*logic.Term {
	var out []*logic.Term
	add := func(f *logic.Term) {
		if f.Sort() != logic.Bool || f.Op() == logic.OpNot || g.s.index == nil && (f.Op() == logic.OpAnd || f.Op() == logic.OpOr) {
			return
		}
		vars := logic.FreeVars(f)
		if len(vars) != 1 || len(out) >= maxPatterns || aboutWidth(f) {
			return
		}
		if v := g.s.tab[vars[0]]; v != nil && g.s.lock[v] {
			return
		}
		f = g.s.l.Subst(f, map[*logic.Term]*logic.Term{vars[0]: g.hole})
		for _, x := range []*logic.Term{f, g.s.l.Not(f)} {
			if !slices.Contains(out, x) {
				out = append(out, x)
			}
		}
	}
	g.s.eachBlock(func(_ *thread, b *block) { logic.Visit(add, b.cond) })
	if g.s.index != nil {
		g.asserted(add)
	}
	return out
}

// applied returns what is known of a relation's arguments.
func (g *guesses) applied(a app) *logic.Term { return g.at(a, g.s.l.And(g.facts(a.rel)...)) }

// at returns a fact about a relation's arguments.
func (g *guesses) at(a app, f *logic.Term) *logic.Term {
	sub := map[*logic.Term]*logic.Term{}
	for i, p := range a.rel.params {
		if p != a.args[i] {
			sub[p] = a.args[i]
		}
	}
	return g.s.l.Subst(f, sub)
}

// weaken drops candidates about the head of a clause that one of its steps refutes, and reports whether there are any, or whether
// the head was not reached before.
func (g *guesses) weaken(ctx context.Context, c clause) (bool, error) {
	premise, goal := g.premise(c), g.s.l.Not(g.applied(*c.head))
	if premise.IsFalse() || goal.IsFalse() {
		return false, nil
	}
	r := c.head.rel
	st, m, err := g.solver.Check(ctx, premise, goal)
	switch {
	case st == z3.Unsat:
		return false, nil
	case ctx.Err() != nil:
		return false, ctx.Err()
	case err != nil: // the solver does not know
		g.left[r], g.ranges[r], g.reached[r] = nil, &ranges{}, true
		return true, nil
	}
	values := map[*logic.Term]logic.Value{}
	for i, p := range r.params {
		values[p] = m.Eval(c.head.args[i])
	}
	n := len(g.left[r])
	g.left[r] = slices.DeleteFunc(g.left[r], func(f *logic.Term) bool {
		return !logic.Eval(f, func(v *logic.Term) logic.Value { return values[v] }).Bool()
	})
	changed := g.ranges[r].extend(values, g.constants) || !g.reached[r] || len(g.left[r]) < n
	g.reached[r] = true
	return changed, nil
}

// premise returns the condition of a clause, with what is known of its body.
func (g *guesses) premise(c clause) *logic.Term {
	fs := []*logic.Term{c.cond}
	for _, a := range c.body {
		fs = append(fs, g.applied(a))
	}
	return g.s.l.And(fs...)
}

// aboutWidth reports whether a condition is one that a value is in the range of its type, or nearly.
func aboutWidth(f *logic.Term) bool {
	wide := logic.IntValue(1 << 30)
	found := false
	logic.Visit(func(t *logic.Term) {
		c, ok := t.Const()
		found = found || ok && (c.Cmp(wide) > 0 || c.Cmp(wide.Neg()) < 0)
	}, f)
	return found
}

// facts returns what is known of a relation: false if it is not reached.
func (g *guesses) facts(r *relation) []*logic.Term {
	if !g.reached[r] {
		return []*logic.Term{g.s.l.False()}
	}
	return append(g.ranges[r].facts(g.s.l), g.left[r]...)
}

// proves returns, if what is left excludes all violations, as much of it as that needs; otherwise nil.
func (g *guesses) proves(ctx context.Context) (map[*relation]*logic.Term, error) {
	type fact struct {
		r *relation
		f *logic.Term
	}
	needed, known := map[fact]bool{}, map[*relation]*logic.Term{}
	var queue []fact
	use := func(c clause, goal *logic.Term) (bool, error) {
		var lits []*logic.Term
		of := map[*logic.Term][]fact{}
		for _, a := range c.body {
			for _, f := range g.facts(a.rel) {
				lit := g.at(a, f)
				if of[lit] == nil {
					lits = append(lits, lit)
				}
				of[lit] = append(of[lit], fact{a.rel, f})
			}
		}
		core, ok, err := g.solver.Core(ctx, []*logic.Term{c.cond, g.s.l.Not(goal)}, lits)
		for _, lit := range core {
			if x := of[lit][0]; !needed[x] {
				needed[x] = true
				queue = append(queue, x)
			}
		}
		return ok, err
	}
	for _, c := range g.s.clauses {
		if c.head == nil {
			if ok, err := use(c, g.s.l.False()); !ok {
				return nil, err
			}
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		x := queue[0]
		for _, c := range g.s.clauses {
			if c.head == nil || c.head.rel != x.r {
				continue
			}
			if ok, err := use(c, g.at(*c.head, x.f)); !ok {
				return nil, err
			}
		}
	}
	for _, r := range g.s.relations {
		known[r] = g.s.l.And(slices.DeleteFunc(slices.Clone(g.facts(r)), func(f *logic.Term) bool { return !needed[fact{r, f}] })...)
	}
	return known, nil
}

// all returns everything that is known of the relations.
func (g *guesses) all() map[*relation]*logic.Term {
	known := map[*relation]*logic.Term{}
	for _, r := range g.s.relations {
		known[r] = g.s.l.And(g.facts(r)...)
	}
	return known
}

// strengthened returns the clauses with what is known in them, without those that say nothing any more.
func (g *guesses) strengthened() []clause {
	var out []clause
	for _, c := range g.s.clauses {
		if c.cond = g.premise(c); !c.cond.IsFalse() {
			out = append(out, c)
		}
	}
	return out
}
