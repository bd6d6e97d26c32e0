package pointsto

import "comus/cir"

// CanonicalContext returns the context that stands for a context of a function: functions that have one copy have none.
func (r *Result) CanonicalContext(f *cir.Func, ctx Context) Context { return r.a.canonical(f, ctx) }
