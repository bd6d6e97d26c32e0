package build

import (
	"strings"

	"comus/cfront/tree"
	"comus/cfront/types"
	"comus/cir"
)

// rmws are the read-modify-writes by their names in builtins.
var rmws = map[string]cir.RMWOp{
	"add": cir.RMWAdd, "sub": cir.RMWSub, "and": cir.RMWAnd, "or": cir.RMWOr, "xor": cir.RMWXor, "nand": cir.RMWNand,
}

// rmwOfOp are the read-modify-writes that compound assignments can be.
var rmwOfOp = map[tree.Op]cir.RMWOp{
	tree.Add: cir.RMWAdd, tree.Sub: cir.RMWSub, tree.And: cir.RMWAnd, tree.Or: cir.RMWOr, tree.Xor: cir.RMWXor,
}

// atomicUpdate builds ++, -- and compound assignments of _Atomic objects: one step where there is a
// read-modify-write for it, otherwise a loop around a compare and exchange, as gcc makes it. op computes
// the new value from the old one; post asks for the old one as the result.
func (f *fn) atomicUpdate(l lval, e tree.Expr, r val, op func(val) val, post bool) val {
	t := unqual(l.t)
	if inMemory(t) {
		f.emit(&cir.Intrinsic{Op: cir.AtomicBegin, Name: cir.OneObject})
		plain := l
		plain.t = t
		old := f.load(plain)
		v := op(old)
		f.store(plain, v)
		f.emit(&cir.Intrinsic{Op: cir.AtomicEnd, Name: cir.OneObject})
		if post {
			return old
		}
		return v
	}
	st := f.u.scalar(t)
	acc := f.access(l, st)
	if x, rmw, ok := f.asRMW(e, r, st, t); ok {
		old := f.reg(st)
		f.emit(&cir.RMW{Op: rmw, Dst: old, Addr: f.address(l), X: x, Access: acc})
		if post {
			return val{v: old}
		}
		return f.again(e, r, old, st, op)
	}
	addr := f.address(l)
	first, old := f.reg(st), f.reg(st)
	f.emit(&cir.Load{Dst: first, Addr: addr, Access: acc})
	head, done := f.newBlock(old), f.newBlock()
	f.jump(head, first)
	v := op(val{v: old})
	seen, ok := f.reg(st), f.reg(cir.Bool)
	f.emit(&cir.CmpXchg{Old: seen, OK: ok, Addr: addr, Expected: old, New: v.v, Failure: cir.SeqCst, Access: acc})
	f.terminate(&cir.Branch{Cond: ok, Then: done, Else: head, ElseArgs: []cir.Value{seen}})
	f.block = done
	if post {
		return val{v: old}
	}
	return v
}

// asRMW returns the read-modify-write that an operation on an atomic object is, if there is one.
func (f *fn) asRMW(e tree.Expr, r val, st cir.Type, t *types.Type) (cir.Value, cir.RMWOp, bool) {
	switch e := e.(type) {
	case *tree.IncDec:
		op := cir.RMWAdd
		if e.Dec {
			op = cir.RMWSub
		}
		switch {
		case st.IsPointer() && t.Elem != nil && t.Elem.Size >= 0:
			return cir.IntOf(f.u.model.Diff(), t.Elem.Size), op, true
		case st.IsInt() && st != cir.Bool:
			return cir.IntOf(st, 1), op, true
		}
	case *tree.AssignOp:
		op, ok := rmwOfOp[e.Op]
		switch {
		case !ok || r.v == nil:
		case st.IsPointer() && t.Elem != nil && t.Elem.Size >= 0 && (e.Op == tree.Add || e.Op == tree.Sub):
			diff := f.u.model.Diff()
			n := f.convert(r.v, diff)
			if t.Elem.Size != 1 {
				n = f.wrapping(cir.Mul, n, cir.IntOf(diff, t.Elem.Size))
			}
			return n, op, true
		case st.IsInt() && st != cir.Bool && f.typeOf(r.v).IsInt():
			return f.convert(r.v, st), op, true
		}
	}
	return nil, 0, false
}

// again computes the new value of a read-modify-write, which wraps around, from the old one.
func (f *fn) again(e tree.Expr, r val, old cir.Value, st cir.Type, op func(val) val) val {
	if st.IsPointer() {
		return op(val{v: old})
	}
	switch e := e.(type) {
	case *tree.IncDec:
		o := cir.Add
		if e.Dec {
			o = cir.Sub
		}
		return val{v: f.wrapping(o, old, cir.IntOf(st, 1))}
	case *tree.AssignOp:
		return val{v: f.wrapping(ops[e.Op], old, f.convert(r.v, st))}
	}
	return op(val{v: old})
}

// memoryOrder reads the argument that is a memory order. One that is no constant is taken for
// sequential consistency, under an assumption.
func (f *fn) memoryOrder(e *tree.Builtin, i int) cir.Order {
	if i >= len(e.Args) {
		return cir.SeqCst
	}
	c, ok := f.scalarOf(e.Args[i]).(cir.Int)
	if !ok {
		f.emit(&cir.Assumption{Sentence: "the memory order at " + f.site.Pos.String() + " is memory_order_seq_cst"})
		return cir.SeqCst
	}
	switch c.Lo & 0xffff {
	case 0:
		return cir.Relaxed
	case 1, 2:
		return cir.Acquire
	case 3:
		return cir.Release
	case 4:
		return cir.AcqRel
	}
	return cir.SeqCst
}

// pointee is the object that the first argument of an atomic builtin points to, without
// _Atomic: the order is the builtin's.
func (f *fn) pointee(e *tree.Builtin) lval {
	if len(e.Args) == 0 {
		refuse(e.Site, "too few arguments for '%s'", e.Name)
	}
	return f.pointeeOf(e.Args[0])
}

// pointeeOf is what a pointer points to.
func (f *fn) pointeeOf(e tree.Expr) lval {
	p, align := f.pointer(e)
	t := e.Type().Elem
	if t == nil {
		refuse(e.At(), "an atomic operation on something that is no pointer")
	}
	if t.Quals&types.Atomic != 0 {
		c := *t
		c.Quals &^= types.Atomic
		t = &c
	}
	if t.Kind == types.Array {
		t = t.Elem
	}
	if isRecord(t) || hasParts(t) || t.Kind == types.Void {
		// Bytes of the size of an integer are accessed as one.
		size := max(t.Size, 1)
		if size&(size-1) != 0 || size > 16 {
			refuse(e.At(), "an atomic operation on an object of %d bytes", size)
		}
		t = &types.Type{Kind: types.Int, Bits: int(size) * 8, Size: size, Align: size, Quals: t.Quals}
	}
	return lval{base: p.base, disp: p.disp, align: max(align, t.Align, 1), t: t}
}

// operand builds the i-th argument as a value of the type of an object.
func (f *fn) operand(e *tree.Builtin, i int, l lval) cir.Value {
	if i >= len(e.Args) {
		refuse(e.Site, "too few arguments for '%s'", e.Name)
	}
	v := f.expr(e.Args[i])
	st := f.u.scalar(l.t)
	if v.v == nil {
		addr, align := f.spill(v, e.Args[i].Type())
		return f.load(lval{base: addr, align: align, t: unqual(l.t)}).v
	}
	return f.convert(v.v, st)
}

// indirect reads a value of the type of an object through the i-th argument.
func (f *fn) indirect(e *tree.Builtin, i int, l lval) (cir.Value, lval) {
	p, align := f.pointer(e.Args[i])
	at := lval{base: f.address(p), align: align, t: unqual(l.t)}
	return f.load(at).v, at
}

// loadAtomic and storeAtomic access an object with a memory order.
func (f *fn) loadAtomic(l lval, o cir.Order) cir.Value {
	st := f.u.scalar(l.t)
	d := f.reg(st)
	acc := f.access(l, st)
	acc.Order = o
	f.emit(&cir.Load{Dst: d, Addr: f.address(l), Access: acc})
	return d
}

func (f *fn) storeAtomic(l lval, v cir.Value, o cir.Order) {
	acc := f.access(l, f.u.scalar(l.t))
	acc.Order = o
	f.emit(&cir.Store{Addr: f.address(l), X: v, Access: acc})
}

// rmw emits a read-modify-write and returns the old value.
func (f *fn) rmw(op cir.RMWOp, l lval, x cir.Value, o cir.Order) *cir.Reg {
	st := f.u.scalar(l.t)
	d := f.reg(st)
	acc := f.access(l, st)
	acc.Order = o
	f.emit(&cir.RMW{Op: op, Dst: d, Addr: f.address(l), X: x, Access: acc})
	return d
}

// cmpXchg emits a compare and exchange.
func (f *fn) cmpXchg(l lval, expected, desired cir.Value, weak bool, success, failure cir.Order) (old, ok *cir.Reg) {
	st := f.u.scalar(l.t)
	old, ok = f.reg(st), f.reg(cir.Bool)
	acc := f.access(l, st)
	acc.Order = success
	f.emit(&cir.CmpXchg{Old: old, OK: ok, Addr: f.address(l), Expected: expected, New: desired, Weak: weak, Failure: failure, Access: acc})
	return old, ok
}

// updated computes what a read-modify-write has stored.
func (f *fn) updated(op cir.RMWOp, old, x cir.Value) cir.Value {
	switch op {
	case cir.RMWNand:
		return f.unaryOp(cir.Not, f.binary(cir.And, old, x))
	case cir.Xchg:
		return x
	}
	if f.typeOf(old).IsPointer() {
		d := f.reg(f.typeOf(old))
		f.emit(&cir.Offset{Dst: d, P: old, Index: f.negated(x, op == cir.RMWSub), Scale: 1})
		return d
	}
	o := map[cir.RMWOp]cir.Op{cir.RMWAdd: cir.Add, cir.RMWSub: cir.Sub, cir.RMWAnd: cir.And, cir.RMWOr: cir.Or, cir.RMWXor: cir.Xor}[op]
	return f.wrapping(o, old, x)
}

// fetchOp builds fetch_OP and OP_fetch. scale is what a number is multiplied by if the object is a pointer.
func (f *fn) fetchOp(e *tree.Builtin, op cir.RMWOp, newValue bool, o cir.Order, scale bool) val {
	l := f.pointee(e)
	st := f.u.scalar(l.t)
	x := f.expr(e.Args[1]).v
	if st.IsPointer() && op != cir.Xchg {
		x = f.convert(x, f.u.model.Diff())
		if scale && l.t.Elem != nil && l.t.Elem.Size > 1 {
			x = f.wrapping(cir.Mul, x, cir.IntOf(f.u.model.Diff(), l.t.Elem.Size))
		}
	} else {
		x = f.convert(x, st)
	}
	if st.IsFloat() || st == cir.Bool && op != cir.Xchg {
		return f.fetchLoop(l, st, op, x, newValue, o)
	}
	old := f.rmw(op, l, x, o)
	if !newValue {
		return f.result(e, old)
	}
	return f.result(e, f.updated(op, old, x))
}

// fetchLoop is fetchOp where there is no read-modify-write: of floats.
func (f *fn) fetchLoop(l lval, st cir.Type, op cir.RMWOp, x cir.Value, newValue bool, o cir.Order) val {
	f.emit(&cir.Intrinsic{Op: cir.AtomicBegin, Name: cir.OneObject})
	old := f.loadAtomic(l, o)
	v := f.updated(op, old, x)
	f.storeAtomic(l, v, o)
	f.emit(&cir.Intrinsic{Op: cir.AtomicEnd, Name: cir.OneObject})
	if newValue {
		return val{v: v}
	}
	return val{v: old}
}

// fetchNamed takes apart "fetch_add" and "add_fetch".
func fetchNamed(name string) (op cir.RMWOp, newValue, ok bool) {
	if rest, cut := strings.CutPrefix(name, "fetch_"); cut {
		op, ok = rmws[rest]
		return op, false, ok
	}
	if rest, cut := strings.CutSuffix(name, "_fetch"); cut {
		op, ok = rmws[rest]
		return op, true, ok
	}
	return 0, false, false
}
