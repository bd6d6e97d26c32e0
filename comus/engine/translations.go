package engine

import (
	"cmp"
	"math/big"
	"slices"

	"comus/check"
	"comus/ir"
	"comus/logic"
)

// translations guesses which numbers may be added to variables so that a program does not tell the difference: see package check. What a command says about the weights of variables is a linear equation: those that
// are compared have the same weight, what is assigned has the weight of the variable. The translations are a base of the equations' solutions. A guess that is wrong costs a proof: the check finds that commands do
// not allow it.
func translations(p *ir.Program) (list []check.Translation) {
	s := &weights{p: p, tab: p.Symbols(), column: map[*ir.Var]int{}, mod: map[*ir.Var]int64{}}
	for _, local := range []bool{true, false} { // shared variables last: they stand for the others
		for _, v := range p.Vars {
			if (v.Thread != ir.Shared) == local && v.Type.Bits >= 16 && v.Cell == ir.NoCell && v.Stale == nil && !v.Points {
				s.column[v] = len(s.vars)
				s.vars = append(s.vars, v)
			}
		}
	}
	for _, t := range p.Threads {
		again := onCycles(t)
		t.Edges(func(e *ir.Edge) {
			for _, c := range e.Cmds {
				s.command(c, again[e.From] && again[e.To])
			}
		})
	}
	for _, w := range s.solutions() {
		t := check.Translation{Step: 1}
		for i, k := range w {
			if k != 0 {
				t.Weights = append(t.Weights, check.Weight{Var: s.vars[i].Index, Weight: k})
				t.Step = max(t.Step, s.mod[s.vars[i]])
				if bits := s.vars[i].Type.Bits; t.Bits == 0 || bits < t.Bits {
					t.Bits = bits
				}
			}
		}
		// The first one that has the weight 1 or -1, and is not 0 because nobody reads it, is made small: one that is shared.
		slices.SortStableFunc(t.Weights, func(a, b check.Weight) int {
			return cmp.Compare(rank(p.Vars[a.Var]), rank(p.Vars[b.Var]))
		})
		list = append(list, t)
	}
	return list
}

func rank(v *ir.Var) int {
	if v.Thread == ir.Shared {
		return 0
	}
	return 1
}

// onCycles returns the locations of a thread from which it may come back to them.
func onCycles(t *ir.Thread) map[*ir.Loc]bool {
	again := map[*ir.Loc]bool{}
	for _, from := range t.Locs {
		seen := map[*ir.Loc]bool{}
		todo := []*ir.Loc{from}
		for len(todo) > 0 && !again[from] {
			l := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for _, e := range l.Out {
				again[from] = again[from] || e.To == from
				if !seen[e.To] {
					seen[e.To] = true
					todo = append(todo, e.To)
				}
			}
		}
	}
	return again
}

// weights are equations over the weights of variables: each is a row of coefficients that add up to 0.
type weights struct {
	p      *ir.Program
	tab    ir.SymTable
	vars   []*ir.Var
	column map[*ir.Var]int
	rows   [][]*big.Rat
	mod    map[*ir.Var]int64 // the largest number that it is looked at modulo
}

// form is a sum of weights.
type form map[*ir.Var]int64

// command adds what a command says. again tells that it may be run more than once.
func (s *weights) command(c ir.Cmd, again bool) {
	switch c.Kind {
	case ir.Assume:
		s.formula(c.Cond)
	case ir.Assign:
		f := s.term(c.Expr)
		if len(f) == 0 && !again {
			return // it is not in the way where it is over
		}
		s.equal(f, form{c.Var: 1})
	}
}

// maxModulus is the largest number that is no size of a type.
const maxModulus = 1 << 15

// formula adds what a formula says.
func (s *weights) formula(t *logic.Term) {
	args := t.Args()
	switch t.Op() {
	case logic.OpNot, logic.OpAnd, logic.OpOr:
		for _, a := range args {
			s.formula(a)
		}
	case logic.OpIte:
		for _, a := range args {
			s.formula(a)
		}
	case logic.OpEq, logic.OpLe:
		for i, a := range args {
			if v, ok := constantOf(a); ok && v.CmpAbs(big.NewInt(maxModulus)) >= 0 && len(args) == 2 && i < 2 { // of overflow
				s.term(args[1-i])
				return
			}
		}
		if len(args) == 2 {
			s.equal(s.term(args[0]), s.term(args[1]))
			return
		}
		s.none(t)
	case logic.OpTrue, logic.OpFalse:
	default:
		s.none(t)
	}
}

// constantOf returns the value of a term that is a number, or a number and something.
func constantOf(t *logic.Term) (*big.Int, bool) {
	if v, ok := t.Const(); ok {
		return v.Big(), true
	}
	if t.Op() == logic.OpAdd {
		for _, a := range t.Args() {
			if v, ok := a.Const(); ok {
				return v.Big(), true
			}
		}
	}
	return nil, false
}

// none says that variables of a term have no weight.
func (s *weights) none(t *logic.Term) {
	for _, sym := range logic.FreeVars(t) {
		if v := s.tab[sym]; v != nil {
			s.equal(form{v: 1}, nil)
		}
	}
}

// term returns the weight of a term, and adds what it says.
func (s *weights) term(t *logic.Term) form {
	args := t.Args()
	switch t.Op() {
	case logic.OpVar:
		if v := s.tab[t]; v != nil {
			return form{v: 1}
		}
		return nil
	case logic.OpInt:
		return nil
	case logic.OpAdd:
		sum := form{}
		for _, a := range args {
			for v, k := range s.term(a) {
				sum[v] += k
			}
		}
		return sum
	case logic.OpMul:
		if len(args) == 2 {
			for i, a := range args {
				if v, ok := a.Const(); ok {
					k, small := v.Int64()
					product := form{}
					for u, w := range s.term(args[1-i]) {
						product[u] = k * w
					}
					if small && k < maxModulus && k > -maxModulus {
						return product
					}
				}
			}
		}
	case logic.OpIte:
		s.formula(args[0])
		yes, no := s.term(args[1]), s.term(args[2])
		s.equal(yes, no)
		return yes
	case logic.OpMod, logic.OpBitAnd:
		if k, ok := args[1].Const(); ok {
			n, small := k.Int64()
			if t.Op() == logic.OpBitAnd {
				n++
			}
			inner := s.term(args[0])
			if !small || n >= maxModulus {
				return inner // it wraps around
			}
			if n > 0 {
				for v := range inner { // order does not matter
					s.mod[v] = max(s.mod[v], n)
				}
				return nil
			}
		}
	}
	s.none(t)
	return nil
}

// equal says that two sums are equal.
func (s *weights) equal(a, b form) {
	row := make([]*big.Rat, len(s.vars))
	some := false
	add := func(f form, sign int64) {
		for v, k := range f { // order does not matter
			i, ok := s.column[v]
			if !ok {
				continue
			}
			if row[i] == nil {
				row[i] = new(big.Rat)
			}
			row[i].Add(row[i], big.NewRat(sign*k, 1))
			some = true
		}
	}
	add(a, 1)
	add(b, -1)
	if some {
		s.rows = append(s.rows, row)
	}
}

// maxWeights is how many variables weights are looked for at most.
const maxWeights = 300

// solutions returns a base of the solutions of the equations that are whole numbers.
func (s *weights) solutions() (list [][]int64) {
	n := len(s.vars)
	if n > maxWeights {
		return nil
	}
	at := make([][]*big.Rat, n) // by column: the row that begins there, with 1
	for _, row := range s.rows {
		for i := range n {
			if row[i] == nil || row[i].Sign() == 0 {
				continue
			}
			if at[i] == nil {
				scale(row, new(big.Rat).Inv(row[i]))
				at[i] = row
				break
			}
			subtract(row, at[i], new(big.Rat).Set(row[i]))
		}
	}
	for free := range n {
		if at[free] != nil {
			continue
		}
		value := make([]*big.Rat, n)
		for i := n - 1; i >= 0; i-- {
			value[i] = new(big.Rat)
			if at[i] == nil {
				if i == free {
					value[i].SetInt64(1)
				}
				continue
			}
			for j := i + 1; j < n; j++ {
				if c := at[i][j]; c != nil {
					value[i].Sub(value[i], new(big.Rat).Mul(c, value[j]))
				}
			}
		}
		if w := whole(value); w != nil {
			list = append(list, w)
		}
	}
	return list
}

func scale(row []*big.Rat, k *big.Rat) {
	for _, c := range row {
		if c != nil {
			c.Mul(c, k)
		}
	}
}

// subtract subtracts a multiple of a row from another one.
func subtract(row, other []*big.Rat, k *big.Rat) {
	for i, c := range other {
		if c == nil {
			continue
		}
		if row[i] == nil {
			row[i] = new(big.Rat)
		}
		row[i].Sub(row[i], new(big.Rat).Mul(c, k))
	}
}

// whole returns numbers as integers; nil: they are not, or large.
func whole(values []*big.Rat) (list []int64) {
	for _, v := range values {
		if !v.IsInt() || !v.Num().IsInt64() || v.Num().CmpAbs(big.NewInt(maxModulus)) > 0 {
			return nil
		}
		list = append(list, v.Num().Int64())
	}
	return list
}
