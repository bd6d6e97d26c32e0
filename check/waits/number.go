package waits

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// A barrier is for as many threads as there are if both numbers come from the same place: what a local of a function held that main calls once, or a place in memory, and nothing was written there
// since one of them was read.

// number is a value: what a local of a copy holds, or a place in memory, plus a constant; or the constant alone.
type number struct {
	copy  pointsto.Copy
	local *cir.Local
	at    pointsto.Location
	as    cir.Type // what is loaded from there
	plus  int64
}

// isConst reports whether a number is a constant.
func (n number) isConst() bool { return n.local == nil && n.at.Obj == nil }

// less returns the number without some.
func (n number) less(by int64) number {
	n.plus -= by
	return n
}

// maxNumber bounds how far back values are followed.
const maxNumber = 20

// number returns what a value of a copy is that main computes. Two that are given for the same place are the same number.
func (f *finder) number(c pointsto.Copy, v cir.Value, depth int) (number, bool) {
	x := f.h.function(c.Func)
	if n, ok := v.(cir.Int); ok {
		k, small := n.Int64()
		return number{plus: k}, small && k > -1<<40 && k < 1<<40
	}
	r, ok := v.(*cir.Reg)
	if !ok || depth > maxNumber {
		return number{}, false
	}
	for i, p := range x.fn.Params {
		if p.Reg == r {
			return f.argument(c, i, depth)
		}
	}
	switch in := x.defs[r.Index].(type) {
	case *cir.Convert:
		// A number that a barrier is for has 32 bits: it is for none if that is a negative one.
		if from, to := typeOf(in.X), in.Dst.Type; keepsValue(in) || from == cir.I32 && to == cir.U32 {
			return f.number(c, in.X, depth+1)
		}
	case *cir.Binary:
		k, isConst := in.Y.(cir.Int)
		by, small := k.Int64()
		if !isConst || !small || in.Op != cir.Add && in.Op != cir.Sub || by < 0 || by > 1<<30 {
			return number{}, false
		}
		if in.Op == cir.Sub {
			by = -by
		}
		n, ok := f.number(c, in.X, depth+1)
		f.h.assumed[assumeOverflow] = true
		return n.less(-by), ok
	case *cir.Load:
		return f.loaded(c, in, depth)
	}
	return number{}, false
}

// argument returns what a parameter of a copy is that is called at one place.
func (f *finder) argument(c pointsto.Copy, i, depth int) (number, bool) {
	caller, call := f.h.onlyCall(c)
	if call == nil || i >= len(call.Args) || call.Args[i].ByVal != nil || c.Func.Params[i].ByVal != nil {
		return number{}, false
	}
	return f.number(caller, call.Args[i].X, depth+1)
}

// loaded returns what a load gives.
func (f *finder) loaded(c pointsto.Copy, load *cir.Load, depth int) (number, bool) {
	x := f.h.function(c.Func)
	l, ok := load.Addr.(*cir.Local)
	if !ok || !x.plain[l] {
		return f.kept(c, load, depth)
	}
	if i, given := x.given[l]; given {
		return f.argument(c, i, depth)
	}
	stores := x.storesTo(l)
	if len(stores) == 1 {
		if n, ok := f.number(c, stores[0].X, depth+1); ok {
			return n, true
		}
	}
	return number{copy: c, local: l}, len(stores) > 0 && f.h.entered(c) && !x.stored(load, l)
}

func (x *function) storesTo(l *cir.Local) (list []*cir.Store) {
	for _, b := range x.fn.Blocks {
		for _, in := range b.Instrs {
			if s, ok := in.(*cir.Store); ok && s.Addr == cir.Value(l) {
				list = append(list, s)
			}
		}
	}
	return list
}

// stored reports whether something may be stored to a local behind an instruction, or its life may begin again.
func (x *function) stored(in cir.Instr, l *cir.Local) bool {
	is := func(in cir.Instr) bool {
		switch in := in.(type) {
		case *cir.Store:
			return in.Addr == cir.Value(l)
		case *cir.LifeStart:
			return in.Local == l
		}
		return false
	}
	b := x.blockOf(in)
	if b == nil || slices.ContainsFunc(b.Instrs[slices.Index(b.Instrs, in)+1:], is) {
		return true
	}
	leads, again := x.leadingTo(func(b *cir.Block) bool { return slices.ContainsFunc(b.Instrs, is) }), false
	cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) { again = again || leads[to] })
	return again
}

// kept returns what a load from memory gives that nobody but main writes, and it only before.
func (f *finder) kept(c pointsto.Copy, load *cir.Load, depth int) (number, bool) {
	places := f.h.pts.Places(c.Func, c.Ctx, load.Addr)
	if len(places) != 1 || !places[0].Exact() || !f.h.pts.Once(places[0].Obj) || load.Bits != nil || load.Volatile {
		return number{}, false
	}
	at, size := places[0], f.h.sizeOf(load.Type)
	after := f.h.mayHave(func(d pointsto.Copy, in cir.Instr) bool { return d == c && in == cir.Instr(load) })
	var all []write
	for _, w := range f.writes[at.Obj] {
		if !w.whole && !w.begun && !w.at.Touches(w.size, at, size) {
			continue
		}
		if w.begun || !f.h.mainOnly(w.by) || after.before(w.by, w.in) {
			return number{}, false
		}
		all = append(all, w)
	}
	if len(all) == 1 && at.Obj.Global == nil && f.h.onceOnly(all[0].by, all[0].in) {
		if s, ok := all[0].in.(*cir.Store); ok && all[0].at == at && s.Bits == nil && s.Type == load.Type && !all[0].whole {
			return f.number(all[0].by, s.X, depth+1)
		}
	}
	return number{at: at, as: load.Type}, true
}

// mainOnly reports whether no other thread than main runs a copy.
func (p *program) mainOnly(c pointsto.Copy) bool {
	return !slices.ContainsFunc(p.runners[c], func(k *class) bool { return !k.main })
}

// onlyCall returns the one call that gets to a copy, nil if there are more, or a thread may begin with it.
func (p *program) onlyCall(c pointsto.Copy) (caller pointsto.Copy, call *cir.Call) {
	if len(p.callers[c]) != 1 || slices.ContainsFunc(p.classes, func(k *class) bool { return slices.Contains(k.roots, c) }) {
		return caller, nil
	}
	caller = p.callers[c][0]
	for _, in := range p.callsOf(caller) {
		x, err := p.callees(caller, in)
		if err != nil || !slices.Contains(x.to, c) {
			continue
		}
		if call != nil || len(x.to) > 1 || x.outside || len(x.known) > 0 {
			return caller, nil
		}
		call = in
	}
	return caller, call
}

// entered reports whether main, and nobody else, runs a copy, once at most.
func (p *program) entered(c pointsto.Copy) bool {
	if !p.mainOnly(c) {
		return false
	}
	for range p.runs {
		if c.Func == p.prog.Entry {
			return len(p.callers[c]) == 0
		}
		caller, call := p.onlyCall(c)
		if call == nil || p.function(caller.Func).isRepeated(call) {
			return false
		}
		c = caller
	}
	return false
}

// onceOnly reports whether main, and nobody else, gets to an instruction of a copy, once at most.
func (p *program) onceOnly(c pointsto.Copy, in cir.Instr) bool {
	return p.entered(c) && !p.function(c.Func).isRepeated(in)
}

// history tells what main may have done before.
type history struct {
	*program
	what  func(pointsto.Copy, cir.Instr) bool
	does  map[pointsto.Copy]bool // it may be done while a copy is called
	entry map[pointsto.Copy]bool // it may have been done when a copy is called
}

// mayHave finds where main may have done something, be it by a call: one of some instructions.
func (p *program) mayHave(what func(pointsto.Copy, cir.Instr) bool) *history {
	h := &history{p, what, map[pointsto.Copy]bool{}, map[pointsto.Copy]bool{}}
	for changed := true; changed; {
		changed = false
		for _, c := range p.runs {
			for _, b := range c.Func.Blocks {
				for _, in := range b.Instrs {
					if !h.does[c] && h.did(c, in) {
						h.does[c], changed = true, true
					}
				}
			}
		}
	}
	early := slices.ContainsFunc(p.prog.Constructors, func(f *cir.Func) bool { return h.does[p.pts.Canonical(pointsto.Copy{Func: f})] })
	for _, k := range p.classes {
		for _, r := range k.roots { // main is called behind constructors, and exit at any time
			h.entry[r] = k.main && (early || r.Func != p.prog.Entry && !slices.Contains(p.prog.Constructors, r.Func))
		}
	}
	for changed := true; changed; {
		changed = false
		for _, c := range p.runs {
			for _, call := range p.callsOf(c) {
				x, err := p.callees(c, call)
				if err != nil || !h.before(c, call) {
					continue
				}
				for _, y := range x.to {
					if !h.entry[y] {
						h.entry[y], changed = true, true
					}
				}
			}
		}
	}
	return h
}

// did reports whether an instruction may do it.
func (h *history) did(c pointsto.Copy, in cir.Instr) bool {
	if h.what(c, in) {
		return true
	}
	call, ok := in.(*cir.Call)
	if !ok {
		return false
	}
	x, err := h.callees(c, call)
	return err != nil || slices.ContainsFunc(x.to, func(y pointsto.Copy) bool { return h.does[y] })
}

// before reports whether it may have been done when an instruction is begun.
func (h *history) before(c pointsto.Copy, in cir.Instr) bool {
	if h.entry[c] {
		return true
	}
	if !h.does[c] {
		return false
	}
	x := h.function(c.Func)
	at := x.blockOf(in)
	if at == nil {
		return true
	}
	if slices.ContainsFunc(at.Instrs[:slices.Index(at.Instrs, in)], func(in cir.Instr) bool { return h.did(c, in) }) {
		return true
	}
	leads := x.leadingTo(func(b *cir.Block) bool { return b == at })
	for _, b := range x.fn.Blocks {
		if !slices.ContainsFunc(b.Instrs, func(in cir.Instr) bool { return h.did(c, in) }) {
			continue
		}
		again := false
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) { again = again || leads[to] })
		if again {
			return true
		}
	}
	return false
}
