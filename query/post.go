package query

import (
	"context"
	"slices"

	"comus/cutpoints"
	"comus/internal/timing"
	"comus/ir"
	"comus/logic"
	"comus/logic/smt"
	"comus/wp"
	"comus/z3"
)

// post describes the states before an env_move on a trace: those that the trace
// up to it can end in.
type post struct {
	lv   *Level
	loc  int
	exec *wp.Exec
	// relevant has the variables that the environment accesses.
	relevant map[*ir.Var]bool
	// model is one of the states, while the solver's scope is open.
	model *smt.Model
}

// newPost runs the trace up to item k. Besides the path's own conditions, the
// facts known of every reachable state at that location hold.
func (lv *Level) newPost(tr *trace, k int) *post {
	s := lv.run(&trace{items: tr.items[:k], target: &Target{Cond: lv.h.P.L.True()}, endLoc: tr.items[k].loc})
	p := &post{lv: lv, loc: tr.items[k].loc, exec: s.exec, relevant: map[*ir.Var]bool{}}
	p.exec.Assume(lv.move.StateFacts(p.loc, lv.keep))
	for _, t := range lv.promises[p.loc] {
		p.exec.Assume(lv.h.P.L.Not(lv.at(t.Cond, p.loc)))
	}
	for _, j := range lv.move.Env {
		lv.h.Graphs[j].Blocks(func(b *cutpoints.Block) {
			acc := lv.h.tab.CmdAccess(b.Cmds())
			for v := range acc.Reads {
				p.relevant[v] = true
			}
			for v := range acc.Writes {
				p.relevant[v] = true
			}
		})
	}
	return p
}

// open asserts the path's conditions in a new scope of the solver.
func (p *post) open() {
	s := p.lv.h.solver
	s.Push()
	s.Assert(p.exec.Cond...)
	p.lv.assertRanges()
}

func (p *post) close() { p.lv.h.solver.Pop() }

// value returns a formula over the states before the env_move as one over the
// trace's beginning.
func (p *post) value(f *logic.Term) *logic.Term { return p.exec.Value(p.lv.at(f, p.loc)) }

// ask returns the question whether the environment can move from the states to
// one of the endings. If a known plan of the environment does, the promise of error
// it makes is returned instead.
func (p *post) ask(ctx context.Context, ends []ending) (*QueryDetail, []*Target, error) {
	p.open()
	defer p.close()
	st, m, err := p.lv.h.solver.Check(ctx)
	if st != z3.Sat {
		return nil, nil, solverError(ctx, err)
	}
	p.model = m
	beta, err := p.project(ctx, p.lv.anyOf(ends))
	if err != nil {
		return nil, nil, err
	}
	known, err := p.recall(ctx, beta, ends)
	if known != nil || err != nil {
		return nil, known, err
	}
	alpha, err := p.literals(ctx, beta)
	return &QueryDetail{Alpha: alpha, Beta: beta}, nil, err
}

// implied returns those candidates that hold in all of the states. What the
// solver cannot tell is left out.
func (p *post) implied(ctx context.Context, candidates []*logic.Term) ([]*logic.Term, error) {
	solver, l := p.lv.h.solver, p.lv.h.P.L
	left := slices.DeleteFunc(slices.Clone(candidates), func(c *logic.Term) bool { return !p.model.Holds(p.value(c)) })
	// One state refutes what it can of all that is left; mostly few are needed.
	for len(left) > 0 {
		refuted := make([]*logic.Term, len(left))
		for i, c := range left {
			refuted[i] = l.Not(p.value(c))
		}
		st, counter, err := solver.Check(ctx, l.Or(refuted...))
		if ctx.Err() != nil {
			return nil, solverError(ctx, err)
		}
		switch st {
		case z3.Unsat:
			return left, nil
		case z3.Unknown:
			return p.impliedEach(ctx, left)
		}
		before := len(left)
		left = slices.DeleteFunc(left, func(c *logic.Term) bool { return !counter.Holds(p.value(c)) })
		if len(left) == before { // the model is not one: ask in another way
			return p.impliedEach(ctx, left)
		}
	}
	return nil, nil
}

// impliedEach is implied, one candidate after another.
func (p *post) impliedEach(ctx context.Context, candidates []*logic.Term) ([]*logic.Term, error) {
	var out []*logic.Term
	for _, c := range candidates {
		st, _, err := p.lv.h.solver.Check(ctx, p.lv.h.P.L.Not(p.value(c)))
		if ctx.Err() != nil {
			return nil, solverError(ctx, err)
		}
		if st == z3.Unsat {
			out = append(out, c)
		}
	}
	return out, nil
}

// project replaces, in β, what the environment neither reads nor writes by its
// value before the move, where the path determines it: such a variable keeps its value, and left in the question it would
// only be carried down the hierarchy.
func (p *post) project(ctx context.Context, beta *logic.Term) (*logic.Term, error) {
	if p.lv.h.Options.NoProject {
		return beta, nil
	}
	defer p.lv.h.timings.Start(timing.Projection)()
	l := p.lv.h.P.L
	var frozen []*logic.Term
	for _, s := range logic.FreeVars(beta) {
		if v := p.lv.h.tab[s]; v != nil && !p.relevant[v] {
			frozen = append(frozen, s)
		}
	}
	if len(frozen) == 0 {
		return beta, nil
	}
	facts, err := p.equalities(ctx, frozen)
	if err != nil {
		return nil, err
	}
	sub := map[*logic.Term]*logic.Term{}
	for sym, v := range facts {
		sub[sym] = l.Value(v)
	}
	return l.Subst(beta, sub), nil
}

// equalities returns those of the variables that have one value in all states.
func (p *post) equalities(ctx context.Context, syms []*logic.Term) (map[*logic.Term]logic.Value, error) {
	l, m := p.lv.h.P.L, p.model
	var candidates []*logic.Term
	of := map[*logic.Term]*logic.Term{}
	for _, s := range syms {
		c := l.Eq(s, l.Value(m.Eval(p.value(s))))
		of[c] = s
		candidates = append(candidates, c)
	}
	implied, err := p.implied(ctx, candidates)
	if err != nil {
		return nil, err
	}
	out := map[*logic.Term]logic.Value{}
	for _, c := range implied {
		out[of[c]] = m.Eval(p.value(of[c]))
	}
	return out, nil
}

// literals returns α as literals: an over-approximation of the states, made of
// the values that variables are known to have, and of the atoms of β and of the
// environment's facts, or their negations, as far as the states imply them.
func (p *post) literals(ctx context.Context, beta *logic.Term) ([]*logic.Term, error) {
	l := p.lv.h.P.L
	var syms []*logic.Term
	for _, j := range p.lv.move.Env {
		syms = append(syms, p.lv.h.P.Threads[j].PC)
	}
	inBeta := map[*logic.Term]bool{}
	for _, s := range logic.FreeVars(beta) {
		inBeta[s] = true
	}
	for _, v := range p.lv.h.P.Vars {
		if p.lv.tracked[v] && (p.relevant[v] || inBeta[v.Sym]) || inBeta[v.Sym] {
			syms = append(syms, v.Sym)
		}
	}
	known, err := p.equalities(ctx, syms)
	if err != nil {
		return nil, err
	}
	var lits []*logic.Term
	sub := map[*logic.Term]*logic.Term{}
	for _, s := range syms {
		if v, ok := known[s]; ok {
			lits = append(lits, l.Eq(s, l.Value(v)))
			sub[s] = l.Value(v)
		}
	}
	var candidates []*logic.Term
	seen := map[*logic.Term]bool{}
	add := func(a *logic.Term) {
		if r := l.Subst(a, sub); !r.IsTrue() && !r.IsFalse() && !seen[a] {
			seen[a] = true
			candidates = append(candidates, a, l.Not(a))
		}
	}
	allowed := map[*logic.Term]bool{}
	for _, s := range syms {
		allowed[s] = true
	}
	for _, a := range logic.Atoms(append(p.vocabulary(), beta)...) {
		if !slices.ContainsFunc(logic.FreeVars(a), func(s *logic.Term) bool { return !allowed[s] }) {
			add(a)
		}
	}
	more, err := p.implied(ctx, candidates)
	return append(lits, more...), err
}

// vocabulary returns the formulas whose atoms are worth knowing before the move:
// the facts about states at this location, and the conditions on which the
// environment decides.
func (p *post) vocabulary() []*logic.Term {
	fs := []*logic.Term{p.lv.move.StateFacts(p.loc, p.lv.keep)}
	for _, j := range p.lv.move.Env {
		p.lv.h.Graphs[j].Blocks(func(b *cutpoints.Block) {
			for _, c := range b.Cmds() {
				if c.Kind == ir.Assume {
					fs = append(fs, c.Cond)
				}
			}
		})
	}
	for _, r := range p.lv.move.Refinements {
		fs = append(fs, r.Alpha, r.Beta)
	}
	return fs
}

// promises returns the promises of error that ways of the environment to the
// endings make, as far as some of the states satisfy them.
func (p *post) promises(ctx context.Context, ways []Way, ends []ending) ([]*Target, error) {
	p.open()
	defer p.close()
	var met []*Target
	for _, w := range ways {
		ts, err := p.promise(ctx, w.Plan, ends)
		if err != nil {
			return nil, err
		}
		for _, t := range ts {
			met = addNew(met, t)
		}
	}
	return met, nil
}

// addNew adds a target unless there is one with this condition.
func addNew(ts []*Target, t *Target) []*Target {
	if slices.ContainsFunc(ts, func(o *Target) bool { return o.Cond == t.Cond }) {
		return ts
	}
	return append(ts, t)
}

// promise returns the promises of error that a plan of the environment makes, one
// for each ending that it leads some of the states to. The scope is open.
func (p *post) promise(ctx context.Context, plan []*cutpoints.Block, ends []ending) ([]*Target, error) {
	var met []*Target
	for _, e := range ends {
		psi, err := p.precondition(ctx, plan, p.lv.h.P.L.And(e.lits...))
		if err != nil {
			return nil, err
		}
		if psi != nil {
			met = addNew(met, &Target{Cond: psi, Plan: slices.Concat(plan, e.plan)})
		}
	}
	return met, nil
}

// precondition returns a cube that is a precondition of beta along the
// environment's steps in plan and that one of the states satisfies; nil if none
// does. The scope is open.
func (p *post) precondition(ctx context.Context, plan []*cutpoints.Block, beta *logic.Term) (*logic.Term, error) {
	h, l := p.lv.h, p.lv.h.P.L
	defer h.timings.Start(timing.WP)()
	f, inputs := wp.Pre(l, h.stepCmds(plan), beta)
	if f.IsFalse() {
		return nil, nil
	}
	st, m, err := h.solver.Check(ctx, p.value(f))
	switch st {
	case z3.Unknown:
		return nil, solverError(ctx, err)
	case z3.Unsat:
		return nil, nil
	}
	elim := make([]*logic.Term, len(inputs))
	isInput := map[*logic.Term]bool{}
	for i, in := range inputs {
		elim[i] = in.Sym
		isInput[in.Sym] = true
	}
	model := func(sym *logic.Term) logic.Value {
		if isInput[sym] {
			return m.Value(sym)
		}
		return m.Eval(p.value(sym))
	}
	defer h.timings.Start(timing.Projection)()
	return l.And(p.lv.dropTrivial(wp.Project(l, f, elim, model))...), nil
}

// stepCmds returns the commands of steps of several threads, with their pcs.
func (h *Hierarchy) stepCmds(plan []*cutpoints.Block) []ir.Cmd {
	l := h.P.L
	var cmds []ir.Cmd
	for _, b := range plan {
		pc := h.pcVars[b.From.Thread.Index]
		cmds = append(cmds, ir.AssumeCmd(l.Eq(pc.Sym, l.Int(int64(b.From.Index)))))
		cmds = append(cmds, b.Cmds()...)
		cmds = append(cmds, ir.AssignCmd(pc, l.Int(int64(b.To.Index))))
	}
	return cmds
}

// exact returns the query with α restricted to the states themselves.
func (p *post) exact(q *QueryDetail) *QueryDetail {
	h, l := p.lv.h, p.lv.h.P.L
	out := &QueryDetail{Alpha: q.Alpha, Beta: q.Beta}
	// The symbols of program variables stand for the trace's beginning in the
	// conditions; they get other names, so that they can mean the end.
	hidden, types := map[*logic.Term]*logic.Term{}, map[*logic.Term]ir.Type{}
	hide := func(s *logic.Term) {
		if hidden[s] == nil {
			hidden[s] = l.FreshVar("h", logic.Int)
			types[hidden[s]] = p.typeOf(s)
		}
	}
	for _, s := range logic.FreeVars(p.exec.Cond...) {
		hide(s)
	}
	var now []*logic.Term
	for _, v := range h.P.Vars {
		if p.lv.tracked[v] && (v.Thread == ir.Shared || p.relevant[v]) {
			now = append(now, v.Sym)
		}
	}
	now = append(now, logic.FreeVars(q.Beta)...)
	for _, j := range p.lv.move.Env {
		now = append(now, h.P.Threads[j].PC)
	}
	var defined []*logic.Term
	taken := map[*logic.Term]bool{}
	for _, s := range now {
		if taken[s] {
			continue
		}
		taken[s] = true
		if t := p.value(s); t.IsVar() && hidden[t] != nil && !taken[hidden[t]] {
			hidden[t] = s // the end's name serves for the hidden value
			continue
		}
		defined = append(defined, s)
	}
	var parts []*logic.Term
	for _, s := range defined {
		t := p.value(s)
		for _, u := range logic.FreeVars(t) {
			hide(u)
		}
		parts = append(parts, l.Eq(s, l.Subst(t, hidden)))
	}
	parts = append(parts, l.Subst(p.exec.Condition(), hidden))
	out.Exact = l.And(parts...)
	for _, s := range logic.FreeVars(out.Exact) {
		if h.tab[s] == nil && h.pcVar(s) == nil {
			out.Hidden = append(out.Hidden, &ir.Var{Name: s.Name(), Sym: s, Type: types[s]})
		}
	}
	return out
}

// typeOf returns the type of a variable of the program, or of a value chosen on the
// trace.
func (p *post) typeOf(s *logic.Term) ir.Type {
	if v := p.lv.h.tab[s]; v != nil {
		return v.Type
	}
	if v := p.lv.h.pcVar(s); v != nil {
		return v.Type
	}
	for _, in := range p.exec.Inputs {
		if in.Sym == s {
			return in.Var.Type
		}
	}
	return wideType
}

// wideType has every value of a program.
var wideType = ir.Type{Bits: 128, Signed: true}

// pcVar returns the variable for a thread's pc, nil if s is none.
func (h *Hierarchy) pcVar(s *logic.Term) *ir.Var {
	for _, v := range h.pcVars {
		if v.Sym == s {
			return v
		}
	}
	return nil
}
