package scancheck

import (
	"slices"

	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// A lock and what it guards may be in the same element of an array. An access that begins a number of bytes behind its lock, which only subscripts of arrays
// of known lengths leave open, stays in the lock's element if the least and the largest number do. The elements have no byte in common, and
// the lock is at the same place in each: so two accesses that have one hold the same lock.

// reach says that an access begins at base, or so many bytes behind that; open: at any place of the object that base leads to.
type reach struct {
	base   name
	lo, hi int64
	open   bool
}

// maxStep bounds what is multiplied; maxApart, how far a lock may be from what it guards.
const (
	maxStep  = 1 << 24
	maxApart = 1 << 40
)

// reaches returns what is known of where an access through a pointer begins, by what made the pointer in the same block: nothing of that has been computed anew
// in between.
func (ls *locations) reaches(a *activation, in cir.Located, s *state, ptr cir.Value) (list []reach) {
	p := ls.places[in]
	before := a.copy.Func.Blocks[p.Block].Instrs[:p.Instr]
	least, r := int64(0), reach{} // least: what the steps seen so far add to the pointer, or less
	for range 8 {
		v, ok := s.value(ptr)
		if !ok {
			break
		}
		r.base = v
		list = append(list, r)
		at, more := maker(before, ptr), int64(0)
		if kind, _, _ := cut(v.Base); at < 0 && kind == "reg" && v.Off < maxApart && v.Off > -maxApart {
			at, more = makerOf(before, func(d *cir.Reg) bool { return fresh(d) == name{Base: v.Base} }), v.Off
		}
		if at < 0 {
			break
		}
		o := before[at].(*cir.Offset)
		before, ptr = before[:at], o.P
		r.lo, r.hi, least = r.lo+more, r.hi+more, min(least, more)
		switch i, known := o.Index.(cir.Int); {
		case o.Index == nil:
		case o.Scale <= 0 || o.Scale >= maxStep:
			r.open = true
		case known && i.Hi == 0 && i.Lo < maxStep:
			r.lo, r.hi = r.lo+int64(i.Lo)*o.Scale, r.hi+int64(i.Lo)*o.Scale
		case !known && o.Elements() > 0 && o.Elements() < maxStep && least >= 0: // where something is taken off again, the subscript may be the length
			r.hi += (o.Elements() - 1) * o.Scale
		default:
			r.open = true
		}
		r.lo, r.hi, least = r.lo+o.Disp, r.hi+o.Disp, min(least, o.Disp)
	}
	return list
}

// maker returns which of some instructions is the address computation that gave a register its value, -1 if none is.
func maker(instrs []cir.Instr, v cir.Value) int {
	return makerOf(instrs, func(d *cir.Reg) bool { return cir.Value(d) == v })
}

func makerOf(instrs []cir.Instr, is func(*cir.Reg) bool) int {
	return slices.IndexFunc(instrs, func(in cir.Instr) bool {
		o, ok := in.(*cir.Offset)
		return ok && is(o.Dst)
	})
}

// isKey reports whether a key names a lock for an access.
func (ls *locations) isKey(k certificate.Key, m *lock, x *access, c setting) bool {
	if k.Kind == certificate.Absolute {
		return ls.locks.closed(k.Name) && m.is(k.Name)
	}
	if x.ptr < 0 || x.ptr >= len(c.ptrs) || k.Name.Base != "" {
		return false
	}
	if k.Kind == certificate.Element {
		return x.inElement(m, k.Name.Off, c.from[x.ptr])
	}
	off := int64(0)
	if k.Kind == certificate.Object { // or it begins at the same distance from all that may be accessed
		if x.inObject(m, k.Name.Off, c.from[x.ptr]) {
			return true
		}
		cp := ls.copies[x.copy]
		to := ls.pts.Places(cp.Func, cp.Ctx, x.touch.ptr)
		if len(to) == 0 || slices.ContainsFunc(to, func(l pointsto.Location) bool { return !l.Exact() || l.Off != to[0].Off }) {
			return false
		}
		off = to[0].Off
	} else if k.Kind != certificate.Address {
		return false
	}
	for _, v := range c.ptrs[x.ptr] {
		for _, n := range m.names {
			if n.Base == v.Base && n.Base != "" && off+n.Off-v.Off == k.Name.Off {
				return true
			}
		}
	}
	return false
}

// inElement reports whether an access stays in the element of an array that a lock is in, wherever that may be, and the lock is at an offset of what stands for all elements.
func (x *access) inElement(m *lock, off int64, rs []reach) bool {
	if x.life || x.span != from || x.size <= 0 {
		return false
	}
	return x.beside(m, rs, func(l pointsto.Location, r reach, d int64) bool {
		lo, hi, ok := l.Element()
		return ok && !r.open && l.Off == off && l.Off-d+r.lo >= lo && l.Off-d+r.hi+x.size <= hi
	})
}

// inObject reports whether an access goes to the object that a lock is in, wherever that may be, and the lock is at an offset of that.
func (x *access) inObject(m *lock, off int64, from []reach) bool {
	return x.beside(m, from, func(l pointsto.Location, _ reach, _ int64) bool { return l.Exact() && l.Off == off })
}

// beside reports whether a lock is a known distance d behind what an access begins at, and f holds for all places where it may be.
func (x *access) beside(m *lock, from []reach, f func(l pointsto.Location, r reach, d int64) bool) bool {
	if len(m.at) == 0 {
		return false
	}
	for _, r := range from {
		for _, n := range m.names {
			d := n.Off - r.base.Off
			if n.Base != r.base.Base || n.Base == "" || d <= -maxApart || d >= maxApart {
				continue
			}
			if !slices.ContainsFunc(m.at, func(l pointsto.Location) bool { return !f(l, r, d) }) {
				return true
			}
		}
	}
	return false
}
