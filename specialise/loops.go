package specialise

import (
	"fmt"
	"slices"

	"comus/ir"
	"comus/logic"
)

// What a thread waits for that no other one alone gives, a semaphore's unit or a signal, stays away for good although some thread runs for
// ever, if that one never gives it. Here this is told by the code: from the loop that the thread is in, no step can be reached that writes what
// is waited for, none that ends the program, and no thread is created that has one. A thread tells when it enters such a loop; what it
// gives beyond is less and less.

// looping is what a thread tells of the loops that it enters.
type looping struct {
	in      *ir.Var              // the last one of those that leave something waiting, by number
	n       int64                // how many there are
	idle    map[*waiting][]int64 // the loops that give nothing of what a place waits for
	endless []int64              // those that the thread does not end after
}

// giving is what a thread may still do for others.
type giving struct {
	vars map[*ir.Var]bool
	any  bool // it may end the program, or do what is not known
}

// loopsIdly returns the condition that a thread is in, or behind, a loop that never gives what a place waits for.
func (d *deadlock) loopsIdly(t *thread, w *waiting) *logic.Term {
	L := d.b.L
	c := L.False()
	if l := d.loops[t]; l != nil {
		c = l.isIn(L, l.idle[w])
	}
	return c
}

// isIn returns the condition that the last loop is one of these.
func (l *looping) isIn(L *logic.Store, loops []int64) *logic.Term {
	c := L.False()
	for _, k := range loops {
		c = L.Or(c, L.Eq(l.in.Sym, L.Int(k)))
	}
	return c
}

// findLoops finds the loops of threads that leave others waiting, and adds the steps by which they tell.
func (d *deadlock) findLoops() {
	b := d.b
	d.loops = map[*thread]*looping{}
	needs, places := map[*waiting][]*ir.Var{}, map[*loc]bool{}
	for _, w := range b.waitings {
		needs[w], places[w.at] = b.sharedIn(&value{t: w.ready}), true
	}
	for _, t := range b.threads {
		for _, loop := range t.cycles() {
			g := d.gives(t, loop, places)
			var left []*waiting
			for _, w := range b.waitings {
				if w.th == t {
					continue
				}
				switch given := needs[w]; {
				case !g.any && !slices.ContainsFunc(given, func(v *ir.Var) bool { return g.vars[v] }) && !slices.Contains(given, t.ended) && !loop[t.entry]:
					left = append(left, w)
				case !b.knowsGiver(w, given):
					b.assume(assumeGives)
				}
			}
			if len(left) > 0 {
				d.tellLoop(t, loop, left)
				if !g.vars[t.ended] {
					d.loops[t].endless = append(d.loops[t].endless, d.loops[t].n)
				}
			}
		}
	}
}

// knowsGiver reports whether what is waited for itself tells which thread alone gives it.
func (b *builder) knowsGiver(w *waiting, given []*ir.Var) bool {
	return w.giver != nil && !slices.ContainsFunc(b.sharedIn(&value{t: w.giver}), func(v *ir.Var) bool { return !slices.Contains(given, v) })
}

// gives returns what a thread may still do for others when it is in a loop, and what the threads may that it creates. Where control does
// not go on, the program ends, or is cut off, but for places where the thread waits for ever.
func (d *deadlock) gives(t *thread, loop, places map[*loc]bool) *giving {
	g := &giving{vars: map[*ir.Var]bool{}}
	outs := map[*thread]map[*loc][]*edge{}
	type at struct {
		t *thread
		l *loc
	}
	var work []at
	seen := map[*loc]bool{}
	visit := func(t *thread, l *loc) {
		if !seen[l] {
			seen[l] = true
			work = append(work, at{t, l})
		}
	}
	for l := range loop {
		visit(t, l)
	}
	ends := map[*loc]bool{}
	for len(work) > 0 && !g.any {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if outs[x.t] == nil {
			outs[x.t] = x.t.outgoing()
		}
		next := outs[x.t][x.l]
		g.any = x.l.dead || len(next) == 0 && !ends[x.l] && !places[x.l]
		for _, e := range next {
			g.any = g.any || doubtful(e)
			for _, c := range e.cmds {
				if c.Var != nil && c.Var.Thread == ir.Shared {
					g.vars[c.Var] = true
				}
			}
			if e.kind == ir.End || x.t.index == 0 && d.setsMainEnded(e) {
				ends[e.to] = true
			}
			if e.kind == ir.Create {
				visit(d.b.threads[e.thread], d.b.threads[e.thread].entry)
			}
			visit(x.t, e.to)
		}
	}
	return g
}

// setsMainEnded reports whether a step ends main, but not the program.
func (d *deadlock) setsMainEnded(e *edge) bool {
	v := d.b.flags["ended0"]
	return v != nil && slices.ContainsFunc(e.cmds, func(c ir.Cmd) bool { return c.Var == v })
}

// tellLoop adds the steps by which a thread tells that it enters a loop, which gives nothing of what these places wait for.
func (d *deadlock) tellLoop(t *thread, loop map[*loc]bool, left []*waiting) {
	b := d.b
	l := d.loops[t]
	if l == nil {
		l = &looping{in: b.sharedVar(fmt.Sprintf("t%d.loops", t.index), ir.Type{Bits: 16}), idle: map[*waiting][]int64{}}
		d.loops[t] = l
	}
	l.n++
	for _, w := range left {
		l.idle[w] = append(l.idle[w], l.n)
	}
	for _, e := range slices.Clone(t.edges) {
		if loop[e.from] || !loop[e.to] {
			continue
		}
		mid := t.newLoc(e.to.pos)
		mid.atomic = e.to.atomic
		t.edges = append(t.edges, &edge{from: mid, to: e.to, cmds: []ir.Cmd{ir.AssignCmd(l.in, b.L.Int(l.n))}, thread: -1, pos: e.pos, text: LoopsIn + t.name})
		mid.outs++
		e.to = mid
	}
}

// cycles returns the loops of a graph: its strongly connected parts with an edge inside (Kosaraju's algorithm).
func (g *graph) cycles() []map[*loc]bool {
	outs, ins := g.outgoing(), map[*loc][]*edge{}
	order := g.finished(outs)
	for _, l := range order {
		for _, e := range outs[l] {
			ins[e.to] = append(ins[e.to], e)
		}
	}
	var all []map[*loc]bool
	seen := map[*loc]bool{}
	for _, l := range slices.Backward(order) {
		if seen[l] {
			continue
		}
		seen[l] = true
		part, inside := map[*loc]bool{l: true}, false
		for work := []*loc{l}; len(work) > 0; {
			x := work[len(work)-1]
			work = work[:len(work)-1]
			for _, e := range ins[x] {
				inside = inside || part[e.from]
				if !seen[e.from] {
					seen[e.from], part[e.from], inside = true, true, true
					work = append(work, e.from)
				}
			}
		}
		if inside {
			all = append(all, part)
		}
	}
	return all
}

// finished returns the locations that control gets to, each behind those that it leads to, but for loops.
func (g *graph) finished(outs map[*loc][]*edge) []*loc {
	type at struct {
		l *loc
		k int
	}
	var order []*loc
	seen := map[*loc]bool{g.entry: true}
	for stack := []at{{g.entry, 0}}; len(stack) > 0; {
		x := &stack[len(stack)-1]
		if x.k == len(outs[x.l]) {
			order = append(order, x.l)
			stack = stack[:len(stack)-1]
			continue
		}
		to := outs[x.l][x.k].to
		x.k++
		if !seen[to] {
			seen[to] = true
			stack = append(stack, at{to, 0})
		}
	}
	return order
}
