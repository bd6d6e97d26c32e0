package cfront

import (
	"fmt"

	"comus/ir"
	"comus/logic"

	"modernc.org/cc/v4"
)

// laterJoin is a pthread_join whose thread depends on a value: its edge can only
// be completed when all threads are known.
type laterJoin struct {
	edge *edge
	id   *logic.Term
	ret  *ir.Var // receives the thread's result, or nil
}

// mainID is the id of the main thread. The others have their index. None is 0, which
// programs use for "no thread" and which a pthread_t of static storage duration holds
// at first.
const mainID = maxThreads

// newThread adds a thread that runs the function.
func (b *lowerer) newThread(n cc.Node, fn string) *thread {
	if len(b.threads) >= maxThreads {
		b.fail(n, "unsupported: more than %d threads", maxThreads)
	}
	t := &thread{index: len(b.threads), fn: fn, name: fn, objs: map[string]*object{}}
	zero := logic.Value{}
	if t.index > 0 {
		t.created = b.newVar(fmt.Sprintf("created%d", t.index), "", ir.Flag, ir.Shared)
		t.ended = b.newVar(fmt.Sprintf("ended%d", t.index), "", ir.Flag, ir.Shared)
		t.ret = b.newVar(fmt.Sprintf("ret%d", t.index), "", b.ptrInt, ir.Shared)
		t.created.Init, t.ended.Init, t.ret.Init = &zero, &zero, &zero
	}
	b.threads = append(b.threads, t)
	return t
}

// createCall lowers pthread_create.
func (b *lowerer) createCall(c call) *value {
	b.want(c, 4)
	vals := b.evalArgs(c.args)
	if b.cur == nil {
		return &value{kind: vUnknown}
	}
	if !c.unused {
		b.assume(assumeCreate)
	}
	if vals[2].kind != vFunc {
		return b.createAny(c, vals)
	}
	return b.createWith(c, vals)
}

// createWith lowers pthread_create with arguments that have been evaluated, the
// function among them.
func (b *lowerer) createWith(c call, vals []*value) *value {
	fn := b.src.funcs[vals[2].fn]
	if fn == nil {
		b.fail(c.n, "unsupported: pthread_create with the undefined function '%s'", vals[2].fn)
	}
	if b.opts.Parametric {
		if len(b.loops) > 0 || b.th.replicated {
			return b.createMany(c, vals)
		}
	} else if len(b.loops) > 0 {
		b.createInLoop(c.n)
	}
	t := b.newThread(c.n, vals[2].fn)
	mark := b.hold(vals[3])
	if id := vals[0]; id.kind == vPtr {
		p := b.deref(c.n, id, nil)
		if p.typ.kind == tStruct || p.typ.kind == tArray {
			p = place{obj: p.obj, base: p.base, idx: p.idx, typ: p.obj.cells[p.base].typ}
		}
		if p.typ.kind == tInt {
			b.store(c.n, p, b.constInt(int64(t.index), p.typ.it), "pthread_create stores the id of thread "+fmt.Sprint(t.index))
		}
	} else if id.kind != vInt || !id.isNull() {
		b.fail(c.n, "unsupported: pthread_create with an id whose place is not known here")
	}
	b.letGo(mark)
	cmds := b.passThreadArg(c.n, t, vals[3])
	b.settle(true)
	e := b.emit(c.n, b.text(c.n), append(cmds, ir.AssignCmd(t.created, b.L.Int(1)))...)
	e.kind, e.thread = ir.Create, t.index
	return b.constInt(0, intT)
}

// passThreadArg notes the argument of a new thread and returns the commands that
// hand it over, if it is not static.
func (b *lowerer) passThreadArg(n cc.Node, t *thread, v *value) []ir.Cmd {
	switch v.kind {
	case vPtr:
		if _, ok := v.pl.fixed(); ok {
			b.escape(n, v.pl.obj)
			break
		}
		return b.passThreadArg(n, t, b.mustAddress(n, v))
	case vInt:
		if _, ok := v.constant(); ok && len(v.side) == 0 {
			break
		}
		v = b.convert(n, v, b.ptrInt)
		if b.pending(v) {
			b.materialise(v)
		}
		t.argVar = b.newVar(fmt.Sprintf("arg%d", t.index), "", b.ptrInt, ir.Shared)
		zero := logic.Value{}
		t.argVar.Init = &zero
		if v.to != nil {
			b.escapeTargets(n, v.to)
			b.addPoints(t.argVar.Name, v.to)
		}
		return append(b.sideCmds(v), ir.AssignCmd(t.argVar, v.t))
	}
	t.arg = v
	return nil
}

// joinCall lowers pthread_join.
func (b *lowerer) joinCall(c call) *value {
	b.want(c, 2)
	vals := b.evalArgs(c.args)
	if b.cur == nil {
		return &value{kind: vUnknown}
	}
	id, ret := vals[0], vals[1]
	if id.kind != vInt {
		b.fail(c.n, "unsupported: pthread_join of something that is not a thread's id")
	}
	mark := b.hold(id, ret)
	if b.pending(id) {
		b.materialise(id)
	}
	b.settle(true)
	self, others := b.joinsItself(c, id)
	b.letGo(mark)
	if b.cur = others; others == nil {
		b.cur = self
		return b.constInt(edeadlk, intT)
	}
	b.joinOther(c, id, ret)
	if self == nil {
		return b.constInt(0, intT)
	}
	return b.merged(c.n, flagValue{b.cur, 0}, flagValue{self, edeadlk})
}

// joinsItself splits off the flow on which a thread joins itself, which fails with glibc.
func (b *lowerer) joinsItself(c call, id *value) (self, others *flow) {
	own := int64(b.th.index)
	if own == 0 {
		own = mainID
	}
	if own == mainID && !b.mainSelf || b.th.replicated {
		return nil, b.cur
	}
	is := b.L.Eq(id.t, b.L.Int(own))
	switch {
	case is.IsFalse():
		return nil, b.cur
	case is.IsTrue():
		return b.cur, nil
	}
	return b.split(c.n, is, id)
}

// joinOther waits for another thread and stores its result.
func (b *lowerer) joinOther(c call, id, ret *value) {
	var tmp *ir.Var
	if ret.kind == vPtr || ret.kind == vInt && ret.to != nil && !ret.isNull() {
		tmp = b.newTemp(b.ptrInt)
	} else if ret.kind != vInt || !ret.isNull() {
		b.fail(c.n, "unsupported: pthread_join with a place for the result that is not known here")
	}
	b.notDetached()
	k, ok := id.constant()
	if !ok || len(id.side) > 0 {
		b.joinsMain(c)
		if b.mayRepeat() {
			b.assume(assumeJoined)
		}
		e := b.emitValue(c.n, b.text(c.n), id)
		e.kind = ir.Join
		b.joins = append(b.joins, &laterJoin{e, id.t, tmp})
		if tmp != nil {
			delete(b.cur.consts, tmp)
		}
	} else {
		n, small := k.Int64()
		if n == mainID {
			b.joinsMain(c)
		}
		if !small || n < 1 || n >= int64(len(b.threads)) {
			b.warn(c.n, "pthread_join of a thread that was not created waits forever")
			b.stop()
			return
		}
		if b.threads[n].replicated {
			b.fail(c.n, "unsupported: pthread_join of a thread that stands for any number of threads, by a constant")
		}
		b.joinedOnce(b.threads[n])
		b.joinThread(c, b.threads[n], tmp)
	}
	if tmp != nil && b.cur != nil {
		p := b.derefArg(c.n, ret, c.args[1])
		b.store(c.n, p, b.cast(c.n, b.resultValue(tmp), p.typ), b.text(c.n))
	}
}

// joinedOnce adds what a join comes with if its thread may have been joined already.
func (b *lowerer) joinedOnce(t *thread) {
	if t.joined || b.mayRepeat() {
		b.assume(assumeJoined)
	}
	old := t.joined
	b.record(func() { t.joined = old })
	t.joined = true
}

// notDetached adds what joins come with if the program may detach threads.
func (b *lowerer) notDetached() {
	for _, i := range b.src.info {
		if i.calls["pthread_detach"] || i.calls["pthread_attr_setdetachstate"] {
			b.assume(assumeAttached)
		}
	}
}

// joinsMain rejects a join of what may be the main thread, which has an id only if it
// asked for it, and ends before the program only by pthread_exit.
func (b *lowerer) joinsMain(c call) {
	if b.mainSelf && b.mainExits && b.th.index > 0 {
		b.fail(c.n, "unsupported: pthread_join of what may be the main thread")
	}
}

// tryJoinCall lowers pthread_tryjoin_np and pthread_timedjoin_np, which fail only at a
// time when the thread has not ended.
func (b *lowerer) tryJoinCall(c call) *value {
	b.want(c, 2)
	vals := b.evalArgs(c.args)
	if b.cur == nil {
		return b.constInt(0, intT)
	}
	k, ok := vals[0].constant()
	n, small := k.Int64()
	if !ok || len(vals[0].side) > 0 || !small || n < 1 || n >= int64(len(b.threads)) {
		b.fail(c.n, "unsupported: %s of a thread that is not known here", c.name)
	}
	if vals[1].kind != vInt || !vals[1].isNull() {
		b.fail(c.n, "unsupported: %s with a place for the result", c.name)
	}
	failure := int64(ebusy)
	if c.name != "pthread_tryjoin_np" {
		failure = etimedout
	}
	t := b.threads[n]
	b.settleAll()
	start := b.cur
	b.cur = start.clone()
	b.joinThread(c, t, nil)
	joined := b.cur
	b.cur = start.clone()
	b.emit(c.n, b.text(c.n)+" fails", ir.AssumeCmd(b.L.Eq(t.ended.Sym, b.L.Int(0))))
	return b.merged(c.n, flagValue{joined, 0}, flagValue{b.cur, failure})
}

// joinThread waits for a certain thread.
func (b *lowerer) joinThread(c call, t *thread, tmp *ir.Var) {
	cmds := []ir.Cmd{ir.AssumeCmd(b.L.Eq(t.ended.Sym, b.L.Int(1)))}
	if tmp != nil {
		cmds = append(cmds, ir.AssignCmd(tmp, t.ret.Sym))
	}
	e := b.emit(c.n, b.text(c.n), cmds...)
	e.kind, e.thread = ir.Join, t.index
}

// exitCall lowers pthread_exit.
func (b *lowerer) exitCall(c call) *value {
	v := &value{kind: vUnknown}
	if len(c.args) > 0 {
		v = b.eval(c.args[0])
	}
	if b.cur != nil && b.ending > 0 {
		b.fail(c.n, "unsupported: pthread_exit within a destructor or handler")
	}
	b.mainExits = b.mainExits || b.th.index == 0
	b.endThread(c.n, v, false)
	return c.void()
}

// endThread ends the thread with a result; program tells that this is the end of the
// program, as main returns.
func (b *lowerer) endThread(n cc.Node, v *value, program bool) {
	if b.cur == nil {
		return
	}
	t := b.th
	if b.cur.depth == 1 && isAtomicName(t.fn) {
		mark := b.hold(v)
		b.leaveAtomic(n)
		b.letGo(mark)
	}
	if b.cur.depth > 0 {
		b.fail(n, "unsupported: thread ends within an atomic section")
	}
	if program {
		b.callAtexit(n)
	} else {
		if t.index == 0 && len(b.atexit) > 0 {
			b.fail(n, "unsupported: pthread_exit in main, which calls atexit")
		}
		mark := b.hold(v)
		b.callCleanups(n)
		b.callDestructors(n)
		b.letGo(mark)
	}
	if t.index == 0 || b.cur == nil {
		b.cur = nil
		return
	}
	if t.replicated { // nobody waits for its end
		b.settleAll()
		b.pushFlow(&t.ends)
		return
	}
	cmds := b.resultCmds(n, t, v)
	b.settle(true)
	e := b.emit(n, "thread ends", append(cmds, ir.AssignCmd(t.ended, b.L.Int(1)))...)
	e.kind = ir.End
	b.pushFlow(&t.ends)
}

// selfCall lowers pthread_self.
func (b *lowerer) selfCall(c call) *value {
	if b.th.replicated {
		return b.someID(c.n)
	}
	id := int64(b.th.index)
	if id == 0 {
		b.mainSelf = true
		id = mainID
	}
	return b.constInt(id, ir.Type{Bits: b.ptrInt.Bits})
}

func (b *lowerer) equalCall(c call) *value {
	b.want(c, 2)
	l, r := b.operands(c.args[0], c.args[1])
	if b.cur == nil || l.kind != vInt || r.kind != vInt {
		return &value{kind: vUnknown}
	}
	return b.compare(c.n, "==", l, r)
}
