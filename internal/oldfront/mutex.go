package cfront

import (
	"fmt"
	"slices"
	"strings"

	"comus/ir"
	"comus/logic"

	"modernc.org/cc/v4"
)

// A mutex holds 0, or t + 1 if thread t holds it. Recursive and error-checking
// mutexes are of the same form; besides, each thread counts in a variable of its own
// how often it holds the mutex, so that what the kinds differ in is decided by the
// thread alone.
//
// The kind of a mutex has to be one that all its initialisations agree on.
// Operations may be lowered before the initialisation is seen: then lowering starts
// anew.

// mutexKind is the kind of a mutex.
type mutexKind int64

// The kinds of mutexes, as PTHREAD_MUTEX_... of Linux.
const (
	mutexDefault    mutexKind = iota // blocks a thread that holds it
	mutexRecursive                   // may be locked several times by one thread
	mutexErrorCheck                  // lets misuse fail
	mutexAdaptive                    // spins before it blocks: a default one
)

// maxDepth bounds how often a thread holds a recursive mutex.
const maxDepth = 1<<16 - 1

// assumeDepth is what recursive mutexes come with.
const assumeDepth = "no thread holds a recursive mutex more than 65535 times at once"

// mutexKey identifies a mutex in the source.
func mutexKey(c *cell) string {
	if c.obj.decl == nil {
		return c.obj.key + " " + c.name
	}
	return position(c.obj.decl).String() + " " + c.name
}

// kindOf returns the kind of a mutex as far as it is known.
func (b *lowerer) kindOf(m *ir.Var) mutexKind {
	if c := b.cellOf[m]; c != nil {
		return b.src.mutexKinds[mutexKey(c)]
	}
	return mutexDefault
}

// setKind notes that a mutex is initialised as one of this kind.
func (b *lowerer) setKind(n cc.Node, c *cell, k mutexKind) {
	if k == mutexAdaptive {
		k = mutexDefault
	}
	if k < mutexDefault || k > mutexErrorCheck {
		b.fail(n, "unsupported: mutex of an unknown kind")
	}
	key := mutexKey(c)
	old, ok := b.src.mutexKinds[key]
	switch {
	case !ok:
		b.src.mutexKinds[key] = k
		if k != mutexDefault {
			panic(restart{})
		}
	case old != k:
		b.fail(n, "unsupported: mutex that is initialised with different kinds")
	}
}

// usesKinds reports whether the program may have mutexes of other than the default
// kind.
func (b *lowerer) usesKinds() bool {
	for _, k := range b.src.mutexKinds {
		if k != mutexDefault {
			return true
		}
	}
	for _, i := range b.src.info {
		if i.calls["pthread_mutexattr_settype"] || i.calls["__comus_mtx_init"] {
			return true
		}
	}
	return false
}

// initHeld makes the variables in which the thread counts how often it holds the
// mutexes that need it, when it starts.
func (b *lowerer) initHeld() {
	var names []string
	for name := range b.src.counted {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		b.cur.consts[b.newHeld(name)] = logic.Value{}
	}
}

func (b *lowerer) newHeld(mutex string) *ir.Var {
	d := b.newVar(fmt.Sprintf("t%d.holds.%s", b.th.index, mutex), "", ir.Type{Bits: 16}, b.th.index)
	d.Init = &logic.Value{}
	th := b.th
	if th.held == nil {
		th.held = map[string]*ir.Var{}
	}
	th.held[mutex] = d
	b.record(func() { delete(th.held, mutex) })
	return d
}

// held returns how often the current thread holds a mutex: the variable that counts
// it, and its value here.
func (b *lowerer) held(m *ir.Var) (*ir.Var, *logic.Term) {
	d := b.th.held[m.Name]
	if d == nil {
		b.src.counted[m.Name] = true
		d = b.newHeld(m.Name)
	}
	if k, ok := b.cur.consts[d]; ok {
		return d, b.L.Value(k)
	}
	return d, d.Sym
}

// way emits one of the steps that a condition of the thread's own chooses between,
// and returns nil if it is impossible.
func (b *lowerer) way(c call, start *flow, text string, cond *logic.Term, cmds ...ir.Cmd) *flow {
	if cond.IsFalse() {
		return nil
	}
	if !cond.IsTrue() {
		cmds = append([]ir.Cmd{ir.AssumeCmd(cond)}, cmds...)
	}
	b.cur = start.clone()
	if len(cmds) > 0 {
		b.emit(c.n, text, cmds...)
	}
	return b.cur
}

func (b *lowerer) lock(c call, m *ir.Var, cond *logic.Term, more ...ir.Cmd) {
	b.settle(true, m)
	cmds := append([]ir.Cmd{ir.AssumeCmd(cond), ir.AssignCmd(m, b.L.Int(int64(b.th.index+1)))}, more...)
	e := b.emit(c.n, b.text(c.n), cmds...)
	e.kind, e.mutex = ir.Lock, m
}

func (b *lowerer) unlock(c call, m *ir.Var, more ...ir.Cmd) {
	b.settle(true, m)
	cmds := append([]ir.Cmd{ir.AssumeCmd(b.holds(m)), ir.AssignCmd(m, b.L.Int(0))}, more...)
	e := b.emit(c.n, b.text(c.n), cmds...)
	e.kind, e.mutex = ir.Unlock, m
}

// holds is the condition that the current thread holds a mutex.
func (b *lowerer) holds(m *ir.Var) *logic.Term { return b.L.Eq(m.Sym, b.L.Int(int64(b.th.index+1))) }

// lockCall lowers pthread_mutex_lock.
func (b *lowerer) lockCall(c call) *value {
	return b.atSync(c, 0, tMutex, func(m *ir.Var) []flagValue {
		free := b.L.Eq(m.Sym, b.L.Int(0))
		if k := b.kindOf(m); k != mutexDefault {
			return b.lockCounted(c, m, k, edeadlk, nil)
		}
		b.misuse(c, "this thread holds the mutex already", b.holds(m))
		b.lock(c, m, free)
		return b.succeeds()
	})
}

// lockCounted lowers a lock of a mutex that is not of the default kind. again is the
// result of an error-checking one that the thread holds. failure, if not nil, is the
// result of giving up if the mutex is taken.
func (b *lowerer) lockCounted(c call, m *ir.Var, k mutexKind, again int64, failure *int64) []flagValue {
	b.settleAll()
	start := b.cur
	d, n := b.held(m)
	var ways []flagValue
	if k == mutexRecursive {
		b.assume(assumeDepth)
		more := []ir.Cmd{ir.AssumeCmd(b.L.Lt(n, b.L.Int(maxDepth))), ir.AssignCmd(d, b.L.Add(n, b.L.Int(1)))}
		ways = append(ways, flagValue{b.way(c, start, b.text(c.n), b.L.Gt(n, b.L.Int(0)), more...), 0})
	} else {
		ways = append(ways, flagValue{b.way(c, start, b.text(c.n)+" fails", b.L.Gt(n, b.L.Int(0))), again})
	}
	none := b.L.Eq(n, b.L.Int(0))
	if first := b.way(c, start, b.text(c.n), none); first != nil {
		start = b.cur
		b.cur = start.clone()
		b.lock(c, m, b.L.Eq(m.Sym, b.L.Int(0)), ir.AssignCmd(d, b.L.Int(1)))
		ways = append(ways, flagValue{b.cur, 0})
		if failure != nil {
			b.cur = start.clone()
			b.emit(c.n, b.text(c.n)+" fails", ir.AssumeCmd(b.L.Ne(m.Sym, b.L.Int(0))))
			ways = append(ways, flagValue{b.cur, *failure})
		}
	}
	return ways
}

// unlockCall lowers pthread_mutex_unlock.
func (b *lowerer) unlockCall(c call) *value {
	return b.atSync(c, 0, tMutex, func(m *ir.Var) []flagValue {
		if b.kindOf(m) != mutexDefault {
			return b.unlockCounted(c, m)
		}
		b.assumeUnchecked(assumeMutex)
		b.misuse(c, "this thread does not hold the mutex", b.L.Not(b.holds(m)))
		b.unlock(c, m)
		return b.succeeds()
	})
}

// unlockCounted lowers an unlock of a mutex that is not of the default kind.
func (b *lowerer) unlockCounted(c call, m *ir.Var) []flagValue {
	b.settleAll()
	start := b.cur
	d, n := b.held(m)
	one := b.L.Int(1)
	ways := []flagValue{
		{b.way(c, start, b.text(c.n)+" fails", b.L.Eq(n, b.L.Int(0))), eperm},
		{b.way(c, start, b.text(c.n), b.L.Gt(n, one), ir.AssignCmd(d, b.L.Sub(n, one))), 0},
	}
	if b.way(c, start, b.text(c.n), b.L.Eq(n, one)) != nil {
		b.unlock(c, m, ir.AssignCmd(d, b.L.Int(0)))
		ways = append(ways, flagValue{b.cur, 0})
	}
	return ways
}

// tryLockCall lowers trylock, timedlock and clocklock, which fail only after a time
// when the mutex was taken.
func (b *lowerer) tryLockCall(c call) *value {
	b.timed(c)
	failure, again := int64(ebusy), int64(ebusy)
	if strings.HasSuffix(c.name, "timedlock") || strings.HasSuffix(c.name, "clocklock") {
		failure, again = etimedout, edeadlk
	}
	return b.atSync(c, 0, tMutex, func(m *ir.Var) []flagValue {
		if k := b.kindOf(m); k != mutexDefault {
			return b.lockCounted(c, m, k, again, &failure)
		}
		b.settleAll()
		start := b.cur
		b.cur = start.clone()
		b.lock(c, m, b.L.Eq(m.Sym, b.L.Int(0)))
		taken := b.cur
		b.cur = start.clone()
		b.emit(c.n, b.text(c.n)+" fails", ir.AssumeCmd(b.L.Ne(m.Sym, b.L.Int(0))))
		return []flagValue{{taken, 0}, {b.cur, failure}}
	})
}

// waitCall lowers pthread_cond_wait: as a wait may end without a signal, it is
// an unlock and a lock.
func (b *lowerer) waitCall(c call) *value {
	counted := false
	b.timed(c)
	v := b.atSync(c, 1, tMutex, func(m *ir.Var) []flagValue {
		if b.kindOf(m) != mutexDefault {
			counted = true
			return b.waitCounted(c, m)
		}
		b.assumeUnchecked(assumeMutex)
		b.misuse(c, "this thread does not hold the mutex", b.L.Not(b.holds(m)))
		b.unlock(c, m)
		b.lock(c, m, b.L.Eq(m.Sym, b.L.Int(0)))
		return b.succeeds()
	})
	if c.name == "pthread_cond_wait" || b.cur == nil {
		return v
	}
	if counted {
		b.fail(c.n, "unsupported: %s with a recursive or error-checking mutex", c.name)
	}
	tmp := b.newTemp(ir.Flag)
	b.havoc(c.n, "", "", tmp)
	v = b.intValue(b.L.Mul(b.L.Int(etimedout), tmp.Sym), intT)
	v.rng = &interval{logic.IntValue(0), logic.IntValue(etimedout)}
	return v
}

// waitCounted lowers a wait with a mutex that is not of the default kind. One that
// the thread holds several times is not released, as with Linux.
func (b *lowerer) waitCounted(c call, m *ir.Var) []flagValue {
	b.settleAll()
	start := b.cur
	d, n := b.held(m)
	one := b.L.Int(1)
	ways := []flagValue{
		{b.way(c, start, b.text(c.n)+" fails", b.L.Eq(n, b.L.Int(0))), eperm},
		{b.way(c, start, b.text(c.n), b.L.Gt(n, one)), 0},
	}
	if b.way(c, start, b.text(c.n), b.L.Eq(n, one)) != nil {
		b.unlock(c, m, ir.AssignCmd(d, b.L.Int(0)))
		b.lock(c, m, b.L.Eq(m.Sym, b.L.Int(0)), ir.AssignCmd(d, one))
		ways = append(ways, flagValue{b.cur, 0})
	}
	return ways
}

// mutexInit lowers pthread_mutex_init.
func (b *lowerer) mutexInit(c call) *value {
	if !b.usesKinds() {
		return b.nothing(c)
	}
	b.want(c, 2)
	vals := b.evalArgs(c.args)
	if b.cur == nil {
		return b.constInt(0, intT)
	}
	kind := mutexDefault
	if vals[1].kind != vInt || !vals[1].isNull() {
		kind = b.attrKind(c, vals[1])
	}
	return b.forSync(c, vals[0], tMutex, func(m *ir.Var) []flagValue {
		b.setKind(c.n, b.cellOf[m], kind)
		return b.succeeds()
	})
}

// attrKind returns the kind that mutex attributes stand for.
func (b *lowerer) attrKind(c call, v *value) mutexKind {
	p := b.syncPlace(c, v, tMutexAttr)
	if k, ok := p.fixed(); ok {
		if n, ok := b.cur.consts[p.obj.cells[k].v]; ok {
			if n, ok := n.Int64(); ok {
				return mutexKind(n)
			}
		}
	}
	b.fail(c.n, "unsupported: mutex attributes whose kind is not known here")
	return mutexDefault
}

// attrInit lowers pthread_mutexattr_init.
func (b *lowerer) attrInit(c call) *value {
	if !b.usesKinds() {
		return b.nothing(c)
	}
	return b.atSync(c, 0, tMutexAttr, func(a *ir.Var) []flagValue {
		b.syncStep(c, a, b.text(c.n), b.L.True(), b.L.Int(0))
		return b.succeeds()
	})
}

// attrType lowers pthread_mutexattr_settype.
func (b *lowerer) attrType(c call) *value {
	b.want(c, 2)
	vals := b.evalArgs(c.args)
	if b.cur == nil {
		return b.constInt(0, intT)
	}
	k, ok := vals[1].constant()
	if !ok || len(vals[1].side) > 0 || k.Sign() < 0 || k.Cmp(logic.IntValue(int64(mutexAdaptive))) > 0 {
		b.fail(c.n, "unsupported: kind of mutex that is not known here")
	}
	return b.forSync(c, vals[0], tMutexAttr, func(a *ir.Var) []flagValue {
		b.syncStep(c, a, b.text(c.n), b.L.True(), b.L.Value(k))
		return b.succeeds()
	})
}

// attrZero lowers the setters of attributes that comus knows in their default
// state only.
func (b *lowerer) attrZero(c call) *value {
	b.want(c, 2)
	vals := b.evalArgs(c.args)
	if b.cur != nil && (!isFixed(vals[1]) || !vals[1].isNull()) {
		b.fail(c.n, "unsupported: %s with anything but the default", c.name)
	}
	return b.constInt(0, intT)
}

// mtxInit lowers mtx_init of C11, whose second argument is the kind.
func (b *lowerer) mtxInit(c call) *value {
	b.want(c, 2)
	vals := b.evalArgs(c.args)
	if b.cur == nil {
		return b.constInt(0, intT)
	}
	k, ok := vals[1].constant()
	if !ok || len(vals[1].side) > 0 {
		b.fail(c.n, "unsupported: kind of mutex that is not known here")
	}
	kind := mutexDefault
	if k.Sign() != 0 {
		kind = mutexRecursive
	}
	return b.forSync(c, vals[0], tMutex, func(m *ir.Var) []flagValue {
		b.setKind(c.n, b.cellOf[m], kind)
		return b.succeeds()
	})
}

// mutexDestroy lowers pthread_mutex_destroy, which fails with Linux if some thread holds
// the mutex, and pthread_spin_destroy.
func (b *lowerer) mutexDestroy(c call) *value {
	fails := c.name == "pthread_mutex_destroy" && !c.unused
	if !b.opts.Check.Locks && !fails {
		return b.nothing(c)
	}
	return b.atSync(c, 0, tMutex, func(m *ir.Var) []flagValue {
		held := b.L.Ne(m.Sym, b.L.Int(0))
		b.misuse(c, "the mutex is held", held)
		if !fails {
			return b.succeeds()
		}
		b.settleAll()
		start := b.cur
		b.cur = start.clone()
		b.emit(c.n, b.text(c.n), ir.AssumeCmd(b.L.Not(held)))
		destroyed := b.cur
		b.cur = start.clone()
		b.emit(c.n, b.text(c.n)+" fails", ir.AssumeCmd(held))
		return []flagValue{{destroyed, 0}, {b.cur, ebusy}}
	})
}
