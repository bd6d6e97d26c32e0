package specialise

import (
	"slices"

	"comus/ir"
)

// A local lives until its block or its function ends, or its thread does. Of those that are accessed where they may have ended, a variable tells whether
// they live, as of an object that is freed. Which these are one run finds out for the next one.

// outlived notes an access to a local that may have ended.
func (b *builder) outlived(o *object) {
	if !o.local || !b.mayHaveEnded(o) {
		return
	}
	if b.opts.Check.Memory && !b.threads[o.owner].replicated {
		b.dangling[o.key] = true
	} else {
		b.assume(assumeLifetime)
	}
}

// mayHaveEnded reports whether a local's life may have ended where it is accessed.
func (b *builder) mayHaveEnded(o *object) bool {
	switch {
	case o.owner != b.th.index:
		return !o.outer || b.opts.Check.Memory && len(b.threads[0].ends) > 0
	case o.ended:
		return true
	}
	return b.opts.Check.Memory && b.loops > 0 && o.scoped
}

// tracksLife reports whether a variable tells whether a local lives.
func (b *builder) tracksLife(o *object) bool {
	return o.local && b.opts.Check.Memory && b.facts.lifetimes[o.key]
}

// begins begins the lives of the locals that live as long as the current function's activation.
func (b *builder) begins() {
	if !b.opts.Check.Memory || len(b.facts.lifetimes) == 0 && len(b.facts.unset.marked) == 0 && !b.facts.unset.vague {
		return
	}
	for _, l := range b.fr.fn.Locals {
		if o := b.local(b.fr, l); !l.Scoped {
			o.ended = false
			b.indeterminate(o)
			if b.tracksLife(o) {
				b.begin(o)
			}
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
	var list []*object
	for _, o := range fr.locals {
		list = append(list, o)
	}
	slices.SortFunc(list, func(x, y *object) int { return int(x.addr - y.addr) })
	for _, o := range list {
		b.endsLife(o)
	}
}

// begun notes that a local of a block begins to live once more, at the same address: a pointer to the one that was there before is not
// told from one to it.
func (b *builder) begun(o *object) {
	if !b.tracksLife(o) {
		return
	}
	if o.ended || b.loops > 0 {
		b.assume(assumeLifetime)
	}
	b.begin(o)
}

// learnLifetimes notes of which locals it has to be told whether they live. It reports whether that was known.
func (s *survey) learnLifetimes(b *builder) (known bool) {
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
