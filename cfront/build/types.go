package build

import (
	"comus/cfront/types"
	"comus/cir"
)

// inMemory tells whether values of type t are passed as bytes: structs, unions, complex numbers and vectors.
func inMemory(t *types.Type) bool { return isRecord(t) || hasParts(t) }

// passedAs returns the type that a parameter of type t is passed as: a transparent union as its first member, as gcc does.
func passedAs(t *types.Type) *types.Type {
	if t.Kind != types.Union || !t.Rec.Transparent || len(t.Rec.Fields) == 0 || inMemory(t.Rec.Fields[0].Type) {
		return t
	}
	return unqual(t.Rec.Fields[0].Type)
}

// isRecord tells whether a value of type t is the address of its bytes.
func isRecord(t *types.Type) bool {
	return t.Kind == types.Struct || t.Kind == types.Union || t.Kind == types.VaList || t.Kind == types.Array
}

// hasParts tells whether a value of type t is made of several operands.
func hasParts(t *types.Type) bool { return t.Kind == types.Complex || t.Kind == types.Vector }

// parts returns the number of operands of a complex number or a vector.
func parts(t *types.Type) int {
	if t.Kind == types.Complex {
		return 2
	}
	return int(t.Len)
}

// scalar returns the cir type of a scalar type.
func (u *unit) scalar(t *types.Type) cir.Type {
	bits := t.Bits
	if bits == 0 {
		bits = int(t.Size) * 8
	}
	switch t.Kind {
	case types.Void:
		return cir.Void
	case types.Bool:
		return cir.Bool
	case types.Int:
		return cir.Type{Kind: cir.IntKind, Bits: bits, Signed: t.Signed}
	case types.Float:
		if t.Decimal {
			return intOfSize(t.Size)
		}
		return cir.Type{Kind: cir.FloatKind, Bits: bits}
	}
	return u.model.Pointer()
}

// shape returns how C divides an object of type t; nil for functions.
func (u *unit) shape(t *types.Type) *cir.Shape {
	if t == nil {
		return nil
	}
	if s := u.shapes[t]; s != nil {
		return s
	}
	s := &cir.Shape{Size: max(t.Size, 0), Atomic: t.Quals&types.Atomic != 0}
	u.shapes[t] = s
	switch t.Kind {
	case types.Func:
		delete(u.shapes, t)
		return nil
	case types.Void, types.VaList:
	case types.Array, types.Vector:
		s.Elem, s.Len = u.shape(t.Elem), max(t.Len, 0)
	case types.Complex:
		e := u.shape(t.Elem)
		s.Fields = []cir.Field{{Name: "re", Shape: e}, {Name: "im", Offset: t.Elem.Size, Shape: e}}
	case types.Struct, types.Union:
		u.recordShape(s, t)
	default:
		s.Scalar = u.scalar(t)
		if t.Enum != nil {
			for _, c := range t.Enum.Consts {
				s.Enums = append(s.Enums, cir.Enumerator{Name: c.Name, Value: c.Value})
			}
		}
	}
	return s
}

// recordShape fills the shape of a struct or union.
func (u *unit) recordShape(s *cir.Shape, t *types.Type) {
	s.Union = t.Kind == types.Union
	s.Name = "struct"
	if s.Union {
		s.Name = "union"
	}
	if t.Rec == nil {
		return
	}
	switch {
	case t.Rec.Tag != "":
		s.Name += " " + t.Rec.Tag
	case t.Rec.Alias != "":
		s.Name = t.Rec.Alias
	}
	apart := false
	for _, f := range t.Rec.Fields {
		field := cir.Field{Name: f.Name, Offset: f.Offset, Shape: u.shape(f.Type)}
		if f.BitField {
			if f.Name == "" || f.Width == 0 {
				apart = apart || f.Width == 0
				continue
			}
			field.Bits, field.Apart = &cir.Bits{Offset: f.BitOffset, Width: f.Width}, apart
		}
		apart = false
		s.Fields = append(s.Fields, field)
	}
}

// unsigned returns the unsigned integer type of a type's width.
func unsigned(t cir.Type) cir.Type { return cir.Type{Kind: cir.IntKind, Bits: t.Bits} }

// signed returns the signed integer type of a type's width.
func signed(t cir.Type) cir.Type { return cir.Type{Kind: cir.IntKind, Bits: t.Bits, Signed: true} }

// intOfSize returns the unsigned integer type of a number of bytes.
func intOfSize(n int64) cir.Type { return cir.Type{Kind: cir.IntKind, Bits: int(n) * 8} }

// promoted returns the type that C's integer promotions make of t.
func promoted(t cir.Type) cir.Type {
	if t.Kind == cir.IntKind && t.Bits < 32 {
		return cir.I32
	}
	return t
}

// lowBit returns the largest power of two that divides n, or all when n is 0.
func lowBit(n, all int64) int64 {
	if n == 0 {
		return all
	}
	return min(n&-n, all)
}

// wrapAddress cuts an address to the size of pointers.
func (u *unit) wrapAddress(a uint64) uint64 {
	if u.model.PointerBits == 32 {
		return a & 0xffffffff
	}
	return a
}

// byteType is unsigned char.
var byteType = &types.Type{Kind: types.Int, Rank: types.RankChar, Bits: 8, Size: 1, Align: 1}

// floatType is the C type of a floating type in memory.
func (f *fn) floatType(t cir.Type) *types.Type {
	size := f.u.model.SizeOf(t)
	return &types.Type{Kind: types.Float, Bits: t.Bits, Size: size, Align: lowBit(size, 16)}
}
