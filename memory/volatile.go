package memory

import (
	"slices"

	"comus/cir"
)

// ConsistentIf reports whether a graph is consistent with a model even if some accesses are seq_cst, as strong as can be: whether it is an execution for other reasons than their weakness.
func (g *Graph) ConsistentIf(m Model, strong func(*Event) bool) bool {
	h := *g
	h.Events = slices.Clone(g.Events)
	for i := range h.Events {
		if e := &h.Events[i]; e.Thread >= 0 && e.access() && strong(e) {
			e.Order = cir.SeqCst
		}
	}
	return h.Consistent(m)
}

// DependsOnVolatile returns an access of a volatile object that counts as relaxed, if a graph is consistent with a model only for that reason. -1: there is none.
func (g *Graph) DependsOnVolatile(m Model) (event int) {
	if g.ConsistentIf(m, func(e *Event) bool { return e.Volatile }) {
		return -1
	}
	for _, old := range g.Stale() {
		if g.Events[old.Read].Volatile {
			return old.Read
		}
	}
	return slices.IndexFunc(g.Events, func(e Event) bool { return e.Volatile })
}

// DependsOnRaces reports whether a graph is consistent with a model only because plain accesses that race count as relaxed.
func (g *Graph) DependsOnRaces(m Model) bool {
	return !g.ConsistentIf(m, func(e *Event) bool { return e.Order == cir.Plain })
}
