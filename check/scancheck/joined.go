package scancheck

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// Who has joined a thread may access what was that thread's own. The thread is told by where its id was: in the object that it was given, or in an array, at
// the number of the turn that created it; only the creation may have written there. From the join on, until the access, it has to be the same object, or number: of a local that holds
// the object, the last store was before the join; of the number of a loop, its turn began before the join. Where ids are, and which joins come first, is found out
// here from the program.

// joining is a call that joins a thread of those that a call creates.
type joining struct {
	gift *gift
	copy int
	f    *values
	call *cir.Call
	load *cir.Load // of the id
	// loop has the number by which the id is found, at which the thread's number is that plus shift; nil: the id is in its object.
	loop  *counter
	shift int64
}

// joiningsOf returns the joins of a thread of which it can be told what the joined one was given.
func (ls *locations) joiningsOf(t *thread) []*joining {
	list, known := ls.gifts.joins[t]
	if known {
		return list
	}
	for _, k := range ls.threads.list {
		if k.Parent != t.index || !k.Many {
			continue
		}
		g := ls.giftOf(k)
		if g == nil {
			continue
		}
		for _, n := range t.order {
			cp := ls.copies[n.copy]
			f := ls.valuesOf(cp.Func)
			if cp.Func.Library || f == nil {
				continue
			}
			for _, b := range cp.Func.Blocks {
				for _, in := range b.Instrs {
					call, ok := in.(*cir.Call)
					if !ok || !isJoin(call) {
						continue
					}
					j := &joining{gift: g, copy: n.copy, f: f, call: call, load: f.loadOf(call.Args[0].X)}
					if j.load != nil && (ls.inObject(j) || ls.inArray(j)) {
						list = append(list, j)
					}
				}
			}
		}
	}
	ls.gifts.joins[t] = list
	return list
}

// loadOf returns the load that gives a value, be it by a local that is stored to once.
func (v *values) loadOf(x cir.Value) *cir.Load {
	load, ok := v.def(x).(*cir.Load)
	if !ok || load.Bits != nil || load.Volatile {
		return nil
	}
	if s := v.source(load, nil); s != nil {
		if inner, ok := v.def(s.X).(*cir.Load); ok && inner.Bits == nil && !inner.Volatile && v.blocks[inner] == v.blocks[s] {
			return inner
		}
	}
	return load
}

// strip returns the pointer that an address is a constant behind of, and that constant.
func (v *values) strip(addr cir.Value) (cir.Value, int64) {
	off := int64(0)
	for range 50 {
		switch in := v.def(addr).(type) {
		case *cir.Offset:
			c, isConst := in.Index.(cir.Int)
			if in.Index == nil || isConst && c.Lo < 1<<20 && in.Scale < 1<<20 {
				addr, off = in.P, off+in.Disp+int64(c.Lo)*in.Scale
				continue
			}
		case *cir.Convert:
			if in.Dst.Type.IsPointer() && v.p.prog.Model.TypeOf(in.X).IsPointer() {
				addr = in.X
				continue
			}
		}
		break
	}
	return addr, off
}

// heldBy returns the private local that a pointer was just loaded from, and the load.
func (v *values) heldBy(x cir.Value) (*cir.Local, *cir.Load) {
	load, ok := v.def(x).(*cir.Load)
	if !ok || load.Bits != nil || load.Volatile {
		return nil, nil
	}
	l, ok := load.Addr.(*cir.Local)
	if !ok || !v.locals[l] {
		return nil, nil
	}
	return l, load
}

// inObject reports whether the id that is joined is part of the object that its thread was given, where the creation has put it.
func (ls *locations) inObject(j *joining) bool {
	g := j.gift
	if g.at == nil || !g.at.allocated {
		return false
	}
	to, at := g.f.strip(g.create.Args[0].X)
	arg, zero := g.f.strip(g.create.Args[givenAt[g.create.Callee.(*cir.Func).Source]].X)
	l, first := g.f.heldBy(to)
	m, second := g.f.heldBy(arg)
	same := to == arg
	if l != nil && l == m { // nothing is stored between the two loads and the call
		b := g.f.blocks[g.create]
		same = g.f.blocks[first] == b && g.f.blocks[second] == b && storesTo(b.Instrs[min(g.f.index(first), g.f.index(second)):g.f.index(g.create)], l) == 0
	}
	if x, ok := g.f.def(to).(*cir.Load); ok && !same { // both were stored just before
		if y, ok := g.f.def(arg).(*cir.Load); ok && g.f.blocks[x] == g.f.blocks[g.create] && g.f.blocks[y] == g.f.blocks[x] {
			s := ls.storedJust(g.f, g.node.copy, x)
			same = s != nil && s == ls.storedJust(g.f, g.node.copy, y)
		}
	}
	made := ls.allocation(g.f, g.node.copy, g.create, arg)
	if !same || zero != 0 || made == nil {
		return false
	}
	cp := ls.copies[j.copy]
	ids := ls.pts.Places(cp.Func, cp.Ctx, j.load.Addr)
	for _, p := range ids {
		if p.Off != at || !p.Exact() || p.Obj.Func == nil || !p.Obj.Func.Library || p.Obj.Ctx.Outer() != made {
			return false
		}
	}
	return ls.onlyIds(g, ids, ls.prog.Model.SizeOf(j.load.Type))
}

// inArray reports whether the id that is joined is an element of an array by the number of a loop, where the creation in the turn with that number, plus
// a constant, has put it.
func (ls *locations) inArray(j *joining) bool {
	g, f := j.gift, j.f
	if g.loop == nil || g.node.copy != j.copy {
		return false
	}
	size := ls.prog.Model.SizeOf(j.load.Type)
	first := g.turnsWay(g.create.Args[0].X, size)
	if first == nil {
		return false
	}
	cp := ls.copies[j.copy]
	for _, l := range countersOf(cp.Func) {
		if l.head == g.loop.head || !l.inside[f.blocks[j.call]] || !l.inside[f.blocks[j.load]] || !f.exact(l) || without(cp.Func.Blocks[0], g.loop.head)[l.head] {
			continue
		}
		p := f.byNumber(j.load.Addr, size, l)
		if p == nil || p.stride != first.stride || p.lo != first.lo || p.key.bits < g.bits || !f.sameBase(first.base, p.base, g.loop, l) || ls.createsIn(cp, l) {
			continue
		}
		if f.gets(l.head, nil, j.call, j.load) { // it is another turn's
			continue
		}
		j.loop, j.shift = l, first.key.add-p.key.add
		made := ls.copies[g.creator().copy]
		return ls.onlyIds(g, ls.pts.Places(made.Func, made.Ctx, g.create.Args[0].X), size)
	}
	return false
}

// byNumber says how an address is made of the number of a loop at the beginning of the turn, nil if it is not.
func (v *values) byNumber(addr cir.Value, size int64, l *counter) *way {
	g := &gift{loop: l}
	w := v.way(addr, size, func(x cir.Value) (term, bool) {
		t, ok := v.term(x, g, nil)
		return t, ok && t.bits >= int(l.local.Size)*8
	})
	if w == nil || w.key == nil || w.wide {
		return nil
	}
	return w
}

// sameBase reports whether two bases of arrays, one in each of two loops, are the same, and are nowhere changed from the first loop on.
func (v *values) sameBase(x, y cir.Value, first, last *counter) bool {
	b, ok := v.baseOf(x, first)
	c, same := v.baseOf(y, last)
	return ok && same && b == c && b.cell == nil && v.keeps(y, first, last)
}

// keeps reports whether a local that holds a base is not stored to from one loop on until another one ends. What is no local's does not change.
func (v *values) keeps(base cir.Value, first, last *counter) bool {
	l, _ := v.heldBy(base)
	if l == nil {
		return true
	}
	for b := range first.behind(first.head) {
		if first.behind(b)[last.head] && storesTo(b.Instrs, l) > 0 {
			return false
		}
	}
	return true
}

// createsIn reports whether a thread may be created in a loop.
func (ls *locations) createsIn(cp pointsto.Copy, l *counter) bool {
	for b := range l.inside {
		if slices.ContainsFunc(b.Instrs, func(in cir.Instr) bool { return ls.pts.MayCreate(cp, in) }) {
			return true
		}
	}
	return false
}

// onlyIds reports whether nothing but a creation, and what allocates them, writes ids at some places, but for zeros: a zero is no id, so who joins that has no thread to join, which is
// assumed not to be done.
func (ls *locations) onlyIds(g *gift, ids []pointsto.Location, size int64) bool {
	for _, p := range ids {
		if p.Off == pointsto.Any || p.Off < 0 || p.Obj.External || p.Obj.IsFunc() {
			return false
		}
	}
	for c, cp := range ls.copies {
		if by := cp.Ctx.Call; cp.Func.Library && by != nil {
			f, direct := by.Callee.(*cir.Func)
			if by == g.create || direct && f.Library && (allocators[f.Source] || f.Source == "memset" && len(by.Args) == 3 && isZero(by.Args[1].X)) {
				continue
			}
		}
		if ls.writesAny(c, cp, ids, size, zeros) {
			return false
		}
	}
	return len(ids) > 0
}

// writesAny reports whether a copy itself may write some bytes at one of some places; but for ending the life of objects, and for instructions that are excepted.
func (ls *locations) writesAny(c int, cp pointsto.Copy, ids []pointsto.Location, size int64, except func(cir.Instr) bool) (found bool) {
	for _, b := range cp.Func.Blocks {
		for _, in := range b.Instrs {
			if except != nil && except(in) {
				continue
			}
			ts := ls.touches(in, cp)
			ls.formats(cp, in, ts)
			if call, ok := in.(*cir.Call); ok && ls.callees(c, call).outside {
				ts = append(ts, ls.outside(cp, call)...)
			}
			for _, t := range ts {
				if !t.write || t.frees {
					continue
				}
				ls.memory(cp, t, func(l pointsto.Location, bytes extent) {
					for _, p := range ids {
						found = found || l.Obj == p.Obj && bytes.meets(extent{p.Off, p.Off + size})
					}
				})
			}
		}
	}
	return found
}

// gets reports whether control gets from behind an instruction, or, if there is none, from the beginning of a block, to another instruction, not by way of a third one.
func (v *values) gets(start *cir.Block, from, to, via cir.Instr) bool {
	seen := map[*cir.Block]bool{}
	var visit func(b *cir.Block, first int) bool
	visit = func(b *cir.Block, first int) bool {
		for _, in := range b.Instrs[first:] {
			switch in {
			case to:
				return true
			case via:
				return false
			}
		}
		found := false
		cir.Succs(b.Term, func(next *cir.Block, _ []cir.Value) {
			if !found && !seen[next] {
				seen[next] = true
				found = visit(next, 0)
			}
		})
		return found
	}
	if from != nil {
		return visit(v.blocks[from], v.index(from)+1)
	}
	seen[start] = true
	return visit(start, 0)
}

// joinedPiece returns the piece that an access goes to whose thread was joined before.
func (ls *locations) joinedPiece(a *access) *piece {
	at, ok := a.in.(cir.Instr)
	cp, c, ptr := ls.copies[a.copy], a.copy, a.touch.ptr
	if !ok {
		return nil
	}
	for _, j := range ls.joiningsOf(a.t) {
		if cp.Func.Library { // for a call, which is in one copy only
			call := cp.Ctx.Call
			if call == nil || a.arg < 0 || a.arg >= len(call.Args) || j.loop != nil || j.f.blocks[call] == nil || !ls.onlyCopy(a.t, j.copy) {
				continue
			}
			at, c, ptr = call, j.copy, call.Args[a.arg].X
		}
		if c != j.copy {
			continue
		}
		if j.loop == nil {
			if ls.sameObject(j, at, ptr) {
				return &piece{pieceKind: j.gift.at.pieceKind, parent: true}
			}
			continue
		}
		if p := ls.sameNumber(j, at, a); p != nil {
			return p
		}
	}
	return nil
}

// onlyCopy reports whether a thread runs no other copy of the function of one.
func (ls *locations) onlyCopy(t *thread, c int) bool {
	return !slices.ContainsFunc(t.order, func(n *node) bool { return n.copy != c && ls.copies[n.copy].Func == ls.copies[c].Func })
}

// sameNumber returns the piece that is accessed with the number of the thread that was joined in the turn.
func (ls *locations) sameNumber(j *joining, at cir.Instr, a *access) *piece {
	if !j.loop.inside[j.f.blocks[at]] || j.f.gets(j.loop.head, nil, at, j.call) || a.span != from || a.size < 0 {
		return nil
	}
	w := j.f.byNumber(a.touch.ptr, a.size, j.loop)
	if w == nil || w.key.bits < j.gift.bits || !j.f.keeps(w.base, j.gift.loop, j.loop) {
		return nil
	}
	p := &piece{pieceKind: pieceKind{create: j.gift.create, stride: w.stride, add: w.key.add + j.shift}, lo: w.lo, hi: w.hi, parent: true}
	return p.on(j.f.baseOf(w.base, j.loop))
}

// sameObject reports whether an address leads into the object of which the id was joined.
func (ls *locations) sameObject(j *joining, at cir.Instr, addr cir.Value) bool {
	f := j.f
	p, _ := f.strip(j.load.Addr)
	q, _ := f.strip(addr)
	if l, first := f.heldBy(p); l != nil {
		m, second := f.heldBy(q)
		return l == m && f.unchanged(l, j, first, second, at)
	}
	first, isLoad := f.def(p).(*cir.Load)
	second, both := f.def(q).(*cir.Load)
	if !isLoad || !both || first.Type != second.Type || first.Bits != nil || second.Bits != nil {
		return false
	}
	size := ls.prog.Model.SizeOf(first.Type)
	for _, l := range countersOf(f.f) {
		if !l.inside[f.blocks[j.call]] || !l.inside[f.blocks[at]] || !l.inside[f.blocks[first]] || !l.inside[f.blocks[second]] {
			continue
		}
		v, w := f.byNumber(first.Addr, size, l), f.byNumber(second.Addr, size, l)
		if v == nil || w == nil || *v.key != *w.key || v.stride != w.stride || v.lo != w.lo {
			continue
		}
		b, ok := f.baseOf(v.base, l)
		c, same := f.baseOf(w.base, l)
		early := f.gets(l.head, nil, j.call, j.load) || f.gets(l.head, nil, j.load, first) || f.gets(l.head, nil, at, j.call) || f.gets(l.head, nil, at, second)
		if ok && same && b == c && b.cell == nil && !early && ls.quiet(j, l, first) {
			return true
		}
	}
	return false
}

// unchanged reports whether a local that holds a pointer, which was loaded for a join and for an access, is stored to only before the join.
func (v *values) unchanged(l *cir.Local, j *joining, first, second *cir.Load, at cir.Instr) bool {
	early := func(start *cir.Block, from cir.Instr) bool {
		return v.gets(start, from, j.call, j.load) || v.gets(start, from, j.load, first) || v.gets(start, from, at, j.call) || v.gets(start, from, at, second) || v.gets(start, from, second, j.call)
	}
	if early(v.f.Blocks[0], nil) {
		return false
	}
	for _, b := range v.f.Blocks {
		for _, in := range b.Instrs {
			if storesTo([]cir.Instr{in}, l) > 0 && early(nil, in) {
				return false
			}
		}
	}
	return true
}

// quiet reports whether nobody writes in a loop what a load reads, and no other thread does at all.
func (ls *locations) quiet(j *joining, l *counter, load *cir.Load) bool {
	cp := ls.copies[j.copy]
	to := ls.pts.Places(cp.Func, cp.Ctx, load.Addr)
	for _, p := range to {
		if p.Obj.External || p.Obj.IsFunc() {
			return false
		}
		for b := range l.inside {
			if slices.ContainsFunc(b.Instrs, func(in cir.Instr) bool { return ls.pts.MayWrite(cp, in, p.Obj) }) {
				return false
			}
		}
		all := []pointsto.Location{{Obj: p.Obj, Off: -1 << 59}}
		for _, t := range ls.threads.list {
			if t.index == j.gift.parent.index {
				continue
			}
			for _, n := range t.order {
				if ls.writesAny(n.copy, ls.copies[n.copy], all, 1<<60, nil) {
					return false
				}
			}
		}
	}
	return len(to) > 0
}
