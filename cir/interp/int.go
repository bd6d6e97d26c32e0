package interp

import (
	"math/bits"
	"strconv"

	"comus/cir"
)

// Integers of at most 64 bits: a register holds one extended by its sign. imm is 64 less the width.

const (
	signedOverflow = "signed integer overflow"
	divisionByZero = "division by zero"
)

func overflows(t *thread) bool { return t.m.undefined(CheckOverflow, signedOverflow) }

func addS(t *thread, f *frame, in *inst) bool {
	f.s[in.d].lo = uint64(int64((f.s[in.a].lo+f.s[in.b].lo)<<in.imm) >> in.imm)
	return true
}

func addU(t *thread, f *frame, in *inst) bool {
	f.s[in.d].lo = (f.s[in.a].lo + f.s[in.b].lo) << in.imm >> in.imm
	return true
}

func addChecked(t *thread, f *frame, in *inst) bool {
	r := f.s[in.a].lo + f.s[in.b].lo
	n := uint64(int64(r<<in.imm) >> in.imm)
	f.s[in.d].lo = n
	return n == r || overflows(t)
}

func addChecked64(t *thread, f *frame, in *inst) bool {
	x, y := f.s[in.a].lo, f.s[in.b].lo
	r := x + y
	f.s[in.d].lo = r
	return int64((x^r)&(y^r)) >= 0 || overflows(t)
}

func subS(t *thread, f *frame, in *inst) bool {
	f.s[in.d].lo = uint64(int64((f.s[in.a].lo-f.s[in.b].lo)<<in.imm) >> in.imm)
	return true
}

func subU(t *thread, f *frame, in *inst) bool {
	f.s[in.d].lo = (f.s[in.a].lo - f.s[in.b].lo) << in.imm >> in.imm
	return true
}

func subChecked(t *thread, f *frame, in *inst) bool {
	r := f.s[in.a].lo - f.s[in.b].lo
	n := uint64(int64(r<<in.imm) >> in.imm)
	f.s[in.d].lo = n
	return n == r || overflows(t)
}

func subChecked64(t *thread, f *frame, in *inst) bool {
	x, y := f.s[in.a].lo, f.s[in.b].lo
	r := x - y
	f.s[in.d].lo = r
	return int64((x^y)&(x^r)) >= 0 || overflows(t)
}

func mulS(t *thread, f *frame, in *inst) bool {
	f.s[in.d].lo = uint64(int64((f.s[in.a].lo*f.s[in.b].lo)<<in.imm) >> in.imm)
	return true
}

func mulU(t *thread, f *frame, in *inst) bool {
	f.s[in.d].lo = (f.s[in.a].lo * f.s[in.b].lo) << in.imm >> in.imm
	return true
}

func mulChecked(t *thread, f *frame, in *inst) bool {
	r := f.s[in.a].lo * f.s[in.b].lo
	n := uint64(int64(r<<in.imm) >> in.imm)
	f.s[in.d].lo = n
	return n == r || overflows(t)
}

func mulChecked64(t *thread, f *frame, in *inst) bool {
	x, y := f.s[in.a].lo, f.s[in.b].lo
	hi, lo := bits.Mul64(x, y)
	if int64(x) < 0 {
		hi -= y
	}
	if int64(y) < 0 {
		hi -= x
	}
	n := uint64(int64(lo<<in.imm) >> in.imm)
	f.s[in.d].lo = n
	return n == lo && hi == uint64(int64(lo)>>63) || overflows(t)
}

func divS(t *thread, f *frame, in *inst) bool {
	x, y := int64(f.s[in.a].lo), int64(f.s[in.b].lo)
	if y == 0 {
		return t.m.undefined(CheckDivision, divisionByZero)
	}
	r := uint64(x / y)
	n := uint64(int64(r<<in.imm) >> in.imm)
	f.s[in.d].lo = n
	if y == -1 && x<<in.imm == -1<<63 {
		return t.m.undefinedDivision()
	}
	return true
}

func divU(t *thread, f *frame, in *inst) bool {
	y := f.s[in.b].lo
	if y == 0 {
		return t.m.undefined(CheckDivision, divisionByZero)
	}
	f.s[in.d].lo = f.s[in.a].lo / y
	return true
}

func remS(t *thread, f *frame, in *inst) bool {
	x, y := int64(f.s[in.a].lo), int64(f.s[in.b].lo)
	if y == 0 {
		return t.m.undefined(CheckDivision, divisionByZero)
	}
	f.s[in.d].lo = uint64(x % y)
	if y == -1 && x<<in.imm == -1<<63 {
		return t.m.undefinedDivision()
	}
	return true
}

func remU(t *thread, f *frame, in *inst) bool {
	y := f.s[in.b].lo
	if y == 0 {
		return t.m.undefined(CheckDivision, divisionByZero)
	}
	f.s[in.d].lo = f.s[in.a].lo % y
	return true
}

// undefinedDivision ends the run: the smallest integer divided by -1. The processor stops there, too.
func (m *Machine) undefinedDivision() bool {
	m.stop(Undefined, CheckOverflow, signedOverflow+" of a division")
	return false
}

func and(t *thread, f *frame, in *inst) bool {
	f.s[in.d].lo = f.s[in.a].lo & f.s[in.b].lo
	return true
}

func or(t *thread, f *frame, in *inst) bool {
	f.s[in.d].lo = f.s[in.a].lo | f.s[in.b].lo
	return true
}

func xor(t *thread, f *frame, in *inst) bool {
	f.s[in.d].lo = f.s[in.a].lo ^ f.s[in.b].lo
	return true
}

// distance returns by how far a shift of a value of type x goes. Beyond the width, it is taken modulo that of
// the register, if the run goes on.
func (t *thread) distance(f *frame, in *inst) (n uint, ok bool) {
	s, x, y := f.s[in.b], in.x.types[0], in.x.types[1]
	if s.lo < uint64(x.Bits) && (y.Bits <= 64 || s.hi == 0) {
		return uint(s.lo), true
	}
	if !t.m.undefined(CheckShift, "shift of "+strconv.Itoa(x.Bits)+" bits by "+decimal(s, y)) {
		return 0, false
	}
	switch {
	case x.Bits <= 32:
		return uint(s.lo % 32), true
	case x.Bits <= 64:
		return uint(s.lo % 64), true
	}
	return uint(s.lo % 128), true
}

func shl(t *thread, f *frame, in *inst) bool {
	x := f.s[in.a].lo
	n, ok := t.distance(f, in)
	if !ok {
		return false
	}
	if !in.x.types[0].Signed {
		f.s[in.d].lo = x << n << in.imm >> in.imm
		return true
	}
	r := x << n
	v := uint64(int64(r<<in.imm) >> in.imm)
	f.s[in.d].lo = v
	if in.x.why != "" { // wraps
		return true
	}
	if int64(x) < 0 {
		return t.m.undefined(CheckShift, "left shift of a negative value")
	}
	if v != r || int64(v) < 0 || r>>n != x {
		return t.m.undefined(CheckShift, "left shift overflows")
	}
	return true
}

func shrS(t *thread, f *frame, in *inst) bool {
	n, ok := t.distance(f, in)
	f.s[in.d].lo = uint64(int64(f.s[in.a].lo) >> n)
	return ok
}

func shrU(t *thread, f *frame, in *inst) bool {
	n, ok := t.distance(f, in)
	f.s[in.d].lo = f.s[in.a].lo >> n
	return ok
}

func negSigned(t *thread, f *frame, in *inst) bool {
	x := f.s[in.a].lo
	f.s[in.d].lo = uint64(int64(-x<<in.imm) >> in.imm)
	return x<<in.imm != 1<<63 || overflows(t)
}

// extend brings the low bits of v to the form of a register of type t, of at most 64 bits.
func extend(v uint64, t cir.Type) uint64 {
	sh := 64 - uint(t.Bits)
	if t.Signed {
		return uint64(int64(v<<sh) >> sh)
	}
	return v << sh >> sh
}

func negWrap(t *thread, f *frame, in *inst) bool {
	f.s[in.d].lo = extend(-f.s[in.a].lo, in.x.types[0])
	return true
}

func not(t *thread, f *frame, in *inst) bool {
	f.s[in.d].lo = extend(^f.s[in.a].lo, in.x.types[0])
	return true
}

func clz(t *thread, f *frame, in *inst) bool {
	x := f.s[in.a].lo << in.imm
	f.s[in.d].lo = uint64(bits.LeadingZeros64(x))
	if x == 0 {
		f.s[in.d].lo = 63 - in.imm
		return t.m.undefined(CheckBits, "__builtin_clz(0)")
	}
	return true
}

func ctz(t *thread, f *frame, in *inst) bool {
	x := f.s[in.a].lo << in.imm >> in.imm
	f.s[in.d].lo = uint64(bits.TrailingZeros64(x))
	if x == 0 {
		f.s[in.d].lo = 0
		return t.m.undefined(CheckBits, "__builtin_ctz(0)")
	}
	return true
}

func popcount(t *thread, f *frame, in *inst) bool {
	f.s[in.d].lo = uint64(bits.OnesCount64(f.s[in.a].lo << in.imm))
	return true
}

func bswap(t *thread, f *frame, in *inst) bool {
	f.s[in.d].lo = extend(bits.ReverseBytes64(f.s[in.a].lo)>>in.imm, in.x.types[0])
	return true
}

// truth makes a bool a register's value.
func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func eq(t *thread, f *frame, in *inst) bool {
	f.s[in.d].lo = truth(f.s[in.a].lo == f.s[in.b].lo)
	return true
}

func ne(t *thread, f *frame, in *inst) bool {
	f.s[in.d].lo = truth(f.s[in.a].lo != f.s[in.b].lo)
	return true
}

func ltS(t *thread, f *frame, in *inst) bool {
	f.s[in.d].lo = truth(int64(f.s[in.a].lo) < int64(f.s[in.b].lo))
	return true
}

func leS(t *thread, f *frame, in *inst) bool {
	f.s[in.d].lo = truth(int64(f.s[in.a].lo) <= int64(f.s[in.b].lo))
	return true
}

func ltU(t *thread, f *frame, in *inst) bool {
	f.s[in.d].lo = truth(f.s[in.a].lo < f.s[in.b].lo)
	return true
}

func leU(t *thread, f *frame, in *inst) bool {
	f.s[in.d].lo = truth(f.s[in.a].lo <= f.s[in.b].lo)
	return true
}

func extS(t *thread, f *frame, in *inst) bool {
	f.s[in.d].lo = uint64(int64(f.s[in.a].lo<<in.imm) >> in.imm)
	return true
}

func extU(t *thread, f *frame, in *inst) bool {
	f.s[in.d].lo = f.s[in.a].lo << in.imm >> in.imm
	return true
}

func intToBool(t *thread, f *frame, in *inst) bool {
	f.s[in.d].lo = truth(f.s[in.a].lo != 0)
	return true
}

func move1(t *thread, f *frame, in *inst) bool {
	f.s[in.d] = f.s[in.a]
	return true
}

func doSelect(t *thread, f *frame, in *inst) bool {
	if f.s[in.c].lo != 0 {
		f.s[in.d] = f.s[in.a]
	} else {
		f.s[in.d] = f.s[in.b]
	}
	return true
}
