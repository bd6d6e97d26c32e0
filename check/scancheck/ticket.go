package scancheck

import (
	"fmt"
	"slices"

	"comus/check/ticket"
	"comus/cir"
	"comus/scan/pointsto"
)

// Elements of an array at numbers that threads have drawn from a counter belong to those threads: see check/ticket, which says what an access goes to and which writes are draws. Here it is verified that nobody else writes the counter meanwhile, nor
// what else the elements are found by.

// cellWrite is a write of memory that there is one of.
type cellWrite struct {
	t       *thread
	copy    int
	in      cir.Located
	bytes   extent
	running set
	frees   bool
}

// tickets are what is known of numbers that are drawn.
type tickets struct {
	*ticket.Tickets[int, *thread]
	writes map[*pointsto.Object][]cellWrite
	steady map[held]bool
	rings  map[ringUse]bool
	given  bool // threads are given numbers
}

// held is a cell while a thread runs; it is a counter, which draws may write, or what nobody may.
type held struct {
	c       ticket.Cell
	counter bool
	t       *thread
}

// graph is the code that threads run.
type graph struct{ ls *locations }

func (g graph) Func(c int) *cir.Func { return g.ls.copies[c].Func }

func (g graph) Places(c int, p cir.Value) []pointsto.Location {
	return g.ls.pts.Places(g.ls.copies[c].Func, g.ls.copies[c].Ctx, p)
}

func (g graph) Nodes(t *thread) (list []int) {
	for _, n := range t.order {
		list = append(list, n.copy)
	}
	return list
}

func (g graph) Root(t *thread) int { return t.Root }

func (g graph) Open(t *thread) map[int]bool { return g.ls.openCopies(t) }

func (g graph) Calls(t *thread, c int, call *cir.Call) (to []int, outside bool) {
	x := g.ls.calleesBy(t, c, call)
	return x.to, x.outside
}

// Numbered returns how many bits tell the numbers apart that threads of an identity are given; 0: they are given none.
func (g graph) Numbered(t *thread) (bits int) {
	if x := g.ls.giftOf(t); x != nil && x.loop != nil {
		return x.bits
	}
	return 0
}

// Number returns the call that has given a thread its number, if a register of a copy has that, plus a constant: it is made of the thread's argument, or was loaded from the thread's element.
func (g graph) Number(t *thread, c int, x *cir.Reg) (by *cir.Call, add int64, ok bool) {
	y := g.ls.giftOf(t)
	f := g.ls.valuesOf(g.ls.copies[c].Func)
	if y == nil || y.loop == nil || f == nil || x.Type.Bits < y.bits {
		return nil, 0, false
	}
	if y.number != nil {
		k, ok := f.term(x, nil, g.ls.factsOf(y, t)[c])
		return y.create, k.add + y.number.add, ok && k.bits >= y.bits
	}
	load, ok := f.def(x).(*cir.Load)
	if !ok {
		return nil, 0, false
	}
	s := g.ls.stamped(y, t, c, load)
	return y.create, s.what.add, s.ok && x.Type.IsInt()
}

// Kept tells of a load of a pointer that it gives the same one to all threads of an identity, which was put into their elements.
func (g graph) Kept(t *thread, c int, load *cir.Load) (f ticket.Field, ok bool) {
	y := g.ls.giftOf(t)
	if y == nil || y.loop == nil || y.number != nil || g.ls.valuesOf(g.ls.copies[c].Func) == nil {
		return f, false
	}
	s := g.ls.stamped(y, t, c, load)
	return ticket.Field{By: y.create, Off: s.off}, s.ok
}

// leadOf returns why only one thread of an identity is at an instruction of a copy.
func (ls *locations) leadOf(t *thread, c int, at cir.Located) ticket.Lead {
	if in, ok := at.(cir.Instr); ok && t.Many && !t.Loose && !ls.isSignal(t) {
		return ls.tickets.LeadAt(t, c, in)
	}
	return ticket.Lead{}
}

// findTickets finds the counters from which numbers are drawn.
func (ls *locations) findTickets() {
	all := make([]int, len(ls.copies))
	for c := range all {
		all[c] = c
	}
	given := slices.ContainsFunc(ls.threads.list, func(t *thread) bool { return graph{ls}.Numbered(t) > 0 })
	ls.tickets = tickets{ticket.Find(graph{ls}, ls.pts, ls.prog.Model, all), map[*pointsto.Object][]cellWrite{}, map[held]bool{}, map[ringUse]bool{}, given}
}

// noteCell notes a write of memory that there is one of.
func (ls *locations) noteCell(v *visit, o *pointsto.Object, bytes extent, frees bool) {
	if ls.tickets.None() && !ls.tickets.given && !ls.latches.used || !ls.pts.Once(o) {
		return
	}
	ls.tickets.writes[o] = append(ls.tickets.writes[o], cellWrite{v.t, v.copy, v.in, bytes, v.running, frees})
}

// cellWritesTo returns the writes of memory that there is one of.
func (ls *locations) cellWritesTo(o *pointsto.Object) []cellWrite {
	if ls.unnoted != nil {
		ls.unnoted(o)
	}
	return ls.tickets.writes[o]
}

// isSteady reports whether nobody writes a cell, but a counter by draws, while a thread may be running, nor the thread itself after it has used it.
func (ls *locations) isSteady(h held) bool {
	if ok, known := ls.tickets.steady[h]; known {
		return ok
	}
	ls.tickets.steady[h] = ls.findSteady(h)
	return ls.tickets.steady[h]
}

func (ls *locations) findSteady(h held) bool {
	c, t := h.c, h.t
	if ls.isSignal(t) || t.Loose || t.lands || c.Obj.External {
		return false
	}
	var used ticket.Uses[int]
	for _, w := range ls.cellWritesTo(c.Obj) {
		if w.frees || !w.bytes.meets(extent{c.Off, c.Off + c.Size()}) {
			continue // behind the life of an object there is no cell
		}
		if ls.isSignal(w.t) || w.t.Loose || w.t.lands {
			return false
		}
		if h.counter && ls.tickets.Draws(c, w.copy, w.in) {
			continue
		}
		if w.t != t || t.Many {
			if t.desc.has(w.t.index) || ls.parallel(w.t, w.running, t, set{}) {
				return false
			}
			continue
		}
		if used == nil {
			used = ls.tickets.UsesOf(c, t)
		}
		if used.Before(w.copy, w.in) {
			return false
		}
	}
	return true
}

// ticketPiece returns the elements that an access goes to which belong to who has drawn a number, nil if it is not known to go there.
func (ls *locations) ticketPiece(a *access) *piece {
	in, ok := a.in.(cir.Instr)
	if !ok || a.touch.ptr == nil || a.span != from {
		return nil
	}
	x := ls.tickets.Piece(a.t, a.copy, in, a.touch.ptr, a.size)
	if x == nil {
		return nil
	}
	p := &piece{pieceKind: pieceKind{ticket: x.Ticket, given: x.Given, band: x.Band, rows: x.Rows, in: x.In, stride: x.Stride, add: x.Add, ring: x.Ring}, lo: x.Lo, hi: x.Hi, puts: x.Puts}
	switch {
	case x.At.Obj != nil:
		p.base = fmt.Sprintf("object %d at %d", x.At.Obj.ID, x.At.Off)
	case x.Field.By != nil:
		p.field = x.Field
	case x.Global != nil:
		p.base = "global " + x.Global.Name
	default:
		p.base = fmt.Sprintf("in object %d at %d", x.In.Obj.ID, x.In.Off)
	}
	return p
}

// drawn reports whether what was drawn is different for all threads, and what else a piece rests on is the same, as far as a thread goes.
func (ls *locations) drawn(p *piece, t *thread) bool {
	if p.ticket.Obj == nil && p.given == nil {
		return true
	}
	counter := p.ticket
	if p.given == nil {
		counter.Of = ls.tickets.Drawn(p.ticket)
	}
	for i, c := range []ticket.Cell{counter, p.rows, p.in, p.band.Times.At, p.band.Over.At} {
		if c.Obj != nil && !ls.isSteady(held{c, i == 0, t}) {
			return false
		}
	}
	if ls.tickets.Wraps(p.ticket) {
		ls.assumed[assumeTickets] = true
	}
	return true
}
