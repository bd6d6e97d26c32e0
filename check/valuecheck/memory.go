package valuecheck

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// read returns what a cell may hold where the thread is.
func (r *run) read(c *cell) set {
	if c.own || r.mode == alone {
		return r.knownOf(c.id, &r.state, r.mode)
	}
	if r.follows(c) {
		return r.foundIn(c.id, &r.state)
	}
	return c.met.ofType(c.typ)
}

// follows reports whether nobody else changes a cell for now that others access, while there may be other threads. It is asked at each access, and so
// finds out whether all are made holding what is claimed to guard the cell.
func (r *run) follows(c *cell) bool {
	r.kept(c)
	return c.once && (len(c.guard) > 0 || r.atomic())
}

// kept verifies what is claimed of who keeps others from a cell at an access.
func (r *run) kept(c *cell) {
	held := func(g int) bool { return r.memory.locks[g].ok && slices.Contains(r.locks, g) }
	if slices.ContainsFunc(c.guard, func(g int) bool { return !held(g) }) {
		r.refuse("cell %d (%s) is accessed without a lock in %s", c.id, c.obj, r.act.fn.Name)
		c.guard, r.all = slices.DeleteFunc(slices.Clone(c.guard), func(g int) bool { return !held(g) }), true
	}
	if c.sections && !r.atomic() {
		r.refuse("cell %d (%s) is accessed outside of atomic sections in %s", c.id, c.obj, r.act.fn.Name)
		c.sections, r.all = false, true
	}
}

// write puts a value into a cell. sure tells that it is this cell, and no other one.
func (r *run) write(c *cell, v set, sure bool) {
	r.forget(c)
	r.mark(c)
	v = v.ofType(c.typ)
	if c.text {
		v = v.and(anyText(c))
	}
	if r.source != nil && !c.text {
		if v = r.tightened(&r.state, r.mode, *r.source, v, c.ever); !c.own && r.mode == among {
			v = r.tightened(&r.state, r.mode, *r.source, v, c.met)
		}
	}
	if lone(c) && r.mode == among {
		r.kept(c)
	}
	r.wrote(c, v, sure)
	if c.static && !v.within(c.ever) {
		r.refuse("cell %d (%s) may hold %s, not only %s", c.id, c.obj, v, c.ever)
		c.ever, r.all = anything, true
	}
	if c.own || r.mode == alone {
		old, ok := r.cells.get(c.id)
		switch {
		case sure && c.single:
			r.cells.put(c.id, v)
		case ok:
			r.cells.put(c.id, old.or(v))
		}
		return
	}
	switch {
	case !r.follows(c):
		r.contribute(c, v)
	case sure:
		r.held.put(c.id, v)
	default:
		r.held.put(c.id, r.foundIn(c.id, &r.state).or(v))
	}
}

// forget forgets that registers were loaded from a cell.
func (r *run) forget(c *cell) {
	for x, d := range r.from {
		if d == c {
			delete(r.from, x)
		}
	}
}

// mark verifies that the function is claimed to change a cell.
func (r *run) mark(c *cell) {
	if r.changes[r.act.copy].Insert(c.id) {
		r.refuse("%s changes cell %d (%s)", r.act.fn.Name, c.id, c.obj)
		r.all = true
	}
}

// spoil writes anything to the cells that an access of some bytes at a place may touch, and to locks.
func (r *run) spoil(l pointsto.Location, size int64) {
	r.spoilScalars(l, size)
	r.textSpoil(l, size)
}

// spoilScalars is spoil but for the lengths of strings.
func (r *run) spoilScalars(l pointsto.Location, size int64) {
	r.breaks(l, size, anything)
	for _, c := range r.touched(l, size) {
		r.write(c, anything, false)
	}
}

// spoilAll spoils the objects that an operand may point to.
func (r *run) spoilAll(v cir.Value) {
	for _, l := range r.aim(v) {
		r.spoil(l, -1)
	}
}

// breaks looks at what a write that is neither taking nor giving back does to locks: while there may be other threads, one that is made free so is none.
func (r *run) breaks(l pointsto.Location, size int64, v set) {
	for _, n := range r.locked[l.Obj] {
		k := r.memory.locks[n]
		if r.taking || l.Exact() && size >= 0 && (k.off+4 <= l.Off || l.Off+size <= k.off) {
			continue
		}
		if r.mode == alone {
			r.unhold(n)
			continue
		}
		if l.Exact() && l.Off == k.off && size == 4 && !v.any && !v.has(num{}) {
			continue
		}
		if k.ok {
			r.refuse("lock %d (%s) is written in %s", n, k.obj, r.act.fn.Name)
			k.ok, r.all = false, true
		}
		r.unhold(n)
	}
}

func (r *run) unhold(n int) {
	r.changesLocks()
	r.locks = slices.DeleteFunc(slices.Clone(r.locks), func(m int) bool { return m == n })
	r.loses()
}

// load returns what is read of some bytes.
func (r *run) load(addr cir.Value, acc *cir.Access) set {
	ls := r.aim(addr)
	if len(ls) == 0 || acc.Bits != nil {
		return full(acc.Type)
	}
	size := r.prog.Model.SizeOf(acc.Type)
	all := set{}
	for _, l := range ls {
		c := r.memory.at(l, size)
		if c == nil {
			return full(acc.Type)
		}
		all = all.or(sameBits(r.read(c), c.typ, acc.Type))
	}
	return all
}

// loaded notes which cell a register was loaded from.
func (r *run) loaded(in *cir.Load) {
	ls := r.aim(in.Addr)
	if len(ls) != 1 || in.Bits != nil || !countable(in.Type) {
		return
	}
	c := r.memory.at(ls[0], r.prog.Model.SizeOf(in.Type))
	if c == nil || c.typ.Bits != in.Type.Bits || c.typ.Signed != in.Type.Signed {
		return
	}
	if (c.own || r.mode == alone) && c.single || !c.own && r.mode == among && r.follows(c) {
		r.from[in.Dst] = c
	}
}

// store writes some bytes.
func (r *run) store(addr cir.Value, acc *cir.Access, v set) {
	ls := r.aim(addr)
	size := r.prog.Model.SizeOf(acc.Type)
	if acc.Bits != nil {
		size = max(size, int64(acc.Bits.Offset+acc.Bits.Width+7)/8)
	}
	for _, l := range ls {
		c := r.memory.at(l, size)
		if c == nil || acc.Bits != nil {
			r.source = nil
			r.spoilScalars(l, size)
			continue
		}
		r.breaks(l, size, v)
		if !sameNumbers(acc.Type, c.typ) {
			r.source = nil
		}
		r.write(c, sameBits(v, acc.Type, c.typ), len(ls) == 1)
	}
	r.source = nil
	r.textStore(addr, size, v)
}

// access runs an instruction that accesses memory.
func (r *run) access(in cir.Instr) {
	switch in := in.(type) {
	case *cir.Load:
		r.order(in.Order)
		r.set(in.Dst, r.load(in.Addr, &in.Access))
		r.loaded(in)
		r.found(in)
	case *cir.Store:
		r.order(in.Order)
		if f, ok := r.form(in.X); ok && r.typ(in.X) == in.Type {
			r.source = &f
		}
		r.store(in.Addr, &in.Access, r.value(in.X))
		r.source = nil
	case *cir.RMW:
		r.order(in.Order)
		old := r.load(in.Addr, &in.Access)
		r.store(in.Addr, &in.Access, r.modified(in, old))
		if in.Dst != nil {
			r.set(in.Dst, sameBits(old, in.Type, in.Dst.Type))
		}
	case *cir.CmpXchg:
		r.order(in.Order)
		r.order(in.Failure)
		old := r.load(in.Addr, &in.Access)
		ok := truth
		if countable(in.Type) && old.and(r.value(in.Expected)).empty() {
			ok = nought
		} else {
			r.store(in.Addr, &in.Access, r.value(in.New).or(old))
		}
		r.set(in.Old, old)
		r.set(in.OK, ok)
	case *cir.Copy:
		write := r.textCopy(in)
		r.copyBytes(in)
		write()
	case *cir.Fill:
		v := anything
		if r.value(in.Byte).within(nought) {
			v = nought
		}
		r.fill(in.Dst, r.value(in.Size), func(*cell, pointsto.Location, int64) set { return v })
		r.textFill(in)
	case *cir.LifeStart:
		r.lives(in.Local)
	case *cir.LifeEnd:
		r.lives(in.Local)
	}
}

// order notes what is taken for granted of memory orders.
func (r *run) order(o cir.Order) {
	if o != cir.Plain && o != cir.SeqCst {
		r.assumed[assumeOrder] = true
	}
}

// modified returns what a read-modify-write stores.
func (r *run) modified(in *cir.RMW, old set) set {
	ops := map[cir.RMWOp]cir.Op{cir.RMWAdd: cir.Add, cir.RMWSub: cir.Sub, cir.RMWAnd: cir.And, cir.RMWOr: cir.Or, cir.RMWXor: cir.Xor}
	op, ok := ops[in.Op]
	switch {
	case in.Op == cir.Xchg && in.X != nil:
		return r.value(in.X)
	case !ok || !in.Type.IsInt() || in.X == nil || r.typ(in.X) != in.Type:
		return full(in.Type)
	}
	return binary(op, in.Type, old, r.value(in.X), true)
}

// lives begins or ends the life of a local: it holds anything.
func (r *run) lives(l *cir.Local) {
	o := r.pts.Object(r.act.fn, r.copies[r.act.copy].Ctx, l)
	if o == nil {
		return
	}
	r.spoil(pointsto.Location{Obj: o, Off: pointsto.Any}, -1)
	for _, c := range append(slices.Clone(r.of[o]), r.texts[o]...) {
		r.cells.drop(c.id)
	}
}

// fill writes a number of bytes; of what gives what a cell holds then all of whose bytes are written.
func (r *run) fill(dst cir.Value, size set, of func(c *cell, l pointsto.Location, n int64) set) {
	n := int64(-1)
	most, known := size.only()
	if known && most.hi == 0 && most.lo < 1<<40 {
		n = int64(most.lo)
	}
	ls := r.aim(dst)
	type change struct {
		c    *cell
		v    set
		sure bool
	}
	var changes []change
	for _, l := range ls {
		r.breaks(l, n, anything)
		exact := n >= 0 && l.Exact()
		if !exact && n >= 0 && l.Off != pointsto.Any && r.inElement(l, n) {
			exact = true
		}
		for _, c := range r.of[l.Obj] {
			// Of several scalars the last one may be written in part.
			part := !(pointsto.Location{Obj: c.obj, Off: c.off}).Exact() && l.Exact() && l.Off+n < l.Obj.Size()
			switch {
			case exact && (c.off+c.size <= l.Off || l.Off+n <= c.off):
			case !exact || part || c.off < l.Off || l.Off+n < c.off+c.size || !c.own && r.mode == among && !r.atomic() && !r.guarded(c, r.locks):
				changes = append(changes, change{c, anything, false})
			default:
				changes = append(changes, change{c, of(c, l, n), len(ls) == 1 && l.Exact()})
			}
		}
	}
	for _, x := range changes {
		r.write(x.c, x.v, x.sure && (pointsto.Location{Obj: x.c.obj, Off: x.c.off}).Exact())
	}
}

// inElement reports whether some bytes are all within one element of an array.
func (r *run) inElement(l pointsto.Location, n int64) bool {
	if n > maxElement || l.Obj.Reduce(l.Off) != l.Off {
		return false
	}
	for k := range n {
		if l.Obj.Reduce(l.Off+k) != l.Off+k {
			return false
		}
	}
	return true
}

// maxElement bounds the bytes of elements that are looked at.
const maxElement = 4096

// copyBytes copies: what a cell holds then was in those at the same distance.
func (r *run) copyBytes(in *cir.Copy) {
	src := r.aim(in.Src)
	r.fill(in.Dst, r.value(in.Size), func(c *cell, l pointsto.Location, n int64) set {
		all := set{}
		for _, s := range src {
			alike := s.Off == l.Off && s.Exact() && l.Exact() && s.Obj.Shape() != nil && s.Obj.Shape() == l.Obj.Shape()
			one := (s.Exact() || s.Off != pointsto.Any && r.inElement(s, n)) && (pointsto.Location{Obj: c.obj, Off: c.off}).Exact()
			if s.Off == pointsto.Any || !alike && !one {
				return anything
			}
			from := pointsto.Location{Obj: s.Obj, Off: s.Off + c.off - l.Off}
			d := r.memory.at(from, c.size)
			if d == nil || d.off != from.Off {
				return anything
			}
			all = all.or(sameBits(r.read(d), d.typ, c.typ))
		}
		if all.empty() {
			return anything
		}
		return all
	})
}
