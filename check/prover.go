package check

import (
	"context"
	"fmt"
	"math/big"

	"comus/logic"
	"comus/logic/smt"
	"comus/z3"
)

// prover decides implications with a plain solver. Every state symbol is known
// to be in its range: see [checker.assertRanges].
type prover struct {
	ctx     context.Context
	l       *logic.Store
	s       *smt.Solver
	proved  map[[2]*logic.Term]bool // by base and formula: unsatisfiable together
	guarded map[*logic.Term]*logic.Term
	opaque  map[*logic.Term]*logic.Term
	parts   map[*logic.Term]map[*logic.Term]bool // the conjuncts of a base
}

func newProver(ctx context.Context, l *logic.Store) (*prover, error) {
	s, err := smt.NewSolver(l)
	if err != nil {
		return nil, err
	}
	return &prover{ctx: ctx, l: l, s: s, proved: map[[2]*logic.Term]bool{},
		guarded: map[*logic.Term]*logic.Term{}, opaque: map[*logic.Term]*logic.Term{}, parts: map[*logic.Term]map[*logic.Term]bool{}}, nil
}

// operandBits is a width in which logic/smt computes bitwise operators exactly.
const operandBits = 71

// guard makes a formula safe for the solver: a bitwise operation whose operands
// are too wide for the solver's exact computation gets any value instead, which
// only makes a formula easier to satisfy.
func (p *prover) guard(t *logic.Term) *logic.Term {
	if len(t.Args()) == 0 {
		return t
	}
	if r, ok := p.guarded[t]; ok {
		return r
	}
	args, changed := make([]*logic.Term, len(t.Args())), false
	for i, a := range t.Args() {
		args[i] = p.guard(a)
		changed = changed || args[i] != a
	}
	r := t
	if changed {
		r = p.l.Rebuild(t, args)
	}
	switch r.Op() {
	case logic.OpBitAnd, logic.OpBitOr, logic.OpBitXor:
		if p.opaque[t] == nil {
			p.opaque[t] = p.l.FreshVar("bits", logic.Int)
		}
		a, b := r.Args()[0], r.Args()[1]
		r = p.l.Ite(p.l.And(p.narrow(a), p.narrow(b)), r, p.opaque[t])
	}
	p.guarded[t] = r
	return r
}

// narrow returns the formula that t fits into operandBits, as a signed number.
func (p *prover) narrow(t *logic.Term) *logic.Term {
	m := new(big.Int).Lsh(big.NewInt(1), operandBits-1)
	lo, hi := p.l.Value(logic.BigValue(new(big.Int).Neg(m))), p.l.Value(logic.BigValue(m))
	return p.l.And(p.l.Le(lo, t), p.l.Lt(t, hi))
}

// unsat decides whether f contradicts what is asserted, of which base stands for
// what was asserted since the beginning. An error means that it is not known.
func (p *prover) unsat(base, f *logic.Term) (bool, error) {
	if f.IsFalse() || p.proved[[2]*logic.Term{base, f}] {
		return true, nil
	}
	if err := p.ctx.Err(); err != nil {
		return false, err
	}
	st, _, err := p.s.Check(p.ctx, p.guard(f))
	if err != nil {
		return false, err
	}
	switch st {
	case z3.Unsat:
		p.proved[[2]*logic.Term{base, f}] = true
		return true, nil
	case z3.Sat:
		return false, nil
	}
	return false, fmt.Errorf("the solver does not know")
}

// valid decides whether hyp implies goal.
func (p *prover) valid(hyp, goal *logic.Term) (bool, error) {
	return p.unsat(p.l.True(), p.l.And(hyp, p.l.Not(goal)))
}

// obligation is an implication that a certificate owes: the last of bases
// together with hyp implies goal. The other bases are weaker and tried first.
type obligation struct {
	bases     []base
	hyp, goal *logic.Term
	where     string      // a prefix of what
	what      string      // what is wrong if it does not hold
	about     *logic.Term // the formula that what is about; may be nil
}

// base is a formula that many obligations assume. It is computed when it is
// needed, and the same every time.
type base func() *logic.Term

// nothing is the base that assumes nothing.
func (p *prover) nothing() *logic.Term { return p.l.True() }

// failed returns the error for the obligation: err is the solver's, if it does not
// know.
func (o *obligation) failed(err error) error {
	what := o.where + o.what
	if o.about != nil {
		text := o.about.String()
		if len(text) > maxQuote {
			text = text[:maxQuote] + "…"
		}
		what += ": " + text
	}
	return &failure{what, err}
}

// maxQuote bounds the length of formulas in errors, in bytes.
const maxQuote = 200

// failure is the error of an obligation that does not hold, or is not known to.
type failure struct {
	what string
	err  error // nil: it does not hold
}

// Error returns the text of the error.
func (f *failure) Error() string {
	if f.err != nil {
		return fmt.Sprintf("%s (undecided: %v)", f.what, f.err)
	}
	return f.what
}

// Unwrap returns the solver's error.
func (f *failure) Unwrap() error { return f.err }

// prove verifies obligations, grouped by their base and hypothesis. The error is
// a *failure about one that does not hold.
func (p *prover) prove(obs []*obligation) error {
	for round := 0; len(obs) > 0; round++ {
		var order []*logic.Term
		byBase := map[*logic.Term][]*obligation{}
		for _, o := range obs {
			b := o.bases[min(round, len(o.bases)-1)]()
			if p.obvious(o, b) {
				continue
			}
			if byBase[b] == nil {
				order = append(order, b)
			}
			byBase[b] = append(byBase[b], o)
		}
		obs = nil
		for _, b := range order {
			rest, err := p.proveGroup(b, byBase[b], round)
			if err != nil {
				return err
			}
			obs = append(obs, rest...)
		}
	}
	return nil
}

// obvious reports whether an obligation holds without asking the solver; it also
// drops the conjuncts of the goal that the hypothesis or the base has.
func (p *prover) obvious(o *obligation, b *logic.Term) bool {
	if o.hyp.IsFalse() || o.goal.IsTrue() {
		return true
	}
	base, hyp := p.conjuncts(b), p.conjuncts(o.hyp)
	var rest []*logic.Term
	for _, g := range logic.Conjuncts(o.goal) {
		if !base[g] && !hyp[g] {
			rest = append(rest, g)
		}
	}
	o.goal = p.l.And(rest...)
	return o.goal.IsTrue()
}

// conjuncts returns the conjuncts of f as a set.
func (p *prover) conjuncts(f *logic.Term) map[*logic.Term]bool {
	set := p.parts[f]
	if set == nil {
		set = map[*logic.Term]bool{}
		for _, c := range logic.Conjuncts(f) {
			set[c] = true
		}
		p.parts[f] = set
	}
	return set
}

// proveGroup verifies obligations from the same base, and returns those that it
// could not prove and that have a stronger base left.
func (p *prover) proveGroup(base *logic.Term, obs []*obligation, round int) ([]*obligation, error) {
	if !base.IsTrue() {
		p.s.Push()
		defer p.s.Pop()
		p.s.Assert(p.guard(base))
	}
	var order []*logic.Term
	byHyp := map[*logic.Term][]*obligation{}
	for _, o := range obs {
		if byHyp[o.hyp] == nil {
			order = append(order, o.hyp)
		}
		byHyp[o.hyp] = append(byHyp[o.hyp], o)
	}
	var rest []*obligation
	for _, h := range order {
		var bad []*logic.Term
		for _, o := range byHyp[h] {
			bad = append(bad, p.l.Not(o.goal))
		}
		ok, err := p.unsat(base, p.l.And(h, p.l.Or(bad...)))
		if ok {
			continue
		}
		if err != nil && p.ctx.Err() != nil {
			return nil, p.ctx.Err()
		}
		for _, o := range byHyp[h] {
			last := round >= len(o.bases)-1
			if last || err != nil {
				ok, err := p.unsat(base, p.l.And(h, p.l.Not(o.goal)))
				if ok {
					continue
				}
				if last {
					return nil, o.failed(err)
				}
			}
			rest = append(rest, o)
		}
	}
	return rest, nil
}
