package transfer

import (
	"comus/cir"
	"comus/scan/pointsto"
)

// An array that is allocated, once, is a container's as one that is declared, if its elements' addresses are only used for loads and stores where they are computed:
// then what else leads there is what the allocation returned.

// heapEnd is where an array ends of which it is not known how long it is.
const heapEnd = int64(1) << 40

// isHeapArray reports whether a location is all elements of such an array.
func (a *analysis) isHeapArray(l pointsto.Location) bool {
	o := l.Obj
	if !isMade(o) || o.Shape() != nil || l.Off != 0 || o.Stride != int64(a.prog.Model.PointerBits/8) {
		return false
	}
	is, known := a.heaps[o]
	if !known {
		is = a.pts.Once(o) && a.staysInside(o)
		a.heaps[o] = is
	}
	return is
}

// staysInside reports whether no address of an element but the first is stored, passed or computed with.
func (a *analysis) staysInside(o *pointsto.Object) bool {
	stays := true
	for k, c := range a.copies {
		computed := a.computed(c.Func)
		use := func(v cir.Value) {
			if r, ok := v.(*cir.Reg); ok && computed[r] {
				for _, l := range a.places(k, v) {
					stays = stays && l.Obj != o
				}
			}
		}
		for _, b := range c.Func.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *cir.Load, *cir.Compare:
				case *cir.Store:
					use(in.X)
				case *cir.Offset:
					use(in.Index)
				default:
					cir.Operands(in, use)
				}
			}
			cir.TermOperands(b.Term, use)
		}
	}
	return stays
}

// computed returns the registers of a function that are computed: neither loaded, nor parameters, nor results of allocations or calls of known functions.
func (a *analysis) computed(f *cir.Func) map[*cir.Reg]bool {
	m, known := a.computes[f]
	if !known {
		m = map[*cir.Reg]bool{}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *cir.Load:
					continue
				case *cir.Call:
					if g, direct := in.Callee.(*cir.Func); direct && len(g.Blocks) > 0 { // which returns none, either
						continue
					}
				case *cir.Convert: // of a pointer to another type
					if r, ok := in.X.(*cir.Reg); ok && r.Type.IsPointer() && in.Dst.Type.IsPointer() && !m[r] {
						continue
					}
				case *cir.Intrinsic:
					if in.Op == cir.Alloc { // which returns the beginning of what it allocates
						continue
					}
				}
				for _, r := range cir.Results(in) {
					m[r] = true
				}
			}
		}
		a.computes[f] = m
	}
	return m
}

// isFirst reports whether an address that leads to an allocated array is that of its first element.
func (x *explorer) isFirst(c int, v cir.Value) bool {
	r, ok := v.(*cir.Reg)
	return ok && !x.computed(x.copies[c].Func)[r]
}

// allocateArray is an allocation of an array. It reports whether it is that.
func (x *explorer) allocateArray(s *state, in *cir.Call, zero bool) bool {
	a := x.findArray(x.places(s.top().copy, in.Dst))
	if a < 0 || x.form.Arrays[a].End != heapEnd {
		return false
	}
	switch y := x.form.Arrays[a]; {
	case !s.held[y.Region]:
		x.fail("an array is allocated without its lock")
	case y.Count >= 0 && !s.arr.raw[a] && s.arr.most[a] > 0:
		x.fail("an array is allocated while elements are used")
	default:
		if s.empty(a); y.Count < 0 {
			s.arr.raw[a] = !zero
		}
	}
	return true
}
