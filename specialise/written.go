package specialise

import (
	"slices"

	"comus/cir"
	"comus/logic"
)

// The library's models ask what of an object is initialised (__comus_is_set), to find misuse of locks: memory that holds anything is no lock that
// is held. Where that is asked about, the answer is exact for objects that are tracked, by the variables that tell what has been written (uninit.go): of those objects
// that are asked about, and of those from which bytes are copied there. Which these are, one run finds out for the next one.
//
// That something is written although it is not would be no error here: it holds any value then, so that it may look like anything.

// asksSet reports whether it matters what of some objects is initialised.
func (b *builder) asksSet() bool { return b.opts.Check.Memory || len(b.facts.unset.tested) > 0 }

// beginsUnset reports whether an object is indeterminate when it comes to be, and whether it still is matters.
func (b *builder) beginsUnset(o *object) bool {
	return b.opts.Check.Memory && o.raw || o.global == nil && b.facts.unset.tested[o.key]
}

// copiesSet notes that bytes are copied: what the copy has is initialised where the original is.
func (b *builder) copiesSet(dst, src source) {
	b.soilsGaps(dst, src)
	if slices.ContainsFunc(b.aimed(dst.p, dst.v), func(o *object) bool { return b.facts.unset.tested[o.key] }) {
		b.testsSet(src)
	}
}

// testsSet notes that it is asked what of some objects is initialised.
func (b *builder) testsSet(s source) {
	for _, o := range b.aimed(s.p, s.v) {
		b.unset.tested[o.key] = true
	}
}

// isSet tells whether bytes hold what was written there.
func (b *builder) isSet(args []*value, in *cir.Intrinsic) *value {
	n, ok := b.constSize(args[1])
	if !b.opts.Check.Locks {
		return b.constVal(in.Dst.Type, b.isSetHere(args[0], n))
	}
	p := args[0]
	if b.pending(p) {
		p = b.detach(p)
	}
	b.testsSet(source{p: p, v: in.Args[0]})
	if !ok {
		return b.anything(in.Dst.Type, untracked, b.site)
	}
	ts := b.resolve(p, in.Args[0], 0, n*8, min(n, int64(b.m.PointerBits)/8))
	if ts.vague || b.isBlurredAt(ts) {
		return b.anything(in.Dst.Type, untracked, b.site)
	}
	list, padding := b.doubts(ts, n*8)
	if padding {
		return b.anything(in.Dst.Type, betweenMembers, b.site)
	}
	unset := b.unsetAtOnce(list)
	if unset == nil {
		unset = b.L.False()
	}
	return b.convert(b.condValue(b.L.Not(unset)), in.Dst.Type)
}

// unsetAtOnce is unsetOf in one step.
func (b *builder) unsetAtOnce(list []doubt) *logic.Term {
	if len(list) < 2 || !anyShared(list) {
		return b.unsetOf(list, nil)
	}
	b.settle(true)
	b.cur.depth++
	unset := b.unsetOf(list, nil)
	b.leaveAtomic()
	return unset
}

// isSetHere returns 1 if n bytes are known to hold what was written there: what is static does, and constants are. It is what is told where the use of locks is not
// asked about, but taken for right.
func (b *builder) isSetHere(p *value, n int64) int64 {
	if p.at == nil || len(p.at.idx) > 0 || p.at.obj.vague || n <= 0 {
		return 0
	}
	o := p.at.obj
	if (o.global == nil || o.global.External) && slices.ContainsFunc(b.cellsAt(o, p.at.off*8, n*8), func(c *cell) bool { return b.cur.consts[c.v] == nil }) {
		return 0
	}
	return 1
}
