package specialise

import (
	"slices"
	"strings"

	"comus/cir"
	"comus/ir"
	"comus/logic"
	"comus/scan/pointsto"
)

// intrinsic runs an intrinsic.
func (b *builder) intrinsic(in *cir.Intrinsic) {
	if b.raceIntrinsic(in); b.cur == nil {
		return
	}
	args := b.operands(in.Args)
	switch in.Op {
	case cir.Nondet:
		b.nondet(in)
	case cir.Assume:
		b.assumeCond(b.L.IntToBool(args[0].t), args[0], in)
	case cir.Await:
		b.await(args[0], nil, in)
	case cir.AwaitFrom:
		b.await(args[0], args[1], in)
	case cir.Assert:
		b.assert(args[0], in)
	case cir.Undefined:
		b.undefined(args[0], in)
	case cir.AtomicBegin:
		b.settle(true)
		b.cur.depth++
		if b.inUsers() {
			b.inSection(true)
		}
	case cir.AtomicEnd:
		if b.cur.depth == 0 {
			b.fail("the end of an atomic section that did not begin")
		}
		if b.inUsers() {
			b.inSection(false)
		}
		b.leaveAtomic()
	case cir.Stop, cir.Trap:
		b.stops()
	case cir.Assumed:
		b.assumeIf(in)
		b.set(in.Dst, b.convert(args[0], in.Dst.Type))
	case cir.Approximation:
		b.emit("").approx = in.Info.Approx
	default:
		b.otherIntrinsic(in, args)
	}
}

// otherIntrinsic runs the intrinsics of threads, locks, memory and the library.
func (b *builder) otherIntrinsic(in *cir.Intrinsic, args []*value) {
	switch in.Op {
	case cir.Lock:
		b.lock(in, args[0])
	case cir.Unlock:
		b.unlock(in, args[0])
	case cir.Readers:
		b.countReaders(in, args[0])
	case cir.Apart:
		b.apart(in, args)
	case cir.Given:
		b.readsBytes(source{p: args[0], v: in.Args[0]}, args[1], "")
	case cir.ThreadCreate:
		b.createThread(in, args)
	case cir.ThreadExit:
		b.endThread()
	case cir.ThreadSelf:
		b.set(in.Dst, b.self(in.Dst.Type))
	case cir.ThreadEnded:
		b.threadEnded(in, args[0])
	case cir.ThreadJoined:
		b.threadJoined(args[0])
	case cir.ThreadAlone:
		b.goAlone()
	case cir.Interrupt:
		if k, ok := args[0].constant(); ok && k.Sign() == 0 {
			b.interrupts(in)
		} else {
			b.interrupt(in, args[1])
		}
	case cir.Resume:
		b.resume()
	case cir.ThreadMany:
		b.set(in.Dst, b.constVal(in.Dst.Type, b.tellsApart(args[0])))
	case cir.ThreadCount:
		b.set(in.Dst, b.anything(in.Dst.Type, "the number of threads", b.site))
	case cir.Alloc:
		b.set(in.Dst, b.allocate(in, args[0], 0, true, ""))
	case cir.AllocAligned:
		align := b.mostAligned(args[1])
		b.set(in.Dst, b.allocate(in, args[0], align, true, ""))
	case cir.Resize:
		b.resize(in, args)
	case cir.Free:
		b.free(in, args[0])
	case cir.IsHeap:
		b.set(in.Dst, b.isHeap(args[0], in))
	case cir.IsSet:
		b.set(in.Dst, b.isSet(args, in))
	case cir.IsConst:
		p := args[0].at
		b.set(in.Dst, b.convert(b.condValue(b.L.Bool(p != nil && p.obj.global != nil && (p.obj.global.Const || p.obj.global.Literal))), in.Dst.Type))
	case cir.Wakeups:
		b.set(in.Dst, b.constVal(in.Dst.Type, b.wakeups()))
	case cir.ObjectSize:
		b.objectSize(in, args[0])
	case cir.HavocBytes:
		n, ok := b.constSize(args[1])
		if !ok {
			n = -1
		}
		b.havocNoted(args[0], in.Args[0], n, in.Approx)
	case cir.HavocReachable:
		b.settleAll()
		b.havocReachable(args[0], in.Args[0], in.Approx)
	default:
		b.library(in, args)
	}
}

// library runs the intrinsics that are exact in the interpreter only: formatting, input, mathematics.
func (b *builder) library(in *cir.Intrinsic, args []*value) {
	switch in.Op {
	case cir.Format:
		b.formatted(in, args)
		return
	case cir.Print:
		b.counted(in)
	case cir.ReadIn, cir.ReadLine:
		b.readIn(in, args)
		return
	case cir.Scan:
		b.scanned(in)
	case cir.Setjmp:
		b.setjmp(in, args[0])
		return
	case cir.Longjmp:
		b.longjmp(in.Args[0], args[0], args[1])
		return
	}
	if in.Dst == nil || b.cur == nil {
		return
	}
	approx := in.Info.Approx
	switch in.Op {
	case cir.Format, cir.Scan, cir.Math, cir.StrtoD, cir.FrameAddress, cir.ReturnAddress, cir.Reaching:
		approx = in.Op.String()
	}
	b.set(in.Dst, b.anything(in.Dst.Type, approx, b.site))
}

// formatted is a printf into memory: it writes no more than it is given room for, and than the format says. What it writes is not followed.
func (b *builder) formatted(in *cir.Intrinsic, args []*value) {
	least, most, sure := b.formatLength(args[2])
	if k, ok := args[0].constant(); !ok || k.Sign() != 0 {
		n := most + 1
		if room, ok := b.constSize(args[1]); ok && room >= 0 {
			n = min(n, room)
		}
		if n > anyLength {
			n = -1
		}
		b.havocNoted(args[0], in.Args[0], n, "formatted output")
	}
	if b.counted(in); in.Dst == nil || b.cur == nil {
		return
	}
	if sure && least == most {
		b.set(in.Dst, b.constVal(in.Dst.Type, least))
		return
	}
	v := b.anything(in.Dst.Type, "formatted output", b.site)
	if sure && most < anyLength {
		lo, hi := b.L.Int(least), b.L.Int(most)
		v.rng = &interval{logic.IntValue(least), logic.IntValue(most)}
		v.side = append(v.side, b.L.Le(lo, v.t), b.L.Le(v.t, hi))
	}
	b.set(in.Dst, v)
}

// formatLength returns bounds of the length of what a printf makes; sure tells that it does not fail instead, as it may with wide characters.
func (b *builder) formatLength(format *value) (least, most int64, sure bool) {
	text, known := b.literal(format)
	list, ok := conversions(text, false)
	if !known || !ok {
		return 0, anyLength, false
	}
	sure = true
	for _, c := range list {
		lo, hi := c.printed()
		least, most = least+lo+int64(len(c.text)), most+hi+int64(len(c.text))
		sure = sure && strings.IndexByte("CSmn", c.letter) < 0 && (strings.IndexByte("cs", c.letter) < 0 || c.size == "")
	}
	return least, min(most, anyLength), sure && most < anyLength
}

// scanned gives what a scanf may write any values: what the variable arguments point to.
func (b *builder) scanned(in *cir.Intrinsic) {
	b.settleAll()
	args, listed := b.variableArgs(in.Args[2])
	if !listed {
		b.havocReachable(b.operand(in.Args[2]), in.Args[2], "formatted input")
		return
	}
	var to []*pointsto.Object
	for _, s := range args {
		to = append(to, b.aimsOf(s)...)
	}
	b.havocEach(to, "formatted input")
}

// counted gives what a printf may store by %n any values.
func (b *builder) counted(in *cir.Intrinsic) {
	if b.cur == nil || !b.pts.Counts(b.fr.fn, b.fr.ctx, in) {
		return
	}
	ap := in.Args[len(in.Args)-1]
	b.settleAll()
	b.havocReachable(b.operand(ap), ap, "formatted output")
}

// self returns the number of the thread being run. Of a thread that stands for any number it is one of many, anew each time:
// models ask both whether something is theirs and whether it is another thread's.
func (b *builder) self(t cir.Type) *value {
	if !b.th.replicated {
		return b.constVal(t, int64(b.identity()))
	}
	v := b.anything(t, "any number of threads", b.site)
	v.rng = &interval{logic.IntValue(1), logic.IntValue(maxThreads)}
	v.side = append(v.side, b.L.Le(b.L.Int(1), v.t), b.L.Le(v.t, b.L.Int(maxThreads)))
	return v
}

// nondet reads an input.
func (b *builder) nondet(in *cir.Intrinsic) {
	t := in.Dst.Type
	v := b.newTemp(irType(t))
	e := b.emit("", ir.HavocCmd(v, in.Name))
	e.text, e.approx = b.text(), in.Info.Approx
	w := b.val(t, v.Sym)
	w.site = b.site
	b.set(in.Dst, w)
}

// assumeCond goes on only if a condition holds.
func (b *builder) assumeCond(c *logic.Term, v *value, in *cir.Intrinsic) *edge {
	b.dropAfter(in)
	if c.IsTrue() && len(v.side) == 0 {
		return nil
	}
	v = b.settleFor(v)
	e := b.emit(b.text(), append(assumes(v.side), ir.AssumeCmd(b.L.IntToBool(v.t)))...)
	if c.IsFalse() {
		b.cur = nil
	}
	return e
}

// await waits for a condition, which one thread alone may be able to make hold; for the end of a thread, it is a join.
func (b *builder) await(v, giver *value, in *cir.Intrinsic) {
	c := b.L.IntToBool(v.t)
	b.waitsFor(v, giver)
	e := b.assumeCond(c, v, in)
	if e == nil || len(e.cmds) != 1 {
		return
	}
	for _, t := range b.threads {
		if t.ended != nil && e.cmds[0].Cond == b.L.Eq(t.ended.Sym, b.L.Int(1)) {
			e.kind, e.thread = ir.Join, t.index
		}
	}
}

// assert is an error if its condition does not hold.
func (b *builder) assert(v *value, in *cir.Intrinsic) {
	elsewhere := b.facts.asked != nil && !b.facts.asked.assertions[in]
	if b.opts.Check.NoAssert || elsewhere || b.isKnownError(Assert, b.irPos()) {
		b.assumeCond(b.L.IntToBool(v.t), v, in)
		return
	}
	b.hasAsserts = true
	c := b.L.IntToBool(v.t)
	b.dropAfter(in)
	if c.IsTrue() && len(v.side) == 0 {
		return
	}
	text := in.Name
	if text == "" {
		text = b.text()
	}
	if c.IsFalse() && len(v.side) == 0 {
		b.errorHere(Assert, text)
		return
	}
	v = b.settleFor(v)
	yes, no := b.split(b.L.IntToBool(v.t), v.side)
	if no != nil {
		no.at.err, no.at.text, no.at.check, no.at.frame = true, text, Assert, b.standing()
	}
	b.cur = yes
}

// errorHere makes it an error that control gets here. No thread begins with an error.
func (b *builder) errorHere(check, text string) {
	if b.cur.at == b.th.entry || b.cur.at.outs > 0 {
		b.emit(text)
	}
	at := b.cur.at
	at.err, at.text, at.check, at.pos, at.frame = true, text, check, b.irPos(), b.standing()
	b.cur = nil
}

// undefined is an error, if that is asked for, or assumed not to happen.
func (b *builder) undefined(v *value, in *cir.Intrinsic) {
	c := b.L.IntToBool(v.t)
	b.dropAfter(in)
	if c.IsTrue() && len(v.side) == 0 {
		return
	}
	check, checked := Locks, b.opts.Check.Locks
	if in.Check == Memory {
		check, checked = Memory, b.opts.Check.Memory
	}
	checked = checked && !b.isKnownError(check, b.irPos())
	v = b.settleFor(v)
	c = b.L.IntToBool(v.t)
	if checked {
		b.hasAsserts = true
		if c.IsFalse() {
			b.errorHere(check, in.Name)
			return
		}
		yes, no := b.split(c, v.side)
		no.at.err, no.at.text, no.at.check, no.at.frame = true, in.Name, check, b.standing()
		b.cur = yes
		return
	}
	b.assume(notHappening(in.Name))
	b.emit("", append(assumes(v.side), ir.AssumeCmd(c))...)
	if c.IsFalse() {
		b.cur = nil
	}
}

// notHappening makes a sentence of what is undefined.
func notHappening(what string) string {
	if strings.HasPrefix(what, "the ") {
		return "never used: " + what
	}
	return "no " + what
}

// assumeIf notes a sentence that the uses of a result rest on, if there are any.
func (b *builder) assumeIf(in *cir.Intrinsic) {
	if in.Dst != nil && b.fr.used {
		b.assume(in.Name)
	}
}

// lock takes a lock.
func (b *builder) lock(in *cir.Intrinsic, p *value) {
	b.locked(in, p, true)
}

// unlock gives a lock back.
func (b *builder) unlock(in *cir.Intrinsic, p *value) {
	b.assume(assumeMutex)
	b.locked(in, p, false)
}

func (b *builder) locked(in *cir.Intrinsic, p *value, take bool) {
	mine := int64(b.identity() + 1)
	b.dropAfter(in)
	ts := b.resolve(p, in.Args[0], 0, 32, 4)
	if b.opts.Check.Race && b.pending(p) {
		p = b.detach(p)
		ts = b.resolve(p, in.Args[0], 0, 32, 4)
	}
	b.blurThese(ts.sums) // who holds a lock cannot be kept
	b.checkTargets(ts)
	if b.race(ts, p, in.Args[0], true, cir.Access{Order: cir.SeqCst}); b.cur == nil {
		return
	}
	if ts.outside {
		b.writesOutside()
	}
	if ts.vague {
		b.noteLock(b.lockSomewhere(take), ts, take)
		return
	}
	b.settle(true)
	cmds := b.lockCmds(ts, take, mine)
	if b.lockErrors(ts, take, mine); take {
		b.lockWaits(ts)
	}
	if b.weak() {
		b.cur.depth++
		defer func() {
			b.lockSync(ts, take)
			b.leaveAtomic()
		}()
	}
	if ts.limited && b.cur.depth == 0 { // how much memory there is, is read in a step of its own
		b.cur.depth++
		b.emit("", assumes(ts.ok)...)
		b.noteLock(b.emit(b.text(), cmds...), ts, take)
		b.leaveAtomic()
		return
	}
	if b.isSplit(ts, 32) && b.cur.depth == 0 {
		b.cur.depth++
		defer b.leaveAtomic()
	}
	e := b.emit(b.text(), append(assumes(ts.ok), cmds...)...)
	b.noteLock(e, ts, take)
	if len(ts.list) != 1 || len(ts.ok) > 0 || b.identity() != b.th.index {
		return
	}
	if c := b.lockCell(ts.list[0]); c != nil {
		e.kind, e.mutex = ir.Lock, c.v
		if !take {
			e.kind = ir.Unlock
		}
	}
}

// lockCmds returns the commands that take a lock or give it back.
func (b *builder) lockCmds(ts *targets, take bool, mine int64) (cmds []ir.Cmd) {
	before, after := b.L.Int(mine), mine
	if take {
		before = b.L.Int(0)
	} else {
		after = 0
	}
	for _, t := range ts.list {
		if c := b.lockCell(t); c != nil {
			c.v.Holder = ir.OneThread
		}
		owner := b.holderOf(t)
		is := b.L.Eq(owner.t, before)
		if len(ts.list) > 1 {
			is = b.L.Implies(t.cond, is)
		}
		cmds = append(append(cmds, assumes(owner.side)...), ir.AssumeCmd(is))
		for _, c := range b.cellsAt(t.obj, t.bit, 32) {
			n := b.stored(c, t.bit, 32, b.constVal(cir.I32, after))
			if len(ts.list) > 1 {
				n = b.L.Ite(t.cond, n, c.v.Sym)
			}
			cmds = append(cmds, ir.AssignCmd(c.v, n))
		}
	}
	return cmds
}

// lockCell returns the cell that a lock is, nil if it is several, or parts of some.
func (b *builder) lockCell(t target) *cell {
	if cells := b.cellsAt(t.obj, t.bit, 32); len(cells) == 1 && cells[0].bit == t.bit && cells[0].bits == 32 {
		return cells[0]
	}
	return nil
}

// holderOf returns what a lock holds: who has it, 0 for nobody.
func (b *builder) holderOf(t target) *value {
	if c := b.lockCell(t); c != nil && c.v.Type == irType(cir.I32) {
		b.content(c)
		return b.val(cir.I32, c.v.Sym) // as a variable, which tells that it is a lock
	}
	return b.contents(t.obj, t.bit, 32, cir.Access{Type: cir.I32})
}

// countReaders notes which variables tell who holds a read-write lock.
func (b *builder) countReaders(in *cir.Intrinsic, p *value) {
	for _, t := range b.resolve(p, in.Args[0], 0, 32, 4).list {
		if c := b.lockCell(t); c != nil {
			c.v.Holder = ir.ReadOrWrite
		}
	}
}

// lockSomewhere takes or gives back a lock of which nothing is known: it may be free, or held by any thread.
func (b *builder) lockSomewhere(take bool) *edge {
	const approx = "a lock in memory that is not tracked"
	if !take || !b.opts.Check.Deadlock {
		e := b.emit("")
		e.approx = approx
		return e
	}
	free := b.newTemp(ir.Flag)
	owner := b.newTemp(irType(cir.I32))
	b.emit("", ir.HavocCmd(free, ""), ir.HavocCmd(owner, "")).approx = approx
	b.waits(b.isTrue(free), owner.Sym, nil)
	return b.emit(b.text(), ir.AssumeCmd(b.isTrue(free)))
}

// lockWaits notes that a lock is waited for.
func (b *builder) lockWaits(ts *targets) {
	free, owner, side := b.L.True(), b.L.Int(0), slices.Clone(ts.ok)
	for _, t := range ts.list {
		x := b.holderOf(t)
		free = b.L.And(free, b.L.Implies(t.cond, b.L.Eq(x.t, b.L.Int(0))))
		owner, side = b.L.Ite(t.cond, x.t, owner), append(side, x.side...)
	}
	b.waits(free, owner, side)
}

// lockErrors makes misuse of a lock an error, if that is asked for.
func (b *builder) lockErrors(ts *targets, take bool, mine int64) {
	if !b.opts.Check.Locks {
		return
	}
	at := b.cur.at
	if (len(ts.list) > 1 || b.isSplit(ts, 32)) && b.cur.depth == 0 { // each is a location of its own
		mid := b.th.newLoc(b.irPos())
		mid.atomic = true
		b.newEdge(at, mid, "")
		b.cur.at = mid
	}
	holds := func(op func(lock *logic.Term) *logic.Term) *logic.Term {
		found := b.L.False()
		for _, t := range ts.list {
			found = b.L.Or(found, b.L.And(t.cond, op(b.holderOf(t).t)))
		}
		return found
	}
	if take {
		b.errorIf(Locks, "use of a mutex that was destroyed: "+b.text(), holds(func(m *logic.Term) *logic.Term { return b.L.Eq(m, b.L.Int(goneLock)) }), ts.ok)
		b.errorIf(Locks, "mutex locked again by the thread that holds it: "+b.text(), holds(func(m *logic.Term) *logic.Term { return b.L.Eq(m, b.L.Int(mine)) }), ts.ok)
	} else {
		b.errorIf(Locks, "mutex unlocked by a thread that does not hold it: "+b.text(), holds(func(m *logic.Term) *logic.Term { return b.L.Ne(m, b.L.Int(mine)) }), ts.ok)
	}
	b.cur.at = at
}

// goneLock is what the library's model writes to a mutex that is destroyed.
const goneLock = -1

// sentences that a verdict may rest on.
const (
	assumeGives     = "a thread that runs for ever gives others what they wait for, if its code can give it"
	assumeWritten   = "functions of the library, and those without a body, initialise what they may write"
	assumeOverflow  = "no signed integer overflow"
	assumeDivision  = "no division by zero"
	assumeTrap      = "the smallest integer is not divided by -1"
	assumeBits      = "__builtin_clz and __builtin_ctz are not given 0"
	assumeBounds    = "array indices are in bounds"
	assumeShift     = "shift distances are in range"
	assumeMutex     = "a mutex is unlocked only by the thread that holds it"
	assumePointer   = "memory is accessed only through valid pointers"
	assumeCopyOrder = "memory is copied and set from its first byte on"
	assumeOutside   = "a write through a pointer from outside changes no object of the program"
	assumeNamed     = "a pointer that may lead to functions which the program names is not used to call a function that code outside has put there"
	assumeTheirCode = "a call through a pointer from outside calls no function of the program"
	assumeTheirs    = "functions without a body lose no memory that they allocate or are given"
	assumeAborted   = "a program that is ended by abort, _exit or quick_exit need not free its memory"
	assumeInput     = "input does not end in the middle of a scalar that it is read into"
	// AssumeAddresses is what a verdict takes for granted that depends on the numbers that addresses and the ids of threads are.
	AssumeAddresses = "objects lie at the addresses that comus gives them"
	assumeAligned   = "no memory is allocated with an alignment above 65536 that is not a constant"
	// AssumeOrder is what a verdict takes for granted of a program with atomic accesses or fences that are not seq_cst.
	AssumeOrder       = "all memory orders are treated as sequentially consistent"
	assumeSizes       = "memset, memcpy and memmove are given the sizes of whole elements within their objects"
	assumeFree        = "memory that was freed is not allocated again"
	assumeBitFields   = "neighbouring bit-fields are not written by several threads at the same time"
	assumeReuse       = "the storage of an object whose lifetime has ended is not used for another one"
	assumeInitialised = "no use of a mutex, or other object by which threads synchronise, that was not initialised"
	assumeNeverSet    = "a pointer that was never set is not the address of an object"
	assumeLifetime    = "no object is accessed after its lifetime has ended"
)
