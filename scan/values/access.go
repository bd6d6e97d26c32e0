package values

import (
	"maps"

	"comus/cir"
	"comus/scan/pointsto"
)

// access runs an instruction that accesses memory.
func (r *run) access(in cir.Instr) {
	switch in := in.(type) {
	case *cir.Load:
		r.assign(in.Dst, r.load(in.Addr, in.Access), r.loaded(in))
		r.remember(in)
	case *cir.Store:
		if len(r.packs) > 0 {
			r.source = r.form(in.X)
		}
		r.store(in.Addr, in.Access, r.value(in.X))
		r.source = nil
		r.stored(in)
	case *cir.RMW:
		r.rmw(in)
	case *cir.CmpXchg:
		r.cmpXchg(in)
	case *cir.Copy:
		r.copy(in)
	case *cir.Fill:
		r.fill(in)
	case *cir.LifeStart:
		r.ends(in.Local)
	case *cir.LifeEnd:
		r.ends(in.Local)
	case *cir.VaArg:
		if in.To != nil {
			r.storeAny(in.To)
		}
		r.set(in.Dst, top)
	}
}

// target returns the cell that an access of some bytes at a location is one of, nil if there is none.
func (r *run) target(l pointsto.Location, size int64) *cell { return r.mem.cellAt(l, size) }

// load returns what may be read.
func (r *run) load(addr cir.Value, acc cir.Access) Value {
	ls := r.aim(addr)
	if len(ls) == 0 || acc.Bits != nil {
		return all(acc.Type)
	}
	size := r.prog.Model.SizeOf(acc.Type)
	var v Value
	for _, l := range ls {
		c := r.target(l, size)
		if c == nil {
			return all(acc.Type)
		}
		v = v.join(recast(r.read(c), c.typ, acc.Type))
	}
	return v
}

// recast returns values of a cell as ones of another type of the same size.
func recast(v Value, from, to cir.Type) Value {
	switch {
	case from == to:
		return v.of(to)
	case v.kind == empty:
		return v
	case !isNumber(from) || !isNumber(to):
		return all(to)
	case from.Bits%8 != 0 || to.Bits%8 != 0: // a bool's bytes, say
		if v = v.of(from); v.within(all(to)) {
			return v
		}
		return all(to)
	}
	return v.of(from).fit(to, true)
}

// read returns what a cell may hold.
func (r *run) read(c *cell) Value {
	switch {
	case c.own || !r.many:
		if v, ok := r.s.get(c.key); ok {
			return v
		}
		if !c.static {
			return all(c.typ)
		}
		return r.env.Get(place{kind: written, n: int32(c.key)}).v.of(c.typ)
	case r.follows(c):
		if v, ok := r.h.get(c.key); ok && !v.met {
			return v
		} else if ok {
			v.met = false
			return v.join(r.env.Get(place{kind: met, n: int32(c.key)}).v).of(c.typ)
		}
	}
	return r.env.Get(place{kind: met, n: int32(c.key)}).v.of(c.typ)
}

// remember notes which cell was loaded from, if it is one scalar: what turns out of the value holds of the cell.
func (r *run) remember(in *cir.Load) {
	if ls := r.aim(in.Addr); len(ls) == 1 && in.Bits == nil {
		if c := r.target(ls[0], r.prog.Model.SizeOf(in.Type)); c != nil && !c.many && (c.own || !r.many || r.follows(c)) && (c.typ == in.Type || sameNumbers(c.typ, in.Type)) {
			r.from[in.Dst] = c
		}
	}
}

// sameNumbers reports whether a pattern of bits is the same number in two types.
func sameNumbers(a, b cir.Type) bool {
	return isNumber(a) && isNumber(b) && a.Bits == b.Bits && a.Signed == b.Signed
}

// store writes a value of an access' type.
func (r *run) store(addr cir.Value, acc cir.Access, v Value) {
	if v.None() {
		r.dead = true
		return
	}
	ls := r.aim(addr)
	size := r.prog.Model.SizeOf(acc.Type)
	for _, l := range ls {
		c := r.target(l, size)
		if c == nil || acc.Bits != nil {
			r.spoil(l.Obj, l.Off, max(size, bytesOf(acc)))
			continue
		}
		if !sameNumbers(acc.Type, c.typ) {
			r.source = nil
		}
		r.write(c, recast(v, acc.Type, c.typ), len(ls) == 1)
		r.strung(l, addr, size, v, len(ls) == 1)
	}
}

// bytesOf returns the number of bytes that a bit-field is in.
func bytesOf(acc cir.Access) int64 {
	if acc.Bits == nil {
		return 0
	}
	return int64(acc.Bits.Offset+acc.Bits.Width+7) / 8
}

// write puts a value into a cell. sure tells that this is the cell that is written, and no other.
func (r *run) write(c *cell, v Value, sure bool) {
	maps.DeleteFunc(r.from, func(_ *cir.Reg, d *cell) bool { return d == c })
	v = v.of(c.typ)
	if c.str != nil {
		v = v.meet(span(number{}, numberOf(c.str.size), 1))
	}
	if r.relate(c, v, sure); r.dead {
		return
	}
	if c.static {
		r.env.Add(place{kind: written, n: int32(c.key)}, fact{live: true, v: v})
	}
	if !c.own && r.many {
		r.writeShared(c, v, sure)
		return
	}
	old, ok := r.s.get(c.key)
	switch {
	case sure && !c.many:
		r.s = r.s.set(c.key, v)
	case ok:
		r.s = r.s.set(c.key, old.join(v))
	}
}

// spoil writes anything to the cells of an object that have bytes in common with some, which may be anywhere.
func (r *run) spoil(o *pointsto.Object, off, size int64) {
	anywhere := off == pointsto.Any || size < 0 || !r.mem.inElement(o, part{off: off, size: size})
	for _, c := range r.mem.list(o) {
		if anywhere || off < c.off+c.size && c.off < off+size {
			r.write(c, top, false)
		}
	}
}

// storeAny writes anything to all that an operand points to and what is behind it.
func (r *run) storeAny(v cir.Value) {
	for _, l := range r.aim(v) {
		r.spoil(l.Obj, pointsto.Any, -1)
	}
}

// ends begins or ends the life of a local: what it holds is indeterminate.
func (r *run) ends(l *cir.Local) {
	o := r.pts.Object(r.in.f, r.in.ctx, l)
	if o == nil {
		return
	}
	for _, c := range r.mem.list(o) {
		r.indeterminate(c)
	}
}

func (r *run) indeterminate(c *cell) {
	if c.many {
		r.write(c, top, false)
		return
	}
	r.write(c, top, true)
	r.s = r.s.without(c.key)
}

// rmw reads, modifies and writes in one step.
func (r *run) rmw(in *cir.RMW) {
	t := in.Type
	old := r.load(in.Addr, in.Access)
	x := one
	if in.X != nil {
		x = r.value(in.X)
	}
	next := top
	if t.IsInt() && isNumber(t) {
		switch in.Op {
		case cir.RMWAdd:
			next = binary(cir.Add, t, old, x, true)
		case cir.RMWSub:
			next = binary(cir.Sub, t, old, x, true)
		case cir.RMWAnd:
			next = binary(cir.And, t, old, x, true)
		case cir.RMWOr:
			next = binary(cir.Or, t, old, x, true)
		case cir.RMWXor:
			next = binary(cir.Xor, t, old, x, true)
		}
	}
	if in.Op == cir.Xchg {
		next = x
	}
	r.store(in.Addr, in.Access, next.of(t))
	if in.Dst != nil {
		r.set(in.Dst, recast(old, t, in.Dst.Type))
	}
}

// cmpXchg stores only if it finds what it expects.
func (r *run) cmpXchg(in *cir.CmpXchg) {
	old := r.load(in.Addr, in.Access)
	ok := boolean
	if isNumber(in.Type) {
		if compare(cir.Eq, old, r.value(in.Expected)).equal(zero) {
			ok = zero
		}
	}
	if !ok.equal(zero) {
		r.store(in.Addr, in.Access, r.value(in.New).join(old))
	}
	r.set(in.Old, old)
	r.set(in.OK, ok)
}

// sizeOf returns the greatest number of bytes that a size may be, -1 if that is not known, and whether it is known exactly.
func sizeOf(v Value) (n int64, exact bool) {
	lo, hi, ok := v.Bounds()
	if !ok || lo < 0 {
		return -1, false
	}
	return hi, lo == hi
}

// fill sets bytes.
func (r *run) fill(in *cir.Fill) {
	v := top
	if r.value(in.Byte).equal(zero) {
		v = zero
	}
	n, exact := sizeOf(r.value(in.Size))
	ls := r.aim(in.Dst)
	for _, l := range ls {
		r.cover(l, n, func(c *cell, whole bool) {
			if c.str != nil {
				r.fillString(c, l, in, v, len(ls) == 1)
				return
			}
			w := v
			if !whole { // some of its bytes
				w = top
			}
			r.write(c, w.of(c.typ), whole && exact && len(ls) == 1)
		})
	}
}

// cover calls f with the cells that n bytes at a location have bytes of, n -1 for any number. whole tells that all bytes are.
func (r *run) cover(l pointsto.Location, n int64, f func(c *cell, whole bool)) {
	anywhere := l.Off == pointsto.Any || n < 0 || !r.mem.inElement(l.Obj, part{off: l.Off, size: n})
	for _, c := range r.mem.list(l.Obj) {
		switch {
		case anywhere:
			// Where more than an element is covered, each scalar is as a whole if the bytes begin and end where objects do; it
			// need not be known.
			f(c, n >= 0 && n == l.Obj.Size() && l.Off == 0)
		case l.Off < c.off+c.size && c.off < l.Off+n:
			f(c, l.Off <= c.off && c.off+c.size <= l.Off+n)
		}
	}
}

// copy copies bytes: those of a cell come from a cell at the same distance, if there is one.
func (r *run) copy(in *cir.Copy) {
	n, exact := sizeOf(r.value(in.Size))
	dst, src := r.aim(in.Dst), r.aim(in.Src)
	type change struct {
		c    *cell
		v    Value
		sure bool
	}
	var changes []change
	for _, d := range dst {
		r.cover(d, n, func(c *cell, whole bool) {
			v := top
			switch {
			case c.str != nil:
				v = r.copiedString(c, d, in, n, exact)
			case whole && exact:
				v = r.copied(c, d, src, n)
			}
			changes = append(changes, change{c, v, (whole && exact || c.str != nil && r.followed(c)) && len(dst) == 1})
		})
	}
	for _, x := range changes {
		r.write(x.c, x.v, x.sure)
	}
}

// copied returns what comes to be in a cell when n bytes are copied to a location of its object.
func (r *run) copied(c *cell, d pointsto.Location, src []pointsto.Location, n int64) Value {
	var v Value
	for _, s := range src {
		like := d.Obj.Shape() != nil && d.Obj.Shape() == s.Obj.Shape() && s.Off == d.Off
		if s.Off == pointsto.Any || d.Off == pointsto.Any || c.many && !like || !r.mem.inElement(s.Obj, part{off: s.Off, size: n}) && !like {
			return top
		}
		from := r.target(pointsto.Location{Obj: s.Obj, Off: s.Off + c.off - d.Off}, c.size)
		if from == nil {
			return top
		}
		v = v.join(recast(r.read(from), from.typ, c.typ))
	}
	if v.None() {
		return top
	}
	return v
}
