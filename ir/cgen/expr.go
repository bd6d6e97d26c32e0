package cgen

import (
	"fmt"
	"math/big"

	"comus/logic"
)

// bounds is an interval that the value of a term is in, and the largest magnitude of a
// number that computing it takes, partial sums and both sides of comparisons included.
type bounds struct {
	lo, hi, size *big.Int
}

var (
	zero    = big.NewInt(0)
	one     = big.NewInt(1)
	maxInt  = new(big.Int).SetInt64(1<<31 - 1)
	maxLong = new(big.Int).SetInt64(1<<63 - 1)
	maxHuge = new(big.Int).Sub(new(big.Int).Lsh(one, 127), one)
)

// Expr writes a term as C that computes its value exactly, for any values of the
// variables within their types. The error is for terms with numbers that no type of C
// has, and for variables that were not named.
func (n *Names) Expr(t *logic.Term) (string, error) {
	b, err := n.bounds(t)
	if err != nil {
		return "", err
	}
	wide := "int"
	switch {
	case b.size.Cmp(maxInt) <= 0:
	case b.size.Cmp(maxLong) <= 0:
		wide = "long long"
	case b.size.Cmp(maxHuge) <= 0:
		wide = "__int128"
	default:
		return "", fmt.Errorf("unsupported: arithmetic on more than 128 bits: %s", t)
	}
	if t.IsVar() { // nothing is computed
		wide = "int"
	}
	style := logic.CStyle{Parens: true, Name: func(s *logic.Term) string {
		v := n.vars[s]
		if wide == "int" || Type(v.Type) == wide {
			return n.names[v]
		}
		return "(" + wide + ")" + n.names[v]
	}, Const: constant, Decided: n.decided, Call: func(t *logic.Term, args []string) string { return n.call(wide, t, args) }}
	return t.C(style), nil
}

// decided returns the value of a comparison that has only one within the types of its
// variables; compilers warn of those.
func (n *Names) decided(t *logic.Term) (value, known bool) {
	if t.Op() != logic.OpLe && (t.Op() != logic.OpEq || t.Args()[0].Sort() == logic.Bool) {
		return false, false
	}
	a, _ := n.bounds(t.Args()[0]) // no error: the whole has none
	b, _ := n.bounds(t.Args()[1])
	switch {
	case t.Op() == logic.OpLe && a.hi.Cmp(b.lo) <= 0:
		return true, true
	case a.lo.Cmp(b.hi) > 0 || t.Op() == logic.OpEq && a.hi.Cmp(b.lo) < 0:
		return false, true
	}
	return false, false
}

// constant writes a number that is not negative.
func constant(v logic.Value) string {
	x := v.Big()
	if x.Cmp(maxLong) <= 0 {
		return x.String()
	}
	hi := new(big.Int).Rsh(x, 62)
	lo := new(big.Int).Sub(x, new(big.Int).Lsh(hi, 62))
	return fmt.Sprintf("(((__int128)%s << 62) + %s)", hi, lo)
}

// call writes quotients and remainders that C's operators do not give.
func (n *Names) call(wide string, t *logic.Term, args []string) string {
	switch t.Op() {
	case logic.OpShl, logic.OpShr:
		name := map[logic.Op]string{logic.OpShl: "shift_left", logic.OpShr: "shift_right"}[t.Op()]
		n.helped[name] = true
		return fmt.Sprintf("%s(%s, %s)", name, args[0], args[1])
	case logic.OpDiv, logic.OpMod:
	default:
		return ""
	}
	a, _ := n.bounds(t.Args()[0]) // no error: the whole has none
	k, fixed := t.Args()[1].Const()
	if fixed && k.Sign() > 0 {
		if a.lo.Sign() >= 0 {
			return ""
		}
		if m := k.Big(); t.Op() == logic.OpMod && !n.ranged && new(big.Int).And(m, new(big.Int).Sub(m, one)).Sign() == 0 {
			mask := constant(logic.BigValue(new(big.Int).Sub(m, one)))
			return fmt.Sprintf("((%s) & %s)", args[0], mask)
		}
	}
	name := "remainder_of"
	if t.Op() == logic.OpDiv {
		name = "quotient"
	}
	if wide == "int" {
		wide = "long long"
	}
	name += suffix[wide]
	n.helped[name] = true
	return fmt.Sprintf("%s(%s, %s)", name, args[0], args[1])
}

// bounds computes the bounds of a term.
func (n *Names) bounds(t *logic.Term) (bounds, error) {
	if b, ok := n.ranges[t]; ok {
		return b, nil
	}
	args := make([]bounds, len(t.Args()))
	size := zero
	for i, a := range t.Args() {
		var err error
		if args[i], err = n.bounds(a); err != nil {
			return bounds{}, err
		}
		size = larger(size, args[i].size)
	}
	b := bounds{zero, one, size}
	switch t.Op() {
	case logic.OpInt:
		k, _ := t.Const()
		b.lo, b.hi = k.Big(), k.Big()
	case logic.OpVar:
		v := n.vars[t]
		if v == nil {
			return bounds{}, fmt.Errorf("a variable that was not declared: %s", t)
		}
		lo, hi := v.Type.Range()
		b.lo, b.hi = lo.Big(), hi.Big()
	case logic.OpIte:
		if t.Sort() == logic.Int {
			b.lo, b.hi = smaller(args[1].lo, args[2].lo), larger(args[1].hi, args[2].hi)
		}
	case logic.OpAdd:
		sum := zero
		b.lo, b.hi = zero, zero
		for _, a := range args {
			b.lo, b.hi, sum = new(big.Int).Add(b.lo, a.lo), new(big.Int).Add(b.hi, a.hi), new(big.Int).Add(sum, a.magnitude())
		}
		b.size = larger(size, sum)
	case logic.OpEq, logic.OpLe:
		if t.Args()[0].Sort() == logic.Int {
			b.size = n.compared(t)
		}
	case logic.OpMul:
		b.lo, b.hi = one, one
		for _, a := range args {
			b.lo, b.hi = product(b, a)
			b.size = larger(b.size, b.magnitude())
		}
	default:
		if t.Sort() == logic.Int {
			if err := b.operation(t, args); err != nil {
				return bounds{}, err
			}
		}
	}
	b.size = larger(b.size, b.itself())
	n.ranges[t] = b
	return b, nil
}

// compared returns the largest magnitude that a comparison takes: it is written with the
// parts that have negative coefficients on the other side.
func (n *Names) compared(t *logic.Term) *big.Int {
	var sides [2]*big.Int
	size := zero
	var k *big.Int
	for i, arg := range t.Args() {
		sum, konst := linear(arg)
		if konst.Sign() != 0 {
			k = new(big.Int).Abs(konst.Big())
			size = larger(size, k)
		}
		for x, c := range sum {
			b, _ := n.bounds(x) // no error: the operands have none
			size = larger(size, b.size)
			side, m := i, new(big.Int).Mul(new(big.Int).Abs(c.Big()), b.magnitude())
			if c.Sign() < 0 {
				side = 1 - i
			}
			switch {
			case sides[side] != nil:
				sides[side] = new(big.Int).Add(sides[side], new(big.Int).Add(m, one))
			case c == logic.IntValue(1) || c == logic.IntValue(-1):
				sides[side] = b.itself()
			default:
				sides[side] = m
			}
		}
	}
	for _, s := range sides {
		if s != nil && k != nil && sides[0] != nil && sides[1] != nil {
			s = new(big.Int).Add(s, new(big.Int).Add(k, one))
		}
		if s != nil {
			size = larger(size, s)
		}
	}
	return size
}

// operation bounds the operations other than sums and products.
func (b *bounds) operation(t *logic.Term, args []bounds) error {
	both := larger(args[0].magnitude(), args[1].magnitude())
	switch t.Op() {
	case logic.OpDiv:
		m := new(big.Int).Add(args[0].magnitude(), one)
		b.lo, b.hi = new(big.Int).Neg(m), m
	case logic.OpMod:
		b.lo, b.hi = zero, args[1].magnitude()
		b.size = larger(b.size, new(big.Int).Lsh(args[1].magnitude(), 1))
	case logic.OpBitAnd, logic.OpBitOr, logic.OpBitXor:
		m := new(big.Int).Lsh(one, uint(both.BitLen()))
		b.lo, b.hi = zero, m
		if args[0].lo.Sign() < 0 || args[1].lo.Sign() < 0 {
			b.lo = new(big.Int).Neg(m)
		}
		b.hi = new(big.Int).Sub(m, one)
	case logic.OpShr:
		b.lo, b.hi = smaller(args[0].lo, zero), larger(args[0].hi, zero)
	case logic.OpShl:
		if args[0].magnitude().BitLen() > 64 {
			return fmt.Errorf("unsupported: shift of more than 64 bits: %s", t)
		}
		m := new(big.Int).Lsh(one, 126) // see shiftLeft
		b.lo, b.hi, b.size = new(big.Int).Neg(m), m, m
	}
	return nil
}

func (b bounds) magnitude() *big.Int {
	return larger(new(big.Int).Abs(b.lo), new(big.Int).Abs(b.hi))
}

// itself returns the largest number m for which the interval needs a signed type that
// has m.
func (b bounds) itself() *big.Int { return larger(new(big.Int).Not(b.lo), b.hi) }

func product(a, b bounds) (lo, hi *big.Int) {
	for i, x := range []*big.Int{a.lo, a.hi} {
		for j, y := range []*big.Int{b.lo, b.hi} {
			p := new(big.Int).Mul(x, y)
			if i+j == 0 {
				lo, hi = p, p
			}
			lo, hi = smaller(lo, p), larger(hi, p)
		}
	}
	return lo, hi
}

func smaller(a, b *big.Int) *big.Int {
	if a.Cmp(b) <= 0 {
		return a
	}
	return b
}

func larger(a, b *big.Int) *big.Int {
	if a.Cmp(b) >= 0 {
		return a
	}
	return b
}
