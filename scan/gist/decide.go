package gist

import "comus/cir"

// What a condition is of use for to an analysis: whether a lock is held may depend on what a function returned, or on what was noted in a local
// since; a flag that another thread sets is looked at; a counter bounds which elements of an array are accessed, or how many threads are created. All else need not be known. It is a choice:
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
	r    *reduction
	x    *function
	regs map[*cir.Reg]bool // that were looked at
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
		return in.Order != cir.Plain || in.Volatile
	}
	if !q.x.quiet || q.x.lives[l.Index] && in.Type.IsInt() {
		return true
	}
	if in.Type.IsPointer() {
		return false
	}
	for _, s := range q.x.stores[l.Index] {
		if q.matters(s.X) {
			return true
		}
	}
	return false
}
