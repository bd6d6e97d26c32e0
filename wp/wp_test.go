package wp

import (
	"math/rand/v2"
	"testing"

	"comus/ir"
	"comus/logic"
)

func TestPre(t *testing.T) {
	p := ir.NewProgram("t")
	l := p.L
	x := p.NewVar("x", ir.Type{Bits: 32, Signed: true}, ir.Shared)
	y := p.NewVar("y", ir.Type{Bits: 8}, ir.Shared)
	tests := []struct {
		name   string
		cmds   []ir.Cmd
		post   *logic.Term
		want   string
		inputs int
	}{
		{"assignment", []ir.Cmd{ir.AssignCmd(x, l.Add(x.Sym, l.Int(1)))}, l.Le(x.Sym, l.Int(5)), "x <= 4", 0},
		{"assumption", []ir.Cmd{ir.AssumeCmd(l.Eq(y.Sym, l.Int(2))), ir.AssignCmd(y, l.Int(0))}, l.Eq(y.Sym, l.Int(0)), "y == 2", 0},
		{"order", []ir.Cmd{ir.AssignCmd(x, y.Sym), ir.AssignCmd(y, l.Int(7))}, l.Eq(x.Sym, y.Sym), "y == 7", 0},
		{"unreachable", []ir.Cmd{ir.AssignCmd(y, l.Int(1)), ir.AssumeCmd(l.Eq(y.Sym, l.Int(2)))}, l.True(), "0", 0},
		{"input", []ir.Cmd{ir.HavocCmd(y, "")}, l.True(), "", 1},
	}
	for _, tt := range tests {
		f, in := Pre(l, tt.cmds, tt.post)
		if len(in) != tt.inputs {
			t.Errorf("%s: %d inputs, want %d", tt.name, len(in), tt.inputs)
		}
		if got := f.C(logic.CStyle{}); tt.want != "" && got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// randomFormula builds a Boolean combination of linear literals over vars.
func randomFormula(l *logic.Store, r *rand.Rand, vars []*logic.Term, depth int) *logic.Term {
	if depth > 0 {
		a, b := randomFormula(l, r, vars, depth-1), randomFormula(l, r, vars, depth-1)
		switch r.IntN(4) {
		case 0:
			return l.And(a, b)
		case 1:
			return l.Or(a, b)
		case 2:
			return l.Not(a)
		}
		return l.Eq(a, b)
	}
	sum := l.Int(int64(r.IntN(7) - 3))
	for _, v := range vars {
		sum = l.Add(sum, l.Mul(l.Int(int64(r.IntN(5)-2)), v))
	}
	if r.IntN(4) == 0 {
		sum = l.Ite(l.Le(vars[0], vars[1]), sum, l.Neg(vars[2]))
	}
	if r.IntN(2) == 0 {
		return l.Le(sum, l.Int(0))
	}
	return l.Eq(sum, l.Int(0))
}

// TestProject compares projections of random formulas with their meaning on a
// grid: the cube holds in the model, and wherever it holds some value of the
// eliminated variable satisfies the formula.
func TestProject(t *testing.T) {
	l := logic.NewStore()
	x, y, z := l.Var("x", logic.Int), l.Var("y", logic.Int), l.Var("z", logic.Int)
	r := rand.New(rand.NewPCG(1, 2))
	const grid, wide = 4, 40
	projected := 0
	for range 3000 {
		f := randomFormula(l, r, []*logic.Term{x, y, z}, 2)
		vals := map[*logic.Term]logic.Value{}
		for _, v := range []*logic.Term{x, y, z} {
			vals[v] = logic.IntValue(int64(r.IntN(2*grid+1) - grid))
		}
		m := Model(func(v *logic.Term) logic.Value { return vals[v] })
		if !m.holds(f) {
			continue
		}
		projected++
		cube := l.And(Project(l, f, []*logic.Term{x}, m)...)
		if !m.holds(cube) {
			t.Fatalf("projection of %s is %s: false in its model %v", f, cube, vals)
		}
		for _, v := range logic.FreeVars(cube) {
			if v == x {
				t.Fatalf("projection of %s is %s", f, cube)
			}
		}
		for a := -grid; a <= grid; a++ {
			for b := -grid; b <= grid; b++ {
				if !covered(f, cube, x, y, z, a, b, wide) {
					t.Fatalf("projection of %s is %s: wrong at y=%d z=%d", f, cube, a, b)
				}
			}
		}
	}
	if projected < 500 {
		t.Errorf("only %d formulas were true in their model", projected)
	}
}

// covered reports whether, at y=a z=b, the cube is false or some x in -wide…wide
// satisfies f.
func covered(f, cube, x, y, z *logic.Term, a, b, wide int) bool {
	var cur int
	env := func(v *logic.Term) logic.Value {
		switch v {
		case x:
			return logic.IntValue(int64(cur))
		case y:
			return logic.IntValue(int64(a))
		}
		return logic.IntValue(int64(b))
	}
	if !logic.Eval(cube, env).Bool() {
		return true
	}
	for cur = -wide; cur <= wide; cur++ {
		if logic.Eval(f, env).Bool() {
			return true
		}
	}
	return false
}
