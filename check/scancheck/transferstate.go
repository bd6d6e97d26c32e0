package scancheck

import (
	"fmt"
	"maps"
	"slices"

	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// hval is what something holds while a thread is followed.
type hval struct {
	kind hkind
	id   int // a number, an object, a cell
	off  int64
}

type hkind uint8

const (
	hAny    hkind = iota // but an address in the followed object
	hNumber              // id
	hObject              // off bytes behind the beginning of the object id; noOff: somewhere in it
	hCell                // the address of a cell
	hElse                // not 0, and not in the followed object
	// Of links only:
	hWild // anything at all
	hOne  // an object without a name
	hMay  // that, or null
	// Not of links:
	hIndex   // off more than what indexes are told by with id
	hElement // the address of an element of the row id%maxRows, with an index off more than what is told by id/maxRows
	hSpot    // off bytes behind the beginning of an element of a kind, with the mark id
	hSame    // a number with the mark id, of a type (off)
	hLatest  // off bytes behind the beginning of what was allocated last of the objects with the word id
)

const noOff = certificate.SomeOff

// Who an object belongs to, if it is no container.
const (
	notMine = -1
	mine    = -2
)

const (
	maxBoxes = 4
	maxNamed = 9
)

// hobj is an object with a name. from has, for each container, how many links of its objects lead here that are not known to, and at last those of the thread's own
// objects. met is what the link held when the container's lock was taken, if that is known.
type hobj struct {
	of        int
	link, met hval
	from      [maxBoxes + 1]int
}

// ownLinks is where from has links of the thread's objects.
const ownLinks = maxBoxes

// learn notes what the link of an object is found to hold.
func (o *hobj) learn(v hval) { o.link, o.met = v, v }

// leads reports whether an object leads to others without a name, perhaps.
func (o *hobj) leads() bool { return o.link.kind == hOne || o.link.kind == hMay }

// group is where from has the links of objects with the same owner, -1 if that is somebody else.
func (o *hobj) group() int {
	if o.of == mine {
		return ownLinks
	}
	return max(o.of, -1)
}

type hframe struct {
	copy        int
	block, next int
	vars, regs  map[int]hval
	result      *cir.Reg
	to          []pointsto.Location // where a struct is written that is returned
}

// hstate is a thread at some point: open are the containers whose cells it knows, locked those whose locks it has taken.
type hstate struct {
	calls        []*hframe
	objs         []hobj
	cells        []hval
	rows         []hrow
	nums         []hval // what numbers hold
	own          []hval // what words of the thread's own objects hold
	open, locked [maxBoxes]bool
	single       bool
	kinds        kinds
	over         bool // the program's first thread is alone again, and the claim says that it stays so
	first        bool // it is the program's first thread, which has done nothing yet
	lists        bool // the thread may have objects without a name that others of it lead to
}

func (s *hstate) frame() *hframe { return s.calls[len(s.calls)-1] }

func (s *hstate) copied() *hstate {
	t := *s
	t.objs, t.cells, t.calls = slices.Clone(s.objs), slices.Clone(s.cells), nil
	t.kinds.made, t.kinds.lesses = slices.Clone(s.kinds.made), slices.Clone(s.kinds.lesses)
	t.rows, t.nums, t.own = cloneRows(s.rows), slices.Clone(s.nums), slices.Clone(s.own)
	for _, f := range s.calls {
		g := *f
		g.vars, g.regs = maps.Clone(f.vars), maps.Clone(f.regs)
		t.calls = append(t.calls, &g)
	}
	return &t
}

// change replaces all values.
func (s *hstate) change(f func(hval) hval, lost hval) {
	for i, v := range s.cells {
		s.cells[i] = f(v)
	}
	for i, v := range s.own {
		s.own[i] = f(v)
	}
	for _, fr := range s.calls {
		for k, v := range fr.vars {
			fr.vars[k] = f(v)
		}
		for k, v := range fr.regs {
			fr.regs[k] = f(v)
		}
	}
	for i := range s.objs {
		for _, l := range []*hval{&s.objs[i].link, &s.objs[i].met} {
			if l.kind != hObject {
				continue
			}
			if *l = f(*l); l.kind != hObject {
				*l = lost
			}
		}
	}
}

// held returns which objects something that is no link has an address of.
func (s *hstate) held() map[int]bool {
	m := map[int]bool{0: true}
	note := func(v hval) {
		if v.kind == hObject {
			m[v.id] = true
		}
	}
	for _, v := range slices.Concat(s.cells, s.own) {
		note(v)
	}
	for _, r := range s.rows {
		for _, e := range r.elems {
			note(e.holds)
		}
	}
	for _, f := range s.calls {
		for _, v := range f.vars {
			note(v)
		}
		for _, v := range f.regs {
			note(v)
		}
	}
	return m
}

// drop takes the names of objects away that nothing refers to any more.
func (s *hstate) drop() {
	used := s.held()
	for i, o := range s.objs {
		if o.link.kind == hObject && o.link.id != i {
			used[o.link.id] = true
		}
	}
	s.unname(func(i int) bool {
		o := &s.objs[i]
		return !used[i] && (o.of == notMine || o.of == mine && o.from[ownLinks] == 0)
	})
}

// unname makes objects nameless, the followed one excepted.
func (s *hstate) unname(which func(i int) bool) {
	to, kept := map[int]int{}, []hobj{}
	for i, o := range s.objs {
		if i == 0 || !which(i) {
			to[i] = len(kept)
			kept = append(kept, o)
		}
	}
	s.objs = kept
	s.change(func(v hval) hval {
		if v.kind != hObject {
			return v
		}
		if n, ok := to[v.id]; ok {
			v.id = n
			return v
		}
		return hval{kind: hElse}
	}, hval{kind: hWild})
}

// text is the same for states that are the same.
func (s *hstate) text() string {
	b := fmt.Append(nil, s.objs, s.cells, s.rows, s.nums, s.own, s.open, s.locked, s.single, s.lists, s.over, s.kinds)
	for _, f := range s.calls {
		b = fmt.Append(b, "/", f.copy, f.block, f.next, f.vars, f.regs)
	}
	return string(b)
}

// hpick makes all choices there are, one after another.
type hpick struct {
	path []struct{ is, of int }
	n    int
	none bool // what was chosen is impossible
}

func (p *hpick) pick(of int) int {
	switch {
	case of < 1:
		p.none = true
		return 0
	case p.n == len(p.path):
		p.path = append(p.path, struct{ is, of int }{0, of})
	}
	p.n++
	return p.path[p.n-1].is
}

func (p *hpick) more() bool {
	p.n, p.none = 0, false
	for len(p.path) > 0 {
		last := &p.path[len(p.path)-1]
		if last.is+1 < last.of {
			last.is++
			return true
		}
		p.path = p.path[:len(p.path)-1]
	}
	return false
}

// take opens a container: it is in one of its states, and so are the other objects that are found.
func (w *transferWalk) take(s *hstate, b int, p *hpick) { w.takeIn(s, b, w.possible(s, b), false, p) }

// takeIn opens a container that is in one of some states, as the program begins, or later.
func (w *transferWalk) takeIn(s *hstate, b int, all []certificate.ContainerState, begins bool, p *hpick) {
	if len(all) == 0 {
		p.none = true
		return
	}
	e := all[p.pick(len(all))]
	if e.In && s.objs[0].of != notMine {
		p.none = true
		return
	}
	s.open[b] = true
	if e.In {
		s.objs[0].of = b
	}
	w.openRows(s, b, e, begins)
	w.seed(s, b, 0, e)
	states := map[int]certificate.ContainerState{0: e}
	names := map[int]int{}
	for i, word := range e.Cells {
		v := hval{kind: hElse}
		switch word.Is {
		case "null":
			v = hval{kind: hNumber}
		case "followed":
			v = hval{hObject, 0, word.Off}
		case "cell":
			v = hval{hCell, word.N, word.Off}
		case "another":
			if _, known := names[word.N]; !known {
				if names[word.N] = w.find(s, b, e, word.N, states, p); p.none || w.why != "" {
					return
				}
			}
			v = hval{hObject, names[word.N], word.Off}
		}
		s.cells[w.first[b]+i] = v
	}
	w.strays(s, b, states, p)
	for i := range s.objs {
		if x, ok := states[i]; ok && x.In && w.link >= 0 && !p.none {
			w.startLink(s, b, i, x, p)
		}
	}
}

// seed notes how many links lead to an object.
func (w *transferWalk) seed(s *hstate, b, i int, e certificate.ContainerState) {
	if s.objs[i].from[b] = 0; e.Pred {
		s.objs[i].from[b] = 1
	}
}

// strays lets links of the container lead to objects that have a name, and that no cell leads to: some that do not belong to it, and some that do, of which that was not known.
func (w *transferWalk) strays(s *hstate, b int, states map[int]certificate.ContainerState, p *hpick) {
	led := func(in bool) bool {
		return slices.ContainsFunc(w.possible(s, b), func(e certificate.ContainerState) bool { return e.Pred && e.In == in })
	}
	for i := range s.objs {
		o := &s.objs[i]
		if _, ok := states[i]; ok {
			continue
		}
		switch p.pick(3) {
		case 1:
			o.from[b] = 1
			p.none = p.none || !led(false)
		case 2:
			p.none = p.none || i == 0 || o.of != notMine || !led(true)
			o.of, o.from[b] = b, 1
			o.learn(hval{kind: hMay})
		}
	}
}

// find returns the n-th other object that the cells of a container lead to, in one of the states that agree with what the cells hold.
func (w *transferWalk) find(s *hstate, b int, e certificate.ContainerState, n int, states map[int]certificate.ContainerState, p *hpick) int {
	all := w.possible(s, b)
	x := all[p.pick(len(all))]
	for i := range e.Cells {
		if !agree(e.Cells[i], x.Cells[i], n) {
			p.none = true
			return 0
		}
	}
	i := p.pick(len(s.objs)) // 0: one without a name so far
	if i == 0 {
		if i = w.enroll(s, b); !x.In {
			w.foreign(s, i, b, p)
		}
	} else if _, used := states[i]; used || x.In && s.objs[i].of != notMine {
		p.none = true
		return 0
	} else if x.In {
		s.objs[i].of = b
	}
	w.seed(s, b, i, x)
	states[i] = x
	return i
}

// agree reports whether a cell that holds a from one object's point of view may hold c from that of the n-th other one.
func agree(a, c certificate.Word, n int) bool {
	switch {
	case a.Is == "null" || c.Is == "null":
		return a.Is == c.Is
	case a.Is == "cell" && c.Is != "else" || c.Is == "cell" && a.Is != "else":
		return a == c
	case a.Is == "followed":
		return c.Is != "followed"
	case a.Is == "another" && a.N == n:
		return c.Is == "followed" && c.Off == a.Off || c.Is == "else"
	case a.Is == "another":
		return c.Is != "followed"
	}
	return true
}

// foreign picks the owner of an object that has just got its name, and does not belong to one of the containers (-1: it may belong to any).
func (w *transferWalk) foreign(s *hstate, i, not int, p *hpick) {
	o := &s.objs[i]
	var open []int
	for b := range w.locks {
		if s.open[b] && b != not && w.link >= 0 {
			open = append(open, b)
		}
	}
	k := p.pick(3 + len(open))
	switch {
	case k == 0:
		o.of = notMine
	case k == 1:
		o.of = mine
	case k == 2: // the thread has it by way of others that lead to it
		o.of, o.from[ownLinks] = mine, 1
		o.learn(hval{kind: hMay})
		p.none = p.none || !s.lists
	default: // no cell leads to it, so a link does
		o.of = open[k-3]
		o.from[o.of] = 1
		o.learn(hval{kind: hMay})
	}
}

// enroll gives an object of which nothing is known a name.
func (w *transferWalk) enroll(s *hstate, of int) int {
	if len(s.objs) == maxNamed {
		w.no("there are too many objects at a time", nil)
		return 0
	}
	s.objs = append(s.objs, hobj{of: of, link: hval{kind: hWild}})
	return len(s.objs) - 1
}

// startLink sets the link of an object in a container by its state.
func (w *transferWalk) startLink(s *hstate, b, i int, e certificate.ContainerState, p *hpick) {
	s.objs[i].learn(hval{kind: hOne})
	switch e.Link.Is {
	case "null":
		s.objs[i].learn(hval{kind: hNumber})
	case "followed":
		w.points(s, b, i, i, p)
	case "another":
		for k, word := range e.Cells {
			if v := s.cells[w.first[b]+k]; word.Is == "another" && word.N == e.Link.N && v.kind == hObject {
				w.points(s, b, i, v.id, p)
				return
			}
		}
	}
}

// points notes that the link of one object leads to another one.
func (w *transferWalk) points(s *hstate, group, i, to int, p *hpick) {
	if s.objs[to].from[group]--; s.objs[to].from[group] < 0 {
		p.none = true
		return
	}
	s.objs[i].learn(hval{hObject, to, 0})
}

// look finds out where the link of an object leads that belongs to an open container or to the thread.
func (w *transferWalk) look(s *hstate, i int, p *hpick) {
	of, group := s.objs[i].of, s.objs[i].group()
	if s.objs[i].link.kind == hMay {
		s.objs[i].learn([]hval{{kind: hNumber}, {kind: hOne}}[p.pick(2)])
	}
	if s.objs[i].link.kind != hOne || p.none {
		return
	}
	to := p.pick(len(s.objs) + 2)
	if to < len(s.objs) {
		if p.none = group != ownLinks && s.led(to, i, of); !p.none { // not round a circle
			w.points(s, group, i, to, p)
		}
		return
	}
	inside := to == len(s.objs)
	possible := inside && group == ownLinks
	for b := range w.states {
		all := w.possible(s, b)
		possible = possible || (b == group || group == ownLinks && !inside) && slices.ContainsFunc(all, func(e certificate.ContainerState) bool { return e.Pred && e.In == inside })
	}
	if !possible {
		p.none = true // no object is led to that belongs there, or none that does not
		return
	}
	n := w.enroll(s, of)
	if inside {
		s.objs[n].learn(hval{kind: hMay})
	} else {
		w.foreign(s, n, of, p)
	}
	s.objs[i].learn(hval{hObject, n, 0})
}

// describe returns the state of a container as far as the followed object goes.
func (w *transferWalk) describe(s *hstate, b int, led bool, p *hpick) (e certificate.ContainerState) {
	e.In, e.Pred = s.objs[0].of == b, led
	var seen []int
	for i := w.first[b]; i < w.first[b+1]; i++ {
		word := certificate.Word{Is: "else"}
		switch v := s.cells[i]; {
		case v.kind == hNumber:
			word.Is = "null"
		case v.kind == hCell:
			if word = (certificate.Word{Is: "cell", N: v.id, Off: v.off}); w.ofKind(b) || w.ofKind(w.cells[v.id].box) {
				w.no("a container of a kind holds the address of a cell", nil)
			}
		case v.kind == hObject && v.id == 0:
			word = certificate.Word{Is: "followed", Off: v.off}
		case v.kind == hObject:
			if !slices.Contains(seen, v.id) {
				seen = append(seen, v.id)
			}
			word = certificate.Word{Is: "another", N: 1 + slices.Index(seen, v.id), Off: v.off}
		}
		e.Cells = append(e.Cells, word)
	}
	if !e.In || w.link < 0 {
		return e
	}
	e.Link.Is = "else"
	switch l := s.objs[0].link; {
	case l.kind == hNumber, l.kind == hMay && p.pick(2) == 0:
		e.Link.Is = "null"
	case l.kind == hObject && l.id == 0:
		e.Link.Is = "followed"
	case l.kind == hObject && slices.Contains(seen, l.id):
		e.Link = certificate.Word{Is: "another", N: 1 + slices.Index(seen, l.id)}
	}
	return e
}
