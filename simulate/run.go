package simulate

import (
	"context"
	"math/bits"
	"slices"

	"comus/ir/explore"
)

// run is one run; the slices are used again by the next.
type run struct {
	mode      int
	order     []int   // threads that may take steps, by priority
	at        []*node // by thread
	blocked   []int   // by thread: no step was possible with this version
	version   int     // counts the writes of shared variables
	changes   []int   // numbers of visible steps with a change of priority, ascending
	quantum   int     // steps between changes
	patience, // the steps that a thread may take in a row
	row int // those that it has taken
	last    int // thread of the last visible step
	visible int // visible steps
	// holder is the thread at an atomic location, nobody or, at the start, several.
	holder       int
	steps, bound int
	probes       int // inputs tried out
	start        []int64
	taken        []*explore.Compiled
	inputs       []int64 // of the steps taken, in order
	agree        bool    // alike threads get the same inputs
	said         []said  // with agree: by group
	given        []int64 // inputs of the step being taken
}

// The values of holder that are no thread.
const (
	nobody  = -1
	several = -2
)

// The ways to change the order of the threads.
const (
	toCompletion = iota
	priorities
	random
	roundRobin
	modes
)

// begin draws what is fixed for a run, and sets the initial state.
func (s *Simulator) begin() {
	r, n := &s.run, len(s.entries)
	r.mode = s.stats.Runs % modes
	r.bound = min(maxRunSteps, s.base<<min(16, 3*bits.TrailingZeros(uint(s.stats.Runs/modes+1))))
	r.order = r.order[:0]
	r.order = append(r.order, s.rng.Perm(n)...)
	if where := s.rng.IntN(4); where < 2 { // threads with assertions last, or first
		slices.SortStableFunc(r.order, func(a, b int) int {
			if s.asserts[a] == s.asserts[b] {
				return 0
			}
			if s.asserts[a] == (where == 1) {
				return -1
			}
			return 1
		})
	}
	r.at, r.blocked = r.at[:0], r.blocked[:0]
	r.holder = nobody
	for t, entry := range s.entries {
		r.at = append(r.at, entry)
		r.blocked = append(r.blocked, -1)
		if entry.loc.Atomic {
			r.holder = map[bool]int{true: t, false: several}[r.holder == nobody]
		}
	}
	r.changes = r.changes[:0]
	if r.mode == priorities {
		for range 1 + s.rng.IntN(4) {
			r.changes = append(r.changes, s.rng.IntN(max(s.length, 2)))
		}
		slices.Sort(r.changes)
	}
	r.quantum = 1 + s.rng.IntN(1<<s.rng.IntN(5))
	r.patience = 50 << s.rng.IntN(6)
	if r.agree = s.alike > 0 && s.rng.IntN(2) == 0; r.agree {
		r.said = make([]said, s.alike)
	}
	r.version, r.row, r.last, r.visible, r.steps, r.probes = 0, 0, -1, 0, 0, 0
	r.taken, r.inputs, r.start = r.taken[:0], r.inputs[:0], r.start[:0]
	copy(s.m.Values(), s.initial)
	zero := s.rng.IntN(2) == 0
	for _, v := range s.open {
		k := int64(0)
		if !zero {
			k = s.value(v.Type)
		}
		r.start = append(r.start, k)
		s.m.Values()[v.Index] = k
	}
}

// once makes one run and reports whether it reached an error location.
func (s *Simulator) once(ctx context.Context) bool {
	s.begin()
	s.stats.Runs++
	r := &s.run
	found := slices.ContainsFunc(r.at, func(n *node) bool { return n.loc.Error })
	for !found && r.steps < r.bound {
		if r.steps%4096 == 4095 && ctx.Err() != nil {
			break
		}
		t := s.next()
		if t < 0 {
			break
		}
		r.steps++
		found = r.at[t].loc.Error
	}
	s.stats.Steps += r.steps
	s.length = max(s.length, min(r.visible, 10*s.base))
	return found
}

// next lets one thread take a step and returns it; -1 if no step is possible.
func (s *Simulator) next() int {
	r := &s.run
	if t := r.holder; t != nobody {
		if t >= 0 && s.step(t) {
			return t
		}
		return -1
	}
	for i := 0; i < len(r.order); i++ {
		t := r.order[i]
		n := r.at[t]
		if len(n.out) == 0 {
			r.order = slices.Delete(r.order, i, i+1)
			i--
			continue
		}
		if r.blocked[t] == r.version {
			continue
		}
		if s.step(t) {
			s.reorder(t, i, n.visible)
			return t
		}
		r.blocked[t] = r.version
	}
	return -1
}

// step lets a thread take a step if one is possible.
func (s *Simulator) step(t int) bool {
	r := &s.run
	n := r.at[t]
	if n.input >= 0 {
		return s.inputStep(t, n)
	}
	c := s.take(n)
	if c == nil {
		return false
	}
	s.moved(t, c)
	return true
}

// take takes some possible step from a node; nil if there is none.
func (s *Simulator) take(n *node) *step {
	first := 0
	if len(n.out) > 1 {
		first = s.rng.IntN(len(n.out))
	}
	for i := range n.out {
		k := first + i
		if k >= len(n.out) {
			k -= len(n.out)
		}
		had := len(s.run.inputs)
		s.run.given = s.agreed(&n.out[k])
		if s.m.Take(n.out[k].edge, s.input) {
			return &n.out[k]
		}
		s.run.inputs = s.run.inputs[:had]
	}
	return nil
}

// moved notes a step of thread t.
func (s *Simulator) moved(t int, c *step) {
	r := &s.run
	r.at[t] = c.to
	r.taken = append(r.taken, c.edge)
	s.note(t, c)
	r.holder = nobody
	if c.to.loc.Atomic {
		r.holder = t
	}
	if c.edge.WritesShared() {
		r.version++
	}
}

// reorder changes the priorities after a step of thread t, the i-th in the order.
func (s *Simulator) reorder(t, i int, visible bool) {
	if !visible {
		return
	}
	r := &s.run
	r.visible++
	if r.last == t {
		r.row++
	} else {
		r.row, r.last = 1, t
	}
	toEnd := func() {
		copy(r.order[i:], r.order[i+1:])
		r.order[len(r.order)-1] = t
		r.row = 0
	}
	switch {
	case r.row > r.patience:
		toEnd()
	case r.mode == priorities:
		if len(r.changes) > 0 && r.changes[0] <= r.visible {
			r.changes = r.changes[1:]
			toEnd()
		}
	case r.mode == random && s.rng.IntN(r.quantum) == 0:
		k := s.rng.IntN(len(r.order))
		r.order[0], r.order[k] = r.order[k], r.order[0]
	case r.mode == roundRobin && r.row >= r.quantum:
		toEnd()
	}
}
