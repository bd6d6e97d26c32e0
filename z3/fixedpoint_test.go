package z3

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// loopProgram is the program
//
//	x = 0; while (x < 10) x++; y = x; if (y == bad) error
//
// with the relations loop(x), done(y, 1) and error(dummy).
type loopProgram struct {
	fp              *Fixedpoint
	loop, done, err FuncDecl
	x               Term
}

// newLoopProgram builds the rules of the program. A negative bad leaves the
// error out.
func newLoopProgram(c *Context, bad int64) loopProgram {
	i := c.IntSort()
	p := loopProgram{
		fp:   c.NewFixedpoint(),
		loop: c.FuncDecl("loop", []Sort{i}, c.BoolSort()),
		done: c.FuncDecl("done", []Sort{i, i}, c.BoolSort()),
		err:  c.FuncDecl("error", []Sort{i}, c.BoolSort()),
		x:    c.Const("x", i),
	}
	p.fp.SetParams(TraceParams())
	p.fp.RegisterRelation(p.loop, p.done, p.err)
	xs := []Term{p.x}
	ten, one := c.Int(10), c.Int(1)
	p.fp.AddRule(p.loop.Apply(c.Int(0)), "init")
	p.fp.AddRule(c.Forall(xs, c.Implies(c.And(p.loop.Apply(p.x), c.Lt(p.x, ten)), p.loop.Apply(c.Add(p.x, one)))), "step")
	p.fp.AddRule(c.Forall(xs, c.Implies(c.And(p.loop.Apply(p.x), c.Ge(p.x, ten)), p.done.Apply(p.x, one))), "exit")
	if bad >= 0 {
		p.fp.AddRule(c.Forall(xs, c.Implies(c.And(p.done.Apply(p.x, one), c.Eq(p.x, c.Int(bad))), p.err.Apply(c.Int(0)))), "fail")
	}
	return p
}

// query asks whether the error is reachable.
func (p loopProgram) query(ctx context.Context) (Status, error) {
	c := p.fp.ctx
	return p.fp.Query(ctx, c.Exists([]Term{p.x}, p.err.Apply(p.x)))
}

func TestTrace(t *testing.T) {
	c := newTestContext(t)
	p := newLoopProgram(c, 10)
	wantStatus(t, Sat, p.query)
	names, err := p.fp.RuleNamesAlongTrace()
	want := slices.Concat([]string{"fail", "exit"}, slices.Repeat([]string{"step"}, 10), []string{"init"})
	if err != nil || !slices.Equal(names, want) {
		t.Errorf("trace %v, %v; want %v", names, err, want)
	}
	answer, err := p.fp.GroundSatAnswer()
	if err != nil {
		t.Fatal(err)
	}
	var facts []string
	for _, f := range answer.Args() {
		facts = append(facts, f.String())
	}
	if len(facts) != 13 || facts[0] != "(error 0)" || facts[1] != "(done 10 1)" || facts[12] != "(loop 0)" {
		t.Errorf("ground facts %v", facts)
	}
	if proof, err := p.fp.GetAnswer(); err != nil || !proof.IsValid() {
		t.Errorf("GetAnswer gave %v, %v", proof, err)
	}
	if _, err := p.fp.Invariants(nil); !errors.Is(err, ErrNoAnswer) {
		t.Errorf("Invariants after sat gave %v", err)
	}
}

func TestInvariants(t *testing.T) {
	c := newTestContext(t)
	p := newLoopProgram(c, 11)
	wantStatus(t, Unsat, p.query)
	other := c.FuncDecl("other", []Sort{c.BoolSort()}, c.BoolSort())
	invs, err := p.fp.Invariants([]FuncDecl{p.done, p.loop, p.err, other})
	if err != nil {
		t.Fatal(err)
	}
	at := func(i int, args ...Term) Term { return c.Substitute(invs[i].Body, invs[i].Params, args) }
	for i, d := range []FuncDecl{p.done, p.loop, p.err, other} {
		if !invs[i].Decl.Equal(d) || invs[i].Found != (i < 3) || len(invs[i].Params) != d.Arity() {
			t.Errorf("invariant %d is %v", i, invs[i])
		}
	}
	if !invs[3].Body.IsTrue() {
		t.Errorf("missing invariant is %v", invs[3].Body)
	}
	one := c.Int(1)
	wantValid(t, c, at(1, c.Int(0)))
	wantValid(t, c, c.Implies(c.And(at(1, p.x), c.Lt(p.x, c.Int(10))), at(1, c.Add(p.x, one))))
	wantValid(t, c, c.Implies(c.And(at(1, p.x), c.Ge(p.x, c.Int(10))), at(0, p.x, one)))
	wantValid(t, c, c.Implies(c.And(at(0, p.x, one), c.Eq(p.x, c.Int(11))), at(2, c.Int(0))))
	wantValid(t, c, c.Not(at(2, p.x)))

	if _, err := p.fp.RuleNamesAlongTrace(); !errors.Is(err, ErrNoAnswer) {
		t.Errorf("trace after unsat gave %v", err)
	}
	if _, err := p.fp.GroundSatAnswer(); !errors.Is(err, ErrNoAnswer) {
		t.Errorf("ground answer after unsat gave %v", err)
	}
	if cover, err := p.fp.CoverDelta(-1, p.loop); err != nil || !cover.IsValid() {
		t.Errorf("CoverDelta gave %v, %v", cover, err)
	}
	if p.fp.String() == "" || len(p.fp.Statistics()) == 0 || p.fp.ReasonUnknown() == "" {
		t.Error("no text, statistics or reason")
	}
}

// TestUnreachableRelation queries a relation that no rule derives.
func TestUnreachableRelation(t *testing.T) {
	c := newTestContext(t)
	p := newLoopProgram(c, -1)
	wantStatus(t, Unsat, p.query)
	invs, err := p.fp.Invariants([]FuncDecl{p.err, p.loop})
	if err != nil {
		t.Fatal(err)
	}
	if !invs[0].Body.IsFalse() {
		t.Errorf("invariants %v", invs)
	}
}

func TestQueryRelations(t *testing.T) {
	c := newTestContext(t)
	for bad, want := range map[int64]Status{10: Sat, 11: Unsat} {
		p := newLoopProgram(c, bad)
		wantStatus(t, want, func(ctx context.Context) (Status, error) {
			return p.fp.QueryRelations(ctx, p.err)
		})
		if want == Unsat {
			continue
		}
		if names, err := p.fp.RuleNamesAlongTrace(); err != nil || len(names) != 13 {
			t.Errorf("trace %v, %v", names, err)
		}
	}
	if _, err := c.NewFixedpoint().QueryRelations(context.Background()); !errors.Is(err, ErrInvalidOperand) {
		t.Errorf("query without relations gave %v", err)
	}
}

// divergingProgram has no invariant that Spacer finds.
func divergingProgram(c *Context) (*Fixedpoint, Term) {
	i := c.IntSort()
	fp := c.NewFixedpoint()
	fp.SetParams(TraceParams())
	loop := c.FuncDecl("loop", []Sort{i, i, i}, c.BoolSort())
	bad := c.FuncDecl("error", []Sort{i}, c.BoolSort())
	fp.RegisterRelation(loop, bad)
	v := ints(c, "x", "y", "z")
	x, y, z := v[0], v[1], v[2]
	fp.AddRule(loop.Apply(c.Int(0), c.Int(0), c.Int(1)), "init")
	fp.AddRule(c.Forall(v, c.Implies(loop.Apply(x, y, z),
		loop.Apply(c.Add(x, z), c.Add(y, x, z), c.Add(z, c.Int(2))))), "step")
	fp.AddRule(c.Forall(v, c.Implies(c.And(loop.Apply(x, y, z), c.Eq(c.Mod(c.Add(x, x, x), c.Int(7)), c.Int(2))),
		bad.Apply(c.Int(0)))), "fail")
	return fp, c.Exists(v[:1], bad.Apply(x))
}

func TestFixedpointDeadline(t *testing.T) {
	c := newTestContext(t)
	for _, limit := range []time.Duration{time.Microsecond, 5 * time.Millisecond, 200 * time.Millisecond} {
		fp, query := divergingProgram(c)
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		start := time.Now()
		got, err := fp.Query(ctx, query)
		cancel()
		if got != Unknown || !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 20*time.Second {
			t.Errorf("Query gave %v, %v after %v", got, err, time.Since(start))
		}
		if _, err := fp.GetAnswer(); !errors.Is(err, ErrNoAnswer) {
			t.Errorf("answer of an interrupted query: %v", err)
		}
		assertUsable(t, c)
	}
	p := newLoopProgram(c, 11)
	wantStatus(t, Unsat, p.query)
}

func TestFixedpointTimeout(t *testing.T) {
	c := newTestContext(t)
	for name, params := range map[string]*Params{
		"timeout": TraceParams().SetTimeout(100 * time.Millisecond),
		"rlimit":  TraceParams().SetRLimit(300_000),
	} {
		fp, query := divergingProgram(c)
		fp.SetParams(params)
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		got, err := fp.Query(ctx, query)
		cancel()
		var zerr *Error
		if got != Unknown || !errors.As(err, &zerr) {
			t.Errorf("%s: Query gave %v, %v", name, got, err)
		}
		assertUsable(t, c)
	}
}

func TestFixedpointErrors(t *testing.T) {
	c := newTestContext(t)
	p := newLoopProgram(c, 1)
	for name, f := range map[string]func(){
		"rule without head": func() {
			fp := newLoopProgram(c, 1).fp
			fp.AddRule(c.Forall([]Term{p.x}, c.Lt(p.x, c.Int(3))), "r")
			if _, err := fp.QueryRelations(context.Background(), p.loop); err != nil {
				c.fail(err)
			}
		},
		"rule of integer":   func() { p.fp.AddRule(p.x, "r") },
		"empty name":        func() { p.fp.AddRule(p.loop.Apply(c.Int(1)), "") },
		"semicolon":         func() { p.fp.AddRule(p.loop.Apply(c.Int(1)), "a;b") },
		"integer relation":  func() { p.fp.RegisterRelation(c.FuncDecl("f", nil, c.IntSort())) },
		"zero relation":     func() { p.fp.RegisterRelation(FuncDecl{}) },
		"unknown parameter": func() { p.fp.SetParams(NewParams().SetBool("no_such", true)) },
		"unknown engine": func() {
			fp := c.NewFixedpoint()
			fp.SetParams(NewParams().SetSymbol("engine", "no-such-engine"))
			if _, err := fp.QueryRelations(context.Background(), p.loop); err != nil {
				c.fail(err)
			}
		},
	} {
		f()
		if c.ResetErr() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestSplitAnswer(t *testing.T) {
	c := newTestContext(t)
	i := c.IntSort()
	p := c.FuncDecl("P", []Sort{i, c.BoolSort()}, c.BoolSort())
	q := c.FuncDecl("Q", nil, c.BoolSort())
	tests := []struct{ name, text, p, q string }{
		{"equations", "(and (forall ((a Int) (b Bool)) (= (P a b) (and b (> a 0)))) (= Q true))", "(and b (> a 0))", "true"},
		{"swapped sides", "(and (= false Q) (forall ((b Bool) (a Int)) (= (< a 5) (P a b))))", "(< a 5)", "false"},
		{"negated side", "(forall ((a Int) (b Bool)) (= (not (P a b)) b))", "(not b)", ""},
		{"negated equation", "(forall ((a Int) (b Bool)) (not (= (P a b) b)))", "(not b)", ""},
		{"xor", "(forall ((a Int) (b Bool)) (xor (P a b) b))", "(not b)", ""},
		{"atoms", "(and Q (forall ((a Int) (b Bool)) (not (P a b))))", "false", "true"},
		{"implication", "(forall ((a Int) (b Bool)) (=> (P a b) (= a 3)))", "(= a 3)", ""},
		{"clause", "(forall ((a Int) (b Bool)) (or (= a 1) (not (P a b)) b))", "(or (= a 1) b)", ""},
		{"several", "(forall ((a Int) (b Bool)) (and (=> (P a b) b) (=> (P a b) (= a 3))))", "(and b (= a 3))", ""},
		{"nested", "(forall ((a Int)) (forall ((b Bool)) (= (P a b) (and b (> a 0)))))", "(and b (> a 0))", ""},
		{"inner quantifier", "(forall ((a Int) (b Bool)) (= (P a b) (exists ((k Int)) (= a (* 2 k)))))", "(= 0 (mod a 2))", ""},
		{"true", "true", "", ""},
		{"other relation", "(and (= Q true) (forall ((a Int)) (= (R a) (< a 1))))", "", "true"},
	}
	a, b := c.Const("a", i), c.Const("b", c.BoolSort())
	decls := []FuncDecl{p, q, c.FuncDecl("R", []Sort{i}, c.BoolSort()), a.Decl(), b.Decl()}
	parse := func(text string) Term {
		terms, err := c.ParseSMTLIB2(fmt.Sprintf("(assert %s)", text), decls)
		if err != nil {
			t.Fatal(err)
		}
		return c.And(terms...)
	}
	for _, test := range tests {
		invs, err := c.splitAnswer(parse(test.text), []FuncDecl{p, q})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		for k, want := range []string{test.p, test.q} {
			if invs[k].Found != (want != "") {
				t.Errorf("%s: found %t for %v", test.name, invs[k].Found, invs[k].Decl)
			}
			if want != "" {
				args := []Term{a, b}[:len(invs[k].Params)]
				wantValid(t, c, c.Iff(c.Substitute(invs[k].Body, invs[k].Params, args), parse(want)))
			}
		}
	}
	for _, text := range []string{
		"false", "(P 3 true)", "(forall ((a Int)) (P a true))", "(forall ((a Int) (b Bool)) (=> b (P a b)))",
		"(forall ((a Int) (b Bool) (k Int)) (= (P a b) (< a k)))", "(forall ((a Int) (b Bool)) (= (P a b) Q))",
		"(exists ((a Int) (b Bool)) (P a b))", "(or Q (< 1 2))",
	} {
		if invs, err := c.splitAnswer(parse(text), []FuncDecl{p, q}); !errors.Is(err, ErrAnswerForm) {
			t.Errorf("%s gave %v, %v", text, invs, err)
		}
	}
	if _, err := c.splitAnswer(c.True(), []FuncDecl{{}}); err == nil || !strings.Contains(err.Error(), "zero") {
		t.Errorf("zero relation gave %v", err)
	}
	c.ResetErr()
}
