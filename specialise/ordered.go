package specialise

import (
	"slices"

	"comus/cir"
	"comus/ir"
)

// With [Options.Orders] a program is taken apart for those who look at memory orders. Its steps are then the events of a memory model, which others find by the instructions
// that commands come from:
//
//   - An atomic access is a step of its own, where it stands, and not where its value is needed. It is to one variable that is known.
//   - A compare and exchange has two ways: it succeeds and writes, or it only reads.
//   - Fences are steps. So is what empties a store buffer on TSO and PSO, as the access itself may be left out where one thread alone looks at the object.
//   - What threads know of memory they know by program order and by the creation of threads. That another thread has initialised an object before it has shown it to them is
//     not taken for granted.
//
// What cannot be shown in this way is an error.

// asksMoreThanOrders reports whether properties are asked about that memory orders are not looked at for.
func (c Checks) asksMoreThanOrders() bool {
	return c.Race || c.Deadlock || c.Memory || c.Leak || c.Cleanup || c.Locks
}

// ordered reports whether an access is an atomic one that has to be a step where it stands.
func (b *builder) ordered(a cir.Access, ts *targets) bool {
	return b.opts.Orders && a.Order != cir.Plain && ts.shared
}

// sharesMany is the error for a program of which threads share memory that stands for any number of objects.
func (b *builder) sharesMany() error {
	for _, v := range b.prog.Vars {
		if c := b.cellOf[v]; b.opts.Orders && v.Thread == ir.Shared && c != nil && (c.obj.many || c.obj.tuple) {
			return &Error{Msg: "threads share any number of objects on the heap, of which memory orders are not looked at"}
		}
	}
	return nil
}

// notePlace notes an access to shared memory of which it is not known which variable it is to.
func (b *builder) notePlace(ts *targets, bits int64) {
	if !b.opts.Orders || !ts.shared || b.imprecise != "" || b.cur == nil {
		return
	}
	shared := func(t target) bool {
		return slices.ContainsFunc(b.cellsAt(t.obj, t.bit, bits), func(c *cell) bool { return c.v.Thread == ir.Shared })
	}
	if ts.elem != nil || ts.vague || ts.limited || len(ts.list) > 1 && slices.ContainsFunc(ts.list, shared) && !b.isKnown(ts, bits) {
		b.imprecise = "an access to shared memory whose place depends on a value, at " + b.pos().String()
	}
}

// fenceStep shows a fence, or what is one for store buffers.
func (b *builder) fenceStep() {
	if b.cur == nil {
		return
	}
	b.settle(true)
	b.emit(b.text()).kind = ir.Fence
}

// drains shows that an instruction empties store buffers.
func (b *builder) drains() {
	if b.opts.Orders && b.cur != nil && b.cur.depth == 0 {
		b.fenceStep()
	}
}

// exchanges is the store of a compare and exchange, or none.
func (b *builder) exchanges(in *cir.CmpXchg, p, equal, next *value) {
	first, bits := b.accessBits(in.Access)
	ts := b.resolveAll(p, in.Addr, first, bits, in.Align)
	b.notePlace(ts, bits)
	if ts.vague || len(ts.list) != 1 {
		b.fail("a compare and exchange whose place is not known")
	}
	if b.checkWrite(ts); b.cur == nil {
		return
	}
	cmds, _ := b.storeCmds(ts, next, bits, in.Access)
	is := b.truth(equal)
	from, to := b.cur.at, b.newLocHere()
	b.newEdge(from, to, b.text(), slices.Concat(assumes(next.side), assumes(ts.ok), []ir.Cmd{ir.AssumeCmd(is)}, cmds)...)
	b.newEdge(from, to, b.text(), ir.AssumeCmd(b.L.Not(is)))
	b.cur.at = to
	for _, c := range cmds {
		b.learn(c)
		delete(b.cur.consts, c.Var) // it may not have been written
	}
}

// atomically reports whether a command comes from an atomic access of the program's.
func (b *builder) atomically(origin int) bool {
	if b.atomicOrigins == nil {
		b.atomicOrigins = map[int]bool{}
		for in, n := range b.numbers {
			switch in := in.(type) {
			case *cir.Load:
				b.atomicOrigins[n] = in.Order != cir.Plain
			case *cir.Store:
				b.atomicOrigins[n] = in.Order != cir.Plain
			case *cir.RMW, *cir.CmpXchg:
				b.atomicOrigins[n] = true
			}
		}
	}
	return b.atomicOrigins[origin]
}
