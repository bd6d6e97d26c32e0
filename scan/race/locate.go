package race

import (
	"slices"
	"strconv"
	"strings"
)

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
	last := ""
	for i := 0; i+1 < len(cuts); i++ {
		s := segment{x: extent{cuts[i], cuts[i+1]}}
		var key strings.Builder
		for k, g := range groups {
			if g.x.meets(s.x) {
				s.groups = append(s.groups, g)
				key.WriteString(strconv.Itoa(k))
				key.WriteByte(' ')
			}
		}
		switch {
		case len(s.groups) == 0:
			last = ""
			continue
		case key.String() == last:
			list[len(list)-1].x.hi = s.x.hi
			continue
		}
		last = key.String()
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
	has := map[*group]bool{}
	for _, g := range t.groups {
		has[g] = true
	}
	return !slices.ContainsFunc(s.groups, func(g *group) bool { return !has[g] })
}

// library reports whether a segment is of what threads synchronise by, which only the library accesses.
func (s segment) library() bool {
	return !slices.ContainsFunc(s.groups, func(g *group) bool { return !g.sync })
}
