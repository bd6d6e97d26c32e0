package specialise

import (
	"maps"
	"slices"

	"comus/cir"
	"comus/logic"
)

// What functions of the library print, write to files, send, or read as a string has to be initialised, too. Bytes between the scalars of an
// object need not be: C leaves open what they hold, but it is something (6.2.6.1p6).

// readsBytes makes it an error that some of the first n bytes at a pointer are indeterminate. approx names what is not exact about the access.
func (b *builder) readsBytes(s source, n *value, approx string) {
	if !b.opts.Check.Memory || b.cur == nil {
		return
	}
	mark := b.hold(s.p, n)
	for i := range b.held[mark:] {
		b.held[mark+i] = b.steady(b.held[mark+i])
	}
	s.p, n = b.held[mark], b.held[mark+1]
	most := int64(maxCells + 1)
	if k, small := n.bounds().hi.Int64(); small {
		most = min(most, k)
	}
	ts := b.resolveByte(s)
	b.readsWatched(s, ts, n.t)
	for _, t := range ts.list {
		b.readsParts(t, most, approx, func(at int64) (*logic.Term, string) { return b.L.Gt(n.t, b.L.Int(at)), approx })
	}
	b.release(mark)
}

// readsString makes it an error that a string has a character that is indeterminate; of which most are read, unless that is negative.
func (b *builder) readsString(s source, most int64) {
	if !b.opts.Check.Memory || b.cur == nil || most == 0 {
		return
	}
	if _, ok := b.literal(s.p); ok {
		return
	}
	mark := b.hold(s.p)
	b.held[mark] = b.steady(b.held[mark])
	s.p = b.held[mark]
	ts := b.resolveByte(s)
	if most > 0 {
		b.readsWatched(s, ts, b.L.Int(most))
	} else {
		most = maxCells + 1
	}
	for _, t := range ts.list {
		goesOn, own := b.L.True(), b.readsOwn(t)
		b.readsParts(t, most, unsureString, func(at int64) (*logic.Term, string) {
			switch {
			case at == 0:
				return goesOn, ""
			case !own:
				return goesOn, unsureString
			}
			last := b.contents(t.obj, t.bit+at*8-8, 8, cir.Access{Type: cir.U8})
			goesOn = b.L.And(goesOn, b.L.Ne(last.t, b.L.Int(0)))
			return goesOn, ""
		})
	}
	b.release(mark)
}

// readsOwn reports whether the characters of a string can be looked at in one step.
func (b *builder) readsOwn(t target) bool {
	o := t.obj
	return o.limit == nil && o.size <= maxEnd && !slices.ContainsFunc(b.cellsAt(o, t.bit, o.size*8-t.bit), func(c *cell) bool {
		return c.bits != 8 || o.shared || c.v.Thread >= 0 && c.v.Thread != b.th.index
	})
}

// readsWatched is readsBytes for memory that is not tracked.
func (b *builder) readsWatched(s source, ts *targets, n *logic.Term) {
	var raw *logic.Term
	b.within(s.from, func() {
		if ts.vague {
			b.blurs(s.p, s.v)
		}
		if b.isBlurredAt(ts) {
			raw = b.readsVague(s.p, s.v, n)
		}
	})
	if raw != nil && b.cur != nil {
		b.mayRead(untracked, raw)
	}
}

// readsParts makes it an error that one of the first scalars at a place, within most bytes, is indeterminate and read. Under which condition each is read, and what is not
// exact about that, tells reads, which is asked in order; approx is what is not exact if there are too many.
func (b *builder) readsParts(t target, most int64, approx string, reads func(at int64) (*logic.Term, string)) {
	o := t.obj
	if !o.raw && !b.facts.unset.soiledObjects[o.key] || b.isBlurred(o) {
		return
	}
	most = min(most, o.size-t.bit/8)
	if most > maxCells {
		b.mayRead(approx, t.cond)
		return
	}
	doubts, end := map[string][]doubt{}, t.bit // up to which there is no gap
	for _, s := range b.stretchesAt(o, t.bit, most*8) {
		b.readsGap(t, end, s.lo, reads)
		end = max(end, s.hi)
		is, how := reads(max(0, s.lo-t.bit) / 8)
		if b.certain(s) {
			continue
		}
		add(b.unset.marked, s.c.obj.key, s.c.bit)
		unset := b.L.Eq(b.marking(s), b.L.Int(0))
		if is = b.L.And(t.cond, is, unset); !is.IsFalse() {
			doubts[how] = append(doubts[how], doubt{s, is})
		}
		if unset.IsTrue() {
			break // the first one is an error where it is read
		}
	}
	b.readsGap(t, end, t.bit+most*8, reads)
	ts := &targets{list: []target{t}}
	for _, how := range slices.Sorted(maps.Keys(doubts)) {
		b.approximately(how, func() { b.readError(ts, doubts[how]) })
	}
}

// readsGap makes it an error, as an approximation, that some bits at a place are read that no scalar of an object on the heap has: they may belong
// to members that are accessed in no other way.
func (b *builder) readsGap(t target, from, to int64, reads func(at int64) (*logic.Term, string)) {
	o := t.obj
	if !o.heap || !o.raw || from >= to || b.certain(o.gapStretch()) && !b.facts.unset.soiledObjects[o.key] {
		return
	}
	is, _ := reads(max(0, from-t.bit) / 8)
	b.mayRead(betweenMembers, b.L.And(t.cond, is))
}

// gapStretch returns what stands for the bytes of an object that no scalar has.
func (o *object) gapStretch() *stretch {
	if o.gaps == nil {
		o.gaps = &stretch{c: &cell{obj: o, key: o.key + ".gaps"}}
	}
	return o.gaps
}

// fillsAll notes that all bytes of an object are written, if that is known.
func (b *builder) fillsAll(p *value, n int64) {
	if at := p.at; b.opts.Check.Memory && b.cur != nil && at != nil && len(at.idx) == 0 && at.off == 0 && at.obj.limit == nil && at.obj.size > 0 && n >= at.obj.size {
		b.knowSet(at.obj.gapStretch())
	}
}

// soilsGaps notes that bytes that no scalar has may be copied to objects, and need not be initialised.
func (b *builder) soilsGaps(dst, src source) {
	if !b.opts.Check.Memory || !slices.ContainsFunc(b.aimed(src.p, src.v), func(o *object) bool { return o.raw }) {
		return
	}
	for _, o := range b.aimed(dst.p, dst.v) {
		if o.heap && o.raw {
			b.unset.soiled[o.gapStretch().c.key] = true
		}
	}
}
