package scancheck

import (
	"slices"

	"comus/check/ticket"
	"comus/cir"
	"comus/scan/pointsto"
)

// A thread that is given its element of an array may find its number there: the creating thread has put it in, in the same turn and before it creates the thread, and nothing else writes to these bytes of any
// element. So what the thread loads from there is its number, whenever it does so.

// stampAsked is a question: whether a load of a copy gives the number of a gift's threads.
type stampAsked struct {
	g    *gift
	t    *thread
	copy int
	load *cir.Load
}

// stamp tells that a load gives the number, plus a constant.
type stamp struct {
	ok  bool
	add int64
}

// stamped returns what is added to the number of a thread, if a load of a copy gives that from the thread's element.
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
	if g.at == nil || g.at.whole() || g.at.cell != nil || !load.Type.IsInt() || load.Type == cir.Bool || load.Bits != nil || load.Type.Bits < g.bits {
		return none
	}
	size := ls.prog.Model.SizeOf(load.Type)
	p := ls.kidsPiece(g, (&access{t: t, copy: c}).address(load, load.Addr, size), size)
	if p == nil || p.parent || p.pieceKind != g.at.pieceKind || p.hi-p.lo != size {
		return none
	}
	to := ls.pts.Places(ls.copies[c].Func, ls.copies[c].Ctx, load.Addr)
	if len(to) == 0 || slices.ContainsFunc(to, func(l pointsto.Location) bool {
		return l.Off < 0 || l.Obj.External || l.Obj.IsFunc() || ls.pts.Outside(l.Obj)
	}) {
		return none
	}
	var s stamp
	always := false
	puts := func(in cir.Instr) bool {
		add, ok := ls.puts(g, in, p, load.Type)
		if !ok || s.ok && add != s.add {
			return false
		}
		s.ok, s.add = true, add
		b, at := g.f.blocks[in], g.f.blocks[g.create]
		always = always || b == at || b == g.loop.head || !without(g.loop.head, b)[at]
		return true
	}
	for m, cp := range ls.copies {
		if by := cp.Ctx.Call; cp.Func.Library && by != nil {
			if f, direct := by.Callee.(*cir.Func); direct && f.Library && allocators[f.Source] {
				continue
			}
		}
		if ls.writesAny(m, cp, to, size, func(in cir.Instr) bool { return m == g.node.copy && puts(in) }) {
			return none
		}
	}
	s.ok = s.ok && always
	return s
}

// puts returns what is added to the number of a turn that an instruction of the creating function puts into bytes of the turn's element, before the thread is created.
func (ls *locations) puts(g *gift, in cir.Instr, p *piece, of cir.Type) (add int64, ok bool) {
	var q *piece
	var x cir.Value
	switch in := in.(type) {
	case *cir.Store:
		if in.Type == of && in.Bits == nil && g.f.comesFirst(g, in) {
			q, x = ls.elementOf(g, in.Addr, p.hi-p.lo), in.X
		}
	case *cir.Copy:
		n, isConst := in.Size.(cir.Int)
		if !isConst || n.Hi != 0 || n.Lo > 1<<20 || !g.f.comesFirst(g, in) {
			return 0, false
		}
		if q = ls.elementOf(g, in.Dst, int64(n.Lo)); q != nil && q.lo <= p.lo && p.hi <= q.hi {
			x = ticket.Copied(g.f.f, ls.prog.Model, in, p.lo-q.lo, of)
			q.lo, q.hi = p.lo, p.hi
		}
	}
	if q == nil || x == nil || q.pieceKind != p.pieceKind || q.lo != p.lo || q.hi != p.hi {
		return 0, false
	}
	k, ok := g.f.term(x, g, nil)
	return k.add, ok && k.bits >= g.bits
}
