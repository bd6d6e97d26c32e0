package race

import "slices"

// segment is bytes of a place that the same groups access.
type segment struct {
	x      extent
	groups []*group
}

// segments cuts a place at the bounds of its accesses. Neighbours with the same accesses are one; bytes of which all accesses are of more than them
// and go to a neighbour, too, are a part of that.
func segments(groups []*group) []segment {
	var cuts []int64
	for _, g := range groups {
		cuts = append(cuts, g.x.lo, g.x.hi)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	var list []segment
	adjacent := false
	for i := 0; i+1 < len(cuts); i++ {
		s := segment{x: extent{cuts[i], cuts[i+1]}}
		for _, g := range groups {
			if g.x.meets(s.x) {
				s.groups = append(s.groups, g)
			}
		}
		switch n := len(list) - 1; {
		case len(s.groups) == 0:
			adjacent = false
			continue
		case adjacent && slices.Equal(s.groups, list[n].groups):
			list[n].x.hi = s.x.hi
			continue
		}
		adjacent = true
		list = append(list, s)
	}
	return inner(list)
}

// inner drops the segments to which only accesses go that go to a neighbour, too: what is between members, before and behind.
func inner(list []segment) []segment {
	var out []segment
	for i, s := range list {
		beside := i > 0 && s.within(list[i-1]) || i+1 < len(list) && s.within(list[i+1])
		if !beside || slices.ContainsFunc(s.groups, func(g *group) bool { return g.scalar }) {
			out = append(out, s)
		}
	}
	return out
}

// within reports whether all accesses of a segment go to another one, that has more, too.
func (s segment) within(t segment) bool {
	if len(s.groups) >= len(t.groups) {
		return false
	}
	i := 0 // groups are in the same order in both
	for _, g := range t.groups {
		if i < len(s.groups) && s.groups[i] == g {
			i++
		}
	}
	return i == len(s.groups)
}

// library reports whether a segment is of what threads synchronise by, which only the library accesses.
func (s segment) library() bool {
	return !slices.ContainsFunc(s.groups, func(g *group) bool { return !g.sync })
}
