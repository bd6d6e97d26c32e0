package pointsto

import (
	"context"

	"golang.org/x/tools/container/intsets"

	"comus/cfront/contract"
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
	ctx       context.Context
	prog      *cir.Program
	nodes     []*node
	locs      []Location // by their numbers
	next      []*node    // wait to propagate
	edges     int        // between nodes
	ordered   int        // edges when the nodes were ordered
	now, diff intsets.Sparse
	foreign   *node // a constant: what is outside
	wild      *node // what code of other units may store anywhere: all that is known outside, if there is such code
	given     *node // what functions of the library were given, and what can be reached from there
	kept      map[contract.State]*state
	instances map[instanceKey]*instance
	order     []*instance
	objects   map[objectKey]*Object
	all       []*Object
	external  *Object
	trace     map[int][]int // the edges, by the numbers of nodes; only if traced

	how
	inShapes map[*cir.Shape][]region
	lie      map[liesKey]bool
	wrappers map[*cir.Func]bool
	chains   *chains
	asked    asked
	pointed  []*pointed
	backs    map[*instance]bool // those that code outside may call
	loose    bool               // there is code outside of which nothing is known
}

func (a *analysis) wordSize() int64 { return int64(a.prog.Model.PointerBits / 8) }

func (a *analysis) object(what any, ctx Context, o Object) *Object {
	key := objectKey{what, ctx}
	if x := a.objects[key]; x != nil {
		return x
	}
	x := new(Object) // only now: most are asked for again
	*x = o
	x.ID, x.Ctx, x.layout = len(a.all), ctx, a.layouts[key]
	a.findExtent(x)
	a.objects[key] = x
	a.all = append(a.all, x)
	if x.Global != nil {
		for _, r := range x.Global.Relocs {
			a.add(a.cell(x, r.Offset), Location{a.symbol(r.Target), r.Addend})
		}
		if x.Global.External {
			a.flood(a.foreign, x)
			a.hook(x)
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

// canonical returns the context that stands for a context of a function: functions of one copy have none.
func (a *analysis) canonical(f *cir.Func, ctx Context) Context {
	if f == nil || !f.Library && !a.wrappers[f] {
		return Context{}
	}
	return ctx
}

// instanceOf returns a function's copy for a context, analysed.
func (a *analysis) instanceOf(f *cir.Func, ctx Context) *instance {
	ctx = a.canonical(f, ctx)
	key := instanceKey{f, ctx}
	if x := a.instances[key]; x != nil {
		return x
	}
	x := &instance{fn: f, ctx: ctx, regs: make([]*node, f.NumRegs), ret: a.newNode(), rest: a.newNode(),
		calls: map[*cir.Call]map[*instance]bool{}, threads: map[*cir.Intrinsic]map[*instance]bool{}}
	a.instances[key] = x
	a.order = append(a.order, x)
	for _, b := range f.Blocks {
		reached := a.reaches(f, b)
		note := func(v cir.Value) {
			if g, ok := v.(*cir.Global); reached || !ok || !g.External {
				a.mention(x, v)
			}
		}
		for _, in := range b.Instrs { // objects of what is not reached are made, too, as somebody may ask about that later
			if cir.Operands(in, note); reached {
				a.instr(x, in)
			}
		}
		if cir.TermOperands(b.Term, note); reached {
			a.term(x, b.Term)
		}
	}
	return x
}

// value returns the node of an operand; nil for one without locations.
func (a *analysis) value(x *instance, v cir.Value) *node {
	switch v := v.(type) {
	case *cir.Reg:
		return a.reg(x, v)
	case *cir.Local:
		return a.addressOf(a.object(v, x.ctx, Object{Func: x.fn, Local: v}))
	case *cir.Global:
		return a.addressOf(a.symbol(v))
	case *cir.Func:
		return a.addressOf(a.symbol(v))
	}
	return nil
}

// reg returns the node of a register; nil for one that cannot hold an address.
func (a *analysis) reg(x *instance, r *cir.Reg) *node {
	n := x.regs[r.Index]
	if n == nil && (!r.Type.IsInt() || a.carries(r.Type)) {
		n = a.newNode()
		x.regs[r.Index] = n
	}
	return n
}

// addressOf returns the node that holds an object's address and nothing else.
func (a *analysis) addressOf(o *Object) *node {
	if o.address == nil {
		o.address = a.newNode()
		a.add(o.address, Location{o, 0})
	}
	return o.address
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
	return a.parts || t.IsPointer() || t.IsInt() && t.Bits >= a.prog.Model.PointerBits
}

func (a *analysis) assign(x *instance, from cir.Value, to *cir.Reg) {
	if to != nil {
		a.flow(a.value(x, from), a.reg(x, to))
	}
}

// instr states the rules of an instruction.
func (a *analysis) instr(x *instance, in cir.Instr) {
	switch in := in.(type) {
	case *cir.Convert:
		switch {
		case in.Dst.Type.IsPointer() && a.prog.Model.TypeOf(in.X).IsPointer():
			to := a.reg(x, in.Dst)
			a.each(a.value(x, in.X), func(l Location) { a.add(to, asScalars(l)) })
		case a.carries(in.Dst.Type):
			a.assign(x, in.X, in.Dst)
		}
	case *cir.Bitcast:
		a.assign(x, in.X, in.Dst)
	case *cir.Select:
		a.assign(x, in.X, in.Dst)
		a.assign(x, in.Y, in.Dst)
	case *cir.Binary:
		if a.carries(in.Dst.Type) {
			a.arithmetic(x, in.X, in.Dst)
			a.arithmetic(x, in.Y, in.Dst)
		}
	case *cir.Overflow:
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
				if in.Scale == 1 && a.prog.Model.TypeOf(in.Index).Bits >= a.prog.Model.PointerBits { // an address behind null, perhaps
					a.arithmetic(x, in.Index, in.Dst)
				}
			}
		}
		a.along(a.value(x, in.P), edge{to: a.reg(x, in.Dst), shift: shift, step: step, count: in.Len, of: in.Of, at: in.At})
	default:
		a.memory(x, in)
	}
}

// arithmetic lets addresses in integers get anywhere in their objects.
func (a *analysis) arithmetic(x *instance, v cir.Value, to *cir.Reg) {
	if _, ok := v.(cir.Int); !ok {
		a.move(a.value(x, v), a.reg(x, to), Any, 0)
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
	case *cir.Fill:
		if from, to := a.value(x, in.Byte), a.value(x, in.Dst); a.parts && from != nil && to != nil {
			a.each(to, func(l Location) { a.floodAt(from, l, x.copy().Given(in.Size)) })
		}
	case *cir.Alloca:
		a.flow(a.addressOf(a.object(in, x.ctx, Object{Func: x.fn, Site: in})), a.reg(x, in.Dst))
	case *cir.Call:
		a.call(x, in)
	case *cir.VaArg:
		a.vaArg(x, in)
	case *cir.VaStart: // the va_list refers to the arguments: it holds what they are
		a.each(a.value(x, in.Ap), func(l Location) { a.flow(x.rest, a.cell(l.Obj, 0)) })
	case *cir.VaCopy:
		list := a.newNode()
		a.each(a.value(x, in.Src), func(s Location) { a.flow(a.cell(s.Obj, 0), list) })
		a.each(a.value(x, in.Dst), func(d Location) { a.flow(list, a.cell(d.Obj, 0)) })
	case *cir.Intrinsic:
		a.intrinsic(x, in)
	}
}

func (a *analysis) load(x *instance, addr cir.Value, dst *cir.Reg, t cir.Type) {
	from, to := a.value(x, addr), a.reg(x, dst)
	if from == nil || to == nil || !a.carries(t) {
		return
	}
	a.loadFrom(from, to)
	for n := a.wordSize(); n < int64(t.Bits/8); n += a.wordSize() { // more than one pointer
		next := a.newNode()
		a.move(from, next, n, 0)
		a.loadFrom(next, to)
	}
}

func (a *analysis) loadFrom(from, to *node) {
	r := find(from).rules()
	r.loads = append(r.loads, to)
	for _, id := range find(from).set.AppendTo(nil) {
		if l := a.locs[id]; a.holdsPointer(l) {
			a.flow(a.cell(l.Obj, l.Off), to)
		}
	}
}

func (a *analysis) store(x *instance, addr, v cir.Value, t cir.Type) {
	from, to := a.value(x, v), a.value(x, addr)
	if from == nil || to == nil || !a.carries(t) {
		return
	}
	a.storeTo(from, to)
	for n := a.wordSize(); n < int64(t.Bits/8); n += a.wordSize() {
		next := a.newNode()
		a.move(to, next, n, 0)
		a.storeTo(from, next)
	}
}

func (a *analysis) storeTo(from, to *node) {
	r := find(to).rules()
	r.stores = append(r.stores, from)
	for _, id := range find(to).set.AppendTo(nil) {
		if l := a.locs[id]; a.holdsPointer(l) {
			a.flow(from, a.cell(l.Obj, l.Off))
		}
	}
}

func (a *analysis) copyBytes(x *instance, in *cir.Copy) {
	a.bytes(a.value(x, in.Src), a.value(x, in.Dst), x.copy().Given(in.Size))
}

func (a *analysis) vaArg(x *instance, in *cir.VaArg) {
	a.each(a.value(x, in.Ap), func(l Location) {
		c := a.cell(l.Obj, 0)
		if in.Dst != nil {
			a.flow(c, a.reg(x, in.Dst))
		} else {
			a.bytes(c, a.value(x, in.To), in.Shape.Size)
		}
	})
}

func (a *analysis) term(x *instance, t cir.Term) {
	cir.Succs(t, func(to *cir.Block, args []cir.Value) {
		for i, v := range args {
			a.assign(x, v, to.Params[i])
		}
	})
	if r, ok := t.(*cir.Return); ok && r.X != nil {
		a.flow(a.value(x, r.X), x.ret)
	}
}
