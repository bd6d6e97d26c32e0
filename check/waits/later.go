package waits

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// later tells where a class of threads may come to a barrier later, or may not have come to all that it should have.
type later struct {
	*finder
	of     *class
	meets  map[pointsto.Copy]bool
	behind map[pointsto.Copy]bool // a call of a copy
	// ends is the control flow of copies, and doomed are copies that may be called where control does not get to the end any more: the program ends there, and the thread may have left out waits at barriers.
	ends   map[pointsto.Copy]*endings
	doomed map[pointsto.Copy]bool
}

func (f *finder) laterOf(k *class) *later {
	l := &later{finder: f, of: k, meets: f.meetsOf(k), behind: map[pointsto.Copy]bool{}}
	l.findDoomed()
	for changed := true; changed; {
		changed = false
		for _, c := range f.h.runs {
			if !slices.Contains(f.h.runners[c], k) {
				continue
			}
			for _, call := range f.h.callsOf(c) {
				x, err := f.h.callees(c, call)
				if err != nil || !l.after(c, call) {
					continue
				}
				for _, y := range x.to {
					if !l.behind[y] {
						l.behind[y], changed = true, true
					}
				}
			}
		}
	}
	return l
}

// findDoomed finds the copies that may be called where the program ends: functions that are called at exit, and what is called where control gets to no return.
func (l *later) findDoomed() {
	l.ends, l.doomed = map[pointsto.Copy]*endings{}, map[pointsto.Copy]bool{}
	w := &wording{finder: l.finder, of: l.of, meets: l.meets, exits: l.h.findExits()}
	for _, c := range l.h.runs {
		if !slices.Contains(l.h.runners[c], l.of) {
			continue
		}
		l.ends[c] = l.h.endsOf(c, w.exits)
		if l.of.main && c.Func == l.h.prog.Entry {
			w.leaveOut(c, l.ends[c])
		}
	}
	for _, r := range l.of.roots {
		l.doomed[r] = l.of.main && r.Func != l.h.prog.Entry
	}
	for changed := true; changed; {
		changed = false
		for c := range l.ends {
			for _, call := range l.h.callsOf(c) {
				if !l.leavesOut(c, call) {
					continue
				}
				x, _ := l.h.callees(c, call)
				for _, y := range x.to {
					if !l.doomed[y] {
						l.doomed[y], changed = true, true
					}
				}
			}
		}
	}
}

// leavesOut reports whether a thread that makes a call may have left out waits at barriers, as the program ends behind it. Elsewhere, where no wait comes later, it has made all: some way goes on to the end from there.
func (l *later) leavesOut(c pointsto.Copy, call *cir.Call) bool {
	if l.doomed[c] {
		return true
	}
	b := l.h.function(c.Func).blockOf(call)
	return b == nil || !l.ends[c].live[b.Index]
}

// after reports whether a thread may come to a barrier behind an instruction.
func (l *later) after(c pointsto.Copy, in cir.Instr) bool {
	if l.behind[c] {
		return true
	}
	if !l.meets[c] {
		return false
	}
	x := l.h.function(c.Func)
	for _, b := range c.Func.Blocks {
		for _, to := range b.Instrs {
			if call, ok := to.(*cir.Call); ok && (l.isMeeting(callIn{c, call}) || l.calls(c, call)) && x.reaches(in, to, nil) {
				return true
			}
		}
	}
	return false
}

// calls reports whether a call may come to a barrier.
func (l *later) calls(c pointsto.Copy, call *cir.Call) bool {
	x, _ := l.h.callees(c, call)
	return slices.ContainsFunc(x.to, func(y pointsto.Copy) bool { return l.meets[y] })
}
