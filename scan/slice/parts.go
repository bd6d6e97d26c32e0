package slice

import "comus/cir"

// parter finds the numbers that may be computed of addresses, by which the program may make them again, half by half, say: package pointsto follows these, if it
// sees them. Any number that is large enough may be an address, if it comes out of memory, or from somebody who is not known. What pointers have to do with each other is no part of one.
type parter struct {
	*reduction
	results map[*cir.Func]bool // functions that return such
	changed bool
}

func (r *reduction) findParts() {
	r.parts = map[cir.Value]bool{}
	p := &parter{r, map[*cir.Func]bool{}, true}
	for p.changed {
		p.changed = false
		for _, x := range r.order {
			p.function(x)
		}
	}
}

// is reports whether a value is an address, or computed of one.
func (p *parter) is(v cir.Value) bool { return p.parts[v] || p.prog.Model.TypeOf(v).IsPointer() }

func (p *parter) mark(v cir.Value) {
	if !p.parts[v] {
		p.parts[v], p.changed = true, true
	}
}

// number notes that a register holds such a number, if it is one.
func (p *parter) number(reg *cir.Reg) {
	if reg != nil && reg.Type.IsInt() {
		p.mark(reg)
	}
}

// address notes that a register may hold an address, if it is a number that is large enough.
func (p *parter) address(reg *cir.Reg) {
	if reg != nil && reg.Type.IsInt() && reg.Type.Bits >= p.prog.Model.PointerBits {
		p.mark(reg)
	}
}

func (p *parter) function(x *function) {
	for _, prm := range x.Params {
		if x.taken {
			p.address(prm.Reg)
		}
	}
	for _, b := range x.Blocks {
		for _, in := range b.Instrs {
			p.instr(x, in)
		}
		if t, ok := b.Term.(*cir.Return); ok && t.X != nil && p.is(t.X) && !p.results[x.Func] {
			p.results[x.Func], p.changed = true, true
		}
		cir.Succs(b.Term, func(to *cir.Block, args []cir.Value) {
			for i, v := range args {
				if p.is(v) {
					p.number(to.Params[i])
				}
			}
		})
	}
}

func (p *parter) instr(x *function, in cir.Instr) {
	switch in := in.(type) {
	case *cir.Compare, *cir.Distance:
	case *cir.Load:
		switch l := x.local(in.Addr); {
		case l == nil:
			p.address(in.Dst)
		case p.parts[l]:
			p.number(in.Dst)
		}
	case *cir.Store:
		if l := x.local(in.Addr); l != nil && p.is(in.X) {
			p.mark(l)
		}
	case *cir.Call:
		f, direct := in.Callee.(*cir.Func)
		if !direct {
			p.address(in.Dst)
			return
		}
		for i, a := range in.Args {
			if i < len(f.Params) && a.ByVal == nil && p.is(a.X) {
				p.number(f.Params[i].Reg)
			}
		}
		if p.results[f] {
			p.number(in.Dst)
		}
	default:
		if x.computes(in) {
			part := false
			cir.Operands(in, func(v cir.Value) { part = part || p.is(v) })
			for _, reg := range cir.Results(in) {
				if part {
					p.number(reg)
				}
			}
		}
	}
}
