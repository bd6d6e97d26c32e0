package specialise

import (
	"fmt"

	"comus/cir"
	"comus/ir"
	"comus/logic"
)

// newThread adds a thread that begins with a function.
func (b *builder) newThread(f *cir.Func, name string, ctx *frame) *thread {
	t := &thread{index: len(b.threads), name: name, fn: f, from: ctx}
	if t.index > 0 {
		t.parent = b.th.index
		t.created = b.flag(fmt.Sprintf("created%d", t.index))
		if t.ended = b.endedLater[t.index]; t.ended == nil {
			t.ended = b.flag(fmt.Sprintf("ended%d", t.index))
		} else {
			t.joined = true
		}
	}
	b.threads = append(b.threads, t)
	if len(b.threads) > maxThreads {
		b.fail("more than %d threads", maxThreads)
	}
	return t
}

// maxThreads bounds the threads of a program.
const maxThreads = 1000

func (b *builder) flag(name string) *ir.Var {
	v := b.newVar(name, "", ir.Flag, ir.Shared)
	v.Init = &logic.Value{}
	return v
}

// createThread makes a thread.
func (b *builder) createThread(in *cir.Intrinsic, args []*value) {
	many := b.anyNumber() && !b.isSingle(args[1])
	if many && !b.opts.Parametric {
		b.fail("a thread is created in a loop that is entered in the middle")
	}
	if b.full != "" {
		b.cutCreates = true
		b.bounded(b.full)
		b.cur = nil
		return
	}
	fns := b.threadFunctions(in, args[0])
	if len(fns) == 0 {
		b.stop()
		return
	}
	mark := b.hold(args...)
	b.dropAfter(in)
	b.settleAll()
	for i := range args[1:] {
		b.publishValue(b.held[mark+1+i], in.Args[i+1])
		b.surrender(b.held[mark+1+i], in.Args[i+1], nil)
	}
	args = append([]*value(nil), b.held[mark:]...)
	b.release(mark)
	if len(fns) > 1 {
		b.fail("a thread begins with one of several functions of the library")
	}
	b.created++
	t := b.newThread(fns[0], b.threadName(fns[0], args), b.fr)
	b.born(t)
	t.ctx = b.pts.Context(b.fr.fn, b.fr.ctx, nil, fns[0])
	if b.fr.fn.Library {
		t.ctx = b.fr.ctx
	}
	if t.single = b.opts.Parametric && b.isSingle(args[1]); t.single {
		b.ofMany[t.index] = distinguished
	}
	if many {
		b.replicate(t, in, args[1:])
	} else {
		for i, v := range args[1:] {
			t.args = append(t.args, b.passed(t, i, v))
		}
		b.set(in.Dst, b.constVal(in.Dst.Type, int64(t.index)))
	}
	b.leaveAlone()
	b.handOver(t)
	e := b.emit(b.text(), ir.AssignCmd(t.created, b.L.Int(1)))
	e.kind, e.thread = ir.Create, t.index
}

// anyNumber reports whether what is done here is done any number of times.
func (b *builder) anyNumber() bool { return b.loops > 0 || b.th.replicated }

// Where any number of threads is created, the library tells one of them apart ([cir.ThreadMany]), whichever it is: its creation
// is another one, of a thread that is not replicated and whose control block is an object that is known. So it is known
// when it has been joined, and in a race of one of the threads it is the one that races.

// distinguished and replicated are what a thread is that is one of any number: the one that is told apart, all others.
const (
	distinguished = iota + 1
	replicated
)

// tellsApart is the result of cir.ThreadMany.
func (b *builder) tellsApart(here *value) int64 {
	k, _ := here.constant()
	if !b.opts.Parametric || !b.opts.Check.Race || k != logic.IntValue(0) && !b.anyNumber() {
		return 0
	}
	return 1
}

// isSingle reports whether the thread that is told apart is the one that has this control block.
func (b *builder) isSingle(block *value) bool {
	return b.opts.Parametric && block.at != nil && block.at.obj.global != nil
}

// replicate makes a thread one that stands for any number of threads. The result has every execution of the source, with
// whatever number of threads, and more: an instance may run as soon as the creation has been passed once; its
// argument is any value, unless it is a constant; its id is any value, so nobody waits for its end; and the owner
// of a mutex is known as an instance of the thread only. As a condition on who an instance is has the form "it is
// me", never "it is another one", the instances' common number makes more steps possible, and never fewer.
func (b *builder) replicate(t *thread, in *cir.Intrinsic, args []*value) {
	if b.opts.Check.Locks {
		b.fail("any number of threads, together with checks of locks")
	}
	if b.opts.Check.Race && b.fr.fn.Source != "__comus_thread_begin" { // only there one of them is told apart, with which the others race
		b.fail("any number of threads that code outside creates, together with data races")
	}
	if b.opts.Check.Deadlock { // who waits is told by each thread for itself
		b.fail("any number of threads, together with deadlocks")
	}
	t.replicated, t.ended = true, nil
	b.ofMany[t.index] = replicated
	for i, v := range args {
		if _, ok := v.constant(); !ok {
			if v = nil; i == userArgument && b.opts.Check.Race {
				v = b.handArgument(t, args[i])
			}
		}
		t.args = append(t.args, v)
	}
	b.set(in.Dst, b.anything(in.Dst.Type, "any number of threads", b.site))
}

// userArgument is which of the arguments of the library's start function is that of pthread_create.
const userArgument = 2

// handArgument hands an argument to the instance of a replicated thread that is created: the next one that begins takes it. The creator
// waits until the one before has been taken, which hides nothing: an instance can always take it at once, and do nothing else.
func (b *builder) handArgument(t *thread, v *value) *value {
	t.handed = b.sharedVar(fmt.Sprintf("handed%d", t.index), ir.Flag)
	x := b.newVar(fmt.Sprintf("argument%d", t.index), "", irType(v.typ), ir.Shared)
	x.Init = &logic.Value{} // bounds are those of what is handed over then
	v = b.steady(v)
	b.settle(true)
	b.cur.depth++
	b.emit("", ir.AssumeCmd(b.L.Eq(t.handed.Sym, b.L.Int(0))), ir.AssignCmd(x, v.t), ir.AssignCmd(t.handed, b.L.Int(1)))
	b.leaveAtomic()
	return &value{typ: v.typ, t: x.Sym}
}

// takeArgument is the other end of handArgument.
func (b *builder) takeArgument(t *thread) {
	if t.handed == nil {
		return
	}
	mine := b.newVar(fmt.Sprintf("t%d.argument", t.index), "", irType(t.args[userArgument].typ), t.index)
	b.cur.depth++
	b.emit("", ir.AssumeCmd(b.L.Eq(t.handed.Sym, b.L.Int(1))), ir.AssignCmd(mine, t.args[userArgument].t), ir.AssignCmd(t.handed, b.L.Int(0)))
	b.leaveAtomic()
	t.args[userArgument] = &value{typ: t.args[userArgument].typ, t: mine.Sym}
}

// threadFunctions returns the functions that a thread may begin with.
func (b *builder) threadFunctions(in *cir.Intrinsic, v *value) []*cir.Func {
	if v.at != nil && v.at.obj.fn != nil {
		return []*cir.Func{v.at.obj.fn}
	}
	var fns []*cir.Func
	for _, l := range b.pts.Targets(b.fr.fn, b.fr.ctx, in.Args[0]) {
		if l.Obj.IsFunc() && len(l.Obj.Func.Blocks) > 0 {
			fns = append(fns, l.Obj.Func)
		}
	}
	return fns
}

// threadName returns the name of a thread: that of the program's function that it runs, if that is known.
func (b *builder) threadName(f *cir.Func, args []*value) string {
	if g := b.startFunction(); f.Library && g != nil {
		return g.Source
	}
	return f.Source
}

// startFunction returns the function of the program's own that is an argument of the library call around here.
func (b *builder) startFunction() *cir.Func {
	fr := b.fr
	for fr.parent != nil && fr.parent.fn.Library {
		fr = fr.parent
	}
	for _, v := range fr.args {
		if v.at != nil && v.at.obj.fn != nil {
			return v.at.obj.fn
		}
	}
	return nil
}

// passed hands an argument to a thread: a constant as it is, another value in a variable.
func (b *builder) passed(t *thread, i int, v *value) *value {
	if _, ok := v.constant(); ok {
		return v
	}
	x := b.newVar(fmt.Sprintf("argument%d.%d", t.index, i), "", irType(v.typ), ir.Shared)
	if t.single {
		x.Init = &logic.Value{}
	}
	b.emit("", append(assumes(v.side), ir.AssignCmd(x, v.t))...)
	return &value{typ: v.typ, t: x.Sym}
}

// threadEnded tells whether a thread has ended.
func (b *builder) threadEnded(in *cir.Intrinsic, id *value) {
	k, ok := id.constant()
	n, small := k.Int64()
	switch {
	case ok && small && n > 0 && n < int64(len(b.threads)):
		t := b.threads[n]
		if t.replicated {
			b.set(in.Dst, b.anything(in.Dst.Type, "any number of threads", b.site))
			return
		}
		t.joined = true
		v := b.condValue(b.L.Eq(t.ended.Sym, b.L.Int(1)), id.side)
		b.endOf[b.L.IntToBool(v.t)] = b.L.Int(n)
		if k := b.cur.consts[t.ended]; k != nil {
			v.t = k.t
		}
		v = b.askedEnd(v)
		b.settle(true)
		b.joins(int(n))
		b.set(in.Dst, b.convert(v, in.Dst.Type))
	case ok:
		b.set(in.Dst, b.anything(in.Dst.Type, "the end of a thread that is not known here", b.site))
	default:
		b.endedOfAny(in, id)
	}
}

// endedOfAny tells whether one of several threads has ended: all that there are may be meant.
func (b *builder) endedOfAny(in *cir.Intrinsic, id *value) {
	if !b.opts.Check.Deadlock || b.cur.depth == 0 { // what is waited for is told by how things are
		id = b.steady(id)
	}
	b.settle(true)
	c := b.endedAmong(id)
	mark := b.hold(id)
	v := b.askedEnd(b.condValue(c, id.side))
	id = b.held[mark]
	b.release(mark)
	b.endOf[b.L.IntToBool(v.t)] = id.t
	b.joinsOneOf(id)
	b.set(in.Dst, b.convert(v, in.Dst.Type))
}

// endedAmong returns the condition that the thread with a number has ended. A first run does not know all threads yet, and most of
// what it comes to is found out to be unreachable by the next one: any of them may be meant there.
func (b *builder) endedAmong(id *value) *logic.Term {
	var known, ended []*logic.Term
	for _, i := range b.numbered() {
		is := b.L.True()
		if b.facts.done {
			is = b.L.Eq(id.t, b.L.Int(int64(i)))
		}
		known = append(known, is)
		if !b.opts.Parametric || i != b.th.index { // which has not ended
			ended = append(ended, b.L.And(is, b.L.Eq(b.endedFlag(i).Sym, b.L.Int(1))))
		}
	}
	if b.opts.Parametric || !b.facts.done {
		some := b.L.Eq(b.anything(cir.Bool, "any number of threads", b.site).t, b.L.Int(1))
		if b.facts.done {
			some = b.L.And(b.L.Not(b.L.Or(known...)), some)
		}
		ended = append(ended, some)
	}
	return b.L.Or(ended...)
}

// numbered returns the numbers of the threads, which those that are replicated do not have.
func (b *builder) numbered() []int {
	var out []int
	for i := range max(len(b.threads), b.facts.threads) {
		if b.facts.ofMany[i] != replicated && !(i < len(b.threads) && b.threads[i].replicated) {
			out = append(out, i)
		}
	}
	return out
}

// threadJoined tells of a thread that has ended and that nobody else waits for; that matters if it is an instance of a replicated one.
func (b *builder) threadJoined(id *value) {
	if !b.opts.Parametric || b.cur == nil {
		return
	}
	mark := b.hold(id)
	b.settle(true)
	id = b.held[mark]
	b.release(mark)
	is := b.L.False()
	for _, i := range b.numbered() {
		if i != b.th.index || b.th.replicated {
			is = b.L.Or(is, b.L.Eq(id.t, b.L.Int(int64(i))))
		}
	}
	if is.IsTrue() {
		return
	}
	b.emit("", assumes(id.side)...)
	e := b.emit("")
	e.kind = ir.Joined
	if !is.IsFalse() {
		e.cmds = []ir.Cmd{ir.AssumeCmd(b.L.Not(is))}
		b.newEdge(e.from, e.to, "", ir.AssumeCmd(is))
	}
}

// askedEnd returns the answer to whether a thread has ended. What that orders is read later: if it has not ended by now, it may have by then, but
// not the other way round.
func (b *builder) askedEnd(v *value) *value {
	if b.weak() && b.cur.depth == 0 {
		return b.materialise(v)
	}
	return v
}

// endedFlag returns the variable that tells whether a thread has ended, which may be one that is created later.
func (b *builder) endedFlag(i int) *ir.Var {
	if i == 0 {
		return b.mainEnded()
	}
	if i < len(b.threads) {
		b.threads[i].joined = true
		return b.threads[i].ended
	}
	if b.endedLater[i] == nil {
		b.endedLater[i] = b.flag(fmt.Sprintf("ended%d", i))
	}
	return b.endedLater[i]
}

// endThread ends the thread being run.
func (b *builder) endThread() {
	if b.cur == nil {
		return
	}
	b.endHandler()
	for fr := b.fr; fr != nil; fr = fr.parent {
		b.endLives(fr)
	}
	b.ownLives(false)
	b.th.ends = append(b.th.ends, b.cur)
	b.cur = nil
}

// run takes a thread apart.
func (b *builder) run(t *thread) {
	b.th, b.scopes, b.held, b.loops, b.origin, b.running = t, nil, nil, 0, 0, nil
	b.site = &cir.Site{Pos: t.fn.Pos, Text: "thread starts"}
	fn := t.fn
	b.fr = &frame{fn: fn, ctx: t.ctx, path: fmt.Sprintf("t%d", t.index), locals: map[*cir.Local]*object{}, shape: b.shape(fn)}
	b.fr.ctx = t.ctx
	b.cur = nil
	if t.index > 0 && fn.Library {
		b.fr.user = b.startSite(t)
		b.site = b.fr.user
	}
	t.entry = t.newLoc(b.irPos())
	b.cur = &flow{at: t.entry, regs: map[int]*value{}, consts: map[*ir.Var]*value{}, undef: map[*cell]bool{}, unescaped: map[*object]bool{}, lists: map[*object]vaList{}, alone: t.index == 0, wrote: &wrote{}, set: map[*stretch]bool{}, newest: map[about]bool{{}: true}}
	if t.index == 0 {
		b.ownLives(true)
		b.constructors()
		b.mainParams()
	} else {
		e := b.emit("thread starts", ir.AssumeCmd(b.L.Eq(t.created.Sym, b.L.Int(1))))
		e.kind = ir.Start
		b.ownLives(true)
		b.startsKnowing(t)
		b.takeArgument(t)
		for i, p := range fn.Params {
			if i < len(t.args) && t.args[i] != nil {
				b.cur.regs[p.Reg.Index] = b.convert(t.args[i], p.Reg.Type)
			} else {
				b.cur.regs[p.Reg.Index] = b.anything(p.Reg.Type, "an argument that a thread is not given", b.site)
			}
		}
	}
	b.body()
	b.finishThread(t)
}

// startSite returns the place that reports show for what the library does at a thread's beginning and end.
func (b *builder) startSite(t *thread) *cir.Site {
	for _, f := range b.cp.Funcs {
		if f.Source == t.name && !f.Library {
			return &cir.Site{Pos: f.Pos, Text: "thread ends"}
		}
	}
	return &cir.Site{Pos: t.fn.Pos, Text: "thread ends"}
}

// constructors runs what runs before main.
func (b *builder) constructors() {
	for _, f := range b.cp.Constructors {
		if b.cur != nil {
			b.callFunc(&cir.Call{Callee: f, Returns: true, Result: f.Result}, f, nil)
		}
	}
}

// mainParams gives main its arguments: any number of strings from outside.
func (b *builder) mainParams() {
	if b.cur == nil {
		return
	}
	for i := range b.fr.fn.Params {
		p := &b.fr.fn.Params[i]
		b.cur.regs[p.Reg.Index] = b.argument(i, p)
	}
}

// finishThread emits the end of a thread.
func (b *builder) finishThread(t *thread) {
	flows := t.ends
	for _, r := range b.fr.rets {
		flows = append(flows, r.f)
	}
	b.cur = nil
	for _, f := range flows {
		f.regs = map[int]*value{}
	}
	b.site = b.startSite(t)
	if t.index == 0 { // the program ends, or main does: nothing waits for it
		for _, f := range t.ends {
			b.cur, f.depth = f, 0
			b.emit("thread ends", ir.AssignCmd(b.mainEnded(), b.L.Int(1)))
			b.lastEnds()
		}
		b.cur = nil
		b.mainReturns()
		return
	}
	for _, f := range flows {
		f.depth = 0
	}
	switch len(flows) {
	case 0:
		return
	case 1:
		b.cur = flows[0]
	default:
		b.joinFlows(flows, nil)
	}
	b.lastEnds()
	if t.replicated { // nothing tells that it has ended
		e := b.emit("thread ends")
		e.kind = ir.End
		e.to.atomic = false
		b.interruptible(t, e.from)
		return
	}
	b.endsKnowing(t)
	e := b.emit("thread ends", ir.AssignCmd(t.ended, b.L.Int(1)))
	e.kind = ir.End
	e.to.atomic = false
}

// interruptible makes the atomic section that a thread ends with none if its steps are the thread's own matter: nobody can tell, and
// other threads need not be considered at its end.
func (b *builder) interruptible(t *thread, last *loc) {
	section := map[*loc]bool{last: true}
	for changed := true; changed; {
		changed = false
		for _, e := range t.edges {
			if section[e.to] && e.from.atomic && !section[e.from] {
				section[e.from], changed = true, true
			}
		}
	}
	for _, e := range t.edges {
		if section[e.from] && e.from.atomic && (e.kind != ir.Plain && e.kind != ir.End || b.sharedLocations(e.cmds) > 0) {
			return
		}
	}
	for l := range section {
		l.atomic = false
	}
}
