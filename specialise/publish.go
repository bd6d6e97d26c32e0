package specialise

import (
	"cmp"
	"maps"
	"slices"

	"comus/cir"
	"comus/ir"
	"comus/logic"
	"comus/scan/pointsto"
)

// publish notes that a value is stored where others may find it: the objects that it points to, and those that can be reached from
// them, are unescaped no longer.
func (b *builder) publish(x *value, v cir.Value, to *value, addr cir.Value) {
	if len(b.cur.unescaped) > 0 && !b.privateTo(to, addr) {
		b.publishValue(x, v)
	}
}

// publishCopy is publish for a scalar x that is copied from memory at src.
func (b *builder) publishCopy(x *value, src *value, v cir.Value, to *value, addr cir.Value) {
	if len(b.cur.unescaped) > 0 && !b.privateTo(to, addr) && !b.publishPlace(x) {
		b.publishHeld(src, v)
	}
}

// privateTo reports whether what a pointer points to is not seen by other threads: then what is stored there is
// published only when it is read again, or when the object is.
func (b *builder) privateTo(to *value, addr cir.Value) bool {
	if to.at != nil {
		return !to.at.obj.shared || b.cur.unescaped[to.at.obj]
	}
	for _, l := range b.pts.Targets(b.fr.fn, b.fr.ctx, addr) {
		if b.isShared(l.Obj) || l.Obj.External {
			return false
		}
	}
	return true
}

// publishValue publishes what a value points to.
func (b *builder) publishValue(x *value, v cir.Value) {
	if b.publishPlace(x) {
		return
	}
	for _, l := range b.pts.Targets(b.fr.fn, b.fr.ctx, v) {
		b.publishAbstract(l.Obj)
	}
}

// publishPlace publishes what a pointer points to, if that is known. It reports whether there is nothing else to publish: of an
// integer nobody knows whether it is an address, a part of one, or one in disguise.
func (b *builder) publishPlace(x *value) bool {
	at := x.at
	if at == nil && x.typ.IsPointer() {
		at = b.placeOf(x)
	}
	if at != nil {
		b.publishObject(at.obj)
	}
	_, isConst := x.t.Const()
	return x.typ.IsPointer() && (at != nil || isConst)
}

// publishHeld publishes whatever is held by the objects that a pointer points to.
func (b *builder) publishHeld(p *value, v cir.Value) {
	var objects []*pointsto.Object
	if p.at != nil {
		objects = append(objects, p.at.obj.abs)
	} else {
		for _, l := range b.pts.Targets(b.fr.fn, b.fr.ctx, v) {
			objects = append(objects, l.Obj)
		}
	}
	for _, o := range objects {
		if o == nil {
			continue
		}
		for _, l := range b.pts.Held(o) {
			b.publishAbstract(l.Obj)
		}
	}
}

func (b *builder) publishAbstract(abs *pointsto.Object) {
	for _, o := range b.cur.unescapedOnes() {
		if o.abs == abs && b.cur.unescaped[o] {
			b.publishObject(o)
		}
	}
}

// unescapedOnes returns the unescaped objects, in order of their addresses.
func (f *flow) unescapedOnes() []*object {
	return slices.SortedFunc(maps.Keys(f.unescaped), func(x, y *object) int { return cmp.Or(cmp.Compare(x.addr, y.addr), cmp.Compare(x.key, y.key)) })
}

// publishObject publishes an object and what its pointers lead to.
func (b *builder) publishObject(o *object) {
	if !b.cur.unescaped[o] {
		if o.abs != nil && !b.seenHeld(o) {
			return
		}
	}
	b.notePublished(b.cur, o)
	delete(b.cur.unescaped, o)
	for _, c := range o.parts() {
		if c.v.Thread == ir.Shared && !b.cur.alone {
			delete(b.cur.consts, c.v)
		}
	}
	if o.abs == nil {
		return
	}
	for _, l := range b.pts.Held(o.abs) {
		for _, f := range b.cur.unescapedOnes() {
			if f.abs == l.Obj && b.cur.unescaped[f] {
				b.publishObject(f)
			}
		}
	}
}

// notePublished keeps what an unescaped object holds where a flow publishes it, or forgets that it is unescaped.
func (b *builder) notePublished(f *flow, o *object) {
	if !f.unescaped[o] {
		return
	}
	held := map[*ir.Var]*value{}
	for _, c := range o.parts() {
		if x := f.consts[c.v]; x != nil {
			held[c.v] = x
		}
	}
	b.published[o] = append(b.published[o], held)
}

// keptFrom reports whether a cell held a constant wherever its object was published.
func (b *builder) keptFrom(c *cell, w logic.Value) bool {
	for _, held := range b.published[c.obj] {
		x := held[c.v]
		if x == nil {
			return false
		}
		if k, ok := x.t.Const(); !ok || k != w {
			return false
		}
	}
	return true
}

// seenHeld reports whether an object that has escaped may hold addresses of unescaped ones: a local that
// was private until now.
func (b *builder) seenHeld(o *object) bool { return !o.shared || o.abs.Local != nil }
