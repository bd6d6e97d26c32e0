package robust

import (
	"cmp"
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// access is an atomic access that a thread may make. A compare-and-exchange is two: one that succeeds, which reads and writes, and one that fails, which reads.
type access struct {
	id      int
	thread  int
	copy    pointsto.Copy
	in      cir.Instr
	reads   bool
	writes  bool
	acquire bool
	release bool
	seqCst  bool
	failed  bool // of a compare-and-exchange
	at      []pointsto.Location
	size    int64
	// only is the one concrete location that it goes to, if there is only one.
	only *pointsto.Location
	// strict tells that all atomic accesses of its locations are seq_cst.
	strict bool
	// sealed tells that all atomic writes of its locations are seq_cst.
	sealed bool
	// updated tells that all atomic writes of its locations are updates.
	updated bool
	// unseen tells that nobody can tell it from others of its kind: see findUnseen.
	unseen bool
	// stale tells that a write of another thread may be read without an edge that synchronises.
	stale bool
	// meets are the accesses of other threads, of the same identity perhaps, that may go to the same location and happen neither before nor after it as far as the creation of threads
	// and their ends tell; others are those of them that are not ordered with it by something else, and that can be told from it.
	meets, others []*access
}

// placeKey tells accesses apart.
type placeKey struct {
	thread int
	copy   pointsto.Copy
	in     cir.Instr
	failed bool
}

func acquires(o cir.Order) bool { return o == cir.Acquire || o == cir.AcqRel || o == cir.SeqCst }
func releases(o cir.Order) bool { return o == cir.Release || o == cir.AcqRel || o == cir.SeqCst }

// atomicOf returns the accesses that an instruction makes, if it is atomic, and the address.
func atomicOf(in cir.Instr) (list []*access, addr cir.Value, acc cir.Access) {
	switch in := in.(type) {
	case *cir.Load:
		if in.Order != cir.Plain {
			return []*access{{reads: true, acquire: acquires(in.Order), seqCst: in.Order == cir.SeqCst}}, in.Addr, in.Access
		}
	case *cir.Store:
		if in.Order != cir.Plain {
			return []*access{{writes: true, release: releases(in.Order), seqCst: in.Order == cir.SeqCst}}, in.Addr, in.Access
		}
	case *cir.RMW:
		return []*access{{reads: true, writes: true, acquire: acquires(in.Order), release: releases(in.Order), seqCst: in.Order == cir.SeqCst}}, in.Addr, in.Access
	case *cir.CmpXchg:
		return []*access{
			{reads: true, writes: true, acquire: acquires(in.Order), release: releases(in.Order), seqCst: in.Order == cir.SeqCst},
			{reads: true, failed: true, acquire: acquires(in.Failure), seqCst: in.Failure == cir.SeqCst},
		}, in.Addr, in.Access
	}
	return nil, nil, acc
}

// collect finds the accesses. It reports whether there is something to be looked at: an atomic access or a fence that is weaker than seq_cst.
func (a *analysis) collect() bool {
	if !a.weak() {
		return false
	}
	if !a.threads.Known() {
		a.refuse(nil, "not all threads are known, or some are handlers of signals")
		return true
	}
	if len(a.prog.Destructors) > 0 {
		a.refuse(nil, "functions that are called at the end of the program")
		return true
	}
	a.codes, a.places, a.bodies, a.spins = map[pointsto.Copy]*code{}, map[placeKey]*access{}, map[*cir.Func]*body{}, map[pointsto.Copy][]*spin{}
	for t := range a.threads.Threads() {
		a.runs = append(a.runs, a.follow(t))
	}
	for _, c := range a.pts.Copies() {
		if a.codes[c] != nil && !c.Func.Library {
			a.findSpins(c)
		}
	}
	for t, r := range a.runs {
		for _, c := range r.list {
			a.collectIn(t, c)
		}
	}
	return true
}

// weak reports whether some copy has an atomic access or a fence that is weaker than seq_cst.
func (a *analysis) weak() bool {
	found := false
	for _, c := range a.pts.Copies() {
		for _, b := range c.Func.Blocks {
			if !a.pts.Comes(c.Func, b) {
				continue
			}
			for _, in := range b.Instrs {
				list, _, _ := atomicOf(in)
				for _, x := range list {
					found = found || !x.seqCst
				}
				f, ok := in.(*cir.Fence)
				found = found || ok && !f.Compiler && f.Order != cir.SeqCst
			}
		}
	}
	return found
}

// leaveOut reports whether an instruction is a read that may return any value. It has to be relaxed, so that nothing happens before what follows it because of what it reads.
func (a *analysis) leaveOut(in cir.Instr) bool {
	load, ok := in.(*cir.Load)
	if !ok || a.any == nil || !a.any(load) {
		return false
	}
	if load.Order != cir.Relaxed {
		a.refuse(in, "a read that is not relaxed cannot be left out")
	}
	a.left = true
	return true
}

// collectIn finds the accesses of a copy in a thread.
func (a *analysis) collectIn(t int, c pointsto.Copy) {
	for _, b := range c.Func.Blocks {
		if !a.pts.Comes(c.Func, b) {
			continue
		}
		for _, in := range b.Instrs {
			list, addr, acc := atomicOf(in)
			if a.leaveOut(in) {
				continue
			}
			for _, x := range list {
				x.id, x.thread, x.copy, x.in, x.size = len(a.accesses), t, c, in, a.prog.Model.SizeOf(acc.Type)
				if !a.happens(x) {
					continue
				}
				if acc.Bits != nil {
					a.refuse(in, "an atomic access of a bit-field")
				}
				a.locate(x, addr)
				a.accesses = append(a.accesses, x)
				a.places[placeKey{t, c, in, x.failed}] = x
			}
		}
	}
}

// locate finds out where an access may go.
func (a *analysis) locate(x *access, addr cir.Value) {
	for _, l := range a.pts.Aimed(x.copy.Func, x.copy.Ctx, addr, pointsto.Aim{Size: x.size}) {
		switch {
		case l.Obj.External || a.pts.Outside(l.Obj):
			a.refuse(x.in, "an atomic access of memory that code outside of the program may know")
		case l.Obj.IsFunc():
		default:
			x.at = append(x.at, l)
		}
	}
	if len(x.at) == 1 && a.definite(x.at[0]) {
		x.only = &x.at[0]
	}
}

// definite reports whether there is one concrete location only for one of points.
func (a *analysis) definite(l pointsto.Location) bool {
	return l.Off >= 0 && l.Exact() && a.pts.Once(l.Obj) && (l.Obj.Global == nil || !l.Obj.Global.ThreadLocal && !l.Obj.Global.External)
}

// meets reports whether two accesses may go to the same location. Those of several sizes, or that overlap in part, are refused.
func (a *analysis) meets(x, y *access) bool {
	found := false
	for _, l := range x.at {
		for _, k := range y.at {
			if l.Obj != k.Obj {
				continue
			}
			any := l.Off == pointsto.Any || k.Off == pointsto.Any
			switch {
			case !any && (l.Off+x.size <= k.Off || k.Off+y.size <= l.Off):
			case x.size != y.size || !any && l.Off != k.Off:
				a.refuse(x.in, "atomic accesses of several sizes, or of parts, of the same memory")
				return true
			default:
				found = true
			}
		}
	}
	return found
}

// same reports whether two accesses go to the same location for sure.
func same(x, y *access) bool {
	return x.only != nil && y.only != nil && *x.only == *y.only
}

// single reports whether a thread makes an access that is the only one of its identity.
func (a *analysis) single(x *access) bool { return !a.threads.Many(x.thread) }

// parallel reports whether two accesses may be of different threads, and neither happens before the other.
func (a *analysis) parallel(x, y *access) bool {
	if x.thread == y.thread && a.single(x) {
		return false
	}
	return a.threads.Parallel(x.thread, x.copy, x.in, y.thread, y.copy, y.in)
}

// relate finds out which accesses may meet, and what is known of them.
func (a *analysis) relate() {
	if len(a.accesses) > maxAccesses {
		a.refuse(nil, "more than %d atomic accesses", maxAccesses)
		return
	}
	all := make([][]*access, len(a.accesses))
	for i, x := range a.accesses {
		for _, y := range a.accesses[:i+1] {
			if !a.meets(x, y) {
				continue
			}
			all[i], all[y.id] = append(all[i], y), append(all[y.id], x)
			if (x.writes || y.writes || x.reads && y.reads) && a.parallel(x, y) {
				x.meets = append(x.meets, y)
				if x != y {
					y.meets = append(y.meets, x)
				}
			}
		}
	}
	for i, x := range a.accesses {
		x.others = slices.Clone(x.meets)
		x.strict = !slices.ContainsFunc(all[i], func(y *access) bool { return !y.seqCst })
		x.sealed = !slices.ContainsFunc(all[i], func(y *access) bool { return y.writes && !y.seqCst })
		x.updated = (x.reads || !x.writes) && !slices.ContainsFunc(all[i], func(y *access) bool { return y.writes && !y.reads })
	}
	a.findLocks()
	a.findUnseen()
	for _, x := range a.accesses {
		slices.SortFunc(x.others, func(y, z *access) int { return cmp.Compare(y.id, z.id) })
		slices.SortFunc(x.meets, func(y, z *access) int { return cmp.Compare(y.id, z.id) })
		x.stale = x.reads && slices.ContainsFunc(x.others, func(w *access) bool { return a.mayBeStale(x, w) })
	}
}

// mayBeStale reports whether an access may read what another one writes, without an edge that synchronises.
func (a *analysis) mayBeStale(x, w *access) bool {
	if !w.writes || w.release && x.acquire {
		return false
	}
	n, known := a.written(w.copy, w.in)
	return !known || a.mayRead(x, n)
}

// maxAccesses bounds the accesses, maxSteps what is done to follow paths.
const maxAccesses, maxSteps = 2000, 5_000_000

// findUnseen finds updates that nobody can tell apart: those that commute, where what they read is not used, as of counters of statistics. In whichever order they
// take effect, those who read the location when all of them are done, or none, find the same. They are relaxed and there are no fences, so none of them synchronises.
func (a *analysis) findUnseen() {
	if a.fences {
		return
	}
	for _, x := range a.accesses {
		r, ok := x.in.(*cir.RMW)
		x.unseen = ok && !a.bodyOf(x.copy.Func).uses(r.Dst) && r.Order == cir.Relaxed && commutes(r.Op)
	}
	for changed := true; changed; {
		changed = false
		for _, x := range a.accesses {
			if x.unseen && slices.ContainsFunc(x.others, func(y *access) bool { return !y.unseen || !alike(x.in.(*cir.RMW), y.in.(*cir.RMW)) }) {
				x.unseen, changed = false, true
			}
		}
	}
	for _, x := range a.accesses {
		if x.unseen {
			x.others = nil
		}
	}
}

func commutes(op cir.RMWOp) bool {
	return op == cir.RMWAdd || op == cir.RMWSub || op == cir.RMWAnd || op == cir.RMWOr || op == cir.RMWXor
}

// alike reports whether two updates commute with each other.
func alike(x, y *cir.RMW) bool {
	sum := func(op cir.RMWOp) bool { return op == cir.RMWAdd || op == cir.RMWSub }
	return x.Op == y.Op || sum(x.Op) && sum(y.Op)
}
