package robust

import (
	"encoding/binary"
	"maps"
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// bodyOf returns what is known of a function.
func (a *analysis) bodyOf(f *cir.Func) *body {
	b := a.bodies[f]
	if b == nil {
		b = newBody(f, a.prog.Model)
		a.bodies[f] = b
	}
	return b
}

// constant returns the number that a value always is.
func (b *body) constant(v cir.Value) (int64, bool) {
	return facts{}.value(b.origin(v))
}

// constantAt returns the number that a value is at an instruction, whatever was before.
func (b *body) constantAt(in cir.Instr, v cir.Value) (int64, bool) {
	if n, known := b.constant(v); known {
		return n, known
	}
	if b.edges == nil {
		b.edges = b.flow(nil, facts{}, func(_, _ *cir.Block) bool { return true })
	}
	var f facts
	for e, g := range b.edges { // order does not matter
		switch {
		case e[1] != b.home[in]:
		case f == nil:
			f = maps.Clone(g)
		default:
			f.meet(g)
		}
	}
	if b.home[in] == b.f.Blocks[0] || f == nil {
		f = facts{}
	}
	for _, x := range b.home[in].Instrs {
		if x == in {
			break
		}
		b.step(f, x)
	}
	return f.value(v)
}

// bits returns a number that is read or written as the bits in memory say, without a sign; false if it does not fit.
func bits(n, size int64) (int64, bool) {
	return cir.IntOf(cir.Type{Kind: cir.IntKind, Bits: int(size) * 8}, n).Int64()
}

// written returns the constant that an atomic instruction, or a plain store, writes, without a sign, if it is one.
func (a *analysis) written(c pointsto.Copy, in cir.Instr) (int64, bool) {
	var x cir.Value
	var of cir.Access
	switch in := in.(type) {
	case *cir.Store:
		x, of = in.X, in.Access
	case *cir.RMW:
		switch in.Op {
		case cir.Xchg:
			x, of = in.X, in.Access
		case cir.RMWTest:
			return 1, true
		default:
			return 0, false
		}
	case *cir.CmpXchg:
		x, of = in.New, in.Access
	default:
		return 0, false
	}
	n, known := a.bodyOf(c.Func).constant(x)
	if !known || of.Type.IsFloat() {
		return 0, false
	}
	return bits(n, a.prog.Model.SizeOf(of.Type))
}

// put is a value that may be written at a location, or any if it is not known.
type put struct {
	at    pointsto.Location
	size  int64
	value int64
	known bool
	// atomic tells that it is an atomic access that writes.
	atomic bool
	copy   pointsto.Copy
	in     cir.Instr
}

// puts returns what may be written by all copies, atomically or not.
func (a *analysis) puts() []put {
	if a.putList != nil {
		return a.putList
	}
	a.putList = []put{}
	for _, c := range a.pts.Copies() {
		for _, b := range c.Func.Blocks {
			if !a.pts.Comes(c.Func, b) {
				continue
			}
			for _, in := range b.Instrs {
				a.putBy(c, in)
			}
		}
	}
	return a.putList
}

// putBy notes what an instruction writes.
func (a *analysis) putBy(c pointsto.Copy, in cir.Instr) {
	p := put{size: -1, copy: c, in: in}
	if list, _, _ := atomicOf(in); list != nil {
		p.atomic = true
	}
	switch in := in.(type) {
	case *cir.Store:
		if in.Bits == nil {
			p.size = a.prog.Model.SizeOf(in.Type)
			p.value, p.known = a.written(c, in)
		}
	case *cir.RMW:
		p.size = a.prog.Model.SizeOf(in.Type)
		p.value, p.known = a.written(c, in)
	case *cir.CmpXchg:
		p.size = a.prog.Model.SizeOf(in.Type)
		p.value, p.known = a.written(c, in)
	}
	for _, v := range pointsto.Writes(in) {
		for _, l := range a.pts.Places(c.Func, c.Ctx, v) {
			p.at = l
			a.putList = append(a.putList, p)
		}
	}
}

// valuesAt returns the numbers that may be read at an address; known is false if they are not all known.
func (a *analysis) valuesAt(c pointsto.Copy, addr cir.Value, size int64) (list []int64, known bool) {
	places := a.pts.Places(c.Func, c.Ctx, addr)
	for _, l := range places {
		if l.Off == pointsto.Any || l.Off < 0 || l.Obj.Global == nil || l.Obj.Global.External || l.Obj.Global.ThreadLocal || a.pts.Outside(l.Obj) || !l.Exact() {
			return nil, false
		}
		n, ok := initial(l.Obj.Global, l.Off, size)
		if !ok {
			return nil, false
		}
		list = append(list, n)
		for _, p := range a.puts() {
			if p.at.Obj != l.Obj || p.at.Off != pointsto.Any && p.size > 0 && (p.at.Off+p.size <= l.Off || l.Off+size <= p.at.Off) {
				continue
			}
			if !p.known || p.at.Off != l.Off || p.size != size {
				return nil, false
			}
			list = append(list, p.value)
		}
	}
	slices.Sort(list)
	return slices.Compact(list), len(places) > 0
}

// initial returns the number that some bytes of a variable hold at the beginning.
func initial(g *cir.Global, off, size int64) (int64, bool) {
	if g.ZeroAt(off, size) {
		return 0, true
	}
	if len(g.Relocs) > 0 || off+size > int64(len(g.Data)) || size > 8 {
		return 0, false
	}
	var b [8]byte
	copy(b[:], g.Data[off:off+size])
	n := int64(binary.LittleEndian.Uint64(b[:]))
	return n, n >= 0 && n < 1<<(8*size-1)
}

// spinOf returns the innermost loop that waits around an instruction of a copy, if it is passed once in the last turn.
func (a *analysis) spinOf(c pointsto.Copy, in cir.Instr) *spin {
	var best *spin
	for _, s := range a.spins[c] {
		if s.inside[s.home[in]] && (best == nil || len(s.inside) < len(best.inside)) {
			best = s
		}
	}
	if best == nil || best.inner(in) {
		return nil
	}
	return best
}

// inner reports whether an instruction may be passed more than once in a turn.
func (s *spin) inner(in cir.Instr) bool {
	home, found := s.home[in], false
	seen := map[*cir.Block]bool{}
	work := []*cir.Block{home}
	for len(work) > 0 {
		k := work[len(work)-1]
		work = work[:len(work)-1]
		cir.Succs(k.Term, func(to *cir.Block, _ []cir.Value) {
			if to == s.head || !s.inside[to] || seen[to] {
				return
			}
			seen[to] = true
			found = found || to == home
			work = append(work, to)
		})
	}
	return found
}

// mayRead reports whether an access may read a number: if it is in a loop that waits, this is the last turn.
func (a *analysis) mayRead(x *access, n int64) bool {
	b := a.bodyOf(x.copy.Func)
	f := facts{}
	switch in := x.in.(type) {
	case *cir.Load:
		f.set(in.Dst, n, true)
	case *cir.RMW:
		f.set(in.Dst, n, true)
	case *cir.CmpXchg:
		f.set(in.Old, n, true)
		f.set(in.OK, 1, !x.failed)
		if x.failed {
			f.set(in.OK, 0, true)
		}
		if e, known := b.constantAt(in, in.Expected); known && !x.failed {
			if e, fits := bits(e, x.size); fits && e != n {
				return false
			}
		}
	}
	s := a.spinOf(x.copy, x.in)
	return s == nil || s.leaves(x.in, f)
}

// happens reports whether an access may be made in the last turn of a loop that waits.
func (a *analysis) happens(x *access) bool {
	in, ok := x.in.(*cir.CmpXchg)
	if !ok {
		return true
	}
	s := a.spinOf(x.copy, in)
	f := facts{}
	f.set(in.OK, 0, x.failed)
	if !x.failed {
		f.set(in.OK, 1, true)
	}
	return s == nil || s.leaves(in, f)
}
