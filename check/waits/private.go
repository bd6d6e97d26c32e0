package waits

import "comus/cir"

// privateLocals returns the locals of a function that are only loaded and stored as wholes, and stored to before they are loaded: floats, too.
func privateLocals(f *cir.Func) map[*cir.Local]bool {
	types, bad := map[*cir.Local]cir.Type{}, map[*cir.Local]bool{}
	lose := func(v cir.Value) {
		if l, ok := v.(*cir.Local); ok {
			bad[l] = true
		}
	}
	access := func(addr cir.Value, a cir.Access) {
		l, ok := addr.(*cir.Local)
		if !ok {
			lose(addr)
			return
		}
		if t, seen := types[l]; seen && t != a.Type || a.Bits != nil || a.Volatile || a.Order != cir.Plain {
			bad[l] = true
		}
		types[l] = a.Type
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *cir.Load:
				access(in.Addr, in.Access)
			case *cir.Store:
				access(in.Addr, in.Access)
				lose(in.X)
			case *cir.LifeStart, *cir.LifeEnd:
			default:
				cir.Operands(in, lose)
			}
		}
		cir.TermOperands(b.Term, lose)
	}
	out := map[*cir.Local]bool{}
	for l := range types {
		out[l] = !bad[l] && !loadedFirst(f, l)
	}
	return out
}

// loadedFirst reports whether a local may be loaded before anything is stored to it in its life.
func loadedFirst(f *cir.Func, l *cir.Local) bool {
	seen := map[*cir.Block]bool{} // blocks that control may come to while nothing was stored
	type place struct {
		b    *cir.Block
		from int
	}
	work := []place{{f.Blocks[0], 0}}
	seen[f.Blocks[0]] = true
	for _, b := range f.Blocks {
		for i, in := range b.Instrs {
			if s, ok := in.(*cir.LifeStart); ok && s.Local == l {
				work = append(work, place{b, i + 1})
			}
		}
	}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		stored := false
		for _, in := range at.b.Instrs[at.from:] {
			switch in := in.(type) {
			case *cir.Store:
				stored = stored || in.Addr == cir.Value(l)
			case *cir.Load:
				if in.Addr == cir.Value(l) && !stored {
					return true
				}
			}
			if stored {
				break
			}
		}
		if stored {
			continue
		}
		cir.Succs(at.b.Term, func(to *cir.Block, _ []cir.Value) {
			if !seen[to] {
				seen[to] = true
				work = append(work, place{to, 0})
			}
		})
	}
	return false
}
