package build

import (
	"comus/cfront/types"
	"comus/cir"
)

// Members of records with attribute scalar_storage_order("big-endian"): their bytes stand in the other order, and
// bit-fields are counted from the most significant bit of the first byte.

// loadSwapped reads a scalar in big-endian order.
func (f *fn) loadSwapped(l lval) val {
	st := f.u.scalar(l.t)
	if l.bits != nil {
		return val{v: f.loadSwappedBits(l, st)}
	}
	it := intOfSize(l.t.Size)
	d := f.reg(it)
	f.emit(&cir.Load{Dst: d, Addr: f.address(l), Access: f.access(l, it)})
	return val{v: f.fromBits(f.unaryOp(cir.Bswap, d), st)}
}

// fromBits makes a scalar of the bits of an unsigned integer of its size.
func (f *fn) fromBits(v cir.Value, t cir.Type) cir.Value {
	if !t.IsFloat() {
		return f.convert(v, t)
	}
	d := f.reg(t)
	f.emit(&cir.Bitcast{Dst: d, X: v})
	return d
}

// toBits is the inverse of fromBits.
func (f *fn) toBits(v cir.Value, it cir.Type) cir.Value {
	if !f.typeOf(v).IsFloat() {
		return f.convert(v, it)
	}
	d := f.reg(it)
	f.emit(&cir.Bitcast{Dst: d, X: v})
	return d
}

// storeSwapped writes a scalar in big-endian order.
func (f *fn) storeSwapped(l lval, v val) val {
	if l.bits != nil {
		f.storeSwappedBits(l, v.v)
		return val{v: f.narrow(v.v, l.bits.Width)}
	}
	it := intOfSize(l.t.Size)
	x := f.unaryOp(cir.Bswap, f.toBits(v.v, it))
	f.emit(&cir.Store{Addr: f.address(l), X: x, Access: f.access(l, it)})
	return v
}

// window returns the bytes that hold a big-endian bit-field, as an object of an integer type, and the
// distance of the field from its least significant bit. Of the field's place the layout tells the offset
// counted from the most significant bit of the first byte.
func (f *fn) window(l lval) (lval, cir.Type, int) {
	n := int64(1)
	for n*8 < int64(l.bits.Offset+l.bits.Width) {
		n *= 2
	}
	it := intOfSize(n)
	w := lval{base: l.base, disp: l.disp, align: 1, t: &types.Type{Kind: types.Int, Bits: it.Bits, Size: n, Align: 1, Quals: l.t.Quals}}
	return w, it, it.Bits - l.bits.Offset - l.bits.Width
}

// swapped reads the window with its bytes in order.
func (f *fn) swapped(w lval, it cir.Type) cir.Value {
	d := f.reg(it)
	f.emit(&cir.Load{Dst: d, Addr: f.address(w), Access: f.access(w, it)})
	if it.Bits == 8 {
		return d
	}
	return f.unaryOp(cir.Bswap, d)
}

// loadSwappedBits reads a bit-field in big-endian order.
func (f *fn) loadSwappedBits(l lval, st cir.Type) cir.Value {
	w, it, low := f.window(l)
	v := f.binary(cir.Shr, f.swapped(w, it), cir.IntOf(cir.U32, int64(low)))
	v = f.binary(cir.And, v, maskOf(it, l.bits.Width))
	return f.narrow(f.convert(v, st), l.bits.Width)
}

// storeSwappedBits writes a bit-field in big-endian order.
func (f *fn) storeSwappedBits(l lval, v cir.Value) {
	w, it, low := f.window(l)
	mask := maskOf(it, l.bits.Width)
	x := f.binary(cir.And, f.convert(v, it), mask)
	x = f.binary(cir.Shl, x, cir.IntOf(cir.U32, int64(low)))
	hole := f.unaryOp(cir.Not, f.binary(cir.Shl, mask, cir.IntOf(cir.U32, int64(low))))
	x = f.binary(cir.Or, f.binary(cir.And, f.swapped(w, it), hole), x)
	if it.Bits > 8 {
		x = f.unaryOp(cir.Bswap, x)
	}
	f.emit(&cir.Store{Addr: f.address(w), X: x, Access: f.access(w, it)})
}
