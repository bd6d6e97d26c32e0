package syntax

import "comus/cfront/types"

// Span is the tokens of a node, by index, both ends included.
type Span struct{ First, Last int32 }

// At returns the span itself: every node has one.
func (s Span) At() Span { return s }

// Node is a node of the tree.
type Node interface{ At() Span }

// Unit is a whole translation unit.
type Unit struct {
	Items []Node // *Declaration, *FuncDef, *Asm, *StaticAssert
	// Pragmas that change what declarations mean, in order.
	Pragmas []PragmaLine
}

// PragmaLine is a #pragma weak or redefine_extname.
type PragmaLine struct {
	Span
	Words []string
}

// Storage is a set of storage class specifiers.
type Storage uint8

// The storage class specifiers.
const (
	Typedef Storage = 1 << iota
	Extern
	Static
	Auto
	Register
	Thread
)

// Base is the main word of a type specifier.
type Base uint8

// The bases.
const (
	NoBase Base = iota // int, implied or by short, long, signed, unsigned
	VoidBase
	CharBase
	IntBase
	FloatBase
	DoubleBase
	BoolBase
	Int128Base
	Float16Base
	BFloat16Base
	Float32Base
	Float64Base
	Float128Base
	Float32xBase
	Float64xBase
	Decimal32Base
	Decimal64Base
	Decimal128Base
	AutoTypeBase
	VaListBase
	RecordBase
	EnumBase
	NameBase
	TypeofBase
	AtomicBase
)

// Specs are declaration specifiers.
type Specs struct {
	Span
	Storage           Storage
	Inline, Noreturn  bool
	Quals             types.Quals
	Base              Base
	Signed, Unsigned  int
	Short, Long       int
	Complex           bool
	Imaginary         bool
	Bases             int // how many words of the kind of Base there are
	Record            *Record
	Enum              *Enum
	Name              string // NameBase
	X                 Expr   // TypeofBase: the expression, or nil
	Type              *TypeName
	Align             []Node // the operands of _Alignas: expressions and type names
	Attrs             []*Attr
	Any               bool // something is written at all
	TypeofUnqualified bool
}

// Record is a struct or union specifier.
type Record struct {
	Span
	Union   bool
	Tag     string
	Body    bool   // with braces
	Members []Node // *Members, *StaticAssert
	Attrs   []*Attr
	Pack    int64 // #pragma pack where it ends; 0: none
	MS      bool  // #pragma ms_struct on
	BigEnd  bool  // #pragma scalar_storage_order big-endian
}

// Members are a declaration of members.
type Members struct {
	Span
	Specs *Specs
	Decls []*MemberDecl
}

// MemberDecl is a member.
type MemberDecl struct {
	Span
	Decl  *Declarator // nil of an unnamed bit-field
	Bits  Expr        // the width of a bit-field, or nil
	Attrs []*Attr
}

// Enum is an enum specifier.
type Enum struct {
	Span
	Tag    string
	Body   bool
	Consts []*EnumConst
	Attrs  []*Attr
}

// EnumConst is an enumerator.
type EnumConst struct {
	Span
	Name  string
	Value Expr // or nil
}

// Attr is an attribute.
type Attr struct {
	Span
	Name  string // without underscores around it
	Paren bool   // with parentheses
	Args  []Expr // an argument that is no expression is left out
}

// Declarator is a declarator, abstract ones included.
type Declarator struct {
	Span
	Name  string // "" of an abstract one
	Ident int32  // the token of the name
	// Parts say what the name is, from the name outwards: of "*a[3]", an array, of pointers.
	Parts []Part
	// After it:
	AsmName string
	HasAsm  bool
	Attrs   []*Attr
}

// PartKind is the kind of a part of a declarator.
type PartKind uint8

// The parts of a declarator.
const (
	PointerPart PartKind = iota
	ArrayPart
	FuncPart
)

// Part is a part of a declarator.
type Part struct {
	Span
	Kind  PartKind
	Quals types.Quals // of a pointer, or in [ ]
	Attrs []*Attr     // of a pointer, or between "(" and the declarator
	// ArrayPart
	N      Expr // or nil
	Star   bool
	Static bool
	// FuncPart
	Params   []*Param
	Forward  []*Param // declared in front of the parameters, for the lengths of arrays among them (GNU)
	Variadic bool
	Idents   []Name // of a K&R definition
	Empty    bool   // ()
}

// Name is an identifier where it stands.
type Name struct {
	Span
	Text string
}

// Param is a parameter.
type Param struct {
	Span
	Specs *Specs
	Decl  *Declarator // never nil
}

// TypeName is a type in parentheses and the like.
type TypeName struct {
	Span
	Specs *Specs
	Decl  *Declarator // never nil
}

// Declaration is a declaration.
type Declaration struct {
	Span
	Specs *Specs
	Decls []*InitDecl
}

// InitDecl is a declarator with its initialiser.
type InitDecl struct {
	Span
	Decl *Declarator
	Init *Init // or nil
}

// FuncDef is the definition of a function, nested ones included.
type FuncDef struct {
	Span
	Specs *Specs
	Decl  *Declarator
	KR    []*Declaration // declarations of a K&R function's parameters
	Body  *Block
}

// StaticAssert is _Static_assert(X, Msg).
type StaticAssert struct {
	Span
	X   Expr
	Msg string
}

// Init is an initialiser: an expression or a list.
type Init struct {
	Span
	X    Expr // nil of a list
	List []*InitItem
}

// InitItem is an element of a list of initialisers.
type InitItem struct {
	Span
	Desig []*Desig
	Init  *Init
}

// Desig is a designator: .Field, or [Lo] or [Lo ... Hi].
type Desig struct {
	Span
	Field  string
	Lo, Hi Expr // Hi may be nil
}
