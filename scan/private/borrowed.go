package private

import (
	"comus/cir"
	"comus/scan/pointsto"
	"comus/scan/thread"
	"comus/scan/valuenum"
)

// What belongs to a thread is given to functions that it calls, and to those that the creating thread calls before the creation, or after the join: what a parameter
// points to is such a piece if it is the same one's in all calls. And an object that is allocated in a turn and noted in the turn's element only belongs to whom the element does.

// holder is a store that notes an allocated object in the element of a turn: it is the only one that puts an address there, and each object is noted once.
type holder struct {
	store *cir.Store
	cell  *Piece
}

// findHolders finds the holders of a group: in what the creating thread runs, where it may access the element.
func (r *Result) findHolders(g *group) {
	if g.loop == nil {
		return
	}
	for _, n := range r.threads.Nodes(g.t.Parent) {
		if f := r.function(n); f != nil && !n.Fn.Library {
			r.holdersIn(g, n, f)
		}
	}
}

func (r *Result) holdersIn(g *group, n *thread.Node, f *function) {
	for _, b := range n.Fn.Blocks {
		for _, in := range b.Instrs {
			s, ok := in.(*cir.Store)
			if !ok || !s.Type.IsPointer() || s.Bits != nil || s.Volatile {
				continue
			}
			v := f.Value(s.X)
			if v.Base == nil || v.Base.Kind != valuenum.Reg || v.Index != nil || v.Off != 0 {
				continue
			}
			call, ok := f.defs[int(v.Base.N)].(*cir.Call)
			if !ok || call.Dst == nil {
				continue
			}
			if !r.fresh.New(call) || !f.between(s, call) {
				continue
			}
			cell := r.piece(g.t.Parent, n, s, s.Addr, r.model.SizeOf(s.Type), 0, nil)
			if cell != nil && cell.Kind.Create == g.create && !cell.Kind.Whole() && r.onlyHolds(n, s) {
				g.holders = append(g.holders, holder{s, cell})
			}
		}
	}
}

// onlyHolds reports whether nothing but a store, and what allocates the element, writes where it notes an address; but for null.
func (r *Result) onlyHolds(of *thread.Node, s *cir.Store) bool {
	cells := r.pts.Places(of.Fn, of.Ctx, s.Addr)
	size := r.model.SizeOf(s.Type)
	for _, l := range cells {
		if l.Off == pointsto.Any || l.Obj.External || l.Obj.IsFunc() || r.pts.Outside(l.Obj) {
			return false
		}
		for _, n := range r.threads.AllNodes() {
			if c := n.Ctx.Call; n.Fn.Library && c != nil {
				if f, direct := c.Callee.(*cir.Func); allocators[nameOf(f, direct)] || clearsAll(c) {
					continue
				}
			}
			for _, b := range n.Fn.Blocks {
				for _, in := range b.Instrs {
					if (in != cir.Instr(s) || n != of) && !clears(in) && r.overwrites(n, in, l, size) {
						return false
					}
				}
			}
		}
	}
	return len(cells) > 0
}

// clearsAll reports whether a call of the library writes nothing but zeros.
func clearsAll(c *cir.Call) bool {
	f, direct := c.Callee.(*cir.Func)
	return nameOf(f, direct) == "memset" && len(c.Args) == 3 && isZero(c.Args[1].X)
}

// clears reports whether an instruction writes nothing but zeros.
func clears(in cir.Instr) bool {
	switch in := in.(type) {
	case *cir.Store:
		return isZero(in.X)
	case *cir.Fill:
		return isZero(in.Byte)
	}
	return false
}

func isZero(v cir.Value) bool {
	switch v := v.(type) {
	case cir.Null:
		return v.Addr == 0
	case cir.Int:
		return v.Lo == 0 && v.Hi == 0
	}
	return false
}

// heldPiece returns the piece that an address leads into which was loaded from where a holder has put it: by an instruction that may access that, and so may this one.
func (r *Result) heldPiece(t *thread.Thread, n *thread.Node, in cir.Located, addr cir.Value, deep int) *Piece {
	f := r.function(n)
	if f == nil || len(r.holding[t]) == 0 || deep == 0 {
		return nil
	}
	p := f.resolve(addr, -1, func(valuenum.Value) (form, bool) { return form{}, false })
	if p == nil {
		return nil
	}
	load := f.loaded(p.base)
	if load == nil || !load.Type.IsPointer() || load.Bits != nil {
		return nil
	}
	size := r.model.SizeOf(load.Type)
	a := r.piece(t, n, load, load.Addr, size, deep-1, nil)
	b := r.piece(t, n, in, load.Addr, size, deep-1, nil)
	if a == nil || b == nil || *a != *b {
		return nil
	}
	for _, g := range r.holding[t] {
		for _, h := range g.holders {
			if c := h.cell; c.Kind == a.Kind && c.Lo == a.Lo && c.Hi == a.Hi {
				x := *a
				x.Lo, x.Hi, x.Kind.Held = 0, 0, h.store
				return &x
			}
		}
	}
	return nil
}

// borrowedPiece returns the piece that an address leads into by way of a parameter.
func (r *Result) borrowedPiece(t *thread.Thread, n *thread.Node, addr cir.Value, size int64, about *pointsto.Object) *Piece {
	facts, f := r.borrowedOf(t, about)[n], r.function(n)
	if f == nil || len(facts) == 0 {
		return nil
	}
	p := f.resolveIn(addr, size, func(valuenum.Value) (form, bool) { return form{}, false }, r.about(n, about))
	if p == nil {
		return nil
	}
	k, ok := r.formOf(f.Value(p.base))
	if !ok || k.bits < r.model.PointerBits || k.sym.Kind != valuenum.Param || k.sym.Func != n.Fn || int(k.sym.N) >= len(facts) || facts[k.sym.N] == nil {
		return nil
	}
	if facts[k.sym.N] == nowhere {
		return nowhere
	}
	x := *facts[k.sym.N]
	if x.Kind.Whole() {
		return &x
	}
	if p.wide {
		return nil
	}
	x.Lo, x.Hi = x.Lo+k.add+p.lo, x.Hi+k.add+p.hi // the pointer may be at many places itself
	return &x
}

// calls are the calls that a thread makes of functions of the program and of the library's, and what else may call these.
type calls struct {
	list []callee
	open map[*thread.Node]bool
}

// callee is a node that another one calls.
type callee struct {
	from, to *thread.Node
	in       *cir.Call
}

// callsOf returns the calls that a thread makes.
func (r *Result) callsOf(t *thread.Thread) *calls {
	if c := r.calls[t]; c != nil {
		return c
	}
	c := &calls{open: map[*thread.Node]bool{}}
	r.calls[t] = c
	for _, n := range t.Roots() {
		c.open[n] = true
	}
	for _, n := range r.threads.Nodes(t) {
		for _, b := range n.Fn.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(*cir.Call)
				if !ok {
					continue
				}
				for _, m := range r.threads.Calls(t, n, call) {
					c.list = append(c.list, callee{n, m, call})
					c.open[m] = c.open[m] || n.Outside(call) || n.Fn.Library && !m.Fn.Library
				}
			}
		}
	}
	return c
}

// borrow finds out which parameters of functions that a thread calls point to pieces.
func (r *Result) borrow(by borrowing) {
	t := by.t
	calls, open := r.callsOf(t).list, r.callsOf(t).open
	facts := map[*thread.Node][]*Piece{}
	r.borrowed[by] = facts
	seen := map[*thread.Node]bool{}
	for n := range open {
		seen[n] = open[n]
	}
	for changed := true; changed; {
		changed = false
		for _, c := range calls {
			if open[c.to] || !seen[c.from] && len(r.threads.Nodes(t)) > 0 && c.from != t.Root {
				continue
			}
			first := !seen[c.to]
			if seen[c.to] = true; first {
				facts[c.to] = make([]*Piece, len(c.to.Fn.Params))
				changed = true
			}
			for i := range facts[c.to] {
				old := facts[c.to][i]
				if !first && old == nil {
					continue
				}
				p := r.passedPiece(by, c.from, c.in, i)
				if first {
					facts[c.to][i] = p
				} else if p == nowhere {
					continue
				} else if old == nowhere {
					facts[c.to][i], changed = p, true
				} else if p == nil || *p != *old {
					facts[c.to][i], changed = nil, true
				}
			}
		}
	}
}

// passedPiece returns the piece that an argument of a call points to.
func (r *Result) passedPiece(by borrowing, n *thread.Node, call *cir.Call, i int) *Piece {
	if by.about != nil && i < len(call.Args) && call.Args[i].ByVal == nil && r.model.TypeOf(call.Args[i].X).IsPointer() && !r.leads(n, call.Args[i].X, by.about) {
		return nowhere
	}
	if i >= len(call.Args) || call.Args[i].ByVal != nil || !r.model.TypeOf(call.Args[i].X).IsPointer() || r.creates(n, call) {
		return nil
	}
	return r.piece(by.t, n, call, call.Args[i].X, 0, maxHeld, by.about)
}

// maxHeld bounds how many objects lead to one another that are held.
const maxHeld = 2
