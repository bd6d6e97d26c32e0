package waits

import (
	"slices"

	"comus/cir"
	"comus/logic"
	"comus/scan/pointsto"
)

// The elements of an array may have their numbers in them, by which their locks are taken in order: if (a->id < b->id) … else …. That is the order of their addresses if each element holds its own index:
//
//   - There is one such array. All that is written to the field is a variable's number, where the same variable is the index of the element: accounts[i].id = i. Main writes it before there is another thread.
//   - It is read by other threads only. An element of which it was never written holds anything. So the field tells something only of elements of which the locks are used: in the same block behind the store, the lock of the
//     same element is initialised, and that is the only way in which the life of these locks begins.
//   - The address of the array is in a place that is written once.

// index is a field of an array's elements that holds their indexes: that of the element where the array begins, at + off, + scale*n holds n.
type index struct {
	field pointsto.Location
	array pointsto.Location // where the address of the array is
	off   int64
	scale int64
	as    cir.Type // of the field
}

// numbered is an element's field that was loaded on a path.
type numbered struct {
	at, value *logic.Term
	index     *index
}

// element is a place in an element of an array, as a block computes it.
type element struct {
	array pointsto.Location
	index name
	as    cir.Type // of the index
	scale int64
	off   int64
}

// indexed returns what a load of a copy tells of the element that it is from, if a lock of that is used.
func (f *finder) indexed(c pointsto.Copy, load *cir.Load, lock Element) *index {
	places := f.h.pts.Places(c.Func, c.Ctx, load.Addr)
	if len(places) != 1 || places[0].Obj.ID != lock.Object || load.Bits != nil || load.Volatile || !load.Type.IsInt() || !f.laterOnly(c) {
		return nil
	}
	at := places[0]
	if !f.h.pts.Once(at.Obj) || !holdsNothing(at.Obj) || at.Off < 0 {
		return nil
	}
	var x *index
	size := f.h.sizeOf(load.Type)
	for _, w := range f.writes[at.Obj] {
		if w.begun || !w.whole && !w.at.Touches(w.size, at, size) {
			continue
		}
		y := f.indexStore(w, at)
		if y == nil || y.as != load.Type || x != nil && *x != *y {
			return nil
		}
		x = y
	}
	if x == nil || !f.begunWith(x, lock) {
		return nil
	}
	return x
}

// holdsNothing reports whether an object holds no locks that are free when its life begins: those of static objects, and of memory that is cleared, do.
func holdsNothing(o *pointsto.Object) bool {
	return o.Local != nil || o.Site != nil && o.Func.Library && o.Func.Source == "malloc"
}

// indexStore returns what a write to a field tells, if it is of the element's own index.
func (f *finder) indexStore(w write, at pointsto.Location) *index {
	s, ok := w.in.(*cir.Store)
	if !ok || w.whole || w.at != at || s.Bits != nil || !f.h.mainOnly(w.by) || f.created().before(w.by, w.in) {
		return nil
	}
	var out *index
	f.elements(w.by, f.h.function(w.by.Func).blockOf(s), func(in cir.Instr, vs values) {
		if in != cir.Instr(s) {
			return
		}
		e, ok := f.elementAt(w.by, vs.of(s.Addr))
		if ok && vs.of(s.X) == e.index && e.index.base != "0;" && typeOf(s.X) == e.as && s.Type == e.as {
			out = &index{field: at, array: e.array, off: e.off, scale: e.scale, as: e.as}
		}
	})
	return out
}

// elements goes over a block with the names of values.
func (f *finder) elements(c pointsto.Copy, b *cir.Block, visit func(cir.Instr, values)) {
	x, vs, s := f.h.function(c.Func), values{}, newState()
	for _, in := range b.Instrs {
		visit(in, vs)
		switch in := in.(type) {
		case *cir.Store:
			if l, ok := in.Addr.(*cir.Local); ok {
				f.h.stored(s, vs, l)
			}
		case *cir.LifeStart:
			f.h.stored(s, vs, in.Local)
		case *cir.LifeEnd:
			f.h.stored(s, vs, in.Local)
		}
		n := vs.compute(x, in)
		for _, r := range cir.Results(in) {
			if r != nil && n.base != "" {
				vs[r.Index] = n
			}
		}
	}
}

// elementAt returns the element that a name of an address is in, if the address of the array is from a place that is written once.
func (f *finder) elementAt(c pointsto.Copy, n name) (element, bool) {
	x := f.h.function(c.Func)
	p, ok := x.parts[n.base]
	if !ok || p.index.base == "" || p.index.base == "?" || p.of.off != 0 || p.scale <= 0 {
		return element{}, false
	}
	for i, in := range x.defs {
		load, ok := in.(*cir.Load)
		if !ok || p.of.base != regToken(i) {
			continue
		}
		places := f.h.pts.Places(c.Func, c.Ctx, load.Addr)
		if len(places) == 1 && places[0].Exact() && f.h.pts.Once(places[0].Obj) && load.Bits == nil && load.Type.IsPointer() && f.writtenOnce(places[0], f.h.sizeOf(load.Type)) {
			return element{array: places[0], index: p.index, as: p.from, scale: p.scale, off: n.off}, true
		}
	}
	return element{}, false
}

// writtenOnce reports whether a place is written once, but with zeros, by main before there is another thread.
func (f *finder) writtenOnce(at pointsto.Location, size int64) bool {
	stores := 0
	for _, w := range f.writes[at.Obj] {
		if w.zeros || w.begun || !w.whole && !w.at.Touches(w.size, at, size) {
			continue
		}
		s, ok := w.in.(*cir.Store)
		if !ok || w.whole || w.at != at || f.h.sizeOf(s.Type) != size || !f.h.onceOnly(w.by, w.in) {
			return false
		}
		stores++
	}
	return stores == 1 && f.writtenBefore(at, size)
}

// begunWith reports whether the life of the locks of an array's elements begins only where, before that, the field is written.
func (f *finder) begunWith(x *index, lock Element) bool {
	at := f.h.sets.at[lock]
	if at.Obj == nil || at.Off < 0 || at.Off >= x.scale || x.field.Off >= x.scale {
		return false
	}
	size, begun := f.h.sets.size[lock], false
	for _, w := range f.writes[at.Obj] {
		switch {
		case w.begun && w.at == at:
			call, ok := w.in.(*cir.Call)
			if !ok || !f.h.mainOnly(w.by) || f.created().before(w.by, w.in) || !f.storedWith(x, at, w.by, call) {
				return false
			}
			begun = true
		case w.begun:
		case w.whole || w.at.Touches(w.size, at, size):
			return false
		}
	}
	return begun
}

// storedWith reports whether the field of an element is written in the block in which a call begins the life of its lock, before that.
func (f *finder) storedWith(x *index, lock pointsto.Location, c pointsto.Copy, call *cir.Call) bool {
	var stored []element
	found := false
	f.elements(c, f.h.function(c.Func).blockOf(call), func(in cir.Instr, vs values) {
		switch in := in.(type) {
		case *cir.Store:
			if l, ok := in.Addr.(*cir.Local); ok {
				stored = slices.DeleteFunc(stored, func(e element) bool { return e.index.rests(localToken(l)) })
			}
			if e, ok := f.elementAt(c, vs.of(in.Addr)); ok && slices.Equal(f.h.pts.Places(c.Func, c.Ctx, in.Addr), []pointsto.Location{x.field}) {
				stored = append(stored, e)
			}
		case *cir.LifeStart:
			stored = nil
		case *cir.Call:
			if in != call {
				return
			}
			e, ok := f.elementAt(c, vs.of(in.Args[0].X))
			e.off -= lock.Off - x.field.Off
			found = ok && slices.Contains(stored, e)
		}
	})
	return found
}

// indexes is what is known of the elements of which a path has loaded the indexes: those that one of two locks is in, at some addresses.
func (w *walker) indexes(p *path, lock pointsto.Location, locks ...*logic.Term) (conds []*logic.Term) {
	for _, k := range p.numbers {
		var is []*logic.Term
		for _, at := range locks {
			is = append(is, w.l.Eq(w.l.Add(at, w.l.Int(k.index.field.Off-lock.Off)), k.at))
		}
		array := w.kept(k.index.array, cir.Type{Kind: cir.PointerKind, Bits: w.prog.Model.PointerBits})
		own := w.l.Add(w.l.Add(array, w.l.Int(k.index.off)), w.l.Mul(w.l.Int(k.index.scale), w.distance(k.value, k.index.as)))
		conds = append(conds, w.l.Or(w.l.Not(w.l.Or(is...)), w.l.Eq(k.at, own)))
	}
	return conds
}
