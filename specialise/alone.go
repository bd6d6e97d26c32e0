package specialise

import (
	"maps"

	"comus/ir"
	"comus/logic"
	"comus/scan/pointsto"
)

// As long as no thread has been created, main is alone: nobody else changes what it knows of memory, and what it
// has not written yet holds what it held when the program began. What all executions agree on when main stops being
// alone, and nobody writes later, is known to all threads.

// leaving is what is known of memory where main stops being alone.
type leaving struct {
	consts map[*ir.Var]*value
	wrote  *wrote
}

// wrote is what control has come by a write of: of globals, the only ones that hold something from the beginning. It is
// not changed once made.
type wrote struct {
	cells   map[*cell]bool
	objects map[*pointsto.Object]bool // something of what they stand for
	any     bool                      // anything
}

// with returns the set with one cell more.
func (w *wrote) with(c *cell) *wrote {
	if c.obj.global == nil || w.has(c) {
		return w
	}
	cells := maps.Clone(w.cells)
	if cells == nil {
		cells = map[*cell]bool{}
	}
	cells[c] = true
	return &wrote{cells, w.objects, w.any}
}

// and returns what is in one of two sets.
func (w *wrote) and(v *wrote) *wrote {
	if w == v {
		return w
	}
	u := &wrote{maps.Clone(w.cells), maps.Clone(w.objects), w.any || v.any}
	if u.cells == nil {
		u.cells = map[*cell]bool{}
	}
	if u.objects == nil {
		u.objects = map[*pointsto.Object]bool{}
	}
	maps.Copy(u.cells, v.cells)
	maps.Copy(u.objects, v.objects)
	return u
}

// has reports whether a cell may have been written.
func (w *wrote) has(c *cell) bool {
	return w.any || c.obj.abs == nil || w.cells[c] || w.objects[c.obj.abs]
}

// leaveAlone notes that other threads may run from here on.
func (b *builder) leaveAlone() {
	if b.cur == nil || !b.cur.alone {
		return
	}
	b.noteLeaving(b.cur)
	b.cur.alone = false
	b.forgetShared()
}

// noteLeaving keeps what is known in a flow where main stops being alone.
func (b *builder) noteLeaving(f *flow) {
	b.left = append(b.left, leaving{maps.Clone(f.consts), f.wrote})
}

// untouched returns what a cell holds as long as the current flow has not come by a write to it, if nobody else writes it.
func (b *builder) untouched(c *cell) (logic.Value, bool) {
	if c.v.Init == nil || c.obj.global == nil || b.cur.wrote.has(c) || c.v.Thread == ir.Shared && !b.cur.alone {
		return logic.Value{}, false
	}
	return *c.v.Init, true
}

// atLeaving returns what a cell holds wherever main stops being alone.
func (b *builder) atLeaving(c *cell) (w logic.Value, ok bool) {
	for i, l := range b.left {
		var k logic.Value
		switch v := l.consts[c.v]; {
		case v != nil:
			k, ok = v.t.Const()
		case c.v.Init != nil && c.obj.global != nil && !l.wrote.has(c):
			k, ok = *c.v.Init, true
		default:
			ok = false
		}
		if !ok || i > 0 && k != w {
			return w, false
		}
		w = k
	}
	return w, len(b.left) > 0
}

// boundsOf returns an interval that a term is in, if there is an obvious one.
func (b *builder) boundsOf(t *logic.Term) (interval, bool) {
	if k, ok := t.Const(); ok {
		return interval{k, k}, true
	}
	switch t.Op() {
	case logic.OpIte:
		r, ok := b.boundsOf(t.Args()[1])
		s, ok2 := b.boundsOf(t.Args()[2])
		return r.hull(s), ok && ok2
	case logic.OpVar:
		if v := b.symbols[t]; v != nil && b.cellOf[v] != nil {
			r, ok := b.facts.ranges[b.cellOf[v].key]
			return r, ok
		}
	}
	return interval{}, false
}

// hull returns the smallest interval that both lie in.
func (r interval) hull(s interval) interval {
	return interval{minValue(r.lo, s.lo), maxValue(r.hi, s.hi)}
}
