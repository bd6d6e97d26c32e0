// Package ticket has four rules of the checker of scans, which the analysis asks, too: what belongs to who has drawn a number or was given one, to whom elements of a ring belong, what only one thread of many
// does, and what threads have done that are counted no more.
//
// A counter that only grows, each time by a positive constant and in a way that nobody can come between, gives whoever draws from it another number each time. Elements of an array at
// numbers that threads have drawn, as they are or times something that does not change, belong to those threads.
//
// Of two threads let nobody else write the counter while one of them may be running, and neither of them itself once it has drawn. If something sets it between what the two have drawn, it does so
// after the one has ended, or before the other one began, or before that one drew: the accesses of the two are ordered. Otherwise only draws are between, and the numbers differ. In the same way both find the same
// in a cell that is not written then. A draw is one atomic step, or a load and a store between which there is nothing to synchronise by: as the counter's accesses have no data race before
// the first race of the execution, no other draw comes between the two.
//
// Threads that a call creates in turns of a loop may be given numbers, by their argument or in their element of an array: they are different, too, and nobody changes them. What numbers threads are given
// says who asks ([Graph.Number]). Of them, one at most goes on where such a number is compared with a constant ([Lead]).
//
// Two counters tell what belongs to whom in a ring (ring.go): what was put in belongs to the only thread that takes it out, and what was taken out to the only one that puts something in.
//
// A counter of threads that is 0 tells that all of them have done what they did while they were counted (latch.go).
//
// The rule goes over the code of a thread by a [Graph], which says who calls whom; what else it knows is package pointsto'. It is trusted: check/scancheck asks it what an access goes to and which writes
// are draws, and verifies by itself that nobody else writes the counter meanwhile.
package ticket

import (
	"maps"
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// Graph is the code that threads run, in copies of functions.
type Graph[N, T comparable] interface {
	// Func returns the function of a copy, and Places where one of its pointers may lead.
	Func(N) *cir.Func
	Places(n N, ptr cir.Value) []pointsto.Location
	// Nodes are the copies that a thread runs, Root that which it begins with, and Open those which it begins with or which code calls whose arguments are not known.
	Nodes(T) []N
	Root(T) N
	Open(T) map[N]bool
	// Calls returns the copies that a call of a copy goes to, and whether code outside may be called.
	Calls(t T, n N, call *cir.Call) (to []N, outside bool)
	// Number tells of a register that it has the number that a thread was given by a call that created it, plus a constant: in its lowest bits, as many as tell such numbers apart.
	Number(t T, n N, x *cir.Reg) (by *cir.Call, add int64, ok bool)
	// Kept tells of a load of a pointer that it gives the same one to all threads that a call created, which has put it into what it gives them, so many bytes behind the beginning.
	Kept(t T, n N, load *cir.Load) (f Field, ok bool)
	// Numbered returns how many bits tell the numbers apart that threads of an identity are given; 0: they are given none.
	Numbered(T) (bits int)
}

// Cell is memory that there is one of; what is loaded from it has a type.
type Cell struct {
	Obj *pointsto.Object
	Off int64
	Of  cir.Type
}

// Field is a pointer that all threads find in what a call gives them, so many bytes behind the beginning.
type Field struct {
	By  *cir.Call
	Off int64
}

// tally is a counter from which numbers are drawn.
type tally[N comparable] struct {
	of    cir.Type
	step  int64
	draws map[drawAt[N]]bool
	wraps bool // it would begin anew
}

// drawAt is the instruction of a copy that stores what a counter becomes.
type drawAt[N comparable] struct {
	node N
	in   cir.Located
}

// Tickets are what is known of numbers that are drawn.
type Tickets[N, T comparable] struct {
	in      Graph[N, T]
	pts     *pointsto.Result
	model   cir.Model
	tallies map[Cell]*tally[N]
	bodies  map[*cir.Func]*body
	callers map[T]map[N][]drawAt[N]
	open    map[T]map[N]bool
	leads   map[leadAt[N, T]]Lead
	waits   map[T]map[N]bool
	// counters are cells that sums are stored to; stores are who may do that.
	counters map[Cell]bool
	stores   map[storing[T]]map[inOf[N]]bool
}

// Find finds the counters from which numbers are drawn in some copies of functions, which are all that there are.
func Find[N, T comparable](in Graph[N, T], pts *pointsto.Result, model cir.Model, all []N) *Tickets[N, T] {
	ts := &Tickets[N, T]{in: in, pts: pts, model: model, tallies: map[Cell]*tally[N]{}, bodies: map[*cir.Func]*body{}, callers: map[T]map[N][]drawAt[N]{}, open: map[T]map[N]bool{}, leads: map[leadAt[N, T]]Lead{}, waits: map[T]map[N]bool{},
		counters: map[Cell]bool{}, stores: map[storing[T]]map[inOf[N]]bool{}}
	for _, c := range all {
		f := in.Func(c)
		if f.Library {
			continue
		}
		v := ts.bodyOf(f)
		if v == nil {
			continue
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				ts.note(v, c, in)
				ts.noteCounter(v, c, in)
			}
		}
	}
	return ts
}

// note takes account of an instruction that may draw.
func (ts *Tickets[N, T]) note(v *body, c N, in cir.Instr) {
	addr, of, by, plain := v.draw(in)
	if by == 0 {
		return
	}
	at, ok := ts.cellAt(c, addr)
	if load, isStore := v.drawnBy(in); !ok || isStore && ts.other(c, load.Addr, at) {
		return
	}
	x := ts.tallies[at]
	if x == nil {
		x = &tally[N]{of: of, step: by, draws: map[drawAt[N]]bool{}}
		ts.tallies[at] = x
	}
	if x.of == of {
		x.step = min(x.step, by)
		x.draws[drawAt[N]{c, in}] = true
		x.wraps = x.wraps || !plain
	}
}

// None tells that there is no counter.
func (ts *Tickets[N, T]) None() bool { return len(ts.tallies)+len(ts.counters) == 0 }

// other reports whether an address is not that of a cell for sure.
func (ts *Tickets[N, T]) other(c N, addr cir.Value, at Cell) bool {
	x, ok := ts.cellAt(c, addr)
	return !ok || x != at
}

// cellAt returns the memory that an address of a copy leads to, if there is one of it.
func (ts *Tickets[N, T]) cellAt(c N, addr cir.Value) (at Cell, ok bool) {
	to := ts.in.Places(c, addr)
	if len(to) != 1 || to[0].Off < 0 || !to[0].Exact() || !ts.pts.Once(to[0].Obj) || ts.pts.Outside(to[0].Obj) {
		return at, false
	}
	if g := to[0].Obj.Global; g != nil && (g.External || g.ThreadLocal) {
		return at, false
	}
	return Cell{Obj: to[0].Obj, Off: to[0].Off}, true
}

// draw returns what an instruction adds to the number at an address, if that is a constant and the instruction is a draw; 0: it is none. Plain tells that the
// number cannot begin anew, as that is undefined.
func (v *body) draw(in cir.Instr) (addr cir.Value, of cir.Type, by int64, plain bool) {
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
func (v *body) drawnBy(in cir.Instr) (load *cir.Load, ok bool) {
	load, sum, ok := v.stepBy(in)
	if !ok || sum.Op != cir.Add {
		return nil, false
	}
	n, ok := sum.Y.(cir.Int)
	return load, ok && small(n)
}

// stepBy returns the load, and the sum or difference, of a step that ends with a store: the store is of what the load's number became by it, and nothing between the two writes memory that others know, or synchronises.
func (v *body) stepBy(in cir.Instr) (load *cir.Load, sum *cir.Binary, ok bool) {
	s, ok := in.(*cir.Store)
	if !ok || s.Order != cir.Plain || s.Bits != nil || !drawable(s.Type) {
		return nil, nil, false
	}
	if l, local := s.Addr.(*cir.Local); local && v.locals[l] {
		return nil, nil, false
	}
	sum, ok = v.def(v.kept(s.X)).(*cir.Binary)
	if !ok || sum.Op != cir.Add && sum.Op != cir.Sub || sum.Dst.Type != s.Type {
		return nil, nil, false
	}
	load, ok = v.def(v.kept(sum.X)).(*cir.Load)
	if !ok || load.Order != cir.Plain || load.Bits != nil || load.Type != s.Type || v.blocks[load] != v.blocks[s] {
		return nil, nil, false
	}
	i, k := v.index(load), v.index(s)
	return load, sum, i < k && !slices.ContainsFunc(v.blocks[s].Instrs[i+1:k], func(x cir.Instr) bool { return !v.aside(x) })
}

// kept goes back to what was stored in a private local that is stored to once.
func (v *body) kept(x cir.Value) cir.Value {
	for range 8 {
		load, ok := v.def(x).(*cir.Load)
		if !ok || load.Bits != nil {
			break
		}
		s := v.source(load)
		if s == nil || v.blocks[s] != v.blocks[load] || v.index(s) > v.index(load) {
			break
		}
		x = s.X
	}
	return x
}

// aside reports whether an instruction neither synchronises nor writes anything but a private local.
func (v *body) aside(in cir.Instr) bool {
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

// Draws reports whether an instruction of a copy draws from a counter.
func (ts *Tickets[N, T]) Draws(c Cell, n N, in cir.Located) bool {
	c.Of = cir.Type{}
	x := ts.tallies[c]
	return x != nil && x.draws[drawAt[N]{n, in}]
}

// Wraps reports whether numbers that are drawn begin anew some time: that they do not is an assumption.
func (ts *Tickets[N, T]) Wraps(c Cell) bool { return ts.tallies[c] != nil && ts.tallies[c].wraps }

// Drawn returns the type of the numbers that are drawn from a counter; that is a cell with an object which a [Piece] has named.
func (ts *Tickets[N, T]) Drawn(c Cell) cir.Type { return ts.tallies[c].of }

// Size returns how many bytes a cell has.
func (c Cell) Size() int64 { return int64(c.Of.Bits+7) / 8 }

// Uses says from where on a thread may have loaded a cell, or drawn from it: of the blocks of its copies, from which instruction.
type Uses[N comparable] map[N]usedFrom

// usedFrom is from which instruction of blocks on something was used; -1: before the block.
type usedFrom map[*cir.Block]int

// UsesOf returns from where on a thread may have loaded a cell, or drawn from it.
func (ts *Tickets[N, T]) UsesOf(c Cell, t T) Uses[N] {
	size := c.Size()
	uses := map[N]bool{} // nodes in which that may happen
	is := func(n N, in cir.Instr) bool {
		var addr cir.Value
		bytes := int64(0)
		switch in := in.(type) {
		case *cir.Load:
			addr, bytes = in.Addr, ts.model.SizeOf(in.Type)
		case *cir.RMW:
			addr, bytes = in.Addr, ts.model.SizeOf(in.Type)
		case *cir.Call:
			return slices.ContainsFunc(ts.calls(t, n, in), func(y N) bool { return uses[y] })
		}
		return addr != nil && slices.ContainsFunc(ts.in.Places(n, addr), func(l pointsto.Location) bool {
			return l.Obj == c.Obj && (!l.Exact() || l.Off < c.Off+size && c.Off < l.Off+bytes)
		})
	}
	for again := true; again; {
		again = false
		for _, n := range ts.in.Nodes(t) {
			for _, b := range ts.in.Func(n).Blocks {
				if !uses[n] && slices.ContainsFunc(b.Instrs, func(in cir.Instr) bool { return is(n, in) }) {
					uses[n], again = true, true
				}
			}
		}
	}
	from := Uses[N]{}
	begins := maps.Clone(ts.in.Open(t))
	delete(begins, ts.in.Root(t))
	for again := true; again; {
		again = false
		for _, n := range ts.in.Nodes(t) {
			f := ts.in.Func(n)
			at := fromUses(f, func(in cir.Instr) bool { return is(n, in) }, begins[n])
			from[n] = at
			for _, b := range f.Blocks {
				for _, in := range b.Instrs {
					call, ok := in.(*cir.Call)
					if !ok || !at.passed(in, 1) { // the call may be the first use itself
						continue
					}
					for _, y := range ts.calls(t, n, call) {
						again = again || !begins[y]
						begins[y] = true
					}
				}
			}
		}
	}
	return from
}

// fromUses returns from which instruction of each block on something was used; -1: before the block.
func fromUses(f *cir.Func, is func(cir.Instr) bool, all bool) usedFrom {
	m := usedFrom{}
	var from []*cir.Block
	for _, b := range f.Blocks {
		if all {
			m[b] = -1
		} else if i := slices.IndexFunc(b.Instrs, is); i >= 0 {
			m[b] = i
			cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) { from = append(from, to) })
		}
	}
	for b := range walk(from, func(*cir.Block) bool { return true }) {
		m[b] = -1
	}
	for _, b := range from {
		m[b] = -1
	}
	return m
}

// Before reports whether the cell may have been used before, or by, an instruction of a copy.
func (u Uses[N]) Before(c N, at cir.Located) bool {
	m, known := u[c]
	in, ok := at.(cir.Instr)
	if !known || !ok {
		return true
	}
	return m.passed(in, 0)
}

// passed reports whether an instruction is at least so many behind where something was used in its block.
func (m usedFrom) passed(in cir.Instr, behind int) bool {
	for b, i := range m {
		if k := slices.Index(b.Instrs, in); k >= 0 && k >= i+behind {
			return true
		}
	}
	return false
}

// calls returns the copies that a call goes to.
func (ts *Tickets[N, T]) calls(t T, n N, call *cir.Call) []N {
	to, _ := ts.in.Calls(t, n, call)
	return to
}

// findCallers finds the calls of copies that a thread makes.
func (ts *Tickets[N, T]) findCallers(t T) {
	m := map[N][]drawAt[N]{}
	for _, n := range ts.in.Nodes(t) {
		for _, b := range ts.in.Func(n).Blocks {
			for _, in := range b.Instrs {
				if call, ok := in.(*cir.Call); ok {
					for _, y := range ts.calls(t, n, call) {
						m[y] = append(m[y], drawAt[N]{n, call})
					}
				}
			}
		}
	}
	ts.callers[t], ts.open[t] = m, ts.in.Open(t)
}

// Piece is elements of an array that belong to who has drawn a number from a counter, if Rows and In, which have objects if they are set, hold the same all the time. Two pieces can be compared if all but Lo and Hi is the same.
type Piece struct {
	Ticket Cell
	Given  *cir.Call // that has given the threads their numbers, which were not drawn
	Band   Band      // of which the number is, if that is not what the thread was given
	Rows   Cell      // what the number is multiplied by
	// The array begins at At, or at Global, or at what In holds, or the Field of the threads.
	At, In Cell
	Global *cir.Global
	Field  Field
	// Stride is that of what was drawn, in bytes, and Add what is added to that, or multiplies it.
	Stride, Add int64
	Lo, Hi      int64 // the bytes behind it
	// Ring is set for an element of a ring: Puts tells that the thread puts it in, and otherwise takes it out. Rows is what holds the size then.
	Ring Ring
	Puts bool
}

// Piece returns the elements that an access of some bytes goes to, nil if it is not known to go to some that belong to who has drawn a number.
func (ts *Tickets[N, T]) Piece(t T, n N, in cir.Instr, addr cir.Value, size int64) *Piece {
	if ts.None() && ts.in.Numbered(t) == 0 || size < 0 || ts.in.Func(n).Library {
		return nil
	}
	v := ts.bodyOf(ts.in.Func(n))
	if v == nil {
		return nil
	}
	d := &drawer[N, T]{ts: ts, t: t, open: map[asked[N]]bool{}, left: 3000}
	w, x := v.way(addr, size, func(o *cir.Offset) *index { return d.index(v, n, o.Index, v.before(in)) })
	if w == nil || x == nil || w.wide || !x.plain(w.stride) {
		if ts.None() {
			return nil
		}
		return ts.ringPiece(t, n, in, addr, size)
	}
	p := &Piece{Ticket: x.ticket, Given: x.given, Band: x.band, Rows: x.rows, Stride: w.stride, Add: x.add, Lo: w.lo, Hi: w.hi}
	if x.rows == (Cell{}) {
		p.Lo, p.Hi, p.Add = p.Lo+(x.add*x.factor+x.lo)*w.stride, p.Hi+(x.add*x.factor+x.hi)*w.stride, x.factor
		if p.Stride *= x.factor; x.given == nil {
			p.Stride *= ts.tallies[x.ticket].step
		}
	}
	if !d.begins(p, v, n, w.base, in) {
		return nil
	}
	return p
}
