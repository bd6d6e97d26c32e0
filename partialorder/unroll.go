package partialorder

import (
	"fmt"
	"slices"
	"strings"

	"comus/ir"
	"comus/logic"
)

// node is an instance of a cut-point; leaving it is an event.
type node struct {
	id      int // its place in finder.nodes
	thread  int
	loc     *ir.Loc
	out, in []*step
	env     map[*logic.Term]*logic.Term // the values of private variables there, by symbol
	clock   *logic.Term
	reads   map[*ir.Var]*read
	writes  map[*ir.Var]*write
	useful  bool
}

// step is an instance of a segment.
type step struct {
	seg      *segment
	from, to *node       // to is nil at an error location
	took     *logic.Term // "it is taken"
	conds    []*logic.Term
	final    map[*logic.Term]*logic.Term // the values of private variables at its end
	cut      bool                        // leads out of the bounds
	// impossible tells that its conditions cannot hold.
	impossible bool
}

// read is what an event sees of a variable; steps are those that read it.
type read struct {
	v     *ir.Var
	node  *node
	sym   *logic.Term
	steps []*step
}

// write is what an event leaves in a variable, by the step taken.
type write struct {
	v      *ir.Var
	node   *node
	steps  []*step
	values []*logic.Term // of each step
}

// total reports whether the event writes whatever step is taken.
func (w *write) total() bool { return len(w.steps) == len(w.node.out) }

// maxNodes bounds the events of a thread.
const maxNodes = 4000

// loop is a range of locations that back edges jump within.
type loop struct{ head, end int }

// loops returns the ranges between the targets of back edges and the sources of
// those, made to be nested or disjoint.
func (s *threadShape) loops() []loop {
	ends := map[int]int{}
	for _, l := range s.cuts {
		for _, seg := range s.out[l] {
			if s.back(seg) {
				ends[seg.to.Index] = max(ends[seg.to.Index], l.Index)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for h, e := range ends {
			for h2, e2 := range ends {
				if h < h2 && h2 <= e && e < e2 {
					ends[h], changed = e2, true
					e = e2
				}
			}
		}
	}
	var loops []loop
	for h, e := range ends {
		loops = append(loops, loop{h, e})
	}
	slices.SortFunc(loops, func(a, b loop) int { return a.head - b.head })
	return loops
}

func (s *threadShape) back(seg *segment) bool {
	return !seg.cut && !seg.to.Error && seg.to.Index <= seg.from.Index
}

// unroller makes the instances of a thread's cut-points. An instance is a
// cut-point and, for each loop around it, how often that was gone around.
type unroller struct {
	s     *threadShape
	loops []loop
	nodes map[string]*node
	order []*node // successors first
}

func (s *threadShape) unroll() error {
	u := &unroller{s: s, loops: s.loops(), nodes: map[string]*node{}}
	u.visit(s.graph.Thread.Entry, make([]int, len(u.loops)))
	if len(u.order) > maxNodes {
		return s.limit("events")
	}
	s.nodes = u.order
	slices.Reverse(s.nodes)
	return nil
}

// visit returns the instance of l with these counts.
func (u *unroller) visit(l *ir.Loc, counts []int) *node {
	var key strings.Builder
	fmt.Fprint(&key, l.Index)
	for i, lp := range u.loops {
		if lp.head <= l.Index && l.Index <= lp.end {
			fmt.Fprint(&key, " ", counts[i])
		}
	}
	if n := u.nodes[key.String()]; n != nil {
		return n
	}
	n := u.s.newNode(l)
	u.nodes[key.String()] = n
	for _, seg := range u.s.out[l] {
		if len(u.nodes) > maxNodes {
			break // an error follows
		}
		st := &step{seg: seg, from: n, cut: seg.cut}
		if !st.cut && !seg.to.Error {
			if next := u.next(seg, counts); next != nil {
				st.to = u.visit(seg.to, next)
			} else {
				st.cut = true
			}
		}
		n.out = append(n.out, st)
	}
	u.order = append(u.order, n)
	return n
}

// next returns the counts after a segment; nil beyond the bound.
func (u *unroller) next(seg *segment, counts []int) []int {
	next := slices.Clone(counts)
	to := seg.to.Index
	for i, lp := range u.loops {
		switch {
		case to < lp.head || to > lp.end:
			next[i] = 0
		case u.s.back(seg) && to == lp.head:
			if next[i]++; next[i] > u.s.f.opts.Unwind {
				return nil
			}
		}
	}
	return next
}

func (s *threadShape) newNode(l *ir.Loc) *node {
	return &node{thread: s.graph.Thread.Index, loc: l, reads: map[*ir.Var]*read{}, writes: map[*ir.Var]*write{}}
}

// unrollPath makes the instances of a path: a chain.
func (s *threadShape) unrollPath() {
	var last *step
	for _, seg := range s.path {
		n := s.newNode(seg.from)
		if last != nil {
			last.to = n
		}
		last = &step{seg: seg, from: n}
		n.out = []*step{last}
		s.nodes = append(s.nodes, n)
	}
}

// execute runs the steps that leave n symbolically; those that lead to n have
// been run. Steps that cannot be taken are removed.
func (s *threadShape) execute(n *node) {
	f := s.f
	entry := n == s.nodes[0]
	if !entry && len(n.in) == 0 {
		n.out = nil
		return
	}
	s.merge(n)
	n.clock = f.l.FreshVar("clock", logic.Int)
	possible := n.out[:0]
	for _, st := range n.out {
		st.took = f.l.FreshVar("took", logic.Bool)
		if s.path != nil {
			st.took = f.l.True()
		}
		x := &execution{s: s, st: st, env: map[*logic.Term]*logic.Term{}, read: map[*ir.Var]bool{}}
		if !x.run() {
			continue
		}
		if st.cut {
			f.complete = false
			continue
		}
		x.finish()
		possible = append(possible, st)
		if st.to != nil {
			st.to.in = append(st.to.in, st)
		}
	}
	n.out = possible
}

// merge computes the values of private variables at n from those at the ends of
// the steps to n.
func (s *threadShape) merge(n *node) {
	switch len(n.in) {
	case 0:
		n.env = map[*logic.Term]*logic.Term{}
		return
	case 1:
		n.env = n.in[0].final
		return
	}
	f := s.f
	n.env = map[*logic.Term]*logic.Term{}
	for _, v := range f.p.Vars {
		if !s.live[n.loc][v] {
			continue
		}
		value := s.valueAt(n.in[0], v)
		for _, st := range n.in[1:] {
			if s.valueAt(st, v) != value {
				value = nil
				break
			}
		}
		if value == nil {
			value = f.l.FreshVar(v.Name, logic.Int)
			j := join{sym: value, typ: v.Type}
			for _, st := range n.in {
				j.values = append(j.values, s.valueAt(st, v))
				f.side = append(f.side, f.l.Implies(st.took, f.l.Eq(value, s.valueAt(st, v))))
			}
			f.merges = append(f.merges, j)
		}
		n.env[v.Sym] = value
	}
}

// valueAt returns the value of a private variable at the end of a step.
func (s *threadShape) valueAt(st *step, v *ir.Var) *logic.Term {
	if t := st.final[v.Sym]; t != nil {
		return t
	}
	return s.f.initial(v)
}

// execution is the symbolic execution of one step.
type execution struct {
	s    *threadShape
	st   *step
	env  map[*logic.Term]*logic.Term // of all variables met
	read map[*ir.Var]bool
}

// run executes the commands. It returns false if an assumption is false.
func (x *execution) run() bool {
	f := x.s.f
	for _, c := range x.st.seg.cmds {
		switch c.Kind {
		case ir.Assume:
			cond := x.value(c.Cond)
			if cond.IsFalse() {
				return false
			}
			if !cond.IsTrue() {
				x.st.conds = append(x.st.conds, logic.Conjuncts(cond)...)
			}
		case ir.Assign:
			x.env[c.Var.Sym] = x.value(c.Expr)
		case ir.Havoc:
			x.env[c.Var.Sym] = f.input(c.Var)
		}
	}
	return !f.l.And(x.st.conds...).IsFalse()
}

func (x *execution) value(t *logic.Term) *logic.Term {
	for _, sym := range logic.FreeVars(t) {
		if x.env[sym] == nil {
			x.env[sym] = x.load(x.s.f.tab[sym])
		}
	}
	return x.s.f.l.Subst(t, x.env)
}

// load returns the value of v at the beginning of the step.
func (x *execution) load(v *ir.Var) *logic.Term {
	f, n := x.s.f, x.st.from
	if t := f.constant[v]; t != nil {
		return t
	}
	if x.s.private[v] {
		if t := n.env[v.Sym]; t != nil {
			return t
		}
		return f.initial(v)
	}
	x.read[v] = true
	r := n.reads[v]
	if r == nil {
		r = &read{v: v, node: n, sym: f.l.FreshVar(v.Name, logic.Int)}
		n.reads[v] = r
		f.types[r.sym] = v.Type
	}
	return r.sym
}

// finish records what the step reads and writes.
func (x *execution) finish() {
	st, n := x.st, x.st.from
	for v := range x.read {
		n.reads[v].steps = append(n.reads[v].steps, st)
	}
	st.final = map[*logic.Term]*logic.Term{}
	for sym, t := range n.env {
		st.final[sym] = t
	}
	for v := range st.seg.final {
		value := x.env[v.Sym]
		if x.s.private[v] {
			st.final[v.Sym] = value
		}
		if x.s.visible[v] && (n.reads[v] == nil || value != n.reads[v].sym) {
			w := n.writes[v]
			if w == nil {
				w = &write{v: v, node: n}
				n.writes[v] = w
			}
			w.steps, w.values = append(w.steps, st), append(w.values, value)
		}
	}
}

// failing returns the steps to an error location.
func (s *threadShape) failing() []*step {
	var out []*step
	for _, n := range s.nodes {
		for _, st := range n.out {
			if st.to == nil {
				out = append(out, st)
			}
		}
	}
	return out
}

// prune keeps, of the failing thread, what leads to an error, and of the others
// what leads to a write that others may read.
func (f *finder) prune() {
	for _, s := range f.threads {
		for _, n := range slices.Backward(s.nodes) {
			if s.main {
				n.out = slices.DeleteFunc(n.out, func(st *step) bool { return st.to != nil && !st.to.useful })
				n.useful = len(n.out) > 0
				continue
			}
			n.out = slices.DeleteFunc(n.out, func(st *step) bool { return !st.to.useful && !n.writesIn(st) })
			n.useful = len(n.out) > 0
		}
	}
}

func (n *node) writesIn(st *step) bool {
	for _, w := range n.writes {
		if slices.Contains(w.steps, st) {
			return true
		}
	}
	return false
}

// index numbers the nodes in use and collects what they read and write.
func (f *finder) index() {
	f.writes = map[*ir.Var][]*write{}
	for _, s := range f.threads {
		s.nodes = slices.DeleteFunc(s.nodes, func(n *node) bool { return !n.useful })
		for _, n := range s.nodes {
			n.id = len(f.nodes)
			f.nodes = append(f.nodes, n)
			in := func(st *step) bool { return !slices.Contains(st.from.out, st) || !st.from.useful }
			n.in = slices.DeleteFunc(n.in, in)
			for _, v := range f.p.Vars {
				f.indexVar(n, v)
			}
		}
	}
}

// indexVar collects a node's read and write of v, without the removed steps.
func (f *finder) indexVar(n *node, v *ir.Var) {
	gone := func(st *step) bool { return !slices.Contains(n.out, st) }
	if r := n.reads[v]; r != nil {
		if r.steps = slices.DeleteFunc(r.steps, gone); len(r.steps) > 0 {
			f.reads = append(f.reads, r)
		}
	}
	w := n.writes[v]
	if w == nil {
		return
	}
	var steps []*step
	var values []*logic.Term
	for i, st := range w.steps {
		if !gone(st) {
			steps, values = append(steps, st), append(values, w.values[i])
		}
	}
	if w.steps, w.values = steps, values; len(steps) > 0 {
		f.writes[v] = append(f.writes[v], w)
	}
}
