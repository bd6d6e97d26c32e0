package race

import (
	"cmp"
	"slices"
)

// wholes makes one of neighbouring segments of a place that all have suspects, where one access of a scalar goes over both: the
// scalar is what a person looks for, not its bytes.
func wholes(all []*judged) []*judged {
	var out []*judged
	for _, s := range all {
		if n := len(out); n > 0 && s.continues(out[n-1]) {
			out[n-1].join(s)
			continue
		}
		out = append(out, s)
	}
	return out
}

// continues reports whether a segment goes on with a scalar that the one before begins.
func (s *judged) continues(before *judged) bool {
	if s.p != before.p || s.why != Suspected || before.why != Suspected || s.x.lo != before.x.hi {
		return false
	}
	for _, g := range s.groups {
		if g.scalar && g.x.lo < s.x.lo {
			return true
		}
	}
	return false
}

// join adds the segment that follows.
func (s *judged) join(next *judged) {
	s.x.hi = next.x.hi
	has := map[*group]bool{}
	for _, g := range s.groups {
		has[g] = true
	}
	for _, g := range next.groups {
		if !has[g] {
			s.groups = append(s.groups, g)
		}
	}
	seen := map[pairKey]bool{}
	for _, x := range s.suspects {
		seen[pairKey{x.A.Site, x.B.Site, x.B.Write}] = true
	}
	s.more = s.more || next.more
	for _, x := range next.suspects {
		switch {
		case seen[pairKey{x.A.Site, x.B.Site, x.B.Write}]:
		case len(s.suspects) >= maxSuspects:
			s.more = true
		default:
			s.suspects = append(s.suspects, x)
		}
	}
	slices.SortStableFunc(s.suspects, func(x, y Suspect) int { return cmp.Compare(y.Rank, x.Rank) })
}
