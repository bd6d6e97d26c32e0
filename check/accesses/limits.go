package accesses

import (
	"maps"
	"slices"

	"comus/cir"
)

// What a comparison says of a number that was loaded still holds where it is loaded again, as long as it is what is there: a plain local that was not stored to, or memory that the thread
// neither has written, nor could have got another value of by synchronising (see same.go: another thread that writes there would race).

// subject is a plain local, or an address in memory, with a number of a type.
type subject struct {
	local *cir.Local
	at    spot
	typ   cir.Type
}

// limit says that what a subject holds was compared: from is a register that holds it, too, of which the comparison's operand is computed by conversions only.
type limit struct {
	of   subject
	from *cir.Reg
	in   *cir.Compare
	pred cir.Pred
	left bool // it is the comparison's left side
}

// limiting follows a function with what comparisons say.
type limiting struct {
	again
	holds map[int][]subject // registers of the block
	known map[*cir.Load][]limit
}

// findLimits finds, of the loads of a function, what comparisons say of what they give.
func (p *program) findLimits(f *function) map[*cir.Load][]limit {
	x := &limiting{again: again{p: p, f: f, notNull: map[*cir.Load]bool{}}, known: map[*cir.Load][]limit{}}
	blocks := f.fn.Blocks
	at := atEntries(blocks, map[limit]bool{}, x.follow)
	clear(x.known)
	for i, b := range blocks {
		if at[i] != nil {
			x.follow(b, at[i], func(*cir.Block, map[limit]bool) {})
		}
	}
	return x.known
}

// follow follows a block.
func (x *limiting) follow(b *cir.Block, s map[limit]bool, next func(*cir.Block, map[limit]bool)) {
	x.regs, x.loaded, x.holds = map[int]spot{}, map[int]spot{}, map[int][]subject{}
	for _, in := range b.Instrs {
		x.followOne(s, in)
	}
	t, ok := b.Term.(*cir.Branch)
	if !ok || t.Then == t.Else {
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) { next(to, s) })
		return
	}
	yes, no := maps.Clone(s), maps.Clone(s)
	if r, ok := t.Cond.(*cir.Reg); ok {
		if in, ok := x.f.defs[r.Index].(*cir.Compare); ok && x.f.blockOf[in] == b && x.p.prog.Model.TypeOf(in.X).IsInt() {
			for _, side := range []struct {
				v    cir.Value
				left bool
			}{{in.X, true}, {in.Y, false}} {
				from, list := x.subjects(side.v)
				for _, of := range list {
					yes[limit{of, from, in, in.Pred, side.left}] = true
					no[limit{of, from, in, negated[in.Pred], side.left}] = true
				}
			}
		}
	}
	next(t.Then, yes)
	next(t.Else, no)
}

var (
	negated = map[cir.Pred]cir.Pred{cir.Eq: cir.Ne, cir.Ne: cir.Eq, cir.Lt: cir.Ge, cir.Ge: cir.Lt, cir.Gt: cir.Le, cir.Le: cir.Gt}
	swapped = map[cir.Pred]cir.Pred{cir.Eq: cir.Eq, cir.Ne: cir.Ne, cir.Lt: cir.Gt, cir.Gt: cir.Lt, cir.Le: cir.Ge, cir.Ge: cir.Le}
)

// subjects are what still holds the number that an operand was converted from, which is in a register.
func (x *limiting) subjects(v cir.Value) (*cir.Reg, []subject) {
	for range 4 {
		r, ok := v.(*cir.Reg)
		if !ok {
			break
		}
		if list := x.holds[r.Index]; list != nil {
			return r, list
		}
		c, ok := x.f.defs[r.Index].(*cir.Convert)
		if !ok {
			break
		}
		v = c.X
	}
	return nil, nil
}

// followOne follows an instruction.
func (x *limiting) followOne(s map[limit]bool, in cir.Instr) {
	switch in := in.(type) {
	case *cir.Load:
		if in.Type.IsInt() && in.Bits == nil && in.Order == cir.Plain && !in.Volatile {
			x.gives(s, in)
			return
		}
	case *cir.Store:
		if l, ok := in.Addr.(*cir.Local); ok && x.f.plain[l] {
			x.forgets(s, in)
			if r, ok := in.X.(*cir.Reg); ok && in.Type.IsInt() {
				x.holds[r.Index] = append(x.holds[r.Index], subject{local: l, typ: in.Type})
			}
			return
		}
	}
	x.forgets(s, in)
}

// gives is a load of a number.
func (x *limiting) gives(s map[limit]bool, in *cir.Load) {
	of := subject{typ: in.Type}
	if l, ok := in.Addr.(*cir.Local); ok && x.f.plain[l] {
		of.local = l
	} else if k, ok := x.spot(in.Addr); ok {
		of.at = k
	} else {
		return
	}
	x.holds[in.Dst.Index] = append(x.holds[in.Dst.Index], of)
	var list []limit
	for k := range s {
		if k.of == of {
			list = append(list, k)
		}
	}
	slices.SortFunc(list, func(a, b limit) int { return a.order(x.f) - b.order(x.f) })
	x.known[in] = list
}

func (k limit) order(f *function) int {
	b := f.blockOf[k.in]
	n := (b.Index<<16+slices.Index(b.Instrs, cir.Instr(k.in)))<<4 + int(k.pred)<<1
	if k.left {
		n++
	}
	return n
}

// forgets follows an instruction that may change what subjects hold.
func (x *limiting) forgets(s map[limit]bool, in cir.Instr) {
	mark := spot{off: -1 << 60} // stands for all of memory: it goes where that is forgotten
	spots := map[spot]bool{mark: true}
	x.step(spots, in)
	memory := !spots[mark]
	l := changed(in)
	if !memory && l == nil {
		return
	}
	gone := func(of subject) bool {
		if of.local != nil {
			return of.local == l
		}
		return memory || of.at.held == l || of.at.of == cir.Value(l)
	}
	maps.DeleteFunc(s, func(k limit, _ bool) bool { return gone(k.of) })
	for r, list := range x.holds {
		if list = slices.DeleteFunc(slices.Clone(list), gone); len(list) == 0 {
			delete(x.holds, r)
		} else {
			x.holds[r] = list
		}
	}
}

// changed returns the local that an instruction changes by its name, if that is all that it changes.
func changed(in cir.Instr) *cir.Local {
	switch in := in.(type) {
	case *cir.Store:
		l, _ := in.Addr.(*cir.Local)
		return l
	case *cir.LifeStart:
		return in.Local
	case *cir.LifeEnd:
		return in.Local
	}
	return nil
}

// limited is what is known of a number that is loaded, with what comparisons say of it.
func (p *program) limited(at place, in *cir.Load, n num) num {
	for _, k := range p.function(p.copies[at.copy].Func).limits[in] {
		here := place{at.copy, k.in}
		side, other, pred := k.in.X, k.in.Y, k.pred
		if !k.left {
			side, other, pred = other, side, swapped[pred]
		}
		m := p.numberOf(here, other)
		switch {
		case !m.set:
			return num{}
		case !p.converts(at.copy, side, k.from):
			continue
		}
		n = p.compared(n, pred, m)
	}
	return n
}

// converts reports whether an operand is the number that a register holds: it was converted to types that have it.
func (p *program) converts(c int, v cir.Value, from *cir.Reg) bool {
	f := p.function(p.copies[c].Func)
	for v != cir.Value(from) {
		r, ok := v.(*cir.Reg)
		if !ok {
			return false
		}
		in, ok := f.defs[r.Index].(*cir.Convert)
		if !ok || !p.numberOf(place{c, in}, in.X).keeps(p.prog.Model.TypeOf(in.X), in.Dst.Type) {
			return false
		}
		v = in.X
	}
	return true
}

// keeps reports whether a number of a type is kept by a conversion to another one.
func (n num) keeps(from, to cir.Type) bool {
	return from.IsInt() && to.IsInt() && (from == to && to.Bits <= 64 || to.Bits > from.Bits && to.Bits <= 64 && (to.Signed || n.lo >= 0) || n.set && n.fitsIn(to))
}

// compared is a number that compares to another one in some way.
func (p *program) compared(n num, pred cir.Pred, m num) num {
	all := p.uppers(m)
	switch pred {
	case cir.Lt:
		m.hi = add(m.hi, -1)
		for i, l := range all {
			var list []*poly
			for _, a := range l {
				list = append(list, p.bounds.plus(a, -1, p.bounds.number(1)))
			}
			all[i] = list
		}
	case cir.Le:
	case cir.Eq:
		if n = p.within(n, m.lo, m.hi); n.exact == nil {
			n.exact = m.exact
		}
	case cir.Gt:
		return p.within(n, add(m.lo, 1), unlimited)
	case cir.Ge:
		return p.within(n, m.lo, unlimited)
	default:
		return n
	}
	n = p.within(n, -unlimited, m.hi)
	if n.upper != nil {
		all = append(all, n.upper.all...)
	}
	n.upper = p.bounds.upper(all)
	return n
}
