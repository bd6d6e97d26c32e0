package ticket

import "comus/cir"

// body is how registers and private locals of a function get their values.
type body struct {
	model  cir.Model
	f      *cir.Func
	locals map[*cir.Local]bool // whose addresses are used for nothing but to load and store them as a whole
	defs   map[int]cir.Instr
	blocks map[cir.Instr]*cir.Block
	stores map[*cir.Local][]*cir.Store
	preds  map[*cir.Block][]*cir.Block
	avoids map[*cir.Block]map[*cir.Block]bool
}

// bodyOf returns how registers get their values; nil if control may come back to the middle of the function.
func (ts *Tickets[N, T]) bodyOf(f *cir.Func) *body {
	if v, known := ts.bodies[f]; known {
		return v
	}
	ts.bodies[f] = nil
	v := &body{model: ts.model, f: f, defs: map[int]cir.Instr{}, blocks: map[cir.Instr]*cir.Block{}, stores: map[*cir.Local][]*cir.Store{}, preds: map[*cir.Block][]*cir.Block{}}
	for _, b := range f.Blocks {
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) { v.preds[to] = append(v.preds[to], b) })
		for _, in := range b.Instrs {
			v.blocks[in] = b
			for _, x := range cir.Results(in) {
				v.defs[x.Index] = in
			}
			if s, ok := in.(*cir.Store); ok {
				if l, ok := s.Addr.(*cir.Local); ok {
					v.stores[l] = append(v.stores[l], s)
				}
			}
			if i, ok := in.(*cir.Intrinsic); ok && i.Op == cir.Setjmp {
				return nil
			}
		}
	}
	v.findPrivate()
	ts.bodies[f] = v
	return v
}

func (v *body) findPrivate() {
	v.locals = map[*cir.Local]bool{}
	for _, l := range v.f.Locals {
		v.locals[l] = true
	}
	gone := func(x cir.Value) {
		if l, ok := x.(*cir.Local); ok {
			delete(v.locals, l)
		}
	}
	part := func(x cir.Value, a cir.Access) {
		if l, ok := x.(*cir.Local); ok && (a.Bits != nil || int64(a.Type.Bits+7)/8 != l.Size) {
			delete(v.locals, l)
		}
	}
	for _, b := range v.f.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *cir.Load:
				part(in.Addr, in.Access)
			case *cir.Store:
				part(in.Addr, in.Access)
				gone(in.X)
			case *cir.LifeStart, *cir.LifeEnd:
			default:
				cir.Operands(in, gone)
			}
		}
		cir.TermOperands(b.Term, gone)
	}
}

func (v *body) def(x cir.Value) cir.Instr {
	if r, ok := x.(*cir.Reg); ok {
		return v.defs[r.Index]
	}
	return nil
}

func (v *body) index(in cir.Instr) int {
	for i, x := range v.blocks[in].Instrs {
		if x == in {
			return i
		}
	}
	return -1
}

// source returns the only store to a private local that may have been the last one before a load, nil if there is none.
func (v *body) source(in *cir.Load) *cir.Store {
	l, ok := in.Addr.(*cir.Local)
	if !ok || !v.locals[l] || in.Volatile || len(v.stores[l]) != 1 {
		return nil
	}
	if list, ok := v.reaching(l, v.before(in)); ok && len(list) == 1 && list[0].Type == in.Type {
		return list[0]
	}
	return nil
}

// path is what is added to a base: bytes, and an index times a stride.
type path struct {
	base   cir.Value
	stride int64
	lo, hi int64
	wide   bool // nothing is known of the bytes
	steps  []cir.Instr
}

// maxOff bounds what is added to addresses.
const maxOff = 1 << 40

func (p *path) move(n int64) {
	p.lo += n
	p.hi += n
	p.wide = p.wide || p.lo > maxOff || p.lo < -maxOff || p.hi > maxOff
}

// way goes back from an address over what is added to it, to its base. Of one index it is asked what it is; others are of arrays whose bounds are known.
func (v *body) way(addr cir.Value, size int64, is func(*cir.Offset) *index) (*path, *index) {
	p := &path{base: addr, hi: size}
	var x *index
	for range 100 {
		if in := v.def(p.base); in != nil {
			p.steps = append(p.steps, in)
		}
		switch in := v.def(p.base).(type) {
		case *cir.Offset:
			if p.move(in.Disp); !v.over(p, in, &x, is) {
				return nil, nil
			}
			p.base = in.P
			continue
		case *cir.Convert:
			if in.Dst.Type.IsPointer() && v.model.TypeOf(in.X).IsPointer() {
				p.base = in.X
				continue
			}
		case *cir.Load:
			if s := v.source(in); s != nil && in.Type.IsPointer() && x == nil {
				p.base, p.steps = s.X, append(p.steps, s)
				continue
			}
		}
		return p, x
	}
	return nil, nil
}

// over goes back over the index of an addition. It reports whether the address can still be said.
func (v *body) over(p *path, in *cir.Offset, x **index, is func(*cir.Offset) *index) bool {
	if c, ok := in.Index.(cir.Int); ok {
		i := int64(c.Lo)
		if i > 1<<30 || i < -1<<30 || in.Scale > 1<<30 || in.Scale < -1<<30 {
			return false
		}
		p.move(i * in.Scale)
		return true
	}
	if in.Index == nil {
		return true
	}
	if *x != nil || in.Scale <= 0 {
		return false
	}
	if *x = is(in); *x != nil {
		p.stride = in.Scale
		return true
	}
	if in.Len <= 0 || in.Len >= maxOff/in.Scale {
		p.wide = true
		return true
	}
	p.hi += (in.Len - 1) * in.Scale
	return true
}

// without returns the blocks that control gets to from a block without getting to another one.
func without(from, other *cir.Block) map[*cir.Block]bool {
	return walk([]*cir.Block{from}, func(to *cir.Block) bool { return to != other })
}

func walk(from []*cir.Block, counts func(to *cir.Block) bool) map[*cir.Block]bool {
	seen := map[*cir.Block]bool{}
	var visit func(b *cir.Block)
	visit = func(b *cir.Block) {
		if seen[b] {
			return
		}
		seen[b] = true
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			if counts(to) {
				visit(to)
			}
		})
	}
	for _, b := range from {
		visit(b)
	}
	return seen
}
