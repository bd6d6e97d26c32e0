package axiomatic

import (
	"fmt"
	"slices"
	"strings"

	"comus/ir"
	"comus/logic"
)

// node is an instance of a location outside atomic sections: with how often each loop around it was gone around.
type node struct {
	loc     *ir.Loc
	out, in []*step
	env     map[*logic.Term]*logic.Term // the values of the thread's variables there, by symbol
	// before has the nodes that lead here; head is the instance of the same location an iteration earlier, nil if there is none.
	before map[*node]bool
	head   *node
}

// step is an instance of a path of edges that nothing interrupts.
type step struct {
	from, to *node // to is nil at an error, and beyond the bounds
	edges    []*ir.Edge
	took     *logic.Term
	conds    []*logic.Term
	events   []*event
	final    map[*logic.Term]*logic.Term
	cut      bool // leads out of the bounds
}

// fails reports whether a step leads to an error location.
func (s *step) fails() bool { return s.edges[len(s.edges)-1].To.Error }

// shape is a thread, unrolled.
type shape struct {
	f      *finder
	thread *ir.Thread
	paths  map[*ir.Loc][][]*ir.Edge
	loops  []loop
	made   map[string]*node
	nodes  []*node // in topological order
	steps  []*step
	live   map[*ir.Loc]map[*ir.Var]bool
	events []*event
}

// loop is a range of locations that back edges jump within.
type loop struct{ head, end int }

// Bounds of what is made.
const (
	maxNodes  = 2000
	maxPaths  = 2000
	maxInPath = 64
)

// unroll makes the nodes and steps of a thread.
func (s *shape) unroll() error {
	s.paths, s.made = map[*ir.Loc][][]*ir.Edge{}, map[string]*node{}
	if s.thread.Entry.Atomic {
		return fmt.Errorf("thread %s begins in an atomic section", s.thread.Name)
	}
	if err := s.findPaths(); err != nil {
		return err
	}
	s.findLoops()
	s.findLive()
	s.visit(s.thread.Entry, make([]int, len(s.loops)))
	if len(s.made) > maxNodes {
		return fmt.Errorf("thread %s has too many steps", s.thread.Name)
	}
	slices.Reverse(s.nodes)
	for _, n := range s.nodes {
		n.before = map[*node]bool{}
		for _, st := range n.in {
			n.before[st.from] = true
			for m := range st.from.before {
				n.before[m] = true
			}
		}
	}
	return nil
}

// findPaths finds the paths from each location to the next ones outside atomic sections.
func (s *shape) findPaths() error {
	work, seen := []*ir.Loc{s.thread.Entry}, map[*ir.Loc]bool{s.thread.Entry: true}
	for len(work) > 0 {
		l := work[len(work)-1]
		work = work[:len(work)-1]
		var walk func(way []*ir.Edge, at *ir.Loc) error
		walk = func(way []*ir.Edge, at *ir.Loc) error {
			for _, e := range at.Out {
				next := append(slices.Clone(way), e)
				switch {
				case len(next) > maxInPath || len(s.paths[l]) > maxPaths:
					return fmt.Errorf("an atomic section of thread %s is too large", s.thread.Name)
				case e.To.Atomic && !e.To.Error:
					if err := walk(next, e.To); err != nil {
						return err
					}
				default:
					s.paths[l] = append(s.paths[l], next)
					if !e.To.Error && !seen[e.To] {
						seen[e.To] = true
						work = append(work, e.To)
					}
				}
			}
			return nil
		}
		if err := walk(nil, l); err != nil {
			return err
		}
	}
	return nil
}

// ends returns where a path leads to.
func ends(way []*ir.Edge) *ir.Loc { return way[len(way)-1].To }

// findLoops finds the ranges between the targets of back edges and their sources, made to be nested or disjoint.
func (s *shape) findLoops() {
	last := map[int]int{}
	for _, l := range s.thread.Locs {
		for _, way := range s.paths[l] {
			if to := ends(way); !to.Error && to.Index <= l.Index {
				last[to.Index] = max(last[to.Index], l.Index)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for h, e := range last {
			for h2, e2 := range last {
				if h < h2 && h2 <= e && e < e2 {
					last[h], e, changed = e2, e2, true
				}
			}
		}
	}
	for h, e := range last {
		s.loops = append(s.loops, loop{h, e})
	}
	slices.SortFunc(s.loops, func(a, b loop) int { return a.head - b.head })
}

// visit returns the instance of a location with these counts; nodes get those behind first.
func (s *shape) visit(l *ir.Loc, counts []int) *node {
	key := s.key(l, counts)
	if n := s.made[key]; n != nil {
		return n
	}
	n := &node{loc: l}
	s.made[key] = n
	for i, lp := range s.loops {
		if lp.head == l.Index && counts[i] > 0 {
			earlier := slices.Clone(counts)
			earlier[i]--
			n.head = s.made[s.key(l, earlier)]
		}
	}
	for _, way := range s.paths[l] {
		if len(s.made) > maxNodes {
			break // an error follows
		}
		st := &step{from: n, edges: way}
		if to := ends(way); !to.Error {
			if next := s.next(l, to, counts); next != nil {
				st.to = s.visit(to, next)
				st.to.in = append(st.to.in, st)
			} else {
				st.cut = true
			}
		}
		n.out = append(n.out, st)
	}
	s.nodes = append(s.nodes, n)
	return n
}

func (s *shape) key(l *ir.Loc, counts []int) string {
	var b strings.Builder
	fmt.Fprint(&b, l.Index)
	for i, lp := range s.loops {
		if lp.head <= l.Index && l.Index <= lp.end {
			fmt.Fprint(&b, " ", counts[i])
		}
	}
	return b.String()
}

// next returns the counts behind a step; nil beyond the bound.
func (s *shape) next(from, to *ir.Loc, counts []int) []int {
	next := slices.Clone(counts)
	for i, lp := range s.loops {
		switch {
		case to.Index < lp.head || to.Index > lp.end:
			next[i] = 0
		case to.Index <= from.Index && to.Index == lp.head:
			if next[i]++; next[i] > s.f.opts.Unwind {
				return nil
			}
		}
	}
	return next
}

// findLive computes which of the thread's variables may be read at each location before they are written.
func (s *shape) findLive() {
	s.live = map[*ir.Loc]map[*ir.Var]bool{}
	for _, l := range s.thread.Locs {
		s.live[l] = map[*ir.Var]bool{}
	}
	for changed := true; changed; {
		changed = false
		for _, l := range slices.Backward(s.thread.Locs) {
			for _, e := range l.Out {
				written := map[*ir.Var]bool{}
				add := func(v *ir.Var) {
					if v != nil && v.Thread != ir.Shared && !written[v] && !s.live[l][v] {
						s.live[l][v], changed = true, true
					}
				}
				for _, c := range e.Cmds {
					for _, t := range c.Reads() {
						for _, sym := range logic.FreeVars(t) {
							add(s.f.tab[sym])
						}
					}
					if c.Var != nil {
						written[c.Var] = true
					}
				}
				for v := range s.live[e.To] {
					add(v)
				}
			}
		}
	}
}
