package counted

import (
	"fmt"
	"maps"
	"slices"

	"comus/cir"
)

// value is what a register, local or cell holds.
type value struct {
	kind   kind
	n, off int64
}

type kind uint8

const (
	unset   kind = iota // what package pointsto says, not decided yet
	neither             // anything that leads neither to the followed object nor to the inner one
	number              // n; off is not 0 if a counter held it, or it was computed of such a number
	other               // not 0, and neither of these
	node                // off bytes behind the beginning of the followed object; somewhere: anywhere in it
	within              // the same of the inner one
	carrier             // off bytes behind the beginning of the carrier n
	index               // a number that is less than that of the element of the row with the followed object (n < 0), or equal to it, or greater
	least               // an integer, n at least
	more                // what the counter held when its lock was taken, plus n; off at least
)

const somewhere = int64(1) << 40

var zero = value{kind: number}

// What a thread has of the followed object.
type share uint8

const (
	nothing share = iota // no reference; the object may be one that is not there yet, or not any more
	sole                 // all that there are: the counter holds state.count
	shared               // state.units of those that there are
)

// What there is of the inner object.
type inside uint8

const (
	unborn inside = iota // or another thread's
	own                  // this thread has allocated it, and it is in no member yet
	put                  // it is in the member of the followed object
	gone                 // it is not in there any more
)

const (
	unknown  = int64(-1) // of a counter
	maxUnits = 6
)

type frame struct {
	copy        int
	block, next int
	vars, regs  map[int]value
	result      *cir.Reg
}

// state is a thread somewhere, from the point of view of one object.
type state struct {
	frames       []*frame
	has          share
	count, units int64
	drops        int64 // of the units, those that go when the counter's lock is given back
	viewed       bool  // the counter was read since its lock was taken, and others hold references
	drift        int64 // what was added to it since
	inLock       bool  // the object's own lock is held
	late         bool  // what the others have done happens before only once there was a fence
	in           inside
	cells        [maxCells]value
	carriers     [maxCarriers]carried
	row          row
	open, locked [maxBoxes]bool // the cells of a container are known; its lock was taken
	single       bool           // there is no other thread
	fresh        bool           // it is the first thread, which has done nothing yet
}

func (s *state) top() *frame { return s.frames[len(s.frames)-1] }

func (s *state) copied() *state {
	t := *s
	t.frames = nil
	for _, f := range s.frames {
		g := *f
		g.vars, g.regs = maps.Clone(f.vars), maps.Clone(f.regs)
		t.frames = append(t.frames, &g)
	}
	return &t
}

// change replaces all values.
func (s *state) change(f func(value) value) {
	for i, v := range s.cells {
		s.cells[i] = f(v)
	}
	for i, c := range s.carriers {
		s.carriers[i].holds = f(c.holds)
	}
	for _, fr := range s.frames {
		for k, v := range fr.vars {
			fr.vars[k] = f(v)
		}
		for k, v := range fr.regs {
			fr.regs[k] = f(v)
		}
	}
}

// refers reports whether something may hold an address of a kind.
func (s *state) refers(k kind) bool {
	return k == node && s.row != absent || s.knows(k)
}

// knows reports whether something holds an address of a kind for certain.
func (s *state) knows(k kind) (yes bool) {
	if k == node && s.row == once {
		return true
	}
	s.change(func(v value) value {
		yes = yes || v.kind == k
		return v
	})
	return yes
}

// text is the same for states that are the same.
func (s *state) text() string {
	b := fmt.Append(nil, s.has, s.count, s.units, s.drops, s.viewed, s.drift, s.inLock, s.late, s.in, s.cells, s.carriers, s.row, s.open, s.locked, s.single, s.fresh)
	for _, f := range s.frames {
		b = fmt.Append(b, "/", f.copy, f.block, f.next, f.vars, f.regs)
	}
	return string(b)
}

func (f *frame) set(r *cir.Reg, v value) {
	if r == nil {
		return
	}
	if delete(f.regs, r.Index); v.kind != unset {
		f.regs[r.Index] = v
	}
}

// choice makes all choices there are, one after another.
type choice struct {
	made, of []int
	at       int
	dead     bool // there is no such execution
}

func (c *choice) pick(n int) int {
	switch {
	case n < 1:
		c.dead = true
		return 0
	case c.at == len(c.made):
		c.made, c.of = append(c.made, 0), append(c.of, n)
	}
	c.at++
	return c.made[c.at-1]
}

// next goes on to other choices. It reports whether there are any.
func (c *choice) next() bool {
	c.at, c.dead = 0, false
	for i := len(c.made) - 1; i >= 0; i-- {
		if c.made[i]++; c.made[i] < c.of[i] {
			c.made, c.of = c.made[:i+1], c.of[:i+1]
			return true
		}
	}
	return false
}

// boxState is what the cells of a container hold while its lock is free: 0, the address of the followed object, or another one.
type boxState [maxCells]value

// take opens a container, with the references that its cells hold.
func (w *walk) take(s *state, b int, ch *choice) { w.takeIn(s, b, w.states[b], ch) }

func (w *walk) takeIn(s *state, b int, all []boxState, ch *choice) {
	if len(all) == 0 {
		ch.dead = true
		return
	}
	e := all[ch.pick(len(all))]
	s.open[b] = true
	n := int64(0)
	for i, c := range w.form.cells {
		if c.box == b {
			if s.cells[i] = e[i]; e[i].kind == node {
				n++
			}
		}
	}
	if n == 0 {
		return
	}
	if s.viewed { // others need not hold any of those that were seen
		w.no("a reference is taken out of a container by who looks at the counter", nil)
	}
	switch s.has {
	case sole:
		ch.dead = true // all references are this thread's
	case nothing:
		s.has, s.units = shared, n
	default:
		s.units += n
	}
}

// give closes a container: each of its cells that leads to the object takes a reference.
func (w *walk) give(s *state, b int, at cir.Located) {
	if w.form.outer == b {
		w.settle(s)
	}
	e, n := boxState{}, int64(0)
	for i, c := range w.form.cells {
		if c.box != b {
			continue
		}
		switch e[i] = s.cells[i]; e[i].kind {
		case node:
			n++
		case number, other:
		default:
			w.no("a cell holds what is not known", at)
		}
		s.cells[i] = value{}
	}
	if n > 0 {
		w.handOn(s, n, at)
	}
	if s.open[b] = false; w.why == "" && !slices.Contains(w.states[b], e) {
		w.states[b] = append(w.states[b], e)
		w.grown = true
	}
}

// handOn gives references away.
func (w *walk) handOn(s *state, n int64, at cir.Located) {
	w.proof.stale = w.proof.stale || s.in == gone
	switch {
	case s.has == sole && s.count >= n && !s.inLock:
		s.has, s.units = shared, s.count-n
	case s.has == shared && s.units-s.drops >= n:
		s.units -= n
	default:
		w.no("a reference is handed on that is not held", at)
	}
}

// settle lets references go that were dropped under the counter's lock.
func (w *walk) settle(s *state) {
	s.units, s.drops, s.viewed, s.drift = s.units-s.drops, 0, false, 0
	s.change(func(v value) value {
		if v.kind == more {
			return value{kind: least, n: v.off}
		}
		return v
	})
}

// tidy forgets an object of which the thread has nothing left.
func (s *state) tidy() {
	s.forgetCarriers()
	if s.has == shared && s.units == 0 && s.drops == 0 && !s.inLock && !s.refers(node) && s.in != own {
		s.has = nothing
	}
	if s.has == nothing && s.in != own && !s.refers(within) {
		s.in = unborn
	}
	if s.has != sole {
		s.count, s.late = 0, false
	}
	if s.has != shared {
		s.units, s.drops, s.viewed, s.drift = 0, 0, false, 0
	}
}
