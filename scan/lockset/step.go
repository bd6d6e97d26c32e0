package lockset

import (
	"slices"

	"comus/cir"
	"comus/scan/valuenum"
)

// step returns what is held after an instruction; nil if control does not get further.
func (a *analysis) step(x *Activation, in cir.Instr, s *state) *state {
	switch in := in.(type) {
	case *cir.LifeStart:
		return s.drop(func(l *lock) bool { return l.within(in.Local) })
	case *cir.LifeEnd:
		return s.drop(func(l *lock) bool { return l.within(in.Local) })
	case *cir.Compare:
		return s.compared(x.fn, in)
	case *cir.Convert:
		if in.Dst.Type == cir.Bool {
			return s.outcome(x.fn.Value(in.Dst), x.fn.Value(in.X), func(n int64) bool { return n != 0 })
		}
	case *cir.Call:
		return a.call(x, in, s)
	case *cir.Intrinsic:
		return a.intrinsic(x, in, s)
	}
	return s
}

// within reports whether a lock is known as part of a local only, or as such at all.
func (l *lock) within(local *cir.Local) bool {
	return slices.ContainsFunc(l.names, func(v valuenum.Value) bool {
		found := false
		v.Each(func(s *valuenum.Sym) { found = found || s.Kind == valuenum.Local && s.What == any(local) })
		return found
	})
}

func (a *analysis) intrinsic(x *Activation, in *cir.Intrinsic, s *state) *state {
	switch in.Op {
	case cir.Lock:
		return a.use(x, in, op{takes, spinLocks, Writing, 0}, in.Args[0], in.Dst, s)
	case cir.Unlock:
		return a.use(x, in, op{releases, spinLocks, 0, 0}, in.Args[0], in.Dst, s)
	case cir.AtomicBegin:
		return s.acquire(a.atomicLock(), false)
	case cir.AtomicEnd:
		t, _ := s.release(a.atomicLock().names, a.atomicLock().at)
		return t
	case cir.Free, cir.Resize:
		return a.use(x, in, op{kind: frees}, in.Args[0], in.Dst, s)
	case cir.Stop, cir.ThreadExit, cir.Longjmp, cir.Trap:
		return nil
	case cir.Setjmp:
		return s.returnsTwice(x.fn, in)
	}
	return s
}

// returnsTwice returns what is held after a setjmp: what was before, where it returns 0; nothing is known of what is held where
// a longjmp comes from.
func (s *state) returnsTwice(f *valuenum.Func, in *cir.Intrinsic) *state {
	t := &state{}
	if in.Dst == nil {
		return t
	}
	for _, l := range s.held {
		l.count = 1
		t.when = append(t.when, when{sym: f.Value(in.Dst).Base, in: []int64{0}, lock: l})
	}
	return t
}

// compared returns what is held after a comparison: its result may tell of a lock what the operand does.
func (s *state) compared(f *valuenum.Func, in *cir.Compare) *state {
	if len(s.when) == 0 {
		return s
	}
	v, w, p := f.Value(in.X), f.Value(in.Y), in.Pred
	if _, isConst := v.Const(); isConst {
		v, w = w, v
		p = mirrored[p]
	}
	n, isConst := w.Const()
	if !isConst || !small(n) {
		return s
	}
	return s.outcome(f.Value(in.Dst), v, func(x int64) bool { return holds(x, p, n) })
}

var mirrored = map[cir.Pred]cir.Pred{cir.Eq: cir.Eq, cir.Ne: cir.Ne, cir.Lt: cir.Gt, cir.Le: cir.Ge, cir.Gt: cir.Lt, cir.Ge: cir.Le}

// holds compares numbers that are small and, with the results of functions, those of signed integers.
func holds(x int64, p cir.Pred, y int64) bool {
	switch p {
	case cir.Eq:
		return x == y
	case cir.Ne:
		return x != y
	case cir.Lt:
		return x < y
	case cir.Le:
		return x <= y
	case cir.Gt:
		return x > y
	}
	return x >= y
}

// outcome returns what is known if a truth value tells whether f holds of another value.
func (s *state) outcome(dst, v valuenum.Value, f func(int64) bool) *state {
	if dst.Base == nil || dst.Base == v.Base || v.Base == nil || v.Index != nil || !small(v.Off) {
		return s
	}
	var more []when
	for _, w := range s.when {
		if w.sym != v.Base {
			continue
		}
		var in []int64
		for _, truth := range []int64{0, 1} {
			if w.decides(func(n int64) bool { return f(n+v.Off) == (truth == 1) }) {
				in = append(in, truth)
			}
		}
		if len(in) > 0 {
			more = append(more, when{dst.Base, in, []int64{0, 1}, w.lock})
		}
	}
	if len(more) == 0 {
		return s
	}
	t := s.clone()
	t.when = slices.DeleteFunc(t.when, func(w when) bool { return w.sym == dst.Base })
	t.when = append(t.when, more...)
	return t
}

// decides reports whether the lock is held if f holds of the symbol, which may have any small value if nothing else is known.
func (w *when) decides(f func(int64) bool) bool {
	if w.all != nil {
		return !slices.ContainsFunc(w.all, func(n int64) bool { return f(n) && !slices.Contains(w.in, n) })
	}
	// All values but those with which it is held: of a comparison with a constant, those around it tell.
	for n := int64(-maxResult); n <= maxResult; n++ {
		if f(n) && !slices.Contains(w.in, n) {
			return false
		}
	}
	return true
}

// maxConst bounds the constants that results of functions are compared with, and what is added to them before; maxResult and its
// negative stand for all values beyond.
const (
	maxConst  = 200
	maxResult = 2*maxConst + 1
)

func small(n int64) bool { return -maxConst <= n && n <= maxConst }

func smallCase(k cir.Case) bool {
	lo, ok1 := k.Lo.Int64()
	hi, ok2 := k.Hi.Int64()
	return ok1 && ok2 && small(lo) && small(hi)
}

// along returns what is held along the n-th edge of a terminator; nil if control does not go there.
func (a *analysis) along(x *Activation, term cir.Term, n int, s *state) *state {
	if s == nil {
		return nil
	}
	switch t := term.(type) {
	case *cir.Branch:
		v := x.fn.Value(t.Cond)
		if c, ok := v.Const(); ok && (c != 0) != (n == 0) {
			return nil
		}
		return s.given(v, func(c int64) bool { return (c != 0) == (n == 0) })
	case *cir.Switch:
		if slices.ContainsFunc(t.Cases, func(k cir.Case) bool { return !smallCase(k) }) {
			return s
		}
		return s.given(x.fn.Value(t.X), func(c int64) bool {
			if n < len(t.Cases) {
				return t.Cases[n].Has(c)
			}
			return !slices.ContainsFunc(t.Cases, func(k cir.Case) bool { return k.Has(c) })
		})
	}
	return s
}

// given returns what is held if f holds of a value.
func (s *state) given(v valuenum.Value, f func(int64) bool) *state {
	if v.Base == nil || v.Index != nil || !small(v.Off) {
		return s
	}
	out := s
	for _, w := range s.when {
		if w.sym == v.Base && w.decides(func(n int64) bool { return f(n + v.Off) }) {
			out = out.acquire(w.lock, false)
		}
	}
	return out
}
