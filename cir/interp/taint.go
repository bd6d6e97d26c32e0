package interp

import "comus/cir"

// Indeterminate values. As long as an activation has met none, nothing is done for them. When a load finds bits that
// were never written, the activation keeps for each register which of its bits (of one of
// more than 64 bits: all or none) are indeterminate, and instructions go through tainted.

// blur makes bits of a register indeterminate.
func (f *frame) blur(r int32, bits uint64) {
	if f.taint == nil {
		f.taint = make([]uint64, len(f.s))
	}
	f.tainted = true
	f.taint[r] = bits
}

// flow says how indeterminate bits go through an instruction.
type flow uint8

const (
	flowAll     flow = iota // from the operands a and b: all bits
	flowBits                // &, |, ^, ~: bit by bit
	flowShift               // along with the bits
	flowConvert             // cut or extended
	flowSame                // of a
	flowLoad                // what is loaded; the address decides
	flowStore               // a is the address, b is stored
	flowBranch              // a decides
	flowSelect
	flowDivide // as flowAll, but b decides
	flowLocalLoad
	flowLocalStore
	flowCall // the instruction's own business
)

// tainted performs an instruction of an activation that has met indeterminate values.
func (t *thread) tainted(f *frame, in *inst) bool {
	x := in.x
	switch x.flow {
	case flowCall:
		return in.do(t, f, in)
	case flowLoad:
		if !t.decides(f, in.a) {
			return false
		}
		f.taint[in.d] = 0
		return in.do(t, f, in)
	case flowStore:
		if !t.decides(f, in.a) {
			return false
		}
		if u := f.taint[in.b]; u != 0 {
			return t.put(f.s[in.a], f.s[in.b], u, &x.acc)
		}
		return in.do(t, f, in)
	case flowLocalLoad:
		f.taint[in.d] = f.taint[in.a]
		return in.do(t, f, in) && (f.taint[in.a] == 0 || t.readsUnset(in))
	case flowLocalStore:
		f.taint[in.a] = f.taint[in.b]
		return in.do(t, f, in)
	case flowBranch:
		return t.decides(f, in.a) && in.do(t, f, in)
	case flowSelect:
		if !t.decides(f, in.c) {
			return false
		}
		f.taint[in.d] = f.taint[in.b]
		if f.s[in.c].lo != 0 {
			f.taint[in.d] = f.taint[in.a]
		}
		return in.do(t, f, in)
	}
	u := f.taint[in.a]
	if x.binary {
		if x.flow == flowDivide && !t.decides(f, in.b) {
			return false
		}
		u = f.mix(in, u, f.taint[in.b])
	} else if u != 0 {
		u = f.mix(in, u, 0)
	}
	ok := in.do(t, f, in)
	f.taint[in.d] = u
	if x.over {
		f.taint[in.c] = truth(u != 0)
	}
	return ok
}

// mix returns which bits of the result of an instruction are indeterminate, from those of its operands.
func (f *frame) mix(in *inst, u, v uint64) uint64 {
	if u|v == 0 {
		return 0
	}
	x, y := f.s[in.a].lo, f.s[in.b].lo
	ty := in.x.types
	switch in.x.flow {
	case flowBits:
		switch {
		case len(ty) > 0 && ty[0].Bits > 64 || !in.x.binary:
			return u | v
		case cir.Op(in.c) == cir.And:
			return u&v | u&y | v&x
		case cir.Op(in.c) == cir.Or:
			return u&v | u&^y | v&^x
		}
		return u | v
	case flowShift:
		if v != 0 || ty[0].Bits > 64 {
			break
		}
		n := uint(y) & 63
		if cir.Op(in.c) == cir.Shl {
			return extend(u<<n, ty[0])
		}
		return uint64(int64(extend(u, ty[0])) >> n)
	case flowConvert:
		to, from := ty[0], ty[1]
		if to == cir.Bool || to.Bits > 64 || from.Bits > 64 || !to.IsInt() || !from.IsInt() {
			break
		}
		return extend(extend(u, from), to)
	case flowSame:
		return u
	}
	return ^uint64(0)
}

// readsUnset notes that a load finds indeterminate bits: where that is asked, the run may end.
func (t *thread) readsUnset(in *inst) bool {
	if t.m.opt.Unset && !in.x.idle {
		t.m.note(CheckRead, "memory is read that nobody has written", t.inProgram())
		return true
	}
	if !t.m.opt.Reads || in.x.idle {
		return true
	}
	t.m.res.Uninitialised = true
	return t.m.undefined(CheckRead, "a variable is read that is not initialised")
}

// decides checks a register whose value decides what happens: if it is indeterminate, the run may end.
func (t *thread) decides(f *frame, r int32) bool {
	if !f.tainted || f.taint[r] == 0 {
		return true
	}
	t.m.res.Uninitialised = true
	return t.m.undefined(CheckUninit, "an indeterminate value decides what happens")
}

// inProgram is the place of what the thread does in the program's own code: of the call, where the library does it.
func (t *thread) inProgram() *cir.Site {
	f := t.fr
	for f.fn.f.Library && f.caller != nil {
		f = f.caller
	}
	return f.site()
}
