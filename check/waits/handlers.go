package waits

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// A handler of a signal interrupts a thread at any place, where it holds any lock. The thread goes on when the handler has ended. So handlers are no matter if each of them ends, whatever other
// threads do:
//
//   - A handler takes no lock, gives none back, and calls no function that waits or tells others something, be it that it would wait for a short time only: the thread that it interrupts may be who it waits for.
//     Of the library it calls a few functions only, which POSIX has async-signal-safe (signal-safety(7)) and which end: printf and malloc take locks that the thread may hold.
//   - It has no loop and no recursion. A loop that waits for what the interrupted thread does would never end.
//   - It does not end its thread, nor jump out of it: it returns, or ends the program.
//
// Then a thread that is interrupted is one that runs. What a handler writes is written at any time by somebody else: it is a class of threads of its own wherever that matters (flags.go, written.go).
// A flag that it resets is no proof, then, and one that it sets is set by one thread more. Nobody knows how many handlers run, so none of them owes anything.

// inHandlers are the functions of the library that a handler may call.
var inHandlers = map[string]bool{"_exit": true, "_Exit": true, "write": true, "signal": true, "sigaction": true, "sigemptyset": true, "sigaddset": true, "time": true, "clock_gettime": true, "getpid": true,
	"strlen": true, "strcmp": true, "strncmp": true, "memcmp": true, "memcpy": true, "memset": true, "memmove": true, "strcpy": true, "strncpy": true, "__errno_location": true}

// isDelivery reports whether an instruction of the library has handlers run, in a thread of their own (cfront/libc/c/signal.c).
func isDelivery(c pointsto.Copy, in *cir.Intrinsic) bool {
	if in.Op != cir.ThreadCreate || !c.Func.Library || c.Func.Source != "install" {
		return false
	}
	f, ok := in.Args[0].(*cir.Func)
	return ok && f.Library && f.Source == "deliver" && len(f.Blocks) > 0
}

// isInterrupt reports whether an instruction of the library notes that a handler runs now.
func isInterrupt(c pointsto.Copy, in *cir.Intrinsic) bool {
	return in.Op == cir.Interrupt && c.Func.Library && c.Func.Source == "begin_handler"
}

// delivered adds the class of handlers that an instruction has run.
func (p *program) delivered(c pointsto.Copy, in *cir.Intrinsic) {
	root := p.pts.Canonical(pointsto.Copy{Func: in.Args[0].(*cir.Func), Ctx: c.Ctx})
	for _, k := range p.classes {
		if k.handler && slices.Contains(k.roots, root) {
			return
		}
	}
	p.classes = append(p.classes, &class{element: Element{Kind: Thread, Object: -1}, roots: []pointsto.Copy{root}, handler: true})
}

// harmless returns an error unless each handler ends whatever other threads do.
func (p *program) harmless() error {
	for _, c := range p.runs {
		if !slices.ContainsFunc(p.runners[c], func(k *class) bool { return k.handler }) {
			continue
		}
		for b := range p.endless[c] {
			return fail(first(b), "a handler of a signal may run for ever here")
		}
		for _, call := range p.callsOf(c) {
			if err := p.harmlessCall(c, call); err != nil {
				return err
			}
		}
		if c.Func.Library {
			continue
		}
		if in := p.repeats(c); in != nil {
			return fail(in, "a handler of a signal has a loop")
		}
		if p.callsItself(c) {
			return fail(first(c.Func.Blocks[0]), "a handler of a signal may call itself")
		}
	}
	return nil
}

// harmlessCall returns an error unless a call by a handler ends whatever other threads do.
func (p *program) harmlessCall(c pointsto.Copy, call *cir.Call) error {
	x, err := p.callees(c, call)
	switch {
	case err != nil:
		return err
	case len(x.known) > 0:
		return fail(call, "a handler of a signal waits, or gives what is waited for")
	case c.Func.Library:
		return nil
	}
	for _, f := range p.pts.Callees(c.Func, c.Ctx, call) {
		if (f.Library || len(f.Blocks) == 0) && !inHandlers[f.Source] {
			return fail(call, "a handler of a signal calls '%s'", f.Source)
		}
	}
	if _, direct := call.Callee.(*cir.Func); !direct && (x.outside || len(x.to) == 0) {
		return fail(call, "which function is called is not known")
	}
	return nil
}

// repeats returns where a loop of a copy begins, nil if it has none.
func (p *program) repeats(c pointsto.Copy) cir.Located {
	x := p.function(c.Func)
	heads, ok := x.loops()
	for _, b := range c.Func.Blocks {
		if _, head := heads[b]; (head || !ok) && p.pts.Comes(c.Func, b) {
			return first(b)
		}
	}
	return nil
}

// callsItself reports whether a copy may be called while it runs.
func (p *program) callsItself(c pointsto.Copy) bool {
	seen := map[pointsto.Copy]bool{}
	for work := []pointsto.Copy{c}; len(work) > 0; {
		d := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range p.callers[d] {
			if e == c {
				return true
			}
			if !seen[e] {
				seen[e] = true
				work = append(work, e)
			}
		}
	}
	return false
}
