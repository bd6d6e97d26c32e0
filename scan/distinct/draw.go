package distinct

import (
	"slices"

	"comus/cir"
	"comus/scan/points"
	"comus/scan/thread"
)

// A counter that only grows, each time by a positive constant and in a way that nobody can come between, gives whoever draws from it another number each time. Elements of an array at
// numbers that threads have drawn, as they are or times something that does not change, belong to those threads.
//
// Of two threads let nobody else write the counter while one of them may be running, and neither of them itself once it has drawn. If something sets it between what the two have drawn, it does so
// after the one has ended, or before the other one began, or before that one drew: the accesses of the two are ordered. Otherwise only draws are between, and the numbers differ. In the same way both find the same
// in a cell that is not written then. A draw is one atomic step, or a load and a store between which there is nothing to synchronise by: as the counter's accesses have no data race before
// the first race of the execution, no other draw comes between the two.

// Cell is memory that there is one of; what is loaded from it has a type.
type Cell struct {
	Obj *points.Object
	Off int64
	Of  cir.Type
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
	node *thread.Node
	in   cir.Located
}

// tickets are what is known of numbers that are drawn.
type tickets struct {
	tallies map[Cell]*tally
	bodies  map[*cir.Func]*body
	callers map[*thread.Thread]map[*thread.Node][]drawAt
	open    map[*thread.Thread]map[*thread.Node]bool
	used    map[usedBy]map[*thread.Node]map[*cir.Block]int
}

// usedBy is a cell that a thread uses.
type usedBy struct {
	c Cell
	t *thread.Thread
}

func newTickets() tickets {
	return tickets{tallies: map[Cell]*tally{}, bodies: map[*cir.Func]*body{}, callers: map[*thread.Thread]map[*thread.Node][]drawAt{}, open: map[*thread.Thread]map[*thread.Node]bool{}, used: map[usedBy]map[*thread.Node]map[*cir.Block]int{}}
}

// findTallies finds the counters from which numbers are drawn.
func (r *Result) findTallies() {
	for _, c := range r.threads.AllNodes() {
		if c.Fn.Library {
			continue
		}
		v := r.bodyOf(c.Fn)
		if v == nil {
			continue
		}
		for _, b := range c.Fn.Blocks {
			for _, in := range b.Instrs {
				addr, of, by, plain := v.draw(in)
				if by == 0 {
					continue
				}
				at, ok := r.cellAt(c, addr)
				if load, isStore := v.drawnBy(in); !ok || isStore && r.other(c, load.Addr, at) {
					continue
				}
				x := r.tickets.tallies[at]
				if x == nil {
					x = &tally{of: of, step: by, draws: map[drawAt]bool{}}
					r.tickets.tallies[at] = x
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
func (r *Result) other(c *thread.Node, addr cir.Value, at Cell) bool {
	x, ok := r.cellAt(c, addr)
	return !ok || x != at
}

// cellAt returns the memory that an address of a copy leads to, if there is one of it.
func (r *Result) cellAt(c *thread.Node, addr cir.Value) (at Cell, ok bool) {
	to := r.pts.Places(c.Fn, c.Ctx, addr)
	if len(to) != 1 || to[0].Off < 0 || !to[0].Exact() || !r.pts.Once(to[0].Obj) || r.pts.Outside(to[0].Obj) {
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

// Draws reports whether an instruction of a node draws from a counter.
func (r *Result) Draws(c Cell, n *thread.Node, in cir.Located) bool {
	c.Of = cir.Type{}
	x := r.tickets.tallies[c]
	return x != nil && x.draws[drawAt{n, in}]
}

// Used reports whether a thread may have loaded a cell, or drawn from it, before an instruction of a node, or by it.
func (r *Result) Used(c Cell, t *thread.Thread, n *thread.Node, in cir.Located) bool {
	key := usedBy{c, t}
	if r.tickets.used[key] == nil {
		r.tickets.used[key] = r.usedBefore(c, c.Size(), t)
	}
	i, ok := in.(cir.Instr)
	return !ok || isUsed(r.tickets.used[key], n, i)
}

// Size returns how many bytes a cell has.
func (c Cell) Size() int64 { return int64(c.Of.Bits / 8) }

// usedBefore returns for the nodes that a thread runs from where on, in blocks, it may have loaded a cell, or drawn from it: from which of the block's instructions.
func (r *Result) usedBefore(c Cell, size int64, t *thread.Thread) map[*thread.Node]map[*cir.Block]int {
	uses := map[*thread.Node]bool{} // nodes in which that may happen
	is := func(n *thread.Node, in cir.Instr) bool {
		var addr cir.Value
		switch in := in.(type) {
		case *cir.Load:
			addr = in.Addr
		case *cir.RMW:
			addr = in.Addr
		case *cir.Call:
			return slices.ContainsFunc(r.threads.Calls(t, n, in), func(y *thread.Node) bool { return uses[y] })
		}
		return addr != nil && slices.ContainsFunc(r.pts.Places(n.Fn, n.Ctx, addr), func(l points.Location) bool {
			return l.Obj == c.Obj && (!l.Exact() || l.Off < c.Off+size && c.Off < l.Off+16)
		})
	}
	for again := true; again; {
		again = false
		for _, n := range r.threads.Nodes(t) {
			for _, b := range n.Fn.Blocks {
				if !uses[n] && slices.ContainsFunc(b.Instrs, func(in cir.Instr) bool { return is(n, in) }) {
					uses[n], again = true, true
				}
			}
		}
	}
	from := map[*thread.Node]map[*cir.Block]int{}
	begins := r.openNodes(t)
	delete(begins, t.Root)
	for again := true; again; {
		again = false
		for _, n := range r.threads.Nodes(t) {
			f := n.Fn
			at := fromUses(f, func(in cir.Instr) bool { return is(n, in) }, begins[n])
			from[n] = at
			for _, b := range f.Blocks {
				for _, in := range b.Instrs {
					call, ok := in.(*cir.Call)
					if !ok || !isUsed(from, n, in) {
						continue
					}
					for _, y := range r.threads.Calls(t, n, call) {
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
func fromUses(f *cir.Func, is func(cir.Instr) bool, all bool) map[*cir.Block]int {
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
	for b := range walk(from, func(*cir.Block) bool { return true }) {
		m[b] = 0
	}
	for _, b := range from {
		m[b] = 0
	}
	return m
}

// isUsed reports whether something was used before, or by, an instruction of a copy.
func isUsed(from map[*thread.Node]map[*cir.Block]int, c *thread.Node, in cir.Instr) bool {
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

// openNodes returns the nodes that a thread begins with, or that are called by code whose arguments are not known.
func (r *Result) openNodes(t *thread.Thread) map[*thread.Node]bool {
	open := map[*thread.Node]bool{}
	for _, n := range t.Roots() {
		open[n] = true
	}
	for _, n := range r.threads.Nodes(t) {
		for _, b := range n.Fn.Blocks {
			for _, in := range b.Instrs {
				if call, ok := in.(*cir.Call); ok {
					for _, m := range r.threads.Calls(t, n, call) {
						open[m] = open[m] || n.Outside(call) || n.Fn.Library && !m.Fn.Library
					}
				}
			}
		}
	}
	return open
}

// findCallers finds the calls of nodes that a thread makes.
func (r *Result) findCallers(t *thread.Thread) {
	m := map[*thread.Node][]drawAt{}
	for _, n := range r.threads.Nodes(t) {
		for _, b := range n.Fn.Blocks {
			for _, in := range b.Instrs {
				if call, ok := in.(*cir.Call); ok {
					for _, y := range r.threads.Calls(t, n, call) {
						m[y] = append(m[y], drawAt{n, call})
					}
				}
			}
		}
	}
	r.tickets.callers[t], r.tickets.open[t] = m, r.openNodes(t)
}

// drawnPiece returns the elements that an access goes to which belong to who has drawn a number, nil if it is not known to go there.
func (r *Result) drawnPiece(t *thread.Thread, n *thread.Node, in cir.Located, addr cir.Value, size int64) *Piece {
	i, ok := in.(cir.Instr)
	if len(r.tickets.tallies) == 0 || !ok || size < 0 || n.Fn.Library || t.Signal {
		return nil
	}
	v := r.bodyOf(n.Fn)
	if v == nil {
		return nil
	}
	d := &drawer{r: r, t: t, open: map[asked]bool{}, left: 3000}
	w, x := v.way(addr, size, func(y cir.Value) *index { return d.index(v, n, y, v.before(i)) })
	if w == nil || x == nil || w.wide || !x.plain(w.stride) {
		return nil
	}
	p := &Piece{Kind: Kind{Ticket: x.ticket, Rows: x.rows, Stride: w.stride, Add: x.add}, Lo: w.lo, Hi: w.hi}
	if x.rows == (Cell{}) {
		p.Lo, p.Hi, p.Kind.Add = p.Lo+(x.add*x.factor+x.lo)*w.stride, p.Hi+(x.add*x.factor+x.hi)*w.stride, x.factor
		p.Kind.Stride *= x.factor * r.tickets.tallies[x.ticket].step
	}
	if at, ok := r.cellAt(n, w.base); ok {
		p.Kind.At = at
		return p
	}
	b, ok := d.value(v, n, w.base, v.before(i))
	if !ok || !b.fixed || b.add != 0 {
		return nil
	}
	if b.global != nil {
		p.Kind.Global = b.global
		return p
	}
	p.Kind.In = b.at
	return p
}

// Wraps reports whether numbers that are drawn begin anew some time: that they do not is an assumption.
func (r *Result) Wraps(c Cell) bool { return r.tickets.tallies[c] != nil && r.tickets.tallies[c].wraps }

// Drawn returns the type of the numbers that are drawn from a counter.
func (r *Result) Drawn(c Cell) cir.Type { return r.tickets.tallies[c].of }
