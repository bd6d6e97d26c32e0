package hand

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
}

func (s State) key() string { return fmt.Sprint(s) }

// acquire is a thread that takes a lock: it finds the container in one of some states.
func (x *explorer) acquire(s *state, r int, all []State, ch *chooser) {
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
	for i := range s.objects {
		if _, ok := found[i]; !ok && stale {
			s.objects[i].preds[r] = int8(ch.choose(2))
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
	for _, y := range x.states[r] {
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
			s.objects[i].of = nobody - ch.choose(2)
		}
	}
	s.objects[i].preds[r] = bit(e.Pred)
	found[i] = e
	return i
}

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
		o.link = null
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
	o.link = value{k: someone}
}

// leadsTo notes that the link of an object leads to another one, if one does of which that was not known.
func (x *explorer) leadsTo(s *state, r, i, to int, ch *chooser) {
	if s.objects[to].preds[r] == 0 {
		ch.dead = true
		return
	}
	s.objects[to].preds[r]--
	s.objects[i].link = value{node, to, 0}
}

// resolve finds out what the link of an object of a container holds.
func (x *explorer) resolve(s *state, i int, ch *chooser) {
	r := s.objects[i].of
	if s.objects[i].link.k == perhaps {
		s.objects[i].link = value{k: someone}
		if ch.choose(2) == 0 {
			s.objects[i].link = null
		}
	}
	if s.objects[i].link.k != someone {
		return
	}
	var to []int
	for j, o := range s.objects {
		if o.preds[r] > 0 {
			to = append(to, j)
		}
	}
	in, out := false, false
	for _, e := range x.states[r] {
		in, out = in || e.Pred && e.In, out || e.Pred && !e.In
	}
	for _, of := range []struct {
		yes bool
		of  int
	}{{in, r}, {out, nobody}, {out, self}} {
		if of.yes {
			to = append(to, of.of-100)
		}
	}
	j := ch.choose(len(to))
	if ch.dead {
		return
	}
	if j = to[j]; j >= 0 {
		x.leadsTo(s, r, i, j, ch)
		return
	}
	j = x.named(s, j+100)
	s.objects[j].link = value{k: perhaps}
	if s.objects[j].of < 0 {
		s.objects[j].link = value{k: unknown}
	}
	s.objects[i].link = value{node, j, 0}
}

// release is a thread that gives a lock back.
func (x *explorer) release(s *state, r int, ch *chooser) {
	in := x.leadTo(s, r)
	pred := int8(0)
	for i := range s.objects {
		o := &s.objects[i]
		if o.of != r && o.of != self {
			continue
		}
		switch l := o.link; {
		case !x.linked():
		case in[i] && (l.k == unknown || l.k == address || l.k == cell || l.k == node && l.off != 0 || l.k == number && l.n != 0 || l.k == other):
			x.fail("what the link of an object in a container holds is not known")
		case in[i] && l.k == node && l.n == 0:
			pred++
		case !in[i] && o.of == r && (l.k == someone || l.k == perhaps):
			x.fail("objects that others lead to leave a container with these")
		}
		if o.of = r; !in[i] {
			o.of = self
		}
	}
	w := &s.objects[0]
	if pred += w.preds[r]; pred > 1 {
		x.fail("several links lead to an object")
	}
	if x.failed() {
		return
	}
	x.note(r, x.project(s, r, pred > 0, ch))
	for _, k := range x.regionCells(r) {
		s.cells[k] = value{}
	}
	s.held[r] = false
	for i := range s.objects {
		s.objects[i].preds[r] = 0
	}
	if w.of == r {
		w.of, w.link = nobody, value{k: unknown}
	}
	s.forget(func(_ int, o *object) bool { return o.of == r || o.of == nobody })
}

// leadTo finds the objects that a container leads to, of those that are its own or the thread's.
func (x *explorer) leadTo(s *state, r int) []bool {
	in := make([]bool, len(s.objects))
	var work []int
	mark := func(i int) {
		if o := s.objects[i]; !in[i] && (o.of == r || o.of == self) {
			in[i] = true
			work = append(work, i)
		}
	}
	for _, k := range x.regionCells(r) {
		if v := s.cells[k]; x.form.Cells[k].Owns && v.k == node {
			mark(v.n)
		}
	}
	for i, o := range s.objects {
		if o.preds[r] > 0 {
			mark(i)
		}
	}
	for len(work) > 0 {
		l := s.objects[work[0]].link
		if work = work[1:]; x.linked() && l.k == node {
			mark(l.n)
		}
	}
	return in
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
			w = Word{OfCell, v.n, v.off}
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
func (x *explorer) note(r int, e State) {
	if !slices.ContainsFunc(x.states[r], func(y State) bool { return y.key() == e.key() }) {
		if x.states[r] = append(x.states[r], e); len(x.states[r]) > maxStates {
			x.fail("too many states of a container")
		}
		x.grown = true
	}
}

// maxStates bounds the states of a container.
const maxStates = 120
