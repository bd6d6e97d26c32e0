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

// window returns the bytes that hold a big-endian bit-field, as bits of an object of an integer type, and the
// distance of the field from their least significant bit. Of the field's place the layout tells the offset
// counted from the most significant bit of the first byte.
func (f *fn) window(l lval) (lval, cir.Type, int) {
	n := (l.bits.Offset + l.bits.Width + 7) / 8
	it := cir.U64
	if n > 8 {
		it = cir.Type{Kind: cir.IntKind, Bits: 128}
	}
	t := &types.Type{Kind: types.Int, Bits: it.Bits, Size: int64(it.Bits / 8), Align: 1, Quals: l.t.Quals}
	w := lval{base: l.base, disp: l.disp, align: 1, t: t, bits: &cir.Bits{Width: n * 8}}
	return w, it, n*8 - l.bits.Offset - l.bits.Width
}

// swapped reads the window with its bytes in order.
func (f *fn) swapped(w lval, it cir.Type) cir.Value {
	d := f.reg(it)
	f.emit(&cir.Load{Dst: d, Addr: f.address(w), Access: f.access(w, it)})
	return f.shifted(cir.Shr, f.unaryOp(cir.Bswap, d), it.Bits-w.bits.Width)
}

// shifted shifts by a constant.
func (f *fn) shifted(op cir.Op, v cir.Value, n int) cir.Value {
	if n == 0 {
		return v
	}
	return f.binary(op, v, cir.IntOf(cir.U32, int64(n)))
}

// loadSwappedBits reads a bit-field in big-endian order.
func (f *fn) loadSwappedBits(l lval, st cir.Type) cir.Value {
	w, it, low := f.window(l)
	v := f.shifted(cir.Shr, f.swapped(w, it), low)
	v = f.binary(cir.And, v, maskOf(it, l.bits.Width))
	return f.narrow(f.convert(v, st), l.bits.Width)
}

// storeSwappedBits writes a bit-field in big-endian order.
func (f *fn) storeSwappedBits(l lval, v cir.Value) {
	w, it, low := f.window(l)
	mask := maskOf(it, l.bits.Width)
	x := f.shifted(cir.Shl, f.binary(cir.And, f.convert(v, it), mask), low)
	hole := f.unaryOp(cir.Not, f.shifted(cir.Shl, mask, low))
	x = f.binary(cir.Or, f.binary(cir.And, f.swapped(w, it), hole), x)
	x = f.unaryOp(cir.Bswap, f.shifted(cir.Shl, x, it.Bits-w.bits.Width))
	f.emit(&cir.Store{Addr: f.address(w), X: x, Access: f.access(w, it)})
}

// swaps tells whether there may be big-endian records in an object of type t.
func (u *unit) swaps(t *types.Type) bool {
	for t.Kind == types.Array {
		t = t.Elem
	}
	if t.Rec == nil {
		return false
	}
	known, ok := u.bigEndian[t.Rec]
	if ok {
		return known
	}
	u.bigEndian[t.Rec] = t.Rec.BigEndian
	for _, m := range t.Rec.Fields {
		if u.swaps(m.Type) {
			u.bigEndian[t.Rec] = true
		}
	}
	return u.bigEndian[t.Rec]
}

// swapAt tells whether the scalar at an offset of an object of type t is in big-endian order.
func swapAt(t *types.Type, offset int64) bool {
	swap := false
	for {
		switch {
		case t.Kind == types.Array && t.Elem.Size > 0:
			offset %= t.Elem.Size
			t = t.Elem
		case t.Rec != nil:
			swap = t.Rec.BigEndian
			m := fieldAt(t.Rec, offset)
			if m == nil || m.BitField {
				return swap
			}
			offset -= m.Offset
			t = m.Type
		default:
			return swap
		}
	}
}

// fieldAt returns the member at an offset.
func fieldAt(r *types.Record, offset int64) *types.Field {
	for i := range r.Fields {
		m := &r.Fields[i]
		if m.Offset <= offset && (offset < m.Offset+m.Type.Size || offset == m.Offset) {
			return m
		}
	}
	return nil
}
