package scancheck

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// Arrays that are allocated, once. Which element an address leads to is known if it is that of the first one, plus an index: so addresses of other elements may be computed and
// used for loads and stores, but not be stored, passed, returned, or turned into something else. Then all others that lead there, wherever they come from, are what the allocation returned.

// isHeapRow reports whether a location is all elements of such an array.
func (w *transferWalk) isHeapRow(l pointsto.Location) bool {
	o := l.Obj
	if o.Site == nil || !o.Func.Library || o.Func.Source != "malloc" && o.Func.Source != "calloc" || o.Shape() != nil || o.Stride != w.word || l.Off != 0 || w.objects[o] {
		return false
	}
	for c, cp := range w.ls.copies {
		inner := w.computedIn(cp.Func)
		ok := true
		for _, b := range cp.Func.Blocks {
			leads := func(v cir.Value) {
				if r, isReg := v.(*cir.Reg); isReg && inner[r] {
					for _, l := range w.at(c, v) {
						ok = ok && l.Obj != o
					}
				}
			}
			for _, in := range b.Instrs {
				ok = ok && !w.disturbs(c, in, o)
				switch in := in.(type) {
				case *cir.Load, *cir.Compare:
				case *cir.Store:
					leads(in.X)
				case *cir.Offset:
					if in.Index != nil {
						leads(in.Index)
					}
				default:
					cir.Operands(in, leads)
				}
			}
			cir.TermOperands(b.Term, leads)
		}
		if !ok {
			return false
		}
	}
	return true
}

// disturbs reports whether an instruction may change a part of an address of an object that is in memory, or count it up.
func (w *transferWalk) disturbs(c int, in cir.Instr, o *pointsto.Object) bool {
	counts := false
	switch in := in.(type) {
	case *cir.Store, *cir.CmpXchg, *cir.Copy, *cir.Fill:
	case *cir.RMW:
		counts = in.Op != cir.Xchg
	case *cir.Intrinsic:
		if in.Op != cir.HavocBytes && in.Op != cir.ReadIn && in.Op != cir.ReadLine {
			return false
		}
	default:
		return false
	}
	is := func(l pointsto.Location) bool { return l.Obj == o }
	for _, t := range w.ls.touches(in, w.ls.copies[c]) {
		if t.ptr == nil || !t.write {
			continue
		}
		for _, l := range w.at(c, t.ptr) {
			if !slices.ContainsFunc(w.ls.pts.Held(l.Obj), is) {
				continue
			}
			const most = 1 << 12
			e := bytesOf(l, t)
			if e == everywhere || e.hi-e.lo > most {
				return true
			}
			for off := max(e.lo-w.word+1, 0); off < e.hi; off++ {
				whole := off >= e.lo && off+w.word <= e.hi && off == l.Obj.Reduce(off)
				if (counts || !whole) && slices.ContainsFunc(w.ls.pts.Contents(l.Obj, off), is) {
					return true
				}
			}
		}
	}
	return false
}

// computedIn returns the registers of a function that are computed: neither loaded, nor parameters, nor results of allocations or calls of known functions.
func (w *transferWalk) computedIn(f *cir.Func) map[*cir.Reg]bool {
	m, known := w.inner[f]
	if known {
		return m
	}
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
	w.inner[f] = m
	return m
}

// isBase reports whether an operand is the address of the first element of an allocated array, or null.
func (w *transferWalk) isBase(c int, v cir.Value) bool {
	r, ok := v.(*cir.Reg)
	return ok && !w.computedIn(w.ls.copies[c].Func)[r]
}

// makesRow is an allocation of an array: its elements hold null, or nobody knows what. It reports whether it is that.
func (w *transferWalk) makesRow(s *hstate, in *cir.Call, zero bool) bool {
	at := w.at(s.frame().copy, in.Dst)
	row := w.row(at)
	if row < 0 || !w.rows[row].heap {
		for _, r := range w.rows {
			if r.heap && slices.ContainsFunc(at, func(l pointsto.Location) bool { return l.Obj == r.at.Obj }) {
				w.no("it is not known what is allocated", in)
			}
		}
		return false
	}
	switch r := &s.rows[row]; {
	case !s.open[w.rows[row].box]:
		w.no("an array is allocated without its lock", in)
	case w.rows[row].count < 0:
		*r = hrow{hi: plenty, lost: !zero}
	case !r.lost && r.hi > 0:
		w.no("an array in use is allocated", in)
	default:
		r.elems, r.hidden = nil, 0
	}
	s.frame().assign(in.Dst, hval{})
	return true
}
