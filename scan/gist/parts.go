package gist

import "comus/cir"

// findParts finds the numbers that are computed of addresses, by which the program may make them again, half by half, say: package points follows these, if it
// sees them. What pointers have to do with each other is no part of one.
func (r *reduction) findParts() {
	r.parts = map[cir.Value]bool{}
	results := map[*cir.Func]bool{}
	changed := true
	is := func(v cir.Value) bool { return r.parts[v] || r.prog.Model.TypeOf(v).IsPointer() }
	mark := func(v cir.Value) {
		if !r.parts[v] {
			r.parts[v], changed = true, true
		}
	}
	number := func(reg *cir.Reg) {
		if reg != nil && reg.Type.IsInt() {
			mark(reg)
		}
	}
	for changed {
		changed = false
		for _, x := range r.order {
			for _, b := range x.Blocks {
				for _, in := range b.Instrs {
					switch in := in.(type) {
					case *cir.Compare, *cir.Distance:
					case *cir.Load:
						if l := x.local(in.Addr); l != nil && r.parts[l] {
							number(in.Dst)
						}
					case *cir.Store:
						if l := x.local(in.Addr); l != nil && is(in.X) {
							mark(l)
						}
					case *cir.Call:
						f, direct := in.Callee.(*cir.Func)
						if !direct {
							continue
						}
						for i, a := range in.Args {
							if i < len(f.Params) && a.ByVal == nil && is(a.X) {
								number(f.Params[i].Reg)
							}
						}
						if results[f] {
							number(in.Dst)
						}
					default:
						if x.computes(in) {
							part := false
							cir.Operands(in, func(v cir.Value) { part = part || is(v) })
							for _, reg := range cir.Results(in) {
								if part {
									number(reg)
								}
							}
						}
					}
				}
				if t, ok := b.Term.(*cir.Return); ok && t.X != nil && is(t.X) && !results[x.Func] {
					results[x.Func], changed = true, true
				}
				cir.Succs(b.Term, func(to *cir.Block, args []cir.Value) {
					for i, v := range args {
						if is(v) {
							number(to.Params[i])
						}
					}
				})
			}
		}
	}
}
