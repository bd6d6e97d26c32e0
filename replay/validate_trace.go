package replay

import (
	"comus/cir"
	"comus/cir/interp"
)

// happening is an instruction that a thread has performed.
type happening struct {
	n     int
	value interp.Value // its result
	any   bool         // the result is indeterminate
	of    cir.Located
}

// unit is what a thread does without others in between: an instruction, or all of an atomic section.
type unit struct {
	thread  int // of the interpreter
	list    []happening
	section bool
	ends    bool // the thread has ended, or the program
	fails   bool // an assertion fails
}

// has returns the first happening of an instruction, nil if there is none.
func (u *unit) has(n int) *happening {
	for i := range u.list {
		if u.list[i].n == n {
			return &u.list[i]
		}
	}
	return nil
}

// trace records the units of a run. It is told of those instructions that steps of ir come from, and of what creates and ends threads.
type trace struct {
	noTracer
	numbers map[cir.Located]int
	wanted  map[int]bool
	units   []unit
	open    map[int][]happening // of sections that have begun
	inside  map[int]bool
	inputs  map[inputKey][]happening // what instructions that give inputs gave; the thread is the interpreter's
}

func newTrace(numbers map[cir.Located]int, wanted map[int]bool) *trace {
	return &trace{numbers: numbers, wanted: wanted, open: map[int][]happening{}, inside: map[int]bool{}, inputs: map[inputKey][]happening{}}
}

// Traces implements interp.Tracer.
func (tr *trace) Traces(*cir.Func) func(in cir.Located) bool {
	return func(in cir.Located) bool {
		i, ok := in.(*cir.Intrinsic)
		return tr.wanted[tr.numbers[in]] || ok && (i.Op == cir.ThreadCreate || i.Op == cir.ThreadExit)
	}
}

// Begins implements interp.Tracer.
func (tr *trace) Begins(thread int, in cir.Located) {
	if c, ok := in.(*cir.Call); ok { // a call does not end, where the called function begins
		tr.add(thread, happening{n: tr.numbers[in], of: c})
	}
	if i, ok := in.(*cir.Intrinsic); ok && i.Op == cir.ThreadExit {
		tr.add(thread, happening{n: tr.numbers[in], of: in})
		tr.close(thread)
		tr.units = append(tr.units, unit{thread: thread, ends: true})
	}
}

// Ends implements interp.Tracer.
func (tr *trace) Ends(thread int, in cir.Located, result interp.Value, indeterminate bool) {
	if _, ok := in.(*cir.Call); ok {
		return
	}
	tr.add(thread, happening{n: tr.numbers[in], value: result, any: indeterminate, of: in})
}

func (tr *trace) add(thread int, h happening) {
	if tr.inside[thread] {
		tr.open[thread] = append(tr.open[thread], h)
		return
	}
	tr.units = append(tr.units, unit{thread: thread, list: []happening{h}})
}

// Section implements interp.Tracer.
func (tr *trace) Section(thread int, begins bool) {
	if begins {
		tr.inside[thread] = true
		return
	}
	tr.close(thread)
}

// close ends a thread's section.
func (tr *trace) close(thread int) {
	if list := tr.open[thread]; len(list) > 0 {
		tr.units = append(tr.units, unit{thread: thread, list: list, section: true})
	}
	delete(tr.open, thread)
	delete(tr.inside, thread)
}

// Again implements interp.Tracer: what was done of a section is done once more.
func (tr *trace) Again(thread int) { tr.open[thread] = nil }

// Accesses, Calls and Called implement interp.Tracer.
func (tr *trace) Accesses(int, *interp.Object, int64, int64, bool)   {}
func (tr *trace) Calls(int, *cir.Func, bool, []interp.Value)         {}
func (tr *trace) Called(thread int, known bool, result interp.Value) {}

// finish returns the units of a run that has ended.
func (tr *trace) finish(res *interp.Result) []unit {
	if res.Outcome == interp.Exited {
		tr.units = append(tr.units, unit{thread: res.Thread, ends: true})
	}
	for _, u := range tr.units {
		for _, h := range u.list {
			if isInput(h.of) {
				k := inputKey{u.thread, h.n}
				tr.inputs[k] = append(tr.inputs[k], h)
			}
		}
	}
	return tr.units
}

// isInput reports whether an instruction gives a value that the program does not determine.
func isInput(in cir.Located) bool {
	i, ok := in.(*cir.Intrinsic)
	return ok && i.Op == cir.Nondet
}
