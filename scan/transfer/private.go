package transfer

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// What a thread alone knows the address of may hold the addresses of objects, too: a local that is a struct, or a request that it has allocated. Of what is allocated
// in one place only the last one is followed.

// findPrivate finds the words in which a thread may keep addresses of objects.
func (x *explorer) findPrivate() {
	for _, w := range x.analysis.words {
		o := w.at.Obj
		if o.Escaped || x.pts.Outside(o) || x.objects[o] || !w.at.Exact() || o.Local == nil && !isMade(o) || o.Local != nil && x.plain(o.Func)[o.Local] {
			continue
		}
		if slices.ContainsFunc(x.form.Objects, func(f *pointsto.Object) bool { return w.objects.Has(f.ID) }) {
			x.own = append(x.own, w.at)
		}
	}
	if len(x.own) > maxPrivate {
		x.own = nil
	}
}

// maxPrivate bounds these words.
const maxPrivate = 6

// privateOf returns the first word of a private object, by which it is known, -1 if it is none.
func (x *explorer) privateOf(o *pointsto.Object) int {
	return slices.IndexFunc(x.own, func(l pointsto.Location) bool { return l.Obj == o })
}

// touchesPrivate reports whether one of some places is in a private object.
func (x *explorer) touchesPrivate(at []pointsto.Location) bool {
	return slices.ContainsFunc(at, func(l pointsto.Location) bool { return x.privateOf(l.Obj) >= 0 })
}

// privateAt returns the word that an access goes to in any case, -1 if there is none, or it may be that of an object that was allocated earlier.
func (x *explorer) privateAt(s *state, addr cir.Value, size int64, ch *chooser) int {
	at := x.places(s.top().copy, addr)
	if r, ok := addr.(*cir.Reg); ok && s.top().regs[r.Index].k == number && x.touchesPrivate(at) {
		ch.dead = true // undefined
	}
	if len(at) != 1 || size != x.pointer {
		return -1
	}
	k := slices.Index(x.own, at[0])
	if k < 0 || at[0].Obj.Local != nil {
		return k
	}
	r, ok := addr.(*cir.Reg)
	if !ok || s.top().regs[r.Index] != (value{mine, x.privateOf(at[0].Obj), at[0].Off}) {
		return -1
	}
	return k
}

// storePrivate is a store, as far as it changes a word of a private object.
func (x *explorer) storePrivate(s *state, in *cir.Store, ch *chooser) {
	at := x.places(s.top().copy, in.Addr)
	if !x.touchesPrivate(at) {
		return
	}
	k, size := x.privateAt(s, in.Addr, x.size(in.Type), ch), x.size(in.Type)
	if k >= 0 {
		if s.private[k] = x.eval(s, in.X, ch); s.private[k].k == index || s.private[k].k == element {
			s.private[k] = value{}
		}
		return
	}
	for i, w := range x.own {
		for _, l := range at {
			if l.Obj == w.Obj && (l.Off == pointsto.Any || !l.Exact() || l.Off < w.Off+x.pointer && w.Off < l.Off+size) {
				s.private[i] = value{}
			}
		}
	}
}

// beginPrivate is the beginning of private objects' lives: all their words hold some value.
func (x *explorer) beginPrivate(s *state, at []pointsto.Location, v value) {
	for i, w := range x.own {
		if slices.ContainsFunc(at, func(l pointsto.Location) bool { return l.Obj == w.Obj }) {
			s.private[i] = v
		}
	}
}

// endLocals is the beginning or end of a function's activation.
func (x *explorer) endLocals(s *state, f *cir.Func) {
	for i, w := range x.own {
		if w.Obj.Local != nil && w.Obj.Func == f {
			s.private[i] = value{}
		}
	}
}

// allocatePrivate is an allocation of what may be a private object.
func (x *explorer) allocatePrivate(s *state, in *cir.Call, zero bool, ch *chooser) {
	at := x.places(s.top().copy, in.Dst)
	for _, l := range at {
		if k := x.privateOf(l.Obj); k >= 0 {
			forget := func(v value) value {
				if v.k == mine && v.n == k {
					return value{}
				}
				return v
			}
			s.revalue(forget)
			for i := range s.private {
				s.private[i] = forget(s.private[i])
			}
		}
	}
	if x.beginPrivate(s, at, value{}); len(at) != 1 || at[0].Off != 0 || x.privateOf(at[0].Obj) < 0 {
		return
	}
	if zero {
		x.beginPrivate(s, at, null)
	}
	s.top().set(in.Dst, []value{null, {mine, x.privateOf(at[0].Obj), 0}}[ch.choose(2)])
}

// spoilPrivate forgets what an instruction other than a load or store may change in private objects.
func (x *explorer) spoilPrivate(s *state, in cir.Instr) {
	if len(x.own) == 0 {
		return
	}
	c := s.top().copy
	switch in.(type) {
	case *cir.Load, *cir.Store:
		return
	}
	for _, p := range pointers(in) {
		x.beginPrivate(s, x.places(c, p), value{})
	}
	call, ok := in.(*cir.Call)
	if !ok {
		return
	}
	at := where{c, call}
	if _, known := x.spoils[at]; !known {
		x.spoils[at] = x.spoiltBy(c, call)
	}
	x.beginPrivate(s, x.spoils[at], value{})
}

// spoiltBy returns the beginnings of private objects that code which is not followed may change when it is called: what its arguments lead to.
func (x *explorer) spoiltBy(c int, call *cir.Call) (list []pointsto.Location) {
	if f, ok := call.Callee.(*cir.Func); ok && (!f.Library && len(f.Blocks) > 0 || slices.Contains(harmless, f.Source)) {
		return nil
	}
	seen := map[*pointsto.Object]bool{}
	var work []pointsto.Location
	for _, a := range call.Args {
		work = append(work, x.places(c, a.X)...)
	}
	for len(work) > 0 {
		l := work[len(work)-1]
		if work = work[:len(work)-1]; !seen[l.Obj] {
			seen[l.Obj] = true
			list = append(list, l)
			work = append(work, x.pts.Held(l.Obj)...)
		}
	}
	return list
}
