package cfront

import (
	"comus/ir"
	"comus/logic"
)

// addClockFuncs adds the functions that tell the time, strerror and rand_r to the library.
func addClockFuncs() {
	libraryFuncs["clock_gettime"], libraryFuncs["strerror"] = (*lowerer).clockCall, (*lowerer).getenvCall
	libraryFuncs["gettimeofday"], libraryFuncs["time"] = (*lowerer).clockCall, (*lowerer).timeCall
	libraryFuncs["rand_r"] = (*lowerer).randSeed
}

// clockCall lowers clock_gettime and gettimeofday: any time, with nanoseconds or
// microseconds below a second. It does not fail.
func (b *lowerer) clockCall(c call) *value {
	b.want(c, 2)
	vals := b.evalArgs(c.args)
	if b.cur == nil {
		return b.constInt(0, intT)
	}
	if k, ok := vals[0].constant(); c.name == "clock_gettime" && (!ok || len(vals[0].side) > 0 || k.Sign() < 0 || k.Cmp(logic.IntValue(maxClock)) > 0) {
		b.fail(c.n, "unsupported: clock_gettime of a clock that is not known here")
	}
	arg, part, most := 1, "tv_nsec", int64(1e9-1)
	if c.name == "gettimeofday" {
		arg, part, most = 0, "tv_usec", 1e6-1
		if vals[1].kind != vInt || !vals[1].isNull() {
			b.fail(c.n, "unsupported: gettimeofday with a time zone")
		}
	}
	for _, name := range []string{"tv_sec", part} {
		mark := b.hold(vals[arg])
		p, ok := b.derefArg(c.n, vals[arg], c.args[arg]).named(name)
		if !ok || p.typ.kind != tInt {
			b.fail(c.n, "unsupported: %s with this struct", c.name)
		}
		limit := most
		if name == "tv_sec" {
			limit = maxSeconds(p.typ.it)
		}
		v := b.inputUpTo(c, p.typ.it, limit)
		b.letGo(mark)
		b.store(c.n, p, v, b.text(c.n))
	}
	return b.constInt(0, intT)
}

// maxClock is the last of the clocks that each system has, from CLOCK_REALTIME on.
const maxClock = 7

// maxSeconds bounds the time in a type: with 64 bits, by what it is in 34,000 years.
func maxSeconds(it ir.Type) int64 {
	if it.Bits == 64 {
		return 1 << 40
	}
	return 1<<31 - 1
}

// inputUpTo returns any value from 0 to most.
func (b *lowerer) inputUpTo(c call, it ir.Type, most int64) *value {
	return b.input(c, it, c.name, func(t *logic.Term) *logic.Term {
		return b.L.And(b.L.Le(b.L.Int(0), t), b.L.Le(t, b.L.Int(most)))
	})
}

// timeCall lowers time: any time, which it also stores.
func (b *lowerer) timeCall(c call) *value {
	ptr := b.constInt(0, b.ptrInt)
	if len(c.args) > 0 {
		ptr = b.eval(c.args[0])
	}
	it := b.resultType(c)
	if b.cur == nil {
		return b.constInt(0, it)
	}
	mark := b.hold(ptr)
	v := b.inputUpTo(c, it, maxSeconds(it))
	b.hold(v)
	if ptr.kind != vInt || !ptr.isNull() {
		p := b.derefArg(c.n, ptr, c.args[0])
		b.store(c.n, p, b.cast(c.n, v, p.typ), b.text(c.n))
	}
	b.letGo(mark)
	return v
}

// randSeed lowers rand_r: any result, and any new seed.
func (b *lowerer) randSeed(c call) *value {
	b.want(c, 1)
	ptr := b.eval(c.args[0])
	if b.cur == nil {
		return b.constInt(0, intT)
	}
	p := b.derefArg(c.n, ptr, c.args[0])
	if p.typ.kind != tInt {
		b.fail(c.n, "unsupported: rand_r with this seed")
	}
	mark := b.holdPlace(p)
	seed := b.newTemp(p.typ.it)
	b.havoc(c.n, b.text(c.n), "", seed)
	b.letGo(mark)
	b.store(c.n, p, b.intValue(seed.Sym, p.typ.it), b.text(c.n))
	return b.randCall(c)
}
