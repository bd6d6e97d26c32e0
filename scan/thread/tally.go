package thread

import (
	"slices"

	"comus/cir"
)

// A thread's tally is how many threads it has created and not joined yet. Where that is 0 for sure, all of them have ended, wherever and by whatever
// loops they were created and joined: an id is joined once, so each join makes the tally one less, whatever the order of the ids, and wherever they were
// kept. The tally is counted along the thread's calls, with what counters and limits of loops have to do with it (tallystep.go).
//
// Ids that are joined in one place are counted together: a tally is one of some calls that create threads. Nobody but the thread may create any by them. A join that others
// make, or that may fail, does not count, nor does one that plainly joins the same id again and again.

// tally is where none of the threads is running that some calls create.
type tally struct {
	creates map[cir.Instr]bool
	blocks  map[*Node]map[*cir.Block]bool // where they begin
	calls   map[*Node]map[*cir.Call]bool  // behind them
}

// findTallies finds the tallies of a thread.
func (f *flow) findTallies() {
	if f.lands || f.t.Signal {
		return
	}
	for _, n := range f.nodes {
		if n.effect && (again(n.Fn) || slices.ContainsFunc(f.t.last, func(l *Node) bool { return l.effect })) {
			return
		}
	}
	for _, set := range f.joinedTogether() {
		if !f.several(set) {
			continue
		}
		if t := count(f, set); t != nil {
			f.tallies = append(f.tallies, t)
		}
	}
}

// several reports whether there may be more than one at a time of the threads that some calls create: otherwise the id tells which one is joined.
func (f *flow) several(creates map[cir.Instr]bool) bool {
	return len(creates) > 1 || slices.ContainsFunc(f.r.Threads, func(k *Thread) bool { return k.Many && creates[k.group] })
}

// joinedTogether returns sets of calls that create threads, such that each join which counts is one of threads of one of the sets.
func (f *flow) joinedTogether() (sets []map[cir.Instr]bool) {
	for _, n := range f.nodes {
		for _, b := range n.Fn.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(*cir.Call)
				if !ok || !f.r.isJoinIn(n, call) {
					continue
				}
				groups := f.groupsOf(n, call)
				if len(groups) == 0 {
					continue
				}
				all := map[cir.Instr]bool{}
				for _, g := range groups {
					all[g] = true
				}
				sets = slices.DeleteFunc(sets, func(set map[cir.Instr]bool) bool {
					if !slices.ContainsFunc(groups, func(g cir.Instr) bool { return set[g] }) {
						return false
					}
					for g := range set {
						all[g] = true
					}
					return true
				})
				sets = append(sets, all)
			}
		}
	}
	return sets
}

// groupsOf returns the calls that create the threads which a call may join; none if it may join others than those that this thread creates.
func (f *flow) groupsOf(n *Node, join *cir.Call) (groups []cir.Instr) {
	for _, l := range f.r.graph.pts.Targets(n.Fn, n.Ctx, join.Args[0].X) {
		o := l.Obj
		if g := o.Global; g != nil && g.Library && g.Source == "single_thread" { // none when a program is run
			continue
		}
		if !isBlock(o) || !f.createsAlone(o.Ctx.Call) {
			return nil
		}
		if !slices.Contains(groups, cir.Instr(o.Ctx.Call)) {
			groups = append(groups, o.Ctx.Call)
		}
	}
	return groups
}

// createsAlone reports whether nobody else creates threads by a call.
func (f *flow) createsAlone(create *cir.Call) bool {
	found := false
	for key, k := range f.r.kids {
		if key.group != cir.Instr(create) && k.group != cir.Instr(create) {
			continue
		}
		if key.parent != f.t || k.Parent != f.t || k.group != key.group || k.Signal {
			return false
		}
		found = true
	}
	return found
}

// none returns what it does to what may be running that a tally is 0; nothing if it does not count.
func (f *flow) none(t *tally) (e effect) {
	if f.t.Many || f.t.loose || f.lands {
		return effect{}
	}
	for _, k := range f.r.Threads {
		if !t.creates[k.group] {
			continue
		}
		if k.loose || f.r.mayJoin(k, f.t) {
			return effect{}
		}
		e.takes = e.takes.with(k.Index)
		e.adds = e.adds.or(k.flow.left())
	}
	e.takes = e.takes.minus(e.adds)
	return e
}

// talliedAt returns what the beginning of a block says of what may be running.
func (f *flow) talliedAt(n *Node, b *cir.Block) (e effect) {
	for _, t := range f.tallies {
		if t.blocks[n][b] {
			e = e.then(f.none(t))
		}
	}
	return e
}

// talliedBehind returns what the end of a call says of what may be running.
func (f *flow) talliedBehind(n *Node, call *cir.Call) (e effect) {
	for _, t := range f.tallies {
		if t.calls[n][call] {
			e = e.then(f.none(t))
		}
	}
	return e
}
