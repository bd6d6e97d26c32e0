package scancheck

import (
	"slices"

	"comus/check/ticket"
	"comus/cir"
	"comus/scan/pointsto"
)

// A thread that is given its element of an array may find its number there: the creating thread has put it in, and nothing else writes to these bytes of any element. So what the thread loads from
// there is its number, whenever it does so. The creating thread puts it in in the same turn and before it creates the thread, or in the same turn of a loop before (fill.go). It does so itself, or by a
// function that the turn calls: only there, and in no other thread.

// stampAsked is a question: whether a load of a copy gives the number of a gift's threads.
type stampAsked struct {
	g    *gift
	t    *thread
	copy int
	load *cir.Load
}

// stamp tells that a load gives the number, plus a constant; or, of a pointer, that it gives all threads the same one, and off is where that is in their elements.
type stamp struct {
	ok   bool
	off  int64
	what put
}

// put is what is put into an element: the number plus a constant; or a pointer to a constant distance behind a base.
type put struct {
	add  int64
	base base
}

// stamped returns what a load of a copy gives from the element of a thread, if that is known.
func (ls *locations) stamped(g *gift, t *thread, c int, load *cir.Load) stamp {
	key := stampAsked{g, t, c, load}
	s, known := ls.gifts.stamps[key]
	if !known {
		ls.gifts.stamps[key] = stamp{}
		s = ls.findStamp(g, t, c, load)
		ls.gifts.stamps[key] = s
	}
	return s
}

func (ls *locations) findStamp(g *gift, t *thread, c int, load *cir.Load) (none stamp) {
	if g.at == nil || g.at.whole() || g.at.exact == inexact || load.Bits != nil || !load.Type.IsPointer() && (!load.Type.IsInt() || load.Type == cir.Bool || load.Type.Bits < g.bits) {
		return none
	}
	size := ls.prog.Model.SizeOf(load.Type)
	p := ls.kidsPiece(g, (&access{t: t, copy: c}).address(load, load.Addr, size), size)
	if p == nil || p.parent || p.pieceKind != g.at.pieceKind || p.hi-p.lo != size || size > g.at.stride || !ls.baseStays(g, g.loop, p.pieceKind) || ls.comesAgain(g.parent, g.node.copy) {
		return none
	}
	to := ls.pts.Places(ls.copies[c].Func, ls.copies[c].Ctx, load.Addr)
	if len(to) == 0 || slices.ContainsFunc(to, func(l pointsto.Location) bool {
		return l.Off < 0 || l.Obj.External || l.Obj.IsFunc() || ls.pts.Outside(l.Obj)
	}) {
		return none
	}
	s := stamp{off: p.lo}
	always := false
	puts := func(m int, in cir.Instr) bool {
		what, each, ok := ls.puts(g, t, m, in, p, load.Type)
		if !ok || s.ok && what != s.what {
			return false
		}
		s.ok, s.what, always = true, what, always || each
		return true
	}
	for m, cp := range ls.copies {
		if by := cp.Ctx.Call; cp.Func.Library && by != nil {
			if f, direct := by.Callee.(*cir.Func); direct && f.Library && allocators[f.Source] {
				continue
			}
		}
		if ls.writesAny(m, cp, to, size, func(in cir.Instr) bool { return puts(m, in) }) {
			return none
		}
	}
	s.ok = s.ok && always
	return s
}

// puts returns what an instruction of a copy puts into bytes of a turn's element, before the thread is created, and whether that is done for each thread.
func (ls *locations) puts(g *gift, t *thread, m int, in cir.Instr, p *piece, of cir.Type) (what put, always, ok bool) {
	addr, size := cir.Value(nil), p.hi-p.lo
	switch in := in.(type) {
	case *cir.Store:
		if in.Type == of && in.Bits == nil {
			addr = in.Addr
		}
	case *cir.Copy:
		if n, isConst := in.Size.(cir.Int); isConst && n.Hi == 0 && n.Lo <= 1<<20 {
			addr, size = in.Dst, int64(n.Lo)
		}
	}
	if addr == nil {
		return what, false, false
	}
	h, always, ok := ls.putting(g, t, m, in)
	if !ok {
		return what, false, false
	}
	var q *piece
	var x cir.Value
	if h.via != nil {
		q = h.elementBy(h.outside(addr, size))
	} else {
		q = ls.elementOf(h, addr, size)
	}
	switch in := in.(type) {
	case *cir.Store:
		x = in.X
	case *cir.Copy:
		if q != nil && q.lo <= p.lo && p.hi <= q.hi {
			x = ticket.Copied(ls.copies[m].Func, ls.prog.Model, in, p.lo-q.lo, of)
			q.lo, q.hi = p.lo, p.hi
		}
	}
	// The element is the thread's own, and not one whose number has some bits in common with its number.
	if q == nil || x == nil || q.exact != g.at.exact || q.pieceKind != p.pieceKind || q.lo != p.lo || q.hi != p.hi || !ls.baseStays(g, h.loop, q.pieceKind) {
		return what, false, false
	}
	if of.IsPointer() {
		what, ok = h.pointerIn(x)
		return what, always, ok && ls.baseStays(g, h.loop, pieceKind{base: what.base.name, cell: what.base.cell})
	}
	k, ok := h.numberIn(x)
	return put{add: k.add}, always, ok && k.bits >= g.bits
}

// pointerIn returns what a pointer is made of, if that is the base of an array for all turns of a gift's loop.
func (g *gift) pointerIn(x cir.Value) (what put, ok bool) {
	add := int64(0)
	if g.via != nil {
		y, off := g.fi.strip(x)
		if v, isGlobal := y.(*cir.Global); isGlobal {
			return put{off, base{name: "global " + v.Name}}, !v.ThreadLocal
		}
		x = nil
		pointers := g.f.p.prog.Model.PointerBits
		for i := range g.fi.f.Params {
			only := make([]*term, len(g.fi.f.Params))
			only[i] = &term{bits: pointers}
			if k, is := g.fi.term(y, nil, only); is && k.bits >= pointers {
				x, add = g.param(i), off+k.add
			}
		}
	}
	if x == nil || !g.f.p.prog.Model.TypeOf(x).IsPointer() {
		return what, false
	}
	x, what.add = g.f.strip(x)
	what.add += add
	what.base, ok = g.f.baseOf(x, g.loop)
	return what, ok
}

// numberIn returns what a value is made of, if that is the number of the turn of a gift's loop.
func (g *gift) numberIn(x cir.Value) (term, bool) {
	if g.via != nil {
		return g.fi.term(x, nil, g.passed())
	}
	return g.f.term(x, g, nil)
}

// putting returns by which turn of which loop an instruction of the creating thread may put something into an element, before the thread of that is created, and whether that is done for each: the gift
// that is returned has that loop, and the function that the turn calls for it.
func (ls *locations) putting(g *gift, t *thread, m int, in cir.Instr) (h *gift, always, ok bool) {
	x := *g
	x.via, x.inner, x.fi = nil, nil, nil
	if g.via != nil && m == g.inner.copy { // the function that creates the thread puts it in
		x.via, x.inner, x.fi = g.via, g.inner, g.fi
		if g.fi.blocks[in] == nil || g.fi.gets(nil, g.create, in, nil) {
			return nil, false, false
		}
		return &x, g.fi.comesBefore(in, g.create), true
	}
	at, each := in, true
	if m != g.node.copy {
		n := g.parent.nodes[m]
		f := ls.valuesOf(ls.copies[m].Func)
		if n == nil || f == nil || f.blocks[in] == nil || ls.copies[m].Func.Library || ls.runElsewhere(g.parent, m) {
			return nil, false, false
		}
		from, call := ls.onlyCaller(g.parent, n)
		if call == nil || from != g.node {
			return nil, false, false
		}
		x.via, x.inner, x.fi = call, n, f
		at, each = call, f.leavesBehind(in)
	}
	b := g.f.blocks[at]
	if b == nil {
		return nil, false, false
	}
	if g.f.comesFirst(g, at) {
		end := g.f.blocks[g.calls()]
		return &x, each && (b == end || b == g.loop.head || !without(g.loop.head, b)[end]), true
	}
	for _, l := range ls.countersIn(g.f.f) {
		if l.inside[b] && ls.fills(g, t, l) {
			x.loop = l
			return &x, each && l.atLeastOnce(b), true
		}
	}
	return nil, false, false
}
