package cfront

import "comus/logic"

// addClockFuncs adds clock_gettime and strerror to the library.
func addClockFuncs() {
	libraryFuncs["clock_gettime"], libraryFuncs["strerror"] = (*lowerer).clockCall, (*lowerer).getenvCall
}

// clockCall lowers clock_gettime: any time, with nanoseconds below a second. It does
// not fail.
func (b *lowerer) clockCall(c call) *value {
	b.want(c, 2)
	vals := b.evalArgs(c.args)
	if b.cur == nil {
		return b.constInt(0, intT)
	}
	limits := map[string]int64{"tv_sec": 1<<31 - 1, "tv_nsec": 1e9 - 1}
	for _, name := range []string{"tv_sec", "tv_nsec"} {
		mark := b.hold(vals[1])
		p, ok := b.derefArg(c.n, vals[1], c.args[1]).named(name)
		if !ok || p.typ.kind != tInt {
			b.fail(c.n, "unsupported: clock_gettime with this struct timespec")
		}
		most := limits[name]
		if name == "tv_sec" && p.typ.it.Bits == 64 {
			most = 1 << 40 // in 34,000 years
		}
		v := b.input(c, p.typ.it, c.name, func(t *logic.Term) *logic.Term {
			return b.L.And(b.L.Le(b.L.Int(0), t), b.L.Le(t, b.L.Int(most)))
		})
		b.letGo(mark)
		b.store(c.n, p, v, b.text(c.n))
	}
	return b.constInt(0, intT)
}
