package passes

import (
	"fmt"

	"comus/ir"
	"comus/logic"
)

// webs gives a local variable that is used for several things one after the other a variable for each. A web is what is connected by one writing and another one reading (Chaitin et al., Register
// allocation via coloring, Computer Languages 1981): all writes that may be read in one place, and all reads of one write.
//
// It is exact: each read gets what was written for it.
func webs(d *draft) {
	taken := map[string]bool{}
	for _, v := range d.p.Vars {
		taken[v.Name] = true
	}
	for _, t := range d.p.Threads {
		w := &web{d: d, t: t, live: readLater(d, t), parent: map[webNode]webNode{}, mutex: map[*ir.Var]bool{}, taken: taken}
		t.Edges(func(e *ir.Edge) { w.mutex[e.Mutex] = true })
		w.connect()
		w.rename()
	}
	for i, v := range d.p.Vars {
		v.Index = i
	}
	d.tab = d.p.Symbols()
}

// webNode is a variable at a location, or as a command writes it.
type webNode struct {
	v   *ir.Var
	at  *ir.Loc
	e   *ir.Edge
	cmd int
}

type web struct {
	d      *draft
	t      *ir.Thread
	live   map[*ir.Loc]map[*ir.Var]bool
	parent map[webNode]webNode
	mutex  map[*ir.Var]bool // edges name them
	names  map[webNode]*ir.Var
	count  map[*ir.Var]int
	taken  map[string]bool // names of variables
}

// splits reports whether a variable may be split.
func (w *web) splits(v *ir.Var) bool {
	return v != nil && v.Thread == w.t.Index && v.Cell == ir.NoCell && v.Stale == nil && !w.mutex[v]
}

func (w *web) find(n webNode) webNode {
	for {
		p, ok := w.parent[n]
		if !ok {
			return n
		}
		n = p
	}
}

func (w *web) union(a, b webNode) {
	if a, b = w.find(a), w.find(b); a != b {
		w.parent[a] = b
	}
}

// walk calls use with what each command of an edge reads, and the node of each variable then, and returns the nodes behind the edge.
func (w *web) walk(e *ir.Edge, use func(cmd int, now func(*ir.Var) webNode)) func(*ir.Var) webNode {
	written := map[*ir.Var]webNode{}
	now := func(v *ir.Var) webNode {
		if n, ok := written[v]; ok {
			return n
		}
		return webNode{v: v, at: e.From}
	}
	for i, c := range e.Cmds {
		use(i, now)
		if c.Kind != ir.Assume && w.splits(c.Var) {
			written[c.Var] = webNode{v: c.Var, e: e, cmd: i}
		}
	}
	return now
}

// connect finds the webs.
func (w *web) connect() {
	for _, e := range edges(w.t) {
		after := w.walk(e, func(int, func(*ir.Var) webNode) {})
		for v := range w.live[e.To] { // order does not matter: which node stands for a web is nobody's business
			if w.splits(v) {
				w.union(after(v), webNode{v: v, at: e.To})
			}
		}
	}
}

// rename gives each web its variable. The one that begins with the thread has the variable that was there, with its value at the beginning.
func (w *web) rename() {
	w.names, w.count = map[webNode]*ir.Var{}, map[*ir.Var]int{}
	for v := range w.live[w.t.Entry] { // order does not matter
		if w.splits(v) {
			w.names[w.find(webNode{v: v, at: w.t.Entry})] = v
			w.count[v] = 1
		}
	}
	for _, e := range edges(w.t) {
		w.walk(e, func(i int, now func(*ir.Var) webNode) {
			c := &e.Cmds[i]
			sub := map[*logic.Term]*logic.Term{}
			for _, f := range c.Reads() {
				for _, v := range w.d.varsOf(f) {
					if w.splits(v) {
						sub[v.Sym] = w.of(now(v)).Sym
					}
				}
			}
			if len(sub) == 0 {
				return
			}
			for _, f := range []**logic.Term{&c.Cond, &c.Expr, &c.At} {
				if *f != nil {
					*f = w.d.L.Subst(*f, sub)
				}
			}
		})
		for i := range e.Cmds { // all of them have been read as they were
			if c := &e.Cmds[i]; c.Kind != ir.Assume && w.splits(c.Var) {
				c.Var = w.of(webNode{v: c.Var, e: e, cmd: i})
			}
		}
	}
}

// of returns the variable of a node's web.
func (w *web) of(n webNode) *ir.Var {
	n = w.find(n)
	if v := w.names[n]; v != nil {
		return v
	}
	v := n.v
	if w.count[n.v]++; w.count[n.v] > 1 {
		name := fmt.Sprintf("%s'%d", n.v.Name, w.count[n.v])
		for w.taken[name] { // the pass has been run before
			w.count[n.v]++
			name = fmt.Sprintf("%s'%d", n.v.Name, w.count[n.v])
		}
		w.taken[name] = true
		v = w.d.p.NewVar(name, n.v.Type, n.v.Thread)
		sym, index := v.Sym, v.Index
		*v = *n.v
		v.Sym, v.Index, v.Name, v.Init = sym, index, name, new(logic.Value)
	}
	w.names[n] = v
	return v
}

// readLater returns, for each location of a thread, the variables that may be read there or behind before they are written.
func readLater(d *draft, t *ir.Thread) map[*ir.Loc]map[*ir.Var]bool {
	live := map[*ir.Loc]map[*ir.Var]bool{}
	for _, l := range t.Locs {
		live[l] = map[*ir.Var]bool{}
	}
	for changed := true; changed; {
		changed = false
		for k := len(t.Locs) - 1; k >= 0; k-- {
			l := t.Locs[k]
			for _, e := range l.Out {
				now := map[*ir.Var]bool{}
				for v := range live[e.To] { // order does not matter
					now[v] = true
				}
				for i := len(e.Cmds) - 1; i >= 0; i-- {
					if c := e.Cmds[i]; c.Kind != ir.Assume {
						delete(now, c.Var)
					}
					for _, f := range e.Cmds[i].Reads() {
						for _, v := range d.varsOf(f) {
							now[v] = true
						}
					}
				}
				for v := range now { // order does not matter
					if !live[l][v] {
						live[l][v], changed = true, true
					}
				}
			}
		}
	}
	return live
}
