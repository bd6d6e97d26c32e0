package ticket

import (
	"math"
	"slices"

	"comus/cir"
)

// figure says what a value of a thread may be: a number that it has drawn, what a cell holds or the address of a global, plus a constant, or one of some other constants. low and below are said of the first.
type figure struct {
	drawn, fixed bool
	at           Cell
	given        *cir.Call // what was drawn is the number that this call has given the thread: so many bits of it
	bits         int
	band         Band        // or a number of this band of the thread
	plain        bool        // it was made of the number, or of what a cell holds, by exact arithmetic in types with a sign
	global       *cir.Global // it is the address of this
	field        Field       // it is this one
	add          int64
	others       []int64
	low          bool  // it is not negative
	below        limit // and less than that
}

// limit is what a cell holds, or a constant; none: it is nothing.
type limit struct {
	at Cell
	n  int64
}

// index is a number of an element: a factor, or what rows holds, times a number that was drawn plus add, and something from lo to hi behind it.
type index struct {
	ticket, rows Cell
	given        *cir.Call // the number is one that the thread was given, or of its band
	band         Band
	add, factor  int64
	lo, hi       int64
	within       bool // rows is positive
}

// plain reports whether a number of an element, in steps of some bytes, is one of a row, or such that it can be computed with.
func (i *index) plain(stride int64) bool {
	const most = 1 << 20
	return (i.rows == (Cell{}) || i.within) && i.factor <= most && stride <= most && i.add <= most && i.add >= -most
}

// point is before an instruction of a block.
type point struct {
	b *cir.Block
	i int
}

// drawer finds what values of a thread are. It gives up after some steps.
type drawer[N, T comparable] struct {
	ts   *Tickets[N, T]
	t    T
	open map[asked[N]]bool
	left int
}

type asked[N comparable] struct {
	n N
	x cir.Value
}

func (v *body) before(in cir.Instr) point { return point{v.blocks[in], v.index(in)} }

// value returns what a value of a copy may be at a point.
func (d *drawer[N, T]) value(v *body, c N, x cir.Value, at point) (n figure, ok bool) {
	key := asked[N]{c, x}
	if d.left--; d.left < 0 || d.open[key] {
		return n, false
	}
	d.open[key] = true
	defer delete(d.open, key)
	if n, ok = d.made(v, c, x, at); ok && n.drawn {
		d.guards(v, c, x, at, &n)
	}
	return n, ok
}

func (d *drawer[N, T]) made(v *body, c N, x cir.Value, at point) (n figure, ok bool) {
	if k, isInt := x.(cir.Int); isInt {
		return figure{others: []int64{signed(k)}}, k.Hi == 0 || k.Hi == ^uint64(0)
	}
	if g, isGlobal := x.(*cir.Global); isGlobal {
		return figure{fixed: true, global: g}, !g.ThreadLocal
	}
	r, ok := x.(*cir.Reg)
	if !ok {
		return n, false
	}
	if n, ok := d.number(v, c, r); ok {
		return n, true
	}
	for i, p := range v.f.Params {
		if p.Reg == r {
			return d.given(c, i, p.ByVal == nil)
		}
	}
	switch in := v.def(x).(type) {
	case *cir.RMW:
		return d.ticket(c, in.Addr, in)
	case *cir.Load:
		return d.loaded(v, c, in)
	case *cir.Convert:
		from, to := d.ts.model.TypeOf(in.X), in.Dst.Type
		if from.IsPointer() && to.IsPointer() {
			return d.value(v, c, in.X, v.before(in))
		}
		if !from.IsInt() || !to.IsInt() || from == cir.Bool || to == cir.Bool || to.Bits < from.Bits {
			return n, false
		}
		n, ok = d.value(v, c, in.X, v.before(in))
		if from.Signed != to.Signed && (from.Signed || to.Bits == from.Bits) {
			n.low, n.below = false, limit{}
		}
		n.plain = n.plain && from.Signed && to.Signed
		return n, ok && (len(n.others) == 0 || to.Signed && (from.Signed || to.Bits > from.Bits))
	case *cir.Binary:
		k, isConst := in.Y.(cir.Int)
		if !isConst || in.Op != cir.Add && in.Op != cir.Sub || in.Wrap || !in.Dst.Type.Signed {
			return n, false
		}
		by := signed(k)
		if by > 1<<30 || by < -1<<30 {
			return n, false
		}
		if in.Op == cir.Sub {
			by = -by
		}
		n, ok = d.value(v, c, in.X, v.before(in))
		n.add, n.others, n.low, n.below = n.add+by, slices.Clone(n.others), n.low && by >= 0, limit{}
		for i := range n.others {
			n.others[i] += by
		}
		return n, ok && n.add < 1<<31 && n.add > -1<<31
	case *cir.Call:
		return d.returned(c, in)
	case nil:
		return d.met(v, c, r)
	}
	return n, false
}

// number returns the number that a thread was given, if a register of a copy has that. What is computed of it by the program exactly is looked at step by step.
func (d *drawer[N, T]) number(v *body, c N, r *cir.Reg) (n figure, ok bool) {
	if !r.Type.IsInt() || r.Type == cir.Bool {
		return n, false
	}
	switch in := v.def(r).(type) {
	case *cir.Convert:
		if t := d.ts.model.TypeOf(in.X); t.IsInt() && t.Bits <= r.Type.Bits {
			return n, false
		}
	case *cir.Load:
		if l, local := in.Addr.(*cir.Local); local && v.locals[l] {
			return n, false
		}
	case *cir.Binary:
		return n, false
	}
	by, add, ok := d.ts.in.Number(d.t, c, r)
	exact := r.Type.Signed && r.Type.Bits == d.ts.in.Numbered(d.t) && add == 0 // not what a wider or narrower type makes of it, nor a sum that may have wrapped around
	return figure{drawn: true, given: by, bits: r.Type.Bits, plain: exact, add: add}, ok && add < 1<<31 && add > -1<<31
}

// ticket returns a number that is drawn by an instruction of a copy.
func (d *drawer[N, T]) ticket(c N, addr cir.Value, in cir.Instr) (n figure, ok bool) {
	at, ok := d.ts.cellAt(c, addr)
	t := d.ts.tallies[at]
	if !ok || t == nil || !t.draws[drawAt[N]{c, in}] {
		return n, false
	}
	return figure{drawn: true, at: at}, true
}

// loaded returns what a load gives: what was stored to a private local, a number that is about to be drawn, or what a cell holds.
func (d *drawer[N, T]) loaded(v *body, c N, in *cir.Load) (n figure, ok bool) {
	if in.Bits != nil || in.Order != cir.Plain {
		return n, false
	}
	if l, local := in.Addr.(*cir.Local); local && v.locals[l] {
		if n, ok := d.kept(v, c, in, l); ok {
			return n, true
		}
		return d.within(v, c, in, l)
	}
	at, ok := d.ts.cellAt(c, in.Addr)
	if !ok {
		if in.Type.IsPointer() && !in.Volatile {
			n.field, n.fixed = d.ts.in.Kept(d.t, c, in)
		}
		return n, n.fixed
	}
	b := v.blocks[in]
	for _, x := range b.Instrs[v.index(in)+1:] {
		if load, ok := v.drawnBy(x); ok && load.Type == in.Type && !d.ts.other(c, load.Addr, at) {
			return d.ticket(c, load.Addr, x)
		}
		if !v.aside(x) {
			break
		}
	}
	if d.ts.tallies[at] != nil || in.Volatile {
		return n, false
	}
	at.Of = in.Type
	return figure{fixed: true, at: at, plain: in.Type.Signed}, true
}

// kept returns what a private local has, by the stores that may have been the last ones before a load.
func (d *drawer[N, T]) kept(v *body, c N, in *cir.Load, l *cir.Local) (n figure, ok bool) {
	list, ok := v.reaching(l, v.before(in))
	for i, s := range list {
		m, known := d.value(v, c, s.X, v.before(s))
		if !known || s.Type.Bits != in.Type.Bits || s.Type.Signed != in.Type.Signed {
			return n, false
		}
		if i == 0 {
			n = m
		} else if n, ok = n.or(m); !ok {
			return n, false
		}
	}
	return n, ok && len(list) > 0 && !in.Volatile
}

// or returns what is one of two.
func (n figure) or(m figure) (figure, bool) {
	others := append(slices.Clone(n.others), m.others...)
	slices.Sort(others)
	others = slices.Compact(others)
	switch {
	case !n.drawn && !n.fixed:
		n, m = m, n
	case !m.drawn && !m.fixed:
	case n.drawn != m.drawn || n.fixed != m.fixed || n.at != m.at || n.given != m.given || n.bits != m.bits || n.band != m.band || n.global != m.global || n.field != m.field || n.add != m.add:
		return n, false
	default:
		n.plain = n.plain && m.plain
		n.low = n.low && m.low
		if n.below != m.below {
			n.below = limit{}
		}
	}
	n.others = others
	return n, len(others) <= 4 && !(n.fixed && len(others) > 0)
}

// given returns what a parameter of a copy is given by all calls that the thread makes.
func (d *drawer[N, T]) given(c N, i int, ok bool) (n figure, _ bool) {
	ts := d.ts
	if ts.callers[d.t] == nil {
		ts.findCallers(d.t)
	}
	from := ts.callers[d.t][c]
	if !ok || ts.open[d.t][c] || len(from) == 0 {
		return n, false
	}
	for k, x := range from {
		call := x.in.(*cir.Call)
		v := d.ts.bodyOf(ts.in.Func(x.node))
		if v == nil || i >= len(call.Args) || call.Args[i].ByVal != nil {
			return n, false
		}
		m, ok := d.value(v, x.node, call.Args[i].X, v.before(call))
		if ok && k > 0 {
			m, ok = n.or(m)
		}
		if n = m; !ok {
			return n, false
		}
	}
	return n, true
}

// returned returns what a call of a copy returns.
func (d *drawer[N, T]) returned(c N, in *cir.Call) (n figure, ok bool) {
	to, outside := d.ts.in.Calls(d.t, c, in)
	if outside {
		return n, false
	}
	for _, y := range to {
		f := d.ts.in.Func(y)
		v := d.ts.bodyOf(f)
		if v == nil || f.Library {
			return n, false
		}
		for _, b := range f.Blocks {
			ret, is := b.Term.(*cir.Return)
			if !is {
				continue
			}
			m, known := d.value(v, y, ret.X, point{b, len(b.Instrs)})
			if known && ok {
				m, known = n.or(m)
			}
			if n, ok = m, true; !known {
				return n, false
			}
		}
	}
	return n, ok
}

// met returns what a parameter of a block is.
func (d *drawer[N, T]) met(v *body, c N, r *cir.Reg) (n figure, ok bool) {
	for _, b := range v.f.Blocks {
		i := slices.Index(b.Params, r)
		if i < 0 {
			continue
		}
		for _, p := range v.preds[b] {
			known := true
			cir.Succs(p.Term, func(to *cir.Block, args []cir.Value) {
				if to != b || !known {
					return
				}
				var m figure
				if m, known = d.value(v, c, args[i], point{p, len(p.Instrs)}); known && ok {
					m, known = n.or(m)
				}
				n, ok = m, true
			})
			if !known {
				return n, false
			}
		}
	}
	return n, ok
}

// signed returns a constant as its type says; large ones of 64 bits as if they were negative, and of what has more bits the nearest number.
func signed(k cir.Int) int64 {
	n := int64(k.Lo)
	switch b := k.Type.Bits; {
	case b > 64:
		switch negative := k.Type.Signed && int64(k.Hi) < 0; {
		case negative && (k.Hi != ^uint64(0) || n >= 0):
			return math.MinInt64
		case !negative && (k.Hi != 0 || n < 0):
			return math.MaxInt64
		}
	case b < 64:
		if n &= 1<<b - 1; k.Type.Signed && n>>(b-1) == 1 {
			n -= 1 << b
		}
	}
	return n
}

// index returns what the number of an element is at a point, if that is made of a number that was drawn.
func (d *drawer[N, T]) index(v *body, c N, x cir.Value, at point) *index {
	if n, ok := d.value(v, c, x, at); ok && n.drawn && len(n.others) == 0 {
		return &index{ticket: n.at, given: n.given, band: n.band, add: n.add, factor: 1}
	}
	switch in := v.def(x).(type) {
	case *cir.Convert:
		from, to := d.ts.model.TypeOf(in.X), in.Dst.Type
		if from.IsInt() && to.IsInt() && from != cir.Bool && to.Bits >= from.Bits {
			return d.index(v, c, in.X, v.before(in))
		}
	case *cir.Load:
		if l, ok := in.Addr.(*cir.Local); ok && v.locals[l] && !in.Volatile {
			if list, ok := v.reaching(l, v.before(in)); ok && len(list) == 1 && list[0].Type == in.Type {
				return d.index(v, c, list[0].X, v.before(list[0]))
			}
		}
	case *cir.Binary:
		if in.Wrap || !in.Dst.Type.Signed {
			return nil
		}
		for _, xy := range [][2]cir.Value{{in.X, in.Y}, {in.Y, in.X}} {
			if i := d.index(v, c, xy[0], v.before(in)); i != nil && (in.Op == cir.Add && d.add(v, c, i, xy[1], v.before(in)) || in.Op == cir.Mul && d.times(v, c, i, xy[1], v.before(in))) {
				return i
			}
		}
	}
	return nil
}

// times multiplies a number of an element. It reports whether what comes out can be said.
func (d *drawer[N, T]) times(v *body, c N, i *index, y cir.Value, at point) bool {
	n, ok := d.value(v, c, y, at)
	if !ok || i.rows != (Cell{}) || i.factor != 1 || i.lo != 0 || i.hi != 0 {
		return false
	}
	if n.fixed && n.add == 0 && n.at.Obj != nil {
		i.rows = n.at
		return true
	}
	if n.drawn || n.fixed || len(n.others) != 1 || n.others[0] <= 0 || n.others[0] > 1<<30 {
		return false
	}
	i.factor = n.others[0]
	return true
}

// add adds something to a number of an element: in a row, what is not negative and less than the length of the row.
func (d *drawer[N, T]) add(v *body, c N, i *index, y cir.Value, at point) bool {
	n, ok := d.value(v, c, y, at)
	if ok && !n.drawn && !n.fixed && len(n.others) == 1 && i.rows == (Cell{}) && n.others[0] < 1<<30 && n.others[0] > -1<<30 {
		i.lo, i.hi = i.lo+n.others[0], i.hi+n.others[0]
		return true
	}
	if !ok || !n.drawn {
		n = figure{}
		d.guards(v, c, y, at, &n)
		n.low = v.counts(y)
	}
	if len(n.others) > 0 || !n.low || n.below == (limit{}) || i.lo != 0 || i.hi != 0 {
		return false
	}
	if i.rows != (Cell{}) {
		i.within = true // as it is more than what is not negative
		return n.below.at == i.rows
	}
	i.hi = n.below.n - 1
	return n.below.n > 0
}

// counts reports whether a value is that of a local that begins with no negative number and is counted up only.
func (v *body) counts(y cir.Value) bool {
	for c, ok := v.def(y).(*cir.Convert); ok; c, ok = v.def(y).(*cir.Convert) {
		if t := v.model.TypeOf(c.X); !t.IsInt() || t == cir.Bool || t.Bits > c.Dst.Type.Bits {
			return false
		}
		y = c.X
	}
	load, ok := v.def(y).(*cir.Load)
	if !ok || !load.Type.IsInt() || !load.Type.Signed {
		return false
	}
	l, ok := load.Addr.(*cir.Local)
	if !ok || !v.locals[l] || load.Volatile {
		return false
	}
	for _, s := range v.stores[l] {
		if k, isInt := s.X.(cir.Int); isInt && signed(k) >= 0 && s.Type == load.Type {
			continue
		}
		sum, ok := v.def(s.X).(*cir.Binary)
		if !ok || sum.Op != cir.Add || sum.Wrap || s.Type != load.Type || sum.Dst.Type != load.Type {
			return false
		}
		k, isInt := sum.Y.(cir.Int)
		old, ok := v.def(sum.X).(*cir.Load)
		if !ok || !isInt || signed(k) < 0 || old.Addr != cir.Value(l) || old.Type != load.Type {
			return false
		}
	}
	_, ok = v.reaching(l, v.before(load))
	return ok
}

// begins sets where the array of a piece begins. It reports whether that is known.
func (d *drawer[N, T]) begins(p *Piece, v *body, n N, base cir.Value, in cir.Instr) bool {
	if at, ok := d.ts.cellAt(n, base); ok {
		p.At = at
		return true
	}
	b, ok := d.value(v, n, base, v.before(in))
	if p.Global, p.Field = b.global, b.field; ok && b.fixed && b.global == nil {
		p.In = b.at
	}
	return ok && b.fixed && b.add == 0
}
