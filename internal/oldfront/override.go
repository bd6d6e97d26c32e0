package cfront

import "slices"

// overriding collects the initialisers of scalars. Those of a part of an object
// override all earlier ones of it, which are not evaluated: what a later list or
// string does not mention is zero, whatever came before.
type overriding struct {
	leaves []leaf
	far    int64 // the largest offset of a scalar so far
}

// add appends the initialiser of a scalar. It returns false if that is one of a struct
// that has an initialiser as a whole: compilers do not agree on what is left of that.
func (o *overriding) add(l leaf) bool {
	if l.cell.off <= o.far { // else it is the first one
		if !o.clear(l.cell.off, l.cell.typ.size, func(m leaf) bool { return m.cell == l.cell }) {
			return false
		}
	}
	o.far = max(o.far, l.cell.off)
	o.leaves = append(o.leaves, l)
	return true
}

// addWhole appends the initialiser of a struct.
func (o *overriding) addWhole(l leaf) bool {
	ok := o.clearAll(l.cell.off, l.whole.size)
	o.far = max(o.far, l.cell.off+l.whole.size-1)
	o.leaves = append(o.leaves, l)
	return ok
}

// clearAll drops the initialisers of the scalars in size bytes from off.
func (o *overriding) clearAll(off, size int64) bool {
	return o.clear(off, size, func(m leaf) bool { return off <= m.cell.off && m.cell.off < off+size })
}

// clear drops those initialisers that are in size bytes from off. It returns false if one
// of a struct would be dropped in part.
func (o *overriding) clear(off, size int64, in func(leaf) bool) bool {
	whole := true
	o.leaves = slices.DeleteFunc(o.leaves, func(m leaf) bool {
		if m.whole != nil {
			from, to := m.cell.off, m.cell.off+m.whole.size
			if to <= off || off+size <= from {
				return false
			}
			whole = whole && off <= from && to <= off+size
			return true
		}
		return in(m)
	})
	return whole
}
