package robust

import (
	"maps"

	"comus/cir"
)

// body is a function with what is known of its registers and private locals.
type body struct {
	f     *cir.Func
	model cir.Model
	plain map[*cir.Local]bool
	defs  map[*cir.Reg]cir.Instr
	home  map[cir.Instr]*cir.Block
	given map[*cir.Reg]*cir.Block // parameters of blocks
	used  map[*cir.Reg]bool
	edges map[[2]*cir.Block]facts // what is known where control goes, once it is asked for
	// stores are the stores to private locals.
	stores map[*cir.Local][]*cir.Store
}

func newBody(f *cir.Func, m cir.Model) *body {
	b := &body{f: f, model: m, plain: cir.PlainLocals(f), defs: map[*cir.Reg]cir.Instr{}, home: map[cir.Instr]*cir.Block{}, given: map[*cir.Reg]*cir.Block{}, used: map[*cir.Reg]bool{}, stores: map[*cir.Local][]*cir.Store{}}
	use := func(v cir.Value) {
		if r, ok := v.(*cir.Reg); ok {
			b.used[r] = true
		}
	}
	for _, k := range f.Blocks {
		cir.TermOperands(k.Term, use)
		for _, r := range k.Params {
			b.given[r] = k
		}
		for _, in := range k.Instrs {
			b.home[in] = k
			cir.Operands(in, use)
			for _, r := range cir.Results(in) {
				b.defs[r] = in
			}
			if s, ok := in.(*cir.Store); ok {
				if l := b.local(s.Addr); l != nil {
					b.stores[l] = append(b.stores[l], s)
				}
			}
		}
	}
	return b
}

// uses reports whether a result is used.
func (b *body) uses(r *cir.Reg) bool { return r != nil && b.used[r] }

// local returns the private local that an address is, nil if it is none.
func (b *body) local(addr cir.Value) *cir.Local {
	if l, ok := addr.(*cir.Local); ok && b.plain[l] {
		return l
	}
	return nil
}

// def returns the instruction that a value comes from.
func (b *body) def(v cir.Value) cir.Instr {
	if r, ok := v.(*cir.Reg); ok {
		return b.defs[r]
	}
	return nil
}

// origin goes back to what was stored in private locals that are stored to once.
func (b *body) origin(v cir.Value) cir.Value {
	for range 20 {
		switch in := b.def(v).(type) {
		case *cir.Load:
			if l := b.local(in.Addr); l != nil && len(b.stores[l]) == 1 {
				v = b.stores[l][0].X
				continue
			}
		case *cir.Convert:
			if b.model.TypeOf(in.X) == in.Dst.Type {
				v = in.X
				continue
			}
		}
		break
	}
	return v
}

// facts are the constants that registers and private locals hold; what is not there is not known.
type facts map[any]int64

// meet keeps what both know. It reports whether that is less than f.
func (f facts) meet(g facts) (lost bool) {
	maps.DeleteFunc(f, func(k any, v int64) bool {
		w, known := g[k]
		out := !known || w != v
		lost = lost || out
		return out
	})
	return lost
}

// value returns a constant, if it is one.
func (f facts) value(v cir.Value) (int64, bool) {
	switch v := v.(type) {
	case cir.Int:
		return v.Int64()
	case cir.Null:
		return int64(v.Addr), v.Addr < 1<<62
	case *cir.Reg:
		n, known := f[v]
		return n, known
	}
	return 0, false
}

func (f facts) set(r *cir.Reg, n int64, known bool) {
	if r == nil {
		return
	}
	if known && r.Type.IsInt() {
		n, known = cir.IntOf(r.Type, n).Int64()
	}
	if known && !r.Type.IsFloat() {
		f[r] = n
	} else {
		delete(f, r)
	}
}

// step does what an instruction does to the facts.
func (b *body) step(f facts, in cir.Instr) {
	switch in := in.(type) {
	case *cir.Store:
		if l := b.local(in.Addr); l != nil {
			if n, known := f.value(in.X); known {
				f[l] = n
			} else {
				delete(f, l)
			}
		}
	case *cir.LifeStart:
		delete(f, in.Local)
	case *cir.Load:
		l := b.local(in.Addr)
		n, known := f[l]
		f.set(in.Dst, n, known && l != nil && in.Bits == nil)
	case *cir.Convert:
		n, known := f.value(in.X)
		if in.Dst.Type == cir.Bool && known {
			n = min(1, n*n)
			if n < 0 {
				known = false
			}
		}
		known = known && b.model.TypeOf(in.X).IsInt()
		f.set(in.Dst, n, known)
	case *cir.Compare:
		x, k := f.value(in.X)
		y, l := f.value(in.Y)
		holds, known := compare(in.Pred, x, y, b.model.TypeOf(in.X))
		f.set(in.Dst, holds, k && l && known)
	default:
		for _, r := range cir.Results(in) {
			delete(f, r)
		}
	}
}

// compare compares two numbers that fit an integer or pointer type.
func compare(p cir.Pred, x, y int64, t cir.Type) (int64, bool) {
	is := false
	switch p {
	case cir.Eq:
		is = x == y
	case cir.Ne:
		is = x != y
	default:
		if !t.IsInt() || !t.Signed && (x < 0 || y < 0) {
			return 0, false
		}
		is = p == cir.Lt && x < y || p == cir.Le && x <= y || p == cir.Gt && x > y || p == cir.Ge && x >= y
	}
	if t.IsFloat() {
		return 0, false
	}
	if is {
		return 1, true
	}
	return 0, true
}

// flow follows control from behind an instruction, or from the beginning if there is none, with some facts, as long as go allows it. It returns what is known on each edge that is taken; the
// instruction itself is not passed again.
func (b *body) flow(from cir.Instr, start facts, along func(from, to *cir.Block) bool) map[[2]*cir.Block]facts {
	edges := map[[2]*cir.Block]facts{}
	at := map[*cir.Block]facts{}
	var work []*cir.Block
	run := func(k *cir.Block, list []cir.Instr, f facts) {
		for _, in := range list {
			if in == from {
				return
			}
			b.step(f, in)
		}
		b.leave(k, f, func(to *cir.Block, args []cir.Value) {
			if !along(k, to) {
				return
			}
			g := maps.Clone(f)
			for i, p := range to.Params {
				n, known := f.value(args[i])
				g.set(p, n, known)
			}
			e := [2]*cir.Block{k, to}
			if old, taken := edges[e]; taken {
				old.meet(g)
			} else {
				edges[e] = maps.Clone(g)
			}
			if old, reached := at[to]; !reached {
				at[to] = g
				work = append(work, to)
			} else if old.meet(g) {
				work = append(work, to)
			}
		})
	}
	if from == nil {
		at[b.f.Blocks[0]] = start
		work = append(work, b.f.Blocks[0])
	} else {
		k := b.home[from]
		i := 0
		for k.Instrs[i] != from {
			i++
		}
		run(k, k.Instrs[i+1:], start)
	}
	for len(work) > 0 {
		k := work[len(work)-1]
		work = work[:len(work)-1]
		run(k, k.Instrs, maps.Clone(at[k]))
	}
	return edges
}

// leave calls f for where control may go from the end of a block.
func (b *body) leave(k *cir.Block, f facts, to func(*cir.Block, []cir.Value)) {
	switch t := k.Term.(type) {
	case *cir.Branch:
		c, known := f.value(t.Cond)
		if !known || c != 0 {
			to(t.Then, t.ThenArgs)
		}
		if !known || c == 0 {
			to(t.Else, t.ElseArgs)
		}
	default:
		cir.Succs(t, to)
	}
}
