package wp

import "comus/logic"

// Linear replaces operations outside linear arithmetic by arbitrary values, in the positions where they stand: the result allows
// more than t. Horn clauses for Spacer are made of such terms.
func Linear(l *logic.Store, t *logic.Term) *logic.Term {
	return l.Map(t, func(x *logic.Term) *logic.Term {
		args := x.Args()
		constant := func(i int) bool { _, ok := args[i].Const(); return ok }
		switch x.Op() {
		case logic.OpBitAnd, logic.OpBitOr, logic.OpBitXor, logic.OpShl, logic.OpShr:
		case logic.OpMul:
			if len(args) == 2 && constant(0) {
				return x
			}
		case logic.OpMod:
			if constant(1) {
				return x
			}
			any, n := l.FreshVar("any", logic.Int), args[1]
			rest := l.And(l.Le(l.Int(0), any), l.Or(l.Lt(any, n), l.Lt(any, l.Neg(n))))
			return l.Ite(l.Or(l.Eq(n, l.Int(0)), rest), any, l.Int(0))
		case logic.OpDiv:
			if constant(1) {
				return x
			}
		default:
			return x
		}
		return l.FreshVar("any", logic.Int)
	})
}
