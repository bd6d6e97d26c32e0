package threadmodular

import (
	"context"
	"slices"

	"comus/ir"
	"comus/logic"
	"comus/logic/smt"
	"comus/z3"
)

// bounds is the least solution of a system's clauses (without those whose head is
// false) among conjunctions of "form ≤ constant", for forms ±v, u - v and ±(u + v) and
// constants of the program: an abstract interpretation with a solver for transfer
// function. It is quick, often enough, and else helps Spacer.
type bounds struct {
	s      *system
	solver *smt.Solver
	state  map[*relation]*state
	forms  map[*relation][]*form
	near   map[[2]*logic.Term]bool // variables that a difference is of interest of
	lo, hi map[*logic.Term][]logic.Value
	lifted map[*logic.Term]*logic.Term   // parameters without their role
	beside map[*logic.Term][]logic.Value // what few has of variables; nil: not known yet
	zero   map[*relation][]*logic.Term   // with Census: what may be 0
	none   bool                          // no forms but those of zero are of interest

	// What solve has left to do: clauses, by index. uses has those that a relation is in
	// the body of; nil before the start.
	queue  []int
	queued []bool
	uses   map[*relation][]int
}

// form is a linear term over a relation's parameters.
type form struct {
	term   *logic.Term
	limits []logic.Value // in ascending order
}

// state is what is known at a relation: form i is at most limits[at[i]], or anything
// if there is no such limit.
type state struct {
	at []int
}

// newBounds collects the constants and the pairs of variables.
func newBounds(s *system) (*bounds, error) {
	solver, err := smt.NewSolver(s.l)
	if err != nil {
		return nil, err
	}
	b := &bounds{s: s, solver: solver, state: map[*relation]*state{}, forms: map[*relation][]*form{},
		near: map[[2]*logic.Term]bool{}, lo: map[*logic.Term][]logic.Value{}, hi: map[*logic.Term][]logic.Value{}, lifted: map[*logic.Term]*logic.Term{}}
	all := b.constants()
	tab := s.m.p.Symbols()
	for _, v := range s.m.p.Vars {
		lo, hi := v.Type.Range()
		limits := slices.Clone(all)
		if s.m.census {
			limits = b.few(v)
		}
		if !s.m.counters[v] {
			limits = append(slices.DeleteFunc(limits, func(c logic.Value) bool { return !v.Type.Contains(c) }), lo, hi)
		}
		sortValues(limits)
		b.hi[v.Sym] = slices.Compact(limits)
		for _, c := range slices.Backward(b.hi[v.Sym]) {
			b.lo[v.Sym] = append(b.lo[v.Sym], c.Neg())
		}
		for r := range s.sub {
			if t := s.sub[r][v.Sym]; t != nil {
				b.lifted[t] = v.Sym
			}
		}
	}
	matters := map[*logic.Term]bool{}
	for _, r := range s.order {
		for _, p := range r.params {
			matters[b.unlifted(p)] = true
		}
	}
	for _, t := range s.m.threads {
		for i, n := range t.nodes {
			b.hi[t.PC] = append(b.hi[t.PC], logic.IntValue(int64(n)))
			b.lo[t.PC] = append(b.lo[t.PC], logic.IntValue(int64(-t.nodes[len(t.nodes)-1-i])))
			for _, bl := range t.out[n] {
				if s.m.census {
					b.compared(tab, bl)
				} else {
					b.relate(tab, bl, matters)
				}
			}
		}
	}
	return b, nil
}

func sortValues(vs []logic.Value) { slices.SortFunc(vs, logic.Value.Cmp) }

// maxConstants bounds the constants that are tried.
const maxConstants = 24

// constants returns the constants of the program and their neighbours.
func (b *bounds) constants() []logic.Value {
	set := map[logic.Value]bool{}
	add := func(t *logic.Term) {
		if c, ok := t.Const(); ok && len(set) < maxConstants {
			set[c], set[c.Neg()] = true, true
			set[c.Add(logic.IntValue(1))], set[c.Add(logic.IntValue(-1))] = true, true
		}
	}
	add(b.s.l.Int(0))
	for _, t := range b.s.m.threads {
		for _, n := range t.nodes {
			for _, bl := range t.out[n] {
				for _, c := range bl.cmds {
					for _, x := range []*logic.Term{c.Cond, c.Expr} {
						if x != nil {
							logic.Visit(add, x)
						}
					}
				}
			}
		}
	}
	var out []logic.Value
	for c := range set {
		out = append(out, c)
	}
	sortValues(out)
	return out
}

// unlifted returns a parameter without its role.
func (b *bounds) unlifted(p *logic.Term) *logic.Term {
	if v := b.lifted[p]; v != nil {
		return v
	}
	return p
}

// relate notes the variables that a block mentions together, if they can have more
// than two values, and if they matter.
func (b *bounds) relate(tab ir.SymTable, bl *block, matters map[*logic.Term]bool) {
	acc := tab.CmdAccess(bl.cmds)
	var vs []*ir.Var
	for v := range acc.Reads {
		if matters[v.Sym] {
			vs = append(vs, v)
		}
	}
	for v := range acc.Writes {
		if !acc.Reads[v] && matters[v.Sym] {
			vs = append(vs, v)
		}
	}
	for _, u := range vs {
		for _, v := range vs {
			if u != v && u.Type != ir.Flag && v.Type != ir.Flag {
				b.near[[2]*logic.Term{u.Sym, v.Sym}] = true
			}
		}
	}
}

// formsOf returns the forms over a relation's parameters.
func (b *bounds) formsOf(r *relation) []*form {
	if f, ok := b.forms[r]; ok {
		return f
	}
	l := b.s.l
	base := b.unlifted
	var out []*form
	var some []logic.Value
	for k := int64(-2); k <= 2; k++ {
		some = append(some, logic.IntValue(k))
	}
	for i, p := range r.params {
		if b.none {
			break
		}
		out = append(out, &form{p, b.hi[base(p)]}, &form{l.Neg(p), b.lo[base(p)]})
		for _, q := range r.params[i+1:] {
			if base(p) == base(q) || b.near[[2]*logic.Term{base(p), base(q)}] {
				sum, diff := l.Add(p, q), l.Sub(p, q)
				out = append(out, &form{diff, some}, &form{l.Neg(diff), some}, &form{sum, some}, &form{l.Neg(sum), some})
			}
		}
	}
	for _, x := range b.zero[r] {
		out = append(out, &form{x, []logic.Value{{}}}, &form{l.Neg(x), []logic.Value{{}}})
	}
	b.forms[r] = out
	return out
}

// fact returns what is known at a relation.
func (b *bounds) fact(r *relation) *logic.Term {
	l := b.s.l
	st := b.state[r]
	if st == nil {
		return l.False()
	}
	var out []*logic.Term
	for i, f := range b.formsOf(r) {
		if k := st.at[i]; k < len(f.limits) {
			out = append(out, l.Le(f.term, l.Value(f.limits[k])))
		}
	}
	return l.And(out...)
}

// applied returns what is known of a relation's arguments.
func (b *bounds) applied(a app) *logic.Term {
	sub := map[*logic.Term]*logic.Term{}
	for i, p := range a.rel.params {
		if p != a.args[i] {
			sub[p] = a.args[i]
		}
	}
	return b.s.l.Subst(b.fact(a.rel), sub)
}

// start queues the clauses that do not depend on others, or on what has been reached already.
func (b *bounds) start() {
	b.uses, b.queued = map[*relation][]int{}, make([]bool, len(b.s.clauses))
	for i, c := range b.s.clauses {
		if c.head == nil {
			continue
		}
		for _, a := range c.body {
			b.uses[a.rel] = append(b.uses[a.rel], i)
		}
		if b.reached(c) {
			b.queue, b.queued[i] = append(b.queue, i), true
		}
	}
}

// solve computes the least solution. When it ends with an error, the next call goes on.
func (b *bounds) solve(ctx context.Context) error {
	if b.uses == nil {
		b.start()
	}
	for len(b.queue) > 0 {
		i := b.queue[0]
		changed, err := b.apply(ctx, b.s.clauses[i])
		if changed {
			for _, k := range b.uses[b.s.clauses[i].head.rel] {
				if !b.queued[k] {
					b.queue, b.queued[k] = append(b.queue, k), true
				}
			}
		}
		if err != nil {
			return err
		}
		b.queue, b.queued[i] = b.queue[1:], false
	}
	return nil
}

// reached reports whether all relations of a clause's body are.
func (b *bounds) reached(c clause) bool {
	return !slices.ContainsFunc(c.body, func(a app) bool { return b.state[a.rel] == nil })
}

// premise returns the conditions of a clause, with what is known of its body.
func (b *bounds) premise(c clause) []*logic.Term {
	fs := slices.Clone(c.cond)
	for _, a := range c.body {
		fs = append(fs, b.applied(a))
	}
	return fs
}

// apply weakens what is known at the head of a clause until the clause holds.
func (b *bounds) apply(ctx context.Context, c clause) (changed bool, err error) {
	if !b.reached(c) {
		return false, nil
	}
	r := c.head.rel
	for {
		goal := b.s.l.Not(b.applied(*c.head))
		if goal.IsFalse() {
			return changed, nil
		}
		st, m, err := b.solver.Check(ctx, append(b.premise(c), goal)...)
		if st == z3.Unsat {
			return changed, nil
		}
		if err != nil {
			return changed, err
		}
		changed = true
		values := map[*logic.Term]logic.Value{}
		for i, p := range r.params {
			values[p] = m.Eval(c.head.args[i])
		}
		b.admit(r, func(v *logic.Term) logic.Value { return values[v] })
	}
}

// admit weakens what is known at a relation until it holds of values.
func (b *bounds) admit(r *relation, value func(*logic.Term) logic.Value) {
	forms := b.formsOf(r)
	if b.state[r] == nil {
		b.state[r] = &state{at: make([]int, len(forms))}
	}
	at := b.state[r].at
	for i, f := range forms {
		if at[i] == len(f.limits) {
			continue
		}
		val := logic.Eval(f.term, value)
		for at[i] < len(f.limits) && val.Cmp(f.limits[at[i]]) > 0 {
			at[i]++
		}
	}
}

// proves reports whether what is known excludes all violations.
func (b *bounds) proves(ctx context.Context) (bool, error) {
	for _, c := range b.s.clauses {
		if c.head != nil || !b.reached(c) {
			continue
		}
		st, _, err := b.solver.Check(ctx, b.premise(c)...)
		if st != z3.Unsat {
			return false, err
		}
	}
	return true, nil
}
