package cfront

import "slices"

// overriding collects the initialisers of scalars. Those of a part of an object
// override all earlier ones of it, which are not evaluated: what a later list or
// string does not mention is zero, whatever came before.
type overriding struct {
	leaves []leaf
	far    int64 // the largest offset of a scalar so far
}

// add appends the initialiser of a scalar.
func (o *overriding) add(l leaf) {
	if l.cell.off <= o.far { // else it is the first one
		o.leaves = slices.DeleteFunc(o.leaves, func(m leaf) bool { return m.cell == l.cell })
	}
	o.far = max(o.far, l.cell.off)
	o.leaves = append(o.leaves, l)
}

// clear drops the initialisers of the scalars in size bytes from off.
func (o *overriding) clear(off, size int64) {
	o.leaves = slices.DeleteFunc(o.leaves, func(m leaf) bool { return off <= m.cell.off && m.cell.off < off+size })
}
