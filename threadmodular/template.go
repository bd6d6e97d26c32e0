package threadmodular

import (
	"errors"
	"maps"
	"slices"

	"comus/cutpoints"
	"comus/ir"
	"comus/logic"
	"comus/wp"
)

// thread is a thread of the program between its nodes.
type thread struct {
	*ir.Thread
	nodes []int // in ascending order, without error locations
	node  []bool
	cut   []bool
	out   map[int][]*block
	live  [][]*ir.Var // by location: the local variables that matter there
}

// block is a path from a node to the next, or to an error location.
type block struct {
	to     *ir.Loc
	cmds   []ir.Cmd
	cond   *logic.Term
	value  map[*logic.Term]*logic.Term // of the variables it changes
	shared bool                        // it changes a shared variable that matters
}

// maxBlocks bounds the blocks of a thread.
const maxBlocks = 20_000

// template is the program with its blocks.
type template struct {
	p        *ir.Program
	threads  []*thread
	relevant map[*ir.Var]bool
	shared   []*ir.Var        // those that matter
	counters map[*ir.Var]bool // those that [ir.Program.Counted] or Census has added
	census   bool
	head     *ir.Headcount           // of the census, or nil
	writer   map[*logic.Term]*thread // of a shared variable that only one thread writes, which is not replicated
}

// newTemplate computes the blocks of p between the cut-points of cuts, a program
// with the same locations. With lemmas and a census, variables of the source are kept that are not read any more.
func newTemplate(p *ir.Program, counters map[*ir.Var]bool, graphs []*cutpoints.Graph, method Method) (*template, error) {
	m := &template{p: p, counters: counters, census: method.Census}
	for i, t := range p.Threads {
		th := &thread{Thread: t, node: make([]bool, len(t.Locs)), cut: graphs[i].Cut, out: map[int][]*block{}}
		for _, n := range graphs[i].Nodes {
			th.node[n.Index] = true
		}
		for _, l := range t.Locs {
			if th.node[l.Index] && !l.Error {
				th.nodes = append(th.nodes, l.Index)
			}
		}
		for _, n := range th.nodes {
			if err := th.walk(t.Locs[n], n, nil); err != nil {
				return nil, err
			}
		}
		m.threads = append(m.threads, th)
	}
	m.findRelevant()
	m.findWriters()
	for _, t := range m.threads {
		t.findLive(m, method.Lemmas || method.Census)
		for _, n := range t.nodes {
			t.out[n] = slices.DeleteFunc(t.out[n], func(b *block) bool { return !m.run(b) })
		}
	}
	return m, nil
}

// walk collects the paths from a node.
func (t *thread) walk(l *ir.Loc, from int, cmds []ir.Cmd) error {
	for _, e := range l.Out {
		path := slices.Concat(cmds, e.Cmds)
		switch {
		case t.node[e.To.Index] || e.To.Error:
			t.out[from] = append(t.out[from], &block{to: e.To, cmds: path})
			if len(t.out[from]) > maxBlocks {
				return errors.New("there are too many paths between cut-points")
			}
		default:
			if err := t.walk(e.To, from, path); err != nil {
				return err
			}
		}
	}
	return nil
}

// findWriters finds the shared variables that only one thread writes.
func (m *template) findWriters() {
	m.writer = map[*logic.Term]*thread{}
	several := map[*logic.Term]bool{}
	for _, t := range m.threads {
		for _, bls := range t.out {
			for _, bl := range bls {
				for _, c := range bl.cmds {
					if c.Var == nil || c.Var.Thread != ir.Shared {
						continue
					}
					v := c.Var.Sym
					several[v] = several[v] || t.Replicated || m.writer[v] != nil && m.writer[v] != t
					m.writer[v] = t
				}
			}
		}
	}
	for v := range several {
		if several[v] {
			delete(m.writer, v)
		}
	}
}

// findRelevant finds the variables that some condition depends on, and all that a census counts.
func (m *template) findRelevant() {
	tab := m.p.Symbols()
	m.relevant = map[*ir.Var]bool{}
	if m.census {
		maps.Copy(m.relevant, m.counters)
	}
	for changed := true; changed; {
		changed = false
		for _, t := range m.p.Threads {
			t.Edges(func(e *ir.Edge) {
				for _, c := range e.Cmds {
					x := c.Cond
					if c.Kind == ir.Assign && m.relevant[c.Var] {
						x = c.Expr
					}
					if x == nil {
						continue
					}
					for _, s := range logic.FreeVars(x) {
						if v := tab[s]; v != nil && !m.relevant[v] {
							m.relevant[v], changed = true, true
						}
					}
				}
			})
		}
	}
	for _, v := range m.p.Vars {
		if v.Thread == ir.Shared && m.relevant[v] {
			m.shared = append(m.shared, v)
		}
	}
}

// findLive finds the local variables whose value at a node may be read later, or that are kept.
func (t *thread) findLive(m *template, keep bool) {
	tab := m.p.Symbols()
	live := make([]map[*ir.Var]bool, len(t.Locs))
	for i := range live {
		live[i] = map[*ir.Var]bool{}
	}
	for changed := true; changed; {
		changed = false
		for _, n := range t.nodes {
			for _, b := range t.out[n] {
				for v := range liveBefore(tab, b.cmds, live[b.to.Index]) {
					if v.Thread != ir.Shared && !live[n][v] {
						live[n][v], changed = true, true
					}
				}
			}
		}
	}
	if keep {
		t.keepOn(m, tab, live, m.kept(t, live))
	}
	t.live = make([][]*ir.Var, len(t.Locs))
	for i := range live {
		for _, v := range m.p.Vars {
			if live[i][v] {
				t.live[i] = append(t.live[i], v)
			}
		}
	}
}

// kept returns the variables that may be kept: with a census only those that are live somewhere, as equalities are about all of them.
func (m *template) kept(t *thread, live []map[*ir.Var]bool) map[*ir.Var]bool {
	if !m.census {
		return m.relevant
	}
	out := map[*ir.Var]bool{}
	for _, n := range t.nodes {
		maps.Copy(out, live[n])
	}
	return out
}

// keepOn adds the variables of the source from where they are assigned on, and, where the thread stops, those that the step there reads:
// what another thread finds out about this one may be said in terms of them.
func (t *thread) keepOn(m *template, tab ir.SymTable, live []map[*ir.Var]bool, may map[*ir.Var]bool) {
	for changed := true; changed; {
		changed = false
		for _, n := range t.nodes {
			for _, b := range t.out[n] {
				acc := tab.CmdAccess(b.cmds)
				for v := range may {
					kept := v.Source != "" && (live[n][v] || acc.Writes[v])
					if v.Thread == t.Index && v.Type != ir.Flag && !live[b.to.Index][v] && (kept || len(b.to.Out) == 0 && acc.Reads[v] && live[n][v]) {
						live[b.to.Index][v], changed = true, true
					}
				}
			}
		}
	}
}

// liveBefore carries liveness of local variables backwards over commands.
func liveBefore(tab ir.SymTable, cmds []ir.Cmd, after map[*ir.Var]bool) map[*ir.Var]bool {
	live := map[*ir.Var]bool{}
	for v := range after {
		live[v] = true
	}
	for _, c := range slices.Backward(cmds) {
		read := c.Cond
		if c.Var != nil {
			if c.Var.Thread != ir.Shared && !live[c.Var] {
				continue // a dead assignment reads nothing
			}
			delete(live, c.Var)
			read = c.Expr
		}
		if read == nil {
			continue
		}
		for _, s := range logic.FreeVars(read) {
			if v := tab[s]; v != nil {
				live[v] = true
			}
		}
	}
	return live
}

// run computes the effect of a block and reports whether it can be taken.
func (m *template) run(b *block) bool {
	x := wp.NewExec(m.p.L, true)
	x.Run(b.cmds)
	cond := x.Condition()
	if m.census {
		cond = m.short(cond)
	}
	b.cond, b.value = wp.Linear(m.p.L, cond), map[*logic.Term]*logic.Term{}
	for _, c := range b.cmds {
		if c.Var == nil || !m.relevant[c.Var] {
			continue
		}
		if v := x.Value(c.Var.Sym); v != c.Var.Sym {
			b.value[c.Var.Sym] = wp.Linear(m.p.L, v)
			b.shared = b.shared || c.Var.Thread == ir.Shared
		}
	}
	return !b.cond.IsFalse()
}

// short leaves out conditions that have many alternatives, such as those that an address is one of an object's cells.
func (m *template) short(cond *logic.Term) *logic.Term {
	return m.p.L.And(slices.DeleteFunc(slices.Clone(logic.Conjuncts(cond)), func(c *logic.Term) bool {
		return c.Op() == logic.OpOr && len(c.Args()) > maxAlternatives
	})...)
}

// maxAlternatives bounds the alternatives of a condition.
const maxAlternatives = 8

// initially returns the condition on an instance's variables at the start, apart from
// the shared ones.
func (m *template) initially(v *ir.Var) *logic.Term {
	if v.Init != nil {
		return m.p.L.Eq(v.Sym, m.p.L.Value(*v.Init))
	}
	return m.p.InRange(v)
}
