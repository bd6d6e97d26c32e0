package specialise

import (
	"fmt"
	"path/filepath"
	"slices"

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
// C++20). What the library's functions order stands in orderings; atomic sections of the program's are ordered as if they held one lock.
//
// The same holds where a program tries to take a lock: it may learn that another thread holds it, which does not order them.

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

// noteTry notes the call of a function that may find out that another thread holds a lock, by failing.
func (b *builder) noteTry(f *cir.Func) {
	if b.opts.Check.Race && !b.cur.alone && f.Library && tries[f.Source] {
		b.sawWeak = true
	}
}

// tries are the functions that order nothing if they fail, or, in the case of sem_getvalue, never (XBD 4.12).
var tries = map[string]bool{"pthread_mutex_trylock": true, "pthread_mutex_timedlock": true, "pthread_spin_trylock": true,
	"pthread_rwlock_tryrdlock": true, "pthread_rwlock_trywrlock": true, "pthread_rwlock_timedrdlock": true, "pthread_rwlock_timedwrlock": true,
	"sem_trywait": true, "sem_timedwait": true, "sem_getvalue": true, "ftrylockfile": true}

// released returns the flag of what synchronises by a variable: of the release sequences that what it holds is part of.
func (b *builder) released(v *ir.Var) *ir.Var { return b.sharedVar("released."+v.Name, ir.Flag) }

// headed returns the flag of those of them that a thread heads, which its stores continue.
func (b *builder) headed(v *ir.Var, thread int) *ir.Var {
	return b.sharedVar(fmt.Sprintf("headed%d.%s", thread, v.Name), ir.Flag)
}

// readers returns the flag of what has been released by those that read under a read-write lock.
func (b *builder) readers(v *ir.Var) *ir.Var { return b.sharedVar("readers."+v.Name, ir.Flag) }

// isTrue is the condition that a flag is 1.
func (b *builder) isTrue(v *ir.Var) *logic.Term { return b.L.Eq(v.Sym, b.L.Int(1)) }

// orIn returns the command that sets a flag if a condition holds.
func (b *builder) orIn(v *ir.Var, c *logic.Term) ir.Cmd {
	return ir.AssignCmd(v, b.L.BoolToInt(b.L.Or(b.isTrue(v), c)))
}

// ordering is what the library's accesses of an object order, of objects by which threads synchronise.
type ordering uint8

const (
	ordersNothing ordering = iota
	ordersAll              // each access acquires and releases
	acquiresIfWritten
	releasesIfWritten
	acquiresReaders // as acquiresIfWritten, what readers have released included
	releasesReaders
)

// orderings has the functions of the library whose accesses order something, by what POSIX promises of them (XBD 4.12), and no more. A function
// that fails writes nothing. Locks are taken and given back by intrinsics; signals and broadcasts order nothing.
var orderings = map[string]ordering{
	"pthread_barrier_wait": ordersAll, "pthread_barrier_destroy": ordersAll, "pthread_once": ordersAll, "add_handler": ordersAll, "begin_exit": ordersAll,
	"sem_post": releasesIfWritten, "sem_wait": acquiresIfWritten, "take": acquiresIfWritten,
	"read_now": acquiresIfWritten, "write_now": acquiresReaders, "unlock_reader": releasesReaders, "unlock_writer": releasesIfWritten,
}

// orderingOf returns what an access orders by being one of the library's.
func (b *builder) orderingOf(a cir.Access) ordering {
	if a.Order != cir.Plain || b.cur.depth == 0 && b.fr.fn.Source != "pthread_once" || !b.exempt() { // once ends with a plain store
		return ordersNothing
	}
	return orderings[b.fr.fn.Source]
}

// readOrder returns the order of a read for happens-before: Plain for none.
func (b *builder) readOrder(a cir.Access) cir.Order {
	if b.orderingOf(a) == ordersAll {
		return cir.AcqRel
	}
	return a.Order
}

// synchronises reports whether an access to these places may be one of happens-before.
func (b *builder) synchronises(ts *targets) bool { return b.weak() && ts.shared && !ts.vague }

// ordersWritten is the effect of a write on happens-before, in an atomic section.
func (b *builder) ordersWritten(ts *targets, bits int64, a cir.Access) {
	switch o := b.orderingOf(a); {
	case a.Order != cir.Plain:
		b.releases(ts, bits, a.Order, b.updating)
	case o == ordersAll, o == releasesIfWritten:
		b.releases(ts, bits, cir.Release, true)
	case o == acquiresIfWritten:
		b.acquired(ts, bits, cir.Acquire)
	case o == acquiresReaders:
		b.acquired(ts, bits, cir.Acquire)
		for _, t := range ts.list {
			for _, c := range b.cellsAt(t.obj, t.bit, bits) {
				b.emit("", b.orIn(b.knows(), b.L.And(t.cond, b.isTrue(b.readers(c.v)))))
			}
		}
	case o == releasesReaders:
		for _, t := range ts.list {
			for _, c := range b.cellsAt(t.obj, t.bit, bits) {
				b.emit("", b.orIn(b.readers(c.v), b.L.And(t.cond, b.isTrue(b.knows()))))
			}
		}
	}
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
				found = b.L.Or(found, b.L.And(when, t.cond, b.isTrue(b.released(c.v))))
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
			set := func(flag *ir.Var, x *logic.Term) {
				cmds = append(cmds, ir.AssignCmd(flag, b.L.BoolToInt(b.L.Ite(b.L.And(wrote, t.cond), x, b.isTrue(flag)))))
			}
			flag, next := b.released(c.v), known
			switch {
			case rmw: // it continues what there is
				next = b.L.Or(known, b.isTrue(flag))
			case !strong:
				b.noteContinues(c)
				next = b.L.Or(known, b.isTrue(b.headed(c.v, b.th.index)))
			}
			set(flag, next)
			for _, i := range b.facts.continues[c.key] {
				switch head := b.headed(c.v, i); {
				case i != b.th.index && !rmw:
					set(head, b.L.False())
				case i == b.th.index && strong && rmw:
					set(head, b.L.Or(known, b.isTrue(head)))
				case i == b.th.index && strong:
					set(head, known)
				}
			}
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

// noteContinues notes that the current thread continues its own release sequences of a variable by a store.
func (b *builder) noteContinues(c *cell) {
	if !slices.Contains(b.continues[c.key], b.th.index) {
		b.continues[c.key] = append(b.continues[c.key], b.th.index)
	}
}

// learnContinues notes who continues release sequences by stores. It reports whether that was known.
func (s *facts) learnContinues(b *builder) (known bool) {
	known = true
	if s.continues == nil {
		s.continues = map[string][]int{}
	}
	for key, threads := range b.continues {
		for _, i := range threads {
			if !slices.Contains(s.continues[key], i) {
				s.continues[key], known = append(s.continues[key], i), false
				slices.Sort(s.continues[key])
			}
		}
	}
	return known
}

// inSection is the effect on happens-before of the beginning or the end of an atomic section of the program's, within it.
func (b *builder) inSection(begins bool) {
	if !b.weak() || b.cur.depth != 1 {
		return
	}
	all := b.sharedVar("released_by_sections", ir.Flag)
	if begins {
		b.emit("", b.orIn(b.knows(), b.isTrue(all)))
	} else {
		b.emit("", b.orIn(all, b.isTrue(b.knows())))
	}
}

// inUsers reports whether a section that begins or ends here is one of the program's.
func (b *builder) inUsers() bool {
	return !b.fr.fn.Library || filepath.Base(b.fr.fn.Pos.File) == "verifier.c"
}

// fence is the effect of a fence.
func (b *builder) fence(in *cir.Fence) {
	if b.opts.Orders && !in.Compiler {
		b.fenceStep()
	}
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
		b.acquired(ts, 32, cir.Acquire)
	} else {
		b.releases(ts, 32, cir.Release, true)
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
