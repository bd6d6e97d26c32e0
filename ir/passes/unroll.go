package passes

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"comus/ir"
	"comus/logic"
)

// Bounds of unroll.
const (
	maxIterations = 64  // of a loop, as for the front end
	maxCopies     = 128 // locations, of all loops together: what follows is quadratic in them
)

// unroll copies the bodies of loops whose number of iterations follows from
// constants: those that can be run to their end with only the values of their
// counters, the variables that decide when they end, as far as these are known. A
// copy of a location stands for the location together with values of the counters,
// and its edges are folded over these; so the copies have no cycle through the
// loop's head.
//
// It is exact: a thread at a copy is a thread at the location in a state where the
// counters have these values, with the same steps that can be taken.
func unroll(d *draft) {
	f, at := d.known()
	for i, t := range d.p.Threads {
		for tried := map[*ir.Loc]bool{}; ; {
			ls := slices.DeleteFunc(loops(t), func(l *loop) bool { return tried[l.head] || l.head == t.Entry })
			if len(ls) == 0 || !d.unrollOne(ls, f, at[i], tried) {
				break
			}
			d.tidy()
			// What is known of the shared variables and in other threads is known still.
			n := len(f.wrong)
			if at[i] = f.thread(t); len(f.wrong) != n {
				f, at = d.known()
			}
		}
	}
}

// unrollOne unrolls the first of a thread's loops that can be. Inner loops come first:
// an outer one around a loop that stays is seldom worth its copies. (If the inner
// one depends on the outer one's counters, its copies are tried again.)
func (d *draft) unrollOne(ls []*loop, f *folder, known map[*ir.Loc]values, tried map[*ir.Loc]bool) bool {
	for _, l := range slices.Backward(ls) {
		tried[l.head] = true
		// The copies know the counters alone: what they do not know of the shared variables
		// is not to be taken for unknown elsewhere.
		own := &folder{d: d, fixed: f.fixed, wrong: maps.Clone(f.wrong)}
		u := &unroller{d: d, f: own, locals: &folder{d: d}, loop: l, counters: d.counters(l), copies: map[string]*copied{}, heads: map[string]bool{}}
		if u.run(known) {
			u.build()
			return true
		}
	}
	return false
}

// counters returns the local variables that decide when a loop ends, and those
// that their values are computed from within the loop.
func (d *draft) counters(l *loop) map[*ir.Var]bool {
	set := map[*ir.Var]bool{}
	add := func(t *logic.Term) {
		for _, v := range d.varsOf(t) {
			if v.Thread != ir.Shared {
				set[v] = true
			}
		}
	}
	for loc := range l.body {
		if !slices.ContainsFunc(loc.Out, func(e *ir.Edge) bool { return !l.has(e) }) {
			continue
		}
		for _, e := range loc.Out {
			for _, c := range e.Cmds {
				if c.Kind == ir.Assume {
					add(c.Cond)
				}
			}
		}
	}
	for n := -1; n < len(set); {
		n = len(set)
		for loc := range l.body {
			for _, e := range loc.Out {
				for _, c := range e.Cmds {
					if c.Kind == ir.Assign && set[c.Var] && l.has(e) {
						add(c.Expr)
					}
				}
			}
		}
	}
	return set
}

// copied is a location of the loop with the counters' values there.
type copied struct {
	loc  *ir.Loc
	at   values
	out  []copiedEdge
	made *ir.Loc
}

type copiedEdge struct {
	edge *ir.Edge
	cmds []ir.Cmd
	to   *copied // nil: out of the loop
}

// unroller runs a loop.
type unroller struct {
	d *draft
	f *folder // tells which edges can be taken
	// locals folds the edges of the copies: it does not know the shared variables,
	// because without the index in a[1] = ite(i = 1, x, a[1]) the cell has to stay
	// to be seen as one that does not change.
	locals   *folder
	loop     *loop
	counters map[*ir.Var]bool
	copies   map[string]*copied
	order    []*copied
	heads    map[string]bool
	entries  []copiedEdge
}

// reach returns the copy of a location for what is known there of the counters.
func (u *unroller) reach(loc *ir.Loc, at values) *copied {
	at = maps.Clone(at)
	maps.DeleteFunc(at, func(v *ir.Var, _ logic.Value) bool { return !u.counters[v] })
	var parts []string
	for v, k := range at {
		parts = append(parts, fmt.Sprintf("%d=%s", v.Index, k))
	}
	slices.Sort(parts)
	key := fmt.Sprintf("%d:%s", loc.Index, strings.Join(parts, ","))
	c := u.copies[key]
	if c == nil {
		c = &copied{loc: loc, at: at}
		u.copies[key] = c
		u.order = append(u.order, c)
		if loc == u.loop.head {
			u.heads[key] = true
		}
	}
	return c
}

// run runs the loop from each way in. It reports whether the loop comes to an end.
func (u *unroller) run(known map[*ir.Loc]values) bool {
	for _, e := range u.loop.head.In {
		at, reached := known[e.From]
		if u.loop.body[e.From] || !reached {
			continue
		}
		if _, after, ok := u.f.fold(e, at); ok {
			u.entries = append(u.entries, copiedEdge{e, e.Cmds, u.reach(u.loop.head, after)})
		}
	}
	for i := 0; i < len(u.order); i++ {
		if len(u.heads) > maxIterations+1 || u.d.copied+len(u.order) > maxCopies {
			return false
		}
		c := u.order[i]
		for _, e := range c.loc.Out {
			_, after, ok := u.f.fold(e, c.at)
			if !ok {
				continue
			}
			cmds, _, ok := u.locals.fold(e, c.at)
			if !ok {
				continue
			}
			if !u.loop.has(e) {
				c.out = append(c.out, copiedEdge{e, cmds, nil})
				continue
			}
			c.out = append(c.out, copiedEdge{e, cmds, u.reach(e.To, after)})
		}
	}
	return len(u.entries) > 0 && u.ends()
}

// ends reports whether no copy of the head can be reached again from itself.
func (u *unroller) ends() bool {
	for _, h := range u.order {
		if h.loc != u.loop.head {
			continue
		}
		seen := map[*copied]bool{}
		for work := []*copied{h}; len(work) > 0; {
			c := work[len(work)-1]
			work = work[:len(work)-1]
			for _, e := range c.out {
				if e.to == h {
					return false
				}
				if e.to != nil && !seen[e.to] {
					seen[e.to] = true
					work = append(work, e.to)
				}
			}
		}
	}
	return true
}

// build adds the copies to the program and leads the ways into the loop to them.
func (u *unroller) build() {
	t := u.loop.head.Thread
	for _, c := range u.order {
		c.made = t.NewLoc(c.loc.Pos)
		c.made.Atomic, c.made.Error, c.made.Text, c.made.Check = c.loc.Atomic, c.loc.Error, c.loc.Text, c.loc.Check
	}
	u.d.copied += len(u.order)
	for _, c := range u.order {
		for _, e := range c.out {
			to := e.edge.To
			if e.to != nil {
				to = e.to.made
			}
			u.d.add(c.made, to, e.edge, e.cmds)
		}
	}
	for _, e := range u.entries {
		u.d.add(e.edge.From, e.to.made, e.edge, e.cmds)
	}
	for _, e := range slices.Clone(u.loop.head.In) {
		if !u.loop.body[e.From] {
			u.d.remove(e)
		}
	}
}
