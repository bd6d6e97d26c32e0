// Package unwind bounds the loops of a program: each is replaced by copies of its
// body, so that control moves forward only and each location is met at most once in
// a run. The lazy sequentialization needs its programs in this form (Inverso et al.,
// section 2).
//
// A loop is a maximal strongly connected part of a thread's graph with the location
// in it that is met first as its head; the loops inside are those of the part without
// the edges to its head. A copy of a location is the location together with the number
// of times control has come to the head of each loop around it since entering the
// loop. An execution that would go around a loop more often than the bound allows is
// cut: it waits.
package unwind

import (
	"fmt"
	"slices"
	"strings"

	"comus/ir"
)

// maxCopies bounds the locations of one unwound thread.
const maxCopies = 200_000

// Program returns a copy of a program in which control goes around each loop at most n
// times. The copy shares the program's variables and store. Its Bounded has a sentence
// more for each loop that was cut: those whose iterations may not be enough. origin has
// the edge of p that each edge stands for. The error is for a result that is too large.
func Program(p *ir.Program, n int) (out *ir.Program, origin map[*ir.Edge]*ir.Edge, err error) {
	origin = map[*ir.Edge]*ir.Edge{}
	out = &ir.Program{L: p.L, File: p.File, Vars: p.Vars, Assumptions: p.Assumptions, Bounded: slices.Clone(p.Bounded)}
	for _, t := range p.Threads {
		u := &unwinder{limit: n, from: t, to: out.NewThread(t.Name), copies: map[string]*ir.Loc{}, cut: map[*loop]bool{}, origin: origin}
		u.to.Created, u.to.Ended = t.Created, t.Ended
		u.loops(t)
		if err := u.run(); err != nil {
			return nil, nil, err
		}
		for _, l := range u.all {
			if u.cut[l] {
				out.Bounded = append(out.Bounded, fmt.Sprintf("the loop at %s is unwound %d times", l.head.Pos, n))
			}
		}
	}
	out.Bounded = slices.Compact(out.Bounded)
	return out, origin, nil
}

// loop is a strongly connected part of a thread's graph.
type loop struct {
	head *ir.Loc
	in   map[*ir.Loc]bool
}

// unwinder copies one thread.
type unwinder struct {
	limit  int
	from   *ir.Thread
	to     *ir.Thread
	all    []*loop
	around map[*ir.Loc][]*loop // the loops around each location, outermost first
	copies map[string]*ir.Loc
	work   []item
	cut    map[*loop]bool
	origin map[*ir.Edge]*ir.Edge
}

// item is a copy whose edges are to be made.
type item struct {
	orig *ir.Loc
	iter []int // of each loop around orig
	copy *ir.Loc
}

// loops finds the loops of the thread.
func (u *unwinder) loops(t *ir.Thread) {
	u.around = map[*ir.Loc][]*loop{}
	order := postorder(t)
	slices.Reverse(order)
	place := map[*ir.Loc]int{}
	for i, l := range order {
		place[l] = i
	}
	var find func(locs []*ir.Loc, head *ir.Loc)
	find = func(locs []*ir.Loc, head *ir.Loc) {
		for _, part := range components(locs, head) {
			slices.SortFunc(part, func(a, b *ir.Loc) int { return place[a] - place[b] })
			l := &loop{part[0], map[*ir.Loc]bool{}}
			for _, x := range part {
				l.in[x] = true
				u.around[x] = append(u.around[x], l)
			}
			u.all = append(u.all, l)
			find(part, l.head)
		}
	}
	find(order, nil)
}

// run makes the copies.
func (u *unwinder) run() error {
	entry := u.start(u.from.Entry)
	k := key(u.from.Entry, entry)
	u.copies[k] = u.to.Entry
	u.like(u.to.Entry, u.from.Entry)
	u.work = []item{{u.from.Entry, entry, u.to.Entry}}
	for len(u.work) > 0 {
		it := u.work[len(u.work)-1]
		u.work = u.work[:len(u.work)-1]
		for _, e := range it.orig.Out {
			iter, ok := u.after(it, e.To)
			if !ok {
				continue
			}
			f := u.to.NewEdge(it.copy, u.target(e.To, iter), e.Pos, e.Text, e.Cmds...)
			f.Kind, f.Thread, f.Mutex, f.Approx = e.Kind, e.Thread, e.Mutex, e.Approx
			u.origin[f] = e
		}
		if len(u.to.Locs) > maxCopies {
			return fmt.Errorf("unwinding: thread %s becomes larger than %d locations", u.from.Name, maxCopies)
		}
	}
	return nil
}

// start returns the iterations where control enters all loops around a location.
func (u *unwinder) start(l *ir.Loc) []int {
	iter := make([]int, len(u.around[l]))
	for i := range iter {
		iter[i] = 1
	}
	return iter
}

// after returns the iterations at the target of an edge, and false if the edge is
// cut: it goes around a loop once more than allowed.
func (u *unwinder) after(it item, to *ir.Loc) ([]int, bool) {
	from, next := u.around[it.orig], u.around[to]
	iter := u.start(to)
	for i, l := range next {
		if i >= len(from) || from[i] != l {
			break
		}
		iter[i] = it.iter[i]
		if to == l.head {
			iter[i]++
		} else if it.orig == l.head && it.iter[i] > u.limit {
			u.cut[l] = true
			return nil, false
		}
		if iter[i] > u.limit+1 { // the head is the whole body
			u.cut[l] = true
			return nil, false
		}
	}
	return iter, true
}

// target returns the copy of a location, and makes it if it is new.
func (u *unwinder) target(l *ir.Loc, iter []int) *ir.Loc {
	k := key(l, iter)
	if c := u.copies[k]; c != nil {
		return c
	}
	c := u.to.NewLoc(l.Pos)
	u.like(c, l)
	u.copies[k] = c
	u.work = append(u.work, item{l, iter, c})
	return c
}

func (u *unwinder) like(c, l *ir.Loc) {
	c.Pos, c.Atomic, c.Error, c.Text, c.Check = l.Pos, l.Atomic, l.Error, l.Text, l.Check
}

func key(l *ir.Loc, iter []int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%p", l)
	for _, i := range iter {
		fmt.Fprintf(&b, " %d", i)
	}
	return b.String()
}

// postorder returns the locations that control gets to, each after those it leads to
// (but for those in a cycle with it).
func postorder(t *ir.Thread) []*ir.Loc {
	type visit struct {
		l    *ir.Loc
		next int
	}
	seen := map[*ir.Loc]bool{t.Entry: true}
	stack := []visit{{t.Entry, 0}}
	var out []*ir.Loc
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == len(top.l.Out) {
			out = append(out, top.l)
			stack = stack[:len(stack)-1]
			continue
		}
		to := top.l.Out[top.next].To
		top.next++
		if !seen[to] {
			seen[to] = true
			stack = append(stack, visit{to, 0})
		}
	}
	return out
}

// components returns the strongly connected parts, of the graph between these
// locations without the edges to head, that have an edge inside (Tarjan).
func components(locs []*ir.Loc, head *ir.Loc) [][]*ir.Loc {
	c := &connector{in: map[*ir.Loc]bool{}, head: head, number: map[*ir.Loc]int{}, low: map[*ir.Loc]int{}, open: map[*ir.Loc]bool{}}
	for _, l := range locs {
		c.in[l] = true
	}
	for _, l := range locs {
		if c.number[l] == 0 {
			c.visit(l)
		}
	}
	return c.out
}

type connector struct {
	in          map[*ir.Loc]bool
	head        *ir.Loc
	number, low map[*ir.Loc]int
	open        map[*ir.Loc]bool
	stack       []*ir.Loc
	out         [][]*ir.Loc
}

func (c *connector) visit(l *ir.Loc) {
	c.number[l] = len(c.number) + 1
	c.low[l] = c.number[l]
	c.stack = append(c.stack, l)
	c.open[l] = true
	self := false
	for _, e := range l.Out {
		if !c.in[e.To] || e.To == c.head {
			continue
		}
		self = self || e.To == l
		if c.number[e.To] == 0 {
			c.visit(e.To)
			c.low[l] = min(c.low[l], c.low[e.To])
		} else if c.open[e.To] {
			c.low[l] = min(c.low[l], c.number[e.To])
		}
	}
	if c.low[l] != c.number[l] {
		return
	}
	var part []*ir.Loc
	for {
		top := c.stack[len(c.stack)-1]
		c.stack = c.stack[:len(c.stack)-1]
		c.open[top] = false
		part = append(part, top)
		if top == l {
			break
		}
	}
	if len(part) > 1 || self {
		c.out = append(c.out, part)
	}
}
