package passes

import (
	"slices"

	"comus/ir"
)

// loop is a natural loop: the locations from which the head can be reached again
// without passing it in between. Every way into the loop is through the head.
type loop struct {
	head *ir.Loc
	back []*ir.Edge // the edges from the body to the head
	body map[*ir.Loc]bool
}

// has reports whether the edge stays in the loop.
func (l *loop) has(e *ir.Edge) bool { return l.body[e.From] && l.body[e.To] }

// loops returns a thread's natural loops, one for each head, outer ones first.
func loops(t *ir.Thread) []*loop {
	g := newDominators(t)
	var out []*loop
	for _, h := range g.order {
		l := &loop{head: h}
		for _, e := range h.In {
			if g.reached(e.From) && g.dominates(h, e.From) {
				l.back = append(l.back, e)
			}
		}
		if len(l.back) > 0 {
			l.body = bodyOf(h, l.back)
			out = append(out, l)
		}
	}
	return out
}

// bodyOf returns the natural loop of back edges to head, the head included.
func bodyOf(head *ir.Loc, back []*ir.Edge) map[*ir.Loc]bool {
	body := map[*ir.Loc]bool{head: true}
	var work []*ir.Loc
	reach := func(l *ir.Loc) {
		if !body[l] {
			body[l] = true
			work = append(work, l)
		}
	}
	for _, e := range back {
		reach(e.From)
	}
	for len(work) > 0 {
		l := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range l.In {
			reach(e.From)
		}
	}
	return body
}

// dominators has the locations that every path from the entry passes (Cooper,
// Harvey and Kennedy's algorithm). The thread's locations are all reachable.
type dominators struct {
	order []*ir.Loc       // reverse postorder
	num   map[*ir.Loc]int // place in order
	idom  []int           // immediate dominator, by place
}

func newDominators(t *ir.Thread) *dominators {
	g := &dominators{num: map[*ir.Loc]int{}}
	type frame struct {
		l    *ir.Loc
		next int
	}
	seen := map[*ir.Loc]bool{t.Entry: true}
	for stack := []frame{{l: t.Entry}}; len(stack) > 0; {
		f := &stack[len(stack)-1]
		if f.next == len(f.l.Out) {
			g.order = append(g.order, f.l)
			stack = stack[:len(stack)-1]
			continue
		}
		to := f.l.Out[f.next].To
		f.next++
		if !seen[to] {
			seen[to] = true
			stack = append(stack, frame{l: to})
		}
	}
	slices.Reverse(g.order)
	for i, l := range g.order {
		g.num[l] = i
	}
	g.solve()
	return g
}

func (g *dominators) solve() {
	g.idom = make([]int, len(g.order))
	for i := range g.idom {
		g.idom[i] = -1
	}
	g.idom[0] = 0
	for changed := true; changed; {
		changed = false
		for i := 1; i < len(g.order); i++ {
			dom := -1
			for _, e := range g.order[i].In {
				j, ok := g.num[e.From]
				if !ok || g.idom[j] < 0 {
					continue
				}
				if dom < 0 {
					dom = j
				} else {
					dom = g.common(dom, j)
				}
			}
			if g.idom[i] != dom {
				g.idom[i], changed = dom, true
			}
		}
	}
}

// common returns the nearest location that dominates both.
func (g *dominators) common(i, j int) int {
	for i != j {
		for i > j {
			i = g.idom[i]
		}
		for j > i {
			j = g.idom[j]
		}
	}
	return i
}

func (g *dominators) reached(l *ir.Loc) bool {
	_, ok := g.num[l]
	return ok
}

// dominates reports whether every path to m passes l.
func (g *dominators) dominates(l, m *ir.Loc) bool {
	i, j := g.num[l], g.num[m]
	for j > i {
		j = g.idom[j]
	}
	return i == j
}
