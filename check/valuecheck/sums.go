package valuecheck

import (
	"maps"
	"slices"

	"comus/cir"
)

// find lets a thread that has taken a lock know what is claimed of it.
func (r *run) find(lock int) {
	if r.rel == nil || r.mode == alone {
		return
	}
	for _, rel := range r.freeOf(lock) {
		r.rel.facts = append(r.rel.facts, r.knownFactOf(rel, func(n int) lin { return r.valueOf(n, &r.state, r.mode) }))
	}
}

// loses forgets cells that others may change from now on.
func (r *run) loses() {
	if r.rel == nil {
		return
	}
	steady := r.steadyIn(&r.state, r.mode)
	maps.DeleteFunc(r.rel.env, func(n int, _ lin) bool { return !steady(n) })
}

// form returns an operand as a sum; ok is false if it is none.
func (r *run) form(v cir.Value) (f lin, ok bool) {
	if r.rel == nil || !countable(r.typ(v)) {
		return f, false
	}
	s := r.value(v)
	if n, one := s.only(); one {
		c, ok := n.int()
		return constant(c), ok && fits(c)
	}
	x, ok := v.(*cir.Reg)
	if !ok || !x.Type.IsInt() {
		return f, false
	}
	if f, ok = r.rel.forms[x.Index]; !ok {
		f = r.newSymbol()
		r.rel.forms[x.Index] = f
		r.rel.rows = append(r.rel.rows, bounds(f, s)...)
	}
	return f, true
}

// assigns notes that a register is a sum.
func (r *run) assigns(x *cir.Reg, f lin, ok bool) {
	if ok && x != nil && !r.dead {
		r.rel.forms[x.Index] = f
	}
}

// found returns what is loaded, as a sum.
func (r *run) found(in *cir.Load) {
	if r.rel == nil || r.dead || in.Bits != nil || in.Dst == nil || in.Dst.Type != in.Type {
		return
	}
	ls := r.aim(in.Addr)
	if len(ls) != 1 {
		return
	}
	c := r.memory.at(ls[0], r.prog.Model.SizeOf(in.Type))
	if c == nil || !r.relating[c.id] || !sameNumbers(c.typ, in.Type) || !r.steady(c, r.mode, r.locks, r.atomic()) {
		return
	}
	f := r.valueOf(c.id, &r.state, r.mode)
	r.rel.rows = append(r.rel.rows, bounds(f, r.value(in.Dst))...) // who accesses it knows that
	r.assigns(in.Dst, f, true)
}

func sameNumbers(s, t cir.Type) bool {
	return s.IsInt() && t.IsInt() && s.Bits == t.Bits && s.Signed == t.Signed
}

// wrote notes that a cell holds something else.
func (r *run) wrote(c *cell, v set, sure bool) {
	if r.rel == nil || !r.relating[c.id] {
		return
	}
	delete(r.rel.env, c.id)
	if !sure || !r.steady(c, r.mode, r.locks, r.atomic()) {
		return
	}
	f := r.source
	if f == nil {
		g := r.newSymbol()
		r.rel.rows = append(r.rel.rows, bounds(g, v)...)
		f = &g
	}
	r.rel.env[c.id] = *f
}

// sumOf returns a result as a sum, if it fits.
func (r *run) sumOf(in *cir.Binary) (f lin, ok bool) {
	if r.rel == nil || !in.Dst.Type.IsInt() || in.Op != cir.Add && in.Op != cir.Sub && in.Op != cir.Mul {
		return f, false
	}
	x, ok1 := r.form(in.X)
	y, ok2 := r.form(in.Y)
	if !ok1 || !ok2 {
		return f, false
	}
	var exact set
	switch {
	case in.Op == cir.Add:
		f, ok = x.plus(1, y)
		exact = sum(r.value(in.X), r.value(in.Y))
	case in.Op == cir.Sub:
		f, ok = x.plus(-1, y)
		exact = sum(r.value(in.X), negative(r.value(in.Y)))
	case len(x.terms) == 0:
		f, ok = constant(0).plus(x.c, y)
		exact = product(r.value(in.X), r.value(in.Y))
	case len(y.terms) == 0:
		f, ok = constant(0).plus(y.c, x)
		exact = product(r.value(in.X), r.value(in.Y))
	}
	if !ok {
		return f, false
	}
	if t := in.Dst.Type; t.Signed && !in.Wrap && !r.opts.Wrap { // it is noted that this is taken for granted, where it is
		return f, true
	}
	return f, r.fitsIn(f, exact, in.Dst.Type)
}

// fitsIn reports whether a sum, which is in a set, is a number of a type.
func (r *run) fitsIn(f lin, v set, t cir.Type) bool {
	return v.within(full(t)) || r.tightened(&r.state, r.mode, f, v, full(t)).within(full(t))
}

// sameAs returns what is converted, as a sum, if it is the same number.
func (r *run) sameAs(in *cir.Convert) (f lin, ok bool) {
	from := r.typ(in.X)
	if r.rel == nil || !from.IsInt() || !in.Dst.Type.IsInt() || !countable(in.Dst.Type) {
		return f, false
	}
	if f, ok = r.form(in.X); !ok {
		return f, false
	}
	to := full(in.Dst.Type)
	if in.Dst.Type == cir.Bool {
		to = truth
	}
	return f, r.value(in.X).within(to) || in.Dst.Type != cir.Bool && r.fitsIn(f, r.value(in.X), in.Dst.Type)
}

// supposes adds that an operand is not 0, or is.
func (r *run) supposes(v cir.Value, holds bool) {
	if r.rel == nil || r.dead {
		return
	}
	x, ok := v.(*cir.Reg)
	if !ok {
		return
	}
	switch in := r.defs[x].(type) {
	case *cir.Compare:
		p := in.Pred
		if !holds {
			p = opposite[p]
		}
		if !countable(r.typ(in.X)) {
			return
		}
		if r.value(in.Y).within(nought) && (p == cir.Eq || p == cir.Ne) && !r.value(in.Y).empty() && isTruth(r.defs, in.X) {
			r.supposes(in.X, p == cir.Ne)
			return
		}
		r.supposesCompared(in.X, in.Y, p)
	case *cir.Convert:
		if from := r.typ(in.X); countable(from) && (in.Dst.Type == cir.Bool || in.Dst.Type.Bits >= from.Bits) {
			r.supposes(in.X, holds)
		}
	default:
		if x.Type.IsInt() {
			p := cir.Eq
			if holds {
				p = cir.Ne
			}
			r.supposesCompared(v, cir.IntOf(x.Type, 0), p)
		}
	}
}

// isTruth reports whether an operand is a truth value that was compared or converted.
func isTruth(defs map[*cir.Reg]cir.Instr, v cir.Value) bool {
	x, ok := v.(*cir.Reg)
	if !ok {
		return false
	}
	switch in := defs[x].(type) {
	case *cir.Compare:
		return true
	case *cir.Convert:
		return isTruth(defs, in.X)
	}
	return false
}

// decided returns the result of a comparison, which relations may know.
func (r *run) decided(in *cir.Compare, v set) set {
	if r.rel == nil || !v.has(num{}) || v.within(nought) || len(r.rel.facts)+len(r.rel.rows) == 0 {
		return v
	}
	d, ok := r.difference(in.X, in.Y)
	if !ok {
		return v
	}
	rows := r.rowsIn(&r.state, r.mode)
	for _, p := range []cir.Pred{in.Pred, opposite[in.Pred]} {
		if goal := comparing(d, p); len(goal) == 0 || !(&prover{}).proves(r.rel.facts, rows, goal) {
			continue
		}
		if p == in.Pred {
			return unit
		}
		return nought
	}
	return v
}

// difference returns the difference of two operands as a sum.
func (r *run) difference(x, y cir.Value) (d lin, ok bool) {
	f, ok1 := r.form(x)
	g, ok2 := r.form(y)
	if !ok1 || !ok2 {
		return d, false
	}
	return f.plus(-1, g)
}

// comparing says that a sum compares so to 0; it has no cases if that cannot be told.
func comparing(d lin, p cir.Pred) (f fact) {
	var rows []row
	switch p {
	case cir.Eq:
		return fact{{{d, true}}}
	case cir.Le:
		return fact{{{d, false}}}
	case cir.Ge:
		return fact{{row{d, false}.minus()}}
	case cir.Gt:
		rows = row{d, false}.not()
	case cir.Lt:
		rows = row{d, false}.minus().not()
	case cir.Ne:
		rows = row{d, true}.not()
	}
	for _, r := range rows {
		f = append(f, []row{r})
	}
	return f
}

// supposesCompared adds that operands compare so.
func (r *run) supposesCompared(x, y cir.Value, p cir.Pred) {
	d, ok := r.difference(x, y)
	if !ok {
		return
	}
	switch f := comparing(d, p); len(f) {
	case 0:
	case 1:
		r.rel.rows = append(r.rel.rows, f[0]...)
	default:
		r.rel.facts = append(r.rel.facts, f)
	}
}

// refutes reports whether an operand cannot be 0, by relations.
func (r *run) refutes(v cir.Value) bool {
	if r.rel == nil {
		return false
	}
	y := r.fork()
	y.assume(v, false)
	return y.dead || y.excluded(&y.state, y.mode)
}

// behind finds what is known of cells after a call that has returned in some ways. before are the locks that were held.
func (r *run) behind(ends []end, mode, was int) {
	if r.rel == nil {
		return
	}
	gone := func(n int) bool {
		c := r.memory.cells[n]
		return slices.ContainsFunc(ends, func(e end) bool {
			return e.act != nil && (r.changes[e.act.copy].Has(n) || slices.Contains(r.locals[e.act.copy], c) ||
				mode == among && (!c.own || r.guardedByLock(c)) && (was == alone || r.program.locking[e.act.copy]))
		}) || mode == among && was == alone && (lone(c) || !c.own)
	}
	maps.DeleteFunc(r.rel.env, func(n int, _ lin) bool { return gone(n) })
	if r.loses(); len(ends) != 1 || ends[0].act == nil {
		return
	}
	c := ends[0].c
	s := r.stateOf(c, mode)
	there, here := r.steadyIn(&s, mode), r.steadyIn(&r.state, mode)
	for _, rel := range c.related {
		if rel = rel.only(func(n int) bool { return there(n) && here(n) }); rel != nil {
			r.rel.facts = append(r.rel.facts, r.knownFactOf(rel, func(n int) lin { return r.valueOf(n, &r.state, mode) }))
		}
	}
}
