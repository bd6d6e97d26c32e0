package race

import (
	"slices"

	"comus/scan/lockset"
	"comus/scan/thread"
)

// maxGroups bounds the groups of a segment that are looked at pair by pair.
const maxGroups = 150

// coarseKey tells groups apart where there are too many.
type coarseKey struct {
	t             *thread.Thread
	write, atomic bool
}

// coarser makes one of the groups of a thread that do the same, where there are too many groups: what all of them have in common.
func (c *collector) coarser(groups []*group) []*group {
	if len(groups) <= maxGroups {
		return groups
	}
	of := map[coarseKey]*group{}
	size := map[*group]int{}
	var list []*group
	for _, g := range groups {
		key := coarseKey{g.t, g.write, g.atomic}
		x := of[key]
		if x == nil {
			y, k := *g, *g.kind
			y.kind = &k
			y.bunches, y.all, y.at, y.scalar = slices.Clone(g.bunches), nil, nil, false
			x = &y
			of[key], size[x] = x, g.size()
			list = append(list, x)
			continue
		}
		x.own, x.sync, x.relaxed = x.own && g.own && x.obj == g.obj, x.sync && g.sync, x.relaxed || g.relaxed
		if x.piece != g.piece {
			x.piece = nil
		}
		x.moment = c.rules.join(x.moment, g.moment)
		x.running = x.running.Or(g.running)
		x.locks = inCommon(x.locks, g.locks)
		if size[x] < maxAccesses {
			x.bunches = append(x.bunches, g.bunches...)
			size[x] += g.size()
		}
	}
	for _, x := range list {
		x.runKey, x.lockKey = x.running.Key(), keyOf(x.locks)
	}
	return list
}

// inCommon returns the locks that are in two sets, with what spoils either.
func inCommon(ls, ks []lockset.Held) (out []lockset.Held) {
	if len(ls) == 0 || len(ls) == len(ks) && &ls[0] == &ks[0] {
		return ls
	}
	for _, l := range ls {
		name := keyOf([]lockset.Held{l})
		i := slices.IndexFunc(ks, func(k lockset.Held) bool { return keyOf([]lockset.Held{k}) == name })
		if i >= 0 {
			l.Spoils = append(slices.Clone(l.Spoils), ks[i].Spoils...)
			out = append(out, l)
		}
	}
	return out
}
