package specialise

import (
	"slices"

	"comus/scan/pointsto"
)

// learnAccesses notes who accesses what. It reports whether that was known. What a run finds out is enough for the next one; if that
// does not come to an end, what all of them found.
func (s *facts) learnAccesses(b *builder) (known bool) {
	if !b.opts.Check.Race {
		return true
	}
	known = s.learnContinues(b) && (s.weak || !b.sawWeak)
	s.weak = s.weak || b.sawWeak
	ps := parentsOf(b.threads)
	same := slices.Equal(ps, s.parents)
	s.parents = ps
	all := s.rounds > minRounds
	seen := map[string]accesses{}
	partitions := map[string]*partition{}
	changed := !same
	for key, as := range b.accessed {
		more, news := learnUsers(s.accessed[key], as, all)
		seen[key] = more
		known, changed = known && news != moreNews, changed || news != noNews
		if partitions[key] = s.partitions[key]; news != noNews || !same {
			partitions[key] = partitionOf(more)
		}
	}
	for key, as := range s.accessed { // no longer
		if seen[key] == nil && all {
			seen[key], partitions[key] = as, s.partitions[key]
		}
	}
	for _, m := range []struct{ old, now *map[*pointsto.Object]users }{{&s.vagueBy, &b.vagueBy}, {&s.absBy, &b.absBy}} {
		more, news := learnUsers(*m.old, *m.now, all)
		*m.old = more
		known, changed = known && news != moreNews, changed || news != noNews
	}
	s.accessed, s.partitions, s.spans = seen, partitions, b.spans
	return known && same && (!changed || s.rounds >= minRounds)
}

// What a run found out that was not known before.
const (
	noNews   = iota
	fewer    // not all is there that was taken for granted to be
	moreNews // more than that
)

// learnUsers returns the users of places, with those that were known before if all is set, and what is new of that.
func learnUsers[K comparable, M ~map[K]users](old, now M, all bool) (sum M, news int) {
	sum = M{}
	for at, us := range now {
		sum[at] = us
	}
	for at, us := range now {
		for u, g := range us {
			had := old[at][u]
			switch {
			case had == nil && !g.seen():
			case had == nil || !had.covers(g):
				news = moreNews
			case !g.covers(had):
				news = max(news, fewer)
			}
		}
	}
	for at, us := range old {
		for u, g := range us {
			if now[at][u] == nil && g.seen() {
				news = max(news, fewer)
			}
			if all {
				if sum[at] == nil {
					sum[at] = users{}
				}
				sum[at].of(u).join(g)
			}
		}
	}
	return sum, news
}
