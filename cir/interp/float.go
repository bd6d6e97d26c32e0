package interp

import (
	"math"
	"math/big"

	"comus/cir"
)

// Floats of 32 and 64 bits are Go's; NaNs are those of x86's SSE unit: the first operand's, quiet, or the
// default NaN, whose sign is set.

const (
	quiet64   = 1 << 51
	quiet32   = 1 << 22
	default64 = 0xfff8 << 48
	default32 = 0xffc00000
)

// floatOp returns what performs an operator on floats.
func floatOp(op cir.Op, t cir.Type) handler {
	if op > cir.Div {
		return nil
	}
	switch t.Bits {
	case 64:
		return [...]handler{fadd, fsub, fmul, fdiv}[op]
	case 32:
		return [...]handler{fadd32, fsub32, fmul32, fdiv32}[op]
	}
	return softBinary
}

// put64 stores the result of an operation on x and y.
func put64(d *slot, r float64, x, y uint64) bool {
	if r != r {
		switch {
		case math.IsNaN(math.Float64frombits(x)):
			d.lo = x | quiet64
		case math.IsNaN(math.Float64frombits(y)):
			d.lo = y | quiet64
		default:
			d.lo = default64
		}
		return true
	}
	d.lo = math.Float64bits(r)
	return true
}

// put32 is put64 for 32 bits.
func put32(d *slot, r float32, x, y uint64) bool {
	if r != r {
		switch {
		case isNaN32(x):
			d.lo = x | quiet32
		case isNaN32(y):
			d.lo = y | quiet32
		default:
			d.lo = default32
		}
		return true
	}
	d.lo = uint64(math.Float32bits(r))
	return true
}

func isNaN32(x uint64) bool { return x&0x7fffffff > 0x7f800000 }

func f64(x uint64) float64 { return math.Float64frombits(x) }
func f32(x uint64) float32 { return math.Float32frombits(uint32(x)) }

func fadd(t *thread, f *frame, in *inst) bool {
	x, y := f.s[in.a].lo, f.s[in.b].lo
	return put64(&f.s[in.d], float64(f64(x)+f64(y)), x, y)
}

func fsub(t *thread, f *frame, in *inst) bool {
	x, y := f.s[in.a].lo, f.s[in.b].lo
	return put64(&f.s[in.d], float64(f64(x)-f64(y)), x, y)
}

func fmul(t *thread, f *frame, in *inst) bool {
	x, y := f.s[in.a].lo, f.s[in.b].lo
	return put64(&f.s[in.d], float64(f64(x)*f64(y)), x, y)
}

func fdiv(t *thread, f *frame, in *inst) bool {
	x, y := f.s[in.a].lo, f.s[in.b].lo
	return put64(&f.s[in.d], float64(f64(x)/f64(y)), x, y)
}

func fadd32(t *thread, f *frame, in *inst) bool {
	x, y := f.s[in.a].lo, f.s[in.b].lo
	return put32(&f.s[in.d], float32(f32(x)+f32(y)), x, y)
}

func fsub32(t *thread, f *frame, in *inst) bool {
	x, y := f.s[in.a].lo, f.s[in.b].lo
	return put32(&f.s[in.d], float32(f32(x)-f32(y)), x, y)
}

func fmul32(t *thread, f *frame, in *inst) bool {
	x, y := f.s[in.a].lo, f.s[in.b].lo
	return put32(&f.s[in.d], float32(f32(x)*f32(y)), x, y)
}

func fdiv32(t *thread, f *frame, in *inst) bool {
	x, y := f.s[in.a].lo, f.s[in.b].lo
	return put32(&f.s[in.d], float32(f32(x)/f32(y)), x, y)
}

func softBinary(t *thread, f *frame, in *inst) bool {
	ty := in.x.types[0]
	r := pack(softOp(cir.Op(in.c), unpack(f.s[in.a], ty), unpack(f.s[in.b], ty)), ty)
	f.s[in.d].lo, f.s[in.d].hi = r.lo, r.hi
	return true
}

// flipSign changes or clears the sign bit.
func flipSign(s slot, t cir.Type, clear bool) slot {
	p, bit := &s.lo, uint(t.Bits-1)
	if t.Bits > 64 {
		p, bit = &s.hi, uint(t.Bits-1-64)
	}
	if clear {
		*p &^= 1 << bit
	} else {
		*p ^= 1 << bit
	}
	return s
}

func fneg(t *thread, f *frame, in *inst) bool {
	f.s[in.d] = flipSign(f.s[in.a], in.x.types[0], false)
	return true
}

func fabs(t *thread, f *frame, in *inst) bool {
	f.s[in.d] = flipSign(f.s[in.a], in.x.types[0], true)
	return true
}

func fsqrt(t *thread, f *frame, in *inst) bool {
	x, d := f.s[in.a], &f.s[in.d]
	switch ty := in.x.types[0]; ty.Bits {
	case 64:
		return put64(d, math.Sqrt(f64(x.lo)), x.lo, x.lo)
	case 32:
		return put32(d, float32(math.Sqrt(float64(f32(x.lo)))), x.lo, x.lo)
	default:
		*d = pack(softSqrt(unpack(x, ty)), ty)
	}
	return true
}

func feq(t *thread, f *frame, in *inst) bool {
	f.s[in.d].lo = truth(f64(f.s[in.a].lo) == f64(f.s[in.b].lo))
	return true
}

func fne(t *thread, f *frame, in *inst) bool {
	f.s[in.d].lo = truth(f64(f.s[in.a].lo) != f64(f.s[in.b].lo))
	return true
}

func flt(t *thread, f *frame, in *inst) bool {
	f.s[in.d].lo = truth(f64(f.s[in.a].lo) < f64(f.s[in.b].lo))
	return true
}

func fle(t *thread, f *frame, in *inst) bool {
	f.s[in.d].lo = truth(f64(f.s[in.a].lo) <= f64(f.s[in.b].lo))
	return true
}

func feq32(t *thread, f *frame, in *inst) bool {
	f.s[in.d].lo = truth(f32(f.s[in.a].lo) == f32(f.s[in.b].lo))
	return true
}

func fne32(t *thread, f *frame, in *inst) bool {
	f.s[in.d].lo = truth(f32(f.s[in.a].lo) != f32(f.s[in.b].lo))
	return true
}

func flt32(t *thread, f *frame, in *inst) bool {
	f.s[in.d].lo = truth(f32(f.s[in.a].lo) < f32(f.s[in.b].lo))
	return true
}

func fle32(t *thread, f *frame, in *inst) bool {
	f.s[in.d].lo = truth(f32(f.s[in.a].lo) <= f32(f.s[in.b].lo))
	return true
}

func softCompare(t *thread, f *frame, in *inst) bool {
	ty := in.x.types[0]
	x, y := unpack(f.s[in.a], ty), unpack(f.s[in.b], ty)
	if x.class == nan || y.class == nan {
		f.s[in.d].lo = truth(cir.Pred(in.c) == cir.Ne)
		return true
	}
	n := softCmp(x, y)
	f.s[in.d].lo = truth(byPred(cir.Pred(in.c), n < 0, n == 0))
	return true
}

func intToF64(t *thread, f *frame, in *inst) bool {
	x := f.s[in.a].lo
	r := float64(int64(x))
	if !in.x.types[1].Signed {
		r = float64(x)
	}
	f.s[in.d].lo = math.Float64bits(r)
	return true
}

func intToF32(t *thread, f *frame, in *inst) bool {
	x := f.s[in.a].lo
	r := float32(int64(x))
	if !in.x.types[1].Signed {
		r = float32(x)
	}
	f.s[in.d].lo = uint64(math.Float32bits(r))
	return true
}

func intToSoft(t *thread, f *frame, in *inst) bool {
	f.s[in.d] = pack(softInt(bigOf(f.s[in.a], in.x.types[1])), in.x.types[0])
	return true
}

func softToSoft(t *thread, f *frame, in *inst) bool {
	f.s[in.d] = pack(unpack(f.s[in.a], in.x.types[1]), in.x.types[0])
	return true
}

func f32to64(t *thread, f *frame, in *inst) bool {
	x := f.s[in.a].lo
	if isNaN32(x) {
		f.s[in.d].lo = x>>31<<63 | 0x7ff8<<48 | x&0x7fffff<<29
		return true
	}
	f.s[in.d].lo = math.Float64bits(float64(f32(x)))
	return true
}

func f64to32(t *thread, f *frame, in *inst) bool {
	x := f.s[in.a].lo
	if v := f64(x); v != v {
		f.s[in.d].lo = x>>63<<31 | 0x7fc00000 | x>>29&0x7fffff
		return true
	}
	f.s[in.d].lo = uint64(math.Float32bits(float32(f64(x))))
	return true
}

// floatToInt converts from 32 or 64 bits to at most 64.
func floatToInt(t *thread, f *frame, in *inst) bool {
	to, from := in.x.types[0], in.x.types[1]
	v := f64(f.s[in.a].lo)
	if from.Bits == 32 {
		v = float64(f32(f.s[in.a].lo))
	}
	d := &f.s[in.d].lo
	if to == cir.Bool {
		*d = truth(v != 0)
		return true
	}
	// Powers of two are exact, and so is the comparison with them.
	w := math.Trunc(v)
	lo, hi := 0.0, math.Ldexp(1, to.Bits)
	if to.Signed {
		lo, hi = -math.Ldexp(1, to.Bits-1), math.Ldexp(1, to.Bits-1)
	}
	if w >= lo && w < hi {
		if to.Signed {
			*d = uint64(int64(w))
		} else {
			*d = fromUnsigned(w)
		}
		return true
	}
	*d = extend(processorInt(v, to), to)
	return t.m.undefined(CheckConversion, "a float that the integer type cannot hold is converted")
}

// fromUnsigned is an integer from 0 to 2^64-1.
func fromUnsigned(w float64) uint64 {
	if w >= 1<<63 {
		return uint64(int64(w-1<<63)) ^ 1<<63
	}
	return uint64(int64(w))
}

// processorInt is what gcc's code for x86-64 makes of a float out of range.
func processorInt(v float64, to cir.Type) uint64 {
	cvt := func(v float64, bits int) uint64 {
		if w := math.Trunc(v); w >= -math.Ldexp(1, bits-1) && w < math.Ldexp(1, bits-1) {
			return uint64(int64(w))
		}
		return 1 << (bits - 1)
	}
	switch {
	case to.Bits < 32 || to.Bits == 32 && to.Signed:
		return cvt(v, 32)
	case to.Bits < 64 || to.Signed:
		return cvt(v, 64)
	case v >= 1<<63:
		return cvt(v-1<<63, 64) ^ 1<<63
	}
	return cvt(v, 64)
}

// softToInt converts any float to any integer.
func softToInt(t *thread, f *frame, in *inst) bool {
	to, from := in.x.types[0], in.x.types[1]
	v := unpack(f.s[in.a], from)
	if to == cir.Bool {
		f.s[in.d] = slot{lo: truth(v.class != zero)}
		return true
	}
	n, ok := new(big.Int), false
	if v.class < infinite && v.exp <= 256 {
		n, ok = v.truncate(), true
	}
	s, fits := ofBig(n, to)
	if ok && fits {
		f.s[in.d] = s
		return true
	}
	f.s[in.d] = softOutOfRange(v, n, ok, from, to)
	return t.m.undefined(CheckConversion, "a float that the integer type cannot hold is converted")
}

// softOutOfRange is what gcc's code makes of a float out of range: n is its value, if ok.
func softOutOfRange(v soft, n *big.Int, ok bool, from, to cir.Type) slot {
	bits, sign := 64, true
	switch {
	case from.Bits == 128 && to.Bits < 32:
		bits, sign = 32, to.Signed
	case from.Bits == 128:
		bits, sign = to.Bits, to.Signed
	case to.Bits > 64:
		bits, sign = to.Bits, to.Signed // not what libgcc does
	case from.Bits == 80 && (to.Bits == 8 || to.Bits == 16 && to.Signed):
		bits = 16
	case to.Bits < 32 || to.Bits == 32 && to.Signed:
		bits = 32
	}
	in := cir.Type{Kind: cir.IntKind, Bits: bits, Signed: sign}
	if from.Bits == 128 || to.Bits > 64 { // libgcc saturates
		least, most := slot{}, normal(^uint64(0), ^uint64(0), cir.Type{Kind: cir.IntKind, Bits: bits})
		if sign {
			most = shiftRight(most, 1, false)
			least = normal(^most.lo, ^most.hi, in)
		}
		r := most
		switch s, fits := ofBig(n, in); {
		case ok && fits:
			r = s
		case v.neg:
			r = least
		}
		return normal(r.lo, r.hi, to)
	}
	if to.Bits == 64 && !to.Signed && !v.neg && v.class != nan && (!ok || n.BitLen() >= 64) {
		return slot{} // the processor's conversion of x - 2^63 fails
	}
	r := slot{lo: 1 << (bits - 1)}
	if ok {
		if s, fits := ofBig(n, in); fits {
			r = s
		}
	}
	return slot{lo: extend(r.lo, to)}
}

func bitcast(t *thread, f *frame, in *inst) bool {
	to, from := in.x.types[0], in.x.types[1]
	x := f.s[in.a]
	if from.IsInt() {
		x = widen(x, cir.Type{Kind: cir.IntKind, Bits: from.Bits})
	}
	if to.IsInt() {
		x = normal(x.lo, x.hi, to)
	} else if to.Bits < 64 {
		x.lo &= 1<<to.Bits - 1
	}
	f.s[in.d].lo, f.s[in.d].hi = x.lo, x.hi
	return true
}
