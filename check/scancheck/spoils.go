package scancheck

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// noteSpoils notes what an instruction of a copy does to locks beside taking and giving them back.
func (ls *locations) noteSpoils(t *thread, c int, in cir.Located, running set) {
	i, ok := in.(cir.Instr)
	if !ok {
		return
	}
	cp := ls.copies[c]
	if k, ok := in.(*cir.Intrinsic); ok && (k.Op == cir.Unlock || k.Op == cir.Free || k.Op == cir.Resize) {
		return
	}
	if call := cp.Ctx.Call; cp.Func.Library && call != nil {
		if f, direct := call.Callee.(*cir.Func); direct {
			if o, ok := opOf(f); ok && o.does != changes {
				return
			}
		}
	}
	hit := ls.locks.written(cp, i)
	if call, ok := in.(*cir.Call); ok {
		hit = append(slices.Clip(hit), ls.spoilsByCall(cp, c, call)...)
	}
	for _, l := range hit {
		ls.spoils[l.Obj] = append(ls.spoils[l.Obj], spoil{t, running, l, c, in})
	}
}

// spoilsByCall returns the locks that a call begins or ends, or that code outside of the program is given.
func (ls *locations) spoilsByCall(cp pointsto.Copy, c int, call *cir.Call) (hit []pointsto.Location) {
	fs := ls.pts.Callees(cp.Func, cp.Ctx, call)
	for _, f := range fs {
		if o, ok := opOf(f); ok && o.does == changes && o.arg < len(call.Args) {
			hit = append(hit, ls.pts.Places(cp.Func, cp.Ctx, call.Args[o.arg].X)...)
		}
	}
	if ls.callees(c, call).outside && !ls.locks.pure(call, fs) {
		ps := places{}
		ls.locks.givesOutside(cp, call, ps)
		for l := range ps {
			hit = append(hit, l)
		}
	}
	return hit
}
