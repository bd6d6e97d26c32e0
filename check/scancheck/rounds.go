package scancheck

import (
	"slices"

	"comus/check/ticket"
	"comus/cir"
	"comus/scan/certificate"
	"comus/scan/pointsto"
)

// If no more threads ever wait at a barrier than it is initialised for, each round of it has every one of them once, so the k-th wait of each is in round k. Two
// accesses are ordered if the threads have waited differently often when they make them. Which barriers there are, who waits how often,
// and how many threads there are is found out here from the program; the certificate only says where a barrier is the reason.

// count is a set of numbers, said twice: by what they are up to 30 (bit 31: more than that), and by their remainders for divisors from 2 to 9.
type count struct {
	upTo uint32
	rest [8]uint16
}

const more = 31

// number is the set of one number.
func number(n int) (c count) {
	c.upTo = 1 << min(n, more)
	for i := range c.rest {
		c.rest[i] = 1 << (n % (i + 2))
	}
	return c
}

// or is a set that has what either has.
func (c count) or(d count) count {
	c.upTo |= d.upTo
	for i := range c.rest {
		c.rest[i] |= d.rest[i]
	}
	return c
}

// plus is a set that has all sums.
func (c count) plus(d count) (s count) {
	for n := range more + 1 {
		for m := range more + 1 {
			if c.upTo>>n&1 != 0 && d.upTo>>m&1 != 0 {
				s.upTo |= 1 << min(n+m, more)
			}
		}
	}
	for i := range s.rest {
		for n := range i + 2 {
			for m := range i + 2 {
				if c.rest[i]>>n&1 != 0 && d.rest[i]>>m&1 != 0 {
					s.rest[i] |= 1 << ((n + m) % (i + 2))
				}
			}
		}
	}
	return s
}

// meets reports whether a number may be in both sets.
func (c count) meets(d count) bool {
	if c.upTo&d.upTo == 0 {
		return false
	}
	for i := range c.rest {
		if c.rest[i]&d.rest[i] == 0 {
			return false
		}
	}
	return true
}

// anyCount has all numbers.
func anyCount() (c count) {
	c.upTo = ^uint32(0)
	for i := range c.rest {
		c.rest[i] = 1<<(i+2) - 1
	}
	return c
}

// barrier is one that threads wait at.
type barrier struct {
	at    pointsto.Location
	size  int64
	waits map[int]map[cir.Instr]bool // by copy
	inits []at2
	flows map[*thread]map[int]map[cir.Located]count
	ok    bool // enough threads, and understood
}

// at2 is a call in a copy.
type at2 struct {
	copy int
	call *cir.Call
}

// barriers are those of a program.
type barriers struct {
	used bool // by the certificate
	list []*barrier
	of   map[*pointsto.Object]bool
}

func newBarriers(c *certificate.Certificate) barriers {
	used := slices.ContainsFunc(c.Locations, func(l certificate.Location) bool { return slices.Contains(l.Pairs, certificate.Phased) })
	return barriers{used: used, of: map[*pointsto.Object]bool{}}
}

// findBarriers finds the barriers of a program whose certificate makes use of them.
func (ls *locations) findBarriers() {
	if !ls.barriers.used {
		return
	}
	lost := map[*pointsto.Object]bool{}
	for c, cp := range ls.copies {
		for _, b := range cp.Func.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(*cir.Call)
				if !ok || len(call.Args) == 0 {
					continue
				}
				fs := ls.pts.Callees(cp.Func, cp.Ctx, call)
				wait := slices.ContainsFunc(fs, func(f *cir.Func) bool { return f.Source == "pthread_barrier_wait" })
				init := slices.ContainsFunc(fs, func(f *cir.Func) bool { return f.Source == "pthread_barrier_init" })
				if !wait && !init {
					continue
				}
				if cp.Func.Library { // on behalf of the program, which gave it the function
					ls.barriers.list = nil
					return
				}
				to := ls.pts.Places(cp.Func, cp.Ctx, call.Args[0].X)
				f, direct := call.Callee.(*cir.Func)
				if !direct || !f.Library || len(f.Blocks) == 0 || len(to) != 1 || !to[0].Exact() || !ls.pts.Once(to[0].Obj) {
					for _, l := range to {
						lost[l.Obj] = true
					}
					continue
				}
				x := ls.barrierAt(to[0])
				if init {
					x.inits = append(x.inits, at2{c, call})
					continue
				}
				if x.waits[c] == nil {
					x.waits[c] = map[cir.Instr]bool{}
				}
				x.waits[c][call] = true
			}
		}
	}
	for _, x := range ls.barriers.list {
		x.ok = !lost[x.at.Obj] && !x.at.Obj.External && ls.countWaits(x) && ls.enough(x)
	}
}

func (ls *locations) barrierAt(l pointsto.Location) *barrier {
	for _, x := range ls.barriers.list {
		if x.at == l {
			return x
		}
	}
	x := &barrier{at: l, size: 32, waits: map[int]map[cir.Instr]bool{}, flows: map[*thread]map[int]map[cir.Located]count{}}
	if ls.prog.Model.PointerBits == 32 {
		x.size = 20
	}
	ls.barriers.list = append(ls.barriers.list, x)
	ls.barriers.of[l.Obj] = true
	return x
}

// countWaits finds out how often threads that wait at a barrier have waited where. It reports whether it can be said.
func (ls *locations) countWaits(x *barrier) bool {
	for _, t := range ls.threads.list {
		if !slices.ContainsFunc(t.order, func(n *node) bool { return len(x.waits[n.copy]) > 0 }) {
			continue
		}
		m, ok := ls.countsOf(x, t)
		if !ok {
			return false
		}
		x.flows[t] = m
	}
	return true
}

// countsOf goes through all that a thread runs until nothing changes.
func (ls *locations) countsOf(x *barrier, t *thread) (map[int]map[cir.Located]count, bool) {
	acts := map[int]bool{}
	for n := -1; n != len(acts); {
		n = len(acts)
		for _, m := range t.order {
			if acts[m.copy] {
				continue
			}
			if len(x.waits[m.copy]) > 0 {
				acts[m.copy] = true
			}
			ls.eachCallBy(t, m.copy, func(_ *cir.Call, to called) {
				if slices.ContainsFunc(to.to, func(k int) bool { return acts[k] }) {
					acts[m.copy] = true
				}
			})
		}
	}
	ok := true
	for _, m := range t.order {
		ok = ok && (ls.copies[m.copy].Func.Library || ls.valuesOf(ls.copies[m.copy].Func) != nil)
		ls.eachCallBy(t, m.copy, func(_ *cir.Call, to called) {
			ok = ok && !(to.outside && slices.ContainsFunc(to.to, func(k int) bool { return acts[k] }))
		})
	}
	if !ok {
		return nil, false
	}
	sums, entry := map[int]count{}, map[int]count{}
	for changed := true; changed; {
		changed = false
		for _, m := range t.order {
			if !acts[m.copy] {
				continue
			}
			s := sums[m.copy]
			ls.waitThrough(x, t, m.copy, number(0), acts, sums, func(in cir.Located, c count) {
				if _, ok := in.(*cir.Return); ok {
					s = s.or(c)
				}
			})
			if s != sums[m.copy] {
				sums[m.copy], changed = s, true
			}
		}
	}
	for c := range ls.alone(t) {
		if t.nodes[c] != nil {
			entry[c] = anyCount()
		}
	}
	first := t.Root
	if t.index == 0 && len(ls.prog.Constructors) > 0 {
		first = ls.plain(ls.prog.Constructors[0])
	}
	entry[first] = number(0)
	out := map[int]map[cir.Located]count{}
	for changed := true; changed; {
		changed = false
		for _, m := range t.order {
			start, known := entry[m.copy]
			if !known {
				continue
			}
			at := map[cir.Located]count{}
			ls.waitThrough(x, t, m.copy, start, acts, sums, func(in cir.Located, c count) {
				at[in] = c
				call, ok := in.(*cir.Call)
				if !ok {
					return
				}
				for _, k := range ls.calleesBy(t, m.copy, call).to {
					if next := entry[k].or(c); next != entry[k] {
						entry[k], changed = next, true
					}
				}
			})
			out[m.copy] = at
		}
	}
	return out, true
}

// eachCallBy calls f for the calls that a thread makes in a copy.
func (ls *locations) eachCallBy(t *thread, c int, f func(*cir.Call, called)) {
	for _, b := range ls.copies[c].Func.Blocks {
		for _, in := range b.Instrs {
			if call, ok := in.(*cir.Call); ok {
				f(call, ls.calleesBy(t, c, call))
			}
		}
	}
}

// waitThrough goes through a copy until nothing changes, and then calls visit for all that control gets to.
func (ls *locations) waitThrough(x *barrier, t *thread, c int, first count, acts map[int]bool, sums map[int]count, visit func(cir.Located, count)) {
	f := ls.copies[c].Func
	step := func(in cir.Instr, n count) count {
		call, ok := in.(*cir.Call)
		switch {
		case !ok || !acts[c]:
			return n
		case x.waits[c][in]:
			return n.plus(number(1))
		}
		to := ls.calleesBy(t, c, call).to
		if !slices.ContainsFunc(to, func(k int) bool { return acts[k] }) {
			return n
		}
		var sum count
		for _, k := range to {
			if acts[k] {
				sum = sum.or(sums[k])
			} else {
				sum = sum.or(number(0))
			}
		}
		return n.plus(sum)
	}
	begin := map[*cir.Block]count{f.Blocks[0]: first}
	for work := []*cir.Block{f.Blocks[0]}; len(work) > 0; work = work[1:] {
		n := begin[work[0]]
		for _, in := range work[0].Instrs {
			n = step(in, n)
		}
		cir.Succs(work[0].Term, func(to *cir.Block, _ []cir.Value) {
			if next := begin[to].or(n); next != begin[to] {
				begin[to] = next
				work = append(work, to)
			}
		})
	}
	for _, b := range f.Blocks {
		n := begin[b]
		for _, in := range b.Instrs {
			if n == (count{}) {
				break
			}
			visit(in, n)
			n = step(in, n)
		}
		if n != (count{}) {
			visit(b.Term, n)
		}
	}
}

// waited returns how often a thread has waited at each barrier when it runs an instruction of a copy.
func (ls *locations) waited(t *thread, c int, in cir.Located) (list []count) {
	for _, x := range ls.barriers.list {
		n, ok := x.flows[t][c][in]
		if !ok {
			n = anyCount()
		}
		list = append(list, n)
	}
	return list
}

// phased reports whether a barrier is between accesses of two groups.
func (ls *locations) phased(g, h *group) bool {
	if g.at == nil || h.at == nil {
		return false
	}
	for i, x := range ls.barriers.list {
		// Who was told that it is the one of those that have met, and has not waited since, is the same thread, or they have met in between.
		if told := g.at.lead.Barrier == (ticket.Cell{Obj: x.at.Obj, Off: x.at.Off}) && g.at.lead.Barrier == h.at.lead.Barrier; told && x.ok && x.flows[g.t] != nil && x.flows[h.t] != nil && !ls.overwritten(x) {
			return true
		}
		if x.ok && x.flows[g.t] != nil && x.flows[h.t] != nil && !g.at.waited[i].meets(h.at.waited[i]) && !ls.overwritten(x) {
			return true
		}
	}
	return false
}

// overwritten reports whether anything but the functions of barriers writes to a barrier.
func (ls *locations) overwritten(x *barrier) bool {
	for w := range ls.writesTo(x.at.Obj) {
		if !w.bytes.meets(extent{x.at.Off, x.at.Off + x.size}) {
			continue
		}
		if w.by == nil {
			return true
		}
		f, direct := w.by.Callee.(*cir.Func)
		if !direct || !f.Library || f.Source != "pthread_barrier_init" && f.Source != "pthread_barrier_wait" && f.Source != "pthread_barrier_destroy" {
			return true
		}
	}
	return false
}

// anyWaits is how often threads may have waited at the barriers if nothing is known of that.
func (ls *locations) anyWaits() (list []count) {
	for range ls.barriers.list {
		list = append(list, anyCount())
	}
	return list
}
