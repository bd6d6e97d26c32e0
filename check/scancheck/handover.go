package scancheck

import (
	"slices"

	"comus/check/handover"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// Objects that go from thread to thread with all that they lead to: see check/handover, which says what is accessed by whom it belongs to. Here it is told which threads there are.

// handing is what is known of such objects, by the reason for which somebody asks, once that is so.
type handing map[string][]*handover.Proof

// handings returns the proofs for the objects of which some pair is claimed to be no race for a reason.
func (ls *locations) handings(why string) []*handover.Proof {
	if list, done := ls.handing[why]; done {
		return list
	}
	if ls.handing == nil {
		ls.handing = handing{}
	}
	ls.handing[why] = nil
	wanted := map[*pointsto.Object]bool{}
	for _, l := range ls.list {
		if slices.Contains(l.Pairs, why) {
			wanted[ls.pts.Objects[l.Object]] = true
		}
	}
	if !ls.cancels {
		ls.handing[why] = handover.Find(ls.prog, ls.pts, inThreads{ls}, func(o *pointsto.Object) bool { return wanted[o] })
	}
	return ls.handing[why]
}

// handedOver reports whether all accesses of two groups of an object are made by threads to which it belongs then. That an object is its thread's own may be known here by that only.
func (ls *locations) handedOver(why string, o *pointsto.Object, g, h *group) bool {
	if why != certificate.HandedOver && why != certificate.Own {
		return false
	}
	return slices.ContainsFunc(ls.handings(why), func(p *handover.Proof) bool {
		return p.Objects[o] && ls.all(g, p.Covers) && ls.all(h, p.Covers)
	})
}
