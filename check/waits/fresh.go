package waits

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// allocates are the functions of the library that give new memory.
var allocates = map[string]bool{"malloc": true, "calloc": true}

// allocated returns the local that an address is at a constant distance from, if all that is ever stored to it is what one call allocates.
func (f *finder) allocated(c pointsto.Copy, addr name) (*cir.Local, *cir.Store) {
	x := f.h.function(c.Func)
	for l := range x.plain {
		if addr.base != localToken(l) {
			continue
		}
		stores := x.storesTo(l)
		if len(stores) != 1 {
			return nil, nil
		}
		r, ok := stores[0].X.(*cir.Reg)
		if !ok {
			return nil, nil
		}
		call, ok := x.defs[r.Index].(*cir.Call)
		if !ok || !slices.Contains(x.blockOf(stores[0]).Instrs, cir.Instr(call)) {
			return nil, nil
		}
		g, ok := call.Callee.(*cir.Func)
		if !ok || !g.Library || !allocates[g.Source] {
			return nil, nil
		}
		return l, stores[0]
	}
	return nil, nil
}

// isFresh reports whether a store, or the call that makes a lock or a condition variable, is to an object that the function has allocated itself, and that nobody else may know yet.
func (f *finder) isFresh(w write) bool {
	var addr cir.Value
	switch in := w.in.(type) {
	case *cir.Store:
		addr = in.Addr
	case *cir.Call: // that makes it
		op := f.h.known(callIn{w.by, in})
		if !w.begun || op == nil {
			return false
		}
		addr = in.Args[max(op.lock, op.cond)].X
	default:
		return false
	}
	s := w.in
	x := f.h.function(w.by.Func)
	b := x.blockOf(s)
	var at name
	f.elements(w.by, b, func(in cir.Instr, vs values) {
		if in == s {
			at = vs.of(addr)
		}
	})
	l, from := f.allocated(w.by, at)
	if l == nil {
		return false
	}
	call := x.defs[from.X.(*cir.Reg).Index]
	for _, d := range x.fn.Blocks {
		for _, in := range d.Instrs {
			if in != cir.Instr(from) && f.tells(w.by, in, l) && x.reaches(in, s, call) {
				return false
			}
		}
	}
	return true
}

// reaches reports whether control may get from behind an instruction to another one, without passing a third one.
func (x *function) reaches(from, to, not cir.Instr) bool {
	type place struct {
		b  *cir.Block
		at int
	}
	b := x.blockOf(from)
	work := []place{{b, slices.Index(b.Instrs, from) + 1}}
	seen := map[*cir.Block]bool{}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		passed := false
		for _, in := range p.b.Instrs[p.at:] {
			if in == to {
				return true
			}
			if passed = in == not; passed {
				break
			}
		}
		if passed {
			continue
		}
		cir.Succs(p.b.Term, func(next *cir.Block, _ []cir.Value) {
			if !seen[next] {
				seen[next] = true
				work = append(work, place{next, 0})
			}
		})
	}
	return false
}

// tells reports whether an instruction may let others know the object that a local leads to: it does anything else with a pointer that is computed of it than to access the object, or to initialise locks there.
func (f *finder) tells(c pointsto.Copy, in cir.Instr, l *cir.Local) bool {
	x := f.h.function(c.Func)
	is := func(v cir.Value) bool { return x.comesFrom(v, l, 0) }
	switch in := in.(type) {
	case *cir.Load, *cir.Compare, *cir.Offset, *cir.Convert:
		return false
	case *cir.Store:
		return is(in.X)
	case *cir.Call:
		y, err := f.h.callees(c, in)
		if err == nil && len(y.known) == 1 && len(y.to) == 0 && (y.known[0].does == begins || y.known[0].does == readies) {
			return false
		}
		return slices.ContainsFunc(in.Args, func(a cir.Arg) bool { return is(a.X) })
	}
	tells := false
	cir.Operands(in, func(v cir.Value) { tells = tells || is(v) })
	return tells
}

// comesFrom reports whether a value may be computed of what a local holds, or of its address.
func (x *function) comesFrom(v cir.Value, l *cir.Local, depth int) bool {
	if v == cir.Value(l) {
		return true
	}
	r, ok := v.(*cir.Reg)
	if !ok {
		return false
	}
	def := x.defs[r.Index]
	if depth > maxNumber {
		return true
	}
	switch in := def.(type) {
	case *cir.Load:
		return in.Addr == cir.Value(l)
	case *cir.Offset:
		return x.comesFrom(in.P, l, depth+1)
	case *cir.Convert:
		return x.comesFrom(in.X, l, depth+1)
	case *cir.Call:
		if g, ok := in.Callee.(*cir.Func); ok && g.Library && allocates[g.Source] {
			return true
		}
	case nil: // a parameter of a block
		return !slices.ContainsFunc(x.fn.Params, func(p cir.Param) bool { return p.Reg == r })
	}
	found := false
	cir.Operands(def, func(v cir.Value) { found = found || x.comesFrom(v, l, depth+1) })
	return found
}
