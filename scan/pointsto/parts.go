package pointsto

import (
	"golang.org/x/tools/container/intsets"

	"comus/cir"
)

// A program may take a pointer to pieces and make it whole again: copy it byte by byte, or send its halves. As a rule no
// scalar that is smaller than a pointer has anything to do with addresses, and the analysis does not follow them.
// Where a part of an address is seen, it begins again and follows scalars of all sizes (parts). Of the parts in memory
// only the first one counts: whoever makes the pointer again needs it, too.

// takesParts reports whether a part of an address is found in a scalar that is too small for one.
func (a *analysis) takesParts() bool {
	for _, x := range a.order {
		for _, b := range x.fn.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *cir.Convert, *cir.Bitcast, *cir.Overflow:
					if !a.carries(cir.Results(in)[0].Type) && a.computesPart(x, in) {
						return true
					}
				case *cir.Load:
					if !a.carries(in.Type) && a.loadsPart(x, in.Addr) {
						return true
					}
				case *cir.Store: // bits of a number
					if in.Bits != nil && a.known(a.value(x, in.X)) {
						return true
					}
				case *cir.RMW:
					if !a.carries(in.Type) && in.Dst != nil && a.loadsPart(x, in.Addr) {
						return true
					}
				case *cir.CmpXchg:
					if !a.carries(in.Type) && in.Old != nil && a.loadsPart(x, in.Addr) {
						return true
					}
				}
			}
		}
	}
	return false
}

// computesPart reports whether something is computed of an address.
func (a *analysis) computesPart(x *instance, in cir.Instr) (part bool) {
	cir.Operands(in, func(v cir.Value) { part = part || a.known(a.value(x, v)) })
	return part
}

// known reports whether a node has locations within the program.
func (a *analysis) known(n *node) bool {
	if n == nil {
		return false
	}
	n = find(n)
	for _, id := range n.set.AppendTo(nil) {
		if l := a.locs[id]; !l.Obj.External {
			return true
		}
	}
	return false
}

// loadsPart reports whether there is an address where something is loaded.
func (a *analysis) loadsPart(x *instance, addr cir.Value) bool {
	n := a.value(x, addr)
	if n == nil {
		return false
	}
	for _, id := range find(n).set.AppendTo(nil) {
		l := a.locs[id]
		if l.Obj.External || l.Obj.IsFunc() {
			continue
		}
		for _, c := range l.Obj.held(l.Off) {
			if a.known(c) {
				return true
			}
		}
	}
	return false
}

// held returns the cells at an offset, all for any.
func (o *Object) held(off int64) []*node {
	if c := o.cells[Any]; c != nil {
		return []*node{c}
	}
	if off = o.Reduce(off); off != Any {
		if c := o.cells[off]; c != nil {
			return []*node{c}
		}
		return nil
	}
	var all []*node
	for _, k := range o.offsets() {
		all = append(all, o.cells[k])
	}
	return all
}

// joinParts makes one cell of those that a load takes in beside the one where it begins. It reports whether something
// changed.
func (a *analysis) joinParts() (changed bool) {
	done := map[notedKey]bool{}
	for _, x := range a.order {
		for _, b := range x.fn.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *cir.Load:
					changed = a.joinAt(x, in.Addr, in.Type, done) || changed
				case *cir.RMW:
					changed = a.joinAt(x, in.Addr, in.Type, done) || changed
				case *cir.CmpXchg:
					changed = a.joinAt(x, in.Addr, in.Type, done) || changed
				}
			}
		}
	}
	return changed
}

func (a *analysis) joinAt(x *instance, addr cir.Value, t cir.Type, done map[notedKey]bool) (changed bool) {
	n := a.value(x, addr)
	if n == nil || t.Bits <= 8 {
		return false
	}
	n = find(n)
	key := notedKey{n: n, a: Access{Type: t}}
	if done[key] {
		return false
	}
	done[key] = true
	var set intsets.Sparse
	set.Copy(&n.set)
	for _, id := range set.AppendTo(nil) {
		l := a.locs[id]
		if l.Obj.External || l.Obj.IsFunc() || l.Obj.cells[Any] != nil || l.Off == Any {
			continue
		}
		first := l.Obj.Reduce(l.Off)
		for k := int64(1); k < int64(t.Bits/8); k++ {
			off := l.Obj.Reduce(l.Off + k)
			part := l.Obj.cells[off]
			if off == first || off == Any || part == nil || find(part).set.IsEmpty() {
				continue
			}
			if whole := a.cell(l.Obj, first); find(part) != find(whole) {
				a.unite(part, whole)
				changed = true
			}
		}
	}
	return changed
}
