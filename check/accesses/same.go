package accesses

import (
	"maps"

	"comus/cir"
)

// Two plain loads of one address give the same value if the thread neither writes memory nor synchronises between them: if another thread wrote there in between, that would be a data
// race, which is assumed not to happen, as nothing could order the write behind the first load and before the second one. So a pointer that was found not to be null is not null when it is loaded
// again. An address is what a plain local holds, or the address of a variable, plus a constant.

// spot is an address: what a plain local holds, or that of a variable, plus a constant.
type spot struct {
	held *cir.Local // a plain one
	of   cir.Value  // a variable
	off  int64
}

// again is what is known of a function.
type again struct {
	p       *program
	f       *function
	regs    map[int]spot // registers of the block that hold addresses
	loaded  map[int]spot // that were loaded, and still are what is there
	notNull map[*cir.Load]bool
}

// findSame finds the loads of a function that give no null pointer because an earlier one did not.
func (p *program) findSame(f *function) map[*cir.Load]bool {
	x := &again{p: p, f: f, notNull: map[*cir.Load]bool{}}
	blocks := f.fn.Blocks
	at := atEntries(blocks, map[spot]bool{}, x.block)
	clear(x.notNull)
	for i, b := range blocks {
		if at[i] != nil {
			x.block(b, at[i], func(*cir.Block, map[spot]bool) {})
		}
	}
	return x.notNull
}

// block follows a block.
func (x *again) block(b *cir.Block, s map[spot]bool, next func(*cir.Block, map[spot]bool)) {
	x.regs, x.loaded = map[int]spot{}, map[int]spot{}
	for _, in := range b.Instrs {
		x.step(s, in)
	}
	t, ok := b.Term.(*cir.Branch)
	if !ok || t.Then == t.Else {
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) { next(to, s) })
		return
	}
	yes, no := maps.Clone(s), maps.Clone(s)
	if r, ok := t.Cond.(*cir.Reg); ok {
		if in, ok := x.f.defs[r.Index].(*cir.Compare); ok && isNull(in.Y) && x.f.blockOf[in] == b {
			if v, ok := in.X.(*cir.Reg); ok {
				if k, known := x.loaded[v.Index]; known && in.Pred == cir.Ne {
					yes[k] = true
				} else if known && in.Pred == cir.Eq {
					no[k] = true
				}
			}
		}
	}
	next(t.Then, yes)
	next(t.Else, no)
}

// step follows an instruction.
func (x *again) step(s map[spot]bool, in cir.Instr) {
	forget := func() {
		clear(s)
		clear(x.loaded)
	}
	switch in := in.(type) {
	case *cir.Load:
		l, ok := in.Addr.(*cir.Local)
		switch {
		case ok && x.f.plain[l]:
			if in.Type.IsPointer() {
				x.regs[in.Dst.Index] = spot{held: l}
			}
		case in.Order != cir.Plain || in.Volatile:
			forget()
		case in.Type.IsPointer() && in.Bits == nil:
			if k, ok := x.spot(in.Addr); ok {
				x.loaded[in.Dst.Index] = k
				if s[k] {
					x.notNull[in] = true
				} else {
					delete(x.notNull, in)
				}
			}
		}
	case *cir.Store:
		l, ok := in.Addr.(*cir.Local)
		if !ok || !x.f.plain[l] {
			forget()
			return
		}
		x.changes(s, l)
	case *cir.LifeStart:
		x.changes(s, in.Local)
	case *cir.LifeEnd:
		x.changes(s, in.Local)
	case *cir.Offset:
		if k, ok := x.spot(in.P); ok && in.Index == nil {
			k.off += in.Disp
			x.regs[in.Dst.Index] = k
		}
	case *cir.Unary, *cir.Binary, *cir.Overflow, *cir.Compare, *cir.Convert, *cir.Bitcast, *cir.Select, *cir.Distance:
	case *cir.Call:
		if f, ok := in.Callee.(*cir.Func); !ok || !x.p.isQuiet(f, 0) {
			forget()
		}
	default:
		forget()
	}
}

// changes forgets what is known by what a local held, or holds.
func (x *again) changes(s map[spot]bool, l *cir.Local) {
	of := func(k spot) bool { return k.held == l || k.of == cir.Value(l) }
	maps.DeleteFunc(s, func(k spot, _ bool) bool { return of(k) })
	maps.DeleteFunc(x.loaded, func(_ int, k spot) bool { return of(k) })
	maps.DeleteFunc(x.regs, func(_ int, k spot) bool { return of(k) })
}

// spot says which address an operand is.
func (x *again) spot(v cir.Value) (spot, bool) {
	switch v := v.(type) {
	case *cir.Local, *cir.Global:
		return spot{of: v}, true
	case *cir.Reg:
		k, ok := x.regs[v.Index]
		return k, ok
	}
	return spot{}, false
}

// isQuiet reports whether a function of the program's own only reads memory, but for its plain locals, and does not synchronise.
func (p *program) isQuiet(fn *cir.Func, depth int) bool {
	if fn.Library || len(fn.Blocks) == 0 || depth > 4 || fn.Atomic {
		return false
	}
	f := p.function(fn)
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *cir.Load:
				if in.Order != cir.Plain || in.Volatile {
					return false
				}
			case *cir.Store:
				if l, ok := in.Addr.(*cir.Local); !ok || !f.plain[l] {
					return false
				}
			case *cir.Call:
				if g, ok := in.Callee.(*cir.Func); !ok || !p.isQuiet(g, depth+1) {
					return false
				}
			case *cir.LifeStart, *cir.LifeEnd, *cir.Offset, *cir.Unary, *cir.Binary, *cir.Overflow, *cir.Compare, *cir.Convert, *cir.Bitcast, *cir.Select, *cir.Distance:
			default:
				return false
			}
		}
	}
	return true
}
