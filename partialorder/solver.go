package partialorder

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"comus/cutpoints"
	"comus/logic"
	"comus/logic/interval"
	"comus/logic/smt"
	"comus/z3"
)

// integerTactics are what solves the query over integers. Values that are known and
// equations between symbols (each read that can see one write only) are eliminated
// first; the rest is for the general solver. On the generated programs this takes half
// to a tenth of the time of the plain solver with any setting of its arithmetic or its
// choice of phases; more preprocessing costs more than it gains.
var integerTactics = []string{"simplify", "propagate-values", "solve-eqs", "smt"}

// vectorTactics are what solves the query over bit-vectors, clocks included: nothing but
// propositional logic is left of it.
var vectorTactics = []string{"simplify", "propagate-values", "solve-eqs", "bit-blast", "sat"}

// secondAfter is how long the solver that starts first has the time for itself.
const secondAfter = time.Second

func newSolver(c *z3.Context, tactics []string) *z3.Solver {
	t := c.NewTactic(tactics[0])
	for _, name := range tactics[1:] {
		t = t.AndThen(c.NewTactic(name))
	}
	return t.NewSolver()
}

// answer is how one of the solvers decides the query.
type answer struct {
	steps  []happened // nil if there is no execution
	solver string
	err    error
}

// solve decides the query and returns the execution's blocks, and what decided. Integers
// and bit-vectors race: integers are far better where sums have to be compared, so they
// start, unless there are operations outside linear arithmetic; bits are better where the
// order alone makes the query hard.
func (e *encoding) solve(ctx context.Context) ([]*cutpoints.Block, string, error) {
	ctx, cancel := context.WithCancel(ctx)
	answers := make(chan answer, 2)
	waiting := []func(context.Context) answer{e.withIntegers, e.withVectors}
	if e.hard() {
		slices.Reverse(waiting)
	}
	running := 0
	start := func() {
		if len(waiting) > 0 {
			next := waiting[0]
			waiting = waiting[1:]
			running++
			go func() { answers <- next(ctx) }()
		}
	}
	defer func() {
		cancel()
		for ; running > 0; running-- { // nobody works behind the caller's back
			<-answers
		}
	}()
	start()
	second := time.NewTimer(secondAfter)
	defer second.Stop()
	var failed error
	for running > 0 {
		select {
		case <-second.C:
			start()
		case a := <-answers:
			running--
			if a.err == nil {
				blocks, err := follow(a.steps)
				return blocks, a.solver, err
			}
			failed = errors.Join(failed, a.err)
			if ctx.Err() == nil {
				start()
			}
		}
	}
	return nil, "", failed
}

// hard reports whether the query has operations that are none of linear arithmetic.
func (e *encoding) hard() bool {
	found := false
	ts := slices.Clone(e.formulas)
	for _, eq := range e.equal {
		ts = append(ts, eq.value)
	}
	logic.Visit(func(t *logic.Term) { found = found || smt.Hard(t) }, ts...)
	return found
}

// withIntegers decides the query over unbounded integers.
func (e *encoding) withIntegers(ctx context.Context) answer {
	c, err := z3.NewContext(nil)
	if err != nil {
		return answer{err: fmt.Errorf("partialorder: %w", err)}
	}
	defer c.Close()
	tr := smt.NewTranslator(c)
	for pair, atom := range e.atoms {
		a, b := e.f.nodes[pair[0]], e.f.nodes[pair[1]]
		tr.Bind(atom, c.Le(c.Sub(tr.Term(a.clock), tr.Term(b.clock)), c.Int(-gap(a, b))))
	}
	s := newSolver(c, integerTactics)
	s.Assert(tr.Terms(e.formulas)...)
	for _, eq := range e.equal {
		s.Assert(tr.Term(e.l.Eq(eq.sym, eq.value)))
	}
	return e.decide(ctx, s, "integers", tr.Term, tr.Term)
}

// withVectors decides the query over bit-vectors.
func (e *encoding) withVectors(ctx context.Context) answer {
	c, err := z3.NewContext(nil)
	if err != nil {
		return answer{err: fmt.Errorf("partialorder: %w", err)}
	}
	defer c.Close()
	clocks := interval.Of(logic.IntValue(0), logic.IntValue(int64(len(e.f.nodes))))
	isClock := map[*logic.Term]bool{}
	for _, n := range e.f.nodes {
		isClock[n.clock] = true
	}
	vs := smt.NewVectors(c, func(v *logic.Term) interval.Interval {
		if isClock[v] {
			return clocks
		}
		return e.bounds.of[v]
	})
	for pair, atom := range e.atoms {
		a, b := e.f.nodes[pair[0]], e.f.nodes[pair[1]]
		vs.Bind(atom, vs.Formula(e.l.Le(e.l.Add(a.clock, e.l.Int(gap(a, b))), b.clock)))
	}
	var fs []z3.Term
	for _, f := range e.formulas {
		if ctx.Err() != nil { // the integers were faster
			return answer{err: ctx.Err()}
		}
		fs = append(fs, vs.Formula(f))
	}
	for _, eq := range e.equal {
		f := e.l.Eq(eq.sym, eq.value)
		if in := e.bounds.eval.Int(eq.value); !in.Bounded() || !e.bounds.of[eq.sym].Includes(in) {
			f = e.l.Implies(eq.reads, f) // beyond the bounds only what is not executed
		}
		fs = append(fs, vs.Formula(f))
	}
	if err := vs.Err(); err != nil {
		return answer{err: fmt.Errorf("partialorder: %w", err)}
	}
	s := newSolver(c, vectorTactics)
	s.Assert(fs...)
	s.Assert(vs.Side...)
	return e.decide(ctx, s, "bit-vectors", vs.Formula, vs.Integer)
}

// decide runs a solver that has the query.
func (e *encoding) decide(ctx context.Context, s *z3.Solver, name string, formula, integer func(*logic.Term) z3.Term) answer {
	st, err := s.Check(ctx)
	switch {
	case err != nil:
		return answer{err: fmt.Errorf("partialorder: %w", err)}
	case st == z3.Unsat:
		return answer{solver: name}
	case st == z3.Unknown:
		return answer{err: errors.New("partialorder: the solver gave up: " + s.ReasonUnknown())}
	}
	m, err := s.Model()
	if err != nil {
		return answer{err: fmt.Errorf("partialorder: %w", err)}
	}
	steps, err := e.execution(m, formula, integer)
	return answer{steps: steps, solver: name, err: err}
}

// happened is a step of the execution found.
type happened struct {
	st    *step
	clock *big.Int
}

// execution reads the steps taken off the model.
func (e *encoding) execution(m *z3.Model, formula, integer func(*logic.Term) z3.Term) ([]happened, error) {
	var steps []happened
	for _, n := range e.f.nodes {
		for _, st := range n.out {
			took, err := m.Eval(formula(st.took), true)
			if err != nil {
				return nil, fmt.Errorf("partialorder: %w", err)
			}
			if !took.IsTrue() {
				continue
			}
			clock, err := m.Eval(integer(n.clock), true)
			if err != nil {
				return nil, fmt.Errorf("partialorder: %w", err)
			}
			at, ok := clock.BigInt()
			if !ok {
				return nil, fmt.Errorf("partialorder: the clock %s is no number", clock)
			}
			steps = append(steps, happened{st, at})
		}
	}
	return steps, nil
}

// follow sorts the steps of an execution and returns their blocks, to the first error.
func follow(steps []happened) ([]*cutpoints.Block, error) {
	if steps == nil {
		return nil, nil
	}
	slices.SortStableFunc(steps, func(a, b happened) int { // nodes are sorted by thread
		return a.clock.Cmp(b.clock)
	})
	var blocks []*cutpoints.Block
	for _, h := range steps {
		blocks = append(blocks, h.st.seg.blocks...)
		if h.st.to == nil {
			return blocks, nil
		}
	}
	return nil, errors.New("partialorder: the execution found does not fail")
}
