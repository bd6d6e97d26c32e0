package pointsto

import "comus/cir"

// Settled returns the context that stands for a context of a function: functions that have one copy have none.
func (r *Result) Settled(f *cir.Func, ctx Context) Context { return r.a.settle(f, ctx) }
