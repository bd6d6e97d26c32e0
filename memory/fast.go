package memory

import "comus/cir"

// Consistent reports whether all axioms of a model hold. It is the same as having no [Graph.Violations], and fast.
//
// The events at a location have places: 2p for the write at position p of the modification order, 2p+1 for the reads of it.
// One event is before another one in eco = (rf ∪ mo ∪ rb)⁺ if and only if it has a smaller place; so coherence says that happens-before never leads to a smaller one.
// Happens-before is within po ∪ rf, which has no cycles; so it is computed in one pass along a topological order, each write
// with what acquiring it brings in (release sequences go along rf as well).
//
// Most graphs that one meets are sequentially consistent. Then there is an order of all events with po, Sync, rf, mo and rb in it. All that the other models
// demand to have no cycles is made of these, so it is in that order, and they hold; so that is looked at first.
func (g *Graph) Consistent(m Model) bool {
	l := g.layout()
	if !l.atomicity() {
		return false
	}
	if _, ok := l.sort(true); ok || m == SC {
		return ok // what the other models order is in this order, too
	}
	if m != RC11 {
		return l.coherentThreads() && l.globalOrder(m == PSO).acyclic()
	}
	order, ok := l.sort(false)
	if !ok {
		return false
	}
	c := l.causality(order)
	return c.coherent() && (l.seqCst < 2 || c.seqCst(order))
}

// layout is a graph in arrays. All numbers are indices of events; -1: none.
type layout struct {
	*Graph
	n          int
	prev, next []int32 // neighbours in program order
	loc        []int32 // the number of the location, from 0; -1: none
	place      []int32 // see [Graph.Consistent]; -1: no access, or one that reads nothing yet
	after      []int32 // of a write, the next one in mo; of a read, the next one after what it reads
	reader     []int32 // of a write, a read of it; of a read, another one of the same write
	leaving    []int32 // the first edge of Sync that leaves an event, and of such an edge, at n + its number, the next one
	threads    int
	locs       int
	seqCst     int // how many events are seq_cst
}

func (g *Graph) layout() *layout {
	n, threads := len(g.Events), 0
	for i := range g.Events {
		threads = max(threads, g.Events[i].Thread+1)
	}
	all := make([]int32, 7*n+len(g.Sync)+threads)
	for i := range all {
		all[i] = -1
	}
	cut := func(size int) []int32 {
		x := all[:size:size]
		all = all[size:]
		return x
	}
	l := &layout{Graph: g, n: n, prev: cut(n), next: cut(n), loc: cut(n), place: cut(n), after: cut(n), reader: cut(n),
		leaving: cut(n + len(g.Sync)), threads: threads}
	last := cut(threads)
	for _, writes := range g.MO {
		for p, w := range writes {
			l.loc[w], l.place[w] = int32(l.locs), int32(2*p)
			if p > 0 {
				l.after[writes[p-1]] = int32(w)
			}
		}
		l.locs++
	}
	for i := range g.Events {
		e := &g.Events[i]
		if e.Thread >= 0 {
			if p := last[e.Thread]; p >= 0 {
				l.prev[i], l.next[p] = p, int32(i)
			}
			last[e.Thread] = int32(i)
		}
		if e.seqCst() {
			l.seqCst++
		}
		if e.Kind != Read {
			continue
		}
		if w := g.RF[i]; w >= 0 {
			l.loc[i], l.place[i], l.after[i] = l.loc[w], l.place[w]+1, l.after[w]
			l.reader[i], l.reader[w] = l.reader[w], int32(i)
		} else {
			l.numberLocation(i)
		}
	}
	for k, s := range g.Sync {
		l.leaving[n+k], l.leaving[s[0]] = l.leaving[s[0]], int32(k)
	}
	return l
}

// numberLocation gives a read that reads nothing yet the number of its location.
func (l *layout) numberLocation(i int) {
	for j := range l.Events {
		if l.Events[j].access() && l.Events[j].Loc == l.Events[i].Loc && l.loc[j] >= 0 {
			l.loc[i] = l.loc[j]
			return
		}
	}
	l.loc[i] = int32(l.locs)
	l.locs++
}

// atomicity: no write comes between what a read-modify-write reads and what it writes.
func (l *layout) atomicity() bool {
	for i := range l.Events {
		if l.Events[i].Kind != Write || !l.Events[i].Exclusive {
			continue
		}
		if from := l.RF[l.prev[i]]; from >= 0 && l.place[from]+2 < l.place[i] {
			return false
		}
	}
	return true
}

// sort returns the events in an order that has po, Sync and rf in it, and mo and rb if wished; false if there is none.
func (l *layout) sort(writes bool) ([]int32, bool) {
	work := make([]int32, 2*l.n)
	missing, order := work[:l.n], work[l.n:l.n:2*l.n]
	edges := func(i int32, see func(int32)) {
		if j := l.next[i]; j >= 0 {
			see(j)
		}
		if j := l.after[i]; j >= 0 && writes {
			see(j)
		}
		if l.Events[i].Kind == Write {
			for r := l.reader[i]; r >= 0; r = l.reader[r] {
				see(r)
			}
		}
		for k := l.leaving[i]; k >= 0; k = l.leaving[int32(l.n)+k] {
			see(int32(l.Sync[k][1]))
		}
	}
	for i := range int32(l.n) {
		edges(i, func(j int32) { missing[j]++ })
	}
	for i := range int32(l.n) {
		if missing[i] == 0 {
			order = append(order, i)
		}
	}
	for k := 0; k < len(order); k++ {
		edges(order[k], func(j int32) {
			if missing[j]--; missing[j] == 0 {
				order = append(order, j)
			}
		})
	}
	return order, len(order) == l.n
}

// causality is happens-before of RC11, of a graph whose po ∪ rf has no cycles.
type causality struct {
	*layout
	before  Relation // for each event, what happens before it
	readers Relation // for each write, the reads of it
}

// causality computes happens-before along a topological order.
func (l *layout) causality(order []int32) *causality {
	w := words(l.n)
	all := make([]uint64, (3*l.n+l.threads+1)*w)
	cut := func(rows int) Relation {
		r := Relation{rows, w, all[: rows*w : rows*w]}
		all = all[rows*w:]
		return r
	}
	before, readers := cut(l.n), cut(l.n)
	message := cut(l.n)       // of a write, what happens before an acquire that reads from it
	pending := cut(l.threads) // what happens before the next acquire fence of a thread: the messages of its reads
	initial := cut(1).row(0)
	for i := range l.Events {
		if l.Events[i].Thread < 0 {
			set(initial, i)
		}
	}
	for _, i32 := range order {
		i := int(i32)
		e, row := &l.Events[i], before.row(i)
		if e.Thread < 0 {
			continue
		}
		if p := int(l.prev[i]); p >= 0 {
			or(row, before.row(p))
			set(row, p)
		} else {
			or(row, initial)
		}
		switch from := l.RF[i]; {
		case e.Kind == Read && from >= 0:
			set(readers.row(from), i)
			if e.acquires() {
				or(row, message.row(from))
			} else if e.Order != cir.Plain {
				or(pending.row(e.Thread), message.row(from))
			}
		case e.Kind == Fence && e.acquires():
			or(row, pending.row(e.Thread))
		case e.Kind == Write && e.Order != cir.Plain:
			if h := l.head(i); h >= 0 {
				or(message.row(i), before.row(h))
				set(message.row(i), h)
			}
			if e.Exclusive && l.RF[l.prev[i]] >= 0 {
				or(message.row(i), message.row(l.RF[l.prev[i]]))
			}
		}
		for k := l.leaving[i]; k >= 0; k = l.leaving[int32(l.n)+k] {
			or(before.row(l.Sync[k][1]), row)
			set(before.row(l.Sync[k][1]), i)
		}
	}
	return &causality{l, before, readers}
}

// head returns the last release in its thread that an acquire of write i synchronises with: the write itself, an earlier one to the location (of whose release sequence
// it is), or a fence. Earlier ones of the thread happen before that one.
func (l *layout) head(i int) int {
	for j := i; j >= 0; j = int(l.prev[j]) {
		if e := &l.Events[j]; e.releases() && (e.Kind == Fence || l.loc[j] == l.loc[i]) {
			return j
		}
	}
	return -1
}

// coherent: nothing that happens before an event comes after it in eco.
func (c *causality) coherent() bool {
	w := c.before.w
	rows := make([]uint64, 2*w)
	later, here := rows[:w], rows[w:] // what comes after the write, and its reads too
	for _, writes := range c.MO {
		clear(later)
		for p := len(writes) - 1; p >= 0; p-- {
			i := writes[p]
			for r := c.reader[i]; r >= 0; r = c.reader[r] {
				if meet(later, c.before.row(int(r))) {
					return false
				}
			}
			copy(here, later)
			or(here, c.readers.row(i))
			if meet(here, c.before.row(i)) {
				return false
			}
			copy(later, here)
			set(later, i)
		}
	}
	return true
}

// coherentThreads is coherence for TSO and PSO: along a thread, the places at a location never decrease.
func (l *layout) coherentThreads() bool {
	for i := range l.Events {
		if l.place[i] < 0 {
			continue
		}
		for j := l.prev[i]; j >= 0; j = l.prev[j] {
			if l.place[j] >= 0 && l.loc[j] == l.loc[i] {
				if l.place[j] > l.place[i] {
					return false
				}
				break
			}
		}
	}
	return true
}

// globalOrder is what all threads of TSO or PSO agree on, up to transitivity: preserved program order, Sync, mo, rb, and rf between threads.
// What is before all, the initial writes, is left out where nothing leads to it.
func (l *layout) globalOrder(pso bool) Relation {
	r := newRelation(l.n)
	for i := range l.Events {
		if l.after[i] >= 0 {
			r.add(i, int(l.after[i]))
		}
		if l.Events[i].Kind == Read && l.RF[i] >= 0 && l.Events[l.RF[i]].Thread != l.Events[i].Thread {
			r.add(l.RF[i], i)
		}
		if l.Events[i].Thread >= 0 {
			l.preserved(i, pso, r.row(i))
		}
	}
	if len(l.Sync) == 0 {
		return r
	}
	from := make([]uint64, r.w)
	for _, s := range l.Sync {
		clear(from)
		for j := int32(s[1]); j >= 0; j = l.next[j] {
			set(from, int(j))
		}
		for i := int32(s[0]); i >= 0; i = l.prev[i] {
			or(r.row(int(i)), from)
		}
	}
	return r
}

// preserved sets the later events of i's thread that i stays before, up to the first full fence, behind which all are. A seq_cst store
// between i and another event need not be looked at: it is behind i, and before the other one.
func (l *layout) preserved(i int, pso bool, row []uint64) {
	x := &l.Events[i]
	if x.outside() {
		return
	}
	drained := x.full()                                // the buffer is empty since x
	stored := x.Kind == Write && x.Order == cir.SeqCst // a seq_cst store has emptied it
	barrier := stored                                  // no later write overtakes x
	for j := l.next[i]; j >= 0; j = l.next[j] {
		y := &l.Events[j]
		switch {
		case y.full():
			set(row, int(j))
			return
		case y.outside():
			barrier = barrier || y.releases()
			continue
		case drained || x.Kind == Read,
			y.Kind == Read && stored,
			y.Kind == Write && (!pso || x.Loc == y.Loc || barrier || y.releases()):
			set(row, int(j))
		}
	}
}
