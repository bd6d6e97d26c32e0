package valuenum

import (
	"comus/cir"
	"comus/scan/pointsto"
)

// locals tells which locals of a function can be followed.
type locals struct {
	fn *cir.Func
	of map[*cir.Reg]*cir.Local // registers that hold a local's address, a constant further on
	// exposed are those whose addresses go elsewhere: what may write them is asked for. lost are those that are not followed at all.
	exposed map[*cir.Local]*pointsto.Object
	lost    map[*cir.Local]bool
}

// findLocals looks at all uses of locals' addresses.
func findLocals(pts *pointsto.Result, c pointsto.Copy) *locals {
	ls := &locals{fn: c.Func, of: map[*cir.Reg]*cir.Local{}, exposed: map[*cir.Local]*pointsto.Object{}, lost: map[*cir.Local]bool{}}
	for changed := true; changed; {
		changed = false
		for _, b := range c.Func.Blocks {
			for _, in := range b.Instrs {
				if from, to := derives(in); to != nil && ls.of[to] == nil && ls.root(from) != nil {
					ls.of[to], changed = ls.root(from), true
				}
			}
		}
	}
	for _, b := range c.Func.Blocks {
		for _, in := range b.Instrs {
			ls.uses(in)
		}
		cir.TermOperands(b.Term, ls.expose)
	}
	for l := range ls.exposed {
		o := pts.Object(c.Func, c.Ctx, l)
		ls.exposed[l] = o
		if o == nil || o.Escaped {
			ls.lost[l] = true
		}
	}
	return ls
}

// derives returns from what an instruction makes an address a constant further on; nil if it is no such instruction.
func derives(in cir.Instr) (from cir.Value, to *cir.Reg) {
	switch in := in.(type) {
	case *cir.Offset:
		if _, ok := in.Index.(cir.Int); in.Index == nil || ok {
			return in.P, in.Dst
		}
	case *cir.Convert:
		if in.Dst.Type.IsPointer() {
			return in.X, in.Dst
		}
	}
	return nil, nil
}

// root returns the local whose address, or one a constant further on, a value is.
func (ls *locals) root(v cir.Value) *cir.Local {
	switch v := v.(type) {
	case *cir.Local:
		return v
	case *cir.Reg:
		return ls.of[v]
	}
	return nil
}

// expose notes that an operand goes elsewhere.
func (ls *locals) expose(v cir.Value) {
	if l := ls.root(v); l != nil {
		ls.exposed[l] = nil
	}
}

// uses notes what an instruction does with addresses of locals.
func (ls *locals) uses(in cir.Instr) {
	switch in := in.(type) {
	case *cir.Load:
		ls.volatile(in.Addr, in.Access)
		return
	case *cir.Store:
		ls.volatile(in.Addr, in.Access)
		ls.expose(in.X)
		return
	case *cir.Fill:
		ls.expose(in.Byte)
		return
	case *cir.Copy:
		return
	case *cir.Offset, *cir.Convert:
		if _, to := derives(in); to != nil {
			return
		}
	}
	cir.Operands(in, ls.expose)
}

// volatile notes that a local is accessed in a way that is not followed.
func (ls *locals) volatile(addr cir.Value, a cir.Access) {
	if l := ls.root(addr); l != nil && a.Volatile {
		ls.lost[l] = true
	}
}
