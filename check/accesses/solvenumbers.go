package accesses

import "comus/cir"

// solveNumbers is one round of what instructions, calls and stores make of numbers, and reports whether anything changed.
func (p *program) solveNumbers() (changed bool) {
	put := func(c int, r *cir.Reg, n num) {
		if r == nil || !r.Type.IsInt() || !n.set {
			return
		}
		key := register{c, r.Index}
		old := p.nums[key]
		n = p.either(old, n)
		if n.exact == nil && p.setOnce(c, r) {
			n.exact = p.symbol(symbolOf(c, r))
		}
		if n == old {
			return
		}
		if p.rounds > maxPlain {
			n = p.widenedNumber(n, old)
		}
		if n != old {
			p.nums[key], changed = n, true
		}
	}
	p.each(func(at place) { p.stepNumber(at, put) })
	for i := 0; i < len(p.numberOrder); i++ {
		c := p.numberOrder[i]
		old := p.numberCells[c]
		n := p.either(old, p.numberContent(c))
		if n != old && p.rounds > maxPlain {
			n = p.widenedNumber(n, old)
		}
		if n != old {
			p.numberCells[c], changed = n, true
		}
	}
	return changed
}

// stepNumber is what an instruction makes of numbers.
func (p *program) stepNumber(at place, put func(int, *cir.Reg, num)) {
	c := at.copy
	switch in := at.in.(type) {
	case *cir.Load:
		put(c, in.Dst, p.loadedNumber(at, in))
	case *cir.Convert:
		from := p.prog.Model.TypeOf(in.X)
		n := p.numberOf(at, in.X)
		if n.set && !n.keeps(from, in.Dst.Type) {
			n = anyNumber
		}
		put(c, in.Dst, n)
	case *cir.Binary:
		x, y := p.numberOf(at, in.X), p.numberOf(at, in.Y)
		if in.Dst.Type.IsInt() && x.set && y.set {
			put(c, in.Dst, p.computed(in.Op, x, y, in.Dst.Type))
		}
	case *cir.Select:
		put(c, in.Dst, p.either(p.numberOf(at, in.X), p.numberOf(at, in.Y)))
	case *cir.Call:
		p.stepCallNumber(at, in, put)
	case *cir.Jump:
		p.passesNumbers(at, in.To, in.Args, put)
	case *cir.Branch:
		p.passesNumbers(at, in.Then, in.ThenArgs, put)
		p.passesNumbers(at, in.Else, in.ElseArgs, put)
	case cir.Instr:
		for _, r := range cir.Results(in) {
			put(c, r, anyNumber)
		}
	}
}

func (p *program) passesNumbers(at place, to *cir.Block, args []cir.Value, put func(int, *cir.Reg, num)) {
	for i, r := range to.Params {
		put(at.copy, r, p.numberOf(at, args[i]))
	}
}

// stepCallNumber is what a call makes of numbers.
func (p *program) stepCallNumber(at place, in *cir.Call, put func(int, *cir.Reg, num)) {
	if library(in) != nil || len(p.calls[at]) == 0 {
		put(at.copy, in.Dst, anyNumber)
		return
	}
	for _, g := range p.calls[at] {
		fn := p.copies[g].Func
		for i, x := range fn.Params {
			n := anyNumber
			if i < len(in.Args) && in.Args[i].ByVal == nil && p.prog.Model.TypeOf(in.Args[i].X) == x.Reg.Type {
				n = p.numberOf(at, in.Args[i].X)
			}
			put(g, x.Reg, n)
		}
		for _, b := range fn.Blocks {
			if r, ok := b.Term.(*cir.Return); ok && r.X != nil && p.reached[place{g, r}] && in.Dst != nil {
				n := anyNumber
				if p.prog.Model.TypeOf(r.X) == in.Dst.Type {
					n = p.numberOf(place{g, r}, r.X)
				}
				put(at.copy, in.Dst, n)
			}
		}
	}
}
