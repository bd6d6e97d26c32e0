package machine

import (
	"slices"

	"comus/cir"
	"comus/memory"
)

// id names an event: its number in its thread, and which thread that is. The initial writes come behind all of them.
type id uint8

const initial id = MaxThreads * MaxEvents // the initial write of location 0

func (i id) thread() int { return int(i) / MaxEvents }

// local is what a thread knows by itself, and what it has done.
type local struct {
	pc        int
	registers [Registers]uint64
	began     bool // has been spawned, or need not
	ended     bool // is at its end, and all of its writes are in memory
	events    []memory.Event
	from      []id // of each read, the write that it reads from
}

// state is what machines of all models have: the threads, and the modification orders as far as they are known.
type state struct {
	program Program
	threads []local
	mo      [MaxLocations][]id
	sync    [][2]id
	bound   bool // somewhere, a thread was stopped because it had too many events
}

func newState(p Program) state {
	s := state{program: p, threads: make([]local, len(p))}
	for l := range s.mo {
		s.mo[l] = []id{initial + id(l)}
	}
	for t := range p {
		s.threads[t].began = !p.spawned(t)
		s.jump(t)
	}
	return s
}

func (s *state) clone() state {
	c := *s
	c.threads = slices.Clone(s.threads)
	for t := range c.threads { // events are only appended; the next one that two copies append need not be the same
		c.threads[t].events = slices.Clip(c.threads[t].events)
		c.threads[t].from = slices.Clip(c.threads[t].from)
	}
	for l := range c.mo {
		c.mo[l] = slices.Clip(c.mo[l])
	}
	c.sync = slices.Clip(c.sync)
	return c
}

// jump goes on to the next instruction of a thread that is an event.
func (s *state) jump(t int) {
	x := &s.threads[t]
	for steps := 0; x.pc < len(s.program[t]) && s.program[t][x.pc].Op == Jump; steps++ {
		if steps > len(s.program[t]) { // a loop without events: it has no end
			s.bound = true
			x.began = false
			return
		}
		in := s.program[t][x.pc]
		x.pc++
		if x.value(in.Value) == x.value(in.Expected) {
			x.pc += in.Skip
		}
	}
}

// next returns the next instruction of a thread that can take a step; otherwise nil.
func (s *state) next(t int) *Instruction {
	x := &s.threads[t]
	if !x.began || x.pc >= len(s.program[t]) {
		return nil
	}
	if len(x.events)+2 >= MaxEvents { // the end of a thread is an event, too
		s.bound = true
		return nil
	}
	return &s.program[t][x.pc]
}

// advance goes on behind an instruction.
func (s *state) advance(t int) {
	s.threads[t].pc++
	s.jump(t)
}

// result has an instruction that reads put the value into its register, and goes on.
func (s *state) result(t int, in *Instruction, v uint64) {
	if in.Into > 0 {
		s.threads[t].registers[in.Into] = v
	}
	s.advance(t)
}

func (x *local) value(v Value) uint64 { return x.registers[v.Register] + v.Plus }

// wants returns what an instruction that has read v writes; no if it is a load, or a comparison that fails.
func (x *local) wants(in *Instruction, v uint64) (written uint64, yes bool) {
	switch in.Op {
	case Add:
		return v + x.value(in.Value), true
	case Load:
		return 0, false
	case CompareExchange:
		return x.value(in.Value), v == x.value(in.Expected)
	}
	return x.value(in.Value), true
}

// reading returns the event of an instruction that reads v, whether it writes then or not.
func (x *local) reading(in *Instruction, v uint64) (e memory.Event, writes bool) {
	e = memory.Event{Kind: memory.Read, Loc: uint64(in.Loc), Order: in.Order, Value: v}
	_, e.Exclusive = x.wants(in, v)
	if in.Op == CompareExchange && !e.Exclusive {
		e.Order, e.Full = in.Failure, true
	}
	return e, e.Exclusive
}

// add appends an event to a thread.
func (s *state) add(t int, e memory.Event, from id) id {
	x := &s.threads[t]
	e.Thread = t
	x.events, x.from = append(x.events, e), append(x.from, from)
	return id(t*MaxEvents + len(x.events) - 1)
}

func (s *state) event(i id) *memory.Event { return &s.threads[i.thread()].events[int(i)%MaxEvents] }

// value returns what a write writes.
func (s *state) value(i id) uint64 {
	if i >= initial {
		return 0
	}
	return s.event(i).Value
}

// place returns the position of a write in modification order.
func (s *state) place(loc int, i id) int { return slices.Index(s.mo[loc], i) }

// insert puts a write into modification order at a position.
func (s *state) insert(loc, at int, i id) { s.mo[loc] = slices.Insert(slices.Clone(s.mo[loc]), at, i) }

// exclusive reports whether a write is the second half of a read-modify-write: nothing comes between it and what that reads.
func (s *state) exclusive(i id) bool { return i < initial && s.event(i).Exclusive }

// complete reports whether all threads have ended.
func (s *state) complete() bool {
	for t := range s.threads {
		if !s.threads[t].ended {
			return false
		}
	}
	return true
}

// encode appends all that there is of a state.
func (s *state) encode(b []byte) []byte {
	for t := range s.threads {
		x := &s.threads[t]
		b = append(b, byte(x.pc), byte(len(x.events)), bit(x.began)|bit(x.ended)<<1)
		for _, v := range x.registers {
			b = append(b, byte(v), byte(v>>8))
		}
		for k := range x.events {
			e := &x.events[k]
			b = append(b, byte(e.Kind)<<4|byte(e.Order), byte(e.Loc)<<4|bit(e.Exclusive)|bit(e.Full)<<1, byte(e.Value), byte(e.Value>>8), byte(x.from[k]))
		}
	}
	for l := range s.mo {
		b = append(b, byte(len(s.mo[l])))
		for _, i := range s.mo[l] {
			b = append(b, byte(i))
		}
	}
	return b
}

func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// graph returns the execution graph of a complete state: first the initial writes, then thread by thread.
func (s *state) graph() *memory.Graph {
	g := &memory.Graph{MO: map[uint64][]int{}}
	at := map[id]int{}
	put := func(i id, e memory.Event) {
		at[i] = len(g.Events)
		g.Events, g.RF = append(g.Events, e), append(g.RF, -1)
	}
	for l := range s.mo {
		put(initial+id(l), memory.Event{Thread: -1, Kind: memory.Write, Loc: uint64(l), Order: cir.Plain})
	}
	for t := range s.threads {
		for k, e := range s.threads[t].events {
			put(id(t*MaxEvents+k), e)
		}
	}
	for t := range s.threads {
		for k, e := range s.threads[t].events {
			if e.Kind == memory.Read {
				g.RF[at[id(t*MaxEvents+k)]] = at[s.threads[t].from[k]]
			}
		}
	}
	for l, writes := range s.mo {
		for _, i := range writes {
			g.MO[uint64(l)] = append(g.MO[uint64(l)], at[i])
		}
	}
	for _, e := range s.sync {
		g.Sync = append(g.Sync, [2]int{at[e[0]], at[e[1]]})
	}
	slices.SortFunc(g.Sync, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	return g
}

// spawn lets a thread begin. It returns the events of both sides.
func (s *state) spawn(parent, child int) (a, b id) {
	a = s.add(parent, memory.Event{Kind: memory.Other}, 0)
	b = s.add(child, memory.Event{Kind: memory.Other}, 0)
	s.sync = append(s.sync, [2]id{a, b})
	s.threads[child].began = true
	return a, b
}

// end notes that a thread has ended. If it can be joined, that is an event.
func (s *state) end(t int) (i id, event bool) {
	s.threads[t].ended = true
	if !s.program.spawned(t) {
		return 0, false
	}
	return s.add(t, memory.Event{Kind: memory.Other}, 0), true
}

// join adds the event of waiting for a thread that has ended.
func (s *state) join(parent, child int) id {
	i := s.add(parent, memory.Event{Kind: memory.Other}, 0)
	s.sync = append(s.sync, [2]id{id(child*MaxEvents + len(s.threads[child].events) - 1), i})
	return i
}
