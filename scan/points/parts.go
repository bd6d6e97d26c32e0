package points

import (
	"maps"
	"slices"

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
				case *cir.Convert:
					if !a.carries(in.Dst.Type) && a.known(a.value(x, in.X)) {
						return true
					}
				case *cir.Load:
					if !a.carries(in.Type) && a.loadsPart(x, in.Addr) {
						return true
					}
				case *cir.RMW:
					if !a.carries(in.Type) && in.Dst != nil && a.loadsPart(x, in.Addr) {
						return true
					}
				}
			}
		}
	}
	return false
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
	if off = o.reduce(off); off != Any {
		if c := o.cells[off]; c != nil {
			return []*node{c}
		}
		return nil
	}
	return slices.Collect(maps.Values(o.cells))
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
		first := l.Obj.reduce(l.Off)
		for k := int64(1); k < int64(t.Bits/8); k++ {
			off := l.Obj.reduce(l.Off + k)
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

// asBytes returns where a pointer may point that was one to something else and is one to bytes now. At the beginning of an array
// of bytes it may have been one to a struct, all of whose bytes it is walked over, and not to that array's only.
func asBytes(l Location) Location {
	s := l.Obj.Shape()
	if l.Off == Any || s == nil || l.Obj.IsFunc() || l.Obj.External {
		return l
	}
	around := levels(s, l.Off, 0, nil)
	if len(around) == 0 {
		return l
	}
	if in := around[len(around)-1]; in.elem == 1 && (in.start > 0 || in.count < l.Obj.Size()) {
		return Location{l.Obj, Any}
	}
	return l
}

// walkBytes finds objects with arrays of bytes among other members that pointers to bytes walk over: these leave
// the arrays, too. It reports whether there are such that were not known.
func (a *analysis) walkBytes() (found bool) {
	done := map[*node]bool{}
	walk := func(x *instance, addr cir.Value, t cir.Type) {
		n := a.value(x, addr)
		if n == nil || t.Bits != 8 || done[find(n)] {
			return
		}
		done[find(n)] = true
		for _, id := range find(n).set.AppendTo(nil) {
			l := a.locs[id]
			if s := l.Obj.Shape(); s != nil && l.Off > 0 && !l.Obj.External && !l.Obj.IsFunc() && !l.Obj.capped && withinScalar(s, l.Off) && hasBytes(s) {
				l.Obj.capped, found = true, true
				a.cell(l.Obj, Any)
			}
		}
	}
	for _, x := range a.order {
		for _, b := range x.fn.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *cir.Load:
					walk(x, in.Addr, in.Type)
				case *cir.Store:
					walk(x, in.Addr, in.Type)
				case *cir.RMW:
					walk(x, in.Addr, in.Type)
				}
			}
		}
	}
	return found
}

// withinScalar reports whether an offset is behind the first byte of a scalar.
func withinScalar(s *cir.Shape, off int64) bool {
	switch {
	case s.Elem != nil:
		return s.Elem.Size > 0 && withinScalar(s.Elem, off%s.Elem.Size)
	case s.Union:
		return false
	case len(s.Fields) == 0:
		return off > 0 && off < s.Size
	}
	for i := range s.Fields {
		if f := &s.Fields[i]; f.Bits == nil && f.Offset <= off && off < f.Offset+f.Shape.Size {
			return withinScalar(f.Shape, off-f.Offset)
		}
	}
	return false
}

// hasBytes reports whether a shape has an array of bytes.
func hasBytes(s *cir.Shape) bool {
	if s.Elem != nil {
		return s.Elem.Size == 1 || hasBytes(s.Elem)
	}
	for i := range s.Fields {
		if !s.Union && hasBytes(s.Fields[i].Shape) {
			return true
		}
	}
	return false
}
