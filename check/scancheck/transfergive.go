package scancheck

import (
	"fmt"
	"slices"

	"comus/cir"
)

// What a container is left with: what its owning cells lead to. Of objects without a name only that is known: each was on a list that began with one that has a name when the
// container was opened, and the links of these lists are as they were. Where a list leads to is decided; so it stays in the container if the object does that it begins with,
// or it is the thread's from then on. As links lead in no circle, each object without a name is on one list, and has a name where that begins.

// give closes a container: what belongs to it is settled, and its state has to be one of those that are claimed.
func (w *transferWalk) give(s *hstate, b int, at cir.Located, p *hpick) {
	ways := w.pickWays(s, b, p)
	if p.none {
		return
	}
	leads := w.closeRows(s, b, at)
	element := slices.Contains(leads, true)
	stays := w.stays(s, b, ways, element)
	for i, o := range s.objs {
		if stays[i] && o.of == mine && o.leads() { // the thread puts a list of its own there
			if w.pickOwn(s, ways, p); p.none {
				return
			}
			stays = w.stays(s, b, ways, element)
			break
		}
	}
	led := 0
	for i := range s.objs {
		to, list := ways[i]
		if list && stays[to] && !stays[i] {
			w.no("what leads to an object in a container is not there", at)
		}
		switch o := &s.objs[i]; {
		case w.link < 0:
		case stays[i]:
			w.linkStays(o, at)
			if list && to == 0 || o.link.kind == hObject && o.link.id == 0 {
				led++
			}
			if list && o.of == mine {
				s.objs[to].from[ownLinks]--
			}
		case o.of == b:
			if s.lists = s.lists || o.leads(); list {
				s.objs[to].from[ownLinks]++
			}
		}
	}
	for i, o := range s.objs {
		if stays[i] && o.from[ownLinks] != 0 {
			w.no("an object is put into a container that others of the thread may lead to", at)
		}
	}
	if led > 1 {
		w.no("several links lead to an object", at)
	}
	if circle(len(s.objs), ways, func(i int) (hval, bool) { return s.objs[i].link, stays[i] }) {
		w.no("links may lead in a circle", at)
	}
	if w.why != "" {
		return
	}
	for i := range s.objs {
		o := &s.objs[i]
		if o.from[b] = 0; stays[i] {
			o.of = b
		} else if o.of == b {
			o.of = mine
		}
	}
	e := w.describe(s, b, led > 0, p)
	if e.Slots = leads; !w.allowedState(s, b, e) {
		w.no(fmt.Sprintf("a container is left in another state: %v", e), at)
		return
	}
	for i := w.first[b]; i < w.first[b+1]; i++ {
		s.cells[i] = hval{}
	}
	s.open[b], s.kinds.seated[b] = false, 0
	if f := &s.objs[0]; f.of == b {
		f.of = notMine
		f.learn(hval{kind: hWild})
	}
	s.unname(func(i int) bool { return s.objs[i].of == b || s.objs[i].of == notMine })
}

// pickWays picks where the lists of a container's objects without a name lead: each to one object with a name, or to none. There were no circles when it was opened.
func (w *transferWalk) pickWays(s *hstate, b int, p *hpick) map[int]int {
	ways := map[int]int{}
	for i, o := range s.objs {
		for range o.from[b] {
			k := p.pick(len(s.objs))
			if _, taken := ways[k]; taken || s.objs[k].of != b || !s.objs[k].leads() {
				p.none = true
				return nil
			}
			ways[k] = i
			s.objs[k].learn(hval{kind: hOne})
		}
	}
	p.none = circle(len(s.objs), ways, func(i int) (hval, bool) { return s.objs[i].met, s.objs[i].of == b })
	return ways
}

// pickOwn does so with lists of the thread's. What leads to an object may have no name, too, where such a list begins.
func (w *transferWalk) pickOwn(s *hstate, ways map[int]int, p *hpick) {
	for i, o := range s.objs {
		for range o.from[ownLinks] {
			k := p.pick(len(s.objs) + 1)
			if k == len(s.objs) {
				continue
			}
			if _, taken := ways[k]; taken || s.objs[k].of != mine || !s.objs[k].leads() {
				p.none = true
				return
			}
			ways[k] = i
			s.objs[k].learn(hval{kind: hOne})
		}
	}
}

// linkStays verifies that the link of an object that a container is left with may be one of its links.
func (w *transferWalk) linkStays(o *hobj, at cir.Located) {
	switch l := o.link; {
	case l.kind == hObject && l.off == 0, l.kind == hNumber && l.id == 0, o.leads():
	default:
		w.no("a link in a container holds what is not known", at)
	}
}

// stays returns the objects that a container leads to, of those that were its own or the thread's. element tells that an element of an array leads to the followed one.
func (w *transferWalk) stays(s *hstate, b int, ways map[int]int, element bool) map[int]bool {
	found := map[int]bool{}
	var add func(i int)
	add = func(i int) {
		if found[i] || s.objs[i].of != b && s.objs[i].of != mine {
			return
		}
		found[i] = true
		if l := s.objs[i].link; w.link >= 0 && l.kind == hObject {
			add(l.id)
		}
		if to, ok := ways[i]; ok {
			add(to)
		}
	}
	for i := w.first[b]; i < w.first[b+1]; i++ {
		if v := s.cells[i]; w.cells[i].owns && v.kind == hObject {
			add(v.id)
		}
	}
	if element {
		add(0)
	}
	return found
}

// circle reports whether some of n objects lead to themselves, by their links and by ways through others.
func circle(n int, ways map[int]int, link func(k int) (v hval, counts bool)) bool {
	for i := range n {
		for k, steps := i, 0; steps < n; steps++ {
			v, counts := link(k)
			to, ok := ways[k]
			if v.kind == hObject {
				to, ok = v.id, true
			}
			if !counts || !ok {
				break
			}
			if k = to; k == i {
				return true
			}
		}
	}
	return false
}

// led reports whether links that were found when a container was opened lead from one of its objects to another one, or to itself.
func (s *hstate) led(from, to, b int) bool {
	for range s.objs {
		o := s.objs[from]
		if o.of != b {
			return false
		}
		if from == to {
			return true
		}
		if o.met.kind != hObject {
			return false
		}
		from = o.met.id
	}
	return false
}

// fold takes the names of objects away through which a list of a container or of the thread only passes: one link leads to each, and its own is as it was found.
// Then it is as if nobody had looked at them yet.
func (s *hstate) fold() {
	for i := len(s.objs) - 1; i > 0; i-- {
		o := s.objs[i]
		g := o.group()
		if g < 0 || g != ownLinks && !s.open[g] || !s.asFound(i) || s.held()[i] || o.link.kind == hObject && o.link.id == i {
			continue
		}
		n, by, possible := o.from[g], -1, true
		for b, k := range o.from {
			possible = possible && (b == g || k == 0)
		}
		for k, x := range s.objs {
			if x.link.kind == hObject && x.link.id == i {
				n, by, possible = n+1, k, possible && x.of == o.of && s.asFound(k)
			}
		}
		if n != 1 || !possible {
			continue
		}
		if by >= 0 {
			s.objs[by].learn(hval{kind: hOne})
		}
		if o.link.kind == hObject {
			s.objs[o.link.id].from[g]++
		}
		s.lists = s.lists || g == ownLinks
		s.unname(func(k int) bool { return k == i })
	}
}

// part gives the thread objects early that no other one of their container leads to, and no cell of it. It is open, and what belongs to it is settled by links alone when it
// is closed. Then it is as if the object had not been on its list when the container was opened. What leads to it from another container that is open makes it that one's when
// that is closed, as it does with all objects of the thread.
func (w *transferWalk) part(s *hstate) {
	for i := range s.objs {
		o := &s.objs[i]
		met := o.met
		if o.of < 0 || !s.open[o.of] || o.from != [maxBoxes + 1]int{} || met.kind != hObject && (met != hval{kind: hNumber}) {
			continue
		}
		led := false
		for _, v := range s.cells[w.first[o.of]:w.first[o.of+1]] {
			led = led || v.kind == hObject && v.id == i
		}
		for _, x := range s.objs {
			led = led || (x.of == o.of || x.of == notMine) && x.link.kind == hObject && x.link.id == i
		}
		if led {
			continue
		}
		for k := range s.objs {
			if x := &s.objs[k].met; x.kind == hObject && x.id == i {
				*x = met
			}
		}
		o.of, o.met = mine, hval{kind: hWild}
	}
}

// asFound reports whether the link of an object is null or leads to the beginning of an object, and, of one that belongs to a container, whether it does since the lock was taken.
func (s *hstate) asFound(i int) bool {
	o := &s.objs[i]
	switch l := o.link; {
	case o.leads(), l.kind == hNumber && l.id == 0:
	case l.kind != hObject || l.off != 0, o.of == mine && s.objs[l.id].of != mine:
		return false
	}
	return o.of == mine || o.link == o.met
}
