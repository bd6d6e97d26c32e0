package graphs

import (
	"comus/cir"
	"comus/memory"
)

// The locations of events that are inputs: aChoice of one bit, aNumber of more. The latter are in graphs that somebody else has found (Options.Guide).
const (
	aChoice = 1
	aNumber = 2
)

// input implements Options.Nondet of the interpreter.
func (r *run) input(name string, ty cir.Type) (lo, hi uint64) {
	if ty.Bits != 1 {
		return r.wide(name, ty), 0
	}
	thread := r.running
	if !r.begins(thread) {
		return 0, 0
	}
	e, there := r.next(thread)
	switch {
	case there && (r.g.Events[e].Kind != memory.Other || r.g.Events[e].Loc != aChoice):
		r.giveUp(notTheSame)
		return 0, 0
	case !there && r.x == nil:
		return 0, 0
	case !there:
		e = r.enter(memory.Event{Thread: thread, Kind: memory.Other, Loc: aChoice, Value: 1}, made{choice: true})
		if x := r.x.opt.Random; x != nil {
			r.g.Events[e].Value = uint64(x.IntN(2))
			break
		}
		if r.guide != nil {
			r.g.Events[e].Value = r.guide.input(thread, name) & 1
			break
		}
		r.todo = append(r.todo, r.g.clone())
		r.g.Events[e].Value = 0
	}
	r.performed(e)
	return r.g.Events[e].Value, 0
}

// wide is an input of more than one bit: 0, or what a guide or the graph says.
func (r *run) wide(name string, ty cir.Type) uint64 {
	if name == "" {
		r.seen.choices = true
		return 0
	}
	r.seen.inputs = true
	thread := r.running
	if !r.numbers || r.over || r.cut || !r.begins(thread) {
		return 0
	}
	e, there := r.next(thread)
	switch {
	case there && (r.g.Events[e].Kind != memory.Other || r.g.Events[e].Loc != aNumber):
		r.giveUp(notTheSame)
		return 0
	case !there && r.guide == nil: // behind the end of the graph
		return 0
	case !there:
		e = r.enter(memory.Event{Thread: thread, Kind: memory.Other, Loc: aNumber, Value: r.guide.input(thread, name) & mask(ty.Bits)}, made{})
	}
	r.performed(e)
	return r.g.Events[e].Value & mask(ty.Bits)
}

// mask has the lowest bits set.
func mask(bits int) uint64 {
	if bits >= 64 {
		return ^uint64(0)
	}
	return 1<<bits - 1
}
