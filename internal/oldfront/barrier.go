package cfront

import (
	"comus/ir"
	"comus/logic"
)

// barrier is what is known about a barrier. Its variable counts those who wait: it
// is less than count in even rounds, and count more in odd ones. That tells rounds
// apart as long as no thread can wait while others complete two of them, so at
// most count threads may use it. If more do, lowering starts anew and the variable
// counts all threads that ever came: a round is over at each multiple of count.
type barrier struct {
	count int64
	users map[int]call // a call of pthread_barrier_wait, by thread
}

// barrierInit lowers pthread_barrier_init.
func (b *lowerer) barrierInit(c call) *value {
	b.want(c, 3)
	vals := b.evalArgs(c.args)
	if b.cur == nil {
		return b.constInt(0, intT)
	}
	k, ok := vals[2].constant()
	count, small := k.Int64()
	if !ok || len(vals[2].side) > 0 || !small || count < 1 || count > maxThreads {
		b.fail(c.n, "unsupported: pthread_barrier_init with a number of threads that is not known here, or not from 1 to %d", maxThreads)
	}
	return b.forSync(c, vals[0], tBarrier, func(x *ir.Var) []flagValue {
		if old := b.barriers[x]; old == nil {
			b.barriers[x] = &barrier{count: count, users: map[int]call{}}
			b.record(func() { delete(b.barriers, x) })
		} else if old.count != count {
			b.fail(c.n, "unsupported: barrier that is initialised for different numbers of threads")
		}
		b.syncStep(c, x, b.text(c.n), b.L.True(), b.L.Int(0))
		return b.succeeds()
	})
}

// barrierWait lowers pthread_barrier_wait: the last thread to come lets the others
// go and gets PTHREAD_BARRIER_SERIAL_THREAD.
func (b *lowerer) barrierWait(c call) *value {
	return b.atSync(c, 0, tBarrier, func(x *ir.Var) []flagValue { return b.barrierWaitOne(c, x) })
}

func (b *lowerer) barrierWaitOne(c call, x *ir.Var) []flagValue {
	bar := b.barriers[x]
	if b.th.replicated {
		b.fail(c.n, "unsupported: pthread_barrier_wait in a thread that stands for any number of threads")
	}
	if bar == nil {
		b.fail(c.n, "unsupported: pthread_barrier_wait with a barrier whose initialisation is not known here")
	}
	if _, ok := bar.users[b.th.index]; !ok {
		t := b.th.index
		bar.users[t] = c
		b.record(func() { delete(bar.users, t) })
	}
	if b.src.crowded[mutexKey(b.cellOf[x])] {
		return b.barrierCounting(c, x, bar.count)
	}
	b.settleAll()
	start := b.cur
	n := b.L.Int(bar.count)
	var waited, last []*flow
	for _, odd := range []int64{0, 1} {
		lo, end := b.L.Int(odd*bar.count), odd*bar.count+bar.count-1
		b.cur = start.clone()
		b.syncStep(c, x, b.text(c.n)+" lets all go", b.L.Eq(x.Sym, b.L.Int(end)), b.L.Int((1-odd)*bar.count))
		last = append(last, b.cur)
		if bar.count == 1 {
			continue
		}
		b.cur = start.clone()
		b.syncStep(c, x, b.text(c.n), b.L.And(b.L.Le(lo, x.Sym), b.L.Lt(x.Sym, b.L.Int(end))), b.L.Add(x.Sym, b.L.Int(1)))
		free := b.L.Ge(x.Sym, n)
		if odd == 1 {
			free = b.L.Lt(x.Sym, n)
		}
		b.emit(c.n, b.text(c.n)+" returns", ir.AssumeCmd(free))
		waited = append(waited, b.cur)
	}
	var ways []flagValue
	for _, f := range last {
		ways = append(ways, flagValue{f, -1})
	}
	for _, f := range waited {
		ways = append(ways, flagValue{f, 0})
	}
	return ways
}

// barrierCounting lowers a wait at a barrier that more threads use than wait for each
// other.
func (b *lowerer) barrierCounting(c call, x *ir.Var, count int64) []flagValue {
	b.settleAll()
	b.assume(assumeRounds)
	n, one := b.L.Int(count), b.L.Int(1)
	came := b.newTemp(intT)
	b.syncStep(c, x, b.text(c.n), b.L.Lt(x.Sym, b.L.Int(maxCount)), b.L.Add(x.Sym, one), ir.AssignCmd(came, x.Sym))
	start := b.cur
	last := b.L.Eq(b.L.Mod(came.Sym, n), b.L.Int(count-1))
	b.cur = start.clone()
	b.emit(c.n, b.text(c.n)+" lets all go", ir.AssumeCmd(last))
	serial := b.cur
	b.cur = start.clone()
	b.emit(c.n, "", ir.AssumeCmd(b.L.Not(last)))
	over := b.L.Ge(x.Sym, b.L.Add(b.L.Sub(came.Sym, b.L.Mod(came.Sym, n)), n))
	b.emit(c.n, b.text(c.n)+" returns", ir.AssumeCmd(over))
	return []flagValue{{serial, -1}, {b.cur, 0}}
}

// checkBarriers lets lowering start anew if a barrier turned out to be used by more
// threads than wait for each other.
func (b *lowerer) checkBarriers() {
	again := false
	for x, bar := range b.barriers {
		if key := mutexKey(b.cellOf[x]); int64(len(bar.users)) > bar.count && !b.src.crowded[key] {
			b.src.crowded[key], again = true, true
		}
	}
	if again {
		panic(restart{})
	}
}

// rangeOf returns the least interval that contains the values.
func rangeOf(fs []flagValue) *interval {
	r := &interval{logic.IntValue(fs[0].v), logic.IntValue(fs[0].v)}
	for _, f := range fs {
		if v := logic.IntValue(f.v); v.Cmp(r.lo) < 0 {
			r.lo = v
		} else if v.Cmp(r.hi) > 0 {
			r.hi = v
		}
	}
	return r
}
