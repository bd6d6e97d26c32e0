package scancheck

import (
	"slices"

	"comus/check/handover"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// Objects that go from thread to thread with all that they lead to: see check/handover, which says what is accessed by whom it belongs to. Here it is told which threads there are.

// handing is what is known of such objects, once somebody asks.
type handing struct {
	done   bool
	proofs []*handover.Proof
}

// handings returns the proofs for the objects of which it is claimed that they belong to the threads that access them.
func (ls *locations) handings() []*handover.Proof {
	if ls.handing.done {
		return ls.handing.proofs
	}
	ls.handing.done = true
	wanted := map[*pointsto.Object]bool{}
	for _, l := range ls.list {
		if slices.Contains(l.Pairs, certificate.HandedOver) {
			wanted[ls.pts.Objects[l.Object]] = true
		}
	}
	if len(wanted) > 0 && !ls.cancels {
		ls.handing.proofs = handover.Find(ls.prog, ls.pts, inThreads{ls}, func(o *pointsto.Object) bool { return wanted[o] })
	}
	return ls.handing.proofs
}

// handedOver reports whether all accesses of two groups of an object are made by threads to which it belongs then.
func (ls *locations) handedOver(o *pointsto.Object, g, h *group) bool {
	return slices.ContainsFunc(ls.handings(), func(p *handover.Proof) bool {
		return p.Objects[o] && ls.all(g, p.Covers) && ls.all(h, p.Covers)
	})
}
