package dpor

import (
	"cmp"
	"slices"

	"comus/cir/interp"
)

// span is a range of bytes that an event touches.
type span struct {
	from, to uint64 // to is behind the last one
	write    bool
}

// footprint is what an event touches.
type footprint struct {
	spans []span
	all   bool // everything
	// gives is the lock that the event has given back, takes the one that it has taken; 0: none.
	gives, takes uint64
	waited       bool // it could have had to wait
}

// add adds a range.
func (f *footprint) add(at, n uint64, write bool) {
	if n == interp.Everywhere {
		f.all = true
		return
	}
	s := span{at, at + n, write}
	for i := range f.spans {
		if old := &f.spans[i]; old.write == write && old.from <= s.to && s.from <= old.to {
			old.from, old.to = min(old.from, s.from), max(old.to, s.to)
			return
		}
	}
	f.spans = append(f.spans, s)
}

// isEmpty reports whether nothing was touched that others may notice.
func (f *footprint) isEmpty() bool { return len(f.spans) == 0 && !f.all }

// dependent reports whether the order of two events of different threads matters.
func dependent(a, b *footprint) bool {
	if a.all || b.all {
		return true
	}
	for _, x := range a.spans {
		for _, y := range b.spans {
			if (x.write || y.write) && x.from < y.to && y.from < x.to {
				return true
			}
		}
	}
	return false
}

// covers reports whether all that b touches is touched by a, too.
func (f *footprint) covers(b *footprint) bool {
	if f.all {
		return true
	}
	all := slices.Clone(f.spans)
	slices.SortFunc(all, func(x, y span) int { return cmp.Compare(x.from, y.from) })
	return !b.all && !slices.ContainsFunc(b.spans, func(s span) bool {
		at := s.from
		for _, x := range all {
			if x.from <= at {
				at = max(at, x.to)
			}
		}
		return at < s.to
	})
}

// clock says, for each thread, how many of the first events of a run happen before something, of which the last is that thread's.
type clock []int

// at returns what a clock says of a thread.
func (c clock) at(thread int) int {
	if thread < len(c) {
		return c[thread]
	}
	return 0
}

// join returns a clock that has what either has. It may change c.
func (c clock) join(d clock) clock {
	for i, n := range d {
		if i == len(c) {
			c = append(c, 0)
		}
		c[i] = max(c[i], n)
	}
	return c
}

// set sets what a clock says of a thread.
func (c clock) set(thread, n int) clock {
	for len(c) <= thread {
		c = append(c, 0)
	}
	c[thread] = n
	return c
}

// event is what a thread has done in a run.
type event struct {
	thread int
	footprint
	clock clock // what happens before it, itself included
}

// node is a state that a run comes to, and what was done there.
type node struct {
	ready []int // threads that could be chosen
	todo  []int // those that have to be tried; those that were, are among them
	tried []int
	// sleep are those that need not be tried, as their next events were, from here or before.
	sleep   []sleeper
	chosen  int  // -1: not yet
	entered bool // there was an event from here
	event   event
	// wants are, of threads that have to be tried as they have not waited later, what they have touched then.
	wants []want
}

// sleeper is a thread that sleeps as long as nothing happens on which its next event depends.
type sleeper struct {
	thread int
	next   *footprint
	waits  bool // it cannot go on
}

// want is a thread that is to be tried before an event.
type want struct {
	thread int
	later  *footprint // what it has touched when it came behind that
}

// asleep returns the entry of a thread that sleeps, nil if it does not.
func (n *node) asleep(thread int) *sleeper {
	for i := range n.sleep {
		if n.sleep[i].thread == thread {
			return &n.sleep[i]
		}
	}
	return nil
}

// try has a thread tried.
func (n *node) try(thread int) {
	if !slices.Contains(n.todo, thread) {
		n.todo = append(n.todo, thread)
	}
}

// tryAll has all threads tried.
func (n *node) tryAll() {
	for _, t := range n.ready {
		n.try(t)
	}
}

// next returns a thread that is still to be tried, -1 if there is none.
func (n *node) next() int {
	for _, t := range n.todo {
		if !slices.Contains(n.tried, t) && n.asleep(t) == nil {
			return t
		}
	}
	return -1
}

// after returns the threads that sleep behind the node's event.
func (n *node) after() (list []sleeper) {
	for _, s := range n.sleep {
		if s.thread != n.event.thread && !dependent(s.next, &n.event.footprint) {
			list = append(list, s)
		}
	}
	return list
}
