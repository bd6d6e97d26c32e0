package specialise

import (
	"fmt"
	"slices"

	"comus/cir"
	"comus/ir"
	"comus/logic"
	"comus/scan/pointsto"
)

// call runs a call.
func (b *builder) call(in *cir.Call) {
	args := make([]*value, len(in.Args))
	for i, a := range in.Args {
		args[i] = b.operand(a.X)
	}
	if f, ok := in.Callee.(*cir.Func); ok {
		b.callFunc(in, f, args)
		return
	}
	v := b.operand(in.Callee)
	if k, ok := v.constant(); ok {
		if addr, small := k.Int64(); small {
			if o := b.objectAt(addr); o != nil && o.fn != nil && o.addr == addr {
				b.callFunc(in, o.fn, args)
				return
			}
		}
		b.assume(assumePointer)
		b.noFunctionIf(b.L.True(), v, "")
		b.stop()
		return
	}
	b.callAny(in, v, args)
}

// callAny runs a call through a pointer that is not known: a case for each function that it may point to.
func (b *builder) callAny(in *cir.Call, v *value, args []*value) {
	fns, outside := b.callees(in)
	b.assume(assumePointer)
	if args, v = b.checkCallee(fns, outside, v, args); b.cur == nil {
		return
	}
	switch {
	case len(fns) == 0 && !outside:
		b.stop()
		return
	case len(fns) == 1 && !outside:
		b.callFunc(in, fns[0], args)
		return
	}
	mark := b.hold(append(slices.Clone(args), v)...)
	b.settle(true)
	for i := range b.held[mark:] {
		b.held[mark+i] = b.steady(b.held[mark+i])
	}
	args, v = slices.Clone(b.held[mark:len(b.held)-1]), b.held[len(b.held)-1]
	start := b.cur
	live := b.liveAfter()
	var flows []*flow
	for _, f := range fns {
		b.cur = start.clone()
		b.emit("", ir.AssumeCmd(b.L.Eq(v.t, b.L.Int(b.function(f).addr))))
		b.callFunc(in, f, args)
		if b.cur != nil {
			flows = append(flows, b.cur)
		}
	}
	if outside {
		b.cur = start.clone()
		b.unknownCall(in, args, "a function that is not known")
		if b.cur != nil {
			flows = append(flows, b.cur)
		}
	}
	b.release(mark)
	b.cur = nil
	if len(flows) == 0 {
		return
	}
	if in.Dst != nil && !slices.Contains(live, in.Dst.Index) {
		live = append(live, in.Dst.Index)
	}
	b.joinLive(flows, live)
}

// checkCallee makes it an error that the pointer of a call is none to a function that it may get to, if that is asked about. It returns
// the arguments and the pointer anew.
func (b *builder) checkCallee(fns []*cir.Func, outside bool, v *value, args []*value) ([]*value, *value) {
	if !b.opts.Check.Memory {
		return args, v
	}
	mark := b.hold(append(slices.Clone(args), v)...)
	b.settle(true)
	last := len(b.held) - 1
	b.held[last] = b.steady(b.held[last])
	v, ok, approx := b.held[last], b.L.False(), ""
	for _, f := range fns {
		ok = b.L.Or(ok, b.L.Eq(v.t, b.L.Int(b.function(f).addr)))
	}
	if outside {
		ok, approx = b.L.False(), untracked
	}
	b.noFunctionIf(b.L.Not(ok), v, approx)
	b.emit("", append(assumes(v.side), ir.AssumeCmd(b.L.Or(ok, b.L.Bool(outside))))...)
	args, v = slices.Clone(b.held[mark:last]), b.held[last]
	b.release(mark)
	return args, v
}

// noFunctionIf makes it an error that what is called is no function, which is so if a condition holds.
func (b *builder) noFunctionIf(bad *logic.Term, v *value, approx string) {
	if b.opts.Check.Memory {
		b.invalidIf(bad, v.side, approx)
	}
}

// liveAfter returns the registers that hold values now.
func (b *builder) liveAfter() []int { return b.needed() }

// joinLive lets flows meet, with those of some registers that all of them have.
func (b *builder) joinLive(flows []*flow, regs []int) {
	if len(flows) == 1 {
		b.cur = flows[0]
		return
	}
	regs = slices.DeleteFunc(slices.Clone(regs), func(r int) bool {
		return slices.ContainsFunc(flows, func(f *flow) bool { return f.regs[r] == nil })
	})
	b.joinFlows(flows, regs)
}

// callees returns the functions that a call may get to whose parameters fit, and whether it may leave the program.
func (b *builder) callees(in *cir.Call) (fns []*cir.Func, outside bool) {
	for _, l := range b.pts.Targets(b.fr.fn, b.fr.ctx, in.Callee) {
		switch {
		case l.Obj.External:
			outside = true
		case l.Obj.IsFunc() && !slices.Contains(fns, l.Obj.Func) && fits(l.Obj.Func, in):
			fns = append(fns, l.Obj.Func)
		}
	}
	switch {
	case outside && len(fns) > 0:
		b.assume(assumeNamed)
	case outside:
		b.assume(assumeTheirCode)
	}
	return fns, outside && len(fns) == 0
}

// fits reports whether a call can be one of a function: it gives it enough arguments. Anything else is undefined.
func fits(f *cir.Func, in *cir.Call) bool {
	return len(in.Args) >= len(f.Params) && (f.Result.Shape == nil) == (in.Result.Shape == nil)
}

// callFunc runs a call of a function.
func (b *builder) callFunc(in *cir.Call, f *cir.Func, args []*value) {
	defer b.called(f)()
	b.mayWait(f)
	if args = b.raceCall(in, f, args); b.cur == nil {
		return
	}
	switch {
	case len(f.Blocks) == 0:
		if f.Source == "makecontext" { // what runs there may stop at any call, and others go on
			b.bounded(fmt.Sprintf("the context that makecontext makes at %s is not followed", b.pos()))
		}
		if f.Unknown == cir.Open && in.Unknown != cir.Open {
			b.bounded(fmt.Sprintf("what '%s' does, which may not be there, is not followed where it is called through a pointer", f.Source))
		}
		if args = b.waitForStreams(in, args); b.cur != nil {
			b.unknownCall(in, args, "'"+f.Source+"'")
		}
		return
	case !fits(f, in):
		if b.opts.Check.Memory {
			b.errorIf(Memory, fmt.Sprintf("call of '%s' as a function of another type in %s", f.Source, b.text()), b.L.True(), nil)
		} else {
			b.assume("functions are called with arguments of their types")
		}
		b.stop()
		return
	}
	if c := b.leftOut(in, f); c.Out && b.blk != nil { // constructors are called from no block
		b.leaveOut(in, f, c)
		return
	}
	b.noteTry(f)
	b.locksInHandler(f)
	depth := 0
	for fr := b.fr; fr != nil; fr = fr.parent {
		if fr.fn == f {
			depth++
		}
	}
	if depth > b.opts.Unwind && !b.goesOn(depth, args) {
		b.bounded(fmt.Sprintf("at most %d calls of '%s' within one another at %s", b.opts.Unwind, f.Source, f.Pos))
		b.cur = nil
		return
	}
	path := b.fr.path + "." + f.Source
	if depth > b.opts.Unwind { // the names of all these calls would be long
		path = fmt.Sprintf("t%d.%s^%d", b.th.index, f.Source, depth)
	}
	b.inline(in, f, args, path)
}

// goesOn reports whether a call within many of the same function is run all the same: its arguments are constants, which tell
// when it is enough. There may be a limited number of such calls in all.
func (b *builder) goesOn(depth int, args []*value) bool {
	if b.deep++; depth > maxDepth || b.deep > maxDeep || len(args) == 0 {
		return false
	}
	return !slices.ContainsFunc(args, func(v *value) bool { _, ok := v.constant(); return !ok })
}

// maxDepth and maxDeep bound such calls.
const maxDepth, maxDeep = 12000, 12000

// inline runs the body of a function in place of a call. path names the activation.
func (b *builder) inline(in *cir.Call, f *cir.Func, args []*value, path string) {
	caller, site := b.fr, b.site
	b.calls = nil
	fr := &frame{fn: f, parent: caller, call: b.irPos(), ctx: b.contextOf(in, f), locals: map[*cir.Local]*object{}, shape: b.shape(f), depth: b.cur.depth, used: in.Dst != nil, blk: b.blk, step: b.step, calledBy: in}
	fr.path = path
	if n := b.visit(fr.path); n > 0 {
		fr.path = fmt.Sprintf("%s_%d", fr.path, n+1)
	}
	if f.Library {
		fr.user = caller.user
		if fr.user == nil {
			fr.user = site
		}
	}
	if in.To != nil {
		fr.destAt = b.operand(in.To)
	}
	mark := b.hold(args...)
	strings, reads := b.readsStrings(in, f, args)
	pending := b.areStrings(args, strings)
	b.dropAfter(in)
	b.settleAll()
	args = slices.Clone(b.held[mark:])
	b.release(mark)
	b.areStrings(args, pending)
	fr.args, fr.reads = args, reads
	fr.saved = b.cur.regs
	b.cur.regs = map[int]*value{}
	b.fr = fr
	b.bindParams(f, fr, in, args)
	if f.Atomic {
		b.cur.depth++
		b.inSection(true)
	}
	b.body()
	b.endCall(in, fr, caller, site)
	b.holdAfter(in, f, args)
}

// dropAfter forgets the registers that are not needed after a call.
func (b *builder) dropAfter(in cir.Instr) {
	last := b.lastUses(in)
	for r := range b.cur.regs {
		if last[r] {
			delete(b.cur.regs, r)
		}
	}
}

// lastUses returns the registers whose last use is an instruction of the current block.
func (b *builder) lastUses(in cir.Instr) map[int]bool {
	m := map[int]bool{}
	if b.blk == nil {
		return m
	}
	for r, k := range b.fr.shape.lastUse[b.blk.Index] {
		if k <= b.step {
			m[r] = true
		}
	}
	return m
}

// visit counts the visits of a place, from 0.
func (b *builder) visit(place string) int {
	n := b.visits[place]
	b.visits[place]++
	b.visited = append(b.visited, place)
	return n
}

// bindParams gives the parameters their values.
func (b *builder) bindParams(f *cir.Func, fr *frame, in *cir.Call, args []*value) {
	for i, p := range f.Params {
		if p.ByVal != nil {
			bp := blueprint{key: fmt.Sprintf("%s.%s#p%d", fr.path, p.Name, i), name: fr.path + "." + p.Name, source: p.Name, size: p.ByVal.Size, align: p.Align,
				abs: b.pts.Object(f, fr.ctx, p.Reg), shape: p.ByVal, thread: ir.Shared, owner: b.th.index, local: true}
			o := b.create(bp)
			o.fr, o.ended = fr.parent, false
			b.begin(o)
			fr.params = append(fr.params, o)
			to := b.pointerTo(o, 0)
			b.fr = fr.parent
			b.copyShape(to, p.Reg, args[i], in.Args[i].X, p.ByVal, fr)
			b.fr, o.fr = fr, fr
			b.cur.regs[p.Reg.Index] = to
			continue
		}
		v := args[i]
		if v.typ != p.Reg.Type { // a call without a prototype
			v = b.convert(v, p.Reg.Type)
		}
		b.cur.regs[p.Reg.Index] = v
	}
	if len(args) > len(f.Params) {
		fr.rest = args[len(f.Params):]
		for _, a := range in.Args[len(f.Params):] {
			fr.given = append(fr.given, a.X)
		}
	}
}

// endCall lets the returns of a function meet and goes on after the call.
func (b *builder) endCall(in *cir.Call, fr, caller *frame, site *cir.Site) {
	var flows []*flow
	const result = -1 // the register that carries the result to where the returns meet
	for _, r := range fr.rets {
		if r.v != nil && in.Dst != nil {
			r.f.regs = map[int]*value{result: r.v}
		} else {
			r.f.regs = map[int]*value{}
		}
		flows = append(flows, r.f)
	}
	b.cur = nil
	var regs []int
	if in.Dst != nil {
		regs = []int{result}
	}
	b.site = site
	switch {
	case len(flows) == 1:
		b.cur = flows[0]
	case len(flows) > 1:
		fr.rets = nil
		b.joinFlows(flows, regs)
	}
	b.fr, b.blk, b.step, b.running = caller, fr.blk, fr.step, in
	if b.cur == nil {
		return
	}
	if fr.fn.Atomic {
		b.inSection(false)
		b.leaveAtomic()
	}
	v := b.cur.regs[result]
	b.cur.regs = fr.saved
	if in.Dst != nil {
		if v == nil {
			v = b.anything(in.Dst.Type, "", site)
		}
		if v.typ != in.Dst.Type {
			v = b.convert(v, in.Dst.Type)
		}
		b.cur.regs[in.Dst.Index] = v
	}
	b.endLocals(fr)
}

// endLocals forgets what the locals of an activation hold.
func (b *builder) endLocals(fr *frame) {
	b.endLives(fr)
	for _, o := range fr.objects() {
		o.ended = true
		b.forgetSet(o)
		for _, c := range o.cells {
			delete(b.cur.consts, c.v)
			delete(b.cur.undef, c)
		}
	}
}

// leaveAtomic ends an atomic section.
func (b *builder) leaveAtomic() {
	if b.cur == nil {
		return
	}
	if b.cur.depth == 1 {
		b.cur.depth = 0 // settle sees what is pending outside
		var pending []*value
		for _, r := range b.needed() {
			if v := b.cur.regs[r]; b.mentionsShared(v) && !slices.Contains(pending, v) {
				pending = append(pending, v)
			}
		}
		b.cur.depth = 1
		for _, v := range pending {
			w := b.materialise(v)
			b.replace(func(x *value) *value {
				if x == v {
					return w
				}
				return x
			})
		}
	}
	b.cur.depth--
	if b.cur.depth > 0 {
		return
	}
	b.forgetShared()
	b.cur.seen = nil
	switch at := b.cur.at; {
	case !at.atomic:
	case at.outs == 0 && !at.multi:
		at.atomic = false // the section ends with the step that leads here
	default:
		b.emit("")
	}
}

// unknownCall runs a call of a function without a body: any result, and any change of what it can reach.
func (b *builder) unknownCall(in *cir.Call, args []*value, name string) {
	approx := "call of unknown function " + name
	if in.Unknown == cir.Contract {
		approx = "call of library function " + name
	}
	if b.opts.Check.atEnd() {
		b.assume(assumeTheirs)
	}
	mark := b.hold(args...)
	if in.Unknown != cir.Pure {
		b.raceUnknown(in, contractOf(in), approx)
	}
	b.settleAll()
	args = slices.Clone(b.held[mark:])
	b.release(mark)
	switch c := contractOf(in); {
	case b.cur == nil:
	case in.Unknown == cir.Pure:
		b.noteCallbacks(in, name)
	case c != nil:
		b.byContract(in, c, args, approx)
	default:
		b.writesOutside()
		for i, a := range in.Args {
			b.havocReachable(args[i], a.X, approx)
		}
	}
	if b.cur == nil {
		return
	}
	if !in.Returns {
		b.stop()
		return
	}
	if in.Dst != nil {
		b.cur.regs[in.Dst.Index] = b.anything(in.Dst.Type, approx, b.site)
	}
	if in.Result.Shape != nil {
		b.havocBytes(b.operand(in.To), in.To, in.Result.Shape.Size, approx)
	}
}

// havocReachable gives everything that can be reached from a pointer any values.
func (b *builder) havocReachable(v *value, x cir.Value, approx string) {
	seen := map[*pointsto.Object]bool{}
	work := b.pts.Targets(b.fr.fn, b.fr.ctx, x)
	for i := 0; i < len(work); i++ {
		o := work[i].Obj
		if o.External {
			b.writesOutside()
		}
		if seen[o] || o.External || o.IsFunc() {
			continue
		}
		seen[o] = true
		work = append(work, b.pts.Held(o)...)
		if !o.Written && o.Global != nil && o.Global.Const {
			continue
		}
		for _, inst := range b.instances(o) {
			b.havocObject(inst, approx)
		}
	}
}

// havocObject gives all scalars of an object any values, one step each.
func (b *builder) havocObject(o *object, approx string) {
	if o == b.argv.obj {
		b.writesOutside()
		return
	}
	b.noteString(o.abs)
	if o.abs != nil {
		b.loseId(o.abs)
	}
	b.givesVague(o, 0, -1)
	b.blurAll(o.abs)
	if o.vague || o.size < 0 || o.global != nil && (o.global.Literal || o.global.Const) {
		return
	}
	b.givesSet(o, 0, o.size*8, approx)
	for _, c := range b.cellsAt(o, 0, o.size*8) {
		b.settle(c.v.Thread == ir.Shared, c.v)
		b.emit(b.text(), ir.HavocCmd(c.v, "")).approx = approx
	}
}

// convert converts between scalars.
func (b *builder) convert(v *value, to cir.Type) *value {
	from := v.typ
	switch {
	case from == to:
		return v
	case to.IsFloat() || from.IsFloat():
		return b.convertFloat(v, to)
	case to.IsPointer():
		return b.toPointer(v)
	case from.IsPointer():
		w := *v
		w.typ = cir.I64
		if from.Bits < 64 && to.Bits > from.Bits { // gcc extends addresses by their sign
			return b.toInt(b.toInt(&w, b.m.Diff()), to)
		}
		return b.toInt(&w, to)
	}
	return b.toInt(v, to)
}

// toPointer converts an integer to a pointer: the address of ours that it is.
func (b *builder) toPointer(v *value) *value {
	if b.m.PointerBits < 64 {
		v = b.toInt(v, b.m.Size())
	}
	w := b.toInt(v, cir.I64)
	u := *w
	u.typ = b.m.Pointer()
	if u.at == nil {
		u.at = b.placeOf(&u)
	}
	return &u
}
