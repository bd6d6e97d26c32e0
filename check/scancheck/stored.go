package scancheck

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// storedJust returns the store in the same block that a load of a pointer reads from: the address is computed in the same way, nothing in between may write there, and no thread does at
// all but the one that runs the copy; and only one does.
func (ls *locations) storedJust(v *values, copy int, load *cir.Load) *cir.Store {
	if load.Bits != nil || load.Volatile || !load.Type.IsPointer() {
		return nil
	}
	cp := ls.copies[copy]
	to := ls.pts.Places(cp.Func, cp.Ctx, load.Addr)
	if len(to) == 0 {
		return nil
	}
	b := v.blocks[load]
	for i := v.index(load) - 1; i >= 0; i-- {
		in := b.Instrs[i]
		if s, ok := in.(*cir.Store); ok && s.Type == load.Type && s.Bits == nil && !s.Volatile && v.sameAddress(b, s.Addr, load.Addr, 0) {
			if slices.ContainsFunc(to, func(p pointsto.Location) bool { return p.Obj.External || p.Obj.IsFunc() || ls.othersWrite(copy, p.Obj) }) {
				return nil
			}
			return s
		}
		if slices.ContainsFunc(to, func(p pointsto.Location) bool { return ls.pts.MayWrite(cp, in, p.Obj) }) {
			return nil
		}
	}
	return nil
}

// sameAddress reports whether two values are computed in the same way in a block: what they are made of is the same register, a constant, or loaded in the block
// from the same private local, which is not stored to in between.
func (v *values) sameAddress(b *cir.Block, x, y cir.Value, deep int) bool {
	if x == y {
		return x != nil
	}
	if deep > 10 {
		return false
	}
	if n, ok := x.(cir.Int); ok {
		m, ok := y.(cir.Int)
		return ok && n == m
	}
	switch s := v.def(x).(type) {
	case *cir.Offset:
		t, ok := v.def(y).(*cir.Offset)
		if !ok || s.Scale != t.Scale || s.Disp != t.Disp || (s.Index == nil) != (t.Index == nil) {
			return false
		}
		return v.sameAddress(b, s.P, t.P, deep+1) && (s.Index == nil || v.sameAddress(b, s.Index, t.Index, deep+1))
	case *cir.Convert:
		t, ok := v.def(y).(*cir.Convert)
		return ok && s.Dst.Type == t.Dst.Type && v.p.prog.Model.TypeOf(s.X) == v.p.prog.Model.TypeOf(t.X) && v.sameAddress(b, s.X, t.X, deep+1)
	case *cir.Load:
		t, ok := v.def(y).(*cir.Load)
		l, local := s.Addr.(*cir.Local)
		if !ok || !local || s.Type != t.Type || s.Addr != t.Addr || !v.locals[l] || s.Volatile || t.Volatile || v.blocks[s] != b || v.blocks[t] != b {
			return false
		}
		i, j := v.index(s), v.index(t)
		between := b.Instrs[min(i, j):max(i, j)]
		return storesTo(between, l) == 0 && !slices.ContainsFunc(between, func(in cir.Instr) bool { e, ends := in.(*cir.LifeStart); return ends && e.Local == l })
	}
	return false
}

// othersWrite reports whether a thread may write an object that does not run a copy, or several may run that.
func (ls *locations) othersWrite(copy int, o *pointsto.Object) bool {
	all := []pointsto.Location{{Obj: o, Off: -1 << 59}}
	runs := 0
	for _, t := range ls.threads.list {
		if slices.ContainsFunc(t.order, func(n *node) bool { return n.copy == copy }) {
			if runs++; t.Many {
				return true
			}
			continue
		}
		for _, n := range t.order {
			if ls.writesAny(n.copy, ls.copies[n.copy], all, 1<<60, nil) {
				return true
			}
		}
	}
	return runs != 1
}
