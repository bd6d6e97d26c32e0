package memory

import (
	"fmt"
	"slices"
	"strings"

	"comus/cir"
)

// instruction is one of a litmus program. Its kind is R, W, F or U, an addition that returns the old value.
type instruction struct {
	kind  byte
	loc   uint64
	value uint64 // written or added
	into  string // the register
	order cir.Order
}

// program is the instructions of each thread. All locations begin with 0.
type program [][]instruction

func w(loc byte, value uint64, o cir.Order) instruction {
	return instruction{kind: 'W', loc: uint64(loc), value: value, order: o}
}
func r(into string, loc byte, o cir.Order) instruction {
	return instruction{kind: 'R', loc: uint64(loc), into: into, order: o}
}
func u(into string, loc byte, value uint64, o cir.Order) instruction {
	return instruction{kind: 'U', loc: uint64(loc), into: into, value: value, order: o}
}
func f(o cir.Order) instruction { return instruction{kind: 'F', order: o} }

// candidate is a graph of a program, consistent or not.
type candidate struct {
	*Graph
	instruction []int // which instruction an event is of, counted from the initial writes on, as litmus.py does
	of          program
}

// candidates calls visit with all candidates: each read reads from any write, the writes are in any order. The graph is visit's until it returns.
func (p program) candidates(visit func(*candidate)) {
	c := &candidate{Graph: &Graph{MO: map[uint64][]int{}}, of: p}
	emit := func(e Event, number int) {
		c.Events, c.RF, c.instruction = append(c.Events, e), append(c.RF, -1), append(c.instruction, number)
	}
	var locs []uint64
	for _, thread := range p {
		for _, in := range thread {
			if in.kind != 'F' && !slices.Contains(locs, in.loc) {
				locs = append(locs, in.loc)
			}
		}
	}
	slices.Sort(locs)
	for k, l := range locs {
		emit(Event{Thread: -1, Kind: Write, Loc: l}, k)
	}
	number := len(locs)
	for t, thread := range p {
		for _, in := range thread {
			e := Event{Thread: t, Loc: in.loc, Order: in.order, Exclusive: in.kind == 'U'}
			switch in.kind {
			case 'F':
				e.Kind, e.Loc = Fence, 0
			case 'W':
				e.Kind = Write
			default:
				e.Kind = Read
			}
			emit(e, number)
			if e.Exclusive {
				e.Kind = Write
				emit(e, number)
			}
			number++
		}
	}
	c.reads(0, func() { c.orders(locs, func() { visit(c) }) })
}

// reads lets the reads from event i on read from whatever they can.
func (c *candidate) reads(i int, then func()) {
	switch {
	case i == len(c.Events):
		then()
	case c.Events[i].Kind != Read:
		c.reads(i+1, then)
	default:
		for j, e := range c.Events {
			if e.Kind == Write && e.Loc == c.Events[i].Loc && c.instruction[i] != c.instruction[j] {
				c.RF[i] = j
				c.reads(i+1, then)
			}
		}
	}
}

// orders brings the writes to some locations into all orders.
func (c *candidate) orders(locs []uint64, then func()) {
	if len(locs) == 0 {
		then()
		return
	}
	var writes []int
	for i, e := range c.Events {
		if e.Kind == Write && e.Loc == locs[0] {
			writes = append(writes, i)
		}
	}
	permute(writes, 1, func() {
		c.MO[locs[0]] = writes
		c.orders(locs[1:], then)
	})
}

// permute brings x[from:] into all orders.
func permute(x []int, from int, then func()) {
	if from >= len(x) {
		then()
		return
	}
	for i := from; i < len(x); i++ {
		x[from], x[i] = x[i], x[from]
		permute(x, from+1, then)
		x[from], x[i] = x[i], x[from]
	}
}

// outcome returns the values of registers and, at the end, of locations; false if values depend on themselves.
func (c *candidate) outcome() (map[string]uint64, bool) {
	var instructions []instruction
	for _, thread := range c.of {
		instructions = append(instructions, thread...)
	}
	initial := c.instruction[len(c.instruction)-1] + 1 - len(instructions)
	var written, read func(i, depth int) uint64
	cyclic := false
	read = func(i, depth int) uint64 {
		if depth > len(c.Events) {
			cyclic = true
			return 0
		}
		return written(c.RF[i], depth+1)
	}
	written = func(i, depth int) uint64 {
		if c.Events[i].Thread < 0 {
			return 0
		}
		v := instructions[c.instruction[i]-initial].value
		if c.Events[i].Exclusive {
			v += read(i-1, depth)
		}
		return v
	}
	values := map[string]uint64{}
	for i, e := range c.Events {
		if e.Kind == Read {
			values[instructions[c.instruction[i]-initial].into] = read(i, 0)
		}
	}
	for l, writes := range c.MO {
		values[string(rune(l))] = written(writes[len(writes)-1], 0)
	}
	return values, !cyclic
}

// signature names a candidate by what litmus.py knows of it: who reads from whom, and the orders of writes.
func (c *candidate) signature() string {
	var b strings.Builder
	for i, from := range c.RF {
		if from >= 0 {
			fmt.Fprintf(&b, "%d<%d ", c.instruction[i], c.instruction[from])
		}
	}
	for l := uint64('a'); l <= 'z'; l++ {
		for _, i := range c.MO[l] {
			fmt.Fprintf(&b, "%d ", c.instruction[i])
		}
	}
	return b.String()
}
