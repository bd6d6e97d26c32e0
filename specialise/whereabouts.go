package specialise

import (
	"fmt"

	"comus/cir"
	"comus/ir"
	"comus/logic"
	"comus/scan/pointsto"
)

// Ids of threads are kept in memory whose size is not known, which is not tracked. One of them matters: that of the thread that is
// told apart ([builder.tellsApart]). Where it lies is known: two variables for each abstract object to which the creation of threads
// writes ids tell in which slot it was last stored, and whether it is still there. So a loop that joins the threads of an array is
// known to join that one, whichever it is. Slots are numbered by the index of the array, if all ids of an object are stored by
// one, else by their addresses.

// slots are how the places of ids in an abstract object are numbered.
type slots struct {
	base  int64 // the address of number 0; 0: numbers are addresses
	scale int64
}

// idStore is the place where the id of a thread that is created is stored.
func (b *builder) idStore() bool {
	return b.opts.Parametric && b.opts.Check.Race && b.fr.fn.Library && (b.fr.fn.Source == "pthread_create" || b.fr.fn.Source == "thrd_create")
}

// slotOf returns the number of the slot at a pointer.
func (b *builder) slotOf(p *value) (slots, *logic.Term) {
	if p.at != nil && p.at.obj.vague && len(p.at.idx) == 1 && p.at.idx[0].scale > 0 {
		x := p.at.idx[0]
		return slots{p.at.obj.addr + p.at.off, x.scale}, x.t
	}
	return slots{}, p.t
}

// whereIs returns the variables that tell in which slot of an object the id lies, and whether it does.
func (b *builder) whereIs(abs *pointsto.Object) (at, there *ir.Var) {
	n := b.facts.vagueCode(abs)
	return b.sharedVar(fmt.Sprintf("slot%d", n), ir.Type{Bits: 64, Signed: true}), b.sharedVar(fmt.Sprintf("slot%d.taken", n), ir.Flag)
}

// storesId follows the id where a value is stored in memory that is not tracked.
func (b *builder) storesId(p *value, v cir.Value, x *value, bits int64) {
	if !b.opts.Parametric || b.cur == nil {
		return
	}
	aims := b.aims(p, v)
	if len(aims) == 1 && b.idStore() {
		how, _ := b.slotOf(p)
		if old, ok := b.slots[aims[0]]; ok && old != how {
			how = slots{}
		}
		b.slots[aims[0]] = how
	}
	for _, abs := range aims {
		how, ok := b.facts.slots[abs]
		if !ok {
			continue
		}
		at, there := b.whereIs(abs)
		mine, slot := b.slotOf(p)
		if how == (slots{}) {
			mine, slot = how, p.t
		}
		is := b.L.Eq(x.t, b.L.Int(b.singleBlock()))
		switch {
		case mine != how || how != (slots{}) && how.scale*8 < bits || len(aims) > 1:
			b.loseId(abs)
		case is.IsFalse():
			b.follow(p.side, ir.AssignCmd(there, b.L.Ite(b.near(abs, at.Sym, slot, how, bits), b.L.Int(0), there.Sym)))
		default:
			b.follow(append(p.side, x.side...), ir.AssignCmd(there, b.L.Ite(is, b.L.Int(1), b.L.Ite(b.near(abs, at.Sym, slot, how, bits), b.L.Int(0), there.Sym))),
				ir.AssignCmd(at, b.L.Ite(is, slot, at.Sym)))
		}
	}
}

// near returns the condition that bytes at a slot belong to what lies in another one.
func (b *builder) near(abs *pointsto.Object, at, slot *logic.Term, how slots, bits int64) *logic.Term {
	if how != (slots{}) || b.facts.byStart(abs) {
		return b.L.Eq(at, slot)
	}
	size := b.L.Int(max(bits, int64(b.m.PointerBits)) / 8)
	return b.L.And(b.L.Lt(at, b.L.Add(slot, size)), b.L.Lt(slot, b.L.Add(at, size)))
}

// follow makes a step of the variables that follow the id.
func (b *builder) follow(side []*logic.Term, cmds ...ir.Cmd) {
	b.settle(true)
	b.cur.depth++
	b.emit("", append(assumes(side), cmds...)...)
	b.leaveAtomic()
}

// loseId forgets where in an object the id lies.
func (b *builder) loseId(abs *pointsto.Object) {
	if _, ok := b.facts.slots[abs]; ok && b.cur != nil {
		_, there := b.whereIs(abs)
		b.follow(nil, ir.AssignCmd(there, b.L.Int(0)))
	}
}

// loseIds forgets it in all objects that may be meant.
func (b *builder) loseIds(aims []*pointsto.Object) {
	for _, abs := range aims {
		if abs.External {
			for other := range b.facts.slots {
				b.loseId(other)
			}
			return
		}
		b.loseId(abs)
	}
}

// loadsId returns what is read from memory that is not tracked: the id where it is, else anything.
func (b *builder) loadsId(p *value, v cir.Value, a cir.Access, bits int64) *value {
	aims := b.aims(p, v)
	if !b.opts.Parametric || len(aims) != 1 || bits != int64(b.m.PointerBits) {
		return nil
	}
	how, ok := b.facts.slots[aims[0]]
	mine, slot := b.slotOf(p)
	if how == (slots{}) {
		mine, slot = how, p.t
	}
	if !ok || mine != how {
		return nil
	}
	at, there := b.whereIs(aims[0])
	b.settle(true)
	b.cur.depth++
	w := b.anything(a.Type, untracked, b.site)
	is := b.L.And(b.isTrue(there), b.L.Eq(at.Sym, slot))
	b.emit("", append(assumes(p.side), ir.AssumeCmd(b.L.Implies(is, b.L.Eq(w.t, b.L.Int(b.singleBlock())))))...)
	mark := b.hold(w)
	b.leaveAtomic()
	w = b.held[mark]
	b.release(mark)
	return w
}

// singleBlock returns the address of the control block of the thread that is told apart: its id.
func (b *builder) singleBlock() int64 {
	for _, g := range b.cp.Globals {
		if g.Library && g.Source == "single_thread" {
			return b.global(g).addr
		}
	}
	return 0
}
