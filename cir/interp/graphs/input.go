package graphs

import (
	"comus/cir"
	"comus/memory"
)

// aChoice is the location of an event that is an input.
const aChoice = 1

// input implements Options.Nondet of the interpreter.
func (r *run) input(name string, ty cir.Type) (lo, hi uint64) {
	if ty.Bits != 1 {
		if name == "" {
			r.seen.choices = true
		} else {
			r.seen.inputs = true
		}
		return 0, 0
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
		r.todo = append(r.todo, r.g.clone())
		r.g.Events[e].Value = 0
	}
	r.performed(e)
	return r.g.Events[e].Value, 0
}
