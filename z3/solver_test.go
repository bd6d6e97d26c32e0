package z3

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestSolvers(t *testing.T) {
	for name, newSolver := range map[string]func(*Context) *Solver{
		"default": (*Context).NewSolver,
		"simple":  (*Context).NewSimpleSolver,
		"logic":   func(c *Context) *Solver { return c.NewSolverForLogic("QF_LIA") },
		"tactic":  func(c *Context) *Solver { return c.NewTactic("smt").NewSolver() },
	} {
		t.Run(name, func(t *testing.T) {
			c := newTestContext(t)
			v := ints(c, "x", "y")
			x, y := v[0], v[1]
			s := newSolver(c)
			s.Assert(c.Lt(x, y), c.Lt(y, c.Add(x, c.Int(2))), c.Eq(x, c.Int(41)))
			wantStatus(t, Sat, s.Check)
			m, err := s.Model()
			if err != nil {
				t.Fatal(err)
			}
			value, err := m.Eval(y, true)
			if got, ok := value.Int64(); err != nil || !ok || got != 42 {
				t.Errorf("y is %v, %v; want 42", value, err)
			}
			if len(s.Assertions()) != 3 || !strings.Contains(s.String(), "(assert (= x 41))") {
				t.Errorf("assertions %v, text %s", s.Assertions(), s)
			}
			s.Push()
			s.Assert(c.Lt(y, x))
			wantStatus(t, Unsat, s.Check)
			if s.NumScopes() != 1 {
				t.Errorf("%d scopes, want 1", s.NumScopes())
			}
			s.Pop(1)
			wantStatus(t, Sat, s.Check)
			if len(s.Statistics()) == 0 {
				t.Error("no statistics")
			}
			s.Reset()
			if len(s.Assertions()) != 0 {
				t.Error("Reset keeps assertions")
			}
		})
	}
}

func TestUnsatCore(t *testing.T) {
	c := newTestContext(t)
	x := c.Const("x", c.IntSort())
	p, q, r := c.Const("p", c.BoolSort()), c.Const("q", c.BoolSort()), c.Const("r", c.BoolSort())
	s := c.NewSolver()
	s.AssertAndTrack(c.Lt(x, c.Int(0)), p)
	s.Assert(c.Implies(q, c.Gt(x, c.Int(0))), c.Implies(r, c.Lt(x, c.Int(9))))
	wantStatus(t, Sat, s.Check)
	wantStatus(t, Unsat, func(ctx context.Context) (Status, error) { return s.CheckAssumptions(ctx, q, r) })
	core, err := s.UnsatCore()
	var names []string
	for _, k := range core {
		names = append(names, k.DeclName())
	}
	slices.Sort(names)
	if err != nil || !slices.Equal(names, []string{"p", "q"}) {
		t.Errorf("core is %v, %v; want p and q", names, err)
	}
}

func TestSolverErrors(t *testing.T) {
	c := newTestContext(t)
	x := c.Const("x", c.IntSort())
	for name, f := range map[string]func(){
		"assert integer":   func() { c.NewSolver().Assert(x) },
		"assert nothing":   func() { c.NewSolver().Assert(Term{}) },
		"track non-const":  func() { c.NewSolver().AssertAndTrack(c.True(), c.Not(c.True())) },
		"pop too much":     func() { c.NewSolver().Pop(1) },
		"unknown logic":    func() { c.NewSolverForLogic("NO_SUCH_LOGIC") },
		"unknown tactic":   func() { c.NewTactic("no-such-tactic") },
		"unknown param":    func() { c.NewSolver().SetParams(NewParams().SetBool("no_such_param", true)) },
		"wrong param type": func() { c.NewSolver().SetParams(NewParams().SetSymbol("timeout", "soon")) },
		"failed object":    func() { s := c.NewSolverForLogic("NO_SUCH_LOGIC"); c.ResetErr(); s.Push() },
		"goal of integer":  func() { c.NewGoal(x) },
	} {
		f()
		if c.ResetErr() == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := c.NewSolver().Model(); err == nil {
		t.Error("model without check is no error")
	}
	if got, err := c.NewSolverForLogic("NO_SUCH_LOGIC").Check(context.Background()); err == nil || got != Unknown {
		t.Errorf("failed solver gave %v, %v", got, err)
	}
	c.ResetErr()
}

func TestModel(t *testing.T) {
	c := newTestContext(t)
	v := ints(c, "x", "y", "z")
	a := c.Const("a", c.ArraySort(c.IntSort(), c.IntSort()))
	s := c.NewSimpleSolver()
	s.Assert(c.Eq(c.Add(v[0], v[1]), c.Int(10)), c.Eq(c.Select(a, v[0]), c.Int(7)))
	wantStatus(t, Sat, s.Check)
	m, err := s.Model()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		term Term
		want string
	}{{c.Add(v[0], v[1]), "10"}, {c.Select(a, v[0]), "7"}} {
		if got, err := m.Eval(test.term, true); err != nil || got.String() != test.want {
			t.Errorf("%v is %v, %v; want %s", test.term, got, err, test.want)
		}
	}
	if got, err := m.Eval(v[2], false); err != nil || !got.Equal(v[2]) {
		t.Errorf("open constant is %v, %v without completion", got, err)
	}
	var names []string
	for _, d := range m.Consts() {
		value, ok := m.ConstInterp(d)
		if !ok || !value.IsValid() {
			t.Errorf("no value for %v", d)
		}
		names = append(names, d.Name())
	}
	if slices.Sort(names); !slices.Contains(names, "x") || slices.Contains(names, "z") {
		t.Errorf("constants of the model are %v", names)
	}
	if _, ok := m.ConstInterp(v[2].Decl()); ok {
		t.Error("open constant has an interpretation")
	}
	if got, err := m.Eval(v[2], true); err != nil || !got.IsNumeral() {
		t.Errorf("open constant is %v, %v with completion", got, err)
	}
	if !strings.Contains(m.String(), "x") {
		t.Errorf("model prints as %q", m)
	}
}

func TestTactics(t *testing.T) {
	c := newTestContext(t)
	v := ints(c, "x", "y")
	x, y := v[0], v[1]
	g := c.NewGoal(c.Or(c.Eq(x, c.Int(1)), c.Eq(x, c.Int(2))), c.Eq(y, c.Add(x, c.Int(1))))
	ctx := context.Background()
	split := c.NewTactic("simplify").AndThen(c.NewTactic("split-clause")).TryFor(time.Minute)
	goals, err := split.Apply(ctx, g)
	if err != nil || len(goals) != 2 || len(goals[0].Formulas()) != 2 {
		t.Fatalf("subgoals %v, %v", goals, err)
	}
	if _, err := c.NewTactic("fail").Apply(ctx, g); err == nil {
		t.Error("tactic fail does not fail")
	}
	if _, err := c.NewTactic("fail").OrElse(c.NewTactic("skip")).Apply(ctx, g); err != nil {
		t.Error(err)
	}
	g.Assert(c.Lt(x, x))
	goals, err = c.NewTactic("simplify").With(NewParams().SetBool("elim_and", true)).Apply(ctx, g)
	if err != nil || len(goals) != 1 || !goals[0].IsDecidedUnsat() || goals[0].IsDecidedSat() {
		t.Errorf("contradiction simplified to %v, %v", goals, err)
	}
	if !c.NewGoal().IsDecidedSat() || c.NewGoal(c.Lt(x, y)).String() == "" {
		t.Error("empty goal is not decided")
	}
}

func TestModelProject(t *testing.T) {
	c := newTestContext(t)
	v := ints(c, "x", "y", "z")
	x, y, z := v[0], v[1], v[2]
	body := c.And(c.Lt(y, x), c.Lt(x, z), c.Eq(c.Mod(x, c.Int(2)), c.Int(0)))
	s := c.NewSolver()
	s.Assert(body)
	wantStatus(t, Sat, s.Check)
	m, err := s.Model()
	if err != nil {
		t.Fatal(err)
	}
	p, err := c.ModelProject(m, []Term{x}, body)
	if err != nil {
		t.Fatal(err)
	}
	if value, err := m.Eval(p, true); err != nil || !value.IsTrue() {
		t.Errorf("projection %v is %v, %v in the model", p, value, err)
	}
	wantValid(t, c, c.Implies(p, c.Exists([]Term{x}, body)))

	if _, err := c.ModelProject(nil, nil, body); !errors.Is(err, ErrInvalidOperand) {
		t.Errorf("nil model gave %v", err)
	}
	if p, err := c.ModelProject(m, []Term{x}, c.And(body, c.Gt(y, z))); !errors.Is(err, ErrInvalidOperand) {
		t.Errorf("model that does not satisfy the formula gave %v, %v", p, err)
	}
	quantified := c.Forall([]Term{z}, c.Or(c.Lt(z, x), c.Gt(z, c.Sub(x, c.Int(2)))))
	if _, err := c.ModelProject(m, []Term{x}, c.And(c.Lt(y, x), quantified)); !errors.Is(err, ErrInvalidOperand) {
		t.Errorf("quantified formula gave %v", err)
	}
	if _, err := c.ModelProject(m, []Term{c.Int(1)}, body); !errors.Is(err, ErrInvalidOperand) {
		t.Errorf("numeral as variable gave %v", err)
	}
	c.ResetErr()
}

func TestQELite(t *testing.T) {
	c := newTestContext(t)
	v := ints(c, "x", "y")
	x, y := v[0], v[1]
	body := c.And(c.Eq(x, c.Add(y, c.Int(1))), c.Gt(x, c.Int(4)))
	p, err := c.QELite([]Term{x}, body)
	if err != nil {
		t.Fatal(err)
	}
	wantValid(t, c, c.Iff(p, c.Gt(y, c.Int(3))))
	hard := c.Lt(c.Mul(x, x, x), y)
	if p, err := c.QELite([]Term{x}, hard); !errors.Is(err, ErrNotProjected) || !p.IsValid() {
		t.Errorf("nonlinear elimination gave %v, %v", p, err)
	}
}

// hardFormula returns a formula that no solver decides within the test: it asks
// for the factors of the product of two big primes.
func hardFormula(c *Context) Term {
	p := big.NewInt(2305843009213693951) // 2^61-1
	q := big.NewInt(2305843009213693921)
	product := c.BVBig(new(big.Int).Mul(p, q), 128)
	sort := c.BVSort(64)
	x, y := c.Const("x", sort), c.Const("y", sort)
	return c.And(
		c.BVUGt(x, c.BV(1, 64)), c.BVUGt(y, c.BV(1, 64)),
		c.Eq(c.BVMul(c.ZeroExt(64, x), c.ZeroExt(64, y)), product))
}

func TestSolverLimits(t *testing.T) {
	c := newTestContext(t)
	for name, params := range map[string]*Params{
		"timeout": NewParams().SetTimeout(50 * time.Millisecond),
		"rlimit":  NewParams().SetRLimit(20000),
	} {
		s := c.NewSimpleSolver()
		s.SetParams(params)
		s.Assert(hardFormula(c))
		start := time.Now()
		got, err := s.Check(context.Background())
		if got != Unknown || err != nil || s.ReasonUnknown() == "" || time.Since(start) > 30*time.Second {
			t.Errorf("%s: %v, %v, reason %q after %v", name, got, err, s.ReasonUnknown(), time.Since(start))
		}
	}
}

func TestContextLimits(t *testing.T) {
	for name, cfg := range map[string]Config{
		"timeout": {Timeout: 50 * time.Millisecond},
		"rlimit":  {RLimit: 20000},
	} {
		c, err := NewContext(&cfg)
		if err != nil {
			t.Fatal(err)
		}
		s := c.NewSimpleSolver()
		s.Assert(hardFormula(c))
		if got, err := s.Check(context.Background()); got != Unknown || err != nil {
			t.Errorf("%s: %v, %v", name, got, err)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}
