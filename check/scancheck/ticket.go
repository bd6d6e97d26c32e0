package scancheck

import (
	"fmt"
	"slices"

	"comus/cir"
	"comus/scan/points"
)

// A counter that only grows, each time by a positive constant and in a way that nobody can come between, gives whoever draws from it another number each time. Elements of an array at
// numbers that threads have drawn, as they are or times something that does not change, belong to those threads.
//
// Of two threads let nobody else write the counter while one of them may be running, and neither of them itself once it has drawn. If something sets it between what the two have drawn, it does so
// after the one has ended, or before the other one began, or before that one drew: the accesses of the two are ordered. Otherwise only draws are between, and the numbers differ. In the same way both find the same
// in a cell that is not written then. A draw is one atomic step, or a load and a store between which there is nothing to synchronise by: as the counter's accesses have no data race before
// the first race of the execution, no other draw comes between the two.

// cell is memory that there is one of; what is loaded from it has a type.
type cell struct {
	obj *points.Object
	off int64
	of  cir.Type
}

// tally is a counter from which numbers are drawn.
type tally struct {
	of    cir.Type
	step  int64
	draws map[drawAt]bool
	wraps bool // it would begin anew
}

// drawAt is the instruction of a copy that stores what a counter becomes.
type drawAt struct {
	copy int
	in   cir.Located
}

// cellWrite is a write of memory that there is one of.
type cellWrite struct {
	t       *thread
	at      drawAt
	bytes   extent
	running set
}

// tickets are what is known of numbers that are drawn.
type tickets struct {
	tallies map[cell]*tally
	writes  map[*points.Object][]cellWrite
	callers map[*thread]map[int][]drawAt
	open    map[*thread]map[int]bool
	steady  map[held]bool
}

// held is a cell while a thread runs.
type held struct {
	c    cell
	size int64
	t    *thread
}

func newTickets() tickets {
	return tickets{tallies: map[cell]*tally{}, writes: map[*points.Object][]cellWrite{}, callers: map[*thread]map[int][]drawAt{}, open: map[*thread]map[int]bool{}, steady: map[held]bool{}}
}

// findTallies finds the counters from which numbers are drawn.
func (ls *locations) findTallies() {
	for c, cp := range ls.copies {
		if cp.Func.Library {
			continue
		}
		v := ls.valuesOf(cp.Func)
		if v == nil {
			continue
		}
		for _, b := range cp.Func.Blocks {
			for _, in := range b.Instrs {
				addr, of, by, plain := v.draw(in)
				if by == 0 {
					continue
				}
				at, ok := ls.cellAt(c, addr)
				if load, isStore := v.drawnBy(in); !ok || isStore && ls.other(c, load.Addr, at) {
					continue
				}
				x := ls.tickets.tallies[at]
				if x == nil {
					x = &tally{of: of, step: by, draws: map[drawAt]bool{}}
					ls.tickets.tallies[at] = x
				}
				if x.of == of {
					x.step = min(x.step, by)
					x.draws[drawAt{c, in}] = true
					x.wraps = x.wraps || !plain
				}
			}
		}
	}
}

// other reports whether an address is not that of a cell for sure.
func (ls *locations) other(c int, addr cir.Value, at cell) bool {
	x, ok := ls.cellAt(c, addr)
	return !ok || x != at
}

// cellAt returns the memory that an address of a copy leads to, if there is one of it.
func (ls *locations) cellAt(c int, addr cir.Value) (at cell, ok bool) {
	cp := ls.copies[c]
	to := ls.pts.Places(cp.Func, cp.Ctx, addr)
	if len(to) != 1 || to[0].Off < 0 || !to[0].Exact() || !ls.pts.Once(to[0].Obj) || ls.pts.Outside(to[0].Obj) {
		return at, false
	}
	if g := to[0].Obj.Global; g != nil && (g.External || g.ThreadLocal) {
		return at, false
	}
	return cell{obj: to[0].Obj, off: to[0].Off}, true
}

// draw returns what an instruction adds to the number at an address, if that is a constant and the instruction is a draw; 0: it is none. Plain tells that the
// number cannot begin anew, as that is undefined.
func (v *values) draw(in cir.Instr) (addr cir.Value, of cir.Type, by int64, plain bool) {
	switch in := in.(type) {
	case *cir.RMW:
		n, ok := in.X.(cir.Int)
		if ok && in.Op == cir.RMWAdd && in.Bits == nil && drawable(in.Type) && small(n) {
			return in.Addr, in.Type, int64(n.Lo), false
		}
	case *cir.Store:
		if load, ok := v.drawnBy(in); ok {
			sum, _ := v.def(v.kept(in.X)).(*cir.Binary)
			return in.Addr, load.Type, int64(sum.Y.(cir.Int).Lo), in.Type.Signed && !sum.Wrap
		}
	}
	return nil, of, 0, false
}

func small(n cir.Int) bool { return n.Hi == 0 && n.Lo > 0 && n.Lo < 1<<20 }

func drawable(t cir.Type) bool { return t.IsInt() && t != cir.Bool && t.Bits >= 32 && t.Bits <= 64 }

// drawnBy returns the load of a draw that ends with a store: the store is of what was loaded plus a constant, and nothing between the two writes memory that others know, or synchronises.
func (v *values) drawnBy(in cir.Instr) (load *cir.Load, ok bool) {
	s, ok := in.(*cir.Store)
	if !ok || s.Order != cir.Plain || s.Bits != nil || !drawable(s.Type) {
		return nil, false
	}
	if l, local := s.Addr.(*cir.Local); local && v.locals[l] {
		return nil, false
	}
	sum, ok := v.def(v.kept(s.X)).(*cir.Binary)
	if !ok || sum.Op != cir.Add || sum.Dst.Type != s.Type {
		return nil, false
	}
	if n, ok := sum.Y.(cir.Int); !ok || !small(n) {
		return nil, false
	}
	load, ok = v.def(v.kept(sum.X)).(*cir.Load)
	if !ok || load.Order != cir.Plain || load.Bits != nil || load.Type != s.Type || v.blocks[load] != v.blocks[s] {
		return nil, false
	}
	i, k := v.index(load), v.index(s)
	return load, i < k && !slices.ContainsFunc(v.blocks[s].Instrs[i+1:k], func(x cir.Instr) bool { return !v.aside(x) })
}

// kept goes back to what was stored in a private local that is stored to once.
func (v *values) kept(x cir.Value) cir.Value {
	for range 8 {
		load, ok := v.def(x).(*cir.Load)
		if !ok || load.Bits != nil {
			break
		}
		s := v.source(load, nil)
		if s == nil || v.blocks[s] != v.blocks[load] || v.index(s) > v.index(load) {
			break
		}
		x = s.X
	}
	return x
}

// aside reports whether an instruction neither synchronises nor writes anything but a private local.
func (v *values) aside(in cir.Instr) bool {
	switch in := in.(type) {
	case *cir.Load:
		return in.Order == cir.Plain
	case *cir.Store:
		l, ok := in.Addr.(*cir.Local)
		return ok && v.locals[l]
	case *cir.Binary, *cir.Unary, *cir.Compare, *cir.Convert, *cir.Offset, *cir.Select, *cir.LifeStart, *cir.LifeEnd:
		return true
	}
	return false
}

// noteCell notes a write of memory that there is one of.
func (ls *locations) noteCell(v *visit, o *points.Object, bytes extent) {
	if len(ls.tickets.tallies) == 0 || !ls.pts.Once(o) {
		return
	}
	ls.tickets.writes[o] = append(ls.tickets.writes[o], cellWrite{v.t, drawAt{v.copy, v.in}, bytes, v.running})
}

// isSteady reports whether nobody writes a cell, but by draws, while a thread may be running, nor the thread itself after it has used it.
func (ls *locations) isSteady(c cell, size int64, t *thread) bool {
	key := held{c, size, t}
	if ok, known := ls.tickets.steady[key]; known {
		return ok
	}
	ls.tickets.steady[key] = ls.findSteady(c, size, t)
	return ls.tickets.steady[key]
}

func (ls *locations) findSteady(c cell, size int64, t *thread) bool {
	if ls.isSignal(t) || t.Loose || t.lands || c.obj.External {
		return false
	}
	x := ls.tickets.tallies[c]
	var used map[int]map[*cir.Block]int
	for _, w := range ls.tickets.writes[c.obj] {
		if !w.bytes.meets(extent{c.off, c.off + size}) {
			continue
		}
		if ls.isSignal(w.t) || w.t.Loose || w.t.lands {
			return false
		}
		if x != nil && x.draws[w.at] {
			continue
		}
		if w.t != t || t.Many {
			if t.desc.has(w.t.index) || ls.parallel(w.t, w.running, t, set{}) {
				return false
			}
			continue
		}
		if used == nil {
			used = ls.usedBefore(c, size, t)
		}
		in, ok := w.at.in.(cir.Instr)
		if !ok {
			return false
		}
		if ls.isUsed(used, w.at.copy, in) {
			return false
		}
	}
	return true
}

// usedBefore returns for the copies that a thread runs from where on, in blocks, it may have loaded a cell, or drawn from it: from which of the block's instructions.
func (ls *locations) usedBefore(c cell, size int64, t *thread) map[int]map[*cir.Block]int {
	uses := map[int]bool{} // copies in which that may happen
	is := func(n int, in cir.Instr) bool {
		var addr cir.Value
		switch in := in.(type) {
		case *cir.Load:
			addr = in.Addr
		case *cir.RMW:
			addr = in.Addr
		case *cir.Call:
			return slices.ContainsFunc(ls.calleesBy(t, n, in).to, func(y int) bool { return uses[y] })
		}
		cp := ls.copies[n]
		return addr != nil && slices.ContainsFunc(ls.pts.Places(cp.Func, cp.Ctx, addr), func(l points.Location) bool {
			return l.Obj == c.obj && bytesOf(l, touch{size: 16}).meets(extent{c.off, c.off + size})
		})
	}
	for again := true; again; {
		again = false
		for _, n := range t.order {
			for _, b := range ls.copies[n.copy].Func.Blocks {
				if !uses[n.copy] && slices.ContainsFunc(b.Instrs, func(in cir.Instr) bool { return is(n.copy, in) }) {
					uses[n.copy], again = true, true
				}
			}
		}
	}
	from := map[int]map[*cir.Block]int{}
	begins := ls.openCopies(t)
	delete(begins, t.Root)
	for again := true; again; {
		again = false
		for _, n := range t.order {
			f := ls.copies[n.copy].Func
			at := ls.fromUses(f, func(in cir.Instr) bool { return is(n.copy, in) }, begins[n.copy])
			from[n.copy] = at
			for _, b := range f.Blocks {
				for _, in := range b.Instrs {
					call, ok := in.(*cir.Call)
					if !ok || !ls.isUsed(from, n.copy, in) {
						continue
					}
					for _, y := range ls.calleesBy(t, n.copy, call).to {
						again = again || !begins[y]
						begins[y] = true
					}
				}
			}
		}
	}
	return from
}

// fromUses returns from which instruction of each block on something was used; all that a block has begins with 0.
func (ls *locations) fromUses(f *cir.Func, is func(cir.Instr) bool, all bool) map[*cir.Block]int {
	m := map[*cir.Block]int{}
	var from []*cir.Block
	for _, b := range f.Blocks {
		if all {
			m[b] = 0
		} else if i := slices.IndexFunc(b.Instrs, is); i >= 0 {
			m[b] = i
			cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) { from = append(from, to) })
		}
	}
	for b := range walk(from, func(_, _ *cir.Block) bool { return true }) {
		m[b] = 0
	}
	for _, b := range from {
		m[b] = 0
	}
	return m
}

// isUsed reports whether something was used before, or by, an instruction of a copy.
func (ls *locations) isUsed(from map[int]map[*cir.Block]int, c int, in cir.Instr) bool {
	m, known := from[c]
	if !known {
		return true
	}
	for b, i := range m {
		if k := slices.Index(b.Instrs, in); k >= i {
			return true
		}
	}
	return false
}

// ticketPiece returns the elements that an access goes to which belong to who has drawn a number, nil if it is not known to go there.
func (ls *locations) ticketPiece(a *access) *piece {
	if len(ls.tickets.tallies) == 0 || a.touch.ptr == nil || a.span != from || a.size < 0 || ls.copies[a.copy].Func.Library {
		return nil
	}
	in, ok := a.in.(cir.Instr)
	f := ls.valuesOf(ls.copies[a.copy].Func)
	if !ok || f == nil {
		return nil
	}
	d := &drawer{ls: ls, t: a.t, open: map[asked]bool{}, left: 3000}
	var x *index
	w := f.way(a.touch.ptr, a.size, func(v cir.Value) (term, bool) {
		if x != nil {
			return term{}, false
		}
		x = d.index(f, a.copy, v, f.before(in))
		return term{}, x != nil
	})
	if w == nil || x == nil || w.wide || w.key == nil || !x.plain(w.stride) {
		return nil
	}
	p := &piece{pieceKind: pieceKind{ticket: x.ticket, rows: x.rows, stride: w.stride, add: x.add}, lo: w.lo, hi: w.hi}
	if x.rows == (cell{}) {
		p.lo, p.hi, p.add = p.lo+(x.add*x.factor+x.lo)*w.stride, p.hi+(x.add*x.factor+x.hi)*w.stride, x.factor
		p.stride *= x.factor * ls.tickets.tallies[x.ticket].step
	}
	if at, ok := ls.cellAt(a.copy, w.base); ok {
		p.base = fmt.Sprintf("object %d at %d", at.obj.ID, at.off)
		return p
	}
	b, ok := d.value(f, a.copy, w.base, f.before(in))
	if !ok || !b.fixed || b.add != 0 {
		return nil
	}
	if b.global != nil {
		p.base = "global " + b.global.Name
		return p
	}
	p.base, p.in = fmt.Sprintf("in object %d at %d", b.at.obj.ID, b.at.off), b.at
	return p
}

// drawn reports whether what was drawn is different for all threads, and what else a piece rests on is the same, as far as a thread goes.
func (ls *locations) drawn(p *piece, t *thread) bool {
	if p.ticket == (cell{}) {
		return true
	}
	x := ls.tickets.tallies[p.ticket]
	if x == nil || !ls.isSteady(p.ticket, int64(x.of.Bits/8), t) {
		return false
	}
	if p.rows != (cell{}) && !ls.isSteady(p.rows, int64(p.rows.of.Bits/8), t) || p.in != (cell{}) && !ls.isSteady(p.in, int64(p.in.of.Bits/8), t) {
		return false
	}
	if x.wraps {
		ls.assumed[assumeTickets] = true
	}
	return true
}
