package specialise

import (
	"comus/cir"
	"comus/ir"
)

// Findings tell the calls that led to them. As calls are inlined where they are made, the activation that a step is made in is
// known where the step is.

// standing returns the activation that the current step is made in, as reports show it: that of the function of the library which is being called, if
// its steps are shown as the call's.
func (b *builder) standing() *ir.Frame {
	s := b.stackOf(b.fr)
	if b.calls == nil || b.fr.fn.Library || len(b.calls.Blocks) > 0 && !b.calls.Library {
		return s
	}
	return &ir.Frame{Func: b.calls.Source, Library: true, Call: b.irPos(), Caller: s}
}

// stackOf returns an activation as reports show it. What the library's functions call of their own is not told, nor what it runs around the
// function of the program's that a thread begins with.
func (b *builder) stackOf(fr *frame) *ir.Frame {
	if fr.shown != nil {
		return fr.shown
	}
	f := &ir.Frame{Func: fr.fn.Source, Library: fr.fn.Library}
	switch {
	case fr.parent == nil:
		*f = ir.Frame{Func: b.th.name, Call: b.th.site, Caller: b.th.madeIn, Starts: true}
	case fr.fn.Library && fr.parent.fn.Library:
		f = b.stackOf(fr.parent)
	case fr.parent.parent == nil && fr.blk == nil: // before or after main
		f.Starts = true
	default:
		caller := b.stackOf(fr.parent)
		f.Call, f.Caller = fr.call, caller
		if caller.Library {
			f.Call = ir.Pos{}
		} else if fr.parent.fn.Library { // what the thread begins with, or does at its end
			f.Call, f.Caller, f.Starts = caller.Call, caller.Caller, true
		}
	}
	fr.shown = f
	return f
}

// born keeps where a thread is created: in the function of the program's own that calls the library.
func (b *builder) born(t *thread) {
	t.madeIn, t.site = b.stackOf(b.fr), b.irPos()
	if t.madeIn.Library {
		t.madeIn = t.madeIn.Caller
	}
}

// called notes which function is being called until its own steps begin. What it returns ends that.
func (b *builder) called(f *cir.Func) func() {
	outer := b.calls
	b.calls = f
	return func() { b.calls = outer }
}
