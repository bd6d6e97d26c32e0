package waits

import (
	"fmt"
	"slices"

	"comus/cir"
	"comus/logic"
	"comus/scan/pointsto"
)

// A function that takes the locks of two objects which it is given may count on it that they are two: if (a < b) … else …. That is found out where it is called, on each path to a call of it, and of its callers where
// they hand on what they are given.
//
// What lies in memory and is written only before there is another thread than main is the same whenever another thread loads it: the address of the array that both objects are in, say. Handlers of signals
// are left out, as they run before that, too.

// pair tells which two parameters of a copy are meant.
type pair struct {
	copy pointsto.Copy
	i, j int
}

// distinct reports whether two parameters of a copy are never the same pointer.
func (h *holding) distinct(c pointsto.Copy, i, j int) bool {
	key := pair{c, min(i, j), max(i, j)}
	if yes, known := h.pairs[key]; known {
		return yes
	}
	if h.pairs == nil {
		h.pairs = map[pair]bool{}
	}
	h.pairs[key] = false // of a function that calls itself nothing is known
	h.pairs[key] = h.findDistinct(c, i, j)
	return h.pairs[key]
}

func (h *holding) findDistinct(c pointsto.Copy, i, j int) bool {
	if len(h.callers[c]) == 0 || slices.ContainsFunc(h.classes, func(k *class) bool { return slices.Contains(k.roots, c) }) {
		return false
	}
	for _, d := range h.callers[c] {
		for _, call := range h.callsOf(d) {
			x, err := h.callees(d, call)
			if err != nil {
				return false
			}
			if !slices.Contains(x.to, c) {
				continue
			}
			if x.outside || len(x.known) > 0 || len(call.Args) <= max(i, j) || call.Args[i].ByVal != nil || call.Args[j].ByVal != nil || !h.givesTwo(d, call, i, j) {
				return false
			}
		}
	}
	return true
}

// givesTwo reports whether two arguments of a call are never the same pointer.
func (h *holding) givesTwo(c pointsto.Copy, call *cir.Call, i, j int) bool {
	x := h.function(c.Func)
	w, err := h.walkerOf(c, func(b *cir.Block) bool { return slices.Contains(b.Instrs, cir.Instr(call)) })
	if w == nil || err != nil {
		return false
	}
	defer w.s.Close()
	two := true
	w.target = call
	w.arrives = func(p *path) bool {
		v, u := w.value(p, call.Args[i].X), w.value(p, call.Args[j].X)
		a, b := slices.Index(w.given, v), slices.Index(w.given, u)
		two = a >= 0 && b >= 0 && a != b && w.distinct(c, a, b) || !w.possible(p, w.l.Eq(v, u))
		return two
	}
	w.walk(x.fn.Blocks[0], w.begin())
	if w.lost || h.ctx.Err() != nil {
		return false
	}
	if w.overflow && two {
		h.assumed[assumeOverflow] = true
	}
	return two
}

// areTwo is what is known of the parameters of a copy: which are never the same pointer.
func (w *walker) areTwo() (conds []*logic.Term) {
	for j, q := range w.x.fn.Params {
		for i, p := range w.x.fn.Params[:j] {
			if p.Reg.Type.IsPointer() && q.Reg.Type.IsPointer() && p.ByVal == nil && q.ByVal == nil && w.distinct(w.copy, i, j) {
				conds = append(conds, w.l.Ne(w.given[i], w.given[j]))
			}
		}
	}
	return conds
}

// steady returns the place that a load of a copy is from, if all such loads of it get the same.
func (f *finder) steady(c pointsto.Copy, load *cir.Load) (at pointsto.Location, ok bool) {
	places := f.h.pts.Places(c.Func, c.Ctx, load.Addr)
	if len(places) != 1 || load.Bits != nil || load.Volatile || !places[0].Exact() || !f.h.pts.Once(places[0].Obj) || !f.laterOnly(c) {
		return at, false
	}
	return places[0], f.writtenBefore(places[0], f.h.sizeOf(load.Type))
}

// laterOnly reports whether only threads run a copy that others have created.
func (f *finder) laterOnly(c pointsto.Copy) bool {
	return !slices.ContainsFunc(f.h.runners[c], func(k *class) bool { return k.main || k.handler })
}

// writtenBefore reports whether a place is written by main only, and only before there is another thread.
func (f *finder) writtenBefore(at pointsto.Location, size int64) bool {
	for _, w := range f.writes[at.Obj] {
		if !w.whole && !w.at.Touches(w.size, at, max(size, 1)) && !(w.begun && w.at == at) {
			continue
		}
		if w.begun || !f.h.mainOnly(w.by) || f.created().before(w.by, w.in) {
			return false
		}
	}
	return true
}

// created tells where main may have created a thread.
func (f *finder) created() *history {
	if f.threads == nil {
		f.threads = f.h.mayHave(func(c pointsto.Copy, in cir.Instr) bool {
			i, ok := in.(*cir.Intrinsic)
			return ok && i.Op == cir.ThreadCreate && !isDelivery(c, i)
		})
	}
	return f.threads
}

// kept is what a place holds that is not written any more.
func (w *walker) kept(at pointsto.Location, t cir.Type) *logic.Term {
	return w.l.Var(fmt.Sprintf("m %d %d %v", at.Obj.ID, at.Off, t), logic.Int)
}
