package scancheck

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// Words in which one thread keeps addresses of objects where no other thread may look: in locals, and in what it allocates. Nobody else writes there while
// the thread does not ([pointsto.Object.Escaped]). There is one of a local at a time, as no function that is followed calls itself; of what is allocated in one place the last
// one is followed, by a pointer (hLatest) that comes from the allocation. Writes by other pointers, or other instructions, make that nothing is known any more.

// findOwnWords finds these words.
func (w *transferWalk) findOwnWords() {
	found := map[pointsto.Location]bool{}
	for c, cp := range w.ls.copies {
		if cp.Func.Library {
			continue
		}
		for _, b := range cp.Func.Blocks {
			for _, in := range b.Instrs {
				x, ok := in.(*cir.Store)
				if !ok || w.ls.prog.Model.SizeOf(x.Type) != w.word {
					continue
				}
				for _, l := range w.at(c, x.Addr) {
					if !found[l] && w.isOwn(l) {
						found[l] = true
						w.words = append(w.words, l)
					}
				}
			}
		}
	}
	slices.SortFunc(w.words, func(a, b pointsto.Location) int {
		if a.Obj != b.Obj {
			return a.Obj.ID - b.Obj.ID
		}
		return int(a.Off - b.Off)
	})
	const most = 6
	if len(w.words) > most {
		w.words = nil
	}
}

// isOwn reports whether a location is such a word.
func (w *transferWalk) isOwn(l pointsto.Location) bool {
	o := l.Obj
	if o.Escaped || o.External || w.ls.pts.Outside(o) || w.objects[o] || l.Off < 0 || !l.Exact() {
		return false
	}
	if o.Local == nil && (o.Site == nil || !o.Func.Library || o.Func.Source != "malloc" && o.Func.Source != "calloc") || o.Local != nil && w.ls.locks.followed(o.Func)[o.Local] {
		return false
	}
	return w.toObject(w.ls.pts.Contents(o, l.Off))
}

// ownOf returns the first word of an object, -1 if it has none.
func (w *transferWalk) ownOf(o *pointsto.Object) int {
	return slices.IndexFunc(w.words, func(l pointsto.Location) bool { return l.Obj == o })
}

func (w *transferWalk) toOwn(at []pointsto.Location) bool {
	return slices.ContainsFunc(at, func(l pointsto.Location) bool { return w.ownOf(l.Obj) >= 0 })
}

// ownWord returns the word that an access goes to, -1 if that may be another one.
func (w *transferWalk) ownWord(s *hstate, addr cir.Value, n int64, p *hpick) int {
	at := w.at(s.frame().copy, addr)
	if reg, ok := addr.(*cir.Reg); ok && s.frame().regs[reg.Index].kind == hNumber && w.toOwn(at) {
		p.none = true // nothing is at null
	}
	if len(at) != 1 || n != w.word {
		return -1
	}
	k := slices.Index(w.words, at[0])
	if k < 0 || at[0].Obj.Local != nil {
		return k
	}
	if reg, ok := addr.(*cir.Reg); ok && s.frame().regs[reg.Index] == (hval{hLatest, w.ownOf(at[0].Obj), at[0].Off}) {
		return k
	}
	return -1
}

// loseOwn makes that nothing is known of the words of the objects that some places are in.
func (w *transferWalk) loseOwn(s *hstate, at []pointsto.Location) {
	for i, x := range w.words {
		if slices.ContainsFunc(at, func(l pointsto.Location) bool { return l.Obj == x.Obj }) {
			s.own[i] = hval{}
		}
	}
}

// loseLocals does so with the words of a function's locals.
func (w *transferWalk) loseLocals(s *hstate, f *cir.Func) {
	for i, x := range w.words {
		if x.Obj.Local != nil && x.Obj.Func == f {
			s.own[i] = hval{}
		}
	}
}

// writeOwn is a store, as far as it goes to one of these words.
func (w *transferWalk) writeOwn(s *hstate, in *cir.Store, p *hpick) {
	at := w.at(s.frame().copy, in.Addr)
	if !w.toOwn(at) {
		return
	}
	n := w.ls.prog.Model.SizeOf(in.Type)
	if k := w.ownWord(s, in.Addr, n, p); k >= 0 {
		if s.own[k] = w.value(s, in.X, p); s.own[k].kind == hIndex || s.own[k].kind == hElement {
			s.own[k] = hval{}
		}
		return
	}
	for i, x := range w.words {
		for _, l := range at {
			if l.Obj == x.Obj && bytesOf(l, touch{size: n}).meets(extent{x.Off, x.Off + w.word}) {
				s.own[i] = hval{}
			}
		}
	}
}

// spoilsOwn is an instruction that is neither a load nor a store: whatever it may write to is lost.
func (w *transferWalk) spoilsOwn(s *hstate, in cir.Instr) {
	c := s.frame().copy
	if len(w.words) == 0 {
		return
	}
	switch in := in.(type) {
	case *cir.Load, *cir.Store:
		return
	case *cir.LifeStart:
		w.loseOwn(s, w.at(c, in.Local))
		return
	case *cir.LifeEnd:
		w.loseOwn(s, w.at(c, in.Local))
		return
	}
	for _, t := range w.ls.touches(in, w.ls.copies[c]) {
		if t.ptr == nil || !t.write {
			continue
		}
		at := w.at(c, t.ptr)
		if w.loseOwn(s, at); t.span == listed || t.span == reaching {
			w.loseOwn(s, w.from(at))
		}
	}
	if call, ok := in.(*cir.Call); ok {
		if f, direct := call.Callee.(*cir.Func); direct && (slices.Contains(readers, f.Source) || !f.Library && len(f.Blocks) > 0) {
			return
		}
		place := placeInCopy{c, call}
		lost, known := w.losses[place]
		if !known {
			var at []pointsto.Location
			for _, a := range call.Args {
				at = append(at, w.at(c, a.X)...)
			}
			lost = w.from(at)
			w.losses[place] = lost
		}
		w.loseOwn(s, lost)
	}
}

// from returns the beginnings of all objects that can be reached from some places.
func (w *transferWalk) from(at []pointsto.Location) (list []pointsto.Location) {
	var objects []*pointsto.Object
	for _, l := range at {
		objects = append(objects, l.Obj)
	}
	for o := range w.ls.reachable(objects) {
		list = append(list, pointsto.Location{Obj: o})
	}
	return list
}

// makesOwn is an allocation of what may have such words.
func (w *transferWalk) makesOwn(s *hstate, in *cir.Call, zero bool, p *hpick) {
	at := w.at(s.frame().copy, in.Dst)
	if !w.toOwn(at) {
		return
	}
	s.change(func(v hval) hval {
		if v.kind == hLatest && slices.ContainsFunc(at, func(l pointsto.Location) bool { return w.ownOf(l.Obj) == v.id }) {
			return hval{}
		}
		return v
	}, hval{kind: hWild})
	if w.loseOwn(s, at); len(at) != 1 || at[0].Off != 0 {
		return
	}
	for i, x := range w.words {
		if zero && x.Obj == at[0].Obj {
			s.own[i] = hval{kind: hNumber}
		}
	}
	s.frame().assign(in.Dst, []hval{{kind: hNumber}, {hLatest, w.ownOf(at[0].Obj), 0}}[p.pick(2)])
}

// touchesOwn reports whether an instruction of a copy may access an object with such words.
func (w *transferWalk) touchesOwn(c int, in cir.Instr) bool {
	for _, t := range w.ls.touches(in, w.ls.copies[c]) {
		if t.ptr != nil && w.toOwn(w.at(c, t.ptr)) {
			return true
		}
	}
	return false
}
