package scancheck

import (
	"slices"

	"comus/cir"
	"comus/scan/certificate"
)

// A local variable holds anything when its life begins, so containers in it are raw: cells hold null or an address, but none of an object that is allocated later. Only the first thread finds them so,
// and only until it has something run beside it for the first time; it is verified that by then it has left each element of the array in a state that is claimed.

// mostRaw is how many elements an array may have that begins raw.
const mostRaw = 256

// done tells which elements are known to be in a claimed state.
type done [mostRaw]bool

// readArray finds where the array of a kind begins and ends: the outermost one around its lock.
func (w *transferWalk) readArray() {
	k := w.kind
	shape, at := k.obj.Shape(), int64(0)
	for shape != nil && !shape.Union && shape.Elem == nil {
		var in *cir.Shape
		for _, f := range shape.Fields {
			if begin := at + f.Offset; f.Bits == nil && begin <= k.lo && k.lo < begin+f.Shape.Size {
				in, at = f.Shape, begin
				break
			}
		}
		shape = in
	}
	if shape == nil || shape.Elem == nil || shape.Len < 1 || at > k.lo {
		w.no("it is not known where the array of a kind ends", nil)
		return
	}
	k.begin, k.end = at, at+shape.Len*shape.Elem.Size
	if k.raw && (at != k.lo || shape.Elem.Size != k.hi-k.lo || shape.Len > mostRaw) {
		w.no("an array of a kind that begins raw has another form", nil)
	}
}

// number is how many elements the array of a kind has that begins raw.
func (k *boxKind) number() int64 { return (k.end - k.begin) / (k.hi - k.lo) }

// mayBeRaw reports whether some element may be raw.
func (w *transferWalk) mayBeRaw(s *hstate) bool {
	return w.kind != nil && w.kind.raw && s.single && s.kinds.time == 0 && slices.Contains(s.kinds.done[:w.kind.number()], false)
}

// mayBeRawStill is the same where the thread is alone no more.
func (w *transferWalk) mayBeRawStill(s *hstate) bool {
	return w.kind.raw && slices.Contains(s.kinds.done[:w.kind.number()], false)
}

// position returns which element has a mark, -1 if that is not known.
func (w *transferWalk) position(s *hstate, mark int) int64 {
	return w.positionIn(s, mark, len(s.kinds.made))
}

// positionIn is position in so many steps at most. A path that cannot happen may say that an element comes after itself.
func (w *transferWalk) positionIn(s *hstate, mark, steps int) int64 {
	if steps == 0 {
		return -1
	}
	k := w.kind
	for _, m := range s.kinds.made {
		if m.mark != mark || m.by > 0 {
			continue
		}
		at := m.to
		if m.at == k.obj.ID {
			at += m.off - k.begin
		} else if m.at >= 0 {
			continue
		} else if n := w.positionIn(s, m.of, steps-1); n >= 0 {
			at += n * (k.hi - k.lo)
		} else {
			continue
		}
		if at >= 0 && at%(k.hi-k.lo) == 0 && at/(k.hi-k.lo) < k.number() {
			return at / (k.hi - k.lo)
		}
	}
	return -1
}

// rawStates returns the states of raw containers.
func (w *transferWalk) rawStates() (list []certificate.ContainerState) {
	n := w.first[w.kind.box+1] - w.first[w.kind.box]
	for bits := range 1 << n {
		s := certificate.ContainerState{Link: certificate.Word{Is: "null"}}
		for i := range n {
			s.Cells = append(s.Cells, certificate.Word{Is: []string{"null", "else"}[bits>>i&1]})
		}
		list = append(list, s)
	}
	return list
}

// found returns the states that an element which is seated may be found in.
func (w *transferWalk) found(s *hstate, b int) []certificate.ContainerState {
	all := w.possible(s, b)
	if w.mayBeRaw(s) {
		if n := w.position(s, s.kinds.seated[b]); n < 0 || !s.kinds.done[n] {
			return slices.Concat(all, w.rawStates())
		}
	}
	return all
}

// leftRaw notes in what state an element is left while it may be raw. It reports whether that need not be claimed, as the element counts as raw.
func (w *transferWalk) leftRaw(s *hstate, b int, e certificate.ContainerState) bool {
	if !w.ofKind(b) || !w.kind.raw || s.kinds.time > 0 {
		return false
	}
	if !s.single { // the last one that the thread looked at while it was alone
		if n := w.position(s, s.kinds.seated[b]); n >= 0 && w.isClaimed(b, e) {
			s.kinds.done[n] = true
		}
		return false
	}
	raw := !e.In && !e.Pred && !w.isClaimed(b, e) && !slices.ContainsFunc(e.Cells, func(x certificate.Word) bool { return x.Is != "null" && x.Is != "else" })
	if n := w.position(s, s.kinds.seated[b]); n >= 0 {
		s.kinds.done[n] = !raw
	} else if raw {
		s.kinds.done = done{}
	}
	return raw
}

// counts reports whether a number is followed exactly, as elements may be raw.
func (w *transferWalk) counts(s *hstate, v hval) bool {
	return v.kind == hNumber && w.mayBeRaw(s) && v.id >= 0 && int64(v.id) <= w.kind.number()
}

// added adds known numbers while elements may be raw.
func (w *transferWalk) added(s *hstate, in *cir.Binary, a, b hval) (v hval, known bool) {
	t := in.Dst.Type
	if in.Op != cir.Add || !t.IsInt() || t.Bits < 32 || !w.counts(s, a) || !w.counts(s, b) {
		return v, false
	}
	v = hval{hNumber, a.id + b.id, 0}
	return v, w.counts(s, v)
}

// comparedNumbers compares known numbers by an order while elements may be raw. They are not negative, so they are ordered in the same way with a sign and without.
func (w *transferWalk) comparedNumbers(s *hstate, pred cir.Pred, a, b hval) (v hval, known bool) {
	if !w.counts(s, a) || !w.counts(s, b) {
		return v, false
	}
	switch pred {
	case cir.Lt:
		return isTrue(a.id < b.id), true
	case cir.Le:
		return isTrue(a.id <= b.id), true
	case cir.Gt:
		return isTrue(a.id > b.id), true
	case cir.Ge:
		return isTrue(a.id >= b.id), true
	}
	return v, false
}

// mayBeRecursive reports whether mutexes may be of another kind than the usual one: the program names their kinds, or begins one with attributes, which may come from anywhere.
func mayBeRecursive(prog *cir.Program) bool {
	for _, f := range prog.Funcs {
		if f.Source == "pthread_mutexattr_settype" {
			return true
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(*cir.Call)
				if !ok || f.Library {
					continue
				}
				if g, ok := call.Callee.(*cir.Func); ok && g.Source == "pthread_mutex_init" && (len(call.Args) != 2 || !isZero(call.Args[1].X)) {
					return true
				}
			}
		}
	}
	return false
}
