package scancheck

import (
	"slices"
	"strings"

	"comus/cir"
	"comus/scan/pointsto"
)

// A semaphore that is only ever initialised with 0 or 1, and counted up only by who has counted it down before, excludes like a lock: its value and the number of those that have
// counted it down, and not up again, are one at most together.
//
// One that is initialised with 0 while the first thread is alone, each time that it is initialised, is held by that thread from then on, as if it had counted it down: nobody else does.

// semaphores are those of a program.
type semaphores struct {
	uses   places // where one is used as one
	made   places // initialised with 0 or 1
	broken places // with anything else, or counted up by somebody else
	all    bool   // any may be broken
}

// isSemaphore reports whether an operation is one on semaphores.
func isSemaphore(f *cir.Func) bool { return strings.HasPrefix(f.Source, "sem_") }

// findSemaphores looks at all that is done to semaphores, given the claims that are confirmed.
func (x *locks) findSemaphores() {
	ss := &semaphores{uses: places{}, made: places{}, broken: places{}}
	x.semaphores = ss
	for c, cp := range x.copies {
		for _, b := range cp.Func.Blocks {
			for _, in := range b.Instrs {
				if call, ok := in.(*cir.Call); ok {
					ss.look(x, c, call)
				}
			}
		}
	}
	x.seen = func(a *activation, in cir.Located, s *state) {
		call, ok := in.(*cir.Call)
		if !ok || len(call.Args) == 0 || !slices.ContainsFunc(x.pts.Callees(a.copy.Func, a.copy.Ctx, call), func(f *cir.Func) bool { return f.Source == "sem_post" }) {
			return
		}
		names, at := x.operand(a.copy, s, call.Args[0].X)
		one := len(at) == 1 && at[0].Exact() && x.pts.Once(at[0].Obj)
		if !slices.ContainsFunc(s.held, func(l lock) bool { return slices.ContainsFunc(names, l.is) || one && slices.Equal(l.at, at) }) {
			ss.breaks(at)
		}
	}
	for _, a := range x.all {
		x.walk(a)
	}
	x.seen = nil
}

// look looks at a call in a copy.
func (ss *semaphores) look(x *locks, c int, call *cir.Call) {
	cp := x.copies[c]
	fs := x.pts.Callees(cp.Func, cp.Ctx, call)
	if x.callees(c, call).outside && !x.pure(call, fs) {
		for _, a := range call.Args {
			for _, l := range x.pts.Places(cp.Func, cp.Ctx, a.X) {
				ss.broken[pointsto.Location{Obj: l.Obj, Off: pointsto.Any}] = true
			}
		}
	}
	for _, f := range fs {
		if _, ok := opOf(f); !ok || !isSemaphore(f) || len(call.Args) == 0 {
			continue
		}
		at := x.pts.Places(cp.Func, cp.Ctx, call.Args[0].X)
		for _, l := range at {
			ss.uses[l] = true
		}
		switch {
		case f.Source == "sem_post":
			if cp.Func.Library || x.bare[c] || len(x.of[c]) == 0 || len(fs) > 1 {
				ss.breaks(at)
			}
		case f.Source == "sem_init":
			n, isConst := cir.Int{}, false
			if len(call.Args) == 3 {
				n, isConst = call.Args[2].X.(cir.Int)
			}
			if !isConst || n.Hi != 0 || n.Lo > 1 {
				ss.breaks(at)
				continue
			}
			for _, l := range at {
				ss.made[l] = true
			}
		}
	}
}

// breaks notes that what is at some places does not exclude.
func (ss *semaphores) breaks(at []pointsto.Location) {
	ss.all = ss.all || len(at) == 0
	for _, l := range at {
		ss.all = ss.all || l.Obj.External
		ss.broken[l] = true
	}
}

// excludes reports whether what is at some places is no semaphore, or one that excludes.
func (ss *semaphores) excludes(at []pointsto.Location) bool {
	for _, l := range at {
		if ss.uses.has(l) && (ss.all || l.Obj.External || !ss.made[l] || ss.broken.has(l)) {
			return false
		}
	}
	return true
}

// closings are the calls of sem_init that the first thread makes while it is alone, and the places where other calls may initialise semaphores.
type closings struct {
	alone map[placeInCopy]bool
	later places
	any   bool // they may do so anywhere
}

// findClosings looks at all calls of sem_init, by what is confirmed of threads.
func (x *locks) findClosings() *closings {
	cs := &closings{alone: map[placeInCopy]bool{}, later: places{}}
	ts := x.branches.ts
	others := map[placeInCopy]bool{}
	for _, t := range ts.list {
		for _, n := range t.order {
			ts.each(t, n, func(in cir.Located, running set) {
				if at := (placeInCopy{n.copy, in}); t.index == 0 && running == (set{}) {
					cs.alone[at] = true
				} else {
					others[at] = true
				}
			}, func(*cir.Block, effect) {})
		}
	}
	for c, cp := range x.copies {
		for _, b := range cp.Func.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(*cir.Call)
				if !ok || len(call.Args) == 0 || !slices.ContainsFunc(x.pts.Callees(cp.Func, cp.Ctx, call), isInit) {
					continue
				}
				at := placeInCopy{c, in}
				if cs.alone[at] = cs.alone[at] && !others[at]; cs.alone[at] {
					continue
				}
				to := x.pts.Places(cp.Func, cp.Ctx, call.Args[0].X)
				cs.any = cs.any || len(to) == 0
				for _, l := range to {
					cs.any = cs.any || l.Obj.External
					cs.later[l] = true
				}
			}
		}
	}
	return cs
}

// isInit reports whether a function is sem_init.
func isInit(f *cir.Func) bool {
	_, ok := opOf(f)
	return ok && f.Source == "sem_init"
}

// closes reports whether a call in a copy makes a semaphore at some places, of which there is one, that is closed at first.
func (x *locks) closes(c pointsto.Copy, in *cir.Call, f *cir.Func, at []pointsto.Location) bool {
	if !isInit(f) || len(in.Args) != 3 || len(at) != 1 || !at[0].Exact() || at[0].Obj.External || !x.pts.Once(at[0].Obj) {
		return false
	}
	if n, isConst := in.Args[2].X.(cir.Int); !isConst || n.Lo != 0 || n.Hi != 0 {
		return false
	}
	if x.closings == nil {
		x.closings = x.findClosings()
	}
	return x.closings.alone[placeInCopy{x.number[c], in}] && !x.closings.any && !x.closings.later.has(at[0])
}
