package waits

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// later tells where a class of threads may come to a barrier later.
type later struct {
	*finder
	of     *class
	meets  map[pointsto.Copy]bool
	behind map[pointsto.Copy]bool // a call of a copy
}

func (f *finder) laterOf(k *class) *later {
	l := &later{f, k, f.meetsOf(k), map[pointsto.Copy]bool{}}
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
