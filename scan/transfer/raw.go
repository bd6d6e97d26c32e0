package transfer

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// Nobody knows what a local variable holds when its life begins. Its containers are raw then: a cell may hold anything but the address of an object. The first thread writes to them while it is
// alone; when it ends to be alone, none may be raw any more. So it is noted which elements it has left with nothing raw, by where they are in the array: in loops with numbers that are
// known, these are followed number by number.

// maxRaw is how many elements an array may have that begins raw.
const maxRaw = 256

// inited are the elements that are not raw any more.
type inited [maxRaw / 64]uint64

func (n *inited) set(i int64, is bool) {
	if n[i/64] &^= 1 << (i % 64); is {
		n[i/64] |= 1 << (i % 64)
	}
}

func (n *inited) has(i int64) bool { return n[i/64]>>(i%64)&1 == 1 }

// arrayAround returns where the outermost array begins and ends that a location is in.
func arrayAround(l pointsto.Location) (lo, hi int64, ok bool) {
	s, at := l.Obj.Shape(), int64(0)
	for s != nil && !s.Union && s.Elem == nil {
		i := slices.IndexFunc(s.Fields, func(f cir.Field) bool {
			return f.Bits == nil && at+f.Offset <= l.Off && l.Off < at+f.Offset+f.Shape.Size
		})
		if i < 0 {
			return 0, 0, false
		}
		s, at = s.Fields[i].Shape, at+s.Fields[i].Offset
	}
	if s == nil || s.Elem == nil || s.Len < 1 {
		return 0, 0, false
	}
	return at, at + s.Len*s.Elem.Size, true
}

// rawNow reports whether elements may be raw.
func (x *explorer) rawNow(s *state) bool {
	return x.form.Kind != nil && x.form.Kind.Raw && s.alone && s.phase == 0 && !x.allInited(s)
}

func (x *explorer) allInited(s *state) bool {
	for i := range x.form.Kind.elements() {
		if !s.inited.has(i) {
			return false
		}
	}
	return true
}

// elements is how many elements a kind has.
func (k *Kind) elements() int64 { return (k.End - k.Begin) / (k.Hi - k.Lo) }

// place returns the number of an element, -1 if it is not known.
func (x *explorer) place(s *state, sym int) int64 { return x.placeBy(s, sym, len(s.derived)) }

// placeBy is place by so many recipes at most: on a path that cannot happen, an element may be said to be the one behind itself.
func (x *explorer) placeBy(s *state, sym, most int) int64 {
	if most == 0 {
		return -1
	}
	k := x.form.Kind
	for _, d := range s.derived {
		if d.to != sym || d.by > 0 {
			continue
		}
		at := d.disp
		switch {
		case d.obj == k.Obj.ID:
			at += d.at - k.Begin
		case d.obj >= 0:
			continue
		default:
			n := x.placeBy(s, d.from, most-1)
			if n < 0 {
				continue
			}
			at += n * (k.Hi - k.Lo)
		}
		if at >= 0 && at%(k.Hi-k.Lo) == 0 && at/(k.Hi-k.Lo) < k.elements() {
			return at / (k.Hi - k.Lo)
		}
	}
	return -1
}

// isRaw tells a state that only raw containers are in.
func (e State) isRaw() bool {
	return !e.In && slices.ContainsFunc(e.Cells, func(w Word) bool { return w.Is == Else })
}

// begun returns the states that an element may be found in: while it may be raw, others too.
func (x *explorer) begun(s *state, r int) []State {
	all := x.known(s, r)
	if !x.rawNow(s) {
		return all
	}
	if n := x.place(s, s.which[r]); n >= 0 && s.inited.has(n) {
		return all
	}
	return slices.Concat(x.first[r], all)
}

// leaves notes whether an element is left raw. It reports whether that is so.
func (x *explorer) leaves(s *state, r int, e State) bool {
	if !x.form.isSlot(r) || !x.form.Kind.Raw || !s.alone || s.phase > 0 {
		return false
	}
	raw, n := e.isRaw(), x.place(s, s.which[r])
	switch {
	case n >= 0:
		s.inited.set(n, !raw)
	case raw:
		s.inited = inited{}
	}
	return raw
}

// lastRaw returns the number of the element that the first thread looked at last when it ends to be alone for the first time.
func (x *explorer) lastRaw(s *state, r int) int64 {
	if !x.form.isSlot(r) || !x.form.Kind.Raw || s.alone || s.phase > 0 {
		return -1
	}
	return x.place(s, s.which[r])
}

// counting reports whether numbers are followed one by one now.
func (x *explorer) counting(s *state, n int) bool {
	return x.rawNow(s) && n >= 0 && int64(n) <= x.form.Kind.elements()
}

// countOn computes with known numbers while elements are raw.
func (x *explorer) countOn(s *state, in *cir.Binary, a, b value) (v value, known bool) {
	if in.Op != cir.Add || a.k != number || b.k != number || in.Dst.Type.IsFloat() || in.Dst.Type.Bits < 32 || !x.counting(s, a.n) || !x.counting(s, a.n+b.n) {
		return v, false
	}
	return value{number, a.n + b.n, 0}, true
}

// compareNumbers compares known numbers by an order while elements are raw.
func (x *explorer) compareNumbers(s *state, in *cir.Compare, a, b value) (v value, known bool) {
	if a.k != number || b.k != number || !x.counting(s, a.n) || !x.counting(s, b.n) {
		return v, false
	}
	is := false
	switch in.Pred {
	case cir.Lt:
		is = a.n < b.n
	case cir.Le:
		is = a.n <= b.n
	case cir.Gt:
		is = a.n > b.n
	case cir.Ge:
		is = a.n >= b.n
	default:
		return v, false
	}
	return value{number, int(bit(is)), 0}, true
}
