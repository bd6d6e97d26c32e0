package scancheck

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// What belongs to a thread is found by way of functions, too: a parameter leads to it if all calls that the same thread makes of the function give it that, and are made where the
// caller may access it. And by way of memory: where the only store that puts an address into an element of the thread's has put that of an object which was allocated since the
// store was executed the last time, each element has another one; so that belongs to who may access the element.

// keeping is a store that puts the address of a new object into the element of a turn.
type keeping struct {
	store *cir.Store
	at    *piece
}

// borrowing is a thread that calls functions; kept tells that what elements keep is borrowed, too.
type borrowing struct {
	t     *thread
	kept  bool
	about *pointsto.Object // what parameters lead to in another object does not matter; nil: it does
}

// whole tells that a piece is all of an object.
func (k pieceKind) whole() bool { return k.allocated || k.held != nil }

// maxDeep bounds how many objects lead to one another.
const maxDeep = 2

// belongs returns the piece that an access goes to, nil if it is not known to be one.
func (ls *locations) belongs(a *access, deep int) *piece {
	if a.span == listed {
		return ls.listedPiece(a)
	}
	if a.touch.ptr == nil || a.span != from && a.span != whole1 {
		return nil
	}
	if p := ls.joinedPiece(a); p != nil {
		return p
	}
	if p := ls.pieceOf(a); p != nil {
		return p
	}
	if p := ls.borrowedPiece(a, deep > 0); p != nil {
		return p
	}
	if p := ls.heldPiece(a, deep); p != nil {
		return p
	}
	return ls.ticketPiece(a)
}

// address returns the access of some bytes by the same thread in the same copy.
func (a *access) address(in cir.Located, ptr cir.Value, size int64) *access {
	return &access{t: a.t, in: in, copy: a.copy, running: a.running, touch: touch{ptr: ptr, size: size}, ptr: -1, arg: -1}
}

// borrowedPiece returns the piece that a parameter leads to; kept tells that what elements keep counts, too.
func (ls *locations) borrowedPiece(a *access, kept bool) *piece {
	given := ls.borrowedBy(borrowing{a.t, kept, a.about})[a.copy]
	f := ls.valuesOf(ls.copies[a.copy].Func)
	if f == nil || len(given) == 0 {
		return nil
	}
	size := a.size
	if a.span == whole1 {
		size = -1
	}
	w := f.wayIn(a.touch.ptr, size, func(cir.Value) (term, bool) { return term{}, false }, ls.roomIn(a.copy, a.about))
	if w == nil {
		return nil
	}
	for i, p := range given {
		if p == nil {
			continue
		}
		only := make([]*term, len(given))
		only[i] = &term{bits: ls.prog.Model.PointerBits}
		x, ok := f.term(w.base, nil, only)
		if !ok || x.bits < ls.prog.Model.PointerBits {
			continue
		}
		if p.whole() || p == notThere {
			return p
		}
		if w.wide {
			return nil
		}
		q := *p
		q.lo, q.hi = p.lo+x.add+w.lo, p.hi+x.add+w.hi // the pointer may be at many places itself
		return &q
	}
	return nil
}

// borrowedBy returns what the parameters of the copies that a thread runs lead to.
func (ls *locations) borrowedBy(key borrowing) map[int][]*piece {
	t := key.t
	if m, known := ls.gifts.borrowed[key]; known {
		return m
	}
	m := map[int][]*piece{}
	ls.gifts.borrowed[key] = m
	concerned := key.about != nil || ls.giftOf(t) != nil
	for _, k := range ls.threads.list {
		concerned = concerned || k.Parent == t.index && ls.giftOf(k) != nil
	}
	if !concerned {
		return m
	}
	open, begun := ls.openCopies(t), map[int]bool{}
	for c, yes := range open {
		begun[c] = yes
	}
	for again := true; again; {
		again = false
		for _, n := range t.order {
			if !begun[n.copy] && n.copy != t.Root {
				continue
			}
			for _, b := range ls.copies[n.copy].Func.Blocks {
				for _, in := range b.Instrs {
					call, ok := in.(*cir.Call)
					if !ok {
						continue
					}
					for _, y := range ls.calleesBy(t, n.copy, call).to {
						if !open[y] && ls.borrowsInto(m, key, n.copy, call, y, !begun[y]) {
							again = true
						}
						begun[y] = true
					}
				}
			}
		}
	}
	return m
}

// openCopies returns the copies that a thread begins with, or that are called by code whose arguments are not known.
func (ls *locations) openCopies(t *thread) map[int]bool {
	open := map[int]bool{t.Root: true}
	for _, d := range ls.prog.Destructors {
		open[ls.plain(d)] = true
	}
	for _, n := range t.order {
		f := ls.copies[n.copy].Func
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if call, ok := in.(*cir.Call); ok {
					x := ls.calleesBy(t, n.copy, call)
					for _, y := range x.to {
						open[y] = open[y] || x.outside || f.Library && !ls.copies[y].Func.Library
					}
				}
			}
		}
	}
	return open
}

// borrowsInto takes account of a call of a copy: at first its parameters lead to what the call gives, later to no more than that. It reports whether that is news.
func (ls *locations) borrowsInto(m map[int][]*piece, by borrowing, c int, call *cir.Call, y int, first bool) (news bool) {
	if first {
		m[y] = make([]*piece, len(ls.copies[y].Func.Params))
	}
	for i, old := range m[y] {
		if old == nil && !first {
			continue
		}
		p := ls.borrows(by, c, call, i)
		if first {
			m[y][i] = p
		} else if p == notThere {
			continue
		} else if old == notThere {
			m[y][i], news = p, true
		} else if p == nil || *p != *old {
			m[y][i], news = nil, true
		}
	}
	return news || first
}

// borrows returns the piece that an argument of a call leads to, notThere if it does not lead to the object that it is asked about. While the call lasts, no thread may begin to which that belongs then.
func (ls *locations) borrows(by borrowing, c int, call *cir.Call, i int) *piece {
	if by.about != nil && i < len(call.Args) && call.Args[i].ByVal == nil && ls.prog.Model.TypeOf(call.Args[i].X).IsPointer() && !ls.leadsTo(c, call.Args[i].X, by.about) {
		return notThere
	}
	if i >= len(call.Args) || call.Args[i].ByVal != nil || !ls.prog.Model.TypeOf(call.Args[i].X).IsPointer() || ls.pts.MayCreate(ls.copies[c], call) {
		return nil
	}
	deep := 0
	if by.kept {
		deep = maxDeep
	}
	x := (&access{t: by.t, copy: c}).address(call, call.Args[i].X, 0)
	x.about = by.about
	return ls.belongs(x, deep)
}

// heldPiece returns the object that an access goes to by an address that was kept in an element: who accesses it may access the element, where the address is loaded and here.
func (ls *locations) heldPiece(a *access, deep int) *piece {
	f := ls.valuesOf(ls.copies[a.copy].Func)
	if f == nil || deep == 0 {
		return nil
	}
	w := f.way(a.touch.ptr, -1, func(cir.Value) (term, bool) { return term{}, false })
	if w == nil {
		return nil
	}
	load, ok := f.def(w.base).(*cir.Load)
	if !ok || !load.Type.IsPointer() || load.Bits != nil {
		return nil
	}
	var keeps []keeping
	for _, k := range ls.threads.list {
		if k == a.t || k.Parent == a.t.index {
			keeps = append(keeps, ls.keepings(ls.giftOf(k))...)
		}
	}
	if len(keeps) == 0 {
		return nil
	}
	size := ls.prog.Model.SizeOf(load.Type)
	p, here := ls.belongs(a.address(load, load.Addr, size), deep-1), ls.belongs(a.address(a.in, load.Addr, size), deep-1)
	if p == nil || here == nil || *p != *here {
		return nil
	}
	for _, k := range keeps {
		if k.at.pieceKind == p.pieceKind && k.at.lo == p.lo && k.at.hi == p.hi {
			q := *p
			q.lo, q.hi, q.held = 0, 0, k.store
			return &q
		}
	}
	return nil
}

// keepings returns the stores that put addresses of new objects into the elements of a gift's threads.
func (ls *locations) keepings(g *gift) []keeping {
	if g == nil || g.loop == nil {
		return nil
	}
	if list, known := ls.gifts.keeps[g]; known {
		return list
	}
	ls.gifts.keeps[g] = nil
	var list []keeping
	for _, n := range g.parent.order {
		cp := ls.copies[n.copy]
		f := ls.valuesOf(cp.Func)
		if f == nil || cp.Func.Library {
			continue
		}
		for _, b := range cp.Func.Blocks {
			for _, in := range b.Instrs {
				s, ok := in.(*cir.Store)
				if !ok || !s.Type.IsPointer() || s.Bits != nil || s.Volatile || ls.allocation(f, n.copy, s, s.X) == nil {
					continue
				}
				if w := f.way(s.X, 0, func(cir.Value) (term, bool) { return term{}, false }); w == nil || w.lo != 0 || w.wide {
					continue
				}
				size := ls.prog.Model.SizeOf(s.Type)
				p := ls.belongs((&access{t: g.parent, copy: n.copy}).address(s, s.Addr, size), 0)
				if p != nil && p.create == g.create && !p.whole() && ls.onlyKeeps(n.copy, s, size) {
					list = append(list, keeping{s, p})
				}
			}
		}
	}
	ls.gifts.keeps[g] = list
	return list
}

// onlyKeeps reports whether nothing but a store writes where it does, but for zeros and what allocates the memory.
func (ls *locations) onlyKeeps(by int, s *cir.Store, size int64) bool {
	of := ls.copies[by]
	to := ls.pts.Places(of.Func, of.Ctx, s.Addr)
	if len(to) == 0 || slices.ContainsFunc(to, func(p pointsto.Location) bool {
		return p.Off == pointsto.Any || p.Off < 0 || p.Obj.External || p.Obj.IsFunc() || ls.pts.Outside(p.Obj)
	}) {
		return false
	}
	for c, cp := range ls.copies {
		if by := cp.Ctx.Call; cp.Func.Library && by != nil {
			f, direct := by.Callee.(*cir.Func)
			if direct && f.Library && (allocators[f.Source] || f.Source == "memset" && len(by.Args) == 3 && isZero(by.Args[1].X)) {
				continue
			}
		}
		if ls.writesAny(c, cp, to, size, func(in cir.Instr) bool { return in == cir.Instr(s) && c == by || zeros(in) }) {
			return false
		}
	}
	return true
}

// zeros reports whether all that an instruction writes is zeros.
func zeros(in cir.Instr) bool {
	switch in := in.(type) {
	case *cir.Store:
		return isZero(in.X)
	case *cir.Fill:
		return isZero(in.Byte)
	}
	return false
}

func isZero(v cir.Value) bool {
	n, isInt := v.(cir.Int)
	null, isNull := v.(cir.Null)
	return isInt && n.Lo == 0 && n.Hi == 0 || isNull && null.Addr == 0
}
