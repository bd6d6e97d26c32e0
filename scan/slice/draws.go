package slice

import (
	"slices"

	"comus/cir"
)

// findDraws finds functions that draw numbers from a counter, advance one of a ring, count references to objects, or wait at barriers, what calls them, and what these call: they stay as they are, since it matters what they do with the numbers.
func (r *reduction) findDraws() {
	draw, ring := map[*function]bool{}, map[*function]bool{}
	var near []*function
	turns := slices.ContainsFunc(r.order, func(x *function) bool { return !x.fixed && x.divides() })
	for _, x := range r.order {
		counts := !x.fixed && x.countsReferences()
		ring[x] = turns && !x.fixed && (x.advances() || x.begins())
		draw[x], r.references = counts || ring[x] || !x.fixed && x.draws(), r.references || counts
	}
	calls := func(x *function, f func(y *function)) {
		for _, b := range x.Blocks {
			for _, in := range b.Instrs {
				if call, ok := in.(*cir.Call); ok {
					if g, direct := call.Callee.(*cir.Func); direct && !g.Library && r.funcs[g] != nil {
						f(r.funcs[g])
					}
				}
			}
		}
	}
	for _, x := range r.order {
		calls(x, func(y *function) {
			x.puts = x.puts || y.tallies
			y.putsFor = y.putsFor || x.tallies
		})
	}
	latch := r.countsThreads()
	waits := map[*function]bool{} // at barriers: conditions tell there which thread does what
	for again := true; again; {
		again = false
		for _, x := range r.order {
			if !x.fixed && !x.Library && !waits[x] && r.meets(x, waits) {
				waits[x], again = true, true
			}
		}
	}
	down := map[*function]bool{} // who calls them may look at flags by calls, too
	for _, x := range r.order {
		down[x] = latch && !x.fixed && x.steps(-1)
	}
	for _, x := range r.order {
		is := draw[x] || waits[x] || latch && !x.fixed && (x.tallies || x.steps(1) || x.steps(-1) || x.waits())
		calls(x, func(y *function) { is = is || ring[y] || down[y] || draw[y] && isNumber(y.Result.Type) })
		if is {
			near = append(near, x)
		}
	}
	for _, x := range near {
		x.fixed = true
		calls(x, func(y *function) { y.fixed = true })
	}
}

// countsThreads reports whether a number in memory may be one of threads: the program creates threads, and counts something up or down by one.
func (r *reduction) countsThreads() bool {
	return slices.ContainsFunc(r.order, func(x *function) bool { return x.tallies }) &&
		slices.ContainsFunc(r.order, func(x *function) bool { return !x.fixed && (x.steps(1) || x.steps(-1)) })
}

// steps reports whether a function counts a number in memory up or down by one, or by what it is given, which may be how many threads there are.
func (x *function) steps(by int) bool {
	is := func(y cir.Value, down bool) bool {
		n, ok := y.(cir.Int)
		if !ok {
			return x.isParameter(y)
		}
		return isOne(n) && (n.Lo == 1) == (down == (by < 0)) || n.Type.Bits < 64 && !down && by < 0 && n.Lo == 1<<n.Type.Bits-1
	}
	return x.some(func(in cir.Instr) bool {
		switch in := in.(type) {
		case *cir.RMW:
			return (in.Op == cir.RMWAdd || in.Op == cir.RMWSub) && in.Type.Bits >= 32 && is(in.X, in.Op == cir.RMWSub)
		case *cir.Binary:
			load, ok := x.def(in.X).(*cir.Load)
			return ok && (in.Op == cir.Add || in.Op == cir.Sub) && in.Dst.Type.Bits >= 32 && is(in.Y, in.Op == cir.Sub) && x.local(load.Addr) == nil
		}
		return false
	})
}

// isParameter reports whether a value is what a function is given.
func (x *function) isParameter(y cir.Value) bool {
	if load, ok := x.def(y).(*cir.Load); ok {
		if l := x.local(load.Addr); l != nil && len(x.stores[l.Index]) == 1 {
			y = x.stores[l.Index][0].X
		}
	}
	return slices.ContainsFunc(x.Params, func(p cir.Param) bool { return cir.Value(p.Reg) == y })
}

// waits reports whether a function waits for a condition, as that there are no threads any more.
func (x *function) waits() bool {
	return x.some(func(in cir.Instr) bool {
		call, ok := in.(*cir.Call)
		if !ok {
			return false
		}
		f, direct := call.Callee.(*cir.Func)
		return direct && f.Library && f.Source == "pthread_cond_wait"
	})
}

// meets reports whether a function waits at a barrier, or calls one that does, of those that are known to.
func (r *reduction) meets(x *function, known map[*function]bool) bool {
	return x.some(func(in cir.Instr) bool {
		call, ok := in.(*cir.Call)
		if !ok {
			return false
		}
		f, direct := call.Callee.(*cir.Func)
		return direct && (f.Library && f.Source == "pthread_barrier_wait" || !f.Library && r.funcs[f] != nil && known[r.funcs[f]])
	})
}

// divides reports whether a function computes a remainder, which may be the index of an element in a ring.
func (x *function) divides() bool {
	return x.some(func(in cir.Instr) bool {
		b, ok := in.(*cir.Binary)
		return ok && (b.Op == cir.Rem || b.Op == cir.And)
	})
}

// advances reports whether a function stores a sum to memory, which may be the counter of a ring.
func (x *function) advances() bool {
	return x.some(func(in cir.Instr) bool {
		switch in := in.(type) {
		case *cir.RMW:
			return in.Op == cir.RMWAdd && isOne(in.X)
		case *cir.Binary:
			return in.Op == cir.Add && (isOne(in.Y) || isOne(in.X)) && x.some(func(s cir.Instr) bool {
				store, ok := s.(*cir.Store)
				return ok && x.local(store.Addr) == nil && store.Type == in.Dst.Type
			})
		}
		return false
	})
}

// begins reports whether a function allocates memory and sets a number to 0, which may be such a counter.
func (x *function) begins() bool {
	return x.some(func(in cir.Instr) bool {
		call, ok := in.(*cir.Call)
		if !ok {
			return false
		}
		f, direct := call.Callee.(*cir.Func)
		return direct && f.Library && (f.Source == "malloc" || f.Source == "aligned_alloc")
	}) && x.some(func(in cir.Instr) bool {
		s, ok := in.(*cir.Store)
		if !ok || !s.Type.IsInt() || x.local(s.Addr) != nil {
			return false
		}
		n, ok := s.X.(cir.Int)
		return ok && n.Lo == 0 && n.Hi == 0
	})
}

// some reports whether a function has such an instruction.
func (x *function) some(is func(cir.Instr) bool) bool {
	return slices.ContainsFunc(x.Blocks, func(b *cir.Block) bool { return slices.ContainsFunc(b.Instrs, is) })
}

// countsReferences reports whether a function adds a constant to a number in memory that it has a pointer to, in one atomic step, or takes one away and uses what is left.
func (x *function) countsReferences() bool {
	for _, b := range x.Blocks {
		for i, in := range b.Instrs {
			switch in := in.(type) {
			case *cir.RMW:
				_, isConst := in.X.(cir.Int)
				_, isGlobal := x.base(in.Addr).(*cir.Global)
				if isConst && !isGlobal && (in.Op == cir.RMWAdd || in.Op == cir.RMWSub) {
					return true
				}
			case *cir.Binary: // kept in a local before it is stored, perhaps
				load, ok := x.def(in.X).(*cir.Load)
				if ok && in.Op == cir.Sub && isOne(in.Y) && x.local(load.Addr) == nil && x.computesWith(in.Dst) {
					return true
				}
			case *cir.Store:
				sum, ok := x.def(in.X).(*cir.Binary)
				if !ok || !in.Type.IsInt() || x.local(in.Addr) != nil || sum.Op != cir.Sub && sum.Op != cir.Add {
					continue
				}
				if n, isConst := sum.Y.(cir.Int); isConst && (sum.Op == cir.Sub || n.Hi != 0) && x.keepsOld(b.Instrs[:i], in, sum) {
					return true
				}
			}
		}
	}
	return false
}

// computesWith reports whether a register is used by anything but a store to memory.
func (x *function) computesWith(reg *cir.Reg) bool {
	stored := 0
	for _, b := range x.Blocks {
		for _, in := range b.Instrs {
			if s, ok := in.(*cir.Store); ok && s.X == cir.Value(reg) && x.local(s.Addr) == nil {
				stored++
			} else if ok && s.X == cir.Value(reg) {
				return true
			}
		}
	}
	return stored == 0 && x.uses(reg, nil)
}

// draws reports whether a function adds a constant to a number in memory and uses what was there before, or comes to be there.
func (x *function) draws() bool {
	for _, b := range x.Blocks {
		for i, in := range b.Instrs {
			s, ok := in.(*cir.Store)
			if !ok || !s.Type.IsInt() || x.local(s.Addr) != nil {
				continue
			}
			sum, ok := x.def(s.X).(*cir.Binary)
			if !ok || sum.Op != cir.Add {
				continue
			}
			if _, isConst := sum.Y.(cir.Int); isConst && x.keepsOld(b.Instrs[:i], s, sum) {
				return true
			}
		}
	}
	return false
}

// keepsOld reports whether a number of the type that a store has is loaded from memory before it in its block, or computed for it, and used for something else, too.
func (x *function) keepsOld(before []cir.Instr, s *cir.Store, sum *cir.Binary) bool {
	for _, in := range before {
		load, ok := in.(*cir.Load)
		if !ok || load.Type != s.Type || x.local(load.Addr) != nil {
			continue
		}
		if x.uses(load.Dst, sum) {
			return true
		}
	}
	return x.uses(sum.Dst, s)
}

// uses reports whether a register is used by anything but an instruction.
func (x *function) uses(reg *cir.Reg, but cir.Instr) (used bool) {
	is := func(v cir.Value) { used = used || v == cir.Value(reg) }
	for _, b := range x.Blocks {
		for _, in := range b.Instrs {
			if in != but {
				cir.Operands(in, is)
			}
		}
		cir.TermOperands(b.Term, is)
	}
	return used
}

// def returns the instruction that gives a register its value.
func (x *function) def(v cir.Value) cir.Instr {
	if reg, ok := v.(*cir.Reg); ok {
		return x.defs[reg.Index]
	}
	return nil
}
