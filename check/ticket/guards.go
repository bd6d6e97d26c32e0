package ticket

import (
	"slices"

	"comus/cir"
)

// reaching returns the stores to a local that may have been the last one before a point; ok tells that there always was one.
func (v *body) reaching(l *cir.Local, at point) (list []*cir.Store, ok bool) {
	ok = v.back(at, func(in cir.Instr) (stop, ok bool) {
		switch x := in.(type) {
		case *cir.Store:
			if x.Addr == cir.Value(l) {
				if !slices.Contains(list, x) {
					list = append(list, x)
				}
				return true, !x.Volatile
			}
		case *cir.LifeStart:
			return x.Local == l, x.Local != l
		}
		return false, true
	}, nil)
	return list, ok
}

// back goes back on all ways from a point, until something says to stop, or the end of a block is passed that is given. It reports whether nothing was wrong there; the beginning of the function is.
func (v *body) back(at point, visit func(cir.Instr) (stop, ok bool), until *cir.Block) bool {
	seen := map[*cir.Block]bool{}
	var visitBlock func(b *cir.Block, end int) bool
	visitBlock = func(b *cir.Block, end int) bool {
		for i := end - 1; i >= 0; i-- {
			if stop, ok := visit(b.Instrs[i]); stop || !ok {
				return ok
			}
		}
		if b == v.f.Blocks[0] || len(v.preds[b]) == 0 {
			return false
		}
		for _, p := range v.preds[b] {
			if p != until && !seen[p] {
				seen[p] = true
				if !visitBlock(p, len(p.Instrs)) {
					return false
				}
			}
		}
		return true
	}
	return visitBlock(at.b, at.i)
}

// guards takes account of conditions that hold at a point of what a value is.
func (d *drawer[N, T]) guards(v *body, c N, x cir.Value, at point, n *figure) {
	v.conditions(at, func(from, to *cir.Block, is *cir.Compare, holds bool) {
		pred := is.Pred
		if !holds {
			pred = opposite[pred]
		}
		switch {
		case v.same(x, is.X, from, to), d.reloaded(v, c, x, is.X, from, to):
		case v.same(x, is.Y, from, to), d.reloaded(v, c, x, is.Y, from, to):
			pred, is = mirrored[pred], &cir.Compare{X: is.Y, Y: is.X, Dst: is.Dst}
		default:
			return
		}
		of := d.ts.model.TypeOf(is.X)
		if !of.IsInt() || !of.Signed && len(n.others) > 0 {
			return
		}
		n.low = n.low || !of.Signed
		k, isConst := is.Y.(cir.Int)
		if !isConst {
			if m, ok := d.value(v, c, is.Y, at0(v, is.Y, from)); ok && m.fixed && m.global == nil && m.add == 0 && pred == cir.Lt && of.Signed && m.at.Of.Signed {
				n.below = limit{at: m.at}
			}
			return
		}
		y := signed(k)
		n.others = slices.DeleteFunc(slices.Clone(n.others), func(o int64) bool { return !compares(o, pred, y) })
		switch {
		case pred == cir.Ge && y >= 0 || pred == cir.Gt && y >= -1:
			n.low = true
		case pred == cir.Lt && y > 0 && y < 1<<31:
			n.below = limit{n: y}
		case pred == cir.Le && y >= 0 && y < 1<<31:
			n.below = limit{n: y + 1}
		}
	})
}

// at0 is where an operand of a comparison in a block is looked at.
func at0(v *body, y cir.Value, from *cir.Block) point {
	if in := v.def(y); in != nil {
		return v.before(in)
	}
	return point{from, len(from.Instrs)}
}

var opposite = map[cir.Pred]cir.Pred{cir.Eq: cir.Ne, cir.Ne: cir.Eq, cir.Lt: cir.Ge, cir.Ge: cir.Lt, cir.Gt: cir.Le, cir.Le: cir.Gt}
var mirrored = map[cir.Pred]cir.Pred{cir.Eq: cir.Eq, cir.Ne: cir.Ne, cir.Lt: cir.Gt, cir.Gt: cir.Lt, cir.Ge: cir.Le, cir.Le: cir.Ge}

func compares(x int64, p cir.Pred, y int64) bool {
	switch p {
	case cir.Eq:
		return x == y
	case cir.Ne:
		return x != y
	case cir.Lt:
		return x < y
	case cir.Le:
		return x <= y
	case cir.Gt:
		return x > y
	}
	return x >= y
}

// conditions calls f for comparisons at the end of blocks that had a result the last time before a point.
func (v *body) conditions(at point, f func(from, to *cir.Block, is *cir.Compare, holds bool)) {
	entry := v.f.Blocks[0]
	for _, b := range v.f.Blocks {
		br, ok := b.Term.(*cir.Branch)
		if !ok || br.Then == br.Else {
			continue
		}
		is, ok := v.def(br.Cond).(*cir.Compare)
		if !ok || v.blocks[is] != b {
			continue
		}
		for _, to := range []*cir.Block{br.Then, br.Else} {
			if to != entry && len(v.preds[to]) == 1 && v.commands(to, at.b) {
				f(b, to, is, to == br.Then)
			}
		}
	}
}

// commands reports whether control gets to a block by way of another one only.
func (v *body) commands(by, b *cir.Block) bool { return by == b || !v.avoiding(by)[b] }

// avoiding returns the blocks that control gets to without getting to a block.
func (v *body) avoiding(b *cir.Block) map[*cir.Block]bool {
	if v.avoids == nil {
		v.avoids = map[*cir.Block]map[*cir.Block]bool{}
	}
	if v.avoids[b] == nil {
		m := without(v.f.Blocks[0], b)
		v.avoids[b] = m
	}
	return v.avoids[b]
}

// same reports whether a value is what an operand of a comparison at the end of a block was, from which control has got to another one since.
func (v *body) same(x, y cir.Value, from, to *cir.Block) bool {
	if c, ok := v.def(y).(*cir.Convert); ok && c.Dst.Type.IsInt() {
		if t := v.model.TypeOf(c.X); t.IsInt() && t != cir.Bool && (t.Bits < c.Dst.Type.Bits && (c.Dst.Type.Signed || !t.Signed) || t == c.Dst.Type) {
			y = c.X
		}
	}
	if _, isReg := y.(*cir.Reg); !isReg {
		return false
	}
	if x == y {
		return true
	}
	load, ok := v.def(x).(*cir.Load)
	if !ok {
		return false
	}
	l, ok := load.Addr.(*cir.Local)
	if !ok || !v.locals[l] || load.Volatile {
		return false
	}
	changes := func(in cir.Instr) bool {
		s, ok := in.(*cir.Store)
		i, life := in.(*cir.LifeStart)
		return ok && s.Addr == cir.Value(l) || life && i.Local == l
	}
	seen := v.before(load)
	if !v.commands(to, seen.b) {
		return false
	}
	if z, ok := v.def(y).(*cir.Load); ok && z.Addr == load.Addr && z.Type == load.Type && !z.Volatile && v.blocks[z] == from {
		return !slices.ContainsFunc(from.Instrs[v.index(z):], changes) && seen.b != from &&
			v.back(seen, func(in cir.Instr) (bool, bool) { return false, !changes(in) }, from)
	}
	list, ok := v.reaching(l, seen)
	return ok && len(list) == 1 && list[0].X == y && list[0].Type == load.Type && v.def(y) != nil &&
		v.back(seen, func(in cir.Instr) (bool, bool) { return in == cir.Instr(list[0]), in != v.def(y) }, nil)
}

// reloaded reports whether a value was loaded from a counter that an operand of a comparison at the end of a block was loaded from, too, and control has got to another block since, and has done
// nothing to synchronise or write.
func (d *drawer[N, T]) reloaded(v *body, c N, x, y cir.Value, from, to *cir.Block) bool {
	load, ok := v.def(x).(*cir.Load)
	old, same := v.def(y).(*cir.Load)
	if !ok || !same || load.Type != old.Type || load.Bits != nil || old.Bits != nil || load.Order != cir.Plain || old.Order != cir.Plain || v.blocks[old] != from || v.blocks[load] == from {
		return false
	}
	at, ok := d.ts.cellAt(c, old.Addr)
	if !ok || d.ts.tallies[at] == nil || d.ts.other(c, load.Addr, at) || !v.commands(to, v.blocks[load]) {
		return false
	}
	return !slices.ContainsFunc(from.Instrs[v.index(old):], func(in cir.Instr) bool { return !v.aside(in) }) &&
		v.back(v.before(load), func(in cir.Instr) (bool, bool) { return false, v.aside(in) }, from)
}
