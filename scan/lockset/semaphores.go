package lockset

import (
	"comus/cir"
	"comus/scan/pointsto"
)

// A semaphore excludes like a lock if its value is never more than one, and whoever counts it up has counted it down before: then its value and the
// number of threads that have counted it down, and not up again, are one at most together. Of a lock it is an assumption that it is given
// back by who holds it, of a semaphore, which is used for signals as well, it is looked at: at each sem_post of the program, in all
// activations, and at each sem_init.
//
// A semaphore that is closed at first, initialised with 0, is held by the thread that has initialised it, until its one sem_post: that thread has counted
// it down, so to speak. This is only said of one that is initialised while there is no other thread yet, each time that it is: so nobody holds it then.

// semaphores tell which semaphores exclude.
type semaphores struct {
	pts    *pointsto.Result
	made   map[pointsto.Location]bool // initialised with 0 or 1
	broken map[pointsto.Location]bool // counted up by who did not count it down, or with another value
	all    bool                       // any of them may be broken
}

// findSemaphores looks at all calls that make semaphores, or may do anything to them.
func findSemaphores(pts *pointsto.Result) *semaphores {
	ss := &semaphores{pts: pts, made: map[pointsto.Location]bool{}, broken: map[pointsto.Location]bool{}}
	for _, c := range pts.Copies() {
		for _, b := range c.Func.Blocks {
			for _, in := range b.Instrs {
				if call, ok := in.(*cir.Call); ok && !c.Func.Library {
					ss.look(c, call)
				}
			}
		}
	}
	return ss
}

func (ss *semaphores) look(c pointsto.Copy, call *cir.Call) {
	fs := ss.pts.Callees(c.Func, c.Ctx, call)
	unknown := len(fs) == 0
	for _, f := range fs {
		o := opOf(f)
		switch {
		case o.kind == begins && o.family == semaphoreLocks:
			ss.init(c, call)
		case o.kind == 0 && len(f.Blocks) == 0 && call.Unknown != cir.Pure && call.Unknown != cir.Contract && f.Unknown != cir.Pure && f.Unknown != cir.Contract:
			unknown = true
		}
	}
	if _, direct := call.Callee.(*cir.Func); !direct {
		for _, l := range ss.pts.Places(c.Func, c.Ctx, call.Callee) {
			unknown = unknown || l.Obj.External
		}
	}
	if !unknown {
		return
	}
	for _, arg := range call.Args {
		for _, l := range ss.pts.Places(c.Func, c.Ctx, arg.X) {
			if !l.Obj.External {
				ss.broken[pointsto.Location{Obj: l.Obj, Off: pointsto.Any}] = true
			}
		}
	}
}

// init looks at a call of sem_init.
func (ss *semaphores) init(c pointsto.Copy, call *cir.Call) {
	if len(call.Args) < 3 {
		ss.all = true
		return
	}
	at := ss.pts.Places(c.Func, c.Ctx, call.Args[0].X)
	n, ok := call.Args[2].X.(cir.Int)
	if !ok || n.Hi != 0 || n.Lo > 1 {
		ss.breaks(at)
		return
	}
	for _, l := range at {
		ss.made[l] = true
	}
}

// closings are the semaphores that are closed at first.
type closings struct {
	single func(c pointsto.Copy, in cir.Instr) bool
	later  map[pointsto.Location]bool // initialised where there may be other threads
	any    bool                       // any may be
}

// findClosings looks at all calls of sem_init.
func findClosings(pts *pointsto.Result, single func(pointsto.Copy, cir.Instr) bool) *closings {
	cs := &closings{single: single, later: map[pointsto.Location]bool{}}
	for _, c := range pts.Copies() {
		for _, b := range c.Func.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(*cir.Call)
				if !ok || single(c, in) {
					continue
				}
				for _, f := range pts.Callees(c.Func, c.Ctx, call) {
					if o := opOf(f); o.kind != begins || o.family != semaphoreLocks || len(call.Args) == 0 {
						continue
					}
					at := pts.Places(c.Func, c.Ctx, call.Args[0].X)
					cs.any = cs.any || len(at) == 0
					for _, l := range at {
						cs.any = cs.any || l.Obj.External
						cs.later[l] = true
					}
				}
			}
		}
	}
	return cs
}

// closes reports whether a call of sem_init in a copy makes a semaphore, of which there is one, that is closed at first.
func (cs *closings) closes(pts *pointsto.Result, c pointsto.Copy, in cir.Instr, at []pointsto.Location) bool {
	call, ok := in.(*cir.Call)
	if !ok || len(call.Args) != 3 || len(at) != 1 || !at[0].Exact() || at[0].Obj.External || !pts.Once(at[0].Obj) || cs.any || !cs.single(c, in) {
		return false
	}
	n, isConst := call.Args[2].X.(cir.Int)
	return isConst && n.Lo == 0 && n.Hi == 0 && !cs.later[at[0]] && !cs.later[pointsto.Location{Obj: at[0].Obj, Off: pointsto.Any}]
}

// breaks notes that what is at some places is no lock.
func (ss *semaphores) breaks(at []pointsto.Location) {
	ss.all = ss.all || len(at) == 0
	for _, l := range at {
		ss.all = ss.all || l.Obj.External
		ss.broken[l] = true
	}
}

// exclude reports whether what may be at some places excludes like a lock.
func (ss *semaphores) exclude(at []pointsto.Location) bool {
	if ss.all || len(at) == 0 {
		return false
	}
	for _, l := range at {
		if l.Obj.External || !ss.made[l] || ss.broken[l] || ss.broken[pointsto.Location{Obj: l.Obj, Off: pointsto.Any}] {
			return false
		}
	}
	return true
}

// findPosts notes the semaphores that a thread counts up which has not counted them down.
func (a *analysis) findPosts() {
	for _, x := range a.acts {
		for _, b := range x.order {
			s := x.in[b.Index]
			for _, in := range b.Instrs {
				if s == nil {
					break
				}
				if call, ok := in.(*cir.Call); ok {
					a.findPost(x, call, s)
				}
				s = a.step(x, in, s)
			}
		}
	}
}

func (a *analysis) findPost(x *Activation, call *cir.Call, s *state) {
	for _, f := range a.pts.Callees(x.Copy.Func, x.Copy.Ctx, call) {
		o := opOf(f)
		if o.kind != releases || o.family != semaphoreLocks || o.arg >= len(call.Args) {
			continue
		}
		names, at := a.operand(x, call.Args[o.arg].X)
		if s.find(names) < 0 {
			a.semaphores.breaks(at)
		}
	}
}

// succeeds reports whether a function of the library returns 0 in any case.
func succeeds(f *cir.Func) bool {
	for _, b := range f.Blocks {
		if r, ok := b.Term.(*cir.Return); ok {
			if n, ok := r.X.(cir.Int); !ok || n.Lo != 0 || n.Hi != 0 {
				return false
			}
		}
	}
	return len(f.Blocks) > 0
}
