package robust

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// A ticket lock is two numbers that begin as the same: the next ticket, and the one that is served. Who wants the lock draws a ticket, waits until it is served, and gives the lock back
// by serving the next one. See doc.go for why all but what is drawn is ordered.

// ticketAt returns the ticket lock of which a location holds the number that is served, if it is one.
func (a *analysis) ticketAt(at pointsto.Location) *lock {
	l := &lock{at: at, takes: map[*access]bool{}, gives: map[*access]bool{}, draws: map[*access]bool{}, reads: map[*access]bool{}, numbers: map[*access]bool{}}
	var next *pointsto.Location
	waits := map[*access]bool{} // draws with a wait right behind
	for _, x := range a.accesses {
		if !slices.Contains(x.at, at) {
			continue
		}
		switch from := a.awaited(x); {
		case x.only == nil:
			return nil
		case x.writes:
			l.gives[x] = true
		case from == nil:
			l.reads[x] = true
		case from.only == nil || next != nil && *from.only != *next || !x.acquire || !a.after(from, x.in):
			return nil
		default:
			l.takes[x], waits[from], next = true, true, from.only
		}
	}
	if next == nil || *next == at {
		return nil
	}
	if n, ok := a.beginAlike(at, *next); !ok || a.plainly(at, n) || a.plainly(*next, n) {
		return nil
	}
	for _, x := range a.accesses {
		if slices.Contains(x.at, *next) {
			if x.only == nil || x.writes && !waits[x] {
				return nil
			}
			if x.writes {
				l.draws[x] = true
			}
		}
	}
	for x := range l.gives { // order does not matter
		if !x.release || !a.serves(l, x) {
			return nil
		}
	}
	return l
}

// draws reports whether an instruction adds 1.
func draws(in cir.Instr) bool {
	r, ok := in.(*cir.RMW)
	return ok && r.Op == cir.RMWAdd && isOne(r.X)
}

func isOne(v cir.Value) bool {
	n, ok := v.(cir.Int)
	return ok && n.Lo == 1 && n.Hi == 0
}

// beginAlike returns the number that two locations hold at the beginning, if it is the same.
func (a *analysis) beginAlike(x, y pointsto.Location) (int64, bool) {
	var size int64
	for _, z := range a.accesses {
		if z.only != nil && (*z.only == x || *z.only == y) {
			if size > 0 && z.size != size {
				return 0, false
			}
			size = z.size
		}
	}
	if size < 4 || x.Obj.Global == nil || y.Obj.Global == nil {
		return 0, false
	}
	m, known := initial(x.Obj.Global, x.Off, size)
	n, both := initial(y.Obj.Global, y.Off, size)
	return n, known && both && m == n
}

// awaited returns the draw of the number that a load waits to read, if it does: the loop around it is only left when the two are equal.
func (a *analysis) awaited(x *access) *access {
	load, ok := x.in.(*cir.Load)
	s := a.spinOf(x.copy, x.in)
	if !ok || s == nil {
		return nil
	}
	for _, k := range s.f.Blocks {
		if !s.inside[k] {
			continue
		}
		for _, in := range k.Instrs {
			c, ok := in.(*cir.Compare)
			if !ok || c.Pred != cir.Eq && c.Pred != cir.Ne {
				continue
			}
			ticket := c.Y
			if s.origin(c.X) != cir.Value(load.Dst) {
				ticket = c.X
				if s.origin(c.Y) != cir.Value(load.Dst) {
					continue
				}
			}
			unequal := facts{}
			unequal.set(c.Dst, 0, true)
			if c.Pred == cir.Ne {
				unequal.set(c.Dst, 1, true)
			}
			if r, ok := s.def(s.origin(ticket)).(*cir.RMW); ok && draws(r) && !s.leaves(c, unequal) && !s.avoids(load, c) {
				return a.places[placeKey{x.thread, x.copy, r, false}]
			}
		}
	}
	return nil
}

// avoids reports whether the loop may be left from behind an instruction without another turn, and without passing a second one.
func (s *spin) avoids(from, second cir.Instr) bool {
	k := s.home[from]
	if k == s.home[second] {
		return slices.Index(k.Instrs, from) > slices.Index(k.Instrs, second)
	}
	found := false
	s.flow(from, facts{}, func(_, to *cir.Block) bool {
		found = found || !s.inside[to]
		return s.inside[to] && to != s.head && to != s.home[second]
	})
	return found
}

// after reports whether what comes first behind a draw, of all that matters here, is an instruction.
func (a *analysis) after(x *access, in cir.Instr) bool {
	k := a.codes[x.copy]
	type at struct{ block, item int }
	var work []at
	for b, items := range k.blocks {
		for j, it := range items {
			if it.in == x.in {
				work = append(work, at{b, j + 1})
			}
		}
	}
	seen := map[int]bool{}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		switch items := k.blocks[p.block]; {
		case p.item < len(items) && items[p.item].in == in:
		case p.item < len(items) || k.back[p.block]:
			return false
		default:
			for _, b := range k.next[p.block] {
				if !seen[b] {
					seen[b] = true
					work = append(work, at{b, 0})
				}
			}
		}
	}
	return true
}

// serves reports whether an access writes the number behind the one that the thread has drawn, or the one that is served.
func (a *analysis) serves(l *lock, x *access) bool {
	st, ok := x.in.(*cir.Store)
	if !ok {
		return draws(x.in)
	}
	b := a.bodyOf(x.copy.Func)
	sum, ok := b.def(b.origin(st.X)).(*cir.Binary)
	if !ok || sum.Op != cir.Add || sum.Dst.Type != st.Type || !isOne(sum.Y) {
		return false
	}
	switch in := b.def(b.origin(sum.X)).(type) {
	case *cir.RMW: // the only draw of the function, from which the only wait takes its number
		y := a.places[placeKey{x.thread, x.copy, in, false}]
		n := 0
		for z := range l.draws { // order does not matter
			if z.copy.Func == x.copy.Func && z.thread == x.thread {
				n++
			}
		}
		return l.draws[y] && n == 1
	case *cir.Load: // just before
		y := a.places[placeKey{x.thread, x.copy, in, false}]
		k := b.home[st]
		i, j := slices.Index(k.Instrs, cir.Instr(in)), slices.Index(k.Instrs, cir.Instr(st))
		if y == nil || !l.reads[y] || i < 0 || i > j {
			return false
		}
		l.numbers[y] = true
		return !slices.ContainsFunc(k.Instrs[i+1:j], func(in cir.Instr) bool { return len(a.itemsOf(x.copy, in)) > 0 })
	}
	return false
}
