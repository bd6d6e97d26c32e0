package ticket

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// A ring has two counters: one of what was put into it, which only the producer advances, and one of what was taken out, which only the consumer advances. No lock is needed:
// each of the two threads knows its own counter, and has looked at that of the other one.
//
// Let P be the number that was put in, G the number that was taken out, both from 0 on. Each advance is by 1, and behind a condition: the producer has seen P - G < size, the consumer P != G. What a thread has seen of the counter of
// the other one may be old, so it is too small. It follows that always 0 <= P - G <= size. The producer accesses element P, the consumer element G, modulo the size, behind the same conditions. Consider element p that the
// producer accesses and element g that the consumer does. If p <= g, the consumer has seen a P of more than p, which was stored after the access. If p >= g + size, the producer has seen a G of more than g, in the same way. As a thread
// stores its counter by releasing, and the other one loads it by acquiring, or the counter is plain and has no race, the accesses are ordered. Otherwise 0 < p - g < size: these are different elements.
//
// There is another form, in which the counters are indexes: they are kept modulo the size, and P + 1 = G modulo the size tells that the ring is full. It is the same argument, with one element less.

// Ring is two counters, and how elements are found by them.
type Ring struct {
	Put, Get Cell // advanced by who puts elements in and by who takes them out
	size     limit
	indexes  bool // the counters are indexes themselves; size is not set then
}

// sum is a value of a thread's code, as far as it is about rings: a counter plus a constant, the difference of two, all that modulo a size, or a condition.
type sum struct {
	plus, minus Cell
	add         int64
	mod         limit
	cond        *condition
}

// condition is a comparison that holds.
type condition struct {
	x, y sum
	pred cir.Pred
}

// frame is a function of a copy, as it is called by another frame.
type frame[N comparable] struct {
	v    *body
	c    N
	from *frame[N]
	call *cir.Call
}

// hop is from a point of a frame back to where what is used there was computed, to the end of a block, or if there is neither to the beginning of the function.
type hop[N comparable] struct {
	at    *frame[N]
	from  point
	to    cir.Instr
	until *cir.Block
}

// rings finds what a thread does to a ring.
type rings[N, T comparable] struct {
	ts    *Tickets[N, T]
	t     T
	hops  []hop[N]
	loads []counterLoad
	// natural are cells that are taken to hold no negative number. That is so of the two counters of a ring only, which begin with 0 and are counted up.
	natural []Cell
	left    int
}

// counterLoad is a load of a counter, or of another cell.
type counterLoad struct {
	of    Cell
	order cir.Order
}

// role is what a thread may do at a point: to put an element into a ring, or to take one out.
type role struct {
	other Cell
	puts  bool
	size  limit // of a producer: no more elements are in the ring
	mod   bool  // the size is that by which the counters are indexes
	// exact tells, of a producer, that there are not just as many elements as the size says. That there are fewer follows only where there are never more: where the size is that of the ring.
	exact bool
}

// within reports whether a producer that goes on finds room in a ring of a size, which never has more elements than that.
func (w role) within(ring limit) bool { return w.size.fits(ring) && (!w.exact || w.size == ring) }

// sumOf returns what a value of a frame is at a point.
func (r *rings[N, T]) sumOf(f *frame[N], x cir.Value, at point) (s sum, ok bool) {
	if r.left--; r.left < 0 {
		return s, false
	}
	if k, isInt := x.(cir.Int); isInt {
		n := signed(k)
		return sum{add: n}, k.Hi == 0 && n >= 0 && n < 1<<31
	}
	reg, ok := x.(*cir.Reg)
	if !ok {
		return s, false
	}
	if i := slices.IndexFunc(f.v.f.Params, func(p cir.Param) bool { return p.Reg == reg && p.ByVal == nil }); i >= 0 {
		if f.from == nil || i >= len(f.call.Args) || f.call.Args[i].ByVal != nil || f.v.model.TypeOf(f.call.Args[i].X) != reg.Type {
			return s, false
		}
		r.hops = append(r.hops, hop[N]{at: f, from: at})
		return r.sumOf(f.from, f.call.Args[i].X, f.from.v.before(f.call))
	}
	in := f.v.def(x)
	if in == nil {
		return s, false
	}
	r.hops = append(r.hops, hop[N]{at: f, from: at, to: in})
	here := f.v.before(in)
	switch in := in.(type) {
	case *cir.Load:
		return r.loaded(f, in)
	case *cir.Convert:
		return r.converted(f, in, here)
	case *cir.Compare:
		a, okA := r.sumOf(f, in.X, here)
		b, okB := r.sumOf(f, in.Y, here)
		return sum{cond: &condition{a, b, in.Pred}}, okA && okB
	case *cir.Binary:
		return r.computed(f, in, here)
	case *cir.Call:
		return r.returned(f, in)
	}
	return s, false
}

// loaded returns what a load gives: what was stored to a private local, or what a counter or another cell holds.
func (r *rings[N, T]) loaded(f *frame[N], in *cir.Load) (s sum, ok bool) {
	if in.Bits != nil || !in.Type.IsInt() {
		return s, false
	}
	if l, local := in.Addr.(*cir.Local); local && f.v.locals[l] {
		list, ok := f.v.reaching(l, f.v.before(in))
		if !ok || len(list) != 1 || in.Volatile || list[0].Type != in.Type {
			return s, false
		}
		r.hops = append(r.hops, hop[N]{at: f, from: f.v.before(in), to: list[0]})
		return r.sumOf(f, list[0].X, f.v.before(list[0]))
	}
	at, ok := r.ts.cellAt(f.c, in.Addr)
	if !ok || !drawable(in.Type) {
		return s, false
	}
	at.Of = in.Type
	r.loads = append(r.loads, counterLoad{at, in.Order})
	return sum{plus: at}, true
}

// converted returns a number in another type, if that has the same number, or a condition as a number.
func (r *rings[N, T]) converted(f *frame[N], in *cir.Convert, here point) (s sum, ok bool) {
	from, to := r.ts.model.TypeOf(in.X), in.Dst.Type
	if s, ok = r.sumOf(f, in.X, here); !ok || !from.IsInt() || !to.IsInt() {
		return s, false
	}
	switch {
	case s.cond != nil:
		return s, true
	case to == cir.Bool, from == cir.Bool:
		return s, false
	}
	// An unsigned number from which something is taken away may begin anew, unless that is the other counter: it is congruent to the sum, and that is enough for what is computed in its type, but not in a wider one.
	exact := s.add >= 0 && (s.minus.Obj == nil || s.plus.Obj != nil)
	if from == to || to.Bits > from.Bits && (from.Signed && to.Signed || !from.Signed && exact) {
		return s, true
	}
	if !from.Signed {
		return s, false
	}
	// What is less than 0 would be a large number afterwards: counters are not.
	if s.plus.Obj != nil {
		r.natural = append(r.natural, s.plus)
	}
	return s, to.Bits > from.Bits && s.minus.Obj == nil && s.add >= 0 && (s.plus.Obj == nil || r.ts.counters[s.plus.place()])
}

// counts reports whether nothing but some counters is taken to hold no negative number.
func (r *rings[N, T]) counts(counters ...Cell) bool {
	return !slices.ContainsFunc(r.natural, func(c Cell) bool { return !slices.Contains(counters, c) })
}

// computed returns a sum, a difference, or what is left by a division.
func (r *rings[N, T]) computed(f *frame[N], in *cir.Binary, here point) (s sum, ok bool) {
	a, okA := r.sumOf(f, in.X, here)
	b, okB := r.sumOf(f, in.Y, here)
	if !okA || !okB || a.cond != nil || b.cond != nil || a.mod != (limit{}) || b.mod != (limit{}) || !drawable(in.Dst.Type) {
		return s, false
	}
	if in.Op == cir.Sub {
		b.plus, b.minus, b.add = b.minus, b.plus, -b.add
	}
	switch in.Op {
	case cir.Add, cir.Sub:
		if a.plus.Obj != nil && b.plus.Obj != nil || a.minus.Obj != nil && b.minus.Obj != nil {
			return s, false
		}
		if a.plus.Obj == nil {
			a.plus = b.plus
		}
		if a.minus.Obj == nil {
			a.minus = b.minus
		}
		a.add += b.add
		return a, a.add < 1<<31 && a.add > -1<<31
	case cir.Rem, cir.And:
		if a.plus.Obj == nil || a.minus.Obj != nil || a.add < 0 || a.add > 1 || b.minus.Obj != nil {
			return s, false
		}
		switch {
		case b.plus.Obj != nil:
			a.mod = limit{at: b.plus}
			return a, in.Op == cir.Rem && b.add == 0
		case in.Op == cir.And:
			b.add++
		}
		a.mod = limit{n: b.add}
		return a, b.add > 0 && (in.Op == cir.Rem || b.add&(b.add-1) == 0)
	}
	return s, false
}

// returned returns what a call of a function with a single end returns.
func (r *rings[N, T]) returned(f *frame[N], in *cir.Call) (s sum, ok bool) {
	to, outside := r.ts.in.Calls(r.t, f.c, in)
	if outside || len(to) != 1 || r.ts.in.Func(to[0]).Library {
		return s, false
	}
	v := r.ts.bodyOf(r.ts.in.Func(to[0]))
	if v == nil {
		return s, false
	}
	var end *cir.Block
	for _, b := range v.f.Blocks {
		if ret, is := b.Term.(*cir.Return); is {
			if end != nil || ret.X == nil || v.f.Result.Shape != nil {
				return s, false
			}
			end = b
		}
	}
	if end == nil {
		return s, false
	}
	return r.sumOf(&frame[N]{v, to[0], f, in}, end.Term.(*cir.Return).X, point{end, len(end.Instrs)})
}

// clean reports whether the thread does not store to its own counter between where something was computed and where it is used.
func (r *rings[N, T]) clean(own Cell) bool {
	stores := r.ts.storesTo(r.t, own)
	return !slices.ContainsFunc(r.hops, func(h hop[N]) bool {
		if h.to == nil && h.until == nil {
			return h.at.v.sinceBegin(h.from, func(in cir.Instr) bool { return stores[inOf[N]{h.at.c, in}] })
		}
		return !h.at.v.back(h.from, func(in cir.Instr) (stop, ok bool) {
			return in == h.to, in == h.to || !stores[inOf[N]{h.at.c, in}]
		}, h.until)
	})
}

// sinceBegin reports whether something may be done between the beginning of the function and a point.
func (v *body) sinceBegin(at point, done func(cir.Instr) bool) bool {
	before := walk([]*cir.Block{v.f.Blocks[0]}, func(*cir.Block) bool { return true })
	for _, b := range v.f.Blocks {
		end := len(b.Instrs)
		if !before[b] {
			continue
		}
		if b == at.b && !v.again(b) {
			end = at.i
		} else if b != at.b && !walk([]*cir.Block{b}, func(*cir.Block) bool { return true })[at.b] {
			continue
		}
		if slices.ContainsFunc(b.Instrs[:end], done) {
			return true
		}
	}
	return false
}

// again reports whether control may come from a block to itself.
func (v *body) again(b *cir.Block) (again bool) {
	cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
		again = again || walk([]*cir.Block{to}, func(*cir.Block) bool { return true })[b]
	})
	return again
}

// inOf is an instruction of a copy.
type inOf[N comparable] struct {
	n  N
	in cir.Instr
}

// storesTo returns the instructions by which a thread may store to a counter, calls included, as far as [Tickets.Holds] allows them.
func (ts *Tickets[N, T]) storesTo(t T, c Cell) map[inOf[N]]bool {
	key := storing[T]{t, c}
	if m, known := ts.stores[key]; known {
		return m
	}
	m, nodes := map[inOf[N]]bool{}, map[N]bool{}
	for again := true; again; {
		again = false
		for _, n := range ts.in.Nodes(t) {
			for _, b := range ts.in.Func(n).Blocks {
				for _, in := range b.Instrs {
					if !m[inOf[N]{n, in}] && ts.mayStore(t, n, in, c, nodes) {
						m[inOf[N]{n, in}], nodes[n], again = true, true, true
					}
				}
			}
		}
	}
	ts.stores[key] = m
	return m
}

// storing is a counter that a thread may store to.
type storing[T comparable] struct {
	t T
	c Cell
}

func (ts *Tickets[N, T]) mayStore(t T, n N, in cir.Instr, c Cell, nodes map[N]bool) bool {
	if call, ok := in.(*cir.Call); ok {
		to, outside := ts.in.Calls(t, n, call)
		if outside || slices.ContainsFunc(to, func(y N) bool { return nodes[y] }) {
			return true
		}
	}
	if ts.sets(n, in, c) {
		return true
	}
	var addr cir.Value
	var a cir.Access
	switch in := in.(type) {
	case *cir.Store:
		addr, a = in.Addr, in.Access
	case *cir.RMW:
		addr, a = in.Addr, in.Access
	default:
		return false
	}
	return slices.ContainsFunc(ts.in.Places(n, addr), func(l pointsto.Location) bool {
		return l.Obj == c.Obj && l.Exact() && l.Off < c.Off+c.Size() && c.Off < l.Off+ts.model.SizeOf(a.Type)
	})
}

// roles returns what a thread may do at a point of a frame by conditions that hold there, given its own counter.
func (r *rings[N, T]) roles(f *frame[N], at point, own Cell) (list []role) {
	var under []hop[N] // from the access to where frames are called
	for ; f != nil; f = f.from {
		f.v.conditions(at, func(from, to *cir.Block, is *cir.Compare, holds bool) {
			end := point{from, len(from.Instrs)} // something may still be done there once the comparison is made
			x := &rings[N, T]{ts: r.ts, t: r.t, left: 200, hops: append(slices.Clone(under), hop[N]{at: f, from: at, until: from}, hop[N]{at: f, from: end, to: is})}
			a, okA := x.sumOf(f, is.X, f.v.before(is))
			b, okB := x.sumOf(f, is.Y, f.v.before(is))
			if !okA || !okB || !x.clean(own) {
				return
			}
			k := condition{a, b, is.Pred}.truth(holds)
			for _, k := range []condition{k, {k.y, k.x, mirrored[k.pred]}} {
				if w, ok := k.role(own); ok && x.acquires(w.other) && x.counts(own, w.other) {
					list = append(list, w)
				}
			}
		})
		if f.from != nil {
			under = append(under, hop[N]{at: f, from: at})
			at = f.from.v.before(f.call)
		}
	}
	return list
}

// acquires reports whether what has been loaded of a counter of another thread was loaded by acquiring, or without being atomic: then it has no race.
func (r *rings[N, T]) acquires(c Cell) bool {
	return !slices.ContainsFunc(r.loads, func(l counterLoad) bool {
		return l.of == c && !slices.Contains([]cir.Order{cir.Plain, cir.Acquire, cir.AcqRel, cir.SeqCst}, l.order)
	})
}

// truth returns the condition that holds if a comparison has a result; that may be one of a condition with 0.
func (k condition) truth(holds bool) condition {
	for {
		if !holds {
			k.pred, holds = opposite[k.pred], true
		}
		if k.x.cond == nil || k.y != (sum{}) || k.pred != cir.Eq && k.pred != cir.Ne {
			return k
		}
		k, holds = *k.x.cond, k.pred == cir.Ne
	}
}

// simple tells that a sum is of no remainder, and no condition.
func (s sum) simple() bool { return s.mod == (limit{}) && s.cond == nil }

// role returns what a thread may do if a condition holds, given its own counter.
func (k condition) role(own Cell) (w role, ok bool) {
	x, y := k.x, k.y
	other := y.plus
	if x.plus == own && x.minus.Obj == nil && x.cond == nil && x.mod != (limit{}) {
		ok = x.add == 1 && k.pred == cir.Ne && y == sum{plus: other} && other.Obj != nil && other != own
		return role{other: other, puts: true, size: x.mod, mod: true}, ok
	}
	if !x.simple() || !y.simple() {
		return w, false
	}
	bound := func(n int64, equal bool) (role, bool) { // there are fewer elements than n, or not n of them
		if equal && n == 0 {
			return role{other: other}, true
		}
		return role{other: other, puts: true, size: limit{n: n}, exact: k.pred == cir.Ne}, n > 0
	}
	switch {
	case x.plus == own && x.minus.Obj == nil && other.Obj != nil && other != own && y.minus.Obj == nil:
		switch n := y.add - x.add; {
		case k.pred == cir.Ne:
			return bound(n, true)
		case k.pred == cir.Lt && x.add == 0:
			return bound(n, true)
		case k.pred == cir.Le && x.add == 0 && n >= 0:
			return bound(n+1, false)
		}
	case x.plus == own && x.minus.Obj != nil && x.minus != own && y == sum{add: y.add}:
		other = x.minus
		switch n := y.add - x.add; k.pred {
		case cir.Ne:
			return bound(n, true)
		case cir.Lt:
			return bound(n, false)
		case cir.Le:
			return bound(n+1, false)
		}
	case x.plus == own && x.minus.Obj != nil && x.minus != own && y == sum{plus: y.plus} && y.plus != own && y.plus != x.minus:
		ok = x.add == 0 && (k.pred == cir.Ne && !y.plus.Of.Signed || k.pred == cir.Lt) // a size of less than 0 is met by nothing
		return role{other: x.minus, puts: true, size: limit{at: y.plus}, exact: k.pred == cir.Ne}, ok
	case x.minus == own && x.plus.Obj != nil && x.plus != own && y == sum{add: y.add}:
		ok = k.pred == cir.Ne && y.add == x.add || x.add >= 0 && (k.pred == cir.Gt && y.add >= x.add || k.pred == cir.Ge && y.add > x.add)
		return role{other: x.plus}, ok
	}
	return w, false
}

// fits reports whether a ring of a size has room if it has fewer elements than another one says.
func (l limit) fits(size limit) bool {
	return l == size || l.at.Obj == nil && size.at.Obj == nil && l.n <= size.n
}

// advance reports whether a thread puts an element into a ring by an instruction of a copy, or takes one out: it adds 1 to its counter, where it may do so. If the counters are indexes, size is the number of elements.
func (ts *Tickets[N, T]) advance(ring Ring, puts bool, t T, n N, in cir.Located) (size limit, ok bool) {
	own, other := ring.Put, ring.Get
	if !puts {
		own, other = other, own
	}
	var a cir.Access
	var addr, to cir.Value
	switch in := in.(type) {
	case *cir.Store:
		a, addr, to = in.Access, in.Addr, in.X
	case *cir.RMW:
		a, addr = in.Access, in.Addr
		if k, isInt := in.X.(cir.Int); !isInt || in.Op != cir.RMWAdd || k.Lo != 1 || k.Hi != 0 || ring.indexes {
			return size, false
		}
	}
	v := ts.bodyOf(ts.in.Func(n))
	if addr == nil || v == nil || a.Bits != nil || a.Type != own.Of || !slices.Contains([]cir.Order{cir.Plain, cir.Release, cir.AcqRel, cir.SeqCst}, a.Order) {
		return size, false
	}
	if at, ok := ts.cellAt(n, addr); !ok || at.Obj != own.Obj || at.Off != own.Off {
		return size, false
	}
	at := v.before(in.(cir.Instr))
	ok = ts.inFrames(t, n, func(f *frame[N]) bool {
		r := &rings[N, T]{ts: ts, t: t, left: 200}
		next := sum{plus: own, add: 1}
		if to != nil {
			s, ok := r.sumOf(f, to, at)
			if next.mod = s.mod; !ok || s != next || !r.clean(own) || !r.counts(own) || (s.mod != limit{}) != ring.indexes {
				return false
			}
		}
		if size != (limit{}) && size != next.mod {
			return false
		}
		size = next.mod
		return slices.ContainsFunc(r.roles(f, at, own), func(w role) bool {
			return w.other == other && w.puts == puts && w.mod == (puts && ring.indexes) && (!puts || w.mod && w.size == size || !w.mod && w.within(ring.size))
		})
	})
	return size, ok
}

// maxFrames bounds how many calls are gone back.
const maxFrames = 3

// inFrames reports whether something is so in the frame of a copy, whoever calls it, or in each of the frames of its callers.
func (ts *Tickets[N, T]) inFrames(t T, n N, is func(*frame[N]) bool) bool {
	if ts.callers[t] == nil {
		ts.findCallers(t)
	}
	var frames func(n N, depth int) []*frame[N]
	frames = func(n N, depth int) (list []*frame[N]) {
		v := ts.bodyOf(ts.in.Func(n))
		if v == nil || ts.in.Func(n).Library {
			return nil
		}
		from := ts.callers[t][n]
		if depth == 0 || ts.open[t][n] || len(from) == 0 || len(from) > 8 {
			return []*frame[N]{{v: v, c: n}}
		}
		for _, x := range from {
			up := frames(x.node, depth-1)
			if len(up) == 0 {
				return nil
			}
			for _, f := range up {
				list = append(list, &frame[N]{v, n, f, x.in.(*cir.Call)})
			}
		}
		return list
	}
	for depth := range maxFrames {
		list := frames(n, depth)
		if len(list) > 0 && len(list) <= 32 && !slices.ContainsFunc(list, func(f *frame[N]) bool { return !is(f) }) {
			return true
		}
	}
	return false
}

// ringPiece returns the element of a ring that an access of some bytes goes to, nil if it is not known to go to one that the thread may access.
func (ts *Tickets[N, T]) ringPiece(t T, n N, in cir.Instr, addr cir.Value, size int64) (p *Piece) {
	v := ts.bodyOf(ts.in.Func(n))
	inSame := ts.inFrames(t, n, func(f *frame[N]) bool {
		q := ts.ringPieceIn(t, f, in, addr, size)
		if q == nil || p != nil && *p != *q {
			return false
		}
		p = q
		return true
	})
	if v == nil || !inSame {
		return nil
	}
	return p
}

func (ts *Tickets[N, T]) ringPieceIn(t T, f *frame[N], in cir.Instr, addr cir.Value, size int64) *Piece {
	r := &rings[N, T]{ts: ts, t: t, left: 200}
	var s sum
	w, x := f.v.way(addr, size, func(o *cir.Offset) *index {
		try := &rings[N, T]{ts: ts, t: t, left: 200}
		n, ok := try.sumOf(f, o.Index, f.v.before(o))
		if !ok || !ts.counters[n.plus.place()] || n.minus.Obj != nil || n.add != 0 || n.cond != nil || !try.counts(n.plus) {
			return nil
		}
		s, r.hops = n, append(r.hops, try.hops...)
		return &index{}
	})
	if w == nil || x == nil || w.wide || w.hi-w.lo > w.stride {
		return nil
	}
	at := f.v.before(in)
	for _, step := range w.steps {
		r.hops = append(r.hops, hop[N]{at: f, from: at, to: step})
		at = f.v.before(step)
	}
	own := s.plus
	if !r.clean(own) {
		return nil
	}
	p := &Piece{Stride: w.stride, Lo: w.lo, Hi: w.hi, Rows: s.mod.at, Ring: Ring{size: s.mod, indexes: s.mod == limit{}}}
	for _, y := range r.roles(f, f.v.before(in), own) {
		if !ts.counters[y.other.place()] || y.mod && !p.Ring.indexes || y.puts && !p.Ring.indexes && !y.within(s.mod) || y.puts && p.Ring.indexes && !y.mod {
			continue
		}
		if p.Ring.Put, p.Ring.Get, p.Puts = own, y.other, y.puts; !y.puts {
			p.Ring.Put, p.Ring.Get = y.other, own
			continue
		}
		break
	}
	d := &drawer[N, T]{ts: ts, t: t, open: map[asked[N]]bool{}, left: 3000}
	if p.Ring.Put.Obj == nil || !d.begins(p, f.v, f.c, w.base, in) {
		return nil
	}
	return p
}

// place returns a cell without its type.
func (c Cell) place() Cell { return Cell{Obj: c.Obj, Off: c.Off} }
