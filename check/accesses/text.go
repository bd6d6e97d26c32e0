package accesses

import (
	"comus/cir"
	"comus/scan/pointsto"
)

// A string is an array of characters that always has a zero somewhere, from the time on at which others may read it: all that is ever written there is written by snprintf, to its
// beginning and of 1 to as many bytes as it has, or is zeros. So each byte of it may be read up to the first zero.

// textBit marks, beside the offsets of cells that hold pointers, those of arrays that hold strings.
const textBit = int64(1) << 40

// textArray returns the array of characters that a location is the beginning of, and the array that this is in a member of the elements of; in is false if there is none.
func (p *program) textArray(l pointsto.Location) (text, around array, in, ok bool) {
	o, s, at := l.Obj, l.Obj.Shape(), int64(0)
	if s == nil && o.Site != nil && o.Stride == 0 && l.Off >= 0 && l.Exact() { // not divided up: as many bytes as are printed there
		size := p.printed(l)
		return array{l.Off, l.Off + size, 1, l.Off == 0}, around, false, size > 0
	}
	if l.Off == pointsto.Any || l.Off < 0 || o.External || o.IsFunc() || s == nil {
		return text, around, false, false
	}
	for first := true; s != nil && !s.Union; first = false {
		if s.Elem != nil {
			if s.Elem.Size == 1 && s.Elem.Elem == nil && len(s.Elem.Fields) == 0 {
				size := s.Len
				if first && o.Size() >= 0 {
					size = o.Size()
				}
				if s.Len == 0 && !first {
					size = p.printed(l)
				}
				return array{at, at + size, 1, first}, around, in, at == l.Off && size > 0
			}
			if s.Elem.Size <= 0 {
				return text, around, in, false
			}
			around, in = array{at, at + s.Len*s.Elem.Size, s.Elem.Size, first}, true
			s = s.Elem
			continue
		}
		var m *cir.Shape
		for i := range s.Fields {
			f := &s.Fields[i]
			open := f.Shape.Elem != nil && f.Shape.Len == 0 && i == len(s.Fields)-1
			if f.Bits == nil && at+f.Offset <= l.Off && (open || l.Off < at+f.Offset+f.Shape.Size) {
				m, at = f.Shape, at+f.Offset
				break
			}
		}
		s = m
	}
	return text, around, in, false
}

// printed is how many bytes snprintf is given at a location, at most.
func (p *program) printed(l pointsto.Location) (size int64) {
	for _, w := range p.writes[l.Obj] {
		if w.kind == writesText && w.at == l {
			size = max(size, w.size)
		}
	}
	return size
}

// holdsText reports whether a location is the beginning of an array that always holds a string when somebody reads it.
func (p *program) holdsText(l pointsto.Location) bool {
	text, around, in, ok := p.textArray(l)
	if !ok || in && (!around.whole || text.end-around.start > around.elem) {
		return false
	}
	size := text.end - text.start
	o := l.Obj
	zero := o.Global != nil && !o.Global.External && len(o.Global.Data) == 0 && len(o.Global.Relocs) == 0 || zeroed(o)
	if !zero && !p.begun[pointsto.Location{Obj: o, Off: l.Off | textBit}] {
		return false
	}
	for _, w := range p.writes[o] {
		if !p.reached[w.by] || !w.at.Touches(w.size, l, size) {
			continue
		}
		switch {
		case w.kind == writesText && w.at == l && p.printsText(w.by, size):
		case w.kind == writesZeros:
		default:
			return false
		}
	}
	return true
}

// printsText reports whether a call of snprintf puts a string at the beginning of an array of a size.
func (p *program) printsText(at place, size int64) bool {
	in, ok := at.in.(*cir.Call)
	if !ok || len(in.Args) < 2 {
		return false
	}
	a, n := p.value(at, in.Args[0].X), p.fact(at, in.Args[1].X)
	return a.set && !a.wild && a.step != 1 && n.known && 1 <= n.lo && n.hi <= size
}

// zeroed reports whether an object is one that calloc allocates.
func zeroed(o *pointsto.Object) bool {
	if o.Site == nil || o.Ctx.Call == nil {
		return false
	}
	f := library(o.Ctx.Call)
	return f != nil && f.Library && f.Source == "calloc"
}
