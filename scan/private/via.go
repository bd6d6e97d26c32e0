package private

import (
	"slices"

	"comus/cir"
	"comus/scan/thread"
	"comus/scan/valuenum"
)

// The loop may call a function that creates the thread of the turn: once in each of its calls, and nobody else calls it. What it is given is what the turn gives it.

// at is the call in the loop by which the thread of a turn is created.
func (g *group) at() *cir.Call {
	if g.via != nil {
		return g.via
	}
	return g.create
}

// creator is the node with the call that creates threads.
func (g *group) creator() *thread.Node {
	if g.via != nil {
		return g.inner
	}
	return g.node
}

// giveVia finds out what threads are given by a function that is called in a loop; false: nothing that is known to be another one for each.
func (r *Result) giveVia(g *group) bool {
	inner, fi := g.node, r.function(g.node)
	outer, via := r.onlyCall(g.t.Parent, inner)
	if via == nil || outer == inner || outer.Fn.Library || fi.gets(g.create, g.create, nil) {
		return false
	}
	f := r.function(outer)
	if f == nil {
		return false
	}
	g.node, g.inner, g.via = outer, inner, via
	for _, l := range f.loops {
		if !l.Exact(r.model) || !r.threads.Turns(g.t, outer, via, l) {
			continue
		}
		g.loop = l
		if k, ok := r.passedOn(g, fi.Value(g.arg)); ok {
			g.number = &k
			return true
		}
		if p := r.elementVia(g, g.arg, 0); p != nil {
			g.given = p
			return true
		}
	}
	return false
}

// onlyCall returns the only call by which a thread gets to a node, nil if there are others.
func (r *Result) onlyCall(t *thread.Thread, n *thread.Node) (from *thread.Node, in *cir.Call) {
	calls := r.callsOf(t)
	if calls.open[n] {
		return nil, nil
	}
	for _, c := range calls.list {
		if c.to != n {
			continue
		}
		if in != nil {
			return nil, nil
		}
		from, in = c.from, c.in
	}
	return from, in
}

// assigned reports whether a function assigns to a parameter: the checker does not follow what that is then.
func assigned(f *cir.Func, p *cir.Reg) bool {
	stores := map[*cir.Local]int{}
	var homes []*cir.Local
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if s, ok := in.(*cir.Store); ok {
				if l, ok := s.Addr.(*cir.Local); ok {
					if stores[l]++; s.X == cir.Value(p) {
						homes = append(homes, l)
					}
				}
			}
		}
	}
	return slices.ContainsFunc(homes, func(l *cir.Local) bool { return stores[l] > 1 })
}

// param returns what the turn gives a parameter that a value of the function which creates the thread is made of.
func (g *group) param(s *valuenum.Sym) cir.Value {
	if s == nil || s.Kind != valuenum.Param || s.Func != g.inner.Fn || int(s.N) >= len(g.via.Args) || g.via.Args[s.N].ByVal != nil || g.inner.Fn.Params[s.N].ByVal != nil || assigned(g.inner.Fn, g.inner.Fn.Params[s.N].Reg) {
		return nil
	}
	return g.via.Args[s.N].X
}

// passedOn returns what a value of the function that creates the thread is made of, if that is the number of the turn.
func (r *Result) passedOn(g *group, v valuenum.Value) (form, bool) {
	k, ok := r.formOf(v)
	if !ok {
		return k, false
	}
	arg := g.param(k.sym)
	if arg == nil {
		return k, false
	}
	n, ok := r.counted(g, r.function(g.node).Value(arg))
	n.bits, n.add = min(n.bits, k.bits), n.add+k.add
	return n, ok && n.bits >= counterBits(g)
}

// elementVia returns the piece of the turn that an address of the function which creates the thread leads to.
func (r *Result) elementVia(g *group, addr cir.Value, size int64) *Piece {
	fi, f := r.function(g.inner), r.function(g.node)
	p := fi.resolve(addr, size, func(v valuenum.Value) (form, bool) { return r.passedOn(g, v) })
	if p == nil || p.wide {
		return nil
	}
	x := fi.Value(p.base)
	if x.Base == nil || x.Index != nil {
		return nil
	}
	if p.key == nil {
		arg := g.param(x.Base)
		if arg == nil {
			return nil
		}
		q := r.element(g, f, arg, 0)
		if q != nil {
			q.Lo, q.Hi = q.Lo+x.Off+p.lo, q.Hi+x.Off+p.hi
		}
		return q
	}
	base, ok := r.baseVia(g, x)
	if !ok {
		return nil
	}
	return &Piece{Kind: Kind{Create: g.create, Base: base, Stride: p.stride, Add: p.key.add}, Lo: p.lo, Hi: p.hi}
}

// baseVia returns the base of an array that the function which creates the thread was given, or of a global.
func (r *Result) baseVia(g *group, x valuenum.Value) (b Base, ok bool) {
	if x.Base.Kind == valuenum.Global {
		v, isVar := x.Base.What.(*cir.Global)
		return Base{Sym: x.Base, Off: x.Off}, isVar && !v.ThreadLocal
	}
	arg := g.param(x.Base)
	if arg == nil {
		return b, false
	}
	if b, ok = r.baseOf(r.function(g.node), arg, g.loop); b.Cell != nil && x.Off != 0 {
		return b, false
	}
	b.Off += x.Off
	return b, ok
}

// slot returns the piece of the turn that an address leads to which the call that creates the thread is given.
func (r *Result) slot(g *group, addr cir.Value, size int64) *Piece {
	if g.via != nil {
		return r.elementVia(g, addr, size)
	}
	return r.element(g, r.function(g.node), addr, size)
}
