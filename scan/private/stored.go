package private

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
	"comus/scan/thread"
	"comus/scan/valuenum"
)

// settled returns a value, or, if it was loaded from where it was stored shortly before, what was stored. All of that is done in one block of a node that is run by one thread.
func (r *Result) settled(n *thread.Node, f *function, v valuenum.Value) (valuenum.Value, *cir.Store) {
	if v.Base == nil || v.Base.Kind != valuenum.Reg || v.Index != nil {
		return v, nil
	}
	load, ok := f.defs[int(v.Base.N)].(*cir.Load)
	if !ok || f.Value(load.Dst) != (valuenum.Value{Base: v.Base}) {
		return v, nil
	}
	s := r.stored(n, f, load)
	if s == nil {
		return v, nil
	}
	w := f.Value(s.X)
	if w.Index != nil {
		return v, nil
	}
	w.Off += v.Off
	return w, s
}

// stored returns the store in the same block that a load of a pointer reads from: nothing in between may write there, and no other thread does at all.
func (r *Result) stored(n *thread.Node, f *function, load *cir.Load) *cir.Store {
	if load.Bits != nil || load.Volatile || !load.Type.IsPointer() {
		return nil
	}
	b := f.home[load]
	to := r.pts.Places(n.Fn, n.Ctx, load.Addr)
	at, steady := f.Value(load.Addr), true
	at.Each(func(y *valuenum.Sym) { steady = steady && y.Kind != valuenum.Load })
	if at.Base == nil || !steady {
		return nil
	}
	for i := f.index(load) - 1; i >= 0; i-- {
		in := b.Instrs[i]
		if s, ok := in.(*cir.Store); ok && s.Type == load.Type && s.Bits == nil && !s.Volatile && f.Value(s.Addr) == at {
			if len(to) > 0 && !slices.ContainsFunc(to, func(l pointsto.Location) bool { return r.othersWrite(n, l.Obj) }) {
				return s
			}
			return nil
		}
		if slices.ContainsFunc(to, func(l pointsto.Location) bool { return l.Obj.IsFunc() || r.pts.MayWrite(n.Copy(), in, l.Obj) }) {
			return nil
		}
	}
	return nil
}

// othersWrite reports whether a thread may write an object that does not run a node, or there may be several that do.
func (r *Result) othersWrite(n *thread.Node, o *pointsto.Object) bool {
	if o.External || o.IsFunc() || r.pts.Outside(o) {
		return true
	}
	runs := 0
	for _, t := range r.threads.Threads {
		nodes := r.threads.Nodes(t)
		if slices.Contains(nodes, n) {
			if runs++; t.Many || runs > 1 {
				return true
			}
			continue
		}
		for _, m := range nodes {
			for _, b := range m.Fn.Blocks {
				if slices.ContainsFunc(b.Instrs, func(in cir.Instr) bool { return r.overwrites(m, in, pointsto.Location{Obj: o}, 1<<40) }) {
					return true
				}
			}
		}
	}
	return runs != 1
}
