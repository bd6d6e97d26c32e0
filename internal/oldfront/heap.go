package cfront

import (
	"fmt"

	"comus/ir"
	"comus/logic"

	"modernc.org/cc/v4"
)

// heapSite is a call that allocates memory, in one inlined copy of its function and
// of the loops around it that are unrolled. Outside of other loops it makes one
// object, else up to MaxAllocs, that are counted. Nobody else ever gets the memory
// again, so what it contains before it is written is the initial value of its
// variables: any, or 0.
type heapSite struct {
	id, name, source string
	size             int64
	zero             bool // calloc
	auto             bool // alloca: not to be freed
	exact            bool // the size is said to be that of objects of the type
	instances        int
	thread           int
}

// heapObject is one object that a site makes.
type heapObject struct {
	site     *heapSite
	instance int
	shaped   bool    // it is known of what type it is
	alive    *ir.Var // whether it is allocated and not yet freed; nil if nobody asks
}

// stride is the distance of the addresses of a site's objects.
func (s *heapSite) stride() int64 { return (s.size/alignment + 2) * alignment }

// extent is the size of all objects of a site.
func (s *heapSite) extent() int64 { return s.stride() * int64(s.instances) }

// allocators are the functions that allocate memory, with the number of the argument
// that is its size.
var allocators = map[string]int{"malloc": 0, "calloc": 1, "realloc": 1, "alloca": 0, "__builtin_alloca": 0,
	"aligned_alloc": 1, "memalign": 1, "valloc": 0}

// addAllocators adds the functions that allocate and free memory.
func addAllocators() {
	for name := range allocators {
		libraryFuncs[name] = (*lowerer).allocCall
	}
	libraryFuncs["realloc"] = (*lowerer).reallocCall
	libraryFuncs["posix_memalign"] = (*lowerer).memalignCall
	libraryFuncs["free"] = (*lowerer).freeCall
}

// allocCall lowers malloc, calloc, alloca and the like.
func (b *lowerer) allocCall(c call) *value {
	hint := b.hint
	b.hint = nil
	b.want(c, allocators[c.name]+1)
	vals := b.evalArgs(c.args)
	if b.cur == nil {
		return &value{kind: vUnknown, src: c.n}
	}
	size := b.knownSize(c, vals[allocators[c.name]])
	if c.name == "calloc" {
		size *= b.knownSize(c, vals[0])
	}
	hint, exact := b.typeHint(c.args, hint, size)
	return b.allocate(c, size, hint, exact)
}

// knownSize returns the value of an argument that is a number of bytes or elements.
func (b *lowerer) knownSize(c call, v *value) int64 {
	if k, ok := v.constant(); ok && len(v.side) == 0 {
		if n, small := k.Int64(); small && n >= 0 && n <= maxAllocation {
			return n
		}
		b.fail(c.n, "unsupported: %s of more than %d bytes", c.name, maxAllocation)
	}
	b.fail(c.n, "unsupported: %s of a size that is not known here", c.name)
	return 0
}

// maxAllocation bounds the size of an object on the heap.
const maxAllocation = 1 << 20

// typeHint guesses the type of allocated memory from a cast of the result or from
// sizeof in the arguments. It returns nil if nothing tells. exact tells that an
// argument is a multiple of the type's size by its form.
func (b *lowerer) typeHint(args []cc.ExpressionNode, cast *ctype, size int64) (hint *ctype, exact bool) {
	for _, a := range args {
		if t, whole := b.sizeOf(a); hint == nil && t != nil {
			hint, exact = t, whole
		}
	}
	fits := func(t *ctype) bool {
		return t != nil && t.kind != tVoid && t.kind != tFunc && t.kind != tBad && t.size > 0 && t.size <= size
	}
	switch {
	case fits(cast):
		return cast, exact && hint != nil && sees(cast, hint)
	case fits(hint):
		return hint, exact
	}
	return nil, false
}

// sizeOf returns the type that a sizeof in an expression is about, and whether the
// expression is that, or a product with it.
func (b *lowerer) sizeOf(n cc.ExpressionNode) (t *ctype, whole bool) {
	switch x := unparen(n).(type) {
	case *cc.UnaryExpression:
		switch x.Case {
		case cc.UnaryExpressionSizeofType:
			return b.typeOf(x.TypeName.Type(), nil), true
		case cc.UnaryExpressionSizeofExpr:
			return b.typeOf(x.UnaryExpression.Type().Undecay(), nil), true
		}
	case *cc.MultiplicativeExpression:
		if x.Case == cc.MultiplicativeExpressionMul {
			for _, y := range []cc.ExpressionNode{x.MultiplicativeExpression, x.CastExpression} {
				if t, whole := b.sizeOf(y); t != nil {
					return t, whole
				}
			}
		}
	case *cc.AdditiveExpression:
		t, _ := b.sizeOf(x.AdditiveExpression)
		return t, false
	}
	return nil, false
}

// allocate makes the object of a call and returns its address.
func (b *lowerer) allocate(c call, size int64, hint *ctype, exact bool) *value {
	if b.th.replicated {
		b.fail(c.n, "unsupported: %s in a thread that stands for any number of threads", c.name)
	}
	if c.name != "alloca" && c.name != "__builtin_alloca" {
		b.assume(assumeMalloc)
	}
	pos := position(c.n)
	key := fmt.Sprintf("%s.%s@%d:%d", b.fr.path, c.name, pos.Line, pos.Col)
	visit := b.sites[key]
	b.sites[key]++
	b.record(func() { b.sites[key] = visit })
	s := &heapSite{
		id: fmt.Sprintf("%s#%d", key, visit), name: fmt.Sprintf("%s.%sheap%d", b.fr.path, visitName(visit), pos.Line), source: fmt.Sprintf("heap%d", pos.Line),
		size: size, zero: c.name == "calloc", auto: c.name == "alloca" || c.name == "__builtin_alloca", instances: 1, thread: b.th.index, exact: exact,
	}
	if b.repeats() {
		s.instances = b.opts.MaxAllocs
		s.id += " in a loop" // not what it is if unrolling the loop is tried
	}
	bp := b.facts.objects[s.id]
	if bp == nil || *bp.heap != *s {
		b.facts.objects[s.id] = &blueprint{id: s.id, heap: s}
		if bp != nil {
			b.again(c.n)
		}
	} else {
		s = bp.heap
	}
	if b.facts.shapes[s.id] == nil && hint != nil {
		b.setShape(c.n, s, hint)
	}
	objs := b.heapObjects(s)
	if s.instances > 1 || b.repeats() {
		return b.allocateNext(c, s, objs)
	}
	return b.allocateOne(c, objs[0])
}

// visitName is the part of a name that tells the visits of a place apart.
func visitName(visit int) string {
	if visit == 0 {
		return ""
	}
	return fmt.Sprintf("visit%d.", visit+1)
}

// repeats reports whether the code being lowered is in a loop that is not unrolled.
func (b *lowerer) repeats() bool {
	if len(b.loops) > 0 {
		return true
	}
	for f := b.fr; f != nil; f = f.parent {
		if f.tail != nil && f.tail.head != nil {
			return true
		}
		for _, g := range f.info.gotos {
			if l, ok := g.Label().(*cc.LabeledStatement); ok && f.info.order[g] > f.info.order[l] {
				return true
			}
		}
	}
	return false
}

// setShape fixes the type of the objects of a site.
func (b *lowerer) setShape(n cc.Node, s *heapSite, t *ctype) {
	count := int64(0)
	if t.size > 0 {
		count = s.size / t.size
	}
	switch {
	case t.kind == tVoid || t.kind == tFunc || t.kind == tBad || count == 0:
		b.fail(n, "unsupported: memory that is smaller than what is stored there")
	case count*int64(t.cells) > maxCells:
		b.fail(n, "unsupported: allocation of more than %d elements", maxCells)
	}
	shape := t
	if count > 1 || t.kind != tStruct {
		shape = &ctype{kind: tArray, elem: t, n: int(count), size: count * t.size, cells: int(count) * t.cells}
	}
	b.facts.shapes[s.id] = shape
}

// shape gives the objects of a heap site that have none yet the type by which they
// are accessed first.
func (b *lowerer) shape(n cc.Node, o *object, t *ctype) {
	if o.heap != nil && !o.heap.shaped {
		b.setShape(n, o.heap.site, t)
		b.again(n)
	}
}

// heapObjects returns the objects of a site.
func (b *lowerer) heapObjects(s *heapSite) []*object {
	if objs := b.heap[s.id]; objs != nil {
		return objs
	}
	thread, init := s.thread, (*logic.Value)(nil)
	if b.escaped[s.id] {
		thread = ir.Shared
	}
	if s.zero {
		init = &logic.Value{}
	}
	typ, shaped := b.facts.shapes[s.id], true
	if typ == nil {
		typ, shaped = &ctype{kind: tVoid, size: s.size}, false
	}
	var objs []*object
	for i := range s.instances {
		name, source := s.name, s.source
		if s.instances > 1 {
			name, source = fmt.Sprintf("%s_%d", name, i), fmt.Sprintf("%s_%d", source, i)
		}
		h := &heapObject{site: s, instance: i, shaped: shaped}
		o := &object{name: name, source: source, key: s.id, id: s.id, typ: typ, shared: thread == ir.Shared, thread: thread, init: init, heap: h}
		if shaped {
			b.addCells(o, typ, name, source, 0, thread, init)
		}
		if b.opts.Check.Memory {
			h.alive = b.newVar(name+".alive", "", ir.Flag, thread)
			h.alive.Init = &logic.Value{}
		}
		objs = append(objs, o)
	}
	b.heap[s.id] = objs
	b.record(func() { delete(b.heap, s.id) })
	return objs
}

// allocateOne allocates the only object of a site.
func (b *lowerer) allocateOne(c call, o *object) *value {
	if a := o.heap.alive; a != nil {
		b.settle(o.shared, a)
		b.emit(c.n, b.text(c.n), ir.AssignCmd(a, b.L.Int(1)))
	}
	for _, x := range o.cells {
		if x.typ.kind == tPtr && !o.shared && !b.isDynamicCell(x) {
			if o.heap.site.zero {
				b.bind(x, b.constInt(0, b.ptrInt))
			} else {
				b.bind(x, &value{kind: vUnknown, any: true, from: x})
			}
		}
	}
	p := o.whole()
	switch {
	case !o.heap.shaped:
		v := b.constInt(b.baseOf(c.n, o), b.ptrInt)
		v.to, v.src = targets{target{toObject, o.id}: true}, c.n
		return v
	case o.typ.kind == tArray:
		p = p.at(b.constInt(0, b.ptrInt))
	}
	return &value{kind: vPtr, pl: p, src: c.n}
}

// allocateNext allocates the next object of a site in a loop.
func (b *lowerer) allocateNext(c call, s *heapSite, objs []*object) *value {
	count := b.counters[s.id]
	if count == nil {
		count = b.newVar(s.name+".count", "", ir.Type{Bits: 16}, b.th.index)
		count.Init = &logic.Value{}
		b.counters[s.id] = count
		b.record(func() { delete(b.counters, s.id) })
	}
	b.bounded(fmt.Sprintf("at most %d objects are allocated at %s", s.instances, position(c.n)))
	base := b.baseOf(c.n, objs[0])
	tmp := b.newTemp(b.ptrInt)
	cmds := []ir.Cmd{
		ir.AssumeCmd(b.L.Lt(count.Sym, b.L.Int(int64(s.instances)))),
		ir.AssignCmd(tmp, b.L.Add(b.L.Int(base), b.L.Mul(b.L.Int(s.stride()), count.Sym))),
	}
	for i, o := range objs {
		if a := o.heap.alive; a != nil {
			cmds = append(cmds, ir.AssignCmd(a, b.L.Ite(b.L.Eq(count.Sym, b.L.Int(int64(i))), b.L.Int(1), a.Sym)))
		}
	}
	b.settle(b.opts.Check.Memory, count)
	b.emit(c.n, b.text(c.n), append(cmds, ir.AssignCmd(count, b.L.Add(count.Sym, b.L.Int(1))))...)
	v := b.intValue(tmp.Sym, b.ptrInt)
	v.to, v.src = targets{target{toObject, s.id}: true}, c.n
	v.rng = &interval{logic.IntValue(base), logic.IntValue(base + s.extent())}
	return v
}

// memalignCall lowers posix_memalign.
func (b *lowerer) memalignCall(c call) *value {
	b.want(c, 3)
	vals := b.evalArgs(c.args)
	if b.cur == nil {
		return b.constInt(0, intT)
	}
	if n := b.knownSize(c, vals[1]); n < b.pointerType.size || n&(n-1) != 0 {
		b.fail(c.n, "unsupported: posix_memalign with an alignment that is none")
	}
	mark := b.hold(vals[0])
	size := b.knownSize(c, vals[2])
	hint, exact := b.typeHint(c.args[2:], nil, size)
	v := b.allocate(c, size, hint, exact)
	b.letGo(mark)
	b.store(c.n, b.derefArg(c.n, vals[0], c.args[0]), v, b.text(c.n))
	return b.constInt(0, intT)
}

// reallocCall lowers realloc: a new object gets what the old one holds.
func (b *lowerer) reallocCall(c call) *value {
	hint := b.hint
	b.hint = nil
	b.want(c, 2)
	vals := b.evalArgs(c.args)
	if b.cur == nil {
		return &value{kind: vUnknown, src: c.n}
	}
	size := b.knownSize(c, vals[1])
	if size == 0 {
		b.fail(c.n, "unsupported: realloc of size 0")
	}
	old := b.resolved(c.n, b.mustAddress(c.n, vals[0]))
	mark := b.hold(old)
	if _, ok := old.constant(); !ok || len(old.side) > 0 {
		b.materialise(old)
	}
	elem, _ := b.typeHint(c.args, hint, size)
	var objs []*object
	for _, x := range old.to.sorted() {
		if x.kind != toObject {
			continue
		}
		for _, o := range b.objectsOf(c.n, x.name) {
			if o.heap == nil || o.heap.site.auto {
				continue // not to be reallocated
			}
			if !o.heap.shaped && elem != nil {
				b.shape(c.n, o, elem)
			}
			if o.heap.shaped {
				elem = o.elem()
			}
			objs = append(objs, o)
		}
	}
	v := b.allocate(c, size, elem, false)
	b.hold(v)
	b.settleAll()
	b.copyOld(c, old, v, objs)
	b.letGo(mark)
	return v
}

// elem returns the type that the object of a heap site is an array of.
func (o *object) elem() *ctype {
	if o.typ.kind == tArray {
		return o.typ.elem
	}
	return o.typ
}

// copyOld copies to the memory at v what the object at old, one of these, holds, and
// frees it.
func (b *lowerer) copyOld(c call, old, v *value, objs []*object) {
	start := b.cur
	var flows []*flow
	valid := []*logic.Term{b.L.Eq(old.t, b.L.Int(0))}
	if !valid[0].IsFalse() {
		b.cur = start.clone()
		b.emit(c.n, "", ir.AssumeCmd(valid[0]))
		flows = append(flows, b.cur)
	}
	for _, o := range objs {
		is := b.L.Eq(old.t, b.L.Int(b.baseOf(c.n, o)))
		if is.IsFalse() {
			continue
		}
		valid = append(valid, b.isAlive(is, o))
		b.cur = start.clone()
		if !is.IsTrue() {
			b.emit(c.n, "", ir.AssumeCmd(is))
		}
		if !o.heap.shaped {
			flows = append(flows, b.cur) // nobody has written anything there
			continue
		}
		from := &value{kind: vPtr, pl: o.whole()}
		if o.typ.kind == tArray {
			from.pl = from.pl.at(b.constInt(0, b.ptrInt))
		}
		t := o.elem()
		n := min(o.typ.size, b.allocated(v)) / t.size
		for i := range n {
			k := b.constInt(i, b.ptrInt)
			b.copyPart(c.n, b.deref(c.n, b.movePointer(c.n, v.copy(c.n), k, 1, t), t), b.deref(c.n, b.movePointer(c.n, from, k, 1, t), t), b.text(c.n))
		}
		if a := o.heap.alive; a != nil {
			b.emit(c.n, b.text(c.n), ir.AssignCmd(a, b.L.Int(0)))
		}
		flows = append(flows, b.cur)
	}
	b.frees = true
	b.cur = start
	if b.opts.Check.Memory {
		b.invalid(c.n, "invalid pointer in "+b.text(c.n), b.L.Or(valid...))
	} else {
		b.assume(assumePointer)
	}
	b.join(c.n, flows...)
}

// allocated returns the size of the memory at v, which was just allocated.
func (b *lowerer) allocated(v *value) int64 {
	if v.kind == vPtr {
		return v.pl.obj.typ.size
	}
	for t := range v.to {
		return b.facts.objects[t.name].heap.size
	}
	return 0
}

// freeCall lowers free: memory is not used again, so nothing happens to it.
func (b *lowerer) freeCall(c call) *value {
	b.frees = true
	if !b.opts.Check.Memory || len(c.args) == 0 {
		return b.nothing(c)
	}
	if v := b.eval(c.args[0]); b.cur != nil {
		b.freeValue(c.n, v)
	}
	return c.void()
}

// freeValue frees what v points to, if memory is checked.
func (b *lowerer) freeValue(n cc.Node, v *value) {
	if !b.opts.Check.Memory {
		return
	}
	v = b.resolved(n, b.mustAddress(n, v))
	if _, ok := v.constant(); !ok || len(v.side) > 0 {
		b.materialise(v)
	}
	valid := []*logic.Term{b.L.Eq(v.t, b.L.Int(0))}
	var cmds []ir.Cmd
	var writes []*ir.Var
	for _, x := range v.to.sorted() {
		if x.kind != toObject {
			continue
		}
		for _, o := range b.objectsOf(n, x.name) {
			if o.heap == nil || o.heap.site.auto {
				continue
			}
			is, a := b.L.Eq(v.t, b.L.Int(b.baseOf(n, o))), o.heap.alive
			if is.IsFalse() {
				continue
			}
			valid = append(valid, b.isAlive(is, o))
			cmds = append(cmds, ir.AssignCmd(a, b.L.Ite(is, b.L.Int(0), a.Sym)))
			writes = append(writes, a)
		}
	}
	b.settle(true, writes...)
	b.invalid(n, "memory is freed that is not allocated: "+b.text(n), b.L.Or(valid...))
	if b.cur != nil && len(cmds) > 0 {
		b.emit(n, b.text(n), cmds...)
	}
}
