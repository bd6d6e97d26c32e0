package private

import (
	"comus/cir"
	"comus/scan/loop"
	"comus/scan/thread"
	"comus/scan/valuenum"
)

// path is how an address is made: of the base that is left, an index of an array's elements if key is set, and a range of bytes.
type path struct {
	base   cir.Value
	key    *form
	stride int64
	lo, hi int64
	wide   bool // nothing is known of the bytes
}

func isConstant(v cir.Value) bool {
	_, ok := v.(cir.Int)
	return v == nil || ok
}

// maxOff bounds what is added to addresses.
const maxOff = 1 << 40

// resolve goes back from an address over what is added to it. The first index of which number knows what it is made of is that of the element; other ones are
// of arrays within it, whose bounds are known.
func (f *function) resolve(addr cir.Value, size int64, number func(valuenum.Value) (form, bool)) *path {
	return f.resolveIn(addr, size, number, func(*cir.Offset) int64 { return -1 })
}

// resolveIn does so where more bounds are known: room tells how far the array goes that a pointer leads into.
func (f *function) resolveIn(addr cir.Value, size int64, number func(valuenum.Value) (form, bool), room func(*cir.Offset) int64) *path {
	p := &path{base: addr, hi: size, wide: size < 0}
	for range 100 {
		o, shift := f.offsetOf(p.base)
		if o == nil {
			if c, ok := f.def(p.base).(*cir.Convert); ok && c.Dst.Type.IsPointer() && isPointer(c.X) {
				p.base = c.X
				continue
			}
			return p
		}
		p.move(shift)
		ahead := p.lo // of the element
		p.move(o.Disp)
		p.base = o.P
		if c, ok := o.Index.(cir.Int); ok {
			i := int64(c.Lo)
			if i > maxOff || i < -maxOff || o.Scale > 1<<20 || o.Scale < -1<<20 {
				return nil
			}
			p.move(i * o.Scale)
			continue
		}
		if o.Index == nil {
			continue
		}
		if k, ok := number(f.Value(o.Index)); ok && p.key == nil {
			if o.Scale <= 0 {
				return nil
			}
			p.key, p.stride = &k, o.Scale
			continue
		}
		if p.key != nil {
			return nil
		}
		if o.Len <= 0 || o.Scale <= 0 || o.Len > maxOff/o.Scale {
			p.leap(o, f, ahead, room)
			continue
		}
		p.hi += (o.Len - 1) * o.Scale
	}
	return nil
}

func isPointer(v cir.Value) bool {
	r, ok := v.(*cir.Reg)
	return !ok || r.Type.IsPointer()
}

// leap is an addition of an index without a bound. If it is not negative, what is accessed there stays in the array of which it is an element; but not
// what is some bytes ahead of that: who knows the struct around may mean another member, or another struct.
func (p *path) leap(o *cir.Offset, f *function, ahead int64, room func(*cir.Offset) int64) {
	n := int64(-1)
	if ahead == 0 && !p.wide && o.Scale > 0 && f.upwards(o.Index) {
		n = room(o)
	}
	if n < 0 {
		p.wide = true
		return
	}
	p.lo, p.hi = o.Disp, o.Disp+n
}

// move moves the bytes.
func (p *path) move(n int64) {
	p.lo += n
	p.hi += n
	p.wide = p.wide || p.lo > maxOff || p.lo < -maxOff || p.hi > maxOff
}

// def returns the instruction that gives a register its value, nil if there is none.
func (f *function) def(v cir.Value) cir.Instr {
	if r, ok := v.(*cir.Reg); ok {
		return f.defs[r.Index]
	}
	return nil
}

// offsetOf returns the addition that a value is the result of, plus a constant: be it that it was kept in a local meanwhile. nil: of none.
func (f *function) offsetOf(v cir.Value) (o *cir.Offset, shift int64) {
	if o, ok := f.def(v).(*cir.Offset); ok {
		return o, 0
	}
	x := f.Value(v)
	if x.Index == nil && x.Base != nil && x.Base.Kind != valuenum.Reg {
		return nil, 0
	}
	for _, o := range f.indexed {
		if y := f.Value(o.Dst); cir.Value(o.Dst) != v && y.Base != nil {
			if d, ok := x.Minus(y); ok { // another subscript may have other bounds
				same := *o
				same.Len = 0
				return &same, d
			}
		}
	}
	return nil, 0
}

// give finds out what threads are given; false: nothing that is known to be another one for each.
func (r *Result) give(g *group) bool {
	f := r.function(g.node)
	if f == nil {
		return false
	}
	if p := r.allocated(g, f); p != nil {
		g.given = p
		return true
	}
	for _, l := range f.loops {
		if !l.Exact(r.model) || !r.threads.Turns(g.t, g.node, g.create, l) {
			continue
		}
		g.loop = l
		if k, ok := r.counted(g, f.Value(g.arg)); ok {
			g.number = &k
			return true
		}
		if p := r.element(g, f, g.arg, 0); p != nil {
			g.given = p
			return true
		}
	}
	g.loop = nil
	return r.giveVia(g)
}

// allocated returns the piece that threads are given if it is an object that is allocated for each of them.
func (r *Result) allocated(g *group, f *function) *Piece {
	v, s := r.settled(g.node, f, f.Value(g.arg))
	if v.Base == nil || v.Base.Kind != valuenum.Reg || v.Index != nil {
		return nil
	}
	in := f.defs[int(v.Base.N)]
	call, ok := in.(*cir.Call)
	if !ok || call.Dst == nil {
		return nil
	}
	if !r.fresh.New(call) || !f.between(g.create, call) || s != nil && (f.home[s] != f.home[g.create] || f.index(s) > f.index(g.create) || !f.between(s, call)) {
		return nil
	}
	g.alloc = call
	return &Piece{Kind: Kind{Create: g.create, Allocated: true}, Lo: v.Off}
}

// between reports whether control gets from one execution of an instruction to the next one, within a call of the function, through another one only.
func (f *function) between(in, other cir.Instr) bool {
	from, via := f.home[in], f.home[other]
	if from == via && f.index(other) < f.index(in) {
		return true
	}
	if from == via { // after in, there may be a way round that ends in between
		return false
	}
	seen := map[*cir.Block]bool{}
	var visit func(b *cir.Block) bool
	visit = func(b *cir.Block) (again bool) {
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			if to == from {
				again = true
			}
			if to != via && !seen[to] {
				seen[to] = true
				again = visit(to) || again
			}
		})
		return again
	}
	return !visit(from)
}

// yetToGive reports whether an address leads into the object that was allocated last for a thread of a group, and the creating thread comes to an instruction only before it gives the thread that.
func (r *Result) yetToGive(g *group, f *function, in cir.Instr, addr cir.Value) bool {
	p := f.resolve(addr, -1, func(valuenum.Value) (form, bool) { return form{}, false })
	if g.alloc == nil || p == nil || in == cir.Instr(g.alloc) || f.home[in] == nil {
		return false
	}
	v, _ := r.settled(g.node, f, f.Value(p.base))
	return v.Base != nil && v.Index == nil && v.Base == f.Value(g.alloc.Dst).Base && !f.gets(g.create, in, g.alloc)
}

// gets reports whether control gets from behind an instruction to another one, not by way of a third one.
func (f *function) gets(from, to, via cir.Instr) bool {
	seen := map[*cir.Block]bool{}
	var visit func(b *cir.Block, first int) bool
	visit = func(b *cir.Block, first int) (found bool) {
		for _, in := range b.Instrs[first:] {
			if in == to || in == via {
				return in == to
			}
		}
		cir.Succs(b.Term, func(next *cir.Block, _ []cir.Value) {
			if !found && !seen[next] {
				seen[next] = true
				found = visit(next, 0)
			}
		})
		return found
	}
	return visit(f.home[from], f.index(from)+1)
}

// index returns the number of an instruction in its block.
func (f *function) index(in cir.Instr) int {
	for i, x := range f.home[in].Instrs {
		if x == in {
			return i
		}
	}
	return -1
}

// element returns the piece of a turn that an address of the creating function leads to.
func (r *Result) element(g *group, f *function, addr cir.Value, size int64) *Piece {
	p := f.resolve(addr, size, func(v valuenum.Value) (form, bool) { return r.counted(g, v) })
	if p == nil || p.key == nil || p.wide {
		return nil
	}
	base, ok := r.baseOf(f, p.base, g.loop)
	if !ok {
		return nil
	}
	return &Piece{Kind: Kind{Create: g.create, Base: base, Stride: p.stride, Add: p.key.add}, Lo: p.lo, Hi: p.hi}
}

// parentPiece returns the piece that the creating thread accesses, in a turn in which it has created no thread yet.
func (r *Result) parentPiece(g *group, f *function, addr cir.Value, size int64) *Piece {
	p := r.element(g, f, addr, size)
	if p != nil {
		p.Parent = true
	}
	return p
}

// baseOf returns what the base of an array is, if it is the same whenever one of the threads may be running. A loop is that of the
// function that creates the threads, nil in what they run.
func (r *Result) baseOf(f *function, v cir.Value, l *loop.Loop) (b Base, ok bool) {
	x := f.Value(v)
	if x.Base == nil || x.Index != nil {
		return b, false
	}
	in, _ := f.def(v), 0
	if x.Base.Kind == valuenum.Reg {
		in = f.defs[int(x.Base.N)]
	}
	if load, isLoad := in.(*cir.Load); isLoad && f.Value(load.Dst) == (valuenum.Value{Base: x.Base}) && x.Off == 0 && load.Bits == nil && load.Type.IsPointer() {
		at := f.Value(load.Addr)
		if at.Base != nil && at.Base.Kind == valuenum.Global && at.Index == nil && (l == nil || f.inside(l, f.home[load])) {
			if g, isVar := at.Base.What.(*cir.Global); isVar && !g.ThreadLocal {
				return Base{Cell: g, Off: at.Off}, true
			}
		}
	}
	if x.Base.Kind == valuenum.Global {
		g, isVar := x.Base.What.(*cir.Global)
		return Base{Sym: x.Base, Off: x.Off}, isVar && !g.ThreadLocal
	}
	return Base{Sym: x.Base, Off: x.Off}, l != nil && f.steady(l, x.Base)
}

// inside reports whether a block is in a loop.
func (f *function) inside(l *loop.Loop, b *cir.Block) bool {
	return l.Reach(l.Head)[b] && l.Reach(b)[l.Head]
}

// steady reports whether what a symbol stands for does not change while a loop runs.
func (f *function) steady(l *loop.Loop, s *valuenum.Sym) bool {
	switch s.Kind {
	case valuenum.Param, valuenum.Local:
		return true
	case valuenum.Phi:
		return !f.inside(l, s.Block)
	case valuenum.Reg:
		if in := f.defs[int(s.N)]; in != nil {
			return !f.inside(l, f.home[in])
		}
		for _, b := range f.Copy.Func.Blocks {
			for _, p := range b.Params {
				if int64(p.Index) == s.N {
					return !f.inside(l, b)
				}
			}
		}
	}
	return false
}

// childs returns the piece that a thread of a group accesses, its own.
func (r *Result) childs(g *group, n *thread.Node, f *function, addr cir.Value, size int64, room func(*cir.Offset) int64) *Piece {
	p := f.resolveIn(addr, size, func(v valuenum.Value) (form, bool) {
		k, ok := r.argument(g, n, v)
		return k, ok && g.number != nil && k.bits >= counterBits(g)
	}, room)
	if p == nil {
		return nil
	}
	if p.key != nil {
		base, ok := r.baseOf(f, p.base, nil)
		if !ok || p.wide {
			return nil
		}
		return &Piece{Kind: Kind{Create: g.create, Base: base, Stride: p.stride, Add: p.key.add + g.number.add}, Lo: p.lo, Hi: p.hi}
	}
	k, ok := r.argument(g, n, f.Value(p.base))
	if !ok || g.given == nil || k.bits < r.model.PointerBits || !g.given.Kind.Allocated && p.wide {
		return nil
	}
	x := *g.given
	x.Lo, x.Hi = x.Lo+k.add+p.lo, x.Hi+k.add+p.hi // the pointer may be at many places itself
	if x.Kind.Allocated {
		x.Lo, x.Hi = 0, 0
	}
	return &x
}

// before reports whether the creating thread comes to an instruction in a turn only before it creates the turn's thread.
func (g *group) before(f *function, in cir.Instr) bool {
	b, at := f.home[in], f.home[g.at()]
	if b == nil || !f.inside(g.loop, b) {
		return false
	}
	if b == at {
		return f.index(in) < f.index(g.at())
	}
	return b == g.loop.Head || !f.after(g.loop, at, b)
}

// after reports whether control gets from one block to another one without beginning another turn.
func (f *function) after(l *loop.Loop, from, b *cir.Block) bool {
	seen := map[*cir.Block]bool{}
	var visit func(x *cir.Block)
	visit = func(x *cir.Block) {
		cir.Succs(x.Term, func(to *cir.Block, _ []cir.Value) {
			if to != l.Head && !seen[to] {
				seen[to] = true
				visit(to)
			}
		})
	}
	visit(from)
	return seen[b]
}
