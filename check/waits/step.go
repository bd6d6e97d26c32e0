package waits

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// block carries a state over a block. ok is false if control does not get to its end.
func (h *holding) block(c pointsto.Copy, b *cir.Block, s *state) (out *state, ok bool) {
	x := h.function(c.Func)
	vs := values{}
	h.fresh = map[*cir.Call]hold{}
	for _, in := range b.Instrs {
		var n name
		switch in := in.(type) {
		case *cir.Store:
			if l, ok := in.Addr.(*cir.Local); ok {
				h.stored(s, vs, l)
			}
		case *cir.LifeStart:
			h.stored(s, vs, in.Local)
		case *cir.LifeEnd:
			h.stored(s, vs, in.Local)
		case *cir.Call:
			if !h.call(c, in, s, vs) {
				return nil, false
			}
		case *cir.Intrinsic:
			if in.Op == cir.ThreadExit && h.visit != nil && h.err == nil {
				h.err = h.ends(c, in, s)
			}
			if in.Op == cir.ThreadExit || in.Op == cir.Stop || in.Op == cir.Trap {
				return nil, false
			}
		}
		n = vs.compute(x, in)
		for _, r := range cir.Results(in) {
			if r == nil {
				continue
			}
			token := regToken(r.Index)
			s.forget(token)
			for i, m := range vs {
				if m.rests(token) {
					delete(vs, i)
				}
			}
			if n.base != "" {
				vs[r.Index] = n
			}
		}
	}
	return s, true
}

// stored forgets the names that rest on what a local holds.
func (h *holding) stored(s *state, vs values, l *cir.Local) {
	token := localToken(l)
	s.forget(token)
	for i, n := range vs {
		if n.rests(token) {
			delete(vs, i)
		}
	}
}

// ends returns an error if a thread that ends at an instruction may hold something.
func (h *holding) ends(c pointsto.Copy, in cir.Located, s *state) error {
	for k := range h.all(c, s) {
		return fail(in, "a thread may end while it holds %s", h.sets.describe(k.set))
	}
	return nil
}

// all returns all that may be held, by names of the copy.
func (h *holding) all(c pointsto.Copy, s *state) map[hold]bool {
	out := map[hold]bool{}
	for k := range h.entry[c] {
		if !s.frees(h, k) {
			out[k] = true
		}
	}
	for k := range s.got {
		out[k] = true
	}
	return out
}

// frees reports whether what was held at the beginning of the call is held no more.
func (s *state) frees(h *holding, k hold) bool {
	for g := range s.gone {
		if g.name.base == "" && g.set == k.set && h.sets.exact(g.set) || g.name.base != "" && g.name == k.name {
			return true
		}
	}
	return false
}

// call carries a state over a call. It reports whether control gets behind it.
func (h *holding) call(c pointsto.Copy, in *cir.Call, s *state, vs values) bool {
	x, err := h.callees(c, in)
	if err != nil {
		h.err = err
		return false
	}
	if len(x.known) == 1 {
		return h.operation(c, in, x, s, vs)
	}
	out, returns := h.calls(c, in, x.to, s, vs, hold{set: -1})
	if x.outside || len(x.to) == 0 {
		if returns = in.Returns; returns {
			if out == nil {
				out = s.clone()
			}
			out.joins(s)
		}
	}
	if !returns {
		return false
	}
	*s = *out
	return true
}

// calls carries a state over calls of one of some copies, which hold something more meanwhile if that is a set; nil if none returns.
func (h *holding) calls(c pointsto.Copy, in *cir.Call, to []pointsto.Copy, s *state, vs values, more hold) (out *state, returns bool) {
	args := make([]name, len(in.Args))
	for i, a := range in.Args {
		if a.ByVal == nil {
			args[i] = vs.of(a.X)
		}
	}
	all := h.all(c, s)
	if x, err := h.callees(c, in); more.set >= 0 || err != nil || x.outside {
		args = nil // functions that are called back are given others
	}
	if more.set >= 0 {
		all[more] = true
	}
	for _, y := range to {
		changed := false
		for k := range all {
			if k = h.given(k, args); !h.entry[y][k] {
				h.entry[y][k], changed = true, true
			}
		}
		if changed {
			h.wake(y)
		}
		sum := h.exit[y]
		if sum == nil {
			continue
		}
		t := h.after(s, sum, args)
		if out == nil {
			out = t
		} else {
			out.joins(t)
		}
	}
	return out, out != nil
}

// given returns what a hold is to a function that is called with some arguments.
func (h *holding) given(k hold, args []name) hold {
	if k.name.base == "" {
		return hold{set: k.set}
	}
	for i, a := range args {
		if a.base == k.name.base {
			return hold{set: k.set, name: name{paramToken(i), k.name.off - a.off}}
		}
	}
	return hold{set: k.set}
}

// back returns what a name of a parameter's is to the caller.
func back(n name, args []name) name {
	i := paramOf(n)
	if i < 0 || i >= len(args) || args[i].base == "" || args[i].base == "0;" {
		return name{}
	}
	return name{args[i].base, args[i].off + n.off}.short()
}

// after returns the state behind a call that has done something.
func (h *holding) after(s, sum *state, args []name) *state {
	out := s.clone()
	for g := range sum.gone {
		h.release(out, g.set, back(g.name, args), g.name.base == "")
	}
	for g := range sum.got {
		h.take(out, hold{set: g.set, name: back(g.name, args)})
	}
	return out
}

// take notes that a lock may be held.
func (h *holding) take(s *state, k hold) {
	if h.sets.exact(k.set) {
		k.name = name{}
	}
	s.got[k] = true
}

// release notes that a lock is given back: that of a set if bySet, or the one with a name, if that is one.
func (h *holding) release(s *state, set int, n name, bySet bool) {
	if bySet && h.sets.exact(set) {
		for k := range s.got {
			if k.set == set {
				delete(s.got, k)
			}
		}
		s.gone[hold{set: set}] = true
	}
	if n.base == "" {
		return
	}
	for k := range s.got {
		if k.name == n {
			delete(s.got, k)
		}
	}
	if paramOf(n) >= 0 {
		s.gone[hold{set: set, name: n}] = true
	}
}

// lockOf returns what lock an operation is about.
func (h *holding) lockOf(c pointsto.Copy, in *cir.Call, op *operation, vs values) (set int, n name, err error) {
	v := in.Args[op.lock].X
	if set, err = h.sets.of(h.program, c, in, v); err != nil {
		return 0, n, err
	}
	for _, e := range h.sets.list[set] {
		h.sets.size[e] = max(h.sets.size[e], h.sizeOfLock(op))
	}
	return set, vs.of(v), nil
}

// sizeOfLock returns how many bytes a lock has, in glibc.
func (p *program) sizeOfLock(op *operation) int64 {
	if p.prog.Model.PointerBits == 32 {
		switch op.size {
		case sizeMutex:
			return 24
		case sizeRW:
			return 32
		}
	}
	return op.size
}

// operation carries a state over an operation. It reports whether control gets behind it.
func (h *holding) operation(c pointsto.Copy, in *cir.Call, x called, s *state, vs values) bool {
	op := x.known[0]
	set, n := -1, name{}
	if op.lock >= 0 && op.does != nothing && op.does != begins {
		if set, n, h.err = h.lockOf(c, in, op, vs); h.err != nil {
			return false
		}
	}
	if h.visit != nil {
		held := h.all(c, s)
		if op.does == sleeps || op.does == dozes { // the mutex is given back meanwhile
			t := s.clone()
			h.release(t, set, n, true)
			held = h.all(c, t)
		}
		if h.err = h.visit(c, in, op, held, vs); h.err != nil {
			return false
		}
	}
	switch op.does {
	case takes:
		h.take(s, hold{set, n, in})
	case sleeps, dozes: // who waits holds the lock already
		if h.sets.exact(set) {
			n = name{}
		}
		for k := range s.got {
			if k.set == set && k.name == n && (n.base != "" || h.sets.exact(set)) {
				return true
			}
		}
		h.take(s, hold{set, n, in})
	case tries:
		had := h.all(c, s)
		k := hold{set, n, in}
		if h.sets.exact(set) {
			k.name = name{}
		}
		again := slices.ContainsFunc(h.sets.list[set], func(e Element) bool { return h.sets.mayHold(had, e) })
		switch s.got[k] = true; {
		case !again:
			h.fresh[in] = k
		case op.size == sizeRW:
			h.err = fail(in, "a thread may read a lock twice")
			return false
		}
	case gives:
		h.release(s, set, n, true)
	case onceOnly:
		out, returns := h.calls(c, in, x.to, s, vs, hold{set: set})
		if !returns {
			return true // it may have been called before
		}
		out.joins(s)
		*s = *out
	}
	return true
}
