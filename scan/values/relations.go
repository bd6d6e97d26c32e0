package values

import (
	"slices"

	"comus/cir"
	"comus/scan/zones"
)

// Beside the values of single cells a state has relations of packs of them, which findPacks chooses: zones.State says which. What it says of a
// cell is true of the memory that the thread sees there: of all cells while there is one thread, and later of those that it has for itself, and of
// those that threads share while it holds a lock that all accesses of them are made under (guards). That lock is in the state in any case, so
// nobody else changes the cell.
//
// The place related of a pack and a lock has what holds of the cells that this lock guards whenever nobody holds it: what is there when the second
// thread begins, and what anybody leaves who gives the lock back. Who takes the lock finds that, and forgets it when he gives the lock back. A cell counts there
// only as long as the lock guards it, which may turn out later not to be so: whoever uses a relation asks that again.
//
// Only scalars that stand for one object at a time are in packs: what a thread has for itself, and of what threads share that of which there is one
// only. A local that threads share may stand for those of several.

// pack is a few cells of which relations are followed.
type pack struct {
	*zones.Pack
	id    int
	cells []*cell
	index map[uint32]int // of the cells, by their keys
}

// relations is what is known of packs, by their numbers: nil is nothing. It is never changed.
type relations []*zones.State

// with returns relations with another one of a pack.
func (z relations) with(p *pack, s *zones.State, packs int) relations {
	if s.Trivial() {
		s = nil
	}
	if z.of(p) == s {
		return z
	}
	y := make(relations, packs)
	copy(y, z)
	y[p.id] = s
	return y
}

// of returns what is known of a pack.
func (z relations) of(p *pack) *zones.State {
	if z == nil {
		return nil
	}
	return z[p.id]
}

// merge returns what f makes of what both know, nothing where one of them does not.
func (z relations) merge(y relations, f func(s, t *zones.State) *zones.State) relations {
	if z == nil || y == nil {
		return nil
	}
	x := z
	for i, s := range z {
		var t *zones.State
		if s != nil && y[i] != nil {
			if t = f(s, y[i]); t.Trivial() {
				t = nil
			}
		}
		if t != s {
			if &x[0] == &z[0] {
				x = slices.Clone(z)
			}
			x[i] = t
		}
	}
	return x
}

func (z relations) join(y relations) relations { return z.merge(y, (*zones.State).Join) }

func (z relations) equal(y relations) bool {
	return slices.EqualFunc(z, y, func(s, t *zones.State) bool { return s == t || s != nil && t != nil && s.Equal(t) })
}

// growDrop is after how often nothing is said any more of packs that still grow.
const growDrop = 2 * growFast

// widen returns what covers both, so that chains end.
func (z relations) widen(y relations, times int) relations {
	return z.merge(y, func(s, t *zones.State) *zones.State {
		switch {
		case s.Equal(t):
			return s
		case times > growDrop:
			return s.Forget(func(int) bool { return true })
		}
		return s.Widen(t, times > growFast)
	})
}

// pack returns what is known of a pack.
func (r *run) pack(p *pack) *zones.State {
	if s := r.z.of(p); s != nil {
		return s
	}
	return p.Top()
}

// know sets what is known of a pack. Nothing gets here if nothing is possible.
func (r *run) know(p *pack, s *zones.State) {
	if s.Empty() {
		r.dead = true
		return
	}
	r.z = r.z.with(p, s, len(r.packs))
}

// lone reports whether a cell is a global that only one thread accesses. Others may know of it what a lock tells them: that thread may write
// it under one only.
func lone(c *cell) bool { return c.own && c.obj.Global != nil && !c.obj.Global.ThreadLocal }

// tracked reports whether relations may say something of a cell here.
func (r *run) tracked(c *cell) bool {
	if !r.many || c.own && !lone(c) {
		return true
	}
	if c.own {
		f := r.env.Get(place{kind: guarded, n: int32(c.key)})
		if !f.live || f.s == nil { // nobody writes it any more; or no lock tells of it, and who knows of it is the thread that writes it
			return true
		}
	}
	held := r.held()
	return held != nil && r.guards(c, held)
}

// shut forgets what is known of cells that others may access now, and all of what registers have to do with cells.
func (r *run) shut() {
	clear(r.forms)
	if !r.many {
		return
	}
	for _, p := range r.packs {
		if s := r.z.of(p); s != nil {
			r.know(p, s.Forget(func(i int) bool { return !r.tracked(p.cells[i]) }))
		}
	}
}

// guardedBy returns which cells of a pack a lock guards, if there are any. The lock is given by its key in states; depth is that of atomic sections.
func (r *run) guardedBy(p *pack, lock uint32) (is []bool, some bool) {
	held := (*state)(nil).set(lock, one)
	is = make([]bool, p.N)
	for i, c := range p.cells {
		is[i] = (!c.own || lone(c)) && r.guards(c, held)
		some = some || is[i]
	}
	return is, some
}

// leaveTo contributes what others find who take a lock next.
func (r *run) leaveTo(lock uint32) {
	for _, p := range r.packs {
		if is, some := r.guardedBy(p, lock); some {
			s := r.pack(p).Forget(func(i int) bool { return !is[i] })
			r.env.Add(place{kind: related, n: int32(p.id), block: int32(lock)}, fact{live: true, z: relations{s}})
		}
	}
}

// find meets what is known with what whoever held a lock before left.
func (r *run) find(lock uint32) {
	for _, p := range r.packs {
		is, some := r.guardedBy(p, lock)
		if !some {
			continue
		}
		f := r.env.Get(place{kind: related, n: int32(p.id), block: int32(lock)})
		if !f.live || len(f.z) == 0 || f.z[0] == nil {
			continue
		}
		if r.know(p, r.pack(p).Meet(f.z[0].Forget(func(i int) bool { return !is[i] }))); r.dead {
			return
		}
	}
}

// share makes relations known to other threads, of which there were none: for each lock but those that this thread holds, who will leave
// them when it gives them back.
func (r *run) share() {
	held := r.held()
	r.locks.each(func(key uint32, _ Value) {
		if _, mine := held.get(key); !mine {
			r.leaveTo(key)
		}
	})
}

// relate notes that a cell is written, r.source being what, if that is a sum of cells.
func (r *run) relate(c *cell, v Value, sure bool) {
	packs := r.packsOf[c.key]
	if len(packs) == 0 {
		return
	}
	if r.many && lone(c) {
		r.env.Add(place{kind: guarded, n: int32(c.key)}, fact{live: true, s: r.held()})
	}
	f := r.source
	known := r.tracked(c)
	for _, p := range packs {
		i := p.index[c.key]
		s := r.pack(p)
		t := s.Forget(func(j int) bool { return i == j })
		if known {
			if lin, ok := p.linear(f); ok {
				t = s.Assign(i, lin)
			}
			lo, hi := ends(v)
			if t = t.Within(i, lo, hi); !sure {
				t = s.Join(t)
			}
		}
		if r.know(p, t); r.dead {
			return
		}
	}
	if sure && known {
		r.rebase(c, f)
		return
	}
	r.rebase(c, nil)
}

// ends returns the bounds of a value, nil for none.
func ends(v Value) (lo, hi *int64) {
	if v.kind != some {
		return nil, nil
	}
	if v.lo.hi == int64(v.lo.lo)>>63 {
		n := int64(v.lo.lo)
		lo = &n
	}
	if v.hi.hi == int64(v.hi.lo)>>63 {
		n := int64(v.hi.lo)
		hi = &n
	}
	return lo, hi
}

// within is Value of bounds.
func between(lo, hi *int64, t cir.Type) Value {
	v := all(t)
	if lo != nil {
		v = v.from(numberOf(*lo))
	}
	if hi != nil {
		v = v.upTo(numberOf(*hi))
	}
	return v
}

// bounds returns what packs know of a sum, as a value of a type.
func (r *run) bounds(f *sumOf, t cir.Type) Value {
	v := all(t)
	for _, p := range r.packsFor(f) {
		if s := r.z.of(p); s != nil {
			if lin, ok := p.linear(f); ok {
				lo, hi := s.Bounds(lin)
				v = v.meet(between(lo, hi, t))
			}
		}
	}
	return v
}

// packsFor returns the packs that may have all cells of a sum.
func (r *run) packsFor(f *sumOf) []*pack {
	if f == nil || len(f.terms) == 0 {
		return nil
	}
	return r.packsOf[f.terms[0].key]
}

// assign assigns a register that is a sum of cells, nil for none: what relations say of the sum is true of the register.
func (r *run) assign(x *cir.Reg, v Value, f *sumOf) {
	if f != nil {
		v = v.of(x.Type).meet(r.bounds(f, x.Type))
	}
	if r.set(x, v); f != nil && x != nil && !r.dead {
		r.forms[x] = f
	}
}

// loaded returns the cell that is loaded from, as a sum.
func (r *run) loaded(in *cir.Load) *sumOf {
	if len(r.packs) == 0 || in.Bits != nil {
		return nil
	}
	if c := r.cellIn(in.Addr, in.Type); c != nil {
		return cellSum(c)
	}
	return nil
}

// stored notes that a register of which nothing else is known is what a cell holds now.
func (r *run) stored(in *cir.Store) {
	x, ok := in.X.(*cir.Reg)
	if !ok || len(r.packs) == 0 || r.dead || in.Bits != nil || r.form(x) != nil {
		return
	}
	if c := r.cellIn(in.Addr, in.Type); c != nil {
		r.forms[x] = cellSum(c)
	}
}

// cellIn returns the cell of packs that an address is of, if its values are those of a type and it is tracked.
func (r *run) cellIn(addr cir.Value, t cir.Type) *cell {
	ls := r.aim(addr)
	if len(ls) != 1 {
		return nil
	}
	c := r.target(ls[0], r.prog.Model.SizeOf(t))
	if c == nil || len(r.packsOf[c.key]) == 0 || !r.tracked(c) || !sameNumbers(c.typ, t) {
		return nil
	}
	return c
}

// computed returns the sum that a result is, if it is one without wrapping around.
func (r *run) computed(in *cir.Binary) *sumOf {
	if len(r.packs) == 0 || !isNumber(in.Dst.Type) {
		return nil
	}
	x, y := r.form(in.X), r.form(in.Y)
	if x == nil || y == nil {
		return nil
	}
	var f *sumOf
	switch {
	case in.Op == cir.Add:
		f = x.plus(1, y)
	case in.Op == cir.Sub:
		f = x.plus(-1, y)
	case in.Op == cir.Mul && len(x.terms) == 0:
		f = (&sumOf{}).plus(x.c, y)
	case in.Op == cir.Mul && len(y.terms) == 0:
		f = (&sumOf{}).plus(y.c, x)
	}
	if f == nil || len(f.terms) == 0 {
		return nil
	}
	if exact := in.Dst.Type.Signed && !in.Wrap && !r.opts.Wrap; exact || r.fits(in, f) {
		return f
	}
	return nil
}

// fits reports whether the result of an operation, which is a sum, is within its type.
func (r *run) fits(in *cir.Binary, f *sumOf) bool {
	var v Value
	switch x, y := r.value(in.X), r.value(in.Y); in.Op {
	case cir.Add:
		v = sum(x, y)
	case cir.Sub:
		v = sum(x, minus(y))
	default:
		v = product(x, y)
	}
	t := in.Dst.Type
	if v.kind == some && v.within(all(t)) {
		return true
	}
	least, most := limits(t)
	if v.kind != some {
		return false
	}
	lo, hi := v.lo, v.hi
	for _, p := range r.packsFor(f) {
		lin, ok := p.linear(f)
		if s := r.z.of(p); ok && s != nil {
			a, b := s.Bounds(lin)
			if a != nil && numberOf(*a).cmp(lo) > 0 {
				lo = numberOf(*a)
			}
			if b != nil && numberOf(*b).cmp(hi) < 0 {
				hi = numberOf(*b)
			}
		}
	}
	return least.cmp(lo) <= 0 && hi.cmp(most) <= 0
}

// converted returns the sum that is converted, if nothing is lost.
func (r *run) converted(in *cir.Convert) *sumOf {
	if len(r.packs) == 0 || in.Dst.Type == cir.Bool || !isNumber(in.Dst.Type) || r.prog.Model.TypeOf(in.X).IsPointer() && in.Dst.Type.Bits > r.prog.Model.PointerBits {
		return nil
	}
	from, x := r.prog.Model.TypeOf(in.X), r.form(in.X)
	if x != nil && len(x.terms) > 0 && isNumber(from) && r.value(in.X).of(from).within(all(in.Dst.Type)) {
		return x
	}
	return nil
}

// compared decides a comparison by relations, too: the difference of its operands is bounded.
func (r *run) compared(in *cir.Compare, v Value) Value {
	if d := r.difference(in); d != nil {
		return v.meet(compare(in.Pred, r.bounds(d, wide), zero))
	}
	return v
}

// wide is a type that differences fit in.
var wide = cir.I64

// difference returns the operands' difference as a sum of cells, nil if it is none.
func (r *run) difference(in *cir.Compare) *sumOf {
	if len(r.packs) == 0 || !isNumber(r.prog.Model.TypeOf(in.X)) {
		return nil
	}
	x, y := r.form(in.X), r.form(in.Y)
	if x == nil || y == nil {
		return nil
	}
	if d := x.plus(-1, y); d != nil && len(d.terms) > 0 {
		return d
	}
	return nil
}

// suppose goes on only if a sum compares so to 0.
func (r *run) suppose(f *sumOf, p cir.Pred) {
	for _, k := range r.packsFor(f) {
		if lin, ok := k.linear(f); ok && !r.dead {
			r.know(k, r.pack(k).Assume(lin, p))
		}
	}
}

// learned notes that a cell holds one of some values.
func (r *run) learned(c *cell, v Value) {
	if r.dead || !r.tracked(c) {
		return
	}
	lo, hi := ends(v)
	for _, p := range r.packsOf[c.key] {
		if !r.dead {
			r.know(p, r.pack(p).Within(p.index[c.key], lo, hi))
		}
	}
}

// forgetCells returns relations without some cells.
func (a *analysis) forgetCells(z relations, drop func(c *cell) bool) relations {
	if z == nil {
		return nil
	}
	for _, p := range a.packs {
		if s := z.of(p); s != nil && slices.ContainsFunc(p.cells, drop) {
			z = z.with(p, s.Forget(func(i int) bool { return drop(p.cells[i]) }), len(a.packs))
		}
	}
	return z
}

// related returns what is known after a call: what the function left, and of what it cannot change, what was known before.
func (r *run) relatedAfter(c *code, end relations, many bool) relations {
	before := r.forgetCells(r.z, func(x *cell) bool {
		_, changed := c.changes.get(x.key)
		return changed || many && (!x.own || lone(x)) && (c.locks || !r.many)
	})
	for _, p := range r.packs {
		s, t := before.of(p), end.of(p)
		switch {
		case s == nil:
		case t == nil:
			end = end.with(p, s, len(r.packs))
		case s != t:
			end = end.with(p, t.Meet(s), len(r.packs))
		}
	}
	return end
}

// initially is what relations there are when the program begins.
func (a *analysis) initially() (z relations) {
	for _, p := range a.packs {
		s := p.Top()
		for i, c := range p.cells {
			if n, ok := c.init.Only(); c.static && ok {
				s = s.Assign(i, zones.Constant(p.N, n))
			} else if c.static {
				lo, hi := ends(c.init)
				s = s.Within(i, lo, hi)
			}
		}
		z = z.with(p, s, len(a.packs))
	}
	return z
}
