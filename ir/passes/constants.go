package passes

import (
	"maps"

	"comus/ir"
)

// constants replaces variables whose value is known: local ones where every way to
// a location gives them the same value, and shared ones that nobody ever gives
// another value than the initial one. Edges that cannot be taken then are removed,
// and with them what only they lead to.
//
// It is exact: in every reachable state the new commands do what the old ones did.
// That holds initially and is kept by every step, since each edge was looked at
// under what is known to hold where it starts.
func constants(d *draft) {
	f, at := d.known()
	for i, t := range d.p.Threads {
		for _, e := range edges(t) {
			known, reached := at[i][e.From]
			if !reached {
				continue // tidy removes it
			}
			cmds, _, ok := f.fold(e, known)
			if !ok {
				d.remove(e)
				continue
			}
			e.Cmds = cmds
		}
	}
}

// known computes what is known at each location that can be reached, by thread.
// It starts with all shared variables fixed at their initial values, and again
// whenever one gets another value.
func (d *draft) known() (*folder, []map[*ir.Loc]values) {
	f := &folder{d: d, fixed: values{}, wrong: map[*ir.Var]bool{}}
	for _, v := range d.p.Vars {
		if v.Thread == ir.Shared && v.Init != nil {
			f.fixed[v] = *v.Init
		}
	}
	for {
		n := len(f.wrong)
		var at []map[*ir.Loc]values
		for _, t := range d.p.Threads {
			at = append(at, f.thread(t))
		}
		if len(f.wrong) == n {
			return f, at
		}
	}
}

// thread computes what is known at a thread's locations.
func (f *folder) thread(t *ir.Thread) map[*ir.Loc]values {
	start := values{}
	for _, v := range f.d.p.Vars {
		if v.Thread == t.Index && v.Init != nil {
			start[v] = *v.Init
		}
	}
	at := map[*ir.Loc]values{t.Entry: start}
	for work := []*ir.Loc{t.Entry}; len(work) > 0; {
		l := work[0]
		work = work[1:]
		for _, e := range l.Out {
			_, after, ok := f.fold(e, at[l])
			if !ok {
				continue
			}
			old, reached := at[e.To]
			if reached {
				after = meet(old, after)
			}
			if !reached || !maps.Equal(old, after) {
				at[e.To] = after
				work = append(work, e.To)
			}
		}
	}
	return at
}
