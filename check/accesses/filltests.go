package accesses

import (
	"maps"

	"comus/cir"
)

// A pointer that may be null is often put into an object first, and tested there: `j->f = make(); if (j->f == NULL) ...`. So objects are followed once more in another way: what is stored in a
// cell is a pointer that is not null, be it that a branch has told. Who gets the address then finds no null that the maker has put there. The maker itself may load one before it has tested
// that: these loads are early.

// testing is what is found out in that way.
type testing struct {
	early  map[int64]map[place]bool // by cells
	public map[place]bool           // stores that may be made when others have the address
	loaded map[int]known            // registers of the block that were loaded from cells: what is stored if they are not null
}

// puts follows a store of a pointer to a cell.
func (x *filling) puts(s knowing, a address, in *cir.Store) {
	here := place{x.copy, in}
	switch {
	case !in.Type.IsPointer() || !x.current(a) || !x.mayBeNull(in):
	case !s[known{kind: private}] || x.shared:
		if x.judging {
			x.tests.public[here] = true
		}
	default:
		x.zeros[here] = true
		x.empties(s, func(off int64) bool { return off == a.off || x.inArray(off) })
		return
	}
	x.fills(s, a, sizeOf(in.Type))
}

// mayBeNull reports whether a pointer that is stored may be null.
func (x *filling) mayBeNull(in *cir.Store) bool {
	switch v := in.X.(type) {
	case *cir.Global:
		return v.Weak
	case *cir.Local:
		return false
	case *cir.Func:
		return len(v.Blocks) == 0
	}
	return !x.p.fact(place{x.copy, in}, in.X).notNull
}

// readsEarly follows a load of a pointer. It reports whether it is one of the maker's own, which may find a null that it has put there.
func (x *filling) readsEarly(s knowing, a address, in *cir.Load) bool {
	if !x.current(a) {
		return false
	}
	for _, off := range x.cells {
		if off != a.off || a.back != 0 || (a.at == nil) == x.inArray(off) || a.at != nil && !x.elements(a.scale, off) {
			continue
		}
		x.tests.loaded[in.Dst.Index] = known{kind: stored, i: a.at, off: off}
		if x.holds(s, a, x.p.word, off) || !s[known{kind: private}] {
			return false
		}
		if x.judging {
			if x.tests.early[off] == nil {
				x.tests.early[off] = map[place]bool{}
			}
			x.tests.early[off][place{x.copy, in}] = true
		}
		return true
	}
	return false
}

// tested notes what a comparison with null tells of a cell.
func (x *filling) tested(in *cir.Compare, yes, no knowing) {
	r, ok := in.X.(*cir.Reg)
	if x.tests == nil || !ok || !isNull(in.Y) {
		return
	}
	k, ok := x.tests.loaded[r.Index]
	switch {
	case !ok:
	case in.Pred == cir.Ne:
		yes[k] = true
	case in.Pred == cir.Eq:
		no[k] = true
	}
}

// forgetsTests follows an instruction that may change what is in memory, or a local.
func (x *filling) forgetsTests(in cir.Instr) {
	if x.tests == nil {
		return
	}
	switch in := in.(type) {
	case *cir.Load, *cir.Offset, *cir.Compare, *cir.Convert, *cir.Unary, *cir.Binary:
	case *cir.Store:
		if l, ok := in.Addr.(*cir.Local); ok && x.f.plain[l] {
			maps.DeleteFunc(x.tests.loaded, func(_ int, k known) bool { return k.i == l })
			return
		}
		clear(x.tests.loaded)
	default:
		clear(x.tests.loaded)
	}
}
