package accesses

import (
	"slices"

	"comus/check/scancheck"
	"comus/check/valuecheck"
	"comus/check/waits"
	"comus/cir"
	"comus/scan/pointsto"
)

// program is a program as the rule sees it.
type program struct {
	prog    *cir.Program
	pts     *pointsto.Result
	running *scancheck.Running
	copies  []pointsto.Copy
	number  map[pointsto.Copy]int
	word    int64
	funcs   map[*cir.Func]*function
	facts   map[operandAt]fact
	argc    map[place]int64 // at least so many
	reached map[place]bool
	calls   map[place][]int // the program's own functions that a call gets to
	callers map[int][]place
	starts  map[place][]int // the copies that a creation of a thread begins with

	regs           map[register]attr
	cells          map[pointsto.Location]attr
	order          []pointsto.Location // of cells
	writes         map[*pointsto.Object][]write
	rounds         int
	outsideWritten bool // memory outside of the program may be changed
	wraps          bool // signed arithmetic may wrap around
	// begun are the cells of which nobody reads what is in them when their object begins, and narrow the registers that lead into one element of an array for others.
	begun map[pointsto.Location]bool
	// settled are, of such cells, the places where their makers write zeros that nobody reads either.
	settled map[pointsto.Location]map[place]bool
	// tested are, of such cells, the places where their makers write pointers that nobody reads if they are null, but for early loads.
	tested map[pointsto.Location]map[place]bool
	early  map[place]bool
	narrow map[register][2]int64

	nums        map[register]num
	found       map[place]num // what loads of plain locals find
	once        map[int]bool  // copies that are entered no more than once
	again       bool          // numbers are computed again, of what was found
	init        *initialised
	asksWho     bool // some thread asks for its own id
	asksResults bool // some thread asks what another one returned
	numberCells map[numberCell]num
	numberOrder []numberCell
	bounds      *bounds
	symbols     symbolIDs

	touched  map[*pointsto.Object][]place
	deaths   map[*pointsto.Object][]place
	live     map[*pointsto.Object]string // "": as long as any access is made; otherwise why that is not known
	assumed  map[string]bool
	lockUses map[place][]waits.Use // of locks and the like, if that is asked about (uses.go)
}

// place is an instruction, or the end of a block, in a copy of a function.
type place struct {
	copy int
	in   cir.Located
}

type register struct{ copy, reg int }

type operandAt struct {
	copy int
	in   cir.Located
	reg  int
}

// fact is what values say of an operand.
type fact struct {
	notNull bool
	lo, hi  int64
	known   bool
}

// view notes what is confirmed of values at an instruction.
func (p *program) view(in cir.Located, v valuecheck.View) {
	c := v.Copy()
	if p.copies[c].Func.Library {
		return
	}
	at := place{c, in}
	first := !p.reached[at]
	p.reached[at] = true
	note := func(x cir.Value) {
		r, ok := x.(*cir.Reg)
		if !ok {
			return
		}
		key := operandAt{c, in, r.Index}
		f := fact{notNull: v.NotNull(r)}
		f.lo, f.hi, f.known = v.Bounds(r)
		if old, had := p.facts[key]; had {
			f = fact{f.notNull && old.notNull, min(f.lo, old.lo), max(f.hi, old.hi), f.known && old.known}
		}
		p.facts[key] = f
	}
	switch in := in.(type) {
	case cir.Instr:
		cir.Operands(in, note)
	case cir.Term:
		cir.TermOperands(in, note)
	}
	if _, load := in.(*cir.Load); load && p.copies[c].Func == p.prog.Entry {
		least := int64(1)
		if l := p.function(p.prog.Entry).argc; l != nil {
			if lo, _, ok := v.Local(l); ok {
				least = max(least, lo)
			}
		}
		if old, had := p.argc[at]; had && !first {
			least = min(least, old)
		}
		p.argc[at] = least
	}
}

// fact returns what values say of an operand.
func (p *program) fact(at place, v cir.Value) fact {
	switch v := v.(type) {
	case cir.Int:
		n, ok := v.Int64()
		return fact{n != 0, n, n, ok}
	case *cir.Reg:
		return p.facts[operandAt{at.copy, at.in, v.Index}]
	}
	return fact{}
}

// places returns what an operand of a copy may point to.
func (p *program) places(c int, v cir.Value) []pointsto.Location {
	return p.pts.Places(p.copies[c].Func, p.copies[c].Ctx, v)
}

// own reports whether a copy is one of the program's own functions.
func (p *program) own(c int) bool { return !p.copies[c].Func.Library }

// each calls f for all that control may get to in the program's own functions.
func (p *program) each(f func(at place)) {
	for c := range p.copies {
		if !p.own(c) {
			continue
		}
		for _, b := range p.copies[c].Func.Blocks {
			for _, in := range b.Instrs {
				if at := (place{c, in}); p.reached[at] {
					f(at)
				}
			}
			if at := (place{c, b.Term}); p.reached[at] {
				f(at)
			}
		}
	}
}

// begins reports whether a thread may begin with a copy.
func (p *program) begins(c int) bool {
	for _, list := range p.starts {
		if slices.Contains(list, c) {
			return true
		}
	}
	return false
}

// library returns the function of the library that a call gets to, and nothing else; nil if it may get elsewhere.
func library(call *cir.Call) *cir.Func {
	if f, ok := call.Callee.(*cir.Func); ok && (f.Library || len(f.Blocks) == 0) {
		return f
	}
	return nil
}

// findCalls finds who calls whom.
func (p *program) findCalls() {
	p.each(func(at place) {
		call, ok := at.in.(*cir.Call)
		if !ok {
			return
		}
		if f := library(call); f != nil {
			p.asksResults = p.asksResults || f.Source == "pthread_join" && len(call.Args) == 2 && !isNull(call.Args[1].X)
			p.asksWho = p.asksWho || f.Source == "pthread_self"
			if f.Source == "pthread_create" && len(call.Args) == 4 {
				for _, l := range p.places(at.copy, call.Args[2].X) {
					for c := range p.copies {
						if l.Obj.IsFunc() && p.copies[c].Func == l.Obj.Func {
							p.starts[at] = append(p.starts[at], c)
						}
					}
				}
			}
			return
		}
		for _, y := range p.pts.Called(p.copies[at.copy], call) {
			c := p.number[y]
			p.calls[at] = append(p.calls[at], c)
			p.callers[c] = append(p.callers[c], at)
		}
	})
}
