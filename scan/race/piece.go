package race

import (
	"context"
	"slices"

	"comus/check/scancheck"
	"comus/cir"
	"comus/scan/pointsto"
	"comus/scan/thread"
)

// What memory belongs to one thread of many, and what barriers, flags, semaphores and counters of threads order, is found out by the checker's rules
// (check/scancheck), which are asked here.

// asked are answers of the checker's rules.
type asked struct {
	rules  *scancheck.Rules // nil: nothing is known
	copyOf func(*thread.Node) int
	pieces map[*scancheck.Piece]int32 // numbers
}

// at returns what is known of when a thread runs an instruction of a node.
func (q *asked) at(t *thread.Thread, n *thread.Node, in cir.Located) scancheck.Moment {
	if q.rules == nil {
		return 0
	}
	return q.rules.At(t.Index, q.copyOf(n), in)
}

// number returns the number of a piece, 0 for none.
func (q *asked) number(p *scancheck.Piece) int32 {
	if p == nil {
		return 0
	}
	n, known := q.pieces[p]
	if !known {
		n = int32(len(q.pieces)) + 1
		q.pieces[p] = n
	}
	return n
}

// join returns what is known of accesses that are made at one of two moments.
func (q *asked) join(a, b scancheck.Moment) scancheck.Moment {
	if q.rules == nil {
		return 0
	}
	return q.rules.Join(a, b)
}

// apart reports whether accesses of two groups go to what belongs to different threads, or are made by one thread.
func (q *asked) apart(g, h *group) bool {
	return q.rules != nil && q.rules.Apart(g.t.Index, g.piece, g.moment, h.t.Index, h.piece, h.moment)
}

// signalled reports whether a flag, a semaphore or pthread_once orders accesses of two groups.
func (q *asked) signalled(g, h *group) bool {
	return q.rules != nil && q.rules.Signalled(g.t.Index, g.moment, h.t.Index, h.moment)
}

// latched reports whether a counter of threads orders accesses of two groups.
func (q *asked) latched(g, h *group) bool {
	return q.rules != nil && q.rules.Latched(g.t.Index, g.moment, h.t.Index, h.moment)
}

// phased reports whether a barrier is between accesses of two groups.
func (q *asked) phased(g, h *group) bool {
	return q.rules != nil && q.rules.Phased(g.t.Index, g.moment, h.t.Index, h.moment)
}

// settle looks at what is suspected again, once it is known which flags and counters order accesses. It returns what is known then.
func (c *collector) settle(ctx context.Context, all []*judged) ([]*judged, error) {
	if c.rules.rules == nil {
		return all, nil
	}
	signals, latches := c.rules.rules.Settle(func(o *pointsto.Object, off, size int64) (free, relaxed bool) {
		bytes, found := cellBytes(o, off, size), false
		for _, s := range all {
			if s.p.obj == o && s.p.state == "" && s.x.meets(bytes) {
				if found = true; s.why == Suspected {
					return false, false
				}
				relaxed = relaxed || c.relaxed(s.segment)
			}
		}
		return found, relaxed
	})
	if latches { // what they order does not take back what is owned
		clear(c.owner.void)
		return c.judgeAll(ctx)
	}
	if signals {
		for _, s := range all {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if s.why == Suspected {
				s.verdict = c.judge(s.segment)
			}
		}
	}
	return all, nil
}

// cellBytes returns the bytes of a global at an offset: all, if that is in an array, of which what is accessed is said of the first element.
func cellBytes(o *pointsto.Object, off, size int64) extent {
	if !(pointsto.Location{Obj: o, Off: off}).Exact() {
		return everywhere
	}
	return extent{off, off + size}
}

// pieceOf returns the piece that a thread accesses by an instruction, nil if it is not known to be one.
func (c *collector) pieceOf(t *thread.Thread, n *thread.Node, in cir.Located, h *hit) *scancheck.Piece {
	if c.rules.rules == nil || h.far && h.listed == nil {
		return nil
	}
	a := scancheck.Access{Thread: t.Index, Copy: c.rules.copyOf(n), In: in, Ptr: h.ptr, Size: h.size, Object: h.object, List: h.listed != nil, About: h.listed}
	if p := c.rules.rules.Piece(a); p != nil || h.listed != nil {
		return p
	}
	var all *scancheck.Piece
	for i, o := range h.objects() {
		a.About = o
		p := c.rules.rules.Piece(a)
		if p == nil || i > 0 && p != all {
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
func allocated(p *scancheck.Piece) *scancheck.Piece {
	if p == nil || !p.Whole() {
		return nil
	}
	return p
}

// maxAbsent bounds the accesses of a group of which it is asked whether the thread makes them.
const maxAbsent = 100

// absent reports whether the thread of a group never makes its accesses, as it gives functions other objects than other threads do.
func (c *collector) absent(g *group) bool {
	if g.absent == unasked {
		g.absent = no
		if g.obj != nil && (g.state == "" || g.state == freed) && c.rules.rules != nil && g.size() <= maxAbsent && !slices.ContainsFunc(g.list(), func(a *access) bool { return !c.misses(g, a) }) {
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
		list := x.span == listed && x.key.only != nil
		missed = (list || x.span == bytes || x.span == object) && c.rules.rules.Absent(scancheck.Access{Thread: g.t.Index, Copy: c.rules.copyOf(a.node),
			In: a.in, Ptr: x.ptr, Size: x.size, Object: x.span == object, List: list, About: g.obj})
	})
	return missed && any
}
