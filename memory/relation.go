package memory

import (
	"iter"
	"math/bits"
)

// Relation is a relation of the events of a graph: a matrix of bits, one row for each event.
type Relation struct {
	n, w int // events, words in a row
	bits []uint64
}

// words returns how many words a row of n bits has.
func words(n int) int { return (n + 63) / 64 }

func newRelation(n int) Relation {
	return Relation{n, words(n), make([]uint64, n*words(n))}
}

// Has reports whether a is related to b.
func (r Relation) Has(a, b int) bool { return has(r.row(a), b) }

// Pairs returns all that are related, in order.
func (r Relation) Pairs() [][2]int {
	var all [][2]int
	for a := range r.n {
		for b := range ones(r.row(a)) {
			all = append(all, [2]int{a, b})
		}
	}
	return all
}

// ones goes over the bits of a row.
func ones(row []uint64) iter.Seq[int] {
	return func(yield func(int) bool) {
		for k, x := range row {
			for ; x != 0; x &= x - 1 {
				if !yield(k<<6 + bits.TrailingZeros64(x)) {
					return
				}
			}
		}
	}
}

func (r Relation) row(a int) []uint64 { return r.bits[a*r.w : (a+1)*r.w : (a+1)*r.w] }

func (r Relation) add(a, b int) { set(r.row(a), b) }

func has(row []uint64, i int) bool { return row[i>>6]>>(i&63)&1 != 0 }
func set(row []uint64, i int)      { row[i>>6] |= 1 << (i & 63) }
func unset(row []uint64, i int)    { row[i>>6] &^= 1 << (i & 63) }

// or adds from to row.
func or(row, from []uint64) {
	for k, x := range from {
		row[k] |= x
	}
}

// meet reports whether two rows have a bit in common.
func meet(a, b []uint64) bool {
	for k, x := range a {
		if x&b[k] != 0 {
			return true
		}
	}
	return false
}

// without removes what is in not.
func without(row, not []uint64) {
	for k, x := range not {
		row[k] &^= x
	}
}

// both sets row to what is in both.
func both(row, a, b []uint64) {
	for k := range row {
		row[k] = a[k] & b[k]
	}
}

// previous returns the last bit of a row below i; -1 if there is none.
func previous(row []uint64, i int) int {
	k := i >> 6
	if x := row[k] & (1<<(i&63) - 1); x != 0 {
		return k<<6 + bits.Len64(x) - 1
	}
	return highest(row[:k])
}

// highest returns the last bit of a row; -1 if there is none.
func highest(row []uint64) int {
	for k := len(row) - 1; k >= 0; k-- {
		if row[k] != 0 {
			return k<<6 + bits.Len64(row[k]) - 1
		}
	}
	return -1
}

// identity relates the events with a property to themselves.
func identity(n int, property func(int) bool) Relation {
	r := newRelation(n)
	for i := range n {
		if property(i) {
			r.add(i, i)
		}
	}
	return r
}

// union returns what is in any of some relations.
func union(of ...Relation) Relation {
	r := newRelation(of[0].n)
	for _, x := range of {
		or(r.bits, x.bits)
	}
	return r
}

// seq returns the composition of relations: what leads to what by one step of each.
func seq(of ...Relation) Relation {
	r := of[0]
	for _, x := range of[1:] {
		next := newRelation(r.n)
		for a := range r.n {
			for b := range ones(r.row(a)) {
				or(next.row(a), x.row(b))
			}
		}
		r = next
	}
	return r
}

// where returns the pairs with a property.
func (r Relation) where(property func(a, b int) bool) Relation {
	s := newRelation(r.n)
	for a := range r.n {
		for b := range ones(r.row(a)) {
			if property(a, b) {
				s.add(a, b)
			}
		}
	}
	return s
}

// inverse swaps the sides.
func (r Relation) inverse() Relation {
	s := newRelation(r.n)
	for a := range r.n {
		for b := range ones(r.row(a)) {
			s.add(b, a)
		}
	}
	return s
}

// maybe is the reflexive closure.
func (r Relation) maybe() Relation {
	return union(r, identity(r.n, func(int) bool { return true }))
}

// plus is the transitive closure.
func (r Relation) plus() Relation {
	s := union(r)
	for k := range s.n {
		for a := range s.n {
			if s.Has(a, k) {
				or(s.row(a), s.row(k))
			}
		}
	}
	return s
}

// path returns a shortest way of at least one step from a to b, both included, or nil.
func (r Relation) path(a, b int) []int {
	from := make([]int, r.n) // by which event one was reached, and 1; 0: not reached
	for queue := []int{a}; len(queue) > 0; queue = queue[1:] {
		x := queue[0]
		for y := range ones(r.row(x)) {
			if from[y] != 0 {
				continue
			}
			from[y] = x + 1
			if y != b {
				queue = append(queue, y)
				continue
			}
			way := []int{b}
			for z := x; ; z = from[z] - 1 {
				way = append([]int{z}, way...)
				if z == a {
					return way
				}
			}
		}
	}
	return nil
}

// acyclic reports whether a relation has no cycle.
func (r Relation) acyclic() bool {
	state := make([]uint64, 2*r.w)
	begun, done := state[:r.w], state[r.w:]
	for i := range r.n {
		if !has(begun, i) && !r.finish(i, begun, done) {
			return false
		}
	}
	return true
}

// finish visits i and all that it leads to, depth first; false if that leads to what is not done yet, which is a cycle.
func (r Relation) finish(i int, begun, done []uint64) bool {
	set(begun, i)
	row := r.row(i)
	for k := range row {
		for {
			left := row[k] &^ done[k]
			if left == 0 {
				break
			}
			j := k<<6 + bits.TrailingZeros64(left)
			if has(begun, j) || !r.finish(j, begun, done) {
				return false
			}
		}
	}
	set(done, i)
	return true
}
