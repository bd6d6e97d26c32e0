package types

// Model is what the command line says about types.
type Model struct {
	PointerBits  int // 32 or 64
	CharUnsigned bool
	ShortEnums   bool
}

// Target is a data model with its basic types.
type Target struct {
	Model
	Void, Bool, Char, SChar, UChar, Short, UShort, Int, UInt, Long, ULong, LongLong, ULongLong *Type
	Int128, UInt128                                                                            *Type // nil on ILP32
	Float16, Float, Double, LongDouble, Float32, Float64, Float128, Float32x, Float64x         *Type
	Decimal32, Decimal64, Decimal128                                                           *Type
	VaList                                                                                     *Type
	Size, PtrDiff, WChar, Char16, Char32, WInt                                                 *Type
}

// NewTarget returns the types of a data model.
func NewTarget(m Model) *Target {
	integer := func(r Rank, size int64, signed bool) *Type {
		return &Type{Kind: Int, Rank: r, Size: size, Align: size, Bits: int(size * 8), Signed: signed}
	}
	float := func(bits int, size, align int64, ext FloatExt) *Type {
		return &Type{Kind: Float, Bits: bits, Size: size, Align: align, Ext: ext}
	}
	decimal := func(bits int) *Type {
		return &Type{Kind: Float, Bits: bits, Size: int64(bits / 8), Align: int64(bits / 8), Decimal: true}
	}
	word := int64(m.PointerBits / 8)
	x87 := int64(16)
	x87Align := int64(16)
	if word == 4 {
		x87, x87Align = 12, 4
	}
	t := &Target{
		Model: m,
		Void:  &Type{Kind: Void, Size: 1, Align: 1},
		Bool:  &Type{Kind: Bool, Size: 1, Align: 1, Bits: 1, Rank: RankBool},
		Char:  integer(RankChar, 1, !m.CharUnsigned), SChar: integer(RankChar, 1, true), UChar: integer(RankChar, 1, false),
		Short: integer(RankShort, 2, true), UShort: integer(RankShort, 2, false),
		Int: integer(RankInt, 4, true), UInt: integer(RankInt, 4, false),
		Long: integer(RankLong, word, true), ULong: integer(RankLong, word, false),
		LongLong: integer(RankLongLong, 8, true), ULongLong: integer(RankLongLong, 8, false),
		Float16: float(16, 2, 2, FloatN), Float: float(32, 4, 4, Standard), Double: float(64, 8, 8, Standard),
		LongDouble: float(80, x87, x87Align, Standard),
		Float32:    float(32, 4, 4, FloatN), Float64: float(64, 8, 8, FloatN), Float128: float(128, 16, 16, FloatN),
		Float32x: float(64, 8, 8, FloatNx), Float64x: float(80, x87, x87Align, FloatNx),
		Decimal32: decimal(32), Decimal64: decimal(64), Decimal128: decimal(128),
	}
	t.Char.PlainChar = true
	if word == 8 {
		t.Int128, t.UInt128 = integer(RankInt128, 16, true), integer(RankInt128, 16, false)
		t.Size, t.PtrDiff, t.WChar = t.ULong, t.Long, t.Int
		t.VaList = &Type{Kind: VaList, Size: 24, Align: 8}
	} else {
		t.Size, t.PtrDiff, t.WChar = t.UInt, t.Int, t.Long
		t.VaList = &Type{Kind: VaList, Size: 4, Align: 4}
	}
	t.Char16, t.Char32, t.WInt = t.UShort, t.UInt, t.UInt
	return t
}

// Pointer returns the type of pointers to a type.
func (t *Target) Pointer(to *Type) *Type {
	return &Type{Kind: Pointer, Elem: to, Size: int64(t.PointerBits / 8), Align: int64(t.PointerBits / 8)}
}

// ArrayOf returns the type of arrays of n elements, -1 for an unknown number.
func ArrayOf(elem *Type, n int64) *Type {
	a := &Type{Kind: Array, Elem: elem, Len: n, Size: -1, Align: elem.Align, UserAlign: elem.UserAlign}
	if n >= 0 && elem.Size >= 0 {
		a.Size = n * elem.Size
	}
	return a
}

// VLAOf returns the type of arrays of a variable number of elements.
func VLAOf(elem *Type, v *VLA) *Type {
	return &Type{Kind: Array, Elem: elem, Len: -1, VLA: v, Size: -1, Align: elem.Align, UserAlign: elem.UserAlign}
}

// ComplexOf returns the complex type with parts of a type.
func ComplexOf(elem *Type) *Type {
	return &Type{Kind: Complex, Elem: elem, Size: 2 * elem.Size, Align: elem.Align}
}

// VectorOf returns the type of vectors of n elements.
func VectorOf(elem *Type, n int64) *Type {
	size := n * elem.Size
	return &Type{Kind: Vector, Elem: elem, Len: n, Size: size, Align: size}
}

// FuncOf returns a function type.
func FuncOf(result *Type, params []*Type, variadic, noProto bool) *Type {
	return &Type{Kind: Func, Elem: result, Params: params, Variadic: variadic, NoProto: noProto, Size: 1, Align: 1}
}

// BitInt returns the type of the value of a bit-field of a type and width: the type itself
// unless the width is more than int's and less than the type's.
func BitInt(t *Type, width int) *Type {
	t = t.Unqualified()
	if t.Kind != Int || width <= 32 || width >= t.Bits {
		return t
	}
	return &Type{Kind: Int, Rank: t.Rank, Size: t.Size, Align: t.Align, Bits: width, Signed: t.Signed}
}

// IntOf returns an integer type of so many bits, nil if there is none: signed char, short, int,
// long (or long long), __int128.
func (t *Target) IntOf(bits int, signed bool) *Type {
	var s, u *Type
	switch {
	case bits == 8:
		s, u = t.SChar, t.UChar
	case bits == 16:
		s, u = t.Short, t.UShort
	case bits == 32:
		s, u = t.Int, t.UInt
	case bits == t.PointerBits:
		s, u = t.Long, t.ULong
	case bits == 64:
		s, u = t.LongLong, t.ULongLong
	case bits == 128:
		s, u = t.Int128, t.UInt128
	}
	if signed {
		return s
	}
	return u
}

// FieldAlign is the alignment that a member of a type has by itself: i386 aligns members of 8
// bytes to 4 (the x86-64 ABI's alignment is that of the type).
func (t *Target) FieldAlign(ty *Type) int64 {
	if t.PointerBits == 32 && !ty.UserAlign {
		return t.adjust(ty, ty.Align*8) / 8
	}
	return ty.Align
}

// adjust is gcc's x86_field_alignment, in bits.
func (t *Target) adjust(ty *Type, align int64) int64 {
	if t.PointerBits == 64 {
		return align
	}
	for ty.Kind == Array {
		ty = ty.Elem
	}
	if ty.Quals&Atomic != 0 {
		return align
	}
	switch ty.Kind {
	case Int, Bool, Pointer:
		return min(align, 32)
	case Struct, Union: // with the mode of an integer
		if ty.Size == 8 {
			return min(align, 32)
		}
	case Float:
		if ty.Bits == 64 && !ty.Decimal {
			return min(align, 32)
		}
	case Complex:
		if ty.Elem.Kind == Int || ty.Elem.Bits == 64 {
			return min(align, 32)
		}
	}
	return align
}
