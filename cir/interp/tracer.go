package interp

import "comus/cir"

// A Tracer is told what a run does, step by step: so that somebody else can do the same. What a thread did of an atomic section in which it has to
// wait is told again when it does it again: see Again.
type Tracer interface {
	// Traces says, when a function is run for the first time, which of its instructions and ends of blocks are told of.
	Traces(f *cir.Func) func(in cir.Located) bool
	// Begins is told of an instruction that a thread begins, Ends when it has ended, and what its result is. An instruction that
	// blocks begins more than once, and ends once. A call ends when the called function begins; ThreadExit does not end.
	Begins(thread int, in cir.Located)
	Ends(thread int, in cir.Located, result Value, indeterminate bool)
	// Accesses is told, with Options.Races, of memory that the instruction which has begun accesses.
	Accesses(thread int, o *Object, off, n int64, write bool)
	// Again is told that a thread goes back: to the beginning of its atomic section, or, outside of one, to where the condition is computed that it waits for.
	Again(thread int)
	// Section is told that a thread begins an outermost atomic section, and that it ends one.
	Section(thread int, begins bool)
	// Argument is told which object holds an argument of the program, and Global which one a variable is, where External asks.
	Argument(i int, o *Object)
	Global(g *cir.Global, o *Object)
	// Calls is told of a call that External is asked about, and Called what it has said: whether it knows the function, and its result. Between the two
	// are Reads, Writes and Makes: what it does to memory. A pointer that is written is one if there are no bytes. Writes is also told what
	// HavocBytes writes.
	Calls(thread int, f *cir.Func, direct bool, args []Value)
	Called(thread int, known bool, result Value)
	Reads(p Value, n int64)
	Writes(p Value, b []byte, pointer Value)
	Makes(p Value, n int64)
}

// runTraced is run with a tracer.
func (t *thread) runTraced() {
	tr := t.m.opt.Tracer
	t.ev = goesOn
	for t.left > 0 || t.inside() {
		t.left--
		f := t.fr
		in := &f.code[f.pc]
		f.pc++
		at := in.x.traced
		if at != nil {
			tr.Begins(t.id, at)
		}
		atomic := t.atomic
		var ok bool
		if f.tainted {
			ok = t.tainted(f, in)
		} else {
			ok = in.do(t, f, in)
		}
		if at != nil && ok && t.fr == f {
			v, undef := f.resultOf(at, in)
			tr.Ends(t.id, at, v, undef)
		}
		if t.ev != yields && (atomic == 0) != (t.atomic == 0) {
			tr.Section(t.id, atomic == 0)
		}
		if !ok {
			return
		}
	}
}

// resultOf returns the result of an instruction that was performed, and whether it is indeterminate.
func (f *frame) resultOf(at cir.Located, in *inst) (v Value, undef bool) {
	i, ok := at.(cir.Instr)
	if !ok {
		return v, false
	}
	results := cir.Results(i)
	if len(results) == 0 {
		return v, false
	}
	r := results[0]
	s := f.s[r.Index]
	v = Value{Type: r.Type, Lo: s.lo, Hi: s.hi}
	if r.Type.IsPointer() {
		v.Obj = s.obj
	}
	return v, f.tainted && f.taint[r.Index] != 0
}

// traced tells which instruction the code from a place on is of: the last of it performs it.
func (c *compiler) traced(from int, in cir.Located) {
	if c.traces != nil && len(c.code) > from && c.traces(in) {
		c.code[len(c.code)-1].x.traced = in
	}
}
