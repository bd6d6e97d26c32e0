package build

import (
	"math/big"
	"slices"

	"comus/cfront/tree"
	"comus/cfront/types"
	"comus/cir"
)

// data is the contents of an object with static storage duration, in the making.
type data struct {
	u      *unit
	bytes  []byte // what lies behind is 0
	relocs []cir.Reloc
}

// finish returns the contents.
func (d *data) finish() ([]byte, []cir.Reloc) {
	sortRelocs(d.relocs)
	return trim(d.bytes), d.relocs
}

// init lays the initialiser of an object of type t out at an offset.
func (d *data) init(at int64, t *types.Type, init *tree.Init) {
	if init != nil {
		d.items(at, t, settle(init.Items))
	}
}

// items lays items of an object of type t out.
func (d *data) items(at int64, t *types.Type, items []tree.InitItem) {
	swaps := d.u.swaps(t)
	for _, it := range items {
		at := at + it.Offset
		swap := swaps && swapAt(t, it.Offset)
		switch {
		case it.Bits != nil:
			d.bits(at, it, swap)
		case swap && it.Type.Size > 1 && !inMemory(it.Type):
			d.value(at, it.Type, it.X)
			d.need(at + it.Type.Size)
			slices.Reverse(d.bytes[at : at+it.Type.Size])
		default:
			d.value(at, it.Type, it.X)
		}
	}
}

// bits lays a bit-field out.
func (d *data) bits(at int64, it tree.InitItem, swap bool) {
	c, ok := d.u.constValue(it.X, d.u.scalar(it.Type)).(cir.Int)
	if !ok {
		refuse(it.X.At(), "the initialiser of a bit-field is not constant")
	}
	n := int64(it.Bits.Offset+it.Bits.Width+7) / 8
	d.need(at + n)
	for k := 0; k < it.Bits.Width; k++ {
		bit := c.Lo >> k & 1
		if k >= 64 {
			bit = c.Hi >> (k - 64) & 1
		}
		p := it.Bits.Offset + k
		if swap {
			p = it.Bits.Offset + it.Bits.Width - 1 - k
			p = p&^7 | 7 - p&7
		}
		b := &d.bytes[at+int64(p/8)]
		*b = *b&^(1<<(p%8)) | byte(bit)<<(p%8)
	}
}

// need makes the bytes up to n exist.
func (d *data) need(n int64) {
	if n > int64(len(d.bytes)) {
		d.bytes = append(d.bytes, make([]byte, n-int64(len(d.bytes)))...)
	}
}

// clear makes n bytes 0 and drops addresses in them.
func (d *data) clear(at, n int64) {
	if at < int64(len(d.bytes)) {
		clear(d.bytes[at:min(at+n, int64(len(d.bytes)))])
	}
	kept := d.relocs[:0]
	for _, r := range d.relocs {
		if r.Offset+int64(d.u.model.PointerBits/8) <= at || r.Offset >= at+n {
			kept = append(kept, r)
		}
	}
	d.relocs = kept
}

// put lays a number of size bytes out.
func (d *data) put(at, size int64, lo, hi uint64) {
	if lo|hi == 0 && at >= int64(len(d.bytes)) {
		return
	}
	d.need(at + size)
	for k := range size {
		switch {
		case k < 8:
			d.bytes[at+k] = byte(lo >> (8 * k))
		case k < 16:
			d.bytes[at+k] = byte(hi >> (8 * (k - 8)))
		default:
			d.bytes[at+k] = 0
		}
	}
}

// value lays the value of an expression of type t out.
func (d *data) value(at int64, t *types.Type, e tree.Expr) {
	if len(d.relocs) > 0 && d.relocs[len(d.relocs)-1].Offset >= at-15 {
		d.clear(at, max(t.Size, 0))
	}
	if s, ok := e.(*tree.String); ok && t.Kind == types.Array {
		n := int64(len(s.Data))
		if t.Size >= 0 {
			n = min(n, t.Size)
		}
		b := trim(s.Data[:n])
		d.clear(at, n)
		d.need(at + int64(len(b)))
		copy(d.bytes[at:], b)
		return
	}
	switch {
	case isRecord(t):
		d.record(at, e)
	case hasParts(t):
		for i, p := range d.u.constParts(e, t) {
			d.scalar(at+int64(i)*t.Elem.Size, d.u.scalar(t.Elem), p, e)
		}
	default:
		d.scalar(at, d.u.scalar(t), d.u.constValue(e, d.u.scalar(t)), e)
	}
}

// record lays a constant struct out: a compound literal, or a constant object's value (GNU).
func (d *data) record(at int64, e tree.Expr) {
	for {
		switch x := e.(type) {
		case *tree.Load:
			e = x.L
			continue
		case *tree.Convert:
			if x.Typ.Kind == types.Union && x.V.Type().Kind != types.Union {
				d.value(at, x.V.Type(), x.V)
				return
			}
			e = x.V
			continue
		case *tree.CompoundLit:
			d.init(at, x.Typ, x.Init)
			return
		case *tree.VarRef:
			if x.Var.Storage != tree.Auto {
				d.init(at, x.Var.Type, x.Var.Init)
				return
			}
		}
		refuse(e.At(), "an initialiser is not constant")
	}
}

// scalar lays a constant operand out.
func (d *data) scalar(at int64, t cir.Type, v cir.Value, e tree.Expr) {
	size := d.u.model.SizeOf(t)
	switch v := v.(type) {
	case cir.Int:
		d.put(at, size, v.Lo, v.Hi)
	case cir.Float:
		d.put(at, size, v.Lo, v.Hi)
	case cir.Null:
		d.put(at, size, v.Addr, 0)
	case address:
		if size != int64(d.u.model.PointerBits/8) {
			refuse(e.At(), "an address in %d bytes", size)
		}
		d.relocs = append(d.relocs, cir.Reloc{Offset: at, Target: v.sym, Addend: v.addend})
	default:
		refuse(e.At(), "an initialiser is not constant")
	}
}

// address is the address of a symbol plus a number of bytes, as a constant.
type address struct {
	cir.Value
	sym    cir.Symbol
	addend int64
}

// constParts evaluates a constant complex number or vector.
func (u *unit) constParts(e tree.Expr, t *types.Type) []cir.Value {
	et := u.scalar(t.Elem)
	vs := make([]cir.Value, parts(t))
	for i := range vs {
		vs[i] = zeroOf(et)
	}
	switch e := e.(type) {
	case *tree.ComplexConst:
		return []cir.Value{partConst(et, e.Re), partConst(et, e.Im)}
	case *tree.VectorLit:
		for i, x := range e.Elems {
			vs[i] = u.constValue(x, et)
		}
		return vs
	case *tree.Load:
		if c, ok := e.L.(*tree.CompoundLit); ok {
			return u.constItems(c.Init, t, vs)
		}
	case *tree.Convert:
		if hasParts(e.V.Type()) {
			vs := u.constParts(e.V, e.V.Type())
			for i := range vs {
				vs[i] = u.constConvert(vs[i], et, e)
			}
			return vs
		}
		vs[0] = u.constValue(e.V, et)
		return vs
	case *tree.Unary:
		vs := u.constParts(e.V, e.V.Type())
		for i := range vs {
			if e.Op == tree.Neg || e.Op == tree.Conj && i == 1 {
				vs[i] = u.constNeg(vs[i])
			}
		}
		return vs
	case *tree.IntConst, *tree.FloatConst:
		vs[0] = u.constValue(e, et)
		return vs
	}
	refuse(e.At(), "an initialiser is not constant")
	return nil
}

// constItems evaluates the items of a constant compound literal.
func (u *unit) constItems(init *tree.Init, t *types.Type, vs []cir.Value) []cir.Value {
	if init == nil {
		return vs
	}
	for _, it := range init.Items {
		if it.Type.Kind == t.Kind {
			return u.constParts(it.X, t)
		}
		vs[it.Offset/t.Elem.Size] = u.constValue(it.X, u.scalar(t.Elem))
	}
	return vs
}

// constValue evaluates a constant scalar of type t: cir.Int, cir.Float, cir.Null or address.
func (u *unit) constValue(e tree.Expr, t cir.Type) cir.Value {
	return u.constConvert(u.constScalar(e), t, e)
}

// constScalar evaluates a constant scalar.
func (u *unit) constScalar(e tree.Expr) cir.Value {
	switch e := e.(type) {
	case *tree.IntConst:
		return u.intValue(e)
	case *tree.FloatConst:
		return u.floatValue(e)
	case *tree.Convert:
		if e.V.Type().Kind == types.Complex {
			return u.constConvert(u.constParts(e.V, e.V.Type())[0], u.scalar(e.Typ), e)
		}
		if isDecimal(e.Typ) || isDecimal(e.V.Type()) {
			refuse(e.Site, "a constant conversion of decimal floating point")
		}
		return u.constValue(e.V, u.scalar(e.Typ))
	case *tree.Unary:
		v := u.constScalar(e.V)
		switch e.Op {
		case tree.Neg:
			return u.constNeg(v)
		case tree.BitNot:
			if c, ok := v.(cir.Int); ok {
				return cir.Int{Type: c.Type, Lo: ^c.Lo, Hi: ^c.Hi}.Normal()
			}
		}
		return v
	case *tree.Load:
		return u.constLoad(e)
	case *tree.Cond:
		if c, ok := u.constValue(e.C, cir.Bool).(cir.Int); ok && e.Then != nil {
			if c.Lo != 0 {
				return u.constValue(e.Then, u.scalar(e.Typ))
			}
			return u.constValue(e.Else, u.scalar(e.Typ))
		}
	case *tree.Binary:
		return u.constBinary(e)
	case *tree.Decay:
		return u.constAddr(e.L)
	case *tree.AddrOf:
		return u.constAddr(e.L)
	case *tree.FuncRef:
		return address{sym: u.fun(e.Func)}
	case *tree.LabelAddr:
		return u.labelAddr(e.Label)
	case *tree.PtrAdd:
		return u.constPtrAdd(e)
	case *tree.PtrDiff:
		return u.constPtrDiff(e)
	}
	refuse(e.At(), "an initialiser is not constant")
	return nil
}

// constNeg is -v.
func (u *unit) constNeg(v cir.Value) cir.Value {
	switch v := v.(type) {
	case cir.Int:
		x := new(big.Int).Neg(v.Big())
		return intConst(v.Type, x)
	case cir.Float:
		f := formatOf(v.Type.Bits)
		bit := f.exp + f.frac
		if f.explicit {
			bit++
		}
		if bit < 64 {
			v.Lo ^= 1 << bit
		} else {
			v.Hi ^= 1 << (bit - 64)
		}
		return v
	}
	return v
}

// constConvert converts a constant.
func (u *unit) constConvert(v cir.Value, t cir.Type, e tree.Expr) cir.Value {
	switch c := v.(type) {
	case cir.Int:
		switch {
		case t == cir.Bool:
			return cir.Int{Type: t, Lo: b2i(c.Lo|c.Hi != 0)}
		case t.IsInt():
			c.Type = t
			return c.Normal()
		case t.IsFloat():
			return encode(t, new(big.Float).SetPrec(200).SetInt(c.Big()))
		}
		return cir.Null{Addr: u.wrapAddress(c.Lo)}
	case cir.Null:
		if t.IsPointer() {
			return c
		}
		if t.IsInt() && t != cir.Bool {
			return u.model.FromAddress(t, c.Addr)
		}
		return u.constConvert(cir.Int{Type: u.model.Size(), Lo: c.Addr}, t, e)
	case cir.Float:
		return u.constFloat(c, t)
	case address:
		if t == cir.Bool {
			return cir.IntOf(t, 1)
		}
		return c
	}
	return v
}

// constFloat converts a floating constant.
func (u *unit) constFloat(c cir.Float, t cir.Type) cir.Value {
	if c.Type == t {
		return c
	}
	x := decode(c)
	switch {
	case t.IsFloat() && x == nil:
		f := formatOf(c.Type.Bits)
		nan := c.Lo<<(64-f.frac%64) != 0
		return special(t, false, nan)
	case t.IsFloat():
		return encode(t, x)
	case x == nil:
		return cir.Int{Type: t}
	case t == cir.Bool:
		return cir.Int{Type: t, Lo: b2i(x.Sign() != 0)}
	}
	n, _ := x.Int(nil)
	return intConst(t, n)
}
