package dpor

import "slices"

// races finds the earlier events that an event of a thread, with its clock before, is in a race with, and has them tried in the other order.
func (r *run) races(e *event, before clock, deps []int) {
	if r.opt.everything {
		return
	}
	after := slices.Clone(before)
	for _, i := range deps {
		after = after.join(r.stack[i].event.clock)
	}
	for k := len(deps) - 1; k >= 0; k-- {
		i := deps[k]
		if first := &r.stack[i].event; first.thread != e.thread && before.at(first.thread) <= i {
			r.reverse(i, e, after)
		}
	}
}

// reverse has an event tried before an earlier one, i. after is the event's clock.
func (r *run) reverse(i int, e *event, after clock) {
	n := r.stack[i]
	if e.takes != 0 && n.event.gives == e.takes && n.event.thread != e.thread {
		return // before that, it is held
	}
	firsts := r.firsts(i, e, after)
	if k := slices.Index(firsts, e.thread); e.waited && k >= 0 && !r.acts(e.thread, i) { // perhaps it has to wait there
		n.wants = append(n.wants, want{e.thread, &e.footprint})
		s := n.asleep(e.thread)
		if (s == nil || !s.waits) && slices.Contains(n.ready, e.thread) {
			n.try(e.thread)
			return
		}
		if s == nil || !e.covers(s.next) {
			n.tryAll()
		}
		if firsts = slices.Delete(firsts, k, k+1); len(firsts) == 0 {
			return
		}
	}
	if slices.ContainsFunc(firsts, func(t int) bool { return slices.Contains(n.todo, t) }) {
		return
	}
	for _, t := range firsts {
		if slices.Contains(n.ready, t) {
			n.try(t)
			return
		}
	}
	n.tryAll()
}

// acts reports whether a thread has an event behind event i.
func (r *run) acts(thread, i int) bool {
	return slices.ContainsFunc(r.stack[i+1:r.depth], func(n *node) bool { return n.event.thread == thread })
}

// firsts returns the threads that can begin what comes behind event i, without what happens after that, up to e: its own, if that is among them, first.
func (r *run) firsts(i int, e *event, after clock) (list []int) {
	p := r.stack[i].event.thread
	var between []int
	var seen []int
	for j := i + 1; j < r.depth; j++ {
		x := &r.stack[j].event
		if x.clock.at(p) > i {
			continue // it happens after i
		}
		if !slices.Contains(seen, x.thread) {
			seen = append(seen, x.thread)
			if !r.behindAny(between, x.clock) {
				list = append(list, x.thread)
			}
		}
		between = append(between, j)
	}
	if !slices.Contains(seen, e.thread) && !r.behindAny(between, after) {
		list = append([]int{e.thread}, list...)
	}
	return list
}

// behindAny reports whether one of some events happens before what has a clock.
func (r *run) behindAny(events []int, c clock) bool {
	return slices.ContainsFunc(events, func(j int) bool { return c.at(r.stack[j].event.thread) > j })
}
