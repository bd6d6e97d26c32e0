package passes

import (
	"slices"

	"comus/ir"
	"comus/logic"
)

// draft is a program that belongs to the passes, which change it in place.
type draft struct {
	p      *ir.Program
	L      *logic.Store
	tab    ir.SymTable
	origin map[*ir.Edge][]*ir.Edge
	copied int // locations that unroll has made
}

// newDraft copies a program but for its terms.
func newDraft(p *ir.Program) *draft {
	q := *p
	q.Vars, q.Threads = nil, nil
	d := &draft{p: &q, L: p.L, origin: map[*ir.Edge][]*ir.Edge{}}
	vars := map[*ir.Var]*ir.Var{}
	for _, v := range p.Vars {
		w := *v
		vars[v] = &w
		q.Vars = append(q.Vars, &w)
	}
	for _, t := range p.Threads {
		q.Threads = append(q.Threads, d.copyThread(t, vars))
	}
	d.tab = q.Symbols()
	return d
}

func (d *draft) copyThread(t *ir.Thread, vars map[*ir.Var]*ir.Var) *ir.Thread {
	u := &ir.Thread{Index: t.Index, Name: t.Name, PC: t.PC, Created: vars[t.Created], Ended: vars[t.Ended]}
	locs := map[*ir.Loc]*ir.Loc{}
	for _, l := range t.Locs {
		m := u.NewLoc(l.Pos)
		m.Atomic, m.Error, m.Text, m.Check = l.Atomic, l.Error, l.Text, l.Check
		locs[l] = m
	}
	u.Entry = locs[t.Entry]
	t.Edges(func(e *ir.Edge) {
		cmds := slices.Clone(e.Cmds)
		for i := range cmds {
			cmds[i].Var = vars[cmds[i].Var]
		}
		f := u.NewEdge(locs[e.From], locs[e.To], e.Pos, e.Text, cmds...)
		f.Kind, f.Thread, f.Mutex, f.Approx = e.Kind, e.Thread, vars[e.Mutex], e.Approx
		d.origin[f] = []*ir.Edge{e}
	})
	return u
}

// add makes an edge like another one, with other ends and commands. It stands for
// the same original edges.
func (d *draft) add(from, to *ir.Loc, like *ir.Edge, cmds []ir.Cmd) *ir.Edge {
	e := from.Thread.NewEdge(from, to, like.Pos, like.Text, cmds...)
	e.Kind, e.Thread, e.Mutex, e.Approx = like.Kind, like.Thread, like.Mutex, like.Approx
	d.origin[e] = d.origin[like]
	return e
}

// remove takes an edge out of the program.
func (d *draft) remove(e *ir.Edge) {
	same := func(x *ir.Edge) bool { return x == e }
	e.From.Out = slices.DeleteFunc(e.From.Out, same)
	e.To.In = slices.DeleteFunc(e.To.In, same)
	delete(d.origin, e)
}

// edges returns a thread's edges, in a list that stays when the thread changes.
func edges(t *ir.Thread) []*ir.Edge {
	var es []*ir.Edge
	t.Edges(func(e *ir.Edge) { es = append(es, e) })
	return es
}

// tidy removes the locations that the entries do not reach.
func (d *draft) tidy() {
	for _, t := range d.p.Threads {
		seen := map[*ir.Loc]bool{t.Entry: true}
		for work := []*ir.Loc{t.Entry}; len(work) > 0; {
			l := work[len(work)-1]
			work = work[:len(work)-1]
			for _, e := range l.Out {
				if !seen[e.To] {
					seen[e.To] = true
					work = append(work, e.To)
				}
			}
		}
		for _, e := range edges(t) {
			if !seen[e.From] {
				d.remove(e)
			}
		}
		t.Locs = slices.DeleteFunc(t.Locs, func(l *ir.Loc) bool { return !seen[l] })
		for i, l := range t.Locs {
			l.Index = i
		}
	}
}

// varsOf returns the variables of a term.
func (d *draft) varsOf(t *logic.Term) []*ir.Var {
	var vs []*ir.Var
	for _, s := range logic.FreeVars(t) {
		vs = append(vs, d.tab[s])
	}
	return vs
}

// touchesShared reports whether commands read or write shared variables.
func (d *draft) touchesShared(cmds []ir.Cmd) bool {
	a := d.tab.CmdAccess(cmds)
	for _, m := range []map[*ir.Var]bool{a.Reads, a.Writes} {
		for v := range m {
			if v.Thread == ir.Shared {
				return true
			}
		}
	}
	return false
}
