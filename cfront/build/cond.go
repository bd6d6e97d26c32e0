package build

import (
	"comus/cfront/tree"
	"comus/cfront/types"
	"comus/cir"
)

// truth builds an expression as a condition: a value of type Bool that is not 0 if the expression is not.
func (f *fn) truth(e tree.Expr) cir.Value {
	old := f.enter(e.At())
	defer func() { f.site = old }()
	switch e := e.(type) {
	case *tree.Logic:
		return f.logicBool(e)
	case *tree.Unary:
		if e.Op == tree.Not && e.Typ.Kind != types.Vector {
			return f.not(f.truth(e.V))
		}
	case *tree.Binary:
		if isDecimal(e.L.Type()) {
			f.decimal(e)
			return f.anyBool(approxDecimal)
		}
		if _, ok := preds[e.Op]; ok && e.Typ.Kind != types.Vector {
			return f.comparison(e)
		}
	case *tree.Convert:
		// A conversion between integers that only adds bits keeps the truth.
		if widens(e) {
			return f.truth(e.V)
		}
	}
	if isDecimal(e.Type()) {
		return f.decimalTruth(e)
	}
	v := f.expr(e)
	if v.parts != nil {
		return f.complexTruth(v)
	}
	return f.isNotZero(v.v)
}

// widens tells whether a conversion keeps all values apart from 0.
func widens(e *tree.Convert) bool {
	from, to := e.V.Type(), e.Typ
	return (from.Kind == types.Int || from.Kind == types.Bool) && to.Kind == types.Int && to.Size >= from.Size && from.Bits <= to.Bits ||
		to.Kind == types.Bool && !hasParts(from) && from.Kind != types.Void
}

// isNotZero compares a scalar with 0.
func (f *fn) isNotZero(v cir.Value) cir.Value {
	t := f.typeOf(v)
	if t == cir.Bool {
		return v
	}
	if c, ok := v.(cir.Int); ok {
		return f.convert(c, cir.Bool)
	}
	return f.compare(cir.Ne, v, zeroOf(t))
}

// not negates a Bool.
func (f *fn) not(v cir.Value) cir.Value {
	if c, ok := v.(cir.Int); ok {
		return cir.Int{Type: cir.Bool, Lo: 1 - c.Lo}
	}
	return f.compare(cir.Eq, v, cir.Int{Type: cir.Bool})
}

// logic builds && and || as a value.
func (f *fn) logic(e *tree.Logic) val {
	return val{v: f.convert(f.logicBool(e), f.u.scalar(e.Typ))}
}

// logicBool builds && and || as a Bool.
func (f *fn) logicBool(e *tree.Logic) cir.Value {
	r := f.reg(cir.Bool)
	end, right := f.newBlock(r), f.newBlock()
	short := cir.Int{Type: cir.Bool, Lo: b2i(!e.And)}
	x := f.truth(e.L)
	if c, ok := x.(cir.Int); ok {
		if c.Lo == short.Lo {
			f.deadExpr(e.R)
			return short
		}
		return f.truth(e.R)
	}
	t := &cir.Branch{Cond: x, Then: right, Else: end, ElseArgs: []cir.Value{short}}
	if !e.And {
		t = &cir.Branch{Cond: x, Then: end, ThenArgs: []cir.Value{short}, Else: right}
	}
	f.terminate(t)
	f.block = right
	y := f.truth(e.R)
	f.jump(end, y)
	return r
}

// deadExpr builds what is never evaluated, for labels in it.
func (f *fn) deadExpr(e tree.Expr) {
	if !hasLabels(e) {
		return
	}
	live := f.block
	f.block = f.newBlock()
	f.discard(e)
	f.terminate(&cir.Unreachable{Why: "never evaluated"})
	f.block = live
}

// hasLabels tells whether there is a label in e.
func hasLabels(e tree.Expr) bool {
	found := false
	w := &walker{stmt: func(s tree.Stmt) {
		if _, ok := s.(*tree.Labeled); ok {
			found = true
		}
	}}
	w.visit(e)
	return found
}

// cond branches on an expression.
func (f *fn) cond(e tree.Expr, then, els *cir.Block) {
	old := f.enter(e.At())
	defer func() { f.site = old }()
	switch x := e.(type) {
	case *tree.Logic:
		right := f.newBlock()
		if x.And {
			f.cond(x.L, right, els)
		} else {
			f.cond(x.L, then, right)
		}
		f.block = right
		f.cond(x.R, then, els)
		return
	case *tree.Unary:
		if x.Op == tree.Not && x.Typ.Kind != types.Vector {
			f.cond(x.V, els, then)
			return
		}
	case *tree.Convert:
		if widens(x) {
			f.cond(x.V, then, els)
			return
		}
	case *tree.Comma:
		f.discard(x.L)
		f.cond(x.R, then, els)
		return
	case *tree.Builtin:
		if (x.Name == "expect" || x.Name == "expect_with_probability") && len(x.Args) > 1 && isPure(x.Args[1]) {
			f.cond(x.Args[0], then, els)
			return
		}
	}
	c := f.truth(e)
	if k, ok := c.(cir.Int); ok {
		to := els
		if k.Lo != 0 {
			to = then
		}
		f.terminate(&cir.Jump{To: to})
		return
	}
	f.terminate(&cir.Branch{Cond: c, Then: then, Else: els})
}

// condValue builds ?: as a value.
func (f *fn) condValue(e *tree.Cond) val {
	if e.Typ.Kind == types.Void {
		f.condDiscard(f.withThen(e))
		return val{}
	}
	if e.Then == nil {
		return f.elvis(e)
	}
	if e.C.Type().Kind == types.Vector {
		return f.vectorSelect(e)
	}
	then, els := f.newBlock(), f.newBlock()
	f.cond(e.C, then, els)
	f.block = then
	x := f.expr(e.Then)
	thenEnd := f.block
	f.block = els
	y := f.expr(e.Else)
	return f.meet(thenEnd, x, y, e.Typ)
}

// withThen makes ?: with its second operand missing one that is evaluated for its effects.
func (f *fn) withThen(e *tree.Cond) *tree.Cond {
	if e.Then != nil {
		return e
	}
	c := *e
	c.Then = &tree.IntConst{X: tree.X{Typ: &types.Type{Kind: types.Int, Bits: 32, Size: 4, Signed: true}}, V: bigZero}
	return &c
}

// elvis builds GNU's c ?: y.
func (f *fn) elvis(e *tree.Cond) val {
	v := f.expr(e.C)
	var c cir.Value
	if v.parts != nil {
		c = f.complexTruth(v)
	} else {
		c = f.isNotZero(v.v)
	}
	then, els := f.newBlock(), f.newBlock()
	f.terminate(&cir.Branch{Cond: c, Then: then, Else: els})
	f.block = then
	x := f.convertVal(v, e.C.Type(), e.Typ)
	thenEnd := f.block
	f.block = els
	y := f.expr(e.Else)
	return f.meet(thenEnd, x, y, e.Typ)
}

// meet joins the current block, where the value is y, with another one, where it is x.
func (f *fn) meet(other *cir.Block, x, y val, t *types.Type) val {
	xs, ys := flat(x), flat(y)
	if len(xs) != len(ys) {
		// One of the two is void because control does not get there.
		xs, ys = nil, nil
	}
	end := f.newBlock()
	for i := range xs {
		end.Params = append(end.Params, f.reg(f.typeOf(xs[i])))
	}
	f.jump(end, ys...)
	here := f.block
	f.block = other
	f.terminate(&cir.Jump{To: end, Args: xs})
	f.block = here
	var r val
	switch {
	case len(end.Params) == 0:
		return r
	case x.addr != nil:
		r.addr, r.align = end.Params[0], min(max(x.align, 1), max(y.align, 1))
	case x.parts != nil:
		for _, p := range end.Params {
			r.parts = append(r.parts, p)
		}
	default:
		r.v = end.Params[0]
	}
	return r
}

// flat lists the operands of a value.
func flat(v val) []cir.Value {
	switch {
	case v.addr != nil:
		return []cir.Value{v.addr}
	case v.parts != nil:
		return v.parts
	case v.v != nil:
		return []cir.Value{v.v}
	}
	return nil
}
