package scancheck

import (
	"slices"

	"comus/cir"
)

// A loop may call a function that creates the thread of the turn: at most once in each of its calls, and nothing else of what the creating thread runs calls it. What the function's parameters are, the turn has given it.

// calls is the call in the loop by which the thread of a turn is created.
func (g *gift) calls() *cir.Call {
	if g.via != nil {
		return g.via
	}
	return g.create
}

// creator is the node with the call that creates the threads.
func (g *gift) creator() *node {
	if g.via != nil {
		return g.inner
	}
	return g.node
}

// findVia finds out what threads are given by a function that a loop calls; g has what is known of that function.
func (ls *locations) findVia(k *thread, g *gift, arg cir.Value) *gift {
	g.inner, g.fi = g.node, g.f
	g.node, g.via = ls.onlyCaller(g.parent, g.inner)
	if g.node == nil || g.node == g.inner || ls.copies[g.node.copy].Func.Library || g.fi.gets(nil, g.create, g.create, nil) {
		return nil
	}
	f := ls.copies[g.node.copy].Func
	if g.f = ls.valuesOf(f); g.f == nil {
		return nil
	}
	for _, l := range countersOf(f) {
		if !ls.turns(k, g, l) {
			continue
		}
		g.loop, g.bits = l, int(l.local.Size)*8
		if x, ok := g.fi.term(arg, nil, g.passed()); ok && x.bits >= g.bits {
			g.number = &x
			return g
		}
		if p := g.elementBy(g.outside(arg, 0)); p != nil {
			g.at = p
			return g
		}
	}
	return nil
}

// onlyCaller returns the only call by which a thread gets to a node, and the node with it; nil if there are others.
func (ls *locations) onlyCaller(t *thread, of *node) (from *node, call *cir.Call) {
	if ls.openCopies(t)[of.copy] {
		return nil, nil
	}
	for _, n := range t.order {
		for _, b := range ls.copies[n.copy].Func.Blocks {
			for _, in := range b.Instrs {
				c, ok := in.(*cir.Call)
				if !ok || !slices.Contains(ls.calleesBy(t, n.copy, c).to, of.copy) {
					continue
				}
				if call != nil {
					return nil, nil
				}
				from, call = n, c
			}
		}
	}
	return from, call
}

// passed returns what the parameters of the function that creates threads are made of, by the number of the turn.
func (g *gift) passed() []*term {
	facts := make([]*term, len(g.fi.f.Params))
	for i := range facts {
		if arg := g.param(i); arg != nil {
			if x, ok := g.f.term(arg, g, nil); ok && x.bits >= g.bits {
				facts[i] = &x
			}
		}
	}
	return facts
}

// param returns what a turn gives a parameter, nil if that is a copy of a struct, or nothing.
func (g *gift) param(i int) cir.Value {
	if i >= len(g.via.Args) || g.via.Args[i].ByVal != nil || g.fi.f.Params[i].ByVal != nil {
		return nil
	}
	return g.via.Args[i].X
}

// outside says how an address of the function that creates threads is made, in terms of the function with the loop; nil if that is not known.
func (g *gift) outside(addr cir.Value, size int64) *way {
	facts := g.passed()
	w := g.fi.way(addr, size, func(v cir.Value) (term, bool) {
		x, ok := g.fi.term(v, nil, facts)
		return x, ok && x.bits >= g.bits
	})
	if w == nil || w.wide {
		return nil
	}
	if _, ok := w.base.(*cir.Global); ok {
		return w
	}
	pointers := g.f.p.prog.Model.PointerBits
	for i := range facts {
		only := make([]*term, len(facts))
		only[i] = &term{bits: pointers}
		x, ok := g.fi.term(w.base, nil, only)
		arg := g.param(i)
		if !ok || x.bits < pointers || arg == nil || !g.f.p.prog.Model.TypeOf(arg).IsPointer() {
			continue
		}
		if w.key != nil { // the argument is the base
			base, off := g.f.strip(arg)
			w.base, w.lo, w.hi = base, w.lo+x.add+off, w.hi+x.add+off
			return w
		}
		o := g.f.byNumber(arg, 0, g.loop)
		if o == nil || o.key.bits < g.bits {
			return nil
		}
		o.lo, o.hi = o.lo+x.add+w.lo, o.hi+x.add+w.hi
		return o
	}
	return nil
}

// turnsWay says how an address that the call which creates threads is given is made of the number of the turn, in terms of the function with the loop.
func (g *gift) turnsWay(addr cir.Value, size int64) *way {
	if g.via == nil {
		return g.f.byNumber(addr, size, g.loop)
	}
	if w := g.outside(addr, size); w != nil && w.key != nil {
		return w
	}
	return nil
}
