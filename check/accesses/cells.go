package accesses

import (
	"fmt"
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// numberCell is a cell of memory that is loaded as a number of a type.
type numberCell struct {
	at  pointsto.Location
	typ cir.Type
}

// Marks, beside the offsets of cells that hold pointers, for those that hold numbers of less than a pointer's size.
const (
	cell4 = int64(1) << 41
	cell2 = int64(1) << 42
	cell1 = int64(1) << 43
	// useBit marks those of locks and the like, which are stored to by what initialises them, and by nothing else (uses.go).
	useBit = int64(1) << 44
	marks  = textBit | cell4 | cell2 | cell1 | useBit
)

// marked returns the offset of a cell of a size, with its mark.
func marked(off, size int64) (int64, bool) {
	switch size {
	case 1:
		return off | cell1, true
	case 2:
		return off | cell2, true
	case 4:
		return off | cell4, true
	}
	return off, size == 8
}

// unmarked returns where a cell is, and its size.
func (p *program) unmarked(off int64) (at, size int64) {
	switch {
	case off&cell1 != 0:
		size = 1
	case off&cell2 != 0:
		size = 2
	case off&cell4 != 0:
		size = 4
	default:
		size = p.word
	}
	return off &^ marks, size
}

// loadedNumber returns what is known of a number that is loaded.
func (p *program) loadedNumber(at place, in *cir.Load) num {
	if in.Bits != nil || !in.Type.IsInt() {
		return anyNumber
	}
	f := p.function(p.copies[at.copy].Func)
	if x, plain := f.finds[in]; plain {
		n := num{}
		if x.unset {
			n = anyNumber
		}
		for _, s := range x.stores {
			if p.reached[place{at.copy, s}] {
				n = p.either(n, p.numberOf(place{at.copy, s}, s.X))
			}
		}
		if !p.again {
			old := p.found[at]
			n = p.grown(p.either(old, n), old)
			p.found[at] = n
		}
		if n = p.limited(at, in, n); n.set && n.exact == nil && !x.unset && !slices.ContainsFunc(x.stores, func(s *cir.Store) bool { return f.cycles(f.blockOf[s]) }) {
			// All loads that find the same stores, each of which is made no more than once in an activation, find the same one.
			n.exact = p.symbol(at.copy, fmt.Sprintf("copy %d local %d %s", at.copy, in.Addr.(*cir.Local).Index, f.namesOf(x.stores)))
		}
		return n
	}
	ls := p.places(at.copy, in.Addr)
	if len(ls) == 0 {
		return anyNumber
	}
	n := num{}
	for _, l := range ls {
		n = p.either(n, p.numberIn(numberCell{l, in.Type}))
	}
	if !n.set {
		return n
	}
	return p.limited(at, in, n)
}

// namesOf tells stores from others of their function.
func (f *function) namesOf(stores []*cir.Store) (s string) {
	for _, st := range stores {
		b := f.blockOf[st]
		s += fmt.Sprintf("b%d.%d ", b.Index, slices.Index(b.Instrs, cir.Instr(st)))
	}
	return s
}

// symbolOf names the symbol of a register.
func symbolOf(c int, r *cir.Reg) string { return fmt.Sprintf("copy %d register %d", c, r.Index) }

// symbol returns the symbol with a name that belongs to a copy.
func (p *program) symbol(c int, name string) *poly {
	return p.bounds.symbol(p.symbols.of(name), p.entersOnce(c))
}

// outside is a number that leaves an activation.
func (n num) outside() num {
	if n.exact != nil && n.exact.passing {
		n.exact = nil
	}
	n.upper = n.upper.outside()
	return n
}

// entersOnce reports whether a copy is entered no more than once in an execution.
func (p *program) entersOnce(c int) bool {
	once, known := p.once[c]
	if !known {
		y := p.copies[c]
		once = y.Func == p.prog.Entry && !p.entersAgain() || slices.ContainsFunc(y.Func.Locals, func(l *cir.Local) bool {
			o := p.pts.Object(y.Func, y.Ctx, l)
			return o != nil && p.pts.Once(o)
		})
		p.once[c] = once
	}
	return once
}

// setOnce reports whether a register of a copy is set no more than once in an activation.
func (p *program) setOnce(c int, r *cir.Reg) bool {
	f := p.function(p.copies[c].Func)
	b := f.setIn[r.Index] // nil: it is a parameter
	return b == nil || !f.cycles(b)
}

// numberIn returns what is known of a cell so far.
func (p *program) numberIn(c numberCell) num {
	n, had := p.numberCells[c]
	if !had {
		if p.again { // nobody has looked at it
			return anyNumber
		}
		p.numberCells[c] = n
		p.numberOrder = append(p.numberOrder, c)
	}
	return n
}

// numberContent returns what is known of all numbers that are ever in a cell, as far as anybody reads it.
func (p *program) numberContent(c numberCell) num {
	l, size := c.at, sizeOf(c.typ)
	off, ok := marked(l.Off, size)
	if !ok || !apart(l, size) {
		return anyNumber
	}
	known := pointsto.Location{Obj: l.Obj, Off: off}
	n := num{}
	if !p.begun[known] {
		n = p.initialNumber(c)
	}
	for _, w := range p.writes[l.Obj] {
		if !p.reached[w.by] || n == anyNumber || w.kind == writesZeros && p.settled[known][w.by] {
			continue
		}
		switch {
		case w.kind == writesNumber && w.at == l && w.size == size:
			k := p.numberOf(w.by, w.x).outside()
			if k.set && !k.keeps(p.prog.Model.TypeOf(w.x), c.typ) {
				return anyNumber
			}
			n = p.either(n, k)
		case !w.at.Touches(w.size, l, size):
		case w.kind == writesZeros && p.covers(w, l, size):
			n = p.either(n, p.just(0))
		case w.kind == writesCopy && p.covers(w, l, size) && w.size >= 0 && len(w.from) > 0:
			for _, s := range w.from {
				if !within(s, w.size) || s.Off == pointsto.Any {
					return anyNumber
				}
				n = p.either(n, p.numberIn(numberCell{pointsto.Location{Obj: s.Obj, Off: s.Obj.Reduce(s.Off + l.Off - w.at.Off)}, c.typ}))
			}
		default:
			return anyNumber
		}
	}
	return n
}

// initialNumber returns what is known of a number that is in memory from the beginning of its object's life on.
func (p *program) initialNumber(c numberCell) num {
	o := c.at.Obj
	switch {
	case zeroed(o):
		return p.just(0)
	case o.Global == nil || o.Global.External || len(o.Global.Relocs) > 0:
		return anyNumber
	}
	n, g, size := num{}, o.Global, sizeOf(c.typ)
	for i := range int64(len(g.Data)) {
		if o.Reduce(i) != c.at.Off {
			continue
		}
		k := int64(0)
		for j := min(size, int64(len(g.Data))-i) - 1; j >= 0; j-- {
			k = k<<8 | int64(g.Data[i+j])
		}
		if k < 0 || size < 8 && k >= 1<<(8*size-1) { // negative, or not: that depends on the type
			return anyNumber
		}
		n = p.either(n, p.just(k))
	}
	if !c.at.Exact() || !n.set || g.Size > int64(len(g.Data)) {
		n = p.either(n, p.just(0))
	}
	return n
}
