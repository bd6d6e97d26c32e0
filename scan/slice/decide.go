package slice

import "comus/cir"

// What a condition is of use for to an analysis: whether a lock is held may depend on what a function returned, or on what was noted in a local
// since; a flag that another thread sets is looked at; a counter bounds which elements of an array are accessed, or how many threads are created; pointers in memory tell whether a list is empty, or goes on. All else need not be known. It is a choice:
// to keep more makes fewer programs alike, to keep less costs precision.

// conditions decides about those of a function that were not needed so far.
func (r *reduction) conditions(x *function) {
	var open []cir.Term
	for _, t := range x.open {
		var cond cir.Value
		switch t := t.(type) {
		case *cir.Branch:
			cond = t.Cond
		case *cir.Switch:
			cond = t.X
		}
		q := question{r: r, x: x}
		if x.fixed || q.matters(cond) {
			r.need(x, cond)
		} else {
			open = append(open, t)
		}
	}
	x.open = open
}

// question asks whether a condition matters.
type question struct {
	r      *reduction
	x      *function
	regs   map[*cir.Reg]bool // that were looked at
	locals map[*cir.Local]bool
}

func (q *question) matters(v cir.Value) bool {
	reg, ok := v.(*cir.Reg)
	if !ok || q.regs[reg] {
		return false
	}
	if q.regs == nil {
		q.regs = map[*cir.Reg]bool{}
	}
	q.regs[reg] = true
	in := q.x.defs[reg.Index]
	switch {
	case in == nil && q.x.blocks[reg.Index] == nil: // a parameter of the function
		return false
	case in == nil:
		if q.x.needed[reg.Index] && reg.Type.IsInt() {
			return true
		}
		for _, args := range q.x.into[q.x.blocks[reg.Index]] {
			if q.matters(args[q.x.place[reg.Index]]) {
				return true
			}
		}
		return false
	}
	switch in := in.(type) {
	case *cir.Load:
		return q.loaded(in)
	case *cir.Call:
		f, direct := in.Callee.(*cir.Func)
		return !direct || !q.r.funcs[f].quiet || !q.x.quiet && !isNumber(reg.Type)
	case *cir.Intrinsic:
		return in.Op != cir.Nondet
	}
	if !q.x.computes(in) {
		return true
	}
	found := false
	cir.Operands(in, func(v cir.Value) { found = found || q.matters(v) })
	return found
}

// loaded reports whether it matters what is loaded.
func (q *question) loaded(in *cir.Load) bool {
	l := q.x.local(in.Addr)
	if l == nil {
		switch q.x.base(in.Addr).(type) {
		case *cir.Global:
			return !in.Type.IsFloat()
		case *cir.Local:
			return !q.x.quiet
		}
		return in.Order != cir.Plain || in.Volatile || in.Type.IsPointer() || q.x.slots && in.Type.IsInt() // whether a list goes on, or how many there are
	}
	if q.locals[l] {
		return false
	}
	if q.locals == nil {
		q.locals = map[*cir.Local]bool{}
	}
	q.locals[l] = true
	stores := q.x.stores[l.Index]
	if q.x.lives[l.Index] && in.Type.IsInt() && q.x.counts(l) {
		return true
	}
	for _, s := range stores {
		if _, computed := s.X.(*cir.Reg); !computed && !q.x.quiet && len(stores) > 1 { // it may say which way control came
			return true
		}
		if q.matters(s.X) {
			return true
		}
	}
	return false
}

// counts reports whether a local goes up or down by a constant somewhere.
func (x *function) counts(l *cir.Local) bool {
	for _, s := range x.stores[l.Index] {
		in, ok := x.defined(s.X).(*cir.Binary)
		if !ok || in.Op != cir.Add && in.Op != cir.Sub {
			continue
		}
		for _, v := range []cir.Value{in.X, in.Y} {
			if load, ok := x.defined(v).(*cir.Load); ok && load.Addr == cir.Value(l) {
				return true
			}
		}
	}
	return false
}

// defined returns the instruction that computes a value, conversions aside; nil if there is none.
func (x *function) defined(v cir.Value) cir.Instr {
	for range 10 {
		reg, ok := v.(*cir.Reg)
		if !ok {
			return nil
		}
		c, ok := x.defs[reg.Index].(*cir.Convert)
		if !ok {
			return x.defs[reg.Index]
		}
		v = c.X
	}
	return nil
}

// varies reports whether a number is certainly none that is known beforehand: something that is loaded, given or returned takes part in it.
func (x *function) varies(v cir.Value, seen map[*cir.Local]bool) bool {
	reg, ok := v.(*cir.Reg)
	if !ok {
		return false
	}
	in := x.defs[reg.Index]
	if in == nil {
		return x.blocks[reg.Index] == nil
	}
	if load, ok := in.(*cir.Load); ok {
		l := x.local(load.Addr)
		if l == nil {
			return true
		}
		if seen[l] || len(x.stores[l.Index]) == 0 {
			return false
		}
		if seen == nil {
			seen = map[*cir.Local]bool{}
		}
		seen[l] = true
		for _, s := range x.stores[l.Index] {
			if !x.varies(s.X, seen) {
				return false
			}
		}
		return true
	}
	if _, ok := in.(*cir.Call); ok {
		return true
	}
	found := false
	if x.computes(in) {
		cir.Operands(in, func(v cir.Value) { found = found || x.varies(v, seen) })
	}
	return found
}
