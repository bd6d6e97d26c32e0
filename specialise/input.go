package specialise

import (
	"comus/cir"
	"comus/ir"
	"comus/logic"
)

// readIn runs a read of at most n bytes of input: some number of them, from the first on, get any values, and the others stay as they are.
func (b *builder) readIn(in *cir.Intrinsic, args []*value) {
	p, n, known := args[0], int64(0), false
	b.changes(p, in.Args[0])
	if n, known = b.constSize(args[1]); !known || n > maxCells || p.at == nil || len(p.at.idx) > 0 || p.at.obj.vague {
		b.onlyPartly(func() { b.havocNoted(p, in.Args[0], -1, "how much is read") })
		b.setAny(in, "")
		return
	}
	n = min(n, p.at.obj.size-p.at.off)
	mark := b.hold(p)
	count := b.newTemp(ir.Type{Bits: 64, Signed: true})
	b.emit(b.text(), ir.HavocCmd(count, in.Op.String()), ir.AssumeCmd(b.L.And(b.L.Le(b.L.Int(-1), count.Sym), b.L.Le(count.Sym, b.L.Int(n)))))
	b.hold(&value{typ: cir.I64, t: count.Sym, rng: &interval{logic.IntValue(-1), logic.IntValue(n)}})
	for _, c := range b.cellsAt(p.at.obj, p.at.off*8, n*8) {
		first, end := c.bit/8-p.at.off, (c.bit+c.bits+7)/8-p.at.off
		b.content(c) // what is not read stays
		input := b.newTemp(c.v.Type)
		cmds := []ir.Cmd{ir.HavocCmd(input, in.Op.String())}
		if end-first > 1 {
			b.assume(assumeInput)
			cmds = append(cmds, ir.AssumeCmd(b.L.Or(b.L.Le(count.Sym, b.L.Int(first)), b.L.Ge(count.Sym, b.L.Int(end)))))
		}
		b.tellSet(b.setCmds([]target{{b.L.Gt(count.Sym, b.L.Int(first)), p.at.obj, c.bit}}, c.bits, false, nil))
		b.settle(c.v.Thread == ir.Shared, c.v)
		b.emit(b.text(), append(cmds, ir.AssignCmd(c.v, b.L.Ite(b.L.Gt(count.Sym, b.L.Int(first)), input.Sym, c.v.Sym)))...)
	}
	v := b.held[len(b.held)-1]
	b.release(mark)
	if in.Dst != nil {
		b.set(in.Dst, b.convert(v, in.Dst.Type))
	}
}

// setAny gives the result of an intrinsic any value.
func (b *builder) setAny(in *cir.Intrinsic, approx string) {
	if in.Dst != nil && b.cur != nil {
		b.set(in.Dst, b.anything(in.Dst.Type, approx, b.site))
	}
}
