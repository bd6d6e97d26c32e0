package specialise

import (
	"cmp"
	"slices"

	"comus/cir"
	"comus/ir"
	"comus/logic"
	"comus/scan/pointsto"
)

// target is a place that a pointer may point to, if cond holds.
type target struct {
	cond *logic.Term
	obj  *object
	bit  int64
}

// targets is where an access may go.
type targets struct {
	list []target
	// ok has to hold for the access to have a meaning: the index is in bounds, the pointer valid.
	ok []*logic.Term
	// found is ok without what shared variables say of how much memory there is, which are read in a step of their own.
	found []*logic.Term
	// vague tells that the access may also go where memory is not tracked, or to too many places.
	vague   bool
	sums    []*summary    // of which something may be accessed,
	seen    []*summary    // and something that threads share
	living  []*logic.Term // that what is accessed has not been freed, where that is asked
	shared  bool          // something there is shared
	bits    int64         // of the access
	limited bool          // a shared variable says how much memory there is
	bounds  bool          // ok is about an index of an array only
	outside bool          // the pointer may be one from outside
	within  *object       // where the access goes if ok holds, although it is vague
	// doubtful tells that ok and living do not say all of whether the access has a meaning.
	doubtful bool
	doubt    *logic.Term // when they do not, if that is known, and doubtful does not tell; nil: never
	trusted  bool        // a function of the library reads a string: it does not go beyond its end
	elem     *element    // where it goes, if that is to an array that one cell is shown of; then list is empty
}

// resolve finds out where an access of some bits through a pointer may go, other than to elements. v is the operand that the pointer is.
func (b *builder) resolve(p *value, v cir.Value, firstBit, bits, align int64) *targets {
	ts := b.resolveAll(p, v, firstBit, bits, align)
	if ts.elem != nil {
		b.takeApart(ts.elem.c.obj)
	}
	return ts
}

// resolveAll is resolve for what knows about elements.
func (b *builder) resolveAll(p *value, v cir.Value, firstBit, bits, align int64) *targets {
	ts := &targets{ok: slices.Clone(p.side), bits: bits}
	if at := cmp.Or(p.at, b.placeOf(p)); at != nil && b.resolveElement(at, ts, firstBit, bits) {
		return ts
	}
	if b.resolvePlace(p, ts, firstBit, bits) {
		return b.finishTargets(ts)
	}
	if c, ok := p.t.Const(); ok {
		b.resolveConst(c, ts, firstBit, bits)
		return b.finishTargets(ts)
	}
	b.resolveAny(p, v, ts, firstBit, bits, align)
	return b.finishTargets(ts)
}

// finishTargets notes what is shared.
func (b *builder) finishTargets(ts *targets) *targets {
	ts.shared = ts.vague || ts.elem != nil && ts.elem.c.v.Thread == ir.Shared
	if o := ts.within; o != nil {
		if ts.doubtful = b.outlived(o) || o.limit != nil; b.hasToLive(o) { // beyond the limit, perhaps
			ts.living = append(ts.living, b.living(o))
		}
	}
	ts.found = slices.Clone(ts.ok)
	for _, t := range ts.list {
		ts.doubtful = b.outlived(t.obj) || ts.doubtful
		if b.hasToLive(t.obj) {
			ts.living = append(ts.living, b.L.Implies(t.cond, b.living(t.obj)))
		}
		if x := t.obj.limit; x != nil {
			ts.ok = append(ts.ok, b.L.Implies(t.cond, b.L.Le(b.L.Int((t.bit+ts.bits+7)/8), b.limitOf(t.obj))))
			ts.bounds = true
			ts.limited = ts.limited || x.Thread == ir.Shared
		}
		if t.obj.shared && b.sharedAt(t.obj, t.bit) {
			ts.shared = true
		}
	}
	return ts
}

// hasToLive reports whether it is asked if an object lives where it is accessed.
func (b *builder) hasToLive(o *object) bool {
	return b.opts.Check.Memory && (o.heap && o.abs != nil && o.abs.Freed || b.tracksLife(o) && b.mayHaveEnded(o))
}

// ofLibrary reports whether the current function, one of the library, accesses memory that the library allocated for itself.
func (b *builder) ofLibrary(o *object) bool {
	return b.fr.fn.Library && o.heap && !o.user && (o.abs == nil || !isEnvironment(o.abs) || b.isOwner())
}

// sharedAt reports whether the scalar at a bit of an object is one that threads share.
func (b *builder) sharedAt(o *object, bit int64) bool {
	for _, c := range b.cellsAt(o, bit, 1) {
		if _, ok := b.frozen(c); ok || c.v.Thread >= 0 {
			return false
		}
	}
	return true
}

// resolvePlace resolves a pointer into an object that is known.
func (b *builder) resolvePlace(p *value, ts *targets, firstBit, bits int64) bool {
	if p.at == nil {
		return false
	}
	o := p.at.obj
	if o.fn != nil {
		ts.ok = append(ts.ok, b.L.False())
		return true
	}
	if o == b.argv.obj {
		b.resolveVector(p, ts, firstBit, bits)
		return true
	}
	if ts.vague = o.vague; o.size < 0 {
		first := firstBit+bits == 8 && p.at.off == 0 && len(p.at.idx) == 0 && b.isVariable(o.abs) // a string has one character at least
		ts.doubtful = !b.ofLibrary(o) && !first
		return true
	}
	type way struct {
		cond *logic.Term
		off  int64
	}
	ways := []way{{b.L.True(), p.at.off}}
	single := len(p.at.idx) == 1
	for _, x := range p.at.idx {
		lo, hi, ok := b.indexRange(x, p.at, (firstBit+bits+7)/8)
		if !ok {
			return false
		}
		if (x.len > 0 || x.array || single) && !(x.rng.lo.Cmp(logic.IntValue(lo)) >= 0 && x.rng.hi.Cmp(logic.IntValue(hi)) <= 0) {
			ts.ok = append(ts.ok, b.L.And(b.L.Le(b.L.Int(lo), x.t), b.L.Le(x.t, b.L.Int(hi))))
			ts.bounds = true
		}
		if ts.vague || int64(len(ways))*(hi-lo+1) > maxCells {
			if b.hasRows(o) {
				b.takeApart(o) // its cells are not among what such an access may hit
			}
			if ts.vague = true; single {
				ts.within = o
			} else {
				ts.doubtful = true
			}
			return true
		}
		var next []way
		for _, w := range ways {
			for k := lo; k <= hi; k++ {
				if cond := b.L.And(w.cond, b.L.Eq(x.t, b.L.Int(k))); !cond.IsFalse() {
					next = append(next, way{cond, w.off + k*x.scale})
				}
			}
		}
		ways = next
	}
	for _, w := range ways {
		if w.off >= 0 && w.off*8+firstBit+bits <= o.size*8 {
			ts.list = append(ts.list, target{w.cond, o, w.off*8 + firstBit})
		}
	}
	if len(ts.list) == 0 {
		ts.ok = append(ts.ok, b.L.False())
	} else if len(p.at.idx) > 1 && len(ts.list) < len(ways) {
		ts.ok = append(ts.ok, b.anyOf(ts.list))
	}
	if ts.vague {
		ts.list, ts.within = nil, o
	}
	return true
}

func (b *builder) anyOf(list []target) *logic.Term {
	conds := make([]*logic.Term, len(list))
	for i, t := range list {
		conds[i] = t.cond
	}
	return b.L.Or(conds...)
}

// indexRange bounds an index by its array, its object, and what is known of its value. An index that is the only one is in its bounds if and
// only if some bytes from there on are in the object.
func (b *builder) indexRange(x index, at *place, bytes int64) (lo, hi int64, ok bool) {
	if x.scale == 0 {
		return 0, 0, false
	}
	size, scale := at.obj.size, abs(x.scale)
	lo, hi = -(size / scale), size/scale
	if len(at.idx) == 1 {
		lo, hi = -floorDiv(at.off, scale), floorDiv(size-bytes-at.off, scale)
		if x.scale < 0 {
			lo, hi = -hi, -lo
		}
	}
	if x.len > 0 || x.array {
		lo = max(lo, 0)
	}
	if x.len > 0 {
		hi = min(hi, x.len-1)
	}
	if k, small := x.rng.lo.Int64(); small && k > lo {
		lo = k
	}
	if k, small := x.rng.hi.Int64(); small && k < hi {
		hi = k
	}
	return lo, hi, true
}

// floorDiv returns the largest integer that is at most x / y, for y > 0.
func floorDiv(x, y int64) int64 {
	q := x / y
	if x%y < 0 {
		q--
	}
	return q
}

func abs(n int64) int64 { return max(n, -n) }

// resolveConst resolves an address that is a constant.
func (b *builder) resolveConst(c logic.Value, ts *targets, firstBit, bits int64) {
	addr, small := c.Int64()
	o := b.objectAt(addr)
	if !small || o == nil || o.fn != nil {
		ts.ok = append(ts.ok, b.L.False())
		return
	}
	if o == b.argv.obj {
		b.resolveVector(b.pointerTo(o, addr-o.addr), ts, firstBit, bits)
		return
	}
	if o.vague {
		ts.vague, ts.doubtful = true, !b.ofLibrary(o)
		return
	}
	bit := (addr-o.addr)*8 + firstBit
	if bit+bits > o.size*8 {
		ts.ok = append(ts.ok, b.L.False())
		return
	}
	ts.list = []target{{b.L.True(), o, bit}}
}

// resolveAny resolves a pointer by what it may point to.
func (b *builder) resolveAny(p *value, v cir.Value, ts *targets, firstBit, bits, align int64) {
	var valid []*logic.Term
	theirs, outside := false, false // the program's own, and what is outside of it
	all := b.pts.Targets(b.fr.fn, b.fr.ctx, v)
	for _, l := range all {
		if l.Obj.External {
			ts.vague, ts.outside, outside = true, true, true
			continue
		}
		var many *summary
		for _, o := range b.instances(l.Obj) {
			if o.many {
				if s := b.summaryOf(l.Obj); s != nil {
					many = s
					continue
				}
			}
			if o.vague {
				ts.vague, theirs = true, theirs || !b.ofLibrary(o)
				continue
			}
			if len(all) == 1 && l.Off != pointsto.Any && len(b.instances(l.Obj)) == 1 && b.resolveInto(p, o, l.Off+p.shift, ts, firstBit, bits) {
				return
			}
			for _, off := range offsets(o, l.Off, align) {
				off += p.shift
				if off < 0 || off*8+firstBit+bits > o.size*8 {
					continue
				}
				cond := b.L.Eq(p.t, b.L.Int(o.addr+off))
				if cond.IsFalse() {
					continue
				}
				ts.list = append(ts.list, target{cond, o, off*8 + firstBit})
				valid = append(valid, cond)
			}
		}
		if many != nil {
			is, ok := b.inSummary(ts, many, p, l.Off, firstBit, bits, align)
			if valid = append(valid, is); !ok {
				valid = valid[:len(valid)-1]
				ts.vague, theirs = true, true
			}
		}
	}
	if len(ts.list) > maxCells {
		for _, x := range ts.list {
			if b.hasRows(x.obj) {
				b.takeApart(x.obj)
			}
		}
		ts.list, ts.vague, theirs = nil, true, true
	}
	ts.doubtful = ts.vague && theirs
	switch {
	case outside && !theirs && b.argv.count != nil:
		b.resolveOutside(p, ts, valid, firstBit, bits)
	case outside:
		ts.doubtful = true
	}
	if !ts.vague {
		ts.ok = append(ts.ok, b.L.Or(valid...))
	}
}

// instances returns the objects that an abstract object stands for.
func (b *builder) instances(abs *pointsto.Object) []*object {
	if abs.Global != nil && !abs.Global.ThreadLocal {
		return []*object{b.global(abs.Global)}
	}
	var list []*object
	mine := !abs.Escaped // each thread has its own, and sees no other
	for _, bp := range b.facts.instances[abs] {
		if mine && bp.owner >= 0 && bp.owner != b.identity() {
			continue
		}
		list = append(list, b.object(bp))
	}
	slices.SortFunc(list, func(x, y *object) int { return cmp.Compare(x.addr, y.addr) })
	return list
}

// offsets returns the offsets in an object that one found by points stands for: those of all elements of arrays, or, for any
// offset, all that are aligned.
func offsets(o *object, off, align int64) []int64 {
	var list []int64
	if off == pointsto.Any {
		for at := int64(0); at < o.size && len(list) <= maxCells; at += max(align, 1) {
			list = append(list, at)
		}
		return list
	}
	expand(o.shape, 0, off, func(at int64) {
		if len(list) <= maxCells {
			list = append(list, at)
		}
	})
	if len(list) == 0 && off >= 0 && off < o.size {
		list = append(list, off)
	}
	return list
}

// expand calls f for each place that an offset within the first elements of arrays stands for.
func expand(s *cir.Shape, base, off int64, f func(int64)) {
	switch {
	case s == nil:
	case s.Elem != nil && s.Elem.Size > 0:
		for i := range max(s.Len, 1) {
			if i > maxCells {
				return
			}
			expand(s.Elem, base+i*s.Elem.Size, off%s.Elem.Size, f)
		}
	case s.Union:
		f(base + off)
	default:
		for i := range s.Fields {
			x := &s.Fields[i]
			end := x.Offset + x.Shape.Size
			if x.Bits == nil && x.Offset <= off && off < end {
				expand(x.Shape, base+x.Offset, off-x.Offset, f)
				return
			}
		}
		f(base + off)
	}
}
