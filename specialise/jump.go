package specialise

import (
	"fmt"
	"maps"
	"slices"

	"comus/cir"
	"comus/ir"
	"comus/logic"
)

// buffer is where a setjmp keeps where it was called: that many bytes behind the beginning of an object.
type buffer struct {
	obj *object
	off int64
}

// landing is where a setjmp goes on that a longjmp comes back to.
type landing struct {
	at      *loc
	depth   int
	value   *ir.Var // what setjmp returns then
	fr      *frame
	lives   map[*object]bool // the locals of fr that live there
	pos     ir.Pos
	created int // of builder, then
}

// setjmp runs the first return of setjmp, and prepares the others: what is needed after it is kept in
// variables of its own, nothing is taken for granted of memory, and two flows meet: the one from here, where the
// result is 0, and that of later jumps.
func (b *builder) setjmp(in *cir.Intrinsic, buf *value) {
	b.dropAfter(in)
	b.forgetAll()
	t := cir.I32
	if in.Dst != nil {
		t = in.Dst.Type
	}
	for _, r := range slices.Sorted(maps.Keys(b.cur.regs)) {
		v := b.cur.regs[r]
		if _, ok := v.constant(); ok {
			continue
		}
		keep := b.newVar(fmt.Sprintf("t%d.kept", b.th.index), "", irType(v.typ), b.th.index)
		b.emit("", append(assumes(v.side), ir.AssignCmd(keep, v.t))...)
		b.cur.regs[r] = &value{typ: v.typ, t: keep.Sym, rng: v.rng, site: v.site}
	}
	result := b.newVar(fmt.Sprintf("t%d.jumped", b.th.index), "", irType(t), b.th.index)
	b.emit("", ir.AssignCmd(result, b.L.Int(0)))
	here := b.newLocHere()
	b.newEdge(b.cur.at, here, "")
	b.cur.at = here
	if buf.at != nil && len(buf.at.idx) == 0 {
		jumps := maps.Clone(b.cur.jumps)
		if jumps == nil {
			jumps = map[buffer]*landing{}
		}
		lives := map[*object]bool{}
		for _, o := range b.fr.objects() {
			lives[o] = !o.ended
		}
		jumps[buffer{buf.at.obj, buf.at.off}] = &landing{here, b.cur.depth, result, b.fr, lives, b.irPos(), b.created}
		b.cur.jumps = jumps
	} else {
		b.bounded("a setjmp whose buffer is not known is not jumped back to")
	}
	v := b.val(t, result.Sym)
	v.site = b.site
	b.set(in.Dst, v)
}

// longjmp goes back to a setjmp of a function that is still active.
func (b *builder) longjmp(operand cir.Value, buf, v *value) {
	mark := b.hold(v)
	l := b.landing(operand, buf)
	v = b.held[mark]
	b.release(mark)
	if b.cur == nil {
		return
	}
	active := false
	for fr := b.fr; fr != nil && l != nil; fr = fr.parent {
		active = active || fr == l.fr
	}
	switch {
	case l == nil:
		b.bounded(fmt.Sprintf("the longjmp at %s is not followed", b.pos()))
		b.cur = nil
		return
	case !active:
		b.assume("longjmp goes back to functions that have not returned")
		b.stop()
		return
	case l.depth != b.cur.depth:
		b.fail("longjmp into or out of an atomic section")
	}
	if b.created > l.created { // control may come there again, and each of these objects and threads is one
		b.bounded(fmt.Sprintf("each thread and object that is made behind the setjmp at %s comes to be once, though the longjmp at %s goes back", l.pos, b.pos()))
	}
	x := b.toInt(v, cir.Type{Kind: cir.IntKind, Bits: l.value.Type.Bits, Signed: l.value.Type.Signed})
	t := b.L.Ite(b.L.Eq(x.t, b.L.Int(0)), b.L.Int(1), x.t)
	b.agreeUndefAt(&flow{})
	b.emit(b.text(), append(assumes(x.side), ir.AssignCmd(l.value, t))...)
	b.leaveFrames(l)
	b.newEdge(b.cur.at, l.at, "")
	b.cur = nil
}

// landing returns where the setjmp goes on that was given a buffer; nil: that is not known.
func (b *builder) landing(operand cir.Value, buf *value) *landing {
	if buf.at != nil && len(buf.at.idx) == 0 {
		return b.cur.jumps[buffer{buf.at.obj, buf.at.off}]
	}
	ts := b.resolve(buf, operand, 0, 8, 1)
	if ts.vague || ts.elem != nil || len(ts.list) == 0 {
		return nil
	}
	at, l := b.onlyLanding(ts.list[0].obj)
	var there []*logic.Term
	for _, t := range ts.list {
		switch {
		case t.obj != at.obj:
			return nil
		case t.bit == 8*at.off:
			there = append(there, t.cond)
		}
	}
	if l == nil {
		return nil
	}
	b.checkTargets(ts) // a pointer to anything else has no meaning
	if b.cur != nil {
		b.emit("", ir.AssumeCmd(b.L.And(append(ts.ok, b.L.Or(there...))...)))
	}
	return l
}

// onlyLanding returns the landing of the only buffer in an object that a setjmp was given; nil: there are more, or it is not known.
func (b *builder) onlyLanding(o *object) (buffer, *landing) {
	at, n := buffer{obj: o}, 0
	for x := range b.cur.jumps {
		if x.obj == o {
			at, n = x, n+1
		}
	}
	if n != 1 {
		return at, nil
	}
	return at, b.cur.jumps[at]
}

// sameJumps returns where longjmp goes back to where flows meet: for a buffer with which that is not the same place in all of them, to nil,
// so that it stays known that there is such a buffer.
func sameJumps(flows []*flow) map[buffer]*landing {
	same := maps.Clone(flows[0].jumps)
	for _, f := range flows[1:] {
		for x, l := range same {
			if f.jumps[x] != l {
				same[x] = nil
			}
		}
		for x := range f.jumps {
			if _, ok := same[x]; !ok {
				if same == nil {
					same = map[buffer]*landing{}
				}
				same[x] = nil
			}
		}
	}
	return same
}

// leaveFrames ends the lives of the locals that a longjmp leaves.
func (b *builder) leaveFrames(l *landing) {
	for fr := b.fr; fr != l.fr; fr = fr.parent {
		b.endLives(fr)
	}
	for _, o := range l.fr.objects() {
		if o.scoped && !l.lives[o] {
			b.endsLife(o)
		}
	}
}
