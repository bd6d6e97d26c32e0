package sema

import (
	"bytes"
	"math/big"

	"comus/cfront/tree"
	"comus/cfront/types"
)

// konst is a constant: an integer, a floating or complex number, or an address.
type konst struct {
	i      *big.Int  // an integer, or the integer part of an address
	re, im *num      // im is nil of a real number
	base   tree.Expr // an address: of this lvalue, function or label
	weak   bool      // base is a symbol that may be absent
}

// evalInt evaluates an integer constant expression.
func (c *checker) evalInt(x tree.Expr) (*big.Int, bool) {
	if k, ok := x.(*tree.IntConst); ok {
		return k.V, k.Typ.IsInteger()
	}
	if !x.Type().IsInteger() {
		return nil, false
	}
	k, ok := c.eval(x)
	if !ok || k.base != nil || k.i == nil {
		return nil, false
	}
	return k.i, true
}

func (k konst) isInt() bool { return k.i != nil && k.base == nil }

// truth tells whether a constant is not zero; known is false if nobody can tell.
func (k konst) truth() (truth, known bool) {
	switch {
	case k.base != nil:
		return true, !k.weak
	case k.i != nil:
		return k.i.Sign() != 0, true
	case k.im != nil:
		return !k.re.zero() || !k.im.zero(), true
	}
	return !k.re.zero(), true
}

// eval evaluates a constant expression as gcc folds it: signed overflow wraps around.
func (c *checker) eval(x tree.Expr) (k konst, ok bool) {
	switch x := x.(type) {
	case *tree.IntConst:
		return konst{i: x.V}, true
	case *tree.FloatConst:
		n := numOf(x)
		return konst{re: &n}, true
	case *tree.ComplexConst:
		re, im := numOf(x.Re), numOf(x.Im)
		return konst{re: &re, im: &im}, true
	case *tree.Convert:
		return c.evalConvert(x)
	case *tree.Unary:
		return c.evalUnary(x)
	case *tree.Binary:
		return c.evalBinary(x)
	case *tree.Logic:
		return c.evalLogic(x)
	case *tree.Cond:
		return c.evalCond(x)
	case *tree.Decay:
		return c.evalAddr(x.L)
	case *tree.AddrOf:
		return c.evalAddr(x.L)
	case *tree.LabelAddr:
		return konst{i: new(big.Int), base: x}, true
	case *tree.PtrAdd:
		return c.evalPtrAdd(x)
	case *tree.PtrDiff:
		return c.evalPtrDiff(x)
	case *tree.Part:
		return c.evalPart(x)
	case *tree.Load:
		return c.evalLoad(x)
	case *tree.Call:
		return c.evalCall(x)
	case *tree.Builtin:
		return c.evalBuiltin(x.Name, x.Args, x.Typ)
	}
	return konst{}, false
}

// evalAddr evaluates the address of an lvalue or function.
func (c *checker) evalAddr(x tree.Expr) (konst, bool) {
	switch x := x.(type) {
	case *tree.VarRef:
		if x.Var.Storage == tree.Static {
			return konst{i: new(big.Int), base: x, weak: x.Var.Weak}, true
		}
	case *tree.FuncRef:
		return konst{i: new(big.Int), base: x, weak: x.Func.Weak}, true
	case *tree.String:
		return konst{i: new(big.Int), base: x}, true
	case *tree.CompoundLit:
		if x.Var.Storage == tree.Static {
			return konst{i: new(big.Int), base: x}, true
		}
	case *tree.Member:
		k, ok := c.evalAddr(x.L)
		if !ok {
			return konst{}, false
		}
		return c.moved(k, big.NewInt(x.Field.Offset)), true
	case *tree.Deref:
		return c.eval(x.P)
	case *tree.Part:
		k, ok := c.evalAddr(x.L)
		if !ok {
			return konst{}, false
		}
		return c.moved(k, big.NewInt(int64(x.Index)*x.Typ.Size)), true
	case *tree.Element:
		k, ok := c.evalAddr(x.L)
		i, ok2 := c.evalInt(x.Index)
		if ok && ok2 {
			return c.moved(k, new(big.Int).Mul(i, big.NewInt(x.Typ.Size))), true
		}
	}
	return konst{}, false
}

func (k konst) plus(n *big.Int) konst {
	k.i = new(big.Int).Add(k.i, n)
	return k
}

// moved adds a number of bytes to an address, which wraps at the width of pointers.
func (c *checker) moved(k konst, n *big.Int) konst {
	k = k.plus(n)
	if k.i = wrap(k.i, c.t.PtrDiff); k.base == nil {
		k.i = wrap(k.i, c.t.Size)
	}
	return k
}

func (c *checker) evalConvert(x *tree.Convert) (konst, bool) {
	k, ok := c.eval(x.V)
	if !ok {
		return k, false
	}
	from, t := x.V.Type(), x.Typ
	switch t.Kind {
	case types.Int, types.Bool:
		switch {
		case k.base != nil:
			if t.Kind == types.Bool {
				v, known := k.truth()
				if !known {
					return konst{}, false
				}
				return boolKonst(v), true
			}
			if t.Size < int64(c.t.PointerBits/8) {
				return konst{}, false
			}
			return k, true
		case k.i != nil:
			return konst{i: c.wrapFrom(k.i, from, t)}, true
		case t.Kind == types.Bool:
			v, _ := k.truth()
			return boolKonst(v), true
		}
		i, _ := k.re.toInt(t)
		return konst{i: i}, true
	case types.Pointer:
		if k.i == nil {
			return konst{}, false
		}
		if k.base == nil {
			k.i = wrap(k.i, c.t.Size)
		}
		return k, from.IsInteger() || from.IsPointer() || from.Kind == types.VaList
	case types.Float:
		if k.base != nil {
			return konst{}, false
		}
		n := c.real(k).round(t)
		return konst{re: &n}, true
	case types.Complex:
		if k.base != nil {
			return konst{}, false
		}
		return c.toComplex(k, t), true
	}
	return konst{}, false
}

// real is the real part of a number.
func (c *checker) real(k konst) num {
	if k.i != nil {
		return intNum(k.i)
	}
	return *k.re
}

func (c *checker) toComplex(k konst, t *types.Type) konst {
	re, im := c.real(k), num{v: new(big.Float)}
	if k.im != nil {
		im = *k.im
	}
	part := func(n num) num {
		if t.Elem.Kind == types.Float {
			return n.round(t.Elem)
		}
		i, _ := n.toInt(t.Elem)
		return intNum(i)
	}
	re, im = part(re), part(im)
	return konst{re: &re, im: &im}
}

func boolKonst(b bool) konst {
	if b {
		return konst{i: big.NewInt(1)}
	}
	return konst{i: new(big.Int)}
}

func (c *checker) evalUnary(x *tree.Unary) (konst, bool) {
	k, ok := c.eval(x.V)
	if !ok {
		return k, false
	}
	if x.Op == tree.Not {
		v, known := k.truth()
		return boolKonst(!v), known
	}
	switch {
	case k.base != nil:
		return konst{}, false
	case k.im != nil:
		re, im := *k.re, k.im.neg()
		if x.Op == tree.Neg {
			re = re.neg()
		}
		return konst{re: &re, im: &im}, true
	case k.re != nil:
		n := *k.re
		if x.Op == tree.Neg {
			n = n.neg()
		}
		return konst{re: &n}, true
	}
	z := new(big.Int)
	if x.Op == tree.Neg {
		z.Neg(k.i)
	} else {
		z.Not(k.i)
	}
	return konst{i: wrap(z, x.Typ)}, true
}

func (c *checker) evalBinary(x *tree.Binary) (konst, bool) {
	l, ok := c.eval(x.L)
	r, ok2 := c.eval(x.R)
	if !ok || !ok2 {
		if c.loose == 0 || !x.L.Type().IsInteger() || hasEffects(x.L) || hasEffects(x.R) {
			return konst{}, false
		}
		v, known := identity(x, l, ok, r, ok2)
		return konst{i: v}, known
	}
	if l.base != nil || r.base != nil {
		return c.evalAddrOp(x, l, r)
	}
	if l.im != nil || r.im != nil {
		return c.evalComplexOp(x, l, r)
	}
	if l.re != nil || r.re != nil {
		a, b := c.real(l), c.real(r)
		if x.Op >= tree.Eq && x.Op <= tree.Ge {
			return boolKonst(compareFloats(x.Op, a, b)), true
		}
		if x.Op > tree.Div {
			return konst{}, false
		}
		n := a.arith(x.Op, b).round(x.Typ)
		return konst{re: &n}, true
	}
	t := x.L.Type()
	if t.IsPointer() {
		t = c.t.Size
	}
	v, _ := intOp(x.Op, l.i, r.i, t)
	if v == nil && (x.Op == tree.Shl || x.Op == tree.Shr) && r.i.Sign() >= 0 { // gcc: nothing is left
		v = new(big.Int)
		if x.Op == tree.Shr && l.i.Sign() < 0 {
			v.SetInt64(-1)
		}
	}
	if v == nil {
		return konst{}, false
	}
	return konst{i: v}, true
}

func compareFloats(op tree.Op, a, b num) bool {
	r, ok := a.cmp(b)
	switch op {
	case tree.Eq:
		return ok && r == 0
	case tree.Ne:
		return !ok || r != 0
	case tree.Lt:
		return ok && r < 0
	case tree.Le:
		return ok && r <= 0
	case tree.Gt:
		return ok && r > 0
	}
	return ok && r >= 0
}

// sameBase reports whether two addresses are of parts of one object.
func sameBase(a, b tree.Expr) bool {
	switch a := a.(type) {
	case *tree.VarRef:
		b, ok := b.(*tree.VarRef)
		return ok && a.Var == b.Var
	case *tree.FuncRef:
		b, ok := b.(*tree.FuncRef)
		return ok && a.Func == b.Func
	case *tree.LabelAddr:
		b, ok := b.(*tree.LabelAddr)
		return ok && a.Label == b.Label
	case *tree.String:
		b, ok := b.(*tree.String)
		return ok && bytes.Equal(a.Data, b.Data)
	}
	return a == b
}

// evalAddrOp evaluates operators on addresses.
func (c *checker) evalAddrOp(x *tree.Binary, l, r konst) (konst, bool) {
	if l.i == nil || r.i == nil {
		return konst{}, false
	}
	both := l.base != nil && r.base != nil
	switch x.Op {
	case tree.Add:
		if both {
			return konst{}, false
		}
		if l.base == nil {
			l, r = r, l
		}
		return l.plus(r.i), true
	case tree.Sub:
		if r.base == nil {
			return l.plus(new(big.Int).Neg(r.i)), true
		}
		if both && sameBase(l.base, r.base) {
			return konst{i: new(big.Int).Sub(l.i, r.i)}, true
		}
	case tree.Eq, tree.Ne:
		if both && sameBase(l.base, r.base) {
			return boolKonst((l.i.Cmp(r.i) == 0) == (x.Op == tree.Eq)), true
		}
		if !both && !l.weak && !r.weak && (l.base != nil && r.i.Sign() == 0 && l.i.Sign() == 0 || r.base != nil && l.i.Sign() == 0 && r.i.Sign() == 0) {
			return boolKonst(x.Op == tree.Ne), true
		}
	case tree.Lt, tree.Le, tree.Gt, tree.Ge:
		if both && sameBase(l.base, r.base) {
			v, _ := intOp(x.Op, l.i, r.i, c.t.PtrDiff)
			return konst{i: v}, true
		}
	}
	return konst{}, false
}

func (c *checker) evalLogic(x *tree.Logic) (konst, bool) {
	l, ok := c.eval(x.L)
	if !ok {
		if c.loose > 0 && !hasEffects(x.L) {
			if r, ok := c.eval(x.R); ok {
				v, known := r.truth()
				return boolKonst(v), known && v != x.And
			}
		}
		return l, false
	}
	v, known := l.truth()
	if !known {
		return konst{}, false
	}
	if v != x.And {
		return boolKonst(v), true
	}
	r, ok := c.eval(x.R)
	if !ok {
		return r, false
	}
	v, known = r.truth()
	return boolKonst(v), known
}

func (c *checker) evalCond(x *tree.Cond) (konst, bool) {
	k, ok := c.eval(x.C)
	if !ok {
		return k, false
	}
	v, known := k.truth()
	switch {
	case !known:
		return konst{}, false
	case !v:
		return c.eval(x.Else)
	case x.Then == nil:
		return c.evalConvert(&tree.Convert{X: tree.X{Typ: x.Typ, Site: x.Site}, V: x.C})
	}
	return c.eval(x.Then)
}

func (c *checker) evalPtrAdd(x *tree.PtrAdd) (konst, bool) {
	p, ok := c.eval(x.P)
	if !ok || p.i == nil {
		return konst{}, false
	}
	n, ok := c.eval(x.N)
	if !ok || !n.isInt() || x.Typ.Elem.Size < 0 {
		return konst{}, false
	}
	d := new(big.Int).Mul(n.i, big.NewInt(x.Typ.Elem.Size))
	if x.Neg {
		d.Neg(d)
	}
	return c.moved(p, d), true
}

func (c *checker) evalPtrDiff(x *tree.PtrDiff) (konst, bool) {
	l, ok := c.eval(x.L)
	if !ok {
		return l, false
	}
	r, ok := c.eval(x.R)
	size := x.L.Type().Elem.Size
	if !ok || size <= 0 || l.i == nil || r.i == nil || (l.base != nil || r.base != nil) && (l.base == nil || r.base == nil || !sameBase(l.base, r.base)) {
		return konst{}, false
	}
	d := wrap(new(big.Int).Sub(l.i, r.i), c.t.PtrDiff)
	return konst{i: d.Quo(d, big.NewInt(size))}, true
}

func (c *checker) evalPart(x *tree.Part) (konst, bool) {
	k, ok := c.eval(x.L)
	if !ok || k.im == nil {
		return konst{}, false
	}
	n := k.re
	if x.Index == 1 {
		n = k.im
	}
	if x.Typ.IsInteger() {
		i, _ := n.toInt(x.Typ)
		return konst{i: i}, true
	}
	return konst{re: n}, true
}

// evalComplexOp evaluates operators on complex numbers.
func (c *checker) evalComplexOp(x *tree.Binary, l, r konst) (konst, bool) {
	t := x.L.Type()
	if t.Kind != types.Complex {
		t = x.R.Type()
	}
	l, r = c.toComplex(l, t), c.toComplex(r, t)
	done := func(re, im num) (konst, bool) {
		return c.toComplex(konst{re: &re, im: &im}, t), true
	}
	switch x.Op {
	case tree.Add, tree.Sub:
		return done(l.re.arith(x.Op, *r.re), l.im.arith(x.Op, *r.im))
	case tree.Mul:
		re := l.re.arith(tree.Mul, *r.re).arith(tree.Sub, l.im.arith(tree.Mul, *r.im))
		im := l.re.arith(tree.Mul, *r.im).arith(tree.Add, l.im.arith(tree.Mul, *r.re))
		return done(re, im)
	case tree.Div:
		d := r.re.arith(tree.Mul, *r.re).arith(tree.Add, r.im.arith(tree.Mul, *r.im))
		re := l.re.arith(tree.Mul, *r.re).arith(tree.Add, l.im.arith(tree.Mul, *r.im))
		im := l.im.arith(tree.Mul, *r.re).arith(tree.Sub, l.re.arith(tree.Mul, *r.im))
		return done(re.arith(tree.Div, d), im.arith(tree.Div, d))
	case tree.Eq, tree.Ne:
		same := compareFloats(tree.Eq, *l.re, *r.re) && compareFloats(tree.Eq, *l.im, *r.im)
		return boolKonst(same == (x.Op == tree.Eq)), true
	}
	return konst{}, false
}
