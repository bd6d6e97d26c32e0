package build

import (
	"math/big"

	"comus/cfront/tree"
	"comus/cfront/types"
	"comus/cir"
)

// expr builds an expression for its value.
func (f *fn) expr(e tree.Expr) val {
	old := f.enter(e.At())
	v := f.valueOf(e)
	f.site = old
	return v
}

// discard builds an expression for its effects.
func (f *fn) discard(e tree.Expr) {
	switch x := e.(type) {
	case *tree.Convert:
		if x.Typ.Kind == types.Void {
			f.discard(x.V)
			return
		}
	case *tree.Comma:
		f.discard(x.L)
		f.discard(x.R)
		return
	case *tree.Load:
		if x.L.Lvalue() && x.L.Type().Quals&(types.Volatile|types.Atomic) == 0 && isRecord(x.L.Type()) {
			f.lvalue(x.L)
			return
		}
	case *tree.Cond:
		if x.Then != nil {
			f.condDiscard(x)
			return
		}
	}
	f.expr(e)
}

// condDiscard builds c ? x : y for its effects.
func (f *fn) condDiscard(e *tree.Cond) {
	old := f.enter(e.Site)
	then, els, end := f.newBlock(), f.newBlock(), f.newBlock()
	f.cond(e.C, then, els)
	f.block = then
	f.discard(e.Then)
	f.jump(end)
	f.block = els
	f.discard(e.Else)
	f.jump(end)
	f.site = old
}

// valueOf is expr at the expression's own site.
func (f *fn) valueOf(e tree.Expr) val {
	if touchesDecimal(e) {
		return f.decimal(e)
	}
	switch e := e.(type) {
	case *tree.IntConst:
		return val{v: f.u.intValue(e)}
	case *tree.FloatConst:
		return val{v: f.u.floatValue(e)}
	case *tree.ComplexConst:
		t := f.u.scalar(e.Typ.Elem)
		return val{parts: []cir.Value{partConst(t, e.Re), partConst(t, e.Im)}}
	case *tree.Load:
		return f.loadExpr(e)
	case *tree.Decay:
		return val{v: f.decay(e.L)}
	case *tree.AddrOf:
		return val{v: f.decay(e.L)}
	case *tree.FuncRef:
		return val{v: f.funcAddr(e.Func)}
	case *tree.LabelAddr:
		return val{v: f.u.labelAddr(e.Label)}
	case *tree.Convert:
		return f.convertExpr(e)
	case *tree.Unary:
		return f.unary(e)
	case *tree.Binary:
		return f.binaryExpr(e)
	case *tree.PtrAdd:
		return val{v: f.ptrAdd(e)}
	case *tree.PtrDiff:
		return f.ptrDiff(e)
	case *tree.Assign:
		return f.assign(e)
	case *tree.AssignOp:
		return f.assignOp(e)
	case *tree.IncDec:
		return f.incDec(e)
	case *tree.Call:
		return f.call(e)
	case *tree.Builtin:
		return f.builtin(e)
	}
	return f.compoundValue(e)
}

// compoundValue is the rest of valueOf: expressions with control flow, and parts of values.
func (f *fn) compoundValue(e tree.Expr) val {
	switch e := e.(type) {
	case *tree.Logic:
		return f.logic(e)
	case *tree.Cond:
		return f.condValue(e)
	case *tree.Comma:
		f.discard(e.L)
		return f.expr(e.R)
	case *tree.StmtExpr:
		return f.stmtExpr(e)
	case *tree.Member:
		return f.load(f.lvalue(e))
	case *tree.Part:
		if !e.Lvalue() {
			return f.partOf(f.expr(e.L), e.L.Type(), e.Index)
		}
	case *tree.Element:
		if !e.Lvalue() {
			return f.elementValue(e)
		}
	case *tree.VaArg:
		return f.vaArg(e)
	case *tree.SizeofVLA:
		return val{v: f.size(e.Of)}
	case *tree.VectorLit:
		return f.vectorLit(e)
	case *tree.Deref:
		if e.Typ.Kind == types.Func {
			return f.expr(e.P)
		}
	}
	if e.Lvalue() {
		return f.load(f.lvalue(e))
	}
	refuse(e.At(), "an expression (%T) that cannot be built", e)
	return val{}
}

// intValue is the value of an integer constant.
func (u *unit) intValue(e *tree.IntConst) cir.Value {
	t := u.scalar(e.Typ)
	if t.IsPointer() {
		return cir.Null{Addr: u.wrapAddress(intConst(u.model.Size(), e.V).Lo)}
	}
	return intConst(t, e.V)
}

// floatValue is the value of a floating constant.
func (u *unit) floatValue(e *tree.FloatConst) cir.Value {
	if isDecimal(e.Typ) {
		return decimalConst(e.Typ, e)
	}
	return floatConst(u.scalar(e.Typ), e)
}

// intConst makes a constant of an integer type from v, cut to its width.
func intConst(t cir.Type, v *big.Int) cir.Int {
	var mask big.Int
	mask.Sub(mask.Lsh(big.NewInt(1), 128), big.NewInt(1))
	m := new(big.Int).And(v, &mask) // And of a negative number is that of its two's complement
	lo := new(big.Int).And(m, new(big.Int).SetUint64(^uint64(0)))
	hi := new(big.Int).Rsh(m, 64)
	return cir.Int{Type: t, Lo: lo.Uint64(), Hi: hi.Uint64()}.Normal()
}

// loadExpr builds the value of an lvalue.
func (f *fn) loadExpr(e *tree.Load) val {
	if !e.L.Lvalue() {
		return f.expr(e.L)
	}
	if c, ok := constantVar(e.L); ok {
		return f.expr(c)
	}
	l := f.lvalue(e.L)
	v := f.load(l)
	if v.v != nil && l.bits != nil {
		v.v = f.convert(v.v, f.u.scalar(e.Typ)) // the value of a wide bit-field has a type of its own
	}
	return v
}

// constantVar returns the value of a compound literal that is a constant scalar.
func constantVar(e tree.Expr) (tree.Expr, bool) {
	c, ok := e.(*tree.CompoundLit)
	if !ok || c.Init == nil || len(c.Init.Items) != 1 || inMemory(c.Typ) || c.Typ.Quals&(types.Volatile|types.Atomic) != 0 {
		return nil, false
	}
	switch x := c.Init.Items[0].X.(type) {
	case *tree.IntConst, *tree.FloatConst:
		return x, true
	}
	return nil, false
}

// decay builds the address of an lvalue or function.
func (f *fn) decay(e tree.Expr) cir.Value {
	switch e := e.(type) {
	case *tree.FuncRef:
		return f.funcAddr(e.Func)
	case *tree.Deref:
		return f.expr(e.P).v
	}
	if !e.Lvalue() {
		return f.address(f.temporary(e))
	}
	return f.address(f.lvalue(e))
}

// valueLval is a struct's value, or a member of one, as an object.
func (f *fn) valueLval(e tree.Expr) lval {
	if m, ok := e.(*tree.Member); ok {
		return f.member(f.valueLval(m.L), m)
	}
	v := f.expr(e)
	t := e.Type()
	if v.addr == nil {
		addr, align := f.spill(v, t)
		return lval{base: addr, align: align, t: unqual(t)}
	}
	return lval{base: v.addr, align: v.align, t: unqual(t)}
}

// temporary is an array in a struct that is a value: an object of its own, which lives until the full expression ends (C11 6.2.4p8).
func (f *fn) temporary(e tree.Expr) lval {
	l := f.valueLval(e)
	if l.t.Size <= 0 {
		return l
	}
	tmp := f.local("", unqual(l.t), 0, nil)
	tmp.Scoped = true
	f.emit(&cir.LifeStart{Local: tmp})
	f.temps = append(f.temps, tmp)
	to := lval{base: tmp, align: tmp.Align, t: unqual(l.t)}
	f.transfer(to, f.address(l), l.align, to)
	return to
}

// takeTemps returns the objects that live until the full expression that has been built ends, and begins another one.
func (f *fn) takeTemps() []*cir.Local {
	temps := f.temps
	f.temps = nil
	return temps
}

// endTemps ends the lives of such objects.
func (f *fn) endTemps(temps []*cir.Local) {
	for _, l := range temps {
		f.emit(&cir.LifeEnd{Local: l})
	}
}

// keepStack lets the objects of variable size of the scopes up to s live on: one of them is a value.
func (f *fn) keepStack(s *scope) {
	for x := f.scope; x != s; x = x.parent {
		x.mark = nil
	}
}

// stmtExpr builds ({ … }).
func (f *fn) stmtExpr(e *tree.StmtExpr) val {
	outer, full, fullOf, site, temps := f.scope, f.full, f.fullOf, f.site, f.takeTemps()
	if e.Body != nil {
		f.openVars(e.Body.Vars)
		for _, s := range e.Body.Stmts {
			f.stmt(s)
		}
	}
	var v val
	if e.Last != nil {
		f.fullExpr(e.Last)
		if e.Typ.Kind == types.Void {
			f.discard(e.Last)
		} else {
			v = f.expr(e.Last)
			if e.Typ.Size < 0 {
				f.keepStack(outer)
			} else if v.addr != nil && !f.outlives(v.addr) {
				tmp := f.temp(unqual(e.Typ))
				f.transfer(tmp, v.addr, v.align, tmp)
				v = val{addr: tmp.base, align: tmp.align}
			}
		}
	}
	f.endTemps(f.takeTemps())
	f.closeTo(outer)
	f.full, f.fullOf, f.site, f.temps = full, fullOf, site, temps
	return v
}
