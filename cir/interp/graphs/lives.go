package graphs

import "comus/memory"

// Before implements [interp.Atomics]: an access comes before in each order of the run if a way of program order, reads-from and what synchronises leads from it to what the thread has done. What the
// library does without an event, as to signal a condition variable, is not known to.
func (r *run) Before(thread, other int, byte uint64) bool {
	before, some := r.causes(thread), false
	for i := range r.g.Events {
		e := &r.g.Events[i]
		if !r.done[i] || e.Thread != other || e.Kind == memory.Fence || byte-e.Loc >= r.sizes[e.Loc] {
			continue
		}
		if some = true; !before[i] {
			return false
		}
	}
	return some
}

// causes returns the events from which a way of program order, reads-from and what synchronises leads to what a thread has done.
func (r *run) causes(thread int) []bool {
	seen := make([]bool, len(r.g.Events))
	var todo []int
	add := func(i int) {
		if i >= 0 && !seen[i] {
			seen[i] = true
			todo = append(todo, i)
		}
	}
	if t := r.of(thread); t.at > 0 {
		add(r.g.threads[thread][t.at-1])
	}
	for _, b := range r.of(thread).behind {
		add(b)
	}
	earlier := make([]int, len(r.g.Events)) // the event before, in its thread
	for _, list := range r.g.threads {
		for k, i := range list {
			if earlier[i] = -1; k > 0 {
				earlier[i] = list[k-1]
			}
		}
	}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if r.g.Events[i].Thread < 0 {
			continue
		}
		add(earlier[i])
		add(r.g.RF[i])
		for _, s := range r.g.Sync {
			if s[1] == i {
				add(s[0])
			}
		}
	}
	return seen
}
