package build

import (
	"comus/cfront/tree"
	"comus/cfront/types"
	"comus/cir"
)

// ops are cir's operators for C's.
var ops = map[tree.Op]cir.Op{
	tree.Add: cir.Add, tree.Sub: cir.Sub, tree.Mul: cir.Mul, tree.Div: cir.Div, tree.Rem: cir.Rem,
	tree.And: cir.And, tree.Or: cir.Or, tree.Xor: cir.Xor, tree.Shl: cir.Shl, tree.Shr: cir.Shr,
}

// preds are cir's comparisons for C's.
var preds = map[tree.Op]cir.Pred{
	tree.Eq: cir.Eq, tree.Ne: cir.Ne, tree.Lt: cir.Lt, tree.Le: cir.Le, tree.Gt: cir.Gt, tree.Ge: cir.Ge,
}

// binary emits an operator on two operands of one type, with C's rule for overflow.
func (f *fn) binary(op cir.Op, x, y cir.Value) cir.Value {
	d := f.reg(f.typeOf(x))
	f.emit(&cir.Binary{Dst: d, Op: op, X: x, Y: y, Wrap: f.u.tree.Flags.Wrapv && d.Type.Signed})
	return d
}

// wrapping emits an operator whose signed overflow wraps around.
func (f *fn) wrapping(op cir.Op, x, y cir.Value) cir.Value {
	d := f.reg(f.typeOf(x))
	f.emit(&cir.Binary{Dst: d, Op: op, X: x, Y: y, Wrap: d.Type.Signed})
	return d
}

// unaryOp emits an operator on one operand.
func (f *fn) unaryOp(op cir.Op, x cir.Value) cir.Value {
	d := f.reg(f.typeOf(x))
	f.emit(&cir.Unary{Dst: d, Op: op, X: x, Wrap: f.u.tree.Flags.Wrapv && d.Type.Signed})
	return d
}

// compare emits a comparison.
func (f *fn) compare(p cir.Pred, x, y cir.Value) cir.Value {
	d := f.reg(cir.Bool)
	f.emit(&cir.Compare{Dst: d, Pred: p, X: x, Y: y})
	return d
}

// selectOf emits cond ? x : y.
func (f *fn) selectOf(cond, x, y cir.Value) cir.Value {
	d := f.reg(f.typeOf(x))
	f.emit(&cir.Select{Dst: d, Cond: cond, X: x, Y: y})
	return d
}

// convert emits the conversion of a scalar, if it is none already.
func (f *fn) convert(v cir.Value, to cir.Type) cir.Value {
	from := f.typeOf(v)
	if from == to || to.Kind == cir.None {
		return v
	}
	switch c := v.(type) {
	case cir.Int:
		switch {
		case to == cir.Bool:
			return cir.Int{Type: to, Lo: b2i(c.Lo|c.Hi != 0)}
		case to.IsInt():
			c.Type = to
			return c.Normal()
		case to.IsPointer():
			return cir.Null{Addr: f.u.wrapAddress(c.Lo)}
		}
	case cir.Null:
		switch {
		case to == cir.Bool:
			return cir.Int{Type: to, Lo: b2i(c.Addr != 0)}
		case to.IsInt():
			return f.u.model.FromAddress(to, c.Addr)
		}
	}
	d := f.reg(to)
	f.emit(&cir.Convert{Dst: d, X: v})
	return d
}

func b2i(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// convertExpr builds a conversion.
func (f *fn) convertExpr(e *tree.Convert) val {
	to, from := e.Typ, e.V.Type()
	switch {
	case to.Kind == types.Void:
		f.discard(e.V)
		return val{}
	case to.Kind == types.Bool && !hasParts(from):
		return val{v: f.truth(e.V)}
	}
	v := f.expr(e.V)
	return f.convertVal(v, from, to)
}

// convertVal converts a value between types.
func (f *fn) convertVal(v val, from, to *types.Type) val {
	switch {
	case to.Kind == types.Union && from.Kind != types.Union:
		tmp := f.temp(unqual(to))
		f.fill(tmp)
		part := tmp
		part.t = from
		f.store(part, v)
		return val{addr: tmp.base, align: tmp.align}
	case isRecord(to):
		return v
	case to.Kind == types.Complex:
		return f.toComplex(v, from, to)
	case to.Kind == types.Bool && from.Kind == types.Complex:
		return val{v: f.complexTruth(v)}
	case to.Kind == types.Vector || from.Kind == types.Vector:
		return f.vectorConvert(v, from, to)
	case from.Kind == types.Complex:
		return val{v: f.convert(v.parts[0], f.u.scalar(to))}
	}
	x := f.convert(v.v, f.u.scalar(to))
	if toScalars(from, to) {
		x = f.asScalars(x)
	}
	return val{v: x}
}

// toScalars reports whether a conversion makes a pointer to scalars of one to something that may have more of them than an array
// which it begins with.
func toScalars(from, to *types.Type) bool {
	return to.IsPointer() && from.IsPointer() && to.Elem.IsScalar() && (from.Elem.Kind == types.Void || isRecord(from.Elem))
}

// asScalars tells whoever reads cir that a pointer is one to scalars from here on.
func (f *fn) asScalars(x cir.Value) cir.Value {
	if _, ok := x.(cir.Null); ok {
		return x
	}
	d := f.reg(f.typeOf(x))
	f.emit(&cir.Convert{Dst: d, X: x})
	return d
}

// unary builds - ~ ! and +.
func (f *fn) unary(e *tree.Unary) val {
	if e.Op == tree.Not {
		if e.Typ.Kind == types.Vector {
			v := f.expr(e.V)
			return f.compareParts(cir.Eq, v, f.u.zero(e.V.Type()), e.Typ)
		}
		return val{v: f.convert(f.truth(e), f.u.scalar(e.Typ))}
	}
	v := f.expr(e.V)
	if v.parts != nil {
		return f.unaryParts(e.Op, v)
	}
	return val{v: f.unaryScalar(e.Op, v.v)}
}

// unaryScalar emits - ~ or +.
func (f *fn) unaryScalar(op tree.Op, v cir.Value) cir.Value {
	switch op {
	case tree.Neg:
		if c, ok := v.(cir.Int); ok && !c.Type.Signed {
			n := cir.Int{Type: c.Type, Lo: -c.Lo, Hi: ^c.Hi}
			if c.Lo == 0 {
				n.Hi++
			}
			return n.Normal()
		}
		return f.unaryOp(cir.Neg, v)
	case tree.BitNot:
		return f.unaryOp(cir.Not, v)
	}
	return v
}

// unaryParts emits an operator on a complex number or vector.
func (f *fn) unaryParts(op tree.Op, v val) val {
	r := val{parts: make([]cir.Value, len(v.parts))}
	for i, p := range v.parts {
		switch {
		case op != tree.Conj:
			r.parts[i] = f.unaryScalar(op, p)
		case i == 1:
			r.parts[i] = f.unaryScalar(tree.Neg, p)
		default:
			r.parts[i] = p
		}
	}
	return r
}

// binaryExpr builds an operator on two operands.
func (f *fn) binaryExpr(e *tree.Binary) val {
	if _, ok := preds[e.Op]; ok && !hasParts(e.L.Type()) {
		return val{v: f.convert(f.comparison(e), f.u.scalar(e.Typ))}
	}
	o := commutes(e.Op)
	if e.Op == tree.Add && isUnary(e.L, tree.Neg) || e.Op == tree.Xor && isUnary(e.L, tree.BitNot) {
		o = rightFirst // gcc makes -x + y to y - x, ~x ^ y to ~(y ^ x)
	}
	x, y := f.both(e.L, e.R, o)
	if x.parts != nil || y.parts != nil {
		return f.binaryParts(e, x, y)
	}
	return val{v: f.arith(e.Op, x.v, y.v)}
}

// operandOrder says in which order gcc evaluates two operands.
type operandOrder int

const (
	leftFirst  operandOrder = iota // a plain local variable on the left is read last, always
	varLast                        // any plain variable on the left is read last
	rightFirst                     // the right one first
)

// commutes returns the order of operands that gcc may feel free to exchange.
func commutes(op tree.Op) operandOrder {
	switch op {
	case tree.Add, tree.Mul, tree.And, tree.Or, tree.Xor, tree.Eq, tree.Ne, tree.Lt, tree.Le, tree.Gt, tree.Ge:
		return varLast
	}
	return leftFirst
}

// arith emits an arithmetic operator on scalars.
func (f *fn) arith(op tree.Op, x, y cir.Value) cir.Value {
	return f.binary(ops[op], x, y)
}

// comparison builds a comparison of scalars, of type Bool.
func (f *fn) comparison(e *tree.Binary) cir.Value {
	x, y := f.both(e.L, e.R, varLast)
	if x.parts != nil {
		return f.complexEqual(preds[e.Op], x, y)
	}
	return f.compare(preds[e.Op], x.v, y.v)
}

// both builds the operands of a binary operator, in gcc's order.
func (f *fn) both(l, r tree.Expr, o operandOrder) (x, y val) {
	// gcc makes (a, b) + r to (a, b + r), and l + (a, b) to (a, l + b).
	for c, ok := l.(*tree.Comma); ok; c, ok = l.(*tree.Comma) {
		f.discard(c.L)
		l = c.R
	}
	for c, ok := r.(*tree.Comma); ok; c, ok = r.(*tree.Comma) {
		f.openOrder(l, c.L)
		f.discard(c.L)
		r = c.R
	}
	f.inOrder(l, r, o, func() { x = f.expr(l) }, func() { y = f.expr(r) })
	return x, y
}

// inOrder runs left and right, which build l and r, in the order in which gcc evaluates them.
func (f *fn) inOrder(l, r tree.Expr, o operandOrder, left, right func()) {
	f.openOrder(l, r)
	if isPure(r) || f.u.effects.quiet(l) && f.u.effects.quiet(r) { // reads only: from left to right, as a reader expects
		left()
		right()
		return
	}
	if plainLocal(l) || o == rightFirst || o == varLast && plainVar(l) && !plainVar(r) {
		right()
		left()
		return
	}
	left()
	right()
}

// isUnary tells whether e is this operator on a plain variable.
func isUnary(e tree.Expr, op tree.Op) bool {
	u, ok := e.(*tree.Unary)
	return ok && u.Op == op && plainVar(u.V)
}

// isPure tells whether e is a constant or reads a variable, and nothing else.
func isPure(e tree.Expr) bool {
	switch e := e.(type) {
	case *tree.IntConst, *tree.FloatConst, *tree.FuncRef:
		return true
	case *tree.Load:
		_, ok := e.L.(*tree.VarRef)
		return ok && e.L.Type().Quals&(types.Volatile|types.Atomic) == 0
	}
	return false
}

// plainVar tells whether e is the value of a variable, as it is.
func plainVar(e tree.Expr) bool {
	l, ok := e.(*tree.Load)
	if !ok {
		return false
	}
	_, ok = l.L.(*tree.VarRef)
	return ok
}

// plainLocal tells whether e is the value of an automatic scalar that nothing points to: gcc reads it last.
func plainLocal(e tree.Expr) bool {
	l, ok := e.(*tree.Load)
	if !ok {
		return false
	}
	v, ok := l.L.(*tree.VarRef)
	return ok && v.Var.Storage == tree.Auto && !v.Var.AddrTaken && v.Var.Linkage == tree.NoLinkage &&
		!isRecord(v.Typ) && v.Typ.Quals&(types.Volatile|types.Atomic) == 0
}
