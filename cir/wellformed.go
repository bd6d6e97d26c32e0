package cir

// typed fails unless v is of type t.
func (c *checker) typed(v Value, t Type, what string) {
	if v == nil {
		c.failf("%s is missing", what)
		return
	}
	if got := c.m.TypeOf(v); got != t {
		c.failf("%s %s is of type %s instead of %s", what, ValueText(v), got, t)
	}
}

func (c *checker) pointer(v Value, what string) { c.typed(v, c.m.Pointer(), what) }

func (c *checker) integer(v Value, what string) {
	if v == nil || !c.m.TypeOf(v).IsInt() {
		c.failf("%s %s is no integer", what, ValueText(v))
	}
}

// instr checks the types of an instruction.
func (c *checker) instr(i Instr) {
	switch i := i.(type) {
	case *Unary:
		c.typed(i.X, i.Dst.Type, "operand")
		c.operator(i.Op, i.Dst.Type, true)
	case *Binary:
		c.typed(i.X, i.Dst.Type, "left operand")
		if i.Op == Shl || i.Op == Shr {
			c.integer(i.Y, "distance")
		} else {
			c.typed(i.Y, i.Dst.Type, "right operand")
		}
		c.operator(i.Op, i.Dst.Type, false)
	case *Overflow:
		c.integer(i.X, "left operand")
		c.integer(i.Y, "right operand")
		c.typed(i.Over, Bool, "overflow")
	case *Compare:
		c.typed(i.Dst, Bool, "result")
		if i.X != nil {
			c.typed(i.Y, c.m.TypeOf(i.X), "right operand")
		}
	case *Convert:
		if i.X == nil || i.Dst.Type.Kind == None || c.m.TypeOf(i.X).Kind == None {
			c.failf("conversion of nothing")
		}
	case *Bitcast:
		if i.X == nil || c.m.SizeOf(c.m.TypeOf(i.X)) != c.m.SizeOf(i.Dst.Type) {
			c.failf("bitcast between sizes")
		}
	case *Select:
		c.typed(i.Cond, Bool, "condition")
		c.typed(i.X, i.Dst.Type, "first value")
		c.typed(i.Y, i.Dst.Type, "second value")
	case *Offset:
		c.pointer(i.P, "pointer")
		c.pointer(i.Dst, "result")
		if i.Index != nil {
			c.integer(i.Index, "index")
		}
	case *Distance:
		c.pointer(i.X, "left operand")
		c.pointer(i.Y, "right operand")
		c.typed(i.Dst, c.m.Diff(), "result")
		if i.Size <= 0 {
			c.failf("distance in parts of %d bytes", i.Size)
		}
	default:
		c.memory(i)
	}
}

func (c *checker) operator(op Op, t Type, unary bool) {
	ok := t.IsInt()
	switch op {
	case Add, Sub, Mul, Div:
		ok = !unary && (t.IsInt() || t.IsFloat())
	case Rem, And, Or, Xor, Shl, Shr:
		ok = !unary && ok
	case Neg:
		ok = unary && (t.IsInt() || t.IsFloat())
	case Sqrt, Fabs:
		ok = unary && t.IsFloat()
	default:
		ok = unary && ok
	}
	if !ok {
		c.failf("operator %s on %s", op, t)
	}
}

func (c *checker) access(a Access) {
	if a.Type.Kind == None || a.Align < 1 || a.Align&(a.Align-1) != 0 {
		c.failf("access of type %s, align %d", a.Type, a.Align)
	}
	if b := a.Bits; b != nil && (!a.Type.IsInt() || b.Offset < 0 || b.Offset > 7 || b.Width < 1 || b.Width > a.Type.Bits) {
		c.failf("access to bits %d+%d of %s", b.Offset, b.Width, a.Type)
	}
}

// memory checks the instructions that access memory, and calls.
func (c *checker) memory(i Instr) {
	switch i := i.(type) {
	case *Load:
		c.pointer(i.Addr, "address")
		c.typed(i.Dst, i.Type, "result")
		c.access(i.Access)
	case *Store:
		c.pointer(i.Addr, "address")
		c.typed(i.X, i.Type, "value")
		c.access(i.Access)
	case *Copy:
		c.pointer(i.Dst, "target")
		c.pointer(i.Src, "source")
		c.typed(i.Size, c.m.Size(), "size")
	case *Fill:
		c.pointer(i.Dst, "target")
		c.typed(i.Byte, U8, "byte")
		c.typed(i.Size, c.m.Size(), "size")
	case *RMW:
		c.pointer(i.Addr, "address")
		c.access(i.Access)
		if i.Dst != nil && i.Op != RMWTest {
			c.typed(i.Dst, i.Type, "result")
		}
		if i.Op != RMWTest && !i.Type.IsPointer() {
			c.typed(i.X, i.Type, "operand")
		}
	case *CmpXchg:
		c.pointer(i.Addr, "address")
		c.access(i.Access)
		c.typed(i.Expected, i.Type, "expected value")
		c.typed(i.New, i.Type, "new value")
	case *Call:
		c.call(i)
	case *LifeStart:
		c.scoped(i.Local)
	case *LifeEnd:
		c.scoped(i.Local)
	case *Alloca:
		c.pointer(i.Dst, "result")
		c.integer(i.Size, "size")
	case *VaArg:
		c.pointer(i.Ap, "va_list")
		if (i.Dst == nil) == (i.Shape == nil) {
			c.failf("va_arg wants either a register or a shape")
		}
	case *Intrinsic:
		c.intrinsic(i)
	}
}

func (c *checker) scoped(l *Local) {
	c.operand(l)
	if !l.Scoped {
		c.failf("the life of %s is the activation's", localText(l))
	}
}

// call checks a call against its callee, where C checks that, too.
func (c *checker) call(i *Call) {
	c.pointer(i.Callee, "callee")
	if i.Fixed < 0 || i.Fixed > len(i.Args) {
		c.failf("%d fixed arguments of %d", i.Fixed, len(i.Args))
	}
	for _, a := range i.Args {
		if a.X == nil {
			c.failf("an argument is missing")
		} else if a.ByVal != nil {
			c.pointer(a.X, "struct argument")
		}
	}
	if i.Dst != nil {
		c.typed(i.Dst, i.Result.Type, "result")
	}
	if i.Result.Shape != nil {
		c.pointer(i.To, "address of the result")
	}
}

func (c *checker) intrinsic(i *Intrinsic) {
	sig := intrinsicNames[i.Op].signature
	args := sig
	for k := range sig {
		if sig[k] == '>' {
			args = sig[:k]
			break
		}
	}
	if len(args) != len(i.Args) {
		c.failf("%s with %d arguments", i.Op, len(i.Args))
		return
	}
	for k, a := range i.Args {
		switch args[k] {
		case 'i':
			c.integer(a, "argument")
		case 'p':
			c.pointer(a, "argument")
		}
	}
	if i.Dst != nil && args == sig {
		c.failf("%s has no result", i.Op)
	}
}

// term checks a terminator.
func (c *checker) term(t Term) {
	Succs(t, func(to *Block, args []Value) {
		c.operand(to)
		if len(args) != len(to.Params) {
			c.failf("%d values for the %d parameters of b%d", len(args), len(to.Params), to.Index)
			return
		}
		for k, a := range args {
			c.typed(a, to.Params[k].Type, "value for a block's parameter")
		}
		if to.Index == 0 {
			c.failf("a jump to the entry")
		}
	})
	switch t := t.(type) {
	case *Branch:
		c.typed(t.Cond, Bool, "condition")
	case *Switch:
		c.integer(t.X, "value of the switch")
		for _, k := range t.Cases {
			if k.Lo.Type != c.m.TypeOf(t.X) || k.Hi.Type != k.Lo.Type || k.Lo.Big().Cmp(k.Hi.Big()) > 0 {
				c.failf("case %s to %s", ValueText(k.Lo), ValueText(k.Hi))
			}
		}
	case *IndirectJump:
		c.pointer(t.X, "label")
	case *Return:
		c.returns(t)
	}
}

func (c *checker) returns(t *Return) {
	switch r := c.f.Result; {
	case r.Shape != nil:
		c.pointer(t.X, "result")
	case r.Type.Kind == None && t.X != nil:
		c.failf("a result of a void function")
	case r.Type.Kind != None:
		c.typed(t.X, r.Type, "result")
	}
}
