package values

import (
	"comus/cir"
)

// intrinsic runs an intrinsic.
func (r *run) intrinsic(in *cir.Intrinsic) {
	switch in.Op {
	case cir.Assume, cir.Await, cir.AwaitFrom:
		r.assume(in.Args[0], true)
	case cir.Assert:
		r.assert(in)
		r.assume(in.Args[0], true)
	case cir.Undefined: // what follows is no execution of the program
		r.assume(in.Args[0], true)
	case cir.ThreadCreate:
		r.create(in)
	case cir.ThreadExit, cir.Longjmp:
		if r.many {
			r.leaveTo(depth) // an atomic section ends with the thread
		}
		r.meet(func(*cell) bool { return false })
		if in.Op == cir.ThreadExit {
			r.finish() // it may be the last one
		}
		r.dead = true
	case cir.Trap:
		r.dead = true
	case cir.Stop:
		r.finish()
		r.dead = true
	case cir.Lock:
		r.lock(in)
	case cir.Unlock:
		r.unlock(in)
	case cir.AtomicBegin:
		r.beginsSection()
	case cir.AtomicEnd:
		r.endsSection()
	case cir.HavocBytes, cir.HavocReachable, cir.ReadIn, cir.ReadLine, cir.Format, cir.Print, cir.Scan:
		r.changes(in)
		r.set(in.Dst, top)
	case cir.Setjmp:
		r.returnsAgain()
		r.set(in.Dst, top)
	default:
		r.set(in.Dst, r.gives(in))
	}
}

// gives returns the result of an intrinsic that changes nothing.
func (r *run) gives(in *cir.Intrinsic) Value {
	switch in.Op {
	case cir.Alloc, cir.AllocAligned, cir.Resize:
		return all(r.prog.Model.Pointer()).without(number{})
	case cir.Assumed:
		return convert(r.value(in.Args[0]), r.prog.Model.TypeOf(in.Args[0]), typeOf(in.Dst))
	case cir.ThreadMany:
		return zero
	case cir.ThreadSelf:
		if !r.many { // main is the only one
			return zero
		}
	case cir.ThreadEnded, cir.IsHeap, cir.IsSet, cir.IsConst:
		return boolean
	case cir.Wakeups:
		return zero // a wait may end at any time: all that the other answers allow, and more
	}
	return top
}

func typeOf(x *cir.Reg) cir.Type {
	if x == nil {
		return cir.Void
	}
	return x.Type
}

// changes writes anything where an intrinsic writes.
func (r *run) changes(in *cir.Intrinsic) {
	touched(in, func(v cir.Value, writes, deep bool) {
		ls := r.aim(v)
		if deep {
			ls = r.behind(ls)
		}
		for _, l := range ls {
			if writes {
				r.spoil(l.Obj, l.Off, -1)
			}
		}
	})
}

// returnsAgain is a place that a jump may lead back to, after any part of the program: nothing is known of cells but what holds always. A
// program with such places never counts as one with a single thread, so that what holds always is kept.
func (r *run) returnsAgain() {
	r.meet(func(*cell) bool { return false })
	r.s = r.s.keep(func(key uint32) bool { return !isThread(key) })
	clear(r.from)
}

// assert notes an assertion.
func (r *run) assert(in *cir.Intrinsic) {
	if r.seen == nil {
		return
	}
	x := r.seen.assertion(r.in.f, in)
	if v := r.value(in.Args[0]); v.has(number{}) {
		x.Proved, x.Reason = false, "its condition may be "+v.String()
		if v.equal(zero) {
			x.Reason = "it may be reached"
		}
	}
}
