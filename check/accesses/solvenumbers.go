package accesses

import (
	"maps"

	"comus/cir"
)

// findNumbers finds what is known of all numbers. What grows in loops is given up first. Then all is computed again, a few times, of what was found: that holds, too, as each number is one that
// some instruction, call or store makes of others (narrowing).
func (p *program) findNumbers() {
	for changed := true; changed; p.rounds++ {
		changed = false
		put := func(key register, old, n num) {
			if n = p.either(old, n); p.joins(key) || p.rounds > maxGrowing {
				n = p.grown(n, old)
			}
			if n != p.nums[key] { // old may already have a symbol

				p.nums[key], changed = n, true
			}
		}
		p.each(func(at place) { p.stepNumber(at, p.putting(func(k register) num { return p.nums[k] }, put)) })
		for i := 0; i < len(p.numberOrder); i++ {
			c := p.numberOrder[i]
			old := p.numberCells[c]
			n := p.grown(p.either(old, p.numberContent(c)), old)
			if n != old {
				p.numberCells[c], changed = n, true
			}
		}
	}
	p.rounds, p.again = 0, true
	for range maxAgain {
		fresh := map[register]num{}
		p.each(func(at place) {
			p.stepNumber(at, p.putting(func(k register) num { return fresh[k] }, func(key register, old, n num) { fresh[key] = p.either(old, n) }))
		})
		changed := false
		for key, n := range fresh {
			changed = changed || p.nums[key] != n
		}
		maps.Copy(p.nums, fresh)
		for _, c := range p.numberOrder {
			n := p.numberContent(c)
			changed = changed || p.numberCells[c] != n
			p.numberCells[c] = n
		}
		if !changed {
			break
		}
	}
}

// grown is what is known of a number that changes in a loop, maybe: after some rounds what changes is given up. Each loop has a load of a local, a cell, or a register of [program.joins] in it.
func (p *program) grown(n, old num) num {
	if n != old && p.rounds > maxPlain {
		n = p.widenedNumber(n, old)
		if p.rounds > maxGrowing {
			n = num{set: true, exact: n.exact, lo: -unlimited, hi: unlimited}
		}
	}
	return n
}

// maxGrowing is after how many rounds whatever changes is given up.
const maxGrowing = 60

// joins reports whether a register is a parameter, or what a call returns.
func (p *program) joins(key register) bool {
	def := p.function(p.copies[key.copy].Func).defs[key.reg]
	_, call := def.(*cir.Call)
	return def == nil || call
}

// maxAgain is how often numbers are computed again.
const maxAgain = 20

// putting returns what puts a number in a register of a copy, where others may be already. What has different values on different ways, but is set only once in an activation, is a symbol.
func (p *program) putting(get func(register) num, put func(key register, old, n num)) func(int, *cir.Reg, num) {
	return func(c int, r *cir.Reg, n num) {
		if r == nil || !r.Type.IsInt() || !n.set {
			return
		}
		key := register{c, r.Index}
		old := get(key)
		if once := p.setOnce(c, r); once && (n.exact == nil || old.set && old.exact != n.exact) {
			n.exact = p.symbol(c, symbolOf(c, r))
			if old.set {
				old.exact = n.exact
			}
		}
		put(key, old, n)
	}
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
				n = p.numberOf(at, in.Args[i].X).outside()
			}
			put(g, x.Reg, n)
		}
		for _, b := range fn.Blocks {
			if r, ok := b.Term.(*cir.Return); ok && r.X != nil && p.reached[place{g, r}] && in.Dst != nil {
				n := anyNumber
				if p.prog.Model.TypeOf(r.X) == in.Dst.Type {
					n = p.numberOf(place{g, r}, r.X).outside()
				}
				put(at.copy, in.Dst, n)
			}
		}
	}
}
