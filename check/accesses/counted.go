package accesses

import (
	"comus/cir"
)

// findBounded finds the indices that are less than a local which is constant.
func (p *program) findBounded() {
	for c := range p.copies {
		fn := p.copies[c].Func
		if !p.own(c) || len(fn.Blocks) == 0 || !p.reached[place{c, first(fn)}] {
			continue
		}
		x := &filling{p: p, f: p.function(fn), copy: c, bounded: map[*cir.Offset][]*cir.Local{}, failed: map[int64]bool{}, callees: map[calleeKey]*calleeFill{}}
		x.run()
		for in, list := range x.bounded {
			for _, l := range list {
				if p.constant(c, l) {
					p.bounded[indexAt{c, in}] = append(p.bounded[indexAt{c, in}], l)
				}
			}
		}
	}
}

// first returns what a function begins with.
func first(fn *cir.Func) cir.Located {
	if b := fn.Blocks[0]; len(b.Instrs) > 0 {
		return b.Instrs[0]
	}
	return fn.Blocks[0].Term
}

// constant reports whether a local of a copy has one value in an execution, from the only store on.
func (p *program) constant(c int, l *cir.Local) bool {
	f := p.function(p.copies[c].Func)
	o := p.pts.Object(p.copies[c].Func, p.copies[c].Ctx, l)
	if !f.plain[l] || o == nil || !p.pts.Once(o) {
		return false
	}
	var by *cir.Store
	for _, b := range f.fn.Blocks {
		for _, in := range b.Instrs {
			if s, ok := in.(*cir.Store); ok && s.Addr == cir.Value(l) {
				if by != nil {
					return false
				}
				by = s
			}
		}
	}
	return by != nil && !f.cycles(f.blockOf[by])
}

// cycles reports whether control may come from a block to itself again.
func (f *function) cycles(b *cir.Block) bool {
	seen := map[*cir.Block]bool{}
	work := []*cir.Block{b}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		cir.Succs(x.Term, func(to *cir.Block, _ []cir.Value) {
			if !seen[to] {
				seen[to] = true
				work = append(work, to)
			}
		})
	}
	return seen[b]
}

// counted returns a constant local, which is not negative, of which a number of bytes is a multiple, and how many times it is that.
func (p *program) counted(at place, v cir.Value) (*cir.Local, int64) {
	f := p.function(p.copies[at.copy].Func)
	each := int64(1)
	for range 8 {
		r, ok := v.(*cir.Reg)
		if !ok {
			return nil, 0
		}
		def := f.defs[r.Index]
		here := place{at.copy, def}
		switch in := def.(type) {
		case *cir.Load:
			l, ok := in.Addr.(*cir.Local)
			if !ok || !p.constant(at.copy, l) || f.finds[in].unset || !in.Type.IsInt() {
				return nil, 0
			}
			return l, each
		case *cir.Convert:
			n, from, to := p.fact(here, in.X), p.prog.Model.TypeOf(in.X), in.Dst.Type
			if !n.known || n.lo < 0 || !from.IsInt() || !to.IsInt() || to.Bits < from.Bits || to.Bits == from.Bits && to.Signed && n.hi < 0 {
				return nil, 0
			}
			v = in.X
		case *cir.Binary:
			if in.Op != cir.Mul {
				return nil, 0
			}
			x, y := in.X, in.Y
			if _, constant := x.(cir.Int); constant {
				x, y = y, x
			}
			k, n := p.fact(here, y), p.fact(here, x)
			if !k.known || k.lo != k.hi || k.lo <= 0 || k.lo > 1<<20 || !n.known || n.lo < 0 || n.hi > 1<<31 || in.Dst.Type.Bits < 64 {
				return nil, 0
			}
			if _, constant := y.(cir.Int); !constant {
				return nil, 0
			}
			each = times(each, k.lo)
			v = x
		default:
			return nil, 0
		}
	}
	return nil, 0
}
