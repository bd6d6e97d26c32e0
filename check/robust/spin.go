package robust

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// spin is a loop of which all turns but the last leave no trace: it waits for something that other threads do.
type spin struct {
	*body
	head   *cir.Block
	inside map[*cir.Block]bool
}

// again reports whether an edge begins another turn.
func (s *spin) again(from, to *cir.Block) bool { return to == s.head && s.inside[from] }

// findSpins finds the loops of a copy that wait. Control does not go back to their heads from then on.
func (a *analysis) findSpins(c pointsto.Copy) {
	b := a.bodyOf(c.Func)
	for _, head := range c.Func.Blocks {
		inside := b.loop(head)
		if inside == nil {
			continue
		}
		s := &spin{b, head, inside}
		if !a.leavesNoTrace(c, s) {
			continue
		}
		a.spins[c] = append(a.spins[c], s)
		for k := range inside { // order does not matter
			next := &a.codes[c].next[k.Index]
			*next = slices.DeleteFunc(*next, func(to int) bool { return to == head.Index })
		}
	}
}

// watchable reports whether a thread may look at a location again and again without a conflict: nobody ends its life, and what is not atomic writes it only before the thread begins, or after its end.
func (a *analysis) watchable(c pointsto.Copy, in cir.Instr, addr cir.Value, size int64) bool {
	places := a.pts.Places(c.Func, c.Ctx, addr)
	for _, l := range places {
		if o := l.Obj; o.External || o.IsFunc() || o.Local != nil || o.Freed || o.Global != nil && o.Global.ThreadLocal {
			return false
		}
		for _, p := range a.puts() {
			if !p.atomic && p.at.Obj == l.Obj && (p.at.Off == pointsto.Any || l.Off == pointsto.Any || p.size < 0 || p.at.Off < l.Off+size && l.Off < p.at.Off+p.size) && a.meet(c, in, p.copy, p.in) {
				return false
			}
		}
	}
	return len(places) > 0
}

// meet reports whether two instructions may be run by different threads at the same time.
func (a *analysis) meet(c pointsto.Copy, x cir.Instr, d pointsto.Copy, y cir.Instr) bool {
	for t, r := range a.runs {
		if !r.has[c] {
			continue
		}
		for u, q := range a.runs {
			if q.has[d] && (t != u || a.threads.Many(t)) && a.threads.Parallel(t, c, x, u, d, y) {
				return true
			}
		}
	}
	return false
}

// loop returns the blocks of the loop that begins with a block, nil if there is none: those from which control gets back without passing it, if it gets there only by way of it.
func (b *body) loop(head *cir.Block) map[*cir.Block]bool {
	before := map[*cir.Block][]*cir.Block{}
	for _, k := range b.f.Blocks {
		cir.Succs(k.Term, func(to *cir.Block, _ []cir.Value) { before[to] = append(before[to], k) })
	}
	without := b.reach(b.f.Blocks[0], head)
	inside := map[*cir.Block]bool{}
	var work []*cir.Block
	add := func(k *cir.Block) {
		if !inside[k] {
			inside[k] = true
			work = append(work, k)
		}
	}
	for _, k := range before[head] {
		if !without[k] && (k == head || b.reach(head, nil)[k]) {
			add(k)
		}
	}
	if len(work) == 0 {
		return nil
	}
	for len(work) > 0 {
		k := work[len(work)-1]
		work = work[:len(work)-1]
		if k == head {
			continue
		}
		for _, p := range before[k] {
			add(p)
		}
	}
	inside[head] = true
	for k := range inside { // order does not matter
		if without[k] {
			return nil
		}
	}
	return inside
}

// reach returns the blocks that control gets to from a block, not by way of another one.
func (b *body) reach(from, not *cir.Block) map[*cir.Block]bool {
	seen := map[*cir.Block]bool{}
	if from == not {
		return seen
	}
	seen[from] = true
	work := []*cir.Block{from}
	for len(work) > 0 {
		k := work[len(work)-1]
		work = work[:len(work)-1]
		cir.Succs(k.Term, func(to *cir.Block, _ []cir.Value) {
			if to != not && !seen[to] {
				seen[to] = true
				work = append(work, to)
			}
		})
	}
	return seen
}

// leavesNoTrace reports whether a turn of a loop that is followed by another one does nothing but read, and leaves the thread as it was.
func (a *analysis) leavesNoTrace(c pointsto.Copy, s *spin) bool {
	if len(s.head.Params) > 0 {
		return false
	}
	reads := false
	stored := map[*cir.Local]bool{}
	for _, k := range s.f.Blocks {
		if !s.inside[k] {
			continue
		}
		for _, in := range k.Instrs {
			if st, ok := in.(*cir.Store); ok {
				stored[s.local(st.Addr)] = true
			}
			list, _, _ := atomicOf(in)
			reads = reads || len(list) > 0
		}
	}
	if !reads || stored[nil] {
		return false
	}
	for _, k := range s.f.Blocks {
		if s.inside[k] && slices.ContainsFunc(k.Instrs, func(in cir.Instr) bool { return !a.idles(c, s, stored, in) }) {
			return false
		}
	}
	return s.restores(stored)
}

// idles reports whether an instruction in a loop does nothing that lasts if another turn follows.
func (a *analysis) idles(c pointsto.Copy, s *spin, stored map[*cir.Local]bool, in cir.Instr) bool {
	switch in := in.(type) {
	case *cir.Load:
		if in.Order == cir.Plain {
			return s.local(in.Addr) != nil
		}
		return s.stays(in.Addr, stored) && a.watchable(c, in, in.Addr, a.prog.Model.SizeOf(in.Type))
	case *cir.RMW, *cir.CmpXchg:
		return a.fails(c, s, stored, in)
	case *cir.Convert:
		return !s.model.TypeOf(in.X).IsFloat()
	case *cir.Store, *cir.Compare, *cir.Bitcast, *cir.Select, *cir.Fence:
		return true
	case *cir.LifeStart:
		return s.plain[in.Local] || unused(s.f, in.Local)
	case *cir.LifeEnd:
		return s.plain[in.Local] || unused(s.f, in.Local)
	case *cir.Unary:
		return in.Op == cir.Not || in.Wrap || !in.Dst.Type.Signed
	case *cir.Binary:
		switch in.Op {
		case cir.And, cir.Or, cir.Xor:
			return true
		case cir.Add, cir.Sub, cir.Mul:
			return in.Dst.Type.IsInt() && (in.Wrap || !in.Dst.Type.Signed)
		}
	case *cir.Offset:
		return s.stays(in.Dst, stored)
	case *cir.Call:
		f, ok := in.Callee.(*cir.Func)
		return ok && in.To == nil && yields[f.Source] && (f.Library || len(f.Blocks) == 0)
	}
	return false
}

// yields are functions that do nothing but let time pass.
var yields = map[string]bool{"sched_yield": true, "pthread_yield": true, "thrd_yield": true, "usleep": true}

// unused reports whether a local is only born and dies.
func unused(f *cir.Func, l *cir.Local) bool {
	used := false
	mention := func(v cir.Value) { used = used || v == cir.Value(l) }
	for _, k := range f.Blocks {
		for _, in := range k.Instrs {
			cir.Operands(in, mention)
		}
		cir.TermOperands(k.Term, mention)
	}
	return !used
}

// stays reports whether a value is the same in all turns.
func (s *spin) stays(v cir.Value, stored map[*cir.Local]bool) bool {
	v = s.origin(v)
	switch in := s.def(v).(type) {
	case nil: // a constant, an address, or a parameter
		r, ok := v.(*cir.Reg)
		return !ok || !s.inside[s.given[r]]
	case *cir.Load:
		l := s.local(in.Addr)
		return !s.inside[s.home[in]] || l != nil && !stored[l]
	case *cir.Offset:
		return s.stays(in.P, stored) && (in.Index == nil || s.stays(in.Index, stored))
	case *cir.Convert:
		return s.stays(in.X, stored)
	default:
		return !s.inside[s.home[in]]
	}
}

// fails reports whether an update leaves memory as it was if another turn follows.
func (a *analysis) fails(c pointsto.Copy, s *spin, stored map[*cir.Local]bool, in cir.Instr) bool {
	switch in := in.(type) {
	case *cir.CmpXchg:
		return s.stays(in.Addr, stored) && a.watchable(c, in, in.Addr, a.prog.Model.SizeOf(in.Type)) && !s.turns(in, facts{in.OK: 1})
	case *cir.RMW:
		if in.Op != cir.Xchg && in.Op != cir.RMWTest || in.Dst == nil || !s.stays(in.Addr, stored) || !a.watchable(c, in, in.Addr, a.prog.Model.SizeOf(in.Type)) {
			return false
		}
		kept, known := a.written(c, in)
		if !known {
			return false
		}
		values, known := a.valuesAt(c, in.Addr, a.prog.Model.SizeOf(in.Type))
		return known && !slices.ContainsFunc(values, func(v int64) bool {
			f := facts{}
			f.set(in.Dst, v, true)
			return v != kept && s.turns(in, f)
		})
	}
	return false
}

// turns reports whether another turn may follow behind an instruction, with some facts.
func (s *spin) turns(in cir.Instr, f facts) bool {
	found := false
	s.flow(in, f, func(from, to *cir.Block) bool {
		found = found || s.again(from, to)
		return s.inside[to] && to != s.head
	})
	return found
}

// leaves reports whether the loop may be left behind an instruction, with some facts, without another turn.
func (s *spin) leaves(in cir.Instr, f facts) bool {
	found := false
	s.flow(in, f, func(from, to *cir.Block) bool {
		found = found || !s.inside[to]
		return s.inside[to] && to != s.head
	})
	return found
}

// restores reports whether each local that is stored to in the loop is not read in the next turn, nor behind, before it is stored to again, or holds the same constant at the beginning of each turn.
func (s *spin) restores(stored map[*cir.Local]bool) bool {
	var known []facts
	for e, f := range s.flow(nil, facts{}, func(_, _ *cir.Block) bool { return true }) {
		if e[1] == s.head {
			known = append(known, f)
		}
	}
	for _, l := range s.f.Locals {
		if !stored[l] || !s.live(l) {
			continue
		}
		for _, f := range known {
			n, is := f[l]
			if m, was := known[0][l]; !is || !was || n != m {
				return false
			}
		}
	}
	return true
}

// live reports whether a private local may be read from the head of the loop on before it is stored to.
func (s *spin) live(l *cir.Local) bool {
	seen := map[*cir.Block]bool{}
	var visit func(k *cir.Block) bool
	visit = func(k *cir.Block) bool {
		if seen[k] {
			return false
		}
		seen[k] = true
		for _, in := range k.Instrs {
			switch in := in.(type) {
			case *cir.Load:
				if in.Addr == cir.Value(l) {
					return true
				}
			case *cir.Store:
				if in.Addr == cir.Value(l) {
					return false
				}
			case *cir.LifeStart:
				if in.Local == l {
					return false
				}
			}
		}
		found := false
		cir.Succs(k.Term, func(to *cir.Block, _ []cir.Value) { found = found || visit(to) })
		return found
	}
	return visit(s.head)
}
