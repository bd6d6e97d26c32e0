package specialise

import (
	"slices"

	"comus/cir"
	"comus/ir"
	"comus/logic"
	"comus/scan/pointsto"
)

// Of objects that are accessed in ways that are not tracked, one byte is watched, any one chosen at the beginning (where): a
// variable tells whether it is indeterminate, which it is from where its object comes to be until it is written. As
// pointers to such memory are often not known, what is found is an approximation.

// blurs notes that an access goes somewhere to the objects that a pointer may point to.
func (b *builder) blurs(p *value, v cir.Value) {
	if !b.asksSet() {
		return
	}
	for _, o := range b.aimed(p, v) {
		if b.beginsUnset(o) {
			b.unset.blurred[o.key] = true
		}
	}
}

// aimed returns the objects that a pointer may point to.
func (b *builder) aimed(p *value, v cir.Value) (list []*object) {
	if p.at != nil {
		return []*object{p.at.obj}
	}
	for _, abs := range b.aims(p, v) {
		if !abs.External {
			list = append(list, b.instances(abs)...)
		}
	}
	return list
}

// isBlurred reports whether an object is accessed in ways that are not tracked.
func (b *builder) isBlurred(o *object) bool { return o.vague || b.facts.unset.blurred[o.key] }

// isBlurredAt reports whether one of the objects is that an access may go to.
func (b *builder) isBlurredAt(ts *targets) bool {
	return ts.vague || slices.ContainsFunc(ts.list, func(t target) bool { return b.isBlurred(t.obj) })
}

// watchesRaw reports whether it is told whether the byte that is watched is indeterminate: it may be read.
func (b *builder) watchesRaw() bool {
	return b.opts.Check.Memory && b.cur != nil && b.facts.unset.vague
}

// unwritten returns the variable that tells whether the byte that is watched is indeterminate.
func (b *builder) unwritten() *ir.Var { return b.sharedVar("unwritten.watched", ir.Flag) }

// hasWatched returns the condition that the byte that is watched is one of n from an address on.
func (b *builder) hasWatched(at, n *logic.Term) *logic.Term {
	w := b.where().Sym
	return b.L.And(b.L.Le(at, w), b.L.Lt(w, b.L.Add(at, n)))
}

// tellWatched makes the step that tells whether the byte that is watched is indeterminate, if a condition holds.
func (b *builder) tellWatched(in, raw *logic.Term) {
	b.settle(true)
	b.cur.depth++
	b.emit("", ir.AssignCmd(b.unwritten(), b.L.Ite(in, b.L.BoolToInt(raw), b.unwritten().Sym)))
	b.leaveAtomic()
}

// readsVague returns the condition that an access to n bytes that is not tracked reads something indeterminate, nil for never.
func (b *builder) readsVague(p *value, v cir.Value, n *logic.Term) *logic.Term {
	raw := b.facts.unset.spread
	for _, o := range b.aimed(p, v) {
		switch {
		case b.facts.unset.soiledObjects[o.key] && !o.raw:
			return b.L.True()
		case o.raw && b.isBlurred(o):
			raw = true
		}
	}
	if b.unset.vague = b.unset.vague || raw; !raw || !b.watchesRaw() {
		return nil
	}
	return b.L.And(b.isTrue(b.unwritten()), b.hasWatched(p.t, n))
}

// writesVague tells that n bytes are written in a way that is not tracked, by something that is indeterminate if unset holds.
func (b *builder) writesVague(p *value, v cir.Value, n, unset *logic.Term) {
	if unset != nil {
		b.unset.spread = true
	}
	if !b.watchesRaw() {
		return
	}
	if unset == nil {
		unset = b.L.False()
	}
	in := b.hasWatched(p.t, n)
	b.tellWatched(in, unset)
	b.assumeTaken(p, v, in)
}

// assumeTaken assumes that what is written has been allocated, if it is one of any number of objects.
func (b *builder) assumeTaken(p *value, v cir.Value, in *logic.Term) {
	taken := b.L.False()
	objects := b.aimed(p, v)
	for _, o := range objects {
		if !o.many {
			return
		}
		taken = b.L.Or(taken, b.isTrue(b.sharedVar("taken."+o.name, ir.Flag)))
	}
	if len(objects) == 0 || b.cur == nil {
		return
	}
	b.assume(assumePointer)
	b.settle(true)
	b.cur.depth++
	b.emit("", ir.AssumeCmd(b.L.Implies(in, taken)))
	b.leaveAtomic()
}

// beginsVague tells that an object of n bytes comes to be at an address, if it is accessed in ways that are not tracked.
func (b *builder) beginsVague(o *object, at, n *logic.Term) {
	if o.raw && b.isBlurred(o) && b.watchesRaw() {
		b.tellWatched(b.L.And(b.hasWatched(at, n), b.looksAt(o.abs, at)), b.L.True())
	}
}

// looksAt returns the condition that the byte that is watched is one that scalars are accessed at, in an object at an address. The others
// are only copied.
func (b *builder) looksAt(abs *pointsto.Object, at *logic.Term) *logic.Term {
	if abs == nil {
		return b.L.True()
	}
	end := int64(0)
	for a := range abs.How {
		if a.Off < 0 {
			return b.L.True()
		}
		end = max(end, a.Off+byteSize(a.Type))
	}
	off := b.L.Sub(b.where().Sym, at)
	if s := laidOut(abs); s != nil {
		return b.hasScalar(divided(s, abs, 0, maxLaidOut/max(s.Size, 1)*max(s.Size, 1)), off)
	}
	if abs.Stride > 0 {
		if end > abs.Stride {
			return b.L.True()
		}
		off = b.L.Mod(off, b.L.Value(logic.IntValue(abs.Stride)))
	}
	is := b.L.False()
	for _, f := range fieldsOf(abs, 0, end) {
		is = b.L.Or(is, b.L.And(b.L.Le(b.L.Int(f.Offset), off), b.L.Lt(off, b.L.Int(f.Offset+f.Shape.Size))))
	}
	return is
}

// maxLaidOut is more than the bytes of any object of which looksAt tells something.
const maxLaidOut = 1 << 40

// hasScalar returns the condition that a byte some way into a shape is one of a scalar.
func (b *builder) hasScalar(s *cir.Shape, off *logic.Term) *logic.Term {
	switch {
	case s.Elem != nil && s.Elem.Size > 0:
		return b.hasScalar(s.Elem, b.L.Mod(off, b.L.Int(s.Elem.Size)))
	case len(s.Fields) == 0:
		return b.L.Bool(s.Scalar.Kind != cir.None)
	}
	is := b.L.False()
	for i := range s.Fields {
		f := &s.Fields[i]
		in := b.L.And(b.L.Le(b.L.Int(f.Offset), off), b.L.Lt(off, b.L.Int(f.Offset+f.Shape.Size)))
		is = b.L.Or(is, b.L.And(in, b.hasScalar(f.Shape, b.L.Sub(off, b.L.Int(f.Offset)))))
	}
	return is
}

// givesVague tells that a function of the library, or one without a body, may have written n bytes of such an object, all if n is
// negative: that it has is assumed.
func (b *builder) givesVague(o *object, from, n int64) {
	if !b.watchesRaw() || b.partly || !o.raw || !b.isBlurred(o) || o.size <= 0 {
		return
	}
	if n < 0 || from+n > o.size {
		n = o.size - from
	}
	b.assume(assumeWritten)
	b.tellWatched(b.hasWatched(b.L.Int(o.addr+from), b.L.Int(n)), b.L.False())
}

// mayBeRaw returns the condition that what is copied from somewhere is indeterminate: any, if it may be.
func (b *builder) mayBeRaw(s source) *logic.Term {
	if !b.watchesRaw() || s.from == nil && !slices.ContainsFunc(b.aimed(s.p, s.v), func(o *object) bool { return o.raw || b.facts.unset.soiledObjects[o.key] }) {
		return nil
	}
	return b.truth(b.anything(cir.Bool, untracked, b.site))
}
