package specialise

import (
	"slices"

	"comus/cir"
	"comus/ir"
	"comus/logic"
	"comus/scan/pointsto"
)

// maxSized bounds the objects of which a pointer may point to one where the size of that object is asked.
const maxSized = 64

// objectSize returns the size of the object that a pointer points into.
func (b *builder) objectSize(in *cir.Intrinsic, p *value) {
	if b.pending(p) {
		p = b.detach(p)
	}
	if at := b.placeOf(p); p.at == nil && at != nil {
		p = &value{typ: p.typ, t: p.t, side: p.side, at: at}
	}
	list := b.aimed(p, in.Args[0])
	vague := p.at == nil && slices.ContainsFunc(b.pts.Targets(b.fr.fn, b.fr.ctx, in.Args[0]), func(l pointsto.Location) bool { return l.Obj.External })
	shared := slices.ContainsFunc(list, func(o *object) bool { return o.limit != nil && o.limit.Thread == ir.Shared })
	vague = vague || slices.ContainsFunc(list, func(o *object) bool { return o.size < 0 })
	if vague || len(list) == 0 || len(list) > maxSized || shared && len(list) > 1 {
		b.set(in.Dst, b.anything(in.Dst.Type, "the size of an object", b.site))
		return
	}
	if shared && !b.atomicHere() {
		mark := b.hold(p)
		b.settle(true)
		p = b.held[mark]
		b.release(mark)
	}
	size, most := b.sizeOfObject(list[0]), list[0].size
	for _, o := range list[1:] {
		in := b.L.And(b.L.Le(b.L.Int(o.addr), p.t), b.L.Le(p.t, b.L.Int(o.addr+o.size)))
		size, most = b.L.Ite(in, b.sizeOfObject(o), size), max(most, o.size)
	}
	v := b.val(b.m.Size(), size)
	v.rng = &interval{logic.IntValue(0), logic.IntValue(most)}
	v.side = p.side
	b.set(in.Dst, b.convert(v, in.Dst.Type))
}

// sizeOfObject returns how many bytes an object has that is tracked.
func (b *builder) sizeOfObject(o *object) *logic.Term {
	if o.limit != nil {
		return b.limitOf(o)
	}
	return b.L.Int(o.size)
}
