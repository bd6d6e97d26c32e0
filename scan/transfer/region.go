package transfer

import (
	"fmt"
	"slices"
)

// Kinds of what a cell or link holds in a [State].
const (
	Null     = "null"
	Followed = "followed" // the object's address
	Another  = "another"  // that of the N-th other object that cells lead to
	OfCell   = "cell"     // the address of the N-th cell of the form
	Else     = "else"     // of a link, that of an object that no cell leads to; of a cell, an address that is not the object's
)

// Word is what a cell or link holds.
type Word struct {
	Is  string
	N   int
	Off int64
}

// State is a container when its lock is free, as far as one object goes.
type State struct {
	Cells []Word // in their order in the form, those of the region
	In    bool   // the object belongs to it
	Link  Word   // if so
	Pred  bool   // the link of an object that belongs to it leads to the object
	Slots []bool // of each array of the container: a used element leads to the object
}

func (s State) key() string { return fmt.Sprint(s) }

// acquire is a thread that takes a lock: it finds the container in one of some states.
func (x *explorer) acquire(s *state, r int, all []State, begins bool, ch *chooser) {
	k := ch.choose(len(all))
	if ch.dead { // there are none yet
		return
	}
	e := all[k]
	w := &s.objects[0]
	if e.In {
		if w.of != nobody {
			ch.dead = true
			return
		}
		w.of = r
	}
	w.preds[r] = bit(e.Pred)
	s.held[r] = true
	x.enter(s, r, e, begins)
	classes := map[int]int{}
	found := map[int]State{0: e}
	for i, k := range x.regionCells(r) {
		switch c := e.Cells[i]; c.Is {
		case Null:
			s.cells[k] = null
		case Followed:
			s.cells[k] = value{node, 0, c.Off}
		case Another:
			if _, known := classes[c.N]; !known {
				classes[c.N] = x.meet(s, r, e, c.N, classes, found, ch)
			}
			s.cells[k] = value{node, classes[c.N], c.Off}
		case OfCell:
			s.cells[k] = value{cell, c.N, c.Off}
		default:
			s.cells[k] = value{k: address}
		}
		if ch.dead || x.failed() {
			return
		}
	}
	stale := slices.ContainsFunc(all, func(y State) bool { return y.Pred && !y.In })
	inner := slices.ContainsFunc(all, func(y State) bool { return y.Pred && y.In })
	for i := range s.objects {
		o := &s.objects[i]
		if _, ok := found[i]; ok {
			continue
		}
		if i > 0 && o.of == nobody && inner && ch.choose(2) == 1 { // a link leads to it
			o.of, o.preds[r] = r, 1
			o.finds(value{k: perhaps})
		} else if stale {
			o.preds[r] = int8(ch.choose(2))
		}
	}
	for i := range s.objects {
		if e, ok := found[i]; ok && e.In {
			x.linkFrom(s, r, i, e, ch)
		}
	}
}

func bit(b bool) int8 {
	if b {
		return 1
	}
	return 0
}

// meet finds the n-th other object that cells lead to in a state of a container: one that has a name already, or another one. It is in a state that fits.
func (x *explorer) meet(s *state, r int, e State, n int, classes map[int]int, found map[int]State, ch *chooser) int {
	var fits []State
	for _, y := range x.known(s, r) {
		if e.fits(n, y) {
			fits = append(fits, y)
		}
	}
	var free []int
	for i := 1; i < len(s.objects); i++ {
		used := false
		for _, j := range classes {
			used = used || j == i
		}
		if !used {
			free = append(free, i)
		}
	}
	k := ch.choose(len(fits))
	if ch.dead {
		return 0
	}
	e = fits[k]
	i := ch.choose(len(free) + 1)
	if i < len(free) {
		i = free[i]
		if e.In {
			if s.objects[i].of != nobody {
				ch.dead = true
				return 0
			}
			s.objects[i].of = r
		}
	} else {
		i = x.named(s, r)
		if !e.In {
			x.stranger(s, i, r, ch)
		}
	}
	s.objects[i].preds[r] = bit(e.Pred)
	found[i] = e
	return i
}

// stranger decides who an object belongs to that is none of a region's (-1: of any region's), and has just got its name.
func (x *explorer) stranger(s *state, i, but int, ch *chooser) {
	ways := []int{nobody, self}
	for r := range x.states {
		if r != but && s.held[r] && x.linked() {
			ways = append(ways, r)
		}
	}
	if s.chain {
		ways = append(ways, own+100)
	}
	o := &s.objects[i]
	switch of := ways[ch.choose(len(ways))]; {
	case of >= 100: // one of a list
		o.of, o.preds[own] = self, 1
		o.finds(value{k: perhaps})
	case of >= 0: // no cell leads to it, so a link does
		o.of, o.preds[of] = of, 1
		o.finds(value{k: perhaps})
	default:
		o.of = of
	}
}

// finds notes what the link of an object is found to hold.
func (o *object) finds(v value) { o.link, o.was = v, v }

// named gives an object of which nothing else is known a name.
func (x *explorer) named(s *state, of int) int {
	if len(s.objects) >= maxObjects {
		x.fail("too many objects at a time")
		return 0
	}
	s.objects = append(s.objects, object{of: of, link: value{k: unknown}})
	return len(s.objects) - 1
}

// maxObjects bounds the objects with a name.
const maxObjects = 7

// fits reports whether the container may be in a state as far as one object goes, and in another one as far as the n-th other object of that goes.
func (s State) fits(n int, y State) bool {
	for i, a := range s.Cells {
		b := y.Cells[i]
		switch {
		case (a.Is == Null) != (b.Is == Null), (a.Is == OfCell) != (b.Is == OfCell) && a.Is != Else && b.Is != Else, a.Is == OfCell && b.Is == OfCell && a != b:
			return false
		case a.Is == Followed && b.Is == Followed, a.Is == Another && a.N != n && b.Is == Followed:
			return false
		case a.Is == Another && a.N == n && !(b.Is == Followed && b.Off == a.Off || b.Is == Else):
			return false
		}
	}
	return true
}

// linkFrom sets the link of an object that belongs to a container by its state.
func (x *explorer) linkFrom(s *state, r, i int, e State, ch *chooser) {
	o := &s.objects[i]
	switch {
	case !x.linked():
		return
	case e.Link.Is == Null:
		o.finds(null)
		return
	case e.Link.Is == Followed:
		x.leadsTo(s, r, i, i, ch)
		return
	case e.Link.Is == Another:
		for c, k := range x.regionCells(r) {
			if v := s.cells[k]; e.Cells[c].Is == Another && e.Cells[c].N == e.Link.N && v.k == node {
				x.leadsTo(s, r, i, v.n, ch)
				return
			}
		}
	}
	o.finds(value{k: someone})
}

// leadsTo notes that the link of an object leads to another one, if one does of which that was not known.
func (x *explorer) leadsTo(s *state, r, i, to int, ch *chooser) {
	if s.objects[to].preds[r] == 0 {
		ch.dead = true
		return
	}
	s.objects[to].preds[r]--
	s.objects[i].finds(value{node, to, 0})
}

// resolve finds out what the link of an object that can be reached holds: to none without a name, it leads to one that others lead to, or gives one a name.
func (x *explorer) resolve(s *state, i int, ch *chooser) {
	o := &s.objects[i]
	r := o.side()
	if o.link.k == perhaps {
		if o.finds(value{k: someone}); ch.choose(2) == 0 {
			o.finds(null)
		}
	}
	if o.link.k != someone {
		return
	}
	var to []int
	for j, o := range s.objects {
		if o.preds[r] > 0 && (r == own || !s.before(j, i, r)) {
			to = append(to, j)
		}
	}
	in, out := r == own, false
	for k := range x.states {
		for _, e := range x.known(s, k) {
			in, out = in || k == r && e.Pred && e.In, out || (k == r || r == own) && e.Pred && !e.In
		}
	}
	known := len(to)
	if in {
		to = append(to, -1)
	}
	if out {
		to = append(to, -2)
	}
	j := ch.choose(len(to))
	switch {
	case ch.dead:
	case j < known:
		x.leadsTo(s, r, i, to[j], ch)
	default:
		n := x.named(s, s.objects[i].of)
		if to[j] == -1 {
			s.objects[n].finds(value{k: perhaps})
		} else {
			x.stranger(s, n, s.objects[i].of, ch)
		}
		s.objects[i].finds(value{node, n, 0})
	}
}

// release is a thread that gives a lock back.
func (x *explorer) release(s *state, r int, ch *chooser) {
	lists := x.lists(s, r, ch)
	if ch.dead {
		return
	}
	found := x.close(s, r)
	in := x.leadTo(s, r, lists, found)
	for i, o := range s.objects {
		if in[i] && o.of == self && o.root() {
			x.ownLists(s, lists, ch)
			in = x.leadTo(s, r, lists, found)
			break
		}
	}
	pred := 0
	for i := range s.objects {
		o := &s.objects[i]
		to := lists[i]
		if to >= 0 && in[to] && !in[i] {
			x.fail("objects that others lead to leave a container with these, or stay with the thread")
		}
		switch l := o.link; {
		case !x.linked() || o.of != r && !in[i]:
		case !in[i]:
			if o.root() {
				s.chain = true // that list is the thread's now
			}
			if to >= 0 {
				s.objects[to].preds[own]++
			}
		case l.k == unknown || l.k == address || l.k == cell || l.k == spot || l.k == node && l.off != 0 || l.k == number && l.n != 0 || l.k == other:
			x.fail("what the link of an object in a container holds is not known")
		case l.k == node && l.n == 0 || to == 0:
			pred++
		}
	}
	for i, o := range s.objects {
		for j, to := range lists {
			if to == i && in[j] && s.objects[j].of == self {
				o.preds[own]--
			}
		}
		if in[i] && o.of == self && o.preds[own] > 0 {
			x.fail("an object is put into a container that others of the thread may lead to")
		}
		s.objects[i].preds[own] = o.preds[own]
	}
	if pred > 1 {
		x.fail("several links lead to an object")
	}
	if s.circle(lists, func(i int) (value, bool) { return s.objects[i].link, in[i] }) {
		x.fail("links lead in a circle")
	}
	if x.failed() {
		return
	}
	for i := range s.objects {
		o := &s.objects[i]
		if o.preds[r] = 0; in[i] {
			o.of = r
		} else if o.of == r {
			o.of = self
		}
	}
	e := x.project(s, r, pred > 0, ch)
	for _, n := range found {
		e.Slots = append(e.Slots, n > 0)
	}
	x.note(s, r, e)
	for _, k := range x.regionCells(r) {
		s.cells[k] = value{}
	}
	s.held[r], s.which[r] = false, 0
	if w := &s.objects[0]; w.of == r {
		w.of = nobody
		w.finds(value{k: unknown})
	}
	s.forget(func(_ int, o *object) bool { return o.of == r || o.of == nobody })
}

// lists decides where those lists of a region's objects without a name lead that begin with an object: to at most one other one, -1 if to none. Each object without a name is on one
// of them, and was when the lock was taken; nothing led in a circle then.
func (x *explorer) lists(s *state, r int, ch *chooser) []int {
	to := make([]int, len(s.objects))
	for i := range to {
		to[i] = -1
	}
	for j, o := range s.objects {
		for range o.preds[r] {
			var from []int
			for i, o := range s.objects {
				if o.of == r && o.root() && to[i] < 0 && !s.before(j, i, r) {
					from = append(from, i)
				}
			}
			k := ch.choose(len(from))
			if ch.dead {
				return to
			}
			to[from[k]] = j
			s.objects[from[k]].finds(value{k: someone})
		}
	}
	ch.dead = s.circle(to, func(i int) (value, bool) { return s.objects[i].was, s.objects[i].of == r })
	return to
}

// ownLists does so with the lists of the thread. One that leads to an object may begin with an object without a name, too.
func (x *explorer) ownLists(s *state, to []int, ch *chooser) {
	for j, o := range s.objects {
		for range o.preds[own] {
			from := []int{-1}
			for i, o := range s.objects {
				if o.of == self && o.root() && to[i] < 0 {
					from = append(from, i)
				}
			}
			if k := from[ch.choose(len(from))]; k >= 0 {
				to[k] = j
				s.objects[k].finds(value{k: someone})
			}
		}
	}
}

// leadTo finds the objects that a container leads to, of those that are its own or the thread's.
func (x *explorer) leadTo(s *state, r int, lists, found []int) []bool {
	in := make([]bool, len(s.objects))
	var mark func(i int)
	mark = func(i int) {
		o := s.objects[i]
		if in[i] || o.of != r && o.of != self {
			return
		}
		in[i] = true
		if x.linked() && o.link.k == node {
			mark(o.link.n)
		}
		if lists[i] >= 0 {
			mark(lists[i])
		}
	}
	for _, k := range x.regionCells(r) {
		if v := s.cells[k]; x.form.Cells[k].Owns && v.k == node {
			mark(v.n)
		}
	}
	if slices.Max(append(found, 0)) > 0 {
		mark(0)
	}
	return in
}

// circle reports whether links lead in a circle, and lists. It looks at what some objects hold only.
func (s *state) circle(lists []int, at func(i int) (link value, of bool)) bool {
	for i := range s.objects {
		j := i
		for range s.objects {
			link, of := at(j)
			if j = lists[j]; link.k == node {
				j = link.n
			}
			if !of || j < 0 {
				break
			}
			if j == i {
				return true
			}
		}
	}
	return false
}

// before reports whether an object is another one, or was before it in a list when the lock of a region was taken.
func (s *state) before(i, j, r int) bool {
	for range s.objects {
		switch o := s.objects[i]; {
		case o.of != r:
			return false
		case i == j:
			return true
		case o.was.k != node:
			return false
		default:
			i = o.was.n
		}
	}
	return false
}

// project returns the state of a container as far as the object goes.
func (x *explorer) project(s *state, r int, pred bool, ch *chooser) State {
	e := State{In: s.objects[0].of == r, Pred: pred, Link: Word{Is: Null}}
	classes := map[int]int{}
	for _, k := range x.regionCells(r) {
		w := Word{Is: Else}
		switch v := s.cells[k]; v.k {
		case number:
			w.Is = Null
		case cell:
			if w = (Word{OfCell, v.n, v.off}); x.form.isSlot(r) || x.form.isSlot(x.form.Cells[v.n].Region) {
				x.fail("a container of a kind holds the address of a cell")
			}
		case spot:
			x.fail("a container holds the address of one of a kind")
		case node:
			w = Word{Followed, 0, v.off}
			if v.n > 0 {
				if _, known := classes[v.n]; !known {
					classes[v.n] = len(classes) + 1
				}
				w = Word{Another, classes[v.n], v.off}
			}
		}
		e.Cells = append(e.Cells, w)
	}
	if !e.In || !x.linked() {
		return e
	}
	switch l := s.objects[0].link; l.k {
	case someone:
		e.Link.Is = Else
	case perhaps:
		if ch.choose(2) == 1 {
			e.Link.Is = Else
		}
	case node:
		n, known := classes[l.n]
		switch {
		case l.n == 0:
			e.Link.Is = Followed
		case known:
			e.Link = Word{Another, n, 0}
		default:
			e.Link.Is = Else
		}
	}
	return e
}

// note adds a state of a container.
func (x *explorer) note(s *state, r int, e State) {
	if n := x.lastRaw(s, r); n >= 0 && !e.isRaw() {
		s.inited.set(n, true)
	}
	if x.form.isSlot(r) && s.alone {
		x.noteAlone(s, r, e)
	} else if !slices.ContainsFunc(x.states[r], func(y State) bool { return y.key() == e.key() }) {
		for _, q := range x.form.twins(r) {
			x.states[q] = append(x.states[q], e)
		}
		if len(x.states[r]) > maxStates {
			x.fail("too many states of a container")
		}
		x.grown = true
	}
}

// maxStates bounds the states of a container.
const maxStates = 120
