package partialorder

import (
	"context"
	mathbits "math/bits"
	"slices"

	"comus/ir"
	"comus/logic"
)

// order is what is known of the order of events before solving. Everything it
// says of two events it says for executions that contain both.
type order struct {
	f *finder
	// ancestors has, for each event, those that program order puts before it.
	ancestors []bits
	// before has those that surely come before it.
	before []bits
	// must has those that are surely executed if it is.
	must []bits
	// nexts has the writes of the same thread that may be the first after a
	// write, and perhaps some later ones.
	nexts map[*write][]*write
	// source is what a read can see, computed by sources.
	source map[*read]*sources
	byVar  map[*ir.Var][]*write
	single map[*ir.Var]bool // all of whose writes are in one thread
}

// sources are the writes that a read may see, and whether it may see the initial
// value.
type sources struct {
	writes  []*write
	initial bool
	// hidden tells that something is surely written before the read.
	hidden bool
	// selective tells that some were left out because the conditions of the read's
	// steps do not hold with their values.
	selective bool
}

func newOrder(f *finder) *order {
	o := &order{f: f, nexts: map[*write][]*write{}, source: map[*read]*sources{}, byVar: f.writes, single: map[*ir.Var]bool{}}
	n := len(f.nodes)
	o.ancestors, o.before, o.must = newBits(n), newBits(n), newBits(n)
	for _, e := range f.nodes {
		for _, st := range e.in {
			o.ancestors[e.id].add(st.from.id)
			o.ancestors[e.id].addAll(o.ancestors[st.from.id])
		}
		o.before[e.id].addAll(o.ancestors[e.id])
	}
	for v, ws := range f.writes {
		o.single[v] = !slices.ContainsFunc(ws, func(w *write) bool { return w.node.thread != ws[0].node.thread })
		for _, w := range ws {
			o.nexts[w] = o.follow(w.node, v)
		}
	}
	return o
}

// follow returns the writes of v that can come first after event n.
func (o *order) follow(n *node, v *ir.Var) []*write {
	var found []*write
	seen := map[*node]bool{}
	work := []*node{n}
	for len(work) > 0 {
		m := work[0]
		work = work[1:]
		for _, st := range m.out {
			to := st.to
			if to == nil || !to.useful || seen[to] {
				continue
			}
			seen[to] = true
			w := to.writes[v]
			if w != nil && len(w.steps) > 0 {
				found = append(found, w)
			}
			if w == nil || !w.total() {
				work = append(work, to)
			}
		}
	}
	return found
}

// first returns the writes of v that can be the first of a thread.
func (o *order) first(thread int, v *ir.Var) []*write {
	nodes := o.f.threads[thread].nodes
	if len(nodes) == 0 {
		return nil
	}
	if w := nodes[0].writes[v]; w != nil && w.total() {
		return []*write{w}
	} else if w != nil && len(w.steps) > 0 {
		return append(o.follow(nodes[0], v), w)
	}
	return o.follow(nodes[0], v)
}

// fixpoint computes before and must: a read that can see one write only comes
// after it, and with that, more is known of what others can see.
func (o *order) fixpoint(ctx context.Context) error {
	for changed := true; changed; {
		if err := ctx.Err(); err != nil {
			return err
		}
		changed = false
		for _, r := range o.f.reads {
			src := o.sources(r)
			o.source[r] = src
			if w := src.only(); w != nil && r.total() && !(o.must[r.node.id].has(w.node.id) && o.before[r.node.id].has(w.node.id)) {
				o.must[r.node.id].add(w.node.id)
				o.before[r.node.id].add(w.node.id)
				changed = true
			}
		}
		if changed {
			o.propagate()
		}
	}
	return nil
}

// only returns the one write that can be seen, if that is all.
func (s *sources) only() *write {
	if len(s.writes) == 1 && !s.initial {
		return s.writes[0]
	}
	return nil
}

// total reports whether the event reads whatever step is taken.
func (r *read) total() bool { return len(r.steps) == len(r.node.out) }

// propagate closes before and must along program order and across threads.
func (o *order) propagate() {
	for again := true; again; {
		again = false
		for _, e := range o.f.nodes {
			must, before := o.must[e.id].clone(), o.before[e.id].clone()
			if len(e.in) > 0 {
				must.addAll(o.common(e, o.must, true))
				before.addAll(o.common(e, o.before, false))
			}
			sure := must.clone()
			sure.keep(before)
			sure.each(func(m int) {
				must.addAll(o.must[m])
				before.addAll(o.before[m])
			})
			if !must.equal(o.must[e.id]) || !before.equal(o.before[e.id]) {
				o.must[e.id], o.before[e.id], again = must, before, true
			}
		}
	}
}

// common returns what sets says of all predecessors of e in program order, and
// with self the predecessors themselves.
func (o *order) common(e *node, sets []bits, self bool) bits {
	var meet bits
	for _, st := range e.in {
		s := sets[st.from.id].clone()
		if self {
			s.add(st.from.id)
		}
		if meet == nil {
			meet = s
		} else {
			meet.keep(s)
		}
	}
	return meet
}

// exclusive reports whether two events of a thread never are in one execution.
func (o *order) exclusive(a, b *node) bool {
	return a != b && a.thread == b.thread && !o.ancestors[a.id].has(b.id) && !o.ancestors[b.id].has(a.id)
}

// sources returns what r can see.
func (o *order) sources(r *read) *sources {
	src := &sources{}
	writes := o.byVar[r.v]
	var over []*write // surely written before the read
	for _, w := range writes {
		if w.node != r.node && w.total() && o.must[r.node.id].has(w.node.id) && o.before[r.node.id].has(w.node.id) {
			over = append(over, w)
		}
	}
	src.hidden = len(over) > 0
	initial := o.admits(r, o.f.initial(r.v))
	src.initial, src.selective = !src.hidden && initial, !initial
	for _, w := range writes {
		admitted := slices.ContainsFunc(w.values, func(t *logic.Term) bool { return o.admits(r, t) })
		// Of what the order alone keeps away, too: the order may follow from that.
		src.selective = src.selective || !admitted
		if !admitted || !o.mayPrecede(w, r) {
			continue
		}
		if !slices.ContainsFunc(over, func(x *write) bool { return o.before[x.node.id].has(w.node.id) }) {
			src.writes = append(src.writes, w)
		}
	}
	return src
}

// mayPrecede reports whether w can come before r.
func (o *order) mayPrecede(w *write, r *read) bool {
	return w.node != r.node && !o.before[w.node.id].has(r.node.id) && !o.exclusive(w.node, r.node)
}

// admits reports whether some step that reads r may be taken when the value is t;
// only constants are looked at.
func (o *order) admits(r *read, t *logic.Term) bool {
	if _, ok := t.Const(); !ok {
		return true
	}
	sub := map[*logic.Term]*logic.Term{r.sym: t}
	return slices.ContainsFunc(r.steps, func(st *step) bool {
		return !slices.ContainsFunc(st.conds, func(c *logic.Term) bool { return o.f.l.Subst(c, sub).IsFalse() })
	})
}

// bits is a set of events.
type bits []uint64

func newBits(n int) []bits {
	sets := make([]bits, n)
	for i := range sets {
		sets[i] = make(bits, (n+63)/64)
	}
	return sets
}

func (b bits) add(i int)      { b[i/64] |= 1 << (i % 64) }
func (b bits) has(i int) bool { return b[i/64]>>(i%64)&1 != 0 }
func (b bits) clone() bits    { return slices.Clone(b) }

func (b bits) equal(c bits) bool { return slices.Equal(b, c) }

// each calls f for each event in the set.
func (b bits) each(f func(int)) {
	for i, word := range b {
		for ; word != 0; word &= word - 1 {
			f(64*i + mathbits.TrailingZeros64(word))
		}
	}
}

func (b bits) addAll(c bits) {
	for i := range b {
		b[i] |= c[i]
	}
}

func (b bits) keep(c bits) {
	for i := range b {
		b[i] &= c[i]
	}
}
