package scancheck

import (
	"slices"

	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

func canonical(p *program, f *cir.Func) pointsto.Copy { return p.pts.Canonical(pointsto.Copy{Func: f}) }

// join returns what a call does that waits for the end of a thread: which threads do not run any more, and which of those that they have left
// behind may. ok is false if that is not known. The thread's id is the address of the block that the library allocated for it in the call that
// created it, so it tells that call; and only if there is one thread of it at a time, it tells the thread. Two threads
// that wait for each other do not wait.
func (ts *threads) join(t *thread, c int, call *cir.Call) (takes, adds set, ok bool) {
	cp := ts.copies[c]
	if !isJoin(call) || cp.Func.Library || t.Many || t.Loose {
		return takes, adds, false
	}
	group, ok := ts.creator(ts.pts.Places(cp.Func, cp.Ctx, call.Args[0].X))
	if !ok {
		return takes, adds, false
	}
	found := false
	for _, k := range ts.list {
		if k.Group == nil || *k.Group != group {
			continue
		}
		if k.Parent != t.index || k.Many || k.Loose || ts.mayWaitFor(k, t) {
			return takes, adds, false
		}
		found = true
		takes, adds = takes.with(k.index), adds.or(ts.left(k))
	}
	return takes.minus(adds), adds, found
}

// left returns what of a thread's descendants may be running when it has ended.
func (ts *threads) left(k *thread) set {
	if ts.cancels {
		return k.desc.minus(set{}.with(k.index))
	}
	return k.end
}

// creator returns the call that creates the threads which ids are of, if there is only one.
func (p *program) creator(ids []pointsto.Location) (group certificate.Place, ok bool) {
	for _, l := range ids {
		if g := l.Obj.Global; g != nil && g.Library && g.Source == "single_thread" { // which there is for questions only
			continue
		}
		at, is := p.createdBy(l.Obj)
		if !is || ok && at != group {
			return group, false
		}
		group, ok = at, true
	}
	return group, ok
}

// createdBy returns the call that a thread's block is allocated for.
func (p *program) createdBy(o *pointsto.Object) (certificate.Place, bool) {
	if o.Site == nil || o.Ctx.Call == nil || !o.Func.Library || o.Func.Source != "__comus_thread_begin" {
		return certificate.Place{}, false
	}
	return p.places[o.Ctx.Call], true
}

// mayWaitFor reports whether a thread may wait for the end of another one.
func (ts *threads) mayWaitFor(k, t *thread) bool {
	for _, j := range ts.joins {
		if k.nodes[j.copy] == nil {
			continue
		}
		cp := ts.copies[j.copy]
		for _, l := range ts.pts.Places(cp.Func, cp.Ctx, j.call.Args[0].X) {
			at, is := ts.createdBy(l.Obj)
			if l.Obj.External || t.index == 0 && l.Obj.Global != nil && l.Obj.Global.Source == "first_thread" || is && t.Group != nil && at == *t.Group {
				return true
			}
		}
	}
	return false
}

// parallel reports whether threads may do two things at the same time, when of what descends from them some may be running.
func (ts *threads) parallel(t *thread, running set, u *thread, also set) bool {
	switch {
	case t == u:
		return t.Many
	case t.Loose || u.Loose:
		return true
	}
	a := t
	for !a.desc.has(u.index) {
		a = ts.list[a.Parent]
	}
	switch {
	case a.Many:
		return true
	case a == t:
		return running.meets(ts.path(a, u))
	case a == u:
		return also.meets(ts.path(a, t))
	}
	return a.born[ts.child(a, t)].meets(ts.path(a, u)) || a.born[ts.child(a, u)].meets(ts.path(a, t))
}

// concurrent reports whether accesses of two threads may be those of different threads, when of what descends from them some may be running. A handler of signals runs in
// some thread that there is, which is not the one of the other access only if another one may be running then.
func (ts *threads) concurrent(t *thread, running set, u *thread, also set) bool {
	if !ts.parallel(t, running, u, also) {
		return false
	}
	switch {
	case ts.isSignal(t) == ts.isSignal(u):
		return true
	case ts.isSignal(t):
		t, running = u, also
	}
	var all set
	for i := range ts.list {
		all = all.with(i)
	}
	return slices.ContainsFunc(ts.list, func(k *thread) bool { return !ts.isSignal(k) && ts.parallel(t, running, k, all) })
}

// path returns the identities from behind a to u, which descends from it.
func (ts *threads) path(a, u *thread) (s set) {
	for ; u != a; u = ts.list[u.Parent] {
		s = s.with(u.index)
	}
	return s
}

// child returns the child of a that u is or descends from.
func (ts *threads) child(a, u *thread) int {
	for u.Parent != a.index {
		u = ts.list[u.Parent]
	}
	return u.index
}
