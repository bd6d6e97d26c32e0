// Package bdd has binary decision diagrams: sets of Boolean vectors as shared,
// reduced graphs. It is small on purpose: what boolprog/cba needs, no dynamic
// order of variables and no garbage collection. The diagrams of one analysis live
// in one Manager and go away with it.
//
// Why not a library: the one in Go that is kept (dalzilio/rudd) counts references
// without a lock while finalizers decrement them, and stops counting at 1023 though
// the finalizers go on; a node in use can be freed and used again, so that a result
// is silently wrong.
package bdd

import (
	"context"
	"fmt"
	"math"
)

// Node is a diagram. Two nodes of one Manager are equal exactly if they are the
// same function.
type Node int32

// The constant functions.
const (
	False Node = 0
	True  Node = 1
)

// node is an inner node: the function is high where the variable is true, low
// where it is false.
type node struct {
	level     int32 // of its variable; variables nearer to the root are smaller
	low, high Node
}

// terminal is the level of the constants.
const terminal = math.MaxInt32

// Manager owns diagrams over a fixed order of variables 0, 1, ….
type Manager struct {
	ctx   context.Context
	limit int
	nodes []node
	table []Node // unique table: open addressing, 0 is free
	cache []entry
	maps  int // number of renamings made
	work  uint
}

// entry is a line of the cache of results; op 0 is a free line.
type entry struct {
	op      int32
	a, b, c Node
	result  Node
}

// The operations in the cache; renamings have numbers from opRename on.
const (
	opAnd = iota + 1
	opOr
	opXor
	opIte
	opAndExists
	opRename
)

// LimitError is the reason why an operation was given up.
type LimitError struct{ Reason error }

// Error returns the reason.
func (e *LimitError) Error() string { return e.Reason.Error() }

// Unwrap returns the reason.
func (e *LimitError) Unwrap() error { return e.Reason }

// New returns a manager whose operations are given up when ctx ends or when there
// are more than limit nodes (0: no limit): they panic with a *LimitError, see Do.
func New(ctx context.Context, limit int) *Manager {
	if limit <= 0 || limit > math.MaxInt32-1 {
		limit = math.MaxInt32 - 1
	}
	m := &Manager{ctx: ctx, limit: limit, nodes: make([]node, 2, 1<<12), table: make([]Node, 1<<13), cache: make([]entry, 1<<14)}
	m.nodes[0] = node{terminal, 0, 0}
	m.nodes[1] = node{terminal, 1, 1}
	return m
}

// Do runs f and returns the error of an operation of it that was given up.
func Do(f func() error) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *LimitError:
			err = r
		default:
			panic(r)
		}
	}()
	return f()
}

// Nodes returns how many nodes there are.
func (m *Manager) Nodes() int { return len(m.nodes) }

// Const returns True or False.
func Const(v bool) Node {
	if v {
		return True
	}
	return False
}

// Var returns the function that is the variable v.
func (m *Manager) Var(v int) Node { return m.mk(int32(v), False, True) }

// Literal returns the variable v or its negation.
func (m *Manager) Literal(v int, value bool) Node {
	if value {
		return m.mk(int32(v), False, True)
	}
	return m.mk(int32(v), True, False)
}

// hash mixes three numbers.
func hash(a, b, c uint32) uint32 {
	h := uint64(a)*0x9E3779B97F4A7C15 ^ uint64(b)*0xC2B2AE3D27D4EB4F ^ uint64(c)*0x165667B19E3779F9
	h ^= h >> 29
	h *= 0xBF58476D1CE4E5B9
	return uint32(h >> 32)
}

// mk returns the node with these parts, which are below the level.
func (m *Manager) mk(level int32, low, high Node) Node {
	if low == high {
		return low
	}
	mask := uint32(len(m.table) - 1)
	i := hash(uint32(level), uint32(low), uint32(high)) & mask
	for m.table[i] != 0 {
		if n := m.nodes[m.table[i]]; n.level == level && n.low == low && n.high == high {
			return m.table[i]
		}
		i = (i + 1) & mask
	}
	if len(m.nodes) >= m.limit {
		panic(&LimitError{fmt.Errorf("more than %d BDD nodes needed", m.limit)})
	}
	if m.work++; m.work&0xFFF == 0 && m.ctx.Err() != nil {
		panic(&LimitError{context.Cause(m.ctx)})
	}
	n := Node(len(m.nodes))
	m.nodes = append(m.nodes, node{level, low, high})
	m.table[i] = n
	if 2*len(m.nodes) > len(m.table) {
		m.grow()
	}
	return n
}

// grow doubles the unique table, and the cache up to a size.
func (m *Manager) grow() {
	m.table = make([]Node, 2*len(m.table))
	mask := uint32(len(m.table) - 1)
	for n := 2; n < len(m.nodes); n++ {
		p := m.nodes[n]
		i := hash(uint32(p.level), uint32(p.low), uint32(p.high)) & mask
		for m.table[i] != 0 {
			i = (i + 1) & mask
		}
		m.table[i] = Node(n)
	}
	if len(m.cache) < 1<<22 && len(m.cache) < len(m.table) {
		m.cache = make([]entry, 2*len(m.cache)) // only results are lost
	}
}

// line returns the line of the cache for an operation.
func (m *Manager) line(op int32, a, b, c Node) int {
	h := hash(uint32(op)^uint32(c)<<7, uint32(a), uint32(b)^uint32(c)*31)
	return int(h & uint32(len(m.cache)-1))
}

// cached looks a result up.
func (m *Manager) cached(op int32, a, b, c Node) (Node, bool) {
	e := &m.cache[m.line(op, a, b, c)]
	return e.result, e.op == op && e.a == a && e.b == b && e.c == c
}

// store remembers a result and returns it.
func (m *Manager) store(op int32, a, b, c, result Node) Node {
	m.cache[m.line(op, a, b, c)] = entry{op, a, b, c, result}
	return result
}

// cofactors returns the two parts of n at a level.
func (m *Manager) cofactors(n Node, level int32) (low, high Node) {
	if p := &m.nodes[n]; p.level == level {
		return p.low, p.high
	}
	return n, n
}
