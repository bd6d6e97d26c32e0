package waits

import (
	"comus/cir"
	"comus/scan/pointsto"
)

// endings is the control flow of a copy to the end of its call, or of the thread: what ends the program is left out.
type endings struct {
	succs [][]int // of blocks; the number of blocks stands for the end
	live  []bool  // control may get to the end from there
	next  []int   // the next block that all ways to the end pass; -1: none
	// leaves are blocks in which a call may end the thread, and may return.
	leaves map[*cir.Block]bool
}

// endsOf returns the control flow of a copy. exits are the copies that may end the thread.
func (p *program) endsOf(c pointsto.Copy, exits map[pointsto.Copy]bool) *endings {
	n := len(c.Func.Blocks)
	e := &endings{succs: make([][]int, n+1), live: make([]bool, n+1), next: make([]int, n+1), leaves: map[*cir.Block]bool{}}
	w := &ways{program: p, returns: p.returns}
	for i, b := range c.Func.Blocks {
		if !p.pts.Comes(c.Func, b) {
			continue
		}
		through, _ := w.passes(c, b)
		leaves := p.mayExit(c, b, exits)
		_, returns := b.Term.(*cir.Return)
		if leaves || through && returns {
			e.succs[i] = append(e.succs[i], n)
		}
		if !through {
			continue
		}
		e.leaves[b] = leaves
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			if p.pts.Goes(c.Func, b, to) {
				e.succs[i] = append(e.succs[i], to.Index)
			}
		})
	}
	e.findLive()
	e.findNext()
	return e
}

// mayExit reports whether a block may end the thread.
func (p *program) mayExit(c pointsto.Copy, b *cir.Block, exits map[pointsto.Copy]bool) bool {
	for _, in := range b.Instrs {
		switch in := in.(type) {
		case *cir.Intrinsic:
			if in.Op == cir.ThreadExit {
				return true
			}
		case *cir.Call:
			x, err := p.callees(c, in)
			if err != nil {
				return true
			}
			for _, y := range x.to {
				if exits[y] {
					return true
				}
			}
		}
	}
	return false
}

// findExits finds the copies that may end the thread.
func (p *program) findExits() map[pointsto.Copy]bool {
	exits := map[pointsto.Copy]bool{}
	for changed := true; changed; {
		changed = false
		for _, c := range p.runs {
			for _, b := range c.Func.Blocks {
				if !exits[c] && p.pts.Comes(c.Func, b) && p.mayExit(c, b, exits) {
					exits[c], changed = true, true
				}
			}
		}
	}
	return exits
}

func (e *endings) findLive() {
	n := len(e.succs) - 1
	e.live[n] = true
	for changed := true; changed; {
		changed = false
		for i := range n {
			for _, k := range e.succs[i] {
				if e.live[k] && !e.live[i] {
					e.live[i], changed = true, true
				}
			}
		}
	}
}

// findNext finds immediate post-dominators: Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm, on the graph with its edges turned round.
func (e *endings) findNext() {
	n := len(e.succs) - 1
	preds := make([][]int, n+1)
	for i := range n {
		e.next[i] = -1
		for _, k := range e.succs[i] {
			if e.live[k] && e.live[i] {
				preds[k] = append(preds[k], i)
			}
		}
	}
	order := make([]int, n+1) // in which the end comes last
	var list []int
	seen := make([]bool, n+1)
	var visit func(i int)
	visit = func(i int) {
		seen[i] = true
		for _, k := range preds[i] {
			if !seen[k] {
				visit(k)
			}
		}
		order[i] = len(list)
		list = append(list, i)
	}
	visit(n)
	e.next[n] = n
	meet := func(i, k int) int {
		for i != k {
			for order[i] < order[k] {
				i = e.next[i]
			}
			for order[k] < order[i] {
				k = e.next[k]
			}
		}
		return i
	}
	for changed := true; changed; {
		changed = false
		for at := len(list) - 2; at >= 0; at-- {
			i, to := list[at], -1
			for _, k := range e.succs[i] {
				switch {
				case !e.live[k] || e.next[k] < 0:
				case to < 0:
					to = k
				default:
					to = meet(to, k)
				}
			}
			if to != e.next[i] {
				e.next[i], changed = to, true
			}
		}
	}
}

// within returns the blocks that control may get to from the end of a block on before all ways have come together again.
func (e *endings) within(b *cir.Block) map[int]bool {
	out := map[int]bool{}
	end := e.next[b.Index]
	for work := []int{b.Index}; len(work) > 0; {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		for _, k := range e.succs[i] {
			if k != end && e.live[k] && !out[k] {
				out[k] = true
				work = append(work, k)
			}
		}
	}
	return out
}
