package specialise

import (
	"slices"

	"comus/cir"
)

// shape is the control flow of a function, as blocks are visited: in an order in which what leads to a block
// comes before it, loops as items of their own.
type shape struct {
	items   []item
	liveIn  []map[int]bool // of each block: the registers needed there or later
	lastUse []map[int]int  // of each block: the instruction after which a register is not needed any more
	preds   []int
	liveOut []map[int]bool
	begun   map[*cir.Local]int // at how many places the life of a local of a block begins
}

// item is a block, or a loop.
type item struct {
	block *cir.Block
	loop  *loop
}

// loop is a strongly connected part of the control flow. All that leads in leads to head, unless it is
// irreducible.
type loop struct {
	head    *cir.Block
	blocks  map[*cir.Block]bool
	list    []*cir.Block
	items   []item // the blocks but for the jumps back to head; head first
	entries []*cir.Block
}

// shapeOf analyses a function's control flow.
func shapeOf(f *cir.Func) *shape {
	s := &shape{preds: make([]int, len(f.Blocks)), begun: map[*cir.Local]int{}}
	all := map[*cir.Block]bool{}
	reach(f.Blocks[0], all)
	for b := range all {
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) { s.preds[to.Index]++ })
		for _, in := range b.Instrs {
			if x, ok := in.(*cir.LifeStart); ok {
				s.begun[x.Local]++
			}
		}
	}
	s.items = order([]*cir.Block{f.Blocks[0]}, all, nil)
	s.liveness(f, all)
	return s
}

func reach(b *cir.Block, seen map[*cir.Block]bool) {
	work := []*cir.Block{b}
	seen[b] = true
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			if !seen[to] {
				seen[to] = true
				work = append(work, to)
			}
		})
	}
}

// order puts blocks in order, from some first ones on, without the jumps to cut.
func order(first []*cir.Block, in map[*cir.Block]bool, cut *cir.Block) []item {
	t := &tarjan{in: in, cut: cut, number: map[*cir.Block]int{}, low: map[*cir.Block]int{}, on: map[*cir.Block]bool{}}
	for _, b := range first {
		if t.number[b] == 0 {
			t.visit(b)
		}
	}
	slices.Reverse(t.parts)
	var items []item
	for _, part := range t.parts {
		if len(part) == 1 && !jumpsTo(part[0], part[0], cut) {
			items = append(items, item{block: part[0]})
			continue
		}
		items = append(items, item{loop: newLoop(part, first, in, cut)})
	}
	return items
}

// jumpsTo reports whether a block leads to another one by a jump that is not cut.
func jumpsTo(b, to, cut *cir.Block) bool {
	found := false
	cir.Succs(b.Term, func(s *cir.Block, _ []cir.Value) { found = found || s == to && s != cut })
	return found
}

// newLoop takes a strongly connected part apart.
func newLoop(part, first []*cir.Block, in map[*cir.Block]bool, cut *cir.Block) *loop {
	l := &loop{blocks: map[*cir.Block]bool{}, list: part}
	for _, b := range part {
		l.blocks[b] = true
	}
	entry := map[*cir.Block]bool{}
	for b := range in {
		if !l.blocks[b] {
			cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
				if l.blocks[to] && to != cut {
					entry[to] = true
				}
			})
		}
	}
	for _, b := range first {
		if l.blocks[b] {
			entry[b] = true
		}
	}
	for _, b := range part {
		if entry[b] {
			l.entries = append(l.entries, b)
		}
	}
	slices.SortFunc(l.entries, func(x, y *cir.Block) int { return x.Index - y.Index })
	l.head = l.entries[0]
	if len(l.entries) == 1 {
		l.items = order(l.entries, l.blocks, l.head)
	}
	return l
}

// tarjan finds strongly connected parts, in reverse topological order.
type tarjan struct {
	in     map[*cir.Block]bool
	cut    *cir.Block
	number map[*cir.Block]int
	low    map[*cir.Block]int
	on     map[*cir.Block]bool
	stack  []*cir.Block
	parts  [][]*cir.Block
	count  int
}

func (t *tarjan) visit(b *cir.Block) {
	t.count++
	t.number[b], t.low[b] = t.count, t.count
	t.stack = append(t.stack, b)
	t.on[b] = true
	cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
		switch {
		case !t.in[to] || to == t.cut:
		case t.number[to] == 0:
			t.visit(to)
			t.low[b] = min(t.low[b], t.low[to])
		case t.on[to]:
			t.low[b] = min(t.low[b], t.number[to])
		}
	})
	if t.low[b] != t.number[b] {
		return
	}
	var part []*cir.Block
	for {
		x := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		t.on[x] = false
		part = append(part, x)
		if x == b {
			break
		}
	}
	t.parts = append(t.parts, part)
}

// liveness finds out where registers are needed.
func (s *shape) liveness(f *cir.Func, all map[*cir.Block]bool) {
	n := len(f.Blocks)
	s.liveIn, s.liveOut, s.lastUse = make([]map[int]bool, n), make([]map[int]bool, n), make([]map[int]int, n)
	for i := range n {
		s.liveIn[i], s.liveOut[i] = map[int]bool{}, map[int]bool{}
	}
	use := func(m map[int]bool) func(cir.Value) {
		return func(v cir.Value) {
			if r, ok := v.(*cir.Reg); ok {
				m[r.Index] = true
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for i := n - 1; i >= 0; i-- {
			b := f.Blocks[i]
			if !all[b] {
				continue
			}
			cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
				for r := range s.liveIn[to.Index] {
					s.liveOut[i][r] = true
				}
			})
			live := map[int]bool{}
			for r := range s.liveOut[i] {
				live[r] = true
			}
			cir.TermOperands(b.Term, use(live))
			for k := len(b.Instrs) - 1; k >= 0; k-- {
				for _, r := range cir.Results(b.Instrs[k]) {
					delete(live, r.Index)
				}
				cir.Operands(b.Instrs[k], use(live))
			}
			for _, p := range b.Params {
				delete(live, p.Index)
			}
			if len(live) > len(s.liveIn[i]) {
				s.liveIn[i], changed = live, true
			}
		}
	}
	for i, b := range f.Blocks {
		s.lastUse[i] = map[int]int{}
		if !all[b] {
			continue
		}
		for k, in := range b.Instrs {
			for _, r := range cir.Results(in) {
				s.lastUse[i][r.Index] = k
			}
			cir.Operands(in, func(v cir.Value) {
				if r, ok := v.(*cir.Reg); ok {
					s.lastUse[i][r.Index] = k
				}
			})
		}
		keep := map[int]bool{}
		for r := range s.liveOut[i] {
			keep[r] = true
		}
		cir.TermOperands(b.Term, use(keep))
		for r := range keep {
			delete(s.lastUse[i], r)
		}
	}
}
