package pointsto

import "comus/cir"

// Given returns the number that a value is in a copy of a function: a constant, or the parameter of a function of the library that the
// call which the copy is for gives a constant to; -1 if it is not known, or huge. memset from one member of a struct to the struct's end goes
// that far, and not to the end of the member.
func (c Copy) Given(v cir.Value) int64 {
	if n := constant(v); n >= 0 {
		return n
	}
	return constant(c.Argument(v))
}

// Argument returns the operand of the call that a copy of a function of the library is for which a value there is, nil if it is not known to be one.
func (c Copy) Argument(v cir.Value) cir.Value {
	f, call := c.Func, c.Ctx.Call
	if !f.Library || call == nil || call.Callee != cir.Value(f) {
		return nil
	}
	if i := whichParam(f, v); i >= 0 && i < len(call.Args) && call.Args[i].ByVal == nil {
		return call.Args[i].X
	}
	return nil
}

// copy names the instance.
func (x *instance) copy() Copy { return Copy{Func: x.fn, Ctx: x.ctx} }

// whichParam returns which parameter a value is, -1 if it is none: the register, or what is loaded from a local that it is stored in and
// that nothing else is done with.
func whichParam(f *cir.Func, v cir.Value) int {
	param := func(v cir.Value) int {
		for i, p := range f.Params {
			if v == cir.Value(p.Reg) {
				return i
			}
		}
		return -1
	}
	if i := param(v); i >= 0 {
		return i
	}
	local := loaded(f, v)
	if local == nil {
		return -1
	}
	which, stores := -1, 0
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *cir.Load:
				continue
			case *cir.Store:
				if in.Addr == cir.Value(local) && b == f.Blocks[0] && in.X != cir.Value(local) {
					stores++
					which = param(in.X)
					continue
				}
			}
			cir.Operands(in, func(x cir.Value) {
				if x == cir.Value(local) {
					stores = 2
				}
			})
		}
		cir.TermOperands(b.Term, func(x cir.Value) {
			if x == cir.Value(local) {
				stores = 2
			}
		})
	}
	if stores != 1 {
		return -1
	}
	return which
}

// loaded returns the local that a register is loaded from as a whole, nil if there is none.
func loaded(f *cir.Func, v cir.Value) *cir.Local {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if l, ok := in.(*cir.Load); ok && v == cir.Value(l.Dst) && l.Bits == nil {
				local, _ := l.Addr.(*cir.Local)
				return local
			}
		}
	}
	return nil
}
