package machine_test

import (
	"fmt"
	"slices"
	"strings"

	"comus/cir"
	"comus/memory"
	. "comus/memory/machine"
)

// judge enumerates all candidate executions of a program, and asks the axioms about each. It shares no code with the machines: what a thread does is found out for all values that its reads may have,
// then reads are given writes of these values, and the writes all orders. There are no loops.
type judge struct {
	Program
	domain [MaxLocations][]uint64 // what values a location may have
	traces [][]trace              // of each thread
	grown  bool                   // in the last round
	left   int                    // how many more candidates are looked at
	visit  func(*memory.Graph, [][Registers]uint64)
}

// trace is what a thread may do: its events, those that begin other threads or wait for them, and its registers at the end.
type trace struct {
	events    []memory.Event
	spawns    map[int]int // thread to event
	joins     [][2]int    // event, thread
	registers [Registers]uint64
}

// candidates calls visit with all candidate executions; it reports whether there were at most so many of them.
func candidates(p Program, most int, visit func(*memory.Graph, [][Registers]uint64)) bool {
	j := &judge{Program: p, left: most, visit: visit}
	for l := range j.domain {
		j.domain[l] = []uint64{0}
	}
	writes := 0 // at most: no value comes about by a longer way
	for _, thread := range p {
		for _, in := range thread {
			if in.Op != Load && in.Op < Fence {
				writes++
			}
		}
	}
	for range writes + 1 {
		j.grown, j.traces = false, nil
		for t := range p {
			x := trace{spawns: map[int]int{}}
			j.traces = append(j.traces, nil)
			if j.spawned(t) {
				x.events = []memory.Event{{Thread: t, Kind: memory.Other}}
			}
			j.run(t, 0, x)
		}
		if !j.grown || j.left == 0 {
			break
		}
	}
	ways := 1
	for _, traces := range j.traces {
		if ways *= len(traces); ways > 10*most { // most of these have no writes to read from
			return false
		}
	}
	j.choose(nil)
	return j.left > 0
}

func (j *judge) spawned(t int) bool {
	return slices.ContainsFunc(j.Program[0], func(in Instruction) bool { return in.Op == Spawn && in.Thread == t })
}

// run collects the traces of a thread that go on with an instruction.
func (j *judge) run(t, pc int, x trace) {
	if n := len(x.events); n > 0 && x.events[n-1].Kind == memory.Write {
		if e := x.events[n-1]; !slices.Contains(j.domain[e.Loc], e.Value) {
			j.domain[e.Loc] = append(j.domain[e.Loc], e.Value)
			j.grown = true
		}
	}
	if len(j.traces[t]) > j.left || len(x.events) > MaxEvents {
		j.left = 0
		return
	}
	if pc >= len(j.Program[t]) {
		if j.spawned(t) {
			x.events = append(slices.Clip(x.events), memory.Event{Thread: t, Kind: memory.Other})
		}
		j.traces[t] = append(j.traces[t], x)
		return
	}
	in := j.Program[t][pc]
	of := func(v Value) uint64 { return x.registers[v.Register] + v.Plus }
	e := memory.Event{Thread: t, Loc: uint64(in.Loc), Order: in.Order}
	switch in.Op {
	case Jump:
		if of(in.Value) == of(in.Expected) {
			pc += in.Skip
		}
		j.run(t, pc+1, x)
		return
	case Fence:
		e.Kind, e.Loc = memory.Fence, 0
	case Spawn, Join:
		e = memory.Event{Thread: t, Kind: memory.Other}
		if in.Op == Join {
			x.joins = append(slices.Clip(x.joins), [2]int{len(x.events), in.Thread})
		} else {
			spawns := map[int]int{in.Thread: len(x.events)}
			for child, at := range x.spawns {
				spawns[child] = at
			}
			x.spawns = spawns
		}
	case Store:
		e.Kind, e.Value = memory.Write, of(in.Value)
	default:
		for _, v := range j.domain[in.Loc] {
			if in.Await && v != of(in.Expected) {
				continue
			}
			j.run(t, pc+1, x.reading(in, e, v))
		}
		return
	}
	x.events = append(slices.Clip(x.events), e)
	j.run(t, pc+1, x)
}

// reading returns a trace behind an instruction that reads a value.
func (x trace) reading(in Instruction, e memory.Event, v uint64) trace {
	of := func(v Value) uint64 { return x.registers[v.Register] + v.Plus }
	e.Kind, e.Value, e.Exclusive = memory.Read, v, in.Op != Load
	written := of(in.Value)
	switch {
	case in.Op == Add:
		written += v
	case in.Op == CompareExchange && v != of(in.Expected):
		e.Exclusive, e.Full, e.Order = false, true, in.Failure
	}
	x.events = append(slices.Clip(x.events), e)
	if e.Exclusive {
		e.Kind, e.Value = memory.Write, written
		x.events = append(x.events, e)
	}
	if in.Into > 0 {
		x.registers[in.Into] = v
	}
	return x
}

// choose picks a trace of each thread.
func (j *judge) choose(of []trace) {
	if len(of) < len(j.Program) {
		for _, x := range j.traces[len(of)] {
			if j.left > 0 {
				j.choose(append(slices.Clip(of), x))
			}
		}
		return
	}
	g := &memory.Graph{MO: map[uint64][]int{}}
	for l := range MaxLocations {
		g.Events = append(g.Events, memory.Event{Thread: -1, Kind: memory.Write, Loc: uint64(l), Order: cir.Plain})
	}
	var first []int
	var registers [][Registers]uint64
	for _, x := range of {
		first = append(first, len(g.Events))
		g.Events = append(g.Events, x.events...)
		registers = append(registers, x.registers)
	}
	first = append(first, len(g.Events))
	for t, x := range of {
		for child, at := range x.spawns {
			g.Sync = append(g.Sync, [2]int{first[t] + at, first[child]})
		}
		for _, join := range x.joins {
			g.Sync = append(g.Sync, [2]int{first[join[1]+1] - 1, first[t] + join[0]})
		}
	}
	slices.SortFunc(g.Sync, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	for i, e := range g.Events {
		g.RF = append(g.RF, -1)
		if e.Kind == memory.Write {
			g.MO[e.Loc] = append(g.MO[e.Loc], i)
		}
	}
	j.readFrom(g, 0, func() {
		j.permute(g, 0, 1, func() {
			j.left--
			j.visit(g, registers)
		})
	})
}

// readFrom gives the reads from event i on writes of their values.
func (j *judge) readFrom(g *memory.Graph, i int, then func()) {
	for i < len(g.Events) && g.Events[i].Kind != memory.Read {
		i++
	}
	if i == len(g.Events) {
		then()
		return
	}
	for w, e := range g.Events {
		if j.left > 0 && e.Kind == memory.Write && e.Loc == g.Events[i].Loc && e.Value == g.Events[i].Value && !(w == i+1 && g.Events[i].Exclusive) {
			g.RF[i] = w
			j.readFrom(g, i+1, then)
		}
	}
}

// permute brings the writes to a location, from a place on, and those to later ones into all orders.
func (j *judge) permute(g *memory.Graph, loc uint64, from int, then func()) {
	if loc == MaxLocations {
		then()
		return
	}
	x := g.MO[loc]
	if from >= len(x) {
		j.permute(g, loc+1, 1, then)
		return
	}
	for i := from; i < len(x) && j.left > 0; i++ {
		x[from], x[i] = x[i], x[from]
		j.permute(g, loc, from+1, then)
		x[from], x[i] = x[i], x[from]
	}
}

// name tells a graph with its registers from all others of the program.
func name(g *memory.Graph, registers [][Registers]uint64) string {
	var b strings.Builder
	for i, e := range g.Events {
		fmt.Fprintf(&b, "%d: T%d %v %c=%d %v", i, e.Thread, e.Kind, "wxyz"[e.Loc], e.Value, e.Order)
		if e.Exclusive {
			b.WriteString(" exclusive")
		}
		if e.Full {
			b.WriteString(" full")
		}
		if g.RF[i] >= 0 {
			fmt.Fprintf(&b, " from %d", g.RF[i])
		}
		b.WriteByte('\n')
	}
	for l := range uint64(MaxLocations) {
		fmt.Fprintf(&b, "mo %c %v\n", "wxyz"[l], g.MO[l])
	}
	fmt.Fprintln(&b, "sync", g.Sync, "registers", registers)
	return b.String()
}
