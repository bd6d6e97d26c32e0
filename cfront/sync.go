package cfront

import (
	"comus/ir"
	"comus/logic"
)

// Semaphores, read-write locks and pthread_once are one shared integer each; an
// operation is one step that waits for a condition of it and changes it.

// The results of operations that fail, as on Linux.
const (
	ebusy     = 16  // of a trylock, if the lock is taken
	etimedout = 110 // of a wait that took too long
)

// maxCount bounds semaphores and the readers of a lock.
const maxCount = 1<<31 - 1

// syncVar returns the variable of the library object that v points to.
func (b *lowerer) syncVar(c call, v *value, kind tkind) *ir.Var {
	what := map[tkind]string{tMutex: "mutex", tSem: "semaphore", tRWLock: "read-write lock", tBarrier: "barrier", tOnce: "pthread_once_t"}[kind]
	if v.kind == vPtr && v.pl.typ.kind == kind {
		if k, ok := v.pl.fixed(); ok {
			if v.maybeNull {
				b.assume(assumeNull)
			}
			return v.pl.obj.cells[k].v
		}
		b.fail(c.n, "unsupported: %s in an array with an index that is not known here", what)
	}
	if v.kind != vPtr {
		if p := b.derefKind(c.n, v, kind); len(p.alts) == 1 && len(p.idx) == 0 {
			b.checkAccess(c.n, p)
			b.emitValue(c.n, "", &value{side: b.bounds(p)})
			return p.alts[0].obj.cells[p.alts[0].base].v
		}
	}
	b.fail(c.n, "unsupported: %s with a %s that is not known here", c.name, what)
	return nil
}

// syncArg evaluates the arguments of a call and returns the variable of the first,
// nil in code that is not reached.
func (b *lowerer) syncArg(c call, kind tkind) *ir.Var {
	b.want(c, 1)
	vals := b.evalArgs(c.args)
	if b.cur == nil {
		return nil
	}
	return b.syncVar(c, vals[0], kind)
}

// syncStep waits for cond and gives x its next value, in one step.
func (b *lowerer) syncStep(c call, x *ir.Var, text string, cond, next *logic.Term) {
	b.settle(true, x)
	b.emit(c.n, text, ir.AssumeCmd(cond), ir.AssignCmd(x, next))
}

// tryStep takes the step if ready, and gives up with result failure if not.
func (b *lowerer) tryStep(c call, x *ir.Var, ready, next *logic.Term, failure int64) *value {
	b.settleAll()
	start := b.cur
	b.cur = start.clone()
	b.syncStep(c, x, b.text(c.n), ready, next)
	taken := b.cur
	b.cur = start.clone()
	b.emit(c.n, b.text(c.n)+" fails", ir.AssumeCmd(b.L.Not(ready)))
	return b.merged(c.n, flagValue{taken, 0}, flagValue{b.cur, failure})
}

// semInit lowers sem_init.
func (b *lowerer) semInit(c call) *value {
	b.want(c, 3)
	vals := b.evalArgs(c.args)
	if b.cur == nil {
		return b.constInt(0, intT)
	}
	x, v := b.syncVar(c, vals[0], tSem), vals[2]
	if v.kind != vInt {
		b.fail(c.n, "unsupported: pointer as the value of a semaphore")
	}
	if b.pending(v) {
		b.materialise(v)
	}
	v = b.convert(c.n, v, ir.Type{Bits: 32})
	b.settle(true, x)
	if !isFixed(v) || v.bounds().hi.Cmp(logic.IntValue(maxCount)) > 0 {
		b.assume(assumeCount)
	}
	b.emitValue(c.n, b.text(c.n), v, ir.AssumeCmd(b.L.Le(v.t, b.L.Int(maxCount))), ir.AssignCmd(x, v.t))
	return b.constInt(0, intT)
}

// semPost lowers sem_post.
func (b *lowerer) semPost(c call) *value {
	if x := b.syncArg(c, tSem); x != nil {
		b.assume(assumeCount)
		b.syncStep(c, x, b.text(c.n), b.L.Lt(x.Sym, b.L.Int(maxCount)), b.L.Add(x.Sym, b.L.Int(1)))
	}
	return b.constInt(0, intT)
}

// semWait lowers sem_wait, sem_trywait and sem_timedwait. The last two fail only
// at a time when the semaphore is 0.
func (b *lowerer) semWait(c call) *value {
	x := b.syncArg(c, tSem)
	if x == nil {
		return b.constInt(0, intT)
	}
	ready, next := b.L.Gt(x.Sym, b.L.Int(0)), b.L.Sub(x.Sym, b.L.Int(1))
	if c.name != "sem_wait" {
		return b.tryStep(c, x, ready, next, -1)
	}
	b.syncStep(c, x, b.text(c.n), ready, next)
	return b.constInt(0, intT)
}

// semGet lowers sem_getvalue.
func (b *lowerer) semGet(c call) *value {
	b.want(c, 2)
	vals := b.evalArgs(c.args)
	if b.cur == nil {
		return b.constInt(0, intT)
	}
	x := b.syncVar(c, vals[0], tSem)
	b.settle(true)
	tmp := b.newTemp(intT)
	b.emit(c.n, "read "+b.text(c.args[0]), ir.AssignCmd(tmp, x.Sym))
	b.store(c.n, b.deref(c.n, vals[1], nil), b.intValue(tmp.Sym, intT), b.text(c.n))
	return b.constInt(0, intT)
}

// A read-write lock holds the number of its readers, or -1 - t if thread t writes.

// rwInit lowers pthread_rwlock_init.
func (b *lowerer) rwInit(c call) *value {
	if x := b.syncArg(c, tRWLock); x != nil {
		b.syncStep(c, x, b.text(c.n), b.L.True(), b.L.Int(0))
	}
	return b.constInt(0, intT)
}

// rwLock lowers the functions that lock a read-write lock. Readers get it whenever
// nobody writes, as with Linux; they may have to wait for writers that wait where
// these are preferred, which are fewer executions.
func (b *lowerer) rwLock(c call) *value {
	x := b.syncArg(c, tRWLock)
	if x == nil {
		return b.constInt(0, intT)
	}
	b.assume(assumeRWLock)
	ready, next := b.L.Ge(x.Sym, b.L.Int(0)), b.L.Add(x.Sym, b.L.Int(1))
	try, failure := false, int64(ebusy)
	switch c.name {
	case "pthread_rwlock_wrlock", "pthread_rwlock_trywrlock", "pthread_rwlock_timedwrlock":
		ready, next = b.L.Eq(x.Sym, b.L.Int(0)), b.L.Int(int64(-1-b.th.index))
	}
	switch c.name {
	case "pthread_rwlock_tryrdlock", "pthread_rwlock_trywrlock":
		try = true
	case "pthread_rwlock_timedrdlock", "pthread_rwlock_timedwrlock":
		try, failure = true, etimedout
	}
	if try {
		return b.tryStep(c, x, ready, next, failure)
	}
	b.syncStep(c, x, b.text(c.n), ready, next)
	return b.constInt(0, intT)
}

// rwUnlock lowers pthread_rwlock_unlock.
func (b *lowerer) rwUnlock(c call) *value {
	x := b.syncArg(c, tRWLock)
	if x == nil {
		return b.constInt(0, intT)
	}
	b.assume(assumeRWLock)
	reader, zero := b.L.Gt(x.Sym, b.L.Int(0)), b.L.Int(0)
	held := b.L.Or(reader, b.L.Eq(x.Sym, b.L.Int(int64(-1-b.th.index))))
	b.syncStep(c, x, b.text(c.n), held, b.L.Ite(reader, b.L.Sub(x.Sym, b.L.Int(1)), zero))
	return b.constInt(0, intT)
}

// onceCall lowers pthread_once: 0 is not yet, 1 is at it, 2 is done.
func (b *lowerer) onceCall(c call) *value {
	b.want(c, 2)
	vals := b.evalArgs(c.args)
	if b.cur == nil {
		return b.constInt(0, intT)
	}
	x := b.syncVar(c, vals[0], tOnce)
	if vals[1].kind != vFunc || b.src.funcs[vals[1].fn] == nil {
		b.fail(c.n, "unsupported: %s with a function that is not known here", c.name)
	}
	name := vals[1].fn
	for f := range b.src.reach(name) {
		if b.src.info[f].calls["pthread_exit"] {
			b.fail(c.n, "unsupported: %s with a function that ends the thread", c.name)
		}
	}
	b.settleAll()
	start := b.cur
	b.cur = start.clone()
	b.syncStep(c, x, b.text(c.n), b.L.Eq(x.Sym, b.L.Int(0)), b.L.Int(1))
	b.inline(c.n, name, b.src.funcs[name], nil)
	b.syncStep(c, x, b.text(c.n)+" is done", b.L.True(), b.L.Int(2))
	did := b.cur
	b.cur = start.clone()
	b.emit(c.n, b.text(c.n), ir.AssumeCmd(b.L.Eq(x.Sym, b.L.Int(2))))
	b.join(c.n, did, b.cur)
	return b.constInt(0, intT)
}
