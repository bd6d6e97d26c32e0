package thread

import (
	"cmp"
	"context"
	"slices"

	"comus/cir"
)

// solve analyses the threads; once more if there turn out to be several of one that are joined somewhere, with tallies then.
func (r *Result) solve(ctx context.Context) error {
	type begun struct{ many, loose bool }
	first := map[*Thread]begun{}
	for _, t := range r.Threads {
		first[t] = begun{t.Many, t.loose}
		t.flow = newFlow(r, t)
		t.flow.findBatches()
	}
	if err := r.settle(ctx); err != nil {
		return err
	}
	found := false
	for _, t := range r.Threads {
		t.flow.findTallies()
		found = found || len(t.flow.tallies) > 0
	}
	if !found {
		return nil
	}
	for _, t := range r.Threads {
		t.Many, t.loose = first[t].many, first[t].loose
		for _, b := range t.flow.batches {
			b.refuted = false
		}
	}
	return r.settle(ctx)
}

// settle analyses the threads, children first, and again as long as there turn out to be more of one.
func (r *Result) settle(ctx context.Context) error {
	order := slices.Clone(r.Threads)
	slices.SortStableFunc(order, func(x, y *Thread) int { return cmp.Compare(y.depth, x.depth) })
	for changed := true; changed; {
		for _, t := range r.Threads { // parents first
			t.Many = t.Many || t.Parent != nil && t.Parent.Many
			t.loose = t.loose || t.Parent != nil && t.Parent.loose
		}
		for _, t := range order {
			if err := ctx.Err(); err != nil {
				return err
			}
			t.flow.run()
		}
		changed = r.findMany()
		for _, t := range r.Threads {
			changed = t.flow.refute() || changed
		}
	}
	return nil
}

// findMany marks the identities of which one may be running when another one is created. It reports whether that is news.
func (r *Result) findMany() (changed bool) {
	for _, t := range r.Threads {
		for k, s := range t.flow.born {
			if k.Many {
				continue
			}
			for _, other := range r.Threads {
				if s.Has(other.Index) && (other.group == k.group || other.Descends(k)) {
					k.Many, changed = true, true
				}
			}
		}
	}
	for _, t := range r.Threads { // any thread may run a handler
		if t.Signal && !t.Many && slices.ContainsFunc(r.Threads, func(u *Thread) bool { return !u.Signal && u.Parent != nil }) {
			t.Many, changed = true, true
		}
	}
	return changed
}

// Descends reports whether an identity is another one or created by one that descends from it.
func (t *Thread) Descends(from *Thread) bool {
	for ; t != nil; t = t.Parent {
		if t == from {
			return true
		}
	}
	return false
}

// Each calls visit for each instruction and terminator that a thread may run in a node, with the identities that may be running then, as far as
// the thread's descendants go.
func (r *Result) Each(t *Thread, n *Node, visit func(in cir.Located, running Set)) {
	if t.flow.reaches(n) {
		t.flow.each(n, visit)
	}
}

// Single reports whether the process never has more than one thread: the program creates none, it only installs handlers of signals, and these run in the thread that
// there is. Two accesses of one thread are no data race (C11 5.1.2.4: they are those of different threads), whatever interrupts what. Nothing else follows: what
// a handler writes may change between any two steps of the program ([Result.Parallel]). Code outside that calls back at any time, as for a timer, does so in a thread of its own.
func (r *Result) Single() bool {
	return !r.Unknown && !slices.ContainsFunc(r.Threads[1:], func(t *Thread) bool { return !t.Delivers() })
}

// Delivers reports whether a thread runs the handlers of a signal that the program installs, in whatever thread.
func (t *Thread) Delivers() bool { return t.Root.Fn.Library && t.Root.Fn.Source == "deliver" }

// Parallel reports whether two threads may make accesses at the same time: t when what may be running of its descendants is running, and u
// likewise. For t == u, they are two of the identity.
func (r *Result) Parallel(t *Thread, running Set, u *Thread, also Set) bool {
	switch {
	case t == u:
		return t.Many
	case t.loose || u.loose:
		return true
	}
	a := ancestor(t, u)
	switch {
	case a.Many:
		return true
	case a == t:
		return running.meets(path(t, u))
	case a == u:
		return also.meets(path(u, t))
	}
	key := [2]int{min(t.Index, u.Index), max(t.Index, u.Index)}
	meet, known := r.meets[key]
	if !known {
		meet = a.flow.bornWith(child(a, t), path(a, u)) || a.flow.bornWith(child(a, u), path(a, t))
		r.meets[key] = meet
	}
	return meet
}

// Concurrent reports whether accesses of two threads, as for [Result.Parallel], may be those of different threads: a handler of signals runs in one that there is, so another
// one than that of the other access has to be running then. What a handler and the thread that it interrupts access is no data race (C11 5.1.2.4).
func (r *Result) Concurrent(t *Thread, running Set, u *Thread, also Set) bool {
	if !r.Parallel(t, running, u, also) {
		return false
	}
	switch {
	case r.Unknown || t.Delivers() == u.Delivers():
		return true
	case t.Delivers():
		t, running = u, also
	}
	any := make(Set, len(r.Threads)/64+1)
	for _, k := range r.Threads {
		any[k.Index/64] |= 1 << (k.Index % 64)
	}
	return slices.ContainsFunc(r.Threads, func(k *Thread) bool { return !k.Delivers() && r.Parallel(t, running, k, any) })
}

// bornWith reports whether one of some identities may be running when a child is created.
func (f *flow) bornWith(k *Thread, others Set) bool { return f.born[k].meets(others) }

// ancestor returns the last identity that two descend from, or one of them.
func ancestor(t, u *Thread) *Thread {
	for t != u {
		if t.depth < u.depth {
			t, u = u, t
		}
		t = t.Parent
	}
	return t
}

// path returns the identities from behind a to u, which descends from a.
func path(a, u *Thread) (s Set) {
	for ; u != a; u = u.Parent {
		s = s.with(u.Index)
	}
	return s
}

// child returns the child of a that u is or descends from.
func child(a, u *Thread) *Thread {
	for u.Parent != a {
		u = u.Parent
	}
	return u
}
