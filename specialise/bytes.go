package specialise

import (
	"slices"

	"comus/cir"
	"comus/ir"
	"comus/logic"
)

// copyBytes runs a copy of bytes: scalar by scalar, a step each.
func (b *builder) copyBytes(in *cir.Copy) {
	dst, src := b.operand(in.Dst), b.operand(in.Src)
	size := b.operand(in.Size)
	b.changes(dst, in.Dst)
	n, ok := b.constSize(size)
	b.dropAfter(in)
	if dst, src, size = b.checkBoth(dst, src, size, in); b.cur == nil {
		return
	}
	if dst, src, size = b.checkApart(dst, src, size, in); b.cur == nil {
		return
	}
	b.copiesSet(source{p: dst, v: in.Dst}, source{p: src, v: in.Src})
	if !ok {
		b.copyUnknown(dst, src, size, in)
		return
	}
	if in.Overlap && b.mayOverlap(dst, src) {
		b.moveRange(dst, src, n, in)
		return
	}
	b.copyRange(dst, in.Dst, src, in.Src, n, in.Shape)
}

// mayOverlap reports whether copying from the first byte on may overwrite what is still to be read.
func (b *builder) mayOverlap(dst, src *value) bool {
	if dst.at == nil || src.at == nil {
		return true
	}
	if dst.at.obj != src.at.obj {
		return false
	}
	return len(dst.at.idx) > 0 || len(src.at.idx) > 0 || dst.at.off > src.at.off
}

// moveRange copies n bytes, all of which are read before any is written.
func (b *builder) moveRange(dst, src *value, n int64, in *cir.Copy) {
	ps := b.piecesOfBoth(source{p: dst, v: in.Dst}, source{p: src, v: in.Src}, n, in.Shape)
	if ps == nil || len(ps) > maxCells {
		b.copyVaguely(source{p: dst, v: in.Dst}, source{p: src, v: in.Src}, b.constVal(b.m.Size(), n), "copy of memory that is not tracked")
		return
	}
	mark := b.hold(dst, src)
	for i := range b.held[mark:] {
		b.held[mark+i] = b.steadyPointer(b.held[mark+i])
	}
	b.inOrder(b.held[mark], in.Dst, ps)
	b.inOrder(b.held[mark+1], in.Src, ps)
	b.moveAll(ps, mark, in)
	b.release(mark)
}

// moveAll reads scalars at the second value held, and then writes them at the first.
func (b *builder) moveAll(ps []piece, mark int, in *cir.Copy) {
	for _, p := range ps {
		if b.cur == nil {
			return
		}
		if x := b.loadCopy(b.shifted(b.held[mark+1], p.off), in.Src, p.acc); x != nil && b.cur != nil {
			b.hold(x)
			b.held[len(b.held)-1] = b.steady(x)
		}
	}
	for i, p := range ps {
		if b.cur != nil {
			x := b.held[mark+2+i]
			b.publishCopy(x, b.held[mark+1], in.Src, b.held[mark], in.Dst)
			x = b.surrenderHeld(x, b.held[mark+1], in.Src, b.held[mark])
			b.store(b.shifted(b.held[mark], p.off), in.Dst, x, p.acc)
		}
	}
	b.held = b.held[:mark+2]
}

// constSize returns a size that is constant.
func (b *builder) constSize(v *value) (int64, bool) {
	if k, ok := v.constant(); ok {
		n, small := k.Int64()
		return n, small
	}
	return 0, false
}

// copyRange copies n bytes.
func (b *builder) copyRange(dst *value, dv cir.Value, src *value, sv cir.Value, n int64, shape *cir.Shape) {
	if n == 0 || b.cur == nil {
		return
	}
	b.copiesSet(source{p: dst, v: dv}, source{p: src, v: sv})
	ps := b.piecesOfBoth(source{p: dst, v: dv}, source{p: src, v: sv}, n, shape)
	if ps == nil || len(ps) > maxCells {
		b.copyVaguely(source{p: dst, v: dv}, source{p: src, v: sv}, b.constVal(b.m.Size(), n), "copy of memory that is not tracked")
		return
	}
	mark := b.hold(dst, src)
	for i := range b.held[mark:] {
		b.held[mark+i] = b.steadyPointer(b.held[mark+i])
	}
	dst, src = b.held[mark], b.held[mark+1]
	b.inOrder(dst, dv, ps)
	b.inOrder(src, sv, ps)
	for _, p := range ps {
		if b.cur == nil {
			break
		}
		x := b.loadCopy(b.shifted(src, p.off), sv, p.acc)
		if x == nil || b.cur == nil {
			break
		}
		b.publishCopy(x, src, sv, dst, dv)
		x = b.surrenderHeld(x, src, sv, dst)
		b.store(b.shifted(dst, p.off), dv, x, p.acc)
	}
	b.release(mark)
}

// steadyPointer makes a pointer that can be used in several steps.
func (b *builder) steadyPointer(p *value) *value {
	if p.at != nil && len(p.at.idx) == 0 {
		return p
	}
	return b.steady(p)
}

// shifted returns a pointer some bytes further.
func (b *builder) shifted(p *value, off int64) *value {
	if off == 0 {
		return p
	}
	w := *p
	w.t = b.L.Add(p.t, b.L.Int(off))
	if p.at != nil {
		w.at = &place{p.at.obj, p.at.off + off, p.at.idx}
	}
	w.shift += off
	return &w
}

// copyUnknown copies a number of bytes that is not known: a way for each number of whole scalars.
func (b *builder) copyUnknown(dst, src, size *value, in *cir.Copy) {
	ps := b.openPieces(source{p: dst, v: in.Dst}, source{p: src, v: in.Src}, size)
	if ps == nil {
		b.copyVaguely(source{p: dst, v: in.Dst}, source{p: src, v: in.Src}, size, "copy of a number of bytes that is not known")
		return
	}
	mark := b.hold(dst, src)
	for i := range b.held[mark:] {
		b.held[mark+i] = b.steadyPointer(b.held[mark+i])
	}
	b.inOrder(b.held[mark], in.Dst, ps)
	b.inOrder(b.held[mark+1], in.Src, ps)
	b.eachCount(size, ps, func(i int) {
		if !in.Overlap {
			b.movePiece(in, ps[i], b.held[mark], b.held[mark+1])
		}
	}, func(n int) {
		if in.Overlap {
			b.moveAll(ps[:n], mark, in)
		}
	})
	b.release(mark)
}

// movePiece copies one scalar.
func (b *builder) movePiece(in *cir.Copy, p piece, dst, src *value) {
	x := b.loadCopy(b.shifted(src, p.off), in.Src, p.acc)
	if x == nil || b.cur == nil {
		return
	}
	b.publishCopy(x, src, in.Src, dst, in.Dst)
	x = b.surrenderHeld(x, src, in.Src, dst)
	b.store(b.shifted(dst, p.off), in.Dst, x, p.acc)
}

// eachCount makes a way for each number of whole scalars that a size may be: step runs for each scalar on the way, all
// at the end of a way with their number.
func (b *builder) eachCount(size *value, ps []piece, step func(i int), all func(n int)) {
	b.settleAll()
	mark := b.hold(size)
	b.held[mark] = b.steady(b.held[mark])
	size = b.held[mark]
	b.assume(assumeSizes)
	var flows []*flow
	live := b.needed()
	for n := 0; n <= len(ps) && b.cur != nil; n++ {
		bytes := int64(0)
		if n > 0 {
			_, bits := b.accessBits(ps[n-1].acc)
			bytes = ps[n-1].off + (bits+7)/8
		}
		// Between the end of a scalar and the next one lies padding, which may be copied or not.
		next, is := bytes, b.L.Le(b.L.Int(bytes), size.t)
		if n < len(ps) {
			next = ps[n].off
			is = b.L.And(is, b.L.Le(size.t, b.L.Int(next)))
		}
		rest := b.cur
		if !is.IsFalse() {
			b.cur = rest.clone()
			b.emit("", ir.AssumeCmd(is))
			all(n)
			if b.cur != nil {
				flows = append(flows, b.cur)
			}
		}
		b.cur = rest
		if n < len(ps) {
			b.emit("", ir.AssumeCmd(b.L.Gt(size.t, b.L.Int(next))))
			step(n)
		}
	}
	b.release(mark)
	b.cur = nil
	if len(flows) > 0 {
		b.joinLive(flows, live)
	}
}

// havocBytes gives n bytes any values; all of the object from there on if n is negative.
func (b *builder) havocBytes(p *value, v cir.Value, n int64, approx string) {
	if b.cur == nil {
		return
	}
	if p.at != nil {
		from := p.at.off
		if len(p.at.idx) > 0 {
			from, n = 0, -1
		}
		b.havocRange(p.at.obj, from, n, approx)
		return
	}
	for _, l := range b.pts.Targets(b.fr.fn, b.fr.ctx, v) {
		if l.Obj.External {
			b.writesOutside()
			b.assume(assumeOutside)
		}
		if l.Obj.External || l.Obj.IsFunc() {
			continue
		}
		for _, o := range b.instances(l.Obj) {
			b.havocRange(o, 0, -1, approx)
		}
	}
}

// havocRange gives the scalars that overlap n bytes of an object any values, one step each.
func (b *builder) havocRange(o *object, from, n int64, approx string) {
	if o == b.argv.obj {
		b.writesOutside()
		return
	}
	b.noteString(o.abs)
	b.givesVague(o, from, n)
	b.blurAll(o.abs)
	if o.vague || o.fn != nil || o.size < 0 || o.global != nil && (o.global.Literal || o.global.Const) {
		return
	}
	if n < 0 || from+n > o.size {
		n = o.size - from
	}
	if n <= 0 {
		return
	}
	if !b.accessNoted {
		b.raceAll([]target{{b.L.True(), o, 0}}, from, n, true, approx)
	}
	b.givesSet(o, from*8, n*8, approx)
	cells := b.cellsAt(o, from*8, n*8)
	for _, c := range cells {
		b.settle(c.v.Thread == ir.Shared, c.v)
		b.emit(b.text(), ir.HavocCmd(c.v, "")).approx = approx
	}
}

// fill runs a memset.
func (b *builder) fill(in *cir.Fill) {
	p, x := b.operand(in.Dst), b.operand(in.Byte)
	size := b.operand(in.Size)
	b.changes(p, in.Dst)
	n, ok := b.constSize(size)
	b.dropAfter(in)
	mark := b.hold(x)
	p, size = b.checkRange(p, in.Dst, size)
	x = b.held[mark]
	if b.release(mark); b.cur == nil {
		return
	}
	k, known := x.constant()
	if b.opts.Cells && b.fillElements(p, in.Dst, size, k, known) {
		return
	}
	if ok {
		b.fillsAll(p, n)
	}
	if !ok || !known {
		if !known && ok {
			b.fillBytes(p, in, n, x)
			return
		}
		b.fillUnknown(p, size, k, known, in)
		return
	}
	byteVal, _ := k.Int64()
	ps := b.pieces(p, in.Dst, n, in.Shape)
	if n > 0 && len(ps) == 0 || len(ps) > maxCells {
		b.fillVaguely(source{p: p, v: in.Dst}, b.constVal(b.m.Size(), n), nil, "memset of memory that is not tracked")
		return
	}
	private := p.at != nil && len(p.at.idx) == 0 && (!p.at.obj.shared || b.cur.unescaped[p.at.obj] && !b.facts.weak)
	if private && b.fillAtOnce(p, ps, byteVal) {
		return
	}
	mark = b.hold(p)
	b.held[mark] = b.steadyPointer(p)
	b.inOrder(b.held[mark], in.Dst, ps)
	for _, q := range ps {
		if b.cur == nil {
			break
		}
		b.store(b.shifted(b.held[mark], q.off), in.Dst, b.repeated(q.acc, byteVal), q.acc)
	}
	b.release(mark)
}

// fillUnknown sets a number of bytes that is not known: a way for each number of whole scalars.
func (b *builder) fillUnknown(p, size *value, k logic.Value, known bool, in *cir.Fill) {
	ps := b.openPieces(source{p: p, v: in.Dst}, source{}, size)
	if ps == nil || !known {
		b.fillVaguely(source{p: p, v: in.Dst}, size, nil, "memset of a number of bytes that is not known")
		return
	}
	byteVal, _ := k.Int64()
	mark := b.hold(p)
	b.held[mark] = b.steadyPointer(p)
	b.inOrder(b.held[mark], in.Dst, ps)
	b.eachCount(size, ps, func(i int) {
		b.store(b.shifted(b.held[mark], ps[i].off), in.Dst, b.repeated(ps[i].acc, byteVal), ps[i].acc)
	}, func(int) {})
	b.release(mark)
}

// fillBytes sets bytes to a value that is not known.
func (b *builder) fillBytes(p *value, in *cir.Fill, n int64, x *value) {
	mark := b.hold(p, x)
	for i := range b.held[mark:] {
		b.held[mark+i] = b.steady(b.held[mark+i])
	}
	ps := make([]piece, min(n, maxCells))
	for i := range ps {
		ps[i] = bytePiece(int64(i))
	}
	b.inOrder(b.held[mark], in.Dst, ps)
	for _, q := range ps {
		if b.cur != nil {
			b.store(b.shifted(b.held[mark], q.off), in.Dst, b.held[mark+1], q.acc)
		}
	}
	b.release(mark)
	if n > maxCells {
		b.onlyPartly(func() { b.havocBytes(p, in.Dst, n, "memset of memory that is not tracked") })
	}
}

// repeated returns the value of a scalar all of whose bytes are the same.
func (b *builder) repeated(a cir.Access, byteVal int64) *value {
	_, bits := b.accessBits(a)
	v := b.constVal(cir.Type{Kind: cir.IntKind, Bits: int(bits)}, 0)
	for i := int64(0); i < bits; i += 8 {
		v.t = b.L.Add(v.t, b.L.Mul(b.L.Int(byteVal&0xff), b.L.Value(pow2(int(i)))))
	}
	if bits%8 != 0 {
		v.t = b.L.Mod(v.t, b.L.Value(pow2(int(bits))))
	}
	return b.retype(v, cir.Access{Type: a.Type})
}

// fillAtOnce sets the scalars of an object that nobody else sees in one step.
func (b *builder) fillAtOnce(p *value, ps []piece, byteVal int64) bool {
	var cmds []ir.Cmd
	var writes []*ir.Var
	for _, q := range ps {
		first, bits := b.accessBits(q.acc)
		cells := b.cellsAt(p.at.obj, (p.at.off+q.off)*8+first, bits)
		if len(cells) != 1 || cells[0].bits != bits || cells[0].bit != (p.at.off+q.off)*8+first {
			return false
		}
		c := cells[0]
		v := b.repeated(cir.Access{Type: cir.Type{Kind: cir.IntKind, Bits: int(bits)}}, byteVal)
		cmds = append(cmds, ir.AssignCmd(c.v, b.stored(c, c.bit, c.bits, v)))
		writes = append(writes, c.v)
	}
	for _, q := range ps {
		first, bits := b.accessBits(q.acc)
		b.tellSet(b.setCmds([]target{{b.L.True(), p.at.obj, (p.at.off+q.off)*8 + first}}, bits, true, nil))
	}
	if b.isBlurred(p.at.obj) && len(ps) > 0 {
		last := ps[len(ps)-1]
		_, bits := b.accessBits(last.acc)
		b.writesVague(p, nil, b.L.Int(last.off+(bits+7)/8), nil)
	}
	b.settle(false, writes...)
	for len(cmds) > 0 { // shared ones one by one: they are variables of others, too
		n := len(cmds)
		if i := slices.IndexFunc(cmds, func(c ir.Cmd) bool { return c.Var.Thread == ir.Shared }); i >= 0 {
			n = max(i, 1)
		}
		b.emit(b.text(), cmds[:n]...)
		cmds = cmds[n:]
	}
	return true
}

// copyShape copies a struct argument into its parameter's object.
func (b *builder) copyShape(dst *value, reg *cir.Reg, src *value, sv cir.Value, shape *cir.Shape, callee *frame) {
	b.copyRange(dst, reg, src, sv, shape.Size, shape)
}

// copyResult copies a struct that is returned to where the call wants it.
func (b *builder) copyResult(v *value, t *cir.Return) {
	fr := b.fr
	if fr.destAt == nil {
		return
	}
	b.copyRange(fr.destAt, t.X, v, t.X, fr.fn.Result.Shape.Size, fr.fn.Result.Shape)
}

// publishAll publishes all objects.
func (b *builder) publishAll() {
	for _, o := range b.cur.unescapedOnes() {
		if b.cur.unescaped[o] {
			b.publishObject(o)
		}
	}
}
