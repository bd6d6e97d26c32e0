package scancheck

import (
	"comus/cir"
	"comus/scan/pointsto"
)

// accessed is a touch with the number of the pointer among the instruction's, and of the argument that it is; -1: none. sync tells that it is of what threads
// synchronise by, within the library.
type accessed struct {
	touch
	ptr, arg int
	sync     bool
}

// accessed returns what an instruction of a copy accesses, with what code outside of the program does when it is called.
func (ls *locations) accessed(c int, in cir.Located) (list []accessed) {
	cp := ls.copies[c]
	ts := ls.touches(in, cp)
	ls.formats(cp, in, ts)
	own := len(ts)
	if call, ok := in.(*cir.Call); ok {
		if ls.callees(c, call).outside {
			ts = append(ts, ls.outside(cp, call)...)
		}
		ts = append(ts, ls.beyondModels(cp, call)...)
	}
	for i, x := range ts {
		yes, atomic := counts(cp.Func, &x)
		if !yes {
			continue
		}
		x.atomic = x.atomic || atomic
		a := accessed{x, i, argument(cp, in, x.ptr), atomic && cp.Func.Library}
		if i >= own {
			a.ptr = -1
		}
		list = append(list, a)
	}
	return list
}

// memory calls f for the bytes that an access of a copy may go to.
func (ls *locations) memory(cp pointsto.Copy, x touch, f func(pointsto.Location, extent)) {
	if x.ptr == nil {
		return
	}
	to := ls.pts.Places(cp.Func, cp.Ctx, x.ptr)
	if x.span == from || x.frees { // what is out of an object is not accessed, and free is given what was allocated
		aim := pointsto.Aim{Frees: x.frees, Plain: x.plain}
		if x.scalar {
			aim.Size = x.size
		}
		to = ls.pts.Aimed(cp.Func, cp.Ctx, x.ptr, aim)
	}
	if _, reg := x.ptr.(*cir.Reg); reg && len(to) == 0 && !x.frees && !cp.Func.Library {
		ls.assumed[assumeNowhere] = true
	}
	seen := map[*pointsto.Object]bool{}
	var all func(o *pointsto.Object)
	all = func(o *pointsto.Object) {
		if seen[o] || o.IsFunc() {
			return
		}
		seen[o] = true
		f(pointsto.Location{Obj: o, Off: pointsto.Any}, everywhere)
		if x.span == reaching && !o.External {
			for _, p := range ls.below(o) {
				all(p)
			}
		}
	}
	for _, l := range to {
		switch {
		case l.Obj.IsFunc():
		case x.span == reaching, x.span == listed && l.Obj.External:
			all(l.Obj)
		case x.span == listed:
			for _, m := range ls.pts.Held(l.Obj) {
				if !m.Obj.IsFunc() {
					f(m, bytesOf(m, touch{size: -1}))
				}
			}
		default:
			f(l, bytesOf(l, x))
		}
	}
}

// below returns the objects that an object holds the addresses of, each once.
func (ls *locations) below(o *pointsto.Object) []*pointsto.Object {
	list, known := ls.under[o]
	if !known {
		seen := map[*pointsto.Object]bool{}
		for _, l := range ls.pts.Held(o) {
			if !seen[l.Obj] {
				seen[l.Obj] = true
				list = append(list, l.Obj)
			}
		}
		ls.under[o] = list
	}
	return list
}
