package robust

import (
	"slices"

	"comus/cir"
	"comus/scan/pointsto"
)

// lock is a location that is used as a lock by atomic accesses: who takes it waits until it reads what says that it is free, and writes something else in the same step; who gives it back
// has it, and writes that it is free. See doc.go for why all that is done with it is ordered.
type lock struct {
	at     pointsto.Location
	size   int64 // of a lock of the library; 0: it is none
	takes  map[*access]bool
	gives  map[*access]bool
	broken bool
	// draws are the accesses by which threads draw numbers, and reads other loads of the number that is served, of a ticket lock.
	draws, reads map[*access]bool
	// numbers are those of reads of which the thread writes what is behind.
	numbers map[*access]bool
}

// hold says whether a thread may have a lock at some point, and whether it may not.
type hold uint8

const (
	without hold = 1 << iota
	with
)

// findLocks finds the locations that are used as locks, and orders what threads do while they have one.
func (a *analysis) findLocks() {
	list := a.findMutexes()
	for _, x := range a.accesses {
		if x.only != nil && !slices.ContainsFunc(list, func(l *lock) bool { return l.at == *x.only }) {
			l := a.lockAt(*x.only)
			if l == nil {
				l = a.ticketAt(*x.only)
			}
			if l != nil {
				list = append(list, l)
			}
		}
	}
	if len(list) == 0 {
		return
	}
	held := map[*access][]hold{}
	for t := range a.runs {
		a.followLocks(t, list, held)
	}
	for _, l := range list {
		a.drawn = a.drawn || !l.broken && len(l.draws) > 0
		a.given = a.given || l.size > 0
	}
	drop := func(x, y *access) bool {
		for i, l := range list {
			on := func(z *access) bool { return l.takes[z] || l.gives[z] || held[z] != nil && held[z][i] == with }
			if !l.broken && (on(x) && on(y) || l.draws[x] && l.draws[y]) {
				return true
			}
		}
		return false
	}
	for _, x := range a.accesses {
		x.others = slices.DeleteFunc(x.others, func(y *access) bool { return drop(x, y) })
	}
}

// sizeAt returns the size of the accesses of a location.
func (a *analysis) sizeAt(at pointsto.Location) (size int64) {
	for _, x := range a.accesses {
		if x.only != nil && *x.only == at {
			size = max(size, x.size)
		}
	}
	return size
}

// lockAt returns the lock that a location is used as, if what is done with it has the form.
func (a *analysis) lockAt(at pointsto.Location) *lock {
	l := &lock{at: at, takes: map[*access]bool{}, gives: map[*access]bool{}}
	var free int64
	size := a.sizeAt(at)
	for _, x := range a.accesses {
		if !slices.Contains(x.at, at) {
			if slices.ContainsFunc(x.at, func(k pointsto.Location) bool {
				return k.Obj == at.Obj && (k.Off == pointsto.Any || at.Off < k.Off+x.size && k.Off < at.Off+size)
			}) {
				return nil
			}
			continue
		}
		n, known := a.written(x.copy, x.in)
		switch {
		case x.only == nil:
			return nil
		case !x.writes:
		case !known:
			return nil
		case !x.reads:
			if !x.release || len(l.gives) > 0 && n != free {
				return nil
			}
			l.gives[x], free = true, n
		case !x.acquire:
			return nil
		default:
			l.takes[x] = true
		}
	}
	if len(l.takes) == 0 || len(l.gives) == 0 {
		return nil
	}
	for x := range l.takes { // order does not matter
		if !a.takes(x, free) {
			return nil
		}
	}
	if a.plainly(at, free) {
		return nil
	}
	return l
}

// served reports whether an access is a load of which the thread takes the number of the ticket that it has.
func (l *lock) served(x *access) bool { return l.numbers[x] }

// plainly reports whether something but atomic accesses may write a location; but for the number that it holds at first, before there are other threads and the location is used.
func (a *analysis) plainly(at pointsto.Location, first int64) bool {
	var behind map[point]bool
	size := a.sizeAt(at)
	return slices.ContainsFunc(a.puts(), func(p put) bool {
		if p.atomic || p.at.Obj != at.Obj || p.at.Off != pointsto.Any && p.size > 0 && (p.at.Off >= at.Off+size || at.Off >= p.at.Off+p.size) {
			return false
		}
		if behind == nil {
			behind = a.behindUses(at)
		}
		return !p.known || p.value != first || p.at != at || !a.isEarly(p, behind)
	})
}

// behindUses returns the points that the first thread may get to after it has created a thread or made an atomic access of a location.
func (a *analysis) behindUses(at pointsto.Location) map[point]bool {
	r := a.runs[0]
	seen := map[point]bool{}
	var work []point
	add := func(p point) {
		if !seen[p] {
			seen[p] = true
			work = append(work, p)
		}
	}
	for _, c := range r.list {
		for b, items := range a.codes[c].blocks {
			for j, x := range items {
				y := a.places[placeKey{0, c, x.in, false}]
				if x.kind == creates || y != nil && slices.ContainsFunc(y.at, func(l pointsto.Location) bool { return l.Obj == at.Obj }) {
					add(point{c, b, j + 1})
				}
			}
		}
	}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		k := a.codes[p.copy]
		if items := k.blocks[p.block]; p.item < len(items) {
			for _, c := range r.calls[p] {
				add(point{copy: c})
			}
			add(point{p.copy, p.block, p.item + 1})
			continue
		}
		for _, b := range k.next[p.block] {
			add(point{p.copy, b, 0})
		}
		if k.back[p.block] {
			for _, q := range r.behind(p.copy) {
				add(q)
			}
		}
	}
	return seen
}

// isEarly reports whether only the first thread writes something, and never behind some points.
func (a *analysis) isEarly(p put, behind map[point]bool) bool {
	for t, r := range a.runs {
		if t > 0 && r.has[p.copy] {
			return false
		}
	}
	b := a.bodyOf(p.copy.Func).home[p.in]
	n := 0
	for _, in := range b.Instrs {
		if in == p.in {
			break
		}
		n += len(a.itemsOf(p.copy, in))
	}
	for j := range n + 1 {
		if behind[point{p.copy, b.Index, j}] {
			return false
		}
	}
	return true
}

// takes reports whether an access, when control goes on behind it, has read that the lock is free, and has written something else.
func (a *analysis) takes(x *access, free int64) bool {
	n, known := a.written(x.copy, x.in)
	if !known || n == free {
		return false
	}
	switch in := x.in.(type) {
	case *cir.CmpXchg:
		e, known := a.bodyOf(x.copy.Func).constantAt(in, in.Expected)
		e, fits := bits(e, x.size)
		return known && fits && e == free
	case *cir.RMW:
		values, known := a.valuesAt(x.copy, in.Addr, x.size)
		return known && in.Dst != nil && !slices.ContainsFunc(values, func(v int64) bool { return v != free && a.mayRead(x, v) })
	}
	return false
}

// followLocks goes through what a thread runs and finds out where it has locks. A lock that is given back by who may not have it is none.
func (a *analysis) followLocks(t int, list []*lock, held map[*access][]hold) {
	r := a.runs[t]
	at := map[point][]hold{}
	var work []point
	enter := func(p point, s []hold) {
		old, changed := at[p], false
		if old == nil {
			old, changed = make([]hold, len(list)), true
			at[p] = old
		}
		for i := range s {
			changed = changed || s[i]&^old[i] != 0
			old[i] |= s[i]
		}
		if changed {
			work = append(work, p)
		}
	}
	start := make([]hold, len(list))
	for i := range start {
		start[i] = without
	}
	for _, c := range r.roots[:1] {
		enter(point{copy: c}, start)
	}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		s := slices.Clone(at[p])
		k := a.codes[p.copy]
		if p.item == len(k.blocks[p.block]) {
			for _, b := range k.next[p.block] {
				enter(point{p.copy, b, 0}, s)
			}
			if k.back[p.block] {
				for _, q := range r.behind(p.copy) {
					enter(q, s)
				}
			}
			continue
		}
		switch x := k.blocks[p.block][p.item]; x.kind {
		case ends:
			continue
		case calls:
			to := r.calls[p]
			for _, c := range to {
				enter(point{copy: c}, s)
			}
			if len(to) > 0 && !a.opaque(p.copy, x.in.(*cir.Call)) {
				continue
			}
		case locks:
			a.passesCall(p, list, s)
		case touches:
			a.passes(t, p.copy, x.in, list, s, held)
		}
		p.item++
		enter(p, s)
	}
}

// passes changes what a thread has when it passes an access, and notes what it has there.
func (a *analysis) passes(t int, c pointsto.Copy, in cir.Instr, list []*lock, s []hold, held map[*access][]hold) {
	before := slices.Clone(s)
	for _, failed := range []bool{false, true} {
		x := a.places[placeKey{t, c, in, failed}]
		if x == nil {
			continue
		}
		for i, l := range list {
			switch {
			case l.takes[x] && !failed && a.places[placeKey{t, c, in, true}] != nil: // it goes on if it has failed, too
				s[i] = before[i] | with
			case l.takes[x]:
				s[i] = with
			case l.gives[x]:
				l.broken = l.broken || before[i] != with
				s[i] = without
			case l.draws[x]:
				l.broken = l.broken || before[i] != without
			}
			if l.served(x) {
				l.broken = l.broken || before[i] != with
			}
		}
		if held[x] == nil {
			held[x] = make([]hold, len(list))
		}
		for i := range list {
			held[x][i] |= before[i]
		}
	}
}

// behind returns where control goes when a copy returns.
func (r *run) behind(c pointsto.Copy) (list []point) {
	for _, p := range r.callers[c] {
		p.item++
		list = append(list, p)
	}
	for i, d := range r.roots {
		if d == c && i+1 < len(r.roots) {
			list = append(list, point{copy: r.roots[i+1]})
		}
	}
	return list
}
