package sema

import (
	"math/big"

	"comus/cfront/tree"
)

// identity evaluates operators on integers whose value does not depend on an operand that is no
// constant: 0 & x, x * 0, x - x.
func identity(x *tree.Binary, l konst, lk bool, r konst, rk bool) (*big.Int, bool) {
	zero := new(big.Int)
	if !lk && !rk {
		if !sameLoad(x.L, x.R) {
			return nil, false
		}
		switch x.Op {
		case tree.Sub, tree.Xor, tree.Ne, tree.Lt, tree.Gt:
			return zero, true
		case tree.Eq, tree.Le, tree.Ge:
			return big.NewInt(1), true
		}
		return nil, false
	}
	k, right := l.i, false
	if rk {
		k, right = r.i, true
	}
	if k == nil || l.base != nil || r.base != nil {
		return nil, false
	}
	t := x.L.Type()
	switch x.Op {
	case tree.And, tree.Mul:
		return zero, k.Sign() == 0
	case tree.Or:
		return k, allOnes(k, t.Bits)
	case tree.Div, tree.Shl, tree.Shr:
		return zero, !right && k.Sign() == 0
	case tree.Rem:
		return zero, right && k.IsInt64() && (k.Int64() == 1 || k.Int64() == -1 && t.Signed) || !right && k.Sign() == 0
	case tree.Lt:
		return zero, right && !t.Signed && k.Sign() == 0
	case tree.Gt:
		return zero, !right && !t.Signed && k.Sign() == 0
	case tree.Ge:
		return big.NewInt(1), right && !t.Signed && k.Sign() == 0
	case tree.Le:
		return big.NewInt(1), !right && !t.Signed && k.Sign() == 0
	}
	return nil, false
}

// allOnes reports whether all bits of a value are set.
func allOnes(v *big.Int, bits int) bool {
	return v.IsInt64() && v.Int64() == -1 || v.Sign() > 0 && new(big.Int).Add(v, one).Cmp(new(big.Int).Lsh(one, uint(bits))) == 0
}

// sameLoad reports whether two values are those of one variable.
func sameLoad(a, b tree.Expr) bool {
	for {
		ca, ok1 := a.(*tree.Convert)
		cb, ok2 := b.(*tree.Convert)
		if !ok1 || !ok2 || !sameValueType(ca.Typ, cb.Typ) {
			break
		}
		a, b = ca.V, cb.V
	}
	la, ok1 := a.(*tree.Load)
	lb, ok2 := b.(*tree.Load)
	if !ok1 || !ok2 {
		return false
	}
	va, ok1 := la.L.(*tree.VarRef)
	vb, ok2 := lb.L.(*tree.VarRef)
	return ok1 && ok2 && va.Var == vb.Var
}
