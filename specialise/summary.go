package specialise

import (
	"fmt"
	"maps"
	"slices"

	"comus/cir"
	"comus/ir"
	"comus/logic"
	"comus/scan/pointsto"
)

// Where a search for a proof for every number of threads meets an allocation that is made any number of times, all its objects that
// threads share are one summary: what they hold is a set of tuples, one value for each scalar. The program has room for one of them at a time, in shared
// variables, and beside it a thread of which any number of instances run (keepers): each keeps one tuple that was there, and may bring
// it back whenever it likes. So any tuple that any of the objects ever had may be there at any time, and an invariant of these variables is
// one of every object. An access to a shared object is one to these variables: before it, the tuple that the object has
// may be brought there, and that of another object, too, so that this has all executions of the source and more. Only inside of an
// atomic section nothing can be brought back: there only the first access to a summary may be told in this way; see [builder.sees].
//
// Before other threads can know an object it is its maker's: of each allocation a thread knows the last object that it made exactly, in
// variables of its own, and compares the addresses of what it accesses with that one's. Where a pointer into it is stored in memory
// that is not the thread's own, its tuple becomes one of the set ([builder.share]), with the next object at the latest.

// summary stands for the objects of an allocation that is made any number of times.
type summary struct {
	abs    *pointsto.Object
	lo, hi int64   // where the objects begin
	all    *object // holds at any time what one of those that are shared has held
	some   *ir.Var // whether there is one
	mine   map[int]*newest
}

// newest is the last object of an allocation that a thread has made, until others can know it.
type newest struct {
	obj *object
	at  *ir.Var // its address; 0 for none
}

// maxSummary is the size of objects of which there are summaries.
const maxSummary = 256

// summarises reports whether there are summaries in the program being made.
func (b *builder) summarises() bool {
	c := b.opts.Check
	return b.opts.Parametric && !b.opts.NoSummaries && b.m.PointerBits == 64 && !c.Race && !c.Deadlock && !c.Memory && !c.atEnd() && !c.Locks
}

// summaryOf returns the summary of an abstract object, nil if there is none.
func (b *builder) summaryOf(abs *pointsto.Object) *summary {
	if s, ok := b.summaries[abs]; ok || abs == nil || !b.summarises() {
		return s
	}
	b.summaries[abs] = nil
	var of *blueprint
	for _, bp := range b.facts.instances[abs] {
		if !bp.many {
			continue
		}
		if bp.each == nil || !bp.user || of != nil && of.span != bp.span {
			return nil
		}
		of = &bp
	}
	if of == nil || b.facts.blurred[abs] {
		return nil
	}
	k := slices.Index(b.facts.summarised, abs)
	if k < 0 {
		k = len(b.facts.summarised)
		b.facts.summarised = append(b.facts.summarised, abs)
	}
	s := &summary{abs: abs, lo: anyAddress + int64(k)*summarySpace, mine: map[int]*newest{}}
	s.hi = s.lo + summarySpace - 2*maxSummary
	name := fmt.Sprintf("%s%d", "all.heap", of.pos.Line)
	s.all = b.partOf(s, of, name, ir.Shared)
	s.all.shared = true
	s.some = b.sharedVar("some."+s.all.key, ir.Flag)
	for _, bp := range b.facts.instances[abs] {
		if bp.many && s.mine[bp.owner] == nil {
			n := &newest{obj: b.partOf(s, of, fmt.Sprintf("t%d.new.heap%d", bp.owner, of.pos.Line), bp.owner)}
			n.at = b.newVar(n.obj.name+".at", "", irType(b.m.Pointer()), bp.owner)
			n.at.Init = &logic.Value{}
			s.mine[bp.owner] = n
			b.addresses[n.at] = n
		}
	}
	b.summaries[abs] = s
	b.summed = append(b.summed, s)
	return s
}

// summarySpace is how far the objects of one summary are from those of the next.
const summarySpace = 1 << 40

// partOf returns what holds one tuple of a summary.
func (b *builder) partOf(s *summary, of *blueprint, name string, thread int) *object {
	o := b.object(blueprint{key: fmt.Sprintf("%s of %s", name, of.key), name: name, abs: s.abs, shape: of.each, size: of.span, thread: thread, owner: thread, tuple: true})
	o.shared = false
	return o
}

// inSummary makes an access one to the objects of a summary, if that can be told: through a pointer p that is made of one off bytes behind
// the beginning of one of them, and only that. valid is the condition that there is an object there.
func (b *builder) inSummary(ts *targets, s *summary, p *value, off, firstBit, bits, align int64) (valid *logic.Term, ok bool) {
	known := slices.Contains(ts.sums, s) // at another offset: an address does not tell which of them it has
	ts.sums = append(ts.sums, s)
	if off == pointsto.Any || known {
		return nil, false
	}
	offs := offsets(s.all, off, align)
	if len(offs) != 1 || offs[0]+p.shift < 0 || (offs[0]+p.shift)*8+firstBit+bits > s.all.size*8 {
		return nil, false
	}
	at := offs[0] + p.shift
	base := b.L.Sub(p.t, b.L.Int(at))
	is := b.L.And(b.L.Le(b.L.Int(s.lo), base), b.L.Le(base, b.L.Int(s.hi)))
	mine := b.L.False()
	if n := s.mine[b.th.index]; n != nil {
		switch same, known := b.isNewest(base, n); {
		case known && same:
			ts.list = append(ts.list, target{b.L.True(), n.obj, at*8 + firstBit})
			return b.L.True(), true
		case !known:
			mine = b.L.Eq(base, n.at.Sym)
			ts.list = append(ts.list, target{b.L.And(is, mine), n.obj, at*8 + firstBit})
		}
	}
	ts.seen = append(ts.seen, s)
	ts.list = append(ts.list, target{b.L.And(is, b.L.Not(mine)), s.all, at*8 + firstBit})
	ts.limited = true
	return b.L.And(is, b.L.Or(mine, b.isTrue(s.some))), true
}

// sees notes an access to summaries: in an atomic section it has to be the first one, as what was accessed before cannot be exchanged for
// another object, or the second half of a read-modify-write. A summary of which that does not hold is given up.
func (b *builder) sees(sums []*summary) {
	if b.cur == nil || b.cur.depth == 0 || b.updating {
		return
	}
	for _, s := range sums {
		if b.cur.seen[s] || b.cur.seen[every] {
			b.blurred[s.abs] = true
		}
		b.cur.seen = union(b.cur.seen, map[*summary]bool{s: true})
	}
}

// every stands for all summaries: where a loop begins in an atomic section, an iteration before may have accessed them.
var every = &summary{}

// seesAll is that any of the summaries may have been accessed in the atomic section, if control is in one.
func (b *builder) seesAll() {
	if b.cur.depth > 0 {
		b.cur.seen = union(b.cur.seen, map[*summary]bool{every: true})
	}
}

// union returns a set of what is in one of two, which is one of these if it can be.
func union(s, t map[*summary]bool) map[*summary]bool {
	switch {
	case len(s) == 0:
		return t
	case len(t) == 0:
		return s
	}
	u := maps.Clone(s)
	maps.Copy(u, t)
	return u
}

// blurAll gives up the summary of an abstract object: it is accessed in a way that cannot be told.
func (b *builder) blurAll(abs *pointsto.Object) {
	if b.summaryOf(abs) != nil {
		b.blurred[abs] = true
	}
}

// share makes the tuple of an object that the thread has made known to all, if a condition holds that is that there is one, or more.
func (b *builder) share(s *summary, is *logic.Term) {
	n := s.mine[b.th.index]
	if n == nil || b.cur == nil || is.IsFalse() || b.hasNone(n) {
		return
	}
	b.sees([]*summary{s})
	writes := []*ir.Var{s.some}
	mine, all := b.cellsAt(n.obj, 0, n.obj.size*8), b.cellsAt(s.all, 0, s.all.size*8)
	for _, c := range all {
		writes = append(writes, c.v)
	}
	mark := b.hold(b.condValue(is))
	b.asBefore(writes, mark)
	is = b.truth(b.held[mark])
	b.release(mark)
	cmds := []ir.Cmd{ir.AssignCmd(s.some, b.L.Ite(is, b.L.Int(1), s.some.Sym))}
	for i, c := range all {
		cmds = append(cmds, ir.AssignCmd(c.v, b.L.Ite(is, mine[i].v.Sym, c.v.Sym)))
	}
	cmds = append(cmds, ir.AssignCmd(n.at, b.L.Ite(is, b.L.Int(0), n.at.Sym)))
	writes = append(writes, n.at)
	b.settle(true, writes...)
	b.cur.depth++
	b.emit("", cmds...)
	b.leaveAtomic()
}

// shareNewest is share for whatever object there is.
func (b *builder) shareNewest(s *summary) {
	if n := s.mine[b.th.index]; n != nil {
		b.share(s, b.has(n))
	}
}

// surrender is to be called where a value, the operand v, is stored at a pointer to, where others may find it: what it points to is shared
// from here on. to is nil if the value is handed to another thread. It returns the value, and the pointer.
func (b *builder) surrender(x *value, v cir.Value, to *value) (*value, *value) {
	if !b.summarises() || b.cur == nil || to != nil && to.at != nil && !to.at.obj.shared {
		return x, to
	}
	if k, ok := x.t.Const(); x.at != nil || ok && k.Cmp(logic.IntValue(anyAddress)) < 0 {
		return x, to
	}
	mark := b.hold(x, to)
	for _, l := range b.pts.Targets(b.fr.fn, b.fr.ctx, v) {
		s := b.summaryOf(l.Obj)
		if s == nil || s.mine[b.th.index] == nil {
			continue
		}
		if b.pending(b.held[mark]) {
			b.detach(b.held[mark])
		}
		b.share(s, b.pointsIntoNewest(s, b.held[mark], l.Off))
	}
	x, to = b.held[mark], b.held[mark+1]
	b.release(mark)
	return x, to
}

// has returns the condition that the thread has a newest object of a summary.
func (b *builder) has(n *newest) *logic.Term { return b.L.Ne(n.at.Sym, b.L.Int(0)) }

// pointsIntoNewest returns the condition that a value is a pointer to the newest object of a summary, or only that there is one.
func (b *builder) pointsIntoNewest(s *summary, x *value, off int64) *logic.Term {
	n := s.mine[b.th.index]
	if off == pointsto.Any || !x.typ.IsPointer() || off+x.shift < 0 || off+x.shift > s.all.size {
		return b.has(n)
	}
	d := b.L.Sub(x.t, n.at.Sym)
	if offs := offsets(s.all, off, 1); len(offs) == 1 && off < s.all.size {
		at := b.L.Int(offs[0] + x.shift)
		if same, known := b.isNewest(b.L.Sub(x.t, at), n); known {
			return b.L.Bool(same)
		}
		return b.L.And(b.has(n), b.L.Eq(d, at))
	}
	return b.L.And(b.has(n), b.L.Le(b.L.Int(0), d), b.L.Le(d, b.L.Int(s.all.size)))
}

// surrenderHeld is surrender for a scalar x that is copied from memory at src, as the operand v.
func (b *builder) surrenderHeld(x *value, src *value, v cir.Value, to *value) *value {
	if !b.summarises() || b.cur == nil || to.at != nil && !to.at.obj.shared {
		return x
	}
	var from []*pointsto.Object
	if src.at != nil {
		from = append(from, src.at.obj.abs)
	} else {
		for _, l := range b.pts.Targets(b.fr.fn, b.fr.ctx, v) {
			from = append(from, l.Obj)
		}
	}
	mark := b.hold(x)
	for _, o := range from {
		if o == nil {
			continue
		}
		for _, l := range b.pts.Held(o) {
			if s := b.summaryOf(l.Obj); s != nil {
				b.shareNewest(s)
			}
		}
	}
	x = b.held[mark]
	b.release(mark)
	return x
}

// notMine adds to a pointer that was read of memory which threads share that it is not one to an object that only this thread knows.
func (b *builder) notMine(x *value, in *cir.Load, from *value) *value {
	if !in.Type.IsPointer() || !b.summarises() || !b.isCommon(from, in.Addr) {
		return x
	}
	w := *x
	w.side = slices.Clone(x.side)
	var others []*newest
	for _, l := range b.pts.Targets(b.fr.fn, b.fr.ctx, in.Dst) {
		s := b.summaryOf(l.Obj)
		if s == nil || s.mine[b.th.index] == nil || b.hasNone(s.mine[b.th.index]) {
			continue
		}
		n := s.mine[b.th.index]
		d := b.L.Sub(x.t, n.at.Sym)
		other := b.L.Or(b.L.Lt(d, b.L.Int(0)), b.L.Lt(b.L.Int(s.all.size), d))
		if l.Off == 0 {
			other, others = b.L.Ne(x.t, n.at.Sym), append(others, n)
		}
		w.side = append(w.side, b.L.Or(b.L.Not(b.has(n)), other))
	}
	if len(w.side) == len(x.side) {
		return x
	}
	b.assume(assumeNeverSet)
	x = &w
	if len(others) > 0 {
		x = b.materialise(x)
	}
	for _, n := range others {
		if v := b.symbols[x.t]; v != nil && b.cur != nil {
			b.cur.newest[about{v, n}] = false
		}
	}
	return x
}

// isCommon reports whether all that a pointer may point to is memory where what is stored is shared ([builder.surrender]).
func (b *builder) isCommon(p *value, v cir.Value) bool {
	if p.at != nil {
		return p.at.obj.shared
	}
	return !slices.ContainsFunc(b.pts.Targets(b.fr.fn, b.fr.ctx, v), func(l pointsto.Location) bool {
		return !b.pts.Shared(l.Obj) && b.summaryOf(l.Obj) == nil
	})
}

// makes is that the thread makes an object of a summary, at an address.
func (b *builder) makes(s *summary, at *value) *value {
	n := s.mine[b.th.index]
	mark := b.hold(at)
	b.shareNewest(s)
	at = b.held[mark]
	b.release(mark)
	if b.cur == nil {
		return at
	}
	cells := b.cellsAt(n.obj, 0, n.obj.size*8)
	cmds := append(assumes(at.side), ir.AssumeCmd(b.L.And(b.L.Le(b.L.Int(s.lo), at.t), b.L.Le(at.t, b.L.Int(s.hi)))), ir.AssignCmd(n.at, at.t))
	writes := []*ir.Var{n.at}
	for _, c := range cells {
		cmds = append(cmds, ir.HavocCmd(c.v, ""))
		writes = append(writes, c.v)
	}
	mark = b.hold(at)
	b.settle(false, writes...)
	held := b.held[mark]
	b.release(mark)
	b.emit("", cmds...)
	return b.val(at.typ, held.t)
}

// keepers adds the threads that keep the tuples of summaries.
func (b *builder) keepers() {
	read := b.readVars()
	for _, s := range b.summed {
		t := b.prog.NewThread("keeper of " + s.all.name)
		t.Replicated = true
		kept, back := t.NewLoc(ir.Pos{}), t.NewLoc(ir.Pos{})
		first := t.NewLoc(ir.Pos{})
		first.Atomic, back.Atomic = true, true
		take, put := []ir.Cmd{ir.AssumeCmd(b.isTrue(s.some))}, []ir.Cmd{}
		for _, c := range b.cellsAt(s.all, 0, s.all.size*8) {
			if !read[c.v] {
				continue
			}
			k := b.newVar("kept."+c.v.Name, "", c.v.Type, t.Index)
			take, put = append(take, ir.AssignCmd(k, c.v.Sym)), append(put, ir.AssignCmd(c.v, k.Sym))
		}
		t.NewEdge(t.Entry, first, ir.Pos{}, "keep what an object holds", take...)
		t.NewEdge(first, kept, ir.Pos{}, "")
		t.NewEdge(kept, back, ir.Pos{}, "bring back what an object holds", put...)
		t.NewEdge(back, kept, ir.Pos{}, "")
	}
}

// newestOf returns the variables that have the addresses of those newest objects that an operand may be the address of.
func (b *builder) newestOf(v cir.Value) []*ir.Var {
	var list []*ir.Var
	if !b.summarises() {
		return nil
	}
	for _, l := range b.pts.Targets(b.fr.fn, b.fr.ctx, v) {
		if s := b.summaryOf(l.Obj); s != nil && s.mine[b.th.index] != nil {
			list = append(list, s.mine[b.th.index].at)
		}
	}
	return list
}

// blurThese gives up summaries.
func (b *builder) blurThese(sums []*summary) {
	for _, s := range sums {
		b.blurred[s.abs] = true
	}
}
