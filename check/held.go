package check

import (
	"maps"
	"slices"

	"comus/ir"
	"comus/logic"
)

// heldLocks are the locks that the threads surely hold, by thread and location. A lock is a variable that tells which one thread holds
// it ([ir.OneThread]), if every edge that writes it takes it when it is free, for the edge's own thread, or gives it back when
// that thread holds it. What one instance holds is then held by no other one until it gives it back: two instances are not
// together where both hold the same. Each has a name of its own there, also those of a replicated thread ([ir.Program.Instances]).
type heldLocks [][]map[*ir.Var]bool

// newHeldLocks computes them; nothing is known of locations that are not reached.
func newHeldLocks(p *ir.Program) heldLocks {
	locks := map[*ir.Var]bool{}
	for _, v := range p.Vars {
		locks[v] = v.Holder == ir.OneThread && v.Thread == ir.Shared
	}
	for _, t := range p.Threads {
		t.Edges(func(e *ir.Edge) {
			for i, c := range e.Cmds {
				if c.Var != nil && locks[c.Var] && !takes(p.L, t, e.Cmds[:i], c) && !givesBack(p.L, t, e.Cmds[:i], c) {
					locks[c.Var] = false
				}
			}
		})
	}
	var h heldLocks
	for _, t := range p.Threads {
		h = append(h, heldBy(p.L, t, locks))
	}
	return h
}

// takes reports whether a command takes a lock, after others of its edge.
func takes(l *logic.Store, t *ir.Thread, before []ir.Cmd, c ir.Cmd) bool {
	return c.Kind == ir.Assign && c.Expr == l.Int(int64(t.Index+1)) && assumed(before, c.Var, l.Eq(c.Var.Sym, l.Int(0)))
}

// givesBack reports whether a command gives back a lock, after others of its edge.
func givesBack(l *logic.Store, t *ir.Thread, before []ir.Cmd, c ir.Cmd) bool {
	return c.Kind == ir.Assign && c.Expr == l.Int(0) && assumed(before, c.Var, l.Eq(c.Var.Sym, l.Int(int64(t.Index+1))))
}

// assumed reports whether commands assume a formula, and do not write v after that.
func assumed(cmds []ir.Cmd, v *ir.Var, f *logic.Term) bool {
	for _, c := range slices.Backward(cmds) {
		if c.Var == v {
			return false
		}
		if c.Kind == ir.Assume && slices.Contains(logic.Conjuncts(c.Cond), f) {
			return true
		}
	}
	return false
}

// heldBy computes the locks that a thread surely holds, by location.
func heldBy(l *logic.Store, t *ir.Thread, locks map[*ir.Var]bool) []map[*ir.Var]bool {
	at := make([]map[*ir.Var]bool, len(t.Locs))
	at[t.Entry.Index] = map[*ir.Var]bool{}
	for queue := []*ir.Loc{t.Entry}; len(queue) > 0; queue = queue[1:] {
		for _, e := range queue[0].Out {
			held := maps.Clone(at[e.From.Index])
			for _, c := range e.Cmds {
				if c.Var != nil && locks[c.Var] {
					held[c.Var] = c.Expr != l.Int(0)
				}
			}
			maps.DeleteFunc(held, func(_ *ir.Var, is bool) bool { return !is })
			old := at[e.To.Index]
			if old != nil {
				maps.DeleteFunc(held, func(v *ir.Var, _ bool) bool { return !old[v] })
				if len(held) == len(old) {
					continue
				}
			}
			at[e.To.Index] = held
			queue = append(queue, e.To)
		}
	}
	return at
}

// together reports whether two instances may be at these places at the same time.
func (h heldLocks) together(a, b runner) bool {
	for v := range h[a.t.Index][a.loc] {
		if h[b.t.Index][b.loc][v] {
			return false
		}
	}
	return true
}
