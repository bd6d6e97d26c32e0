package scancheck

import (
	"comus/cir"
)

const everything = ^uint64(0)

// when returns what has happened when a thread makes the accesses of an instruction of a copy.
func (ls *locations) when(t *thread, c int, in cir.Located) happened {
	if len(ls.signals.list) == 0 {
		return happened{set: everything}
	}
	m, known := ls.signals.flows[t]
	if !known {
		m = ls.flowOf(t)
		ls.signals.flows[t] = m
	}
	h, ok := m[c][in]
	if !ok {
		return happened{set: everything}
	}
	return h
}

// flowOf goes through all that a thread runs, again and again, until nothing changes: what a call has seen in any case is all at first, what a copy may have
// set when it is called is nothing.
func (ls *locations) flowOf(t *thread) map[int]map[cir.Located]happened {
	sums, entry := map[int]happened{}, map[int]happened{}
	active := ls.active(t)
	for c := range active {
		sums[c] = happened{seen: everything}
	}
	var sets uint64
	for changed := true; changed; {
		changed = false
		for _, n := range t.order {
			if !active[n.copy] {
				continue
			}
			s := happened{seen: everything}
			ls.through(t, n.copy, happened{}, sums, func(in cir.Located, h happened) {
				s.set |= h.set
				if _, ok := in.(*cir.Return); ok {
					s.seen &= h.seen
				}
			})
			old := sums[n.copy]
			if s = (happened{set: s.set | old.set, seen: s.seen & old.seen}); s != old {
				sums[n.copy], changed = s, true
			}
			sets |= s.set
		}
	}
	first := t.Root
	if t.index == 0 && len(ls.prog.Constructors) > 0 {
		first = ls.plain(ls.prog.Constructors[0])
	}
	for c := range ls.alone(t) { // what is called by nobody else
		entry[c] = happened{set: sets}
	}
	entry[first] = happened{}
	out := map[int]map[cir.Located]happened{}
	stale := map[int]bool{}
	for c := range entry {
		stale[c] = t.nodes[c] != nil
	}
	for again := true; again; {
		again = false
		for _, n := range t.order {
			start := entry[n.copy]
			if !stale[n.copy] {
				continue
			}
			stale[n.copy], again = false, true
			at := map[cir.Located]happened{}
			ls.through(t, n.copy, start, sums, func(in cir.Located, h happened) {
				at[in] = h
				call, ok := in.(*cir.Call)
				if !ok {
					return
				}
				x := ls.calleesBy(t, n.copy, call)
				for _, m := range x.to {
					to := h
					if !ls.copies[m].Func.Library {
						to.in |= ls.signals.does[n.copy].in
					}
					if x.outside {
						to.set = sets
					}
					if old, known := entry[m]; known {
						to = happened{to.set | old.set, to.seen & old.seen, to.in & old.in}
					}
					if old, known := entry[m]; !known || old != to {
						entry[m], stale[m] = to, true
					}
				}
			})
			out[n.copy] = at
		}
	}
	return out
}

// active returns the copies that a thread runs and that do anything with signals, or call who does.
func (ls *locations) active(t *thread) map[int]bool {
	m := map[int]bool{}
	for changed := true; changed; {
		changed = false
		for _, n := range t.order {
			d := ls.signals.does[n.copy]
			acts := len(d.sets)+len(d.sees)+len(d.edges) > 0
			for _, b := range ls.copies[n.copy].Func.Blocks {
				for _, in := range b.Instrs {
					switch in := in.(type) {
					case *cir.Intrinsic:
						acts = acts || in.Op == cir.Setjmp
					case *cir.Call:
						for _, c := range ls.calleesBy(t, n.copy, in).to {
							acts = acts || m[c]
						}
					}
				}
			}
			if acts && !m[n.copy] {
				m[n.copy], changed = true, true
			}
		}
	}
	return m
}

// alone returns the copies that a thread runs and that nothing calls which it runs.
func (ls *locations) alone(t *thread) map[int]bool {
	m := map[int]bool{}
	for _, n := range t.order {
		m[n.copy] = true
	}
	for _, n := range t.order {
		for _, b := range ls.copies[n.copy].Func.Blocks {
			for _, in := range b.Instrs {
				if call, ok := in.(*cir.Call); ok {
					for _, c := range ls.calleesBy(t, n.copy, call).to {
						delete(m, c)
					}
				}
			}
		}
	}
	for _, f := range ls.prog.Destructors {
		m[ls.plain(f)] = true
	}
	if t.index == 0 {
		if f := ls.prog.FuncNamed("exit"); f != nil && len(f.Blocks) > 0 {
			m[ls.plain(f)] = true
		}
		m[ls.plain(ls.prog.Entry)] = true
		for _, f := range ls.prog.Constructors {
			m[ls.plain(f)] = true
		}
	}
	return m
}

// through goes through a copy until nothing changes, and then calls visit for all that control gets to.
func (ls *locations) through(t *thread, c int, first happened, sums map[int]happened, visit func(cir.Located, happened)) {
	f, d := ls.copies[c].Func, ls.signals.does[c]
	begin := map[*cir.Block]happened{f.Blocks[0]: first}
	step := func(in cir.Instr, h happened) happened {
		h.set |= d.sets[in]
		switch in := in.(type) {
		case *cir.Intrinsic:
			if in.Op == cir.Setjmp {
				h.set = everything
			}
		case *cir.Call:
			x := ls.calleesBy(t, c, in)
			seen := everything
			for _, m := range x.to {
				h.set |= sums[m].set
				seen &= sums[m].seen
			}
			if len(x.to) > 0 && !x.outside { // what is not active has seen nothing
				h.seen |= seen
			}
		}
		h.seen |= d.sees[in]
		return h
	}
	for work := []*cir.Block{f.Blocks[0]}; len(work) > 0; work = work[1:] {
		b := work[0]
		h := begin[b]
		for _, in := range b.Instrs {
			h = step(in, h)
		}
		edge := 0
		cir.Succs(b.Term, func(to *cir.Block, _ []cir.Value) {
			next := h
			if edge < 2 {
				next.seen |= d.edges[b][edge]
			}
			edge++
			old, known := begin[to]
			if known {
				next = happened{next.set | old.set, next.seen & old.seen, next.in & old.in}
			}
			if !known || next != old {
				begin[to] = next
				work = append(work, to)
			}
		})
	}
	for _, b := range f.Blocks {
		h, reached := begin[b]
		if !reached {
			continue
		}
		for _, in := range b.Instrs {
			visit(in, h)
			h = step(in, h)
		}
		visit(b.Term, h)
	}
}
