package scancheck

import (
	"fmt"
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// does is what a function of the library does with a lock.
type does uint8

const (
	takes does = iota + 1
	tries      // it is held if the result is 0
	gives
	waitsFor // gives it and takes it again
	changes  // begins or ends its life
)

// lockOp is that, of the lock that an argument points to.
type lockOp struct {
	does    does
	arg     int
	reading bool
	mutex   bool
}

var lockOps = map[string]lockOp{
	"pthread_mutex_lock": {takes, 0, false, true}, "pthread_mutex_unlock": {gives, 0, false, true},
	"pthread_mutex_trylock": {tries, 0, false, true}, "pthread_mutex_timedlock": {tries, 0, false, true}, "pthread_mutex_clocklock": {tries, 0, false, true},
	"pthread_mutex_init": {changes, 0, false, true}, "pthread_mutex_destroy": {changes, 0, false, true},
	"pthread_cond_wait": {waitsFor, 1, false, true}, "pthread_cond_timedwait": {waitsFor, 1, false, true}, "pthread_cond_clockwait": {waitsFor, 1, false, true},
	"mtx_lock": {takes, 0, false, true}, "mtx_unlock": {gives, 0, false, true}, "mtx_trylock": {tries, 0, false, true}, "mtx_timedlock": {tries, 0, false, true},
	"mtx_init": {changes, 0, false, true}, "mtx_destroy": {changes, 0, false, true}, "cnd_wait": {waitsFor, 1, false, true}, "cnd_timedwait": {waitsFor, 1, false, true},
	"pthread_rwlock_rdlock": {takes, 0, true, false}, "pthread_rwlock_wrlock": {takes, 0, false, false},
	"pthread_rwlock_tryrdlock": {tries, 0, true, false}, "pthread_rwlock_trywrlock": {tries, 0, false, false},
	"pthread_rwlock_timedrdlock": {tries, 0, true, false}, "pthread_rwlock_timedwrlock": {tries, 0, false, false},
	"pthread_rwlock_clockrdlock": {tries, 0, true, false}, "pthread_rwlock_clockwrlock": {tries, 0, false, false},
	"pthread_rwlock_unlock": {gives, 0, false, false}, "pthread_rwlock_init": {changes, 0, false, false}, "pthread_rwlock_destroy": {changes, 0, false, false},
	"pthread_spin_lock": {takes, 0, false, false}, "pthread_spin_unlock": {gives, 0, false, false}, "pthread_spin_trylock": {tries, 0, false, false},
	"pthread_spin_init": {changes, 0, false, false}, "pthread_spin_destroy": {changes, 0, false, false},
	"sem_wait": {takes, 0, false, false}, "sem_post": {gives, 0, false, false}, "sem_init": {changes, 0, false, false}, "sem_destroy": {changes, 0, false, false},
	"sem_trywait": {tries, 0, false, false}, "sem_timedwait": {tries, 0, false, false}, "sem_clockwait": {tries, 0, false, false},
}

// sections are the functions that begin and end atomic sections.
var sections = map[string]bool{"__VERIFIER_atomic_begin": true, "__CPROVER_atomic_begin": true, "__VERIFIER_atomic_end": false, "__CPROVER_atomic_end": false}

// opOf returns what a function does with locks.
func opOf(f *cir.Func) (lockOp, bool) {
	if !f.Library && len(f.Blocks) > 0 {
		return lockOp{}, false
	}
	o, ok := lockOps[f.Source]
	if o.does == takes && isSemaphore(f) && !zero(f) {
		o.does = tries
	}
	return o, ok
}

// zero reports whether a function returns 0 in any case.
func zero(f *cir.Func) bool {
	for _, b := range f.Blocks {
		if r, ok := b.Term.(*cir.Return); ok {
			if n, ok := r.X.(cir.Int); !ok || n.Lo != 0 || n.Hi != 0 {
				return false
			}
		}
	}
	return len(f.Blocks) > 0
}

// atomic is the right to be the only thread that runs, as a lock: nothing else is where it is taken to be.
func (x *locks) atomic() lock {
	return lock{names: []name{{Base: "atomic"}}, at: []pointsto.Location{{Obj: x.pts.Objects[0], Off: -1 << 60}}}
}

// operand returns the names of an address in a copy, and where it may be.
func (x *locks) operand(c pointsto.Copy, s *state, v cir.Value) (names []name, at []pointsto.Location) {
	at = x.pts.Places(c.Func, c.Ctx, v)
	if n, ok := s.value(v); ok && n.Base != "" {
		names = append(names, n)
		if m, ok := s.secondName(n); ok {
			names = append(names, m)
		}
	}
	if len(at) == 1 && at[0].Exact() && x.pts.Once(at[0].Obj) {
		names = append(names, name{Base: fmt.Sprintf("object:%d", at[0].Obj.ID), Off: at[0].Off})
	}
	return names, at
}

// step carries what is known over an instruction of an activation. It reports whether control gets behind it.
func (x *locks) step(a *activation, in cir.Instr, s *state) bool {
	x.loses(in, s)
	switch in := in.(type) {
	case *cir.Load:
		if l, ok := x.cell(s.fn, in.Addr); ok {
			n, known := s.cells[l.Index]
			if n == fresh(in.Dst) { // it holds that already
				return true
			}
			s.assign(in.Dst, n, known)
			if !known {
				s.cells[l.Index] = fresh(in.Dst)
			}
			return true
		}
		s.assign(in.Dst, name{}, false)
		return true
	case *cir.Store:
		if l, ok := x.cell(s.fn, in.Addr); ok {
			delete(s.cells, l.Index)
			if n, ok := s.value(in.X); ok {
				s.cells[l.Index] = n
			}
			return true
		}
	case *cir.LifeStart:
		own := s.owned[fmt.Sprintf("local:%d", in.Local.Index)]
		x.ends(s, in.Local)
		if own {
			s.owned[fmt.Sprintf("local:%d", in.Local.Index)] = true
		}
	case *cir.LifeEnd:
		x.ends(s, in.Local)
	case *cir.Call:
		return x.call(a, in, s)
	case *cir.Intrinsic:
		if !x.intrinsic(a, in, s) {
			return false
		}
	}
	x.overwrites(a.copy, in, s)
	n, ok := x.compute(in, s)
	e, plus, isExpr := x.exprOf(in, s)
	tells, told := x.tells(in, s)
	for _, r := range cir.Results(in) {
		s.assign(r, n, ok)
		if told {
			s.truths[r.Index] = tells
		}
		if isExpr {
			s.computed(e, plus, r)
		}
	}
	return true
}

// ends forgets what is known of a local whose life ends, and locks in it.
func (x *locks) ends(s *state, l *cir.Local) {
	delete(s.cells, l.Index)
	base := fmt.Sprintf("local:%d", l.Index)
	delete(s.owned, base)
	s.forget(base)
	s.drop(func(k *lock) bool { return slices.ContainsFunc(k.names, func(n name) bool { return n.Base == base }) })
}

// overwrites forgets locks that an instruction writes to.
func (x *locks) overwrites(c pointsto.Copy, in cir.Instr, s *state) {
	if len(s.held)+len(s.tried) == 0 {
		return
	}
	for _, l := range x.written(c, in) {
		s.drop(func(k *lock) bool { return overlap(k.at, []pointsto.Location{l}) })
	}
}

// compute returns what an instruction computes, if that has a name.
func (x *locks) compute(in cir.Instr, s *state) (n name, ok bool) {
	switch in := in.(type) {
	case *cir.Offset:
		if n, ok = s.value(in.P); !ok {
			return n, false
		}
		if in.Index != nil {
			i, known := x.constant(in.Index, s)
			if !known || i > 1<<30 || i < -1<<30 || in.Scale > 1<<30 || in.Scale < -1<<30 {
				return n, false
			}
			n.Off += i * in.Scale
		}
		n.Off += in.Disp
		return n, n.Base != "" && n.Off < 1<<62 && n.Off > -1<<62
	case *cir.Convert:
		if in.Dst.Type.IsPointer() && x.prog.Model.TypeOf(in.X).IsPointer() {
			return s.value(in.X)
		}
	}
	return n, false
}

// tells returns what a comparison tells of a result that says whether a lock was taken.
func (x *locks) tells(in cir.Instr, s *state) (t truth, ok bool) {
	var v cir.Value
	switch in := in.(type) {
	case *cir.Compare:
		c, isConst := in.Y.(cir.Int)
		if v = in.X; !isConst || c.Lo != 0 || c.Hi != 0 || in.Pred != cir.Eq && in.Pred != cir.Ne {
			return t, false
		}
		t.if1 = in.Pred == cir.Eq
	case *cir.Convert:
		if v = in.X; in.Dst.Type != cir.Bool {
			return t, false
		}
	default:
		return t, false
	}
	r, isReg := v.(*cir.Reg)
	if !isReg {
		return t, false
	}
	if old, known := s.truths[r.Index]; known { // of a truth value: is it 0?
		t = truth{old.reg, old.if1 != t.if1}
		_, ok = s.tried[t.reg]
		return t, ok
	}
	if n, named := s.regs[r.Index]; named { // it was in a local in between
		var k int
		if _, err := fmt.Sscanf(n.Base, "reg:%d", &k); err != nil || n.Off != 0 {
			return t, false
		}
		r = &cir.Reg{Index: k}
	}
	t.reg = r.Index
	_, ok = s.tried[t.reg]
	return t, ok
}

// intrinsic carries what is known over an intrinsic; its result is left to step.
func (x *locks) intrinsic(a *activation, in *cir.Intrinsic, s *state) bool {
	switch in.Op {
	case cir.AtomicBegin:
		s.take(x.atomic())
	case cir.AtomicEnd:
		s.drop(func(l *lock) bool { return l.is(name{Base: "atomic"}) })
	case cir.Unlock, cir.Free, cir.Resize:
		names, at := x.operand(a.copy, s, in.Args[0])
		if in.Op != cir.Unlock {
			names, at = nil, whole(x.freed(a.copy, in))
		}
		s.drop(func(l *lock) bool { return l.mayBe(names, at) })
	case cir.Stop, cir.ThreadExit, cir.Longjmp, cir.Trap:
		return false
	case cir.Setjmp: // a longjmp may lead here from anywhere
		s.held, s.tried = nil, map[int]lock{}
		clear(s.exprs)
		clear(s.again)
	}
	return true
}

// freed returns which objects may end their lives: free is given the beginning of what was allocated, so not a member that a list begins and ends with.
func (x *locks) freed(c pointsto.Copy, in *cir.Intrinsic) []pointsto.Location {
	return x.pts.Aimed(c.Func, c.Ctx, in.Args[0], pointsto.Aim{Frees: true})
}

// whole returns all of the objects of some places.
func whole(at []pointsto.Location) (out []pointsto.Location) {
	for _, l := range at {
		out = append(out, pointsto.Location{Obj: l.Obj, Off: pointsto.Any})
	}
	return out
}

// call carries what is known over a call, and verifies what is claimed of what it gets to.
func (x *locks) call(a *activation, in *cir.Call, s *state) bool {
	c := a.copy
	fs := x.pts.Callees(c.Func, c.Ctx, in)
	to := x.callees(x.number[c], in)
	result := func() { s.assign(in.Dst, name{}, false) }
	if len(fs) == 1 {
		if begin, ok := sections[fs[0].Source]; ok && (fs[0].Library || len(fs[0].Blocks) == 0) {
			s.drop(func(l *lock) bool { return l.is(name{Base: "atomic"}) })
			if begin {
				s.take(x.atomic())
			}
			result()
			return in.Returns
		}
		if o, ok := opOf(fs[0]); ok && o.arg < len(in.Args) {
			x.use(a, in, fs[0], o, s)
			return in.Returns
		}
	}
	before := s.snapshot(x, c, in)
	x.forgetCall(c, in, to, fs, s)
	returns := to.outside
	var gained [][]lock
	for _, m := range to.to {
		switch {
		case x.copies[m].Func.Library: // it calls back, with the locks that nobody gives back in between
			returns = true
			for _, k := range x.backs(m) {
				x.entersBack(a, in, k, s)
			}
		case to.outside && slices.Contains(x.back, m): // with any locks, or none
		default:
			if held, comes := x.enters(a, in, m, before); comes {
				returns = true
				gained = append(gained, held)
			}
		}
	}
	if len(to.to) == 0 {
		returns = true
	}
	result()
	if len(fs) == 1 && x.fresh.Alone(in) && !to.outside {
		s.owned[fresh(in.Dst).Base] = true
	}
	if len(gained) == 1 && len(to.to) == 1 && !to.outside {
		for _, l := range x.named(gained[0], in) {
			s.take(l)
		}
	}
	return returns && in.Returns
}

// forgetCall forgets the locks that a call may give back.
func (x *locks) forgetCall(c pointsto.Copy, in *cir.Call, to called, fs []*cir.Func, s *state) {
	for _, m := range to.to {
		gone := x.gives[m]
		s.drop(func(l *lock) bool {
			return len(gone) > 0 && (len(l.at) == 0 || slices.ContainsFunc(l.at, func(p pointsto.Location) bool { return gone.has(p) }))
		})
	}
	if !to.outside || x.pure(in, fs) {
		return
	}
	for _, arg := range in.Args {
		if at := whole(x.pts.Places(c.Func, c.Ctx, arg.X)); len(at) > 0 {
			s.drop(func(l *lock) bool { return overlap(l.at, at) })
		}
	}
}

// pure reports whether a call gets only to functions without a body that change nothing that they are not said to.
func (x *locks) pure(in *cir.Call, fs []*cir.Func) bool {
	for _, f := range fs {
		how := in.Unknown
		if how == cir.Known {
			how = f.Unknown
		}
		if len(f.Blocks) == 0 && how != cir.Pure && how != cir.Contract {
			return false
		}
	}
	return len(fs) > 0
}

// use carries what is known over a use of a lock.
func (x *locks) use(a *activation, in *cir.Call, f *cir.Func, o lockOp, s *state) {
	names, at := x.operand(a.copy, s, in.Args[o.arg].X)
	l := lock{names: names, at: at, reading: o.reading}
	robust := o.mutex && x.robust
	switch o.does {
	case takes:
		s.assign(in.Dst, name{}, false)
		if !robust {
			s.take(l)
		}
	case tries:
		s.assign(in.Dst, name{}, false)
		if in.Dst != nil && !robust && len(names) > 0 {
			s.tried[in.Dst.Index] = l
		}
	case gives, changes:
		s.drop(func(k *lock) bool { return k.mayBe(names, at) })
		s.assign(in.Dst, name{}, false)
		if o.does == changes && x.closes(a.copy, in, f, at) {
			s.take(l)
		}
	case waitsFor:
		if robust {
			s.drop(func(k *lock) bool { return k.mayBe(names, at) })
		}
		s.assign(in.Dst, name{}, false)
	}
}

// branch returns what is known along the n-th edge of a terminator.
func (s *state) branch(t cir.Term, n int) *state {
	b, ok := t.(*cir.Branch)
	if !ok {
		return s
	}
	r, ok := b.Cond.(*cir.Reg)
	if !ok {
		return s
	}
	told, ok := s.truths[r.Index]
	if !ok || told.if1 != (n == 0) {
		return s
	}
	out := *s
	out.take(s.tried[told.reg])
	return &out
}
