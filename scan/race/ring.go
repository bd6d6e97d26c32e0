package race

import (
	"comus/check/ticket"
	"comus/scan/barrier"
	"comus/scan/thread"
)

// ringUse is a ring that two threads use.
type ringUse struct {
	ring     ticket.Ring
	put, get *thread.Thread
}

// ringed reports whether accesses of two groups go to elements of a ring that one thread puts in and the other one takes out: see check/ticket.
func (ps *pieces) ringed(c *collector, g, h *group) bool {
	k := ringUse{g.piece.Kind.Ring, g.t, h.t}
	if !g.piece.Puts {
		k.put, k.get = h.t, g.t
	}
	ok, known := ps.rings[k]
	if !known {
		ok = ps.holds(c, k)
		ps.rings[k] = ok
	}
	if !ok {
		return false
	}
	for _, t := range []*thread.Thread{k.put, k.get} {
		for _, x := range []ticket.Cell{g.piece.Kind.Rows, g.piece.Kind.In} {
			if x.Obj != nil && !ps.stay(c, x, t) {
				return false
			}
		}
	}
	return true
}

// holds reports whether two threads use a ring as they have to.
func (ps *pieces) holds(c *collector, k ringUse) bool {
	for _, t := range []*thread.Thread{k.put, k.get} {
		if t.Many || t.Signal || !barrier.Once(c.prog, c.pts, c.threads, t) {
			return false
		}
	}
	steady, wraps, ok := ps.found.Tickets().Holds(k.ring, k.put, k.get, func(x ticket.Cell) []ticket.Write[*thread.Node, *thread.Thread] { return ps.writesOf(c, x) }, c.threads.Threads)
	for _, x := range steady {
		ok = ok && ps.stay(c, x, k.put) && ps.stay(c, x, k.get)
	}
	c.tickets = c.tickets || ok && wraps
	return ok
}

// writesOf returns the writes of a cell.
func (ps *pieces) writesOf(c *collector, x ticket.Cell) (list []ticket.Write[*thread.Node, *thread.Thread]) {
	s := c.slots[place{obj: x.Obj}]
	if s == nil {
		return nil
	}
	bytes := cellBytes(x.Obj, x.Off, x.Size())
	for i := range s.uses {
		u := &s.uses[i]
		if !u.x.meets(bytes) {
			continue
		}
		for _, b := range u.pool.order {
			if !b.kind.write {
				continue
			}
			w := b.kind
			meets := func(t *thread.Thread) bool {
				return w.t.Signal || w.t.Descends(t) || c.threads.Parallel(w.t, w.running, t, nil)
			}
			for _, a := range b.list {
				list = append(list, ticket.Write[*thread.Node, *thread.Thread]{Thread: w.t, Node: a.node, In: a.in, Meets: meets})
			}
		}
	}
	return list
}
