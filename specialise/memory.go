package specialise

import (
	"slices"

	"comus/cir"
	"comus/ir"
	"comus/logic"
)

// accessBits returns the bits that an access touches, from its address on.
func (b *builder) accessBits(a cir.Access) (first, bits int64) {
	if a.Bits != nil {
		return int64(a.Bits.Offset), int64(a.Bits.Width)
	}
	return 0, b.m.SizeOf(a.Type) * 8
}

// load reads a scalar.
func (b *builder) load(p *value, v cir.Value, a cir.Access) *value {
	first, bits := b.accessBits(a)
	ts := b.resolveAll(p, v, first, bits, a.Align)
	if (ts.shared || ts.elem != nil || b.asksSet() || b.opts.Check.Race) && b.pending(p) {
		p = b.detach(p)
		ts = b.resolveAll(p, v, first, bits, a.Align)
	}
	b.knowAligned(ts, p, a)
	ts.trusted = bits == 8 && b.isPartOfString(p, v)
	b.checkTargets(ts)
	if ts.vague {
		b.blurs(p, v)
	}
	unset := b.readsSet(ts, p, v, bits, a)
	mark := b.hold(&value{typ: a.Type, t: b.L.Int(0), unset: unset})
	b.race(ts, p, v, false, a)
	var w *value
	if b.cur != nil {
		w = b.loadFrom(ts, p, v, bits, a)
	}
	b.release(mark)
	if unset == nil || w == nil {
		return w
	}
	x := *w
	x.unset = unset
	return &x
}

// loadFrom reads a scalar from some places.
func (b *builder) loadFrom(ts *targets, p *value, v cir.Value, bits int64, a cir.Access) *value {
	if ts.elem != nil {
		return b.loadElement(ts, a)
	}
	if ts.vague {
		if w := b.loadsId(p, v, a, bits); w != nil {
			return w
		}
		if w := b.loadArgument(ts, p, a, bits); w != nil {
			return w
		}
		return b.anything(a.Type, untracked, b.site)
	}
	b.sees(ts.seen)
	if ts.shared && !b.atomicHere() && !b.isKnown(ts, bits) {
		b.settle(true)
	}
	if b.notePlace(ts, bits); b.ordered(a, ts) {
		return b.materialise(b.read(ts, bits, a))
	}
	order := b.readOrder(a)
	if sync := order != cir.Plain && b.synchronises(ts); sync || ts.shared && b.cur.depth == 0 && b.isSplit(ts, bits) {
		b.cur.depth++
		w := b.materialise(b.read(ts, bits, a))
		if sync {
			mark := b.hold(w)
			b.acquired(ts, bits, order)
			w = b.held[mark]
			b.release(mark)
		}
		b.leaveAtomic()
		return w
	}
	return b.read(ts, bits, a)
}

// isSplit reports whether an access touches several cells, or a part of one.
func (b *builder) isSplit(ts *targets, bits int64) bool {
	return ts.limited || slices.ContainsFunc(ts.list, func(t target) bool { return len(b.cellsAt(t.obj, t.bit, bits)) > 1 })
}

// isKnown reports whether an access reads constants only.
func (b *builder) isKnown(ts *targets, bits int64) bool {
	for _, t := range ts.list {
		for _, c := range b.cellsAt(t.obj, t.bit, bits) {
			_, untouched := b.untouched(c)
			if _, frozen := b.frozen(c); b.cur.undef[c] || b.cur.consts[c.v] == nil && !frozen && !untouched {
				return false
			}
		}
	}
	return true
}

// read returns what an access reads.
func (b *builder) read(ts *targets, bits int64, a cir.Access) *value {
	w := &value{typ: a.Type, site: b.site, side: ts.ok}
	var rng *interval
	for i := len(ts.list) - 1; i >= 0; i-- {
		t := ts.list[i]
		x := b.contents(t.obj, t.bit, bits, a)
		if w.t == nil {
			w.t = x.t
		} else {
			w.t = b.L.Ite(t.cond, x.t, w.t)
		}
		r := x.bounds()
		if rng == nil {
			rng = &r
		} else {
			h := rng.hull(r)
			rng = &h
		}
		if len(ts.list) == 1 && x.at != nil {
			w.at = x.at
		}
	}
	if w.t == nil {
		w.t, w.side = b.L.Int(0), append(w.side, b.L.False())
		return w
	}
	w.rng = rng
	if a.Type.IsPointer() && w.at == nil {
		w.at = b.placeOf(w)
	}
	return w
}

// placeOf returns the place of a pointer whose address is a constant.
func (b *builder) placeOf(v *value) *place {
	c, ok := v.t.Const()
	if !ok {
		return nil
	}
	addr, small := c.Int64()
	if o := b.objectAt(addr); small && o != nil {
		return &place{obj: o, off: addr - o.addr}
	}
	return nil
}

func minValue(x, y logic.Value) logic.Value {
	if x.Cmp(y) < 0 {
		return x
	}
	return y
}

func maxValue(x, y logic.Value) logic.Value {
	if x.Cmp(y) > 0 {
		return x
	}
	return y
}

// invalidIf makes it an error that an access has no meaning, which is so if a condition holds.
func (b *builder) invalidIf(bad *logic.Term, side []*logic.Term, approx string) {
	n := len(b.th.edges)
	b.errorIf(Memory, "invalid access in "+b.text(), bad, side)
	for _, e := range b.th.edges[n:] {
		e.approx = approx
	}
}

// untracked is the approximation of what memory holds, or whether it is valid.
const untracked = "memory that is not tracked"

// checkTargets makes it an error that an access has no meaning, or assumes that it has one.
func (b *builder) checkTargets(ts *targets) { b.checkTargetsAs(ts, "") }

// checkTargetsAs is checkTargets for an access that may be an approximation.
func (b *builder) checkTargetsAs(ts *targets, approx string) {
	ok := b.L.And(ts.ok...)
	if ts.trusted {
		return
	}
	if ts.doubtful && b.opts.Check.Memory {
		b.invalidIf(b.L.True(), nil, untracked)
	}
	if ts.doubt != nil && b.opts.Check.Memory {
		b.invalidIf(ts.doubt, nil, untracked)
	}
	if alive := b.L.And(ts.living...); !alive.IsTrue() {
		b.settle(true)
		b.invalidIf(b.L.And(b.L.And(ts.found...), b.L.Not(alive)), nil, approx) // beyond the end, too: that is an error anyway
	}
	if ok.IsTrue() {
		ts.ok = nil
		return
	}
	if ts.bounds {
		b.assume(assumeBounds)
	} else {
		b.assume(assumePointer)
	}
	if b.opts.Check.Memory {
		b.invalidIf(b.L.Not(ok), nil, approx)
	}
	if ok.IsFalse() {
		b.emit("", ir.AssumeCmd(ok))
		b.cur = nil
	}
}

// content returns the term for what a cell holds.
func (b *builder) content(c *cell) *value {
	b.noteRead(c)
	if b.cur.undef[c] {
		b.settle(false, c.v)
		b.emit("", b.initialCmd(c))
	}
	x := &value{typ: c.typ, t: c.v.Sym}
	b.readAt[c.v] = b.origin
	if c.typ.IsFloat() || c.typ.IsPointer() {
		x.typ = c.typ
	}
	frozen, ok := b.frozen(c)
	if k := b.cur.consts[c.v]; k != nil || !ok {
		b.touch(c)
	}
	if k := b.cur.consts[c.v]; k != nil {
		x.t = k.t
	} else if w := frozen; ok {
		x.t = b.L.Value(w)
	} else if w, ok := b.untouched(c); ok {
		x.t = b.L.Value(w)
	} else if r, ok := b.facts.ranges[c.key]; ok {
		x.rng = &r
	}
	if c.typ.IsPointer() {
		x.at = b.placeOf(x)
	}
	return x
}

// nonEmptyInput names the input that an uninitialised local is.
func nonEmptyInput(c *cell) string { return c.v.Source }

// contents reads bits of an object as a scalar.
func (b *builder) contents(o *object, bit, bits int64, a cir.Access) *value {
	cells := b.cellsAt(o, bit, bits)
	if len(cells) == 1 && cells[0].bit == bit && cells[0].bits == bits {
		return b.retype(b.content(cells[0]), a)
	}
	// Composed of parts of cells, the least significant first.
	sum, covered := b.L.Int(0), int64(0)
	for _, c := range cells {
		from, to := max(c.bit, bit), min(c.bit+c.bits, bit+bits)
		u := b.unsigned(b.content(c), int(c.bits))
		part := u
		if from > c.bit || to < c.bit+c.bits {
			part = b.bitsOf(u, int(from-c.bit), int(to-from))
		}
		sum = b.L.Add(sum, b.L.Mul(part, b.L.Value(pow2(int(from-bit)))))
		covered += to - from
	}
	if covered < bits { // padding: any value
		x := b.anything(cir.Type{Kind: cir.IntKind, Bits: int(bits)}, "bytes that belong to no member", b.site)
		if b.cur != nil && covered > 0 {
			for _, c := range cells { // the known bits are as they are
				from, to := max(c.bit, bit), min(c.bit+c.bits, bit+bits)
				u := b.bitsOf(b.unsigned(b.content(c), int(c.bits)), int(from-c.bit), int(to-from))
				x.side = append(x.side, b.L.Eq(b.bitsOf(x.t, int(from-bit), int(to-from)), u))
			}
		}
		sum = x.t
		w := b.retype(&value{typ: cir.Type{Kind: cir.IntKind, Bits: int(bits)}, t: sum, side: x.side}, a)
		return w
	}
	return b.retype(&value{typ: cir.Type{Kind: cir.IntKind, Bits: int(bits)}, t: sum}, a)
}

// unsigned returns a value's bits as a number that is not negative.
func (b *builder) unsigned(v *value, bits int) *logic.Term {
	r := v.bounds()
	return b.wrap(v.t, r.lo, r.hi, ir.Type{Bits: bits})
}

// retype reads a value of some bits as the type of an access.
func (b *builder) retype(v *value, a cir.Access) *value {
	if v.typ == a.Type {
		return v
	}
	w := *v
	w.typ = a.Type
	switch {
	case a.Type == cir.Bool && v.typ != cir.Bool:
		w.t, w.rng = b.L.BoolToInt(b.L.Ne(v.t, b.L.Int(0))), nil
		return &w
	case a.Bits != nil: // extended by the sign of the type
		narrow := cir.Type{Kind: cir.IntKind, Bits: a.Bits.Width, Signed: a.Type.Signed}
		x := b.toInt(v, narrow)
		y := *x
		y.typ = a.Type
		r := x.bounds()
		y.rng = &r
		return &y
	}
	r := v.bounds()
	it := b.heldBy(a.Type)
	w.t = b.wrap(v.t, r.lo, r.hi, it)
	w.rng = nil
	if it.Contains(r.lo) && it.Contains(r.hi) {
		w.rng = &r
	}
	return &w
}

// store writes a scalar.
func (b *builder) store(p *value, v cir.Value, x *value, a cir.Access) {
	first, bits := b.accessBits(a)
	ts := b.resolveAll(p, v, first, bits, a.Align)
	if b.asksSet() && b.pending(p) {
		mark := b.hold(x, p)
		b.detach(p)
		x, p = b.held[mark], b.held[mark+1]
		b.release(mark)
		ts = b.resolveAll(p, v, first, bits, a.Align)
	}
	b.checkTargets(ts)
	if b.cur == nil {
		return
	}
	b.changes(p, v)
	if ts.outside {
		b.assume(assumeOutside)
	}
	if ts.vague {
		b.storeUntracked(ts, p, v, x, bits, a)
		return
	}
	if a.Bits != nil && ts.shared && b.cur.depth == 0 {
		b.assume(assumeBitFields)
	}
	if b.checkWrite(ts); b.cur == nil {
		return
	}
	b.notePlace(ts, bits)
	b.sees(ts.seen)
	x, p = b.storesSet(ts, v, bits, x, p)
	if x, p = b.beforeStore(ts, x, p, v, first, bits, a.Align); ts.vague {
		b.storeUntracked(ts, p, v, x, bits, a)
		return
	}
	b.race(ts, p, v, true, a)
	sync := b.synchronises(ts) && (a.Order != cir.Plain || b.orderingOf(a) != ordersNothing)
	split := sync || ts.shared && b.cur.depth == 0 && b.isSplit(ts, bits)
	if split {
		b.settle(true)
		b.cur.depth++
	}
	cmds, writes := b.storeCmds(ts, x, bits, a)
	b.settle(ts.shared, writes...)
	b.emit(b.text(), slices.Concat(assumes(x.side), assumes(ts.ok), cmds)...)
	if sync {
		b.ordersWritten(ts, bits, a)
	}
	if split {
		b.leaveAtomic()
	}
	if a.Order == cir.SeqCst && !b.updating {
		b.drains()
	}
}

// storeUntracked writes a scalar where memory is not tracked, or to too many places.
func (b *builder) storeUntracked(ts *targets, p *value, v cir.Value, x *value, bits int64, a cir.Access) {
	b.blurThese(ts.sums)
	mark := b.hold(x, p)
	b.race(ts, p, v, true, a)
	x, p = b.held[mark], b.held[mark+1]
	b.blurs(p, v)
	b.held[mark], b.held[mark+1] = b.storesSet(ts, v, bits, x, p)
	b.storeVague(ts)
	b.storesId(b.held[mark+1], v, b.held[mark], bits)
	b.release(mark)
}

// checkWrite makes it an error that an access writes to memory that is constant, if that is asked about: such a target is none.
func (b *builder) checkWrite(ts *targets) {
	bad := b.L.False()
	ts.list = slices.DeleteFunc(ts.list, func(t target) bool {
		if b.isConstant(t.obj) {
			bad = b.L.Or(bad, t.cond)
			return true
		}
		return false
	})
	if b.opts.Check.Memory {
		b.invalidIf(bad, ts.ok, "")
		ts.ok = append(ts.ok, b.L.Not(bad))
	}
	if bad.IsTrue() && b.opts.Check.Memory {
		b.stop()
	}
}

// isConstant reports whether an object is memory that is not written.
func (b *builder) isConstant(o *object) bool {
	return o.global != nil && (o.global.Literal || o.global.Const && b.opts.Check.Memory)
}

// beforeStore makes sure that the step of a store reads no other shared location; and where it writes several variables, which are assigned one
// after the other, that what is stored, and where, mentions none of them.
func (b *builder) beforeStore(ts *targets, x, p *value, v cir.Value, first, bits, align int64) (*value, *value) {
	mark := b.hold(x, p)
	if ts.shared && b.pending(x) {
		b.detach(x)
	}
	if p := b.held[mark+1]; ts.shared && b.pending(p) {
		b.detach(p)
	}
	if writes := b.cellVars(ts, bits); len(writes) > 1 {
		b.asBefore(writes, mark)
	}
	if b.held[mark+1] != p {
		*ts = *b.resolveAll(b.held[mark+1], v, first, bits, align)
		ts.list = slices.DeleteFunc(ts.list, func(t target) bool { return b.isConstant(t.obj) })
	}
	x, p = b.held[mark], b.held[mark+1]
	b.release(mark)
	return x, p
}

// cellVars returns the variables that an access touches, each once.
func (b *builder) cellVars(ts *targets, bits int64) (vars []*ir.Var) {
	if ts.elem != nil {
		return []*ir.Var{ts.elem.c.v}
	}
	seen := map[*ir.Var]bool{}
	for _, t := range ts.list {
		for _, c := range b.cellsAt(t.obj, t.bit, bits) {
			if !seen[c.v] {
				seen[c.v], vars = true, append(vars, c.v)
			}
		}
	}
	return vars
}

// asBefore copies those of some variables to temporaries that the values held from mark on mention, and replaces the values by what they are in terms of these:
// the variables are about to be assigned one by one.
func (b *builder) asBefore(writes []*ir.Var, mark int) {
	vs := slices.Clone(b.held[mark:])
	sub := map[*logic.Term]*logic.Term{}
	var cmds []ir.Cmd
	for _, w := range writes {
		if slices.ContainsFunc(vs, func(v *value) bool { return b.dependsOn(v, []*ir.Var{w}) }) {
			tmp := b.newTemp(w.Type)
			b.hold(&value{typ: cir.I64, t: tmp.Sym}) // the next one has to be another
			sub[w.Sym] = tmp.Sym
			cmds = append(cmds, ir.AssignCmd(tmp, w.Sym))
		}
	}
	b.release(mark + len(vs))
	if len(cmds) == 0 {
		return
	}
	b.emit("", cmds...)
	for i, v := range vs {
		if b.dependsOn(v, writes) {
			b.held[mark+i] = b.subst(v, sub)
		}
	}
}

// storeCmds returns the commands of a store, and the variables they write.
func (b *builder) storeCmds(ts *targets, x *value, bits int64, a cir.Access) (cmds []ir.Cmd, writes []*ir.Var) {
	if ts.elem != nil {
		return []ir.Cmd{b.storeElement(ts.elem, x)}, []*ir.Var{ts.elem.c.v}
	}
	for _, t := range ts.list {
		for _, c := range b.cellsAt(t.obj, t.bit, bits) {
			if b.cur.undef[c] && (len(ts.list) > 1 || c.bit < t.bit || c.bit+c.bits > t.bit+bits) {
				b.content(c) // what is not overwritten is any value
			}
			n := b.stored(c, t.bit, bits, x)
			if !t.cond.IsTrue() && len(ts.list) > 1 {
				old := c.v.Sym // as a variable, which tells that one location is written
				if c.v.Thread != ir.Shared && !slices.Contains(writes, c.v) {
					old = b.content(c).t
				}
				n = b.L.Ite(t.cond, n, old)
			}
			cmds = append(cmds, ir.AssignCmd(c.v, n))
			writes = append(writes, c.v)
		}
	}
	b.areOneStore(cmds)
	return cmds, writes
}

// areOneStore makes sure that no command of a store reads what an earlier one has changed, but to keep it.
func (b *builder) areOneStore(cmds []ir.Cmd) {
	if len(cmds) < 2 {
		return
	}
	changed := map[*logic.Term]bool{}
	for _, c := range cmds {
		for _, s := range logic.FreeVars(c.Expr) {
			if changed[s] && s != c.Var.Sym {
				b.bugf("a store reads %s, which it has changed", s)
			}
		}
		changed[c.Var.Sym] = true
	}
}

// stored returns what a cell holds after some bits were overwritten by a value.
func (b *builder) stored(c *cell, bit, bits int64, x *value) *logic.Term {
	if c.bit == bit && c.bits == bits {
		if irType(x.typ) == irType(c.typ) {
			return x.t
		}
		r := x.bounds()
		return b.wrap(x.t, r.lo, r.hi, b.heldBy(c.typ))
	}
	// The bits of x that go here, and those of the cell that stay.
	from, to := max(c.bit, bit), min(c.bit+c.bits, bit+bits)
	u := b.unsigned(x, int(bits))
	part := u
	if from > bit || to < bit+bits {
		part = b.bitsOf(u, int(from-bit), int(to-from))
	}
	old := b.L.Int(0)
	if from > c.bit || to < c.bit+c.bits {
		whole := b.unsigned(b.content(c), int(c.bits))
		old = b.L.Sub(whole, b.L.Mul(b.bitsOf(whole, int(from-c.bit), int(to-from)), b.L.Value(pow2(int(from-c.bit)))))
	}
	sum := b.L.Add(old, b.L.Mul(part, b.L.Value(pow2(int(from-c.bit)))))
	_, top := ir.Type{Bits: int(c.bits)}.Range()
	return b.wrap(sum, logic.Value{}, top, b.heldBy(c.typ))
}

// storeVague is a store to memory that is not tracked: only what is tracked and may be hit changes.
func (b *builder) storeVague(ts *targets) {
	var cmds []ir.Cmd
	var writes []*ir.Var
	for _, t := range ts.list {
		for _, c := range b.cellsAt(t.obj, t.bit, 8) {
			cmds = append(cmds, ir.HavocCmd(c.v, ""))
			writes = append(writes, c.v)
		}
	}
	if len(cmds) == 0 {
		return
	}
	b.onlyPartly(func() {
		for _, t := range ts.list {
			b.givesSet(t.obj, t.bit, 8, untracked)
		}
	})
	b.settle(true, writes...)
	for i := range cmds { // a step touches one location
		b.emit(b.text(), cmds[i]).approx = untracked
	}
}
