package cutpoints

import (
	"maps"

	"comus/ir"
)

// forward solves a forward data-flow problem on a thread: the result has a set
// for each location, by index. join merges where paths meet; step is an edge's
// effect and must not change its argument. Unreached locations keep bottom's
// value for them, or the empty set if that is nil.
func forward(t *ir.Thread, bottom func(*ir.Loc) set, join func(a, b set) set, step func(set, *ir.Edge) set) []set {
	out := make([]set, len(t.Locs))
	for _, l := range t.Locs {
		out[l.Index] = bottom(l)
	}
	out[t.Entry.Index] = set{}
	work := []*ir.Loc{t.Entry}
	reached := map[*ir.Loc]bool{t.Entry: true}
	for len(work) > 0 {
		l := work[0]
		work = work[1:]
		for _, e := range l.Out {
			next := step(out[l.Index], e)
			if reached[e.To] {
				next = join(out[e.To.Index], next)
			}
			if !reached[e.To] || !maps.Equal(next, out[e.To.Index]) {
				reached[e.To] = true
				out[e.To.Index] = next
				work = append(work, e.To)
			}
		}
	}
	for i := range out {
		if out[i] == nil {
			out[i] = set{}
		}
	}
	return out
}

func union(a, b set) set {
	u := maps.Clone(a)
	maps.Copy(u, b)
	return u
}

func intersect(a, b set) set {
	r := set{}
	for k := range a {
		if b[k] {
			r[k] = true
		}
	}
	return r
}

func with(s set, k int) set {
	if s[k] {
		return s
	}
	r := maps.Clone(s)
	if r == nil {
		r = set{}
	}
	r[k] = true
	return r
}

func without(s set, k int) set {
	if !s[k] {
		return s
	}
	r := maps.Clone(s)
	delete(r, k)
	return r
}
