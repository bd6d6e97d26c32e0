package cir

// PlainLocals returns the locals of a function that hold one scalar, a number or pointer, and are only loaded and stored as a whole: nobody has their addresses, so what an activation loads of one is
// what it has stored there last. Volatile ones, those accessed atomically, and floats are left out.
func PlainLocals(f *Func) map[*Local]bool {
	types, bad := map[*Local]Type{}, map[*Local]bool{}
	lose := func(v Value) {
		if l, ok := v.(*Local); ok {
			bad[l] = true
		}
	}
	access := func(addr Value, a Access) {
		l, ok := addr.(*Local)
		if !ok {
			return
		}
		if t, seen := types[l]; seen && t != a.Type || a.Bits != nil || a.Volatile || a.Order != Plain || a.Type.IsFloat() {
			bad[l] = true
		}
		types[l] = a.Type
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *Load:
				access(in.Addr, in.Access)
			case *Store:
				access(in.Addr, in.Access)
				lose(in.X)
			case *LifeStart, *LifeEnd:
			default:
				Operands(in, lose)
			}
		}
		TermOperands(b.Term, lose)
	}
	m := map[*Local]bool{}
	for _, l := range f.Locals {
		if _, accessed := types[l]; accessed && !bad[l] {
			m[l] = true
		}
	}
	return m
}
