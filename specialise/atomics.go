package specialise

import (
	"slices"

	"comus/cir"
)

// rmw runs an atomic read-modify-write.
func (b *builder) rmw(in *cir.RMW) {
	p := b.operand(in.Addr)
	var x *value
	if in.X != nil {
		x = b.operand(in.X)
	}
	b.dropAfter(in)
	mark := b.hold(p)
	if x != nil {
		b.hold(x)
	}
	b.drains()
	b.settle(true)
	p = b.held[mark]
	if x != nil {
		x = b.held[mark+1]
	}
	if x != nil {
		b.publish(x, in.X, p, in.Addr)
		x, p = b.surrender(x, in.X, p)
		b.held[mark], b.held[mark+1] = p, x
	}
	b.cur.depth++
	old := b.load(p, in.Addr, in.Access)
	if b.cur == nil {
		b.release(mark)
		return
	}
	if in.Dst != nil {
		old = b.materialise(old)
		b.hold(old)
	}
	n := b.modified(in, old, x)
	b.updating = true
	b.store(p, in.Addr, n, in.Access)
	b.updating = false
	b.release(mark)
	if in.Dst != nil {
		if in.Op == cir.RMWTest {
			old = b.toInt(old, in.Dst.Type)
		}
		b.set(in.Dst, old)
	}
	b.leaveAtomic()
}

// modified returns what a read-modify-write stores.
func (b *builder) modified(in *cir.RMW, old, x *value) *value {
	if in.Type.IsPointer() && in.Op != cir.Xchg {
		return b.movedPointer(in.Op, old, x)
	}
	switch in.Op {
	case cir.Xchg:
		return x
	case cir.RMWTest:
		return b.constVal(in.Type, 1)
	case cir.RMWNand:
		return b.unary(cir.Not, b.binary(cir.And, old, x, true), true)
	}
	op := map[cir.RMWOp]cir.Op{cir.RMWAdd: cir.Add, cir.RMWSub: cir.Sub, cir.RMWAnd: cir.And, cir.RMWOr: cir.Or, cir.RMWXor: cir.Xor}[in.Op]
	return b.binary(op, old, x, true)
}

// movedPointer returns a pointer moved by a number of bytes.
func (b *builder) movedPointer(op cir.RMWOp, old, x *value) *value {
	w := b.result(old.typ, old, x)
	switch op {
	case cir.RMWAdd:
		w.t = b.L.Add(old.t, x.t)
	case cir.RMWSub:
		w.t = b.L.Sub(old.t, x.t)
	default:
		return b.anything(old.typ, "bits of a pointer", b.site)
	}
	return w
}

// cmpXchg runs an atomic compare and exchange.
func (b *builder) cmpXchg(in *cir.CmpXchg) {
	p, want, next := b.operand(in.Addr), b.operand(in.Expected), b.operand(in.New)
	b.dropAfter(in)
	mark := b.hold(p, want, next)
	b.drains()
	b.settle(true)
	p, next = b.held[mark], b.held[mark+2]
	b.publish(next, in.New, p, in.Addr)
	b.surrender(next, in.New, p)
	p, want, next = b.held[mark], b.held[mark+1], b.held[mark+2]
	b.cur.depth++
	read := in.Access // which order it has is known only when it is known whether it succeeds
	if read.Order != cir.Plain {
		read.Order = cir.Relaxed
	}
	old := b.load(p, in.Addr, read)
	if b.cur == nil {
		b.release(mark)
		return
	}
	old = b.materialise(old)
	b.hold(old)
	equal := b.compare(cir.Eq, old, want)
	if in.Weak {
		may := b.anything(cir.Bool, "", b.site)
		equal = b.condValue(b.L.And(b.truth(equal), b.truth(may)), equal.side)
	}
	equal = b.materialise(equal)
	b.hold(equal)
	if b.opts.Orders {
		b.exchanges(in, p, equal, next)
	} else {
		b.updating, b.onlyIf, b.failure = true, b.truth(equal), in.Failure
		b.store(p, in.Addr, b.choose(equal, next, old), in.Access)
		b.updating, b.onlyIf = false, nil
	}
	b.release(mark)
	b.set(in.Old, old)
	b.set(in.OK, equal)
	b.leaveAtomic()
}

// stack runs what belongs to variable arguments and the stack.
func (b *builder) stack(in cir.Instr) {
	switch in := in.(type) {
	case *cir.Alloca:
		b.set(in.Dst, b.allocate(in, b.operand(in.Size), in.Align, false, in.Name))
	case *cir.StackSave:
		b.set(in.Dst, b.constVal(in.Dst.Type, int64(len(b.fr.stack))))
	case *cir.StackRestore:
		b.restoreStack(b.operand(in.Mark))
	case *cir.VaEnd:
	case *cir.VaStart:
		b.vaStart(b.operand(in.Ap), in)
	case *cir.VaArg:
		b.vaArg(in)
	case *cir.VaCopy:
		dst, src := b.operand(in.Dst), b.operand(in.Src)
		if src.at != nil && dst.at != nil {
			b.cur.lists[dst.at.obj] = b.cur.lists[src.at.obj]
		}
	default:
		b.bugf("instruction %T", in)
	}
}

// vaList is where a list of variable arguments stands.
type vaList struct {
	rest []*value
	next int
	from *frame // the call whose arguments they are
}

// vaStart makes a list refer to the arguments of this call.
func (b *builder) vaStart(ap *value, in *cir.VaStart) {
	if ap.at == nil {
		return
	}
	rest := slices.Clone(b.fr.rest)
	for i := range rest {
		rest[i] = b.steady(rest[i])
	}
	b.fr.rest = rest
	b.cur.lists[ap.at.obj] = vaList{rest: rest, from: b.fr}
}

// vaArg takes the next argument of a list. In a loop that is not unrolled, it may be any of a list from before it.
func (b *builder) vaArg(in *cir.VaArg) {
	ap := b.operand(in.Ap)
	var l vaList
	ok := false
	if ap.at != nil {
		l, ok = b.cur.lists[ap.at.obj]
	}
	if !ok || l.next == len(l.rest) {
		if in.Dst != nil {
			b.set(in.Dst, b.anything(in.Dst.Type, "variable arguments", b.site))
		} else {
			b.havocBytes(b.operand(in.To), in.To, in.Shape.Size, "variable arguments")
		}
		return
	}
	v := l.rest[l.next]
	l.next++
	b.cur.lists[ap.at.obj] = l
	if in.Dst != nil {
		b.set(in.Dst, b.convert(v, in.Dst.Type))
		return
	}
	b.copyRange(b.operand(in.To), in.To, v, in.Ap, in.Shape.Size, in.Shape)
}
