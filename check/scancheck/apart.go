package scancheck

import (
	"comus/check/anew"
	"comus/check/ticket"
	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// Threads that one call creates in turns of a loop are given what is made of the number by which the loop counts, or an object that is allocated between any two
// creations. What each of them accesses is its own if its address is made of that in such a way that different numbers give
// different elements. All of that is found out here from the program; the certificate only says where it is the reason.

// piece is memory that belongs to one thread of those that a call creates.
type piece struct {
	pieceKind
	lo, hi int64 // of what would be element 0
	parent bool  // accessed by the thread that creates it, in the turn in which it does so later
	puts   bool  // of an element of a ring: the thread puts it in
	exact  exactness
}

type pieceKind struct {
	create    *cir.Call
	allocated bool
	base      string
	cell      *cir.Global // that holds the base, at an offset
	off       int64
	stride    int64
	add       int64
	held      *cir.Store // it is the object of which this has put the address into the element
	// ticket is the counter from which the number of the element was drawn, or given the call that has given it to the thread; rows, what that is multiplied by; in, what holds the base.
	ticket, rows, in ticket.Cell
	given            *cir.Call
	field            ticket.Field // it is where the base is
	band             ticket.Band
	ring             ticket.Ring // that it is an element of
}

// apartFrom reports whether pieces of two different threads have no byte in common.
func (p *piece) apartFrom(q *piece) bool {
	if p == nil || q == nil || p.pieceKind != q.pieceKind || p.parent && q.parent {
		return false
	}
	if p.ring.Put.Obj != nil && p.puts == q.puts {
		return false
	}
	return p.whole() || max(p.hi, q.hi)-min(p.lo, q.lo) <= p.stride
}

// with returns what two accesses of one group have in common.
func (p *piece) with(q *piece) *piece {
	switch {
	case p == notThere:
		return q
	case q == notThere:
		return p
	}
	if p == nil || q == nil || p.pieceKind != q.pieceKind || p.parent != q.parent || p.puts != q.puts {
		return nil
	}
	x := *p
	x.lo, x.hi = min(p.lo, q.lo), max(p.hi, q.hi)
	return &x
}

// gift is what the threads are given that one call creates.
type gift struct {
	parent *thread
	node   *node
	create *cir.Call
	f      *values
	loop   *counter  // nil: the gift is an object
	made   *cir.Call // that allocates the object
	// via is the call of the function that creates the threads, inner, in the loop of node; nil: that does so itself. fi are the values there.
	via   *cir.Call
	inner *node
	fi    *values
	// number is the number that the argument is; at, the piece that it is the address of.
	number *term
	at     *piece
	bits   int // that tell numbers apart
	// facts are what parameters of copies are made of that a thread runs, by the thread.
	facts map[*thread]map[int][]*term
}

// gifts are what is known of gifts.
type gifts struct {
	of       map[*thread]*gift
	known    map[*thread]bool
	funcs    map[*cir.Func]*values
	writes   map[*pointsto.Object]map[written]set
	joins    map[*thread][]*joining
	borrowed map[borrowing]map[int][]*piece // what parameters of copies lead to
	keeps    map[*gift][]keeping
	stamps   map[stampAsked]stamp
	counters map[*cir.Func][]*counter
	fresh    *anew.Funcs
}

// written is a write of a global, by a thread.
type written struct {
	t       *thread
	bytes   extent
	in      cir.Located
	library bool
	by      *cir.Call // the program's call that the library does it for; nil: it does not
}

func newGifts() gifts {
	return gifts{of: map[*thread]*gift{}, known: map[*thread]bool{}, funcs: map[*cir.Func]*values{}, writes: map[*pointsto.Object]map[written]set{}, joins: map[*thread][]*joining{}, borrowed: map[borrowing]map[int][]*piece{}, keeps: map[*gift][]keeping{}, stamps: map[stampAsked]stamp{}, counters: map[*cir.Func][]*counter{}, fresh: &anew.Funcs{}}
}

// givenAt are the functions of the library that create a thread, with the number of what it is given.
var givenAt = map[string]int{"pthread_create": 3, "thrd_create": 2}

// giftOf returns what threads of an identity are given, nil if that is nothing of their own.
func (ls *locations) giftOf(k *thread) *gift {
	if !ls.gifts.known[k] {
		ls.gifts.known[k] = true
		ls.gifts.of[k] = ls.findGift(k)
	}
	return ls.gifts.of[k]
}

func (ls *locations) findGift(k *thread) *gift {
	if k.Group == nil || k.Parent < 0 || k.Loose || ls.isSignal(k) || ls.startCall(k.Root) == nil {
		return nil
	}
	up := ls.threads.list[k.Parent]
	if up.Many || up.Loose || up.lands || ls.startsElsewhere(k) {
		return nil
	}
	g := &gift{parent: up, facts: map[*thread]map[int][]*term{}}
	for _, n := range up.order {
		cp := ls.copies[n.copy]
		if cp.Func.Name != k.Group.Func || cp.Func.Library {
			continue
		}
		if g.node != nil {
			return nil
		}
		g.node = n
	}
	if g.node == nil {
		return nil
	}
	f := ls.copies[g.node.copy].Func
	if k.Group.Block >= len(f.Blocks) || k.Group.Instr >= len(f.Blocks[k.Group.Block].Instrs) {
		return nil
	}
	call, ok := f.Blocks[k.Group.Block].Instrs[k.Group.Instr].(*cir.Call)
	if !ok {
		return nil
	}
	callee, ok := call.Callee.(*cir.Func)
	i, is := 0, false
	if ok && callee.Library {
		i, is = givenAt[callee.Source]
	}
	if g.create, g.f = call, ls.valuesOf(f); !is || i >= len(call.Args) || g.f == nil {
		return nil
	}
	arg := call.Args[i].X
	if g.made = ls.allocation(g.f, g.node.copy, call, arg); g.made != nil {
		g.at = &piece{pieceKind: pieceKind{create: call, allocated: true}}
		return g
	}
	for _, l := range countersOf(f) {
		if !ls.turns(k, g, l) {
			continue
		}
		g.loop, g.bits = l, int(l.local.Size)*8
		if x, ok := g.f.term(arg, g, nil); ok && x.bits >= g.bits {
			g.number = &x
			return g
		}
		if p := ls.elementOf(g, arg, 0); p != nil {
			g.at = p
			return g
		}
	}
	g.loop = nil
	return ls.findVia(k, g, arg)
}

// startsElsewhere reports whether threads of an identity, or others that its call creates, may be created by other threads than its parent, or be known by another call.
func (ls *locations) startsElsewhere(k *thread) bool {
	for u, made := range ls.creates {
		for key, i := range made {
			o := ls.threads.list[i]
			if key.group != *k.Group && (o.Group == nil || *o.Group != *k.Group) {
				continue
			}
			if u != k.Parent || o.Parent != k.Parent || o.Group == nil || *o.Group != key.group || o.Loose {
				return true
			}
		}
	}
	return false
}

// turns reports whether a call creates threads in turns of a loop, at most one in each, by numbers that are all different; where the loop begins none of
// them is running, and nothing else in it creates one.
func (ls *locations) turns(k *thread, g *gift, l *counter) bool {
	at := g.f.blocks[g.calls()]
	if !l.inside[at] || !l.atMostOnce(at) || g.node.blocks == nil || !g.f.exact(l) {
		return false
	}
	var kids set
	for _, o := range ls.threads.list {
		if o.Group != nil && *o.Group == *k.Group {
			kids = kids.with(o.index)
		}
	}
	for i, b := range ls.copies[g.node.copy].Func.Blocks {
		e := g.node.blocks[i]
		for _, in := range b.Instrs {
			if l.inside[b] && in != cir.Instr(g.calls()) && ls.after(g.parent, g.node.copy, in, effect{}).adds.meets(kids) {
				return false
			}
			if !e.never {
				e = ls.after(g.parent, g.node.copy, in, e)
			}
		}
		if l.starts[b] && !e.never && e.on(g.node.entry).meets(kids) {
			return false
		}
	}
	return true
}

// pieceAt returns the piece of a location that an access goes to: whether an object still is there is asked of all of it only.
func (ls *locations) pieceAt(l *location, a *access) *piece {
	x := *a
	if l.apartOf(a.t) {
		x.about = ls.pts.Objects[l.Object]
	}
	p := ls.belongs(ls.bounded(&x), maxDeep)
	if p != nil && p != notThere && l.Kind == certificate.Freed && !p.whole() {
		return nil
	}
	return p
}

// pieceOf returns the piece that an access goes to, nil if it is not known to be one.
func (ls *locations) pieceOf(a *access) *piece {
	if a.span != from && a.span != whole1 || a.touch.ptr == nil {
		return nil
	}
	size := a.size
	if a.span == whole1 {
		size = -1
	}
	if k := ls.giftOf(a.t); k != nil {
		if p := ls.kidsPiece(k, a, size); p != nil {
			return p
		}
	}
	in, ok := a.in.(cir.Instr)
	for _, k := range ls.threads.list {
		if k.Parent != a.t.index || !ok {
			continue
		}
		g := ls.giftOf(k)
		if g != nil && g.made != nil && g.node.copy == a.copy && ls.yetToGive(g, in, a.touch.ptr) {
			return &piece{pieceKind: g.at.pieceKind, parent: true}
		}
		if g != nil && g.via != nil && size >= 0 && g.inner.copy == a.copy && !g.fi.gets(nil, g.create, in, nil) {
			if p := g.elementBy(g.outside(a.touch.ptr, size)); p != nil {
				p.parent = true
				return p
			}
		}
		if g == nil || g.loop == nil || size < 0 || g.node.copy != a.copy || !g.f.comesFirst(g, in) {
			continue
		}
		if p := ls.elementOf(g, a.touch.ptr, size); p != nil {
			p.parent = true
			return p
		}
	}
	return nil
}

// elementOf returns the element of a turn that an address of the creating function leads to.
func (ls *locations) elementOf(g *gift, addr cir.Value, size int64) *piece {
	w := g.f.way(addr, size, func(v cir.Value) (term, bool) {
		x, ok := g.f.term(v, g, nil)
		return x, ok && x.bits >= g.bits
	})
	return g.elementBy(w)
}

// elementBy returns the element of a turn that an address leads to of which is known how it is made.
func (g *gift) elementBy(w *way) *piece {
	if w == nil || w.key == nil || w.wide {
		return nil
	}
	p := &piece{pieceKind: pieceKind{create: g.create, stride: w.stride, add: w.key.add}, lo: w.lo, hi: w.hi, exact: w.key.exact}
	return p.on(g.f.baseOf(w.base, g.loop))
}

// on returns a piece with its base, nil if that is not known.
func (p *piece) on(b base, ok bool) *piece {
	if !ok {
		return nil
	}
	p.base, p.cell, p.off = b.name, b.cell, b.off
	return p
}

// kidsPiece returns the piece that an access goes to by what its thread was given.
func (ls *locations) kidsPiece(g *gift, a *access, size int64) *piece {
	f := ls.valuesOf(ls.copies[a.copy].Func)
	if f == nil {
		return nil
	}
	facts := ls.factsOf(g, a.t)[a.copy]
	w := f.wayIn(a.touch.ptr, size, func(v cir.Value) (term, bool) {
		x, ok := f.term(v, nil, facts)
		return x, ok && g.number != nil && x.bits >= g.bits
	}, ls.roomIn(a.copy, a.about))
	switch {
	case w == nil:
		return nil
	case w.key != nil:
		if w.wide {
			return nil
		}
		p := &piece{pieceKind: pieceKind{create: g.create, stride: w.stride, add: w.key.add + g.number.add}, lo: w.lo, hi: w.hi}
		return p.on(f.baseOf(w.base, nil))
	}
	x, ok := f.term(w.base, nil, facts)
	if !ok || g.at == nil || x.bits < ls.prog.Model.PointerBits || w.wide && !g.at.allocated {
		return nil
	}
	p := *g.at
	if p.lo, p.hi = p.lo+x.add+w.lo, p.hi+x.add+w.hi; p.allocated {
		p.lo, p.hi = 0, 0
	}
	return &p
}

// factsOf returns what parameters of the copies that a thread runs are made of.
func (ls *locations) factsOf(g *gift, t *thread) map[int][]*term {
	if m, known := g.facts[t]; known {
		return m
	}
	m := map[int][]*term{}
	g.facts[t] = m
	open := map[int]bool{t.Root: true}
	start := ls.startCall(t.Root)
	for _, n := range t.order {
		f := ls.copies[n.copy].Func
		m[n.copy] = make([]*term, len(f.Params))
		for _, d := range ls.prog.Destructors {
			open[ls.plain(d)] = true
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(*cir.Call)
				if !ok {
					continue
				}
				x := ls.calleesBy(t, n.copy, call)
				for _, y := range x.to {
					if x.outside || f.Library && !ls.copies[y].Func.Library && !(call == start && n.copy == t.Root) {
						open[y] = true
					}
				}
			}
		}
	}
	// At first a parameter is taken to be what its first call says; what others do not say, too, goes.
	seen := map[int]bool{t.Root: true}
	for changed := true; changed; {
		changed = false
		for _, n := range t.order {
			if !seen[n.copy] && !open[n.copy] {
				continue
			}
			for _, b := range ls.copies[n.copy].Func.Blocks {
				for _, in := range b.Instrs {
					if call, ok := in.(*cir.Call); ok {
						for _, y := range ls.calleesBy(t, n.copy, call).to {
							changed = ls.passes(m, t, n.copy, call, y, open[y], seen) || changed
						}
					}
				}
			}
		}
	}
	return m
}

// passes takes account of what a call gives the parameters of a copy. It reports whether that is news.
func (ls *locations) passes(m map[int][]*term, t *thread, c int, call *cir.Call, y int, open bool, seen map[int]bool) (changed bool) {
	first := !seen[y]
	seen[y] = true
	if m[y] == nil {
		return first
	}
	f := ls.valuesOf(ls.copies[c].Func)
	for i := range m[y] {
		var x *term
		switch {
		case open:
		case call == ls.startCall(t.Root) && c == t.Root:
			if i == 0 {
				x = &term{bits: ls.prog.Model.PointerBits}
			}
		case f != nil && i < len(call.Args) && call.Args[i].ByVal == nil:
			if v, ok := f.term(call.Args[i].X, nil, m[c]); ok {
				x = &v
			}
		}
		switch old := m[y][i]; {
		case first:
			m[y][i] = x
		case old != nil && (x == nil || *x != *old):
			m[y][i], changed = nil, true
		}
	}
	return changed || first
}

// noteWrite notes a write of a global.
func (ls *locations) noteWrite(v *visit, o *pointsto.Object, bytes extent) {
	if o.Global == nil && !ls.barriers.of[o] {
		return
	}
	if ls.gifts.writes[o] == nil {
		ls.gifts.writes[o] = map[written]set{}
	}
	w := written{t: v.t, bytes: bytes, in: v.in, library: ls.copies[v.copy].Func.Library}
	if w.library {
		w.by = ls.copies[v.copy].Ctx.Call
	}
	ls.gifts.writes[o][w] = ls.gifts.writes[o][w].or(v.running)
}

// writesTo returns the writes of a global, or of an object with a barrier, with what may be running then.
func (ls *locations) writesTo(o *pointsto.Object) map[written]set {
	if ls.unnoted != nil {
		ls.unnoted(o)
	}
	return ls.gifts.writes[o]
}

// steady reports whether nobody writes the global that holds the base of a piece while a thread may be running.
func (ls *locations) steady(p *piece, t *thread) bool {
	if p.cell == nil || p.parent {
		return true
	}
	for _, o := range ls.pts.Objects {
		if o.Global != p.cell {
			continue
		}
		for w, running := range ls.writesTo(o) {
			if w.bytes.meets(cellOf(o, p.off, 8)) && (t.desc.has(w.t.index) || ls.parallel(w.t, running, t, set{})) {
				return false
			}
		}
		return !o.External && !p.cell.External && !p.cell.ThreadLocal
	}
	return false
}

// cellOf returns the bytes of an object at an offset: all, if that is in an array, where accesses are noted as those of the first element.
func cellOf(o *pointsto.Object, off, size int64) extent {
	if !(pointsto.Location{Obj: o, Off: off}).Exact() {
		return everywhere
	}
	return extent{off, off + size}
}

// apart reports whether two groups access what belongs to different threads, or one of them nothing of the location.
func (ls *locations) apart(g, h *group) bool {
	if g.piece == notThere || h.piece == notThere || g.t == h.t && g.at != nil && h.at != nil && g.at.lead.Same(h.at.lead) {
		return true
	}
	return g.piece.apartFrom(h.piece) && (g.piece.given == nil || g.t == h.t) && ls.steady(g.piece, g.t) && ls.steady(h.piece, h.t) && ls.drawn(g.piece, g.t) && ls.drawn(h.piece, h.t) && ls.ringed(g, h)
}

// notePiece notes the piece that an access of a group goes to: nil makes the group one of which none is known.
func (g *group) notePiece(p *piece) {
	if g.pieced {
		p = g.piece.with(p)
	}
	g.piece, g.pieced = p, true
}
