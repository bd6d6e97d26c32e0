package pointsto

import (
	"fmt"

	"comus/cir"
)

// Object is what memory is made of, before anything is inlined: a global, a local of a function in a context (all its
// activations), what one instruction allocates in a context (all its objects), a function, or
// everything outside of the program.
type Object struct {
	ID     int
	Global *cir.Global
	Func   *cir.Func  // a function, whose address it is; or that of Local or Site
	Local  *cir.Local // of Func in Ctx
	Site   cir.Instr  // *cir.Alloca or *cir.Intrinsic (Alloc) of Func in Ctx
	Ctx    Context
	// External is the one object that stands for memory outside of the program.
	External bool
	// Stride is the distance after which the object is taken to repeat itself, 0 for never:
	// found from indexed accesses, where there is no shape.
	Stride int64
	// Escaped tells that other threads may get its address.
	Escaped bool
	// Written tells that something may be written there after the program began.
	Written bool
	// Freed tells that Free or Resize may be given the object's address.
	Freed bool
	// How tells how the object is accessed.
	How map[Access]bool

	layout  *cir.Shape      // of what is allocated: what its uses say that it is
	claimed *cir.Shape      // the same, for names alone: see [Object.Looks]
	cells   map[int64]*node // those of one object are one as soon as there is one for Any
	locs    map[int64]int   // the numbers of its locations
	address *node           // a constant: holds the object's address
	capped  bool            // too many offsets turned up: none are told apart
	end     int64           // where it ends; 0: not known
	strays  int             // the number of locations out of it that are told exactly
	scalars int             // the number of offsets that its shape has; 0: not counted
	readers []reader        // copies of bytes of this object
	// accessed has a bit for each of [Result.Roots] that may load or store in the object, passed for each that may pass it to a function of
	// the library, or an unknown one, that accesses it.
	accessed, passed map[int]bool
	// flooded are nodes that flow into cells of this object wherever they are.
	flooded []flood
	outside bool // known outside, and told
	vague   bool // accessed at offsets that are not known
}

// Any is an offset that is not known.
const Any = int64(-1 << 62)

// Location is a place in memory: offset Off of Obj, or any offset of it.
type Location struct {
	Obj *Object
	Off int64
}

// String names the object, for people and tests.
func (o *Object) String() string {
	switch {
	case o.External:
		return "outside"
	case o.Global != nil:
		return o.Global.Name
	case o.Local != nil:
		return fmt.Sprintf("%s.%s", o.Func.Name, localName(o.Local))
	case o.Site != nil:
		return fmt.Sprintf("heap@%s%s", o.Func.Name, placeOf(o))
	}
	return o.Func.Name
}

func localName(l *cir.Local) string {
	if l.Name == "" {
		return fmt.Sprintf("$%d", l.Index)
	}
	return l.Name
}

// placeOf tells where an allocated object comes from.
func placeOf(o *Object) string {
	site := o.Site.Meta().Site
	if o.Ctx.Call != nil {
		site = o.Ctx.Outer().Site
	}
	if site == nil {
		return ""
	}
	return fmt.Sprintf(":%d", site.Pos.Line)
}

// IsFunc reports whether the object is a function.
func (o *Object) IsFunc() bool { return o.Func != nil && o.Local == nil && o.Site == nil }

// Shape returns how C divides the object up, nil if nobody knows.
func (o *Object) Shape() *cir.Shape {
	switch {
	case o.Global != nil:
		return o.Global.Shape
	case o.Local != nil:
		return o.Local.Shape
	}
	return o.layout
}

// Looks returns what the program takes an object for, nil if that is not known. Nothing may rest on it but what people are shown.
func (o *Object) Looks() *cir.Shape {
	if s := o.Shape(); s != nil {
		return s
	}
	return o.claimed
}

// bound returns where an object ends as far as is known: no pointer within it goes further.
func (o *Object) bound() int64 {
	s := o.layout
	if s == nil {
		return o.Size()
	}
	if s.Elem != nil && s.Len == 0 || len(s.Fields) > 0 && isOpen(s, len(s.Fields)-1) {
		return open
	}
	return s.Size
}

// Size returns the object's size in bytes, -1 if it is not the same for all it stands for, or not known.
func (o *Object) Size() int64 {
	switch {
	case o.Global != nil:
		return o.Global.Size
	case o.Local != nil:
		return o.Local.Size
	}
	var size cir.Value
	switch s := o.Site.(type) {
	case *cir.Alloca:
		size = s.Size
	case *cir.Intrinsic:
		size = s.Args[len(s.Args)-1]
	}
	if c, ok := size.(cir.Int); ok && c.Hi == 0 && c.Lo < 1<<62 {
		return int64(c.Lo)
	}
	return -1
}

// Reduce returns the offset that stands for off: elements of arrays are one.
func (o *Object) Reduce(off int64) int64 {
	if o.External || o.IsFunc() {
		return 0
	}
	if off == Any || off == above || off == below || o.capped {
		return Any
	}
	if s := o.Shape(); s != nil {
		if off < 0 || off > o.bound() {
			return Any // a pointer that nobody follows, or that is taken back into the object
		}
		return reduce(s, off)
	}
	if o.Stride > 0 && off >= 0 {
		return off % o.Stride
	}
	return off
}

// reduce maps an offset within a shape to that of the first elements of the arrays it goes through.
func reduce(s *cir.Shape, off int64) int64 {
	switch {
	case s.Elem != nil && s.Elem.Size > 0:
		return reduce(s.Elem, off%s.Elem.Size)
	case s.Union:
		// Members overlap: only an array that is all of it keeps its stride.
		return off
	}
	for i := range s.Fields {
		f := &s.Fields[i]
		end := f.Offset + f.Shape.Size
		if f.Shape.Elem != nil && f.Shape.Len == 0 && i == len(s.Fields)-1 {
			end = off + 1 // a flexible array
		}
		if f.Offset <= off && off < end && f.Bits == nil {
			return f.Offset + reduce(f.Shape, off-f.Offset)
		}
	}
	return off
}
