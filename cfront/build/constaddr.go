package build

import (
	"math/big"

	"comus/cfront/tree"
	"comus/cfront/types"
	"comus/cir"
)

// constAddr evaluates the address of an lvalue or function that is constant.
func (u *unit) constAddr(e tree.Expr) cir.Value {
	switch e := e.(type) {
	case *tree.VarRef:
		if e.Var.Storage == tree.Static || e.Var.Linkage != tree.NoLinkage {
			return address{sym: u.global(e.Var)}
		}
	case *tree.FuncRef:
		return address{sym: u.fun(e.Func)}
	case *tree.String:
		return address{sym: u.literal(e)}
	case *tree.CompoundLit:
		if e.Var.Init == nil && e.Init != nil {
			e.Var.Init = e.Init
		}
		e.Var.Storage = tree.Static
		return address{sym: u.global(e.Var)}
	case *tree.Member:
		return u.shift(u.constAddr(e.L), e.Field.Offset)
	case *tree.Part:
		return u.shift(u.constAddr(e.L), int64(e.Index)*e.Typ.Size)
	case *tree.Element:
		if c, ok := u.constScalar(e.Index).(cir.Int); ok {
			return u.shift(u.constAddr(e.L), int64(c.Lo)*e.Typ.Size)
		}
	case *tree.Deref:
		return u.constScalar(e.P)
	}
	refuse(e.At(), "an initialiser is not constant")
	return nil
}

// shift adds a number of bytes to a constant address.
func (u *unit) shift(v cir.Value, n int64) cir.Value {
	switch v := v.(type) {
	case address:
		v.addend += n
		return v
	case cir.Null:
		return cir.Null{Addr: u.wrapAddress(v.Addr + uint64(n))}
	case cir.Int:
		return intConst(v.Type, new(big.Int).Add(v.Big(), big.NewInt(n)))
	}
	return v
}

// constPtrAdd evaluates a constant pointer plus a number of elements.
func (u *unit) constPtrAdd(e *tree.PtrAdd) cir.Value {
	size := int64(1)
	if e.Typ.Elem != nil {
		size = max(e.Typ.Elem.Size, 0)
	}
	c, ok := u.constScalar(e.N).(cir.Int)
	if !ok {
		refuse(e.Site, "an initialiser is not constant")
	}
	n := int64(c.Lo) * size
	if e.Neg {
		n = -n
	}
	return u.shift(u.constScalar(e.P), n)
}

// constLoad evaluates the value of a constant object, which gcc takes for a constant.
func (u *unit) constLoad(e *tree.Load) cir.Value {
	var init *tree.Init
	var t *types.Type
	switch l := e.L.(type) {
	case *tree.VarRef:
		init, t = l.Var.Init, l.Var.Type
	case *tree.CompoundLit:
		init, t = l.Init, l.Typ
	}
	if init != nil && len(init.Items) == 1 && init.Items[0].Offset == 0 && !isRecord(t) {
		return u.constValue(init.Items[0].X, u.scalar(t))
	}
	refuse(e.Site, "an initialiser is not constant")
	return nil
}

// constBinary evaluates sums of addresses as integers and what else is left over of constant arithmetic.
func (u *unit) constBinary(e *tree.Binary) cir.Value {
	x, y := u.constScalar(e.L), u.constScalar(e.R)
	a, aAddr := x.(address)
	b, bAddr := y.(address)
	c, cInt := x.(cir.Int)
	d, dInt := y.(cir.Int)
	switch {
	case aAddr && bAddr && e.Op == tree.Sub && a.sym == b.sym:
		return cir.IntOf(u.scalar(e.Typ), a.addend-b.addend)
	case aAddr && dInt && e.Op == tree.Add:
		return u.shift(a, int64(d.Lo))
	case aAddr && dInt && e.Op == tree.Sub:
		return u.shift(a, -int64(d.Lo))
	case bAddr && cInt && e.Op == tree.Add:
		return u.shift(b, int64(c.Lo))
	case cInt && dInt:
		if v := constArith(e.Op, c.Big(), d.Big()); v != nil {
			return intConst(u.scalar(e.Typ), v)
		}
	}
	refuse(e.Site, "an initialiser is not constant")
	return nil
}

// constPtrDiff evaluates the distance of two constant pointers.
func (u *unit) constPtrDiff(e *tree.PtrDiff) cir.Value {
	size := int64(1)
	if t := e.L.Type().Elem; t != nil {
		size = max(t.Size, 1)
	}
	x, y := u.constScalar(e.L), u.constScalar(e.R)
	a, aAddr := x.(address)
	b, bAddr := y.(address)
	if aAddr && bAddr && a.sym == b.sym {
		return cir.IntOf(u.scalar(e.Typ), (a.addend-b.addend)/size)
	}
	p, pNull := x.(cir.Null)
	q, qNull := y.(cir.Null)
	if pNull && qNull {
		return cir.IntOf(u.scalar(e.Typ), u.distance(p, q)/size)
	}
	refuse(e.Site, "an initialiser is not constant")
	return nil
}

// distance is the number of bytes between constant pointers, which wraps at the width of pointers.
func (u *unit) distance(p, q cir.Null) int64 {
	n, _ := u.model.FromAddress(cir.I64, u.wrapAddress(p.Addr-q.Addr)).Int64()
	return n
}

// constArith evaluates an operator on integers, nil if it has no value.
func constArith(op tree.Op, x, y *big.Int) *big.Int {
	z := new(big.Int)
	truth := func(b bool) *big.Int { return z.SetUint64(b2i(b)) }
	c := x.Cmp(y)
	switch op {
	case tree.Add:
		return z.Add(x, y)
	case tree.Sub:
		return z.Sub(x, y)
	case tree.Mul:
		return z.Mul(x, y)
	case tree.Div:
		if y.Sign() != 0 {
			return z.Quo(x, y)
		}
	case tree.Rem:
		if y.Sign() != 0 {
			return z.Rem(x, y)
		}
	case tree.And:
		return z.And(x, y)
	case tree.Or:
		return z.Or(x, y)
	case tree.Xor:
		return z.Xor(x, y)
	case tree.Shl:
		return z.Lsh(x, uint(y.Uint64()&127))
	case tree.Shr:
		return z.Rsh(x, uint(y.Uint64()&127))
	case tree.Eq:
		return truth(c == 0)
	case tree.Ne:
		return truth(c != 0)
	case tree.Lt:
		return truth(c < 0)
	case tree.Le:
		return truth(c <= 0)
	case tree.Gt:
		return truth(c > 0)
	case tree.Ge:
		return truth(c >= 0)
	}
	return nil
}
