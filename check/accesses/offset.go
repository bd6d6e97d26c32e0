package accesses

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// offset is what is known of an address that is computed of another one. Where package pointsto has it somewhere else than it is, as it leaves an array that is a part of its
// object, nothing is known of it.
func (p *program) offset(at place, in *cir.Offset) attr {
	a := p.value(at, in.P)
	lo, hi := in.Disp, in.Disp
	if in.Index != nil {
		n := p.numberOf(at, in.Index)
		if !n.set {
			return attr{}
		}
		x, y := times(n.lo, in.Scale), times(n.hi, in.Scale)
		lo, hi = clamp(lo+min(x, y)), clamp(hi+max(x, y))
		if in.Len > 0 && (n.lo < 0 || n.hi >= in.Len) {
			return wildPointer
		}
	}
	if !a.set || a.wild || lo == 0 && hi == 0 {
		return a
	}
	from := p.places(at.copy, in.P)
	if a.null {
		return wildPointer
	}
	if in.Index != nil && in.Len > 0 {
		for _, l := range from {
			if size := times(in.Len, in.Scale); !a.stays(l, in.Disp, size) || !keepsIn(l, in.Disp, size, in.Scale) {
				return wildPointer
			}
		}
		return a.moved(lo, hi).stepped(in.Scale)
	}
	return p.elsewhere(at, in, p.moved(at, in, a, lo, hi), from)
}

// moved is a pointer that was moved on, from lo to hi bytes, with what is known of the room behind it.
func (p *program) moved(at place, in *cir.Offset, a attr, lo, hi int64) attr {
	to := a
	if hi >= unlimited && a.short != nil && lo > -unlimited {
		to.after = -unlimited // that is told by the room
		to = to.moved(lo, 0)
	} else {
		to = a.moved(lo, hi)
	}
	if a.short == nil || to.wild || in.Index != nil && in.Scale < 0 {
		return to
	}
	by := [][]*poly{{p.bounds.number(in.Disp)}}
	if in.Index != nil {
		by = nil
		for _, l := range p.uppers(p.numberOf(at, in.Index)) {
			var list []*poly
			for _, b := range l {
				list = append(list, p.bounds.plus(p.bounds.number(in.Disp), in.Scale, b))
			}
			by = append(by, list)
		}
	}
	all := p.sums(a.short.all, by)
	for _, l := range all {
		to.after = max(to.after, -p.most(l))
	}
	to.short = p.bounds.upper(all)
	return to
}

// sums are the upper bounds of a sum of two numbers.
func (p *program) sums(xs, ys [][]*poly) (all [][]*poly) {
	for _, x := range xs {
		for _, y := range ys {
			var list []*poly
			for _, a := range x {
				for _, b := range y {
					list = append(list, p.bounds.plus(a, 1, b))
				}
			}
			all = append(all, list)
		}
	}
	return all
}

// most returns the largest number of a list, unlimited if that is not known.
func (p *program) most(l []*poly) int64 {
	n := int64(-unlimited)
	for _, a := range l {
		k, known := a.constant()
		if !known {
			return unlimited
		}
		n = max(n, k)
	}
	return n
}

// minus is the upper bound of a number times -1.
func (p *program) minus(a *poly) *upper {
	return p.bounds.upper([][]*poly{{p.bounds.plus(p.bounds.number(0), -1, a)}})
}

// elsewhere is an address that was computed, if package pointsto has it where it is.
func (p *program) elsewhere(at place, in *cir.Offset, moved attr, from []pointsto.Location) attr {
	out := moved
	for _, l := range from {
		x, in1 := arrayAround(l)
		if l.Off == pointsto.Any {
			return wildPointer
		}
		if in.Index != nil && in.Of != nil { // to an element of an array at the end of a struct, of which the length is not told
			if n := p.numberOf(at, in.Index); n.lo < 0 || n.hi >= unlimited || !keepsIn(l, in.Disp, times(n.hi+1, in.Scale), in.Scale) {
				return wildPointer
			}
		}
		if in.Index != nil || in.Of == nil { // from one element to another one
			if in1 && x.member() {
				return wildPointer
			}
			d := in.Scale
			if in.Index == nil {
				d = max(in.Disp, -in.Disp)
			}
			if in1 && x.elem < d {
				d = x.elem
			}
			out = out.stepped(d)
			continue
		}
		if !moved.stays(l, in.Disp, 1) {
			return wildPointer
		}
		to := pointsto.Location{Obj: l.Obj, Off: l.Obj.Reduce(l.Off + in.Disp)}
		for _, y := range arraysAround(to) {
			if to.Off != l.Off+in.Disp || to.Off != y.start && (l.Off < y.start || l.Off >= y.start+y.elem) {
				out = out.stepped(y.elem) // into an array, but not to its beginning
			}
		}
	}
	return out
}

// argument is what is known of a pointer that main loads from the array of the program's arguments: package pointsto has that outside of the program.
func (p *program) argument(at place, in *cir.Load) (attr, bool) {
	fn := p.copies[at.copy].Func
	f := p.function(fn)
	if fn != p.prog.Entry || f.argv == nil || f.argc == nil || p.outsideWritten || !in.Type.IsPointer() || p.entersAgain() {
		return attr{}, false
	}
	k := int64(0)
	v := in.Addr
	if r, ok := v.(*cir.Reg); ok {
		if o, ok := f.defs[r.Index].(*cir.Offset); ok {
			if o.Index != nil || o.Disp < 0 || o.Disp%p.word != 0 {
				return attr{}, false
			}
			k, v = o.Disp/p.word, o.P
		}
	}
	r, ok := v.(*cir.Reg)
	if !ok {
		return attr{}, false
	}
	load, ok := f.defs[r.Index].(*cir.Load)
	if !ok || load.Addr != cir.Value(f.argv) {
		return attr{}, false
	}
	n, known := p.argc[at]
	p.assumed[assumeName] = true
	switch {
	case !known || k > n:
		return attr{}, false
	case k == n:
		return attr{set: true, null: true, after: 1}, true
	}
	return attr{set: true, after: 1}, true
}

// entersAgain reports whether the program itself may call the function that it begins with, or begin a thread with it, with any arguments.
func (p *program) entersAgain() bool {
	for c := range p.copies {
		if p.copies[c].Func == p.prog.Entry && (len(p.callers[c]) > 0 || p.begins(c)) {
			return true
		}
	}
	return false
}

// keepsIn reports whether some bytes, so far behind a location, along which an index goes by steps of a size, are all in the arrays that are there, or within one element of them: where
// package pointsto has all of these elements.
func keepsIn(l pointsto.Location, disp, size, step int64) bool {
	if l.Off == pointsto.Any || l.Off < 0 {
		return false
	}
	to := pointsto.Location{Obj: l.Obj, Off: l.Obj.Reduce(l.Off + disp)}
	for _, x := range arraysAround(to) {
		switch off := to.Off - x.start; {
		case x.elem > step: // the element is what is gone through
			if off < 0 || off%x.elem+size > x.elem {
				return false
			}
		case x.elem == step: // its elements are
			return !x.member() || x.end >= unlimited || off >= 0 && to.Off+size <= x.end
		case x.member() && x.end < unlimited && (off < 0 || to.Off+size > x.end): // several of its elements at a time
			return false
		}
	}
	return true
}

// endsWithin reports whether so many bytes from a location on end with the array of scalars that is there, if that is a part of its object only. Package pointsto has those who
// access a number of bytes that it does not know end with it.
func endsWithin(l pointsto.Location, size int64) bool {
	x, ok := arrayAround(l)
	return !ok || !x.member() || x.end >= unlimited || l.Off >= 0 && l.Off+size <= x.end
}

// allOf reports whether each location is in an object that is an array, of whole elements only: whatever is accessed of the object from there on is where package pointsto has it.
func allOf(ls []pointsto.Location) bool {
	return !slices.ContainsFunc(ls, func(l pointsto.Location) bool {
		all := arraysAround(l)
		return l.Off < 0 || len(all) > 1 || len(all) == 1 && !all[0].whole
	})
}

// fits reports whether so many bytes are where package pointsto has them, for a pointer that leads to some places.
func fits(a attr, ls []pointsto.Location, n int64) bool {
	return !slices.ContainsFunc(ls, func(l pointsto.Location) bool { return !a.stays(l, 0, n) })
}
