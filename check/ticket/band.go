package ticket

import "comus/cir"

// Threads that are given numbers may divide an array among them: thread n has the elements from F(n) to F(n+1), without the latter, where F(x) is x*rows/threads plus a constant, or x*rows. As such a function goes only up, or only down,
// two of these ranges have no element in common, or are empty: of m < n, F(m+1) <= F(n) if it goes up, and otherwise F(m) >= F(m+1). So what a local counts through that begins at F(n), goes up only and is less than F(n+1) where it
// is looked at is a number that no other thread has.

// Factor is a constant, or what a cell holds plus a constant. The zero value is none.
type Factor struct {
	At  Cell
	Add int64
	set bool
}

// Band is a function that tells where the elements of a thread begin: what it was given plus Number, times Times, divided by Over, plus Add.
type Band struct {
	Bits        int // of what it was given
	Number, Add int64
	Times, Over Factor
}

// edge is a number that is made of the one that a thread was given, as the function of a band says.
type edge struct {
	given *cir.Call
	Band
}

// maxFactor bounds constants.
const maxFactor = 1 << 30

// edge returns what a value of a copy is at a point.
func (d *drawer[N, T]) edge(v *body, c N, x cir.Value, at point, deep int) (e edge, ok bool) {
	if d.left--; d.left < 0 || deep == 0 {
		return e, false
	}
	if n, ok := d.value(v, c, x, at); ok && n.given != nil && n.plain && n.band == (Band{}) && len(n.others) == 0 {
		return edge{n.given, Band{Bits: n.bits, Number: n.add}}, true
	}
	r, ok := x.(*cir.Reg)
	if !ok || !r.Type.IsInt() || !r.Type.Signed {
		return e, false
	}
	for i, p := range v.f.Params {
		if p.Reg == r {
			return d.edgeGiven(c, i, p.ByVal == nil, deep)
		}
	}
	switch in := v.def(x).(type) {
	case *cir.Load:
		l, local := in.Addr.(*cir.Local)
		if !local || !v.locals[l] || in.Volatile || in.Bits != nil {
			return e, false
		}
		list, always := v.reaching(l, v.before(in))
		if !always || len(list) != 1 || list[0].Type != in.Type {
			return e, false
		}
		return d.edge(v, c, list[0].X, v.before(list[0]), deep-1)
	case *cir.Convert:
		if t := d.ts.model.TypeOf(in.X); t.IsInt() && t.Signed && t.Bits <= r.Type.Bits {
			return d.edge(v, c, in.X, v.before(in), deep-1)
		}
	case *cir.Binary:
		if in.Wrap {
			return e, false
		}
		if e, ok = d.edge(v, c, in.X, v.before(in), deep-1); ok {
			return d.moved(v, c, e, in.Op, in.Y, v.before(in))
		}
		if in.Op == cir.Add || in.Op == cir.Mul {
			if e, ok = d.edge(v, c, in.Y, v.before(in), deep-1); ok {
				return d.moved(v, c, e, in.Op, in.X, v.before(in))
			}
		}
	}
	return e, false
}

// moved returns what becomes of a number when another one is added, or multiplies or divides it.
func (d *drawer[N, T]) moved(v *body, c N, e edge, op cir.Op, y cir.Value, at point) (edge, bool) {
	f, ok := d.factor(v, c, y, at)
	if !ok {
		return e, false
	}
	none := Factor{}
	switch op {
	case cir.Add:
		if f == e.Times && e.Over == none && e.Add == 0 { // the next one
			e.Number++
			return e, true
		}
		e.Add += f.Add
	case cir.Sub:
		e.Add -= f.Add
	case cir.Mul:
		ok = e.Times == none && e.Over == none && e.Add == 0
		e.Times = f
		return e, ok
	case cir.Div:
		ok = e.Over == none && e.Add == 0
		e.Over = f
		return e, ok
	default:
		return e, false
	}
	return e, f.At == (Cell{}) && (e.Times != none || e.Over != none)
}

// factor returns what a value is that is the same for all threads.
func (d *drawer[N, T]) factor(v *body, c N, y cir.Value, at point) (f Factor, ok bool) {
	n, ok := d.value(v, c, y, at)
	switch {
	case !ok || n.drawn || n.global != nil:
		return f, false
	case n.fixed:
		f = Factor{At: n.at, Add: n.add, set: true}
		ok = len(n.others) == 0 && n.plain
	default:
		ok = len(n.others) == 1
		if ok {
			f = Factor{Add: n.others[0], set: true}
		}
	}
	return f, ok && f.Add < maxFactor && f.Add > -maxFactor
}

// edgeGiven returns what a parameter of a copy is given by all calls that the thread makes.
func (d *drawer[N, T]) edgeGiven(c N, i int, plain bool, deep int) (e edge, ok bool) {
	ts := d.ts
	if ts.callers[d.t] == nil {
		ts.findCallers(d.t)
	}
	if !plain || ts.open[d.t][c] {
		return e, false
	}
	for k, x := range ts.callers[d.t][c] {
		call := x.in.(*cir.Call)
		v := ts.bodyOf(ts.in.Func(x.node))
		if v == nil || i >= len(call.Args) || call.Args[i].ByVal != nil {
			return e, false
		}
		f, known := d.edge(v, x.node, call.Args[i].X, v.before(call), deep-1)
		if !known || k > 0 && f != e {
			return e, false
		}
		e, ok = f, true
	}
	return e, ok
}

// within returns the number that a local holds where it is loaded, if it counts through the elements of the thread's band there.
func (d *drawer[N, T]) within(v *body, c N, in *cir.Load, l *cir.Local) (n figure, ok bool) {
	if in.Volatile || !in.Type.IsInt() || !in.Type.Signed || d.ts.in.Numbered(d.t) == 0 {
		return n, false
	}
	if _, always := v.reaching(l, v.before(in)); !always {
		return n, false
	}
	var first *edge
	for _, s := range v.stores[l] {
		if s.Type != in.Type || s.Volatile {
			return n, false
		}
		if v.goesUp(s, l) {
			continue
		}
		e, ok := d.edge(v, c, s.X, v.before(s), maxEdge)
		if !ok || first != nil && e != *first {
			return n, false
		}
		first = &e
	}
	if first == nil {
		return n, false
	}
	next := *first
	next.Number++
	below := false
	v.conditions(v.before(in), func(from, to *cir.Block, is *cir.Compare, holds bool) {
		pred := is.Pred
		if !holds {
			pred = opposite[pred]
		}
		x, y := is.X, is.Y
		if pred == cir.Gt {
			x, y, pred = y, x, cir.Lt
		}
		if below || pred != cir.Lt || !v.same(in.Dst, x, from, to) || !d.ts.model.TypeOf(x).Signed {
			return
		}
		e, ok := d.edge(v, c, y, at0(v, y, from), maxEdge)
		below = ok && e == next
	})
	return figure{drawn: true, given: first.given, band: first.Band}, below
}

// maxEdge bounds the steps in which a number is made.
const maxEdge = 16

// goesUp reports whether a store adds a constant to a local that is not negative.
func (v *body) goesUp(s *cir.Store, l *cir.Local) bool {
	sum, ok := v.def(s.X).(*cir.Binary)
	if !ok || sum.Op != cir.Add || sum.Wrap || sum.Dst.Type != s.Type || !s.Type.Signed {
		return false
	}
	k, isInt := sum.Y.(cir.Int)
	old, ok := v.def(sum.X).(*cir.Load)
	if !ok || !isInt || signed(k) < 0 || signed(k) >= maxFactor || old.Addr != cir.Value(l) || old.Type != s.Type || old.Volatile || old.Bits != nil {
		return false
	}
	_, always := v.reaching(l, v.before(old)) // what was there before the first store is nothing that has gone up
	return always
}
