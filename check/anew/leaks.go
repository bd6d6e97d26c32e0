package anew

import "comus/cir"

// leaks reports whether the address of an object, which a register has, may be known when the function returns to somebody who was not given it: what else holds it is found, and what is done
// with that. It may be used to access the object, compared, kept in locals of which only the value is used, and be given to who forgets it; and be returned, if it is
// asked so.
func (x *Funcs) leaks(b *body, r *cir.Reg, returned bool) bool {
	c := &carriers{x: x, b: b, regs: map[*cir.Reg]bool{r: true}, locals: map[*cir.Local]bool{}, returned: returned, changed: true}
	for c.changed && !c.out {
		c.changed = false
		for _, at := range b.f.Blocks {
			for _, in := range at.Instrs {
				c.step(in)
			}
			c.end(at.Term)
		}
	}
	return c.out
}

// carriers are what may hold the address of an object.
type carriers struct {
	x        *Funcs
	b        *body
	regs     map[*cir.Reg]bool
	locals   map[*cir.Local]bool
	returned bool // it may be
	changed  bool
	out      bool
}

func (c *carriers) has(v cir.Value) bool {
	r, ok := v.(*cir.Reg)
	return ok && c.regs[r]
}

func (c *carriers) add(r *cir.Reg) {
	if !r.Type.IsPointer() {
		c.out = true
	}
	if !c.regs[r] {
		c.regs[r], c.changed = true, true
	}
}

// leak notes that an operand goes where it is not followed.
func (c *carriers) leak(v cir.Value) { c.out = c.out || c.has(v) }

func (c *carriers) step(in cir.Instr) {
	switch in := in.(type) {
	case *cir.Load:
		if l, ok := in.Addr.(*cir.Local); ok && c.locals[l] {
			c.add(in.Dst)
		}
	case *cir.Compare, *cir.Fill, *cir.Copy, *cir.LifeStart, *cir.LifeEnd:
	case *cir.Store:
		if !c.has(in.X) {
			return
		}
		l, ok := in.Addr.(*cir.Local)
		if _, whole := c.b.locals[l]; !ok || !whole {
			c.out = true
		} else if !c.locals[l] {
			c.locals[l], c.changed = true, true
		}
	case *cir.RMW:
		c.leak(in.X)
	case *cir.CmpXchg:
		c.leak(in.Expected)
		c.leak(in.New)
	case *cir.Offset:
		if c.leak(in.Index); c.has(in.P) {
			c.add(in.Dst)
		}
	case *cir.Convert:
		if c.has(in.X) && in.Dst.Type != cir.Bool {
			c.add(in.Dst)
		}
	case *cir.Select:
		if c.has(in.X) || c.has(in.Y) {
			c.add(in.Dst)
		}
	case *cir.Call:
		c.call(in)
	default:
		cir.Operands(in, c.leak)
	}
}

func (c *carriers) call(in *cir.Call) {
	c.leak(in.Callee)
	c.leak(in.To)
	for i, a := range in.Args {
		if !c.has(a.X) {
			continue
		}
		if !c.x.forgets(in, i) {
			c.out = true
		} else if f := in.Callee.(*cir.Func); f.Library && in.Dst != nil && in.Dst.Type.IsPointer() { // it may return it
			c.add(in.Dst)
		}
	}
}

func (c *carriers) end(t cir.Term) {
	if ret, ok := t.(*cir.Return); ok {
		if !c.returned {
			c.leak(ret.X)
		}
		return
	}
	passed := map[cir.Value]bool{}
	cir.Succs(t, func(to *cir.Block, args []cir.Value) {
		for i, v := range args {
			if c.has(v) {
				passed[v] = true
				c.add(to.Params[i])
			}
		}
	})
	cir.TermOperands(t, func(v cir.Value) { c.out = c.out || c.has(v) && !passed[v] })
}
