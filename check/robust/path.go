package robust

import (
	"slices"

	"comus/cir"
	"comus/scan/points"
)

// path says that an access may happen before another one of another location, and what has been passed at least on the way.
type path struct {
	from, to *access
	passed   mark
}

// mark is what a path has passed.
type mark uint8

const (
	full     mark = 1 << iota // what makes the two ends seen in this order by everyone: see analysis.weakens
	acquired                  // an acquire fence, in the thread of the first access
	released                  // a release fence, in the thread of the last access
	crossed                   // an edge that synchronises, to another thread
)

// state is where a path has got to.
type state struct {
	thread int
	point
	passed mark
}

// walk follows all paths from an access.
type walk struct {
	*analysis
	from *access
	// first is the location of which paths end at the first access, if there is one.
	first *points.Location
	seen  map[state]bool
	work  []state
	found map[*access]map[mark]bool
}

// connect finds the paths between accesses that may take part in a cycle.
func (a *analysis) connect() {
	var firsts []*points.Location
	for _, x := range a.accesses {
		if len(x.others) > 0 && x.only != nil && !slices.ContainsFunc(firsts, func(l *points.Location) bool { return *l == *x.only }) {
			firsts = append(firsts, x.only)
		}
	}
	for _, x := range a.accesses {
		if !a.begins(x) {
			continue
		}
		found := map[*access]map[mark]bool{}
		for _, l := range append(firsts, nil) {
			if l != nil && x.only != nil && *l == *x.only {
				continue
			}
			w := &walk{analysis: a, from: x, first: l, seen: map[state]bool{}, found: map[*access]map[mark]bool{}}
			w.run()
			for y, marks := range w.found {
				if (l == nil) == (y.only == nil) && (l == nil || *l == *y.only) {
					found[y] = marks
				}
			}
			if a.why != nil {
				return
			}
		}
		for _, y := range a.accesses {
			for m := range found[y] { // order does not matter: they are minimal, and few
				if !slices.ContainsFunc(sorted(found[y]), func(n mark) bool { return n != m && n&^m == 0 }) {
					a.paths = append(a.paths, path{x, y, m})
				}
			}
		}
	}
	slices.SortStableFunc(a.paths, func(p, q path) int {
		if p.from.id != q.from.id {
			return p.from.id - q.from.id
		}
		if p.to.id != q.to.id {
			return p.to.id - q.to.id
		}
		return int(p.passed) - int(q.passed)
	})
}

func sorted(set map[mark]bool) (list []mark) {
	for m := range set {
		list = append(list, m)
	}
	slices.Sort(list)
	return list
}

// begins reports whether something another thread does may come before an access without happening before it.
func (a *analysis) begins(x *access) bool {
	return slices.ContainsFunc(x.others, func(y *access) bool { return a.edge(y, x) })
}

// run follows the paths.
func (w *walk) run() {
	x := w.from
	k := w.codes[x.copy]
	for b, items := range k.blocks {
		for j, it := range items {
			if it.kind == touches && it.in == x.in {
				w.cross(x, state{x.thread, point{x.copy, b, j}, 0})
				w.add(state{x.thread, point{x.copy, b, j + 1}, 0})
			}
		}
	}
	w.atEnd(x.thread, 0)
	for len(w.work) > 0 && w.why == nil {
		s := w.work[len(w.work)-1]
		w.work = w.work[:len(w.work)-1]
		if w.steps++; w.steps > maxSteps {
			w.refuse(nil, "too many paths between atomic accesses")
		}
		w.step(s)
	}
}

func (w *walk) add(s state) {
	if !w.seen[s] {
		w.seen[s] = true
		w.work = append(w.work, s)
	}
}

// enter goes on in another thread.
func (w *walk) enter(t int, p point, passed mark) {
	w.add(state{t, p, passed&^released | crossed})
	w.atEnd(t, passed&^released|crossed)
}

// step does one step of a path.
func (w *walk) step(s state) {
	k := w.codes[s.copy]
	items := k.blocks[s.block]
	if s.item == len(items) {
		for _, b := range k.next[s.block] {
			w.add(state{s.thread, point{s.copy, b, 0}, s.passed})
		}
		if k.back[s.block] {
			w.leave(s)
		}
		return
	}
	r := w.runs[s.thread]
	on := s
	on.item++
	switch x := items[s.item]; x.kind {
	case touches:
		if w.touch(s, x.in) {
			return
		}
		if w.model != C11 && flushes(x.in) {
			on.passed |= full
		}
	case fences:
		w.fence(s, &on, x)
	case locks:
		for t, u := range w.runs {
			for _, p := range u.locks {
				if t != s.thread || w.threads.Many(t) {
					w.enter(t, p, s.passed)
				}
			}
		}
	case creates:
		for t, u := range w.runs[1:] {
			w.enter(t+1, point{copy: u.roots[0]}, s.passed)
		}
	case ends:
		return // as everywhere: see atEnd
	case calls:
		to := r.calls[s.point]
		for _, c := range to {
			w.add(state{s.thread, point{copy: c}, s.passed})
		}
		if len(to) > 0 && !w.opaque(s.copy, x.in.(*cir.Call)) {
			return // what is behind comes when they return
		}
	}
	w.add(on)
}

// flushes reports whether an access empties the store buffers of TSO and PSO in any case.
func flushes(in cir.Instr) bool {
	switch in := in.(type) {
	case *cir.RMW:
		return true
	case *cir.Store:
		return in.Order == cir.SeqCst
	}
	return false
}

// leave goes on where a function was called.
func (w *walk) leave(s state) {
	for _, p := range w.runs[s.thread].behind(s.copy) {
		w.add(state{s.thread, p, s.passed})
	}
}

// atEnd goes on behind joins of a thread that a path has got to.
func (w *walk) atEnd(t int, passed mark) {
	if t == 0 {
		return
	}
	for u, r := range w.runs {
		for _, p := range r.joins {
			if s := (state{u, p, passed&^released | crossed}); !w.seen[s] {
				w.enter(u, p, passed)
			}
		}
	}
}

// touch notes that a path has got to an access. It reports whether it ends there, as there is a shorter one for each cycle that it may be part of.
func (w *walk) touch(s state, in cir.Instr) (ends bool) {
	ends = true
	for _, failed := range []bool{false, true} {
		y := w.places[placeKey{s.thread, s.copy, in, failed}]
		if y == nil {
			continue
		}
		if same(w.from, y) {
			ends = ends && (!w.from.writes || y.writes && (!y.reads || y.stale))
			continue
		}
		if w.found[y] == nil {
			w.found[y] = map[mark]bool{}
		}
		w.found[y][s.passed] = true
		ends = ends && w.first != nil && y.only != nil && *w.first == *y.only
	}
	if y := w.places[placeKey{s.thread, s.copy, in, false}]; !ends {
		w.cross(y, s)
	}
	return ends
}

// cross goes on in threads that may synchronise with a release.
func (w *walk) cross(x *access, s state) {
	if !x.release {
		return
	}
	for _, y := range x.meets {
		if y.reads && y.acquire {
			w.enterAt(y, s.passed)
		}
	}
	for t := range w.runs {
		if t != s.thread || w.threads.Many(t) {
			if slices.ContainsFunc(x.meets, func(y *access) bool { return y.thread == t && y.reads }) {
				w.enterFences(t, s.passed)
			}
		}
	}
}

// enterAt goes on at an access.
func (w *walk) enterAt(y *access, passed mark) {
	for b, items := range w.codes[y.copy].blocks {
		for j, x := range items {
			if x.in == y.in {
				w.enter(y.thread, point{y.copy, b, j}, passed)
			}
		}
	}
}

// enterFences goes on at the acquire fences of a thread.
func (w *walk) enterFences(t int, passed mark) {
	r := w.runs[t]
	for _, p := range r.acquires {
		if w.codes[p.copy].blocks[p.block][p.item].kind == fences {
			w.enter(t, p, passed)
		}
	}
}

// fence does what a fence does.
func (w *walk) fence(s state, on *state, x item) {
	if x.order == cir.SeqCst {
		on.passed |= full
	}
	if releases(x.order) {
		for _, y := range w.accesses {
			if y.thread != s.thread || !y.writes {
				continue
			}
			for _, z := range y.meets {
				if z.reads && z.acquire {
					w.enterAt(z, on.passed)
				}
				if z.reads {
					w.enterFences(z.thread, on.passed)
				}
			}
		}
		on.passed |= released
	}
	if acquires(x.order) && s.passed&crossed == 0 {
		on.passed |= acquired
	}
}
