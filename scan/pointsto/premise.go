package pointsto

import (
	"slices"

	"comus/cir"
)

// StoresFirst is what the models of functions that create threads assume.
const StoresFirst = "the id of a thread is stored before it runs, as glibc does"

// Matters reports whether what a copy of a function assumes may matter to a verdict: where the id of a thread is stored does if several threads may
// access that.
func (r *Result) Matters(f *cir.Func, ctx Context, sentence string) bool {
	if sentence != StoresFirst || len(f.Params) == 0 {
		return true
	}
	places := r.Places(f, ctx, f.Params[0].Reg)
	return slices.ContainsFunc(places, func(l Location) bool { return l.Obj.External || r.Shared(l.Obj) })
}
