package robust

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
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

// marks is a set of marks: has bit m for mark m.
type marks uint16

// covers reports whether there is a mark in the set that has passed no more than another one. What a path passes from there on, one that has crossed passes in another way.
func (s marks) covers(m mark) bool { return s&below[m] != 0 }

// below are the marks that cover each mark.
var below = func() (list [crossed << 1]marks) {
	for m := range list {
		for n := range list {
			if n&^m == 0 && mark(n)&crossed == mark(m)&crossed {
				list[m] |= 1 << n
			}
		}
	}
	return list
}()

// walk follows all paths from an access.
type walk struct {
	*analysis
	from *access
	// first is the location of which paths end at the first access, if there is one.
	first *pointsto.Location
	seen  []marks // by points
	ended []marks // by threads
	sent  []marks // by channels
	work  []state
	found []marks // by accesses
}

// state is where a path has got to.
type state struct {
	point  int
	passed mark
}

// connect finds the paths between accesses that may take part in a cycle; those to a location end at its first access, if narrow tells so.
func (a *analysis) connect(narrow bool) {
	a.paths = nil
	firsts := []*pointsto.Location{nil}
	for _, x := range a.accesses {
		if narrow && len(x.others) > 0 && x.only != nil && !slices.ContainsFunc(firsts, func(l *pointsto.Location) bool { return l != nil && *l == *x.only }) {
			firsts = append(firsts, x.only)
		}
	}
	w := &walk{analysis: a, seen: make([]marks, len(a.control.points)), ended: make([]marks, len(a.runs)), sent: make([]marks, len(a.control.channels))}
	for _, x := range a.accesses {
		if !a.begins(x) {
			continue
		}
		w.from = x
		all := make([]marks, len(a.accesses))
		for _, w.first = range firsts {
			if w.first != nil && x.only != nil && *w.first == *x.only {
				continue
			}
			w.run()
			for i, y := range a.accesses {
				if !narrow || w.first == nil && y.only == nil || w.first != nil && y.only != nil && *w.first == *y.only {
					all[i] = w.found[i]
				}
			}
			if a.why != nil {
				return
			}
		}
		for i, y := range a.accesses {
			for m := range mark(crossed << 1) {
				if len(y.others) > 0 && all[i]&(1<<m) != 0 && !(all[i] &^ (1 << m)).covers(m) {
					a.paths = append(a.paths, path{x, y, m})
				}
			}
		}
	}
}

// begins reports whether something another thread does may come before an access without happening before it.
func (a *analysis) begins(x *access) bool {
	return slices.ContainsFunc(x.others, func(y *access) bool { return a.edge(y, x) })
}

// run follows the paths.
func (w *walk) run() {
	clear(w.seen)
	clear(w.ended)
	clear(w.sent)
	w.found = make([]marks, len(w.accesses))
	i := w.control.of[w.from]
	s := &w.control.points[i]
	w.atEnd(s.thread, 0)
	if w.from.release {
		w.cross(s, 0)
	}
	for _, n := range s.next {
		w.add(n, 0)
	}
	for len(w.work) > 0 {
		x := w.work[len(w.work)-1]
		w.work = w.work[:len(w.work)-1]
		if w.steps++; w.steps > maxSteps {
			w.refuse(nil, "too many paths between atomic accesses")
			w.work = nil
			return
		}
		w.step(&w.control.points[x.point], x.passed)
	}
}

func (w *walk) add(i int, passed mark) {
	if !w.seen[i].covers(passed) {
		w.seen[i] |= 1 << passed
		w.work = append(w.work, state{i, passed})
	}
}

// cross goes on in other threads that may synchronise.
func (w *walk) cross(s *controlPoint, passed mark) {
	for _, n := range s.across {
		w.send(n, passed&^released|crossed)
	}
}

// send goes on at the other end of a channel.
func (w *walk) send(n int, passed mark) {
	if w.sent[n].covers(passed) {
		return
	}
	w.sent[n] |= 1 << passed
	for _, i := range w.control.channels[n] {
		w.steps++
		w.add(i, passed)
		w.atEnd(w.control.points[i].thread, passed)
	}
}

// atEnd goes on behind joins of a thread that a path has got to.
func (w *walk) atEnd(t int, passed mark) {
	if t == 0 || w.control.joins < 0 || w.ended[t].covers(passed) {
		return
	}
	w.ended[t] |= 1 << passed
	w.send(w.control.joins, passed&^released|crossed)
}

// step does one step of a path.
func (w *walk) step(s *controlPoint, passed mark) {
	if len(s.accesses) > 0 && w.touch(s, passed) {
		return
	}
	if s.order == cir.SeqCst {
		passed |= full
	}
	w.cross(s, passed)
	if acquires(s.order) && passed&crossed == 0 {
		passed |= acquired
	}
	if releases(s.order) {
		passed |= released
	}
	if w.model != C11 && flushes(s.in) {
		passed |= full
	}
	for _, n := range s.next {
		w.add(n, passed)
	}
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

// touch notes that a path has got to an access. It reports whether it ends there, as there is a shorter one for each cycle that it may be part of.
func (w *walk) touch(s *controlPoint, passed mark) (ends bool) {
	ends = true
	for _, y := range s.accesses {
		if same(w.from, y) {
			ends = ends && (!w.from.writes || y.writes && (!y.reads || y.stale))
			continue
		}
		w.found[y.id] |= 1 << passed
		ends = ends && w.first != nil && y.only != nil && *w.first == *y.only
	}
	return ends
}
