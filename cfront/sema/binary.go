package sema

import (
	"comus/cfront/syntax"
	"comus/cfront/tree"
	"comus/cfront/types"
)

var binaryOps = map[string]tree.Op{"+": tree.Add, "-": tree.Sub, "*": tree.Mul, "/": tree.Div, "%": tree.Rem, "&": tree.And, "|": tree.Or,
	"^": tree.Xor, "<<": tree.Shl, ">>": tree.Shr, "==": tree.Eq, "!=": tree.Ne, "<": tree.Lt, "<=": tree.Le, ">": tree.Gt, ">=": tree.Ge}

// binaryExpr checks a binary operator. Long chains are not walked recursively.
func (c *checker) binaryExpr(e *syntax.Binary) tree.Expr {
	var chain []*syntax.Binary
	var left syntax.Expr = e
	for {
		b, ok := left.(*syntax.Binary)
		if !ok {
			break
		}
		chain = append(chain, b)
		left = b.L
	}
	x := c.expr(left)
	for i := len(chain) - 1; i >= 0; i-- {
		x = c.binary(chain[i], x)
	}
	return x
}

func (c *checker) binary(e *syntax.Binary, l tree.Expr) tree.Expr {
	switch e.Op {
	case ",":
		if l.Lvalue() && l.Type().AllQuals()&types.Volatile != 0 && l.Type().Kind != types.Array {
			l = c.rvalue(l)
		}
		r := c.value(e.R)
		return &tree.Comma{X: c.x(e, r.Type()), L: l, R: r}
	case "&&", "||":
		lv := c.truth(c.rvalue(l))
		rv := c.truth(c.value(e.R))
		return &tree.Logic{X: c.x(e, c.t.Int), And: e.Op == "&&", L: lv, R: rv}
	}
	l = c.rvalue(l)
	r := c.value(e.R)
	return c.operate(e, binaryOps[e.Op], l, r)
}

func (c *checker) invalidOperands(n syntax.Node, op tree.Op, l, r tree.Expr) {
	text := "?"
	for s, o := range binaryOps {
		if o == op {
			text = s
		}
	}
	for _, x := range []tree.Expr{l, r} {
		if x.Type().Kind == types.Void {
			c.fail(n, "void value not ignored as it ought to be")
		}
	}
	c.fail(n, "invalid operands to binary %s (have ‘%s’ and ‘%s’)", text, l.Type(), r.Type())
}

// operate applies an operator to values.
func (c *checker) operate(n syntax.Node, op tree.Op, l, r tree.Expr) tree.Expr {
	tl, tr := l.Type(), r.Type()
	if tl.Kind == types.Vector || tr.Kind == types.Vector {
		return c.vectorOp(n, op, l, r)
	}
	switch op {
	case tree.Add, tree.Sub:
		if tl.IsPointer() || tr.IsPointer() {
			return c.pointerOp(n, op, l, r)
		}
		fallthrough
	case tree.Mul, tree.Div:
		if !tl.IsArith() || !tr.IsArith() {
			c.invalidOperands(n, op, l, r)
		}
	case tree.Rem, tree.And, tree.Or, tree.Xor, tree.Shl, tree.Shr:
		if !tl.IsInteger() || !tr.IsInteger() {
			c.invalidOperands(n, op, l, r)
		}
		if op == tree.Shl || op == tree.Shr {
			l, r = c.promote(l), c.promote(r)
			return c.arith(n, op, l, r, l.Type())
		}
	default:
		return c.compare(n, op, l, r)
	}
	l, r, t := c.usual(l, r)
	return c.arith(n, op, l, r, t)
}

// arith makes an arithmetic node, or the constant that it is.
func (c *checker) arith(n syntax.Node, op tree.Op, l, r tree.Expr, t *types.Type) tree.Expr {
	if v := c.fold(op, l, r, t); v != nil {
		return c.intConst(c.site(n), t, v)
	}
	return &tree.Binary{X: c.x(n, t), Op: op, L: l, R: r}
}

// pointerOp checks + and - of pointers.
func (c *checker) pointerOp(n syntax.Node, op tree.Op, l, r tree.Expr) tree.Expr {
	tl, tr := l.Type(), r.Type()
	if op == tree.Sub && tl.Kind == types.Pointer && tr.Kind == types.Pointer {
		if !types.CompatibleUnqualified(tl.Elem.Unqualified(), tr.Elem.Unqualified()) {
			c.invalidOperands(n, op, l, r)
		}
		c.checkStep(n, tl, "arithmetic on pointer to an incomplete type ‘%s’")
		if tl.Elem.Size == 0 {
			c.fail(n, "arithmetic on pointer to an empty aggregate")
		}
		return &tree.PtrDiff{X: c.x(n, c.t.PtrDiff), L: l, R: r}
	}
	if op == tree.Add && tr.Kind == types.Pointer {
		l, r = r, l
	}
	t := l.Type()
	if t.Kind != types.Pointer || !r.Type().IsInteger() {
		if op == tree.Add && t != tl {
			l, r = r, l
		}
		c.invalidOperands(n, op, l, r)
	}
	c.checkStep(n, t, "invalid use of undefined type ‘%s’")
	add := &tree.PtrAdd{X: c.x(n, t.Unqualified()), P: l, N: r, Neg: op == tree.Sub}
	return add
}

// compare checks a comparison.
func (c *checker) compare(n syntax.Node, op tree.Op, l, r tree.Expr) tree.Expr {
	tl, tr := l.Type(), r.Type()
	equality := op == tree.Eq || op == tree.Ne
	switch {
	case tl.IsArith() && tr.IsArith():
		if !equality && (tl.Kind == types.Complex || tr.Kind == types.Complex) {
			c.invalidOperands(n, op, l, r)
		}
		l, r, _ = c.usual(l, r)
		return c.arith(n, op, l, r, c.t.Int)
	case tl.IsPointer() && tr.IsPointer():
		t := c.pointerCond(l, r)
		l, r = c.convert(l, t), c.convert(r, t)
	case tl.IsPointer() && tr.IsInteger():
		r = c.convert(r, tl)
	case tr.IsPointer() && tl.IsInteger():
		l = c.convert(l, tr)
	default:
		c.invalidOperands(n, op, l, r)
	}
	return &tree.Binary{X: c.x(n, c.t.Int), Op: op, L: l, R: r}
}

// maskType is the type of a comparison of vectors.
func (c *checker) maskType(t *types.Type) *types.Type {
	e := c.t.IntOf(int(t.Elem.Size*8), true)
	if e == nil {
		return t.Unqualified()
	}
	return types.VectorOf(e, t.Len)
}

// vectorOp checks an operator on vectors; a scalar stands for a vector of copies of it.
func (c *checker) vectorOp(n syntax.Node, op tree.Op, l, r tree.Expr) tree.Expr {
	tl, tr := l.Type(), r.Type()
	switch {
	case tl.Kind != types.Vector && tl.IsReal():
		l = c.splat(n, op, l, tr)
	case tr.Kind != types.Vector && tr.IsReal():
		r = c.splat(n, op, r, tl)
	case tl.Kind != types.Vector || tr.Kind != types.Vector:
		c.invalidOperands(n, op, l, r)
	}
	t := l.Type().Unqualified()
	if rt := r.Type(); !types.CompatibleUnqualified(t, rt) {
		shift := op == tree.Shl || op == tree.Shr
		same := t.Len == rt.Len && t.Elem.Size == rt.Elem.Size && t.Elem.IsInteger() == rt.Elem.IsInteger()
		if !same || !shift && !t.Elem.IsInteger() {
			c.invalidOperands(n, op, l, r)
		}
		if !shift {
			r = c.convert(r, t)
		}
	}
	switch op {
	case tree.Rem, tree.And, tree.Or, tree.Xor, tree.Shl, tree.Shr:
		if !t.Elem.IsInteger() || !r.Type().Elem.IsInteger() {
			c.invalidOperands(n, op, l, r)
		}
	}
	if op >= tree.Eq && op <= tree.Ge {
		return &tree.Binary{X: c.x(n, c.maskType(t)), Op: op, L: l, R: r}
	}
	return &tree.Binary{X: c.x(n, t), Op: op, L: l, R: r}
}

// splat makes a vector of copies of a scalar.
func (c *checker) splat(n syntax.Node, op tree.Op, x tree.Expr, t *types.Type) tree.Expr {
	if t.Elem.IsInteger() && !x.Type().IsInteger() {
		c.fail(n, "conversion of scalar ‘%s’ to vector ‘%s’ involves truncation", x.Type(), t)
	}
	if op == tree.Shl || op == tree.Shr {
		x = c.convert(x, t.Elem)
	}
	if x.Type().IsInteger() && t.Elem.IsInteger() && x.Type().Bits > t.Elem.Bits {
		v, ok := c.evalInt(x)
		if !ok || !fits(v, t.Elem) {
			c.fail(n, "conversion of scalar ‘%s’ to vector ‘%s’ involves truncation", x.Type(), t)
		}
	}
	return &tree.Convert{X: tree.X{Typ: t.Unqualified(), Site: x.At()}, V: c.convert(x, t.Elem)}
}

// assignExpr checks = and the like.
func (c *checker) assignExpr(e *syntax.Assign) tree.Expr {
	l := c.expr(e.L)
	c.modifiable(e, l, "assignment", "lvalue required as left operand of assignment")
	t := l.Type().Unqualified()
	if f := bitField(l); f != nil {
		t = types.BitInt(t, f.Width)
	}
	r := c.value(e.R)
	if e.Op == "=" {
		return &tree.Assign{X: c.x(e, t), L: l, R: c.assignTo(r, l.Type(), reason{verb: "assigning"})}
	}
	op := binaryOps[e.Op[:len(e.Op)-1]]
	x := &tree.AssignOp{X: c.x(e, t), Op: op, L: l, R: r}
	before := c.rvalue(l)
	if t.Kind == types.Pointer {
		if op != tree.Add && op != tree.Sub || !r.Type().IsInteger() {
			c.invalidOperands(e, op, before, r)
		}
		c.checkStep(e, t, "invalid use of undefined type ‘%s’")
		x.Compute = t
		return x
	}
	switch y := c.operate(e, op, before, r).(type) {
	case *tree.Binary:
		x.Compute, x.R = y.L.Type(), y.R
	default:
		// a pointer on the right
		if !t.IsInteger() {
			c.invalidOperands(e, op, before, r)
		}
		return c.assignPointerSum(e, l, y, t)
	}
	if !t.IsArith() && t.Kind != types.Vector {
		c.invalidOperands(e, op, before, r)
	}
	return x
}

// assignPointerSum is i += p, which gcc takes for i = i + p.
func (c *checker) assignPointerSum(e syntax.Node, l, sum tree.Expr, t *types.Type) tree.Expr {
	return &tree.Assign{X: c.x(e, t), L: l, R: c.assignTo(sum, t, reason{verb: "assigning"})}
}
