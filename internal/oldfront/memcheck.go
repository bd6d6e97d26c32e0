package cfront

import (
	"comus/ir"
	"comus/logic"

	"modernc.org/cc/v4"
)

// checkAccess makes it an error that a place is accessed which does not exist, if
// that is asked for. It leaves the pointer and the indexes in such a way that the
// access, in a step that follows, uses the same values.
//
// Whether an object is still allocated is read in a step before the access. That
// misses nothing: where another thread frees it in between, there is an execution
// that differs only in that the step is taken after that.
func (b *lowerer) checkAccess(n cc.Node, p place) {
	if !b.opts.Check.Memory || b.cur == nil {
		return
	}
	for _, v := range p.selectors() {
		if _, ok := v.constant(); !ok && (b.pending(v) || len(v.side) > 0) {
			mark := b.holdPlace(p)
			b.settle(true)
			b.letGo(mark)
			b.materialise(v)
		}
	}
	ok := b.L.True()
	for _, x := range p.idx {
		ok = b.L.And(ok, b.L.Le(b.L.Int(0), x.val.t), b.L.Lt(x.val.t, b.L.Int(int64(x.n))))
		ok = b.L.And(append(b.withinLength(x), ok)...)
	}
	if len(p.idx) > 0 {
		b.invalid(n, "array index out of bounds: "+b.text(n), ok)
	}
	switch {
	case b.cur == nil:
	case p.ptr != nil:
		var valid []*logic.Term
		for _, a := range p.alts {
			valid = append(valid, b.isAlive(b.L.Eq(p.ptr.t, b.L.Int(a.at)), a.obj))
		}
		b.invalid(n, "invalid pointer: "+b.text(n), b.L.Or(valid...))
	case p.obj.heap != nil:
		b.invalid(n, "invalid pointer: "+b.text(n), b.isAlive(b.L.True(), p.obj))
	}
}

// isAlive returns the condition is, and that the object is not freed if it is one of
// the heap.
func (b *lowerer) isAlive(is *logic.Term, o *object) *logic.Term {
	if o.heap == nil || o.heap.alive == nil || o.heap.site.auto {
		return is
	}
	alive := b.L.Eq(o.heap.alive.Sym, b.L.Int(1))
	if c, ok := b.cur.consts[o.heap.alive]; ok {
		alive = b.L.Bool(c.Sign() > 0)
	}
	return b.L.And(is, alive)
}

// invalid makes it an error that a condition does not hold here.
func (b *lowerer) invalid(n cc.Node, text string, ok *logic.Term) {
	if b.cur == nil || ok.IsTrue() {
		return
	}
	bad := b.L.Not(ok)
	if b.mentionsShared(bad) {
		b.settle(true)
	}
	b.errorEdge(n, text, ir.AssumeCmd(bad))
	if ok.IsFalse() {
		b.cur = nil
	}
}
