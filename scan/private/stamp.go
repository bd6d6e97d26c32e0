package private

import (
	"slices"

	"comus/check/ticket"
	"comus/cir"
	"comus/scan/pointsto"
	"comus/scan/thread"
)

// A thread that is given its element of an array may find its number there: the creating thread has put it in, in the same turn and before it creates the thread, and nothing else
// writes to these bytes of any element. So what the thread loads from there is its number, whenever it does so.

// stampAsked is a question: whether a load of a node gives the number of a group's threads.
type stampAsked struct {
	g    *group
	n    *thread.Node
	load *cir.Load
}

// stamp tells that a load gives the number, plus a constant.
type stamp struct {
	ok  bool
	add int64
}

// stamped returns what is added to the number of a thread, if a load of a node gives that from the thread's element.
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
	if g.given == nil || g.given.Kind.Whole() || g.given.Kind.Base.Cell != nil || !load.Type.IsInt() || load.Type == cir.Bool || load.Bits != nil || load.Type.Bits < counterBits(g) {
		return none
	}
	size := r.model.SizeOf(load.Type)
	p := r.childs(g, n, r.function(n), load.Addr, size, func(*cir.Offset) int64 { return -1 })
	if p == nil || p.Kind != g.given.Kind || p.Hi-p.Lo != size {
		return none
	}
	to := r.pts.Places(n.Fn, n.Ctx, load.Addr)
	if len(to) == 0 || slices.ContainsFunc(to, func(l pointsto.Location) bool {
		return l.Off < 0 || l.Obj.External || l.Obj.IsFunc() || r.pts.Outside(l.Obj)
	}) {
		return none
	}
	var s stamp
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
				add, ok := r.puts(g, m, in, p, load.Type)
				if !ok || s.ok && s.add != add {
					return none
				}
				s.add = add
				s.ok = s.ok || g.always(in)
				if !s.ok { // whichever comes first has to be there always
					return none
				}
			}
		}
	}
	return s
}

// puts returns what is added to the number of a turn that an instruction puts into bytes of the turn's element, before the thread is created.
func (r *Result) puts(g *group, m *thread.Node, in cir.Instr, p *Piece, of cir.Type) (add int64, ok bool) {
	f := r.function(m)
	if m != g.node || f == nil || !g.before(f, in) {
		return 0, false
	}
	var q *Piece
	var x cir.Value
	switch in := in.(type) {
	case *cir.Store:
		if in.Type != of || in.Bits != nil {
			return 0, false
		}
		q, x = r.parentPiece(g, f, in.Addr, p.Hi-p.Lo), in.X
	case *cir.Copy:
		n, isConst := in.Size.(cir.Int)
		if !isConst || n.Hi != 0 || n.Lo > 1<<20 {
			return 0, false
		}
		if q = r.parentPiece(g, f, in.Dst, int64(n.Lo)); q != nil && q.Lo <= p.Lo && p.Hi <= q.Hi {
			x = ticket.Copied(m.Fn, r.model, in, p.Lo-q.Lo, of)
			q.Lo, q.Hi = p.Lo, p.Hi
		}
	}
	if q == nil || x == nil || q.Kind != p.Kind || q.Lo != p.Lo || q.Hi != p.Hi {
		return 0, false
	}
	k, ok := r.counted(g, f.Value(x))
	return k.add, ok
}

// always reports whether the creating thread comes to an instruction in each turn in which it creates a thread.
func (g *group) always(in cir.Instr) bool {
	home := func(x cir.Instr) *cir.Block {
		i := slices.IndexFunc(g.node.Fn.Blocks, func(b *cir.Block) bool { return slices.Contains(b.Instrs, x) })
		return g.node.Fn.Blocks[i]
	}
	b, at := home(in), home(g.create)
	if b == at || b == g.loop.Head { // it comes before, as is known
		return true
	}
	return !ticket.Avoids(g.loop.Head, b)[at]
}
