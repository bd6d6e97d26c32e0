package scancheck

import (
	"fmt"
	"slices"

	"comus/cir"
)

// A loop may put numbers into the elements of an array before another one creates threads, each with its element. It is as good as if each turn of the second loop did so, if the first one has run just as often, with
// the same numbers, to its end, whenever the second one begins; if the array is the same; and if none of the threads is there while it runs, those of an earlier time included.

// countersIn returns the loops of a function that have a counter.
func (ls *locations) countersIn(f *cir.Func) []*counter {
	list, known := ls.gifts.counters[f]
	if !known {
		list = countersOf(f)
		ls.gifts.counters[f] = list
	}
	return list
}

// fills reports whether a loop has run just as often as that which creates the threads of an identity whenever that begins, with the same numbers, to its end, and while none of the threads was there.
func (ls *locations) fills(g *gift, t *thread, l *counter) bool {
	last := g.loop
	if l.head == last.head || l.begin != last.begin || l.by != last.by || l.until != last.until || l.local.Size != last.local.Size || !g.f.exact(l) {
		return false
	}
	if without(g.f.f.Blocks[0], l.head)[last.head] || without(l.body, l.head)[last.head] || !ls.vacant(g, t, l) {
		return false
	}
	for b := range l.stretch(last) {
		for _, x := range slices.Concat(l.rests, last.rests) {
			if storesTo(b.Instrs, x) > 0 {
				return false
			}
		}
	}
	return true
}

// stretch returns the blocks from the beginning of a loop to the end of a later one, or its own.
func (l *counter) stretch(last *counter) map[*cir.Block]bool {
	m := map[*cir.Block]bool{}
	for b := range l.behind(l.head) {
		if l.behind(b)[last.head] {
			m[b] = true
		}
	}
	return m
}

// vacant reports whether none of the threads that are created together with those of an identity may be running in a loop of the creating function.
func (ls *locations) vacant(g *gift, t *thread, l *counter) bool {
	var kids set
	for _, o := range ls.threads.list {
		if o.Group != nil && *o.Group == *t.Group {
			kids = kids.with(o.index)
		}
	}
	if g.node.blocks == nil {
		return false
	}
	for i, b := range g.f.f.Blocks {
		e := g.node.blocks[i]
		if !l.inside[b] || e.never {
			continue
		}
		if e.on(g.node.entry).meets(kids) {
			return false
		}
		for _, in := range b.Instrs {
			if e = ls.after(g.parent, g.node.copy, in, e); e.never {
				break
			}
			if e.on(g.node.entry).meets(kids) {
				return false
			}
		}
	}
	return true
}

// baseStays reports whether the base of an array is the same from the beginning of a loop to the end of that which creates the threads.
func (ls *locations) baseStays(g *gift, l *counter, k pieceKind) bool {
	during := l.stretch(g.loop)
	if k.cell != nil {
		cp := ls.copies[g.node.copy]
		for _, o := range ls.pts.Objects {
			if o.Global != k.cell {
				continue
			}
			if o.External || o.IsFunc() || ls.pts.Outside(o) || ls.othersWrite(g.node.copy, o) {
				return false
			}
			for b := range during {
				if slices.ContainsFunc(b.Instrs, func(in cir.Instr) bool { return ls.pts.MayWrite(cp, in, o) }) {
					return false
				}
			}
			return true
		}
		return false
	}
	for _, x := range g.f.f.Locals {
		if k.base != fmt.Sprintf("local %d", x.Index) && k.base != fmt.Sprintf("held by local %d", x.Index) {
			continue
		}
		for b := range during {
			if storesTo(b.Instrs, x) > 0 {
				return false
			}
		}
	}
	return true
}

// runElsewhere reports whether other threads than one are claimed to run a copy.
func (ls *locations) runElsewhere(t *thread, m int) bool {
	return slices.ContainsFunc(ls.threads.list, func(u *thread) bool { return u != t && u.nodes[m] != nil })
}

// comesAgain reports whether a copy may be called by a thread while a call of it is not at its end: another one may have the same elements with other numbers.
func (ls *locations) comesAgain(t *thread, c int) bool {
	seen := map[int]bool{}
	for work := []int{c}; len(work) > 0; {
		m := work[len(work)-1]
		work = work[:len(work)-1]
		for _, b := range ls.copies[m].Func.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(*cir.Call)
				if !ok {
					continue
				}
				for _, to := range ls.calleesBy(t, m, call).to {
					if to == c {
						return true
					}
					if !seen[to] {
						seen[to] = true
						work = append(work, to)
					}
				}
			}
		}
	}
	return false
}

// comesBefore reports whether control comes to an instruction of a function before it gets to another one.
func (v *values) comesBefore(in, other cir.Instr) bool {
	b, at, first := v.blocks[in], v.blocks[other], v.f.Blocks[0]
	if b == at {
		return v.index(in) < v.index(other)
	}
	return b == first || !without(first, b)[at]
}

// leavesBehind reports whether control comes to an instruction of a function before it returns.
func (v *values) leavesBehind(in cir.Instr) bool {
	b, first := v.blocks[in], v.f.Blocks[0]
	if b == first {
		return true
	}
	for x := range without(first, b) {
		if _, returns := x.Term.(*cir.Return); returns {
			return false
		}
	}
	return true
}
