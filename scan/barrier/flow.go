package barrier

import (
	"comus/cir"
	"comus/scan/thread"
)

// flow is how often one thread has waited at one barrier.
type flow struct {
	b       *Barrier
	t       *thread.Thread
	threads *thread.Result
	nodes   []*thread.Node
	effect  map[*thread.Node]bool
	sum     map[*thread.Node]Phase // how often a call waits
	entry   map[*thread.Node]Phase
	known   map[*thread.Node]bool
}

// run goes along all that the thread does; it reports whether that is understood: nothing comes back to the middle of a function, and no code outside of the program
// calls what waits.
func (f *flow) run() bool {
	f.nodes = f.threads.Nodes(f.t)
	f.effect, f.sum, f.entry, f.known = map[*thread.Node]bool{}, map[*thread.Node]Phase{}, map[*thread.Node]Phase{}, map[*thread.Node]bool{}
	for changed := true; changed; {
		changed = false
		for _, n := range f.nodes {
			if f.effect[n] {
				continue
			}
			if len(f.b.waits[n]) > 0 {
				f.effect[n], changed = true, true
			}
			f.eachCall(n, func(call *cir.Call) {
				for _, c := range f.threads.Calls(f.t, n, call) {
					if f.effect[c] {
						f.effect[n], changed = true, true
					}
				}
			})
		}
	}
	ok := true
	for _, n := range f.nodes {
		f.eachCall(n, func(call *cir.Call) {
			for _, c := range f.threads.Calls(f.t, n, call) {
				ok = ok && !(n.Outside(call) && f.effect[c])
			}
		})
		ok = ok && !jumps(n.Fn)
	}
	if ok {
		f.sums()
		f.enterAll()
	}
	return ok
}

func (f *flow) eachCall(n *thread.Node, visit func(*cir.Call)) {
	for _, b := range n.Fn.Blocks {
		for _, in := range b.Instrs {
			if call, ok := in.(*cir.Call); ok {
				visit(call)
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

// sums finds out how often calls wait: at first, they do not return.
func (f *flow) sums() {
	for n := range f.effect {
		f.sum[n] = nothing
	}
	for changed := true; changed; {
		changed = false
		for _, n := range f.nodes {
			if !f.effect[n] {
				continue
			}
			s := f.sum[n]
			f.walk(n, Phase{}, func(in cir.Located, p Phase) {
				if _, ok := in.(*cir.Return); ok {
					s = s.or(p)
				}
			})
			if s != f.sum[n] {
				f.sum[n], changed = s, true
			}
		}
	}
}

// enterAll finds out how often the thread has waited when functions are called.
func (f *flow) enterAll() {
	var work []*thread.Node
	enter := func(n *thread.Node, p Phase) {
		old := nothing
		if f.known[n] {
			old = f.entry[n]
		}
		if p = old.or(p); f.known[n] && p == old {
			return
		}
		f.known[n], f.entry[n] = true, p
		work = append(work, n)
	}
	before := false
	for _, n := range f.t.Roots() {
		if before {
			enter(n, anything)
		} else {
			enter(n, Phase{})
		}
		before = before || f.effect[n]
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		f.each(n, func(in cir.Located, p Phase) {
			if call, ok := in.(*cir.Call); ok {
				for _, c := range f.threads.Calls(f.t, n, call) {
					enter(c, p)
				}
			}
		})
	}
}

// each calls visit for what is reached in a node.
func (f *flow) each(n *thread.Node, visit func(in cir.Located, p Phase)) {
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
func (f *flow) walk(n *thread.Node, first Phase, visit func(in cir.Located, p Phase)) {
	begin := map[*cir.Block]Phase{n.Fn.Blocks[0]: first}
	for work := []*cir.Block{n.Fn.Blocks[0]}; len(work) > 0; work = work[1:] {
		b := work[0]
		p := begin[b]
		for _, in := range b.Instrs {
			p = f.after(n, in, p)
		}
		if p.empty() {
			continue
		}
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			old, known := begin[to]
			if !known {
				old = nothing
			}
			if next := old.or(p); !known || next != old {
				begin[to] = next
				work = append(work, to)
			}
		})
	}
	for _, b := range n.Fn.Blocks {
		p, reached := begin[b]
		if !reached {
			continue
		}
		for _, in := range b.Instrs {
			if p.empty() {
				break
			}
			visit(in, p)
			p = f.after(n, in, p)
		}
		if !p.empty() {
			visit(b.Term, p)
		}
	}
}

// after returns how often the thread has waited after an instruction.
func (f *flow) after(n *thread.Node, in cir.Instr, p Phase) Phase {
	call, ok := in.(*cir.Call)
	if !ok {
		return p
	}
	if f.b.waits[n][in] {
		return p.plus(exactly(1))
	}
	to := f.threads.Calls(f.t, n, call)
	sum, some := nothing, false
	for _, c := range to {
		if f.effect[c] {
			sum, some = sum.or(f.sum[c]), true
		} else {
			sum = sum.or(Phase{})
		}
	}
	if !some {
		return p
	}
	return p.plus(sum)
}

// at returns in which phases the thread runs the instructions of a node.
func (f *flow) at(n *thread.Node) func(in cir.Located) Phase {
	if !f.known[n] {
		return func(cir.Located) Phase { return anything }
	}
	if !f.effect[n] {
		p := f.entry[n]
		return func(cir.Located) Phase { return p }
	}
	of := map[cir.Located]Phase{}
	f.each(n, func(in cir.Located, p Phase) { of[in] = p })
	return func(in cir.Located) Phase {
		if p, ok := of[in]; ok {
			return p
		}
		return anything
	}
}
