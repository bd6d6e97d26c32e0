package race

import (
	"slices"

	"comus/check/ticket"
	"comus/cir"
	"comus/scan/pointsto"
	"comus/scan/private"
	"comus/scan/thread"
)

// pieces are the pieces of memory that belong to one thread each.
type pieces struct {
	found   *private.Result // nil: none
	numbers map[private.Piece]int32
	globals map[*cir.Global]*pointsto.Object
	stays   map[cellOf]bool
	rings   map[ringUse]bool
	leads   map[ticket.Lead]int
}

// cellOf is a cell while a thread runs.
type cellOf struct {
	cell ticket.Cell
	t    *thread.Thread
}

func newPieces(pts *pointsto.Result, found *private.Result) pieces {
	ps := pieces{found: found, numbers: map[private.Piece]int32{}, globals: map[*cir.Global]*pointsto.Object{}, stays: map[cellOf]bool{}, rings: map[ringUse]bool{}, leads: map[ticket.Lead]int{{}: 0}}
	for _, o := range pts.Objects {
		if o.Global != nil {
			ps.globals[o.Global] = o
		}
	}
	return ps
}

// pieceOf returns the piece that a thread accesses by an instruction, nil if it is not known to be one.
func (c *collector) pieceOf(t *thread.Thread, n *thread.Node, in cir.Located, h *hit) *private.Piece {
	found := c.pieces.found
	switch {
	case found == nil:
		return nil
	case h.listed != nil && n.Ctx.Call != nil:
		return found.Listed(t, n.Ctx.Call, c.holder.callersOf(t, n.Ctx.Call), h.listed)
	case h.far:
		return nil
	}
	if p := found.Piece(t, n, in, h.ptr, h.size, nil); p != nil {
		return p
	}
	size := h.size
	if h.onward {
		size = private.Onward
	}
	var all *private.Piece
	for i, o := range h.objects() {
		p := found.Piece(t, n, in, h.ptr, size, o)
		if p == nil || i > 0 && *p != *all {
			return nil
		}
		all = p
	}
	return all
}

// maxAsked bounds the objects of which it is asked what belongs to whom.
const maxAsked = 3

// objects returns those objects that an access goes to, none if there are many.
func (h *hit) objects() (list []*pointsto.Object) {
	for _, x := range h.to {
		if x.what != memory {
			continue
		}
		for _, o := range x.pool.objects {
			if !slices.Contains(list, o) {
				list = append(list, o)
			}
			if len(list) > maxAsked {
				return nil
			}
		}
	}
	return list
}

// allocated returns a piece if it is all of an object.
func allocated(p *private.Piece) *private.Piece {
	if p == nil || !p.Kind.Whole() {
		return nil
	}
	return p
}

// number returns the number of a piece, 0 for none.
func (ps *pieces) number(p *private.Piece) int32 {
	if p == nil {
		return 0
	}
	n, known := ps.numbers[*p]
	if !known {
		n = int32(len(ps.numbers)) + 1
		ps.numbers[*p] = n
	}
	return n
}

// lead returns why only one thread of an identity makes accesses by an instruction of a node, if it makes any.
func (ps *pieces) lead(t *thread.Thread, n *thread.Node, in cir.Located, of *hits) ticket.Lead {
	if ps.found == nil || of == nil {
		return ticket.Lead{}
	}
	l := ps.found.Lead(t, n, in)
	ps.leadNumber(l)
	return l
}

// leadNumber returns a number for a lead.
func (ps *pieces) leadNumber(l ticket.Lead) int {
	n, known := ps.leads[l]
	if !known {
		n = len(ps.leads)
		ps.leads[l] = n
	}
	return n
}

// apart reports whether accesses of two groups, by two threads, go to pieces of different ones.
func (ps *pieces) apart(c *collector, g, h *group) bool {
	if !g.piece.Apart(h.piece) {
		return false
	}
	if g.piece.Kind.Ring.Put.Obj != nil {
		return ps.ringed(c, g, h)
	}
	if k := g.piece.Kind; k.Numbered() {
		return (k.Given == nil || g.t == h.t) && ps.drawn(c, k, g.t) && ps.drawn(c, k, h.t)
	}
	b := g.piece.Kind.Base
	if g.piece.Kind.Allocated || b.Cell == nil {
		return true
	}
	return (g.piece.Parent || ps.steady(c, b, g.t)) && (h.piece.Parent || ps.steady(c, b, h.t))
}

// steady reports whether nobody writes the cell of a base while a thread may be running.
func (ps *pieces) steady(c *collector, b private.Base, t *thread.Thread) bool {
	o := ps.globals[b.Cell]
	if o == nil || o.External || b.Cell.External {
		return false
	}
	s := c.slots[place{obj: o}]
	if s == nil || len(s.uses) == 0 {
		return false
	}
	bytes := cellBytes(o, b.Off, 8)
	for i := range s.uses {
		u := &s.uses[i]
		for k := range u.pool.bunches {
			if k.write && u.x.meets(bytes) && (k.t.Descends(t) || c.threads.Parallel(k.t, k.running, t, nil)) {
				return false
			}
		}
	}
	return true
}

// drawn reports whether the numbers that a thread draws are others than those of other threads, and what else a kind of pieces rests on is the same for all of them.
func (ps *pieces) drawn(c *collector, k private.Kind, t *thread.Thread) bool {
	for i, x := range []ticket.Cell{k.Ticket, k.Rows, k.In, k.Band.Times.At, k.Band.Over.At} {
		if x.Obj == nil {
			continue
		}
		if i == 0 {
			x.Of = ps.found.Tickets().Drawn(x)
		}
		if !ps.stay(c, x, t) {
			return false
		}
	}
	if ps.found.Tickets().Wraps(k.Ticket) {
		c.tickets = true
	}
	return true
}

// stay is kept, asked once.
func (ps *pieces) stay(c *collector, x ticket.Cell, t *thread.Thread) bool {
	key := cellOf{x, t}
	ok, known := ps.stays[key]
	if !known {
		ok = ps.kept(c, x, t)
		ps.stays[key] = ok
	}
	return ok
}

// kept reports whether nobody writes a cell but by draws while a thread may be running, nor the thread itself once it has used it.
func (ps *pieces) kept(c *collector, x ticket.Cell, t *thread.Thread) bool {
	s := c.slots[place{obj: x.Obj}]
	if s == nil {
		return false
	}
	bytes := cellBytes(x.Obj, x.Off, x.Size())
	for i := range s.uses {
		u := &s.uses[i]
		if !u.x.meets(bytes) {
			continue
		}
		for _, b := range u.pool.order {
			if b.kind.write && !ps.keeps(c, x, t, b) {
				return false
			}
		}
	}
	return true
}

// keeps reports whether writes of a cell are draws, or done while a thread is not running, or has not used the cell yet.
func (ps *pieces) keeps(c *collector, x ticket.Cell, t *thread.Thread, b *bunch) bool {
	w := b.kind.t
	for _, a := range b.list {
		switch {
		case w.Signal || t.Signal:
			return false
		case ps.found.Tickets().Draws(x, a.node, a.in):
		case w != t || t.Many:
			if w.Descends(t) || c.threads.Parallel(w, b.kind.running, t, nil) {
				return false
			}
		case ps.found.Used(x, t, a.node, a.in):
			return false
		}
	}
	return true
}

// maxAbsent bounds the accesses of a group of which it is asked whether the thread makes them.
const maxAbsent = 100

// absent reports whether the thread of a group never makes its accesses, as it gives functions other objects than other threads do.
func (c *collector) absent(g *group) bool {
	if g.absent == unasked {
		g.absent = no
		if g.obj != nil && (g.state == "" || g.state == freed) && c.pieces.found != nil && g.size() <= maxAbsent && !slices.ContainsFunc(g.list(), func(a *access) bool { return !c.misses(g, a) }) {
			g.absent = yes
		}
	}
	return g.absent == yes
}

// misses reports whether an access of a group goes to other objects than the group's.
func (c *collector) misses(g *group, a *access) bool {
	missed, any := true, false
	c.eachAim(a.node, a.in, func(x aim) {
		if !missed || x.key.only != nil && x.key.only != g.obj || !c.objectsAt(x).Has(g.obj.ID) {
			return
		}
		any = true
		switch {
		case x.key.only != nil && a.node.Ctx.Call != nil:
			call := a.node.Ctx.Call
			missed = c.pieces.found.AbsentListed(g.t, call, c.holder.callersOf(g.t, call), g.obj)
		case x.span == bytes || x.span == object:
			missed = c.pieces.found.Absent(g.t, a.node, x.ptr, g.obj)
		default:
			missed = false
		}
	})
	return missed && any
}
