// Package tree is a checked translation unit: names are resolved, every expression has
// its type, every conversion that C makes silently is a node, constants are computed.
// Package cfront/sema makes it from the syntax tree, package cfront/build makes cir of it.
//
// # Lvalues and values
//
// An expression with [Expr.Lvalue] true denotes an object. Its value is a [Load] of it;
// an array or function becomes a pointer by a [Decay]. So operators see values only, but for
// AddrOf, Assign, IncDec, Member, Decay, Load, the operand of the atomic builtins being pointers. Structs,
// unions, complex numbers and vectors are values as well (of an [Assign], [Call], [Cond], [Comma],
// [VaArg], [StmtExpr], [Load]); a [Member] of one that is no lvalue is a value.
//
// # Order
//
// Operands stand in the order of the source. Where C leaves the order of evaluation open,
// nothing here decides it.
package tree

import (
	"math/big"

	"comus/cfront/types"
)

// Unit is a checked translation unit.
type Unit struct {
	File    string
	Flags   Flags
	Vars    []*Var  // file scope and static variables of functions, declared or defined
	Funcs   []*Func // declared or defined
	Asm     []string
	Warns   []string // "file:line:col: warning: ..."
	Aliases []Alias
}

// Flags are what the command line says about meaning.
type Flags struct {
	PointerBits  int // 32 or 64
	CharUnsigned bool
	Wrapv        bool // signed overflow wraps
	ShortEnums   bool
}

// Alias says that Name is another name of the function or variable Target of the unit.
type Alias struct {
	Name, Target string
	Weak, Static bool
	Pos          types.Pos
}

// Site is where a node stands.
type Site struct {
	Pos  types.Pos
	Text string // as the user wrote it, in one line
}

// Linkage is C's linkage.
type Linkage uint8

// The linkages.
const (
	NoLinkage Linkage = iota
	Internal
	External
)

// Storage is where a variable lives.
type Storage uint8

// The storage classes.
const (
	Auto Storage = iota
	Static
	ThreadLocal
)

// Var is a variable, parameter or compound literal.
type Var struct {
	Name      string // "" of a compound literal
	Type      *types.Type
	Linkage   Linkage
	Storage   Storage
	Align     int64 // at least the type's
	Extra     int64 // bytes that an initialised flexible array member adds to the type's size
	Defined   bool  // Static: not only declared; a tentative definition, too
	Tentative bool
	Init      *Init // Static: constant; nil: zeros. Of automatic variables it is in the Decl
	Func      *Func // of a static variable of a function: that function
	AsmName   string
	Weak      bool
	Common    bool
	Cleanup   *Func // __attribute__((cleanup(f)))
	AddrTaken bool
	Register  bool
	Site      Site
}

// Func is a function.
type Func struct {
	Name       string
	Type       *types.Type
	Linkage    Linkage
	Inline     bool // no external definition is made (C99 inline, GNU extern inline)
	NoReturn   bool
	Weak       bool
	AsmName    string
	Ctor, Dtor *int // priority; 65535 without one
	// Params are the parameters with their declared types. A function whose type has no prototype gets
	// its arguments as the default argument promotions leave them and converts them.
	Params []*Var
	Body   *Block // nil: only declared
	Outer  *Func  // of a nested function
	// ResultUnused: the result of K&R functions may be missing.
	VLAs []*types.VLA
	Site Site
}

// Init is the flattened initialiser of an object: what is not listed is zero.
type Init struct {
	Items []InitItem // in the order of the source; a later one overrides
	Site  Site
}

// InitItem initialises the bytes at Offset, or some bits there.
type InitItem struct {
	Offset int64
	Bits   *BitRange
	Type   *types.Type // of the member or element; an array of characters for a string literal
	X      Expr        // a value of that type, or a *String for an array
}

// BitRange is a bit-field.
type BitRange struct {
	Offset int // 0 to 7
	Width  int
}

// Expr is an expression.
type Expr interface {
	Type() *types.Type
	Lvalue() bool
	At() *Site
}

// X is what every expression has. Typ is its type: of an lvalue with its qualifiers, of a value without.
type X struct {
	Typ  *types.Type
	Site *Site
}

// Type returns the expression's type.
func (x *X) Type() *types.Type { return x.Typ }

// At returns where it stands.
func (x *X) At() *Site { return x.Site }

// Lvalue is false but for the types that say otherwise.
func (x *X) Lvalue() bool { return false }

type (
	// IntConst is an integer or enumeration constant, of an integer type, or Bool, or a pointer (its address).
	IntConst struct {
		X
		V *big.Int // within its type's range
	}
	// FloatConst is a floating constant: rounded to its type.
	FloatConst struct {
		X
		V *big.Float // nil if it is not finite
		// Inf is 1 or -1 for infinities, NaN is set for a NaN.
		Inf int
		NaN bool
	}
	// ComplexConst is a constant with an imaginary part.
	ComplexConst struct {
		X
		Re, Im *FloatConst
	}
	// String is a string literal, an lvalue of type array of characters of any width.
	String struct {
		X
		Data []byte // little endian, the terminating 0 included, Typ.Size bytes
	}
	// VarRef is a variable, an lvalue.
	VarRef struct {
		X
		Var *Var
	}
	// FuncRef is a function, of function type.
	FuncRef struct {
		X
		Func *Func
	}
	// LabelAddr is &&label.
	LabelAddr struct {
		X
		Label *Label
	}
	// Load is the value of an lvalue.
	Load struct {
		X
		L Expr
	}
	// Decay is the pointer to an array's first element, or to a function.
	Decay struct {
		X
		L Expr
	}
	// AddrOf is &L.
	AddrOf struct {
		X
		L Expr
	}
	// Deref is *P, an lvalue (or, of a pointer to a function, the function).
	Deref struct {
		X
		P Expr
	}
	// Member is a member of a struct or union: an lvalue if L is one. Offsets of anonymous members are in
	// further Members.
	Member struct {
		X
		L     Expr
		Field *types.Field
	}
	// Part is __real__ (0) or __imag__ (1) of a complex number: an lvalue if L is one.
	Part struct {
		X
		L     Expr
		Index int
	}
	// Element is v[i] of a vector: an lvalue if L is one.
	Element struct {
		X
		L     Expr
		Index Expr
	}
	// Convert is a conversion of a value, explicit or not, to Typ: between scalars (and pointers), to void,
	// between complex and real, between vectors of one size (the same bits) or a vector and an integer of its size,
	// of a scalar of a vector's element type to the vector (copies of it), of a value to a union that has such
	// a member (GNU). To void, V may be an lvalue, which is not read then.
	Convert struct {
		X
		V Expr
	}
	// Unary is - ~ ! + on a promoted operand (! gives int).
	Unary struct {
		X
		Op Op
		V  Expr
	}
	// Binary is an arithmetic operator on operands of one type (shifts: promoted each by itself), or a
	// comparison (of type int, or a vector of integers), also of pointers.
	Binary struct {
		X
		Op   Op
		L, R Expr
	}
	// PtrAdd is P + N elements (P - N if Neg). N has an integer type.
	PtrAdd struct {
		X
		P, N Expr
		Neg  bool
		// Array is set for a subscript a[i] of an array that decays here: its type.
		Array *types.Type
	}
	// PtrDiff is (L - R) in elements.
	PtrDiff struct {
		X
		L, R Expr
	}
	// Logic is && (And) or || of scalars.
	Logic struct {
		X
		And  bool
		L, R Expr
	}
	// Cond is C ? Then : Else; Then is nil for GNU's C ?: Else, where the value of C, converted to Typ, is used.
	Cond struct {
		X
		C, Then, Else Expr
	}
	// Comma is L, R. L may be of any type, and an lvalue, which is not read then.
	Comma struct {
		X
		L, R Expr
	}
	// Assign is L = R; its value is that of L afterwards.
	Assign struct {
		X
		L, R Expr
	}
	// AssignOp is L Op= R: L's value is converted to Compute, the result back to L's type. R has its own type for
	// shifts and pointers (an integer then: elements), otherwise Compute.
	AssignOp struct {
		X
		Op      Op
		L, R    Expr
		Compute *types.Type
	}
	// IncDec is ++L, L++, --L or L--.
	IncDec struct {
		X
		L    Expr
		Dec  bool
		Post bool
	}
	// Call calls F, of type pointer to function.
	Call struct {
		X
		F        Expr
		Args     []Expr // converted
		NoReturn bool
	}
	// Builtin is a call of a builtin with a meaning of its own, named without the leading "__builtin_"
	// where it has that: "va_start", "alloca", "add_overflow", "atomic_fetch_add" (__atomic_…), "sync_fetch_and_add",
	// "c11_atomic_…", "setjmp", "expect", …. A builtin that is a function of the library (__builtin_memcpy) is a
	// Call of that function.
	Builtin struct {
		X
		Name string
		Args []Expr
	}
	// VaArg is va_arg(Ap, Typ). Ap is an lvalue of type VaList, or a value: pointer to one.
	VaArg struct {
		X
		Ap Expr
	}
	// StmtExpr is ({ … }); its value is that of the block's last statement, if that is an expression.
	StmtExpr struct {
		X
		Body *Block
		Last Expr // evaluated after Body; nil for void
	}
	// CompoundLit is (T){…}, an lvalue.
	CompoundLit struct {
		X
		Var  *Var
		Init *Init
	}
	// SizeofVLA is the size in bytes of a type with arrays of variable length, of type size_t.
	SizeofVLA struct {
		X
		Of *types.Type
	}
	// VectorLit is the shuffle and initialisers of vectors.
	VectorLit struct {
		X
		Elems []Expr
	}
)

// The lvalues.

// Lvalue is true.
func (*String) Lvalue() bool { return true }

// Lvalue is true.
func (*VarRef) Lvalue() bool { return true }

// Lvalue is true unless it is a function.
func (x *Deref) Lvalue() bool { return x.Typ.Kind != types.Func }

// Lvalue is that of the struct.
func (x *Member) Lvalue() bool { return x.L.Lvalue() }

// Lvalue is that of the number.
func (x *Part) Lvalue() bool { return x.L.Lvalue() }

// Lvalue is that of the vector.
func (x *Element) Lvalue() bool { return x.L.Lvalue() }

// Lvalue is true.
func (*CompoundLit) Lvalue() bool { return true }

// Op is an operator.
type Op uint8

// The operators.
const (
	Add Op = iota
	Sub
	Mul
	Div
	Rem
	And
	Or
	Xor
	Shl
	Shr
	Eq
	Ne
	Lt
	Le
	Gt
	Ge
	Neg
	BitNot
	Not  // !x
	Conj // ~ of a complex number
)

// Stmt is a statement.
type Stmt interface{ StmtAt() *Site }

// S is what every statement has.
type S struct{ Site *Site }

// StmtAt returns where the statement stands.
func (s *S) StmtAt() *Site { return s.Site }

type (
	// Block is { … }: the lives of its variables begin with it and end with it.
	Block struct {
		S
		Vars  []*Var // automatic variables declared directly in it
		Stmts []Stmt
	}
	// Decl initialises an automatic variable where its declaration stands.
	Decl struct {
		S
		Var  *Var
		Init *Init // nil: indeterminate
	}
	// EvalVLA computes the number of elements of an array type.
	EvalVLA struct {
		S
		VLA *types.VLA
		N   Expr // of type size_t
	}
	// ExprStmt evaluates an expression. It may be an lvalue: its object is not read then.
	ExprStmt struct {
		S
		X Expr
	}
	// If is if (C) Then else Else.
	If struct {
		S
		C          Expr
		Then, Else Stmt // Else may be nil
	}
	// Loop is while (C) Body, do Body while (C) if Do, or for (Init; C; Post) Body. C may be nil.
	Loop struct {
		S
		Init Stmt // for; may be nil, or a Block's worth of declarations (Scope)
		C    Expr
		Post Expr
		Body Stmt
		Do   bool
		// Scope are the variables that a for statement declares.
		Scope []*Var
	}
	// Switch is switch (X) Body. X is promoted.
	Switch struct {
		S
		X       Expr
		Body    Stmt
		Cases   []*Case
		Default *Default // may be nil
	}
	// Case is case Lo ... Hi: Body, in X's type.
	Case struct {
		S
		Lo, Hi *big.Int
		Body   Stmt
	}
	// Default is default: Body.
	Default struct {
		S
		Body Stmt
	}
	// Labeled is Label: Body.
	Labeled struct {
		S
		Label *Label
		Body  Stmt
	}
	// Goto jumps to a label.
	Goto struct {
		S
		Label *Label
	}
	// GotoPtr is goto *X.
	GotoPtr struct {
		S
		X Expr
	}
	// Break leaves the innermost Loop or Switch.
	Break struct{ S }
	// Continue goes on with the innermost Loop.
	Continue struct{ S }
	// Return returns X (converted), nil for none.
	Return struct {
		S
		X Expr
	}
	// Asm is an asm statement.
	Asm struct {
		S
		Text     string
		Outputs  []AsmOperand // lvalues
		Inputs   []AsmOperand // values, or lvalues for "m"
		Clobbers []string
		Volatile bool
		Labels   []*Label // asm goto
	}
	// NestedFunc is where a nested function is defined.
	NestedFunc struct {
		S
		Func *Func
	}
	// Empty does nothing.
	Empty struct{ S }
)

// AsmOperand is an operand of an asm statement.
type AsmOperand struct {
	Name, Constraint string
	X                Expr
}

// Label is a label of a function.
type Label struct {
	Name      string
	Func      *Func
	AddrTaken bool
}
