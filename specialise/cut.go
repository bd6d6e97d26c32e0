package specialise

import (
	"comus/cir"
	"comus/scan/cut"
	"comus/scan/pointsto"
)

// A question about pairs of accesses can leave out the effects of calls that matter little (Options.Cut, package cut): the program has more executions then,
// and is for proofs only.

// cutKey is a copy of a function.
type cutKey struct {
	f   *cir.Func
	ctx pointsto.Context
}

// leftOut decides about a call.
func (b *builder) leftOut(in *cir.Call, f *cir.Func) cut.Call {
	if b.opts.Cut == cut.None || b.cur.depth > 0 || in == b.exitCall || b.fr.fn.Library && f.Library {
		return cut.Call{}
	}
	if _, here := b.whereabouts(); here { // what it accesses is asked about
		return cut.Call{}
	}
	key := cutKey{f, b.contextOf(in, f)}
	c, known := b.facts.cuts[key]
	if !known {
		c = cut.Judge(b.opts.Cut, f, b.pts.Part(f, key.ctx), b.facts.asked.keeps,
			func(f *cir.Func) bool { return f.Library && tries[f.Source] })
		b.facts.cuts[key] = c
	}
	return c
}

// forgetValues drops the constants that objects hold.
func (b *builder) forgetValues(objects []*pointsto.Object) {
	changed := map[*pointsto.Object]bool{}
	for _, o := range objects {
		changed[o] = true
	}
	for v := range b.cur.consts {
		if c := b.cellOf[v]; c != nil && (c.obj.abs == nil || changed[c.obj.abs]) {
			delete(b.cur.consts, v)
		}
	}
}

// leaveOut runs a call whose effect is not followed: a loop in which everything that it may write gets any values.
func (b *builder) leaveOut(in *cir.Call, f *cir.Func, c cut.Call) {
	b.leaves = true
	approx := "call of '" + f.Source + "', which is left out"
	if c.Unknown {
		b.assume("functions that are not known do not call functions of the program")
	}
	b.dropAfter(in)
	b.forget([]*cir.Block{b.blk})
	b.forgetValues(c.Writes)
	b.settleAll()
	head := b.newLocHere()
	b.newEdge(b.cur.at, head, "").approx = approx
	b.cur.at = head
	start := b.cur.clone()
	b.loops++
	for _, o := range c.Writes {
		if o.External {
			b.writesOutside()
		}
		if o.External || o.IsFunc() {
			continue
		}
		for _, x := range b.instances(o) {
			b.havocObject(x, approx)
		}
	}
	b.loops--
	b.agreeUndefAt(start)
	b.newEdge(b.cur.at, head, "")
	b.cur = start
	if !in.Returns {
		b.stop()
		return
	}
	if in.Dst != nil {
		b.cur.regs[in.Dst.Index] = b.anything(in.Dst.Type, approx, b.site)
	}
	if in.Result.Shape != nil {
		b.havocBytes(b.operand(in.To), in.To, in.Result.Shape.Size, approx)
	}
}
