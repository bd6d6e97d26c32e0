package interp

import (
	"slices"
	"strings"

	"comus/cir"
)

// A handler of signals interrupts a thread: between two steps of that thread it runs to its end, with the thread's identity, thread-local variables, locks and place in the
// happens-before order, before the thread goes on. The models have a thread for each signal with a handler, which begins at some time (deliver in signal.c); with Options.Handlers it becomes the thread that it interrupts
// for as long as the handler runs. A thread is interrupted only where that is what glibc does, too: in the program's own code, or where it waits in a function that goes on waiting afterwards,
// by a signal that may come at any time, and if nobody has blocked it anywhere, nor runs its handler. Such runs are exact. There are others.

// ownState is what a thread of the models has by itself.
type ownState struct {
	globals map[*cir.Global]*Object
	hb      *threadOrder
}

// delivers reports whether an activation is that which runs the handlers of a signal, again and again.
func delivers(f *frame) bool { return f.fn.f.Library && f.fn.name() == "deliver" }

// self returns the thread whose identity a thread has.
func (t *thread) self() *thread {
	if t.within != nil {
		return t.within
	}
	return t
}

// interrupt has the handler that is about to be called interrupt a thread. It reports whether there is one.
func (t *thread) interrupt(f *frame) bool {
	if t.within != nil || len(f.fn.f.Params) == 0 {
		return false
	}
	signal := f.s[f.fn.f.Params[0].Reg.Index].lo
	var able []*thread
	for _, v := range t.m.threads {
		if v != t && v.interruptible() && !t.m.holdsBack(v, signal) {
			able = append(able, v)
		}
	}
	if len(able) == 0 {
		return false
	}
	i := uint64(0)
	if t.m.opt.Nondet != nil && len(able) > 1 {
		i, _ = t.m.opt.Nondet("", cir.U8)
	}
	v := able[i%uint64(len(able))]
	t.m.res.Interrupted = true
	t.own = ownState{t.globals, t.hb}
	t.within, t.globals, t.hb, v.by = v, v.globals, v.hb, t
	return true
}

// resume lets the thread go on that a handler has interrupted.
func (t *thread) resume() {
	t.within.by = nil
	t.within, t.globals, t.hb, t.own = nil, t.own.globals, t.own.hb, ownState{}
}

// goesOnWaiting are the functions that a signal does not end.
var goesOnWaiting = []string{"pthread_mutex_lock", "pthread_join", "pthread_rwlock_rdlock", "pthread_rwlock_wrlock", "pthread_barrier_wait", "pthread_spin_lock"}

// interruptible reports whether a handler may interrupt a thread now.
func (t *thread) interruptible() bool {
	if t.ended || t.gone || t.by != nil || t.within != nil || t.atomic > 0 || t.fr == nil || t.hb == nil && t.m.races != nil {
		return false
	}
	f := t.fr
	if !f.fn.f.Library {
		return true
	}
	if !t.waits {
		return false
	}
	for f.caller != nil && f.caller.fn.f.Library {
		f = f.caller
	}
	return f.caller != nil && slices.Contains(goesOnWaiting, f.fn.name())
}

// faults are the signals, as Linux numbers them, by which a thread is told what it has done itself: SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGPIPE and SIGSYS. Nobody sends
// them at other times.
var faults = []uint64{4, 5, 6, 7, 8, 11, 13, 31}

// holdsBack reports whether a signal does not come, or may be blocked in a thread: some thread has blocked it, or it is in a set that is blocked while a handler runs, or its handler runs there.
func (m *Machine) holdsBack(t *thread, signal uint64) bool {
	if signal == 0 || slices.Contains(faults, signal) {
		return true
	}
	bits := 8 * uint64(m.wordSize())
	word, bit := int64((signal-1)/bits*uint64(m.wordSize())), uint64(1)<<((signal-1)%bits)
	known := false // where nobody blocks a signal, there is no variable for it
	for _, g := range m.prog.Globals {
		if !g.Library || g.Source != "blocked" && g.Source != "running" {
			continue
		}
		if !strings.HasSuffix(g.Pos.File, "signal.c") {
			continue
		}
		known = known || g.Source == "running"
		in := m.globals
		if g.ThreadLocal {
			in = t.globals
		}
		o := in[g]
		if o == nil { // nobody has written it
			continue
		}
		b, _ := m.bytesAt(o, word, int64(m.wordSize()))
		x := uint64(0)
		for i := len(b) - 1; i >= 0; i-- {
			x = x<<8 | uint64(b[i])
		}
		if x&bit != 0 {
			return true
		}
	}
	return !known
}

// inHandler reports whether a place is in a handler that interrupts a thread.
func (p *places) inHandler(where uint64) bool {
	for i := uint32(where >> 32); i != 0; i = p.nodes[i].caller {
		if f := p.nodes[i].fn; f.f.Library && f.name() == "deliver" {
			return true
		}
	}
	return false
}
