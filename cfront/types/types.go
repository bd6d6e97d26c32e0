// Package types holds C's types as gcc understands them: their sizes, alignments and
// layouts, compatibility, conversions. A [Type] is immutable once complete; qualifiers
// are part of it, so "const int" and "int" are two values whose [Type.Unqualified] is one.
package types

// Kind is the kind of a type.
type Kind uint8

// The kinds. Enumerated types are Int with Enum set.
const (
	Void Kind = iota
	Bool
	Int
	Float
	Complex // Elem is the type of its parts
	Pointer // to Elem
	Array   // of Elem
	Struct
	Union
	Func
	Vector  // GNU's vector_size: Len elements of type Elem
	VaList  // __builtin_va_list: on LP64 an array of one struct in the ABI, on ILP32 a pointer; opaque here
	NullPtr // the type of nullptr (C2x)
)

// Rank orders the integer types.
type Rank uint8

// The ranks. Char is a type apart from signed and unsigned char.
const (
	RankBool Rank = iota
	RankChar
	RankShort
	RankInt
	RankLong
	RankLongLong
	RankInt128
)

// Quals are type qualifiers.
type Quals uint8

// The qualifiers.
const (
	Const Quals = 1 << iota
	Volatile
	Restrict
	Atomic
)

// Type is a C type.
type Type struct {
	Kind  Kind
	Quals Quals
	// Size and Align are in bytes. Size is -1 while the type is incomplete, 1 for void and functions (GNU),
	// and -1 for arrays of variable length, which VLA tells apart.
	Size, Align int64
	// Int
	Rank      Rank
	PlainChar bool // char, neither signed nor unsigned char
	Signed    bool
	// Bits is that of an integer or a floating type, as in cir.Type. The value of a bit-field that is
	// wider than int and narrower than its type has an integer type of just its width (gcc).
	Bits int
	Enum *Enum
	// Float
	Ext     FloatExt // tells _Float64 from double and so on
	Decimal bool
	// Pointer, Array, Complex, Vector; the result of a Func
	Elem *Type
	// Array: the number of elements; -1 unknown ([]). Vector: the number.
	Len int64
	VLA *VLA // Array: a variable number of elements
	// Func
	Params   []*Type // adjusted: arrays and functions are pointers, qualifiers are off
	Variadic bool
	NoProto  bool // ()
	NoReturn bool // __attribute__((noreturn))
	// Struct, Union
	Rec *Record
	// UserAlign tells that Align comes from an attribute or _Alignas.
	UserAlign bool

	unqualified *Type
	variants    []*Type // of an unqualified type: those made of it
}

// FloatExt tells floating types of the same size apart.
type FloatExt uint8

// The floating types: float, double and long double, and those of ISO/IEC TS 18661-3.
const (
	Standard FloatExt = iota
	FloatN            // _Float16, _Float32, _Float64, _Float128
	FloatNx           // _Float32x, _Float64x
)

// VLA is the number of elements of an array type that is computed where the type is
// declared: a tree statement EvalVLA with this VLA stores it.
type VLA struct {
	ID   int  // unique in the unit
	Star bool // [*] in a prototype
}

// Enum is an enumerated type.
type Enum struct {
	Tag      string
	Complete bool
	Consts   []EnumConst // those that 64 bits hold, in the order of the source
}

// EnumConst is an enumerator.
type EnumConst struct {
	Name  string
	Value int64
}

// Record is a struct or union.
type Record struct {
	Tag      string // "" if it has none
	Alias    string // if it has none: the first name that a typedef gives it
	Union    bool
	Complete bool
	Fields   []Field
	Packed   bool
	// Transparent is set for __attribute__((transparent_union)).
	Transparent bool
	BigEndian   bool // __attribute__((scalar_storage_order("big-endian")))
	// VLA is set if a member's size varies (GNU): the offsets of the members behind it are not known.
	// VM is set if a member is variably modified.
	VLA, VM bool
	ID      int // tells records with the same tag apart
	Pos     Pos
}

// Field is a member.
type Field struct {
	Name string // "" of an anonymous struct or union, or of an unnamed bit-field
	Type *Type
	// Offset is in bytes. Of a bit-field: of the lowest byte such that BitOffset < 8.
	Offset    int64
	BitField  bool
	BitOffset int // 0 to 7: bits from the least significant of the byte at Offset
	Width     int // bits
	Flexible  bool
}

// Pos is a place in the source.
type Pos struct {
	File      string
	Line, Col int
}
