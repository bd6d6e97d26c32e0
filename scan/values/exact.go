package values

import (
	"comus/cir"
	"comus/scan/pointsto"
)

// Elements of an array are one location for package pointsto. Where a string begins has to be known better: a pointer is exact if its address is just that of the
// locations it is said to have, element 0 of all arrays around it. The address of a variable is, members of what an exact pointer points to are, and what
// is given to functions and kept in local variables as long as all that is given and kept there is. It is the greatest set of
// registers of which that holds, by copies of functions.
type exactness struct {
	*analysis
	vague map[exactKey]bool // parameters and locals that are not exact
	homes map[*cir.Func]map[*cir.Local]bool
}

// exactKey is a parameter or a local of a copy.
type exactKey struct {
	c     *code
	param int // -1: the local
	local *cir.Local
}

func (a *analysis) findExact() *exactness {
	e := &exactness{analysis: a, vague: map[exactKey]bool{}, homes: map[*cir.Func]map[*cir.Local]bool{}}
	open := func(c *code) {
		for i := range c.f.Params {
			e.vague[exactKey{c, i, nil}] = true
		}
	}
	for _, r := range a.pts.Roots {
		open(a.reach(r.Func, r.Ctx))
	}
	begin := append(append([]*cir.Func{a.prog.Entry}, a.prog.Constructors...), a.prog.Destructors...)
	if f := a.exit(); f != nil {
		begin = append(begin, f)
	}
	for _, f := range begin {
		open(a.reach(f, pointsto.Context{}))
	}
	for _, c := range a.order {
		if a.outside[c.f] {
			open(c)
		}
		for _, b := range c.f.Blocks {
			for _, in := range b.Instrs {
				if i, ok := in.(*cir.Intrinsic); ok && i.Op == cir.ThreadCreate {
					for _, l := range a.aims(c, i.Args[0]) {
						if l.Obj.IsFunc() && len(l.Obj.Func.Blocks) > 0 {
							open(a.reach(l.Obj.Func, c.ctx))
						}
					}
				}
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, c := range a.order {
			for _, b := range c.f.Blocks {
				for _, in := range b.Instrs {
					changed = e.passes(c, in) || changed
				}
			}
		}
	}
	return e
}

// passes notes what an instruction gives to parameters and locals. It reports whether one is found not to be exact.
func (e *exactness) passes(c *code, in cir.Instr) (found bool) {
	vague := func(k exactKey) {
		if !e.vague[k] {
			e.vague[k], found = true, true
		}
	}
	switch in := in.(type) {
	case *cir.Store:
		if l, ok := in.Addr.(*cir.Local); ok && in.Type.IsPointer() && e.home(c.f, l) && !e.exact(c, in.X) {
			vague(exactKey{c, -1, l})
		}
	case *cir.Call:
		for _, d := range c.calls[in] {
			for i, p := range d.f.Params {
				if p.Reg.Type.IsPointer() && (i >= len(in.Args) || in.Args[i].ByVal != nil || !e.exact(c, in.Args[i].X)) {
					vague(exactKey{d, i, nil})
				}
			}
		}
	}
	return found
}

// exact reports whether a pointer is exact, as far as is known.
func (e *exactness) exact(c *code, v cir.Value) bool {
	switch v := v.(type) {
	case *cir.Global, *cir.Local:
		return true
	case cir.Null:
		return true
	case *cir.Reg:
		return v.Type.IsPointer() && e.exactReg(c, v)
	}
	return false
}

func (e *exactness) exactReg(c *code, x *cir.Reg) bool {
	switch in := c.defs[x.Index].(type) {
	case nil:
		for i, p := range c.f.Params {
			if p.Reg == x {
				return p.ByVal == nil && !e.vague[exactKey{c, i, nil}]
			}
		}
	case *cir.Offset:
		by := in.Disp
		if in.Index != nil {
			n, ok := in.Index.(cir.Int)
			if !ok || n.Type.Bits > 64 {
				return false
			}
			i, _, fits := single(constant(n)).Bounds()
			if !fits || i != int64(int32(i)) || in.Scale != int64(int32(in.Scale)) {
				return false
			}
			by += i * in.Scale
		}
		if !e.exact(c, in.P) {
			return false
		}
		for _, l := range e.aims(c, in.P) {
			if l.Off == pointsto.Any || l.Obj.Reduce(l.Off+by) != l.Off+by {
				return false
			}
		}
		return true
	case *cir.Load:
		l, ok := in.Addr.(*cir.Local)
		return ok && in.Type.IsPointer() && e.home(c.f, l) && !e.vague[exactKey{c, -1, l}]
	}
	return false
}

// home reports whether a local is a pointer that is loaded and stored as a whole, and by its name only.
func (e *exactness) home(f *cir.Func, l *cir.Local) bool {
	homes, ok := e.homes[f]
	if !ok {
		homes = map[*cir.Local]bool{}
		for _, l := range f.Locals {
			homes[l] = l.Size == int64(e.prog.Model.PointerBits/8)
		}
		use := func(v cir.Value) {
			if l, ok := v.(*cir.Local); ok {
				homes[l] = false
			}
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *cir.LifeStart, *cir.LifeEnd:
				case *cir.Load:
					if _, ok := in.Addr.(*cir.Local); !ok || !in.Type.IsPointer() {
						use(in.Addr)
					}
				case *cir.Store:
					if _, ok := in.Addr.(*cir.Local); !ok || !in.Type.IsPointer() {
						use(in.Addr)
					}
					use(in.X)
				default:
					cir.Operands(in, use)
				}
			}
			cir.TermOperands(b.Term, use)
		}
		e.homes[f] = homes
	}
	return homes[l]
}
