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
		n := p.fact(at, in.Index)
		if !n.known {
			n.lo, n.hi = -unlimited, unlimited
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
	if n := p.fact(at, in.Index); in.Index != nil && a.count != nil && a.in == at.copy && in.Scale == a.each && n.known && n.lo >= 0 && slices.Contains(p.bounded[indexAt{at.copy, in}], a.count) {
		// The index is at most the count less 1, so that one more element is behind it.
		a.after = max(a.after-max(hi, 0), a.each-a.used-in.Disp)
		a.before, a.inner, a.loose = clamp(a.before+lo), true, true
		return p.elsewhere(at, in, a.uncounted(), from)
	}
	if in.Index != nil && in.Len > 0 {
		for _, l := range from {
			if !a.stays(l, in.Disp, times(in.Len, in.Scale)) {
				return wildPointer
			}
		}
		return a.moved(lo, hi).stepped(in.Scale)
	}
	return p.elsewhere(at, in, a.moved(lo, hi), from)
}

// elsewhere is an address that was computed, if package pointsto has it where it is.
func (p *program) elsewhere(at place, in *cir.Offset, moved attr, from []pointsto.Location) attr {
	out := moved
	for _, l := range from {
		x, in1 := arrayAround(l)
		if l.Off == pointsto.Any {
			return wildPointer
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

// fits reports whether so many bytes are where package pointsto has them, for a pointer that leads to some places.
func fits(a attr, ls []pointsto.Location, n int64) bool {
	return !slices.ContainsFunc(ls, func(l pointsto.Location) bool { return !a.stays(l, 0, n) })
}
