package specialise

import (
	"bytes"
	"slices"

	"comus/cfront/contract"
	"comus/cir"
	"comus/logic"
)

// What functions of the library access has to be valid memory: in the models that are C code this is asked where they access it, here it is
// of what intrinsics and functions without a body access.

// accessBytes is raceBytes, and asks whether the bytes are valid, and those that are read initialised.
func (b *builder) accessBytes(s source, n *value, write bool, approx string) {
	mark := b.hold(s.p)
	if n != nil {
		b.hold(n)
	}
	if write || !b.isPartOfString(s.p, s.v) {
		b.validBytes(s, n, approx)
	}
	if s.p = b.held[mark]; n != nil {
		n = b.held[mark+1]
		if !write && b.cur != nil {
			b.readsBytes(s, n, approx)
			s.p, n = b.held[mark], b.held[mark+1]
		}
	}
	if b.release(mark); b.cur != nil {
		b.raceBytes(s, n, write, approx)
	}
}

// accessString is raceString, and asks whether there is a string, and it is initialised.
func (b *builder) accessString(s source, most int64) {
	mark := b.hold(s.p)
	b.readsString(s, most)
	s.p = b.held[mark]
	b.validString(s, most)
	s.p = b.held[mark]
	if b.release(mark); b.cur != nil {
		b.raceString(s, most)
	}
}

// accessReachable is raceReachable for memory of which it is not known whether it is valid.
func (b *builder) accessReachable(s source, far int, write bool, approx string) {
	b.doubt(approx)
	b.raceReachable(s, far, write, approx)
}

// doubt makes it an approximate error that memory is not valid.
func (b *builder) doubt(approx string) {
	if b.opts.Check.Memory && b.cur != nil {
		b.settle(true)
		b.invalidIf(b.L.True(), nil, approx)
	}
}

// validBytes makes it an error that n bytes from a pointer on are not valid; n is nil if it is not known.
func (b *builder) validBytes(s source, n *value, approx string) {
	if !b.opts.Check.Memory || b.cur == nil {
		return
	}
	if n == nil {
		b.doubt(approx)
		return
	}
	b.within(s.from, func() { b.checkRangeAs(s.p, s.v, n, approx) })
}

// within runs something as in the activation that a source is of.
func (b *builder) within(fr *frame, run func()) {
	if fr == nil {
		run()
		return
	}
	fr, b.fr = b.fr, fr
	run()
	b.fr = fr
}

// maxEnd is the size of objects up to which it is looked where the strings in them end.
const maxEnd = 256

// validString makes it an error that a pointer is not one to a string, of which most bytes are read at most unless that is negative.
func (b *builder) validString(s source, most int64) {
	if !b.opts.Check.Memory || most == 0 || b.cur == nil {
		return
	}
	if _, ok := b.literal(s.p); ok {
		return
	}
	if b.pending(s.p) {
		s.p = b.steadyPointer(s.p)
	}
	b.settle(true)
	ts := b.resolveByte(s)
	if b.checkTargets(ts); b.cur == nil {
		return
	}
	exact, unsure := b.L.False(), b.L.False()
	for _, t := range ts.list {
		switch end, ok := b.endsAt(t, most); {
		case ok:
			exact = b.L.Or(exact, b.L.And(t.cond, b.L.Not(end)))
		default:
			unsure = b.L.Or(unsure, t.cond)
		}
	}
	b.invalidIf(exact, ts.ok, "")
	b.invalidIf(unsure, ts.ok, unsureString)
}

// endsAt returns the condition that a string ends within its object; it is not ok if that is not known.
func (b *builder) endsAt(t target, most int64) (*logic.Term, bool) {
	o, off := t.obj, t.bit/8
	switch {
	case most > 0 && off+most <= o.size && o.limit == nil:
		return b.L.True(), true
	case o.global != nil && (o.global.Literal || o.global.Const) && !o.global.External:
		if off < int64(len(o.global.Data)) && bytes.IndexByte(o.global.Data[off:], 0) >= 0 || int64(len(o.global.Data)) < o.size {
			return b.L.True(), true
		}
	case o.vague || o.limit != nil || o.size > maxEnd:
		return nil, false
	}
	end := b.L.False()
	for i := off; i < o.size && (most < 0 || i < off+most); i++ {
		cells := b.cellsAt(o, i*8, 8)
		if len(cells) == 0 || slices.ContainsFunc(cells, func(c *cell) bool { return c.v.Thread >= 0 && c.v.Thread != b.th.index || o.shared }) {
			return nil, false
		}
		end = b.L.Or(end, b.L.Eq(b.contents(o, i*8, 8, cir.Access{Type: cir.U8}).t, b.L.Int(0)))
	}
	return end, true
}

// validArgument makes it an error, as far as is known, that an argument of a function without a body is not valid memory as its contract
// says. p is nil for one that the contract does not know.
func (b *builder) validArgument(in *cir.Call, c *contract.Function, p *contract.Param, i int, approx string) {
	if !b.opts.Check.Memory {
		return
	}
	x := b.operand(in.Args[i].X)
	switch {
	case !x.typ.IsPointer() || p != nil && p.Nullable && isNull(x) || p == nil && b.printsOnly(in, c):
		return
	case p == nil || p.Frees || p.FreesBelow || p.VaList:
		b.doubt(approx)
		return
	case p.Format != contract.NoFormat:
		b.readsString(source{p: x, v: in.Args[i].X}, -1)
		b.validString(source{p: b.operand(in.Args[i].X), v: in.Args[i].X}, -1)
	}
	known := contract.Arguments{Value: func(k int) (uint64, bool) {
		n, ok := b.constSize(b.operand(in.Args[k].X))
		return uint64(n), ok && n >= 0
	}}
	if b.m.PointerBits == 32 {
		known.Model = contract.ILP32
	}
	for _, a := range p.Accesses {
		s := source{p: b.operand(in.Args[i].X), v: in.Args[i].X}
		n, ok := contract.Default().AtMost(a.Extent, known)
		switch {
		case b.cur == nil:
		case ok && n <= maxOpen:
			b.validBytes(s, b.constVal(b.m.Size(), int64(n)), approx)
			if a.Reads {
				b.readsBytes(source{p: b.operand(in.Args[i].X), v: s.v}, b.constVal(b.m.Size(), int64(n)), approx)
			}
		case !a.Writes && len(a.Extent) == 1 && a.Extent[0].Kind == contract.String:
			b.readsString(s, -1)
			b.validString(source{p: b.operand(in.Args[i].X), v: s.v}, -1)
		default:
			b.doubt(approx)
		}
	}
}
