package slice

import (
	"slices"

	"comus/cir"
)

// reduce takes away what is not needed of a function.
func (r *reduction) reduce(x *function) {
	for _, t := range x.open {
		switch t := t.(type) {
		case *cir.Branch:
			t.Cond, t.Info = cir.Undef{Type: cir.Bool}, cir.Info{}
		case *cir.Switch:
			t.X, t.Info = cir.Undef{Type: r.prog.Model.TypeOf(t.X)}, cir.Info{}
		}
	}
	for _, b := range x.Blocks {
		b.Instrs = slices.DeleteFunc(b.Instrs, func(in cir.Instr) bool { return !r.stays(x, in) })
		switch t := b.Term.(type) {
		case *cir.Return:
			if t.X != nil && !x.returns {
				t.X = cir.Undef{Type: r.prog.Model.TypeOf(t.X)}
			}
		case *cir.Jump:
			t.Info, t.Args = cir.Info{}, x.passed(t.To, t.Args)
		case *cir.Branch:
			t.ThenArgs, t.ElseArgs = x.passed(t.Then, t.ThenArgs), x.passed(t.Else, t.ElseArgs)
		}
	}
	for _, b := range x.Blocks {
		b.Params = slices.DeleteFunc(b.Params, func(p *cir.Reg) bool { return !x.needed[p.Index] })
	}
	simplify(x.Func)
	x.dropLocals()
	renumber(x.Func)
}

// passed returns those of the values that a block is given which it needs.
func (x *function) passed(to *cir.Block, args []cir.Value) (needed []cir.Value) {
	for i, v := range args {
		if x.needed[to.Params[i].Index] {
			needed = append(needed, v)
		}
	}
	return needed
}

// stays reports whether an instruction is left, and puts unknown numbers where those that it has do not matter.
func (r *reduction) stays(x *function, in cir.Instr) bool {
	switch in := in.(type) {
	case *cir.Store:
		if l := x.local(in.Addr); l != nil {
			return x.lives[l.Index]
		}
		if r.forgets(x, in) {
			in.X = cir.Undef{Type: in.Type}
		}
		return true
	case *cir.LifeStart:
		return !x.plain[in.Local.Index] || x.lives[in.Local.Index]
	case *cir.LifeEnd:
		return !x.plain[in.Local.Index] || x.lives[in.Local.Index]
	case *cir.Call:
		if f, ok := in.Callee.(*cir.Func); ok {
			for i := range in.Args {
				if r.ignores(in, f, i) && !r.funcs[f].needed[f.Params[i].Reg.Index] {
					in.Args[i].X = cir.Undef{Type: f.Params[i].Reg.Type}
				}
			}
		}
		return true
	}
	if !x.computes(in) {
		return true
	}
	return slices.ContainsFunc(cir.Results(in), func(reg *cir.Reg) bool { return x.needed[reg.Index] })
}

// dropLocals takes away the locals that nothing is done with any more.
func (x *function) dropLocals() {
	used := map[*cir.Local]bool{}
	use := func(v cir.Value) {
		if l, ok := v.(*cir.Local); ok {
			used[l] = true
		}
	}
	for _, b := range x.Blocks {
		for _, in := range b.Instrs {
			cir.Operands(in, use)
		}
		cir.TermOperands(b.Term, use)
	}
	for _, b := range x.Blocks {
		b.Instrs = slices.DeleteFunc(b.Instrs, func(in cir.Instr) bool {
			switch in := in.(type) {
			case *cir.LifeStart:
				return !used[in.Local]
			case *cir.LifeEnd:
				return !used[in.Local]
			}
			return false
		})
	}
	x.Locals = slices.DeleteFunc(x.Locals, func(l *cir.Local) bool { return !used[l] })
}

// renumber numbers what is left of a function.
func renumber(f *cir.Func) {
	f.NumRegs = 0
	number := func(reg *cir.Reg) {
		reg.Index = f.NumRegs
		f.NumRegs++
	}
	for _, p := range f.Params {
		number(p.Reg)
	}
	for i, b := range f.Blocks {
		b.Index = i
		for _, p := range b.Params {
			number(p)
		}
		for _, in := range b.Instrs {
			for _, reg := range cir.Results(in) {
				number(reg)
			}
		}
	}
	for i, l := range f.Locals {
		l.Index = i
	}
	for _, b := range f.Blocks { // whether there was something before
		b.Params, b.Instrs = orNil(b.Params), orNil(b.Instrs)
	}
	f.Locals = orNil(f.Locals)
}

// orNil returns nil for an empty list.
func orNil[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return list
}
