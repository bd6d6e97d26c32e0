package accesses

import (
	"slices"

	"comus/cir"
)

// address is one in the object: Off bytes behind its beginning, or behind the beginning of the element with the number that a local holds.
type address struct {
	ok, vague bool
	inside    bool // it is vague, but leads into the object for sure
	off       int64
	at        *cir.Local
	back      int64 // the number is so much less than what the local holds
	version   int   // of the local
	scale     int64
}

// address says where in the object an operand leads; not ok: it does not lead there.
func (x *filling) address(s knowing, v cir.Value) address {
	if x.obj == nil {
		return address{}
	}
	if v == x.base {
		return address{ok: true, off: x.shift}
	}
	r, ok := v.(*cir.Reg)
	if !ok {
		return address{}
	}
	if a, ok := x.regs[r.Index]; ok {
		return a
	}
	return x.static(r, 0)
}

// static is address for registers of other blocks, and what locals hold that are stored to once.
func (x *filling) static(v cir.Value, depth int) address {
	if x.obj == nil {
		return address{}
	}
	if v == x.base {
		return address{ok: true, off: x.shift}
	}
	r, ok := v.(*cir.Reg)
	if !ok {
		return address{}
	}
	if depth > 20 {
		return address{ok: true, vague: true}
	}
	switch in := x.f.defs[r.Index].(type) {
	case *cir.Offset:
		a := x.static(in.P, depth+1)
		if !a.ok {
			return a
		}
		if c, ok := in.Index.(cir.Int); in.Index != nil && !ok || a.vague {
			return address{ok: true, vague: true, inside: !a.vague || a.inside}
		} else if in.Index != nil {
			n, _ := c.Int64()
			a.off = clamp(a.off + times(n, in.Scale))
		}
		a.off = clamp(a.off + in.Disp)
		return a
	case *cir.Convert:
		if in.Dst.Type.IsPointer() {
			return x.static(in.X, depth+1)
		}
	case *cir.Call:
		if f := library(in); f != nil && slices.Contains([]string{"memset", "memcpy", "memmove"}, f.Source) && len(in.Args) > 0 {
			return x.static(in.Args[0].X, depth+1)
		}
	case *cir.Load:
		found, plain := x.f.finds[in]
		if !plain {
			return address{}
		}
		a := address{}
		for _, st := range found.stores {
			if y := x.static(st.X, depth+1); y.ok {
				if a = y; !x.once() && !x.follows(st) { // an object that was there before, maybe
					a.vague, a.inside = true, false
				}
			}
		}
		if a.ok && (len(found.stores) > 1 || found.unset) {
			a.vague, a.inside = true, false
		}
		return a
	}
	return address{}
}

// once reports whether there is one object only while the function runs.
func (x *filling) once() bool {
	switch b := x.base.(type) {
	case *cir.Local:
		return !x.f.again(b)
	case *cir.Reg:
		return x.f.defs[b.Index] == nil // a parameter
	case *cir.Global:
		return true
	}
	return false
}

// follows reports whether a store puts the object's address where it is each time that there is another object.
func (x *filling) follows(st *cir.Store) bool {
	r, ok := x.base.(*cir.Reg)
	if !ok || st.X != x.base {
		return false
	}
	in := x.f.defs[r.Index]
	b := x.f.blockOf[st]
	return in != nil && x.f.blockOf[in] == b && slices.Index(b.Instrs, in) < slices.Index(b.Instrs, cir.Instr(st))
}

// offset is an address computed of another one.
func (x *filling) offset(s knowing, in *cir.Offset) address {
	a := x.address(s, in.P)
	if !a.ok || a.vague {
		return a
	}
	a.off = clamp(a.off + in.Disp)
	switch c := in.Index.(type) {
	case nil:
		return a
	case cir.Int:
		n, _ := c.Int64()
		a.off = clamp(a.off + times(n, in.Scale))
		return a
	}
	l, back, ok := x.numberBefore(in.Index)
	if !ok || a.at != nil || !x.beginsArray(a.off-in.Disp, in.Scale) || in.Scale <= 0 || in.Disp < 0 || in.Disp >= in.Scale {
		return address{ok: true, vague: true, inside: true}
	}
	a.at, a.back, a.version, a.scale = l, back, x.version[l], in.Scale
	return a
}

// number returns the plain local that a number was just loaded from, and that still holds it.
func (x *filling) number(v cir.Value) (*cir.Local, bool) {
	for range 4 {
		r, ok := v.(*cir.Reg)
		if !ok {
			return nil, false
		}
		if a, ok := x.regs[r.Index]; ok && a.at != nil && a.scale == 0 && x.version[a.at] == a.version {
			return a.at, true
		}
		c, ok := x.f.defs[r.Index].(*cir.Convert)
		if !ok || !x.p.keepsAll(c) {
			return nil, false
		}
		v = c.X
	}
	return nil, false
}

// beginsArray reports whether an offset is the beginning of the object, or of an array that is a member, of elements of a size.
func (x *filling) beginsArray(off, elem int64) bool {
	in, ok := x.arrayAt(off)
	return off == 0 || ok && in.start == off && in.elem == elem
}

// keepsAll reports whether a conversion of numbers keeps any number.
func (p *program) keepsAll(c *cir.Convert) bool {
	from, to := p.prog.Model.TypeOf(c.X), c.Dst.Type
	return from.IsInt() && to.IsInt() && from.Bits <= to.Bits && (!from.Signed || to.Signed) && (from.Signed || !to.Signed || from.Bits < to.Bits)
}

// numberBefore returns the plain local that holds a number, or one that is larger by a constant.
func (x *filling) numberBefore(v cir.Value) (l *cir.Local, back int64, ok bool) {
	if l, ok = x.number(v); ok {
		return l, 0, true
	}
	for range 4 {
		r, isReg := v.(*cir.Reg)
		if !isReg {
			return nil, 0, false
		}
		switch in := x.f.defs[r.Index].(type) {
		case *cir.Convert:
			if x.p.keepsAll(in) {
				v = in.X
				continue
			}
		case *cir.Binary:
			n, c := in.Y.(cir.Int)
			k, fits := n.Int64()
			if in.Op == cir.Add {
				k = -k
			}
			if c && fits && (in.Op == cir.Sub || in.Op == cir.Add) && 0 < k && k < unlimited && in.Dst.Type.Signed && !x.p.wraps { // which does not overflow
				l, ok = x.number(in.X)
				return l, k, ok
			}
		}
		return nil, 0, false
	}
	return nil, 0, false
}

// current says whether an address still is what it says.
func (x *filling) current(a address) bool {
	return a.ok && !a.vague && (a.at == nil || x.version[a.at] == a.version)
}
