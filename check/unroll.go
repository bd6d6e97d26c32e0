package check

import (
	"fmt"
	"slices"
	"strconv"

	"comus/ir"
)

// maxUnrolled bounds the locations of an unrolled program.
const maxUnrolled = 60_000

// unrolling is a program whose loops have been replaced by copies of their bodies.
//
// A loop is a maximal strongly connected part of a thread's graph; one location by which
// control enters it is its head, and the loops inside are those of the part without the
// edges to its head. So every cycle of the graph passes the head of some loop, whatever
// the graph's shape. A copy is a location together with how often control has come back
// to the head of each loop around it since it entered the loop. Every copy has all edges
// of its location, so every execution of the program is one of the unrolling; only where
// control comes back to a head once more than the bound allows, the copy's one edge leads
// to an error location, whatever comes after. If the unrolling is safe, then no execution
// goes around a loop more often, and the program is safe.
type unrolling struct {
	*ir.Program
	whole *ir.Program // the program with its loops
	// origin has the location that each one is a copy of.
	origin map[*ir.Loc]*ir.Loc
	// beyond are the error locations that stand for one iteration too many.
	beyond map[*ir.Loc]bool
	// before has, for a copy in a loop, the one an iteration earlier, if there is one.
	before map[*ir.Loc]*ir.Loc
	// head has the head of the innermost loop around a location of the program.
	head map[*ir.Loc]*ir.Loc
}

// knot is a loop.
type knot struct {
	head *ir.Loc
	has  map[*ir.Loc]bool
}

// unroll goes around each loop at most bound times, each time it is entered. A program
// without loops stays as it is, but for what is not reached.
func unroll(p *ir.Program, bound int) (*unrolling, error) {
	u := &unrolling{whole: p, origin: map[*ir.Loc]*ir.Loc{}, beyond: map[*ir.Loc]bool{}, before: map[*ir.Loc]*ir.Loc{}, head: map[*ir.Loc]*ir.Loc{},
		Program: &ir.Program{L: p.L, File: p.File, Vars: p.Vars, Assumptions: p.Assumptions, Bounded: p.Bounded}}
	for _, t := range p.Threads {
		c := &copier{u: u, to: &ir.Thread{Index: t.Index, Name: t.Name, PC: t.PC, Created: t.Created, Ended: t.Ended},
			bound: bound, around: map[*ir.Loc][]*knot{}, copies: map[string]*ir.Loc{}}
		c.knots(t.Locs, nil, t.Entry)
		u.Threads = append(u.Threads, c.to)
		if err := c.run(t.Entry); err != nil {
			return nil, err
		}
	}
	return u, nil
}

// copier unrolls one thread.
type copier struct {
	u      *unrolling
	to     *ir.Thread
	bound  int
	around map[*ir.Loc][]*knot // the loops around a location, the outermost first
	copies map[string]*ir.Loc
	work   []pending
	// later are the copies that are not of a loop's first iteration.
	later []pending
}

// pending is a copy whose edges are still missing.
type pending struct {
	copy   *ir.Loc
	rounds []int // of each loop around its location
}

// knots finds the loops among locations, without the edges to cut, and those inside.
func (c *copier) knots(locs []*ir.Loc, cut, entry *ir.Loc) {
	for _, part := range cyclic(locs, cut) {
		k := &knot{has: map[*ir.Loc]bool{}}
		for _, l := range part {
			k.has[l] = true
		}
		for _, l := range part {
			enters := func(e *ir.Edge) bool { return !k.has[e.From] }
			if k.head == nil && (l == entry || slices.ContainsFunc(l.In, enters)) {
				k.head = l
			}
			c.around[l] = append(c.around[l], k)
		}
		if k.head == nil {
			k.head = part[0] // it is never reached
		}
		c.knots(part, k.head, entry)
	}
}

// cyclic returns the maximal strongly connected parts of the graph of these locations
// without the edges to cut, those that contain an edge; in each the locations by index.
func cyclic(locs []*ir.Loc, cut *ir.Loc) [][]*ir.Loc {
	s := &parts{in: map[*ir.Loc]bool{}, cut: cut, number: map[*ir.Loc]int{}, low: map[*ir.Loc]int{}, open: map[*ir.Loc]bool{}}
	for _, l := range locs {
		s.in[l] = true
	}
	for _, l := range locs {
		if s.number[l] == 0 {
			s.visit(l)
		}
	}
	return s.found
}

// parts is Tarjan's algorithm.
type parts struct {
	in          map[*ir.Loc]bool
	cut         *ir.Loc
	number, low map[*ir.Loc]int
	open        map[*ir.Loc]bool
	stack       []*ir.Loc
	found       [][]*ir.Loc
}

func (s *parts) visit(l *ir.Loc) {
	s.number[l] = len(s.number) + 1
	s.low[l] = s.number[l]
	s.stack, s.open[l] = append(s.stack, l), true
	self := false
	for _, e := range l.Out {
		to := e.To
		switch {
		case to == s.cut || !s.in[to]:
			continue
		case s.number[to] == 0:
			s.visit(to)
			s.low[l] = min(s.low[l], s.low[to])
		case s.open[to]:
			s.low[l] = min(s.low[l], s.number[to])
		}
		self = self || to == l
	}
	if s.low[l] != s.number[l] {
		return
	}
	i := slices.Index(s.stack, l)
	part := slices.Clone(s.stack[i:])
	s.stack = s.stack[:i]
	for _, x := range part {
		s.open[x] = false
	}
	if len(part) > 1 || self {
		slices.SortFunc(part, func(a, b *ir.Loc) int { return a.Index - b.Index })
		s.found = append(s.found, part)
	}
}

// run makes the copies that control can get to.
func (c *copier) run(entry *ir.Loc) error {
	c.to.Entry = c.copyOf(entry, make([]int, len(c.around[entry])))
	for len(c.work) > 0 {
		w := c.work[len(c.work)-1]
		c.work = c.work[:len(c.work)-1]
		loc := c.u.origin[w.copy]
		if c.returned(loc, w.rounds) > c.bound {
			end := c.add(loc)
			end.Error, end.Atomic, end.Text = true, false, "the loop is gone around too often"
			c.u.beyond[end] = true
			c.to.NewEdge(w.copy, end, loc.Pos, "")
			continue
		}
		for _, e := range loc.Out {
			f := c.to.NewEdge(w.copy, c.copyOf(e.To, c.after(e, w.rounds)), e.Pos, e.Text, e.Cmds...)
			f.Kind, f.Thread, f.Mutex, f.Approx, f.Origin = e.Kind, e.Thread, e.Mutex, e.Approx, e.Origin
		}
		if len(c.u.origin) > maxUnrolled {
			return fmt.Errorf("the program becomes larger than %d locations when its loops are gone around %d times", maxUnrolled, c.bound)
		}
	}
	for _, w := range c.later {
		loc := c.u.origin[w.copy]
		w.rounds[len(w.rounds)-1]--
		if earlier := c.copies[c.key(loc, w.rounds)]; earlier != nil {
			c.u.before[w.copy] = earlier
		}
	}
	return nil
}

// returned reports how often control has come back to a head; 0 for other locations. The
// loop is the innermost one around its head, because that is cut out of those inside.
func (c *copier) returned(l *ir.Loc, rounds []int) int {
	i := len(rounds) - 1
	if i < 0 || c.around[l][i].head != l {
		return 0
	}
	return rounds[i]
}

// after returns the rounds at the target of an edge: those of the loops that it stays in,
// one more if it leads to the head, and 0 for those that it enters.
func (c *copier) after(e *ir.Edge, rounds []int) []int {
	next := make([]int, len(c.around[e.To]))
	for i, k := range c.around[e.To] {
		if i >= len(rounds) || c.around[e.From][i] != k {
			break
		}
		next[i] = rounds[i]
		if k.head == e.To {
			next[i]++
		}
	}
	return next
}

func (c *copier) key(l *ir.Loc, rounds []int) string {
	b := strconv.AppendInt(nil, int64(l.Index), 10)
	for _, n := range rounds {
		b = strconv.AppendInt(append(b, ' '), int64(n), 10)
	}
	return string(b)
}

// copyOf returns the copy of a location with these rounds.
func (c *copier) copyOf(l *ir.Loc, rounds []int) *ir.Loc {
	key := c.key(l, rounds)
	if old := c.copies[key]; old != nil {
		return old
	}
	copied := c.add(l)
	c.copies[key] = copied
	c.work = append(c.work, pending{copied, rounds})
	if n := len(rounds); n > 0 {
		c.u.head[l] = c.around[l][n-1].head
		if rounds[n-1] > 0 {
			c.later = append(c.later, pending{copied, slices.Clone(rounds)})
		}
	}
	return copied
}

// add adds a location like l.
func (c *copier) add(l *ir.Loc) *ir.Loc {
	copied := c.to.NewLoc(l.Pos)
	copied.Atomic, copied.Error, copied.Text, copied.Check = l.Atomic, l.Error, l.Text, l.Check
	c.u.origin[copied] = l
	return copied
}
