package scancheck

import (
	"slices"

	"comus/cir"
)

// total is a number: a value that is computed once, if there is one, plus a constant.
type total struct {
	of  any // a *cir.Reg of a parameter or of a block, or the instruction that computes it; nil: the constant alone
	add int64
}

// enough reports whether a barrier is always initialised for as many threads as there ever are, at least, that wait at it.
func (ls *locations) enough(x *barrier) bool {
	sum := int64(0)
	var loops []total
	from := -1
	for t := range x.flows {
		n, c, ok := ls.howMany(t, 0)
		switch {
		case !ok || n.add > 1<<30:
			return false
		case n.of == nil:
			sum += max(n.add, 0)
		default:
			loops, from = append(loops, n), c
		}
	}
	for _, m := range x.inits {
		v := ls.valuesOf(ls.copies[m.copy].Func)
		if v == nil || len(m.call.Args) != 3 || !isNothing(m.call.Args[1].X) {
			return false
		}
		n, ok := v.total(m.call.Args[2].X, true)
		if len(loops) == 0 {
			for c, depth := m.copy, 0; ok && n.of != nil; depth++ {
				if n, c, ok = ls.totalGiven(c, n, true); depth > 8 {
					return false
				}
			}
			if !ok || n.add < sum {
				return false
			}
			continue
		}
		// A number that is negative is none of threads; then there has to be no other pair of threads than one that is ordered anyway.
		if !ok || len(loops) > 1 || len(x.inits) > 1 || sum > 1 || !ls.madeFor(n, m.copy, loops[0], from, sum) {
			return false
		}
	}
	return len(x.inits) > 0
}

// madeFor reports whether a number that one copy computes is another one's plus something: both may be what their copies are given by the only calls of them, and so on.
func (ls *locations) madeFor(n total, c int, threads total, from int, more int64) bool {
	ok := true
	for depth := 0; ok && depth < 8; depth++ {
		k, by, known := threads, from, true
		for up := 0; known && up < 8; up++ {
			if c == by && n.of == k.of {
				return n.add-k.add >= more
			}
			k, by, known = ls.totalGiven(by, k, false)
		}
		n, c, ok = ls.totalGiven(c, n, true)
	}
	return false
}

// totalGiven says what a number is made of that a copy is given as a parameter, in the copy that makes the only call of it. If it is that of a barrier, a negative one may become a large one.
func (ls *locations) totalGiven(c int, n total, barrier bool) (x total, by int, ok bool) {
	r, isReg := n.of.(*cir.Reg)
	f := ls.copies[c].Func
	i := slices.IndexFunc(f.Params, func(p cir.Param) bool { return isReg && p.Reg == r && p.ByVal == nil })
	if i < 0 || f.Library || ls.valuesOf(f) == nil || slices.Contains(ls.back, c) {
		return x, 0, false
	}
	var at *cir.Call
	ok = true
	for _, t := range ls.threads.list {
		ok = ok && t.Root != c && !(t.nodes[c] != nil && ls.alone(t)[c])
		for _, m := range t.order {
			ls.eachCallBy(t, m.copy, func(call *cir.Call, to called) {
				if slices.Contains(to.to, c) {
					ok = ok && (at == nil || at == call && by == m.copy) && !to.outside && !ls.copies[m.copy].Func.Library
					at, by = call, m.copy
				}
			})
		}
	}
	if !ok || at == nil || i >= len(at.Args) || at.Args[i].ByVal != nil || ls.valuesOf(ls.copies[by].Func) == nil {
		return x, 0, false
	}
	x, ok = ls.valuesOf(ls.copies[by].Func).total(at.Args[i].X, barrier && n.add == 0)
	x.add += n.add
	return x, by, ok
}

// isNothing reports whether a value is 0, or a null pointer.
func isNothing(v cir.Value) bool {
	if n, ok := v.(cir.Int); ok {
		return n.Lo == 0 && n.Hi == 0
	}
	_, ok := v.(cir.Null)
	return ok
}

// howMany returns how many threads of an identity there are in all of an execution, at most; if that is no constant, the copy that computes it.
func (ls *locations) howMany(t *thread, depth int) (n total, c int, ok bool) {
	if t.index == 0 {
		return total{add: 1}, 0, true
	}
	if t.Group == nil || t.Parent < 0 || t.Loose || t.lands || ls.isSignal(t) || ls.startsElsewhere(t) || depth > 8 {
		return n, 0, false
	}
	up := ls.threads.list[t.Parent]
	one, _, ok := ls.howMany(up, depth+1)
	if !ok || one.of != nil || one.add != 1 || up.lands {
		return n, 0, false
	}
	c = -1
	for _, m := range up.order {
		if f := ls.copies[m.copy].Func; f.Name == t.Group.Func {
			if c >= 0 || f.Library {
				return n, 0, false
			}
			c = m.copy
		}
	}
	if c < 0 || !ls.entersOnce(up, c, map[int]bool{}) {
		return n, 0, false
	}
	f := ls.copies[c].Func
	at := f.Blocks[t.Group.Block]
	if !inCycle(at) {
		return total{add: 1}, c, true
	}
	v := ls.valuesOf(f)
	if v == nil {
		return n, 0, false
	}
	for _, l := range countersOf(f) {
		begins := 0
		for b := range l.starts {
			if inCycle(b) {
				begins++
			}
		}
		if begins > 0 || !l.inside[at] || !l.atMostOnce(at) {
			continue
		}
		if n, ok := v.rounds(l); ok {
			return n, c, true
		}
	}
	return n, 0, false
}

// entersOnce reports whether a thread gets to the beginning of a copy no more than once.
func (ls *locations) entersOnce(t *thread, c int, seen map[int]bool) bool {
	if seen[c] || ls.valuesOf(ls.copies[c].Func) == nil || slices.Contains(ls.back, c) {
		return false
	}
	seen[c] = true
	ways := 0
	if c == t.Root {
		ways++
	}
	if ways == 0 && ls.alone(t)[c] {
		return false
	}
	ok := true
	for _, m := range t.order {
		ls.eachCallBy(t, m.copy, func(call *cir.Call, to called) {
			if !ok || !slices.Contains(to.to, c) {
				return
			}
			ways++
			ok = !to.outside && !inCycle(ls.valuesOf(ls.copies[m.copy].Func).blockOf(call)) && ls.entersOnce(t, m.copy, seen)
		})
	}
	return ok && ways == 1
}

func (v *values) blockOf(in cir.Instr) *cir.Block {
	if v == nil {
		return nil
	}
	return v.blocks[in]
}

// inCycle reports whether control may come from a block to itself again.
func inCycle(b *cir.Block) bool {
	if b == nil {
		return true
	}
	again := false
	cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
		again = again || walk([]*cir.Block{to}, func(_, _ *cir.Block) bool { return true })[b]
	})
	return again
}

// rounds returns how often a loop goes on at most: it counts up from a constant, by more than 0 each time, as long as the counter is less than something.
func (v *values) rounds(l *counter) (n total, ok bool) {
	br, isBranch := l.head.Term.(*cir.Branch)
	if !isBranch || !v.exact(l) {
		return n, false
	}
	c, isCompare := v.def(br.Cond).(*cir.Compare)
	if !isCompare || v.blocks[c] != l.head {
		return n, false
	}
	load, isLoad := v.def(v.widened(c.X)).(*cir.Load)
	if !isLoad || load.Addr != cir.Value(l.local) || v.blocks[load] != l.head || v.step(l) == 0 {
		return n, false
	}
	until, ok := v.total(c.Y, false)
	if !ok || until.of != nil && !v.p.prog.Model.TypeOf(c.Y).Signed {
		return n, false
	}
	switch {
	case c.Pred == cir.Lt && l.body == br.Then, c.Pred == cir.Ge && l.body == br.Else:
	case c.Pred == cir.Le && l.body == br.Then, c.Pred == cir.Gt && l.body == br.Else:
		until.add++
	default:
		return n, false
	}
	least, begun := int64(0), false
	for b := range l.starts {
		first, ok := v.last(b, l.local)
		if !ok {
			return n, false
		}
		if !begun || first < least {
			least, begun = first, true
		}
	}
	if until.add -= least; until.of == nil {
		until.add = (until.add + v.step(l) - 1) / v.step(l)
	}
	return until, begun
}

// widened returns what a value is a wider form of, with the same number.
func (v *values) widened(x cir.Value) cir.Value {
	for range 4 {
		in, ok := v.def(x).(*cir.Convert)
		if !ok || !v.sameNumber(in) {
			break
		}
		x = in.X
	}
	return x
}

// sameNumber reports whether a conversion of integers changes no number.
func (v *values) sameNumber(in *cir.Convert) bool {
	from, to := v.p.prog.Model.TypeOf(in.X), in.Dst.Type
	return from.IsInt() && to.IsInt() && from != cir.Bool && to != cir.Bool && (from == to || to.Bits > from.Bits && (to.Signed || !from.Signed))
}

// step returns the constant that is added to a loop's counter; 0: it is none that is more than 0.
func (v *values) step(l *counter) (by int64) {
	for b := range l.inside {
		for _, in := range b.Instrs {
			s, ok := in.(*cir.Store)
			if !ok || s.Addr != cir.Value(l.local) {
				continue
			}
			sum, ok := v.def(s.X).(*cir.Binary)
			if !ok || sum.Op != cir.Add {
				return 0
			}
			n, ok := sum.Y.(cir.Int)
			if !ok || n.Hi != 0 || n.Lo > 1<<20 {
				return 0
			}
			by = int64(n.Lo)
		}
	}
	return by
}

// last returns the constant that a local holds at the end of a block.
func (v *values) last(b *cir.Block, l *cir.Local) (n int64, ok bool) {
	for _, in := range b.Instrs {
		if s, is := in.(*cir.Store); is && s.Addr == cir.Value(l) {
			c, isConst := s.X.(cir.Int)
			n, ok = int64(c.Lo), isConst && (int64(c.Lo) >= 0) == (c.Hi == 0) && c.Lo < 1<<30
		} else if storesTo([]cir.Instr{in}, l) > 0 {
			ok = false
		}
	}
	return n, ok
}

// total says what a number is made of. Where unsigned is set, one that is negative may have become a large one without a sign.
func (v *values) total(x cir.Value, unsigned bool) (n total, ok bool) {
	for range 20 {
		if c, isConst := x.(cir.Int); isConst {
			n.add += int64(c.Lo)
			return n, c.Hi == 0 && c.Lo < 1<<30 && n.add < 1<<31
		}
		r, isReg := x.(*cir.Reg)
		if !isReg {
			return n, false
		}
		if slices.ContainsFunc(v.f.Params, func(p cir.Param) bool { return p.Reg == r && p.ByVal == nil }) {
			n.of = r
			return n, true
		}
		if b := v.meetsAt(r); b != nil {
			n.of = r
			return n, !inCycle(b)
		}
		switch in := v.def(x).(type) {
		case *cir.Convert:
			from := v.p.prog.Model.TypeOf(in.X)
			if v.sameNumber(in) || unsigned && from.IsInt() && from.Signed && in.Dst.Type.IsInt() && in.Dst.Type.Bits >= from.Bits {
				x, unsigned = in.X, unsigned && v.sameNumber(in)
				continue
			}
		case *cir.Binary:
			c, isConst := in.Y.(cir.Int)
			if !isConst || in.Op != cir.Add && in.Op != cir.Sub || !in.Dst.Type.Signed || in.Wrap || c.Hi != 0 || c.Lo > 1<<20 {
				break
			}
			if n.add += int64(c.Lo); in.Op == cir.Sub {
				n.add -= 2 * int64(c.Lo)
			}
			x, unsigned = in.X, false
			continue
		case *cir.Load:
			if s := v.source(in, nil); s != nil {
				x = s.X
				continue
			}
		}
		in := v.def(x)
		n.of = in
		return n, in != nil && !inCycle(v.blocks[in])
	}
	return n, false
}

// meetsAt returns the block at which a register gets what blocks before it hand over, nil if there is none.
func (v *values) meetsAt(r *cir.Reg) *cir.Block {
	i := slices.IndexFunc(v.f.Blocks, func(b *cir.Block) bool { return slices.Contains(b.Params, r) })
	if i < 0 {
		return nil
	}
	return v.f.Blocks[i]
}
