package race

import (
	"slices"

	"comus/cir"
	"comus/scan/escape"
	"comus/scan/pointsto"
	"comus/scan/thread"
)

// An access of an object that no other thread knows yet is no race, if whoever gets to know it does so by synchronising. Its address is
// found in memory. If all accesses of that memory are race-free, what was done before the address was stored there happens before what is
// done by whoever loads it: by locks, by creation, or by atomics that are not relaxed. So ownership is taken for granted first, and taken back of
// the objects whose addresses may be where there are suspects, until that fits. Of an execution, the first race of
// what is left would have one before it where the address was found.

// owner finds accesses of objects that no other thread may know yet.
type owner struct {
	escape *escape.Result
	void   map[*pointsto.Object]bool // those of which addresses may be found without synchronising
	news   map[*pointsto.Object]bool // those of void that nobody has looked at yet
}

// owns reports whether what a pointer points to is known to nobody else when a thread accesses it.
func (o *owner) owns(n *thread.Node, in cir.Located, ptr cir.Value) bool {
	instr, ok := in.(cir.Instr)
	if o.escape == nil || !ok || ptr == nil {
		return false
	}
	if n.Fn.Library {
		if begins(n.Fn, in, ptr) {
			return true
		}
		return o.escape.OwnedByCaller(n.Copy(), ptr)
	}
	return o.escape.Owned(n.Copy(), instr, ptr)
}

// begins reports whether an instruction of the library gives an object that it has just allocated, for its caller, its first contents by a pointer.
func begins(f *cir.Func, in cir.Located, ptr cir.Value) bool {
	switch in := in.(type) {
	case *cir.Fill:
		return f.Source == "calloc"
	case *cir.Copy:
		return f.Source == "strndup" && ptr == in.Dst
	case *cir.Store:
		_, local := ptr.(*cir.Local)
		return f.Source == "strndup" && !local
	case *cir.Intrinsic:
		return f.Source == "realloc" && in.Op == cir.Resize && in.Dst != nil && ptr == cir.Value(in.Dst)
	}
	return false
}

// takeBack takes back the ownership of the objects whose addresses are where a segment of a place has suspects, or is accessed by
// relaxed atomics.
func (c *collector) takeBack(p place, s segment) {
	if p.obj == nil || p.state != "" {
		return
	}
	take := func(o *pointsto.Object) {
		if !c.owner.void[o] {
			c.owner.void[o], c.owner.news[o] = true, true
		}
	}
	if s.x.lo >= 0 && s.x.hi-s.x.lo <= 8 {
		for _, o := range objectsOf(c.pts.Contents(p.obj, s.x.lo)) {
			take(o)
		}
		return
	}
	for _, id := range c.holds(p.obj).AppendTo(nil) {
		take(c.pts.Objects[id])
	}
}

// relaxed reports whether who reads a segment may find what another thread has written without that happening before: by an atomic access that does not
// synchronise, where no lock and no order of the threads does so instead.
func (c *collector) relaxed(s segment) bool {
	for _, g := range s.groups {
		if g.relaxed && slices.ContainsFunc(s.groups, func(h *group) bool {
			return (g.write || h.write) && !c.threads.Single() && c.threads.Parallel(g.t, g.running, h.t, h.running) && len(c.common(g, h)) == 0
		}) {
			return true
		}
	}
	return false
}

// isRelaxed reports whether an instruction is an atomic access that does not synchronise in all ways that it might: who reads an address
// has to acquire, who writes it to release, and a read-modify-write does both.
func isRelaxed(in cir.Located) bool {
	acquires := func(o cir.Order) bool { return o != cir.Relaxed && o != cir.Release }
	releases := func(o cir.Order) bool { return o != cir.Relaxed && o != cir.Acquire }
	switch in := in.(type) {
	case *cir.Load:
		return !acquires(in.Order)
	case *cir.Store:
		return !releases(in.Order)
	case *cir.RMW:
		return !acquires(in.Order) || !releases(in.Order)
	case *cir.CmpXchg:
		return !acquires(in.Order) || !releases(in.Order) || !acquires(in.Failure)
	}
	return false
}
