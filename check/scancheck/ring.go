package scancheck

import "comus/check/ticket"

// Elements of a ring are accessed by one thread that puts them in, and by one that takes them out: see check/ticket. Here it is verified that there is one thread of each, that nobody else writes the two counters meanwhile, nor what else elements are
// found by.

// ringUse is a ring that two threads use.
type ringUse struct {
	ring     ticket.Ring
	put, get *thread
}

// ringed reports whether accesses of two groups, if they go to elements of a ring, are ordered or go to different ones.
func (ls *locations) ringed(g, h *group) bool {
	k := ringUse{g.piece.ring, g.t, h.t}
	if k.ring.Put.Obj == nil {
		return true
	}
	if !g.piece.puts {
		k.put, k.get = h.t, g.t
	}
	ok, known := ls.tickets.rings[k]
	if !known {
		ok = ls.usesRing(k)
		ls.tickets.rings[k] = ok
	}
	return ok && ls.stay(k, g.piece.rows, g.piece.in)
}

// usesRing reports whether there is one thread of each kind, and the two use a ring as they have to.
func (ls *locations) usesRing(k ringUse) bool {
	for _, t := range []*thread{k.put, k.get} {
		n, _, ok := ls.howMany(t, 0)
		if !ok || n.of != nil || n.add > 1 || t.Many || t.Loose || t.lands || ls.isSignal(t) {
			return false
		}
	}
	steady, wraps, ok := ls.tickets.Holds(k.ring, k.put, k.get, ls.writesOf, ls.threads.list)
	if !ok || !ls.stay(k, steady...) {
		return false
	}
	if wraps {
		ls.assumed[assumeTickets] = true
	}
	return true
}

// stay reports whether nobody writes some cells while the threads of a ring may be running.
func (ls *locations) stay(k ringUse, cells ...ticket.Cell) bool {
	for _, c := range cells {
		if c.Obj != nil && (!ls.isSteady(held{c, false, k.put}) || !ls.isSteady(held{c, false, k.get})) {
			return false
		}
	}
	return true
}

// writesOf returns the writes of a cell.
func (ls *locations) writesOf(c ticket.Cell) (list []ticket.Write[int, *thread]) {
	for _, w := range ls.cellWritesTo(c.Obj) {
		if w.frees || !w.bytes.meets(extent{c.Off, c.Off + c.Size()}) {
			continue // behind the life of an object there is no cell
		}
		meets := func(t *thread) bool {
			return ls.isSignal(w.t) || w.t.Loose || w.t.lands || t.desc.has(w.t.index) || ls.parallel(w.t, w.running, t, set{})
		}
		list = append(list, ticket.Write[int, *thread]{Thread: w.t, Node: w.copy, In: w.in, Meets: meets})
	}
	return list
}
