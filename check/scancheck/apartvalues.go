package scancheck

import (
	"fmt"

	"comus/cir"
)

// term says that the lowest bits of a value are those of what a thread is given, or of a loop's number at the beginning of the turn, plus a constant.
type term struct {
	bits  int
	add   int64
	exact exactness
}

// exactness says whether a value is the number itself in all the bits that an address has, and not one that has some bits in common with it: as a number with a sign, or without one.
type exactness uint8

const (
	inexact exactness = iota
	withSign
	withoutSign
)

// exactAs returns how exact the load of a number is.
func exactAs(of cir.Type, size int64) exactness {
	switch {
	case int64(of.Bits) != size*8:
		return inexact
	case of.Signed || of.Bits == 64:
		return withSign
	}
	return withoutSign
}

// after returns what a conversion leaves of it.
func (e exactness) after(from, to cir.Type) exactness {
	switch {
	case to.Bits < from.Bits,
		to.Bits == from.Bits && from.Signed != to.Signed && to.Bits != 64,
		to.Bits > from.Bits && from.Signed && !to.Signed && to.Bits != 64,
		to.Bits > from.Bits && from.Signed != (e == withSign):
		return inexact
	}
	return e
}

// values are how registers of a function get their values. Locals that are private and stored to once are as good as registers where they hold that.
type values struct {
	p      *program
	f      *cir.Func
	locals map[*cir.Local]bool
	defs   map[int]cir.Instr
	blocks map[cir.Instr]*cir.Block
	stores map[*cir.Local][]*cir.Store
	preds  map[*cir.Block][]*cir.Block
}

// valuesOf returns how registers get their values; nil if control may come back to the middle of the function.
func (ls *locations) valuesOf(f *cir.Func) *values {
	if v, known := ls.gifts.funcs[f]; known {
		return v
	}
	v := &values{p: ls.program, f: f, locals: private(f), defs: map[int]cir.Instr{}, blocks: map[cir.Instr]*cir.Block{},
		stores: map[*cir.Local][]*cir.Store{}, preds: map[*cir.Block][]*cir.Block{}}
	jumps := false
	for _, b := range f.Blocks {
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) { v.preds[to] = append(v.preds[to], b) })
		for _, in := range b.Instrs {
			v.blocks[in] = b
			for _, r := range cir.Results(in) {
				v.defs[r.Index] = in
			}
			if s, ok := in.(*cir.Store); ok {
				if l, ok := s.Addr.(*cir.Local); ok {
					v.stores[l] = append(v.stores[l], s)
				}
			}
			if i, ok := in.(*cir.Intrinsic); ok && i.Op == cir.Setjmp {
				jumps = true
			}
		}
	}
	if jumps {
		v = nil
	}
	ls.gifts.funcs[f] = v
	return v
}

// def returns the instruction that gives a register its value.
func (v *values) def(x cir.Value) cir.Instr {
	if r, ok := x.(*cir.Reg); ok {
		return v.defs[r.Index]
	}
	return nil
}

// source returns the only store to a local, if whatever a load reads was stored by it since the local's life began. Where stop is set, since
// control was there, too.
func (v *values) source(in *cir.Load, stop *cir.Block) *cir.Store {
	l, ok := in.Addr.(*cir.Local)
	if !ok || !v.locals[l] || len(v.stores[l]) != 1 || in.Volatile {
		return nil
	}
	s := v.stores[l][0]
	if s.Type != in.Type || s.Volatile {
		return nil
	}
	seen := map[*cir.Block]bool{}
	var back func(b *cir.Block, end int) bool // all ways back from before an instruction come to the store
	back = func(b *cir.Block, end int) bool {
		for i := end - 1; i >= 0; i-- {
			switch x := b.Instrs[i].(type) {
			case *cir.Store:
				if x == s {
					return true
				}
			case *cir.LifeStart:
				if x.Local == l {
					return false
				}
			}
		}
		if b == v.f.Blocks[0] || b == stop || len(v.preds[b]) == 0 {
			return false
		}
		for _, p := range v.preds[b] {
			if !seen[p] {
				seen[p] = true
				if !back(p, len(p.Instrs)) {
					return false
				}
			}
		}
		return true
	}
	if !back(v.blocks[in], v.index(in)) {
		return nil
	}
	return s
}

func (v *values) index(in cir.Instr) int {
	for i, x := range v.blocks[in].Instrs {
		if x == in {
			return i
		}
	}
	return -1
}

// term returns what a value is made of: the number of a gift's loop, or what parameters are said to be made of.
func (v *values) term(x cir.Value, g *gift, facts []*term) (t term, ok bool) {
	if r, isReg := x.(*cir.Reg); isReg && g == nil {
		for i, p := range v.f.Params {
			if p.Reg == r {
				if p.ByVal != nil || i >= len(facts) || facts[i] == nil {
					return t, false
				}
				return *facts[i], true
			}
		}
	}
	switch in := v.def(x).(type) {
	case *cir.Load:
		if in.Bits != nil {
			return t, false
		}
		if g != nil && in.Addr == cir.Value(g.loop.local) {
			return term{bits: in.Type.Bits, exact: exactAs(in.Type, g.loop.local.Size)}, !in.Volatile && v.beforeChange(g.loop, in)
		}
		var stop *cir.Block
		if g != nil {
			if stop = g.loop.head; !g.loop.inside[v.blocks[in]] {
				return t, false
			}
		}
		s := v.source(in, stop)
		if s == nil {
			return t, false
		}
		if t, ok = v.term(s.X, g, facts); s.Type != in.Type {
			t.exact = inexact
		}
		return t.in(in.Type, ok)
	case *cir.Convert:
		from := v.p.prog.Model.TypeOf(in.X)
		if from.IsFloat() || from == cir.Bool {
			return t, false
		}
		t, ok = v.term(in.X, g, facts)
		t.exact = t.exact.after(from, in.Dst.Type)
		return t.in(in.Dst.Type, ok)
	case *cir.Offset:
		if in.Index != nil {
			return t, false
		}
		t, ok = v.term(in.P, g, facts)
		t.add += in.Disp
		return t, ok
	case *cir.Binary:
		c, isConst := in.Y.(cir.Int)
		if !isConst || in.Op != cir.Add && in.Op != cir.Sub {
			return t, false
		}
		if t, ok = v.term(in.X, g, facts); in.Dst.Type.Bits != 64 && (!in.Dst.Type.Signed || in.Wrap) {
			t.exact = inexact // it may begin anew
		}
		if n := int64(c.Lo); in.Op == cir.Add {
			t.add += n
		} else {
			t.add -= n
		}
		return t.in(in.Dst.Type, ok)
	}
	return t, false
}

// in returns what is left of a value when it becomes one of a type.
func (t term) in(of cir.Type, ok bool) (term, bool) {
	t.bits = min(t.bits, of.Bits)
	return t, ok && (of.IsInt() || of.IsPointer()) && of != cir.Bool
}

// beforeChange reports whether a load in a loop reads what its counter was at the beginning of the turn.
func (v *values) beforeChange(l *counter, in cir.Instr) bool {
	b := v.blocks[in]
	if !l.inside[b] {
		return false
	}
	for x := range l.inside {
		if storesTo(x.Instrs, l.local) == 0 {
			continue
		}
		for i, s := range x.Instrs {
			if storesTo([]cir.Instr{s}, l.local) > 0 && (x == b && i < v.index(in) || v.leads(l, x, b)) {
				return false
			}
		}
	}
	return true
}

// leads reports whether control gets from the end of one block to another one within a turn.
func (v *values) leads(l *counter, from, to *cir.Block) bool {
	found := false
	cir.Succs(from.Term, func(b *cir.Block, _ []cir.Value) {
		found = found || b != l.head && without(b, l.head)[to]
	})
	return found
}

// exact reports whether a loop's numbers are all different: its counter changes by a constant in arithmetic that does not wrap around, or by 1 as long as
// it is less, or more, than something.
func (v *values) exact(l *counter) bool {
	g := &gift{loop: l}
	if !v.locals[l.local] {
		return false
	}
	var change *cir.Store
	for b := range l.inside {
		for _, in := range b.Instrs {
			if storesTo([]cir.Instr{in}, l.local) == 0 {
				continue
			}
			s, ok := in.(*cir.Store)
			if !ok || change != nil {
				return false
			}
			change = s
		}
	}
	if change == nil {
		return false
	}
	by, ok := v.term(change.X, g, nil)
	if !ok || by.add == 0 || by.bits < int(l.local.Size)*8 || !change.Type.IsInt() {
		return false
	}
	if sum, ok := v.def(change.X).(*cir.Binary); ok && sum.Dst.Type == change.Type && change.Type.Signed && !sum.Wrap && (sum.Op == cir.Add || sum.Op == cir.Sub) {
		load, ok := v.def(sum.X).(*cir.Load)
		return ok && load.Addr == cir.Value(l.local) && load.Type == change.Type
	}
	return v.bounded(l, by.add)
}

// bounded reports whether a loop goes on only as long as its counter is less than something, if it goes up by 1, or more, if down.
func (v *values) bounded(l *counter, by int64) bool {
	br, ok := l.head.Term.(*cir.Branch)
	if !ok {
		return false
	}
	c, ok := v.def(br.Cond).(*cir.Compare)
	if !ok || v.blocks[c] != l.head {
		return false
	}
	load, ok := v.def(c.X).(*cir.Load)
	if !ok || load.Addr != cir.Value(l.local) || v.blocks[load] != l.head || load.Type.Bits != int(l.local.Size)*8 || load.Bits != nil {
		return false
	}
	less := c.Pred == cir.Lt && l.body == br.Then || c.Pred == cir.Ge && l.body == br.Else
	more := c.Pred == cir.Gt && l.body == br.Then || c.Pred == cir.Le && l.body == br.Else
	return by == 1 && less || by == -1 && more
}

// allocation returns the call that allocates, between any two executions of an instruction, the object that an operand of that leads into, nil if there is none.
func (ls *locations) allocation(v *values, copy int, at cir.Instr, arg cir.Value) *cir.Call {
	for range 50 {
		in := v.def(arg)
		if in == nil || !v.between(at, in) {
			return nil
		}
		at = in
		switch in := in.(type) {
		case *cir.Load:
			s := v.source(in, nil)
			if s == nil {
				s = ls.storedJust(v, copy, in)
			}
			if s == nil || !v.between(in, s) {
				return nil
			}
			arg, at = s.X, s
		case *cir.Offset:
			if _, isConst := in.Index.(cir.Int); in.Index != nil && !isConst {
				return nil
			}
			arg = in.P
		case *cir.Convert:
			if !in.Dst.Type.IsPointer() || !v.p.prog.Model.TypeOf(in.X).IsPointer() {
				return nil
			}
			arg = in.X
		case *cir.Call:
			if ls.gifts.fresh.New(in) {
				return in
			}
			return nil
		default:
			return nil
		}
	}
	return nil
}

// yetToGive reports whether an address leads into the object that was allocated last for a thread of a gift, and the creating thread comes to an instruction only before it gives the thread that: what the address is made
// of is computed anew behind each allocation.
func (ls *locations) yetToGive(g *gift, in cir.Instr, addr cir.Value) bool {
	v := g.f
	if in == cir.Instr(g.made) || v.blocks[in] == nil || v.gets(nil, g.create, in, g.made) {
		return false
	}
	for at := in; ; {
		d := v.def(addr)
		if d == nil {
			return false
		}
		if d == cir.Instr(g.made) {
			return true
		}
		if v.gets(nil, g.made, at, d) {
			return false
		}
		at = d
		switch d := d.(type) {
		case *cir.Load:
			s := v.source(d, nil)
			if s == nil {
				s = ls.storedJust(v, g.node.copy, d)
			}
			if s == nil || !d.Type.IsPointer() || v.gets(nil, g.made, d, s) {
				return false
			}
			addr, at = s.X, s
		case *cir.Offset:
			addr = d.P
		case *cir.Convert:
			if !d.Dst.Type.IsPointer() || !v.p.prog.Model.TypeOf(d.X).IsPointer() {
				return false
			}
			addr = d.X
		default:
			return false
		}
	}
}

// between reports whether control gets from one execution of an instruction to the next one through another one only.
func (v *values) between(in, other cir.Instr) bool {
	from, via := v.blocks[in], v.blocks[other]
	if from == via {
		return v.index(other) < v.index(in)
	}
	again := false
	cir.Succs(from.Term, func(to *cir.Block, _ []cir.Value) {
		again = again || to != via && without(to, via)[from]
	})
	return !again
}

// comesFirst reports whether the creating thread comes to an instruction in a turn only before it creates the turn's thread.
func (v *values) comesFirst(g *gift, in cir.Instr) bool {
	b, at := v.blocks[in], v.blocks[g.calls()]
	switch {
	case b == nil || !g.loop.inside[b]:
		return false
	case b == at:
		return v.index(in) < v.index(g.calls())
	}
	return b == g.loop.head || !v.leads(g.loop, at, b)
}

// way is how an address is made.
type way struct {
	base   cir.Value
	key    *term
	stride int64
	lo, hi int64
	wide   bool // any bytes
	far    bool // the last addition was of an index without bounds
}

// way goes back from an address over what was added to it.
func (v *values) way(addr cir.Value, size int64, key func(cir.Value) (term, bool)) *way {
	return v.wayIn(addr, size, key, func(*cir.Offset) int64 { return -1 })
}

// wayIn does so where room tells how far the array goes of which an element is taken.
func (v *values) wayIn(addr cir.Value, size int64, key func(cir.Value) (term, bool), room func(*cir.Offset) int64) *way {
	w := &way{base: addr, hi: size, wide: size < 0}
	for range 100 {
		switch in := v.def(w.base).(type) {
		case *cir.Offset:
			before := w.lo
			if !w.add(in, key) {
				return nil
			}
			w.base = in.P
			if w.far && !w.wide && before == 0 && v.neverNegative(in.Index) && room(in) > 0 { // it stays in that array
				w.lo, w.hi, w.far = in.Disp, in.Disp+room(in), false
			}
			w.wide, w.far = w.wide || w.far, false
			continue
		case *cir.Convert:
			if in.Dst.Type.IsPointer() && v.p.prog.Model.TypeOf(in.X).IsPointer() {
				w.base = in.X
				continue
			}
		case *cir.Load:
			if s := v.source(in, nil); s != nil && in.Type.IsPointer() && w.key == nil {
				w.base = s.X
				continue
			}
		}
		return w
	}
	return nil
}

// add goes back over one addition. It reports whether the address can still be said.
func (w *way) add(in *cir.Offset, key func(cir.Value) (term, bool)) bool {
	const limit = 1 << 40
	move := in.Disp
	c, isConst := in.Index.(cir.Int)
	k, ok := term{}, false
	if in.Index != nil && !isConst {
		k, ok = key(in.Index)
	}
	switch {
	case isConst:
		n := int64(c.Lo)
		if n > 1<<30 || n < -1<<30 || in.Scale > 1<<30 || in.Scale < -1<<30 {
			return false
		}
		move += n * in.Scale
	case in.Index == nil:
	case w.key != nil || in.Scale <= 0:
		return false
	case ok:
		w.key, w.stride = &k, in.Scale
	case in.Len > 0 && in.Len < limit/in.Scale:
		w.hi += (in.Len - 1) * in.Scale
	default:
		w.far = true
	}
	w.lo, w.hi = w.lo+move, w.hi+move
	w.wide = w.wide || w.lo > limit || w.lo < -limit || w.hi > limit || w.hi < -limit
	return true
}

// base is where an array begins.
type base struct {
	name string
	cell *cir.Global
	off  int64
}

// baseOf returns where an array begins, if that is the same whenever one of the threads may be running (or, of a cell, if nobody writes it then).
// A loop is that in which threads are created, nil in what they run.
func (v *values) baseOf(x cir.Value, l *counter) (b base, ok bool) {
	switch x := x.(type) {
	case *cir.Global:
		return base{name: "global " + x.Name}, !x.ThreadLocal
	case *cir.Local:
		return base{name: fmt.Sprintf("local %d", x.Index)}, l != nil
	}
	if load, ok := v.def(x).(*cir.Load); ok {
		if g, off, ok := v.globalAt(load.Addr); ok && load.Bits == nil && load.Type.IsPointer() && (l == nil || l.inside[v.blocks[load]]) {
			return base{fmt.Sprintf("in %s at %d", g.Name, off), g, off}, !g.ThreadLocal
		}
		if held, ok := load.Addr.(*cir.Local); ok && l != nil && v.locals[held] && l.inside[v.blocks[load]] {
			for x := range l.inside {
				if storesTo(x.Instrs, held) > 0 {
					return b, false
				}
			}
			return base{name: fmt.Sprintf("held by local %d", held.Index)}, true
		}
	}
	return b, false
}
