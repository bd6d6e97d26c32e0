package cfront

import (
	"fmt"

	"comus/ir"

	"modernc.org/cc/v4"
)

// Replicated threads (Options.Parametric): a pthread_create in a loop that is not
// unrolled, or in a thread that is replicated itself, starts a thread that stands
// for any number of threads. The result has every execution of the source, with
// whatever number of iterations, and more:
//
//   - an instance may run as soon as the pthread_create has been passed once;
//   - its argument is any value, unless it is the same for all;
//   - its id, where it is stored or asked for, is any value;
//   - pthread_join does not wait for it, and yields any value. As its id may be any
//     value, that is so for every join whose thread is not known statically;
//   - the owner of a mutex is known as an instance of the thread only.
//
// Each condition on shared objects that depends on who an instance is has the form
// "it is me" (a mutex or lock is released), never "it is another one", so that the
// instances' common number makes more steps possible, and never fewer.

// maxSingle is the number of iterations up to which a loop with constant bounds
// creates single threads.
const maxSingle = 4

// createMany lowers a pthread_create that may be passed several times.
func (b *lowerer) createMany(c call, vals []*value) *value {
	if b.opts.Check.Locks {
		b.fail(c.n, "unsupported: any number of threads, together with checks of locks")
	}
	for to := range vals[3].to {
		if to.kind != toInteger {
			b.fail(c.n, "unsupported: pointer with several targets as the argument of any number of threads")
		}
	}
	t := b.newThread(c.n, vals[2].fn)
	t.replicated, b.replicates = true, true
	mark := b.hold(vals[3])
	if id := vals[0]; id.kind == vPtr {
		p := b.deref(c.n, id, nil)
		if p.typ.kind == tStruct || p.typ.kind == tArray {
			p = place{obj: p.obj, base: p.base, idx: p.idx, typ: p.obj.cells[p.base].typ}
		}
		if p.typ.kind == tInt {
			b.store(c.n, p, b.cast(c.n, b.someID(c.n), p.typ), "pthread_create stores the id of a thread "+t.name)
		}
	} else if id.kind != vInt || !id.isNull() {
		b.fail(c.n, "unsupported: pthread_create with an id whose place is not known here")
	}
	b.letGo(mark)
	var cmds []ir.Cmd
	if _, fixed := vals[3].constant(); vals[3].kind == vInt && (!fixed || len(vals[3].side) > 0) {
		v := b.convert(c.n, vals[3], b.ptrInt)
		if b.pending(v) {
			b.materialise(v)
		}
		t.anyArg = true
		cmds = b.sideCmds(v)
	} else {
		cmds = b.passThreadArg(c.n, t, vals[3])
	}
	b.settle(true)
	e := b.emit(c.n, b.text(c.n), append(cmds, ir.AssignCmd(t.created, b.L.Int(1)))...)
	e.kind, e.thread = ir.Create, t.index
	return b.constInt(0, intT)
}

// someID returns any value of type pthread_t.
func (b *lowerer) someID(n cc.Node) *value {
	tmp := b.newTemp(ir.Type{Bits: b.ptrInt.Bits})
	b.havoc(n, "some thread's id", "", tmp)
	return b.intValue(tmp.Sym, tmp.Type)
}

// startWithAny emits the first edge of a thread whose argument, the object o, is
// any value.
func (b *lowerer) startWithAny(n cc.Node, o *object, cmds []ir.Cmd) {
	c := o.cells[0]
	if b.isDynamicCell(c) {
		b.fail(n, "unsupported: parameter of any number of threads that becomes a pointer with several targets")
	}
	if o.typ.kind == tPtr && c.v == nil {
		b.setCellVar(c, b.newVar(c.name, c.obj.source, b.ptrInt, b.th.index))
	}
	e := b.emit(n, "thread starts", append(cmds, ir.HavocCmd(c.v, ""))...)
	e.kind = ir.Start
	if o.typ.kind == tPtr {
		b.bind(c, b.intValue(c.v.Sym, b.ptrInt))
	}
}

// joinAny completes a join of a thread that is not known: it waits for nobody.
func (b *lowerer) joinAny(j *laterJoin) {
	j.edge.kind = ir.Plain
	if j.ret != nil {
		j.edge.cmds = append(j.edge.cmds, ir.HavocCmd(j.ret, ""))
	}
}

// ownedByInstance rejects a local variable of a replicated thread that other threads
// get at: each instance has one of its own.
func (b *lowerer) ownedByInstance(n cc.Node) {
	if b.th.replicated {
		b.fail(n, "unsupported: %s has a local variable that other threads use, and stands for any number of threads", fmt.Sprintf("thread '%s'", b.th.fn))
	}
}
