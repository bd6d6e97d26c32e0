package race

import (
	"slices"

	"comus/cir"
)

// A handler of a signal interrupts a thread between two of its steps. What the two access is no data race, as that takes two threads (C11 5.1.2.4). But only objects that are
// atomic, or a volatile sig_atomic_t, have a value then that the program can count on (C11 5.1.2.3p5). Pairs of accesses to others are told apart from races: they are of the
// class "signal". Where the handler may run in another thread, the pair is a suspect of a race.

// interrupts reports whether one of two groups, which are no race, is of a handler that may interrupt the thread of the other one in the middle.
func (c *collector) interrupts(g, h *group) bool {
	switch {
	case g.t.Delivers() == h.t.Delivers(), !g.write && !h.write, g.atomic && h.atomic, g.own || h.own:
		return false
	case !c.threads.Parallel(g.t, g.running, h.t, h.running), c.rules.apart(g, h):
		return false
	}
	return plainly(g) && plainly(h)
}

// plainly reports whether a group has an access by the program's own code that is neither atomic nor one of a volatile scalar.
func plainly(g *group) bool {
	return !g.atomic && slices.ContainsFunc(g.list(), func(a *access) bool {
		switch in := a.in.(type) {
		case *cir.Load:
			return !a.node.Fn.Library && !in.Volatile
		case *cir.Store:
			return !a.node.Fn.Library && !in.Volatile
		case *cir.RMW, *cir.CmpXchg:
			return false
		}
		return !a.node.Fn.Library
	})
}

// interrupted is the pair of two such groups.
func interrupted(g, h *group) Suspect {
	if h.t.Delivers() {
		g, h = h, g
	}
	x := Suspect{A: accessBy(g, g.places()[0]), B: accessBy(h, h.places()[0]), Rank: 1}
	x.Reason = "it is neither atomic nor a volatile sig_atomic_t"
	x.Help = "declare it volatile sig_atomic_t, or atomic, or block the signal there"
	return x
}
