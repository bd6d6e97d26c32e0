package specialise

import (
	"cmp"
	"maps"
	"slices"

	"comus/ir"
)

// A local lives until its block or its function ends, or its thread does. Of those that are accessed where they may have ended, a variable tells whether
// they live, as of an object that is freed. Which these are one run finds out for the next one.

// outlived notes an access to a local that may have ended. It reports whether it is asked, and not known, if it has.
func (b *builder) outlived(o *object) (doubtful bool) {
	switch {
	case !o.local || !b.mayHaveEnded(o):
	case !b.opts.Check.Memory:
		b.assume(assumeLifetime)
	case b.threads[o.owner].replicated:
		return true
	default:
		b.dangling[o.key] = true
	}
	return false
}

// mayHaveEnded reports whether a local's life may have ended where it is accessed.
func (b *builder) mayHaveEnded(o *object) bool {
	switch {
	case o.owner != b.th.index:
		// A local of main's that lives until main returns may end while another thread runs (C11 5.1.2.2.3).
		return !o.outer || b.opts.Check.Memory && (o.global == nil || len(b.threads[0].ends) > 0)
	case o.ended:
		return true
	case !b.opts.Check.Memory || o.global != nil:
		return false
	}
	return b.loops > 0 && o.scoped || !b.isActive(o.fr)
}

// isActive reports whether an activation is one of those that are being run.
func (b *builder) isActive(x *frame) bool {
	for fr := b.fr; fr != nil; fr = fr.parent {
		if fr == x {
			return true
		}
	}
	return false
}

// tracksLife reports whether a variable tells whether a local lives.
func (b *builder) tracksLife(o *object) bool {
	return o.local && b.opts.Check.Memory && b.facts.lifetimes[o.key]
}

// begins begins the lives of the locals that live as long as the current function's activation.
func (b *builder) begins() {
	if !b.asksSet() || len(b.facts.lifetimes) == 0 && len(b.facts.unset.marked) == 0 && !b.facts.unset.vague {
		return
	}
	for _, l := range b.fr.fn.Locals {
		if o := b.local(b.fr, l); !l.Scoped {
			b.begun(o)
			o.ended = false
			b.indeterminate(o)
		}
	}
}

// endsLife ends the life of a local.
func (b *builder) endsLife(o *object) {
	if b.cur == nil || !b.tracksLife(o) {
		return
	}
	v := b.aliveVar(o)
	b.settle(v.Thread == ir.Shared, v)
	b.emit("", ir.AssignCmd(v, b.L.Int(0)))
}

// endLives ends the lives of the locals of an activation.
func (b *builder) endLives(fr *frame) {
	if len(b.facts.lifetimes) == 0 {
		return
	}
	for _, o := range fr.objects() {
		b.endsLife(o)
	}
}

// objects returns the objects that live as long as an activation at most.
func (fr *frame) objects() []*object {
	list := slices.Concat(slices.Collect(maps.Values(fr.locals)), fr.params, fr.stack)
	slices.SortFunc(list, func(x, y *object) int { return cmp.Compare(x.addr, y.addr) })
	return list
}

// ownLives begins or ends the lives of the thread's own variables.
func (b *builder) ownLives(begin bool) {
	if len(b.facts.lifetimes) == 0 || !b.opts.Check.Memory || b.identity() != b.th.index {
		return
	}
	for _, g := range b.cp.Globals {
		if !g.ThreadLocal {
			continue
		}
		switch o := b.global(g); {
		case !b.tracksLife(o):
		case begin:
			b.begin(o)
		default:
			b.endsLife(o)
		}
	}
}

// keepStack notes an object of alloca, which lives until its function returns, or the stack is restored.
func (b *builder) keepStack(o *object) {
	o.fr, o.ended, o.outer = b.fr, false, b.fr.parent == nil && b.th.index == 0
	b.fr.stack = append(b.fr.stack, o)
}

// restoreStack ends the lives of the objects of alloca but for the first n.
func (b *builder) restoreStack(mark *value) {
	n := 0
	if k, ok := mark.constant(); ok {
		m, _ := k.Int64()
		n = int(m)
	}
	for _, o := range b.fr.stack[min(n, len(b.fr.stack)):] {
		o.ended = true
		b.endsLife(o)
		o.outer = o.outer && returns(b.blk, b.step)
	}
}

// begun begins the life of a local. It may be that it begins to live once more, at the same address: a pointer to the one that was there before is not
// told from one to it.
func (b *builder) begun(o *object) {
	if !b.tracksLife(o) {
		return
	}
	if o.ended || b.loops > 0 {
		b.assume(assumeReuse)
	}
	b.begin(o)
}

// learnLifetimes notes of which locals it has to be told whether they live. It reports whether that was known.
func (s *facts) learnLifetimes(b *builder) (known bool) {
	known = true
	if s.lifetimes == nil {
		s.lifetimes = map[string]bool{}
	}
	for key := range b.dangling {
		known = known && s.lifetimes[key]
		s.lifetimes[key] = true
	}
	return known
}
