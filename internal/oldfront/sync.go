package cfront

import (
	"strings"

	"comus/ir"
	"comus/logic"
)

// Semaphores, read-write locks and pthread_once are one shared integer each; an
// operation is one step that waits for a condition of it and changes it.

// The results of operations that fail, as on Linux.
const (
	eperm     = 1   // of an unlock by a thread that does not hold the mutex
	ebusy     = 16  // of a trylock, if the lock is taken
	edeadlk   = 35  // of a lock, if the thread holds the mutex already
	etimedout = 110 // of a wait that took too long
)

// maxCount bounds semaphores and the readers of a lock.
const maxCount = 1<<31 - 1

// syncStep waits for cond and gives x its next value, in one step, which begins with
// the commands first.
func (b *lowerer) syncStep(c call, x *ir.Var, text string, cond, next *logic.Term, first ...ir.Cmd) {
	b.settle(true, x)
	b.emit(c.n, text, append(first, ir.AssumeCmd(cond), ir.AssignCmd(x, next))...)
}

// tryStep takes the step if ready, and gives up with result failure if not.
func (b *lowerer) tryStep(c call, x *ir.Var, ready, next *logic.Term, failure int64) []flagValue {
	b.settleAll()
	start := b.cur
	b.cur = start.clone()
	b.syncStep(c, x, b.text(c.n), ready, next)
	taken := b.cur
	b.cur = start.clone()
	b.emit(c.n, b.text(c.n)+" fails", ir.AssumeCmd(b.L.Not(ready)))
	return []flagValue{{taken, 0}, {b.cur, failure}}
}

// semInit lowers sem_init.
func (b *lowerer) semInit(c call) *value {
	b.want(c, 3)
	vals := b.evalArgs(c.args)
	if b.cur == nil {
		return b.constInt(0, intT)
	}
	v := vals[2]
	if v.kind != vInt {
		b.fail(c.n, "unsupported: pointer as the value of a semaphore")
	}
	mark := b.hold(vals[0])
	if b.pending(v) {
		b.materialise(v)
	}
	b.letGo(mark)
	v = b.convert(c.n, v, ir.Type{Bits: 32})
	return b.forSync(c, vals[0], tSem, func(x *ir.Var) []flagValue {
		b.settle(true, x)
		if !isFixed(v) || v.bounds().hi.Cmp(logic.IntValue(maxCount)) > 0 {
			b.assume(assumeCount)
		}
		b.emitValue(c.n, b.text(c.n), v, ir.AssumeCmd(b.L.Le(v.t, b.L.Int(maxCount))), ir.AssignCmd(x, v.t))
		return b.succeeds()
	})
}

// semPost lowers sem_post.
func (b *lowerer) semPost(c call) *value {
	return b.atSync(c, 0, tSem, func(x *ir.Var) []flagValue {
		b.assume(assumeCount)
		b.syncStep(c, x, b.text(c.n), b.L.Lt(x.Sym, b.L.Int(maxCount)), b.L.Add(x.Sym, b.L.Int(1)))
		return b.succeeds()
	})
}

// semWait lowers sem_wait, sem_trywait, sem_timedwait and sem_clockwait. The last
// three fail only at a time when the semaphore is 0.
func (b *lowerer) semWait(c call) *value {
	b.timed(c)
	return b.atSync(c, 0, tSem, func(x *ir.Var) []flagValue {
		ready, next := b.L.Gt(x.Sym, b.L.Int(0)), b.L.Sub(x.Sym, b.L.Int(1))
		if c.name != "sem_wait" {
			why := int64(etimedout)
			if c.name == "sem_trywait" {
				why = eagain
			}
			ways := b.tryStep(c, x, ready, next, -1)
			b.cur = ways[1].f
			b.setErrno(c.n, b.L.Int(why))
			ways[1].f = b.cur
			return ways
		}
		b.syncStep(c, x, b.text(c.n), ready, next)
		return b.succeeds()
	})
}

// semGet lowers sem_getvalue.
func (b *lowerer) semGet(c call) *value {
	b.want(c, 2)
	vals := b.evalArgs(c.args)
	if b.cur == nil {
		return b.constInt(0, intT)
	}
	tmp := b.newTemp(intT)
	mark := b.hold(vals[1])
	b.forSync(c, vals[0], tSem, func(x *ir.Var) []flagValue {
		b.settle(true)
		b.emit(c.n, "read "+b.text(c.args[0]), ir.AssignCmd(tmp, x.Sym))
		return b.succeeds()
	})
	b.letGo(mark)
	if b.cur != nil {
		b.store(c.n, b.derefTyped(c.n, vals[1], c.args[1]), b.intValue(tmp.Sym, intT), b.text(c.n))
	}
	return b.constInt(0, intT)
}

// A read-write lock holds the number of its readers, or -1 - t if thread t writes.

// rwInit lowers pthread_rwlock_init.
func (b *lowerer) rwInit(c call) *value {
	return b.atSync(c, 0, tRWLock, func(x *ir.Var) []flagValue {
		b.syncStep(c, x, b.text(c.n), b.L.True(), b.L.Int(0))
		return b.succeeds()
	})
}

// rwDestroy lowers pthread_rwlock_destroy.
func (b *lowerer) rwDestroy(c call) *value {
	if !b.opts.Check.Locks {
		return b.nothing(c)
	}
	return b.atSync(c, 0, tRWLock, func(x *ir.Var) []flagValue {
		b.misuse(c, "the lock is held", b.L.Ne(x.Sym, b.L.Int(0)))
		return b.succeeds()
	})
}

// rwLock lowers the functions that lock a read-write lock. Readers get it whenever
// nobody writes, as with Linux; they may have to wait for writers that wait where
// these are preferred, which are fewer executions.
func (b *lowerer) rwLock(c call) *value {
	b.timed(c)
	return b.atSync(c, 0, tRWLock, func(x *ir.Var) []flagValue { return b.rwLockOne(c, x) })
}

func (b *lowerer) rwLockOne(c call, x *ir.Var) []flagValue {
	b.assumeUnchecked(assumeRWLock)
	mine := b.L.Int(int64(-1 - b.th.index))
	ready, next := b.L.Ge(x.Sym, b.L.Int(0)), b.L.Add(x.Sym, b.L.Int(1))
	write := strings.HasSuffix(c.name, "wrlock")
	if write {
		ready, next = b.L.Eq(x.Sym, b.L.Int(0)), mine
	}
	op := strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(c.name, "pthread_rwlock_"), "wrlock"), "rdlock")
	switch op {
	case "try":
		return b.tryStep(c, x, ready, next, ebusy)
	case "timed", "clock":
		return b.tryStep(c, x, ready, next, etimedout)
	}
	b.misuse(c, "this thread holds the lock for writing", b.L.Eq(x.Sym, mine))
	b.syncStep(c, x, b.text(c.n), ready, next)
	return b.succeeds()
}

// rwUnlock lowers pthread_rwlock_unlock. Who reads is not known, so that only an
// unlock while nobody holds the lock, or another thread writes, is found out.
func (b *lowerer) rwUnlock(c call) *value {
	return b.atSync(c, 0, tRWLock, func(x *ir.Var) []flagValue {
		b.assumeUnchecked(assumeRWLock)
		if b.opts.Check.Locks {
			b.assume(assumeReader)
		}
		reader, zero := b.L.Gt(x.Sym, b.L.Int(0)), b.L.Int(0)
		held := b.L.Or(reader, b.L.Eq(x.Sym, b.L.Int(int64(-1-b.th.index))))
		b.misuse(c, "this thread does not hold the lock", b.L.Not(held))
		b.syncStep(c, x, b.text(c.n), held, b.L.Ite(reader, b.L.Sub(x.Sym, b.L.Int(1)), zero))
		return b.succeeds()
	})
}

// onceCall lowers pthread_once: 0 is not yet, 1 is at it, 2 is done.
func (b *lowerer) onceCall(c call) *value {
	b.want(c, 2)
	vals := b.evalArgs(c.args)
	if b.cur == nil {
		return b.constInt(0, intT)
	}
	if vals[1].kind != vFunc || b.src.funcs[vals[1].fn] == nil {
		b.fail(c.n, "unsupported: %s with a function that is not known here", c.name)
	}
	name := vals[1].fn
	for f := range b.src.reach(name) {
		if b.src.info[f].calls["pthread_exit"] {
			b.fail(c.n, "unsupported: %s with a function that ends the thread", c.name)
		}
	}
	return b.forSync(c, vals[0], tOnce, func(x *ir.Var) []flagValue {
		b.settleAll()
		start := b.cur
		b.cur = start.clone()
		b.syncStep(c, x, b.text(c.n), b.L.Eq(x.Sym, b.L.Int(0)), b.L.Int(1))
		b.once++
		b.inline(c.n, name, b.src.funcs[name], nil)
		b.once--
		if b.cur != nil {
			b.syncStep(c, x, b.text(c.n)+" is done", b.L.True(), b.L.Int(2))
		}
		did := b.cur
		b.cur = start.clone()
		b.emit(c.n, b.text(c.n), ir.AssumeCmd(b.L.Eq(x.Sym, b.L.Int(2))))
		return []flagValue{{did, 0}, {b.cur, 0}}
	})
}
