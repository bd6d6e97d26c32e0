package race

import (
	"slices"

	"comus/check/handover"
	"comus/scan/pointsto"
)

// Objects that go from thread to thread with all that they lead to: the rule is the checker's (check/handover), which is asked here as it is there.

// findHandedOver looks for proofs that objects of which there are suspects are accessed by the threads to which they belong. It reports whether it has found one.
func (c *collector) findHandedOver(all []*judged) bool {
	if c.prog == nil || c.threads.Unknown {
		return false
	}
	if wanted := suspected(all); len(wanted) > 0 {
		c.handedOver = handover.Find(c.prog, c.pts, inThreads{c}, func(o *pointsto.Object) bool { return wanted[o] })
	}
	return len(c.handedOver) > 0
}

// isHandedOver reports whether the accesses of two groups are made by threads to which the object belongs then.
func (c *collector) isHandedOver(g, h *group) bool {
	covered := func(p *handover.Proof, g *group) bool {
		return p.Objects[g.obj] && !slices.ContainsFunc(g.list(), func(a *access) bool { return !p.Covers(a.node.Copy(), a.in) })
	}
	return slices.ContainsFunc(c.handedOver, func(p *handover.Proof) bool { return covered(p, g) && covered(p, h) })
}
