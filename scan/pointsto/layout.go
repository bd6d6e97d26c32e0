package pointsto

import (
	"slices"

	"comus/cir"
)

// What is allocated has no type of its own. A first analysis, without any, finds which structs the program takes it for: members are accessed by paths that say
// of which struct they are. The one that is named most directly becomes its layout in a second analysis. Any would do: what is a layout decides only
// which bytes are told apart, and what does not fit it may be anywhere (fits.go).

// claim is that a struct stands at the beginning of an object, by a pointer to so many locations.
type claim struct {
	of    *cir.Shape
	among int
	asked bool // the allocation is given its size as an argument
}

// maxAmong bounds the locations of a pointer whose claim counts where the allocation does not ask for the struct's size.
const maxAmong = 2

// better reports whether a claim is more likely the true one.
func (c claim) better(d claim) bool {
	switch {
	case c.asked != d.asked:
		return c.asked
	case c.among != d.among:
		return c.among < d.among
	}
	return c.of.Size > d.of.Size
}

// claims returns the best claim about each object that is allocated.
func (a *analysis) claims() map[*Object]claim {
	best := map[*Object]claim{}
	a.eachOffset(func(n *node, in *cir.Offset) {
		if in.Of == nil || in.Of.Size <= 0 {
			return
		}
		set := n.set.AppendTo(nil)
		for _, id := range set {
			l := a.locs[id]
			if l.Obj.Site == nil || l.Off != Any && l.Obj.Reduce(l.Off+in.At) != 0 {
				continue
			}
			c := claim{in.Of, len(set), l.Obj.asks(in.Of.Size)}
			if d, ok := best[l.Obj]; (c.asked || c.among <= maxAmong) && (!ok || c.better(d)) {
				best[l.Obj] = c
			}
		}
	})
	return best
}

// nameObjects notes what objects that are allocated are taken for, for people.
func (a *analysis) nameObjects() {
	best := a.claims()
	arrays := a.findArrays(best)
	for o, c := range best {
		o.claimed = layoutOf(c.of, arrays[o])
	}
}

// findLayouts returns the layouts of objects that are allocated.
func (a *analysis) findLayouts() map[objectKey]*cir.Shape {
	best := a.claims()
	arrays := a.findArrays(best)
	layouts := map[objectKey]*cir.Shape{}
	for o, c := range best {
		if !a.open && !o.needs(c.of) {
			continue
		}
		if s := layoutOf(c.of, arrays[o]); s != nil && (a.open || o.fills(s)) {
			layouts[objectKey{o.Site, o.Ctx}] = s
		}
	}
	return layouts
}

// eachOffset calls f for each instruction that moves a pointer, with where it points before.
func (a *analysis) eachOffset(f func(*node, *cir.Offset)) {
	for _, x := range a.order {
		for _, b := range x.fn.Blocks {
			for _, in := range b.Instrs {
				if o, ok := in.(*cir.Offset); ok {
					if n := a.value(x, o.P); n != nil {
						f(find(n), o)
					}
				}
			}
		}
	}
}

// asks reports whether an allocation, or a call of a wrapper that leads to it, is given a size as one of its arguments.
func (o *Object) asks(size int64) bool {
	if o.Size() == size {
		return true
	}
	for c := &o.Ctx; c != nil; c = c.Up {
		if c.Call != nil && slices.ContainsFunc(c.Call.Args, func(x cir.Arg) bool { return constant(x.X) == size }) {
			return true
		}
	}
	return false
}

// needs reports whether an object's members are not told apart without a layout: it is indexed, and not from one struct to the next. Steps that are larger than a struct
// are from one of another, larger struct to the next, as from one pthread_mutex_t to the next, of which the library knows the smaller beginning.
func (o *Object) needs(s *cir.Shape) bool { return o.Stride > 0 && o.Stride < s.Size }

// fills reports whether a layout is one of all bytes of an object, as far as it is known how many there are.
func (o *Object) fills(s *cir.Shape) bool {
	size := o.Size()
	switch {
	case size < 0:
		return true
	case s.Elem != nil:
		return size%s.Elem.Size == 0
	case isOpen(s, len(s.Fields)-1):
		return size >= s.Fields[len(s.Fields)-1].Offset
	}
	return size == s.Size
}

// findArrays finds the objects with a claim that pointers step over, from one struct to the next.
func (a *analysis) findArrays(claims map[*Object]claim) map[*Object]bool {
	found := map[*Object]bool{}
	for o, c := range claims {
		if whole := o.Size(); whole > c.of.Size && whole%c.of.Size == 0 {
			found[o] = true
		}
	}
	a.eachOffset(func(n *node, in *cir.Offset) {
		if in.Of != nil {
			return
		}
		step := in.Disp
		if in.Index != nil {
			step = in.Scale
		}
		for _, id := range n.set.AppendTo(nil) {
			o := a.locs[id].Obj
			if c, ok := claims[o]; ok && step != 0 && step%c.of.Size == 0 {
				found[o] = true
			}
		}
	})
	return found
}

// layoutOf returns the layout of one struct, whose last array goes on as far as the memory does, or of an array of such; nil if there is none.
func layoutOf(s *cir.Shape, array bool) *cir.Shape {
	if s.Union || len(s.Fields) == 0 {
		return nil
	}
	k := len(s.Fields) - 1
	last := s.Fields[k].Shape
	switch {
	case endsOpen(last) && (array || last.Elem == nil || last.Elem.Size <= 0):
		return nil
	case array:
		return &cir.Shape{Elem: s}
	case last.Elem == nil || s.Fields[k].Bits != nil || last.Elem.Size <= 0:
		return s
	}
	t, tail := *s, *last
	tail.Len, tail.Size = 0, 0
	t.Fields = slices.Clone(s.Fields)
	t.Fields[k].Shape = &tail
	return &t
}

// endsOpen reports whether a shape ends with an array of no length, or of one element, which may stand for none.
func endsOpen(s *cir.Shape) bool {
	if s.Elem != nil {
		return s.Len <= 1
	}
	return len(s.Fields) > 0 && endsOpen(s.Fields[len(s.Fields)-1].Shape)
}

// Vague reports whether an object that is allocated is accessed by pointers of which nobody knows where in it they point: to tell its members
// apart would be of little use.
func (o *Object) Vague() bool { return o.layout != nil && o.vague }

// findVague finds the objects with a layout that are accessed somewhere.
func (r *Result) findVague() {
	for _, o := range r.Objects {
		for h := range o.How {
			o.vague = o.vague || h.Off == Any
		}
	}
}
