package happensbefore

import (
	"comus/cir"
	"comus/scan/thread"
)

// flow is what is known of one thread.
type flow struct {
	r     *Result
	t     *thread.Thread
	nodes []*thread.Node
	calls map[*thread.Node]map[cir.Instr][]*thread.Node
	// effect tells which nodes do anything to synchronisations, or call who does.
	effect map[*thread.Node]bool
	sum    map[*thread.Node]Masks // what a call may set and has seen in any case
	entry  map[*thread.Node]Masks // when it is called
}

const all = ^uint64(0)

// flowOf returns what is known of a thread.
func (r *Result) flowOf(t *thread.Thread) *flow {
	if f := r.flows[t]; f != nil {
		return f
	}
	f := &flow{r: r, t: t, nodes: r.threads.Nodes(t), calls: map[*thread.Node]map[cir.Instr][]*thread.Node{}, effect: map[*thread.Node]bool{},
		sum: map[*thread.Node]Masks{}, entry: map[*thread.Node]Masks{}}
	r.flows[t] = f
	f.prepare()
	f.sums()
	f.enterAll()
	return f
}

// prepare collects calls, and finds out what has an effect.
func (f *flow) prepare() {
	callers := map[*thread.Node][]*thread.Node{}
	var work []*thread.Node
	for _, n := range f.nodes {
		m := map[cir.Instr][]*thread.Node{}
		for _, b := range n.Fn.Blocks {
			for _, in := range b.Instrs {
				if call, ok := in.(*cir.Call); ok {
					m[in] = f.r.threads.Calls(f.t, n, call)
					for _, c := range m[in] {
						callers[c] = append(callers[c], n)
					}
				}
			}
		}
		f.calls[n] = m
		if d := f.r.does[n]; d.any || jumps(n.Fn) {
			f.effect[n] = true
			work = append(work, n)
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, c := range callers[n] {
			if !f.effect[c] {
				f.effect[c] = true
				work = append(work, c)
			}
		}
	}
}

// jumps reports whether control may come back to the middle of a function.
func jumps(fn *cir.Func) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if i, ok := in.(*cir.Intrinsic); ok && i.Op == cir.Setjmp {
				return true
			}
		}
	}
	return false
}

// sums finds out what calls do: at first they set nothing and have seen all.
func (f *flow) sums() {
	for _, n := range f.nodes {
		if f.effect[n] {
			f.sum[n] = Masks{Seen: all}
		}
	}
	for changed := true; changed; {
		changed = false
		for i := len(f.nodes) - 1; i >= 0; i-- {
			n := f.nodes[i]
			if !f.effect[n] {
				continue
			}
			s := Masks{Seen: all}
			f.walk(n, Masks{}, func(in cir.Located, m Masks) {
				s.Set |= m.Set
				if _, ok := in.(*cir.Return); ok {
					s.Seen &= m.Seen
				}
			})
			if old := f.sum[n]; s != old {
				f.sum[n], changed = Masks{Set: s.Set | old.Set, Seen: s.Seen & old.Seen}, true
			}
		}
	}
}

// enterAll finds out what has happened when functions are called.
func (f *flow) enterAll() {
	var sets uint64
	for _, n := range f.nodes {
		sets |= f.sum[n].Set
	}
	known := map[*thread.Node]bool{}
	var work []*thread.Node
	enter := func(n *thread.Node, m Masks) {
		if old := f.entry[n]; known[n] {
			m = Masks{m.Set | old.Set, m.Seen & old.Seen, m.In & old.In}
			if m == old {
				return
			}
		}
		known[n] = true
		f.entry[n] = m
		work = append(work, n)
	}
	for i, n := range f.t.Roots() {
		if i == 0 {
			enter(n, Masks{})
		} else {
			enter(n, Masks{Set: sets})
		}
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		in := f.r.does[n].in
		f.each(n, func(at cir.Located, m Masks) {
			call, ok := at.(cir.Instr)
			if !ok {
				return
			}
			for _, c := range f.calls[n][call] {
				to := m
				if !c.Fn.Library {
					to.In |= in
				}
				if outside, ok := at.(*cir.Call); ok && n.Outside(outside) { // what is called back may set more
					for _, d := range f.calls[n][call] {
						to.Set |= f.sum[d].Set
					}
				}
				enter(c, to)
			}
		})
	}
}

// each calls visit for the instructions and terminators of a node with what has happened before.
func (f *flow) each(n *thread.Node, visit func(in cir.Located, m Masks)) {
	if f.effect[n] {
		f.walk(n, f.entry[n], visit)
		return
	}
	for _, b := range n.Fn.Blocks {
		for _, in := range b.Instrs {
			visit(in, f.entry[n])
		}
		visit(b.Term, f.entry[n])
	}
}

// walk goes through a node until nothing changes, then calls visit for all that is reached.
func (f *flow) walk(n *thread.Node, first Masks, visit func(in cir.Located, m Masks)) {
	d := f.r.does[n]
	in := make([]Masks, len(n.Fn.Blocks))
	reached := make([]bool, len(n.Fn.Blocks))
	in[0], reached[0] = first, true
	work := []*cir.Block{n.Fn.Blocks[0]}
	for len(work) > 0 {
		b := work[0]
		work = work[1:]
		m := in[b.Index]
		for _, x := range b.Instrs {
			m = f.after(n, x, m)
		}
		i := 0
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			t := m
			if s, ok := d.sees[b]; ok && i < 2 {
				t.Seen |= s[i]
			}
			i++
			if old := in[to.Index]; reached[to.Index] {
				t = Masks{t.Set | old.Set, t.Seen & old.Seen, t.In & old.In}
				if t == old {
					return
				}
			}
			in[to.Index], reached[to.Index] = t, true
			work = append(work, to)
		})
	}
	for _, b := range n.Fn.Blocks {
		if !reached[b.Index] {
			continue
		}
		m := in[b.Index]
		for _, x := range b.Instrs {
			visit(x, m)
			m = f.after(n, x, m)
		}
		visit(b.Term, m)
	}
}

// after returns what has happened after an instruction.
func (f *flow) after(n *thread.Node, in cir.Instr, m Masks) Masks {
	d := f.r.does[n]
	m.Set |= d.set[in]
	switch in := in.(type) {
	case *cir.Intrinsic:
		if in.Op == cir.Setjmp { // control may come back here
			for _, s := range f.sum {
				m.Set |= s.Set
			}
			for _, c := range f.nodes {
				for _, s := range f.r.does[c].set {
					m.Set |= s
				}
			}
		}
	case *cir.Call:
		seen := all
		to := f.calls[n][in]
		for _, c := range to {
			m.Set |= f.sum[c].Set
			seen &= f.sum[c].Seen
		}
		if len(to) == 0 || n.Outside(in) {
			seen = 0
		}
		m.Seen |= seen
	}
	m.Seen |= d.seen[in]
	return m
}

// Masks returns what has happened when a thread makes the accesses of the instructions of a node. Which synchronisations are valid is another question.
func (r *Result) Masks(t *thread.Thread, n *thread.Node) func(in cir.Located) Masks {
	f := r.flowOf(t)
	if !f.effect[n] {
		m := f.entry[n]
		return func(cir.Located) Masks { return m }
	}
	of := map[cir.Located]Masks{}
	f.each(n, func(in cir.Located, m Masks) { of[in] = m })
	return func(in cir.Located) Masks { return of[in] }
}
