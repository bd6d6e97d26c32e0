package pointsto

import (
	"cmp"
	"slices"

	"comus/cir"
)

// Effective types (C11 6.5p6 and 7): an object that is declared is accessed as its type, as the type of the member or element that lies there, or by characters. Where that
// is assumed ([cir.Premises]), an access by the program's own code of a scalar of a pointer's, a number's or a float's type does not go to a scalar of another
// size or kind that it would have to go to by what is known of pointers only. It is the scalar that counts, not the struct around it: a pointer to a struct that begins
// like another one, or is the first member of another one, is fine.
//
// What is not declared is out of it: what is allocated has the type of what was stored there last. So is what C lets be accessed as something else, or programs
// do: members of unions, arrays of characters, which serve as memory, bit-fields, and all that is no plain access of one scalar: copies, atomic operations,
// what functions of the library do.

// plainType returns the type of an access by which effective types may exclude that it goes somewhere; None if they cannot.
func plainType(f *cir.Func, acc cir.Access) cir.Type {
	if f.Library || acc.Bits != nil || acc.Order != cir.Plain || acc.Type.Bits <= 8 {
		return cir.Type{}
	}
	t := acc.Type
	t.Signed = false
	return t
}

// Plain returns what [Aim.Plain] is for an instruction of a function: that of its only access, of a load or a store.
func Plain(f *cir.Func, in cir.Located) cir.Type {
	switch in := in.(type) {
	case *cir.Load:
		return plainType(f, in.Access)
	case *cir.Store:
		return plainType(f, in.Access)
	}
	return cir.Type{}
}

// leaf is a scalar of a shape that may be accessed as any type, if it is none that is known, or as its own.
type leaf struct {
	off, size int64
	t         cir.Type // None: anything goes
}

// leavesOf returns the scalars of a shape, in order, of arrays those of the first element; ok is false if not all of it is known.
func leavesOf(s *cir.Shape, at int64, list []leaf) (_ []leaf, ok bool) {
	switch {
	case s.Elem != nil && s.Elem.Size > 0 && s.Len > 0:
		n := len(list)
		if list, ok = leavesOf(s.Elem, at, list); ok && len(list) == n+1 && list[n].t.Kind == cir.None && s.Elem.Elem == nil && !s.Elem.Union {
			list[n].size = s.Size // characters: memory for anything
		}
		return list, ok
	case s.Elem != nil:
		return list, false
	case s.Union:
		return append(list, leaf{off: at, size: s.Size}), true
	case len(s.Fields) > 0:
		for i := range s.Fields {
			f := &s.Fields[i]
			if f.Bits != nil {
				list = append(list, leaf{off: at + f.Offset, size: 8})
				continue
			}
			if list, ok = leavesOf(f.Shape, at+f.Offset, list); !ok {
				return list, false
			}
		}
		return list, true
	case s.Scalar.Kind == cir.None:
		return list, false
	}
	t := s.Scalar
	t.Signed = false
	if t.Bits <= 8 {
		t = cir.Type{}
	}
	return append(list, leaf{off: at, size: s.Size, t: t}), true
}

// declared returns the scalars of an object that the program declares; ok is false if it is none, or not all is known of it.
func (r *Result) declared(o *Object) (list []leaf, ok bool) {
	var s *cir.Shape
	switch {
	case o.Global != nil && !o.Global.External && !o.Global.Library:
		s = o.Global.Shape
	case o.Local != nil && !o.Func.Library:
		s = o.Local.Shape
	}
	if s == nil {
		return nil, false
	}
	if r.leaves == nil {
		r.leaves = map[*cir.Shape][]leaf{}
	}
	list, known := r.leaves[s]
	if !known {
		if list, ok = leavesOf(s, 0, nil); !ok {
			list = nil
		}
		slices.SortFunc(list, func(x, y leaf) int { return cmp.Compare(x.off, y.off) })
		r.leaves[s] = list
	}
	return list, list != nil
}

// typed adds to a list where an access of a type goes that may go to a location by what is known of pointers. An access that goes nobody knows where in an object goes to the scalars of its type, if that is
// all that it can go to.
func (r *Result) typed(list []Location, l Location, t cir.Type) []Location {
	if !r.a.prog.Assume.EffectiveTypes || t.Kind == cir.None || l.Obj.External || l.Obj.IsFunc() {
		return append(list, l)
	}
	leaves, ok := r.declared(l.Obj)
	if !ok {
		return append(list, l)
	}
	size := r.a.prog.Model.SizeOf(t)
	if l.Off != Any {
		for _, x := range leaves {
			if x.off < l.Off+size && l.Off < x.off+x.size && (x.t.Kind == cir.None || x.t == t && x.off == l.Off) {
				return append(list, l)
			}
		}
		if gap(leaves, l.Off, size) {
			return append(list, l)
		}
		r.Typed = true
		return list
	}
	var found []Location
	for _, x := range leaves {
		switch {
		case x.t.Kind == cir.None && x.size >= size: // it may be anything that there is room for
			return append(list, l)
		case x.t == t && !l.Obj.capped:
			found = append(found, Location{l.Obj, x.off})
		case x.t == t:
			return append(list, l)
		}
	}
	r.Typed = true
	return append(list, found...)
}

// gap reports whether no scalar is where size bytes at an offset are.
func gap(leaves []leaf, off, size int64) bool {
	return !slices.ContainsFunc(leaves, func(x leaf) bool { return x.off < off+size && off < x.off+x.size })
}
