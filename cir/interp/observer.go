package interp

import (
	"hash/fnv"
	"slices"

	"comus/cir"
)

// An Observer is told what a run does that other threads may notice, and where: so that somebody may find out which executions are the same but for the order of what does not matter
// (package dpor). Needs Options.Races, and a program whose addresses have 64 bits. With an observer, addresses as integers do not depend on the order of what threads do: each thread's objects are in a part of the memory of their own.
//
// Where something is, is the address of a byte, be it known to the program or not. The byte behind an object is whether it is alive. What is no memory has addresses, too: the number of threads,
// that a thread has ended, what is read from the input, what functions of the library access that nobody sees.
type Observer interface {
	// Turn says that a thread is given a turn, and reports whether the run is to go on; Over, that the turn is over, and the run is not.
	Turn(thread int) (goesOn bool)
	Over()
	// Touches is told of bytes that the running thread accesses, and where in the source, if that is known. It says whether the turn is to end behind the instruction, or the atomic section; if the scheduler has
	// given it, Cut says how many steps would have been enough for that.
	Touches(at, n uint64, write bool, site *cir.Site) (end bool)
	Cut(steps int64)
	// Waited says that the thread has come to where threads wait, and need not wait; if that is an instruction alone that takes a lock, where the lock is, otherwise 0. Fails says that it has to, and goes back: what it
	// has touched in this turn, if it says so, is what it waits for.
	Waited(lock uint64)
	Fails(touched bool)
	// Gives says that the thread gives a lock back that it holds.
	Gives(lock uint64)
	// Creates says that the thread is about to create another one.
	Creates(thread int)
	// Unknown says that the run does what an observer is not told of.
	Unknown(why string)
}

// Addresses of what is no memory, for observers.
const (
	placeOfThreads = 8
	placeOfInput   = 16
	placesOfEnds   = 1 << 12 // of the ends of threads
	placeOfSection = 1 << 24 // what the program's own atomic sections hand on
	placesOfHidden = placeOfSection + 8
)

// Where the objects of threads are, with an observer. Those that are not made by one are behind firstAddress64.
const (
	firstOfThreads = 0x7000_0000_0000
	mostOfThread   = 1 << 34
	mostObserved   = 1000
)

// Everywhere is a number of bytes from address 0 on: all of them.
const Everywhere = ^uint64(0)

// reserve gives an object its address, which nobody knows yet, in its thread's part of the memory.
func (m *Machine) reserve(o *Object) {
	t := m.cur
	if t == nil && len(m.threads) > 0 {
		t = m.threads[0]
	}
	if t == nil || t.id >= mostObserved {
		m.opt.Observer.Unknown("an object of too many threads")
		return
	}
	o.place = uint64(firstOfThreads) + uint64(t.id)*mostOfThread + t.used
	o.place = alignUp(o.place, o.align)
	t.used = o.place + uint64(o.size) + gap - firstOfThreads - uint64(t.id)*mostOfThread
	if t.used > mostOfThread {
		m.opt.Observer.Unknown("large objects")
	}
}

// alignUp returns the next address that is aligned.
func alignUp(at uint64, align int64) uint64 {
	a := uint64(max(align, 16))
	if a&(a-1) != 0 {
		a = 16
	}
	return (at + a - 1) &^ (a - 1)
}

// placeOf returns the address of a global or function, with an observer, or, behind that of a function, that of its labels.
func (m *Machine) placeOf(s cir.Symbol) uint64 {
	if m.statics == nil {
		m.statics = map[cir.Symbol]uint64{}
		at := uint64(firstAddress64)
		for _, g := range m.prog.Globals {
			at = alignUp(at, g.Align)
			m.statics[g] = at
			at += uint64(max(g.Size, 0)) + gap
		}
		for _, f := range m.prog.Funcs {
			at = alignUp(at, 16)
			m.statics[f] = at
			at += 32 + uint64(len(f.Blocks))*labelStep + gap
		}
		if at >= firstOfThreads {
			m.opt.Observer.Unknown("large objects")
		}
	}
	return m.statics[s]
}

// observedAddress is address, with an observer.
func (m *Machine) observedAddress(o *Object) uint64 {
	switch {
	case o.base != 0:
	case o.kind == codeObject:
		o.base = m.placeOf(o.owner.f)
	case o.kind == labelObject:
		o.base = m.placeOf(o.owner.f) + 32
	default:
		if o.base = o.place; o.base == 0 {
			m.opt.Observer.Unknown("the address of a local variable that only its function knows")
			m.reserve(o)
			o.base = o.place
		}
	}
	if i, found := slices.BinarySearchFunc(m.byAddress, o, func(x, y *Object) int { return int(x.base>>1) - int(y.base>>1) }); !found {
		m.byAddress = slices.Insert(m.byAddress, i, o)
	}
	return o.base
}

// touched tells the observer of an access of an object.
func (t *thread) touched(o *Object, off, n int64, write bool) {
	if o.place != 0 {
		t.m.touches(o.place+uint64(off), uint64(n), write)
	}
}

// touches tells the observer of an access.
func (m *Machine) touches(at, n uint64, write bool) {
	t := m.cur
	if t == nil || m.quiet {
		return
	}
	var site *cir.Site
	if t.fr != nil {
		site = t.fr.site()
	}
	if !m.opt.Observer.Touches(at, n, write, site) || t.left <= 0 || m.nested > 0 {
		return
	}
	if m.chosen {
		m.opt.Observer.Cut(t.turn - t.left)
	}
	t.unused, t.left = t.unused+t.left, 0
}

// observe tells the observer, if there is one, of what is no access of memory.
func (m *Machine) observe(at, n uint64, write bool) {
	if m.opt.Observer != nil {
		m.touches(at, n, write)
	}
}

// observeLife tells the observer, if there is one, that an object's life begins again or ends, or that somebody wants to know whether it is alive.
func (m *Machine) observeLife(o *Object, write bool) {
	switch {
	case m.opt.Observer == nil || o.place == 0 || m.opt.Atomics != nil: // there, it is a data race that tells if nothing orders it
	case write:
		m.touches(o.place, uint64(o.size)+1, true)
	default:
		m.touches(o.place+uint64(o.size), 1, false)
	}
}

// observeScalar tells the observer of a load or store that may be performed without any check of its own.
func (t *thread) observeScalar(p slot, a *cir.Access, write bool) {
	n := t.m.prog.Model.SizeOf(a.Type)
	if o := p.obj; o != nil && a.Bits == nil && int64(p.lo) >= 0 && int64(p.lo) <= o.size-n {
		t.touched(o, int64(p.lo), n, write)
	}
}

// placeOfLock returns the address of a lock.
func (m *Machine) placeOfLock(p slot) uint64 {
	if p.obj == nil {
		p = m.pointerTo(p.lo)
	}
	if p.obj == nil || p.obj.place == 0 {
		return 0
	}
	return p.obj.place + p.lo
}

// placeOfEnd is where it is that a thread has ended.
func placeOfEnd(thread uint64) uint64 { return placesOfEnds + 8*thread }

// placeOfHidden is where an object of the library's is that nobody sees.
func placeOfHidden(name string) uint64 {
	h := fnv.New32a()
	h.Write([]byte(name))
	return placesOfHidden + 8*uint64(h.Sum32())
}
