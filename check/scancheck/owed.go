package scancheck

import (
	"slices"

	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// Of the threads that a thread creates by some calls, it owes a join for each. Where it owes none, none of them is running. That is followed from the thread's
// beginning, each call anew, with bounds of differences between the numbers that were created and joined, and the counters and limits of loops (owing.go). An id is joined once, as POSIX demands, so
// each join is one of another thread; it counts if nobody else creates threads that its id may be of, unless the same id is plainly joined again.

// debt is where a thread owes no join for what some calls create.
type debt struct {
	groups     map[certificate.Place]bool
	kids, left set
	clear      map[owing]bool // whether nothing is owed at a place, whenever control gets there behind a creation
}

// owing is the beginning of a block of a copy, or the end of a call.
type owing struct {
	copy int
	b    *cir.Block
	call *cir.Call
}

// debtsOf returns where a thread owes no joins.
func (ts *threads) debtsOf(t *thread) []*debt {
	list, known := ts.debts[t.index]
	if known || !ts.owes {
		return list
	}
	ts.debts[t.index] = nil
	if t.Many || t.Loose || t.lands || ts.isSignal(t) || ts.returnsAgain(t) {
		return nil
	}
	for _, groups := range ts.joinedTogether(t) {
		d := &debt{groups: groups, clear: map[owing]bool{}}
		ok, several := true, len(groups) > 1
		for g := range groups {
			kids, left, alone := ts.kidsOf(t, g)
			d.kids, d.left, ok = d.kids.or(kids), d.left.or(left), ok && alone
		}
		d.kids.each(func(k int) { several = several || ts.list[k].Many })
		if !several { // the id tells which one is joined
			continue
		}
		if f := ts.newFollower(t, d); ok && f.follow() {
			list = append(list, d)
		}
	}
	ts.debts[t.index] = list
	return list
}

// returnsAgain reports whether control may come back into the middle of a function of a thread, or what it does at the end of the program joins or creates threads.
func (ts *threads) returnsAgain(t *thread) bool {
	last := map[int]bool{}
	for _, f := range ts.prog.Destructors {
		last[ts.plain(f)] = true
	}
	for _, n := range t.order {
		if last[n.copy] && n.blocks != nil {
			return true
		}
		for _, b := range ts.copies[n.copy].Func.Blocks {
			if n.blocks != nil && slices.ContainsFunc(b.Instrs, func(in cir.Instr) bool { return isIntrinsic(in, cir.Setjmp) }) {
				return true
			}
		}
	}
	return false
}

// joinedTogether returns sets of calls that create threads, such that a join which counts is one of threads of one of them.
func (ts *threads) joinedTogether(t *thread) (sets []map[certificate.Place]bool) {
	for _, n := range t.order {
		for _, b := range ts.copies[n.copy].Func.Blocks {
			for _, in := range b.Instrs {
				groups := ts.joinedBy(t, n.copy, in)
				if len(groups) == 0 {
					continue
				}
				sets = slices.DeleteFunc(sets, func(set map[certificate.Place]bool) bool {
					common := false
					for g := range set {
						common = common || groups[g]
					}
					if common {
						for g := range set {
							groups[g] = true
						}
					}
					return common
				})
				sets = append(sets, groups)
			}
		}
	}
	return sets
}

// joinedBy returns the calls that create the threads which an instruction joins; none if it joins none, or if others may create some of them.
func (ts *threads) joinedBy(t *thread, c int, in cir.Instr) map[certificate.Place]bool {
	call, ok := in.(*cir.Call)
	if !ok || !isJoin(call) || ts.copies[c].Func.Library {
		return nil
	}
	groups := map[certificate.Place]bool{}
	for _, l := range ts.pts.Places(ts.copies[c].Func, ts.copies[c].Ctx, call.Args[0].X) {
		if g := l.Obj.Global; g != nil && g.Library && g.Source == "single_thread" {
			continue
		}
		at, is := ts.createdBy(l.Obj)
		if !is {
			return nil
		}
		if _, _, alone := ts.kidsOf(t, at); !alone {
			return nil
		}
		groups[at] = true
	}
	return groups
}

// clearAt returns what does not run any more where a block of a node begins, and what that has left behind.
func (ts *threads) clearAt(t *thread, at owing) (takes, adds set) {
	for _, d := range ts.debtsOf(t) {
		if d.clear[at] {
			takes, adds = takes.or(d.kids), adds.or(d.left)
		}
	}
	return takes.minus(adds), adds
}

// counted is a scalar in memory that the thread alone writes.
type counted struct {
	obj  *pointsto.Object
	off  int64
	typ  cir.Type
	size int64
}

// countedAt returns the scalar that is accessed at an address, if it is one of which there is one only.
func (ts *threads) countedAt(c int, addr cir.Value, a cir.Access) (x counted, ok bool) {
	if a.Bits != nil || !isCounter(a.Type) {
		return x, false
	}
	to := ts.pts.Places(ts.copies[c].Func, ts.copies[c].Ctx, addr)
	if len(to) != 1 || !to[0].Exact() || !ts.pts.Once(to[0].Obj) || ts.pts.Outside(to[0].Obj) {
		return x, false
	}
	if g := to[0].Obj.Global; g != nil && (g.External || g.Library) {
		return x, false
	}
	return counted{to[0].Obj, to[0].Off, a.Type, ts.prog.Model.SizeOf(a.Type)}, true
}

// isCounter reports whether numbers of a type are followed.
func isCounter(t cir.Type) bool { return t.Kind == cir.IntKind && 1 < t.Bits && t.Bits <= 64 }

// mayChange reports whether an instruction of a copy may change a scalar, without the bodies of what it calls.
func (ts *threads) mayChange(c int, in cir.Instr, x counted) bool {
	cp := ts.copies[c]
	list := ts.touches(in, cp)
	ts.formats(cp, in, list)
	if call, ok := in.(*cir.Call); ok && ts.callees(c, call).outside {
		list = append(list, ts.outside(cp, call)...)
	}
	for _, w := range list {
		if !w.write {
			continue
		}
		to := ts.pts.Places(cp.Func, cp.Ctx, w.ptr)
		var from []*pointsto.Object
		for _, l := range to {
			from = append(from, l.Obj)
			if l.Obj == x.obj && bytesOf(l, w).meets(extent{x.off, x.off + x.size}) {
				return true
			}
		}
		if w.span == listed || w.span == reaching {
			if ts.reachable(from)[x.obj] {
				return true
			}
		}
	}
	i, ok := in.(*cir.Intrinsic)
	return ok && i.Op == cir.Alloc && x.obj.Site == cir.Instr(i)
}
