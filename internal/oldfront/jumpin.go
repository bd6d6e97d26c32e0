package cfront

import (
	"modernc.org/cc/v4"
)

// enterLoop prepares the head of a loop that jumps or cases lead into from outside:
// what holds at the head has to hold at them as well, as they reach the head by way
// of the rest of the body. It returns the effects that the head has to expect.
func (b *lowerer) enterLoop(l loop) *fnInfo {
	flows, backward := b.entries(l)
	info := l.info
	if backward { // by code that is lowered later
		info = b.fr.info
	}
	switch {
	case b.cur != nil:
	case b.jumpedBackInto(l):
		b.startHere(l.node)
	case len(flows) > 0:
		b.cur = flows[0].clone()
		at := b.newLoc(position(l.node)) // no edge leads here but the one back
		at.atomic = b.cur.depth > 0
		b.cur.at = at
	default:
		return info
	}
	f := b.cur.clone()
	for _, g := range flows {
		f.meet(g)
	}
	b.cur = f
	return info
}

// entries returns the flows that lead into a loop from code before it, and whether
// there may be others from code behind it.
func (b *lowerer) entries(l loop) (flows []*flow, backward bool) {
	for _, g := range b.fr.info.gotos {
		target, ok := g.Label().(*cc.LabeledStatement)
		if _, inside := l.info.order[g]; !ok || inside {
			continue
		}
		if _, in := l.info.order[target]; !in {
			continue
		}
		if b.fr.info.order[g] > b.fr.info.order[target] {
			backward = true
			continue
		}
		flows = append(flows, b.findLabel(target).pending...)
	}
	children(l.node, func(n cc.Node) bool {
		if x, ok := n.(*cc.LabeledStatement); ok && x.Case != cc.LabeledStatementLabel {
			for i := len(b.fr.exits) - 1; i >= 0; i-- {
				if f, ok := b.fr.exits[i].cases[x]; ok {
					flows = append(flows, f)
					break
				}
			}
		}
		return true
	})
	return flows, backward
}

// jumpedBackInto reports whether control gets into a loop by a goto behind it.
func (b *lowerer) jumpedBackInto(l loop) bool {
	for n := range b.facts.late {
		if _, in := l.info.order[n]; in {
			return true
		}
	}
	return false
}

// startHere begins a flow at a place that only code leads to that is lowered later:
// what is known everywhere in the function is known.
func (b *lowerer) startHere(n cc.Node) {
	b.cur = b.fr.base.clone()
	b.cur.at = b.newLoc(position(n))
	b.cur.at.atomic = b.cur.depth > 0
}

// vagueAt is a variable, or a pointer, of which nothing is known at the head of a
// loop, as a jump leads into the loop from where something else holds.
type vagueAt struct {
	head cc.Node
	name string
}

// forgetVague drops what turned out not to hold whenever control gets to the head
// of a loop.
func (b *lowerer) forgetVague(head cc.Node) {
	if len(b.facts.vague) == 0 {
		return
	}
	for v := range b.cur.consts {
		if b.facts.vague[vagueAt{head, v.Name}] {
			delete(b.cur.consts, v)
		}
	}
}
