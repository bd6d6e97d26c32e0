package cir

// Program is a whole linked program.
type Program struct {
	Model   Model
	Files   []string // the sources, as given
	Globals []*Global
	Funcs   []*Func // those with bodies and those that are only called
	Entry   *Func   // main, or what --entry named
	// Constructors and Destructors run before Entry and at exit, in this order.
	Constructors, Destructors []*Func
	Warnings                  []string // "file:line:col: warning: ..."
	Assume                    Premises
}

// Premises say what is taken for granted of a program beyond what is by default; analyses that do so tell it in their results.
type Premises struct {
	// EffectiveTypes is what C11 6.5p7 says, and gcc from -O2 on relies on: who accesses a scalar of an object that is declared does it as a
	// scalar of its type, or by characters.
	EffectiveTypes bool
	// HooksKeep takes an assumption back that is made by default: that functions which code outside may have put in place of the program's own
	// keep nothing of what they are given.
	HooksKeep bool
	// StoresLate takes another one back: that the id of a thread is stored before it runs.
	StoresLate bool
}

// Global is an object with static storage duration, or one for each thread.
type Global struct {
	Name        string // unique in the program: "x", or "file.c:x" of a static, "f.x" of one in a function
	Source      string // the name in the source; "" for a string literal or temporary
	Size, Align int64
	Shape       *Shape
	Data        []byte  // initial contents; shorter than Size: the rest is 0
	Relocs      []Reloc // addresses within Data, sorted by Offset
	ThreadLocal bool
	Const       bool // writing it is undefined
	Literal     bool // a string literal: one with the same contents may be the same object
	External    bool // declared but not defined anywhere: its contents come from outside
	Weak        bool // External: may be absent, its address null
	Library     bool // defined by a model of ours
	Pos         Pos
}

// ZeroAt reports whether n bytes at an offset of a variable of the program's own, of which there is one, are 0 when the program begins.
func (g *Global) ZeroAt(off, n int64) bool {
	const pointer = 8 // bytes, at most
	if g.External || g.ThreadLocal || g.Library {
		return false
	}
	for _, r := range g.Relocs {
		if r.Offset < off+n && off < r.Offset+pointer {
			return false
		}
	}
	for i := off; i < off+n && i < int64(len(g.Data)); i++ {
		if g.Data[i] != 0 {
			return false
		}
	}
	return true
}

// Reloc says that the pointer at Offset of a global's data is the address of an object or function plus Addend.
type Reloc struct {
	Offset int64
	Target Symbol
	Addend int64
}

// Symbol is a [*Global] or a [*Func], or in static data of a function the [*Block] of one of its labels.
type Symbol interface {
	Value
	SymbolName() string
}

// Param is a parameter of a function.
type Param struct {
	Reg *Reg
	// ByVal is set for a struct or union: Reg is the address of a fresh object of this
	// shape that holds a copy of the argument.
	ByVal *Shape
	Align int64 // of the object, for ByVal
	Name  string
}

// Result is what a function returns: a scalar, or a struct or union of this shape, or nothing.
type Result struct {
	Type  Type
	Shape *Shape // of a struct or union; Type is Void then
}

// Func is a function.
type Func struct {
	Name     string // unique in the program: "f", or "file.c:f" of a static one
	Source   string // the name in the source
	Params   []Param
	Result   Result
	Variadic bool
	NoProto  bool     // declared with () only: calls may give any arguments
	Blocks   []*Block // the first is the entry, which has no parameters; none: external
	Locals   []*Local
	NumRegs  int
	NoReturn bool
	Atomic   bool // one step as a whole: __VERIFIER_atomic_*
	Weak     bool // without a body: may be absent, its address null
	// Unknown is set by the linker for a function without a body or model: what its calls may do, also those
	// through pointers.
	Unknown Unknown
	// Library tells that the body is a model of ours: reports show the call, not its
	// steps, and Hidden names the function as the user knows it.
	Library bool
	Pos     Pos
}

// Local is an object of each activation of a function.
type Local struct {
	Index       int    // its place in Func.Locals
	Name        string // as in the source, "" for a temporary
	Size, Align int64
	Shape       *Shape
	Pos         Pos
	// Scoped tells that its life begins and ends with [LifeStart] and [LifeEnd];
	// otherwise it lives as long as the activation. Its contents are indeterminate at the beginning.
	Scoped bool
}

// Block is a basic block.
type Block struct {
	Index  int // its place in Func.Blocks
	Params []*Reg
	Instrs []Instr
	Term   Term
	Label  string // the source's label, for the printer
}

// Reg is a register of a function.
type Reg struct {
	Index int // 0 to Func.NumRegs-1
	Type  Type
}

// Value is an operand: *Reg, Int, Float, Null, *Global, *Func, *Local (their addresses), *Block (a
// label's address, GNU's &&label), Undef.
type Value interface{ value() }

// Int is an integer constant: its low Bits bits, sign- or zero-extended as Type says, are the value.
type Int struct {
	Type   Type
	Lo, Hi uint64 // two's complement in 128 bits; Hi repeats the sign of Lo for narrower types
}

// Float is a floating-point constant: its bits as memory would hold them.
type Float struct {
	Type   Type
	Lo, Hi uint64
}

// Null is the null pointer, or an integer made a pointer: Addr is its value.
type Null struct {
	Addr uint64
}

// Undef is any value of its type, chosen once where it is used: what a function returns
// that ends without a return statement.
type Undef struct{ Type Type }

func (*Reg) value()    {}
func (Int) value()     {}
func (Float) value()   {}
func (Null) value()    {}
func (Undef) value()   {}
func (*Global) value() {}
func (*Func) value()   {}
func (*Local) value()  {}
func (*Block) value()  {}

// SymbolName returns the global's name.
func (g *Global) SymbolName() string { return g.Name }

// SymbolName returns the function's name.
func (f *Func) SymbolName() string { return f.Name }

// SymbolName returns the block's label.
func (b *Block) SymbolName() string { return b.Label }

// IntOf returns the constant v of an integer type, modulo two to the power of its width.
func IntOf(t Type, v int64) Int {
	c := Int{Type: t, Lo: uint64(v)}
	if v < 0 {
		c.Hi = ^uint64(0)
	}
	return c.Normal()
}

// Int64 returns a constant's value if it fits: not that of an unsigned 2^63, nor of wider types' large ones.
func (c Int) Int64() (n int64, ok bool) {
	n = int64(c.Lo)
	return n, c.Hi == uint64(n>>63)
}

// FromAddress returns an address as a constant of an integer type: a wider one gets it extended by its sign, as gcc does.
func (m Model) FromAddress(t Type, addr uint64) Int {
	if m.PointerBits == 32 {
		addr = uint64(int64(int32(addr)))
	}
	return IntOf(t, int64(addr))
}

// Normal returns the constant with the bits beyond its type's width replaced by its sign (or 0).
func (c Int) Normal() Int {
	n := c.Type.Bits
	switch {
	case n >= 128:
	case n > 64:
		sh := uint(128 - n)
		if c.Type.Signed {
			c.Hi = uint64(int64(c.Hi<<sh) >> sh)
		} else {
			c.Hi = c.Hi << sh >> sh
		}
	default:
		sh := uint(64 - n)
		if c.Type.Signed {
			c.Lo = uint64(int64(c.Lo<<sh) >> sh)
			c.Hi = uint64(int64(c.Lo) >> 63)
		} else {
			c.Lo, c.Hi = c.Lo<<sh>>sh, 0
		}
	}
	return c
}

// TypeOf returns the type of an operand.
func (m Model) TypeOf(v Value) Type {
	switch v := v.(type) {
	case *Reg:
		return v.Type
	case Int:
		return v.Type
	case Float:
		return v.Type
	case Undef:
		return v.Type
	}
	return m.Pointer()
}

// FuncNamed returns the function with this name, or nil.
func (p *Program) FuncNamed(name string) *Func {
	for _, f := range p.Funcs {
		if f.Name == name {
			return f
		}
	}
	return nil
}
