package private

import (
	"slices"

	"comus/cir"
	"comus/scan/loop"
	"comus/scan/pointsto"
	"comus/scan/thread"
	"comus/scan/valuenum"
)

// Who has joined a thread may access what was that thread's own, as long as it can be seen which thread that was. There are two ways to tell.
//
// The id is in the object that the thread was given, where only its creation has put one: who joins p->id, whatever p may be of these objects, has joined the thread that
// was given p. Or ids are in an array, where the creation in the turn with number i puts one at i plus a constant: who joins the id at j plus a
// constant, in a loop that counts by j, has joined the thread of a number that is j plus a constant.
//
// What is accessed behind the join has to be said in terms of the same p, or j: whatever these are made of is not computed anew in between.

// joined is a call that joins a thread of a group.
type joined struct {
	g    *group
	node *thread.Node
	f    *function
	call *cir.Call
	load *cir.Load // of the id
	// loop counts by the number that the id is found by, at which the thread's number is that plus shift; nil: the id is in the thread's object.
	loop  *loop.Loop
	shift int64
	off   int64 // of the id in the object
}

// findJoins finds the calls that join threads of which it can be told what they were given.
func (r *Result) findJoins() {
	r.joins = map[*thread.Thread][]*joined{}
	for _, t := range r.threads.Threads {
		g := r.groups[t]
		if g == nil {
			continue
		}
		for _, n := range r.threads.Nodes(t.Parent) {
			if n.Fn.Library {
				continue
			}
			f := r.function(n)
			if f == nil {
				continue
			}
			for _, b := range n.Fn.Blocks {
				for _, in := range b.Instrs {
					if call, ok := in.(*cir.Call); ok {
						if j := r.joins1(g, n, f, call); j != nil {
							r.joins[t.Parent] = append(r.joins[t.Parent], j)
						}
					}
				}
			}
		}
	}
}

// joins1 returns what a call joins, nil if that is not told.
func (r *Result) joins1(g *group, n *thread.Node, f *function, call *cir.Call) *joined {
	callee, direct := call.Callee.(*cir.Func)
	if name := nameOf(callee, direct); name != "pthread_join" && name != "thrd_join" || len(call.Args) == 0 {
		return nil
	}
	load := f.loaded(call.Args[0].X)
	if load == nil || load.Bits != nil || load.Volatile {
		return nil
	}
	j := &joined{g: g, node: n, f: f, call: call, load: load}
	if r.byObject(j) || r.byNumber(j) {
		return j
	}
	return nil
}

// loaded returns the load that a value is the result of, be it that it was kept in a local meanwhile; nil if it is of none.
func (f *function) loaded(v cir.Value) *cir.Load {
	in := f.def(v)
	if x := f.Value(v); x.Base != nil && x.Base.Kind == valuenum.Reg && x.Index == nil && x.Off == 0 {
		in = f.defs[int(x.Base.N)]
	}
	load, _ := in.(*cir.Load)
	return load
}

// byObject reports whether the id that is joined is part of the object that the thread was given.
func (r *Result) byObject(j *joined) bool {
	g, f := j.g, r.function(j.g.node)
	if g.given == nil || !g.given.Kind.Allocated || g.alloc == nil {
		return false
	}
	id, _ := r.settled(g.node, f, f.Value(g.create.Args[0].X))
	arg, _ := r.settled(g.node, f, f.Value(g.arg))
	if id.Base == nil || id.Base != arg.Base || id.Index != nil {
		return false
	}
	j.off = id.Off
	to := r.pts.Places(j.node.Fn, j.node.Ctx, j.load.Addr)
	for _, l := range to {
		if l.Off != j.off || !l.Exact() || l.Obj.Func == nil || !l.Obj.Func.Library || l.Obj.Ctx.Outer() != g.alloc {
			return false
		}
	}
	return len(to) > 0 && r.onlyCreated(g, to, j.load)
}

// byNumber reports whether the id that is joined is the element of an array with the number of a loop that counts.
func (r *Result) byNumber(j *joined) bool {
	g, f := j.g, j.f
	if g.loop == nil || j.node != g.node {
		return false
	}
	size := r.model.SizeOf(j.load.Type)
	first := r.slot(g, g.create.Args[0].X, size)
	if first == nil || first.Kind.Base.Cell != nil {
		return false
	}
	base := first.Kind.Base
	for _, l := range f.loops {
		if l == g.loop || !l.Exact(r.model) || !f.inside(l, f.home[j.call]) || !f.inside(l, f.home[j.load]) || !g.loop.Before(f.Func, l) {
			continue
		}
		p := f.resolve(j.load.Addr, size, func(v valuenum.Value) (form, bool) { return r.counts(l, v) })
		if p == nil || p.key == nil || p.wide || p.stride != first.Kind.Stride || p.lo != first.Lo || p.key.bits < counterBits(g) {
			continue
		}
		if other, ok := r.baseOf(f, p.base, l); !ok || other != base || !f.lasts(base.Sym, g.loop, l) {
			continue
		}
		j.loop, j.shift = l, first.Kind.Add-p.key.add
		return r.onlyCreated(g, r.pts.Places(g.creator().Fn, g.creator().Ctx, g.create.Args[0].X), j.load)
	}
	return false
}

// counts returns what a value is made of, if that is the number by which a loop counts.
func (r *Result) counts(l *loop.Loop, v valuenum.Value) (form, bool) {
	f, ok := r.formOf(v)
	return f, ok && f.sym == l.Sym && f.bits >= int(l.Sym.What.(*cir.Local).Size)*8
}

// lasts reports whether what a symbol stands for stays the same from where one loop begins to where another one ends.
func (f *function) lasts(s *valuenum.Sym, first, last *loop.Loop) bool {
	if s == nil {
		return false
	}
	during := first.Reach(first.Head)
	for b := range during {
		if !first.Reach(b)[last.Head] {
			delete(during, b)
		}
	}
	switch s.Kind {
	case valuenum.Param, valuenum.Global:
		return true
	case valuenum.Local:
		return true
	}
	at := f.definedAt(s)
	return at != nil && !during[at]
}

// definedAt returns the block in which a symbol gets its value, nil if that is not known.
func (f *function) definedAt(s *valuenum.Sym) *cir.Block {
	switch s.Kind {
	case valuenum.Phi:
		return s.Block
	case valuenum.Reg:
		if in := f.defs[int(s.N)]; in != nil {
			return f.home[in]
		}
		for _, b := range f.Copy.Func.Blocks {
			if slices.ContainsFunc(b.Params, func(p *cir.Reg) bool { return int64(p.Index) == s.N }) {
				return b
			}
		}
	}
	return nil
}

// onlyCreated reports whether the ids at some places, which a load reads, are written by nothing but the creation of the group's threads, and what allocates them, or writes zeros: nobody joins those.
func (r *Result) onlyCreated(g *group, ids []pointsto.Location, load *cir.Load) bool {
	size := r.model.SizeOf(load.Type)
	for _, n := range r.threads.AllNodes() {
		if c := n.Ctx.Call; n.Fn.Library && c != nil {
			f, direct := c.Callee.(*cir.Func)
			if c == g.create || allocators[nameOf(f, direct)] || clearsAll(c) {
				continue
			}
		}
		for _, b := range n.Fn.Blocks {
			for _, in := range b.Instrs {
				if !clears(in) && slices.ContainsFunc(ids, func(l pointsto.Location) bool { return r.overwrites(n, in, l, size) }) {
					return false
				}
			}
		}
	}
	return len(ids) > 0 && !slices.ContainsFunc(ids, func(l pointsto.Location) bool { return l.Off == pointsto.Any || l.Obj.External || l.Obj.IsFunc() })
}

// joinedPiece returns the piece that a thread accesses by an instruction of a node that it comes to behind a join only; nil if it is not known to be that of
// the thread which was joined.
func (r *Result) joinedPiece(t *thread.Thread, n *thread.Node, in cir.Located, addr cir.Value, size int64) *Piece {
	at, isInstr := in.(cir.Instr)
	if len(r.joins[t]) == 0 || !isInstr {
		return nil
	}
	shift := int64(0)
	if n.Fn.Library {
		if n, at, addr, shift = r.caller(t, n, addr); n == nil {
			return nil
		}
	}
	for _, j := range r.joins[t] {
		if j.node != n {
			continue
		}
		if j.loop == nil {
			if r.sameObject(j, at, addr) {
				return &Piece{Kind: j.g.given.Kind, Parent: true}
			}
			continue
		}
		if size < 0 || !r.behind(j, at, []*valuenum.Sym{j.loop.Sym}) || !j.f.inside(j.loop, j.f.home[at]) {
			continue
		}
		p := j.f.resolve(addr, size, func(v valuenum.Value) (form, bool) { return r.counts(j.loop, v) })
		if p == nil || p.key == nil || p.wide || p.key.bits < counterBits(j.g) {
			continue
		}
		base, ok := r.baseOf(j.f, p.base, j.loop)
		if ok && (base.Cell != nil || j.f.lasts(base.Sym, j.g.loop, j.loop)) {
			return &Piece{Kind: Kind{Create: j.g.create, Base: base, Stride: p.stride, Add: p.key.add + j.shift}, Lo: p.lo + shift, Hi: p.hi + shift, Parent: true}
		}
	}
	return nil
}

// caller returns the call of the program's own for which a function of the library makes an access, and the argument that it begins at, but for a constant.
func (r *Result) caller(t *thread.Thread, n *thread.Node, addr cir.Value) (by *thread.Node, call *cir.Call, arg cir.Value, shift int64) {
	f := r.function(n)
	if call = n.Ctx.Call; f == nil || call == nil {
		return nil, nil, nil, 0
	}
	v := f.Value(addr)
	if v.Base == nil || v.Index != nil || v.Base.Kind != valuenum.Param || v.Base.Func != n.Fn || int(v.Base.N) >= len(call.Args) {
		return nil, nil, nil, 0
	}
	for _, j := range r.joins[t] {
		if j.f.home[call] != nil && slices.Contains(r.threads.Calls(t, j.node, call), n) {
			return j.node, call, call.Args[v.Base.N].X, v.Off
		}
	}
	return nil, nil, nil, 0
}

// sameObject reports whether an address leads to the object of which the id was joined, and control gets there behind the join only.
func (r *Result) sameObject(j *joined, at cir.Instr, addr cir.Value) bool {
	p, q := j.f.origin(j.load.Addr), j.f.origin(addr)
	if p == nil || q == nil {
		return false
	}
	v, w := j.f.Value(p), j.f.Value(q)
	if v.Base != nil && v.Index == nil && v.Base == w.Base && w.Index == nil && v.Off == w.Off {
		return r.behind(j, at, []*valuenum.Sym{v.Base})
	}
	first, second := j.f.loaded(p), j.f.loaded(q)
	if first == nil || second == nil || first.Type != second.Type || first.Bits != nil || second.Bits != nil {
		return false
	}
	v, w = j.f.Value(first.Addr), j.f.Value(second.Addr)
	var syms []*valuenum.Sym
	v.Each(func(s *valuenum.Sym) { syms = append(syms, s) })
	return v == w && r.behind(j, at, syms) && r.behind(j, second, syms) && j.f.passes(syms, first, j.call) && r.quiet(j, first, at)
}

// origin returns the pointer that an address is a constant behind of.
func (f *function) origin(addr cir.Value) cir.Value {
	for range 20 {
		switch in := f.def(addr).(type) {
		case *cir.Offset:
			if in.Index != nil {
				if !isConstant(in.Index) {
					return nil
				}
			}
			addr = in.P
			continue
		case *cir.Convert:
			if in.Dst.Type.IsPointer() && isPointer(in.X) {
				addr = in.X
				continue
			}
		}
		break
	}
	return addr
}

// behind reports whether control gets to an instruction only behind a join that is done since all symbols got their values, and no thread may be created in between.
func (r *Result) behind(j *joined, at cir.Instr, syms []*valuenum.Sym) bool {
	f := j.f
	if !f.passes(syms, j.call, at) || !f.passes(syms, j.load, at) || !f.passes(syms, j.load, j.call) {
		return false
	}
	for in := range f.amid(j.call, at, syms) {
		if in != cir.Instr(j.call) && in != at && r.creates(j.node, in) {
			return false
		}
	}
	return true
}

// passes reports whether control, since it was where the symbols get their values, gets to an instruction only behind another one.
func (f *function) passes(syms []*valuenum.Sym, via, at cir.Instr) bool {
	to, by := f.home[at], f.home[via]
	if to == nil || by == nil {
		return false
	}
	starts := []*cir.Block{f.Copy.Func.Blocks[0]}
	for _, s := range syms {
		switch s.Kind {
		case valuenum.Param, valuenum.Global, valuenum.Local:
		default:
			b := f.definedAt(s)
			if b == nil {
				return false
			}
			starts = append(starts, b)
		}
	}
	if to == by && f.index(via) < f.index(at) {
		// Symbols that get their values between the two are none of what was there at the first one.
		for _, s := range syms {
			if s.Kind == valuenum.Reg && f.definedAt(s) == to && f.defs[int(s.N)] != nil && f.index(f.defs[int(s.N)]) > f.index(via) {
				return false
			}
		}
		return true
	}
	if to == by {
		return false
	}
	seen := map[*cir.Block]bool{}
	var work []*cir.Block
	for _, b := range starts {
		if b == to && b != by {
			return false // what is computed in the same block may come behind the other instruction
		}
		if b != by && !seen[b] {
			seen[b] = true
			work = append(work, b)
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		cir.Succs(b.Term, func(next *cir.Block, _ []cir.Value) {
			if next != by && !seen[next] {
				seen[next] = true
				work = append(work, next)
			}
		})
	}
	if seen[to] {
		return false
	}
	// A symbol that gets its value in the block of the join, behind it, leads to the instruction past it.
	for _, s := range syms {
		if s.Kind == valuenum.Reg && f.definedAt(s) == by && f.defs[int(s.N)] != nil && f.index(f.defs[int(s.N)]) > f.index(via) {
			return false
		}
	}
	return true
}

// amid returns the instructions that control may come to from one to another one, before the symbols get other values.
func (f *function) amid(from, to cir.Instr, syms []*valuenum.Sym) map[cir.Instr]bool {
	fresh := map[*cir.Block]bool{}
	for _, s := range syms {
		if b := f.definedAt(s); b != nil && s.Kind == valuenum.Phi {
			fresh[b] = true
		}
	}
	all := map[cir.Instr]bool{}
	a, z := f.home[from], f.home[to]
	if a == z && f.index(from) < f.index(to) {
		for _, in := range a.Instrs[f.index(from):f.index(to)] {
			all[in] = true
		}
		return all
	}
	ahead := spread([]*cir.Block{a}, func(_, b *cir.Block) bool { return !fresh[b] })
	for b := range ahead {
		if spread([]*cir.Block{b}, func(_, x *cir.Block) bool { return !fresh[x] })[z] {
			for _, in := range b.Instrs {
				all[in] = true
			}
		}
	}
	return all
}

// spread returns the blocks that control gets to from some blocks, which are among them, along edges that count.
func spread(from []*cir.Block, counts func(from, to *cir.Block) bool) map[*cir.Block]bool {
	seen := map[*cir.Block]bool{}
	for _, b := range from {
		seen[b] = true
	}
	for work := from; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			if !seen[to] && counts(b, to) {
				seen[to] = true
				work = append(work, to)
			}
		})
	}
	return seen
}

// quiet reports whether nobody writes what a load reads from then on until an instruction is reached: no other thread does so at all.
func (r *Result) quiet(j *joined, load *cir.Load, at cir.Instr) bool {
	to := r.pts.Places(j.node.Fn, j.node.Ctx, load.Addr)
	var syms []*valuenum.Sym
	j.f.Value(load.Addr).Each(func(s *valuenum.Sym) { syms = append(syms, s) })
	for _, l := range to {
		if l.Obj.External || l.Obj.IsFunc() {
			return false
		}
		for in := range j.f.amid(load, at, syms) {
			if r.pts.MayWrite(j.node.Copy(), in, l.Obj) {
				return false
			}
		}
		for _, t := range r.threads.Threads {
			if t == j.g.t.Parent {
				continue
			}
			for _, n := range r.threads.Nodes(t) {
				for _, b := range n.Fn.Blocks {
					if slices.ContainsFunc(b.Instrs, func(in cir.Instr) bool { return r.overwrites(n, in, pointsto.Location{Obj: l.Obj}, 1<<40) }) {
						return false
					}
				}
			}
		}
	}
	return len(to) > 0
}

// creates reports whether an instruction of a node may create a thread of the group.
func (r *Result) creates(n *thread.Node, in cir.Instr) bool { return r.pts.MayCreate(n.Copy(), in) }
