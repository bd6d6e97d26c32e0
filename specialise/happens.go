package specialise

import (
	"fmt"

	"comus/cir"
	"comus/ir"
	"comus/logic"
)

// Where a program has atomic accesses that are not sequentially consistent, two accesses that are never next to each other may race all the
// same: an access of another kind in between does not order them. Then it is happens-before (C11 5.1.2.4) that decides, on the
// interleavings of sequential consistency. It is tracked for one access at a time: that which a thread has told of
// (race.go), and goes on to make. A flag for each thread says whether the access happens before what the thread does next; one for each
// thing that synchronises, whether it happens before whoever acquires that.
//
// A release sequence is continued by read-modify-writes of all threads, and by stores of the thread that heads it (C11; no longer in
// C++20). Locks, and all else that the library does in atomic sections, synchronise as an acquire and a release.

// weak reports whether happens-before is tracked here.
func (b *builder) weak() bool {
	return b.opts.Check.Race && b.facts.weak && b.cur != nil && !b.cur.alone
}

// noteWeak notes an atomic access that is not sequentially consistent.
func (b *builder) noteWeak(o cir.Order) {
	if b.opts.Check.Race && b.cur != nil && !b.cur.alone && o != cir.Plain && o != cir.SeqCst {
		b.sawWeak = true
	}
}

// ownFlag returns a flag of the thread being run.
func (b *builder) ownFlag(what string) *ir.Var {
	name := fmt.Sprintf("t%d.%s", b.th.index, what)
	if b.flags[name] == nil {
		b.flags[name] = b.newVar(name, "", ir.Flag, b.th.index)
		b.flags[name].Init = &logic.Value{}
	}
	return b.flags[name]
}

// knows tells whether the access that was told of happens before what the thread being run does next; behindFence and beforeFence,
// whether it would after an acquire fence, and did before the last release fence.
func (b *builder) knows() *ir.Var       { return b.ownFlag("knows") }
func (b *builder) behindFence() *ir.Var { return b.ownFlag("behind_fence") }
func (b *builder) beforeFence() *ir.Var { return b.ownFlag("before_fence") }

// sharedVar returns a variable of happens-before that all threads share.
func (b *builder) sharedVar(name string, t ir.Type) *ir.Var {
	if b.flags[name] == nil {
		b.flags[name] = b.newVar(name, "", t, ir.Shared)
		b.flags[name].Init = &logic.Value{}
	}
	return b.flags[name]
}

// released returns the flag of what synchronises by a variable, and who heads its release sequence: a thread's number plus 1.
func (b *builder) released(v *ir.Var) (flag, head *ir.Var) {
	return b.sharedVar("released."+v.Name, ir.Flag), b.sharedVar("head."+v.Name, ir.Type{Bits: 16})
}

// isTrue is the condition that a flag is 1.
func (b *builder) isTrue(v *ir.Var) *logic.Term { return b.L.Eq(v.Sym, b.L.Int(1)) }

// orIn returns the command that sets a flag if a condition holds.
func (b *builder) orIn(v *ir.Var, c *logic.Term) ir.Cmd {
	return ir.AssignCmd(v, b.L.BoolToInt(b.L.Or(b.isTrue(v), c)))
}

// syncOrder returns the order of an access for happens-before: Plain for none.
func (b *builder) syncOrder(a cir.Access) cir.Order {
	if a.Order == cir.Plain && (b.cur.depth > 0 || b.fr.fn.Source == "pthread_once") && b.exempt() { // once ends with a plain store
		return cir.AcqRel
	}
	return a.Order
}

// synchronises reports whether an access to these places is one of happens-before.
func (b *builder) synchronises(ts *targets, a cir.Access) bool {
	return b.weak() && ts.shared && !ts.vague && b.syncOrder(a) != cir.Plain
}

// acquires reports whether a read of this order acquires.
func acquires(o cir.Order) bool { return o == cir.Acquire || o == cir.AcqRel || o == cir.SeqCst }

// acquired is the effect of a read on happens-before, in an atomic section.
func (b *builder) acquired(ts *targets, bits int64, o cir.Order) {
	b.acquiredIf(ts, bits, o, b.L.True())
}

// acquiredIf is acquired if a condition holds.
func (b *builder) acquiredIf(ts *targets, bits int64, o cir.Order, when *logic.Term) {
	found := b.L.False()
	for _, t := range ts.list {
		for _, c := range b.cellsAt(t.obj, t.bit, bits) {
			if c.v.Thread == ir.Shared {
				flag, _ := b.released(c.v)
				found = b.L.Or(found, b.L.And(when, t.cond, b.isTrue(flag)))
			}
		}
	}
	to := b.knows()
	if !acquires(o) {
		to = b.behindFence()
	}
	b.emit("", b.orIn(to, found))
}

// releases is the effect of a write on happens-before, in an atomic section.
func (b *builder) releases(ts *targets, bits int64, o cir.Order, rmw bool) {
	me := b.L.Int(int64(b.th.index) + 1)
	wrote := b.L.True()
	if b.onlyIf != nil {
		wrote = b.onlyIf
	}
	known := b.isTrue(b.beforeFence())
	strong := o == cir.Release || o == cir.AcqRel || o == cir.SeqCst
	if strong {
		known = b.isTrue(b.knows())
	}
	var cmds []ir.Cmd
	for _, t := range ts.list {
		for _, c := range b.cellsAt(t.obj, t.bit, bits) {
			if c.v.Thread != ir.Shared {
				continue
			}
			flag, head := b.released(c.v)
			next := b.L.Or(known, b.isTrue(flag)) // a read-modify-write continues what there is
			leader := head.Sym
			switch {
			case rmw && strong && o == cir.Release: // the sequence before it is another thread's, of which this one knows nothing
				leader = b.L.Int(0)
			case rmw && strong:
				leader = me
			case !rmw && strong:
				next, leader = known, me
			case !rmw:
				mine := b.L.Eq(head.Sym, me)
				next = b.L.Or(known, b.L.And(mine, b.isTrue(flag)))
				leader = b.L.Ite(mine, me, b.L.Int(0))
			}
			cmds = append(cmds, ir.AssignCmd(flag, b.L.BoolToInt(b.L.Ite(b.L.And(wrote, t.cond), next, b.isTrue(flag)))),
				ir.AssignCmd(head, b.L.Ite(b.L.And(wrote, t.cond), leader, head.Sym)))
		}
	}
	b.emit("", cmds...)
	if b.onlyIf != nil { // a compare and exchange, which has read already
		if acquires(o) {
			b.acquiredIf(ts, bits, o, b.onlyIf)
		}
		if acquires(b.failure) {
			b.acquiredIf(ts, bits, b.failure, b.L.Not(b.onlyIf))
		}
	}
}

// fence is the effect of a fence.
func (b *builder) fence(in *cir.Fence) {
	if !b.weak() || in.Compiler {
		return
	}
	if in.Order != cir.Release && in.Order != cir.Relaxed {
		b.emit("", b.orIn(b.knows(), b.isTrue(b.behindFence())))
	}
	if in.Order != cir.Acquire && in.Order != cir.Relaxed {
		b.emit("", ir.AssignCmd(b.beforeFence(), b.knows().Sym))
	}
}

// lockSync is the effect of taking or giving back a lock, in an atomic section.
func (b *builder) lockSync(ts *targets, take bool) {
	if take {
		b.acquired(ts, 32, cir.AcqRel)
	} else {
		b.releases(ts, 32, cir.AcqRel, true)
	}
}

// handOver lets a thread know what its creator knows.
func (b *builder) handOver(t *thread) {
	if !b.opts.Check.Race || !b.facts.weak {
		return
	}
	if t.replicated {
		b.fail("any number of threads, together with races by weak memory orders")
	}
	b.emit("", ir.AssignCmd(b.sharedVar(fmt.Sprintf("known_by%d", t.index), ir.Flag), b.knows().Sym))
}

// startsKnowing is the other end of handOver.
func (b *builder) startsKnowing(t *thread) {
	if b.weak() {
		b.emit("", ir.AssignCmd(b.knows(), b.sharedVar(fmt.Sprintf("known_by%d", t.index), ir.Flag).Sym))
	}
}

// endsKnowing keeps what a thread knows at its end, for those that join it.
func (b *builder) endsKnowing(t *thread) {
	if b.weak() {
		b.emit("", ir.AssignCmd(b.sharedVar(fmt.Sprintf("known_at_end%d", t.index), ir.Flag), b.knows().Sym))
	}
}

// joinsOneOf is joins for a thread whose id is not known.
func (b *builder) joinsOneOf(id *value) {
	if !b.weak() {
		return
	}
	c := b.L.False()
	for i := 1; i < max(len(b.threads), b.facts.threads); i++ {
		end := b.sharedVar(fmt.Sprintf("known_at_end%d", i), ir.Flag)
		c = b.L.Or(c, b.L.And(b.L.Eq(id.t, b.L.Int(int64(i))), b.isTrue(end)))
	}
	b.settle(true)
	b.emit("", b.orIn(b.knows(), c))
}

// joins lets the thread being run know what the others knew that have ended by now, of those whose end it asks about.
func (b *builder) joins(threads ...int) {
	if !b.weak() {
		return
	}
	for _, i := range threads {
		b.settle(true)
		b.emit("", b.orIn(b.knows(), b.isTrue(b.sharedVar(fmt.Sprintf("known_at_end%d", i), ir.Flag))))
	}
}
