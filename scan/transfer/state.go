package transfer

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"comus/cir"
)

// kind says what a value is.
type kind uint8

const (
	other   kind = iota // anything but an address within the followed object
	number              // that number; 0 is null
	node                // an address within an object that has a name
	cell                // the address of a cell
	address             // not 0, and no address within the followed object
	index               // off more than a symbol's number, n
	element             // the address of an element of the array n%maxArrays, off behind that with the symbol n/maxArrays as its index
	spot                // an address in the container of a kind with the symbol n, off behind its beginning
	numeral             // the number with the symbol n, of a type (off)
	mine                // an address in what this thread has allocated last as the private object n
	// Of links only:
	unknown // anything
	someone // the address of an object without a name
	perhaps // that, or null
)

// value is what a register, local, cell or link holds.
type value struct {
	k   kind
	n   int // the number, object or cell
	off int64
}

// anyOff is an offset that is not known.
const anyOff = int64(1) << 40

var null = value{k: number}

// Owners of objects that are no regions.
const (
	nobody = -1 // or another thread
	self   = -2
)

// maxRegions bounds the locks of a form.
const maxRegions = 4

// own is where preds has links of the thread's own objects: of lists that it has taken out as a whole.
const own = maxRegions

// object is one with a name; the first one is that which is followed.
type object struct {
	of   int // the region that it belongs to, or an owner
	link value
	// was is the link of an object of a region as it was found when the lock was taken, so far as that is known.
	was value
	// preds are how many links of objects of a region lead to it, without those that are known to.
	preds [maxRegions + 1]int8
}

// side is whose objects lead to an object that can be reached: its region, or the thread; -1: nobody's.
func (o *object) side() int {
	if o.of == self {
		return own
	}
	return max(o.of, -1)
}

// root reports whether an object leads to some without names, perhaps.
func (o *object) root() bool { return o.link.k == someone || o.link.k == perhaps }

// frame is a call of a function.
type frame struct {
	copy         int
	block, instr int
	locals, regs map[int]value
	dst          *cir.Reg
}

// state is a thread somewhere.
type state struct {
	frames       []frame
	objects      []object
	held, locked [maxRegions]bool // of a region: its cells are known; the thread has taken its lock
	alone        bool
	fresh        bool // nothing was executed yet, and containers are as the program begins
	chain        bool // there may be objects of the thread's without a name that others of them lead to
	cells        []value
	arr          slots
	which        [maxRegions]int // of a region of a kind: the symbol of the container that it is; 0: none
	derived      []derived
	orders       []order
	phase        int // how often the first thread has been alone before
	inited       inited
	lost         bool    // nothing is followed any more: the thread is alone, and has to stay so
	left         bool    // it has looked at a container of a kind while it was alone
	private      []value // what words of private objects hold
}

func (s *state) top() *frame { return &s.frames[len(s.frames)-1] }

func (s *state) clone() *state {
	c := *s
	c.frames = slices.Clone(s.frames)
	for i := range c.frames {
		c.frames[i].locals, c.frames[i].regs = maps.Clone(c.frames[i].locals), maps.Clone(c.frames[i].regs)
	}
	c.derived, c.orders = slices.Clone(s.derived), slices.Clone(s.orders)
	c.objects, c.cells = slices.Clone(s.objects), slices.Clone(s.cells)
	c.arr.list, c.arr.nums, c.private = slices.Clone(s.arr.list), slices.Clone(s.arr.nums), slices.Clone(s.private)
	return &c
}

// each calls f with all values but links.
func (s *state) each(f func(value) value) {
	for i := range s.cells {
		s.cells[i] = f(s.cells[i])
	}
	for i := range s.private {
		s.private[i] = f(s.private[i])
	}
	for i := range s.frames {
		for _, m := range []map[int]value{s.frames[i].locals, s.frames[i].regs} {
			for _, k := range slices.Sorted(maps.Keys(m)) {
				m[k] = f(m[k])
			}
		}
	}
}

// forget takes the names of some objects away.
func (s *state) forget(gone func(i int, o *object) bool) {
	to := make([]int, len(s.objects))
	var left []object
	for i := range s.objects {
		if to[i] = len(left); i > 0 && gone(i, &s.objects[i]) {
			to[i] = -1
			continue
		}
		left = append(left, s.objects[i])
	}
	if len(left) == len(s.objects) {
		return
	}
	s.objects = left
	for i := range left {
		for _, l := range []*value{&left[i].link, &left[i].was} {
			if l.k == node {
				if l.n = to[l.n]; l.n < 0 {
					*l = value{k: unknown}
				}
			}
		}
	}
	s.each(func(v value) value {
		if v.k == node {
			if v.n = to[v.n]; v.n < 0 {
				return value{k: address}
			}
		}
		return v
	})
}

// refers reports whether something but the object itself holds its address.
func (s *state) refers(i int) bool {
	yes := s.holds(i)
	for j, o := range s.objects {
		yes = yes || o.link.k == node && o.link.n == i && j != i
	}
	return yes
}

// shorten forgets the names of objects that are only on lists. cells are the form's.
func (s *state) shorten(cells []Cell) {
	s.loosen(cells)
	s.fold()
}

// fold takes the names of objects away that a list only leads through: a link that was found leads to one, its own link is as it was found, and nothing else has its address.
func (s *state) fold() {
	for j := len(s.objects) - 1; j > 0; j-- {
		o := &s.objects[j]
		r := o.side()
		if r < 0 || o.of >= 0 && !s.held[r] || !s.foundAt(o) || o.link.k == node && o.link.n == j || s.holds(j) {
			continue
		}
		n, from, good := 0, -1, true
		for i := range s.objects {
			if p := &s.objects[i]; p.link.k == node && p.link.n == j {
				n, from, good = n+1, i, good && p.of == o.of && s.foundAt(p)
			}
		}
		for k, m := range o.preds {
			n += int(m)
			good = good && (k == r || m == 0)
		}
		if n != 1 || !good {
			continue
		}
		if from >= 0 {
			s.objects[from].link, s.objects[from].was = value{k: someone}, value{k: someone}
		}
		if o.link.k == node {
			s.objects[o.link.n].preds[r]++
		}
		s.chain = s.chain || r == own
		s.forget(func(i int, _ *object) bool { return i == j })
	}
}

// loosen gives the thread objects of a region early that no cell and no other object of it leads to: what the region is left with is decided when the lock is given
// back, and by links alone. It is as if the object had not been in the list when the lock was taken. Another region may get it from the thread then.
func (s *state) loosen(cells []Cell) {
	for i := range s.objects {
		o := &s.objects[i]
		if o.of < 0 || !s.held[o.of] || o.preds != [maxRegions + 1]int8{} || o.was != null && o.was.k != node || s.inCell(cells, o.of, i) ||
			slices.ContainsFunc(s.objects, func(p object) bool { return (p.of == o.of || p.of == nobody) && p.link.k == node && p.link.n == i }) {
			continue
		}
		was := o.was
		for k := range s.objects {
			if p := &s.objects[k]; p.was.k == node && p.was.n == i {
				p.was = was
			}
		}
		o.of, o.was = self, value{k: unknown}
	}
}

// inCell reports whether a cell of a region leads to an object.
func (s *state) inCell(cells []Cell, region, object int) bool {
	for k, v := range s.cells {
		if cells[k].Region == region && v.k == node && v.n == object {
			return true
		}
	}
	return false
}

// foundAt reports whether the link of an object is one that a list without names may have: that of a region's as it was found.
func (s *state) foundAt(o *object) bool {
	known := o.root() || o.link == null || o.link.k == node && o.link.off == 0
	if o.of == self {
		return known && (o.link.k != node || s.objects[o.link.n].of == self)
	}
	return known && o.link == o.was
}

// holds reports whether something but a link holds an address of an object.
func (s *state) holds(i int) (yes bool) {
	s.each(func(v value) value {
		yes = yes || v.k == node && v.n == i
		return v
	})
	for _, c := range s.arr.list {
		yes = yes || c.v.k == node && c.v.n == i
	}
	return yes || i == 0 && slices.ContainsFunc(s.arr.in[:], func(n int) bool { return n > 0 })
}

// tidy forgets objects of no use, and names the others in the order in which they are found.
func (s *state) tidy() {
	s.forget(func(i int, o *object) bool {
		return (o.of == nobody || o.of == self && o.preds[own] == 0) && !s.refers(i)
	})
	to := map[int]int{0: 0}
	order := []int{0}
	note := func(v value) value {
		if _, known := to[v.n]; v.k == node && !known {
			to[v.n] = len(order)
			order = append(order, v.n)
		}
		return v
	}
	s.each(note)
	for i := 0; i < len(order); i++ {
		note(s.objects[order[i]].link)
		note(s.objects[order[i]].was)
	}
	for i := range s.objects {
		note(value{k: node, n: i})
	}
	var objects []object
	for _, i := range order {
		objects = append(objects, s.objects[i])
	}
	rename := func(v value) value {
		if v.k == node {
			v.n = to[v.n]
		}
		return v
	}
	for i := range objects {
		objects[i].link, objects[i].was = rename(objects[i].link), rename(objects[i].was)
	}
	s.objects = objects
	s.each(rename)
}

// key returns a text that is the same for the same states.
func (s *state) key() string {
	var b strings.Builder
	fmt.Fprint(&b, s.held, s.locked, s.alone, s.chain, s.phase, s.inited, s.lost, s.left, s.which, s.derived, s.orders, s.cells, s.objects, s.arr, s.private)
	for _, f := range s.frames {
		fmt.Fprint(&b, "|", f.copy, f.block, f.instr, f.locals, f.regs)
	}
	return b.String()
}

// chooser makes choices, and all others after one another.
type chooser struct {
	made, of []int
	at       int
	dead     bool // there is no such execution
}

func (c *chooser) choose(n int) int {
	if n <= 0 {
		c.dead = true
		return 0
	}
	if n == 1 {
		return 0
	}
	if c.at == len(c.made) {
		c.made, c.of = append(c.made, 0), append(c.of, n)
	}
	c.at++
	return c.made[c.at-1]
}

// next goes on to other choices. It reports whether there are any.
func (c *chooser) next() bool {
	c.at, c.dead = 0, false
	for i := len(c.made) - 1; i >= 0; i-- {
		if c.made[i]++; c.made[i] < c.of[i] {
			c.made, c.of = c.made[:i+1], c.of[:i+1]
			return true
		}
	}
	return false
}
