package interp

import "comus/cir"

// memory makes the code of an instruction that accesses memory, or calls.
func (c *compiler) memory(in cir.Instr) {
	switch in := in.(type) {
	case *cir.Load:
		c.load(in)
	case *cir.Store:
		c.store(in)
	case *cir.Copy:
		c.address(in.Dst, in.Src)
		c.integer(in.Size)
		c.emit(inst{do: doCopy, a: c.arg(in.Dst), b: c.arg(in.Src), c: c.arg(in.Size), x: &extra{flow: flowCall, over: in.Overlap}})
	case *cir.Fill:
		c.address(in.Dst)
		c.integer(in.Size)
		c.integer(in.Byte)
		c.emit(inst{do: doFill, a: c.arg(in.Dst), b: c.arg(in.Byte), c: c.arg(in.Size), x: &extra{flow: flowCall}})
	case *cir.RMW:
		c.rmw(in)
	case *cir.CmpXchg:
		c.cmpxchg(in)
	case *cir.Fence:
		do := handler(doNothing)
		if c.m.races != nil && !in.Compiler {
			do = fence(in.Order)
			if c.m.opt.Atomics != nil {
				do = weakFence(in.Order, do)
			}
		}
		c.emit(inst{do: do, x: &extra{flow: flowCall}})
	case *cir.Call:
		c.call(in)
	case *cir.VaStart, *cir.VaArg, *cir.VaCopy, *cir.VaEnd:
		c.variable(in)
	case *cir.LifeStart:
		c.emit(inst{do: lifeStart, a: c.localOf(in.Local), x: &extra{flow: flowCall}})
	case *cir.LifeEnd:
		c.emit(inst{do: lifeEnd, a: c.localOf(in.Local), x: &extra{flow: flowCall}})
	case *cir.Alloca:
		c.integer(in.Size)
		name := in.Name
		if name == "" {
			name = "alloca"
		}
		c.emit(inst{do: doAlloca, d: c.reg(in.Dst), a: c.arg(in.Size), imm: uint64(in.Align), x: &extra{flow: flowBranch, why: name}})
	case *cir.StackSave:
		c.emit(inst{do: stackSave, d: c.reg(in.Dst), x: &extra{flow: flowCall}})
	case *cir.StackRestore:
		c.emit(inst{do: stackRestore, a: c.arg(in.Mark), x: &extra{flow: flowCall}})
	case *cir.Assumption:
		c.emit(inst{do: doAssumption, x: &extra{flow: flowCall, why: in.Sentence}})
	case *cir.Intrinsic:
		c.intrinsic(in)
	default:
		c.bad("instruction %T", in)
	}
}

// address checks that operands are pointers.
func (c *compiler) address(vs ...cir.Value) {
	for _, v := range vs {
		if t := c.typ(v); !t.IsPointer() {
			c.bad("a %s where an address is expected at %s", t, c.where())
		}
	}
}

// localOf returns a local's number.
func (c *compiler) localOf(l *cir.Local) int32 {
	i, ok := c.local[l]
	if !ok {
		c.bad("a local that is none of the function's")
	}
	return i
}

// access checks an access.
func (c *compiler) access(a *cir.Access, t cir.Type) {
	c.check(a.Type)
	if a.Type.Kind != t.Kind || a.Type.Bits != t.Bits && !t.IsPointer() {
		c.bad("an access of type %s to a %s at %s", a.Type, t, c.where())
	}
	if b := a.Bits; b != nil && (!a.Type.IsInt() || b.Offset < 0 || b.Offset > 1<<20 || b.Width < 1 || b.Width > a.Type.Bits) {
		c.bad("a bit-field of %d bits at %d in a %s", b.Width, b.Offset, a.Type)
	}
}

// isIdle reports whether a load may find indeterminate bits: its value is only copied, or what the library reads is no characters.
func (c *compiler) isIdle(in *cir.Load) bool {
	if !c.m.opt.Reads && !c.m.opt.Unset {
		return false
	}
	if c.idle == nil {
		c.idle = cir.Idle(c.fn.f)
	}
	return c.idle[in] || c.fn.f.Library && (in.Bits != nil || in.Type.Bits != 8)
}

// load makes a Load's code.
func (c *compiler) load(in *cir.Load) {
	if in.Dst == nil {
		c.bad("a load without a result")
	}
	c.address(in.Addr)
	c.access(&in.Access, in.Dst.Type)
	if l, ok := c.promoted(in.Addr); ok {
		c.emit(inst{do: loadLocal(in.Type), d: c.reg(in.Dst), a: l.slot, x: &extra{flow: flowLocalLoad, why: l.name, idle: c.isIdle(in)}})
		return
	}
	c.atEnd(in.Addr)
	do := handler(loadSlow)
	t := in.Type
	if in.Bits == nil && t != cir.Bool {
		switch {
		case t.IsPointer() && c.m.words == 3:
			do = loadPtr
		case t.IsPointer() || t.Bits > 64:
		case t.Bits == 64:
			do = load64
		case t.Bits == 32 && t.Signed:
			do = load32S
		case t.Bits == 32:
			do = load32U
		case t.Bits == 16 && t.Signed:
			do = load16S
		case t.Bits == 16:
			do = load16U
		case t.Bits == 8 && t.Signed:
			do = load8S
		case t.Bits == 8:
			do = load8U
		}
	}
	if c.m.races != nil {
		do = raced(do, false)
	}
	c.emit(inst{do: do, d: c.reg(in.Dst), a: c.arg(in.Addr), x: &extra{flow: flowLoad, acc: in.Access, idle: c.isIdle(in)}})
}

// store makes a Store's code.
func (c *compiler) store(in *cir.Store) {
	c.address(in.Addr)
	c.access(&in.Access, c.typ(in.X))
	if l, ok := c.promoted(in.Addr); ok {
		c.emit(inst{do: storeLocal(in.Type), a: l.slot, b: c.arg(in.X), x: &extra{flow: flowLocalStore, why: l.name}})
		return
	}
	c.atEnd(in.Addr)
	do := handler(storeSlow)
	t := in.Type
	if in.Bits == nil {
		switch {
		case t.IsPointer() && c.m.words == 3:
			do = storePtr
		case t.IsPointer():
		case t.Bits == 64:
			do = store64
		case t.Bits == 32:
			do = store32
		case t.Bits == 16:
			do = store16
		case t.Bits == 8 || t.Bits == 1:
			do = store8
		}
	}
	if c.m.races != nil {
		do = raced(do, true)
	}
	c.emit(inst{do: do, a: c.arg(in.Addr), b: c.arg(in.X), x: &extra{flow: flowStore, acc: in.Access}})
}

// atEnd checks, before an access, that no subscript on the way to its address is the length of its array: the
// address is one past the end. Where the array is the object, its bounds say so anyway.
func (c *compiler) atEnd(addr cir.Value) {
	for depth := 0; depth < 20; depth++ {
		r, ok := addr.(*cir.Reg)
		if !ok {
			return
		}
		o, ok := c.defs[r].(*cir.Offset)
		if !ok {
			return
		}
		if o.Len > 0 && o.Index != nil && !whole(o) {
			c.emit(inst{do: checkEnd, a: c.arg(o.Index), imm: uint64(o.Len), x: &extra{flow: flowBranch, helper: true}})
		}
		addr = o.P
	}
}

// whole reports whether an array is an object of its own.
func whole(o *cir.Offset) bool {
	switch p := o.P.(type) {
	case *cir.Global:
		return p != nil && p.Size == o.Len*o.Scale
	case *cir.Local:
		return p != nil && p.Size == o.Len*o.Scale
	}
	return false
}

// checkEnd stops if a subscript is the length of the array.
func checkEnd(t *thread, f *frame, in *inst) bool {
	t.left++
	if f.s[in.a].lo == in.imm {
		return t.m.undefined(CheckBounds, "subscript "+itoa(int64(in.imm))+" of an array of "+itoa(int64(in.imm)))
	}
	return true
}

// rmw makes an RMW's code.
func (c *compiler) rmw(in *cir.RMW) {
	c.address(in.Addr)
	c.check(in.Type)
	x := c.typ(in.X)
	switch {
	case in.Op == cir.RMWTest:
		if !in.Type.IsInt() {
			c.bad("test and set of a %s", in.Type)
		}
	case in.Type.IsPointer() && in.Op != cir.Xchg:
		c.integer(in.X)
	case in.Op > cir.RMWTest || x.Kind != in.Type.Kind || in.Type.IsFloat() && in.Op != cir.Xchg:
		c.bad("read-modify-write %d of a %s by a %s", in.Op, in.Type, x)
	}
	if in.Dst != nil {
		c.access(&in.Access, in.Dst.Type)
	}
	do := handler(doRMW)
	if c.m.opt.Atomics != nil {
		do = weakHandler(AtomicUpdate, func(t *thread, f *frame, in *inst) (wrote, ok bool) { return true, doRMW(t, f, in) })
	}
	c.emit(inst{do: do, d: c.dst(in.Dst), a: c.arg(in.Addr), b: c.arg(in.X), imm: uint64(in.Op),
		x: &extra{flow: flowCall, acc: in.Access, types: []cir.Type{x}}})
}

// cmpxchg makes a CmpXchg's code.
func (c *compiler) cmpxchg(in *cir.CmpXchg) {
	c.address(in.Addr)
	for _, v := range []cir.Value{in.Expected, in.New} {
		c.access(&in.Access, c.typ(v))
	}
	do := handler(doCmpXchg)
	if c.m.opt.Atomics != nil {
		do = weakHandler(AtomicExchange, func(t *thread, f *frame, in *inst) (wrote, ok bool) {
			ok = doCmpXchg(t, f, in)
			return ok && f.s[in.c].lo != 0, ok
		})
	}
	imm := uint64(0)
	if in.Weak {
		if imm = 1; c.m.opt.Atomics != nil && comesBack(c.at) {
			imm = 2
		}
	}
	c.emit(inst{do: do, d: c.dst(in.Old), c: c.dst(in.OK), a: c.arg(in.Addr), b: c.arg(in.New), imm: imm,
		x: &extra{flow: flowCall, acc: in.Access, instr: in.Failure, args: []int32{c.arg(in.Expected)}}})
}

// variable makes the code of what handles variable arguments.
func (c *compiler) variable(in cir.Instr) {
	switch in := in.(type) {
	case *cir.VaStart:
		c.address(in.Ap)
		c.emit(inst{do: vaStart, a: c.arg(in.Ap), x: &extra{flow: flowCall}})
	case *cir.VaCopy:
		c.address(in.Dst, in.Src)
		c.emit(inst{do: vaCopy, a: c.arg(in.Dst), b: c.arg(in.Src), x: &extra{flow: flowCall}})
	case *cir.VaEnd:
		c.address(in.Ap)
		c.emit(inst{do: doNothing, a: c.arg(in.Ap), x: &extra{flow: flowCall}})
	case *cir.VaArg:
		c.address(in.Ap)
		i := inst{do: vaArg, a: c.arg(in.Ap), x: &extra{flow: flowCall}}
		switch {
		case in.Shape != nil && in.To != nil:
			c.address(in.To)
			i.b, i.do, i.imm = c.arg(in.To), vaArgStruct, uint64(in.Shape.Size)
		case in.Dst != nil && in.Shape == nil:
			i.d = c.reg(in.Dst)
			i.x.types = []cir.Type{c.check(in.Dst.Type)}
		default:
			c.bad("va_arg of neither a scalar nor a struct")
		}
		c.emit(i)
	}
}
