package interp

import (
	"strings"

	"comus/cir"
)

// Sections of the library as accesses: with Options.Atomics, what semaphores, barriers, read-write locks, tries of mutexes and the like do in an atomic section is a compare and exchange of the bytes that hold the
// object's state. It fails, and only reads, if the section leaves them as they are. If what the section waits for does not hold in the state that it reads, it fails, too, and the thread waits for ever: another
// execution reads another state.

// exchange is what a section is. What else the function works on is ordered by the section, or does not change any more ([races.owned] says if neither is so).
type exchange struct {
	off, size      int64     // of the state, in what the function is given first
	order, failure cir.Order // as POSIX has it, which says of functions that fail that they order nothing
}

// assumeReaders is taken for granted where a lock is taken for reading: POSIX does not say it, and glibc's locks do it.
const assumeReaders = "a thread that takes a read-write lock for reading comes after the readers that gave it back before, as in glibc"

// exchanges are the functions of such sections. The orders are those that [sections] has, but for [assumeReaders].
var exchanges = func() map[string]exchange {
	word := func(order, failure cir.Order) exchange { return exchange{0, 4, order, failure} }
	barrier := func(order, failure cir.Order) exchange { return exchange{8, 12, order, failure} } // waiting, turn, serial
	rwlock := func(order cir.Order) exchange { return exchange{0, 16, order, cir.Relaxed} }
	m := map[string]exchange{
		"lock_special": word(cir.Acquire, cir.Relaxed), "try_fast": word(cir.Acquire, cir.Relaxed), "pthread_spin_trylock": word(cir.Acquire, cir.Relaxed),
		"pthread_once": word(cir.Acquire, cir.Acquire), // it fails if the function has returned
		"sem_init":     word(cir.Relaxed, cir.Relaxed), "sem_destroy": word(cir.Relaxed, cir.Relaxed),
		"sem_post": word(cir.Release, cir.Relaxed), "sem_wait": word(cir.Acquire, cir.Relaxed), "take": word(cir.Acquire, cir.Relaxed),
		"pthread_barrier_init": barrier(cir.Relaxed, cir.Relaxed), "pthread_barrier_destroy": barrier(cir.Acquire, cir.Acquire),
		"pthread_barrier_wait": barrier(cir.AcqRel, cir.Acquire), // who leaves a round only reads that it is over
		"pthread_rwlock_init":  rwlock(cir.Relaxed), "pthread_rwlock_destroy": rwlock(cir.Relaxed), "pthread_rwlock_unlock": rwlock(cir.Release),
	}
	for _, how := range []string{"", "try", "timed"} {
		m["pthread_rwlock_"+how+"rdlock"], m["pthread_rwlock_"+how+"wrlock"] = rwlock(cir.Acquire), rwlock(cir.Acquire)
	}
	return m
}()

// weakSection is a section that a thread is in, as an access.
type weakSection struct {
	c     *cells
	from  int // the write that it reads
	a     *Atomic
	quiet bool
}

// beginExchange begins a section if it is an access. It reports whether it is to be made now.
func (t *thread) beginExchange(f *frame) (now bool) {
	x, is := exchanges[f.fn.name()]
	if !is || !f.fn.f.Library || t.m.opt.Atomics == nil || t.hb == nil || t.atomic > 0 {
		return true
	}
	p := lockOf(f)
	if p.obj == nil && p.lo != 0 {
		p = t.m.pointerTo(p.lo)
	}
	p.lo += uint64(x.off)
	c := t.cellsAt(p, x.size, false)
	if c == nil { // no other thread knows it, or the section itself finds out what is wrong
		return true
	}
	if strings.HasSuffix(f.fn.name(), "rdlock") {
		t.m.note("assumption", assumeReaders, nil)
	}
	a := &Atomic{Thread: t.self().id, Kind: AtomicExchange, Place: c.place, Size: c.n, Order: x.order, Failure: x.failure, Looks: true, Site: f.site(), Object: c.o.name}
	from, now := t.m.opt.Atomics.Comes(a)
	if !now {
		f.pc--
		t.endTurn()
		return false
	}
	c.restore(t.m, from)
	t.section = &weakSection{c: c, from: from, a: a, quiet: t.m.quiet}
	t.m.quiet = true
	return true
}

// endExchange ends a section that is an access.
func (t *thread) endExchange() {
	s, m := t.section, t.m
	c, e := s.c, Effect{Read: s.c.writes[s.from].value()}
	t.section, m.quiet = nil, s.quiet
	w := c.take(m)
	if w.heads = nil; w.data != c.writes[s.from].data || w.undef != c.writes[s.from].undef {
		c.last[s.a.Thread] = len(c.writes)
		c.writes = append(c.writes, w)
		e.Wrote, e.Written = true, w.value()
		t.effects++
	}
	m.opt.Atomics.Did(s.a, e)
	t.endTurn()
}

// waitsInExchange ends a section that is an access where it would have to wait: the thread does so for ever.
func (t *thread) waitsInExchange() bool {
	s := t.section
	t.section, t.m.quiet = nil, s.quiet
	t.m.opt.Atomics.Did(s.a, Effect{Read: s.c.writes[s.from].value()})
	t.m.opt.Atomics.Stuck(t.id)
	return t.stick()
}

// exchanges reports whether bytes of an object are those that the thread's section exchanges.
func (t *thread) exchanges(o *Object, off, n int64) bool {
	s := t.section
	return s != nil && s.c.o == o && off >= s.c.off && off+n <= s.c.off+s.c.n
}

// leftInside is the place of accesses that barriers count with who has left a round: it matters to who destroys one.
const leftInside = 1

// countsLeavers reports whether an access is one of that count.
func (t *thread) countsLeavers(o *Object, off, n int64) bool {
	s := t.section
	return s != nil && s.c.o == o && t.fr.fn.name() == "pthread_barrier_wait" && off+n <= s.c.off
}

// serialIsOpen reports whether a choice is which thread of a round of a barrier is told apart. The last one is, as in glibc. It says whether the program may notice.
func (t *thread) serialIsOpen(f *frame) (is, seen bool) {
	if t.section == nil || f.fn.name() != "pthread_barrier_wait" {
		return false, false
	}
	c := f.caller
	if c == nil || c.pc == 0 {
		return true, true
	}
	call, isCall := c.fn.code[c.pc-1].x.instr.(*callSite)
	if !isCall {
		return true, true
	}
	return true, call.c.Dst != nil && uses(c.fn.f, call.c.Dst)
}

// uses reports whether a function reads a register.
func uses(f *cir.Func, r *cir.Reg) (is bool) {
	see := func(v cir.Value) { is = is || v == cir.Value(r) }
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			cir.Operands(in, see)
		}
		cir.TermOperands(b.Term, see)
	}
	return is
}
