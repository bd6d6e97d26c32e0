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
	for t.within != nil {
		t = t.within
	}
	return t
}

// interrupt has the handler that is about to be called interrupt a thread. Its result is 0 if there is one.
func interrupt(t *thread, f *frame, in *inst, a []slot) bool {
	if a[0].lo == 0 && t.within != nil {
		return f.give(in, int64(t.self().id)+1)
	}
	if !t.m.opt.Handlers || t.within != nil {
		return f.give(in, -1)
	}
	var able []*thread
	for _, v := range t.m.threads {
		if v != t && v.interruptible() && !t.m.holdsBack(v, a[0].lo) {
			able = append(able, v)
		}
	}
	i := 0
	switch {
	case t.m.opt.Victim != nil:
		if i = t.victim(able); i < 0 { // not yet
			f.pc--
			t.ev = yields
			return false
		}
	case len(able) == 0:
		return f.give(in, -1)
	case t.m.opt.Nondet != nil && len(able) > 1:
		n, _ := t.m.opt.Nondet("", cir.U8)
		i = int(n % uint64(len(able)))
	}
	v := able[i]
	t.m.res.Interrupted = true
	t.own = ownState{t.globals, t.hb}
	t.within, t.globals, t.hb, v.by = v, v.globals, v.hb, t
	return f.give(in, 0)
}

// victim asks which of some threads a handler interrupts.
func (t *thread) victim(able []*thread) int {
	var ids []int
	for _, v := range able {
		ids = append(ids, v.id)
	}
	return slices.Index(ids, t.m.opt.Victim(t.id, ids))
}

// resume has a handler end.
func resume(t *thread, f *frame, in *inst, a []slot) bool {
	if t.within != nil {
		t.resume()
	}
	return true
}

// resume lets the thread go on that a handler has interrupted.
func (t *thread) resume() {
	t.within.by = nil
	t.within, t.globals, t.hb, t.own = nil, t.own.globals, t.own.hb, ownState{}
}

// goesOnWaiting are the functions that a signal does not end, or of which the model itself ends when a handler has.
var goesOnWaiting = []string{"pause", "sigsuspend", "pthread_mutex_lock", "pthread_join", "pthread_rwlock_rdlock", "pthread_rwlock_wrlock", "pthread_barrier_wait", "pthread_spin_lock"}

// interruptible reports whether a handler may interrupt a thread now.
func (t *thread) interruptible() bool {
	if t.ended || t.gone || t.by != nil || t.atomic > 0 || t.fr == nil || t.hb == nil && t.m.races != nil {
		return false
	}
	f := t.fr
	if !f.fn.f.Library || t.within != nil && t.delivered() != nil {
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

// delivered returns the activation of the model that runs a handler where that has not come to the program's code, or has left it: the handler has just begun, or is about to end. Otherwise it
// returns nil.
func (t *thread) delivered() *frame {
	for f := t.fr; f != nil && f.fn.f.Library; f = f.caller {
		if delivers(f) {
			return f
		}
	}
	return nil
}

// faults are the signals, as Linux numbers them, by which a thread is told what it has done itself: SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGPIPE and SIGSYS. Nobody sends
// them at other times.
var faults = []uint64{4, 5, 6, 7, 8, 11, 13, 31}

// holdsBack reports whether a signal does not come, or may be blocked in a thread: some thread has blocked it, or it is in a set that is blocked while a handler runs, or its handler runs there.
func (m *Machine) holdsBack(t *thread, signal uint64) bool {
	if signal == 0 || slices.Contains(faults, signal) {
		return true
	}
	for _, u := range m.threads { // the model has not noted that this handler runs, or not any more
		if u.within != nil && u.self() == t.self() {
			if f := u.delivered(); f != nil && f.s[f.fn.f.Params[0].Reg.Index].lo == signal {
				return true
			}
		}
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
