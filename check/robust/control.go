package robust

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// controlPoint is a point of a thread's control: before an item of a copy, or at the end of a block.
type controlPoint struct {
	thread int
	kind             // of the item, if there is one
	in     cir.Instr // nil at the end of a block
	// accesses are what is made there; those of a compare-and-exchange are alternatives.
	accesses []*access
	order    cir.Order // of a fence; Plain: it is none
	next     []int     // where control goes
	// across are the numbers of channels by which other threads get to know what was done until there.
	across []int
}

// channel is where threads get to know something: several points that those who tell it share.
type channel []int

// control is the control of all threads.
type control struct {
	points   []controlPoint
	at       map[controlKey]int
	of       map[*access]int // where accesses are made
	channels []channel
	// joins is the channel from the end of a thread to the joins.
	joins int
}

// controlKey tells points apart.
type controlKey struct {
	thread int
	point
}

// findControl finds the control of all threads.
func (a *analysis) findControl() {
	c := &control{at: map[controlKey]int{}, of: map[*access]int{}}
	a.control = c
	for t, r := range a.runs {
		for _, f := range r.list {
			for b, items := range a.codes[f].blocks {
				for j := range len(items) + 1 {
					c.at[controlKey{t, point{f, b, j}}] = len(c.points)
					c.points = append(c.points, controlPoint{thread: t})
				}
			}
		}
	}
	for t, r := range a.runs {
		for _, f := range r.list {
			for b, items := range a.codes[f].blocks {
				for j := range len(items) + 1 {
					a.fillPoint(t, point{f, b, j})
				}
			}
		}
	}
	var joins channel
	for t, r := range a.runs {
		for _, p := range r.joins {
			joins = append(joins, c.at[controlKey{t, p}])
		}
	}
	c.joins = c.number(joins)
	a.findChannels()
}

// number returns the number of a channel; -1: it leads nowhere.
func (c *control) number(list channel) int {
	slices.Sort(list)
	list = slices.Compact(list)
	if len(list) == 0 {
		return -1
	}
	for i, other := range c.channels {
		if slices.Equal(list, other) {
			return i
		}
	}
	c.channels = append(c.channels, list)
	return len(c.channels) - 1
}

// fillPoint finds out what is at a point, and where control goes from there within the thread.
func (a *analysis) fillPoint(t int, p point) {
	c, r, k := a.control, a.runs[t], a.codes[p.copy]
	i := c.at[controlKey{t, p}]
	s := &c.points[i]
	to := func(p point) { s.next = append(s.next, c.at[controlKey{t, p}]) }
	behind := point{p.copy, p.block, p.item + 1}
	if p.item == len(k.blocks[p.block]) {
		for _, b := range k.next[p.block] {
			to(point{p.copy, b, 0})
		}
		if k.back[p.block] {
			for _, q := range r.behind(p.copy) {
				to(q)
			}
		}
		return
	}
	x := k.blocks[p.block][p.item]
	s.in = x.in
	switch x.kind {
	case ends:
		return
	case calls:
		for _, d := range r.calls[p] {
			to(point{copy: d})
		}
		if len(s.next) == 0 || a.opaque(p.copy, x.in.(*cir.Call)) {
			to(behind)
		}
		return
	case fences:
		s.order = x.order
	case touches:
		for _, failed := range []bool{false, true} {
			if y := a.places[placeKey{t, p.copy, x.in, failed}]; y != nil {
				s.accesses = append(s.accesses, y)
				c.of[y] = i
			}
		}
	}
	s.kind = x.kind
	to(behind)
}

// findChannels finds where other threads may synchronise with what is done at each point.
func (a *analysis) findChannels() {
	c := a.control
	writes := make([]channel, len(a.accesses))
	var begin channel
	locked, fenced := make([]channel, len(a.runs)), make([]channel, len(a.runs))
	for _, x := range a.accesses {
		if x.writes {
			writes[x.id] = a.acquiring(x)
			fenced[x.thread] = append(fenced[x.thread], writes[x.id]...)
		}
	}
	for t, r := range a.runs {
		if t > 0 {
			begin = append(begin, c.at[controlKey{t, point{copy: r.roots[0]}}])
		}
		for u := range a.runs {
			for _, p := range r.locks {
				if t != u || a.threads.Many(t) {
					locked[u] = append(locked[u], c.at[controlKey{t, p}])
				}
			}
		}
	}
	numbers := func(list []channel) (ns []int) {
		for _, x := range list {
			ns = append(ns, c.number(slices.Clone(x)))
		}
		return ns
	}
	byWrite, byLock, byFence, byCreation := numbers(writes), numbers(locked), numbers(fenced), c.number(begin)
	for i := range c.points {
		s := &c.points[i]
		add := func(n int) {
			if n >= 0 && !slices.Contains(s.across, n) {
				s.across = append(s.across, n)
			}
		}
		for _, x := range s.accesses {
			if x.release {
				add(byWrite[x.id])
			}
		}
		switch {
		case releases(s.order):
			add(byFence[s.thread])
		case s.kind == locks:
			add(byLock[s.thread])
		case s.kind == creates:
			add(byCreation)
		}
	}
}

// acquiring returns the points where other threads may acquire what a write releases: by reading it, or by a fence behind that.
func (a *analysis) acquiring(x *access) (list []int) {
	for t := range a.runs {
		reads := false
		for _, y := range x.meets {
			if y.thread == t && y.reads {
				reads = true
				if y.acquire {
					list = append(list, a.control.of[y])
				}
			}
		}
		if reads {
			for _, p := range a.runs[t].fences {
				list = append(list, a.control.at[controlKey{t, p}])
			}
		}
	}
	return list
}

// follow finds what a thread runs.
func (a *analysis) follow(t int) *run {
	r := &run{callers: map[pointsto.Copy][]point{}, calls: map[point][]pointsto.Copy{}, has: map[pointsto.Copy]bool{}, roots: a.threads.Roots(t)}
	add := func(c pointsto.Copy) {
		if !r.has[c] {
			r.has[c] = true
			r.list = append(r.list, c)
		}
	}
	for _, c := range r.roots {
		add(c)
	}
	for i := 0; i < len(r.list); i++ {
		c := r.list[i]
		for b, items := range a.codeOf(c).blocks {
			for j, x := range items {
				p := point{c, b, j}
				switch {
				case x.kind == calls:
					for _, d := range a.threads.Calls(t, c, x.in.(*cir.Call)) {
						r.callers[d] = append(r.callers[d], p)
						r.calls[p] = append(r.calls[p], d)
						add(d)
					}
				case x.kind == joins:
					r.joins = append(r.joins, p)
				case x.kind == locks:
					r.locks = append(r.locks, p)
				case x.kind == fences && acquires(x.order):
					r.fences = append(r.fences, p)
				}
			}
		}
	}
	return r
}
