package cir

import (
	"fmt"
	"strings"
)

// Kind is the kind of a scalar type.
type Kind uint8

// The kinds of scalars.
const (
	None        Kind = iota // no value: the result of a function that returns void
	IntKind                 // an integer
	FloatKind               // IEEE floating point
	PointerKind             // a pointer, to an object or a function
)

// Type is the type of a register or of an access to memory.
type Type struct {
	Kind   Kind
	Bits   int  // IntKind: 1 to 128; FloatKind: 16, 32, 64, 80 (x87, 16 bytes in memory on LP64) or 128; PointerKind: 32 or 64
	Signed bool // IntKind
}

// Types that are needed often.
var (
	Void = Type{}
	Bool = Type{Kind: IntKind, Bits: 1} // _Bool and results of comparisons
	I8   = Type{Kind: IntKind, Bits: 8, Signed: true}
	U8   = Type{Kind: IntKind, Bits: 8}
	I16  = Type{Kind: IntKind, Bits: 16, Signed: true}
	U16  = Type{Kind: IntKind, Bits: 16}
	I32  = Type{Kind: IntKind, Bits: 32, Signed: true}
	U32  = Type{Kind: IntKind, Bits: 32}
	I64  = Type{Kind: IntKind, Bits: 64, Signed: true}
	U64  = Type{Kind: IntKind, Bits: 64}
	F32  = Type{Kind: FloatKind, Bits: 32}
	F64  = Type{Kind: FloatKind, Bits: 64}
	F80  = Type{Kind: FloatKind, Bits: 80}
	F128 = Type{Kind: FloatKind, Bits: 128}
)

// IsInt reports whether t is an integer type.
func (t Type) IsInt() bool { return t.Kind == IntKind }

// IsFloat reports whether t is a floating-point type.
func (t Type) IsFloat() bool { return t.Kind == FloatKind }

// IsPointer reports whether t is a pointer type.
func (t Type) IsPointer() bool { return t.Kind == PointerKind }

// String returns "i32", "u8", "bool", "f64", "ptr", "void".
func (t Type) String() string {
	switch t.Kind {
	case IntKind:
		switch {
		case t.Bits == 1 && !t.Signed:
			return "bool"
		case t.Signed:
			return fmt.Sprintf("i%d", t.Bits)
		}
		return fmt.Sprintf("u%d", t.Bits)
	case FloatKind:
		return fmt.Sprintf("f%d", t.Bits)
	case PointerKind:
		return "ptr"
	}
	return "void"
}

// Model is what the data model fixes.
type Model struct {
	PointerBits int // 64 (LP64) or 32 (ILP32)
}

// Pointer is the type of pointers.
func (m Model) Pointer() Type { return Type{Kind: PointerKind, Bits: m.PointerBits} }

// Size is the unsigned integer type of pointers' size, size_t and uintptr_t.
func (m Model) Size() Type { return Type{Kind: IntKind, Bits: m.PointerBits} }

// Diff is the signed integer type of pointers' size, ptrdiff_t and intptr_t.
func (m Model) Diff() Type { return Type{Kind: IntKind, Bits: m.PointerBits, Signed: true} }

// SizeOf returns the number of bytes a scalar of type t occupies in memory.
func (m Model) SizeOf(t Type) int64 {
	switch {
	case t.Kind == FloatKind && t.Bits == 80 && m.PointerBits == 32:
		return 12
	case t.Kind == FloatKind && t.Bits == 80:
		return 16
	}
	n := int64(1)
	for n*8 < int64(t.Bits) {
		n *= 2
	}
	return n
}

// Shape says how C divides the bytes of an object: what reports call its parts, and
// where its scalars are expected to lie. It does not limit how memory may be accessed.
type Shape struct {
	Size   int64 // in bytes; of an array of unknown length, 0
	Scalar Type  // what the object is, if it has no parts
	Atomic bool  // declared _Atomic
	// Elem and Len describe an array.
	Elem *Shape
	Len  int64
	// Fields describe a struct or union.
	Fields []Field
	Union  bool
	Name   string       // the C type, for reports: "struct node"
	Enums  []Enumerator // of an enumerated type, for reports: as the source has them
}

// Enumerator is a name for a value of an enumerated type.
type Enumerator struct {
	Name  string
	Value int64
}

// Enumerator returns the first name of a value, "" if there is none.
func (s *Shape) Enumerator(v int64) string {
	for _, e := range s.Enums {
		if e.Value == v {
			return e.Name
		}
	}
	return ""
}

// Field is a member of a struct or union.
type Field struct {
	Name   string // "" for an anonymous struct or union
	Offset int64  // in bytes; of a bit-field, of the storage unit of its type that holds it
	Bits   *Bits  // a bit-field
	Apart  bool   // a bit-field that does not share the memory location of those before it: one of width 0 is between them (C11 3.14)
	Shape  *Shape
}

// Bits are the bits of a bit-field within a load or store: Width bits, of which the least significant
// is bit Offset counted from the least significant bit of the byte at the address.
// Offset+Width may be more than the bits of the access's type (packed bit-fields); the
// access touches exactly the bytes that hold these bits.
type Bits struct {
	Offset, Width int
	// From and To are where C's memory location begins and ends that the bit-field is a part of, in bits relative to the
	// byte at the address, From perhaps negative: bit-fields next to one another are one location, up to one of width
	// 0 and to a member of another kind (C11 3.14). Both are 0 if the location is not known.
	From, To int
}

// Pos is a place in the user's source. The zero Pos is "no place".
type Pos struct {
	File      string
	Line, Col int
}

// String returns "file:line:col".
func (p Pos) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col) }

// Site is where an instruction comes from.
type Site struct {
	Pos  Pos
	Text string // the expression or statement as the user wrote it, in one line; may be ""
	Stmt *Site  // the full expression or statement it is a part of; nil if it is one itself
}

// Member returns the last member of a place's expression if that is a path of members, with the point before it.
func (s *Site) Member() string {
	if s == nil {
		return ""
	}
	text, _, _ := strings.Cut(s.Text, " =")
	i := max(strings.LastIndex(text, "->")+1, strings.LastIndex(text, "."))
	if i <= 0 {
		return ""
	}
	m := text[i+1:]
	for _, r := range m {
		if r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return ""
		}
	}
	if m == "" {
		return ""
	}
	return "." + m
}
