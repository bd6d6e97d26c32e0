package bdd

import (
	"context"
	"errors"
	"math/rand"
	"testing"
)

// vars is the number of variables of the tests; a function of them is a table of
// 1<<vars bits.
const vars = 6

// table is a function as the list of its values.
type table uint64

// pair is a function in both forms.
type pair struct {
	n Node
	t table
}

// build makes a table from a function of vectors.
func build(f func(i int) bool) (t table) {
	for i := range 1 << vars {
		if f(i) {
			t |= 1 << i
		}
	}
	return t
}

func (t table) at(i int) bool { return t>>i&1 == 1 }

// same compares a diagram with a table.
func same(m *Manager, n Node, t table) bool {
	return t == build(func(i int) bool { return m.Eval(n, func(v int) bool { return i>>v&1 == 1 }) })
}

// TestOperations compares all operations with tables, on random functions.
func TestOperations(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	m := New(context.Background(), 0)
	pool := []pair{{False, 0}, {True, ^table(0)}}
	for v := range vars {
		pool = append(pool, pair{m.Var(v), build(func(i int) bool { return i>>v&1 == 1 })})
	}
	for step := range 20000 {
		a, b, c := pool[r.Intn(len(pool))], pool[r.Intn(len(pool))], pool[r.Intn(len(pool))]
		var got pair
		op := r.Intn(8)
		switch op {
		case 0:
			got = pair{m.And(a.n, b.n), a.t & b.t}
		case 1:
			got = pair{m.Or(a.n, b.n), a.t | b.t}
		case 2:
			got = pair{m.Xor(a.n, b.n), a.t ^ b.t}
		case 3:
			got = pair{m.Not(a.n), ^a.t}
		case 4:
			got = pair{m.Ite(a.n, b.n, c.n), a.t&b.t | ^a.t&c.t}
		case 5:
			got = quantified(m, r, a, b)
		case 6:
			got = renamed(m, r, a)
		case 7:
			got = pair{m.Minus(a.n, b.n), a.t &^ b.t}
		}
		if !same(m, got.n, got.t) {
			t.Fatalf("step %d: operation %d is wrong", step, op)
		}
		if len(pool) < 200 {
			pool = append(pool, got)
		} else {
			pool[2+vars+r.Intn(len(pool)-2-vars)] = got
		}
	}
	for i, a := range pool {
		for _, b := range pool[:i] {
			if (a.n == b.n) != (a.t == b.t) {
				t.Fatal("equal functions are different nodes, or the reverse")
			}
		}
	}
}

// quantified removes a random set of variables from a conjunction.
func quantified(m *Manager, r *rand.Rand, a, b pair) pair {
	set := r.Intn(1 << vars)
	var list []int
	for v := range vars {
		if set>>v&1 == 1 {
			list = append(list, v)
		}
	}
	return pair{m.AndExists(a.n, b.n, m.Set(list...)), build(func(i int) bool {
		for j := range 1 << vars {
			if j&^set == i&^set && (a.t & b.t).at(j) {
				return true
			}
		}
		return false
	})}
}

// renamed permutes the variables.
func renamed(m *Manager, r *rand.Rand, a pair) pair {
	to := r.Perm(vars)
	return pair{m.Replace(a.n, m.Rename([]int{0, 1, 2, 3, 4, 5}, to)), build(func(i int) bool {
		j := 0
		for v := range vars {
			j |= i >> to[v] & 1 << v
		}
		return a.t.at(j)
	})}
}

// TestPick finds a member of random sets.
func TestPick(t *testing.T) {
	m := New(context.Background(), 0)
	x, y, z := m.Var(0), m.Var(1), m.Var(2)
	for _, a := range []Node{x, m.Not(x), m.And(x, m.Not(y)), m.Xor(x, m.Xor(y, z)), True, m.Or(x, z)} {
		if p := m.Pick(a); !m.Eval(a, func(v int) bool { return p[v] }) {
			t.Errorf("%v is not in the set", p)
		}
	}
}

// TestLimits gives up at a number of nodes and when the context ends.
func TestLimits(t *testing.T) {
	grow := func(m *Manager) error {
		return Do(func() error {
			n := False
			for v := range 24 { // in the worst order
				n = m.Or(n, m.And(m.Var(v), m.Var(v+24)))
			}
			return nil
		})
	}
	var limit *LimitError
	if err := grow(New(context.Background(), 1000)); !errors.As(err, &limit) {
		t.Errorf("1000 nodes: %v", err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	reason := errors.New("stopped")
	cancel(reason)
	if err := grow(New(ctx, 0)); !errors.Is(err, reason) {
		t.Errorf("ended context: %v", err)
	}
}
