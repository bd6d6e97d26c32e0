package resourceinv

import (
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
	cut   []bool
	out   map[int][]*block

	live     [][]*ir.Var        // by location: the local variables that matter there
	held     []map[*ir.Var]bool // by location: the locks that the thread surely holds there
	flags    []map[*ir.Var]bool // by location: what is surely the value of the flags by which threads are created
	touched  []map[*ir.Var]bool // by node: the shared variables surely read or written since the last cut-point
	written  []map[*ir.Var]bool // by node: those perhaps written since then
	seen     []map[*ir.Var]bool // by node: what has surely been read or written, of what a lock guards that the thread holds, since it took it
	dirty    []map[*ir.Var]bool // by node: what has perhaps been written of that
	accesses map[*ir.Var]bool   // the shared variables that the thread's blocks mention
}

// block is a path from a node to the next, or to an error location.
type block struct {
	from, to      *ir.Loc
	cond          *logic.Term
	value         map[*logic.Term]*logic.Term // of the variables it changes
	reads, writes map[*ir.Var]bool            // the shared variables that matter; what it writes it may leave as it is
	copies        []wp.Copy                   // of the program's cells, one for each that is read
}

// model is the program with its blocks, and who may change what while somebody else does not move.
type model struct {
	p        *ir.Program
	l        *logic.Store
	tab      ir.SymTable
	threads  []*thread
	relevant map[*ir.Var]bool
	shared   []*ir.Var               // those that matter
	lock     map[*ir.Var]bool        // variables that tell who holds a lock
	index    *ir.Var                 // of the program's cells, nil if it has none; copies of cells are in tab as what they are copies of
	guards   map[*ir.Var]*protection // by shared variable that matters
}

// newModel takes the program's blocks from graphs of a program with the same locations.
func newModel(p *ir.Program, graphs []*cutpoints.Graph) *model {
	m := &model{p: p, l: p.L, tab: p.Symbols(), relevant: map[*ir.Var]bool{}, lock: map[*ir.Var]bool{}, guards: map[*ir.Var]*protection{}}
	m.index, _ = p.Cells()
	for _, v := range p.Vars {
		m.lock[v] = v.Holder == ir.OneThread && v.Thread == ir.Shared
	}
	for i, t := range p.Threads {
		m.threads = append(m.threads, &thread{Thread: t, cut: graphs[i].Cut, out: map[int][]*block{}, accesses: map[*ir.Var]bool{}})
	}
	own := m.findSure()
	for i, t := range m.threads {
		m.findBlocks(t, graphs[i])
	}
	m.findRelevant()
	m.shared = slices.DeleteFunc(m.shared, func(v *ir.Var) bool { // what is sure of locks and flags is all there is to know
		return m.lock[v] || slices.ContainsFunc(m.threads, func(t *thread) bool { return own[t][v] })
	})
	for _, t := range m.threads {
		for _, n := range t.nodes {
			for _, b := range t.out[n] {
				m.findAccesses(t, b)
			}
		}
		t.findLive(m)
		m.findTouched(t)
	}
	m.findProtection(own)
	for _, t := range m.threads {
		m.findSeen(t)
	}
	return m
}

// findBlocks takes over the blocks. A node that is no cut-point and where no lock is held goes, if its blocks can be put together:
// while a thread is there, others see that a resource is out of order, and nothing tells them.
func (m *model) findBlocks(t *thread, g *cutpoints.Graph) {
	type path struct {
		from, to *ir.Loc
		edges    []*ir.Edge
	}
	var paths []path
	g.Blocks(func(b *cutpoints.Block) {
		paths = append(paths, path{t.Locs[b.From.Index], t.Locs[b.To.Index], b.Edges})
	})
	nodes := g.Nodes
	for _, l := range g.Nodes {
		if g.Cut[l.Index] || l.Error || len(t.held[l.Index]) > 0 {
			continue
		}
		var in, out, rest []path
		for _, p := range paths {
			switch {
			case p.to.Index == l.Index:
				in = append(in, p)
			case p.from.Index == l.Index:
				out = append(out, p)
			default:
				rest = append(rest, p)
			}
		}
		if len(in)*len(out) > maxPaths || slices.ContainsFunc(in, func(p path) bool { return p.from == p.to }) {
			continue
		}
		for _, a := range in {
			for _, b := range out {
				rest = append(rest, path{a.from, b.to, slices.Concat(a.edges, b.edges)})
			}
		}
		paths = rest
		nodes = slices.DeleteFunc(slices.Clone(nodes), func(n *ir.Loc) bool { return n == l })
	}
	for _, n := range nodes {
		if !n.Error {
			t.nodes = append(t.nodes, n.Index)
		}
	}
	slices.Sort(t.nodes)
	for _, p := range paths {
		if b := m.run(p.from, p.to, p.edges); !b.cond.IsFalse() {
			t.out[b.from.Index] = append(t.out[b.from.Index], b)
		}
	}
}

// maxPaths bounds the blocks that are put together at a node.
const maxPaths = 64

// run computes the effect of a block.
func (m *model) run(from, to *ir.Loc, edges []*ir.Edge) *block {
	var cmds []ir.Cmd
	for _, e := range edges {
		cmds = append(cmds, e.Cmds...)
	}
	x := wp.NewExec(m.l, true)
	x.Run(cmds)
	bl := &block{from: from, to: to, copies: x.Copies(m.p), value: map[*logic.Term]*logic.Term{}}
	for i, c := range bl.copies {
		bl.copies[i].Of = m.tab[c.Of.Sym]
		for s, first := range c.Cells {
			m.tab[first] = m.tab[s]
		}
	}
	bl.cond = wp.Linear(m.l, x.Condition())
	for _, c := range cmds {
		if c.Var == nil {
			continue
		}
		if v := x.Value(c.Var.Sym); v != c.Var.Sym {
			bl.value[c.Var.Sym] = wp.Linear(m.l, v)
		}
	}
	return bl
}

// eachBlock calls f with each block.
func (m *model) eachBlock(f func(t *thread, b *block)) {
	for _, t := range m.threads {
		for _, n := range t.nodes {
			for _, b := range t.out[n] {
				f(t, b)
			}
		}
	}
}

// findRelevant finds the variables that the condition of some block depends on.
func (m *model) findRelevant() {
	changed := true
	need := func(t *logic.Term) {
		for _, s := range logic.FreeVars(t) {
			if v := m.tab[s]; v != nil && !m.relevant[v] {
				m.relevant[v], changed = true, true
			}
		}
	}
	for changed {
		changed = false
		m.eachBlock(func(_ *thread, b *block) {
			need(b.cond)
			for s, x := range b.value {
				if m.relevant[m.tab[s]] {
					need(x)
				}
			}
			for _, c := range b.copies {
				if m.relevant[c.Of] {
					need(c.Index)
					need(m.index.Sym)
				}
			}
		})
	}
	for _, v := range m.p.Vars {
		if v.Thread == ir.Shared && m.relevant[v] {
			m.shared = append(m.shared, v)
		}
	}
}

// findAccesses finds the shared variables that a block reads and writes, and forgets values that do not matter.
func (m *model) findAccesses(t *thread, b *block) {
	b.reads, b.writes = map[*ir.Var]bool{}, map[*ir.Var]bool{}
	read := func(x *logic.Term) {
		for _, s := range logic.FreeVars(x) {
			if v := m.tab[s]; v != nil && v.Thread == ir.Shared {
				b.reads[v], t.accesses[v] = true, true
			}
		}
	}
	read(b.cond)
	b.copies = slices.DeleteFunc(b.copies, func(c wp.Copy) bool { return !m.relevant[c.Of] })
	for _, c := range b.copies {
		read(c.Index)
		read(c.Of.Sym)
		read(m.index.Sym)
	}
	for s, x := range b.value {
		v := m.tab[s]
		if !m.relevant[v] {
			delete(b.value, s)
			continue
		}
		read(x)
		if v.Thread == ir.Shared {
			b.writes[v], t.accesses[v] = true, true
		}
	}
}

// findLive finds the local variables whose value at a node may be read later.
func (t *thread) findLive(m *model) {
	live := make([]map[*ir.Var]bool, len(t.Locs))
	for i := range live {
		live[i] = map[*ir.Var]bool{}
	}
	changed := true
	for changed {
		changed = false
		need := func(n int, x *logic.Term) {
			for _, s := range logic.FreeVars(x) {
				if v := m.tab[s]; v != nil && v.Thread != ir.Shared && !live[n][v] {
					live[n][v], changed = true, true
				}
			}
		}
		for _, n := range t.nodes {
			for _, b := range t.out[n] {
				need(n, b.cond)
				for _, c := range b.copies {
					need(n, c.Index)
				}
				for s, x := range b.value {
					if v := m.tab[s]; v.Thread == ir.Shared || live[b.to.Index][v] {
						need(n, x)
					}
				}
				for v := range live[b.to.Index] {
					if b.value[v.Sym] == nil {
						need(n, v.Sym)
					}
				}
			}
		}
	}
	t.live = make([][]*ir.Var, len(t.Locs))
	for _, v := range m.p.Vars {
		for i := range live {
			if live[i][v] {
				t.live[i] = append(t.live[i], v)
			}
		}
	}
}

// findTouched finds what a thread has read and written since its last cut-point.
func (m *model) findTouched(t *thread) {
	since := func(k int, _ *ir.Var) bool { return !t.cut[k] }
	t.touched, t.written = t.everyWay(since), t.someWay(since)
}

// findSeen finds what a thread has read and written since it took the lock that guards it.
func (m *model) findSeen(t *thread) {
	guarded := func(k int, v *ir.Var) bool { return m.guards[v] != nil && t.held[k][m.guards[v].lock] }
	t.seen, t.dirty = t.everyWay(guarded), t.someWay(guarded)
}

// someWay returns, by node, the variables that are written on some way there, as long as they are kept.
func (t *thread) someWay(keep func(k int, v *ir.Var) bool) []map[*ir.Var]bool {
	at := make([]map[*ir.Var]bool, len(t.Locs))
	for i := range at {
		at[i] = map[*ir.Var]bool{}
	}
	t.spread(func(n int, b *block) bool {
		k, changed := b.to.Index, false
		for _, set := range []map[*ir.Var]bool{b.writes, at[n]} {
			for v := range set {
				if !at[k][v] && keep(k, v) {
					at[k][v], changed = true, true
				}
			}
		}
		return changed
	})
	return at
}

// everyWay returns, by node, the variables that are read or written on every way there, as long as they are kept.
func (t *thread) everyWay(keep func(k int, v *ir.Var) bool) []map[*ir.Var]bool {
	at := make([]map[*ir.Var]bool, len(t.Locs))
	at[t.Entry.Index] = map[*ir.Var]bool{}
	t.spread(func(n int, b *block) bool {
		if at[n] == nil {
			return false
		}
		used := map[*ir.Var]bool{}
		for _, set := range []map[*ir.Var]bool{at[n], b.reads, b.writes} {
			maps.Copy(used, set)
		}
		k := b.to.Index
		maps.DeleteFunc(used, func(v *ir.Var, _ bool) bool { return !keep(k, v) })
		old := at[k]
		at[k] = intersect(old, used)
		return old == nil || len(at[k]) < len(old)
	})
	return at
}

// spread calls f with each block and the node that it leaves until nothing changes.
func (t *thread) spread(f func(n int, b *block) bool) {
	for changed := true; changed; {
		changed = false
		for _, n := range t.nodes {
			for _, b := range t.out[n] {
				changed = f(n, b) || changed
			}
		}
	}
}

// initially returns the condition on a variable at the start.
func (m *model) initially(v *ir.Var) *logic.Term {
	if v.Init != nil {
		return m.l.Eq(v.Sym, m.l.Value(*v.Init))
	}
	return m.p.InRange(v)
}
