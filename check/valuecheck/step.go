package valuecheck

import (
	"math"

	"comus/cir"
)

// step runs an instruction that is no call.
func (r *run) step(in cir.Instr) {
	r.nowhere(in)
	switch in := in.(type) {
	case *cir.Unary:
		wraps := in.Wrap || r.opts.Wrap
		x := r.value(in.X)
		if in.Op == cir.Neg {
			r.computes(in, in.Dst.Type, wraps, func() set { return negative(x) })
		}
		if (in.Op == cir.Clz || in.Op == cir.Ctz) && x.has(num{}) {
			r.assumed[assumeBits] = true
		}
		r.set(in.Dst, unary(in.Op, in.Dst.Type, x, wraps))
	case *cir.Binary:
		r.binary(in)
	case *cir.Overflow:
		r.overflow(in)
	case *cir.Compare:
		if !countable(r.typ(in.X)) {
			r.set(in.Dst, truth)
		} else {
			r.set(in.Dst, r.decided(in, compared(in.Pred, r.value(in.X), r.value(in.Y))))
		}
	case *cir.Convert:
		f, ok := r.sameAs(in)
		r.set(in.Dst, converted(r.value(in.X), r.typ(in.X), in.Dst.Type))
		r.assigns(in.Dst, f, ok)
	case *cir.Bitcast:
		r.set(in.Dst, anything)
	case *cir.Select:
		r.choice(in)
	case *cir.Offset:
		r.set(in.Dst, r.offset(in))
	case *cir.Distance:
		r.set(in.Dst, anything)
	case *cir.StackSave:
		r.set(in.Dst, anything)
	case *cir.Alloca:
		r.set(in.Dst, full(in.Dst.Type).but(num{}))
	case *cir.Load, *cir.Store, *cir.RMW, *cir.CmpXchg, *cir.Copy, *cir.Fill, *cir.LifeStart, *cir.LifeEnd:
		r.access(in)
	case *cir.VaStart:
		r.spoilAll(in.Ap)
	case *cir.VaArg:
		r.spoilAll(in.Ap)
		if in.To != nil {
			r.spoilAll(in.To)
		}
		r.set(in.Dst, anything)
	case *cir.VaCopy:
		r.spoilAll(in.Dst)
	case *cir.VaEnd:
		r.spoilAll(in.Ap)
	case *cir.Assumption:
		r.assumed[in.Sentence] = true
	case *cir.Fence, *cir.StackRestore:
	case *cir.Intrinsic:
		r.intrinsic(in)
	default:
		r.fail(in, "an instruction %T is not looked at", in)
	}
}

// binary computes. What C gives no meaning is taken for granted not to happen, and said.
func (r *run) binary(in *cir.Binary) {
	x, y, t := r.value(in.X), r.value(in.Y), in.Dst.Type
	wraps := in.Wrap || r.opts.Wrap
	r.meaning(in, x, y, wraps)
	if !countable(t) || !countable(r.typ(in.Y)) {
		r.set(in.Dst, anything)
		return
	}
	f, ok := r.sumOf(in)
	r.set(in.Dst, binary(in.Op, t, x, y, wraps))
	r.assigns(in.Dst, f, ok)
}

// overflow computes in infinite precision.
func (r *run) overflow(in *cir.Overflow) {
	exact := anything
	if countable(in.Dst.Type) && countable(r.typ(in.X)) && countable(r.typ(in.Y)) {
		x, y := r.value(in.X), r.value(in.Y)
		switch in.Op {
		case cir.Add:
			exact = sum(x, y)
		case cir.Sub:
			exact = sum(x, negative(y))
		case cir.Mul:
			exact = product(x, y)
		}
	}
	over := truth
	if countable(in.Dst.Type) && exact.within(full(in.Dst.Type)) {
		over = nought
	}
	r.set(in.Dst, exact.into(in.Dst.Type, true))
	r.set(in.Over, over)
}

func (r *run) choice(in *cir.Select) {
	c, v := r.value(in.Cond), set{}
	if !c.within(nought) {
		v = r.value(in.X)
	}
	if c.has(num{}) {
		v = v.or(r.value(in.Y))
	}
	r.set(in.Dst, v)
}

// maxPlain bounds what is taken for an integer, and no address.
const maxPlain = 4096

// offset computes an address: C promises that one from an address is none of null.
func (r *run) offset(in *cir.Offset) set {
	p, t := r.value(in.P), in.Dst.Type
	by := just(small(in.Disp))
	if in.Index != nil {
		if !countable(r.typ(in.Index)) {
			return full(t)
		}
		by = sum(product(r.value(in.Index), just(small(in.Scale))), by)
	}
	_, hi, ok := p.bounds()
	switch {
	case by.within(nought):
		return p
	case ok && hi.less(small(maxPlain)) && !by.any && !p.has(num{}):
		return sum(p, by).into(t, true)
	case p.has(num{}):
		return full(t)
	}
	return full(t).but(num{})
}

// intrinsic runs an intrinsic.
func (r *run) intrinsic(in *cir.Intrinsic) {
	switch in.Op {
	case cir.Undefined:
		if in.Check == "overflow" && r.value(in.Args[0]).has(num{}) {
			r.meaningless(in, in.Name, "")
		}
		r.assume(in.Args[0], true)
	case cir.Assume, cir.Await, cir.AwaitFrom:
		r.assume(in.Args[0], true)
	case cir.Assert:
		r.assert(in)
	case cir.ThreadCreate:
		r.create(in)
	case cir.ThreadExit:
		r.leaveAll()
		r.finish(&r.state, r.mode)
		r.dead = true
	case cir.Stop:
		r.leaveAll()
		r.finish(&r.state, r.mode)
		r.dead = true
	case cir.Trap:
		r.dead = true
	case cir.Lock:
		r.lock(in)
	case cir.Unlock:
		r.unlock(in)
	case cir.AtomicBegin:
		r.changesLocks()
		outermost := r.depth.within(nought)
		if r.depth = nested(r.depth, 1); outermost {
			r.find(sections)
		}
	case cir.AtomicEnd:
		r.changesLocks()
		if r.mode == among && !nestedIn(nested(r.depth, -1)) {
			r.leaveTo(sections, &r.state, r.mode)
		}
		r.depth = nested(r.depth, -1)
		r.letOthers()
		r.loses()
	case cir.HavocBytes, cir.HavocReachable, cir.ReadIn, cir.ReadLine, cir.Format, cir.Print, cir.Scan:
		r.writes(in)
		r.set(in.Dst, anything)
	case cir.Setjmp, cir.Longjmp:
		r.fail(in, "jumps out of functions are not looked at")
	default:
		r.set(in.Dst, r.gives(in))
	}
}

// nestedIn reports whether a depth is that of a thread that is in an atomic section in any case.
func nestedIn(d set) bool {
	s := state{depth: d}
	return s.atomic()
}

// nested is a depth of atomic sections, changed.
func nested(d set, by int64) set {
	if d.any {
		return d
	}
	return sum(d, just(small(by)))
}

// gives returns the result of an intrinsic that changes nothing of which anything is claimed.
func (r *run) gives(in *cir.Intrinsic) set {
	switch in.Op {
	case cir.Alloc, cir.AllocAligned, cir.Resize:
		return full(r.prog.Model.Pointer()).but(num{})
	case cir.Assumed:
		r.assumed[in.Name] = true
		if in.Dst != nil {
			return converted(r.value(in.Args[0]), r.typ(in.Args[0]), in.Dst.Type)
		}
	case cir.ThreadMany: // a program as it is
		return nought
	case cir.ThreadSelf:
		if r.mode == alone {
			return nought
		}
	case cir.ThreadEnded, cir.IsHeap, cir.IsSet, cir.IsConst:
		return truth
	case cir.Wakeups:
		return nought // a wait may end at any time
	case cir.Nondet, cir.ThreadJoined, cir.ThreadCount, cir.Interrupt, cir.Resume, cir.Free, cir.ObjectSize, cir.Readers, cir.Apart, cir.Given, cir.FrameAddress, cir.ReturnAddress, cir.Reaching,
		cir.WriteOut, cir.Math, cir.StrtoD, cir.Approximation:
	default:
		r.fail(in, "an intrinsic is not looked at")
	}
	return anything
}

// writes spoils what an intrinsic writes.
func (r *run) writes(in *cir.Intrinsic) {
	switch in.Op {
	case cir.HavocBytes, cir.ReadIn, cir.ReadLine:
		r.spoilAll(in.Args[0])
		return
	case cir.HavocReachable:
		r.spoilAll(in.Args[0])
		for _, o := range r.reachable(r.aim(in.Args[0])) {
			r.spoilObject(o)
		}
		return
	case cir.Format:
		r.spoilAll(in.Args[0])
	}
	args := in.Args[len(in.Args)-1] // a list of variable arguments, which may be where to write
	r.spoilAll(args)
	for _, l := range r.aim(args) {
		for _, m := range r.pts.Held(l.Obj) {
			r.spoilObject(m.Obj)
		}
	}
}

// assert notes whether an assertion holds. Behind it, it does.
func (r *run) assert(in *cir.Intrinsic) {
	if v := r.value(in.Args[0]); v.has(num{}) && !r.refutes(in.Args[0]) {
		if r.claim.open == nil {
			r.claim.open = map[*cir.Intrinsic]string{}
		}
		r.claim.open[in] = "its condition may be " + v.String()
	}
	r.assume(in.Args[0], true)
}

// lockAccess is how locks are accessed.
var lockAccess = cir.Access{Type: cir.I32, Align: 4}

// lock takes a lock: it waits until it is free.
func (r *run) lock(in *cir.Intrinsic) {
	r.changesLocks()
	r.taking = true
	r.store(in.Args[0], &lockAccess, between(small(1), small(math.MaxInt32), 1))
	r.taking = false
	ls := r.aim(in.Args[0])
	if len(ls) != 1 {
		return
	}
	for _, n := range r.locked[ls[0].Obj] {
		if k := r.memory.locks[n]; k.ok && k.off == ls[0].Off && ls[0].Exact() {
			r.unhold(n)
			r.locks = append(r.locks, n)
			r.find(n)
		}
	}
}

// unlock gives a lock back, which only the thread can that holds it.
func (r *run) unlock(in *cir.Intrinsic) {
	r.assumed[assumeMutex] = true
	var given []int
	for _, l := range r.aim(in.Args[0]) {
		for _, n := range r.locked[l.Obj] {
			if !l.Exact() || l.Off == r.memory.locks[n].off {
				given = append(given, n)
			}
		}
	}
	for _, n := range given {
		if r.mode == among {
			r.leaveTo(n, &r.state, r.mode)
		}
	}
	for _, n := range given {
		r.unhold(n)
	}
	r.letOthers()
	r.taking = true
	r.store(in.Args[0], &lockAccess, nought)
	r.taking = false
}
