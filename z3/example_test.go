package z3_test

import (
	"context"
	"fmt"
	"log"

	"comus/z3"
)

func Example() {
	c, err := z3.NewContext(nil)
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()

	x, y := c.Const("x", c.IntSort()), c.Const("y", c.IntSort())
	s := c.NewSolver()
	s.Assert(
		c.Eq(c.Add(x, y), c.Int(10)),
		c.Eq(c.Sub(x, y), c.Int(4)))
	status, err := s.Check(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	m, err := s.Model()
	if err != nil {
		log.Fatal(err)
	}
	vx, _ := m.Eval(x, true)
	vy, _ := m.Eval(y, true)
	fmt.Println(status, vx, vy)
	// Output: sat 7 3
}

// Errors of term builders are recorded, and show up at the next check.
func ExampleContext_Err() {
	c, err := z3.NewContext(nil)
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()

	x := c.Const("x", c.IntSort())
	bad := c.And(c.Not(x), c.True()) // x is no formula
	s := c.NewSolver()
	s.Assert(bad)
	status, err := s.Check(context.Background())
	fmt.Println(status, err == c.Err(), err != nil)
	fmt.Println(bad.IsValid())
	// Output:
	// unknown true true
	// false
}

func ExampleSolver_CheckAssumptions() {
	c, err := z3.NewContext(nil)
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()

	x := c.Const("x", c.IntSort())
	low, high, odd := c.Const("low", c.BoolSort()), c.Const("high", c.BoolSort()), c.Const("odd", c.BoolSort())
	s := c.NewSimpleSolver()
	s.Assert(
		c.Implies(low, c.Lt(x, c.Int(0))),
		c.Implies(high, c.Gt(x, c.Int(9))),
		c.Implies(odd, c.Eq(c.Mod(x, c.Int(2)), c.Int(1))))
	status, err := s.CheckAssumptions(context.Background(), low, high, odd)
	if err != nil {
		log.Fatal(err)
	}
	core, err := s.UnsatCore()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(status, len(core))
	// Output: unsat 2
}

// The fixedpoint engine finds the steps to an error, or an invariant that
// excludes it.
func ExampleFixedpoint() {
	c, err := z3.NewContext(nil)
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()

	// x = 0; while (x < 3) x++; assert(x != bad);
	for _, bad := range []int64{3, 4} {
		x := c.Const("x", c.IntSort())
		loop := c.FuncDecl("loop", []z3.Sort{c.IntSort()}, c.BoolSort())
		fail := c.FuncDecl("fail", []z3.Sort{c.IntSort()}, c.BoolSort()) // dummy argument
		fp := c.NewFixedpoint()
		fp.SetParams(z3.TraceParams())
		fp.RegisterRelation(loop, fail)
		rule := func(name string, body, head z3.Term) {
			fp.AddRule(c.Forall([]z3.Term{x}, c.Implies(body, head)), name)
		}
		rule("init", c.Eq(x, c.Int(0)), loop.Apply(x))
		rule("step", c.And(loop.Apply(x), c.Lt(x, c.Int(3))), loop.Apply(c.Add(x, c.Int(1))))
		rule("exit", c.And(loop.Apply(x), c.Ge(x, c.Int(3)), c.Eq(x, c.Int(bad))), fail.Apply(c.Int(0)))

		status, err := fp.Query(context.Background(), c.Exists([]z3.Term{x}, fail.Apply(x)))
		if err != nil {
			log.Fatal(err)
		}
		if status == z3.Sat {
			trace, err := fp.RuleNamesAlongTrace()
			fmt.Println(status, trace, err)
			continue
		}
		invs, err := fp.Invariants([]z3.FuncDecl{loop})
		if err != nil {
			log.Fatal(err)
		}
		inv := c.Substitute(invs[0].Body, invs[0].Params, []z3.Term{x})
		fmt.Println(status, inv)
	}
	// Output:
	// sat [exit step step step init] <nil>
	// unsat (not (>= x 4))
}

func ExampleContext_ModelProject() {
	c, err := z3.NewContext(nil)
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()

	x, y := c.Const("x", c.IntSort()), c.Const("y", c.IntSort())
	body := c.And(c.Eq(x, c.Add(y, c.Int(1))), c.Gt(x, c.Int(5)))
	s := c.NewSolver()
	s.Assert(body)
	if _, err := s.Check(context.Background()); err != nil {
		log.Fatal(err)
	}
	m, err := s.Model()
	if err != nil {
		log.Fatal(err)
	}
	p, err := c.ModelProject(m, []z3.Term{x}, body)
	fmt.Println(p, err)
	// Output: (not (<= y 4)) <nil>
}

func ExampleTactic_Apply() {
	c, err := z3.NewContext(nil)
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()

	x, y := c.Const("x", c.IntSort()), c.Const("y", c.IntSort())
	goal := c.NewGoal(c.Eq(x, c.Add(y, c.Int(1))), c.Gt(x, c.Int(2)))
	tactic := c.NewTactic("simplify").AndThen(c.NewTactic("solve-eqs"))
	subgoals, err := tactic.Apply(context.Background(), goal)
	if err != nil {
		log.Fatal(err)
	}
	for _, g := range subgoals {
		fmt.Println(len(g.Formulas()))
	}
	// Output: 1
}
