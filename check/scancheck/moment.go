package scancheck

import (
	"slices"

	"comus/check/ticket"
	"comus/cir"
)

// moment is what is known of when accesses are made.
type moment struct {
	when   happened
	waited []count      // how often the thread may have waited at each barrier
	times  ticket.Times // what latches say
	lead   ticket.Lead  // why there is only one thread that makes them
}

// momentOf returns the moment at which a thread runs an instruction of a copy.
func (ls *locations) momentOf(t *thread, c int, in cir.Located) moment {
	return moment{ls.when(t, c, in), ls.waited(t, c, in), ls.latches.at(t, c, in), ls.leadOf(t, c, in)}
}

// noteMoment notes when an access of a group is made.
func (g *group) noteMoment(m moment) {
	if g.at != nil {
		m = g.at.or(m)
	}
	g.at = &m
}

// or is what is known of accesses that are made at one of two moments.
func (m moment) or(k moment) moment {
	m.when = happened{m.when.set | k.when.set, m.when.seen & k.when.seen, m.when.in & k.when.in}
	m.waited = slices.Clone(m.waited)
	for i := range k.waited {
		m.waited[i] = m.waited[i].or(k.waited[i])
	}
	m.times, m.lead = m.times.And(k.times), m.lead.With(k.lead)
	return m
}
