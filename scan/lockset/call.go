package lockset

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
	"comus/scan/valuenum"
)

// callback is a call of a function of the program's own in one of the library.
type callback struct {
	in   *cir.Call
	copy pointsto.Copy
	ends bool // the thread ends afterwards
}

// callbacks returns the functions of the program's own that a copy of one of the library may call.
func (a *analysis) callbacks(c pointsto.Copy) []callback {
	if list, known := a.backs[c]; known {
		return list
	}
	type place struct {
		copy pointsto.Copy
		ends bool
	}
	var list []callback
	first := place{c, c.Func.NoReturn}
	seen := map[place]bool{first: true}
	for work := []place{first}; len(work) > 0; {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		for _, b := range x.copy.Func.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(*cir.Call)
				if !ok {
					continue
				}
				for _, y := range a.pts.Called(x.copy, call) {
					to := place{y, x.ends || !call.Returns}
					switch {
					case !y.Func.Library:
						list = append(list, callback{call, y, x.ends})
					case !seen[to]:
						seen[to] = true
						work = append(work, to)
					}
				}
			}
		}
	}
	a.backs[c] = list
	return list
}

// operand is what is known of a value in a copy: its names, and where it may point.
func (a *analysis) operand(x *Activation, v cir.Value) (names []valuenum.Value, at []pointsto.Location) {
	at = a.pts.Places(x.Copy.Func, x.Copy.Ctx, v)
	s := x.fn.Value(v)
	if _, isConst := s.Const(); !isConst {
		names = append(names, s)
	}
	if len(at) == 1 && at[0].Exact() && a.pts.Once(at[0].Obj) {
		place := a.table.Of(valuenum.Sym{Kind: valuenum.Place, What: at[0].Obj})
		names = append(names, place.Plus(at[0].Off))
	}
	return named(names), at
}

// call returns what is held after a call.
func (a *analysis) call(x *Activation, in *cir.Call, s *state) *state {
	var out *state
	callees := a.pts.Callees(x.Copy.Func, x.Copy.Ctx, in)
	for _, f := range callees {
		out = out.meet(a.callOf(x, in, f, s))
	}
	if a.leadsOutside(x, in, len(callees)) {
		out = out.meet(a.unknown(x, in, in.Unknown, s))
	}
	if !in.Returns {
		return nil
	}
	return out
}

// leadsOutside reports whether a call may get to functions that nobody knows.
func (a *analysis) leadsOutside(x *Activation, in *cir.Call, callees int) bool {
	if _, direct := in.Callee.(*cir.Func); direct {
		return false
	}
	return callees == 0 || slices.ContainsFunc(a.pts.Places(x.Copy.Func, x.Copy.Ctx, in.Callee), func(l pointsto.Location) bool { return l.Obj.External })
}

// callOf returns what is held after a call that gets to a function.
func (a *analysis) callOf(x *Activation, in *cir.Call, f *cir.Func, s *state) *state {
	o := opOf(f)
	switch {
	case o.family == semaphoreLocks && o.arg < len(in.Args):
		return a.count(x, in, f, o, s)
	case o.kind == atomicBegins:
		return s.acquire(a.atomicLock(), false)
	case o.kind == atomicEnds:
		t, _ := s.release(a.atomicLock().names, a.atomicLock().at)
		return t
	case o.kind != 0 && o.arg < len(in.Args):
		s = a.use(x, in, o, in.Args[o.arg].X, in.Dst, s)
	case len(f.Blocks) == 0:
		how := in.Unknown
		if how == cir.Known {
			how = f.Unknown
		}
		return a.unknown(x, in, how, s)
	}
	return a.inside(x, in, f, s)
}

// inside returns what is held after what a function with a body does that a call gets to.
func (a *analysis) inside(x *Activation, in *cir.Call, f *cir.Func, s *state) *state {
	for _, y := range a.pts.Called(x.Copy, in) {
		switch {
		case y.Func != f:
		case f.Library:
			return a.library(x, in, y, s)
		default:
			return a.enters(x, in, y, in.Args, s)
		}
	}
	return s
}

// count returns what is held after a semaphore was used. If its thread is cancelled while it waits, what runs then does not hold it; and
// it does not wait to the end if a signal comes.
func (a *analysis) count(x *Activation, in *cir.Call, f *cir.Func, o op, s *state) *state {
	if o.kind == takes && !succeeds(f) {
		o.kind = tries
	}
	return a.use(x, in, o, in.Args[o.arg].X, in.Dst, a.inside(x, in, f, s))
}

// library returns what is held after a call of a function of the library, which may call back any number of times.
func (a *analysis) library(x *Activation, in *cir.Call, y pointsto.Copy, s *state) *state {
	return a.callBack(x, in, append(slices.Clip(a.callbacks(y)), a.back(x, in)...), s)
}

// callBack returns what is held after a call during which functions of the program are called, any number of times.
func (a *analysis) callBack(x *Activation, in *cir.Call, list []callback, s *state) *state {
	for again := len(list) > 0; again && a.goOn(); {
		t := s
		for _, cb := range list {
			if cb.ends {
				a.begin(x, in, cb.copy, nil, s)
			} else if u := a.enters(x, in, cb.copy, nil, s); u != nil {
				t = t.meet(&state{held: u.held})
			}
		}
		again = !t.equal(s)
		s = t
	}
	return s
}

// unknown returns what is held after a call of a function that nobody knows.
func (a *analysis) unknown(x *Activation, in *cir.Call, how cir.Unknown, s *state) *state {
	switch how {
	case cir.Pure:
		return s
	case cir.Contract:
		return a.callBack(x, in, a.back(x, in), s)
	}
	a.assume["functions without a body give back only locks whose addresses they are given"] = true
	for _, arg := range in.Args {
		for _, l := range a.pts.Places(x.Copy.Func, x.Copy.Ctx, arg.X) {
			if l.Obj.External || l.Obj.IsFunc() {
				continue
			}
			at := []pointsto.Location{{Obj: l.Obj, Off: pointsto.Any}}
			s = s.drop(func(k *lock) bool { return mayAlias(k.at, at) })
			x.gives(at)
		}
	}
	return a.callBack(x, in, a.back(x, in), s)
}

// back returns the functions that code outside may call during a call.
func (a *analysis) back(x *Activation, in *cir.Call) (list []callback) {
	for _, y := range a.pts.CalledBack(x.Copy, in) {
		list = append(list, callback{copy: y})
	}
	return list
}

// use returns what is held after a function of the library has used a lock.
func (a *analysis) use(x *Activation, in cir.Instr, o op, arg cir.Value, dst *cir.Reg, s *state) *state {
	names, at := a.operand(x, arg)
	l := lock{names: names, at: at, family: o.family, mode: o.mode, count: 1}
	robust := a.kinds.robust && o.family == mutexes
	switch {
	case o.kind == takes && !robust:
		return s.acquire(l, o.family == mutexes && a.kinds.checking)
	case o.kind == takes || o.kind == tries:
		return s.attempt(x.fn, l, dst, robust)
	case o.kind == waits && robust:
		return s.drop(func(k *lock) bool { return k.mayBe(names, at) })
	case o.kind == waits:
		return s
	case o.kind == frees:
		at = a.pts.Aimed(x.Copy.Func, x.Copy.Ctx, arg, pointsto.Aim{Frees: true})
		return s.drop(func(k *lock) bool {
			return slices.ContainsFunc(at, func(p pointsto.Location) bool {
				return mayAlias(k.at, []pointsto.Location{{Obj: p.Obj, Off: pointsto.Any}})
			})
		})
	case o.kind == begins || o.kind == ends:
		s = s.drop(func(k *lock) bool { return k.mayBe(names, at) })
		if o.kind == begins && o.family == semaphoreLocks && a.closings.closes(a.pts, x.Copy, in, at) {
			l.mode = Writing
			s = s.acquire(l, false)
		}
		return s
	}
	t, sure := s.release(names, at)
	if !sure || o.family == mutexes && (a.kinds.checking || robust) {
		// It was not taken here, or not for sure: what the caller holds may be that.
		t = t.drop(func(k *lock) bool { return !k.is(names) && k.mayBe(names, at) })
		x.gives(at)
	}
	return t
}

// attempt returns what is held after a lock was tried.
func (s *state) attempt(f *valuenum.Func, l lock, dst *cir.Reg, robust bool) *state {
	if dst == nil || len(l.names) == 0 {
		return s
	}
	w := when{sym: f.Value(dst).Base, in: []int64{0}, lock: l}
	if robust {
		w.in = append(w.in, ownerDied)
	}
	t := s.clone()
	t.when = append(slices.DeleteFunc(t.when, func(v when) bool { return v.sym == w.sym }), w)
	return t
}

// enters returns what is held after a call of a function of the program's own, with these arguments, nil for one that the
// library calls.
func (a *analysis) enters(x *Activation, in *cir.Call, y pointsto.Copy, args []cir.Arg, s *state) *state {
	c, z := a.begin(x, in, y, args, s)
	x.forget(z)
	if z.exit == nil {
		return nil
	}
	out := &state{}
	var changed []lock
	for _, l := range s.held {
		if after, held := c.after(l, z); held {
			if after.count < l.count {
				changed = append(changed, l)
			}
			out.held = append(out.held, after)
		} else {
			changed = append(changed, l)
		}
	}
	for _, w := range s.when {
		if !z.mayGive(&w.lock) && !slices.ContainsFunc(changed, func(l lock) bool { return w.lock.mayBe(l.names, l.at) }) {
			out.when = append(out.when, w)
		}
	}
	return c.gains(out, s, z)
}

// begin returns the activation that a call gets to, with what connects it with its caller.
func (a *analysis) begin(x *Activation, in *cir.Call, y pointsto.Copy, args []cir.Arg, s *state) (*binding, *Activation) {
	c := a.binding(x, in, y, args)
	entry := &state{}
	for _, l := range s.held {
		if l.names = c.inward(l); len(l.names) > 0 {
			entry.held = append(entry.held, l)
		}
	}
	slices.SortFunc(entry.held, func(x, y lock) int { return order(x.names[0], y.names[0]) })
	z := a.activation(y, entry)
	x.called(in, z)
	return c, z
}

// binding is what connects the terms of a caller with those of a function that it calls.
type binding struct {
	a      *analysis
	x      *Activation
	callee *cir.Func
	args   [][]valuenum.Value // the names of each argument; none if there is none to be named
	result *valuenum.Sym      // what the result is in the caller; nil if it is not used
}

func (a *analysis) binding(x *Activation, in *cir.Call, y pointsto.Copy, args []cir.Arg) *binding {
	c := &binding{a: a, x: x, callee: y.Func, args: make([][]valuenum.Value, len(y.Func.Params))}
	for i, arg := range args {
		if i < len(c.args) && arg.ByVal == nil && y.Func.Params[i].ByVal == nil {
			c.args[i], _ = a.operand(x, arg.X)
		}
	}
	if in.Dst != nil && args != nil && y.Func.Result.Shape == nil {
		c.result = x.fn.Value(in.Dst).Base
	}
	return c
}

func (c *binding) param(i int) valuenum.Value {
	return c.a.table.Of(valuenum.Sym{Kind: valuenum.Param, Func: c.callee, N: int64(i)})
}

// inward returns the names of a lock in the terms of the function that is called.
func (c *binding) inward(l lock) []valuenum.Value {
	var names []valuenum.Value
	for _, n := range l.names {
		if n.Closed() {
			names = append(names, n)
		}
		direct := false
		for i, arg := range c.args {
			for _, v := range arg {
				if d, ok := n.Minus(v); ok {
					names = append(names, c.param(i).Plus(d))
					direct = true
				}
			}
		}
		if n.Closed() || direct {
			continue
		}
		m, ok := c.a.table.Rewrite(n, func(s *valuenum.Sym) (valuenum.Value, bool) {
			for i, arg := range c.args {
				for _, v := range arg {
					if v.Base == s && v.Index == nil {
						return c.param(i).Plus(-v.Off), true
					}
				}
			}
			return valuenum.Value{}, false
		})
		if ok {
			names = append(names, m)
		}
	}
	return named(names)
}

// outward returns names of the function that is called in the terms of the caller.
func (c *binding) outward(names []valuenum.Value) []valuenum.Value {
	var out []valuenum.Value
	for _, n := range names {
		stale := false
		n.Each(func(s *valuenum.Sym) { stale = stale || s.Kind == valuenum.Load && c.a.cells.changes(c.x.Copy) })
		if stale {
			continue
		}
		m, ok := c.a.table.Rewrite(n, func(s *valuenum.Sym) (valuenum.Value, bool) {
			switch {
			case s.Kind == valuenum.Result && c.result != nil:
				return valuenum.Value{Base: c.result}, true
			case s.Kind == valuenum.Param && s.Func == c.callee && len(c.args[s.N]) > 0:
				return c.args[s.N][0], true
			}
			return valuenum.Value{}, false
		})
		if ok {
			out = append(out, m)
		}
	}
	return named(out)
}

// after returns a lock of the caller as it is held after the call, if it is.
func (c *binding) after(l lock, z *Activation) (lock, bool) {
	names := c.inward(l)
	before := z.entry.find(names)
	if len(names) == 0 || before < 0 {
		return l, !z.mayGive(&l)
	}
	now := z.exit.find(names)
	if now < 0 {
		return l, false
	}
	e := z.exit.held[now]
	l.count = max(1, min(maxCount, l.count+e.count-z.entry.held[before].count))
	l.mode = min(l.mode, e.mode)
	return l, true
}

// gains adds what the function that was called has taken.
func (c *binding) gains(out, s *state, z *Activation) *state {
	passed := func(l lock) bool {
		return slices.ContainsFunc(s.held, func(k lock) bool { return l.is(c.inward(k)) })
	}
	for _, l := range z.exit.held {
		if passed(l) && z.entry.find(l.names) >= 0 {
			continue
		}
		if l.names = c.outward(l.names); len(l.names) > 0 {
			out = out.acquire(l, c.a.kinds.checking)
		}
	}
	if c.result == nil {
		return out
	}
	for _, w := range z.exit.when {
		if w.lock.names = c.outward(w.lock.names); w.sym == c.a.result && len(w.lock.names) > 0 {
			w.sym = c.result
			out = out.clone()
			out.when = append(out.when, w)
		}
	}
	return out
}
