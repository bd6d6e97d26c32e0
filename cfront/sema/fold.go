package sema

import (
	"math/big"

	"comus/cfront/tree"
	"comus/cfront/types"
)

// fold computes an operator on integer constants, unless its value is undefined.
func (c *checker) fold(op tree.Op, l, r tree.Expr, t *types.Type) *big.Int {
	a, ok1 := l.(*tree.IntConst)
	b, ok2 := r.(*tree.IntConst)
	if !ok1 || !ok2 || !t.IsInteger() || !l.Type().IsInteger() || !r.Type().IsInteger() {
		return nil
	}
	v, exact := intOp(op, a.V, b.V, l.Type())
	if v == nil || !exact && l.Type().Signed {
		return nil
	}
	return v
}

// intOp computes an operator on integers of a type, wrapping around; nil for a division by
// zero or a shift out of range. exact tells that nothing was lost.
func intOp(op tree.Op, a, b *big.Int, t *types.Type) (v *big.Int, exact bool) {
	z := new(big.Int)
	truth := func(x bool) (*big.Int, bool) {
		if x {
			return big.NewInt(1), true
		}
		return new(big.Int), true
	}
	switch op {
	case tree.Add:
		z.Add(a, b)
	case tree.Sub:
		z.Sub(a, b)
	case tree.Mul:
		z.Mul(a, b)
	case tree.Div, tree.Rem:
		if b.Sign() == 0 {
			return nil, false
		}
		if op == tree.Div {
			z.Quo(a, b)
		} else {
			z.Rem(a, b)
		}
	case tree.And:
		z.And(a, b)
	case tree.Or:
		z.Or(a, b)
	case tree.Xor:
		z.Xor(a, b)
	case tree.Shl, tree.Shr:
		if b.Sign() < 0 || !b.IsInt64() || b.Int64() >= int64(t.Bits) {
			return nil, false
		}
		if op == tree.Shl {
			z.Lsh(a, uint(b.Int64()))
		} else {
			z.Rsh(a, uint(b.Int64()))
		}
		w := wrap(z, t)
		return w, w.Cmp(z) == 0 && !(op == tree.Shl && a.Sign() < 0)
	case tree.Eq:
		return truth(a.Cmp(b) == 0)
	case tree.Ne:
		return truth(a.Cmp(b) != 0)
	case tree.Lt:
		return truth(a.Cmp(b) < 0)
	case tree.Le:
		return truth(a.Cmp(b) <= 0)
	case tree.Gt:
		return truth(a.Cmp(b) > 0)
	case tree.Ge:
		return truth(a.Cmp(b) >= 0)
	default:
		return nil, false
	}
	w := wrap(z, t)
	return w, w.Cmp(z) == 0
}

// negate folds - and ~ of an integer constant; nil if it overflows.
func negate(op tree.Op, k *tree.IntConst) *big.Int {
	z := new(big.Int)
	if op == tree.Neg {
		z.Neg(k.V)
	} else {
		z.Not(k.V)
	}
	w := wrap(z, k.Typ)
	if k.Typ.Signed && w.Cmp(z) != 0 {
		return nil
	}
	return w
}
