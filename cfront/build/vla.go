package build

import (
	"comus/cfront/types"
	"comus/cir"
)

// size is the size of a type as an operand: of type size_t.
func (f *fn) size(t *types.Type) cir.Value {
	if t.Size >= 0 {
		return f.sizeConst(t.Size)
	}
	return f.sizeofVLA(t)
}

// sizeConst is a constant of type size_t.
func (f *fn) sizeConst(n int64) cir.Value { return cir.IntOf(f.u.model.Size(), n) }

// sizeofVLA computes the size of a type with arrays of variable length.
func (f *fn) sizeofVLA(t *types.Type) cir.Value {
	if t.Kind == types.Struct || t.Kind == types.Union {
		return f.recordSize(t)
	}
	if t.Kind != types.Array {
		return f.sizeConst(max(t.Size, 0))
	}
	elem := f.size(t.Elem)
	var n cir.Value
	if t.VLA == nil {
		n = f.sizeConst(max(t.Len, 0))
	} else {
		n = f.count(t.VLA)
	}
	if c, ok := elem.(cir.Int); ok && c.Lo == 1 {
		return n
	}
	return f.binary(cir.Mul, n, elem)
}

// count reads the number of elements of an array of variable length.
func (f *fn) count(v *types.VLA) cir.Value {
	st := f.u.model.Size()
	d := f.reg(st)
	f.emit(&cir.Load{Dst: d, Addr: f.countAddr(v), Access: cir.Access{Type: st, Align: int64(st.Bits / 8)}})
	return d
}

// recordSize computes the size of a struct with members of variable size (GNU).
func (f *fn) recordSize(t *types.Type) cir.Value {
	size := f.sizeConst(0)
	for i := range t.Rec.Fields {
		end := f.binary(cir.Add, f.fieldOffset(t, i), f.size(t.Rec.Fields[i].Type))
		if t.Kind == types.Union {
			end = f.selectOf(f.compare(cir.Lt, size, end), end, size)
		}
		size = end
	}
	return f.roundUp(size, max(t.Align, 1))
}

// roundUp rounds a size up to a multiple of a power of two.
func (f *fn) roundUp(n cir.Value, align int64) cir.Value {
	if align == 1 {
		return n
	}
	up := f.binary(cir.Add, n, f.sizeConst(align-1))
	return f.binary(cir.And, up, f.sizeConst(-align))
}

// fieldOffset computes the offset of the i-th member of a struct with members of variable size.
func (f *fn) fieldOffset(t *types.Type, i int) cir.Value {
	varies := false
	for _, m := range t.Rec.Fields[:i] {
		varies = varies || m.Type.Size < 0
	}
	m := t.Rec.Fields[i]
	if t.Kind == types.Union || i == 0 {
		return f.sizeConst(0)
	}
	if !varies {
		return f.sizeConst(m.Offset)
	}
	prev := f.binary(cir.Add, f.fieldOffset(t, i-1), f.size(t.Rec.Fields[i-1].Type))
	align := max(m.Type.Align, 1)
	if t.Rec.Packed {
		align = 1
	}
	return f.roundUp(prev, align)
}

// memberVLA is a member of a struct with members of variable size.
func (f *fn) memberVLA(l lval, m *types.Field, t *types.Type) lval {
	for i := range l.t.Rec.Fields {
		if &l.t.Rec.Fields[i] != m && (l.t.Rec.Fields[i].Name != m.Name || m.Name == "") {
			continue
		}
		off := f.fieldOffset(l.t, i)
		d := f.reg(f.u.model.Pointer())
		f.emit(&cir.Offset{Dst: d, P: l.base, Index: off, Scale: 1, Disp: l.disp})
		return lval{base: d, align: max(min(l.align, t.Align), 1), t: t}
	}
	return l.at(m.Offset, t)
}
