package private

import (
	"slices"

	"comus/check/ticket"
	"comus/cir"
	"comus/scan/loop"
	"comus/scan/pointsto"
	"comus/scan/thread"
	"comus/scan/valuenum"
)

// A thread that is given its element of an array may find its number there: the creating thread has put it in, and nothing else writes to these bytes of any element. So what the thread loads from
// there is its number, whenever it does so. The creating thread puts it in in the same turn and before it creates the thread, or in the same turn of a loop before, that runs as often, to its end, while
// none of the threads is there. It does so itself, or by a function that the turn calls.

// stampAsked is a question: whether a load of a node gives the number of a group's threads.
type stampAsked struct {
	g    *group
	n    *thread.Node
	load *cir.Load
}

// stamp tells that a load gives the number, plus a constant; or, of a pointer, that it gives all threads the same one, and off is where that is in their elements.
type stamp struct {
	ok   bool
	off  int64
	what put
}

// put is what is put into an element: the number plus a constant; or a pointer to a base.
type put struct {
	add  int64
	base Base
}

// stamped returns what a load of a node gives from the element of a thread, if that is known.
func (r *Result) stamped(g *group, n *thread.Node, load *cir.Load) stamp {
	key := stampAsked{g, n, load}
	if s, known := r.stamps[key]; known {
		return s
	}
	r.stamps[key] = stamp{}
	s := r.findStamp(g, n, load)
	r.stamps[key] = s
	return s
}

func (r *Result) findStamp(g *group, n *thread.Node, load *cir.Load) (none stamp) {
	if g.given == nil || g.given.Kind.Whole() || load.Bits != nil || !load.Type.IsPointer() && (!load.Type.IsInt() || load.Type == cir.Bool || load.Type.Bits < counterBits(g)) {
		return none
	}
	size := r.model.SizeOf(load.Type)
	p := r.childs(g, n, r.function(n), load.Addr, size, func(*cir.Offset) int64 { return -1 })
	if p == nil || p.Kind != g.given.Kind || p.Hi-p.Lo != size || size > p.Kind.Stride || !r.baseStays(g, g.loop, p.Kind.Base) || r.comesAgain(g.t.Parent, g.node) {
		return none
	}
	to := r.pts.Places(n.Fn, n.Ctx, load.Addr)
	if len(to) == 0 || slices.ContainsFunc(to, func(l pointsto.Location) bool {
		return l.Off < 0 || l.Obj.External || l.Obj.IsFunc() || r.pts.Outside(l.Obj)
	}) {
		return none
	}
	s := stamp{off: p.Lo}
	first, always := true, false
	for _, m := range r.threads.AllNodes() {
		if c := m.Ctx.Call; m.Fn.Library && c != nil {
			if f, direct := c.Callee.(*cir.Func); allocators[nameOf(f, direct)] {
				continue
			}
		}
		for _, b := range m.Fn.Blocks {
			for _, in := range b.Instrs {
				if !slices.ContainsFunc(to, func(l pointsto.Location) bool { return r.overwrites(m, in, l, size) }) {
					continue
				}
				what, each, ok := r.puts(g, m, in, p, load.Type)
				if !ok || !first && s.what != what {
					return none
				}
				s.what, first, always = what, false, always || each
			}
		}
	}
	s.ok = always
	return s
}

// puts returns what an instruction puts into bytes of a turn's element, before the thread is created, and whether that is done for each thread.
func (r *Result) puts(g *group, m *thread.Node, in cir.Instr, p *Piece, of cir.Type) (what put, always, ok bool) {
	h, always, ok := r.putting(g, m, in)
	if !ok {
		return what, false, false
	}
	var q *Piece
	var x cir.Value
	switch in := in.(type) {
	case *cir.Store:
		if in.Type != of || in.Bits != nil {
			return what, false, false
		}
		q, x = r.slot(h, in.Addr, p.Hi-p.Lo), in.X
	case *cir.Copy:
		n, isConst := in.Size.(cir.Int)
		if !isConst || n.Hi != 0 || n.Lo > 1<<20 {
			return what, false, false
		}
		if q = r.slot(h, in.Dst, int64(n.Lo)); q != nil && q.Lo <= p.Lo && p.Hi <= q.Hi {
			x = ticket.Copied(m.Fn, r.model, in, p.Lo-q.Lo, of)
			q.Lo, q.Hi = p.Lo, p.Hi
		}
	}
	if q == nil || x == nil || q.Kind != p.Kind || q.Lo != p.Lo || q.Hi != p.Hi || !r.baseStays(g, h.loop, q.Kind.Base) {
		return what, false, false
	}
	if of.IsPointer() {
		what.base, ok = r.pointerIn(h, x)
		return what, always, ok && r.baseStays(g, h.loop, what.base)
	}
	k, ok := r.numberIn(h, x)
	return put{add: k.add}, always, ok && k.bits >= counterBits(g)
}

// pointerIn returns what a pointer is, if that is the base of an array for all turns of a group's loop.
func (r *Result) pointerIn(h *group, x cir.Value) (b Base, ok bool) {
	if h.via == nil {
		return r.baseOf(r.function(h.node), x, h.loop)
	}
	v := r.function(h.inner).Value(x)
	if v.Base == nil || v.Index != nil {
		return b, false
	}
	return r.baseVia(h, v)
}

// numberIn returns what a value is made of, if that is the number of the turn of a group's loop.
func (r *Result) numberIn(h *group, x cir.Value) (form, bool) {
	if h.via != nil {
		return r.passedOn(h, r.function(h.inner).Value(x))
	}
	return r.counted(h, r.function(h.node).Value(x))
}

// putting returns by which turn of which loop an instruction of the creating thread may put something into an element, before the thread of that is created, and whether that is done for each: the
// group has that loop, and the function that the turn calls for it.
func (r *Result) putting(g *group, m *thread.Node, in cir.Instr) (h *group, always, ok bool) {
	x := *g
	x.via, x.inner = nil, nil
	f := r.function(g.node)
	if g.via != nil && m == g.inner { // the function that creates the thread puts it in
		fi := r.function(m)
		x.via, x.inner = g.via, m
		if fi == nil || fi.gets(g.create, in, nil) {
			return nil, false, false
		}
		return &x, comesBefore(fi, in, g.create), true
	}
	at, each := in, true
	if m != g.node {
		from, call := r.onlyCall(g.t.Parent, m)
		if call == nil || from != g.node || m.Fn.Library || r.function(m) == nil || r.runElsewhere(g.t.Parent, m) {
			return nil, false, false
		}
		x.via, x.inner = call, m
		at, each = call, leavesBehind(r.function(m), in)
	}
	if f == nil || f.home[at] == nil {
		return nil, false, false
	}
	if g.before(f, at) {
		return &x, each && g.always(f, at), true
	}
	for _, l := range f.loops {
		if f.inside(l, f.home[at]) && r.fills(g, f, l) {
			x.loop = l
			return &x, each && l.AtLeastOnce(f.home[at]), true
		}
	}
	return nil, false, false
}

// runElsewhere reports whether other threads than one run a node.
func (r *Result) runElsewhere(t *thread.Thread, n *thread.Node) bool {
	return slices.ContainsFunc(r.threads.Threads, func(u *thread.Thread) bool { return u != t && slices.Contains(r.threads.Nodes(u), n) })
}

// comesAgain reports whether a node may be called by a thread while a call of it is not at its end: another one may have the same elements with other numbers.
func (r *Result) comesAgain(t *thread.Thread, n *thread.Node) bool {
	calls, seen := r.callsOf(t), map[*thread.Node]bool{}
	for work := []*thread.Node{n}; len(work) > 0; {
		m := work[len(work)-1]
		work = work[:len(work)-1]
		for _, c := range calls.list {
			if c.from != m || seen[c.to] {
				continue
			}
			if c.to == n {
				return true
			}
			seen[c.to] = true
			work = append(work, c.to)
		}
	}
	return false
}

// comesBefore reports whether control comes to an instruction of a function before it gets to another one.
func comesBefore(f *function, in, other cir.Instr) bool {
	b, at := f.home[in], f.home[other]
	if b == at {
		return f.index(in) < f.index(other)
	}
	first := f.Copy.Func.Blocks[0]
	return b == first || !ticket.Avoids(first, b)[at]
}

// leavesBehind reports whether control comes to an instruction of a function before it returns.
func leavesBehind(f *function, in cir.Instr) bool {
	first := f.Copy.Func.Blocks[0]
	if f.home[in] == first {
		return true
	}
	for b := range ticket.Avoids(first, f.home[in]) {
		if _, returns := b.Term.(*cir.Return); returns {
			return false
		}
	}
	return true
}

// fills reports whether a loop has run just as often as that which creates threads whenever that begins, with the same numbers, to its end, and while none of the threads was there.
func (r *Result) fills(g *group, f *function, l *loop.Loop) bool {
	if !l.SameCount(g.loop) || !l.Before(f.Func, g.loop) || !l.Exact(r.model) || ticket.Avoids(l.Body, l.Head)[g.loop.Head] || !r.threads.Quiet(g.t, g.node, l) {
		return false
	}
	a, b := l.Sym.What.(*cir.Local), g.loop.Sym.What.(*cir.Local)
	if a.Size != b.Size {
		return false
	}
	during, ok := f.during(l, g.loop), true
	l.Rests(func(s *valuenum.Sym) { ok = ok && f.stays(during, s) })
	return ok
}

// during returns the blocks from the beginning of a loop to the end of a later one.
func (f *function) during(first, last *loop.Loop) map[*cir.Block]bool {
	all := first.Reach(first.Head)
	for b := range all {
		if !first.Reach(b)[last.Head] {
			delete(all, b)
		}
	}
	return all
}

// stays reports whether what a symbol stands for does not change in some blocks.
func (f *function) stays(during map[*cir.Block]bool, s *valuenum.Sym) bool {
	switch s.Kind {
	case valuenum.Param, valuenum.Global, valuenum.Local:
		return true
	case valuenum.Conv:
		_, is := s.What.(cir.Type)
		return is
	case valuenum.Phi:
		return !during[s.Block]
	case valuenum.Reg:
		if in := f.defs[int(s.N)]; in != nil {
			return !during[f.home[in]]
		}
		return !slices.ContainsFunc(f.Copy.Func.Blocks, func(b *cir.Block) bool {
			return during[b] && slices.ContainsFunc(b.Params, func(p *cir.Reg) bool { return int64(p.Index) == s.N })
		})
	}
	return false
}

// baseStays reports whether the base of an array is the same from the beginning of a loop to the end of that which creates the threads.
func (r *Result) baseStays(g *group, l *loop.Loop, base Base) bool {
	f := r.function(g.node)
	if f == nil {
		return false
	}
	during := f.during(l, g.loop)
	if base.Cell == nil {
		ok := base.Sym != nil
		valuenum.Value{Base: base.Sym}.Each(func(s *valuenum.Sym) { ok = ok && f.stays(during, s) })
		return ok
	}
	for _, o := range r.pts.Objects {
		if o.Global != base.Cell {
			continue
		}
		if r.othersWrite(g.node, o) {
			return false
		}
		for b := range during {
			if slices.ContainsFunc(b.Instrs, func(in cir.Instr) bool { return r.pts.MayWrite(g.node.Copy(), in, o) }) {
				return false
			}
		}
		return true
	}
	return false
}

// always reports whether the creating thread comes to an instruction in each turn in which it creates a thread.
func (g *group) always(f *function, in cir.Instr) bool {
	b, at := f.home[in], f.home[g.at()]
	return b == at || b == g.loop.Head || !ticket.Avoids(g.loop.Head, b)[at] // in its block it comes before, as is known
}
