package points

import (
	"comus/cir"
)

// instance is a function in a context.
type instance struct {
	fn   *cir.Func
	ctx  Context
	regs []*node
	ret  *node
	rest *node // the variable arguments
	// calls are the instances that calls here may get to.
	calls map[*cir.Call]map[*instance]bool
	// threads are the instances that begin threads here.
	threads map[*cir.Intrinsic]map[*instance]bool
}

type instanceKey struct {
	fn  *cir.Func
	ctx Context
}

type objectKey struct {
	what any // *cir.Global, *cir.Func, *cir.Local, cir.Instr
	ctx  Context
}

type analysis struct {
	prog      *cir.Program
	work      []*node
	instances map[instanceKey]*instance
	order     []*instance
	objects   map[objectKey]*Object
	all       []*Object
	external  *Object
	anywhere  Location // outside of the program
	wrappers  map[*cir.Func]bool
}

func (a *analysis) wordSize() int64 { return int64(a.prog.Model.PointerBits / 8) }

func (a *analysis) object(what any, ctx Context, o Object) *Object {
	key := objectKey{what, ctx}
	if x := a.objects[key]; x != nil {
		return x
	}
	x := &o
	x.ID, x.Ctx = len(a.all), ctx
	a.objects[key] = x
	a.all = append(a.all, x)
	if x.Global != nil {
		for _, r := range x.Global.Relocs {
			a.add(a.cell(x, r.Offset), Location{a.symbol(r.Target), r.Addend})
		}
		if x.Global.External {
			n := a.newNode()
			a.add(n, a.anywhere)
			a.flood(n, x)
		}
	}
	return x
}

func (a *analysis) symbol(s cir.Symbol) *Object {
	switch s := s.(type) {
	case *cir.Global:
		return a.object(s, Context{}, Object{Global: s})
	case *cir.Func:
		return a.object(s, Context{}, Object{Func: s})
	}
	return a.external
}

// instanceOf returns a function's copy for a context, analysed.
func (a *analysis) instanceOf(f *cir.Func, ctx Context) *instance {
	if !f.Library && !a.wrappers[f] {
		ctx = Context{}
	}
	key := instanceKey{f, ctx}
	if x := a.instances[key]; x != nil {
		return x
	}
	x := &instance{fn: f, ctx: ctx, regs: make([]*node, f.NumRegs), ret: a.newNode(), rest: a.newNode(),
		calls: map[*cir.Call]map[*instance]bool{}, threads: map[*cir.Intrinsic]map[*instance]bool{}}
	for i := range x.regs {
		x.regs[i] = a.newNode()
	}
	a.instances[key] = x
	a.order = append(a.order, x)
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			cir.Operands(in, func(v cir.Value) { a.mention(x, v) })
			a.instr(x, in)
		}
		cir.TermOperands(b.Term, func(v cir.Value) { a.mention(x, v) })
		a.term(x, b.Term)
	}
	return x
}

// value returns the node of an operand; nil for one without locations.
func (a *analysis) value(x *instance, v cir.Value) *node {
	var l Location
	switch v := v.(type) {
	case *cir.Reg:
		return x.regs[v.Index]
	case *cir.Local:
		l.Obj = a.object(v, x.ctx, Object{Func: x.fn, Local: v})
	case *cir.Global:
		l.Obj = a.symbol(v)
	case *cir.Func:
		l.Obj = a.symbol(v)
	default:
		return nil
	}
	n := a.newNode()
	a.add(n, l)
	return n
}

// mention makes the object that an operand is the address of, though nothing may be stored there that is a pointer.
func (a *analysis) mention(x *instance, v cir.Value) {
	switch v := v.(type) {
	case *cir.Local:
		a.object(v, x.ctx, Object{Func: x.fn, Local: v})
	case *cir.Global, *cir.Func:
		a.symbol(v.(cir.Symbol))
	}
}

// carries reports whether a scalar of this type may hold an address.
func (a *analysis) carries(t cir.Type) bool {
	return t.IsPointer() || t.IsInt() && t.Bits >= a.prog.Model.PointerBits
}

func (a *analysis) move(x *instance, from cir.Value, to *cir.Reg) {
	if to != nil {
		a.flow(a.value(x, from), x.regs[to.Index], 0, 0)
	}
}

// instr states the rules of an instruction.
func (a *analysis) instr(x *instance, in cir.Instr) {
	switch in := in.(type) {
	case *cir.Convert:
		if a.carries(in.Dst.Type) {
			a.move(x, in.X, in.Dst)
		}
	case *cir.Bitcast:
		a.move(x, in.X, in.Dst)
	case *cir.Select:
		a.move(x, in.X, in.Dst)
		a.move(x, in.Y, in.Dst)
	case *cir.Binary:
		if a.carries(in.Dst.Type) {
			a.arithmetic(x, in.X, in.Dst)
			a.arithmetic(x, in.Y, in.Dst)
		}
	case *cir.Unary:
		if a.carries(in.Dst.Type) {
			a.arithmetic(x, in.X, in.Dst)
		}
	case *cir.Offset:
		step := int64(0)
		shift := in.Disp
		if in.Index != nil {
			if c, ok := in.Index.(cir.Int); ok {
				shift += int64(c.Lo) * in.Scale
			} else {
				step = in.Scale
			}
		}
		a.flow(a.value(x, in.P), x.regs[in.Dst.Index], shift, step)
	default:
		a.memory(x, in)
	}
}

// arithmetic lets addresses in integers get anywhere in their objects.
func (a *analysis) arithmetic(x *instance, v cir.Value, to *cir.Reg) {
	if _, ok := v.(cir.Int); !ok {
		a.flow(a.value(x, v), x.regs[to.Index], Any, 0)
	}
}

// memory states the rules of the instructions that access memory, and calls.
func (a *analysis) memory(x *instance, in cir.Instr) {
	switch in := in.(type) {
	case *cir.Load:
		a.load(x, in.Addr, in.Dst, in.Type)
	case *cir.Store:
		a.store(x, in.Addr, in.X, in.Type)
	case *cir.RMW:
		if in.Dst != nil {
			a.load(x, in.Addr, in.Dst, in.Type)
		}
		if in.X != nil {
			a.store(x, in.Addr, in.X, in.Type)
		}
	case *cir.CmpXchg:
		if in.Old != nil {
			a.load(x, in.Addr, in.Old, in.Type)
		}
		a.store(x, in.Addr, in.New, in.Type)
	case *cir.Copy:
		a.copyBytes(x, in)
	case *cir.Alloca:
		a.add(x.regs[in.Dst.Index], Location{a.object(in, x.ctx, Object{Func: x.fn, Site: in}), 0})
	case *cir.Call:
		a.call(x, in)
	case *cir.VaArg:
		a.vaArg(x, in)
	case *cir.VaStart: // the va_list refers to the arguments: it holds what they are
		a.each(a.value(x, in.Ap), func(l Location) { a.flow(x.rest, a.cell(l.Obj, 0), 0, 0) })
	case *cir.VaCopy:
		a.each(a.value(x, in.Src), func(s Location) {
			a.each(a.value(x, in.Dst), func(d Location) { a.flow(a.cell(s.Obj, 0), a.cell(d.Obj, 0), 0, 0) })
		})
	case *cir.Intrinsic:
		a.intrinsic(x, in)
	}
}

func (a *analysis) load(x *instance, addr cir.Value, dst *cir.Reg, t cir.Type) {
	if a.carries(t) {
		to := x.regs[dst.Index]
		a.each(a.value(x, addr), func(l Location) {
			switch {
			case l.Obj.External:
				a.add(to, a.anywhere)
			case !l.Obj.IsFunc():
				a.flow(a.cell(l.Obj, l.Off), to, 0, 0)
			}
		})
	}
}

func (a *analysis) store(x *instance, addr, v cir.Value, t cir.Type) {
	from := a.value(x, v)
	if from == nil || !a.carries(t) {
		return
	}
	a.each(a.value(x, addr), func(l Location) {
		if !l.Obj.IsFunc() {
			a.flow(from, a.cell(l.Obj, l.Off), 0, 0)
		}
	})
}

func (a *analysis) copyBytes(x *instance, in *cir.Copy) {
	size := int64(-1)
	if c, ok := in.Size.(cir.Int); ok && c.Lo < 1<<40 {
		size = int64(c.Lo)
	}
	a.bytes(a.value(x, in.Src), a.value(x, in.Dst), size)
}

// bytes lets the contents of what src points to flow into what dst points to.
func (a *analysis) bytes(src, dst *node, size int64) {
	a.each(src, func(s Location) {
		a.each(dst, func(d Location) {
			switch {
			case s.Obj.IsFunc() || d.Obj.IsFunc():
			case s.Obj.External: // whatever is there points outside
				n := a.newNode()
				a.add(n, a.anywhere)
				a.flood(n, d.Obj)
			default:
				a.copyObject(s, d, size)
			}
		})
	})
}

func (a *analysis) vaArg(x *instance, in *cir.VaArg) {
	a.each(a.value(x, in.Ap), func(l Location) {
		c := a.cell(l.Obj, 0)
		if in.Dst != nil {
			a.flow(c, x.regs[in.Dst.Index], 0, 0)
		} else {
			a.bytes(c, a.value(x, in.To), in.Shape.Size)
		}
	})
}

func (a *analysis) term(x *instance, t cir.Term) {
	cir.Succs(t, func(to *cir.Block, args []cir.Value) {
		for i, v := range args {
			a.move(x, v, to.Params[i])
		}
	})
	if r, ok := t.(*cir.Return); ok && r.X != nil {
		a.flow(a.value(x, r.X), x.ret, 0, 0)
	}
}
