package syntax

// Expr is an expression. Parentheses leave no trace but a [Paren] around it.
type Expr interface {
	Node
	expr()
}

type (
	// Paren is (X).
	Paren struct {
		Span
		X Expr
	}
	// NameExpr is an identifier.
	NameExpr struct {
		Span
		Name string
	}
	// NumberExpr is a number.
	NumberExpr struct {
		Span
		Text string
	}
	// CharExpr is a character constant.
	CharExpr struct {
		Span
		Text string
	}
	// StringExpr is a string literal: the tokens of the span, pragmas between them aside.
	StringExpr struct {
		Span
		Parts []string
	}
	// Unary is a prefix operator: "-", "+", "~", "!", "&", "*", "++", "--", "__real__", "__imag__".
	Unary struct {
		Span
		Op string
		X  Expr
	}
	// Postfix is X++ or X--.
	Postfix struct {
		Span
		Op string
		X  Expr
	}
	// Binary is a binary operator, && and || and the comma included.
	Binary struct {
		Span
		Op   string
		L, R Expr
	}
	// Assign is "=", "+=" and the like.
	Assign struct {
		Span
		Op   string
		L, R Expr
	}
	// Cond is C ? Then : Else; Then may be nil.
	Cond struct {
		Span
		C, Then, Else Expr
	}
	// Cast is (Type) X.
	Cast struct {
		Span
		Type *TypeName
		X    Expr
	}
	// CompoundLit is (Type){…}.
	CompoundLit struct {
		Span
		Type *TypeName
		Init *Init
		// Static is set by "static" among the specifiers (C2x).
	}
	// SizeOf is sizeof or, with Align, _Alignof; of X or Type. Min is set for _Alignof itself,
	// whose result differs from __alignof__'s on i386.
	SizeOf struct {
		Span
		Align, Min bool
		X          Expr
		Type       *TypeName
	}
	// Index is X[I].
	Index struct {
		Span
		X, I Expr
	}
	// Call is F(Args).
	Call struct {
		Span
		F    Expr
		Args []Expr
	}
	// Member is X.Name or X->Name.
	Member struct {
		Span
		X     Expr
		Arrow bool
		Name  string
	}
	// LabelAddr is &&Label.
	LabelAddr struct {
		Span
		Label string
	}
	// StmtExpr is ({ … }).
	StmtExpr struct {
		Span
		Body *Block
	}
	// Generic is _Generic(X, …).
	Generic struct {
		Span
		X      Expr
		Assocs []Assoc
	}
	// VaArg is __builtin_va_arg(X, Type).
	VaArg struct {
		Span
		X    Expr
		Type *TypeName
	}
	// OffsetOf is __builtin_offsetof(Type, Path).
	OffsetOf struct {
		Span
		Type *TypeName
		Path []*Desig
	}
	// TypesCompatible is __builtin_types_compatible_p(A, B).
	TypesCompatible struct {
		Span
		A, B *TypeName
	}
	// ConvertVector is __builtin_convertvector(X, Type).
	ConvertVector struct {
		Span
		X    Expr
		Type *TypeName
	}
	// HasAttribute is __builtin_has_attribute(X or Type, Attr).
	HasAttribute struct {
		Span
		X    Expr
		Type *TypeName
		Attr *Attr
	}
)

// Assoc is an association of a _Generic.
type Assoc struct {
	Span
	Type *TypeName // nil of default
	X    Expr
}

func (*Paren) expr()           {}
func (*NameExpr) expr()        {}
func (*NumberExpr) expr()      {}
func (*CharExpr) expr()        {}
func (*StringExpr) expr()      {}
func (*Unary) expr()           {}
func (*Postfix) expr()         {}
func (*Binary) expr()          {}
func (*Assign) expr()          {}
func (*Cond) expr()            {}
func (*Cast) expr()            {}
func (*CompoundLit) expr()     {}
func (*SizeOf) expr()          {}
func (*Index) expr()           {}
func (*Call) expr()            {}
func (*Member) expr()          {}
func (*LabelAddr) expr()       {}
func (*StmtExpr) expr()        {}
func (*Generic) expr()         {}
func (*VaArg) expr()           {}
func (*OffsetOf) expr()        {}
func (*TypesCompatible) expr() {}
func (*ConvertVector) expr()   {}
func (*HasAttribute) expr()    {}

type (
	// Block is { … }.
	Block struct {
		Span
		Items []Node // statements, *Declaration, *FuncDef, *StaticAssert, *LabelDecl
	}
	// LabelDecl is __label__ a, b;.
	LabelDecl struct {
		Span
		Names []Name
	}
	// ExprStmt is X; or, with X nil, ;.
	ExprStmt struct {
		Span
		X Expr
	}
	// If is if (C) Then else Else.
	If struct {
		Span
		C          Expr
		Then, Else Node // Else may be nil
	}
	// Switch is switch (X) Body.
	Switch struct {
		Span
		X    Expr
		Body Node
	}
	// While is while (C) Body, or do Body while (C).
	While struct {
		Span
		C    Expr
		Body Node
		Do   bool
	}
	// For is for (Init; C; Post) Body.
	For struct {
		Span
		Decl          Node // *Declaration, *StaticAssert or nil
		Init, C, Post Expr // each may be nil
		Body          Node
	}
	// Case is case Lo ... Hi: Body; Body is an empty statement at the end of a block.
	Case struct {
		Span
		Lo, Hi Expr // Hi may be nil
		Body   Node
	}
	// Default is default: Body.
	Default struct {
		Span
		Body Node
	}
	// Labeled is Name: Body.
	Labeled struct {
		Span
		Name Name
		Body Node
	}
	// Goto is goto Label, or goto *X.
	Goto struct {
		Span
		Label string
		X     Expr
	}
	// Jump is break, continue.
	Jump struct {
		Span
		Continue bool
	}
	// Return is return X;.
	Return struct {
		Span
		X Expr // or nil
	}
	// Asm is an asm statement or, at file scope, an asm definition.
	Asm struct {
		Span
		Text     Expr
		Volatile bool
		Goto     bool
		Operands bool // there is a colon
		Outputs  []AsmOperand
		Inputs   []AsmOperand
		Clobbers []Expr
		Labels   []Name
	}
)

// AsmOperand is an operand of an asm statement.
type AsmOperand struct {
	Span
	Name       string
	Constraint Expr
	X          Expr
}
