// Package solve solves systems of constraints with side effects, the kind that analyses of whole programs are.
//
// An unknown is a place that something is to be found out about: a block of a function in a context, a cell of memory that threads
// share. Evaluating an unknown with what is known of it contributes to others ([Env.Add]), and may ask for what is known of others
// ([Env.Get]); which ones it turns out to be, the evaluation decides as it goes. So only what can be reached from the first unknown
// is ever looked at. A solution gives each unknown at least all that is contributed to it (Seidl and Vogler's side-effecting systems).
//
// [Solve] gets there in three phases. First values grow, and those that keep growing are widened, so that this ends. Then they are
// computed anew from what is contributed last, a bounded number of times, which takes back some of what widening gave away. This second phase
// may go wrong where contributions are not monotonic; therefore in the third one everything is evaluated again, and values
// grow until each is at least all that is contributed: whatever the first two did, what is returned is a solution.
package solve

import (
	"cmp"
	"container/heap"
	"context"
	"slices"
)

// System is a system of constraints. Join and Widen do not change their operands.
type System[U comparable, D any] interface {
	// Bottom is what is known of an unknown to which nothing was contributed.
	Bottom() D
	// Join returns what covers both; changed tells whether that is more than old.
	Join(old, add D) (d D, changed bool)
	// Widen returns what covers old and next, where next was joined of old and more, so that a chain of them ends. times counts how
	// often the unknown has grown.
	Widen(u U, old, next D, times int) D
	// Order says which of the unknowns that wait is evaluated first: that with the least.
	Order(u U) int64
	// Eval evaluates an unknown of which v is known.
	// Contributions of one evaluation to one unknown are joined.
	Eval(u U, v D, env *Env[U, D])
}

// Env is what an evaluation sees of the others.
type Env[U comparable, D any] struct {
	s    *Solution[U, D]
	u    *unknown[U, D]
	look bool // nothing is contributed or asked for in earnest
	adds map[*unknown[U, D]]D
	list []*unknown[U, D] // of adds, in order
}

// Solution has what is known of each unknown.
type Solution[U comparable, D any] struct {
	sys   System[U, D]
	all   map[U]*unknown[U, D]
	first *unknown[U, D]
	order []*unknown[U, D] // as they turned up
	queue queue[U, D]
	phase phase
	Evals int
}

type phase uint8

const (
	growing phase = iota
	shrinking
	closing
)

type unknown[U comparable, D any] struct {
	id      int
	u       U
	v       D
	order   int64
	at      int // in the queue; -1: it does not wait
	grown   int
	shrunk  int
	stale   bool                    // something that it asked for has changed
	from    map[*unknown[U, D]]D    // what others contributed when they were evaluated last
	to      map[*unknown[U, D]]bool // to which it contributed then
	readers map[*unknown[U, D]]bool
}

// maxShrunk bounds how often an unknown is computed anew.
const maxShrunk = 3

// Solve solves a system from its first unknown on. The error is that of ctx.
func Solve[U comparable, D any](ctx context.Context, sys System[U, D], first U) (*Solution[U, D], error) {
	s := &Solution[U, D]{sys: sys, all: map[U]*unknown[U, D]{}}
	s.first = s.of(first)
	s.push(s.first)
	if err := s.run(ctx); err != nil {
		return nil, err
	}
	for _, p := range []phase{shrinking, closing} {
		s.phase = p
		for _, u := range s.order {
			s.push(u)
		}
		if err := s.run(ctx); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *Solution[U, D]) of(u U) *unknown[U, D] {
	x := s.all[u]
	if x == nil {
		x = &unknown[U, D]{id: len(s.order), u: u, v: s.sys.Bottom(), order: s.sys.Order(u), at: -1}
		s.all[u] = x
		s.order = append(s.order, x)
	}
	return x
}

func (s *Solution[U, D]) push(x *unknown[U, D]) {
	if x.at < 0 {
		heap.Push(&s.queue, x)
	}
}

func (s *Solution[U, D]) run(ctx context.Context) error {
	for len(s.queue) > 0 {
		if s.Evals++; s.Evals%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		x := heap.Pop(&s.queue).(*unknown[U, D])
		if s.phase == shrinking && !s.shrink(x) {
			continue
		}
		env := &Env[U, D]{s: s, u: x, adds: map[*unknown[U, D]]D{}}
		s.sys.Eval(x.u, x.v, env)
		s.settle(x, env)
	}
	return ctx.Err()
}

// shrink computes what is known of an unknown anew. It reports whether the unknown is to be evaluated.
func (s *Solution[U, D]) shrink(x *unknown[U, D]) bool {
	if x.shrunk >= maxShrunk {
		return false
	}
	less := false
	if x != s.first {
		v := s.sys.Bottom()
		for _, y := range inOrder(x.from) {
			v, _ = s.sys.Join(v, x.from[y])
		}
		_, less = s.sys.Join(v, x.v)
		x.v = v
	}
	if less {
		s.wake(x)
	}
	if !less && !x.stale && x.shrunk > 0 {
		return false
	}
	x.stale = false
	x.shrunk++
	return true
}

// wake has those evaluated that asked for an unknown.
func (s *Solution[U, D]) wake(x *unknown[U, D]) {
	for r := range x.readers {
		r.stale = true
		s.push(r)
	}
}

// inOrder returns the unknowns that contributed, in the order in which they turned up.
func inOrder[U comparable, D any](from map[*unknown[U, D]]D) []*unknown[U, D] {
	list := make([]*unknown[U, D], 0, len(from))
	for y := range from {
		list = append(list, y)
	}
	slices.SortFunc(list, func(x, y *unknown[U, D]) int { return x.id - y.id })
	return list
}

// settle takes in what an evaluation contributed.
func (s *Solution[U, D]) settle(x *unknown[U, D], env *Env[U, D]) {
	for y := range x.to {
		if _, still := env.adds[y]; !still {
			delete(y.from, x)
			if s.phase == shrinking {
				s.push(y)
			}
		}
	}
	x.to = make(map[*unknown[U, D]]bool, len(env.list))
	for _, y := range env.list {
		x.to[y] = true
		if y.from == nil {
			y.from = map[*unknown[U, D]]D{}
		}
		y.from[x] = env.adds[y]
		if s.phase == shrinking {
			s.push(y)
		} else {
			s.grow(y, env.adds[y])
		}
	}
}

// grow takes in a contribution.
func (s *Solution[U, D]) grow(y *unknown[U, D], d D) {
	next, changed := s.sys.Join(y.v, d)
	if !changed {
		return
	}
	y.grown++
	y.v = s.sys.Widen(y.u, y.v, next, y.grown)
	s.push(y)
	s.wake(y)
}

// Get returns what is known of an unknown; the evaluation is repeated when that changes.
func (e *Env[U, D]) Get(u U) D {
	if e.look {
		if x := e.s.all[u]; x != nil {
			return x.v
		}
		return e.s.sys.Bottom()
	}
	x := e.s.of(u)
	if x.readers == nil {
		x.readers = map[*unknown[U, D]]bool{}
	}
	x.readers[e.u] = true
	return x.v
}

// Add contributes to an unknown.
func (e *Env[U, D]) Add(u U, d D) {
	if e.look {
		return
	}
	x := e.s.of(u)
	if old, ok := e.adds[x]; ok {
		d, _ = e.s.sys.Join(old, d)
	} else {
		e.list = append(e.list, x)
	}
	e.adds[x] = d
}

// Get returns what is known of an unknown.
func (s *Solution[U, D]) Get(u U) D {
	if x := s.all[u]; x != nil {
		return x.v
	}
	return s.sys.Bottom()
}

// Visit evaluates each unknown once more, in the order in which they turned up, without effect: for whoever wants to see what happens there.
func (s *Solution[U, D]) Visit() {
	for _, x := range s.order {
		s.sys.Eval(x.u, x.v, &Env[U, D]{s: s, u: x, look: true})
	}
}

// queue has the unknowns that wait.
type queue[U comparable, D any] []*unknown[U, D]

func (q queue[U, D]) Len() int { return len(q) }
func (q queue[U, D]) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(q[i].order, q[j].order), cmp.Compare(q[i].id, q[j].id)) < 0
}
func (q queue[U, D]) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].at, q[j].at = i, j
}

// Push is for package heap.
func (q *queue[U, D]) Push(x any) {
	u := x.(*unknown[U, D])
	u.at = len(*q)
	*q = append(*q, u)
}

// Pop is for package heap.
func (q *queue[U, D]) Pop() any {
	old := *q
	u := old[len(old)-1]
	u.at = -1
	*q = old[:len(old)-1]
	return u
}
