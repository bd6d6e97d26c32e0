package private

import (
	"comus/check/ticket"
	"comus/cir"
	"comus/scan/pointsto"
	"comus/scan/thread"
)

// Elements at numbers that threads have drawn from a counter: the rule is the checker's (check/ticket), which is asked here as it is there.

// graph is the code that threads run.
type graph struct{ r *Result }

func (g graph) Func(n *thread.Node) *cir.Func { return n.Fn }

func (g graph) Places(n *thread.Node, p cir.Value) []pointsto.Location {
	return g.r.pts.Places(n.Fn, n.Ctx, p)
}

func (g graph) Nodes(t *thread.Thread) []*thread.Node { return g.r.threads.Nodes(t) }

func (g graph) Root(t *thread.Thread) *thread.Node { return t.Root }

func (g graph) Calls(t *thread.Thread, n *thread.Node, call *cir.Call) (to []*thread.Node, outside bool) {
	return g.r.threads.Calls(t, n, call), n.Outside(call)
}

// Open returns the nodes that a thread begins with, or that are called by code whose arguments are not known.
func (g graph) Open(t *thread.Thread) map[*thread.Node]bool {
	open := map[*thread.Node]bool{}
	for _, n := range t.Roots() {
		open[n] = true
	}
	for _, n := range g.Nodes(t) {
		for _, b := range n.Fn.Blocks {
			for _, in := range b.Instrs {
				if call, ok := in.(*cir.Call); ok {
					to, outside := g.Calls(t, n, call)
					for _, m := range to {
						open[m] = open[m] || outside || n.Fn.Library && !m.Fn.Library
					}
				}
			}
		}
	}
	return open
}

// Numbered returns how many bits tell the numbers apart that threads of an identity are given; 0: they are given none.
func (g graph) Numbered(t *thread.Thread) (bits int) {
	if x := g.r.groups[t]; x != nil && x.loop != nil {
		return counterBits(x)
	}
	return 0
}

// Number returns the call that has given a thread its number, if a register of a node has that, plus a constant: it is made of the thread's argument, or was loaded from the thread's element, into which the
// number was put.
func (g graph) Number(t *thread.Thread, n *thread.Node, x *cir.Reg) (by *cir.Call, add int64, ok bool) {
	y := g.r.groups[t]
	f := g.r.function(n)
	if y == nil || y.loop == nil || f == nil || x.Type.Bits < counterBits(y) {
		return nil, 0, false
	}
	if y.number != nil {
		k, ok := g.r.argument(y, n, f.Value(x))
		return y.create, k.add + y.number.add, ok && k.bits >= counterBits(y)
	}
	load, ok := f.defs[x.Index].(*cir.Load)
	if !ok {
		return nil, 0, false
	}
	s := g.r.stamped(y, n, load)
	return y.create, s.what.add, s.ok && x.Type.IsInt()
}

// Kept tells of a load of a pointer that it gives the same one to all threads of an identity, which was put into their elements.
func (g graph) Kept(t *thread.Thread, n *thread.Node, load *cir.Load) (f ticket.Field, ok bool) {
	y := g.r.groups[t]
	if y == nil || y.loop == nil || y.number != nil || g.r.function(n) == nil {
		return f, false
	}
	s := g.r.stamped(y, n, load)
	return ticket.Field{By: y.create, Off: s.off}, s.ok
}

// Lead returns why only one thread of an identity is at an instruction of a node.
func (r *Result) Lead(t *thread.Thread, n *thread.Node, in cir.Located) ticket.Lead {
	i, ok := in.(cir.Instr)
	if !ok || !t.Many || t.Signal {
		return ticket.Lead{}
	}
	return r.tickets.LeadAt(t, n, i)
}

// usedBy is a cell that a thread uses.
type usedBy struct {
	c ticket.Cell
	t *thread.Thread
}

// Tickets are the counters from which numbers are drawn.
func (r *Result) Tickets() *ticket.Tickets[*thread.Node, *thread.Thread] { return r.tickets }

// Used reports whether a thread may have loaded a cell, or drawn from it, before an instruction of a node, or by it.
func (r *Result) Used(c ticket.Cell, t *thread.Thread, n *thread.Node, in cir.Located) bool {
	key := usedBy{c, t}
	if r.used[key] == nil {
		r.used[key] = r.tickets.UsesOf(c, t)
	}
	return r.used[key].Before(n, in)
}

// drawnPiece returns the elements that an access goes to which belong to who has drawn a number, nil if it is not known to go there.
func (r *Result) drawnPiece(t *thread.Thread, n *thread.Node, in cir.Located, addr cir.Value, size int64) *Piece {
	i, ok := in.(cir.Instr)
	if !ok || t.Signal {
		return nil
	}
	x := r.tickets.Piece(t, n, i, addr, size)
	if x == nil {
		return nil
	}
	return &Piece{Kind: Kind{Ticket: x.Ticket, Given: x.Given, Band: x.Band, Rows: x.Rows, In: x.In, At: x.At, Global: x.Global, Field: x.Field, Stride: x.Stride, Add: x.Add, Ring: x.Ring}, Puts: x.Puts, Lo: x.Lo, Hi: x.Hi}
}
