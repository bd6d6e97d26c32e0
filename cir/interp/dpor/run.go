package dpor

import (
	"slices"

	"comus/cir"
	"comus/cir/interp"
)

// run is the scheduler of a run, and its observer.
type run struct {
	*Explorer
	depth   int  // how many events there were
	active  bool // there is more than one thread
	open    int  // the thread whose event has begun; -1: none
	cur     footprint
	failed  bool // it has to wait
	over    bool // its turn is over
	cut     bool
	grown   bool
	created []int // by the event
	ended   int   // how many threads have
	threads []*threadState
	turns   []Turn
	inputs  []Input
}

// threadState is what is known of a thread in a run.
type threadState struct {
	clock  clock
	inputs int
	waits  *footprint // what it has touched when it tried the last time and had to wait; nil: it need not wait
}

// turnSteps is how many steps a turn has; the end of an event ends it before.
const turnSteps = 1 << 16

// of returns what is known of a thread.
func (r *run) of(thread int) *threadState {
	for len(r.threads) <= thread {
		r.threads = append(r.threads, &threadState{})
	}
	return r.threads[thread]
}

// Next implements [interp.Scheduler].
func (r *run) Next(ready []int, last int) (int, int64) {
	t := r.open
	if t < 0 || !slices.Contains(ready, t) {
		t = r.choose(ready, last)
	}
	r.turns = append(r.turns, Turn{t, turnSteps})
	return t, turnSteps
}

// choose returns the thread that has the next event.
func (r *run) choose(ready []int, last int) int {
	if r.depth == len(r.stack) {
		r.push(ready)
	}
	n := r.stack[r.depth]
	if n.chosen < 0 {
		n.ready = union(n.ready, ready)
		t := n.awake(ready, last)
		if t < 0 {
			r.cut = true
			return ready[0]
		}
		n.choose(t)
	}
	if !slices.Contains(ready, n.chosen) {
		r.giveUp("the program does not do the same once more")
		return ready[0]
	}
	return n.chosen
}

// union returns what is in either of two lists.
func union(a, b []int) []int {
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.Compact(out)
}

// awake returns a thread that does not sleep: the one that goes on, if possible. If all of them wait, one of these tries again, so that the interpreter sees that it is a deadlock. Otherwise, -1.
func (n *node) awake(ready []int, last int) int {
	best, waits := -1, true
	for _, t := range ready {
		s := n.asleep(t)
		if s == nil && (best < 0 || t == last) {
			best = t
		}
		waits = waits && s != nil && s.waits
	}
	if best < 0 && waits {
		return ready[0]
	}
	return best
}

// push adds a state.
func (r *run) push(ready []int) {
	n := &node{ready: slices.Clone(ready), chosen: -1, event: event{thread: -1}}
	if r.depth > 0 {
		n.sleep = r.stack[r.depth-1].after()
	}
	if r.opt.everything {
		n.sleep = nil
		n.tryAll()
	}
	r.stack = append(r.stack, n)
	if len(r.stack) > r.opt.Events {
		r.giveUp("a run has too many events")
	}
}

// Turn implements [interp.Observer].
func (r *run) Turn(thread int) bool {
	r.over = false
	switch {
	case r.cut || r.report.Why != "":
		r.over = true
		return false
	case !r.active || r.open == thread:
		return true
	}
	n := r.stackAt([]int{thread})
	if n.chosen < 0 { // there was no choice
		if n.awake([]int{thread}, thread) < 0 {
			r.cut, r.over = true, true
			return false
		}
		n.ready = union(n.ready, []int{thread})
		n.choose(thread)
	}
	if n.chosen != thread {
		r.giveUp("the program does not do the same once more")
		return false
	}
	r.begin(thread)
	return true
}

// stackAt returns the state that the run is in.
func (r *run) stackAt(ready []int) *node {
	if r.depth == len(r.stack) {
		r.push(ready)
	}
	return r.stack[r.depth]
}

// begin begins an event.
func (r *run) begin(thread int) {
	r.open, r.cur, r.failed, r.created = thread, footprint{}, false, nil
}

// Over implements [interp.Observer].
func (r *run) Over() {
	r.over = true
	switch {
	case !r.active:
		r.open = -1
	case r.failed:
		r.wait()
	case !r.cur.isEmpty():
		r.close()
	}
}

// wait notes that the thread which was chosen has to wait: that is no event.
func (r *run) wait() {
	n, t := r.stack[r.depth], r.open
	fp := r.cur
	r.open = -1
	r.of(t).waits = &fp
	if s := n.asleep(t); s != nil {
		s.next, s.waits = &fp, true
	} else {
		n.sleep = append(n.sleep, sleeper{t, &fp, true})
	}
	for _, w := range n.wants {
		if w.thread == t && !w.later.covers(&fp) {
			n.tryAll()
		}
	}
	n.chosen = -1
	if n.entered { // other threads were tried here before
		if next := n.next(); next >= 0 {
			n.choose(next)
		} else {
			r.cut = true
		}
	}
}

// close ends an event.
func (r *run) close() {
	n := r.stackAt([]int{r.open})
	t := r.of(r.open)
	e := &event{thread: r.open, footprint: r.cur}
	if r.depth < r.fresh {
		e = &n.event
	} else {
		deps := r.dependencies(e)
		r.races(e, t.clock, deps)
		e.clock = slices.Clone(t.clock)
		for _, i := range deps {
			e.clock = e.clock.join(r.stack[i].event.clock)
		}
		e.clock = e.clock.set(e.thread, r.depth+1)
		if e.all {
			n.tryAll()
		}
		n.event, n.entered = *e, true
	}
	t.clock, t.waits = e.clock, nil
	for _, c := range r.created {
		r.of(c).clock = e.clock
	}
	r.depth++
	r.open = -1
}

// dependencies returns the events so far on which one depends.
func (r *run) dependencies(e *event) (list []int) {
	for i, n := range r.stack[:r.depth] {
		if n.event.thread == e.thread || dependent(&n.event.footprint, &e.footprint) {
			list = append(list, i)
		}
	}
	return list
}

// end ends the run. A turn that is not over is how it ends, which depends on everything; what threads wait for races, too.
func (r *run) end() {
	if !r.active || r.report.Why != "" {
		return
	}
	if !r.over && r.open >= 0 {
		r.report.Unfinished = r.report.Unfinished || r.ended+1 < len(r.threads)
		r.cur.all = true
		r.close()
	}
	for id, t := range r.threads {
		if t.waits != nil {
			e := &event{thread: id, footprint: *t.waits}
			e.waited = true
			r.races(e, t.clock, r.dependencies(e))
		}
	}
}

// Cut implements [interp.Observer].
func (r *run) Cut(steps int64) { r.turns[len(r.turns)-1].Steps = steps }

// Waited implements [interp.Observer].
func (r *run) Waited(lock uint64) { r.cur.waited, r.cur.takes = true, lock }

// Fails implements [interp.Observer].
func (r *run) Fails(touched bool) {
	if r.failed = true; !touched { // it may have been touched before
		r.cur.all = true
	}
}

// Gives implements [interp.Observer].
func (r *run) Gives(lock uint64) { r.cur.gives = lock }

// Creates implements [interp.Observer].
func (r *run) Creates(thread int) {
	if !r.active {
		r.active = true
		r.stackAt([]int{0}).chosen = 0
		if n := r.stack[0]; len(n.tried) == 0 {
			n.choose(0)
		}
		r.begin(0)
	}
	r.created = append(r.created, thread)
	r.of(thread)
}

// Unknown implements [interp.Observer].
func (r *run) Unknown(why string) { r.giveUp(why) }

// mostTouched is how large a range is at most.
const mostTouched = 1 << 18

// alwaysEvents is the address up to which something is written only in events of its own, whoever looks at it: creations and ends of threads.
// The ends of threads are behind firstEnd.
const firstEnd, alwaysEvents = 1 << 12, 1 << 24

// Touches implements [interp.Observer].
func (r *run) Touches(at, n uint64, write bool, _ *cir.Site) bool {
	switch {
	case !r.active:
		return false
	case n == interp.Everywhere:
	case n > mostTouched:
		r.giveUp("an access is large")
		return false
	case !r.shared(at, n, write):
		return false
	}
	r.cur.add(at, n, write)
	return true
}

// shared notes an access, and reports whether others may notice it.
func (r *run) shared(at, n uint64, write bool) (is bool) {
	if is = at < alwaysEvents && write; is && at >= firstEnd {
		r.ended++
	}
	for w := at >> 3; w <= (at+n-1)>>3; w++ {
		u, known := r.words[w]
		if u.both {
			is = true
			continue
		}
		old := u
		if !known {
			u.thread = r.open
		}
		u.several = u.several || u.thread != r.open
		u.written = u.written || write
		if u.both = u.several && u.written; u.both {
			is, r.grown = true, true
		}
		if u != old || !known {
			r.words[w] = u
		}
	}
	return is
}

// input implements Options.Nondet of the interpreter.
func (r *run) input(name string, ty cir.Type) (lo, hi uint64) {
	if name == "" {
		r.report.Choices = true
	} else {
		r.report.Inputs = true
	}
	if r.opt.Input != nil {
		t := r.of(max(r.open, 0))
		lo, hi = r.opt.Input(max(r.open, 0), t.inputs, name, ty)
		t.inputs++
	}
	r.inputs = append(r.inputs, Input{lo, hi})
	return lo, hi
}
